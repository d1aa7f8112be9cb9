"""All tables, and the data of places and persons, in Redis.

Times are milliseconds since 1970 by the caller's clock, never by the server's. Any call may raise StoreDown. The store
knows neither rules nor messages.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count
from secrets import token_hex
from typing import Literal, Self, cast

from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace
from redis import exceptions
from redis.asyncio import Redis

from bot.chat import MessageId, PersonId, PlaceId, UpdateId
from bot.runtime.clock import Clock
from bot.runtime.metrics import Metrics
from bot.runtime.retry import COMPACTING
from bot.store import Conflict, Repeated, Restoring, StoreDown, documents, keys
from bot.store.address import Address, parse
from bot.store.blocks import Blocks
from bot.store.calls import Calls
from bot.store.condition import of_servers, together
from bot.store.daily import DailyAnswers, DailyPlaces
from bot.store.due_queue import DueQueue
from bot.store.fading import FadingReplies
from bot.store.figures import Counting
from bot.store.heartbeats import Heartbeats
from bot.store.invitations import Invitations
from bot.store.open_replies import OpenReplies
from bot.store.platform_storage import PlatformStorage
from bot.store.records import Records
from bot.store.solo import SoloRecords
from bot.store.votes import Votes
from bot.tables.board_message import BoardMessage
from bot.tables.snapshot import Snapshot
from bot.tables.table import Entry, Table, TableId

log = logging.getLogger(__name__)

RECENT = 40
"""Number of the newest log entries in a snapshot."""
SEEN_MS = 2 * 24 * 60 * 60 * 1000
"""TTL of the ids of a table's updates after its last save."""
TAKING_MS = 30_000
"""How long a seat counts as being taken: longer than any call is retried; afterwards the table has it."""
KNOWN = 200
"""Number of cached tables, which are not sent and decoded again: some 4 MB.

More tables than are within a turn at the same time; a cache from turn to turn would need thousands."""
TIMEOUT_S = 2.0
"""Time limit for an answer. A child of a dead server can keep a connection open."""
PATIENCE_S = 8.0
"""Time limit for the retries of a call; a failover of Sentinels or a Cluster takes 2 to 4 seconds."""


class Attached(Struct, frozen=True):
    """The attachments that a save uses and removes, by name.

    *awaited*: if it exists, the table is due at *due_ms* instead. *used*: it must have this *content*, else Conflict.
    *removed*: they are gone after the save.
    """

    awaited: str = ""
    due_ms: int = 0
    used: str = ""
    content: bytes = b""
    removed: Sequence[str] = ()


NOT_ATTACHED = Attached()


def shard(table: TableId) -> int:
    """Return the shard of *table*, 0 to 63."""
    return keys.shard(table)


