"""PostLinks to posts."""

import asyncio
from collections.abc import Mapping

from bot.chat import Chat, MessageId, PlaceId, Undelivered, platform

PATIENCE_S = 2.0  # a platform in trouble can take half a minute, and the answer is good without a link


class PostLinks:
    """Asks the platforms."""

    def __init__(self, chats: Mapping[str, Chat], patience_s: float = PATIENCE_S) -> None:
        self._chats = chats
        self._patience_s = patience_s

    async def to(self, place: PlaceId, message: MessageId) -> str | None:
        """Return the address of a post; None if the platform has none, or does not answer in time."""
        chat = self._chats.get(platform(place))
        if chat is None:
            return None
        try:
            async with asyncio.timeout(self._patience_s):
                return await chat.link(place, message)
        except (Undelivered, TimeoutError):
            return None
