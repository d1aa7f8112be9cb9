"""The number of taps in a turn: whole games of people who only tap.

On Discord and Telegram the real adapters talk to the tests' emulators; on the page a person taps on the board if it has
targets, and else on a button. Actions are drawn at random, so that a menu gains nothing by offering good moves first. A
tap that opens a menu counts as well.
"""

import asyncio
import random
import statistics
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import cast

import msgspec
from msgspec import Struct

from bench import Row
from bench.turn import PEOPLE, Nowhere, Unhurried
from bot.adapters import on_discord
from bot.adapters.on_telegram.chat import TelegramChat
from bot.app import build
from bot.chat import Opened, Person, Place, PlaceId, Platform, Press, Reply, Select, Typed, Update, UpdateId
from bot.delivery.painting import Pictures
from bot.replies.tree import Tree
from bot.requests import payload
from bot.requests.commands import COMMANDS
from bot.service.service import Service
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables.table import Phase, Table, TableId
from rules import GAMES, Action, State
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.emulators.discord import Discord
from tests.emulators.discord import Message as Answered
from tests.emulators.telegram.server import Call, Telegram
from tests.emulators.telegram.world import Message as Said

GOALS = {"kabooom": 3, "kalejdoschach": 3, "kaleidoskop": 4, "colorio": 5, "crystalla": 6}
MOST_ACTIONS = 400
MOST_TAPS = 14
"""Limit for one action."""
SEATS = 3
ENDS = 0.7
"""Probability that a player ends a turn that could go on."""


class Wish(Struct, frozen=True):
    """The action that a player wants to play at this revision of the table."""

    seat: int
    revision: int
    actions: tuple[Action, ...]
    number: int

    def is_offered(self, payloads: Iterable[str]) -> bool:
        """Return whether one of these buttons belongs to a menu of this revision."""
        contents = map(payload.read, payloads)
        return any(content is not None and content.numbers[:1] == (self.revision,) for content in contents)

    def next_tap(self, payloads: Sequence[str], been: list[str]) -> str | None:
        """Return the button that plays the action, else the one that leads closest to it, else None."""
        best, depth = None, -1
        for encoded in payloads:
            content = payload.read(encoded)
            if content is None or content.numbers[:1] != (self.revision,) or encoded in been:
                continue
            if content.verb == "play" and content.numbers[1] == self.number:
                return encoded
            path = content.numbers[2:]
            leads = any(number == self.number for number, _ in Tree(self.actions).under(path))
            if content.verb == "menu" and leads and len(path) > depth:
                best, depth = encoded, len(path)
        if best is not None:
            been.append(best)
        return best


Taps = Callable[[Wish], Awaitable[int]]

KINDS = ("posts", "pings", "edits", "deletions", "to one alone")
"""Costs of a turn: public messages, pings in them, edits, deletions, and requests with a private answer."""


class Hall(Struct, frozen=True):
    """A place with a running game. *taps*: plays an action and returns the taps that it took. *costs*: returns the
    requests to the platform so far, by `KINDS`."""

    store: Store
    service: Service
    place: PlaceId
    taps: Taps
    costs: Callable[[], Counter[str]] = Counter


class Calm(Unhurried):
    """A clock on which no tap is too fast for the rate limit."""

    def __init__(self) -> None:
        super().__init__()
        self._asked = count()

    def monotonic(self) -> float:
        return 60.0 * next(self._asked)


@asynccontextmanager
async def _house() -> AsyncIterator[tuple[Store, Service]]:
    with tempfile.TemporaryDirectory() as folder:
        async with Embedded(Path(folder)) as server:
            store, painter = await Store.open(server.url), Pictures()
            service = build(store, painter, Calm(), draw=lambda n: "07" * n)
            yield store, service
            await service.stop()
            await store.close()
            painter.close()


async def _started(service: Service, chat: Platform) -> None:
    service.add(chat)
    await chat.start(service, MemoryStorage())


# The platforms


