"""The moves of the house: on small positions with a known solution, and invariants in every game."""

import json
import random
from functools import cache
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from bot.house import LEVELS, Level, think
from bot.house.alphabeta import AlphaBeta
from bot.house.levels import Strength
from bot.house.limit import Limit
from bot.house.suggesting import cheaper, gain, keeping, loss, price, suggest
from bot.house.thinking import _chosen, remembered, share_of
from kaleidobot.testing import resampling
from kaleidobot.testing.playing import play, some_states, suitable
from rules import GAMES, Game, IllegalAction
from rules.chance import Chance

SEEING = (Level.MEDIUM, Level.HARD)
FEW = 15


def chess(board: str, **changed: Any) -> Any:
    """Return a position of KalejdoSchach, seat 0 to move: ``"1j0w 5j1p"``."""
    document = {
        "game": "kalejdoschach",
        "seats": 2,
        "options": {"dice": "off", "handicap": "none", "draw": "on", "quiet": "100"},
        "seed": None,
        "rolled": 0,
        "board": {piece[:2]: piece[2:] for piece in board.split()},
        "actor": 0,
        "die": None,
        "rolls": [],
        "agreed": [],
        "moves": 30,
        "quiet": 0,
        "last": None,
        "out": [],
        "end": None,
    }
    return GAMES["kalejdoschach"].decode(json.dumps(document | changed))


def stones(board: str, *, rest_of: int, **changed: Any) -> Any:
    """Return a position of Kabooom, seat 0 to move: ``"a1:0r b1:1s"``. The other stones are on f4 and belong to a
    seat."""
    placed = dict(field.split(":") for field in board.split())
    used = "".join(placed.values())
    rest = [f"{seat}{kind}" for seat in range(2) for kind in "psrd" for _ in range(3)]
    for place in range(0, len(used), 2):
        rest.remove(used[place : place + 2])
    rest.sort(key=lambda stone: (stone[1] == "d", stone[0] == str(rest_of)))
    document = {
        "game": "kabooom",
        "seats": 2,
        "options": {"level": "medium", "dynamite": "stone"},
        "seed": None,
        "phase": "move",
        "actor": 0,
        "passes": 0,
        "board": placed | {"f4": "".join(rest)},
        "last": [None, None],
    }
    return GAMES["kabooom"].decode(json.dumps(document | changed))


def thought(state: Any, level: str, seed: int = 0, iterations: int = FEW) -> str:
    """Return the notation of the move that the house plays in *state*."""
    game = type(state).__module__.split(".")[2]
    seat = state.actor
    return str(think(game, [state.view(seat)], seat, level, Chance(seed), iterations=iterations))


# --- A win, a loss, an endgame


@pytest.mark.parametrize("level", SEEING)
@pytest.mark.parametrize("seed", range(4))
def test_a_move_that_wins_at_once_is_found(level: str, seed: int) -> None:
    takes_the_last_castle = chess("1j0w 4g0r 4h0e 5j1l 5k1p 7d1w", actor=0)
    assert thought(takes_the_last_castle, level, seed, 1) == "4g+5j"


@pytest.mark.parametrize("level", SEEING)
@pytest.mark.parametrize("seed", range(4))
def test_a_move_that_loses_at_once_is_not_played_where_another_exists(level: str, seed: int) -> None:
    nearly_every_move_leaves_the_last_castle = chess("1j0w 1h0p 5j1w 5d1e")
    lost = [
        str(action)
        for action in nearly_every_move_leaves_the_last_castle.actions()
        if nearly_every_move_leaves_the_last_castle.play(action).outcome
    ]
    assert len(lost) > 20
    assert thought(nearly_every_move_leaves_the_last_castle, level, seed, 1) not in lost


@pytest.mark.parametrize("level", SEEING)
def test_a_pass_that_wins_the_game_is_played_and_one_that_loses_it_is_not(level: str) -> None:
    ahead = stones("a1:0r b1:1r", rest_of=0, passes=1)
    behind = stones("a1:0s b1:1s d1:0s e1:1s", rest_of=1, passes=1)
    assert ahead.play(ahead.actions()[-1]).outcome.winners == (0,), "the drawing is what it says"
    assert behind.play(behind.actions()[-1]).outcome.winners == (1,), "the drawing is what it says"
    assert ahead.play(GAMES["kabooom"].parse(ahead, thought(ahead, level))[0]).outcome is not None
    assert thought(behind, level) != "pass"


