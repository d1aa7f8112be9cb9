"""Actions in words: as they are read, and as they are typed (`renderers.notation`), in the reader's language.

Where the words of its buttons do not tell that it is done, ``done.<kind>`` does, with its parts in words, or
``done.<part>`` for an action of one part; where a button's word is no advice, ``does.<kind>`` tells what to do.
"""

import re
from collections.abc import Iterable, Sequence
from typing import cast

import texts
from bot.replies.menus import label, word
from bot.tables.table import Table
from renderers.notation import kind, typed
from rules import GAMES, Action, BadNotation, IllegalAction, State

MOST_EXAMPLES = 2
_EMOJI = "\ufe0f"
"""Says that the character before it is to be shown in colour; some keyboards leave it out."""


def read(game: str, view: State, text: str) -> tuple[Action, ...]:
    """The actions that *text* says, as the game reads it. A sign that stands on one button of *view* alone is read as
    what that button says. Raises BadNotation.

    >>> from rules import GAMES
    >>> state = GAMES["kabooom"].start(2, {"level": "medium"}, seed=1)
    >>> [str(action) for action in read("kabooom", state.view(0), "🧨 b4")]
    ['d@b4']
    """
    plain = unsigned(game, view, text)
    try:
        actions: tuple[Action, ...] = GAMES[game].parse(view, plain)
    except BadNotation as no:
        if plain == text or no.missing is not None:
            raise
        raise BadNotation(text, no.code) from None  # nobody has typed what stands for the sign
    return actions


def unsigned(game: str, view: State, text: str) -> str:
    """*text* with notation for each sign that stands on one button of *view* alone."""
    plain = text
    for sign, part in () if text.isascii() else _signs(game, view):
        plain = plain.replace(sign, f" {part} ")
    return text if plain == text else plain.strip()


def _signs(game: str, view: State) -> list[tuple[str, str]]:
    """The signs that stand on one button of *view* alone, and the part of the notation that it plays; the longest
    first."""
    found: dict[str, set[str]] = {}
    for part in {part for action in view.actions() for part in action.parts}:
        sign = word(game, part, texts.DEFAULT).split(" ")[0]
        if not sign.isascii() and not any(map(str.isalnum, sign)) and not sign.startswith("→"):
            for each in {sign, sign.replace(_EMOJI, "")}:
                found.setdefault(each, set()).add(part)
    alone = [(sign, min(parts)) for sign, parts in found.items() if len(parts) == 1]
    return sorted(alone, key=lambda each: -len(each[0]))


def told(game: str, action: Action, lang: str) -> str:
    """What an action is, in the words of the buttons with which it can be tapped.

    >>> from rules import GAMES
    >>> told("kabooom", GAMES["kabooom"].parse(None, "r@b3")[0], "en")
    '🪨 Rock → b3'
    """
    return " → ".join(word(game, part, lang) for part in action.parts)


def all_told(game: str, view: State, actions: Iterable[Action], lang: str) -> str:
    """Several actions in a row from *view* on, in words, each with the name of the piece that it moves.

    >>> from rules import GAMES
    >>> state = GAMES["colorio"].start(2, {}, seed=1)
    >>> all_told("colorio", state.view(0), GAMES["colorio"].parse(state, "a3"), "en")
    'lift a3'
    """
    lines, now = list[str](), cast("State | None", view)
    for action in actions:
        piece = "" if now is None else texts.find(game, f"hint.{now.hint(action, 0)}", lang) or ""
        form = texts.find(game, f"does.{kind(action)}", lang)
        line = told(game, action, lang) if form is None else _filled(form, game, action, lang)
        lines.append(f"{piece} {line}" if piece.isalpha() else line)
        try:
            now = None if now is None else now.play(action)
        except IllegalAction:  # what comes of it is hidden
            now = None
    return ", ".join(lines)


