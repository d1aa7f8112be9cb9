"""A game with hands on a current Telegram: four people play in a group without private chats, and no player ever
sees more than their own hand."""

import re
from collections.abc import AsyncIterator

import pytest

from bot.adapters.on_telegram.chat import TelegramChat
from bot.app import build
from bot.delivery.painting import Pictures
from bot.requests.commands import COMMANDS
from bot.store.store import Store
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.adapters.on_telegram.group import Table
from tests.bot.conftest import HandClock
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Message
from tests.emulators.telegram.world import Person as Member

CARD = re.compile(r"\bCard [1-4]\b|[1-4][ab] \(|✨")


class Hands(Table):
    """Kaleidoskop, on a server that shows messages to one member alone."""

    def own(self, person: Member) -> list[Message]:
        return person.alone_in(self.hall).said()

    def check(self) -> None:
        """Check that messages visible to other people reveal no hand, and that no private chat was needed."""
        for message in self.hall.aired:
            assert not CARD.search(f"{message.text} {message.flat}"), message.text
            assert "t.me/" not in str(message.keys), "nobody is led into the private chat"
        hands = {
            message.picture.png for message in self.hall.whispers if message.by is None and message.picture is not None
        }
        shown = {message.picture.png for message in self.hall.aired if message.picture is not None}
        assert not hands & shown
        assert all(person.private().messages == [] for person in self.hall.members)
        assert not any(tap.answer is not None and tap.answer.url for member in self.hall.members for tap in member.taps)


@pytest.fixture
async def table(telegram: Telegram, store: Store, painter: Pictures, clock: HandClock) -> AsyncIterator[Hands]:
    telegram.knows_ephemeral = telegram.keeps_flags = True
    service = build(store, painter, clock, draw=lambda n: "07" * n)
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    await telegram.until(lambda: telegram.listening or None, "its commands are told")
    people = [telegram.person(name, lang="en") for name in ("Anna", "Ben", "Clara", "David")]
    made = Hands(telegram, service, telegram.group("Hall", *people))
    await made.begins("kaleidoskop", 6)
    yield made
    made.check()
    await chat.stop()
    await service.stop()


async def test_every_hand_is_shown_to_its_own_seat_alone(table: Hands) -> None:
    pictures = set()
    for person in table.hall.members:
        await person.presses("My hand", table.board)
        (hand,) = table.own(person)
        assert hand.picture is not None
        pictures.add(hand.picture.png)
    assert len(pictures) == 4


async def test_turns_are_tapped_and_typed_and_results_are_public(table: Hands) -> None:
    for number, text in enumerate(("63g end", "62 yellow, end", "53r end", "52r end")):
        person, board = table.up, table.board
        if number % 2:
            await person.types(f"/move {text}", table.hall)
        else:
            await person.presses("Move", board)
            for label in ("40–63", text.split()[0][:2], "green" if "g" in text else "red"):
                result = [message for message in table.own(person) if message.has(label)]
                await person.presses(label, result[-1])
                await table.calm()
        await table.calm()
        while table.board is board:  # the other possible actions of this turn
            menu = next(message for message in reversed(table.own(person)) if message.keys)
            await person.presses("End", menu)
            await table.calm()
        assert table.up is not person
        assert board.edits <= 1, "its buttons went when the next one came, and nothing else"
        assert table.own(person) == [], "the menu went with the turn"


async def test_a_turn_that_is_typed_in_steps_goes_on_in_a_menu_of_ones_own(table: Hands) -> None:
    person, board = table.up, table.board
    await table.hall.members[0].types("/help", table.hall)
    await person.types("/move hold", table.hall)
    await table.calm()
    assert "Not at this point in your turn" in table.own(person)[-1].text
    await person.types("/move 63g", table.hall)
    await table.calm()
    assert table.board is board or "well 63" in table.board.text


async def test_a_menu_that_is_left_open_goes_when_its_turn_is_over(table: Hands) -> None:
    person = table.up
    await person.presses("Move", table.board)
    assert len(table.own(person)) == 1
    await person.types("/move 63g end", table.hall)
    await table.calm()
    assert table.up is not person
    assert table.own(person) == []


async def test_more_resign_and_refusals_are_private(table: Hands) -> None:
    person, board = table.up, table.board
    aired = len(table.hall.aired)
    await person.presses("More", board)
    (menu,) = table.own(person)
    await person.presses("Resign", menu)
    await table.calm()
    assert "Really resign?" in table.own(person)[-1].text
    for text in ("/view", "/rules", "/games", "/history", "/hint", "/move x9"):
        before = len(table.own(person))
        await person.types(text, table.hall)
        await table.telegram.until(lambda count=before: len(table.own(person)) > count or None, text)  # type: ignore[misc]
    assert len(table.hall.aired) == aired
