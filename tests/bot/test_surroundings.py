"""What the system around the bot may have set wrongly: proxies, certificates, names, terminals. One platform's trouble
is its own, and no secret is printed."""

import asyncio
import base64
import io
import json
import logging
import os
import re
import sys
from datetime import datetime
from pathlib import Path
from secrets import token_hex

import pytest
from aiohttp import web

from bot import app
from bot.chat import Unusable
from bot.operation import doctor, environment
from bot.runtime import logs, network
from tests.bot.bots import TOP, Start, line
from tests.bot.servers import free_port, page, serving
from tests.emulators.discord import Discord

TOKEN = "123456:abcdefghijklmnopqrstuvwxyz-_0123456"


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """End the bot; return its exit code and all of its output."""
    if process.returncode is None:
        process.terminate()
    out, errors = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode, out.decode("utf-8", "replace") + errors.decode("utf-8", "replace")


# Proxies and certificates

PASSWORD = "pa#s/s@wor:d"
BAD_NETWORKS = {
    "ALL_PROXY": "socks://127.0.0.1:9",
    "all_proxy": "socks5://127.0.0.1:9",
    "HTTPS_PROXY": f"http://me:{PASSWORD}@:port",
    "https_proxy": f"ftp://me:{PASSWORD}@squid:21",
    "SSL_CERT_FILE": "/none",
    "SSL_CERT_DIR": "/none",
}


@pytest.mark.processes
@pytest.mark.parametrize("name", BAD_NETWORKS)
async def test_unusable_network_setting_is_named_and_the_page_runs(start: Start, name: str) -> None:
    given = {"TELEGRAM_TOKEN": TOKEN, "DISCORD_TOKEN": "x", "WEB": "on", name: BAD_NETWORKS[name]}
    process = await start(**given)
    for platform in ("discord", "telegram"):
        assert f"  {platform}: {name} " in await line(process, platform)
    assert "http://" in await line(process, "web")
    code, said = await ended(process)
    assert code == 0
    assert "Traceback" not in said
    assert not any(piece in said for piece in ("pa#", "s/s", "wor:d"))