def test_even_easy_avoids_self_capture_and_keeps_its_last_castle() -> None:
    crowded = chess(
        "5j0w 5g0t 5f0h 5i0v 5h0e 5d0p 6i0l 6k0l 6f0r 6g0r 6d0p 7f0e 7d0p 7g0t 7h0h 7k0v 8g0p"
        " 7j1w 4f1d 4i1r 4d1p 3h1h 3g1t 3j1v 3f1e 3d1p 2k1l 2i1l 1d1p 1e1p 1g1t 1f1h 1i1v 1h1e 1k1r"
    )
    slips = {str(action) for action in crowded.actions() if crowded.warns(action)}
    assert len(slips) == 68
    assert slips.isdisjoint({thought(crowded, "easy", seed) for seed in range(60)})


def test_easy_gives_up_its_last_castle_if_forced() -> None:
    assert thought(chess("3j0p 1j1w"), "easy").startswith("3j-3")


def test_hard_finds_the_only_move_that_does_not_lose_with_the_next_one() -> None:
    """The roc takes the wizard's castle; only a player with another castle remains in the game."""
    threatened = chess("1j0w 5j1w 4a0e 3f0p 1c0h 8g1r 4b1e")
    assert thought(threatened, Level.HARD, 1, 2000) == "4a-00"


def won(state: Any, seat: int) -> float:
    """Return the share of the win of *seat* under perfect play: every line is searched to its end."""
    if state.actor is None:
        winners = state.outcome.winners
        return (seat in winners) / len(winners)
    values = [won(state.play(action), seat) for action in state.actions()]
    return max(values) if state.actor == seat else min(values)


@pytest.mark.parametrize("seed", range(12))
def test_the_last_moves_are_played_as_well_as_can_be(seed: int) -> None:
    luck = random.Random(seed)
    state: Any = GAMES["kabooom"].start(2, {"level": "easy"}, seed)
    while len(state.actions()) > 4 or sum(map(bool, state.board)) > 8:
        state = state.play(luck.choice(state.actions()))
        if state.actor is None:
            return
    seat = state.actor
    best = won(state, seat)
    ranked = AlphaBeta(seat, Limit(0, 20_000)).rank(state, state.actions())
    assert won(state.play(ranked[0][1]), seat) == best
    assert ranked[0][0] == pytest.approx(best, abs=0.01)


# --- All games


def states_to_act_in(game: Game) -> list[Any]:
    return [state for state in some_states(game.id) if state.actor is not None][::7]


@pytest.mark.parametrize("level", Level)
def test_its_actions_are_legal_and_never_a_draw(game: Game, level: str) -> None:
    for number, state in enumerate(states_to_act_in(game)):
        action = thought(state, level, number)
        assert action in map(str, state.actions())
        assert action != "draw" or len(state.actions()) == 1


@pytest.mark.parametrize("level", Level)
def test_the_same_chance_and_iterations_give_the_same_action(game: Game, level: str) -> None:
    for number, state in enumerate(states_to_act_in(game)):
        assert thought(state, level, number) == thought(state, level, number)


def at_once(state: Any) -> tuple[list[str], list[str]]:
    """Return the actions that, as far as the actor can see, win for it alone, and those that eliminate it or lose."""
    seat, view = state.actor, state.view(state.actor)
    wins, loses = [], []
    for action in view.actions():
        try:
            after = view.play(action)
        except IllegalAction:  # the result is hidden
            continue
        if after.outcome is not None and after.outcome.winners == (seat,):
            wins.append(str(action))
        elif (after.outcome is not None and seat not in after.outcome.winners) or (after.is_out(seat)):
            loses.append(str(action))
    return wins, loses


@cache
def last_states(name: str) -> list[Any]:
    """Return the positions at the ends of random games in which an action decides the game at once."""
    luck, result = random.Random(name), list[Any]()
    for seats, seed in product(GAMES[name].seats, range(4)):
        played = play(GAMES[name], seats, suitable(GAMES[name], seats, seed), luck.randrange(1 << 60))
        result += [state for state in played.states[-25:-1] if state.actor is not None and any(at_once(state))]
    return result


@pytest.mark.parametrize("level", SEEING)
def test_a_win_at_once_is_taken_and_a_loss_at_once_is_not_if_there_is_anything_else(game: Game, level: str) -> None:
    decisive = 0
    for number, state in enumerate(last_states(game.id)):
        wins, loses = at_once(state)
        others = [str(action) for action in state.actions() if str(action) not in (*loses, "draw")]
        if wins or (loses and others):
            decisive += 1
            played = thought(state, level, number, 1)
            assert played in wins if wins else played not in loses
    assert decisive, "there is something to be seen in every game"


