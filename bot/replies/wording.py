"""Actions in words: as people read them and as people type them (`renderers.notation`), in the reader's language.

If the words of its buttons do not suit a past action, the game has ``done.<kind>`` with its parts, or ``done.<part>``
for an action of one part; if they do not suit advice, it has ``does.<kind>``, in which ``{piece}`` names what the first
part points to.
"""

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache, partial
from itertools import combinations, dropwhile
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
CERTAIN = 0.8
"""Smallest similarity of a misspelt word in a text without a command, which may be talk: "player" is not "paper"."""
SHORTEST_TYPO = 5
"""Fewest letters of a misspelt word in such a text, unless all of it is one move: see `is_meant`."""
MOST_FILLERS = 5
"""Most fillers of a text that are left out: there are 32 ways to leave out five."""
_LONG_WORDS = re.compile(r"[^\W\d_]{3,}")
"""Words that can be misspelt: shorter ones are names of fields."""
_WHOLE_WORDS = re.compile(r"(?<!\w)[^\W\d_]{3,}(?!\w)")
_TOKENS = re.compile(r"[^\W_]+")
_FIELD = re.compile(r"(?<!\w)(?:[a-z]\d+|\d+[a-z])(?!\w)")
_CHUNKS = re.compile(r"\d+|[^\W\d_]+")
_PRICE = re.compile(r"cost[1-9]\d*")
_SIGNS_OF_MOOD = "!?.… "
"""Signs at the end of a text that change no move."""
_OF_MOVES = re.compile(r"[\w\s.,;:!@>+/=-]*")
"""Texts without question marks, emoji and other signs of talk."""
_EMOJI = "\ufe0f"
"""The emoji variation selector; some keyboards leave it out."""


def read(game: str, view: State, text: str, *, exact: bool = False) -> tuple[Action, ...]:
    """Return the actions in *text*, as the game reads it. A sign of exactly one button of *view* is read as its
    part, and punctuation around the text is dropped. Unless *exact*, a text that the game cannot read is guessed at.
    Raises BadNotation.

    >>> from rules import GAMES
    >>> state = GAMES["kabooom"].start(2, {"level": "medium"}, seed=1)
    >>> [str(action) for action in read("kabooom", state.view(0), "🧨 b4")]
    ['d@b4']
    """
    text = unwrapped(text)
    plain = unsigned(game, view, text)
    try:
        actions, _ = _read(game, view, plain)
    except BadNotation as no:
        guesses = _guessed if no.is_vague else _unfinished
        if not exact and no.missing is None and (guess := guesses(game, view, plain.rstrip(_SIGNS_OF_MOOD))):
            return guess
        if plain == text or no.missing is not None:
            raise
        raise BadNotation(text, no.code) from None  # the person did not type the notation of the sign
    return actions


def _read(game: str, view: State, text: str) -> tuple[tuple[Action, ...], str]:
    """Return the actions in *text*, and the text that the game reads: as few fillers as possible are left out, so
    that two words remain and there is one reading. Raises BadNotation.

    >>> from rules import GAMES
    >>> state = GAMES["kalejdoschach"].start(2, seed=7)
    >>> _read("kalejdoschach", state.view(0), "The roc from 1k takes 2k")[1]
    'roc 1k 2k'
    """
    words, refusal = text.split(), None
    at = [number for number, word in enumerate(words) if plain(word) in fillers()]
    for size in range(len(at) + 1 if len(at) <= MOST_FILLERS else 1):
        if size and len(words) - size < 2:
            break
        readings = dict[tuple[Action, ...], str]()
        for dropped in combinations(at, size):
            kept = " ".join(word for number, word in enumerate(words) if number not in dropped)
            try:
                readings.setdefault(tuple(GAMES[game].parse(view, kept)), kept)
            except BadNotation as no:
                refusal = no if refusal is None or (_says_more(no) and not _says_more(refusal)) else refusal
        if readings:
            (actions, kept), *others = readings.items()
            if others:  # ambiguous
                break
            return actions, kept
    assert refusal is not None
    raise refusal


def _guessed(game: str, view: State, text: str) -> tuple[Action, ...]:
    """Return the actions in *text*, which has no signs at its end; or those without a name between two fields, or
    with a misspelt name at the beginning; or a similar action that is illegal, for its refusal. () if none. Raises a
    BadNotation that says more.
    """
    guesses: tuple[Callable[[str, State, str], tuple[Action, ...]], ...]
    guesses = partial(read, exact=True), _unnamed, _renamed
    for guess in guesses:
        try:
            if actions := guess(game, view, text):
                return actions
        except BadNotation as no:
            if _says_more(no):
                raise
    actions = _similar(game, view, text)
    return actions if _is_illegal(view, actions) else ()


