"""What people call themselves, wherever the bot says it: in posts, descriptions of pictures, answers, lists."""

import re
from collections.abc import AsyncIterator, Callable

import pytest
from msgspec.structs import replace

from bot.chat import Content, Person
from bot.delivery.painting import Pictures
from bot.replies import words
from bot.runtime.clock import RealClock
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.table import Table
from renderers import Theme
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, drawn

TURNS = re.compile("[\u200b\u202a-\u202e\u2066\u2067\u3164\u2800]|[\u0300-\u036f]{3}")


class Strangers(Crowd):
    """People with names of their own, and handles where *handles* says so."""

    names: tuple[str, ...] = ()
    handles = True

    def person(self, name: str) -> Person:
        real = super().person(name)
        return Person(real.id, self.names["ab".index(name[0])], "en", f"@{name}" if self.handles else "")


Meet = Callable[..., Strangers]


@pytest.fixture
async def meet(store: Store, painter: Pictures) -> AsyncIterator[Meet]:
    made: list[Service] = []

    def meeting(*names: str) -> Strangers:
        made.append(Service(store, painter, RealClock(), draw=lambda n: "07" * n))
        chat = RecordingChat()
        made[-1].add(chat)
        crowd = Strangers(made[-1], chat)
        crowd.names = names
        return crowd

    yield meeting
    for each in made:
        await each.stop()


async def begun(crowd: Strangers) -> None:
    await crowd.says("anna", "/newgame kabooom")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")


async def table(store: Store) -> Table:
    held = await store.at(ROOM.id)
    loaded = None if held is None else await store.load(held)
    assert loaded is not None
    return loaded.table


@pytest.mark.parametrize(
    "other",
    ["Anna", "A\u200bnna", "anna", " Anna\u00ad", "\u0410nna", "Anna\u202e", "\u2066Anna\u2069", "Anna\u3164"],
)
async def test_people_who_look_alike_are_numbered(other: str, meet: Meet, store: Store) -> None:
    crowd = meet("Anna", other)
    await begun(crowd)
    board = crowd.chat.newest()
    assert board.picture is not None
    here = await table(store)
    first, second = words.names(here, "en")
    assert (first, second[-11:]) == ("Anna (player 1)", " (player 2)")
    for text in (board.text, board.picture.alt):
        assert first in text
    assert [seat.name for seat in words.look(here, None, Theme.DARK, "en").seats] == [first, second]


@pytest.mark.parametrize(
    "name",
    [
        "\u202eannA",
        "Z" + "\u0301\u0316\u0336" * 20,
        "Li\nsa\r\x07",
        "\u2067Eva",
        "a\u200b\u202d\u2800b",
        "\U000e0041Al",
    ],
)
async def test_nobodys_name_turns_or_covers_what_stands_beside_it(name: str, meet: Meet) -> None:
    crowd = meet(name, name[::-1])
    await begun(crowd)
    asked = ("view", "games", "history", "stats", "options", f"stats {name}", f"move {name}", f"help {name}", name)
    answers = [await crowd.says("anna", f"/{each}") for each in asked]
    await crowd.says("ben", "/resign")
    told: list[Content] = [*crowd.chat.messages.values(), *filter(None, answers)]
    assert len(told) > 9
    for reply in told:
        assert TURNS.findall(drawn(reply) + (reply.picture.alt if reply.picture else "")) == []


@pytest.mark.parametrize("name", ["", "\u3164", "\u200b\u2060", "\u2800 \u2800", "\u0301"])
async def test_a_name_that_shows_nothing_gives_way_to_the_handle(name: str, meet: Meet, store: Store) -> None:
    crowd = meet(name, "Ben")
    await begun(crowd)
    assert words.names(await table(store), "en") == ("@anna", "Ben")


async def test_whoever_shows_nothing_at_all_is_a_number(meet: Meet, store: Store) -> None:
    crowd = meet("\u3164", "Ben")
    crowd.handles = False
    await begun(crowd)
    here = await table(store)
    assert words.names(here, "en") == ("(player 1)", "Ben")
    assert words.host_name(here, "en") == "(player 1)"


async def test_a_name_in_hebrew_is_isolated_in_sentences_and_not_in_pictures(meet: Meet, store: Store) -> None:
    crowd = meet("\u05e2\u05e0\u05ea", "Ben")
    await begun(crowd)
    assert "\u2068\u05e2\u05e0\u05ea\u2069" in crowd.chat.newest().text
    seats = words.look(await table(store), None, Theme.DARK, "en").seats
    assert [seat.name for seat in seats] == ["\u05e2\u05e0\u05ea", "Ben"]


async def test_names_that_were_stored_as_they_came_are_shown_clean(meet: Meet, store: Store) -> None:
    """As the bot did before it cleaned them."""
    await begun(meet("Anna", "Ben"))
    here = await table(store)
    old = replace(here, seats=(replace(here.seats[0], name="\u202eannA"), here.seats[1]))
    assert words.names(old, "en") == ("annA", "Ben")
