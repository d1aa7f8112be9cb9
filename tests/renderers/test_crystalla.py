"""Crystalla's picture, in the order of section 10 of its page, and its words."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from renderers import ALT_LONGEST, Look, SeatLook, Theme, alt_text, picture
from renderers.games import crystalla
from renderers.games.crystalla import displays, sheet
from renderers.games.crystalla.displays import BIG, MEDIUM, SMALL
from renderers.scene import AnyShape, Box, Line, Scene, Sprite, Stamp, Text, parts
from rules.contract import Outcome
from rules.games.crystalla import (
    COLOURS,
    COLUMNS,
    CORNERS,
    CRYSTALS,
    GAME,
    ROWS,
    Display,
    Drop,
    Phase,
    State,
    Take,
    cells_for,
    emerald_flowers,
    groups,
    ruby_flowers,
    segments,
    shown,
)
from rules.games.crystalla import sheet as points_of
from tests.renderers.looking import a_look, positions, scene_of
from tests.rules.playing import games
from tests.rules.resampling.crystalla import resample

GOLDEN = Path(__file__).parent / "golden" / "crystalla"
MINE: dict[str, State] = {name.split("/")[1]: view for name, view in positions().items() if "crystalla/" in name}
RUNNING = {name: view for name, view in MINE.items() if view.outcome is None}
WALKING = {name: view for name, view in RUNNING.items() if view.phase not in (Phase.SWAP, Phase.PLACE)}


def some_states() -> Iterator[State]:
    for played in games("crystalla"):
        yield from played.states[::17]
        yield played.states[-1]


def under(shape: AnyShape) -> Iterator[AnyShape]:
    """A shape and everything in it."""
    return parts((shape,))


def stamps(scene: Scene | Sprite, name: str) -> list[Stamp]:
    """The stamps of a scene or a sprite whose sprite's name begins so, in painting order."""
    return [shape for shape in scene.shapes if isinstance(shape, Stamp) and shape.sprite.name.startswith(name)]


def within(sprite: Sprite, name: str) -> list[Sprite]:
    """The sprites in a sprite, however deep, whose name begins so."""
    return [
        part.sprite for part in parts(sprite.shapes) if isinstance(part, Stamp) and part.sprite.name.startswith(name)
    ]


def texts(sprite: Sprite) -> list[str]:
    """The lettering of a sprite itself."""
    return [part.text for part in sprite.shapes if isinstance(part, Text)]


def shown_order(scene: Scene) -> list[int]:
    """The seats in the order of their displays, the large one first."""
    return [int(head.sprite.name.split()[1]) - 1 for head in stamps(scene, "head")]


def cells(view: State, look: Look | None = None) -> dict[tuple[int, str], Sprite]:
    """The tile of every card, by seat and cell; found by where it lies."""
    scene = scene_of(view, look)
    layout = crystalla.playing(view.seats) if view.outcome is None else crystalla.finished(view.seats)
    found = {}
    places = {
        displays.cell_middle(area, size, column, row): (seat, f"{COLUMNS[column]}{row + 1}", size)
        for seat, (area, size) in zip(shown_order(scene), layout.displays, strict=True)
        for column in range(len(COLUMNS))
        for row in range(ROWS)
    }
    for stamp in stamps(scene, "cell"):
        seat, cell, size = places[stamp.at]
        assert (seat, cell) not in found
        assert stamp.sprite.name.split()[2] == str(size)
        found[seat, cell] = stamp.sprite
    return found


def laid(view: State) -> dict[tuple[int, str], str]:
    return {
        (seat, f"{COLUMNS[column]}{row + 1}"): card
        for seat, display in enumerate(view.displays)
        for column, cards in enumerate(display)
        for row, card in enumerate(cards)
    }


def stacks(view: State) -> dict[int, Sprite]:
    return {int(stamp.sprite.name.split()[1]): stamp.sprite for stamp in stamps(scene_of(view), "stack")}


def letters(sprite: Sprite, kind: str = "stone") -> str:
    """The letters of the stones on a tile, in the order of colours."""
    found = [stone.name.split()[1] for stone in within(sprite, kind)]
    return "".join(sorted(found, key=COLOURS.index))


