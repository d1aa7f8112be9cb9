"""Answers to interactions: each one is acknowledged, handled by the core, and answered in private.

Discord allows 3 seconds for the first answer and 15 minutes for the others:

| interaction | first answer | then |
| --- | --- | --- |
| command | private "thinking" (type 5, ephemeral) | it is edited, or deleted if there is nothing to say |
| press on a public message | "seen" (type 6) | a private follow-up |
| press in a private menu | "seen" (type 6) | it is edited (menu, board), deleted (toast, no reply) or stays (note) |
| press in a private note | "seen" (type 6) | a private follow-up |
| press that asks for a text | a form (type 9) | |
| filled form | "seen" (type 6) | as a press in the message with the button |
| completion | the completions (type 8) | |

A command shows "thinking" until it is answered, so its token is kept in the storage: if the process dies, another one
gives the answer. Presses on components that no version of the bot has made are ignored.
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
from bot.adapters.on_discord.forms import asked_for, form_of, offering_form, written
from bot.adapters.on_discord.incoming import is_for_others, lacking, sent, update_of
from bot.adapters.on_discord.links import private_chat
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
from bot.adapters.on_discord.visits import Visit, Visits, arrives, is_visited, lives_s
from bot.adapters.reply_piles import ReplyPiles
from bot.chat import (
    Button,
    Core,
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
"""Time limit of a completion: Discord's 3 seconds less the transfer."""
COMPLETIONS = 25
COMPLETION = 100
LOOK_AGAIN_S = 3.0
"""How long another process has for its answer before this one gives it."""
FADES_S = 14 * 60.0
"""When a strictly expiring answer is deleted at the latest: Discord allows 15 minutes."""
LOOK_S = 2.0
"""Interval at which unanswered commands are looked for."""
REMEMBERED = 4096
"""Number of remembered interactions: the gateway may repeat one after a reconnect."""


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
        self.extras: dict[Any, Any] = {}
        self.client = client
        self.followup = discord.Webhook.partial(int(answer.application), answer.token, client=client)
        self.followup.type = discord.WebhookType.application  # else the library sends nothing in private
        self.original_id: int | None = None

    async def original_response(self) -> discord.WebhookMessage:
        message = await self.followup.fetch_message(_ORIGINAL_ID)
        self.original_id = message.id
        return message

    async def edit_original_response(self, **said: Any) -> discord.WebhookMessage:
        return await self.followup.edit_message(_ORIGINAL_ID, **said)

    async def delete_original_response(self) -> None:
        await self.followup.delete_message(_ORIGINAL_ID)


class PrivateChat:
    """The state of a private chat. *closed*: it refused the last post. *newest*: the newest answered interaction that
    has not reported this yet."""

    def __init__(self) -> None:
        self.closed = False
        self.newest: discord.Interaction | None = None


