"""Colorio's picture: the requirements of section 11 of its page, and nothing that is not in the view."""

import struct
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import hypot
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kaleidobot.testing.looking import laid
from kaleidobot.testing.playing import games
from kaleidobot.testing.resampling.colorio import resample
from renderers import ALT_LONGEST, POSITIONS, Look, SeatLook, Theme, alt_text, diagram, picture
from renderers.frame import TALLEST
from renderers.games import colorio
from renderers.games.colorio import DRAWER, caps, diagrams, seats, trails
from renderers.games.colorio import tiles as tiles_of
from renderers.lettering import width
from renderers.outlines import Outline, centre
from renderers.paint import painter
from renderers.palette import colours, contrast
from renderers.scene import Box, Disc, Line, Point, Polygon, Scene, Sector, Stamp, Text
from rules.contract import Outcome
from rules.games.colorio import GAME
from rules.games.colorio.actions import Uncover
from rules.games.colorio.board import GRID, Cap, Colour
from rules.games.colorio.position import Phase
from rules.games.colorio.state import State
from texts import say

KILOBYTE = 1000
SIDE = colorio.middle("b1")[0] - colorio.middle("a1")[0]
LOOK = Look(tuple(map(SeatLook, ("Ada", "Ben", "Cleo", "Dan", "Eva"))))
SOURCES = sorted((POSITIONS / "colorio").glob("*.json"))
TURN_0, DECIDE, OWED, BANNED, OVER, BETWEEN = (
    GAME.decode((POSITIONS / "colorio" / f"{name}.json").read_bytes())
    for name in ("first-turn", "decide", "owed", "banned", "over", "between")
)


def look(state: State, **changes: Any) -> Look:
    return replace(LOOK, seats=LOOK.seats[: state.seats], **changes)


def drawn(state: State, **changes: Any) -> Scene:
    return DRAWER.scene(state.view(None), look(state, **changes))


def stamps(scene: Scene, name: str) -> list[Stamp]:
    """Return such sprites with their places in the picture, on tiles or not."""
    return [
        replace(part, at=(shape.at[0] + part.at[0], shape.at[1] + part.at[1]))
        for shape in scene.shapes
        if isinstance(shape, Stamp)
        for part in (shape.sprite.shapes if shape.sprite.ground else [Stamp(shape.sprite, (0, 0))])
        if isinstance(part, Stamp) and part.sprite.name.startswith(name)
    ]


def at(scene: Scene, name: str) -> set[str]:
    """Return the fields whose squares contain such a sprite."""
    return {field for stamp in stamps(scene, name) for field in GRID.fields if _is_in(field, stamp.at)}


def _is_in(field: str, place: Point) -> bool:
    x, y = colorio.middle(field)
    return max(abs(place[0] - x), abs(place[1] - y)) < 60


def tiles(scene: Scene, name: str) -> list[Stamp]:
    tiled = [shape for shape in scene.shapes if isinstance(shape, Stamp) and shape.sprite.ground]
    return [tile for tile in tiled if tile.sprite.name.startswith(name)]


def rings(scene: Scene) -> dict[str, str]:
    """Return the fields with a ring, which is "whole" or "broken"."""
    by_field = {}
    for tile in tiles(scene, "field"):
        (field,) = (field for field in GRID.fields if _is_in(field, tile.at))
        for part in tile.sprite.shapes:
            if isinstance(part, Disc | Sector) and part.fill == "accent":
                by_field[field] = "whole" if isinstance(part, Disc) else "broken"
    return by_field


def open_fields(state: State) -> set[str]:
    return {field for field in GRID.fields if state.is_open(field)}


def words(scene: Scene) -> list[str]:
    return [shape.text for shape in laid(scene) if isinstance(shape, Text)]


def played(state: State, text: str) -> State:
    for action in GAME.parse(state, text):
        state = state.play(action)
    return state


def some_states() -> Iterator[State]:
    for game in games("colorio"):
        yield from game.states[::23]
        yield game.states[-1]


# --- Nothing but the view ---------------------------------------------------------------------------------------------


