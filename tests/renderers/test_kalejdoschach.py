"""KalejdoSchach's board, in the order of section 12 of its page: the required contents of the picture, and its
words."""

import json
import re
from collections import Counter
from functools import cache
from itertools import combinations, cycle, pairwise, permutations, product
from math import dist, hypot, pi
from typing import Any

import msgspec
import pytest
from PIL import ImageChops

from kaleidobot.testing.looking import NAMES, a_look, pixels, positions, scene_of
from renderers import Look, SeatLook, Theme, alt_text, diagram, picture
from renderers.games import kalejdoschach
from renderers.games.kalejdoschach import DRAWER, spandrels
from renderers.games.kalejdoschach.choices import DOT, corners, dot, named
from renderers.games.kalejdoschach.choices import name as chosen_name
from renderers.games.kalejdoschach.diagrams import BOARD, WAYS, Way
from renderers.games.kalejdoschach.gems import HUES, RADIUS, SIDES, edge, face, gem, halo, mark, outline
from renderers.games.kalejdoschach.panes import BEVEL, FRAME, glass, pen, sides, still
from renderers.games.kalejdoschach.places import LABEL, label
from renderers.games.kalejdoschach.places import seat as place
from renderers.games.kalejdoschach.signs import captured, die
from renderers.games.kalejdoschach.silhouettes import silhouette
from renderers.games.kalejdoschach.spandrels import CORNERS, LINES
from renderers.games.kalejdoschach.tags import near as reached
from renderers.games.kalejdoschach.track import PILL, RISE, pill, track
from renderers.games.kalejdoschach.window import CENTRE, RADII, SIZE, Window
from renderers.lettering import CAPITAL, width
from renderers.outlines import CASING, inside
from renderers.paint import painter
from renderers.palette import HUES as ALL_HUES
from renderers.palette import MARKS, colours, contrast, on
from renderers.scene import TEXT_MIN, AnyShape, Box, Disc, Line, Point, Polygon, Scene, Sprite, Stamp, Text, parts
from rules.contract import Outcome
from rules.games.kalejdoschach import CASTLES, FIELDS, GAME, KINDS, NUMBER, Piece, State, towns
from rules.games.kalejdoschach.board import edges, edges_and_corners
from rules.games.kalejdoschach.moves import moves
from texts import say

MINE = {name.split("/")[1]: view for name, view in positions().items() if name.startswith("kalejdoschach/")}


@pytest.fixture(params=list(MINE))
def view(request: pytest.FixtureRequest) -> State:
    position: State = MINE[request.param]
    return position


def document(name: str, **changes: Any) -> State:
    """Return a golden position with some keys of its document changed."""
    return GAME.decode(json.dumps({**json.loads(GAME.encode(MINE[name])), **changes}))


def stamps(scene: Scene, *beginning: str) -> list[Stamp]:
    """Return the sprites whose names begin like one of these, in painting order."""
    return [shape for shape in scene.shapes if isinstance(shape, Stamp) and shape.sprite.name.startswith(beginning)]


def names(scene: Scene) -> dict[str, tuple[float, float]]:
    """Return the place of the name of every field; both ends of the last move have theirs again, on bright ground."""
    by_field = {shape.text: shape.at for shape in scene.still if isinstance(shape, Text) and shape.text in FIELDS}
    by_field |= {name.sprite.name.removeprefix("name "): name.at for name in stamps(scene, "name ")}
    return by_field


def pieces(scene: Scene) -> dict[tuple[float, float], str]:
    """Return the name of the sprite of every piece on the board, by its place."""
    kinds = tuple(f"{hue} {kind.name}" for hue in HUES for kind in KINDS.values())
    return {shape.at: shape.sprite.name for shape in stamps(scene, *kinds)}


def corner_of(seat: int, view: State, side: int | None = None) -> tuple[bool, bool]:
    """Return whether a seat's badge is in the right half, and in the lower half, of the picture."""
    (person,) = stamps(scene_of(view, a_look(side=side)), f"person {seat + 1}")
    return person.at[0] > CENTRE[0], person.at[1] > CENTRE[1]


def near(scene: Scene, seat: int) -> list[str]:
    """Return the texts and signs in the corner of a seat."""
    (person,) = stamps(scene, f"person {seat + 1}")
    contents = []
    for tile in stamps(scene, "person ", "line "):
        if all((tile.at[axis] > CENTRE[axis]) == (person.at[axis] > CENTRE[axis]) for axis in (0, 1)):
            contents += [
                part.sprite.name if isinstance(part, Stamp) else getattr(part, "text", "")
                for part in tile.sprite.shapes
            ]
    return contents


def says(sprite: Sprite) -> list[str]:
    return [part.text for part in parts(sprite.shapes) if isinstance(part, Text)]


# The window


def test_player_1_sits_below_and_the_slices_go_round_clockwise() -> None:
    window = Window()
    places = {castle: window.middle(castle) for castle in CASTLES}
    assert [(x > CENTRE[0], y > CENTRE[1]) for x, y in (places[c] for c in ("1j", "3j", "5j", "7j"))] == [
        (True, True),
        (False, True),
        (False, False),
        (True, False),
    ]
    assert window.middle("2j") == pytest.approx((CENTRE[0], CENTRE[1] + (RADII[5] + RADII[6]) / 2))
    assert window.middle("00") == CENTRE


@pytest.mark.parametrize(("name", "seats"), [("two", 2), ("three", 3), ("rules-6", 4)])
def test_a_player_sees_the_own_castle_in_player_1s_place(name: str, seats: int) -> None:
    view = MINE[name]
    for seat in range(seats):
        scene = scene_of(view, a_look(side=seat))
        wizard = next(at for at, piece in pieces(scene).items() if piece == f"{HUES[seat]} wizard")
        assert (wizard[0] > CENTRE[0], wizard[1] > CENTRE[1]) == (True, True)


def test_a_seats_corner_is_next_to_its_castle_from_every_side() -> None:
    for side in (None, 0, 1, 2, 3):
        scene = scene_of(MINE["rules-6"], a_look(side=side))
        for seat, hue in enumerate(HUES):
            wizard = next(at for at, piece in pieces(scene).items() if piece == f"{hue} wizard")
            assert corner_of(seat, MINE["rules-6"], side) == (wizard[0] > CENTRE[0], wizard[1] > CENTRE[1])


def test_slices_have_their_digits_outside_the_rim() -> None:
    digits = [shape for shape in still(Window(), Theme.DARK) if isinstance(shape, Text) and shape.text not in FIELDS]
    assert [shape.text for shape in digits] == list("12345678")
    assert all(dist(shape.at, CENTRE) > RADII[-1] for shape in digits)


