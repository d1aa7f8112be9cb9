"""People who vote on the real platforms: they press *Vote*, tap choices, cast, and repeat what no bot has answered."""

import asyncio
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from msgspec import Struct, field

from bot.adapters.on_discord.messages import unmarked
from bot.adapters.on_telegram.answers import KEPT
from bot.chat import PersonId, PlaceId
from bot.replies import wording
from bot.replies.words import say
from bot.requests import CastVote, Request, Vote, registry
from bot.tables import plans
from bot.tables.table import Table
from rules import State
from tests.emulators.discord import Channel, Discord, Interaction
from tests.emulators.discord import Message as DiscordMessage
from tests.emulators.discord import Person as DiscordPerson
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat, Key
from tests.emulators.telegram.world import Message as TelegramMessage
from tests.emulators.telegram.world import Person as TelegramPerson

LOOK_S = 0.02
ANSWER_S = 10.0
"""Time without an answer before a person tries again."""
AFTER_S = 1.0
LONGEST_S = 90.0
"""Time for one vote, with all kills of the bot."""
MOST_TAPS = 12
SILENT, CHANGES, TWICE, TYPES, AGAIN = 0.05, 0.25, 0.15, 0.1, 0.15
"""Shares of people who do not vote, change their vote, press twice or type, and whose presses are delivered twice."""
COPIED = 40
"""The newest updates that Telegram delivers again."""
PASS = "pass"
SOON = "…"
"""The text of a message that is filled soon."""
FAVOURITES = 3
"""Choices of a menu that most people like best."""


class Answer(Struct, frozen=True):
    """A private answer. *offers*: the payloads of its buttons. *message*: None for a line that passes."""

    text: str
    offers: tuple[str, ...] = ()
    message: Any = None


class Board(Struct, frozen=True):
    """A public message of the bot, not deleted. *picture*: its bytes. *offers*: the payloads of its buttons."""

    number: int
    text: str
    picture: bytes
    offers: tuple[str, ...]
    edits: int
    message: Any

    @property
    def takes_votes(self) -> bool:
        return any(isinstance(registry.read(payload), Vote) for payload in self.offers)


class Place(Protocol):
    """A place on one platform, with its people."""

    id: PlaceId

    def boards(self) -> list[Board]:
        """Return the visible messages of the bot, the oldest first."""
        ...

    def shuts(self) -> None:
        """Take the right to post from the bot."""
        ...

    def opens(self) -> None: ...

    async def again(self) -> None:
        """Deliver the newest updates of people once more, if the platform does so."""
        ...

    def doubles(self) -> None:
        """Show the newest board twice."""
        ...


class Hand(Protocol):
    """A person on one platform."""

    id: PersonId
    name: str

    async def presses(self, payload: str, on: Any, *, twice: bool = False) -> Answer | None:
        """Press a button. Return the private answer, None if there is none in time. *twice*: the platform delivers the
        press twice."""
        ...

    async def throws(self, payload: str, on: Any) -> None:
        """Press a button, and do not wait for what it leads to."""
        ...

    async def types(self, command: str, **arguments: str) -> Answer | None:
        """Type a command."""
        ...


# Discord


class OnDiscord:
    def __init__(self, discord: Discord, person: DiscordPerson) -> None:
        self.id, self.name = PersonId(person.account), person.name
        self._discord, self._person = discord, person

    async def presses(self, payload: str, on: Any, *, twice: bool = False) -> Answer | None:
        try:
            done = await self._person.taps_id(payload, on)
            if twice:
                await self._discord.deliver(done)
        except (AssertionError, ConnectionError):  # no shard is connected
            return None
        return await self._answered(done, lambda: done.answers > 0)

    async def throws(self, payload: str, on: Any) -> None:
        with suppress(AssertionError, ConnectionError):
            done = await self._person.taps_id(payload, on)
            await seen(lambda: done.first_answer is not None)

    async def types(self, command: str, **arguments: str) -> Answer | None:
        try:
            done = await self._person.sends(f"/{command}", **arguments)
        except (AssertionError, ConnectionError):
            return None
        return await self._answered(done, lambda: done.settled)

    async def _answered(self, done: Interaction, is_answered: Callable[[], bool]) -> Answer | None:
        if not await seen(is_answered):
            if done.first_answer is None:
                self._discord.interactions.pop(done.token, None)  # a dead process does not answer
            return None
        message = done.answer or done.original
        if message is None or message.deleted or message.loading:
            return None
        return Answer(message.text, _offers(message), message)


