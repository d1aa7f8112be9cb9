"""Everything that is measured, as one table with ratios: ``python -m bench`` (``make bench``).

Every row compares with a named peer measured in the same run, but for the turn, whose peer needs another runtime.
"""

import asyncio
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

from bench import beside, due, loop, pictures, playouts, startup, store, strength, taps, turn

Row = tuple[str, str, str, str]


def rows() -> Iterator[Row]:
    """What was measured, the figure, the ratio to its peer, the goal."""
    painted = pictures.pictures()
    chess = painted[pictures.YARDSTICK]
    for name, cost in painted.items():
        if name != pictures.YARDSTICK:
            figure = f"{cost.ms:.1f} ms CPU, {cost.worst_kilobytes:.0f} KB at most"
            yield f"picture, {name}", figure, f"{chess.ms / cost.ms:.1f} × faster than python-chess' SVG", "≥ 8, ≤ 8 ms"
    played = playouts.playouts()
    for name, speed in played.items():
        if name != playouts.YARDSTICK:
            share = speed / played[playouts.YARDSTICK]
            yield (
                f"random play, {name}",
                f"{speed:,.0f} moves/CPU s",
                f"{share:.2f} of python-chess'",
                GOALS.get(name, ""),
            )
    turns = asyncio.run(turn.measure())
    yield (
        "whole turn, no picture",
        f"{turns.cpu_ms:.2f} ms CPU",
        f"{turns.ratio:.2f} of boardgame.io's",
        "≤ 0.6 ms, ≥ 1.0",
    )
    both = asyncio.run(beside.measure())
    yield (
        f"turn while the house thinks hard at {beside.TABLES} tables",
        f"{both.beside_ms:.2f} ms on the clock, median of {both.turns}",
        f"{both.ratio:.2f} of a turn when it does not",
        "≤ 1.5",
    )
    tapped = asyncio.run(turn.tapped())
    yield (
        "Kaleidoskop turn, late in the game, with its menu",
        f"{tapped.late_ms:.1f} ms CPU, {tapped.taps:.0f} taps, after {tapped.turns} turns of six people",
        f"a tap costs {tapped.ratio:.2f} of one at the beginning",
        "≤ 5 ms, ≤ 1.5",
    )
    steps = asyncio.run(store.measure(5.0))
    speed, share = steps[store.STORE].per_second, steps[store.STORE].per_second / steps[store.BARE].per_second
    yield "store step, 50 clients", f"{speed:,.0f}/s", f"{share:.2f} of the bare scripts", "≥ 0.8"
    yield from strength.rows()
    yield from taps.rows()
    held = asyncio.run(loop.saturated())
    figure = f"{held.p999_ms:.0f} ms at p99.9, {held.most_ms:.0f} ms at most"
    yield "event loop held, everybody at once, with pictures", figure, f"{held.done} turns", "≤ 30 ms, ≤ 50 ms"
    held = asyncio.run(loop.storm())
    yield "event loop held, tables due all at once", f"{held.most_ms:.0f} ms at most", f"{held.done} tables", "≤ 50 ms"
    all_due = asyncio.run(due.storm(20_000))
    figure = f"{all_due.reminders / all_due.seconds:,.0f}/s, {all_due.reminders / all_due.cpu_s:,.0f} a CPU second"
    late = f"forced moves meanwhile {all_due.late_s:.1f} s late at most"
    yield "reminders due all at once, a platform that answers at once", figure, late, "≥ 167/s, ≤ 3 s"
    begun = startup.startup()
    ours, least = begun["kaleidobot"], begun["minimal"]
    ratios = f"{ours.cpu_s / least.cpu_s:.2f} and {ours.memory_mb / least.memory_mb:.2f} of a minimal bot"
    yield "start-up, both platforms", f"{ours.cpu_s:.2f} s CPU, {ours.memory_mb:.0f} MB", ratios, "≤ 1.3"


GOALS = {
    "kabooom": "≥ 1.0",
    "kalejdoschach": "≥ 60,000",
    "colorio": "≥ 31,000",
    "crystalla": "≥ 21,000",
    "kaleidoskop": "≥ 80,000",
}


def main() -> None:
    sys.stdout.write(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}\n\n")
    sys.stdout.write("| what | measured | ratio | goal |\n| --- | --- | --- | --- |\n")
    for row in rows():
        sys.stdout.write(f"| {' | '.join(row)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
