"""The topics in which people used the bot: their tables pause if the bot is removed from the group.

Telegram has no list of topics. Topics that were used before the bot's last start are unknown; their tables pause when
the next post is refused.
"""

import logging

import msgspec
import telegram
from cachetools import LRUCache

from bot.adapters.on_telegram.addresses import Spot
from bot.chat import Storage, StorageDown

log = logging.getLogger(__name__)

CHATS = 2000
TOPICS = 200
KEPT_S = 30 * 24 * 3600
"""TTL of a thread of comments in the store, since its newest message to the bot."""


class Comments:
    """The threads of comments on posts of a channel, in its group. Replies in other groups have thread numbers, too,
    but are no places.

    A comment replies to the channel's post, which tells both apart. An answer to a comment names only the thread's
    number: it belongs to a thread of which a comment was seen, by this process or, before its start, by another one.
    """

    def __init__(self) -> None:
        self._known = LRUCache[tuple[int, int], None](CHATS)

    def thread(self, message: telegram.Message) -> int | None:
        """Return the thread of comments in which *message* is, or None."""
        chat, thread, to = message.chat.id, message.message_thread_id, message.reply_to_message
        if thread is None or message.is_topic_message:
            return None
        if to is not None and to.is_automatic_forward and to.message_id == thread:
            self._known[chat, thread] = None
        return thread if (chat, thread) in self._known else None

    async def keep(self, spot: Spot, storage: Storage) -> None:
        """Keep *spot* in the store if it is a thread of comments."""
        thread = (spot.chat, spot.thread or 0)
        if thread not in self._known:
            return
        try:
            await storage.put(f"comments/{thread}", msgspec.json.encode(thread), ttl_s=KEPT_S, claimable_in_s=0)
        except StorageDown as down:
            log.warning("thread of comments not stored: chat=%d thread=%d error=%s", *thread, down)

    async def recall(self, storage: Storage) -> None:
        """Learn the threads that the store knows."""
        try:
            threads = await storage.claim(lease_s=0, limit=CHATS)
        except StorageDown as down:
            log.warning("threads of comments not read: error=%s", down)
            return
        for thread in threads:
            self._known[msgspec.json.decode(thread, type=tuple[int, int])] = None


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