def test_castles_and_towns_differ_by_more_than_colour() -> None:
    window = Window()

    def is_within(field: str, shape: AnyShape) -> bool:
        points = shape.points if isinstance(shape, Polygon) else ()
        return all(dist(point, window.middle(field)) < 70 for point in points)

    shapes = still(window, Theme.DARK)
    thin = [shape for shape in shapes if isinstance(shape, Polygon) and shape.line]
    heavy = [shape for shape in shapes if isinstance(shape, Polygon) and shape.fill == "yellow.dark" != shape.line]
    dots = [shape for shape in shapes if isinstance(shape, Stamp) and shape.sprite.name == "rivet"]
    for castle in CASTLES:
        assert sum(is_within(castle, shape) for shape in thin) == 1
        assert any(is_within(castle, shape) for shape in heavy)
        assert glass(castle, Theme.LIGHT).face == "ink"
    for town in towns():
        assert any(inside(dot.at, window.border(town, 0)) for dot in dots), town
    for field in set(FIELDS) - set(towns()):
        assert not any(inside(dot.at, window.border(field, 0)) for dot in dots), field


@pytest.mark.parametrize("theme", Theme)
def test_the_stronger_panes_are_bevelled_towards_the_light(theme: Theme) -> None:
    window = Window()
    panes = [shape for shape in still(window, theme) if isinstance(shape, Polygon) and shape.fill]
    for field in FIELDS:
        tones = glass(field, theme)
        lit = [shape for shape in panes if shape.fill == tones.lit != tones.face and _within(shape, window, field)]
        for shape in lit:
            x, y = (sum(point[axis] for point in shape.points) / len(shape.points) for axis in (0, 1))
            middle = window.middle(field)
            assert (x - middle[0]) + (y - middle[1]) < 0, field
        assert bool(lit) == (tones.lit != tones.face), field


def _within(shape: Polygon, window: Window, field: str) -> bool:
    outline = window.border(field, -0.5) if field != "00" else window.border(field, 0)
    return all(inside(point, outline) or point in outline for point in shape.points)


# The names of the fields


def test_every_field_has_its_name_at_the_same_place_with_a_piece_or_without(view: State) -> None:
    shown = names(scene_of(view))
    assert shown == {field: label(Window(), field) for field in FIELDS}


def test_the_names_are_lighter_than_the_pieces() -> None:
    named = [shape for shape in still(Window(), Theme.DARK) if isinstance(shape, Text) and shape.text in FIELDS]
    assert len(named) == len(FIELDS)
    assert not any(shape.bold for shape in named)


@pytest.mark.parametrize("turned", [0, -2, -4, -6])
def test_a_name_is_on_its_own_field_and_off_the_leads(turned: int) -> None:
    window = Window(turned)
    for field in FIELDS:
        (x, y), border = label(window, field), window.border(field, 1.5)
        for across, down in product((-1, 1), (-1, 1)):
            assert inside((x + across * LABEL[0], y + down * LABEL[1]), border), field
        assert y > place(window, field)[1]


def test_on_a_full_board_no_name_is_under_a_piece_or_another_name() -> None:
    window = Window()
    for one, other in product(FIELDS, FIELDS):
        (x, y), (u, v) = label(window, one), place(window, other)
        if one != other:
            gap = hypot(max(0.0, abs(x - u) - LABEL[0]), max(0.0, abs(y - v) - LABEL[1]))
            assert gap > RADIUS - 1, (one, other)
    for one, other in combinations(FIELDS, 2):
        (x, y), (u, v) = label(window, one), label(window, other)
        assert abs(x - u) >= 2 * LABEL[0] or abs(y - v) >= 2 * LABEL[1], (one, other)
        assert dist(place(window, one), place(window, other)) >= 2 * RADIUS, (one, other)


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("turned", [0, -2, -4, -6])
def test_every_name_is_readable_on_all_its_grounds(theme: Theme, turned: int) -> None:
    known, window = colours(theme), Window(turned)
    for field in FIELDS:
        (x, y), tones = label(window, field), glass(field, theme)
        box = [
            (x + across, y + down) for across in range(-int(LABEL[0]), int(LABEL[0]) + 1, 2) for down in range(-9, 14)
        ]
        under = {tones.face}
        for side in sides(window, field, FRAME if field in CASTLES else BEVEL, tones):
            assert isinstance(side, Polygon)
            if any(inside(point, side.points) for point in box):
                under.add(side.fill)
        for tone in under:
            assert contrast(known[pen(field)], known[tone]) >= 4.5, (field, tone)


def test_the_names_of_the_ends_of_the_last_move_can_be_read() -> None:
    for theme in Theme:
        assert contrast(colours(theme)["ink"], colours(theme)["accent"]) >= 4.5


@pytest.mark.parametrize("field", ["00", "1i", "1j", "2g", "3k"])
def test_no_rim_swallows_a_letter_of_the_ends_of_the_last_move(field: str) -> None:
    """In a picture 400 pixels wide the pill exceeds every letter by at least a pixel."""
    box, letters = pill(field).shapes
    assert isinstance(box, Box)
    assert isinstance(letters, Text)
    apart = SIZE[0] / 400
    moved = msgspec.structs.replace(letters, at=(50, 50), colour="paper")
    ink = pixels(painter(Theme.DARK).paint(Scene((100, 100), (), (moved,)))).convert("L")
    left, top, right, bottom = ink.point([0] * 128 + [255] * 128).getbbox() or (0, 0, 100, 100)
    (x, y), (wide, high) = box.at, box.size
    assert box.width < apart / 2
    assert min(left - 50 - x, top - 50 - y, x + wide - (right - 50), y + high - (bottom - 50)) - box.width >= apart


@pytest.mark.parametrize("theme", Theme)
def test_the_name_of_a_field_with_a_piece_has_quiet_ground_below_all_pieces(theme: Theme) -> None:
    view, known = MINE["rules-6"], colours(theme)
    names = [shape.sprite.name for shape in scene_of(view).shapes if isinstance(shape, Stamp)]
    quiet = {field for field in FIELDS if view.at(field)} - set(CASTLES)
    tags = [name for name in names if name.startswith("tag ")]
    assert quiet
    assert sorted(tags) == sorted(f"tag {field}" for field in quiet)
    first = next(k for k, name in enumerate(names) if any(kind.name in name for kind in KINDS.values()))
    assert all(names.index(name) < first for name in tags)
    assert contrast(known["text"], known["panel"]) >= 7


def test_no_pill_covers_the_name_of_another_field() -> None:
    (wide, high), window = PILL, Window()
    for one, other in permutations(FIELDS, 2):
        (x, y), (u, v) = label(window, one), label(window, other)
        is_beside = abs(u - x) >= wide / 2 + LABEL[0]
        assert is_beside or v + LABEL[1] <= y - RISE or v - LABEL[1] >= y - RISE + high, (one, other)


def test_no_two_pills_are_jammed_together() -> None:
    (wide, high), window = PILL, Window()
    for one, other in combinations(FIELDS, 2):
        (x, y), (u, v) = label(window, one), label(window, other)
        assert max(abs(x - u) - wide, abs(y - v) - high) >= 5, (one, other)


@pytest.mark.parametrize("theme", Theme)
def test_fields_side_by_side_in_a_ring_differ_in_tone_and_rings_in_hue(theme: Theme) -> None:
    for ring in (1, 2, 3, 4, 5):
        around = sorted((field for field in FIELDS if FIELDS[field].ring == ring), key=lambda f: FIELDS[f].start)
        for one, other in pairwise(around):
            assert one[0] != other[0] or glass(one, theme).face != glass(other, theme).face, (one, other)


# Places of the fields


