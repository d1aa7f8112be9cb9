"""The menus of commands that Telegram shows when somebody types a slash: one per kind of chat and language.

Telegram keeps them for the bot, so they are sent only where they differ from what it has.
"""

import logging
from collections.abc import Sequence

import telegram
from telegram import BotCommand, BotCommandScope, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats
from telegram.constants import BotCommandLimit

import texts
from bot.adapters.on_telegram.phrasing import cut
from bot.requests.commands import Command

log = logging.getLogger(__name__)

SCOPES: tuple[BotCommandScope, ...] = (BotCommandScopeAllGroupChats(), BotCommandScopeAllPrivateChats())


def listed(commands: Sequence[Command], lang: str) -> tuple[BotCommand, ...]:
    """The menu in one language."""
    longest = int(BotCommandLimit.MAX_DESCRIPTION)
    return tuple(
        BotCommand(each.name, cut(texts.say("table", f"command.{each.name}.about", lang), longest)) for each in commands
    )


async def announce(bot: telegram.Bot, commands: Sequence[Command]) -> int:
    """Bring all menus up to date; returns how many were changed. Raises TelegramError."""
    changed = 0
    for scope in SCOPES:
        for tag, lang in ((None, texts.DEFAULT), *((lang, lang) for lang in texts.languages()[1:])):
            menu = listed(commands, lang)
            if await bot.get_my_commands(scope, tag) != menu:
                await bot.set_my_commands(menu, scope, tag)
                changed += 1
    return changed
