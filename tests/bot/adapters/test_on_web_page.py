"""The chat page in a real browser, against its real server."""

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
import pytest_asyncio
from msgspec import Raw
from playwright.async_api import Locator, Route, WebSocketRoute, expect
from redis import Redis

import texts
from bot.adapters.on_web.chat import WebChat
from bot.chat import (
    Button,
    Call,
    File,
    Person,
    PersonId,
    PlaceId,
    PlainMessage,
    Post,
    Press,
    PublicPicture,
    Typed,
)
from bot.runtime.clock import RealClock
from bot.store.store import Store
from rules import GAMES, proof
from tests.bot.adapters.browser import PHONE, Chromium, Window, table_of
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.adapters.tally import Tally, png
from tests.bot.conftest import HandClock
from tests.bot.servers import free_port

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOBBY = PlaceId("web:lobby")

Open = Callable[..., Awaitable[Window]]


@pytest_asyncio.fixture(loop_scope="session")
async def host() -> AsyncIterator[Tally]:
    """Yield the game of adding numbers behind a listening page."""
    tally = Tally()
    tally.chat = chat = WebChat(port=free_port())
    await chat.start(tally, MemoryStorage())
    yield tally
    await tally.chat.stop()


def chat_of(host: Tally) -> WebChat:
    assert isinstance(host.chat, WebChat)
    return host.chat


@pytest_asyncio.fixture(loop_scope="session")
async def open_(browser: Chromium, host: Tally) -> AsyncIterator[Open]:
    """Open windows, each in its own browser context; at the end none may have reported errors."""
    async with AsyncExitStack() as windows:

        async def open_one(**traits: Any) -> Window:
            opened = browser.window(**{"color_scheme": "dark", "locale": "en-GB", **traits})
            window = await windows.enter_async_context(opened)
            window.page.set_default_timeout(20_000)
            await window.page.goto(chat_of(host).url)
            await expect(window.page.locator("#people .entry")).to_have_count(6)
            return window

        yield open_one


async def game(window: Window) -> None:
    """Begin a game of Anna and Ben. Anna is to move, and this window is Anna's."""
    await window.say("/newgame tally")
    await window.be("Ben")
    await window.press("Join")
    await expect(window.newest).to_contain_text("Anna, Ben")
    await window.be("Anna")
    await window.press("Start")
    await expect(window.board).to_contain_text("it's your turn")


# ---- playing -----------------------------------------------------------------------------------------------------


async def test_two_people_play_in_one_window(open_: Open) -> None:
    window = await open_()
    await game(window)
    await window.press("Move")
    await window.press("3 🪨")
    await window.press("Add 3")
    await expect(window.board).to_contain_text("Anna adds 3. 3 stones so far.")
    await expect(window.page.get_by_role("status").filter(has_text="You added 3.")).to_be_visible()
    await expect(window.notes).to_have_count(0)
    await window.board.get_by_role("button", name="@Ben").click()
    await expect(window.page.locator("article.called")).to_contain_text("@Ben, it's your turn.")
    await window.say("/move 4")
    await expect(window.board).to_contain_text("Ben adds 4. 7 stones so far.")


async def test_two_people_play_in_two_browsers(open_: Open) -> None:
    anna, ben = await open_(), await open_()
    await ben.be("Ben")
    await anna.say("/newgame tally")
    await expect(ben.button("Join")).to_be_visible()
    await ben.lies_still()
    await ben.button("Join").press("Enter")  # a page in the background scrolls late
    await anna.lies_still()
    await anna.press("Start")
    await expect(ben.board).to_contain_text("@Anna, it's your turn.")
    await expect(ben.page.locator("article.called")).to_have_count(0)
    await anna.say("/move 2")
    await expect(ben.page.locator("article.called")).to_contain_text("Anna adds 2.")
    await expect(ben.page).to_have_title("● #lobby – Kaleidobot")
    await ben.say("/move 5")
    await expect(anna.board).to_contain_text("Ben adds 5. 7 stones so far.")


async def test_a_whole_turn_is_played_by_keyboard(open_: Open, host: Tally) -> None:
    window = await open_()
    await game(window)
    await window.button("Move").focus()
    for label in ("1 🪨", "Add 1"):
        await window.page.keyboard.press("Enter")
        await expect(window.button(label)).to_be_focused()
        await expect(window.page.locator(".busy")).to_have_count(0)  # until then the page takes no press
    await window.page.keyboard.press("Enter")
    await expect(window.board).to_contain_text("Anna adds 1.")
    await expect(window.board.locator(".row button").first).to_be_focused()


async def test_former_boards_have_no_buttons(open_: Open) -> None:
    window = await open_()
    await game(window)
    await window.say("/move 2")
    await expect(window.board).to_contain_text("2 stones")
    await expect(window.page.locator("article:not(:last-child) .row")).to_have_count(0)


async def test_a_double_click_presses_once(open_: Open, host: Tally) -> None:
    window = await open_()
    await game(window)
    await window.button("Move").dblclick()
    await expect(window.notes).to_have_count(1)
    await window.button("1 🪨").dblclick()
    await expect(window.button("Add 1")).to_be_visible()
    await window.button("Add 1").dblclick()
    await expect(window.board).to_contain_text("1 stones so far.")
    presses = [update.body.payload for update in host.heard if isinstance(update.body, Press)]
    assert presses == ["join:", "start:", "menu:", "menu:1", "move:1"]


async def test_the_second_click_of_a_double_click_presses_no_new_button(open_: Open, host: Tally) -> None:
    click = """(knob, [x, y, at]) => {
      const event = new MouseEvent("click", { bubbles: true, detail: 1, clientX: x, clientY: y });
      Object.defineProperty(event, "timeStamp", { value: at });
      knob.dispatchEvent(event);
    }"""
    window = await open_()
    await game(window)
    now = await window.page.evaluate("performance.now()")
    await window.button("Move").evaluate(click, [300, 500, now + 10_000])
    await expect(window.notes).to_have_count(1)
    knob = window.button("1 🪨")
    await knob.evaluate(click, [304, 502, now + 10_200])  # the answer came before the second click
    await knob.evaluate(click, [304, 502, now + 20_000])
    await expect(window.button("Add 1")).to_be_visible()
    assert [update.body.payload for update in host.heard if isinstance(update.body, Press)][2:] == ["menu:", "menu:1"]


