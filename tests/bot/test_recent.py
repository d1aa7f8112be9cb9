"""The actions that a picture marks: those since the reader's own last turn."""

import pytest

from bot.replies.words import with_recent
from bot.tables.table import Entry
from renderers import Look, SeatLook
from rules import News

NAMES = "ABC"


def marked(log: str, reader: int | None) -> str:
    """Return the marked actions of *log*, the faint ones lower-case.

    "A B C" is one action in each turn, "AA" two in one; a dot is an event that is no action, "-" takes one back, and
    "d" is A's word about a draw.
    """
    entries = []
    for turn, actions in enumerate(log.split()):
        for sign in actions:
            if sign in ".-":
                entries.append(Entry(1, 0, "", 0, turn=turn, event="undone", back=int(sign == "-")))
            else:
                seat = 0 if sign == "d" else NAMES.index(sign)
                entries.append(Entry(1, seat, "draw" if sign == "d" else sign, 0, turn=turn))
    look = with_recent(Look((SeatLook("Anna"), SeatLook("Ben"), SeatLook("Cleo"))), entries, reader)
    return "".join(recent.action.lower() if recent.is_faint else recent.action for recent in look.recent)


@pytest.mark.parametrize(
    ("log", "reader", "shown"),
    [
        ("", 0, ""),
        ("A B C", 0, "aBC"),
        ("A B C A B C", 0, "aBC"),
        ("AA BBB C", 0, "aaBBBC"),
        ("A B C AA", 0, "bcAA"),
        ("A", 0, "A"),
        ("B C B C", 0, "CBC"),
        ("A B C", None, "C"),
        ("A BB", None, "BB"),
        ("A B. .", 0, "aB"),
        ("A BB-", 0, "aB"),
        ("A B d", None, "B"),
        ("B A B", 0, "aB"),
    ],
)
def test_the_own_move_and_its_answers_are_marked(log: str, reader: int | None, shown: str) -> None:
    assert marked(log, reader) == shown


def test_a_marked_action_has_the_facts_of_its_news() -> None:
    items = News("place1", 0, (("well", "17"), ("hex1", "B4"))), News("spent", 0, (("paid", "1"),))
    look = with_recent(Look((SeatLook("Anna"), SeatLook("Ben"))), [Entry(1, 0, "17r", 0, news=items)], None)
    assert [recent.facts for recent in look.recent] == [(("well", "17"), ("hex1", "B4"), ("paid", "1"))]