def area(outline: tuple[Point, ...]) -> float:
    """Return the area within an outline, positive if it is clockwise."""
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs) / 2


@pytest.mark.parametrize("side", [None, 0, 1, 2, 3])
def test_a_spot_is_the_field_on_which_its_piece_and_its_name_are_painted(side: int | None) -> None:
    view = MINE["rules-6"]
    look = a_look(side=side)
    outlines = DRAWER.spots(view, look)
    assert list(outlines) == list(FIELDS)
    shown = names(scene_of(view, look))
    for field, border in outlines.items():
        middle = tuple(sum(corner[axis] for corner in border) / len(border) for axis in (0, 1))
        assert inside((middle[0], middle[1]), border), field
        assert [other for other in FIELDS if inside(shown[field], outlines[other])] == [field]
    standing = {at: name for at, name in pieces(scene_of(view, look)).items() if dist(at, CENTRE) < RADII[-1]}
    for field, piece in zip(FIELDS, view.board, strict=True):
        matches = [name for at, name in standing.items() if inside(at, outlines[field])]
        expected = [] if piece is None else [f"{HUES[piece.seat]} {KINDS[piece.kind].name}"]
        assert matches == expected, field


def test_spots_cover_the_window_and_no_two_overlap() -> None:
    outlines = DRAWER.spots(MINE["two"], a_look())
    assert sum(map(area, outlines.values())) == pytest.approx(pi * RADII[-1] ** 2, rel=0.03)
    for (field, border), (other, its) in permutations(outlines.items(), 2):
        assert not [corner for corner in border if inside(corner, inset(its, 1.0))], (field, other)


def inset(outline: tuple[Point, ...], by: float) -> tuple[Point, ...]:
    """Return an outline shrunk towards its middle."""
    middle = tuple(sum(corner[axis] for corner in outline) / len(outline) for axis in (0, 1))
    far = max(dist(corner, (middle[0], middle[1])) for corner in outline)
    part = 1 - by / far
    return tuple((middle[0] + (x - middle[0]) * part, middle[1] + (y - middle[1]) * part) for x, y in outline)


def test_every_field_of_every_action_has_a_spot(view: State) -> None:
    outlines = DRAWER.spots(view, a_look())
    named = {part for action in view.actions() for part in action.parts if part != "draw"}
    assert named <= set(outlines)


# Choices


def test_an_empty_field_to_choose_has_a_dot_with_its_name() -> None:
    view, window = MINE["middle"], Window()
    goals = tuple(move.parts[1] for move in view.actions() if move.parts[0] == "1j")
    shapes = list(DRAWER.marks(view, a_look(choices=goals, chosen=("1j",))))
    dots = [shape for shape in shapes if isinstance(shape, Stamp) and shape.sprite.name.startswith("choice ")]
    empty = [field for field in goals if view.at(field) is None]
    assert [(says(shape.sprite), shape.at) for shape in dots] == [([field], place(window, field)) for field in empty]
    assert [shape.sprite.name for shape in shapes if isinstance(shape, Stamp)][-1] == "chosen 1j"


@pytest.mark.parametrize("field", FIELDS)
def test_the_name_in_a_dot_is_larger_than_on_the_board_and_inside_the_dot(field: str) -> None:
    disc, said = dot(field).shapes[-2:]
    assert isinstance(disc, Disc)
    assert isinstance(said, Text)
    assert said.bold
    assert said.size > TEXT_MIN
    assert width(field, said.size, said.bold) < 2 * disc.radius


def test_no_dot_covers_the_name_of_a_field() -> None:
    window = Window()
    for one, other in product(FIELDS, FIELDS):
        (x, y), (u, v) = label(window, one), place(window, other)
        gap = hypot(max(0.0, abs(x - u) - LABEL[0]), max(0.0, abs(y - v) - LABEL[1]))
        assert gap > DOT + CASING, (one, other)


@pytest.mark.parametrize("field", [field for field in FIELDS if field[1] in "gj"])
def test_a_name_beside_a_piece_to_choose_is_on_its_ground_with_its_tail(field: str) -> None:
    """A j that loses its tail in the edge of a castle is an i."""
    ground, said = chosen_name(field).shapes
    assert isinstance(ground, Box)
    assert isinstance(said, Text)
    assert ground.at[1] + ground.size[1] - ground.width >= said.at[1] + 15
    assert 2 * -ground.at[0] == ground.size[0] > width(field, said.size, said.bold) + 2 * ground.width


def test_the_name_of_a_field_to_choose_is_the_same_with_and_without_a_piece() -> None:
    for field in FIELDS:
        *_, disc, within = dot(field).shapes
        ground, said = chosen_name(field).shapes
        assert isinstance(disc, Disc)
        assert isinstance(ground, Box)
        assert isinstance(within, Text)
        assert isinstance(said, Text)
        assert (disc.fill, within.colour, within.bold) == (ground.fill, said.colour, said.bold)
        assert min(within.size, said.size) > TEXT_MIN


def test_the_ground_of_such_a_name_hides_no_other_name_and_no_foot_of_a_piece() -> None:
    """An overlap of one pixel in a picture 400 pixels wide is allowed."""
    window = Window()

    def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> float:
        return min(min(one[k + 2], other[k + 2]) - max(one[k], other[k]) for k in (0, 1))

    def around(at: Point, half: float, top: float, bottom: float) -> tuple[float, ...]:
        return at[0] - half, at[1] + top, at[0] + half, at[1] + bottom

    for field, other in product(FIELDS, FIELDS):
        at = named(window, field)
        box, said = at.sprite.shapes
        assert isinstance(box, Box)
        assert isinstance(said, Text)
        ground = around(at.at, box.size[0] / 2, box.at[1], box.at[1] + box.size[1])
        if other != field:
            assert overlap(ground, around(label(window, other), width(other, TEXT_MIN, False) / 2, -9, 9)) <= 2.5
            assert overlap(ground, around(named(window, other).at, width(other, said.size) / 2, -10, 10)) <= 2.5
        assert overlap(ground, around(place(window, other), 19, 16, 30)) <= 2.5, (field, other)


@pytest.mark.parametrize("side", [0, 1])
def test_a_piece_to_choose_has_marked_corners_and_its_fields_name_on_ground(side: int) -> None:
    full = document("two", board={field: "0p" if field[0] in "00123" else "1p" for field in FIELDS})
    look, lit = a_look(side=side, choices=("2d", "6e", "1j")), ("2d", "6e", "1j")
    shapes = [shape for shape in DRAWER.marks(full, look) if isinstance(shape, Stamp)]
    outlines, window = DRAWER.spots(full, look), Window(0 if side == 0 else -4)
    around, pieces, named = shapes[0:6:2], shapes[1:6:2], shapes[6:]
    assert [it.sprite.name for it in around] == ["choice"] * 3
    assert [it.sprite.name for it in named] == [f"lit {field}" for field in lit]
    for it, piece, name, field in zip(around, pieces, named, lit, strict=True):
        points = [point for part in it.sprite.shapes if isinstance(part, Line) for point in part.points]
        assert all(inside((it.at[0] + x, it.at[1] + y), outlines[field]) for x, y in points)
        assert inside(name.at, outlines[field])
        assert piece.at == place(window, field)
        assert piece.sprite.name == ("blue pawn" if field == "6e" else "white pawn")


