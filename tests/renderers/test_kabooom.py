"""Kabooom!'s board, in the order of section 11 of its page: what the picture must show, and its words."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from renderers import Look, SeatLook, Theme, alt_text, diagram, picture
from renderers.games.kabooom import diagram as scene_of_page
from renderers.games.kabooom.symbols import NAMES as SYMBOL_NAMES
from renderers.palette import MARKS, on
from renderers.scene import AnyShape, Arrow, Box, Disc, Polygon, Scene, Sprite, Stamp, Text, parts
from renderers.signs import figure
from rules.contract import Outcome
from rules.games.kabooom import BEATS, GAME, GRID, SYMBOLS, State, counted, height, owner, symbol
from tests.renderers.looking import NAMES, a_look, live, pixels, positions, scene_of, tiles, words

GOLDEN = Path(__file__).parent / "golden" / "kabooom"
HUES = GAME.colours
MINE = {name.split("/")[1]: view for name, view in positions().items() if name.startswith("kabooom/")}


@pytest.fixture(params=list(MINE))
def view(request: pytest.FixtureRequest) -> State:
    found: State = MINE[request.param]
    return found


def fields(view: State, look: Look | None = None) -> dict[str, Sprite]:
    """The tile on every occupied field, by the field's name; found by where it lies, not by what it says."""
    scene = scene_of(view, look)
    labels = {shape.text: shape.at for shape in scene.still if isinstance(shape, Text)}
    found = {}
    for stamp in tiles(scene, "field"):
        column = min(GRID.columns, key=lambda letter: abs(labels[letter][0] - stamp.at[0]))
        row = min(GRID.rows, key=lambda digit: abs(labels[digit][1] - stamp.at[1]))
        assert column + row not in found
        found[column + row] = stamp.sprite
    return found


def stamped(tile: Sprite, kind: str) -> list[str]:
    """The names of the sprites on a tile that begin with *kind*, in painting order."""
    return [part.sprite.name for part in tile.shapes if isinstance(part, Stamp) and part.sprite.name.startswith(kind)]


def texts(tile: Sprite) -> list[str]:
    """The lettering of a tile itself, without its sprites'."""
    return [part.text for part in tile.shapes if isinstance(part, Text)]


def stone_of(tile: Sprite) -> Sprite:
    """The topmost stone on a tile."""
    (stone,) = [part.sprite for part in tile.shapes if isinstance(part, Stamp) and part.sprite.name.startswith("stone")]
    return stone


def looks(shape: AnyShape) -> tuple[type, int, str]:
    """What kind of figure a shape is, and in which colour, wherever it lies."""
    return type(shape), len(getattr(shape, "points", ())), str(getattr(shape, "fill", ""))


def towers(view: State) -> dict[str, str]:
    return {field: tower for field, tower in zip(GRID.fields, view.board, strict=True) if tower}


def told_of(scene: Scene, seat: int) -> list[AnyShape]:
    """What the plate of a seat and its rows are made of."""
    own = [stamp for stamp in tiles(scene, "plate") if stamp.sprite.name.split()[1] == str(seat + 1)]
    return [part for stamp in own for part in stamp.sprite.shapes]


def plates(scene: Scene) -> list[list[str]]:
    """The lettering of each seat's plate."""
    return [
        [part.text for part in parts(tuple(told_of(scene, seat))) if isinstance(part, Text)]
        for seat in range(4)
        if told_of(scene, seat)
    ]


def signs(scene: Scene, seat: int) -> list[str]:
    """The names of the sprites on a seat's plate."""
    return [part.sprite.name for part in told_of(scene, seat) if isinstance(part, Stamp)]


def is_raised(scene: Scene, seat: int) -> bool:
    return any(isinstance(part, Box) and part.fill == "panel.up" for part in told_of(scene, seat))


# The grid


def test_columns_and_rows_are_lettered(view: State) -> None:
    labels = [shape.text for shape in scene_of(view).still if isinstance(shape, Text)]
    assert labels == [*GRID.columns, *GRID.rows]


def test_empty_fields_invite_while_stones_are_placed_and_are_holes_afterwards() -> None:
    placing, moving = scene_of(MINE["placing"]).still, scene_of(MINE["tall"]).still

    def holes(still: tuple[AnyShape, ...]) -> int:
        return sum(isinstance(shape, Stamp) and shape.sprite.name == "pit" for shape in still)

    def dots(still: tuple[AnyShape, ...]) -> int:
        return sum(isinstance(shape, Disc) for shape in still)

    assert (dots(placing), holes(placing)) == (24, 0)
    assert (dots(moving), holes(moving)) == (0, 24)


# Towers


def test_every_tower_stands_on_its_field(view: State) -> None:
    assert set(fields(view)) == set(towers(view))


def test_every_tower_shows_its_owner_by_colour_number_and_mark_and_its_symbol_by_a_figure(view: State) -> None:
    for field, tower in towers(view).items():
        tile, seat = fields(view)[field], owner(tower)
        assert stamped(tile, "stone") == [f"stone {seat + 1} {HUES[seat]} {SYMBOL_NAMES[symbol(tower)]}"]
        told = stone_of(tile).shapes
        assert looks(figure(MARKS[seat], (0, 0), 8, on(HUES[seat]))) in map(looks, told)
        assert any(isinstance(part, Text) and part.text == str(seat + 1) for part in told)


