"""Tap to move: the labels and the layout of buttons."""

import json
import random
import re
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

import texts
from bot.chat import Button, PersonId, Picture, PlaceId, PublicPicture, Reply, Select, Style
from bot.replies import boards, menus, notes, pointing, words
from bot.replies.decision import AtTable
from bot.replies.favourites import MOST, favourites
from bot.replies.tree import Path, Tree
from bot.requests import payload
from bot.tables.table import Phase, Seat, Table, TableId
from kaleidobot.testing.playing import games, some_states
from rules import GAMES, State
from rules.chance import Chance

TABLE = Table(
    id=TableId("k3v7qpm2xa"), game="kaleidoskop", place=PlaceId("x:hall"), host=PersonId("x:a"), lang="en", created_ms=0
)
NAMES = ("Anna", "Ben", "Cleo")
ROWS, WIDEST = 5, 5  # the platforms' limits


def opening(seats: int, **first: object) -> State:
    """Return the start of a game. *first*: the pieces of the first player."""
    game = GAMES["kaleidoskop"]
    document = json.loads(game.encode(game.start(seats, seed=7)))
    document["players"][0] |= first
    return game.decode(json.dumps(document))


def menu_of(
    table: Table,
    view: State,
    path: Path,
    page: int,
    lang: str = "en",
    *,
    can_undo: bool = False,
    first: tuple[str, ...] = (),
) -> Reply:
    return menus.menu(
        AtTable(table, view.actor), view, Tree.of(table.game, view), path, page, lang, can_undo=can_undo, first=first
    )


def menu(state: State, page: int = 0, path: Path = (), *, can_undo: bool = False) -> Reply:
    return menu_of(TABLE, state.view(0), path, page, can_undo=can_undo)


def buttons(reply: Reply) -> list[Button]:
    return [button for row in reply.rows if isinstance(row, tuple) for button in row]


def wells(reply: Reply) -> list[int]:
    return [int(match[0]) for button in buttons(reply) if (match := re.match(r"\d+(?= |$)", button.label))]


def pages(reply: Reply) -> dict[str, int]:
    """Return the labels of the buttons to other pages, with their payloads."""
    read = {button.label: payload.read(button.payload) for button in buttons(reply) if button.label[0] in "◀▶"}
    return {label: content.numbers[1] for label, content in read.items() if content is not None}


@pytest.mark.parametrize("seats", [3, 5, 6])
def test_a_page_says_which_wells_it_has_and_the_button_to_it_says_so_too(seats: int) -> None:
    state = opening(seats)
    first = menu(state)
    seen = wells(first)
    last = max(pages(first).values())
    for label, number in pages(first).items():
        page = menu(state, number)
        others = "◀ for the rest" if number == last else "▶ for more"
        ends = f"{wells(page)[0]}–{wells(page)[-1]}"
        assert label == f"▶ {ends}"
        assert page.text.endswith(f"Showing {ends}; {others}")
        assert len(pages(page)) == len(pages(first)), "from every page to every other one"
        seen += wells(page)
    assert seen == sorted({int(action.parts[0]) for action in state.actions() if action.parts[0].isdigit()})


@pytest.mark.parametrize(
    ("first", "shows"),
    [
        (("1",), "1–20"),
        (("72", "63", "67"), "72, 63, 67, 1–15"),
        (("72", "63", "67", "66", "71"), "72, 63, 67, …, 1–15"),
    ],
)
def test_what_leads_on_a_page_is_named_before_its_range(first: tuple[str, ...], shows: str) -> None:
    page = menu_of(TABLE, opening(6).view(0), (), 0, first=first)
    assert page.text.endswith(f"Showing {shows}; ▶ for more")


