"""Completion of typed moves: legal continuations in words, computed from the person's view alone.

The typed text may be notation, words of any language of the bot, or a beginning of either. The suggested value is
notation.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache

import texts
from bot.chat import Suggestion
from bot.replies import wording
from bot.replies.favourites import best
from bot.replies.menus import FEW, word
from bot.tables.table import Table
from renderers.notation import typed_part
from rules import GAMES, Action, BadNotation, IllegalAction, State
from rules.notation import plain

MOST = 25
MOST_BEGUN = 40
"""Maximum length, in characters, of text that is completed in a refusal. The search runs on the event loop."""
_BETWEEN = " @>:-+,;./"
_UMLAUTS: tuple[dict[int, str], ...] = (
    {},
    str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"}),
    str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}),
)
_CANONICAL, _OWN, _FOREIGN, _LETTER_LAST, _TURNED, _FOREIGN_TURNED, _INNER = range(7)
"""How typed text matches: as notation; in the reader's language; in another language; with the parts reversed, again
in notation, the reader's language or another; by a later word of a part, in any language."""
_SHORTEST_INNER = 3
"""Minimum length, in characters, of a match by a later word; shorter ones match too much."""


def cuts(typed: str) -> Iterator[tuple[str, str]]:
    """Yield the splits of *typed* into complete actions and a begun one, the most likely first: after a blank all
    words are complete, otherwise as few as possible.

    >>> list(cuts("a1 b")), list(cuts("a1 ")), list(cuts(""))
    ([('', 'a1 b'), ('a1', 'b')], [('a1', ''), ('', 'a1')], [('', '')])
    """
    words = plain(typed).split()
    lengths = [*range(len(words))] or [0]
    if typed[-1:].isspace() and words:
        lengths.insert(0, len(words))
    for cut in lengths:
        yield " ".join(words[:cut]), " ".join(words[cut:])


def completions(table: Table, view: State, typed: str, lang: str) -> tuple[Suggestion, ...]:
    """Return the suggestions for *typed*, several actions in a row included, for the actor of *view*: the most
    useful first."""
    done, after, actions = continued(table, view, typed, lang)
    before = [wording.action_text(table.game, action, lang) for action in done]
    return tuple(
        Suggestion(
            ", ".join((*before, wording.labelled(table, after, action, lang))),
            " ".join(map(str, (*done, action))),
        )
        for action in actions[:MOST]
    )


def continued(table: Table, view: State, typed: str, lang: str) -> tuple[tuple[Action, ...], State, list[Action]]:
    """Return the complete actions of *typed*, the view after them, and the legal actions that the rest can become."""
    for complete, begun in cuts(wording.unsigned(table.game, view, typed)):
        try:
            done, after = _played(table, view, complete)
        except BadNotation:
            continue
        except IllegalAction:  # also if the next position is hidden
            break
        if actions := _ordered(table, after, begun, lang):
            return done, after, actions
        for action, then in _filled_in(after):
            fits = [
                following
                for following in _ordered(table, then, begun, lang)
                if _leads_to(table, after, action, following)
            ]
            if fits:
                return (*done, action), then, fits
    return (), view, []


def begun_examples(table: Table, view: State, meant: str, lang: str) -> str:
    """Return example commands (as `wording.examples`) for actions that *meant* is the beginning of; "" if there is
    none, or if each would need a confirmation."""
    if not 0 < len(plain(meant)) <= MOST_BEGUN:
        return ""
    done, after, actions = continued(table, view, meant, lang)
    if len(plain(meant)) == 1:  # one letter may match a word of another language
        actions = [action for action in actions if str(action).startswith(plain(meant))]
    calm = [action for action in wording.tellable(after, actions) if after.warns(action) is None]
    return wording.commands(table.game, ((*done, action) for action in calm[: wording.MOST_EXAMPLES]), lang, after)


def _filled_in(view: State) -> Iterator[tuple[Action, State]]:
    """Yield the actions that a game may fill in before the typed one, each with the view after it."""
    actions = view.actions()
    for action in actions if len(actions) <= FEW else ():
        try:
            after = view.play(action)
        except IllegalAction:  # the result is hidden
            continue
        if after.actor == view.actor:
            yield action, after


def _leads_to(table: Table, view: State, action: Action, then: Action) -> bool:
    """Return whether the game reads *then* alone as *action* and *then*."""
    try:
        return tuple(GAMES[table.game].parse(view, str(then))) == (action, then)
    except BadNotation:
        return False


def _played(table: Table, view: State, text: str) -> tuple[tuple[Action, ...], State]:
    """Return the actions of *text* and the view after them. Raises BadNotation, and IllegalAction also if the result
    is hidden."""
    done: list[Action] = []
    seat = view.actor
    for action in GAMES[table.game].parse(view, text) if text else ():
        view = view.play(action)
        done.append(action)
    if view.actor != seat:
        raise IllegalAction("over")
    return tuple(done), view