@settings(max_examples=20)
@given(st.sampled_from(list(some_states())), st.integers(0, 2**32))
def test_positions_that_look_the_same_have_equal_pictures_and_words(state: State, seed: int) -> None:
    other = resample(state, None, seed)
    for theme in Theme:
        own_look = look(state, theme=theme)
        assert picture(other.view(None), own_look) == picture(state.view(None), own_look)
    for lang in ("en", "de"):
        assert alt_text(other.view(None), look(state, lang=lang)) == alt_text(state.view(None), look(state, lang=lang))


def test_neither_scene_nor_words_look_at_a_colour_that_is_out_of_sight() -> None:
    for state in some_states():
        assert DRAWER.scene(state, look(state)) == drawn(state)
        assert alt_text(state, look(state)) == alt_text(state.view(None), look(state))


def test_all_seats_and_spectators_see_the_same_picture() -> None:
    assert drawn(DECIDE, side=2) == drawn(DECIDE)


# --- The board --------------------------------------------------------------------------------------------------------


def test_a_field_is_either_a_cap_or_open_glass_with_the_sign_of_its_colour() -> None:
    for state in some_states():
        if state.phase is Phase.PLAY:
            scene = drawn(state)
            assert at(scene, "cap") == set(GRID.fields) - open_fields(state)
            assert at(scene, "open") == open_fields(state)
            for colour in Colour:
                named = {field for field in open_fields(state) if state.colour(field) is colour}
                assert at(scene, f"open {colour.word}") == named


def test_all_caps_are_alike_while_they_have_to_be_remembered() -> None:
    scene = drawn(DECIDE)
    assert len({(stamp.sprite, stamp.strength) for stamp in stamps(scene, "cap")}) == 1
    assert not stamps(scene, "seen")
    touched = rings(scene)
    plain = [tile for tile in tiles(scene, "field covered") if labelled(scene, tile.at) not in touched]
    assert len(plain) > 10
    assert len({tile.sprite for tile in plain}) == 1


def test_the_fields_fill_the_board_without_gaps() -> None:
    side = 2 * tiles(drawn(DECIDE), "field")[0].sprite.reach[0]
    places = [tile.at for tile in tiles(drawn(DECIDE), "field")]
    assert places == [colorio.middle(field) for field in GRID.fields]
    assert sorted({x for x, _ in places}) == [places[0][0] + k * side for k in range(5)]
    assert all(part == int(part) for place in places for part in (place[0] - side / 2, place[1] - side / 2))


def test_with_memory_off_a_cap_carries_a_small_sign_of_the_colour_that_was_seen() -> None:
    state = GAME.decode((POSITIONS / "colorio" / "crowded.json").read_bytes())
    remembered = {field for field, cap in zip(GRID.fields, state.caps, strict=True) if cap is Cap.SEEN}
    assert remembered
    assert at(drawn(state), "seen") == remembered


def test_a_finished_board_shows_the_colours_under_the_caps() -> None:
    for state in (BETWEEN, OVER):
        scene = drawn(state)
        assert at(scene, "open") == set(GRID.fields)
        assert at(scene, "cap") == set(GRID.fields) - open_fields(state)
        assert at(scene, "cap ghost") == at(scene, "cap")


def test_the_sides_of_the_strips_are_marked_at_both_ends_of_each_row() -> None:
    shown = [shape for shape in drawn(DECIDE).still if isinstance(shape, Stamp)]
    assert sum(shape.sprite.name.startswith("triangle grey") for shape in shown) == 10


def test_columns_and_rows_are_named_on_two_sides_each() -> None:
    labels = [shape.text for shape in drawn(DECIDE).still if isinstance(shape, Text)]
    assert sorted(labels) == sorted("abcdeabcde1234512345")
    assert not any(shape.bold for shape in drawn(DECIDE).still if isinstance(shape, Text))


def test_the_banned_field_wears_a_lock_until_the_first_cap_is_lifted() -> None:
    assert at(drawn(BANNED), "lock") == {"a3"}
    assert not stamps(drawn(played(BANNED, "c2")), "lock")


