"""Colorio: worked examples, typed text, documents, invariants, and two whole games."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaleidobot.testing.resampling.colorio import resample
from rules.chance import Chance
from rules.contract import BadNotation, Outcome
from rules.games.colorio import GAME
from rules.games.colorio.actions import Uncover
from rules.games.colorio.board import GRID, Cap, Colour, Side, draw_colours
from rules.games.colorio.position import Phase
from rules.games.colorio.state import State
from tests.positions import drawn
from tests.rules.colorio_boards import (
    AFTER_FIRST_TURN,
    ALL_ON,
    FIRST_TURN,
    document,
    legal,
    played,
    position,
    random_game,
    random_games,
    refused,
)

PAGE = json.loads((Path(__file__).parent / "examples" / "colorio.json").read_text())
POSITIONS: dict[str, dict[str, Any]] = PAGE["positions"]

# --- Worked examples --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", PAGE["examples"], ids=lambda example: example["name"])
def test_documented_example(example: dict[str, Any]) -> None:
    state = GAME.decode(json.dumps(POSITIONS[example["from"]]))
    expect: dict[str, Any] = example["expect"]
    actions = example.get("actions", [])
    if "refused" in expect:
        assert refused(state, " ".join(actions)) == expect["refused"]
        return
    for text in actions:
        (action,) = GAME.parse(state, text)
        state = state.play(action)
    after, view = document(state), document(state.view(None))
    assert {key: after[key] for key in expect.get("after", {})} == expect.get("after", {})
    assert {key: view[key] for key in expect.get("view", {})} == expect.get("view", {})
    assert legal(state) == expect.get("legal", legal(state))
    assert set(expect.get("legal_has", [])) <= set(legal(state))
    assert set(expect.get("legal_not", [])).isdisjoint(legal(state))
    if "outcome" in expect:
        assert state.outcome == Outcome(**{key: _tuple(value) for key, value in expect["outcome"].items()})
    for text, words in expect.get("parse", {}).items():
        if words == "BadNotation":
            with pytest.raises(BadNotation):
                GAME.parse(state, text)
        else:
            assert [str(action) for action in GAME.parse(state, text)] == words


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@pytest.mark.parametrize("name", POSITIONS)
def test_documented_positions_are_encoded_as_they_were_decoded(name: str) -> None:
    assert document(GAME.decode(json.dumps(POSITIONS[name]))) == POSITIONS[name]


# --- Notation ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("b3", "b3"),
        ("  B 3 ; X ", "b3 x"),
        ("b3xc2>d4e5x", "b3 x c2 >d4 e5 x"),
        ("b3 to d4, c2 nach a1, e5 auf b3", "b3 >d4 c2 >a1 e5 >b3"),
        ("b3 -> d4", "b3 >d4"),
        ("b3 put d4 c2 lege auf a1 e5 put onto b3", "b3 >d4 c2 >a1 e5 >b3"),
        ("b3 → d4", "b3 >d4"),
        ("b3 remove c2 entfernen e5 weg", "b3 x c2 x e5 x"),
        ("b3 d4 c2 x e5 a1", "b3 >d4 c2 x e5 >a1"),
        ("x", "x"),
        (">d4", ">d4"),
        ("deal", "deal"),
        ("weiter a1 b1 c1 d1", "deal a1 x b1 x c1 x d1"),
    ],
)
def test_typed_text_of_a_later_turn(text: str, words: str) -> None:
    state = position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN)
    assert " ".join(map(str, GAME.parse(state, text))) == words


def test_in_a_first_turn_a_second_field_takes_the_cap_away_and_uncovers() -> None:
    state = position(ALL_ON)
    assert " ".join(map(str, GAME.parse(state, "b3 c2 d1"))) == "b3 x c2 x d1"
    assert " ".join(map(str, GAME.parse(played(state, "b3"), "c2"))) == "x c2"
    assert " ".join(map(str, GAME.parse(state, "b3 >c2"))) == "b3 >c2"


@pytest.mark.parametrize("text", ["", "  ", ",;", "b6", "f1", "b", "3", ">", "> x", "b3 and c2", "b3 x?", "b3-d4", "é"])
def test_a_text_that_is_no_move_is_bad_notation(text: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.parse(position(ALL_ON), text)
    assert refusal.value.code == "notation"


def test_bad_notation_quotes_from_the_first_part_that_cannot_be_parsed() -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.parse(position(ALL_ON), "b3 x, q7 and more than anybody wants to read again")
    assert refusal.value.detail == "q7 and more than any"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("deal", "phase"),
        ("x", "phase"),
        (">c5", "phase"),
        ("a3 deal", "phase"),
        ("c3", "open"),
        ("a3 >c5 b1 >a3 d1 >b1", "must_remove"),
    ],
)
def test_refusals_have_a_code(text: str, code: str) -> None:
    assert refused(position(AFTER_FIRST_TURN, turn=1, actor=1, last=FIRST_TURN), text) == code


# --- Inconsistent documents -------------------------------------------------------------------------------------------


def changed(name: str, **keys: Any) -> str:
    return json.dumps(POSITIONS[name] | keys)


WHITE = {"side": "white", "colours": ["ooror", "ygyby", "rbgbg", "rorby", "ggybo"]}
C3, C4, C7, C8 = (POSITIONS[name] for name in ("C3", "C4", "C7", "C8"))
OVER = document(played(GAME.decode(json.dumps(C7)), "b5 >a3 d5 x d1 >c2 d2"))
BETWEEN = document(played(GAME.decode(json.dumps(C8)), "d2"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "JSON|data"),
        ("[]", "Expected `object`"),
        (json.dumps({key: value for key, value in C3.items() if key != "side"}), "side"),
        (changed("C3", hands=[]), "hands"),
        (changed("C3", game="kabooom"), "game"),
        (changed("C3", seats=True), "seats"),
        (changed("C3", turn=2.0), "turn"),
        (changed("C3", seats=6), "2 to 5 seats"),
        (changed("C3", seats=1, points=[0]), "2 to 5 seats"),
        (changed("C3", seed=-1), "seed"),
        (changed("C3", seed=2**128), "seed"),
        (changed("C3", options={"scoring": "single"}), "memory"),
        (changed("C3", options={"scoring": "single", "memory": "on", "level": "1"}), "level"),
        (changed("C3", options={"scoring": "single", "memory": "no"}), "no"),
        (changed("C3", phase="pause"), "pause"),
        (changed("C3", side="black"), "black"),
        (changed("C3", caps=["####."] * 4), "^caps: the grid"),
        (changed("C3", caps=["####.", "#####", "##.##", "#####", "..##"]), "^caps: the grid"),
        (changed("C3", caps=["####.", "#####", "##.##", "#####", "..##o"]), "^caps: 'o'"),
        (changed("C3", colours=["yogor", "bbygb", "rgrbg", "ygrob", "royop"]), "^colours: 'p'"),
        (changed("C3", log=["f3"]), "^log: 'f3'"),
        (changed("C3", log=["deal"]), "^log: 'deal'"),
        (changed("C3", last={"seat": 1, "actions": ["A3"]}), "^last: 'A3'"),
        (changed("C3", points=[0, 0]), "^points: there must be one"),
    ],
)
def test_a_document_with_missing_unknown_or_wrongly_typed_keys_is_refused(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        GAME.decode(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        # 1. rounds
        (changed("C3", round=1), "^round: must be from 0 to 0"),
        (changed("C8", round=3), "^round: must be from 0 to 2"),
        (changed("C8", round=-1), "^round: must be from 0"),
        (changed("C8", to_come=[WHITE]), "^to_come: must hold exactly"),
        (changed("C3", to_come=[WHITE]), "^to_come: must hold exactly"),
        (json.dumps(OVER | {"phase": "between"}), "^phase: nothing comes after"),
        (json.dumps(BETWEEN | {"phase": "over"}), "^phase: the game is not over"),
        # 2. strips
        (changed("C3", colours=["yogor", "yogor", "rgrbg", "ygrob", "royoy"]), "^colours: the rows are not .* grey"),
        (changed("C3", side="white"), "^colours: the rows are not .* white"),
        (changed("C3", colours=["yogo?", "bbygb", "rgrbg", "ygrob", "royoy"]), "^colours: e5 is in sight"),
        (changed("C9", colours=["yo?or", "bbygb", "rgrbg", "ygrob", "royoy"]), "^colours: c5 is in sight"),
        (json.dumps(OVER | {"colours": ["?ogor", *OVER["colours"][1:]]}), "^colours: a5 is in sight"),
        (changed("C8", to_come=[WHITE, {**WHITE, "side": "grey"}]), "^to_come: the rows are not .* grey"),
        (changed("C8", to_come=[WHITE, {**WHITE, "colours": ["?oror", *WHITE["colours"][1:]]}]), "^to_come: a layout"),
        # 3. marks
        (changed("C3", caps=["+###.", "#####", "##.##", "#####", "..###"]), "^caps: \\+ is"),
        # 4. out
        (changed("C7", out=[3]), "^out: must be different seats"),
        (changed("C7", out=[2, 2]), "^out: must be different seats"),
        (changed("C7", out=[1, 2]), "^out: at least two"),
        (json.dumps(OVER | {"out": [1]}), "^out: exactly one"),
        # 5. points
        (changed("C3", points=[1, 0, 0]), "^points: must not be negative and sum to 0"),
        (changed("C3", points=[1, -1, 0]), "^points: must not be negative"),
        (json.dumps(BETWEEN | {"points": [2, 0, 0]}), "^points: .* sum to 3 after 1"),
        # 6. log
        (changed("C4", log=["a3", "x", "x"]), "^log: uncoverings and decisions"),
        (changed("C4", log=["x"]), "^log: uncoverings and decisions"),
        (changed("C4", log=["a3", ">c5", "e5", "x", "b1", "x"]), "^log: a turn of six"),
        (json.dumps(OVER | {"log": ["a3"]}), "^log: must be empty"),
        (changed("C1", log=["a3", ">c5"]), "^log: the first turn"),
        (changed("C4", log=["a3", ">e5", "c3"]), "^log: e5 was covered"),
        (changed("C4", log=["d1", ">c5", "e5", "x", "b1"]), "^log: d1 was uncovered"),
        (changed("C4", log=["a3", ">c5", "c5"]), "^log: c5 has just been uncovered"),
        (changed("C7", log=["a3"]), "^log: a3 completed its colour"),
        # 7. last
        (changed("C3", last=None), "^last: is null only"),
        (changed("C1", last={"seat": 0, "actions": ["c3", "x", "c5", "x", "a1", "x"]}), "^last: must be null"),
        (changed("C3", last={"seat": 3, "actions": ["a3", "x", "c5", "x", "a1", "x"]}), "^last: there is no such seat"),
        (changed("C3", last={"seat": 1, "actions": ["a3", "c5", "x", "x", "a1", "x"]}), "^last: must alternate"),
        (changed("C3", last={"seat": 1, "actions": []}), "^last: must alternate"),
        (changed("C7", last={"seat": 2, "actions": ["a3", "x"]}), "^last: must alternate"),
        (changed("C3", last={"seat": 1, "actions": ["a3", ">c5", "e5", ">a3", "b1", ">a3"]}), "^last: a turn takes"),
        (changed("C3", last={"seat": 1, "actions": ["a3"]}), "^last: a turn is short"),
        (changed("C7", last={"seat": 2, "actions": ["c2", "x", "a3", "x", "b1", "x"]}), "^last: a turn is short"),
        (json.dumps(OVER | {"last": {"seat": 2, "actions": ["d2"]}}), "^last: a turn is short"),
        (
            json.dumps(OVER | {"last": {"seat": 0, "actions": ["b5", "x", "d5", "x", "d1", "x"]}}),
            "^last: the turn that",
        ),
        (changed("C3", last={"seat": 1, "actions": ["a3", ">c5", "e5", "x", "b1", ">c3"]}), "^last: c3 was covered"),
        # 8. caps
        (
            changed("C1", caps=["####.", *["#####"] * 4]),
            "^caps: 24 at the start of turn 0, which must be from 25 to 25",
        ),
        (changed("C3", turn=1), "^caps: 21 at the start of turn 1, which must be from 22 to 22"),
        (changed("C3", caps=["#####", *C3["caps"][1:]]), "^caps: 22 at the start of turn 2, .* from 19 to 21"),
        # 9. complete colours
        (
            changed("C7", out=[], last={"seat": 1, "actions": ["a4", "x", "e5", "x", "b1", "x"]}, actor=2),
            "^caps: more colours",
        ),
        # 10. actor
        (changed("C3", actor=1), "^actor: must be 2"),
        (changed("C3", actor=None), "^actor: must be 2"),
        (changed("C1", actor=1), "^actor: must be 0"),
        (json.dumps(OVER | {"turn": 0}), "^caps: |^turn: "),
        (json.dumps(BETWEEN | {"actor": 0}), "^actor: must be 1"),
        (json.dumps(OVER | {"actor": 0}), "^actor: must be null"),
    ],
)
def test_an_inconsistent_document_is_refused_and_told_why(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        GAME.decode(text)


# --- Invariants -------------------------------------------------------------------------------------------------------


@given(random_games)
def test_there_is_always_a_legal_action_and_every_round_ends(game: Iterator[State]) -> None:
    caps = 25
    for state in game:
        assert bool(state.actions()) is (state.phase is not Phase.OVER)
        assert len(state.actions()) <= 25
        assert state.turn < 17 + state.seats
        if not state.log:
            left = 25 - state.caps.count(Cap.OPEN)
            assert left == 25 if state.turn == 0 else left < caps
            caps = left


@given(random_games)
def test_every_position_and_every_view_can_be_encoded_and_decoded(game: Iterator[State]) -> None:
    for state in game:
        for shown in (state, state.view(None)):
            assert GAME.decode(GAME.encode(shown)) == shown


@given(random_games, st.data())
def test_positions_that_look_the_same_play_the_same(game: Iterator[State], data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(list(game)))
    other = resample(state, state.actor, data.draw(st.integers(0, 2**64)))
    assert GAME.decode(GAME.encode(other)) == other
    assert other.view(None) == state.view(None)
    assert other.actions() == state.actions()
    assert repr(other) == repr(state)


@given(random_games, st.integers(0, 2**64))
def test_a_deal_keeps_all_colours_of_the_remembered_views(game: Iterator[State], seed: int) -> None:
    views = [state.view(None) for state in game]
    known: tuple[Colour | None, ...] = ()  # the colours visible in this round so far
    for last, now in enumerate(views):
        begins = not last or now.round != views[last - 1].round
        known = now.colours if begins else tuple(map(agreed, known, now.colours))
        dealt = now.deal_anew(Chance(seed), views[:last])
        assert all(seen in (None, there) for seen, there in zip(known, dealt.colours, strict=True))


def agreed(then: Colour | None, now: Colour | None) -> Colour | None:
    """Return the colour of a field seen at two times; None: covered."""
    assert None in (then, now) or then == now
    return now or then


def test_every_board_that_matches_the_known_colours_is_dealt_equally_often() -> None:
    seen = [*"bbygb", *"rgrbg", *"yoyor", *[None] * 10]  # two strips are left, in either direction and order
    dealt = Counter("".join(draw_colours(Chance(seed), Side.GREY, seen)[15:]) for seed in range(1600))
    left = [
        (one[::way], two[::back])
        for one, two in permutations(("ygrob", "yogor"))
        for way in (1, -1)
        for back in (1, -1)
    ]
    assert set(dealt) == {"".join(rows) for rows in left}
    assert all(150 < times < 250 for times in dealt.values())


def test_colours_that_match_no_strips_cannot_be_dealt() -> None:
    with pytest.raises(ValueError, match="strips"):
        draw_colours(Chance(1), Side.GREY, [*"bbbbb", *[None] * 20])


# --- Whole games ------------------------------------------------------------------------------------------------------


def drawn_as_text(view: State) -> str:
    """Return the board: a capital is an open field, ``#`` a cap, a small letter a cap with a remembered colour."""
    marks = [
        str(colour).upper() if cap is Cap.OPEN else str(cap) if cap is Cap.COVERED else str(colour)
        for cap, colour in zip(view.caps, view.colours, strict=True)
    ]
    return indent(drawn(GRID, marks), "    ") + "\n"


