"""A game with hands on Telegram, for people whose private chat the bot may not write to."""

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
from tests.emulators.telegram.world import Person as Member

CARD = re.compile(r"\bCard [1-4]\b|[1-4][ab] \(")
LINK = "t.me/kaleido_bot?start="


class Hands(Table):
    """Kaleidoskop. No player has opened the private chat."""

    async def calm(self) -> None:
        """Wait as usual, and check that the group sees no hand."""
        await super().calm()
        for message in self.hall.said():
            assert not CARD.search(message.text), message.text
            assert not any(label.startswith("✨") for label in message.flat), message.flat

    async def types(self, person: Member, text: str) -> None:
        await person.types(text, self.hall)
        await self.calm()


@pytest.fixture
async def table(telegram: Telegram, store: Store, painter: Pictures, clock: HandClock) -> AsyncIterator[Hands]:
    service = build(store, painter, clock, draw=lambda n: "07" * n)
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    people = [telegram.person(name, lang="en") for name in ("Anna", "Ben", "Clara")]
    made = Hands(telegram, service, telegram.group("Hall", *people))
    await made.begins("kaleidoskop", 6)
    yield made
    await chat.stop()
    await service.stop()


async def test_my_hand_answers_with_the_link_and_comes_once_it_was_followed(table: Hands) -> None:
    person = table.up
    answer = await person.presses("My hand", table.board)
    assert LINK in answer.url
    assert person.private().said() == []
    await person.follows(answer.url)
    hand = await person.private().shows("It's your turn")
    await table.calm()
    assert hand.picture is not None
    again = await person.presses("My hand", table.board)
    assert not again.url, "the chat is open now"
    assert again.text
    await table.telegram.until(lambda: len([m for m in person.private().said() if m.picture]) == 2 or None, "a hand")


async def test_meanwhile_whole_turns_are_typed_in_the_group(table: Hands) -> None:
    for text in ("63g end", "62 yellow, end", "53r end"):
        person, board = table.up, table.board
        await table.types(person, f"/move {text}")
        assert table.board is not board
        assert table.up is not person
    assert all(person.private().said() == [] for person in table.hall.members)
    assert not any(LINK in str(message.keys) for message in table.hall.said()), "there was nothing to tell in private"


async def test_a_turn_can_be_typed_in_steps_and_the_rest_is_behind_a_link(table: Hands) -> None:
    person, board = table.up, table.board
    await table.types(person, "/move hold")  # a refusal, which could tell of tools and tasks
    hint = await table.hall.shows("an answer for you alone")
    assert table.board is board, "a turn is shown when it is over"
    await table.types(person, "/move 63g")
    assert table.board is not board
    assert "well 63" in table.board.text
    await person.follows(hint.keys[0][0].url)
    await table.calm()
    (kept,) = person.private().said()
    assert "Not at this point in your turn" in kept.text, "the newest answer"


async def test_a_tap_that_would_show_a_hand_continues_in_the_private_chat(table: Hands) -> None:
    person, board = table.up, table.board
    answer = await person.presses("Move", board)
    assert LINK in answer.url
    assert board.flat == ["Move", "My hand", "More"], "nothing of the menu stands in the group"
    await person.follows(answer.url)
    for label in ("40–63", "63", "green"):
        await person.presses(label, await person.private().offers(label))
    await table.calm()
    assert table.board is not board
    assert "well 63" in table.board.text


async def test_what_tells_nothing_is_answered_in_the_group_as_ever(table: Hands) -> None:
    person, board = table.up, table.board
    other = next(member for member in table.hall.members if member is not person)
    answer = await other.presses("Move", board)
    assert f"It's {person.first_name}'s turn" in answer.text
    assert not answer.url
    await table.types(other, "/board")
    assert table.board is not board
    await table.types(other, "/history")
    assert "There are no moves to show" in table.hall.newest().text
    assert other.private().said() == []


async def test_who_blocks_the_bot_later_gets_the_link_again(table: Hands) -> None:
    person = table.up
    await person.opens()
    await table.calm()
    await person.presses("My hand", table.board)
    person.private().blocked = True
    answer = await person.presses("My hand", table.board)
    assert LINK in answer.url


async def test_more_leads_into_the_private_chat_and_is_never_shown_in_the_group(table: Hands) -> None:
    person, board = table.up, table.board
    said = len(table.hall.said())
    answer = await person.presses("More", board)
    assert LINK in answer.url
    assert (len(table.hall.said()), board.flat) == (said, ["Move", "My hand", "More"])
    await person.follows(answer.url)
    menu = await person.private().offers("Resign")
    assert menu.flat == ["Note", "Find a substitute", "Show the board", "Rules", "Resign", "Ask to end the game", "✕"]
    await person.presses("Resign", menu)
    await table.calm()
    assert "Really resign?" in person.private().said()[-1].text
    assert len(table.hall.said()) == said


async def test_a_spectator_reads_the_possible_commands_in_an_alert(table: Hands) -> None:
    person = table.telegram.person("Dora", lang="en")
    table.hall.members.append(person)
    answer = await person.presses("More", table.board)
    assert "You're watching this game." in answer.text
    assert "/history" in answer.text
    assert not answer.url
    assert table.board.flat == ["Move", "My hand", "More"]
