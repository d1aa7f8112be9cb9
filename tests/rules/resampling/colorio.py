"""Another full position that looks the same: what a view of Colorio leaves open."""

from itertools import permutations, product

from msgspec.structs import replace

from rules.chance import Chance
from rules.games.colorio.board import STRIPS, Colour, drawn
from rules.games.colorio.state import State


def resample(state: State, seat: int | None, seed: int) -> State:
    """*state* with another seed and later rounds, and with the covered colours drawn anew.

    Every board that agrees with the strips and with what *seat* sees is as likely as any other.
    """
    chance = Chance(seed, label="resample")
    seen = state.view(seat).colours
    colours = state.colours
    if None in seen:
        colours = chance.choice(
            [
                tuple(Colour(letter) for letter in board)
                for strips in permutations(STRIPS[state.side])
                for ends in product((1, -1), repeat=len(strips))
                for board in ["".join(strip[::end] for strip, end in zip(strips, ends, strict=True))]
                if all(here in (None, there) for here, there in zip(seen, board, strict=True))
            ]
        )
    return replace(
        state, seed=chance.below(1 << 64), colours=colours, to_come=tuple(drawn(chance) for _ in state.to_come)
    )
