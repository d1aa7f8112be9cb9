"""The proof of a finished game: its luck was fixed before the first move, and every player kept to the rules.

The bot draws seed and salt when a table opens, and shows their hash to all people at once, before the first one joins:

    sha256 = SHA-256 of the text "<seed>:<salt>"        printf %s "<seed>:<salt>" | sha256sum

When the game begins, a second hash covers the first one, the game, its options and the players in the order of their
seats. Players are numbers, in the order in which they joined, with a mark for the host and for AI players:

    fixed = SHA-256 of the text "<sha256> <terms>"      terms: "kabooom dynamite=stones,level=hard 1host,3house,2"

A game that plays on from an earlier one (`rules.beginning`) has that position in its terms, too, and names the earlier
game by its second hash.

After the game the bot reveals seed and salt. A player who has kept the hashes can then check that seed, options and
seats did not change meanwhile. The same seed gives the same lot, and with the same options and actions the same game,
so everyone can draw the seats and play the game again.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import force_setattr

from rules import GAMES
from rules.beginning import Origin, first_position, seats_out
from rules.contract import State
from rules.frozen import frozen
from rules.lot import Player, draw_seats, order_seats, seats_around

LONGEST = 1_000_000
"""Size limit of a proof, in bytes."""


class Flaw(StrEnum):
    """The errors that a proof can have, in the order of the checks."""

    FORM = "form"  # not a document
    HASH = "hash"  # seed and salt do not fit the hash
    START = "start"  # no such game for so many seats with these options
    FIXED = "fixed"  # options and seats do not fit the second hash
    SEATS = "seats"  # the lot gives other seats
    ACTION = "action"  # an action is not legal in its position
    RESULT = "result"  # the actions lead to another result


class Flawed(ValueError):
    """The proof is wrong; *code* is the kind of error, *detail* its place."""

    def __init__(self, code: Flaw, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else str(code))
        self.code = code
        self.detail = detail


WON_AT_THE_TABLE: Mapping[str, int] = {"resigned": 1, "timeout": 1, "ended": 0, "left": 0}
"""Number of winners by reason, if the table ended the game before its rules did. A player who resigns leaves one winner
of two; with more players, an AI player takes the seat."""


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a game: a reason code of the game, the winning seats and the points.

    *by* "table": people ended the game before its rules did (a player resigned, all agreed to stop, time was up).
    Reason and winners are then their decision, the points are those of the position, and the proof cannot show whether
    there were more actions.
    """

    reason: str
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] | None = None
    by: Literal["game", "table"] = "game"


