"""Channels that vote on Discord and on Telegram while bots and the store fail, and the books about their votes.

A scene goes in rounds: all people vote, the clock is put forward, and the votes close. In each round something fails,
while people vote or while the votes close. What people were told is compared with the ballots and with the result on
the board, and every request to a platform is searched for the people of the other one.
"""

import asyncio
import logging
import os
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from itertools import cycle, pairwise
from pathlib import Path

from redis.exceptions import ResponseError

from bot.chat import PersonId
from bot.replies.words import say
from bot.repository.repository import Repository
from bot.requests import Vote
from bot.runtime.metrics import Metrics
from bot.store.store import Store
from bot.tables import deadlines, voting
from bot.tables.snapshot import Snapshot
from bot.tables.table import Phase, TableId
from bot.tables.voting import Ballot
from tests.chaos.ahead import FILE, Ahead
from tests.chaos.bots import Bots
from tests.chaos.players import Findings, Result
from tests.chaos.size import SIZE, pause
from tests.chaos.stores import Node, under_sentinels
from tests.chaos.voters import (
    Answer,
    Board,
    Counted,
    DiscordPlace,
    OnDiscord,
    OnTelegram,
    Place,
    Poll,
    TelegramPlace,
    Voter,
    counted,
    seen,
)
from tests.emulators.discord import Discord
from tests.emulators.discord.world import MANAGE_GUILD
from tests.emulators.telegram.server import Telegram

log = logging.getLogger(__name__)

DISCORD, TELEGRAM = 0, 1
STEMS = ("Quexa", "Wolbi")
"""The beginnings of all names on Discord and on Telegram. No other text has them."""
AT_ONCE = 16
"""People of a place who vote at the same time."""
SLOW_S, SHOWN_S, CARD_S, CLOSES_S = 120.0, 60.0, 30.0, 3.0
"""Time limits for a start, a board, a card, and the end of a vote after its time."""
AGAIN_S, PAUSE = 4.0, timedelta(minutes=1)
"""Time without a board, and by how much the clock is put forward then."""
TRIES, LOOK_S = 12, 0.2
MANY = 77777
"""A number that stands for any other one."""
COUNTED, QUIET, CARD = timedelta(seconds=31), voting.QUIET + timedelta(seconds=1), timedelta(seconds=15)
"""Times after which the post counts the votes and a refused board is tried again, a vote closes early, and the card of
a finished game is posted."""
FLOOD, WINDOW = 1000, 20
"""Presses of a flood in each place, and how many of them are not yet seen at a time."""
Trouble = Callable[[], Coroutine[None, None, None]]


class Wire:
    """What the server of a platform receives."""

    def __init__(self) -> None:
        self.bytes = 0
        self.leaks: list[str] = []
        self.knows_own = False
        self._foreign: list[bytes] = []
        self._own: list[bytes] = []

    def learns(self, own: Sequence[str], foreign: Sequence[str]) -> None:
        """Search from now on for texts about the people of both platforms."""
        self._own = [text.lower().encode() for text in own]
        self._foreign = [text.lower().encode() for text in foreign]

    def hears(self, content: bytes) -> None:
        self.bytes += len(content)
        lowered = content.lower()
        for text in self._foreign:
            if text not in lowered:  # much quicker than the search of whole numbers
                continue
            for place in re.finditer(rb"(?<!\d)" + re.escape(text), lowered):  # not the end of a longer number
                at = place.start()
                self.leaks.append(f"{text.decode()} in {content[max(0, at - 80) : at + 80]!r}")
        self.knows_own = self.knows_own or any(text in lowered for text in self._own)


