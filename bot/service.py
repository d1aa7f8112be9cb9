"""What an update brings about: load, apply, save, and only then speak.

Beyond this module, `bot.keeper` and `bot.table` no code sees a full state: replies, menus and pictures get views.
"""

import logging
import secrets
from collections.abc import Callable
from time import perf_counter
from typing import assert_never

from msgspec.structs import replace

import texts
from bot import logbook, menus
from bot import table as tables
from bot.acting import Acting, house_plays, not_acting, who_acts
from bot.agreements import Agreements
from bot.allowance import Allowance
from bot.chat import (
    Chat,
    Filled,
    Manner,
    MessageId,
    Place,
    PlaceId,
    Press,
    Reply,
    Suggestion,
    Update,
    platform,
)
from bot.choosing import Choosing
from bot.clock import Clock
from bot.commands import LONGEST_TEXT, parse
from bot.completion import completions
from bot.delivery import Delivery, Shown
from bot.due import Due
from bot.finding import Finding
from bot.forgetting import Forgetting
from bot.keeper import LEASE_MS, Change, Done, Keeper, Seen
from bot.lobbies import LAST, Lobbies
from bot.looking import Looking
from bot.metrics import Counted, Metrics, Outcome
from bot.my_games import MyGames
from bot.painting import Painter
from bot.people import People
from bot.places import Places
from bot.preferences import Preferences
from bot.replays import Replays
from bot.replies import choices, notes, pages, words
from bot.requests import (
    Agree,
    Board,
    ChooseCalls,
    ChooseClock,
    ChooseColour,
    ChooseOption,
    Close,
    Decide,
    Draw,
    End,
    Forget,
    Games,
    Help,
    Hide,
    History,
    Invite,
    Join,
    Leave,
    LobbyRequest,
    Menu,
    Missed,
    Move,
    NewGame,
    Nothing,
    Options,
    Play,
    Privacy,
    Rematch,
    Replay,
    Request,
    Resign,
    Rules,
    Set,
    Settings,
    Start,
    Stats,
    Top,
    Undo,
    Unknown,
    Verify,
    View,
    Welcome,
)
from bot.store import StoreDown
from bot.store.store import Store
from bot.table import Denied, Fading, Phase, Step, Table, TableId
from renderers import Theme
from rules import GAMES, BadNotation, IllegalAction, State

