"""The doctor reports faults in plain words and by an exit code. It changes nothing and prints no secret."""

import asyncio
import io
import os
import re
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web

import texts
from bot import app
from bot.adapters import on_discord, on_telegram
from bot.adapters.on_discord.examining import examine
from bot.chat import PlaceId
from bot.operation import doctor, environment
from bot.operation.findings import of_clock
from bot.operation.health import serving as answering
from bot.operation.readiness import Readiness
from bot.requests.commands import COMMANDS
from bot.runtime.metrics import Metrics
from bot.store import keys
from bot.store.address import parse
from bot.store.condition import condition
from bot.store.embedded import Embedded
from renderers.lettering import Face
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.adapters.on_telegram.conftest import Listener
from tests.bot.servers import free_port, serving
from tests.emulators.discord import Discord
from tests.emulators.discord.faults import Broken, Slow
from tests.emulators.discord.world import (
    ATTACH_FILES,
    INVITED,
    SEND_MESSAGES,
    SEND_MESSAGES_IN_THREADS,
    VIEW_CHANNEL,
)
from tests.emulators.telegram.server import Telegram

TOP = Path(__file__).parents[2]


async def doctor_says(*places: str, lang: str = "en", **variables: str) -> tuple[int, list[str]]:
    """Return the exit code and the lines with these settings."""
    values = environment.read(app.variables(), variables)
    out = io.StringIO()
    result = await doctor.examine(values, app.selected(values), [PlaceId(place) for place in places])
    code = doctor.report(result, lang, out)
    return code, out.getvalue().splitlines()


async def troubles(part: str, *places: str, **variables: str) -> tuple[int, list[str]]:
    """Return the exit code and the findings about that part."""
    code, lines = await doctor_says(*places, **variables)
    return code, [line for line in lines if f" {part}: " in line and not line.startswith("ok ")]


@pytest.fixture
def own(tmp_path: Path) -> dict[str, str]:
    """Return the settings of a bot with its own store, which has never run."""
    return {"DATA_DIR": str(tmp_path / "data"), "WEB": "off"}


async def test_a_working_configuration_passes(own: dict[str, str]) -> None:
    code, lines = await doctor_says(**{**own, "WEB": "on"})
    assert (code, lines[-1]) == (0, "All is well.")
    assert all(line.startswith("ok ") for line in lines[:-1])


async def test_the_report_is_available_in_german(own: dict[str, str]) -> None:
    code, lines = await doctor_says("mond:7", lang="de_DE.UTF-8", **own)
    assert (code, lines[-1]) == (1, "2 Sachen musst du in Ordnung bringen.")
    assert [line.split()[0] for line in lines[:-1]] == ["gut", "gut", "gut", "Fehler", "Fehler"]


async def test_nothing_is_changed(own: dict[str, str], tmp_path: Path) -> None:
    async with Discord() as discord, Telegram() as telegram:
        await doctor_says(
            **own, **discord.environment, TELEGRAM_TOKEN=telegram.token, TELEGRAM_API_URL=telegram.url, HEALTH_PORT="9"
        )
        assert {request.partition(" ")[0] for request in discord.requests} == {"GET"}
        assert {call.method for call in telegram.calls} == {"getMe", "getWebhookInfo"}
        assert not telegram.violations
    assert list(tmp_path.iterdir()) == []


# The store, the disk, the health port


async def test_a_store_of_its_own_is_looked_at_while_a_bot_runs_on_it(folder: Path) -> None:
    variables = {"DATA_DIR": str(folder / "data"), "WEB": "on"}
    async with Embedded(folder / "data", fsync="everysec"):
        _, lines = await doctor_says(**variables)
        assert any("The store keeps every game." in line for line in lines)
    _, lines = await doctor_says(**variables)
    assert any("a store of its own" in line for line in lines)


