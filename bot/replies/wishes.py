"""Options of a new game as typed words: options, clock and house, read and completed.

A choice is typed by its own name (``hard``), with its option's name if another option has the same (``draw:off``), or
by the beginning of its label in any language. Completion fills in the former. A clock is typed by its own name, too
(``8h``, ``clock:8h``). A word that is both a clock and the default of an option is the clock, because the option would
not change: ``none`` in a game with a handicap. Repeated, it is the option.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

import texts
from bot.chat import Suggestion
from bot.house.levels import Level
from bot.replies.completion import MOST, cuts
from bot.replies.words import option_value, say, short
from bot.tables import seating
from bot.tables.preferences import CLOCK
from bot.tables.table import Denied
from rules import GAMES, Option
from rules.contract import BadOption
from rules.notation import plain


class Wishes(Struct, frozen=True):
    """The wishes for a new game. *options*: choices by option. *clock*: "" for the default. *level*: of the house,
    or None without it. *channel*: the people of the place play together. *rival*: against another channel."""

    options: Mapping[str, str] = {}
    clock: str = ""
    level: Level | None = None
    channel: bool = False
    rival: bool = False


class _Offer(Struct, frozen=True):
    """A completion: its value and its label."""

    wishes: Wishes
    value: str
    label: str


def read(game: str, words: Sequence[str]) -> Wishes:
    """Return the wishes in plain *words*. Denied: no_such_option, unfit."""
    level, words = _of_house(words)
    words, others = [word for word in words if word not in _names_of_channel()], words
    channel = len(words) < len(others)
    words, others = [word for word in words if word not in _names_of_channel("channels.typed")], words
    rival = len(words) < len(others)
    words, own = _own_texts(game, words)
    wishes = Wishes(own, level=level, channel=channel, rival=rival)
    usual = {option.name: option.default for option in GAMES[game].options}
    choices = [(option.name, choice) for option in GAMES[game].options for choice in option.choices]
    for wish in filter(None, words):
        name, choice = next((candidate for candidate in choices if wish in _called(game, *candidate)), ("", ""))
        time = wish.removeprefix(f"{CLOCK.name}:")
        changes = bool(name) and choice != usual[name]
        if time in CLOCK.choices and (not name or not (changes or wishes.clock)):
            wishes = replace(wishes, clock=time)
        elif name:
            wishes = replace(wishes, options={**wishes.options, name: choice})
        else:
            raise Denied("no_such_option", wish=short(wish))
    return wishes


def _own_texts(game: str, words: Sequence[str]) -> tuple[Sequence[str], Mapping[str, str]]:
    """Return the *words* without people's own texts, and these texts by option.

    A text follows the name of its option and ends before the next word that is a wish. Denied: unfit.
    """
    readers = {name: option for option in GAMES[game].options if option.read for name in _names_of(game, option)}
    rest, typed, reader = list[str](), dict[Option, list[str]](), cast("Option | None", None)
    for word in words:
        name, colon, text = word.partition(":")
        if word in _wishes_of(game):
            rest.append(word)
            reader = None
        elif name in readers and (colon or word == name):
            reader = readers[name]
            typed[reader] = [text]
        elif reader is not None:
            typed[reader].append(word)
        else:
            rest.append(word)
    own = {option: " ".join(filter(None, text)) for option, text in typed.items()}
    return rest, {option.name: _own_text(game, option, text) for option, text in own.items() if text or not rest}


@cache
def _wishes_of(game: str) -> frozenset[str]:
    """Return the words that are a choice or a clock, each by itself."""
    choices = [(option.name, choice) for option in GAMES[game].options for choice in option.choices]
    clocks = [*CLOCK.choices, *(f"{CLOCK.name}:{time}" for time in CLOCK.choices)]
    return frozenset(clocks).union(*(_called(game, *choice) for choice in choices))


def _own_text(game: str, option: Option, text: str) -> str:
    assert option.read is not None
    try:
        return option.read(text)
    except BadOption as bad:
        example = f"/newgame {game} {option.name} {option.examples[0]}"
        raise Denied("unfit", game=game, unfit=bad, example=example) from bad


@cache
def _names_of(game: str, option: Option) -> frozenset[str]:
    """Return the typed names of an option: its own, and the beginning of its label in any language."""
    labels = (texts.say(game, f"option.{option.name}", lang) for lang in texts.languages())
    return frozenset((option.name, *(plain(label).split(" ")[0] for label in labels)))


def fits_button(game: str, wishes: Wishes) -> bool:
    """Return whether `numbers` tell all *wishes*: a button has no room for a person's text."""
    return all(wishes.options.get(option.name, option.default) in option.choices for option in GAMES[game].options)


def numbers(game: str, wishes: Wishes) -> tuple[int, ...]:
    """Return *wishes* as numbers for a payload: the choice of each option, the clock and the level, from 1; 0 for
    none."""
    listed = [(option.choices, wishes.options.get(option.name)) for option in GAMES[game].options]
    of_all = [*listed, (CLOCK.choices, wishes.clock), (tuple(Level), wishes.level), ((True,), wishes.channel)]
    return tuple(1 + choices.index(chosen) if chosen in choices else 0 for choices, chosen in of_all)


