"""The parser of typed text: all kinds of action in English, German or notation, several in one line."""

import re
from typing import Final

from msgspec.structs import replace

from rules.contract import BadNotation, IllegalAction
from rules.games.crystalla.actions import KEEP, Action, Cover, Drop, Fill, Give, Lay, Place, Swap, Take
from rules.games.crystalla.codes import SETUP, Phase
from rules.games.crystalla.components import COLOURS, COLUMNS, CRYSTALS, HAND, ROWS, SHAPES
from rules.games.crystalla.displays import CORNERS
from rules.games.crystalla.state import State
from rules.notation import LETTER_FIRST, plain, stray

_COLOURS: Final = {
    **dict.fromkeys(("o", "orange"), "o"),
    **dict.fromkeys(("w", "white", "weiss", "weiß"), "w"),
    **dict.fromkeys(("p", "pink", "rosa"), "p"),
    **dict.fromkeys(("k", "black", "schwarz"), "k"),
}
_CRYSTALS: Final = {
    **dict.fromkeys(("t", "tourmaline", "turmalin"), "t"),
    **dict.fromkeys(("a", "amethyst"), "a"),
    **dict.fromkeys(("r", "ruby", "rubin"), "r"),
    **dict.fromkeys(("e", "emerald", "smaragd"), "e"),
    **dict.fromkeys(("c", "citrine", "zitrin"), "c"),
    **dict.fromkeys(("d", "diamond", "diamant"), "d"),
    **dict.fromkeys(("h", "hematite", "hämatit", "haematit"), "h"),
}
_SHAPES: Final = {
    **dict.fromkeys(("l", "large", "gross", "groß"), "l"),
    **dict.fromkeys(("s", "small", "klein"), "s"),
}
_CORNERS: Final = {
    spelt: corner
    for corner in CORNERS
    for order in (corner, corner[::-1])
    for spelt in (order, order.replace("e", "o"))
}

assert set(_COLOURS.values()) == set(COLOURS)
assert set(_CRYSTALS.values()) == set(CRYSTALS)
assert set(_SHAPES.values()) == set(SHAPES)


def _any(words: dict[str, str]) -> str:
    return "|".join(words)


_SPACED: Final = re.compile(
    rf"(?<![^\s,;])(take|nimm|t|fill|fülle|fuelle|swap|tausche|{_any(_COLOURS)}|[{COLUMNS}])\s+(?=\d)"
)
_END_OF_WORD: Final = r"(?![^\s,;.])"
_SPACED_COLUMN: Final = re.compile(rf"(?<![^\s,;])(\d*[{COLUMNS}])\s+(?=(?:{_any(_CORNERS)}){_END_OF_WORD})")
_SPACED_CARD: Final = re.compile(rf"(?<![^\s,;])(\d+)\s+(?=[{COLUMNS}](?:{_any(_CORNERS)}){_END_OF_WORD})")
"""Numbers of cards; in turns, a number before a column is a stack."""
_IGNORED: Final = str.maketrans("", "", "-+>:.='")
_SWAP: Final = re.compile(rf"(?:swap|tausche|s)([1-{HAND}])")
_PLACE: Final = re.compile(rf"([1-{HAND}])?([{COLUMNS}])({_any(_CORNERS)})")
_TAKE: Final = re.compile(r"(?:take|nimm|t)([1-9])")
_FILL: Final = re.compile(r"(?:fill|fülle|fuelle)([1-9])")
_DROP: Final = re.compile(rf"({_any(_COLOURS)})([1-9])")
_GIVE: Final = re.compile(rf"({_any(_COLOURS)})?({_any(_CRYSTALS)})({_any(_SHAPES)})")
_COVER: Final = re.compile(rf"([{COLUMNS}][1-{ROWS}])([{SHAPES}])?")
_NUMBER: Final = re.compile(r"[1-9]")
_NO_CARD: Final = re.compile(
    rf"(?:swap|tausche|s)([0-9]{{1,3}})|([0-9]{{1,3}})[{COLUMNS}](?:{_any(_CORNERS)})"
    rf"|(?![1-{HAND}](?![0-9]))([0-9]{{1,3}})[{COLUMNS}]"  # incomplete
)
_NO_COLUMN: Final = re.compile(
    rf"[1-{HAND}]?((?![{COLUMNS}])[a-z])(?:{_any(_CORNERS)})"
    rf"|[0-9]{{0,3}}((?![{COLUMNS}{COLOURS}nst])[a-z])(?:(?<=[0-9].)[neswo])?"  # incomplete: not 5o for o5, 1ne, take
)
_NO_STACK: Final = re.compile(rf"(take|nimm|t|fill|fülle|fuelle|{_any(_COLOURS)})?(?![1-9]$)([0-9]{{1,3}})")
_QUOTED: Final = 40
_UNKNOWN: Final = "??"


