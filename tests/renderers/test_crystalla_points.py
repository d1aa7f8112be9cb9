"""Crystalla's picture: scoring marks in a display, the points under it, the score sheet."""

from collections import Counter
from itertools import pairwise, product
from math import hypot
from typing import Any, TypeGuard

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kaleidobot.testing.looking import a_look, scene_of
from renderers.games.crystalla import bars, displays, gems, homes, marks, sheet, values
from renderers.lettering import width
from renderers.scene import AnyShape, Box, Line, Scene, Sprite, Stamp, Text, parts
from rules.contract import Outcome
from rules.games.crystalla import (
    COLOURS,
    CORNERS,
    CRYSTALS,
    Display,
    State,
    emerald_flowers,
    groups,
    ruby_flowers,
    segments,
)
from rules.games.crystalla import sheet as points_of
from tests.renderers.crystalla_scenes import (
    DIAMOND,
    MINE,
    OVER,
    TOURMALINE,
    apart,
    cells,
    home_of,
    letters,
    stamps,
    texts,
    within,
)

# Scoring marks


def with_marks(view: State) -> list[tuple[int, Display, dict[str, Sprite]]]:
    tiles = cells(view)
    return [
        (seat, display, {cell: sprite for (owner, cell), sprite in tiles.items() if owner == seat})
        for seat, display in enumerate(view.displays)
    ]


@pytest.mark.parametrize("name", MINE)
def test_whole_ruby_flowers_equal_the_score_and_no_ruby_is_in_two(name: str) -> None:
    for _, display, tiles in with_marks(MINE[name]):
        flowers = ruby_flowers(display)
        halves = [flower for sprite in tiles.values() for flower in within(sprite, "ruby flower")]
        pale = [flower for sprite in tiles.values() for flower in within(sprite, "ruby half")]
        assert len(halves) == 2 * len(flowers)
        assert len(halves) + len(pale) == len(segments(display, "r"))
        for one, other in flowers:
            here, there = (stamps(tiles[ruby.cell], "ruby flower") for ruby in (one, other))
            size = tiles[one.cell].reach[0]
            meeting = [
                (a, b)
                for a in here
                for b in there
                if a.at[0] + 2 * size * one.column == b.at[0] + 2 * size * other.column
                and a.at[1] - 2 * size * one.row == b.at[1] - 2 * size * other.row
            ]
            assert meeting, "the two halves come together"


@pytest.mark.parametrize("name", MINE)
def test_emeralds_have_a_quarter_flower_in_their_corner_and_finished_ones_bloom(name: str) -> None:
    for _, display, tiles in with_marks(MINE[name]):
        petals = {petal for flower in emerald_flowers(display) for petal in flower}
        for emerald in segments(display, "e"):
            quarters = [stamp for stamp in stamps(tiles[emerald.cell], "emerald") if corner_of(stamp) == emerald.corner]
            kind = "emerald flower" if emerald in petals else "emerald quarter"
            assert [stamp.sprite.name.startswith(kind) for stamp in quarters] == [True]


def corner_of(stamp: Stamp) -> str:
    x, y = stamp.at
    return ("n" if y < 0 else "s") + ("w" if x < 0 else "e")


def test_a_flower_is_there_to_be_seen() -> None:
    assert within_all(MINE["two-flower"], "emerald flower") == 8
    assert within_all(MINE["two-over"], "emerald flower") == 4
    assert within_all(MINE["two-over"], "ruby flower") == 6


def within_all(view: State, name: str) -> int:
    return sum(len(within(sprite, name)) for sprite in cells(view).values())


@pytest.mark.parametrize("name", MINE)
def test_groups_of_diamonds_are_outlined(name: str) -> None:
    """Three sides per segment, less two for every touching pair."""
    for _, display, tiles in with_marks(MINE[name]):
        lines = sum(
            isinstance(part, Line) and part.colour == "blue" for sprite in tiles.values() for part in sprite.shapes
        )
        expected = 0
        for group in groups(display, "d"):
            pairs = sum(touch(one, other) for one in group for other in group if one != other) // 2
            expected += 3 * len(group) - 2 * pairs
        assert lines == expected


