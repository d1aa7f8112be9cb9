"""The frame: one plate per seat, and its contents."""

import re
from itertools import product

import pytest

from kaleidobot.testing.looking import NAMES, ODD_NAMES, a_look
from renderers import Look, SeatLook, Theme
from renderers.frame import (
    POINTS,
    Frame,
    Item,
    Plate,
    Word,
    badge,
    below,
    beside,
    leading,
    panel,
    places,
    row_of,
    seat_look,
)
from renderers.lettering import fitted, width
from renderers.paint import painter
from renderers.palette import HUES, MARKS, colours, contrast
from renderers.scene import TEXT_MIN, AnyShape, Box, Line, Scene, Stamp, Text, parts
from renderers.signs import figure

ROWS = ((Word("b3-c4"),), (Word("12"),))


def plates_of(shapes: tuple[AnyShape, ...]) -> list[Stamp]:
    """Return the plates themselves, without their rows."""
    return [shape for shape in shapes if isinstance(shape, Stamp) and re.fullmatch(r"plate \d", shape.sprite.name)]


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("frame", [below(), beside(), below(900, 240)])
def test_every_seat_has_a_plate_in_the_panel_with_number_mark_and_name(frame: Frame, seats: int) -> None:
    shapes = panel(frame, a_look(), [Plate(seat, points="7/15", rows=ROWS) for seat in range(seats)])
    boxes = []
    for seat, shape in enumerate(plates_of(shapes)):
        (x, y), (wide, high) = shape.at, shape.sprite.reach
        assert frame.panel.x <= x - wide
        assert x + wide <= frame.panel.right + 0.01
        assert frame.panel.y <= y - high
        assert y + high <= frame.panel.bottom + 0.01
        boxes.append((x - wide, y - high, x + wide, y + high))
        contents = list(parts(shape.sprite.shapes))
        assert any(isinstance(part, Text) and part.text == NAMES[seat] for part in contents)
        assert any(isinstance(part, Text) and part.text == str(seat + 1) for part in contents)
        mark = figure(MARKS[seat], (0, 0), 25, HUES[seat])
        assert any(type(part) is type(mark) and getattr(part, "fill", "") == HUES[seat] for part in contents)
    assert len(boxes) == seats
    for (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) in product(boxes, boxes):
        assert (ax0, ay0) == (bx0, by0) or ax1 <= bx0 or bx1 <= ax0 or ay1 <= by0 or by1 <= ay0


@pytest.mark.parametrize("frame", [below(), beside()])
def test_a_plate_keeps_room_below_its_name_for_shapes_of_the_game(frame: Frame) -> None:
    plates = [Plate(seat, points="7", room=seat * 40) for seat in range(3)]
    for plate, place, shape in zip(plates, places(frame, 3), plates_of(panel(frame, a_look(), plates)), strict=True):
        assert shape.at == place.middle
        (name,) = (part for part in parts(shape.sprite.shapes) if isinstance(part, Text) and part.text in NAMES)
        assert name.at[1] + plate.room / 2 == pytest.approx(0)


def test_the_board_and_the_panel_do_not_touch() -> None:
    assert below().board.bottom < below().panel.y
    assert beside().board.right < beside().panel.x


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("frame", [below(), beside()])
def test_no_name_breaks_the_panel(frame: Frame, name: str) -> None:
    look = Look((SeatLook(name, house=True),) * 4)
    plates = [Plate(seat, points="120/120", up=seat == 1, won=seat == 2, out=seat == 3) for seat in range(4)]
    for shape in plates_of(panel(frame, look, plates)):
        right = shape.sprite.reach[0]
        (name_room,) = [
            part.at[0] + part.room for part in parts(shape.sprite.shapes) if isinstance(part, Text) and part.room
        ]
        assert name_room <= right
        for part in parts(shape.sprite.shapes):
            if isinstance(part, Line) and part.points[0][1] == part.points[1][1]:
                assert part.points[1][0] <= right
    assert painter(Theme.LIGHT).paint(Scene(frame.size, frame.still, panel(frame, look, plates)))


