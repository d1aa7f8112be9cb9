"""What a platform is for those who play on it."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

import texts
from bot.chat import (
    Host,
    MessageId,
    PersonId,
    PlaceEvent,
    PlaceId,
    Reply,
    Suggestion,
    Target,
    Update,
)
from bot.service.service import Service
from tests.bot.stages.script import Picks, Row, Said, Step
from tests.bot.stages.wall import Post

PATIENCE_S = 60.0
GERMANS = ("dora", "emil")
OTHERS = ("cellar", "attic", "garden", "bridge")
"""The names of other places."""
MANAGERS = ("ada",)
"""Whoever may manage the place; nobody else may."""


def lang(who: str) -> str:
    """The language of a person, the same as in the recorded conversations."""
    return "de" if who in GERMANS else "en"


class Screen(Struct, frozen=True):
    """A message as somebody reads it.

    *text*: all lines, the call among them. *alt*: what its picture shows, in words, the first line of them; None where
    there is no picture. *file*: kind and name. *called*: whom it called when it came.
    """

    text: tuple[str, ...] = ()
    alt: str | None = None
    file: tuple[str, str] | None = None
    rows: tuple[Row, ...] = ()
    called: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [*self.text]
        lines += [] if self.alt is None else [f"(picture: {self.alt})"]
        lines += [] if self.file is None else ["({}: {})".format(*self.file)]
        lines += [f"(calls {' '.join(self.called)})"] if self.called else []
        lines += [str(row) if isinstance(row, Picks) else " ".join(f"[{each}]" for each in row) for row in self.rows]
        return "\n    ".join(lines) or "(nothing)"


def plainly(said: Said, called: str = "") -> Screen:
    """*said* as it is: what most platforms show."""
    text = (*said.text, *([said.call] if said.call else []))
    return Screen(text, said.alt, said.file, said.rows, (called,) if called else ())


def linked(seen: Screen, said: Said) -> Screen:
    """*seen* with the links that stand beside it, where it stands in a message."""
    return replace(seen, rows=(*seen.rows, said.onward)) if said.onward else seen


def on_platform(seen: Screen, name: str) -> Screen:
    """*seen* on the platform of that name: help for those who look after a place ends with what is particular there."""
    for each in texts.languages():
        if seen.text[-1:] == (texts.say("table", "help.manage", each).split("\n")[-1],):
            return replace(seen, text=(*seen.text, *texts.say(name, "help.manage", each).split("\n")))
    return seen


def shortened(alt: str | None, most: int) -> str | None:
    """The words for a picture where only so many may be; `bot.chat.Picture` says how they are cut."""
    return alt if alt is None or len(alt) <= most else f"{alt[: most - 1]}…"


class Sight(Struct, frozen=True):
    """What there is to see at one moment.

    *wall*: the bot's posts, oldest first. *told*: what whoever did something last was told for it. *alone*: what only
    this person sees, each message in any form that can be compared.
    """

    wall: tuple[Screen, ...]
    told: Screen | None
    alone: Mapping[str, Counter[str]]


class Stage(Protocol):
    """A platform with a place in which people talk to the bot.

    Whatever a person sees there in another way than the recording chat, `shows` and `tells` say.
    """

    @property
    def place(self) -> PlaceId:
        """Where they play."""
        ...

    @property
    def elsewhere(self) -> Sequence[PlaceId]:
        """Other places where they may play."""
        ...

    def person(self, who: str) -> PersonId:
        """Somebody's account."""
        ...

    async def comes(self, bot: Service) -> None:
        """The bot begins, or begins anew."""
        ...

    async def goes(self) -> None:
        """The bot ends."""
        ...

    async def nears(self, step: Step) -> None:
        """This step comes next."""
        ...

    @property
    def remembers(self) -> bool:
        """Whether what was said is still there when the bot begins anew."""
        ...

    def hears(self, line: str) -> bool:
        """Whether the bot comes to know of it when somebody types *line*."""
        ...

    async def types(self, who: str, line: str) -> None:
        """Somebody types, and the bot has taken note of it."""
        ...

    async def says(self, who: str, line: str, *, is_move: bool) -> None:
        """Somebody writes *line* to the others, where the bot comes to know of it. Where it never does, a move is typed
        as a command."""
        ...

    async def presses(self, who: str, label: str) -> None:
        """Somebody presses the newest button that reads *label* (`script.fits`), in what they were told or else in
        public; "label: choice" is a choice of a list. The bot has taken note of it."""
        ...

    def shows(self, posts: Sequence[Post]) -> list[Screen]:
        """The posts as everybody sees them here."""
        ...

    def tells(self, step: Step) -> Screen | None:
        """What the person of *step*, which has just been done, is told alone; None: nothing. Asked before `shows`."""
        ...

    def takes_back(self, step: Step, who: str) -> int:
        """How many messages go that *who* alone could see."""
        ...

    async def until(self, right: Callable[[Sight], bool]) -> Sight:
        """Wait for a sight that is right; the last one, right or not, where it never comes."""
        ...

    def transcript(self) -> str:
        """For reading when something is wrong."""
        ...


class Ear:
    """The bot as an adapter meets it. *answers*: what it answered, the newest for each person: a platform shows what
    may vanish in another way than what stays, and in conversations both are written alike."""

    def __init__(self, bot: Host) -> None:
        self._bot = bot
        self._heard = asyncio.Condition()
        self.answers: dict[str, Reply | None] = {}

    async def answer(self, who: str) -> Reply | None:
        """Wait until the bot has answered."""
        async with asyncio.timeout(PATIENCE_S), self._heard:
            await self._heard.wait_for(lambda: who in self.answers)
        return self.answers[who]

    async def handle(self, update: Update) -> Reply | None:
        reply = await self._bot.handle(update)
        async with self._heard:
            self.answers[update.person.name.lower()] = reply
            self._heard.notify_all()
        return reply

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        return await self._bot.complete(update, argument)

    async def targets(self, update: Update) -> tuple[Target, ...]:
        return await self._bot.targets(update)

    async def delete_later(self, expiry: str, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> None:
        await self._bot.delete_later(expiry, place, message, ttl_s)

    async def place_changed(self, event: PlaceEvent) -> None:
        await self._bot.place_changed(event)
