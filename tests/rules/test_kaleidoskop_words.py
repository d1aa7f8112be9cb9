"""Kaleidoskop: hidden values, news, hints, questions and typed text."""

import re
from collections import Counter
from itertools import pairwise
from typing import Any, cast

import pytest

import texts
from rules import BadNotation, IllegalAction, News
from rules.games.kaleidoskop import (
    BACK,
    CODES,
    GAME,
    GRID,
    HEXES_OF,
    IDS,
    OF_EACH,
    PLACES,
    WELLS,
    Card,
    Claim,
    Deck,
    State,
    board,
)
from rules.lessons import lesson
from tests.rules.kaleidoskop import (
    BLUE_01,
    MAY_DRAW,
    READY,
    WINNING,
    act,
    games,
    legal,
    lit_for_b01,
    own,
    player,
    position,
    refused,
)

# --- Hidden values


def test_a_seat_sees_its_own_cards_and_the_backs_of_the_others() -> None:
    state = GAME.start(3, None, 4)
    for seat in range(3):
        view = state.view(seat)
        assert view.players[seat] == state.players[seat]
        for other in range(3):
            assert [card.back for card in view.players[other].hand] == ["blue", "blue", "orange"]
            if other != seat:
                assert {card.id for card in view.players[other].hand} == {None}


def test_views_hide_the_decks_and_show_their_sizes() -> None:
    state = GAME.start(3, None, 4)
    for seat in (0, 1, 2, None):
        assert state.view(seat).decks.blue == (None,) * 66
        assert state.view(seat).decks.orange == (None,) * 45
        assert state.view(seat).seed is None


def test_hands_stay_hidden_when_the_game_is_over() -> None:
    state = act(position("", player(hand=[BLUE_01]), turn=6, final=6), "10r end")
    assert state.view(1).players[0].hand[0].id is None


def test_the_view_of_another_seat_lacks_the_claims_of_hidden_cards() -> None:
    state = act(lit_for_b01(), "10v")
    assert legal(state.view(0), "claim") == ["claim1a>blue", "claim1a>orange"]
    assert legal(state.view(1), "claim") == legal(state.view(None), "claim") == []
    assert refused(state.view(1), "claim1a>blue") == "hidden"
    assert refused(state.view(1), "claim1b>blue") == "hidden"
    assert refused(state.view(1), "claim3a>blue") == "no_card"


def test_the_repr_contains_neither_hands_nor_decks() -> None:
    state = GAME.start(3, None, 4)
    for card in BACK:
        assert card not in repr(state)


def follows(state: State, action: Any, after: State, seat: int | None) -> str:
    """Return the result of playing on a seat's view: its next view ("known"), the view with an unknown card ("drawn"),
    or a refusal ("hidden")."""
    try:
        played = state.view(seat).play(action)
    except IllegalAction as no:
        return no.code
    if played == after.view(seat):
        return "known"
    assert seat is not None
    assert seat == state.actor
    new = [(one, other) for one, other in zip(played.players[seat].hand, own(after).hand, strict=True) if one != other]
    assert len(new) == 1
    assert new[0][0] == Card(new[0][1].back, None)
    assert played.view(None) == after.view(None)
    return "drawn"


def test_playing_on_a_view_gives_the_next_view_or_is_refused_as_hidden() -> None:
    """The table uses this to find actions that revealed something and cannot be taken back."""
    seen: Counter[tuple[str, str, bool]] = Counter()
    for states in games():
        for before, after in pairwise(states):
            action = next(action for action in before.actions() if before.play(action) == after)
            for seat in (*range(before.seats), None):
                kind = type(action).__name__
                seen[kind, follows(before, action, after, seat), seat == before.actor] += 1
    for kind in ("Crystal", "Hold", "Mirror", "Glass", "Buy", "End"):
        assert {how for known, how, _ in seen if known == kind} == {"known"}
    assert {(how, acts) for known, how, acts in seen if known == "Claim"} == {("drawn", True), ("hidden", False)}
    assert {(how, acts) for known, how, acts in seen if known == "Limit"} == {("drawn", True), ("known", False)}


# --- News, hints, questions


def news_of(state: State, text: str) -> list[str]:
    """Return the codes and facts of the news of one action."""
    (action,) = GAME.parse(state, text)
    items = state.view(None).news(action, state.play(action).view(None))
    return [" ".join([item.code, *(f"{name}={word}" for name, word in item.facts)]) for item in items]


@pytest.mark.parametrize(("length", "score"), [("short", "10"), ("normal", "15"), ("long", "20")])
def test_the_first_post_names_the_conditions_of_victory(length: str, score: str) -> None:
    (item,) = GAME.start(3, {"length": length}).view(None).opening_news()
    assert (item.code, item.facts) == ("aim", (("points", score),))


