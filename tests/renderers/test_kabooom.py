"""Kabooom!'s board, in the order of section 11 of its page: the required contents of the picture, and its words."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kaleidobot.testing.looking import NAMES, a_look, live, pixels, positions, scene_of, tiles, words
from kaleidobot.testing.playing import some_states
from renderers import Look, Recent, SeatLook, Theme, alt_text, diagram, picture, plaque
from renderers.frame import below, places
from renderers.games.kabooom import DRAWER, HIGH, LEAD, MARK, PANEL, stones
from renderers.games.kabooom.symbols import NAMES as SYMBOL_NAMES
from renderers.games.kabooom.words import newest_of
from renderers.lettering import width
from renderers.outlines import CASING, INSET, PEN, Outline
from renderers.palette import HUES as PALETTE
from renderers.palette import MARKS, colours, contrast
from renderers.scene import AnyShape, Arrow, Box, Disc, Line, Polygon, Scene, Sprite, Stamp, Text, parts
from renderers.signs import figure
from rules.contract import Outcome
from rules.games.kabooom import (
    BEATS,
    GAME,
    GRID,
    SYMBOLS,
    Action,
    Level,
    Move,
    Pass,
    Phase,
    State,
    height,
    owner,
    symbol,
)

GOLDEN = Path(__file__).parent / "golden" / "kabooom"
HUES = GAME.colours
MINE = {name.split("/")[1]: view for name, view in positions().items() if name.startswith("kabooom/")}


@pytest.fixture(params=list(MINE))
def view(request: pytest.FixtureRequest) -> State:
    position: State = MINE[request.param]
    return position


def fields(view: State, look: Look | None = None) -> dict[str, Sprite]:
    """Return the tile on every occupied field, by the field's name, found by its place and not by its own name."""
    scene = scene_of(view, look)
    labels = {shape.text: shape.at for shape in scene.still if isinstance(shape, Text)}
    by_field = {}
    for stamp in tiles(scene, "field"):
        column = min(GRID.columns, key=lambda letter: abs(labels[letter][0] - stamp.at[0]))
        row = min(GRID.rows, key=lambda digit: abs(labels[digit][1] - stamp.at[1]))
        assert column + row not in by_field
        by_field[column + row] = stamp.sprite
    return by_field


def stamped(tile: Sprite, kind: str) -> list[str]:
    """Return the names of the sprites on a tile that begin with *kind*, in painting order."""
    return [part.sprite.name for part in tile.shapes if isinstance(part, Stamp) and part.sprite.name.startswith(kind)]


def texts(tile: Sprite) -> list[str]:
    """Return the lettering of a tile itself, without its sprites'."""
    return [part.text for part in tile.shapes if isinstance(part, Text)]


def stone_of(tile: Sprite) -> Sprite:
    """Return the top stone on a tile."""
    (stone,) = [part.sprite for part in tile.shapes if isinstance(part, Stamp) and part.sprite.name.startswith("stone")]
    return stone


def looks(shape: AnyShape) -> tuple[type, int, str]:
    """Return the kind, form and colour of a shape, without its place."""
    return type(shape), len(getattr(shape, "points", ())), str(getattr(shape, "fill", ""))


def towers(view: State) -> dict[str, str]:
    return {field: tower for field, tower in zip(GRID.fields, view.board, strict=True) if tower}


def told_of(scene: Scene, seat: int) -> list[AnyShape]:
    """Return the shapes of a seat's plate and its rows."""
    own = [stamp for stamp in tiles(scene, "plate") if stamp.sprite.name.split()[1] == str(seat + 1)]
    return [part for stamp in own for part in stamp.sprite.shapes]


def plates(scene: Scene) -> list[list[str]]:
    """Return the lettering of each seat's plate."""
    return [
        [part.text for part in parts(tuple(told_of(scene, seat))) if isinstance(part, Text)]
        for seat in range(4)
        if told_of(scene, seat)
    ]


def signs(scene: Scene, seat: int) -> list[str]:
    """Return the names of the sprites on a seat's plate."""
    return [part.sprite.name for part in told_of(scene, seat) if isinstance(part, Stamp)]


def is_raised(scene: Scene, seat: int) -> bool:
    return any(isinstance(part, Box) and part.fill.endswith(".up") for part in told_of(scene, seat))


# The grid