@pytest.mark.parametrize("name", BAD_NETWORKS)
async def test_doctor_names_the_same_network_setting(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for known in BAD_NETWORKS:
        monkeypatch.delenv(known, raising=False)
    monkeypatch.setenv(name, BAD_NETWORKS[name])
    given = {"TELEGRAM_TOKEN": TOKEN, "DISCORD_TOKEN": "x", "DATA_DIR": str(tmp_path / "data")}
    values = environment.read(app.variables(), given)
    out = io.StringIO()
    assert doctor.report(await doctor.examine(values, app.selected(values), ()), "en", out) == 1
    for platform in ("discord", "telegram"):
        assert f"{platform}: {name} " in out.getvalue()
    assert "pa#" not in out.getvalue()


@pytest.mark.processes
async def test_a_list_of_networks_in_no_proxy_does_not_stop_the_bot(start: Start) -> None:
    process = await start(
        TELEGRAM_TOKEN=TOKEN,
        TELEGRAM_API_URL="http://127.0.0.1:9",
        HTTP_PROXY="http://me:pa#ss@127.0.0.1:9",
        NO_PROXY="fd07::/64,10.0.0.0/8",
    )
    assert "cannot be reached" in await line(process, "telegram")


@pytest.mark.processes
async def test_bot_with_unusable_platforms_only_ends_with_a_sentence(start: Start) -> None:
    process = await start(TELEGRAM_TOKEN=TOKEN, DISCORD_TOKEN="x", ALL_PROXY="socks5://127.0.0.1:9")
    _, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert errors.decode().startswith("Cannot run: discord: ALL_PROXY ")
    assert errors.decode().count("\n") == 1


async def test_unexpected_error_of_one_platform_does_not_stop_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert app._problem("moon", Unusable("MOON is new.")) == "MOON is new."
    assert app._problem("moon", RuntimeError("a secret")) == "unexpected error (RuntimeError)"
    assert "a secret" not in "".join(capsys.readouterr())


@pytest.mark.parametrize(
    ("url", "variables", "expected"),
    [
        ("https://a.example", {}, None),
        ("https://a.example", {"HTTP_PROXY": "http://squid"}, None),
        ("http://a.example", {"HTTP_PROXY": "http://squid"}, "http://squid:80"),
        ("https://a.example", {"https_proxy": "http://low:1", "HTTPS_PROXY": "http://up:2"}, "http://low:1"),
        ("https://a.example", {"ALL_PROXY": "socks5://s:1", "HTTPS_PROXY": "https://squid"}, "https://squid:443"),
        ("https://a.example", {"ALL_PROXY": "[::1]:3128/"}, "http://[::1]:3128"),
        ("https://a.example", {"ALL_PROXY": "socks5://s:1", "NO_PROXY": "fd07::/64, *.example"}, None),
        ("https://a.example", {"ALL_PROXY": "squid", "NO_PROXY": "*"}, None),
        ("https://a.example", {"ALL_PROXY": "squid", "NO_PROXY": "xa.example,b"}, "http://squid:80"),
        ("https://10.2.3.4", {"ALL_PROXY": "squid", "NO_PROXY": "10.0.0.0/8"}, None),
        ("https://localhost:8", {"ALL_PROXY": "socks5://s:1"}, None),
    ],
)
def test_proxies_are_read_alike_for_all_platforms(url: str, variables: dict[str, str], expected: str | None) -> None:
    by = network.proxy(url, variables)
    assert (None if by is None else by.url) == expected


def test_special_characters_in_a_proxy_password_are_understood() -> None:
    by = network.proxy("https://a.example", {"HTTPS_PROXY": f"http://me%40x:{PASSWORD}@squid:3128"})
    assert by == network.Proxy("http://squid:3128", "me@x", PASSWORD)
    assert "wor" not in repr(by)


@pytest.mark.parametrize("platform", ["discord", "telegram"])
async def test_platforms_use_the_proxy_with_its_password(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[str, str]] = []

    async def answer(request: web.BaseRequest) -> web.Response:
        heard.append((str(request.url), request.headers.get("Proxy-Authorization", "")))
        return web.Response(status=502)

    answering = web.Server(answer)
    server = await asyncio.get_running_loop().create_server(answering, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    monkeypatch.setenv("HTTP_PROXY", f"http://me:{PASSWORD}@127.0.0.1:{port}")
    given = {
        "DISCORD_TOKEN": "x",
        "DISCORD_API_URL": "http://discord.example/api/v10",
        "TELEGRAM_TOKEN": TOKEN,
        "TELEGRAM_API_URL": "http://telegram.example",
        "WEB": "off",
    }
    values = environment.read(app.variables(), given)
    adapter = next(module for module in app.installed() if platform == module.NAME)
    await adapter.examined(values, ())
    assert heard
    credentials = base64.b64encode(f"me:{PASSWORD}".encode()).decode()
    assert {who for _, who in heard} == {f"Basic {credentials}"}
    assert all(url.startswith(f"http://{platform}.example/") for url, _ in heard)
    server.close()
    await answering.shutdown()


# Output


@pytest.mark.processes
async def test_bot_with_an_emoji_in_its_name_starts_at_an_ascii_terminal(start: Start) -> None:
    async with Discord() as discord:
        discord.bot_user["username"] = "Kaleido 🎲"
        process = await start(PYTHONIOENCODING="ascii", PYTHONUTF8="0", WEB="on", **discord.environment)
        assert r"Kaleido \U0001f3b2" in await line(process, "discord")
        code, said = await ended(process)
    assert code == 0
    assert "Traceback" not in said


@pytest.mark.processes
async def test_doctor_answers_in_german_at_an_ascii_terminal(start: Start) -> None:
    process = await start("doctor", "--lang", "de", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    out, errors = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, errors) == (0, b"")
    assert "Alles ist gut." in out.decode("ascii")


@pytest.mark.processes
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without /dev/full")
async def test_bot_runs_although_its_output_goes_to_a_full_disk(tmp_path: Path) -> None:
    port = free_port()
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    with Path("/dev/full").open("wb") as full:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot"),
            cwd=tmp_path,
            env={**kept, "PYTHONPATH": str(TOP), "WEB_PORT": str(port), "LOG_LEVEL": "DEBUG"},
            stdout=full,
            stderr=full,
        )
        try:
            async with asyncio.timeout(60):
                while not await answers(port):
                    assert process.returncode is None
                    await asyncio.sleep(0.05)
            process.terminate()
            assert await asyncio.wait_for(process.wait(), 60) == 0
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def answers(port: int) -> bool:
    try:
        return (await page(f"http://127.0.0.1:{port}/"))[0] == 200
    except OSError:
        return False


def test_closed_streams_take_lines_without_an_error(tmp_path: Path) -> None:
    stream = (tmp_path / "log").open("w")
    stream.close()
    logs.say("a line", stream)


# The log


@pytest.mark.processes
async def test_every_line_is_one_json_object_if_the_operator_asks_for_it(start: Start, tmp_path: Path) -> None:
    with serving(tmp_path / "store") as server:
        process = await start(LOG_FORMAT="json", LOG_LEVEL="DEBUG", REDIS_URL=f"redis://127.0.0.1:{server.port}")
        await line(process, "http://")
        process.terminate()
        out, errors = await asyncio.wait_for(process.communicate(), 60)
    lines = [json.loads(each) for each in (*out.splitlines(), *errors.splitlines())]
    assert all({"time", "level", "logger", "message"} <= each.keys() for each in lines)
    assert any(each["level"] == "INFO" and each["message"].startswith("Good bye.") for each in lines)
    assert any(each["level"] == "WARNING" and "appendonly" in each["message"] for each in lines)


def test_json_log_has_the_facts_of_our_lines_and_no_secrets() -> None:
    secret = 'a"secret of\nmany lines'
    logs.hide((secret,))

    def written(logger: str, message: str, *facts: object, error: Exception | None = None) -> dict[str, str]:
        caught = None if error is None else (type(error), error, None)
        text = logs.Json().format(logging.LogRecord(logger, logging.WARNING, "", 1, message, facts, caught))
        assert text.isascii()
        assert "\n" not in text
        fields: dict[str, str] = json.loads(text)
        return fields

    ours = written("bot.delivery", "post failed: table=%s error=%s revision=%d", "abcdefgh", f"no {secret}", 7)
    assert (ours["table"], ours["error"], ours["revision"]) == ("abcdefgh", "no …", "7")
    assert ours["message"] == "post failed: table=abcdefgh error=no … revision=7"
    assert datetime.fromisoformat(ours["time"]).tzinfo is not None
    theirs = written("library", "Würfel table=none", error=ValueError(secret))
    assert theirs["message"] == "Würfel table=none"
    assert theirs["traceback"] == "ValueError: …"
    assert "table" not in theirs, "only our own lines are taken apart"


# Settings as operators write them


@pytest.mark.parametrize(
    ("name", "written", "read"),
    [
        ("DISCORD_TOKEN", '"abc.def"', "abc.def"),
        ("DISCORD_TOKEN", "Bot abc.def ", "abc.def"),
        ("DISCORD_TOKEN", "'Bot abc.def'", "abc.def"),
        ("TELEGRAM_TOKEN", f"“{TOKEN}”", TOKEN),
        ("TELEGRAM_TOKEN", f"bot{TOKEN}", TOKEN),
        ("LOG_LEVEL", "debug", "DEBUG"),
        ("THEME", "Light", "light"),
        ("WEB", "ON", "on"),
        ("REDIS_TLS_VERIFY", "No", "no"),
        ("HEALTH_HOST", "[::1]", "::1"),
        ("WEB_HOST", "[::1]", "::1"),
        ("WEB_PORT", "'8081'", "8081"),
        ("REDIS_URL", "redis://:p@ss@host", "redis://:p@ss@host"),
    ],
)
def test_value_is_understood(name: str, written: str, read: str) -> None:
    assert environment.read(app.variables(), {name: written})[name] == read


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("DISCORD_TOKEN", "abc def"),
        ("DISCORD_TOKEN", "abc\ndef"),
        ("DISCORD_API_URL", "https://[::1"),
        ("TELEGRAM_API_URL", "https://host:port"),
        ("TELEGRAM_WEBHOOK_URL", "https://me:12#3@host"),
        ("HEALTH_HOST", "http://localhost"),
        ("WEB_HOST", "0.0.0.0:8080"),
        ("REDIS_URL", "rediss://host?ca=/none"),
        ("DISCORD_API_URL", "https://me:secret@host/api/v10"),
        ("DATA_DIR", "a\0b"),
    ],
)
def test_value_that_cannot_be_used_is_named(name: str, written: str) -> None:
    with pytest.raises(environment.Wrong) as wrong:
        environment.read(app.variables(), {name: written})
    (sentence,) = wrong.value.sentences
    assert sentence.startswith(f"{name} must ")


