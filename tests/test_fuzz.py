"""Fuzzing: every reader of external input gets arbitrary input.

The suite runs a few examples, the same every time; ``make fuzz`` searches further, differently each time.
"""

import asyncio
import gzip
import json
import logging
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import discord
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from redis import Redis

import texts
from bot.adapters.on_discord import pending, shards
from bot.adapters.on_discord.incoming import update_of as discord_update
from bot.adapters.on_discord.pending import Pending
from bot.adapters.on_discord.servers import Servers
from bot.adapters.on_telegram import addresses, guests, incoming
from bot.adapters.on_telegram.connection import DEEPEST, parsed, readable
from bot.adapters.on_telegram.links import Links
from bot.adapters.on_telegram.topics import Comments
from bot.adapters.on_web import commandline, wire
from bot.chat import (
    Gone,
    MessageId,
    Opened,
    Person,
    PersonId,
    Place,
    PlaceId,
    Press,
    Refused,
    SlashCommand,
    Typed,
    Update,
    UpdateId,
)
from bot.operation import environment
from bot.replies.completion import completions
from bot.requests import payload
from bot.requests.commands import BY_NAME, asks_to_manage
from bot.requests.parsing import parse
from bot.requests.registry import VERBS
from bot.runtime.metrics import Metrics
from bot.service.statistics import meant
from bot.store import NewerDocument, StoreError, address, backup, client, documents, keys
from bot.store.calls import Calls
from bot.store.embedded import Embedded
from bot.store.store import Store
from bot.tables.board_message import BoardMessage, Removal, StaleMessage
from bot.tables.rating import Called
from bot.tables.table import By, Entry, Fading, Phase, Seat, Table, TableId
from rules import GAMES, BadNotation, IllegalAction, News, State, proof
from rules.lot import Player
from tests.bot.adapters.on_discord.conftest import House

# --- Arbitrary values

STRANGE = (
    "",
    " ",
    "x" * 10_000,
    "\ud800",
    "\u202e",
    "\0",
    "🎲" * 500,
    "٣",
    "²",
    "１２",
    "1e999",
    "-0",
    "a\nb",
    "\u0130",
)

words = st.one_of(st.text(max_size=30), st.sampled_from(STRANGE))
numbers = st.one_of(
    st.integers(-5, 300), st.sampled_from((2**31, 2**53 + 1, 2**63, 2**64, -(2**63) - 1, 10**30, 0.5, 1e300))
)
anything = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, words),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(words, inner, max_size=4)),
    max_leaves=8,
)


def _paths(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(result for key, part in inner for result in _paths(part, (*path, key)))]


@st.composite
def damaged(draw: st.DrawFn, whole: Any) -> Any:
    """Return *whole*, a JSON value, with a part omitted, doubled or replaced."""
    value = json.loads(json.dumps(whole))
    for _ in range(draw(st.integers(0, 3))):
        *path, last = draw(st.sampled_from(_paths(value)[1:] or [(None,)]))
        place = value
        for key in path:
            place = place[key]
        match draw(st.sampled_from(("replace", "leave out", "twice", "deep"))):
            case "replace" if last is not None:
                place[last] = draw(anything)
            case "leave out" if last is not None:
                del place[last]
            case "twice" if isinstance(place, list):
                place.append(place[last])
            case "deep" if last is not None:
                for _ in range(60):
                    place[last] = [place[last]]
    return value


@st.composite
def mistyped(draw: st.DrawFn, right: list[str]) -> str:
    """Return some of the *right* words with slips."""
    text = draw(st.sampled_from((" ", ", ", "", "-", "\n"))).join(
        draw(st.lists(st.sampled_from(right), min_size=1, max_size=4))
    )
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(words) + text[at + draw(st.integers(0, 2)) :]
    return text


# --- Games


@cache
def positions(game: str) -> tuple[State, ...]:
    """Return some positions of a random game."""
    luck, results = random.Random(game), list[State]()
    for seats in (GAMES[game].seats[0], GAMES[game].seats[-1]):
        state = GAMES[game].start(seats, None, 7)
        for number in range(25):
            if number % 6 == 0:
                results.append(state)
            actions = state.actions()
            if not actions:
                break
            state = state.play(luck.choice(actions))
    return tuple(results)


def a_table(game: str) -> Table:
    place, host = PlaceId("x:1"), PersonId("x:a")
    return Table(id=TableId("k3v7qpm2xa"), game=game, place=place, host=host, lang="en", created_ms=0)


