"""What every update has to pass before it is answered, in one order. Who is turned away hears why.

    0 allowance    whoever has none left gets no further, before anything is loaded
    1 small talk   what is no command is a move, or nothing to the bot; it costs no allowance
    2 rate limit   nobody asks more often than people do
    3 language     in which this person reads
    4 reading      what is asked for (`bot.requests`)
    5 table        which one is meant
    6 place        of a table elsewhere only its players are answered; what it has left behind here leads there;
                   one that rests is opened first, and meant by its player where another one waits for players; whoever
                   presses a button elsewhere manages what they manage there;
                   under an old board, where that keeps its buttons, nothing is answered but where the newest one is
    7 moment       what changes a game was meant for the game as it is now
    8 rules        who may do this now, and how (the service, `bot.tables`, the game)

The last two are asked again whenever somebody else was quicker: see `Asked.is_late`.
"""

from collections.abc import Mapping
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

import texts
from bot import requests
from bot.chat import Chat, PlainMessage, Press, Typed, Undelivered, Update, platform
from bot.repository.lookup import Lookup
from bot.repository.preferences import Preferences
from bot.repository.repository import Snapshot
from bot.requests.commands import parse
from bot.runtime.rate_limit import RateLimit
from bot.service.lessons import answers, under_way
from bot.service.small_talk import could_be_move, is_move
from bot.tables.table import Denied, Phase, Table, TableId

IN_LOBBIES = (
    requests.Join,
    requests.Leave,
    requests.Start,
    requests.Invite,
    requests.Options,
    requests.ChooseOption,
    requests.ChooseColour,
    requests.ChooseClock,
    requests.ChooseCalls,
    requests.ChooseLevel,
)
IN_GAMES = (
    requests.Move,
    requests.Play,
    requests.Menu,
    requests.Hint,
    requests.Follow,
    requests.Undo,
    requests.Draw,
    requests.Resign,
    requests.End,
    requests.Agree,
    requests.Decide,
    requests.Missed,
    requests.More,
    requests.Close,
)
LOOKING = (requests.Board, requests.View, requests.History, requests.Replay, requests.Verify, requests.ShowReview)
"""What is also answered of the game that was on here before."""
ENDS = (requests.More, requests.End)
"""What those who manage the place of a table can do more with."""
UNDER_BOARDS = (*IN_GAMES, requests.View)
"""What the buttons of a board ask for while a game is on."""
LEFT_BEHIND = (*IN_LOBBIES, *UNDER_BOARDS, requests.Board)
"""What a button left behind by a table that moved does no more."""


class TooFast(Exception):
    """Somebody asks more often than people do."""


class SmallTalk(Exception):
    """Somebody said something that is not for the bot."""


class Asked(Struct, frozen=True):
    """An update on its way through the gates. *seen*: the table that is meant, where the request is about one; the
    update's `may_manage` is about the place of that table, where that is another one."""

    update: Update
    lang: str
    request: requests.Request = requests.Welcome()
    seen: Snapshot | None = None

    @property
    def table(self) -> Snapshot:
        """The table of a request that is about one."""
        assert self.seen is not None
        return self.seen

    def is_late(self, table: Table) -> bool:
        """Whether the request was meant for *table* as it was before."""
        stamp: requests.Stamp | None = getattr(self.request, "stamp", None)
        return stamp is not None and not stamp.fits(table)


