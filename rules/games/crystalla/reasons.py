"""The reasons for an action, in the codes of the texts ``why.<code>``."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rules.contract import News
from rules.games.crystalla.actions import Action, Cover, Drop, Give, Lay, Place, Swap
from rules.games.crystalla.codes import Why
from rules.games.crystalla.components import COLOURS, COLUMNS, HEMATITE, NAMES, ROWS, added
from rules.games.crystalla.displays import CORNERS, Display, cells_for, with_card
from rules.games.crystalla.judging import promise
from rules.games.crystalla.news import covered
from rules.games.crystalla.patterns import BEHIND, FLOWERS, clusters, parts
from rules.games.crystalla.position import Position
from rules.games.crystalla.scoring import FOREIGN_HEMATITE, worth
from rules.games.crystalla.stacks import awarded, with_entry

MOST_EMERALDS: Final = 2
"""Emeralds that a flower may still lack to be a reason: three hardly ever come."""


def reasons(state: Position, action: Action, before: Sequence[Position]) -> tuple[News, ...]:
    """Return what the last stone of a walk, a card or a piece brings. *before*: the positions before the earlier
    actions of the same suggestion; the cards of a setup are counted together, after the last one."""
    seat = state.turn
    assert seat is not None
    display = state.displays[seat]
    match action:
        case Swap(slot):
            return (News(Why.SWAP, seat, (("card", state.hands[seat][slot - 1] or ""),)),)
        case Place(slot, column, corner):
            card = state.hands[seat][slot - 1]
            if card is None or sum(map(bool, state.hands[seat])) > 1:
                return ()
            first = before[0].displays[seat] if before and before[0].turn == seat else display
            return _laid(seat, first, with_card(display, COLUMNS.index(column), card, corner), ())
        case Lay(column, corner) if state.card is not None:
            after = with_card(display, COLUMNS.index(column), state.card, corner)
            return _laid(seat, display, after, _layings(display, state.card))
        case Drop() if len(state.carry) == 1:
            return _walked(state, action, seat)
        case Give(colour, piece):
            return _given(state, seat, COLOURS.index(colour), piece)
        case Cover(cell) if state.piece is not None and state.receiver is not None:
            own = state.displays[state.receiver]
            after = covered(own, state.piece, cell)
            gains = _laid(state.receiver, own, after, _coverings(own, state.piece))
            return (*gains, *_given_away(state, state.receiver, own, after))
        case _:
            return ()


def _walked(state: Position, action: Drop, seat: int) -> tuple[News, ...]:
    """Return the seat's award or the card at the end of the walk, the awards of others, and the worth of the card."""
    place, display = action.stack - 1, state.displays[seat]
    stones = with_entry(state.stones, place, added(state.stones[place], action.colour))
    due = awarded(stones, (*state.now, action), state.seats) if any(state.open) else ""
    card = state.stacks[place][-1]
    items = [News(Why.PAIR, seat)] if COLOURS[seat] in due else []
    if card is not None:
        best = max(_layings(display, card), key=lambda after: (_points(after) - _points(display), promise(after)))
        facts, gains = (("card", card), ("stack", str(action.stack))), _gains(display, best)
        if gains:
            items.append(News(Why.CARD_SCORES, seat, (*facts, ("gains", gains))))
        else:
            items += [News(Why.CARD, seat, facts), *_later(seat, display, max(_layings(display, card), key=promise))]
    others = (COLOURS.index(colour) for colour in due if COLOURS.index(colour) != seat)
    items[1:1] = [_present(state, seat, receiver) for receiver in others]
    return tuple(items if due else [*items, News(Why.NO_PAIR, seat)])


def _present(state: Position, seat: int, receiver: int) -> News:
    """Return the award of another seat with the points that it gains or loses by the open piece that helps it least."""
    most = min((_most(state.displays[receiver], piece) for piece in state.open if piece), default=0)
    why = Why.PRESENT_HELPS if most > 0 else Why.PRESENT_HARMS if most < 0 else Why.PRESENT
    return News(why, seat, (("n", str(abs(most))),) if most else (), receiver)


def _most(display: Display, piece: str) -> int:
    """Return the most points that a display gains by *piece*; 0 if it has no room."""
    had = sum(worth(display).values())
    return max((sum(worth(after).values()) - had for after in _coverings(display, piece)), default=0)


