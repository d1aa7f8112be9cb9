"""The scenes: one fault each while people play. Each returns the violations.

*seeded* adds a violation that the checks of the scene must find.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bot.store import keys
from bot.store.store import Store
from tests.chaos import bots as processes
from tests.chaos.bots import Bots
from tests.chaos.crowds import crowds_play_against_each_other, crowds_play_against_the_house
from tests.chaos.players import Findings, Match, Result, Stuck
from tests.chaos.size import SIZE, pause
from tests.chaos.stores import Node, clustered, on_the_way, one_node, under_sentinels
from tests.emulators.discord import Discord, Message
from tests.emulators.discord.world import Server

SLOW_S = 120.0
"""Time limit for any step on a busy machine."""


class Town:
    """Channels, bots, and a client of their store."""

    def __init__(self, discord: Discord, bots: Bots, store: Store, matches: list[Match]) -> None:
        self.discord = discord
        self.bots = bots
        self.store = store
        self.matches = matches
        self.findings = Findings(notes=[])

    @asynccontextmanager
    async def playing(self, turns: int = 10**6) -> AsyncIterator[None]:
        """Let all people play meanwhile; at the end they finish the current turn."""
        enough = asyncio.Event()
        games = [asyncio.create_task(match.play(enough, turns)) for match in self.matches]
        try:
            yield
            if turns < 10**6:
                await asyncio.wait(games)
        finally:
            enough.set()
            for game in await asyncio.gather(*games, return_exceptions=True):
                if isinstance(game, Stuck):
                    self.findings.calls += 1
                    self.findings.notes.append(str(game))
                elif isinstance(game, BaseException):
                    raise game

    def rest_soon(self, may_lose: int) -> None:
        """If moves may be lost, do not wait for the boards of lost moves."""
        if may_lose:
            self.give_up_soon(True)

    def give_up_soon(self, yes: bool) -> None:
        """Set whether people stop waiting for a board early."""
        for match in self.matches:
            match.gives_up = yes

    async def verdict(self, may_lose: int = 0) -> Result:
        """Return the violations now and after more turns of all tables."""
        for match in self.matches:
            self.findings.add(stored := await match.checked(self.store, may_lose))
            known = tuple(match.moves)
            if stored.is_fine and await match.learn_if_behind(self.store):
                self.findings.notes.append(f"{match.channel.name}: {len(known) - len(match.moves)} lost, as it may be")
                await match.show()
                await match.learn(self.store)
            elif stored.is_fine:
                self.findings.add(await match.shown())
        if self.findings.is_fine:
            async with self.playing(turns=SIZE.get().more_turns):
                pass
            for match in self.matches:
                self.findings.add(await match.checked(self.store))
                self.findings.add(await match.shown())
        await self._idle()
        return Result(
            self.findings,
            sum(match.played for match in self.matches),
            max((match.longest_s for match in self.matches), default=0.0),
        )

    async def restored(self, may_lose: int) -> Result:
        """Return the violations after a restore: the bot must post a board with a ping for each table."""
        for match in self.matches:
            self.findings.add(await match.checked(self.store, may_lose))
        await self._idle()
        for match in self.matches if self.findings.is_fine else ():
            await match.learn(self.store)
            match.leaves_lost_boards()
            if not match.is_called():
                self.findings.calls += 1
                self.findings.notes.append(f"{match.channel.name}: the restored board pings no one")
        return await self.verdict()

    async def _idle(self) -> None:
        """Wait until no post and no urgent work is left in the store."""
        until = time.monotonic() + SIZE.get().board_s
        while time.monotonic() < until and self.findings.is_fine:
            left = await self.store.counting.figures(int(time.time() * 1000))
            if not left.unposted and not left.urgent:
                return
            await asyncio.sleep(0.5)
        if self.findings.is_fine:
            self.findings.boards += 1
            self.findings.notes.append("boards are left in the queue")

    # Faults

    async def forget_a_move(self) -> None:
        """Remove the newest move of a table from the store."""
        match = max(self.matches, key=lambda candidate: len(candidate.moves))
        table = await self.store.at(match.place)
        assert table is not None
        log = keys.of_table(table, keys.shard(table))[1]
        await self.store._client.rpop(log)

    def post_twice(self) -> None:
        """Add a copy of a board, if possible at another table than `forget_a_move`."""
        match = min(reversed(self.matches), key=lambda candidate: len(candidate.moves))
        newest = match.channel.newest()
        again = Message(match.channel, newest.author, newest.content, components=newest.components)
        match.channel.messages.append(again)


@asynccontextmanager
async def town(
    folder: Path, url: str, tables: int, *, straight: str = "", root: Path = processes.ROOT
) -> AsyncIterator[Town]:
    """Start bots at *url* with *tables* tables. *straight*: another address of the same store, for the checks. *root*:
    the folder with the bots' code at first."""
    async with Discord() as discord:
        discord.look_for_s = SLOW_S
        servers = [discord.home]
        while len({server.id >> 22 & 1 for server in servers}) < SIZE.get().shards:
            servers.append(Server("Another"))
            await asyncio.sleep(0.001)
        discord.servers[:] = servers
        async with processes.started(discord, folder / "bots", url, SIZE.get().shards, root) as bots:
            store = await Store.open(straight or url, patience_s=60)
            matches = []
            for number in range(tables):
                server = servers[0] if number % 2 else servers[-1]
                matches.append(Match(discord, discord.channel(f"channel {number}", server), number))
            for first in range(0, tables, 10):
                await asyncio.gather(*(match.open(store) for match in matches[first : first + 10]))
            made = Town(discord, bots, store, matches)
            try:
                yield made
            finally:
                await store.close()
        for token in [token for token, interaction in discord.interactions.items() if interaction.first_answer is None]:
            del discord.interactions[token]  # dead processes do not answer
        if discord.violations:
            made.findings.notes += discord.violations
            made.findings.boards += len(discord.violations)
            discord.violations.clear()


