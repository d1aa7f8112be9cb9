"""The budget of notifications: which people are pinged, how often, and how many messages carry buttons."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from msgspec import Raw

from bot.chat import Place, PlaceId, Press, Style, Typed, Update, UpdateId
from bot.replies.words import game_name, say
from bot.store.store import Store
from bot.tables.table import Phase, Table
from rules import GAMES, State, proof
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
            while reply is not None and reply.role.is_menu:
                choice = next(button for button in buttons(reply) if button.style != Style.BLANK)
                reply = await crowd.sends(name, Press(choice.payload))
            await clock.advance(timedelta(seconds=10))  # the table plays forced actions
            await crowd.service.do_due()
            await crowd.service.idle()
        assert chat.posted == posts + 1
        assert sum(bool(message.rows) for message in chat.messages.values()) == 1
    silent = 1 + (chat.newest().call is None)  # the lobby, and the end
    assert len(chat.pings) == chat.posted - silent


class Evening:
    """A table of one game with as few people as possible, and their actions."""

    def __init__(self, crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock, game: str) -> None:
        self.crowd, self.chat, self.clock = crowd, chat, clock
        self.people = PEOPLE[: max(2, GAMES[game].seats[0])]
        self.game = game
        self._store = store

    async def begins(self) -> None:
        host, *others = self.people
        await self.crowd.says(host, f"/newgame {self.game} 8h")
        for name in others:
            await self.crowd.says(name, "/join")
        await self.crowd.says(host, "/start")

    async def table(self) -> Table:
        held = await self._store.at(ROOM.id)
        assert held is not None
        loaded = await self._store.load(held)
        assert loaded is not None
        return loaded.table

    async def up(self) -> str:
        """Return the actor; the table plays forced actions first."""
        for _ in range(20):
            table = await self.table()
            assert isinstance(table.state, Raw)
            state: State = GAMES[self.game].decode(bytes(table.state))
            if state.forced is None:
                assert state.actor is not None
                return table.seats[state.actor].person.removeprefix("room:")
            await self.passes(seconds=10)
        raise AssertionError("the table plays on and on")

    async def passes(self, **time: float) -> None:
        await self.clock.advance(timedelta(**time))
        await self.crowd.service.do_due()
        await self.crowd.service.idle()

    async def plays_a_turn(self, name: str) -> None:
        """Tap the first choice of every menu until the actor changes."""
        turn = (await self.table()).turn
        while (await self.table()).turn == turn:
            reply = await self.crowd.says(name, "[Move]")
            while reply is not None and reply.role.is_menu:
                choice = next(button for button in buttons(reply) if button.style != Style.BLANK)
                reply = await self.crowd.sends(name, Press(choice.payload))
            await self.passes(seconds=10)

    def others(self, name: str) -> list[str]:
        return [person for person in self.people if person != name]


@pytest.fixture
def evening(
    request: pytest.FixtureRequest, crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> Evening:
    return Evening(crowd, chat, store, clock, request.param)


every_game = pytest.mark.parametrize("evening", GAMES, indirect=True)


@every_game
async def test_a_silent_player_is_reminded_twice_and_then_replaced(evening: Evening) -> None:
    await evening.begins()
    late = await evening.up()
    turn, calls = (await evening.table()).turn, len(evening.chat.pings)
    for hours in (4.1, 3.2):
        await evening.passes(hours=hours)
    assert evening.chat.pings[calls:] == [evening.crowd.person(late).id] * 2
    await evening.passes(hours=1)
    assert (await evening.table()).is_overdue
    await evening.crowd.says(evening.others(late)[0], "[Let the house play this turn]")
    table = await evening.table()
    assert table.turn > turn
    assert not table.is_overdue
    assert "(played by the house)" in "".join(evening.chat.lines)
    assert len(evening.chat.pings) == calls + 3, "and the next one is called, once"


@every_game
async def test_a_player_who_has_not_moved_reads_there_is_nothing_to_undo(evening: Evening) -> None:
    await evening.begins()
    reply = await evening.crowd.says(await evening.up(), "/undo")
    assert reply is not None
    assert reply.text == say("denied.nothing_to_undo", "en")


@every_game
async def test_a_turn_is_taken_back_when_the_others_agree_and_nothing_hidden_came_out(evening: Evening) -> None:
    await evening.begins()
    name = await evening.up()
    before = await evening.table()
    await evening.plays_a_turn(name)
    reply = await evening.crowd.says(name, "/undo")
    assert reply is not None
    if reply.text in {say(f"denied.{code}", "en") for code in ("revealed", "forgets")}:
        assert (await evening.table()).turn > before.turn
        return
    others = evening.others(name)
    asked = say("asked", "en") if len(others) > 1 else say("asked.one", "en", who=others[0].capitalize())
    assert reply.text == asked
    for other in evening.others(name):
        await evening.crowd.says(other, "[I agree]")
    after = await evening.table()
    assert after.turn == before.turn
    assert await evening.up() == name
    assert any(say("event.undone", "en", n=n, who=name.capitalize()) in evening.chat.newest().text for n in (1, 2))


@every_game
async def test_a_draw_is_offered_if_the_game_knows_it(evening: Evening) -> None:
    await evening.begins()
    name = await evening.up()
    table = await evening.table()
    assert isinstance(table.state, Raw)
    state: State = GAMES[evening.game].decode(bytes(table.state))
    knows = any(str(action) == "draw" for action in state.actions())
    other = await evening.crowd.says(evening.others(name)[0], "/draw")
    reply = await evening.crowd.says(name, "/draw")
    assert reply is not None
    assert other is not None
    none = say("denied.no_draws", "en", game=game_name(evening.game, "en"))
    assert say("draw.said", "en") in reply.text if knows else reply.text == none
    assert (other.text == none) != knows, "whoever is up"


@every_game
async def test_a_resignation_ends_it_and_the_luck_can_be_checked(evening: Evening) -> None:
    await evening.begins()
    for _ in range(2):
        await evening.plays_a_turn(await evening.up())
    held = (await evening.table()).id
    for name in evening.people:
        if evening.chat.newest().rows and "Rematch" in str(evening.chat.newest().rows):
            break
        await evening.crowd.says(name, "/resign")
        await evening.crowd.says(name, "[Yes, I resign]")
    assert "Rematch" in str(evening.chat.newest().rows)
    await evening.clock.advance(timedelta(minutes=1))
    spectator = "dora"
    history = await evening.crowd.says(spectator, "/history")
    assert history is not None
    numbers = [line.partition(". ")[0] for line in history.text.splitlines() if line[0].isdecimal()]
    assert numbers == sorted(numbers, reverse=True), "the newest comes first"
    await evening.crowd.says(spectator, "/replay")
    film = evening.chat.newest().file
    assert film is not None
    assert film.content.startswith(b"GIF89a")
    for number in (0, 1):
        position = await evening.crowd.says(spectator, f"/replay {number}")
        assert position is not None
        assert position.picture is not None
    luck = await evening.crowd.says(spectator, "/verify")
    assert luck is not None
    assert luck.file is not None
    assert luck.file.name == f"{evening.game}-{held}.json"
    assert proof.check(proof.decode(luck.file.content)).outcome is None


@every_game
async def test_in_a_rematch_the_first_seat_moves_on_and_a_majority_ends_it(
    evening: Evening,
) -> None:
    await evening.begins()
    first = [seat.person for seat in (await evening.table()).seats]
    for name in evening.people[: len(evening.people) // 2 + 1]:
        await evening.crowd.says(name, "/end" if name == evening.people[0] else "[I agree]")
    assert "ended the game." in evening.chat.newest().text
    *others, last = evening.people
    await evening.crowd.says(last, "[Rematch]")
    for name in others:
        await evening.crowd.says(name, "[Join]")
    if (await evening.table()).phase == Phase.LOBBY:  # a full table starts by itself
        await evening.crowd.says(last, "[Start]")
    again = [seat.person for seat in (await evening.table()).seats]
    opener = evening.crowd.person(evening.people[0]).id
    if GAMES[evening.game].host_begins:
        assert again[0] == opener
    else:
        assert again == [*first[1:], first[0]]


@every_game
async def test_a_player_who_leaves_a_running_game_is_replaced_or_beaten(evening: Evening) -> None:
    await evening.begins()
    name = evening.others(await evening.up())[0]
    await evening.crowd.says(name, "/leave")
    await evening.crowd.says(name, "[Yes, I resign]")
    if len(evening.people) == 2:
        assert "Rematch" in str(evening.chat.newest().rows)
    else:
        assert (await evening.table()).seat_of(evening.crowd.person(name).id) is None


async def test_too_many_requests_in_fifty_groups_delay_only_those(crowd: Crowd, chat: RecordingChat) -> None:
    flooded = {PlaceId(f"room:group{number}") for number in range(50)}
    chat.flooded = flooded
    for number in range(60):
        place = Place(PlaceId(f"room:group{number}"))
        update = Update(UpdateId(f"room:g{number}"), crowd.person(f"anna{number}"), place, Typed("/newgame kabooom"))
        await crowd.service.handle(update)
    while len(chat.messages) < 10:
        await asyncio.sleep(0.01)
    assert Counter(place in flooded for place in chat.places.values()) == {False: 10}