class Pair(Bots):
    """Bots with a clock that can be put forward: one for each platform, or a single one for both."""

    program = ("-m", "tests.chaos.ahead")

    def __init__(self, discord: Discord, telegram: Telegram, folder: Path, url: str, clock: Path) -> None:
        super().__init__(discord, folder, url, SIZE.get().shards)
        self._telegram = telegram
        self._clock = clock
        self._asked = 0  # how often a former bot has asked for updates
        self.kills = 0

    def _settings(self, number: int) -> dict[str, str]:
        telegram = {"TELEGRAM_TOKEN": self._telegram.token, "TELEGRAM_API_URL": self._telegram.url}
        of_both = self._discord.environment, telegram
        settings = of_both[number] if self._count > 1 else of_both[DISCORD] | of_both[TELEGRAM]
        return {FILE: str(self._clock), **settings}

    async def _connected(self, number: int) -> None:
        if DISCORD in (number, self._count - 1):
            await super()._connected(0)
        if TELEGRAM in (number, self._count):
            await self._telegram.until(
                lambda: self._telegram.asks > self._asked or None, "Telegram is asked for updates"
            )

    async def restart(self, platform: int) -> None:
        """Kill the bot of a platform, and start it again."""
        number = platform % self._count
        self.kills += 1
        await self.kill(number)
        self._asked = self._telegram.asks
        await self.start(number)

    async def close(self) -> None:
        for number in self.running:
            await self.kill(number)

    def cpu_s(self) -> float:
        """Return the CPU time of the running bots, without their workers."""
        return sum(_cpu_s(process.pid) for process in self._processes.values())


def _cpu_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Side:
    """A place whose people vote at its table. *lang*: of its messages. *owed*: the poll whose result the next board has
    to tell. *known*: the messages before that board."""

    def __init__(self, place: Place, platform: int, voters: Sequence[Voter], lang: str = "en") -> None:
        self.place, self.platform, self.voters, self.lang = place, platform, voters, lang
        self.name = f"{place.id} ({len(voters)})"
        self.table = TableId("")
        self.polls: list[Poll] = []
        self.owed: Poll | None = None
        self.known: set[int] = set()
        self.is_over = False
        self.is_shut = False
        self.board: Board | None = None

    @property
    def new(self) -> list[Board]:
        """The messages that are not known yet."""
        return [board for board in self.place.boards() if board.number not in self.known]

    @property
    def takes_votes(self) -> bool:
        return any(board.takes_votes for board in self.new)

    def sees(self) -> None:
        """Let all people see the newest board."""
        boards = self.place.boards()
        self.known |= {board.number for board in boards}
        self.board = next((board for board in reversed(boards) if board.takes_votes), self.board or boards[-1])

    async def vote(self, poll: Poll) -> None:
        """Let all people vote."""
        room, board = asyncio.Semaphore(AT_ONCE), self.board
        assert board is not None

        async def vote(voter: Voter) -> None:
            async with room:
                await voter.takes_part(poll, board)

        await asyncio.gather(*map(vote, self.voters))

    # Checks

    def shows(self, poll: Poll) -> bool:
        """Return whether the post counts the people who have voted."""
        told = poll.told.values()
        numbers = range(sum(bool(vote.turn) for vote in told), sum(vote.may_be != {""} for vote in told) + 1)
        board = next((now for now in self.place.boards() if self.board and now.number == self.board.number), None)
        keys = ("vote.open", "vote.again")
        lines = (say(key, self.lang, who="~", n=n, until="~").split("~")[1] for key in keys for n in numbers)
        return 0 in numbers or (board is not None and any(line in board.text for line in lines))

    def checked(self, poll: Poll, kept: Mapping[PersonId, str]) -> Findings:
        """Compare the votes that the store has *kept* with what people were told."""
        result = Findings(notes=[])
        for person, told in poll.told.items():
            if kept.get(person, "") not in told.may_be:
                result.lost += 1
                result.notes.append(f"{self.name}: {person} was told {told}, kept is {kept.get(person)!r}")
        for person in kept.keys() - poll.told.keys():
            result.doubled += 1
            result.notes.append(f"{self.name}: {person} has not voted, kept is {kept[person]!r}")
        return result

    def looked(self, kept: Mapping[PersonId, str], voters: Mapping[PersonId, str], *, alone: bool) -> Findings:
        """Compare the boards that are not known yet with the votes *kept* for the owed poll. *voters*: the names of
        those who may be named here. *alone*: no house plays, so that each turn has one board."""
        result, new = Findings(notes=[]), self.new
        results = [told for board in new if (told := counted(board.text, self.lang)) is not None]
        if len(results) != bool(kept):
            result.boards += 1
            result.notes.append(f"{self.name}: {len(results)} boards tell of {len(kept)} votes")
        for told in results[:1]:
            result.add(self._compared(kept, told, voters))
        boards = [board.text for board in new if not self._is_card(board)]
        if alone and len(boards) != 1:
            result.boards += 1
            result.notes.append(f"{self.name}: boards of one turn: {boards}")
        for board, other in pairwise(new):
            if (board.picture, board.text) == (other.picture, other.text):
                result.boards += 1
                result.notes.append(f"{self.name}: a board was posted twice: {board.text!r}")
        live = sum(board.takes_votes for board in self.place.boards())
        if live > 1 or (self.is_over and live):
            result.boards += 1
            result.notes.append(f"{self.name}: {live} boards take votes")
        return result

    def _is_card(self, board: Board) -> bool:
        """Return whether *board* is the card of a finished game, which `ended` checks."""
        titles = (say("crowd.title", self.lang, who="~", n=n).split("~")[1] for n in (1, MANY))
        patterns = (re.escape(title).replace(str(MANY), r"\d+") + "$" for title in titles)
        return any(re.search(pattern, board.text, re.MULTILINE) for pattern in patterns)

    def _compared(self, kept: Mapping[PersonId, str], told: Counted, voters: Mapping[PersonId, str]) -> Findings:
        """Compare the result of a vote with the ballots."""
        assert self.owed is not None
        words = {turn: self.owed.text(turn, self.lang) for turn in kept.values()}
        result, right = Findings(notes=[]), Counter(words[turn] for turn in kept.values())
        first = next(iter(told.counts), "")
        missing = [right[turn] - number for turn, number in told.counts.items() if turn] + [len(kept) - told.votes]
        if any(missing) or sum(told.counts.values()) != told.votes or right[first] != max(right.values(), default=0):
            result.lost += max(0, *missing)
            result.doubled += max(0, *(-number for number in missing))
            result.lost += result.lost + result.doubled == 0  # another turn was played
            result.notes.append(f"{self.name}: told is {told}, kept are {right}")
        who = {name for person, name in voters.items() if person in kept and words[kept[person]] == first}
        if not {*told.names} <= who:
            result.leaks += 1
            result.notes.append(f"{self.name}: {told.names} are named, {who} may be")
        return result

    def ended(self, voted: int) -> Findings:
        """Check the last messages: one final board, and one card that counts the people who have *voted*."""
        result, boards = Findings(notes=[]), self.place.boards()
        title = say("crowd.title", self.lang, who="~", n=voted).split("~")[1]
        cards = [board for board in boards if re.search(re.escape(title) + "$", board.text, re.MULTILINE)]
        if len(cards) != bool(voted):
            result.boards += 1
            result.notes.append(f"{self.name}: {len(cards)} cards read {title!r}")
        finals = [board for board in boards if any(offer.startswith("share:") for offer in board.offers)]
        if len(finals) != 1:
            result.boards += 1
            result.notes.append(f"{self.name}: {len(finals)} final boards")
        return result


