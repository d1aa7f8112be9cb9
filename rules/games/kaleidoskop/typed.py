"""The parser of typed text: whole turns, in English, German or notation."""

import re
from collections.abc import Callable, Mapping
from typing import Final

from rules.contract import BadNotation
from rules.games.kaleidoskop.actions import END, HOLD, NO_CARD, Action, Buy, Claim, Crystal, Glass, Limit, Mirror
from rules.games.kaleidoskop.board import GRID
from rules.games.kaleidoskop.cards import Deck
from rules.notation import LETTER_FIRST, plain, stray

UNREADABLE: Final = "unreadable"
DECK_MISSING: Final = "deck_missing"
HEX: Final = "hex"
COLOUR: Final = "colour"


def _words(words: Mapping[str, str]) -> dict[str, str]:
    """Return word -> letter for these words, longer words first."""
    pairs = [(word, letter) for letter, listed in words.items() for word in (*listed.split(), letter)]
    return dict(sorted(pairs, key=lambda pair: -len(pair[0])))


_COLOURS: Final = _words(
    {
        "r": "red rot",
        "y": "yellow gelb",
        "g": "green grün gruen",
        "b": "blue blau",
        "p": "pink rosa",
        "v": "violet violett purple lila",
    }
)
_DECKS: Final = {"orange": Deck.ORANGE, "blue": Deck.BLUE, "blau": Deck.BLUE, "o": Deck.ORANGE, "b": Deck.BLUE}
_NO_CARD_DRAWN: Final = "none|keine"
_MIRROR: Final = "spiegel|mirror"
_GLASS: Final = "mattglas|glass|glas"

_SEP: Final = r"[ :/>-]*"
_END: Final = r"(?= |$)"
_WELL: Final = r"([1-6][0-9]|7[0-2]|[1-9])"
_HEX: Final = f"({'|'.join(GRID.fields)})"
_COLOUR: Final = f"({'|'.join(_COLOURS)})"
_VERB: Final = f"(?:(?:place|put|swap|setze|set|lege|tausche){_SEP})?"
_DECK: Final = f"(?:{_SEP}({'|'.join(_DECKS)}){_END})?"


def _crystal(well: str, colour: str, colour_first: str, well_last: str) -> Action:
    return Crystal(int(well or well_last), _COLOURS[colour or colour_first])


def _mirror(well: str, hex_: str, hex_first: str, well_last: str) -> Action:
    return Mirror(int(well or well_last), hex_ or hex_first)


def _glass(well: str, hex_: str, hex_first: str, well_last: str) -> Action:
    return Glass(int(well or well_last), hex_ or hex_first)


def _place(word: str) -> str:
    return f"(?:{word}){_SEP}(?:{_WELL}{_SEP}{_HEX}|{_HEX}{_SEP}{_WELL})"


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[..., Action]], ...]] = tuple(
    (re.compile(pattern + _END), action_of)
    for pattern, action_of in (
        (f"{_VERB}(?:{_WELL}{_SEP}{_COLOUR}|{_COLOUR}{_SEP}{_WELL})", _crystal),
        ("(?:holder|halterung|hold)", lambda: HOLD),
        (_place(_MIRROR), _mirror),
        (_place(_GLASS), _glass),
        (f"(?:buy|kaufe|kauf){_SEP}(?:{_MIRROR})", lambda: Buy("mirror")),
        (f"(?:buy|kaufe|kauf){_SEP}(?:{_GLASS})", lambda: Buy("glass")),
        ("(?:end|ende|done|fertig|pass)", lambda: END),
    )
)
_CLAIM: Final = re.compile(
    f"(?:claim|auftrag){_SEP}([1-4]){_SEP}([ab])(?:{_SEP}({_NO_CARD_DRAWN}){_END}|{_DECK}){_END}"
)
_NO_CARD: Final = re.compile(rf"(?:claim|auftrag){_SEP}(?![1-4](?![0-9]))([0-9]{{1,3}})")
_NO_TASK: Final = re.compile(rf"(?:claim|auftrag){_SEP}[1-4]{_SEP}([c-z])(?![a-z])")
_LIMIT: Final = re.compile(f"limit{_DECK}{_END}")
_NO_WELL: Final = re.compile(rf"(?<![a-z0-9])(?!{_WELL}(?![0-9]))[0-9]{{1,3}}(?![0-9])")
_NAMED: Final = re.compile(
    rf"{_VERB}(?:(?:{_MIRROR}|{_GLASS}){_SEP}\S+(?: \S+)?|{_COLOUR}{_SEP}[0-9]{{1,3}}{_END}|\S+)"
)
"""The words that can name one action: a colour before its well, a tool before its well and hex."""
_ON_HEX: Final = re.compile(rf"(?<![a-z0-9])(?:{_HEX}{_SEP}{_COLOUR}|{_COLOUR}{_SEP}{_HEX}){_END}")
"""A crystal for a hex."""
_NO_COLOUR: Final = re.compile(rf"{_VERB}(?:{_WELL}{_SEP}(orange)|(orange){_SEP}{_WELL}){_END}")
_SPACES: Final = re.compile(r"[\s,;.!]+")
_QUOTED: Final = 40


