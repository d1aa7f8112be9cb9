"""Card, history, chart and playing on count turns in one way: a turn counts once it is begun by an action."""

import re

import pytest

from bot.chat import Card, PersonId, PlaceId, PublicPicture
from bot.extras.reviews import replies as reviews
from bot.extras.reviews.replies import Reviewed
from bot.extras.reviews.review import Review
from bot.house.thinking import any_action
from bot.replies import words
from bot.replies.boards import shared
from bot.replies.history import history
from bot.tables import absence, origins
from bot.tables import table as tables
from bot.tables.table import Entry, Phase, Seat, Table, TableId
from renderers import Theme
from rules import GAMES, State
from rules.chance import Chance

ANNA, BEN = PersonId("x:a"), PersonId("x:b")


def resigned(game: str, turns: int, actions: int) -> tuple[Table, list[Entry], list[State]]:
    """Return a game that its actor resigns after *turns* turns of the table and *actions* actions of the next one."""
    chance = Chance(turns)
    table = Table(
        id=TableId("k3v7qpm2xa"),
        game=game,
        place=PlaceId("x:hall"),
        host=ANNA,
        lang="en",
        created_ms=0,
        seats=(Seat(ANNA, "Anna", "en"), Seat(BEN, "Ben", "en")),
        phase=Phase.RUNNING,
    )
    state: State = GAMES[game].start(2, {}, turns)
    table, entries, states = tables.with_state(table, state), list[Entry](), [state]
    since = 0
    while state.actor is not None and (table.turn < turns or since < actions):
        before = table.turn
        step = tables.play(table, state, any_action(state, state.actor, chance), 0)
        table, state, entries = step.table, step.position, [*entries, *step.entries]
        states.append(state)
        since = since + 1 if before >= turns else 0
    person = table.seats[state.actor or 0].person
    if table.phase == Phase.RUNNING:
        assert person is not None
        table = absence.resign(table, state, person, 9).table
    return table, entries, states


@pytest.mark.parametrize("actions", [0, 1, 2])
@pytest.mark.parametrize("turns", [0, 1, 2, 5, 8, 11])
@pytest.mark.parametrize("game", GAMES)
def test_all_places_count_the_same_turns_of_a_resigned_game(game: str, turns: int, actions: int) -> None:
    table, entries, states = resigned(game, turns, actions)
    view = states[-1].view(None)
    length = origins.length(table, view)
    look = words.look(table, None, Theme.DARK, "en")
    assert (look.turns or 0) == length
    card = shared(table, view, entries, PublicPicture(b"", ""), "en").picture
    assert isinstance(card, Card)
    assert re.search(rf"\b{length} turns? in ", card.paste), card.paste
    chances = ((50.0, 50.0),) * (1 + len({entry.turn for entry in entries}))
    chart = reviews.chart(Reviewed(table, Review(chances, ()), tuple(entries), tuple(states)), look)
    assert chart.number(len(chances) - 1) == length
    numbers = [int(number) for number in re.findall(r"(?m)^(\d+)\. ", told(table, entries, states))]
    assert sorted({*numbers}) == list(range(1, length + 1))
    assert numbers == sorted(numbers, reverse=True)
    offered = [origins.number_of(table, entries, states, number) for number in origins.starts(states)]
    assert offered == sorted(offered)
    assert all(number <= length + 1 for number in offered)


def told(table: Table, entries: list[Entry], states: list[State]) -> str:
    """Return all pages of the history."""
    pages: list[str] = []
    while not pages or history(table, entries, states, len(pages), "en").text != pages[-1]:
        pages.append(history(table, entries, states, len(pages), "en").text)
    return "\n".join(pages)


@pytest.mark.parametrize("game", GAMES)
def test_a_resignation_without_an_action_in_that_turn_adds_no_turn(game: str) -> None:
    for turns in (2, 7):
        table, _, states = resigned(game, turns, 0)
        begun = origins.length(table, states[-1])
        table, _, states = resigned(game, turns, 1)
        assert origins.length(table, states[-1]) in {begun, begun + 1}
