"""Names of people in all output of the bot: posts, picture descriptions, answers, lists."""

import re
from collections.abc import AsyncIterator, Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace

from bot.app import build
from bot.chat import Content, Person, PersonId, Post, Reply, call_of
from bot.delivery.painting import Pictures
from bot.extras.reviews import replies as reviews
from bot.extras.reviews.review import Review
from bot.replies import statistics, words
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.rating import Called, Reached, Record
from bot.tables.table import Phase, Seat, Table, TableId
from renderers import Theme, alt_text
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons, drawn
from tests.bot.talk.turns import typed

TURNS = re.compile("[\u200b\u202a-\u202e\u2066\u2067\u3164\u2800]|[\u0300-\u036f]{3}")


HEBREW = ("\u05e2\u05e0\u05ea", "\u05d3\u05df", "\u05e0\u05d5\u05e2\u05d4")
BARE = re.compile("|".join(f"(?<!\u2068){name}|{name}(?!\u2069)" for name in HEBREW))


class Strangers(Crowd):
    """People with names of their own, and handles where *handles* says so."""

    names: tuple[str, ...] = ()
    handles = True

    def person(self, name: str) -> Person:
        real = super().person(name)
        return Person(real.id, self.names["abc".index(name[0])], "en", f"@{name}" if self.handles else "")


Meet = Callable[..., Strangers]


@pytest.fixture
async def meet(store: Store, painter: Pictures, clock: HandClock) -> AsyncIterator[Meet]:
    made: list[Service] = []

    def meeting(*names: str) -> Strangers:
        made.append(build(store, painter, clock, draw=lambda n: "07" * n))
        chat = RecordingChat()
        made[-1].add(chat)
        crowd = Strangers(made[-1], chat)
        crowd.names = names
        return crowd

    yield meeting
    for service in made:
        await service.stop()


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
async def test_no_name_reverses_or_covers_the_text_beside_it(name: str, meet: Meet, store: Store) -> None:
    crowd = meet(name, name[::-1])
    await begun(crowd)
    asked = ("view", "games", "history", "stats", "options", f"stats {name}", f"move {name}", f"help {name}", name)
    answers = [await crowd.says("anna", f"/{wish}") for wish in asked]
    here = await table(store)
    await crowd.says("ben", "/resign")
    answer: list[Content] = [*crowd.chat.messages.values(), *filter(None, answers)]
    assert len(answer) > 9
    for reply in answer:
        assert TURNS.findall(drawn(reply) + (reply.picture.alt if reply.picture else "")) == []
    for seat in words.look(here, None, Theme.DARK, "en").seats:
        assert seat.name
        assert TURNS.findall(seat.name) == [], "nor does it in a picture"


@pytest.mark.parametrize("name", ["", "\u3164", "\u200b\u2060", "\u2800 \u2800", "\u0301"])
async def test_a_name_that_shows_nothing_gives_way_to_the_handle(name: str, meet: Meet, store: Store) -> None:
    crowd = meet(name, "Ben")
    await begun(crowd)
    assert words.names(await table(store), "en") == ("@anna", "Ben")


async def test_an_empty_name_becomes_a_number(meet: Meet, store: Store) -> None:
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


async def test_a_name_in_hebrew_is_isolated_in_what_figures_show_told_in_words(
    meet: Meet, store: Store, painter: Pictures
) -> None:
    """How a game went, and the best here."""
    await begun(meet(*HEBREW))
    here = await table(store)
    look = words.look(here, None, Theme.DARK, "en")
    game = reviews.Reviewed(here, Review(((50.0, 50.0), (60.0, 40.0))), (), ())
    best = [Reached(PersonId(f"x:{name}"), Called(name), Record(3, 2)) for name in HEBREW]
    for chart in (reviews.chart(game, look), statistics.ranking("kabooom", best, "en")):
        answer = (await painter.chart(chart, look)).alt
        assert "\u2068\u05e2\u05e0\u05ea\u2069" in answer
        assert BARE.search(answer) is None


async def test_names_that_were_stored_as_they_came_are_shown_clean(meet: Meet, store: Store) -> None:
    """As the bot did before it cleaned them."""
    await begun(meet("Anna", "Ben"))
    here = await table(store)
    old = replace(here, seats=(replace(here.seats[0], name="\u202eannA"), here.seats[1]))
    assert words.names(old, "en") == ("annA", "Ben")
    assert [seat.name for seat in words.look(old, None, Theme.DARK, "en").seats] == ["annA", "Ben"]


def words_of(said: Content | None) -> list[str]:
    """Return every text of *said*, for all platforms."""
    if said is None:
        return []
    call = call_of(said)
    brief = [said.brief, *(link.label for link in said.links)] if isinstance(said, Reply) else []
    targets = [target.label for target in said.targets] if isinstance(said, Reply) else []
    shown = [
        said.title,
        said.text,
        said.small if isinstance(said, Post) else "",
        *brief,
        *targets,
        *(button.label for button in buttons(said)),
    ]
    alts = [message.alt for message in (said.picture, said.file) if message is not None]
    return [*shown, *alts, *([] if call is None else [call.text, call.person.name])]


