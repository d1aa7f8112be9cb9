"""Kaleidoskop's pictures: the requirements of section 14 of its page, the board first, then the seats, then a hand."""

import json
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from math import dist, hypot
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import ImageChops

from kaleidobot.testing.looking import NAMES, a_look, pixels, words
from renderers import (
    ALT_LONGEST,
    POSITIONS,
    Look,
    Recent,
    SeatLook,
    Theme,
    alt_text,
    diagram,
    hand,
    hand_text,
    picture,
    plaque,
    spots,
)
from renderers import board as whole_board
from renderers.games import kaleidoskop
from renderers.games.kaleidoskop import DRAWER, HUES, cards, crystals, diagrams, glass, tokens
from renderers.games.kaleidoskop import own as own_cards
from renderers.games.kaleidoskop import window as board_window
from renderers.games.kaleidoskop.cards import fitted
from renderers.games.kaleidoskop.names import Rectangle, Size, naming, token_at
from renderers.games.kaleidoskop.window import LARGE, SMALL, tiles, window
from renderers.layout import Area, Hexes
from renderers.lettering import CAPITAL, width
from renderers.outlines import centre, inside
from renderers.paint import painter
from renderers.palette import colours, contrast, on
from renderers.scene import AnyShape, Box, Disc, Line, Polygon, Scene, Sprite, Stamp, Text, parts
from rules import puzzles
from rules.contract import Outcome
from rules.games.kaleidoskop import BACK, COLOURS, GAME, GRID, NOTHING, WELLS_OF, Deck, Stage, State, board, task
from rules.games.kaleidoskop.values import Done, Tools

SOURCES = sorted((POSITIONS / "kaleidoskop").glob("*.json"))
PAGE = json.loads((Path(__file__).parents[1] / "rules/examples/kaleidoskop.json").read_text(encoding="utf-8"))[
    "document"
]
PHONE = 400


def position(name: str) -> State:
    return GAME.decode((POSITIONS / f"kaleidoskop/{name}.json").read_bytes())


def played(text: str, **replaced: Any) -> State:
    """Return the page's example with some keys *replaced* (its colours follow), after these actions."""
    document = {**PAGE, **replaced}
    if replaced:
        del document["hexes"]
    state = GAME.decode(json.dumps(document))
    for action in GAME.parse(state, text) if text else ():
        state = state.play(action)
    return state


EXAMPLE = played("")
TURN = played("buy:glass 22p mirror:21:c4 glass:34:d4")
FULL = position("six-full")


def drawn(state: State, **facts: Any) -> Scene:
    return DRAWER.scene(state.view(None), a_look(*NAMES[: state.seats], **facts))


def board_of(state: State) -> Scene:
    """Return only the board, complete, with the parts that no changed tile covers."""
    scene = drawn(state)
    stamps = [shape for shape in (*scene.still, *scene.shapes) if isinstance(shape, Stamp)]
    laid = {stamp.at: stamp for stamp in stamps if stamp.sprite.name.startswith("hex ")}
    return Scene(scene.size, (), tuple(laid.values()))


def own(state: State, name: str) -> list[tuple[str, tuple[float, float]]]:
    """Return the contents of the tile of a hex: names of sprites or texts, with their distances from the middle of
    the hex."""
    place = GRID.number[name]
    (x, y), tile = window(state.seats).hexes[place], tiles(state.seats)[place]
    stamps = [shape for shape in board_of(state).shapes if isinstance(shape, Stamp)]
    (sprite,) = [stamp.sprite for stamp in stamps if stamp.at == tile.middle]
    away = tile.middle[0] - x, tile.middle[1] - y
    contents = []
    for shape in sprite.shapes:
        assert isinstance(shape, Stamp | Text)
        label = shape.text if isinstance(shape, Text) else shape.sprite.name
        contents.append((label, (shape.at[0] + away[0], shape.at[1] + away[1])))
    return contents


def within(state: State, name: str, reach: float = 40) -> set[str]:
    """Return the contents near the middle of a hex."""
    return {content for content, (x, y) in own(state, name) if max(abs(x), abs(y)) <= reach}


def corner(state: State, kind: str) -> list[AnyShape]:
    """Return the shapes of a corner: "round", "supply", "swap", "goal"."""
    sprites = [shape.sprite for shape in drawn(state).shapes if isinstance(shape, Stamp)]
    (tile,) = [sprite for sprite in sprites if sprite.name.split()[0] == kind]
    return list(tile.shapes)


def plate(state: State, seat: int, **facts: Any) -> list[str]:
    """Return the names of the sprites on a seat's plate, and its texts."""
    contents = []
    for shape in drawn(state, **facts).shapes:
        if isinstance(shape, Stamp) and shape.sprite.name.startswith(f"plate {seat + 1}"):
            for part in shape.sprite.shapes:
                contents += (
                    [part.sprite.name] if isinstance(part, Stamp) else [part.text] if isinstance(part, Text) else []
                )
    return contents


# --- The board --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_hex_in_play_has_its_label_and_covered_ones_are_left_out(seats: int) -> None:
    start = GAME.start(seats, None, 1)
    in_play = {GRID.fields[place] for place in board(seats).hexes}
    labels = {text.text for text in parts(board_of(start).shapes) if isinstance(text, Text) and len(text.text) == 2}
    assert {label.lower() for label in labels if label[0].isalpha()} == in_play
    for name in in_play:
        assert name.upper() in within(start, name)


def test_a_coloured_hex_has_the_sign_of_its_colour_and_no_letter() -> None:
    for name, colour in zip(GRID.fields, EXAMPLE.hexes, strict=True):
        if colour != NOTHING:
            hue = crystals.HUE[colour]
            signs = [content for content in within(EXAMPLE, name, 40) if content.startswith("sign")]
            assert [sign.split()[1] for sign in signs] == [hue]
            assert any(content.split()[:2] in (["pane", hue], ["part", hue]) for content in within(EXAMPLE, name))
    around = [content for content in within(EXAMPLE, "d2", 25) if content.split()[0] not in ("pane", "lead", "frame")]
    assert around == ["D2"]
    texts = [shape.text for shape in parts(drawn(EXAMPLE).shapes) if isinstance(shape, Text)]
    assert not [text for text in texts if text.lower() in COLOURS]


@pytest.mark.parametrize("theme", Theme)
def test_the_sign_of_a_pane_has_the_outline_of_its_crystals_and_is_visible(theme: Theme) -> None:
    known = colours(theme)
    for colour, hue in crystals.HUE.items():
        (sign,) = glass.sign(colour, min(SMALL.sign, LARGE.sign), theme).shapes
        face = crystals.gem(colour, 1.0).shapes[-1]
        assert isinstance(sign, Polygon)
        assert isinstance(face, Polygon)
        assert len(sign.points) == len(face.points)
        assert contrast(known[sign.fill], known[glass.tone(hue)]) >= 3
        for axis in (0, 1):
            values = [point[axis] for point in sign.points]
            assert max(values) - min(values) >= 16, "eyes that see two colours alike need a large sign"


def test_a_pane_without_a_colour_is_faint_glass() -> None:
    for theme in Theme:
        known = colours(theme)
        assert contrast(known[glass.tone("")], known["ground"]) < 1.1


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_well_has_its_number(seats: int) -> None:
    state = GAME.start(seats, None, 1)
    scene = board_of(state)
    numbers = {text.text for text in parts(scene.shapes) if isinstance(text, Text) and text.text.isdigit()}
    assert numbers == {str(well + 1) for well in board(seats).wells}


def test_a_crystal_has_colour_cut_and_number() -> None:
    contents = {word for word, _ in own(EXAMPLE, "c4")}
    assert {f"gem violet {SMALL.crystal:g}", "21", f"gem green {SMALL.crystal:g}", "27"} <= contents
    cuts = {repr(crystals.gem(colour).shapes[-1]).split("fill")[0] for colour in COLOURS}
    assert len(cuts) == len(COLOURS)