def _unnamed(game: str, view: State, text: str) -> tuple[Action, ...]:
    """Return the action in *text* without one name that follows a filler between two fields; () if there is not
    exactly one reading.

    >>> from rules import GAMES
    >>> state = GAMES["kalejdoschach"].start(2, seed=7)
    >>> [str(action) for action in _unnamed("kalejdoschach", state.view(0), "Eagle 3f takes the roc on 3h")]
    ['3f+3h']
    """
    words, readings = text.split(), set[tuple[Action, ...]]()
    fields = [number for number, word in enumerate(words) if not word.isalpha()]
    for number in range(fields[0] + 2, fields[-1]) if fields else ():
        if plain(words[number]) in _game_words(game) and plain(words[number - 1]) in fillers():
            with suppress(BadNotation):
                readings.add(_read(game, view, " ".join(words[:number] + words[number + 1 :]))[0])
    actions = readings.pop() if len(readings) == 1 else ()
    return actions if len(actions) == 1 else ()


def _renamed(game: str, view: State, text: str) -> tuple[Action, ...]:
    """Return the actions in *text* with its misspelt first word corrected, if they are the same without that word: it
    names the piece that moves. Otherwise (). Raises BadNotation if the corrected text or the rest is unreadable.

    >>> from rules import GAMES
    >>> state = GAMES["kalejdoschach"].start(2, seed=7)
    >>> [str(action) for action in _renamed("kalejdoschach", state.view(0), "hores 1f to 8h")]
    ['1f-8h']
    """
    words = [*dropwhile(fillers().__contains__, plain(text).split())]
    if not words or not _LONG_WORDS.fullmatch(words[0]):
        return ()
    first, *rest = words
    name = nearest(first, sorted(_game_words(game)))
    if name == first:
        return ()
    actions, _ = _read(game, view, " ".join(rest))
    return actions if actions == _read(game, view, " ".join((name, *rest)))[0] else ()


def _unfinished(game: str, view: State, text: str) -> tuple[Action, ...]:
    """Return an action that *text* with one more word of the game means, for its refusal: () if such an action is
    legal or there is none.

    >>> from rules import GAMES
    >>> state = GAMES["kaleidoskop"].start(2, seed=7)
    >>> [str(action) for action in _unfinished("kaleidoskop", state.view(0), "claim 3b")]
    ['claim3b>blue']
    """
    readings = list[tuple[Action, ...]]()
    for last in sorted(_game_words(game)):
        with suppress(BadNotation):
            readings.append(_read(game, view, f"{text} {last}")[0])
    return readings[0] if readings and all(_is_illegal(view, actions) for actions in readings) else ()


def _is_illegal(view: State, actions: Sequence[Action]) -> bool:
    """Return whether *actions* are one action, which is illegal."""
    return len(actions) == 1 and actions[0] not in view.actions()


def _says_more(no: BadNotation) -> bool:
    """Return whether *no* gives a reason beyond "could not be parsed"."""
    return no.missing is not None or not no.is_vague


@cache
def fillers() -> frozenset[str]:
    """Return the small words in any language that people put between the words of a move."""
    return frozenset(word for lang in texts.languages() for word in texts.say("table", "fillers", lang).split())


@cache
def _game_words(game: str) -> frozenset[str]:
    """Return the words of a game in any language: the labels and typed words of its parts that are one word."""
    named = (_CHUNKS.findall(text.lower()) for text in texts.labels(game, "part", "typed"))
    letters = ([name for name in names if name.isalpha()] for names in named)
    return frozenset(names[0] for names in letters if len(names) == 1 and len(names[0]) > 1)


def is_button(game: str, view: State, text: str) -> bool:
    """Return whether *text* is the whole label of the button of a legal action, in any language, in upper or lower
    case. An action after which the actor has the same choice, an offer for example, does not count.

    >>> from rules import GAMES
    >>> view = GAMES["kabooom"].start(2, {"level": "easy"}, seed=1).view(0)
    >>> [is_button("kabooom", view, text) for text in ("PASS", "aussetzen", "x")]
    [True, True, False]
    """
    typed = plain(unwrapped(text))
    alike = (
        action
        for action in view.actions()
        if len(action.parts) == 1 and typed in {plain(word(game, action.parts[0], lang)) for lang in texts.languages()}
    )
    return any(_changes_choice(view, action) for action in alike)


