"""``kaleidobot doctor``: report missing or wrong settings. It only reads, and ends within half a minute.

This module checks the store, the disk, the fonts and the health port; every platform checks itself (`Patient`).
"""

import asyncio
import os
import shutil
import struct
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, TextIO

import texts
from bot.chat import PlaceId, Unusable, platform
from bot.operation.findings import DOMAIN, Finding, Grade, better, fine, of_clock, wrong
from bot.runtime.logs import say
from bot.store import InUse, NoServer, StoreDown, address
from bot.store.condition import Condition, condition
from bot.store.embedded import Embedded, program
from renderers.lettering import Face, face
from rules import LEFT_OUT, PACKAGES

PATIENCE_S = 25.0
"""Time limit for one part."""
ANSWER_S = 5.0
"""Time limit for one answer of the store."""
LITTLE = 1 << 30
TOO_LITTLE = 100 << 20
FULL = 0.8
"""Free bytes on the disk (LITTLE, TOO_LITTLE), and the used share of a store's memory (FULL)."""
LETTERS = "Aäß→–"

ENDS = {Grade.FINE: 0, Grade.BETTER: 3, Grade.WRONG: 1}
"""Exit codes by the worst finding; 2 is for unreadable settings."""


class Patient(Protocol):
    """A platform, before it is opened."""

    NAME: str

    async def examined(self, values: Mapping[str, str], places: Sequence[PlaceId]) -> Sequence[Finding]:
        """Return the findings for these settings and for the bot's rights in *places*. Change and send nothing."""
        ...


async def examine(
    values: Mapping[str, str],
    patients: Sequence[tuple[Patient, bool]],
    places: Sequence[PlaceId],
    misspelt: Mapping[str, str] = MappingProxyType({}),
) -> list[tuple[str, Finding]]:
    """Return all findings, each with the name of its part. *patients*: every platform, and whether it is on.
    *misspelt*: see `environment.misspelt`."""
    parts: list[tuple[str, Awaitable[Sequence[Finding]]]] = [
        ("store", _store(values)),
        ("fonts", of_fonts()),
        ("games", _games()),
    ]
    if values["HEALTH_PORT"]:
        parts.append(("health", _health(values["HEALTH_HOST"], int(values["HEALTH_PORT"]))))
    on = {patient.NAME for patient, is_on in patients if is_on}
    for patient, is_on in patients:
        if is_on:
            there = [place for place in places if platform(place) == patient.NAME]
            parts.append((patient.NAME, patient.examined(values, there)))
    results = await asyncio.gather(*(_in_time(look) for _, look in parts))
    named = [(name, finding) for (name, _), findings in zip(parts, results, strict=True) for finding in findings]
    named += [("doctor", wrong(DOMAIN, "place.off", place=place)) for place in places if platform(place) not in on]
    named += [
        ("settings", better(DOMAIN, "misspelt", name=name, variable=variable)) for name, variable in misspelt.items()
    ]
    if not on:
        named.append(("doctor", wrong(DOMAIN, "no_platform")))
    return named


async def _in_time(look: Awaitable[Sequence[Finding]]) -> Sequence[Finding]:
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await look
    except TimeoutError:
        return (wrong(DOMAIN, "slow", seconds=round(PATIENCE_S)),)
    except Unusable as unusable:
        return (wrong(DOMAIN, "unusable", problem=unusable),)
    except Exception as error:  # an unexpected server answers; the other parts are still checked
        return (wrong(DOMAIN, "strange", problem=type(error).__name__),)


def report(findings: Sequence[tuple[str, Finding]], lang: str, out: TextIO = sys.stdout) -> int:
    """Print all findings, the worst last; return the exit code."""
    grades = tuple(Grade)
    for grade in grades:
        for name, finding in findings:
            if finding.grade is grade:
                say(f"{texts.say(DOMAIN, f'doctor.{grade}', lang):<8}{name}: {finding.text(lang)}", out)
    worst = max((finding.grade for _, finding in findings), key=grades.index)
    n = sum(finding.grade is worst for _, finding in findings)
    say(texts.say(DOMAIN, f"doctor.all_{worst}", lang, n=n), out)
    return ENDS[worst]


# The store and the disk


