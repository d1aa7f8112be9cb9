"""Actions in words: as people read them and as people type them (`renderers.notation`), in the reader's language.

If the words of its buttons do not suit a past action, the game has ``done.<kind>`` with its parts, or ``done.<part>``
for an action of one part; if they do not suit advice, it has ``does.<kind>``.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import cast

import texts
from bot.replies.decision import AtTable
from bot.replies.menus import label, word
from bot.requests.arguments import LONGEST_TEXT
from bot.tables.table import Table
from renderers.notation import kind, typed, typed_part
from rules import GAMES, Action, BadNotation, IllegalAction, State
from rules.notation import plain, unwrapped

MOST_EXAMPLES = 2
SIMILARITY = 0.7
"""Smallest similarity (`difflib`) of a word to the one that its writer may have meant."""
_LONG_WORDS = re.compile(r"[^\W\d_]{3,}")
"""Words that can be misspelt: shorter ones are names of fields."""
_EMOJI = "\ufe0f"
"""The emoji variation selector; some keyboards leave it out."""


def read(game: str, view: State, text: str) -> tuple[Action, ...]:
    """Return the actions in *text*, as the game reads it. A sign of exactly one button of *view* is read as its
    part, and punctuation around the text is dropped. Raises BadNotation.

    >>> from rules import GAMES
    >>> state = GAMES["kabooom"].start(2, {"level": "medium"}, seed=1)
    >>> [str(action) for action in read("kabooom", state.view(0), "🧨 b4")]
    ['d@b4']
    """
    text = unwrapped(text)
    plain = unsigned(game, view, text)
    try:
        actions: tuple[Action, ...] = GAMES[game].parse(view, plain)
    except BadNotation as no:
        if plain == text or no.missing is not None:
            raise
        raise BadNotation(text, no.code) from None  # the person did not type the notation of the sign
    return actions


def similar(game: str, view: State, text: str) -> str:
    """Return *text* with each misspelt word replaced by the similar word of a legal action, in any language; "" if
    the game cannot read the result.

    >>> from rules import GAMES
    >>> state = GAMES["kabooom"].start(2, {"level": "medium"}, seed=1)
    >>> similar("kabooom", state.view(0), "Scisors b4."), similar("kabooom", state.view(0), "hello b4")
    ('scissors b4', '')
    """
    if len(text) > LONGEST_TEXT:
        return ""
    parts = {part for action in view.actions() for part in action.parts}
    labels = {
        label
        for part in parts
        for lang in texts.languages()
        for label in (typed_part(game, part, lang), word(game, part, lang))
    }
    known = sorted({name for label in labels for name in _LONG_WORDS.findall(label.lower())})
    corrected = _LONG_WORDS.sub(lambda typo: nearest(typo[0], known), plain(unwrapped(text)))
    try:
        read(game, view, corrected)
    except BadNotation:
        return ""
    return corrected


def nearest(typo: str, known: Sequence[str]) -> str:
    """Return the word of *known* that is most similar to *typo*; if none is similar, *typo* itself.

    >>> nearest("mvoe", ("join", "move")), nearest("xyz", ("join", "move"))
    ('move', 'xyz')
    """
    return next(iter(get_close_matches(typo, known, n=1, cutoff=SIMILARITY)), typo)


def unsigned(game: str, view: State, text: str) -> str:
    """Return *text* with notation in place of each sign that belongs to exactly one button of *view*."""
    plain = text
    for sign, part in () if text.isascii() else _signs(game, view):
        plain = plain.replace(sign, f" {part} ")
    return text if plain == text else plain.strip()


def _signs(game: str, view: State) -> list[tuple[str, str]]:
    """Return the signs that belong to exactly one button of *view*, each with its part of the notation; the longest
    first."""
    parts_of: dict[str, set[str]] = {}
    for part in {part for action in view.actions() for part in action.parts}:
        sign = word(game, part, texts.DEFAULT).split(" ")[0]
        if not sign.isascii() and not any(map(str.isalnum, sign)) and not sign.startswith("→"):
            for form in {sign, sign.replace(_EMOJI, "")}:
                parts_of.setdefault(form, set()).add(part)
    alone = [(sign, min(parts)) for sign, parts in parts_of.items() if len(parts) == 1]
    return sorted(alone, key=lambda pair: -len(pair[0]))


def action_text(game: str, action: Action, lang: str) -> str:
    """Return an action in the words of its buttons; a text ``whole.<kind>`` joins them in another way.

    >>> from rules import GAMES
    >>> action_text("kabooom", GAMES["kabooom"].parse(None, "r@b3")[0], "en")
    '🪨 Rock → b3'
    """
    return _joined(game, action, [word(game, part, lang) for part in action.parts], lang)


def _joined(game: str, action: Action, labels: Sequence[str], lang: str) -> str:
    form = texts.find(game, f"whole.{kind(action)}", lang)
    return " → ".join(labels) if form is None else form.format(*labels)


def actions_text(game: str, view: State, actions: Iterable[Action], lang: str) -> str:
    """Return several actions from *view* on in words, each with the name of the piece that it moves.

    >>> from rules import GAMES
    >>> state = GAMES["colorio"].start(2, {}, seed=1)
    >>> actions_text("colorio", state.view(0), GAMES["colorio"].parse(state, "a3"), "en")
    'lift a3'
    """
    lines, now = list[str](), cast("State | None", view)
    for action in actions:
        piece = "" if now is None else texts.find(game, f"hint.{now.hint(action, 0)}", lang) or ""
        form = texts.find(game, f"does.{kind(action)}", lang)
        line = action_text(game, action, lang) if form is None else _filled(form, game, action, lang)
        lines.append(f"{piece} {line}" if piece.isalpha() else line)
        try:
            now = None if now is None else now.play(action)
        except IllegalAction:  # the result is hidden
            now = None
    return ", ".join(lines)


def all_done(game: str, actions: Iterable[Action], lang: str, *, goes_on: bool = False) -> str:
    """Return several played actions in words. *goes_on*: the turn continues. A draw that does not end a turn is an
    offer and comes last.

    >>> from rules import GAMES
    >>> state = GAMES["colorio"].start(2, {}, seed=1)
    >>> all_done("colorio", GAMES["colorio"].parse(state, "a3 x"), "en")
    'a3 lifted, cap discarded'
    """
    *before, last = actions
    if goes_on:
        before.append(last)
    offer = texts.say("table", "played.draw.offer", lang)
    said = [_done(game, action, lang) for action in before if str(action) != "draw"]
    offered = [offer] if len(said) < len(before) else []
    return ", ".join([*said, *([] if goes_on else [_done(game, last, lang)]), *offered])


def _done(game: str, action: Action, lang: str) -> str:
    form = texts.find(game, f"done.{kind(action)}", lang)
    if form is None and len(action.parts) == 1:
        form = texts.find(game, f"done.{action.parts[0]}", lang)
    if form is None:
        return action_text(game, action, lang)
    return _filled(form, game, action, lang)


def _filled(form: str, game: str, action: Action, lang: str) -> str:
    return form.format(*(word(game, part, lang).lstrip("→") for part in action.parts))


def labelled(table: Table, view: State, action: Action, lang: str) -> str:
    """Return an action in words, with the things that it points to."""
    labels = [label(AtTable(table), view, action, part, lang) for part in range(len(action.parts))]
    return _joined(table.game, action, labels, lang)


def typed_as(game: str, state: State, notation: str, lang: str) -> str:
    """Return how to type an action that the log has in *notation*, played in *state*.

    >>> from rules import GAMES
    >>> typed_as("crystalla", GAMES["crystalla"].start(2, {}, seed=1), "take4", "de")
    'nimm4'
    """
    return " ".join(typed(game, action, lang) for action in GAMES[game].parse(state, notation))


def examples(game: str, view: State, lang: str, meant: str = "") -> str:
    """Return at most two legal actions of the actor of *view* as commands, or "".

    Actions that share a word with *meant* come first. Actions that need a confirmation are examples only if there are
    no others: no example suggests capturing one's own piece. Otherwise they follow the game's own order, so they give
    no advice. If boards are forgotten, only actions that any player could name are shown.
    """
    actions = tellable(view, view.actions())
    said = _named(meant)
    safe = [action for action in actions if view.warns(action) is None]
    order = sorted(safe or actions, key=lambda action: not said & {*action.parts})
    chosen: dict[tuple[str, str], Action] = {}
    for action in order:
        chosen.setdefault((kind(action), action.parts[0]), action)
        if len(chosen) == MOST_EXAMPLES:
            break
    return commands(game, ((action,) for action in chosen.values()), lang)


def commands(game: str, several: Iterable[Sequence[Action]], lang: str) -> str:
    """Return each of *several* turns, or parts of turns, as the command that plays it."""
    return " · ".join(f"/move {' '.join(typed(game, action, lang) for action in actions)}" for actions in several)


def tellable(view: State, actions: Sequence[Action]) -> list[Action]:
    """Return those of *actions* that reveal nothing to be remembered: the target of a cap would reveal which colours
    differ."""
    if not view.forgets:
        return [*actions]
    kinds = [kind(action) for action in view.actions()]
    return [action for action in actions if len({*kinds}) == 1 or kinds.count(kind(action)) == 1]


def _named(text: str) -> set[str]:
    """Return the words that *text* may name: its words, letters and numbers, in either order.

    >>> sorted(_named("put it on C3"))
    ['3', '3c', 'c', 'c3', 'it', 'on', 'put']
    """
    lower = text.lower()
    turned = {f"{letter}{number}" for number, letter in re.findall(r"(\d+)([a-z])", lower)}
    turned |= {f"{number}{letter}" for letter, number in re.findall(r"([a-z])(\d+)", lower)}
    return {*re.findall(r"\w+", lower), *re.findall(r"[a-z]+|\d+", lower), *turned}


def steps_text(game: str, view: State, steps: Sequence[str], lang: str) -> str:
    """Return actions in notation in the words of their buttons. *view*: any position in which no turn is begun."""
    try:
        actions = GAMES[game].parse(view, " ".join(steps))
    except (BadNotation, ValueError):
        return " · ".join(steps)
    return " · ".join(action_text(game, action, lang) for action in actions)
