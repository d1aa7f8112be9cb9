"""Consequences of an accepted action: who decides next, and which actions are forced."""

from collections.abc import Callable
from functools import cache

import pytest
from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.tables import absence, forced_actions
from bot.tables import table as tables
from bot.tables.table import By, Phase, Seat, Step, Table, TableId, play
from bot.tables.waiting import Overdue
from rules import GAMES, State
from rules.chance import Chance
from rules.games.kalejdoschach import NAMES
from tests.rules.test_kalejdoschach import PLAIN, document

SEATS = tuple(Seat(PersonId(f"x:{name}"), name.capitalize(), "en") for name in ("anna", "ben"))


def table(game: str, state: State) -> Table:
    """Return a running table of two seats with this *state*."""
    running = Table(
        id=TableId("k3v7qpm2xa"),
        game=game,
        place=PlaceId("x:hall"),
        host=SEATS[0].person,
        lang="en",
        created_ms=0,
        seed="",
        phase=Phase.RUNNING,
        seats=SEATS,
    )
    return tables.with_state(running, state)


@cache
def reached(wanted: Callable[[str, State], bool]) -> Step:
    """Return a position of any game that is as *wanted*, reached by playing."""
    for seed in range(20):
        for name, game in GAMES.items():
            state, chance = game.start(2, {}, seed), Chance(seed)
            while state.actor is not None:
                if wanted(name, state):
                    return Step(table(name, state), state)
                actions = state.actions()
                state = state.play(actions[chance.below(len(actions))])
    raise AssertionError("no game comes to that")


def is_a_choice(_: str, state: State) -> bool:
    return state.forced is None and len(state.actions()) > 1


def is_forced(_: str, state: State) -> bool:
    return state.forced is not None


def is_one_thing(name: str, state: State) -> bool:
    """Return whether only one action is possible and the same seat continues after it."""
    actions = state.actions()
    if GAMES[name].shows_steps or len(actions) != 1 or state.warns(actions[0]) is not None:
        return False
    after = state.play(actions[0])
    return after.actor == state.actor and not state.ends_turn(after)


def seated(step: Step, **changes: bool) -> Step:
    """Return *step* with the actor's seat changed."""
    seats = list(step.table.seats)
    actor = step.position.actor
    assert actor is not None
    seats[actor] = replace(seats[actor], **changes)
    return replace(step, table=replace(step.table, seats=tuple(seats)))


def after_stand_in(step: Step) -> Step:
    """Return the step after the AI player has played the turn for its person."""
    turn, step = step.table.turn, absence.play_turn(step.table, step.position)
    while step.table.turn == turn:
        step = play(step.table, step.position, step.position.actions()[0], 5, By.HOUSE)
    return step


def others(step: Step) -> Step:
    """Return *step* with AI players in every seat but the actor's."""
    seats = tuple(replace(seat, house=at != step.position.actor) for at, seat in enumerate(step.table.seats))
    return replace(step, table=replace(step.table, seats=seats))


CHOICE, FORCED = is_a_choice, is_forced
DECIDES: dict[str, tuple[Callable[[str, State], bool], Callable[[Step], Step], By | None]] = {
    "a person decides where there is a choice": (CHOICE, lambda step: step, By.PERSON),
    "a person decides though others are played by the house": (CHOICE, others, By.PERSON),
    "the house decides in its seats": (CHOICE, lambda step: seated(step, house=True), By.HOUSE),
    "the house decides in a seat that was given up": (
        CHOICE,
        lambda step: seated(step, house=True, resigned=True),
        By.HOUSE,
    ),
    "the house decides for this turn of somebody whose time is up": (
        CHOICE,
        lambda step: absence.play_turn(step.table, step.position),
        By.HOUSE,
    ),
    "the house decided an earlier turn, and the person decides this one": (
        CHOICE,
        after_stand_in,
        By.PERSON,
    ),
    "the table decides what is forced": (FORCED, lambda step: step, By.TABLE),
    "the house plays what is forced in its seats": (FORCED, lambda step: seated(step, house=True), By.HOUSE),
    "a silent person decides, however the others vote": (
        CHOICE,
        lambda step: replace(step, table=replace(step.table, waiting=Overdue())),
        By.PERSON,
    ),
    "where the place takes no posts it is still decided": (
        FORCED,
        lambda step: replace(step, table=absence.lose_place(step.table, 5)),
        By.TABLE,
    ),
    "nobody decides at a table that rests": (
        CHOICE,
        lambda step: replace(step, table=absence.rest(step.table)),
        None,
    ),
    "nobody decides what is forced at a table that rests": (
        FORCED,
        lambda step: replace(step, table=absence.rest(step.table)),
        None,
    ),
    "nobody decides in a lobby": (
        CHOICE,
        lambda step: Step(replace(step.table, phase=Phase.LOBBY)),
        None,
    ),
    "nobody decides once the game was ended": (
        CHOICE,
        lambda step: replace(step, table=tables.over(step.table, tables.Result("left"))),
        None,
    ),
}


