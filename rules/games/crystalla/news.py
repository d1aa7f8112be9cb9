"""The events in a post, and the hints on the buttons of a menu.

A turn's post is short: it reports the walk once, when the last stone falls, and a setup when the third card is laid.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, assert_never

from rules.contract import News
from rules.games.crystalla.actions import (
    FILLS,
    SLOTS,
    SWAPS,
    TAKES,
    Action,
    Cover,
    Drop,
    Fill,
    Give,
    Keep,
    Lay,
    Place,
    Swap,
    Take,
)
from rules.games.crystalla.components import (
    CARDS,
    COLOURS,
    COLUMNS,
    CRYSTALS,
    NAMES,
    PIECES,
    ROWS,
    removed,
)
from rules.games.crystalla.displays import CORNERS, Display, cells_for, printed, with_piece
from rules.games.crystalla.position import Position
from rules.games.crystalla.scoring import FOREIGN_HEMATITE, worth


class Event(StrEnum):
    """The events in posts: an action, or its effect."""

    KEEP = "keep"
    SWAP = "swap"
    SETUP = "setup"
    DEALT = "dealt"
    WALK = "walk"
    REFILL = "refill"
    FILL = "fill"
    LAY = "lay"
    GIVE = "give"
    OWN = "own"
    NOWHERE = "nowhere"
    COVER = "cover"
    LAPSE = "lapse"


HEAP: Final = 9
"""Heaps of this size and more share their hint."""
PILE: Final = 9
"""Stacks of this size and more share theirs."""
MOST: Final = 30
"""Losses and gains of so many points and more share theirs."""
GAINED: Final = 12
"""Gains of others of so many points and more share theirs."""

PARTS: Final = (
    "keep",
    *map(str, (*SWAPS, *TAKES, *FILLS)),
    *COLOURS,
    *CORNERS,
    *CARDS,
    *PIECES,
    *NAMES.values(),
)
"""Words of the notation and of events that a text replaces."""

HINTS: Final = (
    *(f"heap{number}" for number in range(1, HEAP + 1)),
    *(f"cards{number}" for number in range(ROWS)),
    *(f"pile{number}" for number in range(2, PILE + 1)),
    "pair",
    "present",
    *(f"on{take.stack}" for take in TAKES),
    "nowhere",
    "yours",
    *CARDS,
    *CRYSTALS,
    *(f"{change}{points}" for change in ("won", "lost") for points in range(1, MOST + 1)),
    f"others{FOREIGN_HEMATITE}",
    *(f"upto{points}" for points in range(1, GAINED + 1)),
)


def events(before: Position, action: Action, after: Position) -> tuple[News, ...]:
    """Return the events of an action: itself first, then its effects; () during a walk or a setup."""
    assert before.actor is not None
    assert before.turn is not None
    actor = before.actor
    match action:
        case Keep():
            return (News(Event.KEEP, actor),)
        case Swap(slot):
            old, new = before.hands[actor][slot - 1], after.hands[actor][slot - 1]
            return (News(Event.SWAP, actor, _facts(old=old, new=new)),)
        case Place():
            return _setup(before, action, after)
        case Take():
            return ()
        case Drop():
            return _walk(before, action, after)
        case Fill(stack):
            return (News(Event.FILL, actor, _refill(after, stack)),)
        case Lay(column, corner):
            row = len(after.displays[actor][COLUMNS.index(column)])
            news = News(Event.LAY, actor, _facts(card=before.card, cell=f"{column}{row}", corner=corner))
            return (news, *_lapses(before.due, after))
        case Give(colour, piece):
            return _gift(before, colour, piece, after)
        case Cover(cell):
            assert before.piece is not None
            laid = before.displays[actor][COLUMNS.index(cell[0])][int(cell[1]) - 1]
            covered = NAMES[printed(laid, before.piece[1])]
            news = News(Event.COVER, actor, _facts(piece=before.piece, cell=cell, covered=covered))
            return (news, *_lapses(before.due, after))
        case _:
            assert_never(action)


def _facts(**facts: str | int | None) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(fact)) for name, fact in facts.items())


def _setup(before: Position, action: Place, after: Position) -> tuple[News, ...]:
    """Return the three cards in the order of laying, after the third one."""
    assert before.actor is not None
    places = [placed for placed in (*before.now, action) if isinstance(placed, Place)]
    if len(places) < len(SLOTS):
        return ()
    display = after.displays[before.actor]
    facts: dict[str, str] = {}
    rows = dict.fromkeys(COLUMNS, 0)
    for number, place in enumerate(places, 1):
        facts[f"card{number}"] = f"{display[COLUMNS.index(place.column)][rows[place.column]][:2]} {place.corner}"
        rows[place.column] += 1
        facts[f"cell{number}"] = f"{place.column}{rows[place.column]}"
    news = News(Event.SETUP, before.actor, _facts(**facts))
    return (news, News(Event.DEALT)) if before.actor == before.seats - 1 else (news,)


def _walk(before: Position, action: Drop, after: Position) -> tuple[News, ...]:
    """Return the whole walk, after its last stone, and the stack that was refilled."""
    if after.carry:
        return ()
    first, *drops = before.now
    assert isinstance(first, Take)
    path = " → ".join(str(drop.stack) for drop in (*drops, action) if isinstance(drop, Drop))
    place = action.stack - 1
    card = before.stacks[place][-1]
    walk = News(Event.WALK, before.actor, _facts(stack=first.stack, path=path, card=card))
    if len(before.stacks[place]) > 1 or not after.stacks[place]:
        return (walk,)
    giving = next(
        number
        for number, (had, has) in enumerate(zip(before.stacks, after.stacks, strict=True), 1)
        if len(has) < len(had) and number != action.stack
    )
    return (walk, News(Event.REFILL, None, _refill(after, giving)))


def _refill(after: Position, donor: int) -> tuple[tuple[str, str], ...]:
    """Return the facts about a refilled stack: its number, the stack that gave, and the cards that moved."""
    stack = after.walked()[-1]
    return _facts(stack=stack, donor=donor, cards=len(after.stacks[stack - 1]))


def _gift(before: Position, colour: str, piece: str, after: Position) -> tuple[News, ...]:
    receiver = COLOURS.index(colour)
    if receiver == before.turn:
        news = News(Event.OWN, before.turn, _facts(piece=piece))
    else:
        news = News(Event.GIVE, before.turn, _facts(piece=piece, colour=colour), to=receiver)
    if after.receiver is not None:
        return (news,)
    return (news, News(Event.NOWHERE, receiver, _facts(piece=piece)), *_lapses(removed(before.due, colour), after))


def _lapses(due: str, after: Position) -> tuple[News, ...]:
    """Return the seats that lose their award because the turn ended for lack of pieces."""
    return () if after.now else tuple(News(Event.LAPSE, COLOURS.index(colour)) for colour in due)


def hint(state: Position, action: Action, part: int) -> str | None:
    """Return a description of the cards, stones or piece to which a part of an action points. See HINTS."""
    match action:
        case Swap(slot) | Place(slot) if part == 0 and state.turn is not None:
            return state.hands[state.turn][slot - 1]
        case Place(_, column) if part == 1:
            return _column(state, column)
        case Take(stack):
            return f"heap{min(len(state.stones[stack - 1]), HEAP)}"
        case Fill(stack):
            return f"pile{min(len(state.stacks[stack - 1]), PILE)}"
        case Give(colour) if part == 0:
            return "yours" if COLOURS.index(colour) == state.turn else None
        case Lay(column) if part == 0:
            return _column(state, column)
        case Give(colour, piece) if part == 1:
            return _present(state, COLOURS.index(colour), piece)
        case Cover(cell) if state.piece is not None and state.actor is not None:
            laid = state.displays[state.actor][COLUMNS.index(cell[0])][int(cell[1]) - 1]
            return printed(laid, state.piece[1])
        case _:
            return None


def _present(state: Position, receiver: int, piece: str) -> str | None:
    """Return the most points that a seat can make of a piece, for one's own seat also the fewest that it must lose, or
    that it has no room."""
    display = state.displays[receiver]
    cells = tuple(cells_for(display, piece))
    if not cells:
        return "nowhere"
    had = sum(worth(display).values())
    most = max(sum(worth(covered(display, piece, cell)).values()) for cell in cells) - had
    if receiver == state.turn:
        return f"{'won' if most > 0 else 'lost'}{min(abs(most), MOST)}" if most else None
    return f"upto{min(most, GAINED)}" if most > 0 else None


def covered(display: Display, piece: str, cell: str) -> Display:
    """Return *display* with the piece on *cell*."""
    return with_piece(display, COLUMNS.index(cell[0]), int(cell[1]) - 1, piece)


def _column(state: Position, column: str) -> str:
    """Return the number of cards in a column of the seat whose turn it is."""
    assert state.turn is not None
    return f"cards{len(state.displays[state.turn][COLUMNS.index(column)])}"


def landing(state: Position, drops: Sequence[Drop]) -> str | None:
    """Return the results of *drops* in a row: the stacks after the first; after the last stone the card taken there;
    own pairs, and pairs of others."""
    stones = list(state.stones)
    for drop in drops:
        stones[drop.stack - 1] += drop.colour
    pairs = {drop.colour for drop in drops if stones[drop.stack - 1].count(drop.colour) == 2} & {
        *COLOURS[: state.seats]
    }
    card = state.stacks[drops[-1].stack - 1][-1] if len(drops) == len(state.carry) else None
    own = "pair" if any(COLOURS.index(colour) == state.turn for colour in pairs) else None
    others = "present" if any(COLOURS.index(colour) != state.turn for colour in pairs) else None
    on = (f"on{drop.stack}" for drop in drops[1:])
    return " ".join(filter(None, (*on, card, own, others))) or None