def numbered(game: str, given: Sequence[int]) -> Wishes:
    """Return the wishes of a payload, the inverse of `numbers`. Denied: stale if the game's options have changed."""
    options = GAMES[game].options
    of_all = [*(option.choices for option in options), CLOCK.choices, tuple(Level), ("channel",)]
    if len(given) != len(of_all):
        raise Denied("stale")
    pairs = tuple(zip(given, of_all, strict=True))
    if any(number > len(choices) for number, choices in pairs):
        raise Denied("stale")
    *chosen, clock, level, channel = (choices[number - 1] if number else "" for number, choices in pairs)
    named = {option.name: choice for option, choice in zip(options, chosen, strict=True) if choice}
    return Wishes(named, clock, Level(level) if level else None, bool(channel))


def completions(game: str, typed: str, lang: str) -> tuple[Suggestion, ...]:
    """Return completions of *typed* by one more wish for *game*, after the complete ones."""
    for complete, begun in cuts(typed):
        try:
            known = read(game, complete.split())
        except Denied:
            continue
        offers = _fitting(game, list(_offers(game, known, lang)), _letters(begun))
        if offers:
            before = said(game, known, lang)
            return tuple(
                Suggestion(
                    ", ".join(label for _, label in (*before, (offer.value, offer.label))),
                    " ".join(value for value, _ in (*before, (offer.value, offer.label))),
                )
                for offer in offers[:MOST]
            )
    return ()


def _fitting(game: str, offers: Sequence[_Offer], text: str) -> list[_Offer]:
    """Return those of *offers* in which a word begins with *text*: in the reader's language, otherwise in any other."""
    own = [offer for offer in offers if _begins(text, offer.value, offer.label)]
    if own:
        return own
    others = [{offer.value: offer.label for offer in _offers(game, Wishes(), other)} for other in texts.languages()]
    return [offer for offer in offers if any(_begins(text, other[offer.value]) for other in others)]


def _begins(text: str, *phrases: str) -> bool:
    return any(f" {text}" in f" {_letters(phrase)}" for phrase in phrases)


def _letters(text: str) -> str:
    return " ".join(re.findall(r"\w+", plain(text)))


def _offers(game: str, known: Wishes, lang: str) -> Iterable[_Offer]:
    """Return the wishes that are not *known* yet."""
    single = [
        Wishes({option.name: choice})
        for option in GAMES[game].options
        if option.name not in known.options
        for choice in option.choices
    ]
    house = [Wishes(level=level) for level in Level if known.level is None and not known.rival]
    plays = known.channel or known.rival or not seating.is_open(game, known.options)
    channel = [] if plays else [Wishes(channel=True), Wishes(rival=True)]
    for wishes in (*single, *house, *channel):
        ((value, label),) = said(game, wishes, lang)
        yield _Offer(wishes, value, label)


def said(game: str, wishes: Wishes, lang: str) -> list[tuple[str, str]]:
    """Return each wish as typed text with its label."""
    chosen = [(option, wishes.options.get(option.name, option.default)) for option in GAMES[game].options]
    own = [option.name for option, value in chosen if value not in option.choices]
    each_said = [
        (
            f"{name}:{choice}" if name in own else _typed(game, name, choice),
            f"{texts.say(game, f'option.{name}', lang)}: {option_value(game, name, choice, lang)}",
        )
        for name, choice in wishes.options.items()
    ]
    if wishes.clock:
        alone = read(game, [wishes.clock]).clock == wishes.clock
        each_said.append(
            (wishes.clock if alone else f"{CLOCK.name}:{wishes.clock}", say(f"setting.clock.{wishes.clock}", lang))
        )
    if wishes.channel:
        each_said.append((say("channel.typed", texts.DEFAULT).split()[0], say("button.channel", lang)))
    if wishes.rival:
        each_said.append((say("channels.typed", texts.DEFAULT).split()[0], say("channels", lang)))
    if wishes.level is not None:  # with its strength: the next word is read as that
        house = _names_of_house(texts.DEFAULT)[0]
        each_said.append((f"{house} {wishes.level}", f"{say('house', lang)}: {say(f'level.{wishes.level}', lang)}"))
    return each_said


@cache
def _typed(game: str, option: str, choice: str) -> str:
    """Return the shortest way to type a choice."""
    try:
        alone = read(game, [choice]).options == {option: choice}
    except Denied:
        alone = False
    return choice if alone else f"{option}:{choice}"


def _of_house(wishes: Sequence[str]) -> tuple[Level | None, Sequence[str]]:
    """Return the strength of the house, if the house is among the *wishes*, and the other words.

    The word after its name is its strength, if it can be: ``house hard``.
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
    """Return the typed names of the house, the displayed one first."""
    return [plain(name) for name in say("house.typed", lang).split()]


def _names_of_channel(key: str = "channel.typed") -> frozenset[str]:
    """Return the words for the people of the place as a player, or for two channels, in all languages."""
    return frozenset(plain(name) for lang in texts.languages() for name in say(key, lang).split())


def _called_level(level: Level) -> set[str]:
    """Return the typed names of a strength."""
    return {level, *(plain(say(f"level.{level}", lang)).split(" ")[0].strip(":,") for lang in texts.languages())}


@cache
def _called(game: str, option: str, choice: str) -> frozenset[str]:
    """Return the typed names of a choice: its id, alone and with its option's, and the beginning of its label in any
    language."""
    labels = (texts.say(game, f"option.{option}.{choice}", lang) for lang in texts.languages())
    return frozenset((choice, f"{option}:{choice}", *(plain(label).split(" ")[0].strip(":,") for label in labels)))