@pytest.mark.parametrize("theme", Theme)
def test_on_a_full_board_the_marked_corners_of_every_field_are_visible(theme: Theme) -> None:
    full, window = document("two", board={field: "1p" if field == "5j" else "0p" for field in FIELDS}), Window()
    plain = pixels(painter(theme).paint(scene_of(full, a_look(theme=theme))))
    for field in FIELDS:
        look = a_look(theme=theme, choices=(field,))
        changed = ImageChops.difference(plain, pixels(picture(full, look))).convert("L")
        at = named(window, field)
        (x, y), (wide, high) = at.at, at.sprite.reach
        changed.paste(0, (int(x - wide) - 3, int(y - high) - 3, int(x + wide) + 4, int(y + high) + 4))
        visible = sum(changed.histogram()[41:])
        assert visible > 150, (field, visible)


def test_the_marked_corners_of_a_field_touch_no_other_foot_or_name() -> None:
    window = Window()
    for field in FIELDS:
        at = corners(window, field)
        cased = [part for part in at.sprite.shapes if isinstance(part, Line) and part.colour == "mark.case"]
        along = [
            (at.at[0] + x0 + (x1 - x0) * k / 8, at.at[1] + y0 + (y1 - y0) * k / 8)
            for line in cased
            for (x0, y0), (x1, y1) in pairwise(line.points)
            for k in range(9)
        ]
        for other in set(FIELDS) - {field}:
            (x, y), (u, v) = place(window, other), label(window, other)
            for (mid, down), (wide, high) in (((x, y + 23), (17, 7)), ((u, v), LABEL)):
                gap = min(hypot(max(0, abs(a - mid) - wide), max(0, abs(b - down) - high)) for a, b in along)
                assert gap >= cased[0].width / 2, (field, other)


def test_a_chosen_field_is_framed_and_not_lit() -> None:
    view = MINE["middle"]
    shapes = list(DRAWER.marks(view, a_look(choices=("1j",), chosen=("1j",))))
    assert [shape.sprite.name for shape in shapes if isinstance(shape, Stamp)] == ["frame", "white wizard", "chosen 1j"]


def test_the_frame_of_a_chosen_field_is_visible_around_its_piece() -> None:
    full, window = document("two", board={field: "1p" if field == "5j" else "0p" for field in FIELDS}), Window()
    plain = {theme: pixels(painter(theme).paint(scene_of(full, a_look(theme=theme)))) for theme in Theme}
    for field, theme in zip(FIELDS, cycle(Theme), strict=False):
        changed = ImageChops.difference(
            plain[theme], pixels(picture(full, a_look(theme=theme, chosen=(field,))))
        ).convert("L")
        said = kalejdoschach.choices.renamed(window, field)
        (x, y), (wide, high) = said.at, said.sprite.reach
        changed.paste(0, (int(x - wide) - 3, int(y - high) - 3, int(x + wide) + 4, int(y + high) + 4))
        assert sum(changed.histogram()[41:]) > 300, field
        x, y = place(window, field)
        within = changed.crop((int(x) - 12, int(y) - 20, int(x) + 12, int(y) + 28))
        assert not sum(within.histogram()[41:]), field


@pytest.mark.parametrize("theme", Theme)
def test_the_marks_of_a_piece_leave_the_last_move_to_be_seen(theme: Theme) -> None:
    """Its end is framed under them; its name can be chosen like any other."""
    view = MINE["middle"]
    assert view.last is not None
    target = view.last.target

    at = named(Window(), target)
    (x, y), (wide, high) = at.at, at.sprite.reach

    def accented(look: Look) -> int:
        shown, xs, ys = pixels(picture(view, look)), *zip(*DRAWER.spots(view, look)[target], strict=True)
        shown.paste(0, (int(x - wide), int(y - high), int(x + wide) + 1, int(y + high) + 1))
        within = shown.crop((int(min(xs)), int(min(ys)), int(max(xs)), int(max(ys)))).tobytes()
        tones = (tuple(within[k : k + 3]) for k in range(0, len(within), 3))
        return sum(dist(it, colours(theme)["accent"]) < 40 for it in tones)

    plain, lit = a_look(theme=theme), a_look(theme=theme, choices=(target,))
    *_, name = DRAWER.marks(view, lit)
    assert name == at
    assert accented(lit) > accented(plain) / 3


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("hue", ALL_HUES)
def test_the_bright_edge_of_a_piece_contrasts_with_its_stone_in_both_themes(hue: str, theme: Theme) -> None:
    known = colours(theme)
    *_, last = halo("disc").shapes
    assert isinstance(last, Box)
    assert contrast(known[last.fill], known["ink"]) >= 7
    assert max(contrast(known[last.fill], known[pen]) for pen in (hue, edge(hue))) >= 3


@pytest.mark.parametrize("theme", Theme)
def test_marks_can_be_seen_on_every_pane(theme: Theme) -> None:
    known = colours(theme)
    for field in FIELDS:
        tones = glass(field, theme)
        for tone in {tones.face, tones.lit, tones.across, tones.shaded}:
            assert max(contrast(known[pen], known[tone]) for pen in ("mark", "mark.case")) >= 3


# The pieces


def test_every_piece_is_on_its_field(view: State) -> None:
    window = Window()
    expected = {
        place(window, field): f"{HUES[piece.seat]} {KINDS[piece.kind].name}"
        for field, piece in zip(FIELDS, view.board, strict=True)
        if piece is not None
    }
    by_place = pieces(scene_of(view))
    assert {at: by_place[at] for at in expected} == expected
    assert len(by_place) == len(expected)


def test_seats_differ_by_the_cut_of_their_stones() -> None:
    assert [mark(seat) for seat in range(4)] == list(MARKS[:4])
    assert len({outline(mark(seat), 20) for seat in range(4)}) == 4


@pytest.mark.parametrize("letter", KINDS)
def test_the_marks_on_the_foot_show_the_moves_of_a_piece(letter: str) -> None:
    kind, stone = KINDS[letter], gem("disc", "white", letter)
    dots = [part for part in stone.shapes if isinstance(part, Disc)]
    strokes = [part for part in stone.shapes if isinstance(part, Box) and part.fill == on("white")][1:]
    if letter == "w":
        (triangle,) = (part for part in stone.shapes if isinstance(part, Line))
        assert len(set(triangle.points)) == 3
        assert triangle.points[0] == triangle.points[-1]
    else:
        assert (len(strokes), len(dots)) == ((kind.steps, 0) if kind.flies else (0, kind.steps))


def test_a_piece_has_no_letter_and_its_marks_are_readable_on_its_foot() -> None:
    for seat, hue, letter in product(range(4), ALL_HUES, KINDS):
        stone = gem(mark(seat), hue, letter)
        assert not says(stone)
        foot = max(k for k, part in enumerate(stone.shapes) if isinstance(part, Box) and part.fill == face(hue))
        box, *signs = stone.shapes[foot:]
        assert isinstance(box, Box)
        left, right = box.at[0] + 2, box.at[0] + box.size[0] - 2
        for sign in signs:
            xs = [x for x, _ in sign.points] if isinstance(sign, Line) else []
            xs += [sign.at[0] - sign.radius, sign.at[0] + sign.radius] if isinstance(sign, Disc) else []
            xs += [sign.at[0], sign.at[0] + sign.size[0]] if isinstance(sign, Box) else []
            assert left < min(xs) < max(xs) < right
    for theme, hue in product(Theme, ALL_HUES):
        assert contrast(colours(theme)[on(hue)], colours(theme)[face(hue)]) >= 4.5