def test_names_of_fields_weigh_less_than_pieces() -> None:
    texts = [shape for shape in parts(board_of(EXAMPLE).shapes) if isinstance(shape, Text)]
    occupied = {str(well + 1) for well, crystal in enumerate(EXAMPLE.crystals) if crystal != NOTHING}
    for shape in texts:
        if shape.text.isdigit() and len(shape.text) == 2:
            assert shape.bold == (shape.text in occupied)
    assert {shape.bold for shape in texts if shape.text.lower() in GRID.number} == {False}


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("size", [SMALL.crystal, LARGE.crystal])
def test_a_crystal_contrasts_with_every_pane_by_dark_setting_and_light_facets(size: float, theme: Theme) -> None:
    known = colours(theme)
    for colour, hue in crystals.HUE.items():
        setting, *facets, face = crystals.gem(colour, size).shapes
        assert isinstance(setting, Polygon)
        assert isinstance(face, Polygon)
        rims = {facet.fill for facet in facets if isinstance(facet, Polygon)}
        assert min(contrast(known[setting.fill], known[rim]) for rim in rims) >= 4.5, hue
        for ground in (glass.tone(other, part) for other in ("", *crystals.HUE.values()) for part in ("", "lit")):
            pens = [setting.fill, *rims]
            assert max(contrast(known[pen], known[ground]) for pen in pens) >= 3, (hue, ground)
        assert face.fill == hue


def test_an_empty_well_is_a_ring() -> None:
    assert {f"well {SMALL.crystal:g}", "22"} <= {content for content, _ in own(EXAMPLE, "c5")}


def test_the_crystals_that_decide_light_their_hex() -> None:
    """c3: green 27 alone, with a mirror; yellow 33 and violet 21 cancel each other."""
    rays = [content for content, _ in own(EXAMPLE, "b3") if content.startswith("ray violet.glass")]
    assert len(rays) == 1
    assert rays[0].startswith("ray violet.glass.edge violet.glass.beam 3")


def test_no_neutral_hex_is_lit() -> None:
    state = GAME.start(3, None, 1)
    assert not [content for name in ("d4", "c3") for content, _ in own(state, name) if content.startswith("ray")]


def rings(state: State, **facts: Any) -> dict[tuple[float, float], str]:
    """Return the rings around crystals: "latest" or "faint" by place."""
    stamps = [shape for shape in drawn(state, **facts).shapes if isinstance(shape, Stamp)]
    return {
        (stamp.at[0] + part.at[0], stamp.at[1] + part.at[1]): part.sprite.name.split()[0]
        for stamp in stamps
        if stamp.sprite.name.startswith("hex ")
        for part in stamp.sprite.shapes
        if isinstance(part, Stamp) and part.sprite.name.startswith(("latest", "faint"))
    }


def test_only_the_latest_crystal_has_a_bright_ring() -> None:
    for state in (EXAMPLE, TURN, FULL):
        assert state.last is not None
        assert rings(state) == {window(state.seats).wells[state.last - 1]: "latest"}
        shapes = tuple(shape for shape in drawn(state).shapes if shape not in whose(state))
        named = [part for part in parts(shapes) if isinstance(part, Stamp) and part.sprite.name.startswith("tag of")]
        accents = [part for part in parts(shapes) if "accent" in str(part) and not isinstance(part, Stamp)]
        assert {type(part) for part in accents if part not in (box for tag in named for box in tag.sprite.shapes)} == {
            Disc
        }
    assert rings(GAME.start(3, None, 1)) == {}


def test_every_crystal_since_the_reader_looked_has_a_ring_the_own_a_broken_one() -> None:
    recent = (Recent(0, "21v", is_faint=True), Recent(0, "end", is_faint=True), Recent(1, "22p"), Recent(2, "40b"))
    wells = window(3).wells
    assert rings(TURN, recent=recent) == {wells[20]: "faint", wells[21]: "latest", wells[39]: "latest"}
    marks = [stamp.sprite.name.split()[1] for stamp in whose(TURN, recent=recent)]
    assert marks == ["2", "3"]
    text = alt_text(TURN.view(None), a_look(*NAMES[:3], recent=recent))
    assert "Latest crystal: well 22, by Benedikt. Latest crystal: well 40, by Chloé." in text
    swapped = (Recent(1, "22r"),)
    assert rings(TURN, recent=swapped) == {}, "another crystal is there by now"


def test_every_hex_that_changed_has_a_lit_edge_and_a_bright_name() -> None:
    for place in board(3).hexes:
        name = GRID.fields[place]
        bordered = any(content.startswith("changed") for content in within(TURN, name, 5))
        assert bordered == (TURN.hexes[place] != TURN.before[place]), name
        assert bordered == any(content.startswith("tag of a change") for content in within(TURN, name)), name
    assert TURN.hexes[GRID.number["d4"]] == NOTHING, "a hex that lost its colour is among them"
    edges = [part.fill for part in glass.changed(80).shapes if isinstance(part, Polygon)]
    for theme in Theme:
        known = colours(theme)
        for hue in ("", *crystals.HUE.values()):
            assert max(contrast(known[edge], known[glass.tone(hue)]) for edge in edges) >= 3, hue


def edges(state: State, recent: tuple[Recent, ...]) -> dict[str, str]:
    """Return the changed hexes with their edges: "changed" or "faint"."""
    board, stamps = (
        window(state.seats),
        [shape for shape in drawn(state, recent=recent).shapes if isinstance(shape, Stamp)],
    )
    found = {}
    for stamp in stamps:
        for part in stamp.sprite.shapes if stamp.sprite.name.startswith("hex ") else ():
            if isinstance(part, Stamp) and part.sprite.name.startswith(("changed", "faint change")):
                at = stamp.at[0] + part.at[0], stamp.at[1] + part.at[1]
                (place,) = (place for place, middle in board.hexes.items() if dist(middle, at) < 3)
                found[GRID.fields[place]] = part.sprite.name.split()[0]
    return found


def test_hexes_that_the_own_move_changed_have_a_broken_edge() -> None:
    """Of those that an answer changed before the latest one, the view knows nothing: the news do."""

    def placing(seat: int, action: str, *hexes: str, is_faint: bool = False) -> Recent:
        facts = [(f"hex{k}", name.upper()) for k, name in enumerate(hexes, 1)]
        facts += [(f"now{k}", f"lit.{TURN.hexes[GRID.number[name]]}") for k, name in enumerate(hexes, 1)]
        return Recent(seat, action, is_faint, tuple(facts))

    latest = {
        name: "changed" for name, new, old in zip(GRID.fields, TURN.hexes, TURN.before, strict=True) if new != old
    }
    lit = [name for name, colour in zip(GRID.fields, TURN.hexes, strict=True) if colour != NOTHING]
    mine, theirs, *_ = (name for name in lit if name not in latest)
    recent = placing(0, "1r", mine, *latest, is_faint=True), placing(1, "2r", theirs)
    assert latest
    assert edges(TURN, recent) == {mine: "faint", theirs: "changed", **latest}
    assert edges(TURN, ()) == latest
    reverted = Recent(0, "1r", is_faint=True, facts=(("hex1", mine.upper()), ("now1", "lit.none")))
    assert mine not in edges(TURN, (reverted,))
    assert not [word for word in within(TURN, mine) if word.startswith("tag of a change")]