def test_caps_moved_in_the_running_turn_wear_a_lock_until_it_ends() -> None:
    assert at(drawn(OWED), "lock") == {"a3", "c5"}
    assert not stamps(drawn(played(OWED, "x")), "lock")


def test_the_newest_turn_has_strong_rings_and_the_last_one_weak_rings() -> None:
    ringed = rings(drawn(DECIDE))
    assert {field for field, ring in ringed.items() if ring == "whole"} == {"a3", "e5", "b1"}
    assert {field for field, ring in ringed.items() if ring == "broken"} == {"a1", "c3", "c5"}
    assert set(rings(drawn(BETWEEN)).values()) == {"whole"}


def test_rings_shine_out_from_under_the_pieces() -> None:
    for state in (DECIDE, OWED, BANNED, OVER):
        for tile in tiles(drawn(state), "field"):
            lights = [k for k, part in enumerate(tile.sprite.shapes) if getattr(part, "fill", "") == "accent"]
            pieces = [
                k
                for k, part in enumerate(tile.sprite.shapes)
                if isinstance(part, Stamp) and part.sprite.name.startswith(("open", "cap"))
            ]
            assert max(lights, default=0) < min(pieces)


def test_an_arrow_leads_from_the_old_field_of_a_cap_to_the_new_one() -> None:
    assert at(drawn(OWED), "tip") == {"a3", "c5"}
    assert {stamp.sprite.name.split()[2] for stamp in stamps(drawn(OWED), "tip")} == {"new"}
    assert not stamps(drawn(TURN_0), "tip")


def test_the_arrows_of_the_turn_before_are_faint_once_the_next_one_has_begun() -> None:
    def pens(state: State) -> set[tuple[str, float]]:
        pieces = [shape.sprite.shapes[0] for shape in stamps(drawn(state), "piece")]
        return {(line.colour, line.width) for line in pieces if isinstance(line, Line)}

    state = played(BANNED, "c2")
    assert [stamp.sprite.name.split()[2] for stamp in stamps(drawn(state), "tip")] == ["old", "old"]
    assert pens(BANNED) == {("ink", 16), ("accent", 11)}
    assert pens(state) == {("ink", 11), ("accent", 6)}


@pytest.mark.parametrize("theme", Theme)
def test_changes_are_visible_on_any_ground(theme: Theme) -> None:
    """The light of rings and trails has a dark edge, and one of the two contrasts with all neighbouring tones."""
    known = colours(theme)
    grounds = ("lead", "pane", *(f"{colour.word}{tone}" for colour in Colour for tone in (".pane", ".pane.dark", "")))
    assert contrast(known["accent"], known["ink"]) >= 3
    for ground in (*grounds, "white.pale", "white.dark"):
        assert max(contrast(known[pen], known[ground]) for pen in ("accent", "ink")) >= 3, ground


WAYS = [(columns, rows) for columns in range(-4, 5) for rows in range(-4, 5) if columns or rows]


def trail(columns: int, rows: int) -> list[Point]:
    """Return the places of the pieces of the arrow to a field this far away, relative to its first field."""
    return [
        stamp.at
        for stamp in trails.trail((0, 0), columns, rows, SIDE, newest=False)
        if stamp.sprite.name[:5] == "piece" and "ink" in stamp.sprite.name
    ]


@pytest.mark.parametrize("newest", [True, False])
def test_an_arrow_between_neighbours_has_shaft_and_tip_and_ends_on_the_cap(newest: bool) -> None:
    scene = Scene((260, 140), (), (*_caps(), *trails.trail((70, 70), 1, 0, SIDE, newest=newest, onto=True)))
    bright = painter(Theme.DARK).image(scene).convert("RGB")
    row = [bright.getpixel((x, 70)) == colours(Theme.DARK)["accent"] for x in range(260)]
    start, end = row.index(True), 260 - row[::-1].index(True)
    assert all(row[start:end])
    assert end - start > 2 * trails.TIP
    assert end > 70 + SIDE - caps.FACE


