"""A whole game of two people in one window of a real browser, on a phone: one taps, one types a turn at a time."""

import asyncio
from math import dist

import pytest
from playwright.async_api import expect
from redis import Redis

import texts
from bot.chat import PersonId, PlaceId
from rules import PACKAGES
from tests.bot.adapters.browser import PHONE, Chromium, Window, table_of
from tests.bot.adapters.whole_games import MOST_TAPS, NAMES, QUICK, Choice, Match
from tests.bot.conftest import HandClock

pytestmark = pytest.mark.asyncio(loop_scope="session")

LOBBY = PlaceId("web:lobby")
SHORT = 150
"""A seed that makes a short game."""
PEOPLE = NAMES[:2]
NAMED = {PersonId(f"web:{name.lower()}"): name for name in PEOPLE}

BOARD = "[...document.querySelectorAll('article.pictured:not(.only)')].at(-1)"
MENU = "[...document.querySelectorAll('article.only')].at(-1)"
NEWEST = f"{BOARD}.dataset.id"
SHOWN = f"[{NEWEST}, {MENU}?.innerHTML ?? ''].join()"
"""Return the id of the newest board and the text of the newest private message."""
GOES_ON = f"(shown) => {SHOWN} !== shown && !document.querySelector('.busy')"
TAPPED = f"""(shown) => ({{ taken: new Promise((told) => {{
    const tell = () => told({SHOWN} !== shown || document.querySelector('.busy') !== null);
    addEventListener("click", tell, {{ once: true }});
    setTimeout(tell, 10_000);
}}) }})"""
"""A promise of whether the next tap counts."""
LIES_STILL_S = 30.0
CALLED = f"(name) => {BOARD}?.querySelector('.mention')?.innerText === '@' + name"
IS_CALLED = f"{BOARD}.querySelector('span.mention')"
"""In the player's own view; other people see a button."""
REACHED = """(button) => {
    button.scrollIntoView({ block: "center" });
    const { x, y, width, height } = button.getBoundingClientRect();
    return [x, y, width, height];
}"""


LIES = (
    "([x, y, payload]) => document.elementFromPoint(x, y)?.closest('.row [data-payload]')?.dataset.payload === payload"
)
"""Return whether the button with this payload exists now."""


class Thumb:
    """Taps buttons in a window. Two taps in a row are never near each other: the page takes that for a double tap."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._last = (0.0, 0.0)

    async def offered(self, within: str) -> list[str]:
        """Return the payloads of a message's buttons."""
        buttons = f"[...({within}?.querySelectorAll('.row button') ?? [])]"
        result = await self._window.run(f"{buttons}.map((button) => button.dataset.payload)")
        assert isinstance(result, list)
        return [str(part) for part in result]

    async def tap(self, within: str, payload: str) -> None:
        """Tap a button of a message and wait for a result. If a board has just arrived, the page may ignore the tap;
        then tap again."""
        shown = await self._window.run(SHOWN)
        tapped = await self._window.page.evaluate_handle(TAPPED, shown)
        await self._press(within, payload)
        if not await tapped.evaluate("(tapped) => tapped.taken"):
            await self._press(within, payload)
        await self._window.page.wait_for_function(GOES_ON, arg=shown)

    async def _press(self, within: str, payload: str) -> None:
        """Press a button once it has stopped moving."""
        async with asyncio.timeout(LIES_STILL_S):
            while not (corner := await self._reaches(within, payload)):
                await asyncio.sleep(0.05)
        self._last = corner
        await self._window.page.touchscreen.tap(*corner)

    async def _reaches(self, within: str, payload: str) -> tuple[float, float] | None:
        """Scroll the button into view and return its position, or None while it is covered or moving."""
        x, y, width, height = await self._window.page.evaluate(
            f"({REACHED})({within}.querySelector('.row [data-payload=\"{payload}\"]'))"
        )
        corners = ((x + part * width, y + part * height) for part in (0.25, 0.75))
        corner = max(corners, key=lambda corner: dist(corner, self._last))
        return corner if await self._window.page.evaluate(LIES, [*corner, payload]) else None


async def becomes(window: Window, name: str) -> None:
    """Switch to *name*, who is called by the newest board, by a click on the name."""
    await window.page.wait_for_function(CALLED, arg=name)
    if not await window.run(f"!!{IS_CALLED}"):
        await window.board.locator("button.mention").click()
        await window.page.wait_for_function(f"() => {IS_CALLED}")


@pytest.mark.parametrize("game", ["crystalla", *(f"{game} {QUICK.get(game, '')}".rstrip() for game in PACKAGES)])
async def test_two_people_tap_and_type_a_whole_game_on_a_phone(
    game: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """One of them taps, step by step; the other one types whole turns."""
    async with table_of(PEOPLE, browser, server, game, clock, **PHONE) as (
        window,
        store,
        service,
    ):
        thumb = Thumb(window)

        async def taps(choice: Choice) -> None:
            if not choice.is_offered(await thumb.offered(MENU)):
                await becomes(window, NAMED[choice.person])
                move = next(text for text in await thumb.offered(BOARD) if text.startswith("menu:"))
                await thumb.tap(BOARD, move)
                if choice.is_played(await thumb.offered(MENU)):
                    return
            been = list[str]()
            for _ in range(MOST_TAPS):
                payload, board = choice.next_tap(await thumb.offered(MENU), been), await window.run(NEWEST)
                await thumb.tap(MENU, payload)
                if payload.startswith("play:"):
                    if not await thumb.offered(MENU):  # the turn is complete
                        await window.page.wait_for_function(f"(board) => {NEWEST} !== board", arg=board)
                    return
            raise AssertionError(f"{choice} takes more than {MOST_TAPS} taps")

        async def types(choice: Choice) -> None:
            await becomes(window, NAMED[choice.person])
            shown = await window.run(SHOWN)
            await window.say(f"/move {choice.line}")
            await window.page.wait_for_function(GOES_ON, arg=shown)

        _, *typing = NAMED

        async def plays(choice: Choice) -> None:
            await (types if choice.person in typing else taps)(choice)

        over = await Match(store, service, clock, LOBBY, SHORT).to_the_end(plays, in_one_go=typing)
        assert over.result is not None
        await expect(window.board).to_contain_text(texts.say("table", "button.again", "en"))
        await expect(window.notes).to_have_count(0)
        assert not await window.is_wider_than_the_screen()
