"""Every game has texts, in every language, for all its codes."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Set
from functools import cache
from string import Formatter
from typing import Any

import pytest
from babel.messages.pofile import read_po

import texts
from kaleidobot.testing.playing import KINDS, all_actions, codes, games, some_states, some_steps
from kaleidobot.testing.test_contract import misread
from renderers import drawers, notation
from rules import PACKAGES, Game, State, module_of

LABEL = 25
PAGE = 900


@cache
def catalogue(name: str, lang: str) -> dict[str, tuple[str, ...]]:
    """Return id -> texts (one, or singular and plural) of a game's catalogue."""
    with texts.source(name, lang).open("rb") as source:
        messages = read_po(source, locale=lang, abort_invalid=True)
    made: dict[str, tuple[str, ...]] = {}
    for message in messages:
        key: Any = message.id
        if key:
            text: Any = message.string
            made[key if isinstance(key, str) else key[0]] = (text,) if isinstance(text, str) else tuple(text)
    return made


def gaps(text: str) -> set[str]:
    """Return the names of the gaps in a text."""
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.fixture(params=texts.languages(), scope="session")
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def kinds(game: Game) -> set[tuple[str, int]]:
    """Return the kinds of action that occurred in play, each with its number of parts."""
    offered = {action for state in some_states(game.id) for action in state.actions()}
    offered |= {action for played in games(game.id) for action in played.actions}
    return {(type(action).__name__.lower(), len(action.parts)) for action in offered}


def difference(present: Set[str], wanted: Set[str]) -> str:
    """Return the keys of one set only, in words; "" for equal sets."""
    surplus, missing = sorted(present - wanted), sorted(wanted - present)
    parts = [f"surplus: {', '.join(surplus)}"] * bool(surplus) + [f"missing: {', '.join(missing)}"] * bool(missing)
    return "; ".join(parts)


def test_the_languages_have_texts_for_the_same_ids(game: Game, lang: str) -> None:
    """Write all texts in each language; only keys that begin with alt. may differ."""
    mine, english = (
        {key for key in catalogue(game.id, tongue) if not key.startswith("alt.")} for tongue in (lang, texts.DEFAULT)
    )
    assert not (wrong := difference(mine, english)), wrong


def test_no_text_is_empty(game: Game, lang: str) -> None:
    for key, forms in catalogue(game.id, lang).items():
        assert all(form.strip() for form in forms), key


def test_a_game_is_introduced(game: Game, lang: str) -> None:
    known = catalogue(game.id, lang)
    assert {"name", "tagline", "credits", "players"} <= set(known)
    for key in ("name", "tagline", "players"):
        assert "\n" not in known[key][0]


def test_games_with_seats_that_go_out_have_a_text_for_it(game: Game, lang: str) -> None:
    leaving = any(type(state).is_out is not State.is_out for state in some_states(game.id))
    assert leaving == ("out" in catalogue(game.id, lang))


def test_every_option_and_choice_has_a_label_that_fits_a_button(game: Game, lang: str) -> None:
    """option.<name> and option.<name>.<choice> have at most 25 characters."""
    known = catalogue(game.id, lang)
    for option in game.options:
        choices = [*option.choices, *(["own"] if option.read else [])]
        for key in (f"option.{option.name}", *(f"option.{option.name}.{choice}" for choice in choices)):
            assert len(known[key][0]) <= LABEL, key


def test_every_badge_has_a_text(game: Game, lang: str) -> None:
    """badge.<id> says how the game was won."""
    assert not (wrong := {f"badge.{badge.id}" for badge in game.badges} - catalogue(game.id, lang).keys()), wrong


def test_every_standing_turn_has_its_texts(game: Game, lang: str) -> None:
    """standing.<id> is its button, standing.<id>.ended says why it has ended."""
    texts = {f"standing.{standing.id}{end}" for standing in game.standings for end in ("", ".ended")}
    assert not (wrong := texts - catalogue(game.id, lang).keys()), wrong


@pytest.mark.parametrize("kind", KINDS)
def test_every_code_has_a_text_and_every_text_a_code(game: Game, lang: str, kind: str) -> None:
    """The keys <kind>.<code> are those of CODES[<kind>], no more and no fewer."""
    listed = {f"{kind}.{code}" for code in codes(game.id)[kind]}
    if kind == "warn":
        listed |= {f"{key}.yes" for key in listed}
    known = {key for key in catalogue(game.id, lang) if key.startswith(f"{kind}.")}
    assert not (wrong := difference(known, listed)), wrong


