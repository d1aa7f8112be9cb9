"""Whole games of the real service on an emulated Discord: typed, pressed and displayed.

The emulator checks every request against Discord's limits and every interaction against its 3 seconds; a violation
fails the test at its end.
"""

import asyncio
import os
import random
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import pytest

import texts
from bot.adapters import on_discord
from bot.app import build
from bot.chat import PlaceId
from bot.delivery.painting import Pictures
from bot.replies import notes
from bot.runtime.clock import Clock, RealClock
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.table import Phase
from rules import GAMES, proof
from tests.bot.adapters.hosts import MemoryStorage
from tests.emulators.discord import (
    Broken,
    Channel,
    Discord,
    Dropped,
    Fault,
    Interaction,
    Message,
    Person,
    Slow,
    TooMany,
)
from tests.emulators.discord.world import CREATE_PUBLIC_THREADS, SEND_MESSAGES_IN_THREADS

PROJECT = Path(__file__).parents[4]
WAYS = ("◀", "▶", "✕", "↩")

CLOSE_ALL = "Close all"


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    async with Discord() as opened:
        yield opened


@pytest.fixture
def hall(discord: Discord) -> Channel:
    return discord.channel("hall")


@asynccontextmanager
async def running(
    discord: Discord, store: Store, painter: Pictures, clock: Clock | None = None
) -> AsyncIterator[Service]:
    """Yield the real service on Discord."""
    service = build(store, painter, clock or RealClock(), draw=lambda n: "07" * n)
    chat = on_discord.open(discord.environment)
    service.add(chat)
    try:
        await chat.start(service, MemoryStorage())
        await discord.connected()
        yield service
    finally:
        await chat.stop()
        await service.stop()


@pytest.fixture
async def bot(discord: Discord, hall: Channel, store: Store, painter: Pictures) -> AsyncIterator[Service]:
    async with running(discord, store, painter) as service:
        yield service


def say(key: str, lang: str = "en", **facts: object) -> str:
    return texts.say("table", key, lang, **facts)


async def starts(hall: Channel, host: Person, *others: Person) -> Message:
    """Begin a game of Kabooom at its easy level and return the first board."""
    await host.types("/newgame", game="kabooom")
    lobby = await hall.reads("who's playing?")
    for other in others:
        await other.presses("Join", on=lobby)
        await hall.reads(other.name)
    options = await (await host.presses("Options", on=lobby)).answered()
    await host.chooses("Easy: random set-up", on=options)
    await hall.reads("Easy: random set-up")
    await host.presses("Start", on=lobby)
    board = await hall.reads("Turn order")
    await hall.discord.until(lambda: lobby.rows == [] or None, "the lobby loses its buttons")
    return board


def actor(board: Message, people: tuple[Person, ...]) -> Person:
    """Return the person pinged by *board*."""
    (pinged,) = board.pinged
    return next(person for person in people if person.id == pinged)


async def after(hall: Channel, board: Message) -> Message:
    """Return the board after *board*."""
    return await hall.discord.until(
        lambda: hall.newest() if hall.newest() is not board else None, f"{hall.name} sees a new board"
    )


async def types(person: Person, text: str) -> str:
    """Type a move; return the bot's answer."""
    done = await person.types("/move", move=text)
    return said(done)


def said(done: Interaction) -> str:
    assert done.answer is not None
    return done.answer.text


def played(move: str) -> str:
    """Return the answer to a typed *move*, in the words of the buttons."""
    (action,) = GAMES["kabooom"].parse(None, move)
    return notes.played("kabooom", (action,), "en").text


OWN_RESULT = ("🎉", "You lost", "Du hast mit", "Du hast verloren")
"""Beginnings of the answer to the last move of a game."""


async def plays(person: Person, luck: random.Random) -> str:
    """Play one of the moves that Discord offers while one types, but no pass, which may lose; its notation."""
    _, move = luck.choice([offer for offer in await person.completes("/move", move="") if offer[1] != "pass"])
    first = (await types(person, move)).split("\n")[0]  # a line about other waiting games may follow
    assert first == played(move) or first.startswith(OWN_RESULT)
    return move


