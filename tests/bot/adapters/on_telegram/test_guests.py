"""The bot mentioned in a chat without it: a card, without any facts about a game."""

import pytest
from msgspec.structs import replace

import texts
from bot.adapters.on_telegram.chat import TelegramChat
from bot.chat import Post, Reply
from rules import GAMES
from tests.bot.adapters.on_telegram.conftest import PICTURE, Listener
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group
from tests.emulators.telegram.world import Key, Person


@pytest.fixture
def eve(telegram: Telegram) -> Person:
    return telegram.person("Eve", lang="de")


@pytest.mark.parametrize("game", GAMES)
async def test_an_inline_query_for_a_game_gets_two_sentences(
    chat: TelegramChat, host: Listener, eve: Person, game: str
) -> None:
    card = await eve.names(f"@kaleido_bot {game}")
    said = [texts.say(game, text, "de") for text in ("name", "tagline", "players")]
    assert (card["type"], card["text"]) == ("article", "\n".join(said))
    assert host.updates == []


async def test_its_buttons_add_the_bot_to_a_group_and_open_the_private_chat(chat: TelegramChat, eve: Person) -> None:
    keys = (await eve.names("@Kaleido_Bot kabooom please"))["keys"]
    assert isinstance(keys, list)
    assert all(isinstance(key, Key) for key in keys)
    assert [key.url for key in keys] == [
        "https://t.me/kaleido_bot?startgroup=0",
        "https://t.me/kaleido_bot?start=0",
    ]


@pytest.mark.parametrize(
    "text", ["@kaleido_bot", "@kaleido_bot what is this", "@kaleido_bot " + "x" * 4000, "🎲" * 900]
)
async def test_any_other_inline_query_introduces_the_bot(chat: TelegramChat, eve: Person, text: str) -> None:
    assert texts.say("telegram", "about.short", "de") in str((await eve.names(text))["text"])


async def test_the_card_reuses_a_rules_picture_and_never_a_board(
    chat: TelegramChat, hall: Group, host: Listener, eve: Person
) -> None:
    for name in ("board.png", "lobby.png"):
        await chat.post(hall.place, Post(title="Kabooom!", picture=replace(PICTURE, name=name)), name)
    assert (await eve.names("@kaleido_bot kabooom"))["type"] == "article"
    anna = hall.members[0]
    anna.private().closed = False
    host.replies["/rules"] = Reply(title="Kabooom!", picture=replace(PICTURE, name="kabooom-rules-1.png"))
    await anna.types("/rules")
    await anna.private().shows("Kabooom!")
    assert (await eve.names("@kaleido_bot kabooom"))["type"] == "photo"
    assert (await eve.names("@kaleido_bot crystalla"))["type"] == "article"


async def test_another_bot_is_not_answered(telegram: Telegram, chat: TelegramChat, eve: Person) -> None:
    await eve.names("@kaleido_bot kabooom", by_bot=True)
    await eve.names("@kaleido_bot kabooom")
    assert len(telegram.asked("answerGuestQuery")) == 1


async def test_a_query_that_is_too_old_is_no_trouble(telegram: Telegram, chat: TelegramChat, eve: Person) -> None:
    telegram.guests["1"] = {"text": "answered"}
    elsewhere = {"id": -1_009_999_999_999, "type": "supergroup", "title": "Elsewhere"}
    said = {"message_id": 7, "date": 1_790_000_000, "chat": elsewhere, "from": eve.json(), "text": "x"}
    telegram.arrives({"guest_message": said | {"guest_query_id": "1"}})
    await telegram.until(lambda: telegram.asked("answerGuestQuery") or None)
    assert (await eve.names("@kaleido_bot kabooom"))["text"]
