"""A person's tables everywhere, with links to their newest boards."""

import asyncio
from collections.abc import Sequence

from msgspec.structs import replace

from bot.chat import PersonId, Reply
from bot.replies import games
from bot.replies.games import PER_PAGE, MyGame
from bot.repository.lookup import Lookup
from bot.requests import Games
from bot.runtime.clock import Clock
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.service.links import PostLinks
from bot.tables.snapshot import Snapshot


class MyGames:
    """Answers ``/games``."""

    def __init__(self, lookup: Lookup, links: PostLinks, clock: Clock, features: Sequence[Feature] = ()) -> None:
        """*features*: those with content about tables in the list."""
        self._features = features
        self._lookup = lookup
        self._links = links
        self._clock = clock

    @answers(Games)
    async def answer(self, context: Context, request: Games) -> Reply:
        """Show a page of the person's tables. Only that page asks the platforms for links."""
        person, lang, now = context.update.person.id, context.lang, self._clock.now()
        snapshots = await self._lookup.tables_of(person)
        seated = {snapshot.table.id: snapshot for snapshot in snapshots if snapshot.table.seat_of(person) is not None}
        mine = [
            MyGame(snapshot.table, None if snapshot.state is None else snapshot.state.view(None))
            for snapshot in seated.values()
        ]
        mine = games.in_order(person, mine, now)
        page = min(max(request.page, 0), max(games.pages_of(mine) - 1, 0))
        shown = slice(page * PER_PAGE, (page + 1) * PER_PAGE)
        links = await asyncio.gather(*(self._link(seated[game.table.id]) for game in mine[shown]))
        mine[shown] = [replace(game, link=link) for game, link in zip(mine[shown], links, strict=True)]
        added = await asyncio.gather(
            *(
                feature.in_games(seated[game.table.id], person, lang)
                for game in mine[shown]
                for feature in self._features
            )
        )
        lines = [line for one in added for line in one.lines]
        buttons = [button for one in added for button in one.buttons]
        return games.with_more(games.my_games(person, mine, page, now, lang), lines, buttons)

    async def onward(self, person: PersonId, others: Sequence[Snapshot], reply: Reply, lang: str) -> Reply:
        """Return *reply* to a move with the number of *others* that wait for the person, and a link to the table that
        waits longest."""
        waiting = [
            other
            for other in others
            if other.state is not None and games.waits_for(person, other.table, other.state.view(None))
        ]
        if not waiting:
            return reply
        longest = min(waiting, key=lambda snapshot: snapshot.table.waits_since_ms)
        return games.onward(reply, longest.table, len(waiting), await self._link(longest), lang)

    async def _link(self, snapshot: Snapshot) -> str | None:
        """Return a link to the newest board, or None."""
        table, posted = snapshot.table, snapshot.board_message
        if posted is None or not posted.message or posted.relocations != table.relocations:
            return None
        return await self._links.to(table.place, posted.message)
