"""Helpers that read the contents of Crystalla's pictures from their scenes."""

from collections.abc import Iterator

from kaleidobot.testing.looking import positions, scene_of
from kaleidobot.testing.playing import games
from renderers import Look
from renderers.games.crystalla import homes
from renderers.scene import AnyShape, Box, Point, Scene, Sprite, Stamp, Text, parts
from rules.games.crystalla import COLOURS, COLUMNS, ROWS, Phase, State

MINE: dict[str, State] = {name.split("/")[1]: view for name, view in positions().items() if "crystalla/" in name}
RUNNING = {name: view for name, view in MINE.items() if view.outcome is None}
OVER = [name for name, view in MINE.items() if view.outcome is not None]
"""The names of finished positions."""
TOURMALINE = (0, 1, 3, 6, 10, 15, 21, 28)
DIAMOND = (0, 1, 2, 3, 5, 8, 13, 21, 34)
"""The tables of the rules: points by number of segments, and by size of a group."""
WALKING = {name: view for name, view in RUNNING.items() if view.phase not in (Phase.SWAP, Phase.PLACE)}


def some_states() -> Iterator[State]:
    """Yield some positions of the recorded games, with the last ones."""
    for played in games("crystalla"):
        yield from played.states[::17]
        yield played.states[-1]


def stamps(scene: Scene | Sprite, name: str) -> list[Stamp]:
    """Return the stamps of a scene or a sprite whose sprites have such names, in painting order."""
    return [shape for shape in scene.shapes if isinstance(shape, Stamp) and shape.sprite.name.startswith(name)]


def within(sprite: Sprite, name: str) -> list[Sprite]:
    """Return the sprites in a sprite, at any depth, with such names."""
    return [
        part.sprite for part in parts(sprite.shapes) if isinstance(part, Stamp) and part.sprite.name.startswith(name)
    ]


def texts(sprite: Sprite) -> list[str]:
    """Return the lettering of a sprite itself."""
    return [part.text for part in sprite.shapes if isinstance(part, Text)]


def home_of(view: State, at: Point) -> int:
    """Return the seat whose home contains this place."""
    (seat,) = [
        seat
        for seat, home in enumerate(homes.table(view.seats).homes)
        if abs(at[0] - home.area.middle[0]) < home.area.width / 2
        and abs(at[1] - home.area.middle[1]) < home.area.height / 2
    ]
    return seat


def cells(view: State, look: Look | None = None) -> dict[tuple[int, str], Sprite]:
    """Return the tile of every card, by seat and cell, found by its place."""
    by_cell = {}
    places = {
        home.cell(column, row).middle: (seat, f"{COLUMNS[column]}{row + 1}", home.side)
        for seat, home in enumerate(homes.table(view.seats).homes)
        for column in range(len(COLUMNS))
        for row in range(ROWS)
    }
    for stamp in stamps(scene_of(view, look), "cell"):
        seat, cell, size = places[stamp.at]
        assert (seat, cell) not in by_cell
        assert stamp.sprite.name.split()[2] == str(size)
        by_cell[seat, cell] = stamp.sprite
    return by_cell


def laid(view: State) -> dict[tuple[int, str], str]:
    return {
        (seat, f"{COLUMNS[column]}{row + 1}"): card
        for seat, display in enumerate(view.displays)
        for column, cards in enumerate(display)
        for row, card in enumerate(cards)
    }


def stacks(view: State) -> dict[int, Sprite]:
    return {int(stamp.sprite.name.split()[1]): stamp.sprite for stamp in stamps(scene_of(view), "stack")}


def letters(sprite: Sprite, kind: str = "stone") -> str:
    """Return the letters of the stones on a tile, in the order of colours."""
    names = [stone.name.split()[1] for stone in within(sprite, kind)]
    return "".join(sorted(names, key=COLOURS.index))


def heap(shapes: tuple[AnyShape, ...], kind: str = "") -> str:
    """Return the stones as letters, repeated by their number; *kind*: "fresh" for fresh ones only."""
    stones: list[str] = []
    counts = False
    for shape in shapes:
        match shape:
            case Stamp(sprite=sprite) if sprite.name.startswith("stone"):
                counts = kind in sprite.name
                stones += [sprite.name.split()[1]] * counts
            case Text(text=text) if counts and text.removeprefix("×").isdigit():
                stones += [stones[-1]] * (int(text.removeprefix("×")) - 1)
            case _:
                pass
    return "".join(sorted(stones, key=COLOURS.index))


def outline(sprite: Sprite) -> tuple[str, float]:
    """Return colour and width of the line around a key, tray or home."""
    ground = _ground(sprite)
    return ground.line, ground.width


def is_up(sprite: Sprite) -> bool:
    """Return whether a key, tray or stage is raised, which means that it has choices."""
    return _ground(sprite).fill == "panel.up"


def _ground(sprite: Sprite) -> Box:
    return next(
        part
        for part in sprite.shapes
        if isinstance(part, Box) and (part.fill == "panel" or part.fill.endswith((".up", ".floor")))
    )


def on_stage(view: State, look: Look | None = None) -> tuple[AnyShape, ...]:
    """Return the shapes on the stage."""
    stage = homes.table(view.seats).stage
    return tuple(
        shape
        for shape in scene_of(view, look).shapes
        if isinstance(shape, Stamp | Text)
        and abs(shape.at[0] - stage.middle[0]) < stage.width / 2
        and abs(shape.at[1] - stage.middle[1]) < stage.height / 2
    )


def apart(one: Point, other: Point) -> Point:
    return one[0] - other[0], one[1] - other[1]