async def taps(person: Person, board: Message, luck: random.Random) -> None:
    """Play by taps: Move, then the choices of the menu, until it goes with its turn."""
    menu = await (await person.presses("Move", on=board)).answered()
    while not menu.deleted:
        sure = [part["label"] for part in menu.parts if part["custom_id"].startswith("sure:")]
        offered = [label for label in menu.buttons if not label.startswith(WAYS) and "/" not in label and label != "·"]
        label = luck.choice(sure or offered)
        await (await person.presses(label, on=menu)).answered()


def boards(hall: Channel) -> list[Message]:
    return [message for message in hall.public if is_board(message)]


def is_board(message: Message) -> bool:
    """Return whether the message shows a game, not a lobby or a film."""
    return any(attached.name == "board.png" for attached in message.attachments)


# Whole games


async def test_three_people_type_a_whole_game(bot: Service, discord: Discord, hall: Channel) -> None:
    people = anna, ben, clara = tuple(discord.person(name, hall) for name in ("Anna", "Ben", "Clara"))
    board = await starts(hall, anna, ben, clara)
    luck, moves = random.Random(7), 0
    while board.pinged:
        await plays(actor(board, people), luck)
        moves += 1
        board = await after(hall, board)
    await bot.idle()
    assert moves >= 10
    assert len(boards(hall)) == moves + 1, "one post for every turn, and one for the start"
    assert "Rematch" in board.buttons
    assert all(board.rows == [] for board in boards(hall)[:-1]), "former boards have no buttons"
    assert sum(person.pings for person in people) == moves, "one ping for every turn, to one person"
    assert all(len(board.pinged) == 1 for board in boards(hall)[:-1])
    assert board.alt.startswith("The game is over")


async def test_two_people_tap_a_whole_game(bot: Service, discord: Discord, hall: Channel) -> None:
    people = anna, ben = discord.person("Anna", hall), discord.person("Ben", hall, locale="de")
    board = await starts(hall, anna, ben)
    luck = random.Random(3)
    while board.pinged:
        await taps(actor(board, people), board, luck)
        board = await after(hall, board)
    assert "Rematch" in board.buttons
    assert len(boards(hall)) > 10


async def test_a_film_is_public_and_the_proof_is_private(bot: Service, discord: Discord, hall: Channel) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    board = await starts(hall, anna, ben)
    await plays(actor(board, (anna, ben)), random.Random(5))
    await anna.types("/replay")
    film = (await hall.reads("the replay")).attachments[0]
    assert (film.content[:6], film.payload()["content_type"]) == (b"GIF89a", "image/gif")
    assert film.alt
    position = await (await ben.types("/replay", position="1")).answered()
    assert (position.reader, position.buttons) == (ben, ["⏮", "◀", "▶", "⏭", "✕", CLOSE_ALL])
    await ben.types("/resign")
    await ben.presses("Yes, I resign")
    more = await (await ben.presses("More", on=await hall.reads("Anna wins"))).answered()
    await ben.presses("Fair-play check", on=more)
    answer = await ben.reads("seed: 0707")
    assert answer.reader is ben
    assert proof.check(proof.decode(answer.attachments[0].content)).outcome is None


