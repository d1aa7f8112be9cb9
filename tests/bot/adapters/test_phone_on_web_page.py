"""The chat page on a phone, in a real browser: whatever one is at is in sight, and nothing is lost on the way."""

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, expect
from redis import Redis

import texts
from bot.adapters.on_web.chat import WebChat
from bot.chat import Person, PersonId, Place, PlaceId
from bot.delivery.painting import Pictures
from bot.service.service import Service
from rules import GAMES
from tests.bot.adapters.browser import PHONE, Window, launched, table_of
from tests.bot.adapters.tally import Tally
from tests.bot.conftest import HandClock
from tests.bot.talk import elsewhere

pytestmark = pytest.mark.asyncio(loop_scope="module")

MOVE = texts.say("table", "button.move", "en")
EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2b1b\u2b1c\u2b50\u25e2-\u25e5\u25ae\u25af]")
TYPED = "✕✗"
"""Signs that fonts for text have."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with launched() as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def phone(browser: Browser) -> AsyncIterator[Window]:
    """A phone that shows the page of a small bot."""
    tally = Tally()
    tally.chat = chat = WebChat(port=0)
    await chat.start(tally)
    traits: dict[str, Any] = {"locale": "en-GB", **PHONE}
    context = await browser.new_context(**traits)
    window = Window(await context.new_page())
    await window.page.goto(chat.url)
    await expect(window.page.locator(".chip").first).to_be_visible()
    yield window
    await context.close()
    await chat.stop()
    assert window.troubles == []


async def in_sight(log: Window, element: Locator) -> None:
    """All of an element is where messages are seen."""
    await expect(element).to_be_in_viewport(ratio=0.99)
    ends = "each.getBoundingClientRect().bottom - document.getElementById('log').getBoundingClientRect().bottom"
    assert await element.evaluate(f"(each) => {ends}") <= 1
    assert log.troubles == []


async def test_the_table_of_a_game_that_was_tapped_is_in_sight(phone: Window) -> None:
    await phone.page.locator(".chip").first.tap()
    await expect(phone.newest).to_contain_text("A new game of Tally")
    await in_sight(phone, phone.newest.locator(".row").first)


async def test_a_menu_its_board_and_its_last_buttons_are_in_sight_together(
    browser: Browser, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "colorio", clock, **PHONE) as (window, *_):
        await window.press(MOVE)
        await expect(window.notes.locator(".picture img")).to_be_in_viewport(ratio=0.9)
        await in_sight(window, window.notes.locator(".row").last)


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
"""The buttons of a message that lie under something when they are brought into sight."""


@pytest.mark.parametrize("upright", [True, False], ids=["upright", "sideways"])
async def test_a_button_that_is_brought_into_sight_lies_under_nothing(
    upright: bool, browser: Browser, server: str, raw: Redis, clock: HandClock
) -> None:
    """Neither under the board of its menu, which stays in sight, nor under the last buttons."""
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        await window.press(MOVE)
        await expect(window.notes.locator(".row button")).not_to_have_count(0)
        if not upright:
            await window.page.set_viewport_size({"width": 740, "height": 360})
        await expect(window.notes.locator(".picture img")).to_have_js_property("complete", True)
        assert await window.notes.evaluate(COVERED) == []


async def test_the_way_to_the_next_page_of_rules_is_in_sight(
    browser: Browser, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "crystalla", clock, **PHONE) as (window, *_):
        await window.say("/rules crystalla")
        for _ in range(3):
            await expect(window.notes.locator(".row").last).to_be_attached()
            await in_sight(window, window.notes.locator(".row").last)
            shown = await window.notes.inner_text()
            await window.notes.locator(".row button").filter(has_text="▶").last.press("Enter")
            await expect(window.notes).not_to_have_text(shown)


async def test_short_lines_cover_nothing_that_is_read(phone: Window) -> None:
    await phone.page.locator(".chip").first.tap()
    await phone.button("Join").tap()
    line = phone.page.locator("#toasts p")
    await expect(line).to_have_text("You are in already.")
    covers = (
        "(line) => line.getBoundingClientRect().top < document.getElementById('log').getBoundingClientRect().bottom"
    )
    assert not await line.evaluate(covers)
    await line.tap()
    await expect(line).to_have_count(0)
    await expect(phone.line).to_be_focused()


async def test_a_short_line_that_leads_on_has_the_way_there_and_covers_nothing_that_is_read(
    browser: Browser, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **PHONE) as (window, _, service):
        people = [Person(PersonId(f"web:{name.lower()}"), name) for name in ("Anna", "Ben")]
        await elsewhere.begins(service, Place(PlaceId("web:table-2")), people)
        await window.say("/move r@a1")
        line = window.page.locator("#toasts p")
        await expect(line).to_contain_text("Another game is waiting for you")
        covers = (
            "(line) => line.getBoundingClientRect().top < document.getElementById('log').getBoundingClientRect().bottom"
        )
        assert not await line.evaluate(covers)
        await line.locator("a").tap()
        await expect(window.page.locator("#place")).to_have_text("#table-2")
        await expect(window.page.locator("article:focus .picture img")).to_be_in_viewport()
        await expect(line).to_have_count(0)


async def test_back_closes_an_enlarged_picture_and_nothing_else(phone: Window) -> None:
    await phone.say("/view")
    await phone.newest.locator(".picture").tap()
    viewer = phone.page.locator("#viewer")
    await expect(viewer).to_be_visible()
    address = phone.page.url
    await phone.page.go_back()
    await expect(viewer).to_be_hidden()
    assert phone.page.url == address
    await phone.newest.locator(".picture").tap()
    await phone.page.locator("#viewer-close").tap()
    await expect(viewer).to_be_hidden()
    await expect(phone.newest).to_contain_text("Secret of Anna")
    assert await phone.run("history.state?.enlarged ?? null") is None


async def test_a_line_that_is_too_long_is_said_to_be_cut(phone: Window) -> None:
    await phone.say("a" * 2500)
    await expect(phone.newest.locator(".text")).to_have_text("a" * 2000)
    await expect(phone.page.locator("#toasts p")).to_contain_text("2000")


async def test_the_drawer_closes_when_a_channel_was_added(phone: Window) -> None:
    await phone.page.get_by_role("button", name="Channels and people", exact=True).tap()
    await phone.page.get_by_role("button", name="Add a channel", exact=True).tap()
    await phone.page.locator("#channel-name").fill("Attic")
    await phone.page.locator("#channel-form .main").tap()
    await expect(phone.page.locator("#place")).to_have_text("#attic")
    await expect(phone.page.locator("#side")).not_to_be_in_viewport()


async def test_the_focus_stays_at_the_move(phone: Window) -> None:
    """By the keyboard: from the board to its menu, and from there to the board on which it is said what was played."""
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
    assert await phone.run("document.activeElement.closest('article.pictured') !== null")


async def test_after_a_crash_the_games_that_go_on_are_there_again(
    browser: Browser, server: str, raw: Redis, clock: HandClock
) -> None:
    """With the board and its button, with whose turn it is at the side, and no welcome over them."""
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **PHONE) as (window, store, _):
        await window.say("/move r@a1")
        await expect(window.board).to_contain_text("Anna puts")
        painter, chat = Pictures(), WebChat(port=0)
        service = Service(store, painter, clock, draw=lambda n: "07" * n)
        service.add(chat)
        await chat.start(service)
        try:
            again = Window(await window.page.context.new_page())
            await again.page.goto(chat.url)
            await again.be("Ben")
            await expect(again.board).to_contain_text("Anna puts")
            await expect(again.board.get_by_role("button", name=MOVE, exact=True)).to_be_in_viewport()
            await expect(again.page.locator("#begin")).to_be_hidden()
            await expect(again.page.locator("article.called")).to_have_count(1)
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


async def test_the_page_draws_every_sign_of_the_games_itself(phone: Window) -> None:
    """And leaves the sign in the text, for whoever copies or hears it."""
    written = [Path(texts.__file__).parent / lang / f"{domain}.po" for lang in texts.languages() for domain in GAMES]
    used = {sign for source in written for sign in EMOJI.findall(source.read_text(encoding="utf-8"))} - set(TYPED)
    drawn = await phone.page.evaluate("import('/signs.js').then(({ SIGNS }) => Object.keys(SIGNS))")
    assert used <= set(drawn)
    shown = """async () => {
      const { signed } = await import("/signs.js");
      const element = document.createElement("p");
      element.append(...signed("✂️ Scissors ×3, 🔵 and 🪨."));
      return [element.textContent, element.querySelectorAll(".sign svg path").length > 3];
    }"""
    assert await phone.page.evaluate(shown) == ["✂️ Scissors ×3, 🔵 and 🪨.", True]
