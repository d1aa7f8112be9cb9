"""Somebody's tables everywhere, with links to their newest boards."""

import asyncio
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from bot.chat import Chat, PersonId, Reply, Undelivered, platform
from bot.replies import games
from bot.replies.games import PER_PAGE, Mine
from bot.repository.lookup import Lookup
from bot.requests import Games
from bot.runtime.clock import Clock
from bot.service.context import Context
from bot.service.feature import answers
from bot.tables.snapshot import Snapshot

PATIENCE_S = 2.0  # for a link: a platform in trouble can take half a minute, and the answer is good without it


class MyGames:
    """Answers ``/games``."""

    def __init__(self, lookup: Lookup, chats: Mapping[str, Chat], clock: Clock, patience_s: float = PATIENCE_S) -> None:
        self._lookup = lookup
        self._chats = chats
        self._clock = clock
        self._patience_s = patience_s

    @answers(Games)
    async def answer(self, context: Context, request: Games) -> Reply:
        """A page of the person's tables. The platforms are asked for that page's links alone."""
        person, page, lang, now = context.update.person.id, request.page, context.lang, self._clock.now()
        seen = await self._lookup.tables_of(person)
        sits = [each for each in seen if each.table.seat_of(person) is not None]
        found = {each.table.id: each for each in sits}
        mine = [Mine(each.table, None if each.state is None else each.state.view(None)) for each in sits]
        mine = games.in_order(person, mine, now)
        page = min(max(page, 0), max(games.pages_of(mine) - 1, 0))
        shown = slice(page * PER_PAGE, (page + 1) * PER_PAGE)
        links = await asyncio.gather(*(self._link(found[each.table.id]) for each in mine[shown]))
        mine[shown] = [replace(each, link=link) for each, link in zip(mine[shown], links, strict=True)]
        return games.my_games(person, mine, page, now, lang)

    async def onward(self, person: PersonId, seen: Sequence[Snapshot], reply: Reply, lang: str) -> Reply:
        """*reply* to somebody who has just moved, and what of their other tables, *seen*, waits for them: how many, and
        the way to the one that waits longest."""
        waiting = [
            each
            for each in seen
            if each.state is not None and games.waits_for(person, each.table, each.state.view(None))
        ]
        if not waiting:
            return reply
        longest = min(waiting, key=lambda each: each.table.waits_since_ms)
        return games.onward(reply, longest.table, len(waiting), await self._link(longest), lang)

    async def _link(self, seen: Snapshot) -> str | None:
        """Where the newest board is; None where nothing leads there."""
        table, posted = seen.table, seen.board_message
        chat = self._chats.get(platform(table.place))
        if chat is None or posted is None or not posted.message or posted.moves != table.moves:
            return None
        try:
            async with asyncio.timeout(self._patience_s):
                return await chat.link(table.place, posted.message)
        except (Undelivered, TimeoutError):
            return None