async def test_a_server_greets_once_and_its_games_wait_until_the_bot_is_brought_back(
    bot: Service, discord: Discord, hall: Channel, store: Store
) -> None:
    club = discord.server("Club", member=False)
    club.hello = den = discord.channel("den", club)
    for _ in range(2):
        await discord.adds_the_bot(club)
    await den.reads("I'm Kaleidobot")
    anna, ben = discord.person("Anna", den), discord.person("Ben", den)
    await starts(den, anna, ben)
    await bot.idle()
    posts, former = len(den.public), den.public[-1]
    table = await store.at(PlaceId(den.place))
    assert table is not None
    await discord.removes_the_bot(club)
    while (loaded := await store.load(table)) is not None and not loaded.table.is_unreachable:
        await asyncio.sleep(0.01)
    await bot.idle()
    assert len(den.public) == posts
    await discord.adds_the_bot(club)
    while (loaded := await store.load(table)) is not None and loaded.table.is_unreachable:
        await asyncio.sleep(0.01)
    await bot.idle()
    assert loaded is not None
    assert loaded.table.phase == Phase.RUNNING
    assert is_board(den.public[-1])
    assert den.public[-1] is not former, "the newest board comes by itself"
    assert sum("I'm Kaleidobot" in message.text for message in den.public) == 1


async def test_a_game_in_a_thread_beside_one_in_its_channel(bot: Service, discord: Discord, hall: Channel) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    await starts(hall, anna, ben)
    done = await anna.types("/newgame", game="kabooom")
    assert "thread" in said(done).lower()
    thread = discord.thread("second game", hall)
    for person in (anna, ben):
        person.goes_to(thread)
    board = await starts(thread, anna, ben)
    await plays(actor(board, (anna, ben)), random.Random(1))
    await after(thread, board)
    assert len(boards(hall)) == 1


async def test_a_game_in_the_private_chat_can_be_opened_and_ended(
    bot: Service, discord: Discord, hall: Channel
) -> None:
    anna = discord.person("Anna", hall)
    anna.goes_to(anna.direct())
    await anna.types("/newgame", game="kabooom")
    await anna.direct().reads("who's playing?")
    await anna.types("/end")
    await discord.until(lambda: "table is closed" in anna.direct().newest().text or None, "the lobby is closed")


WORDS = (
    ("kabooom", "rock", r"🪨 (Rock|Stein) ×\d → [a-z]\d", r"r@[a-z]\d"),
    ("kabooom", "stein b", r"🪨 (Rock|Stein) ×\d → b\d", r"r@b\d"),
    ("kalejdoschach", "eagle 3", r"3[a-z] (eagle|Adler) → \d[a-z].*", r"3[a-z][-+]\d[a-z]"),
    ("kalejdoschach", "adler 3", r"3[a-z] (eagle|Adler) → \d[a-z].*", r"3[a-z][-+]\d[a-z]"),
)
"""Typed text in a game, the labels of its suggestions, and their values."""


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize(("game", "typed", "label", "move"), WORDS, ids=[f"{word[0]}-{word[1]}" for word in WORDS])
async def test_words_of_any_language_are_completed_to_moves_told_in_ones_own(
    bot: Service,
    discord: Discord,
    hall: Channel,
    store: Store,
    game: str,
    typed: str,
    label: str,
    move: str,
    lang: str,
) -> None:
    """A suggested value is notation, and legal."""
    people = anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    await anna.types("/newgame", game=game)
    await ben.presses("Join", on=await hall.reads("who's playing?"))
    if len(people) < GAMES[game].seats[-1]:
        await hall.reads("Ben")
        await anna.presses("Start")
    board = await hall.reads("Turn order")
    on = actor(board, people)
    on.locale = lang
    suggestions = await on.completes("/move", move=typed)
    assert suggestions
    words = re.compile({"en": r"Rock|eagle", "de": r"Stein|Adler"}[lang])
    for label_text, notation in suggestions:
        assert re.fullmatch(label, label_text)
        assert words.search(label_text), "in the language of whoever types"
        assert re.fullmatch(move, notation)
    _, notation = suggestions[0]
    assert (await types(on, notation)).startswith(say("played", lang, action=""))
    held = await store.at(PlaceId(f"discord:{hall.id}"))
    assert held is not None
    assert [entry.action for entry in await store.log(held)] == [notation]
    assert actor(await after(hall, board), people) is not on


# --- Improper input


