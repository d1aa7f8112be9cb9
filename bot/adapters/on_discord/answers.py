"""One interaction: acknowledged at once, then asked of the host, then answered to that person alone.

Discord gives 3 seconds for the first answer and 15 minutes for all others. What is first said:

| interaction | first answer | then |
| --- | --- | --- |
| command | private "thinking" (type 5, ephemeral) | it is filled in, or deleted where there is nothing to say |
| press on a public message | "seen" (type 6) | a private follow-up |
| press in a private menu | "seen" (type 6) | it is changed (menu, toast), goes (nothing) or stays (note) |
| press in a private note | "seen" (type 6) | a private follow-up |
| completion | the completions (type 8) | |
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from typing import Any, cast

import aiohttp
import discord
import msgspec
from discord import InteractionType

import texts
from bot.adapters.on_discord import NAME
from bot.adapters.on_discord.client import NEEDED
from bot.adapters.on_discord.errors import ALREADY_ACKNOWLEDGED, UNKNOWN_INTERACTION
from bot.adapters.on_discord.messages import NOBODY, content, files, unmarked, view
from bot.adapters.on_discord.servers import Servers
from bot.chat import Filled, Host, Manner, Person, PersonId, Place, PlaceId, Press, Reply, Update, UpdateId

log = logging.getLogger(__name__)

COMPLETE_WITHIN_S = 2.0
"""Of the 3 seconds that Discord gives; the rest is for the way."""
COMPLETIONS = 25
COMPLETION = 100
LOOK_AGAIN_S = 3.0
"""How long another process has for an answer that it began, before we give it."""
REMEMBERED = 4096
"""Interactions kept in mind, so that one which the gateway repeats after a reconnect is taken once."""


class Seen(Enum):
    FRESH = "fresh"
    ANSWERED = "answered"
    LOST = "lost"


def sent(interaction: discord.Interaction) -> Mapping[str, Any]:
    """The interaction's own part of the payload, as it came."""
    return cast("Mapping[str, Any]", interaction.data or {})


def update(interaction: discord.Interaction) -> Update:
    """What was done, by whom, where."""
    data = sent(interaction)
    body: Filled | Press
    if interaction.type is InteractionType.component:
        values = data.get("values") or ()
        body = Press(str(values[0]) if values else unmarked(str(data["custom_id"]))[0])
    else:
        given = {str(each["name"]): str(each.get("value", "")) for each in data.get("options", ())}
        body = Filled(str(data["name"]), given)
    user = interaction.user
    private = interaction.guild_id is None and interaction.context.dm_channel
    may = interaction.permissions
    return Update(
        id=UpdateId(f"{NAME}:{interaction.id}"),
        person=Person(PersonId(f"{NAME}:{user.id}"), user.display_name, str(interaction.locale)),
        place=Place(
            PlaceId(f"{NAME}:{interaction.channel_id}"),
            str(interaction.guild_locale) if interaction.guild_locale else None,
            private,
        ),
        body=body,
        may_manage=private or may.administrator or may.manage_guild or may.manage_channels,
    )


def lacking(interaction: discord.Interaction, lang: str) -> str:
    """A sentence on why nothing can be posted here, "" where it can: the permissions come with every interaction."""
    if interaction.guild_id is None:
        return "" if interaction.context.dm_channel else texts.say(NAME, "stranger", lang)
    if interaction.is_user_integration() and not interaction.is_guild_integration():
        return texts.say(NAME, "stranger", lang)
    have = interaction.app_permissions
    if have.administrator:
        return ""
    threaded = isinstance(interaction.channel, discord.Thread)
    useless = "send_messages" if threaded else "send_messages_in_threads"
    missing = [
        texts.say(NAME, f"permission.{name}", lang) for name in NEEDED if name != useless and not getattr(have, name)
    ]
    return texts.say(NAME, "lacking", lang, permissions=", ".join(missing)) if missing else ""


