"""Discord as a `bot.chat.Platform`: the connection, and posts by the bot's own permissions."""

import asyncio
import contextlib
import itertools
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, TypeVar

import discord

import texts
from bot.adapters.on_discord import NAME, Shards
from bot.adapters.on_discord.answers import FADES_S, Answers
from bot.adapters.on_discord.client import LOST, PERMISSIONS, Client, point_at
from bot.adapters.on_discord.dealing import EVERY_S, TTL_S, Dealt
from bot.adapters.on_discord.errors import Closed, undelivered
from bot.adapters.on_discord.links import Links
from bot.adapters.on_discord.messages import NOBODY, account, content, cut, files, pings, posted, view
from bot.adapters.on_discord.servers import Servers
from bot.adapters.on_discord.slash import entry_points, known, menu
from bot.adapters.on_discord.starts import EACH_S, Starts
from bot.adapters.on_discord.visits import Visits, is_visited
from bot.chat import (
    Capabilities,
    Core,
    Gone,
    Membership,
    MessageId,
    MessagePart,
    PersonId,
    PlaceId,
    Post,
    Priority,
    Reception,
    Refused,
    Storage,
    Thread,
    TryLater,
    Unexplained,
    Unusable,
)
from bot.requests.commands import Command
from bot.runtime.network import Proxy
from bot.runtime.retry import CONNECTIONS_S, Refusals
from bot.runtime.tasks import cancelled

log = logging.getLogger(__name__)

T = TypeVar("T")

TITLE = 100
"""Characters in the name of a thread."""

START_PATIENCE_S = 5.0
"""How long `start` waits for Discord's answer."""
FINISH_S = 1.5
CLOSE_S = 1.0
"""Timeouts of `rest` for running answers and of `stop` for the connections: together less than 3 seconds."""

_WRONG_TOKEN = 4004
_WRONG_SHARDS = frozenset((4010, 4011))


def say(key: str, /, **facts: object) -> str:
    """Return a line for the operator."""
    return texts.say(NAME, f"operator.{key}", texts.DEFAULT, **facts)


def _refuses_token(error: Exception) -> bool:
    """Return whether *error* is Discord's own answer to a wrong token, not a page of a server between."""
    if isinstance(error, discord.LoginFailure):
        answer = error.__cause__
        return isinstance(answer, discord.HTTPException) and answer.text.startswith("401: ")
    return isinstance(error, discord.ConnectionClosed) and error.code == _WRONG_TOKEN


def _tell_why(life: asyncio.Task[None]) -> None:
    """Log the error that ended the connection for good."""
    if not life.cancelled() and (error := life.exception()) is not None:
        log.error("discord: %s", error)