class Answers:
    """Answers interactions with the replies of *core*. *running*: unfinished tasks, for a graceful stop.

    *fades_s*: maximum lifetime of a strictly expiring answer, in seconds.
    """

    def __init__(
        self, core: Core, storage: Storage, servers: Servers, visits: Visits, fades_s: float = FADES_S
    ) -> None:
        self._core = core
        self._pending = PendingAnswers(storage)
        self._servers = servers
        self._visits = visits
        self._fades_s = fades_s
        self._fading: dict[int, asyncio.TimerHandle] = {}  # by message
        self._expiring = LRUCache[int, tuple[str, float]](REMEMBERED)  # by message: its time, and when it was noted
        self._open = ReplyPiles(core)
        self._remembered = LRUCache[int, None](REMEMBERED)
        self._chats = LRUCache[int, PrivateChat](REMEMBERED)
        self._at_it: set[UpdateId] = set()
        self.running: set[asyncio.Task[Any]] = set()
        self._rests = False

    def stop(self) -> None:
        """Take no more interactions; running ones continue."""
        self._rests = True
        for fading in self._fading.values():
            fading.cancel()

    async def __call__(self, interaction: discord.Interaction) -> None:
        """Answer one interaction. Errors are logged and reported to the person; none is raised."""
        if self._rests or interaction.id in self._remembered:
            return
        self._remembered[interaction.id] = None
        arrives(interaction)
        task = asyncio.current_task()
        assert task is not None
        self.running.add(task)
        try:
            match interaction.type:
                case InteractionType.autocomplete:
                    await self._complete(interaction)
                case InteractionType.component if (payload := asked_for(_custom_id(interaction))) is not None:
                    await interaction.response.send_modal(form_of(payload, str(interaction.locale)))
                case InteractionType.modal_submit if written(sent(interaction)) is None:
                    log.info("discord: foreign form ignored")
                case InteractionType.component if not is_ours(interaction):
                    log.info("discord: press on a foreign component ignored")
                case InteractionType.application_command | InteractionType.component | InteractionType.modal_submit:
                    await self._answer(interaction)
                case other:
                    log.warning("discord: unexpected interaction: type=%s", other)
        except Exception:
            log.exception("discord: interaction failed: id=%s type=%s", interaction.id, interaction.type)
        finally:
            self.running.discard(task)

    async def _answer(self, interaction: discord.Interaction) -> None:
        if interaction.guild_id is not None and interaction.channel_id is not None:
            self._servers.note(interaction.guild_id, interaction.channel_id)
        update, lang = update_of(interaction), str(interaction.locale)
        if interaction.type is not InteractionType.application_command:
            receipt = await acknowledged(interaction)
            if receipt is not Receipt.LOST:
                await self._handle(interaction, update, lang, lacking(interaction, lang), receipt)
            return
        self._at_it.add(update.id)
        try:
            ticket = msgspec.json.encode(_ticket(interaction)).decode()
            receipt, _ = await asyncio.gather(
                acknowledged(interaction), self._pending.add(Pending(update, ticket), lives_s(interaction))
            )
            if receipt is not Receipt.LOST:
                await self._handle(interaction, update, lang, lacking(interaction, lang), receipt)
            await self._pending.delete(update.id)
        finally:
            self._at_it.discard(update.id)

    async def look_after(self, client: discord.Client) -> None:
        """Give the answers of processes that died. Never returns."""
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
        """Answer a command of a process that died, unless it has an answer."""
        self._at_it.add(pending.update.id)
        try:
            ticket = msgspec.json.decode(pending.ticket, type=LaterAnswer)
            interaction = ticket.interaction_of(client)
            try:
                if (await interaction.original_response()).flags.loading:
                    await self._handle(interaction, pending.update, ticket.lang, ticket.warning, Receipt.FRESH)
            except discord.NotFound:
                pass  # Discord or the person deleted it
            except discord.HTTPException as error:
                if error.code != INVALID_WEBHOOK_TOKEN:
                    raise  # else the token has expired
            await self._pending.delete(pending.update.id)
        finally:
            self._at_it.discard(pending.update.id)

    async def _handle(
        self, interaction: discord.Interaction, update: Update, lang: str, warning: str, receipt: Receipt
    ) -> None:
        """Handle an update and show the reply. *warning*: a text that the reply has to contain."""
        visit = await self._visited(interaction, update)
        private = self._private(update)
        private.newest, private.closed = None, False
        try:
            reply = None if warning and is_for_others(update) else await self._core.handle(update)
            warned = private.closed
            if private.closed:
                warning = texts.say(NAME, "closed", lang)
            if warning:
                reply = Reply() if reply is None or reply.role is Role.PROMISE else reply
                reply = msgspec.structs.replace(reply, text="\n\n".join(filter(None, (reply.text, warning))))
        except Exception:
            log.exception("discord: interaction failed: id=%s type=%s", interaction.id, interaction.type)
            reply, warned = Reply(text=texts.say(NAME, "failed", lang)), False
        self._open.answered(update, reply)
        reply = None if reply is None else await _leading(interaction, update, offering_form(reply, update))
        shown, pressed = None, interaction.message
        menu = str(pressed.id) if pressed is not None and in_menu(interaction) else ""
        completed = partial(self._open.offering, update, update.place.id, pressed=menu)
        passes = pressed is not None and pressed.id in self._expiring
        try:
            shown = await show(interaction, reply, receipt, completed, passes=passes)
        finally:
            if visit is not None:
                visit.posts_left -= shown is not None and not is_original(interaction, shown)
                visit.answered.set()
        if update.place.private and not warned:  # a later refusal is reported by a message of its own
            private.newest = interaction
            if private.closed:
                await self._tell_closed(private)
        if reply is not None and reply.expires is not None and shown is not None:
            await self._fades(reply.expires.time, reply.must_go != "", update.place.id, interaction, shown)
        elif shown is not None:
            address = _address(interaction, shown)
            await self._open.shown(update, update.place.id, str(shown.id), address, lives_s(interaction))
        if shown is None and pressed is not None and (reply is None or reply.role is not Role.NOTHING):
            await self._open.closed(update, update.place.id, str(pressed.id))

    async def _visited(self, interaction: discord.Interaction, update: Update) -> Visit | None:
        """Return the reply window that *interaction* opens in a place where the bot is no member; None elsewhere.
        Waiting posts go out now."""
        if not is_visited(update.place.id):
            return None
        visit = self._visits.comes(update.place.id, interaction)
        await self._core.place_changed(PlaceRegained(update.place.id))
        return visit

    def _private(self, update: Update) -> "PrivateChat":
        """Return the state of the private chat of *update*; a new one for other places."""
        if not update.place.private:
            return PrivateChat()
        channel = account(update.place.id)
        known = self._chats.get(channel)
        if known is None:
            known = self._chats[channel] = PrivateChat()
        return known

    async def closed(self, channel: int) -> None:
        """A private chat refused a post: report that to the person, once per interaction."""
        known = self._chats.get(channel)
        if known is not None:
            known.closed = True
            await self._tell_closed(known)

    async def _tell_closed(self, known: "PrivateChat") -> None:
        """Report by the newest answered interaction, if its token is valid, that nothing can be posted."""
        interaction, known.newest = known.newest, None
        if interaction is None or lives_s(interaction) <= 0:
            return
        try:
            await _follow_up(interaction, Reply(text=texts.say(NAME, "closed", str(interaction.locale))))
        except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
            log.info("discord: cannot notify user, direct messages are closed: error=%s", error)

    async def _fades(
        self, time: str, must_go: bool, place: PlaceId, interaction: discord.Interaction, shown: AnswerMessage
    ) -> None:
        """Let the core delete an answer when its time is over; one that must go is deleted before its token expires.

        Each press in a menu brings a new token, so a menu can be deleted for as long as it is used.
        """
        now = asyncio.get_running_loop().time()
        known, noted = self._expiring.get(shown.id, ("", 0.0))
        if shown.id in self._fading or (known == time and now - noted < self._fades_s / 2):
            return
        if must_go:
            wait_s = max(0.0, min(self._fades_s, lives_s(interaction)))
            self._fading[shown.id] = asyncio.get_running_loop().call_later(wait_s, self._withdraw, shown)
        self._expiring[shown.id] = time, now
        await self._core.delete_later(time, place, _address(interaction, shown), lives_s(interaction))

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
        focused = next((str(option["name"]) for option in options if option.get("focused")), "")
        try:
            async with asyncio.timeout(COMPLETE_WITHIN_S):
                suggestions = await self._core.complete(update_of(interaction), focused)
        except TimeoutError:
            suggestions = ()
        fitting = [
            suggestion for suggestion in suggestions if suggestion.label and 0 < len(suggestion.value) <= COMPLETION
        ][:COMPLETIONS]
        choices = [
            discord.app_commands.Choice(name=suggestion.label[:COMPLETION], value=suggestion.value)
            for suggestion in fitting
        ]
        try:
            await interaction.response.autocomplete(choices)
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED):  # the person typed on
                raise


