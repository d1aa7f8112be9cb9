"""Start and stop: wrong tokens, unreachable servers, command menus, and tokens that are never printed."""

import asyncio
import logging
import time

import pytest
from telegram import Bot, Update
from telegram.error import InvalidToken

import texts
from bot.adapters import on_telegram
from bot.adapters.on_telegram.chat import TelegramChat
from bot.adapters.on_telegram.webhook import Webhook
from bot.chat import (
    Post,
    TryLater,
    Unusable,
)
from bot.operation import environment
from bot.requests.commands import COMMANDS
from bot.requests.registry import Command
from bot.runtime import retry
from tests.bot.adapters.hosts import UNLIMITED
from tests.bot.adapters.on_telegram.conftest import Listener, Open
from tests.bot.conftest import within
from tests.bot.servers import free_port
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group


def test_telegram_is_wanted_when_there_is_a_token() -> None:
    without = environment.read(on_telegram.VARIABLES, {})
    assert not on_telegram.wanted(without)
    assert on_telegram.wanted(without | {"TELEGRAM_TOKEN": "123456:abcdefghijklmnopqrstuvwxyz"})


def test_settings_that_cannot_be_right_are_named_without_showing_the_token() -> None:
    wrong = {"TELEGRAM_TOKEN": "secret words", "TELEGRAM_API_URL": "ftp://x", "TELEGRAM_WEBHOOK_LISTEN": "everywhere"}
    with pytest.raises(environment.Wrong) as refused:
        environment.read(on_telegram.VARIABLES, wrong)
    assert len(refused.value.sentences) == 3
    assert "secret words" not in str(refused.value)


async def test_a_chat_opens_from_its_settings(telegram: Telegram, hall: Group, host: Listener) -> None:
    given = {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url + "/"}
    chat = on_telegram.open(environment.read(on_telegram.VARIABLES, given))
    assert await chat.start(host, host.storage) == "https://t.me/kaleido_bot"
    await hall.members[0].types("/help", hall)
    await telegram.handled()
    await chat.stop()
    assert (chat.name, host.said) == ("telegram", ["/help"])


async def test_a_token_that_was_refused_for_a_moment_is_tried_again(
    telegram: Telegram, hall: Group, host: Listener
) -> None:
    token, telegram.token = telegram.token, "654321:another"
    chat = TelegramChat(token, COMMANDS, telegram.url, pace=UNLIMITED)
    assert await chat.start(host, host.storage) == (
        f"{telegram.url} does not know TELEGRAM_TOKEN. Trying again for ten minutes."
    )
    telegram.token = token
    await hall.members[0].types("/help", hall)
    await telegram.handled()
    telegram.token = "654321:another"  # while it polls
    await hall.members[0].types("/move", hall)
    await telegram.until(lambda: not chat.reception.is_ready)
    await asyncio.sleep(4)  # four refusals
    telegram.token = token
    await telegram.until(lambda: chat.reception.is_ready)
    await telegram.handled()
    await chat.stop()
    assert host.said == ["/help", "/move"]


async def test_a_foreign_page_instead_of_an_answer_is_no_refusal_of_the_token(
    telegram: Telegram, hall: Group, host: Listener, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "GIVE_UP_S", 0.0)
    telegram.fails("getMe", status=404)
    telegram.fails("getUpdates", status=401, times=2)
    await opened()
    await hall.members[0].types("/help", hall)
    await telegram.handled()
    assert host.said == ["/help"]


def test_refusals_are_believed_after_ten_minutes_without_another_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    times_s = iter((1000.0, 1001.0, 1599.0, 1600.0, 1601.0))
    monkeypatch.setattr(time, "monotonic", lambda: next(times_s))
    refusals = retry.Refusals()
    assert [refusals.again() for _ in range(4)] == [False, False, False, True]
    refusals.end()
    assert not refusals.again()


async def test_a_wrong_token_is_reported_in_one_line_without_the_token(
    telegram: Telegram, host: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "GIVE_UP_S", 0.0)  # else it is tried again
    token = "654321:this-is_not-the-token-of-any-bot"
    chat = TelegramChat(token, COMMANDS, telegram.url)
    with pytest.raises(Unusable) as unusable:
        await chat.start(host, host.storage)
    await chat.stop()
    assert str(unusable.value) == f"{telegram.url} does not know TELEGRAM_TOKEN."
    assert unusable.value.__cause__ is None


async def test_an_unreachable_server_is_reported_once_and_retried(
    telegram: Telegram, hall: Group, host: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    telegram.drops("getMe", times=2)
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
    assert "cannot be reached" in await chat.start(host, host.storage)
    await hall.members[0].types("/help", hall)
    await telegram.handled()
    await chat.stop()
    assert host.said == ["/help"]
    assert caplog.text.count("unreachable, retrying") == 1


async def test_a_taken_address_is_reported_in_one_line(telegram: Telegram, host: Listener) -> None:
    taken = telegram.url.removeprefix("http://")
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, "http://127.0.0.1/hook", taken)
    with pytest.raises(Unusable, match=f"TELEGRAM_WEBHOOK_LISTEN: cannot listen on {taken}"):
        await chat.start(host, host.storage)
    await chat.stop()


async def test_a_chat_that_never_started_can_be_stopped(host: Listener) -> None:
    chat = TelegramChat("123456:abcdefghijklmnopqrstuvwxyz", COMMANDS, f"http://127.0.0.1:{free_port()}")
    await chat.stop()


