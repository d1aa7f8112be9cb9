"""Tables before their game begins: opening, joining, options, and lobbies that find their place taken."""

import logging
from collections.abc import Callable, Mapping
from itertools import count

from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

import texts
from bot.chat import Chat, Person, PersonId, PlaceId, Refused, Reply, ThreadAccess, Undelivered, Update, platform
from bot.house.levels import Level
from bot.replies import choices, notes, pages, words
from bot.replies import linking as replies
from bot.replies import wishes as wishing
from bot.replies.wishes import Wishes
from bot.repository.lookup import Lookup
from bot.repository.preferences import Preferences
from bot.repository.repository import LAST, Change, Repository
from bot.requests import (
    ChooseCalls,
    ChooseClock,
    ChooseColour,
    ChooseLevel,
    ChooseOption,
    ChooseVoting,
    Invite,
    Join,
    Leave,
    NewGame,
    NewThread,
    Options,
    PlayWith,
    Rematch,
    Resign,
    SeatChannel,
    Start,
    Welcome,
    payload,
)
from bot.requests.registry import select_payload
from bot.runtime.names import shown
from bot.service.agreements import Agreements
from bot.service.context import Context
from bot.service.feature import answers
from bot.store import Conflict, GameMissing, Repeated, keys
from bot.store.store import Store
from bot.tables import absence, anonymous, codes, linking, seating
from bot.tables import table as tables
from bot.tables.anonymous import is_nobody
from bot.tables.preferences import CLOCK, LANG, ON_TIMEOUT, OPENS, PINGS, RIVALS, THEME, VOTING, calling, chosen
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase, Seat, Step, Table, TableId
from rules import GAMES
from rules.beginning import Origin

log = logging.getLogger(__name__)

NAMED = 1000
"""Number of invited people whose names are cached."""
MOST_TABLES = 30
MOST_LOBBIES = 3
"""Limits of seats per person: in all tables, and in lobbies alone. A lobby counts as a table, because it becomes a game
without another question."""


class NewTable(Struct, frozen=True):
    """A new table, and the table that held its place before."""

    snapshot: Snapshot
    before: Table | None = None