def test_the_pane_under_a_tower_is_lit_in_the_colour_of_its_owner(view: State) -> None:
    for field, tower in towers(view).items():
        assert stamped(fields(view)[field], "pane")[0].split()[2] == HUES[owner(tower)]


def test_the_top_three_stones_can_be_read_and_the_next_three_be_seen(view: State) -> None:
    for field, tower in towers(view).items():
        tile = fields(view)[field]
        pile = [(int(tower[k]), tower[k + 1]) for k in range(0, len(tower), 2)]
        assert stamped(tile, "side") == [
            f"side {seat + 1} {HUES[seat]} {SYMBOL_NAMES[kind]}" for seat, kind in pile[-3:-1]
        ]
        assert stamped(tile, "slice") == [f"slice {HUES[seat]}" for seat, _ in pile[:-3][-3:]]


def test_higher_towers_stand_higher(view: State) -> None:
    tops: dict[int, set[float]] = {}
    for field, tower in towers(view).items():
        stones = (part for part in fields(view)[field].shapes if isinstance(part, Stamp))
        top = [stone.at[1] for stone in stones if stone.sprite.name.startswith("stone")]
        tops.setdefault(min(height(tower), 6), set()).update(top)
    ranks = [tops[tall] for tall in sorted(tops)]
    assert all(len(places) == 1 for places in ranks)
    assert ranks == sorted(ranks, key=min, reverse=True)


def test_a_tower_stays_on_its_field(view: State) -> None:
    for tile in fields(view).values():
        for part in tile.shapes:
            if isinstance(part, Stamp) and part.sprite.name.split()[0] in ("stone", "side"):
                assert abs(part.at[0]) + 54 <= tile.reach[0]
                assert part.at[1] - 39 >= -tile.reach[1]
                assert part.at[1] + 61 <= tile.reach[1]


def test_towers_of_two_and_more_tell_their_height_and_what_counts_of_it_where_that_differs(view: State) -> None:
    for field, tower in towers(view).items():
        shown = "".join(text for text in reversed(texts(fields(view)[field])) if "+" not in text)
        counts = counted(tower, view.options.dynamite)
        if height(tower) == 1:
            assert shown == ""
        else:
            assert shown == f"{height(tower)}" + (f"·{counts}" if counts != height(tower) else "")


# Last actions


def strong(scene: Scene) -> list[AnyShape]:
    return [shape for shape in live(scene) if "accent" in (getattr(shape, "line", ""), getattr(shape, "fill", ""))]


def test_the_newest_move_is_a_strong_arrow_onto_a_ringed_field_and_the_others_are_faint() -> None:
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
        assert lines == [HUES[seat]]


def test_the_accent_marks_the_last_action_and_nothing_else(view: State) -> None:
    assert len(strong(scene_of(view))) <= 2
    assert all(getattr(shape, "colour", "") != "accent" for shape in live(scene_of(view)))


# The seats


def test_every_seat_has_number_colour_mark_name_and_points(view: State) -> None:
    shown = plates(scene_of(view))
    assert len(shown) == view.seats
    for seat, told in enumerate(shown):
        assert {str(seat + 1), NAMES[seat], str(view.standing()[seat])} <= set(told)
        assert signs(scene_of(view), seat)[0].startswith(f"badge {seat + 1} {HUES[seat]}")


def test_who_is_up_has_the_pointer(view: State) -> None:
    for seat in range(view.seats):
        pointed_at = any(isinstance(part, Polygon) for part in told_of(scene_of(view), seat))
        assert pointed_at == (seat == view.actor)
        assert is_raised(scene_of(view), seat) == (
            pointed_at or (view.outcome is not None and seat in view.outcome.winners)
        )


def test_the_supply_is_shown_while_stones_are_placed() -> None:
    view = MINE["placing"]
    for seat, told in enumerate(plates(scene_of(view))):
        assert told[-4:] == [str(left) for left in view.supply(seat).values()]
        assert [name.split()[0] for name in signs(scene_of(view), seat)[-4:]] == [
            SYMBOL_NAMES[kind] for kind in SYMBOLS
        ]


def test_what_makes_up_the_points_is_shown_afterwards() -> None:
    assert "2+1" in plates(scene_of(MINE["towers"]))[1]


def test_passes_in_succession_are_counted_on_the_seats_that_passed() -> None:
    view = MINE["passed"].play(GAME.parse(MINE["passed"], "pass")[0])
    scene = scene_of(view)
    assert [[text for text in told if "/" in text] for told in plates(scene)] == [["1/3"], ["2/3"], []]
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


def test_at_the_end_every_tower_tells_its_points_and_the_winner_has_the_crown() -> None:
    for name in ("stuck", "tie"):
        view = MINE[name]
        assert view.outcome is not None
        for field, tower in towers(view).items():
            assert f"+{view.points(tower)}" in texts(fields(view)[field])
        crowned = [seat for seat in range(view.seats) if "crown" in signs(scene_of(view), seat)]
        assert crowned == list(view.outcome.winners)