def _caps() -> Iterator[Stamp]:
    yield Stamp(tiles_of.field(SIDE, Cap.OPEN, "red", None), (70, 70))
    yield Stamp(tiles_of.field(SIDE, Cap.COVERED, "", None), (70 + SIDE, 70))


def test_an_arrow_onto_a_cap_leaves_the_sign_of_its_colour_free() -> None:
    for columns, rows in WAYS:
        *_, tip = (
            s for s in trails.trail((0, 0), columns, rows, SIDE, newest=True, onto=True) if "tip" in s.sprite.name
        )
        shape = tip.sprite.shapes[1]
        assert isinstance(shape, Polygon)
        for x, y in shape.points:
            assert hypot(tip.at[0] + x - columns * SIDE, tip.at[1] + y - rows * SIDE) > 19, (columns, rows)


def test_an_arrow_hides_no_sign_on_its_way() -> None:
    for way in WAYS:
        end = (way[0] * SIDE, way[1] * SIDE)
        for x, y in trail(*way):
            field = (round(x / SIDE) * SIDE, round(y / SIDE) * SIDE)
            assert hypot(x - field[0], y - field[1]) > (35 if field in ((0, 0), end) else 24), way


def test_the_pieces_of_an_arrow_overlap_from_one_end_to_the_other() -> None:
    ends = trails.CLEAR + trails.TIP + trails.PIECE / 2 + max(trails.SLIDES)
    for way in WAYS:
        places = [(0.0, 0.0), *trail(*way), (way[0] * SIDE, way[1] * SIDE)]
        steps = [hypot(x - a, y - b) for (a, b), (x, y) in pairwise(places)]
        assert max(steps[1:-1]) <= trails.PIECE, way
        assert max(steps[0], steps[-1]) <= ends, way


def test_a_straight_arrow_is_straight_to_less_than_half_a_pixel() -> None:
    for way in ((1, 1), (1, 2), (-2, 1), (0, 1), (1, 0)):
        length = hypot(*way)
        for x, y in trail(*way):
            assert abs(x * way[1] - y * way[0]) / length < 0.25, way


def test_the_field_to_be_decided_on_has_a_strong_frame() -> None:
    def framed(state: State) -> list[Point]:
        frame = [(Box, "text", 7)]
        return [
            tile.at
            for tile in tiles(drawn(state), "field")
            if [(Box, p.line, p.width) for p in tile.sprite.shapes if isinstance(p, Box) and not p.fill] == frame
        ]

    assert framed(DECIDE) == [colorio.middle("b1")]
    assert not framed(BANNED)


def test_the_field_that_eliminated_a_seat_is_crossed() -> None:
    for state in (BETWEEN, OVER):
        assert state.last is not None
        assert stamps(drawn(state), "fatal")
        assert at(drawn(state), "fatal") & {str(state.last.actions[-1])}
    assert not stamps(drawn(DECIDE), "fatal")


# --- Spots of the next choice -----------------------------------------------------------------------------------------


def bounds(outline: Outline) -> tuple[float, float, float, float]:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


def labelled(scene: Scene, place: Point) -> str:
    """Return the field of *place* according to the letters and digits on the edge of the board."""
    labels = [shape for shape in scene.still if isinstance(shape, Text)]
    column = min((label for label in labels if label.text in GRID.columns), key=lambda it: abs(it.at[0] - place[0]))
    row = min((label for label in labels if label.text in GRID.rows), key=lambda it: abs(it.at[1] - place[1]))
    return column.text + row.text


def test_everything_that_can_be_chosen_but_the_deal_has_a_spot() -> None:
    for state in some_states():
        places = DRAWER.spots(state.view(None), look(state))
        parts = {part for action in state.actions() for part in action.parts}
        assert parts - set(places) <= set(DRAWER.off_board)


