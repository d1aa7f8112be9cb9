"""Windows of the chat page: in a real browser, or as the data from the page's server."""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import filterfalse
from typing import Any, Protocol, Self

import aiohttp
import msgspec
from msgspec import Struct
from playwright.async_api import BrowserContext, ElementHandle, Page, expect

from tests.bot.adapters.browser import Chromium, Window
from tests.bot.stages.script import Picks, fits
from tests.bot.stages.stage import PATIENCE_S, lang
from tests.bot.talk.recording import MANAGERS

SMALL = {"width": 900, "height": 320}
"""A small window: hidden text counts too, and visible elements have to be painted."""
LOOK_MS = 250
"""Time for which one window is watched for a change before all are read again."""
QUIET_MS = 10
CROSS = "✕"
"""The button that closes a private message."""
AGAIN_S = 0.05

BEGINS = """([people, me]) => {
  localStorage.setItem("known", JSON.stringify({ people, channels: [] }));
  sessionStorage.setItem("person", me);
  window.toasts = [];
  const told = (each) => toasts.push([...each.children].map((part) => part.textContent));
  const hears = new MutationObserver((changes) => changes.forEach((each) => each.addedNodes.forEach(told)));
  const begins = () => hears.observe(document.getElementById("toasts"), { childList: true });
  document.addEventListener("DOMContentLoaded", begins);
}"""
"""State that a window keeps from earlier visits (names, languages, its person), and toasts, which may have vanished."""

READS = """(whole) => {
  const known = (window.known ??= new WeakMap()); // an article that changes is another one
  const lines = (element) => (element ? element.textContent.split("\\n") : []);
  const row = (element) =>
    element.matches(".pick")
      ? {
          label: element.querySelector("span").textContent,
          choices: [...element.querySelectorAll("option:not([hidden])")].map((each) => each.textContent),
          chosen: element.querySelector("option:not([hidden]):checked")?.textContent ?? null,
        }
      : [...element.querySelectorAll("button, a")].map((each) => each.textContent);
  const read = (message) => {
    const image = message.querySelector(".picture img");
    return {
      id: message.dataset.id,
      text: ["h3", ".text", ".paste", ".small", ".call"].flatMap((each) => lines(message.querySelector(each))),
      alt: image ? image.alt.split("\\n")[0] : null,
      moves: image ? image.src.endsWith(".gif") : false,
      file: message.querySelector(".file span")?.textContent ?? null,
      rows: [...message.querySelectorAll(".row")].map(row),
    };
  };
  const all = (which) => [...document.querySelectorAll(which)];
  const told = (which) => all(which).map((each) => known.get(each) ?? known.set(each, read(each)).get(each));
  const wall = told("article.bot:not(.only)");
  let sum = 0;
  for (const letter of JSON.stringify(wall)) sum = (Math.imul(sum, 31) + letter.codePointAt(0)) | 0;
  return JSON.stringify({
    wall: whole ? wall : [],
    sum,
    busy: document.querySelector("article.busy") !== null,
    called: all("article.called").map((each) => each.dataset.id),
    notes: told("article.only"),
    toasts: window.toasts,
  });
}"""

FINDS = """(wanted) => {
  const fits = (label) => label === wanted || (wanted.endsWith("…") && label.startsWith(wanted.slice(0, -1)));
  const newest = (which) => [...document.querySelectorAll(which)].reverse();
  if (wanted === "✕") return newest("article.only .dismiss[data-payload]")[0] ?? null;
  for (const message of [...newest("article.only"), ...newest("article.bot:not(.only)")])
    for (const row of message.querySelectorAll(".row")) {
      const label = row.matches(".pick") ? `${row.querySelector("span").textContent}: ` : "";
      for (const each of row.querySelectorAll("button, option:not([hidden])"))
        if (fits(label + each.textContent)) return each;
    }
  return null;
}"""

WHERE = """(button) => [button.closest("article").dataset.id, button.dataset.payload ?? button.value]"""

PASSES = "() => { window.toasts = []; }"

CHANGES = """([longest, quiet]) => new Promise((done) => {
  const stop = () => { watching.disconnect(); done(); };
  let end = setTimeout(stop, longest);
  const watching = new MutationObserver(() => {
    clearTimeout(end);
    end = setTimeout(stop, quiet);
  });
  watching.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
})"""


class Told(Struct):
    """A message as a window shows it; see `READS`."""

    id: str
    text: list[str]
    alt: str | None
    moves: bool
    file: str | None
    rows: list[list[str] | Picks]


class View(Struct):
    """A window at one moment. *wall*: the public messages; in a browser they are read in one window, and *sum* is a
    checksum of them for all. *busy*: a press is under way, so another one would be ignored. *called*: messages
    marked as a call to its person. *toasts*: those since its person's last input, with their links."""

    wall: list[Told]
    sum: int | None
    busy: bool
    called: list[str]
    notes: list[Told]
    toasts: list[list[str]]


class Button(Struct):
    """A button, or a choice of a select, in a window. *element*: its element, in a browser."""

    message: str
    payload: str
    element: ElementHandle | None = None


