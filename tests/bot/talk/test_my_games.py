"""/games: my tables everywhere, whose turn, since when, how long is left, and the way to the newest board."""

from datetime import timedelta

from bot.chat import Button, MessageId, Place, PlaceId, PlaceMoved, Press, Reply, Typed
from bot.replies.games import PER_PAGE
from bot.repository.lookup import Lookup
from bot.repository.repository import Repository
from bot.requests import Games
from bot.runtime.clock import to_ms
from bot.runtime.metrics import Metrics
from bot.service.context import Context
from bot.service.links import PostLinks
from bot.service.my_games import MyGames
from bot.store.store import Store
from bot.tables.table import TableId
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons

CELLAR = Place(PlaceId("room:cellar"))


async def begun(crowd: Crowd, place: Place, *words: str, people: tuple[str, ...] = ("anna", "ben")) -> None:
    first, *others = people
    await crowd.sends(first, Typed(f"/newgame kabooom easy {' '.join(words)}"), place=place)
    for name in others:
        await crowd.sends(name, Typed("/join"), place=place)
    await crowd.sends(first, Typed("/start"), place=place)


async def games(crowd: Crowd, name: str) -> Reply:
    reply = await crowd.sends(name, Typed("/games"))
    assert reply is not None
    assert reply.secret
    return reply


def links(reply: Reply) -> list[Button]:
    return [button for button in buttons(reply) if button.link]


async def test_every_table_says_whose_turn_it_is_since_when_and_how_long_is_left(
    crowd: Crowd, clock: HandClock
) -> None:
    await begun(crowd, ROOM, "1d")
    await clock.advance(timedelta(hours=3))
    answer = (await games(crowd, "anna")).text
    assert answer == "👉 Kabooom! – your turn! · turn began 3 hours ago · 21 hours left\nwith Ben"
    answer = (await games(crowd, "ben")).text
    assert answer == "Kabooom! – Anna's turn · turn began 3 hours ago · 21 hours left\nwith Anna"


async def test_it_uses_the_readers_language(crowd: Crowd, clock: HandClock) -> None:
    await begun(crowd, ROOM, "3d", people=("dora", "emil"))
    await crowd.says("dora", "/move b1-c1")
    await crowd.says("emil", "/move f1-e1")
    await clock.advance(timedelta(hours=49))
    assert (await games(crowd, "emil")).text.endswith(" · seit 2 Tagen · noch 23 Stunden\nmit Dora")


async def test_a_turn_lasts_since_it_began_even_if_its_clock_restarted(crowd: Crowd, clock: HandClock) -> None:
    await begun(crowd, ROOM, "8h")
    await crowd.says("anna", "/settings")
    await crowd.says("anna", "[Days off, starting today: a week]")
    await clock.advance(timedelta(days=3))
    answer = (await games(crowd, "ben")).text
    assert "Anna's turn · turn began 3 days ago · clock paused for now; " in answer
    await crowd.says("anna", "/settings")
    await crowd.says("anna", "[Days off, starting today: none]")
    assert (
        await games(crowd, "ben")
    ).text == "Kabooom! – Anna's turn · turn began 3 days ago · 8 hours left\nwith Anna"
    await clock.advance(timedelta(hours=24))
    await crowd.service.do_due()
    await crowd.service.idle()
    answer = (await games(crowd, "ben")).text
    assert "Anna's time is up: you can decide what happens · turn began 4 days ago · 8 hours to decide" in answer
    await crowd.says("ben", "[Keep waiting]")
    assert (
        await games(crowd, "ben")
    ).text == "Kabooom! – Anna's turn · turn began 4 days ago · 8 hours left\nwith Anna"
    await crowd.says("anna", "/move b1-c1")
    assert "your turn! · turn began 1 minute ago · 8 hours left" in (await games(crowd, "ben")).text


async def test_without_a_clock_nothing_is_left_to_be_told(crowd: Crowd) -> None:
    await begun(crowd, ROOM, "none")
    assert (await games(crowd, "anna")).text.endswith("your turn! · turn began 1 minute ago\nwith Ben")


async def test_the_link_leads_to_the_newest_board(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd, ROOM)
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("ben", "/board")
    (way,) = links(await games(crowd, "anna"))
    place, _, message = way.link.rpartition("/")
    assert place == ROOM.id
    assert chat.messages[MessageId(message)] is chat.newest()
    assert "b1 onto c1" in chat.newest().text


