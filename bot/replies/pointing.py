"""Where a board can be tapped: the next choices of a menu that lie on its picture, built from a view alone."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from bot.chat import Target
from bot.replies.menus import label, leads
from bot.replies.tree import NextPart, Path, Tree
from bot.tables.table import Table
from renderers.outlines import Outline
from rules import Action, State

Spots = Mapping[str, Outline]


class Reach(Struct, frozen=True):
    """What can be tapped on a board: *choices*, by their parts; *chosen*: the parts before them; *instead*: what could
    have been chosen in place of the last of those. It is not marked, but whoever changes their mind taps it."""

    choices: dict[str, NextPart]
    chosen: tuple[str, ...]
    instead: dict[str, NextPart]


def chosen(tree: Tree, path: Path) -> tuple[str, ...]:
    """The parts that *path* has led through."""
    path, found = tree.arrived(path)
    return found[0].sample.parts[: len(path)] if found else ()


def reach(tree: Tree, path: Path, spots: Spots) -> Reach:
    """What lies on the board, where *spots* are, and can be chosen after *path*.

    What cannot be pointed at is passed over where what comes after it can, and means only that.
    """
    path, found = tree.arrived(path)
    choices = {option.part: option for option in found if option.part in spots}
    beyond = [
        option
        for word in found
        if word.part not in spots and word.index is None
        for option in tree.after(word.path)
        if option.part in spots and option.part not in choices
    ]
    often = Counter(option.part for option in beyond)
    choices |= {option.part: option for option in beyond if often[option.part] == 1}
    taken = chosen(tree, path)
    instead = {each.part: each for each in _instead(tree, path) if each.part in spots and each.part not in choices}
    return Reach(choices, taken, {part: each for part, each in instead.items() if part not in taken})


def _instead(tree: Tree, path: Path) -> Sequence[NextPart]:
    """What else could be chosen where *path* had its last choice. Nothing that would be played at once: who taps what
    is not marked is asked on."""
    while path:
        *before, _ = path
        others = tree.after(tuple(before))
        if len(others) > 1:
            return [each for each in others if each.index is None]
        path = tuple(before)
    return ()


def answers(offers: Sequence[Action], right: Collection[int], spots: Spots) -> dict[str, int]:
    """Where on the board, where *spots* are, each of *offers* ends: which it is. Where that would not tell them apart,
    or leave out one that is *right*, where each begins, or what is second in it; {} where none does."""
    for part in (-1, 0, 1):
        named = [action.parts[part] if part < len(action.parts) else "" for action in offers]
        at = [name if name in spots else "" for name in named]
        found = {spot: number for number, spot in enumerate(at) if spot}
        if len(found) == sum(map(bool, at)) and all(at[number] for number in right):
            return found
    return {}


def targets(table: Table, view: State, found: Reach, spots: Spots, lang: str) -> tuple[Target, ...]:
    """The places to tap, each with what the button for it says and carries."""

    def told(option: NextPart) -> str:
        return label(table, view, option.sample, len(option.path) - 1, lang)

    return (
        *(Target(told(each), leads(table, each), spots[part]) for part, each in found.choices.items()),
        *(Target(told(each), leads(table, each), spots[part], beside=True) for part, each in found.instead.items()),
    )
