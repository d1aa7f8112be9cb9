"""Telegram as a `bot.chat.Platform`."""

import asyncio
import itertools
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

# The library's opt-in to time spans as values; without it every "too many requests" is a deprecation warning.
os.environ.setdefault("PTB_TIMEDELTA", "true")

import telegram
from cachetools import LRUCache
from msgspec.structs import replace
from telegram.error import InvalidToken, TelegramError

from bot.adapters.on_telegram import NAME, PUBLIC_API, addresses, guests, incoming, listing
from bot.adapters.on_telegram.addresses import Spot
from bot.adapters.on_telegram.answers import Answers
from bot.adapters.on_telegram.connection import Connection, UpdatesConnection, refuses_token, ways_to
from bot.adapters.on_telegram.guests import Guest
from bot.adapters.on_telegram.incoming import Envelope, Passage, Presence
from bot.adapters.on_telegram.links import Links
from bot.adapters.on_telegram.pacing import Lanes, Pace, let_go
from bot.adapters.on_telegram.phrasing import say
from bot.adapters.on_telegram.polling import Polling
from bot.adapters.on_telegram.queries import Query
from bot.adapters.on_telegram.rights import Rights
from bot.adapters.on_telegram.sending import Sender
from bot.adapters.on_telegram.topics import Comments, Topics
from bot.chat import (
    Capabilities,
    Core,
    Gone,
    MemberCame,
    MemberLeft,
    Membership,
    MessageId,
    MessagePart,
    PersonId,
    PlaceAdded,
    PlaceId,
    PlaceLost,
    PlaceRegained,
    Post,
    Priority,
    Reception,
    Reply,
    Storage,
    StorageDown,
    Thread,
    ThreadAccess,
    Undelivered,
    Unusable,
)
from bot.requests.commands import Command, asks_to_manage
from bot.runtime.logs import hold
from bot.runtime.network import without_credentials
from bot.runtime.retry import POLLING, Refusals
from bot.runtime.tasks import cancelled

if TYPE_CHECKING:
    from bot.adapters.on_telegram.webhook import Webhook  # loads aiohttp's server

log = logging.getLogger(__name__)

REMEMBERED_UPDATES = 5000
REMEMBERED_NONCES = 1000
FIRST_TRY_S = 10.0
CONFIRM_S = 10.0  # an update is confirmed after this time, even without its answer
LEASE_S = 6.0  # polling leader's lease; renewed every `polling.LEAD_S`
LAST_WORDS_S = 1.0  # how long running tasks may take when the bot stops


