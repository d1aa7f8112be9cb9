"""The one process, as an operator meets it."""

import asyncio
import re
import signal
import socket
import sys
from pathlib import Path

import pytest

from tests.bot.bots import TOP, Start, line
from tests.bot.servers import free_port, page, serving
from tests.emulators.discord import Discord
from tests.emulators.telegram.server import Telegram


async def test_without_settings_the_page_runs_and_others_report_missing_values(start: Start) -> None:
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
    assert await asyncio.wait_for(process.wait(), 60) == 0
    again = await start()  # the folder is free at once
    await line(again, "http://")


async def test_a_second_bot_on_the_same_games_is_refused_clearly(start: Start) -> None:
    first = await start()
    await line(first, "http://")
    second = await start()
    _, trouble = await asyncio.wait_for(second.communicate(), 60)
    assert second.returncode == 1
    assert trouble.decode().startswith("Cannot run:")
    assert trouble.decode().count("\n") == 1


async def test_wrong_settings_are_all_named_at_once(start: Start) -> None:
    process = await start(REDIS_URL="http://x", THEME="pink", WEB_PORT="eighty", KEEP_DAYS="0", WEB="maybe")
    _, trouble = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 2
    for name in ("REDIS_URL", "THEME", "WEB_PORT", "KEEP_DAYS", "WEB"):
        assert f"  {name} must " in trouble.decode()
    assert "http://x" not in trouble.decode()  # an address may hold a password