def test_a_page_of_actions_to_confirm_is_marked_and_has_no_plain_range() -> None:
    people = tuple(Seat(PersonId(f"x:{name}"), name, "en") for name in NAMES[:2])
    table = replace(TABLE, game="kalejdoschach", seats=people)
    view = GAMES["kalejdoschach"].start(2, seed=7).view(0)
    (wizard,) = (option.path for option in Tree.of(table.game, view).after(()) if option.part == "1j")
    first = menu_of(table, view, wizard, 0)
    (sign, number), *more = [page for page in pages(first).items() if "⚠" in page[0]]
    assert not more
    page = menu_of(table, view, wizard, number)
    own = [button.label for button in buttons(page) if "⚠" in button.label and button.label[0] not in "◀▶"]
    assert sign == f"▶ ⚠ {own[0].split()[0]}–{own[-1].split()[0]}"
    assert "⚠ takes your own piece" in first.text, "the sign is explained where it stands"


@pytest.mark.parametrize("can_undo", [False, True])
def test_other_actions_go_below_the_first_wells_and_leave_them_small(can_undo: bool) -> None:
    state = opening(6, score=9)
    first = menu(state, can_undo=can_undo)
    words = [texts.say("kaleidoskop", f"part.{part}", "en") for part in ("buy", "limit")]
    assert [button.label.split(" −")[0] for button in buttons(first)[15:17]] == words
    assert len(wells(first)) == 3 * WIDEST
    assert len(pages(first)) == 3
    assert not any(word in button.label for button in buttons(menu(state, 1)) for word in words)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_question_for_a_crystal_has_no_price_because_swaps_can_be_free(lang: str) -> None:
    assert "💎" not in menu_of(TABLE, opening(2).view(0), (), 0, lang).text


@pytest.mark.parametrize("seats", GAMES["kaleidoskop"].seats)
@pytest.mark.parametrize("score", [0, 9])
@pytest.mark.parametrize("can_undo", [False, True])
def test_no_page_is_larger_than_a_platform_takes(seats: int, score: int, can_undo: bool) -> None:
    state = opening(seats, score=score)
    for page in range(1 + len(pages(menu(state)))):
        rows = menu(state, page, can_undo=can_undo).rows
        assert len(rows) <= ROWS
        assert all(len(row) <= WIDEST for row in rows if isinstance(row, tuple))


def test_messages_about_a_turn_have_the_colour_of_the_actor() -> None:
    state = opening(3)
    assert menu(state).accent == (10, 166, 171), "teal, as it is handed out"
    people = tuple(Seat(PersonId(f"x:{name}"), name, "en", "orange" if name == "Anna" else "") for name in NAMES)
    table = replace(TABLE, phase=Phase.RUNNING, seats=people)
    for seat in range(3):
        own = notes.own_view(table, state.view(seat), (), seat, Picture(b"", ""), "en", secret=False)
        assert own.accent == (242, 119, 0), "orange, as it was chosen, whoever looks"
    assert words.accent(table, None) is None


def test_a_game_with_hands_offers_the_hand_if_there_is_room() -> None:
    verbs = [payload.read(button.payload) for button in buttons(menu(opening(3), path=(0,)))]
    assert "view" in [verb.verb for verb in verbs if verb is not None]


def test_to_pass_does_not_stand_out_among_fields_that_lead_on() -> None:
    """Actions that play at once stand out; a lone pass among fields would look like a suggestion."""
    state = GAMES["kabooom"].start(2, {"level": "easy"}, seed=7)
    shown = buttons(menu_of(replace(TABLE, game="kabooom"), state.view(0), (), 0))
    assert "Pass" in [button.label for button in shown]
    assert {button.style for button in shown} == {Style.PLAIN, Style.BLANK}


# Boards of buttons

KABOOOM = replace(
    TABLE,
    game="kabooom",
    seats=(Seat(PersonId("x:a"), "Anna", "en"), Seat(PersonId("x:b"), "Ben Hur", "en")),
)


def labels(rows: Sequence[Sequence[Button] | Select]) -> list[list[str]]:
    return [[button.label for button in row] for row in rows if not isinstance(row, Select)]