@pytest.mark.parametrize("game", GAMES)
@given(st.data())
def test_notation_is_read_or_refused(game: str, data: st.DataObject) -> None:
    state = data.draw(st.sampled_from(positions(game)), label="position")
    view = state.view(state.actor)
    text = data.draw(st.one_of(words, mistyped([str(action) for action in state.actions()[:80]] or [""])))
    try:
        for action in GAMES[game].parse(view, text):
            view = view.play(action)
    except (BadNotation, IllegalAction):
        pass
    here = a_table(game)
    for suggestion in completions(here, state.view(state.actor), text, "de"):
        assert len(suggestion.value) < 4000


@pytest.mark.parametrize("game", GAMES)
@given(st.data())
def test_a_position_is_read_or_refused(game: str, data: st.DataObject) -> None:
    whole = json.loads(GAMES[game].encode(data.draw(st.sampled_from(positions(game)))))
    try:
        state = GAMES[game].decode(json.dumps(data.draw(damaged(whole))))
    except ValueError:
        return
    for seat in (None, 0, state.actor):
        assert GAMES[game].encode(state.view(seat))
    for action in state.actions()[:3]:
        state.play(action)
    assert state.standing() is None or len(state.standing() or ()) > 0


@cache
def proved() -> Any:
    state = GAMES["kabooom"].start(2, None, 7)
    salt, seed = "salt", f"{7:032x}"
    promised, players = proof.commitment(seed, salt), (Player(1, "host"), Player(2))
    played = proof.Proof(
        format=2,
        game="kabooom",
        seats=2,
        players=players,
        options={},
        seed=seed,
        salt=salt,
        sha256=promised,
        fixed=proof.fixed(promised, proof.terms("kabooom", {}, players)),
        actions=(),
        result=proof.Ending("resigned", (0,), state.standing(), "table"),
    )
    proof.check(played)
    return json.loads(proof.encode(played))


@given(st.one_of(st.binary(max_size=60), st.deferred(lambda: damaged(proved()).map(json.dumps).map(str.encode))))
def test_a_proof_holds_or_names_its_fault(document: bytes) -> None:
    try:
        proof.check(proof.decode(document))
    except proof.Flawed:
        return


# --- Typed and pressed input

CARRIED = [payload.write(verb, "k3v7qpm2xa", 3, 1) for verb in VERBS]
bodies = st.one_of(
    st.builds(Press, st.one_of(words, mistyped(CARRIED))),
    st.builds(Typed, st.one_of(words, mistyped([f"/{name} " for name in BY_NAME]))),
    st.builds(
        SlashCommand, st.one_of(words, st.sampled_from(list(BY_NAME))), st.dictionaries(words, words, max_size=3)
    ),
    st.builds(
        SlashCommand,
        st.sampled_from(list(BY_NAME)),
        st.dictionaries(st.sampled_from(("game", "clock", "options", "move", "notation", "person", "position")), words),
    ),
    st.just(Opened()),
)


@given(bodies)
def test_every_update_asks_for_something(body: Typed | SlashCommand | Press | Opened) -> None:
    update = Update(UpdateId("x:1"), Person(PersonId("x:a"), "Anna"), Place(PlaceId("x:1")), body)
    assert parse(update) is not None
    assert asks_to_manage(body) in (True, False)


@given(words)
def test_a_mention_finds_a_person_or_none(text: str) -> None:
    here = {PersonId("x:7"): Called("Anna Lena", "lena"), PersonId("x:8"): Called("\u3164")}
    assert set(meant(text, here)) <= here.keys()


# --- Stored data and settings


@cache
def stored() -> Any:
    seats = (Seat(PersonId("x:a"), "Anna", "en"), Seat(PersonId("x:b"), "Ben", "de"))
    return json.loads(documents.encoded(replace(a_table("kabooom"), seats=seats)))


@given(st.deferred(lambda: damaged(stored())), st.integers(1, 5))
def test_a_stored_table_is_read_or_refused(document: Any, schema: int) -> None:
    try:
        table = documents.table(json.dumps(document).encode(), schema)
    except (msgspec.DecodeError, NewerDocument):
        return
    except ValueError:
        assert schema < documents.OLDEST
        return
    assert documents.table(documents.encoded(table), documents.SCHEMA) == table


