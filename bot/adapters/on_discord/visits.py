"""Places where the bot is no member: a person has installed it, and brought it along into a group or somebody's server.

There are no events, no rights and no channel messages there. All that can be said goes by the token of an interaction:
for 15 minutes, with at most five messages besides its first answer; what a person presses on can be changed by that
press. So a game lives from press to press, and the ids of such places say so: what is played there is no matter of the
same channel once the bot is a member.
"""

import asyncio
import logging
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
"""An interaction's token lives so long, but for the way."""
FOLLOW_UPS = 5
"""Messages by one interaction besides its first answer."""
ANSWER_S = 20.0
"""How long the answer to the person alone may take: a command's has to come first, or a post would fill its place."""
NEWEST = 8
"""Interactions of a place that are kept: with five messages each, more than 15 minutes of play take."""
KEPT = 4096

_VISIT = "/visit"


def place_of(interaction: discord.Interaction) -> PlaceId:
    """Our name of the place in which *interaction* happened."""
    return PlaceId(f"{NAME}:{interaction.channel_id}{_VISIT * is_stranger(interaction)}")


def is_visited(place: PlaceId) -> bool:
    """Whether *place* is one where the bot is no member."""
    return place.endswith(_VISIT)


def is_stranger(interaction: discord.Interaction) -> bool:
    """Whether the bot is no member where *interaction* happened."""
    if interaction.guild_id is None:
        return not interaction.context.dm_channel
    return not interaction.is_guild_integration()


def is_seen(interaction: discord.Interaction) -> bool:
    """Whether others see what the bot answers to a command there: in a server it takes a right."""
    may = interaction.permissions
    return interaction.guild_id is None or may.administrator or may.use_external_apps


def pressed(interaction: discord.Interaction) -> discord.Message | None:
    """The message for everybody with the button that was pressed; None where there is none."""
    message = interaction.message
    return None if message is None or message.flags.ephemeral else message


def lives_s(interaction: discord.Interaction) -> float:
    """For how long Discord takes answers."""
    return TOKEN_S - (discord.utils.utcnow() - interaction.created_at).total_seconds()


class Visit:
    """One interaction in such a place. *left*: so many messages can still be made; *answered*: its person was;
    *leads_to*: messages that can be changed with it."""

    def __init__(self, interaction: discord.Interaction) -> None:
        self.interaction = interaction
        self.left = FOLLOW_UPS
        self.answered = asyncio.Event()
        self.leads_to: set[int] = set()

    @property
    def lives(self) -> bool:
        return lives_s(self.interaction) > 0

    @property
    def pressed(self) -> discord.Message | None:
        return pressed(self.interaction)


class Visits:
    """What people do in such places, and what is said by that."""

    def __init__(self) -> None:
        self._visits = LRUCache[PlaceId, list[Visit]](KEPT)
        self._ways = LRUCache[int, Visit](KEPT)  # by message: with what it can be changed
        self._where = LRUCache[PlaceId, str](KEPT)

    def comes(self, place: PlaceId, interaction: discord.Interaction) -> Visit:
        """Somebody does something in *place*, and is to be answered first."""
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
        """The token of *visit* is worth nothing any more, so it is kept no longer."""
        others = [each for each in self._visits.pop(place, None) or () if each is not visit]
        if others:
            self._visits[place] = others
        for message in visit.leads_to:
            if self._ways.get(message) is visit:
                self._ways.pop(message, None)

    def link(self, place: PlaceId, message: MessageId) -> str | None:
        """Where *message* is; None where nobody has done anything there since the start."""
        where = self._where.get(place)
        return None if where is None else f"https://discord.com/channels/{where}/{account(place)}/{message}"

    async def post(self, place: PlaceId, **said: Any) -> MessageId:
        """Say something to everybody, by the newest interaction that takes it. Raises NoReplyWindow, TryLater."""
        for visit in reversed(self._visits.get(place) or ()):
            if not visit.lives or visit.left < 1:
                continue
            try:
                await asyncio.wait_for(visit.answered.wait(), ANSWER_S)
            except TimeoutError:
                raise TryLater(reason="an answer is still to come") from None
            visit.left -= 1
            try:
                made = await visit.interaction.followup.send(**said, ephemeral=False, wait=True)
            except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
                problem = undelivered(error)
                if isinstance(problem, TryLater):
                    raise problem from error
                log.info("discord: a press in %s takes no message: %s", place, problem)
                visit.left = 0
                continue
            if made.flags.ephemeral:
                log.info("discord: what is posted in %s is seen by one person alone", place)
            self._leads(visit, made.id)
            return MessageId(str(made.id))
        raise NoReplyWindow

    async def edit(self, message: MessageId, **said: Any) -> None:
        """Change a message for everybody. Raises Gone where nothing leads there any more, TryLater."""

        async def change(visit: Visit, pressed: bool) -> None:
            if pressed:
                await visit.interaction.edit_original_response(**said)
            else:
                await visit.interaction.followup.edit_message(int(message), **said)

        await self._reach(message, change)

    async def delete(self, message: MessageId) -> None:
        """Delete a message for everybody. Raises Refused where nothing leads there any more, TryLater."""

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
        """Do something to *message* by what leads there. Raises Gone, TryLater."""
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
