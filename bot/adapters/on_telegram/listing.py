"""What Telegram shows of the bot: the menus of commands, one per kind of chat and language, when somebody types a
slash; and who it is, per language, in an empty private chat and on its profile.

Telegram keeps all of it for the bot, so it is sent only where it differs from what is there. In groups the menus mark
what an app sends to the bot alone; a server that is older than that drops the mark.
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
    """The menu in one language. *marks*: it says what goes to the bot alone."""
    longest = int(BotCommandLimit.MAX_DESCRIPTION)
    return tuple(
        BotCommand(
            each.name,
            cut(texts.say("table", f"command.{each.name}.about", lang), longest),
            api_kwargs={MARK: True} if marks and each.alone else None,
        )
        for each in commands
    )


def marked(menu: Sequence[BotCommand]) -> bool:
    """Whether anything in *menu* goes to the bot alone."""
    return any(each.api_kwargs.get(MARK) is True for each in menu)


async def announce(bot: telegram.Bot, commands: Sequence[Command]) -> bool:
    """Bring all menus up to date; whether the server keeps the marks. Raises TelegramError."""
    keeps = any(each.alone for each in commands)
    for scope in SCOPES:
        for tag, lang in _languages():
            menu = listed(commands, lang, marks=keeps and scope is SCOPES[0])
            if not _same(await bot.get_my_commands(scope, tag), menu):
                await bot.set_my_commands(menu, scope, tag)
                if marked(menu):
                    keeps = marked(await bot.get_my_commands(scope, tag))
    return keeps


async def describe(bot: telegram.Bot) -> None:
    """Bring what is said of the bot up to date. Raises TelegramError."""
    for tag, lang in _languages():
        short, long = say("about.short", lang), say("about", lang)
        if (await bot.get_my_short_description(tag)).short_description != short:
            await bot.set_my_short_description(short, tag)
        if (await bot.get_my_description(tag)).description != long:
            await bot.set_my_description(long, tag)


def _languages() -> tuple[tuple[str | None, str], ...]:
    """Telegram's tag and ours: without one for everybody who has none of the others."""
    return ((None, texts.DEFAULT), *((lang, lang) for lang in texts.languages()[1:]))


def _same(known: Sequence[BotCommand], menu: Sequence[BotCommand]) -> bool:
    """Whether two menus are alike, the marks included: the library does not compare those."""
    return [each.to_dict() for each in known] == [each.to_dict() for each in menu]
