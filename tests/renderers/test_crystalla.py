"""Crystalla's picture: the homes, the stacks, the displays, the words. Page: section 10."""

from collections.abc import Callable, Iterator
from itertools import chain, combinations, pairwise
from math import hypot
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kaleidobot.testing.looking import a_look, scene_of
from kaleidobot.testing.resampling.crystalla import resample
from renderers import ALT_LONGEST, Look, SeatLook, Theme, alt_text, picture
from renderers.games import crystalla
from renderers.games.crystalla import DRAWER, HUES, displays, gems, homes, sheet, stage
from renderers.lettering import CAPITAL, width
from renderers.scene import Box, Disc, Line, Point, Polygon, Sprite, Stamp, Text, parts
from rules.contract import Outcome
from rules.games.crystalla import COLOURS, COLUMNS, CORNERS, CRYSTALS, GAME, Drop, Fill, Phase, State, Take, Turn, shown
from rules.games.crystalla import sheet as points_of
from rules.games.crystalla.actions import KEEP
from rules.lessons import lesson
from tests.renderers.crystalla_scenes import (
    MINE,
    RUNNING,
    WALKING,
    apart,
    cells,
    heap,
    home_of,
    is_up,
    laid,
    letters,
    on_stage,
    outline,
    some_states,
    stacks,
    stamps,
    texts,
    within,
)

GOLDEN = Path(__file__).parent / "golden" / "crystalla"


# Nothing but the view


@settings(max_examples=20)
@given(st.sampled_from(list(some_states())), st.integers(0, 2**32))
def test_two_positions_that_look_the_same_have_the_same_picture_and_words(state: State, seed: int) -> None:
    other = resample(state, None, seed)
    assert picture(other.view(None), a_look()) == picture(state.view(None), a_look())
    assert alt_text(other.view(None), a_look()) == alt_text(state.view(None), a_look())
    assert DRAWER.scene(state, a_look()) == DRAWER.scene(state.view(None), a_look())


# Homes


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_has_the_same_home_in_every_picture(seats: int) -> None:
    views = [view for view in MINE.values() if view.seats == seats]
    where = {
        (int(stamp.sprite.name.split()[1]), stamp.at)
        for view in views
        for side in (None, *range(seats))
        for stamp in stamps(scene_of(view, a_look(side=side)), "plate")
    }
    assert len(where) == seats
    assert {scene_of(view).size for view in views} == {homes.table(seats).size}


def test_four_seats_are_around_the_stacks_each_at_the_start_of_its_stones() -> None:
    table = homes.table(4)
    for home, start in zip(table.homes, MINE["four-take"].layout.start, strict=True):
        nearest = min(
            table.homes, key=lambda candidate: hypot(*apart(candidate.area.middle, table.stack(start).middle))
        )
        assert nearest == home


def test_three_seats_and_the_stacks_have_quarters_of_equal_size() -> None:
    table = homes.table(3)
    quarters = [*(home.area for home in table.homes), table.bed]
    assert len({(area.width, area.height) for area in quarters}) == 1
    assert {area.x for area in quarters} == {area.x for area in (table.pieces, table.stage)}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_two_things_on_the_table_overlap(seats: int) -> None:
    table = homes.table(seats)
    areas = [home.area for home in table.homes] + [table.stage, table.pieces]
    areas += [table.stack(number) for number in MINE["three-lay" if seats > 2 else "two-take"].layout.stacks]
    for one, other in combinations(areas, 2):
        clear = one.right <= other.x or other.right <= one.x or one.bottom <= other.y or other.bottom <= one.y
        assert clear, (one, other)
    for area in areas:
        assert area.x >= 0
        assert area.right <= table.size[0]
        assert area.bottom <= table.size[1]


