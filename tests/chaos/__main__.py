"""The command line of the scenes; see the package."""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from tests.chaos.players import Findings, Result
from tests.chaos.scenes import SCENES
from tests.chaos.size import FULL, SIZE, SMALL, Size

TABLES = 12
AT_ONCE = 2
"""Number of scenes in parallel; they wait most of the time."""
HEAD = "| scene | tables | turns | longest turn | lost | doubled | boards | calls | leaks | seconds | |"


def played(name: str, tables: int, seeded: bool, folder: Path, size: Size) -> Result:
    """Run a scene in this process."""
    begun = time.monotonic()
    SIZE.set(size)
    try:
        result = asyncio.run(SCENES[name].play(folder, tables, seeded))
    except Exception:
        result = Result(Findings(calls=1, notes=[traceback.format_exc()]), 0, 0.0)
    result.seconds = time.monotonic() - begun
    return result


def apart(name: str, tables: int, asked: argparse.Namespace) -> Result:
    """Run a scene in a process of its own."""
    with tempfile.TemporaryDirectory() as made:
        folder = (asked.keep or Path(made)) / name
        folder.mkdir(parents=True)
        words = ["--only", name, "--tables", str(tables), "--in", str(folder)]
        words += ["--seeded"] * asked.seeded + ["--small"] * asked.small
        with (folder / "scene.log").open("wb") as log:
            answer = subprocess.run([sys.executable, "-m", "tests.chaos", *words], stdout=subprocess.PIPE, stderr=log)
        try:
            return msgspec.json.decode(answer.stdout, type=Result)
        except msgspec.DecodeError:
            return Result(Findings(calls=1, notes=[(folder / "scene.log").read_text()]), 0, 0.0)


def row(name: str, tables: int, result: Result, said: str) -> Sequence[object]:
    findings = result.findings
    counts = (findings.lost, findings.doubled, findings.boards, findings.calls, findings.leaks)
    return SCENES[name].what, tables, result.turns, f"{result.longest_s:.1f} s", *counts, round(result.seconds), said


def tables_of(name: str, asked: argparse.Namespace) -> int:
    if asked.tables or asked.small:
        return asked.tables or 1
    return TABLES if asked.seeded else SCENES[name].tables or TABLES


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.chaos", description=__doc__)
    parser.add_argument("--only", action="append", choices=SCENES, help="this scene; may be given again")
    parser.add_argument("--tables", type=int, default=0, help=f"{TABLES}, 100 for the upgrades")
    parser.add_argument("--seeded", action="store_true", help="add a fault to each scene, which it must find")
    parser.add_argument("--keep", type=Path, help="keep logs and data in this folder")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help=f"scenes at a time; {AT_ONCE}")
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--small", action="store_true", help="one table, one bot, short pauses")
    asked = parser.parse_args()
    if asked.folder is not None:
        result = played(asked.only[0], asked.tables, asked.seeded, asked.folder, SMALL if asked.small else FULL)
        sys.stdout.write(msgspec.json.encode(result).decode())
        return 0
    begun, bad = time.monotonic(), 0
    sys.stdout.write(f"{HEAD}\n|{' --- |' * (HEAD.count('|') - 1)}\n")
    names = list(asked.only or SCENES)
    tables = [tables_of(name, asked) for name in names]
    with ThreadPoolExecutor(asked.at_once) as scenes:
        results = [scenes.submit(apart, name, n, asked) for name, n in zip(names, tables, strict=True)]
        for name, n, outcome in zip(names, tables, results, strict=True):
            result = outcome.result()
            fine = result.findings.is_fine != asked.seeded
            bad += not fine
            said = ("found" if fine else "NOT FOUND") if asked.seeded else "held" if fine else "VIOLATED"
            sys.stdout.write(f"| {' | '.join(map(str, row(name, n, result, said)))} |\n")
            sys.stdout.flush()
            for figure, value in result.figures.items():
                sys.stderr.write(f"    {figure}: {value:,.6g}\n")
            for note in result.findings.notes:
                sys.stderr.write(f"    {note}\n")
    sys.stdout.write(f"\n{time.monotonic() - begun:.0f} seconds; {bad or 'no'} violations\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
