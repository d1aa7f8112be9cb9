"""The budget of notifications, counted: who is called, how often, and how many messages carry buttons."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from bot.chat import Manner, Place, PlaceId, Press, Style, Typed, Update, UpdateId
from bot.store.store import Store
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons

PEOPLE = ("anna", "ben", "clara", "david", "eva", "finn")


@pytest.mark.parametrize("game", GAMES)
async def test_a_turn_is_one_call_to_one_person_and_one_message_has_buttons(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock, game: str
) -> None:
    """So many turns of every game are tapped: each is one post, one call, and only the newest board has buttons."""
    await crowd.says("anna", f"/newgame {game}")
    for name in PEOPLE[1 : GAMES[game].seats[0]]:
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")
    held = await store.at(ROOM.id)
    assert held is not None
    for _ in range(12):
        call = chat.newest().call
        if call is None:
            break
        name, posts = call.person.id.removeprefix("room:"), chat.posted
        while chat.posted == posts:
            reply = await crowd.says(name, "[Move]")
            while reply is not None and reply.manner == Manner.MENU:
                choice = next(button for button in buttons(reply) if button.style != Style.BLANK)
                reply = await crowd.sends(name, Press(choice.payload))
            await clock.advance(timedelta(seconds=10))  # what is forced is played by the table
            await crowd.service.do_due()
            await crowd.service.idle()
        assert chat.posted == posts + 1
        assert sum(bool(each.rows) for each in chat.messages.values()) == 1
    silent = 1 + (chat.newest().call is None)  # the lobby, and the end
    assert len(chat.pings) == chat.posted - silent


async def test_too_many_requests_in_fifty_groups_delay_only_those(crowd: Crowd, chat: RecordingChat) -> None:
    flooded = {PlaceId(f"room:group{number}") for number in range(50)}
    chat.flooded = flooded
    for number in range(60):
        place = Place(PlaceId(f"room:group{number}"))
        update = Update(UpdateId(f"room:g{number}"), crowd.person(f"anna{number}"), place, Typed("/newgame kabooom"))
        await crowd.service.handle(update)
    for _ in range(100):
        await asyncio.sleep(0.01)
        if len(chat.messages) == 10:
            break
    assert Counter(place in flooded for place in chat.places.values()) == {False: 10}
