"""Distinguishes moves from conversation.

The less a text looks like a move, the more evidence it needs. The actor plays a text that names a field and is
notation from beginning to end: in a channel of the page, or in answer to any post of the bot, for example a reminder. A
single word such as "pass" or "x" is a move in answer to the newest board. Texts on the page answer no post; there a
single word is a move only if it is the label of a button.

A text of the actor that is clearly meant as a move, but is none, is answered like the command.
"""

import re

from bot.chat import PersonId, PlainMessage, Typed
from bot.replies import wording
from bot.repository.turn_rights import who_acts
from bot.requests.arguments import LONGEST_TEXT
from bot.tables.snapshot import Snapshot
from rules import BadNotation, IllegalAction, State
from rules.notation import unwrapped

_NAMES_A_FIELD = re.compile(r"(?=.*[^\W\d_])(?=.*\d)", re.DOTALL)
_WORDS = re.compile(r"[^\W\d_]+")
_THINKS_ALOUD = ("..", "…")


def could_be_move(said: PlainMessage | Typed) -> bool:
    """Return whether a text may be a move, as far as it shows without the table.

    It has a letter and a number, as fields have, or is a single word in answer to a post, or a word of a game. "pass",
    "end", "ok" and "3" are also ordinary words.
    """
    if len(said.text) > LONGEST_TEXT:
        return False
    text = unwrapped(said.text)
    if text.endswith(_THINKS_ALOUD):
        return False
    if text.isalpha():
        return _answers(said) is not None or wording.may_be_button(text)
    return _NAMES_A_FIELD.search(text) is not None


def is_move(snapshot: Snapshot, person: PersonId, said: PlainMessage | Typed) -> bool:
    """Return whether a text is a move of *person*, the actor.

    All of it is notation that begins with a legal action. It names a field, is one word in answer to the newest board,
    or is the label of a button and answers no post.
    """
    acting = who_acts(snapshot, person)
    if acting is None or not could_be_move(said):
        return False
    view, text = acting.state.view(acting.seat), unwrapped(said.text)
    if text.isalpha() and not _may_be_one_word(snapshot, view, said, text):
        return False
    try:
        first, *_ = wording.read(snapshot.table.game, view, text, exact=True)
    except (IllegalAction, BadNotation):
        return False
    mumbles = any(_is_several(snapshot.table.game, view, word) for word in _WORDS.findall(text))
    return first in acting.state.actions() and not mumbles


def is_meant_as_move(snapshot: Snapshot, person: PersonId, said: PlainMessage | Typed) -> bool:
    """Return whether *person*, the actor, means a text as a move, although it may be none."""
    acting = who_acts(snapshot, person)
    if acting is None or not could_be_move(said):
        return False
    return wording.is_meant(snapshot.table.game, acting.state.view(acting.seat), said.text)


def _answers(said: PlainMessage | Typed) -> str | None:
    return said.answers if isinstance(said, PlainMessage) else None


def _may_be_one_word(snapshot: Snapshot, view: State, said: PlainMessage | Typed, text: str) -> bool:
    """Return whether the single word *text* answers the newest board, or is a button's label and answers no post."""
    answers = _answers(said)
    if answers is None:
        return wording.is_button(snapshot.table.game, view, text)
    return snapshot.board_message is not None and snapshot.board_message.message == answers


def _is_several(game: str, view: State, word: str) -> bool:
    """Return whether a word without a number reads as several actions: "xxx" are kisses."""
    try:
        return len(wording.read(game, view, word, exact=True)) > 1
    except (IllegalAction, BadNotation):
        return False
