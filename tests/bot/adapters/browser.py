"""A real browser for the page's tests: headless Chromium from the system, driven by Playwright; and tables in it."""

import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Locator, Page, async_playwright, expect

import texts
from bot.adapters.on_web.chat import WebChat
from bot.delivery.painting import Pictures
from bot.runtime.clock import Clock
from bot.service.service import Service
from bot.store.store import Store
from rules import GAMES

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    """The browser. Without one the tests of the page fail: what nobody has looked at is not known to work."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, f"the tests of the chat page need Chromium on the PATH (one of {', '.join(NAMES)}): install it"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        try:
            yield browser
        finally:
            await browser.close()


class Window:
    """A window of the chat page, in the words of somebody who uses it. *troubles*: what the browser complained of."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.troubles: list[str] = []
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda line: self._console(line.type, line.text))

    def _console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and "WebSocket" not in text:  # a lost connection is a browser's error
            self.troubles.append(text)

    @property
    def line(self) -> Locator:
        """The command line."""
        return self.page.get_by_role("combobox")

    @property
    def messages(self) -> Locator:
        return self.page.locator("article.message")

    @property
    def newest(self) -> Locator:
        return self.messages.last

    @property
    def notes(self) -> Locator:
        """Messages that only this person sees."""
        return self.page.locator("article.only")

    @property
    def board(self) -> Locator:
        """The newest picture that everybody sees."""
        return self.page.locator("article.pictured:not(.only)").last

    @property
    def completions(self) -> Locator:
        return self.page.locator("#completions").get_by_role("option")

    def button(self, label: str) -> Locator:
        """The newest button of that label under a message."""
        return self.messages.get_by_role("button", name=label, exact=True).last

    async def be(self, name: str) -> None:
        """Be somebody else; on a phone the list of people is in the drawer."""
        drawer = self.page.get_by_role("button", name="Channels and people", exact=True)
        if await drawer.is_visible():
            await drawer.click()
        await self.page.locator("#people .entry").filter(has_text=name).click()
        await expect(self.page.locator("#me")).to_have_text(f"{name[0]}{name}")

    async def say(self, text: str) -> None:
        await self.line.fill(text)
        await self.line.press("Enter")
        await expect(self.line).to_have_value("")

    async def press(self, label: str) -> None:
        await self.button(label).click()

    async def run(self, script: str) -> object:
        return await self.page.evaluate(script)

    async def is_wider_than_the_screen(self) -> bool:
        """Whether anything sticks out at the side: the page, or the messages within it."""
        script = "[document.documentElement, document.getElementById('log')].some((e) => e.scrollWidth > e.clientWidth)"
        return bool(await self.run(script))


async def moved(window: Window, board: str) -> str:
    """What the newest board of the place reads, once it reads something else than *board*."""
    board_ = "[...document.querySelectorAll('article.pictured:not(.only)')].at(-1)"  # but where it can be tapped
    newest = f"((each) => each ? each.querySelector('img:not(.avatar)').src + each.innerText : '')({board_})"
    asked = "document.querySelector('.only .danger')"
    await window.page.wait_for_function(f"(board) => {newest} !== board || {asked}", arg=board)
    if await window.notes.locator(".danger").count():  # are you sure?
        await window.notes.locator(".danger").last.click()
        await window.page.wait_for_function(f"(board) => {newest} !== board", arg=board)
    return str(await window.run(newest))


@asynccontextmanager
async def table_of(
    people: Sequence[str], browser: Browser, server: str, game: str, clock: Clock, **traits: Any
) -> AsyncIterator[tuple[Window, Store, Service]]:
    """The real bot, and a window in which *people* have begun *game*; the first of them has opened the table. One
    person plays against the house."""
    store, painter, chat = await Store.open(server), Pictures(), WebChat(port=0)
    service = Service(store, painter, clock, draw=lambda n: "07" * n)
    service.add(chat)
    await chat.start(service)
    context = await browser.new_context(locale="en-GB", **traits)
    window = Window(await context.new_page())
    host, *others = people
    try:
        await window.page.goto(chat.url)
        await window.page.locator(".chip").filter(has_text=texts.say(game, "name", "en")).click()
        for name in others:
            await window.be(name)
            await window.button(texts.say("table", "button.join", "en")).press("Enter")  # so quick, a click is a slip
            await expect(window.newest).to_contain_text(name)
        if len(people) < GAMES[game].seats[-1]:
            await window.be(host)
            await window.press(texts.say("table", "button.start", "en"))
        if len(people) == 1:
            await window.press(texts.say("table", "button.against_house", "en"))
        await moved(window, "")
        await expect(
            window.board.get_by_role("button", name=texts.say("table", "button.move", "en"), exact=True)
        ).to_be_visible()
        yield window, store, service
        assert window.troubles == []
    finally:
        await context.close()
        await chat.stop()
        await service.stop()
        painter.close()
        await store.close()