def test_six_columns_lie_side_by_side_and_in_halves_where_five_are_the_most() -> None:
    state = GAMES["kabooom"].start(2, {"level": "hard"}, seed=7)
    reply = menu_of(KABOOOM, state.view(0), (0,), 0)
    board = [[f"{column}{row}" for column in "abcdef"] for row in (4, 3, 2, 1)]
    assert labels(reply.rows)[:4] == board
    assert labels(reply.narrow_rows)[:4] == [row[:3] for row in board]
    assert "▶ d–f" in labels(reply.narrow_rows)[4]
    other = menu_of(KABOOOM, state.view(0), (0,), 1)
    assert labels(other.narrow_rows)[:4] == [row[3:] for row in board]
    assert all(len(row) <= WIDEST for row in labels(other.narrow_rows))


def test_the_half_with_more_choices_comes_first() -> None:
    state = GAMES["kabooom"].start(2, {"level": "hard"}, seed=7)
    for field in ("a1", "b1", "a2"):
        state = state.play(next(action for action in state.actions() if action.parts[1:] == (field,)))
    reply = menu_of(KABOOOM, state.view(state.actor), (0,), 0)
    assert labels(reply.narrow_rows)[0] == ["d4", "e4", "f4"]


def test_a_button_names_the_piece_there_and_its_other_owner() -> None:
    state = GAMES["kabooom"].start(2, {"level": "easy"}, seed=7)
    reply = menu_of(KABOOOM, state.view(0), (0,), 0)
    towers = [label for row in labels(reply.rows) for label in row if re.match(r"[a-f]\d", label)]
    assert all(re.fullmatch(r"[a-f]\d (🪨|📄|✂️|🧨)⇒[0-2]( Ben)?", tower) for tower in towers)
    assert {tower.endswith(" Ben") for tower in towers} <= {True, False}
    assert any(tower.endswith(" Ben") for tower in towers)


# Few taps


CRYSTALLA = replace(TABLE, game="crystalla", seats=KABOOOM.seats)


def walked(*texts: str) -> State:
    """Return Crystalla for two after the setup and these actions."""
    game = GAMES["crystalla"]
    state = game.start(2, seed=7)
    for text in ("keep 1ane 2bse 3cnw", "keep 1ane 2bse 3cnw", *texts):
        for action in game.parse(state, text):
            state = state.play(action)
    return state


def test_few_combinations_become_one_button_each_in_rows_by_first_part() -> None:
    state = walked("take1 o4 o5 o2")
    reply = menu_of(CRYSTALLA, state.view(0), (), 0)
    assert labels(reply.rows)[:4] == [[f"{column} {corner}" for corner in CORNERS] for column in "abcd"]
    assert "column" in reply.text
    assert "corner" in reply.text
    shown = [payload.read(button.payload) for row in reply.rows[:4] if isinstance(row, tuple) for button in row]
    as_in_the_picture = [4 * column + corner for column in range(4) for corner in (0, 1, 3, 2)]
    assert [message.numbers[1] for message in shown if message is not None] == as_in_the_picture, (
        "each of them plays at once"
    )


def test_a_sign_replaces_a_word_if_whole_words_are_too_wide() -> None:
    luck, state = random.Random(0), GAMES["crystalla"].start(4, seed=0)
    for _ in range(40):
        state = state.play(luck.choice(state.actions()))
    assert {action.parts[0] for action in state.actions()} == set("owpk")
    rows = labels(menu_of(replace(CRYSTALLA, seats=2 * KABOOOM.seats), state.view(state.actor), (), 0, lang="de").rows)
    for sign, row in zip("🟠⚪🌸⚫", rows, strict=False):
        assert len(row) == 3
        assert all(re.fullmatch(rf"{sign} \d( [✨🎁])?", label) for label in row)


CORNERS = ("◤", "◥", "◣", "◢")