def at(node: Node) -> str:
    return f"redis://127.0.0.1:{node.port}"


# One store


async def a_bot_is_killed(folder: Path, tables: int, seeded: bool) -> Result:
    with one_node(folder) as node:
        async with town(folder, at(node), tables) as here:
            async with here.playing():
                for number in (0, SIZE.get().shards - 1, 0)[: SIZE.get().times]:
                    await pause(3)
                    await here.bots.kill(number)
                    await pause(1)
                    await here.bots.start(number)
                await pause(3)
            if seeded:
                here.post_twice()
            return await here.verdict()


async def all_bots_are_killed(folder: Path, tables: int, seeded: bool) -> Result:
    with one_node(folder) as node:
        async with town(folder, at(node), tables) as here:
            async with here.playing():
                await pause(4)
                for number in range(SIZE.get().shards):
                    await here.bots.kill(number)
                await here.bots.start(*range(SIZE.get().shards))
                await pause(3)
            if seeded:
                await here.forget_a_move()
            return await here.verdict()


async def _exchanged_under_play(here: Town) -> None:
    """Stop and restart the bots, one after the other, while people play."""
    async with here.playing():
        for number in range(SIZE.get().shards):
            await pause(3)
            await here.bots.end(number)
            await here.bots.start(number)
        await pause(3)


async def upgraded_one_after_the_other(folder: Path, tables: int, seeded: bool) -> Result:
    with one_node(folder) as node:
        async with town(folder, at(node), tables) as here:
            await _exchanged_under_play(here)
            result = await here.verdict()
            if not seeded:
                return result
            was_fine = result.findings.is_fine
            here.post_twice()
            await here.forget_a_move()
            return replace(await here.verdict(), was_fine=was_fine)