@pytest.mark.parametrize("name", MINE)
def test_the_home_of_the_seat_to_act_is_framed(name: str) -> None:
    view = MINE[name]
    framed = stamps(scene_of(view), "home up")
    assert [home_of(view, stamp.at) for stamp in framed] == ([] if view.actor is None else [view.actor])
    assert all(outline(stamp.sprite) == ("text", 9) for stamp in framed)
    bands = [part.line for stamp in framed for part in stamp.sprite.shapes if isinstance(part, Box) and not part.fill]
    assert bands == ([] if view.actor is None else [HUES[view.actor]])


# Stacks


@pytest.mark.parametrize("name", WALKING)
def test_every_stack_has_its_number_its_card_its_height_and_its_stones(name: str) -> None:
    view = WALKING[name]
    by_number = stacks(view)
    assert list(by_number) == list(view.layout.stacks)
    side = homes.table(view.seats).card
    for number, sprite in by_number.items():
        cards, stones = view.stacks[number - 1], view.stones[number - 1]
        assert texts(sprite)[:2] == [str(number), f"×{len(cards)}"]
        assert heap(sprite.shapes) == stones
        shown = [segment.name for card in within(sprite, "card") for segment in within(card, "")]
        if cards:
            top = str(cards[-1])
            assert shown == [f"{top[0]}l nw {side}", f"{top[1]}s nw {side}"]
        else:
            assert (shown, view.phase) == ([], Phase.REFILL)


@pytest.mark.parametrize(
    ("stones", "fallen"),
    [(stones, "") for stones in ("", "kkk", "oowwkk", "ooowwwpppkkk", "owpk", "owwppkkk", "oop", "oopk", "oowwp")]
    + [
        ("oop", "p"),
        ("oopk", "pk"),
        ("oowwp", "owp"),
        ("kkk", "k"),
        ("kkk", "kk"),
        ("oowwkk", "owk"),
        ("ooowwwpppkkk", "wpk"),
        ("owpk", "owpk"),
        ("owwppkkk", "wpkk"),
    ],
)
@pytest.mark.parametrize("name", ["two-take", "three-lay", "four-take"])
def test_stones_of_a_colour_have_one_sign_with_a_number_and_fit_their_stack(
    name: str, stones: str, fallen: str
) -> None:
    view = MINE[name]
    turn = Turn(0, (Take(1), *(Drop(drop, 1) for drop in fallen)))
    heaps = (stones, *view.stones[1:])
    sprite = next(iter(stacks(replace(view, stones=heaps, last=turn, now=())).values()))
    assert heap(sprite.shapes) == stones
    if not fallen:
        assert letters(sprite) == "".join(dict.fromkeys(stones))
    places = [stamp.at for stamp in stamps(sprite, "stone")]
    table = homes.table(view.seats)
    for (x, y), (wide, high) in lying_on(sprite):
        assert abs(x) + wide <= table.key[0] / 2 + 1, "within its key"
        assert abs(y) + high <= table.key[1] / 2 + 1
    near = [hypot(*apart(one, other)) for one, other in combinations(places, 2)]
    assert all(between > 24 for between in near), "no stone hides another's letter"


def lying_on(sprite: Sprite) -> Iterator[tuple[Point, Point]]:
    """Yield the middle and half the size of every stone on a stack, with its ring, and of every number of stones."""
    below = min((stamp.at[1] - 20 for stamp in stamps(sprite, "stone")), default=0.0)
    for part in sprite.shapes:
        if isinstance(part, Stamp) and part.sprite.name.startswith("stone"):
            disc = next(inner for inner in parts(part.sprite.shapes) if isinstance(inner, Box | Disc))
            half = disc.radius if isinstance(disc, Disc) else disc.size[0] / 2
            yield part.at, (half, half)
        elif isinstance(part, Text) and part.at[1] > below and part.text.isdigit() and part.bold:
            half = width(part.text, part.size) / 2 - 1
            yield (part.at[0] + half + 1, part.at[1]), (half, part.size * CAPITAL / 2)


