"""The contract of rules/contract.py, checked on random games of every game."""

import ast
import inspect
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaleidobot.testing import resampling
from kaleidobot.testing.playing import ENDLESS, any_action, codes, games, some_states, some_steps, wild
from kaleidobot.testing.selection import games_under_test
from rules import (
    GAMES,
    PACKAGES,
    Action,
    BadNotation,
    Game,
    IllegalAction,
    News,
    Outcome,
    State,
    module_of,
)
from rules.chance import Chance
from rules.contract import BadOption, stated_options

HERE = Path(__file__).parent
ENDING = 20
"""Number of last positions of a game that the tests of its end examine."""
SEEDS = (0, 1, 2**63, 2**64, 2**127 + 1, 2**128 - 1)


def refusal(state: Any, action: Any) -> str | None:
    """Return the code with which *state* refuses *action*, None if it plays it."""
    try:
        state.play(action)
    except IllegalAction as refused:
        return refused.code
    return None


def misread(game: Game, state: Any, text: str) -> str | None:
    """Return the code with which *game* refuses to parse *text*, None if it parses it."""
    try:
        game.parse(state, text)
    except BadNotation as bad:
        return bad.code
    return None


def viewers(state: Any) -> Iterator[tuple[int | None, Any]]:
    """Yield every seat and a spectator, each with its view."""
    for seat in (*range(state.seats), None):
        yield seat, state.view(seat)


# --- Start


def test_a_game_is_named_like_its_module(game: Game) -> None:
    assert import_module(module_of(game.id)).GAME is game
    assert game.id.isascii()
    assert game.id == game.id.lower()


def test_a_package_is_loaded_whichever_of_our_packages_is_imported_first(game: Game) -> None:
    """A drawer imports from modules of `renderers` (``renderers.contract``), not from `renderers` itself."""
    for first in ("rules", "renderers", "texts") if game.id in PACKAGES else ():
        code = f"import {first}, rules; assert {game.id!r} in rules.PACKAGES, rules.LEFT_OUT"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_a_game_says_who_can_play_it_and_how(game: Game) -> None:
    assert min(game.seats) >= 2
    for option in game.options:
        assert option.default in option.choices
        assert len(set(option.choices)) == len(option.choices) > (option.read is None)
    assert isinstance(game.host_begins, bool)
    assert len({badge.id for badge in game.badges}) == len(game.badges)
    assert set(game.shortest.items()) <= {(option.name, text) for option in game.options for text in option.choices}
    assert isinstance(game.shows_steps, bool)
    for grid in game.grids:
        assert 0 < len(grid) <= 5
        assert len({len(row) for row in grid}) == 1
        assert all(len(row) <= (5 if len(grid) == 5 else 6) for row in grid)
    assert not game.colours or len(set(game.colours)) >= max(game.seats)


def test_a_wrong_number_of_seats_is_refused(game: Game) -> None:
    for seats in (0, 1, -1, max(game.seats) + 1, True, "2", 2.0, None):
        with pytest.raises(ValueError, match="seats"):
            game.start(seats=seats)  # type: ignore[arg-type]  # people's input can be of any type


def test_an_unknown_option_or_choice_is_refused(game: Game) -> None:
    with pytest.raises(ValueError, match="nonsense"):
        game.start(seats=min(game.seats), options={"nonsense": "on"})
    for option in game.options:
        with pytest.raises(ValueError, match=option.name):
            game.start(seats=min(game.seats), options={option.name: "nonsense"})


def test_options_may_allow_only_some_numbers_of_seats(game: Game) -> None:
    assert game.seats_with({}) == game.seats
    for option in game.options:
        for text in option.examples:
            allowed = game.seats_with({option.name: text})
            assert allowed
            assert {*allowed} <= {*game.seats}
            for seats in {*game.seats} - {*allowed}:
                with pytest.raises(BadOption):
                    game.start(seats, {option.name: text})
            for seats in allowed:
                assert game.start(seats, {option.name: text}).actor is not None