class Pane(Protocol):
    """A person's window."""

    async def rests(self) -> None:
        """Wait until every picture is loaded: the browser would report those of a stopped bot as errors."""
        ...

    async def gone(self) -> None:
        """Wait until the window shows that the bot is away."""
        ...

    async def back(self) -> None:
        """Wait until the window shows that the bot has restarted."""
        ...

    async def sees(self, whole: bool) -> View:
        """Return the visible messages. *whole*: with the public ones."""
        ...

    async def changes(self) -> None:
        """Wait for a change, for a limited time."""
        ...

    async def finds(self, label: str) -> Button | None:
        """Return the newest button with that label, in private messages or else in public."""
        ...

    async def begins(self) -> None:
        """Mark the start of an input: earlier toasts no longer count."""
        ...

    async def types(self, line: str) -> None: ...

    async def presses(self, button: Button) -> None: ...

    async def closes(self) -> None: ...


class Seen:
    """A window in the browser."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def rests(self) -> None:
        await self._page.wait_for_function("() => [...document.images].every((each) => each.complete)")

    async def gone(self) -> None:
        await expect(self._page.locator("#offline")).to_be_visible()

    async def back(self) -> None:
        await expect(self._page.locator("#offline")).to_be_hidden()
        await expect(self._page.locator("#messages > .fresh")).to_be_visible()

    async def sees(self, whole: bool) -> View:
        return msgspec.json.decode(await self._page.evaluate(READS, whole), type=View)

    async def changes(self) -> None:
        await self._page.evaluate(CHANGES, [LOOK_MS, QUIET_MS])

    async def finds(self, label: str) -> Button | None:
        element = (await self._page.evaluate_handle(FINDS, label)).as_element()
        if element is None:
            return None
        message, payload = await element.evaluate(WHERE)
        return Button(message, payload, element)

    async def begins(self) -> None:
        await self._page.evaluate(PASSES)

    async def types(self, line: str) -> None:
        await self._page.locator("#line").fill(line)
        await self._page.locator("#line").press("Enter")

    async def presses(self, button: Button) -> None:
        """Press by the keyboard, because two quick clicks on one spot would be a double click."""
        assert button.element is not None
        if await button.element.evaluate("(button) => button.tagName") == "OPTION":
            choices = (await button.element.evaluate_handle("(choice) => choice.parentElement")).as_element()
            assert choices is not None
            await choices.select_option(button.payload)
        else:
            await button.element.press("Enter")

    async def closes(self) -> None:
        """Keep the window for the next conversation."""


class Windows:
    """The windows of one browser, one for each person. They are used for all conversations."""

    def __init__(self, browser: Chromium) -> None:
        self._browser = browser
        self._context: BrowserContext | None = None
        self._windows: dict[str, Window] = {}

    async def at(self, url: str, who: str) -> Seen:
        """Return the window of a person who visited this address before."""
        if self._context is None:
            self._context = await self._browser.context(locale="en-GB", reduced_motion="reduce", viewport=SMALL)
        if who not in self._windows:
            window = self._windows[who] = Window(await self._context.new_page())
            await window.page.add_init_script(f"({BEGINS})({json.dumps([[_known(who)], f'web:{who}'])})")
        page = self._windows[who].page
        await page.goto(url)
        await expect(page.locator("#me")).to_have_text(f"{who[0].upper()}{who.capitalize()}")
        return Seen(page)

    def check(self) -> None:
        """Check that the browser has reported no errors so far."""
        for who, window in self._windows.items():
            troubles, window.troubles = window.troubles, []  # errors belong to one conversation
            assert not troubles, f"{who}'s browser complains: {troubles}"


class Screenless:
    """The data that the server sends to a window, kept as the page keeps it: enough to play, and to check the data that
    the page draws."""

    def __init__(self, url: str, who: str, channel: str = "lobby") -> None:
        self._url = url
        self._me = f"web:{who}"
        self._channel = channel
        self._place = f"web:{channel}"
        self._people: Sequence[dict[str, Any]] = [_known(who)]
        self._messages: dict[str, dict[str, Any]] = {}
        self._toast: list[str] = []
        self._undone: set[str] = set()
        self._requests = 0
        self._runs: list[str] = []
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._news = asyncio.Condition()
        self._listening = asyncio.create_task(self._listens())

    @classmethod
    async def at(cls, url: str, who: str, channel: str = "lobby") -> Self:
        opened = cls(url, who, channel)
        await opened._until(lambda: opened._runs)
        return opened

    async def _listens(self) -> None:
        """Connect, and reconnect after a loss. A connection that is cut in the middle of a frame ends like any
        other."""
        async with aiohttp.ClientSession() as session:
            while True:
                try:
                    origin = {"Origin": self._url.rstrip("/")}
                    async with session.ws_connect(f"{self._url}live", headers=origin, max_msg_size=0) as self._socket:
                        known = {"people": self._people, "person": self._me, "place": self._place}
                        hello = {"kind": "hello", "lang": "en-GB", "channels": [self._channel], **known}
                        await self._socket.send_json(hello)
                        async for frame in self._socket:
                            if frame.type is not aiohttp.WSMsgType.TEXT:
                                break
                            await self._hears(frame.json())
                except aiohttp.ClientError:
                    pass
                finally:
                    self._socket = None
                    await self._tells()
                await asyncio.sleep(AGAIN_S)

    async def _hears(self, event: dict[str, Any]) -> None:
        match event["kind"]:
            case "here":
                assert (event["person"], event["place"]) == (self._me, self._place)
                self._runs.append(event["run"])
                self._messages = {other["id"]: other for other in event["messages"]}
                self._remembers(event)
            case "roster":
                self._remembers(event)
            case "put" if event["place"] == self._place:
                if event["new"] or event["message"]["id"] in self._messages:
                    self._messages[event["message"]["id"]] = event["message"]
            case "removed" if event["place"] == self._place:
                for number in event["ids"]:
                    self._messages.pop(number, None)
            case "toast":
                self._toast = [event["text"], *(other["label"] for other in event.get("links", ()))]
            case "done":
                self._undone.discard(event["id"])
        await self._tells()

    def _remembers(self, event: dict[str, Any]) -> None:
        self._people = [{key: person[key] for key in ("name", "lang", "manages")} for person in event["people"]]

    async def _tells(self) -> None:
        async with self._news:
            self._news.notify_all()

    async def _until(self, right: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S), self._news:
            await self._news.wait_for(lambda: self._listening.done() or right())
        if self._listening.done():
            self._listening.result()  # errors in the received data

    async def rests(self) -> None:
        """Do nothing: it loads no pictures."""

    async def gone(self) -> None:
        await self._until(lambda: self._socket is None)

    async def back(self) -> None:
        await self._until(lambda: self._socket is not None and len(set(self._runs)) > 1)
        self._runs = self._runs[-1:]

    async def sees(self, whole: bool) -> View:
        posts = [
            message for message in self._messages.values() if message["author"] is None and message["only"] is None
        ]
        calls = posts and posts[-1]["call"] is not None and posts[-1]["call"]["person"] == self._me
        wall = [_told(post) for post in posts]
        return View(
            wall=wall,
            sum=None,
            busy=bool(self._undone),
            called=[posts[-1]["id"]] if calls else [],
            notes=[_told(message) for message in self._messages.values() if _alone(message)],
            toasts=[self._toast] if self._toast else [],
        )

    async def changes(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOK_MS / 1000), self._news:
                await self._news.wait()

    async def finds(self, label: str) -> Button | None:
        newest = [*self._messages.values()][::-1]
        for message in (*filter(_alone, newest), *filterfalse(_alone, newest)):
            for row in message["rows"]:
                is_list = isinstance(row, dict)
                for choice in row["choices"] if is_list else row:
                    reads = f"{row['label']}: {choice['label']}" if is_list else choice["label"]
                    if choice["payload"] and fits(reads, label):  # not a link
                        return Button(message["id"], choice["payload"])
        return None

    async def begins(self) -> None:
        self._toast = []

    async def types(self, line: str) -> None:
        await self._asks(kind="say", text=line)

    async def presses(self, button: Button) -> None:
        await self._asks(kind="press", message=button.message, payload=button.payload)

    async def _asks(self, **what: str) -> None:
        self._requests += 1
        id_ = f"{id(self):016x}{self._requests:08x}"
        self._undone.add(id_)
        assert self._socket is not None
        await self._socket.send_json({**what, "id": id_, "person": self._me, "place": self._place})

    async def closes(self) -> None:
        self._listening.cancel()
        await asyncio.wait([self._listening])


def _known(who: str) -> dict[str, Any]:
    return {"name": who.capitalize(), "lang": "de" if lang(who) == "de" else None, "manages": who in MANAGERS}


def _alone(message: dict[str, Any]) -> bool:
    """Return whether only one person sees it."""
    return message["only"] is not None


def _told(message: dict[str, Any]) -> Told:
    """Return a message as the page draws it."""
    image, file, call = message["image"], message["file"], message["call"]
    lines = [
        message["title"],
        message["text"],
        message["paste"],
        message["small"],
        call and f"{call['before']}@{call['name']}{call['after']}",
    ]
    return Told(
        id=message["id"],
        text=[line for text in lines if text for line in text.split("\n")],
        alt=image["alt"].partition("\n")[0] if image else None,
        moves=bool(image) and image["src"].endswith(".gif"),
        file=file["name"] if file else None,
        rows=crossless([_row(row) for row in message["rows"]]) if _alone(message) else [*map(_row, message["rows"])],
    )


def crossless(rows: Iterable[Sequence[str] | Picks]) -> list[list[str] | Picks]:
    """Return the rows of a private message as the page draws them: the closing cross is in its head."""
    left = (row if isinstance(row, Picks) else [label for label in row if label != CROSS] for row in rows)
    return [label for label in left if label]


def _row(row: list[dict[str, Any]] | dict[str, Any]) -> list[str] | Picks:
    if isinstance(row, list):
        return [label["label"] for label in row]
    chosen = next((label["label"] for label in row["choices"] if label["chosen"]), None)
    return Picks(row["label"], tuple(label["label"] for label in row["choices"]), chosen)