def test_hidden_facts_do_not_change_its_moves(game: Game) -> None:
    resample = resampling.module_of(game.id).resample
    for number, state in enumerate(states_to_act_in(game)):
        other = resample(state, state.actor, number)
        assert thought(other, Level.HARD, number) == thought(state, Level.HARD, number)


def test_only_the_seat_that_is_to_act_is_thought_for(game: Game) -> None:
    state = game.start(2, None, 1)
    assert state.actor is not None
    with pytest.raises(ValueError, match="not to act"):
        think(game.id, [state.view(1 - state.actor)], 1 - state.actor, "hard", Chance(1), iterations=1)


# --- Remembering


def colorio_after(typed: str, seed: int) -> list[Any]:
    """Return the views of a game of Colorio with these actions."""
    game = GAMES["colorio"]
    states: list[Any] = [game.start(2, None, seed)]
    for action in game.parse(states[0], typed):
        states.append(states[-1].play(action))
    return [state.view(None) for state in states]


def test_hard_remembers_everything_and_easy_forgets_old_facts() -> None:
    views = list(range(100))
    assert remembered(views, LEVELS[Level.HARD], Chance(1)) == views
    kept = [remembered(views, LEVELS[Level.EASY], Chance(seed)) for seed in range(200)]
    early, late = (sum(view in views for views in kept) for view in (10, 98))
    assert early < 20 < 150 < late


@pytest.mark.parametrize("level", SEEING)
@pytest.mark.parametrize("seed", range(4))
def test_a_known_loss_is_not_misjudged(level: str, seed: int) -> None:
    """Only earlier views show the seat that a cap is on the fifth field of a colour."""
    known = Strength(seconds=0, sloppy=0.9, overlooks=0, forgets=0, ahead=True)
    lost, fine = (0.00001, "lost"), (0.1, "fine")
    assert _chosen([fine, lost], known, Chance(seed)) == "fine"
    assert _chosen([(0.99999, "won"), fine, lost], known, Chance(seed)) == "won"
    assert LEVELS[Level(level)].ahead


def test_easy_forgets_what_hard_still_knows_of_the_caps() -> None:
    """One field was in sight once, long ago: *hard* deals every board with its colour there, *easy* seldom does."""
    views = colorio_after("a1 x b1 x c1 x", 4)
    first = next(view for view in views if view.colours[0] is not None)
    later = replace(first, colours=(None,) * len(first.colours))
    before = [first, *[later] * 40]
    for level, sure in ((Level.HARD, True), (Level.EASY, False)):
        kept = [remembered(before, LEVELS[level], Chance(seed)) for seed in range(50)]
        assert all(first in actions for actions in kept) == sure


@pytest.mark.parametrize("seed", range(6))
def test_hard_does_not_lift_a_cap_that_it_knows_to_be_the_fifth(seed: int) -> None:
    """All fields were visible before, so only memory shows which cap is fatal."""
    game = GAMES["colorio"]
    state: Any = game.start(2, {"memory": "on"}, seed)
    luck, seen = random.Random(seed), [state.view(0)]
    while state.actor is not None:
        fatal = [act for act in state.actions() if state.play(act).is_out(state.actor)]
        if fatal and len(fatal) < len(state.actions()) and seen_all(state, seen):
            action = think("colorio", seen, state.actor, "hard", Chance(seed), iterations=200)
            assert action not in fatal
            return
        state = state.play(luck.choice([act for act in state.actions() if act not in fatal] or state.actions()))
        seen.append(state.view(0))


def seen_all(state: Any, seen: list[Any]) -> bool:
    """Return whether every covered colour was visible at any time."""
    return all(any(colours) for colours in zip(*(view.colours for view in seen), strict=True))


TO_THE_LAST_TURN = """
26v end 52y end 16g end 44r claim2a>orange limit>orange end 34r claim2a>orange end 58g claim3a>orange buy:glass end
41r claim1a>blue end 47g glass:41:e5 end 17g hold end 35g glass:41:d6 claim4b>blue claim4a>blue buy:mirror end
34p claim3a>orange buy:mirror end 59g claim1b>blue end 38g mirror:38:e2 claim1b>blue buy:glass end
48y mirror:41:e5 claim1b>blue end 28g mirror:48:d6 claim3b>blue end 10g mirror:39:d3 claim4b>blue end
29y claim3a>orange end 63r mirror:63:f3 claim4a>blue end
"""