@pytest.mark.parametrize("radius", [12.0, 11.5])
def test_the_edge_of_a_small_stone_leaves_room_for_its_letter(radius: float) -> None:
    (disc,) = within(gems.stone("white", "w", radius=radius), "disc")
    edge, face = (part for part in disc.shapes if isinstance(part, Disc))
    assert (edge.fill, face.fill) == ("white.deep", "white")
    assert edge.radius > face.radius > radius - 2


@pytest.mark.parametrize("name", ["two-take", "three-lay", "four-take"])
def test_no_label_of_a_stack_touches_the_frames_of_a_walk(name: str) -> None:
    view = replace(MINE[name], last=Turn(0, (Take(1), Drop("o", 2), Drop("w", 1))), now=())
    sprite = stacks(view)[1]
    labels = [part for part in sprite.shapes if isinstance(part, Text)][:2]
    frames = [part for part in sprite.shapes if isinstance(part, Line) and part.dash]
    left, right = (pick(x for frame in frames for x, _ in frame.points) for pick in (min, max))
    top = min(y for frame in frames for _, y in frame.points)
    clear = max(frame.width for frame in frames) / 2 + 1
    for label in labels:
        assert label.at[0] > left + clear + 1
        assert label.at[0] + width(label.text, label.size, label.bold) < right - clear
        assert label.at[1] - label.size * CAPITAL / 2 > top + clear


@pytest.mark.parametrize("name", WALKING)
def test_the_stacks_that_the_actor_may_take_or_walk_to_or_refill_from_are_marked(name: str) -> None:
    view = WALKING[name]
    able = {action.stack for action in view.actions() if isinstance(action, Take | Drop | Fill)}
    assert {number for number, sprite in stacks(view).items() if is_up(sprite)} == able


def test_every_stack_that_is_raised_in_the_lesson_can_be_chosen_there() -> None:
    raised = 0
    for step in lesson("crystalla"):
        offered = {offer.stack for offer in step.offers if isinstance(offer, Take | Drop)}
        view = cast("State", step.state).view(step.seat)
        here = {number for number, sprite in stacks(view).items() if is_up(sprite)}
        assert here <= offered
        raised += bool(here)
    assert raised == 3, "the walk, step by step"


def test_neutral_stones_look_like_no_seats_stones() -> None:
    for view in (MINE["three-lay"], MINE["four-take"]):
        stones = list(chain.from_iterable(within(sprite, "stone k") for sprite in stacks(view).values()))
        assert stones
        assert all(("neutral" in stone.name) == (view.seats == 3) for stone in stones)


# In the middle of a turn


@pytest.mark.parametrize("name", ["two-drop", "four-drop", "rules-3", "three-lay", "four-give", "three-cover"])
def test_the_walk_is_shown_with_its_start_and_the_fallen_stones(name: str) -> None:
    view = MINE[name]
    scene = scene_of(view)
    steps = view.walked()
    fallen = [action.colour for action in view.now if isinstance(action, Drop)]
    assert len(stamps(scene, "step")) == len(steps) - 1
    fresh = "".join(heap(sprite.shapes, "fresh") for sprite in stacks(view).values())
    assert sorted(fresh) == sorted(fallen)
    for number, sprite in stacks(view).items():
        framed = any(isinstance(part, Box) and part.fill == "accent" for part in sprite.shapes)
        assert framed == (number == steps[-1])
        dashes = [part for part in sprite.shapes if isinstance(part, Line) and part.dash]
        assert bool(dashes) == (number == steps[0])


@pytest.mark.parametrize("name", ["two-take", "three-lay", "four-take"])
def test_a_walk_that_has_not_left_or_came_back_has_both_frames_one_in_the_other(name: str) -> None:
    walks = ((Take(1),), (Take(1), Drop("o", 2), Drop("w", 1)))
    for walk in walks:
        view = replace(MINE[name], last=Turn(0, walk), now=())
        sprite = stacks(view)[1]
        wide, high = homes.table(view.seats).key
        (frame,) = (part for part in sprite.shapes if isinstance(part, Box) and part.fill == "accent")
        assert frame.size > (wide, high)
        dashes = [part for part in sprite.shapes if isinstance(part, Line) and part.dash]
        assert len(dashes) == 4
        key = next(k for k, part in enumerate(sprite.shapes) if isinstance(part, Box) and part.size == (wide, high))
        for line in dashes:
            assert sprite.shapes.index(line) > key, "the key does not cover it"
            for x, y in line.points:
                assert abs(x) + line.width / 2 < wide / 2
                assert abs(y) + line.width / 2 < high / 2