async def test_a_key_that_is_held_down_presses_once(open_: Open, host: Tally) -> None:
    window = await open_()
    await game(window)
    await window.button("Move").focus()
    for _ in range(5):
        await window.page.keyboard.down("Enter")
    await window.page.keyboard.up("Enter")
    await expect(window.button("1 🪨")).to_be_focused()
    assert [update.body.payload for update in host.heard if isinstance(update.body, Press)][2:] == ["menu:"]


async def test_the_focus_moves_to_a_menu_though_the_last_press_is_done_late(open_: Open) -> None:
    """The board arrives before the press that began the game is reported as done."""
    held: list[str | bytes] = []

    def on_the_way(line: WebSocketRoute) -> None:
        def tells(frame: str | bytes) -> None:
            event = json.loads(frame)
            if event["kind"] == "done" and not held:
                held.append(frame)
                return
            if event["kind"] == "put" and event["message"]["only"]:
                line.send(held[0])
            line.send(frame)

        line.connect_to_server().on_message(tells)

    window = await open_()
    await window.say("/newgame tally")
    await window.be("Ben")
    await window.press("Join")
    await expect(window.newest).to_contain_text("Anna, Ben")
    await window.be("Anna")
    await window.is_answered()
    await window.page.route_web_socket(re.compile("/live"), on_the_way)
    await window.page.reload()
    await window.button("Start").press("Enter")
    await expect(window.board).to_contain_text("it's your turn")
    await window.button("Move").press("Enter")
    await expect(window.button("1 🪨")).to_be_focused()


async def test_text_typed_before_the_page_knows_its_person_is_sent_later(open_: Open, host: Tally) -> None:
    known = asyncio.Event()

    def on_the_way(line: WebSocketRoute) -> None:
        async def tells(frame: str | bytes) -> None:
            await known.wait()
            line.send(frame)

        line.connect_to_server().on_message(tells)

    window = await open_()
    await window.is_answered()
    await window.page.route_web_socket(re.compile("/live"), on_the_way)
    await window.page.reload()
    await window.say("/newgame tally")
    assert host.heard == []
    known.set()
    await expect(window.newest).to_contain_text("At the table: Anna")
    assert [update.body for update in host.heard] == [Typed("/newgame tally")]


async def test_a_list_is_chosen_from_by_keyboard_once(open_: Open, host: Tally) -> None:
    window = await open_()
    await window.say("/newgame tally")
    level = window.page.get_by_label("Level")
    await level.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "Enter"):  # the first one opens the list
        await window.page.keyboard.press(key)
    await expect(level).to_have_value("level:harder")
    await expect(level).to_be_focused()
    await window.is_answered()
    await window.page.keyboard.press("ArrowUp")
    await window.page.keyboard.press("Escape")
    assert [update.body for update in host.heard][1:] == [Press("level:harder")]


@pytest.mark.parametrize("traits", [{}, PHONE], ids=["mouse", "finger"])
async def test_a_list_is_chosen_from_by_pointing(traits: dict[str, Any], open_: Open, host: Tally) -> None:
    window = await open_(**traits)
    await window.say("/newgame tally")
    level = window.page.get_by_label("Level")
    await level.select_option("Harder still")
    await expect(level).to_have_value("level:harder")
    assert [update.body for update in host.heard][1:] == [Press("level:harder")]


# ---- the command line --------------------------------------------------------------------------------------------


async def test_commands_and_their_arguments_are_completed_by_keyboard(open_: Open) -> None:
    window = await open_()
    await game(window)
    await window.page.locator("h1").click()
    await window.page.keyboard.press("/")
    await expect(window.line).to_be_focused()
    await expect(window.line).to_have_attribute("aria-expanded", "true")
    await window.page.keyboard.type("mo")
    await expect(window.completions).to_have_text(["/move" + (texts.find("table", "command.move.about", "en") or "")])
    await window.page.keyboard.press("Tab")
    await expect(window.line).to_have_value("/move ")
    await expect(window.completions).to_have_count(5)
    await window.page.keyboard.press("ArrowUp")
    await window.page.keyboard.press("Enter")
    await expect(window.line).to_have_value("/move 5")
    await window.page.keyboard.press("Enter")
    await expect(window.board).to_contain_text("Anna adds 5.")
    await window.page.keyboard.press("ArrowUp")
    await expect(window.line).to_have_value("/move 5")


async def test_text_typed_in_full_is_sent_despite_suggestions(open_: Open) -> None:
    window = await open_()
    await game(window)
    await window.line.focus()
    await window.page.keyboard.type("/move 4")
    await window.page.keyboard.press("Enter")
    await expect(window.board).to_contain_text("Anna adds 4.")


async def test_a_whole_command_is_sent_even_if_it_could_go_on(open_: Open, host: Tally) -> None:
    window = await open_()
    await window.line.focus()
    await window.page.keyboard.type("/rules")
    await expect(window.completions.first).to_be_visible()
    await window.page.keyboard.press("Enter")
    await expect(window.line).to_have_value("")
    await window.is_answered()
    assert [update.body for update in host.heard] == [Typed("/rules")]


async def test_a_line_that_can_go_as_it_is_says_so_and_goes_at_a_tap(open_: Open, host: Tally) -> None:
    window = await open_()
    await window.line.focus()
    await window.page.keyboard.type("/newgame kabooom ")
    send = texts.say("web", "completions.send", "en")
    await expect(window.completions.first).to_contain_text(send)
    offered = await window.completions.all_inner_texts()
    await window.page.keyboard.press("Tab")  # continues the line instead
    await expect(window.line).to_have_value("/newgame kabooom none ")
    await expect(window.completions).not_to_have_text(offered, use_inner_text=True)
    await expect(window.completions.first).to_contain_text(send)
    assert host.heard == []
    await window.completions.first.click()
    await expect(window.line).to_have_value("")
    assert [update.body for update in host.heard] == [Typed("/newgame kabooom none")]


async def test_escape_closes_the_list_and_leaves_the_line(open_: Open) -> None:
    window = await open_()
    await window.line.press("/")
    await expect(window.completions.first).to_be_visible()
    await window.line.press("Escape")
    await expect(window.completions).to_have_count(0)
    await expect(window.line).to_have_value("/")


