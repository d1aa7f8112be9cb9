"""Kaleidoskop: worked examples, the listed board, documents, two golden games."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import fill, indent
from typing import Any

import msgspec
import pytest

from rules import BadNotation, IllegalAction
from rules.chance import Chance
from rules.games.kaleidoskop import (
    BACK,
    COLOURS,
    GAME,
    GOALS,
    GRID,
    HEXES_OF,
    IDS,
    NOTHING,
    OF_EACH,
    POINTS,
    WELLS,
    WELLS_OF,
    Buy,
    Claim,
    Crystal,
    Deck,
    End,
    Glass,
    Hold,
    Limit,
    Mirror,
    State,
    board,
    task,
)
from rules.games.kaleidoskop.values import ROUNDS
from texts import find, say

HERE = Path(__file__).parent
PAGE: dict[str, Any] = json.loads((HERE / "examples/kaleidoskop.json").read_text(encoding="utf-8"))
CARDS = "3765b72f5e12a4fc4dac39f9bd4c3f355483e164668af0b58e71cfd1500dc740"
BOARD: dict[str, Any] = json.loads((HERE / "examples/kaleidoskop-board.json").read_text(encoding="utf-8"))


def at(document: Any, path: str) -> Any:
    """Return the value at a dotted path; None for a key that does not exist."""
    for step in path.split("."):
        document = document[int(step)] if isinstance(document, list) else document.get(step)
    return document


def position(changed: dict[str, Any] | None = None, **replaced: Any) -> State:
    """Return the documented example, with values at dotted paths *changed* and whole keys *replaced*; the colours
    follow."""
    document = json.loads(json.dumps({**PAGE["document"], **replaced}))
    if changed:
        document.pop("hexes")
    for path, value in (changed or {}).items():
        *way, last = path.split(".")
        parent = at(document, ".".join(way)) if way else document
        parent[int(last) if isinstance(parent, list) else last] = value
    return GAME.decode(json.dumps(document))


def numbers(text: str) -> list[int]:
    """Return the numbers of a list with ranges.

    >>> numbers("1 3-5")
    [1, 3, 4, 5]
    """
    ranges = [re.findall(r"\d+", word) for word in text.split()]
    return [number for ends in ranges for number in range(int(ends[0]), int(ends[-1]) + 1)]


# --- Worked examples


@pytest.mark.parametrize("example", PAGE["examples"], ids=lambda example: str(example["name"]))
def test_example(example: dict[str, Any]) -> None:
    expected = dict(example)
    state = position(expected.pop("set", {}))
    typed = expected.pop("actions", [])
    refused = expected.pop("refused", None)
    del expected["name"]
    if refused is not None:
        *typed, last = typed
    for text in typed:
        (action,) = GAME.parse(state, text)
        assert action in state.actions()
        state = state.play(action)
    if refused is not None:
        (action,) = GAME.parse(state.view(None), last) if last != "claim2a" else deckless(last)
        assert action not in state.actions()
        with pytest.raises(IllegalAction) as refusal:
            state.play(action)
        assert refusal.value.code == refused
    if "view" in expected:
        state = state.view(expected.pop("view"))
    for path, value in expected.pop("becomes", {}).items():
        assert at(json.loads(GAME.encode(state)), path) == value, path
    if "legal" in expected:
        assert list(map(str, state.actions())) == expected.pop("legal")
    if "outcome" in expected:
        outcome = state.outcome
        assert outcome is not None
        made = {"scores": list(outcome.scores), "winners": list(outcome.winners), "reason": outcome.reason}
        assert made == expected.pop("outcome")
    if "text" in expected:
        text, parsed, code = expected.pop("text"), expected.pop("parsed"), expected.pop("code", None)
        if parsed is None:
            with pytest.raises(BadNotation) as bad:
                GAME.parse(state, text)
            assert bad.value.code == code
        else:
            assert list(map(str, GAME.parse(state, text))) == parsed
    assert not expected, "the example says something that was not looked at"


def deckless(text: str) -> tuple[Any, ...]:
    """Return the claim without a deck, which can be parsed only if both decks are empty."""
    return GAME.parse(position(decks={"blue": [], "orange": []}), text)


@pytest.mark.parametrize(
    "text",
    [
        "22p end",
        "buy:glass 22p mirror:21:c4 claim2a>orange end",
        "57r hold claim1a>blue claim1a>blue limit>orange end",
    ],
)
def test_typed_whole_turns(text: str) -> None:
    state = position()
    for action in GAME.parse(state, text):
        assert action in state.actions()
        state = state.play(action)
    assert state.turn == 12


VIOLET = {str(well): "v" for well in numbers("14-17 20 21 27 33 34 39-41 45 46 51 52 57 63")} | {"58": "y"}
BARE = {"players.1.tools": {"holder": "ready", "mirror": "none", "glass": "none"}}
NEW = {"players.1.tools": {"holder": "none", "mirror": "none", "glass": "none"}, "players.1.done": []}
BROKE: dict[str, Any] = {"players.1.score": 0}
EMPTY: dict[str, Any] = {"decks": {"blue": [], "orange": []}}


@pytest.mark.parametrize(
    ("changed", "before", "last", "code"),
    [
        ({}, "22p", Crystal(1, "p"), "stage"),
        ({}, "", Crystal(21, "v"), "held"),
        ({"crystals": VIOLET} | BROKE, "", Crystal(57, "v"), "same_colour"),
        ({"crystals": VIOLET} | BROKE, "", Crystal(58, "v"), "supply"),
        ({"crystals": VIOLET} | BROKE, "", Crystal(58, "r"), "cost"),
        (NEW, "", Hold(), "stage"),
        (NEW | BROKE, "22p", Hold(), "not_owned"),
        (BROKE, "22p hold", Hold(), "used"),
        (BROKE, "22p mirror:27:c4", Hold(), "cost"),
        (BARE, "", Mirror(1, "a1"), "stage"),
        (BARE, "22p", Mirror(1, "a1"), "not_owned"),
        ({}, "22p mirror:27:c4", Mirror(1, "a1"), "used"),
        ({}, "22p", Mirror(1, "e4"), "not_in_play"),
        ({}, "22p", Mirror(44, "a1"), "not_in_play"),
        ({}, "22p", Mirror(44, "e4"), "not_adjacent"),
        (BROKE, "22p hold", Mirror(44, "d1"), "not_in_play"),
        (BROKE, "22p hold", Mirror(44, "e1"), "not_in_play"),
        (BROKE, "22p hold", Mirror(44, "e2"), "empty"),
        (BROKE, "22p hold", Mirror(27, "c3"), "taken"),
        (BROKE, "22p hold", Mirror(27, "c4"), "cost"),
        (EMPTY, "", Claim(4, "a", "blue"), "stage"),
        (EMPTY, "22p", Claim(4, "a", "blue"), "no_card"),
        (EMPTY, "22p", Claim(1, "b", "blue"), "not_fulfilled"),
        ({}, "22p", Claim(1, "b", None), "not_fulfilled"),
        ({}, "22p", Claim(2, "a", None), "deck_missing"),
        (EMPTY, "22p", Claim(2, "a", "blue"), "deck_empty"),
        (BROKE, "", Buy("mirror"), "owned"),
        (BROKE, "", Buy("glass"), "cost"),
        (BROKE | EMPTY | {"players.1.limit": 4}, "", Limit("blue"), "owned"),
        (BROKE | EMPTY, "", Limit("blue"), "cost"),
        (EMPTY, "", Limit("blue"), "deck_empty"),
        ({}, "", End(), "stage"),
    ],
    ids=lambda value: str(value) if isinstance(value, str | Crystal | Mirror | Claim) else "",
)
def test_of_several_reasons_the_first_one_counts(changed: dict[str, Any], before: str, last: Any, code: str) -> None:
    """In the documented order: each time the later reasons hold as well, as far as possible."""
    state = position(changed)
    for action in GAME.parse(state, before) if before else ():
        state = state.play(action)
    assert last not in state.actions()
    with pytest.raises(IllegalAction) as refusal:
        state.play(last)
    assert refusal.value.code == code


# --- The listed board and cards


def test_the_hexes_are_the_listed_ones() -> None:
    listed = {name: (entry["q"], entry["r"]) for name, entry in BOARD["hexes"].items()}
    assert dict(zip(GRID.fields, GRID.cells, strict=True)) == listed


def test_the_wells_are_the_listed_ones() -> None:
    for number, entry in BOARD["wells"].items():
        assert POINTS[int(number) - 1] == (entry["x"], entry["y"])
        assert [GRID.fields[place] for place in HEXES_OF[int(number) - 1]] == entry["hexes"]
    assert len(BOARD["wells"]) == WELLS == 72


def test_the_wells_of_the_middle_are_the_listed_ones() -> None:
    assert [well + 1 for well in WELLS_OF[GRID.number["d4"]]] == BOARD["start_ring"]


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_covers_are_at_the_listed_hexes(seats: int) -> None:
    covered = {name for name, entry in BOARD["hexes"].items() if entry["cover"] in BOARD["covered"][str(seats)]}
    assert {GRID.fields[place] for place in board(seats).hexes} == set(GRID.fields) - covered


@pytest.mark.parametrize(
    ("seats", "wells"),
    [
        (3, numbers("10 11 14-17 20-22 25-29 32-35 38-41 44-48 51-53 56-59 62 63")),
        (5, sorted(set(range(1, 73)) - {*numbers("1 3 4 8 24 30 43 49 65 69 70 72")})),
        (6, numbers("1-72")),
    ],
)
def test_the_wells_in_play(seats: int, wells: list[int]) -> None:
    assert [well + 1 for well in board(seats).wells] == wells


def test_the_wells_are_numbered_in_reading_order() -> None:
    lines = [y for _, y in POINTS]
    assert sorted(POINTS, key=lambda point: point[::-1]) == list(POINTS)
    assert [lines.count(y) for y in sorted(set(lines))] == [3, 5, 4, 6, 5, 7, 6, 6, 7, 5, 6, 4, 5, 3]


def test_the_figures_are_the_listed_ones() -> None:
    assert BOARD["crystals_per_colour"] == OF_EACH
    assert {str(length): score for length, score in GOALS.items()} == BOARD["goal"]
    assert BOARD["round_limit"] == ROUNDS


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_colours_have_the_listed_names_and_can_be_typed_by_them(lang: str) -> None:
    assert tuple(BOARD["colours"]) == tuple(COLOURS)
    for colour, names in BOARD["colours"].items():
        shown = say("kaleidoskop", f"part.{colour}", lang).split()[-1]
        assert shown.casefold() == names[lang], "in German it is a noun where it stands in a sentence"
        for typed in (names[lang], shown):
            assert GAME.parse(position(), f"17 {typed}") == (Crystal(17, colour),)


def test_the_cards_are_the_listed_ones() -> None:
    """All 240 tasks: the digest is that of the documented list, keys sorted and without blanks."""
    cards = {
        deck: [
            {"id": card, "tasks": {name: msgspec.to_builtins(task(card, name)) for name in "ab"}} for card in IDS[deck]
        ]
        for deck in IDS
    }
    listed = json.dumps(cards, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(listed.encode()).hexdigest() == CARDS


def test_groups_of_six_cards_differ_by_a_step_on_the_cycle_of_colours() -> None:
    step = dict(zip(COLOURS, COLOURS[1:] + COLOURS[:1], strict=True))
    for cards in IDS.values():
        for first in range(0, len(cards), 6):
            group = cards[first : first + 6]
            for card, following in zip(group, (*group[1:], group[0]), strict=True):
                for name in "ab":
                    one, other = task(card, name), task(following, name)
                    assert [(*hex_[:-1], step[str(hex_[-1])]) for hex_ in one.hexes] == list(other.hexes)
                    assert [(*crystal[:-1], step[str(crystal[-1])]) for crystal in one.crystals] == list(other.crystals)


def test_all_240_tasks_are_different() -> None:
    assert len({(task(card, name).hexes, task(card, name).crystals) for card in BACK for name in "ab"}) == 240


def test_the_patterns_and_rewards_of_the_tasks() -> None:
    sizes = {
        (back, name): {
            (len(task_.hexes), len(task_.crystals), task_.reward) for task_ in (task(c, name) for c in IDS[back])
        }
        for back in Deck
        for name in "ab"
    }
    assert sizes[Deck.BLUE, "a"] == {(3, 0, 1)}
    assert sizes[Deck.BLUE, "b"] == {(3, 1, 2), (4, 0, 2)}
    assert sizes[Deck.ORANGE, "a"] == {(4, 0, 3), (3, 2, 3)}
    assert sizes[Deck.ORANGE, "b"] == {(4, 1, 5), (3, 2, 5)}


# --- Documents


def test_the_example_is_encoded_as_it_was_decoded() -> None:
    assert GAME.encode(position()) == json.dumps(PAGE["document"], separators=(",", ":")).encode()


def test_options_that_the_page_does_not_have_are_encoded_if_chosen() -> None:
    optional = position({"options.drawing": "may"})
    assert json.loads(GAME.encode(optional))["options"] == {**PAGE["document"]["options"], "drawing": "may"}
    assert GAME.decode(GAME.encode(optional)) == optional != position()


def test_omitted_colours_are_computed() -> None:
    document = {key: value for key, value in PAGE["document"].items() if key not in ("hexes", "before")}
    state = GAME.decode(json.dumps(document))
    assert state.hexes == position().hexes
    assert state.before == state.hexes


def test_the_order_of_the_wells_does_not_matter() -> None:
    turned = dict(reversed(PAGE["document"]["crystals"].items()))
    assert position(crystals=turned) == position()


@pytest.mark.parametrize("name", [key for key in PAGE["document"] if key not in ("hexes", "before")])
def test_every_other_key_must_be_there(name: str) -> None:
    document = {key: value for key, value in PAGE["document"].items() if key != name}
    with pytest.raises(ValueError, match=f"missing required field `{name}`"):
        GAME.decode(json.dumps(document))


NINETEEN = numbers("14-17 20-22 25-29 32-35 38-40")


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        # keys and types
        ({"game": "chess"}, "Invalid enum value 'chess'"),
        ({"seats": 1}, "2 to 6 seats"),
        ({"seats": 7}, "2 to 6 seats"),
        ({"seats": True}, r"Expected `int`, got `bool` - at `\$.seats`"),
        ({"seed": -1}, "the seed must be"),
        ({"seed": 2**128}, "the seed must be"),
        ({"options": {"length": "short"}}, "missing required field `ending`"),
        ({"options.length": "endless"}, "Invalid enum value 'endless'"),
        ({"options.ending": "soon"}, "Invalid enum value 'soon'"),
        ({"options.speed": "high"}, "unknown field `speed`"),
        ({"stage": "lunch"}, "Invalid enum value 'lunch'"),
        ({"weather": "fine"}, "unknown field `weather`"),
        ({"turn": 1.5}, "got `float`"),
        ({"players.0.hats": 1}, "unknown field `hats`"),
        ({"players.0.tools.saw": "ready"}, "unknown field `saw`"),
        ({"players.0.hand.0.front": "b45"}, "unknown field `front`"),
        ({"decks.green": []}, "unknown field `green`"),
        # the board
        ({"crystals.1": "r"}, "with 3 seats there is no well '1'"),
        ({"crystals.73": "r"}, "with 3 seats there is no well '73'"),
        ({"crystals.017": "r"}, "with 3 seats there is no well '017'"),
        ({"crystals.17": "w"}, "'w' in well 17 is no colour"),
        ({"crystals.17": ""}, "'' in well 17 is no colour"),
        ({"crystals.17": "rg"}, "'rg' in well 17 is no colour"),
        (
            {"crystals": dict.fromkeys(map(str, numbers("14-17 20-22 25-29 32-35 38-40")), "r")},
            "more than 18 of colour",
        ),
        ({"hexes": {"b2": "y"}}, "give b3, c2, c3, c4, d3, d4, .* another colour"),
        ({"hexes": {**PAGE["document"]["hexes"], "b2": "r"}}, "give b2 another colour"),
        ({"hexes": {"a1": "y"}}, "'hexes': with 3 seats there is no hex 'a1'"),
        ({"hexes": {"b2": "none"}}, "'hexes': 'none' of b2 is no colour"),
        ({"before": {"a1": "y"}}, "'before': with 3 seats there is no hex 'a1'"),
        ({"before": {"h1": "y"}}, "'before': with 3 seats there is no hex 'h1'"),
        ({"before": {"b2": "w"}}, "'before': 'w' of b2 is no colour"),
        ({"last": 22}, "no crystal in well 22"),
        ({"last": 0}, "no crystal in well 0"),
        ({"last": -1}, "no crystal in well -1"),
        ({"last": 100}, "no crystal in well 100"),
        ({"last": None, "stage": "tools"}, "in stage 'tools' 'last' is a well"),
        ({"last": None, "stage": "tasks"}, "in stage 'tasks' 'last' is a well"),
        # turns
        ({"turn": 0}, "'turn' is from 1 to 120"),
        ({"turn": 121}, "'turn' is from 1 to 120"),
        ({"final": 13}, "a multiple of 3"),
        ({"final": 9}, "'final' is from 'turn' to 120"),
        ({"final": 123}, "'final' is from 'turn' to 120"),
        ({"stage": "over"}, "the turn is 'final' or 120"),
        ({"stage": "over", "final": 12}, "the turn is 'final' or 120"),
        ({"options.ending": "at_once", "final": 12}, "with the ending 'at_once' it is the turn"),
        ({"options.ending": "at_once", "stage": "over", "final": 11}, "seat 1 does not meet the conditions"),
        ({"options.drawing": "never"}, "Invalid enum value 'never'"),
        # players and cards
        ({"players": PAGE["document"]["players"][:2]}, "an entry for each of the 3 seats"),
        ({"players": PAGE["document"]["players"] * 2}, "an entry for each of the 3 seats"),
        ({"players.1.score": -1}, "seat 1: the score is below 0"),
        ({"players.1.limit": 5}, "seat 1: the limit is 3 or 4"),
        ({"players.1.hand": [{"back": "blue", "id": None}] * 4}, "seat 1: the hand has more cards than the limit"),
        ({"players.1.hand.0.id": "b73"}, "seat 1: there is no card 'b73'"),
        ({"players.1.hand.0.id": "o01"}, "seat 1: card 'o01' has no blue back"),
        ({"players.1.hand.0.back": "green"}, "Invalid enum value 'green'"),
        ({"players.1.done.0.id": "b99"}, "seat 1: there is no card 'b99'"),
        ({"players.1.done.0.id": None}, "Expected `str`, got `null`"),
        ({"players.1.done.0.task": "c"}, "seat 1: card 'b71' has no task 'c'"),
        ({"decks.blue": ["o01"]}, "no card 'o01' in the blue deck"),
        ({"decks.orange": ["b01"]}, "no card 'b01' in the orange deck"),
        ({"decks.orange": ["x"]}, "no card 'x' in the orange deck"),
        ({"decks.blue": ["b54"]}, "card 'b54' occurs 2 times"),
        ({"decks.blue": ["b53", "b53"]}, "card 'b53' occurs 2 times"),
        ({"players.0.hand.0.id": "b04"}, "card 'b04' occurs 2 times"),
        ({"players.0.done.1.id": "b71"}, "card 'b71' occurs 2 times"),
        ({"decks.blue": [None] * 62}, "there are 73 blue cards, but only 72 exist"),
        ({"decks.orange": [None] * 47}, "there are 52 orange cards, but only 48 exist"),
        # tools
        ({"players.1.tools.holder": "none"}, "seat 1: with 1 finished cards the holder is not 'none'"),
        ({"players.1.done": []}, "seat 1: with 0 finished cards the holder is 'none'"),
        ({"players.0.tools.holder": "22"}, "seat 0: the holder is at '22', where there is no crystal"),
        ({"players.0.tools.holder": "here"}, "seat 0: the holder is at 'here'"),
        ({"players.2.tools.holder": "21"}, "2 holders are at '21'"),
        ({"players.0.tools.mirror": "27"}, "seat 0: the mirror is at '27', which is no place"),
        ({"players.0.tools.mirror": "27:e4"}, "seat 0: the mirror is at '27:e4', which is no place"),
        ({"players.0.tools.glass": "14:b1"}, "seat 0: the glass is at '14:b1', a hex that is not in play"),
        ({"players.0.tools.glass": "15:b3"}, "seat 0: the glass is at '15:b3', where there is no crystal"),
        ({"players.0.tools.glass": "27:c3"}, "2 mirrors and glasses are at '27:c3'"),
        (
            {"players.1.tools.mirror": "27:c4"},
            "seat 1: in stage 'place' the actor has no tool on the board",
        ),
        ({"players.1.tools.glass": "27:c4"}, "seat 1: in stage 'place' .* but the glass"),
        ({"players.1.tools.holder": "27"}, "seat 1: in stage 'place' .* but the holder"),
        ({"players.1.tools.holder": "27", "stage": "tools"}, "seat 1: the holder is not at 'last'"),
        ({"players.1.tools.holder": "27", "stage": "tasks"}, "seat 1: the holder is not at 'last'"),
    ],
)
def test_an_inconsistent_document_is_refused(changed: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        position(changed)


def test_positions_can_be_written_freely() -> None:
    """Decks may be short, the middle may be empty, a score need not agree with the finished cards."""
    state = position(
        {"decks": {"blue": [], "orange": []}, "crystals": {"21": "v", "27": "g"}, "players.0.score": 99}, before={}
    )
    assert state.players[0].score == 99
    assert state.hexes.count(NOTHING) == 37 - 3


def test_a_finished_game_may_have_tools_of_its_last_player_on_the_board() -> None:
    state = position({"stage": "over", "final": 12, "turn": 12, "players.2.tools.holder": "27"})
    assert state.actor is None
    assert state.players[2].tools.holder == "27"


# --- Golden games


def drawn(state: State) -> Iterator[str]:
    """Return the hexes with their colours, and the crystals in the wells."""
    hexes = {place: state.hexes[place].upper() for place in board(state.seats).hexes}
    rows: dict[int, list[str]] = {}
    for place, (_, r) in enumerate(GRID.cells):
        rows.setdefault(r, []).append(hexes.get(place, " "))
    for r, row in rows.items():
        if any(letter != " " for letter in row):
            yield f"{' ' * abs(r)}{' '.join(row)}".rstrip()
    wells = [(well + 1, state.crystals[well]) for well in board(state.seats).wells]
    occupied = " ".join(f"{well}{crystal}" for well, crystal in wells if crystal != NOTHING)
    yield fill(f"wells {occupied}", 110, subsequent_indent="    ")


def shown(seat: int, state: State) -> str:
    """Return the possessions of a seat, as it sees them."""
    player = state.players[seat]
    tools = player.tools
    hand = " ".join(str(card.id) for card in player.hand)
    done = " ".join(f"{card.id}{card.task}" for card in player.done)
    return (
        f"player {seat + 1}: {player.score}, hand {hand}, done {done or '-'}, "
        f"tools {tools.holder} {tools.mirror} {tools.glass}"
    )


def listed(state: State) -> str:
    """Return the legal actions; for those that name a well only their number."""
    many: dict[str, int] = {}
    few = []
    for action in state.actions():
        if isinstance(action, Crystal | Mirror | Glass):
            kind = type(action).__name__.lower()
            many[kind] = many.get(kind, 0) + 1
        else:
            few.append(str(action))
    return " ".join([*(f"{number}×{kind}" for kind, number in many.items()), *few])


def earned(state: State) -> int:
    """Return the rewards that the actor can claim now, each card once, plus a bonus for each coloured hex."""
    best: dict[int, int] = {}
    for action in state.actions():
        if isinstance(action, Claim):
            card = state.players[(state.turn - 1) % state.seats].hand[action.card - 1].id
            assert card is not None
            best[action.card] = max(best.get(action.card, 0), task(card, action.task).reward)
    return 100 * sum(best.values()) + 37 - state.hexes.count(NOTHING)


def chosen(state: State, luck: Chance) -> Any:
    """Return the action of a simple player: it claims at once, buys when it can pay, and uses tools at random."""
    actions = state.actions()
    for kind in (Claim, Buy, Limit):
        if candidates := [action for action in actions if isinstance(action, kind)]:
            return luck.choice(candidates)
    if state.stage == "place":
        played = [(earned(state.play(action)), luck.below(1000), action) for action in actions]
        return max(played, key=lambda entry: entry[:2])[2]
    return luck.choice([action for action in actions for _ in range(60 if isinstance(action, End | Hold) else 1)])


def transcript(state: State) -> str:
    """Return a game as text: the actor, the board, the legal actions, the news."""

    def words(facts: tuple[tuple[str, str], ...]) -> dict[str, str]:
        return {
            name: " ".join(find("kaleidoskop", f"part.{word}", "en") or word for word in words.split(" "))
            for name, words in facts
        }

    luck = Chance(state.seed, label="golden")
    lines: list[str] = []
    while state.actor is not None:
        if state.last is None or state.stage == "place":
            lines += ["", f"turn {state.turn}, final {state.final}, swap {state.swap_cost}", *drawn(state)]
            lines += [shown(seat, state) for seat in range(state.seats)]
            lines.append(f"decks {len(state.decks.blue)} {len(state.decks.orange)}, last {state.last}")
        lines.append(f"player {state.actor + 1} of {len(state.actions())}: {listed(state)}")
        action = chosen(state, luck)
        hints = [state.hint(action, part) or "-" for part in range(len(action.parts))]
        following = state.play(action)
        warned = state.warns(action)
        lines.append(f"> {action} ({' '.join(hints)}){f' warns: {warned}' if warned else ''}")
        for item in state.view(None).news(action, following.view(None)):
            who = None if item.seat is None else f"Player {item.seat + 1}"
            lines.append(indent(say("kaleidoskop", f"news.{item.code}", "en", who=who, **words(item.facts)), "  "))
        state = following
    lines += ["", *drawn(state), *(shown(seat, state) for seat in range(state.seats)), str(state.outcome)]
    return "\n".join([*lines[1:], GAME.encode(state).decode()]) + "\n"


@pytest.mark.parametrize(("seats", "ending", "seed"), [(3, "extra_round", 2023), (6, "finish_round", 2024)])
def test_golden_game(seats: int, ending: str, seed: int, golden: Callable[[Path, str], None]) -> None:
    state = GAME.start(seats, {"length": "short", "ending": ending}, seed)
    golden(HERE / f"golden/kaleidoskop-{seats}.txt", transcript(state))