@asynccontextmanager
async def discord(game: str) -> AsyncIterator[Hall]:
    async with _house() as (store, service), Discord() as server:
        hall = server.channel("hall")
        chat = on_discord.open(server.environment)
        await _started(service, chat)
        await server.connected()
        people = [server.person(person.name, hall) for person in PEOPLE[:SEATS]]
        await people[0].types("/newgame", game=game)
        lobby = await hall.reads("who's playing?")
        for person in people[1:]:
            await person.presses("Join", on=lobby)
            await hall.reads(person.name)
        await people[0].presses("Start", on=lobby)
        place = PlaceId(f"discord:{hall.id}")
        await _running(store, place)
        await service.idle()
        menu: dict[int, Answered] = {}

        def ids(message: Answered) -> list[str]:
            return [str(part["custom_id"]) for part in message.parts]

        async def taps(wish: Wish) -> int:
            spent, been, board = 0, list[str](), hall.newest()
            who = await _person(store, place, wish)
            person = next(person for person in people if str(person.id) == who)
            if person.id not in menu or not wish.is_offered(ids(menu[person.id])):
                offered = wish.next_tap(ids(board), been)
                move = offered or next(id_ for id_ in ids(board) if id_.startswith("menu:"))
                menu[person.id] = await (await person.presses_id(move, board)).answered()
                spent += 1
                if move.startswith("play:") or await _went_on(store, place, wish):
                    return spent
            for _ in range(MOST_TAPS):
                tapped = wish.next_tap(ids(menu[person.id]), been)
                assert tapped is not None
                await (await person.presses_id(tapped, menu[person.id])).answered()
                spent += 1
                if tapped.startswith("play:"):
                    return spent
            raise AssertionError(f"{wish} takes more than {MOST_TAPS} taps")

        def costs() -> Counter[str]:
            requests = Counter(_on_discord(request, hall.id) for request in server.requests)
            return requests + Counter(pings=sum(person.pings for person in people))

        yield Hall(store, service, place, taps, costs)
        await chat.stop()


def _on_discord(request: str, channel: int) -> str:
    """Return the kind of a request's cost, or ""."""
    method, path = request.split(" ", 1)
    if path.startswith(("/interactions/", "/webhooks/")):
        return "to one alone"
    if not path.startswith(f"/channels/{channel}/messages"):
        return ""
    return {"POST": "posts", "PATCH": "edits", "DELETE": "deletions"}.get(method, "")


@asynccontextmanager
async def telegram(game: str, *, knows_ephemeral: bool = True) -> AsyncIterator[Hall]:
    async with _house() as (store, service), Telegram(knows_ephemeral=knows_ephemeral) as server:
        members = [server.person(person.name, lang="en") for person in PEOPLE[:SEATS]]
        hall = server.group("Hall", *members)
        for person in members:
            person.private().closed = False
        chat = TelegramChat(server.token, COMMANDS, server.url, pace=UNLIMITED)
        await _started(service, chat)
        await server.until(lambda: server.listening or None, "its commands are told")
        await members[0].types(f"/newgame {game}", hall)
        await hall.offers("Join")
        for person in members[1:]:
            await person.presses("Join", hall)
        await members[0].presses("Start", hall)
        await server.handled()
        await service.idle()

        def payloads(message: Said) -> list[str]:
            return [key.data for row in message.keys for key in row]

        async def taps(wish: Wish) -> int:
            spent, been = 0, list[str]()
            who = await _person(store, hall.place, wish)
            person = next(member for member in members if str(member.id) == who)

            def menu() -> Said | None:
                said = [*person.alone_in(hall).said(), *person.private().said()[-1:], hall.newest()]
                return next((message for message in said if wish.is_offered(payloads(message))), None)

            async def tap(message: Said, carried: str) -> None:
                key = next(key for row in message.keys for key in row if key.data == carried)
                await person.taps_key(key, message).answered()
                await server.handled()

            if menu() is None:
                board = hall.newest()
                await tap(board, next(payload_ for payload_ in payloads(board) if payload_.startswith("menu:")))
                spent += 1
                await service.idle()
                if await _went_on(store, hall.place, wish):
                    return spent
            for _ in range(MOST_TAPS):
                message = await server.until(menu, "a menu")
                tapped, edits = wish.next_tap(payloads(message), been), message.edits
                assert tapped is not None
                await tap(message, tapped)
                spent += 1
                if tapped.startswith("play:"):
                    return spent
                await _edited(server, message, edits)
            raise AssertionError(f"{wish} takes more than {MOST_TAPS} taps")

        def costs() -> Counter[str]:
            requests = Counter(_on_telegram(call) for call in server.calls if call.chat == hall.id)
            return requests + Counter(pings=sum(len(person.pings()) for person in members))

        yield Hall(store, service, hall.place, taps, costs)
        await chat.stop()


def _on_telegram(call: Call) -> str:
    """Return the kind of a request's cost, or ""."""
    if "Ephemeral" in call.method or "ephemeral_message_parameters" in call.params:
        return "to one alone"
    verb = {"send": "posts", "edit": "edits", "dele": "deletions"}
    return "" if call.method == "sendChatAction" else verb.get(call.method[:4], "")


async def _edited(server: Telegram, message: Said, edits: int) -> None:
    await server.until(lambda: message.edits > edits or message.deleted or None, "it goes on")


