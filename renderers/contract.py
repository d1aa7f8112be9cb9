"""The contract between a game's drawer and the rest of `renderers`."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar, Generic, TypeVar

from renderers.layout import Area
from renderers.look import Look
from renderers.outlines import Outline, marks
from renderers.palette import HUES
from renderers.scene import KILOBYTES, AnyShape, Scene, Sprite

V = TypeVar("V")
"""The type of a game's views."""


class Drawer(ABC, Generic[V]):
    """The drawer of one game. A game must have a `sample`, `scene`, `alt_text` and `emblem`; the rest has defaults.

    A subclass has no public members but these: a test rejects any other name, so a misspelt hook cannot go unnoticed.
    """

    sample: ClassVar[str]
    """The name of the golden position that shows the game on the front page."""
    hues: ClassVar[tuple[str, ...]] = HUES
    """The hues of the seats that chose none, in seat order."""
    is_turned: ClassVar[bool] = False
    """Whether each seat sees the board from its own side; the board for all is that of seat 0."""
    kilobytes: ClassVar[int] = KILOBYTES
    """The limit for the file of a picture."""
    off_board: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The parts of actions without a spot: a regular expression for the parts, and the reason."""

    @abstractmethod
    def scene(self, view: V, look: Look) -> Scene:
        """Return the board of *view*, without marks of choices and without the plaque of a final board."""

    @abstractmethod
    def alt_text(self, view: V, look: Look) -> str:
        """Return the board of *view* in words, the most important facts first."""

    @abstractmethod
    def emblem(self) -> Sprite:
        """Return the game's own small sign, without lettering; it reaches at most 24 to each side."""

    def spots(self, view: V, look: Look) -> Mapping[str, Outline]:
        """Return the outlines of the parts of actions that are on the picture, by part ("b3").

        Outlines of the next parts do not overlap. Those of chosen parts may contain them: a row its fields.
        """
        return {}

    def marks(self, view: V, look: Look) -> Iterable[AnyShape]:
        """Return the marks of *look.choices* and *look.chosen*, which are painted over the scene.

        A chosen part that contains marked ones has none by default.
        """
        return marks(self.spots(view, look), look.choices, look.chosen)

    def pieces(self, view: V, seat: int, look: Look) -> Iterable[Outline]:
        """Return the outlines of the pieces of *seat* on the picture; of its plate in a game without such pieces."""
        return ()

    def rosette_areas(self, view: V, look: Look) -> tuple[Area, ...]:
        """Return the areas of the board from which the rosette of a finished game is taken: without panels.

        The default contains all `spots`; without spots it is the whole picture.
        """
        points = [point for outline in self.spots(view, look).values() for point in outline]
        if not points:
            return (Area(0, 0, *self.scene(view, look).size),)
        (left, top), (right, bottom) = map(min, zip(*points, strict=True)), map(max, zip(*points, strict=True))
        return (Area(left, top, right - left, bottom - top),)

    def hand(self, view: V, seat: int, look: Look) -> Scene | None:
        """Return the private hand of *seat*, or None if the game has no hands or *view* does not know this one."""
        return None

    def hand_text(self, view: V, seat: int, look: Look) -> str | None:
        """Return the private hand of *seat* in words; None if `hand` is None."""
        return None

    def diagram(self, page: int, look: Look) -> Scene | None:
        """Return the scene for *page* (from 1) of the rules, or None if the page shows a golden position or nothing."""
        return None

    def banner(self) -> tuple[Sprite, ...]:
        """Return four to six pieces, each with its middle at (0, 0): the lobby shows them around the game's rosette."""
        return ()

    def sprites(self) -> Iterable[Sprite]:
        """Return the sprites to draw before the first picture."""
        return ()