def touch(one: Any, other: Any) -> bool:
    apart = (other.column - one.column, other.row - one.row)
    sides = {(0, 0): ("", ""), (0, 1): ("n", "s"), (1, 0): ("e", "w"), (0, -1): ("s", "n"), (-1, 0): ("w", "e")}
    if apart not in sides:
        return False
    mine, theirs = sides[apart]
    return mine in one.corner and theirs in other.corner


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize(("bare", "covered"), [("dc", "rc+dl"), ("cd", "cr+ds")])
def test_a_diamond_that_covers_a_crystal_differs_from_a_printed_one(bare: str, covered: str, corner: str) -> None:
    """Its setting is inside the outline of its group, not under it."""
    shape = covered[-1]
    code, piece = covered.split("+")
    displays = [((f"{card}",), (), (), ()) for card in (f"{bare}-{corner}", f"{code}-{corner}+{piece}")]
    view = replace(MINE["two-take"], displays=tuple(displays), last=None, now=())
    by_cell = cells(view)
    printed, set_in = by_cell[0, "a1"], by_cell[1, "a1"]
    assert not within(printed, "rim")
    (rim,) = within(set_in, f"rim {shape}")
    for sprite in (printed, set_in):
        assert sum(isinstance(part, Line) and part.colour == "blue" for part in sprite.shapes) == 3
    last_edge = max(k for k, part in enumerate(set_in.shapes) if isinstance(part, Line))
    assert [part.sprite for part in set_in.shapes[last_edge:] if isinstance(part, Stamp)] == [rim]
    edges = [part for part in set_in.shapes if isinstance(part, Line) and part.colour == "blue"]
    outer = [point for edge in edges for point in edge.points]
    casing, frame = [part for part in rim.shapes if isinstance(part, Line)]
    assert (casing.colour, frame.colour) == ("ink", "paper")
    assert casing.width > frame.width
    assert all(min(hypot(*apart(corner, there)) for there in outer) > 3 for corner in frame.points)


@pytest.mark.parametrize("side", [homes.BIG, homes.MIDDLE, homes.SMALL])
@pytest.mark.parametrize("shape", "ls")
def test_a_crystal_piece_has_a_white_frame_that_hides_no_letter(shape: str, side: int) -> None:
    for crystal, corner in product(CRYSTALS, CORNERS):
        (_, frame) = [part for part in gems.rim(crystal, shape, corner, side).shapes if isinstance(part, Line)]
        assert frame.colour == "paper"
        assert frame.points[0] == frame.points[-1]
        assert frame.width >= 5
        for x, y in frame.points:
            assert max(abs(x), abs(y)) < side / 2
        for printed in CRYSTALS:
            if printed != crystal:
                code = printed + "t" if shape == "l" else "t" + printed
                tile = displays.cell(f"{code}-{corner}+{crystal}{shape}", side, (), (), "")
                last = max(k for k, part in enumerate(tile.shapes) if isinstance(part, Stamp))
                assert sum(isinstance(part, Text) for part in tile.shapes[last:]) == 2


@pytest.mark.parametrize("side", [homes.BIG, homes.MIDDLE, homes.SMALL])
@pytest.mark.parametrize("corner", CORNERS)
def test_the_frame_of_a_new_card_leaves_the_outline_of_its_diamond(corner: str, side: int) -> None:
    for code in ("dr", "rd"):
        laid = f"{code}-{corner}"
        tile = displays.cell(laid, side, marks.marks(((laid,), (), (), ()))[0, 0], (), "accent")
        (frame,) = (part for part in tile.shapes if isinstance(part, Box) and part.line == "accent")
        outline = [part for part in tile.shapes if isinstance(part, Line) and part.colour == "blue"]
        assert len(outline) == 3
        for line in outline:
            (x0, y0), (x1, y1) = line.points
            off = max(abs(x0 + x1), abs(y0 + y1)) / 2 + line.width / 2
            assert off <= side / 2 - frame.width


# Points


@pytest.mark.parametrize("name", MINE)
def test_each_display_has_seven_crystals_with_their_points(name: str) -> None:
    view = MINE[name]
    bars = stamps(scene_of(view), "bar")
    laying = [seat for seat, hand in enumerate(view.hands) if any(hand) and view.outcome is None]
    assert {home_of(view, stamp.at) for stamp in bars} == set(range(view.seats)) - set(laying)
    for seat, points in enumerate(points_of(view)):
        row = [stamp.sprite for stamp in bars if home_of(view, stamp.at) == seat]
        for crystal, sprite in zip(CRYSTALS, row, strict=False):
            assert [part.text for part in parts(sprite.shapes) if isinstance(part, Text)] == [
                *([str(points[crystal])] if points[crystal] else []),
                crystal.upper(),
            ]