async def test_the_first_hint_begins_the_command(open_: Open) -> None:
    window = await open_()
    await window.page.get_by_role("button", name="/newgame").click()
    await expect(window.line).to_have_value("/newgame ")
    await expect(window.line).to_be_focused()


# ---- private answers ---------------------------------------------------------------------------------------------


async def test_private_answers_stay_private(open_: Open) -> None:
    anna, ben = await open_(), await open_()
    await ben.be("Ben")
    await game(anna)
    await anna.press("My view")
    await expect(anna.notes).to_contain_text("Secret of Anna")
    await anna.say("I have seen my hand.")
    await expect(ben.newest).to_contain_text("I have seen my hand.")
    assert "Secret" not in await ben.page.content()
    await anna.be("Clara")
    assert "Secret" not in await anna.page.content()
    await anna.be("Anna")
    await expect(anna.notes).to_contain_text("Secret of Anna")
    await anna.notes.get_by_role("button", name="Close this message").click()
    await expect(anna.notes).to_have_count(0)


async def test_the_private_chat_is_read_by_its_person_alone(open_: Open, host: Tally) -> None:
    anna, ben = await open_(), await open_()
    await ben.be("Ben")
    await anna.page.get_by_role("button", name="Me and the bot").click()
    await expect(anna.page.locator("#place")).to_have_text("Me and the bot")
    await anna.say("board")
    await expect(anna.newest).to_contain_text("There is no game here.")
    await expect(ben.page.get_by_role("img", name="Something new for Anna")).to_be_visible()
    await ben.page.get_by_role("button", name="Me and the bot").click()
    await expect(ben.page.get_by_text("Only Ben and the bot can read this chat.")).to_be_visible()
    await expect(ben.messages).to_have_count(0)
    assert [update.place.id for update in host.heard] == ["web:@anna"]


# ---- pictures ----------------------------------------------------------------------------------------------------


async def test_a_picture_is_enlarged_and_described_by_keyboard(open_: Open) -> None:
    window = await open_()
    await game(window)
    picture = window.board.get_by_role("button", name="0 stones lie on the board.")
    await expect(picture.get_by_role("img")).to_have_js_property("complete", True)
    await picture.focus()
    await window.page.keyboard.press("Enter")
    viewer = window.page.get_by_role("dialog")
    await expect(viewer.locator("img")).to_have_attribute("alt", "0 stones lie on the board.")
    await expect(viewer).to_have_css("background-color", re.compile(r"^rgb\("))  # opaque
    await viewer.get_by_text("In words").click()
    await expect(viewer.locator("#viewer-words")).to_have_text("0 stones lie on the board.")
    await window.page.keyboard.press("Escape")
    await expect(viewer).to_be_hidden()
    await expect(picture).to_be_focused()


async def test_a_picture_keeps_its_room_before_it_has_come(open_: Open, host: Tally) -> None:
    window = await open_()
    await window.page.route("**/picture/*", lambda route: route.abort())
    await chat_of(host).post(LOBBY, Post(picture=PublicPicture(png(1000, 800, 1), "A wide board")), "n1")
    image = window.page.get_by_role("img", name="A wide board")
    await expect(image).to_be_attached()
    size = await image.evaluate("(image) => [image.getAttribute('width'), image.getAttribute('height')]")
    assert size == ["1000", "800"]
    window.troubles.clear()  # the picture that was not loaded


async def test_a_picture_is_shown_until_the_next_one_has_come(open_: Open, host: Tally) -> None:
    window, may_load = await open_(), asyncio.Event()
    first, second = (PublicPicture(png(1000, 800, shade), f"Board {shade}") for shade in (1, 2))
    message = await chat_of(host).post(LOBBY, Post(picture=first), "n1")
    await window.sees_pictures()

    async def holds(route: Route) -> None:
        await may_load.wait()
        await route.continue_()

    await window.page.route("**/picture/*", holds)
    await chat_of(host).edit(LOBBY, message, Post(picture=second))
    await expect(window.page.get_by_role("img", name="Board 2")).to_have_js_property("naturalWidth", 0)
    await expect(window.page.locator(".picture canvas")).to_have_js_property("width", 1000)
    may_load.set()
    await expect(window.page.get_by_role("img", name="Board 2")).to_have_js_property("naturalWidth", 1000)
    await expect(window.page.locator(".picture canvas")).to_have_count(0)


async def test_a_file_is_saved_under_its_name(open_: Open, host: Tally) -> None:
    window = await open_()
    reply = Post(text="The record", file=File("record.json", b'{"game": "tally"}'))
    await chat_of(host).post(LOBBY, reply, "n1")
    async with window.page.expect_download() as saving:
        await window.page.get_by_role("link", name="record.json").press("Enter")  # it may still move
    saved = await saving.value
    assert saved.suggested_filename == "record.json"
    assert (await saved.path()).read_bytes() == b'{"game": "tally"}'


# ---- hostile and odd input ---------------------------------------------------------------------------------------

HOSTILE = "<img src=x onerror=window.pwned=1>"
TURNED = "\u202eevil \u05d0\u05d1\u05d2 👩‍👩‍👧‍👦"


async def test_markup_in_names_and_texts_stays_text(open_: Open, host: Tally) -> None:
    window = await open_(viewport={"width": 360, "height": 740})
    person = Person(PersonId("web:x"), HOSTILE * 300)
    reply = Post(
        title=HOSTILE,
        text=f"{HOSTILE} {TURNED} {'x' * 10_000}",
        picture=PublicPicture(png(10, 10, 1), f'"><script>window.pwned=1</script> {HOSTILE}'),
        rows=((Button(HOSTILE + "x" * 40, "<b>"), Button(TURNED, "y")),),
        call=Call(person, "<b>{person}</b> " + TURNED),
    )
    await chat_of(host).post(LOBBY, reply, "n1")
    await window.say(f"{HOSTILE} {TURNED}")
    await expect(window.newest).to_contain_text(HOSTILE)
    await expect(window.page.locator("article.bot h3")).to_have_text(HOSTILE)
    await expect(window.page.locator("article b, article script, img[src=x]")).to_have_count(0)
    assert await window.run("window.pwned") is None
    assert not await window.is_wider_than_the_screen()