def test_columns_and_rows_are_lettered(view: State) -> None:
    labels = [shape.text for shape in scene_of(view).still if isinstance(shape, Text)]
    assert labels == [*GRID.columns, *GRID.rows]
    assert not any(shape.bold for shape in scene_of(view).still if isinstance(shape, Text))


def test_empty_fields_invite_while_stones_are_placed_and_are_holes_afterwards() -> None:
    placing, moving = scene_of(MINE["placing"]).still, scene_of(MINE["tall"]).still

    def dots(still: tuple[AnyShape, ...]) -> int:
        return sum(isinstance(shape, Disc) for shape in still)

    assert (dots(placing), len(holes(placing))) == (24, 0)
    assert (dots(moving), len(holes(moving))) == (0, 24)


def holes(still: tuple[AnyShape, ...]) -> list[Sprite]:
    return [shape.sprite for shape in still if isinstance(shape, Stamp) and shape.sprite.name.startswith("pit")]


def test_the_glass_of_every_field_breaks_in_its_own_way_and_leaves_a_ring() -> None:
    broken = holes(scene_of(MINE["tall"]).still)
    assert len({hole.shapes for hole in broken}) == 24
    for hole in broken:
        splinters = [part for part in hole.shapes if isinstance(part, Polygon) and part.line]
        rims = [point for part in splinters for point in part.points if is_at_the_edge(point, hole)]
        for corner in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            assert (corner[0] * hole.reach[0], corner[1] * hole.reach[1]) in rims
        assert not any(abs(x) + abs(y) < 20 for part in splinters for x, y in part.points)


def is_at_the_edge(point: tuple[float, float], hole: Sprite) -> bool:
    return any(abs(abs(value) - reach) < 0.01 for value, reach in zip(point, hole.reach, strict=True))


# Towers


def test_every_tower_is_on_its_field(view: State) -> None:
    assert set(fields(view)) == set(towers(view))


def test_every_tower_shows_owner_by_colour_number_and_mark_and_its_symbol(view: State) -> None:
    for field, tower in towers(view).items():
        tile, seat = fields(view)[field], owner(tower)
        assert stamped(tile, "stone") == [f"stone {seat + 1} {HUES[seat]} {SYMBOL_NAMES[symbol(tower)]}"]
        (mark,) = [part.sprite for part in tile.shapes if isinstance(part, Stamp) and "badge" in part.sprite.name]
        assert looks(figure(MARKS[seat], (0, 0), 8, HUES[seat])) in map(looks, mark.shapes)
        assert any(isinstance(part, Text) and part.text == str(seat + 1) for part in mark.shapes)
        assert 2 * MARK >= 16, "eyes that see two of the colours alike need a large mark"


def test_the_pane_under_a_tower_is_lit_in_the_colour_of_its_owner(view: State) -> None:
    for field, tower in towers(view).items():
        assert stamped(fields(view)[field], "pane")[0].split()[2] == HUES[owner(tower)]


def test_a_tower_has_a_slab_for_every_stone_below_its_top(view: State) -> None:
    for field, tower in towers(view).items():
        pile = [(int(tower[k]), tower[k + 1]) for k in range(0, len(tower), 2)]
        shown = [name.split() for name in stamped(fields(view)[field], "slab")]
        assert [(int(name[1]) - 1, name[2]) for name in shown] == [(seat, HUES[seat]) for seat, _ in pile[:-1]]
        assert [name[-1] == "spent" for name in shown] == [kind == "d" for _, kind in pile[:-1]]


def of_height(count: int, tower: str = "", look: Look | None = None) -> Sprite:
    """Return the field of a tower of so many stones."""
    board = list(MINE["tall"].board)
    board[GRID.number["e3"]] = tower or "0r" * count
    return fields(replace(MINE["tall"], board=tuple(board)), look)["e3"]


def test_every_further_stone_makes_a_tower_higher_and_its_slabs_thinner() -> None:
    tops = []
    for count in range(1, 25):
        (top,) = [at for name, at in standing(of_height(count)) if name == "stone"]
        tops.append(top[1])
        assert len(stones.slabs(count - 1)) == count - 1
        assert all(high >= 2 for high in stones.slabs(count - 1))
    assert tops == sorted(tops, reverse=True)
    assert len(set(tops[:12])) == 12
    assert tops[2] - tops[14] > 30, "a tower of fifteen looks like fifteen, not like three"


