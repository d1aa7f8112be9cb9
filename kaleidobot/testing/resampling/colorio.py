"""Resampling for Colorio: the covered colours and the later rounds."""

from collections.abc import Sequence

from msgspec.structs import replace

from rules.chance import Chance
from rules.games.colorio.board import STRIPS, Cap, Colour, draw_layout, rows_of
from rules.games.colorio.position import Phase
from rules.games.colorio.state import State


def resample(state: State, seat: int | None, seed: int) -> State:
    """Return *state* with another seed and later rounds, and in a running round with other colours under its caps.

    Every board that agrees with the strips and the visible colours is possible.
    """
    chance = Chance(seed, label="resample")
    hides = state.phase is Phase.PLAY
    known = [
        None if hides and cap is Cap.COVERED else colour for cap, colour in zip(state.caps, state.colours, strict=True)
    ]
    board = _laid(chance, rows_of(known), STRIPS[state.side])
    assert board is not None
    return replace(
        state,
        seed=chance.below(1 << 64),
        colours=tuple(map(Colour, board)),
        to_come=tuple(draw_layout(chance) for _ in state.to_come),
    )


def _laid(chance: Chance, rows: Sequence[Sequence[Colour | None]], strips: tuple[str, ...]) -> str | None:
    """Return the letters of *strips* laid into *rows*, in an order drawn by *chance*; None if they do not agree."""
    if not rows:
        return ""
    for end, whole in chance.shuffled((end, strip) for strip in strips for end in (strip, strip[::-1])):
        if all(here in (None, there) for here, there in zip(rows[0], end, strict=True)):
            rest = _laid(chance, rows[1:], tuple(other for other in strips if other != whole))
            if rest is not None:
                return end + rest
    return None
