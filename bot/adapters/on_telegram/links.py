"""Links that open the private chat with the bot and press a button there: ``https://t.me/<bot>?start=<ticket>``.

A bot cannot write first. The ticket contains a pressed button, which is pressed again when its person opens the chat.
It is valid for that person only, so no player can make another one resign by a link. A link never repeats a typed
command, because a move that is refused now could be legal later; its answer is kept instead, see `answers`.

    ticket = 8 characters of a signature over person and payload, then the payload, both in URL-safe base64

Telegram allows 64 characters of A-Z a-z 0-9 _ - in all, so payloads of up to 42 bytes.
"""

import binascii
import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode

from telegram.constants import MessageLimit

from bot.chat import Press

BARE = "0"
"""The ticket of a link that only opens the chat."""
_SIGNATURE = 8


class Links:
    """*token*: the bot's secret, from which the key is derived."""

    def __init__(self, token: str) -> None:
        self._key = hashlib.sha256(b"kaleidobot deep link " + token.encode()).digest()

    def url(self, bot: str, user: int, payload: str | None = None) -> str:
        """Return the link that presses the button *payload* for *user*. Without a payload, or if it is too long, the
        link only opens the chat."""
        ticket = BARE
        if payload is not None:
            request = urlsafe_b64encode(payload.encode("utf-8", "replace")).decode().rstrip("=")
            ticket = self._signature(user, request) + request
        return f"https://t.me/{bot}?start={ticket if len(ticket) <= MessageLimit.DEEP_LINK_LENGTH else BARE}"

    def read(self, user: int, ticket: str) -> Press | None:
        """Return the button of a ticket; None if the ticket is not ours, or for another user.

        >>> links = Links("123:secret")
        >>> ticket = links.url("kaleidobot", 7, "view:k3v7qpm2").partition("=")[2]
        >>> links.read(7, ticket), links.read(8, ticket), links.read(7, "0")
        (Press(payload='view:k3v7qpm2', text=None), None, None)
        """
        if not ticket.isascii():
            return None
        signature, request = ticket[:_SIGNATURE], ticket[_SIGNATURE:]
        if not hmac.compare_digest(signature.encode(), self._signature(user, request).encode()):
            return None
        try:
            return Press(urlsafe_b64decode(request + "=" * (-len(request) % 4)).decode())
        except (binascii.Error, UnicodeDecodeError):
            return None

    def _signature(self, user: int, request: str) -> str:
        digest = hmac.digest(self._key, f"{user}:{request}".encode(), "sha256")
        return urlsafe_b64encode(digest).decode()[:_SIGNATURE]