def test_a_row_that_is_too_long_is_drawn_together() -> None:
    items: list[Item] = [Word("33"), 40.0, Word("33"), 40.0, Word("33")]
    loose, close = row_of(items, (0, 0)), row_of(items, (0, 0), 120)
    assert isinstance(loose[-1], Text)
    assert isinstance(close[-1], Text)
    assert close[-1].at[0] < loose[-1].at[0]
    assert close[-1].at[0] + width("33", TEXT_MIN) <= 121


# Names


@pytest.mark.parametrize("name", ["王小明", "🎉👨‍👩‍👧‍👦", "", " \n\t ", "\u200b\u200d", "---", "กนก"])
def test_a_name_without_known_letters_becomes_the_players_number(name: str) -> None:
    assert seat_look(a_look("Ada", name), 1).name == "Player 2"
    assert seat_look(a_look("Ada", name, lang="de"), 1).name == "Platz 2"


@pytest.mark.parametrize("name", ["Bo 王", "محمد", "שלום", "Z͑ͫ̓ͪ̂ͫA", "Владимир", "★", "\u202egnp.exe\u202c"])
def test_any_other_name_stays(name: str) -> None:
    assert seat_look(a_look("Ada", name), 1).name == name


def test_a_name_that_is_a_little_too_long_is_drawn_smaller_before_it_is_cut() -> None:
    texts = lettering(panel(below(), a_look("Wilhelmina", "Ada", "Ben", "Eva"), [Plate(seat) for seat in range(4)]))
    assert [(text.size, text.room is None or width(text.text, text.size) <= text.room) for text in texts[:1]] == [
        (TEXT_MIN, True)
    ]


@pytest.mark.parametrize("frame", [below(), beside(), below(900, 240)])
def test_names_cut_to_the_same_letters_end_in_the_players_numbers(frame: Frame) -> None:
    long = "Annika Franziska Westermann-Lüdenscheidt zu Hohenstein"
    look = a_look(f"{long}-Groß", f"{long}-Klein", "Annika", "Eva")
    plates = [Plate(seat, points="120/120", rows=ROWS) for seat in range(4)]
    names = [fitted(part.text, part.size, part.bold, part.room) for part in lettering(panel(frame, look, plates))]
    assert [name[-5:] for name in names if "… (" in name] == ["… (1)", "… (2)"]
    assert "Annika" in names


@pytest.mark.parametrize("frame", [below(), beside(), below(900, 240)])
def test_names_that_differ_in_their_second_line_have_no_numbers(frame: Frame) -> None:
    look = a_look("Annika Westermann", "Annika Westerholz", "Ben", "Eva")
    names = [part.text for part in lettering(panel(frame, look, [Plate(seat) for seat in range(4)]))]
    whole = [seat_look(look, seat).name for seat in range(2)]
    assert names[:2] == whole or names == ["Annika", "Westermann", "Annika", "Westerholz", "Ben", "Eva"]


def test_a_number_is_not_added_to_names_with_room() -> None:
    names = [seat_look(a_look("Maria Anna", "Maria Lena"), seat).name for seat in range(2)]
    assert [fitted(name, 24, True, 400) for name in names] == ["Maria Anna", "Maria Lena"]


def test_equal_names_have_the_players_numbers() -> None:
    assert [seat_look(a_look("Ada", "Ben", "Ada"), seat).name for seat in range(3)] == ["Ada (1)", "Ben", "Ada (3)"]


# The seat to act


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("hue", HUES)
def test_the_plate_of_the_seat_to_act_has_its_colour_and_readable_text(hue: str, theme: Theme) -> None:
    known = colours(theme)
    plates = [Plate(seat, hue, rows=ROWS, up=seat == 1) for seat in range(3)]
    grounds = [stamp.sprite.shapes[0] for stamp in plates_of(panel(below(), a_look(), plates))]
    assert [ground.fill for ground in grounds if isinstance(ground, Box)] == ["panel", f"{hue}.up", "panel"]
    assert min(contrast(known[pen], known[f"{hue}.up"]) for pen in ("text", "muted")) >= 4.5
    assert contrast(known[f"{hue}.up"], known["panel"]) >= 1.25


# Points