def _changes_choice(view: State, action: Action) -> bool:
    """Return whether another seat acts after *action*, or this one has other actions."""
    try:
        after = view.play(action)
    except IllegalAction:  # the result is hidden
        return True
    return after.actor != view.actor or not {*after.actions()} <= {*view.actions()}


def may_be_button(text: str) -> bool:
    """Return whether *text* is a word of any game, as far as it shows without a table."""
    typed = plain(unwrapped(text))
    return any(typed in _game_words(game) for game in GAMES)


def is_meant(game: str, view: State, text: str) -> bool:
    """Return whether *text* is clearly meant as a move, possible or not.

    All its words are fillers or words of the game, perhaps misspelt. Two at least are no fillers; they have letters and
    a number. One names a field, or the game can read the text or knows what is wrong with it.

    A text that is one action of three parts is also meant: a card, its column and its corner.

    A word of three or four letters may have a slip if it is the only one, and if the text is a whole move that names
    two fields, or a legal one that begins with a number: "sein b3" is talk, not "Stein b3".

    >>> from rules import GAMES
    >>> state = GAMES["kabooom"].start(2, {"level": "medium"}, seed=1)
    >>> [is_meant("kabooom", state.view(0), said) for said in ("put scisors on z9", "rock is on b3", "rock in 5")]
    [True, False, False]
    >>> state = GAMES["kalejdoschach"].start(2, seed=7)
    >>> [is_meant("kalejdoschach", state.view(0), said) for said in ("Pfrd 1f nach 8e", "Pfrd 1f", "Pfrd in 5")]
    [True, False, False]
    >>> state = GAMES["kaleidoskop"].start(2, seed=7)
    >>> [is_meant("kaleidoskop", state.view(0), said) for said in ("57 geln", "57 glb", "geln 57", "57 gut")]
    [True, True, False, False]
    """
    known = _game_words(game)
    text = plain(unsigned(game, view, unwrapped(text)))
    text = _LONG_WORDS.sub(lambda typo: _corrected(typo[0], known), text)
    return (
        _has_words_of_move(game, view, text)
        or _names_three_parts(game, view, text)
        or any(
            _has_words_of_move(game, view, corrected) and _is_whole_move(game, view, corrected)
            for corrected in _without_slip(text, known)
        )
    )


def _has_words_of_move(game: str, view: State, text: str) -> bool:
    """Return whether *text*, in which words of the game are spelt right, has the words of a move; see `is_meant`."""
    known = _game_words(game)
    text = _WHOLE_WORDS.sub(lambda typo: typo[0] if typo[0] in known else _filler(typo[0]), text)
    words = [word for word in _TOKENS.findall(text) if word in known or word not in fillers()]
    letters = {letter for action in view.actions() for part in action.parts if len(part) <= 3 for letter in part}
    chunks = [chunk for word in words for chunk in _CHUNKS.findall(word)]
    return (
        len(words) > 1
        and any(map(str.isdecimal, chunks))
        and any(map(str.isalpha, chunks))
        and _OF_MOVES.fullmatch(text) is not None
        and all(_is_of_game(word, known, letters) for word in words)
        and (len(chunks) > len(words) or _is_understood(game, view, text))
    )


def _without_slip(text: str, known: frozenset[str]) -> Iterator[str]:
    """Yield *text* with its only unknown word replaced by each word of *known* with four or five letters from which it
    differs by one missing letter, or with four letters by one wrong letter or the order of two. The first is right.

    >>> [*_without_slip("adlr 3f 3h", frozenset(("adler", "adlig", "eagle")))]
    ['adler 3f 3h']
    """
    typos = [word for word in _WHOLE_WORDS.findall(text) if word not in known and word not in fillers()]
    if len(typos) == 1 and len(typos[0]) < SHORTEST_TYPO:
        for word in sorted(known):
            if SHORTEST_TYPO - 1 <= len(word) <= len(typos[0]) + 1 and _is_slip(typos[0], word):
                yield re.sub(rf"(?<!\w){typos[0]}(?!\w)", word, text)