def _ordered(table: Table, view: State, text: str, lang: str) -> list[Action]:
    """Return the legal actions that *text* can become. Matches by notation and by words alternate, and so do the
    first parts. If there are more than can be offered, the most promising come first, as in menus. Actions that need
    a confirmation come last."""
    ways: dict[int, list[Action]] = {}
    for action in view.actions():
        way = _way(table, view, action, text, lang)
        if way is not None:
            ways.setdefault(way, []).append(action)
    matching = [action for actions in ways.values() for action in actions]
    if len(matching) > MOST:
        ranks = {action: rank for rank, action in enumerate(best(view, matching))}
        for actions in ways.values():
            actions.sort(key=lambda action: ranks.get(action, len(ranks)))
    ordered = _taking_turns(ways, _CANONICAL, _OWN) or _taking_turns(ways, _FOREIGN)
    ordered += _taking_turns(ways, _LETTER_LAST, _TURNED)
    ordered = ordered or _taking_turns(ways, _FOREIGN_TURNED) or _taking_turns(ways, _INNER)
    ordered.sort(key=lambda action: view.warns(action) is not None)
    return list(dict.fromkeys((*_exactly(table, view, text), *ordered)))


def _exactly(table: Table, view: State, text: str) -> list[Action]:
    """Return the one legal action that the game reads in *text*, or []."""
    try:
        actions = GAMES[table.game].parse(view, text) if text else ()
    except (IllegalAction, BadNotation):
        return []
    return [*actions] if len(actions) == 1 and actions[0] in view.actions() else []


def _taking_turns(ways: Mapping[int, list[Action]], *chosen: int) -> list[Action]:
    """Return the actions of the *chosen* match kinds, alternating between first parts, so that the first few show
    the range of choices."""
    groups: dict[tuple[int, str], deque[Action]] = {}
    for way in chosen:
        for action in ways.get(way, ()):
            said_first = action.parts[-1 if way in (_LETTER_LAST, _TURNED, _FOREIGN_TURNED) else 0]
            groups.setdefault((way, said_first), deque()).append(action)
    mixed: list[Action] = []
    while groups:
        for key, group in tuple(groups.items()):
            mixed.append(group.popleft())
            if not group:
                del groups[key]
    return mixed


def _way(table: Table, view: State, action: Action, text: str, lang: str) -> int | None:
    """Return how *text* matches the beginning of *action*, or None."""
    canonical = str(action)
    if canonical.startswith(text) or "".join(action.parts).startswith(text):
        return _CANONICAL
    game, parts = table.game, action.parts
    spelt = [_spelt(game, part, lang) for part in parts]
    if _begins(text, spelt):
        return _OWN
    others = [language for language in texts.languages() if language != lang]
    ids = [view.hint(action, number) or "" for number in range(len(parts))] if text[0].isalpha() else []
    if any(_name(game, id_, lang) for id_ in ids):  # a named piece: "eagle 3d", or by its letter: "e3d"
        if _begins(text, [_after(part, id_ if len(id_) == 1 else "") for part, id_ in zip(parts, ids, strict=True)]):
            return _CANONICAL
        for language in (lang, *others):
            if _begins(text, [_after(part, _name(game, id_, language)) for part, id_ in zip(parts, ids, strict=True)]):
                return _OWN if language == lang else _FOREIGN
    foreign = [[_spelt(game, part, language) for part in parts] for language in others]
    if any(_begins(text, spelling) for spelling in foreign):
        return _FOREIGN
    if len(parts) > 1 and _begins(text, [(part,) for part in parts[::-1]]):
        return _LETTER_LAST
    if len(parts) > 1 and _begins(text, spelt[::-1]):
        return _TURNED
    if len(parts) > 1 and any(_begins(text, spelling[::-1]) for spelling in foreign):
        return _FOREIGN_TURNED
    if len(text) < _SHORTEST_INNER:
        return None
    for language in (lang, *others):
        inner = [(*_spelt(game, part, language), *_inner(game, part, language)) for part in parts]
        if _begins(text, inner) or _begins(text, inner[::-1]):
            return _INNER
    return None


@cache
def _spelt(game: str, part: str, lang: str) -> tuple[str, ...]:
    """Return the spellings of a part: notation, typed form, and button label without its signs; each also without
    umlauts."""
    spellings = (part, typed_part(game, part, lang), _letters(word(game, part, lang)))
    written = [spelling.strip(_BETWEEN).translate(letters) for spelling in spellings for letters in _UMLAUTS]
    return tuple(dict.fromkeys(filter(None, written)))


@cache
def _inner(game: str, part: str, lang: str) -> tuple[str, ...]:
    """Return the label of a part from its second word on, from its third word on, and so on: "hematite" for "small
    hematite"."""
    words = _letters(word(game, part, lang)).split()
    rests = [" ".join(words[number:]) for number in range(1, len(words)) if words[number].isalpha()]
    return tuple(dict.fromkeys(rest.translate(letters) for rest in rests for letters in _UMLAUTS))


@cache
def _name(game: str, id_: str, lang: str) -> str:
    """Return the name of the piece at a part, or "" if it has only a sign or a number."""
    name = _letters(texts.find(game, f"hint.{id_}", lang) or "") if id_ else ""
    return name if name.isalpha() else ""


def _after(part: str, name: str) -> tuple[str, ...]:
    """Return a part alone and with the name of its piece before it."""
    return (f"{name} {part}", f"{name}{part}", part) if name else (part,)


def _letters(text: str) -> str:
    return " ".join(re.findall(r"\w+", plain(text)))


def _begins(text: str, spelt: list[tuple[str, ...]]) -> bool:
    """Return whether *text* is the beginning of one spelling of each part, in order."""
    text = text.lstrip(_BETWEEN)
    if not text or not spelt:
        return not text
    return any(
        spelling.startswith(text) or (text.startswith(spelling) and _begins(text[len(spelling) :], spelt[1:]))
        for spelling in spelt[0]
    )
