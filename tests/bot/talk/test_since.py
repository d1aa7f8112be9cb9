"""Since my turn: a film of the others' turns, in the reader's own view; its readers and its frames."""

import random
from io import BytesIO
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from bot.chat import FileKind, Press, Reply
from bot.delivery.painting import Pictures
from bot.extras.short_films import LONGEST_MS, MOST_BYTES, MOST_FRAMES, ShortFilms
from bot.extras.since import SinceMyTurn, recap_of
from bot.replies import words
from bot.repository.preferences import Preferences
from bot.requests import Since
from bot.service.context import Context
from bot.service.history import HistoryAnswers
from bot.store.store import Store
from bot.tables import logbook
from bot.tables.table import By, Entry, Phase, Seat, Table, TableId
from kaleidobot.testing import resampling
from renderers import Theme
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons
from tests.bot.talk.test_service import table_here
from tests.bot.talk.turns import a_turn
from tests.bot.talk.worlds import position

PEOPLE = ("anna", "ben", "clara")
BUTTON = "Since my turn"


async def begin(crowd: Crowd, game: str, people: tuple[str, ...] = PEOPLE) -> None:
    await crowd.says("anna", f"/newgame {game}")
    for name in people[1:]:
        await crowd.says(name, "/join")
    await crowd.says("anna", "/start")


async def goes_on(crowd: Crowd, store: Store, turns: int) -> Table | None:
    """Play random turns until *turns* are over; return the table, or None if the game is over before."""
    while await store.at(ROOM.id) is not None:
        table = await table_here(store)
        if table.turn >= turns:
            return table
        await crowd.says(actor_of(table), f"/move {a_turn(position(table), random.Random(table.turn))}")
    return None


async def running(crowd: Crowd, store: Store, turns: int) -> Table:
    table = await goes_on(crowd, store, turns)
    assert table is not None
    return table


def actor_of(table: Table) -> str:
    actor = position(table).actor
    assert actor is not None
    return table.seats[actor].name.lower()


async def since(crowd: Crowd, table: Table, name: str) -> Reply:
    reply = await crowd.sends(name, Press(Since(table.id).payload))
    assert reply is not None
    return reply


def film(reply: Reply) -> Image.Image:
    assert reply.file is not None
    assert reply.file.kind is FileKind.ANIMATION
    assert reply.secret
    image = Image.open(BytesIO(reply.file.content))
    assert image.format == "GIF"
    return image


def last_frame(image: Image.Image) -> Image.Image:
    image.seek(getattr(image, "n_frames", 1) - 1)
    return image.convert("RGB")


def is_alike(frame: Image.Image, board: Image.Image) -> bool:
    """Return whether *frame* shows *board*, above the strip of the film."""
    small = board.convert("RGB").resize(
        (frame.width, round(board.height * frame.width / board.width)), Image.Resampling.BOX
    )
    shown = frame.crop((0, 0, small.width, small.height))
    return max(ImageStat.Stat(ImageChops.difference(shown, small)).mean) < 6


@pytest.mark.parametrize("game", [*GAMES, "colorio off"])
async def test_the_film_ends_on_the_own_board_after_1_5_and_50_turns(crowd: Crowd, store: Store, game: str) -> None:
    await begin(crowd, game)
    for turns in (1, 5, 50):
        table = await goes_on(crowd, store, turns)
        if table is None:
            assert turns == 50
            break
        name = actor_of(table)
        reply = await since(crowd, table, name)
        if position(table).forgets:
            assert reply.file is None
            assert reply.title.endswith("what you missed")
            assert reply.expires_strictly
            continue
        image = film(reply)
        assert reply.file is not None
        assert 2 <= getattr(image, "n_frames", 1) <= MOST_FRAMES
        durations = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            durations.append(image.info["duration"])
        assert sum(durations) <= LONGEST_MS
        assert len(reply.file.content) <= MOST_BYTES
        assert b"NETSCAPE" not in reply.file.content, "it rests on the newest board"
        own = await crowd.says(name, "/view")
        assert own is not None
        assert own.picture is not None
        assert reply.file.alt == own.picture.alt
        assert is_alike(last_frame(image), Image.open(BytesIO(own.picture.png)))