async def _leading(interaction: discord.Interaction, update: Update, reply: Reply) -> Reply:
    """Return *reply* with a link to the private chat, if the pressed button works only there."""
    if reply.role is not Role.ALONE or update.place.private:
        return reply
    try:
        chat = await interaction.user.create_dm()
    except (discord.HTTPException, OSError, aiohttp.ClientError) as error:
        log.info("discord: private chat not opened: error=%s", error)
        return reply
    way = Button(texts.say(NAME, "alone", str(interaction.locale)), link=private_chat(chat.id))
    return msgspec.structs.replace(reply, links=(way,))


def _custom_id(interaction: discord.Interaction) -> str:
    """Return the custom_id of the pressed component or the form, or ""."""
    return str(sent(interaction).get("custom_id", ""))


def is_ours(interaction: discord.Interaction) -> bool:
    """Return whether a pressed component is of this bot, of any version."""
    return is_payload(unmarked(_custom_id(interaction))[0])


def _ticket(interaction: discord.Interaction) -> LaterAnswer:
    lang = str(interaction.locale)
    numbers = str(interaction.id), str(interaction.channel_id), str(interaction.application_id)
    return LaterAnswer(*numbers, interaction.token, lang, lacking(interaction, lang))


async def acknowledged(interaction: discord.Interaction) -> Receipt:
    """Acknowledge an interaction.

    ANSWERED: by another process, for example (or by a call that discord.py repeated). LOST: too late; Discord has told
    the person that it failed and takes no answer.
    """
    for tried in (False, True):
        try:
            thinks = interaction.type is InteractionType.application_command
            await interaction.response.defer(ephemeral=True, thinking=thinks)
            return Receipt.FRESH
        except discord.HTTPException as error:
            if error.code == ALREADY_ACKNOWLEDGED:
                return Receipt.FRESH if tried else Receipt.ANSWERED
            log.warning("discord: not acknowledged: interaction=%s error=%s", interaction.id, error)
            return Receipt.LOST
        except (OSError, aiohttp.ClientError) as error:
            if tried:
                log.warning("discord: not acknowledged: interaction=%s error=%r", interaction.id, error)
    return Receipt.LOST


