"""The webhook: Telegram delivers updates to a public address, which leads to a small server here.

Telegram repeats an update until the answer is 200, so the answer follows the handling. An update that was not handled
gets 500, and any update gets 503 before the bot is connected and while it stops. Requests without the secret that
Telegram received are rejected.
"""

import asyncio
import datetime as dt
import hashlib
import hmac
from collections.abc import Callable
from urllib.parse import urlsplit

import telegram
from aiohttp import web
from telegram.error import TelegramError

from bot.adapters.on_telegram.connection import parsed, readable, refuses_token
from bot.adapters.on_telegram.incoming import TAKEN
from bot.chat import Unusable
from bot.runtime.http_server import HttpServer, Limits
from bot.runtime.retry import POLLING, Refusals

EVERY_S = 120.0  # interval of the checks whether the token is valid
HEADER = "X-Telegram-Bot-Api-Secret-Token"


def secret(token: str) -> str:
    """Return the secret that Telegram sends: derived from the token, so that every process of the bot knows it."""
    return hmac.digest(token.encode(), b"kaleidobot webhook", hashlib.sha256).hex()


class Delivery:
    """Whether Telegram reaches the webhook, by its last reports. The clocks of both may differ, so only a new error
    counts, and it does until no update waits any more."""

    def __init__(self) -> None:
        self._last: dt.datetime | None = None
        self._fails = False

    def works(self, info: telegram.WebhookInfo) -> bool:
        """Return whether updates arrive, according to *info*."""
        is_new, self._last = info.last_error_date != self._last, info.last_error_date
        waits = info.pending_update_count > 0 and info.last_error_date is not None
        self._fails = waits and (is_new or self._fails)
        return not self._fails


class Webhook:
    """*take* begins to handle an update; it returns the same future for the same update."""

    def __init__(
        self,
        bot: telegram.Bot,
        url: str,
        listen: str,
        take: Callable[[telegram.Update], asyncio.Future[None]],
        limits: Limits = Limits(),  # noqa: B008  # a frozen value
        every_s: float = EVERY_S,
    ) -> None:
        self._bot = bot
        self._url = url
        self._listen = listen
        self._take = take
        self._limits = limits
        self._every_s = every_s
        self._secret = secret(bot.token)
        self._server: HttpServer | None = None
        self.in_order = False  # Telegram knows the address, and the token is valid
        self.accepts = False  # the bot can handle updates now
        self._reaches = False  # the last call was answered

    @property
    def receives(self) -> bool:
        """Whether updates can arrive here, and answers leave."""
        return self.in_order and self.accepts and self._reaches

    async def listen(self) -> None:
        """Open the server. Raises Unusable if the address is not available."""
        app = web.Application()
        app.router.add_post(urlsplit(self._url).path or "/", self._receive)
        self._server = HttpServer(app, self._limits)
        host, _, port = self._listen.rpartition(":")
        try:
            await self._server.listen(host.strip("[]"), int(port))
        except OSError as error:
            raise Unusable(f"TELEGRAM_WEBHOOK_LISTEN: cannot listen on {self._listen} ({error.strerror}).") from None

    async def register(self) -> bool:
        """Tell Telegram the address. Raises TelegramError."""
        self.in_order = await self._bot.set_webhook(self._url, allowed_updates=TAKEN, secret_token=self._secret)
        self._reaches = True
        return self.in_order

    async def run(self) -> None:
        """Check the token and the delivery of updates now and then, until cancelled: if one fails, no update comes, and
        no error. Raises InvalidToken."""
        refusals, delivery = Refusals(), Delivery()
        while True:
            await asyncio.sleep(POLLING.pause_s(refusals.times - 1) if refusals.times else self._every_s)
            try:
                info = await self._bot.get_webhook_info()
            except TelegramError as error:
                if not refuses_token(error):
                    refusals.end()
                    self._reaches = False
                    continue
                self.in_order = False
                if refusals.again():
                    raise
            else:
                refusals.end()
                self.in_order, self._reaches = True, delivery.works(info)

    async def close(self) -> None:
        self.in_order = self.accepts = False
        if self._server is not None:
            await self._server.close()

    async def _receive(self, request: web.Request) -> web.Response:
        given = request.headers.get(HEADER, "")
        if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), self._secret.encode()):
            return web.Response(status=403)
        if not self.accepts:
            return web.Response(status=503)
        try:
            async with asyncio.timeout(self._limits.head_s):
                raw = parsed(await request.read())
        except TimeoutError:
            return web.Response(status=408)
        except (ValueError, web.RequestPayloadError):
            return web.Response(status=400)
        update = readable(raw) if isinstance(raw, dict) and isinstance(raw.get("update_id"), int) else None
        if update is not None:
            handled = self._take(update)
            await asyncio.wait((handled,))
            if handled.cancelled():
                return web.Response(status=503)  # the bot stops: Telegram has to repeat the update
            if handled.exception() is not None:
                return web.Response(status=500)
        return web.Response()
