"""A real browser for the page's tests: the system's headless Chromium, driven by Playwright; and tables in it.

Every worker has one browser, in the event loop of the session. Windows are reused, as opening one takes longer than
most tests.
"""

import shutil
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, async_playwright, expect

import texts
from bot.adapters.on_web.chat import WebChat
from bot.app import build
from bot.chat import Person, PersonId, Place, PlaceId, Typed, Update, UpdateId
from bot.delivery.painting import Pictures
from bot.runtime.clock import Clock
from bot.service.service import Service
from bot.store.store import Store
from rules import GAMES
from tests.bot.adapters.hosts import MemoryStorage

expect.set_options(timeout=15_000)  # a busy machine is slow, not wrong

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"width": 900, "height": 600}
"""Wide enough for the side lists beside the messages; a larger window takes longer to paint."""
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""Names of the browser's program; the first is the same engine without window chrome and takes half the resources."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-site-isolation-trials",
    "--renderer-process-limit=1",
)
"""The last two let one process draw all pages: starting one for each table would take a good part of a test."""
LOCALES = {"en": "en-GB"}
"""Locales that a browser reports for a language, with a region that uses 24-hour times."""
FORGETS = """() => {
  localStorage.clear();
  sessionStorage.clear();
  Storage.prototype.setItem = () => {}; // until the page is left
}"""

LIES_STILL = """() => new Promise((done) => {
  const begin = () => setTimeout(() => { seer.disconnect(); done(); }, 500);
  const seer = new MutationObserver(() => { clearTimeout(timer); timer = begin(); });
  let timer = begin();
  seer.observe(document.getElementById("messages"), { childList: true, subtree: true });
})"""


class Window:
    """A window of the chat page, in the user's terms. *lang*: the language of the page. *troubles*: errors from the
    browser's console."""

    def __init__(self, page: Page, lang: str = "en") -> None:
        self.page = page
        self.lang = lang
        self.troubles: list[str] = []
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", lambda line: self._console(line.type, line.text, line.location["url"]))

    def _console(self, kind: str, text: str, source: str) -> None:
        if kind in ("error", "warning") and "WebSocket" not in text:  # a lost connection is a browser's error
            self.troubles.append(f"{text} ({source})")

    @property
    def line(self) -> Locator:
        """The command line."""
        return self.page.locator("#line")

    @property
    def composer(self) -> Locator:
        """The input line; it is busy while work remains."""
        return self.page.locator("#composer")

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
        """The newest public picture."""
        return self.page.locator("article.pictured:not(.only)").last

    @property
    def completions(self) -> Locator:
        return self.page.locator("#completions").get_by_role("option")

    def label(self, key: str) -> str:
        """Return the label of a button."""
        return texts.say("table", f"button.{key}", self.lang)

    @property
    def drawer(self) -> Locator:
        """The button that opens the lists of channels and people, if these are in a drawer."""
        return self.page.get_by_role("button", name=texts.say("web", "drawer.open", self.lang), exact=True)

    def button(self, label: str) -> Locator:
        """Return the newest button with that label, after the work of earlier presses on its message is done: until
        then the page ignores presses there."""
        idle = self.page.locator("article.message:not(.busy)")
        return idle.get_by_role("button", name=label, exact=True).last

    async def be(self, name: str) -> None:
        """Switch to another person; on a phone their list is in the drawer."""
        entry = self.page.locator("#people .entry").filter(has_text=name)
        await expect(entry).to_be_attached()  # the page is laid out now
        if await self.drawer.is_visible():
            await self.drawer.click()
        await entry.click()
        await expect(self.page.locator("#me")).to_have_text(f"{name[0]}{name}")

    async def say(self, text: str) -> None:
        await self.line.fill(text)
        await self.line.press("Enter")
        await expect(self.line).to_have_value("")

    async def press(self, label: str) -> None:
        await self.is_answered()
        await self.button(label).click()

    async def is_answered(self) -> None:
        """Wait until all work started here is done. Until then the page ignores presses on the same message,
        although results may already be visible."""
        await expect(self.page.locator("#composer[aria-busy=true], .busy")).to_have_count(0)

    async def sees_all(self, service: Service) -> None:
        """Wait until all work started here is done and all its results are visible; otherwise the test would request
        pictures that are gone."""
        await self.is_answered()
        await service.idle()
        await self.line.fill("/")  # this answer comes after all earlier messages
        await expect(self.completions.first).to_be_visible()
        await self.line.fill("")
        await self.sees_pictures()

    async def sees_pictures(self) -> None:
        """Wait until all work started here is done and all visible pictures are loaded. A picture that is replaced is
        gone, even for a request under way."""
        await expect(self.page.locator(".busy")).to_have_count(0)
        await self.page.wait_for_function("() => [...document.images].every((each) => each.complete)")

    async def lies_still(self) -> None:
        """Wait until presses count again after an arrival: a new message may have moved the buttons."""
        await self.page.evaluate(LIES_STILL)

    async def run(self, script: str) -> object:
        return await self.page.evaluate(script)

    async def is_wider_than_the_screen(self) -> bool:
        """Return whether the page or a message is wider than the screen."""
        script = "[document.documentElement, document.getElementById('log')].some((e) => e.scrollWidth > e.clientWidth)"
        return bool(await self.run(script))


