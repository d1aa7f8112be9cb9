"""Boards as pictures and as text. Renderers see views only, and know nothing of chats.

    picture(view, look) -> PNG bytes       alt_text(view, look) -> str       diagram(game, page, look) -> PNG bytes
    hand(view, seat, look), hand_text(view, seat, look): the same of what a seat holds, for its own eyes
    lobby(game, look), lobby_text(game, look): before the game
    chart(chart, look), chart_text(chart, look): figures
    spots(view, look): where in the picture the parts of actions are

A drawer is a module in ``renderers/games`` named like its game; nothing else has to learn about it, and
``renderers/games/__init__.py`` tells how to write one. All of this may be called from any thread.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol, cast

from msgspec import Struct
from msgspec.structs import replace

from rules.contract import Outcome

if TYPE_CHECKING:
    from renderers.charts import Chart
    from renderers.outlines import Outline
    from renderers.scene import AnyShape, Scene, Sprite

ALT_LONGEST = 1000
"""More characters of alternative text no chat takes."""
SHORTER_NAMES = (16, 10, 6)
"""Characters of the names in a text that is too long otherwise: rather than that the end of the board goes."""


class Theme(StrEnum):
    DARK = "dark"
    LIGHT = "light"


class SeatLook(Struct, frozen=True):
    """How a seat is shown: the person's *name* (any text), a colour's name, and whether the house plays it.

    *stands_in*: it does so for that person, who has not won what it wins. *just*: only since this turn, so what this
    seat did last was done by that person.
    """

    name: str
    colour: str = ""
    house: bool = False
    stands_in: bool = False
    just: bool = False


class Look(Struct, frozen=True):
    """Everything about a picture that is not in the view.

    *seats*: one per seat. *side*: the seat from whose side the board is seen, None: as the game's page draws it.
    *lang*: the language of the alternative text. *ended*: the outcome where the table ended the game (a resignation).
    *turns*, *minutes*: how long a game took that is over; a plaque under its board tells them.
    *hand*: the seat whose hand is shown beside the board, where it has one and the view knows it; for its eyes only.
    *choices*: the parts of actions that can be chosen next, *chosen*: those chosen so far, both marked for one person.
    """

    seats: tuple[SeatLook, ...]
    side: int | None = None
    theme: Theme = Theme.DARK
    lang: str = "en"
    ended: Outcome | None = None
    turns: int | None = None
    minutes: int | None = None
    hand: int | None = None
    choices: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()


class Drawer(Protocol):
    """A module of ``renderers/games``. More is looked for and may be missing:

    ``sprites() -> Iterable[Sprite]``: what to draw before the first picture. ``emblem() -> Sprite``: the game's own
    small sign. ``HANDED_OUT``: the hues of seats that chose none, in their order. ``SAMPLE``: the name of the golden
    position that stands for the game. ``banner() -> tuple[Sprite, ...]``: the pieces that its lobby shows.
    ``diagram(page, look) -> Scene | None``. ``spots(view, look) -> Mapping[str, Outline]``, and ``marks(view, look) ->
    tuple[AnyShape, ...]`` where those of all games do not fit. Where seats hold something privately, ``hand(view,
    seat, look) -> Scene | None`` and ``hand_text(view, seat, look) -> str | None``.
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
    return drawers()[game_of(view)]


def game_of(view: object) -> str:
    """The id of the game whose view this is.

    >>> from rules.games.kabooom import GAME
    >>> game_of(GAME.start(2, seed=0))
    'kabooom'
    """
    return type(view).__module__.removeprefix("rules.games.").split(".")[0]


def emblem(game: str) -> "Sprite | None":
    """The small sign of *game*, reaching 24 at most to each side; None where the drawer has none."""
    own = getattr(drawers().get(game), "emblem", None)
    found: Sprite | None = own() if own is not None else None
    return found


def banner(game: str) -> "tuple[Sprite, ...]":
    """The pieces of *game* that its lobby shows, from left to right; none where the drawer has none."""
    own = getattr(drawers().get(game), "banner", None)
    found: tuple[Sprite, ...] = own() if own is not None else ()
    return found


def sample(game: str) -> str:
    """The name of the golden position that shows what *game* looks like."""
    named: str | None = getattr(drawers()[game], "SAMPLE", None)
    return named or next(path.stem for path in sorted((POSITIONS / game).glob("*.json")))


def handed_out(game: str) -> tuple[str, ...]:
    """The hues of the seats of *game* that chose none, in their order."""
    from renderers.palette import HUES

    hues: tuple[str, ...] = getattr(drawers().get(game), "HANDED_OUT", HUES)
    return hues


