"""Requests that read and change nothing: help, menus that close, and input that means nothing."""

from collections.abc import Sequence

from bot.chat import Reply, Role
from bot.replies import notes, pages
from bot.replies.wording import nearest
from bot.replies.words import short
from bot.requests import Close, Help, Nothing, Unknown
from bot.requests.commands import COMMANDS, called
from bot.service.context import Context
from bot.service.feature import Feature, answers
from rules.notation import plain, unwrapped


class Pages:
    """Answers without a table."""

    def __init__(self, features: Sequence[Feature]) -> None:
        self._features = features

    @answers(Help)
    async def help(self, context: Context, request: Help) -> Reply:
        place = context.update.place
        return pages.help_(request.page or 0, place.id, context.lang, alone=place.private)

    @answers(Close)
    async def close(self, context: Context, _: Close) -> Reply:
        if context.about is None:
            for feature in self._features:
                await feature.closed(context.update)
            return notes.closed(context.lang)
        table, state = context.about.table, context.about.state
        return notes.menu_closed(table, state, context.about.recent, context.lang)

    @answers(Nothing)
    async def do_nothing(self, _: Context, __: Nothing) -> Reply:
        return Reply(role=Role.NOTHING)

    @answers(Unknown)
    async def unknown(self, context: Context, request: Unknown) -> Reply:
        if not request.text:
            return notes.note("stale", context.lang)
        name = unwrapped(request.text).removeprefix("/").partition(" ")[0]
        near = similar_command(name, context.lang) if unwrapped(request.text).startswith("/") else None
        if near is not None:
            return notes.note("unknown.similar", context.lang, text=short(name), near=near)
        return notes.note("unknown", context.lang, text=short(request.text))


def similar_command(name: str, lang: str) -> str | None:
    """Return the command, in the reader's language or in English, whose name is similar to *name*; None if none is.

    >>> similar_command("mvoe", "en"), similar_command("regel", "de"), similar_command("weather", "en")
    ('move', 'regeln', None)
    """
    names = [name for command in COMMANDS for name in (called(command, lang), command.name)]
    near = nearest(plain(name), names)
    return near if near in names else None