ENTRY = Entry(
    revision=5, seat=1, action="b3", at_ms=9, by=By.HOUSE, turn=2, news=(News("move", 1, (("to", "b3"),)),), back=1
)
SHOWING = BoardMessage(
    MessageId("9"), 5, "turn2", 3, 4, 1, asks=True, mark="b7q", stale=(StaleMessage(MessageId("8"), Removal.STRIP, 1),)
)
FADING = Fading(2, PlaceId("x:1"), MessageId("9"))
ASKED = Update(UpdateId("x:1"), Person(PersonId("x:a"), "Anna", "en"), Place(PlaceId("x:1")), Typed("/help"))
DOCUMENTS: list[tuple[Callable[[bytes], Any], Entry | BoardMessage | Fading]] = [
    (lambda document: documents.entries(b"[" + document + b"]")[0], ENTRY),
    (documents.board_message, SHOWING),
    (documents.fading, FADING),
]


@pytest.mark.parametrize(("read", "whole"), DOCUMENTS)
@given(st.data())
def test_an_attachment_of_a_table_is_read_or_refused(
    read: Callable[[bytes], Any], whole: Entry | BoardMessage | Fading, data: st.DataObject
) -> None:
    assert read(documents.encoded(whole)) == whole
    try:
        result = read(json.dumps(data.draw(damaged(json.loads(documents.encoded(whole))))).encode())
    except msgspec.DecodeError:
        return
    assert read(documents.encoded(result)) == result


@given(st.data())
def test_a_stored_pending_answer_is_read_or_refused(data: st.DataObject) -> None:
    whole = Pending(ASKED, "ticket")
    assert pending.decode(pending.encode(whole)) == whole
    try:
        read = pending.decode(json.dumps(data.draw(damaged(json.loads(pending.encode(whole))))).encode())
    except msgspec.DecodeError:
        return
    assert pending.decode(pending.encode(read)) == read


@cache
def kept() -> tuple[Any, ...]:
    """Return the lines of a backup: a running game, and a key of every kind."""
    seats = (Seat(PersonId("x:a"), "Anna", "en"), Seat(PersonId("x:b"), "Ben", "de"))
    table = replace(a_table("kabooom"), seats=seats, phase=Phase.RUNNING, revision=5)
    fields = {"json": documents.encoded(table).decode(), "posted": documents.encoded(SHOWING).decode()}
    fields |= {"save": "x:1", "revision": "5", "schema": str(documents.SCHEMA), "posted_revision": "5"}
    lines: tuple[msgspec.Struct, ...] = (
        backup.Head(backup.FORMAT, 9, "secret", {"0a": 7}),
        backup.KeptTable(
            table.id,
            fields,
            (documents.encoded(ENTRY).decode(),),
            None,
            {"x:1": "x:1"},
            99,
            ("f",),
            due_ms=9,
            unposted_ms=9,
        ),
        backup.Key(keys.place(table.place), text=table.id),
        backup.Key(keys.person_own_places(PersonId("x:a")), members=("x:1",)),
        backup.Key(f"{keys.place(table.place)}:people", fields={"x:a": "Anna"}),
        backup.Key("kb:person:{x:a}:tables", scores={table.id: 1.0}, expires_ms=10**13),
        backup.Tail(1, 4),
    )
    return tuple(json.loads(msgspec.json.encode(line)) for line in lines)


@st.composite
def damaged_backup(draw: st.DrawFn) -> bytes:
    """Return a backup with an error in a line or a document, a line missing or doubled, or truncated."""
    lines = list(kept())
    at = draw(st.integers(0, len(lines) - 1))
    match draw(st.sampled_from(("line", "document", "posted", "log", "gone", "twice", "nothing"))):
        case "line":
            lines[at] = draw(damaged(lines[at]))
        case "document" | "posted" as which:
            name = "json" if which == "document" else which
            fields = lines[1]["fields"]
            broken = json.dumps(draw(damaged(json.loads(fields[name]))))
            lines[1] = {**lines[1], "fields": {**fields, name: broken}}
        case "log":
            lines[1] = {**lines[1], "log": [json.dumps(draw(damaged(json.loads(lines[1]["log"][0]))))]}
        case "gone":
            del lines[at]
        case "twice":
            lines.insert(at, lines[at])
    packed = gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode(), mtime=0)
    return packed[: draw(st.one_of(st.just(len(packed)), st.integers(0, len(packed))))]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedded]:
    """Return an empty server, started once."""
    embedded = Embedded(tmp_path_factory.mktemp("store"), fsync="everysec")
    with asyncio.Runner() as runner:
        runner.run(embedded.__aenter__())
        yield embedded
        runner.run(embedded.__aexit__(None, None, None))


