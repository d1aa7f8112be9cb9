"""Luck is promised before the first move, told when the game is over, and nowhere in between."""

import json

import pytest
from redis import Redis

from bot.app import build
from bot.chat import FileKind, MessageId, Reply
from bot.delivery.painting import Pictures
from bot.extras.luck import Luck
from bot.requests import payload
from bot.store.store import Store
from bot.tables.table import Entry, Table, TableId
from rules import GAMES, proof
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.bot.talk.test_delivery import Past

SECRET = "07070707"  # every seed and every salt in these tests begins so


async def begun(crowd: Crowd, name: str, *wishes: str) -> None:
    await crowd.says("anna", " ".join(("/newgame", name, *wishes)))
    for other in ("ben", "clara", "david", "eva")[: GAMES[name].seats[0] - 1]:
        await crowd.says(other, "/join")
    await crowd.says("anna", "/start")


async def verified(crowd: Crowd) -> tuple[Reply, proof.Proof]:
    """Return the answer to /verify after the game, and the proof as a file."""
    reply = await crowd.says("dora", "/verify")
    assert reply is not None
    assert reply.file is not None
    assert reply.file.kind == FileKind.DOCUMENT
    return reply, proof.decode(reply.file.content)


FAIR = "✓ fair: /verify"
PROMISED = proof.commitment("07" * 16, "07" * 16)


@pytest.mark.parametrize("name", GAMES)
async def test_the_lobby_leads_to_the_whole_hash_from_its_first_moment_and_keeps_it(
    crowd: Crowd, chat: RecordingChat, name: str
) -> None:
    async def leads(lobby: MessageId) -> None:
        assert chat.messages[lobby].small == FAIR
        reply = await crowd.says("anna", "/verify")
        assert reply is not None
        assert PROMISED in reply.text

    await crowd.says("anna", f"/newgame {name}")
    (lobby,) = chat.messages
    await leads(lobby)
    for other in ("ben", "clara", "david", "eva")[: GAMES[name].seats[0] - 1]:
        await crowd.says(other, "/join")
        await leads(lobby)
    await crowd.says("anna", "/start")
    assert chat.newest() is not chat.messages[lobby]
    await leads(lobby)


@pytest.mark.parametrize("name", GAMES)
async def test_the_first_board_of_every_game_leads_to_both_hashes_in_one_line(
    crowd: Crowd, chat: RecordingChat, store: Store, name: str
) -> None:
    await begun(crowd, name)
    table = await here(store)
    assert chat.newest().small == ("" if name == "kabooom" else FAIR), "two people who place their stones draw nothing"
    reply = await crowd.says("ben", "/verify")
    assert reply is not None
    assert PROMISED in reply.text
    assert table.fixed in reply.text
    assert table.terms in reply.text, "so that anybody can work it out"
    assert reply.file is None
    assert not any(SECRET in line for line in chat.lines)


@pytest.mark.parametrize("wishes", ["easy channel house", "easy channel"])
async def test_a_game_whose_host_has_no_seat_is_fair(crowd: Crowd, wishes: str) -> None:
    await crowd.says("ada", f"/newgame kabooom {wishes}")
    if "house" not in wishes:
        await crowd.says("ada", "/leave")
        await crowd.says("ben", "/join")
    await crowd.says("ada", "/start")
    await crowd.ends("ada")
    _, proved = await verified(crowd)
    assert [player.part for player in proved.players].count("host") == 0
    proof.check(proved)


@pytest.mark.parametrize(("name", "about"), [("anna", "already locked in"), ("dora", "steht schon fest")])
async def test_before_the_game_verify_explains_the_lobbys_hash(
    crowd: Crowd, chat: RecordingChat, name: str, about: str
) -> None:
    await crowd.says("anna", "/newgame crystalla")
    reply = await crowd.says(name, "/verify")
    assert reply is not None
    assert PROMISED in reply.text
    assert about in reply.text
    assert "SHA-256" in reply.text
    assert reply.file is None
    assert not any(SECRET in line for line in chat.lines)