@pytest.mark.parametrize("name", WALKING)
def test_the_number_of_cards_is_bold_beside_the_number_of_the_stack(name: str) -> None:
    view = WALKING[name]
    for sprite in stacks(view).values():
        number, cards = [part for part in sprite.shapes if isinstance(part, Text)][:2]
        assert (cards.text[0], cards.bold, cards.colour) == ("×", True, "text")
        assert cards.size >= (28 if len(cards.text) == 2 else 24)
        assert number.at[0] + width(number.text, number.size, number.bold) + 4 < cards.at[0]
        assert cards.at[0] + width(cards.text, cards.size) < homes.table(view.seats).key[0] / 2


def test_a_walk_that_crosses_a_gap_again_has_its_arrows_side_by_side() -> None:
    scene = scene_of(MINE["four-drop"])
    places = [stamp.at for stamp in stamps(scene, "step")]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("name", WALKING)
def test_arrows_are_in_the_gaps_and_cover_no_stone(name: str) -> None:
    view = WALKING[name]
    scene = scene_of(view)
    stones = [
        (stamp.at[0] + stone.at[0], stamp.at[1] + stone.at[1])
        for stamp in stamps(scene, "stack")
        for stone in stamps(stamp.sprite, "stone")
    ]
    for arrow in stamps(scene, "step"):
        clear = {homes.CARD: 32, homes.LARGER: 22}[homes.table(view.seats).card]
        assert all(hypot(*apart(arrow.at, at)) > clear for at in stones)


@pytest.mark.parametrize("name", ["two-drop", "four-drop", "rules-3"])
def test_the_stones_in_hand_are_shown(name: str) -> None:
    view = MINE[name]
    assert heap(on_stage(view)) == view.carry


@pytest.mark.parametrize("name", ["two-drop", "four-drop", "rules-3"])
def test_the_stones_in_hand_are_beside_the_mark_of_their_seat(name: str) -> None:
    view = MINE[name]
    lying = [shape for shape in on_stage(view) if isinstance(shape, Stamp)]
    (mark,) = (stamp for stamp in lying if stamp.sprite.name.startswith("badge"))
    assert view.actor is not None
    assert mark.sprite.name.startswith(f"badge {view.actor + 1} {crystalla.HUES[view.actor]}")
    assert all(mark.at[0] + 50 < stamp.at[0] for stamp in lying if stamp.sprite.name.startswith("stone"))


