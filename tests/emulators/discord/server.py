"""The emulator itself: its address, its faults, its records."""

import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self, TypeVar

from aiohttp import web
from aiohttp.typedefs import Middleware

from tests.bot.servers import free_port
from tests.emulators import forms
from tests.emulators.discord.faults import Broken, Dropped, Fault, Slow, TooMany
from tests.emulators.discord.gateway import Gateway
from tests.emulators.discord.people import Person
from tests.emulators.discord.rest import Answer, Rest, answer
from tests.emulators.discord.world import GROUP, THREAD, Channel, Interaction, Server, snowflake

T = TypeVar("T")

LOOK_FOR_S = 30.0


class Discord:
    """See the package. *violations*: broken limits, in order; *requests*: "METHOD path", in order."""

    def __init__(self, middlewares: Sequence[Middleware] = ()) -> None:
        self._middlewares = middlewares
        self.token = "token-of-the-bot"
        self.look_for_s = LOOK_FOR_S
        self.answer_within_s = 3.0
        self.application_id = snowflake()
        self.bot_user: dict[str, Any] = {
            "id": str(self.application_id),
            "username": "kaleidobot",
            "global_name": "Kaleidobot",
            "discriminator": "0",
            "avatar": None,
            "bot": True,
        }
        self.shards = 1
        self.starts_left = 999
        self.starts_again_ms = 14_400_000
        self.max_concurrency = 1
        self.flags = 0  # of the application: which privileged intents are on
        self.knows_v2 = True  # takes messages of Components V2
        self.endpoint = ""  # where interactions are brought to instead of the gateway
        self.commands: list[dict[str, Any]] = []
        self.home = Server("Home")
        self.servers = [self.home]
        self.channels: dict[int, Channel] = {}
        self.people: dict[int, Person] = {}
        self.interactions: dict[str, Interaction] = {}  # by token
        self.violations: list[str] = []
        self.requests: list[str] = []
        self.hears: Callable[[bytes], None] | None = None  # called with every request, heads and bodies
        self.gateway = Gateway(self)
        self._faults: list[tuple[str, str, Fault]] = []
        self._change = asyncio.Event()
        self._runner: web.AppRunner | None = None
        self._port = free_port()

    # Its life

    async def __aenter__(self) -> Self:
        app = web.Application(middlewares=[*self._middlewares, self._on_its_way], client_max_size=30 * 1024 * 1024)
        Rest(self).add_to(app)
        app.router.add_get("/gateway/", self.gateway.handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        await self.opens()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
        if error is None:
            late = [interaction for interaction in self.interactions.values() if interaction.first_answer is None]
            assert not late, f"never answered: {late}"
            assert not self.violations, "\n".join(self.violations)

    async def opens(self) -> None:
        """Listen on the same port as before."""
        assert self._runner is not None
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, reuse_address=True)
        await site.start()

    async def shuts(self) -> None:
        """Refuse connections until it opens again, and end the existing ones."""
        assert self._runner is not None
        self.gateway.drop()
        for site in list(self._runner.sites):
            await site.stop()
        assert self._runner.server is not None
        for connection in self._runner.server.connections:
            connection.force_close()

    @property
    def api_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"ws://127.0.0.1:{self._port}/gateway/"

    @property
    def environment(self) -> dict[str, str]:
        """The variables that send a bot here."""
        return {
            "DISCORD_TOKEN": self.token,
            "DISCORD_API_URL": self.api_url,
            "DISCORD_GATEWAY_URL": self.gateway_url,
            "DISCORD_SHARDS": "",
        }

    # What there is

    def server(self, name: str, locale: str = "en-US", member: bool = True) -> Server:
        self.servers.append(Server(name, locale, member))
        return self.servers[-1]

    async def adds_the_bot(self, server: Server) -> None:
        """Add the bot to *server* as a person; a connected bot receives an event."""
        server.member, server.joined = True, datetime.now(UTC)
        said = server.whole(self.channels.values())
        del said["unavailable"]
        await self.gateway.tell(server, "GUILD_CREATE", said)

    async def removes_the_bot(self, server: Server, unavailable: bool = False) -> None:
        """Remove the bot from *server* as a person, or make the server *unavailable* for a while."""
        server.member = unavailable
        said: dict[str, Any] = {"id": str(server.id)} | ({"unavailable": True} if unavailable else {})
        await self.gateway.tell(server, "GUILD_DELETE", said)

    def channel(self, name: str, server: Server | None = None) -> Channel:
        """Return a text channel, by default in the server Home."""
        made = Channel(self, name, server=server or self.home)
        self.channels[made.id] = made
        return made

    def thread(self, name: str, parent: Channel) -> Channel:
        made = Channel(self, name, THREAD, parent.server, parent=parent)
        self.channels[made.id] = made
        return made

    def group(self, name: str) -> Channel:
        """Return a private group of people without the bot."""
        made = Channel(self, name, GROUP)
        self.channels[made.id] = made
        return made

    def person(
        self, name: str, at: Channel, *, locale: str = "en-US", permissions: int = 0, user_installed: bool = False
    ) -> Person:
        """Return a person who is in *at*. *permissions*: theirs there; *user_installed*: they have installed the
        app."""
        made = Person(self, name, at, locale, permissions, user_installed)
        self.people[made.id] = made
        return made

    # --- Faults

    def will(self, method: str, path: str, *faults: Fault) -> None:
        """Let the next requests with *method* and *path* (a part of it) fail with these *faults*, one each."""
        self._faults += [(method, path, fault) for fault in faults]

    @web.middleware
    async def _on_its_way(self, request: web.Request, handler: Callable[[web.Request], Any]) -> web.StreamResponse:
        if request.path.startswith("/gateway"):
            return await self._typed(handler, request)
        path = request.path.removeprefix("/api/v10")
        self.requests.append(f"{request.method} {path}")
        if self.hears is not None:
            self.hears(await forms.whole(request))
        self.changed()
        fault = next((fault for fault in self._faults if fault[0] == request.method and fault[1] in path), None)
        if fault is not None:
            self._faults.remove(fault)
        try:
            match fault[2] if fault else None:
                case TooMany(after_s, via):
                    said = {"message": "You are being rate limited.", "retry_after": after_s, "global": False}
                    headers = {"Retry-After": str(after_s)} | ({"Via": "1.1 emulator"} if via else {})
                    return answer(said, 429, headers)
                case Broken(status, code):
                    return answer({"message": "broken", "code": code}, status)
                case Slow(seconds):
                    await asyncio.sleep(seconds)
                    return await self._typed(handler, request)
                case Dropped(done):
                    if done:
                        await self._typed(handler, request)
                    else:
                        await request.read()
                    assert request.transport is not None
                    request.transport.close()
                    return answer({}, 500)
                case _:
                    return await self._typed(handler, request)
        except Answer as error:
            return answer({"message": error.message, "code": error.code}, error.status)
        finally:
            self.changed()

    @staticmethod
    async def _typed(handler: Callable[[web.Request], Any], request: web.Request) -> web.StreamResponse:
        made: web.StreamResponse = await handler(request)
        return made

    # --- Events

    async def deliver(self, interaction: Interaction) -> None:
        """Deliver an interaction to the bot, or repeat it."""
        self.interactions[interaction.token] = interaction
        interaction.sent_at = interaction.sent_at or asyncio.get_running_loop().time()
        await self.gateway.deliver(interaction)

    def changed(self) -> None:
        """Notify all waiting tasks of an event."""
        self._change.set()
        self._change = asyncio.Event()

    async def until(self, look: Callable[[], T | None], what: str) -> T:
        """Wait until *look* finds something."""
        result = look()
        try:
            async with asyncio.timeout(self.look_for_s):
                while result is None:
                    await self._change.wait()
                    result = look()
        except TimeoutError:
            raise AssertionError(f"it never happened that {what}; instead:\n{self.transcript()}") from None
        return result

    async def connected(self, times: int = 1) -> None:
        """Wait until the bot has identified itself so many times, and knows its commands."""
        await self.until(
            lambda: (len(self.gateway.identified) >= times and any(s.socket for s in self.gateway.sessions)) or None,
            f"the bot connects for the {times}. time",
        )
        await self.until(lambda: self.commands or None, "the commands are registered")

    def transcript(self) -> str:
        """Return all messages, for reading after a failure."""
        lines = []
        for channel in self.channels.values():
            lines.append(f"== {channel.name}")
            for message in channel.messages:
                who = f"only {message.reader.name}" if message.reader else "all"
                state = " (deleted)" if message.deleted else " (thinking)" if message.loading else ""
                lines.append(f"[{who}]{state} {message.words} {json.dumps(message.rows, ensure_ascii=False)}")
        return "\n".join([*lines, "== last requests", *self.requests[-15:], *self.violations])
