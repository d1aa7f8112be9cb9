"""What an update brings about: load, apply, save, and only then speak.

Every request goes to whoever answers its kind. Full states get no further than `bot.delivery.outbox`, which makes views
of them: replies, menus and pictures know nothing else.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

import texts
from bot.chat import (
    Chat,
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
from bot.replies import notes, wishes
from bot.replies.completion import completions
from bot.repository.lookup import Lookup
from bot.repository.preferences import Preferences
from bot.repository.repository import LEASE_MS, Repository
from bot.repository.turn_rights import who_acts
from bot.requests import Request
from bot.requests.arguments import LONGEST_TEXT, game_of
from bot.runtime.metrics import Counted, Handling, Metrics
from bot.service.due import Due
from bot.service.feature import Feature, Handler
from bot.service.gates import Gates, SmallTalk, TooFast
from bot.service.house_turns import HouseTurns
from bot.service.lobbies import Lobbies
from bot.service.places import Places
from bot.service.playing import Playing
from bot.store import NewerDocument, StoreDown
from bot.store.store import Store
from bot.tables import seating
from bot.tables import table as tables
from bot.tables.table import Denied, Fading, Phase, TableId

log = logging.getLogger(__name__)

AT_ONCE = 100  # boards that are claimed in one go


class Service:
    """Answers updates; see `bot.chat.Host`."""

    def __init__(
        self,
        *,
        chats: dict[str, Chat],
        due: Due,
        features: Sequence[Feature],
        handlers: Mapping[type[Request], Handler],
        gates: Gates,
        house_turns: HouseTurns,
        lobbies: Lobbies,
        lookup: Lookup,
        metrics: Metrics,
        outbox: Outbox,
        places: Places,
        playing: Playing,
        preferences: Preferences,
        repository: Repository,
        store: Store,
    ) -> None:
        self.repository = repository
        self._chats = chats
        self._due = due
        self._features = features
        self._gates = gates
        self._handlers = handlers
        self._house_turns = house_turns
        self._lobbies = lobbies
        self._lookup = lookup
        self._metrics = metrics
        self._outbox = outbox
        self._places = places
        self._played: Callable[[PersonId], None] | None = None
        self._playing = playing
        self._preferences = preferences
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
            reply = await self._handlers[type(context.request)](context, context.request)
            outcome = Handling.DONE
            if self._played is not None and context.request.declaration.plays:
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
                game = game_of(update.body.arguments)
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
