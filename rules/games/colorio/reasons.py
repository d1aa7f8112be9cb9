"""The reasons for an action, in the codes of the texts ``why.<code>``."""

from collections.abc import Sequence
from enum import StrEnum

from rules.contract import News
from rules.games.colorio.actions import ColorioAction, Cover, Remove, Uncover
from rules.games.colorio.board import EACH, GRID, Colour
from rules.games.colorio.position import ACTIONS_PER_TURN, Position


class Why(StrEnum):
    SEEN = "seen"
    CLOSER = "closer"
    FIFTH = "fifth"
    HARMLESS = "harmless"
    HARMLESS_YET = "harmless_yet"
    ONE_IN_SIGHT = "one_in_sight"
    RISKY = "risky"
    FEW = "few"
    FOUR = "four"
    HIDES = "hides"


def reasons(state: Position, action: ColorioAction, before: Sequence[Position]) -> tuple[News, ...]:
    """Return the colour that was seen below a cap *before*, or the risk if it was not; and how many fields of a colour
    are open if a cap is removed or covers one. A lift is harmless if no later one of the turn can end it either."""
    seat, caps = state.actor, (ACTIONS_PER_TURN - len(state.log) + 1) // 2  # with this one
    match action:
        case Uncover(field):
            colour = _known_colour(state, field, before)
            if colour is not None:
                number = state.in_sight(colour)
                why = Why.FIFTH if number == EACH - 1 else Why.CLOSER if number + caps >= EACH else Why.SEEN
                facts = (("field", field), ("colour", colour.word), ("number", str(number)), ("now", str(number + 1)))
                return (News(why, seat, facts),)
            full = [colour for colour in Colour if state.in_sight(colour) == EACH - 1]
            if not full:
                is_safe = all(state.in_sight(colour) + caps < EACH for colour in Colour)
                return (News(Why.HARMLESS if is_safe else Why.HARMLESS_YET, seat),)
            if len(full) == 1:
                return (News(Why.ONE_IN_SIGHT, seat, (("colour", full[0].word),)),)
            return (News(Why.RISKY, seat),)
        case Remove() if state.lifted is not None:
            colour = state.colour(state.lifted)
            is_full = colour is not None and state.in_sight(colour) == EACH - 1
            return _open_fields(state, Why.FOUR if is_full else Why.FEW, state.lifted)
        case Cover(field):
            return _open_fields(state, Why.HIDES, field)
        case _:
            return ()


def _open_fields(state: Position, why: Why, field: str) -> tuple[News, ...]:
    """Return one reason with the colour of an open field and the number of open fields of this colour."""
    colour = state.colour(field)
    if colour is None:
        return ()
    return (News(why, state.actor, (("colour", colour.word), ("number", str(state.in_sight(colour))))),)


def _known_colour(state: Position, field: str, before: Sequence[Position]) -> Colour | None:
    """Return the colour below the cap on *field* if it was visible in this round."""
    known = [view.colours[GRID.number[field]] for view in before if view.round == state.round and view.is_running]
    return next((colour for colour in (state.colour(field), *reversed(known)) if colour is not None), None)
