"""A platform from the point of view of the people who use it."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

import texts
from bot.chat import (
    Button,
    Core,
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
from tests.bot.talk.recording import GERMANS

PATIENCE_S = 60.0
OTHERS = ("cellar", "attic", "garden", "bridge")
"""Names of other places."""


def lang(who: str) -> str:
    """Return the language of a person, the same as in the recorded conversations."""
    return "de" if who in GERMANS else "en"


class Screen(Struct, frozen=True):
    """A message as a person reads it.

    *text*: all lines, with the call. *alt*: the first line of the picture's description, or None without a picture.
    *file*: kind and name. *called*: the person it pinged on arrival.
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
        lines += [str(row) if isinstance(row, Picks) else " ".join(f"[{label}]" for label in row) for row in self.rows]
        return "\n    ".join(lines) or "(nothing)"


def plainly(said: Said, called: str = "") -> Screen:
    """Return *said* unchanged: most platforms show it so."""
    text = (*said.text, *([said.call] if said.call else []))
    return Screen(text, said.alt, said.file, said.rows, (called,) if called else ())


def linked(seen: Screen, said: Said) -> Screen:
    """Return *seen* with the links beside it as text, for a lasting message."""
    return replace(seen, rows=(*seen.rows, said.onward)) if said.onward else seen


def on_platform(seen: Screen, name: str) -> Screen:
    """Return *seen* for the platform of that name: the help for managers ends with a platform's own notes."""
    for lang in texts.languages():
        if seen.text[-1:] == (texts.say("table", "help.manage", lang).split("\n")[-1],):
            return replace(seen, text=(*seen.text, *texts.say(name, "help.manage", lang).split("\n")))
    return seen


def shortened(alt: str | None, most: int) -> str | None:
    """Return the words for a picture with a limit of characters; `bot.chat.Picture` says how they are cut."""
    return alt if alt is None or len(alt) <= most else f"{alt[: most - 1]}…"


class Sight(Struct, frozen=True):
    """The visible messages at one moment.

    *wall*: the bot's posts, oldest first. *answer*: the private one to the last input. *alone*: each person's private
    messages, in any comparable form.
    """

    wall: tuple[Screen, ...]
    answer: Screen | None
    alone: Mapping[str, Counter[str]]


class Stage(Protocol):
    """A platform with a place in which people talk to the bot.

    `shows` and `tells` describe the differences to the recording chat.
    """

    @property
    def place(self) -> PlaceId:
        """The place of the game."""
        ...

    @property
    def elsewhere(self) -> Sequence[PlaceId]:
        """Other places for games."""
        ...

    def person(self, who: str) -> PersonId:
        """Return a person's account."""
        ...

    async def comes(self, bot: Service) -> None:
        """Start or restart the bot."""
        ...

    async def goes(self) -> None:
        """Stop the bot."""
        ...

    async def nears(self, step: Step) -> None:
        """Prepare the next step."""
        ...

    @property
    def remembers(self) -> bool:
        """Return whether private messages survive a restart of the bot."""
        ...

    def hears(self, line: str) -> bool:
        """Return whether the bot receives the typed *line*."""
        ...

    async def types(self, who: str, line: str) -> None:
        """Type as a person, and wait until the bot has handled it."""
        ...

    async def says(self, who: str, line: str, *, is_move: bool) -> None:
        """Write *line* to the others as a person, if the bot can receive that; otherwise type a move as a command."""
        ...

    async def presses(self, who: str, label: str) -> None:
        """Press the newest button with *label* (`script.fits`) as a person, in private messages first, then in public.

        "label: choice" selects a choice. Wait until the bot has handled it.
        """
        ...

    def leads(self, step: Step) -> Step:
        """Return *step*, which is done, with its messages in the places where they appear here."""
        ...

    def shows(self, posts: Sequence[Post]) -> list[Screen]:
        """Return the public posts as seen here."""
        ...

    def tells(self, step: Step) -> Screen | None:
        """Return the private message to the person of *step*, which is done, or None. Called before `shows`."""
        ...

    def takes_back(self, step: Step, who: str) -> int:
        """Return the number of deleted messages that only *who* could see."""
        ...

    async def until(self, right: Callable[[Sight], bool]) -> Sight:
        """Wait for a correct view; return the last one, correct or not."""
        ...

    def transcript(self) -> str:
        """Return a text for reading after a failure."""
        ...


class Ear:
    """The bot as an adapter sees it. *answers*: the newest answer for each person: platforms show vanishing and
    lasting answers differently, and conversations write both alike."""

    def __init__(self, bot: Core) -> None:
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

    async def was_shown(
        self, update: Update, place: PlaceId, message: MessageId, ttl_s: float | None = None
    ) -> Button | None:
        return await self._bot.was_shown(update, place, message, ttl_s)

    async def place_changed(self, event: PlaceEvent) -> None:
        await self._bot.place_changed(event)