async def test_with_a_finished_game_and_an_open_table_verify_covers_both(crowd: Crowd) -> None:
    await begun(crowd, "colorio")
    await crowd.ends("anna")
    await crowd.says("anna", "/newgame crystalla")
    reply = await crowd.says("ben", "/verify")
    assert reply is not None
    assert reply.title.startswith("Colorio")
    assert "Salt: " in reply.text
    assert reply.file is not None
    code = await crowd.says("ben", "[Code of the open table]")
    assert code is not None
    assert code.title.startswith("Crystalla")
    assert "All random results of this game are already locked in." in code.text


async def test_a_lobby_that_closed_is_no_game_to_be_checked(crowd: Crowd) -> None:
    for said in ("/newgame crystalla", "/leave"):
        await crowd.says("anna", said)
    reply = await crowd.says("anna", "/verify")
    assert reply is not None
    assert "There's no game here" in reply.text
    await crowd.says("ben", "/newgame colorio")
    reply = await crowd.says("ben", "/verify")
    assert reply is not None
    assert reply.title.startswith("Colorio")
    assert PROMISED in reply.text


async def test_the_first_board_shows_the_start_until_the_next_turn(crowd: Crowd, chat: RecordingChat) -> None:
    """However often it is edited, or shown again."""
    await begun(crowd, "colorio")
    promise, order = chat.newest().small, chat.newest().text.splitlines()[0]
    assert promise == FAIR
    for name, said in (("anna", "/move a2"), ("ben", "/board"), ("ben", "/end"), ("anna", "/move x b2 x")):
        await crowd.says(name, said)
        board = chat.newest()
        assert board.small == promise, said
        assert board.text.splitlines()[0] == order, said
    await crowd.says("anna", "/move c1 x")
    assert chat.newest().small == ""
    assert order not in chat.newest().text


async def test_every_table_has_a_seed_of_its_own(
    store: Store, crowd: Crowd, painter: Pictures, clock: HandClock
) -> None:
    service = build(store, painter, clock)
    service.add(crowd.chat)
    crowd = crowd.again(service)
    seeds = set[str]()
    for opening in ("/newgame kabooom", "/rematch"):
        await crowd.says("anna", opening)
        await crowd.says("ben", "/join")
        await crowd.says("anna", "/start")
        table = await here(store)
        seeds |= {table.seed, table.salt}
        reply = await crowd.says("ben", "/verify")
        assert reply is not None
        assert table.commitment in reply.text
        await crowd.ends("anna")
    assert len(seeds) == 4
    await service.stop()


async def here(store: Store) -> Table:
    held = await store.at(ROOM.id)
    loaded = None if held is None else await store.load(held)
    assert loaded is not None
    return loaded.table


@pytest.mark.parametrize("name", GAMES)
async def test_after_the_game_any_person_can_check_it(crowd: Crowd, name: str) -> None:
    await begun(crowd, name)
    await crowd.ends("anna")
    reply, given = await verified(crowd)
    assert SECRET in reply.text
    assert "Anna hat die Partie abgebrochen. Das kann keine Datei beweisen." in reply.text
    is_drawn = not GAMES[name].host_begins
    assert ("Plätze wurden aus demselben Startwert gelost" in reply.text) == is_drawn
    assert given.fixed in reply.text
    assert len(reply.text) < 1000, "Telegram's captions are no longer"
    assert proof.check(given).outcome is None
    assert (given.game, given.result.reason, given.result.by) == (name, "ended", "table")


async def test_a_game_played_to_its_end_proves_itself(crowd: Crowd) -> None:
    await begun(crowd, "kabooom", "easy")
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("ben", "/move a2-a1")
    for name in ("ben", "anna"):  # ben's slip is taken back; anna agrees
        await crowd.says(name, "/undo" if name == "ben" else "[I agree]")
    for name, move in (("ben", "pass"), ("anna", "pass"), ("anna", "[Yes, count them]")):
        await crowd.says(name, move if move.startswith("[") else f"/move {move}")
    reply, given = await verified(crowd)
    assert given.actions == ("b1-c1", "pass", "pass")
    assert (given.result.by, given.result.reason) == ("game", "passed")
    assert "Geprüft" in reply.text
    assert "dasselbe Ergebnis" in reply.text
    assert "keine Datei" not in reply.text
    assert proof.check(given).outcome is not None


