"""KalejdoSchach's board, in the order of section 12 of its page: what the picture must show, and its words."""

import json
import re
from itertools import combinations, product
from math import dist, hypot
from typing import Any

import pytest

from renderers import Look, SeatLook, Theme, alt_text, diagram
from renderers.games.kalejdoschach.gems import RADIUS, gem, mark, outline
from renderers.games.kalejdoschach.window import CENTRE, LABEL, RADII, SIZE, Window, pen, still
from renderers.palette import MARKS, blend, colours, contrast
from renderers.scene import AnyShape, Box, Disc, Line, Polygon, Scene, Sprite, Stamp, Text, parts
from rules.contract import Outcome
from rules.games.kalejdoschach import CASTLES, FIELDS, GAME, KINDS, Piece, State, towns
from tests.renderers.looking import NAMES, a_look, positions, scene_of

HUES = ("white", "black", "orange", "blue")
MINE = {name.split("/")[1]: view for name, view in positions().items() if name.startswith("kalejdoschach/")}


@pytest.fixture(params=list(MINE))
def view(request: pytest.FixtureRequest) -> State:
    found: State = MINE[request.param]
    return found


def document(name: str, **changes: Any) -> State:
    """A golden position with some keys of its document changed."""
    return GAME.decode(json.dumps({**json.loads(GAME.encode(MINE[name])), **changes}))


def stamps(scene: Scene, *beginning: str) -> list[Stamp]:
    """The sprites whose names begin like one of these, in painting order."""
    return [shape for shape in scene.shapes if isinstance(shape, Stamp) and shape.sprite.name.startswith(beginning)]


def names(scene: Scene) -> dict[str, tuple[float, float]]:
    """Where the name of every field can be read, once: what a later sprite hides is left out."""
    found = {shape.text: shape.at for shape in scene.still if isinstance(shape, Text) and shape.text in FIELDS}
    for blank in stamps(scene, "blank "):
        del found[min(found, key=lambda field: dist(found[field], blank.at))]
    for end in stamps(scene, "end "):
        (name,) = (part for part in end.sprite.shapes if isinstance(part, Text))
        found[name.text] = (end.at[0] + name.at[0], end.at[1] + name.at[1])
    for shape in scene.shapes:
        if isinstance(shape, Text) and shape.text in FIELDS and dist(shape.at, CENTRE) < RADII[-1]:
            found.setdefault(shape.text, shape.at)
    return found


def pieces(scene: Scene) -> dict[tuple[float, float], str]:
    """The name of the sprite of every piece on the board, by where it stands."""
    kinds = tuple(f"{hue} {kind.name}" for hue in HUES for kind in KINDS.values())
    return {shape.at: shape.sprite.name for shape in stamps(scene, *kinds)}


def corner_of(seat: int, view: State, side: int | None = None) -> tuple[bool, bool]:
    """Whether a seat's badge is in the right and in the lower half of the picture."""
    (person,) = stamps(scene_of(view, a_look(side=side)), f"person {seat + 1}")
    return person.at[0] > CENTRE[0], person.at[1] > CENTRE[1]


def near(scene: Scene, seat: int) -> list[str]:
    """What is said and signed in the corner of a seat."""
    (person,) = stamps(scene, f"person {seat + 1}")
    told = []
    for tile in stamps(scene, "person ", "line "):
        if all((tile.at[axis] > CENTRE[axis]) == (person.at[axis] > CENTRE[axis]) for axis in (0, 1)):
            told += [
                part.sprite.name if isinstance(part, Stamp) else getattr(part, "text", "")
                for part in tile.sprite.shapes
            ]
    return told


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
def test_a_player_sees_the_own_castle_where_player_1_has_it(name: str, seats: int) -> None:
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
    digits = [shape for shape in still(Window()) if isinstance(shape, Text) and shape.text not in FIELDS]
    assert [shape.text for shape in digits] == list("12345678")
    assert all(dist(shape.at, CENTRE) > RADII[-1] for shape in digits)