@pytest.mark.parametrize("theme", Theme)
def test_a_broken_edge_is_thinner_and_visible_on_every_pane(theme: Theme) -> None:
    known, faint = colours(theme), glass.changed(80, theme, is_faint=True)
    dashes = [part for part in faint.shapes if isinstance(part, Polygon)]
    assert len(dashes) == 2 * 6 * 3
    for hue in ("", *crystals.HUE.values()):
        assert max(contrast(known[dash.fill], known[glass.tone(hue)]) for dash in dashes) >= 3, hue
    assert glass.DASHED[0] - glass.DASHED[1] < glass.LIT[0] - glass.LIT[1]


def whose(state: State, **facts: Any) -> list[Stamp]:
    """Return the marks of seats on the board."""
    names = [(stamp, stamp.sprite.name.split()) for stamp in drawn(state, **facts).shapes if isinstance(stamp, Stamp)]
    return [stamp for stamp, name in names if name[0] == "badge"]


def test_the_latest_crystal_has_the_mark_of_its_placer() -> None:
    placed = played("22p")
    for state, seat in ((placed, 1), (placed.play(GAME.parse(placed, "end")[0]), 1), (played("57r"), 1)):
        (mark,) = whose(state)
        assert mark.sprite.name.startswith(f"badge {seat + 1} {HUES[seat]}")
        assert "accent" in str(mark.sprite.shapes), "an owner's has a light edge"
        (x, y), board = mark.at, window(3)
        u, v = board.wells[(state.last or 0) - 1]
        assert hypot(x - u, y - v) < 50
    assert not whose(GAME.start(3, None, 1))


def test_a_holder_at_the_latest_crystal_replaces_the_placers_mark() -> None:
    held = played("22p hold")
    assert not whose(held)
    assert "holder's 2 orange" in {name for name, _ in own(held, "c5")}


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_mark_of_a_well_that_can_be_chosen_keeps_off_its_number(seats: int) -> None:
    board = window(seats)
    look = replace(a_look(*NAMES[:seats]), choices=tuple(str(well + 1) for well in board.wells))
    rings = [stamp for stamp in DRAWER.marks(GAME.start(seats, None, 1), look) if isinstance(stamp, Stamp)]
    for colour in COLOURS:
        text = crystals.number(colour, 46, (0, 0), board.size.crystal)
        far = abs(text.at[1]) + text.size * CAPITAL / 2, width(text.text, text.size, text.bold) / 2 - 1
        for ring in rings:
            if ring.sprite.name == "choice":
                pens = [part for part in ring.sprite.shapes if isinstance(part, Line)]
                inner = min(hypot(*point) - part.width / 2 for part in pens for point in part.points)
                assert hypot(*far) <= inner + 1, (colour, text.text)


def test_the_marks_of_several_placers_cover_none_of_each_other() -> None:
    board, luck = window(6), Random(4)
    full = tuple("r" if well in board.wells else NOTHING for well in range(72))
    state = replace(GAME.start(6, None, 1), crystals=full)
    for first in board.wells:
        near = sorted(board.wells, key=lambda well: dist(board.wells[first], board.wells[well]))
        wells = luck.sample(near[:10], 5)
        marks = whose(state, recent=tuple(Recent(seat, f"{well + 1}r") for seat, well in enumerate(wells)))
        assert len(marks) == len(wells)
        for one, other in combinations(marks, 2):
            assert hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]) >= 26, wells


@pytest.mark.parametrize("seats", [3, 6])
def test_the_placers_mark_hides_no_number(seats: int) -> None:
    start, board = GAME.start(seats, None, 1), window(seats)
    full = tuple("r" if well in board.wells else NOTHING for well in range(72))
    for crystals_lying in (start.crystals, full):
        for well in board.wells:
            state = replace(start, crystals=crystals_lying, last=well + 1)
            (mark,) = whose(state)
            for other, at in board.wells.items():
                number = crystals.number(crystals_lying[other], other + 1, at, board.size.crystal)
                wide = width(number.text, number.size, number.bold) / 2
                x, y = abs(mark.at[0] - number.at[0]), abs(mark.at[1] - number.at[1])
                assert hypot(max(0, x - wide), max(0, y - 9)) >= mark.sprite.reach[0] - 5.5, (well, other)


def test_wells_have_one_size_and_contrast_with_the_board() -> None:
    for size in (SMALL, LARGE):
        ring = crystals.empty(size.crystal).shapes[-1]
        assert isinstance(ring, Disc)
        assert ring.radius >= 21
        for theme in Theme:
            known = colours(theme)
            assert contrast(known[ring.line], known[ring.fill]) >= 3


@pytest.mark.parametrize("name", ["c4", "c5", "b4"])
def test_marks_of_the_last_turn_are_under_pieces_and_names(name: str) -> None:
    contents = [word for word, _ in own(TURN, name)]
    marks = [k for k, word in enumerate(contents) if word.startswith(("latest", "changed"))]
    above = [k for k, word in enumerate(contents) if word.startswith(("crystal", "well")) or word.lower() == name]
    assert marks
    assert max(marks) < min(above)


def test_the_lit_edge_of_a_hex_is_seen_between_six_crystals() -> None:
    full = {str(well + 1): "rygbpv"[k % 6 if k % 7 else 0] for k, well in enumerate(board(3).wells)}
    state = played("", crystals=full, before={}, last=None, players=bare(3))
    inner = [place for place in board(3).hexes if set(WELLS_OF[place]) <= set(board(3).wells)]
    place = next(place for place in inner if state.hexes[place] != NOTHING)
    (x, y), radius = window(3).hexes[place], window(3).size.radius
    shown = pixels(painter(Theme.DARK).paint(drawn(state)))
    around = shown.crop((round(x - radius), round(y - radius), round(x + radius), round(y + radius)))
    bright = colours(Theme.DARK)["paper"]
    visible = sum(count for count, colour in around.getcolors(1 << 20) or () if colour == bright)
    assert visible >= 6 * 12 * 15, "twelve by fifteen pixels of each side"


@pytest.mark.parametrize("theme", Theme)
def test_marks_of_the_last_turn_are_visible_on_every_pane(theme: Theme) -> None:
    """Either the accent or the line around it has enough contrast."""
    known = colours(theme)
    assert contrast(known["accent"], known["ink"]) >= 3
    for ground in ["ground", *(glass.tone(hue) for hue in ("", *crystals.HUE.values()))]:
        assert max(contrast(known[pen], known[ground]) for pen in ("accent", "ink")) >= 3, ground


def test_mirrors_and_glasses_are_between_well_and_hex_with_their_seats_number() -> None:
    board = window(3)
    for name, kind, seat, well in (("c4", "mirror", 1, 21), ("d4", "glass", 1, 34), ("c3", "mirror", 2, 27)):
        x, y = dict(own(TURN, name))[f"{kind} {seat + 1} {HUES[seat]} upright"]
        (u, v), (hex_x, hex_y) = board.wells[well - 1], board.hexes[GRID.number[name]]
        away = hypot(u - hex_x, v - hex_y)
        assert abs(x * (v - hex_y) - y * (u - hex_x)) / away <= 2, "on the line"
        assert away / 3 < hypot(x, y) < away * 0.7
    for kind, sign in (("mirror", "2"), ("glass", "0")):
        for upright in (True, False):
            sprite = tokens.token(kind, 3, "teal", upright)
            assert [part.text for part in sprite.shapes if isinstance(part, Text)] == ["4", "×", sign]


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("signed", [True, False])
def test_tokens_keep_off_the_names_of_hexes_and_the_numbers_of_wells(size: Size, signed: bool) -> None:
    wells = Hexes((0, 0), size.radius).corners((0, 0))
    high = crystals.NUMBER * 0.729
    for corners in [(), *combinations(range(6), 1), *combinations(range(6), 2)]:
        name = naming(size, signed, corners)
        boxes = [shifted(box, name.away) for box in name.boxes]
        for token in (token_at(size, number).box for number in corners):
            assert not any(overlap(box, token) for box in boxes), (corners, name)
            for x, y in wells:
                number = crystals.number("r", 46, (x, y), size.crystal)
                wide = width(number.text, number.size)
                left, top = number.at[0] - wide / 2, number.at[1] - high / 2
                assert not overlap((left, top, left + wide, top + high), token), corners


