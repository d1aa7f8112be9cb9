"""Several private answers are closed by one button: on Discord, and in Telegram's private chat."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import aiohttp
import pytest

from bot.adapters import on_discord
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_web.chat import WebChat
from bot.adapters.reply_piles import ReplyPiles
from bot.app import build
from bot.chat import Button, MessageId, Person, PersonId, Place, PlaceId, Platform, Reply, Typed, Update, UpdateId
from bot.delivery.painting import Pictures
from bot.replies.words import say
from bot.requests import RemindDaily
from bot.requests.commands import COMMANDS
from bot.service.service import Service
from bot.store.open_replies import LONGEST_MS, OpenReply
from bot.store.store import Store
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.adapters.test_on_web import Event, Page, Window, messages
from tests.bot.conftest import HandClock
from tests.emulators.discord import Discord, Message
from tests.emulators.discord import Person as OnDiscord
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Message as Letter

LOCALES = {"en": "en-US", "de": "de"}
ALL = {lang: say("button.close_all", lang) for lang in LOCALES}
ASKED = ("stats", "help", "privacy")
languages = pytest.mark.parametrize("lang", LOCALES)


@pytest.fixture
async def made(store: Store, painter: Pictures, clock: HandClock) -> AsyncIterator[Callable[[], Service]]:
    services: list[Service] = []

    def make() -> Service:
        services.append(build(store, painter, clock))
        return services[-1]

    yield make
    for service in services:
        await service.stop()


Chat = TypeVar("Chat", bound=Platform)


async def opened(chat: Chat, service: Service) -> Chat:
    service.add(chat)
    await chat.start(service, MemoryStorage())
    return chat


async def on_the_wire(discord: Discord, service: Service) -> Platform:
    chat = await opened(on_discord.open(discord.environment), service)
    await discord.connected()
    return chat


def alone(person: OnDiscord) -> list[Message]:
    return [message for message in person.sees() if message.reader is person and not message.deleted]


async def asks(person: OnDiscord, *commands: str) -> list[Message]:
    """Return the answers to commands."""
    answers = [await (await person.types(command)).answered() for command in commands]
    await person.discord.until(lambda: len(alone(person)) >= len(commands) or None, "all is answered")
    return answers


@languages
async def test_on_discord_one_button_closes_all_answers(made: Callable[[], Service], lang: str) -> None:
    async with Discord() as discord:
        hall = discord.channel("hall")
        anna, ben = (discord.person(name, hall, locale=LOCALES[lang]) for name in ("Anna", "Ben"))
        chat = await on_the_wire(discord, made())
        first, *others = await asks(anna, *ASKED)
        assert ALL[lang] not in first.buttons
        assert ALL[lang] in others[-1].buttons
        (other,) = await asks(ben, "help")
        press = await anna.presses(ALL[lang])
        await discord.until(lambda: not alone(anna) or None, "all answers are gone")
        last = f"{press.token}/messages/@original"
        await discord.until(lambda: any(last in request for request in discord.requests) or None, "it is answered")
        assert alone(ben) == [other]
        (answer,) = await asks(anna, "help")
        assert ALL[lang] not in answer.buttons
        await chat.stop()


async def test_on_discord_it_works_after_a_restart_and_for_old_messages(made: Callable[[], Service]) -> None:
    async with Discord() as discord:
        hall = discord.channel("hall")
        anna = discord.person("Anna", hall)
        chat = await on_the_wire(discord, made())
        closed, old, last, newest = await asks(anna, "help", *ASKED)
        closed.deleted = True  # Anna closed it herself, which no bot hears
        for done in discord.interactions.values():
            if done.original in (old, newest):
                done.expires()
        await chat.stop()
        chat = await on_the_wire(discord, made())
        await asyncio.gather(*(anna.presses(ALL["en"], on) for on in (newest, newest)))  # two taps at once
        await discord.until(lambda: alone(anna) == [old] or None, "all answers are gone but one too old for Discord")
        assert last.deleted
        assert hall.public == []
        await chat.stop()


def letters(telegram: Telegram) -> list[Letter]:
    """Return the bot's messages in Anna's private chat."""
    anna = telegram.people[0]
    return [message for message in anna.private().messages if message.by is None and not message.deleted]


@languages
async def test_in_telegrams_private_chat_one_button_closes_all(made: Callable[[], Service], lang: str) -> None:
    async with Telegram() as telegram:
        anna = telegram.person("Anna", lang=lang)
        anna.private().closed = False
        service = made()
        chat = await opened(TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED), service)
        for name in ASKED:
            await anna.types(f"/{name}")
            await telegram.handled()
        first, _, newest = letters(telegram)
        assert not first.has(ALL[lang])
        assert newest.has(ALL[lang])
        first.deleted = True  # by Anna
        await chat.stop()
        chat = await opened(TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED), made())
        await asyncio.gather(*(anna.presses(ALL[lang], newest) for _ in range(2)))  # two taps at once
        await telegram.until(lambda: not letters(telegram), "all answers are gone")
        await telegram.handled()
        await chat.stop()
    assert telegram.violations == []


async def test_a_menu_that_was_closed_leaves_nothing_to_close(made: Callable[[], Service]) -> None:
    async with Telegram() as telegram:
        anna = telegram.person("Anna")
        anna.private().closed = False
        chat = await opened(TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED), made())
        await anna.types("/help")
        await anna.private().offers(say("button.close", "en"))
        await anna.presses(say("button.close", "en"), anna.private())
        await telegram.until(lambda: not letters(telegram), "the menu is gone")
        await telegram.handled()
        await anna.types("/help")
        assert not (await anna.private().offers(say("button.close", "en"))).has(ALL["en"])
        await chat.stop()


async def test_answers_that_could_not_be_deleted_keep_their_button(made: Callable[[], Service]) -> None:
    async with Telegram() as telegram:
        anna = telegram.person("Anna")
        anna.private().closed = False
        chat = await opened(TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED), made())
        for name in ASKED:
            await anna.types(f"/{name}")
            await telegram.handled()
        (_, *others), shown = letters(telegram), letters(telegram)
        telegram.fails("deleteMessages", times=9)
        await anna.presses(ALL["en"], others[-1])
        await telegram.handled()
        assert letters(telegram) == shown
        telegram.troubles.clear()
        await anna.types("/help")
        await telegram.handled()
        assert letters(telegram)[-1].has(ALL["en"])
        await anna.presses(ALL["en"], others[-1])
        await telegram.until(lambda: not letters(telegram), "all answers are gone")
        assert len(telegram.asked("deleteMessages")) <= 3, "one request for all"
        await telegram.handled()
        await chat.stop()
    assert telegram.violations == []


async def test_an_answer_too_old_to_delete_offers_no_button(made: Callable[[], Service]) -> None:
    now_s, piles, hall = [0.0], ReplyPiles(made(), lambda: now_s[0]), PlaceId("room:hall")
    update = Update(UpdateId("room:1"), Person(PersonId("room:anna"), "Anna"), Place(hall), Typed("/help"))
    reply = Reply(rows=((Button("Close", "close:"),),))
    for name in "ab":
        await piles.shown(update, hall, name, MessageId(name))
        now_s[0] += 50 * 3600
        assert piles.offering(update, hall, reply) == reply
    await piles.shown(update, hall, "c", MessageId("c"))
    assert piles.offering(update, hall, reply) != reply


async def test_a_short_lived_answer_forgets_no_older_one(store: Store) -> None:
    anna, hall = PersonId("room:anna"), PlaceId("room:hall")
    replies = [OpenReply(hall, MessageId(name)) for name in "ab"]
    for reply, ttl_ms in zip(replies, (LONGEST_MS, 1), strict=True):
        await store.open_replies.add(anna, reply, 0, ttl_ms)
    await asyncio.sleep(0.01)
    assert replies[0] in await store.open_replies.of(anna, hall, 0)


@asynccontextmanager
async def on_the_page(service: Service, lang: str = "en") -> AsyncIterator[Window]:
    """Yield Anna's window of the page."""
    chat = await opened(WebChat(port=0), service)
    async with aiohttp.ClientSession() as session:
        yield await Page(chat, service, session).open("anna", lang)  # type: ignore[arg-type]  # a real host
    await chat.stop()