def parse(state: State, text: str) -> tuple[Action, ...]:
    """Return the actions that *text* means; each word is parsed in the position after the words before it.

    The result may contain an illegal action, which leaves the position unchanged. Raises BadNotation quoting the word.

    >>> from rules.games.crystalla import GAME
    >>> " ".join(map(str, parse(GAME.start(2), "1 b NE")))
    'keep 1bne'
    """
    typed = _SPACED_COLUMN.sub(r"\1", _SPACED.sub(r"\1", plain(text)))
    if state.phase in SETUP:
        typed = _SPACED_CARD.sub(r"\1", typed)
    words = typed.replace(",", " ").replace(";", " ").split()
    if not words:
        raise BadNotation
    state = _filled(state)
    actions: list[Action] = []
    for word in words:
        for action in _read(state, word):
            actions.append(action)
            state = _after(state, action)
    return tuple(actions)


def _filled(state: State) -> State:
    """Return the position with placeholders for hidden cards, on which the meaning of a word does not depend."""

    def known(pile: tuple[str | None, ...]) -> tuple[str, ...]:
        return tuple(card or _UNKNOWN for card in pile)

    return replace(
        state,
        deck=known(state.deck),
        stacks=tuple(map(known, state.stacks)),
        piles=tuple(map(known, state.piles)),
    )


def _after(state: State, action: Action) -> State:
    try:
        return state.play(action)
    except IllegalAction:
        return state


def _read(state: State, word: str) -> tuple[Action, ...]:
    """Return the actions that a word means in this position; if the hand is still undecided, keeping it comes first."""
    bare = word.translate(_IGNORED)
    if bare in ("keep", "behalten"):
        return (KEEP,)
    if form := _SWAP.fullmatch(bare):
        return (Swap(int(form[1])),)
    if form := _PLACE.fullmatch(bare):
        slot, column, corner = form.groups()
        action = _laying(state, slot, column, _CORNERS[corner])
        if action is not None:
            return (KEEP, action) if state.phase == Phase.SWAP else (action,)
    if form := _TAKE.fullmatch(bare):
        return (Take(int(form[1])),)
    if form := _FILL.fullmatch(bare):
        return (Fill(int(form[1])),)
    if form := _DROP.fullmatch(bare):
        return (Drop(_COLOURS[form[1]], int(form[2])),)
    if form := _COVER.fullmatch(bare):
        cell, shape = form.groups()
        if shape is None or (state.piece is not None and state.piece[1] == shape):
            return (Cover(cell),)
    if form := _GIVE.fullmatch(bare):
        colour, crystal, shape = form.groups()
        owner = _COLOURS[colour] if colour else _only(state.due) if state.phase == Phase.GIVE else None
        if owner:
            return (Give(owner, _CRYSTALS[crystal] + _SHAPES[shape]),)
    if _NUMBER.fullmatch(bare):
        if state.phase == Phase.TAKE:
            return (Take(int(bare)),)
        if state.phase == Phase.REFILL:
            return (Fill(int(bare)),)
        if state.phase == Phase.DROP and (colour := _only(state.carry)):
            return (Drop(colour, int(bare)),)
    raise _unread(state, word, bare)


def _unread(state: State, word: str, bare: str) -> BadNotation:
    """Return the error for a word without a meaning here; it names the card, column, stack or cell that is missing."""
    quoted = word[:_QUOTED]
    if card := _NO_CARD.fullmatch(bare):
        return BadNotation(quoted, missing=card[1] or card[2] or card[3], sort="card")
    column = _NO_COLUMN.fullmatch(bare)
    if column and not (state.phase == Phase.GIVE and bare in _CRYSTALS):
        return BadNotation(quoted, missing=column[1] or column[2], sort="column")
    if stack := _NO_STACK.fullmatch(word):
        walks = state.phase in (Phase.TAKE, Phase.DROP, Phase.REFILL)
        return BadNotation(quoted, missing=stack[2], sort="stack" if stack[1] or walks else "field")
    return BadNotation(quoted, missing=stray(bare, LETTER_FIRST, ()))  # not a cell, not a stone's stack


def _laying(state: State, slot: str | None, column: str, corner: str) -> Place | Lay | None:
    """Return the action for a card of the hand with a slot; without one for the only card left in setup, else for the
    taken card."""
    if slot:
        return Place(int(slot), column, corner)
    if state.phase not in SETUP or state.turn is None:
        return Lay(column, corner)
    held = [number for number, card in enumerate(state.hands[state.turn], 1) if card is not None]
    return Place(held[0], column, corner) if len(held) == 1 else None


def _only(colours: str) -> str | None:
    """Return the colour if all stones have the same."""
    return colours[0] if len(set(colours)) == 1 else None
