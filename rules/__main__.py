"""The rules from the command line.

    python -m rules show FILE            a position: the actor, the points, the legal actions
    python -m rules replay FILE          a recorded game: the same for its last position, and that position as JSON
    python -m rules count FILE DEPTH     the number of sequences of DEPTH actions, for each first action
    python -m rules verify FILE          the proof of a finished game (from /verify): for the hashes, the seats, every
                                         action and the result, whether they are right or were not checked;
                                         the exit status is 1 if anything is wrong
    python -m rules prove [FILE]         a daily puzzle: its par, by a search of everything that its solver can do;
                                         without FILE all puzzles that the bot has

FILE may be - for the standard input. A record is {"game", "seats", "options", "seed", "actions"}; instead of seats,
options and seed it may have "from", the position in which the actions start.
"""

import sys
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import msgspec

from rules import GAMES, PACKAGES, proof, puzzles
from rules.contract import Game, State


class PlayedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"start": "from"}):
    """A recorded game; *actions* in canonical notation, each parsed in the position in which it is played."""

    game: str
    seats: int = 2
    options: dict[str, str] = {}
    seed: int | None = None
    start: msgspec.Raw | None = None
    actions: tuple[str, ...] = ()


def positions(record: PlayedGame) -> Iterator[State]:
    """Yield every position of *record*, including the first. Raises ValueError if an action cannot be played."""
    game = GAMES[record.game]
    if record.start is None:
        state = game.start(record.seats, record.options, record.seed)
    else:
        state = game.decode(bytes(record.start))
    yield state
    for text in record.actions:
        for action in game.parse(state, text):
            state = state.play(action)
            yield state


def count(state: State, depth: int) -> int:
    """Return the number of sequences of *depth* actions from *state*. A sequence that ends the game earlier does not
    count.

    >>> count(GAMES["kabooom"].start(seats=2), 2)
    8832
    """
    if depth <= 1:
        return len(state.actions()) if depth else 1
    return sum(count(state.play(action), depth - 1) for action in state.actions())


def counts(state: State, depth: int) -> dict[str, int]:
    """Return `count` for each first action."""
    return {str(action): count(state.play(action), depth - 1) for action in state.actions()}


def _position(text: str) -> tuple[Game, State]:
    game = GAMES[msgspec.json.decode(text)["game"]]
    return game, game.decode(text)


def _shown(state: State) -> Iterator[str]:
    yield f"actor    {'nobody' if state.actor is None else state.actor}"
    yield f"standing {state.standing()}"
    yield f"outcome  {state.outcome}"
    yield f"actions  {' '.join(map(str, state.actions()))}"


def _proved(document: bytes) -> list[str]:
    """Return one line for each fact that the proof proves or leaves unchecked. Raises Flawed."""
    checked = proof.decode(document)
    proof.check(checked)
    ending, seated = checked.result, ", ".join(map(str, checked.players))
    seats = f"not checked: {seated}, as agreed before" if checked.agreed else f"ok: {seated}, by lot"
    result = f"{ending.reason}, winners {ending.winners}"
    here = str(PACKAGES.get(checked.game, ""))
    other = f"; the proof was made with {checked.package}" if checked.package not in ("", here) else ""
    early = "; the table ended the game, maybe after more actions" if ending.by == "table" else ""
    return [
        *([f"rules    {here}{other}"] if here else []),
        f"hash     ok: {checked.sha256.lower()}",
        f"fixed    ok: {checked.fixed.lower()}",
        f"seats    {seats}",
        f"actions  ok: {len(checked.actions)}",
        f"points   ok: {ending.scores}",
        f"result   {'not checked' if early else 'ok'}: {result}{early}",
    ]


def _puzzles(names: list[str]) -> Iterator[str]:
    """Yield one line for each puzzle in the named files, or for all that the bot has. Raises Unproved."""
    known = [one for listed in puzzles.all_puzzles().values() for one in listed]
    for one in [puzzles.decode(_read(name).encode()) for name in names] if names else known:
        yield f"{one.game:13} {puzzles.prove(one)}"


def main(words: list[str]) -> int:
    match words:
        case ["show", name]:
            lines: Any = _shown(_position(_read(name))[1])
        case ["replay", name]:
            record = msgspec.json.decode(_read(name), type=PlayedGame)
            *_, last = positions(record)
            lines = [*_shown(last), GAMES[record.game].encode(last).decode()]
        case ["count", name, depth] if depth.isdecimal() and int(depth) > 0:
            numbers = counts(_position(_read(name))[1], int(depth))
            lines = [f"{action:12} {number}" for action, number in numbers.items()]
            lines.append(f"{'':12} {sum(numbers.values())}")
        case ["verify", name]:
            try:
                lines = _proved(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
            except proof.Flawed as flawed:
                sys.stderr.write(f"wrong    {printable(str(flawed))}\n")
                return 1
        case ["prove", *names] if len(names) <= 1:
            try:
                lines = [*_puzzles(names)]
            except puzzles.Unproved as wrong:
                sys.stderr.write(f"wrong    {wrong}\n")
                return 1
        case _:
            sys.stderr.write(__doc__ or "")
            return 2
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # names may have characters that the terminal lacks
    sys.stdout.writelines(f"{printable(line)}\n" for line in lines)
    return 0


def printable(line: str) -> str:
    """Return *line* with control characters escaped, so that a file cannot control the terminal that shows it.

    >>> printable("checkmate\\r\\x1b[2Jhash ok\\u202e")
    'checkmate\\\\r\\\\x1b[2Jhash ok\\\\u202e'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _read(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError, KeyError, RecursionError) as wrong:
        sys.exit(f"cannot be read: {printable(str(wrong))}")