def poll_at(snapshot: Snapshot) -> Poll | None:
    """Return the poll that is open at a table, or None."""
    table, state = snapshot.table, snapshot.state
    if state is None or not voting.is_open(table, state):
        return None
    return Poll(*voting.moment(snapshot), voting.key(snapshot), table, state)


def is_same(poll: Poll | None, other: Poll | None) -> bool:
    return poll is not None and other is not None and (poll.number, poll.mark) == (other.number, other.mark)


Game = tuple[Side, ...]
"""The places of one game: one against the house, or two against each other."""
Opened = tuple[Side, Poll]


class Evening:
    """All places, their bots, and the trouble."""

    def __init__(
        self, discord: Discord, telegram: Telegram, bots: Pair, store: Store, clock: Ahead, sentinel: Node
    ) -> None:
        self.discord, self.telegram, self.bots, self.store, self.clock = discord, telegram, bots, store, clock
        self.repository = Repository(store, clock, 90, Metrics())
        self.sides: list[Side] = []
        self.games: list[Game] = []
        self.findings = Findings(notes=[])
        self.figures: dict[str, float] = defaultdict(float)
        self.wires = (Wire(), Wire())
        self.longest_s = 0.0
        self._measured = 0.0, 0  # seconds of CPU, and votes
        self._sentinel = sentinel
        self._luck = random.Random(0)

    # People

    def on_discord(self, people: int, lang: str = "en") -> Side:
        """Return a channel with so many people; the first one manages it."""
        channel, hands = self.discord.channel(f"crowd {people}"), list[OnDiscord]()
        for number in range(people):
            name = f"{STEMS[DISCORD]}{people}x{number}"
            rights = MANAGE_GUILD if number == 0 else 0
            locale = "en-US" if lang == "en" else lang
            person = self.discord.person(name, channel, locale=locale, permissions=rights)
            hands.append(OnDiscord(self.discord, person))
        return self._side(DiscordPlace(self.discord, channel), DISCORD, hands, lang)

    def on_telegram(self, people: int, lang: str = "en") -> Side:
        """Return a group with so many people; the first one manages it."""
        members = []
        for number in range(people):
            name = f"{STEMS[TELEGRAM]}{people}x{number}"
            members.append(self.telegram.person(name, username=f"{name}_".lower(), lang=lang))
            members[-1].private().closed = number % 2 == 1  # half of them have opened it
        group = self.telegram.group(f"crowd {people}", *members)
        hands = [OnTelegram(self.telegram, member, group) for member in members]
        return self._side(TelegramPlace(self.telegram, group), TELEGRAM, hands, lang)

    def _side(self, place: Place, platform: int, hands: Sequence[OnDiscord | OnTelegram], lang: str) -> Side:
        voters = [Voter(hand, lang, random.Random(f"{hand.name}")) for hand in hands]
        self.sides.append(Side(place, platform, voters, lang))
        ids = [[v.hand.id.partition(":")[2] for side in self.sides_on(n) for v in side.voters] for n in (0, 1)]
        for number, wire in enumerate(self.wires):
            wire.learns((STEMS[number], *ids[number]), (STEMS[1 - number], *ids[1 - number]))
        return self.sides[-1]

    def sides_on(self, platform: int) -> list[Side]:
        return [side for side in self.sides if side.platform == platform]

    async def against_the_house(self, side: Side) -> None:
        """Let the channel of a place play against the house."""
        await self._types(side, "newgame", game="kabooom", options="easy channel house")
        await self._presses(side, "start:")
        self.games.append((side,))

    async def against_each_other(self, one: Side, other: Side) -> None:
        """Let two channels play."""
        await self._types(one, "newgame", game="kabooom", options="easy channels")
        told = await self._presses(one, "code:")
        code = re.search(r"/join ([a-z]+ [a-z]+ [a-z]+)", told.text)
        assert code is not None, told.text
        asked = await other.voters[0].hand.types("join", code=code[1])
        assert asked is not None, "the code is not answered"
        await other.voters[0].hand.presses(_offer(asked, "accept:"), asked.message)
        await self._finds_table(other)
        await seen(
            lambda: any(offer.startswith("confirm:") for board in one.place.boards() for offer in board.offers),
            SHOWN_S,
            LOOK_S,
        )
        await self._presses(one, "confirm:")
        self.games.append((one, other))

    async def _types(self, side: Side, command: str, **arguments: str) -> None:
        await side.voters[0].hand.types(command, **arguments)
        await self._finds_table(side)

    async def _finds_table(self, side: Side) -> None:
        assert await seen(lambda: bool(side.place.boards()), SHOWN_S, LOOK_S), f"{side.name} has no lobby"
        table = await self.store.at(side.place.id)
        assert table is not None
        side.table = table
        side.known = {board.number for board in side.place.boards()}

    async def _presses(self, side: Side, verb: str) -> Answer:
        lobby = side.place.boards()[-1]
        return await side.voters[0].hand.presses(_offer(lobby, verb), lobby.message) or Answer("")

    # Trouble

    async def nothing(self) -> None:
        pass

    async def kills_discord(self) -> None:
        await self._kill(DISCORD)

    async def kills_telegram(self) -> None:
        await self._kill(TELEGRAM)

    async def _kill(self, platform: int) -> None:
        await pause(self._luck.uniform(0, 1.5))
        await self.bots.restart(platform)

    async def fails_over(self) -> None:
        self.figures["failovers"] += 1
        for _ in range(TRIES):  # the former primary may not follow yet
            with suppress(ResponseError):
                await asyncio.to_thread(self._sentinel.ask, "SENTINEL", "FAILOVER", "games")
                return
            await asyncio.sleep(1)

    async def floods(self) -> None:
        """Let one person of each place press *Vote* very often, and all others together as often; once."""
        if not self.figures["presses of floods"]:
            await asyncio.gather(*(self._flood(side) for side in self.sides if not side.is_over))

    async def _flood(self, side: Side) -> None:
        board, presses = side.board, iter(range(round(FLOOD * SIZE.get().pace)))
        assert board is not None

        async def press() -> None:
            for number in presses:
                voter = side.voters[number // 2 % len(side.voters) if number % 2 else 0]
                await voter.hand.throws(Vote(side.table).payload, board.message)
                self.figures["presses of floods"] += 1

        await asyncio.gather(*(press() for _ in range(WINDOW)))

    async def repeats(self) -> None:
        for side in self.sides:
            await side.place.again()

    async def shuts_discord(self) -> None:
        self._shut(DISCORD)

    async def shuts_telegram(self) -> None:
        self._shut(TELEGRAM)

    def _shut(self, platform: int) -> None:
        """Take the right to post from the bot, until the vote after this one has to close."""
        for side in self.sides_on(platform):
            if not side.is_over:
                side.place.shuts()
                side.is_shut = True
                self.figures["places shut"] += 1

    async def _reopen(self) -> None:
        """Let the bot post again everywhere, and wait until it does."""
        shut = [side for side in self.sides if side.is_shut]
        for side in shut:
            side.place.opens()
        if shut:
            self.clock.put_forward(COUNTED)  # as long as a refused board waits; no vote may close meanwhile
        if not await seen(lambda: all(side.new for side in shut), SHOWN_S, LOOK_S):
            self.finds("a place that takes posts again gets none")
        for side in shut:
            side.is_shut = False
            await self._check(side)

    # Rounds

    async def play(self) -> None:
        """Play all games to their end, or for the most rounds, with trouble in each round."""
        troubles = cycle(self._troubles())
        for number in range(SIZE.get().rounds + 1):
            opened = await self._open()
            if number == SIZE.get().rounds:
                await self._reopen()
            if not opened or not self.findings.is_fine or number == SIZE.get().rounds:
                break
            await self._round(opened, *next(troubles))
            self.figures["rounds"] += 1

    def _troubles(self) -> list[tuple[Trouble, Trouble]]:
        """Return the trouble of each round: while people vote, and while the vote closes.

        No flood follows a closed place: it takes so long that the bot tries again there when the vote has closed.
        """
        return [
            (self.nothing, self.fails_over),
            (self.floods, self.kills_telegram),
            (self.kills_discord, self.shuts_telegram),
            (self.repeats, self.shuts_discord),
            (self.fails_over, self.kills_discord),
            (self.kills_telegram, self.repeats),
        ]

    async def _open(self) -> list[Opened]:
        """Wait for the next poll of each game, and check the boards of the former one."""
        games = [game for game in self.games if not all(side.is_over for side in game)]
        waiting = asyncio.gather(*map(self._opens, games))
        for _ in range(TRIES):  # a place that takes posts again is tried after a pause
            with suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(waiting), AGAIN_S)
                break
            log.info("no vote yet somewhere")
            self.clock.put_forward(PAUSE)
        opened = await waiting
        await self._idle()
        for game in games:
            for side in game:
                if not side.is_shut:
                    await self._check(side)
        return [pair for pair in opened if pair is not None]

    async def _opens(self, game: Game) -> Opened | None:
        """Wait until a place has a new poll, and each place that is not shut a new board. Return None if the game is
        over, or if no poll comes."""
        until = time.monotonic() + SHOWN_S
        while time.monotonic() < until:
            polls = [poll_at(await self.repository.load(side.table)) for side in game]
            phases = [(await self.repository.load(side.table)).table.phase for side in game]
            is_shown = all(side.new or side.is_shut for side in game)
            if is_shown and all(phase == Phase.OVER for phase in phases):
                for side in game:
                    side.is_over = True
                return None
            for side, poll in zip(game, polls, strict=True):
                is_new = poll is not None and not is_same(poll, side.polls[-1] if side.polls else None)
                if poll is not None and is_new and is_shown and (side.takes_votes or side.is_shut):
                    side.polls.append(poll)
                    log.info("%s: vote %s", side.name, poll.number)
                    return side, poll
            await asyncio.sleep(LOOK_S)
        self.finds(f"{game[0].name}: no board of the next vote")
        return None

    async def _round(self, opened: Sequence[Opened], while_voting: Trouble, while_closing: Trouble) -> None:
        before_s, cast, kills = self.bots.cpu_s(), self.votes, self.bots.kills
        await asyncio.gather(while_voting(), *(side.vote(poll) for side, poll in opened))
        if kills == self.bots.kills and while_voting != self.floods and self.figures["rounds"]:  # the first warms up
            self._measured = self._measured[0] + self.bots.cpu_s() - before_s, self._measured[1] + self.votes - cast
        await self._reopen()
        await self._put_forward(COUNTED)
        for side, poll in opened:
            if not await seen(partial(side.shows, poll), SHOWN_S, LOOK_S):
                self.finds(f"{side.name}: the post does not count {len(poll.told)} votes")
        log.info("voted, %s", while_closing.__name__)
        begun, trouble = time.monotonic(), asyncio.create_task(while_closing())
        for _ in range(TRIES):
            left = [await self._left(side) for side, poll in opened if not await self._is_closed(side, poll)]
            if not left:
                break
            await self._put_forward(max(QUIET, *left))
            until = time.monotonic() + CLOSES_S
            while time.monotonic() < until and not all([await self._is_closed(*pair) for pair in opened]):
                await asyncio.sleep(LOOK_S)
        await trouble
        self.longest_s = max(self.longest_s, time.monotonic() - begun)
        for side, poll in opened:
            await self._close(side, poll)

    async def _is_closed(self, side: Side, poll: Poll) -> bool:
        return not is_same(poll_at(await self.repository.load(side.table)), poll)

    async def _left(self, side: Side) -> timedelta:
        """Return the time until the vote closes at the latest."""
        closes = deadlines.voting_closes((await self.repository.load(side.table)).table)
        return timedelta() if closes is None else closes - self.clock.now() + timedelta(seconds=1)

    async def _put_forward(self, step: timedelta) -> None:
        """Put the clock forward when no board is being posted: leases run out then, and a card looks for its final
        board after a tenth of the time."""
        await self._idle()
        log.info("clock put forward by %s", step)
        self.clock.put_forward(step)

    async def _idle(self) -> None:
        """Wait until all boards are posted, except those that a place refuses."""
        refused = sum(side.is_shut for side in self.sides)
        until = time.monotonic() + (CLOSES_S if refused else SHOWN_S)
        while time.monotonic() < until:
            left = await self.store.counting.figures(self.repository.now_ms())
            if left.unposted <= refused and not left.urgent:
                return
            await asyncio.sleep(0.1)

    @property
    def votes(self) -> int:
        return sum(voter.votes for side in self.sides for voter in side.voters)

    # Checks

    def finds(self, note: str) -> None:
        self.findings.boards += 1
        self.findings.notes.append(note)

    async def _close(self, side: Side, poll: Poll) -> None:
        """Check the votes of a closed poll, whose result each place of the game has to tell."""
        self.findings.add(side.checked(poll, await self._kept(side, poll)))
        for other in next(game for game in self.games if side in game):
            other.owed = poll

    async def _check(self, side: Side) -> None:
        """Check the boards that a place has got, and the last messages if the game is over."""
        game = next(game for game in self.games if side in game)
        owner = next((one for one in game if side.owed in one.polls), None)
        if side.owed is not None and owner is not None:
            kept = await self._kept(owner, side.owed)
            names = {voter.hand.id: voter.hand.name for voter in side.voters}
            look = partial(side.looked, kept, names, alone=len(game) > 1)
            await seen(lambda: look().is_fine, CLOSES_S, LOOK_S)  # old buttons go at last
            self.findings.add(look())
        side.owed = None
        side.sees()
        if side.is_over:
            voted = sum(bool(ballot.turns) for ballot in (await self._ballots(side)).values())
            await self._put_forward(CARD)
            await seen(lambda: side.ended(voted).is_fine, CARD_S, LOOK_S)
            self.findings.add(side.ended(voted))

    async def _kept(self, side: Side, poll: Poll) -> dict[PersonId, str]:
        ballots = await self._ballots(side)
        return {person: ballot.turns[poll.key] for person, ballot in ballots.items() if poll.key in ballot.turns}

    async def _ballots(self, side: Side) -> dict[PersonId, Ballot]:
        _, stored = await self.store.votes.of(side.table)
        return {person: ballot for person, content in stored.items() if (ballot := voting.ballot(content)) is not None}

    async def verdict(self) -> Result:
        """Return the violations so far, with those that only the end shows."""
        for side in self.sides:
            for voter in side.voters:
                self.findings.lost += len(voter.wrong)
                self.findings.notes += voter.wrong
        for wire in self.wires:
            self.findings.leaks += len(wire.leaks) + (not wire.knows_own)  # a search that finds nobody is blind
            self.findings.notes += wire.leaks[:5]
            self.figures["bytes compared"] += wire.bytes
        polls = sum(len(side.polls) for side in self.sides)
        boards = [board for side in self.sides for board in side.place.boards()]
        self.figures |= {
            "people": sum(len(side.voters) for side in self.sides),
            "votes": self.votes,
            "ms of CPU a vote": 1000 * self._measured[0] / max(1, self._measured[1]),
            "kills": self.bots.kills,
            "polls": polls,
            "posts a poll": len(boards) / max(1, polls),
            "edits a poll": sum(board.edits for board in boards) / max(1, polls),
        }
        return Result(self.findings, polls, self.longest_s, figures=dict(self.figures))

    async def err(self) -> None:
        """Add a wrong fact of each kind, which the checks must find: a vote that the store has lost, a vote of a person
        who has not voted, a board that was posted twice, and a name at the other platform."""
        polls = ((side, poll) for side in self.sides for poll in side.polls)
        side, poll = next(pair for pair in polls if any(told.turn for told in pair[1].told.values()))
        kept = await self._kept(side, poll)
        kept[PersonId("discord:1")] = kept.pop(next(person for person, told in poll.told.items() if told.turn))
        self.findings.add(side.checked(poll, kept))
        side.place.doubles()
        side.owed, side.known = poll, {board.number for board in side.place.boards()[:-2]}
        self.findings.add(side.looked({}, {}, alone=False))
        self.wires[TELEGRAM].hears(f"{STEMS[DISCORD]} is here".encode())