async def test_an_open_lobby_is_a_table_of_mine_with_a_link_too(crowd: Crowd, chat: RecordingChat) -> None:
    await crowd.says("anna", "/newgame kabooom")
    reply = await games(crowd, "anna")
    assert reply.text == "Kabooom! – not started yet (1 player)"
    (way,) = links(reply)
    assert "who's playing" in chat.messages[MessageId(way.link.rpartition("/")[2])].title


async def test_a_table_in_its_lobby_is_not_a_game(crowd: Crowd) -> None:
    await begun(crowd, CELLAR)
    await crowd.says("anna", "/newgame kabooom")
    assert (await games(crowd, "anna")).title == "You're at 2 tables. One is waiting for you."
    assert (await games(crowd, "ben")).title == "You're in one game."


async def test_without_a_link_words_lead_there_and_my_view_is_one_tap(crowd: Crowd, chat: RecordingChat) -> None:
    chat.unlinked = {ROOM.id}
    await begun(crowd, ROOM)
    reply = await games(crowd, "anna")
    assert links(reply) == []
    assert "open that chat and type /board" in reply.text
    view = await crowd.sends("anna", crowd.payload("anna", "Kabooom!: My view"), place=CELLAR)
    assert view is not None
    assert view.picture is not None


async def test_a_platform_without_links_delays_no_answer(
    crowd: Crowd, chat: RecordingChat, store: Store, clock: HandClock
) -> None:
    await begun(crowd, ROOM)
    await begun(crowd, CELLAR)
    chat.silent = {ROOM.id}
    lookup = Lookup(store, Repository(store, clock, 90, Metrics()))
    context = Context(crowd.update("anna", "/games"), "en")
    reply = await MyGames(lookup, PostLinks({"room": chat}, patience_s=0.01), clock).answer(context, Games())
    assert [way.link.split("/")[0] for way in links(reply)] == [CELLAR.id]
    assert "open that chat and type /board" in reply.text


async def test_a_table_that_moved_to_another_place_has_no_link_before_it_is_posted_there(
    crowd: Crowd, chat: RecordingChat
) -> None:
    await begun(crowd, ROOM)
    chat.flooded = {CELLAR.id}
    await crowd.service.place_changed(PlaceMoved(ROOM.id, CELLAR.id))
    reply = await crowd.service.handle(crowd.update("anna", "/games"))
    assert reply is not None
    assert links(reply) == []


async def test_waiting_tables_come_first_by_least_time_left(crowd: Crowd, clock: HandClock) -> None:
    for name, words in (("a", ("3d",)), ("b", ("8h",)), ("c", ("none",))):
        await begun(crowd, Place(PlaceId(f"room:{name}")), *words)
        await clock.advance(timedelta(minutes=5))
    await begun(crowd, Place(PlaceId("room:d")), "1h", people=("ben", "anna"))
    reply = await games(crowd, "anna")
    assert reply.title == "You're in 4 games. 3 are waiting for you."
    assert [line[:2] for line in reply.text.split("\n")[::2]] == ["👉 ", "👉 ", "👉 ", "4."]
    assert [way.link.split("/")[0] for way in links(reply)] == ["room:b", "room:a", "room:c", "room:d"]
    assert [way.label for way in links(reply)] == ["1. Kabooom! ↗", "2. Kabooom! ↗", "3. Kabooom! ↗", "4. Kabooom! ↗"]


async def test_a_question_or_a_late_player_waits_for_me_too(crowd: Crowd, clock: HandClock) -> None:
    await begun(crowd, ROOM, "8h")
    await crowd.says("anna", "/end")
    assert (await games(crowd, "ben")).text.startswith("👉 Kabooom! – Anna is asking you something")
    await crowd.says("ben", "[No]")
    await clock.advance(timedelta(hours=9))
    await crowd.service.do_due()
    await crowd.service.idle()
    assert (await games(crowd, "ben")).text.startswith("👉 Kabooom! – Anna's time is up: you can decide")
    assert (await games(crowd, "anna")).text.startswith("👉 Kabooom! – your time is up, but you can still play!")


async def test_a_table_that_i_left_is_none_of_mine(crowd: Crowd) -> None:
    await begun(crowd, ROOM, people=("anna", "ben", "clara"))
    await crowd.says("anna", "/resign")
    await crowd.says("anna", "[Yes, I resign]")
    assert (await games(crowd, "anna")).text == "You're not in a game right now. /newgame opens a table."


