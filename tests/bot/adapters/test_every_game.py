"""Every game, played to its end by random legal moves on every chat platform: every other person types, the others tap.

The differences between games are in the games' own tests. The page plays its whole game in a browser in another test.
"""

import logging
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import pytest

import texts
from bot.adapters import on_discord
from bot.adapters.on_telegram.chat import TelegramChat
from bot.app import build
from bot.chat import PersonId, PlaceId
from bot.delivery.painting import Pictures
from bot.replies import notes
from bot.requests.commands import COMMANDS
from bot.service.service import Service
from bot.store.store import Store
from rules import GAMES
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.adapters.whole_games import MOST_SEATS, MOST_TAPS, NAMES, QUICK, Choice, Match, Plays, asked
from tests.bot.conftest import HandClock
from tests.emulators.discord import Channel, Discord
from tests.emulators.discord import Message as Answered
from tests.emulators.discord import Person as Somebody
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group
from tests.emulators.telegram.world import Key
from tests.emulators.telegram.world import Message as Said

SEED = "07" * 16
"""The seed and the salt of every game here, in hexadecimal."""
LONGEST = 200
"""More boards than any game here has."""


each_game = pytest.mark.parametrize("game", GAMES, scope="module")
"""The platforms one after the other, with the same boards."""


@pytest.fixture(scope="module")
def painter() -> Iterator[Pictures]:
    """Yield a painter that keeps all boards of a whole game, so that each is painted once for both platforms."""
    made = Pictures(kept=LONGEST)
    yield made
    made.close()


@pytest.fixture
async def service(store: Store, painter: Pictures, clock: HandClock) -> AsyncIterator[Service]:
    made = build(store, painter, clock, draw=lambda n: "07" * n)
    yield made
    await made.stop()


