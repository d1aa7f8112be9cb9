"""Wiring: puts settings, store, service and platforms together, starts them and stops them. The only module that knows
all of them."""

import asyncio
import contextlib
import importlib
import logging
import pkgutil
import secrets
import signal
import traceback
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, cast

from bot import adapters
from bot.chat import PlaceId, Platform, Unusable
from bot.delivery.outbox import Outbox
from bot.delivery.painting import Pictures
from bot.extras.crowd_cards import CrowdCards
from bot.extras.daily.feature import DailyPuzzles
from bot.extras.daily.posts import DailyPosts
from bot.extras.hints.feature import Hints
from bot.extras.lessons.feature import Lessons
from bot.extras.luck import FairPlay
from bot.extras.own_notes import OwnNotes
from bot.extras.plans.feature import Plans
from bot.extras.playing_on import PlayingOn
from bot.extras.replays import ReplayAnswers, Replays
from bot.extras.reviews.feature import ReviewAnswers
from bot.extras.reviews.making import Reviews
from bot.extras.short_films import ShortFilms
from bot.extras.since import SinceMyTurn
from bot.extras.time_banks import TimeBanks
from bot.house.workers import Here, Thinker, Workers
from bot.operation import environment
from bot.operation.environment import Variable
from bot.operation.findings import Finding
from bot.operation.readiness import Readiness
from bot.repository.daily import DailyRecords, DailyWishes
from bot.repository.lookup import Lookup
from bot.repository.preferences import Preferences
from bot.repository.repository import LEASE_MS, Repository
from bot.runtime import gc_tuning
from bot.runtime.blocklist import NO_ONE, BlockList
from bot.runtime.clock import Clock, RealClock
from bot.runtime.gc_tuning import Tidying
from bot.runtime.logs import say
from bot.runtime.metrics import Counted, Metrics
from bot.runtime.rate_limit import RateLimit
from bot.runtime.tasks import cancelled
from bot.service import upkeep
from bot.service.agreements import Agreements
from bot.service.blocks import BlockAnswers
from bot.service.boards import Boards
from bot.service.completing import Completing
from bot.service.due import Due
from bot.service.expiring_replies import ExpiringReplies
from bot.service.feature import handlers
from bot.service.forgetting import Forgetting
from bot.service.gates import Gates
from bot.service.guesses import Guesses
from bot.service.history import HistoryAnswers
from bot.service.house_turns import HouseTurns
from bot.service.invitations import InvitationAnswers
from bot.service.linking import Linking
from bot.service.links import PostLinks
from bot.service.lobbies import Lobbies
from bot.service.more import MoreAnswers
from bot.service.my_games import MyGames
from bot.service.open_replies import ClosesReplies
from bot.service.pages import Pages
from bot.service.places import Places
from bot.service.playing import Playing
from bot.service.reposting import Reposting
from bot.service.service import Service
from bot.service.settings import SettingsAnswers
from bot.service.statistics import StatisticsAnswers
from bot.service.substitutes import Substitutes
from bot.service.undos import Undos
from bot.service.unreachable import UnreachableAnswers
from bot.service.voting import VoteAnswers
from bot.service.watching import Watching
from bot.store import StoreDown, address
from bot.store.embedded import START_S, Embedded
from bot.store.store import PATIENCE_S, Store
from renderers import Theme
from rules import GAMES, LEFT_OUT, PACKAGES

log = logging.getLogger(__name__)

STOP_S = 3.0  # time for an unfinished start to stop
SETTLING_S = 30.0  # between the start and `_prepare`


class Adapter(Protocol):
    """The interface of a package in ``bot/adapters``. Its import is light, so an unused platform costs nothing."""

    NAME: str
    VARIABLES: tuple[Variable, ...]  # the first one switches the platform on

    def wanted(self, values: Mapping[str, str]) -> bool | None:
        """Return True for on, False for off, None for on if no other platform is on."""
        ...

    def open(self, values: Mapping[str, str]) -> Platform: ...

    async def examined(self, values: Mapping[str, str], places: Sequence[PlaceId]) -> Sequence[Finding]:
        """See `bot.operation.doctor.Patient`."""
        ...


def installed() -> tuple[Adapter, ...]:
    """Return all adapters, found by listing ``bot/adapters``."""
    names = sorted(module.name for module in pkgutil.iter_modules(adapters.__path__) if module.name.startswith("on_"))
    return tuple(cast("Adapter", importlib.import_module(f"bot.adapters.{name}")) for name in names)


def variables() -> tuple[Variable, ...]:
    """Return all variables that the bot reads."""
    return environment.CORE + tuple(variable for adapter in installed() for variable in adapter.VARIABLES)


