"""Crystalla: facts, worked examples, documents and golden games."""

import json
from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from textwrap import fill, indent
from typing import Any

import pytest

from rules import IllegalAction
from rules.chance import Chance
from rules.games.crystalla import (
    CARDS,
    COLOURS,
    CRYSTALS,
    GAME,
    LAYOUTS,
    NAMES,
    OPPOSITE,
    PIECES,
    Display,
    Segment,
    State,
    count,
    emerald_flowers,
    groups,
    ruby_flowers,
    segments,
    sheet,
)
from rules.squares import squares
from tests.positions import drawn
from texts import find, say

HERE = Path(__file__).parent
FACTS: dict[str, Any] = json.loads((HERE / "examples/crystalla-facts.json").read_text(encoding="utf-8"))
EXAMPLES: list[dict[str, Any]] = json.loads((HERE / "examples/crystalla.json").read_text(encoding="utf-8"))


# --- Facts


def test_the_deck_and_the_pieces() -> None:
    assert dict(CARDS) == FACTS["deck"]
    assert dict(PIECES) == FACTS["pieces"]


def test_the_crystals_and_their_order() -> None:
    assert {letter: crystal["name"] for letter, crystal in FACTS["crystals"].items()} == dict(NAMES)
    assert "".join(FACTS["crystals"]) == CRYSTALS
    assert "".join(stone["letter"] for stone in FACTS["stones"]) == COLOURS


def test_the_corners() -> None:
    for corner, owned in FACTS["corners"].items():
        assert (owned["large"]["corner"], owned["small"]["corner"]) == (corner, OPPOSITE[corner])
        assert set(owned["large"]["sides"]) == set(corner)
        assert set(owned["small"]["sides"]) == set(OPPOSITE[corner])


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_stacks(seats: int) -> None:
    facts, layout = FACTS["stacks"][str(seats)], LAYOUTS[seats]
    assert (list(layout.start), layout.neutral, layout.rows) == (facts["start"], facts["neutral"], facts["rows"])
    assert {str(stack): list(layout.beside[stack]) for stack in layout.stacks} == facts["neighbours"]


# --- Worked examples


def key(state: State, name: str) -> Any:
    return json.loads(GAME.encode(state))[name]


def actor(state: State, expected: int | None) -> None:
    assert state.actor == expected


def actions(state: State, expected: list[str]) -> None:
    assert [str(action) for action in state.actions()] == expected


def state(state: State, expected: dict[str, Any]) -> None:
    assert {name: key(state, name) for name in expected} == expected


def outcome(state: State, expected: dict[str, Any]) -> None:
    made = state.outcome
    assert made is not None
    assert {"scores": list(made.scores), "winners": list(made.winners), "reason": made.reason} == expected


def the_sheet(state: State, expected: list[dict[str, int]]) -> None:
    assert list(sheet(state)) == expected
    assert state.standing() == tuple(row["total"] for row in expected)


EXPECTATIONS: dict[str, Callable[[State, Any], None]] = {
    "actor": actor,
    "actions": actions,
    "state": state,
    "outcome": outcome,
    "sheet": the_sheet,
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["name"]))
def test_example(example: dict[str, Any]) -> None:
    position = GAME.decode(json.dumps(example["state"]))
    expected = dict(example["expect"])
    refused, code = expected.pop("refused", (None, ""))
    for place, text in enumerate(example["actions"]):
        (action,) = GAME.parse(position, text)
        assert str(action) == text
        if place == refused:
            with pytest.raises(IllegalAction) as refusal:
                position.play(action)
            assert refusal.value.code == code
            return
        position = position.play(action)
    if "text" in expected:
        read = [str(action) for action in GAME.parse(position, expected.pop("text"))]
        assert read == expected.pop("reads")
    for name, value in expected.items():
        EXPECTATIONS[name](position, value)


def grouped(patterns: Iterable[Iterable[Segment]]) -> set[str]:
    """Return groups or flowers as documented: their cells with the shape, in order."""
    return {" ".join(sorted(segment.cell + segment.shape for segment in pattern)) for pattern in patterns}


