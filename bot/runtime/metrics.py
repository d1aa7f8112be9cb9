"""The bot's metrics: prometheus-client's counters, histograms and gauges, updated on the event loop.

Labels are platforms, games and kinds: words of ours, never a person, a place, a table or a text.
"""

import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from enum import StrEnum
from time import perf_counter
from typing import TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics

from bot.chat import (
    Capabilities,
    Gone,
    Limited,
    Membership,
    MessageId,
    MessagePart,
    Moved,
    PersonId,
    PlaceGone,
    PlaceId,
    Post,
    Priority,
    Receiver,
    Reception,
    Thread,
    TryLater,
    Undelivered,
)
from bot.runtime import logs
from bot.runtime.blocklist import NO_ONE, BlockList

T = TypeVar("T")

log = logging.getLogger(__name__)

NAMESPACE = "kaleidobot"
SHORT_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LONG_S = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)
"""Upper bounds of the histograms' buckets, in seconds."""
PUBLIC_CALLS = ("post", "edit", "strip", "delete", "writing", "branch")
"""Kinds of `Metrics.posts`: the calls that `Counted` counts."""
PICTURES = ("board", "hand", "diagram", "lobby", "spots", "chart")
"""Kinds of `Metrics.painting_seconds`."""

# Without it, each sample would have a second one with the time of its creation, which no rule asks for.
disable_created_metrics()  # type: ignore[no-untyped-call]  # as prometheus-client has it


class Handling(StrEnum):
    """The outcome of an update or a call to a platform.

    REFUSED: the other side will not do it. LIMITED: a rate limit. LATER: the store or the platform is away, or the call
    was cancelled. GONE: the message was deleted. MOVED: the place has another id. FAILED: a bug of ours.
    """

    DONE = "done"
    REFUSED = "refused"
    LIMITED = "limited"
    LATER = "later"
    GONE = "gone"
    MOVED = "moved"
    FAILED = "failed"


class Metrics:
    """All metrics, in a registry of their own. Each attribute's name is the metric's name after ``kaleidobot_``."""

    def __init__(self, now: Callable[[], float] = perf_counter) -> None:
        """*now*: the clock of all durations, in seconds."""
        self.now = now
        self.registry = registry = CollectorRegistry()

        def counter(name: str, about: str, *labels: str) -> Counter:
            return Counter(name, about, labels, namespace=NAMESPACE, registry=registry)

        def histogram(name: str, about: str, *labels: str, bounds: tuple[float, ...] = SHORT_S) -> Histogram:
            return Histogram(name, about, labels, namespace=NAMESPACE, registry=registry, buckets=bounds)

        def gauge(name: str, about: str, *labels: str, registry: CollectorRegistry | None = registry) -> Gauge:
            return Gauge(name, about, labels, namespace=NAMESPACE, registry=registry)

        self.update_seconds = histogram(
            "update_seconds", "Seconds from an update to its answer, store included.", "platform", "outcome"
        )
        self.posts = counter("posts", "Calls for public messages, by outcome.", "platform", "kind", "outcome")
        self.painting_seconds = histogram(
            "painting_seconds", "Seconds of painting a picture, without its time in the queue.", "kind"
        )
        self.painting_queue = gauge("painting_queue", "Pictures that are being painted or queued.")
        self.store_seconds = histogram("store_seconds", "Seconds of answered round trips to the store.")
        self.store_errors = counter("store_errors", "Failed round trips: retried, or given up.", "kind")
        self.tables = counter("tables", "Tables that began to run, and that ended.", "game", "kind")
        self.turns = counter("turns", "Turns played.", "game")
        self.due_late_seconds = histogram(
            "due_late_seconds", "Delay before due work was claimed, in seconds.", bounds=LONG_S
        )
        self.loop_late_seconds = histogram("loop_late_seconds", "Delay of the event loop, in seconds.")
        self.outbox_age_seconds = gauge("outbox_age_seconds", "Age of the oldest board in this process's outbox.")
        self.ready = gauge("ready", "1 if this part of the bot can serve, else 0.", "part")
        self.platform_ended = gauge(
            "platform_ended", "1 if the platform needs new settings or a restart, else 0.", "platform"
        )
        self.leader = gauge("leader", "1 if this process is the platform's polling leader, else 0.", "platform")
        self.servers = gauge("servers", "Servers that this process receives events of.", "platform")

        # The next ones are counted in the store, so they are the same in every process.
        self.running_tables = gauge("running_tables", "Running tables.", registry=None)
        self.players_of_day = gauge("players_of_day", "Estimated people who played in the last 24 h.", registry=None)
        self.due_waiting = gauge("due_waiting", "Due work that no process has claimed.", "kind", registry=None)
        self.boards_unposted = gauge("boards_unposted", "Boards that are not known to be posted.", registry=None)
        self.backup_timestamp_seconds = gauge(
            "backup_timestamp_seconds", "Unix time of the last backup, 0 if none is known.", registry=None
        )
        self._of_store = [
            self.running_tables,
            self.players_of_day,
            self.due_waiting,
            self.boards_unposted,
            self.backup_timestamp_seconds,
        ]

    def begin(self, platforms: Iterable[str], games: Iterable[str]) -> None:
        """Let every series begin with 0, for these platforms and games.

        A monitor sees no increase in a series that appears with its first event.
        """
        for platform in platforms:
            for outcome in Handling:
                self.update_seconds.labels(platform, outcome)
                for kind in PUBLIC_CALLS:
                    self.posts.labels(platform, kind, outcome)
            self.platform_ended.labels(platform)
        for game in games:
            self.turns.labels(game)
            for phase in ("running", "over"):
                self.tables.labels(game, phase)
        for kind in PICTURES:
            self.painting_seconds.labels(kind)
        for kind in ("again", "given_up"):
            self.store_errors.labels(kind)

    def show_store(self) -> None:
        """Show the gauges of the store from now on: before they are first set they would all read 0."""
        while self._of_store:
            self.registry.register(self._of_store.pop())

    def __iter__(self) -> Iterator[tuple[str, Counter | Histogram | Gauge]]:
        """Each metric with its name."""
        for name, metric in vars(self).items():
            if isinstance(metric, Counter | Histogram | Gauge):
                yield name, metric

    def happened(self) -> int:
        """Return the number of answered updates and public calls so far: it stays the same while the bot is idle."""
        families = (*self.update_seconds.collect(), *self.posts.collect())
        samples = (sample for family in families for sample in family.samples)
        return round(sum(sample.value for sample in samples if sample.name.endswith(("_count", "_total"))))


