"""Crystalla's picture: setting up, pieces, the changes of the last turn."""

import json
from collections.abc import Iterator
from itertools import product
from math import hypot

import pytest
from msgspec.structs import replace

from kaleidobot.testing.looking import a_look, scene_of
from renderers import Look, Recent, Theme, alt_text, picture
from renderers.games.crystalla import displays, gems, homes, stage
from renderers.lettering import CAPITAL, width
from renderers.paint import painter
from renderers.palette import colours, contrast
from renderers.scene import AnyShape, Box, Line, Point, Polygon, Scene, Sprite, Stamp, Text, shifted
from rules.games.crystalla import (
    COLOURS,
    COLUMNS,
    CORNERS,
    CRYSTALS,
    GAME,
    Drop,
    Lay,
    Phase,
    State,
    Take,
    Turn,
    cells_for,
)
from rules.games.crystalla.actions import canonical
from tests.renderers.crystalla_scenes import (
    MINE,
    RUNNING,
    cells,
    heap,
    home_of,
    is_up,
    on_stage,
    stacks,
    stamps,
    texts,
    within,
)

DISPLAYED = (homes.BIG, homes.MIDDLE, homes.SMALL)
"""The sides of cards in displays."""

# Setup


@pytest.mark.parametrize("name", ["rules-2", "place", "two-place"])
def test_the_hands_are_open_under_the_displays_with_numbered_slots(name: str) -> None:
    view = MINE[name]
    hands = {home_of(view, stamp.at): stamp.sprite for stamp in stamps(scene_of(view), "hand")}
    assert set(hands) == {seat for seat, hand in enumerate(view.hands) if any(hand)}
    for seat, sprite in hands.items():
        assert texts(sprite) == ["1", "2", "3"]
        large = [segment.name[0] for segment in within(sprite, "") if segment.name[1:5] == "l nw"]
        assert large == [card[0] for card in view.hands[seat] if card]


def test_the_start_of_the_stones_is_visible_before_the_stacks_are_dealt() -> None:
    view = MINE["rules-2"]
    assert [heap(sprite.shapes) for sprite in stacks(view).values()] == list(view.stones)
    assert not any(within(sprite, "card") for sprite in stacks(view).values())


def test_while_a_card_may_be_swapped_the_deck_is_shown_with_its_height() -> None:
    view = MINE["rules-2"]
    assert view.phase == Phase.SWAP
    assert [part.text for part in on_stage(view) if isinstance(part, Text)] == [f"×{len(view.deck)}"]


# Pieces


@pytest.mark.parametrize("name", RUNNING)
def test_the_open_pieces_have_code_shape_and_letter_and_the_piles_their_heights(name: str) -> None:
    view = RUNNING[name]
    (tray,) = [stamp.sprite for stamp in stamps(scene_of(view), "pieces")]
    assert [text for text in texts(tray) if not text.isupper()] == [
        *(piece or "–" for piece in view.open),
        *(f"×{len(pile)}" for pile in view.piles),
    ]
    assert [segment.name[:2] for segment in within(tray, "") if segment.name[2:6] == " nw "] == [
        piece for piece in view.open if piece
    ]


@pytest.mark.parametrize("name", RUNNING)
def test_the_open_pieces_are_raised_while_one_must_be_chosen(name: str) -> None:
    (tray,) = [stamp.sprite for stamp in stamps(scene_of(RUNNING[name]), "pieces")]
    assert is_up(tray) == (RUNNING[name].phase == Phase.GIVE)


@pytest.mark.parametrize("name", RUNNING)
def test_the_stage_is_raised_while_something_on_it_must_be_chosen(name: str) -> None:
    view = RUNNING[name]
    raised = [stamp.sprite for stamp in stamps(scene_of(view), "stage up")]
    assert bool(raised) == (view.phase in (Phase.PLACE, Phase.DROP, Phase.LAY, Phase.GIVE))
    assert all(map(is_up, raised))