def outline(sprite: Sprite) -> tuple[str, float]:
    """Colour and width of the line round a tile."""
    (box,) = [part for part in sprite.shapes if isinstance(part, Box)][:1]
    return box.line, box.width


# Nothing but the view


@settings(max_examples=20)
@given(st.sampled_from(list(some_states())), st.integers(0, 2**32))
def test_two_positions_that_look_the_same_have_the_same_picture_and_words(state: State, seed: int) -> None:
    other = resample(state, None, seed)
    assert picture(other.view(None), a_look()) == picture(state.view(None), a_look())
    assert alt_text(other.view(None), a_look()) == alt_text(state.view(None), a_look())
    assert crystalla.scene(state, a_look()) == crystalla.scene(state.view(None), a_look())


# Stacks


@pytest.mark.parametrize("name", WALKING)
def test_every_stack_has_its_number_its_card_its_height_and_its_stones(name: str) -> None:
    view = WALKING[name]
    found = stacks(view)
    assert list(found) == list(view.layout.stacks)
    for number, sprite in found.items():
        cards, heap = view.stacks[number - 1], view.stones[number - 1]
        assert texts(sprite) == [str(number), f"×{len(cards)}"]
        top = str(cards[-1])
        (card,) = within(sprite, "card")
        assert [segment.name for segment in within(card, "")] == [f"{top[0]}l nw 72", f"{top[1]}s nw 72"]
        assert letters(sprite) == heap


@pytest.mark.parametrize("name", WALKING)
def test_the_stacks_that_the_actor_may_take_or_walk_to_are_marked(name: str) -> None:
    view = WALKING[name]
    able = {action.stack for action in view.actions() if isinstance(action, Take | Drop)}
    assert {number for number, sprite in stacks(view).items() if outline(sprite) == ("text", 4)} == able


def test_neutral_stones_are_struck_through() -> None:
    for view in (MINE["three-lay"], MINE["four-take"]):
        stones = list(chain.from_iterable(within(sprite, "stone k") for sprite in stacks(view).values()))
        assert len(stones) == 3
        assert all(("neutral" in stone.name) == (view.seats == 3) for stone in stones)


# In the middle of a turn


@pytest.mark.parametrize("name", ["two-drop", "four-drop", "rules-3", "three-lay", "four-give", "three-cover"])
def test_the_walk_is_shown_with_where_it_began_and_what_fell(name: str) -> None:
    view = MINE[name]
    scene = scene_of(view)
    steps = view.walked()
    fallen = [action.colour for action in view.now if isinstance(action, Drop)]
    assert len(stamps(scene, "step")) == len(steps) - 1
    fresh = "".join(letter for sprite in stacks(view).values() for letter in letters_fresh(sprite))
    assert sorted(fresh) == sorted(fallen)
    for number, sprite in stacks(view).items():
        if number == steps[-1]:
            assert outline(sprite) == ("accent", 4)
        dashes = [part for part in sprite.shapes if isinstance(part, Line) and part.dash]
        assert bool(dashes) == (number == steps[0] != steps[-1])


def letters_fresh(sprite: Sprite) -> str:
    return "".join(stone.name.split()[1] for stone in within(sprite, "stone") if "fresh" in stone.name)


def test_a_walk_that_crosses_a_gap_again_has_its_arrows_side_by_side() -> None:
    scene = scene_of(MINE["four-drop"])
    places = [stamp.at for stamp in stamps(scene, "step")]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("name", ["two-drop", "four-drop", "rules-3"])
def test_the_stones_in_hand_are_shown(name: str) -> None:
    view = MINE[name]
    (hand,) = [stamp.sprite for stamp in stamps(scene_of(view), "hand")]
    assert "".join(stone.name.split()[1] for stone in within(hand, "stone") if stone.name.endswith(" 23")) == view.carry