class DiscordPlace:
    def __init__(self, discord: Discord, channel: Channel) -> None:
        self.id = PlaceId(channel.place)
        self._discord, self._channel, self._allowed = discord, channel, channel.allowed

    def boards(self) -> list[Board]:
        return [self._board(message) for message in self._channel.public if not message.loading]

    @staticmethod
    def _board(message: DiscordMessage) -> Board:
        picture = message.attachments[0].content if message.attachments else b""
        return Board(message.id, message.text, picture, _offers(message), message.edits, message)

    def shuts(self) -> None:
        self._channel.allowed = 1 << 10  # to look only

    def opens(self) -> None:
        self._channel.allowed = self._allowed

    async def again(self) -> None:
        """Do nothing: single presses are delivered twice there."""

    def doubles(self) -> None:
        self._channel.messages.append(replace(self._channel.newest(), id=0))


def _offers(message: DiscordMessage) -> tuple[str, ...]:
    given = list[str]()
    for part in message.parts:
        given += [option["value"] for option in part.get("options", ())] or [part.get("custom_id", "")]
    return tuple(given)


# Telegram


class OnTelegram:
    def __init__(self, telegram: Telegram, person: TelegramPerson, group: Chat) -> None:
        self.id, self.name = PersonId(person.person), person.first_name
        self._telegram, self._person, self._group = telegram, person, group

    async def presses(self, payload: str, on: Any, *, twice: bool = False) -> Answer | None:
        before = self._alone()
        tap = self._person.taps_key(Key("", payload), on)

        def box() -> str:
            return "" if tap.answer is None else tap.answer.text or tap.answer.url

        if not await seen(lambda: bool(box() or self._new(before))):
            return None
        await seen(lambda: bool(self._new(before)), AFTER_S)  # the box may say that a message comes
        return self._newest(before) or Answer(box())

    async def throws(self, payload: str, on: Any) -> None:
        tap = self._person.taps_key(Key("", payload), on)
        await seen(lambda: tap.answer is not None)

    async def types(self, command: str, **arguments: str) -> Answer | None:
        before = self._alone()
        typed = await self._person.types(" ".join((f"/{command}", *arguments.values())), self._group)

        def public() -> TelegramMessage | None:
            """Return the reply that all people can read: the answer, or a button that leads to it."""
            return next((message for message in self._group.said() if message.quoted is typed and message.keys), None)

        if not await seen(lambda: bool(self._new(before) or public())):
            return None
        message = public()
        if message is None:
            return self._newest(before)
        if _keys(message)[0].startswith(KEPT):
            return await self.presses(_keys(message)[0], message)
        return Answer(message.text, _keys(message), message)

    def _said(self) -> list[TelegramMessage]:
        return [*self._person.private().said(), *self._person.alone_in(self._group).said()]

    def _alone(self) -> set[tuple[int, int]]:
        return {(id(message), message.edits) for message in self._said()}

    def _new(self, before: set[tuple[int, int]]) -> list[TelegramMessage]:
        said = self._said()
        return [message for message in said if message.text != SOON and (id(message), message.edits) not in before]

    def _newest(self, before: set[tuple[int, int]]) -> Answer | None:
        new = self._new(before)
        return Answer(new[-1].text, _keys(new[-1]), new[-1]) if new else None


class TelegramPlace:
    def __init__(self, telegram: Telegram, group: Chat) -> None:
        self.id = group.place
        self._telegram, self._group = telegram, group

    def boards(self) -> list[Board]:
        return [
            Board(
                message.number,
                message.text,
                message.picture.png if message.picture is not None else b"",
                _keys(message),
                message.edits,
                message,
            )
            for message in self._group.said()
            if message.quoted is None and not any(key.startswith(KEPT) for key in _keys(message))
        ]

    def shuts(self) -> None:
        self._group.wordless = True

    def opens(self) -> None:
        self._group.wordless = False

    async def again(self) -> None:
        self._telegram.repeats(COPIED)

    def doubles(self) -> None:
        self._group.messages.append(replace(self._group.newest(), number=0))


