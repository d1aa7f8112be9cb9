"""The events in posts and the hints on buttons: public facts only, one line per action."""

from enum import StrEnum
from typing import Final, assert_never

from rules.contract import News
from rules.games.kaleidoskop.actions import CARDS, NO_CARD, Action, Buy, Claim, Crystal, End, Glass, Hold, Limit, Mirror
from rules.games.kaleidoskop.board import COLOURS, GRID, NOTHING, changes
from rules.games.kaleidoskop.cards import BACK, TASKS, Deck, Task, task
from rules.games.kaleidoskop.position import Position
from rules.games.kaleidoskop.values import Ending


class Event(StrEnum):
    """The events in posts: an action (with the number of hexes that changed), or its effect; at the beginning, the
    conditions of victory."""

    AIM = "aim"
    PLACE0 = "place0"
    PLACE1 = "place1"
    PLACE2 = "place2"
    PLACE3 = "place3"
    SWAP0 = "swap0"
    SWAP1 = "swap1"
    SWAP2 = "swap2"
    SWAP3 = "swap3"
    HOLD = "hold"
    MIRROR0 = "mirror0"
    MIRROR1 = "mirror1"
    GLASS0 = "glass0"
    GLASS1 = "glass1"
    CLAIM = "claim"
    CLAIM_UNDRAWN = "claim_undrawn"
    CLAIM_DECLINED = "claim_declined"
    HOLDER = "holder"
    BUY = "buy"
    SPENT = "spent"
    LIMIT = "limit"
    END = "end"
    FINAL_EXTRA_ROUND = "final_extra_round"
    FINAL_FINISH_ROUND = "final_finish_round"
    LAST_ROUND = "last_round"
    BACK1 = "back1"
    BACK2 = "back2"
    TIE_BROKEN = "tie_broken"
    OUTSCORED = "outscored"


COSTS: Final = (0, 1, 2, 3)
TOOL_COSTS: Final = (0, 2, 3)
REWARDS: Final = (1, 2, 3, 5)
SCARCE: Final = 3
"""Number of crystals of a colour from which a button shows how many are left."""

CRYSTALS: Final = "crystals"
"""The word before the crystals of a task."""

PARTS: Final = (
    *COLOURS,
    *(f"lit.{colour}" for colour in (*COLOURS, "none")),
    CRYSTALS,
    *Deck,
    NO_CARD,
    "hold",
    "holder",
    "mirror",
    "glass",
    "claim",
    "buy",
    "limit",
    "end",
    *GRID.fields,
    *(f"{card}{name}" for card in CARDS for name in TASKS),
)
"""Words of the notation and of events that a text replaces; "lit.r" is the present colour of a hex."""

HINTS: Final = (
    *COLOURS,
    "neutral",
    *(f"left{number}" for number in range(1, SCARCE + 1)),
    *(f"cost{cost}" for cost in sorted({*COSTS, *TOOL_COSTS})),
    *(f"reward{reward}" for reward in REWARDS),
)


def events(before: Position, action: Action, after: Position) -> tuple[News, ...]:
    """Return the events of an action: itself with the changed hexes, then its cost and its other effects."""
    actor = before.actor
    assert actor is not None
    paid = before.players[actor].score - after.players[actor].score
    spent = (News(Event.SPENT, actor, (("paid", str(paid)),)),) if paid > 0 else ()
    match action:
        case Crystal(well, colour):
            old = before.crystals[well - 1]
            code, lit = _with_changes("place" if old == NOTHING else "swap", before, after)
            swapped = () if old == NOTHING else (("old", old),)
            return (News(code, actor, (("well", str(well)), ("colour", colour), *swapped, *lit)), *spent)
        case Hold():
            return (News(Event.HOLD, actor, (("well", str(before.last)),)), *spent)
        case Mirror(well, hex_) | Glass(well, hex_):
            code, lit = _with_changes(action.parts[0], before, after)
            return (News(code, actor, (("well", str(well)), ("hex", hex_.upper()), *lit)), *spent)
        case Claim():
            return _claimed(before, action, after, actor)
        case Buy(tool):
            return (News(Event.BUY, actor, (("tool", tool),)), *spent)
        case Limit(deck):
            return (News(Event.LIMIT, actor, (("deck", deck),)), *spent)
        case End():
            return _ended(before, after, actor)
        case _:
            assert_never(action)


