"""Two channels against each other: an invitation, its answer, one game at two tables, and nothing else that crosses."""

from datetime import timedelta

import pytest

from bot.chat import Content, Place, PlaceId, Post, Press, Reply, Typed
from bot.requests import CastVote, Stamp
from bot.service.service import Service
from bot.store.store import Store
from bot.tables import codes, linking, logbook, voting
from bot.tables.snapshot import Snapshot
from bot.tables.table import By, Phase
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, buttons

HOUR = timedelta(hours=1)
NEAR, FAR = ROOM, Place(PlaceId("room:garden"), "de", name="Garten")
"""The place that invites, and the one that answers."""


class Match:
    """Two places whose managers are Ada and Emil."""

    def __init__(self, crowd: Crowd, store: Store, clock: HandClock) -> None:
        self.crowd, self.store, self.clock = crowd, store, clock

    @property
    def service(self) -> Service:
        return self.crowd.service

    async def says(self, place: Place, line: str, name: str = "", *, manages: bool = True) -> Reply | None:
        """Type *line*, or press a button, as a manager of *place* or another person."""
        name = name or ("ada" if place is NEAR else "emil")
        body = self.button(place, line[1:-1], name) if line.startswith("[") else Typed(line)
        return await self.crowd.sends(name, body, place=place, may_manage=manages)

    def button(self, place: Place, label: str, name: str) -> Press:
        own = self.crowd.chat.own.get(self.crowd.chat.reading.get(name, ""))  # type: ignore[call-overload]
        shown: list[Content] = [own] if own is not None else []
        for content in (*shown, *reversed(self.posts(place))):
            for button in buttons(content):
                if button.label == label:
                    return Press(button.payload)
        raise AssertionError(f"no button {label}")

    def posts(self, place: Place) -> list[Post]:
        chat = self.crowd.chat
        return [post for message, post in chat.messages.items() if chat.places[message] == place.id]

    async def code(self, wishes: str = "kabooom easy channels") -> str:
        await self.says(NEAR, f"/newgame {wishes}")
        twin = (await self.at(NEAR)).table.twin
        assert twin is not None
        return codes.spoken(twin.code)

    async def meets(self) -> None:
        await self.says(FAR, f"/join {await self.code()}")
        await self.says(FAR, "[Ja, wir spielen]")

    async def begins(self) -> None:
        await self.meets()
        await self.says(NEAR, "[Begin]")

    async def at(self, place: Place) -> Snapshot:
        held = await self.store.at(place.id)
        assert held is not None
        return await self.service.repository.load(held)

    async def both(self) -> tuple[Snapshot, Snapshot]:
        return await self.at(NEAR), await self.at(FAR)

    async def up(self) -> Place:
        now = await self.at(NEAR)
        return NEAR if linking.decides(now.table, now.state) else FAR

    async def votes(self, place: Place, name: str, index: int = 0) -> Reply | None:
        now = await self.at(place)
        cast = CastVote(now.table.id, Stamp(*voting.moment(now)), (index,))
        return await self.crowd.sends(name, Press(cast.payload), place=place)

    async def passes(self, time: timedelta) -> None:
        await self.clock.advance(time)
        await self.service.do_due()
        await self.service.idle()

    async def plays(self, index: int = 0) -> None:
        """Let two people of the channel that is up vote, and the vote close."""
        place = await self.up()
        await self.votes(place, f"anna-{place.id[-1]}", index)
        await self.votes(place, f"ben-{place.id[-1]}", index)
        await self.passes(HOUR)

    async def log(self, place: Place) -> list[tuple[int, str, By]]:
        entries = await self.store.log((await self.at(place)).table.id)
        return [(entry.seat, entry.action, entry.by) for entry in logbook.effective(entries)]


@pytest.fixture
def match(crowd: Crowd, store: Store, clock: HandClock) -> Match:
    return Match(crowd, store, clock)


async def test_a_code_and_its_confirmation_begin_one_game_at_two_tables(match: Match) -> None:
    await match.begins()
    near, far = await match.both()
    assert near.table.phase == far.table.phase == Phase.RUNNING
    assert near.state == far.state
    assert (near.table.seed, near.table.fixed) == (far.table.seed, far.table.fixed)
    assert [seat.is_remote for seat in near.table.seats] == [not seat.is_remote for seat in far.table.seats]
    assert (near.table.lang, far.table.lang) == ("en", "de")


async def test_turns_cross_at_once_with_counts_and_without_names(match: Match) -> None:
    await match.begins()
    for turn in range(4):
        await match.plays(turn)
    near, far = await match.both()
    assert await match.log(NEAR) == await match.log(FAR)
    assert len(await match.log(NEAR)) >= 4
    assert near.state == far.state
    shown = match.posts(await match.up())[-1].text
    assert "2 " in shown
    assert "Anna" not in shown


async def test_a_game_ends_at_both_places(match: Match) -> None:
    await match.begins()
    await match.says(NEAR, "[More]")
    await match.says(NEAR, "[Resign for the channel]")
    await match.says(NEAR, "[Yes, resign]")
    assert "Your channel lost" in match.posts(NEAR)[-1].text
    assert "Euer Kanal hat gewonnen" in match.posts(FAR)[-1].text