async def unanswered(interaction: discord.Interaction) -> bool:
    """Return whether a command that another process took is still unanswered after a while.

    The board shows the effect of a press; a second answer to it would only confuse.
    """
    if interaction.type is not InteractionType.application_command:
        return False
    await asyncio.sleep(LOOK_AGAIN_S)
    try:
        return (await interaction.original_response()).flags.loading
    except discord.NotFound:
        return False  # the other process or the person has deleted it


async def show(
    interaction: discord.Interaction,
    reply: Reply | None,
    receipt: Receipt,
    completed: Callable[[Reply], Reply],
    *,
    passes: bool,
) -> AnswerMessage | None:
    """Show *reply* to the person. Return the message that shows it. *completed*: returns a message with a button for
    all that are open. *passes*: the pressed menu goes with its turn."""
    if receipt is Receipt.ANSWERED and not await unanswered(interaction):
        return None
    command = interaction.type is InteractionType.application_command
    menu = not command and in_menu(interaction)
    if reply is not None and reply.role is Role.NOTHING:
        if not command:
            return None
        reply = None
    if reply is None or (reply.role is Role.CLOSING and in_private(interaction)):
        if command or menu or reply is not None:
            await patiently(interaction.delete_original_response)
        return None
    if reply.board is not None and (command or menu):
        reply = reply.as_board
    if menu and reply.role.is_toast:
        reply = msgspec.structs.replace(reply, rows=(), narrow_rows=(), picture=None, file=None)
        if passes:
            await patiently(interaction.delete_original_response)
            if reply.expires is not None:  # the board confirms it
                return None
            menu = False
    reply = completed(_linked(reply))
    if command or (menu and not reply.role.is_note):
        return await _fill(interaction, reply)
    return await _follow_up(interaction, reply)


def _linked(reply: Reply) -> Reply:
    """Return *reply* as a message, with its links as buttons."""
    return msgspec.structs.replace(reply, rows=(*reply.rows, reply.links)) if reply.links else reply


def _address(interaction: discord.Interaction, shown: AnswerMessage) -> MessageId:
    """Return the address with which any process can delete an answer."""
    number = ORIGINAL if is_original(interaction, shown) else str(shown.id)
    return MessageId(f"{interaction.token}/{number}")


def is_original(interaction: discord.Interaction, shown: AnswerMessage) -> bool:
    """Return whether *shown* is the first answer to *interaction*, not a follow-up."""
    return isinstance(shown, discord.InteractionMessage) or shown.id == getattr(interaction, "original_id", None)


def in_private(interaction: discord.Interaction) -> bool:
    """Return whether a press came from a private message."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def in_menu(interaction: discord.Interaction) -> bool:
    """Return whether a press came from a private message that may be edited."""
    _, note = unmarked(_custom_id(interaction))
    return in_private(interaction) and not note


def _commands(interaction: discord.Interaction) -> Mapping[str, str]:
    return cast("Client", interaction.client).numbers


async def _fill(interaction: discord.Interaction, reply: Reply) -> AnswerMessage | None:
    """Edit the private message into *reply*. A menu keeps its form."""

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
    """Show *reply* for the first time, in a frame if it suits and Discord takes it."""
    if is_designed(reply):
        try:
            return await patiently(partial(say, True))
        except discord.HTTPException as error:
            if error.status != HTTPStatus.BAD_REQUEST:
                raise
            log.warning("discord: frame refused, retrying without: error=%s", error)
    return await patiently(partial(say, False))


async def patiently(call: Callable[[], Awaitable[T]]) -> T | None:
    """Do *call*; retry after a lost connection (a private reply may be sent twice). Return None if the message is
    gone."""
    for pause_s in (0.5, 2.0):
        try:
            return await call()
        except discord.NotFound:
            return None  # the person closed it
        except (OSError, aiohttp.ClientError):
            await asyncio.sleep(pause_s)
    return await call()
