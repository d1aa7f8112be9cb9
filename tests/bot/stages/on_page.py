"""The local page: a window for each person, all of them checked at every step.

The last part of some conversations (`last_part`) is played in a real browser, in the windows of the two most active
people. Before that, and for all other people, a window is the data that the page's server sends to it.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from bot.adapters.on_web.chat import WebChat
from bot.adapters.on_web.rooms import LONGEST_ALT
from bot.chat import PersonId, PlaceId, Role
from bot.requests import payload
from bot.service.service import Service
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.servers import free_port
from tests.bot.stages.script import RESTART, Kind, Picks, Step, nameless, people
from tests.bot.stages.stage import OTHERS, PATIENCE_S, Ear, Screen, Sight, linked, plainly, shortened
from tests.bot.stages.wall import Post
from tests.bot.stages.windows import Button, Pane, Screenless, Told, View, Windows, crossless

LAST = 4
"""Steps in the browser, which has to draw all earlier messages first."""
MOST = 10
"""Steps in the browser if one of them is of a rare kind."""
SHOWN = 2
"""People with a window in the browser."""


def last_part(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps of a conversation that are played in the browser."""
    most = steps[-MOST:]
    rare = next((number for number, way in enumerate(most) if is_rare(way)), len(most))
    return most[min(rare, max(0, len(most) - LAST)) :]


def is_rare(step: Step) -> bool:
    """Return whether few conversations have such a step: a restart, a second place, an animation, or a message that
    disappears."""
    moves = any(event.said.file is not None and event.said.file[0] == "animation" for event in step.events)
    goes = any(event.kind is Kind.TAKES_BACK for event in step.events)
    return step.line == RESTART or bool(step.elsewhere) or moves or goes


