"""The chat page's server, with clients that send the messages of a page. In a real browser: test_on_web_page.py."""

import asyncio
import contextlib
import logging
import re
import socket
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
from yarl import URL

import texts
from bot.adapters import on_web
from bot.adapters.on_web import files, rooms
from bot.adapters.on_web.chat import PORT, WebChat
from bot.adapters.on_web.window import QUEUED
from bot.chat import (
    Button,
    Call,
    Expiry,
    File,
    FileKind,
    Gone,
    MessageId,
    MessagePart,
    Person,
    PersonId,
    Picture,
    PlaceId,
    PlainMessage,
    Post,
    Press,
    PublicPicture,
    Refused,
    Reply,
    SlashCommand,
    Suggestion,
    Typed,
    Unusable,
    Update,
)
from bot.requests.commands import COMMANDS
from rules import GAMES
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.adapters.tally import Tally, png
from tests.bot.conftest import within

LOBBY = PlaceId("web:lobby")
ANNA, BEN = PersonId("web:anna"), PersonId("web:ben")

Event = dict[str, Any]


class Window:
    """A page without a screen: a client with its requests and received events."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.person, self.place = str(ANNA), str(LOBBY)
        self._number = 0

    async def send(self, kind: str, **facts: object) -> None:
        await self.socket.send_json({"kind": kind, **facts})

    async def hear(self, kind: str) -> Event:
        """Return the next event of that kind; skip the ones before it."""
        while True:
            event: Event = await self.socket.receive_json()
            if event["kind"] == kind:
                return event

    async def be(self, person: str, place: str = LOBBY) -> Event:
        self.person, self.place = f"web:{person}", place
        await self.send("look", person=self.person, place=place)
        return await self.hear("here")

    async def request(self, kind: str, **facts: object) -> list[Event]:
        """Send a line or a press. Return the events until it is done."""
        self._number += 1
        id_ = str(facts.pop("id", f"{id(self):016x}{self._number:04x}"[-20:]))
        await self.send(kind, id=id_, person=self.person, place=self.place, **facts)
        heard: list[Event] = []
        while not heard or heard[-1] != {"kind": "done", "id": id_}:
            heard.append(await self.socket.receive_json())
        return heard[:-1]

    async def say(self, text: str, **facts: object) -> list[Event]:
        return await self.request("say", text=text, **facts)

    async def press(self, message: Event, payload: str, **facts: object) -> list[Event]:
        return await self.request("press", message=message["id"], payload=payload, **facts)

    async def complete(self, text: str, shown: str = "line") -> list[str]:
        """Return the lines that *text* can become. *shown*: another field of the completions."""
        await self.send("complete", n=1, person=self.person, place=self.place, text=text)
        return [item[shown] for item in (await self.hear("completions"))["items"]]


def messages(heard: list[Event]) -> list[Event]:
    return [event["message"] for event in heard if event["kind"] == "put"]


class Page:
    """A running server and windows on it."""

    def __init__(self, chat: WebChat, host: Tally, session: aiohttp.ClientSession) -> None:
        self.chat = chat
        self.host = host
        self.session = session

    @property
    def url(self) -> URL:
        return URL(self.chat.url)

    async def socket(self, **headers: str) -> aiohttp.ClientWebSocketResponse:
        own = {"Origin": self.chat.url.rstrip("/"), **headers}
        return await self.session.ws_connect(self.url / "live", headers=own)

    async def open(self, person: str = "anna", lang: str = "en", **known: object) -> Window:
        window = Window(await self.socket())
        await window.send("hello", lang=lang, **known)
        await window.hear("here")
        await window.be(person)
        return window

    async def status(self, path: str, **headers: str) -> int:
        async with self.session.get(self.url / path, headers=headers) as answer:
            return answer.status


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    host = Tally()
    host.chat = chat = WebChat(port=0)
    await chat.start(host, MemoryStorage())
    async with aiohttp.ClientSession() as session:
        yield Page(chat, host, session)
    await chat.stop()


async def board(page: Page, window: Window) -> Event:
    """Open a lobby of the tally game; return its message in *window*."""
    (posted,) = messages(await window.say("/newgame tally"))
    return posted


# ---- lines and commands ------------------------------------------------------------------------------------------


async def test_a_persons_message_reaches_all_people_in_the_place(page: Page) -> None:
    anna, ben = await page.open("anna"), await page.open("ben")
    await anna.say("Hello!")
    heard = await ben.hear("put")
    assert (heard["place"], heard["message"]["text"], heard["message"]["author"]["name"]) == (LOBBY, "Hello!", "Anna")
    (update,) = page.host.heard
    assert (update.body, update.place.private) == (PlainMessage("Hello!"), False), "it may be a move"


async def test_a_command_reaches_the_host_as_it_was_typed(page: Page) -> None:
    anna = await page.open("anna")
    await anna.say("  /newgame   tally ", id="00112233445566778899")
    (update,) = page.host.heard
    assert update == Update(
        id=update.id,
        person=Person(ANNA, "Anna", "en"),
        place=update.place,
        body=Typed("/newgame tally"),
        may_manage=True,
    )
    assert (update.id, update.place.id, update.place.private) == ("web:00112233445566778899", LOBBY, False)


async def test_the_first_person_may_manage_and_the_others_may_not_until_they_are_changed(page: Page) -> None:
    ben = await page.open("ben")
    await ben.say("/board")
    await ben.send("person", who={"name": "Ben", "lang": "de", "manages": True})
    assert (await ben.hear("here"))["lang"] == "de"
    await ben.say("/board")
    assert [(person.may_manage, person.person.lang) for person in page.host.heard] == [(False, "en"), (True, "de")]


async def test_in_the_private_chat_every_line_is_for_the_bot(page: Page) -> None:
    anna, ben = await page.open("anna"), await page.open("ben")
    await anna.be("anna", "web:@anna")
    heard = messages(await anna.say("board"))
    assert [message["text"] for message in heard] == ["board", "There is no game here."]
    (update,) = page.host.heard
    assert (update.body, update.place.private) == (Typed("board"), True)
    assert (await ben.hear("nudge"))["person"] == ANNA


async def test_no_person_sees_another_persons_private_chat(page: Page) -> None:
    ben = await page.open("ben")
    assert (await ben.be("ben", "web:@anna"))["place"] == "web:@ben"
    ben.place = "web:@anna"
    await ben.say("/board")
    assert page.host.heard == []


async def test_a_line_that_is_sent_again_is_carried_out_once(page: Page) -> None:
    anna = await page.open("anna")
    first = await anna.say("Hello!", id="a" * 20)
    again = await anna.say("Hello!", id="a" * 20)
    assert len(messages(first)) == 1
    assert again == []


async def test_a_line_of_blanks_says_nothing(page: Page) -> None:
    anna = await page.open("anna")
    assert await anna.say("   ") == []


async def test_a_failure_of_the_host_is_reported_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Tally):
        async def handle(self, update: Update) -> Reply | None:
            raise RuntimeError("out of order")

        async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
            raise RuntimeError("out of order")

    chat = WebChat(port=0)
    await chat.start(Broken(), MemoryStorage())
    async with aiohttp.ClientSession() as session:
        anna = await Page(chat, Broken(), session).open()
        with caplog.at_level(logging.ERROR):
            (toast,) = await anna.say("/board")
            assert await anna.complete("/move ") == []
    await chat.stop()
    assert toast == {"kind": "toast", "text": texts.say("web", "failed", "en")}
    assert caplog.text.count("RuntimeError: out of order") == 2


# ---- private answers ---------------------------------------------------------------------------------------------


async def test_an_answer_goes_only_to_the_windows_that_are_that_person(page: Page) -> None:
    anna, ben, other = await page.open("anna"), await page.open("ben"), await page.open("anna")
    await board(page, anna)
    (note,) = messages(await anna.say("/view"))
    assert (note["title"], note["only"], note["quote"]) == ("Your hand", ANNA, "/view")
    await anna.say("That was all.")
    assert [(await other.hear("put"))["message"]["title"] for _ in range(2)] == ["A new game of Tally", "Your hand"]
    seen = [await ben.hear("put") for _ in range(2)]
    assert [event["message"]["text"] for event in seen] == ["At the table: Anna", "That was all."]


async def test_a_note_waits_for_its_person_until_it_is_dismissed(page: Page) -> None:
    window = await page.open("anna")
    (note,) = messages(await window.say("/view"))
    assert (await window.be("ben"))["messages"] == []
    assert [message["id"] for message in (await window.be("anna"))["messages"]] == [note["id"]]
    await window.send("dismiss", person=ANNA, place=LOBBY, message=note["id"])
    assert (await window.hear("removed"))["ids"] == [note["id"]]
    assert (await window.be("anna"))["messages"] == []


async def test_only_ones_own_private_messages_can_be_dismissed(page: Page) -> None:
    anna, ben = await page.open("anna"), await page.open("ben")
    posted = await board(page, anna)
    (note,) = messages(await anna.say("/view"))
    for message in (posted, note):
        await ben.send("dismiss", person=BEN, place=LOBBY, message=message["id"])
    assert len((await anna.be("anna"))["messages"]) == 2


async def test_a_toast_is_sent_and_not_stored(page: Page) -> None:
    anna = await page.open("anna")
    posted = await board(page, anna)
    assert await anna.press(posted, "join:") == [{"kind": "toast", "text": "You are in already."}]
    assert len((await anna.be("anna"))["messages"]) == 1


async def test_a_menu_takes_the_place_of_the_menu_that_it_came_from(page: Page) -> None:
    anna = await page.open("anna")
    posted = await board(page, anna)
    (first,) = messages(await anna.press(posted, "menu:"))
    (second,) = messages(await anna.press(first, "menu:3"))
    assert (second["id"], second["text"]) == (first["id"], "Add 3?")


async def test_a_menu_opened_twice_exists_once(page: Page) -> None:
    anna = await page.open("anna")
    posted = await board(page, anna)
    (first,) = messages(await anna.press(posted, "menu:"))
    heard = await anna.press(posted, "menu:")
    assert {"kind": "removed", "place": LOBBY, "ids": [first["id"]]} in heard
    assert [message["title"] for message in (await anna.be("anna"))["messages"]] == ["A new game of Tally", "Your move"]


async def test_a_menu_that_does_not_go_on_is_over(page: Page) -> None:
    anna, ben = await page.open("anna"), await page.open("ben")
    posted = await board(page, anna)
    await ben.press(posted, "join:")
    await anna.say("/start")
    *_, menu = messages(await ben.say("/move"))
    heard = await ben.press(menu, "move:3")
    assert heard == [
        {"kind": "removed", "place": LOBBY, "ids": [menu["id"]]},
        {"kind": "toast", "text": "It is not your turn, Ben."},
    ]


async def test_a_menu_that_is_closed_goes(page: Page) -> None:
    anna = await page.open("anna")
    posted = await board(page, anna)
    (pressed,) = messages(await anna.press(posted, "menu:"))
    assert await anna.press(pressed, "close:") == [{"kind": "removed", "place": LOBBY, "ids": [pressed["id"]]}]
    (typed,) = messages(await anna.say("/move"))
    assert await anna.press(typed, "close:") == [{"kind": "removed", "place": LOBBY, "ids": [typed["id"]]}]


async def test_a_press_reaches_the_host_even_when_its_message_is_gone(page: Page) -> None:
    anna = await page.open("anna")
    await anna.press({"id": "of-a-former-run"}, "board:")
    (update,) = page.host.heard
    assert update.body == Press("board:")


# ---- posts -------------------------------------------------------------------------------------------------------


async def test_a_post_with_the_same_nonce_is_the_same_message(page: Page) -> None:
    ids = [await page.chat.post(LOBBY, Post(text=text), "n1") for text in ("first", "again")]
    other = await page.chat.post(PlaceId("web:table-2"), Post(text="elsewhere"), "n1")
    assert ids[0] == ids[1] != other
    assert [message["text"] for message in (await (await page.open()).be("anna"))["messages"]] == ["first"]


async def test_ids_of_messages_do_not_come_back_after_a_restart(page: Page) -> None:
    again = WebChat(port=0)
    assert await page.chat.post(LOBBY, Post(text="one"), "n") != await again.post(LOBBY, Post(text="one"), "n")


async def test_an_edited_message_keeps_its_place_and_an_equal_picture_its_address(page: Page) -> None:
    anna = await page.open("anna")
    picture = PublicPicture(png(20, 10, 1), "a board")
    rows = ((Button("Go", "go:"),),)
    id_ = await page.chat.post(LOBBY, Post(text="one", picture=picture, rows=rows), "n1")
    first = (await anna.hear("put"))["message"]
    assert (first["image"]["width"], first["image"]["height"], first["image"]["alt"]) == (20, 10, "a board")
    await page.chat.edit(LOBBY, id_, Post(text="two", picture=picture, rows=rows))
    second = await anna.hear("put")
    assert (second["new"], second["message"]["image"]) == (False, first["image"])
    await page.chat.edit(LOBBY, id_, Post(text="two", picture=picture, rows=rows))
    await page.chat.remove(LOBBY, id_, MessagePart.BUTTONS)
    stripped = (await anna.hear("put"))["message"]
    assert (stripped["text"], stripped["rows"]) == ("two", [])


async def test_messages_that_are_not_there_cannot_be_changed_but_be_deleted(page: Page) -> None:
    with pytest.raises(Gone):
        await page.chat.edit(LOBBY, MessageId("former-1"), Post(text="?"))
    with pytest.raises(Gone):
        await page.chat.remove(LOBBY, MessageId("former-1"), MessagePart.BUTTONS)
    await page.chat.remove(LOBBY, MessageId("former-1"), MessagePart.WHOLE)


async def test_a_deleted_message_is_gone_for_all_people(page: Page) -> None:
    anna = await page.open("anna")
    id_ = await page.chat.post(LOBBY, Post(text="one"), "n1")
    await page.chat.remove(LOBBY, id_, MessagePart.WHOLE)
    assert (await anna.hear("removed"))["ids"] == [id_]


@pytest.mark.parametrize("place", ["web:", "web:Große Halle", "web:@", "web:@A b", "discord:123", "lobby"])
async def test_places_that_are_no_places_of_ours_are_refused(page: Page, place: str) -> None:
    with pytest.raises(Refused):
        await page.chat.post(PlaceId(place), Post(text="?"), "n1")


async def test_a_place_that_a_former_run_knew_is_made_anew(page: Page) -> None:
    anna = await page.open("anna")
    await page.chat.post(PlaceId("web:attic"), Post(text="one"), "n1")
    assert "attic" in [place["name"] for place in (await anna.hear("roster"))["places"]]


async def test_a_call_tells_who_is_called_and_where(page: Page) -> None:
    anna = await page.open("anna")
    call = Call(Person(BEN, "Ben"), "{person}, it is your turn.")
    await page.chat.post(LOBBY, Post(text="one", call=call), "n1")
    posted = (await anna.hear("put"))["message"]
    assert posted["call"] == {"person": BEN, "name": "Ben", "before": "", "after": ", it is your turn."}
    assert (await anna.hear("roster"))["places"][0]["called"] == BEN
    await page.chat.post(LOBBY, Post(text="it is over"), "n2")
    assert (await anna.hear("roster"))["places"][0]["called"] is None


async def test_a_place_keeps_the_newest_messages(page: Page) -> None:
    ids = [await page.chat.post(LOBBY, Post(text=str(n)), f"n{n}") for n in range(rooms.MESSAGES + 3)]
    kept = (await (await page.open()).be("anna"))["messages"]
    assert [message["id"] for message in kept] == ids[3:]


async def test_notes_for_one_person_do_not_push_the_board_out(page: Page) -> None:
    anna = await page.open("anna")
    posted = await board(page, anna)
    for number in range(rooms.NOTES + 5):
        await anna.say(f"/nothing{number}")
    kept = (await anna.be("anna"))["messages"]
    assert (len(kept), kept[0]["id"]) == (rooms.NOTES + 1, posted["id"])


# ---- pictures ----------------------------------------------------------------------------------------------------


async def test_pictures_stand_under_names_that_cannot_be_guessed_as_long_as_their_message(page: Page) -> None:
    picture = png(20, 10, 1)
    id_ = await page.chat.post(LOBBY, Post(picture=PublicPicture(picture, "a board")), "n1")
    src = (await (await page.open()).be("anna"))["messages"][0]["image"]["src"]
    assert re.fullmatch(r"/picture/[A-Za-z0-9_-]{24}\.png", src)
    async with page.session.get(page.url.join(URL(src))) as answer:
        assert (answer.content_type, await answer.read()) == ("image/png", picture)
    await page.chat.remove(LOBBY, id_, MessagePart.WHOLE)
    assert await page.status(src[1:]) == 404


async def test_a_film_is_a_picture_that_moves(page: Page) -> None:
    gif = b"GIF89a" + bytes((20, 0, 10, 0)) + bytes(20)
    id_ = await page.chat.post(LOBBY, Post(file=File("film.gif", gif, FileKind.ANIMATION, "two moves")), "n1")
    image = (await (await page.open()).be("anna"))["messages"][0]["image"]
    assert (image["alt"], image["width"], image["height"]) == ("two moves", 20, 10)
    async with page.session.get(page.url.join(URL(image["src"]))) as answer:
        assert (answer.content_type, await answer.read()) == ("image/gif", gif)
    await page.chat.edit(LOBBY, id_, Post(text="no film any more"))
    assert await page.status(image["src"][1:]) == 404


async def test_a_document_is_saved_never_opened(page: Page) -> None:
    reply = Post(text="The record", file=File("record.html", b"<script>alert(1)</script>"))
    id_ = await page.chat.post(LOBBY, reply, "n1")
    window = await page.open()
    file = (await window.be("anna"))["messages"][0]["file"]
    assert (file["name"], file["size"]) == ("record.html", 25)
    async with page.session.get(page.url.join(URL(file["src"]))) as answer:
        assert answer.content_type == "application/octet-stream"
        assert answer.headers["Content-Disposition"] == "attachment"
    await page.chat.edit(LOBBY, id_, reply)
    assert (await window.be("anna"))["messages"][0]["file"]["src"] == file["src"]


@pytest.mark.parametrize("goes", ["replaced", "removed"])
def test_an_old_private_picture_stays_briefly_unless_the_game_forgets(
    goes: str,
) -> None:
    now = 0
    shown = rooms.Rooms(lambda: now)
    room, turn = shown.room(LOBBY), Expiry("a turn", is_strict=True)
    kept, forgotten, other = (
        shown.message(Reply(picture=Picture(bytes([number]), ""), expires=expires), PersonId("web:anna"))
        for number, expires in enumerate((None, turn, None))
    )
    for message in (kept, forgotten, other):
        shown.add(room, message)
    for message, expires in ((kept, None), (forgotten, turn)):
        if goes == "removed":
            shown.remove(room, message.id)
        else:
            shown.change(room, message.id, Reply(picture=Picture(b"new", ""), expires=expires))

    def is_there() -> list[bool]:
        return [
            shown.pictures.content(message.image.src) is not None
            for message in (kept, forgotten, other)
            if message.image
        ]

    now = rooms.LEAVES_MS - 1
    assert is_there() == [True, False, True]
    now = rooms.LEAVES_MS
    assert is_there() == [False, False, True]


def test_the_oldest_pictures_go_when_there_are_too_many_bytes() -> None:
    pictures = rooms.Attachments(limit=1000)
    kept = [pictures.keep(Picture(bytes(400), "", str(n))).src for n in range(4)]
    assert [pictures.content(src) is not None for src in kept] == [False, False, True, True]


async def test_a_long_description_is_cut_with_an_ellipsis(page: Page) -> None:
    await page.chat.post(LOBBY, Post(picture=PublicPicture(b"no png", "x" * 1001)), "n1")
    image = (await (await page.open()).be("anna"))["messages"][0]["image"]
    assert image["alt"] == "x" * 999 + "…"
    assert (image["width"], image["height"]) == (0, 0)


# ---- people and places -------------------------------------------------------------------------------------------


async def test_people_and_channels_are_added_by_name(page: Page) -> None:
    window = await page.open("anna")
    await window.send("person", who={"name": " Zoë ☂ ", "lang": "tlh"})
    here = await window.hear("here")
    assert here["people"][-1]["name"] == "Zoë ☂"
    assert here["people"][-1]["lang"] is None
    assert here["person"] == here["people"][-1]["id"]
    assert re.fullmatch(r"web:zoe-[0-9a-f]{8}", here["person"])
    await window.send("channel", name="#Große  Halle")
    here = await window.hear("here")
    assert (here["place"], "große-halle" in [place["name"] for place in here["places"]]) == ("web:grosse-halle", True)


@pytest.mark.parametrize("name", ["", "  ", "\u202e\u0007", "#"])
async def test_a_channel_without_a_name_is_not_added(page: Page, name: str) -> None:
    window = await page.open("anna")
    await window.send("channel", name=name)
    assert (await window.hear("toast"))["text"] == texts.say("web", "channel.refused", "en")


async def test_there_is_room_for_so_many_people_and_channels(page: Page) -> None:
    people = [{"name": f"Guest {n}"} for n in range(100)]
    window = await page.open("anna", people=people, channels=[f"room {n}" for n in range(100)])
    here = await window.be("anna")
    assert (len(here["people"]), len(here["places"])) == (rooms.PEOPLE, rooms.PLACES + 1)
    await window.send("person", who={"name": "One more"})
    assert (await window.hear("toast"))["text"] == texts.say("web", "person.refused", "en")


async def test_a_pages_memory_is_restored_after_a_restart(page: Page) -> None:
    window = Window(await page.socket())
    known = {"people": [{"name": "Zoe", "lang": "de"}, {"name": "Anna", "lang": "de"}], "channels": ["Attic"]}
    await window.send("hello", lang="en", person="web:zoe", place="web:attic", **known)
    here = await window.hear("here")
    assert (here["person"], here["place"], here["lang"]) == ("web:zoe", "web:attic", "de")
    assert here["people"][0] == {"id": ANNA, "name": "Anna", "number": 0, "lang": "de", "manages": False}


async def test_another_pages_memory_changes_no_known_person(page: Page) -> None:
    await page.open("anna", people=[{"name": "Anna", "lang": "de"}])
    other = await page.open("ben", people=[{"name": "Anna", "lang": "en", "manages": True}])
    here = await other.be("ben")
    assert here["people"][0] == {"id": ANNA, "name": "Anna", "number": 0, "lang": "de", "manages": False}


async def test_a_page_that_comes_from_nowhere_is_shown_the_first_person_and_place(page: Page) -> None:
    window = Window(await page.socket())
    await window.send("hello", lang="de-AT", person="web:nobody", place="web:nowhere")
    here = await window.hear("here")
    assert (here["person"], here["place"], here["lang"]) == (ANNA, LOBBY, "de")


# ---- completion --------------------------------------------------------------------------------------------------


async def test_a_completed_command_ends_with_a_blank_if_an_argument_follows(page: Page) -> None:
    anna = await page.open("anna")
    assert await anna.complete("/") == [f"/{command.name}{' ' if command.arguments else ''}" for command in COMMANDS]
    assert await anna.complete("/MO") == ["/move "]
    assert await anna.complete("hello") == await anna.complete("/nothing at all") == []


async def test_games_are_completed_by_their_names_and_ids(page: Page) -> None:
    anna = await page.open("anna")
    assert await anna.complete("/rules ") == [f"/rules {game}" for game in GAMES]
    assert await anna.complete("/newgame ") == [f"/newgame {game} " for game in GAMES]
    for game in GAMES:
        assert f"/rules {game}" in await anna.complete(f"/rules {texts.say(game, 'name', 'en')[:4].upper()}")


async def test_a_line_that_can_go_as_it_is_is_offered_first(page: Page) -> None:
    anna = await page.open("anna")
    send = texts.say("web", "completions.send", "en")
    for line in ("/newgame kabooom ", "/newgame kabooom 8h "):
        assert (await anna.complete(line, "label"))[0] == send
        assert (await anna.complete(line))[0] == line.rstrip()
    for line in ("/newgame ", "/newgame kabooom 8", "/move ", "/rules "):
        assert send not in await anna.complete(line, "label")


async def test_the_second_argument_is_completed_after_the_first(page: Page) -> None:
    anna = await page.open("anna")
    assert await anna.complete("/newgame anything 8") == ["/newgame anything 8h "]
    assert await anna.complete("/newgame anything 8", "label") == ["Time per turn: 8 hours"]
    assert await anna.complete("/newgame anything at all") == []


async def test_options_are_completed_in_place_of_a_clock(page: Page) -> None:
    anna = await page.open("anna")
    assert await anna.complete("/newgame anything 4") == ["/newgame anything 4"]
    assert await anna.complete("/newgame anything at 4") == []
    assert page.host.completed[-1] == SlashCommand("newgame", {"game": "anything", "options": "at 4"})
    assert await anna.complete("/newgame anything 1d 4") == ["/newgame anything 1d 4"]


async def test_notation_is_completed_by_the_host(page: Page) -> None:
    anna = await page.open("anna")
    assert await anna.complete("/move ") == ["/move 1", "/move 2", "/move 3", "/move 4", "/move 5"]
    assert await anna.complete("/Move  4") == ["/move 4"]


# ---- who may speak to the server ---------------------------------------------------------------------------------


async def test_it_listens_on_loopback_unless_told_otherwise() -> None:
    assert {variable.name: variable.default for variable in on_web.VARIABLES}["WEB_HOST"] == "127.0.0.1"
    chat = on_web.open({"WEB": "on", "WEB_HOST": "127.0.0.1", "WEB_PORT": "0", "WEB_NAMES": ""})
    answer = await chat.start(Tally(), MemoryStorage())
    await chat.stop()
    assert re.search(r"http://127\.0\.0\.1:\d+/", answer)


async def test_a_foreign_host_name_is_turned_away(page: Page) -> None:
    assert await page.status("", Host="evil.example") == 421
    async with page.session.get(page.url, headers={"Host": "evil.example"}) as answer:
        assert "WEB_NAMES" in await answer.text(), "an operator learns which setting to change"
    assert await page.status("", Host=f"localhost:{page.url.port}") == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "http://127.0.0.1:1"])
async def test_a_foreign_page_gets_no_websocket(page: Page, origin: str) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await page.socket(Origin=origin)
    assert refused.value.status == 403


async def test_every_answer_forbids_foreign_scripts_and_frames(page: Page) -> None:
    for path in ("", "app.js", "words/en.json", "nothing"):
        async with page.session.get(page.url / path) as answer:
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_it_is_reached_by_the_names_that_are_set() -> None:
    settings = {"WEB": "on", "WEB_HOST": "127.0.0.1", "WEB_PORT": "0", "WEB_NAMES": "games.lan, bot.lan"}
    chat = on_web.open(settings)
    greeting = await chat.start(Tally(), MemoryStorage())
    (url,) = re.findall(r"http://\S+", greeting)
    async with aiohttp.ClientSession() as session:
        for name, status in (("Games.LAN:80", 200), ("bot.lan", 200), ("lan", 421)):
            async with session.get(url, headers={"Host": name}) as answer:
                assert answer.status == status
    await chat.stop()


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "{}",
        "[]",
        '{"kind":"say"}',
        '{"kind":"format"}',
        '{"kind":"hello","lang":7}',
        '{"kind":"say","id":"no id","person":"web:anna","place":"web:lobby","text":"hi"}',
        '{"kind":"press","id":"00112233445566778899","person":"","place":"","message":"","payload":"ü"}',
        '{"kind":"say","id":"00112233445566778899","person":"web:anna","place":"web:lobby","text":"'
        + "x" * 2001
        + '"}',
        '{"kind":"channel","name":"\\ud800"}',
        '{"kind":"hello","lang":' + "[" * 30_000,
        '{"kind":"hello","lang":"en","more":' + '{"a":' * 10_000 + "1" + "}" * 10_001,
    ],
)
async def test_what_cannot_be_read_is_answered_and_forgotten(page: Page, frame: str) -> None:
    anna = await page.open("anna")
    await anna.socket.send_str(frame)
    assert (await anna.hear("toast"))["text"] == texts.say("web", "unreadable", "en")
    assert messages(await anna.say("Still here?"))[0]["text"] == "Still here?"
    assert [update.body for update in page.host.heard] == [PlainMessage("Still here?")]


async def test_a_frame_that_is_too_long_ends_its_window_alone(page: Page) -> None:
    anna, ben = await page.open("anna"), await page.open("ben")
    await anna.socket.send_str("x" * 100_000)
    while (await anna.socket.receive()).type is not aiohttp.WSMsgType.CLOSE:
        pass
    assert messages(await ben.say("Still here?"))


async def deaf(page: Page) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a window that says hello and then reads nothing."""
    reader, writer = await asyncio.open_connection("127.0.0.1", page.url.port)
    key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    head = f"Host: 127.0.0.1:{page.url.port}\r\nOrigin: http://127.0.0.1:{page.url.port}\r\n"
    writer.write(f"GET /live HTTP/1.1\r\n{head}Upgrade: websocket\r\nConnection: Upgrade\r\n{key}\r\n".encode())
    await reader.readuntil(b"\r\n\r\n")
    hello = b'{"kind":"hello","lang":"en"}'
    writer.write(bytes((0x81, 0x80 | len(hello), 0, 0, 0, 0)) + hello)
    await reader.read(1)
    return reader, writer