class Store:
    """The store at an address; safe for concurrent tasks. Created by ``Store.open``, ended by ``close``."""

    def __init__(
        self,
        address: Address,
        *,
        timeout_s: float = TIMEOUT_S,
        patience_s: float = PATIENCE_S,
        known: int = KNOWN,
        metrics: Metrics | None = None,
        alone: bool = False,
    ) -> None:
        self.address = address
        self._timeout_s = timeout_s
        self.keeps_games = True
        """Whether the server keeps every move, as far as it tells."""
        self.version = ""
        """The server's name and version, if it tells them."""
        self._metrics = metrics or Metrics()
        self._alone = alone
        self._calls = Calls(address, timeout_s, patience_s, self._metrics)
        self._client, self._script, self._patiently = self._calls.client, self._calls.script, self._calls.patiently
        self._saves = count(1)
        self._name = token_hex(8)  # with a number it names a save
        self._known = LRUCache[TableId, Snapshot](known)  # without messages: the rest of a save never changes
        self._save = self._script("save")
        self._load = self._script("load")
        self._posted = self._script("posted")
        self._unposted = DueQueue(self._calls, keys.UNPOSTED)
        self._urgent = DueQueue(self._calls, keys.URGENT)
        self._reminders = DueQueue(self._calls, keys.DUE)
        self._take_place = self._script("take_place")
        self._leave_place = self._script("leave_place")
        self._reserve_seat = self._script("reserve_seat")
        self._rewrite = self._script("rewrite")
        self._attach = self._script("attach")
        self._done_due = self._script("done_due")
        self.records = Records(self._calls)
        self.blocks = Blocks(self._calls)
        self.solo = SoloRecords(self._calls)
        self.votes = Votes(self._calls)
        self.daily = DailyAnswers(self._calls)
        self.daily_places = DailyPlaces(self._calls)
        self.fading = FadingReplies(self._calls)
        self.open_replies = OpenReplies(self._calls)
        self.counting = Counting(self._calls)
        self.heartbeats = Heartbeats(self._calls)
        self.invitations = Invitations(self._calls)

    def platform_storage(self, platform: str, clock: Clock) -> PlatformStorage:
        """Return the storage that the adapter of *platform* receives."""
        return PlatformStorage(self._calls, self._name, platform, clock, self._metrics, alone=self._alone)

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        timeout_s: float = TIMEOUT_S,
        patience_s: float = PATIENCE_S,
        known: int = KNOWN,
        metrics: Metrics | None = None,
        alone: bool = False,
    ) -> Self:
        """Open the store at *url* (see address.py). *alone*: no other process uses it.

        Raises ValueError (wrong URL), StoreDown, Restoring."""
        store = cls(parse(url), timeout_s=timeout_s, patience_s=patience_s, known=known, metrics=metrics, alone=alone)
        store._calls.begin()
        try:
            await store.ping()
            await store._check()
            await store._warn()
        except BaseException:
            await store.close()
            raise
        return store

    async def _check(self) -> None:
        """Raise Restoring if a restore is not complete (`bot.store.backup`): games would be missing.

        Raise StoreDown if the server lacks shards, as a node of a Cluster does that is addressed as a single server.
        """
        names = (keys.RESTORING, *keys.PROBE)
        is_restoring, *_ = await self._calls.pipelined(lambda pipeline: [pipeline.exists(name) for name in names])
        if is_restoring:
            reason = "is being restored from a backup; if that was interrupted, do it once more"
            raise Restoring(f"the store at {self.address} {reason}")

    async def _warn(self) -> None:
        """Warn the operator of a server that will lose games: in a restart, or when its memory is full."""
        there = together(await of_servers(self._client, self.address, self._timeout_s))
        self.version = there.version
        if there.full is not None and there.policy != "noeviction":
            self.keeps_games = False
            trouble = "will forget games when its memory is full: its maxmemory-policy is not noeviction, but"
            log.warning("the store at %s %s %s", self.address, trouble, there.policy)
        if not there.writes_down:
            self.keeps_games = False
            trouble = "will lose moves when it restarts: its appendonly is not yes, but no"
            log.warning("the store at %s %s", self.address, trouble)

    async def compact(self) -> None:
        """Let the server rewrite its append-only file, so that deleted data is no longer in it.

        Only for a single node that permits it; replicas, snapshots and backups are the operator's.
        """
        if not isinstance(self._client, Redis):
            return
        with suppress(StoreDown):
            info = await self._patiently(lambda: self._client.info("persistence"))
            for tried in range(COMPACTING.tries if info.get("aof_enabled") else 0):
                try:
                    await self._patiently(self._client.bgrewriteaof)
                except exceptions.ResponseError as no:  # not permitted, or an earlier rewrite is still running
                    if "in progress" not in str(no):
                        break
                    await asyncio.sleep(COMPACTING.pause_s(tried))
                else:
                    break

    async def close(self) -> None:
        await self._calls.close()

    async def ping(self) -> None:
        """Return once the store answers."""
        await self._patiently(self._client.ping)

    async def refusal(self) -> str:
        """Return why the server takes no writes now, in a few words without an address, or "". Raises StoreDown.

        Every shard is tried: the nodes of a Cluster have some each.
        """
        return await self._calls.refusal(lambda pipeline: [pipeline.set(key, "", xx=True) for key in keys.PROBE])

    # Tables

    async def save(
        self,
        table: Table,
        entries: Sequence[Entry],
        update: UpdateId | None,
        *,
        before: str | None = None,
        now_ms: int,
        repost_ms: int,
        due_ms: int | None,
        expire_ms: int | None,
        urgent: bool = False,
        attached: Attached = NOT_ATTACHED,
    ) -> str:
        """Store *table*, whose revision is the stored one + 1 (the first is 1), and append *entries* to its log.

        Return the name of the save. *before*: the name of its predecessor, "" for the first save, None for any. After a
        server has lost its newest saves, a revision can occur twice; a name is unique.

        *update*: the cause, which is applied once. *repost_ms*: when another process may take over posting the board.
        *due_ms*: the next reminder, which replaces the former one; *urgent*: it goes before all others. *expire_ms*:
        the table's expiry time. *attached*: the attachments that this save uses and removes.

        Raises Repeated (another call applied the update), Conflict. After StoreDown the table may or may not be saved;
        handling the same update again finds out.
        """
        if expire_ms is not None and expire_ms <= now_ms:
            raise ValueError("a table can only expire in the future")
        number = keys.shard(table.id)
        name = f"{self._name}:{next(self._saves)}"
        due, other = keys.DUE[number], keys.URGENT[number]
        if urgent:
            due, other = other, due
        match await self._save(
            (*keys.of_table(table.id, number), due, keys.UNPOSTED[number], other, keys.RUNNING[number]),
            (
                table.id,
                table.revision,
                documents.encoded(table),
                documents.SCHEMA,
                update or "",
                name,
                repost_ms,
                "" if due_ms is None else due_ms,
                "" if expire_ms is None else expire_ms - now_ms,
                SEEN_MS,
                "*" if before is None else before,
                attached.awaited,
                attached.due_ms,
                attached.used,
                attached.content,
                len(attached.removed),
                *attached.removed,
                *map(documents.encoded, entries),
            ),
        ):
            case 1:
                raise Repeated(f"{update} on {table!r}")
            case 2:
                raise Conflict(repr(table))
        known = self._known.get(table.id)
        if known is not None and known.save == before:
            self._known[table.id] = Snapshot(table=table, recent=(*known.recent, *entries)[-RECENT:], save=name)
        return name

    async def rewrite(self, table: Table, *, before: str | None = None) -> str:
        """Replace the document of a finished table by *table*, whose revision is the stored one + 1.

        No board is posted, and the expiry time stays. Return the name of the save. Raises Conflict.
        """
        number = keys.shard(table.id)
        name = f"{self._name}:{next(self._saves)}"
        arguments = (
            table.id,
            table.revision,
            documents.encoded(table),
            documents.SCHEMA,
            name,
            "*" if before is None else before,
        )
        if await self._rewrite((keys.of_table(table.id, number)[0], keys.DUE[number]), arguments) == 2:
            raise Conflict(repr(table))
        return name

    async def load(self, table_id: TableId) -> Snapshot | None:
        """Return the table of the newest save, or None if there is none. Raises NewerDocument.

        The server is always asked, but sends the document only if it is not cached here.
        """
        known = self._known.get(table_id)
        table_keys = keys.of_table(table_id, keys.shard(table_id))[:2]
        answer = await self._load(table_keys, (RECENT, known.save if known is not None else ""))
        if answer is None:
            self._known.pop(table_id, None)
            return None
        posted, elsewhere, count, *unknown = cast("list[bytes]", answer)
        if unknown:
            save, document, schema, recent = unknown
            table, entries = documents.table(document, int(schema)), documents.entries(recent)
            known = Snapshot(table=table, recent=entries, save=save.decode())
            self._known[table_id] = known
        assert known is not None
        return replace(
            known,
            board_message=None if posted is None else documents.board_message(posted),
            elsewhere={} if elsewhere is None else documents.elsewhere(elsewhere),
            count=count or b"",
        )

    async def save_of(self, table_id: TableId) -> str | None:
        """Return the unique name of the table's newest save, or None if there is no such table."""
        key = keys.of_table(table_id, keys.shard(table_id))[0]
        answer = await self._patiently(lambda: self._client.hget(key, "save"))
        return None if answer is None else cast("bytes", answer).decode()

    async def has_applied(self, table_id: TableId, update: UpdateId) -> bool:
        """Return whether *update* was applied to the table."""
        key = keys.of_table(table_id, keys.shard(table_id))[2]
        return bool(await self._patiently(lambda: self._client.hexists(key, update)))

    async def log(self, table_id: TableId) -> tuple[Entry, ...]:
        """Return all entries of the log, oldest first."""
        key = keys.of_table(table_id, keys.shard(table_id))[1]
        answer = await self._patiently(lambda: self._client.lrange(key, 0, -1))
        return documents.entries(b"[" + b",".join(cast("list[bytes]", answer)) + b"]")

    # Attachments

    async def attachment(self, table_id: TableId, name: str) -> bytes | None:
        """Return the attachment *name* of a table, or None."""
        key = keys.of_table(table_id, keys.shard(table_id))[0]
        return cast("bytes | None", await self._patiently(lambda: self._client.hget(key, keys.attachment(name))))

    async def attach(
        self,
        table_id: TableId,
        name: str,
        content: bytes,
        before: bytes | Literal["*"] | None = "*",
        save: str = "*",
    ) -> bytes | None:
        """Set the attachment *name* of a table and return its content then, or None if there is no such table.

        It lives as long as the table; setting it is not a save. Without content it is removed. Nothing changes unless
        the former content is *before* (None: no attachment yet, "*": any), and the newest save is *save* ("*": any).
        """
        key = keys.of_table(table_id, keys.shard(table_id))[0]
        return cast("bytes | None", await self._attach((key,), (name, content, before or "", save)))

    async def owned(self, table_id: TableId, person: PersonId) -> dict[str, bytes]:
        """Return the attachments of a table that belong to *person*, by name; see `keys.own`."""
        key = keys.of_table(table_id, keys.shard(table_id))[0]
        fields = cast("Mapping[bytes, bytes]", await self._patiently(lambda: self._client.hgetall(key)))
        return {name: content for field, content in fields.items() if (name := keys.owned(field, person)) is not None}

    # Boards to post

    async def record_post(
        self,
        table_id: TableId,
        message: BoardMessage,
        *,
        save: str = "*",
        former: MessageId | Literal["*"] | None = "*",
        elsewhere: PlaceId | Literal[""] = "",
    ) -> tuple[BoardMessage | None, bool]:
        """Record *message* unless a newer one is recorded; the board counts as posted if it shows the newest save.

        Return the recorded message if it is another one than *former*, and whether private replies have to fade.

        *save*: the name of the save that the message shows, "" for none yet, "*" for any of this revision. *former*:
        the message that the caller knew ("*": any). *elsewhere*: the place if it is not the table's own; then the
        board does not count as posted. Not for the place of one person alone: forgetting a person does not look there.
        """
        document = documents.encoded(message)
        other, replies = await self._set_posted(table_id, message.revision, document, save, former or "", elsewhere)
        return None if other is None else documents.board_message(other), replies > 0

    async def done_unposted(self, table_id: TableId, revision: int) -> None:
        """Stop posting this board: the table is gone, or its place accepts no messages. A later save posts again."""
        await self._set_posted(table_id, revision, b"", "*", "*")

    async def delay_unposted(self, table_id: TableId, until_ms: int) -> None:
        """Keep other processes from posting this board before *until_ms*, unless it is posted already."""
        key = keys.UNPOSTED[keys.shard(table_id)]
        await self._patiently(lambda: self._client.zadd(key, {table_id: until_ms}, xx=True))

    async def _set_posted(
        self, table_id: TableId, revision: int, document: bytes, save: str, former: str, elsewhere: str = ""
    ) -> tuple[bytes | None, int]:
        number = keys.shard(table_id)
        posted_keys = (keys.of_table(table_id, number)[0], keys.UNPOSTED[number], keys.fading(table_id))
        answer = await self._posted(posted_keys, (table_id, revision, document, save, former, elsewhere))
        return cast("tuple[bytes | None, int]", tuple(cast("list[object]", answer)))

    async def claim_unposted(self, now_ms: int, lease_ms: int, limit: int, early_ms: int = 0) -> tuple[TableId, ...]:
        """Claim at most *limit* tables whose board has waited too long (or will have after *early_ms*), oldest first.

        No other process gets them for *lease_ms* from now.
        """
        claimed = await self._unposted.claim(now_ms + early_ms, lease_ms - early_ms, limit)
        return tuple(TableId(member) for member, _ in sorted(claimed, key=lambda pair: pair[1]))

    # Reminders

    async def claim_due(
        self, now_ms: int, lease_ms: int, limit: int, *, urgent_only: bool = False
    ) -> tuple[tuple[TableId, int], ...]:
        """Claim at most *limit* due reminders, the urgent ones first, as (table, revision of the reminder).

        No other process gets them for *lease_ms*; then they are due again, unless `done_due` or a save removed them.
        """
        claimed = await self._urgent.claim(now_ms, lease_ms, limit)
        if len(claimed) < limit and not urgent_only:
            claimed += await self._reminders.claim(now_ms, lease_ms, limit - len(claimed))
        for _, due_ms in claimed:
            self._metrics.due_late_seconds.observe((now_ms - due_ms) / 1000)
        pairs = (member.rpartition(":") for member, _ in claimed)
        return tuple((TableId(table), int(revision)) for table, _, revision in pairs)

    async def done_due(
        self, table_id: TableId, revision: int, next_ms: int | None = None, leased_ms: int | None = None
    ) -> None:
        """Remove the reminder of *revision*, or make it due again at *next_ms*, unless a save replaced it.

        *leased_ms*: the end of the lease, unless it does not matter; a vote may have made the table due before that.
        """
        number, member = keys.shard(table_id), f"{table_id}:{revision}"
        arguments = (member, "" if next_ms is None else next_ms, "" if leased_ms is None else leased_ms)
        await self._done_due((keys.DUE[number], keys.URGENT[number]), arguments)

    # All processes

    async def secret(self, drawn: str) -> bytes:
        """Return the permanent secret of this store's bots, at most 64 bytes; set it to *drawn* if there is none."""
        stored = await self._patiently(lambda: self._client.set(keys.ID_KEY, drawn, nx=True, get=True))
        return drawn.encode() if stored is None else cast("bytes", stored)

    # Places

    async def take_place(self, place: PlaceId, table_id: TableId, instead_of: TableId | None = None) -> TableId:
        """Give *place* to *table_id* if it is free or held by *instead_of*; return its holder."""
        return _table_id(await self._take_place((keys.place(place),), (table_id, instead_of or "")))

    async def at(self, place: PlaceId) -> TableId | None:
        """Return the current table of *place*."""
        answer = await self._patiently(lambda: self._client.get(keys.place(place)))
        return None if answer is None else _table_id(answer)

    async def leave_place(self, place: PlaceId, table_id: TableId) -> None:
        """Free *place* if *table_id* still holds it."""
        await self._leave_place((keys.place(place),), (table_id,))

    async def place_settings(self, place: PlaceId) -> dict[str, str]:
        return await self._settings(keys.place_settings(place))

    async def set_place_setting(self, place: PlaceId, name: str, value: str | None) -> None:
        """Set *name* to *value*, or to the default if it is None."""
        await self._set(keys.place_settings(place), name, value)

    # Persons

    async def add_table(self, person: PersonId, table_id: TableId, at_ms: int) -> None:
        """Index that *person* sits at *table_id* since *at_ms*."""
        await self._patiently(lambda: self._client.zadd(keys.person_tables(person), {table_id: at_ms}))

    async def remove_expired(self, person: PersonId, table_id: TableId, now_ms: int) -> None:
        """Remove a missing table from the index, unless it was added just now and is about to be saved."""
        added = await self._patiently(lambda: self._client.zscore(keys.person_tables(person), table_id))
        if added is not None and added < now_ms - TAKING_MS:
            await self.remove_table(person, table_id)

    async def remove_table(self, person: PersonId, table_id: TableId) -> None:
        await self._patiently(lambda: self._client.zrem(keys.person_tables(person), table_id))
        await self.leave_seat(person, table_id)

    async def reserve_seat(
        self, person: PersonId, table_id: TableId, *, besides: Sequence[TableId], room: int, now_ms: int
    ) -> bool:
        """Reserve a seat at *table_id* for *person* and return whether there was room.

        *room*: how many more seats the person may take. Seats that they are taking elsewhere at this moment count,
        unless they are at one of the tables *besides*.
        """
        arguments: tuple[str | int, ...] = (table_id, now_ms, TAKING_MS, room, *besides)
        return await self._reserve_seat((keys.person_seats(person),), arguments) == 1

    async def leave_seat(self, person: PersonId, table_id: TableId) -> None:
        """Release a reserved seat at once."""
        await self._patiently(lambda: self._client.zrem(keys.person_seats(person), table_id))

    async def tables_of(self, person: PersonId) -> tuple[TableId, ...]:
        """Return the tables at which *person* sits, the newest first. Some may have expired."""
        answer = await self._patiently(lambda: self._client.zrevrange(keys.person_tables(person), 0, -1))
        return tuple(_table_id(id_) for id_ in answer)

    async def person_settings(self, person: PersonId) -> dict[str, str]:
        return await self._settings(keys.person_settings(person))

    async def set_person_setting(self, person: PersonId, name: str, value: str | None) -> None:
        """Set *name* to *value*, or to the default if it is None."""
        await self._set(keys.person_settings(person), name, value)

    async def _settings(self, key: str) -> dict[str, str]:
        answer = cast("Mapping[bytes, bytes]", await self._patiently(lambda: self._client.hgetall(key)))
        return {name.decode(): value.decode() for name, value in answer.items()}

    async def _set(self, key: str, name: str, value: str | None) -> None:
        if value is None:
            await self._patiently(lambda: self._client.hdel(key, name))
        else:
            await self._patiently(lambda: self._client.hset(key, name, value))


def _table_id(answer: object) -> TableId:
    return TableId(cast("bytes", answer).decode())