@pytest.mark.parametrize("theme", Theme)
def test_most_of_a_piece_has_the_colour_of_its_seat(theme: Theme) -> None:
    """Otherwise black might look like white. The pixels are those of a picture 400 pixels wide."""
    for seat, hue in (*enumerate(HUES), (1, "black")):
        for letter in KINDS:
            scene = Scene((80, 80), (), (Box((0, 0), (80, 80), "teal"), Stamp(gem(mark(seat), hue, letter), (40, 40))))
            shown = pixels(painter(theme).paint(scene, 32)).tobytes()
            tones = [tuple(shown[k : k + 3]) for k in range(0, len(shown), 3)]
            *own, ink = (colours(theme)[tone] for tone in (hue, f"{hue}.light", f"{hue}.dark", on(hue)))
            of_hue = sum(min(dist(it, tone) for tone in own) < 60 for it in tones)
            assert of_hue > sum(dist(it, ink) < 60 for it in tones), (hue, letter)


def test_no_two_seats_are_each_others_negative() -> None:
    known = colours(Theme.DARK)
    for one, other in combinations(HUES, 2):
        crossed = (
            dist(known[on(one)], known[face(other)]),
            dist(known[on(other)], known[face(one)]),
        )
        assert max(crossed) > 150, (one, other)


def layers(piece: Sprite) -> tuple[Polygon, Polygon, Polygon, Polygon]:
    """Return the edge of a stone, its rim, its flat face, and the figure."""
    edged, _, rim, _, flat, _, shape, *_ = (part for part in piece.shapes if isinstance(part, Polygon))
    return edged, rim, flat, shape


@pytest.mark.parametrize("theme", Theme)
def test_the_figure_is_large_and_has_strong_contrast_on_its_stone(theme: Theme) -> None:
    known = colours(theme)
    for hue in ALL_HUES:
        assert contrast(known[on(hue)], known[face(hue)]) >= (7.5 if hue in HUES else 9.5), hue
    for letter in KINDS:
        _, _, stone, drawn = layers(gem("disc", "white", letter))
        assert (stone.fill, drawn.fill) == (face("white"), on("white"))
        assert max(y for _, y in drawn.points) - min(y for _, y in drawn.points) >= 39, letter


@pytest.mark.parametrize("theme", Theme)
def test_a_stone_of_any_colour_contrasts_with_every_pane(theme: Theme) -> None:
    known = colours(theme)
    for hue, field in product(ALL_HUES, FIELDS):
        around, rim, stone, _ = layers(gem("disc", hue, "p"))
        ground = known[glass(field, theme).face]
        assert max(contrast(known[tone], ground) for tone in (around.line, rim.fill, stone.fill)) >= 3, (hue, field)


def test_every_seats_stone_shows_its_outline_around_every_figure() -> None:
    """Seats that look alike without colour differ by an outline as wide as 56 units. A mark of 16 would do."""
    for seat, letter in product(range(4), KINDS):
        _, outer, _, shape = layers(gem(mark(seat), "white", letter))
        free = [point for point in outer.points if not inside(point, shape.points)]
        assert max(x for x, _ in free) - min(x for x, _ in free) >= 50, (seat, letter)
        assert len(free) >= 0.6 * len(outer.points), (seat, letter)


def pixels_of(letter: str, wide: int = 26, *, bare: bool = False) -> list[bool]:
    """Return the painted silhouette of a kind in this size; bare: without its cuts."""
    shape, *cuts = silhouette(letter, wide - 2, (wide / 2, wide - 1))
    inside = () if bare else tuple(Polygon(cut, "ground") for cut in cuts)
    scene = Scene((wide, wide), (), (Polygon(shape, "paper"), *inside))
    shown = pixels(painter(Theme.DARK).paint(scene)).convert("L")
    return [value > 128 for value in shown.tobytes()]


def unlike(one: list[bool], other: list[bool]) -> float:
    """Return the share of the union of two shapes that only one of them covers."""
    both = list(zip(one, other, strict=True))
    return sum(a != b for a, b in both) / sum(a or b for a, b in both)


def test_no_two_kinds_look_alike_at_26_pixels() -> None:
    shown = {letter: pixels_of(letter) for letter in KINDS}
    for one, other in combinations(KINDS, 2):
        assert unlike(shown[one], shown[other]) > 0.25, (one, other)


@pytest.mark.parametrize("other", "hvr")
def test_the_eagle_has_an_outline_of_its_own_beside_the_horse_and_the_other_birds(other: str) -> None:
    """The size is that of a picture 400 pixels wide, in which eyes and feathers are lost."""
    eagle, it = (pixels_of(letter, 18, bare=True) for letter in ("e", other))
    assert unlike(eagle, it) > 0.3


# The last move


def test_both_ends_of_the_last_move_are_marked_and_joined() -> None:
    view = MINE["captured"]
    assert view.last is not None
    scene = scene_of(view)
    assert [says(name.sprite) for name in stamps(scene, "name ")] == [[view.last.source], [view.last.target]]
    ends = stamps(scene, "end ")
    accents = [part.line for end in ends for part in end.sprite.shapes if isinstance(part, Polygon)]
    assert accents == ["ink", "accent"] * 2
    sizes = [bead.sprite.name for bead in stamps(scene, "bead")]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) > 1
    assert not stamps(scene_of(MINE["two"]), "end ", "bead")


def crossing(source: str, target: str) -> State:
    """Return a position with pieces all over the board, after a move from one field to the other."""
    board = {"1j": "0w", "5j": "1w", "00": "0v", "1a": "1p", "5a": "0p", "2d": "1r", "6d": "0h", target: "0d"}
    board.pop(source, None)
    last = {"seat": 0, "piece": "d", "from": source, "to": target, "captured": None}
    return document("middle", board=board, last=last, actor=1)


@pytest.mark.parametrize(("source", "target"), [("5g", "1g"), ("2j", "6j"), ("8e", "4c"), ("1k", "7k"), ("3b", "8c")])
def test_the_track_is_under_pieces_and_beside_names(source: str, target: str) -> None:
    scene = scene_of(crossing(source, target))
    order = [shape.sprite.name for shape in scene.shapes if isinstance(shape, Stamp)]
    last_bead = max(k for k, name in enumerate(order) if name.startswith("bead"))
    first_piece = min(k for k, name in enumerate(order) if name.split()[0] in HUES)
    assert last_bead < first_piece
    for bead in stamps(scene, "bead"):
        radius = max(part.radius for part in bead.sprite.shapes if isinstance(part, Disc))
        for field, (x, y) in names(scene).items():
            aside, down = abs(bead.at[0] - x) - LABEL[0], abs(bead.at[1] - y) - LABEL[1]
            assert max(aside, down) >= radius - 1, field
    assert order.index(stamps(scene, "tip")[0].sprite.name) < first_piece


