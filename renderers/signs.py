"""Figures that identify seats and colours without colour, and the signs that every game's panel needs."""

from math import cos, pi, sin

from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon, Sector


def regular(at: Point, radius: float, corners: int, turn: float = 0, inner: float | None = None) -> tuple[Point, ...]:
    """Return the corners of a regular polygon, the first *turn* degrees clockwise from 12 o'clock; *inner* makes a
    star.

    >>> [(round(x), round(y)) for x, y in regular((0, 0), 10, 4)]
    [(0, -10), (10, 0), (0, 10), (-10, 0)]
    """
    count = corners if inner is None else 2 * corners
    radii = (radius, radius if inner is None else inner)
    return tuple(
        (
            at[0] + radii[k % 2] * sin(turn * pi / 180 + 2 * pi * k / count),
            at[1] - radii[k % 2] * cos(turn * pi / 180 + 2 * pi * k / count),
        )
        for k in range(count)
    )


def figure(name: str, at: Point, radius: float, fill: str, line: str = "", width: float = 2) -> AnyShape:
    """Return the figure *name* (a seat's mark or a colour's sign), about as large as a disc of *radius*.

    Raises KeyError for an unknown name.
    """
    x, y = at
    match name:
        case "disc":
            return Disc(at, radius, fill, line, width)
        case "ring":
            return Disc(at, radius, "", fill, max(width, radius * 0.34))
        case "square":
            side = radius * 0.88
            return Box((x - side, y - side), (2 * side, 2 * side), fill, line, width, round=radius * 0.12)
        case "triangle":
            points = regular((x, y + radius * 0.2), radius * 1.2, 3)
        case "diamond":
            points = ((x, y - radius * 1.15), (x + radius * 0.95, y), (x, y + radius * 1.15), (x - radius * 0.95, y))
        case "pentagon":
            points = regular((x, y + radius * 0.06), radius * 1.08, 5)
        case "hexagon":
            points = regular(at, radius * 1.05, 6, 30)
        case "star":
            points = regular((x, y + radius * 0.08), radius * 1.24, 5, 0, radius * 0.56)
        case "drop":
            bow = [regular((x, y + radius * 0.25), radius * 0.8, 24, 0)[k] for k in range(4, 21)]
            points = ((x, y - radius * 1.2), *bow)
        case "cross":
            arm, wide = radius * 1.05, radius * 0.36
            corners = ((-wide, -arm), (wide, -arm), (wide, -wide), (arm, -wide), (arm, wide), (wide, wide))
            points = tuple((x + dx, y + dy) for dx, dy in (*corners, *((-dx, -dy) for dx, dy in corners)))
        case _:
            raise KeyError(name)
    return Polygon(points, fill, line, width)


def crown(at: Point, radius: float, fill: str, line: str) -> tuple[AnyShape, ...]:
    """Return the sign of a winner."""
    x, y = at
    shape = ((-1, 0.75), (-1.1, -0.5), (-0.5, 0.1), (0, -0.9), (0.5, 0.1), (1.1, -0.5), (1, 0.75))
    return (Polygon(tuple((x + radius * dx, y + radius * dy) for dx, dy in shape), fill, line),)


def house(at: Point, radius: float, fill: str) -> tuple[AnyShape, ...]:
    """Return the sign of a seat that the house plays."""
    x, y = at
    roof = ((-1.1, 0), (0, -1), (1.1, 0))
    wall = radius * 0.72
    return (
        Polygon(tuple((x + radius * dx, y + radius * dy) for dx, dy in roof), fill),
        Polygon(
            (
                (x - wall, y - 1),
                (x + wall, y - 1),
                (x + wall, y + radius),
                (x + wall * 0.35, y + radius),
                (x + wall * 0.35, y + radius * 0.35),
                (x - wall * 0.35, y + radius * 0.35),
                (x - wall * 0.35, y + radius),
                (x - wall, y + radius),
            ),
            fill,
        ),
    )


def person(at: Point, radius: float, fill: str) -> tuple[AnyShape, ...]:
    """Return the sign of a person: head and shoulders."""
    x, y = at
    shoulders = [regular((x, y + radius), radius, 24, 0)[k % 24] for k in range(18, 31)]
    return Disc((x, y - radius * 0.5), radius * 0.46, fill), Polygon(tuple(shoulders), fill)


def crowd(at: Point, radius: float, fill: str, ground: str) -> tuple[AnyShape, ...]:
    """Return the sign of a seat that the people of a place play together: three heads, one in front.

    *ground*: the colour of the gap between them.
    """
    x, y = at
    behind = [person((x + side * radius * 0.72, y - radius * 0.12), radius * 0.72, fill) for side in (-1, 1)]
    gap = person((x, y + radius * 0.12), radius * 0.98, ground)
    return (*behind[0], *behind[1], *gap, *person((x, y + radius * 0.16), radius * 0.8, fill))


def skip(at: Point, radius: float, colour: str, width: float = 4) -> tuple[AnyShape, ...]:
    """Return the sign of a pass: a double chevron."""
    x, y = at
    return tuple(
        Line(
            (
                (x + dx * radius, y - radius * 0.75),
                (x + (dx + 0.75) * radius, y),
                (x + dx * radius, y + radius * 0.75),
            ),
            colour,
            width,
        )
        for dx in (-0.85, 0.1)
    )


def stuck(at: Point, radius: float, colour: str, width: float = 4) -> tuple[AnyShape, ...]:
    """Return the sign of a seat that cannot move: a barred ring."""
    x, y = at
    bar = radius * 0.66
    return Disc(at, radius, "", colour, width), Line(((x - bar, y + bar), (x + bar, y - bar)), colour, width)


def hourglass(at: Point, radius: float, fill: str) -> tuple[AnyShape, ...]:
    """Return the sign of a seat that must act."""
    x, y = at
    return tuple(
        Polygon(((x - 0.75 * radius, y + s * radius), (x + 0.75 * radius, y + s * radius), (x, y)), fill)
        for s in (-1, 1)
    )


def share(at: Point, radius: float, part: float, fill: str, line: str) -> tuple[AnyShape, ...]:
    """Return a disc filled clockwise by *part* of 1."""
    full = Disc(at, radius, fill, line)
    return (full,) if part >= 1 else (Disc(at, radius, "", line), Sector(at, 0, radius, 0, 360 * part, fill))
