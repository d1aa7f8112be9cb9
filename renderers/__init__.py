"""Boards as pictures and as text. Renderers get views only, and know nothing about chats.

    picture(view, look) -> PNG bytes       alt_text(view, look) -> str       diagram(game, page, look) -> PNG bytes
    hand(view, seat, look), hand_text(view, seat, look): the private hand of a seat
    lobby(game, look), lobby_text(game, look): the table before the game
    card(view, look), card_text(view, look): the card of a finished game, with a rosette of its board
    badge(game, stars, look): the badge of a win
    chart(chart, look), chart_text(chart, look): figures
    pieces(view, seat, look): the places of the pieces of a seat in the picture
    spots(view, look): the places of the parts of actions in the picture

A drawer is a package in ``renderers/games`` with the name of its game, or a part of an installed package
(`rules.packages`); no other code has to know it.
``renderers/games/__init__.py`` explains how to write one. All functions are safe to call from any thread.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

import rules  # first of ours: it loads the drawers of packages, which import modules of this package
from renderers.contract import Drawer
from renderers.frame import distinct_names, seat_colour
from renderers.lettering import shortened
from renderers.look import Look, Recent, SeatLook, Theme
from renderers.outlines import Outline
from renderers.palette import colours
from renderers.scene import Scene, moved

if TYPE_CHECKING:
    from renderers.charts import Chart
    from renderers.crowd_cards import Crowd
    from renderers.puzzle_cards import PuzzleResult

ALT_LONGEST = 1000
"""The limit of characters for an alternative text in chats."""
SHORTER_NAMES = (16, 10, 6)
"""Limits of characters for names, tried in this order if a text is too long, so that the end of the board is not
cut."""


POSITIONS = Path(__file__).parent / "positions"
"""One folder per game with golden positions in their documented JSON; ``rules-<page>.json`` are diagrams, too."""


@cache
def drawers() -> dict[str, Drawer[Any]]:
    """Return all drawers, by game."""
    from renderers import games

    own = {module.name: f"renderers.games.{module.name}" for module in iter_modules(games.__path__)}
    modules = dict(sorted(own.items())) | {name: f"{package.module}.drawer" for name, package in rules.PACKAGES.items()}
    return {name: import_module(module).DRAWER for name, module in modules.items()}


def drawer(view: object) -> Drawer[Any]:
    """Return the drawer of the game of *view*, which is found by the module of its type.

    Raises KeyError if the game has no drawer.
    """
    return drawers()[game_of(view)]


def game_of(view: object) -> str:
    """Return the id of the game of *view*.

    >>> from rules.games.kabooom import GAME
    >>> game_of(GAME.start(2, seed=0))
    'kabooom'
    """
    return _game_of(type(view).__module__)


@cache
def _game_of(module: str) -> str:
    own = (name for name, package in rules.PACKAGES.items() if module.startswith(f"{package.module}."))
    return next(own, module.removeprefix("rules.games.").split(".")[0])


def positions_of(game: str) -> tuple[Path, ...]:
    """Return the files of the golden positions of *game*."""
    return tuple(sorted(_positions(game).glob("*.json")))


def _positions(game: str) -> Path:
    return rules.PACKAGES[game].folder / "positions" if game in rules.PACKAGES else POSITIONS / game


def seat_rgb(game: str, seat: int, look: Look) -> tuple[int, int, int]:
    """Return the colour of *seat* in the pictures of *game*: red, green, blue.

    >>> seat_rgb("kabooom", 1, Look((SeatLook("Ada"), SeatLook("Ben", "orange"))))
    (242, 119, 0)
    """
    return colours(look.theme)[seat_hue(game, seat, look)]


def seat_hue(game: str, seat: int, look: Look) -> str:
    """Return the name of that colour in the palette.

    >>> seat_hue("kalejdoschach", 0, Look((SeatLook("Ada"), SeatLook("Ben"))))
    'white'
    """
    return seat_colour(look, seat, drawers()[game].hues)


def spots(view: object, look: Look) -> Mapping[str, Outline]:
    """Return the places of the parts of actions in the picture of *view*: part -> its outline in pixels.

    Parts that are not on the board are missing. *look.chosen* matters if a part means different places after others.
    """
    return drawer(view).spots(view, look)


def is_turned(game: str) -> bool:
    """Return whether each seat of *game* sees the board from its own side."""
    return drawers()[game].is_turned


def pieces(view: Any, seat: int, look: Look) -> tuple[Outline, ...]:
    """Return the outlines of the pieces of *seat* in the picture of *view*, in pixels."""
    own = drawer(view)
    outlines = tuple(own.pieces(view, seat, look))
    if not is_final(view, look):
        return outlines
    from renderers.plaque import margin

    beside = margin(own.scene(view, look).size)
    return tuple(moved(outline, (beside, 0)) for outline in outlines)


def board(view: object, look: Look) -> Scene:
    """Return the board of *view*, with the marks of *look.numbers*, *look.choices* and *look.chosen*, or with the
    plaque if final."""
    own = drawer(view)
    scene = own.scene(view, look)
    if look.numbers:
        from renderers.outlines import numbered

        scene = replace(scene, shapes=(*scene.shapes, *numbered(own.spots(view, look), look.numbers)))
    if look.choices or look.chosen:
        return replace(scene, marks=tuple(own.marks(view, look)))
    if is_final(view, look):
        from renderers.plaque import with_plaque

        return with_plaque(scene, game_of(view), view, look)
    return scene


def is_final(view: Any, look: Look) -> bool:
    """Return whether the board has a plaque under it: the game is over, and *look* has its length."""
    return (look.turns, look.minutes) != (None, None) and (look.ended or view.outcome) is not None


def picture(view: object, look: Look) -> bytes:
    """Return the board of *view* as a PNG."""
    from renderers.paint import painter

    return painter(look.theme).paint(board(view, look))


def alt_text(view: object, look: Look) -> str:
    """Return the board of *view* in words, at most ``ALT_LONGEST`` characters, the most important facts first."""
    last = ""
    if is_final(view, look):
        from renderers.plaque import took

        last = f" {took(look)}."
    own, room = drawer(view), ALT_LONGEST - len(last)
    words = own.alt_text(view, look)
    if len(words) > room:
        shorter = (own.alt_text(view, _named(look, most)) for most in SHORTER_NAMES)
        words = next((text for text in shorter if len(text) <= room), words)
    return shortened(words, room) + last


def _named(look: Look, most: int) -> Look:
    """Return *look* with names of at most *most* characters, which still tell the seats apart."""
    names = distinct_names(tuple(seat.name for seat in look.seats), most)
    return replace(look, seats=tuple(replace(seat, name=name) for seat, name in zip(look.seats, names, strict=True)))


def hand(view: object, seat: int, look: Look) -> bytes | None:
    """Return the hand of *seat* as a PNG; None if the game has no hands or *view* does not show this one."""
    from renderers.paint import painter

    scene = drawer(view).hand(view, seat, look)
    return None if scene is None else painter(look.theme).paint(scene)


def hand_text(view: object, seat: int, look: Look) -> str | None:
    """Return the hand of *seat* in words, at most ``ALT_LONGEST`` characters; None if `hand` is None."""
    text = drawer(view).hand_text(view, seat, look)
    return None if text is None else shortened(text, ALT_LONGEST)


def diagram(game: str, page: int, look: Look) -> bytes | None:
    """Return the PNG for *page* (from 1) of the rules of *game*, or None."""
    from renderers.paint import painter

    own = drawers().get(game)
    if own is None:
        return None
    scene = own.diagram(page, look)
    if scene is None:
        source = _positions(game) / f"rules-{page}.json"
        if not source.exists():
            return None
        scene = own.scene(position(game, source), look)
    return painter(look.theme).paint(scene)


@cache
def position(game: str, source: Path) -> Any:
    """Return a spectator's view of the position in the file *source*."""
    return rules.GAMES[game].decode(source.read_bytes()).view(None)