async def test_on_the_page_an_answer_replaces_the_last_one_to_the_same_button(made: Callable[[], Service]) -> None:
    """Another menu of the same post leaves it alone."""
    service = made()
    async with on_the_page(service) as anna:
        await anna.say("/newgame kaleidoskop")
        await service.idle()
        lobby = (await anna.be("anna"))["messages"][-1]
        for verb, goes in (("warm", 0), ("options", 0), ("warm", 1)):
            heard = await anna.press(lobby, payload_of(lobby, verb))
            kinds = [event["kind"] for event in heard if event["kind"] in ("put", "removed")]
            assert kinds == ["removed"] * goes + ["put"]


async def test_on_the_page_remind_me_leads_to_the_private_chat_and_keeps_the_card(made: Callable[[], Service]) -> None:
    async with on_the_page(made()) as anna:
        (card,) = messages(await anna.say("/daily"))
        heard = await anna.press(card, RemindDaily(on=True).payload)
        assert next(event["place"] for event in heard if event["kind"] == "here") == "web:@anna"
        (answer,) = messages(heard)
        assert "I'll send you each puzzle here" in answer["text"]
        assert card["id"] in [message["id"] for message in (await anna.be("anna"))["messages"]]


def payload_of(message: Event, verb: str) -> str:
    """Return the payload of the button with this verb."""
    rows = [row for row in message["rows"] if isinstance(row, list)]
    payloads = [knob["payload"] for row in rows for knob in row if "payload" in knob]
    return str(next(payload for payload in payloads if payload.startswith(f"{verb}:")))


@languages
async def test_on_the_page_the_button_of_a_note_begins_the_line(made: Callable[[], Service], lang: str) -> None:
    service = made()
    async with on_the_page(service, lang) as anna:
        await anna.say("/newgame kabooom")
        await service.idle()
        lobby = (await anna.be("anna"))["messages"][-1]
        (question,) = messages(await anna.press(lobby, payload_of(lobby, "start")))
        await anna.press(question, payload_of(question, "house"))
        await service.idle()
        view = messages(await anna.say("/view"))[-1]
        note = payload_of(view, "note")
        heard = await anna.press(view, note)
        assert {"kind": "begin", "text": "/note ", "payload": note} in heard  # the name that all texts use
        await anna.send("channel", name="attic")
        await anna.be("anna", "web:attic")  # without a game
        begun = {"en": "/note ", "de": "/notiz "}[lang]
        (written,) = messages(await anna.say(f"{begun}mind the corner", payload=note))
        assert "mind the corner" in written["text"]
        (other,) = messages(await anna.say("/help", payload=note))
        assert "mind the corner" not in other["text"]