@pytest.mark.parametrize("carry", ["o", "oow", "owpk", "ooowwwpppkkk"])
@pytest.mark.parametrize("name", ["two-take", "three-lay", "four-take"])
def test_stones_in_hand_have_room_with_their_numbers(name: str, carry: str) -> None:
    view = replace(MINE[name], phase=Phase.DROP, card=None, due="", carry=carry, now=(Take(1),))
    area = homes.table(view.seats).stage
    stones = [
        shape
        for shape in on_stage(view)
        if isinstance(shape, Text) or (isinstance(shape, Stamp) and "stone" in shape.sprite.name)
    ]
    assert heap(tuple(stones)) == carry
    for stone, number in pairwise(stones):
        if isinstance(stone, Stamp) and isinstance(number, Text):
            assert number.at[1] == stone.at[1], "beside its stone"
            beside = number.at[0] - stone.at[0] - stage.reach(len(set(carry)), area)
            assert 2 < beside < 4, "off the marks of a menu"
            after = [shape.at[0] for shape in stones if shape.at[1] == stone.at[1] and shape.at[0] > number.at[0]]
            right = number.at[0] + width(number.text, number.size)
            assert all(x - 25 - right > 10 for x in after), "nearer to its own stone than to the next"
    boxes = []
    for shape in stones:
        x, y = shape.at
        if isinstance(shape, Text):
            wide = width(shape.text, shape.size)
            x -= wide / 2 if shape.align == "middle" else 0
            boxes.append((x, y - 13, x + wide, y + 13))
        else:
            boxes.append((x - 24, y - 24, x + 24, y + 24))
    for left, top, right, low in boxes:
        assert area.x < left
        assert right < area.right
        assert area.y < top
        assert low < area.bottom
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("name", ["three-lay", "two-lay", "place", "two-place"])
def test_the_card_in_hand_is_shown_in_its_four_corners_with_their_signs(name: str) -> None:
    view = MINE[name]
    assert view.turn is not None
    code = view.card or next(card for card in view.hands[view.turn] if card)
    cards = {stamp.sprite.name.split()[1]: stamp for stamp in stamps(scene_of(view), "corner")}
    assert set(cards) == set(CORNERS)
    for corner, stamp in cards.items():
        assert texts(stamp.sprite) == []
        (sign,) = [part for part in stamp.sprite.shapes if isinstance(part, Polygon)]
        (x, y), *ends = sign.points
        assert ("n" if y < max(b for _, b in ends) else "s") + ("w" if x < max(a for a, _ in ends) else "e") == corner
        (card,) = within(stamp.sprite, "card")
        names = [part.name for part in within(card, "")]
        assert [name.rsplit(" ", 1)[0] for name in names] == [f"{code[0]}l {corner}", f"{code[1]}s {corner}"]


def test_while_a_hand_is_laid_the_corners_are_those_of_the_card_that_was_chosen() -> None:
    view = MINE["place"]
    assert view.turn is not None
    held = {str(slot): card for slot, card in enumerate(view.hands[view.turn], 1) if card}
    assert len(held) > 1
    for slot, code in held.items():
        scene = scene_of(view, a_look(chosen=(slot,)))
        assert {within(stamp.sprite, "card")[0].name.split()[1] for stamp in stamps(scene, "corner")} == {code}


# Displays


@pytest.mark.parametrize("name", MINE)
def test_every_card_is_in_its_cell_with_its_visible_letters(name: str) -> None:
    view = MINE[name]
    by_cell = cells(view)
    assert set(by_cell) == set(laid(view))
    for where, card in laid(view).items():
        named = [segment.name.split()[0] for segment in within(by_cell[where], "") if segment.name[1:2] in "ls"]
        assert [kind for kind in named if len(kind) == 2] == [f"{shown(card)[0]}l", f"{shown(card)[1]}s"]
        drawn = [part.text for part in parts(by_cell[where].shapes) if isinstance(part, Text)]
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
    labels = [
        [part for part in stamp.sprite.shapes if isinstance(part, Text)]
        for stamp in scene_of(view).still
        if isinstance(stamp, Stamp) and stamp.sprite.name.startswith("home")
    ]
    assert len(labels) == view.seats
    for text in labels:
        assert sorted(label.text for label in text) == sorted("abcd123")
        assert not any(label.bold for label in text), "they do not weigh as much as what lies there"


@pytest.mark.parametrize("name", RUNNING)
def test_chevrons_show_where_the_card_in_hand_can_go_in_the_actors_display_only(name: str) -> None:
    view = RUNNING[name]
    columns = tuple(dict.fromkeys(part for action in view.actions() for part in action.parts if part in COLUMNS))
    for choices in ((), columns, columns[:1]):
        chevrons = stamps(scene_of(view, a_look(choices=choices)), "next")
        assert len(chevrons) == len(choices or columns)
        assert all(home_of(view, chevron.at) == view.actor for chevron in chevrons)


