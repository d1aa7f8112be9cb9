"""The title in a column beside a board: the game's emblem and name, with lines about the game below."""

from functools import lru_cache

from renderers.lettering import width
from renderers.scene import AnyShape, Sprite, Stamp, Text

NAMES, LINE = (44, 40, 36), 28
"""Sizes of the name, the largest that fits first, and size of the lines."""
BELOW = 36
"""Distance of the name from the emblem."""
PITCH = 38


@lru_cache(256)
def title(emblem: Sprite, name: str, lines: tuple[str, ...], wide: float) -> Sprite:
    """Return the title, *wide* units wide."""
    (_, reach), high = emblem.reach, height(emblem, len(lines))
    y = reach - high / 2
    size = next((size for size in NAMES if width(name, size) <= wide), NAMES[-1])
    shapes: list[AnyShape] = [
        Stamp(emblem, (0, y)),
        Text((0, y + reach + BELOW), name, size, align="middle", room=wide),
    ]
    for k, line in enumerate(lines):
        at = 0.0, y + reach + BELOW + 44 + PITCH * k
        shapes.append(Text(at, line, LINE, "muted", bold=False, align="middle", room=wide))
    return Sprite(f"title {name} {' '.join(lines)}".rstrip(), (wide / 2, high / 2), tuple(shapes), "ground")


def height(emblem: Sprite, lines: int) -> float:
    """Return the height of a title with so many lines."""
    return 2 * emblem.reach[1] + BELOW + 28 + PITCH * lines
