"""Positions as JSON: the keys, the checks of single values, encoding and decoding."""

import re
from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import Struct, field

from rules.contract import checked_seats, checked_seed, require
from rules.games.crystalla.actions import Action, canonical
from rules.games.crystalla.codes import Phase
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
)
from rules.games.crystalla.consistency import check
from rules.games.crystalla.displays import CORNERS, printed
from rules.games.crystalla.position import Options, Turn
from rules.games.crystalla.stacks import Card
from rules.games.crystalla.state import State


class _Piles(Struct, frozen=True, forbid_unknown_fields=True):
    large: tuple[Card, ...] = field(name="l")
    small: tuple[Card, ...] = field(name="s")


class _Turn(Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    actions: tuple[str, ...]


class _Document(Struct, frozen=True, forbid_unknown_fields=True):
    game: Literal["crystalla"]
    seats: int
    options: Options
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


def encode(state: State) -> bytes:
    """Return the position as JSON, all keys in their order."""
    last = state.last
    return msgspec.json.encode(
        _Document(
            game="crystalla",
            seats=state.seats,
            options=state.options,
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


def decode(data: bytes | str) -> State:
    """Return the position of a document. Raises ValueError that names the first error."""
    document = _DECODER.decode(data)
    checked_seats(SEATS, document.seats)
    _check_lengths(document)
    _check_values(document)
    last = document.last
    state = State(
        seats=document.seats,
        options=document.options,
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
    check(state)
    return state


# Lengths, values, notation


def _check_lengths(document: _Document) -> None:
    seats = document.seats
    stacks = len(LAYOUTS[seats].stacks)
    require(len(document.hands) == seats, f"'hands': one for each of the {seats} seats")
    require(all(len(hand) == HAND for hand in document.hands), f"'hands': {HAND} slots each")
    require(len(document.stacks) == stacks, f"'stacks': with {seats} seats there are {stacks}")
    require(len(document.stones) == stacks, f"'stones': one heap for each of the {stacks} stacks")
    require(len(document.open) == OPEN, f"'open': {OPEN} slots")
    require(len(document.displays) == seats, f"'displays': one for each of the {seats} seats")
    require(
        all(len(display) == len(COLUMNS) for display in document.displays), f"'displays': {len(COLUMNS)} columns each"
    )


def _check_values(document: _Document) -> None:
    seats = range(document.seats)
    running = document.phase != Phase.OVER
    require(
        (document.turn in seats) if running else document.turn is None, "'turn': a seat, null exactly in phase 'over'"
    )
    require(document.receiver is None or document.receiver in seats, "'receiver': a seat or null")
    require(document.last is None or document.last.seat in seats, "'last': 'seat' is no seat of this game")
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
        require(not stack or stack[-1] is not None, "'stacks': the top card of a stack is never hidden")
    for name, heaps in (("stones", document.stones), ("carry", (document.carry,)), ("due", (document.due,))):
        for heap in heaps:
            in_order = heap == "".join(sorted(filter(COLOURS.__contains__, heap), key=COLOURS.index))
            require(in_order, f"'{name}': {heap!r} is not made of colours in the order {COLOURS}")
    for display in document.displays:
        for column, cards in zip(COLUMNS, display, strict=True):
            require(len(cards) <= ROWS, f"'displays': column {column} holds more than {ROWS} cards")
            for laid in cards:
                _check_laid(laid)


def _of_kind(name: str, entries: Iterable[Card], known: Iterable[str], kind: str) -> None:
    for entry in entries:
        require(entry is None or entry in known, f"'{name}': {entry!r} is no {kind}")


def _check_laid(laid: str) -> None:
    form = _LAID.fullmatch(laid)
    require(
        form is not None and form["card"] in CARDS,
        f"'displays': {laid!r} is no laid card: code, corner, then pieces, the large one first",
    )
    assert form is not None
    for shape in SHAPES:
        if piece := form[shape]:
            require(piece[0] != printed(laid, shape), f"'displays': {laid!r} has a piece on its own crystal")


def _log(name: str, entries: Iterable[str]) -> tuple[Action, ...]:
    actions = []
    for entry in entries:
        action = canonical(entry)
        if action is None:
            raise ValueError(f"'{name}': {entry!r} is no action in canonical notation")
        actions.append(action)
    return tuple(actions)
