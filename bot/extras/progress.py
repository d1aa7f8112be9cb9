"""A post that shows the progress of slow work, and becomes its result.

request ── done soon ─────────────────────────────────────▶ posted
  │
  └── takes a while: a post shows the progress ─ edited ─▶ posted
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from bot.chat import Chat, Gone, MessageId, PlaceId, Post, TryLater
from bot.runtime.clock import Clock
from bot.runtime.retry import AWAITED_POSTS, insist

SOON_S = 2.0
EVERY_S = 3.0  # platforms limit edits


class UnderWay(Protocol):
    """Work under way."""

    task: asyncio.Task[Any]

    @property
    def percent(self) -> int:
        """The progress in per cent, at most 99."""
        ...


async def wait(
    chat: Chat, clock: Clock, place: PlaceId, nonce: str, making: UnderWay, progress_post: Callable[[int], Post]
) -> MessageId | None:
    """Wait until the work is done. If that takes a while, a post shows its progress; return that post.

    If edits count as posts in this place, the bot is shown typing instead. Raises Undelivered.
    """
    message, percent, pause_s = None, -1, SOON_S
    while not making.task.done():
        tick = asyncio.create_task(clock.sleep(pause_s))
        try:
            await asyncio.wait((making.task, tick), return_when=asyncio.FIRST_COMPLETED)
        finally:
            tick.cancel()
        pause_s = EVERY_S
        if making.task.done():
            break
        try:
            if chat.capabilities(place).counts_edits:
                await chat.show_typing(place)
            elif making.percent != percent:
                percent = making.percent
                message = await _show_progress(chat, place, nonce, message, progress_post(percent))
        except TryLater as later:
            pause_s = min(later.after_s or EVERY_S, AWAITED_POSTS.longest_s)
    return message


async def _show_progress(chat: Chat, place: PlaceId, nonce: str, message: MessageId | None, post: Post) -> MessageId:
    """Post the progress, or edit it into *message*."""
    if message is None:
        return await chat.post(place, post, nonce)
    await chat.edit(place, message, post)
    return message


async def show(
    chat: Chat, clock: Clock, place: PlaceId, nonce: str, message: MessageId | None, post: Post
) -> MessageId:
    """Edit *post* into the progress post. If the platform cannot, post anew. Return the message. Raises Undelivered."""
    if message is not None:
        try:
            await insist(lambda: chat.edit(place, message, post), clock)
        except Gone:
            pass
        else:
            return message
    return await insist(lambda: chat.post(place, post, f"{nonce}f"), clock)
