"""The topics in which people used the bot: their tables pause if the bot is removed from the group.

Telegram has no list of topics. Topics that were used before the bot's last start are unknown; their tables pause when
the next post is refused.
"""

from cachetools import LRUCache

from bot.adapters.on_telegram.addresses import Spot

CHATS = 2000
TOPICS = 200


class Topics:
    """The newest topics of the newest groups."""

    def __init__(self) -> None:
        self._known = LRUCache[int, LRUCache[int, None]](CHATS)

    def note(self, spot: Spot) -> None:
        """Remember a topic that was used.

        >>> topics = Topics()
        >>> topics.note(Spot(-100, 7)), topics.note(Spot(-100)), topics.of(-100), topics.of(-200)
        (None, None, (Spot(chat=-100, thread=7),), ())
        """
        if spot.thread is None:
            return
        topics = self._known.get(spot.chat)
        if topics is None:
            topics = self._known[spot.chat] = LRUCache(TOPICS)
        topics[spot.thread] = None

    def of(self, chat: int) -> tuple[Spot, ...]:
        """Return the known topics of *chat*."""
        return tuple(Spot(chat, thread) for thread in self._known.get(chat) or ())
