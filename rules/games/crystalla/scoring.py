"""The points of a display. Rulebook: Spielende und Punktewertung; readings 3 to 6."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Final

from rules.games.crystalla.components import COLUMNS, CRYSTALS, HEMATITE, ROWS
from rules.games.crystalla.displays import Display, Segment, across_edges, segments, shown
from rules.games.crystalla.patterns import FLOWERS, Part, clusters, parts

TOURMALINE: Final = (0, 1, 3, 6, 10, 15, 21, 28)
"""Points by number of segments, constant above that. Reading 3."""
DIAMOND: Final = (0, 1, 2, 3, 5, 8, 13, 21, 34)
"""Points of a group by its size, constant above that. Reading 4."""
AMETHYSTS: Final = 7
RUBY_FLOWER: Final = 10
EMERALD_FLOWER: Final = 23
CITRINES: Final = 3
FOREIGN_HEMATITE: Final = 2

_PETALS: Final = (((0, 0), "ne"), ((1, 0), "nw"), ((0, 1), "se"), ((1, 1), "sw"))
"""Around an inner corner of the grid: the offset of each of its four cells, and the cell's corner that meets it."""


def ruby_flowers(display: Display) -> tuple[tuple[Segment, Segment], ...]:
    """Return the greatest number of disjoint pairs of rubies that touch across an edge. Reading 5.

    Touching rubies form chains and rings. The ruby with fewest free neighbours is paired first, so at most one of each
    chain or ring stays single.
    """
    touching = across_edges(segments(display, "r"))
    loose = dict.fromkeys(touching)
    pairs = []

    def partners(ruby: Segment) -> list[Segment]:
        return [other for other in touching[ruby] if other in loose]

    while pairable := [ruby for ruby in loose if partners(ruby)]:
        ruby = min(pairable, key=lambda single: len(partners(single)))
        other = partners(ruby)[0]
        pairs.append((ruby, other))
        del loose[ruby], loose[other]
    return tuple(pairs)


def emerald_flowers(display: Display) -> tuple[tuple[Segment, ...], ...]:
    """Return groups of four emeralds that own the four corners which meet at an inner corner of the grid. Reading 5."""
    owners = {(segment.column, segment.row, segment.corner): segment for segment in segments(display, "e")}
    flowers = []
    for column, row in product(range(len(COLUMNS) - 1), range(ROWS - 1)):
        places = [(column + across, row + up, corner) for (across, up), corner in _PETALS]
        if all(place in owners for place in places):
            flowers.append(tuple(owners[place] for place in places))
    return tuple(flowers)


def groups(display: Display, crystal: str) -> tuple[tuple[Segment, ...], ...]:
    """Return the segments of a crystal in groups that touch across edges or along a diagonal. Reading 1."""
    ungrouped = dict.fromkeys(segments(display, crystal))
    touching = across_edges(tuple(ungrouped))
    finished = []
    while ungrouped:
        group = [next(iter(ungrouped))]
        del ungrouped[group[0]]
        for segment in group:  # grows during the loop
            same_card = [other for other in ungrouped if (other.column, other.row) == (segment.column, segment.row)]
            for other in (*touching[segment], *same_card):
                if other in ungrouped:
                    del ungrouped[other]
                    group.append(other)
        finished.append(tuple(group))
    return tuple(finished)


def count(display: Display, crystal: str) -> int:
    """Return the number of segments that show this crystal."""
    return sum(shown(laid).count(crystal) for column in display for laid in column)


def worth(display: Display) -> dict[str, int]:
    """Return the points of a display by crystal; hematite scores nothing for its owner.

    >>> worth((("ta-nw", "ad-se"), ("dc-sw",), (), ()))
    {'t': 1, 'a': 7, 'r': 0, 'e': 0, 'c': 3, 'd': 2}
    """
    return counted(parts(display))


def counted(places: Mapping[str, Sequence[Part]]) -> dict[str, int]:
    """Return the points of a display whose segments are known."""
    emeralds = set(places["e"])
    return {
        "t": TOURMALINE[min(len(places["t"]), len(TOURMALINE) - 1)],
        "a": AMETHYSTS * (len(places["a"]) // 2),
        "r": RUBY_FLOWER * sum([len(cluster) // 2 for cluster in clusters(places["r"])]),
        "e": EMERALD_FLOWER * sum([emeralds.issuperset(flower) for flower in FLOWERS]) if len(emeralds) > 3 else 0,
        "c": CITRINES * len(clusters(places["c"], within=True)),
        "d": sum([DIAMOND[min(len(cluster), len(DIAMOND) - 1)] for cluster in clusters(places["d"], within=True)]),
    }


def sheet(displays: Sequence[Display]) -> tuple[dict[str, int], ...]:
    """Return the score sheet: for each seat its points by crystal and their ``total``; ``h`` is its income from the
    others' hematite."""
    read = [parts(display) for display in displays]
    hematites = sum([len(places[HEMATITE]) for places in read])
    rows = []
    for places in read:
        row = {**counted(places), HEMATITE: FOREIGN_HEMATITE * (hematites - len(places[HEMATITE]))}
        assert "".join(row) == CRYSTALS
        rows.append({**row, "total": sum(row.values())})
    return tuple(rows)