def shifted(box: Rectangle, by: tuple[float, float]) -> Rectangle:
    return box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1]


def overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_a_mirror_shines_in_the_colour_of_its_crystal_and_a_glass_is_dull() -> None:
    assert any(content.startswith("ray violet.pale violet.light 5") for content, _ in own(TURN, "c4"))
    assert any(content.startswith("ray stone white.dark 1") for content, _ in own(TURN, "d4"))


def test_a_holder_is_a_frame_round_its_crystal() -> None:
    contents = dict(own(EXAMPLE, "c4"))
    (u, v), (x, y) = window(3).wells[20], window(3).hexes[GRID.number["c4"]]
    assert "holder's 1 teal" in contents
    assert contents[f"holder 1 teal {SMALL.crystal:g}"] == (u - x, v - y)


def test_no_crystal_covers_the_number_of_a_holder() -> None:
    for place in tiles(3):
        contents = [word.split()[0] for word, _ in own(EXAMPLE, GRID.fields[place])]
        if "holder's" in contents:
            assert "gem" not in contents[contents.index("holder's") :], GRID.fields[place]


@pytest.mark.parametrize("theme", Theme)
def test_lettering_can_be_read_on_every_pane_and_crystal(theme: Theme) -> None:
    known = colours(theme)
    for hue in crystals.HUE.values():
        for ground in (glass.tone(hue), hue):
            assert contrast(known[on(ground, theme)], known[ground]) >= 4.5, ground


def whole(state: State) -> Scene:
    """Return the board as if there were no tiles."""
    board, hues = window(state.seats), list(HUES[: state.seats])
    middle = board.frame.size[0] // 2, board.frame.size[1] // 2
    panes, wells = board_window._panes(state, a_look(), hues), board_window._wells(state, a_look(), hues)
    lying = {well: wells[well] for well in board.wells}
    shapes = tuple(board_window.drawn(board, panes, lying, middle, Theme.DARK))
    return Scene(board.frame.size, (), (Stamp(Sprite("whole", middle, shapes, "ground"), middle),))


@pytest.mark.parametrize("name", ["two", "five", "six-full", "rules-5"])
def test_the_tiles_together_are_the_board(name: str) -> None:
    state = position(name)
    put_together, drawn_whole = (
        pixels(painter(Theme.DARK).paint(scene)).convert("RGB").reduce(6) for scene in (board_of(state), whole(state))
    )
    # Edges may be smoothed differently between overlapping panes; no part is missing.
    channels = ImageChops.difference(put_together, drawn_whole).split()
    assert all(channel.point([0] * 24 + [255] * 232).getbbox() is None for channel in channels)


def test_only_tiles_that_differ_from_the_empty_board_are_painted() -> None:
    for state, most in ((GAME.start(6, None, 1), 15), (FULL, 37)):
        names = [shape.sprite.name for shape in drawn(state).shapes if isinstance(shape, Stamp)]
        assert 7 <= len([name for name in names if name.startswith("hex ")]) <= most


# --- Round the board --------------------------------------------------------------------------------------------------


def test_the_round_and_the_remaining_cards_of_the_decks_are_shown() -> None:
    texts = [shape.text for shape in corner(EXAMPLE, "round") if isinstance(shape, Text)]
    assert texts == ["↻ 4", "3", "2"]


def supply(state: State) -> dict[str, Sprite]:
    """Return the places of the supply by colour."""
    sprites = [shape.sprite for shape in drawn(state).shapes if isinstance(shape, Stamp)]
    return {sprite.name.split()[1][0]: sprite for sprite in sprites if sprite.name.startswith("supply")}


def test_the_supply_counts_crystals_with_signs_for_scarce_and_used_up_ones() -> None:
    crystals = {str(well + 1): "r" for well in board(3).wells[:18]} | {"52": "v", "53": "v", "62": "y"}
    state = played("", crystals=crystals, before={}, last=None, players=bare(3))
    counts = {
        colour: (shape.text, shape.colour)
        for colour, sprite in supply(state).items()
        for shape in sprite.shapes
        if isinstance(shape, Text)
    }
    full = dict.fromkeys("gbp", ("18", "text"))
    assert counts == {"r": ("0", "warn"), "y": ("17", "text"), "v": ("16", "text"), **full}
    crossed = [colour for colour, sprite in supply(state).items() if any(isinstance(s, Line) for s in sprite.shapes)]
    assert crossed == ["r"]
    scarce = [part for sprite in supply(FULL).values() for part in sprite.shapes if isinstance(part, Text)]
    assert [shape.text for shape in scarce if shape.colour == "warn"] == ["2", "1"]


def bare(seats: int) -> list[dict[str, Any]]:
    tools = {"holder": "none", "mirror": "none", "glass": "none"}
    return [{"score": 1, "limit": 3, "hand": [], "done": [], "tools": tools}] * seats


def test_the_price_of_a_swap_is_shown() -> None:
    for state, cost in ((EXAMPLE, "1"), (FULL, "0")):
        assert cost in [shape.text for shape in corner(state, "swap") if isinstance(shape, Text)]


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_corners_cover_neither_hexes_nor_wells(seats: int, lang: str) -> None:
    state, near = GAME.start(seats, None, 1), window(seats)
    corners = [stamp for stamp in drawn(state, lang=lang).shapes if isinstance(stamp, Stamp)]
    corners = [stamp for stamp in corners if stamp.sprite.name.split()[0] in ("round", "now", "swap", "goal")]
    assert len(corners) == 4
    for stamp in corners:
        # The lines of a corner, without the room above the goal for the number of turns.
        for part in stamp.sprite.shapes:
            (x, y), half = (stamp.at[0] + part.at[0], stamp.at[1] + part.at[1]), 17.0  # type: ignore[union-attr]
            left, right = x - half, x + half
            if isinstance(part, Text):
                wide = width(part.text, part.size, part.bold)
                left = x - wide if part.align == "right" else x
                right, half = left + wide, part.size / 2
            for middle in near.hexes.values():
                corners_of = Hexes(middle, near.size.radius + glass.FRAME).corners((0, 0))
                assert not any(inside((at, y + by), corners_of) for at in (left, right) for by in (-half, half)), part
            for u, v in near.wells.values():
                away = hypot(max(left - u, 0, u - right), max(abs(v - y) - half, 0))
                assert away > 36 * near.size.crystal, (stamp.sprite.name, part)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_price_goal_and_due_action_are_in_the_chats_language(lang: str) -> None:
    start = GAME.start(3, None, 1)
    placed = start.play(next(action for action in start.actions() if "17" in str(action)))
    words_of = {"en": {"swap", "goal"}, "de": {"Tausch", "Ziel"}}[lang]
    assert words_of <= {part.text for part in parts(drawn(start, lang=lang).shapes) if isinstance(part, Text)}
    for state, stage in ((start, 0), (placed, 1), (replace(placed, stage=Stage.TASKS), 2)):
        (now,) = [
            shape
            for shape in drawn(state, lang=lang).shapes
            if isinstance(shape, Stamp) and shape.sprite.name.startswith("now")
        ]
        mark, word = now.sprite.shapes
        assert isinstance(mark, Stamp)
        assert isinstance(word, Text)
        assert mark.sprite.name.startswith(f"badge 1 {HUES[0]}")
        expected = {"en": ("crystal", "tools", "tasks"), "de": ("Kristall", "Werkzeug", "Aufträge")}
        assert word.text == expected[lang][stage]
    assert not [shape for shape in drawn(position("rules-7")).shapes if "now" in str(shape)]


