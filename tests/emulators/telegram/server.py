"""An emulated Telegram for tests: the Bot API over real sockets, as strict as its documentation.

Requests that violate the documentation are refused as Telegram would and recorded in `Telegram.violations`. Tests can
order faults: rate limits, server errors, lost connections, silence, repeated updates.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Middleware

from tests.emulators import forms
from tests.emulators.telegram.methods import Failure, Methods, Params, allowed
from tests.emulators.telegram.world import Chat, Json, Person, Tap

T = TypeVar("T")
PATIENCE_S = 45.0
LOOK_S = 0.1  # the awaited state may change without a request
SECRET = "X-Telegram-Bot-Api-Secret-Token"
DEEP = "<nested>"  # a placeholder for values that JSON cannot hold


@dataclass(frozen=True)
class Call:
    """One request, as it came."""

    method: str
    params: Params

    @property
    def chat(self) -> int | None:
        given = self.params.get("chat_id")
        return int(given) if isinstance(given, str) else None


@dataclass
class Trouble:
    """*kind*: "status" (an answer with *status*), "drop" (the connection is cut), "silence" (never an answer), "pause"
    (too many requests, with a second to wait).

    *after*: the request is carried out first. *method* and *chat* None: any. *times*: how many requests it meets.
    """

    kind: str
    method: str | None = None
    chat: int | None = None
    times: int = 1
    after: bool = False
    status: int = 502

    def meets(self, call: Call) -> bool:
        named = self.method == call.method if self.method else call.method != "getUpdates"
        return self.times > 0 and named and self.chat in (None, call.chat)


class Telegram:
    """A Telegram of one bot. ``async with Telegram() as telegram: …`` serves it on loopback."""

    def __init__(
        self,
        token: str = "123456:AAEmulated_token-of-the-test-bot0123",
        username: str = "kaleido_bot",
        *,
        knows_ephemeral: bool = False,
        middlewares: Sequence[Middleware] = (),
    ) -> None:
        """Create a server of 2026. Without *knows_ephemeral*, an older one that posts private messages publicly."""
        self._middlewares = middlewares
        self.patience_s = PATIENCE_S
        self.token = token
        self.username = username
        self.knows_ephemeral = knows_ephemeral
        self.keeps_flags = knows_ephemeral  # of commands that go to the bot alone
        self.sees_all = False  # privacy mode switched off
        self.joins_groups = True
        self.webhook_trouble: Json = {}  # the result of the last attempt to deliver an update
        self.people: list[Person] = []
        self.chats: dict[int, Chat] = {}
        self.calls: list[Call] = []
        self.hears: Callable[[bytes], None] | None = None  # called with every request, heads and bodies
        self.violations: list[str] = []
        self.reused: list[str] = []  # of the violations, those that a lost record explains
        self.troubles: list[Trouble] = []
        self._paused: dict[tuple[str, str], float] = {}  # which requests may come again, and from when on
        self.taps: dict[str, Tap] = {}
        self.guests: dict[str, Json] = {}  # answers to queries from chats without the bot, by query id
        self.about: dict[tuple[str, str], str] = {}  # the bot's descriptions, by kind and language
        self.menus: dict[tuple[str, str], list[Json]] = {}
        self.listening = False  # whether the bot waits for updates
        self.webhook = ""
        self._deep = "[]"
        self.secret = ""
        self._limits: dict[str, tuple[int, float]] = {}
        self._arrived: dict[tuple[str, object], deque[float]] = {}
        self.url = ""
        self._updates: list[Json] = []
        self._delivered: list[Json] = []
        self._again: list[Json] = []
        self._number = 1000
        self._change = asyncio.Condition()
        self.asks = 0  # how often the bot has asked for updates
        self._methods = Methods(self)
        self._runner: web.AppRunner | None = None
        self._session: aiohttp.ClientSession | None = None
        self._pushes: set[asyncio.Task[None]] = set()

    # --- Contents

    def person(self, first_name: str, last_name: str = "", username: str = "", lang: str = "en") -> Person:
        person = Person(self, 5_000_000_001 + len(self.people), first_name, last_name, username, lang)
        self.people.append(person)
        return person

    def group(self, title: str, *members: Person, kind: str = "supergroup") -> Chat:
        """Return a group with the bot; the first member is its administrator."""
        number = -(1_001_000_000_000 if kind == "supergroup" else 4_000_000) - len(self.chats)
        chat = self.chat(number, kind, title)
        chat.members, chat.admins = list(members), list(members[:1])
        return chat

    def chat(self, number: int, kind: str, title: str = "") -> Chat:
        self.chats[number] = Chat(self, number, kind, title)
        return self.chats[number]

    def bot_json(self) -> Json:
        return {"id": int(self.token.split(":")[0]), "is_bot": True, "first_name": "Kaleido", "username": self.username}

    def asked(self, method: str) -> list[Call]:
        """Return the requests of *method* so far."""
        return [call for call in self.calls if call.method == method]

    @property
    def waiting(self) -> int:
        """How many updates the bot has not taken yet."""
        return len(self._updates)

    def announces_aside(self, command: str, lang: str) -> bool:
        """Return whether the menu of groups marks *command* as ephemeral."""
        menu = self.menus.get(("all_group_chats", lang)) or self.menus.get(("all_group_chats", "")) or []
        return any(known["command"] == command and known.get("is_ephemeral") is True for known in menu)

    # Waiting

    async def until(self, value: Callable[[], T | None], what: str = "it happens") -> T:
        """Wait until *value* returns a result, checked after every request and periodically; return it."""
        try:
            async with asyncio.timeout(self.patience_s):
                while not (result := value()):
                    async with self._change:
                        with suppress(TimeoutError):
                            async with asyncio.timeout(LOOK_S):
                                await self._change.wait()
                return result
        except TimeoutError:
            recent = "\n".join(f"  {call.method} {_brief(call.params)}" for call in self.calls[-12:])
            raise AssertionError(f"waited in vain until {what}; the bot's last requests:\n{recent}") from None

    async def handled(self) -> None:
        """Wait until the bot has said that all updates so far are handled."""
        await self.until(lambda: not self._updates, "all updates are handled")

    async def _changed(self) -> None:
        async with self._change:
            self._change.notify_all()

    # Updates

    def next_number(self) -> int:
        self._number += 1
        return self._number

    def arrives(self, update: Json, hidden: bool = False) -> None:
        """Record an event; the bot receives it unless it is *hidden*."""
        if hidden:
            return
        self._updates.append({"update_id": self.next_number(), **update})
        self._tell()

    def repeats(self, newest: int = 0) -> None:
        """Deliver every update so far again, or only the *newest*, as if the bot had not confirmed them."""
        self._again = self._delivered[-newest:]
        self._tell()

    def nests(self, depth: int) -> None:
        """Deliver an update with lists nested *depth* deep."""
        self._deep = "[" * depth + "]" * depth
        self.arrives({"message": {"nested": DEEP}})

    def tapped(self, tap: Tap) -> Tap:
        self.taps[tap.query] = tap
        return tap

    def _tell(self) -> None:
        if self.webhook:
            self._begin(self._push())
        self._begin(self._changed())

    def _begin(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._pushes.add(task)
        task.add_done_callback(self._pushes.discard)

    async def _push(self) -> None:
        """Deliver updates to the webhook, with retries until they are accepted."""
        assert self._session is not None
        for update in list(self._updates):
            while update in self._updates:
                headers = {SECRET: self.secret} if self.secret else {}
                async with self._session.post(self.webhook, json=update, headers=headers) as answer:
                    if answer.status // 100 == 2:
                        self._updates = [other for other in self._updates if other is not update]
                        self._delivered.append(update)
                    else:
                        await asyncio.sleep(0.05)
        await self._changed()

    # Troubles

    def floods(self, chat: Chat, seconds: int) -> None:
        """Let *chat* exceed its rate limit for *seconds*, from the next request on."""
        chat.flooded = -float(seconds)  # the clock starts with the first refusal

    def fails(self, method: str, status: int = 502, times: int = 1, chat: Chat | None = None) -> None:
        self.troubles.append(Trouble("status", method, chat.id if chat else None, times, status=status))

    def drops(self, method: str, after: bool = False, times: int = 1) -> None:
        """Cut the connection, before the request is carried out or *after* it."""
        self.troubles.append(Trouble("drop", method, None, times, after))

    def pauses(self, method: str, times: int = 1) -> None:
        """Require a pause of a second before the same request is repeated."""
        self.troubles.append(Trouble("pause", method, None, times))

    def counts(self, *, group: tuple[int, float], overall: tuple[int, float]) -> None:
        """Accept at most this number of requests within this number of seconds, in a group and in total; more are a
        violation."""
        self._limits = {"group": group, "overall": overall}

    def ignores(self, method: str, after: bool = False, times: int = 1) -> None:
        """Never answer requests."""
        self.troubles.append(Trouble("silence", method, None, times, after))

    # Serving

    async def __aenter__(self) -> Telegram:
        app = web.Application(middlewares=self._middlewares, client_max_size=60_000_000)
        app.router.add_route("*", "/bot{token}/{method}", self._serve)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        self._session = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in tuple(self._pushes):
            task.cancel()
        if self._session is not None:
            await self._session.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] != self.token:
            return _json(401, {"ok": False, "error_code": 401, "description": "Unauthorized"})
        if self.hears is not None:
            self.hears(await forms.whole(request))
        call = Call(request.match_info["method"], await _params(request))
        self._mind_the_pause(call)
        trouble = next((trouble for trouble in self.troubles if trouble.meets(call)), None)
        if trouble is not None:
            trouble.times -= 1
            return await self._trouble(trouble, call, request)
        answer = await self._carry_out(call)
        await self._changed()
        return answer

    async def _trouble(self, trouble: Trouble, call: Call, request: web.Request) -> web.StreamResponse:
        if trouble.after:
            await self._carry_out(call)
        await self._changed()
        if trouble.kind == "status":
            return web.Response(status=trouble.status, text="<html>Bad Gateway</html>", content_type="text/html")
        if trouble.kind == "pause":
            self._paused[call.method, _brief(call.params)] = asyncio.get_running_loop().time() + 1
            body: Json = {"ok": False, "error_code": 429, "description": "Too Many Requests: retry after 1"}
            return _json(429, body | {"parameters": {"retry_after": 1}})
        if trouble.kind == "silence":
            await asyncio.Event().wait()
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def _carry_out(self, call: Call) -> web.Response:
        if call.method != "getUpdates":
            self.calls.append(call)
        try:
            if call.method == "getUpdates":
                result: object = await self._get_updates(call.params)
            else:
                self._mind_the_flood(call)
                result = self._methods.carry_out(call.method, call.params)
        except Failure as failure:
            if failure.violation:
                self.violations.append(f"{call.method}: {failure.description} -- {_brief(call.params)}")
                self.reused += self.violations[-1:] if failure.is_reused else []
            body: Json = {"ok": False, "error_code": failure.code, "description": failure.description}
            return _json(failure.code, body | ({"parameters": failure.parameters} if failure.parameters else {}))
        body = {"ok": True, "result": result}
        return web.json_response(text=json.dumps(body).replace(json.dumps(DEEP), self._deep))

    def _mind_the_pause(self, call: Call) -> None:
        """Report a violation if a client that should wait for a second returns earlier."""
        left = self._paused.pop((call.method, _brief(call.params)), 0.0) - asyncio.get_running_loop().time()
        if left > 0.02:
            self.violations.append(f"{call.method}: back {left:.2f} s too early -- {_brief(call.params)}")

    def _mind_the_flood(self, call: Call) -> None:
        chat = self.chats.get(call.chat or 0)
        if chat is not None and self._limits and not call.method.startswith("get"):  # who only asks is not counted
            self._count("overall", "overall", call)
            if chat.id < 0:
                self._count("group", chat.id, call)
        if chat is None or not chat.flooded:
            return
        now = asyncio.get_running_loop().time()
        if chat.flooded < 0:
            chat.flooded = now - chat.flooded
        elif now >= chat.flooded:
            chat.flooded = 0.0
            return
        else:
            chat.impatient += 1
        left = max(1, round(chat.flooded - now))
        raise Failure(429, f"Too Many Requests: retry after {left}", parameters={"retry_after": left})

    def _count(self, kind: str, which: object, call: Call) -> None:
        """Count a request; one too many is a violation."""
        most, seconds = self._limits[kind]
        now = asyncio.get_running_loop().time()
        arrived = self._arrived.setdefault((kind, which), deque())
        arrived.append(now)
        while arrived[0] <= now - seconds:
            arrived.popleft()
        if len(arrived) > most:
            raise Failure(429, "Too Many Requests: retry after 1", violation=True, parameters={"retry_after": 1})

    async def _get_updates(self, params: Params) -> list[Json]:
        allowed("getUpdates", params)
        if self.webhook:
            raise Failure(409, "Conflict: can't use getUpdates method while webhook is active")
        self.asks += 1
        self.listening = False
        mine = self.asks
        offset, limit = int(str(params.get("offset", "0"))), int(str(params.get("limit", "100")))
        self._delivered += [update for update in self._updates if _id(update) < offset]
        self._updates = [update for update in self._updates if _id(update) >= offset]
        await self._changed()
        deadline = asyncio.get_running_loop().time() + int(str(params.get("timeout", "0")))
        self.listening = True
        while not (self._updates or self._again):
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                return []
            try:
                async with asyncio.timeout(left), self._change:
                    await self._change.wait()
            except TimeoutError:
                return []
            if mine != self.asks:
                raise Failure(409, "Conflict: terminated by other getUpdates request")
        self.listening = False
        kinds = json.loads(str(params.get("allowed_updates", "[]")))
        self._updates = [update for update in self._updates if not kinds or any(kind in update for kind in kinds)]
        again, self._again = self._again, []
        return (again + self._updates)[:limit]


def _id(update: Json) -> int:
    number = update["update_id"]
    assert isinstance(number, int)
    return number


def _json(status: int, body: Json) -> web.Response:
    return web.json_response(body, status=status)


def _brief(params: Params) -> str:
    return str(
        {name: value if isinstance(value, str) else f"<{len(value.content)} bytes>" for name, value in params.items()}
    )[:400]


async def _params(request: web.Request) -> Params:
    """Return the parameters of a request: form, multipart or JSON."""
    kind = request.headers.get("Content-Type", "")
    if kind.startswith(forms.WITH_FILES):
        return dict(request.query) | dict(forms.fields(kind, await request.read()))
    if request.content_type == "application/json":
        body = await request.json()
        return {name: value if isinstance(value, str) else json.dumps(value) for name, value in body.items()}
    params: Params = dict(request.query)
    for name, value in (await request.post()).items():
        assert isinstance(value, str)
        params[name] = value
    return params