def test_in_two_columns_corners_stand_as_on_the_card() -> None:
    """Two columns of a picture are left, with four corners each."""
    luck, state = random.Random(0), GAMES["crystalla"].start(2, seed=0)
    while [type(action).__name__ for action in state.actions()] != 8 * ["Lay"]:
        state = state.play(luck.choice(state.actions()))
    rows = labels(menu_of(CRYSTALLA, state.view(state.actor), (), 0).rows)
    assert [[label[-1] for label in row] for row in rows[:4]] == 2 * [[*CORNERS[:2]], [*CORNERS[2:]]]


def test_the_best_choices_are_on_the_first_page_and_at_their_own_place() -> None:
    state = opening(6)
    view = state.view(0)
    _, result = Tree.of("kaleidoskop", view).arrived(())
    plain = menu_of(TABLE, view, (), 0)
    led = menu_of(TABLE, view, (), 0, first=("70", "3", "71"))
    assert labels(led.rows)[0] == ["70", "71"], "3 is on the first page anyway"
    assert labels(led.rows)[1] == labels(plain.rows)[0]
    last = menu_of(TABLE, view, (), len(pages(led)), first=("70",))
    assert 70 in wells(last)
    assert {option.part for option in result} >= {"70", "71"}


def test_favourites_come_from_what_their_person_sees_and_are_always_the_same() -> None:
    """Hidden facts must not influence the order."""
    for seed in range(4):
        state = GAMES["kaleidoskop"].start(4, seed=seed)
        seat = state.actor or 0
        view = state.view(seat)
        first = favourites(view, Tree.of("kaleidoskop", view), ())
        assert first == favourites(view, Tree.of("kaleidoskop", view), ())
        dealt = view.deal_anew(Chance(seed + 1))
        assert first == favourites(dealt.view(seat), Tree.of("kaleidoskop", dealt.view(seat)), ())
        assert set(first) < {action.parts[0] for action in view.actions()}


def test_what_finishes_something_of_ones_own_leads_and_nothing_else_does() -> None:
    """Nearly as if every action had been looked at, which would take too long: what changes several hexes at once may
    be passed over."""
    result, passed_over = 0, 0
    for seed in range(8):
        luck, state = random.Random(seed), GAMES["kaleidoskop"].start(6, seed=seed)
        for _ in range(60):
            crystals = [action for action in state.actions() if action.parts[0].isdigit()]
            if len(crystals) > MOST and state.actor is not None:
                view, seat = state.view(state.actor), state.actor
                ahead = dict[str, int]()
                for crystal in crystals:
                    ahead[crystal.parts[0]] = max(view.play(crystal).worth(seat), ahead.get(crystal.parts[0], -1000))
                first = favourites(view, Tree.of("kaleidoskop", view), ())
                assert all(ahead[part] > view.worth(seat) for part in first)
                assert list(first) == sorted(first, key=lambda part: -ahead[part])
                result += len(first)
                passed_over += sum(ahead[part] > view.worth(seat) for part in ahead) - len(first)
            state = state.play(luck.choice(state.actions()))
    print(result, passed_over)
    assert result > 5 * passed_over > 0


# Places to tap


def test_a_tap_on_the_board_is_the_press_of_the_button_for_that_part() -> None:
    state = GAMES["kabooom"].start(2, {"level": "hard"}, seed=7)
    view, spots = state.view(0), {"a1": ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))}
    tree = Tree.of("kabooom", view)
    targets = pointing.targets(AtTable(KABOOOM), view, pointing.reach(tree, (0,), spots), spots, "en")
    reply = menu_of(KABOOOM, view, (0,), 0)
    assert [(button.label, button.payload) for button in targets] == [
        (button.label, button.payload) for button in buttons(reply) if button.label == "a1"
    ]
    assert pointing.chosen(tree, (0,)) == ("r",)


