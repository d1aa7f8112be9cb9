"""Tap to move: what stands on the buttons, and where."""

import json
import re

import pytest
from msgspec.structs import replace

import texts
from bot.chat import Button, PersonId, PlaceId, Reply, Style
from bot.replies import menus
from bot.requests import payload
from bot.requests.payload import Verb
from bot.tables.table import Table, TableId
from rules import GAMES, State

TABLE = Table(
    id=TableId("k3v7qpm2xa"), game="kaleidoskop", place=PlaceId("x:hall"), host=PersonId("x:a"), lang="en", created_ms=0
)
ROWS, WIDEST = 5, 5  # what a platform takes


def opening(seats: int, **first: object) -> State:
    """How a game begins. *first*: what the one who begins has."""
    game = GAMES["kaleidoskop"]
    document = json.loads(game.encode(game.start(seats, seed=7)))
    document["players"][0] |= first
    return game.decode(json.dumps(document))


def menu(state: State, page: int = 0, path: tuple[int, ...] = (), *, can_undo: bool = False) -> Reply:
    return menus.menu(TABLE, state.view(0), path, page, "en", can_undo=can_undo)


def buttons(reply: Reply) -> list[Button]:
    return [button for row in reply.rows if isinstance(row, tuple) for button in row]


def wells(reply: Reply) -> list[int]:
    return [int(found[0]) for each in buttons(reply) if (found := re.match(r"\d+(?= |$)", each.label))]


def pages(reply: Reply) -> dict[str, int]:
    """What the buttons of other pages read -> where they lead."""
    read = {each.label: payload.read(each.payload) for each in buttons(reply) if each.label[0] in "◀▶"}
    return {label: found.numbers[1] for label, found in read.items() if found is not None}


@pytest.mark.parametrize("seats", [3, 5, 6])
def test_a_page_says_which_wells_it_has_and_the_button_to_it_says_so_too(seats: int) -> None:
    state = opening(seats)
    first = menu(state)
    seen = wells(first)
    for label, number in pages(first).items():
        page = menu(state, number)
        ends = f"{wells(page)[0]}–{wells(page)[-1]}"
        assert label == f"▶{ends}"
        assert page.text.endswith(f"Showing {ends}")
        assert len(pages(page)) == len(pages(first)), "from every page to every other one"
        seen += wells(page)
    assert seen == sorted({int(action.parts[0]) for action in state.actions() if action.parts[0].isdigit()})


@pytest.mark.parametrize("can_undo", [False, True])
def test_what_else_can_be_done_stands_below_the_first_wells_and_leaves_them_small(can_undo: bool) -> None:
    state = opening(6, score=9)
    first = menu(state, can_undo=can_undo)
    words = [texts.say("kaleidoskop", f"part.{part}", "en") for part in ("buy", "limit")]
    assert [button.label.split(" −")[0] for button in buttons(first)[15:17]] == words
    assert len(wells(first)) == 3 * WIDEST
    assert len(pages(first)) == 3
    assert not any(word in button.label for button in buttons(menu(state, 1)) for word in words)


@pytest.mark.parametrize("seats", GAMES["kaleidoskop"].seats)
@pytest.mark.parametrize("score", [0, 9])
@pytest.mark.parametrize("can_undo", [False, True])
def test_no_page_is_larger_than_a_platform_takes(seats: int, score: int, can_undo: bool) -> None:
    state = opening(seats, score=score)
    for page in range(1 + len(pages(menu(state)))):
        rows = menu(state, page, can_undo=can_undo).rows
        assert len(rows) <= ROWS
        assert all(len(row) <= WIDEST for row in rows if isinstance(row, tuple))


def test_a_game_with_hands_offers_the_hand_where_there_is_room() -> None:
    verbs = [payload.read(button.payload) for button in buttons(menu(opening(3), path=(0,)))]
    assert Verb.VIEW in [found.verb for found in verbs if found is not None]


def test_to_pass_does_not_stand_out_among_fields_that_lead_on() -> None:
    """What plays at once stands out; passing alone among fields would look like the thing to do."""
    state = GAMES["kabooom"].start(2, {"level": "easy"}, seed=7)
    shown = buttons(menus.menu(replace(TABLE, game="kabooom"), state.view(0), (), 0, "en"))
    assert "Pass" in [button.label for button in shown]
    assert {button.style for button in shown} == {Style.PLAIN}