@pytest.mark.parametrize("name", ["three-lay", "rules-4", "place", "two-place"])
def test_the_card_in_hand_is_shown_large_and_in_its_four_corners(name: str) -> None:
    view = MINE[name]
    (hand,) = [stamp.sprite for stamp in stamps(scene_of(view), "hand") if stamp.sprite.name == "hand"]
    assert view.turn is not None
    code = view.card or next(card for card in view.hands[view.turn] if card)
    large, *small = within(hand, "card")
    assert [part.name for part in within(large, "")] == [f"{code[0]}l nw {BIG}", f"{code[1]}s nw {BIG}"]
    assert {part.name for card in small for part in within(card, "")} == {
        f"{kind} {corner} 60" for corner in CORNERS for kind in (f"{code[0]}l", f"{code[1]}s")
    }
    assert sorted(texts(hand)) == sorted(CORNERS)


# Displays


@pytest.mark.parametrize("name", MINE)
def test_every_card_lies_in_its_cell_with_the_letters_that_one_sees(name: str) -> None:
    view = MINE[name]
    found = cells(view)
    assert set(found) == set(laid(view))
    for where, card in laid(view).items():
        named = [segment.name.split()[0] for segment in within(found[where], "") if segment.name[1:2] in "ls"]
        assert [kind for kind in named if len(kind) == 2] == [f"{shown(card)[0]}l", f"{shown(card)[1]}s"]
        drawn = [part.text for part in parts(found[where].shapes) if isinstance(part, Text)]
        assert drawn == [crystal.upper() for crystal in shown(card)]


@pytest.mark.parametrize("name", MINE)
def test_a_piece_has_a_rim(name: str) -> None:
    view = MINE[name]
    for where, sprite in cells(view).items():
        rims = [rim.name.split()[1] for rim in within(sprite, "rim")]
        assert rims == [piece[1] for piece in laid(view)[where].split("+")[1:]]


@pytest.mark.parametrize("name", MINE)
def test_columns_and_rows_are_named_in_every_display(name: str) -> None:
    view = MINE[name]
    labels = [shape.text for shape in scene_of(view).still if isinstance(shape, Text) and len(shape.text) == 1]
    for label in "abcd":
        assert labels.count(label) == view.seats


@pytest.mark.parametrize("name", RUNNING)
def test_the_next_free_row_of_every_column_is_hinted(name: str) -> None:
    view = RUNNING[name]
    open_columns = sum(len(cards) < ROWS for display in view.displays for cards in display)
    hints = len(stamps(scene_of(view), "next"))
    receiver = view.receiver
    assert hints == open_columns, receiver


def test_the_actors_display_is_large_or_in_a_private_view_ones_own() -> None:
    view = MINE["four-take"]
    assert shown_order(scene_of(view)) == [2, 0, 1, 3]
    assert shown_order(scene_of(view, a_look(side=3))) == [3, 0, 1, 2]
    sizes = Counter((seat, sprite.name.split()[2]) for (seat, _), sprite in cells(view, a_look(side=3)).items())
    assert {seat for seat, size in sizes if size == str(MEDIUM)} == {3}
    assert {seat for seat, size in sizes if size == str(SMALL)} == {0, 1, 2}


def test_the_receiver_of_a_piece_has_the_large_display() -> None:
    view = MINE["two-cover"]
    assert (view.turn, view.receiver) == (0, 1)
    assert shown_order(scene_of(view)) == [1, 0]


# Scoring marks


def with_marks(view: State) -> list[tuple[int, Display, dict[str, Sprite]]]:
    tiles = cells(view)
    return [
        (seat, display, {cell: sprite for (owner, cell), sprite in tiles.items() if owner == seat})
        for seat, display in enumerate(view.displays)
    ]


@pytest.mark.parametrize("name", MINE)
def test_as_many_ruby_flowers_are_whole_as_score_and_no_ruby_is_in_two(name: str) -> None:
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
    """Three sides a segment, less two for every pair that touches."""
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


# Pieces


@pytest.mark.parametrize("name", RUNNING)
def test_the_open_pieces_have_code_shape_and_letter_and_the_piles_their_heights(name: str) -> None:
    view = RUNNING[name]
    (tray,) = [stamp.sprite for stamp in stamps(scene_of(view), "pieces")]
    assert texts(tray) == [*(piece or "–" for piece in view.open), *(f"×{len(pile)}" for pile in view.piles)]
    assert [segment.name[:2] for segment in within(tray, "") if segment.name[2:6] == " nw "] == [
        piece for piece in view.open if piece
    ]


