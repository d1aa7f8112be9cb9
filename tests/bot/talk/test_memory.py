"""A memory game: scrolling up helps no player while the game is running."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise

import pytest
from redis import Redis

from bot.chat import (
    Gone,
    MarkedPicture,
    MessageId,
    Moved,
    Place,
    PlaceId,
    PlaceRegained,
    Post,
    Press,
    Refused,
    TryLater,
)
from bot.replies.words import say
from bot.requests import payload
from bot.runtime.clock import to_ms
from bot.service.service import Service
from bot.store import keys
from bot.store.store import Store
from bot.tables.table import TableId
from renderers import Look, SeatLook, picture
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.scanning import where
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons, drawn
from tests.bot.talk.test_service import table_here

GAME = (
    ("anna", "/move a2 b2 b5 x"),
    ("ben", "/move e2 x a1 >a2 c1 x"),
    ("anna", "/move e1 >a1 d1 x b1 x"),
    ("ben", "/move a2"),
)
"""A whole game of two: the last cap hides the fifth blue field."""
COVERED = "The board that was here"
UNCOVERED = "earlier boards stay visible"


async def begun(crowd: Crowd, *others: str, words: str = "") -> None:
    await crowd.says("anna", f"/newgame colorio {words}")
    for name in others or ("ben",):
        await crowd.says(name, "/join")
    if len(others) < 4:
        await crowd.says("anna", "/start")


def boards(chat: RecordingChat) -> list[Post]:
    """Return the posts that show a board of the running game."""
    pictured = [
        message for message in chat.messages.values() if message.picture is not None and COVERED not in message.text
    ]
    return [message for message in pictured if message.picture is not None and message.picture.name == "board.png"]


async def later(crowd: Crowd, clock: HandClock, seconds: float) -> None:
    await clock.advance(timedelta(seconds=seconds))
    await crowd.service.do_due()
    await crowd.service.idle()


def covered(seats: int) -> bytes:
    """Return the picture of a board before the first action."""
    start = GAMES["colorio"].start(seats, None, 0).view(None)
    return picture(start, Look(tuple(map(SeatLook, ("Anna", "Ben", "Clara")[:seats]))))


# One board only


async def test_an_old_menu_plays_nothing_and_shows_the_current_choice(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    board = await table_here(store)
    menu = await crowd.sends("anna", Press(payload.write("menu", board.id)))
    assert menu is not None
    await crowd.says("anna", "/move b2")
    typed = await table_here(store)
    reply = await crowd.sends("anna", Press(buttons(menu)[0].payload))
    assert reply is not None
    assert reply.text.startswith(say("moved_on", "en"))
    assert (await table_here(store)).revision == typed.revision


async def test_a_new_turn_takes_the_former_board_away(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    for name, turn in GAME[:2]:
        await crowd.says(name, turn)
    assert boards(chat) == [chat.newest()]
    lobby = next(iter(chat.messages.values()))
    assert "Anna" in lobby.text
    assert "/verify" in lobby.small, "the way to the promise stays"
    assert lobby.rows == ()


async def test_showing_the_board_again_moves_it(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    for name, text in (("clara", "/board"), ("anna", "/view"), ("ben", "/view")):
        before = chat.newest()
        await crowd.says(name, text)
        assert boards(chat) == [chat.newest()]
        assert chat.newest() is not before


async def test_an_undeletable_former_board_is_covered(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    chat.refuses = {"delete": Refused()}
    for name, turn in GAME[:2]:
        await crowd.says(name, turn)
    assert boards(chat) == [chat.newest()]
    former = [message for message in chat.messages.values() if COVERED in message.text]
    assert len(former) == 2
    for message in former:
        assert message.picture is not None
        assert message.picture.png == covered(2), "a board on which nothing has happened"
        assert message.picture.alt == message.text
        assert message.rows == ()
    assert UNCOVERED not in "".join(chat.lines)


async def test_where_former_boards_cannot_be_covered_either_that_is_said_once(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat
) -> None:
    await begun(crowd)
    chat.refuses = {"delete": Refused(), "edit": Refused()}
    for name, turn in GAME[:2]:
        await crowd.says(name, turn)
    crowd = crowd.again(bots())
    await crowd.says(*GAME[2])
    assert sum(UNCOVERED in line for line in chat.lines) == 1
    assert UNCOVERED not in chat.newest().text, "the board comes after the hint"


async def test_no_new_board_comes_before_the_former_one_is_away(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    before = chat.newest()
    chat.refuses = {"delete": TryLater(3600)}
    waiting = asyncio.create_task(crowd.says(*GAME[0]))
    await clock.slept()
    assert boards(chat) == [before]
    await crowd.service.stop()
    await asyncio.wait_for(waiting, 60)


async def test_a_deleted_board_is_posted_anew_within_the_turn(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    chat.trouble = [Gone()]
    await crowd.says("anna", "/move a2")
    assert boards(chat) == [chat.newest()]


async def test_a_board_left_behind_in_a_place_that_moved_is_no_board_of_the_new_place(
    crowd: Crowd, chat: RecordingChat
) -> None:
    await begun(crowd)
    left = chat.newest()
    cellar = Place(PlaceId("room:cellar"))
    chat.trouble = [Moved(cellar.id)]
    await crowd.says("anna", "/move a2")
    assert left in chat.messages.values(), "its number may be somebody else's there"
    assert sum(UNCOVERED in line for line in chat.lines) == 1
    assert boards(chat) == [left, chat.newest()]
    await crowd.says("anna", "/move x", place=cellar)
    assert boards(chat) == [left, chat.newest()]


async def test_a_post_that_is_lost_on_its_way_shows_nothing(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    chat.dedupes_posts = False
    chat.loses = 1
    await crowd.says(*GAME[0])
    lost, board = boards(chat)
    assert board is chat.newest()
    assert board.rows
    assert lost.picture is not None
    assert lost.picture.png == covered(2)
    assert lost.rows == ()
    assert lost.text == board.text


async def test_where_pictures_are_not_allowed_a_board_in_words_goes_as_the_picture_does(
    crowd: Crowd, chat: RecordingChat
) -> None:
    await begun(crowd)
    chat.pictureless = {ROOM.id}
    for turn in GAME[:3]:
        former = max(chat.messages, key=int)
        await crowd.says(*turn)
        assert former not in chat.messages
        assert chat.newest().picture is None
        assert chat.newest().call is not None, "the turn goes on"
    chat.pictureless = set()
    former = max(chat.messages, key=int)
    await crowd.says("ben", "/board")
    assert former not in chat.messages
    assert chat.newest().picture is not None


def worded(chat: RecordingChat) -> list[Post]:
    """Return the posts whose text describes a board of the running game."""
    return [message for message in chat.messages.values() if "Open spaces" in message.text]


@pytest.mark.parametrize("dedupes_posts", [True, False])
async def test_a_board_in_words_that_cannot_be_deleted_is_covered_in_words(
    crowd: Crowd, chat: RecordingChat, *, dedupes_posts: bool
) -> None:
    """A message that was posted as text cannot get a picture."""
    chat.pictureless, chat.dedupes_posts = {ROOM.id}, dedupes_posts
    await begun(crowd)
    chat.refuses = {"delete": Refused()}
    for turn in GAME[:3]:
        former = max(chat.messages, key=int)
        await crowd.says(*turn)
        assert COVERED in chat.messages[former].text
        assert chat.messages[former].rows == ()
        assert worded(chat) == [chat.newest()]
    assert UNCOVERED not in "".join(chat.lines)


@pytest.mark.parametrize("dedupes_posts", [True, False])
async def test_uncoverable_boards_in_words_end_with_one_explanation(
    crowd: Crowd, chat: RecordingChat, *, dedupes_posts: bool
) -> None:
    """The actor is pinged all the same and sees the board in private."""
    chat.pictureless, chat.dedupes_posts = {ROOM.id}, dedupes_posts
    await begun(crowd)
    start = worded(chat)
    chat.refuses = {"delete": Refused(), "edit": Refused()}
    for (name, turn), (up, _) in pairwise(GAME):
        posted = chat.posted
        await crowd.says(name, turn)
        board = chat.newest()
        assert board.call is not None
        assert board.call.person.id == f"room:{up}"
        assert (worded(chat), board.offers) == (start, ())
        assert chat.posted == posted + 1 + (turn == GAME[0][1]), "the board, and once what is wrong"
        menu = await crowd.says(up, "[Move]")
        assert menu is not None
        assert menu.picture is not None
        assert menu.expires_strictly
    assert sum(UNCOVERED in line for line in chat.lines) == 1
    chat.refuses = {}
    await crowd.says("clara", "/board")
    assert worded(chat) == [*start, chat.newest()], "once it could go, it is told"


async def test_a_board_in_words_that_a_place_left_behind_keeps_no_other_from_being_told(
    crowd: Crowd, chat: RecordingChat
) -> None:
    cellar = Place(PlaceId("room:cellar"))
    chat.pictureless = {ROOM.id, cellar.id}
    await begun(crowd)
    chat.trouble = [Moved(cellar.id)]
    await crowd.says(*GAME[0])
    assert chat.newest() in worded(chat)


async def test_a_board_in_words_that_is_lost_on_its_way_tells_nothing(crowd: Crowd, chat: RecordingChat) -> None:
    chat.pictureless, chat.dedupes_posts = {ROOM.id}, False
    await begun(crowd)
    chat.loses = 1
    await crowd.says(*GAME[0])
    assert worded(chat) == [chat.newest()]
    assert chat.newest().rows
    *_, lost, _ = chat.messages.values()
    assert lost.rows == ()
    assert chat.newest().text.startswith(lost.text)


@pytest.mark.parametrize("end", [("ben", "/resign", "[Yes, I resign]"), ("ben", "/move a2")])
async def test_the_final_board_stays(crowd: Crowd, chat: RecordingChat, end: tuple[str, ...]) -> None:
    await begun(crowd)
    for name, turn in GAME[:3]:
        await crowd.says(name, turn)
    last = chat.newest()
    name, *texts = end
    for text in texts:
        await crowd.says(name, text)
    assert [board.text for board in boards(chat)] == [last.text, chat.newest().text]
    assert boards(chat)[0].rows == ()
    reply = await crowd.says("ben", "[What happened]")
    assert reply is not None
    assert "Anna: a2 blue, a2 discarded, b2 blue, b2 discarded, b5 blue, b5 discarded." in reply.text


async def test_the_finished_board_of_a_round_stays_and_so_does_its_history(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, words="rounds")
    for name, turn in GAME:
        await crowd.says(name, turn)
    between = chat.newest()
    assert between.call is None, "nobody is called for what the table does by itself"
    await later(crowd, clock, 11)
    assert chat.newest() is between
    await later(crowd, clock, 2)
    assert chat.newest().call is not None
    assert len(boards(chat)) == 3, "the last of the round, the finished one, the new one"
    await crowd.says("ben", "/move a1 b1 c1 x")
    await crowd.says("anna", "/move a2")
    assert len(boards(chat)) == 3
    reply = await crowd.says("clara", "/history")
    assert reply is not None
    assert "Ben is out" in reply.text
    assert "a2 was the fifth open space in blue" in reply.text
    assert "a2 blue, a2 discarded" in reply.text, "what is over is not to be remembered any more"
    assert "Round 2: all caps are back on" in reply.text
    assert "b1" not in reply.text.partition("all caps are back on")[0], "the newest comes first"


async def test_the_finished_board_is_shown_before_the_next_round_begins(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd, words="rounds")
    for name, turn in GAME[:3]:
        await crowd.says(name, turn)
    chat.trouble = [TryLater(20)]
    waiting = asyncio.create_task(crowd.says(*GAME[3]))
    await clock.slept()
    for _ in range(3):
        await clock.advance(timedelta(seconds=5))
        await crowd.service.do_due()
    assert "Round 2" not in chat.newest().text
    await clock.advance(timedelta(seconds=6))
    await waiting
    assert "wins the round" in chat.newest().text
    await later(crowd, clock, 13)
    assert "Round 2" in chat.newest().text


async def test_urgent_work_goes_before_older_reminders(
    crowd: Crowd, clock: HandClock, store: Store, raw: Redis
) -> None:
    await begun(crowd, words="rounds")
    for name, turn in GAME[:4]:
        await crowd.says(name, turn)
    held = await store.at(ROOM.id)
    reminded = TableId("reminded22")
    raw.zadd(keys.DUE[keys.shard(reminded)], {f"{reminded}:1": to_ms(clock.now()) - 60_000})
    now_ms = to_ms(clock.now()) + 13_000
    (first,), (second,) = [await store.claim_due(now_ms, 60_000, 1) for _ in range(2)]
    assert (first[0], second[0]) == (held, reminded)


async def test_a_forced_action_waits_for_a_place_that_takes_boards(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    chat.trouble = [Refused(), Refused()]  # the edit and the post
    await crowd.says("anna", "/move a2")
    for seconds in (13, 60, 3600):
        await later(crowd, clock, seconds)
        assert "a2 discarded" not in chat.newest().text
    await crowd.service.place_changed(PlaceRegained(ROOM.id))
    await crowd.service.idle()
    await later(crowd, clock, 13)
    assert "Anna: a2 discarded." in chat.newest().text


# Private replies


async def test_what_only_one_person_saw_goes_with_the_turn_also_after_a_restart(
    crowd: Crowd, bots: Callable[[], Service], chat: RecordingChat
) -> None:
    await begun(crowd)
    await crowd.says(*GAME[0])
    for text in ("[What did I miss?]", "/move a2", "/move"):
        await crowd.says("ben", text)
    assert len(chat.own) == 3
    crowd = crowd.again(bots())
    await crowd.says(*GAME[1])
    assert chat.own == {}
    await crowd.says("anna", "/move e1 >b2")
    assert len(chat.own) == 1
    await crowd.says("ben", "/resign")
    await crowd.says("ben", "[Yes, I resign]")
    assert chat.own == {}, "the game is over"


async def test_missed_boards_are_offered_once_another_player_has_acted(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    missed = say("button.missed", "en")
    assert missed not in drawn(chat.newest()) + str(chat.newest().offers)
    await crowd.says("anna", "/move a2")
    assert missed not in drawn(chat.newest()), "Anna has seen her own turn"
    await crowd.says("anna", "/move x b2 b5 x")
    assert missed in drawn(chat.newest())
    await crowd.says("ben", "/move e2")
    assert missed in drawn(chat.newest()), "in the middle of a turn, too"


async def test_a_menu_for_a_forced_action_goes_once_it_is_played(
    crowd: Crowd, chat: RecordingChat, clock: HandClock
) -> None:
    await begun(crowd)
    await crowd.says("anna", "[Move]")
    await crowd.says("anna", "[a2]")
    assert "Discard" in str(chat.own), "all three caps of the first turn are discarded"
    await later(crowd, clock, 13)
    assert chat.own == {}
    assert "Anna: a2 discarded." in chat.newest().text


async def test_an_expired_private_reply_is_deleted_at_once(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    reply = await crowd.says("anna", "[Move]")
    assert reply is not None
    await crowd.says(*GAME[0])
    late = MessageId("anna/late")
    chat.own[late] = reply
    assert reply.expires is not None
    await crowd.service.delete_later(reply.expires.time, ROOM.id, late)
    assert late not in chat.own


async def test_a_press_of_an_old_menu_opens_the_menu_as_it_is(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    await crowd.says(*GAME[0])
    await crowd.says("ben", "[Move]")
    old = crowd.payload("ben", "a1")
    await crowd.says("ben", "/move e2 x a1")
    before = chat.newest()
    reply = await crowd.sends("ben", old)
    assert reply is not None
    assert [button.label for button in buttons(reply)] == ["Discard", "→a2 🔵", "→b2 🔵", "→e2 🔵", "→b5 🔵", "✕"]
    assert isinstance(reply.picture, MarkedPicture)
    assert reply.expires_strictly, "its picture goes with the turn"
    assert chat.newest() is before
    other = await crowd.sends("anna", old)
    assert other is not None
    assert "Look at the newest board" in other.text
    assert boards(chat) == [before]


async def test_refusals_do_not_tell_which_caps_could_go_where(crowd: Crowd) -> None:
    await begun(crowd)
    await crowd.says(*GAME[0])
    reply = await crowd.says("ben", "/move e2 x a1 >c1")
    assert reply is not None
    assert "has a cap" in reply.text
    assert "🔵" not in str(reply)
    assert "→a2" not in str(reply)


# Several actions, one post


async def test_a_whole_turn_typed_at_once_is_one_post(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    chat.lines.clear()
    for number, (name, turn) in enumerate(GAME[:3], 2):
        await crowd.says(name, turn)
        assert chat.posted == number + 1
        assert chat.newest().text.count("\n") == 0
    assert not any("bot, edit: *Colorio*" in line for line in chat.lines)


async def test_an_edited_post_offers_the_choice_to_the_actor(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    assert str(chat.newest().offers).count("play:") == 25, "nobody has to ask for the menu first"
    await crowd.says(*GAME[0])
    assert str(chat.newest().offers).count("play:") == 22
    await crowd.says("ben", "/move e2 x a1")
    assert str(chat.newest().offers).count("play:") == 5
    await crowd.says("clara", "/board")
    assert str(chat.newest().offers).count("play:") == 5
    await crowd.says("anna", "/end")
    assert chat.newest().offers == (), "the others have to see what they are asked"


async def test_a_game_that_was_ended_offers_no_turn_any_more(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    for name, line in (("anna", "/end"), ("ben", "[I agree]")):
        await crowd.says(name, line)
    assert "nobody wins" in chat.newest().title
    assert chat.newest().offers == ()


async def test_a_board_that_remembers_hides_nothing_and_stays(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd, words="off")
    await crowd.says("anna", "/move a2 b2 b5 x")
    await crowd.says("ben", "/move e2 x a1 >a2 c1 x")
    assert len(boards(chat)) == 3
    assert "a1 yellow, a1 onto a2" in chat.newest().text
    assert "[My view]" not in "".join(chat.lines), "it would show the same board"
    reply = await crowd.says("anna", "/view")
    assert reply is not None
    assert reply.picture is not None
    assert not reply.expires_strictly
    history = await crowd.says("anna", "/history")
    assert history is not None
    assert "Ben: e2 blue, e2 discarded, a1 yellow, a1 onto a2, c1 red, c1 discarded." in history.text


async def test_a_forgotten_person_leaves_no_private_messages(crowd: Crowd, chat: RecordingChat, raw: Redis) -> None:
    await begun(crowd, "ben", "clara")
    await crowd.says("anna", "/move a2 b2 b5 x")
    call = chat.newest().call
    assert call is not None
    name = call.person.id.removeprefix("room:")
    await crowd.says(name, "[What did I miss?]")
    assert where(raw, f"{name}/") != []
    await crowd.sends(name, Press(payload.write("forget", "", 1)))
    assert [text for text in chat.own if text.startswith(name)] != [], "the bot says that it has forgotten"
    assert "What did I miss" not in str(chat.own)
    assert where(raw, name) == []