def test_a_spot_is_on_the_field_that_it_names() -> None:
    for state in (BANNED, DECIDE, OWED):
        scene = drawn(state)
        fields = {part: box for part, box in DRAWER.spots(state.view(None), look(state)).items() if part != "x"}
        assert len(fields) == 25
        for part, outline in fields.items():
            assert labelled(scene, centre(outline)) == part.removeprefix(">")
            x0, y0, x1, y1 = bounds(outline)
            (tile,) = (tile for tile in tiles(scene, "field") if tile.at == centre(outline))
            assert x1 - x0 == y1 - y0 >= 2 * tile.sprite.reach[0] - 8


def test_the_cap_in_the_hand_is_taken_away_at_its_box() -> None:
    for state in (played(TURN_0, "d1"), OWED, DECIDE):
        scene = drawn(state)
        (box,) = (tile for tile in tiles(scene, f"box {state.lifted}"))
        assert centre(DRAWER.spots(state.view(None), look(state))["x"]) == box.at
        assert bounds(DRAWER.spots(state.view(None), look(state))["x"])[0] == box.at[0] - box.sprite.reach[0]


def test_the_spots_betray_nothing() -> None:
    for state in some_states():
        places = DRAWER.spots(state.view(None), look(state))
        assert DRAWER.spots(resample(state, None, 3).view(None), look(state)) == places
        assert DRAWER.spots(state, look(state)) == places


# --- Danger -----------------------------------------------------------------------------------------------------------


def test_four_open_fields_of_a_colour_are_in_danger_and_no_others() -> None:
    checked = 0
    for state in some_states():
        if state.phase is Phase.PLAY:
            fatal = {colour for colour in Colour if state.in_sight(colour) == 4}
            named = {field for field in open_fields(state) if state.colour(field) in fatal}
            assert at(drawn(state), "burst") == named
            assert len(stamps(drawn(state), "small burst")) == len(fatal)
            checked += bool(named)
    assert checked > 5


def test_nothing_is_in_danger_any_more_when_the_round_is_over() -> None:
    for state in (BETWEEN, OVER):
        assert not at(drawn(state), "burst")


def test_danger_shows_without_colour_round_the_glass_and_beside_the_ring() -> None:
    """The points of the burst reach from the ring to the corners of the pane."""
    (burst, *_) = (stamp.sprite for stamp in stamps(drawn(DECIDE), "burst"))
    (flames,) = (part for part in burst.shapes if isinstance(part, Polygon))
    reach = [hypot(x, y) for x, y in flames.points]
    assert max(reach) > 65
    assert min(reach) <= 51


@pytest.mark.parametrize("theme", Theme)
def test_danger_contrasts_with_its_pane(theme: Theme) -> None:
    known = colours(theme)
    for colour in Colour:
        assert contrast(known["warn"], known[f"{colour.word}.pane.dark"]) >= 3


# --- The tally, the turn, the seats -----------------------------------------------------------------------------------


def counters(state: State) -> dict[str, list[Box]]:
    """Return the strong boxes of the tally (four or five of a colour) by their fill."""
    boxes = [shape for shape in laid(drawn(state)) if isinstance(shape, Box) and shape.width == 6]
    return {fill: [box for box in boxes if box.fill == fill] for fill in {box.fill for box in boxes}}


def test_the_tally_counts_the_fields_in_sight() -> None:
    for state in some_states():
        counts = [str(state.in_sight(colour)) for colour in Colour]
        texts = [
            part.text
            for tile in tiles(drawn(state), "counter")
            for part in tile.sprite.shapes
            if isinstance(part, Text)
        ]
        assert texts == counts


def test_four_of_a_colour_are_emphasised_and_five_shown_as_complete() -> None:
    assert DECIDE.in_sight(Colour.RED) == 4
    assert [box.line for box in counters(DECIDE)["panel"]] == ["warn"]
    assert counters(BANNED) == {}
    complete = played(BANNED, "c2 x a3")
    assert complete.in_sight(Colour.RED) == 5
    assert list(counters(complete)) == ["red"]


def test_in_the_first_turn_three_caps_are_owed() -> None:
    start = GAME.start(3, seed=1)
    assert len(stamps(drawn(start), "away warn")) == 3