@pytest.mark.parametrize("name", RUNNING)
def test_the_open_pieces_are_framed_while_one_is_to_be_chosen(name: str) -> None:
    (tray,) = [stamp.sprite for stamp in stamps(scene_of(RUNNING[name]), "pieces")]
    assert isinstance(tray.shapes[0], Box)
    assert (tray.shapes[0].line == "text") == (RUNNING[name].phase == Phase.GIVE)


def test_an_empty_slot_is_an_outline() -> None:
    view = replace(MINE["four-take"], open=("el", None, None, "ts"))
    (tray,) = [stamp.sprite for stamp in stamps(scene_of(view), "pieces")]
    assert texts(tray)[:4] == ["el", "–", "–", "ts"]
    assert sum(isinstance(part, Box) and part.line == "pane.pale" for part in tray.shapes) == 2


def test_who_is_due_a_piece_is_shown() -> None:
    (hand,) = [stamp.sprite for stamp in stamps(scene_of(MINE["three-give"]), "hand")]
    due = [stone.name.split()[1] for stone in within(hand, "stone") if stone.name.endswith(" 22")]
    assert "".join(due) == MINE["three-give"].due
    assert texts(hand).count("?") == len(due)


@pytest.mark.parametrize("name", ["two-cover", "three-cover", "rules-5"])
def test_a_piece_to_be_placed_is_shown_with_the_cells_where_it_fits(name: str) -> None:
    view = MINE[name]
    assert view.piece is not None
    assert view.receiver is not None
    (hand,) = [stamp.sprite for stamp in stamps(scene_of(view), "hand")]
    assert view.piece in texts(hand)
    fitting = {cell for (seat, cell), sprite in cells(view).items() if f"{view.piece[1]}:fits" in sprite.name}
    assert fitting == set(cells_for(view.displays[view.receiver], view.piece))
    assert all(seat == view.receiver for (seat, _), sprite in cells(view).items() if ":fits" in sprite.name)


# Setup


@pytest.mark.parametrize("name", ["rules-2", "place", "two-place"])
def test_the_hands_lie_open_with_the_numbers_of_their_slots(name: str) -> None:
    view = MINE[name]
    rows = [stamp.sprite for stamp in stamps(scene_of(view), "hand ")]
    assert len(rows) == view.seats
    for row, hand in zip(rows, view.hands, strict=True):
        assert texts(row) == ["1", "2", "3"]
        large = [segment.name[0] for segment in within(row, "") if segment.name[1:5] == "l nw"]
        assert large == [card[0] for card in hand if card]


def test_before_the_first_card_is_laid_one_sees_where_the_stones_begin() -> None:
    view = MINE["rules-2"]
    (tray,) = [stamp.sprite for stamp in stamps(scene_of(view), "hand") if stamp.sprite.name == "hand"]
    assert texts(tray) == [str(stack) for stack in view.layout.stacks]
    assert letters(tray) == "ooowwwpppkkk"
    stones = stamps(tray, "stone")
    for one, other in pairwise(stones):
        near = abs(one.at[0] - other.at[0]) < 24 and one.at[1] == other.at[1]
        assert not near or one.sprite == other.sprite, "no colour lies over the letter of another"


# Points


@pytest.mark.parametrize("name", RUNNING)
def test_the_table_tells_the_points_by_crystal_and_who_is_to_act(name: str) -> None:
    view = RUNNING[name]
    rows = [stamp.sprite for stamp in stamps(scene_of(view), "points")]
    for seat, (row, points) in enumerate(zip(rows, points_of(view), strict=True)):
        told = [points[crystal] for crystal in (*CRYSTALS, "total")]
        assert texts(row) == [str(number) if number or place == 7 else "·" for place, number in enumerate(told)]
        assert any(isinstance(part, Box) for part in row.shapes) == (seat == view.actor)


@pytest.mark.parametrize("name", MINE)
def test_over_each_display_stand_name_stone_cards_and_points(name: str) -> None:
    view = MINE[name]
    scene = scene_of(view)
    for place, stamp in enumerate(stamps(scene, "head")):
        seat = shown_order(scene)[place]
        told = texts(stamp.sprite)
        assert a_look().seats[seat].name in told
        assert str(view.standing()[seat]) in told
        assert letters(stamp.sprite) == COLOURS[seat]
        if place == 0:
            assert f"{sum(map(len, view.displays[seat]))}/12" in told


