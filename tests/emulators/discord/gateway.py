"""The gateway: HELLO, IDENTIFY, READY, heartbeats, dispatches, RESUME, over a websocket, compressed as asked for."""

import asyncio
import importlib
import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp import web

from tests.emulators.discord.world import Interaction, Server

if TYPE_CHECKING:
    from tests.emulators.discord.server import Discord

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT, INVALID, HELLO, ACK = 0, 1, 2, 3, 6, 7, 9, 10, 11
AUTHENTICATION_FAILED, INVALID_SHARD, SHARDING_REQUIRED = 4004, 4010, 4011

SERVERS = 1 << 0
"""The intent for servers and their channels."""
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15
"""Members, presences, message content."""


class Socket:
    """A websocket with the transport compression that the client asked for."""

    def __init__(self, raw: web.WebSocketResponse, request: web.Request) -> None:
        self.raw = raw
        self._request = request
        compress = request.query.get("compress", "")
        self._compress: Any = None
        if compress == "zlib-stream":
            self._compress = zlib.compressobj()
        elif compress == "zstd-stream":
            zstandard: Any = importlib.import_module("zstandard")  # the client has it, else it would not ask for it
            self._compress = zstandard.ZstdCompressor().compressobj()
        elif compress:
            raise AssertionError(f"compression {compress!r}")
        self._flush = zlib.Z_SYNC_FLUSH if compress == "zlib-stream" else 1  # zstandard: COMPRESSOBJ_FLUSH_BLOCK

    async def send(self, payload: dict[str, Any]) -> None:
        text = json.dumps(payload)
        if self._compress is None:
            await self.raw.send_str(text)
        else:
            await self.raw.send_bytes(self._compress.compress(text.encode()) + self._compress.flush(self._flush))

    def drop(self) -> None:
        """End the connection without a close frame."""
        if self._request.transport is not None:
            self._request.transport.abort()


@dataclass(eq=False)
class Session:
    """One shard's session; it outlives its connection, so that it can be resumed."""

    id: str
    shard: tuple[int, int]
    intents: int
    events: list[dict[str, Any]] = field(default_factory=list)
    socket: Socket | None = None

    async def dispatch(self, name: str, data: dict[str, Any]) -> None:
        self.events.append({"op": DISPATCH, "t": name, "s": len(self.events) + 1, "d": data})
        if self.socket is not None and not self.socket.raw.closed:
            await self.socket.send(self.events[-1])