def test_castles_and_towns_are_told_apart_by_more_than_colour() -> None:
    window = Window()

    def inside(field: str, shape: AnyShape) -> bool:
        at = shape.points[0] if isinstance(shape, Polygon) else getattr(shape, "at", (0, 0))
        return dist(at, window.middle(field)) < 60

    framed = [shape for shape in still(window) if isinstance(shape, Polygon) and shape.line]
    dots = [shape for shape in still(window) if isinstance(shape, Stamp) and shape.sprite.name == "rivet"]
    for castle in CASTLES:
        assert sum(inside(castle, shape) for shape in framed) == 2
    for town in towns():
        assert sum(inside(town, dot) for dot in dots) >= 4
    for field in ("2c", "2g", "6j", "1d"):
        assert not any(dist(dot.at, window.middle(field)) < 25 for dot in dots)


# The names of the fields


def test_every_field_has_its_name_below_its_piece_or_in_its_middle(view: State) -> None:
    window, shown = Window(), names(scene_of(view))
    for field, piece in zip(FIELDS, view.board, strict=True):
        at = window.middle(field) if piece is None else window.label(field)
        assert dist(shown[field], at) < 1, field


def test_a_name_stands_on_its_own_field_and_inside_the_window() -> None:
    for turned in (0, 2, 4, 6):
        window = Window(turned)
        for field, at in ((field, window.label(field)) for field in FIELDS):
            closest = min(FIELDS, key=lambda other: dist(window.middle(other), at))
            assert closest == field
            for side in (-1, 1):
                assert hypot(at[0] + side * LABEL[0] - CENTRE[0], at[1] + LABEL[1] - CENTRE[1]) < RADII[-1] + 1


def test_on_a_full_board_no_name_is_under_a_piece_or_another_name() -> None:
    window = Window()
    for one, other in product(FIELDS, FIELDS):
        (x, y), (u, v) = window.label(one), window.seat(other)
        if one != other:
            gap = hypot(max(0.0, abs(x - u) - LABEL[0]), max(0.0, abs(y - v) - LABEL[1]))
            assert gap > RADIUS - 1, (one, other)
    for one, other in combinations(FIELDS, 2):
        (x, y), (u, v) = window.label(one), window.label(other)
        assert abs(x - u) >= 2 * LABEL[0] or abs(y - v) >= 2 * LABEL[1], (one, other)
        assert dist(window.seat(one), window.seat(other)) >= 2 * RADIUS, (one, other)


@pytest.mark.parametrize("theme", Theme)
def test_every_name_can_be_read_on_its_pane(theme: Theme) -> None:
    known = colours(theme)
    panes: dict[str, list[Polygon]] = {}
    fills = [shape for shape in still(Window()) if isinstance(shape, Polygon) and shape.fill]
    for field in FIELDS:
        border = Window().border(field, 0)
        panes[field] = [shape for shape in fills if shape.points == border]
        ground = known["ground"]
        for pane in panes[field]:
            ground = blend(ground, known[pane.fill], pane.strength)
        assert contrast(known[pen(field)], ground) >= 4.45, field


# The pieces


def test_every_piece_stands_on_its_field(view: State) -> None:
    window = Window()
    expected = {
        window.seat(field): f"{HUES[piece.seat]} {KINDS[piece.kind].name}"
        for field, piece in zip(FIELDS, view.board, strict=True)
        if piece is not None
    }
    found = pieces(scene_of(view))
    assert {at: found[at] for at in expected} == expected
    assert len(found) == len(expected)


def test_seats_are_told_apart_by_the_cut_of_their_stones() -> None:
    assert [mark(seat) for seat in range(4)] == list(MARKS[:4])
    assert len({outline(mark(seat), 20) for seat in range(4)}) == 4


