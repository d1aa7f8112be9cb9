"""The Discord adapter against an emulated Discord, over real sockets, with a small host of the tests' own."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

import texts
from bot.adapters import on_discord
from bot.adapters.on_discord.chat import DiscordChat
from bot.chat import (
    Button,
    Call,
    Chat,
    Choice,
    File,
    FileKind,
    Filled,
    Gone,
    Limited,
    Manner,
    MessageId,
    Person,
    PersonId,
    Picture,
    Place,
    PlaceId,
    Press,
    Refused,
    Reply,
    Select,
    Style,
    Suggestion,
    TryLater,
    Unusable,
    Update,
    platform,
)
from bot.commands import COMMANDS
from bot.preferences import CLOCKS
from rules import GAMES
from tests.emulators import discord as emulator
from tests.emulators.discord import Broken, Channel, Discord, Dropped, Slow, TooMany

PNG = b"\x89PNG\r\n\x1a\n"
BOARD = Picture(PNG, "Anna a1, Ben c3")
FILM = File("film.gif", b"GIF89a...", FileKind.ANIMATION, "Three moves")
RECORD = File("record.json", b"{}", alt="A record")


class House:
    """A host that says what it is told to say, and keeps what it was asked. *gate*: nothing is said before it opens."""

    def __init__(self) -> None:
        self.updates: list[Update] = []
        self.places: list[Place] = []
        self.ended: list[PlaceId] = []
        self.says: Reply | None = None
        self.does: Callable[[Update], Awaitable[Reply | None]] | None = None
        self.suggests: tuple[Suggestion, ...] = ()
        self.showings: list[tuple[str, PlaceId, MessageId]] = []
        self.completed: list[tuple[Update, str]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self._asked = asyncio.Condition()

    async def asked(self, times: int = 1) -> list[Update]:
        """Wait until so many updates came; all of them."""
        async with self._asked:
            await self._asked.wait_for(lambda: len(self.updates) >= times)
        return self.updates

    async def handle(self, update: Update) -> Reply | None:
        self.updates.append(update)
        async with self._asked:
            self._asked.notify_all()
        await self.gate.wait()
        return await self.does(update) if self.does is not None else self.says

    async def showed(self, fades: str, place: PlaceId, message: MessageId) -> None:
        self.showings.append((fades, place, message))
        async with self._asked:
            self._asked.notify_all()

    async def heard(self, times: int) -> list[tuple[str, PlaceId, MessageId]]:
        """Wait until it was told so often where something stands that must not stay; all of that."""
        async with self._asked:
            await self._asked.wait_for(lambda: len(self.showings) >= times)
        return self.showings

    async def moved(self, place: PlaceId, new: PlaceId) -> None:
        raise AssertionError("places at Discord keep their ids")

    async def added(self, place: Place) -> None:
        self.places.append(place)
        async with self._asked:
            self._asked.notify_all()

    async def lost(self, place: PlaceId) -> None:
        self.ended.append(place)
        async with self._asked:
            self._asked.notify_all()

    async def told(self, enough: Callable[[], bool]) -> None:
        """Wait until enough is known of places."""
        async with self._asked:
            await self._asked.wait_for(enough)

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        self.completed.append((update, argument))
        await self.gate.wait()
        return self.suggests


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    async with Discord() as opened:
        yield opened


@pytest.fixture
def hall(discord: Discord) -> Channel:
    return discord.channel("hall")


@pytest.fixture
def house() -> House:
    return House()


@asynccontextmanager
async def running(discord: Discord, house: House, **values: str) -> AsyncIterator[Chat]:
    """The bot, connected, its commands registered."""
    chat = on_discord.open({**discord.environment, **values})
    try:
        await chat.start(house)
        await discord.connected()
        yield chat
    finally:
        await chat.stop()


@pytest.fixture
async def chat(discord: Discord, hall: Channel, house: House) -> AsyncIterator[Chat]:
    async with running(discord, house) as started:
        yield started


def place(channel: Channel) -> PlaceId:
    return PlaceId(channel.place)


# Settings


def test_without_a_token_discord_is_off() -> None:
    values = {variable.name: variable.default for variable in on_discord.VARIABLES}
    assert not on_discord.wanted(values)
    assert on_discord.wanted(values | {"DISCORD_TOKEN": "x"})


@pytest.mark.parametrize("text", ["x", "3-1/4", "4/4", "0-4/4", "0", "-1/4", "1/0"])
def test_a_range_of_shards_that_makes_no_sense_is_told_at_the_start(text: str) -> None:
    (check,) = (variable.check for variable in on_discord.VARIABLES if variable.name == "DISCORD_SHARDS")
    assert check is not None
    assert check(text)
    assert not check("0-3/8")


# Commands


async def test_every_command_is_registered_in_every_language(chat: Chat, discord: Discord) -> None:
    by_name = {command["name"]: command for command in discord.commands}
    assert list(by_name) == [command.name for command in COMMANDS]
    for name, command in by_name.items():
        assert command["description_localizations"]["de"] == texts.say("table", f"command.{name}.about", "de")
        assert command["contexts"] == [0, 1, 2], "servers, the bot's private chat, others' private chats"
        assert command["integration_types"] == [0, 1], "in a server, or by a person"
    game, clock, options = by_name["newgame"]["options"]
    assert [choice["value"] for choice in game["choices"]] == list(GAMES)
    assert [choice["value"] for choice in clock["choices"]] == list(CLOCKS)
    assert clock["choices"][-1]["name_localizations"]["de"] == texts.say("table", "setting.clock.7d", "de")
    assert "choices" not in options, "words, as they can be typed elsewhere"
    (notation,) = by_name["move"]["options"]
    assert notation["autocomplete"]


async def test_commands_are_registered_only_when_they_changed(discord: Discord, house: House) -> None:
    for _ in range(2):
        async with running(discord, house):
            await discord.until(lambda: any("GET /applications" in r for r in discord.requests) or None, "it looks")
    assert sum("PUT /applications" in request for request in discord.requests) == 1
    discord.commands[0]["description"] = "something old"
    async with running(discord, house):
        await discord.until(lambda: discord.commands[0]["description"] != "something old" or None, "it is renewed")


async def test_a_bot_asks_for_no_intent_but_to_hear_of_servers(chat: Chat, discord: Discord) -> None:
    assert [each["intents"] for each in discord.gateway.identified] == [1]


# Servers come and go


async def test_the_bot_introduces_itself_in_the_system_channel_of_a_new_server(
    chat: Chat, discord: Discord, house: House
) -> None:
    club = discord.server("Club", "de", member=False)
    club.hello = discord.channel("hello", club)
    await discord.adds_the_bot(club)
    await house.told(lambda: len(house.places) == 1)
    assert house.places == [Place(place(club.hello), "de")]


async def test_a_server_that_added_the_bot_while_it_was_down_is_new_too(discord: Discord, house: House) -> None:
    club = discord.server("Club", member=False)
    club.hello = discord.channel("hello", club)
    await discord.adds_the_bot(club)
    async with running(discord, house):
        await house.told(lambda: len(house.places) == 1)
    assert [each.id for each in house.places] == [place(club.hello)]


async def test_a_server_without_a_system_channel_and_one_of_long_ago_are_left_alone(
    discord: Discord, house: House
) -> None:
    discord.home.hello = discord.channel("hello")
    async with running(discord, house):
        await discord.adds_the_bot(discord.server("Quiet", member=False))
        anna = discord.person("Anna", at=discord.home.hello)
        await anna.types("/help")
    assert house.places == []


async def test_a_channel_and_a_thread_that_disappear_are_told_of(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    thread = discord.thread("side", hall)
    await thread.disappears()
    await hall.disappears()
    await house.told(lambda: len(house.ended) == 2)
    assert house.ended == [place(thread), place(hall)]


async def test_a_server_that_puts_the_bot_out_takes_its_places_along(
    discord: Discord, hall: Channel, house: House
) -> None:
    old = discord.thread("old", hall)
    elsewhere = discord.channel("elsewhere", discord.server("Club"))
    async with running(discord, house):
        new = discord.thread("new", hall)
        await discord.person("Anna", at=new).types("/help")
        await discord.removes_the_bot(discord.home)
        await house.told(lambda: len(house.ended) == 3)
    assert set(house.ended) == {place(hall), place(old), place(new)}
    assert place(elsewhere) not in house.ended


async def test_a_server_that_cannot_be_reached_for_a_while_keeps_its_games(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    await discord.removes_the_bot(discord.home, unavailable=True)
    await discord.person("Anna", at=hall).types("/help")
    assert house.ended == []


async def test_an_event_that_cannot_be_read_ends_nothing(
    chat: Chat, discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    await discord.gateway.tell(discord.home, "GUILD_CREATE", {"id": "no number"})
    await hall.disappears()
    await house.told(lambda: len(house.ended) == 1)
    assert len(discord.gateway.identified) == 1
    assert "cannot be read, with ['id']" in caplog.text


async def test_nothing_that_discord_tells_of_servers_is_kept_by_the_library(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    await discord.gateway.tell(discord.home, "CHANNEL_CREATE", {"id": "1", "type": 0, "guild_id": str(discord.home.id)})
    await discord.person("Anna", at=hall).types("/help")
    assert isinstance(chat, DiscordChat)
    assert chat._client is not None
    assert list(chat._client.get_all_channels()) == []


async def test_the_operator_is_told_the_link_that_adds_the_bot(discord: Discord, hall: Channel, house: House) -> None:
    chat = on_discord.open(discord.environment)
    line = await chat.start(house)
    await discord.connected()
    await chat.stop()
    assert f"client_id={discord.application_id}&scope=bot+applications.commands&permissions=274877942784" in line


# Updates


async def test_a_command_becomes_an_update(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall, locale="de")
    discord.home.locale = "fr"
    done = await anna.types("/newgame", game="kabooom")
    (update,) = house.updates
    assert update.id == f"discord:{done.id}"
    assert update.person == Person(PersonId(anna.account), "Anna", "de")
    assert update.place.id == hall.place
    assert (update.place.lang, update.place.private) == ("fr", False)
    assert update.body == Filled("newgame", {"game": "kabooom"})
    assert not update.may_manage
    assert platform(update.person.id) == chat.name


@pytest.mark.parametrize(
    ("permission", "may"), [(0, False), (1 << 5, True), (1 << 4, True), (1 << 3, True), (1 << 13, False)]
)
async def test_who_manages_the_server_or_the_channel_may_manage(
    permission: int, may: bool, chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall, permissions=permission)
    await anna.types("/end")
    assert house.updates[0].may_manage is may


async def test_the_private_chat_with_the_bot_is_private_and_ones_own(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    anna.goes_to(anna.direct())
    house.says = Reply(text="Hello!")
    answer = (await anna.types("/help")).answer
    assert answer is not None
    assert answer.text == "Hello!"
    assert house.updates[0].place.private
    assert house.updates[0].may_manage
    message = await chat.post(place(anna.direct()), Reply(text="All right"), "n1")
    assert anna.direct().newest().id == int(message)


async def test_a_thread_is_a_place_of_its_own(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    thread = discord.thread("game", hall)
    anna = discord.person("Anna", thread)
    await anna.types("/board")
    assert house.updates[0].place.id == thread.place
    await chat.post(place(thread), Reply(text="here"), "n1")
    assert thread.newest().text == "here"


# Answers


async def test_a_command_is_acknowledged_before_anything_is_done(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.gate.clear()
    house.says = Reply(text="done")
    done = await anna.sends("/help")
    await house.asked()
    assert done.calls == ["callback 5"], "acknowledged, while the host is still busy"
    house.gate.set()
    await anna.reads("done")
    assert done.calls == ["callback 5", "PATCH @original"]


async def test_an_answer_is_seen_by_that_person_alone(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    house.says = Reply("Rules", "Three in a row.", BOARD, ((Button("Next", "rules:kabooom:1"),),))
    done = await anna.types("/rules", game="kabooom")
    answer = done.answer
    assert answer is not None
    assert answer.text == "Rules\nThree in a row."
    assert answer.rows == [["Next"]]
    assert answer.attachments[0].content == PNG
    assert anna.sees() == [answer]
    assert ben.sees() == []


async def test_a_command_with_nothing_to_say_leaves_nothing(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    done = await anna.types("/join")
    assert done.answer is None
    assert anna.sees() == []


async def test_a_press_is_answered_without_touching_the_public_message(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    await chat.post(place(hall), Reply(text="Lobby", rows=((Button("Join", "join:k3v7qpm2xa"),),)), "n1")
    for manner in Manner:
        house.says = Reply(text=f"a {manner}", manner=manner)
        pressed = await anna.presses("Join")
        assert (await pressed.answered()).text == f"a {manner}"
        assert pressed.calls[0] == "callback 6"
    assert house.updates[-1].body == Press("join:k3v7qpm2xa")
    assert hall.newest().edits == 0
    assert [each.text for each in ben.sees()] == ["Lobby"]


async def test_a_press_with_nothing_to_say_says_nothing(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    await chat.post(place(hall), Reply(text="Lobby", rows=((Button("Join", "join:k3v7qpm2xa"),),)), "n1")
    pressed = await anna.presses("Join")
    await anna.types("/join")  # answered later, so whatever there was to say has been said
    assert pressed.calls == ["callback 6"]
    assert anna.sees() == [hall.newest()]


async def test_a_menu_goes_on_in_its_place(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply("From", "Which stone?", rows=((Button("b3", "menu:k:1.0.0"),),), manner=Manner.MENU)
    await anna.types("/move")
    house.says = Reply("To", "Where to?", rows=((Button("c4", "play:k:1.4"),),), manner=Manner.MENU)
    await (await anna.presses("b3")).answered()
    (menu,) = anna.sees()
    assert (menu.text, menu.rows) == ("To\nWhere to?", [["c4"]])
    house.says = Reply(text="Played.", manner=Manner.TOAST)
    await (await anna.presses("c4")).answered()
    (menu,) = anna.sees()
    assert (menu.text, menu.rows) == ("Played.", [])


async def test_a_note_stands_beside_the_menu(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="Which stone?", rows=((Button("b3", "play:k:1.0"),),), manner=Manner.MENU)
    await anna.types("/move")
    house.says = Reply(text="The board has moved on.", picture=BOARD)
    await (await anna.presses("b3")).answered()
    assert [each.text for each in anna.sees()] == ["Which stone?", "The board has moved on."]


async def test_a_press_in_a_note_leaves_the_note_alone(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="Your side of the board", picture=BOARD, rows=((Button("Move", "menu:k"),),))
    await anna.types("/view")
    house.says = Reply(text="Which stone?", rows=((Button("b3", "play:k:1.0"),),), manner=Manner.MENU)
    await (await anna.presses("Move")).answered()
    house.says = Reply(text="Where to?", rows=((Button("c4", "play:k:1.0"),),), manner=Manner.MENU)
    await (await anna.presses("b3")).answered()
    assert [each.text for each in anna.sees()] == ["Your side of the board", "Where to?"]
    assert [update.body for update in house.updates[1:]] == [Press("menu:k"), Press("play:k:1.0")]


def fading(text: str, manner: Manner = Manner.MENU) -> Reply:
    return Reply(text=text, rows=((Button("Go on", "it:1"),),), manner=manner, fades="k:1")


async def test_what_must_not_stay_is_told_to_the_host_once_and_deleted_when_it_says_so(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="The board", rows=((Button("Move", "it:1"),),))
    await chat.post(place(hall), house.says, "n1")
    house.says = fading("to a command")
    await anna.types("/move")
    await (await anna.presses("Go on")).answered()
    house.says = fading("to a press", Manner.NOTE)
    await (await anna.presses("Move")).answered()
    showings = await house.heard(2)
    assert [each[:2] for each in showings] == [("k:1", place(hall))] * 2
    assert len(anna.sees()) == 3
    for _, where, message in showings:
        await chat.delete(where, message)
        await chat.delete(where, message)
    assert [each.text for each in anna.sees()] == ["The board"]


async def test_what_must_not_stay_goes_before_nobody_can_delete_it(
    discord: Discord, hall: Channel, house: House
) -> None:
    soon = DiscordChat(discord.token, COMMANDS, api_url=discord.api_url, gateway_url=discord.gateway_url, fades_s=0.05)
    await soon.start(house)
    await discord.connected()
    anna = discord.person("Anna", hall)
    house.says = fading("for a moment")
    done = await anna.types("/move")
    await discord.until(lambda: done.answer is None or None, "it goes by itself")
    await soon.stop()


async def test_what_cannot_be_deleted_any_more_is_refused(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    house.says = fading("for long")
    done = await discord.person("Anna", hall).types("/move")
    (told,) = await house.heard(1)
    done.expires()
    with pytest.raises(Refused):
        await chat.delete(*told[1:])


async def test_a_menu_that_is_done_goes(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="Sure?", rows=((Button("Yes", "sure:k:1.0"),),), manner=Manner.MENU)
    await anna.types("/resign")
    house.says = None
    await (await anna.presses("Yes")).answered()
    assert anna.sees() == []


async def test_a_menu_that_the_person_has_closed_meanwhile_is_no_trouble(
    chat: Chat, discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    anna = discord.person("Anna", hall)
    menu = Reply(text="Which?", rows=((Button("b3", "menu:k:1.0.0"),),), manner=Manner.MENU)
    house.says = menu
    await anna.types("/move")
    (shown,) = anna.sees()
    house.gate.clear()
    pressed = await anna.presses("b3")
    shown.deleted = True
    house.gate.set()
    await discord.until(lambda: "PATCH @original" in pressed.calls or None, "the menu was to be changed")
    await anna.types("/help")
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_select_sends_the_payload_of_its_choice(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    levels = Select(
        "Level", "option:k:0", (Choice("easy", "option:k:0.0", chosen=True), Choice("hard", "option:k:0.1"))
    )
    await chat.post(place(hall), Reply(text="Lobby", rows=(levels, (Button("Join", "join:k"),))), "n1")
    select = hall.newest().parts[0]
    assert (select["placeholder"], select["options"][0]["default"]) == ("Level", True)
    await anna.chooses("hard")
    assert (await house.asked())[0].body == Press("option:k:0.1")


async def test_buttons_need_no_memory(discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    async with running(discord, house) as chat:
        await chat.post(place(hall), Reply(text="Lobby", rows=((Button("Join", "join:k"),),)), "n1")
    async with running(discord, house):
        await discord.connected(times=2)
        await anna.presses("Join")
        assert (await house.asked())[0].body == Press("join:k")


async def test_an_interaction_that_comes_twice_is_taken_once(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="once")
    done = await anna.types("/join")
    await discord.deliver(done)
    await anna.types("/help")
    assert [update.body for update in house.updates] == [Filled("join"), Filled("help")]


async def test_an_interaction_that_another_process_answered_keeps_that_answer(
    discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="from the first")
    async with running(discord, house):
        done = await anna.types("/join")
    house.says = Reply(text="from the second")
    async with running(discord, house):
        await discord.connected(times=2)
        await discord.deliver(done)
        await discord.until(lambda: "GET @original" in done.calls or None, "it looks whether there is an answer")
    assert [update.id for update in house.updates] == [f"discord:{done.id}"] * 2, "the host tells them apart"
    assert [each.text for each in anna.sees()] == ["from the first"]


async def test_an_interaction_that_another_process_died_of_is_answered(
    discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    async with running(discord, house):
        house.gate.clear()
        done = await anna.sends("/join")
        await house.asked()
    house.gate.set()
    house.says = Reply(text="from the second")
    async with running(discord, house):
        await discord.connected(times=2)
        await discord.deliver(done)
        await anna.reads("from the second")


async def test_what_came_too_late_to_be_answered_is_not_done(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    discord.will("POST", "/callback", Broken(404, 10062))
    lost = await anna.sends("/join")
    await anna.types("/help")
    assert [update.body for update in house.updates] == [Filled("help")]
    lost.first_answer = {}


@pytest.mark.parametrize("carried_out", [False, True])
async def test_an_acknowledgement_whose_answer_is_lost_is_repeated(
    carried_out: bool, chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="fine")
    discord.will("POST", "/callback", Dropped(done=carried_out))
    done = await anna.types("/join")
    assert done.answer is not None
    assert done.answer.text == "fine"
    assert len(house.updates) == 1


async def test_an_answer_whose_connection_is_lost_is_repeated(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="fine", picture=BOARD)
    discord.will("PATCH", "@original", Dropped())
    done = await anna.types("/view")
    assert done.answer is not None
    assert done.answer.attachments[0].content == PNG


async def test_a_failure_of_ours_is_logged_and_told(
    chat: Chat, discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    anna = discord.person("Anna", hall, locale="de")

    async def fails(update: Update) -> Reply | None:
        raise LookupError("nobody knows")

    house.does = fails
    done = await anna.types("/join")
    assert done.answer is not None
    assert done.answer.text == texts.say("discord", "failed", "de")
    assert "nobody knows" in caplog.text


# Completion


async def test_completions_are_offered_while_typing(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.suggests = (Suggestion("b3-c4 🪨", "b3-c4"),)
    assert await anna.completes("/move", notation="b3") == [("b3-c4 🪨", "b3-c4")]
    ((update, argument),) = house.completed
    assert (update.body, argument) == (Filled("move", {"notation": "b3"}), "notation")


async def test_completions_keep_to_the_limits(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.suggests = (Suggestion("too long", "x" * 101), *(Suggestion("y" * 120, f"b{n}") for n in range(40)))
    found = await anna.completes("/move", notation="")
    assert len(found) == 25
    assert {len(label) for label, _ in found} == {100}


async def test_completions_that_take_too_long_are_left_out(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.suggests = (Suggestion("b3", "b3"),)
    house.gate.clear()
    assert await anna.completes("/move", notation="b") == []


# Posting


async def test_a_post_calls_one_person_and_nobody_else(chat: Chat, discord: Discord, hall: Channel) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    await chat.post(
        place(hall),
        Reply(
            title="Kabooom!",
            text=f"Ben ate a rock. <@{ben.id}> @everyone",
            picture=BOARD,
            rows=((Button("Move", "menu:k", Style.MAIN), Button("End", "end:k", Style.DANGER)),),
            call=Call(Person(PersonId(anna.account), "Anna"), "{person}, it is your turn. *now*"),
        ),
        "k-7",
    )
    board = hall.newest()
    assert board.content == (
        f"**Kabooom!**\nBen ate a rock. \\<@{ben.id}> @\u200beveryone\n<@{anna.id}>, it is your turn. \\*now\\*"
    )
    assert (board.alt, board.attachments[0].content, board.attachments[0].name) == (BOARD.alt, PNG, "board.png")
    assert [part["style"] for part in board.parts] == [1, 4]
    assert (anna.pings, ben.pings) == (1, 0)
    assert board.flags == 4, "links in texts open no previews"


async def test_a_film_and_a_record_go_along_as_attachments(chat: Chat, hall: Channel) -> None:
    await chat.post(place(hall), Reply(text="The film", file=FILM), "k-1")
    await chat.post(place(hall), Reply(file=RECORD), "k-2")
    attached = [message.attachments[0] for message in hall.public]
    assert [(each.name, each.content, each.alt) for each in attached] == [
        ("film.gif", b"GIF89a...", "Three moves"),
        ("record.json", b"{}", "A record"),
    ]
    assert [each.payload()["content_type"] for each in attached] == ["image/gif", "application/json"]


async def test_a_post_of_words_becomes_a_film(chat: Chat, hall: Channel) -> None:
    message = await chat.post(place(hall), Reply(text="10 %"), "k-1")
    await chat.edit(place(hall), message, Reply(text="The film", file=FILM))
    (shown,) = hall.public
    assert (shown.text, shown.attachments[0].content) == ("The film", FILM.content)


async def test_a_file_in_an_answer_is_for_that_person_alone(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", at=hall)
    house.says = Reply(text="Here it is", file=RECORD)
    done = await anna.types("/board")
    said = await done.answered()
    assert (said.reader, said.attachments[0].content) == (anna, b"{}")


async def test_the_same_nonce_is_the_same_message(chat: Chat, hall: Channel) -> None:
    first = await chat.post(place(hall), Reply(text="Board"), "k3v7qpm2xa-17")
    again = await chat.post(place(hall), Reply(text="Board"), "k3v7qpm2xa-17")
    assert first == again
    await hall.counts(1)


async def test_a_post_whose_answer_is_lost_is_not_doubled(chat: Chat, discord: Discord, hall: Channel) -> None:
    discord.will("POST", "/messages", Dropped(done=True))
    with pytest.raises(TryLater):
        await chat.post(place(hall), Reply(text="Board", picture=BOARD), "k-1")
    await chat.post(place(hall), Reply(text="Board", picture=BOARD), "k-1")
    await hall.counts(1)


async def test_an_edit_replaces_picture_and_buttons_and_pings_nobody(
    chat: Chat, discord: Discord, hall: Channel
) -> None:
    anna = discord.person("Anna", hall)
    call = Call(Person(PersonId(anna.account), "Anna"), "{person}: your turn")
    board = Reply(text="old", picture=BOARD, rows=((Button("Move", "menu:k"),),), call=call)
    message = await chat.post(place(hall), board, "k-1")
    for text in ("new", "new"):
        await chat.edit(place(hall), message, Reply(text=text, picture=Picture(PNG + b"2", "two"), call=call))
    shown = hall.newest()
    assert shown.text.startswith("new")
    assert [each.content for each in shown.attachments] == [PNG + b"2"]
    assert shown.rows == []
    assert anna.pings == 1
    await chat.edit(place(hall), message, Reply(text="bare"))
    assert shown.attachments == []


async def test_buttons_are_taken_away_and_the_rest_stays(chat: Chat, hall: Channel) -> None:
    board = Reply(text="board", picture=BOARD, rows=((Button("Move", "menu:k"),),))
    message = await chat.post(place(hall), board, "k-1")
    await chat.strip(place(hall), message)
    shown = hall.newest()
    assert (shown.text, shown.rows, shown.alt) == ("board", [], BOARD.alt)


async def test_what_is_deleted_already_is_gone(chat: Chat, hall: Channel) -> None:
    message = await chat.post(place(hall), Reply(text="board"), "k-1")
    await chat.delete(place(hall), message)
    assert hall.public == []
    await chat.delete(place(hall), message)
    with pytest.raises(Gone):
        await chat.edit(place(hall), message, Reply(text="board"))
    with pytest.raises(Gone):
        await chat.strip(place(hall), message)


async def test_a_secret_is_never_posted(chat: Chat, hall: Channel) -> None:
    with pytest.raises(Refused):
        await chat.post(place(hall), Reply(text="my hand", secret=True), "k-1")
    with pytest.raises(Refused):
        await chat.edit(place(hall), MessageId("1"), Reply(text="my hand", secret=True))


# Limits of texts and buttons


NAMES = (
    "**Anna**",
    "@everyone",
    "<@&1>",
    "[x](https://evil.example)",
    "a\u202eb",
    "# Anna",
    "- Anna",
    "🪨" * 40,
    "\\",
    "`",
    "1. A",
)


@pytest.mark.parametrize("name", NAMES)
async def test_names_stay_names(name: str, chat: Chat, discord: Discord, hall: Channel) -> None:
    discord.person("Ben", hall)
    await chat.post(place(hall), Reply(title=name, text=f"{name} won.\n{name}", call=None), "n1")
    shown = hall.newest()
    plain = name.replace("\u202e", "").replace("@e", "@\u200be")
    assert shown.text.endswith(f"{plain} won.\n{plain}")
    assert shown.pinged == ()


async def test_long_texts_are_cut_but_never_the_call(chat: Chat, discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    for number, letter in enumerate(("x", "*", "🪨", "\n", "_\\")):
        reply = Reply(
            title=letter * 5000,
            text=letter * 10_000,
            picture=Picture(PNG, letter * 3000),
            rows=((Button(letter * 90, "a"),), Select(letter * 200, "b", (Choice(letter * 200, "c"),))),
            call=Call(Person(PersonId(anna.account), "Anna"), "{person}, it is your turn."),
        )
        await chat.post(place(hall), reply, f"n{number}")
        assert hall.newest().content.endswith(f"<@{anna.id}>, it is your turn.")
    assert anna.pings == 5


async def test_more_rows_than_discord_shows_become_selects(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    rows = tuple(tuple(Button(f"{row}{n}", f"play:k:{row}.{n}") for n in range(5)) for row in range(7))
    await chat.post(place(hall), Reply(text="Which?", rows=(*rows, (Button("Back", "menu:k"),))), "n1")
    shown = hall.newest().rows
    assert [len(row) for row in shown] == [25, 10, 1]
    await anna.chooses("34")
    assert (await house.asked())[0].body == Press("play:k:3.4")


async def test_a_board_of_buttons_leaves_no_room_for_a_way_out(chat: Chat, hall: Channel) -> None:
    rows = [tuple(Button(f"{column}{row}", f"x:{column}{row}") for column in "abcde") for row in range(5)]
    await chat.post(place(hall), Reply(text="Where?", rows=(*rows, (Button("✕", "close:k"),))), "n1")
    assert [len(row) for row in hall.newest().rows] == [5, 5, 5, 5, 5]
    assert "✕" not in hall.newest().buttons


async def test_places_with_nothing_to_press_are_switched_off(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    nothing = Button("·", "none:k", Style.BLANK)
    again = Button("b3", "play:k:1.0")
    house.says = Reply(text="Where?", rows=((nothing, again), (again, nothing)), manner=Manner.MENU)
    await anna.types("/move")
    (menu,) = anna.sees()
    assert [part["disabled"] for part in menu.parts] == [True, False, False, True]
    for part in menu.parts[1:3]:
        await anna.presses_id(part["custom_id"], menu)
    updates = await house.asked(3)
    assert [update.body for update in updates[1:]] == [Press("play:k:1.0")] * 2


async def test_short_rows_move_together_where_there_are_too_many(chat: Chat, hall: Channel) -> None:
    rows = tuple((Button(f"{row}", f"play:k:{row}.0"),) for row in range(7))
    await chat.post(place(hall), Reply(text="Which?", rows=(*rows, (Button("Back", "menu:k"),))), "n1")
    assert hall.newest().rows == [["0", "1", "2", "3", "4"], ["5", "6"], ["Back"]]


# What the platform refuses


async def test_missing_permissions_are_refused(chat: Chat, discord: Discord, hall: Channel) -> None:
    message = await chat.post(place(hall), Reply(text="board"), "n1")
    hall.allowed = emulator.world.VIEW_CHANNEL | emulator.world.SEND_MESSAGES
    with pytest.raises(Refused, match="missing permissions"):
        await chat.post(place(hall), Reply(text="board", picture=BOARD), "n2")
    hall.allowed = 0
    with pytest.raises(Refused, match="missing access"):
        await chat.edit(place(hall), message, Reply(text="new"))
    await hall.disappears()
    with pytest.raises(Refused, match="unknown channel"):
        await chat.post(place(hall), Reply(text="board"), "n3")
    thread = discord.thread("old", discord.channel("other"))
    thread.archived = True
    with pytest.raises(Refused, match="archived"):
        await chat.post(place(thread), Reply(text="board"), "n4")


async def test_who_writes_where_the_bot_may_not_post_is_told_what_is_missing(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    hall.allowed = emulator.world.VIEW_CHANNEL
    done = await anna.types("/newgame", game="kabooom")
    assert done.answer is not None
    assert "Send Messages, Attach Files." in done.answer.text
    thread = discord.thread("talk", hall)
    thread.allowed = emulator.world.INVITED & ~emulator.world.SEND_MESSAGES_IN_THREADS
    anna.goes_to(thread)
    house.says = Reply(text="The rules")
    done = await anna.types("/rules")
    assert done.answer is not None
    assert done.answer.text.startswith("The rules\n\nI cannot post")
    assert done.answer.text.endswith(": Send Messages in Threads.")


async def test_where_the_bot_was_only_brought_along_nobody_but_that_person_sees_it(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    elsewhere = discord.channel("elsewhere", discord.server("Elsewhere", member=False))
    anna = discord.person("Anna", elsewhere, user_installed=True)
    house.says = Reply(text="The rules")
    for channel in (elsewhere, discord.group("friends")):
        anna.goes_to(channel)
        done = await anna.types("/rules")
        assert done.answer is not None
        assert done.answer.text == f"The rules\n\n{texts.say('discord', 'stranger', 'en')}"
        assert not house.updates[-1].place.private
        with pytest.raises(Refused):
            await chat.post(place(channel), Reply(text="board"), "n1")


# What goes wrong on the way


async def test_a_rate_limit_delays_that_channel_alone(chat: Chat, discord: Discord, hall: Channel) -> None:
    other = discord.channel("other")
    discord.will("POST", f"/channels/{hall.id}/messages", TooMany(retry_after_s=0.3))
    slow = asyncio.create_task(chat.post(place(hall), Reply(text="late", picture=BOARD), "n1"))
    await discord.until(lambda: f"POST /channels/{hall.id}/messages" in discord.requests or None, "it was sent")
    await chat.post(place(other), Reply(text="at once"), "n2")
    assert not slow.done()
    await slow
    assert [each.text for each in hall.public] == ["late"]


async def test_a_long_rate_limit_is_left_to_delivery(chat: Chat, discord: Discord, hall: Channel) -> None:
    discord.will("POST", "/messages", TooMany(retry_after_s=600), TooMany(retry_after_s=7, via=False))
    for seconds in (600, 7):
        with pytest.raises(Limited) as later:
            await chat.post(place(hall), Reply(text="late"), "n1")
        assert later.value.after_s == seconds


async def test_a_fault_of_the_server_means_later(chat: Chat, discord: Discord, hall: Channel) -> None:
    discord.will("POST", "/messages", Broken(503), Dropped())
    for _ in range(2):
        with pytest.raises(TryLater):
            await chat.post(place(hall), Reply(text="board"), "n1")


async def test_a_lost_gateway_is_taken_up_where_it_was_lost(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="fine")
    await discord.gateway.ask_to_reconnect()
    await anna.types("/join")
    await discord.until(lambda: discord.gateway.resumed or None, "it resumes")
    await anna.types("/help")
    assert len(discord.gateway.identified) == 1
    assert [update.body for update in house.updates] == [Filled("join"), Filled("help")]


async def test_what_was_sent_while_the_connection_was_lost_is_answered(
    chat: Chat, discord: Discord, hall: Channel, house: House
) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="fine")
    discord.gateway.drop()
    done = await anna.types("/join")
    assert done.answer is not None
    assert (done.answer.text, discord.gateway.resumed, len(discord.gateway.identified)) == ("fine", 1, 1)


async def test_before_it_is_connected_posts_wait(discord: Discord, hall: Channel) -> None:
    chat = on_discord.open(discord.environment)
    with pytest.raises(TryLater):
        await chat.post(place(hall), Reply(text="board"), "n1")
    await chat.stop()


async def test_an_api_that_cannot_be_reached_is_tried_again(
    discord: Discord, hall: Channel, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    await discord.shuts()
    chat = on_discord.open(discord.environment)
    assert await chat.start(house) == texts.say("discord", "operator.connecting", "en")
    await discord.opens()
    await discord.connected()
    await chat.post(place(hall), Reply(text="here again"), "n1")
    await chat.stop()
    warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in warnings] == [
        texts.say("discord", "operator.unreachable", "en", problem="ClientConnectorError")
    ]


async def test_a_wrong_token_is_told_in_one_line(discord: Discord, house: House) -> None:
    chat = on_discord.open({**discord.environment, "DISCORD_TOKEN": "wrong"})
    with pytest.raises(Unusable, match="DISCORD_TOKEN is not accepted"):
        await chat.start(house)
    await chat.stop()


async def test_too_few_shards_are_told(discord: Discord, house: House) -> None:
    discord.gateway.fewest_shards = 2
    chat = on_discord.open({**discord.environment, "DISCORD_SHARDS": "1"})
    with pytest.raises(Unusable, match="DISCORD_SHARDS"):
        await chat.start(house)
    await chat.stop()


async def test_as_many_shards_as_discord_recommends(discord: Discord, house: House) -> None:
    discord.shards = 2
    chat = on_discord.open(discord.environment)
    await chat.start(house)
    await chat.stop()
    assert discord.gateway.identified[0]["shard"] == [0, 2]


async def test_a_range_of_shards_is_one_process_of_several(discord: Discord, hall: Channel, house: House) -> None:
    async with running(discord, house, DISCORD_SHARDS="2-3/8"):
        await discord.until(lambda: len(discord.gateway.identified) == 2 or None, "both shards connect")
    assert [each["shard"] for each in discord.gateway.identified] == [[2, 8], [3, 8]]


async def test_it_is_ready_while_all_its_shards_are_connected(discord: Discord, hall: Channel, house: House) -> None:
    two = on_discord.open({**discord.environment, "DISCORD_SHARDS": "2-3/8"})

    async def becomes(ready: bool) -> None:
        while two.is_ready != ready:
            await asyncio.sleep(0)  # it connects again so quickly that one has to look all the time

    assert not two.is_ready
    await two.start(house)
    await becomes(True)
    assert len(discord.gateway.identified) == 2
    lost = discord.gateway.sessions[1]
    assert lost.socket is not None
    lost.socket.drop()
    await becomes(False)
    await becomes(True)
    assert discord.gateway.resumed == 1
    await discord.gateway.ask_to_reconnect()
    await becomes(False)
    await becomes(True)
    await two.stop()
    assert not two.is_ready


async def test_what_is_being_answered_is_finished_before_the_end(discord: Discord, hall: Channel, house: House) -> None:
    anna = discord.person("Anna", hall)
    house.says = Reply(text="just in time")
    house.gate.clear()
    async with running(discord, house):
        await anna.sends("/help")
        await house.asked()
        asyncio.get_running_loop().call_later(0.05, house.gate.set)
    assert [each.text for each in anna.sees()] == ["just in time"]


async def test_a_silent_server_does_not_hold_up_the_end(discord: Discord, hall: Channel, house: House) -> None:
    chat = on_discord.open(discord.environment)
    discord.will("GET", "/users/@me", Slow(20))
    start = asyncio.create_task(chat.start(house))
    await discord.until(lambda: discord.requests or None, "it asks")
    async with asyncio.timeout(3):
        await chat.stop()
    await start


async def test_stop_is_fine_before_start() -> None:
    await DiscordChat("token", COMMANDS).stop()


async def test_commands_that_could_not_be_registered_are_tried_again(
    discord: Discord, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    discord.will("PUT", "/commands", Broken(503))
    async with running(discord, house):
        assert discord.commands
    assert "Discord did not take the commands" in caplog.text


async def test_what_discord_refuses_for_a_fault_of_ours_is_refused_and_logged(
    chat: Chat, discord: Discord, hall: Channel, caplog: pytest.LogCaptureFixture
) -> None:
    discord.will("POST", "/messages", Broken(400, 50035))
    with pytest.raises(Refused, match="50035"):
        await chat.post(place(hall), Reply(text="board"), "n1")
    assert "Traceback" in caplog.text