@given(st.integers(0, 29), st.integers(0, 200))
def test_more_points_make_a_higher_crystal_as_far_as_there_is_room(fewer: int, more: int) -> None:
    for most in (bars.TALLEST, bars.LONGEST):
        if fewer < more:
            assert bars.reach(fewer, most) < bars.reach(more, most) <= most


@pytest.mark.parametrize("name", MINE)
def test_the_number_of_laid_cards_of_twelve_is_beside_the_points(name: str) -> None:
    view = MINE[name]
    by_seat = {home_of(view, stamp.at): texts(stamp.sprite) for stamp in stamps(scene_of(view), "laid")}
    for seat, lettering in by_seat.items():
        assert lettering == [str(sum(map(len, view.displays[seat]))), "12"]
    assert set(by_seat) == {home_of(view, stamp.at) for stamp in stamps(scene_of(view), "bar")}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_last_line_shows_the_points_of_every_crystal(seats: int) -> None:
    table = homes.table(seats)
    line = values.values(table)
    lettering = [shape.text for shape in line if isinstance(shape, Text)]
    assert lettering == ["1 3 6 10 15 21 28", "7", "10", "23", "3", "1 2 3 5 8 13…", "2"]
    assert lettering[0].split() == [str(points) for points in TOURMALINE[1:]]
    assert lettering[5].removesuffix("…").split() == [str(points) for points in DIAMOND[1:7]]
    signs = [shape.sprite.name.split()[1] for shape in line if isinstance(shape, Stamp) and "gem" in str(shape)]
    assert signs == list("taarecdh")
    ends = [
        (shape.at[0], shape.at[0] + width(shape.text, shape.size, shape.bold))
        for shape in line
        if isinstance(shape, Text)
    ]
    signed = [
        (shape.at[0] - shape.sprite.reach[0], shape.at[0] + shape.sprite.reach[0])
        for shape in line
        if isinstance(shape, Stamp)
    ]
    spans = sorted([*ends, *signed])
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
    area = table.key_to_points
    assert area.x <= spans[0][0]
    assert spans[-1][1] <= area.right
    assert all(area.y >= home.area.bottom for home in table.homes)


@pytest.mark.parametrize("points", [0, 3, 28, 46, 138])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_points_of_a_crystal_have_room_over_its_tip(seats: int, points: int) -> None:
    home = homes.table(seats).homes[0]
    for stamp in bars.bars(home, dict.fromkeys(CRYSTALS, points), 12, "ground"):
        assert isinstance(stamp, Stamp)
        for part in stamp.sprite.shapes:
            if isinstance(part, Text):
                assert part.at[1] - part.size * 0.37 >= -stamp.sprite.reach[1]
                if part.text == str(points) and part.align == "left":
                    assert part.at[0] + width(part.text, part.size) <= stamp.sprite.reach[0]


@pytest.mark.parametrize("name", MINE)
def test_name_stone_and_points_are_over_each_display(name: str) -> None:
    view = MINE[name]
    for seat, stamp in enumerate(stamps(scene_of(view), "plate")):
        assert home_of(view, stamp.at) == seat
        lettering = texts(stamp.sprite)
        assert a_look().seats[seat].name in lettering
        assert str(view.standing()[seat]) in lettering
        assert letters(stamp.sprite) == ("" if view.outcome else COLOURS[seat])


@pytest.mark.parametrize("name", MINE)
def test_the_points_of_the_leader_have_a_light_ground(name: str) -> None:
    view = MINE[name]
    totals = view.standing()
    for total, stamp in zip(totals, stamps(scene_of(view), "plate"), strict=True):
        lit = any(isinstance(part, Box) and part.fill == "text" for part in stamp.sprite.shapes)
        won = view.outcome is not None and total == max(totals)
        assert lit == (won or (total == max(totals) and len(set(totals)) > 1))


def test_the_name_of_a_winner_is_not_cut_for_the_crown() -> None:
    view = MINE["four-over"]
    (winner,) = crowned(scene_of(view))
    names = [f"Wilhelmina {letter}" for letter in "ABCD"]
    stamp = stamps(scene_of(view, a_look(*names)), "plate")[winner]
    (name,) = [part for part in stamp.sprite.shapes if isinstance(part, Text) and part.text.startswith(names[winner])]
    assert name.room is not None
    assert width(names[winner], name.size) <= name.room


