"""No table holds a place for ever, and no person sits at more tables than they can look after."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace

from bot.chat import (
    Moved,
    NoReplyWindow,
    Place,
    PlaceGone,
    PlaceId,
    Post,
    Press,
    Refused,
    Role,
    TryLater,
    Undelivered,
    UpdateId,
)
from bot.requests import payload
from bot.runtime.clock import to_ms
from bot.service.lobbies import MOST_LOBBIES, MOST_TABLES
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.table import Phase, Table, TableId
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat
from tests.bot.talk.test_service import table_here, text
from tests.bot.talk.turns import saved

CELLAR = Place(PlaceId("room:cellar"))
OWN = Place(PlaceId("room:@anna"), private=True)


async def alone(crowd: Crowd, store: Store) -> Table:
    """Return the table of Anna's game against the house."""
    await crowd.says("anna", "/newgame kabooom easy house 1d")
    await crowd.says("anna", "/start")
    return await table_here(store)


async def rested(crowd: Crowd, store: Store, clock: HandClock) -> Table:
    """Return Anna's table after Ben took its place."""
    table = await alone(crowd, store)
    await clock.advance(timedelta(hours=25))
    await crowd.says("ben", "/newgame colorio")
    return await saved(store, table.id)


async def test_a_place_is_free_a_day_after_the_one_person_did_something(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    table = await alone(crowd, store)
    await clock.advance(timedelta(hours=20))
    await crowd.says("anna", "/move pass")
    await clock.advance(timedelta(hours=23))
    await crowd.service.do_due()
    assert "already being played" in text(await crowd.says("ben", "/newgame colorio"))
    await clock.advance(timedelta(hours=2))
    assert "paused" in text(await crowd.says("ben", "/newgame colorio"))
    assert (await table_here(store)).game == "colorio"
    assert (await saved(store, table.id)).is_resting


async def test_a_person_who_wants_the_place_reads_when_it_is_free(crowd: Crowd, clock: HandClock) -> None:
    for said in ("/newgame kabooom easy house", "/start"):
        await crowd.says("anna", said)
    for name, left in (("ben", "1 day"), ("ada", "4 hours")):  # she manages the room
        assert f"Or try again here in {left}: if Anna hasn't moved by then, you can start yours." in text(
            await crowd.says(name, "/newgame colorio")
        )
        await clock.advance(timedelta(hours=20))
    assert "by then" not in text(await crowd.says("anna", "/newgame colorio")), "her own game she can end"


async def test_games_are_listed_only_where_one_can_be_opened(crowd: Crowd, clock: HandClock) -> None:
    assert "Kabooom!" in text(await crowd.says("ben", "/newgame"))
    for said in ("/newgame kabooom easy house", "/start"):
        assert text(await crowd.says("anna", said))
    for name in ("anna", "ben"):
        assert "already being played here" in text(await crowd.says(name, "/newgame"))
    assert "Colorio" in text(await crowd.says("ben", "/newgame", place=CELLAR))
    await clock.advance(timedelta(hours=25))
    assert "Colorio" in text(await crowd.says("ben", "/newgame")), "Anna's game can be paused"


async def test_moves_of_the_house_do_not_keep_a_place(crowd: Crowd, store: Store, clock: HandClock) -> None:
    """It makes the moves of the one person when their time is up: they have done nothing for a day all the same."""
    for said in ("/newgame kabooom easy house 8h", "/start", "/move pass"):
        await crowd.says("anna", said)
    table = await table_here(store)
    for _ in range(3):
        await clock.advance(timedelta(hours=8, minutes=1))
        await crowd.service.do_due()
        await crowd.service.idle()
    newest = max(entry.at_ms for entry in await store.log(table.id))
    assert to_ms(clock.now()) - newest < timedelta(hours=20) / timedelta(milliseconds=1), "something was done by it"
    assert "paused" in text(await crowd.says("ben", "/newgame colorio"))


async def test_two_players_keep_their_place(crowd: Crowd, store: Store, clock: HandClock) -> None:
    for name, said in (("anna", "/newgame kabooom easy none"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, said)
    await clock.advance(timedelta(days=9))
    answer = text(await crowd.says("clara", "/newgame colorio"))
    assert "already being played" in answer
    assert "by then" not in answer


async def test_a_resting_table_has_no_running_clock(crowd: Crowd, store: Store, clock: HandClock) -> None:
    table = await rested(crowd, store, clock)
    for _ in range(5):
        await clock.advance(timedelta(days=3))
        await crowd.service.do_due()
        await crowd.service.idle()
    assert await saved(store, table.id) == table


async def test_a_resting_table_goes_on_where_its_person_opens_it(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    table = await rested(crowd, store, clock)
    shown = await crowd.says("anna", "/games")
    assert shown is not None
    assert "paused" in shown.text
    opens = Press(payload.write("board", table.id))
    answer = "Ben has opened a Colorio table here. To go on with Kabooom!, send /games in another chat, or wait until"
    assert answer in text(await crowd.sends("anna", opens))
    assert answer in text(await crowd.says("anna", "/move pass")), "she means her own game"
    assert "hasn't started yet" in text(await crowd.says("clara", "/move pass"))
    await crowd.says("ben", "/start")
    await crowd.says("ben", "[Play against the house]")
    answer = (
        "Colorio is being played here right now. Go on with Kabooom! in another chat (/games), or here in 1 day if Ben"
    )
    assert answer in text(await crowd.sends("anna", opens))
    await crowd.sends("anna", opens, place=CELLAR)
    now = await table_here(store, CELLAR)
    assert (now.id, now.is_resting, now.place, now.turn) == (table.id, False, CELLAR.id, table.turn)
    assert chat.places[max(chat.messages, key=int)] == CELLAR.id
    await clock.advance(timedelta(hours=23))
    await crowd.service.do_due()
    assert (await table_here(store, CELLAR)).turn == now.turn  # the whole time again
    await crowd.says("anna", "/move pass", place=CELLAR)
    assert (await table_here(store, CELLAR)).turn > now.turn


async def test_joining_beside_ones_own_resting_game_closes_its_menus(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    table = await rested(crowd, store, clock)
    for said in ("/join", "[Options]", "[Leave]"):
        await crowd.says("anna", said)
    closed = await crowd.sends("anna", Press(payload.write("close", (await table_here(store)).id)))
    assert closed is None or closed.role is Role.CLOSING
    for name, said in (("anna", "/join"), ("clara", "/join"), ("ben", "/start")):
        await crowd.says(name, said)
    for name in ("ben", "clara"):
        await crowd.says(name, "/resign")
        await crowd.says(name, "[Yes, I resign]")
    answer = text(await crowd.sends("anna", Press(payload.write("board", table.id))))
    assert "Colorio is being played here right now." in answer
    assert "Anna" not in answer


async def test_opening_beside_ones_own_resting_game_explains_how_to_resume(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    table = await rested(crowd, store, clock)
    await crowd.says("ben", "/leave")
    await crowd.says("anna", "/newgame crystalla")
    answer = text(await crowd.sends("anna", Press(payload.write("board", table.id))))
    assert "You've opened a Crystalla table here. Close it with /end, or go on with Kabooom! in another chat" in answer


async def test_a_rematch_that_is_typed_makes_room_too_after_a_day(crowd: Crowd, store: Store, clock: HandClock) -> None:
    await crowd.says("ben", "/newgame kabooom easy")
    await crowd.says("clara", "/join")
    await crowd.says("ben", "/start")
    await crowd.says("clara", "/resign")
    await crowd.says("clara", "[Yes, I resign]")
    table = await alone(crowd, store)
    await clock.advance(timedelta(hours=23))
    assert "in 1 hour: if Anna hasn't moved by then" in text(await crowd.says("ben", "/rematch"))
    await clock.advance(timedelta(hours=2))
    assert "You weren't" in text(await crowd.says("david", "/rematch"))
    assert not (await saved(store, table.id)).is_resting, "whoever may not play there takes nobody's place"
    assert "paused for now" in text(await crowd.says("ben", "/rematch"))
    assert (await saved(store, table.id)).is_resting
    assert (await table_here(store)).host == "room:ben"


async def test_a_game_that_goes_on_in_a_place_makes_room_there_too_after_a_day(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    table = await rested(crowd, store, clock)
    await crowd.says("clara", "/newgame kabooom easy house 1d", place=CELLAR)
    await crowd.says("clara", "/start", place=CELLAR)
    other = await table_here(store, CELLAR)
    opens = Press(payload.write("board", table.id))
    await clock.advance(timedelta(hours=23))
    assert "or here in 1 hour if Clara hasn't moved by then" in text(await crowd.sends("anna", opens, place=CELLAR))
    assert (await saved(store, table.id)).is_resting
    await clock.advance(timedelta(hours=2))
    assert "paused for now" in text(await crowd.sends("anna", opens, place=CELLAR))
    assert (await table_here(store, CELLAR)).id == table.id
    assert ((await saved(store, other.id)).is_resting, (await saved(store, table.id)).is_resting) == (True, False)


async def test_a_resting_table_can_be_opened_in_its_persons_private_chat(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    table = await rested(crowd, store, clock)
    await crowd.sends("anna", Press(payload.write("board", table.id)), place=OWN)
    assert (await table_here(store, OWN)).id == table.id


async def test_no_other_person_opens_or_sees_a_resting_table(crowd: Crowd, store: Store, clock: HandClock) -> None:
    table = await rested(crowd, store, clock)
    for verb in ("board", "view", "history", "menu"):
        body = Press(payload.write(verb, table.id, *((0,) if verb == "history" else ())))
        assert "Only the people playing" in text(await crowd.sends("ben", body)), verb
    assert (await saved(store, table.id)).is_resting


async def test_a_forgotten_players_resting_table_posts_nothing(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    table = await rested(crowd, store, clock)
    posted, lobby, said = chat.posted, chat.newest(), len(chat.lines)
    await crowd.sends("anna", Press(payload.write("forget", "", 1)))
    await clock.advance(timedelta(hours=1))
    await crowd.service.repost(everything=True)
    await crowd.service.idle()
    assert (await saved(store, table.id)).phase == Phase.OVER
    assert (chat.posted, chat.newest()) == (posted, lobby)
    assert not any("Continue here" in line for line in chat.lines[said:]), "its message says how it ended"
    assert any(line.startswith("bot, edit") for line in chat.lines[said:])
    assert await store.claim_unposted(to_ms(clock.now()) + 10**9, 1000, 10) == (), "nothing waits to be posted"


async def test_an_old_button_of_a_resting_table_asks_whether_to_go_on(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    table = await rested(crowd, store, clock)
    reply = await crowd.sends("anna", Press(payload.write("menu", table.id)))
    assert reply is not None
    assert "paused" in reply.text
    assert "Continue here" in str(reply.rows)


async def test_two_who_want_the_place_at_once_do_not_both_get_it(
    crowd: Crowd, bots: Callable[[], Service], store: Store, clock: HandClock
) -> None:
    await alone(crowd, store)
    await clock.advance(timedelta(hours=25))
    other = Crowd(bots(), crowd.chat, updates=1000)
    replies = await asyncio.gather(crowd.says("ben", "/newgame colorio"), other.says("clara", "/newgame crystalla"))
    assert sum("is open. Others" in text(reply) for reply in replies) == 1


async def test_a_lobby_closes_three_days_after_its_last_new_person(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    """However often its host touches the options."""

    async def touched(times: int) -> None:
        for _ in range(times):
            await clock.advance(timedelta(hours=20))
            await crowd.service.do_due()
            await crowd.service.idle()
            if await store.at(ROOM.id) is not None:
                await crowd.chooses("anna", "When time is up: The house plays this turn")

    await crowd.says("anna", "/newgame kabooom easy 1d")
    await touched(3)
    assert await store.at(ROOM.id) is not None
    await crowd.says("ben", "/join")
    await touched(3)
    assert await store.at(ROOM.id) is not None, "Ben came after 60 hours"
    await touched(1)
    assert await store.at(ROOM.id) is None


async def test_no_person_sits_in_more_than_three_lobbies(crowd: Crowd, store: Store) -> None:
    for number in range(MOST_LOBBIES):
        await crowd.says("anna", "/newgame kabooom", place=Place(PlaceId(f"room:{number}")))
    assert "already at 3 tables" in text(await crowd.says("anna", "/newgame kabooom"))
    await crowd.says("ben", "/newgame kabooom")
    assert "already at 3 tables" in text(await crowd.says("anna", "/join"))
    await crowd.says("anna", "/leave", place=Place(PlaceId("room:0")))
    assert "Have fun" in text(await crowd.says("anna", "/join"))
    assert "already have a seat" in text(await crowd.says("anna", "/join"))


async def test_taking_several_seats_at_once_respects_the_lobby_limit(
    crowd: Crowd, bots: Callable[[], Service], store: Store
) -> None:
    """One bot each, as several processes do; a lobby is opened, the others are joined."""
    places = [Place(PlaceId(f"room:{number}")) for number in range(6)]
    for name, place in zip(("ben", "clara", "dora", "emil", "fay"), places[1:], strict=True):
        await crowd.says(name, "/newgame kabooom", place=place)
    crowds = [Crowd(bots(), crowd.chat, updates=1000 * number) for number in range(1, 7)]
    lines = ["/newgame kabooom", *["/join"] * 5]
    said = zip(crowds, lines, places, strict=True)
    replies = await asyncio.gather(*(message.says("anna", line, place=place) for message, line, place in said))
    assert sum("already at 3 tables" in text(reply) for reply in replies) == 3, [text(reply) for reply in replies]
    results = [await store.at(place.id) for place in places]
    tables = [await saved(store, table) for table in results if table is not None]
    assert sum(table.seat_of(crowd.person("anna").id) is not None for table in tables) == MOST_LOBBIES


async def test_a_refused_lobby_takes_no_seat(crowd: Crowd) -> None:
    await crowd.says("ben", "/newgame kabooom")
    for _ in range(2 * MOST_LOBBIES):
        assert "already open" in text(await crowd.says("anna", "/newgame kabooom"))


async def test_tables_that_are_still_open_count_among_the_thirty_which_says_so(crowd: Crowd, store: Store) -> None:
    for name, line in (("anna", "/newgame kabooom easy"), ("dora", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    one = await table_here(store)
    for number in range(3, MOST_TABLES):
        another = replace(one, id=TableId(f"another{number:03}"), place=PlaceId(f"room:{number}"), revision=0, mark="")
        await crowd.service.repository.create(another, UpdateId(f"room:opens {number}"))
    for number in (1, 2):
        place = Place(PlaceId(f"room:lobby{number}"))
        await crowd.says("anna", "/newgame kabooom", place=place)
        assert "Viel Spaß" in text(await crowd.says("dora", "/join", place=place))
    said = text(await crowd.says("anna", "/newgame kabooom", place=CELLAR))
    assert "at 30 tables already, running or still open" in said
    await crowd.says("ben", "/newgame kabooom", place=CELLAR)
    assert "schon an 30 Tischen, begonnen oder noch offen" in text(await crowd.says("dora", "/join", place=CELLAR))


async def test_no_person_plays_more_than_thirty_games_at_once(crowd: Crowd, store: Store) -> None:
    for name, line in (("anna", "/newgame kabooom easy"), ("dora", "/join"), ("anna", "/start")):
        await crowd.says(name, line)
    one = await table_here(store)
    for number in range(1, MOST_TABLES):
        another = replace(one, id=TableId(f"another{number:03}"), place=PlaceId(f"room:{number}"), revision=0, mark="")
        await crowd.service.repository.create(another, UpdateId(f"room:opens {number}"))
    assert "at 30 tables already" in text(await crowd.says("anna", "/newgame kabooom", place=CELLAR))
    await crowd.says("ben", "/newgame kabooom", place=CELLAR)
    assert "at 30 tables already" in text(await crowd.says("anna", "/join", place=CELLAR))
    assert "schon an 30 Tischen" in text(await crowd.says("dora", "/join", place=CELLAR))
    for line in ("/resign", "[Yes, I resign]"):
        await crowd.says("anna", line)
    assert "Have fun" in text(await crowd.says("anna", "/join", place=CELLAR))
    assert "Viel Spaß" in text(await crowd.says("dora", "/join", place=CELLAR))


# --- Boards left behind by a resting game


async def forgetting(crowd: Crowd, store: Store, clock: HandClock) -> Table:
    """Return Anna's table of a game that forgets boards, after Ben took its place."""
    for said in ("/newgame colorio house 1d", "/start", "/move b1 x c1 x d1 x"):
        await crowd.says("anna", said)
    table = await table_here(store)
    assert table.turn > 0, "there is something to be forgotten"
    await clock.advance(timedelta(hours=26))
    await crowd.says("ben", "/newgame crystalla")
    return await saved(store, table.id)


def left_behind(chat: RecordingChat, game: str) -> list[Post]:
    """Return the messages of *game* in the room, newest last, without the lobby."""
    return [
        post
        for message, post in chat.messages.items()
        if chat.places[message] == ROOM.id and post.title == game and "The game has begun." not in post.text
    ]


def goes_on(table: Table) -> Press:
    return Press(payload.write("board", table.id))


async def test_a_resumed_memory_game_leaves_no_board_behind(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    table = await forgetting(crowd, store, clock)
    assert "paused" in left_behind(chat, "Colorio")[-1].text
    await crowd.sends("anna", goes_on(table), place=OWN)
    assert left_behind(chat, "Colorio") == []
    assert not any("stay visible" in line for line in chat.lines)
    board = chat.newest()
    assert (board.title, chat.places[max(chat.messages, key=int)]) == ("Colorio", OWN.id)
    await crowd.says("anna", "/move a1", place=OWN)
    assert not any("stay visible" in line for line in chat.lines)
    assert len([post for post in chat.messages.values() if post.title == "Colorio"]) == 2, "the lobby and the board"


async def test_an_undeletable_old_board_is_covered(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    table = await forgetting(crowd, store, clock)
    chat.refuses = {"delete": Refused()}
    await crowd.sends("anna", goes_on(table), place=OWN)
    (left,) = left_behind(chat, "Colorio")[-1:]
    assert "The board that was here" in left.text
    assert left.rows == ()
    assert not any("stay visible" in line for line in chat.lines)
    assert chat.newest().rows, "the game goes on"


@pytest.mark.parametrize("trouble", [PlaceGone(), Moved(PlaceId("room:attic")), NoReplyWindow()])
async def test_an_unreachable_old_board_delays_no_game(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat, trouble: Undelivered
) -> None:
    """The former place may be gone, renamed, or able to take posts only in reply to an interaction."""
    table = await forgetting(crowd, store, clock)
    chat.refuses = {"delete": trouble, "edit": trouble}
    await crowd.sends("anna", goes_on(table), place=CELLAR)
    now = await saved(store, table.id)
    assert (now.place, now.is_resting) == (CELLAR.id, False)
    assert chat.places[max(chat.messages, key=int)] == CELLAR.id
    assert not any("stay visible" in line for line in chat.lines)
    assert await store.claim_unposted(to_ms(clock.now()) + 10**9, 1000, 10) == (), "nothing waits to be posted"


async def test_an_old_board_is_removed_later_if_there_is_no_room(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    table = await rested(crowd, store, clock)
    chat.refuses = {"edit": TryLater(0)}
    await crowd.sends("anna", goes_on(table), place=CELLAR)
    assert chat.places[max(chat.messages, key=int)] == CELLAR.id, "the game goes on meanwhile"
    assert left_behind(chat, "Kabooom!")[-1].rows == ()


async def test_a_board_left_behind_says_that_the_game_goes_on_elsewhere_and_offers_nothing(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    table = await rested(crowd, store, clock)
    assert left_behind(chat, "Kabooom!")[-1].rows
    await crowd.sends("anna", goes_on(table), place=CELLAR)
    left = left_behind(chat, "Kabooom!")[-1]
    assert left.text == "This game goes on in another chat. If you're playing, /games takes you there."
    assert left.rows == ()
    assert left.picture is not None


async def test_an_old_resume_button_leads_to_the_games_new_place(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    table = await rested(crowd, store, clock)
    await crowd.sends("anna", goes_on(table), place=CELLAR)
    posts = dict(chat.messages)
    assert "moved to another chat" in text(await crowd.sends("anna", goes_on(table)))
    assert chat.messages == posts


async def test_a_game_that_rested_twice_leaves_each_place_behind(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    table = await rested(crowd, store, clock)
    await crowd.sends("anna", goes_on(table), place=CELLAR)
    await clock.advance(timedelta(hours=25))
    await crowd.says("clara", "/newgame crystalla", place=CELLAR)
    await crowd.sends("anna", goes_on(table), place=OWN)
    boards = {chat.places[message]: post for message, post in chat.messages.items() if post.title == "Kabooom!"}
    assert "goes on in another chat" in boards[ROOM.id].text
    assert "goes on in another chat" in boards[CELLAR.id].text
    assert boards[OWN.id].rows


async def test_a_resumed_game_does_not_repeat_old_news(
    crowd: Crowd, store: Store, clock: HandClock, chat: RecordingChat
) -> None:
    await crowd.says("anna", "/newgame kabooom easy house 8h")
    for said in ("/start", "/move pass"):
        await crowd.says("anna", said)
    table = await table_here(store)
    for _ in range(4):
        await clock.advance(timedelta(hours=8, minutes=1))
        await crowd.service.do_due()
        await crowd.service.idle()
    assert "has run out of time" in chat.newest().text
    await crowd.says("ben", "/newgame colorio")
    await crowd.sends("anna", goes_on(table), place=CELLAR)
    board = chat.newest()
    assert "played by the house" in board.text
    assert "has run out of time" not in board.text
    await crowd.says("anna", "/end", place=CELLAR)  # nothing brings it back within that turn
    await crowd.says("anna", "/board", place=CELLAR)
    assert "has run out of time" not in chat.newest().text


async def test_a_forgotten_person_is_not_found_by_the_left_private_chat(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    for said in ("/newgame kabooom easy house 1d", "/start"):
        await crowd.says("anna", said, place=OWN)
    table = await table_here(store, OWN)
    await clock.advance(timedelta(hours=25))
    await crowd.says("anna", "/newgame crystalla", place=OWN)
    await crowd.sends("anna", goes_on(table), place=CELLAR)
    assert (await saved(store, table.id)).former_place == OWN.id
    await crowd.sends("anna", Press(payload.write("forget", "", 1)))
    now = await saved(store, table.id)
    assert (now.former_place, now.place) == ("", CELLAR.id)
