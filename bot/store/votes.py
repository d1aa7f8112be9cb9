"""Votes of a channel's people: attachments of the table, see `bot.tables.voting`. Any call may raise StoreDown."""

from collections.abc import Mapping
from typing import cast

from bot.chat import PersonId
from bot.store import Conflict, keys
from bot.store.calls import Calls
from bot.tables import guesses, voting
from bot.tables.snapshot import Snapshot
from bot.tables.table import TableId


class Votes:
    """The votes at all tables."""

    def __init__(self, calls: Calls) -> None:
        self._vote = calls.script("vote")
        self._votes = calls.script("votes")

    async def of(self, table: TableId) -> tuple[bytes, Mapping[PersonId, bytes]]:
        """Return the count of the newest poll, b"" for none, and the ballots."""
        count, kept = await self._kept(table, voting.BALLOT)
        return count, kept[voting.BALLOT]

    async def beside(self, table: TableId) -> tuple[Mapping[PersonId, bytes], Mapping[PersonId, bytes]]:
        """Return the ballots and the guesses."""
        _, kept = await self._kept(table, voting.BALLOT, guesses.NAME)
        return kept[voting.BALLOT], kept[guesses.NAME]

    async def _kept(self, table: TableId, *kinds: str) -> tuple[bytes, Mapping[str, Mapping[PersonId, bytes]]]:
        key = keys.of_table(table, keys.shard(table))[0]
        count, *parts = cast("list[bytes]", await self._votes((key,), kinds))
        kept: dict[str, dict[PersonId, bytes]] = {kind: {} for kind in kinds}
        for kind, person, content in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            kept[kind.decode()][PersonId(person.decode())] = content
        return count, kept

    async def put(
        self,
        snapshot: Snapshot,
        ballot: str,
        former: bytes,
        content: bytes,
        poll: str,
        *,
        voters: int,
        now_ms: int,
        due_ms: int,
    ) -> None:
        """Store the *content* of the attachment *ballot* after *former*, with a change of the votes in this poll. No
        other update makes the same content.

        *voters*: the change of their number. *due_ms*: the table is due then, or earlier. Raises Conflict if the table
        or the ballot has changed.
        """
        table = snapshot.table
        number = keys.shard(table.id)
        key = keys.of_table(table.id, number)[0]
        arguments: tuple[str | bytes | int, ...] = (
            table.id,
            snapshot.save,
            ballot,
            former,
            content,
            poll,
            voters,
            now_ms,
            f"{table.id}:{table.revision}",
            due_ms,
        )
        if await self._vote((key, keys.DUE[number], keys.URGENT[number]), arguments):
            raise Conflict(repr(table))
