"""The server of the chat page: aiohttp, one WebSocket per window, everything else in memory.

The page repeats a line or a press with the same id until it receives ``done``; the core gets it once. An idle page
sends nothing.
"""

import asyncio
import ipaddress
import logging
from collections.abc import Awaitable, Callable, Collection
from itertools import count
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from aiohttp import WSMsgType, web
from cachetools import LRUCache

import texts
from bot.adapters.on_web import commandline, files
from bot.adapters.on_web.rooms import NAME, Room, Rooms, private_place, split
from bot.adapters.on_web.window import Window
from bot.adapters.on_web.wire import (
    AddChannel,
    AddPerson,
    Brief,
    ButtonPress,
    Channel,
    Completion,
    Completions,
    Dismiss,
    Done,
    Elsewhere,
    Everything,
    FromPage,
    Hello,
    Incomplete,
    LineBegun,
    LookAt,
    Message,
    Nudge,
    Parts,
    Point,
    Put,
    Removed,
    Roster,
    SentLine,
    Somebody,
    ToPage,
    read,
)
from bot.chat import (
    Body,
    Capabilities,
    Core,
    Membership,
    MessageId,
    MessagePart,
    Opened,
    Person,
    PersonId,
    Place,
    PlaceId,
    PlaceSwept,
    PlainMessage,
    Post,
    Press,
    Priority,
    Reception,
    Refused,
    Reply,
    Role,
    SlashCommand,
    Storage,
    Thread,
    Typed,
    Unusable,
    Update,
    UpdateId,
)
from bot.requests.commands import command_named, written_with
from bot.runtime.clock import Clock, RealClock, to_ms
from bot.runtime.http_server import HttpServer, Limits, is_called, stays
from rules.notation import unwrapped

log = logging.getLogger(__name__)

PORT = 8080
FRAME_BYTES = 64 * 2**10
RECENT = 500  # requests that are recognised when the page sends them again
HEARTBEAT_S = 120.0
STOP_S = 0.8  # for each of the three steps of stopping

PICTURES = {"png": "image/png", "gif": "image/gif"}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class _Asker(NamedTuple):
    """A window with the person and the room that a request names."""

    window: Window
    somebody: Somebody
    room: Room

    @property
    def wish(self) -> str:
        """The language that the person or the browser asks for."""
        return self.somebody.lang or self.window.lang