def test_the_number_of_turns_left_is_shown_once_the_end_is_fixed() -> None:
    last = position("last-round")
    for state, expected in (
        (last, ["goal", "10", "⚑ 2"]),
        (EXAMPLE, ["goal", "15"]),
        (position("rules-7"), ["goal", "10"]),
    ):
        assert [shape.text for shape in corner(state, "goal") if isinstance(shape, Text)] == expected


# --- The seats --------------------------------------------------------------------------------------------------------


def jewels(state: State, seat: int) -> tuple[int, int]:
    """Return the numbers of lit jewels and of all jewels on a plate."""
    (name,) = [content for content in plate(state, seat) if content.startswith("jewels")]
    lit, goal = name.split()[-1].split("/")
    stamps = [part for part in plate_of(state, seat).shapes if isinstance(part, Stamp)]
    (sprite,) = [stamp.sprite for stamp in stamps if "jewels" in str(stamp)]
    gems = [part for part in sprite.shapes if isinstance(part, Polygon)]
    outlined = sum(part.line == "text" for part in gems)
    assert (outlined, outlined + sum(part.line == "muted" for part in gems)) == (int(lit), int(goal))
    return int(lit), int(goal)


def plate_of(state: State, seat: int) -> Sprite:
    (sprite,) = [
        shape.sprite
        for shape in drawn(state).shapes
        if isinstance(shape, Stamp) and shape.sprite.name == f"plate {seat + 1}"
    ]
    return sprite


def test_a_plate_shows_a_race_of_jewels_towards_the_goal() -> None:
    for state in (EXAMPLE, FULL, position("last-round")):
        for seat, player in enumerate(state.players):
            assert str(player.score) in plate(state, seat)
            assert jewels(state, seat) == (min(player.score, state.goal), state.goal)


def test_a_finished_orange_card_fills_the_seal_with_its_number() -> None:
    for state in (EXAMPLE, FULL):
        for seat, player in enumerate(state.players):
            assert f"seal {player.oranges}" in plate(state, seat)
    assert "fill=''" in str(tokens.seal(0).shapes[0])
    assert [part.text for part in tokens.seal(3).shapes if isinstance(part, Text)] == ["3"]


def test_a_plate_shows_the_three_tools() -> None:
    assert [content for content in plate(TURN, 1) if content.split()[0] in ("holder", "mirror", "glass")] == [
        "holder ready",
        "mirror used",
        "glass used",
    ]
    assert "glass none" in plate(TURN, 2)


def test_a_plate_shows_the_hand_as_one_back_of_each_deck_with_a_number() -> None:
    for state in (EXAMPLE, FULL):
        for seat, player in enumerate(state.players):
            backs = [content for content in plate(state, seat) if content.startswith("hand")]
            counts = Counter(card.back for card in player.hand)
            assert sorted(backs) == sorted(f"hand {deck} {count}" for deck, count in counts.items())
    assert not any(text in BACK for text in words(drawn(EXAMPLE)))


def test_the_place_of_a_tool_is_empty_bright_if_ready_or_dim_if_on_the_board() -> None:
    for name in ("holder", "mirror", "glass"):
        none, ready, used = (tokens.tool(name, state).shapes for state in ("none", "ready", "used"))
        slots = [shapes[0] for shapes in (none, ready, used)]
        looks = [(slot.fill, slot.line, slot.size) for slot in slots if isinstance(slot, Box)]
        wide = looks[0][2]
        assert looks == [("", "muted", wide), ("text", "text", wide), ("panel.line", "", wide)]
        assert len(none) == 1
        assert len(ready) == len(used) > 1
    for name, sign in (("mirror", "×2"), ("glass", "×0")):
        for state in ("ready", "used"):
            assert "".join(part.text for part in tokens.tool(name, state).shapes if isinstance(part, Text)) == sign


@pytest.mark.parametrize("seats", [3, 6])
@pytest.mark.parametrize("tools", [Tools("ready", "ready", "ready"), Tools("28", "21:c4", "34:d4")])
def test_everything_on_a_full_plate_has_room(tools: Tools, seats: int) -> None:
    """The plate has a hand of four, more than nine finished orange cards, and leads with two digits."""
    start = FULL if seats == 6 else EXAMPLE
    done = tuple(Done(card, "a") for card in list(BACK) if card.startswith("o"))[:12]
    player = replace(start.players[1], done=done, tools=tools, score=28, hand=FULL.players[1].hand)
    state = replace(start, players=(start.players[0], player, *start.players[2:]))
    sprite, lines = plate_of(state, 1), dict[float, list[Stamp | Text]]()
    for shape in sprite.shapes:
        if isinstance(shape, Stamp | Text):
            lines.setdefault(round(shape.at[1] / sprite.reach[1] * 2), []).append(shape)
    names = [
        [part.sprite.name.split()[0] if isinstance(part, Stamp) else "word" for part in row] for row in lines.values()
    ]
    assert names == [["badge", "word"], ["word", "jewels"], ["holder", "mirror", "glass", "seal", "hand", "hand"]]
    for row in lines.values():
        reach = sorted(sides(part) for part in row)
        assert all(end <= begin + 1 for (_, end), (begin, _) in pairwise(reach)), row
        assert -sprite.reach[0] + 3 <= reach[0][0] < reach[-1][1] <= sprite.reach[0] - 3


def sides(part: Stamp | Text) -> tuple[float, float]:
    """Return the left and right end of a sign, or of a word in its room."""
    if isinstance(part, Stamp):
        return part.at[0] - part.sprite.reach[0], part.at[0] + part.sprite.reach[0]
    wide = min(width(part.text, part.size, part.bold), part.room or 999)
    return (part.at[0] - wide, part.at[0]) if part.align == "right" else (part.at[0], part.at[0] + wide)


def test_a_seat_without_cards_has_an_empty_hand() -> None:
    state = played("", players=bare(3), before={}, crystals={}, last=None)
    assert not [content for content in plate(state, 0) if content.startswith("hand ")]


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_mark_of_a_seat_is_whole_in_its_plate_and_no_row_overlaps_it(seats: int) -> None:
    scene = drawn(GAME.start(seats, seed=7))
    plates = {stamp.sprite.name: stamp for stamp in scene.shapes if isinstance(stamp, Stamp) and "plate" in str(stamp)}
    for seat in range(1, seats + 1):
        plate = plates[f"plate {seat}"]
        (mark,) = [stamp for stamp in plate.sprite.shapes if isinstance(stamp, Stamp) and "badge" in stamp.sprite.name]
        top, bottom = ends(mark)
        assert -plate.sprite.reach[1] < top
        row = plates.get(f"plate {seat} row 1")
        limit = plate.sprite.reach[1] if row is None else row.at[1] - row.sprite.reach[1] - plate.at[1]
        assert bottom <= limit


def ends(mark: Stamp) -> tuple[float, float]:
    """Return the upper and lower end of a seat's mark."""
    (outline,) = [shape for shape in mark.sprite.shapes if not isinstance(shape, Text)]
    match outline:
        case Polygon(points):
            reach = [y for _, y in points]
        case Disc(at, radius):
            reach = [at[1] - radius, at[1] + radius]
        case Box(at, size):
            reach = [at[1], at[1] + size[1]]
        case _:
            raise AssertionError(outline)
    return mark.at[1] + min(reach), mark.at[1] + max(reach)