def seat_rgb(game: str, seat: int, look: Look) -> tuple[int, int, int]:
    """The colour that *seat* has in the pictures of *game*: red, green, blue.

    >>> seat_rgb("kabooom", 1, Look((SeatLook("Ada"), SeatLook("Ben", "orange"))))
    (242, 119, 0)
    """
    from renderers.palette import colours

    return colours(look.theme)[seat_hue(game, seat, look)]


def seat_hue(game: str, seat: int, look: Look) -> str:
    """The same by its name in the palette.

    >>> seat_hue("kalejdoschach", 0, Look((SeatLook("Ada"), SeatLook("Ben"))))
    'white'
    """
    from renderers.frame import seat_colour

    return seat_colour(look, seat, handed_out(game))


def spots(view: object, look: Look) -> "Mapping[str, Outline]":
    """Where in the picture of *view* the parts of actions are: part -> its outline in pixels.

    What is not on the board has none; nothing at all where the drawer does not tell. *look.chosen* counts where a word
    means different places after different parts.
    """
    own = getattr(drawer(view), "spots", None)
    found: Mapping[str, Outline] = own(view, look) if own is not None else {}
    return found


def board(view: object, look: Look) -> "Scene":
    """The board of *view* with the marks of what *look* says can be chosen and is chosen; a final one with a plaque."""
    scene = drawer(view).scene(view, look)
    if look.choices or look.chosen:
        return replace(scene, shapes=(*scene.shapes, *_marks(view, look)))
    if is_final(view, look):
        from renderers.plaque import with_plaque

        return with_plaque(scene, game_of(view), view, look)
    return scene


def _marks(view: object, look: Look) -> "Iterable[AnyShape]":
    """The marks of what can be chosen and is chosen: the drawer's own, else the same for every game."""
    from renderers.outlines import marks

    own = getattr(drawer(view), "marked", None)
    found: Iterable[AnyShape] | None = own(view, look) if own is not None else None
    return marks(spots(view, look), look.choices, look.chosen) if found is None else found


def is_final(view: Any, look: Look) -> bool:
    """Whether the board has a plaque under it: the game is over, and *look* tells how long it took."""
    return (look.turns, look.minutes) != (None, None) and (look.ended or view.outcome) is not None


def picture(view: object, look: Look) -> bytes:
    """The board of *view* as a PNG."""
    from renderers.paint import painter

    return painter(look.theme).paint(board(view, look))


def alt_text(view: object, look: Look) -> str:
    """The board of *view* in words, at most ``ALT_LONGEST`` characters, what matters most first."""
    from renderers.lettering import shortened

    last = ""
    if is_final(view, look):
        from renderers.plaque import took

        last = f" {took(look)}."
    own, room = drawer(view), ALT_LONGEST - len(last)
    told = own.alt_text(view, look)
    if len(told) > room:
        shorter = (own.alt_text(view, _named(look, most)) for most in SHORTER_NAMES)
        told = next((each for each in shorter if len(each) <= room), told)
    return shortened(told, room) + last


def _named(look: Look, most: int) -> Look:
    """*look* with names of at most so many characters, which still tell the seats apart."""
    from renderers.frame import told_apart

    names = told_apart(tuple(seat.name for seat in look.seats), most)
    return replace(look, seats=tuple(replace(seat, name=name) for seat, name in zip(look.seats, names, strict=True)))


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
        scene = found.scene(position(game, source), look)
    return painter(look.theme).paint(scene)


@cache
def position(game: str, source: Path) -> Any:
    """What a spectator sees of the position in the file *source*."""
    from rules import GAMES

    return GAMES[game].decode(source.read_bytes()).view(None)


def lobby(game: str, look: Look) -> bytes:
    """The lobby of *game* as a PNG, the people of *look* on its first seats."""
    from renderers import lobbies
    from renderers.paint import painter

    return painter(look.theme).paint(lobbies.scene(game, look))


def lobby_text(game: str, look: Look) -> str:
    """The lobby of *game* in words, at most ``ALT_LONGEST`` characters."""
    from renderers import lobbies
    from renderers.lettering import shortened

    return shortened(lobbies.alt_text(game, look), ALT_LONGEST)


def chart(chart: "Chart", look: Look) -> bytes:
    """Figures as a PNG."""
    from renderers import charts
    from renderers.paint import painter

    return painter(look.theme).paint(charts.scene(chart, look))


def chart_text(chart: "Chart", look: Look) -> str:
    """The same figures in words, at most ``ALT_LONGEST`` characters."""
    from renderers import charts
    from renderers.lettering import shortened

    return shortened(charts.alt_text(chart, look), ALT_LONGEST)


def prepare(*themes: Theme) -> None:
    """Draw everything that pictures share, in these *themes* or in all: to be called once, in a thread, before the
    first picture."""
    for _ in preparations(*(themes or Theme)):
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
                view = position(name, source)
                painter(theme).paint(found.scene(view, Look((), theme=theme)))
                yield
            lobby(name, Look((), theme=theme))
            yield