@asynccontextmanager
async def page(game: str) -> AsyncIterator[Hall]:
    """The page's requests: it shows the menu at once, and a board with targets."""
    async with _house() as (store, service):
        chat, room, numbers = Nowhere(), Place(PlaceId("room:hall")), count(1)
        service.add(chat)
        shown: dict[str, Reply] = {}

        def update(person: Person, body: Typed | Press | Opened) -> Update:
            return Update(UpdateId(f"room:{next(numbers)}"), person, room, body)

        async def do(person: Person, body: Typed | Press) -> None:
            reply = await service.handle(update(person, body))
            shown.pop(person.id, None)
            if reply is not None:
                shown[person.id] = reply
            await service.idle()

        for number, line in enumerate((f"/newgame {game}", *["/join"] * (SEATS - 1))):
            await do(PEOPLE[number], Typed(line))
        await do(PEOPLE[0], Typed("/start"))

        def payloads(reply: Reply) -> list[str]:
            rows = [row for row in reply.rows if not isinstance(row, Select)]
            return [
                *(target.payload for target in reply.targets if target.outline),
                *(button.payload for row in rows for button in row),
            ]

        async def taps(wish: Wish) -> int:
            been = list[str]()
            who = await _person(store, room.id, wish)
            person = next(candidate for candidate in PEOPLE if candidate.id.partition(":")[2] == who)
            for spent in range(1, MOST_TAPS):
                menu = payloads(shown[person.id]) if person.id in shown else []
                board = [target.payload for target in await service.targets(update(person, Opened())) if target.outline]
                offered = menu if wish.is_offered(menu) else board
                tapped = wish.next_tap(offered, been)
                if tapped is None:
                    tapped = payload.write("menu", (await _table(store, room.id)).id)
                await do(person, Press(tapped))
                if tapped.startswith("play:") or await _went_on(store, room.id, wish):
                    return spent
            raise AssertionError(f"{wish} takes more than {MOST_TAPS} taps")

        yield Hall(store, service, room.id, taps)


PLATFORMS = {"Discord": discord, "Telegram": telegram, "the page": page}


async def _table(store: Store, place: PlaceId) -> Table:
    held = await store.at(place)
    assert held is not None
    return await _load(store, held)


async def _went_on(store: Store, place: PlaceId, wish: Wish) -> bool:
    """Return whether a tap that opens a menu played the action, because there was only one."""
    return (await _table(store, place)).revision != wish.revision


async def _load(store: Store, table: TableId) -> Table:
    loaded = await store.load(table)
    assert loaded is not None
    return loaded.table


async def _person(store: Store, place: PlaceId, wish: Wish) -> str:
    """Return the account at the seat."""
    return (await _table(store, place)).seats[wish.seat].person.partition(":")[2]


# The games


async def _running(store: Store, place: PlaceId) -> None:
    """Wait until the game in *place* runs."""
    while (await _table(store, place)).phase is not Phase.RUNNING:  # noqa: ASYNC110  # the store has no event
        await asyncio.sleep(0.01)


async def turns(hall: Hall, luck: random.Random, actions: int = MOST_ACTIONS) -> list[int]:
    """Play a game to its end, or for so many *actions*, and return the taps of each turn."""
    held, spent = (await _table(hall.store, hall.place)).id, Counter[int]()
    for _ in range(actions):
        table = await _load(hall.store, held)
        if table.phase is Phase.OVER:
            break
        state: State = GAMES[table.game].decode(bytes(cast("msgspec.Raw", table.state)))
        if state.forced is not None:
            while (await _load(hall.store, held)).revision == table.revision:
                await hall.service.do_due()
                await hall.service.idle()
            continue
        assert state.actor is not None
        listed = state.actions()
        number = _wanted(state, listed, luck)
        if number is None:
            break
        spent[table.turn] += await hall.taps(Wish(state.actor, table.revision, listed, number))
        await hall.service.idle()
    return list(spent.values())


def _wanted(state: State, actions: tuple[Action, ...], luck: random.Random) -> int | None:
    """Return the number of a random action, or None if each needs a confirmation."""
    calm = [
        n
        for n, action in enumerate(actions)
        if str(action) != "draw" and (state.warns(action) or state.cautions(action)) is None
    ]
    end = next((n for n in calm if str(actions[n]) == "end"), None)
    if end is not None and luck.random() < ENDS:
        return end
    return luck.choice(calm) if calm else None


async def measure(platform: str, game: str, games: int = 2, actions: int = MOST_ACTIONS) -> list[int]:
    """Return the taps of all turns of some *games*."""
    taps = list[int]()
    for number in range(games):
        async with PLATFORMS[platform](game) as hall:
            taps += await turns(hall, random.Random(number), actions)
    return taps


def rows(*, small: bool = False) -> Iterator[Row]:
    games, actions = (1, 2) if small else (2, MOST_ACTIONS)
    for game, goal in list(GOALS.items())[: 1 if small else None]:
        figures = []
        for platform in PLATFORMS:
            taps = asyncio.run(measure(platform, game, games, actions))
            figures.append(f"{statistics.median(taps):.0f} (mean {statistics.mean(taps):.1f}) on {platform}")
        yield f"taps a turn, {game}", ", ".join(figures), "", f"≤ {goal}"


if __name__ == "__main__":
    for row in rows():
        print(" | ".join(row), flush=True)
