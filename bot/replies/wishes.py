"""How a new game is wished for in words: options, time for a turn and the house, read and completed.

A choice is typed as its own name (``hard``), or with its option's where another option has the same (``draw:off``), or
as its label begins in any language that the bot speaks. What completion fills in is the former. A time is typed as its
own name, too (``8h``, ``clock:8h``). A word that is both, and nothing but what the option is anyway, is the time, as it
would change nothing otherwise: ``none`` where a game has a handicap. Said once more it is the option.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

import texts
from bot.chat import Suggestion
from bot.house.levels import Level
from bot.replies.completion import MOST, cuts
from bot.replies.words import say, short
from bot.tables.preferences import CLOCK
from bot.tables.table import Denied
from rules import GAMES
from rules.notation import plain


class Wishes(Struct, frozen=True):
    """*options*: choices by option; *clock*: "" for none; *level*: of the house, None where it is not to play."""

    options: Mapping[str, str] = {}
    clock: str = ""
    level: Level | None = None


class _Offer(Struct, frozen=True):
    """Something that can be wished for yet: what is filled in, and what it is called."""

    wishes: Wishes
    value: str
    label: str


def read(game: str, words: Sequence[str]) -> Wishes:
    """What plain *words* wish for. Denied: no_such_option."""
    level, words = _of_house(words)
    wishes = Wishes(level=level)
    usual = {option.name: option.default for option in GAMES[game].options}
    choices = [(option.name, choice) for option in GAMES[game].options for choice in option.choices]
    for wish in filter(None, words):
        name, choice = next((each for each in choices if wish in _called(game, *each)), ("", ""))
        time = wish.removeprefix(f"{CLOCK.name}:")
        changes = bool(name) and choice != usual[name]
        if time in CLOCK.choices and (not name or not (changes or wishes.clock)):
            wishes = replace(wishes, clock=time)
        elif name:
            wishes = replace(wishes, options={**wishes.options, name: choice})
        else:
            raise Denied("no_such_option", wish=short(wish))
    return wishes


def numbers(game: str, wishes: Wishes) -> tuple[int, ...]:
    """*wishes* for a button: the choice of each option, the clock and the level, from 1; 0 for none."""
    listed = [(option.choices, wishes.options.get(option.name)) for option in GAMES[game].options]
    of_all = [*listed, (CLOCK.choices, wishes.clock), (tuple(Level), wishes.level)]
    return tuple(1 + choices.index(chosen) if chosen in choices else 0 for choices, chosen in of_all)


def numbered(game: str, given: Sequence[int]) -> Wishes:
    """The inverse of `numbers`. Denied: stale, where the game has other options by now."""
    options = GAMES[game].options
    of_all = [*(option.choices for option in options), CLOCK.choices, tuple(Level)]
    if len(given) != len(of_all):
        raise Denied("stale")
    pairs = tuple(zip(given, of_all, strict=True))
    if any(number > len(choices) for number, choices in pairs):
        raise Denied("stale")
    *chosen, clock, level = (choices[number - 1] if number else "" for number, choices in pairs)
    named = {option.name: choice for option, choice in zip(options, chosen, strict=True) if choice}
    return Wishes(named, clock, Level(level) if level else None)


def completions(game: str, typed: str, lang: str) -> tuple[Suggestion, ...]:
    """What *typed* can go on to: one more thing to wish for of *game*, behind those that are complete."""
    for complete, begun in cuts(typed):
        try:
            known = read(game, complete.split())
        except Denied:
            continue
        found = _fitting(game, list(_offers(game, known, lang)), _letters(begun))
        if found:
            before = said(game, known, lang)
            return tuple(
                Suggestion(
                    ", ".join(label for _, label in (*before, (each.value, each.label))),
                    " ".join(value for value, _ in (*before, (each.value, each.label))),
                )
                for each in found[:MOST]
            )
    return ()


def _fitting(game: str, offers: Sequence[_Offer], text: str) -> list[_Offer]:
    """Those of *offers* in which a word begins with *text*: in the reader's language, or else in any other."""
    own = [each for each in offers if _begins(text, each.value, each.label)]
    if own:
        return own
    others = [{each.value: each.label for each in _offers(game, Wishes(), other)} for other in texts.languages()]
    return [each for each in offers if any(_begins(text, other[each.value]) for other in others)]


def _begins(text: str, *phrases: str) -> bool:
    return any(f" {text}" in f" {_letters(phrase)}" for phrase in phrases)


def _letters(text: str) -> str:
    return " ".join(re.findall(r"\w+", plain(text)))


def _offers(game: str, known: Wishes, lang: str) -> Iterable[_Offer]:
    """What is not *known* yet."""
    single = [
        Wishes({option.name: choice})
        for option in GAMES[game].options
        if option.name not in known.options
        for choice in option.choices
    ]
    house = [Wishes(level=level) for level in Level if known.level is None]
    for wishes in (*single, *house):
        ((value, label),) = said(game, wishes, lang)
        yield _Offer(wishes, value, label)


def said(game: str, wishes: Wishes, lang: str) -> list[tuple[str, str]]:
    """How each thing that is wished for is typed, and what it is called."""
    each_said = [
        (
            _typed(game, name, choice),
            f"{texts.say(game, f'option.{name}', lang)}: {texts.say(game, f'option.{name}.{choice}', lang)}",
        )
        for name, choice in wishes.options.items()
    ]
    if wishes.clock:
        alone = read(game, [wishes.clock]).clock == wishes.clock
        each_said.append(
            (wishes.clock if alone else f"{CLOCK.name}:{wishes.clock}", say(f"setting.clock.{wishes.clock}", lang))
        )
    if wishes.level is not None:  # with its level: the word behind the house is read as that
        house = _names_of_house(texts.DEFAULT)[0]
        each_said.append((f"{house} {wishes.level}", f"{say('house', lang)}: {say(f'level.{wishes.level}', lang)}"))
    return each_said


@cache
def _typed(game: str, option: str, choice: str) -> str:
    """The shortest way to type a choice."""
    try:
        alone = read(game, [choice]).options == {option: choice}
    except Denied:
        alone = False
    return choice if alone else f"{option}:{choice}"


def _of_house(wishes: Sequence[str]) -> tuple[Level | None, Sequence[str]]:
    """How well the house is to play, if it is among the *wishes*; and the others.

    What stands behind its name is its level, if it can be: ``house hard``.
    """
    called = {name for lang in texts.languages() for name in _names_of_house(lang)}
    if not called & {*wishes}:
        return None, wishes
    place = next(number for number, wish in enumerate(wishes) if wish in called)
    before, after = wishes[:place], [wish for wish in wishes[place + 1 :] if wish not in called]
    levels = {word: level for level in Level for word in _called_level(level)}
    if after and after[0] in levels:
        return levels[after[0]], (*before, *after[1:])
    return Level.MEDIUM, (*before, *after)


def _names_of_house(lang: str) -> Sequence[str]:
    """What the house may be called when it is typed, first as it is told."""
    return [plain(name) for name in say("house.typed", lang).split()]


def _called_level(level: Level) -> set[str]:
    """What a level may be called when it is typed."""
    return {level, *(plain(say(f"level.{level}", lang)).split(" ")[0].strip(":,") for lang in texts.languages())}


@cache
def _called(game: str, option: str, choice: str) -> frozenset[str]:
    """What a choice may be called when it is typed: its id, with its option's or not, or how its name begins in any
    language."""
    labels = (texts.say(game, f"option.{option}.{choice}", lang) for lang in texts.languages())
    return frozenset((choice, f"{option}:{choice}", *(plain(label).split(" ")[0].strip(":,") for label in labels)))
