"""Crystalla: typed text, news and hints."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from kaleidobot.testing.playing import games
from rules import BadNotation
from rules.games.crystalla import COLOURS, GAME, Cover, Drop, Give, Lay, Options, Refill, State
from rules.games.crystalla.displays import FULL
from tests.rules.crystalla_turns import PAIRING, act, turn

# --- Typed text

TYPED = {
    "take1 w4 o5": "take1 w4 o5",
    "Take 1, W4; O5": "take1 w4 o5",
    "NIMM 1 weiß4 orange5": "take1 w4 o5",
    "t1 white-4 orange:5": "take1 w4 o5",
    "1 WEISS→4 o.5": "take1 w4 o5",
    "take\t1\nw=4": "take1 w4",
    "nimm1 w'4": "take1 w4",
    "3 o6": "take3 o6",
    "3 6": "take3 o6",
    "keep behalten": "keep keep",
    "swap 2 tausche 3 s1": "swap2 swap3 swap1",
    "rosa1 pink2 schwarz3 black4": "p1 p2 k3 k4",
    "ben bno b-on bEN": "bne bne bne bne",
    "aos aso aes": "ase ase ase",
    "cwn dws": "cnw dsw",
    "2bno 1a-nw": "2bne 1anw",
    "w+hl white:ruby:small OrangeTurmalinKlein": "w+hl w+rs o+ts",
    "kcl pal rosasmaragdgroß": "k+cl p+al p+el",
    "whämatits whaematitl wZitrinGroß wzitringross odiamantl": "w+hs w+hl w+cl w+cl o+dl",
    "b2 A1": "b2 a1",
}


@pytest.mark.parametrize("text", TYPED)
def test_typed(text: str) -> None:
    assert " ".join(map(str, GAME.parse(PAIRING, text))) == TYPED[text]


def test_a_number_alone_is_a_stack_if_only_the_stack_is_undecided() -> None:
    assert GAME.parse(PAIRING, "3") == GAME.parse(PAIRING, "take3")
    state = act(turn("oo . o w . ww"), "take1")
    assert GAME.parse(state, "2") == GAME.parse(state, "o2")
    with pytest.raises(BadNotation):
        GAME.parse(act(PAIRING, "take1"), "2")
    with pytest.raises(BadNotation):
        GAME.parse(act(PAIRING, "take1 o2 o3 w6"), "2")


def test_the_last_card_of_the_hand_needs_no_slot() -> None:
    state = act(GAME.start(2), "keep 1anw 3bnw")
    assert GAME.parse(state, "cno") == GAME.parse(state, "2cne")
    with pytest.raises(BadNotation):
        GAME.parse(act(GAME.start(2), "keep 1anw"), "cne")
    with pytest.raises(BadNotation):
        GAME.parse(GAME.start(2), "cne")


def test_laying_at_once_keeps_the_hand() -> None:
    assert " ".join(map(str, GAME.parse(GAME.start(2), "2bne 1ase dnw"))) == "keep 2bne 1ase 3dnw"


def test_a_whole_setup_in_one_line() -> None:
    assert " ".join(map(str, GAME.parse(GAME.start(2), "swap3 1anw 2bse cne"))) == "swap3 1anw 2bse 3cne"


def test_the_colour_of_a_single_award_goes_without_saying() -> None:
    one = act(PAIRING, "take1 w4 o5 o6 dnw")
    assert GAME.parse(one, "rl") == GAME.parse(one, "Ruby-Large") == GAME.parse(one, "w+rl")
    two = act(PAIRING, "take1 o2 o3 w6 dnw")
    for text in ("rl", "rubinklein"):
        with pytest.raises(BadNotation):
            GAME.parse(two, text)
        with pytest.raises(BadNotation):
            GAME.parse(PAIRING, text)


def test_a_cell_may_name_the_shape_of_the_piece_that_is_placed() -> None:
    state = act(PAIRING, "take1 w4 o5 o6 dnw w+rl")
    assert GAME.parse(state, "B1L") == GAME.parse(state, "b1")
    for where, text in ((state, "b1s"), (PAIRING, "b1l")):
        with pytest.raises(BadNotation):
            GAME.parse(where, text)


def test_each_word_is_parsed_in_the_position_after_the_words_before() -> None:
    text = "1 w4 o5 6 dnw rl a1l 4 w1 2 asw"
    read_as = "take1 w4 o5 o6 dnw w+rl a1 take4 w1 w2 asw"
    state = replace(PAIRING, stones=("oow", "", "o", "w", "", "w"))
    assert " ".join(map(str, GAME.parse(state, text))) == read_as
    assert " ".join(map(str, GAME.parse(state.view(1), text))) == read_as


def test_an_illegal_action_is_parsed_and_leaves_the_position_unchanged() -> None:
    assert " ".join(map(str, GAME.parse(PAIRING, "take2 3 o9 6"))) == "take2 take3 o9 o6"


def test_a_blank_may_separate_a_letter_or_a_word_from_its_number() -> None:
    assert " ".join(map(str, GAME.parse(PAIRING, "take 1 orange 2 o 3 W 6"))) == "take1 o2 o3 w6"


@pytest.mark.parametrize("text", ["1 bno", "1 b no.", "1b ne", "keep 1 B NE"])
def test_blanks_may_separate_the_parts_of_a_card_while_setting_up(text: str) -> None:
    assert [*map(str, GAME.parse(GAME.start(2), text.rstrip(".")))] == ["keep", "1bne"]
    assert [*map(str, GAME.parse(GAME.start(2), f"swap 3, {text.removeprefix('keep ')}, 2 ase"))][-1] == "2ase"


def test_in_a_turn_a_number_before_a_card_is_a_stack() -> None:
    walk = act(turn("oo . o w . ww"), "take1 o2")
    assert [*map(str, GAME.parse(walk, "5 b ne"))] == ["o5", "bne"]


NONSENSE = (
    *("", "  ", "-", "take", "take0", "take10", "o0", "w", "x5", "swap4", "swap", "4anw", "enw", "bns", "b4", "e1"),
    *("b2ll", "w+xx", "ll", "pass", "take1 -> o2", "w+h", "hl+w", "1-2"),
)


@pytest.mark.parametrize("text", NONSENSE)
def test_all_other_text_is_bad_notation(text: str) -> None:
    with pytest.raises(BadNotation):
        GAME.parse(PAIRING, text)


def test_bad_notation_quotes_the_word() -> None:
    with pytest.raises(BadNotation) as bad:
        GAME.parse(PAIRING, "take1 " + "?" * 100)
    assert (bad.value.code, bad.value.detail) == ("notation", "?" * 40)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        *(("take10", "10"), ("nimm 12", "12"), ("take0", "0"), ("t10", "10"), ("white10", "10"), ("o0", "0")),
        *(("10", "10"), ("z4", "z4"), ("b4", "b4"), ("take", None), ("swap4", "4"), ("take1 1-2", None)),
    ],
)
def test_a_stack_a_cell_or_a_card_that_does_not_exist_is_named(text: str, missing: str | None) -> None:
    with pytest.raises(BadNotation) as bad:
        GAME.parse(PAIRING, text)
    assert bad.value.missing == missing


@pytest.mark.parametrize(
    ("text", "sort"), [("5b", "card"), ("9", None), ("9z", "column"), ("12x", "column"), ("1b", None)]
)
def test_incomplete_text_with_a_wrong_card_or_column_names_it(text: str, sort: str | None) -> None:
    with pytest.raises(BadNotation) as bad:
        GAME.parse(GAME.start(2), text)
    assert (bad.value.sort if bad.value.missing else None) == sort


def test_a_number_alone_is_a_stack_during_a_walk() -> None:
    with pytest.raises(BadNotation) as bad:
        GAME.parse(PAIRING, "12")
    assert (bad.value.sort, bad.value.missing) == ("stack", "12")


# --- News and hints


def news_of(state: State, texts: str) -> list[str]:
    """Return the news of a turn: code, seat, facts."""
    lines = []
    for text in texts.split():
        (action,) = GAME.parse(state, text)
        after = state.play(action)
        for item in state.view(None).news(action, after.view(None)):
            facts = " ".join(f"{name}={value}" for name, value in item.facts)
            lines.append(f"{item.code} {'-' if item.seat is None else item.seat} {facts}".strip())
        state = after
    return lines


def test_the_news_of_a_turn_are_a_few_lines() -> None:
    assert news_of(PAIRING, "take1 w4 o5 o6 dnw w+rl b1") == [
        "walk 0 stack=1 path=4 → 5 → 6 card=ac",
        "lay 0 card=ac cell=d1 corner=nw",
        "give 0 piece=rl colour=w",
        "cover 1 piece=rl cell=b1 covered=hematite",
    ]


def test_the_news_report_an_own_piece_and_one_that_fits_no_segment() -> None:
    assert news_of(PAIRING, "take1 o2 o3 w6 dnw w+hl o+ts b1")[2:] == [
        "give 0 piece=hl colour=w",
        "nowhere 1 piece=hl",
        "own 0 piece=ts",
        "cover 0 piece=ts cell=b1 covered=citrine",
    ]


def test_the_news_report_a_lapsed_award() -> None:
    none = replace(PAIRING, open=(None,) * 4, piles=((), ()))
    assert news_of(none, "take1 w4 o5 o6 dnw")[-1] == "lapse 1"
    one = replace(none, open=("hl", None, None, None))
    assert news_of(one, "take1 o2 o3 w6 dnw w+hl")[-2:] == ["nowhere 1 piece=hl", "lapse 0"]
    assert news_of(one, "take1 o2 o3 w6 dnw o+hl a1")[-2:] == ["cover 0 piece=hl cell=a1 covered=tourmaline", "lapse 1"]


def test_the_news_report_the_stack_that_a_player_chose() -> None:
    stacks = (("th",), ("dc",), ("ta", "eh"), ("rd",), ("hr", "td", "ta", "ca", "da"), ("he",))
    state = turn("o . oo www . .", stacks=stacks, options=Options(refill=Refill.CHOICE))
    assert news_of(state, "take1 o2 fill3") == ["walk 0 stack=1 path=2 card=dc", "fill 0 stack=2 donor=3 cards=1"]


@pytest.mark.parametrize("typed", ["fill5", "FILL 5", "fülle 5", "fuelle5", "5"])
def test_the_stack_that_refills_is_typed_in_either_language(typed: str) -> None:
    stacks = (("th",), ("dc",), ("ta", "eh"), ("rd",), ("hr", "td", "ta", "ca", "da"), ("he",))
    state = act(turn("o . oo www . .", stacks=stacks, options=Options(refill=Refill.CHOICE)), "take1 o2")
    assert [*map(str, GAME.parse(state, typed))] == ["fill5"]
    assert [state.hint(action, 0) for action in state.actions()] == ["pile2", "pile5"]


def test_the_news_report_a_refilled_stack() -> None:
    stacks = (("th",), ("dc",), ("ta", "eh"), ("rd",), ("hr", "td", "ta", "ca", "da"), ("he",))
    assert news_of(turn("o . oo www . .", stacks=stacks), "take1 o2") == [
        "walk 0 stack=1 path=2 card=dc",
        "refill - stack=2 donor=5 cards=3",
    ]


def test_the_news_of_a_complete_setup_list_its_cards() -> None:
    hands = (("cd", "ar", "he"), ("td", "rh", "ra"))
    state = replace(GAME.start(2), hands=hands, deck=(*GAME.start(2).deck, "et"))
    assert news_of(state, "swap2 3bne 1bsw 2dnw keep 1anw 2anw 3anw") == [
        "swap 0 old=ar new=et",
        "setup 0 card1=he ne cell1=b1 card2=cd sw cell2=b2 card3=et nw cell3=d1",
        "keep 1",
        "setup 1 card1=td nw cell1=a1 card2=rh nw cell2=a2 card3=ra nw cell3=a3",
        "dealt -",
    ]


def test_a_turn_ends_when_the_next_one_begins() -> None:
    states = [PAIRING]
    for text in ["take1", "w4", "o5", "o6", "dnw", "w+rl", "b1"]:
        states.append(act(states[-1], text))
    assert [before.ends_turn(after) for before, after in pairwise(states)] == [False] * 6 + [True]


def hints(state: State) -> list[str]:
    """Return the hints of the buttons of each legal action."""
    return [
        " ".join(f"{part}:{state.hint(action, place) or ''}" for place, part in enumerate(action.parts))
        for action in state.actions()
    ]


def test_buttons_hint_at_the_cards_and_stones_there() -> None:
    state = replace(GAME.start(2), hands=(("cd", "ar", "he"), ("td", "rh", "ra")))
    assert hints(state) == ["keep:", "swap1:cd", "swap2:ar", "swap3:he"]
    assert hints(act(state, "keep"))[0] == "1:cd a:cards0 nw:"
    assert hints(PAIRING) == ["take1:heap3", "take3:heap1"]
    assert hints(turn("ooowwwpppkkk . . . . . . . .", seats=4)) == ["take1:heap9"]


def test_buttons_hint_at_pairs_and_the_card_that_the_last_stone_takes() -> None:
    assert hints(act(PAIRING, "take1")) == ["o: 2:", "o: 4:", "w: 2:", "w: 4:on5 present"]
    assert hints(act(PAIRING, "take1 w4 o5")) == ["o: 2:ac", "o: 6:ac"]
    assert hints(act(PAIRING, "take1 o4 o5"))[0] == "w: 2:ac"


def test_a_button_with_a_forced_walk_hints_at_its_stacks_card_and_pairs() -> None:
    """From 4 the only way is 5, where the last stone takes the card."""
    assert hints(act(turn("ow o o ww . ."), "take1")) == ["o: 2:pair", "o: 4:on5 ac", "w: 2:", "w: 4:on5 ac"]
    assert hints(act(turn("ow . . . w ."), "take1")) == ["o: 2:", "o: 4:on5 ac present", "w: 2:", "w: 4:on5 ac"]


def test_a_button_with_several_forced_drops_hints_at_each_stack() -> None:
    """From 6 the only way is over 3 to 2; the last stack alone would look like a jump."""
    assert hints(act(turn(". . . . ooo ."), "take5"))[2].startswith("o: 6:on3 on2")


def test_a_neutral_pair_is_none() -> None:
    assert hints(act(turn("ook k w w p w . ppk o", seats=3), "take1"))[2] == "k: 2:"


def test_buttons_hint_at_cards_in_a_column_and_the_effect_of_a_piece() -> None:
    assert hints(act(PAIRING, "take1 w4 o5 o6"))[::4] == [
        "a:cards1 nw:",
        "b:cards1 nw:",
        "c:cards1 nw:",
        "d:cards0 nw:",
    ]
    assert hints(act(PAIRING, "take1 w4 o5 o6 dnw")) == ["w: rl:", "w: hl:nowhere", "w: ts:upto2", "w: hs:won2"]
    assert hints(act(PAIRING, "take1 w4 o5 o6 dnw w+rl")) == ["a1:h", "b1:h"]


def test_buttons_hint_at_the_points_that_a_crystal_piece_costs_its_receiver() -> None:
    state = GAME.start(2, {}, seed=1)
    for _ in range(20):
        state = state.play(state.actions()[0])
    assert [f"{action}:{state.hint(action, 0)}" for action in state.actions()] == ["a1:r lost10", "a3:a", "b1:r"]
    receiver = state.actor
    assert receiver is not None
    after = state.play(state.actions()[0])
    assert state.standing()[receiver] - after.standing()[receiver] == 10


def test_buttons_hint_at_the_points_that_a_crystal_piece_gains_or_costs() -> None:
    gains = losses = 0
    for played in games(GAME.id):
        for state, action, after in played.steps():
            if isinstance(action, Cover):
                assert state.actor is not None
                change = after.standing()[state.actor] - state.standing()[state.actor]
                words = (state.hint(action, 0) or "").split()[1:]
                told = [word for word in words if not word.startswith("others")]
                assert told == ([f"won{change}" if change > 0 else f"lost{-change}"] if change else [])
                gains, losses = gains + (change > 0), losses + (change < 0)
    assert gains > 5
    assert losses > 5


def test_choices_tell_the_points_that_a_piece_brings() -> None:
    """A hematite to every other seat; a present at most so many to its receiver; the own piece so many in its best
    place."""
    covers, presents, mines, own = 0, 0, 0, list[bool]()
    for played in games(GAME.id):
        for state, action, after in played.steps():
            seat, hint = state.actor, state.hint(action, len(action.parts) - 1) or ""
            gains = [has - had for had, has in zip(state.standing(), after.standing(), strict=True)]
            if isinstance(action, Cover) and seat is not None:
                del gains[seat]
                assert ("others2" in hint) == (max(gains) == 2)
                reasons = {reason.code for reason in state.reasons(action)}
                assert ("others2" in hint) == bool(reasons & {"other", "others"})
                covers += "others2" in hint
            if isinstance(action, Give) and after.actor == after.receiver is not None:
                best = max(after.play(cover).standing()[after.receiver] for cover in after.actions())
                change = best - state.standing()[after.receiver]
                if after.receiver == seat:
                    assert hint == (f"{'won' if change > 0 else 'lost'}{abs(change)}" if change else "")
                    own.append(change > 0)
                else:
                    assert seat is not None
                    mine = max(after.play(cover).standing()[seat] for cover in after.actions()) - state.standing()[seat]
                    own_words, their_words = [f"won{mine}"] * (mine > 0), [f"upto{min(12, change)}"] * (change > 0)
                    assert hint.split() == [*own_words, *their_words]
                    presents += change > 0
                    mines += mine > 0
    assert covers
    assert presents
    assert mines
    assert {*own} == {True, False}


def test_a_reason_tells_the_points_of_the_open_piece_that_helps_another_seat_least() -> None:
    told = dict.fromkeys(("present", "present.helps", "present.harms"), 0)
    one = replace(act(PAIRING, "take1 w4 o5"), open=(None, None, "ts", None))
    (last,) = GAME.parse(one, "o6")
    steps = [(one, last, one.play(last)), *(step for played in games(GAME.id) for step in played.steps())]
    for state, action, after in steps:
        for item in state.reasons(action) if isinstance(action, Drop) and after.phase == "lay" else ():
            if item.code in told:
                giving = replace(after.play(after.actions()[0]), due=COLOURS[item.to])
                had, best = giving.standing()[item.to], list[int]()
                for gift in map(giving.play, giving.actions()):
                    covers = gift.actions() if gift.phase == "cover" and gift.receiver == item.to else ()
                    best.append(max((gift.play(cover).standing()[item.to] - had for cover in covers), default=0))
                assert int(dict(item.facts).get("n", 0)) == abs(min(best))
                assert item.code == f"present{'.helps' * (min(best) > 0)}{'.harms' * (min(best) < 0)}"
                told[item.code] += 1
    assert all(told.values())


def test_the_points_in_a_reason_add_up_to_those_of_the_card_or_piece() -> None:
    reasons = 0
    for played in games(GAME.id):
        for state, action, after in played.steps():
            said = [reason for reason in state.view(state.actor).reasons(action) if reason.code == "scores"]
            if isinstance(action, Lay | Cover) and said:
                (reason,) = said
                ((_, gains),) = reason.facts
                seat = state.actor
                assert seat is not None
                points = sum(int(word) for word in gains.replace("\N{MINUS SIGN}", "-").split() if word[-1].isdigit())
                assert points == after.standing()[seat] - state.standing()[seat]
                reasons += 1
    assert reasons > 50


def test_a_finished_picture_waits_for_no_amethyst() -> None:
    full = 0
    for played in games(GAME.id):
        for state in played.states:
            for lay in state.actions() if state.card is not None and state.phase == "lay" else ():
                if sum(map(len, state.displays[state.turn])) == FULL - 1:
                    assert "amethyst" not in [reason.code for reason in state.view(state.turn).reasons(lay)]
                    full += 1
    assert full