async def test_the_wrong_person_and_the_wrong_turn(bot: Service, discord: Discord, hall: Channel) -> None:
    people = anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    clara = discord.person("Clara", hall)
    board = await starts(hall, anna, ben)
    on = actor(board, people)
    waiting = ben if on is anna else anna
    assert await types(clara, "pass") == say("denied.not_playing")
    assert await types(waiting, "pass") == say("denied.not_your_turn", who=on.name)
    answer = await (await clara.presses("Move", on=board)).answered()
    assert answer.text == say("denied.not_playing")
    assert await clara.completes("/move", move="") == []
    assert hall.newest() is board
    assert board.edits == 0
    assert [person.pings for person in (clara, waiting)] == [0, 0]


NONSENSE = (
    "zzz",
    "x" * 6000,
    "🪨" * 500,
    "שלום a1",
    "<@1> @everyone **b3** [x](https://example.org)",
    "a1-a1",
    "b3-c4 " * 40,
    "\\" * 300,
)


async def test_nonsense_is_refused_kindly(bot: Service, discord: Discord, hall: Channel) -> None:
    people = discord.person("Anna", hall), discord.person("Ben", hall, locale="de")
    board = await starts(hall, *people)
    on = actor(board, people)
    for text in NONSENSE:
        done = await on.types("/move", move=text)
        assert done.answer is not None
        assert done.answer.reader is on
        assert "Move" in done.answer.buttons or "Mein Zug" in done.answer.buttons
        await on.completes("/move", move=text)
    done = await on.types("/move", move="   ")
    assert done.answer is not None
    assert "✕" in done.answer.buttons, "an empty move opens the menu"
    assert hall.newest() is board


@pytest.mark.parametrize(
    "name",
    ["**@everyone** <@1> ||x||", "\u202eevil", "🪨" * 16, "# [x](https://evil.example)", "שרה", "`" * 32, "a\nb"],
)
async def test_names_of_any_kind_play(name: str, bot: Service, discord: Discord, hall: Channel) -> None:
    people = anna, odd = discord.person("Anna", hall), discord.person(name, hall)
    await anna.types("/newgame", game="kabooom")
    lobby = await hall.reads("who's playing?")
    await odd.presses("Join", on=lobby)
    await discord.until(lambda: lobby.edits or None, "the lobby shows who joined")
    await anna.presses("Start", on=lobby)
    board = await hall.reads("Turn order")
    await taps(actor(board, people), board, random.Random(1))
    board = await after(hall, board)
    assert board.content.count("<@") - board.content.count("\\<@") == 1, "the call, and nothing else"
    assert "@everyone" not in board.content
    assert sum(person.pings for person in people) == 2


# The same thing twice


async def test_a_menu_of_an_older_board_plays_nothing(bot: Service, discord: Discord, hall: Channel) -> None:
    people = discord.person("Anna", hall), discord.person("Ben", hall)
    board = await starts(hall, *people)
    on = actor(board, people)
    menu = await (await on.presses("Move", on=board)).answered()
    while not (stale := [part for part in menu.parts if part["custom_id"].startswith("play:")]):
        label = next(label for label in menu.buttons if not label.startswith(WAYS))
        await (await on.presses(label, on=menu)).answered()
    await plays(on, random.Random(1))
    newer = await after(hall, board)
    pressed = await on.presses_id(stale[0]["custom_id"], menu)
    assert say("moved_on") in (await pressed.answered()).text
    old = await on.presses_id("view:" + menu.parts[-1]["custom_id"].split(":")[1], board)
    assert (await old.answered()).attachments, "buttons of old boards still show what there is now"
    assert hall.newest() is newer


async def test_a_double_press_plays_once(bot: Service, discord: Discord, hall: Channel) -> None:
    people = discord.person("Anna", hall), discord.person("Ben", hall)
    board = await starts(hall, *people)
    on = actor(board, people)
    menu = await (await on.presses("Move", on=board)).answered()
    while not (play := [part for part in menu.parts if part["custom_id"].startswith("play:")]):
        label = next(label for label in menu.buttons if not label.startswith(WAYS))
        await (await on.presses(label, on=menu)).answered()
    both = [on.presses_id(play[0]["custom_id"], menu) for _ in range(2)]
    for pressed in await asyncio.gather(*both):
        await pressed.answered()
    await after(hall, board)
    await bot.idle()
    assert len(boards(hall)) == 2


