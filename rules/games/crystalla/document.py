"""The JSON of a position: the keys of the game's page, and what must hold between them.

A position need not be reachable, but everything in it must fit together. What a view hides is null, and not counted.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from rules.contract import checked_seats, checked_seed
from rules.games.crystalla.actions import Action, Cover, Drop, Give, Keep, Lay, Place, Swap, Take, canonical
from rules.games.crystalla.components import (
    CARDS,
    COLOURS,
    COLUMNS,
    CRYSTALS,
    HAND,
    LAYOUTS,
    OPEN,
    PIECES,
    ROWS,
    SEATS,
    SHAPES,
    STONES_EACH,
)
from rules.games.crystalla.displays import CORNERS, FULL, cards_in, printed
from rules.games.crystalla.state import SETUP, Phase, State, Turn, awarded, cells_for

Card = str | None


class _Options(Struct, frozen=True, forbid_unknown_fields=True):
    """There are none."""


class _Piles(Struct, frozen=True, forbid_unknown_fields=True):
    large: tuple[Card, ...] = field(name="l")
    small: tuple[Card, ...] = field(name="s")


class _Turn(Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    actions: tuple[str, ...]


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["crystalla"]
    seats: int
    options: _Options
    seed: int | None
    phase: Phase
    turn: int | None
    deck: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    stacks: tuple[tuple[Card, ...], ...]
    stones: tuple[str, ...]
    carry: str
    card: Card
    due: str
    piece: Card
    receiver: int | None
    open: tuple[Card, ...]
    piles: _Piles
    displays: tuple[tuple[tuple[str, ...], ...], ...]
    now: tuple[str, ...]
    last: _Turn | None


_DECODER: Final = msgspec.json.Decoder(_Document)
_LAID: Final = re.compile(
    rf"(?P<card>..)-(?:{'|'.join(CORNERS)})(?:\+(?P<l>[{CRYSTALS}]l))?(?:\+(?P<s>[{CRYSTALS}]s))?"
)
_FIRST_ROUND: Final = range(HAND, FULL)
"""Cards in a display when a round of turns begins."""
_SPARE: Final = 10
"""Cards a seat that the deck has at least in setup, besides one for each stack."""


def encoded(state: State) -> bytes:
    """All keys in the page's order."""
    last = state.last
    return msgspec.json.encode(
        _Document(
            game="crystalla",
            seats=state.seats,
            options=_Options(),
            seed=state.seed,
            phase=state.phase,
            turn=state.turn,
            deck=state.deck,
            hands=state.hands,
            stacks=state.stacks,
            stones=state.stones,
            carry=state.carry,
            card=state.card,
            due=state.due,
            piece=state.piece,
            receiver=state.receiver,
            open=state.open,
            piles=_Piles(*state.piles),
            displays=state.displays,
            now=tuple(map(str, state.now)),
            last=None if last is None else _Turn(last.seat, tuple(map(str, last.actions))),
        )
    )


def decoded(data: bytes | str) -> State:
    """The position of a document. Raises ValueError naming the first thing that does not fit."""
    document = _DECODER.decode(data)
    checked_seats(SEATS, document.seats)
    _check_lengths(document)
    _check_values(document)
    last = document.last
    state = State(
        seats=document.seats,
        seed=checked_seed(document.seed),
        phase=document.phase,
        turn=document.turn,
        deck=document.deck,
        hands=document.hands,
        stacks=document.stacks,
        stones=document.stones,
        carry=document.carry,
        card=document.card,
        due=document.due,
        piece=document.piece,
        receiver=document.receiver,
        open=document.open,
        piles=(document.piles.large, document.piles.small),
        displays=document.displays,
        now=_log("now", document.now),
        last=None if last is None else Turn(last.seat, _log("last", last.actions)),
    )
    _check_supply(state)
    _check_stones(state)
    if state.phase in SETUP:
        _check_setup(state)
    else:
        _check_round(state)
    _check_phase(state)
    _check_turn(state)
    return state