@pytest.mark.parametrize("name", OVER)
def test_a_finished_game_shows_the_points_of_seven_crystals(name: str) -> None:
    view = MINE[name]
    scene = scene_of(view)
    lettering = [part.text for part in parts(scene.shapes) if isinstance(part, Text)]
    for row in points_of(view):
        assert str(row["total"]) in lettering
        for crystal in CRYSTALS:
            assert str(row[crystal] or "·") in lettering or not row[crystal]
    assert {part.sprite.name.split()[1] for part in parts(scene.shapes) if is_gem(part)} == set(CRYSTALS)
    assert not stamps(scene, "stack")
    assert not stamps(scene, "pieces")


def is_gem(part: AnyShape) -> TypeGuard[Stamp]:
    return isinstance(part, Stamp) and part.sprite.name.startswith("gem ")


@pytest.mark.parametrize("name", [name for name in OVER if MINE[name].seats > 2])
def test_after_a_game_of_many_the_tower_of_each_seat_is_as_high_as_its_points(name: str) -> None:
    view = MINE[name]
    scene, area = scene_of(view), homes.table(view.seats).sheet
    wide, unit = area.width / view.seats, 0.0
    for seat, row in enumerate(points_of(view)):
        left = area.x + seat * wide
        layers = [layer for layer in stamps(scene, "layer") if left < layer.at[0] < left + wide]
        assert [layer.sprite.name.split()[1] for layer in layers] == [c for c in CRYSTALS if row[c]]
        high = sum(2 * layer.sprite.reach[1] for layer in layers)
        unit = unit or high / row["total"]
        assert high == pytest.approx(row["total"] * unit, abs=len(CRYSTALS))
        assert all(area.y < layer.at[1] < area.bottom for layer in layers)


def test_the_sheet_shows_the_counts() -> None:
    view = MINE["two-over"]
    counts = {crystal: sheet.counted(view.displays, 0, crystal) for crystal in CRYSTALS}
    assert counts == {"t": "3", "a": "2", "r": "2", "e": "1", "c": "1", "d": "2+1", "h": "4"}
    shown_ = [shape.text for shape in scene_of(view).shapes if isinstance(shape, Text)]
    for how in ("3", "2×7", "2×10", "1×23", "1×3", "2+1", "4×2"):
        assert how in shown_


@pytest.mark.parametrize("name", OVER)
def test_the_counts_give_the_points(name: str) -> None:
    """The shown factors, or the table of the rules, give the points beside them."""
    view = MINE[name]
    for seat, row in enumerate(points_of(view)):
        for crystal in CRYSTALS:
            how = sheet.counted(view.displays, seat, crystal)
            if crystal == "d":
                sizes = [part.split("×") for part in how.split("+")]
                reckoned = sum(DIAMOND[int(size)] * int("".join(n) or 1) for *n, size in sizes)
            elif crystal == "t":
                reckoned = TOURMALINE[min(int(how), 7)]
            else:
                reckoned = int(how) * sheet.WORTH[crystal]
            assert reckoned == row[crystal], (seat, crystal)


@pytest.mark.parametrize("name", [name for name in OVER if MINE[name].seats == 2])
def test_the_counts_are_beside_all_points(name: str) -> None:
    view = MINE[name]
    muted = [shape for shape in scene_of(view).shapes if isinstance(shape, Text) and shape.colour == "muted"]
    counts = "+".join(shape.text for shape in muted).split("+")
    expected = [
        f"{part}×{sheet.WORTH[crystal]}" if crystal in sheet.WORTH else part
        for seat, row in enumerate(points_of(view))
        for crystal in CRYSTALS
        if row[crystal]
        for part in sheet.counted(view.displays, seat, crystal).split("+")
    ]
    assert Counter(text for text in counts if text not in ("·", "")) == Counter(expected)


def crowned(scene: Scene) -> list[int]:
    return [int(stamp.sprite.name.split()[1]) - 1 for stamp in stamps(scene, "plate") if within(stamp.sprite, "crown")]


def test_the_winners_wear_crowns_also_when_the_table_ended_the_game() -> None:
    assert crowned(scene_of(MINE["two-over"])) == [0]
    assert crowned(scene_of(MINE["two-tie"])) == [0, 1]
    ended = a_look(ended=Outcome((1, 2, 3, 4), (3,), "resigned"))
    assert crowned(scene_of(MINE["four-take"], ended)) == [3]