async def test_a_person_with_a_hostile_name_is_a_person_like_any_other(open_: Open, host: Tally) -> None:
    window = await open_()
    for name in (HOSTILE, "ع" * 40, "👩‍👩‍👧‍👦", "x" * 40, "."):
        await window.page.get_by_role("button", name="Add a person").click()
        await window.page.get_by_label("Name", exact=True).fill(name)
        await window.page.get_by_role("button", name="Add", exact=True).click()
        await expect(window.page.locator("#me bdi")).to_have_text(name)
        await window.say("Hello!")
        await expect(window.newest.locator(".author")).to_have_text(name)
    await expect(window.page.locator("#people .entry")).to_have_count(11)
    await expect(window.page.locator("img[src=x]")).to_have_count(0)
    assert not await window.is_wider_than_the_screen()


async def test_ten_thousand_characters_are_cut_and_do_no_harm(open_: Open) -> None:
    window = await open_()
    await window.say("🎲" * 10_000)
    await expect(window.newest.locator(".text")).to_have_text("🎲" * 1000)
    await window.say("/" + "x" * 10_000)
    await expect(window.newest).to_contain_text("Nobody here knows")
    assert not await window.is_wider_than_the_screen()


async def test_nothing_is_sent_by_an_empty_line(open_: Open, host: Tally) -> None:
    window = await open_()
    await window.line.press("Enter")
    await window.line.fill("   ")
    await window.line.press("Enter")
    await window.say("Hello!")
    await expect(window.messages).to_have_count(1)


# ---- places and people -------------------------------------------------------------------------------------------


async def test_a_channel_is_added_by_name_and_unread_messages_are_counted(open_: Open) -> None:
    anna, ben = await open_(), await open_()
    await anna.page.get_by_role("button", name="Add a channel").click()
    await anna.page.get_by_label("Channel name").fill("#Attic")
    await anna.page.keyboard.press("Enter")
    await expect(anna.page.get_by_role("heading", name="Welcome to #attic")).to_be_visible()
    await anna.say("Nice up here.")
    attic = ben.page.locator("#channels .entry").filter(has_text="attic")
    await expect(attic.get_by_label("1 new")).to_be_visible()
    await attic.click()
    await expect(ben.newest).to_contain_text("Nice up here.")
    await expect(attic.get_by_label("1 new")).to_have_count(0)


async def test_the_page_speaks_the_language_of_the_person(open_: Open, host: Tally) -> None:
    window = await open_()
    await window.page.get_by_role("button", name="Change Ben").click()
    await window.page.get_by_label("Language").select_option("Deutsch")
    await window.page.get_by_role("button", name="Save").click()
    await expect(window.line).to_have_attribute("placeholder", texts.say("web", "command.placeholder", "de"))
    await expect(window.page.locator("html")).to_have_attribute("lang", "de")
    await window.say("/view")
    await expect(window.notes).to_contain_text(texts.say("web", "only", "de"))
    await window.be("Anna")
    await expect(window.line).to_have_attribute("placeholder", texts.say("web", "command.placeholder", "en"))
    assert [(update.person.name, update.person.lang) for update in host.heard] == [("Ben", "de")]


async def test_a_reload_comes_back_to_the_same_person_and_place(open_: Open) -> None:
    window = await open_()
    await window.be("Clara")
    await window.page.get_by_role("button", name="table-2").click()
    await expect(window.page.locator("#place")).to_have_text("#table-2")
    await window.say("Back soon.")
    await expect(window.newest).to_contain_text("Back soon.")
    await window.page.reload()
    await expect(window.page.locator("#me")).to_have_text("CClara")
    await expect(window.newest).to_contain_text("Back soon.")


# ---- the connection ----------------------------------------------------------------------------------------------


async def test_the_page_comes_back_by_itself_after_a_restart(open_: Open, host: Tally) -> None:
    window = await open_()
    await window.be("Ben")
    await window.say("Before.")
    await expect(window.newest).to_contain_text("Before.")
    former = chat_of(host)
    port = int(former.url.rstrip("/").rpartition(":")[2])
    await former.stop()
    await expect(window.page.get_by_text(texts.say("web", "offline", "en"))).to_be_visible()
    await window.say("/board")
    host.chat = WebChat(port=port)
    await chat_of(host).start(host, MemoryStorage())
    await expect(window.page.get_by_text("The bot has restarted.")).to_be_visible()
    await expect(window.newest).to_contain_text("There is no game here.")
    await expect(window.page.get_by_text(texts.say("web", "offline", "en"))).to_be_hidden()
    heard = [(update.person.name, update.body) for update in host.heard]
    assert heard == [("Ben", PlainMessage("Before.")), ("Ben", Typed("/board"))]
    await window.page.locator(".fresh").get_by_role("button", name="/board").click()
    await window.say("After.")
    await expect(window.newest).to_contain_text("After.")
    assert [update.body for update in host.heard][2:] == [Typed("/board"), PlainMessage("After.")]


async def test_the_puzzle_of_the_day_is_one_tap_away(open_: Open, host: Tally) -> None:
    window = await open_()
    await window.page.locator(".chip").filter(has_text=texts.say("web", "daily", "en")).click()
    await expect(window.messages).to_have_count(1)
    assert [update.body for update in host.heard] == [Typed("/daily")]


async def test_the_puzzle_has_a_channel_in_which_it_comes_first(open_: Open) -> None:
    window = await open_()
    await window.page.get_by_role("button", name="daily", exact=True).click()
    await expect(window.page.locator("#place")).to_have_text("#daily")
    await expect(window.page.locator(".chip").first).to_contain_text(texts.say("web", "daily", "en"))


async def test_a_page_at_rest_sends_and_asks_nothing(open_: Open) -> None:
    window = await open_()
    traffic: list[str] = []
    window.page.on("request", lambda request: traffic.append(request.url))
    window.page.on("websocket", lambda socket: socket.on("framesent", lambda _: traffic.append("frame")))
    await window.page.reload()
    await expect(window.page.locator("#people .entry")).to_have_count(6)
    await expect(window.page.locator(".chip").first).to_be_visible()  # the last answer
    await window.page.wait_for_load_state("networkidle")
    assert traffic
    traffic.clear()
    await window.page.wait_for_timeout(1500)
    assert traffic == []


