"""Places where the bot is no member: a person installed it and uses it in a group or in another server.

There are no events, no permissions and no channel messages there. Every post goes by the token of an interaction, which
is valid for 15 minutes and for at most five messages besides its first answer. A press can change its own message. So a
game continues from press to press. The ids of such places are marked: if the bot joins the server, the same channel is
another place.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import aiohttp
import discord
from cachetools import LRUCache

from bot.adapters.on_discord import NAME
from bot.adapters.on_discord.errors import INVALID_WEBHOOK_TOKEN, UNKNOWN_MESSAGE, undelivered
from bot.adapters.on_discord.links import PRIVATE
from bot.adapters.on_discord.messages import account
from bot.chat import Gone, MessageId, NoReplyWindow, PlaceId, Refused, TryLater

log = logging.getLogger(__name__)

T = TypeVar("T")

TOKEN_S = 15 * 60.0 - 10.0
"""Lifetime of an interaction's token, less the transfer."""
FOLLOW_UPS = 5
"""Messages per interaction besides its first answer."""
ANSWER_S = 20.0
"""How long a post waits for the private answer: the first message after a command is shown as its answer."""
NEWEST = 8
"""Interactions that are kept per place: five messages each are more than 15 minutes of play need."""
KEPT = 4096

_VISIT = "/visit"
_ARRIVED = "kaleidobot_arrived_s"


def place_of(interaction: discord.Interaction) -> PlaceId:
    """Return the id of the place of *interaction*."""
    return PlaceId(f"{NAME}:{interaction.channel_id}{_VISIT * is_stranger(interaction)}")


def is_visited(place: PlaceId) -> bool:
    """Return whether the bot is no member of *place*."""
    return place.endswith(_VISIT)


def is_stranger(interaction: discord.Interaction) -> bool:
    """Return whether the bot is no member of the place of *interaction*."""
    if interaction.guild_id is None:
        return not interaction.context.dm_channel
    return not interaction.is_guild_integration()


def is_seen(interaction: discord.Interaction) -> bool:
    """Return whether other people see the bot's messages there: in a server the person needs a permission for that."""
    may = interaction.permissions
    return interaction.guild_id is None or may.administrator or may.use_external_apps


def pressed(interaction: discord.Interaction) -> discord.Message | None:
    """Return the public message with the pressed button, or None."""
    message = interaction.message
    return None if message is None or message.flags.ephemeral else message


def arrives(interaction: discord.Interaction) -> float:
    """Note the arrival of *interaction*, unless it is noted. Return its time on the monotonic clock.

    Its own time is of Discord's clock, from which this machine's clock may differ by any span.
    """
    arrived_s: float = interaction.extras.setdefault(_ARRIVED, time.monotonic())
    return arrived_s


def lives_s(interaction: discord.Interaction) -> float:
    """Return how long Discord takes answers to *interaction*, in seconds."""
    return TOKEN_S - (time.monotonic() - arrives(interaction))


class Visit:
    """One interaction in such a place. *posts_left*: the number of messages that it can still post. *answered*: its
    person has the private answer. *leads_to*: messages that its token can change."""

    def __init__(self, interaction: discord.Interaction) -> None:
        self.interaction = interaction
        self.posts_left = FOLLOW_UPS
        self.answered = asyncio.Event()
        self.leads_to: set[int] = set()

    @property
    def lives(self) -> bool:
        return lives_s(self.interaction) > 0

    @property
    def pressed(self) -> discord.Message | None:
        return pressed(self.interaction)


class Visits:
    """The interactions in such places, and posts by their tokens."""

    def __init__(self) -> None:
        self._visits = LRUCache[PlaceId, list[Visit]](KEPT)
        self._ways = LRUCache[int, Visit](KEPT)  # by message: the interaction that can change it
        self._where = LRUCache[PlaceId, str](KEPT)

    def comes(self, place: PlaceId, interaction: discord.Interaction) -> Visit:
        """Keep a new interaction in *place*. Posts wait until its person has the private answer."""
        visit = Visit(interaction)
        self._where[place] = str(interaction.guild_id or PRIVATE)
        self._visits[place] = [*(self._visits.get(place) or ()), visit][-NEWEST:]
        if visit.pressed is not None:
            self._leads(visit, visit.pressed.id)
        asyncio.get_running_loop().call_later(lives_s(interaction), self._ends, place, visit)
        return visit

    def _leads(self, visit: Visit, message: int) -> None:
        self._ways[message] = visit
        visit.leads_to.add(message)

    def _ends(self, place: PlaceId, visit: Visit) -> None:
        """Forget *visit*: its token has expired."""
        others = [other for other in self._visits.pop(place, None) or () if other is not visit]
        if others:
            self._visits[place] = others
        for message in visit.leads_to:
            if self._ways.get(message) is visit:
                self._ways.pop(message, None)

    def link(self, place: PlaceId, message: MessageId) -> str | None:
        """Return the address of *message*; None if there was no interaction since the start."""
        where = self._where.get(place)
        return None if where is None else f"https://discord.com/channels/{where}/{account(place)}/{message}"

    async def post(self, place: PlaceId, **said: Any) -> MessageId:
        """Post by the newest interaction that takes a message. Raises NoReplyWindow, TryLater."""
        for visit in reversed(self._visits.get(place) or ()):
            if not visit.lives or visit.posts_left < 1:
                continue
            try:
                async with asyncio.timeout(ANSWER_S):
                    await visit.answered.wait()
            except TimeoutError:
                raise TryLater(reason="a private answer is missing") from None
            visit.posts_left -= 1
            try:
                made = await visit.interaction.followup.send(**said, ephemeral=False, wait=True)
            except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
                problem = undelivered(error)
                if isinstance(problem, TryLater):
                    raise problem from error
                log.info("discord: token takes no message: place=%s error=%s", place, problem)
                visit.posts_left = 0
                continue
            if made.flags.ephemeral:
                log.info("discord: post is visible to one person only: place=%s", place)
            self._leads(visit, made.id)
            return MessageId(str(made.id))
        raise NoReplyWindow

    async def edit(self, message: MessageId, **said: Any) -> None:
        """Edit a public message. Raises TryLater, and Gone if no token can change it."""

        async def change(visit: Visit, pressed: bool) -> None:
            if pressed:
                await visit.interaction.edit_original_response(**said)
            else:
                await visit.interaction.followup.edit_message(int(message), **said)

        await self._reach(message, change)

    async def delete(self, message: MessageId) -> None:
        """Delete a public message. Raises TryLater, and Refused if no token can delete it."""

        async def remove(visit: Visit, pressed: bool) -> None:
            if pressed:
                await visit.interaction.delete_original_response()
            else:
                await visit.interaction.followup.delete_message(int(message))

        try:
            await self._reach(message, remove)
        except Gone:
            raise Refused("out of reach") from None

    async def _reach(self, message: MessageId, do: Callable[[Visit, bool], Awaitable[None]]) -> None:
        """Call *do* with the interaction that can change *message*. Raises Gone, TryLater."""
        visit = self._ways.get(int(message))
        if visit is None or not visit.lives:
            raise Gone
        pressed = visit.pressed is not None and visit.pressed.id == int(message)
        try:
            await do(visit, pressed)
        except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
            if isinstance(error, discord.HTTPException) and error.code in (INVALID_WEBHOOK_TOKEN, UNKNOWN_MESSAGE):
                self._ways.pop(int(message), None)
                raise Gone from error
            raise undelivered(error) from error
