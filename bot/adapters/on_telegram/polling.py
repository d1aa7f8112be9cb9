"""Long polling for updates.

This loop replaces the library's for one reason: the library confirms an update before it is handled, so a process that
dies in between loses a move. Here an update is confirmed after it was handled. Telegram sends the unhandled updates of
a dead process again, and the store knows those that were applied.

    get 7, 8, 9 ── handle at once ──▶ 8, 9 done, 7 unfinished ── poll from 7 without waiting: 7, 8, 9, 10
                                                                 10 is new; 7, 8, 9 are known and not handled again
                                  ──▶ all done ── poll from 11, waiting for new updates
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import telegram
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError, TimedOut

from bot.adapters.on_telegram.connection import refuses_token
from bot.adapters.on_telegram.incoming import TAKEN
from bot.adapters.on_telegram.sending import seconds
from bot.runtime.retry import POLLING, Refusals
from bot.runtime.tasks import cancelled

log = logging.getLogger(__name__)

WAIT_S = 25
SLOW_S = 0.25  # how long handlers may take before the next poll
LEAD_S = 2.0  # interval at which the leader lease is renewed


class Polling:
    """*take* begins to handle an update; it returns the same future for the same update. *leads* renews the leader
    lease; only the leader polls."""

    def __init__(
        self,
        bot: telegram.Bot,
        take: Callable[[telegram.Update], asyncio.Future[None]],
        leads: Callable[[], Awaitable[bool]],
        every_s: float = LEAD_S,
    ) -> None:
        self._bot = bot
        self._leads = leads
        self._every_s = every_s
        self._leading = asyncio.Event()
        self._take = take
        self._next: int | None = None
        self._at_it: dict[int, asyncio.Future[None]] = {}
        self.in_order = False  # the last poll was answered

    @property
    def receives(self) -> bool:
        """Whether updates arrive here, and not at another process."""
        return self.in_order and self._leading.is_set()

    async def run(self) -> None:
        """Poll until cancelled. A lasting failure is logged once, and its end once. Raises InvalidToken."""
        keeping = asyncio.create_task(self._keep_leading(), name="lead")
        try:
            await self._look_again_and_again()
        finally:
            await cancelled(keeping)  # it may be renewing the lease
            self.in_order = False

    async def _keep_leading(self) -> None:
        """Renew the lease until cancelled. A process without the lease is in order: it is ready to take over."""
        rests = False
        while True:
            before, rests = rests, not await self._leads()
            if rests:
                self._leading.clear()
                self.in_order = True
            else:
                self._leading.set()
            if rests != before:
                log.info("Telegram: polling leader: this_process=%s", not rests)
            await asyncio.sleep(self._every_s)

    async def _look_again_and_again(self) -> None:
        pause, troubled, wait_s, refusals = (
            0.0,
            False,
            0,
            Refusals(),
        )  # the first poll, and those after failures, do not wait
        while True:
            await self._leading.wait()
            asked_s, wait_s, refused = wait_s, 0, False
            try:
                await self._look(asked_s)
            except TimedOut as error:
                pause, trouble = max(POLLING.first_s, pause), error.message
            except RetryAfter as error:
                pause, trouble = max(POLLING.first_s, seconds(error.retry_after)), error.message
            except InvalidToken as error:
                refused = refuses_token(error)
                if refused and refusals.again():
                    raise
                pause, trouble = min(max(POLLING.first_s, pause * 2), POLLING.longest_s), "the token is not known"
            except Conflict:
                pause, trouble = POLLING.longest_s / 6, "another bot with the same token asks for updates too"
                wait_s = WAIT_S  # a short poll might fit between theirs
            except TelegramError as error:
                pause, trouble = min(max(POLLING.first_s, pause * 2), POLLING.longest_s), error.message
            except Exception:
                log.exception("Telegram: unexpected error")
                pause, trouble = POLLING.longest_s, "see above"
            else:
                if troubled:
                    log.info("Telegram: polling works again")
                pause, troubled, wait_s, self.in_order = 0.0, False, WAIT_S, True
                refusals.end()
                continue
            if not refused:
                refusals.end()
            if not troubled:
                log.warning("Telegram: polling failed, retrying: error=%s", trouble)
            troubled, self.in_order = True, False
            await asyncio.sleep(pause)

    async def finish(self) -> None:
        """Confirm the handled updates, so that they do not come again after the next start."""
        self._tidy()
        if self._next is not None and self._leading.is_set():
            await self._bot.get_updates(offset=min(self._at_it, default=self._next), limit=1, timeout=0)

    async def _look(self, wait_s: int) -> None:
        self._tidy()
        updates = await self._bot.get_updates(
            offset=min(self._at_it, default=self._next),
            timeout=0 if self._at_it else wait_s,
            allowed_updates=TAKEN,
        )
        for update in updates:
            if update.update_id not in self._at_it:
                self._at_it[update.update_id] = self._take(update)
                self._next = update.update_id + 1
        if self._at_it:
            await asyncio.wait(self._at_it.values(), timeout=SLOW_S)

    def _tidy(self) -> None:
        """Forget handled updates up to the first unhandled one: Telegram sends all updates after that one again."""
        for number in sorted(self._at_it):
            if not self._at_it[number].done() or self._at_it[number].cancelled():
                return
            del self._at_it[number]