def lobby(game: str, look: Look) -> bytes:
    """Return the lobby of *game* as a PNG, with the people of *look* in its first seats."""
    from renderers import lobbies
    from renderers.paint import painter

    return painter(look.theme).paint(lobbies.scene(game, look))


def lobby_text(game: str, look: Look) -> str:
    """Return the lobby of *game* in words, at most ``ALT_LONGEST`` characters."""
    from renderers import lobbies

    return shortened(lobbies.alt_text(game, look), ALT_LONGEST)


def card(view: object, look: Look) -> bytes:
    """Return the card of a finished game as a PNG. *view*: a spectator's."""
    from renderers import cards
    from renderers.paint import painter

    return painter(look.theme).paint(cards.scene(view, look))


def card_text(view: object, look: Look) -> str:
    """Return that card in words, at most ``ALT_LONGEST`` characters."""
    from renderers import cards

    return shortened(cards.alt_text(view, look), ALT_LONGEST)


def badge(game: str, stars: int, look: Look) -> bytes:
    """Return the badge of *game* as a PNG; *stars*: as in `renderers.badges.scene`."""
    from renderers import badges
    from renderers.paint import painter

    return painter(look.theme).paint(badges.scene(game, stars))


def puzzle_card(view: object, look: Look, answer: "PuzzleResult") -> bytes:
    """Return the card of an answered daily puzzle as a PNG. *view*: a spectator's, of its first position."""
    from renderers import puzzle_cards as cards
    from renderers.paint import painter

    return painter(look.theme).paint(cards.scene(view, look, answer))


