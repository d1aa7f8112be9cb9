"""The chat page on a phone, in a real browser: the current task stays visible, and no input is lost."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from io import BytesIO

import pytest
import pytest_asyncio
from PIL import Image
from playwright.async_api import Locator, Route, WebSocketRoute, expect
from redis import Redis

import texts
from bot.adapters.on_web.chat import WebChat
from bot.app import build
from bot.chat import Person, PersonId, Place, PlaceId
from bot.delivery.painting import Pictures
from bot.requests import payload
from renderers.palette import contrast
from rules import GAMES
from rules.lessons import lesson
from tests.bot.adapters.browser import LOCALES, PHONE, Chromium, Window, table_of
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.adapters.tally import Tally
from tests.bot.conftest import HandClock
from tests.bot.talk import elsewhere

pytestmark = pytest.mark.asyncio(loop_scope="session")
in_each_language = pytest.mark.parametrize("lang", texts.languages())
"""For layouts that depend on the length of words."""


def told_of(game: str, lang: str) -> int:
    """Return the length of the texts about *game*; the ids beside them are the same in every language."""
    return len(texts.source(game, lang).read_text(encoding="utf-8"))


in_each_game = pytest.mark.parametrize(
    ("game", "lang"),
    [
        *((game, max(texts.languages(), key=lambda lang: told_of(game, lang))) for game in GAMES),
        *((game, min(texts.languages(), key=lambda lang: told_of(game, lang))) for game in [*GAMES][:1]),
    ],
)
"""Each game in the language with the longer texts about it; one of them in the other language too."""

EMOJI = re.compile("[\U0001f000-\U0001faff\u23e9-\u23fa\u2600-\u27bf\u2b1b\u2b1c\u2b50\u25e2-\u25e5\u25ae\u25af]")
TYPED = "✕✗✓☰"
"""Signs in every text font."""


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Chromium, request: pytest.FixtureRequest) -> AsyncIterator[Window]:
    """Yield a phone that shows the page of a small bot, which speaks English; the page may speak another language."""
    lang = getattr(request, "param", "en")
    tally = Tally()
    tally.chat = chat = WebChat(port=0)
    await chat.start(tally, MemoryStorage())
    async with browser.window(locale=LOCALES.get(lang, lang), **PHONE) as window:
        await window.page.goto(chat.url)
        await expect(window.page.locator(".chip").first).to_be_visible()
        yield window
    await chat.stop()


async def in_sight(log: Window, element: Locator) -> None:
    """Check that all of an element is visible among the messages."""
    await expect(element).to_be_in_viewport(ratio=0.99)
    ends = "each.getBoundingClientRect().bottom - document.getElementById('log').getBoundingClientRect().bottom"
    assert await element.evaluate(f"(each) => {ends}") <= 1
    assert log.troubles == []


async def test_the_table_of_a_game_that_was_tapped_is_in_sight(phone: Window) -> None:
    await phone.page.locator(".chip").first.tap()
    await expect(phone.newest).to_contain_text("A new game of Tally")
    await in_sight(phone, phone.newest.locator(".row").first)


FREE = """(sign) => {
  const words = document.createRange();
  words.selectNodeContents(sign);
  const { top, bottom } = words.getBoundingClientRect();
  const boxes = (of) => [...of.querySelectorAll("button")].map((each) => each.getBoundingClientRect());
  const row = sign.parentElement.getBoundingClientRect().top;
  const before = boxes(sign.closest("article")).filter((box) => box.top < row);
  const own = boxes(sign.parentElement);
  return Math.min(...before.map((box) => top - box.bottom), ...own.map((box) => box.top - bottom));
}"""
"""Free pixels above and below the words "more below", up to the next visible buttons: others are under their row."""
UNDER_THE_LAST = """(row) => {
  const last = row.parentElement.lastElementChild;
  return Math.floor(row.getBoundingClientRect().bottom - last.getBoundingClientRect().top);
}"""
MARGIN = 12
"""Pixels of a button that may be under the last row."""
SCROLL_ENDS = """(log) => ({ ends: new Promise((done) => {
  const shown = () => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)));
  log.addEventListener("scrollend", shown, { once: true });
}) })"""
"""Wait for the end of the next scrolling and its event."""
COVERED = """(of) => {
  const under = (button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    const corners = [0.1, 0.9].flatMap((right) => [0.1, 0.9].map((down) => [x + right * width, y + down * height]));
    return !corners.every((corner) => button.contains(document.elementFromPoint(...corner)));
  };
  const buttons = [...of.querySelectorAll(".row button")];
  return ["start", "center", "end", "nearest"].flatMap((block) =>
    [...buttons, ...buttons.toReversed()].filter((button) => {
      button.scrollIntoView({ block });
      return under(button);
    }).map((button) => `${block}: ${button.innerText}`));
}"""
"""The buttons of a message that are covered after they were scrolled into view."""


HALF_SEEN = """(message) => {
  const log = document.getElementById("log").getBoundingClientRect();
  const rows = [...message.querySelectorAll(".row")];
  const last = message.matches(".only") && rows.length > 1 ? rows.at(-1) : null;
  const edge = last ? last.getBoundingClientRect().top : log.bottom;
  const shown = [...message.querySelectorAll(".row :is(button, a, select)")].filter((button) => {
    const { top, bottom } = button.getBoundingClientRect();
    return bottom - 1 > log.top && (top + 1 < edge || last?.contains(button));
  });
  const covered = shown.filter((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    const ways = [0.1, 0.5, 0.9];
    const points = ways.flatMap((right) => ways.map((down) => [x + right * width, y + down * height]));
    return !points.every((point) => button.contains(document.elementFromPoint(...point)));
  });
  const on = last ? last.querySelectorAll("button, a").length : 0;
  return [shown.length > on, covered.map((button) => button.innerText)];
}"""
"""Whether some of a message's choices are visible, and its visible buttons that are covered or cut."""


