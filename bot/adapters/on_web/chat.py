"""The server of the chat page: aiohttp, one WebSocket a window, everything else in memory.

What a person asks for goes to the host once, however often the page sends it: the page repeats a line or a press with
the same id until it has heard ``done``. Nothing is sent while nothing happens.
"""

import asyncio
import ipaddress
import logging
from collections.abc import Awaitable, Callable, Collection
from urllib.parse import urlsplit

import msgspec
from aiohttp import WSCloseCode, WSMsgType, web
from cachetools import LRUCache

import texts
from bot.adapters.on_web import commandline, files
from bot.adapters.on_web.rooms import NAME, Room, Rooms, parts, private_place
from bot.adapters.on_web.window import Window, Windows
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
    Everything,
    FromPage,
    Hello,
    Incomplete,
    Knob,
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
    Host,
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
from bot.runtime.clock import Clock, RealClock, to_ms
from bot.runtime.http_server import HttpServer, Limits, is_called, stays

log = logging.getLogger(__name__)

FRAME_BYTES = 64 * 2**10
RECENT = 500  # requests that are known again
HEARTBEAT_S = 120.0
HELLO_S = 10.0  # for a window to say who it is
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


class WebChat:
    """The local chat page as a platform."""

    name = NAME

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 8080,
        clock: Clock | None = None,
        *,
        names: Collection[str] = (),
        limits: Limits = Limits(),  # noqa: B008  # a frozen value
        hello_s: float = HELLO_S,
    ) -> None:
        """*names*: those that the page is called by, besides *host*, localhost and addresses."""
        now = clock or RealClock()
        self._address = host
        self._port = port
        self._names = (host, *names)
        self._limits = limits
        self._hello_s = hello_s
        self._rooms = Rooms(lambda: to_ms(now.now()))
        self._windows = Windows()
        self._requests = LRUCache[str, asyncio.Task[None]](RECENT)
        self._tasks: set[asyncio.Task[None]] = set()
        self._completions = 0
        self._glances = 0
        self._filled = set[PlaceId]()
        self._settled: tuple[tuple[Somebody, ...], tuple[Channel, ...]] = ((), ())
        self._server: HttpServer | None = None
        self._host: Host | None = None

    # ---- Chat ----------------------------------------------------------------------------------------------------

    @property
    def is_ready(self) -> bool:
        return self._server is not None and self._server.address is not None

    async def start(self, host: Host, storage: Storage) -> str:  # noqa: ARG002  # one process, nothing to share
        self._host = host
        app = web.Application(middlewares=[self._guard])
        app.on_response_prepare.append(_harden)
        app.router.add_get("/", self._index)
        app.router.add_get("/live", self._live)
        app.router.add_get("/words/{lang}.json", self._words)
        app.router.add_get("/picture/{name}", self._picture)
        for path, (content, type_) in files.still().items():
            app.router.add_get(path, _file(content, type_))
        self._server = HttpServer(app, self._limits, STOP_S)
        for port in (self._port, 0):
            try:
                await self._server.listen(self._address, port)
            except OSError as trouble:
                problem = trouble
            else:
                self._fill()
                key = "operator" if port == self._port else "operator.taken"
                return texts.say(files.DOMAIN, key, texts.DEFAULT, url=self.url, port=self._port)
        facts = {"host": self._address, "problem": problem.strerror or problem}
        raise Unusable(texts.say(files.DOMAIN, "operator.host", texts.DEFAULT, **facts))

    @property
    def url(self) -> str:
        """Where the page is, once it listens."""
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
            goodbyes = [asyncio.create_task(each.close()) for each in self._windows]
            await asyncio.wait(goodbyes, timeout=STOP_S)
            for window in tuple(self._windows):
                window.cut()
        if server is not None:
            await server.close()

    @property
    def servers(self) -> int | None:
        return None

    async def ended(self) -> str:
        await asyncio.Event().wait()  # nobody takes a page back
        return ""

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        room = self._rooms.room(place)
        known = self._rooms.posted(room, nonce)
        if known is not None:
            return known
        message = self._rooms.message(post, only=room.owner)
        self._rooms.remember(room, nonce, message.id)
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
        """There always is."""

    async def show_typing(self, place: PlaceId) -> None:
        """The page shows nothing of the kind."""

    async def may_manage(self, _place: PlaceId, person: PersonId) -> bool:
        """Here somebody manages every channel, or none."""
        somebody = self._rooms.people.get(person)
        return somebody is not None and somebody.manages

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        """An address within the page, see ``app.js``. What a restart has swept from the page has none."""
        room = self._rooms.rooms.get(place)
        return None if room is None or message not in room.messages else f"#{place}/{message}"

    async def open_thread(self, place: PlaceId, _title: str) -> Thread:
        raise Refused(f"{place} has nothing beside it")

    def _fill(self) -> None:
        """Have the games that go on in channels shown, which this page has forgotten. Once for each of them."""
        assert self._host is not None
        for place in self._rooms.rooms.keys() - self._filled:
            self._filled.add(place)
            self._keep(asyncio.create_task(self._host.place_changed(PlaceSwept(place))))

    # ---- telling the windows -------------------------------------------------------------------------------------

    def _put(self, room: Room, message: Message) -> None:
        """Show a new message to all who may see it."""
        gone = self._rooms.add(room, message)
        self._tell(message.only, Put(room.id, message, new=True))
        if gone:
            self._tell(None, Removed(room.id, gone))
        if room.owner is not None and message.author is None:
            for window in self._windows:
                if window.person not in (None, room.owner):
                    window.tell(Nudge(room.owner))
        self._settle()

    def _changed(self, room: Room, message: Message | None) -> None:
        if message is not None:
            self._tell(message.only, Put(room.id, message))
            self._settle()

    def _remove(self, room: Room, id_: MessageId) -> None:
        message = self._rooms.remove(room, id_)
        if message is not None:
            self._tell(message.only, Removed(room.id, (id_,)))
            self._settle()

    def _settle(self) -> None:
        """Tell everybody of people and places, when one of them changed."""
        people, spots = tuple(self._rooms.people.values()), tuple(each.spot for each in self._rooms.rooms.values())
        if (people, spots) != self._settled:
            self._settled = people, spots
            for window in self._windows:
                if window.person is not None:
                    window.tell(Roster(people, self._rooms.spots(window.person)))

    def _tell(self, person: PersonId | None, event: ToPage) -> None:
        """Tell the windows that are *person* just now, or all of them."""
        for window in self._windows:
            if window.person is not None and person in (None, window.person):
                window.tell(event)

    def _show(self, window: Window, person: PersonId, place: PlaceId) -> None:
        """Let the window be *person* and look at *place*; whatever it cannot be becomes the first that it can."""
        somebody = self._rooms.people.get(person) or next(iter(self._rooms.people.values()))
        if place.startswith(f"{NAME}:@"):
            place = private_place(somebody.id)
        channels = (each for each in self._rooms.rooms.values() if each.owner is None)
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

    # ---- what a window asks for ----------------------------------------------------------------------------------

    def _take(self, window: Window, asked: Hello | LookAt | Dismiss | AddPerson | AddChannel) -> None:
        """Requests that are done at once."""
        rooms = self._rooms
        match asked:
            case Hello(lang, people, channels, person, place):
                window.lang = texts.language(lang)
                for each in people:
                    rooms.person(each, change=False)
                for name in channels:
                    rooms.channel(name)
                self._fill()
                self._settle()
                self._show(window, PersonId(person), PlaceId(place))
            case LookAt(person, place):
                self._show(window, PersonId(person), PlaceId(place))
            case Dismiss(person, place, message):
                room = rooms.open_to(PersonId(person), PlaceId(place))
                there = room.messages.get(MessageId(message)) if room else None
                if room is not None and there is not None and there.only == person:
                    self._remove(room, there.id)
            case AddPerson(who):
                added = rooms.person(who)
                if added is None:
                    window.tell(Brief(self._say("person.refused", window.person, window)))
                else:
                    self._settle()
                    self._show(window, added.id, window.place or PlaceId(""))
            case AddChannel(name):
                room = rooms.channel(name)
                if room is None:
                    window.tell(Brief(self._say("channel.refused", window.person, window)))
                else:
                    self._fill()
                    self._settle()
                    self._show(window, window.person or PersonId(""), room.id)

    async def _carry_out(self, window: Window, asked: SentLine | ButtonPress | Incomplete | Point) -> None:
        """Requests that the host has a say in."""
        somebody = self._rooms.people.get(PersonId(asked.person))
        room = self._rooms.open_to(PersonId(asked.person), PlaceId(asked.place))
        if isinstance(asked, Incomplete):
            items: tuple[Completion, ...] = ()
            if somebody is not None and room is not None:
                items = await self._complete(window, somebody, room, asked.text)
            is_names = " " not in asked.text
            window.tell(Completions(asked.n, items, is_names))
            return
        if isinstance(asked, Point):
            if somebody is not None and room is not None:
                await self._point(window, somebody, room, MessageId(asked.message))
            return
        if somebody is not None and room is not None:
            task = self._requests.get(asked.id)
            if task is None:
                task = asyncio.create_task(self._ask_host(window, somebody, room, asked))
                self._keep(task)
                self._requests[asked.id] = task
            await asyncio.wait([task])
        window.tell(Done(asked.id))

    async def _ask_host(self, window: Window, somebody: Somebody, room: Room, asked: SentLine | ButtonPress) -> None:
        """Carry out a line or a press; whatever goes wrong is logged, and that person told."""
        try:
            await self._converse(window, somebody, room, asked)
        except Exception:
            log.exception("the chat page could not carry out %s", asked.id)
            self._tell(somebody.id, Brief(self._say("failed", somebody.id, window)))

    async def _converse(self, window: Window, somebody: Somebody, room: Room, asked: SentLine | ButtonPress) -> None:
        """Hand a line or a press to the host and show that person what comes back."""
        body: Typed | PlainMessage | Press
        match asked:
            case SentLine(text=text):
                line = " ".join(text.split()) if text.lstrip().startswith("/") else text.strip()
                if not line:
                    return
                is_command = line.startswith("/")
                if room.owner is not None or not is_command:
                    self._put(room, self._rooms.said(somebody, line, only=room.owner))
                talks = room.owner is None and not is_command
                body, quote = (PlainMessage(line), "") if talks else (Typed(line), line if room.owner is None else "")
            case ButtonPress(payload=payload):
                body, quote = Press(payload), ""
        update = self._update(window, somebody, room, UpdateId(f"{NAME}:{asked.id}"), body)
        assert self._host is not None
        reply = await self._host.handle(update)
        if reply is not None:
            shown = self._answer(somebody, room, asked, reply, quote)
            if shown is not None and reply.expires is not None:  # menus are between the posts here
                await self._host.delete_later(reply.expires.time, room.id, shown)

    def _answer(
        self, somebody: Somebody, room: Room, asked: SentLine | ButtonPress, reply: Reply, quote: str
    ) -> MessageId | None:
        """Show *reply* to that person alone; the message that it stands in, None where it is not worth one."""
        if reply.role is Role.NOTHING:
            return None
        is_empty = reply.is_plain and not (reply.title or reply.text)
        source = quote.partition(" ")[0]
        if isinstance(asked, ButtonPress):
            menu = MessageId(asked.message) if MessageId(asked.message) in room.sources else None
            is_empty = is_empty or (menu is not None and reply.role is Role.CLOSING)
            if menu is not None and reply.role.is_menu and not is_empty:
                self._changed(room, self._rooms.change(room, menu, reply))
                return menu
            if menu is not None:  # it did not go on, so it is over
                self._remove(room, menu)
            source = asked.message
        if reply.role.is_toast and reply.is_plain:
            said = "\n".join(filter(None, (reply.title, reply.text)))
            links = tuple(Knob(each.label, "", each.style.value, each.link) for each in reply.links)
            self._tell(somebody.id, Brief(said, links))
            return None
        if is_empty:
            return None
        message = self._rooms.message(reply, only=somebody.id, quote=quote)
        if reply.role.is_menu:
            for id_, origin in tuple(room.sources.items()):
                if origin == source and room.messages[id_].only == somebody.id:
                    self._remove(room, id_)
            room.sources[message.id] = source
        self._put(room, message)
        return message.id

    async def _complete(self, window: Window, somebody: Somebody, room: Room, text: str) -> tuple[Completion, ...]:
        lang = texts.language(somebody.lang or window.lang)
        begun = commandline.begun(text)
        if begun is None:
            return commandline.names(text, lang)
        choices = commandline.choices(begun, lang)
        if begun.is_whole:
            label, about = texts.say("web", "completions.send", lang), texts.say("web", "completions.add", lang)
            choices = (Completion(label, text.rstrip(), about, sends=True), *choices)
        if begun.asked is None:
            return choices
        self._completions += 1
        others = {name: value for name, value in begun.arguments.items() if name != begun.argument.name}
        filled = SlashCommand(begun.command, {**others, begun.asked.name: begun.typed})
        id_ = UpdateId(f"{NAME}:{self._rooms.run}-completion-{self._completions}")
        assert self._host is not None
        try:
            found = await self._host.complete(self._update(window, somebody, room, id_, filled), begun.asked.name)
        except Exception:
            log.exception("the chat page could not complete /%s", filled.command)
            return choices
        asked = (Completion(each.label, begun.head + each.value) for each in found)
        return (*choices, *asked)[: commandline.MOST]

    async def _point(self, window: Window, somebody: Somebody, room: Room, message: MessageId) -> None:
        """Tell a window where its person can tap on the board of *message*, the newest one of the place."""
        self._glances += 1
        id_ = UpdateId(f"{NAME}:{self._rooms.run}-glance-{self._glances}")
        assert self._host is not None
        found = await self._host.targets(self._update(window, somebody, room, id_, Opened()))
        window.tell(Parts(somebody.id, room.id, message, parts(found)))

    def _update(
        self,
        window: Window,
        somebody: Somebody,
        room: Room,
        id_: UpdateId,
        body: Body,
    ) -> Update:
        person = Person(somebody.id, somebody.name, somebody.lang or window.lang)
        place = Place(room.id, private=room.owner is not None)
        return Update(id_, person, place, body, may_manage=somebody.manages or place.private)

    def _say(self, key: str, person: PersonId | None, window: Window) -> str:
        somebody = self._rooms.people.get(person) if person else None
        return texts.say(files.DOMAIN, key, (somebody.lang if somebody else None) or window.lang)

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- HTTP ----------------------------------------------------------------------------------------------------

    @web.middleware
    async def _guard(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Turn away requests under a foreign name: a page elsewhere could have pointed its name at this machine."""
        if not is_called(request.headers.get("Host"), self._names):
            text = texts.say(files.DOMAIN, "host", files.preferred(request.headers.get("Accept-Language", "")))
            raise web.HTTPMisdirectedRequest(text=text)
        return await handler(request)

    async def _index(self, request: web.Request) -> web.Response:
        lang = files.preferred(request.headers.get("Accept-Language", ""))
        return web.Response(body=files.index(lang), content_type="text/html", charset="utf-8")

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
        if type_ is None:  # to be saved: a browser must not take it for a page
            type_, headers["Content-Disposition"] = "application/octet-stream", "attachment"
        return web.Response(body=content, content_type=type_, headers=headers)

    async def _live(self, request: web.Request) -> web.WebSocketResponse:
        """The WebSocket of one window, from pages of this server only."""
        if urlsplit(request.headers.get("Origin", "")).netloc != request.headers.get("Host"):
            raise web.HTTPForbidden
        if self._server is None:
            raise web.HTTPServiceUnavailable
        stays(request)
        socket = web.WebSocketResponse(timeout=STOP_S, heartbeat=HEARTBEAT_S, max_msg_size=FRAME_BYTES)
        window = Window(request, socket)
        dismissed = self._windows.add(window)
        if dismissed is not None:
            self._keep(asyncio.create_task(dismissed.close(WSCloseCode.TRY_AGAIN_LATER)))
        unheard = asyncio.get_running_loop().call_later(self._hello_s, window.cut)
        try:
            await socket.prepare(request)
            writer = asyncio.create_task(window.write())
            try:
                async for frame in socket:
                    if frame.type is WSMsgType.TEXT:
                        window.hear()
                        await self._frame(window, frame.data)
                        if window.person is not None:
                            unheard.cancel()
            finally:
                writer.cancel()
        finally:
            unheard.cancel()
            self._windows.discard(window)
        return socket

    async def _frame(self, window: Window, text: str) -> None:
        try:
            asked: FromPage = read(text)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
            log.debug("the chat page sent something unreadable: %s", type(wrong).__name__)
            window.tell(Brief(self._say("unreadable", window.person, window)))
            return
        if not isinstance(asked, SentLine | ButtonPress | Incomplete | Point):
            self._take(window, asked)
            return
        await window.slots.acquire()
        task = asyncio.create_task(self._carry_out(window, asked))
        self._keep(task)
        task.add_done_callback(lambda _: window.slots.release())


async def _harden(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
    response.headers.setdefault("Cache-Control", "no-store")


def _file(content: bytes, type_: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def give(_: web.Request) -> web.Response:
        return web.Response(body=content, content_type=type_, charset="utf-8")

    return give
