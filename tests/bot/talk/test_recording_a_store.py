"""Bring tables into every state of waiting, and record their store as the older one of `test_upgrading`.

Record a store before the schema's number is raised, with the version that writes the old schema::

    RECORD=tests/bot/talk/stored/schema-3.json python -m pytest tests/bot/talk/test_recording_a_store.py
"""

import json
import os
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

from redis import Redis

from bot.app import build
from bot.chat import Content, Place, PlaceId, PlaceLost
from bot.delivery.painting import Pictures
from bot.requests import payload
from bot.store.store import Store
from bot.tables.table import Phase, Table
from bot.tables.waiting import OnClock, Overdue, Resting, StandIn, Unreachable
from tests.bot.conftest import HandClock
from tests.bot.house.playing import Slow
from tests.bot.talk.recording import Crowd, RecordingChat, buttons
from tests.bot.talk.turns import typed

OF_LOBBY = {"join", "start", "options", "leave", "option", "clock", "late"}
BESIDE_TABLES = {
    "learn",
    "rules",
    "privacy",
    "close",
    "settings",
    "set",
    "games",
    "new",
    "with",
    "review",
    "help",
    "warm",
}
THREE = ("ben", "clara")


def room(name: str) -> Place:
    return Place(PlaceId(f"room:{name}"))


class Recorder:
    """People who play in many rooms, and the buttons that they see there."""

    def __init__(self, crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock) -> None:
        self.crowd = crowd
        self.chat = chat
        self.store = store
        self.clock = clock
        self.buttons: dict[str, dict[str, tuple[str, str, str]]] = {}
        """By room and payload: the person ("" for all people), the label, and the mark of the save."""

    async def table(self, name: str) -> Table:
        held = await self.store.at(room(name).id)
        snapshot = None if held is None else await self.store.load(held)
        assert snapshot is not None
        return snapshot.table

    async def says(self, name: str, who: str, *lines: str) -> None:
        for line in lines:
            reply = await self.crowd.says(who, line, place=room(name))
            if reply is not None:
                await self._see(name, who, reply)
        await self.look(name)

    async def look(self, name: str) -> None:
        """Record the buttons of all posts in a room."""
        for message, place in self.chat.places.items():
            if place == room(name).id and message in self.chat.messages:
                await self._see(name, "", self.chat.messages[message])

    async def _see(self, name: str, who: str, content: Content) -> None:
        held = await self.store.at(room(name).id)
        mark = "" if held is None else (await self.table(name)).mark
        for button in buttons(content):
            if button.payload:
                self.buttons.setdefault(name, {})[button.payload] = (who, button.label, mark)

    async def begin(self, name: str, game: str, *words: str, others: Sequence[str] = ("ben",)) -> None:
        await self.says(name, "anna", " ".join(("/newgame", game, *words)))
        for other in others:
            await self.says(name, other, "/join")
        await self.says(name, "anna", "/start")

    async def turns(self, name: str, number: int) -> None:
        for _ in range(number):
            await self.says(name, *typed(await self.table(name)))

    async def advance(self, hours: float) -> None:
        await self.clock.advance(timedelta(hours=hours))
        await self.crowd.service.do_due()


async def play(on: Recorder, thinker: Slow) -> None:
    """Play in many rooms. In the end the house thinks about a turn of a person whose time is up."""
    service = on.crowd.service
    thinker.may_go_on.set()
    # Three days ago
    await on.begin("silent", "kabooom", "easy", "none", others=THREE)
    await on.turns("silent", 1)
    await on.says("rests", "dan", "/newgame kabooom easy house none", "/start")
    await on.begin("over", "kabooom", "easy", "1d")
    await on.turns("over", 3)
    await on.says("over", "anna", "/resign", "[Yes, I resign]")
    # Eight hours ago
    await on.advance(64.5)
    await service.idle()
    for name in ("late", "late-away"):
        await on.begin(name, "kabooom", "easy", "8h", others=THREE)
        await on.turns(name, 2)
    await on.says("stand-in", "anna", "/newgame crystalla 8h")
    await on.says("stand-in", "ben", "/join")
    await on.says(
        "stand-in", "anna", "[Options]", "[Page 1/3 ▶]", "[When time is up: The house plays this turn]", "/start"
    )
    await on.turns("stand-in", 2)
    # Less than an hour ago
    await on.advance(7.5)
    await service.idle()
    await on.says("rests", "emma", "/newgame colorio")
    await on.begin("given-up", "kaleidoskop", "3d", others=THREE)
    await on.turns("given-up", 3)
    actor = typed(await on.table("given-up"))[0]
    other = next(name for name in ("anna", *THREE) if name != actor)
    await on.says("given-up", other, "/resign", "[Yes, I resign]")
    await on.begin("middle", "crystalla", "1d")
    await on.turns("middle", 2)
    actor, turn = typed(await on.table("middle"))
    await on.says("middle", actor, "[Move]", turn.rsplit(" ", 1)[0], "[More]")
    await on.begin("asked", "kaleidoskop", "1d", others=THREE)
    await on.turns("asked", 2)
    await on.says("asked", "anna", "/end")
    await on.begin("declined", "kabooom", "easy", "3d+1d", others=THREE)
    await on.turns("declined", 2)
    table = await on.table("declined")
    await on.says("declined", table.seats[(table.turn - 1) % 3].name.lower(), "/undo")
    await on.says("declined", table.seats[table.turn % 3].name.lower(), "[No]")
    idle = table.seats[(table.turn + 1) % 3].name.lower()
    await on.says("declined", idle, "/note watch b3", "/plan pass", "/substitute", "[Look for somebody]")
    await on.begin("draw", "kalejdoschach")
    await on.turns("draw", 2)
    actor, turn = typed(await on.table("draw"))
    await on.says("draw", actor, "/draw", turn, "/view")
    await on.says("quiet", "quinn", "/settings", "[Quiet hours (no pings, clock paused): 8:00 to 17:00]")
    await on.begin("quiet", "kabooom", "easy", "1d", others=("quinn",))
    while typed(await on.table("quiet"))[0] != "quinn":
        await on.turns("quiet", 1)
    await on.begin("away", "crystalla", "1d")
    await on.turns("away", 1)
    await on.says("lobby", "anna", "/newgame colorio")
    await on.says("lobby", "ben", "/join")
    await on.says("lobby", "anna", "[Options]")
    # Now
    thinker.may_go_on.clear()
    thinker.began.clear()
    await on.advance(0.6)
    await thinker.began.wait()
    for name in ("away", "late-away"):
        await service.place_changed(PlaceLost(room(name).id))
    for name in [*on.buttons]:
        await on.look(name)