class Answers:
    """Answers interactions by asking *host*. *running*: the tasks that are at it, for a quiet stop."""

    def __init__(self, host: Host, servers: Servers) -> None:
        self._host = host
        self._servers = servers
        self._remembered: OrderedDict[int, None] = OrderedDict()
        self.running: set[asyncio.Task[Any]] = set()

    async def __call__(self, interaction: discord.Interaction) -> None:
        """Answer one interaction; whatever goes wrong is logged and told, nothing is raised."""
        if interaction.id in self._remembered:
            return
        self._remembered[interaction.id] = None
        if len(self._remembered) > REMEMBERED:
            self._remembered.popitem(last=False)
        task = asyncio.current_task()
        assert task is not None
        self.running.add(task)
        try:
            match interaction.type:
                case InteractionType.autocomplete:
                    await self._complete(interaction)
                case InteractionType.application_command | InteractionType.component:
                    await self._answer(interaction)
                case other:
                    log.warning("discord: an interaction of type %s, which nothing of ours can send", other)
        except Exception:
            log.exception("discord: interaction %s (%s) failed", interaction.id, interaction.type)
        finally:
            self.running.discard(task)

    async def _answer(self, interaction: discord.Interaction) -> None:
        if interaction.guild_id is not None and interaction.channel_id is not None:
            self._servers.note(interaction.guild_id, interaction.channel_id)
        seen = await acknowledged(interaction)
        if seen is Seen.LOST:
            return
        lang = str(interaction.locale)
        try:
            reply = await self._host.handle(update(interaction))
            if warning := lacking(interaction, lang):
                reply = reply or Reply()
                reply = msgspec.structs.replace(reply, text="\n\n".join(filter(None, (reply.text, warning))))
        except Exception:
            log.exception("discord: interaction %s (%s) failed", interaction.id, interaction.type)
            reply = Reply(text=texts.say(NAME, "failed", lang))
        await show(interaction, reply, seen)

    async def _complete(self, interaction: discord.Interaction) -> None:
        options = sent(interaction).get("options", ())
        focused = next((str(each["name"]) for each in options if each.get("focused")), "")
        try:
            async with asyncio.timeout(COMPLETE_WITHIN_S):
                found = await self._host.complete(update(interaction), focused)
        except TimeoutError:
            found = ()
        fitting = [each for each in found if each.label and 0 < len(each.value) <= COMPLETION][:COMPLETIONS]
        choices = [discord.app_commands.Choice(name=each.label[:COMPLETION], value=each.value) for each in fitting]
        try:
            await interaction.response.autocomplete(choices)
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED):  # the person typed on
                raise


async def acknowledged(interaction: discord.Interaction) -> Seen:
    """Tell Discord that the interaction arrived.

    ANSWERED: by somebody else, another process of ours for example (or by a call of ours that discord.py repeated).
    LOST: too late; the person has been told that it failed, and nothing can be said to them any more.
    """
    for tried in (False, True):
        try:
            await interaction.response.defer(ephemeral=True, thinking=interaction.type is not InteractionType.component)
            return Seen.FRESH
        except discord.HTTPException as error:
            if error.code == ALREADY_ACKNOWLEDGED:
                return Seen.FRESH if tried else Seen.ANSWERED
            log.warning("discord: interaction %s could not be acknowledged: %s", interaction.id, error)
            return Seen.LOST
        except (OSError, aiohttp.ClientError) as error:
            if tried:
                log.warning("discord: interaction %s could not be acknowledged: %r", interaction.id, error)
    return Seen.LOST


async def unanswered(interaction: discord.Interaction) -> bool:
    """Whether a command that somebody else took still waits for its answer after a while.

    What a press brought about is seen on the board; a second answer to it would only puzzle.
    """
    if interaction.type is not InteractionType.application_command:
        return False
    await asyncio.sleep(LOOK_AGAIN_S)
    return (await interaction.original_response()).flags.loading


async def show(interaction: discord.Interaction, reply: Reply | None, seen: Seen) -> None:
    """Show *reply* to the person alone."""
    if seen is Seen.ANSWERED and not await unanswered(interaction):
        return
    command = interaction.type is InteractionType.application_command
    menu = not command and in_menu(interaction)
    if reply is None:
        if command or menu:
            await patiently(interaction.delete_original_response)
    elif command or (menu and reply.manner is Manner.MENU):
        await _fill(interaction, reply)
    elif menu and reply.manner is Manner.TOAST:
        await _fill(interaction, msgspec.structs.replace(reply, rows=(), picture=None, file=None))
    else:
        await _follow_up(interaction, reply)


def in_menu(interaction: discord.Interaction) -> bool:
    """Whether a press came from a private message that may be changed."""
    message = interaction.message
    _, note = unmarked(str(sent(interaction).get("custom_id", "")))
    return message is not None and message.flags.ephemeral and not note


async def _fill(interaction: discord.Interaction, reply: Reply) -> None:
    """Make the private message read *reply*."""

    async def fill() -> None:
        await interaction.edit_original_response(
            content=content(reply),
            attachments=files(reply),
            view=view(reply.rows, note=reply.manner is Manner.NOTE),
            allowed_mentions=NOBODY,
        )

    await patiently(fill)


async def _follow_up(interaction: discord.Interaction, reply: Reply) -> None:
    async def follow_up() -> None:
        await interaction.followup.send(
            content(reply),
            files=files(reply),
            view=view(reply.rows, note=reply.manner is Manner.NOTE) or discord.utils.MISSING,
            allowed_mentions=NOBODY,
            ephemeral=True,
        )

    await patiently(follow_up)


async def patiently(call: Callable[[], Awaitable[None]]) -> None:
    """Do *call*, again after a lost connection (saying a private thing twice does no harm), and not when it is gone."""
    for pause_s in (0.5, 2.0):
        try:
            return await call()
        except discord.NotFound:
            return None  # the person has closed it
        except (OSError, aiohttp.ClientError):
            await asyncio.sleep(pause_s)
    return await call()
