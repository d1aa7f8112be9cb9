"""The local page in a real browser: a window for each person, all of them watched at every step."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from playwright.async_api import BrowserContext, ElementHandle, Page, expect

from bot.adapters.on_web.chat import WebChat
from bot.adapters.on_web.rooms import LONGEST_ALT
from bot.chat import Manner, PersonId, PlaceId
from bot.requests import payload
from bot.requests.payload import Verb
from bot.service.service import Service
from tests.bot.adapters.browser import Window
from tests.bot.stages.script import Picks, Step, nameless
from tests.bot.stages.stage import MANAGERS, PATIENCE_S, Ear, Screen, Sight, lang, linked, plainly, shortened
from tests.bot.stages.wall import Post

LOOK_MS = 250
"""How long one window is watched for a change before all are looked at again."""
QUIET_MS = 10

REMEMBERS = """([people, me]) => {
  localStorage.setItem("known", JSON.stringify({ people, channels: [] }));
  sessionStorage.setItem("person", me);
}"""
"""What a window remembers of former visits: names and languages, and whose window it is."""

READS = """(whole) => {
  const known = (window.known ??= new WeakMap()); // an article that changes is another one
  const lines = (element) => (element ? element.textContent.split("\\n") : []);
  const row = (element) =>
    element.classList.contains("picks")
      ? {
          label: element.querySelector(".what").textContent,
          choices: [...element.querySelectorAll("li")].map((each) => each.textContent),
          chosen: element.querySelector("[aria-selected=true]")?.textContent ?? null,
        }
      : [...element.querySelectorAll("button, a")].map((each) => each.textContent);
  const read = (message) => {
    const image = message.querySelector(".picture img");
    return {
      id: message.dataset.id,
      text: ["h3", ".text", ".call"].flatMap((each) => lines(message.querySelector(each))),
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
    toasts: all("#toasts > :not([data-old])").map((each) => [...each.children].map((part) => part.textContent)),
  });
}"""

FINDS = """(wanted) => {
  const fits = (label) => label === wanted || (wanted.endsWith("…") && label.startsWith(wanted.slice(0, -1)));
  const newest = (which) => [...document.querySelectorAll(which)].reverse();
  for (const message of [...newest("article.only"), ...newest("article.bot:not(.only)")])
    for (const row of message.querySelectorAll(".row")) {
      const what = row.querySelector(".what");
      for (const each of row.querySelectorAll(what ? "li" : "button"))
        if (fits(what ? `${what.textContent}: ${each.textContent}` : each.textContent)) return each;
    }
  return null;
}"""

WHERE = """(button) => {
  for (const toast of document.querySelectorAll("#toasts > *")) toast.dataset.old = "";
  return [button?.closest("article")?.dataset.id ?? "", button?.dataset.payload ?? ""];
}"""

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
    """A message for one person alone, as the window reads it; see `READS`."""

    id: str
    text: list[str]
    alt: str | None
    moves: bool
    file: str | None
    rows: list[list[str] | Picks]


class View(Struct):
    """A window at one moment. *sum*: of everything that everybody sees; *wall* has that for one window. *busy*: a press
    is still on its way, and another would not be taken. *called*: which messages are marked for calling its person.
    *toasts*: those that came since the last thing that its person did, each with the links beside it."""

    wall: list[Told]
    sum: int
    busy: bool
    called: list[str]
    notes: list[Told]
    toasts: list[list[str]]


class Windows:
    """Of one browser, a window for each person: they stay open for one conversation after the other."""

    def __init__(self, context: BrowserContext) -> None:
        self._context = context
        self._windows: dict[str, Window] = {}

    async def at(self, url: str, who: str) -> Page:
        """The window of somebody who was at this address before."""
        if who not in self._windows:
            window = self._windows[who] = Window(await self._context.new_page())
            me = {"name": who.capitalize(), "lang": "de" if lang(who) == "de" else None, "manages": who in MANAGERS}
            await window.page.add_init_script(f"({REMEMBERS})({json.dumps([[me], f'web:{who}'])})")
        page = self._windows[who].page
        await page.goto(url)
        await expect(page.locator("#me")).to_have_text(f"{who[0].upper()}{who.capitalize()}")
        return page

    def check(self) -> None:
        """The browser has complained of nothing so far."""
        for window in self._windows.values():
            assert window.troubles == []


class OnPage:
    """See `stage.Stage`."""

    remembers = False

    def __init__(self, windows: "Windows", people: Sequence[str]) -> None:
        self._opened = windows
        self._windows: dict[str, Page] = {}
        self._names = people
        self._port = 0
        self._lines: dict[str, str] = {}  # what each typed last
        self._manners: dict[str, Manner] = {}  # of what was told, by message
        self._fading: set[str] = set()  # messages that do not stay
        self._views: dict[str, View] = {}
        # The last thing that somebody did.
        self._who = ""
        self._before: dict[str, Told] = {}
        self._menu = self._payload = ""  # the message that was pressed, and what the button carries
        self._goes_away = False

    @property
    def place(self) -> PlaceId:
        return PlaceId("web:lobby")

    @property
    def elsewhere(self) -> PlaceId:
        return PlaceId("web:table-2")

    def person(self, who: str) -> PersonId:
        return PersonId(f"web:{who}")

    async def comes(self, bot: Service) -> None:
        self._ear = Ear(bot)
        self._chat = WebChat(port=self._port)
        bot.add(self._chat)
        await self._chat.start(self._ear)
        if self._port:
            for page in self._windows.values():
                await expect(page.locator("#offline")).to_be_hidden()
                await expect(page.locator("#messages > .fresh")).to_be_visible()
            return
        self._port = int(self._chat.url.rpartition(":")[2].strip("/"))
        self._windows = {who: await self._opened.at(self._chat.url, who) for who in self._names}

    async def goes(self) -> None:
        await self._chat.stop()
        for page in self._windows.values():
            await expect(page.locator("#offline")).to_be_visible()

    # What people do

    def hears(self, line: str) -> bool:
        """In a channel everything but commands is talk among people."""
        return line.startswith("/")

    async def types(self, who: str, line: str) -> None:
        page = self._windows[who]
        await self._begins(who, None)
        if self.hears(line):
            self._lines[who] = line
        await page.get_by_role("combobox").fill(line)
        await page.get_by_role("combobox").press("Enter")
        if self.hears(line):
            await self._ear.answer(who)

    async def plays(self, who: str, line: str) -> None:
        await self._ear.plays(who, line)

    async def presses(self, who: str, label: str) -> None:
        page = self._windows[who]
        button = await self._found(page, label)
        if button is None:  # it went when the bot began anew: the person asks for it once more
            again = self._lines.get(who, "")
            await self.types(who, "/move" if " " in again or not again else again)
            await page.wait_for_function(f"(label) => ({FINDS})(label) !== null", arg=label)
            await self._look()
            button = await self._found(page, label)
            assert button is not None
        await self._begins(who, button)
        # By the keyboard: two quick clicks on one spot would be taken for a double click.
        if await button.evaluate("(button) => button.tagName") == "LI":
            await button.evaluate("(choice) => choice.closest('.row').querySelector('.pick').focus()")
            await page.keyboard.press("ArrowDown")
            await button.click()
        else:
            await button.press("Enter")
        await self._ear.answer(who)

    async def _found(self, page: Page, label: str) -> ElementHandle | None:
        return (await page.evaluate_handle(FINDS, label)).as_element()

    async def _begins(self, who: str, button: ElementHandle | None) -> None:
        page = self._windows[who]
        self._who, self._goes_away = who, False
        self._ear.answers.pop(who, None)
        self._before = {each.id: each for each in self._views[who].notes}
        self._menu, self._payload = await page.evaluate(WHERE, button)

    # What people see

    def shows(self, posts: Sequence[Post]) -> list[Screen]:
        """The newest post is marked in the window of whom it calls."""
        seen = [_presented(plainly(each.said)) for each in posts]
        if posts and posts[-1].said.called:
            seen[-1] = replace(seen[-1], called=(posts[-1].said.called,))
        return seen

    def tells(self, step: Step) -> Screen | None:
        """What confirms what everybody sees is a line that vanishes. A menu goes when it does not go on."""
        said = step.told(step.who)
        if said is None:
            return None
        reply = self._ear.answers[step.who]
        assert reply is not None
        found = payload.read(self._payload)
        closes = found is not None and found.verb is Verb.CLOSE
        in_menu = self._manners.get(self._menu) is Manner.MENU
        self._goes_away = in_menu and (closes or reply.manner is not Manner.MENU)
        return None if in_menu and closes else linked(_presented(plainly(said)), said)

    def takes_back(self, step: Step, who: str) -> int:
        """A post has one menu at a time: a second one took the place of the first."""
        if not step.taken_back(who):
            return 0
        return sum(each.id in self._fading for each in self._views[who].notes)

    async def _view(self, page: Page, whole: bool) -> View:
        return msgspec.json.decode(await page.evaluate(READS, whole), type=View)

    async def _look(self, whose: str = "") -> Sight:
        """What there is to see in all windows; *whose*: the one to tell what everybody sees."""
        whose = whose or self._who or self._names[0]
        views = await asyncio.gather(*(self._view(page, who == whose) for who, page in self._windows.items()))
        self._views = dict(zip(self._windows, views, strict=True))
        mine = self._views[whose]
        called = {each: (who,) for who, view in self._views.items() for each in view.called}
        wall = tuple(_read(each, called.get(each.id, ())) for each in mine.wall)
        own = {who: Counter(f"{each.id} {_read(each)}" for each in view.notes) for who, view in self._views.items()}
        return Sight(wall, self._told(self._views.get(self._who, mine)), own)

    @property
    def _other(self) -> str:
        """In whose window everybody's messages are not the same as in the first one's; "" for nobody's."""
        first, *rest = self._windows
        return next((who for who in rest if self._views[who].sum != self._views[first].sum), "")

    def _told(self, view: View) -> Screen | None:
        if self._goes_away and self._menu in [each.id for each in view.notes]:
            return Screen(("(the menu is still there)",))
        fresh = [each for each in view.notes if self._before.get(each.id) != each]
        if fresh:
            reply = self._ear.answers.get(self._who)
            if reply is not None:
                self._manners[fresh[-1].id] = reply.manner
                self._fading |= {fresh[-1].id} if reply.fades else set()
            return _read(fresh[-1])
        if not view.toasts:
            return None
        text, *links = view.toasts[-1]
        return Screen(tuple(text.split("\n")), rows=(tuple(links),) if links else ())

    async def until(self, right: Callable[[Sight], bool]) -> Sight:
        clock = asyncio.get_running_loop().time
        end = clock() + PATIENCE_S
        while not right(sight := await self._look()) or self._other or any(each.busy for each in self._views.values()):
            if clock() > end:
                return await self._look(self._other)
            await self._windows[self._other or self._who or self._names[0]].evaluate(CHANGES, [LOOK_MS, QUIET_MS])
        return sight

    def transcript(self) -> str:
        told = [f"== {who}\n" + "\n".join(str(_read(each)) for each in view.notes) for who, view in self._views.items()]
        return "\n".join(told)


def _read(message: Told, called: tuple[str, ...] = ()) -> Screen:
    rows = tuple(row if isinstance(row, Picks) else tuple(row) for row in message.rows)
    file = ("document", nameless(message.file)) if message.file is not None else None
    if message.moves:
        return Screen(tuple(message.text), None, ("animation", ""), rows, called)
    return Screen(tuple(message.text), message.alt, file, rows, called)


def _presented(seen: Screen) -> Screen:
    """*seen* as the page shows it: a film moves where it stands, without a name."""
    film = seen.file is not None and seen.file[0] == "animation"
    return replace(seen, file=("animation", "") if film else seen.file, alt=shortened(seen.alt, LONGEST_ALT))