@pytest.mark.parametrize("letter", KINDS)
def test_the_marks_tell_how_a_piece_moves_and_the_letter_what_it_is(letter: str) -> None:
    kind, stone = KINDS[letter], gem("disc", "white", letter)
    assert says(stone) == [letter.upper()]
    dots = [part for part in stone.shapes if isinstance(part, Disc)]
    strokes = [part for part in stone.shapes if isinstance(part, Box)]
    if letter == "w":
        (triangle,) = (part for part in stone.shapes if isinstance(part, Line))
        assert len(set(triangle.points)) == 3
        assert triangle.points[0] == triangle.points[-1]
    else:
        assert (len(strokes), len(dots)) == ((kind.steps, 0) if kind.flies else (0, kind.steps))


# The last move


def test_both_ends_of_the_last_move_are_marked_and_joined() -> None:
    view = MINE["captured"]
    assert view.last is not None
    scene = scene_of(view)
    ends = stamps(scene, "end ")
    assert [says(end.sprite) for end in ends] == [[view.last.source], [view.last.target]]
    accents = [part.line for end in ends for part in end.sprite.shapes if isinstance(part, Polygon)]
    assert accents == ["accent", "accent"]
    assert stamps(scene, "bead")
    assert not stamps(scene_of(MINE["two"]), "end ", "bead")


def test_a_captured_piece_is_shown_struck_through_in_the_margin() -> None:
    view = MINE["captured"]
    assert view.last is not None
    assert view.last.captured is not None
    (taken,) = stamps(scene_of(view), "taken ")
    piece = view.last.captured
    assert taken.sprite.name == f"taken {HUES[piece.seat]} {piece.kind}"
    assert abs(taken.at[0] - CENTRE[0]) > RADII[-1] + RADIUS
    assert not stamps(scene_of(MINE["agreed"]), "taken ")


# The margin


def raised(scene: Scene) -> list[tuple[bool, bool]]:
    """Which corners are raised."""
    found = [shape for shape in scene.shapes if isinstance(shape, Polygon) and shape.fill == "panel.up"]
    return [(shape.points[0][0] > CENTRE[0], shape.points[0][1] > CENTRE[1]) for shape in found]


def test_the_corner_of_the_one_who_is_to_move_is_raised() -> None:
    assert raised(scene_of(MINE["rules-6"])) == [corner_of(0, MINE["rules-6"])]
    assert raised(scene_of(MINE["castle-taken"])) == [corner_of(2, MINE["castle-taken"])]
    assert sorted(raised(scene_of(MINE["two"]))) == [(False, True), (True, True)]


def test_every_seat_has_its_number_name_and_castles() -> None:
    scene = scene_of(MINE["castle-taken"])
    for seat in (0, 2):
        told = near(scene, seat)
        assert NAMES[seat] in told
        for castle in MINE["castle-taken"].castles(seat):
            assert castle in told


def test_a_last_castle_has_a_warning_sign() -> None:
    assert "warning" in near(scene_of(MINE["rules-6"]), 0)
    assert "warning" not in near(scene_of(MINE["two"]), 0)


def test_the_corners_tell_what_is_left_by_kind() -> None:
    assert [name for name in near(scene_of(MINE["rules-6"]), 1) if name.endswith("left")] == [
        f"{word} left" for word in ("W", "R", "E", "V", "L", "T", "H", "P2")
    ]
    assert (
        sum(
            "V18 left" in [part.sprite.name for part in tile.sprite.shapes if isinstance(part, Stamp)]
            for tile in stamps(scene_of(MINE["handicap"]), "line ")
        )
        == 1
    )


def test_who_is_out_is_struck_through_with_the_reason() -> None:
    scene = scene_of(MINE["castle-taken"])
    assert "out by castle" in near(scene, 1)
    (person,) = stamps(scene, "person 2")
    assert any(isinstance(part, Stamp) and part.strength < 1 for part in person.sprite.shapes)
    assert any(isinstance(part, Line) for part in person.sprite.shapes)
    assert "out by blocked" in near(scene_of(MINE["blocked"]), 1)
    assert "out by capitulation" in near(scene_of(MINE["capitulation"]), 0)