def test_an_empty_slot_is_an_outline() -> None:
    view = replace(MINE["four-take"], open=("el", None, None, "ts"))
    (tray,) = [stamp.sprite for stamp in stamps(scene_of(view), "pieces")]
    assert [text for text in texts(tray) if not text.isupper()][:4] == ["el", "–", "–", "ts"]
    assert sum(isinstance(part, Box) and part.line == "muted" for part in tray.shapes) == 2


def test_the_seats_that_are_due_a_piece_are_shown() -> None:
    shapes = on_stage(MINE["three-give"])
    assert heap(shapes) == MINE["three-give"].due
    assert sum(isinstance(part, Text) and part.text == "?" for part in shapes) == len(MINE["three-give"].due)


@pytest.mark.parametrize("name", MINE)
def test_the_plate_of_a_seat_that_is_due_a_piece_has_a_sign(name: str) -> None:
    view = MINE[name]
    plates = stamps(scene_of(view), "plate")
    signed = [seat for seat, stamp in enumerate(plates) if within(stamp.sprite, "gift")]
    assert signed == [seat for seat in range(view.seats) if COLOURS[seat] in view.due or seat == view.receiver]


@pytest.mark.parametrize("name", ["two-cover", "three-cover", "rules-5"])
def test_a_piece_to_place_is_shown_with_the_cells_that_it_fits(name: str) -> None:
    view = MINE[name]
    assert view.piece is not None
    assert view.receiver is not None
    shapes = on_stage(view)
    assert heap(shapes) == COLOURS[view.receiver]
    assert any(isinstance(part, Text) and part.text == view.piece for part in shapes)
    fitting = {cell for (seat, cell), sprite in cells(view).items() if f"{view.piece[1]}:fits" in sprite.name}
    assert fitting == set(cells_for(view.displays[view.receiver], view.piece))
    assert all(seat == view.receiver for (seat, _), sprite in cells(view).items() if ":fits" in sprite.name)


# The last turn


def framed(view: State, look: Look, kind: str) -> list[tuple[int, str]]:
    """Return the seats and cells of the cards with a frame of this kind."""
    return sorted(place for place, sprite in cells(view, look).items() if kind in sprite.name.split()[3:])


def test_the_newest_card_is_framed_in_the_display_that_it_joined_and_nowhere_else() -> None:
    view = MINE["two-take"]
    assert view.last is not None
    (newest,) = framed(view, a_look(), "accent")
    assert newest[0] == view.last.seat
    (ring,) = stamps(scene_of(view), "ring")
    assert home_of(view, ring.at) == view.last.seat
    assert [stamp.sprite.name for stamp in on_stage(view) if isinstance(stamp, Stamp)] == ["title Crystalla"]


def test_every_card_since_the_readers_turn_is_framed_the_own_one_broken() -> None:
    view = MINE["four-take"]
    (newest,) = framed(view, a_look(), "accent")
    assert newest[0] == 1
    tops = [
        (seat, f"{COLUMNS[column]}{len(cards)}", cards[-1][3:5])
        for seat, display in enumerate(view.displays)
        for column, cards in enumerate(display)
        if cards
    ]
    mine, *answers = [next(top for top in tops if top[0] == seat) for seat in (2, 3, 0)]
    recent = tuple(Recent(seat, f"{cell[0]}{corner}", seat == 2) for seat, cell, corner in (mine, *answers))
    look = a_look(recent=recent)
    assert framed(view, look, "accent") == sorted([newest, *((seat, cell) for seat, cell, _ in answers)])
    assert framed(view, look, "faint") == [mine[:2]]
    tile = cells(view, look)[mine[:2]]
    assert any(isinstance(part, Line) and part.dash and part.colour == "accent" for part in tile.shapes)
    assert len(stamps(scene_of(view, look), "ring")) == 3