def fixed_keys(game: Game) -> Iterator[str]:
    """Yield patterns of the keys for which the bot asks; the keys of codes have a test of their own."""
    yield r"name|tagline|players|credits|out|hand|hand\.about|lobby\.begins|daily\.ask\.(turn|game)"
    yield r"rules\.\d+\.(title|text)|lesson\.\d+\.(text|done|hint)|no_\w+|typed\..+"
    yield rf"({'|'.join(KINDS)})\..+"
    yield rf"standing\.({'|'.join(standing.id for standing in game.standings)})(\.ended)?"
    yield rf"badge\.({'|'.join(badge.id for badge in game.badges)})"
    for option in game.options:
        yield rf"option\.{option.name}(\.({'|'.join(map(re.escape, (*option.choices, 'own')))}))?"
    listed = {kind: "|".join(map(re.escape, codes(game.id)[kind])) for kind in ("news", "reason")}
    yield rf"(brief|post|headline\.by)\.({listed['news']})"
    yield rf"headline\.({listed['reason']})"
    named = "|".join(sorted({name.lower() for name in action_classes(game)}))
    yield rf"ask\.({named})\.\d+(\.only|\.last|\.for)?|(call|legend|whole|typing|does|done)\.({named})"
    first = {action.parts[0] for action in all_actions(game.id)}
    yield rf"done\.({'|'.join(map(re.escape, sorted(first)))}|({named})\d+)"


def action_classes(game: Game) -> set[str]:
    """Return the names of the classes with parts in the modules of the rules; some kinds of action are rare."""
    rules = [own for name, own in [*sys.modules.items()] if f"{name}.".startswith(f"{module_of(game.id)}.")]
    classes = [kind for own in rules for kind in vars(own).values() if isinstance(kind, type)]
    return {kind.__name__ for kind in (*classes, *map(type, all_actions(game.id))) if hasattr(kind, "parts")}


def drawers_keys(game: Game) -> Iterator[str]:
    """Yield patterns of the strings in the modules of the drawer, in which gaps stand for any text."""
    package = PACKAGES[game.id].module if game.id in PACKAGES else f"renderers.games.{game.id}"
    for name, own in [*sys.modules.items()]:
        for node in ast.walk(ast.parse(inspect.getsource(own))) if f"{name}.".startswith(f"{package}.") else ():
            match node:
                case ast.Constant(value=str(text)):
                    yield re.escape(text) + ".+" * text.endswith(".")
                case ast.JoinedStr(values=[ast.Constant(), *_] as parts):
                    fixed = (str(part.value) if isinstance(part, ast.Constant) else "" for part in parts)
                    yield "".join(re.escape(text) or ".+" for text in fixed)


def test_every_text_is_used(game: Game, lang: str) -> None:
    """The reference lists the keys. Keys of your own, such as alt.…, are in the drawer's code."""
    drawers()
    used = re.compile("|".join(f"(?:{pattern})" for pattern in {*fixed_keys(game), *drawers_keys(game)}))
    unused = [key for key in catalogue(game.id, lang) if not used.fullmatch(key)]
    assert not unused, f"nothing asks for {', '.join(unused)}"


def test_a_text_with_a_number_has_a_plural(game: Game, lang: str) -> None:
    """A text with the gap {n} has msgid_plural, and a msgstr for each form."""
    for key, forms in catalogue(game.id, lang).items():
        assert len(forms) > 1 or "n" not in gaps(forms[0]), f"{key} has {{n}} and no plural"


def test_every_part_of_an_action_has_a_question(game: Game, lang: str) -> None:
    """ask.<kind>.<part> for each kind of action (its class's name in lower case) and each part, counted from 0."""
    known = catalogue(game.id, lang)
    for kind, parts in kinds(game):
        for part in range(parts):
            assert f"ask.{kind}.{part}" in known, f"ask.{kind}.{part} is missing"


def test_an_action_can_be_typed_in_the_words_of_the_language(game: Game, lang: str) -> None:
    """``parse`` understands typing.… and typed.…, by which people learn how to write an action.

    Words for the parts of an action need the pattern that joins them: typing.<kind>, which may be {0}.
    """
    for state in some_states(game.id):
        for action in (*state.actions()[::7], *{type(action): action for action in state.actions()}.values()):
            pattern, words = f"typing.{notation.kind(action)}", notation.typed(game.id, action, lang)
            has_words = any(notation.typed_part(game.id, part, lang) != part for part in action.parts)
            assert pattern in catalogue(game.id, lang) or not has_words, f"{pattern} is missing"
            assert misread(game, state, words) is None, f"{words} is not understood as {action}"
            assert game.parse(state, words) == (action,), words