def test_another_piece_can_be_tapped_in_place_of_the_one_that_was_chosen() -> None:
    """Where its own choices don't lie; and never so that the tap would play something at once."""
    view = GAMES["kalejdoschach"].start(2, seed=7).view(0)
    table, tree = replace(TABLE, game="kalejdoschach"), Tree.of("kalejdoschach", view)
    pieces = {option.part: option for option in tree.after(())}
    spots = {
        field: ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
        for action in view.actions()
        for field in action.parts
        if field[0].isdigit()
    }
    path = pieces["1d"].path
    result = pointing.reach(tree, path, spots)
    assert set(result.instead) == {part for part in pieces if part in spots} - {"1d"} - set(result.choices)
    assert all(option.index is None for option in result.instead.values())
    beside = [target for target in pointing.targets(AtTable(table), view, result, spots, "en") if target.beside]
    assert [option.payload for option in beside] == [
        menus.leads(AtTable(table), pieces[part]) for part in result.instead
    ]
    assert pointing.reach(tree, (), spots).instead == {}


def test_all_other_places_of_a_board_that_can_be_tapped_are_closed() -> None:
    view = GAMES["kabooom"].start(2, {"level": "hard"}, seed=7).view(0)
    spots = {part: ((0.0, 0.0), (1.0, 0.0), (1.0, float(n))) for n, part in enumerate(("r", "a1", "other"))}
    reached = pointing.reach(Tree.of("kabooom", view), (0,), spots)
    targets = pointing.targets(AtTable(KABOOOM), view, reached, spots, "en")
    assert [target.outline for target in targets if not target.payload] == [spots["r"], spots["other"]]
    assert pointing.closed(spots, ()) == ()


@pytest.mark.parametrize(
    ("chosen", "part", "reason"),
    [
        ("", "00", "empty-field: 00"),
        ("", "5d", "not-your-piece: 5d"),
        ("1d", "5d", "out-of-reach: 5d"),
        ("1d", "1d", "same-field: 1d"),
        ("1d", "1b", ""),  # a legal choice
        ("", "1d", ""),
        ("", "blue", ""),  # nothing that the game can read
    ],
)
def test_a_part_that_cannot_be_chosen_has_the_reason_of_the_rules(chosen: str, part: str, reason: str) -> None:
    view = GAMES["kalejdoschach"].start(2, seed=7).view(0)
    path = next((o.path for o in Tree.of("kalejdoschach", view).after(()) if o.part == chosen), ())
    refused = pointing.refusal("kalejdoschach", view, path, (part,))
    assert ("" if refused is None else str(refused)) == reason


@pytest.mark.parametrize("game", ["kabooom", "kalejdoschach"])
def test_the_reason_against_a_part_never_names_a_field_that_was_not_chosen(game: str) -> None:
    for state in some_states(game):
        view = state.view(state.actor)
        tree = Tree.of(game, view)
        fields = {part for action in view.actions() for part in action.parts if len(part) == 2}
        for path in ((), *(option.path for option in tree.after(())[:3])):
            for part in sorted(fields)[::3]:
                refused = pointing.refusal(game, view, path, (part,))
                named = {field for field in fields if refused is not None and field in refused.detail}
                assert named <= {*pointing.chosen(tree, path), part}


def test_actions_that_need_confirmation_have_a_plain_style() -> None:
    view = GAMES["kalejdoschach"].start(2, seed=7).view(0)
    table = replace(TABLE, game="kalejdoschach")
    path = next(option.path for option in Tree.of("kalejdoschach", view).after(()) if option.part == "1d")
    played = [button for button in buttons(menu_of(table, view, path, 0)) if button.payload.startswith("play")]
    assert {("⚠" in button.label, button.style) for button in played} == {(True, Style.PLAIN), (False, Style.MAIN)}


def test_so_few_that_they_find_room_beside_the_way_out_have_no_page_of_their_own() -> None:
    view = GAMES["kalejdoschach"].start(2, seed=7).view(0)
    reply = menu_of(replace(TABLE, game="kalejdoschach"), view, (), 0)
    assert len({option.part for option in Tree.of("kalejdoschach", view).arrived(())[1]}) == 16
    assert list(map(len, labels(reply.rows))) == [3, 3, 3, 3, 5]
    assert not pages(reply)
    assert reply.text == "Which piece do you want to move?"


