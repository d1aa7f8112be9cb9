"""Discord's errors as `Undelivered`.

Codes: Discord's developer documentation, "Opcodes and Status Codes", JSON error codes.
"""

import aiohttp
import discord

from bot.chat import Gone, Limited, Obstacle, PlaceGone, Refused, TryLater, Undelivered, Unexplained
from bot.runtime.retry import RECONNECT_S


class Closed(Refused):
    """The person takes no private messages from the bot."""


UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
ALREADY_ACKNOWLEDGED = 40060
NOT_OUR_MESSAGE = 50005
UNKNOWN_CHANNEL = 10003
INVALID_WEBHOOK_TOKEN = 50027
CLOSED = (50007, 50278)
"""The person takes no private messages: by a setting, or because no server is shared any more."""
REASONS = {
    10015: ("unknown interaction", Obstacle.UNKNOWN),
    50001: ("missing access", Obstacle.RIGHTS),
    50009: ("the channel's verification level is too high", Obstacle.RIGHTS),
    50013: ("missing permissions", Obstacle.RIGHTS),
    50024: ("the channel takes no messages", Obstacle.RIGHTS),
    50083: ("thread is archived", Obstacle.CLOSED),
    160005: ("thread is locked", Obstacle.CLOSED),
    200000: ("blocked by automatic moderation", Obstacle.FILTER),
    200001: ("blocked by automatic moderation", Obstacle.FILTER),
}
"""Known refusals. Any other one may be a mistake of ours: it is `Unexplained`, and logged with a traceback."""


def undelivered(error: Exception) -> Undelivered:
    """Return *error* as an `Undelivered`, without details of the request: addresses hold tokens."""
    match error:
        case Undelivered():
            return error
        case discord.RateLimited():
            return Limited(error.retry_after, "rate limited")
        case discord.HTTPException(code=code, status=status):
            if code in (UNKNOWN_MESSAGE, NOT_OUR_MESSAGE):
                return Gone()
            if code == INVALID_WEBHOOK_TOKEN:
                return Refused("an answer older than 15 minutes")
            if status == 429:
                return Limited(_retry_after(error), "rate limited")
            if status >= 500 or status == 401:  # the token was changed just now: not the place's fault
                return TryLater(None, f"status {status}")
            if code == UNKNOWN_CHANNEL:
                return PlaceGone("unknown channel")
            if code in CLOSED:
                return Closed("cannot send messages to this person", Obstacle.PERSON)
            return Refused(*REASONS[code]) if code in REASONS else Unexplained(f"status {status}, code {code}")
        case OSError() | aiohttp.ClientError():
            return TryLater(RECONNECT_S, type(error).__name__)
        case RuntimeError() if "closed" in str(error):  # aiohttp: the session was closed meanwhile
            return TryLater(RECONNECT_S, "disconnected")
        case _:
            return Unexplained(f"{type(error).__name__}: {error}")


def _retry_after(error: discord.HTTPException) -> float | None:
    try:
        return float(error.response.headers.get("Retry-After", ""))
    except ValueError:
        return None