@given(st.one_of(st.binary(max_size=60), damaged_backup()))
def test_a_damaged_backup_is_restored_or_refused_before_anything_is_written(
    server: Embedded, tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = Path(tmp_path_factory.getbasetemp(), "damaged")
    file.write_bytes(content)

    async def restore() -> None:
        calls = Calls(address.parse(server.url), 5, 5, Metrics())
        store = await Store.open(server.url)
        try:
            await backup.Backup(calls).restore(file, 20)
            for table in {TableId(line["id"]) for line in kept() if "id" in line}:
                await store.load(table)
                await store.log(table)
        finally:
            await store.close()
            await client.close(calls.client)

    with Redis.from_url(server.url) as raw:
        raw.flushall()
        try:
            asyncio.run(restore())
        except StoreError:
            assert raw.keys("*") == []


READERS: list[tuple[Callable[[str], object], tuple[type[Exception], ...], list[str]]] = [
    (address.parse, (ValueError,), ["redis://:pass@host:6379/0", "redis+sentinel://a:1,b:2/name", "unix:///x?db=1"]),
    (shards, (ValueError,), ["0-3/8", "4"]),
    (environment.store, (), ["rediss://h", "redis+cluster://h:1"]),
    (environment.host_names, (), ["bot.lan, kaleidobot"]),
    (environment.port, (), ["9464"]),
    (payload.read, (), CARRIED),
    (lambda text: addresses.spot(PlaceId(text)), (Refused,), ["telegram:-100123/7"]),
    (lambda text: addresses.shown(text), (Gone,), ["p815"]),  # type: ignore[arg-type]
    (lambda text: addresses.user(PersonId(text)), (), ["telegram:42"]),
    (lambda text: Links("1:a").read(7, text), (), [Links("1:a").url("b", 7, "view:k3v7qpm2").partition("=")[2]]),
    (commandline.begun, (), ["/move b3", "/newgame kab"]),
    (lambda text: commandline.names(text, "de"), (), ["/mo", "/"]),
]


@pytest.mark.parametrize(("reader", "refusals", "right"), READERS)
@given(st.data())
def test_a_word_is_read_or_refused(
    reader: Callable[[str], object],
    refusals: tuple[type[Exception], ...],
    right: list[str],
    data: st.DataObject,
) -> None:
    try:
        reader(data.draw(st.one_of(words, mistyped(right))))
    except refusals:
        return


@given(st.binary(max_size=200))
def test_a_file_of_settings_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = Path(tmp_path_factory.getbasetemp(), "settings.env")
    file.write_bytes(content)
    try:
        result = environment.read_file(file)
    except environment.Wrong:
        return
    assert all(isinstance(value, str) for value in result.values())


# --- Input from platforms

FRAMES = [
    {
        "kind": "hello",
        "lang": "en",
        "people": [{"name": "Zoe"}],
        "channels": ["hall"],
        "person": "web:anna",
        "place": "",
    },
    {"kind": "say", "id": "0" * 16, "person": "web:anna", "place": "web:lobby", "text": "/help"},
    {"kind": "press", "id": "0" * 16, "person": "web:anna", "place": "", "message": "", "payload": "help:"},
    {"kind": "person", "who": {"name": "Zoe", "lang": "de", "manages": True}},
]


@given(st.one_of(words, st.sampled_from(FRAMES).flatmap(damaged).map(json.dumps)))
def test_a_frame_of_the_page_is_read_or_refused(text: str) -> None:
    try:
        wire.read(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return


USER = {"id": 5, "is_bot": False, "first_name": "Anna", "language_code": "de"}
CHAT = {"id": -1001, "type": "supergroup", "title": "Hall"}
MESSAGE = {"message_id": 3, "date": 1_790_000_000, "chat": CHAT, "from": USER, "text": "/move b3"}
MEMBER = {"user": USER, "status": "member"}
CHANGE = {
    "chat": CHAT,
    "from": USER,
    "date": 1,
    "old_chat_member": {**MEMBER, "status": "left"},
    "new_chat_member": MEMBER,
}
UPDATES = [
    {"update_id": 7, "message": MESSAGE},
    {"update_id": 7, "message": {**MESSAGE, "text": "/start 0", "chat": {"id": 5, "type": "private"}}},
    {
        "update_id": 7,
        "callback_query": {"id": "9", "from": USER, "chat_instance": "1", "data": "help:", "message": MESSAGE},
    },
    {"update_id": 7, "my_chat_member": CHANGE},
    {"update_id": 7, "chat_member": CHANGE},
    {"update_id": 7, "message": {**MESSAGE, "left_chat_member": USER, "new_chat_members": [USER]}},
    {"update_id": 7, "guest_message": {**MESSAGE, "text": "@kaleido_bot kabooom", "guest_query_id": "9"}},
]


@given(st.sampled_from(UPDATES).flatmap(damaged))
def test_an_update_of_telegram_is_read_or_left(raw: Any) -> None:
    update = readable(raw) if isinstance(raw, dict) else None
    if update is None:
        return
    guest = guests.read(update, "kaleido_bot")
    if guest is not None:
        assert guests.Cards().card(guest, "kaleido_bot").to_json()
    else:
        asked, _, _ = incoming.contents(update, "kaleido_bot", Links("1:a"), ("move", "help"), Comments())
        if asked is not None:
            assert parse(asked.update) is not None
            assert texts.language(asked.update.person.lang) in texts.languages()
    for passage in incoming.moves_of_people(update):
        assert addresses.place_id(addresses.Spot(passage.chat))
        assert addresses.person_id(passage.user)


@given(st.binary(max_size=200), st.integers(0, 3000))
def test_what_telegram_writes_is_read_or_refused_however_deep(document: bytes, depth: int) -> None:
    try:
        parsed(b'{"a":[' * depth + document)
    except ValueError:
        return


@given(anything, st.integers(0, 3000))
def test_around_too_deep_nesting_the_rest_is_read(value: Any, depth: int) -> None:
    deep = '{"a":[' * depth + json.dumps(value) + "]}" * depth
    read = parsed(f'[{deep}, "rest"]'.encode())
    assert isinstance(read, list)
    assert read[1] == "rest"
    if depth < DEEPEST // 2 - 5:
        assert read[0] == json.loads(deep)


INTERACTIONS = [
    {
        "type": 2,
        "data": {"id": "1", "type": 1, "name": "move", "options": [{"type": 3, "name": "notation", "value": "b3"}]},
    },
    {"type": 3, "data": {"custom_id": "help:", "component_type": 2}, "message": None},
    {"type": 3, "data": {"custom_id": "x", "component_type": 3, "values": ["option:k3v7qpm2xa:0.1"]}},
]
COMMON = {
    "id": "11",
    "application_id": "12",
    "token": "t",
    "version": 1,
    "channel_id": "13",
    "channel": {"id": "13", "type": 0, "name": "hall", "permissions": "8", "flags": 0},
    "locale": "de",
    "context": 0,
    "guild_id": "14",
    "guild_locale": "en-US",
    "authorizing_integration_owners": {"0": "14"},
    "app_permissions": "8",
    "attachment_size_limit": 1,
    "entitlements": [],
    "member": {
        "user": {"id": "15", "username": "anna", "discriminator": "0", "avatar": None, "global_name": "Anna"},
        "roles": [],
        "joined_at": None,
        "flags": 0,
        "permissions": "8",
    },
}


@given(st.sampled_from(INTERACTIONS).flatmap(lambda own: damaged(own).map(lambda part: {**COMMON, **part})))
def test_an_interaction_of_discord_is_read_or_left_to_its_library(raw: Any) -> None:
    state = discord.Client(intents=discord.Intents.none())._connection
    try:
        interaction: discord.Interaction = discord.Interaction(data=raw, state=state)
    except Exception:  # the library handles it: it never reaches our code
        return
    if interaction.type in (discord.InteractionType.component, discord.InteractionType.application_command):
        try:
            assert parse(discord_update(interaction)) is not None
        except (KeyError, TypeError, AttributeError):
            return


SERVER = {"id": "1", "joined_at": "2026-01-01T00:00:00+00:00", "channels": [{"id": "2", "type": 0}], "threads": []}
EVENTS = [SERVER, {**SERVER, "system_channel_id": "2"}, {"id": "1", "unavailable": True}, {"id": "2", "guild_id": "1"}]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(EVENTS).flatmap(damaged)), max_size=4), st.none() | anything
)
def test_an_event_of_discord_ends_no_connection(events: list[tuple[int, Any]], any_: Any) -> None:
    async def hear() -> None:
        servers = Servers(House())
        listeners = list(servers.listeners.values())
        for number, event in [*events, (0, any_)]:
            listeners[number](event)
        await asyncio.gather(*servers.running)

    logging.getLogger("bot.adapters.on_discord.servers").disabled = True
    try:
        asyncio.run(hear())
    finally:
        logging.getLogger("bot.adapters.on_discord.servers").disabled = False