class Gates:
    """Lets updates through, or not."""

    def __init__(
        self, rate_limit: RateLimit, preferences: Preferences, lookup: Lookup, chats: Mapping[str, Chat]
    ) -> None:
        self._rate_limit = rate_limit
        self._preferences = preferences
        self._lookup = lookup
        self._chats = chats

    async def admitted(self, update: Update) -> Asked:
        """What *update* asks for. Raises SmallTalk, TooFast, Denied, StoreDown."""
        asked = Asked(update, texts.language(update.person.lang or update.place.lang))
        for gate in (
            self._with_allowance,
            self._for_us,
            self._in_time,
            self._in_language,
            self._read,
            self._at_table,
            self._in_place,
            self._under_newest,
        ):
            asked = await gate(asked)
        return asked

    async def _with_allowance(self, asked: Asked) -> Asked:
        """Without one, what cannot be a move is not for us, and the rest too fast: to know better costs a load."""
        body = asked.update.body
        if self._rate_limit.allows(asked.update.person.id):
            return asked
        raise SmallTalk if isinstance(body, PlainMessage) and not could_be_move(body) else TooFast

    async def _for_us(self, asked: Asked) -> Asked:
        """What was written without a command is a move, or not for us; alone with the bot it is for the bot anyway."""
        update, body = asked.update, asked.update.body
        aside = isinstance(body, Typed) and update.place.private and not body.text.startswith("/")
        if not (isinstance(body, PlainMessage) or aside):
            return asked
        assert isinstance(body, PlainMessage | Typed)
        if not aside and not could_be_move(body):  # most of what people say to each other: nothing is loaded
            raise SmallTalk
        try:
            moves = is_move(await self._lookup.meant(update, None), update.person.id, body)
        except Denied:
            moves = False
        if aside and not moves:
            learning = await self._learning(update)
            moves = learning is not None and answers(learning, body.text)
        if moves:
            return replace(asked, update=replace(update, body=PlainMessage(body.text)))
        if aside:
            return asked
        raise SmallTalk

    async def _in_time(self, asked: Asked) -> Asked:
        if not self._rate_limit.takes(asked.update.person.id):
            raise TooFast
        return asked

    async def _in_language(self, asked: Asked) -> Asked:
        return replace(asked, lang=await self._preferences.lang(asked.update))

    async def _read(self, asked: Asked) -> Asked:
        return replace(asked, request=parse(asked.update))

    async def _at_table(self, asked: Asked) -> Asked:
        update, request = asked.update, asked.request
        if isinstance(request, requests.Close) and request.table is None:
            return asked
        named: TableId | None = getattr(request, "table", None)
        if isinstance(request, requests.Move) and (learning := await self._learning(update)) is not None:
            return replace(asked, request=replace(learning, typed=request.text))
        if isinstance(request, IN_LOBBIES + IN_GAMES):
            return replace(asked, seen=await self._lookup.meant(update, named))
        if isinstance(request, LOOKING):
            return replace(asked, seen=await self._lookup.last(update, named))
        return asked

    async def _learning(self, update: Update) -> requests.Learn | None:
        """The lesson that a typed move is meant for: where its person has no game to play."""
        learning = under_way(await self._preferences.person(update.person.id))
        if learning is None:
            return None
        try:
            seen = await self._lookup.meant(update, None)
        except Denied as no:
            return learning if no.code == "no_table" else None
        plays = seen.table.phase == Phase.RUNNING and seen.table.seat_of(update.person.id) is not None
        return None if plays else learning

    async def _in_place(self, asked: Asked) -> Asked:
        if asked.seen is not None and asked.seen.table.resting:
            if asked.seen.table.seat_of(asked.update.person.id) is None:
                raise Denied("elsewhere")
            if isinstance(asked.request, IN_GAMES):
                raise Denied("resting", table=asked.seen.table.id)
            return asked
        if asked.seen is None or asked.seen.table.place == asked.update.place.id:
            return await self._not_paused(asked)
        table, update = asked.seen.table, asked.update
        if not any(seat.person == update.person.id for seat in table.seats):
            raise Denied("elsewhere")
        left_behind = table.moves and isinstance(update.body, Press) and not update.place.private
        closes = isinstance(asked.request, requests.Close)
        if left_behind and isinstance(asked.request, LEFT_BEHIND) and not closes and table.phase != Phase.OVER:
            raise Denied("moved_away")
        may = isinstance(asked.request, ENDS) and isinstance(update.body, Press) and await self._manages(update, table)
        return replace(asked, update=replace(update, may_manage=may))

    async def _not_paused(self, asked: Asked) -> Asked:
        """Who plays a game that rests here, and sits not at the table that waits for players in its place, means it."""
        seen, update = asked.seen, asked.update
        means = isinstance(asked.request, IN_GAMES) and not isinstance(asked.request, (*ENDS, requests.Close))
        if (
            seen is None
            or not means
            or seen.table.phase != Phase.LOBBY
            or seen.table.seat_of(update.person.id) is not None
        ):
            return asked
        for mine in await self._lookup.tables_of(update.person.id):
            if mine.table.resting and mine.table.place == seen.table.place:
                raise Denied("not_running", paused=mine.table, on=seen.table)
        return asked

    async def _manages(self, update: Update, table: Table) -> bool:
        """Whether the person of *update*, which comes from elsewhere, manages the place of *table*."""
        chat = self._chats.get(platform(table.place))
        try:
            return chat is not None and await chat.may_manage(table.place, update.person.id)
        except Undelivered:
            return False

    async def _under_newest(self, asked: Asked) -> Asked:
        update, seen = asked.update, asked.seen
        if seen is None or seen.posted is None or not isinstance(asked.request, UNDER_BOARDS):
            return asked
        newest, place = seen.posted.message, seen.table.place
        if place != update.place.id or not update.is_under_older(newest):
            return asked
        chat, link = self._chats.get(platform(place)), None
        with suppress(Undelivered):
            link = chat and await chat.link(place, newest)
        raise Denied("old_board", link=link)
