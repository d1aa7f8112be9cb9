"""Kaleidoskop: the colours of the hexes, and the tasks."""

import random
from collections import Counter
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import IllegalAction
from rules.games.kaleidoskop import (
    BACK,
    COLOURS,
    GAME,
    GRID,
    NOTHING,
    POINTS,
    WELLS,
    WELLS_OF,
    Card,
    Claim,
    Crystal,
    Stage,
    State,
    board,
    cards,
    coloured,
    majority,
    occurrences,
    task,
)
from rules.games.kaleidoskop.cards import anchors, lights
from tests.rules.kaleidoskop import (
    BLUE_01,
    MAY_DRAW,
    READY,
    act,
    colour_of,
    games,
    legal,
    lit_for_b01,
    own,
    player,
    position,
    refused,
)

# --- Mehrheiten prüfen und Hexfelder färben


@pytest.mark.parametrize(
    ("counted", "colour"),
    [
        ("", NOTHING),
        ("r", "r"),
        ("ry", NOTHING),
        ("rryy", NOTHING),
        ("rrry", "r"),
        ("rryyg", "g"),
        ("rryygb", NOTHING),
        ("rrrygb", "r"),
        ("rrryyy", NOTHING),
        ("rrrryy", "r"),
        ("rryg", "r"),
        ("rygbpv", NOTHING),
        ("rrrrrr", "r"),
        ("rryyggb", "b"),
        ("rrryyyg", "g"),
        ("rrryyggb", "r"),
    ],
)
def test_the_highest_count_of_a_single_colour_decides(counted: str, colour: str) -> None:
    for seed in range(5):
        shuffled = list(counted)
        random.Random(seed).shuffle(shuffled)
        assert majority("".join(shuffled)) == colour


@given(st.text(alphabet=COLOURS, max_size=8))
def test_colours_that_tie_cancel_each_other(counted: str) -> None:
    """The same rule in another form: remove the tied colours with the highest count until one is single."""
    left = Counter(counted)
    while left:
        most = max(left.values())
        strongest = [colour for colour, count in left.items() if count == most]
        if len(strongest) == 1:
            break
        for colour in strongest:
            del left[colour]
    assert majority(counted) == (max(left, key=lambda colour: left[colour]) if left else NOTHING)


def test_which_colours_they_are_does_not_matter() -> None:
    step = dict(zip(COLOURS, COLOURS[1:] + COLOURS[:1], strict=True)) | {NOTHING: NOTHING}
    for counted in ("rryyg", "rrry", "ryg", "vvp"):
        assert majority("".join(step[colour] for colour in counted)) == step[majority(counted)]


def test_example_2_a_new_majority_one_that_stays_and_one_that_is_lost() -> None:
    """Green into the well between c3 (neutral), c4 (violet stays) and b3 (violet loses its majority)."""
    state = act(position("22v 34v 15v 20y 26y 33r 27r"), "21g")
    assert colour_of(position("22v 34v 15v 20y 26y 33r 27r"), "b3") == "v"
    assert (colour_of(state, "c3"), colour_of(state, "c4"), colour_of(state, "b3")) == (NOTHING, "v", NOTHING)


def test_after_every_action_the_colours_are_those_counted_from_scratch() -> None:
    """Reading 7."""
    for states in games():
        for state in states:
            assert state.hexes == coloured(state.seats, state.crystals, state.players)
            assert state.hexes == slowly_coloured(state)


def slowly_coloured(state: State) -> str:
    """Return the colour of a hex by the rule, word by word."""
    colours = []
    for place, name in enumerate(GRID.fields):
        counts: Counter[str] = Counter()
        for well in WELLS_OF[place]:
            crystal = state.crystals[well]
            spot = f"{well + 1}:{name}"
            weight = 1
            if any(player.tools.mirror == spot for player in state.players):
                weight = 2
            if any(player.tools.glass == spot for player in state.players):
                weight = 0
            if crystal != NOTHING and weight:
                counts[crystal] += weight
        alone = [colour for colour, count in counts.items() if list(counts.values()).count(count) == 1]
        in_play = place in board(state.seats).hexes
        colours.append(max(alone, key=lambda colour: counts[colour]) if alone and in_play else NOTHING)
    return "".join(colours)


# --- Aufträge und Wertungskristalle


def test_a_task_is_fulfilled_when_its_pattern_is_on_the_board() -> None:
    state = act(lit_for_b01(), "10v")
    assert legal(state, "claim") == ["claim1a>blue", "claim1a>orange"]
    assert occurrences("b01", "a", state.lights()) == (("c3", "c4", "d4"),)


