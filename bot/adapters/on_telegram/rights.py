"""What people are in groups: administrators may manage them, and some have left.

Telegram is asked only for commands that need it, and for silent players. The answers are cached."""

import time
from collections.abc import Callable

import telegram
from cachetools import LRUCache
from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from bot.chat import Membership

KEPT_S = 300.0
REMEMBERED = 2000


class Rights:
    def __init__(self, bot: telegram.Bot, now: Callable[[], float] = time.monotonic) -> None:
        self._bot = bot
        self._now = now
        self._known = LRUCache[tuple[int, int], tuple[float, Membership]](REMEMBERED)

    async def membership(self, chat: int, user: int) -> Membership:
        """Return what *user* is in *chat*; UNKNOWN if Telegram does not answer."""
        until, known = self._known.get((chat, user)) or (0.0, Membership.UNKNOWN)
        if self._now() < until:
            return known
        try:
            member = await self._bot.get_chat_member(chat, user, read_timeout=5)
        except TelegramError:
            return Membership.UNKNOWN
        membership = _membership(member)
        self._known[chat, user] = (self._now() + KEPT_S, membership)
        return membership

    async def may_manage(self, chat: int, user: int) -> bool:
        return await self.membership(chat, user) is Membership.MANAGER


def _membership(member: telegram.ChatMember) -> Membership:
    if member.status in (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER):
        return Membership.MANAGER
    return Membership.MEMBER if is_inside(member) else Membership.GONE


def is_inside(member: telegram.ChatMember) -> bool:
    """Return whether the person is in the group."""
    if isinstance(member, telegram.ChatMemberRestricted):
        return member.is_member
    return member.status not in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