@pytest.mark.processes
async def test_misspelt_name_in_the_file_is_named_by_bot_and_doctor(start: Start, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKN=abc\nCOMPOSE_FILE=compose.yaml\n")
    await line(await start(), "  DISCORD_TOKN is not a setting. Is it DISCORD_TOKEN?")
    process = await start("doctor", LANG="en")
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert "settings: DISCORD_TOKN is not a setting. Is it DISCORD_TOKEN?" in out.decode()
    assert "COMPOSE_FILE" not in out.decode()


def test_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    with pytest.raises(environment.Wrong, match=r"\.env is a folder"):
        environment.environment(tmp_path)


def test_file_in_another_encoding_is_named_without_a_piece_of_it(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes("DISCORD_TOKEN=x".encode("utf-16"))
    with pytest.raises(environment.Wrong) as wrong:
        environment.environment(tmp_path)
    assert str(wrong.value) == "The file .env must be UTF-8 text."


@pytest.mark.processes
@pytest.mark.parametrize("words", [(), ("doctor",), ("backup", "file")])
async def test_database_that_the_store_lacks_is_named(start: Start, tmp_path: Path, words: tuple[str, ...]) -> None:
    with serving(tmp_path / "store") as server:
        process = await start(*words, REDIS_URL=f"redis://127.0.0.1:{server.port}/99")
        out, errors = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 1
    assert "has no database 99" in (out + errors).decode()
    assert "Traceback" not in errors.decode()


@pytest.mark.processes
@pytest.mark.parametrize("words", [(), ("doctor",)])
async def test_node_of_a_cluster_is_named(start: Start, tmp_path: Path, words: tuple[str, ...]) -> None:
    settings = f"cluster-enabled yes\ncluster-port {free_port()}\n"
    with serving(tmp_path / "store", settings=settings) as server:
        half = ("CLUSTER", "ADDSLOTSRANGE", 0, 8191)
        server.ask(*half)
        process = await start(*words, REDIS_URL=f"redis://127.0.0.1:{server.port}")
        out, errors = await asyncio.wait_for(process.communicate(), 100)
    assert process.returncode == 1
    assert "Cluster" in (out + errors).decode()
    assert "Traceback" not in errors.decode()


# Secrets


def secret() -> str:
    return "".join(token_hex(4) + mark for mark in "@/#:?%&[+") + token_hex(4)


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize("words", [(), ("doctor",), ("backup", "file")])
async def test_no_piece_of_a_secret_is_printed(start: Start, words: tuple[str, ...]) -> None:
    secrets = [secret() for _ in range(9)]
    plain = [token_hex(16) for _ in range(9)]
    shapes = {
        "TELEGRAM_TOKEN": "12345:{}",
        "TELEGRAM_API_URL": "http://me:{}@127.0.0.1:9",
        "TELEGRAM_WEBHOOK_URL": "https://127.0.0.1/{}",
        "DISCORD_TOKEN": "Bot {}",
        "DISCORD_API_URL": "http://me:{}@127.0.0.1:9/api",
        "DISCORD_GATEWAY_URL": "ws://me:{}@127.0.0.1:9",
        "REDIS_URL": "redis+sentinel://me:{}@127.0.0.1:9/games",
        "HTTPS_PROXY": "http://me:{}@127.0.0.1:9",
        "ALL_PROXY": "socks5://me:{}@127.0.0.1:9",
    }
    checked = {variable.name: secrets[0] for variable in app.variables() if variable.check or variable.choices}
    usable = {name: shape.format(plain[n]) for n, (name, shape) in enumerate(shapes.items())}
    usable |= {"DISCORD_API_URL": "http://127.0.0.1:9/api", "DISCORD_GATEWAY_URL": "ws://127.0.0.1:9"}
    strange = {name: shape.format(secrets[n]) for n, (name, shape) in enumerate(shapes.items())}
    for given in (checked, strange, usable, {**usable, "REDIS_URL": "", "HTTPS_PROXY": strange["HTTPS_PROXY"]}):
        process = await start(*words, **{"LOG_LEVEL": "DEBUG", "WEB": "off", **given})
        assert process.stdout is not None
        begun = await asyncio.wait_for(process.stdout.read(1), 60)  # a busy machine starts it late
        reading = asyncio.create_task(process.communicate())
        await asyncio.wait([reading], timeout=60 if words else 6)
        if not reading.done():
            process.kill()
        out, errors = await reading
        said = (begun + out + errors).decode("utf-8", "replace")
        assert said
        assert "Traceback" not in said
        pieces = [*re.findall("[0-9a-f]{8}", " ".join(secrets)), *plain]
        assert not [piece for piece in pieces if piece in said]


def test_secret_in_the_text_of_an_unexpected_error_is_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    values = {"REDIS_URL": "redis://:hunter%2F2hunter@host"}
    store_variable = next(variable for variable in environment.CORE if variable.name == "REDIS_URL")
    logs.hide(environment.secrets((store_variable,), values))
    logs.say("cannot use hunter/2hunter of redis://:hunter%2F2hunter@host")
    assert capsys.readouterr().out == "cannot use … of redis://:…@host\n"


@pytest.mark.processes
async def test_store_that_is_another_kind_of_server_is_named(start: Start) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for words in ((), ("doctor",)):
        process = await start(*words, REDIS_URL=f"redis://127.0.0.1:{port}")
        out, errors = await asyncio.wait_for(process.communicate(), 60)
        assert process.returncode == 1
        assert b"is not a Redis or Valkey server" in out + errors
        assert b"Traceback" not in out + errors
    server.close()


@pytest.mark.processes
async def test_server_that_quotes_unknown_commands_does_not_get_the_password_printed(start: Start) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while words := await reader.readline():
            if words.startswith(b"$"):
                writer.write(b"-ERR unknown command, with args beginning with: 'sesame-open'\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    for words in ((), ("doctor",), ("backup", "file")):
        process = await start(*words, REDIS_URL=f"redis://:sesame-open@127.0.0.1:{port}")
        out, errors = await asyncio.wait_for(process.communicate(), 60)
        assert process.returncode == 1
        assert b"sesame" not in out + errors
        assert b"Traceback" not in out + errors
    server.close()