@cache
def tips() -> dict[tuple[str, str], Stamp]:
    """Return the tip of the track of every move that is possible on an empty board."""
    window, by_move = Window(), {}
    for source, kind in product(FIELDS, KINDS):
        board = tuple(Piece(0, kind) if field == source else None for field in FIELDS)
        for move in moves(board, 0, None):
            if (move.source, move.target) in by_move:  # several kinds make the same move, and leave the same track
                continue
            stamps = [shape for shape in track((move.source, move.target), window) if isinstance(shape, Stamp)]
            (by_move[move.source, move.target],) = (it for it in stamps if it.sprite.name.startswith("tip "))
    return by_move


def test_no_tip_of_a_track_hides_the_name_of_another_field() -> None:
    window = Window()
    for ends, at in tips().items():
        (casing, _) = at.sprite.shapes
        assert isinstance(casing, Polygon)
        points = [(at.at[0] + x, at.at[1] + y) for x, y in casing.points]
        edge = [
            (x0 + (x1 - x0) * k / 8, y0 + (y1 - y0) * k / 8)
            for (x0, y0), (x1, y1) in pairwise((*points, points[0]))
            for k in range(8)
        ]
        near = [field for field in FIELDS if field not in ends and dist(label(window, field), at.at) < 50]
        for x, y, field in ((*label(window, field), field) for field in near):
            assert not any(abs(u - x) < LABEL[0] and abs(v - y) < LABEL[1] for u, v in edge), (ends, field)


def test_no_tip_of_a_track_is_under_the_bright_name_of_its_field() -> None:
    window = Window()
    for (_, target), at in tips().items():
        (x, y), sprite = label(window, target), at.sprite
        (casing, _) = sprite.shapes
        assert isinstance(casing, Polygon)
        ground = next(part for part in pill(target).shapes if isinstance(part, Box))
        left, top = x + ground.at[0], y + ground.at[1]
        for u, v in casing.points:
            inside_it = (left < at.at[0] + u < left + ground.size[0], top < at.at[1] + v < top + ground.size[1])
            assert not all(inside_it), target


def test_no_piece_of_another_field_hides_the_tip_of_a_track() -> None:
    window = Window()
    source, target = "4g", "5j"
    (alone,) = (shape for shape in track((source, target), window) if "tip " in str(shape))
    assert isinstance(alone, Stamp)
    beside = min((field for field in FIELDS if field != target), key=lambda field: dist(place(window, field), alone.at))
    (tip,) = (shape for shape in track((source, target), window, taken=(beside, target)) if "tip " in str(shape))
    assert isinstance(tip, Stamp)
    assert dist(place(window, beside), tip.at) > dist(place(window, beside), alone.at)


def test_every_tip_touches_its_piece_and_points_to_it() -> None:
    window = Window()
    for (_, target), at in tips().items():
        casing = at.sprite.shapes[0]
        assert isinstance(casing, Polygon)
        (x, y), (u, v) = place(window, target), casing.points[0]
        beyond = max(abs(at.at[0] + u - x) - SIDES[0], abs(at.at[1] + v - y) - SIDES[1])
        assert abs(beyond) < 2
        length = dist(at.at, (x, y))
        assert (u * (x - at.at[0]) + v * (y - at.at[1])) / (hypot(u, v) * length) > 0.99


def test_a_track_through_the_centre_can_be_followed() -> None:
    scene = scene_of(crossing("5g", "1g"))
    window = Window()
    beads = [bead.at for bead in stamps(scene, "bead")]
    way = dist(place(window, "5g"), place(window, "1g"))
    gaps = [dist(one, other) for one, other in pairwise(beads)]
    assert max(gaps) < 60
    assert sum(gaps) > way - 4 * SIDES[1]


@pytest.mark.parametrize("theme", Theme)
def test_the_accent_has_an_edge_if_it_lacks_contrast(theme: Theme) -> None:
    known = colours(theme)
    assert contrast(known["accent"], known["ink"]) >= 3


def test_the_newest_captured_piece_is_on_bright_ground_in_the_corner_of_its_seat() -> None:
    view = MINE["captured"]
    assert view.last is not None
    assert view.last.captured is not None
    newest = [name for seat in range(2) for name in near_pieces(scene_of(view), seat) if name.endswith(" newest")]
    assert newest == [f"captured {view.last.captured.kind} newest"]
    assert newest[0] in near_pieces(scene_of(view), view.last.captured.seat)
    assert not any("newest" in name for seat in range(2) for name in near_pieces(scene_of(MINE["agreed"]), seat))


def test_a_seat_whose_last_castle_was_captured_shows_the_piece_that_held_it() -> None:
    view = MINE["castle-taken"]
    assert view.last is not None
    assert view.last.captured is not None
    contents = near(scene_of(view), view.last.captured.seat)
    assert [name for name in contents if name.startswith("captured")] == [f"captured {view.last.captured.kind} newest"]


def near_pieces(scene: Scene, seat: int) -> list[str]:
    """Return the captured pieces of a seat of two, in the corner beside its own."""
    (person,) = stamps(scene, f"person {seat + 1}")
    return [
        part.sprite.name
        for tile in stamps(scene, "line ")
        for part in tile.sprite.shapes
        if (tile.at[1] > CENTRE[1]) == (person.at[1] > CENTRE[1])
        and isinstance(part, Stamp)
        and part.sprite.name.startswith("captured")
    ]


# The margin


def raised(scene: Scene) -> list[tuple[bool, bool]]:
    """Return the raised corners."""
    polygons = [shape for shape in scene.shapes if isinstance(shape, Polygon) and shape.fill.endswith(".up")]
    return [(shape.points[0][0] > CENTRE[0], shape.points[0][1] > CENTRE[1]) for shape in polygons]


def test_the_corner_of_the_actor_is_raised() -> None:
    assert raised(scene_of(MINE["rules-6"])) == [corner_of(0, MINE["rules-6"])]
    assert raised(scene_of(MINE["castle-taken"])) == [corner_of(2, MINE["castle-taken"])]
    assert sorted(raised(scene_of(MINE["two"]))) == [(False, True)]
    assert sorted(raised(scene_of(MINE["captured"]))) == [(False, False), (True, False)]


def off_edge(glass: Polygon, at: Point, half: Point) -> float:
    """Return the distance of the bright edge of a corner from a box with this middle and half size."""
    points = [
        (x0 + (x1 - x0) * step / 20, y0 + (y1 - y0) * step / 20)
        for (x0, y0), (x1, y1) in pairwise((*glass.points, glass.points[0]))
        for step in range(20)
    ]
    far = (hypot(*(max(0.0, abs(point[axis] - at[axis]) - half[axis]) for axis in (0, 1))) for point in points)
    return min(far) - glass.width / 2


@pytest.mark.parametrize("last", range(len(LINES)))
def test_the_bright_edge_of_a_corner_goes_round_the_digit_of_its_slice(last: int) -> None:
    for number, corner in zip((0, 2, 4, 6), CORNERS, strict=True):
        lit, *_ = spandrels.raised(corner, last, "white", pointed=False)
        assert isinstance(lit, Polygon)
        half = width(str(number + 1), TEXT_MIN) / 2, TEXT_MIN * CAPITAL / 2
        assert off_edge(lit, Window().digit(number), half) > 2.5


