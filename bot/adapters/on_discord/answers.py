"""One interaction: acknowledged at once, then asked of the host, then answered to that person alone.

Discord gives 3 seconds for the first answer and 15 minutes for all others. What is first said:

| interaction | first answer | then |
| --- | --- | --- |
| command | private "thinking" (type 5, ephemeral) | it is filled in, or deleted where there is nothing to say |
| press on a public message | "seen" (type 6) | a private follow-up |
| press in a private menu | "seen" (type 6) | it is changed (menu, toast), goes (nothing) or stays (note) |
| press in a private note | "seen" (type 6) | a private follow-up |
| completion | the completions (type 8) | |

A command shows "thinking" until it is answered, so what that takes is kept where it outlives the bot, for as long
as Discord takes an answer: whoever looks next gives it. Presses on what no version of the bot has made are left alone.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from functools import partial
from http import HTTPStatus
from typing import Any, TypeVar, cast

import aiohttp
import discord
import msgspec
from cachetools import LRUCache
from discord import InteractionType

import texts
from bot.adapters.on_discord import NAME
from bot.adapters.on_discord.client import Client
from bot.adapters.on_discord.errors import ALREADY_ACKNOWLEDGED, INVALID_WEBHOOK_TOKEN, UNKNOWN_INTERACTION
from bot.adapters.on_discord.incoming import is_for_others, lacking, sent, update
from bot.adapters.on_discord.messages import (
    NOBODY,
    ORIGINAL,
    account,
    files,
    form,
    is_designed,
    unmarked,
)
from bot.adapters.on_discord.pending import Pending, PendingAnswers
from bot.adapters.on_discord.servers import Servers
from bot.adapters.on_discord.visits import Visit, Visits, is_visited, lives_s
from bot.chat import (
    Host,
    MessageId,
    PlaceId,
    PlaceRegained,
    Reply,
    Role,
    Storage,
    Update,
    UpdateId,
)
from bot.requests.commands import is_payload

log = logging.getLogger(__name__)

T = TypeVar("T")
AnswerMessage = discord.InteractionMessage | discord.WebhookMessage

COMPLETE_WITHIN_S = 2.0
"""Of the 3 seconds that Discord gives; the rest is for the way."""
COMPLETIONS = 25
COMPLETION = 100
LOOK_AGAIN_S = 3.0
"""How long another process has for an answer that it began, before we give it."""
FADES_S = 14 * 60.0
"""An answer that must not stay is deleted while Discord still lets us."""
LOOK_S = 2.0
"""How often it is looked for answers that others have not given."""
POSTED_WITHIN_S = 2.0
"""How long an answer that promises a post waits for what comes of it, in a private chat: nothing tells before."""
REMEMBERED = 4096
"""Interactions kept in mind, so that one which the gateway repeats after a reconnect is taken once."""


_ORIGINAL_ID = cast("int", ORIGINAL)
"""Discord takes this name in place of the message's number."""


class Receipt(Enum):
    FRESH = "fresh"
    ANSWERED = "answered"
    LOST = "lost"


class LaterAnswer(msgspec.Struct, frozen=True):
    """The facts that are needed to answer a command later. *warning*: a text that the answer has to contain."""

    interaction: str
    channel: str
    application: str
    token: str
    lang: str
    warning: str

    def interaction_of(self, client: discord.Client) -> discord.Interaction:
        """Return a stand-in for the interaction: it has all that answering a command uses."""
        return cast("discord.Interaction", LateInteraction(self, client))


class LateInteraction:
    """A command of another process, which discord.py offers no way to make again. It is answered by its token alone."""

    type = InteractionType.application_command
    message = None
    guild_id = None

    def __init__(self, answer: LaterAnswer, client: discord.Client) -> None:
        self.id = int(answer.interaction)
        self.token = answer.token
        self.locale = answer.lang
        self.created_at = discord.utils.snowflake_time(self.id)
        self.client = client
        self.followup = discord.Webhook.partial(int(answer.application), answer.token, client=client)

    async def original_response(self) -> discord.WebhookMessage:
        return await self.followup.fetch_message(_ORIGINAL_ID)

    async def edit_original_response(self, **said: Any) -> discord.WebhookMessage:
        return await self.followup.edit_message(_ORIGINAL_ID, **said)

    async def delete_original_response(self) -> None:
        await self.followup.delete_message(_ORIGINAL_ID)