async def recorded_buttons(on: Recorder, name: str) -> list[list[str]]:
    """Return the buttons of a room: "now" or "old", the person, the label, and the payload."""
    table = None if name == "over" else await on.table(name)
    posts = [post for message, post in on.chat.messages.items() if on.chat.places[message] == room(name).id]
    newest = {button.payload for button in buttons(posts[-1])}
    running = table is not None and table.phase == Phase.RUNNING
    actor = typed(table)[0] if table is not None and running else "anna"
    kept, count = [], dict[str, int]()
    for carried, (who, label, mark) in on.buttons[name].items():
        read = payload.read(carried)
        assert read is not None
        verb, people = read.verb, [] if table is None else [seat.name.lower() for seat in table.seats]
        now = carried in newest if not who else table is not None and mark == table.mark
        if now and read.mark and table is not None and verb == "decide":
            now = read.mark == table.mark
        count[verb] = count.get(verb, 0) + 1
        few = count[verb] > {"menu": 2, "play": 4}.get(verb, 12)
        if verb in BESIDE_TABLES or few or (not now and running and verb in OF_LOBBY and name != "middle"):
            continue
        reader = who or (table.host.partition(":")[2] if table is not None and not running else actor)
        if not who and verb in ("agree", "refuse", "decide"):
            asked = [] if table is None or table.ask is None else table.ask.agreed
            reader = next(person for person in people if person != actor and f"room:{person}" not in asked)
        kept.append(["now" if now else "old", reader, label, carried])
    return kept


def recorded_keys(raw: Redis) -> dict[str, dict[str, Any]]:
    """Return all keys with their kinds and values."""
    keys = {}
    for key in sorted(cast("list[bytes]", [*raw.scan_iter()])):
        kind, value = cast("bytes", raw.type(key)).decode(), cast("Any", None)
        match kind:
            case "string":
                value = cast("bytes", raw.get(key)).decode()
            case "hash":
                value = {name.decode(): text.decode() for name, text in cast("Any", raw.hgetall(key)).items()}
            case "list":
                value = [text.decode() for text in cast("Any", raw.lrange(key, 0, -1))]
            case "set":
                value = sorted(text.decode() for text in cast("Any", raw.smembers(key)))
            case _:
                value = {name.decode(): at for name, at in cast("Any", raw.zrange(key, 0, -1, withscores=True))}
        keys[key.decode()] = {kind: value}
    return keys


def written(now: str, of_rooms: dict[str, list[list[str]]], keys: dict[str, dict[str, Any]]) -> str:
    """Return the recording as JSON, with a line for each button and each key."""
    rooms = [
        f" {json.dumps(name)}: [\n  " + ",\n  ".join(json.dumps(line, ensure_ascii=False) for line in kept) + "\n ]"
        for name, kept in of_rooms.items()
    ]
    lines = [f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in keys.items()]
    head = f'{{\n"now": "{now}",\n"buttons": {{\n'
    return head + ",\n".join(rooms) + '\n},\n"store": {\n' + ",\n".join(lines) + "\n}\n}\n"


async def test_a_recorded_store_has_a_table_in_every_state_of_waiting(
    store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat, raw: Redis
) -> None:
    thinker = Slow()
    service = build(store, painter, clock, thinker=thinker)
    service.add(chat)
    on = Recorder(Crowd(service, chat), chat, store, clock)
    await play(on, thinker)
    of_rooms = {name: await recorded_buttons(on, name) for name in on.buttons}
    recording = written(clock.now().isoformat(), of_rooms, recorded_keys(raw))
    states = {name: type((await on.table(name)).waiting) for name in on.buttons if name not in ("over", "rests")}
    (resting,) = await store.tables_of(on.crowd.person("dan").id)
    snapshot = await store.load(resting)
    assert snapshot is not None
    assert {*states.values(), type(snapshot.table.waiting)} == {OnClock, Overdue, StandIn, Unreachable, Resting}
    assert json.loads(recording)["store"].keys() == {cast("bytes", key).decode() for key in raw.scan_iter()}
    if "RECORD" in os.environ:
        Path(os.environ["RECORD"]).write_text(recording, encoding="utf-8")
    thinker.may_go_on.set()
    await service.stop()
