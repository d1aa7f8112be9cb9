"""The golden positions, and helpers that read the contents of pictures from their scenes."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import cycle
from typing import Any

from msgspec.structs import replace
from PIL import Image

from kaleidobot.testing.selection import games_under_test
from renderers import Look, SeatLook, Theme, board, card, charts, drawer, lobbies, picture, positions_of
from renderers.charts import Bar, Chart, Curve
from renderers.palette import HUES
from renderers.scene import AnyShape, Scene, Stamp, Text, parts
from rules import GAMES

NAMES = ("Anna", "Benedikt", "Chloé", "Dmitri", "Eva-Maria", "Finn")
ODD_NAMES = (
    "",
    " \n\t ",
    "🎉👨‍👩‍👧‍👦",
    "محمد بن سلمان",
    "שלום עולם",
    "王小明",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G",
    "W" * 10_000,
    "\u202egnp.exe\u202c",
    "<b>&amp; @everyone",
    "\x00\x1b[31m",
    "ﷺ" * 50,
)


@cache
def positions() -> dict[str, Any]:
    """Return every golden position as the view of a spectator, by "game/name"."""
    views = {}
    for game in games_under_test():
        for source in positions_of(game):
            try:
                views[f"{game}/{source.stem}"] = GAMES[game].decode(source.read_bytes()).view(None)
            except ValueError as wrong:
                raise ValueError(f"positions/{source.name} cannot be read: {wrong}") from wrong
    return views


def some_positions() -> dict[str, Any]:
    """Return every third position, with some of each game."""
    return dict(list(positions().items())[::3])


def digests() -> dict[str, str]:
    """Return a fingerprint of some pictures, in alternating themes; of a finished game also of its card."""
    pictures = dict[str, bytes]()
    for (name, view), theme in zip(some_positions().items(), cycle(Theme), strict=False):
        pictures[f"{name} {theme}"] = picture(view, a_look(theme=theme))
        if view.outcome is not None:
            pictures[f"{name}-card {theme}"] = card(view, a_look(theme=theme))
    return {name: sha256(png).hexdigest() for name, png in pictures.items()}


def a_look(*names: str, theme: Theme = Theme.DARK, **facts: Any) -> Look:
    """Return a look with these names, or with usual ones."""
    return Look(tuple(map(SeatLook, names or NAMES)), theme=theme, **facts)


def scene_of(view: Any, look: Look | None = None) -> Scene:
    return drawer(view).scene(view, look or a_look())


def scenes(game: str, theme: Theme) -> Iterator[tuple[str, Scene]]:
    """Yield all scenes of *game*: positions, final ones with their plaque, choices, hands, and the lobby."""
    look = a_look(theme=theme)
    for source in positions_of(game):
        state = GAMES[game].decode(source.read_bytes())
        view, name = state.view(None), f"{game}/{source.stem}"
        yield name, board(view, replace(look, turns=42, minutes=3 * 24 * 60))
        if state.actor is None:
            continue
        parts_of = {part for action in view.actions() for part in action.parts}
        marked = board(view, replace(look, choices=tuple(sorted(parts_of))))
        yield f"{name} with choices", replace(marked, shapes=(*marked.shapes, *marked.marks), marks=())
        hand = drawer(view).hand(state.view(state.actor), state.actor, look)
        if hand is not None:
            yield f"{name}, a hand", hand
            yield f"{name} with a hand", board(state.view(state.actor), replace(look, hand=state.actor))
    yield f"{game} lobby", lobbies.scene(game, Look(look.seats[:2], theme=theme))


CHARTS = {
    "how a rating went": Chart(
        "Anna",
        tuple(Curve(f"Game {n}", tuple(1000.0 + 10 * n + k * (-1) ** n for k in range(20 - n))) for n in range(6)),
        tuple(Bar(f"Game {n}", (n + 1) / 6, f"{n + 1} games", n / 5, sign=str(n + 1)) for n in range(6)),
        steps="games",
    ),
    "how a game went": Chart(
        "How it went",
        tuple(Curve(f"P{n}", tuple(float((k * (n + 2)) % 97) for k in range(40))) for n in range(6)),
        unit="%",
        steps="turns",
        first=0,
        marks=(5, 6, 39),
    ),
    **{
        f"seats that chose their hues, {k} on": Chart(
            "Hues", tuple(Curve(hue, (1.0, 2.0 + n), hue) for n, hue in enumerate(HUES[k : k + 6]))
        )
        for k in (0, 4)
    },
}
"""Charts with all features: crossing curves of every hue, with highlighted steps; rows with bars."""


def figures(theme: Theme) -> Iterator[tuple[str, Scene]]:
    """Yield the scenes of charts."""
    yield from ((name, charts.scene(chart, a_look(theme=theme))) for name, chart in CHARTS.items())


def laid(scene: Scene) -> Iterator[AnyShape]:
    """Yield all shapes that are not still: of tiles their shapes, other sprites as stamps."""
    for shape in scene.shapes:
        if isinstance(shape, Stamp) and shape.sprite.ground:
            yield from shape.sprite.shapes
        else:
            yield shape


def live(scene: Scene) -> Iterator[AnyShape]:
    """Yield all shapes that are not still, at any depth in sprites."""
    return parts(scene.shapes)


def words(scene: Scene) -> list[str]:
    """Return every text that is not still."""
    return [shape.text for shape in live(scene) if isinstance(shape, Text)]


def tiles(scene: Scene, kind: str) -> list[Stamp]:
    """Return the tiles whose names begin with *kind*, in painting order."""
    return [shape for shape in scene.shapes if isinstance(shape, Stamp) and shape.sprite.name.split()[0] == kind]


def pixels(png: bytes) -> Image.Image:
    """Return the picture in colour."""
    return Image.open(BytesIO(png)).convert("RGB")