async def test_an_interaction_that_is_delivered_twice_plays_once(
    discord: Discord, hall: Channel, store: Store, painter: Pictures
) -> None:
    people = discord.person("Anna", hall), discord.person("Ben", hall)
    async with running(discord, store, painter) as service:
        board = await starts(hall, *people)
        on = actor(board, people)
        (_, move), *_ = await on.completes("/move", move="")
        done = await on.types("/move", move=move)
        await after(hall, board)
        await discord.deliver(done)
        await on.types("/help")
        await service.idle()
        assert len(boards(hall)) == 2
    async with running(discord, store, painter) as service:  # it knows only the stored data
        await discord.connected(times=2)
        await discord.deliver(done)
        await discord.until(lambda: "GET @original" in done.calls or None, "it is seen once more")
        await service.idle()
        assert len(boards(hall)) == 2
        assert said(done) == played(move)


# Trouble


async def test_a_rate_limit_delays_one_channel_alone(bot: Service, discord: Discord, hall: Channel) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    other = discord.channel("other")
    clara, dora = discord.person("Clara", other), discord.person("Dora", other)
    slow, quick = await starts(hall, anna, ben), await starts(other, clara, dora)
    longer_than_a_board_takes = TooMany(retry_after_s=5)
    discord.will("POST", f"/channels/{hall.id}/messages", longer_than_a_board_takes)
    await plays(actor(slow, (anna, ben)), random.Random(1))
    await plays(actor(quick, (clara, dora)), random.Random(1))
    await after(other, quick)
    assert hall.newest() is slow, "still waiting"
    await after(hall, slow)


async def test_a_deleted_board_is_posted_anew(bot: Service, discord: Discord, hall: Channel) -> None:
    anna = discord.person("Anna", hall)
    await anna.types("/newgame", game="kabooom")
    lobby = await hall.reads("who's playing?")
    lobby.deleted = True
    await discord.person("Ben", hall).types("/join")
    assert "Ben" in (await hall.reads("Ben")).text


async def test_a_person_reads_that_the_bot_may_not_post_here(bot: Service, discord: Discord, hall: Channel) -> None:
    anna = discord.person("Anna", hall)
    hall.allowed = 0
    done = await anna.types("/newgame", game="kabooom")
    assert "View Channel, Send Messages, Attach Files" in said(done)
    assert hall.public == []