def _keys(message: TelegramMessage) -> tuple[str, ...]:
    return tuple(key.data for row in message.keys for key in row)


async def seen(condition: Callable[[], bool], most_s: float = ANSWER_S, every_s: float = LOOK_S) -> bool:
    """Wait until *condition* holds; return whether it does. *every_s*: the pause between looks, which cost time."""
    until = time.monotonic() + most_s
    while not condition():
        if time.monotonic() > until:
            return False
        await asyncio.sleep(every_s)
    return True


# Votes


class Told(Struct):
    """What a person knows of their vote in one poll. *turn*: the one that the bot has confirmed last, "" for none.
    *sent*: turns that were cast later, without an answer yet. *cast*: all turns that were ever cast."""

    turn: str = ""
    sent: list[str] = []
    cast: set[str] = set()

    @property
    def may_be(self) -> set[str]:
        """The turns that may count for the person; "": none."""
        return {self.turn, *self.sent}


class Poll(Struct):
    """A decision of a channel, as its people see it. *number*, *mark*: of the stamps in its buttons. *key*: in
    ballots."""

    number: int
    mark: str
    key: int
    table: Table
    state: State
    told: dict[PersonId, Told] = field(default_factory=dict)

    def of(self, person: PersonId) -> Told:
        return self.told.setdefault(person, Told())

    def turn(self, steps: Sequence[int]) -> str:
        """Return the whole turn that begins with the actions of these numbers."""
        seat = self.state.actor
        assert seat is not None
        return " ".join(plans.walked(self.table, self.state.view(seat), seat, steps, asks=False).steps)

    def passes(self, request: Vote) -> bool:
        """Return whether a choice gives the turn away, and there are others."""
        is_whole = 0 < request.made == len(request.steps)
        return is_whole and self.turn(request.steps) == PASS and len(self.state.actions()) > 1

    def text(self, turn: str, lang: str) -> str:
        """Return *turn* in the words of messages."""
        return wording.steps_text(self.table.game, self.state.view(None), turn.split(" "), lang)

    def is_of(self, request: Request | None) -> bool:
        stamp = getattr(request, "stamp", None)
        return stamp is not None and (stamp.number, stamp.mark) == (self.number, self.mark)