class Proof(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The document. *seed*: 32 hexadecimal digits. *actions*: in canonical notation, without those taken back.

    *package*: the name and version of the package with the game's rules, "" for our own games.
    *players*: in the order of their seats. *agreed*: the seats were agreed before (a rematch), so there was no lot.
    *origin*: the position from which the game plays on; there was no lot then.
    """

    format: Literal[2]
    game: str
    package: str = ""
    seats: int
    players: tuple[Player, ...]
    agreed: bool = False
    origin: Origin | None = None
    options: Mapping[str, str]
    seed: str
    salt: str
    sha256: str
    fixed: str
    actions: tuple[str, ...]
    result: Ending

    def __post_init__(self) -> None:
        force_setattr(self, "options", frozen(self.options))


def commitment(seed: str, salt: str) -> str:
    """Return the hash that is shown from the start, so that the seed cannot change afterwards.

    >>> commitment("07", "salt")[:12]
    '2d728acca4ca'
    """
    return sha256(f"{seed}:{salt}".encode()).hexdigest()


def terms(game: str, options: Mapping[str, str], players: Sequence[Player], origin: Origin | None = None) -> str:
    """Return game, options and players as the text of the second hash. *players*: in the order of their seats.

    >>> terms("kabooom", {"level": "hard", "dynamite": "stones"}, (Player(2), Player(1, "host")))
    'kabooom dynamite=stones,level=hard 2,1host'
    """
    chosen = ",".join(f"{name}={choice}" for name, choice in sorted(options.items()))
    return f"{game} {chosen} {','.join(map(str, players))}{'' if origin is None else f' {origin}'}"


def fixed(commitment: str, terms: str) -> str:
    """Return the second hash, shown when the game begins. From then on neither *terms* nor the seed can change."""
    return sha256(f"{commitment} {terms}".encode()).hexdigest()


def encode(proof: Proof) -> bytes:
    """Return *proof* as JSON, formatted for people."""
    return msgspec.json.format(msgspec.json.encode(proof), indent=2) + b"\n"


def decode(document: bytes) -> Proof:
    """Return the proof in *document*: the inverse of `encode`. Raises Flawed: form."""
    if len(document) > LONGEST:
        raise Flawed(Flaw.FORM, f"more than {LONGEST} bytes")
    try:
        return msgspec.json.decode(document, type=Proof)
    except RecursionError:
        raise Flawed(Flaw.FORM, "nested too deep") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Flawed(Flaw.FORM, str(error)) from None


def check(proof: Proof) -> State:
    """Play the game of *proof* again and return its last position. Raises Flawed."""
    if proof.game not in GAMES:
        needs = f"; it needs {proof.package[:80]}" if proof.package else ""
        raise Flawed(Flaw.FORM, f"no game {proof.game[:40]} is installed{needs}")
    if commitment(proof.seed, proof.salt) != proof.sha256.lower():
        raise Flawed(Flaw.HASH)
    try:
        state = first_position(proof.game, proof.seats, proof.options, int(proof.seed, 16), proof.origin)
    except ValueError as error:
        raise Flawed(Flaw.START, str(error)) from None
    _check_seats(proof)
    for number, text in enumerate(proof.actions, 1):
        action = next((legal for legal in state.actions() if str(legal) == text), None)
        if action is None:
            raise Flawed(Flaw.ACTION, f"{number}. {text[:40]}")
        state = state.play(action)
    _check_ending(proof.result, state, proof.seats)
    return state


def _check_seats(proof: Proof) -> None:
    """Check the seats against the second hash and against the lot. Raises Flawed."""
    expected = terms(proof.game, proof.options, proof.players, proof.origin)
    if fixed(proof.sha256.lower(), expected) != proof.fixed.lower():
        raise Flawed(Flaw.FIXED)
    joined = sorted(proof.players, key=lambda player: player.number)
    numbers, hosts = [player.number for player in joined], [player.part for player in joined].count("host")
    if numbers != list(range(1, proof.seats + 1)) or hosts > 1:  # a host may leave the seats to a channel
        raise Flawed(Flaw.FORM, "players")
    host_begins = GAMES[proof.game].host_begins
    if proof.origin is not None:
        seats = seats_around(joined, proof.origin.seat, seats_out(proof.game, proof.origin))
    elif proof.agreed:
        seats = order_seats(proof.players, host_begins=host_begins)
    else:
        seats = draw_seats(joined, int(proof.seed, 16), host_begins=host_begins)
    if seats != proof.players:
        raise Flawed(Flaw.SEATS, ",".join(map(str, seats)))


def _check_ending(ending: Ending, state: State, seats: int) -> None:
    outcome = state.outcome
    if ending.by == "table":
        if outcome is not None:
            raise Flawed(Flaw.RESULT, "the game had ended by its rules")
        if ending.scores != state.standing():
            raise Flawed(Flaw.RESULT, f"the points are {state.standing()}")
        won = WON_AT_THE_TABLE.get(ending.reason)
        if won is None:
            raise Flawed(Flaw.RESULT, f"no table ends so: {ending.reason[:40]}")
        if len(ending.winners) != won or not set(ending.winners) <= set(range(seats)):
            raise Flawed(Flaw.RESULT, f"{ending.reason}: {won} of them win")
        if ending.reason == "resigned" and seats != 2:
            raise Flawed(Flaw.RESULT, "of more than two nobody wins by that")
    elif outcome is None:
        raise Flawed(Flaw.RESULT, "the game goes on")
    elif (ending.reason, ending.winners, ending.scores) != (outcome.reason, outcome.winners, outcome.scores):
        raise Flawed(Flaw.RESULT, f"{outcome.reason}, winners {outcome.winners}, points {outcome.scores}")