def test_a_text_as_an_option_has_one_form_that_is_safe_to_store_and_to_show(game: Game) -> None:
    for option in game.options:
        assert bool(option.examples) == (option.read is not None)
        for text in option.examples:
            assert option.read is not None
            canonical = option.read(text)
            assert CANONICAL.fullmatch(canonical)
            assert canonical not in option.choices
            assert option.read(canonical) == option.read(f" {text.upper()} ") == canonical
            stated = stated_options(game.options, {option.name: text})
            assert stated[option.name] == canonical


CANONICAL = re.compile(r"[a-z0-9./]{1,400}")


@pytest.mark.parametrize("name", games_under_test())
@settings(deadline=None)
@given(text=st.text(max_size=60) | st.text(alphabet="wdrp1235789ajk0 ./,", max_size=80))
def test_any_text_as_an_option_is_read_or_refused(name: str, text: str) -> None:
    game = GAMES[name]
    for option in game.options:
        if option.read is None:
            continue
        canonical = meant(option.read, text)
        if isinstance(canonical, BadOption):
            assert canonical.code in codes(name)["unfit"]
            assert len(canonical.detail) <= 20
        else:
            assert CANONICAL.fullmatch(canonical)
            seats = game.seats_with({option.name: canonical})[0]
            assert game.start(seats, {option.name: canonical}).actor is not None


def meant(reader: Callable[[str], str], text: str) -> str | BadOption:
    """Return the canonical form of *text*, or the error."""
    try:
        return reader(text)
    except BadOption as bad:
        return bad


def test_a_seed_is_an_integer_of_128_bits(game: Game) -> None:
    for seed in (-1, 2**128, True, "7", 1.0):
        with pytest.raises(ValueError, match="seed"):
            game.start(seats=min(game.seats), seed=seed)  # type: ignore[arg-type]


# --- States are values


def is_plain(value: object) -> bool:
    """Return whether *value* is immutable data."""
    match value:
        case None | bool() | int() | str() | bytes() | Enum():
            return True
        case tuple() | frozenset():
            return all(map(is_plain, value))
        case msgspec.Struct():
            fields = [getattr(value, name) for name in value.__struct_fields__]
            return value.__struct_config__.frozen and all(map(is_plain, fields))
        case _:
            return False


def test_a_state_is_nothing_but_data(game: Game) -> None:
    for state in some_states(game.id):
        assert isinstance(state, State)
        assert isinstance(state, msgspec.Struct)
        assert is_plain(state), state


def test_equal_states_are_equal_and_hash_alike(game: Game) -> None:
    for state in some_states(game.id):
        again = game.decode(game.encode(state))
        assert again == state
        assert again is not state
        assert hash(again) == hash(state)
        for action in state.actions():
            assert isinstance(action, Action)
            assert is_plain(action), action
            assert hash(action) == hash(game.parse(state, str(action))[0])


def test_neither_a_state_nor_a_view_shows_the_seed_when_it_is_printed(game: Game) -> None:
    for played in games(game.id):
        assert str(played.seed) not in repr(played.states[0])
        assert f"{played.seed:x}" not in repr(played.states[0])


def test_a_state_class_adds_no_public_member_to_the_contract(game: Game) -> None:
    """A misspelt optional member would silently get the default; other derived values belong to ``Position``."""
    kind = type(game.start(game.seats[0]))
    assert kind.__mro__[2] is State
    check_members(kind, State)


def test_a_game_class_adds_no_public_member_to_the_contract(game: Game) -> None:
    assert Game in type(game).__mro__
    check_members(type(game), Game)


def check_members(kind: type, contract: type) -> None:
    """Check that *kind* has all members that the *contract* demands, and no other public ones of its own."""
    surplus = {name for name in vars(kind) if not name.startswith("_")} - set(vars(contract))
    required = {name for name, member in vars(contract).items() if is_abstract(member)}
    missing = {name for name in required if is_abstract(getattr(kind, name))}
    unknown = [f"{', '.join(sorted(surplus))} is not in rules.contract.{contract.__name__}"] * bool(surplus)
    lacking = [f"missing: {', '.join(sorted(missing))}"] * bool(missing)
    assert not surplus | missing, "; ".join(unknown + lacking)


def is_abstract(member: object) -> bool:
    return bool(getattr(member, "__isabstractmethod__", False))


# --- Actions