def test_nothing_can_be_claimed_before_the_crystal() -> None:
    assert refused(lit_for_b01(), "claim1a>blue") == "stage"


def test_a_pattern_that_is_not_there_cannot_be_claimed() -> None:
    assert refused(act(lit_for_b01(), "10v"), "claim1b>blue") == "not_fulfilled"
    assert refused(act(lit_for_b01(), "10v"), "claim2a>blue") == "not_fulfilled"
    assert refused(act(lit_for_b01(), "20b"), "claim1a>blue") == "not_fulfilled"
    assert refused(act(lit_for_b01(), "10v"), "claim3a>blue") == "no_card"


def test_it_does_not_matter_who_made_it() -> None:
    state = act(lit_for_b01(hand=[]), "10v end")
    players = list(state.players)
    players[1] = replace(players[1], hand=(Card("blue", "b01"),))
    assert "claim1a>blue" in legal(act(replace(state, players=tuple(players)), "62v"), "claim")


def turned_board(hexes: str, times: int) -> str:
    """Return the whole board rotated about its middle."""
    number = {cell: place for place, cell in enumerate(GRID.cells)}
    turned = [NOTHING] * len(hexes)
    for (q, r), colour in zip(GRID.cells, hexes, strict=True):
        for _ in range(times):
            q, r = -r, q + r
        turned[number[q, r]] = colour
    return "".join(turned)


def test_a_pattern_may_be_turned() -> None:
    state = lit_for_b01()
    for times in range(6):
        lit_there = lights(turned_board(state.hexes, times), NOTHING * WELLS)
        assert len(occurrences("b01", "a", lit_there)) == 1


def test_a_pattern_may_not_be_flipped() -> None:
    """Reading 15. The mirror image of b01's task a is not b01's task a."""
    state = lit_for_b01()
    number = {cell: place for place, cell in enumerate(GRID.cells)}
    flipped = "".join(state.hexes[number[-q - r, r]] for q, r in GRID.cells)
    assert not anchors("b01", "a", lights(flipped, NOTHING * WELLS))


def test_the_crystals_of_a_pattern_must_be_in_their_wells() -> None:
    """Task b of b01: green, blue, violet in a line; a green crystal at the lower right of the green hex."""
    crystals = "15g 20g 22b 34b 29v 35v"
    state = position(crystals, player(hand=[BLUE_01]))
    assert [colour_of(state, name) for name in ("c3", "c4", "c5")] == ["g", "b", "v"]
    assert legal(act(state, "62r"), "claim") == []
    assert legal(act(state, "27g"), "claim1b") == ["claim1b>blue", "claim1b>orange"]


def test_tools_at_a_crystal_of_a_pattern_do_not_matter() -> None:
    state = position("15g 20g 22b 34b 29v 35v", player(hand=[BLUE_01], tools=READY))
    assert legal(act(state, "27g hold"), "claim1b") != []


@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("card", ["b01", "b25", "o07", "o48"])
def test_a_finished_task_brings_its_reward(card: str, name: str) -> None:
    state = shown(card, name)
    after = state.play(Claim(1, name, "blue"))
    assert own(after).score - own(state).score == task(card, name).reward
    assert [(done.id, done.task) for done in own(after).done] == [(card, name)]


def shown(card: str, name: str) -> State:
    """Return a position of six players with the pattern of the task in the middle, independent of the crystals."""
    wanted = task(card, name)
    number = {cell: place for place, cell in enumerate(GRID.cells)}
    hexes = [NOTHING] * len(GRID.fields)
    wells = [NOTHING] * WELLS
    for q, r, colour in wanted.hexes:
        hexes[number[q - 1, r]] = colour
    for q, r, corner, colour in wanted.crystals:
        wells[WELLS_OF[number[q - 1, r]][corner]] = colour
    state = act(position("", player(hand=[{"back": BACK[card], "id": card}]), seats=6), "1r")
    return replace(state, hexes="".join(hexes), crystals="".join(wells))


def test_only_one_of_the_two_tasks_of_a_card_can_be_claimed() -> None:
    after = act(lit_for_b01(), "10v claim1a>blue")
    assert all(card.id != "b01" for card in own(after).hand)


def test_a_card_is_drawn_from_the_deck_of_the_own_choice_into_the_same_position() -> None:
    """Reading 10."""
    before = act(lit_for_b01(), "10v")
    after = act(before, "claim1a>orange")
    assert [card.id for card in own(after).hand] == ["o45", "o01"]
    assert after.decks.orange == ("o46", "o47")
    assert after.decks.blue == before.decks.blue