def _must(holds: bool, complaint: str) -> None:
    if not holds:
        raise ValueError(complaint)


# The page's 1: lengths, values, notation


def _check_lengths(document: _Document) -> None:
    seats = document.seats
    stacks = len(LAYOUTS[seats].stacks)
    _must(len(document.hands) == seats, f"'hands': one for each of the {seats} seats")
    _must(all(len(hand) == HAND for hand in document.hands), f"'hands': {HAND} slots each")
    _must(len(document.stacks) == stacks, f"'stacks': with {seats} seats there are {stacks}")
    _must(len(document.stones) == stacks, f"'stones': one heap for each of the {stacks} stacks")
    _must(len(document.open) == OPEN, f"'open': {OPEN} slots")
    _must(len(document.displays) == seats, f"'displays': one for each of the {seats} seats")
    _must(
        all(len(display) == len(COLUMNS) for display in document.displays), f"'displays': {len(COLUMNS)} columns each"
    )


def _check_values(document: _Document) -> None:
    seats = range(document.seats)
    running = document.phase != Phase.OVER
    _must(
        (document.turn in seats) if running else document.turn is None, "'turn': a seat, null exactly in phase 'over'"
    )
    _must(document.receiver is None or document.receiver in seats, "'receiver': a seat or null")
    _must(document.last is None or document.last.seat in seats, "'last': 'seat' is no seat of this game")
    for name, cards in (
        ("deck", document.deck),
        ("stacks", sum(document.stacks, ())),
        ("hands", sum(document.hands, ())),
    ):
        _of_kind(name, cards, CARDS, "card")
    _of_kind("card", (document.card,), CARDS, "card")
    _of_kind("piece", (document.piece,), PIECES, "crystal piece")
    _of_kind("open", document.open, PIECES, "crystal piece")
    for shape, pile in zip(SHAPES, (document.piles.large, document.piles.small), strict=True):
        _of_kind("piles", pile, [piece for piece in PIECES if piece[1] == shape], f"crystal piece of shape {shape!r}")
    for stack in document.stacks:
        _must(not stack or stack[-1] is not None, "'stacks': the top card of a stack is never hidden")
    for name, heaps in (("stones", document.stones), ("carry", (document.carry,)), ("due", (document.due,))):
        for heap in heaps:
            in_order = heap == "".join(sorted(filter(COLOURS.__contains__, heap), key=COLOURS.index))
            _must(in_order, f"'{name}': {heap!r} is not made of colours in the order {COLOURS}")
    for display in document.displays:
        for column, cards in zip(COLUMNS, display, strict=True):
            _must(len(cards) <= ROWS, f"'displays': column {column} holds more than {ROWS} cards")
            for laid in cards:
                _check_laid(laid)


def _of_kind(name: str, entries: Iterable[Card], known: Iterable[str], kind: str) -> None:
    for entry in entries:
        _must(entry is None or entry in known, f"'{name}': {entry!r} is no {kind}")


def _check_laid(laid: str) -> None:
    found = _LAID.fullmatch(laid)
    _must(
        found is not None and found["card"] in CARDS,
        f"'displays': {laid!r} is no laid card: code, corner, then pieces, the large one first",
    )
    assert found is not None
    for shape in SHAPES:
        if piece := found[shape]:
            _must(piece[0] != printed(laid, shape), f"'displays': {laid!r} has a piece on its own crystal")


def _log(name: str, entries: Iterable[str]) -> tuple[Action, ...]:
    actions = []
    for entry in entries:
        action = canonical(entry)
        if action is None:
            raise ValueError(f"'{name}': {entry!r} is no action in canonical notation")
        actions.append(action)
    return tuple(actions)


# The page's 2 to 4: nothing is there more often than there is of it