def test_the_news_of_a_crystal_name_the_changed_hexes() -> None:
    assert news_of(position("15r"), "21g") == [
        "place3 well=21 colour=g hex1=B3 now1=lit.none hex2=C3 now2=lit.none hex3=C4 now3=lit.g"
    ]
    assert news_of(position("21r"), "21g") == [
        "swap3 well=21 colour=g old=r hex1=B3 now1=lit.g hex2=C3 now2=lit.g hex3=C4 now3=lit.g",
        "spent paid=1",
    ]
    assert news_of(position("15r 22r"), "21r") == ["place0 well=21 colour=r"]


def test_the_news_tell_the_points_spent_and_nothing_of_free_tools() -> None:
    state = act(position("27r 33y", player(score=9, tools=READY)), "10g")
    assert news_of(state, "mirror:27:c3") == ["mirror1 well=27 hex=C3 hex1=C3 now1=lit.r"]
    assert news_of(act(state, "hold"), "glass:27:d4") == [
        "glass1 well=27 hex=D4 hex1=D4 now1=lit.y",
        "spent paid=2",
    ]
    assert news_of(state, "hold") == ["hold well=10"]
    assert news_of(act(state, "hold mirror:27:c3"), "glass:10:b2") == [
        "glass1 well=10 hex=B2 hex1=B2 now1=lit.none",
        "spent paid=3",
    ]
    assert news_of(state, "limit>blue") == ["limit deck=blue", "spent paid=2"]


def test_the_news_of_a_claim_name_pattern_reward_and_deck() -> None:
    state = act(lit_for_b01(), "10v")
    assert news_of(state, "claim1a>orange") == [
        "claim back=blue pattern=lit.r lit.y lit.p reward=1 deck=orange",
        "holder",
    ]
    again = act(lit_for_b01(tools=READY), "10v")
    assert news_of(again, "claim1a>blue") == ["claim back=blue pattern=lit.r lit.y lit.p reward=1 deck=blue"]


def test_the_news_say_that_no_new_card_was_drawn() -> None:
    state = act(lit_for_b01(MAY_DRAW, tools=READY), "10v")
    assert news_of(state, "claim1a>none") == ["claim_declined back=blue pattern=lit.r lit.y lit.p reward=1"]


@pytest.mark.parametrize("typed", ["claim1a>none", "Claim 1a none", "auftrag 1a keine", "AUFTRAG1A>KEINE"])
def test_declining_a_card_is_typed_in_either_language(typed: str) -> None:
    state = act(lit_for_b01(MAY_DRAW), "10v")
    assert [*map(str, GAME.parse(state, typed))] == ["claim1a>none"]


def test_the_news_of_the_end_name_the_score_and_its_effects() -> None:
    state = act(position("", player(**WINNING)), "10r")
    assert news_of(state, "end") == ["end score=15 goal=15", "final_extra_round"]
    assert news_of(act(position("", turn=3, final=6), "10r"), "end") == ["end score=1 goal=15", "last_round"]
    options = {"length": "normal", "ending": "finish_round"}
    state = act(position("", player(**WINNING), options=options), "10r")
    assert news_of(state, "end") == ["end score=15 goal=15", "final_finish_round"]


def test_the_news_name_hexes_that_change_when_tools_return() -> None:
    state = position("27r 33y", player(), player(tools={**READY, "mirror": "33:c3"}))
    (_, back) = act(state, "10g").news(*ended(act(state, "10g")))
    assert back == News("back1", 1, (("hex1", "C3"), ("now1", "lit.none")))


def ended(state: State) -> tuple[Any, State]:
    (action,) = GAME.parse(state, "end")
    return action, state.play(action)


def hints(state: State, text: str) -> list[str | None]:
    (action,) = GAME.parse(state, text)
    assert action in state.actions()
    return [state.hint(action, part) for part in range(len(action.parts))]


def test_buttons_hint_at_contents_costs_and_rewards() -> None:
    reds = " ".join(f"{well + 1}r" for well in board(3).wells[: OF_EACH - 2])
    assert hints(position("21g", player(score=5)), "21r") == ["g", "cost1"]
    assert hints(position("21g"), "22r") == [None, None]
    assert hints(position(reds), "63r") == [None, "left2"]
    state = act(position("27r", player(score=9, tools=READY)), "10g")
    assert hints(state, "hold") == ["cost0"]
    assert hints(state, "mirror:27:c3") == ["cost0", "r", "r"]
    assert hints(act(state, "hold"), "glass:10:b2") == ["cost2", "g", "g"]
    assert hints(act(lit_for_b01(), "10v"), "claim1a>blue") == [None, "reward1", None]
    assert hints(position("", player(score=9)), "buy mirror") == [None, "cost3"]
    assert hints(position("", player(score=9)), "limit>blue") == ["cost2", None]