async def upgraded_from_an_older_version(folder: Path, tables: int, seeded: bool) -> Result:
    with one_node(folder) as node:
        async with town(folder, at(node), tables, root=await processes.older(folder / "older")) as here:
            here.bots.root = processes.ROOT
            await _exchanged_under_play(here)
            if seeded:
                await here.forget_a_move()
            return await here.verdict()


async def the_store_is_killed(folder: Path, tables: int, seeded: bool) -> Result:
    settings = 'save ""\n' if seeded else None  # the server keeps no data
    with one_node(folder, settings) if settings else one_node(folder) as node:
        async with town(folder, at(node), tables) as here:
            async with here.playing():
                for _ in range(1 if seeded else SIZE.get().times):
                    await pause(3)
                    node.kill()
                    await pause(2)
                    await asyncio.to_thread(node.start)
                    if seeded:
                        break
                await pause(0 if seeded else 3)
                here.give_up_soon(seeded)
            return await here.verdict()


async def its_disk_is_full(folder: Path, tables: int, seeded: bool) -> Result:
    """Let writes fail for some seconds. Seeded: the server dies before the disk has room again."""
    with one_node(folder) as node:
        async with town(folder, at(node), tables) as here:
            async with here.playing():
                await pause(3)
                node.fill_disk()
                await pause(6)
                if seeded:
                    node.kill()
                    await asyncio.to_thread(node.start)
                    await pause(1)
                    here.give_up_soon(seeded)
                else:
                    node.free_disk()
                    await pause(5)
            return await here.verdict()


async def it_may_only_be_read(folder: Path, tables: int, seeded: bool) -> Result:
    """Make the primary a replica for some seconds. Seeded: of another server, whose data it copies."""
    with one_node(folder) as node, one_node(folder / "other") as other:
        async with town(folder, at(node), tables) as here:
            async with here.playing():
                await pause(3)
                node.ask("REPLICAOF", "127.0.0.1", other.port if seeded else 1)
                await pause(6)
                node.ask("REPLICAOF", "NO", "ONE")
                await pause(0 if seeded else 5)
                here.give_up_soon(seeded)
            return await here.verdict()


async def the_way_is_slow(folder: Path, tables: int, seeded: bool) -> Result:
    with one_node(folder) as node:
        async with on_the_way(node.port) as way:
            url = f"redis://127.0.0.1:{way.port}"
            async with town(folder, url, tables, straight=at(node)) as here:
                async with here.playing():
                    await pause(3)
                    way.delay_s = 0.4
                    await pause(10)
                    way.delay_s = 0.0
                    await pause(3)
                if seeded:
                    await here.forget_a_move()
                return await here.verdict()


async def the_way_is_half_open(folder: Path, tables: int, seeded: bool) -> Result:
    """Hold all data without ending a connection, longer than the bot retries; the data arrives late."""
    with one_node(folder) as node:
        async with on_the_way(node.port) as way:
            url = f"redis://127.0.0.1:{way.port}"
            async with town(folder, url, tables, straight=at(node)) as here:
                async with here.playing():
                    for seconds in (3, 12):
                        await pause(3)
                        way.silent = True
                        await pause(seconds)
                        way.silent = False
                    await pause(2)
                    way.cut()
                    await pause(3)
                if seeded:
                    await here.forget_a_move()
                return await here.verdict()


async def an_older_backup_is_restored(folder: Path, tables: int, seeded: bool) -> Result:
    with one_node(folder) as node:
        async with town(folder, at(node), tables) as here:
            async with here.playing():
                await pause(3)
                then = {} if seeded else {match.place: len(match.moves) for match in here.matches}
                await here.bots.run("backup", "games")
                await pause(3)
            for number in range(SIZE.get().shards):
                await here.bots.end(number)
            node.ask("FLUSHALL")
            await here.bots.run("restore", "games")
            await here.bots.start(*range(SIZE.get().shards))
            later = {match.place: len(match.moves) - then.get(match.place, len(match.moves)) for match in here.matches}
            return await here.restored(max(later.values()))