async def test_a_folder_that_is_a_file_cannot_be_written_to(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    code, result = await troubles("store", DATA_DIR=str(tmp_path / "data"), WEB="on")
    assert code == 1
    said = f"The bot may not write to {tmp_path / 'data'}. Give the folder to its user, or set DATA_DIR."
    assert result == [f"wrong   store: {said}"]


async def test_a_store_that_would_lose_games(tmp_path: Path) -> None:
    with serving(tmp_path / "s", "maxmemory 100mb\nmaxmemory-policy allkeys-lru\n") as server:
        url = f"redis://127.0.0.1:{server.port}"
        code, result = await troubles("store", REDIS_URL=url, WEB="on")
        assert code == 1
        assert [line[:8].strip() for line in result] == ["improve", "wrong"]
        assert "appendonly yes" in result[0]
        assert "(allkeys-lru)" in result[1]
        server.ask("CONFIG", "SET", "maxmemory", 0)
        code, result = await troubles("store", REDIS_URL=url, WEB="on")
        assert (code, len(result)) == (3, 2), (
            "without a limit its memory is never full, as long as the machine's is not"
        )
        server.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
        server.ask("CONFIG", "SET", "appendonly", "yes")
        assert await troubles("store", REDIS_URL=url, WEB="on") == (0, [])
        used = server.raw.info("memory")["used_memory"]
        server.ask("CONFIG", "SET", "maxmemory", int(used / 0.9))
        code, result = await troubles("store", REDIS_URL=url, WEB="on")
        assert code == 3
        assert "% full" in result[0]


async def test_a_store_that_takes_no_changes_or_is_not_whole(tmp_path: Path) -> None:
    with serving(tmp_path / "s", "appendonly yes\n") as server:
        server.ask("SET", keys.RESTORING, "1")
        server.ask("REPLICAOF", "127.0.0.1", free_port())
        code, result = await troubles("store", REDIS_URL=f"redis://127.0.0.1:{server.port}", WEB="on")
        assert code == 1
        assert any("A backup is being restored into the store" in line for line in result)
        assert any("a copy that takes no changes" in line for line in result)


async def test_a_store_that_does_not_let_us_ask_or_in(tmp_path: Path) -> None:
    with serving(tmp_path / "s", password="very secret") as server:
        server.ask("ACL", "SETUSER", "asks", "on", ">pw", "~*", "+@all", "-info", "-time")
        server.ask("ACL", "SETUSER", "reads", "on", ">pw", "~*", "+@read")
        at = f"127.0.0.1:{server.port}"
        code, result = await troubles("store", REDIS_URL=f"redis://asks:pw@{at}", WEB="on")
        assert (code, len(result)) == (3, 1)
        assert "doesn't let the bot see" in result[0]
        code, result = await troubles("store", REDIS_URL=f"redis://reads:pw@{at}", WEB="on")
        assert code == 1
        assert "lets this user do too little" in result[0]
        code, result = await troubles("store", REDIS_URL=f"redis://:quite%20wrong@{at}", WEB="on")
        assert code == 1
        assert "refuses the user or password" in result[0]
        assert "quite" not in result[0]


async def test_a_missing_store_is_reported_with_its_address(own: dict[str, str]) -> None:
    port = free_port()
    code, result = await troubles("store", REDIS_URL=f"redis://:secret@127.0.0.1:{port}", WEB="on")
    assert (code, len(result)) == (1, 1)
    assert f"127.0.0.1:{port} does not answer" in result[0]
    assert "secret" not in result[0]


async def test_a_cluster_is_as_good_as_its_worst_master(tmp_path: Path) -> None:
    settings = f"cluster-enabled yes\nappendonly yes\ncluster-port {free_port()}\n"
    with serving(tmp_path / "s", settings) as server:
        server.ask("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        while "cluster_state:ok" not in str(server.ask("CLUSTER", "INFO")):
            await asyncio.sleep(0.01)
        result = await condition(parse(f"redis+cluster://127.0.0.1:{server.port}"), 5)
        assert result.is_readable
        assert result.writes_down
        assert result.clock_s is not None
        assert abs(result.clock_s) < 5


def test_clock_skew_is_reported_sooner_if_it_matters_more() -> None:
    assert [of_clock("store", off).grade for off in (0.2, -3, 20, -20, 90)] == [
        *("fine", "fine", "better", "better", "wrong")
    ]
    assert "90 seconds apart" in of_clock("store", -90).text("en")


async def test_a_health_port_is_free_or_used_by_a_bot_or_another_program(own: dict[str, str]) -> None:
    variables = {**own, "WEB": "on", "HEALTH_PORT": str(free_port())}
    assert (await doctor_says(**variables))[0] == 0
    async with answering("127.0.0.1", int(variables["HEALTH_PORT"]), Readiness(), Metrics()):
        code, lines = await doctor_says(**variables)
        assert code == 0
        assert any("A bot is running" in line for line in lines)
    async with silent() as port:
        code, result = await troubles("health", **{**variables, "HEALTH_PORT": str(port)})
        assert code == 1
        assert "Something else is using port" in result[0]


@asynccontextmanager
async def silent(says: bytes = b"220 mail\r\n") -> AsyncIterator[int]:
    """Yield the port of a listener that is not a bot."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(says)
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as listening:
        yield int(listening.sockets[0].getsockname()[1])


async def test_fonts_that_are_missing_damaged_or_poor() -> None:
    def missing(bold: bool) -> Face:
        raise FileNotFoundError

    def damaged(bold: bool) -> Face:
        raise struct.error

    for letters in (missing, damaged, lambda _: Face({"A": 0.7})):
        (result,) = await doctor.of_fonts(letters)
        assert (result.grade, result.key) == ("wrong", "fonts.missing")


# Platforms that are off


async def test_no_platform_and_places_of_a_platform_that_is_off(own: dict[str, str]) -> None:
    code, result = await troubles("doctor", "discord:5", "here", **own)
    assert code == 1
    assert [text.split()[2] for text in result] == ["discord:5", "here", "No"]


async def test_a_page_reachable_from_the_network_is_reported(own: dict[str, str]) -> None:
    code, result = await troubles("web", **{**own, "WEB": "on", "WEB_HOST": "0.0.0.0"})
    assert (code, len(result)) == (3, 1)


# Discord


@pytest.fixture
async def discord() -> AsyncIterator[Discord]:
    async with Discord() as opened:
        yield opened


async def at_discord(discord: Discord, *places: str, **variables: str) -> tuple[int, list[str]]:
    return await troubles("discord", *places, **{"WEB": "off", **discord.environment, **variables})


async def test_a_bot_that_discord_knows_is_fine(discord: Discord, own: dict[str, str]) -> None:
    code, result = await at_discord(discord, **own)
    assert (code, [line[:8].strip() for line in result]) == (3, ["improve"])
    assert "doesn't have this version's commands" in result[0]
    chat = on_discord.open({**discord.environment})
    await chat.start(Listener(), MemoryStorage())
    await discord.connected()
    await chat.stop()
    assert await at_discord(discord, **own) == (0, [])


async def test_a_token_that_discord_does_not_know(discord: Discord, own: dict[str, str]) -> None:
    code, result = await at_discord(discord, **own, DISCORD_TOKEN="abc.def.ghi")
    assert (code, len(result)) == (1, 1)
    assert "DISCORD_TOKEN is not accepted" in result[0]
    assert "abc" not in result[0]


async def test_wrong_settings_of_the_discord_app_are_reported(discord: Discord, own: dict[str, str]) -> None:
    discord.endpoint, discord.flags, discord.home.member = "https://elsewhere.example/hook", 1 << 18, False
    code, result = await at_discord(discord, **own)
    text = "\n".join(result)
    assert code == 1
    for part in ("Interactions Endpoint URL", "Some privileged intents are on", "isn't in any server yet"):
        assert part in text
    assert "elsewhere" not in text


@pytest.mark.parametrize(("left", "code", "part"), [(1, 1, "needs 2"), (40, 3, "allows in the next 4 h: 40.")])
async def test_connections_that_are_used_up(
    discord: Discord, own: dict[str, str], left: int, code: int, part: str
) -> None:
    discord.starts_left, discord.shards = left, 4
    exit_code, result = await at_discord(discord, **own, DISCORD_SHARDS="0-1/2")
    assert exit_code == code
    assert any(part in line for line in result)
    assert any("says 2 shards in total; Discord recommends 4" in line for line in result)


async def test_a_discord_that_does_not_answer_or_not_in_time(discord: Discord, own: dict[str, str]) -> None:
    discord.will("GET", "/gateway/bot", Broken(502))
    code, result = await at_discord(discord, **own)
    assert code == 1
    assert "status 502" in result[-1]
    discord.will("GET", "/users/@me", Slow(0.4))
    (late,) = await examine(discord.environment, COMMANDS, (), answer_s=0.1)
    assert late.facts["problem"] == "TimeoutError"
    await discord.shuts()
    code, result = await at_discord(discord, **own)
    assert "ClientConnectorError" in result[0]
    await discord.opens()


async def test_rights_in_channels_of_discord(discord: Discord, own: dict[str, str]) -> None:
    home, me = discord.home, discord.application_id
    (mine,) = home.of_bot
    good, mute, deaf, gone = (discord.channel(name) for name in ("good", "mute", "deaf", "gone"))
    mute.allowed = VIEW_CHANNEL
    deaf.allowed = SEND_MESSAGES
    gone.deleted = True
    thread, asleep = discord.thread("thread", good), discord.thread("asleep", good)
    asleep.archived = True
    good.overwrites = {mine: (INVITED & ~SEND_MESSAGES_IN_THREADS, 0), home.id: (0, INVITED), me: (0, 0)}
    home.roles[mine] = VIEW_CHANNEL | SEND_MESSAGES
    places = [channel.place for channel in (good, mute, deaf, gone, thread, asleep)]
    _, lines = await doctor_says(*places, "discord:seven", **own, **discord.environment)

    _, german = await doctor_says(mute.place, lang="de", **own, **discord.environment)
    assert any(line.endswith("fehlt dem Bot: Nachrichten senden und Dateien anhängen.") for line in german)

    def said(place: str) -> str:
        return next(line for line in lines if place in line)

    assert said(good.place).startswith("ok "), "what its role is allowed counts more than what everybody is denied"
    assert said(mute.place).endswith("is missing: Send Messages and Attach Files.")
    assert "can't see" in said(deaf.place)
    assert "There's no channel" in said(gone.place)
    assert said(thread.place).endswith("is missing: Send Messages in Threads.")
    assert "is asleep" in said(asleep.place)
    assert "There's no channel" in said("discord:seven")
    good.overwrites = {mine: (INVITED, 0), me: (0, ATTACH_FILES)}
    _, result = await at_discord(discord, good.place, **own)
    assert result[-1].endswith("is missing: Attach Files."), "what it is denied itself counts most"
    home.roles[mine] = 1 << 3
    assert not [line for line in (await at_discord(discord, good.place, **own))[1] if good.place in line]


# Telegram


@pytest.fixture
async def telegram() -> AsyncIterator[Telegram]:
    async with Telegram() as served:
        yield served
    assert served.violations == []


async def at_telegram(telegram: Telegram, *places: str, **variables: str) -> tuple[int, list[str]]:
    given = {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url, **variables}
    return await troubles("telegram", *places, **given)


async def test_a_bot_that_telegram_knows_is_fine_also_while_it_runs(telegram: Telegram, own: dict[str, str]) -> None:
    given = {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url}
    chat = on_telegram.open(environment.read(on_telegram.VARIABLES, given))
    await chat.start(Listener(), MemoryStorage())
    assert await at_telegram(telegram, **own) == (0, [])
    await telegram.person("Anna").types("/help")
    await telegram.handled()
    await chat.stop()


async def test_a_token_that_telegram_does_not_know(telegram: Telegram, own: dict[str, str]) -> None:
    token = "654321:this-is_not-the-token-of-any-bot"
    code, result = await at_telegram(telegram, **own, TELEGRAM_TOKEN=token)
    assert (code, len(result)) == (1, 1)
    assert "doesn't know TELEGRAM_TOKEN" in result[0]
    assert "654321" not in result[0]


async def test_wrong_settings_at_botfather_are_reported(telegram: Telegram, own: dict[str, str]) -> None:
    telegram.joins_groups, telegram.sees_all = False, True
    telegram.webhook = "https://other.example/secret-path"
    anna = telegram.person("Anna")
    telegram.webhook = ""
    for _ in range(101):
        await anna.types("/help")
    telegram.webhook = "https://other.example/secret-path"
    code, result = await at_telegram(telegram, **own)
    assert code == 3
    for part in ("/setjoingroups", "/setprivacy", "removes that webhook", "101 updates are waiting"):
        assert any(part in line for line in result)
    assert "secret-path" not in "".join(result)


async def test_rights_in_groups_of_telegram(telegram: Telegram, own: dict[str, str]) -> None:
    anna = telegram.person("Anna")
    good, dumb, blind, out = (telegram.group(name, anna) for name in ("good", "dumb", "blind", "out"))
    dumb.wordless = dumb.pictureless = blind.pictureless = True
    out.closed = True
    places = [*(channel.place for channel in (good, dumb, blind, out)), "telegram:-5", "telegram:x", "telegram:5"]
    given = {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url}
    code, lines = await doctor_says(*places, **own, **given)
    said = [next(line for line in lines if re.search(rf" {place}[ .:]", line)) for place in places]
    assert code == 1
    assert [line[:8].strip() for line in said] == ["ok", "wrong", "wrong", "wrong", "wrong", "wrong", "ok"]
    assert "is missing: Send messages and Send photos." in said[1]
    assert "is missing: Send photos." in said[2]
    assert all("not in" in line for line in said[3:6])


@asynccontextmanager
async def proxy(status: int, says: str = "") -> AsyncIterator[str]:
    """Yield the address of a server that answers every request with *status*."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(status=status, text=says)

    site = web.Application()
    site.router.add_route("*", "/{anything:.*}", answer)
    runner = web.AppRunner(site, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    yield f"http://{host}:{port}/hook"
    await runner.cleanup()


@pytest.mark.parametrize("says", ["", "[]", "<html>", '{"ok": true, "result": 7}', '{"id": null}'])
async def test_any_other_answering_service_is_reported_without_a_crash(own: dict[str, str], says: str) -> None:
    token = "654321:this-is_not-the-token-of-any-bot"
    async with proxy(200, says) as url:
        given = {"DISCORD_TOKEN": "x", "DISCORD_API_URL": url, "TELEGRAM_TOKEN": token, "TELEGRAM_API_URL": url}
        code, lines = await doctor_says("discord:1", "telegram:-1", **own, **given)
    assert code == 1
    assert [line.split()[1] for line in lines if line.startswith("wrong")] == ["discord:", "telegram:"]
    assert token not in "".join(lines)


@pytest.mark.parametrize(
    ("status", "code", "part"), [(502, 3, "no bot behind it"), (200, 1, "(status 200)"), (404, 1, "(status 404)")]
)
async def test_who_answers_at_the_webhooks_address(
    telegram: Telegram, own: dict[str, str], status: int, code: int, part: str
) -> None:
    async with proxy(status) as url:
        exit_code, result = await at_telegram(telegram, **own, TELEGRAM_WEBHOOK_URL=url)
    assert (exit_code, len(result)) == (code, 1)
    assert part in result[0]


async def test_a_webhook_that_works_and_what_telegram_last_saw_there(telegram: Telegram, own: dict[str, str]) -> None:
    port = free_port()
    given = {
        "TELEGRAM_WEBHOOK_URL": f"http://127.0.0.1:{port}/hook",
        "TELEGRAM_WEBHOOK_LISTEN": f"127.0.0.1:{port}",
    }
    code, result = await at_telegram(telegram, **own, **given)
    assert code == 1
    assert "Nothing answers at the webhook's address" in result[0]
    mine = {"TELEGRAM_TOKEN": telegram.token, "TELEGRAM_API_URL": telegram.url}
    chat = on_telegram.open(environment.read(on_telegram.VARIABLES, {**given, **mine}))
    await chat.start(Listener(), MemoryStorage())
    await telegram.until(lambda: telegram.webhook, "the webhook is set")
    assert await at_telegram(telegram, **own, **given) == (0, [])
    telegram.webhook_trouble = {"last_error_message": "Read timeout expired", "last_error_date": 32_503_680_000}
    code, result = await at_telegram(telegram, **own, **given)
    assert code == 3
    assert "couldn't deliver updates in the last hour: Read timeout expired." in result[0]
    await chat.stop()


# As a command


async def command(folder: Path, *words: str, **variables: str) -> tuple[int | None, str, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "doctor", *words),
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(TOP), **variables},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, trouble = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode, out.decode(), trouble.decode()


async def test_the_command_uses_the_system_language_and_its_exit_code(tmp_path: Path) -> None:
    code, out, trouble = await command(tmp_path, LANG="de_AT.UTF-8")
    assert (code, out.splitlines()[-1], trouble) == (0, "Alles ist gut.", "")
    assert list(tmp_path.iterdir()) == []
    code, _, trouble = await command(tmp_path, THEME="pink")
    assert code == 2
    assert "THEME must be one of" in trouble


def test_every_text_of_the_doctor_is_used() -> None:
    """The catalogues describe exactly the findings that the code can report."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in (TOP / "bot").rglob("*.py"))
    for domain in ("operator", "discord", "telegram", "web"):
        catalogue = (texts.HERE / "en" / f"{domain}.po").read_text(encoding="utf-8")
        for line in catalogue.splitlines():
            key = line.removeprefix('msgid "doctor.').removesuffix('"')
            if line.startswith('msgid "doctor.') and not key.startswith("all_"):
                assert f'"{key}"' in code, f"{domain}: {key}"
