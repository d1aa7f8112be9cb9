"""The distance of tasks from being finished: their missing elements, and the effect of one crystal or one tool."""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache, reduce
from itertools import product
from operator import and_, itemgetter
from typing import Final

from rules.games.kaleidoskop.board import COLOURS, NOTHING, WELLS_OF, board, majority
from rules.games.kaleidoskop.cards import TASKS, Laid, Lights, elements, hex_masks, in_play, lights, places
from rules.games.kaleidoskop.position import Position

FAR: Final = 3
"""This number of steps, or more."""


def steps(card: str, name: str, laid: Laid, seats: int) -> int:
    """Return the fewest crystals that a task lacks at any place, FAR at most.

    A hex whose colour one crystal cannot change counts two.
    """
    there, close = lights(*laid), after_a_crystal(laid, seats)
    now, one, two = -1, 0, 0  # anchors at which the elements so far need no step, one step, or two steps at most
    for colour, away, anywhere in _wanted(card, name, seats):
        lies, could_lie = there[colour] >> away, close[colour] >> away
        two = two & lies | one & could_lie | now & anywhere
        one = one & lies | now & could_lie
        now &= lies
    return 0 if now else 1 if one else 2 if two else FAR


def is_within_a_tool(card: str, name: str, laid: Laid, seats: int, *, mirror: bool, glass: bool) -> bool:
    """Return whether one tool could provide all that a task lacks."""
    there, close = lights(*laid), after_a_tool(laid, seats, mirror, glass)
    now, one = -1, 0
    for colour, away in elements(card, name):
        lies = there[colour] >> away
        one = one & lies | now & (close[colour] >> away)
        now &= lies
    return bool(one)


def lacking(state: Position, seat: int) -> Iterator[tuple[int, str]]:
    """Yield (well, colour) of the crystals that could be the only missing element of a task in the hand of *seat*."""
    for bits, colour in _missing(state, seat):
        if colour.isupper():
            yield from ((well, colour.lower()) for well in places(bits, wells=True))
        else:
            yield from ((well, colour) for place in places(bits, wells=False) for well in WELLS_OF[place])


def lacking_hexes(state: Position, seat: int) -> set[tuple[int, str]]:
    """Return (hex, colour) of the hexes that could be the only missing element of a task in the hand of *seat*."""
    hexes = [(bits, colour) for bits, colour in _missing(state, seat) if colour.islower()]
    return {(place, colour) for bits, colour in hexes for place in places(bits, wells=False)}


def _missing(state: Position, seat: int) -> Iterator[tuple[int, str]]:
    """Yield the bits and the colour ("R": of a crystal) of elements that a task in the hand of *seat* still lacks
    alone."""
    lit = state.lights()
    hexes, wells = in_play(state.seats)
    for card, name in product((card.id for card in state.players[seat].hand if card.id is not None), TASKS):
        wanted = elements(card, name)
        laid = [lit[colour] >> away for colour, away in wanted]
        if reduce(and_, laid):
            continue  # the task is finished
        for number, (colour, away) in enumerate(wanted):
            there = wells if colour.isupper() else hexes
            missing = reduce(and_, (*laid[:number], *laid[number + 1 :], there >> away)) << away
            if missing:
                yield missing, colour


@cache
def _wanted(card: str, name: str, seats: int) -> tuple[tuple[str, int, int], ...]:
    """Return the elements of a task, each with the bits of all places in play."""
    hexes, wells = in_play(seats)
    return tuple(
        (colour, away, (wells if colour.isupper() else hexes) >> away) for colour, away in elements(card, name)
    )


@lru_cache(maxsize=1 << 9)
def after_a_crystal(laid: Laid, seats: int) -> Lights:
    """Return the bits that each colour has, or could have after one more crystal; tools on the board are ignored."""
    _, wells = in_play(seats)
    lit = {**lights(*laid), **dict.fromkeys(COLOURS.upper(), wells)}
    _, crystals = laid
    for letters_of, bits in _rounds(seats):
        for colour in _turned_by_crystal(letters_of(crystals)):
            lit[colour] |= bits
    return lit


@lru_cache(maxsize=1 << 9)
def after_a_tool(laid: Laid, seats: int, mirror: bool, glass: bool) -> Lights:
    """Return the bits that each colour has, or could have with one more mirror or glass; tools on the board are
    ignored."""
    lit = dict(lights(*laid))
    _, crystals = laid
    for letters_of, bits in _rounds(seats):
        for colour in _turned_by_tool(letters_of(crystals), mirror, glass):
            lit[colour] |= bits
    return lit


@cache
def _rounds(seats: int) -> tuple[tuple[Callable[[str], tuple[str, ...]], int], ...]:
    """Return for each hex in play a function that selects the letters of its wells, and its bits."""
    there, bits = board(seats), hex_masks()
    wells = {place: [well for well in WELLS_OF[place] if there.touching[well]] for place in there.hexes}
    return tuple((itemgetter(*around), bits[place]) for place, around in wells.items())


@lru_cache(maxsize=1 << 14)
def _turned_by_crystal(letters: tuple[str, ...]) -> frozenset[str]:
    """Return the colours that a hex with these letters in its wells could have after one crystal.

    >>> sorted(_turned_by_crystal(("r", "y", ".")))
    ['r', 'y']
    >>> sorted(_turned_by_crystal(("r", "r", "r")))
    ['r']
    """
    colours = set()
    for number in range(len(letters)):
        others = "".join(letters[:number] + letters[number + 1 :]).replace(NOTHING, "")
        colours |= {majority(others + colour) for colour in COLOURS}
    return frozenset(colours - {NOTHING})


@lru_cache(maxsize=1 << 14)
def _turned_by_tool(letters: tuple[str, ...], mirror: bool, glass: bool) -> frozenset[str]:
    """Return the colours that a hex with these letters in its wells could have with one more mirror or glass.

    >>> sorted(_turned_by_tool(("r", "y", "."), True, False))
    ['r', 'y']
    """
    there = "".join(letters).replace(NOTHING, "")
    twice = {majority(there + letter) for letter in there if mirror}
    never = {majority(there.replace(letter, "", 1)) for letter in there if glass}
    return frozenset((twice | never) - {NOTHING})