class Process:
    """Run the real program as an operator would. The ``async with`` ends it in any case."""

    def __init__(self, discord: Discord, data: Path) -> None:
        self._discord = discord
        self._data = data
        self._process: asyncio.subprocess.Process | None = None
        self._starts = 0

    async def __aenter__(self) -> Self:
        try:
            await self.start()
        except BaseException:
            await self.kill()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._process is not None and self._process.returncode is None:
            await self.kill()

    async def start(self) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=self._data.parent,
            env={**kept, **self._discord.environment, "DATA_DIR": str(self._data), "PYTHONPATH": str(PROJECT)},
            stdout=asyncio.subprocess.DEVNULL,
        )
        self._starts += 1
        await self._discord.connected(times=self._starts)

    async def kill(self) -> None:
        """Kill the process with SIGKILL."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def stop(self) -> int:
        """Stop it as an operator does and return its exit code."""
        assert self._process is not None
        self._process.terminate()
        return await self._process.wait()


@pytest.mark.parametrize("fault", [Slow(60), Dropped(done=True)], ids=["before it is posted", "before that is noted"])
async def test_a_bot_killed_within_a_turn_resumes_it(
    fault: Fault, discord: Discord, hall: Channel, tmp_path: Path
) -> None:
    people = discord.person("Anna", hall), discord.person("Ben", hall)
    async with Process(discord, tmp_path / "data") as bot:
        board = await starts(hall, *people)
        on = actor(board, people)
        menu = await (await on.presses("Move", on=board)).answered()
        (_, move), *_ = await on.completes("/move", move="")
        so_far = discord.requests.count(f"POST /channels/{hall.id}/messages")
        discord.will("POST", f"/channels/{hall.id}/messages", fault)
        await on.sends("/move", move=move)
        await discord.until(
            lambda: discord.requests.count(f"POST /channels/{hall.id}/messages") > so_far or None,
            "the board is on its way",
        )
        await bot.kill()
        await bot.start()
        newer = await after(hall, board)
        await discord.until(lambda: board.rows == [] or None, "the former board loses its buttons")
        assert len(boards(hall)) == 2, "no move is lost, none is doubled"
        view = await on.presses_id("view:" + menu.parts[-1]["custom_id"].split(":")[1], board)
        assert (await view.answered()).attachments, "old buttons still work"
        await plays(actor(newer, people), random.Random(1))
        await after(hall, newer)
        assert len(boards(hall)) == 3
        assert await bot.stop() == 0


async def test_a_bot_killed_while_it_thinks_answers_after_the_start(
    discord: Discord, hall: Channel, tmp_path: Path
) -> None:
    people = discord.person("Anna", hall), discord.person("Ben", hall)
    async with Process(discord, tmp_path / "data") as bot:
        board = await starts(hall, *people)
        on = actor(board, people)
        discord.will("PATCH", "@original", Slow(60))

        def patched() -> int:
            return sum(request.startswith("PATCH /webhooks") for request in discord.requests)

        so_far = patched()
        view = await on.sends("/view")
        await discord.until(lambda: patched() > so_far or None, "the answer is on its way")
        await bot.kill()
        await bot.start()
        answer = await discord.until(lambda: view.answer, "the answer is there")
        assert answer.attachments
        assert await bot.stop() == 0


# --- Places with a running game


async def test_games_leads_to_the_newest_board_of_every_table_in_any_server_and_in_private(
    discord: Discord, hall: Channel, bot: Service
) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    board = await starts(hall, anna, ben)
    await types(actor(board, (anna, ben)), "b1-c1")
    board = await after(hall, board)
    corner = discord.channel("corner", discord.server("Elsewhere"))
    for place in (corner, anna.direct()):
        anna.goes_to(place)
        await anna.types("/newgame", game="kabooom")
        await place.reads("who's playing?")
    done = await anna.types("/games")
    mine = await done.answered()
    assert "3 tables" in mine.text
    assert " · turn began 1 minute ago · 1 day left\nwith Ben" in mine.text
    results = {anna.jumps(label, on=mine) for label in mine.buttons if label not in ("✕", CLOSE_ALL)}
    assert results == {board, corner.newest(), anna.direct().newest()}


async def steps(person: Person, menu: Message, *labels: str) -> None:
    """Tap buttons of *menu* by the beginning of their labels, each after the result of the one before."""
    for label in labels:
        data = next((part for part in menu.parts if part["label"].startswith(label)), None)
        assert data is not None, f"no {label!r} among {menu.buttons}"
        await (await person.presses_id(data["custom_id"], menu)).answered()


async def test_a_turn_of_several_steps_resumes_in_its_menu_after_a_kill(
    discord: Discord, hall: Channel, tmp_path: Path
) -> None:
    """The first set-up of Crystalla, step by step: killed between two taps, and before a tap is answered."""
    people = anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    async with Process(discord, tmp_path / "data") as bot:
        await anna.types("/newgame", game="crystalla")
        await ben.presses("Join", on=await hall.reads("who's playing?"))
        await hall.reads("Ben")
        await anna.presses("Start", on=hall.newest())
        board = await hall.reads("Turn order")
        on = actor(board, people)
        other = next(person for person in people if person is not on)
        menu = await (await on.presses("Move", on=board)).answered()
        await steps(on, menu, "Keep all three")
        asked = menu.alt

        await bot.kill()
        await bot.start()
        assert await types(other, "keep") == say("denied.not_your_turn", who=on.name)
        await steps(on, menu, "3 ", "c ◥")
        assert "This turn: keep 3cne." in menu.alt != asked, "the same message goes on"
        await steps(on, menu, "↶ Undo")
        assert "This turn: keep." in menu.alt, "a step from before the kill stands, one after it is taken back"

        await steps(on, menu, "1 ")
        discord.will("PATCH", "/messages/@original", Slow(60))
        last = next(part for part in menu.parts if part["label"].startswith("a ◢"))
        tapped = await on.presses_id(last["custom_id"], menu)
        answer = f"PATCH /webhooks/{discord.application_id}/{tapped.token}/messages/@original"
        await discord.until(lambda: answer in discord.requests or None, "the step is played, its answer on its way")
        await bot.kill()
        await bot.start()
        await steps(on, menu, "a ◢")
        assert say("moved_on") in menu.text, "the tap that was never answered is not played again"
        assert "This turn: keep 1ase." in menu.alt
        assert (hall.newest(), board.edits) == (board, 0), "nobody else has seen anything"
        assert "keeps" not in (await (await other.types("/view")).answered()).alt

        await steps(on, menu, "2 ", "a ◢", "b ◢")
        done = await after(hall, board)
        assert "keeps the cards, lays all three on a1, a2 and b1." in done.text
        assert "played keep 1ase 2ase 3bse." in done.alt
        assert len(boards(hall)) == 2
        await discord.until(lambda: menu.deleted or None, "the menu goes with its turn")
        assert actor(done, people) == other
        assert [person.pings for person in people] == [1, 1]


MANAGE_CHANNELS = 1 << 4


async def test_an_admin_finds_everything_needed_in_help_and_settings(
    discord: Discord, hall: Channel, bot: Service
) -> None:
    ada = discord.person("Ada", hall, permissions=MANAGE_CHANNELS)
    first = await (await ada.types("/help")).answered()
    await (await ada.presses("⏭", on=first)).answered()
    page = ada.sees()[-1]
    for words in ("/settings", "/end", "/board", "“Privacy”", "/rules", "Attach Files"):
        assert words in page.text
    settings = await (await ada.types("/settings")).answered()
    assert "Settings for everyone here" in settings.text
    await (await ada.chooses("Deutsch", on=settings)).answered()
    await ada.types("/newgame", game="kabooom")
    await hall.reads("wer spielt mit?")
    await ada.types("/end")
    await hall.reads("Dieser Tisch ist geschlossen")


async def test_a_lobby_in_a_sleeping_thread_is_posted_anew_and_wakes_it(
    bot: Service, discord: Discord, hall: Channel
) -> None:
    thread = discord.thread("games", hall)
    anna, ben, clara = (discord.person(name, thread) for name in ("Anna", "Ben", "Clara"))
    await anna.types("/newgame", game="kabooom")
    lobby = await thread.reads("who's playing?")
    thread.archived = True
    for person in (ben, clara):
        await person.presses("Join", on=lobby)
    await discord.until(lambda: "Clara" in thread.newest().text or None, "the lobby shows three people")
    assert not thread.archived
    assert thread.newest() is not lobby
    await discord.until(lambda: lobby.rows == [] or None, "the former lobby loses its buttons")
    table = await bot.repository.on(PlaceId(thread.place))
    assert table is not None
    assert not table.table.is_unreachable


async def test_behind_a_content_filter_the_board_is_shown_in_private_with_the_reason(
    bot: Service, discord: Discord, hall: Channel
) -> None:
    people = anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    board = await starts(hall, anna, ben)
    discord.will("POST", f"/channels/{hall.id}/messages", *[Broken(400, 200000)] * 20)
    await types(actor(board, people), "pass")
    await bot.idle()
    answer = await (await ben.types("/board")).answered()
    assert "content filter" in answer.text
    assert "exempt me" in answer.text
    assert answer.reader is ben
    assert is_board(answer)


async def test_with_a_running_game_the_next_one_opens_in_a_thread(
    bot: Service, discord: Discord, hall: Channel
) -> None:
    may = CREATE_PUBLIC_THREADS | SEND_MESSAGES_IN_THREADS
    anna, ben = discord.person("Anna", hall, permissions=may), discord.person("Ben", hall)
    await anna.types("/newgame", game="kabooom")
    await hall.reads("who's playing?")
    taken = await (await ben.types("/newgame", game="kabooom")).answered()
    assert taken.buttons == [say("button.table")], "he may not"
    taken = await (await anna.types("/newgame", game="kalejdoschach", clock="1h", options="draw:off")).answered()
    done = await (await anna.presses(say("button.thread"), on=taken)).answered()
    thread = discord.channels[max(discord.channels)]
    assert (thread.name, thread.parent) == ("KalejdoSchach with Anna", hall)
    assert done.text == say("lobby.beside", game="KalejdoSchach")
    link, _ = done.parts
    assert link["url"] == f"https://discord.com/channels/{discord.home.id}/{thread.id}"
    lobby = await thread.reads("who's playing?")
    assert "Not allowed" in lobby.text
    assert "1 hour" in lobby.text
    ben.goes_to(thread)
    await ben.presses("Join", on=lobby)
    await thread.reads("Ben")


async def test_the_reason_against_a_thread_is_reported(bot: Service, discord: Discord, hall: Channel) -> None:
    may = CREATE_PUBLIC_THREADS | SEND_MESSAGES_IN_THREADS
    anna = discord.person("Anna", hall, permissions=may)
    await anna.types("/newgame", game="kabooom")
    await hall.reads("who's playing?")
    offered = await (await anna.types("/newgame", game="kabooom")).answered()
    hall.allowed &= ~CREATE_PUBLIC_THREADS
    reply = await (await anna.presses(say("button.thread"), on=offered)).answered()
    assert reply.text == say("denied.no_thread.lacking")
    taken = await (await anna.types("/newgame", game="kabooom")).answered()
    assert taken.buttons == [say("button.table")], "it goes by itself when that lobby is over"
    assert say("denied.no_thread.lacking") in taken.text
    hall.allowed |= CREATE_PUBLIC_THREADS
    discord.will("POST", "/threads", Broken(403, 50013), TooMany(60))
    for key in ("denied.no_thread.lacking", "denied.no_thread.later"):
        reply = await (await anna.presses(say("button.thread"), on=offered)).answered()
        assert reply.text == say(key)
    anna.permissions = 0
    reply = await (await anna.presses(say("button.thread"), on=offered)).answered()
    assert reply.text == say("denied.no_thread.forbidden")
    assert not [channel for channel in discord.channels.values() if channel.parent is hall]


async def test_a_command_on_a_person_opens_a_table_and_invites_them(
    bot: Service, discord: Discord, hall: Channel
) -> None:
    anna, ben = discord.person("Anna", hall), discord.person("Ben", hall)
    which = await (await anna.picks("Play with…", ben)).answered()
    assert which.text.startswith(say("invite.which", who="Ben"))
    await anna.presses("Kabooom!", on=which)
    lobby = await hall.reads("who's playing?")
    assert say("lobby.invited", names="Ben") in lobby.text
    assert lobby.pinged == (ben.id,)
    await ben.presses("Join", on=lobby)
    await hall.discord.until(lambda: "Invited" not in lobby.text or None, "he has joined")
    assert "Ben" in lobby.text
    assert ben.pings == 1


async def test_neither_oneself_nor_a_bot_is_invited(bot: Service, discord: Discord, hall: Channel) -> None:
    anna, robot = discord.person("Anna", hall), discord.person("Robot", hall)
    robot.is_bot = True
    for somebody in (anna, robot):
        assert said(await anna.picks("Play with…", somebody)) == say("denied.invite")