def lettering(shapes: tuple[AnyShape, ...]) -> list[Text]:
    """Return the texts on the plates, without the numbers of the players."""
    return [
        part for part in parts(shapes) if isinstance(part, Text) and not (part.text in "123456" and part.size < POINTS)
    ]


def test_the_leader_has_the_most_points_unless_all_are_equal() -> None:
    assert leading((3, 7, 7)) == {1, 2}
    assert leading((0, 0)) == leading(None) == leading(()) == frozenset()


@pytest.mark.parametrize("frame", [below(), beside(), below(900, 240)])
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_ground_of_the_leaders_points_is_visible_without_colour(frame: Frame, seats: int) -> None:
    plates = [Plate(seat, points=str(20 - seat), leads=not seat, rows=ROWS[:1]) for seat in range(seats)]
    shapes = panel(frame, a_look(), plates)
    assert [text.colour for text in lettering(shapes) if text.size == POINTS] == ["panel", *["text"] * (seats - 1)]
    assert sum(isinstance(part, Box) and part.fill == "text" for part in parts(shapes)) == 1
    for theme in Theme:
        assert contrast(colours(theme)["text"], colours(theme)["panel"]) >= 4.5


@pytest.mark.parametrize("row", [ROWS[0], (Word("b3-c4 b3-c4 b3-c4"),), ()])
@pytest.mark.parametrize("frame", [below(), beside(), below(900, 240)])
@pytest.mark.parametrize("seats", range(2, 7))
def test_points_and_crown_take_no_room_from_a_long_name(frame: Frame, seats: int, row: tuple[Word, ...]) -> None:
    def room(points: str, won: bool) -> float | None:
        plates = [Plate(seat, points=points, won=won and not seat, rows=(row,)) for seat in range(seats)]
        look = a_look(*["Wilhelmina von Hohenstein-Lüdenscheidt"] * 6)
        return next(text.room for text in lettering(panel(frame, look, plates)) if text.room)

    assert room("12", won=True) == room("12", won=False) == room("", won=False)


def test_the_crown_is_beside_the_points() -> None:
    shapes = panel(below(), a_look(), [Plate(seat, points="12", won=seat == 1, rows=ROWS[:1]) for seat in range(4)])
    (row,) = [shape for shape in shapes if isinstance(shape, Stamp) and "crown" in str(shape.sprite.shapes)]
    points = [part for part in row.sprite.shapes if isinstance(part, Text) and part.size == POINTS]
    (crown,) = [part for part in row.sprite.shapes if isinstance(part, Stamp)]
    assert points[0].at[0] - width("12", POINTS) - 80 < crown.at[0] < points[0].at[0] - width("12", POINTS)


# Seats that are out


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("seat", range(6))
def test_the_mark_of_a_seat_that_is_out_can_be_seen(seat: int, theme: Theme) -> None:
    known = colours(theme)
    shapes = panel(below(), a_look(), [Plate(other, out=other == seat) for other in range(6)])
    (mark,) = [part for part in parts(shapes) if isinstance(part, Stamp) and part.sprite.name.endswith("out")]
    assert mark.strength == 1
    outline, number = mark.sprite.shapes
    assert isinstance(number, Text)
    for ground in ("panel", "panel.up"):
        assert contrast(known[getattr(outline, "line", "")], known[ground]) >= 3
        assert contrast(known[number.colour], known[ground]) >= 4.5
    assert badge(seat, HUES[seat], out=True) != badge(seat, HUES[seat])


@pytest.mark.parametrize("name", ["Bo", "Bot (leicht)", "Wilhelmina Charlotte"])
def test_the_stroke_through_a_name_is_as_long_as_its_drawn_part(name: str) -> None:
    (plate,) = plates_of(panel(beside(), Look((SeatLook(name, house=True),)), [Plate(0, out=True)]))
    drawn = [part for part in plate.sprite.shapes if isinstance(part, Text)]
    strokes = [part for part in plate.sprite.shapes if isinstance(part, Line)]
    for line, stroke in zip(drawn, strokes, strict=True):
        long = width(fitted(line.text, line.size, line.bold, line.room), line.size, bold=line.bold)
        assert [x for x, _ in stroke.points] == pytest.approx([line.at[0] - 3, line.at[0] + long + 3])