def test_the_final_displays_score_the_points_counted_by_hand() -> None:
    (example,) = [example for example in EXAMPLES if example["name"] == "17 final score"]
    first, second = GAME.decode(json.dumps(example["state"])).displays

    assert {crystal: count(first, crystal) for crystal in "tah"} == {"t": 3, "a": 5, "h": 1}
    assert grouped([segments(first, "r")]) == {"a1l b1l b2l c1s c2l"}, "one chain of five"
    assert len(ruby_flowers(first)) == 2
    assert grouped(emerald_flowers(first)) == {"a2s a3s b2s b3l"}
    assert grouped(groups(first, "c")) == {"d1l d2s"}
    assert grouped(groups(first, "d")) == {"d2l d3s", "c2s"}

    assert {crystal: count(second, crystal) for crystal in "tah"} == {"t": 7, "a": 1, "h": 4}
    assert grouped(ruby_flowers(second)) == {"c3s d3l"}
    assert not emerald_flowers(second)
    assert grouped(groups(second, "c")) == {"b2l", "c1l", "c2l d2l", "d1s"}
    assert grouped(groups(second, "d")) == {"a1l a1s a2l b1s"}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: str(example["name"]))
def test_documented_positions_are_encoded_as_they_were_decoded(example: dict[str, Any]) -> None:
    document = json.dumps(example["state"], separators=(",", ":")).encode()
    assert GAME.encode(GAME.decode(document)) == document


# --- Documents


def after(number: str, *texts: str) -> dict[str, Any]:
    """Return the document of an example's position after some actions."""
    (example,) = [example for example in EXAMPLES if example["name"].startswith(number)]
    position = GAME.decode(json.dumps(example["state"]))
    for text in texts:
        position = position.play(GAME.parse(position, text)[0])
    made: dict[str, Any] = json.loads(GAME.encode(position))
    return made


POSITIONS = {
    "swap": after("19"),
    "place": after("20"),
    "take": after("01"),
    "drop": after("01", "take1", "w4"),
    "lay": after("01", "take1", "w4", "o5", "o2"),
    "give": after("01", "take1", "w4", "o5", "o2", "asw"),
    "cover": after("01", "take1", "w4", "o5", "o2", "asw", "w+hl"),
    "three": after("12"),
    "loop": after("09", "take1", "w2", "o5", "o4", "w1"),
    "over": after("17"),
}


def replaced(document: dict[str, Any], *changes: tuple[Any, ...]) -> dict[str, Any]:
    """Return a copy of a document with some entries replaced, each given by its path and its new value."""
    made = json.loads(json.dumps(document))
    for *path, last, value in changes:
        place = made
        for step in path:
            place = place[step]
        place[last] = value
    return dict(made)


def test_these_positions_are_consistent() -> None:
    for name, document in POSITIONS.items():
        assert json.loads(GAME.encode(GAME.decode(json.dumps(document)))) == document, name