def test_the_winner_wears_the_crown_and_the_house_its_sign() -> None:
    ended = Outcome(FULL.standing(), (4,), "ended")
    look = Look(tuple(SeatLook(name, house=name == "Finn") for name in NAMES), ended=ended)
    plain, shown = drawn(FULL), DRAWER.scene(FULL.view(None), look)

    def polygons(scene: Scene, seat: int) -> int:
        (ground,) = [
            stamp for stamp in scene.shapes if isinstance(stamp, Stamp) and stamp.sprite.name == f"plate {seat + 1}"
        ]
        return len(ground.sprite.shapes)

    assert polygons(shown, 3) == polygons(plain, 3)
    assert polygons(shown, 5) == polygons(plain, 5) + 2
    # The actor's pointer is gone; the crown and a light ground are new.
    assert polygons(shown, 4) == polygons(plain, 4) + 1
    assert picture(FULL.view(None), look) != picture(FULL.view(None), a_look())


def test_at_small_tables_no_seat_has_the_colour_of_a_crystal() -> None:
    assert len(set(HUES)) == 6
    assert not set(HUES[:4]) & set(crystals.HUE.values())


# --- A hand -----------------------------------------------------------------------------------------------------------

HAND = position("rules-6")


def shown_hand(state: State, seat: int) -> Scene:
    scene = DRAWER.hand(state.view(seat), seat, a_look())
    assert scene is not None
    return scene


def test_every_card_has_its_position_and_both_tasks_with_label_and_reward() -> None:
    assert HAND.actor is not None
    scene = shown_hand(HAND, HAND.actor)
    texts = [shape.text for shape in scene.shapes if isinstance(shape, Text)]
    for number, card in enumerate(HAND.players[HAND.actor].hand, 1):
        assert str(number) in texts
        assert card.id is not None
        for name in "ab":
            assert f"{number}{name}".upper() in [text.removesuffix(" ✓") for text in texts]
            assert f"+{task(card.id, name).reward}" in texts


def test_a_task_that_is_on_the_board_is_marked_with_its_hexes() -> None:
    assert HAND.actor is not None
    texts = [shape.text for shape in shown_hand(HAND, HAND.actor).shapes if isinstance(shape, Text)]
    claims = {action.parts[1].upper() for action in HAND.actions() if action.parts[0] == "claim"}
    assert {text[:2] for text in texts if text.endswith("✓")} == claims
    assert len([text for text in texts if len(text.split()) > 2]) == len(claims)


def test_the_marks_follow_every_action() -> None:
    before, after = played("22p"), played("57r")
    marked = [
        {shape.text for shape in shown_hand(state, 1).shapes if isinstance(shape, Text) and shape.text.endswith("✓")}
        for state in (before, after)
    ]
    assert marked == [{"2A ✓"}, {"1A ✓"}]


def test_a_pattern_has_hexes_and_crystals_at_their_corners() -> None:
    wanted = task("o07", "a")
    pattern = fitted(wanted, Area(0, 0, 220, 220))
    assert [colour for _, colour in pattern.hexes] == ["r", "g", "v"]
    assert [colour for _, colour in pattern.crystals] == ["g", "v"]
    for (x, y), _ in pattern.crystals:
        near = [((x - u) ** 2 + (y - v) ** 2) ** 0.5 for (u, v), _ in pattern.hexes]
        assert sum(abs(away - pattern.radius) < 0.1 for away in near) >= 2


@pytest.mark.parametrize("card", BACK)
def test_every_pattern_fits_on_its_card(card: str) -> None:
    room = Area(10, 20, 200, 210)
    for name in "ab":
        pattern = fitted(task(card, name), room)
        assert pattern.radius >= 30
        for (x, y), _ in pattern.hexes:
            assert room.x - 1 <= x - pattern.radius * 0.866 <= x + pattern.radius * 0.866 <= room.right + 1
            assert room.y - 1 <= y - pattern.radius <= y + pattern.radius <= room.bottom + 1


def pictures_of(state: State, theme: Theme) -> Iterator[Scene]:
    """Yield the board of *state*, and for every seat its own view and its hand."""
    yield drawn(state, theme=theme)
    for seat in range(state.seats):
        look = a_look(*NAMES[: state.seats], theme=theme, hand=seat)
        yield DRAWER.scene(state.view(seat), look)
        yield DRAWER.hand(state.view(seat), seat, look) or drawn(state)


def outline_of(sprite: Sprite, at: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """Return the outline of a crystal with its setting, or of a sign, with points along its edges."""
    shape = sprite.shapes[-1 if sprite.name.startswith("sign") else 0]
    assert isinstance(shape, Polygon)
    (x, y), pairs = at, pairwise((*shape.points, shape.points[0]))
    return tuple((x + a + (c - a) * k / 5, y + b + (d - b) * k / 5) for (a, b), (c, d) in pairs for k in range(5))


def covered(shapes: tuple[AnyShape, ...]) -> list[tuple[str, str]]:
    """Return the signs and crystals over which a crystal is painted later, each with that crystal."""
    stamps = [shape for shape in shapes if isinstance(shape, Stamp)]
    figures = [stamp for stamp in stamps if stamp.sprite.name.split()[0] in ("sign", "gem")]
    hidden = []
    for below, above in combinations(figures, 2):
        far = hypot(above.at[0] - below.at[0], above.at[1] - below.at[1])
        if above.sprite.name.startswith("gem") and far < max(above.sprite.reach) + max(below.sprite.reach):
            one, other = outline_of(below.sprite, below.at), outline_of(above.sprite, above.at)
            if any(inside(point, other) for point in one) or any(inside(point, one) for point in other):
                hidden.append((below.sprite.name, above.sprite.name))
    return hidden


def covered_signs(scene: Scene) -> list[tuple[str, str]]:
    """Return the covered signs in every tile of a board, which shows all crystals that are near, and the covered signs
    and crystals of patterns."""
    tiles = [shape for shape in scene.shapes if isinstance(shape, Stamp) and shape.sprite.name.startswith("hex ")]
    on_board = [pair for tile in tiles for pair in covered(tile.sprite.shapes) if pair[0].startswith("sign")]
    return on_board + covered(scene.shapes)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.stem))
def test_no_crystal_covers_a_sign_or_another_crystal_of_a_pattern(source: Path) -> None:
    state = GAME.decode(source.read_bytes())
    assert not [pair for scene in pictures_of(state, Theme.DARK) for pair in covered_signs(scene)]


def test_no_crystal_covers_a_sign_in_random_positions() -> None:
    for seed, seats in enumerate(GAME.seats):
        state, luck = GAME.start(seats, None, seed), Random(seed)
        for step in range(150):
            if state.actor is None:
                break
            wanted = [action for action in state.actions() if action.parts[0] in ("mirror", "glass", "claim", "buy")]
            state = state.play(luck.choice(wanted or state.actions()))
            if step % 50 == 49:
                assert not [pair for scene in pictures_of(state, Theme.DARK) for pair in covered_signs(scene)]


@pytest.mark.parametrize(("wide", "low"), [(98, True), (64, True), (145, True), (290, False)])
def test_the_crystals_of_every_pattern_reach_their_corners_and_cover_no_sign(wide: float, low: bool) -> None:
    for card in BACK:
        for name in "ab":
            pattern = fitted(task(card, name), Area(0, 0, wide, 91 if low else 240), 36 if low else 46, low=low)
            shapes = tuple(cards.drawn(pattern, Theme.DARK, plain=low))
            assert not covered(shapes), (card, name)
            for (x, y), ((u, v), _) in zip(pattern.gems, pattern.crystals, strict=True):
                assert hypot(x - u, y - v) <= 1.1 * crystals.GEM * pattern.size, (card, name)
            for (x, y), ((u, v), _) in zip(pattern.signs, pattern.hexes, strict=True):
                assert hypot(x - u, y - v) + pattern.reach <= pattern.radius, (card, name)