async def test_more_tables_than_a_page_holds_are_turned_to(crowd: Crowd) -> None:
    for number in range(PER_PAGE + 2):
        for name, line in ((f"p{number}", "/newgame kabooom easy"), ("anna", "/join"), (f"p{number}", "/start")):
            await crowd.sends(name, Typed(line), place=Place(PlaceId(f"room:{number}")))
    first = await games(crowd, "anna")
    assert (len(links(first)), len(first.rows)) == (PER_PAGE, 5)
    reply = await crowd.sends("anna", crowd.payload("anna", "Page 1/2 ▶"))
    assert reply is not None
    assert [way.label for way in links(reply)] == [f"{PER_PAGE + n}. Kabooom! ↗" for n in (1, 2)]
    assert Press(buttons(reply)[-2].payload) == Press("games::0")


async def test_a_table_that_is_just_being_opened_is_not_taken_for_an_expired_one(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    anna, opening = crowd.person("anna").id, TableId("opening234")
    await store.add_table(anna, opening, to_ms(clock.now()))
    assert "not in a game right now" in (await games(crowd, "anna")).text
    assert await store.tables_of(anna) == (opening,)
    await clock.advance(timedelta(minutes=1))
    assert "not in a game right now" in (await games(crowd, "anna")).text
    assert await store.tables_of(anna) == ()


async def test_after_a_move_the_answer_links_the_longest_waiting_game(crowd: Crowd, clock: HandClock) -> None:
    """A lasting answer has the link; a vanishing one names the place."""
    attic = Place(PlaceId("room:attic"))
    for place in (CELLAR, attic, ROOM):
        await begun(crowd, place, "none", people=("anna", "ben"))
        await clock.advance(timedelta(hours=1))
    reply = await crowd.sends("anna", Typed("/move b1-c1"))
    assert reply is not None
    assert reply.text == "Played: b1 → c1\n2 more games are waiting for you: /games."
    (way,) = reply.links
    assert way.label == "Kabooom! ↗"
    assert way.link.startswith(str(CELLAR.id))
    assert reply.is_plain, "no message is made for it"
    listed = await games(crowd, "anna")
    assert listed.title == "You're in 3 games. 2 are waiting for you."
    assert [link.link.partition("/")[0] for link in links(listed)][:2] == [CELLAR.id, attic.id]


async def test_after_the_last_move_nothing_else_is_said(crowd: Crowd) -> None:
    await begun(crowd, CELLAR, people=("emil", "ben"))
    await begun(crowd, ROOM, people=("emil", "ben"))
    reply = await crowd.sends("emil", Typed("/move b1-c1"))
    assert reply is not None
    assert reply.text == "Gespielt: b1 → c1\nNoch eine Partie wartet auf dich: /games."
    reply = await crowd.sends("emil", Typed("/move b1-c1"), place=CELLAR)
    assert reply is not None
    assert (reply.text, reply.links) == ("Gespielt: b1 → c1", ())


async def test_no_player_is_sent_on_before_their_turn_is_over(crowd: Crowd) -> None:
    """Typed in steps or at once, a turn is followed by one note about other waiting games."""
    await begun(crowd, CELLAR)
    await crowd.sends("anna", Typed("/newgame colorio"))
    await crowd.sends("ben", Typed("/join"))
    await crowd.sends("anna", Typed("/start"))
    typed = ("a1", "x", "b1", "x", "c1", "x")
    results = [await crowd.sends("anna", Typed(f"/move {step}")) for step in typed]
    assert ["waiting" in message.text for message in results if message is not None] == [False] * 5 + [True]
    assert [len(reply.links) for reply in results if reply is not None] == [0] * 5 + [1]


async def test_a_player_who_resigned_is_sent_on_too(crowd: Crowd) -> None:
    await begun(crowd, CELLAR)
    await begun(crowd, ROOM)
    asked = await crowd.says("anna", "/resign")
    assert asked is not None
    assert asked.links == ()
    reply = await crowd.says("anna", "[Yes, I resign]")
    assert reply is not None
    assert reply.text == "You've resigned.\nAnother game is waiting for you: /games."
    assert [way.label for way in reply.links] == ["Kabooom! ↗"]