def test_no_line_of_a_corner_hides_its_bright_edge(view: State) -> None:
    scene = scene_of(view)
    for lit in scene.shapes:
        if isinstance(lit, Polygon) and lit.fill.endswith(".up"):
            for tile in stamps(scene, "line ", "person "):
                assert off_edge(lit, tile.at, tile.sprite.reach) >= 0, tile.sprite.name


def test_every_seat_has_its_number_name_and_castles() -> None:
    scene = scene_of(MINE["castle-taken"])
    for seat in (0, 2):
        contents = near(scene, seat)
        assert NAMES[seat] in contents
        for castle in MINE["castle-taken"].castles(seat):
            assert castle in contents


def test_a_last_castle_has_a_warning_sign() -> None:
    assert "warning" in near(scene_of(MINE["rules-6"]), 0)
    assert "warning" not in near(scene_of(MINE["two"]), 0)


def test_the_corners_show_the_captured_pieces_as_small_figures_with_counts(view: State) -> None:
    scene = scene_of(view)
    began = GAME.start(view.seats, msgspec.structs.asdict(view.options)).board
    for seat in view.playing:
        lost = Counter(piece.kind for piece in began if piece is not None and piece.seat == seat)
        lost.subtract(piece.kind for piece in view.board if piece is not None and piece.seat == seat)
        expected = [f"{kind}{f'×{lost[kind]}' if lost[kind] > 1 else ''}" for kind in KINDS if lost[kind] > 0]
        shown = near_pieces(scene, seat) if view.seats == 2 else near(scene, seat)
        shown = [name.split()[1] for name in shown if name.startswith("captured")]
        assert shown == expected


def test_a_captured_piece_is_a_figure_without_letters() -> None:
    for kind in KINDS:
        assert says(captured(kind, 1)) == []
        assert says(captured(kind, 3)) == ["×3"]
        for newest in (False, True):
            figure_, *_ = (part for part in captured(kind, 2, newest=newest).shapes if isinstance(part, Polygon))
            assert figure_.fill == ("ink" if newest else "text")


def test_a_seat_that_is_out_is_struck_through_with_the_reason() -> None:
    scene = scene_of(MINE["castle-taken"])
    assert "out by castle" in near(scene, 1)
    (person,) = stamps(scene, "person 2")
    assert any(isinstance(part, Stamp) and part.sprite.name.endswith(" out") for part in person.sprite.shapes)
    assert any(isinstance(part, Line) for part in person.sprite.shapes)
    assert "out by blocked" in near(scene_of(MINE["blocked"]), 1)
    assert "out by capitulation" in near(scene_of(MINE["capitulation"]), 0)


def test_an_open_offer_is_shown_with_its_seat() -> None:
    scene = scene_of(MINE["quiet"])
    assert "½" in near(scene, 0)
    assert "½" not in near(scene, 1)


def test_quiet_rounds_are_shown_once_more_than_half_of_the_limit_is_used() -> None:
    (quiet,) = stamps(scene_of(MINE["quiet"]), "quiet ")
    assert says(quiet.sprite) == ["24", "/25"]
    assert not stamps(scene_of(document("quiet", quiet=37)), "quiet ")


def test_with_dice_the_pieces_that_may_move_have_a_bright_edge() -> None:
    view = MINE["rules-7"]
    assert view.die == 6
    scene = scene_of(view)
    bright = {pieces(scene)[halo.at].split()[1] for halo in stamps(scene, "halo")}
    assert bright == {kind.name for kind in KINDS.values() if kind.flies}
    assert all(pieces(scene)[halo.at].startswith("white") for halo in stamps(scene, "halo"))
    assert "die 6" in near(scene, 0) + near(scene, 1)
    assert not stamps(scene_of(MINE["two"]), "halo")


@pytest.mark.parametrize(("name", "side"), [("rules-7", None), ("rules-7", 1), ("skipped", None)])
def test_no_bright_edge_hides_the_name_of_a_field(name: str, side: int | None) -> None:
    scene = scene_of(MINE[name], a_look(side=side))
    order = {id(shape): k for k, shape in enumerate(scene.shapes)}
    over = {stamp.at: order[id(stamp)] for stamp in stamps(scene, "tag ", "name ")}
    bright = stamps(scene, "halo")
    assert bright
    for it in bright:
        for other in names(scene).values():
            if abs(other[0] - it.at[0]) < 51 and abs(other[1] - it.at[1]) < 49:
                assert over.get(other, -1) > order[id(it)]


@pytest.mark.parametrize("name", [name for name, view in MINE.items() if view.die is not None])
def test_no_bright_edge_that_a_menu_lays_again_hides_the_name_of_a_field(name: str) -> None:
    view, window = MINE[name], Window()
    firsts = sorted({move.parts[0] for move in view.actions()} & set(FIELDS))
    for look in (a_look(choices=tuple(firsts)), *(a_look(chosen=(field,)) for field in firsts)):
        shapes = [shape for shape in DRAWER.marks(view, look) if isinstance(shape, Stamp)]
        halos = [index for index, shape in enumerate(shapes) if shape.sprite.name.startswith("halo")]
        for index in halos:
            field = next(field for field in firsts if place(window, field) == shapes[index].at)
            after = {text for shape in shapes[index:] for text in says(shape.sprite)}
            assert set(reached(window, field)) <= after


@pytest.mark.parametrize("used", [True, False])
def test_a_die_says_its_number(used: bool) -> None:
    for number in range(1, 7):
        box, digit = die(number, used=used).shapes
        assert isinstance(box, Box)
        assert isinstance(digit, Text)
        assert (digit.text, digit.at) == (str(number), (0, 0))


def test_with_dice_skipped_throws_are_shown_with_their_seats() -> None:
    view = MINE["skipped"]
    scene = scene_of(view)
    *skipped, (actor, die) = view.rolls
    assert f"die {die}" in near(scene, actor)
    for seat, thrown in skipped:
        assert f"die {thrown} skipped" in near(scene, seat)


@pytest.mark.parametrize("side", [None, 1])
def test_a_held_castle_is_framed_in_the_colour_of_its_holder(side: int | None) -> None:
    view = MINE["three"]
    turned = Window(0 if side is None else -2)
    tones: dict[str, set[str]] = {castle: set() for castle in CASTLES}
    for frame in stamps(scene_of(view, a_look(side=side)), "frame "):
        for castle in CASTLES:
            if dist(frame.at, turned.middle(castle)) < 1:
                tones[castle] |= {getattr(part, "fill", "").split(".")[0] for part in frame.sprite.shapes}
    held = {castle: view.at(castle) for castle in CASTLES}
    assert tones == {castle: set() if piece is None else {HUES[piece.seat]} for castle, piece in held.items()}


# The end


def test_the_winner_wears_the_crown() -> None:
    scene = scene_of(MINE["capitulation"])
    assert ["crown" in near(scene, seat) for seat in range(2)] == [False, True]


