"""The dispatcher: it lets updates through the gates and gives each request to its handler.

A handler loads the table, applies the request and saves; only then it posts. Full positions get no further than
`bot.delivery`, which makes views of them: replies, menus and pictures know nothing else.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import texts
from bot.chat import (
    Button,
    MessageId,
    PersonId,
    PlaceEvent,
    PlaceId,
    Press,
    Receiver,
    Reply,
    Suggestion,
    Target,
    Update,
    platform,
)
from bot.delivery.outbox import Outbox
from bot.replies import notes
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.requests import Request
from bot.runtime.blocklist import BlockList
from bot.runtime.metrics import Counted, Handling, Metrics
from bot.service.completing import Completing
from bot.service.context import Context
from bot.service.due import Due
from bot.service.edge import judged, never_raises
from bot.service.expiring_replies import ExpiringReplies
from bot.service.feature import Feature, Handler
from bot.service.gates import Gates, SmallTalk, TooFast
from bot.service.house_turns import HouseTurns
from bot.service.linking import Linking
from bot.service.open_replies import ClosesReplies
from bot.service.places import Places
from bot.service.playing import Playing
from bot.service.reposting import Reposting
from bot.service.unreachable import UnreachableAnswers
from bot.store import Conflict, GameMissing, NewerDocument, StoreDown
from bot.tables import seating
from bot.tables.table import Denied

NO_SUGGESTIONS: tuple[Suggestion, ...] = ()
NO_BUTTON: Button | None = None
NO_TARGETS: tuple[Target, ...] = ()

log = logging.getLogger(__name__)


class Service:
    """The `bot.chat.Core` of all platforms."""

    def __init__(
        self,
        *,
        blocked: BlockList,
        chats: dict[str, Counted],
        closes_replies: ClosesReplies,
        completing: Completing,
        due: Due,
        expiring: ExpiringReplies,
        features: Sequence[Feature],
        gates: Gates,
        handlers: Mapping[type[Request], Handler],
        house_turns: HouseTurns,
        linking: Linking,
        metrics: Metrics,
        outbox: Outbox,
        places: Places,
        playing: Playing,
        preferences: Preferences,
        repository: Repository,
        reposting: Reposting,
        unreachable: UnreachableAnswers,
    ) -> None:
        self.repository = repository
        self._blocked = blocked
        self._chats = chats
        self._closes_replies = closes_replies
        self._completing = completing
        self._due = due
        self._expiring = expiring
        self._features = features
        self._gates = gates
        self._handlers = handlers
        self._house_turns = house_turns
        self._linking = linking
        self._metrics = metrics
        self._outbox = outbox
        self._places = places
        self._player_listener: Callable[[PersonId], None] | None = None
        self._playing = playing
        self._preferences = preferences
        self._reposting = reposting
        self._unreachable = unreachable

    @property
    def outbox_age_s(self) -> float:
        """Seconds since the oldest board in the outbox was saved; 0 if the outbox is empty."""
        return self._outbox.age_s

    def tell_players_to(self, listener: Callable[[PersonId], None]) -> None:
        """Call *listener* with every person who opens a table, joins or plays."""
        self._player_listener = listener

    def add(self, chat: Receiver) -> None:
        """Let boards be posted on *chat*."""
        self._chats[chat.name] = Counted(chat, self._metrics.posts, self._metrics.now, self._blocked)

    async def idle(self) -> None:
        """Wait until the house has played and everything is posted."""
        await self._house_turns.idle()
        while self._linking.is_busy:  # the house may play after that
            await self._linking.idle()
            await self._house_turns.idle()
        await self._outbox.idle()
        for feature in self._features:
            await feature.idle()
        await self._places.idle()

    async def stop(self) -> None:
        """Cancel all background work."""
        await self._due.stop()
        await self._linking.stop()
        for feature in self._features:
            await feature.stop()
        await self._house_turns.stop()
        await self._places.stop()
        await self._outbox.stop()

    async def handle(self, update: Update) -> Reply | None:
        begun, outcome = self._metrics.now(), Handling.LATER  # also if it is cancelled
        request = reason = "-"
        context = Context(update, texts.language(update.person.lang or update.place.lang))
        try:
            context = await self._gates.admitted(update)
            request = type(context.request).__name__
            reply = await self._handlers[type(context.request)](context, context.request)
            reply = await self._unreachable.completed(context, reply)
            outcome = Handling.DONE
            if self._player_listener is not None and context.request.declaration.plays:
                self._player_listener(update.person.id)
            return reply
        except Exception as error:
            outcome = judged(error, "update not applied", update=update)
            reason = error.code if isinstance(error, Denied) else type(error).__name__
            return await self._excuse(error, context)
        finally:
            seconds = self._metrics.now() - begun
            self._metrics.update_seconds.labels(platform(update.place.id), outcome).observe(seconds)
            facts = (_named(update), request, _subject(context), outcome, reason, 1000 * seconds)
            log.debug("update: %s request=%s %s outcome=%s reason=%s ms=%.0f", *facts)

    async def _excuse(self, error: Exception, context: Context) -> Reply | None:
        """Return the reply to a request that raised *error*."""
        update, lang, snapshot = context.update, context.lang, context.about
        match error:
            case SmallTalk():
                return None
            case TooFast():
                return (notes.toast if isinstance(update.body, Press) else notes.note)("trouble.fast", lang)
            case Denied():
                starts = snapshot is not None and seating.may_start(snapshot.table, update.person.id)
                table = None if snapshot is None else snapshot.table
                refusal = notes.denied(error, await self._lang(update, lang), table, starts=starts)
                return await self._completed(context, refusal)
            case StoreDown():
                return notes.note("trouble.store", lang)
            case GameMissing():
                with suppress(Conflict, StoreDown):  # otherwise it is stopped when it is due
                    await self.repository.lose_game(error)
                return notes.note("trouble.game", lang, game=error.snapshot.table.game)
            case NewerDocument():
                return notes.note("trouble.newer", lang)
            case _:
                return notes.note("trouble.ours", lang)

    async def _completed(self, context: Context, refusal: Reply) -> Reply | None:
        """Return *refusal* with the reason if the table's place takes no posts; without it, if that fails."""
        try:
            return await self._unreachable.completed(context, refusal)
        except (Denied, StoreDown, NewerDocument):
            return refusal

    async def _lang(self, update: Update, otherwise: str) -> str:
        """Return the language of the person; *otherwise*, if the store does not answer."""
        try:
            return await self._preferences.lang(update)
        except StoreDown:
            return otherwise

    @never_raises("no completions", NO_SUGGESTIONS)
    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        return await self._completing.complete(update, argument)

    @never_raises("no targets", NO_TARGETS)
    async def targets(self, update: Update) -> tuple[Target, ...]:
        snapshot = await self.repository.on(update.place.id)
        if snapshot is None or snapshot.state is None or snapshot.table.is_resting:
            return ()
        return await self._playing.targets(update, snapshot, await self._preferences.lang(update))

    @never_raises("private reply stays", None)
    async def delete_later(self, expiry: str, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> None:
        await self._expiring.delete_later(expiry, place, message, ttl_s)

    @never_raises("private reply not remembered", NO_BUTTON)
    async def was_shown(
        self, update: Update, place: PlaceId, message: MessageId, ttl_s: float | None = None
    ) -> Button | None:
        return await self._closes_replies.was_shown(update, place, message, ttl_s)

    @never_raises("place event not applied", None)
    async def place_changed(self, event: PlaceEvent) -> None:
        await self._places.changed(event)

    async def repost(self, *, everything: bool = False) -> int:
        """See `bot.service.reposting`."""
        return await self._reposting.repost(everything=everything)

    async def do_due(self) -> None:
        """See `bot.service.due`; then the features begin theirs."""
        await self._due.do()
        for feature in self._features:
            await feature.due()


def _named(update: Update) -> str:
    """Return the ids of *update* for the log. The id of a private chat would be the person's."""
    place = "private" if update.place.private else update.place.id
    return f"id={update.id} place={place} kind={type(update.body).__name__}"


def _subject(context: Context) -> str:
    """Return the facts about the table of a request, as far as the request is about a table."""
    if context.about is None:
        return f"table={context.named or '-'} revision=-"
    return context.about.table.facts
