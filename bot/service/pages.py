"""Requests that read and change nothing: help, menus that close, and input that means nothing."""

from collections.abc import Sequence

from bot.chat import Reply, Role
from bot.replies import notes, pages
from bot.replies.words import short
from bot.requests import Close, Help, Nothing, Unknown
from bot.service.context import Context
from bot.service.feature import Feature, answers


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
        return notes.menu_closed(table, state, context.lang)

    @answers(Nothing)
    async def do_nothing(self, _: Context, __: Nothing) -> Reply:
        return Reply(role=Role.NOTHING)

    @answers(Unknown)
    async def unknown(self, context: Context, request: Unknown) -> Reply:
        if not request.text:
            return notes.note("stale", context.lang)
        return notes.note("unknown", context.lang, text=short(request.text))