def test_exactly_the_listed_actions_can_be_played(game: Game) -> None:
    """``play`` refuses all others, also actions of games with other options."""
    for place, state in enumerate(some_states(game.id)):
        listed = state.actions()
        for action in listed:
            assert state.play(action) != state, action
        for action in wild(game.id, 25, place):
            assert (refusal(state, action) is None) == (action in listed), action


def test_playing_changes_only_what_it_returns(game: Game) -> None:
    for place, state in enumerate(some_states(game.id)):
        before = game.encode(state)
        for action in (*state.actions(), *wild(game.id, 25, place)):
            refusal(state, action)
        assert game.encode(state) == before


def test_the_same_action_always_gives_the_same_next_state(game: Game) -> None:
    for before, action, after in some_steps(game.id):
        assert before.play(action) == after


def test_there_is_something_to_do_until_the_game_is_over(game: Game) -> None:
    """Afterwards there is no ``actor`` and no action, but an ``outcome``."""
    for played in games(game.id):
        *running, last = played.states
        for state in running:
            assert state.actor in range(played.seats)
            assert state.outcome is None
        assert last.actor is None
        assert last.actions() == ()
        assert last.outcome is not None


def test_the_seats_are_in_the_order_in_which_they_first_act(game: Game) -> None:
    """The first board says so. With dice a seat may have to wait although it was its turn."""
    for played in games(game.id):
        first = [*dict.fromkeys(state.actor for state in played.states if state.actor is not None)]
        assert first == [*range(len(first))] or played.options.get("dice") == "on"


def test_every_action_is_refused_once_the_game_is_over(game: Game) -> None:
    """``play`` first checks whether the game is over, and refuses with the code "over"."""
    for played in games(game.id):
        for action in wild(game.id, 10, played.seats):
            assert refusal(played.states[-1], action) == "over"


def test_a_forced_action_is_legal(game: Game) -> None:
    for state in some_states(game.id):
        assert state.forced is None or state.forced in state.actions()


# --- Notation


def test_an_action_is_one_lower_case_word_and_no_other_action_has_it(game: Game) -> None:
    for state in some_states(game.id):
        words = [str(action) for action in state.actions()]
        assert len(set(words)) == len(words)
        for word in words:
            assert word.isascii()
            assert word == word.lower()
            assert len(word.split()) == 1


def test_the_parts_of_an_action_lead_to_it_alone(game: Game) -> None:
    """A menu that offers one part after another reaches every action: no action is a prefix of another."""
    for state in some_states(game.id):
        ways = [action.parts for action in state.actions()]
        assert len(set(ways)) == len(ways)
        shorter = {way[:length] for way in ways for length in range(1, len(way))}
        for way in ways:
            assert way
            assert all(isinstance(part, str) and part for part in way)
            assert way not in shorter, way


def test_printed_actions_are_parsed_back(game: Game) -> None:
    """``parse(state, str(action))`` is ``(action,)``."""
    for state in some_states(game.id):
        for action in state.actions():
            assert game.parse(state, str(action)) == (action,)


def test_case_and_spaces_around_a_typed_action_do_not_matter(game: Game) -> None:
    """`rules.notation.plain` normalizes a text."""
    for state in some_states(game.id):
        for action in state.actions()[::7]:
            assert game.parse(state, f"  {str(action).upper()}\t") == (action,)


def test_typed_text_means_the_same_on_the_actors_view(game: Game) -> None:
    for state in some_states(game.id):
        if state.actor is not None:
            view = state.view(state.actor)
            for action in state.actions():
                assert game.parse(view, str(action)) == (action,)


@pytest.mark.parametrize("name", games_under_test())
@settings(deadline=None)  # the first text loads the game
@given(
    text=st.text(max_size=30) | st.text(alphabet="abcdefgh0123456789 ->@+:x", max_size=12), place=st.integers(0, 999)
)
def test_any_text_is_parsed_or_refused(name: str, text: str, place: int) -> None:
    states = some_states(name)
    state = states[place % len(states)]
    code = misread(GAMES[name], state, text)
    assert code is None or code in codes(name)["refused"]
    if code is None:
        actions = GAMES[name].parse(state, text)
        assert actions
        assert all(isinstance(action, Action) for action in actions)


# --- Documents


