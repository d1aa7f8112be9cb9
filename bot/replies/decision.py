"""The decisions that menus offer. A menu knows no table: a decision says which request is behind each button."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from bot.replies.tree import Path
from bot.replies.words import accent, names
from bot.requests import Close, Menu, Nothing, Play, Request, Stamp, Undo, View
from bot.tables.table import Table


class Decision(Protocol):
    """A decision of the actor of a position."""

    @property
    @abstractmethod
    def game(self) -> str: ...

    @abstractmethod
    def names(self, lang: str) -> Sequence[str]:
        """Return the names of the seats."""

    @property
    def accent(self) -> tuple[int, int, int] | None:
        """The colour that frames the menu; None for no frame."""
        return None

    @abstractmethod
    def part(self, path: Path, page: int = 0) -> Request:
        """Return the request for the choices after *path*."""

    @abstractmethod
    def play(self, index: int) -> Request:
        """Return the request that plays the action with this number."""

    @abstractmethod
    def undo(self) -> Request:
        """Return the request that takes the last action back."""

    @property
    def is_last_turn(self) -> bool:
        """Whether nothing counts after this turn, so that a question may have another text without later turns."""
        return False

    @property
    def hand(self) -> Request | None:
        """The request for the reader's hand; None for no such button."""
        return None

    @property
    def close(self) -> Request:
        """The request that closes the menu."""
        return Close()

    @property
    def nothing(self) -> Request:
        """The request of a filler."""
        return Nothing()


class OfTable(Decision):
    """A decision of *seat* in the game of a table."""

    def __init__(self, table: Table, seat: int | None = None) -> None:
        self._table = table
        self._seat = seat

    @property
    def game(self) -> str:
        return self._table.game

    def names(self, lang: str) -> Sequence[str]:
        return names(self._table, lang)

    @property
    def accent(self) -> tuple[int, int, int] | None:
        return accent(self._table, self._seat)


class AtTable(OfTable):
    """The decision of *seat*, the actor at a table."""

    def part(self, path: Path, page: int = 0) -> Request:
        return Menu(self._table.id, Stamp.of(self._table), page, path)

    def play(self, index: int) -> Request:
        return Play(self._table.id, Stamp.of(self._table), index)

    def undo(self) -> Request:
        return Undo(self._table.id, Stamp.of(self._table))

    @property
    def hand(self) -> Request | None:
        return View(self._table.id)

    @property
    def close(self) -> Request:
        return Close(self._table.id)

    @property
    def nothing(self) -> Request:
        return Nothing(self._table.id)