def test_drawing_is_not_optional() -> None:
    state = act(lit_for_b01(), "10v")
    with pytest.raises(IllegalAction) as refusal:
        state.play(Claim(1, "a", None))
    assert refusal.value.code == "deck_missing"


def test_from_an_empty_deck_nothing_is_drawn() -> None:
    state = act(replace(lit_for_b01(), decks=replace(lit_for_b01().decks, blue=())), "10v")
    assert legal(state, "claim") == ["claim1a>orange"]
    assert refused(state, "claim1a>blue") == "deck_empty"
    assert GAME.parse(state, "claim1a") == (Claim(1, "a", "orange"),)


def test_with_both_decks_empty_the_hand_shrinks() -> None:
    state = lit_for_b01()
    state = act(replace(state, decks=replace(state.decks, blue=(), orange=())), "10v")
    assert legal(state, "claim") == ["claim1a"]
    assert refused(state, "claim1a>blue") == "deck_empty"
    assert [card.id for card in own(act(state, "claim1a")).hand] == ["o01"]


def test_a_new_card_may_be_declined_with_that_option() -> None:
    """„Anschließend darf man sich eine neue Karte ziehen.“ Reading 10."""
    state = act(lit_for_b01(MAY_DRAW), "10v")
    assert legal(state, "claim") == ["claim1a>blue", "claim1a>orange", "claim1a>none"]
    after = act(state, "claim1a>none")
    assert [card.id for card in own(after).hand] == ["o01"]
    assert own(after).score == own(act(state, "claim1a>blue")).score
    assert after.decks == state.decks
    with pytest.raises(IllegalAction, match="deck_missing"):
        state.play(Claim(1, "a", None))


def test_otherwise_a_card_must_be_drawn() -> None:
    state = act(lit_for_b01(), "10v")
    assert legal(state, "claim") == ["claim1a>blue", "claim1a>orange"]
    assert refused(state, "claim1a>none") == "must_draw"


def test_with_both_decks_empty_there_is_nothing_to_decline() -> None:
    state = lit_for_b01(MAY_DRAW)
    state = act(replace(state, decks=replace(state.decks, blue=(), orange=())), "10v")
    assert legal(state, "claim") == ["claim1a"]
    assert GAME.parse(state, "claim1a none") == (Claim(1, "a", None),)
    with pytest.raises(IllegalAction, match="deck_empty"):
        state.play(Claim(1, "a", "none"))


def test_a_fourth_card_is_always_drawn() -> None:
    state = act(lit_for_b01(MAY_DRAW, score=9), "10v")
    assert legal(state, "limit") == ["limit>blue", "limit>orange"]


def test_a_search_draws_a_card() -> None:
    state = act(lit_for_b01(MAY_DRAW), "10v")
    assert {*state.actions()} - {*state.search_actions()} == {Claim(1, "a", "none")}


def test_several_tasks_can_be_claimed_in_a_turn_also_of_a_card_just_drawn() -> None:
    """Reading 9."""
    state = lit_for_b01()
    state = act(replace(state, decks=replace(state.decks, blue=("b01",))), "10v")
    state = replace(state, players=(replace(own(state), hand=(Card("blue", "b01"),)), *state.players[1:]))
    state = replace(state, decks=replace(state.decks, blue=("b01", "b70")))
    twice = act(state, "claim1a>blue claim1a>blue")
    assert (own(twice).score, [done.id for done in own(twice).done]) == (3, ["b01", "b01"])


def test_after_the_first_claim_no_tool_can_be_used_any_more() -> None:
    state = act(lit_for_b01(tools=READY), "10v claim1a>blue")
    assert state.stage == "tasks"
    for text in ("hold", "mirror:15:c3", "glass:15:c3"):
        assert refused(state, text) == "stage"


def test_the_hand_limit_can_be_raised_once_for_2() -> None:
    state = position("", player(score=5, hand=[BLUE_01]))
    after = act(state, "limit>orange")
    assert (own(after).score, own(after).limit) == (3, 4)
    assert [card.id for card in own(after).hand] == ["b01", "o45"]
    assert refused(after, "limit>blue") == "owned"
    assert refused(position(), "limit>blue") == "cost"


def test_the_limit_cannot_be_raised_when_there_is_no_card() -> None:
    state = position("", player(score=5), decks={"blue": [], "orange": ["o45"]})
    assert legal(state, "limit") == ["limit>orange"]
    assert refused(state, "limit>blue") == "deck_empty"
    empty = position("", player(score=5), decks={"blue": [], "orange": []})
    assert legal(empty, "limit") == []


def test_actions_that_cannot_be_paid_are_not_listed() -> None:
    for states in games():
        for state in states:
            for action in state.actions():
                after = state.play(action)
                assert min(player.score for player in after.players) >= 0