HAND = [None, "dh", None]
GIVEN = ["take1", "w4", "o5", "o2", "asw"]
CRAMMED = [
    ["tr-sw+el", "re-sw+el"],
    ["ed-ne+rl", "ae-nw+dl", "ar-sw+hl"],
    ["re-se+hl", "ae-ne+hl", "hc-sw+tl"],
    ["hd-ne+al+hs", "ht-sw+cl", "th-sw+hl"],
]
TWELVE = POSITIONS["over"]["displays"][0]
REFUSED: list[tuple[str, tuple[tuple[Any, ...], ...], str]] = [
    # 1: keys, types, lengths, values, notation
    ("take", (("game", "chess"),), "Invalid enum value 'chess'"),
    ("take", (("seats", 1),), "2 to 4 seats"),
    ("take", (("seats", 5),), "2 to 4 seats"),
    ("take", (("seats", 3),), "'hands': one for each of the 3 seats"),
    ("take", (("seats", "2"),), "Expected `int`, got `str`"),
    ("take", (("options", {"level": "easy"}),), "unknown field `level`"),
    ("take", (("seed", -1),), "the seed must be"),
    ("take", (("seed", 2**128),), "the seed must be"),
    ("take", (("phase", "lunch"),), "Invalid enum value 'lunch'"),
    ("take", (("turn", None),), "'turn': a seat, null exactly in phase 'over'"),
    ("take", (("turn", 2),), "'turn': a seat"),
    ("take", (("turn", -1),), "'turn': a seat"),
    ("over", (("turn", 0),), "null exactly in phase 'over'"),
    ("place", (("deck", 0, "tt"),), "'deck': 'tt' is no card"),
    ("place", (("hands", 1, 1, "xx"),), "'hands': 'xx' is no card"),
    ("take", (("hands", 0, [None, None]),), "'hands': 3 slots each"),
    ("take", (("stacks", 0, 0, "T"),), "'stacks': 'T' is no card"),
    ("take", (("stacks", [["ta"]]),), "'stacks': with 2 seats there are 6"),
    ("take", (("stacks", 0, 1, None),), "the top card of a stack is never hidden"),
    ("take", (("stones", ["ooowww"]),), "'stones': one heap for each of the 6 stacks"),
    ("take", (("stones", 0, "owo"),), "'stones': 'owo' is not made of colours in the order owpk"),
    ("take", (("stones", 0, "oox"),), "'stones': 'oox' is not made of colours"),
    ("drop", (("carry", "oO"),), "'carry': 'oO' is not made of colours"),
    ("lay", (("card", "hh"),), "'card': 'hh' is no card"),
    ("give", (("due", "ww "),), "'due': 'ww ' is not made of colours"),
    ("cover", (("piece", "lh"),), "'piece': 'lh' is no crystal piece"),
    ("cover", (("receiver", 2),), "'receiver': a seat or null"),
    ("take", (("open", ["dl", "hl", "hs"]),), "'open': 4 slots"),
    ("take", (("open", 1, "ta"),), "'open': 'ta' is no crystal piece"),
    ("take", (("piles", "m", []),), "unknown field `m`"),
    ("take", (("piles", "l", 0, "es"),), "'piles': 'es' is no crystal piece of shape 'l'"),
    ("take", (("displays", [TWELVE]),), "'displays': one for each of the 2 seats"),
    ("take", (("displays", 0, TWELVE[:3]),), "'displays': 4 columns each"),
    ("take", (("displays", 0, 0, 0, "ct"),), "'ct' is no laid card"),
    ("take", (("displays", 0, 0, 0, "cc-nw"),), "'cc-nw' is no laid card"),
    ("take", (("displays", 0, 0, 0, "ct-ns"),), "'ct-ns' is no laid card"),
    ("take", (("displays", 0, 2, 0, "cd-ne+hs+hl"),), "the large one first"),
    ("take", (("displays", 0, 2, 0, "cd-ne+hl+tl"),), "is no laid card"),
    ("drop", (("now", 0, "Take1"),), "'now': 'Take1' is no action in canonical notation"),
    ("drop", (("now", 0, "1"),), "'now': '1' is no action in canonical notation"),
    ("take", (("last", {"seat": 2, "actions": []}),), "'last': 'seat' is no seat"),
    ("take", (("last", {"seat": 1, "actions": ["lunch"]}),), "'last': 'lunch' is no action"),
    ("take", (("last", {"seat": 1, "actions": [None]}),), "Expected `str`, got `null`"),
    # 2: numbers of cards and pieces
    ("take", (("stacks", 0, 0, "ch"), ("stacks", 4, 0, "ch")), "the card ch occurs 3 times, there are only 2"),
    ("place", (("hands", 1, 1, "cd"), ("deck", 0, "cd")), "the card cd occurs 5 times, there are only 3"),
    ("take", (("open", 0, "al"),), "the crystal piece al occurs 3 times, there are only 2"),
    ("cover", (("displays", 0, 0, 0, "ct-sw+es"), ("open", 2, "es"), ("open", 3, "es")), "the crystal piece es"),
    # 3: columns and pieces
    ("take", (("displays", 0, 1, ["cd-nw", "de-se", "et-sw", "ta-nw"]),), "column b holds more than 3 cards"),
    ("take", (("displays", 0, 0, 0, "ct-sw+cl"),), "has a piece on its own crystal"),
    ("take", (("displays", 0, 0, 0, "ct-sw+ts"),), "has a piece on its own crystal"),
    # 4: stones
    ("take", (("stones", 1, "o"),), "there are 4 stones 'o', with 2 seats 3"),
    ("take", (("stones", 1, "p"),), "there are 1 stones 'p', with 2 seats 0"),
    ("drop", (("carry", "o"),), "there are 2 stones 'o', with 2 seats 3"),
    ("three", (("stones", 0, "oo"),), "there are 2 stones 'k', with 3 seats 3"),
    # 5: setup
    ("swap", (("stacks", 0, ["hd"]), ("deck", -1, "ta")), "the card|in setup the stacks are empty"),
    ("swap", (("hands", 0, 0, None),), "laid and held cards are 3 together"),
    ("swap", (("hands", 1, 0, None),), "seat 1 has laid 0 cards and holds 3"),
    ("swap", (("hands", 0, [None] * 3), ("displays", 0, 0, ["cd-nw", "ar-nw", "cd-nw"])), "in 'swap' seat 0 holds 0"),
    ("place", (("hands", 1, [None] * 3), ("displays", 1, 0, ["dh-nw"])), "in 'place' seat 1 holds 0 cards"),
    ("place", (("displays", 0, 0, []),), "seat 0 has laid 3 cards and holds 0"),
    ("place", (("turn", 0),), "in 'place' seat 0 holds 0 cards"),
    ("swap", (("deck", ["ta"] * 3),), "in setup the deck has at least 26 cards"),
    # 5: rounds
    ("take", (("deck", ["ta"]),), "after setup the deck is empty"),
    ("take", (("hands", 0, HAND),), "after setup the hands are empty"),
    ("take", (("displays", 0, 0, ["ct-sw"]),), r"the displays hold \[10, 11\] cards, in turn it would be \[11, 11\]"),
    ("take", (("turn", 1),), r"hold \[11, 11\] cards, in turn it would be \[12, 11\]"),
    ("give", (("displays", 0, 0, ["ct-sw", "ec-ne"]),), r"hold \[11, 11\] cards, in turn it would be \[12, 11\]"),
    ("take", (("displays", [[[]] * 4] * 2),), "began this round with 0 cards, it would be 3 to 11"),
    ("take", (("displays", [TWELVE, TWELVE]), ("stacks", [["ta"]] * 6)), "the card|began this round with 12"),
    ("over", (("displays", 0, 0, ["rt-ne"]),), "in phase 'over' every seat has laid 12 cards"),
    ("take", (("stacks", 1, []),), "after setup no stack is empty"),
    ("take", (("stacks", [["ta"], ["ch"], ["rd"], ["hr", "er"], ["th"], ["dc"]]),), "at least 8 cards together: 2 are"),
    # 6: values of a phase
    ("take", (("stones", 0, "ow"), ("carry", "o")), "'carry': stones are in hand exactly in phase 'drop'"),
    ("take", (("card", "ea"),), "'card': a card is taken exactly in phases 'refill' and 'lay'"),
    ("lay", (("card", None),), "'card': a card is taken exactly in phases 'refill' and 'lay'"),
    ("take", (("piece", "el"),), "'piece': there is one exactly in phase 'cover'"),
    ("take", (("receiver", 1),), "'receiver': there is one exactly in phase 'cover'"),
    ("cover", (("receiver", None),), "'receiver': there is one exactly in phase 'cover'"),
    ("take", (("due", "w"),), "'due': in phase 'take' no seat is due a piece"),
    ("drop", (("due", "w"),), "'due': in phase 'drop' no seat is due a piece"),
    # 6: actions of the turn
    ("take", (("now", ["take1"]),), "'now': in phase 'take' nothing has been played yet"),
    ("swap", (("now", ["keep"]),), "'now': in phase 'swap' nothing has been played yet"),
    ("place", (("now", []),), "a keep or a swap, then 2 cards placed"),
    ("place", (("now", ["keep", "3dse"]),), "a keep or a swap, then 2 cards placed"),
    ("place", (("now", ["keep", "swap1", "3dse"]),), "a keep or a swap, then 2 cards placed"),
    ("drop", (("now", []),), "'now': a take, then only drops"),
    ("drop", (("now", ["w4"]),), "'now': a take, then only drops"),
    ("drop", (("now", ["take1", "take4"]),), "'now': a take, then only drops"),
    ("drop", (("now", ["take1", "w4", "anw"]),), "'now': a take, then only drops"),
    ("lay", (("now", ["take1"]),), "'now': a walk has at least one drop"),
    ("drop", (("now", ["take7", "w4"]),), "'now': there is no such stack"),
    ("drop", (("now", ["take2", "w4"]),), "'now': a step goes to a neighbouring stack"),
    ("loop", (("now", ["take1", "w2", "o1", "o4", "w1"]),), "'now': a step goes straight back"),
    ("drop", (("now", ["take1", "w2"]),), "'now': w2 fell, but is not there"),
    ("drop", (("stones", ["o", "", "o", "ww", "", "w"]), ("carry", "o")), "stack 1 were lifted, but 1 are there"),
    ("loop", (("stones", ["ow", "w", "w", "o", "o", ""]),), "all stones of stack 1 were lifted, but 1 are"),
    (
        "drop",
        (("stones", ["", "", "ooo", "ww", "", ""]), ("carry", "w"), ("now", ["take1", "w4"])),
        "'now': the stones that were lifted are all of others",
    ),
    ("lay", (("due", ""),), "'due': not what this walk awards"),
    ("lay", (("due", "ow"),), "'due': not what this walk awards"),
    ("give", (("now", ["take1", "w4", "o5", "o2"]),), "in phase 'give' the card has been laid"),
    ("give", (("now", [*GIVEN, "bnw"]),), "after the lay only gives and covers"),
    ("give", (("now", [*GIVEN, "a1"]),), "a cover follows a give"),
    ("give", (("now", [*GIVEN, "o+hl"]),), "nothing is due for 'o'"),
    ("cover", (("now", [*GIVEN, "w+hl", "w+hl"]),), "nothing is due for 'w'"),
    ("give", (("due", ""),), "after this turn's awards and gifts it would be 'w'"),
    ("give", (("due", "o"),), "after this turn's awards and gifts it would be 'w'"),
    ("give", (("now", [*GIVEN, "w+hl"]), ("due", "")), "a seat is due a piece and one is open"),
    ("give", (("open", [None] * 4),), "a seat is due a piece and one is open"),
    ("cover", (("due", "w"),), "after this turn's awards and gifts it would be ''"),
    ("cover", (("piece", "el"),), r"in phase 'cover' w\+el was played last"),
    ("cover", (("receiver", 0),), r"in phase 'cover' o\+hl was played last"),
    ("cover", (("now", [*GIVEN, "w+hl", "a1"]),), r"in phase 'cover' w\+hl was played last"),
    ("cover", (("displays", 1, CRAMMED),), "the piece hl fits no segment"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "complaint"), REFUSED)
