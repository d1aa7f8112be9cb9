"""The topics in which the bot was spoken to: when it has to leave the group, they go with it.

Telegram has no list of topics. Those that were used before the bot's last start are not known; what is on there
waits when the next post is refused.
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
        """Somebody speaks to the bot there.

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
        """The topics of *chat* that are known."""
        return tuple(Spot(chat, thread) for thread in self._known.get(chat) or ())