def test_a_removal_is_owed_until_one_is_made() -> None:
    assert len(stamps(drawn(BANNED), "away warn")) == 1
    assert len(stamps(drawn(OWED), "away warn")) == 1
    assert not stamps(drawn(played(BANNED, "c2 x")), "away warn")


def test_the_boxes_of_a_turn_name_the_fields() -> None:
    texts = words(drawn(DECIDE))
    assert [word for word in texts if word in GRID.fields] == ["a3", "c5", "e5", "b1"]


def test_the_boxes_of_a_turn_have_an_arrow_to_a_field_or_to_the_bin() -> None:
    def contents(became: str) -> list[tuple[str, float]]:
        """Return the texts of a box from above."""
        shapes = tiles_of.box("a3", became, "panel", running=True).shapes
        texts = [(part.text, part.at[1]) for part in shapes if isinstance(part, Text)]
        texts += [(part.sprite.name.split()[0], part.at[1]) for part in shapes if isinstance(part, Stamp)]
        return sorted(texts, key=lambda part: part[1])

    assert [word for word, _ in contents("c5")] == ["a3", "down", "c5"]
    assert [word for word, _ in contents("away")] == ["a3", "down", "away"]
    assert [word for word, _ in contents("owed")] == ["a3", "down", "away"]
    assert [word for word, _ in contents("due")] == ["a3", "?"]


def test_the_boxes_of_a_turn_are_in_the_plate_of_its_seat() -> None:
    for state in some_states():
        scene = drawn(state)
        whose: dict[str, int] = {}
        for box_tile in tiles(scene, "box"):
            (plate,) = (
                tile.sprite.name
                for tile in tiles(scene, "plate")
                if len(tile.sprite.name.split()) == 2
                and all(abs(box_tile.at[k] - tile.at[k]) < tile.sprite.reach[k] for k in (0, 1))
            )
            whose[plate] = whose.get(plate, 0) + 1
        is_running = state.phase is Phase.PLAY and state.actor is not None
        assert whose == ({f"plate {state.actor + 1}": 3} if is_running and state.actor is not None else {})


def test_only_the_seat_whose_turn_it_is_has_a_large_plate() -> None:
    for state in some_states():
        if state.phase is Phase.PLAY and state.actor is not None:
            highs = [tile.sprite.reach[1] for tile in tiles(drawn(state), "plate")]
            assert [seat for seat, high in enumerate(highs) if high > min(highs)] == [state.actor]
            assert max(highs) > 1.5 * min(highs)


@pytest.mark.parametrize("name", ["Bartholomäus", "Wilhelmina A."])
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_names_of_this_length_are_whole_on_every_plate(source: Path, name: str) -> None:
    state = GAME.decode(source.read_bytes())
    names = [letter + name[1:] for letter in "ABCDE"[: state.seats]]
    scene = DRAWER.scene(state.view(None), Look(tuple(map(SeatLook, names))))
    shown = [part for part in laid(scene) if isinstance(part, Text) and part.text in " ".join(names) and part.room]
    assert "".join(part.text for part in shown) == "".join(names)
    assert all(width(text.text, text.size, text.bold) <= (text.room or 0) for text in shown)
    plates, (title,) = tiles(scene, "plate"), tiles(scene, "title")
    assert max(plate.at[1] + plate.sprite.reach[1] for plate in plates) <= title.at[1] - title.sprite.reach[1]


def test_the_title_names_the_game_the_round_and_the_turn() -> None:
    five = GAME.decode((POSITIONS / "colorio" / "five-seats.json").read_bytes())
    for state, lines in ((five, ["Colorio", "Round 3 of 5", f"Turn {five.turn + 1}"]), (DECIDE, ["Colorio", "Turn 2"])):
        (title,) = tiles(drawn(state), "title")
        assert [part.text for part in title.sprite.shapes if isinstance(part, Text)] == lines
    (german,) = tiles(drawn(DECIDE, lang="de"), "title")
    assert "Zug 2" in str(german.sprite.shapes)
    (final,) = tiles(drawn(OVER), "title")
    assert "Turn" not in str(final.sprite.shapes), "the plaque has their number"