UNANSWERED = 3
"""Calls in a row that fail by the platform's fault until it counts as out of reach."""


class Counted:
    """A `Chat` whose calls are counted, and logged at the level DEBUG."""

    def __init__(
        self,
        chat: Receiver,
        posts: Counter,
        now: Callable[[], float] = perf_counter,
        blocked: BlockList = NO_ONE,
    ) -> None:
        """*now*: see `Metrics`. *blocked*: the operator's list; its places take only removals."""
        self._blocked = blocked
        self._chat = chat
        self._posts = posts
        self._now = now
        self._unanswered = 0  # calls in a row

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def is_reached(self) -> bool:
        """Whether people reach this process on the platform, and it reaches them."""
        return self._chat.reception is Reception.UP and self._unanswered < UNANSWERED

    def capabilities(self, place: PlaceId, /) -> Capabilities:
        return self._chat.capabilities(place)

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        self._check(place)
        return await self._count("post", self._chat.post(place, post, nonce))

    async def wait_for_quota(self, place: PlaceId, priority: Priority) -> None:
        await self._chat.wait_for_quota(place, priority)

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        self._check(place)
        await self._count("edit", self._chat.edit(place, message, post))

    async def remove(self, place: PlaceId, message: MessageId, part: MessagePart) -> None:
        kind = "strip" if part is MessagePart.BUTTONS else "delete"
        await self._count(kind, self._chat.remove(place, message, part))

    async def show_typing(self, place: PlaceId) -> None:
        self._check(place)
        await self._count("writing", self._chat.show_typing(place))

    async def membership(self, place: PlaceId, person: PersonId) -> Membership:
        return await self._chat.membership(place, person)

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        return await self._chat.link(place, message)

    async def open_thread(self, place: PlaceId, title: str) -> Thread:
        self._check(place)
        return await self._count("branch", self._chat.open_thread(place, title))

    def _check(self, place: PlaceId) -> None:
        if self._blocked.has_place(place):
            raise PlaceGone("blocked by the operator")

    async def _count(self, kind: str, call: Awaitable[T]) -> T:
        begun, outcome = self._now(), Handling.LATER
        try:
            done = await call
            outcome, self._unanswered = Handling.DONE, 0
        except Exception as no:
            outcome = outcome_of(no)
            if outcome is Handling.LATER:
                self._unanswered += 1
            elif outcome not in (Handling.LIMITED, Handling.FAILED):  # these may be from this process
                self._unanswered = 0
            raise
        finally:
            self._posts.labels(self.name, kind, outcome).inc()
            facts = (self.name, kind, logs.subject(), outcome, 1000 * (self._now() - begun))
            log.debug("post: platform=%s kind=%s %s outcome=%s ms=%.0f", *facts)
        return done


def outcome_of(no: Exception) -> Handling:
    """Return the outcome of a call to a platform that raised *no*."""
    match no:
        case Limited():
            return Handling.LIMITED
        case TryLater():
            return Handling.LATER
        case Gone():
            return Handling.GONE
        case Moved():
            return Handling.MOVED
        case Undelivered():
            return Handling.REFUSED
        case _:
            return Handling.FAILED