def set_up(seats: int, *places: str) -> tuple[State, tuple[Recent, ...]]:
    """Return the position after all seats have kept their hands and laid them so, and what the first seat has seen."""
    state, recent = GAME.start(seats, seed=1), list[Recent]()
    for seat in range(seats):
        for text in ("keep", *places):
            action = canonical(text)
            assert action is not None
            recent.append(Recent(seat, text, is_faint=seat == 0))
            state = state.play(action)
    return state.view(None), tuple(recent)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_card_of_a_setup_is_framed_the_own_ones_broken(seats: int) -> None:
    view, recent = set_up(seats, "2bnw", "1anw", "3bse")
    look = a_look(recent=recent)
    assert framed(view, look, "faint") == [(0, "a1"), (0, "b1"), (0, "b2")]
    others = [(seat, cell) for seat in range(1, seats) for cell in ("a1", "b1", "b2")]
    assert framed(view, look, "accent") == others
    rings = stamps(scene_of(view, look), "ring")
    assert sorted(home_of(view, ring.at) for ring in rings) == [seat for seat, _ in others]


def test_each_card_that_a_setup_lays_into_one_column_has_a_frame() -> None:
    view, _ = set_up(2, "1anw", "2anw", "3anw")
    assert framed(view, a_look(), "accent") == [(1, "a1"), (1, "a2"), (1, "a3")]


def test_the_card_of_the_last_turn_is_framed_once_although_the_log_tells_it_too() -> None:
    """The card below it was laid in the same way, but long ago."""
    view, _ = set_up(2, "1anw", "2anw", "3bse")
    later = replace(view, last=Turn(0, (Take(1), Drop("o", 2), Lay("a", "nw"))))
    recent = tuple(Recent(0, text) for text in ("take1", "o2", "anw"))
    assert framed(later, a_look(recent=recent), "accent") == [(0, "a2")]


@pytest.mark.parametrize("side", DISPLAYED)
def test_the_frames_of_a_setup_are_narrow_and_under_its_cards(side: int) -> None:
    home = next(home for seats in GAME.seats for home in homes.table(seats).homes if home.side == side)
    display = (("te-nw", "hr-se"), ("cd-ne",), (), ())

    def drawn(*new: str) -> list[Sprite]:
        signs = displays.Signs(laid=tuple((cell, False) for cell in new))
        return [shape.sprite for shape in displays.cells(home, display, signs) if isinstance(shape, Stamp)]

    *rings, one, two, three = drawn("b1", "a2", "a1")
    assert [ring.name.split()[0] for ring in rings] == ["ring"] * 3
    assert all(tile.name.endswith("accent") for tile in (one, two, three))
    *_, wide, _ = drawn("b1")
    assert side / 2 < rings[0].reach[0] < wide.reach[0]


def test_a_piece_since_the_readers_turn_is_outlined_where_its_receiver_put_it() -> None:
    view = MINE["two-take"]
    look = a_look(recent=(Recent(1, "o+rl"), Recent(0, "a1"), Recent(1, "w+hs"), Recent(1, "d3", is_faint=True)))
    by_cell = cells(view, look)
    assert by_cell[0, "a1"].name.endswith(" l:accent")
    assert by_cell[1, "d3"].name.endswith(" s:faint")


def test_the_mark_for_a_piece_is_along_the_diagonal_and_hides_no_letter() -> None:
    for corner in CORNERS:
        for shape in "ls":
            tile = displays.cell(f"te-{corner}", homes.SMALL, (), ((shape, displays.FITS),), "")
            (dashes,) = [part for part in tile.shapes if isinstance(part, Line) and part.dash]
            (x0, y0), (x1, y1) = dashes.points
            assert abs(abs(x1 - x0) - abs(y1 - y0)) < 0.01
            middle = gems.middle(shape, corner, homes.SMALL)
            off = abs((x1 - x0) * (middle[1] - y0) - (y1 - y0) * (middle[0] - x0)) / hypot(x1 - x0, y1 - y0)
            assert off > 0.18 * homes.SMALL


def test_the_frame_of_the_newest_card_is_whole_with_marks_for_pieces_inside() -> None:
    for corner in CORNERS:
        for shape in "ls":
            for side in DISPLAYED:
                tile = displays.cell(f"te-{corner}", side, (), ((shape, displays.FITS),), "accent")
                (frame,) = (part for part in tile.shapes if isinstance(part, Box) and part.line == "accent")
                assert frame.size == (float(side), float(side))
                dashes = [part for part in tile.shapes if isinstance(part, Line) and part.dash]
                for x, y in dashes[0].points:
                    assert max(abs(x), abs(y)) + dashes[0].width / 2 <= side / 2 - frame.width


