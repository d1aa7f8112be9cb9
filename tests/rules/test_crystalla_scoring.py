"""Crystalla: flowers and groups, found by a second method that draws every display.

A card is a square with corners at even points of a lattice; a segment is a triangle of three of these corners. Two
segments touch if their triangles share a side.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Struct

from rules.games.crystalla import (
    CARDS,
    CORNERS,
    CRYSTALS,
    OPPOSITE,
    Display,
    count,
    emerald_flowers,
    groups,
    ruby_flowers,
    segments,
    sheet,
)
from tests.rules.crystalla_turns import NOTHING, display, turn

Point = tuple[int, int]
POINTS = {"nw": (0, 1), "ne": (1, 1), "se": (1, 0), "sw": (0, 0)}


class Triangle(Struct, frozen=True):
    """A drawn segment: its crystal, the point of its right angle, the two points of the diagonal."""

    crystal: str
    card: Point
    angle: Point
    ends: frozenset[Point]

    @property
    def legs(self) -> set[frozenset[Point]]:
        return {frozenset((self.angle, end)) for end in self.ends}


def triangles(cards: Display) -> tuple[Triangle, ...]:
    triangles = []
    for x, column in enumerate(cards):
        for y, laid in enumerate(column):
            code, *pieces = laid.split("+")
            printed, corner = code.split("-")
            over = {piece[1]: piece[0] for piece in pieces}
            points = {name: (x + right, y + up) for name, (right, up) in POINTS.items()}
            for crystal, shape, name in zip(printed, "ls", (corner, OPPOSITE[corner]), strict=True):
                ends = frozenset(points.values()) - {points[corner], points[OPPOSITE[corner]]}
                triangles.append(Triangle(over.get(shape, crystal), (x, y), points[name], ends))
    return tuple(triangles)


def across(one: Triangle, other: Triangle) -> bool:
    return one.card != other.card and bool(one.legs & other.legs)


def touch(one: Triangle, other: Triangle) -> bool:
    return across(one, other) or one.card == other.card


def groups_drawn(cards: Display, crystal: str) -> list[int]:
    """Return the sizes of the groups, largest first: sets are joined if two of their segments touch."""
    sets = [{triangle} for triangle in triangles(cards) if triangle.crystal == crystal]
    for one, other in combinations([triangle for triangle in triangles(cards) if triangle.crystal == crystal], 2):
        if touch(one, other):
            first = next(group for group in sets if one in group)
            second = next(group for group in sets if other in group)
            if first is not second:
                sets.remove(second)
                first |= second
    return sorted(map(len, sets), reverse=True)


def most_pairs(rubies: Iterable[Triangle]) -> int:
    """Return the greatest number of pairs that touch across an edge, by trying: the first ruby is single or paired with
    any other."""

    @cache
    def most(left: frozenset[Triangle]) -> int:
        if not left:
            return 0
        ruby = min(left, key=lambda triangle_: (triangle_.card, triangle_.angle))
        rest = left - {ruby}
        return max(most(rest), *(1 + most(rest - {other}) for other in rest if across(ruby, other)), 0)

    return most(frozenset(rubies))


def emeralds_drawn(cards: Display) -> int:
    """Return the points of the lattice at which four emeralds have their right angles."""
    angles = [triangle.angle for triangle in triangles(cards) if triangle.crystal == "e"]
    return sum(angles.count(point) == 4 for point in set(angles))


def points_drawn(cards: Display) -> dict[str, int]:
    shown = [triangle.crystal for triangle in triangles(cards)]
    tourmalines = min(shown.count("t"), 7)
    fibonacci = [0, 1, 2]
    while len(fibonacci) < 9:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    return {
        "t": tourmalines * (tourmalines + 1) // 2,
        "a": shown.count("a") // 2 * 7,
        "r": 10 * most_pairs(triangle for triangle in triangles(cards) if triangle.crystal == "r"),
        "e": 23 * emeralds_drawn(cards),
        "c": 3 * len(groups_drawn(cards, "c")),
        "d": sum(fibonacci[min(size, 8)] for size in groups_drawn(cards, "d")),
    }


@st.composite
def laid_cards(draw: st.DrawFn, favoured: str) -> str:
    """Return laid cards, often with pieces, mostly of a few *favoured* crystals so that patterns occur."""
    crystals = st.sampled_from(favoured)
    code = draw(crystals) + draw(crystals)
    if code not in CARDS:
        code = f"{code[0]}{'h' if code[0] != 'h' else 't'}"
    pieces = ""
    for shape, printed in zip("ls", code, strict=True):
        crystal = draw(crystals)
        if crystal != printed and draw(st.booleans()):
            pieces += f"+{crystal}{shape}"
    return f"{code}-{draw(st.sampled_from(CORNERS))}{pieces}"


@st.composite
def displays(draw: st.DrawFn) -> Display:
    favoured = draw(st.sampled_from([CRYSTALS, "re", "cd", "dh", "er", "rth", "ced", "ta"]))
    return tuple(tuple(draw(st.lists(laid_cards(favoured), min_size=2, max_size=3))) for _ in range(4))


RING = display("""
    2  rh-se  rh-sw  .  .
    1  rh-ne  rh-nw  .  .
