"""Interactions as updates: the person, the action, the place, and the permissions there."""

from collections.abc import Mapping
from typing import Any, cast

import discord
from discord import InteractionType

import texts
from bot.adapters.on_discord import NAME
from bot.adapters.on_discord.client import BRANCHING, NEEDED
from bot.adapters.on_discord.forms import written
from bot.adapters.on_discord.messages import unmarked
from bot.adapters.on_discord.slash import ON_PERSON, USER
from bot.adapters.on_discord.visits import is_seen, is_stranger, is_visited, place_of, pressed
from bot.chat import MessageId, Person, PersonId, Place, Press, SlashCommand, ThreadAccess, Update, UpdateId
from bot.requests.commands import COMMANDS, INVITE
from bot.runtime.names import LONGEST, shown

JOINED = " · "
"""Between the names of a server and of its channel."""
LONGEST_SERVER = 21
"""Characters of a server's name beside that of a channel."""


def sent(interaction: discord.Interaction) -> Mapping[str, Any]:
    """Return the raw data of the interaction."""
    return cast("Mapping[str, Any]", interaction.data or {})


def update_of(interaction: discord.Interaction) -> Update:
    """Return the interaction as an update."""
    data = sent(interaction)
    body: SlashCommand | Press
    if interaction.type is InteractionType.component:
        values = data.get("values") or ()
        body = Press(str(values[0]) if values else unmarked(str(data["custom_id"]))[0])
    elif (filled := written(data)) is not None:
        body = filled
    else:
        given = {str(option["name"]): str(option.get("value", "")) for option in data.get("options", ())}
        body = SlashCommand(INVITE if data.get("type") == ON_PERSON else str(data["name"]), given)
    user = interaction.user
    in_server = interaction.guild_id is not None
    private = not in_server and interaction.context.dm_channel
    may = interaction.permissions
    return Update(
        id=UpdateId(f"{NAME}:{interaction.id}"),
        person=Person(PersonId(f"{NAME}:{user.id}"), user.display_name, str(interaction.locale)),
        place=Place(
            place_of(interaction),
            str(interaction.guild_locale) if interaction.guild_locale else None,
            private,
            getattr(interaction.channel, "name", None) or "",
            _name_elsewhere(interaction),
        ),
        body=body,
        may_manage=private or (in_server and (may.administrator or may.manage_guild or may.manage_channels)),
        thread_access=_thread_access(interaction),
        chosen_person=_chosen_person(data),
        pressed_post=_pressed_post(interaction),
        joined=user.joined_at if isinstance(user, discord.Member) else None,
    )


def _name_elsewhere(interaction: discord.Interaction) -> str:
    """Return the name of the server and of the channel, which together fit into one name.

    A thread has the name of its channel: its own one may be the text of a message.
    """
    channel = interaction.channel
    if isinstance(channel, discord.Thread):
        channel = channel.parent
    server = "" if interaction.guild is None else shown(interaction.guild.name, LONGEST_SERVER)
    named = shown(getattr(channel, "name", None) or "", LONGEST - LONGEST_SERVER - len(JOINED))
    return JOINED.join(filter(None, (server, named)))


def _chosen_person(data: Mapping[str, Any]) -> Person | None:
    """Return the target of a user command, or the person in an option."""
    resolved = data.get("resolved", {})
    named = (str(option["value"]) for option in data.get("options", ()) if option["type"] == USER)
    chosen = str(data.get("target_id") or next(named, ""))
    user = resolved.get("users", {}).get(chosen)
    if user is None or user.get("bot"):
        return None
    nick = resolved.get("members", {}).get(chosen, {}).get("nick")
    return Person(PersonId(f"{NAME}:{chosen}"), nick or user.get("global_name") or user["username"])


def _pressed_post(interaction: discord.Interaction) -> MessageId | None:
    """Return the post with the pressed button, if the bot cannot remove the buttons of old posts there."""
    post = pressed(interaction) if is_stranger(interaction) else None
    return None if post is None else MessageId(str(post.id))


def _thread_access(interaction: discord.Interaction) -> ThreadAccess:
    """Return whether the person can have a thread opened in the channel."""
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel) or channel.is_news() or not interaction.is_guild_integration():
        return ThreadAccess.UNSUPPORTED
    person, bot = interaction.permissions, interaction.app_permissions
    if not (person.administrator or all(getattr(person, right) for right in BRANCHING)):
        return ThreadAccess.FORBIDDEN
    bot_may = bot.administrator or all(getattr(bot, right) for right in BRANCHING)
    return ThreadAccess.ALLOWED if bot_may else ThreadAccess.BOT_FORBIDDEN


def is_for_others(update: Update) -> bool:
    """Return whether a command is useless unless other people see its result. Only if the bot is no member there."""
    unseen = {command.name for command in COMMANDS if command.unseen}
    return is_visited(update.place.id) and isinstance(update.body, SlashCommand) and update.body.command not in unseen


def lacking(interaction: discord.Interaction, lang: str) -> str:
    """Return a sentence that names the missing permissions to post here, or ""."""
    if is_stranger(interaction):
        command = interaction.type is InteractionType.application_command
        return texts.say(NAME, "stranger", lang) if command and not is_seen(interaction) else ""
    if interaction.guild_id is None:
        return ""
    have = interaction.app_permissions
    if have.administrator:
        return ""
    threaded = isinstance(interaction.channel, discord.Thread)
    useless = "send_messages" if threaded else "send_messages_in_threads"
    missing = [
        texts.say(NAME, f"permission.{name}", lang) for name in NEEDED if name != useless and not getattr(have, name)
    ]
    return texts.say(NAME, "lacking", lang, permissions=", ".join(missing)) if missing else ""