def standing(tile: Sprite) -> list[tuple[str, tuple[float, float]]]:
    """Return the stones on a tile: whether top or slab, and their places."""
    stamps = [part for part in tile.shapes if isinstance(part, Stamp)]
    return [(kind, part.at) for part in stamps if (kind := part.sprite.name.split(maxsplit=1)[0]) in ("stone", "slab")]


def test_slabs_lie_on_each_other_without_a_gap() -> None:
    for count in range(2, 25):
        levels = [at[1] for _, at in standing(of_height(count))]
        highs = stones.slabs(count - 1)
        floor = of_height(count).reach[1] - LEAD / 2 - stones.FLOOR
        assert [floor - stones.DEEP - sum(highs[: k + 1]) for k in range(count - 1)] == levels[:-1]
        assert levels[-1] + stones.THICK == levels[-2]


@pytest.mark.parametrize("spent", [False, True])
def test_a_slab_too_thin_for_a_mark_has_as_many_parts_as_its_owners_number(spent: bool) -> None:
    for seat in range(4):
        thin, thick = (stones.slab(seat, "red", stones.MARKED - less, spent=spent).shapes for less in (1, 0))
        notches = [[part for part in shapes if isinstance(part, Box) and part.size[0] == 5] for shapes in (thin, thick)]
        assert list(map(len, notches)) == [seat, 0]


def test_a_charred_slab_is_darker_than_one_that_counts() -> None:
    for theme in Theme:
        known = colours(theme)
        for hue in HUES:
            counts, spent = (stones.slab(0, hue, 5, spent=spent).shapes[2] for spent in (False, True))
            assert isinstance(counts, Polygon)
            assert isinstance(spent, Polygon)
            assert contrast(known[counts.fill], known[spent.fill]) > 2


def test_towers_of_two_and_more_have_their_height_also_when_the_game_is_over(view: State) -> None:
    for field, tower in towers(view).items():
        numbers = [text for text in texts(fields(view)[field]) if "+" not in text]
        assert numbers == ([] if height(tower) == 1 else [str(height(tower))])


def test_height_and_points_of_a_tower_differ_in_ground() -> None:
    tile = of_height(7, look=a_look(ended=Outcome((0, 0), (0,), "resigned")))
    pills = [part for part in tile.shapes if isinstance(part, Box) and part.line == "lead.light"]
    written = [part for part in tile.shapes if isinstance(part, Text)]
    looks = {word.text: (pill.fill, word.colour) for pill, word in zip(pills, written, strict=True)}
    assert looks == {"7": ("ink", "paper"), "+6": ("paper", "ink")}