def entry(seat: int, turn: int, by: By = By.PERSON) -> Entry:
    return Entry(turn + 1, seat, "a", 0, by=by, turn=turn)


TABLE = Table(
    id=TableId("k3v7qpm2xa"),
    game="kabooom",
    place=ROOM.id,
    host=Seat("x:0", "A", "en").person,  # type: ignore[arg-type]
    lang="en",
    created_ms=0,
    seats=tuple(Seat(f"x:{n}", "ABC"[n], "en") for n in range(3)),  # type: ignore[arg-type]
    phase=Phase.RUNNING,
)


@pytest.mark.parametrize(
    ("log", "seat", "left"),
    [
        ("A B C", 0, "BC"),
        ("A B C", 2, ""),
        ("A B", 2, "AB"),
        ("A BBB C", 0, "BBBC"),
        ("A B C A B C", 0, "BC"),
        ("A B C a B C", 0, "BCaBC"),
        ("A B C AA", 0, "BC"),
    ],
)
def test_the_film_begins_after_the_last_turn_that_the_person_played(log: str, seat: int, left: str) -> None:
    """Each letter is an action of that seat, a small one of the house in its place."""
    entries = [
        entry("ABC".index(sign.upper()), turn, By.PERSON if sign.isupper() else By.HOUSE)
        for turn, signs in enumerate(log.split())
        for sign in signs
    ]
    goes_on_ = log.endswith("AA")  # an unfinished turn
    table = replace(TABLE, turn=entries[-1].turn + (not goes_on_))
    happened = logbook.since_left(table, entries, seat)
    assert "".join("ABC"[one.seat] if one.by == By.PERSON else "abc"[one.seat] for one in happened) == left


async def test_the_post_offers_the_film_after_more_than_one_action_of_others(
    crowd: Crowd, store: Store, chat: RecordingChat
) -> None:
    await begin(crowd, "kabooom easy")
    offered = []
    for _ in range(4):
        offered.append(BUTTON in [button.label for button in buttons(chat.newest())])
        await running(crowd, store, (await table_here(store)).turn + 1)
    assert offered == [False, False, True, True]
    reply = await crowd.says(actor_of(await table_here(store)), f"[{BUTTON}]")
    assert reply is not None
    film(reply)  # after one tap


async def test_two_players_with_one_action_each_see_the_answer_on_the_board(
    crowd: Crowd, store: Store, chat: RecordingChat
) -> None:
    await begin(crowd, "kabooom easy", PEOPLE[:2])
    for _ in range(4):
        assert BUTTON not in [button.label for button in buttons(chat.newest())]
        await running(crowd, store, (await table_here(store)).turn + 1)


async def test_my_view_offers_the_film_too(crowd: Crowd, store: Store) -> None:
    await begin(crowd, "kabooom easy")
    table = await running(crowd, store, 3)
    name = actor_of(table)
    await crowd.says(name, "/view")
    reply = await crowd.says(name, f"[{BUTTON}]")
    assert reply is not None
    film(reply)


async def test_the_film_is_made_once_for_each_view(crowd: Crowd, store: Store) -> None:
    await begin(crowd, "kabooom easy")
    table = await running(crowd, store, 3)
    first, second = [await since(crowd, table, actor_of(table)) for _ in range(2)]
    assert first.file is second.file
    others = [await since(crowd, table, name) for name in PEOPLE if name != actor_of(table)]
    assert first.file not in [other.file for other in others]