def _check_supply(state: State) -> None:
    laid = [card for display in state.displays for column in display for card in column]
    cards = Counter(
        [*state.deck, *sum(state.hands, ()), *sum(state.stacks, ()), state.card, *(card[:2] for card in laid)]
    )
    pieces = Counter([*state.open, *sum(state.piles, ()), state.piece])
    pieces.update(piece for card in laid for piece in card.split("+")[1:])
    _check_counts(cards, CARDS, "card")
    _check_counts(pieces, PIECES, "crystal piece")


def _check_counts(found: Mapping[Card, int], supply: Mapping[str, int], kind: str) -> None:
    for code, number in found.items():
        if code is not None:
            _must(number <= supply[code], f"the {kind} {code} is there {number} times, there are only {supply[code]}")


def _check_stones(state: State) -> None:
    found = Counter("".join(state.stones) + state.carry)
    colours = state.layout.colours
    for colour in COLOURS:
        number = STONES_EACH if colour in colours else 0
        _must(
            found[colour] == number, f"there are {found[colour]} stones {colour!r}, with {state.seats} seats {number}"
        )


# The page's 5: how far everybody is


def _check_setup(state: State) -> None:
    turn = state.turn
    assert turn is not None
    _must(not any(state.stacks), "in setup the stacks are empty")
    for seat, (display, hand) in enumerate(zip(state.displays, state.hands, strict=True)):
        laid, held = cards_in(display), sum(card is not None for card in hand)
        if seat == turn:
            _must(laid + held == HAND, f"seat {seat} sets up: laid and held cards are {HAND} together")
            _must(
                held == HAND if state.phase == Phase.SWAP else held > 0,
                f"in '{state.phase}' seat {seat} holds {held} cards",
            )
        else:
            expected = (HAND, 0) if seat < turn else (0, HAND)
            _must(
                (laid, held) == expected,
                f"while seat {turn} sets up, seat {seat} has laid {expected[0]} cards and holds {expected[1]}",
            )
    least = len(state.layout.stacks) + _SPARE * state.seats
    _must(len(state.deck) >= least, f"in setup the deck has at least {least} cards")


def _check_round(state: State) -> None:
    _must(not state.deck, "after setup the deck is empty")
    _must(not any(card for hand in state.hands for card in hand), "after setup the hands are empty")
    counts = [cards_in(display) for display in state.displays]
    if state.turn is None:
        _must(counts == [FULL] * state.seats, f"in phase 'over' everybody has laid {FULL} cards")
    else:
        done = state.turn + (state.phase in (Phase.GIVE, Phase.COVER))
        begun = counts[-1] if done < state.seats else counts[-1] - 1
        expected = [begun + (seat < done) for seat in range(state.seats)]
        _must(
            begun in _FIRST_ROUND,
            f"the last seat began this round with {begun} cards, it would be {HAND} to {FULL - 1}",
        )
        _must(counts == expected, f"the displays hold {counts} cards, in turn it would be {expected}")
    _must(all(state.stacks), "after setup no stack is empty")
    left = FULL * state.seats - sum(counts) - (state.card is not None)
    least = len(state.stacks) + left
    _must(
        sum(map(len, state.stacks)) >= least, f"the stacks hold at least {least} cards together: {left} are still taken"
    )


# The page's 6: what this turn has come to


def _check_phase(state: State) -> None:
    phase = state.phase
    _must(bool(state.carry) == (phase == Phase.DROP), "'carry': stones are in hand exactly in phase 'drop'")
    _must((state.card is not None) == (phase == Phase.LAY), "'card': a card is taken exactly in phase 'lay'")
    for name, value in (("piece", state.piece), ("receiver", state.receiver)):
        _must((value is not None) == (phase == Phase.COVER), f"'{name}': there is one exactly in phase 'cover'")
    if phase in SETUP or phase in (Phase.TAKE, Phase.DROP, Phase.OVER):
        _must(not state.due, f"'due': in phase '{phase}' nobody is due a piece")