class PrivateChat:
    """Whether a private chat took what was last *tried* there, and its *newest* interaction that is answered and has
    not told otherwise."""

    def __init__(self) -> None:
        self.tried = asyncio.Event()
        self.closed = False
        self.newest: discord.Interaction | None = None


class Answers:
    """Answers interactions by asking *host*. *running*: the tasks that are at it, for a quiet stop.

    *fades_s*: how long an answer that must not stay is left at most.
    """

    def __init__(
        self, host: Host, storage: Storage, servers: Servers, visits: Visits, fades_s: float = FADES_S
    ) -> None:
        self._host = host
        self._pending = PendingAnswers(storage)
        self._servers = servers
        self._visits = visits
        self._fades_s = fades_s
        self._fading: dict[int, asyncio.TimerHandle] = {}  # by message
        self._remembered = LRUCache[int, None](REMEMBERED)
        self._chats = LRUCache[int, PrivateChat](REMEMBERED)
        self._at_it: set[UpdateId] = set()
        self.running: set[asyncio.Task[Any]] = set()
        self._rests = False

    def stop(self) -> None:
        """Hear nobody any more; what is at work goes on."""
        self._rests = True
        for fading in self._fading.values():
            fading.cancel()

    async def __call__(self, interaction: discord.Interaction) -> None:
        """Answer one interaction; whatever goes wrong is logged and told, nothing is raised."""
        if self._rests or interaction.id in self._remembered:
            return
        self._remembered[interaction.id] = None
        task = asyncio.current_task()
        assert task is not None
        self.running.add(task)
        try:
            match interaction.type:
                case InteractionType.autocomplete:
                    await self._complete(interaction)
                case InteractionType.component if not is_ours(interaction):
                    log.info("discord: a press on something that is not ours")
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
        asked, lang = update(interaction), str(interaction.locale)
        if interaction.type is not InteractionType.application_command:
            seen = await acknowledged(interaction)
            if seen is not Receipt.LOST:
                await self._handle(interaction, asked, lang, lacking(interaction, lang), seen)
            return
        self._at_it.add(asked.id)
        try:
            ticket = msgspec.json.encode(_ticket(interaction)).decode()
            seen, _ = await asyncio.gather(
                acknowledged(interaction), self._pending.add(Pending(asked, ticket), lives_s(interaction))
            )
            if seen is not Receipt.LOST:
                await self._handle(interaction, asked, lang, lacking(interaction, lang), seen)
            await self._pending.delete(asked.id)
        finally:
            self._at_it.discard(asked.id)

    async def look_after(self, client: discord.Client) -> None:
        """Give the answers that somebody died over, for ever."""
        while True:
            for pending in await self._pending.unanswered():
                if pending.update.id in self._at_it:
                    continue
                try:
                    await self._complete_late(pending, client)
                except Exception:
                    log.exception("discord: answer still missing: update=%s", pending.update.id)
            await asyncio.sleep(LOOK_S)

    async def _complete_late(self, pending: Pending, client: discord.Client) -> None:
        """Answer a command that waits since the bot died; one that was answered is left as it is."""
        self._at_it.add(pending.update.id)
        try:
            ticket = msgspec.json.decode(pending.ticket, type=LaterAnswer)
            interaction = ticket.interaction_of(client)
            try:
                if (await interaction.original_response()).flags.loading:
                    await self._handle(interaction, pending.update, ticket.lang, ticket.warning, Receipt.FRESH)
            except discord.NotFound:
                pass  # Discord or the person took it away
            except discord.HTTPException as error:
                if error.code != INVALID_WEBHOOK_TOKEN:
                    raise  # else its time is over
            await self._pending.delete(pending.update.id)
        finally:
            self._at_it.discard(pending.update.id)

    async def _handle(
        self, interaction: discord.Interaction, asked: Update, lang: str, warning: str, seen: Receipt
    ) -> None:
        """Ask the host, and answer. *warning*: what is to be said anyway."""
        visit = await self._visited(interaction, asked)
        private = self._private(asked)
        private.tried.clear()
        private.newest, private.closed = None, False
        try:
            reply = None if warning and is_for_others(asked) else await self._host.handle(asked)
            if asked.place.private and reply is not None and reply.role is Role.PROMISE:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(private.tried.wait(), POSTED_WITHIN_S)
            warned = private.closed
            if private.closed:
                warning = texts.say(NAME, "closed", lang)
            if warning:
                reply = Reply() if reply is None or reply.role is Role.PROMISE else reply
                reply = msgspec.structs.replace(reply, text="\n\n".join(filter(None, (reply.text, warning))))
        except Exception:
            log.exception("discord: interaction %s (%s) failed", interaction.id, interaction.type)
            reply, warned = Reply(text=texts.say(NAME, "failed", lang)), False
        shown = None
        try:
            shown = await show(interaction, reply, seen)
        finally:
            if visit is not None:
                visit.left -= isinstance(shown, discord.WebhookMessage)
                visit.answered.set()
        if asked.place.private and not warned:  # what is refused from now on is told by a message of its own
            private.newest = interaction
            if private.closed:
                await self._tell_closed(private)
        if reply is not None and reply.must_go and shown is not None:
            await self._fades(reply.must_go, asked.place.id, interaction, shown)

    async def _visited(self, interaction: discord.Interaction, asked: Update) -> Visit | None:
        """What *interaction* makes possible where the bot is no member; None elsewhere. What has waited for somebody to
        do something is posted now."""
        if not is_visited(asked.place.id):
            return None
        visit = self._visits.comes(asked.place.id, interaction)
        await self._host.place_changed(PlaceRegained(asked.place.id))
        return visit

    def _private(self, asked: Update) -> "PrivateChat":
        """What is known of the private chat from which *asked* comes; of another place nothing is kept."""
        if not asked.place.private:
            return PrivateChat()
        channel = account(asked.place.id)
        known = self._chats.get(channel)
        if known is None:
            known = self._chats[channel] = PrivateChat()
        return known

    def opened(self, channel: int) -> None:
        """A post was taken there."""
        known = self._chats.get(channel)
        if known is not None:
            known.tried.set()

    async def closed(self, channel: int) -> None:
        """A private chat takes no posts: its person is told, once for each thing they ask."""
        known = self._chats.get(channel)
        if known is not None:
            known.closed = True
            known.tried.set()
            await self._tell_closed(known)

    async def _tell_closed(self, known: "PrivateChat") -> None:
        """Say by way of the newest interaction that is answered, while it can be, that nothing can be posted."""
        interaction, known.newest = known.newest, None
        if interaction is None or lives_s(interaction) <= 0:
            return
        try:
            await _follow_up(interaction, Reply(text=texts.say(NAME, "closed", str(interaction.locale))))
        except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
            log.info("discord: whoever takes no private messages is not told so: %s", error)

    async def _fades(self, time: str, place: PlaceId, interaction: discord.Interaction, shown: AnswerMessage) -> None:
        """Tell the host how an answer can be deleted, once; and delete it while that is possible at all."""
        if shown.id in self._fading:
            return
        wait_s = max(0.0, min(self._fades_s, lives_s(interaction)))
        self._fading[shown.id] = asyncio.get_running_loop().call_later(wait_s, self._withdraw, shown)
        number = ORIGINAL if isinstance(shown, discord.InteractionMessage) else str(shown.id)
        await self._host.delete_later(time, place, MessageId(f"{interaction.token}/{number}"), lives_s(interaction))

    def _withdraw(self, shown: AnswerMessage) -> None:
        async def withdraw() -> None:
            with contextlib.suppress(discord.HTTPException, OSError, aiohttp.ClientError):
                await shown.delete()

        del self._fading[shown.id]
        task = asyncio.create_task(withdraw())
        self.running.add(task)
        task.add_done_callback(self.running.discard)

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


