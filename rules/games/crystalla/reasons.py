"""The reasons for an action, in the codes of the texts ``why.<code>``."""

from rules.contract import News
from rules.games.crystalla.actions import Action, Drop
from rules.games.crystalla.codes import Why
from rules.games.crystalla.components import COLOURS, added
from rules.games.crystalla.position import Position
from rules.games.crystalla.stacks import awarded, with_entry


def reasons(state: Position, action: Action) -> tuple[News, ...]:
    """Return, for the last stone of a walk, the seat's award and the card to which it leads.

    Points explain the rest.
    """
    seat = state.turn
    if not isinstance(action, Drop) or len(state.carry) != 1 or seat is None:
        return ()
    place = action.stack - 1
    stones = with_entry(state.stones, place, added(state.stones[place], action.colour))
    due, card = awarded(stones, (*state.now, action), state.seats), state.stacks[place][-1]
    items = [News(Why.PAIR, seat)] if COLOURS[seat] in due else []
    if card is not None:
        items.append(News(Why.CARD, seat, (("card", card), ("stack", str(action.stack)))))
    if not due:
        items.append(News(Why.NO_PAIR, seat))
    return tuple(items)