def _is_slip(typo: str, word: str) -> bool:
    """Return whether *typo* is *word* with one letter missing or wrong, or with two neighbours exchanged. The first
    letter is right."""
    one_less = {word[:at] + word[at + 1 :] for at in range(1, len(word))}
    if len(typo) < len(word):
        return typo in one_less
    differing = [at for at, (one, other) in enumerate(zip(typo, word, strict=True)) if one != other]
    swapped = len(differing) == 2 and differing[1] - differing[0] == 1 and sorted(typo) == sorted(word)
    return 0 not in differing and (len(differing) == 1 or swapped)


def _names_three_parts(game: str, view: State, text: str) -> bool:
    """Return whether the game can read all of *text* as one action with at least three parts."""
    with suppress(BadNotation, IllegalAction):
        actions = read(game, view, text.rstrip(_SIGNS_OF_MOOD), exact=True)
        return len(actions) == 1 and len(actions[0].parts) > 2
    return False


def _is_whole_move(game: str, view: State, text: str) -> bool:
    """Return whether the game can read all of *text* as one action, which names two fields by letter and number, or
    begins with a number and is legal."""
    with suppress(BadNotation, IllegalAction):
        actions = read(game, view, text.rstrip(_SIGNS_OF_MOOD), exact=True)
        is_named = len(_FIELD.findall(text)) > 1 or (text[:1].isdecimal() and {*actions} <= {*view.actions()})
        return len(actions) == 1 and is_named
    return False


def _corrected(typo: str, known: frozenset[str]) -> str:
    """Return the word of *known* that *typo* surely means, or *typo*. Few people misspell a first letter, and short
    words have too much in common: "back" is not "black"."""
    if typo in known or typo in fillers() or len(typo) < SHORTEST_TYPO:
        return typo
    alike = sorted(word for word in known if word[0] == typo[0] and len(word) > 2)
    return next(iter(get_close_matches(typo, alike, n=1, cutoff=CERTAIN)), typo)


def _filler(typo: str) -> str:
    """Return the filler from which *typo* differs in one letter but not the first, or *typo*.

    >>> _filler("aud"), _filler("nahc"), _filler("tiger")
    ('auf', 'nach', 'tiger')
    """
    alike = sorted(word for word in fillers() if word[0] == typo[0] and len(word) > 2)
    return next(iter(get_close_matches(typo, alike, n=1, cutoff=(len(typo) - 1) / len(typo))), typo)


def _is_of_game(word: str, known: Container[str], letters: Container[str]) -> bool:
    """Return whether *word* is of *known*, a number, or has the form of a field; alone, only *letters* are words."""
    chunks = _CHUNKS.findall(word)
    if len(chunks) == 1:
        return len(word) < 4 if word.isdecimal() else word in known or word in letters
    return all(
        len(chunk) < 3 if chunk.isdecimal() else len(chunk) == 1 or chunk in known or chunk[1:] in known
        for chunk in chunks
    )


def _is_understood(game: str, view: State, text: str) -> bool:
    """Return whether the game can read *text*, or knows what is wrong with it."""
    try:
        read(game, view, text.rstrip(_SIGNS_OF_MOOD), exact=True)
    except BadNotation as no:
        return _says_more(no)
    except IllegalAction:
        return True
    return True


def similar(game: str, view: State, text: str) -> tuple[Action, ...]:
    """Return the actions in *text* with each misspelt word replaced by the similar word of a legal action, in any
    language, or by the similar filler; () if the game cannot read the result, or it is one illegal action.

    >>> from rules import GAMES
    >>> state = GAMES["kabooom"].start(2, {"level": "medium"}, seed=1)
    >>> [[*map(str, similar("kabooom", state.view(0), text))] for text in ("Scisors b4.", "hello b4")]
    [['s@b4'], []]
    """
    actions = _similar(game, view, text)
    return () if _is_illegal(view, actions) else actions


def _similar(game: str, view: State, text: str) -> tuple[Action, ...]:
    """Return the actions of `similar`, legal or not."""
    if len(text) > LONGEST_TEXT:
        return ()
    parts = {part for action in view.actions() for part in action.parts}
    labels = {
        label
        for part in parts
        for lang in texts.languages()
        for label in (typed_part(game, part, lang), word(game, part, lang))
    }
    known = sorted({name for label in labels for name in _LONG_WORDS.findall(label.lower())})
    corrected = _LONG_WORDS.sub(lambda typo: nearest(typo[0], known), plain(unwrapped(text)).rstrip(_SIGNS_OF_MOOD))
    corrected = _WHOLE_WORDS.sub(lambda typo: typo[0] if typo[0] in known else _filler(typo[0]), corrected)
    try:
        return _read(game, view, unsigned(game, view, corrected))[0]
    except BadNotation:
        return ()


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