def _with_changes(code: str, before: Position, after: Position) -> tuple[Event, tuple[tuple[str, str], ...]]:
    """Return the code with the number of changed hexes, and these as facts: hex1, now1, hex2, ..."""
    lit = list(changes(before.hexes, after.hexes))
    facts: list[tuple[str, str]] = []
    for number, (name, colour) in enumerate(lit, 1):
        facts += [(f"hex{number}", name.upper()), (f"now{number}", f"lit.{'none' if colour == NOTHING else colour}")]
    return Event(f"{code}{len(lit)}"), tuple(facts)


def pattern(wanted: Task) -> str:
    """Return the colours of a task, in words that each have a text: its hexes, then its crystals.

    >>> pattern(task("o07", "a"))
    'lit.r lit.g lit.v crystals lit.g lit.v'
    """
    hexes, crystals = ([f"lit.{element[-1]}" for element in elements] for elements in (wanted.hexes, wanted.crystals))
    return " ".join([*hexes, CRYSTALS, *crystals] if crystals else hexes)


def _claimed(before: Position, action: Claim, after: Position, actor: int) -> tuple[News, ...]:
    """Return the events of a finished card, which is open from now on."""
    card = after.players[actor].done[-1]
    wanted = task(card.id, card.task)
    facts = (("back", BACK[card.id]), ("pattern", pattern(wanted)), ("reward", str(wanted.reward)))
    if action.deck is None:
        claim = News(Event.CLAIM_UNDRAWN, actor, facts)
    elif action.deck == NO_CARD:
        claim = News(Event.CLAIM_DECLINED, actor, facts)
    else:
        claim = News(Event.CLAIM, actor, (*facts, ("deck", action.deck)))
    return (claim,) if before.players[actor].done else (claim, News(Event.HOLDER, actor))


def _ended(before: Position, after: Position, actor: int) -> tuple[News, ...]:
    """Return the events at the end of a turn: the last turn is fixed, the last round begins, tools return."""
    items = [News(Event.END, actor, (("score", str(before.players[actor].score)), ("goal", str(before.goal))))]
    if before.final is None and after.final is not None and before.options.ending != Ending.AT_ONCE:
        items.append(News(Event(f"final_{before.options.ending}"), actor))
    if after.final is not None and before.turn <= after.final - before.seats < after.turn:
        items.append(News(Event.LAST_ROUND))
    if after.hexes != before.hexes:
        code, lit = _with_changes("back", before, after)
        items.append(News(code, after.actor, lit))
    return (*items, *_decided(after))


def _decided(over: Position) -> tuple[News, ...]:
    """Return the event that explains the result: the score, or orange cards if scores are equal.

    It compares a winner with the best seat that meets the same conditions. Seats that meet no conditions are compared
    by score anyway, so equal conditions need no event.
    """
    outcome = over.outcome
    if outcome is None:
        return ()
    first = outcome.winners[0]
    meets, winner = over.meets(first), over.players[first]
    others = [seat for seat in range(over.seats) if over.meets(seat) == meets and seat not in outcome.winners]
    if not others:
        return ()
    best = max(others, key=lambda seat: (over.players[seat].score, over.players[seat].oranges))
    other = over.players[best]
    if other.score == winner.score:
        facts = (("oranges", str(winner.oranges)), ("fewer", str(other.oranges)))
        return (News(Event.TIE_BROKEN, first, facts, best, explains=True),)
    points = (("points", str(winner.score)), ("less", str(other.score)))
    return (News(Event.OUTSCORED, first, points, best, explains=True),) if meets else ()


def hint(state: Position, action: Action, part: int) -> str | None:
    """Return the crystal in a well, the colour of a hex, the few crystals left, the cost or the reward."""
    match action:
        case Crystal(well, colour):
            if part == 0:
                return _sight(state.crystals[well - 1])
            remaining = state.supply()[colour]
            return f"left{remaining}" if remaining <= SCARCE else None
        case Hold():
            return f"cost{state.tool_cost()}"
        case Mirror(well, hex_) | Glass(well, hex_):
            if part == 0:
                return f"cost{state.tool_cost()}"
            return _sight(state.crystals[well - 1]) if part == 1 else _sight(state.hexes[GRID.number[hex_]], "neutral")
        case Claim(card, name):
            return _reward(state, card, name) if part == 1 else None
        case Buy():
            return "cost3" if part == 1 else None
        case Limit():
            return "cost2" if part == 0 else None
        case End():
            return None
        case _:
            assert_never(action)


def _sight(letter: str, nothing: str | None = None) -> str | None:
    return nothing if letter == NOTHING else letter


def _reward(state: Position, card: int, name: str) -> str | None:
    assert state.actor is not None
    wanted = state.players[state.actor].hand[card - 1].id
    return None if wanted is None else f"reward{task(wanted, name).reward}"
