"""The templates of the privacy policy describe exactly the stored data."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

import texts
from bot.chat import MessageId, PersonId
from bot.operation import environment, law
from bot.replies.statistics import say
from bot.requests.commands import BY_NAME
from bot.store import keys
from bot.store.store import Store
from bot.tables.table import Fading, TableId
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM
from tests.bot.talk.test_backup import some_of_everything
from tests.bot.talk.test_forgetting import ZEB, Talk, talk

__all__ = ["talk"]

DOCS = Path(__file__).parents[3] / "docs"
PAGES = {"en": DOCS / "privacy.md", "de": DOCS / "privacy.de.md"}

GIVEN: dict[str, Any] = {
    "code": (1, 20, 3),
    "id_": "discord:42",
    "place": "discord:7",
    "table": TableId("abcdefgh"),
    "number": 16,
    "name": "1f",
    "platform": "discord",
    "key": "discord:7",
    "queue": "starts 0",
    "game": "chess",
    "hour": 491003,
}
NO_KEYS = {"shard", "hashed", "attachment", "own", "owned", "record", "solo_record"} | {
    "daily_hints",
    "daily_excuse",
    "excused_day",
}
"""Parts of keys or values."""


def every_key() -> set[str]:
    """Return a key of each sort that ``keys`` can name."""
    result = {value for value in vars(keys).values() if isinstance(value, str) and value.startswith("kb:")}
    result |= {names[0] for names in (keys.DUE, keys.URGENT, keys.UNPOSTED, keys.RUNNING)}
    makers: list[Callable[..., Any]] = [
        value
        for name, value in inspect.getmembers(keys, inspect.isfunction)
        if value.__module__ == keys.__name__ and name not in NO_KEYS
    ]
    for make in makers:
        made = make(*(GIVEN[name] for name in inspect.signature(make).parameters))
        result |= {made} if isinstance(made, str) else set(made)
    return result - {keys.PENDING, keys.PLAYERS, keys.LEADER, keys.SLOTS}


@pytest.mark.parametrize("key", sorted(every_key()))
def test_every_key_is_of_one_kind_that_the_policy_tells_of(key: str) -> None:
    assert len(law.kinds_of(key)) == 1, key


def test_no_missing_kind_of_data_is_described() -> None:
    assert {name for key in every_key() for name in law.kinds_of(key)} == {kind.name for kind in law.KINDS}


def test_exactly_the_kinds_of_personal_data_are_described() -> None:
    policy = law.stored("en")
    for kind in law.KINDS:
        known = texts.find("operator", f"law.{kind.name}", "en")
        assert (known is not None) == kind.people
        assert known is None or known in policy


async def test_all_that_is_really_stored_is_of_a_kind(talk: Talk, store: Store, raw: Redis, clock: HandClock) -> None:
    await some_of_everything(talk, clock)
    await store.fading.add(TableId("abcdefgh"), Fading(0, ROOM.id, MessageId("1")), 1000)
    await store.platform_storage("room", clock).put("room:7", b"ticket", ttl_s=9, claimable_in_s=0)
    await store.counting.played([ZEB.id], 1_767_614_400_000)
    await store.records.note_forgotten(PersonId("room:gone"), 1_767_614_400_000)
    stored = [key.decode() for key in raw.scan_iter()]
    assert len(stored) > 20
    for key in stored:
        assert len(law.kinds_of(key)) == 1, key


@pytest.mark.parametrize("lang", PAGES)
def test_the_template_matches_the_stored_data(lang: str) -> None:
    page = PAGES[lang].read_text(encoding="utf-8")
    assert f"<!-- stored {lang} -->" in page
    assert law.written(page) == page, "python -m bot.operation.law docs/privacy.md docs/privacy.de.md"
    assert law.stored(lang) in page


def test_the_days_that_the_template_tells_are_those_of_the_settings() -> None:
    (default,) = [variable.default for variable in environment.CORE if variable.name == "KEEP_DAYS"]
    assert default == str(law.KEEP_DAYS)


@pytest.mark.parametrize("lang", PAGES)
def test_the_ways_that_the_template_names_are_there(lang: str) -> None:
    page = re.sub(r"\s+", " ", PAGES[lang].read_text(encoding="utf-8"))
    assert "privacy" in BY_NAME
    assert "`/privacy`" in page
    for button in ("button.export", "button.forget"):
        assert f"*{say(button, lang)}*" in page