async def test_a_window_that_does_not_read_is_cut_off(page: Page) -> None:
    reader, writer = await deaf(page)
    for n in range(QUEUED * 4):
        await page.chat.post(PlaceId("web:table-2"), Post(text="x" * 20_000), f"n{n}")
        await asyncio.sleep(0)
    with contextlib.suppress(ConnectionResetError):
        while await reader.read(2**20):
            pass
    writer.close()
    assert messages(await (await page.open()).say("Still here?"))


async def test_it_stops_within_three_seconds_though_windows_are_open_and_one_is_deaf(page: Page) -> None:
    anna = await page.open("anna")
    _, writer = await deaf(page)
    async with within(3):
        stopping = asyncio.create_task(page.chat.stop())
        closed = await anna.socket.receive()
        while closed.type is aiohttp.WSMsgType.TEXT:
            closed = await anna.socket.receive()
        assert (closed.type, closed.data) == (aiohttp.WSMsgType.CLOSE, aiohttp.WSCloseCode.GOING_AWAY)
        await stopping
    writer.close()


async def test_stopping_before_the_start_is_harmless() -> None:
    await WebChat(port=0).stop()


async def test_it_is_ready_while_it_listens() -> None:
    chat = WebChat(port=0)
    results = [chat.reception.is_ready]
    await chat.start(Tally(), MemoryStorage())
    results.append(chat.reception.is_ready)
    await chat.stop()
    assert [*results, chat.reception.is_ready] == [False, True, False]