class Gateway:
    """All sessions, and what clients said: *identified* (all such requests), *resumed* and *heartbeats* (how often)."""

    def __init__(self, discord: "Discord") -> None:
        self._discord = discord
        self.sessions: list[Session] = []
        self.identified: list[dict[str, Any]] = []
        self.resumed = 0
        self.heartbeats = 0
        self.heartbeat_ms = 41250
        self.fewest_shards = 1
        self.apart_s = 0.0  # one shard of a line may identify itself in so many seconds; five at Discord
        self._last: dict[int, float] = {}

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection, from its handshake to its end."""
        raw = web.WebSocketResponse()
        await raw.prepare(request)
        socket = Socket(raw, request)
        session: Session | None = None
        await socket.send({"op": HELLO, "d": {"heartbeat_interval": self.heartbeat_ms}, "s": None, "t": None})
        async for message in raw:
            if message.type is not aiohttp.WSMsgType.TEXT:
                break
            said = json.loads(message.data)
            match said["op"]:
                case op if op == HEARTBEAT:
                    self.heartbeats += 1
                    await socket.send({"op": ACK, "d": None, "s": None, "t": None})
                    self._discord.changed()
                case op if op == IDENTIFY:
                    session = await self._identify(said["d"], socket)
                case op if op == RESUME:
                    session = await self._resume(said["d"], socket)
                case op:
                    self._discord.violations.append(f"gateway: operation {op}")
        if session is not None and session.socket is socket:
            session.socket = None
            if raw.close_code in (1000, 1001) and session in self.sessions:
                self.sessions.remove(session)  # a clean close ends the session
        self._discord.changed()
        return raw

    async def _identify(self, data: dict[str, Any], socket: Socket) -> Session | None:
        self.identified.append(data)
        line = (data.get("shard") or (0, 1))[0] % self._discord.max_concurrency
        now = asyncio.get_running_loop().time()
        if now < self._last.get(line, -self.apart_s) + self.apart_s:
            self._discord.violations.append(f"shard {data['shard']} identifies too soon")
        self._last[line] = now
        self._discord.starts_left -= 1
        if data["token"] != self._discord.token:
            await socket.raw.close(code=AUTHENTICATION_FAILED)
            return None
        if data["intents"] & PRIVILEGED:
            self._discord.violations.append(f"privileged intents {data['intents']:b}")
        shard = tuple(data.get("shard") or (0, 1))
        if not 0 <= shard[0] < shard[1]:
            await socket.raw.close(code=INVALID_SHARD)
            return None
        if shard[1] < self.fewest_shards:
            await socket.raw.close(code=SHARDING_REQUIRED)
            return None
        self.sessions = [session for session in self.sessions if session.shard != shard]
        session = Session(f"session-{len(self.identified)}", (shard[0], shard[1]), data["intents"], socket=socket)
        self.sessions.append(session)
        servers = [
            server for server in self._discord.servers if server.member and self._of(server.id, shard[1]) == shard[0]
        ]
        await session.dispatch(
            "READY",
            {
                "v": 10,
                "user": self._discord.bot_user,
                "guilds": [{"id": str(server.id), "unavailable": True} for server in servers],
                "session_id": session.id,
                "resume_gateway_url": self._discord.gateway_url,
                "shard": list(shard),
                "application": {"id": str(self._discord.application_id), "flags": 0},
            },
        )
        for server in servers:
            if session.intents & SERVERS:
                await session.dispatch("GUILD_CREATE", server.whole(self._discord.channels.values()))
        self._discord.changed()
        return session

    async def _resume(self, data: dict[str, Any], socket: Socket) -> Session | None:
        session = next((session for session in self.sessions if session.id == data["session_id"]), None)
        if session is None or data["token"] != self._discord.token:
            await socket.send({"op": INVALID, "d": False, "s": None, "t": None})
            return None
        self.resumed += 1
        missed = session.events[data["seq"] or 0 :]
        session.socket = socket
        for event in missed:
            await socket.send(event)
        await session.dispatch("RESUMED", {})
        self._discord.changed()
        return session

    @staticmethod
    def _of(server: int, shards: int) -> int:
        return (server >> 22) % shards

    async def deliver(self, interaction: Interaction) -> None:
        """Send an interaction to the shard that it belongs to."""
        server = interaction.channel.server
        for session in self.sessions:
            if session.shard[0] == (self._of(server.id, session.shard[1]) if server is not None else 0):
                return await session.dispatch("INTERACTION_CREATE", interaction.payload())
        raise AssertionError("the bot is not connected")

    async def tell(self, server: Server, event: str, data: dict[str, Any]) -> None:
        """Send the event of a server, if the client has asked for it."""
        for session in self.sessions:
            if session.intents & SERVERS and session.shard[0] == self._of(server.id, session.shard[1]):
                await session.dispatch(event, data)

    def drop(self) -> None:
        """End all connections as a network failure does."""
        for session in self.sessions:
            if session.socket is not None:
                session.socket.drop()
                session.socket = None

    async def ask_to_reconnect(self) -> None:
        for session in self.sessions:
            if session.socket is not None:
                await session.socket.send({"op": RECONNECT, "d": None, "s": None, "t": None})

    async def close(self) -> None:
        for session in self.sessions:
            if session.socket is not None:
                await session.socket.raw.close(code=1001)