# A second, slower search for patterns


def _moved(cell: tuple[int, int], times: int, by: tuple[int, int]) -> tuple[int, int]:
    """Return *cell* rotated *times* times, then shifted."""
    q, r = cell
    for _ in range(times):
        q, r = -r, q + r
    return q + by[0], r + by[1]


def slowly_found(card: str, name: str, seats: int, hexes: str, crystals: str) -> set[tuple[str, ...]]:
    """Return the occurrences of a pattern by trying every rotation and shift, element by element."""
    wanted, in_play = task(card, name), board(seats)
    number = {cell: place for place, cell in enumerate(GRID.cells) if place in in_play.hexes}
    patterns = set()
    for times, by in product(range(6), GRID.cells):
        places = [(number.get(_moved((q, r), times, by)), colour) for q, r, colour in wanted.hexes]
        lit_as_wanted = [GRID.fields[place] for place, colour in places if place is not None and hexes[place] == colour]
        wells = [
            (_well(number.get(_moved((q, r), times, by)), (corner + times) % 6), colour)
            for q, r, corner, colour in wanted.crystals
        ]
        lie_as_wanted = [well for well, colour in wells if well is not None and crystals[well] == colour]
        if len(lit_as_wanted) == len(places) and len(lie_as_wanted) == len(wells):
            patterns.add(tuple(sorted(lit_as_wanted)))
    return patterns


_WELL_AT = {point: well for well, point in enumerate(POINTS)}


def _well(place: int | None, corner: int) -> int | None:
    """Return the well at a corner of a hex, by its lattice point; None if there is none."""
    if place is None:
        return None
    q, r = GRID.cells[place]
    right, down = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))[corner]
    return _WELL_AT.get((2 * q + r + right, 3 * r + down))


@given(
    card=st.sampled_from(list(BACK)),
    name=st.sampled_from("ab"),
    seats=st.sampled_from((3, 5, 6)),
    seed=st.integers(0, 2**32),
    planted=st.integers(0, 3),
)
def test_patterns_are_found_as_a_slower_way_finds_them(
    card: str, name: str, seats: int, seed: int, planted: int
) -> None:
    """On boards with the colours of the pattern, into which some patterns are planted."""
    luck = random.Random(seed)
    wanted, in_play = task(card, name), board(seats)
    colours = sorted({colour for _, _, colour in wanted.hexes} | {colour for _, _, _, colour in wanted.crystals})
    hexes, crystals = [NOTHING] * len(GRID.fields), [NOTHING] * WELLS
    for place in in_play.hexes:
        hexes[place] = luck.choice((*colours, NOTHING))
    for well in in_play.wells:
        crystals[well] = luck.choice((*colours, NOTHING))
    number = {cell: place for place, cell in enumerate(GRID.cells)}
    for _ in range(planted):
        times, by = luck.randrange(6), luck.choice(GRID.cells)
        places = [number.get(_moved((q, r), times, by)) for q, r, _ in wanted.hexes]
        wells = [_well(number.get(_moved((q, r), times, by)), (k + times) % 6) for q, r, k, _ in wanted.crystals]
        if all(place in in_play.hexes for place in places):
            for there, (_, _, colour) in zip(places, wanted.hexes, strict=True):
                assert there is not None
                hexes[there] = colour
            for there, (_, _, _, colour) in zip(wells, wanted.crystals, strict=True):
                assert there is not None
                crystals[there] = colour
    lit = lights("".join(hexes), "".join(crystals))
    expected = slowly_found(card, name, seats, "".join(hexes), "".join(crystals))
    assert set(occurrences(card, name, lit)) == expected
    assert bool(anchors(card, name, lit)) == bool(expected)


def test_lights_followed_from_the_board_before_match_the_board() -> None:
    for states in games():
        for before, after in pairwise(states):
            before.lights()
            if isinstance(after.last, int) and after.stage == Stage.TOOLS and before.stage == Stage.PLACE:
                crystal = Crystal(after.last, after.crystals[after.last - 1])
                followed = dict(before.play(crystal).lights())
                cards._LIGHTS.clear()
                assert followed == dict(lights(after.hexes, after.crystals))


def test_in_play_too_every_claim_is_found() -> None:
    for states in games():
        for state in states[::5]:
            if state.stage in (Stage.TOOLS, Stage.TASKS):
                expected = {
                    f"claim{position}{name}"
                    for position, card in enumerate(own(state).hand, 1)
                    for name in "ab"
                    if slowly_found(card.id, name, state.seats, state.hexes, state.crystals)
                }
                assert {text.split(">")[0] for text in legal(state, "claim")} == expected