@pytest.mark.parametrize(
    ("name", "wish", "why"),
    [
        ("kabooom", "", "in diesem Spiel beginnt, wer den Tisch eröffnet hat"),
        ("kabooom", "house", "in diesem Spiel beginnt, wer den Tisch eröffnet hat"),
        ("crystalla", "", "bei einer Revanche beginnt der nächste Platz"),
        ("crystalla", "house", "der Bot beginnt nie"),
    ],
)
async def test_a_rematch_says_who_goes_first_and_why(
    crowd: Crowd, store: Store, name: str, wish: str, why: str
) -> None:
    """Nobody is drawn, and the sentence is what happened."""

    async def plays(opening: str) -> list[str]:
        lines = [("anna", opening), *([] if wish else [("ben", "/join")]), ("anna", "/start")]
        for who, line in lines:
            await crowd.says(who, line)
        seats = [seat.name for seat in (await here(store)).seats]
        await crowd.ends("anna")
        return seats

    before, after = await plays(f"/newgame {name} {wish}".strip()), await plays("/rematch")
    moves_along = "nächste Platz" in why
    assert after == ([*before[1:], before[0]] if moves_along else before)
    assert moves_along or after[0] == "Anna"
    reply, given = await verified(crowd)
    assert given.agreed
    assert f"Die Plätze wurden nicht gelost: {why[0].upper()}{why[1:]}" in reply.text


async def test_the_proof_names_no_person(crowd: Crowd) -> None:
    await begun(crowd, "kabooom")
    await crowd.ends("anna")
    reply, _ = await verified(crowd)
    assert reply.file is not None
    answer = json.dumps(json.loads(reply.file.content)).lower()
    assert not any(word in answer for word in ("anna", "ben", "room"))


async def test_a_modified_log_is_reported(crowd: Crowd, store: Store, caplog: pytest.LogCaptureFixture) -> None:
    await begun(crowd, "kabooom", "easy")
    await crowd.ends("anna")
    await crowd.says("anna", "[More]")
    pressed = payload.read(crowd.payload("anna", "Fair-play check").payload)
    assert pressed is not None
    loaded = await store.load(TableId(pressed.word))
    assert loaded is not None
    changed = (Entry(3, 0, "a1-f4", 0),)
    reply = await Luck().verify(loaded.table, changed, "en")
    assert "1. a1-f4 wasn't legal" in reply.text
    assert "does not verify" in caplog.text
    assert SECRET not in caplog.text
    assert ROOM.id == loaded.table.place


async def test_the_proof_covers_the_real_ending_not_a_lost_one(crowd: Crowd, raw: Redis) -> None:
    await begun(crowd, "kabooom")
    past = Past(raw)
    for loses, wins in (("anna", 1), ("ben", 0)):
        past.comes_back()
        await crowd.says(loses, "/resign")
        await crowd.says(loses, "[Yes, I resign]")
        reply, made = await verified(crowd)
        assert made.result.winners == (wins,)
        assert f"{loses.capitalize()} hat aufgegeben. Das kann keine Datei beweisen." in reply.text


async def test_the_only_person_beside_the_house_is_not_drawn(crowd: Crowd) -> None:
    for line in ("/newgame crystalla house", "/start"):
        await crowd.says("anna", line)
    await crowd.ends("anna")
    reply, made = await verified(crowd)
    assert not made.agreed
    assert "Die Plätze wurden nicht gelost: Der Bot beginnt nie." in reply.text


@pytest.mark.parametrize(("name", "nothing"), [("ben", "Nothing is drawn"), ("dora", "wird nichts ausgelost")])
async def test_without_a_lot_verify_mentions_none(crowd: Crowd, name: str, nothing: str) -> None:
    await begun(crowd, "kabooom", "hard")
    answer = await crowd.says(name, "/verify")
    assert answer is not None
    assert nothing in answer.text
    assert PROMISED in answer.text
    await crowd.ends("anna")
    reply, made = await verified(crowd)
    proof.check(made)
    assert "Ausgelost wurde in dieser Partie nichts" in reply.text
    assert "wurden aus demselben" not in reply.text