def test_the_last_piece_of_a_seat_that_went_out_by_it_is_shown_where_it_went() -> None:
    view = MINE["capitulation"]
    assert view.last is not None
    assert view.at(view.last.target) is None
    (gone,) = stamps(scene_of(view), "captured w newest")
    assert dist(gone.at, Window().middle(view.last.target)) < 40


def test_points_are_shown_if_there_are_ranks_between_first_and_last() -> None:
    two, three = scene_of(MINE["capitulation"]), scene_of(MINE["quiet-end"])
    assert not {"0", "2"} & {content for seat in range(2) for content in near(two, seat)}
    assert all("2" in near(three, seat) for seat in range(3))


@pytest.mark.parametrize(("name", "sign"), [("agreed", "drawn by agreed"), ("quiet-end", "drawn by quiet")])
def test_a_draw_has_a_sign_for_its_reason(name: str, sign: str) -> None:
    assert [stamp.at[0] < CENTRE[0] - RADII[-1] for stamp in stamps(scene_of(MINE[name]), sign)] == [True]


def test_an_end_that_the_table_decided_looks_like_any_other() -> None:
    ended = a_look(ended=Outcome((0, 2), (1,), "resigned"))
    scene = scene_of(MINE["two"], ended)
    assert "crown" in near(scene, 1)
    assert sorted(raised(scene)) == [(False, False)]
    assert "won" in alt_text(MINE["two"], ended)


# In words


def read(text: str) -> dict[str, Piece]:
    """Return the board that a listener can set up."""
    board = {}
    for name, listed in re.findall(r"(\w+), (?:castles|Burgen) [^:]*: ([^.]*)\.", text):
        for letter, field in re.findall(r"([a-z])(00|\d[a-k])", listed):
            board[field] = Piece(NAMES.index(name), letter)
    return board


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_words_are_enough_to_set_up_the_board(view: State, lang: str) -> None:
    board = {field: piece for field, piece in zip(FIELDS, view.board, strict=True) if piece is not None}
    assert read(alt_text(view, a_look(lang=lang))) == board


@pytest.mark.parametrize(("lang", "key"), [("en", "w wizard, "), ("de", "w Zauberer, ")])
def test_the_key_to_the_letters_of_pieces_comes_before_their_use(view: State, lang: str, key: str) -> None:
    text = alt_text(view, a_look(lang=lang))
    first = re.search(r"\w+, (castles|Burgen) ", text)
    assert first is not None
    assert text.index(key) < first.start()


def test_the_words_give_the_last_event() -> None:
    view = MINE["skipped"]
    text = alt_text(view, a_look())
    *skipped, (actor, die) = view.rolls
    assert text.startswith(f"{NAMES[actor]} is to move.")
    assert f"Die: {die}." in text
    for seat, thrown in skipped:
        assert f"{NAMES[seat]} rolled {thrown}" in text
    assert view.last is not None
    assert f"Last, {NAMES[view.last.seat]}: roc {view.last.source}+{view.last.target}." in text
    assert "Rounds in which nothing was taken: 24 of 25." in alt_text(MINE["quiet"], a_look())
    assert "Anna wants a draw." in alt_text(MINE["quiet"], a_look())
    won = "The game is over: Benedikt has won. Anna has given up their last castle: a capitulation."
    assert won in alt_text(MINE["capitulation"], a_look())


# The diagrams of the rules


@pytest.mark.parametrize("page", [1, 2, 3, 4, 6, 7])
def test_pages_of_the_rules_have_a_diagram(page: int) -> None:
    for theme in Theme:
        png = diagram("kalejdoschach", page, Look((SeatLook("Anna"),), theme=theme, lang="de"))
        assert png is not None
        assert len(png) <= 80_000


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.piece.kind)
def test_the_diagram_of_the_moves_shows_lawful_ways_step_by_step(way: Way) -> None:
    kind = KINDS[way.piece.kind]
    near = edges_and_corners() if kind.flies else edges()
    crossed = sum(FIELDS[one].ring != FIELDS[other].ring for one, other in pairwise(way.fields))
    assert len(set(way.fields)) == kind.steps + 1
    for one, other in pairwise(way.fields):
        assert NUMBER[other] in near[NUMBER[one]]
    if not kind.flies:
        assert not any(field in BOARD for field in way.fields[1:-1])
    assert way.allowed == (crossed <= 1 or way.piece.kind == "w")
    board = tuple(BOARD.get(field) for field in FIELDS)
    ends = {move.target for move in moves(board, way.piece.seat, None) if move.source == way.fields[0]}
    assert (way.fields[-1] in ends) == way.allowed


def test_the_diagram_of_moves_compares_equal_reaches_and_shows_crossed_lines() -> None:
    walker, flyer, wizard, eagle = WAYS
    assert not KINDS[walker.piece.kind].flies
    assert KINDS[flyer.piece.kind].flies
    assert KINDS[walker.piece.kind].steps == KINDS[flyer.piece.kind].steps == 3
    scene = drawn(2)
    said = [shape.text for shape in scene.shapes if isinstance(shape, Text)]
    assert said[: len(FIELDS)] == list(FIELDS)  # no way hides a name
    assert said[len(FIELDS) :] == [str(k) for way in WAYS for k in range(1, len(way.fields))]
    bright = [shape for shape in scene.shapes if isinstance(shape, Line) and shape.colour == "mark"]
    assert len(bright) == 1 + 1 + 3 + 2
    for line in bright:
        assert {round(dist(point, CENTRE)) for point in line.points} <= set(RADII)
    assert wizard.piece.kind == "w"
    assert not eagle.allowed


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_diagram_of_the_kinds_has_every_figure_with_its_name_and_no_letter(lang: str) -> None:
    scene = DRAWER.diagram(3, a_look(lang=lang))
    assert scene is not None
    texts = [shape.text for shape in scene.shapes if isinstance(shape, Text)]
    expected = [(say("kalejdoschach", f"part.{kind.name}", lang), str(kind.steps)) for kind in KINDS.values()]
    assert texts == [text for pair in expected for text in pair]
    figures = [shape.sprite.name.split()[1] for shape in scene.shapes if isinstance(shape, Stamp)]
    assert figures == [kind.name for kind in KINDS.values()]


def drawn(page: int) -> Scene:
    scene = DRAWER.diagram(page, a_look())
    assert scene is not None
    return scene


def test_the_emblem_is_small_and_the_knight() -> None:
    emblem = DRAWER.emblem()
    assert max(emblem.reach) <= 24
    assert any(isinstance(part, Polygon) and part.fill == "paper" for part in emblem.shapes)


def test_the_page_about_typing_needs_none() -> None:
    assert diagram("kalejdoschach", 5, Look(())) is None


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("name", ["two", "three", "rules-6"])
def test_a_full_board_with_marked_pieces_and_long_names_is_small_enough_for_a_chat(name: str, theme: Theme) -> None:
    view = MINE[name]
    starts = tuple(dict.fromkeys(action.parts[0] for action in view.actions()))
    look = a_look(*("Wilhelmina Magdalena von Hohenstein",) * view.seats, theme=theme, choices=starts)
    assert len(picture(view, look)) <= 80_000


def test_the_size_is_that_of_all_pictures() -> None:
    assert scene_of(MINE["two"]).size == SIZE