@in_each_game
async def test_visible_buttons_of_a_new_message_are_neither_covered_nor_cut(
    game: str, lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The first board and its menu, a lobby and its options."""
    large = {**PHONE, "viewport": {"width": 390, "height": 780}}

    async def looks() -> None:
        await expect(window.newest.locator(".row").first).to_be_attached()
        offers, covered = await window.newest.evaluate(HALF_SEEN)
        assert not await window.is_wider_than_the_screen()
        assert offers, await window.newest.inner_text()
        assert covered == [], await window.newest.inner_text()

    async with table_of(("Anna",), browser, server, game, clock, lang, **large) as (window, *_):
        await looks()
        await window.press(window.label("move"))
        await expect(window.newest).to_have_class(re.compile("only"))
        await looks()
        await window.say("/end")
        await window.button(window.label("end")).press("Enter")  # so soon, a click at this spot would be a slip
        await expect(window.board).to_contain_text(window.label("again"))
        await window.say(f"/newgame {game}")
        await expect(window.newest).to_contain_text(window.label("join"))
        await looks()
        await window.press(window.label("options"))
        await expect(window.newest.locator(".pick").first).to_be_visible()
        await looks()


async def beside_the_board(window: Window) -> tuple[bytes, set[object]]:
    """Return the pixels left and right of a menu's board, on the frame and outside it, and the colours inside."""
    menu, board = [await window.notes.locator(text).bounding_box() for text in (".body", ".board")]
    assert menu is not None
    assert board is not None
    look = Image.open(BytesIO(await window.page.screenshot())).convert("RGB")
    top, bottom = int(board["y"]) + 4, int(board["y"] + board["height"]) - 4
    left, right = int(menu["x"]), int(menu["x"] + menu["width"])
    frame = b"".join(look.crop((x, top, x + 6, bottom)).tobytes() for x in (left - 4, right - 2))
    return frame, {colour for _, colour in look.crop((left + 3, top, int(board["x"]) - 1, bottom)).getcolors() or ()}


async def test_a_menus_frame_is_whole_and_its_board_covers_scrolled_text(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kaleidoskop", clock, **PHONE) as (window, *_):
        await window.press(window.label("move"))
        board = window.notes.locator(".board")
        for width, height in ((390, 620), (1100, 620)):
            await window.page.set_viewport_size({"width": width, "height": height})
            await expect(board.locator("img")).to_have_js_property("complete", True)
            await window.page.locator("#log").evaluate("(log) => { log.scrollTop += 300; }")
            framed, within = await beside_the_board(window)
            assert len(within) == 1
            await board.evaluate("(board) => { board.style.visibility = 'hidden'; }")
            alone, under = await beside_the_board(window)
            assert alone == framed
            assert len(under) > 1, "its buttons lie there"
            await board.evaluate("(board) => { board.style.visibility = ''; }")


@in_each_game
async def test_the_board_of_a_lesson_is_large_enough_to_be_read_however_much_is_said(
    game: str, lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The result of the last step, the next task, the board, a choice and the way on: no visible button is covered
    or beyond the edge, also after the last step."""
    large = {**PHONE, "viewport": {"width": 390, "height": 780}}
    async with table_of(("Anna",), browser, server, game, clock, lang, **large) as (window, *_):
        await window.say(f"/learn {game}")
        on = window.newest.get_by_role("button", name=window.label("next"), exact=True)
        for number, step in enumerate(lesson(game)):
            right = window.newest.locator(
                f".row [data-payload='{payload.write('learn', game, number, step.right[0])}']"
            )
            await expect(right.or_(on)).to_be_attached()
            await window.is_answered()
            if await on.count():  # the next step has another position
                await on.press("Enter")
                await expect(right).to_be_attached()
                await window.is_answered()
            wide = await window.newest.locator(".picture").evaluate("(each) => each.offsetWidth")
            assert wide >= 270, await window.newest.inner_text()
            assert await window.newest.evaluate(HALF_SEEN) == [True, []]
            assert not await window.is_wider_than_the_screen()
            await right.press("Enter")
        await expect(right).to_have_count(0)
        assert await window.newest.evaluate(HALF_SEEN) == [True, []]


async def test_back_closes_the_drawer_and_leaves_the_page_alone(phone: Window) -> None:
    side, address = phone.page.locator("#side"), phone.page.url
    for _ in range(2):
        await phone.drawer.tap()
        await expect(side).to_be_visible()
        await phone.page.evaluate("history.back()")
        await expect(side).to_be_hidden()
    assert phone.page.url == address


@in_each_language
async def test_on_a_phone_held_sideways_the_board_is_beside_its_buttons(
    lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    flat = {**PHONE, "viewport": {"width": 844, "height": 390}}
    async with table_of(("Anna",), browser, server, "kabooom", clock, lang, **flat) as (window, *_):
        await expect(window.newest.locator(".picture img")).to_have_js_property("complete", True)
        await expect(window.newest.locator(".picture img")).to_be_in_viewport(ratio=0.95)
        await in_sight(window, window.newest.locator(".row").first)
        assert await window.newest.locator(".picture").evaluate("(each) => each.offsetHeight") >= 180
        await window.press(window.label("move"))
        await expect(window.notes.locator(".picture img")).to_have_js_property("complete", True)
        await in_sight(window, window.notes.locator(".row").first)
        await expect(window.notes.locator(".picture img")).to_be_in_viewport(ratio=0.9)
        assert not await window.is_wider_than_the_screen()


@in_each_language
async def test_quiet_hours_are_hours_of_the_browsers_time_zone(
    lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    there = {**PHONE, "timezone_id": "Europe/Vienna"}
    async with table_of(("Anna",), browser, server, "kabooom", clock, lang, **there) as (window, *_):
        await window.say("/settings")
        await window.press(texts.say("table", "settings.me", lang))
        await expect(window.newest).to_contain_text(re.compile(r":\d\d.* \(Berlin\)"))


HEAD = """(message) => {
  const [log, head] = [document.getElementById("log"), message.querySelector("header")];
  return head.getBoundingClientRect().top - log.getBoundingClientRect().top;
}"""
"""Pixels from the upper edge of the messages to the head of this one."""
ROOM = """(message) => {
  const [body, picture] = [message.querySelector(".body"), message.querySelector(".picture")];
  return picture.offsetWidth / body.clientWidth;
}"""


@in_each_game
async def test_a_menu_opens_with_its_head_visible_and_its_board_shrinks(
    game: str, lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The board, the first and the last buttons are in sight together. A menu that does not fit as a whole has a larger
    board; one that does promises no more below.
    """

    async def opens() -> None:
        await window.press(window.label("move"))
        await expect(window.notes.locator(".picture img")).to_have_js_property("complete", True)
        await expect(window.notes.locator(".part")).not_to_have_count(0)
        assert await window.notes.evaluate(HEAD) >= 0
        await expect(window.notes.locator(".picture img")).to_be_in_viewport(ratio=0.9)
        await in_sight(window, window.notes.locator(".row").first)
        await in_sight(window, window.notes.locator(".row").last)
        fits = await window.notes.evaluate("(each) => each.offsetHeight <= document.getElementById('log').clientHeight")
        assert await window.notes.evaluate(ROOM) >= (0.75 if fits else 0.83)
        await expect(window.notes.locator(".below")).to_have_count(0 if fits else 1)

    small = {**PHONE, "viewport": {"width": 360, "height": 740}}
    async with table_of(("Anna", "Ben"), browser, server, game, clock, lang, **small) as (window, *_):
        assert await window.board.evaluate(HEAD) >= 0
        await window.board.locator(".mention").click()
        await opens()
        await window.notes.locator(".dismiss").click()
        await expect(window.notes).to_have_count(0)
        await window.page.set_viewport_size({"width": 390, "height": 780})
        await opens()


@in_each_language
@pytest.mark.parametrize("upright", [True, False], ids=["upright", "sideways"])
async def test_a_button_scrolled_into_view_is_not_covered(
    upright: bool, lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """It is covered neither by the board of its menu nor by the last buttons, which stay in sight."""
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, lang, **PHONE) as (window, *_):
        await window.press(window.label("move"))
        await expect(window.notes.locator(".row button")).not_to_have_count(0)
        if not upright:
            await window.page.set_viewport_size({"width": 740, "height": 360})
        await expect(window.notes.locator(".picture img")).to_have_js_property("complete", True)
        assert await window.notes.evaluate(COVERED) == []


async def test_the_board_of_a_menu_that_is_scrolled_away_covers_none_of_its_buttons(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """A menu of six colours that fits the window, above lines that were typed after it."""
    hidden = """(menu) => {
      const log = document.getElementById("log");
      const board = menu.querySelector(".board");
      const hides = (button) => button.getBoundingClientRect().top < board.getBoundingClientRect().bottom;
      return Array.from({ length: log.scrollHeight / 20 }, (_, step) => {
        log.scrollTop = 20 * step;
        return [...menu.querySelectorAll(".row:not(:last-child) button")].filter(hides);
      }).flat().map((button) => button.innerText);
    }"""
    large = {**PHONE, "viewport": {"width": 390, "height": 844}}
    async with table_of(("Anna", "Ben"), browser, server, "kaleidoskop", clock, **large) as (window, *_):
        await window.lies_still()
        await window.board.get_by_role("button", name="22", exact=True).press("Enter")
        await expect(window.notes).to_contain_text("Which colour?")
        await expect(window.notes.locator(".row button")).to_have_count(8)
        for number in range(6):
            await window.say(f"line {number}")
        await expect(window.newest).to_contain_text("line 5")
        assert await window.notes.evaluate("(menu) => menu.offsetHeight < document.getElementById('log').clientHeight")
        assert await window.notes.evaluate(hidden) == []


@in_each_language
async def test_a_board_that_becomes_tappable_leaves_its_buttons_in_place(
    lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The picture grows at that moment, and its tappable places arrive after the board: a thumb may be on its way."""
    come, released = asyncio.Event(), asyncio.Event()

    def on_the_way(line: WebSocketRoute) -> None:
        async def tells(frame: str | bytes) -> None:
            if json.loads(frame)["kind"] == "parts":
                released.set()
                await come.wait()
            line.send(frame)

        line.connect_to_server().on_message(tells)

    low = {**PHONE, "viewport": {"width": 360, "height": 660}}
    async with table_of(("Anna", "Ben", "Clara", "David"), browser, server, "crystalla", clock, lang, **low) as (
        window,
        *_,
    ):
        again = Window(await window.page.context.new_page())
        await again.page.route_web_socket(re.compile("/live"), on_the_way)
        await again.page.goto(window.page.url)
        await again.board.locator("button.mention").click()
        await released.wait()
        button, picture = again.board.locator(".row button").first, again.board.locator(".picture")
        before, small = await button.bounding_box(), await picture.bounding_box()
        come.set()
        await expect(again.board.locator(".part")).not_to_have_count(0)
        after, large = await button.bounding_box(), await picture.bounding_box()
        assert before and after and small and large  # noqa: PT018
        assert large["height"] > small["height"] + 20
        assert after["y"] == pytest.approx(before["y"], abs=1)
        assert again.troubles == []


@in_each_language
async def test_the_way_to_the_next_page_of_rules_is_in_sight(
    lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "crystalla", clock, lang, **PHONE) as (window, *_):
        await window.say("/rules crystalla")
        for _ in range(3):
            await expect(window.notes.locator(".row").last).to_be_attached()
            await in_sight(window, window.notes.locator(".row").last)
            shown = await window.notes.inner_text()
            await window.notes.locator(".row button").filter(has_text="▶").last.press("Enter")
            await expect(window.notes).not_to_have_text(shown)


@in_each_language
async def test_text_below_a_menus_last_buttons_is_announced_one_tap_away(
    lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """One visible row must not look like all buttons."""
    traits = {**PHONE, "viewport": {"width": 390, "height": 780}}
    async with table_of(("Anna", "Ben"), browser, server, "kaleidoskop", clock, lang, **traits) as (window, *_):
        await window.press(window.label("move"))
        rows, more = window.notes.locator(".row"), window.notes.locator(".below")
        await expect(rows.nth(-2)).not_to_be_in_viewport(ratio=0.99)
        await expect(more).to_be_in_viewport()
        assert await more.evaluate(FREE) >= 2
        while await rows.nth(-2).evaluate(UNDER_THE_LAST) > MARGIN:
            before = await rows.nth(-2).evaluate(UNDER_THE_LAST)
            await expect(more).to_have_text(texts.say("web", "below", lang))
            await expect(more).to_be_in_viewport()
            scroll = await window.page.locator("#log").evaluate_handle(SCROLL_ENDS)
            await more.tap()
            await scroll.evaluate("(scroll) => scroll.ends")
            assert await rows.nth(-2).evaluate(UNDER_THE_LAST) < before
        await expect(more).to_have_count(0)
        await in_sight(window, rows.last)


async def test_to_join_is_offered_to_those_who_are_not_at_the_table(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """Only those who may start are offered to."""
    async with table_of(("Anna",), browser, server, "kabooom", clock, **PHONE) as (window, *_):
        await window.say("/end")
        await window.press(window.label("end"))
        await expect(window.board).to_contain_text(window.label("again"))
        await window.say("/newgame kabooom")
        start, join = (window.button(window.label(what)) for what in ("start", "join"))
        await expect(start).to_have_class("main")
        await expect(join).to_have_count(0)
        await window.be("Ben")
        await expect(join).to_have_class("main")
        await expect(start).to_have_class("plain")  # only Anna may start
        await join.press("Enter")
        await expect(join).to_have_count(0)


async def test_short_lines_cover_nothing_that_is_read(phone: Window) -> None:
    await phone.page.locator(".chip").first.tap()
    await expect(phone.button("Start")).to_be_visible()
    await phone.say("/join")
    line = phone.page.locator("#toasts p")
    await expect(line).to_have_text("You are in already.")
    covers = (
        "(line) => line.getBoundingClientRect().top < document.getElementById('log').getBoundingClientRect().bottom"
    )
    assert not await line.evaluate(covers)
    await line.tap()
    await expect(line).to_have_count(0)
    await expect(phone.line).to_be_focused()


@in_each_language
async def test_a_toast_with_a_link_covers_no_text(
    lang: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, lang, **PHONE) as (window, _, service):
        people = [Person(PersonId(f"web:{name.lower()}"), name, lang) for name in ("Anna", "Ben")]
        await elsewhere.begins(service, Place(PlaceId("web:table-2")), people)
        await window.say("/move r@a1")
        line = window.page.locator("#toasts p")
        await expect(line).to_contain_text(texts.say("table", "games.next", lang, n=1))
        covers = (
            "(line) => line.getBoundingClientRect().top < document.getElementById('log').getBoundingClientRect().bottom"
        )
        assert not await line.evaluate(covers)
        assert await line.evaluate("(line) => line.closest('#composer').offsetHeight") <= 64
        assert await line.locator("a").evaluate(
            "(way) => way.scrollWidth <= way.clientWidth"
        )  # with the channel's name
        await line.locator("a").tap()
        await expect(window.page.locator("#place")).to_have_text(f"#{texts.say('web', 'channel.second', lang)}")
        await expect(window.page.locator("article:focus .picture img")).to_be_in_viewport()
        await expect(line).to_have_count(0)


@in_each_language
@pytest.mark.parametrize(
    ("game", "turn", "elsewhere_too"),
    [("crystalla", "keep 1ane 2bnw 3csw", ()), ("colorio", "a2 x b2 x c2 x", ("web:table-2", "web:table-3"))],
    ids=["crystalla", "colorio"],
)
async def test_a_toast_about_a_turn_covers_nothing_and_names_waiting_games(
    game: str,
    turn: str,
    elsewhere_too: tuple[str, ...],
    lang: str,
    browser: Chromium,
    server: str,
    raw: Redis,
    clock: HandClock,
) -> None:
    """The list of moves is shortened like on the board; the line about other games is complete."""
    async with table_of(("Anna", "Ben"), browser, server, game, clock, lang, **PHONE) as (window, _, service):
        people = [Person(PersonId(f"web:{name.lower()}"), name, lang) for name in ("Anna", "Ben")]
        for place in elsewhere_too:
            await elsewhere.begins(service, Place(PlaceId(place)), people)
        await window.say(f"/move {turn}")
        line = window.page.locator("#toasts p")
        await expect(line).to_be_visible()
        above = (
            "(line) => document.getElementById('log').getBoundingClientRect().bottom - line.getBoundingClientRect().top"
        )
        assert await line.evaluate(above) <= 0
        assert await line.evaluate("(line) => line.scrollHeight <= line.clientHeight")
        if elsewhere_too:
            last = line.locator(".line").last
            await expect(last).to_have_text(texts.say("table", "games.next", lang, n=len(elsewhere_too)))
            assert await last.evaluate("(last) => last.scrollHeight <= last.clientHeight")


async def test_the_arrow_of_a_shortened_link_in_a_toast_stays(phone: Window) -> None:
    inside = await phone.page.evaluate("""async () => {
      const { link } = await import("/message.js");
      const label = "A game that has a name of some length ↗";
      const way = link({ label, link: "#web:x/1", style: "plain" }, { place: () => "#somewhere-rather-far-away" });
      const line = document.createElement("p");
      line.append(way);
      document.getElementById("toasts").append(line);
      const arrow = document.createRange();
      arrow.selectNode(way.querySelector(".label").lastChild);
      const [name, box, sign] = [way.querySelector(".name"), way, arrow].map((each) => each.getBoundingClientRect());
      return name.right <= sign.left + 1 && sign.width > 8 && sign.right < box.right;
    }""")
    assert inside


async def test_a_tap_before_ones_turn_opens_no_card_that_must_be_closed(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **PHONE) as (window, *_):
        await window.be("Ben")
        line = window.page.locator("#toasts p")
        for _ in range(2):
            await window.is_answered()
            await window.board.get_by_role("button", name=window.label("move"), exact=True).press("Enter")
            await expect(line).to_have_text("It's Anna's turn right now.")
            await line.tap()
            await expect(line).to_have_count(0)
        await expect(window.notes).to_have_count(0)
        await window.say("/move r@a1")
        await expect(window.notes).to_contain_text("It's Anna's turn right now.")
        await window.be("Anna")
        await window.say("/move r@a1")
        await expect(window.board).to_contain_text("Anna puts")
        await window.be("Ben")
        await expect(window.board).to_contain_text("Anna puts")
        await expect(window.notes).to_have_count(0)


MEETS = """() => {
  let now = performance.now();
  performance.now = () => now;
  const at = ([x, y]) => document.elementFromPoint(x, y)?.closest(".row button, .picture");
  const before = [...document.querySelectorAll(".row button")].map((button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return [button, button.innerText, [x + width / 2, y + height / 2]];
  }).filter(([button, , middle]) => at(middle) === button);
  const met = new Promise((told) => {
    const looks = () => {
      const [, label, middle] = before.find(([, label, middle]) => {
        const met = at(middle);
        return met?.matches(".row button") && met.innerText !== label;
      }) ?? [];
      if (!middle || document.querySelector(".busy")) return requestAnimationFrame(looks);
      const [met, [clientX, clientY]] = [at(middle), middle];
      const taps = () => {
        const tap = new PointerEvent("click", { bubbles: true, detail: 1, clientX, clientY, pointerType: "touch" });
        Object.defineProperty(tap, "timeStamp", { value: now });
        met.dispatchEvent(tap);
        return document.querySelector(".busy") !== null;
      };
      const early = taps();
      now += 900;
      told([label, met.innerText, early, taps()]);
    };
    const seer = new MutationObserver(() => {
      seer.disconnect();
      requestAnimationFrame(looks);
    });
    seer.observe(document.getElementById("messages"), { childList: true });
  });
  return { met, passes: (ms) => { now += ms; } };
}"""
"""The button a person was about to tap, the element that a new message moved there, and whether a tap counts at once
and after a while. From here on the test controls the page's time."""


async def test_a_tap_on_a_button_that_just_moved_there_presses_nothing(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **PHONE) as (window, *_):
        other = Window(await window.page.context.new_page())
        await other.page.goto(window.page.url)
        await window.be("Ben")
        await other.be("Anna")
        await window.press(window.label("more"))
        await expect(window.notes.locator(".row button")).not_to_have_count(0)
        await window.is_answered()
        meets = await window.page.evaluate_handle(MEETS)
        await meets.evaluate("(meets) => meets.passes(1100)")
        await other.say("/move r@a1")
        meant, fulfilled, early, late = await meets.evaluate("(meets) => meets.met")
        assert meant != fulfilled
        assert (early, late) == (False, True)


async def test_the_result_of_a_slow_tap_does_not_surprise(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    large = {**PHONE, "viewport": {"width": 390, "height": 844}}
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **large) as (window, *_):
        await window.press(window.label("move"))
        await window.notes.locator(".row button").first.tap()
        place = window.notes.locator(".row button", has_text="f4")
        await expect(place).to_be_visible()
        await window.is_answered()
        await place.scroll_into_view_if_needed()
        meets = await window.page.evaluate_handle(MEETS)
        raw.client_pause(60_000, all=False)
        try:
            await place.tap()
            await expect(window.composer).to_have_attribute("aria-busy", "true")
            await meets.evaluate("(meets) => meets.passes(1500)")
        finally:
            raw.client_unpause()
        meant, fulfilled, early, _ = await meets.evaluate("(meets) => meets.met")
        assert meant != fulfilled
        assert early


async def test_the_board_of_the_own_turn_is_neither_shrunk_nor_covered_for_text(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """A text that does not fit is whole, and above the edge: the board is in sight."""
    low = {**PHONE, "viewport": {"width": 360, "height": 590}}
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **low) as (window, *_):
        await window.say("/move r@a1")
        await window.be("Ben")
        await expect(window.board.locator(".part")).not_to_have_count(0)
        picture, text = window.board.locator(".picture"), window.board.locator(".text")
        await in_sight(window, picture)
        assert await picture.evaluate("(each) => each.offsetWidth / each.parentElement.offsetWidth") > 0.95
        assert await text.evaluate("(each) => each.scrollHeight === each.clientHeight")
        assert await text.evaluate(
            "(each) => each.getBoundingClientRect().top < document.getElementById('log').getBoundingClientRect().top"
        )


async def test_a_last_board_that_does_not_fit_is_scrolled_and_not_shrunk(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    low = {**PHONE, "viewport": {"width": 360, "height": 560}}
    async with table_of(("Anna", "Ben"), browser, server, "kaleidoskop", clock, **low) as (window, *_):
        await window.say("/move 10 red")
        await expect(window.board).to_contain_text("red into well 10")
        await window.say("/resign")
        await window.notes.locator(".danger").last.tap()
        await expect(window.board).to_contain_text("wins")
        wide = await window.board.locator(".picture").evaluate(
            "(each) => each.offsetWidth / each.parentElement.offsetWidth"
        )
        assert wide > 0.95


@pytest.mark.parametrize(("motion", "plays"), [("reduce", "none"), ("no-preference", "shimmer")])
async def test_the_end_of_a_game_is_a_moment_on_a_phone(
    browser: Chromium, server: str, raw: Redis, clock: HandClock, motion: str, plays: str
) -> None:
    """A headline, words of one's own, the winner's pieces, and all buttons in sight."""
    traits = {**PHONE, "reduced_motion": motion}
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **traits) as (window, *_):
        await window.say("/move 3d-3b")
        await expect(window.board).to_contain_text("@Ben, it's your turn")
        await window.say("/resign")
        await window.notes.locator(".danger").last.tap()
        await expect(window.board.locator("h3")).to_contain_text("Ben wins")
        await expect(window.board.locator(".own")).to_have_text("You lost.")
        pieces = window.board.locator(".shimmer polygon")
        assert await pieces.count() > 0
        assert await pieces.first.evaluate("(piece) => getComputedStyle(piece).animationName") == plays
        await window.lies_still()
        for label in ("Rematch", "How it went", "What happened", "Share", "More"):
            await expect(window.board.get_by_role("button", name=label, exact=True)).to_be_in_viewport(ratio=1)
        await window.be("Ben")
        await expect(window.board.locator(".own")).to_contain_text("You won!")
        await expect(window.board.locator(".shimmer")).to_have_count(0)  # once is enough


async def test_a_finished_game_is_copied_and_told_below_its_chart(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom easy", clock, **PHONE) as (window, _, service):
        await window.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        await window.say("/move b1-c1")
        await window.say("/resign")
        await window.notes.locator(".danger").last.tap()
        await expect(window.board.locator("h3")).to_contain_text("Ben wins")
        await window.press("Share")
        text = await window.notes.last.locator(".paste").text_content()
        await window.press("Copy the text")
        await expect(window.page.locator("#toasts")).to_contain_text("Copied")
        assert await window.run("navigator.clipboard.readText()") == text
        await window.press("How it went")
        await service.idle()
        analysis = window.messages.filter(has_text="analysis").filter(has=window.page.locator(".picture"))
        await expect(analysis).to_be_visible()
        chart, words = [await analysis.locator(part).bounding_box() for part in (".picture", ".text")]
        assert chart is not None
        assert words is not None
        assert chart["y"] < words["y"]
        assert chart["width"] > 320


async def test_a_finished_analysis_is_announced_in_another_channel(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The analysis arrives after the reader has left its channel."""
    has_left = asyncio.Event()

    def on_the_way(line: WebSocketRoute) -> None:
        async def tells(frame: str | bytes) -> None:
            if '"kind":"chart"' in str(frame):
                await has_left.wait()
            line.send(frame)

        line.connect_to_server().on_message(tells)

    async with table_of(("Anna", "Ben"), browser, server, "kabooom easy", clock, **PHONE) as (first, _, service):
        window = Window(await first.page.context.new_page())
        await window.page.route_web_socket(re.compile("/live"), on_the_way)
        await window.page.goto(first.page.url)
        await window.say("/move b1-c1")
        await window.say("/resign")
        await window.notes.locator(".danger").last.tap()
        await expect(window.board.locator("h3")).to_contain_text("Ben wins")
        await window.press("How it went")
        await window.drawer.tap()
        await window.page.locator("#channels .entry").nth(1).tap()
        await expect(window.messages).to_have_count(0)
        has_left.set()
        await service.idle()
        toast = window.page.locator("#toasts")
        await expect(toast).to_contain_text("analysis")
        await toast.locator("a").tap()
        await expect(window.messages.filter(has_text="analysis").last).to_be_in_viewport()


@pytest.mark.parametrize("typed", [True, False], ids=["typed", "pressed"])
async def test_thinking_is_visible_while_a_hint_is_worked_out(
    browser: Chromium, server: str, raw: Redis, clock: HandClock, typed: bool
) -> None:
    async with table_of(("Anna",), browser, server, "kabooom easy", clock, **PHONE) as (window, *_):
        if not typed:
            await window.press("More")
            await expect(window.button("Hint")).to_be_visible()
            await window.is_answered()
        raw.client_pause(60_000, all=False)
        try:
            await (window.say("/hint") if typed else window.button("Hint").tap())
            await expect(window.line).to_have_attribute("placeholder", "thinking …")
        finally:
            raw.client_unpause()
        await expect(window.notes.filter(has_text="I'd play")).to_be_visible()
        await expect(window.line).to_have_attribute("placeholder", texts.say("web", "command.placeholder", "en"))


async def test_loading_pictures_keep_their_place(browser: Chromium, server: str, raw: Redis, clock: HandClock) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom easy", clock, **PHONE) as (window, *_):
        may_load = asyncio.Event()

        async def holds(route: Route) -> None:
            await may_load.wait()
            await route.continue_()

        await window.page.route("**/picture/*", holds)
        await window.say("/view")
        picture = window.notes.last.locator(".picture img")
        await expect(picture).to_be_visible()
        empty = await picture.bounding_box()
        may_load.set()
        await expect(picture).to_have_js_property("complete", True)
        await window.sees_pictures()
        assert await picture.bounding_box() == empty


async def test_the_sign_of_new_messages_covers_no_message_and_no_command_line(phone: Window) -> None:
    await phone.run("document.getElementById('newer').hidden = false")
    for typed in ("", "/move"):
        await phone.line.fill(typed)
        await expect(phone.line).to_be_focused()
        log, sign, line = [
            await each.bounding_box() for each in (phone.page.locator("#log"), phone.page.locator("#newer"), phone.line)
        ]
        assert log is not None
        assert sign is not None
        assert line is not None
        assert log["y"] + log["height"] <= sign["y"]
        assert sign["y"] + sign["height"] <= line["y"]


async def test_several_private_answers_close_at_once(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **PHONE) as (window, *_):
        closes = window.page.get_by_role("button", name="Close all")
        await window.say("/view")
        await expect(window.notes).to_have_count(1)
        await expect(closes).to_have_count(0)
        await window.say("/verify")
        await expect(window.notes).to_have_count(2)
        await window.press("Move")
        await expect(window.notes).to_have_count(3)
        for sign in (closes, window.notes.last.locator(".larger"), window.notes.last.locator(".dismiss")):
            await expect(sign).to_be_in_viewport(ratio=1)  # the head of a menu has room for all of them
        await closes.tap()
        await expect(window.notes).to_have_count(0)
        await expect(closes).to_have_count(0)


async def test_back_closes_an_enlarged_picture_and_nothing_else(phone: Window) -> None:
    await phone.say("/view")
    viewer = phone.page.locator("#viewer")
    address = phone.page.url
    await phone.newest.locator(".picture").tap()
    await phone.page.locator("#viewer-close").tap()
    await expect(viewer).to_be_hidden()
    for _ in range(2):
        await phone.newest.locator(".picture").tap()
        await expect(viewer).to_be_visible()
        await phone.page.go_back()
        await expect(viewer).to_be_hidden()
        assert phone.page.url == address
        await expect(phone.newest).to_contain_text("Secret of Anna")


async def test_a_line_that_is_too_long_is_said_to_be_cut(phone: Window) -> None:
    await phone.say("a" * 2500)
    await expect(phone.newest.locator(".text")).to_have_text("a" * 2000)
    await expect(phone.page.locator("#toasts p")).to_contain_text("2000")


@pytest.mark.parametrize("phone", texts.languages(), indirect=True)
async def test_the_drawer_closes_when_an_entry_was_chosen_or_a_channel_added(phone: Window) -> None:
    """The messages are under the drawer."""
    second = texts.say("web", "channel.second", phone.lang)
    chosen = {"#channels": (second, "#place", f"#{second}"), "#people": ("Ben", "#me", "BBen")}
    for where, (name, shown, reads) in chosen.items():
        await phone.drawer.tap()
        await expect(phone.page.locator("#side")).to_be_in_viewport()
        await phone.page.locator(f"{where} .entry").filter(has_text=name).tap()
        await expect(phone.page.locator(shown)).to_have_text(reads)
        await expect(phone.page.locator("#side")).not_to_be_in_viewport()
    await phone.drawer.tap()
    await phone.page.get_by_role("button", name=texts.say("web", "channel.add", phone.lang), exact=True).tap()
    await phone.page.locator("#channel-name").fill("Attic")
    await phone.page.locator("#channel-form .main").tap()
    await expect(phone.page.locator("#place")).to_have_text("#attic")
    await expect(phone.page.locator("#side")).not_to_be_in_viewport()


async def test_the_focus_stays_at_the_move(phone: Window) -> None:
    """By keyboard: from the board to its menu, and from there to the board that reports the move."""
    await phone.page.locator(".chip").first.press("Enter")
    await phone.be("Ben")
    await phone.button("Join").press("Enter")
    await phone.button("Start").press("Enter")
    await phone.be("Anna")
    await phone.button("Move").press("Enter")
    await expect(phone.notes.locator(".row button").first).to_be_focused()
    await phone.button("2 🪨").press("Enter")
    await phone.button("Add 2").press("Enter")
    await expect(phone.board).to_contain_text("Anna adds 2.")
    await expect(phone.notes).to_have_count(0)
    await expect(phone.page.locator("article.pictured:focus-within")).to_have_count(1)


async def test_after_a_crash_the_games_that_go_on_are_there_again(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The page shows the board with its button and the current player at the side, and no welcome."""
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **PHONE) as (window, store, _):
        await window.say("/move r@a1")
        await expect(window.board).to_contain_text("Anna puts")
        painter, chat = Pictures(), WebChat(port=0)
        service = build(store, painter, clock, draw=lambda n: "07" * n)
        service.add(chat)
        await chat.start(service, MemoryStorage())
        try:
            again = Window(await window.page.context.new_page())
            await again.page.goto(chat.url)
            await again.be("Ben")
            await expect(again.board).to_contain_text("Anna puts")
            await expect(again.board.get_by_role("button", name=window.label("move"), exact=True)).to_be_in_viewport()
            await expect(again.page.locator("#begin")).to_be_hidden()
            await expect(again.page.locator("article.called")).to_have_count(1)
            await again.drawer.tap()
            ben = again.page.locator("#people .entry").filter(has_text="Ben")
            await expect(ben.locator(".turn")).to_be_in_viewport()
            await ben.locator(".name").tap()
            await again.say("/games")
            way = again.notes.locator(".row a")
            assert await way.get_attribute("data-place") == " #lobby"
            await way.click()
            await expect(again.page.locator("article:focus .picture img")).to_be_in_viewport()
            assert again.troubles == []
        finally:
            await chat.stop()
            await service.stop()
            painter.close()


async def test_a_board_row_without_choices_is_as_high_as_the_others(phone: Window) -> None:
    """Buttons are arranged like their fields on the board."""
    heights = await phone.page.evaluate("""async () => {
      const { drawn } = await import("/message.js");
      const knob = { payload: "none", link: "", done: [], whose: [] };
      const row = (label, style) => Array.from({ length: 6 }, () => ({ ...knob, label, style }));
      const rows = [row("a2", "main"), row("·", "blank"), row("a1", "main")];
      const message = { id: "m", at: 0, author: null, only: null, parts: [], rows };
      const element = drawn(message, "", false, {});
      document.getElementById("messages").append(element);
      return [...element.querySelectorAll(".row")].map((each) => each.offsetHeight);
    }""")
    assert heights == [44, 44, 44]


async def test_a_links_target_is_readable_despite_a_long_channel_name(phone: Window) -> None:
    await phone.say("/newgame tally")
    lines = await phone.newest.locator(".row").first.evaluate("""async (row) => {
      const { link } = await import("/message.js");
      const act = { place: () => "#for-everybody-who-likes-long-names" };
      row.replaceChildren(...["3. Kabooom! ↗", "4. Kaleidoskop ↗"].map((label) => link({ label, link: "#" }, act)));
      const style = getComputedStyle(row.lastChild);
      const rest = ["paddingTop", "paddingBottom"].reduce((sum, each) => sum + parseFloat(style[each]), 0);
      return [...row.children].map((each) => (each.clientHeight - rest) / parseFloat(style.lineHeight));
    }""")
    assert all(line < 3.1 for line in lines), f"{lines} lines: two for the name, one for the channel"
    assert not await phone.is_wider_than_the_screen()


BEYOND = """async () => {
  const { SIGNS, signed } = await import("/signs.js");
  const element = document.createElement("p");
  document.body.append(element);
  const cut = Object.keys(SIGNS).filter((sign) => {
    element.replaceChildren(...signed(sign));
    const { x, y, width, height } = element.querySelector("svg").getBBox();
    return x < 0 || y < 0 || x + width > 24 || y + height > 24;
  });
  element.remove();
  return cut;
}"""
"""The signs that do not fit into their square, and are cut."""


async def test_the_page_draws_every_sign_of_its_texts_itself(phone: Window) -> None:
    """The sign stays in the text, for copying and for screen readers."""
    domains = (*GAMES, "table", "people", "house", "web")
    written = [texts.source(domain, lang) for lang in texts.languages() for domain in domains]
    used = {sign for source in written for sign in EMOJI.findall(source.read_text(encoding="utf-8"))} - set(TYPED)
    drawn = await phone.page.evaluate("import('/signs.js').then(({ SIGNS }) => Object.keys(SIGNS))")
    assert used | set("⏮⏭👥") <= set(drawn)  # the latter are on a replay's pages and in lobbies
    assert await phone.page.evaluate(BEYOND) == []
    shown = """async () => {
      const { signed } = await import("/signs.js");
      const element = document.createElement("p");
      element.append(...signed("✂️ Scissors ×3, 🔵 and 🪨."));
      return [element.textContent, element.querySelectorAll(".sign svg path").length > 3];
    }"""
    assert await phone.page.evaluate(shown) == ["✂️ Scissors ×3, 🔵 and 🪨.", True]


UNDRAWN = """(element) => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
    node.parentNode.parentNode.className === "sign" ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  let undrawn = "";
  while (texts.nextNode()) undrawn += texts.currentNode.data;
  return undrawn;
}"""
"""Return the text of an element without the signs that the page draws."""


async def test_signs_are_drawn_in_commands_messages_and_enlarged_pictures(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **PHONE) as (window, *_):
        await window.be("Ben")
        await window.say("/move 🧨 b4")
        quote = window.notes.locator(".quote")
        await window.be("Anna")
        await window.line.fill("/move ")
        await expect(window.completions.first.locator(".sign")).to_be_visible()
        listed = window.page.locator("#completions")
        assert not EMOJI.search(await listed.evaluate(UNDRAWN))
        await window.line.fill("")
        await window.be("Ben")
        assert not EMOJI.search(await quote.evaluate(UNDRAWN))
        assert "🧨" in await quote.inner_text()
        words = await window.page.evaluate("""async () => {
          const { enlarge } = await import("/sheets.js");
          const image = { src: "/kaleidoscope.svg", alt: "a1 🪨, b1 ✂️2", width: 10, height: 10 };
          enlarge({ id: "m", image, parts: [] }, () => {});
          return document.getElementById("viewer-words").textContent;
        }""")
        assert words == "a1 🪨, b1 ✂️2"
        assert not EMOJI.search(await window.page.locator("#viewer-words").evaluate(UNDRAWN))
        await window.page.keyboard.press("Escape")


async def test_small_print_has_drawn_signs_and_a_hash_fits_a_narrow_phone(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    narrow = {**PHONE, "viewport": {"width": 320, "height": 640}}
    async with table_of(("Anna", "Ben"), browser, server, "kabooom easy 3d+1d", clock, **narrow) as (window, *_):
        small = window.board.locator(".small")
        await expect(small).to_contain_text("✓ fair: /verify")
        assert "⏳" in await small.inner_text()
        assert "⏳" not in str(await small.evaluate(UNDRAWN))
        await window.say("/verify")
        await expect(window.newest).to_contain_text("SHA-256")
        assert not await window.is_wider_than_the_screen()


async def test_every_sign_is_seen_on_dark_ground(phone: Window) -> None:
    """Black signs have a lighter edge."""
    layers = await phone.page.evaluate("import('/signs.js').then(({ SIGNS }) => Object.entries(SIGNS))")
    ground = (34, 26, 47)
    for sign, painted in layers:
        opaque = [colour[1:] for colour, _ in painted if re.fullmatch("#(?:[^#]{3}|[^#]{6})", colour)]
        codes = [bytes.fromhex(code if len(code) == 6 else "".join(2 * digit for digit in code)) for code in opaque]
        seen = max((contrast((code[0], code[1], code[2]), ground) for code in codes), default=21)  # as the text
        assert seen > 2.5, sign


async def test_a_stop_after_a_sign_begins_no_line(phone: Window) -> None:
    """At any width; and a sign stays on the line of the word that it is tied to."""
    broken = """async () => {
      const { signed } = await import("/signs.js");
      const broken = [];
      for (let width = 120; width < 400; width += 4) {
        const element = document.createElement("p");
        element.style.cssText = `position: absolute; font-size: 16px; width: ${width}px`;
        element.append(...signed("Well 21: B3\\u00a0🔵, C3\\u00a0dark, C4\\u00a0🔵. New card (🟦 blue): +1 💎."));
        document.body.append(element);
        const left = element.getBoundingClientRect().left;
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) =>
          node.parentNode.parentNode.className === "sign" ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
        for (let node = texts.nextNode(); node; node = texts.nextNode()) {
          const first = document.createRange();
          first.setStart(node, 0);
          first.setEnd(node, 1);
          if (/[,.)]/.test(node.data[0]) && first.getBoundingClientRect().left - left < 2) broken.push(width);
        }
        element.remove();
      }
      return broken;
    }"""
    assert await phone.page.evaluate(broken) == []


async def test_no_word_on_a_button_is_broken(phone: Window) -> None:
    """Four short buttons are as wide as their words."""
    lines = """() => {
      const row = document.createElement("div");
      row.className = "row";
      for (const label of ["The channel plays", "Learn it in two minutes", "Warm up", "Rules"]) {
        const button = document.createElement("button");
        button.append(label);
        button.style.setProperty("--word", Math.max(...label.split(" ").map((word) => word.length)));
        row.append(button);
      }
      document.querySelector("article .body").append(row);
      const words = document.createRange();
      words.setStart(row.children[2].firstChild, 0);
      words.setEnd(row.children[2].firstChild, 4);
      return words.getClientRects().length;
    }"""
    await phone.say("/view")
    await expect(phone.newest).to_contain_text("Secret of Anna")
    assert await phone.page.evaluate(lines) == 1


async def test_no_line_says_that_the_house_thinks_after_its_answer_has_come(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    posted, told = asyncio.Event(), asyncio.Event()

    def on_the_way(line: WebSocketRoute) -> None:
        async def tells(frame: str | bytes) -> None:
            if thinks := bool(json.loads(frame).get("thinks")):
                await posted.wait()
            line.send(frame)
            if thinks:
                told.set()

        line.connect_to_server().on_message(tells)

    async with table_of(("Anna",), browser, server, "kabooom easy", clock, **PHONE) as (first, *_):
        window = Window(await first.page.context.new_page())
        await window.page.route_web_socket(re.compile("/live"), on_the_way)
        await window.page.goto(first.page.url)
        opening = str(await window.board.get_attribute("data-id"))
        await window.say("/move b1-c1")
        await expect(window.board).not_to_have_attribute("data-id", opening)
        await expect(window.board).to_contain_text("@Anna, it's your turn")
        posted.set()
        await told.wait()
        await window.page.wait_for_timeout(200)
        assert not await window.page.locator("#toasts p").count()


async def test_a_line_that_promises_a_post_goes_when_it_comes(phone: Window) -> None:
    heard = """async (promises) => {
      const toasts = document.getElementById("toasts");
      const element = document.createElement("p");
      element.classList.toggle("promise", promises);
      toasts.replaceChildren(element);
    }"""
    await phone.page.evaluate(heard, True)
    await phone.say("/newgame tally")
    await expect(phone.newest).to_contain_text("A new game of Tally")
    await expect(phone.page.locator("#toasts .promise")).to_have_count(0)
