"""The payloads of lasting buttons: those that change a running game are bound to a save, a turn or a question; all
others are not. So an old button changes nothing, and two people may join by the same button."""

from collections.abc import AsyncIterator, Iterable
from datetime import timedelta

import pytest
from redis import Redis

from bot.app import build
from bot.chat import Content, Post, Press, Reply, Select
from bot.delivery.painting import Pictures
from bot.replies.words import say
from bot.requests import payload
from bot.requests.payload import Payload
from bot.requests.registry import VERBS
from bot.store.store import Store
from bot.tables.table import Phase, Table, TableId
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.house.playing import AtOnce
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons
from tests.bot.talk.test_delivery import Past
from tests.bot.talk.test_manners import Evening
from tests.bot.talk.test_service import begun, text
from tests.bot.talk.worlds import position

OF_SAVE = {"play", "sure", "follow", "undo", "end", "decide", "seek", "tap"}
"""Each changes the game as it was when the button was made, or, a tap, asks about it."""
OF_TURN = {"draw"}
OF_QUESTION = {"agree", "refuse"}
BEGINS_ANEW = {"menu", "resign"}
"""At the beginning of a menu or question these carry no number and change nothing; everything later in it is bound
to a save."""
CHANGES = OF_SAVE | OF_TURN | OF_QUESTION | BEGINS_ANEW
FREE = {*VERBS} - CHANGES
"""They look, join, leave, are about a lobby or about no table."""
NO_NUMBERS = {"join", "leave", "start", "board", "view", "more", "hint", "close", "again"}
"""Any person may press these at any time, to look or to join."""


def carried(said: Content) -> Iterable[Payload]:
    """Return all payloads of *said*, for all platforms."""
    payloads = [button.payload for button in buttons(said) if not button.link]
    rows = [
        *said.rows,
        *(said.offers if isinstance(said, Post) else said.narrow_rows if isinstance(said, Reply) else ()),
    ]
    for row in rows:
        payloads += (
            [row.payload, *(choice.payload for choice in row.choices)]
            if isinstance(row, Select)
            else [button.payload for button in row if not button.link]
        )
    if isinstance(said, Reply):
        payloads += [target.payload for target in said.targets if target.payload]
    for content in payloads:
        read = payload.read(content)
        assert read is not None, content
        yield read


def right(pressed: Payload, table: Table) -> bool:
    """Return whether *pressed*, built for the current *table*, is bound as required."""
    begins = pressed.verb in BEGINS_ANEW and not pressed.numbers
    if pressed.verb in FREE or begins:
        return not pressed.mark and not (pressed.numbers and pressed.verb in NO_NUMBERS)
    if pressed.verb in OF_TURN:
        mark, number = table.turn_mark, table.turn
    elif pressed.verb in OF_QUESTION:
        assert table.ask is not None
        mark, number = table.ask.mark, table.ask.revision
    else:
        mark, number = table.mark, table.revision
    return mark != "" and (pressed.mark, pressed.numbers[:1]) == (mark, (number,))


class Reader:
    """Reads all buttons of every message about the table in the room. *read*: the verbs seen so far."""

    def __init__(self, crowd: Crowd, chat: RecordingChat, store: Store) -> None:
        self._crowd, self._chat, self._store = crowd, chat, store
        self._held: TableId | None = None
        self.read = set[str]()

    async def table(self) -> Table:
        """Return the table in the room, even if it is over."""
        self._held = await self._store.at(ROOM.id) or self._held
        loaded = None if self._held is None else await self._store.load(self._held)
        assert loaded is not None
        return loaded.table

    async def reads(self, *said: Content | None) -> None:
        """Return the buttons of *said* and of the newest board."""
        table = await self.table()
        messages = [
            pressed for message in (*said, self.newest()) if message is not None for pressed in carried(message)
        ]
        wrong = [content for content in messages if not right(content, table)]
        assert wrong == [], f"{table!r}, mark {table.mark}, turn {table.turn} {table.turn_mark}, asked {table.ask}"
        self.read |= {content.verb for content in messages}

    def newest(self) -> Post:
        return self._chat.newest()

    async def says(self, name: str, line: str) -> Reply | None:
        reply = await self._crowd.says(name, line)
        await self.reads(reply)
        return reply

    async def presses(self, name: str, pressed: Payload) -> Reply | None:
        reply = await self._crowd.sends(name, Press(written(pressed)))
        await self.reads(reply)
        return reply

    async def looks_into(self, name: str, menu: Reply | None, depth: int = 2) -> None:
        """Yield the payloads of pages and parts of a *menu* that do not play."""
        assert menu is not None
        for content in dict.fromkeys(carried(menu)) if depth else ():
            if content.verb == "menu":
                await self.looks_into(name, await self.presses(name, content), depth - 1)