async def test_there_is_a_line_for_each_turn_beside_the_film(crowd: Crowd, store: Store) -> None:
    await begin(crowd, "kabooom easy")
    table = await running(crowd, store, 3)
    lines = (await since(crowd, table, actor_of(table))).text.splitlines()
    assert len(lines) == 3, "two turns, and whose turn it is"


async def test_a_film_that_comes_late_is_replaced_by_the_newest_board(
    crowd: Crowd, store: Store, painter: Pictures, clock: HandClock
) -> None:
    await begin(crowd, "kabooom easy")
    table = await running(crowd, store, 3)
    repository, name = crowd.service.repository, actor_of(table)
    history = HistoryAnswers(repository, Preferences(store, clock), painter, Theme.DARK)
    feature = SinceMyTurn(repository, history, painter, ShortFilms(painter, patience_s=0))
    snapshot = await repository.load(table.id)
    reply = await feature.since(Context(crowd.update(name, ""), "en", Since(table.id), snapshot), Since(table.id))
    await feature.stop()
    own = await crowd.says(name, "/view")
    assert reply.file is None
    assert own is not None
    assert own.picture is not None
    assert reply.picture is not None
    assert (reply.picture.alt, reply.picture.png != own.picture.png) == (own.picture.alt, True), "it has numbers"
    *turns, _ = reply.text.splitlines()
    assert [line.split()[0] for line in turns] == ["1.", "2."]


def a_beginning(state: Any) -> str | None:
    """Return an action after which the turn goes on with a choice, or None."""
    for action in state.actions():
        if (state.warns(action) or state.cautions(action)) is None:
            after = state.play(action)
            if after.actor == state.actor and not state.ends_turn(after) and len(after.actions()) > 1:
                return str(action)
    return None


@pytest.mark.parametrize("game", ["crystalla", "kaleidoskop"])
async def test_others_see_nothing_of_an_unfinished_turn(crowd: Crowd, store: Store, game: str) -> None:
    await begin(crowd, game)
    table = await running(crowd, store, 4)
    while (begun := a_beginning(position(table))) is None:
        table = await running(crowd, store, table.turn + 1)
    name = actor_of(table)
    others = [other for other in PEOPLE if other != name]
    before = [await since(crowd, table, other) for other in others]
    state = position(table)
    own = await since(crowd, table, name)
    await crowd.says(name, f"/move {begun}")
    assert position(await table_here(store)) != state
    assert [await since(crowd, table, other) for other in others] == before
    assert (await since(crowd, table, name)).file != own.file, "but the actor does"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("reader", [0, 1])
def test_hidden_facts_change_no_frame(game: str, reader: int) -> None:
    """Two games that look the same to the reader at every step, with other hidden facts, give the same film."""
    rules, luck, seats = GAMES[game], random.Random(game), 2
    one: Any = rules.start(seats, None, 7)
    other: Any = resampling.module_of(game).resample(one, reader, luck.getrandbits(64))
    table = replace(TABLE, game=game, seats=TABLE.seats[:seats])
    entries: list[Entry] = []
    states, elsewhere = [one], [other]
    while len(entries) < 40 and one.actor is not None:
        shared = [action for action in one.actions() if action in other.actions()]
        luck.shuffle(shared)
        for action in shared:
            following, alike = one.play(action), other.play(action)
            if all(following.view(seat) == alike.view(seat) for seat in (None, reader)):
                break
        else:
            break
        if following.actor is None:
            break
        entries.append(Entry(len(entries) + 1, one.actor, str(action), 0, turn=table.turn))
        table = replace(table, turn=table.turn + (following.actor != one.actor or one.ends_turn(following)))
        one, other = following, alike
        states.append(one)
        elsewhere.append(other)
    whole = tuple(entry for entry in entries if entry.turn < table.turn)
    assert whole
    look = replace(words.look(table, reader, Theme.DARK, "en"), hand=reader)
    films = [recap_of(positions, table, whole, whole, look) for positions in (states, elsewhere)]
    assert films[0] == films[1]
    assert states != elsewhere