def _given(state: Position, seat: int, receiver: int, piece: str) -> tuple[News, ...]:
    """Return the most points that the receiver can make of a piece."""
    display = state.displays[receiver]
    afters = tuple(_coverings(display, piece))
    if receiver == seat:
        best = max(afters, key=lambda after: (_points(after), promise(after)), default=display)
        gains = _gains(display, best)
        if gains:
            return (News(Why.PIECE, seat, (("gains", gains),)),)
        if later := tuple(_later(seat, display, best)):
            return later
        others = (after for other in state.open if other for after in _coverings(display, other))
        most = max(map(_points, others), default=0)
        return (News(Why.PIECE_MOST, seat),) if _points(best) >= most else ()
    if not afters:
        return (News(Why.NOWHERE, seat, to=receiver),)
    most = _most(display, piece)
    why = Why.HELPS if most > 0 else Why.HELPS_NOT if most == 0 else Why.HARMS
    items = (News(why, seat, (("n", str(abs(most))),) if most else (), receiver),)
    return (*items, News(Why.HEMATITE, seat, to=receiver)) if piece[0] == HEMATITE else items


def _given_away(state: Position, seat: int, display: Display, after: Display) -> tuple[News, ...]:
    """Return the points that others make of one more hematite of *seat*."""
    if len(parts(after)[HEMATITE]) <= len(parts(display)[HEMATITE]):
        return ()
    others = [other for other in range(state.seats) if other != seat]
    return (News(Why.OTHERS, seat) if len(others) > 1 else News(Why.OTHER, seat, to=others[0]),)


def _laid(seat: int, display: Display, after: Display, others: Iterator[Display] | tuple[()]) -> tuple[News, ...]:
    """Return the points that lead from *display* to *after*, or the ones that may follow later; else that none of
    the *others* has more."""
    if gains := _gains(display, after):
        return (News(Why.SCORES, seat, (("gains", gains),)),)
    if later := tuple(_later(seat, display, after)):
        return later
    most = max(map(_points, others), default=None)
    return (News(Why.MOST, seat),) if most is not None and _points(after) >= most else ()


def _layings(display: Display, card: str) -> Iterator[Display]:
    """Yield the display after each way to lay *card*."""
    for column, cards in enumerate(display):
        if len(cards) < ROWS:
            yield from (with_card(display, column, card, corner) for corner in CORNERS)


def _coverings(display: Display, piece: str) -> Iterator[Display]:
    """Yield the display after each way to place *piece*."""
    return (covered(display, piece, cell) for cell in cells_for(display, piece))


def _points(display: Display) -> int:
    """Return the points of a display, less those that its hematite gives to each other seat."""
    return sum(worth(display).values()) - FOREIGN_HEMATITE * len(parts(display)[HEMATITE])


def _gains(before: Display, after: Display) -> str:
    """Return the crystals whose points change, each with the change: ``"ruby +10 citrine -3"``; "" without a gain."""
    had, has = worth(before), worth(after)
    changes: Mapping[str, int] = {crystal: has[crystal] - had[crystal] for crystal in has}
    if max(changes.values()) <= 0:
        return ""
    changed = sorted((crystal for crystal in changes if changes[crystal]), key=lambda crystal: -changes[crystal])
    return " ".join(f"{NAMES[crystal]} {changes[crystal]:+d}".replace("-", "−") for crystal in changed)


def _later(seat: int, before: Display, after: Display) -> Iterator[News]:
    """Yield the crystals that are new in *after* and score together with another one."""
    had, has = parts(before), parts(after)
    is_open = [row >= len(cards) for cards in after for row in range(ROWS)]
    if len(has["a"]) > len(had["a"]) and len(has["a"]) % 2 and any(is_open):
        yield News(Why.AMETHYST, seat)
    for ruby in {*has["r"]} - {*had["r"]}:
        single = [ruby] in clusters(has["r"])
        if single and any(BEHIND[side] >= 0 and is_open[BEHIND[side] >> 2] for side in ruby):
            yield News(Why.RUBY, seat)
    emeralds, new = {*has["e"]}, {*has["e"]} - {*had["e"]}
    missing = [
        sum(part not in emeralds for part in flower)
        for flower in FLOWERS
        if new & {*flower} and all(part in emeralds or is_open[part[0] >> 2] for part in flower)
    ]
    if missing and min(missing) <= MOST_EMERALDS:
        yield News(Why.EMERALD, seat, (("n", str(min(missing))),))