def transcript(game: Iterator[State]) -> str:
    """Return a game as every player sees it: the board at every turn, each action with the other legal ones, and the
    news."""
    state = next(game)
    text = f"{state.seats} seats, scoring {state.options.scoring}, memory {state.options.memory}, seed {state.seed}\n"
    for after in game:
        view = state.view(None)
        if not state.log:
            text += f"\nround {state.round}, turn {state.turn}, {state.phase}: seat {state.actor}"
            text += f", out {list(state.out)}, points {list(state.points)}, {state.side}\n{drawn_as_text(view)}"
        (action,) = (action for action in state.actions() if state.play(action) == after)
        if isinstance(action, Uncover):
            barred = [field for field in (*state.covered_this_turn, state.banned) if field]
            choice = f"one of {len(state.actions())}{', not ' * bool(barred)}{' '.join(barred)}"
        else:
            choice = " ".join(legal(view))
        codes = " ".join(f"{news.code}:{news.seat}" for news in view.news(action, after.view(None)))
        text += f"    {action!s:<5} {choice:<40} {codes}\n".replace("  \n", "\n")
        state = after
    end = state.outcome
    assert end is not None
    return f"{text}\n{end.reason}: scores {list(end.scores)}, winners {list(end.winners)}\n{drawn_as_text(state)}"


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("colorio_single", 4, {"scoring": "single", "memory": "on"}),
        ("colorio_rounds", 3, {"scoring": "rounds", "memory": "off"}),
    ],
)
def test_a_whole_game(name: str, seats: int, options: dict[str, str], golden: Callable[[Path, str], None]) -> None:
    golden(Path(__file__).parent / "golden" / f"{name}.txt", transcript(random_game(7, seats, options)))