@each_game
async def test_people_type_and_tap_the_whole_game_on_discord(
    game: str, store: Store, service: Service, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with (
        Discord() as discord,
        discreet(caplog, lambda: told_on_discord(discord)),
        begun_on_discord(discord, game, service, most_seats(game)) as (hall, people),
    ):
        menu: Answered | None = None

        async def types(choice: Choice) -> None:
            done = await people[choice.person].types("/move", move=str(choice))
            answer = done.answer
            assert answer is not None
            if sure := asked(ids(answer)):
                answer = await (await people[choice.person].presses_id(sure, answer)).answered()
            words = {notes.played(game, choice.actions[choice.number : choice.number + 1], "en").text}
            words |= {texts.say("table", f"own.{how}", "en") for how in ("won", "lost")}  # about the last move
            if str(choice) == "draw":
                words |= {texts.say("table", f"draw.{how}", "en") for how in ("said", "agreed")}
            assert words & {*answer.text.split("\n")}

        async def taps(choice: Choice) -> None:
            nonlocal menu
            person, board = people[choice.person], hall.newest()
            if str(choice) == "draw":
                menu = await draws_on_discord(person, board)
                return
            if menu is None or menu.deleted or menu.reader is not person or not choice.is_offered(ids(menu)):
                assert [*board.pinged] == [person.id], "one person is called"
                menu = await (await person.presses_id(own(board, "menu"), board)).answered()
                if choice.is_played(ids(menu)):
                    return
            been = list[str]()
            for _ in range(MOST_TAPS):
                tapped = choice.next_tap(ids(menu), been)
                await (await person.presses_id(tapped, menu)).answered()
                if menu.deleted or not choice.is_offered(ids(menu)):
                    return
            raise AssertionError(f"{choice} takes more than {MOST_TAPS} taps")

        match = Match(store, service, clock, PlaceId(f"discord:{hall.id}"), LUCK.get(game, 1))
        over = await match.to_the_end(by_turns(list(people), types, taps))
        await discord.until(lambda: "Rematch" in hall.newest().buttons or None, "the final board")
        assert over.result is not None


def by_turns(people: list[PersonId], types: Plays, taps: Plays) -> Plays:
    """Let the first person type, the second one tap, and so on."""
    return lambda choice: (taps if people.index(choice.person) % 2 else types)(choice)


async def draws_on_discord(person: Somebody, board: Answered) -> Answered:
    """Offer a draw in *More*, or accept one on the board and confirm it."""
    agrees = any(table_id.startswith("draw:") for table_id in ids(board))
    where = board if agrees else await (await person.presses_id(own(board, "more"), board)).answered()
    menu = await (await person.presses_id(own(where, "draw"), where)).answered()
    sure = asked(ids(menu))
    return menu if sure is None else await (await person.presses_id(sure, menu)).answered()


FAR = (1, 20, 21, 43, 60, 72)
"""Wells at both ends of every page of the largest board."""


async def test_every_well_is_three_taps_away_on_discord(service: Service) -> None:
    """The menu, the page that its button names, the well."""
    async with Discord() as discord, begun_on_discord(discord, "kaleidoskop", service, 6) as (hall, people):
        board = hall.newest()
        person = next(person for person in people.values() if person.id in board.pinged)
        for well in FAR:
            menu = await (await person.presses_id(own(board, "menu"), board)).answered()
            taps = 1
            while "Which colour?" not in menu.text:
                await (await person.presses(leading_to(well, menu.buttons), on=menu)).answered()
                taps += 1
            assert taps <= 3
            assert f"– {well}" in menu.text


async def test_every_well_is_three_taps_away_on_telegram(service: Service) -> None:
    async with Telegram() as telegram, begun_on_telegram(telegram, "kaleidoskop", service, 6) as hall:
        board = hall.newest()
        person = next(member for member in hall.members if member.id in board.pinged())
        private = person.private()
        private.closed = False
        for well in FAR:
            await person.presses("Move", board)
            await telegram.handled()
            menu = await private.offers("41–60")
            taps = 1
            while "Which colour?" not in menu.text:
                edits = menu.edits
                await person.presses(leading_to(well, menu.flat), menu)
                await changed(menu, edits)
                taps += 1
            assert taps <= 3
            assert f"– {well}" in menu.text
    assert telegram.violations == []


def leading_to(well: int, labels: list[str]) -> str:
    """Return the button of the well, or of the page whose label includes it."""
    pages = {label: re.fullmatch(r"[◀▶] (\d+)–(\d+)", label) for label in labels}
    there = [label for label, ends in pages.items() if ends and int(ends[1]) <= well <= int(ends[2])]
    return next((label for label in labels if label.split(" ")[0] == str(well)), None) or there[0]


@asynccontextmanager
async def discreet(caplog: pytest.LogCaptureFixture, answer: Callable[[], set[str]]) -> AsyncIterator[None]:
    """Check that at DEBUG level no log line contains a private text, a person's name or a seed."""
    with caplog.at_level(logging.DEBUG):
        yield
        lines = [caplog.handler.format(record) for record in caplog.records]
        log = "\n".join(lines)
        secrets = [secret for secret in sorted({*answer(), *NAMES}) if secret in log]  # the rest needs no slow search
        whole = [rf"(?<!\w){re.escape(secret)}(?!\w)" for secret in secrets]
        # A seed must also be found next to other characters.
        words = re.compile("|".join([*whole, SEED, str(int(SEED, 16))]))
        assert [line for line in lines if words.search(line)] == []
        caplog.clear()


def told_on_discord(discord: Discord) -> set[str]:
    """Return the secrets: tokens, typed texts except the game's id, and texts for one person."""
    result = {discord.token, *discord.interactions}
    for done in discord.interactions.values():
        result |= {option["value"] for option in done.data.get("options", ()) if option["name"] != "game"}
    for message in (message for channel in discord.channels.values() for message in channel.messages if message.reader):
        result |= {*message.text.splitlines(), *(attachment.alt for attachment in message.attachments)}
    return telling(result)


def told_on_telegram(telegram: Telegram) -> set[str]:
    result = {telegram.token, telegram.token.partition(":")[2]}
    for chat in telegram.chats.values():
        for message in (*chat.messages, *chat.whispers):
            if message.by is not None or message.alone is not None or chat.kind == "private":
                result |= {*message.text.splitlines(), message.text.removeprefix("/move ")}
    for tap in telegram.taps.values():
        result |= {tap.answer.text} if tap.answer is not None else set()
    return telling(result)


def telling(words: set[str]) -> set[str]:
    """Return the texts that cannot be in a log by chance."""
    return {word for word in words if len(word) >= 6}


def most_seats(game: str) -> int:
    return FEWER.get(game, min(MOST_SEATS, GAMES[game].seats[-1]))


FEWER = {"kaleidoskop": 2, "crystalla": 2}
"""Games that are very long: one person types and one taps."""


LUCK = {"colorio": 1741, "crystalla": 2665, "kabooom": 18, "kaleidoskop": 490}
"""Seeds that make a short game with every kind of action."""


def ids(message: Answered) -> list[str]:
    return [str(part["custom_id"]) for part in message.parts]


def own(message: Answered, verb: str) -> str:
    """Return the button of a board with this verb."""
    return next(table_id for table_id in ids(message) if table_id.startswith(f"{verb}:"))


@asynccontextmanager
async def begun_on_discord(
    discord: Discord, game: str, service: Service, seats: int
) -> AsyncIterator[tuple[Channel, dict[PersonId, Somebody]]]:
    """Begin a game of several people; return them by id."""
    hall = discord.channel("hall")
    chat = on_discord.open(discord.environment)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    await discord.connected()
    people = [discord.person(name, hall) for name in NAMES[:seats]]
    await people[0].types("/newgame", game=game, **({"options": QUICK[game]} if game in QUICK else {}))
    lobby = await hall.reads("who's playing?")
    for person in people[1:]:
        await person.presses("Join", on=lobby)
        await hall.reads(person.name)
    if seats < GAMES[game].seats[-1]:
        await people[0].presses("Start", on=lobby)
    await hall.reads("Turn order")
    yield hall, {PersonId(f"discord:{person.id}"): person for person in people}
    await chat.stop()


@each_game
async def test_people_type_and_tap_the_whole_game_on_telegram(
    game: str, store: Store, service: Service, clock: HandClock, caplog: pytest.LogCaptureFixture
) -> None:
    """The private chat is not opened: private messages are ephemeral in the group."""
    async with (
        Telegram(knows_ephemeral=True) as telegram,
        discreet(caplog, lambda: told_on_telegram(telegram)),
        begun_on_telegram(telegram, game, service, most_seats(game)) as hall,
    ):
        by_id = {PersonId(f"telegram:{person.id}"): person for person in hall.members}

        async def types(choice: Choice) -> None:
            person = by_id[choice.person]
            await person.types(f"/move {choice}", hall)
            await telegram.handled()
            for question in person.alone_in(hall).said()[-1:]:
                if sure := asked(payloads(question)):
                    await person.taps_key(key_of(question, sure), question).answered()
                    await telegram.handled()

        async def taps(choice: Choice) -> None:
            person, board = by_id[choice.person], hall.newest()
            alone = person.alone_in(hall)

            def menu() -> Said | None:
                """Return the message in which this person can choose now: an ephemeral one, or the board."""
                said = [*alone.said()[-1:], board]
                return next((message for message in said if choice.is_offered(payloads(message))), None)

            def begun() -> Said | None:
                """Return whether the turn's first step was forced and has been played."""
                said = alone.said()[-1:]
                return next((message for message in said if choice.is_played(payloads(message))), None)

            async def tap(message: Said, payload: str) -> None:
                await person.taps_key(key_of(message, payload), message).answered()
                await telegram.handled()

            if menu() is None:
                assert board.pinged() == {person.id}, "one person is called"
                if str(choice) != "draw":
                    await tap(board, with_verb(board, "menu"))
                    await telegram.until(lambda: menu() or begun(), f"{person.name} has a menu")
                    if begun() is not None:
                        return
                elif any(payload.startswith("draw:") for payload in payloads(board)):
                    await tap(board, with_verb(board, "draw"))
                    question = alone.newest()
                    if sure := asked(payloads(question)):
                        await tap(question, sure)
                    return
                else:
                    await tap(board, with_verb(board, "more"))
                    more = await alone.offers("½ Offer a draw")
                    await tap(more, with_verb(more, "draw"))
                    return
            been = list[str]()
            for _ in range(MOST_TAPS):
                message = await telegram.until(menu, f"{person.name} has a menu for {choice}")
                tapped, edits = choice.next_tap(payloads(message), been), message.edits
                await tap(message, tapped)
                if tapped.startswith("play:"):
                    return
                await changed(message, edits)
            raise AssertionError(f"{choice} takes more than {MOST_TAPS} taps")

        over = await Match(store, service, clock, hall.place, LUCK.get(game, 1)).to_the_end(
            by_turns(list(by_id), types, taps)
        )
        assert "Rematch" in hall.newest().flat
        assert over.result is not None
        for person in hall.members:
            assert person.private().messages == []
            assert len(person.alone_in(hall).said()) <= 1, "one message that goes on, or none"
    assert telegram.violations == []


def key_of(message: Said, payload: str) -> Key:
    return next(key for row in message.keys for key in row if key.data == payload)


def with_verb(message: Said, verb: str) -> str:
    """Return the button of a message with this verb."""
    return next(payload for payload in payloads(message) if payload.startswith(f"{verb}:"))


def payloads(message: Said) -> list[str]:
    return [key.data for row in message.keys for key in row]


async def changed(message: Said, edits: int) -> None:
    await message.chat.telegram.until(lambda: message.edits > edits or None, "the menu goes on")


@asynccontextmanager
async def begun_on_telegram(telegram: Telegram, game: str, service: Service, seats: int) -> AsyncIterator[Group]:
    """Begin a game of several people in a group."""
    members = [telegram.person(name, lang="en") for name in NAMES[:seats]]
    hall = telegram.group("Hall", *members)
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    await telegram.until(lambda: telegram.listening or None, "its commands are told")
    await members[0].types(f"/newgame {game} {QUICK.get(game, '')}".rstrip(), hall)
    await hall.offers("Join")
    for person in members[1:]:
        await person.presses("Join", hall)
    if seats < GAMES[game].seats[-1]:
        await members[0].presses("Start", hall)
    await telegram.handled()
    await service.idle()
    yield hall
    await chat.stop()