@pytest.mark.parametrize("claim", DECIDES)
def test_who_decides_next(claim: str) -> None:
    wanted, changed, decides = DECIDES[claim]
    assert forced_actions.decides(changed(reached(wanted))) == decides, claim


@pytest.mark.parametrize("wanted", [is_a_choice, is_forced])
def test_a_spectator_sees_who_decides_next(wanted: Callable[[str, State], bool]) -> None:
    step = reached(wanted)
    seen = replace(step, state=step.position.view(None))
    assert forced_actions.decides(seen) == forced_actions.decides(step)


def test_forced_actions_are_played_and_reported_as_the_tables_own() -> None:
    step = reached(is_forced)
    after = forced_actions.play_forced(step, 7)
    (entry,) = after.entries
    assert (entry.by, entry.at_ms, entry.seat) == (By.TABLE, 7, step.position.actor)
    assert after.position == step.position.play(step.position.forced)


def test_a_single_possible_action_is_played_within_the_turn() -> None:
    step = reached(is_one_thing)
    after = forced_actions.play_on(step, step.table.turn, 7)
    assert after.entries
    assert {(entry.by, entry.turn) for entry in after.entries} == {(By.TABLE, step.table.turn)}
    assert after.table.turn > step.table.turn or forced_actions.only(after.table, after.position) is None


def test_earlier_actions_come_before_the_forced_ones() -> None:
    step = reached(is_one_thing)
    before = forced_actions.play_on(step, step.table.turn, 3).entries[:1]
    after = forced_actions.play_on(replace(step, entries=before), step.table.turn, 7)
    assert after.entries[:1] == before
    assert len(after.entries) > 1


def test_nothing_is_played_on_into_the_next_turn() -> None:
    step = reached(is_one_thing)
    assert forced_actions.play_on(step, step.table.turn - 1, 7) == step


def test_nothing_is_played_on_once_the_game_is_over() -> None:
    step = reached(is_one_thing)
    ended = replace(step, table=tables.over(step.table, tables.Result("left")))
    assert forced_actions.play_on(ended, step.table.turn, 7) == ended


def test_an_actor_with_a_choice_is_asked() -> None:
    step = reached(is_a_choice)
    assert forced_actions.only(step.table, step.position) is None
    assert forced_actions.play_on(step, step.table.turn, 7) == step


def test_games_with_visible_steps_force_no_actions() -> None:
    step = reached(lambda name, state: GAMES[name].shows_steps and len(state.actions()) == 1)
    assert forced_actions.only(step.table, step.position) is None
    assert forced_actions.play_on(step, step.table.turn, 7) == step


def test_a_forced_action_that_needs_confirmation_is_still_asked() -> None:
    """Of a board full of elephants one alone can move, and would leave the last castle of its owner."""
    board = {field: f"{int(field != '1j')}l" for field in NAMES if field not in ("1g", "1h", "1k")}
    state = document(board=board, options={**PLAIN, "draw": "off"})
    (action,) = state.actions()
    assert state.warns(action) is not None
    step = Step(table("kalejdoschach", state), state)
    assert forced_actions.only(step.table, state) is None
    assert forced_actions.play_on(step, step.table.turn, 7) == step
    free = document(board={**board, "3j": "0l"}, options={**PLAIN, "draw": "off"})
    assert (free.actions(), free.warns(action)) == ((action,), None)
    assert forced_actions.only(step.table, free) == action, "who has another castle is not asked"
