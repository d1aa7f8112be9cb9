"""Boards as pictures and as text. Renderers see views only, and know nothing of chats.

    picture(view, look) -> PNG bytes       alt_text(view, look) -> str       diagram(game, page, look) -> PNG bytes
    hand(view, seat, look), hand_text(view, seat, look): the same of what a seat holds, for its own eyes

A drawer is a module in ``renderers/games`` named like its game; nothing else has to learn about it, and
``renderers/games/__init__.py`` tells how to write one. All of this may be called from any thread.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol, cast

from msgspec import Struct

from rules.contract import Outcome

if TYPE_CHECKING:
    from renderers.scene import Scene, Sprite

ALT_LONGEST = 1000
"""More characters of alternative text no chat takes."""


class Theme(StrEnum):
    DARK = "dark"
    LIGHT = "light"


class SeatLook(Struct, frozen=True):
    """How a seat is shown: the person's *name* (any text), a colour's name, and whether the house plays it."""

    name: str
    colour: str = ""
    house: bool = False


class Look(Struct, frozen=True):
    """Everything about a picture that is not in the view.

    *seats*: one per seat. *side*: the seat from whose side the board is seen, None: as the game's page draws it.
    *lang*: the language of the alternative text. *ended*: the outcome where the table ended the game (a resignation).
    """

    seats: tuple[SeatLook, ...]
    side: int | None = None
    theme: Theme = Theme.DARK
    lang: str = "en"
    ended: Outcome | None = None


class Drawer(Protocol):
    """A module of ``renderers/games``. More functions are looked for and may be missing: ``sprites() ->
    Iterable[Sprite]`` (what to draw before the first picture), ``diagram(page, look) -> Scene | None``, and where seats
    hold something privately ``hand(view, seat, look) -> Scene | None``, ``hand_text(view, seat, look) -> str | None``.
    """

    def scene(self, view: Any, look: Look) -> "Scene": ...

    def alt_text(self, view: Any, look: Look) -> str: ...


POSITIONS = Path(__file__).parent / "positions"
"""One folder a game with positions in its documented JSON: golden ones, and ``rules-<page>.json`` as diagrams."""


@cache
def drawers() -> dict[str, Drawer]:
    """The drawers that there are, by game."""
    from renderers import games

    names = sorted(module.name for module in iter_modules(games.__path__))
    return {name: cast("Drawer", import_module(f"renderers.games.{name}")) for name in names}


def drawer(view: object) -> Drawer:
    """The drawer of the game whose view this is, found by the module of its type.

    Raises KeyError for a view of a game without a drawer.
    """
    module = type(view).__module__
    return drawers()[module.removeprefix("rules.games.").split(".")[0]]


def picture(view: object, look: Look) -> bytes:
    """The board of *view* as a PNG."""
    from renderers.paint import painter

    return painter(look.theme).paint(drawer(view).scene(view, look))


def alt_text(view: object, look: Look) -> str:
    """The board of *view* in words, at most ``ALT_LONGEST`` characters, what matters most first."""
    from renderers.lettering import shortened

    return shortened(drawer(view).alt_text(view, look), ALT_LONGEST)


def hand(view: object, seat: int, look: Look) -> bytes | None:
    """What *seat* holds as a PNG; None in a game without hands, and where *view* shows nothing of this one."""
    from renderers.paint import painter

    own = getattr(drawer(view), "hand", None)
    scene: Scene | None = own(view, seat, look) if own is not None else None
    return None if scene is None else painter(look.theme).paint(scene)


def hand_text(view: object, seat: int, look: Look) -> str | None:
    """What *seat* holds in words, at most ``ALT_LONGEST`` characters; None where `hand` is None."""
    from renderers.lettering import shortened

    own = getattr(drawer(view), "hand_text", None)
    text: str | None = own(view, seat, look) if own is not None else None
    return None if text is None else shortened(text, ALT_LONGEST)


def diagram(game: str, page: int, look: Look) -> bytes | None:
    """The PNG that goes with *page* (from 1) of the rules of *game*; None where there is none."""
    from renderers.paint import painter

    found = drawers().get(game)
    if found is None:
        return None
    own = getattr(found, "diagram", None)
    scene: Scene | None = own(page, look) if own is not None else None
    if scene is None:
        source = POSITIONS / game / f"rules-{page}.json"
        if not source.exists():
            return None
        scene = found.scene(_position(game, source), look)
    return painter(look.theme).paint(scene)


@cache
def _position(game: str, source: Path) -> Any:
    from rules import GAMES

    return GAMES[game].decode(source.read_bytes()).view(None)


def prepare() -> None:
    """Draw everything that pictures share, in every theme: to be called once, in a thread, before the first picture."""
    for _ in preparations(*Theme):
        pass


def preparations(*themes: Theme) -> Iterator[None]:
    """The same for some themes, in steps of some milliseconds: for whoever may want to stop or paint in between."""
    from renderers.paint import painter

    for theme in themes:
        for name, found in drawers().items():
            sprites: Iterable[Sprite] = getattr(found, "sprites", tuple)()
            for sprite in sprites:
                painter(theme).prepare([sprite])
                yield
            for source in sorted((POSITIONS / name).glob("*.json")):
                view = _position(name, source)
                painter(theme).paint(found.scene(view, Look((), theme=theme)))
                yield