@pytest.mark.parametrize(("choices", "chosen", "number"), [(("1", "2"), (), 0), (("nw", "ne"), ("1", "b"), 4)])
def test_chevrons_of_a_menu_show_only_columns_that_can_be_tapped(
    choices: tuple[str, ...], chosen: tuple[str, ...], number: int
) -> None:
    """Before a card of the hand is chosen, no column can be; a chosen column can be changed."""
    view = GAME.start(2, seed=1).play(KEEP).view(0)
    assert len(stamps(scene_of(view, a_look(choices=choices, chosen=chosen)), "next")) == number


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_display_reaches_into_the_frame_of_its_home(seats: int) -> None:
    for home in homes.table(seats).homes:
        ring = home.cells.inset(-displays.BEYOND - 2)
        inner = home.area.inset(sum(displays.FRAME))
        assert inner.x <= ring.x
        assert ring.right <= inner.right
        assert home.bars.bottom <= inner.bottom
        assert home.hand.x >= inner.x
        assert home.hand.right <= inner.right


def test_the_four_corners_of_four_seats_are_in_a_row() -> None:
    one, *others = stage.corners(homes.table(4)).values()
    assert all(other.y == one.y for other in others)
    assert all(before.right < after.x for before, after in pairwise((one, *others)))


# Words


@pytest.mark.parametrize("name", MINE)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_position_can_be_played_from_the_words(name: str, lang: str) -> None:
    view = MINE[name]
    text = alt_text(view, a_look(lang=lang))
    assert len(text) <= ALT_LONGEST
    if view.outcome is None:
        first = view.displays[view.actor or 0]
        spelt = {"en": {}, "de": {"-ne": "-no", "-se": "-so"}}[lang]
        laid = [card for column in first for card in column]
        assert all(card[:2] + spelt.get(card[2:5], card[2:5]) + card[5:] in text for card in laid)
        assert all(f" {piece}" in text for piece in view.open if piece)
        assert all(str(number) in text for number in view.standing())
        if view.phase not in (Phase.SWAP, Phase.PLACE):
            for number, (cards, heap) in enumerate(zip(view.stacks, view.stones, strict=True), 1):
                top = f"{cards[-1]}×{len(cards)}" if cards else "–"
                assert f"{number} {top}{' ' + heap if heap else ''}" in text
        else:
            assert all(card in text for hand in view.hands for card in hand if card)


@pytest.mark.parametrize("name", ["two-over", "three-over", "four-over"])
def test_the_words_of_a_finished_game_are_the_score_sheet(name: str) -> None:
    view = MINE[name]
    text = alt_text(view, a_look())
    for seat, row in enumerate(points_of(view)):
        line = ", ".join(
            f"{crystal} {row[crystal]} ({sheet.counted(view.displays, seat, crystal)})"
            for crystal in CRYSTALS
            if row[crystal]
        )
        assert f"{a_look().seats[seat].name} {row['total']}: {line}." in text


@pytest.mark.parametrize(
    ("lang", "brackets", "cards"), [("en", "In brackets", "Cards"), ("de", "In Klammern", "Karten")]
)
def test_nothing_is_explained_that_is_not_there(lang: str, brackets: str, cards: str) -> None:
    begun, ended = MINE["rules-2"], Outcome((0, 0, 0), (), "ended")
    text = alt_text(begun, a_look(lang=lang, ended=ended))
    assert "Anna 0. Benedikt 0. Chloé 0." in text
    assert brackets not in text
    assert cards not in text, "nobody has laid any"
    assert "–" not in alt_text(begun, a_look(lang=lang))


def test_brackets_in_a_name_are_not_explained() -> None:
    ended = Outcome((0, 0, 0), (), "ended")
    text = alt_text(MINE["rules-2"], a_look("Anna", "House (easy)", "Chloé", ended=ended))
    assert "House (easy) 0." in text
    assert "In brackets" not in text


