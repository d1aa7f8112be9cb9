"""The hooks that attach handlers and features to the bot.

A handler is a method with the decorator `answers`. A feature beside the turns is a `Feature`: it has handlers, and
overrides the hooks that it needs.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from datetime import datetime
from itertools import chain
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct

from bot.chat import Button, PersonId, Reply, Update
from bot.requests import Request
from bot.requests.registry import DECLARATIONS
from bot.service.context import Context
from bot.tables.snapshot import Snapshot
from bot.tables.table import Phase

Handler: TypeAlias = Callable[[Context, Any], Awaitable[Reply | None]]
Owner = TypeVar("Owner")
Kind = TypeVar("Kind", bound=Request)
Answer = TypeVar("Answer", bound=Reply | None)
Method: TypeAlias = Callable[[Owner, Context, Kind], Coroutine[Any, Any, Answer]]


class Beside(Struct, frozen=True):
    """Content that features add for one person alone: *lines* of their own view and of the menu of their turn, and
    *buttons* under their own view; or both about one table in the list of their tables."""

    lines: tuple[str, ...] = ()
    buttons: tuple[Button, ...] = ()


class Feature:
    """A feature beside the turns. Each hook does nothing by default."""

    async def idle(self) -> None:
        """Wait until all background work is done."""

    async def stop(self) -> None:
        """Cancel all background work."""

    async def due(self) -> None:
        """Begin the due work of this feature. Called every second; must not wait for it."""

    async def move_request(self, update: Update, text: str, *, certain: bool) -> Request | None:  # noqa: ARG002
        """Return the request that *text*, typed as a move by a person without a game, makes of this feature.

        *certain*: only if *text* is a move there, because it was typed without a command.
        """
        return None

    async def closed(self, update: Update) -> None:
        """React to a person who closed a menu without a table."""

    async def beside(self, snapshot: Snapshot, person: PersonId, lang: str) -> Beside:  # noqa: ARG002
        """Return additional content for a *person* with a seat at a running table."""
        return Beside()

    async def in_games(self, snapshot: Snapshot, person: PersonId, lang: str) -> Beside:  # noqa: ARG002
        """Return additional content about a table for the list of a *person*'s tables."""
        return Beside()

    async def plays_for(self, snapshot: Snapshot) -> bool:  # noqa: ARG002
        """Play the turn of the actor, whose table is due, if this feature may. Return whether it did."""
        return False

    async def due_after(self, snapshot: Snapshot) -> datetime | None:  # noqa: ARG002
        """Do the due work of this feature at a table that is over. Return when to look again, or None."""
        return None


async def beside(features: Iterable[Feature], snapshot: Snapshot, person: PersonId, lang: str) -> Beside:
    """Return the additional content of all *features*; none for spectators and after the game."""
    if snapshot.table.phase != Phase.RUNNING or snapshot.table.seat_of(person) is None:
        return Beside()
    parts = [await feature.beside(snapshot, person, lang) for feature in features]
    lines, buttons = chain.from_iterable(part.lines for part in parts), chain.from_iterable(p.buttons for p in parts)
    return Beside(tuple(lines), tuple(buttons))


def answers(kind: type[Kind]) -> Callable[[Method[Owner, Kind, Answer]], Method[Owner, Kind, Answer]]:
    """Register the decorated method as the handler of requests of that *kind*."""

    def register(method: Method[Owner, Kind, Answer]) -> Method[Owner, Kind, Answer]:
        method.__dict__["answers"] = kind
        return method

    return register


def handlers(owners: Iterable[object]) -> Mapping[type[Request], Handler]:
    """Return the handler of every kind of request. Each kind must have exactly one among the *owners*."""
    pairs = [
        (kind, getattr(owner, name))
        for owner in owners
        for name, method in vars(type(owner)).items()
        if (kind := getattr(method, "answers", None)) is not None
    ]
    numbers = Counter(kind for kind, _ in pairs)
    for declaration in DECLARATIONS:
        number = numbers[declaration.kind]
        assert number == 1, f"{declaration.kind.__name__} needs one handler and has {number}"
    return dict(pairs)
