"""Luck is promised before the first move, told when the game is over, and nowhere in between."""

import json

import pytest

from bot.chat import FileKind, Reply, Typed
from bot.requests import payload
from bot.service.luck import Luck
from bot.store.store import Store
from bot.tables.table import Entry
from rules import GAMES, proof
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat

SECRET = "07070707"  # every seed and every salt in these tests begins so


async def begun(crowd: Crowd, name: str, *wishes: str) -> None:
    await crowd.says("anna", " ".join(("/newgame", name, *wishes)))
    for other in ("ben", "clara", "david", "eva")[: GAMES[name].seats[0] - 1]:
        await crowd.says(other, "/join")
    await crowd.says("anna", "/start")


async def verified(crowd: Crowd) -> tuple[Reply, proof.Proof]:
    """What anybody is told when the game is over, and the proof, read as a file."""
    reply = await crowd.says("dora", "/verify")
    assert reply is not None
    assert reply.file is not None
    assert reply.file.kind == FileKind.DOCUMENT
    return reply, proof.read(reply.file.content)


@pytest.mark.parametrize("name", GAMES)
async def test_the_first_post_of_every_game_shows_the_hash(crowd: Crowd, chat: RecordingChat, name: str) -> None:
    await begun(crowd, name)
    promised = proof.commitment("07" * 16, "07" * 16)
    lobby, first = (reply.text for reply in (next(iter(chat.messages.values())), chat.newest()))
    for post in (lobby, first):
        assert (f"({promised[:12]}…" in post) == (name != "kabooom"), "two people who place their stones draw nothing"
        assert promised[:13] not in post, "a phone has no room for more"
    reply = await crowd.says("ben", "/verify")
    assert reply is not None
    assert promised in reply.text
    assert reply.file is None
    assert not any(SECRET in line for line in chat.lines)


@pytest.mark.parametrize("name", GAMES)
async def test_when_a_game_is_over_everybody_can_check_it(crowd: Crowd, name: str) -> None:
    await begun(crowd, name)
    await crowd.sends("anna", Typed("/end"), may_manage=True)
    reply, given = await verified(crowd)
    assert SECRET in reply.text
    assert "haben die am Tisch entschieden" in reply.text
    assert proof.check(given).outcome is None
    assert (given.game, given.result.reason, given.result.by) == (name, "ended", "table")


async def test_a_game_played_to_its_end_proves_itself(crowd: Crowd) -> None:
    await begun(crowd, "kabooom", "easy")
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("ben", "/move a2-a1")
    for name in ("ben", "anna"):  # ben's slip is taken back; anna agrees
        await crowd.says(name, "/undo" if name == "ben" else "[I agree]")
    for name, move in (("ben", "pass"), ("anna", "pass"), ("anna", "[Yes, end the game]")):
        await crowd.says(name, move if move.startswith("[") else f"/move {move}")
    reply, given = await verified(crowd)
    assert given.actions == ("b1-c1", "pass", "pass")
    assert (given.result.by, given.result.reason) == ("game", "passed")
    assert "Geprüft" in reply.text
    assert "die am Tisch" not in reply.text
    assert proof.check(given).outcome is not None


async def test_the_proof_names_no_person(crowd: Crowd) -> None:
    await begun(crowd, "kabooom")
    await crowd.sends("anna", Typed("/end"), may_manage=True)
    reply, _ = await verified(crowd)
    assert reply.file is not None
    told = json.dumps(json.loads(reply.file.content)).lower()
    assert not any(word in told for word in ("anna", "ben", "room"))


async def test_a_log_that_somebody_changed_is_told_of(
    crowd: Crowd, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await begun(crowd, "kabooom", "easy")
    await crowd.sends("anna", Typed("/end"), may_manage=True)
    pressed = payload.read(crowd.payload("anna", "Fair-play check").payload)
    assert pressed is not None
    loaded = await store.load(pressed.table)
    assert loaded is not None
    changed = (Entry(3, 0, "a1-f4", 0),)
    reply = await Luck().verify(loaded.table, changed, "en")
    assert "1. a1-f4 wasn't legal" in reply.text
    assert "does not verify" in caplog.text
    assert SECRET not in caplog.text
    assert ROOM.id == loaded.table.place