@pytest.mark.parametrize("theme", Theme)
def test_the_crystals_of_patterns_are_large_enough_for_the_contrast_of_their_edges(theme: Theme) -> None:
    """The light edge of a crystal is at least a pixel and a half wide; together with the dark one it contrasts."""
    known = colours(theme)
    for colour, hue in crystals.HUE.items():
        setting, facet, *_ = crystals.gem(colour, cards.LOW_CRYSTAL).shapes
        assert isinstance(setting, Polygon)
        assert isinstance(facet, Polygon)
        assert (1 - crystals.FACE.get(colour, crystals.BEVELLED)) * crystals.GEM * cards.LOW_CRYSTAL >= 1.2
        for ground in (glass.tone(other) for other in crystals.HUE.values()):
            assert max(contrast(known[pen], known[ground]) for pen in (setting.fill, facet.fill)) >= 3, (hue, ground)


def test_a_hand_is_shown_to_its_seat_only() -> None:
    for viewer in (0, 1, 2, None):
        for seat in range(3):
            shown = hand(EXAMPLE.view(viewer), seat, a_look())
            assert (shown is not None) == (viewer == seat)
            assert (hand_text(EXAMPLE.view(viewer), seat, a_look()) is not None) == (viewer == seat)


def test_the_board_of_a_view_shows_no_hand() -> None:
    assert DRAWER.scene(EXAMPLE.view(1), a_look()) == DRAWER.scene(EXAMPLE.view(None), a_look())
    assert alt_text(EXAMPLE.view(1), a_look()) == alt_text(EXAMPLE.view(None), a_look())


OWN = a_look(*NAMES[:3], hand=1)


def texts(scene: Scene) -> list[str]:
    return [shape.text for shape in scene.shapes if isinstance(shape, Text)]


def test_a_seats_own_view_shows_its_cards_under_the_board_with_claims() -> None:
    state = played("22p")
    plain, scene = DRAWER.scene(state.view(1), a_look()), DRAWER.scene(state.view(1), OWN)
    assert [shape for shape in scene.shapes if "hex" in str(shape)] == [
        shape for shape in plain.shapes if "hex" in str(shape)
    ]
    assert scene.still == plain.still
    lettering = texts(scene)
    assert {"1A", "1B", "2A ✓", "2B", "3A", "3B"} <= set(lettering)
    assert [text for text in lettering if text in ("D4", "E3", "E4")] == ["D4", "E3", "E4"], "its hexes"
    framed = [shape for shape in scene.shapes if isinstance(shape, Box) and shape.line == "text"]
    assert len(framed) == 1
    area = own_cards.tasks(state.view(1), 1)["2a"].inset(5)
    assert (framed[0].at, framed[0].size) == ((area.x, area.y), (area.width, area.height))


def test_no_other_view_shows_a_hand_beside_the_board() -> None:
    for viewer in (0, 2, None):
        assert DRAWER.scene(EXAMPLE.view(viewer), OWN) == DRAWER.scene(EXAMPLE.view(viewer), a_look(*NAMES[:3]))
        assert alt_text(EXAMPLE.view(viewer), OWN) == alt_text(EXAMPLE.view(viewer), a_look(*NAMES[:3]))
        assert not [part for part in spots(EXAMPLE.view(viewer), OWN) if part.endswith(("1a", "1b"))]


def test_a_seats_own_view_has_words_with_its_claims() -> None:
    text = alt_text(played("22p").view(1), OWN)
    assert text.startswith(
        "Round 4. Benedikt may use tools, claim tasks or end the turn. Latest crystal: well 22, by Benedikt."
    )
    assert "2a (+1): 1 yellow, 2 green right of 1" in text
    assert "Complete: d4 e3 e4." in text
    assert "Benedikt: 6/15 points, done 1 blue 0 orange, holder, mirror." in text
    assert "Chloé" not in text


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.stem))
def test_ones_own_view_fits_a_post(source: Path, theme: Theme) -> None:
    state = GAME.decode(source.read_bytes())
    seat = state.actor or 0
    data = picture(state.view(seat), a_look(*NAMES[: state.seats], theme=theme, hand=seat))
    wide, high = struct.unpack(">2L", data[16:24])
    assert high <= 0.9 * wide
    assert len(data) <= (90 if state.seats > 4 else 80) * 1000


def test_a_card_just_drawn_that_is_not_known_shows_its_back() -> None:
    """An action that is tried on a view has this result."""
    known = played("22p").view(1)
    (claim,) = GAME.parse(known, "claim2a>blue")
    scene = DRAWER.hand(known.play(claim), 1, a_look())
    assert scene is not None
    assert "2A" not in [shape.text for shape in scene.shapes if isinstance(shape, Text)]
    text = hand_text(known.play(claim), 1, a_look())
    assert text is not None
    assert "2a" not in text


def test_the_emblem_is_a_little_window_of_all_six_colours() -> None:
    shapes = DRAWER.emblem().shapes
    assert set(crystals.HUE.values()) <= {shape.fill for shape in shapes if isinstance(shape, Polygon)}
    assert all(hypot(*point) <= 24 for shape in shapes if isinstance(shape, Polygon) for point in shape.points)


# --- Spots ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", GAME.seats)
def test_every_well_and_every_hex_in_play_has_a_spot_with_its_name_in_it(seats: int) -> None:
    state = GAME.start(seats, None, 1)
    places, scene = spots(state, a_look()), board_of(state)
    names = {}
    for stamp in scene.shapes:
        assert isinstance(stamp, Stamp)
        for text in stamp.sprite.shapes:
            if isinstance(text, Text):
                names[text.text.lower()] = stamp.at[0] + text.at[0], stamp.at[1] + text.at[1]
    in_play = board(seats)
    for part in [str(well + 1) for well in in_play.wells] + [GRID.fields[place] for place in in_play.hexes]:
        assert inside(names[part], places[part]), part
        (x, y), (u, v) = centre(places[part]), names[part]
        assert hypot(x - u, y - v) < 17, part
    assert set(places) == {*map(str, (well + 1 for well in in_play.wells)), *COLOURS, "blue", "orange"} | {
        GRID.fields[place] for place in in_play.hexes
    }


@pytest.mark.parametrize("state", [EXAMPLE, FULL])
def test_colours_and_decks_have_spots_at_their_counts(state: State) -> None:
    places, scene = spots(state, a_look()), drawn(state)
    for part in (*COLOURS, "blue", "orange"):
        sprites = f"gem {crystals.HUE.get(part, part)}", f"back {part}"
        lying = [
            shape
            for stamp in scene.shapes
            if isinstance(stamp, Stamp) and stamp.sprite.name.split()[0] in ("round", "supply")
            for shape in stamp.sprite.shapes
            if isinstance(shape, Stamp)
            and shape.sprite.name.startswith(sprites)
            and inside((stamp.at[0] + shape.at[0], stamp.at[1] + shape.at[1]), places[part])
        ]
        assert len(lying) == 1, part
        xs, ys = zip(*places[part], strict=True)
        assert min(max(xs) - min(xs), max(ys) - min(ys)) >= 44


def test_tasks_have_spots_on_the_seats_own_cards() -> None:
    for seats, seat in ((3, 1), (6, 4)):
        state = EXAMPLE if seats == 3 else FULL
        look = a_look(hand=seat)
        places, scene = spots(state.view(seat), look), DRAWER.scene(state.view(seat), look)
        for number in range(1, len(state.players[seat].hand) + 1):
            for name in "ab":
                (label,) = [
                    shape
                    for shape in scene.shapes
                    if isinstance(shape, Text) and shape.text.removesuffix(" ✓") == f"{number}{name}".upper()
                ]
                assert inside(label.at, places[f"{number}{name}"])


