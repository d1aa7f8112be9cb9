"""Guesses of spectators: who will win? Pure.

Each spectator has one guess, an attachment of the table. It counts if it came in the first half of the game, and if
its person has taken no seat since; the final post tells the first right one. Nothing is told before.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from bot.chat import PersonId
from bot.tables.table import Guess, Phase, Table

NAME = "guess"
"""The attachment of a table that has a spectator's `Guessed`."""


class Guessed(Struct, frozen=True, omit_defaults=True):
    """A spectator's guess on turn *turn*: the seat that will win. *name*: of the spectator. *number*: see `Turned`."""

    name: str
    seat: int
    turn: int
    at_ms: int
    number: int = 0


_decoder = msgspec.json.Decoder(Guessed)


def encoded(guess: Guessed) -> bytes:
    return msgspec.json.encode(guess)


def decoded(content: bytes) -> Guessed:
    return _decoder.decode(content)


def first_right(table: Table, guesses: Mapping[PersonId, bytes]) -> Guess | None:
    """Return the first right guess in the first half of a finished game that one seat has won; None without any."""
    if table.phase != Phase.OVER or table.result is None or len(table.result.winners) != 1:
        return None
    (winner,) = table.result.winners
    sat = table.sat
    known = [(decoded(content), person) for person, content in guesses.items() if person not in sat]
    right = [(guess.turn, guess.at_ms, person, guess) for guess, person in known if guess.seat == winner]
    counting = [entry for entry in right if 2 * entry[0] < table.turn]
    if not counting:
        return None
    turn, _, person, guess = min(counting, key=lambda entry: entry[:3])
    return Guess(person, guess.name, turn, number=guess.number)