def test_a_word_is_skipped_if_only_it_leads_to_a_field() -> None:
    """A task on a card is tapped without a button "claim" before; a field where four stones could go is not."""
    state = GAMES["kabooom"].start(2, {"level": "hard"}, seed=7)
    place = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    assert pointing.reach(Tree.of("kabooom", state.view(0)), (), {"a1": place}).choices == {}
    rich = opening(3, score=9)
    limits = [action for action in rich.actions() if action.parts[0] == "limit"]
    result = pointing.reach(
        Tree.of("kaleidoskop", rich.view(0)), (), {limit.parts[1]: place for limit in limits}
    ).choices
    assert set(result) == {limit.parts[1] for limit in limits}


def test_a_single_possibility_is_not_asked_as_a_choice() -> None:
    """The caps of the first turn in Colorio have to be discarded, later ones can go onto an open field."""
    table = replace(TABLE, game="colorio", seats=tuple(Seat(PersonId(f"x:{n}"), n, "en") for n in NAMES[:2]))
    state = GAMES["colorio"].start(2, seed=7)
    asked = list[tuple[int, str]]()
    for _ in range(8):
        state = state.play(state.actions()[0])  # lifts a cap, else discards it
        asked.append((len(state.actions()), menu_of(table, state.view(state.actor), (), 0).text))
    only = {text for choices, text in asked if choices == 1}
    assert only == {texts.say("colorio", "obliged.first", "en")}
    assert texts.say("colorio", "ask.remove.0", "en") in {text for choices, text in asked if choices > 1}


@pytest.mark.parametrize("lang", texts.languages())
def test_the_prompt_names_a_swap_only_if_it_can_be_paid(lang: str) -> None:
    table, swaps = replace(TABLE, seats=KABOOOM.seats), {"en": "swap", "de": "tausche"}[lang]
    for score in (0, 1):
        view = opening(2, score=score).view(0)
        call = boards.board(table, view.view(None), (), PublicPicture(b"", ""), lang).call
        assert call is not None
        asked = {menu_of(table, view, (), 0, lang).text, call.text}
        assert {swaps in text for text in asked} == {bool(score)}, asked


def test_the_owner_of_a_rewarded_pair_is_asked_only_among_several() -> None:
    table = replace(CRYSTALLA, phase=Phase.RUNNING, seats=2 * KABOOOM.seats)
    picture = PublicPicture(b"", "")
    given = [state for played in games("crystalla") for state in played.states if state.phase == "give"]
    asked = {(len(state.due) > 1, boards.board(table, state.view(None), (), picture, "en").call) for state in given}
    whose = texts.say("crystalla", "ask.give.0", "en")
    assert {(several, whose in call.text) for several, call in asked if call} == {(True, True), (False, False)}


def test_signs_are_explained_if_there_are_any() -> None:
    table = replace(TABLE, game="kalejdoschach")
    result = set[tuple[bool, bool]]()
    for state in some_states("kalejdoschach"):
        for option in Tree.of("kalejdoschach", state).after(()):
            reply = menu_of(table, state, option.path, 0)
            for sign in "⚔⚠":
                shown = any(sign in button.label for button in buttons(reply))
                assert (sign in reply.text) == shown
                result.add((sign == "⚔", shown))
    assert len(result) == 4


def test_a_reply_without_room_for_a_row_takes_a_button_into_a_short_one() -> None:
    long, select = tuple(Button("a", "close:") for _ in range(5)), Select("b", "set:", ())
    reply = Reply(rows=(long, long[:4], long, select, select)).offering(Button("all", "all:"))
    assert [len(row) for row in reply.rows if not isinstance(row, Select)] == [5, 5, 5]
    assert Reply(rows=(long,) * 5).offering(Button("all", "all:")).rows == (long,) * 5
