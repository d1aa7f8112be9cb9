"""Fair play: `/verify` shows the hash of a game's luck, and checks and proves a finished game."""

import asyncio
import logging
from collections.abc import Iterable

from cachetools import LRUCache
from msgspec.structs import replace

from bot import requests
from bot.chat import File, Reply
from bot.replies import news, words
from bot.replies.buttons import button
from bot.repository.repository import Repository
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.tables import logbook, origins, seating
from bot.tables.table import Denied, Entry, Phase, Table, TableId
from rules import GAMES, PACKAGES, proof
from rules.contract import stated_options
from rules.proof import Ending, Flawed, Proof

log = logging.getLogger(__name__)

KEPT = 64


def proof_of(table: Table, entries: Iterable[Entry]) -> Proof:
    """Return the proof of a finished game; *entries* is its whole log. It names no person."""
    assert table.phase == Phase.OVER  # before that, the seed would reveal the future
    assert table.result is not None
    ended = table.result
    return Proof(
        format=2,
        game=table.game,
        package=_package(table),
        seats=len(table.seats),
        players=table.lot,
        agreed=seating.is_agreed(table),
        origin=table.origin,
        options=stated_options(GAMES[table.game].options, table.options),
        seed=table.seed,
        salt=table.salt,
        sha256=table.commitment,
        fixed=table.fixed,
        actions=tuple(entry.action for entry in logbook.effective(entries)),
        result=Ending(ended.reason, ended.winners, ended.scores, "table" if ended.of_table else "game"),
    )


class FairPlay(Feature):
    """Answers ``/verify``."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._luck = Luck()

    @answers(requests.Verify)
    async def verify(self, context: Context, request: requests.Verify) -> Reply:
        """Show the hash, or check the finished game. If a lobby is open here by now, a button leads to its hash.

        Denied: over, if the lobby closed before its game began.
        """
        snapshot, lang = context.snapshot, context.lang
        over = snapshot.table.phase == Phase.OVER
        if over and snapshot.state is None:
            raise Denied("over")
        reply = await self._luck.verify(
            snapshot.table, await self._repository.log(snapshot.table) if over else (), lang
        )
        opened = await self._repository.on(context.update.place.id) if request.table is None else None
        if opened is None or opened.table.phase != Phase.LOBBY or opened.table.id == snapshot.table.id:
            return reply
        also = button(requests.Verify(opened.table.id), lang, label=words.say("button.verify.open", lang))
        return replace(reply, rows=((also,),))


class Luck:
    """Replays finished games one at a time, beside the event loop."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()
        self._known = LRUCache[tuple[TableId, str], tuple[Proof, Flawed | None]](KEPT)  # by save

    async def verify(self, table: Table, entries: Iterable[Entry], lang: str) -> Reply:
        """Return the hash of a running game; of a finished one also seed, salt, the check and the proof."""
        title = words.say("luck.title", lang, game=words.game_name(table.game, lang))
        if table.phase != Phase.OVER:
            running = "luck.running" if seating.uses_chance(table) else "luck.running.nothing"
            key = "luck.before" if table.phase == Phase.LOBBY else running
            lines = [words.say(key, lang, hash=table.commitment), *_fixed(table, lang), *_rules(table, lang)]
            return Reply(title=title, text="\n".join(lines))
        made, flaw = await self._checked(table, entries)
        if flaw is None:
            ended = words.say("luck.result", lang)
            if made.result.by == "table":
                ended = words.say("luck.table", lang, how=news.decided(table, (), lang))
            lines = [words.say("luck.right", lang, n=len(made.actions)), ended, words.say(_drawn(table, made), lang)]
        else:
            lines = [words.say(f"luck.wrong.{flaw.code}", lang, detail=flaw.detail)]
        facts = {"seed": made.seed, "salt": made.salt, "hash": made.sha256}
        lines += [words.say("luck.seed", lang, **facts), *_fixed(table, lang), *_rules(table, lang)]
        file = File(f"{table.game}-{table.id}.json", proof.encode(made), alt=title)
        return Reply(title=title, text="\n".join(lines), file=file)

    async def _checked(self, table: Table, entries: Iterable[Entry]) -> tuple[Proof, Flawed | None]:
        async with self._one:
            save = table.id, table.mark
            known = self._known.get(save)
            if known is None:
                made = proof_of(table, entries)
                known = self._known[save] = made, await asyncio.to_thread(_flaw, made)
        made, flaw = known
        if flaw is not None:
            log.error("proof does not verify: %s flaw=%s", table.facts, flaw)
        return made, flaw


def _package(table: Table) -> str:
    """Return the name and version of the package with the game, "" for our own games."""
    return str(PACKAGES[table.game]) if table.game in PACKAGES else ""


def _drawn(table: Table, made: Proof) -> str:
    """Return the text id about the draw of the seats."""
    if made.origin is not None:
        return "luck.seat"
    parts = [player.part for player in made.players]
    if not made.agreed and seating.is_drawn(made.game, parts):
        return "luck.lot"
    if not made.agreed and not GAMES[made.game].uses_chance(table.options):
        return "luck.nothing"
    if GAMES[made.game].host_begins and parts[0] == "host":
        return "luck.agreed.host"
    return "luck.agreed.house" if len(parts) - parts.count("house") == 1 else "luck.agreed"


def _fixed(table: Table, lang: str) -> list[str]:
    """Return the lines with the game from which this one plays on, and with everything that was fixed when it began, if
    it was recorded."""
    began = table.origin
    lines = list[str]()
    if began is not None:
        turn = origins.played_before(table.game, began) + 1
        lines.append(words.say("luck.origin", lang, turn=turn, hash=began.game))
    return [*lines, *([words.say("luck.fixed", lang, terms=table.terms, hash=table.fixed)] if table.lot else [])]


def _rules(table: Table, lang: str) -> list[str]:
    """Return the line about the package with the rules, if they are not our own."""
    package = _package(table)
    return [words.say("luck.package", lang, package=package)] if package else []


def _flaw(made: Proof) -> Flawed | None:
    """Return the flaw that a reader of the proof would find, or None."""
    try:
        proof.check(proof.decode(proof.encode(made)))
    except Flawed as flaw:
        return flaw
    return None