# ---- screens, wishes, aids ---------------------------------------------------------------------------------------


async def test_it_fits_a_phone(open_: Open) -> None:
    phone, desk = await open_(**PHONE), await open_()
    assert not await phone.is_wider_than_the_screen()
    await desk.say("/newgame tally")
    await expect(phone.button("Start")).to_be_visible()
    assert not await phone.is_wider_than_the_screen()
    await phone.page.get_by_role("button", name="Channels and people").tap()
    await phone.page.locator("#people .entry").filter(has_text="Ben").tap()
    await expect(phone.page.get_by_role("button", name="You are Ben")).to_be_visible()
    await phone.button("Join").tap()
    await phone.sees_pictures()
    await desk.sees_pictures()
    await desk.press("Start")
    await expect(phone.button("My view")).to_be_visible()
    await phone.lies_still()
    await phone.button("My view").tap()
    await expect(phone.notes).to_be_visible()
    assert not await phone.is_wider_than_the_screen()
    board = await phone.board.locator(".picture img").bounding_box()
    assert board is not None
    assert board["width"] >= 330
    small = """[...document.querySelectorAll("main button:not(.mention, .code), main input")]
        .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
        .map((each) => each.outerHTML)"""
    assert await phone.run(small) == []


async def test_the_drawer_is_out_of_reach_until_it_is_opened(open_: Open) -> None:
    phone = await open_(**PHONE)
    opener = phone.page.get_by_role("button", name="Channels and people", exact=True)
    side = phone.page.locator("#side")
    await expect(side).not_to_be_in_viewport()
    await expect(side).to_be_hidden()
    await opener.press("Enter")
    await expect(side.locator("[aria-current]").filter(has_text="Anna")).to_be_focused()
    await phone.page.keyboard.press("Escape")
    await expect(opener).to_be_focused()
    await expect(side).not_to_be_in_viewport()


KNOWS_MANY = """() => {
  const people = Array.from({ length: 9 }, (_, n) => ({ name: `Guest ${n}` }));
  const channels = Array.from({ length: 9 }, (_, n) => `room-${n}`);
  localStorage.setItem("known", JSON.stringify({ people, channels }));
}"""
CURRENT_IS_WHOLE = """(entry) => {
  const [box, list] = [entry, entry.closest("ul")].map((each) => each.getBoundingClientRect());
  const corners = [box.top + 1, box.bottom - 1].map((y) => document.elementFromPoint(box.left + 20, y));
  return corners.every((each) => each === entry) && list.bottom - box.bottom >= 12; // the rest fades
}"""


async def test_with_many_entries_both_headings_and_the_current_one_are_visible(open_: Open) -> None:
    window = await open_()
    await window.page.evaluate(KNOWS_MANY)
    await window.page.reload()
    await expect(window.page.locator("#people .entry")).to_have_count(15)
    await window.page.locator("#channels .entry").filter(has_text="room-5").click()
    await expect(window.page.locator("#place")).to_have_text("#room-5")
    await window.be("Guest 8")
    for width, height in ((900, 600), (390, 780)):
        await window.page.set_viewport_size({"width": width, "height": height})
        if await window.drawer.is_visible():
            await window.drawer.click()
        for label in ("Add a channel", "Add a person"):
            await expect(window.page.get_by_role("button", name=label)).to_be_in_viewport(ratio=1)
        for current in await window.page.locator("#side [aria-current]").all():
            await window.page.wait_for_function(CURRENT_IS_WHOLE, arg=await current.element_handle())
    await window.page.locator("#people .entry").first.click()
    await expect(window.page.locator("#me")).to_have_text("AAnna")
    await window.drawer.click()
    await expect(window.page.locator("#people")).to_have_js_property("scrollTop", 0)


async def test_the_theme_follows_the_system_until_a_person_chooses(open_: Open) -> None:
    brightness = (
        "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0)"
    )
    dark, light = await open_(color_scheme="dark"), await open_(color_scheme="light")
    assert int(str(await dark.run(brightness))) < 150
    assert int(str(await light.run(brightness))) > 600
    await light.page.get_by_role("button", name="Light or dark").click()
    assert int(str(await light.run(brightness))) < 150
    await light.page.reload()
    assert int(str(await light.run(brightness))) < 150


async def test_nothing_moves_for_those_who_do_not_want_it(open_: Open) -> None:
    window = await open_(reduced_motion="reduce")
    moving = "[...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).transitionDuration !== '0s').length"
    assert await window.run(moving) == 0


async def test_every_button_and_picture_has_a_name(open_: Open) -> None:
    window = await open_()
    await game(window)
    await window.press("Move")
    await expect(window.notes).to_be_visible()
    snapshot = await window.page.locator("body").aria_snapshot()
    things = [line.strip() for line in snapshot.splitlines()]
    assert '- log "Messages":' in things
    assert [line for line in things if line.startswith(("- button", "- img", "- combobox")) and '"' not in line] == []


async def test_everything_is_reached_by_tab_and_shows_the_focus(open_: Open) -> None:
    window = await open_()
    await window.say("/newgame tally")
    await expect(window.button("Start")).to_be_visible()
    await window.page.locator("#theme").focus()
    visited = set[str]()
    for _ in range(60):
        await window.page.keyboard.press("Tab")
        seen = await window.run(
            """(() => { const e = document.activeElement, s = getComputedStyle(e), f = e.closest("form") ?? e;
            if (e === document.body) return ["", ""];
            return [e.id || e.dataset.payload || e.textContent, s.outlineStyle + getComputedStyle(f).boxShadow]; })()"""
        )
        assert isinstance(seen, list)
        visited.add(str(seen[0]))
        if seen[0] != "":
            assert seen[1] != "nonenone", f"no focus to be seen on {seen[0]}"
    assert {"start:", "leave:", "list Level", "line", "#lobby", "BBen", "person-add", "log", "me"} <= visited


# ---- a whole game ------------------------------------------------------------------------------------------------


GOES_ON = "(menu) => (document.querySelector('article.only')?.innerHTML ?? '') !== menu"
"""Whether the private messages have changed."""


