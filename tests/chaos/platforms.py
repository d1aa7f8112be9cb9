"""People who solve daily puzzles on the real platforms: they press buttons by their payloads, and read the answers."""

from collections.abc import Sequence
from typing import Any, Protocol

import aiohttp

from bot.chat import PersonId, PlaceId
from tests.bot.stages.windows import Button, Screenless
from tests.chaos.taps import noted
from tests.emulators.discord import Discord
from tests.emulators.discord import Person as DiscordPerson
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat, Key
from tests.emulators.telegram.world import Person as TelegramPerson

SOLVE = "Solve"


class Solver(Protocol):
    """A person in a *place*."""

    id: PersonId
    place: PlaceId

    async def solves(self, payload: str) -> None:
        """Press *Solve* under the newest post of the place."""
        ...

    async def presses(self, payload: str) -> None:
        """Press a button of the own menu, and wait until it is answered."""
        ...

    def posts(self, title: str) -> list[str]:
        """Return the visible posts in the place whose title begins so: their texts, as far as they have pictures."""
        ...


class OnDiscord:
    def __init__(self, discord: Discord, person: DiscordPerson) -> None:
        self.id, self.place = PersonId(f"discord:{person.id}"), PlaceId(person.at.place)
        self._discord, self._person = discord, person

    async def solves(self, payload: str) -> None:
        done = await self._person.presses_id(payload, await self._person.finds(SOLVE))
        await done.answered()
        self._menu = done.answer

    async def presses(self, payload: str) -> None:
        assert self._menu is not None
        done = await self._person.presses_id(payload, self._menu)
        await done.answered()

    def posts(self, title: str) -> list[str]:
        posts = (message for message in self._person.at.public if message.text.startswith(f"{title} "))
        return [message.text if message.attachments else "" for message in posts]


class OnTelegram:
    def __init__(self, telegram: Telegram, person: TelegramPerson, group: Chat) -> None:
        self.id, self.place = PersonId(person.person), group.place
        self._telegram, self._person, self._group = telegram, person, group

    async def solves(self, payload: str) -> None:
        await self._taps(payload, await self._group.offers(SOLVE))

    async def presses(self, payload: str) -> None:
        await self._taps(payload, self._person.alone_in(self._group).said()[-1])

    async def _taps(self, payload: str, message: Any) -> None:
        before = self._edits
        await self._person.taps_key(Key("", payload), message).answered()
        await self._telegram.handled()
        await self._telegram.until(lambda: self._edits != before, "the menu is answered")

    @property
    def _edits(self) -> list[tuple[int, int]]:
        return [(message.number, message.edits) for message in self._person.alone_in(self._group).said()]

    def posts(self, title: str) -> list[str]:
        posts = (message for message in self._group.said() if message.text.startswith(f"{title} "))
        return [message.text if message.picture is not None else "" for message in posts]


class OnPage(Screenless):
    """A window that keeps every byte of what it hears about its place."""

    def __init__(self, url: str, who: str, channel: str) -> None:
        self.id, self.place = PersonId(f"web:{who}"), PlaceId(f"web:{channel}")
        self.records: list[str] = []
        super().__init__(url, who, channel)

    async def _hears(self, event: dict[str, Any]) -> None:
        is_here = event["kind"] == "put" and event["place"] == self.place
        if is_here and event["message"]["author"] is None:
            message = event["message"]
            image = message["image"]
            content = b"" if image is None else await self._fetched(image["src"])
            varies = ("id", "at", "image", "only")
            said = {key: value for key, value in message.items() if key not in varies}
            shown = {} if image is None else {key: value for key, value in image.items() if key != "src"}
            self.records.append(noted("put", f"{said} {shown}".encode(), content))
        elif event["kind"] == "toast":
            self.records.append(noted("toast", str(event).encode()))
        await super()._hears(event)

    async def _fetched(self, src: str) -> bytes:
        async with aiohttp.ClientSession() as session, session.get(f"{self._url.rstrip('/')}{src}") as answer:
            return await answer.read()

    async def solves(self, payload: str) -> None:
        button = await self.finds(SOLVE)
        assert button is not None
        await self._asks_and_waits(button.message, payload)

    async def presses(self, payload: str) -> None:  # type: ignore[override]  # by payload, not by button
        button = await self.finds("✕")
        assert button is not None
        await self._asks_and_waits(button.message, payload)

    async def _asks_and_waits(self, message: str, payload: str) -> None:
        await super().presses(Button(message, payload))
        await self._until(lambda: not self._undone)

    def posts(self, title: str) -> list[str]:
        public = (message for message in self._messages.values() if message["only"] is None)
        posts = (message for message in public if (message["title"] or "").startswith(f"{title} "))
        return [message["text"] if message["image"] is not None else "" for message in posts]


def records(solvers: Sequence[Solver]) -> list[str]:
    """Return what windows of the page have heard since the last call."""
    heard = [record for solver in solvers if isinstance(solver, OnPage) for record in solver.records]
    for solver in solvers:
        if isinstance(solver, OnPage):
            solver.records.clear()
    return heard
