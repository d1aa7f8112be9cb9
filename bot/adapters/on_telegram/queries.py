"""Pressed buttons: Telegram shows a spinner on each until it has its one answer."""

import asyncio
import logging
import time

import telegram
from telegram.error import BadRequest, RetryAfter, TelegramError

from bot.adapters.on_telegram import phrasing
from bot.adapters.on_telegram.pacing import let_go
from bot.adapters.on_telegram.sending import seconds

log = logging.getLogger(__name__)

QUERY_S = 15.0  # how long Telegram waits for the answer


class Query:
    """A pressed button. Exactly one answer is sent."""

    def __init__(self, bot: telegram.Bot, number: str) -> None:
        self._bot = bot
        self._id = number
        self.answered = False

    async def answer(self, text: str = "", alert: bool = False, url: str | None = None) -> None:
        if self.answered:
            return
        self.answered = True
        text = phrasing.cut(text, phrasing.ALERT)
        lost, until = 0, time.monotonic() + QUERY_S
        while True:
            try:
                await self._say(text, alert, url)
                break
            except RetryAfter as pause:
                if time.monotonic() + seconds(pause.retry_after) > until:
                    log.info("press not answered: rate limit")
                    return
                await asyncio.sleep(seconds(pause.retry_after))
            except TelegramError as error:  # most often too late
                lost += 1
                if lost > 1 or isinstance(error, BadRequest):
                    log.info("press not answered: error=%s", error.message)
                    return

    async def _say(self, text: str, alert: bool, url: str | None) -> None:
        try:
            await self._bot.answer_callback_query(self._id, text or None, show_alert=alert or None, url=url)
        finally:
            let_go.get()()