def test_a_cap_that_is_still_to_be_lifted_is_in_its_box() -> None:
    assert len(stamps(drawn(BANNED), "small cap")) == 3
    assert len(stamps(drawn(DECIDE), "small cap")) == 0


def test_the_seats_have_names_and_those_who_are_out_a_place() -> None:
    state = GAME.decode((POSITIONS / "colorio" / "five-seats.json").read_bytes())
    texts = words(drawn(state))
    assert {"Ada", "Ben", "Cleo", "Dan", "Eva"} <= set(texts)
    assert {stamp.sprite.name for stamp in stamps(drawn(state), "place")} == {"place 4", "place 5"}
    points = [shape.text for shape in laid(drawn(state)) if isinstance(shape, Text) and shape.size == seats.POINTS]
    assert points == list(map(str, state.points))


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_a_rank_covers_no_mark_of_a_seat_and_no_box_of_a_turn(source: Path) -> None:
    scene = drawn(GAME.decode(source.read_bytes()))
    others = [*stamps(scene, "badge"), *stamps(scene, "box"), *stamps(scene, "crown"), *stamps(scene, "house")]
    for place in stamps(scene, "place"):
        ((left, top), (wide, high)) = next(
            ((place.at[0] + part.at[0], place.at[1] + part.at[1]), part.size)
            for part in place.sprite.shapes
            if isinstance(part, Box)
        )
        for other in others:
            (x, y), (across, down) = other.at, other.sprite.reach
            if other.sprite.name.startswith("badge"):
                across = down = max(across, down) / 1.35 * TALLEST
            apart = x - across >= left + wide or x + across <= left or y - down >= top + high or y + down <= top
            assert apart, (place.sprite.name, other.sprite.name)


def test_the_winner_wears_the_crown_and_needs_no_rank() -> None:
    assert {stamp.sprite.name for stamp in stamps(drawn(OVER), "place")} == {"place 2", "place 3"}
    assert "place 1" in {stamp.sprite.name for stamp in stamps(drawn(BETWEEN), "place")}


def test_in_a_single_round_there_are_no_points() -> None:
    assert all(shape.size != seats.POINTS for shape in laid(drawn(DECIDE)) if isinstance(shape, Text))


def test_the_winner_wears_the_crown_however_the_game_ended() -> None:
    assert len(stamps(drawn(OVER), "crown")) == 1
    ended = drawn(DECIDE, ended=Outcome((0, 0, 0), (0, 2), "ended"))
    assert len(stamps(ended, "crown")) == 2


def test_no_seat_has_a_colour_of_the_fields() -> None:
    assert {colour.word for colour in Colour}.isdisjoint(DRAWER.hues)


def test_a_position_by_hand_may_move_a_cap_onto_its_own_field() -> None:
    odd = replace(BANNED, log=GAME.parse(BANNED, "a3 >a3"))
    assert not any(stamp.sprite.name.endswith("pink") for stamp in stamps(drawn(odd), "tip"))
    assert picture(odd.view(None), look(odd))


# --- In words ---------------------------------------------------------------------------------------------------------


def test_the_words_give_the_due_action_open_fields_and_covered_ones() -> None:
    text = alt_text(DECIDE.view(None), look(DECIDE))
    assert text.startswith("Ben has lifted cap 3 of 3 from b1 (orange) and decides.")
    assert "red 4! (a1 a3 c3 e5)" in text
    assert "Covered: c1 d1 e1 a2" in text
    assert "Locked now: c5." in text
    assert "Ben so far: a3 onto c5, e5 discarded, b1 lifted." in text
    assert "Turn before, Ada: c3 discarded, c5 discarded, a1 discarded." in text


def test_the_words_are_in_the_language_of_the_reader() -> None:
    assert "Bedeckt: c1 d1" in alt_text(DECIDE.view(None), look(DECIDE, lang="de"))


def test_the_words_say_how_it_ended() -> None:
    assert alt_text(OVER.view(None), look(OVER)).startswith("The game is over: Ada has won.")
    assert alt_text(BETWEEN.view(None), look(BETWEEN)).startswith("The round is over; Ben deals")
    assert alt_text(DECIDE.view(None), look(DECIDE, ended=Outcome((0, 0, 0), (), "ended"))).startswith(
        "The game is over."
    )