def is_ours(interaction: discord.Interaction) -> bool:
    """Whether a press is on something that this bot made, in whatever version."""
    return is_payload(unmarked(str(sent(interaction).get("custom_id", "")))[0])


def _ticket(interaction: discord.Interaction) -> LaterAnswer:
    lang = str(interaction.locale)
    numbers = str(interaction.id), str(interaction.channel_id), str(interaction.application_id)
    return LaterAnswer(*numbers, interaction.token, lang, lacking(interaction, lang))


async def acknowledged(interaction: discord.Interaction) -> Receipt:
    """Tell Discord that the interaction arrived.

    ANSWERED: by somebody else, another process of ours for example (or by a call of ours that discord.py repeated).
    LOST: too late; the person has been told that it failed, and nothing can be said to them any more.
    """
    for tried in (False, True):
        try:
            await interaction.response.defer(ephemeral=True, thinking=interaction.type is not InteractionType.component)
            return Receipt.FRESH
        except discord.HTTPException as error:
            if error.code == ALREADY_ACKNOWLEDGED:
                return Receipt.FRESH if tried else Receipt.ANSWERED
            log.warning("discord: interaction %s could not be acknowledged: %s", interaction.id, error)
            return Receipt.LOST
        except (OSError, aiohttp.ClientError) as error:
            if tried:
                log.warning("discord: interaction %s could not be acknowledged: %r", interaction.id, error)
    return Receipt.LOST