def test_the_key_tells_both_tables_and_the_fixed_values() -> None:
    for name in ("two-take", "three-lay", "four-take", "four-over"):
        told = [shape.text for shape in scene_of(MINE[name]).still if isinstance(shape, Text)]
        for text in ("1 3 6 10", "15 21 28", "1 2 3 5 8", "13 21 34", "7", "10", "23", "3", "2"):
            assert text in told, name


@pytest.mark.parametrize("name", ["two-over", "two-tie", "three-over", "four-over", "rules-6"])
def test_a_finished_game_has_a_score_sheet_of_seven_rows(name: str) -> None:
    view = MINE[name]
    scene = scene_of(view)
    told = [shape.text for shape in scene.shapes if isinstance(shape, Text)]
    for row in points_of(view):
        assert str(row["total"]) in told
        for crystal in CRYSTALS:
            assert str(row[crystal] or "·") in told
    assert {stamp.sprite.name.split()[1] for stamp in stamps(scene, "gem")} == set(CRYSTALS)
    assert not stamps(scene, "stack")
    assert not stamps(scene, "pieces")


def test_the_sheet_tells_what_was_counted() -> None:
    view = MINE["two-over"]
    told = {crystal: sheet.counted(view.displays, 0, crystal) for crystal in CRYSTALS}
    assert told == {"t": "3", "a": "2", "r": "2", "e": "1", "c": "1", "d": "2+1", "h": "4"}
    shown_ = [shape.text for shape in scene_of(view).shapes if isinstance(shape, Text)]
    for how in ("3", "2 × 7", "2 × 10", "1 × 23", "1 × 3", "2+1", "4 × 2"):
        assert how in shown_


@pytest.mark.parametrize("name", ["two-over", "two-tie", "three-over", "four-over", "rules-6"])
def test_what_was_counted_gives_the_points(name: str) -> None:
    """Whoever multiplies, or looks up the table over the row, comes to the points that stand beside it."""
    view = MINE[name]
    tables = {crystal: [0, *map(int, " ".join(sheet.WORTH[crystal]).split())] for crystal in "td"}
    for seat, row in enumerate(points_of(view)):
        for crystal in CRYSTALS:
            how = sheet.counted(view.displays, seat, crystal)
            if crystal == "d":
                sizes = [part.split("×") for part in how.split("+")]
                reckoned = sum(tables["d"][int(size)] * int("".join(n) or 1) for *n, size in sizes)
            elif crystal == "t":
                reckoned = tables["t"][min(int(how), 7)]
            else:
                reckoned = int(how) * int(sheet.WORTH[crystal][1])
            assert reckoned == row[crystal], (seat, crystal)


@pytest.mark.parametrize("name", ["two-over", "two-tie", "three-over", "four-over", "rules-6"])
def test_what_was_counted_stands_beside_all_points(name: str) -> None:
    view = MINE[name]
    muted = [
        (shape.at[1], shape.text)
        for shape in scene_of(view).shapes
        if isinstance(shape, Text) and shape.colour == "muted" and shape.align == "right"
    ]
    told = "+".join(text for _, text in sorted(muted, key=lambda each: each[0])).split("+")
    told = [text.split(" × ")[0] for text in told]
    expected = [
        part
        for seat, row in enumerate(points_of(view))
        for crystal in CRYSTALS
        if row[crystal]
        for part in sheet.counted(view.displays, seat, crystal).split("+")
    ]
    assert Counter(text for text in told if text != "·") == Counter(expected)


def crowned(scene: Scene) -> list[int]:
    return [
        int(stamp.sprite.name.split()[1]) - 1
        for stamp in stamps(scene, "head")
        if any(getattr(part, "fill", "") == "yellow" for part in stamp.sprite.shapes)
    ]


def test_the_winners_wear_crowns_also_when_the_table_ended_the_game() -> None:
    assert crowned(scene_of(MINE["two-over"])) == [0]
    assert crowned(scene_of(MINE["two-tie"])) == [0, 1]
    ended = a_look(ended=Outcome((1, 2, 3, 4), (3,), "resigned"))
    assert crowned(scene_of(MINE["four-take"], ended)) == [3]