log = logging.getLogger(__name__)


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
        metrics: Metrics | None = None,
    ) -> None:
        """*draw* gives so many random bytes in hexadecimal: seeds and salts."""
        self._store = store
        self._metrics = metrics or Metrics()
        self._keeper = Keeper(store, clock, keep_days, self._metrics)
        self._preferences = Preferences(store, clock)
        self._allowance = Allowance(clock)
        self._painter = painter
        forgetting = Forgetting(store, self._keeper, self._preferences, draw, self._saved)
        self._people = People(store, self._keeper, self._preferences, forgetting)
        self._chats: dict[str, Chat] = {}
        self._places = Places(self._chats, store, self._keeper, self._preferences, clock)
        self._delivery = Delivery(
            self._chats, store, painter, clock, theme, self.move_place, self.lost, self._keeper.began
        )
        self._replays = Replays(self._chats, painter, clock)
        self._finding = Finding(store, self._keeper)
        self._my_games = MyGames(self._chats, clock)
        self._looking = Looking(self._keeper, self._preferences, painter, self._replays, theme)
        self._choosing = Choosing(store, self._keeper, self._finding, self._preferences, clock)
        self._agreements = Agreements(self._keeper)
        self._lobbies = Lobbies(self._keeper, store, self._preferences, draw, self._show)
        self._due = Due(self._keeper, store, clock, self._delivery, self._saved)

    def add(self, chat: Chat) -> None:
        """Let boards be posted on *chat*."""
        self._chats[chat.name] = Counted(chat, self._metrics.posts)

    async def idle(self) -> None:
        """Wait until everything is posted."""
        await self._delivery.idle()
        await self._replays.idle()
        await self._places.idle()

    async def stop(self) -> None:
        self._due.stop()
        await self._places.stop()
        await self._replays.stop()
        await self._delivery.stop()

    # What adapters ask

    async def handle(self, update: Update) -> Reply | None:
        """Do what *update* asks; the reply is for that person alone. Never raises."""
        begun, outcome = perf_counter(), Outcome.LATER
        lang = texts.language(update.person.lang or update.place.lang)
        try:
            if not self._allowance.takes(update.person.id):
                outcome = Outcome.LIMITED
                return notes.toast("trouble.fast", lang)
            lang = await self._preferences.lang(update)
            reply = await self._answer(update, parse(update), lang)
            outcome = Outcome.DONE
            return reply
        except Denied as no:
            outcome = Outcome.REFUSED
            return notes.denied(no, lang)
        except StoreDown as down:
            log.warning("update %s is not applied: %s", update.id, down)
            return notes.note("trouble.store", lang)
        except Exception:
            outcome = Outcome.FAILED
            log.exception("update %s in %s: %.200r", update.id, update.place.id, update.body)
            return notes.note("trouble.ours", lang)
        finally:
            self._metrics.update_seconds.note(perf_counter() - begun, platform(update.place.id), outcome)

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        """Legal continuations of what has been typed, for the person whose turn it is. Never raises."""
        try:
            if not isinstance(update.body, Filled) or argument != "notation":
                return ()
            seen = await self._finding.meant(update, None)
            acting = who_acts(seen, update.person.id)
            if acting is None:
                return ()
            typed = update.body.arguments.get(argument, "")[:LONGEST_TEXT]
            return completions(seen.table, acting.state.view(acting.seat), typed, await self._preferences.lang(update))
        except Denied:
            return ()
        except Exception:
            log.exception("completions for %s in %s", update.person.id, update.place.id)
            return ()

    async def showed(self, fades: str, place: PlaceId, message: MessageId) -> None:
        """A private reply stands there that must not stay. Never raises."""
        try:
            table, turn = tables.turn_of(fades)
            await self._store.add_fading(table, Fading(turn, place, message))
            seen = await self._keeper.find(table)
            if seen is not None and (seen.table.turn != turn or seen.table.phase != Phase.RUNNING):
                await self._delivery.fade(seen.table)  # its time was over before it came
        except Exception:
            log.exception("what stands in %s stays there", place)

    async def moved(self, place: PlaceId, new: PlaceId) -> None:
        """The table that is on in *place* goes along to *new*. Never raises."""
        try:
            await self._preferences.set_place(new, **await self._preferences.place(place))
            await self._store.people.move(place, new, tuple(GAMES))
            known = await self._store.at(place)
            if known is not None:
                await self.move_place(known, new)
        except Exception:
            log.exception("%s moved to %s", place, new)

    async def added(self, place: Place) -> None:
        """Introduce the bot in *place*, once. Never raises."""
        await self._places.added(place)

    async def lost(self, place: PlaceId) -> None:
        """The table that is on in *place* ends without a word. Never raises."""
        await self._places.lost(place)

    # One request

    async def _answer(self, update: Update, request: Request, lang: str) -> Reply | None:
        match request:
            case NewGame(game, wishes):
                return await self._lobbies.new_game(update, game, wishes, lang)
            case Join() | Leave() | Start() | Invite():
                return await self._lobby(update, request, lang)
            case ChooseOption() | ChooseColour() | ChooseClock() | ChooseCalls():
                return await self._lobby(update, request, lang)
            case Options(table, page):
                return await self._options(update, await self._keeper.load(table), page, lang)
            case Move(text):
                return await self._change_and_go_on(update, None, self._moving(update, text, lang), lang)
            case Play():
                return await self._press(update, request, lang)
            case Menu(table, revision, path, page):
                return await self._menu(update, await self._finding.meant(update, table), revision, path, page, lang)
            case Close(table):
                seen = await self._keeper.load(table)
                return notes.menu_closed(seen.table, None if seen.state is None else seen.state.view(None), lang)
            case Nothing():
                return notes.toast("nothing", lang)
            case Board(table):
                self._show(await self._finding.last(update, table), again=True)
                return notes.toast("board.again", lang)
            case View(table):
                return await self._view(update, await self._finding.last(update, table), lang)
            case Missed(table, page):
                return await self._missed(update, await self._keeper.load(table), page, lang)
            case Undo(table):
                return await self._change_and_go_on(update, table, self._agreements.undoing(update, lang), lang)
            case Draw(table):
                return await self._change_and_go_on(update, table, self._agreements.drawing(update, lang), lang)
            case Resign(table, sure):
                return await self._change(update, table, self._agreements.resigning(update, sure, lang))
            case End(table):
                return await self._change(update, table, self._agreements.ending(update, lang))
            case Agree(table, asked, yes):
                return await self._change(update, table, self._agreements.agreeing(update, asked, yes, lang))
            case Decide(table, revision, choice):
                return await self._change(update, table, self._agreements.deciding(update, revision, choice, lang))
            case Settings(scope, page):
                return await self._choosing.settings(update, scope, page, lang)
            case Set(scope, setting, choice):
                return await self._choosing.set(update, scope, setting, choice)
            case Rematch(table):
                return await self._lobbies.rematch(update, table, lang)
            case Games(page):
                mine = await self._finding.tables_of(update.person.id)
                return await self._my_games.answer(update.person.id, mine, page, lang)
            case History(table, page):
                return await self._looking.history(update, await self._finding.last(update, table), page, lang)
            case Stats() | Top() | Privacy() | Hide() | Forget():
                return await self._people.answer(update, request, lang)
            case Replay(table, position):
                return await self._looking.replay(update, await self._finding.last(update, table), position, lang)
            case Verify(table):
                return await self._looking.verify(await self._finding.last(update, table), lang)
            case Rules(game, page):
                return await self._looking.rules(update, game, page, lang)
            case Help(page):
                return pages.help_(page, update.place.id, lang)
            case Welcome():
                return pages.welcome(lang)
            case Unknown(text):
                return notes.note("unknown", lang, text=words.short(text)) if text else notes.note("stale", lang)
            case other:
                assert_never(other)

    # Before the game

    async def _lobby(
        self,
        update: Update,
        request: LobbyRequest,
        lang: str,
    ) -> Reply | None:
        seen = await self._finding.meant(update, request.table)
        if isinstance(request, Leave) and seen.table.phase == Phase.RUNNING:
            return await self._change(update, seen.table.id, self._agreements.resigning(update, False, lang))
        return await self._change(update, seen.table.id, self._lobbies.changing(update, request, lang))

    async def _options(self, update: Update, seen: Seen, page: int, lang: str) -> Reply:
        if seen.table.phase != Phase.LOBBY:
            raise Denied("not_lobby" if seen.table.phase == Phase.RUNNING else "over")
        return choices.options(seen.table, update.person.id, page, lang)

    # Playing

    def _moving(self, update: Update, text: str, lang: str) -> Change:
        """Play what was typed, action by action, as far as it goes within this turn."""

        async def apply(seen: Seen) -> tuple[Step | None, Reply | None]:
            acting = who_acts(seen, update.person.id)
            if acting is None:
                return None, not_acting(seen, update.person.id, lang)
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
                        return saved, notes.sure(table, question, legal.index(action), lang, tables.hides(state, seat))
                    following = tables.play(step.table, state, action, self._keeper.now_ms())
                    step = replace(following, entries=step.entries + following.entries)
                    state = following.position
                    played.append(str(action))
            except (IllegalAction, BadNotation) as no:
                saved, table = so_far()
                refused = notes.refused(table, state.view(seat), no, played, lang, tables.hides(state, seat))
                return saved, _fading(table, state, refused)
            return await house_plays(step, self._keeper.now_ms()), notes.played(" ".join(played), lang)

        return apply

    async def _press(self, update: Update, play: Play, lang: str) -> Reply | None:
        """Play the action that a button stands for, if the board is still the one it was made for."""

        async def apply(seen: Seen) -> tuple[Step | None, Reply | None]:
            acting = who_acts(seen, update.person.id)
            if seen.table.revision != play.revision:
                return None, await self._view(update, seen, lang, moved_on=True)
            if acting is None:
                return None, not_acting(seen, update.person.id, lang)
            actions = acting.state.actions()
            if play.index >= len(actions):
                return None, notes.note("stale", lang)
            action = actions[play.index]
            question = None if play.sure else acting.state.warns(action)
            if question is not None:
                secret = tables.hides(acting.state, acting.seat)
                return None, notes.sure(seen.table, question, play.index, lang, secret)
            step = tables.play(seen.table, acting.state, action, self._keeper.now_ms())
            return await house_plays(step, self._keeper.now_ms()), notes.played(str(action), lang)

        return await self._change_and_go_on(update, play.table, apply, lang, tells=False)

    async def _change_and_go_on(
        self, update: Update, table: TableId | None, apply: Change, lang: str, tells: bool = True
    ) -> Reply | None:
        """A change; when it leaves its person in the middle of a turn, the menu for what comes next is the reply.

        What was typed is answered so only where nobody else sees yet what came of it. *tells*: the menu says what was
        done, too.
        """
        done = await self._keeper.change(update, await self._finding.meant(update, table), apply)
        if done is None or not done.saved:
            return None if done is None else done.reply
        try:
            menu = await self._next_menu(update, done, lang)
        finally:
            await self._saved(done.seen)
        if menu is None:
            return done.reply
        said = done.reply.text if tells and done.reply is not None else ""
        return replace(menu, text="\n".join(filter(None, (said, menu.text))))

    async def _next_menu(self, update: Update, done: Done, lang: str) -> Reply | None:
        """The menu with which the turn of whoever changed something goes on; see `_change_and_go_on`."""
        seen, typed = done.seen, not isinstance(update.body, Press)
        acting = who_acts(seen, update.person.id)
        if acting is None or not _goes_on(seen.table, acting.state):
            return None
        if done.reply is not None and done.reply.manner != Manner.TOAST:  # a refusal or a question goes first
            return None
        if not (logbook.is_begun(seen.table, seen.recent) if typed else _is_mid_turn(seen) or seen.recent[-1].back):
            return None
        menu = await self._menu_of(update, seen, acting, (), 0, lang)
        offered = not menu.secret and menus.offers(seen.table, acting.state, seen.recent, lang)
        return replace(menu, offers=menu.rows if offered else ())

    async def _menu_of(
        self, update: Update, seen: Seen, acting: Acting, path: tuple[int, ...], page: int, lang: str
    ) -> Reply:
        """Tap to move. Where the others see a turn of several steps as a whole, the picture comes along, privately."""
        table, view = seen.table, acting.state.view(acting.seat)
        begun = _is_mid_turn(seen)
        can_undo = begun and await self._agreements.can_undo(seen, update.person.id)
        reply = _fading(table, view, menus.menu(table, view, path, page, lang, can_undo=can_undo))
        if not GAMES[table.game].shows_steps and (begun or _takes_steps(view)):
            look = await self._looking.look(update, table, acting.seat, lang)
            return replace(reply, picture=await self._painter.picture(view, look), secret=True)
        return replace(reply, secret=tables.hides(acting.state, acting.seat))

    async def _menu(
        self, update: Update, seen: Seen, revision: int | None, path: tuple[int, ...], page: int, lang: str
    ) -> Reply | None:
        if revision is not None and revision != seen.table.revision:
            return await self._view(update, seen, lang, moved_on=True)
        acting = who_acts(seen, update.person.id)
        if acting is None:
            return not_acting(seen, update.person.id, lang)
        return await self._menu_of(update, seen, acting, path, page, lang)

    async def _view(self, update: Update, seen: Seen, lang: str, moved_on: bool = False) -> Reply:
        """The reader's own view; a spectator's, without buttons, for somebody who does not play."""
        table, state = seen.table, seen.state
        if state is None:
            return notes.note("denied.not_running", lang)
        acting = who_acts(seen, update.person.id) if moved_on else None
        if acting is not None and logbook.is_begun(table, seen.recent):  # a step of a turn that goes on
            menu = await self._menu_of(update, seen, acting, (), 0, lang)
            return replace(menu, text=f"{words.say('moved_on', lang)}\n{menu.text}")
        if tables.forgets(table, state):  # one board only, the one that goes
            if acting is not None:
                return await self._menu_of(update, seen, acting, (), 0, lang)
            self._show(seen, again=not moved_on)
            return notes.toast("moved_on.forgets" if moved_on else "board.again", lang)
        seat = table.seat_of(update.person.id)
        if seat != state.actor and logbook.is_begun(table, seen.recent):
            state = await self._keeper.began(table)
        view = state.view(seat)
        look = await self._looking.look(update, table, seat, lang)
        picture = await self._painter.hand(view, seat, look) if seat is not None else None
        if picture is None:
            picture = await self._painter.picture(view, look)
        hides = seat is not None and tables.hides(state, seat)
        return notes.own_view(table, view, seat, picture, lang, secret=hides, moved_on=moved_on)

    async def _missed(self, update: Update, seen: Seen, page: int, lang: str) -> Reply:
        """What came to light since the reader's last turn, board by board, while boards do not stay visible."""
        acting = who_acts(seen, update.person.id)
        if acting is None:
            return not_acting(seen, update.person.id, lang)
        if not tables.forgets(seen.table, acting.state):
            raise Denied("stale")
        found = logbook.missed(seen.table, await self._keeper.log(seen.table), acting.seat)
        if not found:
            return notes.note("missed.nothing", lang)
        page = min(page, len(found) - 1)
        look = await self._looking.look(update, seen.table, None, lang)
        picture = await self._painter.picture(found[page].view, look)
        return _fading(seen.table, acting.state, notes.missed(seen.table, found, page, picture, lang))

    # Changing, showing

    async def _change(self, update: Update, table: TableId | None, apply: Change) -> Reply | None:
        done = await self._keeper.change(update, await self._finding.meant(update, table), apply)
        if done is None:
            return None
        if done.saved:
            await self._saved(done.seen)
        return done.reply

    async def _saved(self, seen: Seen) -> None:
        """What follows a save: everybody is shown the table."""
        if seen.table.phase == Phase.OVER:
            await self._store.set_place_setting(seen.table.place, LAST, seen.table.id)
        self._show(seen)  # last, so that whoever acted hears of it before the others

    def _show(self, seen: Seen, again: bool = False) -> None:
        self._delivery.show(Shown(seen.table, seen.state, seen.posted, seen.recent, again))

    # What happens by itself

    async def repost(self, everything: bool = False) -> int:
        """Post what was saved but never posted. *everything*: nobody else can be about to do it. Gives how many."""
        now_ms = self._keeper.now_ms() + (LEASE_MS if everything else 0)
        found = 0
        for table in await self._store.claim_unposted(now_ms, LEASE_MS, 100):
            if self._delivery.is_busy_with(table):
                continue
            seen = await self._keeper.find(table)
            if seen is None:  # it has expired
                await self._store.done_unposted(table, 0)
            elif seen.table.phase == Phase.LOBBY and await self._lobbies.takes_place(seen.table, None) is not None:
                await self._lobbies.close_unseen(seen)  # its bot died before it could find the place taken
            else:
                self._show(seen)
                found += 1
        return found

    async def do_due(self) -> None:
        """See `bot.due`."""
        await self._due.do()

    async def move_place(self, table: TableId, place: PlaceId) -> None:
        """The platform gave a place another id: the table goes along."""
        seen = await self._keeper.load(table)
        if seen.table.phase == Phase.OVER:
            await self._keeper.settle(seen.table)  # as long as it says where it was played
        await self._store.leave_place(seen.table.place, table)
        moved = replace(seen.table, place=place, moves=seen.table.moves + 1)
        await self._keeper.take_place(moved, None)
        self._show(await self._keeper.save(seen, Step(moved, seen.state), None))


def _is_mid_turn(seen: Seen) -> bool:
    """Whether the actor has begun this turn already."""
    return logbook.is_mid_turn(seen.table, seen.recent)


def _goes_on(table: Table, state: State) -> bool:
    """Whether the actor has something to tap. What is forced can be played at once where everybody sees each step."""
    return state.forced is None or GAMES[table.game].shows_steps


def _takes_steps(view: State) -> bool:
    """Whether the turn goes on after what the actor of *view* is about to choose."""
    try:
        after = view.play(view.actions()[0])
    except IllegalAction:  # what comes of it is hidden
        return False
    return after.actor == view.actor and not view.ends_turn(after)


def _fading(table: Table, state: State, reply: Reply) -> Reply:
    """*reply* to the actor, which must not stay when the turn is over, if the game forgets."""
    return replace(reply, fades=tables.time_of(table)) if tables.forgets(table, state) else reply