""")
"""Four rubies, each touching two others."""


@given(displays())
@example(RING)
@example(NOTHING)
def test_points_counted_in_two_ways(cards: Display) -> None:
    points = sheet(turn("ooowww . . . . .", displays=(cards,)))[0]
    assert {crystal: points[crystal] for crystal in "tarecd"} == points_drawn(cards)


@given(displays(), st.sampled_from(CRYSTALS))
def test_groups_found_in_two_ways(cards: Display, crystal: str) -> None:
    by_rules = groups(cards, crystal)
    assert sorted(map(len, by_rules), reverse=True) == groups_drawn(cards, crystal)
    assert sorted(map(repr, sum(by_rules, ()))) == sorted(map(repr, segments(cards, crystal)))


@given(displays())
@example(RING)
def test_ruby_flowers_are_as_many_as_can_be_and_share_no_ruby(cards: Display) -> None:
    flowers = ruby_flowers(cards)
    assert len(flowers) == most_pairs(triangle for triangle in triangles(cards) if triangle.crystal == "r")
    used = [ruby for flower in flowers for ruby in flower]
    assert len(set(used)) == len(used)
    drawn = {(triangle.card, triangle.crystal, triangle.angle): triangle for triangle in triangles(cards)}
    for flower in flowers:
        one, other = (drawn[(ruby.column, ruby.row), "r", angle(ruby.column, ruby.row, ruby.corner)] for ruby in flower)
        assert across(one, other)


def angle(column: int, row: int, corner: str) -> Point:
    right, up = POINTS[corner]
    return column + right, row + up


@given(displays())
def test_connected_rubies_hold_half_as_many_flowers(cards: Display) -> None:
    """So the sizes of the chains determine the largest number of flowers."""
    rubies = [triangle for triangle in triangles(cards) if triangle.crystal == "r"]
    chains: list[set[Triangle]] = []
    for ruby in rubies:
        near = [chain for chain in chains if any(across(ruby, other) for other in chain)]
        chains = [chain for chain in chains if chain not in near] + [{ruby}.union(*near)]
    assert len(ruby_flowers(cards)) == sum(len(chain) // 2 for chain in chains)


@given(displays())
def test_an_emerald_flower_has_four_petals_and_shares_none(cards: Display) -> None:
    flowers = emerald_flowers(cards)
    assert len(flowers) == emeralds_drawn(cards)
    petals = [petal for flower in flowers for petal in flower]
    assert len(set(petals)) == len(petals) == 4 * len(flowers)
    for flower in flowers:
        assert len({angle(petal.column, petal.row, petal.corner) for petal in flower}) == 1


@given(displays())
def test_every_segment_shows_one_crystal(cards: Display) -> None:
    assert sum(count(cards, crystal) for crystal in CRYSTALS) == 2 * sum(map(len, cards))


@given(st.lists(displays(), min_size=2, max_size=4))
def test_hematite_goes_to_all_the_others(cards: list[Display]) -> None:
    seats = len(cards)
    stones = "ooowww . . . . ." if seats == 2 else "ooowwwpppkkk . . . . . . . ."
    rows = sheet(turn(stones, seats=seats, displays=tuple(cards)))
    for seat, row in enumerate(rows):
        others = [shown for other, shown in enumerate(cards) if other != seat]
        assert row["h"] == 2 * sum(triangle.crystal == "h" for shown in others for triangle in triangles(shown))
        assert row["total"] == sum(row[crystal] for crystal in CRYSTALS)