class TelegramChat:
    """One bot account on Telegram. *webhook_url* empty: the bot polls. *pace*: see `pacing`."""

    def __init__(
        self,
        token: str,
        commands: Sequence[Command],
        api_url: str = PUBLIC_API,
        webhook_url: str = "",
        webhook_listen: str = "127.0.0.1:8081",
        pace: Pace = Pace(),  # noqa: B008 - a frozen value
        confirm_s: float = CONFIRM_S,
    ) -> None:
        _keep_the_token_out_of_logs()
        base = api_url.rstrip("/")
        ways = ways_to(base)
        self._bot = telegram.Bot(
            token,
            base_url=f"{base}/bot",
            base_file_url=f"{base}/file/bot",
            request=Connection(read_timeout=20, pool_timeout=10, httpx_kwargs=ways),
            get_updates_request=UpdatesConnection(connection_pool_size=2, read_timeout=10, httpx_kwargs=ways),
        )
        self._commands = {command.name: command for command in commands}
        self._confirm_s = confirm_s
        self._links = Links(token)
        self._sender = Sender(self._bot, Lanes(pace))
        self._answers: Answers  # from the start
        self._rights = Rights(self._bot)
        self._polling = Polling(self._bot, self._take, self._renew_lease)
        self._webhook = self._opened(webhook_url, webhook_listen) if webhook_url else None
        self._seen = LRUCache[int, asyncio.Future[None]](REMEMBERED_UPDATES)
        self._sent = LRUCache[str, MessageId](REMEMBERED_NONCES)
        self._turns: WeakValueDictionary[PlaceId, asyncio.Lock] = WeakValueDictionary()
        self._topics = Topics()
        self._comments = Comments()
        self._under_way: set[asyncio.Task[None]] = set()
        self._main: asyncio.Task[None] | None = None
        self._rests = False
        self._over: asyncio.Future[str] | None = None
        self._core: Core | None = None
        self._storage: Storage | None = None
        self._is_leader = False
        self._refusals = Refusals()  # of the token, at the start

    def _opened(self, url: str, listen: str) -> "Webhook":
        from bot.adapters.on_telegram.webhook import Webhook

        return Webhook(self._bot, url, listen, self._take)

    @property
    def name(self) -> str:
        return NAME

    def capabilities(self, place: PlaceId, /) -> Capabilities:
        """Edits count in groups: the limit is twenty messages a minute, edits included."""
        return Capabilities(counts_edits=not addresses.spot(place).private)

    @property
    def reception(self) -> Reception:
        source = self._webhook or self._polling
        if not source.in_order:
            return Reception.DOWN
        return Reception.UP if source.receives else Reception.STANDBY

    async def start(self, core: Core, storage: Storage) -> str:
        """See `bot.chat.Platform`. An unreachable server is retried in the background, and so is a refused token."""
        self._core, self._storage = core, storage
        self._answers = Answers(self._bot, self._sender, self._links, core)
        self._over = asyncio.get_running_loop().create_future()
        await self._comments.recall(storage)
        if self._webhook is not None:
            await self._webhook.listen()
        connected = await self._first_connected()
        self._main = self._begin(self._run(connected))
        if self._refusals.times:
            return f"{self._unknown} Trying again for ten minutes."
        if not connected:
            return f"{self._server} cannot be reached; trying again until it can"
        return f"https://t.me/{self._bot.username}"

    async def rest(self) -> None:
        if self._rests:
            return
        self._rests = True
        if self._webhook is not None:
            self._webhook.accepts = False
        if self._main is not None:
            await cancelled(self._main)
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=LAST_WORDS_S)
        await cancelled(*self._under_way)
        with suppress(TelegramError, TimeoutError, RuntimeError):
            async with asyncio.timeout(LAST_WORDS_S):
                if self._webhook is not None:
                    await self._webhook.close()
                elif self._main is not None:
                    await self._polling.finish()
        if self._storage is not None and self._is_leader:
            self._is_leader = False
            with suppress(StorageDown, TimeoutError):
                async with asyncio.timeout(LAST_WORDS_S):
                    await self._storage.release()

    async def stop(self) -> None:
        await self.rest()
        await self._bot.shutdown()

    @property
    def servers(self) -> int | None:
        return None

    async def ended(self) -> str:
        assert self._over is not None
        return await asyncio.shield(self._over)

    async def post(self, place: PlaceId, post: Post, nonce: str) -> MessageId:
        """Post a message. Telegram knows no nonces: if its answer is lost, the message is sent twice."""
        known = self._sent.get(nonce)
        if known is not None:
            return known
        message = addresses.message_id(await self._sender.send(addresses.spot(place), post))
        self._sent[nonce] = message
        return message

    async def wait_for_quota(self, place: PlaceId, priority: Priority) -> None:
        await self._sender.room(addresses.spot(place), priority)

    async def edit(self, place: PlaceId, message: MessageId, post: Post) -> None:
        await self._sender.edit(addresses.spot(place), addresses.shown(message), post)

    async def remove(self, place: PlaceId, message: MessageId, part: MessagePart) -> None:
        spot = addresses.spot(place)
        if part is MessagePart.BUTTONS:
            await self._sender.strip(spot, addresses.shown(message))
            return
        with suppress(Gone):
            shown = addresses.shown(message)
            if not self._sender.is_another(spot, shown, addresses.stamp(message)):
                await self._sender.delete_with_others(spot, shown)

    async def show_typing(self, place: PlaceId) -> None:
        await self._sender.write(addresses.spot(place))

    async def membership(self, place: PlaceId, person: PersonId) -> Membership:
        user = addresses.user(person)
        return Membership.UNKNOWN if user is None else await self._rights.membership(addresses.spot(place).chat, user)

    async def link(self, place: PlaceId, message: MessageId) -> str | None:
        return addresses.link(addresses.spot(place), addresses.shown(message))

    async def open_thread(self, place: PlaceId, title: str) -> Thread:
        """Open a topic. Raises Refused if the chat is no forum, or if the bot may not."""
        spot = await self._sender.open_topic(addresses.spot(place), title)
        return Thread(addresses.place_id(spot), addresses.topic_link(spot))

    @property
    def _server(self) -> str:
        """The server's address, without secrets."""
        return without_credentials(self._bot.base_url.removesuffix(f"/bot{self._bot.token}"))

    @property
    def _unknown(self) -> Unusable:
        return Unusable(f"{self._server} does not know TELEGRAM_TOKEN.")

    async def _first_connected(self) -> bool:
        """Return the result of the first `_connected`, False if the token was refused. Raises Unusable."""
        try:
            return await self._connected()
        except InvalidToken:  # its text contains the token
            if self._refusals.again():
                raise self._unknown from None
            return False

    async def _connected(self) -> bool:
        """Check the token; return False if Telegram cannot be reached. Raises InvalidToken."""
        try:
            async with asyncio.timeout(FIRST_TRY_S):
                await self._bot.initialize()
        except (TelegramError, TimeoutError) as error:
            if refuses_token(error):
                raise
            return False
        if self._webhook is not None:
            self._webhook.accepts = not self._rests
        return True

    async def _run(self, connected: bool) -> None:
        """Receive updates until cancelled, or until Telegram revokes the token."""
        assert self._over is not None
        try:
            await self._receive(connected)
        except InvalidToken:
            trouble = self._unknown
            log.error("Telegram: %s", trouble)
            self._over.set_result(str(trouble))

    async def _receive(self, connected: bool) -> None:
        """Never returns. Raises InvalidToken."""
        if not connected:
            if self._refusals.times:
                log.warning("Telegram: token refused, retrying: server=%s", self._server)
            else:
                log.warning("Telegram: unreachable, retrying: server=%s", self._server)
            await _insist(self._connected, self._refusals)
            log.info("Telegram: reached: bot=https://t.me/%s", self._bot.username)
        try:
            await self._announce()
        except TelegramError as error:
            log.warning("Telegram: menus of commands or descriptions may be out of date: error=%s", error.message)
            self._begin(self._announce_later())
        if self._webhook is not None:
            await _insist(self._webhook.register)
            await self._webhook.run()
        else:
            await _insist(self._bot.delete_webhook)  # Telegram refuses polling while it has one
            await self._polling.run()

    async def _announce(self) -> bool:
        """Update menus and descriptions; find out whether the server keeps marks. Raises TelegramError."""
        if await listing.announce(self._bot, tuple(self._commands.values())):
            self._sender.trust.keeps_marks()
        await listing.describe(self._bot)
        return True

    async def _announce_later(self) -> None:
        with suppress(InvalidToken):  # the polling loop finds and reports that too
            await _insist(self._announce)

    def _take(self, raw: telegram.Update) -> asyncio.Future[None]:
        """Handle an update once, however often it comes. The future is done when the core has handled it and the answer
        was tried once, or has to wait for its chat. An update that failed is handled again when it comes again."""
        known = self._seen.get(raw.update_id)
        if known is None or (known.done() and not known.cancelled() and known.exception() is not None):
            known = self._seen[raw.update_id] = self._begin(self._handle(raw))
        return known

    async def _handle(self, raw: telegram.Update) -> None:
        guest = guests.read(raw, self._bot.username)
        if guest is not None:
            self._begin(self._welcome(guest))
            return
        envelope, places, presence = incoming.contents(
            raw, self._bot.username, self._links, self._commands, self._comments
        )
        if places is not None and self._core is not None:
            await self._core.place_changed(places)
        elif presence is not None and self._core is not None:
            await self._come_or_go(presence, self._core)
        elif self._core is not None and (passages := incoming.moves_of_people(raw)):
            for passage in passages:
                await self._pass(passage, self._core)
        elif envelope is None:
            if raw.callback_query is not None:
                self._begin(Query(self._bot, raw.callback_query.id).answer())
        elif self._answers.holds(envelope):
            self._begin(self._answers.hand_over(envelope))
        elif envelope.nameless:
            self._begin(self._answers.nameless(envelope))
        else:
            place = envelope.update.place.id
            self._topics.note(envelope.spot)
            if self._storage is not None and envelope.spot.thread is not None:
                self._begin(self._comments.keep(envelope.spot, self._storage))
            if envelope.spot.private:
                self._answers.opened(envelope.user)
            turn = self._turns.get(place) or asyncio.Lock()
            self._turns[place] = turn
            async with turn:  # requests of a place are handled in their order
                kept = self._answers.kept(envelope.user) if envelope.opens else None
                reply = kept or await self._ask(envelope)
            await self._answered(envelope, reply)

    async def _welcome(self, guest: Guest) -> None:
        try:
            await self._sender.welcome(guest)
        except Undelivered as trouble:
            log.info("mention not answered: error=%s", trouble)

    async def _answered(self, envelope: Envelope, reply: Reply | None) -> None:
        """Begin to answer, and wait for the first try: if the process dies before, Telegram sends the update again."""
        tried = asyncio.Event()

        async def answer() -> None:
            let_go.set(tried.set)
            try:
                await self._answers.answer(envelope, reply)
            finally:
                tried.set()

        self._begin(answer())
        with suppress(TimeoutError):
            async with asyncio.timeout(self._confirm_s):
                await tried.wait()

    async def _pass(self, passage: Passage, host: Core) -> None:
        """Report that a person came into a group or left it, for each place there."""
        person, kind = addresses.person_id(passage.user), MemberCame if passage.came else MemberLeft
        for spot in (Spot(passage.chat), *self._topics.of(passage.chat)):
            await host.place_changed(kind(addresses.place_id(spot), person))

    async def _come_or_go(self, presence: Presence, core: Core) -> None:
        place = presence.place
        await core.place_changed(PlaceAdded(place) if presence.added else PlaceLost(place.id))
        for topic in map(addresses.place_id, self._topics.of(addresses.spot(place.id).chat)):
            await core.place_changed(PlaceRegained(topic) if presence.added else PlaceLost(topic))

    async def _ask(self, envelope: Envelope) -> Reply | None:
        assert self._core is not None
        update = envelope.update
        if not update.may_manage and asks_to_manage(update.body):
            may = await self._rights.may_manage(envelope.spot.chat, envelope.user)
            access = ThreadAccess.ALLOWED if may and envelope.is_forum else update.thread_access
            update = replace(update, may_manage=may, thread_access=access)
        try:
            return await self._core.handle(update)
        except Exception:
            log.exception("Telegram: update failed: id=%s", update.id)
            return Reply(text=say("failed", envelope.lang))

    async def _renew_lease(self) -> bool:
        """Return whether this process is the one that polls. While the store is down, that stays as it was."""
        assert self._storage is not None
        try:
            self._is_leader = await self._storage.lease(LEASE_S)
        except StorageDown as down:
            log.warning("Telegram: cannot renew the polling lease: leader=%s error=%s", self._is_leader, down)
        return self._is_leader

    def _begin(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("Telegram: unexpected error", exc_info=error)


async def _insist(call: Callable[[], Awaitable[bool]], refusals: Refusals | None = None) -> None:
    """Retry *call* until it returns True, with growing pauses. Raises InvalidToken after many *refusals* of the
    token."""
    refusals = refusals or Refusals()
    for tried in itertools.count():
        try:
            if await call():
                return
            refusals.end()
        except TelegramError as error:
            if not refuses_token(error):
                refusals.end()
            elif refusals.again():
                raise
            log.debug("Telegram: %s", type(error).__name__)
        await asyncio.sleep(POLLING.pause_s(tried))


def _keep_the_token_out_of_logs() -> None:
    """Set log levels: addresses of requests contain the token, and these libraries log addresses."""
    hold("httpx", "httpcore", least=logging.WARNING)
    hold("telegram", least=logging.INFO)
