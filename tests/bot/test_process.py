"""The one process, as an operator meets it."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
Start = Callable[..., Awaitable[asyncio.subprocess.Process]]


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    """Starts ``python -m bot`` in an empty folder, with nothing but the given variables set."""
    running: list[asyncio.subprocess.Process] = []

    async def begin(**variables: str) -> asyncio.subprocess.Process:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            cwd=tmp_path,
            env={**kept, "PYTHONPATH": str(TOP), "WEB_PORT": "0", **variables},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        running.append(process)
        return process

    yield begin
    for process in running:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def line(process: asyncio.subprocess.Process, wanted: str) -> str:
    """The first line of the output that has *wanted* in it."""
    assert process.stdout is not None
    while text := (await asyncio.wait_for(process.stdout.readline(), 20)).decode():
        if wanted in text:
            return text
    raise AssertionError(f"the output ended without {wanted!r}")


async def test_without_any_setting_the_chat_page_is_on_and_the_others_say_what_is_missing(start: Start) -> None:
    process = await start()
    assert "set DISCORD_TOKEN" in await line(process, "discord")
    assert "set TELEGRAM_TOKEN" in await line(process, "telegram")
    assert "http://127.0.0.1:" in await line(process, "web")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_it_ends_when_asked_and_leaves_nothing_running(
    start: Start, tmp_path: Path, number: signal.Signals
) -> None:
    process = await start()
    await line(process, "http://")
    process.send_signal(number)
    assert await asyncio.wait_for(process.wait(), 5) == 0
    again = await start()  # the folder is free at once
    await line(again, "http://")


async def test_a_second_bot_on_the_same_games_is_refused_clearly(start: Start) -> None:
    first = await start()
    await line(first, "http://")
    second = await start()
    _, trouble = await asyncio.wait_for(second.communicate(), 30)
    assert second.returncode == 1
    assert trouble.decode().startswith("Cannot run:")
    assert trouble.decode().count("\n") == 1


async def test_wrong_settings_are_all_named_at_once(start: Start) -> None:
    process = await start(REDIS_URL="http://x", THEME="pink", WEB_PORT="eighty", KEEP_DAYS="0", WEB="maybe")
    _, trouble = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 2
    for name in ("REDIS_URL", "THEME", "WEB_PORT", "KEEP_DAYS", "WEB"):
        assert f"  {name} must " in trouble.decode()
    assert "http://x" not in trouble.decode()  # an address may hold a password


async def test_settings_may_stand_in_a_file(start: Start, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("# mine\nTHEME = 'pink'\n", encoding="utf-8")
    process = await start()
    _, trouble = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 2
    assert "THEME must be one of: dark, light" in trouble.decode()


async def test_no_platform_at_all_is_said(start: Start) -> None:
    process = await start(WEB="off")
    _, trouble = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 1
    assert "no platform" in trouble.decode()


async def test_it_starts_again_after_being_killed(start: Start) -> None:
    process = await start()
    await line(process, "http://")
    process.kill()
    await process.wait()
    await line(await start(), "http://")
