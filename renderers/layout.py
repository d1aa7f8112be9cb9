"""Places of cells: rectangular grids, hexagons with a corner on top, and rings, in units of the scene.

Every layout can be turned so that a seat sees the board from its own side; lettering stays upright.
"""

from math import ceil, cos, pi, sin, sqrt

from msgspec import Struct

from renderers.scene import Point

SQRT3 = sqrt(3)
TALLEST = 0.9
"""Height of a picture for its width: chats show pictures in wide frames."""


class Area(Struct, frozen=True):
    """A rectangle: upper left corner and size.

    >>> Area(10, 20, 100, 50).middle
    (60.0, 45.0)
    """

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def inset(self, by: float) -> "Area":
        """Return the same area without a border of *by*."""
        return Area(self.x + by, self.y + by, self.width - 2 * by, self.height - 2 * by)


def margin(size: tuple[int, int]) -> int:
    """Return the width of the ground on both sides of a picture that would be high for its width.

    >>> margin((1000, 900)), margin((1000, 956))
    (0, 32)
    """
    return max(0, ceil((size[1] / TALLEST - size[0]) / 2))


class Grid(Struct, frozen=True):
    """*columns* by *rows* equal cells that fill *area*; cells are (column, row), (0, 0) at the lower left.

    *turns*: quarter turns clockwise by which the board is turned (2: seen from the other side).

    >>> grid = Grid(6, 4, Area(0, 0, 600, 400))
    >>> grid.middle((0, 0)), grid.middle((5, 3))
    ((50.0, 350.0), (550.0, 50.0))
    """

    columns: int
    rows: int
    area: Area
    turns: int = 0

    @property
    def cell(self) -> tuple[float, float]:
        """Width and height of a cell after the turn."""
        columns, rows = (self.columns, self.rows) if self.turns % 2 == 0 else (self.rows, self.columns)
        return self.area.width / columns, self.area.height / rows

    def middle(self, cell: tuple[int, int]) -> Point:
        """Return the middle of *cell*, which may be off the grid (for labels)."""
        column, row = cell
        match self.turns % 4:
            case 1:
                column, row = row, self.columns - 1 - column
            case 2:
                column, row = self.columns - 1 - column, self.rows - 1 - row
            case 3:
                column, row = self.rows - 1 - row, column
            case _:
                pass
        wide, high = self.cell
        return self.area.x + (column + 0.5) * wide, self.area.bottom - (row + 0.5) * high


class Hexes(Struct, frozen=True):
    """Hexagons with a corner on top around *centre*, *radius* from middle to corner; cells are axial (q, r), r down.

    >>> hexes = Hexes((0, 0), 10)
    >>> [round(value, 2) for value in hexes.middle((1, 0))]
    [17.32, 0.0]
    """

    centre: Point
    radius: float

    def middle(self, cell: tuple[float, float]) -> Point:
        q, r = cell
        return self.centre[0] + self.radius * SQRT3 * (q + r / 2), self.centre[1] + self.radius * 1.5 * r

    def corners(self, cell: tuple[float, float], radius: float | None = None) -> tuple[Point, ...]:
        """Return the six corners clockwise from the top, of a hexagon of *radius* if given."""
        x, y = self.middle(cell)
        reach = self.radius if radius is None else radius
        return tuple((x + reach * sin(k * pi / 3), y - reach * cos(k * pi / 3)) for k in range(6))


class Rings(Struct, frozen=True):
    """Places by distance from *centre* and by angle, in degrees clockwise from 12 o'clock; *turn* is added to all
    angles.

    >>> [round(value) for value in Rings((100, 100), turn=90).place(50, 0)]
    [150, 100]
    """

    centre: Point
    turn: float = 0

    def place(self, radius: float, angle: float) -> Point:
        bow = (angle + self.turn) * pi / 180
        return self.centre[0] + radius * sin(bow), self.centre[1] - radius * cos(bow)
