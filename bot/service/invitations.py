"""Invitations between channels: a code from one place, its answer in another one, and the first one's confirmation.

A refusal for a block, of a place or a person, has the words of a code that does not work any more.
"""

from msgspec.structs import replace

from bot.chat import PersonId, PlaceId, Reply, Update
from bot.replies import linking as replies
from bot.replies import notes
from bot.repository.preferences import Preferences
from bot.repository.repository import Change, Hooks, Instead, Repository
from bot.requests import AnswerInvitation, Concede, ConfirmRival, DeclineRival, Join, RefuseInvitation, ShowCode
from bot.runtime.blocklist import BlockList
from bot.service.blocks import MOST
from bot.service.context import Context
from bot.service.feature import answers
from bot.service.linking import Linking
from bot.service.lobbies import Lobbies, NewTable
from bot.store import keys
from bot.store.store import Store
from bot.tables import codes, linking
from bot.tables.preferences import RIVALS, chosen
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase, Step, Table, Wish, require


class InvitationAnswers:
    """Answers the requests of managers about another channel."""

    def __init__(
        self,
        repository: Repository,
        store: Store,
        preferences: Preferences,
        lobbies: Lobbies,
        linked: Linking,
        blocked: BlockList,
    ) -> None:
        self._repository = repository
        self._store = store
        self._preferences = preferences
        self._lobbies = lobbies
        self._linked = linked
        self._blocked = blocked

    # The place that answers

    @answers(AnswerInvitation)
    async def answer(self, context: Context, request: AnswerInvitation) -> Reply | None:
        """Open a table for the channel of this place against the one that invites, after a question about its terms.

        A text that is no code takes a seat in the lobby of this place, if there is one. Denied: see `_invitation`, and
        as for any new table.
        """
        update, lang = context.update, context.lang
        if not request.code:
            on = await self._repository.on(update.place.id)
            if on is not None and on.table.phase == Phase.LOBBY:
                return await self._lobbies.join(replace(context, request=Join(), about=on), Join())
        if request.revision and await self._store.has_applied(await self._repository.new_id(update.id), update.id):
            return None
        invitation = await self._invitation(update, request.code)
        if request.revision != invitation.revision:
            return replies.answering(invitation, request.code, lang)
        blank = await self._lobbies.blank(update, lang)
        opened = await self._lobbies.create(update, linking.answering(blank, invitation, update.place.known_as), lang)
        if not isinstance(opened, NewTable):
            return opened
        await self._linked.ask(opened.snapshot)
        asked = await self._repository.find(invitation.id)
        if asked is None or linking.other_of(asked.table) != opened.snapshot.table.id:  # another channel was faster
            await self._lobbies.close_unseen(opened.snapshot)
            raise Denied("link_over")
        await self._repository.publish(opened.snapshot)
        said = replies.answered(opened.snapshot.table, lang)
        return said if opened.before is None else notes.instead(said, opened.before, lang)

    @answers(RefuseInvitation)
    async def refuse(self, context: Context, request: RefuseInvitation) -> Reply:
        """Block the place that invites. Denied: see `_invitation`."""
        invitation = await self._invitation(context.update, request.code)
        await self._block(context.update.place.id, invitation)
        return replies.blocked(linking.name_of(invitation), context.lang)

    async def _invitation(self, update: Update, code: tuple[int, ...]) -> Table:
        """Return the lobby to which *code* leads the place of *update*.

        Denied: see `Lobbies.require_rivals`, link_unknown, link_old, link_own, link_over.
        """
        await self._lobbies.require_rivals(update)
        held = await self._store.invitations.table(code) if codes.is_one(code) else None
        inviter = None if held is None else await self._repository.find(held)
        if inviter is None or inviter.table.twin is None:
            raise Denied("link_unknown")
        table, twin = inviter.table, inviter.table.twin
        if table.place == update.place.id:
            raise Denied("link_own")
        if table.phase != Phase.LOBBY or twin.code != code or not await self._may_meet(update, table):
            raise Denied("link_over")
        if self._repository.now_ms() >= twin.until_ms:
            raise Denied("link_old")
        return table

    async def _may_meet(self, update: Update, other: Table) -> bool:
        """Return whether no setting and no block keeps the person and the place of *update* from the *other* lobby."""
        blocks, here, there = self._store.blocks, update.place.id, other.place
        if self._blocked.has_place(there) or self._blocked.has_person(other.host):
            return False
        if chosen(RIVALS, await self._preferences.place(there)) == "off":
            return False
        if await blocks.has(keys.place_blocks(here), PersonId(there)):
            return False
        return not (
            await blocks.has(keys.place_blocks(there), PersonId(here))
            or await blocks.keep_apart(update.person.id, [other.host], there)
        )

    # The place that invites

    @answers(ShowCode)
    async def code(self, context: Context, _: ShowCode) -> Reply | None:
        """Show the code, a new one if the former is used or too old. Denied: managers_link, not_lobby, over,
        link_agreed, link_seats."""
        self._require(context, Phase.LOBBY)

        async def apply(now: Snapshot) -> tuple[Step | None, Reply]:
            twin = self._require(context, Phase.LOBBY, now).twin
            assert twin is not None
            if twin.table:
                raise Denied("link_agreed")
            if (
                twin.code
                and self._repository.now_ms() < twin.until_ms
                and await self._store.invitations.add(twin.code, now.table.id)  # a restored store may lack it
            ):
                return None, replies.code(now.table, context.lang)
            new = linking.with_code(now.table, await self._lobbies.new_code(now.table), self._repository.now_ms())
            return Step(new), replies.code(new, context.lang)

        done = await self._repository.change(context.snapshot, apply, context.update.id)
        return None if done is None else done.reply

    @answers(ConfirmRival)
    async def confirm(self, context: Context, _: ConfirmRival) -> Reply | None:
        """Begin the game. Denied: managers_link, not_lobby, over, link_alone, stale."""

        async def apply(now: Snapshot) -> tuple[Step | None, Reply]:
            table = self._require(context, Phase.LOBBY, now)
            answer = await self._answer_to(table)
            if answer is None or not await self._may_meet(context.update, answer):
                raise Denied("link_alone")
            return linking.confirmed(table), notes.toast("lobby.started", context.lang)

        return await self._changed(context, apply)

    @answers(DeclineRival)
    async def decline(self, context: Context, request: DeclineRival) -> Reply | None:
        """Give the seat of the other channel free. Denied: managers_link, not_lobby, over, stale, many_blocks."""
        table = self._require(context, Phase.LOBBY)
        other, answer = linking.other_of(table), await self._answer_to(table)
        if request.forever and answer is not None and not context.is_stale(table):
            await self._block(context.update.place.id, answer)

        async def apply(now: Snapshot) -> tuple[Step | None, Reply]:
            table = self._require(context, Phase.LOBBY, now)
            return Step(linking.alone(table)), replies.declined(table, context.lang, forever=request.forever)

        reply = await self._changed(context, apply)
        if other is not None:
            self._linked.begin(other)
        return reply

    # During the game

    @answers(Concede)
    async def concede(self, context: Context, request: Concede) -> Reply | None:
        """Resign for the channel, after a question. Denied: managers_link, not_running, over, stale."""
        if request.stamp is None:
            return replies.conceding(self._require(context, Phase.RUNNING), context.lang)

        async def apply(now: Snapshot) -> tuple[Step | None, Reply]:
            table = self._require(context, Phase.RUNNING, now)
            assert now.state is not None
            return linking.wished(table, now.state, Wish.RESIGN), notes.toast("resigned", context.lang)

        return await self._changed(context, apply)

    async def _changed(self, context: Context, apply: Change) -> Reply | None:
        """Apply a change, unless its button is stale. A repeated update is not stale. Denied: stale."""

        async def before(now: Snapshot) -> Instead | None:
            if context.is_stale(now.table):
                if await self._repository.has_applied(now.table, context.update.id):
                    return Instead(None)
                raise Denied("stale")
            return None

        done = await self._repository.change(context.snapshot, apply, context.update.id, hooks=Hooks(before=before))
        return None if done is None else done.reply

    def _require(self, context: Context, phase: Phase, now: Snapshot | None = None) -> Table:
        """Return the linked table of a manager's request. Denied: managers_link, link_none, not_lobby, not_running,
        over."""
        table = (now or context.snapshot).table
        if not context.update.may_manage:
            raise Denied("managers_link")
        if table.twin is None:
            raise Denied("link_none")
        require(table, phase)
        return table

    async def _answer_to(self, table: Table) -> Table | None:
        """Return the lobby that has answered *table*, or None."""
        other = linking.other_of(table)
        answer = None if other is None else await self._repository.find(other)
        waits = answer is not None and answer.table.phase == Phase.LOBBY
        return answer.table if answer is not None and waits and linking.other_of(answer.table) == table.id else None

    async def _block(self, place: PlaceId, other: Table) -> None:
        """Let the channel of *place* never play against the one of *other*. Denied: many_blocks."""
        if len(await self._store.blocks.of(keys.place_blocks(place))) >= MOST:
            raise Denied("many_blocks", n=MOST)
        await self._store.blocks.add(keys.place_blocks(place), PersonId(other.place), linking.name_of(other))