def test_while_the_game_runs_no_tower_tells_points() -> None:
    assert not any("+" in text for tile in fields(MINE["towers"]).values() for text in texts(tile))


@pytest.mark.parametrize("name", ["towers", "placing"])
def test_a_game_that_the_table_ended_is_shown_as_ended(name: str) -> None:
    view = MINE[name]
    ended = Outcome((7, 8, 9, 10)[: view.seats], (1,), "resigned")
    scene = scene_of(view, a_look(ended=ended))
    assert [seat for seat in range(view.seats) if "crown" in signs(scene, seat)] == [1]
    assert [str(score) in told for score, told in zip(ended.scores, plates(scene), strict=True)] == [True] * view.seats
    raised = [is_raised(scene, seat) for seat in range(view.seats)]
    assert raised == [seat == 1 for seat in range(view.seats)]
    assert "Benedikt" in alt_text(view, a_look(ended=ended)).split(".")[0]


def test_nobody_need_have_won_when_the_table_ended_it() -> None:
    look = a_look(ended=Outcome((0, 0), (), "ended"))
    assert alt_text(MINE["tall"], look).startswith("The game is over. ")
    assert picture(MINE["tall"], look)


# What does not matter


def test_the_board_is_the_same_from_every_side_and_without_sentences(view: State) -> None:
    assert scene_of(view, a_look(side=1)) == scene_of(view)
    assert scene_of(view, a_look(lang="de")) == scene_of(view, a_look(lang="en"))
    allowed = re.compile(r"[\d+/·–-]+|[a-f]\d(-[a-f]\d)?")
    assert [word for word in words(scene_of(view)) if word not in NAMES and not allowed.fullmatch(word)] == []


def test_all_symbols_and_all_marks_are_told_apart_without_colour() -> None:
    """In grey, the face of every symbol and the front of every seat differs from all others in many pixels."""
    shown = pixels(picture(MINE["at-random"], a_look())).convert("L").convert("RGB")
    stones = {}
    for stamp in tiles(scene_of(MINE["at-random"]), "field"):
        name = stamped(stamp.sprite, "stone")[0].split()
        x, y = round(stamp.at[0]), round(stamp.at[1])
        stones[name[1], name[3]] = shown.crop((x - 40, y - 30, x + 40, y + 74))
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
    for lang in ("en", "de"):
        told = alt_text(view, a_look(lang=lang))
        board = {
            field: "".join(f"{int(digit) - 1}{kind}" for digit, kind in re.findall(r"(\d)([rpsd])", tower))
            for field, tower in re.findall(r"\b([a-f][1-4]) ((?:\d[rpsd])+)", told)
        }
        assert board == towers(view)


def test_the_words_begin_with_who_is_to_act() -> None:
    assert alt_text(MINE["towers"], a_look()).startswith("Anna is to move or pass. Last: Dmitri a3-b4. ")
    assert alt_text(MINE["placing"], a_look(lang="de")).startswith("Benedikt setzt einen Stein. ")


def test_the_words_tell_points_passes_and_supplies() -> None:
    assert "1 of 3 has passed in a row." in alt_text(MINE["passed"], a_look())
    assert "Points: 1 Anna: 1, 2 Benedikt: 3, 3 Chloé: 2, 4 Dmitri: 3." in alt_text(MINE["towers"], a_look())
    assert "Still to place: 1 3×p 3×s 2×d;" in alt_text(MINE["placing"], a_look())


def test_the_words_tell_who_has_won() -> None:
    assert alt_text(MINE["stuck"], a_look()).startswith("The game is over, Dmitri has won.")


def test_the_words_do_with_anybody_who_has_no_name() -> None:
    assert alt_text(MINE["tall"], Look(())).startswith("player 1 is to move")


# The rules' pictures


@pytest.mark.parametrize("page", range(1, 6))
def test_every_page_of_the_rules_has_a_picture(page: int) -> None:
    for theme in Theme:
        shown = diagram("kabooom", page, Look((), theme=theme))
        assert shown is not None
        assert pixels(shown).width == 1000


def test_the_page_about_climbing_shows_what_beats_what() -> None:
    scene: Any = scene_of_page(3, a_look())
    rows: dict[float, list[str]] = {}
    for stamp in sorted(tiles(scene, "field"), key=lambda stamp: (stamp.at[1], stamp.at[0])):
        rows.setdefault(stamp.at[1], []).append(stamped(stamp.sprite, "stone")[0].split()[3])
    named = {mover: [SYMBOL_NAMES[kind] for kind in SYMBOLS if kind in BEATS[mover]] for mover in SYMBOLS}
    assert list(rows.values()) == [[SYMBOL_NAMES[mover], *named[mover]] for mover in SYMBOLS]


# Golden scenes


@pytest.mark.parametrize("name", ["placing", "towers", "tall", "stuck"])
def test_the_scene_is_as_it_was(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"{name}.txt", str(scene_of(MINE[name])))
