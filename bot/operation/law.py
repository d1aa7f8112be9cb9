"""The stored data for the privacy policy, by key and field, in the words of the catalogues.

The templates in ``docs`` contain it between two marks; ``python -m bot.operation.law FILE …`` rewrites it. A test
compares them, and fails if a key or field has no description.
"""

import re
import sys
from pathlib import Path

from msgspec import Struct

import texts
from bot.operation.findings import DOMAIN
from bot.store.blocks import BlockedPerson
from bot.tables.daily import DailyAnswer, Solver
from bot.tables.preferences import OF_PERSON
from bot.tables.rating import Called, Record
from bot.tables.solo import SoloRecord
from bot.tables.table import Entry, Leaver, Seat

KEEP_DAYS = 90
"""Days for which a finished game is stored, unless KEEP_DAYS differs."""


class KeyKind(Struct, frozen=True):
    """Keys of one kind. *pattern*: a regular expression for the whole key. *people*: the data is about persons."""

    name: str
    pattern: str
    people: bool = True


_SHARD, _PLACE, _PERSON = r"kb:\{s\d\d\}:", r"kb:place:\{.+\}", r"kb:person:\{.+\}"

KINDS = (
    KeyKind("table", _SHARD + r"t:\w+"),
    KeyKind("log", _SHARD + r"log:\w+"),
    KeyKind("updates", _SHARD + r"seen:\w+"),
    KeyKind("fading", _SHARD + r"fading:\w+(:.+)?"),
    KeyKind("queues", rf"{_SHARD}(due|urgent|unposted|running)|kb:daily:\{{\d\d\}}", people=False),
    KeyKind("place", _PLACE),
    KeyKind("place_settings", _PLACE + ":settings"),
    KeyKind("called", _PLACE + ":people"),
    KeyKind("records", _PLACE + ":records"),
    KeyKind("ranking", _PLACE + r":ranking:\w+"),
    KeyKind("rated", _PLACE + ":rated", people=False),
    KeyKind("place_blocks", _PLACE + ":blocks"),
    KeyKind("solvers", _PLACE + ":solvers"),
    KeyKind("posts", _PLACE + ":daily", people=False),
    KeyKind("settings", _PERSON + ":settings"),
    KeyKind("tables", _PERSON + ":(tables|seats)"),
    KeyKind("played", _PERSON + ":played"),
    KeyKind("places", _PERSON + ":places"),
    KeyKind("own_places", _PERSON + ":own_places"),
    KeyKind("solo", _PERSON + ":solo"),
    KeyKind("counted", _PERSON + ":counted"),
    KeyKind("daily", _PERSON + ":daily"),
    KeyKind("blocks", _PERSON + ":blocks"),
    KeyKind("blocked_by", _PERSON + ":blocked_by"),
    KeyKind("replies", _PERSON + ":replies"),
    KeyKind("own", r"kb:pending:\{code\}:[\d.]+", people=False),
    KeyKind("pending", r"kb:pending:\{(?!code\})\w+\}(:.+)?"),
    KeyKind("players", r"kb:\{players\}:\d+"),
    KeyKind("forgotten", "kb:forgotten"),
    KeyKind("own", r"kb:(secret|restoring|backed_up|(heartbeat|outages):\{\w+\}|line:\{\w+\}:.+)", people=False),
    KeyKind("own", r"kb:leader:\{\w+\}(:[^:]+)?", people=False),
)

FIELDS: dict[str, type[Struct]] = {
    "seat": Seat,
    "leaver": Leaver,
    "log": Entry,
    "called": Called,
    "records": Record,
    "solo": SoloRecord,
    "daily": DailyAnswer,
    "solvers": Solver,
    "blocks": BlockedPerson,
}
"""The personal data by kind of key (a seat and a leaver are parts of a table)."""


def kinds_of(key: str) -> list[str]:
    """Return the kinds that *key* belongs to; exactly one, if KINDS is complete.

    >>> kinds_of("kb:person:{discord:42}:settings"), kinds_of("kb:place:{room:hall}"), kinds_of("kb:diary")
    (['settings'], ['place'], [])
    """
    names = [kind.name for kind in KINDS if re.fullmatch(kind.pattern, key)]
    return [name for name in names if name != "place" or len(names) == 1]


def stored(lang: str, keep_days: int = KEEP_DAYS) -> str:
    """Return the stored personal data and its lifetime as a Markdown table, with fields and settings below it."""

    def text(key: str, **facts: object) -> str:
        return texts.say(DOMAIN, key, lang, **facts)

    lines = [f"| {text('law.what')} | {text('law.until')} |", "| --- | --- |"]
    for kind in KINDS:
        if kind.people:
            until = text(f"law.{kind.name}.until", days=keep_days)
            lines.append(f"| {text(f'law.{kind.name}')} | {until} |")
    lines.append("")
    for name, struct in FIELDS.items():
        fields = "; ".join(text(f"law.{name}.{field}") for field in struct.__struct_fields__)
        lines.append(f"- {text(f'law.{name}.fields', fields=fields)}")
    settings = ", ".join(texts.say("table", f"setting.{setting.name}", lang) for setting in OF_PERSON)
    lines.append(f"- {text('law.settings.fields', fields=settings)}")
    return "\n".join(lines)


_MARKED = re.compile(r"(<!-- stored (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def written(page: str) -> str:
    """Return *page* with the stored data between its marks, in the language that they name."""
    return _MARKED.sub(lambda match: f"{match[1]}{stored(match[2])}\n{match[3]}", page)


if __name__ == "__main__":
    for file in map(Path, sys.argv[1:]):
        file.write_text(written(file.read_text(encoding="utf-8")), encoding="utf-8")