def test_letters_are_large_enough_for_a_phone_and_the_large_one_plainly_larger() -> None:
    for side, least in ((homes.BIG, 39), (homes.MIDDLE, 34), (homes.SMALL, 34), (homes.CARD, 31), (homes.LARGER, 25)):
        large, small = gems.letters("hr", "nw", side)
        assert isinstance(large, Text)
        assert isinstance(small, Text)
        assert small.size >= least
        assert large.size >= 1.4 * small.size


@pytest.mark.parametrize("side", DISPLAYED)
def test_the_gap_between_cards_is_plain_and_no_lead_of_a_card_looks_like_it(side: int) -> None:
    for corner in CORNERS:
        for shape in "ls":
            (outer, *_) = gems.segment("t", shape, corner, side).shapes
            assert isinstance(outer, Polygon)
            assert max(max(abs(x), abs(y)) for x, y in outer.points) <= side / 2 - 3
        edge, *core = (part for part in gems.segment("t", "s", corner, side).shapes if isinstance(part, Line))
        assert edge.colour == "ink"
        tile = displays.cell(f"te-{corner}", side, (), (), "")
        if side == homes.SMALL:
            assert (tile.ground, core) == ("white", [])
            assert edge.width < 6
        else:
            assert tile.ground == "lead.light"
            assert [line.colour for line in core] == ["stone"]
    for theme in Theme:
        known = colours(theme)
        assert contrast(known["white"], known["ink"]) >= 10
        assert contrast(known["stone"], known["ink"]) >= 3


@pytest.mark.parametrize("side", DISPLAYED)
def test_the_frame_of_the_newest_card_cuts_no_letter(side: int) -> None:
    for corner, crystal in product(CORNERS, CRYSTALS):
        tile = displays.cell(f"{'ta'[crystal == 't']}{crystal}-{corner}", side, (), (), "accent")
        frame = next(k for k, part in enumerate(tile.shapes) if isinstance(part, Box) and part.line == "accent")
        assert all(k > frame for k, part in enumerate(tile.shapes) if isinstance(part, Text))
        if side > homes.SMALL:
            inner = max(side / 2 - part.width for part in tile.shapes if isinstance(part, Box) and part.line == "ink")
            for part in tile.shapes:
                if isinstance(part, Text):
                    assert abs(part.at[0]) + width(part.text, part.size) / 2 + 1 <= inner
                    assert abs(part.at[1]) + part.size * CAPITAL / 2 + 1 <= inner


@pytest.mark.parametrize("side", DISPLAYED)
@pytest.mark.parametrize("shape", "ls")
def test_a_new_piece_has_its_usual_ground_within_an_edge_in_the_accent(shape: str, side: int) -> None:
    for corner, crystal in product(CORNERS, CRYSTALS):
        usual, new = (gems.rim(crystal, shape, corner, side, is_fresh=fresh).shapes for fresh in (False, True))
        assert new[-2:] == usual[-2:], "ground and jewel"
        ground = usual[-2]
        assert isinstance(ground, Polygon)
        assert ground.fill == "paper"
        assert any(isinstance(part, Line) and part.colour == "accent" for part in new)
        last = new[-3]
        assert isinstance(last, Line)
        assert last.colour == "paper", "the accent is around the ground only"


def test_the_piles_of_pieces_show_their_shape_and_not_the_next_piece() -> None:
    (tray,) = [stamp.sprite for stamp in stamps(scene_of(MINE["two-take"]), "pieces")]
    piles = [stamp.sprite for stamp in stamps(tray, "pile")]
    assert [pile.name.split()[1] for pile in piles] == ["l", "s"]
    assert [texts(pile) for pile in piles] == [["?"], ["?"]]