def puzzle_card_text(view: object, look: Look, answer: "PuzzleResult") -> str:
    """Return that card in words."""
    from renderers import puzzle_cards as cards

    return cards.alt_text(view, look, answer)


def crowd_card(view: object, look: Look, known: "Crowd") -> bytes:
    """Return the card of a channel's finished game as a PNG. *view*: a spectator's."""
    from renderers import crowd_cards as cards
    from renderers.paint import painter

    return painter(look.theme).paint(cards.scene(view, look, known))


def crowd_card_text(view: object, look: Look, known: "Crowd") -> str:
    """Return that card in words, at most ``ALT_LONGEST`` characters."""
    from renderers import crowd_cards as cards

    return shortened(cards.alt_text(view, look, known), ALT_LONGEST)


def chart(chart: "Chart", look: Look) -> bytes:
    """Return figures as a PNG."""
    from renderers import charts
    from renderers.paint import painter

    return painter(look.theme).paint(charts.scene(chart, look))


def chart_text(chart: "Chart", look: Look) -> str:
    """Return figures in words, at most ``ALT_LONGEST`` characters."""
    from renderers import charts

    return shortened(charts.alt_text(chart, look), ALT_LONGEST)


def prepare(*themes: Theme) -> None:
    """Draw the parts that pictures share, in *themes* or in all. Call it once, in a thread, before the first
    picture."""
    for _ in preparations(*(themes or Theme)):
        pass


def preparations(*themes: Theme) -> Iterator[None]:
    """Do the same in steps of some milliseconds, so that the caller can stop or paint in between."""
    from renderers.paint import painter

    for theme in themes:
        for name, own in drawers().items():
            for sprite in own.sprites():
                painter(theme).prepare([sprite])
                yield
            for source in positions_of(name):
                view = position(name, source)
                painter(theme).paint(own.scene(view, Look((), theme=theme)))
                yield
            lobby(name, Look((), theme=theme))
            yield


__all__ = [
    "ALT_LONGEST",
    "POSITIONS",
    "SHORTER_NAMES",
    "Drawer",
    "Look",
    "Recent",
    "SeatLook",
    "Theme",
    "alt_text",
    "badge",
    "board",
    "card",
    "card_text",
    "chart",
    "chart_text",
    "crowd_card",
    "crowd_card_text",
    "diagram",
    "drawer",
    "drawers",
    "game_of",
    "hand",
    "hand_text",
    "is_final",
    "is_turned",
    "lobby",
    "lobby_text",
    "picture",
    "pieces",
    "position",
    "positions_of",
    "preparations",
    "prepare",
    "puzzle_card",
    "puzzle_card_text",
    "seat_hue",
    "seat_rgb",
    "spots",
]