def test_an_open_offer_is_shown_with_the_one_who_made_it() -> None:
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


def test_with_dice_skipped_throws_are_shown_with_those_who_threw_them() -> None:
    view = MINE["skipped"]
    scene = scene_of(view)
    *skipped, (actor, die) = view.rolls
    assert f"die {die}" in near(scene, actor)
    for seat, thrown in skipped:
        assert f"die {thrown} skipped" in near(scene, seat)


def test_a_held_castle_is_framed_in_the_colour_of_its_holder() -> None:
    frames = [shape for shape in scene_of(MINE["three"]).shapes if isinstance(shape, Polygon) and shape.width == 6]
    held = [(castle, piece) for castle in CASTLES if (piece := MINE["three"].at(castle)) is not None]
    assert [shape.line for shape in frames] == [
        {"black": "black.pale"}.get(HUES[piece.seat], HUES[piece.seat]) for _, piece in held
    ]


# The end


def test_the_winner_wears_the_crown_and_everybody_has_the_points() -> None:
    scene = scene_of(MINE["capitulation"])
    assert "crown" in near(scene, 1)
    assert "2" in near(scene, 1)
    assert "crown" not in near(scene, 0)


@pytest.mark.parametrize(("name", "sign"), [("agreed", "drawn by agreed"), ("quiet-end", "drawn by quiet")])
def test_a_draw_has_a_sign_for_its_reason(name: str, sign: str) -> None:
    assert [stamp.at[0] < CENTRE[0] - RADII[-1] for stamp in stamps(scene_of(MINE[name]), sign)] == [True]


def test_an_end_that_the_table_decided_looks_like_any_other() -> None:
    ended = a_look(ended=Outcome((0, 2), (1,), "resigned"))
    scene = scene_of(MINE["two"], ended)
    assert "crown" in near(scene, 1)
    assert sorted(raised(scene)) == [(False, False), (True, False)]
    assert "won" in alt_text(MINE["two"], ended)


# In words


def read(text: str) -> dict[str, Piece]:
    """The board as a listener can set it up."""
    board = {}
    for number, told in re.findall(r"(\d) \w+, (?:castles|Burgen) [^:]*: ([^.]*)\.", text):
        for letter, field in re.findall(r"([a-z])(00|\d[a-k])", told):
            board[field] = Piece(int(number) - 1, letter)
    return board


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_words_are_enough_to_set_up_the_board(view: State, lang: str) -> None:
    board = {field: piece for field, piece in zip(FIELDS, view.board, strict=True) if piece is not None}
    assert read(alt_text(view, a_look(lang=lang))) == board


def test_the_words_tell_what_has_just_happened() -> None:
    view = MINE["skipped"]
    told = alt_text(view, a_look())
    *skipped, (actor, die) = view.rolls
    assert told.startswith(f"{NAMES[actor]} is to move.")
    assert f"Die: {die}." in told
    for seat, thrown in skipped:
        assert f"{NAMES[seat]} threw {thrown}" in told
    assert view.last is not None
    assert f"{view.last.kind}{view.last.source}" in told
    assert "Rounds without a capture: 24 of 25." in alt_text(MINE["quiet"], a_look())
    assert "Anna wants a draw." in alt_text(MINE["quiet"], a_look())
    assert "Benedikt wins by capitulation." in alt_text(MINE["capitulation"], a_look())


# The diagrams of the rules


@pytest.mark.parametrize("page", [1, 2, 3, 4, 6, 7])
def test_pages_of_the_rules_have_a_diagram(page: int) -> None:
    for theme in Theme:
        png = diagram("kalejdoschach", page, Look((SeatLook("Anna"),), theme=theme, lang="de"))
        assert png is not None
        assert len(png) <= 70_000


def test_the_page_about_typing_needs_none() -> None:
    assert diagram("kalejdoschach", 5, Look(())) is None


def test_the_size_is_that_of_all_pictures() -> None:
    assert scene_of(MINE["two"]).size == SIZE
