"""What the bot counts and times, for `bot.operation.health` to tell: plain numbers, noted on the event loop.

Labels are platforms, games, and kinds of things, all of them words of ours: never a person, a place, a table or a text.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Awaitable, Iterator
from enum import StrEnum
from typing import TypeVar

from bot.chat import (
    Chat,
    Gone,
    Host,
    Limited,
    MessageId,
    Moved,
    PersonId,
    PlaceId,
    Post,
    Priority,
    Thread,
    TryLater,
    Undelivered,
)

T = TypeVar("T")

SHORT_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
LONG_S = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)


class Handling(StrEnum):
    """REFUSED: the other side will not. LIMITED: too much at once. LATER: the store or the platform is away, or it was
    cut off. GONE: the message is. MOVED: the place is elsewhere. FAILED: a mistake of ours."""

    DONE = "done"
    REFUSED = "refused"
    LIMITED = "limited"
    LATER = "later"
    GONE = "gone"
    MOVED = "moved"
    FAILED = "failed"


class Count:
    """How often something happened, by labels."""

    def __init__(self, about: str, *labels: str) -> None:
        self.about = about
        self.labels = labels
        self.values: defaultdict[tuple[str, ...], int] = defaultdict(int)

    def add(self, *labels: str, times: int = 1) -> None:
        self.values[labels] += times


class Times:
    """How long something took, by labels: how often, by the shortest of *bounds* (seconds) that holds it, and the sum.

    >>> waits = Times("Waiting.", bounds=(1.0, 10.0))
    >>> for seconds in (0.5, 1.0, 9.0, 99.0):
    ...     waits.note(seconds)
    >>> waits.values[()], waits.sums[()]
    ([2, 1, 1], 109.5)
    """

    def __init__(self, about: str, *labels: str, bounds: tuple[float, ...] = SHORT_S) -> None:
        self.about = about
        self.labels = labels
        self.bounds = bounds
        self.values: defaultdict[tuple[str, ...], list[int]] = defaultdict(lambda: [0] * (len(bounds) + 1))
        self.sums: defaultdict[tuple[str, ...], float] = defaultdict(float)

    def note(self, seconds: float, *labels: str) -> None:
        self.values[labels][bisect_left(self.bounds, seconds)] += 1
        self.sums[labels] += seconds


class Amount:
    """How many there are just now."""

    def __init__(self, about: str) -> None:
        self.about = about
        self.value = 0


class Gauge:
    """How many there were, by labels, when somebody looked last."""

    def __init__(self, about: str, *labels: str) -> None:
        self.about = about
        self.labels = labels
        self.values: dict[tuple[str, ...], float] = {}

    def set(self, value: float, *labels: str) -> None:
        self.values[labels] = value


class Metrics:
    """All of them; their names are those of the attributes."""

    def __init__(self) -> None:
        self.update_seconds = Times("From an update to its answer, store included.", "platform", "outcome")
        self.posts = Count("Calls for what everybody sees, by what came of them.", "platform", "kind", "outcome")
        self.painting_seconds = Times("Painting a picture, without waiting for its turn.", "kind")
        self.painting_queue = Amount("Pictures being painted or waiting for it.")
        self.store_seconds = Times("Round trips to the store that were answered.")
        self.store_errors = Count("Round trips that failed: tried again, or given up.", "kind")
        self.tables = Count("Tables that began to run, and that are over.", "game", "kind")
        self.turns = Count("Turns played.", "game")
        self.due_late_seconds = Times("How late what is due by itself was begun.", bounds=LONG_S)
        self.loop_late_seconds = Times("How late the event loop came to what was to be done.")
        self.outbox_age_seconds = Gauge("For how long the board has waited here that has waited longest.")
        self.leader = Gauge("Whether this process fetches what the platform gives to one alone: 1, or 0.", "platform")
        self.servers = Gauge("Servers that this process hears of.", "platform")
        # The same in every process: what is in the store.
        self.running_tables = Gauge("Tables that are running.")
        self.players_of_day = Gauge("People who played in the last 24 hours, about.")
        self.due_waiting = Gauge("What is due and nobody has begun with.", "kind")
        self.boards_unposted = Gauge("Boards on their way, or left for later.")

    def __iter__(self) -> Iterator[tuple[str, Count | Times | Amount | Gauge]]:
        return iter(vars(self).items())

    def happened(self) -> int:
        """How many updates were answered and posts made: as long as it stays the same, nothing happens."""
        updates = sum(sum(row) for row in self.update_seconds.values.values())
        return updates + sum(self.posts.values.values())


class Counted:
    """A `Chat` whose calls are counted."""

    def __init__(self, chat: Chat, posts: Count) -> None:
        self._chat = chat
        self._posts = posts

    @property
    def name(self) -> str:
        return self._chat.name

    @property
    def knows_nonces(self) -> bool:
        return self._chat.knows_nonces

    @property
    def is_ready(self) -> bool:
        return self._chat.is_ready

    async def start(self, host: Host) -> str:
        return await self._chat.start(host)

    async def stop(self) -> None:
        await self._chat.stop()

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        return await self._count("post", self._chat.post(place, post, nonce))

    async def wait_for_quota(self, place: PlaceId, priority: Priority) -> None:
        await self._chat.wait_for_quota(place, priority)

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        await self._count("edit", self._chat.edit(place, message, post))

    async def strip(self, place: PlaceId, message: MessageId) -> None:
        await self._count("strip", self._chat.strip(place, message))

    async def delete(self, place: PlaceId, message: MessageId) -> None:
        await self._count("delete", self._chat.delete(place, message))

    async def show_typing(self, place: PlaceId) -> None:
        await self._count("writing", self._chat.show_typing(place))

    def counts_edits(self, place: PlaceId, /) -> bool:
        return self._chat.counts_edits(place)

    async def may_manage(self, place: PlaceId, person: PersonId) -> bool:
        return await self._chat.may_manage(place, person)

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        return await self._chat.link(place, message)

    async def open_thread(self, place: PlaceId, title: str) -> Thread:
        return await self._count("branch", self._chat.open_thread(place, title))

    async def _count(self, kind: str, call: Awaitable[T]) -> T:
        outcome = Handling.LATER
        try:
            done = await call
            outcome = Handling.DONE
        except Exception as no:
            outcome = _outcome(no)
            raise
        finally:
            self._posts.add(self.name, kind, outcome)
        return done


def _outcome(no: Exception) -> Handling:
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