def test_a_crystal_is_restricted_without_points_for_a_swap_or_on_a_full_board() -> None:
    full = " ".join(f"{well + 1}{'rygbpv'[number % 6]}" for number, well in enumerate(board(3).wells))
    assert position("15r").restriction() is None
    assert position("15r", player(score=0)).restriction() == "unpaid"
    assert position(full, player(score=0)).restriction() == position(full).restriction() == "full"
    assert act(position("15r", player(score=0)), "10g").restriction() is None, "the crystal is placed"


@pytest.mark.parametrize("lang", texts.languages())
def test_no_refusal_names_a_button_that_a_lesson_lacks(lang: str) -> None:
    button = texts.say(GAME.id, "hand", lang)
    assert not [code for code in CODES["refused"] if button in (texts.find(GAME.id, f"refused.{code}", lang) or "")]


@pytest.mark.parametrize(("number", "field"), [(1, "c4"), (5, "d5")])
def test_only_right_answers_of_the_lesson_turn_its_hex_green(number: int, field: str) -> None:
    """The hint for the other answers says that the hex has to turn green."""
    step = lesson(GAME.id)[number - 1]
    legal_offers = [offer for offer in step.offers if offer in step.state.actions()]
    after = {offer: cast("State", step.state.play(offer)) for offer in legal_offers}
    green = [offer for offer in legal_offers if after[offer].hexes[GRID.fields.index(field)] == "g"]
    assert green == [step.offers[right] for right in step.right]


def test_no_question_reveals_a_forgotten_task() -> None:
    state = act(lit_for_b01(), "10v")
    (end,) = GAME.parse(state, "end")
    assert state.warns(end) is None


def last_turn(**has: Any) -> State:
    """Return the last turn of a game that seat 1 wins unless seat 2 does; seat 2 is the actor and has placed its
    crystal."""
    return act(position("", player(), player(**WINNING), player(**has), turn=6, final=6), "10r")


def winners(state: State) -> tuple[int, ...]:
    """Return the winners if the actor ends the turn now."""
    outcome = act(state, "end").outcome
    assert outcome is not None
    return outcome.winners


def test_ending_the_game_without_a_win_needs_confirmation_if_avoidable() -> None:
    state = last_turn(score=3)
    assert legal(state, "") == ["buy:mirror", "buy:glass", "limit>blue", "limit>orange", "end"]
    assert [state.warns(action) for action in state.actions()] == [*[None] * 4, "ends"]
    assert winners(state) == (1,)


def test_winning_with_the_end_of_the_game_needs_no_confirmation() -> None:
    for score in (15, 16):  # shared, and alone
        state = last_turn(**{**WINNING, "score": score, "done": [{"id": "o11", "task": "a"}]})
        assert len(legal(state, "")) > 1
        assert {state.warns(action) for action in state.actions()} == {None}
        assert 2 in winners(state)


def test_the_only_action_of_the_last_turn_needs_no_confirmation() -> None:
    state = last_turn(score=1)
    assert legal(state, "") == ["end"]
    assert state.warns(state.actions()[0]) is None


def best(state: State) -> str:
    """Return the action after which the seat's own view is worth most; claims before the end."""
    assert state.actor is not None
    view = state.view(state.actor)
    claims = any(str(action).startswith("claim") for action in view.actions())
    worth = {
        str(action): view.play(action).worth(state.actor) - 10**6 * (claims and str(action) == "end")
        for action in view.actions()
    }
    return max(worth, key=lambda text: worth[text])


def test_the_best_worth_lights_claims_buys_and_ends() -> None:
    state = position("15r 20r 16y 22y 46p", player(hand=[BLUE_01]))
    assert "claim" in best(act(state, best(state)))
    state = act(lit_for_b01(score=3), "10v claim1a>blue")
    assert best(state) in ("buy:mirror", "buy:glass")
    assert best(act(lit_for_b01(score=1), "10v claim1a>blue")).startswith("limit")
    assert best(act(position("27r", player(tools=READY)), "10g")) == "end"