async def test_settings_may_stand_in_a_file(start: Start, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("# mine\nTHEME = 'pink'\n", encoding="utf-8")
    process = await start()
    _, trouble = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 2
    assert "THEME must be one of: dark, light" in trouble.decode()


async def test_no_platform_at_all_is_said(start: Start) -> None:
    process = await start(WEB="off")
    _, trouble = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert "no platform" in trouble.decode()


async def test_it_starts_again_after_being_killed(start: Start) -> None:
    process = await start()
    await line(process, "http://")
    process.kill()
    await process.wait()
    await line(await start(), "http://")


# A platform that is gone for good


async def test_a_revoked_only_token_is_reported_and_the_bot_ends(start: Start) -> None:
    async with Telegram() as telegram:
        process = await start(give_up_s=1.5, TELEGRAM_TOKEN=telegram.token, TELEGRAM_API_URL=telegram.url)
        await line(process, "telegram: https://t.me/")
        telegram.token = "654321:another-token-than-the-bot-has"
        await telegram.person("Anna").types("/help")  # ends the request that waits for news
        said, trouble = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert trouble.decode().splitlines()[-1] == f"Cannot run: telegram: {telegram.url} does not know TELEGRAM_TOKEN."
    assert "Traceback" not in trouble.decode()
    assert "Good bye" not in said.decode()


async def test_as_long_as_another_platform_is_there_the_bot_goes_on(start: Start) -> None:
    async with Telegram() as telegram, Discord() as discord:
        settings = {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url, **discord.environment}
        port = free_port()
        process = await start(give_up_s=0.0, HEALTH_PORT=str(port), **settings)
        await line(process, "telegram: https://t.me/")
        assert await ended_platforms(port) == {"discord": "0.0", "telegram": "0.0"}
        await discord.connected()
        token, discord.token = discord.token, "another"
        discord.gateway.drop()
        assert process.stderr is not None
        while b"DISCORD_TOKEN" not in await asyncio.wait_for(process.stderr.readline(), 60):
            pass
        await telegram.person("Anna").types("/help")
        await telegram.handled()
        assert process.returncode is None
        assert await ended_platforms(port) == {"discord": "1.0", "telegram": "0.0"}
        telegram.token = "654321:another-token-than-the-bot-has"
        await telegram.person("Ben").types("/help")
        assert await asyncio.wait_for(process.wait(), 60) == 1
        assert token.encode() not in await process.stderr.read()


async def ended_platforms(port: int) -> dict[str, str]:
    _, figures = await page(f"http://127.0.0.1:{port}/metrics")
    return dict(re.findall(r'kaleidobot_platform_ended\{platform="(\w+)"\} (\S+)', figures))


async def test_the_store_is_named_and_its_losses_are_no_surprise(start: Start, tmp_path: Path) -> None:
    with serving(tmp_path / "store") as server:
        process = await start(REDIS_URL=f"redis://127.0.0.1:{server.port}")
        assert f"store: 127.0.0.1:{server.port} (Valkey " in await line(process, "store")
        await line(process, "http://")
        process.terminate()
        said, trouble = await asyncio.wait_for(process.communicate(), 60)
    assert "will lose moves when it restarts: its appendonly is not yes" in trouble.decode()
    assert "All games are kept." not in said.decode()
    assert "Good bye. The store may lose games" in said.decode()


# Endpoints for monitoring


async def becomes(url: str, wanted: tuple[int, str]) -> None:
    """Wait until the page has that content; pytest's own time limit ends a vain wait."""
    while await page(url) != wanted:
        await asyncio.sleep(0.05)


async def test_without_a_port_nothing_answers_machines(start: Start) -> None:
    process = await start()
    await line(process, "http://")
    process.terminate()
    assert process.stdout is not None
    assert "health" not in (await process.stdout.read()).decode()


async def test_the_health_server_is_loaded_only_if_configured() -> None:
    names = "'bot.operation.health' in sys.modules, 'aiohttp' in sys.modules"
    text = f"import sys, bot.app; bot.app.variables(); print({names})"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", text, cwd=TOP, stdout=asyncio.subprocess.PIPE)
    said, _ = await asyncio.wait_for(process.communicate(), 60)
    assert said.split() == [b"False", b"False"]


@pytest.mark.parametrize("port", ["eighty", "0", "65536", "127.0.0.1:9464"])
async def test_an_invalid_health_port_is_reported(start: Start, port: str) -> None:
    process = await start(HEALTH_PORT=port)
    _, trouble = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 2
    assert f"  HEALTH_PORT must be a whole number from 1 to 65535. It is {port!r}." in trouble.decode()


async def test_a_taken_health_port_is_reported_in_one_line(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = await start(HEALTH_PORT=str(port))
        _, trouble = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert trouble.decode().startswith(f"Cannot run: HEALTH_PORT: cannot listen on 127.0.0.1:{port} (")
    assert trouble.decode().count("\n") == 1


async def test_health_requests_are_answered_until_the_end_and_do_not_delay_it(start: Start) -> None:
    port = free_port()
    process = await start(HEALTH_PORT=str(port), HEALTH_NAMES="bot, games.lan")
    assert f"port {port} of 127.0.0.1" in await line(process, "health")
    await line(process, "http://")
    url = f"http://127.0.0.1:{port}"
    assert await page(f"{url}/healthz") == (200, "alive\n")
    for name, status in {"games.lan": 200, f"bot:{port}": 200, "elsewhere.example": 421}.items():
        assert (await page(f"{url}/healthz", Host=name))[0] == status, name
    assert await page(f"{url}/readyz") == (200, "ready\n")
    assert await page(f"{url}/") == (404, "404: Not Found")
    status, figures = await page(f"{url}/metrics")
    assert status == 200
    assert "process_cpu_seconds_total" in figures or sys.platform != "linux"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)  # a client that never sends a request
    process.terminate()
    assert await asyncio.wait_for(process.wait(), 9) == 0  # an idle client is disconnected after ten seconds
    assert await reader.read() == b""
    writer.close()


async def test_ready_is_who_has_its_store_and_all_its_platforms(start: Start, tmp_path: Path) -> None:
    port = free_port()
    ready, alive = f"http://127.0.0.1:{port}/readyz", f"http://127.0.0.1:{port}/healthz"
    async with Discord() as discord, Telegram() as telegram:
        with serving(tmp_path / "store", password="geheim") as server:
            anna = telegram.person("Anna")
            hall = telegram.group("Hall", anna)
            await discord.shuts()
            process = await start(
                REDIS_URL=f"redis://:geheim@127.0.0.1:{server.port}/0",
                TELEGRAM_TOKEN=telegram.token,
                TELEGRAM_API_URL=telegram.url,
                WEB="on",
                LOG_LEVEL="ERROR",
                HEALTH_PORT=str(port),
                **discord.environment,
            )
            await line(process, "health")
            await becomes(ready, (503, "discord: not connected\n"))
            _, figures = await page(f"http://127.0.0.1:{port}/metrics")
            shown = dict(re.findall(r'kaleidobot_ready\{part="(\w+)"\} (\S+)', figures))
            assert shown == {"store": "1.0", "discord": "0.0", "telegram": "1.0", "web": "1.0"}
            await discord.opens()
            await becomes(ready, (200, "ready\n"))

            server.process.send_signal(signal.SIGSTOP)  # it takes calls, and answers none
            await becomes(ready, (503, "store: does not answer\n"))
            server.process.send_signal(signal.SIGCONT)
            await becomes(ready, (200, "ready\n"))

            telegram.fails("getUpdates", times=1000)
            await anna.types("/help", hall)  # ends the request that waits for news
            await becomes(ready, (503, "telegram: not connected\n"))
            telegram.troubles.clear()
            await becomes(ready, (200, "ready\n"))

            await discord.shuts()
            await becomes(ready, (503, "discord: not connected\n"))
            server.process.send_signal(signal.SIGSTOP)
            await becomes(ready, (503, "store: does not answer\ndiscord: not connected\n"))
            assert await page(alive) == (200, "alive\n")
            server.process.send_signal(signal.SIGCONT)
            await discord.opens()
            await becomes(ready, (200, "ready\n"))
            process.terminate()
            assert await asyncio.wait_for(process.wait(), 60) == 0