def written(pressed: Payload) -> str:
    word = f"{pressed.word}-{pressed.mark}" if pressed.mark else pressed.word
    return payload.write(pressed.verb, word, *pressed.numbers)


@pytest.fixture
async def thinking(store: Store, painter: Pictures, clock: HandClock, chat: RecordingChat) -> AsyncIterator[Crowd]:
    """Yield people in a room with an AI player that thinks."""
    service = build(store, painter, clock, draw=lambda n: "07" * n, thinker=AtOnce())
    service.add(chat)
    yield Crowd(service, chat)
    await service.stop()


@pytest.fixture
def evening(
    request: pytest.FixtureRequest, crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> Evening:
    return Evening(crowd, chat, store, clock, request.param)


every_game = pytest.mark.parametrize("evening", GAMES, indirect=True)


@pytest.fixture
def reader(crowd: Crowd, chat: RecordingChat, store: Store) -> Reader:
    return Reader(crowd, chat, store)


@every_game
async def test_a_lobby_carries_no_stamp(evening: Evening, reader: Reader) -> None:
    host, *_ = evening.people
    await reader.says(host, f"/newgame {evening.game} 8h")
    options = await reader.says(host, "[Options]")
    assert options is not None
    for content in carried(options):
        if content.verb != "house":  # the game might begin
            await reader.presses(host, content)
    assert {"join", "leave", "start", "options", "clock"} <= reader.read <= FREE


@every_game
async def test_exactly_the_changing_buttons_are_bound_to_save_turn_or_question(
    evening: Evening, reader: Reader
) -> None:
    """On boards, in menus, in *More*, under questions, after a timeout, and after the end."""
    await evening.begins()
    for number in range(4):
        name = await evening.up()
        turn, (other, *_) = (await reader.table()).turn, evening.others(name)
        for line in ("[More]", "/view", "/history", "/resign"):
            for reading in (name, other, "zoe"):
                await reader.says(reading, line)
        await reader.says("ada", "[More]")
        await reader.says("ada", "[End the game for all]")
        await reader.looks_into(name, await reader.says(name, "[Move]"))
        if number == 1:
            await reader.says(other, "/end")
        if number == 2:
            await evening.passes(hours=8.1)
            assert (await reader.table()).is_overdue
        while (await reader.table()).turn == turn:
            reply = await reader.says(name, "[Move]")
            while reply is not None and (goes_on := [content for content in carried(reply) if content.verb in CHANGES]):
                reply = await reader.presses(name, goes_on[0])
            await evening.passes(seconds=10)
    while (await reader.table()).phase != Phase.OVER:
        name = await evening.up()
        await reader.says(name, "/resign")
        await reader.says(name, "[Yes, I resign]")
    await reader.says("zoe", "[More]")
    assert reader.read >= {"menu", "play", "resign", "end", "agree", "refuse", "decide"}
    assert reader.read >= {"more", "board", "history", "close", "again", "replay", "verify"}


@pytest.mark.parametrize("game", GAMES)
async def test_a_hint_can_be_played_until_the_position_changes(
    game: str, thinking: Crowd, chat: RecordingChat, store: Store
) -> None:
    reader = Reader(thinking, chat, store)
    for line in (f"/newgame {game} house easy", "/start", "[More]", "[Hint]"):
        await reader.says("anna", line)
    assert reader.read >= {"hint", "follow"}


async def test_ending_a_game_is_confirmed_for_the_current_state(crowd: Crowd, reader: Reader) -> None:
    await begun(crowd)
    for name in ("anna", "ben"):
        await reader.says(name, "/move pass")
    assert "sure" in reader.read


async def test_a_draw_is_offered_and_agreed_to_as_long_as_the_turn_goes_on(crowd: Crowd, reader: Reader) -> None:
    for name, line in (("anna", "/newgame kalejdoschach"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    first, moves = await up(reader)
    offers = await reader.says(first, "[More]")
    assert "draw" in verbs(offers)
    await reader.says(first, "[½ Offer a draw]")
    await reader.says(first, f"/move {moves[0]}")
    assert "draw" in verbs(reader.newest()), "whoever is up now can agree"
    assert "draw" in verbs(await reader.says((await up(reader))[0], "[More]"))


async def up(reader: Reader) -> tuple[str, list[str]]:
    """Return the actor and an action that is no draw."""
    table = await reader.table()
    state = position(table)
    assert state.actor is not None
    return table.seats[state.actor].name.lower(), [action for action in map(str, state.actions()) if action != "draw"]


def verbs(said: Content | None) -> set[str]:
    return set() if said is None else {content.verb for content in carried(said)}


# Saves that were lost, and their revisions handed out once more


async def chess(crowd: Crowd, reader: Reader) -> tuple[str, str, list[str]]:
    """Begin the game with the most questions. Return the actor, the other player, and an action."""
    for name, line in (("anna", "/newgame kalejdoschach"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    first, moves = await up(reader)
    return first, "ben" if first == "anna" else "anna", moves


async def does_nothing(crowd: Crowd, chat: RecordingChat, reader: Reader, name: str, lost: Press, said: str) -> None:
    """Press a *lost* button as *name*: it changes and posts nothing, and the reply is *said*."""
    table, posts = await reader.table(), dict(chat.messages)
    assert said in text(await crowd.sends(name, lost))
    assert (await reader.table(), chat.messages) == (table, posts)


@pytest.mark.parametrize(
    ("who", "ways"),
    [
        ("first", ["[More]", "↶ Ask to undo"]),
        ("first", ["[More]", "Ask to end the game"]),
        ("first", ["[More]", "[Resign]", "Yes, I resign"]),
        ("second", ["[More]", "½ Offer a draw"]),
        ("second", ["[More]", "Ask to end the game"]),
        ("ada", ["[More]", "End the game for all"]),
        ("ada", ["[More]", "[End the game for all]", "Yes, end it"]),
    ],
)
async def test_deferred_work_is_bound_to_save_not_revision(
    crowd: Crowd, chat: RecordingChat, reader: Reader, raw: Redis, who: str, ways: list[str]
) -> None:
    first, second, moves = await chess(crowd, reader)
    past = Past(raw)
    await crowd.says(first, f"/move {moves[0]}")
    name, (*lines, label) = {"first": first, "second": second}.get(who, who), ways
    for line in lines:
        await crowd.says(name, line)
    kept, lost = crowd.payload(name, label), await reader.table()
    past.comes_back()
    await crowd.says(first, f"/move {moves[-1]}")
    assert ((await reader.table()).revision, (await reader.table()).turn) == (lost.revision, lost.turn)
    said = "end.late" if label == "Yes, end it" else "moved_on"
    await does_nothing(crowd, chat, reader, name, kept, say(said, "en"))


@pytest.mark.parametrize("label", ["I agree", "No"])
@pytest.mark.parametrize("again", ["/undo", "/end"])
async def test_an_answer_to_a_lost_question_answers_no_other(
    crowd: Crowd, chat: RecordingChat, reader: Reader, raw: Redis, label: str, again: str
) -> None:
    """Both were asked at the same save, which is the one that is left."""
    first, second, moves = await chess(crowd, reader)
    await crowd.says(first, f"/move {moves[0]}")
    past = Past(raw)
    await crowd.says(first, "/undo")
    kept, lost = crowd.payload(second, label), (await reader.table()).ask
    past.comes_back()
    await crowd.says(first, again)
    asked = (await reader.table()).ask
    assert lost is not None
    assert asked is not None
    assert asked.revision == lost.revision
    await does_nothing(crowd, chat, reader, second, kept, say("denied.stale", "en"))


async def test_menus_of_a_lost_turn_do_nothing_in_another_one(
    crowd: Crowd, chat: RecordingChat, reader: Reader, raw: Redis, clock: HandClock
) -> None:
    """For every kind of payload in them: a part, a page, a whole action, an answer."""
    await begun(crowd)
    past = Past(raw)
    await crowd.says("anna", "/move pass")
    lost = await reader.table()
    menu = await crowd.says("ben", "[Move]")
    assert menu is not None
    kept = {content for content in carried(menu) if content.numbers}
    for content in [content for content in kept if content.verb == "menu"][:3]:
        deeper = await crowd.sends("ben", Press(written(content)))
        assert deeper is not None
        kept |= {content for content in carried(deeper) if content.numbers}
    asked = await crowd.says("ben", "/move pass")
    assert asked is not None
    kept |= {*carried(asked)}
    assert {content.verb for content in kept} >= {"menu", "play", "sure"}
    past.comes_back()
    await crowd.says("anna", "/move b1-c1")
    assert (await reader.table()).revision == lost.revision
    for content in kept:
        if content.verb in OF_SAVE or (content.verb == "menu" and content.numbers):
            await clock.advance(timedelta(minutes=1))  # no person presses that fast
            await does_nothing(crowd, chat, reader, "ben", Press(written(content)), say("moved_on", "en"))