def numbered() -> Iterator[Sprite]:
    """Yield fields with towers of every height, of one owner and of two, during the game and at its end."""
    for count in range(2, 25):
        for tower in ("0r1d" * (count // 2) + "0r" * (count % 2), "0r" * count, "1d" + "0s" * (count - 1)):
            for ended in (None, Outcome((0, 0), (0,), "resigned")):
                yield of_height(count, tower, a_look(ended=ended))


def test_number_and_mark_cover_neither_each_other_nor_the_symbol() -> None:
    for tile in numbered():
        low, *high = [part for part in tile.shapes if isinstance(part, Box) and part.line == "lead.light"]
        (mark,) = [part for part in tile.shapes if isinstance(part, Stamp) and "badge" in part.sprite.name]
        ((x, y),) = [at for kind, at in standing(tile) if kind == "stone"]
        assert x + 27 <= mark.at[0] - MARK
        top = mark.at[1] + mark.sprite.reach[1]
        for ground in (*high, low):
            assert top <= ground.at[1]
            assert x + 27 <= ground.at[0] or y + 27 <= ground.at[1]
            top = ground.at[1] + ground.size[1]


def test_the_mark_of_a_field_touches_neither_tower_nor_number() -> None:
    """The mark is on the edge of the pane, at the sides and below."""
    mark = INSET + PEN / 2 + CASING
    for tile in (*numbered(), *fields(MINE["towers"]).values(), *fields(MINE["stuck"]).values()):
        wide, low = tile.reach[0] - mark, tile.reach[1] - mark
        for part in tile.shapes:
            if isinstance(part, Box) and part.line == "lead.light":
                assert part.at[0] + part.size[0] <= wide
                assert part.at[1] + part.size[1] <= low
            elif isinstance(part, Stamp) and "badge" in part.sprite.name:
                assert part.at[0] + MARK <= wide
                assert part.at[1] - MARK >= -low
        for kind, (x, y) in standing(tile):
            assert abs(x) + stones.HALF <= wide + max(stones.LEANS)
            assert y - stones.DEEP >= -tile.reach[1] + LEAD / 2
            assert kind == "slab" or y + stones.DEEP + stones.THICK <= low


def test_the_picture_is_plainly_wider_than_high(view: State) -> None:
    wide, high = scene_of(view).size
    assert high + plaque.HEIGHT <= 0.9 * wide


# Spots


def bounds(outline: Outline) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


def test_every_field_of_every_action_has_a_spot() -> None:
    for view in some_states("kabooom"):
        parts_of = {part for action in view.actions() for part in action.parts}
        assert parts_of - set(DRAWER.spots(view, a_look())) <= {"pass"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_remaining_symbols_have_spots_at_their_counts_in_the_panel(seats: int) -> None:
    view = GAME.start(seats, seed=seats).view(None)
    assert view.actor is not None
    outlines = DRAWER.spots(view, a_look())
    area = places(below(HIGH, PANEL), seats)[view.actor]
    (row,) = (tile for tile in tiles(scene_of(view), "plate") if tile.sprite.name == f"plate {view.actor + 1} row 1")
    inside = row.sprite.shapes
    signs = [(part.at[0] + row.at[0], part.sprite.name.split()[0]) for part in inside if isinstance(part, Stamp)]
    numbers = [part.at[0] + row.at[0] for part in inside if isinstance(part, Text)]
    for kind, (sign, name), number in zip(view.supply(view.actor), signs, numbers, strict=True):
        assert name == SYMBOL_NAMES[kind]
        x0, y0, x1, y1 = bounds(outlines[kind])
        assert area.x < x0 < sign < number < x1 < area.right
        assert area.y < y0 < row.at[1] < y1 < area.bottom
        assert min(x1 - x0, y1 - y0) >= 44
    assert not set(SYMBOLS) & set(DRAWER.spots(MINE["towers"], a_look()))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_mark_of_a_symbol_that_is_left_touches_neither_it_nor_its_number(seats: int) -> None:
    view = GAME.start(seats, seed=seats).view(None)
    assert view.actor is not None
    (row,) = (tile for tile in tiles(scene_of(view), "plate") if tile.sprite.name == f"plate {view.actor + 1} row 1")
    things = [part for part in row.sprite.shapes if isinstance(part, Stamp | Text)]
    for choices, chosen in ((tuple(SYMBOLS), ()), (("a1",), tuple(SYMBOLS))):
        stamped = [
            shape
            for shape in DRAWER.marks(view, a_look(choices=choices, chosen=chosen))
            if isinstance(shape, Stamp) and shape.at[1] > HIGH - PANEL
        ]
        assert len(stamped) == len(SYMBOLS)
        for stamp in stamped:
            for x0, y0, x1, y1 in (lines for part in stamp.sprite.shapes for lines in reaching(part)):
                for thing in things:
                    u0, v0, u1, v1 = taken(thing, row.at)
                    across, down = stamp.at
                    apart = u0 - x1 - across, x0 + across - u1, v0 - y1 - down, y0 + down - v1
                    assert max(apart) > 0, (chosen, thing)


def reaching(part: AnyShape) -> list[tuple[float, float, float, float]]:
    """Return left, top, right and bottom of a bar or of a line; of a frame those of its four sides."""
    match part:
        case Line(points=((x0, y0), (x1, y1)), width=width):
            return [(x0 - width / 2, y0 - width / 2, x1 + width / 2, y1 + width / 2)]
        case Box(at=(x, y), size=(wide, high), fill=""):
            right, low, pen = x + wide, y + high, part.width
            upper, lower = (x, y, right, y + pen), (x, low - pen, right, low)
            return [upper, lower, (x, y, x + pen, low), (right - pen, y, right, low)]
        case Box(at=(x, y), size=(wide, high)):
            return [(x, y, x + wide, y + high)]
        case _:
            raise AssertionError(part)


def taken(thing: Stamp | Text, by: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return the same for a symbol, and for the digits of a number."""
    x, y = thing.at[0] + by[0], thing.at[1] + by[1]
    if isinstance(thing, Stamp):
        (wide, high) = thing.sprite.reach
        return x - wide, y - high, x + wide, y + high
    return x, y - 9, x + width(thing.text, thing.size, thing.bold), y + 9


def test_a_spot_is_the_pane_of_the_field_that_it_names(view: State) -> None:
    scene = scene_of(view)
    labels = {shape.text: shape.at for shape in scene.still if isinstance(shape, Text)}
    places = DRAWER.spots(view, a_look())
    assert [part for part in places if part not in SYMBOLS] == list(GRID.fields)
    for field, outline in ((field, places[field]) for field in GRID.fields):
        x0, y0, x1, y1 = bounds(outline)
        assert ((x0 + x1) / 2, (y0 + y1) / 2) == pytest.approx((labels[field[0]][0], labels[field[1]][1]))
    standing = {stamp.at: stamp.sprite for stamp in tiles(scene, "field")}
    for field in towers(view):
        x0, y0, x1, y1 = bounds(places[field])
        (tile,) = (sprite for at, sprite in standing.items() if x0 < at[0] < x1 and y0 < at[1] < y1)
        assert 2 * tile.reach[0] - 10 <= x1 - x0 <= 2 * tile.reach[0]
        assert 2 * tile.reach[1] - 10 <= y1 - y0 <= 2 * tile.reach[1]


# Last actions


def strong(scene: Scene) -> list[AnyShape]:
    return [shape for shape in live(scene) if "accent" in (getattr(shape, "line", ""), getattr(shape, "fill", ""))]


def test_the_newest_move_is_a_strong_arrow_to_a_ring_and_others_are_faint() -> None:
    scene = scene_of(MINE["towers"])
    arrows = [stamp.sprite for stamp in scene.shapes if isinstance(stamp, Stamp) and "arrow" in stamp.sprite.name]
    assert [sprite.name.split()[0] for sprite in arrows] == ["faint", "faint", "faint", "arrow"]
    ring, arrow = strong(scene)
    assert isinstance(ring, Box)
    assert isinstance(arrow, Arrow)
    assert arrow.fill == HUES[3]
    assert ring in fields(MINE["towers"])["b4"].shapes


def test_an_arrow_goes_from_the_hole_to_the_edge_of_the_field_that_was_climbed() -> None:
    view = MINE["tall"].play(GAME.parse(MINE["tall"], "a1-b1")[0])
    scene = scene_of(view)
    target = next(shape for shape in tiles(scene, "field") if shape.sprite == fields(view)["b1"])
    stamp = next(shape for shape in reversed(scene.shapes) if isinstance(shape, Stamp) and "arrow" in shape.sprite.name)
    arrow = stamp.sprite.shapes[-1]
    assert isinstance(arrow, Arrow)
    assert arrow.start[0] < arrow.end[0] == 0
    assert arrow.start[1] == arrow.end[1]
    assert stamp.at == (target.at[0] - target.sprite.reach[0], target.at[1])


def test_placements_are_ringed_the_newest_strong() -> None:
    scene = scene_of(MINE["placing"])
    (ring,) = strong(scene)
    on_fields = fields(MINE["placing"])
    assert ring in on_fields["f1"].shapes
    for field, seat in (("d2", 1), ("e3", 2)):
        lines = [part.line for part in on_fields[field].shapes if isinstance(part, Box)]
        assert lines == ["ink", HUES[seat]]


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("hue", PALETTE)
@pytest.mark.parametrize("strong", [True, False])
def test_an_arrow_can_be_seen_on_every_ground_that_it_crosses(hue: str, theme: Theme, strong: bool) -> None:
    """The contrast is that of its own colour or of its edge."""
    known = colours(theme)
    pens = {
        known[pen]
        for part in stones.arrow((100, 0), hue, strong=strong).shapes
        if isinstance(part, Arrow)
        for pen in (part.fill, part.line)
    }
    for ground in ("pit", "lead", "pane", "pane.cut", "pane.light", "pane.dark"):
        assert max(contrast(pen, known[ground]) for pen in pens) >= 3, ground


def test_the_accent_marks_the_last_action_and_nothing_else(view: State) -> None:
    newest = newest_of(view, Look(()))
    assert len(strong(scene_of(view))) <= 2 * max(1, len(newest))
    if view.actor is not None:
        assert len(newest) <= 1
    assert all(getattr(shape, "colour", "") != "accent" for shape in live(scene_of(view)))


def test_marks_of_changes_are_under_the_stones(view: State) -> None:
    for tile in fields(view).values():
        rings = [k for k, part in enumerate(tile.shapes) if getattr(part, "line", "") == "accent"]
        names = [part.sprite.name.split()[0] if isinstance(part, Stamp) else "" for part in tile.shapes]
        assert max(rings, default=0) < min(k for k, name in enumerate(names) if name in ("stone", "slab"))


def ended_games() -> Iterator[tuple[State, int, Action]]:
    """Yield final positions of many random games, with the seat and the action of the last move or pass."""
    luck = random.Random(7)
    for number in range(150):
        options = {"level": Level.EASY if number % 3 else Level.HARD, "dynamite": ("stone", "tower")[number % 2]}
        state = GAME.start(2 + number % 3, options, number)
        seat, action = 0, state.actions()[0]
        while state.actor is not None:
            moves = [move for move in state.actions() if not isinstance(move, Pass)]
            often = luck.random() < 0.75 and moves
            seat, action = state.actor, luck.choice(moves if often else state.actions())
            state = state.play(action)
        yield state.view(None), seat, action


def test_a_final_picture_marks_the_last_action_alone() -> None:
    ends = {"stuck": 0, "passed": 0}
    for view, seat, action in ended_games():
        scene = scene_of(view, a_look(recent=(Recent(seat, str(action)),)))
        if isinstance(action, Move):
            ends["stuck"] += 1
            ring, arrow = strong(scene)
            assert ring in fields(view, a_look(recent=(Recent(seat, str(action)),)))[action.target].shapes
            assert isinstance(arrow, Arrow)
            assert arrow.fill == HUES[seat]
        else:
            ends["passed"] += 1
            marked = [any(name.endswith("newest") for name in signs(scene, other)) for other in range(view.seats)]
            assert marked == [other == seat for other in range(view.seats)]
    assert min(ends.values()) > 15


def test_a_final_picture_marks_nothing_if_the_order_of_moves_is_unknown() -> None:
    assert not any(strong(scene_of(view)) for view, _, _ in ended_games())


def test_all_answers_are_strong_and_the_own_move_is_faint() -> None:
    view = MINE["towers"]
    recent = tuple(Recent(seat, str(view.last[seat]), seat == 1) for seat in (1, 2, 3, 0))
    scene = scene_of(view, a_look(recent=recent))
    arrows = [stamp.sprite.name for stamp in scene.shapes if isinstance(stamp, Stamp) and "arrow" in stamp.sprite.name]
    assert [name.split()[0] for name in arrows] == ["faint", "arrow", "arrow", "arrow"]
    assert [arrow.fill for arrow in strong(scene) if isinstance(arrow, Arrow)] == [HUES[seat] for seat in (2, 3, 0)]


def test_the_last_pass_is_marked_on_the_plate_of_its_seat() -> None:
    view = MINE["passed"].play(GAME.parse(MINE["passed"], "pass")[0])
    marked = [any(name.endswith("newest") for name in signs(scene_of(view), seat)) for seat in range(3)]
    assert marked == [False, True, False]


def test_dynamite_that_climbs_sets_off_a_bang_behind_its_tower() -> None:
    def bangs(view: State) -> list[str]:
        return [field for field, tile in fields(view).items() if stamped(tile, "burst")]

    assert bangs(MINE["tall"]) == ["b2"]
    tile = fields(MINE["tall"])["b2"]
    names = [part.sprite.name.split()[0] for part in tile.shapes if isinstance(part, Stamp)]
    assert names.index("burst") < min(names.index("slab"), names.index("stone"))
    assert bangs(MINE["tall"].play(GAME.parse(MINE["tall"], "a1-b1")[0])) == []
    assert bangs(MINE["tall"].play(GAME.parse(MINE["tall"], "c2-b1")[0])) == ["b1"]


# The seats


def test_every_seat_has_number_colour_mark_name_and_points(view: State) -> None:
    shown = plates(scene_of(view))
    assert len(shown) == view.seats
    for seat, lettering in enumerate(shown):
        points = {str(view.standing()[seat])} if view.phase != Phase.PLACE else set[str]()
        assert {str(seat + 1), NAMES[seat]} | points <= set(lettering)
        assert signs(scene_of(view), seat)[0].startswith(f"badge {seat + 1} {HUES[seat]}")


def test_the_actor_has_the_pointer(view: State) -> None:
    for seat in range(view.seats):
        pointed_at = any(isinstance(part, Polygon) for part in told_of(scene_of(view), seat))
        assert pointed_at == (seat == view.actor)
        assert is_raised(scene_of(view), seat) == (
            pointed_at or (view.outcome is not None and seat in view.outcome.winners)
        )


def test_the_supply_is_shown_while_stones_are_placed() -> None:
    view = MINE["placing"]
    for seat, lettering in enumerate(plates(scene_of(view))):
        assert lettering[-4:] == [str(left) for left in view.supply(seat).values()]
        assert [name.split()[0] for name in signs(scene_of(view), seat)[-4:]] == [
            SYMBOL_NAMES[kind] for kind in SYMBOLS
        ]


def test_the_towers_that_bring_the_points_are_named_afterwards_the_highest_first() -> None:
    assert plates(scene_of(MINE["tie"]))[1][-4:] == ["a1", "+5", "b4", "+2"]
    assert plates(scene_of(MINE["tall"]))[1][-2:] == ["f4", "+10"]


def test_towers_without_room_on_the_plate_are_left_to_the_board() -> None:
    for seats in (2, 3, 4):
        view = GAME.start(seats, {"level": "easy"}, seed=3)
        for lettering in plates(scene_of(view)):
            assert lettering[-1] == "…"
            assert lettering[-3:-1] == [lettering[-3], "+1"]


def test_passes_in_succession_are_counted_on_the_seats_that_passed() -> None:
    view = MINE["passed"].play(GAME.parse(MINE["passed"], "pass")[0])
    scene = scene_of(view)
    assert [[text for text in lettering if "/" in text] for lettering in plates(scene)] == [["1/3"], ["2/3"], []]
    assert [signs(scene, seat)[-1].split()[0] for seat in (0, 1)] == ["pass", "pass"]


def test_an_automatic_pass_has_another_sign() -> None:
    scene = scene_of(MINE["stuck"])
    assert any(name.startswith("auto") for name in signs(scene, 1))
    assert not any(name.startswith("auto") for name in signs(scene, 3))


def test_chosen_colours_are_used_and_unknown_ones_are_not() -> None:
    look = Look((SeatLook("Anna", "violet"), SeatLook("Ben", "tartan")))
    tile_names = [name for tile in fields(MINE["tall"], look).values() for name in stamped(tile, "stone")]
    assert {" ".join(name.split()[1:3]) for name in tile_names} == {"1 violet", "2 blue"}


# The end


def test_at_the_end_every_tower_shows_points_and_the_winner_has_the_crown() -> None:
    for name in ("stuck", "tie"):
        view = MINE[name]
        assert view.outcome is not None
        for field, tower in towers(view).items():
            assert f"+{view.points(tower)}" in texts(fields(view)[field])
        crowned = [seat for seat in range(view.seats) if "crown" in signs(scene_of(view), seat)]
        assert crowned == list(view.outcome.winners)


def test_no_tower_shows_points_during_the_game() -> None:
    assert not any("+" in text for tile in fields(MINE["towers"]).values() for text in texts(tile))


@pytest.mark.parametrize("name", ["towers", "placing"])
def test_a_game_that_the_table_ended_is_shown_as_ended(name: str) -> None:
    view = MINE[name]
    ended = Outcome((7, 8, 9, 10)[: view.seats], (1,), "resigned")
    scene = scene_of(view, a_look(ended=ended))
    assert [seat for seat in range(view.seats) if "crown" in signs(scene, seat)] == [1]
    assert [str(score) in lettering for score, lettering in zip(ended.scores, plates(scene), strict=True)] == [
        True
    ] * view.seats
    raised = [is_raised(scene, seat) for seat in range(view.seats)]
    assert raised == [seat == 1 for seat in range(view.seats)]
    assert "Benedikt" in alt_text(view, a_look(ended=ended)).split(".")[0]


def test_a_game_that_the_table_ended_may_have_no_winner() -> None:
    look = a_look(ended=Outcome((0, 0), (), "ended"))
    assert alt_text(MINE["tall"], look).startswith("The game is over. ")
    assert picture(MINE["tall"], look)


# Invariants


def test_the_board_is_the_same_from_every_side_and_without_sentences(view: State) -> None:
    assert scene_of(view, a_look(side=1)) == scene_of(view)
    assert scene_of(view, a_look(lang="de")) == scene_of(view, a_look(lang="en"))
    allowed = re.compile(r"[\d+/=–…-]+|[a-f]\d(-[a-f]\d)?")
    assert [word for word in words(scene_of(view)) if word not in NAMES and not allowed.fullmatch(word)] == []


def test_all_symbols_and_all_marks_differ_without_colour() -> None:
    """In grey, the face of every symbol and the front of every seat differs from all others in many pixels."""
    shown = pixels(picture(MINE["at-random"], a_look())).convert("L").convert("RGB")
    stones = {}
    for stamp in tiles(scene_of(MINE["at-random"]), "field"):
        name = stamped(stamp.sprite, "stone")[0].split()
        x, y = round(stamp.at[0]), round(stamp.at[1])
        stones[name[1], name[3]] = shown.crop((x - 70, y - 76, x + 70, y + 74))
    by_symbol = [stones[key] for key in sorted(stones) if key[0] == "1"]
    by_seat = [stones[key] for key in sorted(stones) if key[1] == "dynamite"]
    assert len(by_symbol) > 2
    assert len(by_seat) > 2
    for group in (by_symbol, by_seat):
        for one in group:
            alike = sum(one.tobytes() == other.tobytes() for other in group)
            assert alike == 1


# Words


def test_the_board_can_be_set_up_from_the_words(view: State) -> None:
    for lang, letters in (("en", "r p s d"), ("de", "st p sch d")):
        kinds = dict(zip(letters.split(), "rpsd", strict=True))
        symbols = "|".join(kinds)
        text = alt_text(view, a_look(lang=lang))
        board = {
            field: "".join(f"{int(digit) - 1}{kinds[kind]}" for digit, kind in re.findall(rf"(\d)({symbols})", tower))
            for field, tower in re.findall(rf"\b([a-f][1-4]) ((?:\d(?:{symbols}))+)", text)
        }
        assert board == towers(view)


def test_the_words_begin_with_the_actor() -> None:
    assert alt_text(MINE["towers"], a_look()).startswith("Anna is to move or pass. Last move, Dmitri: a3-b4. ")
    assert alt_text(MINE["placing"], a_look(lang="de")).startswith("Benedikt setzt einen Spielstein. ")


def test_the_words_give_points_passes_and_supplies() -> None:
    assert "Passes in a row: 1 of 3." in alt_text(MINE["passed"], a_look())
    assert "Points: Anna 1, Benedikt 3, Chloé 2, Dmitri 3." in alt_text(MINE["towers"], a_look())
    assert "Supply: Anna 3×p 3×s 2×d;" in alt_text(MINE["placing"], a_look())


def test_no_number_before_a_name_looks_like_a_rank() -> None:
    for lang, points in (("en", "Points"), ("de", "Punkte")):
        text = alt_text(MINE["towers"], a_look(lang=lang))
        assert f"{points}: Anna 1, Benedikt 3, " in text
        board = text.index("(1 Anna, 2 Benedikt, 3 Chloé, 4 Dmitri; ")
        tower = re.search(r"\b[a-f][1-4] \d", text)
        assert tower is not None
        assert board < tower.start(), "what the numbers in towers stand for comes before these"
        assert "1 Anna: " not in text


def test_the_words_name_the_winners() -> None:
    assert alt_text(MINE["stuck"], a_look()).startswith("The game is over: Dmitri has won.")


def test_the_words_work_without_names() -> None:
    assert alt_text(MINE["tall"], Look(())).startswith("player 1 is to move")


# The rules' pictures


@pytest.mark.parametrize("page", range(1, 7))
def test_every_page_of_the_rules_has_a_picture(page: int) -> None:
    for theme in Theme:
        shown = diagram("kabooom", page, Look((), theme=theme))
        assert shown is not None
        assert pixels(shown).width == 1000


def test_the_page_about_climbing_shows_which_symbol_beats_which() -> None:
    scene: Any = DRAWER.diagram(3, a_look())
    rows: dict[float, list[str]] = {}
    for stamp in sorted(tiles(scene, "field"), key=lambda stamp: (stamp.at[1], stamp.at[0])):
        rows.setdefault(stamp.at[1], []).append(stamped(stamp.sprite, "stone")[0].split()[3])
    named = {mover: [SYMBOL_NAMES[kind] for kind in SYMBOLS if kind in BEATS[mover]] for mover in SYMBOLS}
    assert list(rows.values()) == [[SYMBOL_NAMES[mover], *named[mover]] for mover in SYMBOLS]


def test_the_mark_of_the_game_fits_beside_its_name() -> None:
    assert max(DRAWER.emblem().reach) <= 24


# Golden scenes


@pytest.mark.parametrize("name", ["placing", "towers", "tall", "stuck"])
def test_the_scene_is_as_it_was(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"{name}.txt", str(scene_of(MINE[name])))