class OnPage:
    """See `stage.Stage`."""

    remembers = False

    def __init__(self, windows: Windows, steps: Sequence[Step], seen: Sequence[Step]) -> None:
        """Create the stage. *seen*: the last of the *steps*, which are played in the browser; () for none."""
        self._browser = windows
        self._last = seen
        self._panes: dict[str, Pane] = {}
        self._shown: tuple[str, ...] = ()  # people with windows in the browser
        self._names = people(steps)
        self._port = 0
        self._lines: dict[str, str] = {}  # the last input of each person
        self._manners: dict[str, Role] = {}  # private replies, by message
        self._fading: set[str] = set()  # messages that do not stay
        self._passing: dict[str, set[str]] = {
            who: set() for who in self._names
        }  # replies that go with their turn without a message
        self._views: dict[str, View] = {}
        # --- The last input
        self._who = ""
        self._before: dict[str, Told] = {}
        self._menu = self._payload = ""  # the pressed message and its payload
        self._goes_away = self._becomes_board = False

    @property
    def place(self) -> PlaceId:
        return PlaceId("web:lobby")

    @property
    def elsewhere(self) -> Sequence[PlaceId]:
        return [PlaceId(f"web:{name}") for name in ("table-2", *OTHERS[1:])]

    def person(self, who: str) -> PersonId:
        return PersonId(f"web:{who}")

    async def comes(self, bot: Service) -> None:
        self._ear = Ear(bot)
        self._chat = WebChat(port=self._port or free_port())
        bot.add(self._chat)
        await self._chat.start(self._ear, MemoryStorage())
        if self._port:
            for pane in self._panes.values():
                await pane.back()
            return
        self._port = int(self._chat.url.rpartition(":")[2].strip("/"))
        for who in self._names:
            self._panes[who] = await Screenless.at(self._chat.url, who)

    async def goes(self) -> None:
        for pane in self._panes.values():
            await pane.rests()
        await self._chat.stop()
        for pane in self._panes.values():
            await pane.gone()

    async def leaves(self) -> None:
        for pane in self._panes.values():
            await pane.closes()

    async def nears(self, step: Step) -> None:
        """Switch to the browser for the last part; it draws the earlier messages at once."""
        if not self._last or step is not self._last[0]:
            return
        answer = await self._look()
        most = Counter(event.who for event in self._last if event.who).most_common(SHOWN)
        self._shown = tuple(who for who, _ in most) or self._names[:1]
        for who in self._shown:
            await self._panes[who].closes()
            self._panes[who] = await self._browser.at(self._chat.url, who)
        drawn = await self.until(lambda sight: (sight.wall, sight.alone) == (answer.wall, answer.alone))
        assert (drawn.wall, drawn.alone) == (answer.wall, answer.alone), (
            "the browser draws something else than it was told"
        )

    # --- Input

    def hears(self, line: str) -> bool:
        """Return whether the line is a command: all other lines in a channel are talk among people."""
        return line.startswith("/")

    async def types(self, who: str, line: str) -> None:
        await self._begins(who, None)
        if self.hears(line):
            self._lines[who] = line
        await self._panes[who].types(line)
        if self.hears(line):
            await self._ear.answer(who)

    async def says(self, who: str, line: str, *, is_move: bool) -> None:
        await self._begins(who, None)
        await self._panes[who].types(line)
        await self._ear.answer(who)

    async def presses(self, who: str, label: str) -> None:
        pane = self._panes[who]
        button = await pane.finds(label)
        if button is None:  # gone after a restart: the person asks again
            again = self._lines.get(who, "")
            await self.types(who, "/move" if " " in again or not again else again)
            async with asyncio.timeout(PATIENCE_S):
                while (button := await pane.finds(label)) is None:
                    await pane.changes()
            await self._look()
        await self._begins(who, button)
        await pane.presses(button)
        await self._ear.answer(who)

    async def _begins(self, who: str, button: Button | None) -> None:
        self._who, self._goes_away, self._becomes_board = who, False, False
        self._ear.answers.pop(who, None)
        self._before = {note.id: note for note in self._views[who].notes}
        self._menu, self._payload = ("", "") if button is None else (button.message, button.payload)
        await self._panes[who].begins()

    # --- Output

    def shows(self, posts: Sequence[Post]) -> list[Screen]:
        """Return the screens; the newest post is marked in the window of the person that it calls."""
        seen = [_presented(plainly(post.said)) for post in posts]
        if posts and posts[-1].said.called:
            seen[-1] = replace(seen[-1], called=(posts[-1].said.called,))
        return seen

    def tells(self, step: Step) -> Screen | None:
        """Return the private answer. A confirmation of a public result is a toast. A menu that does not continue
        disappears."""
        said = step.reply_to(step.who)
        if said is None:
            return None
        reply = self._ear.answers[step.who]
        assert reply is not None
        result = payload.read(self._payload)
        closes = result is not None and result.verb == "close"
        in_menu = self._manners.get(self._menu) is Role.MENU
        self._goes_away = in_menu and (closes or not (reply.role.is_menu or reply.role.is_note))
        self._becomes_board = in_menu and reply.board is not None  # until the house has played
        drawn = _presented(plainly(said))
        drawn = replace(
            drawn, rows=tuple(row if isinstance(row, Picks) else tuple(row) for row in crossless(drawn.rows))
        )
        return None if in_menu and (closes or self._becomes_board) else linked(drawn, said)

    def leads(self, step: Step) -> Step:
        return step

    def takes_back(self, step: Step, who: str) -> int:
        """Return the number of deleted messages. A post has one menu at a time: a second one replaces the first."""
        if not step.taken_back(who):
            return 0
        return sum(note.id in self._fading for note in self._views[who].notes)

    async def _look(self, whose: str = "") -> Sight:
        """Return the visible messages of all windows; *whose*: the window for the public ones."""
        whose = whose or self._first
        views = await asyncio.gather(*(pane.sees(who == whose) for who, pane in self._panes.items()))
        self._views = dict(zip(self._panes, views, strict=True))
        mine = self._views[whose]
        called = {note: (who,) for who, view in self._views.items() for note in view.called}
        wall = tuple(_read(post, called.get(post.id, ())) for post in mine.wall)
        answer = self._told(self._views.get(self._who, mine))
        stays = {
            who: [note for note in view.notes if note.id not in self._passing[who]] for who, view in self._views.items()
        }
        own = {who: Counter(f"{note.id} {_read(note)}" for note in notes) for who, notes in stays.items()}
        return Sight(wall, answer, own)

    @property
    def _other(self) -> str:
        """Return the person whose public messages differ from the first window's, or ""."""
        mine = self._views[self._first]
        same = {
            who: view.wall == mine.wall if view.sum is None else view.sum == mine.sum
            for who, view in self._views.items()
        }
        return next((who for who, is_same in same.items() if not is_same), "")

    @property
    def _first(self) -> str:
        """Return the person whose window is read first, one in the browser if there is any."""
        return next((who for who in (self._who, *self._shown) if who in (self._shown or self._names)), self._names[0])

    def _told(self, view: View) -> Screen | None:
        if self._goes_away and self._menu in [note.id for note in view.notes]:
            return Screen(("(the menu is still there)",))
        if self._becomes_board:
            return None
        fresh = [note for note in view.notes if self._before.get(note.id) != note]
        if fresh:
            reply = self._ear.answers.get(self._who)
            if reply is not None:
                self._manners[fresh[-1].id] = reply.role
                self._fading |= {fresh[-1].id} if reply.expires_strictly else set()
                passes = reply.expires is not None and not reply.expires_strictly
                self._passing[self._who] |= {fresh[-1].id} if passes else set()
            return _read(fresh[-1])
        if not view.toasts:
            return None
        text, *links = view.toasts[0]  # a later one announces a post
        return Screen(tuple(text.split("\n")), rows=(tuple(links),) if links else ())

    async def until(self, right: Callable[[Sight], bool]) -> Sight:
        clock = asyncio.get_running_loop().time
        end = clock() + PATIENCE_S
        while not right(sight := await self._look()) or self._other or any(view.busy for view in self._views.values()):
            if clock() > end:
                return await self._look(self._other) if right(sight) else sight
            await self._panes[self._other or self._first].changes()
        return sight

    def transcript(self) -> str:
        results = [
            f"== {who}\n" + "\n".join(str(_read(note)) for note in view.notes) for who, view in self._views.items()
        ]
        return "\n".join(results)


def _read(message: Told, called: tuple[str, ...] = ()) -> Screen:
    rows = tuple(row if isinstance(row, Picks) else tuple(row) for row in message.rows)
    file = ("document", nameless(message.file)) if message.file is not None else None
    if message.moves:
        return Screen(tuple(message.text), None, ("animation", ""), rows, called)
    return Screen(tuple(message.text), message.alt, file, rows, called)


def _presented(seen: Screen) -> Screen:
    """Return *seen* as the page shows it: a film plays in place and has no name."""
    film = seen.file is not None and seen.file[0] == "animation"
    return replace(seen, file=("animation", "") if film else seen.file, alt=shortened(seen.alt, LONGEST_ALT))