def _offer(message: Answer | Board, verb: str) -> str:
    """Return the payload of the button that asks for this."""
    payload = next((offer for offer in message.offers if offer.startswith(verb)), None)
    assert payload is not None, f"{verb} is not offered: {message}"
    return payload


# Scenes


@asynccontextmanager
async def evening(folder: Path) -> AsyncIterator[Evening]:
    """Run both platforms with their bots, and a store under Sentinels."""
    async with AsyncExitStack() as stack:
        _, _, sentinel = stack.enter_context(under_sentinels(folder))
        url = f"redis+sentinel://127.0.0.1:{sentinel.port}/games"
        discord = await stack.enter_async_context(Discord())
        stack.callback(_forgive, discord)
        telegram = await stack.enter_async_context(Telegram(knows_ephemeral=True))
        discord.look_for_s = SLOW_S
        clock = Ahead(folder / "ahead")
        bots = Pair(discord, telegram, folder / "bots", url, folder / "ahead")
        stack.push_async_callback(bots.close)
        await bots.start(*range(SIZE.get().shards))
        store = await Store.open(url, patience_s=60)
        stack.push_async_callback(store.close)
        here = Evening(discord, telegram, bots, store, clock, sentinel)
        discord.hears, telegram.hears = (wire.hears for wire in here.wires)
        yield here
        for violation in (*discord.violations, *telegram.violations):
            if violation in telegram.reused:  # a failover may lose the record of the newer message
                here.figures["numbers of other messages"] += 1
            else:
                here.finds(violation)