def actions_text(
    game: str, view: State, actions: Sequence[Action], lang: str, points: Sequence[int] | None = None
) -> str:
    """Return several actions from *view* on in words, each with the name of the piece that it moves; with *points*, the
    points that each brings or costs.

    >>> from rules import GAMES
    >>> state = GAMES["colorio"].start(2, {}, seed=1)
    >>> actions_text("colorio", state.view(0), GAMES["colorio"].parse(state, "a3"), "en")
    'lift a3'
    """
    lines, now = list[str](), cast("State | None", view)
    for action, more in zip(actions, points or [0] * len(actions), strict=True):
        piece = "" if now is None else texts.find(game, f"hint.{now.hint(action, 0)}", lang) or ""
        form = texts.find(game, f"does.{kind(action)}", lang)
        line = action_text(game, action, lang) if form is None else _filled(form, game, action, lang, piece)
        line = f"{piece} {line}" if piece.isalpha() else line
        lines.append(f"{line} ({signed(more)})" if more else line)
        try:
            now = None if now is None else now.play(action)
        except IllegalAction:  # the result is hidden
            now = None
    return ", ".join(lines)


def signed(points: int) -> str:
    """Return a difference of points with its sign.

    >>> signed(2), signed(-1), signed(0)
    ('+2', '−1', '±0')
    """
    return f"{points:+}".replace("-", "−") if points else "±0"


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


def _filled(form: str, game: str, action: Action, lang: str, piece: str = "") -> str:
    """Return *form* with the parts of *action*; ``{piece}`` is what the first of them points to."""
    words = [word(game, part, lang).lstrip("→") for part in action.parts]
    return form.format(*words, piece=piece or words[0])


def labelled(table: Table, view: State, action: Action, lang: str) -> str:
    """Return an action in words, with the things that it points to."""
    labels = [label(AtTable(table), view, action, part, lang) for part in range(len(action.parts))]
    return _joined(table.game, action, labels, lang)


def examples(game: str, view: State, lang: str, meant: str = "") -> str:
    """Return at most two legal actions of the actor of *view* as commands, or "".

    Actions that begin with a word of *meant* come first, for example those of the named piece; then those that share
    words with it; then those without a price. Actions that need a confirmation are examples only if there are no
    others: no example suggests capturing one's own piece. Otherwise they follow the game's own order, so they give no
    advice. If boards are forgotten, only actions that any player could name are shown.
    """
    actions = tellable(view, view.actions())
    said = _named(meant)
    safe = [action for action in actions if view.warns(action) is None]

    def rank(action: Action) -> tuple[bool, int, int, bool]:
        shared = said & _words(game, action)
        longer = [name for name in shared if len(name) > 1]  # one letter may only be a part of a field
        return action.parts[0] not in said, -len(longer), -len(shared), price(game, view, action, lang) != ""

    order = sorted(safe or actions, key=rank)
    chosen: dict[tuple[str, str], Action] = {}
    for action in order:
        different = str(action) if action.parts[0] in said else action.parts[0]
        chosen.setdefault((kind(action), different), action)
        if len(chosen) == MOST_EXAMPLES:
            break
    return commands(game, ((action,) for action in chosen.values()), lang, view)


def _words(game: str, action: Action) -> set[str]:
    """Return the parts of *action*, as notation and as they are typed in any language."""
    return {*action.parts, *(typed_part(game, part, lang) for part in action.parts for lang in texts.languages())}


def commands(game: str, several: Iterable[Sequence[Action]], lang: str, view: State | None = None) -> str:
    """Return each of *several* turns, or parts of turns, as the command that plays it. With a *view*, the one before
    the last action of each, they tell its price."""
    return " · ".join(
        f"/move {' '.join(typed(game, action, lang) for action in actions)}"
        + (price(game, view, actions[-1], lang) if view is not None else "")
        for actions in several
    )


def price(game: str, view: State, action: Action, lang: str) -> str:
    """Return the price of an action in brackets, after a blank; "" if it has none."""
    hints = dict.fromkeys(" ".join(view.hint(action, part) or "" for part in range(len(action.parts))).split())
    return "".join(f" ({texts.say(game, f'hint.{hint}', lang)})" for hint in hints if _PRICE.fullmatch(hint))


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