# --- Typed text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17r", "17r"),
        ("17 red", "17r"),
        ("r17", "17r"),
        ("place 17:rot", "17r"),
        ("PUT 17 -> Grün", "17g"),
        ("setze gruen 17", "17g"),
        ("lege 9 lila", "9v"),
        ("swap 72/purple", "72v"),
        ("tausche violett 1", "1v"),
        ("set17v", "17v"),
        ("b4", "4b"),
        ("rosa-12", "12p"),
        ("hold", "hold"),
        ("Halterung!", "hold"),
        ("holder", "hold"),
        ("mirror 17 b4", "mirror:17:b4"),
        ("glass:b4:17", "glass:17:b4"),
        ("spiegel17b4", "mirror:17:b4"),
        ("mattglas c3 > 27", "glass:27:c3"),
        ("glas 4b4", "glass:4:b4"),
        ("claim 2a orange", "claim2a>orange"),
        ("claim2a > o", "claim2a>orange"),
        ("claim2a→blue", "claim2a>blue"),
        ("auftrag 4 b b", "claim4b>blue"),
        ("claim 2 b blau", "claim2b>blue"),
        ("buy mirror", "buy:mirror"),
        ("kaufe Mattglas", "buy:glass"),
        ("kauf:glas", "buy:glass"),
        ("limit blue", "limit>blue"),
        ("limit>o", "limit>orange"),
        ("done", "end"),
        ("fertig.", "end"),
        ("pass", "end"),
        ("17r end", "17r end"),
        ("claim2a b b17", "claim2a>blue 17b"),
        ("claim2a b17", None),
        ("17r;hold,end", "17r hold end"),
        ("  17r \n end!! ", "17r end"),
        ("", None),
        (" .,; ", None),
        ("0r", None),
        ("73r", None),
        ("017r", None),
        ("17", None),
        ("r", None),
        ("17rr", None),
        ("17rend", None),
        ("17r end hello", None),
        ("claim5a>blue", None),
        ("claim2c>blue", None),
        ("claim2a>green", None),
        ("mirror 17", None),
        ("mirror h1 17", None),
        ("mirror a5 17", None),
        ("buy holder", None),
        ("> 17r", None),
    ],
)
def test_typed_text_is_parsed(text: str, expected: str | None) -> None:
    state = GAME.start(3, None, 1)
    if expected is None:
        with pytest.raises(BadNotation) as bad:
            GAME.parse(state, text)
        assert bad.value.code == ("deck_missing" if text == "claim2a b17" else "unreadable")
    else:
        assert " ".join(map(str, GAME.parse(state, text))) == expected


@pytest.mark.parametrize(
    ("text", "code", "detail"),
    [
        ("b2 red", "hex", "10, 14, 15, 20"),
        ("rot B2", "hex", "10, 14, 15, 20"),
        ("b2 blau, ende", "hex", "10, 14, 15, 20"),
        ("10 orange", "colour", "orange"),
        ("Orange 10.", "colour", "orange"),
        ("h9 red", "unreadable", "h9 red"),
    ],
)
def test_a_hex_or_a_colour_without_crystals_is_named(text: str, code: str, detail: str) -> None:
    with pytest.raises(BadNotation) as bad:
        GAME.parse(GAME.start(3, None, 1), text)
    assert (bad.value.code, bad.value.detail) == (code, detail)


@pytest.mark.parametrize("lang", texts.languages())
def test_errors_do_not_suggest_fields_that_a_smaller_board_lacks(lang: str) -> None:
    named = re.findall(r"\w+", texts.say(GAME.id, "no_field", lang, detail="").lower())
    assert not {*GRID.fields, *map(str, range(1, WELLS + 1))} & {*named}


def test_a_deck_that_is_left_out_is_the_only_one_that_has_cards() -> None:
    state = position(decks={"blue": [], "orange": ["o45"]})
    assert " ".join(map(str, GAME.parse(state, "claim2a limit"))) == "claim2a>orange limit>orange"
    for text in ("claim2a", "limit"):
        with pytest.raises(BadNotation) as bad:
            GAME.parse(position(), text)
        assert bad.value.code == "deck_missing"
    empty = position(decks={"blue": [], "orange": []})
    assert GAME.parse(empty, "claim2a") == (Claim(2, "a", None),)
    with pytest.raises(BadNotation) as bad:
        GAME.parse(empty, "limit")
    assert bad.value.code == "deck_missing"


def test_a_deck_word_after_a_claim_belongs_to_it() -> None:
    with pytest.raises(BadNotation) as bad:
        GAME.parse(position(), "claim2a b 17")
    assert (bad.value.code, bad.value.detail) == ("unreadable", "17")


def test_the_first_problem_from_the_left_counts() -> None:
    for text, code in (("claim2a oops", "deck_missing"), ("oops claim2a", "unreadable")):
        with pytest.raises(BadNotation) as bad:
            GAME.parse(position(), text)
        assert bad.value.code == code


def test_a_whole_turn_can_be_typed_at_once() -> None:
    assert act(lit_for_b01(), "10v, claim 1a > o; ende!").turn == 2


def test_every_place_is_a_well_and_a_hex_that_touch() -> None:
    assert len(PLACES) == sum(map(len, HEXES_OF))
    assert set(IDS) == set(Deck)