def test_a_document_is_read_back(game: Game) -> None:
    for state in some_states(game.id):
        data = game.encode(state)
        assert game.decode(data) == state
        assert game.decode(data.decode()) == state
        assert game.encode(game.decode(data)) == data


def test_a_document_is_json_with_always_the_same_keys_in_the_same_order(game: Game) -> None:
    """The first keys are game, seats, options, seed."""
    keys = {tuple(json.loads(game.encode(state))) for state in some_states(game.id)}
    assert len(keys) == 1, keys
    assert next(iter(keys))[:4] == ("game", "seats", "options", "seed")


def test_a_document_names_its_game_seats_options_and_seed(game: Game) -> None:
    for played in games(game.id):
        for state in played.states[:: len(played.states) // 5 + 1]:
            document = json.loads(game.encode(state))
            assert document["game"] == game.id
            assert document["seats"] == played.seats
            assert document["seed"] == played.seed
            stated = stated_options(game.options, played.options)
            assert list(document["options"].items()) == list(stated.items())


def test_the_order_of_the_keys_does_not_matter(game: Game) -> None:
    for state in some_states(game.id)[::5]:
        turned = dict(reversed(json.loads(game.encode(state)).items()))
        assert game.decode(json.dumps(turned)) == state


def test_seeds_of_128_bits_survive(game: Game) -> None:
    for seed in SEEDS:
        state = game.start(seats=min(game.seats), seed=seed)
        document = json.loads(game.encode(state))
        assert document["seed"] == seed
        assert game.decode(game.encode(state)) == state


def test_a_missing_or_an_unknown_key_is_refused(game: Game) -> None:
    """Use ``forbid_unknown_fields=True``, and no defaults."""
    for state in some_states(game.id)[::9]:
        document = json.loads(game.encode(state))
        for key in ("game", "seats", "options", "seed"):
            with pytest.raises(ValueError):  # noqa: PT011 (each game words it its own way)
                game.decode(json.dumps({name: value for name, value in document.items() if name != key}))
        with pytest.raises(ValueError):  # noqa: PT011
            game.decode(json.dumps({**document, "nonsense": 0}))


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "{}", "null", "7", '"kabooom"', '{"game":"chess"}', "[" * 5000])
def test_a_text_that_is_not_a_document_is_refused(game: Game, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        game.decode(text)


def with_damage(document: Any, luck: random.Random) -> Any:
    """Return *document* with one value in it replaced, dropped or doubled."""
    odd: tuple[Any, ...] = (None, True, -1, 0, 1, 7, 2**70, 1.5, "", "x", "a1", "0r", [], [None], {}, {"a1": "0r"})
    if isinstance(document, dict) and document and luck.random() < 0.85:
        key = luck.choice(list(document))
        if luck.random() < 0.15:
            return {name: value for name, value in document.items() if name != key}
        return {**document, key: with_damage(document[key], luck)}
    if isinstance(document, list) and document and luck.random() < 0.85:
        place = luck.randrange(len(document))
        middle = luck.choice(([], [document[place]] * 2, [with_damage(document[place], luck)]))
        return [*document[:place], *middle, *document[place + 1 :]]
    return luck.choice(odd)


def test_a_damaged_document_is_refused_or_is_a_position_that_can_be_played(game: Game) -> None:
    accepted = 0
    for seed, state in enumerate(some_states(game.id) * 4):
        document = json.loads(game.encode(state))
        damaged = json.dumps(with_damage(document, random.Random(seed)))
        try:
            position: Any = game.decode(damaged)
        except ValueError:
            continue
        accepted += 1
        assert game.decode(game.encode(position)) == position
        assert (position.actor is None) == (position.outcome is not None) == (not position.actions())
        if damaged.count("null") > json.dumps(document).count("null"):
            continue  # perhaps a view, which need not be playable
        for action in position.actions()[:: len(position.actions()) // 4 + 1]:
            assert position.play(action) != position
    assert accepted < 4 * len(some_states(game.id)), "whatever is written is accepted"


def test_a_document_whose_actor_or_last_action_cannot_be_is_refused(game: Game) -> None:
    """``decode`` checks that ``actor`` is a seat, and None exactly when the game is over; and that ``last`` fits."""
    for state in some_states(game.id):
        document = json.loads(game.encode(state))
        wrong = [{"actor": actor} for actor in (-1, state.seats, 0 if state.actor is None else None)]
        if isinstance(document.get("last"), str):
            wrong.append({"last": "nonsense"})
        for change in wrong:
            try:
                game.decode(json.dumps({**document, **change}))
            except ValueError:
                continue
            pytest.fail(f"decode accepts {json.dumps(change)} in {json.dumps(document)}")


# --- Reproducibility


def test_a_game_is_identical_in_another_process_with_another_hash_seed(game: Game) -> None:
    records, expected = "", list[str]()
    for played in games(game.id)[: len(game.seats)]:
        # The beginning of a long game is enough.
        actions = [str(action) for action in played.actions[:300]]
        record = {"game": game.id, "seats": played.seats, "options": played.options, "seed": played.seed}
        records += json.dumps({**record, "actions": actions}) + "\n"
        for state in played.states[: len(actions) + 1]:
            expected += [game.encode(state).decode(), " ".join(map(str, state.actions()))]
    here = os.environ.get("PYTHONHASHSEED", "random")
    for hash_seed in {"1", "2"} - {here}:
        replayed = subprocess.run(
            [sys.executable, str(HERE / "replay_records.py")],
            input=records.encode(),
            stdout=subprocess.PIPE,
            cwd=HERE.parents[1],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": hash_seed},
            check=True,
        )
        assert replayed.stdout.decode() == "\n".join((*expected, ""))


def test_another_seed_gives_another_game_if_the_game_uses_chance(game: Game) -> None:
    """A game uses chance with all its numbers of seats or with none."""

    def start(seats: int, seed: int) -> Any:
        document = json.loads(game.encode(game.start(seats, {}, seed)))
        return {**document, "seed": None}

    varied = {seats: any(start(seats, seed) != start(seats, 0) for seed in range(1, 6)) for seats in game.seats}
    assert len(set(varied.values())) == 1, varied


def test_a_game_says_with_which_options_it_uses_chance(game: Game) -> None:
    for choices in product(*(option.choices for option in game.options)):
        options = {option.name: choice for option, choice in zip(game.options, choices, strict=True)}

        def start(seed: int, options: dict[str, str] = options) -> Any:
            return {**json.loads(game.encode(game.start(game.seats[0], options, seed))), "seed": None}

        try:
            varied = any(start(seed) != start(0) for seed in range(1, 12))
        except ValueError:  # options that do not fit so few seats
            continue
        assert varied == game.uses_chance(options), options


# --- Views


def hides(whole: Any, seen: Any) -> bool:
    """Return whether *seen* is *whole* with some values hidden: null for a value, "?" for characters, lengths kept."""
    match whole, seen:
        case dict(), dict():
            return list(whole) == list(seen) and all(hides(whole[key], seen[key]) for key in whole)
        case list(), list():
            return len(whole) == len(seen) and all(map(hides, whole, seen))
        case str(), str():
            return len(whole) == len(seen) and all(
                shown in (char, "?") for char, shown in zip(whole, seen, strict=True)
            )
        case _:
            return seen is None or (type(whole) is type(seen) and whole == seen)


def differences(game: Game, one: Any, other: Any) -> str:
    """Return the values in which the documents of two states differ; the seed, too, which no state prints."""
    first, second = (json.loads(game.encode(state)) for state in (one, other))
    return "; ".join(f"{key} is {first[key]} and {second[key]}" for key in first if first[key] != second[key])


def test_a_view_hides_and_keeps_lengths(game: Game) -> None:
    for state in some_states(game.id):
        whole = json.loads(game.encode(state))
        for _, view in viewers(state):
            assert type(view) is type(state)
            assert hides(whole, json.loads(game.encode(view)))


def test_a_game_in_which_players_know_different_things_says_so(game: Game) -> None:
    """``Game.hides`` is true if any seat sees more than a spectator, or if players have to remember boards."""
    if not game.hides:
        for state in some_states(game.id):
            assert not state.forgets
            for _, view in viewers(state):
                assert view == state.view(None), differences(game, view, state.view(None))


def test_no_view_has_the_seed(game: Game) -> None:
    """``view`` replaces the seed by None."""
    for state in some_states(game.id):
        seed = json.loads(game.encode(state))["seed"]
        for _, view in viewers(state):
            assert json.loads(game.encode(view))["seed"] is None, "a view has the seed; view() must return seed=None"
            assert seed is None or str(seed) not in game.encode(view).decode()


def test_a_view_of_a_view_is_that_view(game: Game) -> None:
    for state in some_states(game.id):
        for seat, view in viewers(state):
            assert view.view(seat) == view, differences(game, view.view(seat), view)


def test_a_spectator_sees_no_more_than_any_seat(game: Game) -> None:
    for state in some_states(game.id):
        for _, view in viewers(state):
            assert view.view(None) == state.view(None), differences(game, view.view(None), state.view(None))


def test_the_actor_finds_all_its_actions_in_its_view(game: Game) -> None:
    for state in some_states(game.id):
        if state.actor is not None:
            assert state.view(state.actor).actions() == state.actions()


def test_public_facts_are_in_every_view(game: Game) -> None:
    for state in some_states(game.id):
        for _, view in viewers(state):
            assert view.actor == state.actor
            assert view.outcome == state.outcome
            assert view.standing() == state.standing()
            assert view.forgets == state.forgets


def test_a_view_is_a_document_too(game: Game) -> None:
    for state in some_states(game.id):
        for _, view in viewers(state):
            assert game.decode(game.encode(view)) == view


def resampled(game: Game, state: Any, seat: int | None, seed: int) -> Any:
    """Return another state that looks the same to *seat* (`kaleidobot.testing.resampling`)."""
    return resampling.module_of(game.id).resample(state, seat, seed)


def test_the_resampling_does_not_use_the_view(game: Game) -> None:
    """Otherwise the test would trust a view that shows too much, and not resample the values that it shows."""
    source = inspect.getsource(resampling.module_of(game.id))
    attributes = {node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)}
    assert "view" not in attributes


def test_hidden_values_change_nothing_that_a_seat_sees(game: Game) -> None:
    for place, state in enumerate(some_states(game.id)):
        for seat, view in viewers(state):
            other = resampled(game, state, seat, place)
            assert other.view(seat) == view, differences(game, other.view(seat), view)
            assert other.actor == state.actor
            assert other.outcome == state.outcome
            assert other.standing() == state.standing()
            assert other.forced == state.forced
            assert other.forgets == state.forgets
            if seat is not None and seat == state.actor:
                assert other.actions() == state.actions()
                for action in state.actions():
                    assert other.warns(action) == state.warns(action)
                    for part in range(len(action.parts)):
                        assert other.hint(action, part) == state.hint(action, part)
                for action in wild(game.id, 25, place):
                    assert refusal(other, action) == refusal(state, action), "a refusal tells a secret"


def test_hidden_values_can_differ_between_positions_that_look_the_same(game: Game) -> None:
    """The test above is not empty: other states do look the same."""
    for place, state in enumerate(some_states(game.id)):
        for seat, view in viewers(state):
            if view != state:
                others = [resampled(game, state, seat, place + step) for step in range(4)]
                assert any(other != state for other in others), f"seat {seat} knows everything: {view}"


def test_hidden_values_can_be_dealt_anew(game: Game) -> None:
    """The dealt position looks like the view, can be played, and has a valid document."""
    for place, state in enumerate(some_states(game.id)):
        for seat, view in viewers(state):
            dealt = view.deal_anew(Chance(place))
            assert dealt.view(seat) == view, differences(game, dealt.view(seat), view)
            assert game.decode(game.encode(dealt)) == dealt
            if seat == state.actor:
                assert dealt.actions() == state.actions()
            assert view.deal_anew(Chance(place)) == dealt, "the same chance deals the same"


def test_a_position_that_was_dealt_can_be_played_to_its_end(game: Game) -> None:
    for place, played in enumerate(games(game.id)):
        luck = random.Random(place)
        state = played.states[len(played.states) // 2].view(0).deal_anew(Chance(place))
        for _ in range(ENDLESS):
            if state.actor is None:
                break
            state = state.play(any_action(state, luck))
        assert state.outcome is not None


def test_a_deal_changes_hidden_values(game: Game) -> None:
    for state in some_states(game.id):
        for seat, view in viewers(state):
            dealt = [view.deal_anew(Chance(seed)) for seed in range(4)]
            assert view == state or any(other != dealt[0] for other in dealt), f"seat {seat} would know everything"


def test_a_deal_agrees_with_earlier_views(game: Game) -> None:
    """With earlier views, the dealt position still looks the same to the seat and is consistent."""
    for played in games(game.id)[:3]:
        for last in range(0, len(played.states), len(played.states) // 4 + 1):
            views = [state.view(0) for state in played.states[: last + 1]]
            dealt = views[-1].deal_anew(Chance(last), views[:-1])
            assert dealt.view(0) == views[-1], differences(game, dealt.view(0), views[-1])
            assert game.decode(game.encode(dealt)) == dealt


# --- News, hints, evaluation


def test_a_turn_is_over_when_the_game_is_over(game: Game) -> None:
    for before, _, after in some_steps(game.id):
        ends = before.ends_turn(after)
        assert isinstance(ends, bool)
        assert ends or after.actor is not None


def test_a_later_turn_can_be_planned_on_the_view_of_its_seat(game: Game) -> None:
    """As if it began now: nothing hidden is needed, and other seats' facts are as they were."""
    for state in some_states(game.id):
        for seat in range(state.seats if state.actor is not None else 0):
            view = state.view(seat)
            planned = None if seat == state.actor else view.turn_of(seat)
            if planned is not None:
                assert planned.actor == seat, f"turn_of({seat}) must return a position with that seat as the actor"
                assert planned.actions()
                assert planned.view(seat) == planned
                assert planned.standing() == view.standing()
                for action in planned.actions():
                    outcome_of(planned, action)


def test_every_view_shows_the_end_of_a_turn(game: Game) -> None:
    for before, _, after in some_steps(game.id):
        for seat, view in viewers(before):
            assert view.ends_turn(after.view(seat)) == before.ends_turn(after)


def test_a_turn_is_over_before_its_seat_has_had_another_one(game: Game) -> None:
    """Turns end in every game: not all actions belong to one endless turn."""
    for played in games(game.id):
        ends = [before.ends_turn(after) for before, _, after in played.steps()]
        assert sum(ends) >= played.seats


def test_every_turn_has_news_on_every_view(game: Game) -> None:
    for before, action, after in some_steps(game.id):
        seats, public = range(before.seats), before.view(None).news(action, after.view(None))
        for seat, view in viewers(before):
            news = view.news(action, after.view(seat))
            assert news or not before.ends_turn(after), "the last action of a turn tells what is left to tell"
            for item in news:
                assert isinstance(item, News)
                assert item.seat is None or item.seat in seats
                assert all(isinstance(word, str) for fact in item.facts for word in fact)
            assert news == public or seat is not None


def test_the_first_of_the_news_is_about_the_one_who_acted(game: Game) -> None:
    for before, action, after in some_steps(game.id):
        for first in before.view(None).news(action, after.view(None))[:1]:
            assert first.seat in (None, before.actor)


def test_hints_and_warnings_are_the_same_on_the_view_of_the_actor(game: Game) -> None:
    for state in some_states(game.id):
        if state.actor is None:
            continue
        view = state.view(state.actor)
        for action in state.actions():
            warning = state.warns(action)
            assert warning is None or isinstance(warning, str)
            assert view.warns(action) == warning
            for part in range(len(action.parts)):
                hint = state.hint(action, part)
                assert hint is None or isinstance(hint, str)
                assert view.hint(action, part) == hint


def outcome_of(state: Any, action: Any) -> Outcome | None:
    """Return the outcome of *action*; None if the game continues, or if *state* cannot know it."""
    try:
        outcome: Outcome | None = state.play(action).outcome
    except IllegalAction:
        return None
    return outcome


def test_ending_a_game_without_a_win_needs_confirmation_if_it_could_continue(game: Game) -> None:
    """Unavoidable ends and wins do not. A pass that ends the game always does, by the rulebook."""
    for played in games(game.id):
        for state in played.states[-ENDING:-1]:
            actor, actions = state.actor, state.actions()
            view, ends = state.view(actor), {action: outcome_of(state, action) for action in actions}
            goes_on = None in ends.values()
            for action, outcome in ends.items():
                if outcome is None or str(action) == "pass":
                    continue
                warns = state.warns(action) is not None
                if not goes_on or outcome.winners == (actor,):
                    assert not warns, f"{action} in {state}"
                elif actor not in outcome.winners and outcome_of(view, action) is not None:
                    assert warns, f"{action} in {state}"


def test_the_actors_view_knows_all_owners(game: Game) -> None:
    for state in some_states(game.id):
        if state.actor is None:
            continue
        view, actions = state.view(state.actor), state.actions()
        for action in actions:
            for part in range(len(action.parts)):
                assert state.owner_at(action, part) in (None, *range(state.seats))
                assert view.owner_at(action, part) == state.owner_at(action, part)


def test_every_seats_view_has_a_worth(game: Game) -> None:
    for played in games(game.id):
        for state in played.states[:: len(played.states) // 5 + 1]:
            assert all(type(state.view(seat).worth(seat)) is int for seat in range(played.seats))


def test_win_probabilities_are_between_0_and_1_and_tactical_actions_legal(game: Game) -> None:
    for state in some_states(game.id):
        if state.actor is not None:
            for seat in range(state.seats):
                assert 0.01 <= state.win_probability(seat) <= 0.99
                assert 0.01 <= State.win_probability(state, seat) <= 0.99
            tactical = state.tactical_actions()
            assert set(tactical) <= set(state.actions())
            assert len(set(tactical)) == len(tactical)


def test_search_actions_are_legal_and_public(game: Game) -> None:
    for state in some_states(game.id):
        if state.actor is not None:
            searched = state.search_actions()
            assert searched
            assert set(searched) <= set(state.actions())
            assert len(set(searched)) == len(searched)
            assert state.view(state.actor).search_actions() == searched


def test_a_standing_has_a_number_for_each_seat(game: Game) -> None:
    for played in games(game.id):
        for state in played.states[:: len(played.states) // 5 + 1]:
            standing = state.standing()
            assert standing is None or (len(standing) == played.seats and all(type(n) is int for n in standing))


def test_at_the_end_there_are_winners_and_the_scores_fit_them(game: Game) -> None:
    """Winners are sorted, and all have the same score."""
    for played in games(game.id):
        last = played.states[-1]
        outcome = last.outcome
        assert isinstance(outcome, Outcome)
        assert len(outcome.scores) == played.seats
        assert outcome.winners
        assert list(outcome.winners) == sorted(set(outcome.winners))
        assert set(outcome.winners) <= set(range(played.seats))
        assert len({outcome.scores[seat] for seat in outcome.winners}) == 1, "who shares the win has the same score"
        assert last.standing() in (None, outcome.scores)


# --- Codes


def test_a_game_lists_every_code_that_it_uses(game: Game) -> None:
    """Add missing codes to ``CODES``; "over" and "notation" are always needed."""
    listed = codes(game.id)
    assert set(listed["reason"]) >= {played.states[-1].outcome.reason for played in games(game.id)}
    for before, action, after in some_steps(game.id):
        assert {item.code for item in before.view(None).news(action, after.view(None))} <= set(listed["news"])
    for place, state in enumerate(some_states(game.id)):
        for action in wild(game.id, 60, place):
            assert refusal(state, action) in (None, *listed["refused"])
        view = state.view(state.actor)
        obligation = view.obligation()
        assert obligation is None or (obligation in listed["obliged"] and len(view.actions()) == 1)
        assert view.inevitable() in (None, *listed["inevitable"])
        assert state.view(None).restriction() in (None, *listed["restricted"])
        assert state.view(None).restriction() == view.restriction(), "everybody reads it"
        for action in state.actions():
            assert state.warns(action) in (None, *listed["warn"])
            assert view.cautions(action) in (None, *listed["warn"])
            hints = {word for part in range(len(action.parts)) for word in (state.hint(action, part) or "").split()}
            assert hints <= {*listed["hint"]}
            assert {reason.code for reason in (*view.reasons(action), *view.risks(action))} <= {*listed["why"]}