def test_a_marked_label_keeps_off_its_reward() -> None:
    """Each of four cards beside the board has little room."""
    attempt = puzzles.begin(puzzles.puzzle(334))
    assert isinstance(attempt.state, State)
    state = attempt.state.play(GAME.parse(attempt.state, "46r")[0])
    shapes = DRAWER.scene(state, a_look(hand=attempt.puzzle.seat)).shapes
    at = next(n for n, shape in enumerate(shapes) if isinstance(shape, Text) and shape.text.endswith("✓"))
    chip, reward = shapes[at - 1], next(shape for shape in shapes[at + 1 :] if isinstance(shape, Text))
    assert isinstance(chip, Box)
    assert reward.text[0] == "+"
    assert reward.at[0] - width(reward.text, reward.size) - chip.at[0] - chip.size[0] >= 4


# --- In words ---------------------------------------------------------------------------------------------------------


def test_the_words_give_the_actor_and_the_whole_board() -> None:
    text = alt_text(TURN.view(None), a_look())
    assert text.startswith(
        "Round 4. Benedikt may use tools, claim tasks or end the turn. Latest crystal: well 22, by Benedikt."
    )
    assert "yellow 14 33 57; green 27 34 41; blue 40; pink 22 39 45; violet 21 46 52 63." in text
    assert "Changed (before): b4 –, c4 green, c5 –, d4 green." in text
    assert "Benedikt 1/15, 3, 1+0, holder, mirror 21:c4, glass 34:d4." in text
    key = "Players: points/goal, cards in hand, done (blue+orange), tools."
    assert text.index(key) < text.index("Benedikt 1/15")
    assert "A swap costs 1. Decks: 3 blue, 2 orange." in text


def test_all_three_tools_in_hand_are_one_phrase() -> None:
    assert "Anna 14/20, 4, 7+4, all tools." in alt_text(FULL.view(None), a_look())


def test_the_words_give_the_end() -> None:
    assert "2 turns are left." in alt_text(position("last-round").view(None), a_look())
    over = position("rules-7")
    assert over.outcome is not None
    assert alt_text(over.view(None), a_look()).startswith("The game is over: ")
    ended = Outcome((0, 0, 0), (), "ended")
    assert alt_text(TURN.view(None), a_look(ended=ended)).startswith("The game is over.")


@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_hand_is_described_hex_by_hex(lang: str) -> None:
    state = replace(played("22p"), players=EXAMPLE.players)
    text = hand_text(state.view(1), 1, a_look(lang=lang))
    assert text is not None
    right, complete = ("right of", "Complete") if lang == "en" else ("rechts von", "Erfüllt")
    yellow, green = ("yellow", "green") if lang == "en" else ("gelb", "grün")
    assert f"2a (+1): 1 {yellow}, 2 {green} {right} 1" in text
    assert f"{complete}: d4 e3 e4." in text


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_longest_hand_and_the_fullest_board_fit_a_chat(lang: str) -> None:
    state = played("", players=[{**bare(1)[0], "limit": 4, "hand": ORANGES}, *bare(2)], crystals={}, last=None)
    text = DRAWER.hand_text(state.view(0), 0, a_look(lang=lang))
    assert text is not None
    assert len(text) <= ALT_LONGEST
    assert len(DRAWER.alt_text(FULL.view(None), a_look(lang=lang))) <= ALT_LONGEST


ORANGES = [{"back": Deck.ORANGE, "id": card} for card in ("o01", "o07", "o19", "o37")]


# --- As files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.stem))
def test_a_picture_fits_a_post(source: Path, theme: Theme) -> None:
    state = GAME.decode(source.read_bytes())
    data = picture(state.view(None), a_look(theme=theme))
    assert struct.unpack(">2L", data[16:24]) == (1000, board_window.HIGH)
    assert board_window.HIGH + plaque.HEIGHT <= 900
    assert len(data) <= (DRAWER.kilobytes if state.seats > 4 else 80) * 1000


def test_the_marks_of_a_menu_hide_no_tool_and_no_number() -> None:
    state, look = TURN, a_look(*NAMES[:3])
    look = replace(look, choices=tuple(spots(state.view(None), look)))
    scene = whole_board(state.view(None), look)
    shown = [shape for shape in (*scene.shapes, *scene.marks) if isinstance(shape, Stamp)]
    last = max(k for k, shape in enumerate(shown) if shape.sprite.name == "choice")
    over = [shape.sprite.name.split()[0] for shape in shown[last + 1 :]]
    holders = sum(player.tools.holder.isdigit() for player in state.players)
    assert over.count("holder's") == holders > 0
    assert {"mirror", "glass", "badge"} <= set(over)


def crowded() -> Iterator[State]:
    """Yield positions of six with the largest pictures: a full board, and one with every colour mixed."""
    yield FULL
    state, luck = GAME.start(6, None, 1), Random(1)
    for _ in range(120):
        actions = state.actions()
        wanted = [action for action in actions if action.parts[0] in ("hold", "mirror", "glass", "claim", "buy")]
        state = state.play(luck.choice(wanted) if wanted and luck.random() < 0.6 else luck.choice(actions))
    yield state


@pytest.mark.parametrize("theme", Theme)
def test_the_board_of_six_beside_ones_own_hand_fits_a_post_with_everything_marked(theme: Theme) -> None:
    for state in crowded():
        assert state.actor is not None
        view, look = state.view(state.actor), a_look(*("Wilhelmina",) * 6, theme=theme, hand=state.actor)
        everything = tuple(spots(view, look))
        assert len(everything) > 120
        assert len(picture(view, replace(look, choices=everything))) <= DRAWER.kilobytes * 1000


def test_the_small_copy_has_the_width_of_a_phone() -> None:
    data = painter(Theme.DARK).paint(drawn(FULL), PHONE)
    assert struct.unpack(">L", data[16:20]) == (PHONE,)


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("page", range(1, 9))
def test_every_page_of_the_rules_has_a_picture(page: int, theme: Theme) -> None:
    data = diagram("kaleidoskop", page, a_look(theme=theme))
    assert data is not None
    assert len(data) <= 70_000


def shown_page(page: int) -> list[AnyShape]:
    scene = DRAWER.diagram(page, a_look())
    assert scene is not None
    return list(parts(scene.shapes))


def test_the_diagram_of_the_tools_shows_the_effect_of_mirror_and_glass() -> None:
    texts = [shape.text for shape in shown_page(kaleidoskop.TOOLS) if isinstance(shape, Text)]
    for sign in ("2", "0"):
        assert "×" in texts[texts.index(sign) - 1]
    before = [diagrams.MIRROR[0].colour, diagrams.GLASS[0].colour]
    after = [diagrams.MIRROR[1].colour, diagrams.GLASS[1].colour]
    assert (before, after) == ([NOTHING, NOTHING], ["b", "r"])
    for example, tool, corner in ((diagrams.MIRROR[1], "mirror", 4), (diagrams.GLASS[1], "glass", 5)):
        assert (example.tool, example.corner) == (tool, corner)
        assert example.crystals[corner] != NOTHING


def test_the_diagram_of_majorities_strikes_out_cancelled_crystals() -> None:
    assert [example.colour for example in diagrams.MAJORITIES] == ["r", "g", NOTHING, NOTHING]
    struck = [[c for c in example.crystals if c != NOTHING and example.cancels(c)] for example in diagrams.MAJORITIES]
    assert ["".join(letters) for letters in struck] == ["", "rryy", "ry", "rryygb"]
    bars = [shape for shape in shown_page(kaleidoskop.COLOURS) if isinstance(shape, Line) and shape.colour == "stone"]
    assert len(bars) == sum(map(len, struck))


@pytest.mark.parametrize("name", ["rules-5", "five"])
def test_golden_scene(name: str, golden: Callable[[Path, str], None]) -> None:
    scene = drawn(position(name))
    lines = "\n".join(repr(shape) for shape in scene.shapes if isinstance(shape, Stamp))
    golden(Path(__file__).parent / f"golden/kaleidoskop/{name}.txt", f"{lines}\n")