class Chromium:
    """The browser, started on first use. Without a browser the page tests fail. *painter*: of the pictures in it."""

    def __init__(self, painter: Pictures) -> None:
        self.painter = painter
        self._open = AsyncExitStack()
        self._browser: Browser | None = None
        self._free: defaultdict[str, list[Window]] = defaultdict(list)

    async def context(self, **traits: Any) -> BrowserContext:
        """Return a fresh browser context."""
        if self._browser is None:
            program = next(filter(None, map(shutil.which, NAMES)), None)
            assert program, (
                f"the tests of the chat page need Chromium on the PATH (one of {', '.join(NAMES)}): install it"
            )
            playwright = await self._open.enter_async_context(async_playwright())
            self._browser = await playwright.chromium.launch(executable_path=program, args=list(FLAGS))
            self._open.push_async_callback(self._browser.close)
        return await self._browser.new_context(**traits)

    @asynccontextmanager
    async def window(self, **traits: Any) -> AsyncIterator[Window]:
        """Yield a fresh window in its own browser context. At the end it must have reported no errors."""
        traits = {"viewport": DESK, **traits}
        free = self._free[repr(sorted(traits.items()))]
        if not free:
            page = await (await self.context(**traits)).new_page()
            free.append(Window(page, texts.language(traits.get("locale"))))
        window = free.pop()
        size = window.page.viewport_size
        try:
            yield window
            assert not window.troubles, window.troubles
        except BaseException:
            await window.page.context.close()
            raise
        for page in window.page.context.pages:
            if page is not window.page:
                await page.close()
        await window.page.unroute_all()
        await window.page.evaluate(FORGETS)
        await window.page.goto("about:blank")
        if size is not None and size != window.page.viewport_size:
            await window.page.set_viewport_size(size)
        await window.page.mouse.move(0, 0)
        window.troubles.clear()
        free.append(window)

    async def close(self) -> None:
        await self._open.aclose()


async def _begins(service: Service, people: Sequence[Person], game: str) -> None:
    """Start *game* with *people* in the page's first channel, by typing. Other tests start games by taps."""
    host, *others = people
    begun = f"/newgame {game}" if others else f"/newgame {game} house"
    said = [(host, begun), *((other, "/join") for other in others)]
    if len(people) < GAMES[game.partition(" ")[0]].seats[-1]:
        said.append((host, "/start"))
    for number, (person, line) in enumerate(said):
        await service.handle(Update(UpdateId(f"begins/{number}"), person, Place(PlaceId("web:lobby")), Typed(line)))
    await service.idle()  # a picture that is replaced while it is loaded is missing


@asynccontextmanager
async def table_of(
    people: Sequence[str], browser: Chromium, server: str, game: str, clock: Clock, lang: str = "en", **traits: Any
) -> AsyncIterator[tuple[Window, Store, Service]]:
    """Yield the real bot, and a window in which *people* have begun *game*.

    The first of them opened the table and sees it; a single person plays against the house. *lang*: the language of all
    of them. Animations are off, because each of their frames would be painted.
    """
    store, chat = await Store.open(server), WebChat(port=0)
    service = build(store, browser.painter, clock, draw=lambda n: "07" * n)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    try:
        traits = {"locale": LOCALES.get(lang, lang), "reduced_motion": "reduce", **traits}
        async with browser.window(**traits) as window:
            await _begins(service, [Person(PersonId(f"web:{name.lower()}"), name, lang) for name in people], game)
            await window.page.goto(chat.url)
            await expect(window.board.get_by_role("button", name=window.label("move"), exact=True)).to_be_visible()
            yield window, store, service
    finally:
        await chat.stop()
        await service.stop()
        await store.close()