def parse(text: str, decks: Mapping[str, tuple[str | None, ...]]) -> tuple[Action, ...]:
    """Return the actions that *text* means, by their form only. If the text names no deck, *decks* decide.

    Raises BadNotation, quoting the first part that cannot be parsed, or for the codes HEX and COLOUR the wrong word.

    >>> [str(action) for action in parse("Tausche 57 rot; claim 1a > o. ENDE!", {})]
    ['57r', 'claim1a>orange', 'end']
    """
    typed = _SPACES.sub(" ", plain(text)).strip()
    full_decks = [deck for deck in Deck if decks.get(deck)]
    actions: list[Action] = []
    at = 0
    while at < len(typed) or not actions:
        action, at = _next(typed, at, full_decks)
        actions.append(action)
    return tuple(actions)


def _next(typed: str, at: int, full_decks: list[Deck]) -> tuple[Action, int]:
    """Return the action that begins at *at*, and the index of the next one."""
    if form := _CLAIM.match(typed, at):
        card, task, none, word = form.groups()
        if none and full_decks:
            return Claim(int(card), task, NO_CARD), form.end() + 1
        deck = _deck(word, full_decks, form[0]) if word or full_decks else None
        return Claim(int(card), task, deck), form.end() + 1
    if form := _LIMIT.match(typed, at):
        return Limit(_deck(form[1], full_decks, form[0])), form.end() + 1
    for pattern, action_of in _FORMS:
        if form := pattern.match(typed, at):
            return action_of(*form.groups()), form.end() + 1
    for pattern, sort in ((_NO_CARD, "card"), (_NO_TASK, "task")):
        if form := pattern.match(typed, at):
            raise BadNotation(typed[at : at + _QUOTED], UNREADABLE, missing=form[1], sort=sort)
    if form := _ON_HEX.search(typed):
        raise BadNotation(form[1] or form[4], HEX)
    if form := _NO_COLOUR.match(typed, at):
        raise BadNotation(form[2] or form[3], COLOUR)
    form = _NAMED.match(typed, at)
    named = form[0] if form else ""
    well = _NO_WELL.search(named)
    missing = well[0] if well else stray(re.sub(r"\W", " ", named), LETTER_FIRST, GRID.fields)
    raise BadNotation(typed[at : at + _QUOTED], UNREADABLE, missing=missing)


def _deck(word: str | None, full_decks: list[Deck], quoted: str) -> Deck:
    """Return the deck that *word* names; without a word the only one that has cards."""
    if word:
        return _DECKS[word]
    if len(full_decks) != 1:
        raise BadNotation(quoted[:_QUOTED], DECK_MISSING)
    return full_decks[0]