async def test_a_set_port_that_is_taken_is_an_error_that_names_the_variable(page: Page) -> None:
    second = on_web.open({"WEB_HOST": "127.0.0.1", "WEB_PORT": str(page.url.port), "WEB_NAMES": ""})
    with pytest.raises(Unusable, match=f"WEB_PORT {page.url.port}: "):
        await second.start(Tally(), MemoryStorage())
    await second.stop()


async def test_without_a_set_port_a_free_one_replaces_a_taken_one() -> None:
    chat = on_web.open({"WEB_HOST": "127.0.0.1", "WEB_PORT": "", "WEB_NAMES": ""})
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # taken by another process
            stack.enter_context(socket.create_server(("127.0.0.1", PORT)))
        line = await chat.start(Tally(), MemoryStorage())
    await chat.stop()
    assert f"port {PORT} is taken" in line
    assert f":{PORT}/" not in line


async def test_a_foreign_address_is_reported_to_the_operator() -> None:
    chat = WebChat("203.0.113.1", 0)
    with pytest.raises(Unusable, match="WEB_HOST"):
        await chat.start(Tally(), MemoryStorage())
    assert not chat.reception.is_ready
    await chat.stop()


# ---- words -------------------------------------------------------------------------------------------------------


def test_the_page_uses_exactly_the_texts_of_the_catalogue() -> None:
    said = set[str]()
    for path in files.PAGE.iterdir():
        text = path.read_text(encoding="utf-8")
        said |= set(re.findall(r'data-(?:say|label)="([a-z.]+)"', text))
        for call in re.findall(r"\b(?:say|around)\(([^)]*)\)", text):
            said |= set(re.findall(r'"([a-z]+(?:\.[a-z]+)*)"', call))
    assert said == files.keys()


@pytest.mark.parametrize("lang", texts.languages())
async def test_the_page_is_served_in_the_language_that_the_browser_asks_for(page: Page, lang: str) -> None:
    async with page.session.get(page.url, headers={"Accept-Language": f"tlh, {lang}-CH;q=0.9"}) as answer:
        html = await answer.text()
    assert f'<html lang="{lang}"' in html
    assert texts.say("web", "notice", lang) in html
    assert f'aria-label="{texts.say("web", "command", lang)}"' in html
    async with page.session.get(page.url / "words" / f"{lang}.json") as answer:
        assert (await answer.json())["words"]["only"] == texts.say("web", "only", lang)
    assert await page.status("words/tlh.json") == 404
