"""What an update brings about: load, apply, save, and only then speak.

Every request goes to whoever answers its kind. Full states get no further than `bot.delivery`, which makes views of
them: replies, menus and pictures know nothing else.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from time import perf_counter
from typing import assert_never

from msgspec.structs import replace

import texts
from bot import table as tables
from bot.acting import who_acts
from bot.agreements import Agreements
from bot.allowance import Allowance
from bot.chat import (
    Chat,
    Filled,
    MessageId,
    Place,
    PlaceId,
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
from bot.keeper import LEASE_MS, TRIES, Change, Keeper, Seen
from bot.lobbies import LAST, Lobbies
from bot.looking import Looking
from bot.metrics import Counted, Metrics, Outcome
from bot.my_games import MyGames
from bot.painting import Painter
from bot.people import People
from bot.places import Places
from bot.playing import Playing
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
from bot.store import Conflict, StoreDown
from bot.store.store import Store
from bot.table import Denied, Fading, Phase, Step, TableId
from renderers import Theme
from rules import GAMES

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
        self._playing = Playing(
            self._keeper, self._finding, self._agreements, self._looking, painter, self._saved, self._show
        )
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
                return await self._playing.move(update, text, lang)
            case Play():
                return await self._playing.press(update, request, lang)
            case Menu(table, revision, path, page):
                return await self._playing.menu(
                    update, await self._finding.meant(update, table), revision, path, page, lang
                )
            case Close(table):
                seen = await self._keeper.load(table)
                return notes.menu_closed(seen.table, None if seen.state is None else seen.state.view(None), lang)
            case Nothing():
                return notes.toast("nothing", lang)
            case Board(table):
                self._show(await self._finding.last(update, table), again=True)
                return notes.toast("board.again", lang)
            case View(table):
                return await self._playing.view(update, await self._finding.last(update, table), lang)
            case Missed(table, page):
                return await self._playing.missed(update, await self._keeper.load(table), page, lang)
            case Undo(table):
                return await self._playing.change(update, table, self._agreements.undoing(update, lang), lang)
            case Draw(table):
                return await self._playing.change(update, table, self._agreements.drawing(update, lang), lang)
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
        """The platform gave a place another id: the table goes along, whatever is played meanwhile."""
        for tried in range(TRIES):
            seen = await self._keeper.load(table)
            if seen.table.place != place:
                if seen.table.phase == Phase.OVER:
                    await self._keeper.settle(seen.table)  # as long as it says where it was played
                await self._store.leave_place(seen.table.place, table)
                moved = replace(seen.table, place=place, moves=seen.table.moves + 1)
                await self._keeper.take_place(moved, None)
                try:
                    seen = await self._keeper.save(seen, Step(moved, seen.state), None)
                except Conflict:
                    await asyncio.sleep(0.005 * tried)
                    continue
            self._show(seen)
            return
        raise StoreDown(f"table {table} changed too often")