# The last turn


def test_the_last_turn_is_shown_with_its_card_and_pieces() -> None:
    view = MINE["two-take"]
    assert view.last is not None
    (hand,) = [stamp.sprite for stamp in stamps(scene_of(view), "hand")]
    ringed = {where for where, sprite in cells(view).items() if " accent" in sprite.name}
    assert {cell for seat, cell in ringed} <= set(texts(hand))
    assert all(seat == view.last.seat for seat, _ in ringed)
    covered = {where for where, sprite in cells(view).items() if ":accent" in sprite.name}
    assert covered
    assert {cell for _, cell in covered} <= set(texts(hand))


def test_a_piece_just_placed_is_outlined_above_the_outline_of_its_group() -> None:
    tile = cells(MINE["two-take"])[0, "d1"]
    lines = [part.colour for part in tile.shapes if isinstance(part, Line)]
    assert "blue" in lines
    assert lines.index("accent") > max(place for place, colour in enumerate(lines) if colour == "blue")


def test_a_piece_that_fitted_nowhere_is_crossed_out() -> None:
    document = json.loads(GAME.encode(MINE["two-take"]))
    document["last"] = {"seat": 0, "actions": ["take1", "o4", "o5", "anw", "w+hl"]}
    (hand,) = [stamp.sprite for stamp in stamps(scene_of(GAME.decode(json.dumps(document)).view(None)), "hand")]
    assert "×" in texts(hand)


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


# Words


@pytest.mark.parametrize("name", MINE)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_position_can_be_played_from_the_words(name: str, lang: str) -> None:
    view = MINE[name]
    told = alt_text(view, a_look(lang=lang))
    assert len(told) <= ALT_LONGEST
    if view.outcome is None:
        first = view.displays[view.actor or 0]
        assert all(card in told for column in first for card in column)
        assert all(f" {piece}" in told for piece in view.open if piece)
        assert all(str(number) in told for number in view.standing())
        if view.phase not in (Phase.SWAP, Phase.PLACE):
            for number, (cards, heap) in enumerate(zip(view.stacks, view.stones, strict=True), 1):
                assert f"{number} {cards[-1]}×{len(cards)}{' ' + heap if heap else ''}" in told
        else:
            assert all(card in told for hand in view.hands for card in hand if card)


@pytest.mark.parametrize("name", ["two-over", "three-over", "four-over"])
def test_the_words_of_a_finished_game_are_the_score_sheet(name: str) -> None:
    view = MINE[name]
    told = alt_text(view, a_look())
    for seat, row in enumerate(points_of(view)):
        line = ", ".join(
            f"{crystal} {row[crystal]}" + f" ({sheet.counted(view.displays, seat, crystal)})" * bool(row[crystal])
            for crystal in CRYSTALS
        )
        assert f"{a_look().seats[seat].name} {row['total']}: {line}." in told


def test_golden_words(golden: Callable[[Path, str], None]) -> None:
    looks = {"en": a_look("Ada", "Ben", "Cleo", "Dan"), "de": a_look("Ada", "Ben", "Cleo", "Dan", lang="de")}
    told = [f"{name} {lang}: {alt_text(view, look)}\n" for name, view in MINE.items() for lang, look in looks.items()]
    golden(GOLDEN / "words.txt", "".join(told))


@pytest.mark.parametrize("name", ["two-flower", "three-lay"])
def test_golden_scenes(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"{name}.txt", str(scene_of(MINE[name], a_look("Ada", "Ben", "Cleo", "Dan"))))


def test_the_house_is_shown_beside_a_name() -> None:
    look = Look((SeatLook("Ada", house=True), SeatLook("Ben")))
    heads = stamps(scene_of(MINE["two-take"], look), "head")
    plain = stamps(scene_of(MINE["two-take"], Look((SeatLook("Ada"), SeatLook("Ben")))), "head")
    changed = [a.sprite.name for a, b in zip(heads, plain, strict=True) if a.sprite != b.sprite]
    assert changed == ["head 1"]


def test_both_themes_are_painted() -> None:
    assert picture(MINE["rules-5"], a_look(theme=Theme.LIGHT)) != picture(MINE["rules-5"], a_look())
