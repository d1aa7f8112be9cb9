"""The bot is killed while people play on the page; their browser stays open."""

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.bot.adapters.browser import Chromium, Window
from tests.bot.servers import free_port

pytestmark = pytest.mark.asyncio(loop_scope="session")

TOP = Path(__file__).parents[3]


@asynccontextmanager
async def bot(folder: Path, port: int, window: Window) -> AsyncIterator[None]:
    """Run the real process with its games in *folder*. At the end it is killed, after *window* has received its
    answers and pictures: the browser would report interrupted requests as errors."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        cwd=folder,
        env={**kept, "PYTHONPATH": str(TOP), "WEB_PORT": str(port)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    try:
        while b"http://" not in (said := await asyncio.wait_for(process.stdout.readline(), 60)):
            assert said, "the bot ended"
        yield
        await window.is_answered()
        await window.page.wait_for_function("() => [...document.images].every((image) => image.complete)")
    finally:
        process.kill()
        await process.communicate()


async def press(window: Window, label: str) -> None:
    """Press the button of the private menu whose label begins with *label*, once the page takes a press."""
    await expect(window.page.locator(".busy")).to_have_count(0)
    await window.notes.last.get_by_role("button", name=re.compile(f"^{re.escape(label)}")).first.press("Enter")


async def tap(window: Window, *labels: str) -> None:
    """Tap buttons of the private menu by the beginning of their labels, each after the result of the one before."""
    for label in labels:
        before = await window.notes.last.inner_text()
        await press(window, label)
        await expect(window.notes.last).not_to_have_text(before, use_inner_text=True)


async def test_a_turn_of_several_steps_goes_on_after_a_kill_between_two_of_them(
    tmp_path: Path, browser: Chromium
) -> None:
    """The first set-up of Crystalla: taps before the kill survive and are reported with the whole turn."""
    port = free_port()
    async with browser.window(locale="en-GB") as window:
        async with bot(tmp_path, port, window):
            await window.page.goto(f"http://127.0.0.1:{port}/")
            await window.say("/newgame crystalla")
            await window.press("Start")
            await window.button("Play against the house").press("Enter")  # a click would be so quick that it is a slip
            await expect(window.board).to_contain_text("Turn order")
            await window.press("Move")
            await tap(window, "Keep all three", "3 ", "c ◥")
            await expect(window.notes.last.get_by_role("img")).to_have_attribute(
                "alt", re.compile("This turn: keep 3cne")
            )
        async with bot(tmp_path, port, window):
            await expect(window.notes).to_have_text([])  # the page is a new one
            await window.say("/move")
            await expect(window.notes.last).to_contain_text("/move")
            await tap(window, "1 ", "a ◢")
            await press(window, "b ◢")
            # a slow turn of the house has a post of its own
            answer = window.page.locator("article.pictured:not(.only)").filter(has_text="Anna: keeps")
            await expect(answer).to_contain_text(re.compile("Anna: keeps the cards.* c1", re.DOTALL))
            await expect(window.notes).to_have_text([])
            await window.say("/history")
            laid = re.compile("Anna keeps all three cards.*on c1.*on a1.*on b1", re.DOTALL)
            await expect(window.notes.last).to_contain_text(laid)


async def test_a_board_shown_again_after_a_kill_has_no_explanation_for_beginners(
    tmp_path: Path, browser: Chromium
) -> None:
    port = free_port()
    async with browser.window(locale="en-GB") as window:
        async with bot(tmp_path, port, window):
            await window.page.goto(f"http://127.0.0.1:{port}/")
            await window.say("/newgame kabooom")
            await expect(window.board).to_be_visible()
        async with bot(tmp_path, port, window):
            answer = window.page.locator(".fresh")
            await expect(answer).to_contain_text("The bot has restarted.")
            await expect(window.board).to_be_visible()
            await expect(answer.get_by_role("button")).to_be_hidden()
            await window.page.locator("#channels .entry").filter(has_text="table-2").click()
            await expect(answer).to_have_count(0)
