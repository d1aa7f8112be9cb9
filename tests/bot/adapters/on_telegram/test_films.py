"""A film that takes a while, in a group and in a private chat."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.adapters.on_telegram.chat import TelegramChat
from bot.chat import UpdateId
from bot.delivery.painting import Pictures
from bot.extras.replays import Replays
from tests.bot.conftest import HandClock
from tests.bot.talk.test_replays import game_of
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group


@pytest.fixture
async def replays(chat: TelegramChat, painter: Pictures, clock: HandClock) -> AsyncIterator[Replays]:
    made = Replays({chat.name: chat}, painter, clock)
    yield made
    await made.stop()


async def test_in_a_group_people_see_that_a_film_is_coming_and_no_edit_is_made(
    telegram: Telegram, hall: Group, replays: Replays, clock: HandClock
) -> None:
    replays.film(hall.place, UpdateId("telegram:1"), game_of("kabooom"), "en")
    await clock.slept()
    await clock.advance(timedelta(seconds=2))
    await replays.idle()
    assert telegram.asked("sendChatAction")
    assert [call.method for call in telegram.calls if call.method.startswith("edit")] == []
    (film,) = hall.said()
    assert film.file is not None


async def test_in_a_private_chat_a_message_says_how_far_a_film_is(
    telegram: Telegram, hall: Group, replays: Replays, clock: HandClock
) -> None:
    anna = hall.members[0]
    await anna.opens()
    place = anna.private().place
    replays.film(place, UpdateId("telegram:1"), game_of("kabooom"), "en")
    await clock.slept()
    await clock.advance(timedelta(seconds=2))
    await telegram.until(lambda: any("being made" in message.text for message in anna.private().said()), "is told")
    await replays.idle()
    assert not telegram.asked("sendChatAction")
    assert anna.private().said()[-1].file is not None