async def _store(values: Mapping[str, str]) -> Sequence[Finding]:
    if values["REDIS_URL"]:
        url = address.resolved(values["REDIS_URL"], values["REDIS_TLS_VERIFY"] == "yes")
        return await _of_server(url, ours=False)
    folder = Path(values["DATA_DIR"])
    findings = _disk(folder)
    if any(finding.grade is Grade.WRONG for finding in findings):
        return findings
    try:
        running = _running(folder)
        if running is not None:
            at_work = await _of_server(running, ours=True)
            if not any(finding.key == "store.down" for finding in at_work):  # otherwise its bot was killed
                return [*findings, *at_work]
        return [*findings, fine(DOMAIN, "store.own", program=program().name)]
    except (NoServer, InUse):
        return [*findings, wrong(DOMAIN, "store.no_server")]


def _running(folder: Path) -> str | None:
    return Embedded(folder).running if folder.is_dir() else None


def _disk(folder: Path) -> list[Finding]:
    """Return the findings for the folder of the bot's own store, which may not exist yet."""
    there = folder.resolve()
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        return [wrong(DOMAIN, "disk.unwritable", folder=there)]
    free = shutil.disk_usage(there).free
    facts = {"folder": folder.resolve(), "free": _size(free)}
    if free < LITTLE:
        return [(wrong if free < TOO_LITTLE else better)(DOMAIN, "disk.little", **facts)]
    return [fine(DOMAIN, "disk", **facts)]


def _size(count: int) -> str:
    """Return *count* bytes in words.

    >>> _size(3 << 30), _size(99 << 20)
    ('3.0 GB', '99 MB')
    """
    return f"{count / (1 << 30):.1f} GB" if count >= 1 << 30 else f"{count >> 20} MB"


async def _of_server(url: str, *, ours: bool) -> list[Finding]:
    where = address.parse(url)
    try:
        there = await condition(where, ANSWER_S)
    except StoreDown as down:
        return [wrong(DOMAIN, "store.down", problem=down)]
    return [fine(DOMAIN, "store", where=where), *_of_condition(there, ours=ours)]


def _of_condition(there: Condition, *, ours: bool) -> list[Finding]:
    findings = []
    if there.restoring:
        findings.append(wrong(DOMAIN, "store.restoring"))
    if there.clock_s is not None and not ours:
        findings.append(of_clock("store", there.clock_s))
    if not there.is_readable:
        return [*findings, better(DOMAIN, "store.silent")]
    if there.replica:
        findings.append(wrong(DOMAIN, "store.replica"))
    if there.troubled:
        findings.append(wrong(DOMAIN, "store.troubled"))
    if there.policy != "noeviction":
        grade = better if there.full is None else wrong
        findings.append(grade(DOMAIN, "store.policy", policy=there.policy))
    if not there.writes_down:
        findings.append(better(DOMAIN, "store.appendonly"))
    if there.full is not None and there.full > FULL:
        findings.append((wrong if there.full > 1 else better)(DOMAIN, "store.full", percent=round(100 * there.full)))
    return findings or [fine(DOMAIN, "store.keeps")]


# The rest


async def of_fonts(letters: Callable[[bool], Face] = face) -> Sequence[Finding]:
    """Check that the fonts can be read. *letters*: reads the regular or the bold font."""

    def lacking() -> bool:
        return any(letter not in letters(bold).widths for bold in (False, True) for letter in LETTERS)

    with suppress(OSError, ValueError, KeyError, struct.error):
        if not await asyncio.to_thread(lacking):
            return (fine(DOMAIN, "fonts"),)
    return (wrong(DOMAIN, "fonts.missing"),)


async def _games() -> Sequence[Finding]:
    """Return the packages with games, and those that are left out, with the place of an error in their code."""
    used = [fine(DOMAIN, "game", game=game, package=package) for game, package in PACKAGES.items()]
    return used + [
        better(
            DOMAIN,
            "game.left_out",
            game=out.game,
            package=out.package,
            problem=out.problem,
            place=f"({out.place}) " if out.place else "",
        )
        for out in LEFT_OUT
    ]


async def _health(host: str, port: int) -> Sequence[Finding]:
    """Return whether the health port is free, or a bot answers on it."""
    try:
        listening = await asyncio.start_server(lambda _, writer: writer.close(), host, port)
    except (OSError, UnicodeError):
        if await _says_alive(host, port):
            return (fine(DOMAIN, "health.alive", host=host, port=port),)
        return (wrong(DOMAIN, "health.taken", host=host, port=port),)
    listening.close()
    await listening.wait_closed()
    return (fine(DOMAIN, "health.free", host=host, port=port),)


async def _says_alive(host: str, port: int) -> bool:
    with suppress(OSError, TimeoutError, UnicodeError):
        async with asyncio.timeout(ANSWER_S):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return (await reader.read(4096)).endswith(b"alive\n")
            finally:
                writer.close()
    return False
