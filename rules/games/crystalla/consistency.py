"""The consistency checks between the parts of a position, which may have been written by hand.

A position need not be reachable, but its parts must fit together. Hidden values of a view are null and do not count.
``document`` checks single values when it reads them.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from rules.contract import require
from rules.games.crystalla.actions import Action, Cover, Drop, Fill, Give, Keep, Lay, Place, Swap, Take
from rules.games.crystalla.codes import SETUP, Phase, Refill
from rules.games.crystalla.components import CARDS, COLOURS, HAND, PIECES, STONES_EACH
from rules.games.crystalla.displays import FULL, cards_in, cells_for
from rules.games.crystalla.stacks import Card, awarded
from rules.games.crystalla.state import State

_FIRST_ROUND: Final = range(HAND, FULL)
"""Numbers of cards in a display when a round of turns begins."""
_SPARE: Final = 10
"""Least number of cards per seat in the deck during setup, besides one for each stack."""


def check(state: State) -> None:
    """Raise ValueError that names the first inconsistency."""
    _check_supply(state)
    _check_stones(state)
    if state.phase in SETUP:
        _check_setup(state)
    else:
        _check_round(state)
    _check_phase(state)
    _check_turn(state)


# No card, piece or stone exists more often than in the box


def _check_supply(state: State) -> None:
    laid = [card for display in state.displays for column in display for card in column]
    cards = Counter(
        [*state.deck, *sum(state.hands, ()), *sum(state.stacks, ()), state.card, *(card[:2] for card in laid)]
    )
    pieces = Counter([*state.open, *sum(state.piles, ()), state.piece])
    pieces.update(piece for card in laid for piece in card.split("+")[1:])
    _check_counts(cards, CARDS, "card")
    _check_counts(pieces, PIECES, "crystal piece")


def _check_counts(numbers: Mapping[Card, int], supply: Mapping[str, int], kind: str) -> None:
    for code, number in numbers.items():
        if code is not None:
            require(number <= supply[code], f"the {kind} {code} occurs {number} times, there are only {supply[code]}")


def _check_stones(state: State) -> None:
    numbers = Counter("".join(state.stones) + state.carry)
    colours = state.layout.colours
    for colour in COLOURS:
        number = STONES_EACH if colour in colours else 0
        require(
            numbers[colour] == number,
            f"there are {numbers[colour]} stones {colour!r}, with {state.seats} seats {number}",
        )


# The progress of all seats


def _check_setup(state: State) -> None:
    turn = state.turn
    assert turn is not None
    require(not any(state.stacks), "in setup the stacks are empty")
    for seat, (display, hand) in enumerate(zip(state.displays, state.hands, strict=True)):
        laid, held = cards_in(display), sum(card is not None for card in hand)
        if seat == turn:
            require(laid + held == HAND, f"seat {seat} sets up: laid and held cards are {HAND} together")
            require(
                held == HAND if state.phase == Phase.SWAP else held > 0,
                f"in '{state.phase}' seat {seat} holds {held} cards",
            )
        else:
            expected = (HAND, 0) if seat < turn else (0, HAND)
            require(
                (laid, held) == expected,
                f"while seat {turn} sets up, seat {seat} has laid {expected[0]} cards and holds {expected[1]}",
            )
    least = len(state.layout.stacks) + _SPARE * state.seats
    require(len(state.deck) >= least, f"in setup the deck has at least {least} cards")


def _check_round(state: State) -> None:
    require(not state.deck, "after setup the deck is empty")
    require(not any(card for hand in state.hands for card in hand), "after setup the hands are empty")
    counts = [cards_in(display) for display in state.displays]
    if state.turn is None:
        require(counts == [FULL] * state.seats, f"in phase 'over' every seat has laid {FULL} cards")
    else:
        done = state.turn + (state.phase in (Phase.GIVE, Phase.COVER))
        begun = counts[-1] if done < state.seats else counts[-1] - 1
        expected = [begun + (seat < done) for seat in range(state.seats)]
        require(
            begun in _FIRST_ROUND,
            f"the last seat began this round with {begun} cards, it would be {HAND} to {FULL - 1}",
        )
        require(counts == expected, f"the displays hold {counts} cards, in turn it would be {expected}")
    empty = [number for number, stack in enumerate(state.stacks, 1) if not stack]
    if state.phase == Phase.REFILL:
        ended = [*state.walked()[-1:]]
        require(empty == ended, "in phase 'refill' exactly the stack is empty on which the last stone fell")
        chosen = state.options.refill == Refill.CHOICE
        require(chosen, "there is a phase 'refill' only with the option 'refill': 'choice'")
    else:
        require(not empty, "after setup no stack is empty")
    remaining = FULL * state.seats - sum(counts) - (state.card is not None)
    least = len(state.stacks) + remaining
    require(
        sum(map(len, state.stacks)) >= least,
        f"the stacks hold at least {least} cards together: {remaining} are still taken",
    )


# The actions of this turn


def _check_phase(state: State) -> None:
    phase = state.phase
    require(bool(state.carry) == (phase == Phase.DROP), "'carry': stones are in hand exactly in phase 'drop'")
    taken = phase in (Phase.REFILL, Phase.LAY)
    require((state.card is not None) == taken, "'card': a card is taken exactly in phases 'refill' and 'lay'")
    for name, value in (("piece", state.piece), ("receiver", state.receiver)):
        require((value is not None) == (phase == Phase.COVER), f"'{name}': there is one exactly in phase 'cover'")
    if phase in SETUP or phase in (Phase.TAKE, Phase.DROP, Phase.OVER):
        require(not state.due, f"'due': in phase '{phase}' no seat is due a piece")


def _check_turn(state: State) -> None:
    match state.phase:
        case Phase.SWAP | Phase.TAKE | Phase.OVER:
            require(not state.now, f"'now': in phase '{state.phase}' nothing has been played yet")
        case Phase.PLACE:
            assert state.turn is not None
            laid = cards_in(state.displays[state.turn])
            kinds = [type(action) for action in state.now]
            require(
                kinds[:1] in ([Keep], [Swap]) and kinds[1:] == [Place] * laid,
                f"'now': in phase 'place' a keep or a swap, then {laid} cards placed",
            )
        case Phase.DROP:
            _check_walk(state, state.now)
        case Phase.REFILL | Phase.LAY:
            _check_walk(state, _without_fill(state, state.now))
            require(state.due == awarded(state.stones, state.now, state.seats), "'due': not what this walk awards")
        case Phase.GIVE | Phase.COVER:
            _check_awards(state)


def _without_fill(state: State, walk: Sequence[Action]) -> Sequence[Action]:
    """Return a walk without the choice of the stack that refilled the one on which it ended."""
    *before, filled = walk or (None,)
    if state.phase == Phase.REFILL or not isinstance(filled, Fill):
        return walk
    require(state.options.refill == Refill.CHOICE, "'now': nobody chose the stack that refills")
    ended = [action.stack for action in before if isinstance(action, Take | Drop)][-1:]
    require(filled.stack in state.layout.stacks and [filled.stack] != ended, f"'now': {filled} is not possible")
    return before


def _check_walk(state: State, walk: Sequence[Action]) -> None:
    """Check a take and drops, as far as the stones in hand and on the stacks allow."""
    assert state.turn is not None
    layout = state.layout
    drops = walk[1:]
    require(
        isinstance(next(iter(walk), None), Take) and all(isinstance(action, Drop) for action in drops),
        "'now': a take, then only drops",
    )
    require(state.phase == Phase.DROP or bool(drops), "'now': a walk has at least one drop")
    stacks = [action.stack for action in walk if isinstance(action, Take | Drop)]
    require(all(stack in layout.stacks for stack in stacks), "'now': there is no such stack")
    steps = list(pairwise(stacks))
    require(all(there in layout.beside[here] for here, there in steps), "'now': a step goes to a neighbouring stack")
    require(
        all(back != here for here, back in zip(stacks, stacks[2:], strict=False)), "'now': a step goes straight back"
    )
    fallen = Counter((action.stack, action.colour) for action in drops if isinstance(action, Drop))
    lifted = {colour for _, colour in fallen} | set(state.carry)
    require(COLOURS[state.turn] in lifted, "'now': the stones that were lifted are all of others")
    for (stack, colour), number in fallen.items():
        require(state.stones[stack - 1].count(colour) >= number, f"'now': {colour}{stack} fell, but is not there")
    taken = stacks[0]
    remaining = len(state.stones[taken - 1]) - sum(number for (stack, _), number in fallen.items() if stack == taken)
    require(
        remaining == 0,
        f"'now': all stones of stack {taken} were lifted, but {remaining} are there that did not fall again",
    )


def _check_awards(state: State) -> None:
    """Check a walk and a lay, then gifts, each followed by its cover or by none; the awards left must match 'due'."""
    laid = next((place for place, action in enumerate(state.now) if isinstance(action, Lay)), None)
    if laid is None:
        raise ValueError(f"'now': in phase '{state.phase}' the card has been laid")
    _check_walk(state, _without_fill(state, state.now[:laid]))
    gifts = state.now[laid + 1 :]
    require(all(isinstance(action, Give | Cover) for action in gifts), "'now': after the lay only gives and covers")
    for before, action in zip((None, *gifts), gifts, strict=False):
        require(isinstance(action, Give) or isinstance(before, Give), "'now': a cover follows a give")
    due = awarded(state.stones, state.now, state.seats)
    for gift in gifts:
        if isinstance(gift, Give):
            require(gift.colour in due, f"'now': nothing is due for {gift.colour!r}")
            due = due.replace(gift.colour, "")
    require(state.due == due, f"'due': after this turn's awards and gifts it would be {due!r}")
    if state.phase == Phase.GIVE:
        require(bool(due) and any(state.open), "in phase 'give' a seat is due a piece and one is open")
        return
    assert state.piece is not None
    assert state.receiver is not None
    given = Give(COLOURS[state.receiver], state.piece)
    require(bool(gifts) and gifts[-1] == given, f"'now': in phase 'cover' {given} was played last")
    fitting = next(cells_for(state.displays[state.receiver], state.piece), None)
    require(fitting is not None, f"the piece {state.piece} fits no segment, so no seat places it")