def test_the_texts_of_news_use_only_existing_facts(game: Game, lang: str) -> None:
    """A gap is {who} (the news's seat), {to} (its other seat), or the name of one of its facts."""
    known = catalogue(game.id, lang)
    for before, action, after in some_steps(game.id):
        for item in before.view(None).news(action, after.view(None)):
            facts = {name for name, _ in item.facts}
            facts |= {name for name, seat in (("who", item.seat), ("to", item.to)) if seat is not None}
            for form in known[f"news.{item.code}"]:
                assert gaps(form) <= facts, f"news.{item.code} has gaps without facts: {gaps(form) - facts}"


def test_the_texts_of_reasons_use_only_existing_facts(game: Game, lang: str) -> None:
    known = catalogue(game.id, lang)
    for view in (state.view(state.actor) for state in some_states(game.id) if state.actor is not None):
        actions = view.actions()
        for item in (reason for action in actions for reason in (*view.reasons(action), *view.risks(action))):
            facts = {name for name, _ in item.facts} | {"who"} | ({"to"} if item.to is not None else set())
            assert gaps(known[f"why.{item.code}"][0]) <= facts, item


def test_a_question_is_a_price_and_the_bot_asks(game: Game, lang: str) -> None:
    """The text warn.<code> does not end with “Are you sure?”: a hint tells the same price."""
    for code in codes(game.id)["warn"]:
        assert catalogue(game.id, lang)[f"warn.{code}"][0][-1] in ".!"


def test_brief_news_are_news_with_the_same_facts(game: Game, lang: str) -> None:
    known = catalogue(game.id, lang)
    for key in known:
        if key.startswith(("brief.", "post.")):
            news = f"news.{key.partition('.')[2]}"
            assert gaps(known[key][0]) <= set().union(*map(gaps, known[news])), key


def test_every_part_of_a_legend_begins_with_a_sign_that_buttons_have(game: Game, lang: str) -> None:
    known = catalogue(game.id, lang)
    labels = " ".join(known[key][0] for key in known if key.startswith("hint."))
    for key in known:
        if key.startswith("legend."):
            for part in known[key][0].split(", "):
                assert not part.split()[0].isalpha(), part
                assert part.split()[0] in labels, part


def test_other_texts_have_only_gaps_that_are_filled(game: Game, lang: str) -> None:
    parts = {"0", "1", "2"}
    actions = dict.fromkeys(("typing", "whole", "done"), parts) | {"does": {*parts, "piece"}}
    reason = {"winners", "last", "n", *(option.name for option in game.options)}
    room = {"reason": reason, "unfit": {"detail"}, "headline": {"winners", "n"}, "refused": {"detail"}} | actions
    for key, forms in catalogue(game.id, lang).items():
        kind = key.split(".")[0]
        if kind in ("news", "brief", "post", "alt", "picture", "why"):
            continue
        filled = {"who", "sign"} if kind == "ask" and key.endswith(".for") else room.get(kind, set())
        filled = {"detail"} if kind.startswith("no_") else filled
        for form in forms:
            assert gaps(form) <= filled, key


def test_how_a_game_ended_is_one_sentence_beside_the_headline_with_the_winners(game: Game, lang: str) -> None:
    known = catalogue(game.id, lang)
    for reason in codes(game.id)["reason"]:
        for form in known[f"reason.{reason}"]:
            assert form[-1] in ".!"
            assert not re.search(r"[.!] ", form)
            assert "winners" not in gaps(form)
        drawn = known.get(f"headline.{reason}", ["{winners}"])
        assert all("winners" in gaps(form) for form in drawn)


def test_the_pages_of_the_rules_fit_a_message(game: Game, lang: str) -> None:
    """rules.<n>.title and rules.<n>.text, numbered from 1, of at most 900 characters."""
    known = catalogue(game.id, lang)
    pages = [key for key in known if key.startswith("rules.")]
    count = len(pages) // 2
    assert count
    assert set(pages) == {f"rules.{page}.{part}" for page in range(1, count + 1) for part in ("title", "text")}
    for page in range(1, count + 1):
        assert len(known[f"rules.{page}.text"][0]) <= PAGE, page
        assert "\n" not in known[f"rules.{page}.title"][0]


def test_the_rules_teach_the_command_for_typing_a_move(game: Game, lang: str) -> None:
    """Write an example on a page of the rules, such as "/move f6"."""
    known = catalogue(game.id, lang)
    assert any("/move " in known[key][0] for key in known if key.startswith("rules."))