def test_an_inconsistent_document_is_refused(name: str, changes: tuple[tuple[Any, ...], ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        GAME.decode(json.dumps(replaced(POSITIONS[name], *changes)))


@pytest.mark.parametrize("name", list(POSITIONS["take"]))
def test_every_key_must_be_there(name: str) -> None:
    document = {entry: value for entry, value in POSITIONS["take"].items() if entry != name}
    with pytest.raises(ValueError, match=f"missing required field `{name}`"):
        GAME.decode(json.dumps(document))


def test_cards_and_pieces_may_be_missing() -> None:
    """They are out of the game."""
    document = replaced(POSITIONS["take"], ("open", [None] * 4), ("piles", {"l": [], "s": []}), ("stacks", 0, ["eh"]))
    assert json.loads(GAME.encode(GAME.decode(json.dumps(document)))) == document


def test_a_log_of_the_last_turn_is_not_compared_with_the_board() -> None:
    document = replaced(POSITIONS["take"], ("last", {"seat": 1, "actions": ["take9", "k1", "a1", "keep"]}))
    assert json.loads(GAME.encode(GAME.decode(json.dumps(document)))) == document


# --- Golden games


def table(display: Display, seat: int, total: int) -> str:
    """Return a display with its owner and points."""
    cards = [column[row] if row < len(column) else "" for row in range(3) for column in display]
    return f"player {seat + 1}, {total} points\n" + drawn(squares(4, 3), cards)


def side_by_side(blocks: list[str]) -> str:
    """Return two blocks of text in a row."""
    rows = [blocks[first : first + 2] for first in range(0, len(blocks), 2)]
    lines = [pair for row in rows for pair in zip_longest(*(block.split("\n") for block in row), fillvalue="")]
    return "\n".join("".join(f"{cell:54}" for cell in line).rstrip() for line in lines)


def board(state: State) -> str:
    """Return the public board: stacks, open pieces, displays."""
    stacks = [
        f"{number} {stack[-1] if stack else '--'} x{len(stack):<2} {stones:7}"
        for number, (stack, stones) in enumerate(zip(state.stacks, state.stones, strict=True), 1)
    ]
    rows = ["".join(stacks[first : first + 3]).rstrip() for first in range(0, len(stacks), 3)]
    piles = " + ".join(str(len(pile)) for pile in state.piles)
    pieces = f"pieces {' '.join(piece or '--' for piece in state.open)} and {piles}"
    hands = " ".join("/".join(card or "--" for card in hand) for hand in state.hands)
    owners = list(zip(state.displays, range(state.seats), state.standing(), strict=True))
    displays = side_by_side([table(*owner) for owner in owners])
    return "\n".join([*rows, pieces, *([f"hands {hands}"] if any(map(any, state.hands)) else []), displays])


def transcript(state: State) -> str:
    """Return a random game as text: the board before every turn, the actor, the legal actions, the news."""

    def words(facts: tuple[tuple[str, str], ...]) -> dict[str, str]:
        return {
            name: " ".join(find("crystalla", f"part.{word}", "en") or word for word in fact.split(" "))
            for name, fact in facts
        }

    luck = Chance(state.seed, label="golden")
    lines = []
    while state.actor is not None:
        if not state.now:
            lines += ["", board(state.view(None))]
        listed = " ".join(map(str, state.actions()))
        lines.append(fill(f"player {state.actor + 1}: {listed}", 110, subsequent_indent="    "))
        action = luck.choice(state.actions())
        hints = [state.hint(action, part) or "-" for part in range(len(action.parts))]
        following = state.play(action)
        lines.append(f"> {action} ({' '.join(hints)})")
        for item in state.view(None).news(action, following.view(None)):
            seats = {"who": item.seat, "to": item.to}
            named = {name: f"Player {seat + 1}" for name, seat in seats.items() if seat is not None}
            lines.append(indent(say("crystalla", f"news.{item.code}", "en", **named, **words(item.facts)), "  "))
        state = following
    rows = ["points     " + " ".join(f"{crystal:>5}" for crystal in (*CRYSTALS, "total"))]
    rows += [
        f"player {seat + 1}   " + " ".join(f"{row[crystal]:5}" for crystal in (*CRYSTALS, "total"))
        for seat, row in enumerate(sheet(state))
    ]
    lines += ["", board(state), "", *rows, str(state.outcome), GAME.encode(state).decode()]
    return "\n".join(lines).lstrip("\n") + "\n"


@pytest.mark.parametrize(("name", "seats", "seed"), [("crystalla", 2, 7), ("crystalla-3", 3, 8), ("crystalla-4", 4, 9)])
def test_golden_game(name: str, seats: int, seed: int, golden: Callable[[Path, str], None]) -> None:
    golden(HERE / f"golden/{name}.txt", transcript(GAME.start(seats, seed=seed)))
