"""The one place where an update becomes a changed table: load, apply, save, and only then speak.

Beyond this module and `bot.table` no code sees a full state: replies, menus and pictures are given views.
"""

import asyncio
import base64
import hashlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import assert_never
from weakref import WeakValueDictionary

import msgspec
from msgspec import Struct
from msgspec.structs import replace

import texts
from bot import menus, replies
from bot import table as tables
from bot.chat import Chat, Filled, PersonId, PlaceId, Reply, Suggestion, Update, UpdateId
from bot.clock import Clock, to_ms
from bot.commands import (
    LONGEST_TEXT,
    Board,
    ChooseColour,
    ChooseOption,
    Close,
    End,
    Help,
    Join,
    Leave,
    Menu,
    Move,
    NewGame,
    Nothing,
    Play,
    Request,
    Resign,
    Rules,
    Start,
    Unknown,
    View,
    parse,
)
from bot.delivery import Delivery, Shown
from bot.painting import Painter
from bot.store import Conflict, Repeated, StoreDown
from bot.store.store import Store
from bot.table import Denied, Entry, Phase, Posted, Step, Table, TableId
from renderers import Look, Theme
from rules import GAMES, BadNotation, IllegalAction, State
from rules.notation import plain

log = logging.getLogger(__name__)

TRIES = 8  # of a save that another process was quicker than
RECENT = 40  # log entries that a post may tell of
LOBBY_MS = 24 * 3600 * 1000
FORCED_MS = 4_000  # for looking at the board before the table plays what is forced
LEASE_MS = 120_000  # how long a board may be on its way before another worker posts it
STATES = 512  # positions kept in memory: reading one from its document is the dearest part of a turn
COMPLETIONS = 25


class Seen(Struct, frozen=True):
    """A table as it was loaded."""

    table: Table
    state: State | None
    posted: Posted | None
    recent: tuple[Entry, ...]


class Done(Struct, frozen=True):
    """What came of a change: the table as saved, and what the person is told."""

    seen: Seen
    reply: Reply | None = None


class Acting(Struct, frozen=True):
    """The seat of the person who must act now, in this position."""

    seat: int
    state: State