def selected(values: Mapping[str, str]) -> tuple[tuple[Adapter, bool], ...]:
    """Return all adapters, each with whether it is on."""
    wishes = [(adapter, adapter.wanted(values)) for adapter in installed()]
    others = any(wish for _, wish in wishes)
    return tuple((adapter, not others if wish is None else wish) for adapter, wish in wishes)


@contextlib.asynccontextmanager
async def store_url(values: Mapping[str, str]) -> AsyncIterator[tuple[str, Embedded | None]]:
    """Yield the store's address and the embedded server, if the settings have no address: only this process uses it."""
    if values["REDIS_URL"]:
        yield address.resolved(values["REDIS_URL"], values["REDIS_TLS_VERIFY"] == "yes"), None
    else:
        async with Embedded(Path(values["DATA_DIR"])) as server:
            yield server.url, server


async def run(values: Mapping[str, str], clock: Clock | None = None) -> None:
    """Run the bot until SIGINT or SIGTERM. *clock*: the real one by default. Raises `bot.store.StoreError`,
    `Unusable`."""
    end = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end.set)
    metrics, stores = Metrics(), list[Store]()
    async with contextlib.AsyncExitStack() as stack:
        # A stop signal also interrupts a start that waits for a store or a platform.
        starting = asyncio.create_task(_start(values, stack, metrics, stores, clock or RealClock()), name="start")
        stopping = asyncio.create_task(end.wait(), name="stop requested")
        await asyncio.wait((starting, stopping), return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            await cancelled(starting, most_s=STOP_S)
        elif starting.exception() is not None:
            stopping.cancel()
            starting.result()
        elif not stopping.done():
            over = asyncio.create_task(_wait_for_end(starting.result(), metrics), name="platforms ended")
            await asyncio.wait((stopping, over), return_when=asyncio.FIRST_COMPLETED)
            over.cancel()
            if not stopping.done():
                stopping.cancel()
                over.result()
        kept = all(store.keeps_games for store in stores)
        say(f"Good bye. {'All games are kept.' if kept else 'The store may lose games: see the warnings above.'}")


def say_games() -> None:
    """Print a line for each package with a game, and for each one that is left out."""
    for game, package in PACKAGES.items():
        say(f"  {game}: {package}")
    for out in LEFT_OUT:
        say(f"  {out.game}: left out, {out.package}: {out.problem}")


async def _start(
    values: Mapping[str, str], stack: contextlib.AsyncExitStack, metrics: Metrics, stores: list[Store], clock: Clock
) -> list[Platform]:
    """Open the store, build the bot and start it; return the platforms that started.

    *stack* stops everything. *stores* gets the store as soon as it is open.
    """
    say_games()
    platforms = [adapter.NAME for adapter, on in selected(values) if on]
    metrics.begin(platforms, GAMES)
    readiness = Readiness(metrics, platforms)
    watched = bool(values["HEALTH_PORT"])
    if watched:
        from bot.operation.health import serving  # loaded only if it is used

        host, port = values["HEALTH_HOST"], int(values["HEALTH_PORT"])
        names = environment.listed(values["HEALTH_NAMES"])
        await stack.enter_async_context(serving(host, port, readiness, metrics, names=names))
        say(f"  health: port {port} of {host} (/healthz, /readyz, /metrics)")
    url, own = await stack.enter_async_context(store_url(values))
    alone = own is not None
    store = await open_store(url, metrics, alone=alone)
    stores.append(store)
    place = f"the bot's own in {values['DATA_DIR']}" if alone else str(store.address)
    say(f"  store: {place}{f' ({store.version})' if store.version else ''}")
    stack.push_async_callback(store.close)
    painter = Pictures(metrics)
    stack.callback(painter.close)
    theme = Theme(values["THEME"])
    service = build(
        store,
        painter,
        clock,
        theme,
        int(values["KEEP_DAYS"]),
        metrics=metrics,
        thinker=Workers(),
        lease_ms=1000 * int(values["LEASE_SECONDS"]),
        blocked=BlockList(frozenset(environment.listed(values["BLOCKED"]))),
    )
    chats, unusable = _opened(service, values, stack)
    stack.push_async_callback(service.stop)  # before the platforms, which take its last posts
    stack.push_async_callback(_rest, chats)
    readiness.watch(store, chats, tuple(unusable), bool if own is None else lambda: own.is_disk_full)
    stack.callback(readiness.end)
    gc_tuning.begin()  # before the first update
    tidying = asyncio.create_task(Tidying(metrics.happened).run(), name="tidy memory")
    stack.callback(tidying.cancel)
    started = await _start_chats(chats, service, store, unusable, metrics, clock)
    if watched:
        watching = Watching(service, store, chats, metrics, clock)
        for work, name in ((watching.run(), "watch"), (gc_tuning.measure(metrics.loop_late_seconds), "measure")):
            stack.callback(asyncio.create_task(work, name=name).cancel)
    preparing = asyncio.create_task(_prepare(painter, theme), name="prepare")
    stack.callback(preparing.cancel)
    upkeeping = asyncio.create_task(upkeep.watch(service, clock, alone=alone), name="look after tables")
    stack.callback(upkeeping.cancel)
    return started


def build(
    store: Store,
    painter: Pictures,
    clock: Clock,
    theme: Theme = Theme.DARK,
    keep_days: int = 90,
    draw: Callable[[int], str] = secrets.token_hex,
    metrics: Metrics | None = None,
    thinker: Thinker | None = None,
    lease_ms: int = LEASE_MS,
    blocked: BlockList = NO_ONE,
) -> Service:
    """Put the service together with all that it needs, but without platforms.

    *theme*: of pictures if neither the place nor the reader chose one. *draw*: returns that many random bytes in
    hexadecimal, for seeds and salts. *thinker*: runs the house's search; by default it runs in this process, briefly
    and deterministically. *lease_ms*: see `Repository`.
    *blocked*: by the operator.
    """
    metrics, thinker, chats = metrics or Metrics(), thinker or Here(), dict[str, Counted]()
    repository = Repository(store, clock, keep_days, metrics, draw, lease_ms)
    preferences = Preferences(store, clock)
    lookup = Lookup(store, repository)
    outbox = Outbox(chats, repository, painter, clock, theme)
    house_turns = HouseTurns(repository, thinker, chats, outbox.published, outbox.until_shown)
    repository.publish_to(house_turns.published)
    links = PostLinks(chats)
    history = HistoryAnswers(repository, preferences, painter, theme)
    plans = Plans(repository, history, painter)
    my_games = MyGames(lookup, links, clock, (plans,))
    guesses = Guesses(repository)
    votes = VoteAnswers(repository, preferences, history, painter, outbox, clock)
    cards = CrowdCards(repository, preferences, chats, painter, clock, theme)
    linked = Linking(repository, clock)
    repository.tell_linked_to(linked.saved)
    due = Due(repository, store, clock, outbox, house_turns, chats, votes, linked, (plans, cards))
    undos = Undos(repository)
    own_notes = OwnNotes(store)
    films = ShortFilms(painter)
    since = SinceMyTurn(repository, history, painter, films, (plans, own_notes))
    beside = (plans, since, own_notes, TimeBanks(clock))
    playing = Playing(repository, undos, history, painter, outbox, lookup, my_games, votes, beside)
    agreements = Agreements(repository, playing, due)
    lobbies = Lobbies(repository, store, lookup, preferences, chats, agreements)
    reviews = Reviews(chats, repository, thinker, painter, clock, theme, outbox.published, cards.reviewed)
    daily, wishes = DailyRecords(store, repository), DailyWishes(store, preferences, clock)
    features = (
        cards,
        Hints(repository, store, thinker, playing, history, painter),
        Lessons(repository, preferences, painter, theme),
        DailyPuzzles(store, daily, wishes, preferences, painter, films, theme),
        DailyPosts(store, repository, daily, wishes, preferences, chats, painter, clock, theme),
        ReplayAnswers(Replays(chats, painter, clock), repository, theme, reviews.turning_points),
        FairPlay(repository),
        PlayingOn(repository, lobbies, history, painter),
        ReviewAnswers(reviews, history, preferences, links),
        own_notes,
        plans,
        since,
    )
    forgetting = Forgetting(store, repository, preferences, draw)
    closes_replies = ClosesReplies(store, repository, preferences, outbox, features)
    answerers = (
        agreements,
        closes_replies,
        history,
        lobbies,
        my_games,
        playing,
        votes,
        guesses,
        InvitationAnswers(repository, store, preferences, lobbies, linked, blocked),
        BlockAnswers(store, lookup),
        Boards(lobbies, outbox, due),
        MoreAnswers(agreements, due, history, undos, votes, guesses),
        Pages(features),
        Substitutes(repository, store, lobbies, playing),
        SettingsAnswers(store, repository, lookup, preferences, wishes, clock, theme),
        StatisticsAnswers(store, repository, preferences, daily, forgetting, painter, theme),
        *features,
    )
    return Service(
        blocked=blocked,
        chats=chats,
        closes_replies=closes_replies,
        completing=Completing(lookup, preferences),
        due=due,
        expiring=ExpiringReplies(store, repository, outbox),
        features=features,
        gates=Gates(RateLimit(clock), preferences, lookup, chats, links, features, blocked),
        handlers=handlers(answerers),
        house_turns=house_turns,
        linking=linked,
        metrics=metrics,
        outbox=outbox,
        places=Places(chats, store, repository, preferences, outbox, clock),
        playing=playing,
        preferences=preferences,
        repository=repository,
        reposting=Reposting(store, repository, outbox, lobbies),
        unreachable=UnreachableAnswers(repository, outbox, playing, clock),
    )


async def _prepare(painter: Pictures, theme: Theme) -> None:
    """Prepare what later requests need. The first seconds have enough work: pending updates and boards that were not
    posted before the last stop."""
    await asyncio.sleep(SETTLING_S)
    await painter.prepare(theme)
    await warm_up()
    await asyncio.to_thread(gc_tuning.give_back)


async def warm_up() -> None:
    """Compute the constant tables, beside the event loop: the games' move tables, and the words for times."""
    for game in GAMES.values():
        for seats in (game.seats[0], game.seats[-1]):
            await asyncio.to_thread(lambda: game.start(seats).actions())  # noqa: B023  # it has finished before they change
    await asyncio.to_thread(importlib.import_module, "babel.dates")


async def _wait_for_end(chats: Sequence[Platform], metrics: Metrics) -> None:
    """Wait until all platforms have ended. Raises Unusable."""

    async def ended(chat: Platform) -> str:
        reason = await chat.ended()
        metrics.platform_ended.labels(chat.name).set(1)
        return reason

    reasons = await asyncio.gather(*map(ended, chats))
    names = (chat.name for chat in chats)
    raise Unusable("; ".join(f"{name}: {reason}" for name, reason in zip(names, reasons, strict=True)))


async def open_store(url: str, metrics: Metrics, *, alone: bool, patience_s: float = PATIENCE_S) -> Store:
    """Open the store. An embedded server (*alone*) may have died, so it is given time to restart. Raises StoreDown."""
    clock = asyncio.get_running_loop().time
    give_up = clock() + START_S
    while True:
        try:
            return await Store.open(url, patience_s=patience_s, metrics=metrics, alone=alone)
        except StoreDown as down:
            if not alone or clock() > give_up:
                raise
            log.warning("store not opened, retrying: error=%s", down)


def _opened(
    service: Service, values: Mapping[str, str], stack: contextlib.AsyncExitStack
) -> tuple[list[Platform], dict[str, str]]:
    """Return all platforms that are on, not yet started, and the errors of those that cannot be opened, by name."""
    chats: list[Platform] = []
    unusable: dict[str, str] = {}
    for adapter, on in selected(values):
        if not on:
            say(f"  {adapter.NAME}: off (set {adapter.VARIABLES[0].name})")
            continue
        try:
            chat = adapter.open(values)
        except Exception as error:
            unusable[adapter.NAME] = _problem(adapter.NAME, error)
            say(f"  {adapter.NAME}: {unusable[adapter.NAME]}")
            continue
        chats.append(chat)
        service.add(chat)
        stack.push_async_callback(chat.stop)
    return chats, unusable


def _problem(name: str, error: Exception) -> str:
    """Return a sentence about the *error* of one platform, which does not concern the others.

    The text of an unexpected error may contain a secret, so only its type and its place in the code are logged.
    """
    if isinstance(error, Unusable):
        return str(error)
    places = "".join(traceback.format_tb(error.__traceback__))
    log.error("platform failed at its start: platform=%s error=%s\n%s", name, type(error).__name__, places)
    return f"unexpected error ({type(error).__name__})"


async def _rest(chats: Sequence[Platform]) -> None:
    """Let no platform hear updates any more, before the service stops that would apply them."""
    await asyncio.gather(*(chat.rest() for chat in chats))


async def _start_chats(
    chats: Sequence[Platform],
    service: Service,
    store: Store,
    unusable: Mapping[str, str],
    metrics: Metrics,
    clock: Clock,
) -> list[Platform]:
    """Start all platforms concurrently and print where each is; return those that started. Raises Unusable if none.

    *unusable*: the errors of platforms that could not be opened.
    """
    troubles = await asyncio.gather(*(_started(chat, service, store, clock) for chat in chats))
    for name in (*unusable, *(chat.name for chat, trouble in zip(chats, troubles, strict=True) if trouble)):
        metrics.platform_ended.labels(name).set(1)
    started = [chat for chat, trouble in zip(chats, troubles, strict=True) if not trouble]
    if not started:
        not_opened = (f"{name}: {trouble}" for name, trouble in unusable.items())
        raise Unusable("; ".join((*not_opened, *troubles)) or "no platform is on")
    return started


async def _started(chat: Platform, service: Service, store: Store, clock: Clock) -> str:
    """Start one platform and print where it is. Return its error, or ""."""
    try:
        storage = store.platform_storage(chat.name, clock)
        say(f"  {chat.name}: {await chat.start(service, storage)}")
    except Exception as error:
        trouble = _problem(chat.name, error)
        say(f"  {chat.name}: {trouble}")
        return f"{chat.name}: {trouble}"
    return ""