@pytest.mark.parametrize("game", GAMES)
async def test_a_name_in_hebrew_is_isolated_in_every_kind_of_answer(
    game: str, meet: Meet, store: Store, clock: HandClock
) -> None:
    """Also without picture rights, when the description replaces the picture."""
    crowd = meet(*HEBREW)
    chat, all_lines = crowd.chat, list[str]()

    async def hear(name: str, *lines: str) -> None:
        for line in lines:
            all_lines.extend(words_of(await crowd.says(name, line)))
            for post in chat.messages.values():
                all_lines.extend(words_of(post))

    async def pass_by(**time: float) -> None:
        await clock.advance(timedelta(**time))
        await crowd.service.do_due()
        await crowd.service.idle()
        for post in chat.messages.values():
            all_lines.extend(words_of(post))

    await hear("anna", f"/newgame {game} 8h", "/options")
    await hear("ben", "/join", "/join", "/start")
    await hear("anna", "/start")
    looks = ("/view", "[More]", "[Move]", "/games", "/history", "/board", "/undo", "/draw", "/hint", "/leave", "/learn")
    for _ in range(3):
        here = await table(store)
        up, line = typed(here)
        up = "ab"[HEBREW.index(up)]
        for name in ("a", "b", "c"):
            await hear(name, *looks, f"/stats {HEBREW[2]}", f"/move {HEBREW[0]}", "/move zzz")
        await hear(up, line)
        await pass_by(seconds=10)
    chat.pictureless = {ROOM.id}
    await hear("anna", "/board")
    await hear("ben", "/board")
    chat.pictureless = set()
    for _ in range(3):
        await pass_by(hours=4.1)
    await hear("anna", "/end")
    await hear("ben", "/board", "[Keep waiting]" if (await table(store)).is_overdue else "/board")
    await hear("ben", "/resign", "[Yes, I resign]")
    await hear("anna", "/history", "/replay", "/replay 0", "/verify", "/stats", "/top", f"/stats {HEBREW[1]}")
    await hear("anna", "/privacy", "/rematch", "/games", "/invite")
    assert {name for name in HEBREW for line in all_lines if f"\u2068{name}\u2069" in line} == {*HEBREW}
    assert [line for line in dict.fromkeys(all_lines) if BARE.search(line)] == []


def described(game: str, table: Table, turn: int | None = None) -> str:
    """Return the opening news of *game* as shown at *table*, or in an earlier *turn*."""
    look = words.look(table, None, Theme.DARK, "en")
    view = GAMES[game].start(len(table.seats), {}, seed=1).view(None)
    return alt_text(view, look if turn is None else words.look_then(look, table, turn))


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_names_who_plays_by_the_name_that_the_texts_have_for_them(name: str) -> None:
    people = (Seat(PersonId(f"x:{who}"), who, "en") for who in ("Anna", "Ben", "Clara"))
    taken = tuple(replace(seat, house=True, taken=7) for seat in people)
    here = Table(
        id=TableId("k3v7qpm2xa"),
        game=name,
        place=ROOM.id,
        host=taken[0].person,
        lang="en",
        created_ms=0,
        phase=Phase.RUNNING,
        turn=9,
        seats=taken,
    )
    assert "Anna's stand-in" in described(name, here)
    assert "stand-in" not in described(name, here, 6), "the house had not taken the seat yet"
    assert "Anna" in described(name, here, 6)
    assert not any(seat.house for seat in words.look_then(words.look(here, None, Theme.DARK, "en"), here, 6).seats)


def test_actions_before_the_house_took_over_are_reported_as_the_players() -> None:
    moved = GAMES["kabooom"].start(3, {}, seed=1)
    moved = moved.play(moved.actions()[0])
    anna, *others = (Seat(PersonId(f"x:{who}"), who, "en") for who in ("Anna", "Ben", "Clara"))
    here = Table(
        id=TableId("k3v7qpm2xa"),
        game="kabooom",
        place=ROOM.id,
        host=anna.person,
        lang="en",
        created_ms=0,
        phase=Phase.RUNNING,
        turn=1,
        seats=(replace(anna, house=True, taken=1), *others),
    )
    answer = alt_text(moved.view(None), words.look(here, None, Theme.DARK, "en"))
    assert "by Anna:" in answer or "Last move, Anna:" in answer
    assert "Anna's stand-in" in answer, "who plays for her now"
    later = alt_text(moved.view(None), words.look(replace(here, turn=4), None, Theme.DARK, "en"))
    assert "by Anna's stand-in:" in later or "Last move, Anna's stand-in:" in later
