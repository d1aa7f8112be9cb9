"""The parser of typed text."""

import re

from rules.contract import BadNotation
from rules.games.colorio.actions import ColorioAction, Deal, Remove
from rules.games.colorio.board import GRID
from rules.games.colorio.position import Phase
from rules.games.colorio.state import COVER, UNCOVER, State
from rules.notation import LETTER_FIRST, NUMBER_FIRST, plain, stray

_TOKEN = re.compile(
    r"(?P<onto>(?:->|>|(?:(?:put|lege)\s+)?(?:onto|to|nach|auf)|put|lege)\s*)?"
    rf"(?P<column>[{GRID.columns}])\s*(?P<row>[{GRID.rows}])"
    r"|(?P<remove>x|discard|remove|abwerfen|entfernen|weg)"
    r"|(?P<deal>deal|next|weiter)"
)
_QUOTED = 20
"""Number of characters quoted from the text that cannot be parsed."""


def parse(state: State, text: str) -> tuple[ColorioAction, ...]:
    """Return the actions of *text*, from left to right; blanks and commas are optional.

    A bare field is uncovered if an uncovering is due. If a decision is due, the cap covers it; but in the first turn of
    a round, in which caps can only be removed, it is the next field to uncover, and the parser adds the ``x``.

    Raises BadNotation for the whole text; it quotes the text from the first character that cannot be parsed.
    """
    rest = re.sub("[,;]", " ", plain(text)).strip()
    decides, first_turn = state.decides, state.phase is Phase.PLAY and state.turn == 0
    actions: list[ColorioAction] = []
    while rest:
        token = _TOKEN.match(rest)
        if token is None:
            break
        rest = rest[token.end() :].lstrip()
        if token["remove"]:
            actions.append(Remove())
            decides = False
            continue
        if token["deal"]:
            actions.append(Deal())
            decides, first_turn = False, True
            continue
        field = GRID.number[token["column"] + token["row"]]
        if token["onto"] or (decides and not first_turn):
            actions.append(COVER[field])
            decides = False
            continue
        if decides:
            actions.append(Remove())
        actions.append(UNCOVER[field])
        decides = True
    if rest or not actions:
        raise BadNotation(
            rest[:_QUOTED], missing=stray(rest, LETTER_FIRST, GRID.fields) or stray(rest, NUMBER_FIRST, ())
        )
    return tuple(actions)