async def unanswered(interaction: discord.Interaction) -> bool:
    """Whether a command that somebody else took still waits for its answer after a while.

    What a press brought about is seen on the board; a second answer to it would only puzzle.
    """
    if interaction.type is not InteractionType.application_command:
        return False
    await asyncio.sleep(LOOK_AGAIN_S)
    return (await interaction.original_response()).flags.loading


async def show(interaction: discord.Interaction, reply: Reply | None, seen: Receipt) -> AnswerMessage | None:
    """Show *reply* to the person alone; the message in which it stands."""
    if seen is Receipt.ANSWERED and not await unanswered(interaction):
        return None
    command = interaction.type is InteractionType.application_command
    menu = not command and in_menu(interaction)
    if reply is not None and reply.role is Role.NOTHING:
        if not command:
            return None
        reply = None
    if reply is None or (menu and reply.role is Role.CLOSING):
        if command or menu:
            await patiently(interaction.delete_original_response)
        return None
    if menu and reply.role.is_toast:
        reply = msgspec.structs.replace(reply, rows=(), narrow_rows=(), picture=None, file=None)
    if reply.links:
        reply = msgspec.structs.replace(reply, rows=(*reply.rows, reply.links))
    if command or (menu and reply.role is not Role.NOTE):
        return await _fill(interaction, reply)
    return await _follow_up(interaction, reply)


def in_menu(interaction: discord.Interaction) -> bool:
    """Whether a press came from a private message that may be changed."""
    message = interaction.message
    _, note = unmarked(str(sent(interaction).get("custom_id", "")))
    return message is not None and message.flags.ephemeral and not note


def _commands(interaction: discord.Interaction) -> Mapping[str, str]:
    return cast("Client", interaction.client).numbers


async def _fill(interaction: discord.Interaction, reply: Reply) -> AnswerMessage | None:
    """Make the private message read *reply*. A menu keeps the form that it has."""

    async def fill(framed: bool) -> AnswerMessage:
        return await interaction.edit_original_response(
            attachments=files(reply), allowed_mentions=NOBODY, **form(reply, _commands(interaction), framed)
        )

    menu = interaction.message
    if menu is not None:
        return await patiently(partial(fill, menu.flags.components_v2))
    return await _in_form(fill, reply)


async def _follow_up(interaction: discord.Interaction, reply: Reply) -> AnswerMessage | None:
    async def follow_up(framed: bool) -> AnswerMessage:
        said = {key: value for key, value in form(reply, _commands(interaction), framed).items() if value is not None}
        return await interaction.followup.send(
            files=files(reply), allowed_mentions=NOBODY, ephemeral=True, wait=True, **said
        )

    return await _in_form(follow_up, reply)


async def _in_form(say: Callable[[bool], Awaitable[AnswerMessage]], reply: Reply) -> AnswerMessage | None:
    """Say *reply* for the first time, in the form that suits it; without a frame where Discord takes none."""
    if is_designed(reply):
        try:
            return await patiently(partial(say, True))
        except discord.HTTPException as error:
            if error.status != HTTPStatus.BAD_REQUEST:
                raise
            log.warning("discord: a framed answer is refused, it goes without: %s", error)
    return await patiently(partial(say, False))


async def patiently(call: Callable[[], Awaitable[T]]) -> T | None:
    """Do *call*, again after a lost connection (saying a private thing twice does no harm), and not when it is gone."""
    for pause_s in (0.5, 2.0):
        try:
            return await call()
        except discord.NotFound:
            return None  # the person has closed it
        except (OSError, aiohttp.ClientError):
            await asyncio.sleep(pause_s)
    return await call()
