"""The emulated Telegram refuses what Telegram refuses: otherwise the tests that play through it prove nothing."""

import json

import aiohttp
import pytest

from tests.emulators.telegram.server import Telegram

HERE = "-1001000000001"
TICK = {"text": "x", "callback_data": "x"}


async def ask(telegram: Telegram, method: str, **params: object) -> str:
    """Return the fault of a request, or ""."""
    url = f"{telegram.url}/bot{telegram.token}/{method}"
    async with aiohttp.ClientSession() as session, session.post(url, json=params) as answer:
        body = await answer.json()
    return "" if body["ok"] else str(body["description"])


def keyboard(*rows: list[dict[str, str]]) -> str:
    return json.dumps({"inline_keyboard": rows})


@pytest.mark.parametrize(
    ("params", "wrong"),
    [
        ({"text": "x" * 4097}, "message is too long"),
        ({"text": "🎲" * 2049}, "message is too long"),
        ({"text": ""}, "message text is empty"),
        ({"text": "a < b", "parse_mode": "HTML"}, "can't parse entities"),
        ({"text": "<b>x</i>", "parse_mode": "HTML"}, "can't parse entities"),
        ({"text": "<b>x", "parse_mode": "HTML"}, "can't parse entities"),
        ({"text": "<font>x</font>", "parse_mode": "HTML"}, "can't parse entities"),
        ({"text": "x", "parse_mode": "Markdown"}, "unsupported parse_mode"),
        ({"text": "x", "colour": "red"}, "unknown ['colour']"),
        ({"text": "x", "reply_markup": keyboard([TICK | {"callback_data": "x" * 65}])}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard([TICK | {"callback_data": "ü" * 33}])}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard([TICK | {"callback_data": ""}])}, "BUTTON_DATA_INVALID"),
        ({"text": "x", "reply_markup": keyboard([TICK | {"text": " "}])}, "unallowed without text"),
        ({"text": "x", "reply_markup": keyboard([TICK] * 9)}, "too large"),
        ({"text": "x", "reply_markup": keyboard(*[[TICK] * 8] * 13)}, "too large"),
        ({"text": "x", "reply_markup": keyboard([TICK | {"style": "loud"}])}, "invalid button style"),
    ],
)
async def test_a_message_against_the_limits_is_refused_and_noted(params: dict[str, str], wrong: str) -> None:
    async with Telegram() as telegram:
        telegram.chat(int(HERE), "supergroup", "Hall")
        assert wrong in await ask(telegram, "sendMessage", chat_id=HERE, **params)
        assert len(telegram.violations) == 1


@pytest.mark.parametrize("text", ["x" * 4096, "🎲" * 2048, "<b>" + "x" * 4096 + "</b>", "&amp;" * 4096])
async def test_a_message_within_the_limits_is_taken(text: str) -> None:
    async with Telegram() as telegram:
        telegram.chat(int(HERE), "supergroup", "Hall")
        assert await ask(telegram, "sendMessage", chat_id=HERE, text=text, parse_mode="HTML") == ""
        assert telegram.violations == []


@pytest.mark.parametrize(
    ("method", "params", "wrong"),
    [
        ("answerCallbackQuery", {"text": "x" * 201}, "MESSAGE_TOO_LONG"),
        ("answerCallbackQuery", {"url": "https://example.org"}, "URL_INVALID"),
        ("answerCallbackQuery", {"url": "https://t.me/kaleido_bot?start=" + "x" * 65}, "URL_INVALID"),
        ("sendPhoto", {"chat_id": HERE, "photo": "nothing"}, "wrong file identifier"),
        ("setMyCommands", {"commands": '[{"command": "Move", "description": "x"}]'}, "BOT_COMMAND_INVALID"),
        ("setMyCommands", {"commands": '[{"command": "move", "description": ""}]'}, "DESCRIPTION_INVALID"),
        ("setWebhook", {"url": "https://example.org", "secret_token": "not allowed"}, "illegal characters"),
        ("makeCoffee", {}, "Not Found"),
    ],
)
async def test_other_requests_against_the_limits_are_refused_and_noted(
    method: str, params: dict[str, str], wrong: str
) -> None:
    async with Telegram() as telegram:
        hall = telegram.group("Hall", anna := telegram.person("Anna"))
        telegram.chats[int(HERE)] = hall
        await ask(telegram, "sendMessage", chat_id=HERE, text="x", reply_markup=keyboard([TICK]))
        tap = anna.taps_on("x", hall)
        given = {"callback_query_id": tap.query} | params if method == "answerCallbackQuery" else params
        assert wrong in await ask(telegram, method, **given)
        assert len(telegram.violations) == 1


async def test_names_ping_only_where_telegram_would() -> None:
    async with Telegram() as telegram:
        anna, ben = telegram.person("Anna", username="anna_b"), telegram.person("Ben", username="ben_the_tall")
        hall = telegram.group("Hall", anna, ben)
        text = f'@anna_b, <a href="tg://user?id={ben.id}">@anna_b</a> x@anna_b @\u2060anna_b'
        await ask(telegram, "sendMessage", chat_id=str(hall.id), text=text, parse_mode="HTML")
        assert [(entity.type, entity.username or entity.user) for entity in hall.newest().entities] == [
            ("text_mention", ben.id),
            ("mention", "anna_b"),
        ]
        assert [len(person.pings()) for person in (anna, ben)] == [1, 1]


async def test_privacy_mode_shows_commands_and_answers_to_the_bot_only() -> None:
    async with Telegram() as telegram:
        hall = telegram.group("Hall", anna := telegram.person("Anna"))
        await ask(telegram, "sendMessage", chat_id=str(hall.id), text="x")
        for text in ("hello", "/move@other_bot b3", "/move b3", "/move@kaleido_bot b3"):
            await anna.types(text, hall)
        await anna.types("an answer", hall, quoting=hall.newest())
        url = f"{telegram.url}/bot{telegram.token}/getUpdates"
        async with aiohttp.ClientSession() as session, session.get(url) as answer:
            updates = (await answer.json())["result"]
        assert [update["message"]["text"] for update in updates] == ["/move b3", "/move@kaleido_bot b3", "an answer"]