class Lobbies:
    """Opens tables and fills them."""

    def __init__(
        self,
        repository: Repository,
        store: Store,
        lookup: Lookup,
        preferences: Preferences,
        chats: Mapping[str, Chat],
        agreements: Agreements,
    ) -> None:
        self._agreements = agreements
        self._chats = chats
        self._named = LRUCache[PersonId, Person](NAMED)  # buttons carry no names
        self._repository = repository
        self._lookup = lookup
        self._store = store
        self._preferences = preferences

    @answers(NewGame)
    async def new_game(self, context: Context, request: NewGame) -> Reply | None:
        """Open a table, list the games, or start the person's own lobby with the house."""
        update, game, lang = context.update, request.game, context.lang
        if game is None:
            on = await self._on(update.place.id)
            if on is None or await self._makes_room(on.table) or notes.may_open_thread(update.thread_access):
                return pages.games(lang)
            return await self._taken(on.table, update, lang)
        if game not in GAMES:
            return pages.games(lang, "denied.no_such_game")
        if request.house:
            own = await self._on(update.place.id)
            if own is not None and seating.waits_alone(own.table, game, update.person.id):
                return await self._alone(own, update, lang, GAMES[game].shortest if request.first else {})
        blank = replace(await self.blank(update, lang), game=game)
        wishes = wishing.read(game, request.wishes)
        if request.first:
            wishes = replace(wishes, options={**GAMES[game].shortest})
        if request.house and wishes.level is None:
            wishes = replace(wishes, level=Level.EASY)
        if wishes.rival:
            return await self._open_for_rival(blank, wishes, update, lang)
        new = await self._wished(blank, wishes, update, lang)
        fits = wishing.fits_button(game, wishes)
        beside = NewThread(game, wishing.numbers(game, wishes)).payload if fits else ""
        return await self._open(update, new, lang, beside, begins=request.house and request.first)

    async def _open_for_rival(self, blank: Table, wishes: Wishes, update: Update, lang: str) -> Reply | None:
        """Open a table for the channel against another one. Return its code. Denied: see `require_rivals`,
        channel_hides, link_seats, link_two."""
        await self.require_rivals(update)
        if wishes.level is not None:
            raise Denied("link_seats")
        new = replace(blank, options={**blank.options, **wishes.options})
        if not seating.is_open(new.game, new.options):
            raise Denied("channel_hides", game=new.game)
        if linking.SEATS not in seating.places(new):
            raise Denied("link_two")
        code = await self.new_code(new)
        new = linking.inviting(new, update.place.known_as, code, self._repository.now_ms())
        opened = await self.create(update, new, lang)
        if not isinstance(opened, NewTable):
            return opened
        await self._repository.publish(opened.snapshot)
        return replies.code(new, lang)

    async def require_rivals(self, update: Update) -> None:
        """Raise Denied unless the person of *update* may let the channel play against others: managers_link,
        channel_private, channel_visit, link_off."""
        if update.place.private:
            raise Denied("channel_private")
        if not update.may_manage:
            raise Denied("managers_link")
        if self._chats[platform(update.place.id)].capabilities(update.place.id).replies_only:
            raise Denied("channel_visit")
        if chosen(RIVALS, await self._preferences.place(update.place.id)) == "off":
            raise Denied("link_off")

    async def new_code(self, table: Table) -> tuple[int, ...]:
        """Return a code that leads to *table* and to no other one."""
        for tried in count(1):
            code = codes.drawn(f"{self._repository.draw(16)} {tried}")
            if await self._store.invitations.add(code, table.id):
                break
        return code

    @answers(NewThread)
    async def beside(self, context: Context, request: NewThread) -> Reply | None:
        """Open a table in a new thread. Denied: stale, no_thread.<reason>, and as for any new table."""
        update, lang = context.update, context.lang
        if request.game not in GAMES:
            raise Denied("stale")
        if update.thread_access is not ThreadAccess.ALLOWED:
            raise Denied(f"no_thread.{update.thread_access}")
        blank = replace(await self.blank(update, lang), game=request.game)
        new = await self._wished(blank, wishing.numbered(request.game, request.wishes), update, lang)
        await self.reserve_seat(update.person.id, new.id)  # before a thread exists that would stay empty
        try:
            thread = await self._chats[platform(update.place.id)].open_thread(update.place.id, words.thread_title(new))
        except Undelivered as no:
            log.info("thread not opened: place=%s error=%s", update.place.id, no)
            await self._store.leave_seat(update.person.id, new.id)
            raise Denied("no_thread.lacking" if isinstance(no, Refused) else "no_thread.later") from None
        opened = await self._open(update, replace(new, place=thread.place), lang)
        return None if opened is None else notes.opened_beside(new, thread.link, lang)

    @answers(PlayWith)
    async def play_with(self, context: Context, request: PlayWith) -> Reply | None:
        """Open a table and invite a person; ask first for the game. Denied: invite,
        invite.blocked, and as for any new table."""
        update, lang = context.update, context.lang
        if request.game is None:
            if update.chosen_person is None or update.chosen_person.id == update.person.id:
                raise Denied("invite")
            self._named[update.chosen_person.id] = update.chosen_person
            return pages.games(lang, "invite.which", update.chosen_person)
        if request.game not in GAMES:
            raise Denied("stale")
        account = PersonId(f"{platform(update.person.id)}:{payload.whole(request.account)}")
        if await self._store.blocks.among(update.person.id, [account]):  # only the reader's own blocks are mentioned
            raise Denied("invite.blocked")
        known = self._named.get(account)
        settings = calling(await self._preferences.person(account))
        guest = Seat(account, shown(known.name) if known else "", (known and known.lang) or lang, settings=settings)
        blank = replace(await self.blank(update, lang), game=request.game, invited=(guest,))
        return await self._open(update, await self._wished(blank, Wishes(), update, lang), lang)

    async def _on(self, place: PlaceId) -> Snapshot | None:
        """Return the table that holds *place*, or None. A table whose game is not installed makes room."""
        try:
            return await self._repository.on(place)
        except GameMissing as missing:
            await self._repository.make_room(missing)
            return None

    async def _wished(self, blank: Table, wishes: Wishes, update: Update, lang: str) -> Table:
        """Return *blank* with the wishes applied, and its host in the first seat. Denied: visiting.clock, and see
        `with_channel`."""
        if wishes.clock and blank.replies_only:
            raise Denied("visiting.clock")
        options = {**blank.options, **wishes.options}
        new = replace(blank, options=options, clock=wishes.clock or blank.clock)
        if not wishes.channel or wishes.level is None:  # a channel against the house plays without the host
            new = await self._joined(new, update, lang)
        if wishes.channel:
            new = with_channel(new, update)
        if wishes.level is None:
            return new
        return seating.invite(replace(new, level=wishes.level), new.host, seating.missing(new))

    async def _alone(self, own: Snapshot, update: Update, lang: str, options: Mapping[str, str]) -> Reply | None:
        """Start the lobby in which its host waits alone, with these *options* changed: the house takes the other seats,
        at the level EASY unless it already sits there."""

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            table, person = snapshot.table, update.person.id
            if not seating.waits_alone(table, table.game, person):  # a player has joined meanwhile
                return None, await self._taken(table, update, lang)
            if not seating.guests(table):
                table = replace(table, level=Level.EASY)
            table = replace(table, options={**table.options, **options})
            table = seating.invite(table, person, seating.guests(table) + seating.missing(table))
            return seating.start(table, person), notes.toast("lobby.started", lang)

        changed = await self._repository.change(own, apply, update.id)
        return None if changed is None else changed.reply

    @answers(Rematch)
    async def rematch(self, context: Context, request: Rematch) -> Reply | None:
        """Open a table for the same people; the next person who asks joins it. Without other people its game begins.

        Denied: elsewhere, not_over, not_played, and as for any new table.
        """
        update, table, lang = context.update, request.table, context.lang
        on = await self._on(update.place.id)
        joins = on is not None and _is_awaited(on.table, update.person.id)
        if table is None:
            if (
                on is not None
                and not joins
                and on.table.phase != Phase.OVER
                and not on.table.is_resting
                and not await self._repository.may_rest(on.table)
            ):
                return await self._taken(on.table, update, lang)
            table = TableId((await self._store.place_settings(update.place.id)).get(LAST, ""))
        before = (await self._repository.load(table)).table
        if before.place != update.place.id:
            raise Denied("elsewhere")
        if before.phase != Phase.OVER:
            raise Denied("not_over")
        if before.twin is not None:
            raise Denied("link_again")
        if not before.has_channel and not any(seat.person == update.person.id for seat in before.seats):
            raise Denied("not_played")
        if on is not None and joins and on.table.game == before.game:
            changed = await self._repository.change(on, self._joining(update, lang), update.id)
            return None if changed is None else changed.reply
        new = seating.again(anonymous.present(before), await self.blank(update, lang))
        new = seating.uninvited(new, await self._store.blocks.among(update.person.id, new.order))
        if request.level is not None and request.level < len(Level):
            new = replace(new, level=list(Level)[request.level])
        begins = not new.invited and not seating.missing(new)
        return await self._open(update, await self._up_to_date(new), lang, begins=begins)

    async def open_from(self, context: Context, source: Table, origin: Origin, *, house: bool) -> Reply | None:
        """Open a table that plays on from a position of *source*; against the *house* its game begins. Denied: as for
        any new table."""
        update, lang = context.update, context.lang
        blank = replace(await self.blank(update, lang), game=source.game, options=source.options, origin=origin)
        blank = replace(blank, level=source.level)
        new = await self._joined(blank, update, lang)
        if house:
            new = seating.invite(new, new.host, seating.missing(new))
        return await self._open(update, new, lang, begins=house)

    async def _up_to_date(self, table: Table) -> Table:
        """Return *table* with the present settings of its people."""
        seats = [
            seat
            if is_nobody(seat.person)
            else replace(seat, settings=calling(await self._preferences.person(seat.person)))
            for seat in table.seats
        ]
        return replace(table, seats=tuple(seats))

    async def reserve_seat(self, person: PersonId, at: TableId, *, has_begun: bool = False) -> None:
        """Reserve a seat within the limits, also against concurrent requests. *has_begun*: the game at that table.
        Denied: many_lobbies, many_games."""
        mine = await self._lookup.tables_of(person, besides=at)
        seated = [snapshot.table for snapshot in mine if snapshot.table.seat_of(person) is not None]
        lobbies = MOST_TABLES if has_begun else MOST_LOBBIES - sum(table.phase == Phase.LOBBY for table in seated)
        room = min(lobbies, MOST_TABLES - len(seated))
        known = [snapshot.table.id for snapshot in mine]  # also seats that the person has given up
        if not await self._store.reserve_seat(person, at, besides=known, room=room, now_ms=self._repository.now_ms()):
            raise Denied("many_lobbies", n=MOST_LOBBIES) if room == lobbies else Denied("many_games", n=MOST_TABLES)

    async def newcomer(self, update: Update, lang: str) -> Seat:
        """Return the person of *update* as they sit down."""
        person = update.person
        settings = calling(await self._preferences.person(person.id))
        name = shown(person.name) or shown(person.handle)
        return Seat(person.id, name, lang, settings=settings, handle=person.handle[:200])

    async def _joined(self, table: Table, update: Update, lang: str) -> Table:
        """Return *table* with the person of *update* in a seat. Denied: see `seating.join`."""
        new = await self.newcomer(update, lang)
        return seating.join(table, new.person, new.name, lang, new.settings, new.handle)

    async def blank(self, update: Update, lang: str) -> Table:
        """Return a table without a game in the place of *update*. Denied: managers_open, full (its people are blocked
        here)."""
        settings = await self._preferences.place(update.place.id)
        if chosen(OPENS, settings) == "managers" and not update.may_manage:
            raise Denied("managers_open")
        id_ = await self._repository.new_id(update.id)
        if await self._store.blocks.has(keys.place_blocks(update.place.id), update.person.id):
            raise Denied("full")
        lang_here, theme = chosen(LANG, settings), chosen(THEME, settings)
        replies_only = self._chats[platform(update.place.id)].capabilities(update.place.id).replies_only
        return Table(
            id=id_,
            game="",
            place=update.place.id,
            host=update.person.id,
            lang=lang if lang_here == "auto" else lang_here,
            theme="" if theme == "auto" else theme,
            pings=chosen(PINGS, settings) == "on" and not replies_only,
            alone=update.place.private,
            replies_only=replies_only,
            clock="none" if replies_only else chosen(CLOCK, settings),
            created_ms=self._repository.now_ms(),
        )

    async def _open(
        self, update: Update, table: Table, lang: str, beside: str = "", *, begins: bool = False
    ) -> Reply | None:
        """Open *table* and show it, or begin its game at once. See `create`."""
        new = await self.create(update, table, lang, beside)
        if not isinstance(new, NewTable):
            return new
        if begins:
            await self._begin(new.snapshot, update.person.id)
        else:
            await self._repository.publish(new.snapshot)
        opened = "lobby.opened.alone" if update.place.private else "lobby.opened"
        opened = "lobby.started" if begins else opened
        said = notes.promise(opened, lang, game=words.game_name(table.game, lang))
        return said if new.before is None else notes.instead(said, new.before, lang)

    async def create(self, update: Update, table: Table, lang: str, beside: str = "") -> NewTable | Reply | None:
        """Store *table* in its place, without a post. Return the reply if another one occupies the place, None for a
        repeated update. Denied: many_lobbies, many_games, visiting.forgets.

        *beside*: the payload of a button that opens it beside the place.
        """
        check_visit(table, lang)
        await self.reserve_seat(update.person.id, table.id)
        on = await self._on(table.place)
        if on is not None and on.table.phase != Phase.OVER:
            if on.table.id == table.id:
                return None
            on = await self._rested(on)
            if not on.table.is_resting and on.table.phase != Phase.OVER:
                await self._store.leave_seat(update.person.id, table.id)
                return await self._taken(on.table, update, lang, beside)
        if update.place.private:
            await self._store.records.add_own_place(update.person.id, table.place)
        try:
            snapshot = await self._repository.create(table, update.id)
        except (Conflict, Repeated):
            return None  # a repeated update
        other = await self.takes_place(table, on.table.id if on is not None else None)
        if other is not None:  # a concurrent request was faster
            await self.close_unseen(snapshot)
            return await self._taken(other, update, lang, beside)
        return NewTable(snapshot, None if on is None else on.table)

    async def _begin(self, opened: Snapshot, person: PersonId) -> None:
        """Start the game of a lobby that no message shows yet."""

        async def apply(now: Snapshot) -> tuple[Step | None, Reply | None]:
            return seating.start(now.table, person), None

        await self._repository.change(opened, apply)

    async def _taken(self, on: Table, update: Update, lang: str, wanted: str = "") -> Reply:
        """Return the reply that *on* occupies the place of *update*. *wanted*: see `notes.other_game`."""
        rests_in = await self._repository.time_to_rest(on)
        return notes.other_game(on, update.person.id, lang, update.may_manage, rests_in, update.thread_access, wanted)

    async def _makes_room(self, on: Table) -> bool:
        """Return whether a new table in the place of *on* would not be refused because of it."""
        return on.is_resting or on.phase == Phase.OVER or await self._repository.may_rest(on)

    async def _rested(self, on: Snapshot) -> Snapshot:
        """Let the table *on* rest, if it may; return it."""

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            may = await self._repository.may_rest(snapshot.table)
            return (Step(absence.rest(snapshot.table), snapshot.state) if may else None), None

        changed = await self._repository.change(on, apply)
        return on if changed is None else changed.snapshot

    async def wake(self, update: Update, snapshot: Snapshot, lang: str) -> tuple[Snapshot | None, Reply]:
        """Resume a resting table in the place of *update*, unless another table occupies it; return also the reply."""
        people = [seat for seat in snapshot.table.seats if not seat.house]
        is_own = len(people) == 1 and not snapshot.table.has_channel
        place = update.place.id if is_own else snapshot.table.place  # the others look for it there

        async def apply(now: Snapshot) -> tuple[Step | None, Reply | None]:
            woken = absence.wake(now.table, now.state, place, self._repository.now_ms())
            return (Step(woken, now.state) if now.table.is_resting else None), None

        on = await self._on(place)
        if on is not None and on.table.id != snapshot.table.id:
            on = await self._rested(on)
        free = on is not None and (on.table.phase == Phase.OVER or on.table.is_resting)
        instead_of = on.table.id if on is not None and free else snapshot.table.id
        other = await self.takes_place(replace(snapshot.table, place=place), instead_of)
        if other is not None:
            seated, own = other.seat_of(update.person.id) is not None, other.host == update.person.id
            rests_in = None if seated else await self._repository.time_to_rest(other)
            return None, notes.stays_paused(snapshot.table, other, lang, rests_in, own=own)
        if update.place.private and place == update.place.id:
            await self._store.records.add_own_place(update.person.id, place)
        changed = await self._repository.change(snapshot, apply, update.id)
        woken = await self._repository.load(snapshot.table.id) if changed is None else changed.snapshot
        said = notes.promise("board.again", lang)
        return woken, said if on is None or on.table.id == woken.table.id else notes.instead(said, on.table, lang)

    async def takes_place(self, table: Table, instead_of: TableId | None) -> Table | None:
        """Claim the place for *table*. Return the table that holds it already, or None."""
        holder = await self._repository.take_place(table, instead_of)
        if holder == table.id:
            return None
        try:
            on = await self._repository.find(holder)
        except GameMissing as missing:
            on = missing.snapshot
        if (
            on is None or on.table.phase == Phase.OVER or on.table.is_resting
        ):  # its process died before it released the place
            return None if holder == instead_of else await self.takes_place(table, holder)
        return on.table

    async def close_unseen(self, snapshot: Snapshot) -> None:
        """Close a lobby that found its place taken, before a post shows it.

        It is already in the list of its host, so a concurrent change of settings or a deletion of data may change
        it, too.
        """

        async def apply(now: Snapshot) -> tuple[Step | None, Reply | None]:
            closed = tables.abandoned(now.table)
            return Step(closed) if now.table.phase == Phase.LOBBY else None, None

        changed = await self._repository.change(snapshot, apply, quiet=True)
        if changed is not None:
            await self._store.done_unposted(changed.snapshot.table.id, changed.snapshot.table.revision)

    # Seats and options

    @answers(Join)
    async def join(self, context: Context, _: Join) -> Reply | None:
        return await self._change(context, self._joining(context.update, context.lang))

    def _joining(self, update: Update, lang: str) -> Change:
        """Take a seat; the game begins at once when the table is full of people.

        If two people who must be kept apart join at the same time, the second save conflicts, and sees the first.
        """

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            people = [seat.person for seat in snapshot.table.seats if not is_nobody(seat.person)]
            is_full = await self._store.blocks.keep_apart(update.person.id, people, snapshot.table.place)
            table = await self._joined(snapshot.table, update, lang)
            if is_full:  # after the other refusals, and in the words of a table without a free seat
                raise Denied("full")
            await self.reserve_seat(update.person.id, table.id)
            step = seating.start(table, table.host) if seating.is_full(table) else Step(table)
            return step, notes.toast("lobby.joined", lang)

        return apply

    @answers(Leave)
    async def leave(self, context: Context, _: Leave) -> Reply | None:
        """Leave the seat; while the game goes on, that is a resignation."""
        if context.snapshot.table.phase == Phase.RUNNING:
            return await self._agreements.resign(context, Resign())

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            return Step(seating.leave(snapshot.table, context.update.person.id)), notes.toast(
                "lobby.left", context.lang
            )

        return await self._change(context, apply)

    @answers(Start)
    async def start(self, context: Context, _: Start) -> Reply | None:
        """Start the game, or ask how to fill the missing seats. Denied: link_begin, and see `seating.start`."""
        person, lang = context.update.person.id, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            if snapshot.table.twin is not None:
                raise Denied("link_begin")
            if (
                snapshot.table.phase == Phase.LOBBY
                and person == snapshot.table.host
                and seating.missing(snapshot.table)
            ):
                return None, choices.too_few(snapshot.table, lang)
            return seating.start(snapshot.table, person), notes.toast("lobby.started", lang)

        return await self._change(context, apply)

    @answers(Welcome)
    async def welcome(self, context: Context, _: Welcome) -> Reply | None:
        """Welcome a person, or start the lobby in their private chat: Telegram calls both /start."""
        snapshot = await self._repository.on(context.update.place.id)
        if snapshot is None or snapshot.table.phase != Phase.LOBBY:
            return pages.welcome(context.lang, alone=context.update.place.private)
        return await self.start(replace(context, request=Start(), about=snapshot), Start())

    @answers(Options)
    async def options(self, context: Context, request: Options) -> Reply:
        """Denied: not_lobby, over."""
        table = context.snapshot.table
        if table.phase != Phase.LOBBY:
            raise Denied("not_lobby" if table.phase == Phase.RUNNING else "over")
        return choices.options(table, context.update.person.id, request.page, context.lang)

    @answers(Invite)
    async def invite(self, context: Context, request: Invite) -> Reply | None:
        """Let the house play some seats; without a number it plays all missing seats, and the game begins."""
        person, lang = context.update.person.id, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            if request.seats is not None:
                table = seating.invite(snapshot.table, person, request.seats)
                return Step(table), choices.options(table, person, Invite(table.id).payload, lang)
            table = seating.invite(
                snapshot.table, person, seating.guests(snapshot.table) + seating.missing(snapshot.table)
            )
            return seating.start(table, person), notes.toast("lobby.started", lang)

        return await self._change(context, apply)

    @answers(SeatChannel)
    async def seat_channel(self, context: Context, request: SeatChannel) -> Reply | None:
        """Give the channel a seat, or take it. Denied: see `with_channel`."""

        def chosen_by(table: Table, person: PersonId) -> Table:
            if request.choice:
                return with_channel(table, context.update)
            return seating.seat_channel(table, person, "", plays=False)

        return await self._choose(context, chosen_by, select_payload(request))

    @answers(ChooseVoting)
    async def choose_voting(self, context: Context, request: ChooseVoting) -> Reply | None:
        def chosen_by(table: Table, person: PersonId) -> Table:
            if request.choice >= len(VOTING.choices):
                raise Denied("stale")
            return seating.choose_voting(table, person, VOTING.choices[request.choice])

        return await self._choose(context, chosen_by, select_payload(request))

    @answers(ChooseOption)
    async def choose_option(self, context: Context, request: ChooseOption) -> Reply | None:
        def chosen_by(table: Table, person: PersonId) -> Table:
            table = seating.choose_option(table, person, request.option, request.choice)
            check_visit(table, context.lang)
            return table

        return await self._choose(context, chosen_by, select_payload(request))

    @answers(ChooseClock)
    async def choose_clock(self, context: Context, request: ChooseClock) -> Reply | None:
        def chosen_by(table: Table, person: PersonId) -> Table:
            if table.replies_only:
                raise Denied("visiting.clock")
            return clocked(table, person, request.choice, request.on_timeout)

        return await self._choose(context, chosen_by, select_payload(request))

    @answers(ChooseLevel)
    async def choose_level(self, context: Context, request: ChooseLevel) -> Reply | None:
        def chosen_by(table: Table, person: PersonId) -> Table:
            if request.choice >= len(Level):
                raise Denied("stale")
            return seating.choose_level(table, person, tuple(Level)[request.choice])

        return await self._choose(context, chosen_by, select_payload(request), starting=request.starting)

    @answers(ChooseCalls)
    async def choose_calls(self, context: Context, request: ChooseCalls) -> Reply | None:
        def chosen_by(table: Table, person: PersonId) -> Table:
            if table.replies_only:
                raise Denied("visiting.calls")
            return seating.choose_calls(table, person, request.choice == 0)

        return await self._choose(context, chosen_by, select_payload(request))

    @answers(ChooseColour)
    async def choose_colour(self, context: Context, request: ChooseColour) -> Reply | None:
        def chosen_by(table: Table, person: PersonId) -> Table:
            return seating.choose_colour(table, person, request.choice)

        return await self._choose(context, chosen_by, choices.LAST_PAGE)

    async def _choose(
        self, context: Context, choose: Callable[[Table, PersonId], Table], page: int | str, *, starting: bool = False
    ) -> Reply | None:
        """Change the table and show that *page* of the options. *starting*: show how to fill missing seats instead."""
        person, lang = context.update.person.id, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            table = choose(snapshot.table, person)
            if starting and seating.missing(table):
                return Step(table), choices.too_few(table, lang)
            return Step(table), choices.options(table, person, page, lang)

        return await self._change(context, apply)

    async def _change(self, context: Context, apply: Change) -> Reply | None:
        changed = await self._repository.change(context.snapshot, apply, context.update.id)
        return None if changed is None else changed.reply