class Service:
    """Answers updates; see `bot.chat.Host`."""

    def __init__(
        self,
        store: Store,
        painter: Painter,
        clock: Clock,
        theme: Theme = Theme.DARK,
        keep_days: int = 90,
        draw: Callable[[int], str] = secrets.token_hex,
    ) -> None:
        """*draw* gives so many random bytes in hexadecimal: seeds and salts."""
        self._store = store
        self._draw = draw
        self._painter = painter
        self._clock = clock
        self._theme = theme
        self._keep_ms = keep_days * 24 * 3600 * 1000
        self._chats: dict[str, Chat] = {}
        self._delivery = Delivery(self._chats, store, painter, clock, theme, self.move_place)
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()
        self._states: OrderedDict[TableId, tuple[int, State]] = OrderedDict()
        self._places: OrderedDict[PlaceId, TableId] = OrderedDict()

    def add(self, chat: Chat) -> None:
        """Let boards be posted on *chat*."""
        self._chats[chat.name] = chat

    async def idle(self) -> None:
        """Wait until everything is posted."""
        await self._delivery.idle()

    async def stop(self) -> None:
        await self._delivery.stop()

    # What adapters ask

    async def handle(self, update: Update) -> Reply | None:
        """Do what *update* asks; the reply is for that person alone. Never raises."""
        lang = self._lang(update)
        try:
            return await self._answer(update, parse(update), lang)
        except Denied as no:
            return replies.denied(no, lang)
        except StoreDown:
            log.warning("store is down: update %s waits for nobody", update.id)
            return replies.note("trouble.store", lang)
        except Exception:
            log.exception("update %s in %s: %.200r", update.id, update.place.id, update.body)
            return replies.note("trouble.ours", lang)

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        """Legal continuations of what has been typed, for the person whose turn it is. Never raises."""
        try:
            return await self._completions(update, argument)
        except Exception:
            log.exception("completions for %s in %s", update.person.id, update.place.id)
            return ()

    # One request

    async def _answer(self, update: Update, request: Request, lang: str) -> Reply | None:
        person = update.person
        match request:
            case NewGame(game, wishes):
                return await self._new_game(update, game, wishes, lang)
            case Join(table):
                name, tongue = person.name[:200], lang
                return await self._in_lobby(
                    update, table, lambda t: tables.join(t, person.id, name, tongue), "lobby.joined", lang
                )
            case Leave(table):
                return await self._leave(update, table, lang)
            case Start(table):
                done = await self._change(update, table, lambda seen: (tables.start(seen.table, person.id), None))
                return replies.toast("lobby.started", lang) if done else None
            case ChooseOption(table, option, choice):
                return await self._in_lobby(
                    update, table, lambda t: tables.choose_option(t, person.id, option, choice), "lobby.chosen", lang
                )
            case ChooseColour(table, choice):
                return await self._in_lobby(
                    update, table, lambda t: tables.choose_colour(t, person.id, choice), "lobby.chosen", lang
                )
            case Move(text):
                return await self._move(update, text, lang)
            case Play(table, revision, index, sure):
                return await self._press(update, table, revision, index, sure, lang)
            case Menu(table, revision, path, page):
                return await self._menu(update, await self._seen(update, table), revision, path, page, lang)
            case Close(table):
                return replies.menu_closed((await self._load(table)).table, lang)
            case Nothing():
                return replies.toast("nothing", lang)
            case Board(table):
                self._show(await self._seen(update, table), again=True)
                return replies.toast("board.again", lang)
            case View(table):
                return await self._view(update, await self._seen(update, table), lang)
            case Resign(table, sure):
                return await self._resign(update, table, sure, lang)
            case End(table):
                return await self._end(update, table, lang)
            case Rules(game, page):
                return await self._rules(update, game, page, lang)
            case Help():
                return replies.help_(lang)
            case Unknown(text):
                return replies.note("unknown", lang, text=replies.short(text)) if text else replies.note("stale", lang)
            case other:
                assert_never(other)

    async def _new_game(self, update: Update, game: str | None, wishes: tuple[str, ...], lang: str) -> Reply | None:
        if game is None:
            return replies.games(lang)
        if game not in GAMES:
            return replies.games(lang, "denied.no_such_game")
        options = self._wished(game, wishes)
        place = update.place.id
        known = await self._store.at(place)
        if known is not None:
            on = await self._find(known)
            if on is not None and on.table.phase != Phase.OVER:
                return None if on.table.id == _table_id(update.id) else replies.other_game(on.table, lang)
        table = Table(
            id=_table_id(update.id),
            game=game,
            place=place,
            host=update.person.id,
            lang=await self._place_lang(update, lang),
            created_ms=to_ms(self._clock.now()),
            seed=self._draw(16),
            salt=self._draw(16),
            options=options,
        )
        table = tables.join(table, update.person.id, update.person.name[:200], lang)
        try:
            seen = await self._save(Seen(table, None, None, ()), Step(table), update.id)
        except (Conflict, Repeated):
            return None  # the same update again
        holder = await self._store.take_place(place, table.id, known)
        if holder != table.id:  # somebody else was quicker; the lobby that nobody sees expires by itself
            return replies.other_game((await self._load(holder)).table, lang)
        self._remember_place(place, table.id)
        self._show(seen)
        return replies.toast("lobby.opened", lang, game=replies.game_name(game, lang))

    def _wished(self, game: str, wishes: tuple[str, ...]) -> dict[str, str]:
        chosen: dict[str, str] = {}
        for wish in wishes:
            found = [(option.name, choice) for option in GAMES[game].options for choice in option.choices]
            name, choice = next((each for each in found if wish in _called(game, *each)), ("", ""))
            if not name:
                raise Denied("no_such_option", wish=replies.short(wish))
            chosen[name] = choice
        return chosen

    async def _in_lobby(
        self, update: Update, table: TableId | None, change: Callable[[Table], Table], key: str, lang: str
    ) -> Reply | None:
        """A change of the people or options of a lobby; a full table starts at once."""

        def apply(seen: Seen) -> tuple[Step, Reply | None]:
            changed = change(seen.table)
            grown = len(changed.seats) > len(seen.table.seats)
            if grown and len(changed.seats) == GAMES[changed.game].seats[-1]:
                return tables.start(changed, changed.host), None
            return Step(changed), None

        done = await self._change(update, table, apply)
        return replies.toast(key, lang) if done else None

    async def _leave(self, update: Update, table: TableId | None, lang: str) -> Reply | None:
        seen = await self._seen(update, table)
        if seen.table.phase == Phase.RUNNING:
            return await self._resign(update, seen.table.id, False, lang)
        return await self._in_lobby(
            update, seen.table.id, lambda t: tables.leave(t, update.person.id), "lobby.left", lang
        )

    async def _move(self, update: Update, text: str, lang: str) -> Reply | None:
        """Play what was typed, action by action, as far as it goes within this turn."""

        def apply(seen: Seen) -> tuple[Step | None, Reply | None]:
            acting = self._acting(seen, update.person.id)
            if acting is None:
                return None, self._not_acting(seen, update.person.id, lang)
            seat, state = acting.seat, acting.state
            step, played = Step(seen.table, state), list[str]()

            def so_far() -> tuple[Step | None, Table]:
                """What is saved, and the table with the revision that it then has."""
                saved = replace(step.table, revision=seen.table.revision + bool(played))
                return (step if played else None), saved

            try:
                if len(text) > LONGEST_TEXT:
                    raise BadNotation(text[:20])
                for action in GAMES[seen.table.game].parse(state.view(seat), text):
                    if state.actor != seat or step.table.turn != seen.table.turn:
                        break
                    legal = state.actions()
                    question = state.warns(action) if action in legal else None
                    if question is not None:
                        saved, table = so_far()
                        return saved, replies.sure(table, question, legal.index(action), lang)
                    following = tables.play(step.table, state, action, self._now_ms())
                    step = replace(following, entries=step.entries + following.entries)
                    state = following.position
                    played.append(str(action))
            except (IllegalAction, BadNotation) as no:
                saved, table = so_far()
                return saved, replies.refused(table, state.view(seat), no, played, lang, _hides(state, seat))
            return tables.play_house(step, self._now_ms()), replies.played(" ".join(played), lang)

        return await self._reply_of(update, None, apply)

    async def _press(
        self, update: Update, table: TableId, revision: int, index: int, sure: bool, lang: str
    ) -> Reply | None:
        """Play the action that a button stands for, if the board is still the one it was made for."""

        def apply(seen: Seen) -> tuple[Step | None, Reply | None]:
            if seen.table.revision != revision:
                return None, None
            acting = self._acting(seen, update.person.id)
            if acting is None:
                return None, self._not_acting(seen, update.person.id, lang)
            state = acting.state
            actions = state.actions()
            if index >= len(actions):
                return None, None
            code = None if sure else state.warns(actions[index])
            if code is not None:
                return None, replies.sure(seen.table, code, index, lang)
            step = tables.play(seen.table, state, actions[index], self._now_ms())
            return tables.play_house(step, self._now_ms()), replies.played(str(actions[index]), lang)

        done = await self._change(update, table, apply)
        if done is None:
            return None
        if done.reply is None:
            return await self._view(update, done.seen, lang, moved_on=True)
        return done.reply

    async def _menu(
        self, update: Update, seen: Seen, revision: int | None, path: tuple[int, ...], page: int, lang: str
    ) -> Reply | None:
        if revision is not None and revision != seen.table.revision:
            return await self._view(update, seen, lang, moved_on=True)
        acting = self._acting(seen, update.person.id)
        if acting is None:
            return self._not_acting(seen, update.person.id, lang)
        reply = menus.menu(seen.table, acting.state.view(acting.seat), path, page, lang)
        return replace(reply, secret=_hides(acting.state, acting.seat))

    async def _view(self, update: Update, seen: Seen, lang: str, moved_on: bool = False) -> Reply:
        """The reader's own view; a spectator's, without buttons, for somebody who does not play."""
        table, state = seen.table, seen.state
        if state is None:
            return replies.note("denied.not_running", lang)
        if state.forgets:  # one board only, the one that goes
            self._show(seen, again=not moved_on)
            return replies.toast("moved_on.forgets" if moved_on else "board.again", lang)
        seat = table.seat_of(update.person.id)
        view = state.view(seat)
        picture = await self._painter.picture(view, replies.look(table, seat, self._theme, lang))
        hides = seat is not None and _hides(state, seat)
        return replies.own_view(table, view, seat, picture, lang, secret=hides, moved_on=moved_on)

    async def _resign(self, update: Update, table: TableId | None, sure: bool, lang: str) -> Reply | None:
        def apply(seen: Seen) -> tuple[Step | None, Reply | None]:
            if seen.table.phase != Phase.RUNNING or seen.state is None:
                raise Denied("not_running" if seen.table.phase == Phase.LOBBY else "over")
            if seen.table.seat_of(update.person.id) is None:
                raise Denied("not_playing")
            if not sure:
                return None, replies.resign(seen.table, lang)
            step = tables.resign(seen.table, seen.state, update.person.id, self._now_ms())
            return step, replies.toast("resigned", lang)

        return await self._reply_of(update, table, apply)

    async def _end(self, update: Update, table: TableId | None, lang: str) -> Reply | None:
        def apply(seen: Seen) -> tuple[Step | None, Reply | None]:
            step = tables.end(seen.table, seen.state, update.person.id, update.may_manage)
            over = step.table.phase == Phase.OVER
            return step, replies.toast("ended" if over else "ending", lang)

        return await self._reply_of(update, table, apply)

    async def _rules(self, update: Update, game: str | None, page: int, lang: str) -> Reply:
        if game is not None:
            return await self._page(game, page, lang)
        known = await self._store.at(update.place.id)
        on = await self._find(known) if known else None
        return replies.rules_of(lang) if on is None else await self._page(on.table.game, page, lang)

    async def _page(self, game: str, page: int, lang: str) -> Reply:
        if game not in GAMES:
            return replies.games(lang, "denied.no_such_game")
        picture = await self._painter.diagram(game, page + 1, Look(seats=(), theme=self._theme, lang=lang))
        return replies.rules(game, page, picture, lang)

    # Who may act

    def _acting(self, seen: Seen, person: PersonId) -> Acting | None:
        """Seat and position if *person* is the one who must act now."""
        seat = seen.table.seat_of(person)
        if seen.state is None or seen.table.phase != Phase.RUNNING or seat is None or seen.state.actor != seat:
            return None
        return Acting(seat, seen.state)

    def _not_acting(self, seen: Seen, person: PersonId, lang: str) -> Reply:
        if seen.table.phase != Phase.RUNNING or seen.state is None:
            raise Denied("over" if seen.table.phase == Phase.OVER else "not_running")
        if seen.table.seat_of(person) is None:
            raise Denied("not_playing")
        return replies.not_your_turn(seen.table, seen.state.view(None), lang)

    # Loading and saving

    async def _seen(self, update: Update, table: TableId | None) -> Seen:
        """The table that *update* is about: the given one, else the one that is on in this place."""
        if table is not None:
            return await self._load(table)
        place = update.place.id
        known = self._places.get(place)
        if known is not None:
            seen = await self._find(known)
            if seen is not None and seen.table.phase != Phase.OVER and seen.table.place == place:
                return seen
        known = await self._store.at(place)
        if known is None:
            known = await self._waiting_elsewhere(update)
        else:
            self._remember_place(place, known)
        if known is None:
            raise Denied("no_table")
        return await self._load(known)

    async def _waiting_elsewhere(self, update: Update) -> TableId | None:
        """In a private chat with the bot: the one table, wherever it is, that waits for this person."""
        if not update.place.private:
            return None
        mine = [await self._find(table) for table in await self._store.tables_of(update.person.id)]
        waiting = [seen for seen in mine if seen is not None and self._acting(seen, update.person.id)]
        return waiting[0].table.id if len(waiting) == 1 else None

    async def _load(self, table: TableId) -> Seen:
        seen = await self._find(table)
        if seen is None:
            raise Denied("no_table")
        return seen

    async def _find(self, table: TableId) -> Seen | None:
        loaded = await self._store.load(table)
        if loaded is None:
            return None
        return Seen(loaded.table, self._state_of(loaded.table), loaded.posted, loaded.recent)

    def _state_of(self, table: Table) -> State | None:
        if isinstance(table.state, msgspec.UnsetType):
            return None
        kept = self._states.get(table.id)
        if kept is not None and kept[0] == table.revision:
            return kept[1]
        state = GAMES[table.game].decode(bytes(table.state))
        self._keep(table, state)
        return state

    def _keep(self, table: Table, state: State) -> None:
        self._states[table.id] = (table.revision, state)
        self._states.move_to_end(table.id)
        if len(self._states) > STATES:
            self._states.popitem(last=False)

    async def _reply_of(
        self, update: Update, table: TableId | None, apply: Callable[[Seen], tuple[Step | None, Reply | None]]
    ) -> Reply | None:
        done = await self._change(update, table, apply)
        return None if done is None else done.reply

    async def _change(
        self, update: Update, table: TableId | None, apply: Callable[[Seen], tuple[Step | None, Reply | None]]
    ) -> Done | None:
        """Load, *apply*, save, show; anew when somebody was quicker. None: this update was applied before.

        *apply* gives no step where nothing is to be saved. It may be called several times.
        """
        seen = await self._seen(update, table)
        lock = self._locks.setdefault(seen.table.id, asyncio.Lock())
        waited = lock.locked()
        async with lock:  # here people queue up; between processes the store decides
            for tried in range(TRIES):
                if tried or waited:
                    seen = await self._load(seen.table.id)
                step, reply = apply(seen)
                if step is None:
                    return Done(seen, reply)
                try:
                    seen = await self._save(seen, step, update.id)
                except Conflict:
                    await asyncio.sleep(0.005 * tried)
                except Repeated:
                    return None
                else:
                    self._show(seen)
                    return Done(seen, reply)
        raise StoreDown(f"table {seen.table.id} changed too often")

    async def _save(self, seen: Seen, step: Step, update: UpdateId | None) -> Seen:
        """Store the step as the next revision. Raises Conflict, Repeated, StoreDown."""
        table = replace(step.table, revision=seen.table.revision + 1)
        now_ms = self._now_ms()
        keep_ms = {Phase.LOBBY: 2 * LOBBY_MS, Phase.RUNNING: None, Phase.OVER: self._keep_ms}[table.phase]
        await self._store.save(
            table,
            step.entries,
            update,
            now_ms=now_ms,
            repost_ms=now_ms + LEASE_MS,
            due_ms=_due_ms(Step(table, step.state), now_ms),
            expire_ms=None if keep_ms is None else now_ms + keep_ms,
        )
        if step.state is not None:
            self._keep(table, step.state)
        await self._file(seen.table, table)
        recent = (*seen.recent, *step.entries)[-RECENT:]
        return Seen(table, step.state, seen.posted, recent)

    async def _file(self, before: Table, after: Table) -> None:
        """Keep the lists of tables, by person and place, in step with who sits where."""
        were, are = {seat.person for seat in before.seats}, {seat.person for seat in after.seats}
        if after.phase == Phase.OVER:
            were, are = were | are, set()
            await self._store.leave_place(after.place, after.id)
            self._places.pop(after.place, None)
        elif before.revision == 0:
            were = set()
        now_ms = self._now_ms()
        for person in are - were:
            await self._store.add_table(person, after.id, now_ms)
        for person in were - are:
            await self._store.remove_table(person, after.id)

    def _show(self, seen: Seen, again: bool = False) -> None:
        self._delivery.show(Shown(seen.table, seen.state, seen.posted, seen.recent, again))

    def _remember_place(self, place: PlaceId, table: TableId) -> None:
        self._places[place] = table
        if len(self._places) > STATES:
            self._places.popitem(last=False)

    def _now_ms(self) -> int:
        return to_ms(self._clock.now())

    # What happens by itself

    async def repost(self, everything: bool = False) -> int:
        """Post what was saved but never posted. *everything*: nobody else can be about to do it. Gives how many."""
        now_ms = self._now_ms() + (LEASE_MS if everything else 0)
        found = 0
        for table in await self._store.claim_unposted(now_ms, LEASE_MS, 100):
            if self._delivery.is_busy_with(table):
                continue
            seen = await self._find(table)
            if seen is not None:
                self._show(seen)
                found += 1
        return found

    async def do_due(self) -> None:
        """Do what is due: a lobby that nobody touched for a day ends; an action that is forced is played."""
        for table, revision in await self._store.claim_due(self._now_ms(), LEASE_MS, 100):
            seen = await self._find(table)
            if seen is not None and seen.table.revision == revision:
                step = self._due_step(seen)
                try:
                    if step is not None:
                        self._show(await self._save(seen, step, None))
                except Conflict:
                    log.debug("table %s moved on by itself", table)
            await self._store.done_due(table, revision)

    def _due_step(self, seen: Seen) -> Step | None:
        if seen.table.phase == Phase.LOBBY:
            return Step(tables.over(seen.table, tables.Result("left", of_table=True)))
        if seen.state is not None and seen.state.forced is not None:
            step = tables.play(seen.table, seen.state, seen.state.forced, self._now_ms(), tables.By.TABLE)
            return tables.play_house(step, self._now_ms())
        return None

    async def move_place(self, table: TableId, place: PlaceId) -> None:
        """The platform gave a place another id: the table goes along."""
        seen = await self._load(table)
        await self._store.take_place(place, table, None)
        await self._store.leave_place(seen.table.place, table)
        moved = await self._save(seen, Step(replace(seen.table, place=place), seen.state), None)
        self._show(replace(moved, posted=None))

    # Languages

    def _lang(self, update: Update) -> str:
        return texts.language(update.person.lang or update.place.lang)

    async def _place_lang(self, update: Update, lang: str) -> str:
        settings = await self._store.place_settings(update.place.id)
        return texts.language(settings.get("lang") or lang)

    # Completion

    async def _completions(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        if not isinstance(update.body, Filled) or argument != "notation":
            return ()
        try:
            seen = await self._seen(update, None)
        except Denied:
            return ()
        acting = self._acting(seen, update.person.id)
        if acting is None:
            return ()
        typed = plain(update.body.arguments.get(argument, "")[:100])
        return completions(seen.table, acting.state.view(acting.seat), typed, self._lang(update))


def completions(table: Table, view: State, typed: str, lang: str) -> tuple[Suggestion, ...]:
    """Legal continuations of *typed*, worked out on the actor's *view* alone."""
    words = typed.split(" ")
    done, seat = [], view.actor
    for word in words[:-1]:
        try:
            for action in GAMES[table.game].parse(view, word):
                view = view.play(action)
                done.append(str(action))
        except (IllegalAction, BadNotation):
            return ()
    if view.actor != seat:
        return ()
    found = []
    for action in view.actions():
        text = str(action)
        if text.startswith(words[-1]) or "".join(action.parts).startswith(words[-1]):
            hints = [view.hint(action, part) for part in range(len(action.parts))]
            said = [texts.find(table.game, f"hint.{hint}", lang) or "" for hint in hints if hint]
            value = " ".join((*done, text))
            found.append(Suggestion(" ".join(filter(None, (value, *said))), value))
    return tuple(found[:COMPLETIONS])


def _called(game: str, option: str, choice: str) -> set[str]:
    """What a choice may be called when it is typed: its id, or how its name begins in any language."""
    labels = (texts.say(game, f"option.{option}.{choice}", lang) for lang in texts.languages())
    return {choice, *(plain(label).split(" ")[0].strip(":,") for label in labels)}


def _due_ms(step: Step, now_ms: int) -> int | None:
    """When the table has to be looked at again, if nobody does anything."""
    if step.table.phase == Phase.LOBBY:
        return now_ms + LOBBY_MS
    if step.table.phase == Phase.RUNNING and step.state is not None and step.state.forced is not None:
        return now_ms + FORCED_MS
    return None


def _hides(state: State, seat: int) -> bool:
    """Whether *seat* sees more than a spectator."""
    return state.view(seat) != state.view(None)


def _table_id(update: UpdateId) -> TableId:
    """The id of the table that *update* opens: the same update delivered twice opens one table."""
    digest = hashlib.blake2b(update.encode(), digest_size=7, person=b"kaleidobot table").digest()
    return TableId(base64.b32encode(digest).decode().lower()[:10])