def _check_turn(state: State) -> None:
    match state.phase:
        case Phase.SWAP | Phase.TAKE | Phase.OVER:
            _must(not state.now, f"'now': in phase '{state.phase}' nothing has been played yet")
        case Phase.PLACE:
            assert state.turn is not None
            laid = cards_in(state.displays[state.turn])
            kinds = [type(action) for action in state.now]
            _must(
                kinds[:1] in ([Keep], [Swap]) and kinds[1:] == [Place] * laid,
                f"'now': in phase 'place' a keep or a swap, then {laid} cards placed",
            )
        case Phase.DROP:
            _check_walk(state, state.now)
        case Phase.LAY:
            _check_walk(state, state.now)
            _must(state.due == awarded(state.stones, state.now, state.seats), "'due': not what this walk awards")
        case Phase.GIVE | Phase.COVER:
            _check_awards(state)


def _check_walk(state: State, walk: Sequence[Action]) -> None:
    """A take and drops, as far as stones in hand and on the stacks can tell."""
    assert state.turn is not None
    layout = state.layout
    drops = walk[1:]
    _must(
        isinstance(next(iter(walk), None), Take) and all(isinstance(each, Drop) for each in drops),
        "'now': a take, then only drops",
    )
    _must(state.phase == Phase.DROP or bool(drops), "'now': a walk has at least one drop")
    stacks = [each.stack for each in walk if isinstance(each, Take | Drop)]
    _must(all(stack in layout.stacks for stack in stacks), "'now': there is no such stack")
    steps = list(pairwise(stacks))
    _must(all(there in layout.beside[here] for here, there in steps), "'now': a step goes to a neighbouring stack")
    _must(all(back != here for here, back in zip(stacks, stacks[2:], strict=False)), "'now': a step goes straight back")
    fallen = Counter((each.stack, each.colour) for each in drops if isinstance(each, Drop))
    lifted = {colour for _, colour in fallen} | set(state.carry)
    _must(COLOURS[state.turn] in lifted, "'now': the stones that were lifted are all of others")
    for (stack, colour), number in fallen.items():
        _must(state.stones[stack - 1].count(colour) >= number, f"'now': {colour}{stack} fell, but does not lie there")
    taken = stacks[0]
    left = len(state.stones[taken - 1]) - sum(number for (stack, _), number in fallen.items() if stack == taken)
    _must(left == 0, f"'now': all stones of stack {taken} were lifted, but {left} lie there that did not fall again")


def _check_awards(state: State) -> None:
    """A walk and a lay, then gifts, each followed by its cover or by none; what is due is what they leave."""
    laid = next((place for place, action in enumerate(state.now) if isinstance(action, Lay)), None)
    if laid is None:
        raise ValueError(f"'now': in phase '{state.phase}' the card has been laid")
    _check_walk(state, state.now[:laid])
    gifts = state.now[laid + 1 :]
    _must(all(isinstance(each, Give | Cover) for each in gifts), "'now': after the lay only gives and covers")
    for before, action in zip((None, *gifts), gifts, strict=False):
        _must(isinstance(action, Give) or isinstance(before, Give), "'now': a cover follows a give")
    due = awarded(state.stones, state.now, state.seats)
    for gift in gifts:
        if isinstance(gift, Give):
            _must(gift.colour in due, f"'now': nothing is due for {gift.colour!r}")
            due = due.replace(gift.colour, "")
    _must(state.due == due, f"'due': after this turn's awards and gifts it would be {due!r}")
    if state.phase == Phase.GIVE:
        _must(bool(due) and any(state.open), "in phase 'give' somebody is due a piece and one lies open")
        return
    assert state.piece is not None
    assert state.receiver is not None
    given = Give(COLOURS[state.receiver], state.piece)
    _must(bool(gifts) and gifts[-1] == given, f"'now': in phase 'cover' {given} was played last")
    fitting = next(cells_for(state.displays[state.receiver], state.piece), None)
    _must(fitting is not None, f"the piece {state.piece} fits nowhere, so nobody places it")
