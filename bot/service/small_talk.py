"""Which of what people say is a move: nobody's small talk is."""

import re

from bot.chat import PersonId
from bot.replies import wording
from bot.repository.repository import Snapshot
from bot.repository.turn_rights import who_acts
from bot.requests.commands import LONGEST_TEXT
from rules import BadNotation, IllegalAction

_NAMES_A_FIELD = re.compile(r"(?=.*[^\W\d_])(?=.*\d)", re.DOTALL)


def could_be_move(text: str) -> bool:
    """Whether *text* may be a move, as far as can be told without the table: it has a letter and a number, as fields
    have. "pass", "end", "ok" and "3" are things that people say."""
    return len(text) <= LONGEST_TEXT and _NAMES_A_FIELD.search(text) is not None


def is_move(seen: Snapshot, person: PersonId, text: str) -> bool:
    """Whether *text* is a move of *person*, who is up: all of it is notation that begins with a legal action, and it
    names a field."""
    acting = who_acts(seen, person)
    if acting is None or not could_be_move(text):
        return False
    try:
        first, *_ = wording.read(seen.table.game, acting.state.view(acting.seat), text)
    except (IllegalAction, BadNotation):
        return False
    return first in acting.state.actions()
