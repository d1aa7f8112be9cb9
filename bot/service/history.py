"""Lookups: the history of a game, and the rules."""

import asyncio
from collections.abc import Sequence

from bot.chat import Reply, Update
from bot.delivery.painting import Pictures
from bot.replies import boards, history, pages, words
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.repository.turn_rights import who_acts
from bot.requests import History, Rules, Share
from bot.service.context import Context
from bot.service.feature import answers
from bot.tables import logbook, origins
from bot.tables import table as tables
from bot.tables.preferences import THEME, chosen
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Entry, Phase, Table
from renderers import Look, Theme
from rules import GAMES


class HistoryAnswers:
    """Answers lookups. *theme*: of pictures if neither the table nor the reader chose one."""

    def __init__(
        self,
        repository: Repository,
        preferences: Preferences,
        painter: Pictures,
        theme: Theme,
    ) -> None:
        self._repository = repository
        self._preferences = preferences
        self._painter = painter
        self._theme = theme

    async def look(self, update: Update, table: Table, side: int | None, lang: str) -> Look:
        """Return the reader's look of the pictures of *table*."""
        own = chosen(THEME, await self._preferences.person(update.person.id))
        theme = table.theme or self._theme if own == "auto" else own
        return words.look(table, side, Theme(theme), lang)

    @answers(History)
    async def history(self, context: Context, request: History) -> Reply:
        """Show a page of the moves so far. Denied: not_running, forgets."""
        snapshot, page, lang = context.snapshot, request.page, context.lang
        log = await self.visible_log(context.update, snapshot)
        states = logbook.positions(snapshot.table, log)
        return history.history(snapshot.table, logbook.recounted(snapshot.table, log, states), states, page, lang)

    async def visible_log(self, update: Update, snapshot: Snapshot) -> Sequence[Entry]:
        """Return the actions that the reader may look up. Denied: not_running, forgets."""
        if snapshot.state is None:
            raise Denied("not_running")
        log = logbook.effective(await self._repository.log(snapshot.table))
        if logbook.is_begun(snapshot.table, log) and who_acts(snapshot, update.person.id) is None:
            log = logbook.seen_by_all(snapshot.table, log)
        if tables.forgets(snapshot.table, snapshot.state):  # finished rounds may be looked up
            log = log[: logbook.remembering(logbook.positions(snapshot.table, log))]
            if not log:
                raise Denied("forgets")
        return log

    async def has_starts(self, table: Table) -> bool:
        """Return whether others can play on from a position of *table*, which is over."""
        log = logbook.effective(await self._repository.log(table))
        return bool(origins.starts(await asyncio.to_thread(logbook.positions, table, log)))

    @answers(Share)
    async def share(self, context: Context, _: Share) -> Reply:
        """Show the card of a finished game, with the result as a text to be pasted. Denied: not_over."""
        table, state = context.snapshot.table, context.snapshot.state
        if table.phase != Phase.OVER or state is None:
            raise Denied("not_over")
        card = await self._painter.card(state, await self.look(context.update, table, None, context.lang))
        return boards.shared(table, state.view(None), context.snapshot.recent, card, context.lang)

    @answers(Rules)
    async def rules(self, context: Context, request: Rules) -> Reply:
        """Show a page of a game's rules, or list the games."""
        game, lang = request.game, context.lang
        if game is None:
            on = await self._repository.on(context.update.place.id)
            if on is None:
                return pages.rules_of(lang)
            game = on.table.game
        if game not in GAMES:
            return pages.games(lang, "denied.no_such_game")
        page = min(max(request.page, 0), pages.rules_pages(game) - 1)
        picture = await self._painter.diagram(game, page + 1, Look(seats=(), theme=self._theme, lang=lang))
        return pages.rules(game, page, picture, lang)