def test_a_dash_in_a_name_is_no_card_that_is_laid() -> None:
    assert "Hands: Anna – I ae rt cr; " in alt_text(MINE["rules-2"], a_look("Anna – I", "Ben", "Chloé"))


def test_a_dash_keeps_the_place_of_a_card_that_is_laid_and_says_so() -> None:
    assert "Hands (– is laid): Benedikt ra he –; Chloé ch te rh; " in alt_text(MINE["place"], a_look())
    assert "Hands: Anna ae rt cr; " in alt_text(MINE["rules-2"], a_look())


@pytest.mark.parametrize("name", MINE)
@pytest.mark.parametrize(("lang", "key"), [("en", "t tourmaline, "), ("de", "t Turmalin, ")])
def test_the_key_to_the_letters_comes_before_their_use(name: str, lang: str, key: str) -> None:
    text = alt_text(MINE[name], a_look(lang=lang))
    assert text.count(". ", 0, text.index(key)) == 1, "only who is to act, or has won, comes first"


@pytest.mark.parametrize(("lang", "nobody"), [("en", "Nobody's stones: k."), ("de", "Steine von niemandem: k.")])
def test_the_letters_of_the_seats_stones_are_explained_with_the_points(lang: str, nobody: str) -> None:
    text = alt_text(MINE["three-cover"], a_look(lang=lang))
    assert f"Anna 25 (o), Benedikt 52 (w), Chloé 41 (p). {nobody}" in text
    assert nobody not in alt_text(MINE["four-take"], a_look(lang=lang))


def test_golden_words(golden: Callable[[Path, str], None]) -> None:
    looks = {"en": a_look("Ada", "Ben", "Cleo", "Dan"), "de": a_look("Ada", "Ben", "Cleo", "Dan", lang="de")}
    lines = [f"{name} {lang}: {alt_text(view, look)}\n" for name, view in MINE.items() for lang, look in looks.items()]
    golden(GOLDEN / "words.txt", "".join(lines))


@pytest.mark.parametrize("name", ["two-flower", "three-lay"])
def test_golden_scenes(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(GOLDEN / f"{name}.txt", str(scene_of(MINE[name], a_look("Ada", "Ben", "Cleo", "Dan"))))


def test_the_house_is_shown_beside_a_name() -> None:
    look = Look((SeatLook("Ada", house=True), SeatLook("Ben")))
    heads = stamps(scene_of(MINE["two-take"], look), "plate")
    plain = stamps(scene_of(MINE["two-take"], Look((SeatLook("Ada"), SeatLook("Ben")))), "plate")
    changed = [a.sprite.name for a, b in zip(heads, plain, strict=True) if a.sprite != b.sprite]
    assert changed == ["plate 1"]


def test_both_themes_are_painted() -> None:
    assert picture(MINE["rules-5"], a_look(theme=Theme.LIGHT)) != picture(MINE["rules-5"], a_look())


LONG_NAMES = ("Maximilian Gruberma", "dragonslayer_of_199", "Chloé-Marie Duponte", "Friedrich Sommerfel")


@pytest.mark.parametrize("name", ["three-give", "four-give", "three-cover", "two-cover"])
def test_a_name_beside_a_due_piece_is_whole(name: str) -> None:
    view = replace(MINE[name], due=COLOURS[: MINE[name].seats], phase=Phase.GIVE, piece=None, receiver=None)
    for house in (False, True):
        look = Look(tuple(SeatLook(long, house=house) for long in LONG_NAMES[: view.seats]))
        for stamp, long in zip(stamps(scene_of(view, look), "plate"), LONG_NAMES, strict=False):
            lines = [part for part in stamp.sprite.shapes if isinstance(part, Text) and part.room]
            assert all(width(line.text, line.size, line.bold) <= (line.room or 0) for line in lines), long
            written = [part.text for part in parts(stamp.sprite.shapes) if isinstance(part, Text)]
            assert {"?", COLOURS[int(stamp.sprite.name.split()[1]) - 1].upper()} <= set(written)
