"""Mentions of the bot in a chat where it is no member: ``@bot kabooom``. The answer is a card of that game, or of the
bot, with links to play elsewhere; no game begins there.
"""

import logging
import re

import telegram
from cachetools import LRUCache
from msgspec import Struct
from telegram import (
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQueryResult,
    InlineQueryResultArticle,
    InlineQueryResultCachedPhoto,
    InputTextMessageContent,
)
from telegram.constants import ParseMode

import texts
from bot.adapters.on_telegram import phrasing
from bot.adapters.on_telegram.addresses import Spot
from bot.adapters.on_telegram.apart import NO_PREVIEW
from bot.adapters.on_telegram.incoming import spoken
from bot.adapters.on_telegram.links import BARE
from bot.chat import Reply
from bot.requests.commands import game_named

log = logging.getLogger(__name__)

MOST_WORDS = 8
PICTURES = 100
_OF_RULES = re.compile(r"([a-z0-9]+)-rules-[0-9]+\.png")


class Guest(Struct, frozen=True):
    """A mention. *query*: takes one answer. *words*: the text without the bot's name."""

    query: str
    spot: Spot
    words: str
    lang: str


def read(raw: telegram.Update, bot: str) -> Guest | None:
    """Return the mention in *raw*, or None. Mentions by bots are ignored, or they would answer each other."""
    message = raw.guest_message
    if message is None or not message.guest_query_id or message.from_user is None or message.from_user.is_bot:
        return None
    try:
        words = [word for word in (message.text or "").split()[:MOST_WORDS] if word.lower() != f"@{bot.lower()}"]
        return Guest(message.guest_query_id, Spot(message.chat.id), " ".join(words), spoken(message.from_user) or "")
    except (AttributeError, TypeError, ValueError) as error:
        log.warning("update not understood: id=%s error=%s", raw.update_id, type(error).__name__)
        return None


class Cards:
    """The cards of the games. Their pictures are from the rules, so they show no game and no name of a player."""

    def __init__(self) -> None:
        self._pictures = LRUCache[str, str](PICTURES)  # Telegram's ids of files, by game

    def note(self, name: str, message: telegram.Message) -> None:
        """Remember a sent picture if it is from the rules."""
        match = _OF_RULES.fullmatch(name)
        if match and message.photo:
            self._pictures[match[1]] = message.photo[-1].file_id

    def card(self, guest: Guest, bot: str) -> InlineQueryResult:
        """Return a card: two sentences, the links, and a picture if one was sent before."""
        lang = guest.lang
        game = next((named for word in guest.words.split() if (named := game_named(word)) is not None), None)
        if game is None:
            said, picture = Reply(title=bot, text=phrasing.say("about.short", lang)), None
        else:
            title, *parts = (texts.say(game, key, lang) for key in ("name", "tagline", "players"))
            said, picture = Reply(title=title, text="\n".join(parts)), self._pictures.get(game)
        ways = {"about.add": f"https://t.me/{bot}?startgroup={BARE}", "answer.open": f"https://t.me/{bot}?start={BARE}"}
        buttons = [InlineKeyboardButton(phrasing.say(key, lang), url=url) for key, url in ways.items()]
        keyboard, html = InlineKeyboardMarkup.from_column(buttons), phrasing.html(said, phrasing.CAPTION)
        if picture is not None:
            return InlineQueryResultCachedPhoto(
                "card", picture, caption=html, parse_mode=ParseMode.HTML, reply_markup=keyboard
            )
        content = InputTextMessageContent(html, ParseMode.HTML, link_preview_options=NO_PREVIEW)
        return InlineQueryResultArticle("card", said.title, content, reply_markup=keyboard)
