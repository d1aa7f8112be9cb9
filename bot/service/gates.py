"""The gates that every update passes before it is answered, in this order. A refusal carries a reason code.

    0 allowance    a person without any allowance is refused before anything is loaded
    1 small talk   a text without a command is meant as a move or ignored; ignored texts cost no allowance
    2 rate limit   one request of the person's allowance
    3 language     the person's language
    4 parsing      the request (`bot.requests`)
    5 table        the table that the request is about
    6 place        a table elsewhere answers only its own players, and substitutes who accept; buttons that it left
                   behind only lead to it; a resting table is resumed first; the manage right is checked for the
                   table's own place; buttons under an older board only lead to the newest one
    7 moment       a button must have been made for the present save or turn (`Context.is_stale`)
    8 rules        the handlers, `bot.tables` and the game decide the rest

`Gates` evaluates 0 to 6. `Repository.change` evaluates 7 in its hook and 8 in `apply`, before every attempt to save.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

import texts
from bot.chat import Chat, Membership, PersonId, PlainMessage, Press, Typed, Undelivered, Update, platform
from bot.repository.lookup import Lookup
from bot.repository.preferences import Preferences
from bot.requests import Move, Request
from bot.requests.arguments import LONGEST_TEXT
from bot.requests.parsing import parse
from bot.requests.registry import Scope
from bot.runtime.blocklist import NO_ONE, BlockList
from bot.runtime.rate_limit import RateLimit
from bot.service.context import Context
from bot.service.feature import Feature
from bot.service.links import PostLinks
from bot.service.small_talk import could_be_move, is_meant_as_move, is_move
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase, Table
from rules.notation import unwrapped


class TooFast(Exception):
    """The person has used up the allowance."""


class SmallTalk(Exception):
    """The text is not meant for the bot."""


class Gates:
    """Admits updates, or raises the reason why not."""

    def __init__(
        self,
        rate_limit: RateLimit,
        preferences: Preferences,
        lookup: Lookup,
        chats: Mapping[str, Chat],
        links: PostLinks,
        features: Sequence[Feature] = (),
        blocked: BlockList = NO_ONE,
    ) -> None:
        self._rate_limit = rate_limit
        self._preferences = preferences
        self._lookup = lookup
        self._chats = chats
        self._links = links
        self._features = features
        self._blocked = blocked

    async def admitted(self, update: Update) -> Context:
        """Return the request of *update* with its table. Raises SmallTalk, TooFast, Denied, StoreDown."""
        context = Context(update, texts.language(update.person.lang or update.place.lang))
        for gate in (
            self._with_allowance,
            self._for_us,
            self._within_rate_limit,
            self._in_language,
            self._read,
            self._at_table,
            self._in_place,
            self._under_newest,
        ):
            context = await gate(context)
        return context

    async def _with_allowance(self, context: Context) -> Context:
        """Refuse a person without allowance, and ignore everything in a blocked place.

        A private chat can have the id of its person, who is refused later, with an answer. A text that cannot be a move
        is small talk; others would need a load.
        """
        body, place = context.update.body, context.update.place
        if not place.private and self._blocked.has_place(place.id):
            raise SmallTalk
        if self._rate_limit.allows(context.update.person.id):
            return context
        raise SmallTalk if isinstance(body, PlainMessage) and not could_be_move(body) else TooFast

    async def _for_us(self, context: Context) -> Context:
        """Ignore texts that are no moves; in a private chat every text is for the bot."""
        update, body = context.update, context.update.body
        aside = (
            isinstance(body, Typed) and update.place.private and not unwrapped(body.text[:LONGEST_TEXT]).startswith("/")
        )
        if not (isinstance(body, PlainMessage) or aside):
            return context
        assert isinstance(body, PlainMessage | Typed)
        if not aside and not could_be_move(body):  # most conversation ends here, before a load
            raise SmallTalk
        try:
            about = await self._lookup.meant(update, None)
            person = update.person.id
            is_a_move = is_move(about, person, body) or is_meant_as_move(about, person, body)
            plays = _plays(about, person)
        except Denied as no:
            is_a_move, plays = False, no.code != "no_table"  # several tables of which none is chosen
        if aside and not is_a_move and not plays:
            is_a_move = await self._move_of_feature(update, body.text, certain=True) is not None
        if is_a_move:
            return replace(context, update=replace(update, body=PlainMessage(body.text)))
        if aside:
            return context
        raise SmallTalk

    async def _within_rate_limit(self, context: Context) -> Context:
        if not self._rate_limit.takes(context.update.person.id):
            raise TooFast
        return context

    async def _in_language(self, context: Context) -> Context:
        return replace(context, lang=await self._preferences.lang(context.update))

    async def _read(self, context: Context) -> Context:
        """Read the request. A blocked person can only see, export and delete their data, and stop reminders."""
        request = parse(context.update)
        if self._blocked.has_person(context.update.person.id) and not request.declaration.gate.own_data:
            raise Denied("blocked")
        return replace(context, request=request)

    async def _at_table(self, context: Context) -> Context:
        update, request = context.update, context.request
        gate, table = request.declaration.gate, context.named
        if gate.scope is Scope.NONE or (gate.only_if_named and table is None):
            return context
        find = self._lookup.last if gate.scope is Scope.LAST else self._lookup.meant
        try:
            at_table = replace(context, about=await find(update, table))
        except Denied as no:
            elsewhere = await self._move_elsewhere(context) if no.code == "no_table" else None
            if elsewhere is None:
                raise
            return elsewhere
        if _plays(at_table.snapshot, update.person.id):
            return at_table
        return await self._move_elsewhere(context) or at_table

    async def _move_elsewhere(self, context: Context) -> Context | None:
        """Return *context* with the request that a typed move makes of a feature, or None. Its person has no game to
        play, so a turn does not ask the features."""
        if not isinstance(context.request, Move):
            return None
        request = await self._move_of_feature(context.update, context.request.text)
        return None if request is None else replace(context, request=request)

    async def _move_of_feature(self, update: Update, text: str, *, certain: bool = False) -> Request | None:
        for feature in self._features:
            request = await feature.move_request(update, text, certain=certain)
            if request is not None:
                return request
        return None

    async def _in_place(self, context: Context) -> Context:
        if context.about is not None and context.about.table.is_resting:
            is_crowd = context.about.table.has_channel and context.about.table.place == context.update.place.id
            if context.about.table.seat_of(context.update.person.id) is None and not is_crowd:
                raise Denied("elsewhere")
            if context.request.declaration.gate.scope is Scope.GAME:
                raise Denied("resting", table=context.about.table.id)
            return context
        if context.about is None or context.about.table.place == context.update.place.id:
            return await self._not_paused(context)
        table, update = context.about.table, context.update
        gate, presses = context.request.declaration.gate, isinstance(update.body, Press)
        if not any(seat.person == update.person.id for seat in table.seats):
            membership = Membership.GONE
            is_open = (gate.crowd and (table.has_channel or table.offered)) or (gate.manages and table.has_channel)
            if presses and is_open:
                membership = await self._membership(update, table)
            if membership is Membership.GONE or (gate.manages and membership is not Membership.MANAGER):
                raise Denied("elsewhere")
        left_behind = table.relocations and presses and not update.place.private
        if left_behind and gate.bound_to_place and table.phase != Phase.OVER:
            raise Denied("moved_away")
        may = gate.manages and presses and await self._manages(update, table)
        return replace(context, update=replace(update, may_manage=may))

    async def _not_paused(self, context: Context) -> Context:
        """Refuse a move here if the person's game in this place rests and a lobby without them is open."""
        snapshot, update, gate = context.about, context.update, context.request.declaration.gate
        plays = gate.scope is Scope.GAME and not gate.manages and not gate.only_if_named
        if (
            snapshot is None
            or not plays
            or snapshot.table.phase != Phase.LOBBY
            or snapshot.table.seat_of(update.person.id) is not None
        ):
            return context
        for mine in await self._lookup.tables_of(update.person.id):
            if mine.table.is_resting and mine.table.place == snapshot.table.place:
                raise Denied("not_running", paused=mine.table, on=snapshot.table)
        return context

    async def _manages(self, update: Update, table: Table) -> bool:
        """Return whether the person, who pressed a button elsewhere, manages the place of *table*."""
        return await self._membership(update, table) is Membership.MANAGER

    async def _membership(self, update: Update, table: Table) -> Membership:
        """Return what the person, who pressed a button elsewhere, is in the place of *table*."""
        chat = self._chats.get(platform(table.place))
        try:
            return Membership.UNKNOWN if chat is None else await chat.membership(table.place, update.person.id)
        except Undelivered:
            return Membership.UNKNOWN

    async def _under_newest(self, context: Context) -> Context:
        update, snapshot = context.update, context.about
        if snapshot is None or snapshot.board_message is None or not context.request.declaration.gate.bound_to_board:
            return context
        newest, place = snapshot.board_message.message, snapshot.table.place
        if place != update.place.id or not update.is_under_older(newest):
            return context
        raise Denied("old_board", link=await self._links.to(place, newest))


def _plays(about: Snapshot, person: PersonId) -> bool:
    return about.table.phase == Phase.RUNNING and about.table.seat_of(person) is not None
