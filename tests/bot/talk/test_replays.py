"""Films and positions: as spectators saw them, made beside the games, only while a person waits."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from io import BytesIO
from itertools import count

import pytest
from msgspec import Raw
from msgspec.structs import replace
from PIL import Image, ImageSequence
from redis import Redis

import renderers
from bot.chat import Gone, PersonId, PlaceId, Refused, TryLater, UpdateId
from bot.delivery.painting import Pictures
from bot.extras.replays import (
    CARD_MS,
    EVENT_MS,
    LAST_MS,
    MOST_ASKED,
    OPENING_MS,
    SHORT_MS,
    STILL_MS,
    TURNS,
    FilmUnderWay,
    Playback,
    Replays,
    set_up,
    short,
    shown_ms_of,
)
from bot.extras.replays import frames as frames_of
from bot.replies import words
from bot.store.store import Store
from bot.tables import logbook, seating
from bot.tables import table as tables
from bot.tables.table import By, Entry, Phase, Seat, Table, TableId
from kaleidobot.testing.playing import games
from renderers import SeatLook, Theme
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons
from tests.bot.talk.test_delivery import Past
from tests.bot.talk.test_service import begun


def game_of(name: str, number: int = -1, phase: Phase = Phase.OVER) -> Playback:
    """Return a random game as if it had been played at a table."""
    played = games(name)[number]
    entries, turn = list[Entry](), 0
    for before, action, after in played.steps():
        news = before.view(None).news(action, after.view(None))
        entries.append(Entry(len(entries) + 2, before.actor, str(action), 0, By.PERSON, turn, news))
        turn += after.actor != before.actor or before.ends_turn(after)
    seats = tuple(Seat(PersonId(f"room:{n}"), f"Person {n}", "en") for n in range(played.seats))
    colours = seating.coloured(GAMES[name], seats)
    table = Table(
        id=TableId(f"{name[:6]}{played.seats}"),
        game=name,
        place=ROOM.id,
        host=seats[0].person,
        lang="en",
        created_ms=0,
        seed=f"{played.seed:032x}",
        phase=phase,
        options=played.options,
        seats=colours,
        turn=turn,
        revision=len(entries) + 1,
    )
    if phase == Phase.OVER:
        outcome = played.states[-1].outcome
        table = replace(table, result=tables.Result(outcome.reason, outcome.winners, outcome.scores))
    look = words.look(table, None, Theme.DARK, "en")
    return Playback(table, logbook.seen_by_all(table, entries), look)


@pytest.fixture
async def replays(chat: RecordingChat, painter: Pictures, clock: HandClock) -> AsyncIterator[Replays]:
    made = Replays({chat.name: chat}, painter, clock)
    yield made
    await made.stop()


UPDATES = count()


def ask(replays: Replays, game: Playback, place: PlaceId = ROOM.id) -> str:
    return replays.film(place, UpdateId(f"room:{next(UPDATES)}"), game, "en").text


async def making_of(replays: Replays) -> FilmUnderWay:
    """Return the one film in the making."""
    await asyncio.sleep(0)
    (making,) = replays._making.values()
    return making


def gif(chat: RecordingChat) -> "Image.Image":
    film = chat.newest().file
    assert film is not None
    image = Image.open(BytesIO(film.content))
    assert image.format == "GIF"
    return image


def size(chat: RecordingChat) -> int:
    """Return the number of bytes of the newest film."""
    film = chat.newest().file
    assert film is not None
    return len(film.content)


def frames(image: Image.Image) -> int:
    return getattr(image, "n_frames", 1)


@pytest.mark.parametrize("name", GAMES)
async def test_a_film_shows_every_turn_and_ends_on_the_card(replays: Replays, chat: RecordingChat, name: str) -> None:
    game = game_of(name, 0)
    assert "replay" in ask(replays, game)
    await replays.idle()
    film = gif(chat)
    assert frames(film) == min(200, 2 + len(set(logbook.ends_of_turns(game.entries))))
    film.seek(frames(film) - 2)
    assert film.info["duration"] == LAST_MS
    film.seek(frames(film) - 1)
    assert film.info["duration"] == CARD_MS
    states = logbook.public_positions(game.table, game.entries)
    card = Image.open(BytesIO(renderers.card(states[-1], game.look))).convert("RGB")
    top, left = (film.height - card.height) // 2, (film.width - card.width) // 2
    assert film.convert("RGB").crop((left, top, left + card.width, top + card.height)).tobytes() == card.tobytes()
    shown = chat.newest().file
    assert shown is not None
    assert len(shown.content) <= 8_000_000
    assert shown.alt


async def test_a_name_in_hebrew_does_not_turn_the_words_of_a_film(replays: Replays, chat: RecordingChat) -> None:
    game, name = game_of("kabooom", 0), "\u05e2\u05e0\u05ea"
    ask(replays, replace(game, look=replace(game.look, seats=(SeatLook(name), *game.look.seats[1:]))))
    await replays.idle()
    film = chat.newest().file
    assert film is not None
    assert film.alt.count(f"\u2068{name}\u2069") == film.alt.count(name) > 0


def stills(image: Image.Image) -> list[tuple[bytes, int]]:
    """Return every frame with its duration."""
    return [(frame.convert("RGB").tobytes(), frame.info["duration"]) for frame in ImageSequence.Iterator(image)]


async def test_a_film_opens_on_the_final_board_which_chats_show_as_a_still(
    replays: Replays, chat: RecordingChat
) -> None:
    game = game_of("kabooom")
    assert game.look.turns == game.table.turn
    assert game.look.minutes == 0
    ask(replays, game)
    await replays.idle()
    (first, shown_ms), *others, (last, last_ms), _ = stills(gif(chat))
    assert first == last
    assert first not in [picture for picture, _ in others]
    assert (shown_ms, last_ms) == (STILL_MS, LAST_MS)


async def test_a_film_hurries_while_stones_are_placed_and_pauses_where_something_happened(
    replays: Replays, chat: RecordingChat
) -> None:
    game = game_of("kabooom", 3)
    numbers = frames_of(game.entries, 200)
    shown = dict(zip(numbers[2:-1], shown_ms_of(game.entries, numbers)[2:-1], strict=True))
    placed = set_up(game.entries)
    assert placed == sum(entry.news[0].code == "place" for entry in game.entries) > 5
    quiet = {number: ms for number, ms in shown.items() if len(game.entries[number - 1].news) == 1}
    assert {ms for number, ms in quiet.items() if number <= placed} == {OPENING_MS}
    assert min(ms for number, ms in quiet.items() if number > placed) >= 500
    results = [replace(entry, news=entry.news * 2) for entry in game.entries]  # a number beyond the game's end
    assert shown_ms_of(results, numbers)[2] == OPENING_MS + EVENT_MS
    assert shown_ms_of(results, numbers)[-2] == max(quiet.values()) + EVENT_MS


@pytest.mark.parametrize("name", ["kabooom", "crystalla"])
async def test_a_short_film_lasts_twelve_seconds_at_most(replays: Replays, chat: RecordingChat, name: str) -> None:
    ask(replays, short(game_of(name, 0)))
    await replays.idle()
    pictures = stills(gif(chat))
    assert len(pictures) == 1 + TURNS + 1
    assert 10_000 <= sum(shown_ms for _, shown_ms in pictures) <= SHORT_MS
    assert size(chat) <= 700_000
    assert [button.label for button in buttons(chat.newest())] == ["Whole replay", "Play on from …"]


def test_a_short_film_of_a_game_without_an_analysis_shows_evenly_chosen_turns() -> None:
    game = game_of("kabooom", 0)
    film = short(game)
    assert not film.are_turning_points
    assert film.turns == logbook.picked(logbook.ends_of_turns(game.entries)[1:-1], TURNS)


def test_a_game_of_a_few_turns_has_only_the_whole_film() -> None:
    game = game_of("kabooom", 0)
    few = replace(game, entries=tuple(entry for entry in game.entries if entry.turn < TURNS))
    assert short(few, (3,)) == few


async def test_the_short_film_and_the_whole_one_are_two_films(replays: Replays, chat: RecordingChat) -> None:
    game = game_of("kabooom")
    for film in (short(game), game, short(game), game):
        ask(replays, film)
        await replays.idle()
    labels = [[button.label for button in buttons(post)] for post in chat.messages.values()]
    assert labels == [["Whole replay", "Play on from …"], ["Play on from …"]]


def test_a_game_in_which_nothing_is_set_up_is_not_hurried() -> None:
    assert set_up(game_of("kabooom", 0).entries) == 0  # moves, and passing in the end
    assert set_up(game_of("kalejdoschach", 0).entries) == 0
    assert set_up(()) == 0


async def test_a_film_that_takes_a_while_tells_how_far_it_is_and_becomes_the_film(
    replays: Replays, chat: RecordingChat, clock: HandClock
) -> None:
    ask(replays, game_of("kabooom"))
    for _ in range(3):
        await clock.advance(timedelta(seconds=4))
    await replays.idle()
    assert chat.posted == 1
    assert "being made" in chat.lines[0]
    assert chat.newest().file is not None


async def test_film_progress_shows_after_two_seconds_every_three_at_most(
    replays: Replays, chat: RecordingChat, clock: HandClock
) -> None:
    ask(replays, game_of("kabooom"))
    making = await making_of(replays)
    await clock.advance(timedelta(seconds=1.9))
    assert chat.posted == 0
    await clock.advance(timedelta(seconds=0.2))
    assert (chat.posted, len(chat.lines)) == (1, 1)
    making.done += 1
    await clock.advance(timedelta(seconds=2.8))
    assert len(chat.lines) == 1
    await replays.idle()


async def test_where_edits_count_as_posts_people_see_that_a_film_is_coming(
    replays: Replays, chat: RecordingChat, clock: HandClock
) -> None:
    chat.counting.add(ROOM.id)
    ask(replays, game_of("kabooom"))
    await making_of(replays)
    await clock.advance(timedelta(seconds=2))
    assert (chat.written, chat.posted) == ([ROOM.id], 0)
    await replays.idle()
    assert (chat.posted, len(chat.lines)) == (1, 1)
    assert chat.newest().file is not None


async def test_where_words_cannot_become_a_film_it_follows_them(
    replays: Replays, chat: RecordingChat, clock: HandClock
) -> None:
    ask(replays, game_of("kabooom"))
    await clock.advance(timedelta(seconds=2))
    chat.trouble = [Gone()]
    await replays.idle()
    assert chat.posted == 2
    assert chat.newest().file is not None


@pytest.mark.parametrize("trouble", [Gone(), Refused("unknown channel")])
async def test_a_film_without_waiting_people_is_not_made(
    replays: Replays, chat: RecordingChat, clock: HandClock, trouble: Gone | Refused
) -> None:
    game = game_of("kabooom")
    ask(replays, game)
    making = await making_of(replays)
    chat.trouble = [trouble]
    await clock.advance(timedelta(seconds=2))
    await replays.idle()
    await asyncio.wait([making.task])
    assert making.task.cancelled()
    assert chat.messages == {}


async def test_a_film_with_another_waiting_person_is_made(
    replays: Replays, chat: RecordingChat, clock: HandClock
) -> None:
    game = game_of("kabooom")
    ask(replays, game)
    ask(replays, game, PlaceId("room:other"))
    chat.trouble = [Refused("unknown channel")]
    await clock.advance(timedelta(seconds=2))
    await replays.idle()
    assert [place for place in chat.places.values() if place] == ["room:other"]
    assert chat.newest().file is not None


async def test_a_place_that_has_had_enough_gets_its_film_later(
    replays: Replays, chat: RecordingChat, clock: HandClock
) -> None:
    chat.trouble = [TryLater(30), TryLater()]
    ask(replays, game_of("kabooom"))
    await (await making_of(replays)).task
    for _ in range(3):
        await clock.advance(timedelta(seconds=60))
    await replays.idle()
    assert chat.newest().file is not None


async def test_a_film_is_made_once(replays: Replays, chat: RecordingChat) -> None:
    game = game_of("kabooom")
    for place in ("room:a", "room:b"):
        ask(replays, game, PlaceId(place))
        ask(replays, game, PlaceId(place))
        await replays.idle()
    one, other = chat.messages.values()
    assert one.file is other.file


async def test_the_same_film_is_not_posted_twice_in_a_row(
    replays: Replays, chat: RecordingChat, clock: HandClock
) -> None:
    game = game_of("kabooom")
    for wait, posts in ((0, 1), (1, 1), (2, 2)):
        await clock.advance(timedelta(minutes=wait))
        ask(replays, game)
        await replays.idle()
        assert chat.posted == posts


async def test_a_clock_that_is_set_back_keeps_no_film_away(
    replays: Replays, chat: RecordingChat, clock: HandClock
) -> None:
    ask(replays, game := game_of("kabooom"))
    await replays.idle()
    clock.set(clock.now() - timedelta(hours=1))
    await clock.advance(timedelta(minutes=3))
    ask(replays, game)
    await replays.idle()
    assert chat.posted == 2


async def test_a_failed_film_is_reported(replays: Replays, chat: RecordingChat) -> None:
    game = game_of("kabooom")
    wrong = replace(game.entries[3], action="no such move")
    ask(replays, replace(game, entries=(*game.entries[:3], wrong, *game.entries[4:])))
    await replays.idle()
    assert "went wrong" in chat.newest().text


async def test_many_films_at_once_are_refused_kindly(replays: Replays, chat: RecordingChat) -> None:
    game = game_of("kabooom")
    said = [ask(replays, game, PlaceId(f"room:{n}")) for n in range(MOST_ASKED + 2)]
    assert sum("several replays" in text for text in said) == 2
    await replays.idle()
    assert chat.posted == MOST_ASKED


async def test_long_games_are_thinned_out(chat: RecordingChat, painter: Pictures, clock: HandClock) -> None:
    replays = Replays({chat.name: chat}, painter, clock, most_frames=9)
    ask(replays, game_of("kabooom"))
    await replays.idle()
    assert frames(gif(chat)) == 9
    await replays.stop()


async def test_films_that_get_too_large_are_thinned_out_further(
    chat: RecordingChat, painter: Pictures, clock: HandClock
) -> None:
    replays = Replays({chat.name: chat}, painter, clock, most_bytes=250_000)
    ask(replays, game_of("kabooom"))
    await replays.idle()
    film = chat.newest().file
    assert film is not None
    assert 2 <= frames(gif(chat)) < 15
    assert len(film.content) <= 250_000
    await replays.stop()


@pytest.mark.parametrize("name", GAMES)
async def test_a_running_game_shows_completed_turns_only(name: str) -> None:
    game = game_of(name)
    for cut in range(1, len(game.entries), max(1, len(game.entries) // 20)):
        entries = game.entries[:cut]
        running = replace(game.table, phase=Phase.RUNNING, turn=entries[-1].turn)
        assert all(entry.turn < running.turn for entry in logbook.seen_by_all(running, entries))
        state = logbook.positions(running, entries)[-1]
        assert logbook.public_positions(running, entries)[-1] == state.view(None)


MEMORY = [name for name, game in GAMES.items() if game.start(game.seats[0]).forgets]


@pytest.mark.parametrize("name", MEMORY)
async def test_a_memory_game_is_looked_back_at_when_it_is_over(
    crowd: Crowd, chat: RecordingChat, store: Store, name: str
) -> None:
    await crowd.says("anna", f"/newgame {name}")
    for other in ("ben", "clara", "david")[: GAMES[name].seats[0] - 1]:
        await crowd.says(other, "/join")
    await crowd.says("anna", "/start")
    held = await store.at(ROOM.id)
    assert held is not None
    loaded = await store.load(held)
    assert loaded is not None
    assert isinstance(loaded.table.state, Raw)
    first = GAMES[name].decode(bytes(loaded.table.state)).actions()[0]
    await crowd.says("anna", f"/move {first}")
    for wish in ("/replay", "/replay 0", "/replay 1", "/history"):
        reply = await crowd.says("anna", wish)
        assert reply is not None
        assert "remember" in reply.text
        assert (reply.picture, reply.file) == (None, None)
    await crowd.ends("anna")
    reply = await crowd.says("anna", "/replay 1")
    assert reply is not None
    assert reply.picture is not None
    await crowd.says("anna", "/replay")
    assert chat.newest().file is not None


async def test_the_pages_of_a_replay_have_one_way_to_close(crowd: Crowd) -> None:
    await begun(crowd)
    await crowd.says("anna", "/move b1-c1")
    reply = await crowd.says("ben", "/replay 1")
    assert reply is not None
    assert [button.label for button in buttons(reply)] == ["⏮", "◀", "▶", "⏭", "✕"]


async def test_before_the_first_move_there_is_one_position_and_it_is_said_so(crowd: Crowd) -> None:
    for name, line in (("anna", "/newgame kabooom easy"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    reply = await crowd.says("ben", "/replay 99")
    assert reply is not None
    assert reply.text == "Nobody has moved yet, so there's only position 0, the start."


async def test_a_replay_shows_no_lost_save_with_a_reused_revision(crowd: Crowd, raw: Redis) -> None:
    await begun(crowd)
    past = Past(raw)
    for typed, text in (("/move b1-c1", "Anna climbs"), ("/move pass", "Anna passes")):
        past.comes_back()
        await crowd.says("anna", typed)
        seen = await crowd.says("clara", "/replay 1")
        assert seen is not None
        assert seen.picture is not None
        assert text in seen.text
        assert ("b1-c1" in seen.picture.alt) == ("b1-c1" in typed)