async def test_stopping_takes_at_most_three_seconds(
    telegram: Telegram, hall: Group, host: Listener, opened: Open
) -> None:
    chat = await opened()
    host.gates["/move b3"] = asyncio.Event()
    await hall.members[0].types("/move b3", hall)
    await telegram.until(lambda: host.said or None)
    telegram.ignores("sendMessage")
    posting = asyncio.create_task(chat.post(hall.place, Post(text="x"), "n"))
    await asyncio.sleep(0)
    telegram.ignores("getUpdates", times=5)
    async with within(3):
        await chat.stop()
    posting.cancel()
    await asyncio.gather(posting, return_exceptions=True)


# Menus of commands


async def test_telegram_gets_a_menu_per_kind_of_chat_and_language(
    telegram: Telegram, hall: Group, host: Listener, opened: Open
) -> None:
    await opened(commands=COMMANDS)
    await telegram.until(lambda: len(telegram.menus) == 2 * len(texts.languages()) or None)
    german = telegram.menus["all_group_chats", "de"]
    assert [entry["command"] for entry in german] == [command.name for command in COMMANDS]
    assert german[0]["description"] == texts.say("table", "command.newgame.about", "de")
    assert telegram.menus["all_private_chats", ""] == telegram.menus["all_group_chats", ""]


@pytest.mark.parametrize(("knows", "again"), [(True, 0), (False, 1)])
async def test_menus_are_sent_only_when_they_changed(
    telegram: Telegram, host: Listener, knows: bool, again: int
) -> None:
    """An older server is asked at every start whether it keeps the marks by now, by one menu."""
    telegram.knows_ephemeral = telegram.keeps_flags = knows

    async def sent(commands: tuple[Command, ...]) -> int:
        """How many menus a bot with *commands* sends."""
        telegram.calls.clear()
        chat = TelegramChat(telegram.token, commands, telegram.url)
        await chat.start(host, host.storage)
        await telegram.until(lambda: telegram.asked("deleteWebhook") or None)  # comes after the menus
        await chat.stop()
        return len(telegram.asked("setMyCommands"))

    assert [await sent(COMMANDS), await sent(COMMANDS), await sent(COMMANDS[:3])] == [4, again, 4]


async def test_command_menus_that_cannot_be_sent_block_no_game(
    telegram: Telegram, hall: Group, host: Listener, opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    telegram.fails("setMyCommands")
    await opened()
    await hall.members[0].types("/help", hall)
    await telegram.handled()
    assert host.said == ["/help"]
    assert "menus of commands" in caplog.text
    await telegram.until(lambda: len(telegram.menus) == 2 * len(texts.languages()) or None, "they are sent later")


# --- The bot's description


async def test_the_bots_description_is_sent_in_each_language_if_it_changed(telegram: Telegram, host: Listener) -> None:
    async def sent() -> int:
        telegram.calls.clear()
        chat = TelegramChat(telegram.token, COMMANDS, telegram.url)
        await chat.start(host, host.storage)
        await telegram.until(lambda: telegram.asked("deleteWebhook") or None)  # comes after it
        await chat.stop()
        return len(telegram.asked("setMyDescription")) + len(telegram.asked("setMyShortDescription"))

    assert [await sent(), await sent()] == [2 * len(texts.languages()), 0]
    assert telegram.about["description", "de"] == texts.say("telegram", "about", "de")
    assert telegram.about["short_description", ""] == texts.say("telegram", "about.short", "en")
    telegram.about["description", "de"] = "Something else"
    assert await sent() == 1


# The token


async def test_the_token_is_in_no_log_even_when_everything_is_logged(
    telegram: Telegram, hall: Group, host: Listener, opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    host.replies["/move b3"] = ZeroDivisionError()
    chat = await opened()
    telegram.fails("getUpdates")
    telegram.fails("sendMessage", status=401)
    with pytest.raises(TryLater):
        await chat.post(hall.place, Post(text="x"), "n1")
    await hall.members[0].types("/move b3", hall)
    await telegram.handled()
    await chat.stop()
    assert "ZeroDivisionError" in caplog.text
    assert telegram.token.partition(":")[2] not in caplog.text


async def test_behind_a_webhook_a_token_that_was_taken_back_is_found_out(
    telegram: Telegram, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No update would ever arrive again, without any report."""
    monkeypatch.setattr(retry, "GIVE_UP_S", 1.5)
    async with Bot(telegram.token, f"{telegram.url}/bot") as bot:
        hook = Webhook(bot, "http://bot.example/hook", "127.0.0.1:0", never, every_s=0.05)
        await hook.register()
        running = asyncio.create_task(hook.run())
        telegram.fails("getWebhookInfo")
        await telegram.until(lambda: len(telegram.asked("getWebhookInfo")) >= 4)
        assert hook.in_order
        telegram.token = "654321:another"
        with pytest.raises(InvalidToken):
            await asyncio.wait_for(running, 60)
        assert not hook.in_order


async def test_behind_a_webhook_that_telegram_cannot_reach_no_person_is_heard(telegram: Telegram, hall: Group) -> None:
    async with Bot(telegram.token, f"{telegram.url}/bot") as bot:
        hook = Webhook(bot, "http://bot.invalid/hook", "127.0.0.1:0", never, every_s=0.05)
        await hook.register()
        hook.accepts = True
        running = asyncio.create_task(hook.run())
        await telegram.until(lambda: hook.receives or None)
        await hall.members[0].types("/help", hall)
        for second in range(3):
            telegram.webhook_trouble = {"last_error_date": 1_790_000_000 + second, "last_error_message": "refused"}
            await telegram.until(lambda: not hook.receives or None)
        telegram.webhook_trouble = {}
        await telegram.until(lambda: hook.receives or None)
        running.cancel()


def never(update: Update) -> asyncio.Future[None]:
    raise AssertionError(update)