class DiscordChat:
    """See `bot.chat.Platform`. *shards*: those of the settings; None: all that Discord recommends.
    *fades_s*: see `Answers`. *each_s*: see `Starts`. *lease_s*, *renewal_s*: see `Dealt`."""

    def __init__(
        self,
        token: str,
        commands: Iterable[Command],
        *,
        api_url: str = "",
        gateway_url: str = "",
        shards: Shards | None = None,
        proxy: Proxy | None = None,
        fades_s: float = FADES_S,
        each_s: float = EACH_S,
        lease_s: float = TTL_S,
        renewal_s: float = EVERY_S,
    ) -> None:
        self._token = token
        self._menu = menu(commands)
        self._api_url = api_url
        self._gateway_url = gateway_url
        self._shards = shards
        self._proxy = proxy
        self._fades_s = fades_s
        self._each_s = each_s
        self._lease_s = lease_s
        self._renewal_s = renewal_s
        self._dealt: Dealt | None = None
        self._visits = Visits()
        self._client: Client | None = None  # logged in
        self._answers: Answers | None = None
        self._servers: Servers | None = None
        self._links: Links | None = None
        self._life: asyncio.Task[None] | None = None
        self._rests = False
        self._up = asyncio.Event()
        self._down = asyncio.Event()  # a first try failed
        self._refusals = Refusals()  # of the token

    @property
    def name(self) -> str:
        return NAME

    def capabilities(self, place: PlaceId, /) -> Capabilities:
        return Capabilities(dedupes_posts=True, replies_only=is_visited(place))

    @property
    def reception(self) -> Reception:
        if self._client is not None:
            return Reception.UP if self._client.is_up else Reception.DOWN
        return Reception.STANDBY if self._dealt is not None and self._dealt.is_waiting else Reception.DOWN

    async def start(self, core: Core, storage: Storage) -> str:
        point_at(self._api_url, self._gateway_url)
        self._servers = servers = Servers(core)
        self._links = Links(servers, self._described)
        self._answers = Answers(core, storage, servers, self._visits, self._fades_s)
        starts = Starts(storage, self._each_s)
        waiting = self._down
        if self._shards is not None and self._shards[0] is None:
            self._dealt = Dealt(storage, self._shards[1], ttl_s=self._lease_s, every_s=self._renewal_s)
            waiting = self._dealt.waiting
        self._life = asyncio.create_task(self._live(self._answers, servers, starts), name="discord")
        waits = [asyncio.create_task(event.wait()) for event in (self._up, self._down, waiting)]
        await asyncio.wait({self._life, *waits}, timeout=START_PATIENCE_S, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        if self._life.done() and not self._life.cancelled():
            self._life.result()
        self._life.add_done_callback(_tell_why)
        client = self._client
        if self._dealt is not None and self._dealt.is_waiting:
            return say("standby")
        if client is None or not self._up.is_set() or client.user is None or client.application_id is None:
            return f"{say('token')} {say('retrying')}" if self._refusals.times else say("connecting")
        link = discord.utils.oauth_url(
            client.application_id, permissions=PERMISSIONS, scopes=("bot", "applications.commands")
        )
        return say("ready", name=client.user.name, n=len(client.guilds), link=link)

    async def rest(self) -> None:
        if self._rests:
            return
        self._rests = True
        if self._answers is not None:
            self._answers.stop()
        at_it = [task for part in (self._answers, self._servers) if part is not None for task in part.running]
        if at_it:
            await asyncio.wait(at_it, timeout=FINISH_S)

    async def stop(self) -> None:
        await self.rest()
        if self._life is not None:
            await cancelled(self._life, most_s=CLOSE_S)
        if self._dealt is not None:
            await self._dealt.release()

    @property
    def servers(self) -> int | None:
        return None if self._servers is None else self._servers.count

    async def ended(self) -> str:
        assert self._life is not None
        await asyncio.wait({self._life})
        error = None if self._life.cancelled() else self._life.exception()
        return str(error or "stopped")

    # Connection

    async def _live(self, answers: Answers, servers: Servers, starts: Starts) -> None:
        """Connect, and reconnect whenever the connection ended for good. Raises `Unusable` if a retry is useless."""
        tries = 0
        while True:
            refused = False
            self._up.clear()
            try:
                await self._connected(answers, servers, starts)
            except (discord.LoginFailure, discord.ConnectionClosed) as error:
                refused = _refuses_token(error)
                if refused and self._refusals.again():
                    raise Unusable(say("token")) from None
                code = error.code if isinstance(error, discord.ConnectionClosed) else 401
                if code in _WRONG_SHARDS and self._shards is not None:
                    raise Unusable(say("shards")) from None
                problem = f"closed with {code}"
            except LOST as error:
                problem = type(error).__name__
            except Exception as error:
                log.exception("discord: the connection failed")
                problem = type(error).__name__
            else:
                if self._dealt is not None and self._dealt.is_lost:
                    continue
                problem = "closed"
            tries = 0 if self._up.is_set() else tries
            if not refused:
                self._refusals.end()
            if tries == 0:
                trouble = f"{say('token')} {say('retrying')}" if refused else say("unreachable", problem=problem)
                log.warning(trouble)
            self._down.set()
            await asyncio.sleep(CONNECTIONS_S[min(tries, len(CONNECTIONS_S) - 1)])
            tries += 1

    async def _connected(self, answers: Answers, servers: Servers, starts: Starts) -> None:
        """One login, as long as it lasts."""
        shards = await self._own_shards()
        client = Client(answers, self._up.set, shards, servers.listeners, starts, self._proxy)
        tasks: list[asyncio.Task[None]] = []
        try:
            await client.login(self._token)
            self._client = client
            tasks.append(asyncio.create_task(self._register(client), name="discord commands"))
            tasks.append(asyncio.create_task(answers.look_after(client), name="discord answers"))
            await self._stay_connected(client)
        finally:
            self._client = None
            for task in tasks:
                task.cancel()
            await self._closed(client)

    async def _own_shards(self) -> tuple[range, int] | None:
        """Return the shards of this process and the total number; wait until the store hands some out."""
        if self._shards is None:
            return None
        shards, total = self._shards
        if shards is None:
            assert self._dealt is not None
            shards = await self._dealt.take()
        return shards, total

    async def _stay_connected(self, client: Client) -> None:
        """Connect; return when the connection ends, or when another process has the shards."""
        if self._dealt is None:
            await client.connect()
            return
        connecting = asyncio.create_task(client.connect(), name="discord connection")
        keeping = asyncio.create_task(self._dealt.keep(), name="discord shards")
        try:
            await asyncio.wait((connecting, keeping), return_when=asyncio.FIRST_COMPLETED)
            if connecting.done():
                connecting.result()
        finally:
            await cancelled(connecting, keeping)

    @staticmethod
    async def _closed(client: Client) -> None:
        """Close open connections, without waiting for a server that does not answer."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSE_S / 2):
                await client.close()
        await client.http.close()

    async def _register(self, client: Client) -> None:
        """Register our commands at Discord, if they differ."""
        for tries in itertools.count():
            try:
                there = await client.commands()
                if not known(self._menu, there):
                    there = await client.set_commands([*self._menu, *entry_points(there)])
                    log.info(say("registered", n=len(self._menu)))
                client.numbers = {str(command["name"]): str(command["id"]) for command in there}
            except Exception as error:
                # Old commands still work, so this does not stop the bot; but the operator must know.
                log.warning(say("unregistered", problem=str(error) or type(error).__name__))
                await asyncio.sleep(CONNECTIONS_S[min(tries, len(CONNECTIONS_S) - 1)])
            else:
                return

    # Posting

    @property
    def _numbers(self) -> Mapping[str, str]:
        return {} if self._client is None else self._client.numbers

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        if is_visited(place):
            return await self._visits.post(
                place,
                content=content(post, self._numbers),
                files=files(post),
                view=view(posted(post)) or discord.utils.MISSING,
                allowed_mentions=pings(post),
                suppress_embeds=True,
            )

        async def send(channel: discord.PartialMessageable) -> MessageId:
            message = await channel.send(
                content(post, self._numbers),
                files=files(post),
                view=view(posted(post)) or discord.utils.MISSING,
                allowed_mentions=pings(post),
                nonce=nonce,
                suppress_embeds=True,
            )
            return MessageId(str(message.id))

        try:
            sent = await self._deliver(place, send)
        except Refused as no:
            if isinstance(no, Closed) and self._answers is not None:
                await self._answers.closed(account(place))
            if self._servers is not None:
                self._servers.took(account(place), refused=True)
            raise
        if self._servers is not None:
            self._servers.took(account(place), refused=False)
        return sent

    async def wait_for_quota(self, place: PlaceId, priority: Priority) -> None:
        """Return at once: Discord answers with its rate limits."""

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        said: dict[str, Any] = {
            "content": content(post, self._numbers),
            "attachments": files(post),
            "view": view(posted(post)),
            "allowed_mentions": NOBODY,  # the post has pinged the person
        }
        if is_visited(place):
            await self._visits.edit(message, **said)
            return

        async def change(channel: discord.PartialMessageable) -> None:
            await channel.get_partial_message(int(message)).edit(**said)

        await self._deliver(place, change)

    async def remove(self, place: PlaceId, message: MessageId, part: MessagePart) -> None:
        if part is MessagePart.BUTTONS:
            await self._strip(place, message)
        else:
            await self._delete(place, message)

    async def _strip(self, place: PlaceId, message: MessageId) -> None:
        if is_visited(place):
            await self._visits.edit(message, view=None)
            return

        async def bare(channel: discord.PartialMessageable) -> None:
            await channel.get_partial_message(int(message)).edit(view=None)

        await self._deliver(place, bare)

    async def _delete(self, place: PlaceId, message: MessageId) -> None:
        async def remove(channel: discord.PartialMessageable) -> None:
            token, _, number = message.rpartition("/")
            if token:  # a private answer, see Answers
                assert self._client is not None
                await self._client.withdraw(token, number)
            elif is_visited(place):
                await self._visits.delete(message)
            else:
                await channel.get_partial_message(int(message)).delete()

        with contextlib.suppress(Gone):
            await self._deliver(place, remove)

    async def show_typing(self, place: PlaceId) -> None:
        if is_visited(place):
            return

        async def write(channel: discord.PartialMessageable) -> None:
            await channel.typing()

        await self._deliver(place, write)

    async def membership(self, place: PlaceId, person: PersonId) -> Membership:
        """Return whether *person* is in the server. Who manages it does not matter here: private replies are in the
        table's channel, so no press comes from elsewhere."""
        if is_visited(place) or self._servers is None or self._client is None:
            return Membership.UNKNOWN
        server = self._servers.server_of(account(place))
        try:
            return Membership.UNKNOWN if server is None else await self._client.membership(server, account(person))
        except Exception as error:
            raise undelivered(error) from error

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        if is_visited(place):
            return self._visits.link(place, message)
        return None if self._links is None else await self._links.link(place, message)

    async def open_thread(self, place: PlaceId, title: str) -> Thread:
        async def open_thread(channel: discord.PartialMessageable) -> Mapping[str, Any]:
            assert self._client is not None
            return await self._client.opens_thread(channel.id, cut(title, TITLE))

        made = await self._deliver(place, open_thread)
        server, thread = int(made["guild_id"]), int(made["id"])
        if self._servers is not None:
            self._servers.note(server, thread)
        return Thread(PlaceId(f"{NAME}:{thread}"), f"https://discord.com/channels/{server}/{thread}")

    async def _described(self, place: PlaceId) -> Mapping[str, Any]:
        """Return Discord's description of a channel. Raises Undelivered."""

        async def ask(channel: discord.PartialMessageable) -> Mapping[str, Any]:
            assert self._client is not None
            return await self._client.described(channel.id)

        return await self._deliver(place, ask)

    async def _deliver(self, place: PlaceId, do: Callable[[discord.PartialMessageable], Awaitable[T]]) -> T:
        """Call *do* with a channel; every error becomes an `Undelivered`."""
        client = self._client
        if client is None:
            raise TryLater(CONNECTIONS_S[2], "not connected")
        try:
            return await do(client.get_partial_messageable(account(place)))
        except Exception as error:
            problem = undelivered(error)
            if isinstance(problem, Unexplained):
                log.exception("discord: call failed: place=%s", place)
            raise problem from error
