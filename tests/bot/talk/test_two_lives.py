"""A game of two channels, lived twice: with other people at one place, every byte at the other one is the same, also
those of pictures, in which no search finds a name."""

from collections.abc import Sequence
from datetime import timedelta

from redis import Redis

from bot.app import build
from bot.chat import PlaceId
from bot.delivery.painting import Pictures
from bot.store.store import Store
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import Crowd, RecordingChat
from tests.bot.talk.test_two_channels import FAR, HOUR, NEAR, Match

NEIGHBOURS = ("clara", "david", "eva")
TURNS = 2


async def lived(server: str, raw: Redis, painter: Pictures, people: Sequence[str]) -> dict[PlaceId, list[bytes]]:
    """Return what was shown at both places; the *people* are those of the garden, the first one manages it."""
    raw.flushall()
    store, chat, clock = await Store.open(server), RecordingChat(), HandClock()
    await store.secret("the same in both lives")
    service = build(store, painter, clock, draw=lambda n: "07" * n)
    service.add(chat)
    match = Match(Crowd(service, chat), store, clock, lambda: service)
    await match.says(FAR, f"/join {await match.code()}", people[0])
    await match.says(FAR, "[Yes, we play]", people[0])
    await match.says(NEAR, "[Begin]")
    for turn in range(TURNS):
        place = await match.up()
        for name in people if place is FAR else NEIGHBOURS:
            await match.votes(place, name, turn)
        await match.passes(HOUR)
    for label in ("More", "Resign for the channel", "Yes, resign"):
        await match.says(NEAR, f"[{label}]")
    for _ in range(3):  # the cards
        await match.passes(timedelta(seconds=15))
    heard = {place.id: match.heard(place) for place in (NEAR, FAR)}
    await service.stop()
    await store.close()
    return heard


async def test_no_byte_at_one_place_depends_on_the_people_of_the_other(
    server: str, raw: Redis, painter: Pictures
) -> None:
    one = await lived(server, raw, painter, ("fritz", "gina", "hans"))
    other = await lived(server, raw, painter, ("olga", "pavel", "quentin"))
    assert one[NEAR.id] == other[NEAR.id]
    assert any(b"Clara" in said for said in one[NEAR.id]), "the card is there"
    assert one[FAR.id] != other[FAR.id], "the comparison is not blind"