def all_done(game: str, actions: Iterable[Action], lang: str, *, goes_on: bool = False) -> str:
    """Several actions that were just played, in words; *goes_on*: more of this turn is to come. A draw with which a
    turn does not end is an offer, and told last.

    >>> from rules import GAMES
    >>> state = GAMES["colorio"].start(2, {}, seed=1)
    >>> all_done("colorio", GAMES["colorio"].parse(state, "a3 x"), "en")
    'a3 lifted, cap discarded'
    """
    *before, last = actions
    if goes_on:
        before.append(last)
    offer = texts.say("table", "played.draw.offer", lang)
    said = [_done(game, each, lang) for each in before if str(each) != "draw"]
    offered = [offer] if len(said) < len(before) else []
    return ", ".join([*said, *([] if goes_on else [_done(game, last, lang)]), *offered])


def _done(game: str, action: Action, lang: str) -> str:
    form = texts.find(game, f"done.{kind(action)}", lang)
    if form is None and len(action.parts) == 1:
        form = texts.find(game, f"done.{action.parts[0]}", lang)
    if form is None:
        return told(game, action, lang)
    return _filled(form, game, action, lang)


def _filled(form: str, game: str, action: Action, lang: str) -> str:
    return form.format(*(word(game, part, lang).lstrip("→") for part in action.parts))


def labelled(table: Table, view: State, action: Action, lang: str) -> str:
    """An action in words, with what stands where it points to."""
    return " → ".join(label(table, view, action, part, lang) for part in range(len(action.parts)))


def typed_as(game: str, state: State, notation: str, lang: str) -> str:
    """How what a log has in *notation*, played in *state*, is typed.

    >>> from rules import GAMES
    >>> typed_as("crystalla", GAMES["crystalla"].start(2, {}, seed=1), "take4", "de")
    'nimm4'
    """
    return " ".join(typed(game, action, lang) for action in GAMES[game].parse(state, notation))


def examples(game: str, view: State, lang: str, meant: str = "") -> str:
    """At most two actions that the actor of *view* can play now, each with its command; "" where there is none.

    Those that name something of what was *meant* go first, and what would be asked about before it is played goes last:
    nobody is told to take a piece of their own. Else they are the first ones of the game's own order, so they give no
    advice; where boards are forgotten, only those that anybody can tell from the board.
    """
    found = tellable(view, view.actions())
    asked = {action for action in found if view.warns(action) is not None}
    said = _named(meant)
    order = sorted(found, key=lambda action: (action in asked, not said & {*action.parts}))
    chosen: dict[tuple[str, str], Action] = {}
    for action in order:
        chosen.setdefault((kind(action), action.parts[0]), action)
        if len(chosen) == MOST_EXAMPLES:
            break
    return commands(game, ((action,) for action in chosen.values()), lang)


def commands(game: str, several: Iterable[Sequence[Action]], lang: str) -> str:
    """Each of *several* turns or parts of turns as the command that plays it."""
    return " · ".join(f"/move {' '.join(typed(game, action, lang) for action in actions)}" for actions in several)


def tellable(view: State, actions: Sequence[Action]) -> list[Action]:
    """Those of *actions* that can be told without telling what is to be remembered: which cap may go where would tell
    which colours differ."""
    if not view.forgets:
        return [*actions]
    kinds = [kind(action) for action in view.actions()]
    return [action for action in actions if len({*kinds}) == 1 or kinds.count(kind(action)) == 1]


def _named(text: str) -> set[str]:
    """What *text* may name: its words, and their letters and numbers, in either order.

    >>> sorted(_named("put it on C3"))
    ['3', '3c', 'c', 'c3', 'it', 'on', 'put']
    """
    lower = text.lower()
    turned = {f"{letter}{number}" for number, letter in re.findall(r"(\d+)([a-z])", lower)}
    turned |= {f"{number}{letter}" for letter, number in re.findall(r"([a-z])(\d+)", lower)}
    return {*re.findall(r"\w+", lower), *re.findall(r"[a-z]+|\d+", lower), *turned}