@pytest.mark.parametrize("seed", range(3))
def test_in_its_last_turn_it_keeps_the_points_needed_to_win(seed: int) -> None:
    """The task of 5 points is exactly enough: a fourth card for 2 points would lose the game."""
    game = GAMES["kaleidoskop"]
    state: Any = game.start(2, {"length": "short"}, 0x8C6DF294B6D3C7BFABD3146C9108FF5A)
    for text in TO_THE_LAST_TURN.split():
        (action,) = game.parse(state, text)
        state = state.play(action)
    assert (state.turn, state.final) == (19, 20)
    played = suggest("kaleidoskop", [state.view(0)], 0, Chance(seed), iterations=400)
    assert "claim3b" in str(played[-2])
    assert str(played[-1]) == "end"


# --- Hints


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_keeps_its_gain_if_another_equal_move_keeps_it(name: str) -> None:
    """In every game, from every sampled position, for any action that the search may prefer."""
    for state in some_states(name)[::7]:
        if state.actor is None:
            continue
        view, seat = state.view(state.actor), state.actor
        for action in view.actions()[:6]:
            better = keeping(view, action)
            try:
                before, after = view.play(action), view.play(better)
            except IllegalAction:
                assert better == action
                continue
            assert gain(view, after, seat) == gain(view, before, seat)
            assert loss(after, better, seat) <= loss(before, action, seat)


def test_of_two_equal_captures_a_hint_chooses_the_one_that_stays() -> None:
    """Stone takes scissors on b1, where paper could climb onto it, or on a2, where nobody could."""
    state = stones("a1:0r b1:1s c1:1p a2:1s", rest_of=0)
    (unsafe,), (safe,) = (GAMES["kabooom"].parse(state, text) for text in ("a1-b1", "a1-a2"))
    assert gain(state, state.play(unsafe), 0) == gain(state, state.play(safe), 0) > 0
    assert loss(state.play(unsafe), unsafe, 0) > 0
    assert loss(state.play(safe), safe, 0) == 0
    assert keeping(state, unsafe) == keeping(state, safe) == safe


def test_of_equal_moves_a_hint_never_has_the_higher_price() -> None:
    changed = 0
    for number, state in enumerate(some_states("kalejdoschach")[::5]):
        if state.actor is not None:
            view = state.view(state.actor)
            prices = {action: price(view, action) for action in view.search_actions()}
            for action in view.actions()[:40:8]:
                chosen = cheaper((view,), action, prices, Chance(number), seconds=0, iterations=50)
                assert price(view, chosen) <= price(view, action)
                changed += chosen != action
    assert changed


def test_a_hint_pays_a_price_for_a_clearly_better_move() -> None:
    """The dragon leaves a castle for an unprotected wizard."""
    view = chess("1j0w 3j0d 4g1w 5j1p 7j1p").view(0)
    (move,) = suggest("kalejdoschach", [view], 0, Chance(1), iterations=300)
    assert (str(move), view.cautions(move)) == ("3j+4g", "castle")


@pytest.mark.parametrize("seed", range(3))
def test_the_first_hint_leaves_no_castle(seed: int) -> None:
    """A dragon that leaves a castle threatens the wizard, but so many other moves are as good."""
    view = GAMES["kalejdoschach"].start(2).view(0)
    (move,) = suggest("kalejdoschach", [view], 0, Chance(seed), iterations=300)
    assert view.cautions(move) is None


def test_a_win_is_suggested_at_any_price() -> None:
    """A pass that ends the game is asked about even if it wins."""
    ahead = stones("a1:0r b1:1r", rest_of=0, passes=1)
    (wins,) = GAMES["kabooom"].parse(ahead, "pass")
    prices = {action: price(ahead, action) for action in ahead.actions()}
    assert ahead.play(wins).outcome.winners == (0,)
    assert prices[wins] > min(prices.values())
    assert cheaper((ahead,), wins, prices, Chance(1), seconds=0, iterations=50) == wins


@pytest.mark.parametrize("dice", ["off", "on"])
def test_a_draw_takes_no_time_from_a_turn_of_one_move(dice: str) -> None:
    state = GAMES["kalejdoschach"].start(2, {"dice": dice}, 1)
    for step in range(40):
        if state.actor is None:
            break
        assert share_of(state.view(state.actor), 3.0) == 3.0
        state = state.play(state.actions()[step % (len(state.actions()) - 1)])