class WebChat:
    """The local chat page as a platform."""

    name = NAME

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int | None = None,
        clock: Clock | None = None,
        *,
        names: Collection[str] = (),
        limits: Limits = Limits(),  # noqa: B008  # a frozen value
    ) -> None:
        """*port* None: `PORT`, or a free one if that is taken. *names*: host names of the page besides *host*,
        localhost and addresses."""
        now = clock or RealClock()
        self._address = host
        self._ports = (PORT, 0) if port is None else (port,)
        self._names = (host, *names)
        self._limits = limits
        self._rooms = Rooms(lambda: to_ms(now.now()))
        self._windows: set[Window] = set()
        self._requests = LRUCache[str, asyncio.Task[None]](RECENT)
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = count()
        self._swept = set[PlaceId]()
        self._roster: tuple[tuple[Somebody, ...], tuple[Channel, ...]] = ((), ())
        self._server: HttpServer | None = None
        self._core: Core | None = None

    # ---- Chat ----------------------------------------------------------------------------------------------------

    @property
    def reception(self) -> Reception:
        return Reception.DOWN if self._server is None or self._server.address is None else Reception.UP

    async def start(self, core: Core, storage: Storage) -> str:  # noqa: ARG002  # one process, nothing to share
        self._core = core
        app = web.Application(middlewares=[self._guard])
        app.on_response_prepare.append(_harden)
        app.router.add_get("/", self._index)
        app.router.add_get("/live", self._live)
        app.router.add_get("/words/{lang}.json", self._words)
        app.router.add_get("/picture/{name}", self._picture)
        for path, (content, type_) in files.static().items():
            app.router.add_get(path, _file(content, type_))
        self._server = HttpServer(app, self._limits, STOP_S)
        for port in self._ports:
            try:
                await self._server.listen(self._address, port)
            except OSError as error:
                problem = error
            else:
                self._repost_boards()
                key = "operator" if port == self._ports[0] else "operator.taken"
                return texts.say(files.DOMAIN, key, texts.DEFAULT, url=self.url, port=PORT)
        facts = {"host": self._address, "port": self._ports[0], "problem": problem.strerror or problem}
        raise Unusable(texts.say(files.DOMAIN, "operator.host", texts.DEFAULT, **facts))

    @property
    def url(self) -> str:
        """The page's address while it listens."""
        assert self._server is not None
        assert self._server.address is not None
        address, port = self._server.address
        host = ipaddress.ip_address(address)
        if host.is_unspecified:
            host = ipaddress.ip_address("127.0.0.1" if host.version == 4 else "::1")
        return f"http://{host if host.version == 4 else f'[{host}]'}:{port}/"

    async def rest(self) -> None:
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=STOP_S)
            for task in late:
                task.cancel()

    async def stop(self) -> None:
        server, self._server = self._server, None
        await self.rest()
        if self._windows:
            await asyncio.wait([asyncio.create_task(window.close()) for window in self._windows], timeout=STOP_S)
            for window in self._windows:
                window.cut()
        if server is not None:
            await server.close()

    @property
    def servers(self) -> int | None:
        return None

    async def ended(self) -> str:
        await asyncio.Event().wait()  # no operator withdraws a page
        return ""

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        room = self._rooms.room(place)
        known = room.nonces.get(nonce)
        if known is not None:
            return known
        message = self._rooms.message(post, only=room.owner)
        room.nonces[nonce] = message.id
        self._put(room, message)
        return message.id

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        room = self._rooms.room(place)
        self._changed(room, self._rooms.change(room, message, post))

    def capabilities(self, _place: PlaceId, /) -> Capabilities:
        return Capabilities(dedupes_posts=True)

    async def remove(self, place: PlaceId, message: MessageId, part: MessagePart) -> None:
        room = self._rooms.room(place)
        if part is MessagePart.BUTTONS:
            self._changed(room, self._rooms.strip(room, message))
        else:
            self._remove(room, message)

    async def wait_for_quota(self, place: PlaceId, priority: Priority) -> None:
        """Return at once: the page has no limit."""

    async def show_typing(self, place: PlaceId) -> None:
        """Do nothing: the page has no such sign."""

    async def membership(self, _place: PlaceId, person: PersonId) -> Membership:
        """Return whether *person* is a moderator, which holds for every channel here. No one leaves the page."""
        somebody = self._rooms.people.get(person)
        return Membership.MANAGER if somebody is not None and somebody.manages else Membership.MEMBER

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        """Return an address within the page, see ``app.js``; None for a message from before a restart."""
        room = self._rooms.rooms.get(place)
        return None if room is None or message not in room.messages else f"#{place}/{message}"

    async def open_thread(self, place: PlaceId, _title: str) -> Thread:
        raise Refused(f"{place} has no threads")

    def _repost_boards(self) -> None:
        """Have the running games of every channel posted once: a restart has emptied the page."""
        assert self._core is not None
        for place in self._rooms.rooms.keys() - self._swept:
            self._swept.add(place)
            self._keep(asyncio.create_task(self._core.place_changed(PlaceSwept(place))))

    # ---- events for the windows ------------------------------------------------------------------------------------

    def _put(self, room: Room, message: Message) -> None:
        """Show a new message to all who may see it."""
        crowded_out = self._rooms.add(room, message)
        self._tell(message.only, Put(room.id, message, new=True))
        if crowded_out:
            self._tell(None, Removed(room.id, crowded_out))
        if room.owner is not None and message.author is None:
            for window in self._windows:
                if window.person not in (None, room.owner):
                    window.tell(Nudge(room.owner))
        self._tell_roster()

    def _changed(self, room: Room, message: Message | None) -> None:
        if message is not None:
            self._tell(message.only, Put(room.id, message))
            self._tell_roster()

    def _remove(self, room: Room, id_: MessageId) -> None:
        message = self._rooms.remove(room, id_)
        if message is not None:
            self._tell(message.only, Removed(room.id, (id_,)))
            self._tell_roster()

    def _tell_roster(self) -> None:
        """Tell all windows of people and places if any of them has changed."""
        roster = tuple(self._rooms.people.values()), tuple(room.spot for room in self._rooms.rooms.values())
        if roster != self._roster:
            self._roster = roster
            for window in self._windows:
                if window.person is not None:
                    window.tell(Roster(roster[0], self._rooms.spots(window.person)))

    def _tell(self, person: PersonId | None, event: ToPage) -> None:
        """Tell the windows that are *person* now; None: all windows."""
        for window in self._windows:
            if window.person is not None and person in (None, window.person):
                window.tell(event)

    def _show(self, window: Window, person: PersonId, place: PlaceId) -> None:
        """Let the window be *person* in *place*, or else the first person or channel."""
        somebody = self._rooms.people.get(person) or next(iter(self._rooms.people.values()))
        if place.startswith(f"{NAME}:@"):
            place = private_place(somebody.id)
        channels = (room for room in self._rooms.rooms.values() if room.owner is None)
        room = self._rooms.open_to(somebody.id, place) or next(channels)
        window.person, window.place = somebody.id, room.id
        window.tell(
            Everything(
                run=self._rooms.run,
                lang=texts.language(somebody.lang or window.lang),
                person=somebody.id,
                place=room.id,
                people=tuple(self._rooms.people.values()),
                places=self._rooms.spots(somebody.id),
                messages=room.seen_by(somebody.id),
            )
        )

    # ---- requests of a window --------------------------------------------------------------------------------------

    def _handle_now(self, window: Window, request: Hello | LookAt | Dismiss | AddPerson | AddChannel) -> None:
        """Answer a request that needs no core."""
        rooms = self._rooms
        match request:
            case Hello(lang, zone, people, channels, person, place):
                window.lang, window.zone = texts.language(lang), zone
                for known in people:
                    rooms.person(known, change=False)
                for name in channels:
                    rooms.channel(name)
                self._repost_boards()
                self._tell_roster()
                self._show(window, PersonId(person), PlaceId(place))
            case LookAt(person, place):
                self._show(window, PersonId(person), PlaceId(place))
            case Dismiss(person, place, message):
                room = rooms.open_to(PersonId(person), PlaceId(place))
                dismissed = room.messages.get(MessageId(message)) if room else None
                if room is not None and dismissed is not None and dismissed.only == person:
                    self._remove(room, dismissed.id)
            case AddPerson(who):
                added = rooms.person(who)
                if added is None:
                    window.tell(Brief(self._say(window, "person.refused")))
                else:
                    self._tell_roster()
                    self._show(window, added.id, window.place or PlaceId(""))
            case AddChannel(name):
                room = rooms.channel(name)
                if room is None:
                    window.tell(Brief(self._say(window, "channel.refused")))
                else:
                    self._repost_boards()
                    self._tell_roster()
                    self._show(window, window.person or PersonId(""), room.id)

    async def _handle(self, window: Window, request: SentLine | ButtonPress | Incomplete | Point | Elsewhere) -> None:
        """Answer a request with the help of the core."""
        somebody = self._rooms.people.get(PersonId(request.person))
        room = self._rooms.open_to(PersonId(request.person), PlaceId(request.place))
        asker = _Asker(window, somebody, room) if somebody is not None and room is not None else None
        match request:
            case Incomplete(n, text=text):
                items = await self._complete(asker, text) if asker is not None else ()
                window.tell(Completions(n, items, names=" " not in text))
            case Point(message=message):
                if asker is not None:
                    await self._point(asker, MessageId(message))
            case Elsewhere(payload=payload, at=at):
                if asker is not None:
                    await self._answer_tap(asker, payload, at)
            case SentLine(id_) | ButtonPress(id_):
                if asker is not None:
                    task = self._requests.get(id_)
                    if task is None:
                        task = asyncio.create_task(self._carry_out(asker, request))
                        self._keep(task)
                        self._requests[id_] = task
                    await asyncio.wait([task])
                window.tell(Done(id_))

    async def _carry_out(self, asker: _Asker, request: SentLine | ButtonPress) -> None:
        """Hand a line or a press to the core and show the reply. An error is logged, and the person is told."""
        try:
            await self._converse(asker, request)
        except Exception:
            log.exception("request of the chat page failed: id=%s", request.id)
            self._tell(asker.somebody.id, Brief(self._say(asker.window, "failed", asker.somebody)))

    async def _converse(self, asker: _Asker, request: SentLine | ButtonPress) -> None:
        body: Typed | PlainMessage | Press
        room, quote = asker.room, ""
        match request:
            case SentLine(text=text):
                is_command = unwrapped(text).startswith("/")
                line = " ".join(text.split()) if is_command else text.strip()
                if not line:
                    return
                if room.owner is not None or not is_command:
                    self._put(room, self._rooms.said(asker.somebody, line, only=room.owner))
                elif is_command:
                    quote = line
                body = PlainMessage(line) if room.owner is None and not is_command else _finished(line, request.payload)
            case ButtonPress(payload=payload):
                body = Press(payload)
        assert self._core is not None
        reply = await self._core.handle(_update(asker, request.id, body))
        if reply is not None and reply.role is Role.ALONE and room.owner is None:
            room = self._rooms.rooms[private_place(asker.somebody.id)]
            asker = _Asker(asker.window, asker.somebody, room)
            self._show(asker.window, asker.somebody.id, room.id)
            reply = await self._core.handle(_update(asker, f"{request.id}-alone", body))
        if reply is not None:
            message = self._show_reply(asker, request, reply, quote, _origin(body))
            if isinstance(request, ButtonPress) and reply.role.is_menu:  # else it is refused
                writes = written_with(request.payload)
                if writes is not None:
                    asker.window.tell(LineBegun(f"/{writes.name} ", request.payload))
            if message is not None and reply.expires is not None:  # menus are between the posts here
                await self._core.delete_later(reply.expires.time, room.id, message)

    def _show_reply(
        self, asker: _Asker, request: SentLine | ButtonPress, reply: Reply, quote: str, origin: str
    ) -> MessageId | None:
        """Show *reply* to that person alone. Return its message, or None if it needs none.

        Between posts it replaces an earlier answer to the same *origin*.
        """
        room, person = asker.room, asker.somebody.id
        if reply.role is Role.NOTHING:
            return None
        is_empty = reply.is_plain and not (reply.title or reply.text)
        if isinstance(request, ButtonPress):
            menu = MessageId(request.message) if MessageId(request.message) in room.menus else None
            is_empty = is_empty or (menu is not None and reply.role is Role.CLOSING)
            if menu is not None and reply.board is not None:
                reply = reply.as_board
            if menu is not None and reply.role.is_menu and not is_empty:
                self._changed(room, self._rooms.change(room, menu, reply))
                return menu
            if menu is not None and not reply.role.is_note:  # the menu does not go on, so it is over
                self._remove(room, menu)
        if reply.role.is_toast and reply.is_plain:
            if reply.expires is not None:  # a typed action: the open menu of this turn is out of date
                self._remove_of(room, person, reply.expires.time)
            line = "\n".join(filter(None, (reply.title, reply.text)))
            self._tell(person, Brief(line, reply.links, reply.role is Role.PROMISE, thinks=reply.board is not None))
            return None
        if is_empty:
            return None
        message = self._rooms.message(reply, only=person, quote=quote)
        if message.parts and reply.expires is not None:  # the menu of a turn, whether begun by a button or on the board
            origin = reply.expires.time
        if room.owner is None or reply.role.is_menu:
            self._remove_of(room, person, origin)
            room.origins[message.id] = origin
        if reply.role.is_menu:
            room.menus.add(message.id)
        self._put(room, message)
        return message.id

    def _remove_of(self, room: Room, person: PersonId, origin: str) -> None:
        """Remove the answers to that person of the same *origin*."""
        for id_, former in tuple(room.origins.items()):
            if former == origin and room.messages[id_].only == person:
                self._remove(room, id_)

    async def _complete(self, asker: _Asker, text: str) -> tuple[Completion, ...]:
        lang = texts.language(asker.wish)
        begun = commandline.begun(text)
        if begun is None:
            return commandline.names(text, lang)
        choices = commandline.choices(begun, lang)
        if begun.is_whole:
            label, about = (texts.say(files.DOMAIN, f"completions.{key}", lang) for key in ("send", "add"))
            choices = (Completion(label, text.rstrip(), about, sends=True), *choices)
        if begun.core_argument is None:
            return choices
        others = {name: value for name, value in begun.arguments.items() if name != begun.argument.name}
        command = SlashCommand(begun.command, {**others, begun.core_argument.name: begun.typed})
        assert self._core is not None
        try:
            suggestions = await self._core.complete(_update(asker, self._number(), command), begun.core_argument.name)
        except Exception:
            log.exception("completion on the chat page failed: command=/%s", command.command)
            return choices
        completions = (Completion(suggestion.label, begun.head + suggestion.value) for suggestion in suggestions)
        return (*choices, *completions)[: commandline.MOST]

    async def _point(self, asker: _Asker, message: MessageId) -> None:
        """Send a window the parts of *message*, the newest board of the place, that its person can tap."""
        assert self._core is not None
        targets = await self._core.targets(_update(asker, self._number(), Opened()))
        asker.window.tell(Parts(asker.somebody.id, asker.room.id, message, *split(targets)))

    async def _answer_tap(self, asker: _Asker, payload: str, at: tuple[float, float]) -> None:
        """Tell a person why they cannot choose what they tapped, or only that they cannot."""
        assert self._core is not None
        x, y = at
        reply = await self._core.handle(_update(asker, self._number(), Press(payload, f"{x} {y}")))
        reason = "" if reply is None else reply.brief or reply.text
        asker.window.tell(Brief(reason or self._say(asker.window, "tap.miss", asker.somebody)))

    def _number(self) -> str:
        """Return a new id for an update that changes nothing."""
        return f"{self._rooms.run}-{next(self._numbers)}"

    def _say(self, window: Window, key: str, somebody: Somebody | None = None) -> str:
        somebody = somebody or (self._rooms.people.get(window.person) if window.person else None)
        return texts.say(files.DOMAIN, key, (somebody.lang if somebody else None) or window.lang)

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- HTTP ----------------------------------------------------------------------------------------------------

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Reject requests under a foreign host name, which another site may have pointed at this machine."""
        if not is_called(request.headers.get("Host"), self._names):
            raise web.HTTPMisdirectedRequest(text=texts.say(files.DOMAIN, "host", _lang(request)))
        return await handler(request)

    async def _index(self, request: web.Request) -> web.Response:
        return web.Response(body=files.index(_lang(request)), content_type="text/html", charset="utf-8")

    async def _words(self, request: web.Request) -> web.Response:
        lang = request.match_info["lang"]
        if lang not in texts.languages():
            raise web.HTTPNotFound
        return web.Response(body=files.words(lang), content_type="application/json")

    async def _picture(self, request: web.Request) -> web.Response:
        content = self._rooms.pictures.content(request.path)
        if content is None:
            raise web.HTTPNotFound
        headers = {"Cache-Control": "private, max-age=86400, immutable"}
        type_ = PICTURES.get(request.path.rpartition(".")[2])
        if type_ is None:  # a download: a browser must not take it for a page
            type_, headers["Content-Disposition"] = "application/octet-stream", "attachment"
        return web.Response(body=content, content_type=type_, headers=headers)

    async def _live(self, request: web.Request) -> web.WebSocketResponse:
        """Serve the WebSocket of one window. Pages of other servers are rejected."""
        if urlsplit(request.headers.get("Origin", "")).netloc != request.headers.get("Host"):
            raise web.HTTPForbidden
        if self._server is None:
            raise web.HTTPServiceUnavailable
        stays(request)
        socket = web.WebSocketResponse(timeout=STOP_S, heartbeat=HEARTBEAT_S, max_msg_size=FRAME_BYTES)
        window = Window(request, socket)
        self._windows.add(window)
        try:
            await socket.prepare(request)
            writer = asyncio.create_task(window.write())
            try:
                async for frame in socket:
                    if frame.type is WSMsgType.TEXT:
                        await self._frame(window, frame.data)
            finally:
                writer.cancel()
        finally:
            self._windows.discard(window)
        return socket

    async def _frame(self, window: Window, text: str) -> None:
        try:
            request: FromPage = read(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            log.debug("unreadable frame of the chat page: error=%s", type(error).__name__)
            window.tell(Brief(self._say(window, "unreadable")))
            return
        if not isinstance(request, SentLine | ButtonPress | Incomplete | Point | Elsewhere):
            self._handle_now(window, request)
            return
        await window.slots.acquire()
        task = asyncio.create_task(self._handle(window, request))
        self._keep(task)
        task.add_done_callback(lambda _: window.slots.release())


def _update(asker: _Asker, id_: str, body: Body) -> Update:
    somebody, place = asker.somebody, Place(asker.room.id, private=asker.room.owner is not None, name=asker.room.name)
    person = Person(somebody.id, somebody.name, asker.wish, zone=asker.window.zone)
    return Update(UpdateId(f"{NAME}:{id_}"), person, place, body, may_manage=somebody.manages or place.private)


def _finished(line: str, payload: str) -> Typed | Press:
    """Return a line as the text of the button that began it, if there is one and the line still has its command."""
    name, _, text = line.partition(" ")
    writes = written_with(payload)
    is_its = writes is not None and command_named(unwrapped(name).removeprefix("/")) == writes
    return Press(payload, text) if is_its else Typed(line)


def _origin(body: Typed | PlainMessage | Press) -> str:
    """Return the verb of the button, or the command."""
    return body.payload.partition(":")[0] if isinstance(body, Press) else body.text.partition(" ")[0]


def _lang(request: web.Request) -> str:
    return files.preferred(request.headers.get("Accept-Language", ""))


async def _harden(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")


def _file(content: bytes, type_: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def give(_: web.Request) -> web.Response:
        return web.Response(body=content, content_type=type_, charset="utf-8")

    return give