class Voter:
    """A person of a channel. *votes*: how often they have cast one. *wrong*: answers that confirm another."""

    def __init__(self, hand: Hand, lang: str, luck: random.Random) -> None:
        self.hand, self.lang, self._luck = hand, lang, luck
        self.votes = 0
        self.wrong: list[str] = []

    async def takes_part(self, poll: Poll, board: Board) -> None:
        """Vote, and perhaps change the vote, until it is confirmed or the poll is over. Some people are silent."""
        if self._luck.random() < SILENT:
            return
        await self._votes(poll, board)
        if poll.of(self.hand.id).turn and self._luck.random() < CHANGES:
            await self._votes(poll, board)

    async def _votes(self, poll: Poll, board: Board) -> None:
        told, until = poll.of(self.hand.id), time.monotonic() + LONGEST_S
        while time.monotonic() < until:
            wish = told.sent[-1] if told.sent else ""
            answer = await self._begins(poll, board, wish)
            if answer is not None and wish and self._has(answer, poll, wish):  # an earlier press had arrived
                self._knows(told, wish)
                return
            for _ in range(MOST_TAPS):
                if answer is None:
                    break  # try again
                request = self._chosen(poll, answer, wish)
                if request is None:
                    return  # the poll is over
                if isinstance(request, CastVote):
                    if await self._casts(poll, request, answer):
                        return
                    break
                answer = await self.hand.presses(request.payload, answer.message)

    def _knows(self, told: Told, turn: str) -> None:
        told.turn = turn
        told.sent.clear()
        self.votes += 1

    async def _begins(self, poll: Poll, board: Board, wish: str) -> Answer | None:
        if not wish and self._luck.random() < TYPES:
            text = str(
                self._luck.choice([action for action in poll.state.actions() if str(action) != PASS][:FAVOURITES])
            )
            return await self.hand.types("move", move=text)
        answer = await self.hand.presses(Vote(poll.table.id).payload, board.message)
        if answer is not None and not wish:  # a kept vote is changed by its button
            again = next((offer for offer in map(read, answer.offers) if _changes(offer)), None)
            if again is not None and self._names(answer):
                return await self.hand.presses(again.payload, answer.message)
        return answer

    def _chosen(self, poll: Poll, answer: Answer, wish: str) -> Request | None:
        """Return the request of the button that leads on to a whole turn."""
        further = list[Request]()
        for request in map(read, answer.offers):
            if not poll.is_of(request):
                continue
            if isinstance(request, CastVote) or (isinstance(request, Vote) and request.sure):
                return request
            if isinstance(request, Vote) and request.steps and not request.page and not poll.passes(request):
                further.append(request)
        deepest = max((len(request.steps) for request in further if isinstance(request, Vote)), default=0)
        further = [request for request in further if isinstance(request, Vote) and len(request.steps) == deepest]
        if not further:
            return None
        return self._luck.choice(further[:FAVOURITES] if self._luck.random() < 0.8 else further)

    async def _casts(self, poll: Poll, request: CastVote, menu: Answer) -> bool:
        """Cast a vote. Return whether the bot has confirmed it or said that the poll is over."""
        told, turn = poll.of(self.hand.id), poll.turn(request.steps)
        told.sent.append(turn)
        told.cast.add(turn)
        if self._luck.random() < TWICE:
            await self.hand.throws(request.payload, menu.message)
        answer = await self.hand.presses(request.payload, menu.message, twice=self._luck.random() < AGAIN)
        if answer is None:
            return False
        if self._has(answer, poll, turn):
            self._knows(told, turn)
            return True
        if self._names(answer) and not any(self._has(answer, poll, other) for other in told.cast):
            self.wrong.append(f"{self.hand.name} cast {turn}: {answer.text!r}")
        return False

    def _has(self, answer: Answer, poll: Poll, turn: str) -> bool:
        """Return whether the answer confirms a vote for *turn*."""
        return say("vote.yours", self.lang, turn=poll.text(turn, self.lang)) in answer.text.split("\n")

    def _names(self, answer: Answer) -> bool:
        """Return whether the answer confirms a vote."""
        return say("vote.yours", self.lang, turn="") in answer.text


def read(payload: str) -> Request | None:
    return registry.read(unmarked(payload)[0])


def _changes(request: Request | None) -> bool:
    return isinstance(request, Vote) and request.stamp is not None and not request.steps


# Tallies

_TALLY = re.compile(r"^🗳 (\d+) \w+: (.+)$", re.MULTILINE)
_PART = re.compile(r"(\d+) \w+ (.+?)(?: \(([^()]*)\))?(?:, (?=\d+ )|$)")


class Counted(Struct, frozen=True):
    """The result of a vote as a board tells it. *votes*: of all. *counts*: by the words of the turn; "": others.
    *names*: of voters for the first turn."""

    votes: int
    counts: Mapping[str, int]
    names: tuple[str, ...] = ()


def counted(text: str, lang: str) -> Counted | None:
    """Return the result of a vote in the text of a board, or None.

    >>> counted("🗳 7 votes: 4 for b3 → c4 (Anna, Ben, and 2 more), 3 for other moves", "en")
    Counted(votes=7, counts={'b3 → c4': 4, '': 3}, names=('Anna', 'Ben'))
    """
    line = _TALLY.search(text)
    if line is None:
        return None
    parts = _PART.findall(line[2])
    others = say("vote.rest", lang, n=2).split(" ", 2)[2]
    counts = {"" if turn == others else turn: int(number) for number, turn, _ in parts}
    more = say("vote.more", lang, n=2).split(" ")[0] + " "
    names = parts[0][2].split(", ") if parts and parts[0][2] else []
    return Counted(int(line[1]), counts, tuple(name for name in names if not name.startswith(more)))
