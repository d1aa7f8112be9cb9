"""What an update brings about: load, apply, save, and only then speak.

Every request goes to whoever answers its kind. Full states get no further than `bot.delivery.outbox`, which makes views
of them: replies, menus and pictures know nothing else.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter

from msgspec.structs import replace

import texts
from bot import requests
from bot.chat import (
    Chat,
    Manner,
    MessageId,
    PersonId,
    PlaceEvent,
    PlaceId,
    Press,
    Reply,
    SlashCommand,
    Suggestion,
    Target,
    Update,
    platform,
)
from bot.delivery.outbox import Outbox, give_back
from bot.replies import choices, notes, pages, wishes, words
from bot.replies.completion import completions
from bot.repository.lookup import Lookup
from bot.repository.preferences import Preferences
from bot.repository.repository import LEASE_MS, Change, Hooks, Repository
from bot.repository.turn_rights import who_acts
from bot.requests.commands import LONGEST_TEXT, game_named
from bot.runtime.metrics import Counted, Handling, Metrics
from bot.service.agreements import Agreements
from bot.service.context import Context
from bot.service.due import Due
from bot.service.feature import Feature, handlers
from bot.service.gates import Gates, SmallTalk, TooFast
from bot.service.history import HistoryAnswers
from bot.service.house_turns import HouseTurns
from bot.service.lobbies import Lobbies
from bot.service.more import MoreAnswers
from bot.service.my_games import MyGames
from bot.service.places import Places
from bot.service.playing import Playing
from bot.service.settings import SettingsAnswers
from bot.service.statistics import StatisticsAnswers
from bot.store import NewerDocument, StoreDown
from bot.store.store import Store
from bot.tables import seating
from bot.tables import table as tables
from bot.tables.table import Denied, Fading, Phase, TableId

log = logging.getLogger(__name__)

PLAYS = (requests.NewGame, requests.Join, requests.Move, requests.Play, requests.Follow)
"""What makes somebody a player, when it was done."""
AT_ONCE = 100  # boards that are claimed in one go


class Service:
    """Answers updates; see `bot.chat.Host`."""

    def __init__(
        self,
        *,
        agreements: Agreements,
        chats: dict[str, Chat],
        due: Due,
        features: Sequence[Feature],
        gates: Gates,
        history: HistoryAnswers,
        house_turns: HouseTurns,
        lobbies: Lobbies,
        lookup: Lookup,
        metrics: Metrics,
        more: MoreAnswers,
        my_games: MyGames,
        outbox: Outbox,
        places: Places,
        playing: Playing,
        preferences: Preferences,
        repository: Repository,
        settings: SettingsAnswers,
        statistics: StatisticsAnswers,
        store: Store,
    ) -> None:
        self.repository = repository
        self._agreements = agreements
        self._chats = chats
        self._due = due
        self._features = features
        self._gates = gates
        self._handlers = handlers(features)
        self._history = history
        self._house_turns = house_turns
        self._lobbies = lobbies
        self._lookup = lookup
        self._metrics = metrics
        self._more = more
        self._my_games = my_games
        self._outbox = outbox
        self._places = places
        self._played: Callable[[PersonId], None] | None = None
        self._playing = playing
        self._preferences = preferences
        self._settings = settings
        self._statistics = statistics
        self._store = store

    @property
    def outbox_age_s(self) -> float:
        """For how long the board has waited that has waited longest; 0 where none does."""
        return self._outbox.age_s

    def tell_players_to(self, listener: Callable[[PersonId], None]) -> None:
        """Let *listener* hear from now on of whoever opens a table, sits down or plays."""
        self._played = listener

    def add(self, chat: Chat) -> None:
        """Let boards be posted on *chat*."""
        self._chats[chat.name] = Counted(chat, self._metrics.posts)

    async def idle(self) -> None:
        """Wait until the house has played and everything is posted."""
        await self._house_turns.idle()
        await self._outbox.idle()
        for feature in self._features:
            await feature.idle()
        await self._places.idle()

    async def stop(self) -> None:
        await self._due.stop()
        for feature in self._features:
            await feature.stop()
        await self._house_turns.stop()
        await self._places.stop()
        await self._outbox.stop()

    # What adapters ask

    async def handle(self, update: Update) -> Reply | None:
        """Do what *update* asks; the reply is for that person alone. Never raises."""
        begun, outcome = perf_counter(), Handling.LATER
        lang, context = texts.language(update.person.lang or update.place.lang), None
        try:
            context = await self._gates.admitted(update)
            lang = context.lang
            reply = await self._answer(context)
            outcome = Handling.DONE
            if self._played is not None and isinstance(context.request, PLAYS):
                self._played(update.person.id)
            return reply
        except SmallTalk:
            outcome = Handling.DONE
            return None
        except TooFast:
            outcome = Handling.LIMITED
            return (notes.toast if isinstance(update.body, Press) else notes.note)("trouble.fast", lang)
        except Denied as no:
            outcome = Handling.REFUSED
            seen = None if context is None else context.seen
            starts = seen is not None and seating.may_start(seen.table, update.person.id)
            return notes.denied(no, await self._lang(update, lang), None if seen is None else seen.table, starts=starts)
        except StoreDown as down:
            log.warning("update %s is not applied: %s", update.id, down)
            return notes.note("trouble.store", lang)
        except NewerDocument as newer:
            log.warning("update %s is left to a newer version of the bot: %s", update.id, newer)
            return notes.note("trouble.newer", lang)
        except Exception:
            outcome = Handling.FAILED
            log.exception("update %s in %s (%s)", update.id, update.place.id, type(update.body).__name__)
            return notes.note("trouble.ours", lang)
        finally:
            self._metrics.update_seconds.labels(platform(update.place.id), outcome).observe(perf_counter() - begun)

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        """What can be typed on: legal continuations for the person whose turn it is, options of a new game. Never
        raises."""
        try:
            if not isinstance(update.body, SlashCommand):
                return ()
            typed = update.body.arguments.get(argument, "")[:LONGEST_TEXT]
            if update.body.command == "newgame":
                game = game_named(update.body.arguments.get("game", ""))
                lang = await self._preferences.lang(update)
                return () if game is None else await asyncio.to_thread(wishes.completions, game, typed, lang)
            if update.body.command != "move":
                return ()
            seen = await self._lookup.meant(update, None)
            acting = who_acts(seen, update.person.id)
            if acting is None:
                return ()
            view, lang = acting.state.view(acting.seat), await self._preferences.lang(update)
            # On the largest boards hundreds of actions are read in every language: too long for the event loop.
            return await asyncio.to_thread(completions, seen.table, view, typed, lang)
        except (Denied, NewerDocument):
            return ()
        except Exception:
            log.exception("completions for %s in %s", update.person.id, update.place.id)
            return ()

    async def targets(self, update: Update) -> tuple[Target, ...]:
        """Where the newest board of the place can be tapped, by the person whose turn it is. Never raises."""
        try:
            seen = await self.repository.on(update.place.id)
            if seen is None or seen.state is None:
                return ()
            return await self._playing.targets(update, seen, await self._preferences.lang(update))
        except (StoreDown, NewerDocument) as no:
            log.warning("nothing can be tapped in %s: %s", update.place.id, no)
            return ()
        except Exception:
            log.exception("what can be tapped in %s by %s", update.place.id, update.person.id)
            return ()

    async def delete_later(self, expiry: str, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> None:
        """Delete a private reply when its time *expiry* is over. Never raises."""
        try:
            table, turn = tables.turn_of(expiry)
            ttl_ms = None if ttl_s is None else round(ttl_s * 1000)
            await self._store.fading.add(table, Fading(turn, place, message), ttl_ms)
            seen = await self.repository.find(table)
            if seen is not None and (seen.table.turn != turn or seen.table.phase != Phase.RUNNING):
                await self._outbox.fade(seen.table)  # the time was over before this call
        except NewerDocument as newer:
            log.warning("private reply left to a newer version of the bot: place=%s error=%s", place, newer)
        except Exception:
            log.exception("private reply stays: place=%s message=%s", place, message)

    async def place_changed(self, event: PlaceEvent) -> None:
        """React to a change of a place. Never raises."""
        await self._places.changed(event)

    # One request

    async def _answer(self, context: Context) -> Reply | None:
        """Answer what has passed the gates."""
        update, lang = context.update, context.lang
        handler = self._handlers.get(type(context.request))
        if handler is not None:
            return await handler(context, context.request)
        match context.request:
            case requests.NewGame() as request:
                return await self._lobbies.new_game(update, request, lang)
            case requests.NewThread() as request:
                return await self._lobbies.beside(update, request, lang)
            case requests.PlayWith() as request:
                return await self._lobbies.play_with(update, request, lang)
            case requests.Join() | requests.Leave() | requests.Start() | requests.Invite() as request:
                return await self._lobby(context, request)
            case (
                requests.ChooseOption()
                | requests.ChooseColour()
                | requests.ChooseClock()
                | requests.ChooseCalls()
                | requests.ChooseLevel() as request
            ):
                return await self._lobby(context, request)
            case requests.Options(_, page):
                return self._options(context, page)
            case requests.Move(text):
                return await self._playing.move(context, text)
            case requests.Play() as request:
                return await self._playing.press(context, request)
            case requests.Menu(_, _, path, page):
                return await self._playing.menu(context, path, page)
            case requests.Close(None):
                for feature in self._features:
                    await feature.closed(update)
                return notes.closed(lang)
            case requests.Close():
                state = context.table.state
                return notes.menu_closed(context.table.table, None if state is None else state.view(None), lang)
            case requests.Nothing():
                return Reply(manner=Manner.TOAST, stays=True)
            case requests.Board() if context.table.table.resting:
                woken, said = await self._lobbies.wake(update, context.table, lang)
                if woken is not None:
                    self._outbox.show(woken, again=True)
                return said
            case requests.Board():
                self._outbox.show(await self._due.note_silence(context.table, update.person.id), again=True)
                return notes.promise("board.again", lang)
            case requests.View(table):
                return await self._playing.view(update, context.table, lang, hand_alone=table is not None)
            case requests.Missed(_, page):
                return await self._playing.missed(update, context.table, page, lang)
            case requests.More():
                seen = await self._due.note_silence(context.table, update.person.id)
                return await self._more.answer(replace(context, seen=seen))
            case requests.Undo():
                return await self._playing.change(context, self._agreements.undoing(update, lang))
            case requests.Draw():
                return await self._playing.change(context, self._agreements.drawing(update, lang))
            case requests.Resign(_, _, sure):
                return await self._playing.resign(context, sure)
            case requests.End(_, _, sure):
                seen = await self._due.note_silence(context.table, update.person.id)
                if (
                    sure
                    and seen.state is not None
                    and seen.table.phase == Phase.RUNNING
                    and context.is_late(seen.table)
                ):
                    return notes.not_ended(seen.table, seen.state.actor, lang)
                return await self._change(replace(context, seen=seen), self._agreements.ending(update, sure, lang))
            case requests.Agree(_, question, yes):
                return await self._change(context, self._agreements.agreeing(update, question, yes, lang))
            case requests.Decide(_, stamp, choice, sure):
                return await self._change(context, self._agreements.deciding(update, stamp, choice, sure, lang))
            case requests.Settings(scope, page):
                return await self._settings.settings(update, scope, page, lang)
            case requests.Set(scope, setting, choice):
                return await self._settings.set(update, scope, setting, choice)
            case requests.Rematch(table):
                return await self._lobbies.rematch(update, table, lang)
            case requests.Games(page):
                mine = await self._lookup.tables_of(update.person.id)
                return await self._my_games.answer(update.person.id, mine, page, lang)
            case requests.History(_, page):
                return await self._history.history(update, context.table, page, lang)
            case (
                requests.Stats()
                | requests.Top()
                | requests.Privacy()
                | requests.Export()
                | requests.Hide()
                | requests.Forget() as request
            ):
                return await self._statistics.answer(update, request, lang)
            case requests.Rules(game, page):
                return await self._history.rules(update, game, page, lang)
            case requests.Help(page):
                return pages.help_(page, update.place.id, lang, alone=update.place.private)
            case requests.Welcome():
                return await self._welcome(context)
            case requests.Unknown(text):
                return notes.note("unknown", lang, text=words.short(text)) if text else notes.note("stale", lang)
            case other:
                raise AssertionError(f"no handler for {type(other).__name__}")

    async def _lobby(self, context: Context, request: requests.LobbyRequest) -> Reply | None:
        if isinstance(request, requests.Leave) and context.table.table.phase == Phase.RUNNING:
            return await self._playing.resign(context, False)
        return await self._change(context, self._lobbies.changing(context.update, request, context.lang))

    async def _welcome(self, context: Context) -> Reply | None:
        """Somebody has just come, or starts the lobby that waits in their private chat: Telegram calls both /start."""
        seen = await self.repository.on(context.update.place.id)
        if seen is None or seen.table.phase != Phase.LOBBY:
            return pages.welcome(context.lang, alone=context.update.place.private)
        return await self._lobby(replace(context, request=requests.Start(), seen=seen), requests.Start())

    def _options(self, context: Context, page: int) -> Reply:
        table = context.table.table
        if table.phase != Phase.LOBBY:
            raise Denied("not_lobby" if table.phase == Phase.RUNNING else "over")
        return choices.options(table, context.update.person.id, page, context.lang)

    async def _change(self, context: Context, apply: Change) -> Reply | None:
        hooks = Hooks(before=partial(self._playing.in_time, context))
        done = await self.repository.change(context.table, apply, context.update.id, hooks=hooks)
        return None if done is None else done.reply

    async def _lang(self, update: Update, otherwise: str) -> str:
        """In which *update*'s person reads, as far as it is known."""
        try:
            return await self._preferences.lang(update)
        except StoreDown:
            return otherwise

    # What happens by itself

    async def repost(self, everything: bool = False) -> int:
        """Post what was saved but never posted. *everything*: nobody else can be about to do it. Gives how many."""
        found, early_ms = 0, LEASE_MS if everything else 0
        while claimed := await self._store.claim_unposted(self.repository.now_ms(), LEASE_MS, AT_ONCE, early_ms):
            left = list(claimed)
            try:
                while left:
                    found += not self._outbox.is_busy_with(left[0]) and await self._repost(left[0])
                    del left[0]
            finally:  # whoever ends in the middle of it lets others have the rest
                if left:
                    await give_back(self._store.delay_unposted(table, self.repository.now_ms()) for table in left)
            if len(claimed) < AT_ONCE or early_ms:
                break
        return found

    async def _repost(self, table: TableId) -> bool:
        """Show a table that was saved but not posted. What is wrong with one table is no matter for the others."""
        try:
            seen = await self.repository.find(table)
            if seen is None:  # it has expired
                await self._store.done_unposted(table, 0)
            elif seen.table.phase == Phase.LOBBY and await self._lobbies.takes_place(seen.table, None) is not None:
                await self._lobbies.close_unseen(seen)  # its bot died before it could find the place taken
            else:
                self._outbox.show(seen)
                return True
        except NewerDocument as newer:
            log.warning("table %s is left to a newer version of the bot: %s", table, newer)
        except (StoreDown, Denied) as no:
            log.warning("table %s is posted later: %s", table, no)
        except Exception:
            log.exception("table %s is posted later", table)
        return False

    async def do_due(self) -> None:
        """See `bot.service.due`."""
        await self._due.do()
