"""The operator's commands, for example ``kaleidobot backup FILE``. Each prints its result."""

import argparse
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import texts
from bot import __version__
from bot.operation import doctor
from bot.operation.doctor import Patient
from bot.runtime.clock import RealClock, from_ms, to_ms
from bot.runtime.logs import say
from bot.runtime.metrics import Metrics
from bot.store import InUse, StoreError, address, backup, client
from bot.store.address import parse
from bot.store.backup import Backup, Tail
from bot.store.calls import Calls
from bot.store.embedded import Embedded

TIMEOUT_S = 30.0  # for one answer: a log may be long and the server busy


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments; *do* is empty if the bot should run. Wrong arguments end the process."""
    parser = argparse.ArgumentParser("kaleidobot", description="Board games in chats. Without a command: run the bot.")
    parser.add_argument("--version", action="version", version=f"Kaleidobot {__version__}")
    commands = parser.add_subparsers(dest="do", metavar="COMMAND")
    saving = commands.add_parser("backup", help="write all stored data into a file, also while the bot runs")
    saving.add_argument(
        "file",
        type=Path,
        help="contains hands and seeds: keep it private; a folder gets a file games-YYYY-MM-DD, and - is stdout",
    )
    way = saving.add_mutually_exclusive_group()
    way.add_argument("--check", action="store_true", help="only read the file, and report whether it is complete")
    way.add_argument(
        "--keep",
        type=_count,
        metavar="N",
        help="the file is a folder, created if necessary; then delete all but the newest N backups in it",
    )
    restore = commands.add_parser("restore", help="fill an empty store from a backup, while no bot runs")
    restore.add_argument("file", type=Path)
    restore.add_argument(
        "--forgotten",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a newer backup: people who asked to be forgotten before it stay forgotten",
    )
    examining = commands.add_parser(
        "doctor",
        help="report missing or wrong settings; it changes nothing",
        description="Exit codes: 0 all is well, 1 something needs fixing, 2 the settings cannot be read, "
        "3 the bot can run, but something could be better.",
    )
    examining.add_argument("--lang", default=_language(), help="en or de; default: the system's language")
    examining.add_argument(
        "--place",
        action="append",
        default=[],
        metavar="PLACE",
        help="also check the bot's rights there: discord:123 or telegram:-100123",
    )
    return parser.parse_args(words)


def _count(word: str) -> int:
    """Return a number of at least 1."""
    if not (word.isdecimal() and int(word)):
        raise argparse.ArgumentTypeError("must be at least 1")
    return int(word)


def _language() -> str:
    """Return the language of the system."""
    return next((tag for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (tag := os.environ.get(name))), texts.DEFAULT)


async def run(
    arguments: argparse.Namespace,
    values: Mapping[str, str],
    patients: Sequence[tuple[Patient, bool]],
    misspelt: Mapping[str, str],
) -> int:
    """Run the command; return the exit code. *patients*: every platform, and whether it is on. *misspelt*: see
    `bot.operation.environment.misspelt`."""
    if arguments.do == "doctor":
        return doctor.report(await doctor.examine(values, patients, arguments.place, misspelt), arguments.lang)
    try:
        if arguments.do == "backup" and arguments.check:
            checked = backup.check(arguments.file)
            begun = from_ms(checked.at_ms)
            say(f"{arguments.file} is complete: {_counted(checked.totals)}, of {begun:%Y-%m-%d %H:%M} UTC.")
            return 0
        async with _store(values, shared=arguments.do == "backup") as store:
            now_ms = to_ms(RealClock().now())
            if arguments.do == "backup":
                await _back_up(store, arguments.file, arguments.keep, now_ms)
            else:
                summary = await store.restore(arguments.file, now_ms, arguments.forgotten)
                say(f"Restored {_counted(summary)}. Start the bot: every game goes on, with a new board.")
    except InUse as used:
        say(f"{used} End it before you restore.", sys.stderr)
        return 1
    except (StoreError, OSError) as trouble:
        say(f"That did not work: {trouble}.", sys.stderr)
        return 1
    return 0


async def _back_up(store: Backup, file: Path, keep: int | None, now_ms: int) -> None:
    """Write a backup and print its size. Raises StoreError, OSError."""
    if str(file) == "-" and keep is None:
        if sys.stdout.isatty():
            raise backup.NotPlain("a backup is no text: send it into a file or a program, not to a terminal")
        say(f"{_counted(await store.write_to(sys.stdout.buffer, now_ms))}.", sys.stderr)
        return
    target = _target(file, now_ms, create=keep is not None)
    summary = await store.write(target, now_ms)
    say(f"{target}: {_counted(summary)}. It holds hands and seeds: keep it to yourself.")
    if keep is not None and (removed := backup.thin_out(file, keep)):
        say(f"Deleted {removed} older {'backup' if removed == 1 else 'backups'}.")


def _target(file: Path, now_ms: int, *, create: bool) -> Path:
    """Return *file*, or the name of a new backup if it is a folder; *create* that. Raises OSError."""
    if create:
        file.mkdir(mode=0o700, parents=True, exist_ok=True)
    return file / backup.name(now_ms) if file.is_dir() else file


def _counted(summary: Tail) -> str:
    return f"{summary.tables} {'table' if summary.tables == 1 else 'tables'}, {summary.keys} other entries"


@contextlib.asynccontextmanager
async def _store(values: Mapping[str, str], *, shared: bool) -> AsyncIterator[Backup]:
    """Open the store of the settings. *shared*: a bot may be using it. Raises StoreError."""
    async with contextlib.AsyncExitStack() as stack:
        calls = Calls(parse(await _url(values, stack, shared=shared)), TIMEOUT_S, TIMEOUT_S, Metrics())
        stack.push_async_callback(client.close, calls.client)
        yield Backup(calls)


async def _url(values: Mapping[str, str], stack: contextlib.AsyncExitStack, *, shared: bool) -> str:
    if values["REDIS_URL"]:
        return address.resolved(values["REDIS_URL"], values["REDIS_TLS_VERIFY"] == "yes")
    embedded = Embedded(Path(values["DATA_DIR"]), wait_s=0.5)
    try:
        return (await stack.enter_async_context(embedded)).url
    except InUse:
        running = embedded.running if shared else None
        if running is None:
            raise
        return running