def test_the_pieces_of_the_last_turn_are_outlined_in_their_cells() -> None:
    view = MINE["two-take"]
    assert view.last is not None
    covered = {cell for (_, cell), sprite in cells(view).items() if ":accent" in sprite.name}
    assert covered == {cell for _, cell in stage.placed(view.last)}


def test_a_piece_just_placed_is_outlined_above_the_outline_of_its_group() -> None:
    tile = cells(MINE["two-take"])[0, "d1"]
    lines = [part.colour for part in tile.shapes if isinstance(part, Line)]
    assert "blue" in lines
    assert lines.index("accent") > max(place for place, colour in enumerate(lines) if colour == "blue")


@pytest.mark.parametrize("name", ["two-take", "four-take"])
def test_a_piece_that_did_not_fit_is_crossed_out(name: str) -> None:
    document = json.loads(GAME.encode(MINE[name]))
    walked = document["last"]["actions"]
    document["last"]["actions"] = [*walked[: len(walked) - 2 * (name == "two-take")], "w+hl"]
    view = GAME.decode(json.dumps(document)).view(None)
    area = homes.table(view.seats).stage
    crosses = [shape for shape in scene_of(view).shapes if isinstance(shape, Line) and shape.colour == "warn"]
    assert len(crosses) == 2
    for x, y in (point for cross in crosses for point in cross.points):
        assert area.x < x < area.right
        assert area.y < y < area.bottom


@pytest.mark.parametrize("name", MINE)
def test_marks_of_changes_are_under_stones_and_letters(name: str) -> None:
    scene = scene_of(MINE[name])
    for tile in (*stamps(scene, "stack"), *stamps(scene, "cell"), *stamps(scene, "newest")):
        accents = [k for k, part in enumerate(tile.sprite.shapes) if getattr(part, "fill", "") == "accent"]
        over = [k for k, part in enumerate(tile.sprite.shapes) if isinstance(part, Text)]
        over += [k for k, part in enumerate(tile.sprite.shapes) if isinstance(part, Stamp) and "stone" in repr(part)]
        assert max(accents, default=-1) < min(over, default=999)


@pytest.mark.parametrize(
    "actions",
    [[], ["keep"], ["a1"], ["take9", "k9"], ["anw", "take1"], ["o1", "o2"], ["dnw", "p+hl", "a1", "b2", "take1"]],
)
def test_a_log_by_hand_may_say_anything(actions: list[str]) -> None:
    document = json.loads(GAME.encode(MINE["two-take"]))
    document["last"] = {"seat": 1, "actions": actions}
    view = GAME.decode(json.dumps(document)).view(None)
    assert picture(view, a_look())
    assert alt_text(view, a_look())


@pytest.mark.parametrize("side", DISPLAYED)
@pytest.mark.parametrize("shape", "ls")
def test_a_bright_letter_of_a_piece_is_on_its_jewel(shape: str, side: int) -> None:
    """The mount around the jewel is as bright, so a T with its bar on the mount was read as U."""
    for crystal in "tareh":
        jewel = gems.rim(crystal, shape, "nw", side)
        texts = (part for part in gems.letters("cc", "nw", side, f"{crystal}{shape}") if isinstance(part, Text))
        (letter,) = (text for text in texts if text.text != "C")
        mount, written = set(white(jewel)), set(white(jewel, replace(letter, colour="accent")))
        assert mount == written, (crystal, len(mount - written))


def white(jewel: Sprite, *letters: AnyShape) -> Iterator[Point]:
    """Yield the pixels of a piece's bright mount that *letters* leave visible."""
    half = round(jewel.reach[0]) + 2
    scene = Scene(
        (2 * half, 2 * half), (), tuple(shifted(shape, (half, half)) for shape in (Stamp(jewel, (0, 0)), *letters))
    )
    image = painter(Theme.LIGHT).image(scene).convert("RGB")
    yield from (
        (x, y)
        for x in range(image.width)
        for y in range(image.height)
        if image.getpixel((x, y)) == colours(Theme.LIGHT)["paper"]
    )