def _forgive(discord: Discord) -> None:
    """Forget what dead processes have not answered, and violations that are noted."""
    unanswered = [token for token, interaction in discord.interactions.items() if interaction.first_answer is None]
    for token in unanswered:
        del discord.interactions[token]
    discord.violations.clear()


async def crowds_play_against_the_house(folder: Path, tables: int, seeded: bool) -> Result:
    """Let crowds of all sizes play on both platforms. *tables*: not used."""

    async def begin(here: Evening) -> None:
        for people in SIZE.get().crowds:
            for side in (here.on_discord(people), here.on_telegram(people)):
                await here.against_the_house(side)

    return await _played(folder, begin, seeded)


async def crowds_play_against_each_other(folder: Path, tables: int, seeded: bool) -> Result:
    """Let a channel on Discord play against one on Telegram, which speaks German. *tables*: not used."""

    async def begin(here: Evening) -> None:
        one, other = SIZE.get().rivals
        await here.against_each_other(here.on_discord(one), here.on_telegram(other, "de"))

    return await _played(folder, begin, seeded)


async def _played(folder: Path, begin: Callable[[Evening], Awaitable[None]], seeded: bool) -> Result:
    async with evening(folder) as here:
        await begin(here)
        await here.play()
        was_fine = here.findings.is_fine
        if seeded:
            await here.err()
    result = await here.verdict()
    result.was_fine = was_fine
    return result
