"""The proof of a finished game: that its luck was fixed before the first move, and that everybody kept to the rules.

Seed and salt are drawn when a table is opened, and their hash is shown to everybody at once:

    sha256 = SHA-256 of the text "<seed>:<salt>"        printf %s "<seed>:<salt>" | sha256sum

Once the game is over they are told. Whoever has kept the hash can then see that nobody chose another seed meanwhile;
and as the same seed, options and actions always give the same game, all of it can be played again.
"""

from enum import StrEnum
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct

from rules import GAMES
from rules.contract import State

LONGEST = 1_000_000
"""More bytes no proof has."""


class Flaw(StrEnum):
    """What can be wrong with a proof, in the order in which it is looked for."""

    FORM = "form"  # it cannot be read
    HASH = "hash"  # seed and salt are not those that were promised
    START = "start"  # there is no such game for so many seats with these options
    ACTION = "action"  # an action is not legal where it stands
    RESULT = "result"  # the actions lead to another result


class Flawed(ValueError):
    """A proof that proves nothing; *code* says why, *detail* names where."""

    def __init__(self, code: Flaw, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else str(code))
        self.code = code
        self.detail = detail


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """How it ended: a reason of the game, the winning seats and the points.

    *by* "table": before its end by the rules, so the reason and the winners are what people decided (somebody gave up,
    all agreed to stop, time was up); the points are those of the position.
    """

    reason: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None
    by: Literal["game", "table"] = "game"


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """*seed*: 32 hexadecimal digits. *actions*: in canonical notation, without those that were taken back."""

    game: str
    seats: int
    options: dict[str, str]
    seed: str
    salt: str
    sha256: str
    actions: tuple[str, ...]
    result: Ending


def commitment(seed: str, salt: str) -> str:
    """What is shown from the start, so that the seed cannot be changed afterwards.

    >>> commitment("07", "salt")[:12]
    '2d728acca4ca'
    """
    return sha256(f"{seed}:{salt}".encode()).hexdigest()


def written(proof: Proof) -> bytes:
    """*proof* as JSON, for people to read."""
    return msgspec.json.format(msgspec.json.encode(proof), indent=2) + b"\n"


def read(document: bytes) -> Proof:
    """The inverse of `written`. Raises Flawed: form."""
    if len(document) > LONGEST:
        raise Flawed(Flaw.FORM, f"more than {LONGEST} bytes")
    try:
        return msgspec.json.decode(document, type=Proof)
    except RecursionError:
        raise Flawed(Flaw.FORM, "nested too deep") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Flawed(Flaw.FORM, str(error)) from None


def check(proof: Proof) -> State:
    """Play the game of *proof* again; its last position. Raises Flawed."""
    if proof.game not in GAMES:
        raise Flawed(Flaw.FORM, f"no game {proof.game[:40]}")
    if commitment(proof.seed, proof.salt) != proof.sha256.lower():
        raise Flawed(Flaw.HASH)
    try:
        state = GAMES[proof.game].start(proof.seats, proof.options, int(proof.seed, 16))
    except ValueError as error:
        raise Flawed(Flaw.START, str(error)) from None
    for number, text in enumerate(proof.actions, 1):
        action = next((each for each in state.actions() if str(each) == text), None)
        if action is None:
            raise Flawed(Flaw.ACTION, f"{number}. {text[:40]}")
        state = state.play(action)
    _check_ending(proof.result, state, proof.seats)
    return state


def _check_ending(ending: Ending, state: State, seats: int) -> None:
    outcome = state.outcome
    if ending.by == "table":
        if outcome is not None:
            raise Flawed(Flaw.RESULT, "the game had ended by its rules")
        right = ending.scores == state.standing() and set(ending.winners) <= set(range(seats))
        if not right:
            raise Flawed(Flaw.RESULT, f"the points are {state.standing()}")
    elif outcome is None:
        raise Flawed(Flaw.RESULT, "the game goes on")
    elif (ending.reason, ending.winners, ending.scores) != (outcome.reason, outcome.winners, outcome.scores):
        raise Flawed(Flaw.RESULT, f"{outcome.reason}, winners {outcome.winners}, points {outcome.scores}")
