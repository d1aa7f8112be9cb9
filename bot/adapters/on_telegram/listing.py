"""The menus of commands, per kind of chat and language, and the descriptions of the bot, per language.

Telegram stores all of them, so only differences are sent. In groups the menus mark commands that an app sends to the
bot alone (ephemeral ones); an older server drops the mark.
"""

import logging
from collections.abc import Sequence

import telegram
from telegram import BotCommand, BotCommandScope, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats
from telegram.constants import BotCommandLimit

import texts
from bot.adapters.on_telegram.phrasing import cut, say
from bot.requests.commands import Command

log = logging.getLogger(__name__)

SCOPES: tuple[BotCommandScope, ...] = (BotCommandScopeAllGroupChats(), BotCommandScopeAllPrivateChats())


MARK = "is_ephemeral"


def listed(commands: Sequence[Command], lang: str, marks: bool = False) -> tuple[BotCommand, ...]:
    """Return the menu in one language. *marks*: mark the commands that go to the bot alone."""
    longest = int(BotCommandLimit.MAX_DESCRIPTION)
    return tuple(
        BotCommand(
            command.name,
            cut(texts.say("table", f"command.{command.name}.about", lang), longest),
            api_kwargs={MARK: True} if marks and command.unseen else None,
        )
        for command in commands
    )


def marked(menu: Sequence[BotCommand]) -> bool:
    """Return whether a command in *menu* is marked."""
    return any(command.api_kwargs.get(MARK) is True for command in menu)


async def announce(bot: telegram.Bot, commands: Sequence[Command]) -> bool:
    """Update all menus. Return whether the server keeps the marks. Raises TelegramError."""
    keeps = any(command.unseen for command in commands)
    for scope in SCOPES:
        for tag, lang in _languages():
            menu = listed(commands, lang, marks=keeps and scope is SCOPES[0])
            if not _same(await bot.get_my_commands(scope, tag), menu):
                await bot.set_my_commands(menu, scope, tag)
                if marked(menu):
                    keeps = marked(await bot.get_my_commands(scope, tag))
    return keeps


async def describe(bot: telegram.Bot) -> None:
    """Update the descriptions of the bot. Raises TelegramError."""
    for tag, lang in _languages():
        short, long = say("about.short", lang), say("about", lang)
        if (await bot.get_my_short_description(tag)).short_description != short:
            await bot.set_my_short_description(short, tag)
        if (await bot.get_my_description(tag)).description != long:
            await bot.set_my_description(long, tag)


def _languages() -> tuple[tuple[str | None, str], ...]:
    """Return Telegram's tag and ours for every language; None is Telegram's default."""
    return ((None, texts.DEFAULT), *((lang, lang) for lang in texts.languages()[1:]))


def _same(known: Sequence[BotCommand], menu: Sequence[BotCommand]) -> bool:
    """Return whether two menus are equal, marks included; the library does not compare those."""
    return [command.to_dict() for command in known] == [command.to_dict() for command in menu]
