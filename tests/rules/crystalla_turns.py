"""Positions of Crystalla as text. In a drawing of a display a card is its code, the corner of its large segment, and
the pieces on it: ``cd-ne+hl``."""

import pytest

from rules import IllegalAction
from rules.games.crystalla import GAME, LAYOUTS, Display, Options, Phase, State
from rules.squares import squares
from tests.positions import drawn, read

CELLS = squares(4, 3)
NOTHING: Display = ((),) * 4
USUAL = Options()
HIGH = ("td", "rh", "ra", "hd", "ac")
"""A stack of five cards, ``ac`` on top."""


def display(drawing: str) -> Display:
    """Return the display of a drawing."""
    cards = read(CELLS, drawing)
    columns = [cards[column::4] for column in range(4)]
    assert all(column == tuple(filter(None, column)) + ("",) * column.count("") for column in columns), "a card floats"
    return tuple(tuple(filter(None, column)) for column in columns)


def shown(cards: Display) -> str:
    """Return the drawing of a display, from its highest row down."""
    content = [cards[column][row] if row < len(cards[column]) else "" for row in range(3) for column in range(4)]
    lines = drawn(CELLS, content).split("\n")[:-1]
    return "\n".join(" ".join(line.split()) for line in lines if any(cell != "." for cell in line.split()[1:]))


def turn(
    stones: str,
    *,
    seats: int = 2,
    seat: int = 0,
    options: Options = USUAL,
    displays: tuple[Display, ...] = (),
    stacks: tuple[tuple[str, ...], ...] = (),
    pieces: str = "rl hl ts hs",
    piles: tuple[tuple[str, ...], tuple[str, ...]] = (("al", "dl", "el"), ("cs", "ds", "rs")),
) -> State:
    """Return the start of a turn. *stones* by stack, "." for none; stacks that are not given have five cards."""
    heaps = tuple(heap.replace(".", "") for heap in stones.split())
    number = len(LAYOUTS[seats].stacks)
    assert len(heaps) == number
    return State(
        seats=seats,
        options=options,
        seed=None,
        phase=Phase.TAKE,
        turn=seat,
        deck=(),
        hands=((None,) * 3,) * seats,
        stacks=(*stacks, *(HIGH,) * number)[:number],
        stones=heaps,
        carry="",
        card=None,
        due="",
        piece=None,
        receiver=None,
        open=tuple(None if piece == "." else piece for piece in pieces.split()),
        piles=piles,
        displays=(*displays, *(NOTHING,) * seats)[:seats],
        now=(),
        last=None,
    )


def act(state: State, texts: str) -> State:
    """Return the position after these actions."""
    for text in texts.split():
        for action in GAME.parse(state, text):
            state = state.play(action)
    return state


def refused(state: State, text: str) -> str:
    """Return the code with which the action is refused."""
    (action,) = GAME.parse(state, text)
    with pytest.raises(IllegalAction) as refusal:
        state.play(action)
    return refusal.value.code


def legal(state: State) -> str:
    return " ".join(map(str, state.actions()))


def begun(seats: int, seed: int = 1) -> State:
    """Return the first turn, after all seats have kept the hand and laid it in columns a, b and c."""
    state = GAME.start(seats, seed=seed)
    for _ in range(seats):
        state = act(state, "keep 1anw 2bnw 3cnw")
    return state


MINE = display("1  ta-nw  rc-se  de-ne  .")
YOURS = display("1  ha-nw  he-ne  ht-nw+cl  .")
PAIRING = turn("oow . o w . w", displays=(MINE, YOURS))
"""White can be paired on 4 or 6, orange on 3; the large hematite fits no segment of white."""