# Several servers


async def _failover(
    folder: Path, url: str, tables: int, trouble: Callable[[], Awaitable[None]], may_lose: int, seeded: bool
) -> Result:
    async with town(folder, url, tables) as here:
        async with here.playing():
            await pause(4)
            await trouble()
            await pause(10)
            here.rest_soon(may_lose)
        if seeded:
            await here.forget_a_move()
            await here.forget_a_move()
        return await here.verdict(may_lose)


async def sentinels_switch(folder: Path, tables: int, seeded: bool) -> Result:
    with under_sentinels(folder) as (_, _, sentinel):

        async def switch() -> None:
            await asyncio.to_thread(sentinel.ask, "SENTINEL", "FAILOVER", "games")

        url = f"redis+sentinel://127.0.0.1:{sentinel.port}/games"
        return await _failover(folder, url, tables, switch, 0, seeded)


async def the_primary_under_sentinels_dies(folder: Path, tables: int, seeded: bool) -> Result:
    with under_sentinels(folder) as (primary, _, sentinel):

        async def die() -> None:
            primary.kill()
            await pause(6)
            await asyncio.to_thread(primary.start)  # it becomes a replica, and loses its unreplicated writes

        url = f"redis+sentinel://127.0.0.1:{sentinel.port}/games"
        return await _failover(folder, url, tables, die, 1, seeded)


async def a_cluster_switches(folder: Path, tables: int, seeded: bool) -> Result:
    with clustered(folder) as (_, replica, other):

        async def switch() -> None:
            await asyncio.to_thread(replica.ask, "CLUSTER", "FAILOVER")

        return await _failover(folder, f"redis+cluster://127.0.0.1:{other.port}", tables, switch, 0, seeded)


async def a_primary_of_a_cluster_dies(folder: Path, tables: int, seeded: bool) -> Result:
    with clustered(folder) as (one, _, other):

        async def die() -> None:
            one.kill()
            await pause(6)
            await asyncio.to_thread(one.start)

        return await _failover(folder, f"redis+cluster://127.0.0.1:{other.port}", tables, die, 1, seeded)


class Scene(Struct, frozen=True):
    """One scene. *tables*: the number of tables, 0 for the default."""

    what: str
    play: Callable[[Path, int, bool], Coroutine[None, None, Result]]
    tables: int = 0


SCENES: dict[str, Scene] = {
    "bot": Scene("one of two bots is killed, three times", a_bot_is_killed),
    "bots": Scene("both bots are killed", all_bots_are_killed),
    "upgrade": Scene("both bots are exchanged, one after the other", upgraded_one_after_the_other, 100),
    "older": Scene(
        "both bots of an older version are upgraded, one after the other", upgraded_from_an_older_version, 100
    ),
    "store": Scene("the store is killed, three times", the_store_is_killed),
    "disk": Scene("the store's disk is full for six seconds", its_disk_is_full),
    "readonly": Scene("the store can only be read for six seconds", it_may_only_be_read),
    "slow": Scene("every answer of the store takes 0.8 s, for ten seconds", the_way_is_slow),
    "halfopen": Scene("connections to the store are silent for 3 s, then for 12 s", the_way_is_half_open),
    "backup": Scene("an older backup is restored", an_older_backup_is_restored),
    "sentinel": Scene("Sentinels exchange the primary", sentinels_switch),
    "primary": Scene("the primary under Sentinels dies and comes back", the_primary_under_sentinels_dies),
    "cluster": Scene("a Cluster's replica takes over", a_cluster_switches),
    "crowds": Scene("crowds on both platforms play against the house", crowds_play_against_the_house),
    "rivals": Scene("a crowd on Discord plays against one on Telegram", crowds_play_against_each_other),
    "node": Scene("a primary of a Cluster dies and comes back", a_primary_of_a_cluster_dies),
}
