"""Completions of arguments while a person types a command."""

import asyncio

from bot.chat import SlashCommand, Suggestion, Update
from bot.replies import wishes
from bot.replies.completion import completions
from bot.repository.lookup import Lookup
from bot.repository.preferences import Preferences
from bot.repository.turn_rights import who_acts
from bot.requests import Move, NewGame, registry
from bot.requests.arguments import LONGEST_TEXT, game_of


class Completing:
    """Completes moves and the options of a new game."""

    def __init__(self, lookup: Lookup, preferences: Preferences) -> None:
        self._lookup = lookup
        self._preferences = preferences

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        """See `bot.chat.Core.complete`. Raises Denied, StoreDown, NewerDocument."""
        if not isinstance(update.body, SlashCommand):
            return ()
        declaration = registry.BY_COMMAND.get(update.body.command)
        kind = None if declaration is None else declaration.kind
        typed = update.body.arguments.get(argument, "")[:LONGEST_TEXT]
        if kind is NewGame:
            game = game_of(update.body.arguments)
            lang = await self._preferences.lang(update)
            return () if game is None else await asyncio.to_thread(wishes.completions, game, typed, lang)
        if kind is not Move:
            return ()
        snapshot = await self._lookup.meant(update, None)
        acting = who_acts(snapshot, update.person.id)
        if acting is None:
            return ()
        view, lang = acting.state.view(acting.seat), await self._preferences.lang(update)
        # On the largest boards hundreds of actions are read in every language: too long for the event loop.
        return await asyncio.to_thread(completions, snapshot.table, view, typed, lang)
