"""Kabooom!: worked examples, documents, a golden game and position counts."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from textwrap import fill, indent
from typing import Any

import pytest
from msgspec import structs

from rules import IllegalAction
from rules.__main__ import count, counts
from rules.chance import Chance
from rules.games.kabooom import GAME, GRID, State, symbol
from tests.positions import drawn
from texts import find, say

HERE = Path(__file__).parent
PAGE: dict[str, Any] = json.loads((HERE / "examples/kabooom.json").read_text(encoding="utf-8"))


def position(name: str, **replaced: Any) -> State:
    """Return a documented position, with some of its keys *replaced*."""
    return GAME.decode(json.dumps({**PAGE["positions"][name], **replaced}))


def key(state: State, name: str) -> Any:
    return json.loads(GAME.encode(state))[name]


# --- Worked examples


def legal(state: State, expected: list[str]) -> None:
    assert sorted(map(str, state.actions())) == sorted(expected)


def legal_count(state: State, expected: int) -> None:
    assert len(state.actions()) == expected


def board_has(state: State, expected: dict[str, str | None]) -> None:
    assert {field: key(state, "board").get(field) for field in expected} == expected


def after(state: State, expected: dict[str, Any]) -> None:
    assert {name: key(state, name) for name in expected} == expected


def scores(state: State, expected: list[int]) -> None:
    assert list(state.standing()) == expected


def outcome(state: State, expected: dict[str, Any]) -> None:
    made = state.outcome
    assert made is not None
    assert {"scores": list(made.scores), "winners": list(made.winners), "reason": made.reason} == expected


def pass_ends(state: State, expected: bool) -> None:
    (one_pass,) = GAME.parse(state, "pass")
    assert (state.warns(one_pass) is not None) == expected
    assert (state.play(one_pass).outcome is not None) == expected


EXPECTATIONS: dict[str, Callable[[State, Any], None]] = {
    check.__name__: check for check in (legal, legal_count, board_has, after, scores, outcome, pass_ends)
}


@pytest.mark.parametrize("example", PAGE["examples"], ids=lambda example: str(example["name"]))
def test_example(example: dict[str, Any]) -> None:
    state = position(example["from"], **example.get("with", {}))
    expected = dict(example["expect"])
    *texts, last = example.get("actions") or [None]
    for text in texts:
        state = state.play(GAME.parse(state, text)[0])
    refused = expected.pop("refused", None)
    if refused is not None:
        with pytest.raises(IllegalAction) as refusal:
            state.play(GAME.parse(state, last)[0])
        assert refusal.value.code == refused
    elif last is not None:
        state = state.play(GAME.parse(state, last)[0])
    for name, value in expected.items():
        EXPECTATIONS[name](state, value)


COUNTS = {
    "K6 stone": ((2, 3, 0, 11), (1, 2, 0, 9), (0, 1, 0, 7)),
    "K6 tower": ((0, 3, 0, 2), (0, 2, 0, 1), (0, 1, 0, 0)),
    "K7 stone": ((9, 9), (7, 7), (5, 5)),
    "K7 tower": ((0, 0), (0, 0), (0, 0)),
}


@pytest.mark.parametrize(
    ("name", "dynamite", "level"), list(product(("K6", "K7"), ("stone", "tower"), ("easy", "medium", "hard")))
)
def test_the_points_under_every_option(name: str, dynamite: str, level: str) -> None:
    state = position(name, options={"level": level, "dynamite": dynamite})
    assert state.standing() == COUNTS[f"{name} {dynamite}"][("easy", "medium", "hard").index(level)]


def test_the_longest_lists_of_actions() -> None:
    assert len(GAME.start(2).actions()) == 96
    assert all(len(position(name).actions()) <= 54 for name in PAGE["positions"] if name not in ("K1", "K2"))


# --- Documents


def test_documented_positions_are_encoded_as_they_were_decoded() -> None:
    for name, document in PAGE["positions"].items():
        data = GAME.encode(position(name))
        assert data == json.dumps(document, separators=(",", ":")).encode(), name


def test_the_order_of_the_fields_does_not_matter() -> None:
    turned = dict(reversed(PAGE["positions"]["K3"]["board"].items()))
    assert position("K3", board=turned) == position("K3")


def without(board: dict[str, str], *fields: str) -> dict[str, str]:
    return {field: tower for field, tower in board.items() if field not in fields}


K1, K2, K3, K4, K6 = (PAGE["positions"][name]["board"] for name in ("K1", "K2", "K3", "K4", "K6"))
EASY = {"level": "easy", "dynamite": "stone"}


@pytest.mark.parametrize(
    ("name", "replaced", "complaint"),
    [
        ("K3", {"game": "chess"}, "Invalid enum value 'chess'"),
        ("K3", {"seats": 1}, "2 to 4 seats"),
        ("K3", {"seats": 5}, "2 to 4 seats"),
        ("K3", {"seats": True}, r"Expected `int`, got `bool` - at `\$.seats`"),
        ("K3", {"seats": 2.5}, r"Expected `int`, got `float` - at `\$.seats`"),
        ("K3", {"seed": -1}, "the seed must be"),
        ("K3", {"seed": 2**128}, "the seed must be"),
        ("K3", {"options": {"level": "medium"}}, "missing required field `dynamite`"),
        ("K3", {"options": {"level": "medium", "dynamite": "both"}}, "Invalid enum value 'both'"),
        ("K3", {"options": {**EASY, "speed": "high"}}, "unknown field `speed`"),
        ("K3", {"phase": "lunch"}, "Invalid enum value 'lunch'"),
        ("K3", {"board": {**K3, "g1": "0r"}}, "there is no field 'g1'"),
        ("K3", {"board": {**K3, "e1": ""}}, "e1: '' is no tower"),
        ("K3", {"board": {**K3, "e1": "0x"}}, "e1: '0x' is no tower"),
        ("K3", {"board": {**K3, "e1": "r0"}}, "e1: 'r0' is no tower"),
        ("K1", {"options": EASY}, "'easy' has no phase 'place'"),  # 1
        ("K3", {"board": {**K3, "a1": "2r"}}, "stones of a seat beyond the 2"),  # 2
        ("K3", {"board": {**K3, "a1": "0p", "a2": "1r"}}, "seat 0 has more than 3 stones 'p'"),
        ("K1", {"board": {**without(K1, "a1"), "b3": "0r1s"}}, "every tower is a single stone"),  # 3
        ("K2", {"board": {**K2, "d3": "1p"}, "actor": 0}, "the board is not full"),
        ("K1", {"actor": 0}, "after 10 stones the actor is seat 1"),
        ("K1", {"actor": None}, "after 10 stones the actor is seat 1"),
        ("K1", {"board": {**K1, "a1": "2s"}}, "in turn it would be"),
        ("K1", {"passes": 1}, "no seat has passed"),
        ("K3", {"board": without(K3, "a1")}, "every seat has 12 stones"),  # 4
        ("K6", {"board": without(K6, "a4")}, "every seat has 6 stones"),
        ("K3", {"board": {**K3, "b2": "1d0r"}}, "dynamite on top"),  # 5
        ("K4", {"actor": 1}, "seat 1 cannot move"),  # 6
        ("K4", {"actor": None}, "a seat from 0 to 2"),
        ("K4", {"actor": 3}, "a seat from 0 to 2"),
        ("K4", {"actor": -1}, "a seat from 0 to 2"),
        ("K4", {"passes": 3}, "fewer passes than seats"),
        ("K4", {"passes": -1}, "fewer passes than seats"),
        ("K6", {"actor": 0}, "there is no actor"),  # 7
        ("K6", {"passes": 4}, "only be over with 0 passes"),
        ("K4", {"phase": "over", "actor": None}, "only be over with 3 passes"),
        ("K3", {"last": [None]}, "one entry a seat"),  # 8
        ("K3", {"last": [None, "a1"]}, "'last': 'a1' is no action"),
        ("K3", {"last": [None, "A1-B1"]}, "'last': 'A1-B1' is no action"),
        ("K3", {"last": [None, "skip"]}, "'last': 'skip' is no action"),
        ("K3", {"last": [None, "pass\n"]}, "is no action"),
    ],
)
def test_an_inconsistent_document_is_refused(name: str, replaced: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        position(name, **replaced)


@pytest.mark.parametrize("name", list(PAGE["positions"]["K1"]))
def test_every_key_must_be_there(name: str) -> None:
    document = {key: value for key, value in PAGE["positions"]["K3"].items() if key != name}
    with pytest.raises(ValueError, match=f"missing required field `{name}`"):
        GAME.decode(json.dumps(document))


@pytest.mark.parametrize("entry", [None, "auto", "pass", "r@a1", "f4-a1"])
def test_the_latest_actions_are_not_compared_with_the_board(entry: str | None) -> None:
    assert position("K3", last=[entry, None]).last == (entry, None)


def test_a_game_may_have_ended_by_passes_although_a_seat_could_move() -> None:
    state = position("K4", phase="over", actor=None, passes=3)
    assert state.outcome is not None
    assert state.outcome.reason == "passed"


# --- A golden game


def transcript(state: State) -> str:
    """Return a random game as text: the actor, the board, the legal actions, the news."""

    def words(facts: tuple[tuple[str, str], ...]) -> dict[str, str]:
        return {name: find("kabooom", f"part.{word}", "en") or word for name, word in facts}

    luck = Chance(state.seed, label="golden")
    lines = []
    while state.actor is not None:
        lines += [drawn(GRID, state.board), f"points {state.standing()}, passes {state.passes}"]
        listed = " ".join(map(str, state.actions()))
        lines.append(
            fill(f"player {state.actor + 1} of {len(state.actions())}: {listed}", 110, subsequent_indent="    ")
        )
        action = luck.choice(state.actions())
        hints = [state.hint(action, part) or "-" for part in range(len(action.parts))]
        following = state.play(action)
        lines.append(
            f"> {action} ({' '.join(hints)}){' warns: ' + str(state.warns(action)) if state.warns(action) else ''}"
        )
        for item in state.view(None).news(action, following.view(None)):
            who = None if item.seat is None else f"Player {item.seat + 1}"
            lines.append(indent(say("kabooom", f"news.{item.code}", "en", who=who, **words(item.facts)), "  "))
        lines.append("")
        state = following
    lines += [drawn(GRID, state.board), str(state.outcome), GAME.encode(state).decode()]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("name", "seats", "level", "seed"), [("kabooom", 3, "hard", 2023), ("kabooom-easy", 4, "easy", 2024)]
)
def test_golden_game(name: str, seats: int, level: str, seed: int, golden: Callable[[Path, str], None]) -> None:
    golden(HERE / f"golden/{name}.txt", transcript(GAME.start(seats, {"level": level}, seed)))


# --- Counts of positions by depth

DEPTHS = {
    "start of 2": (GAME.start(2), 3),
    "start of 3": (GAME.start(3), 3),
    "start of 4": (GAME.start(4), 3),
    "easy of 2": (GAME.start(2, EASY, 7), 3),
    "easy of 3": (GAME.start(3, EASY, 7), 3),
    "easy of 4": (GAME.start(4, EASY, 7), 3),
    **{name: (position(name), depth) for name, depth in (("K1", 2), ("K2", 3), ("K3", 6), ("K4", 3), ("K5", 8))},
}


def counted(name: str) -> str:
    state, deepest = DEPTHS[name]
    return "".join(f"{name:10} {depth} {count(state, depth):8}\n" for depth in range(1, deepest + 1))


def test_position_counts_by_depth_stay_the_same(request: pytest.FixtureRequest) -> None:
    path = HERE / "counts/kabooom.txt"
    if request.config.getoption("--regold"):
        path.write_text("".join(map(counted, DEPTHS)), encoding="utf-8")
    for line in path.read_text(encoding="utf-8").splitlines():
        name, depth, number = line[:10].strip(), *map(int, line[10:].split())
        state = DEPTHS[name][0]
        assert count(state, depth) == number, f"{line}\n{counts(state, depth)}"


def test_the_first_position_counts_can_be_computed() -> None:
    """24 fields and 4 symbols, one field less after every stone; three stones of a symbol last that long."""
    for seats in GAME.seats:
        assert [count(GAME.start(seats), depth) for depth in (1, 2)] == [24 * 4, 24 * 4 * 23 * 4]


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_numbers_of_first_moves_can_be_computed(seats: int) -> None:
    """Two adjacent stones allow one move, of the stronger one; and two if their symbols are equal."""
    state = GAME.start(seats, EASY, 7)
    beside = [{here, there} for here, around in enumerate(GRID.around) for there in around if here < there]
    reckoned = sum(2 if len({symbol(state.board[place]) for place in pair}) == 1 else 1 for pair in beside)
    moves = [structs.replace(state, actor=seat).actions() for seat in range(seats)]
    assert sum(len(listed) - 1 for listed in moves) == reckoned