@asynccontextmanager
async def table_for_two(
    browser: Chromium, server: str, game: str, **traits: Any
) -> AsyncIterator[tuple[Window, Store]]:
    """Yield the real bot, and a window in which Anna and Ben have begun *game*."""
    async with table_of(("Anna", "Ben"), browser, server, game, RealClock(), **traits) as (window, store, _):
        yield window, store


async def test_decisions_stand_out_for_those_who_have_them_and_for_no_one_else(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    players = ("Anna", "Ben", "Clara")
    async with table_of(players, browser, server, "kabooom easy 8h", clock) as (window, _, service):
        agree, take_seat = (window.button(window.label(what)) for what in ("agree", "seat"))

        async def stands_out(button: Locator, style: str, *names: str) -> None:
            for name in (*players, "David"):
                await window.be(name)
                await expect(button).to_have_class(style if name in names else "plain")

        await clock.advance(timedelta(hours=9))
        await service.do_due()
        await stands_out(take_seat, "danger", "Ben", "Clara")
        await window.be("Ben")
        await window.say("/end")
        await stands_out(agree, "main", "Anna", "Clara")


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_begun_played_and_given_up_on_the_page(
    browser: Chromium, server: str, raw: Redis, game: str
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, game, RealClock()) as (window, store, service):
        luck = random.Random(2)
        held = await store.at(LOBBY)
        assert held is not None
        for _ in range(3):
            loaded = await store.load(held)
            assert loaded is not None
            assert isinstance(loaded.table.state, Raw)
            state = GAMES[game].decode(bytes(loaded.table.state))
            assert state.actor is not None
            await window.be(loaded.table.seats[state.actor].name)
            action = luck.choice(
                [action for action in state.actions() if (state.warns(action) or state.cautions(action)) is None]
            )
            await window.say(f"/move {action}")
            await window.sees_all(service)
        await window.say("/resign")
        await window.notes.locator(".danger").last.click()
        await expect(window.board).to_contain_text(texts.say("table", "button.again", "en"))


async def test_a_click_at_the_side_counts_though_a_badge_comes_between_its_halves(
    browser: Chromium, server: str, raw: Redis
) -> None:
    """A slow press must count: the pressed element must not disappear meanwhile."""
    async with table_for_two(browser, server, "kabooom") as (window, _):
        ben = window.page.locator("#people .entry").filter(has_text="Ben")
        await ben.locator(".name").hover()
        await window.page.mouse.down()
        await window.say("/move r@a1")
        await expect(ben.locator(".turn")).to_be_visible()
        await window.page.mouse.up()
        await expect(window.page.locator("#me")).to_have_text("BBen")


async def test_a_replaced_picture_is_not_loaded_to_its_end(browser: Chromium, server: str, raw: Redis) -> None:
    """On a slow line it would be in the way of the next one."""
    async with table_for_two(browser, server, "kabooom") as (window, _):
        board, held = window.board.locator(".picture img"), list[Route]()
        await window.page.route("**/picture/*", lambda route: held.append(route))  # it never comes
        await window.say("/move r@a1")
        await expect(window.board).to_contain_text("Anna puts")
        await window.be("Ben")
        former = await board.element_handle()
        raw.client_pause(60_000, all=False)
        try:
            await window.say("/move r@b1")
            await expect(window.composer).to_have_attribute("aria-busy", "true")
        finally:
            raw.client_unpause()
        await expect(window.board).to_contain_text("Ben puts")
        await expect(window.composer).to_have_attribute("aria-busy", "false")
        assert await former.evaluate("(picture) => [picture.isConnected, picture.hasAttribute('src')]") == [
            False,
            False,
        ]
        for route in held:  # otherwise playwright's handlers end as pending tasks in a later test
            await route.fulfill()


async def test_a_game_about_remembering_leaves_nothing_to_look_up(browser: Chromium, server: str, raw: Redis) -> None:
    """Two people tap in one window: one board; private menus and pictures disappear with the turn."""
    async with table_for_two(browser, server, "colorio") as (window, _):
        boards = window.page.locator("article.pictured:not(.only)")  # the lobby and one board
        board, note = window.board.locator(".picture img"), window.notes.locator(".picture img")
        cells = window.notes.locator(".row button")
        seen = [await board.get_attribute("src")]
        await window.press("Move")
        await expect(cells).to_have_count(25)
        await expect(window.notes.locator(".row")).to_have_count(5)
        for label in ("a2", "Discard", "b2", "Discard"):
            await window.press(label)
            await expect(board).not_to_have_attribute("src", str(seen[-1]))
            seen.append(await board.get_attribute("src"))
            await expect(boards).to_have_count(2)
        await expect(cells).to_have_count(25)
        await expect(window.notes.locator(".row button:disabled")).to_have_text(["·", "·"])
        await window.board.get_by_role("button", name="Enlarge the picture").click()
        viewer = window.page.locator("#viewer")
        await expect(viewer).to_be_visible()
        await window.is_answered()
        await window.button("b5").evaluate("(button) => button.click()")
        await expect(board).not_to_have_attribute("src", str(seen[-1]))
        seen.append(await board.get_attribute("src"))
        await expect(viewer.locator("img")).to_have_attribute("src", str(seen[-1]))
        await window.is_answered()
        await window.button("Discard").evaluate("(button) => button.click()")
        await expect(viewer).to_be_hidden()
        await expect(window.board).to_contain_text("a2 discarded, b2 discarded, b5 discarded")
        await expect(boards).to_have_count(2)
        await expect(window.notes).to_have_count(0)
        for src in seen:
            assert await window.run(f"fetch('{src}', {{cache: 'no-store'}}).then((answer) => answer.status)") == 404
        window.troubles.clear()  # the pictures that are gone
        await window.be("Ben")
        await window.press("What did I miss?")
        await expect(note).to_have_attribute("alt", re.compile("a2 .blue. and decides"))
        await window.press("Page 1/3 ▶")
        await expect(note).to_have_attribute("alt", re.compile("b2 .blue. and decides"))
        await window.say("/move e2 x a1 >a2 c1 x")
        await expect(window.board).to_contain_text("c1 discarded")
        await expect(window.notes).to_have_count(0)
        await expect(boards).to_have_count(2)


@pytest.mark.parametrize("ends", ["/move r@a1", "/resign"])
async def test_a_menu_goes_when_typed_text_ends_the_turn_or_the_game(
    ends: str, browser: Chromium, server: str, raw: Redis
) -> None:
    """Its buttons would lead nowhere and hide the board."""
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", RealClock()) as (window, _, service):
        await window.press("Move")
        await expect(window.notes).to_have_count(1)
        await window.say(ends)
        if ends == "/resign":
            await window.notes.locator(".danger").last.click()
        await expect(window.notes).to_have_count(0)
        await window.sees_all(service)
        await expect(window.newest.locator(".picture img")).to_be_in_viewport()
        await expect(window.newest.locator(".row").last).to_be_in_viewport()


async def test_a_menu_goes_when_a_typed_action_makes_it_out_of_date(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The turn goes on, and the post has its next choices."""
    async with table_of(("Anna", "Ben"), browser, server, "colorio", clock) as (window, *_):
        await window.press("Move")
        await expect(window.notes).to_have_count(1)
        await window.say("b2")
        await expect(window.notes).to_have_count(0)
        await expect(window.board).to_contain_text("lifts the cap on b2")


async def test_a_question_goes_with_the_turn_in_which_it_was_asked(browser: Chromium, server: str, raw: Redis) -> None:
    """Its answer would be refused."""
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", RealClock()) as (window, _, service):
        await window.say("/resign")
        await expect(window.notes.locator(".danger")).to_have_count(1)
        await window.say("/move r@a1")
        await expect(window.notes).to_have_count(0)
        await window.sees_all(service)


async def test_that_another_game_is_on_is_read_until_it_is_over(browser: Chromium, server: str, raw: Redis) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", RealClock()) as (window, _, service):
        await window.say("/newgame colorio")
        await expect(window.notes).to_contain_text("Kabooom! is already being played here")
        await window.say("/move r@a1")
        await window.sees_all(service)
        await expect(window.notes).to_have_count(1)
        await window.say("/resign")
        await window.notes.locator(".danger").last.click()
        await expect(window.notes).to_have_count(0)
        await window.sees_all(service)


async def test_a_turn_of_several_steps_is_one_private_menu_that_goes_on(
    browser: Chromium, server: str, raw: Redis
) -> None:
    """On a phone: one person sees the steps of a turn in one message; then all people see the whole turn."""
    async with table_for_two(browser, server, "crystalla", **PHONE) as (window, _):
        picture, board = window.notes.locator(".picture img"), window.board.locator(".picture img")
        shown = await board.get_attribute("src")
        await window.press("Move")
        await expect(picture).to_have_attribute("alt", re.compile("keep three cards or swap one"))
        seen = str(await picture.get_attribute("src"))
        for label in ("Keep all three", "1 ", "b ◥", "↶ Undo", "1 ", "c ◥", "2 ", "b ◢"):
            menu = await window.notes.inner_html()
            await window.notes.locator(".row button").filter(has_text=label).first.press("Enter")
            await window.page.wait_for_function(GOES_ON, arg=menu)
            await window.is_answered()
            await expect(window.notes).to_have_count(1)
            assert await board.get_attribute("src") == shown
            assert not await window.is_wider_than_the_screen()
        assert await picture.get_attribute("src") != seen
        await window.button("a ◤").press("Enter")
        await expect(window.board).to_contain_text("Anna: keeps the cards, lays all three on c1, b1 and a1.")
        await expect(window.notes).to_have_count(0)
        await window.be("Ben")
        await window.press("Move")
        menu = await window.notes.inner_html()
        await window.notes.locator(".row button").filter(has_text="Swap card 1").click()
        await window.page.wait_for_function(GOES_ON, arg=menu)
        await window.sees_pictures()
        await window.say("/move 1anw 2anw 3anw")
        await expect(window.board).to_contain_text("Now the walking begins!")


async def test_alone_with_the_bot_the_newest_board_stays_in_sight_on_a_phone(
    browser: Chromium, server: str, raw: Redis
) -> None:
    """The former board loses its buttons after the new one arrives; that must not scroll the page back."""
    async with table_for_two(browser, server, "colorio", **PHONE) as (window, _):
        await window.page.get_by_role("button", name="Channels and people", exact=True).click()
        await window.page.get_by_role("button", name="Me and the bot").click()
        await expect(window.page.locator("#begin-hint")).to_contain_text("Only Anna and the bot can read this chat.")
        await expect(window.page.locator("#begin-title")).to_be_in_viewport(ratio=1)
        await window.page.locator(".chip").filter(has_text="KalejdoSchach").click()
        await window.button("Start").press("Enter")
        await window.button("Play against the house").press("Enter")
        for piece, field in (("3f eagle", "2g"), ("1k roc", "8h")):
            for label in ("Move", piece, field):
                await window.messages.locator(".row button").filter(has_text=label).last.press("Enter")
                await expect(window.page.locator(".busy")).to_have_count(0)  # until then the menu takes no press
            await expect(window.board).to_contain_text(re.compile(r"House \(\w+\):"))
            await expect(window.board).to_contain_text(f"{piece[:2]} → {field}")
            await expect(window.messages.get_by_role("button", name="More")).to_have_count(1)
            await expect(window.board.get_by_role("button", name="More")).to_be_in_viewport()


async def test_a_game_of_the_round_board_is_tapped_to_its_end_on_a_phone(
    browser: Chromium, server: str, raw: Redis
) -> None:
    """A piece, then its target; a move that would lose needs a confirmation; buttons offer and accept a draw."""
    async with table_for_two(browser, server, "kalejdoschach", **PHONE) as (window, _):

        async def taps(*labels: str) -> None:
            for label in labels:
                menu = await window.notes.inner_html() if await window.notes.count() else ""
                await window.messages.locator(".row button").filter(has_text=label).last.press("Enter")
                await window.page.wait_for_function(GOES_ON, arg=menu)
                await window.is_answered()

        await taps("Move", "1j wizard")
        await expect(window.notes).to_contain_text("1j wizard")
        await taps("1b")
        await expect(window.notes).to_contain_text("That leaves you one castle")
        await window.notes.locator(".danger").press("Enter")
        await expect(window.board).to_contain_text("Anna: wizard 1j → 1b.")
        await window.be("Ben")
        await taps("More", "½ Offer a draw")
        await expect(window.notes).to_contain_text("You offer a draw.")
        await expect(window.notes.locator(".picture img")).to_have_attribute("alt", re.compile("Ben wants a draw"))
        assert "offers a draw" not in await window.board.inner_text()
        await taps("5e pawn", "5c")
        await expect(window.board).to_contain_text("Ben offers a draw.")
        await window.be("Anna")
        await window.press("½ Agree to a draw")
        await window.notes.locator(".danger").press("Enter")  # the end of a game needs a confirmation
        await expect(window.board).to_contain_text("A draw between Anna and Ben")
        await expect(window.board).to_contain_text("Rematch")


@pytest.mark.parametrize(
    ("game", "typed", "label", "move"),
    [
        ("kabooom", "stein b", r"Rock ×\d → b\d", r"r@b\d"),
        ("kalejdoschach", "eagle 3", r"3[a-z] eagle → \d[a-z]", r"3[a-z][-+]\d[a-z]"),
    ],
)
async def test_words_are_completed_to_moves_in_words_that_play(
    browser: Chromium, server: str, raw: Redis, game: str, typed: str, label: str, move: str
) -> None:
    async with table_for_two(browser, server, game) as (window, store):
        mention = window.board.locator(".mention")
        if await mention.evaluate("(mention) => mention.tagName === 'BUTTON'"):
            await mention.click()
        await window.line.fill(f"/move {typed}")
        await expect(window.completions.first).to_contain_text(re.compile(label))
        await window.line.press("Tab")
        await expect(window.line).to_have_value(re.compile(f"/move {move}"))
        notation = (await window.line.input_value()).removeprefix("/move ").strip()
        await window.line.press("Enter")
        held = await store.at(LOBBY)
        assert held is not None
        while not (log := await store.log(held)):
            await asyncio.sleep(0.02)
        assert [entry.action for entry in log] == [notation]


async def test_a_bare_move_of_the_actor_plays_and_talk_is_ignored(browser: Chromium, server: str, raw: Redis) -> None:
    async with table_for_two(browser, server, "kabooom") as (window, store):
        held = await store.at(LOBBY)
        assert held is not None
        for name, line in (("Anna", "What about a1?"), ("Ben", "r@a1"), ("Anna", "ok")):
            await window.be(name)
            await window.say(line)
            await expect(window.newest).to_contain_text(line)
        await expect(window.notes).to_have_count(0)
        assert not await store.log(held)
        await window.say("r@a1")
        await expect(window.board).to_contain_text("Anna puts")
        assert [entry.action for entry in await store.log(held)] == ["r@a1"]


async def test_a_film_moves_on_the_page_and_the_proof_is_saved(browser: Chromium, server: str, raw: Redis) -> None:
    async with table_for_two(browser, server, "kabooom") as (window, _):
        await window.say("/move r@a1")
        await expect(window.board).to_contain_text("Anna puts")
        await window.say("/replay")
        film = window.page.locator("img[src$='.gif']")
        await expect(film).to_be_visible()
        await expect(film).to_have_js_property("naturalWidth", 1000)
        await window.say("/resign")
        await window.notes.locator(".danger").last.click()
        await window.board.get_by_role("button", name="More").click()
        await window.page.get_by_role("button", name="Fair-play check").click()
        async with window.page.expect_download() as saving:
            await window.page.get_by_role("link", name=".json").click()
        saved = await saving.value
        assert proof.check(proof.decode((await saved.path()).read_bytes())).outcome is None


async def test_games_leads_to_the_newest_board_here_and_in_another_channel(
    browser: Chromium, server: str, raw: Redis
) -> None:
    async with table_for_two(browser, server, "kabooom") as (window, _):
        await window.say("/move r@a1")
        await expect(window.board).to_contain_text("Anna puts")
        await window.say("/newgame colorio")
        await window.page.locator("#channels .entry").filter(has_text="table-2").click()
        await expect(window.page.locator("#place")).to_have_text("#table-2")
        await window.say("/newgame colorio")
        await expect(window.newest).to_contain_text("who's playing?")
        for number in range(30):
            await window.say(f"line {number}")
        await window.say("/games")
        await window.page.get_by_role("link", name="1. Colorio ↗").click()
        await expect(window.page.locator("article:focus")).to_contain_text("who's playing?")
        await expect(window.page.locator("article:focus")).to_be_in_viewport()
        await window.page.get_by_role("link", name="2. Kabooom! ↗").click()
        await expect(window.page.locator("#place")).to_have_text("#lobby")
        await expect(window.page.locator("article:focus")).to_contain_text("Anna puts")
        await expect(window.board.locator(".picture img")).to_be_in_viewport()


async def test_games_names_ones_own_chat_with_the_bot_beside_a_game_there_and_leads_to_it(
    browser: Chromium, server: str, raw: Redis
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", RealClock()) as (window, *_):
        await window.page.get_by_role("button", name="Me and the bot").click()
        await expect(window.page.locator("#place")).to_have_text("Me and the bot")
        await window.page.locator(".chip").filter(has_text="Colorio").click()
        await expect(window.newest).to_contain_text("who's playing?")
        await window.page.locator("#channels .entry").filter(has_text="lobby").click()
        await expect(window.page.locator("#place")).to_have_text("#lobby")
        await window.say("/games")
        way = window.page.get_by_role("link", name="Colorio ↗")
        await expect(way).to_have_attribute("data-place", " Me and the bot")
        await way.click()
        await expect(window.page.locator("#place")).to_have_text("Me and the bot")
        await expect(window.page.locator("article:focus")).to_contain_text("who's playing?")


async def test_a_link_opens_in_another_tab_too(browser: Chromium, server: str, raw: Redis) -> None:
    async with table_for_two(browser, server, "kabooom") as (window, _):
        await window.page.locator("#channels .entry").filter(has_text="table-2").click()
        await expect(window.page.locator("#place")).to_have_text("#table-2")
        await window.say("/games")
        way = window.page.get_by_role("link", name="Kabooom! ↗")
        address = await way.get_attribute("href")
        tab = Window(await window.page.context.new_page())
        await tab.page.goto(f"{window.page.url.partition('#')[0]}{address}")
        await expect(tab.page.locator("#place")).to_have_text("#lobby")
        await expect(tab.page.locator("article:focus .picture img")).to_be_in_viewport()
