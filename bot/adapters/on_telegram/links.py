"""Links that open the private chat with the bot and go on with what was asked: ``https://t.me/<bot>?start=<ticket>``.

A bot cannot write first. The ticket carries what somebody asked for, so that it is done as soon as they open the
chat. It holds for that person only: nobody can make another resign by sending them a link. Telegram allows 64 of
A-Z a-z 0-9 _ -.

    ticket = 8 characters of a signature over person and request, then the request, both in URL-safe base64
"""

import binascii
import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode

from telegram.constants import MessageLimit

from bot.chat import Filled, Press, Typed

BARE = "0"
"""Opens the chat and asks for nothing in particular."""
_SIGNATURE = 8


class Links:
    """*token*: the bot's, which nobody else knows."""

    def __init__(self, token: str) -> None:
        self._key = hashlib.sha256(b"kaleidobot deep link " + token.encode()).digest()

    def url(self, bot: str, user: int, body: Press | Typed | Filled) -> str:
        """The link that asks again for *body* in the private chat of *user*; what is too long opens the chat only."""
        match body:
            case Press(words) | Typed(words):
                request = urlsafe_b64encode(words.encode("utf-8", "replace")).decode().rstrip("=")
                ticket = self._signature(user, request) + request
            case Filled():
                ticket = BARE
        return f"https://t.me/{bot}?start={ticket if len(ticket) <= MessageLimit.DEEP_LINK_LENGTH else BARE}"

    def read(self, user: int, ticket: str) -> Press | Typed | None:
        """What the ticket asks for; None for one that we did not write for *user*.

        >>> links = Links("123:secret")
        >>> ticket = links.url("kaleidobot", 7, Press("view:k3v7qpm2")).partition("=")[2]
        >>> links.read(7, ticket), links.read(8, ticket), links.read(7, "0")
        (Press(payload='view:k3v7qpm2'), None, None)
        """
        signature, request = ticket[:_SIGNATURE], ticket[_SIGNATURE:]
        if not hmac.compare_digest(signature.encode(), self._signature(user, request).encode()):
            return None
        try:
            words = urlsafe_b64decode(request + "=" * (-len(request) % 4)).decode()
        except (binascii.Error, UnicodeDecodeError):
            return None
        return Typed(words) if words.startswith("/") else Press(words)

    def _signature(self, user: int, request: str) -> str:
        digest = hmac.digest(self._key, f"{user}:{request}".encode(), "sha256")
        return urlsafe_b64encode(digest).decode()[:_SIGNATURE]