def test_the_words_fit_with_names_of_any_length() -> None:
    for state in some_states():
        named = Look(tuple(SeatLook("Maximiliane Wilhelmine\n{0} " * 5) for _ in range(state.seats)), lang="de")
        assert len(DRAWER.alt_text(state.view(None), named)) <= ALT_LONGEST


# --- As a file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_a_position_worth_looking_at_fits_a_post(source: Path, theme: Theme) -> None:
    state = GAME.decode(source.read_bytes())
    data = picture(state.view(None), look(state, theme=theme))
    assert struct.unpack(">2L", data[16:24]) == (1000, 842)
    assert len(data) <= 80 * KILOBYTE


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("page", range(1, 6))
def test_each_page_of_the_rules_has_its_picture(page: int, theme: Theme) -> None:
    data = diagram("colorio", page, look(DECIDE, theme=theme))
    assert data is not None
    assert len(data) <= 80 * KILOBYTE


def test_the_page_about_the_limits_shows_all_four_with_the_numbers_of_its_text() -> None:
    scene = DRAWER.diagram(3, LOOK)
    assert scene is not None
    limits = say("colorio", "rules.3.text", "en")
    numbers = [shape for shape in scene.still if isinstance(shape, Text) and shape.size > 50]
    assert [shape.text for shape in numbers] == [str(number) for number in range(1, 5) if f"{number}. " in limits]
    assert len(numbers) == 4


@pytest.mark.parametrize(("text", "boxes"), [("a1 x b1 x d1", 1), ("b1 >a1 c1 >b1 d1", 2)])
def test_the_diagram_of_limits_agrees_with_the_rules(text: str, boxes: int) -> None:
    """The first two drawings show possible decisions, after which the cap can only be removed."""
    shown = diagrams.FOUR[boxes - 1]
    caps = list(BANNED.caps)
    colours_ = list(BANNED.colours)
    hues = {colour.word: colour for colour in Colour}
    for field, hue in zip(("a1", "b1", "c1", "d1"), shown.fields, strict=True):
        number = GRID.number[field]
        caps[number] = Cap.COVERED
        colours_[number] = hues.get(hue, Colour.BLUE)
    if boxes == 2:
        caps[GRID.number["a1"]] = Cap.OPEN
        colours_[GRID.number["b1"]] = Colour.GREEN
    state = replace(BANNED, last=None, log=(), turn=boxes - 1, caps=tuple(caps), colours=tuple(colours_))
    state = played(state, text)
    assert [str(action) for action in state.actions()] == ["x"]
    fields = [field for field, _ in shown.turns[-1].caps]
    assert fields == [str(action) for action in state.log if isinstance(action, Uncover)]


def test_prepared_sprites_are_those_of_boards() -> None:
    prepared = set(DRAWER.sprites())
    shown = {shape.sprite for shape in drawn(DECIDE).shapes if isinstance(shape, Stamp)}
    kinds = ("counter", "turn", "lock", "tip", "piece")
    assert {sprite for sprite in shown if sprite.name.startswith(kinds)} <= prepared
    caps = {tile.sprite for state in (TURN_0, OWED, BETWEEN) for tile in tiles(drawn(state), "field covered")}
    assert caps <= prepared


@pytest.mark.parametrize("name", ["decide", "over"])
def test_golden_scene(name: str, golden: Callable[[Path, str], None]) -> None:
    state = GAME.decode((POSITIONS / "colorio" / f"{name}.json").read_bytes())
    golden(Path(__file__).parent / "golden" / f"colorio-{name}.txt", str(drawn(state)))


def test_the_mark_of_the_game_shows_all_five_colours_within_its_room() -> None:
    own = DRAWER.emblem()
    assert own is not None
    assert max(own.reach) <= 24
    fills = {getattr(part, "fill", "").split(".")[0] for part in own.shapes}
    assert {colour.word for colour in Colour} <= fills
