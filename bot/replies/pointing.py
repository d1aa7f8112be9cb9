"""The tappable places of a board: the next choices of a menu that are on its picture, built from a view alone."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import product

from msgspec import Struct

from bot.chat import Target
from bot.replies.decision import Decision
from bot.replies.menus import label, leads
from bot.replies.tree import NextPart, Path, Tree
from renderers.outlines import Outline, inside
from rules import GAMES, Action, IllegalAction, State

Spots = Mapping[str, Outline]


class Reach(Struct, frozen=True):
    """The tappable places of a board. *choices*: the next parts. *chosen*: the parts before them. *instead*:
    alternatives to the last chosen part; the picture does not mark them, but a tap on one changes the choice."""

    choices: dict[str, NextPart]
    chosen: tuple[str, ...]
    instead: dict[str, NextPart]


def chosen(tree: Tree, path: Path) -> tuple[str, ...]:
    """Return the parts along *path*."""
    path, options = tree.arrived(path)
    return options[0].sample.parts[: len(path)] if options else ()


def reach(tree: Tree, path: Path, spots: Spots) -> Reach:
    """Return the choices after *path* that are among the *spots* of the board.

    A choice without a spot is skipped if its next part has a spot that no other choice leads to.
    """
    path, options = tree.arrived(path)
    choices = {option.part: option for option in options if option.part in spots}
    beyond = [
        option
        for word in options
        if word.part not in spots and word.index is None
        for option in tree.after(word.path)
        if option.part in spots and option.part not in choices
    ]
    often = Counter(option.part for option in beyond)
    choices |= {option.part: option for option in beyond if often[option.part] == 1}
    taken = chosen(tree, path)
    instead = {
        option.part: option for option in _instead(tree, path) if option.part in spots and option.part not in choices
    }
    return Reach(choices, taken, {part: option for part, option in instead.items() if part not in taken})


def _instead(tree: Tree, path: Path) -> Sequence[NextPart]:
    """Return the alternatives to the last real choice on *path*, without those that would be played at once."""
    while path:
        *before, _ = path
        others = tree.after(tuple(before))
        if len(others) > 1:
            return [option for option in others if option.index is None]
        path = tuple(before)
    return ()


def parts_at(point: tuple[float, float], spots: Spots) -> tuple[str, ...]:
    """Return the parts of actions at *point* of the board."""
    return tuple(part for part, outline in spots.items() if inside(point, outline))


def refusal(game: str, view: State, path: Path, parts: Sequence[str]) -> IllegalAction | None:
    """Return the reason for which the rules refuse *parts*, which are at one place of the board, as the choice after
    *path*; None if there is none, or several.

    The first part with which the game can read an action decides, after *path* or else at the beginning.

    >>> from rules import GAMES
    >>> view = GAMES["kalejdoschach"].start(2, seed=7).view(0)
    >>> str(refusal("kalejdoschach", view, (), ("00",)))
    'empty-field: 00'
    """
    tree = Tree.of(game, view)
    path, _ = tree.arrived(path)
    for part, place in product(parts, dict.fromkeys((path, ()))):
        reasons = _reasons(game, view, tree, place, part)
        if reasons:
            first, *others = reasons.values()
            return None if others else first
    return None


def _reasons(game: str, view: State, tree: Tree, path: Path, part: str) -> dict[str, IllegalAction | None]:
    """Return the reasons against the actions after *path* with *part* in place of their next part.

    None: no reason, or one that names a later part, which nobody has chosen.
    """
    at = len(path)
    tried = dict.fromkeys((*action.parts[:at], part, *action.parts[at + 1 :]) for _, action in tree.under(path))
    reasons = dict[str, IllegalAction | None]()
    for parts in tried:
        try:
            (action,) = GAMES[game].parse(view, " ".join(parts))
        except ValueError:  # BadNotation, or several actions
            continue
        if action in view.actions():
            reasons[""] = None
            continue
        try:
            view.play(action)
        except IllegalAction as no:
            if any(later in no.detail for later in parts[at + 1 :] if later != part):
                reasons[""] = None
            else:
                reasons[str(no)] = no
    return reasons


def answers(offers: Sequence[Action], right: Collection[int], spots: Spots) -> dict[str, int]:
    """Return the spot at which each of *offers* ends, with the offer's number. If that is ambiguous or misses one
    that is *right*, use the first or second part instead. If none works, a tap where several offers end means the
    right one of them, or the first; {} if fewer than two spots remain."""
    ends: list[dict[str, list[int]]] = []
    for part in (-1, 0, 1):
        at: dict[str, list[int]] = {}
        for number, action in enumerate(offers):
            if part < len(action.parts) and action.parts[part] in spots:
                at.setdefault(action.parts[part], []).append(number)
        if all(any(number in numbers for numbers in at.values()) for number in right):
            ends.append(at)
    for at in ends:
        if all(len(numbers) == 1 for numbers in at.values()):
            return {spot: number for spot, (number,) in at.items()}
    for at in ends:
        if len(at) > 1:
            return {spot: min(numbers, key=lambda number: number not in right) for spot, numbers in at.items()}
    return {}


def targets(decision: Decision, view: State, reached: Reach, spots: Spots, lang: str) -> tuple[Target, ...]:
    """Return the tappable places with the labels and payloads of their buttons, and the other places."""

    def label_of(option: NextPart) -> str:
        return label(decision, view, option.sample, len(option.path) - 1, lang)

    return (
        *(Target(label_of(option), leads(decision, option), spots[part]) for part, option in reached.choices.items()),
        *(
            Target(label_of(option), leads(decision, option), spots[part], beside=True)
            for part, option in reached.instead.items()
        ),
        *closed(spots, {**reached.choices, **reached.instead}),
    )


def closed(spots: Spots, parts: Collection[str]) -> tuple[Target, ...]:
    """Return the places that cannot be chosen if *parts* can; () if *parts* is empty."""
    return tuple(Target("", "", outline) for part, outline in spots.items() if part not in parts) if parts else ()
