"""The administrators of groups, who may manage them. Telegram is asked only for commands that need it; cached."""

import time
from collections.abc import Callable

import telegram
from cachetools import LRUCache
from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

KEPT_S = 300.0
REMEMBERED = 2000


class Rights:
    def __init__(self, bot: telegram.Bot, now: Callable[[], float] = time.monotonic) -> None:
        self._bot = bot
        self._now = now
        self._known = LRUCache[tuple[int, int], tuple[float, bool]](REMEMBERED)

    async def may_manage(self, chat: int, user: int) -> bool:
        """Return whether *user* is an administrator of *chat*; False if Telegram does not answer."""
        until, known = self._known.get((chat, user)) or (0.0, False)
        if self._now() < until:
            return known
        try:
            member = await self._bot.get_chat_member(chat, user, read_timeout=5)
        except TelegramError:
            return False
        may = member.status in (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)
        self._known[chat, user] = (self._now() + KEPT_S, may)
        return may