def with_channel(table: Table, update: Update) -> Table:
    """Return the lobby *table* with a seat for the people of its place. Denied: channel_private, channel_visit, and see
    `seating.seat_channel`."""
    if table.alone:
        raise Denied("channel_private")
    if table.replies_only:
        raise Denied("channel_visit")
    return seating.seat_channel(table, update.person.id, shown(update.place.name))


def _is_awaited(table: Table, person: PersonId) -> bool:
    """Return whether *table* is a rematch to which *person* is invited and has not come yet."""
    return bool(table.phase == Phase.LOBBY and table.order) and any(seat.person == person for seat in table.invited)


def check_visit(table: Table, lang: str) -> None:
    """Refuse a game that forgets in a place in which boards cannot be deleted. Denied: visiting.forgets."""
    if not table.replies_only or not seating.forgets(table.game, table.options):
        return
    ways = [
        f"/newgame {table.game} {value}"
        for options in seating.remembering(table.game, table.options)
        for value, _ in wishing.said(table.game, Wishes(options), lang)
    ]
    code = "visiting.forgets.but" if ways else "visiting.forgets"
    raise Denied(code, game=words.game_name(table.game, lang), ways=texts.listed(ways, lang))


def clocked(table: Table, person: PersonId, choice: int, on_timeout: bool) -> Table:
    """Return *table* with another clock, or (*on_timeout*) another rule for overdue players. Denied: stale, and see
    `seating.choose_clock`."""
    choices = (ON_TIMEOUT if on_timeout else CLOCK).choices
    if choice >= len(choices):
        raise Denied("stale")
    if on_timeout:
        return seating.choose_clock(table, person, table.clock, choices[choice])
    return seating.choose_clock(table, person, choices[choice], table.on_timeout)
