"""Actions in words: taught, read and completed; news in words."""

import re
from itertools import permutations

import msgspec
import pytest
from msgspec.structs import replace

import texts
from bot.chat import PersonId, PlaceId, Suggestion
from bot.replies import notes, wording, words
from bot.replies.completion import MOST, completions
from bot.replies.favourites import best
from bot.replies.news import news_line
from bot.tables.anonymous import house
from bot.tables.table import Seat, Table, TableId
from kaleidobot.testing.playing import codes, some_states
from renderers.notation import typed
from rules import GAMES, BadNotation, Game, IllegalAction, News, State
from rules.games.crystalla.codes import Phase
from rules.games.crystalla.state import State as Crystalla
from rules.games.kaleidoskop import IDS, TASKS, task
from rules.games.kaleidoskop.news import pattern


def table(game: str) -> Table:
    return Table(
        id=TableId("k3v7qpm2xa"), game=game, place=PlaceId("x:hall"), host=PersonId("x:a"), lang="en", created_ms=0
    )


def played_by_anna(game: str) -> Table:
    return replace(table(game), seats=(Seat(PersonId("x:a"), "Anna", "en"),))


def test_house_seats_keep_their_numbers_in_any_drawn_order() -> None:
    anna, *houses = Seat(PersonId("x:a"), "Anna", "en"), *(Seat(house(n), "", "en", house=True) for n in (1, 2))
    for seats in permutations((anna, *houses)):
        called = dict(zip(seats, words.names(replace(table("kabooom"), seats=seats), "en"), strict=True))
        assert [called[house_] for house_ in houses] == ["House 1 (medium)", "House 2 (medium)"]
    alone = words.names(replace(table("kabooom"), seats=(anna, houses[1])), "en")
    assert alone == ("Anna", "House (medium)")


def views(game: Game) -> list[State]:
    """Yield the actor's views all over some games."""
    return [state.view(state.actor) for state in some_states(game.id) if state.actor is not None]


def complete(game: str, view: State, typed: str, lang: str = "en") -> tuple[Suggestion, ...]:
    return completions(table(game), view, typed, lang)


def placing() -> State:
    """Return Kabooom! on its hard level with no stone placed yet."""
    return GAMES["kabooom"].start(2, {"level": "hard"}, seed=7).view(0)


@pytest.mark.parametrize("lang", texts.languages())
def test_taught_notation_is_read_as_its_action(game: Game, lang: str) -> None:
    for view in views(game):
        for action in view.actions():
            assert game.parse(view, typed(game.id, action, lang)) == (action,)


@pytest.mark.parametrize("lang", texts.languages())
def test_examples_can_be_played_now_and_there_are_two_at_most(game: Game, lang: str) -> None:
    for view in views(game):
        answer = wording.examples(game.id, view, lang).split(" · ")
        assert len(answer) <= 2
        for example in answer:
            assert example.startswith("/move ")
            (action,) = game.parse(view, without_price(example.removeprefix("/move ")))
            assert action in view.actions()


def without_price(example: str) -> str:
    return example.partition(" (−")[0]


def test_a_proposed_swap_tells_its_price_and_free_crystals_come_first() -> None:
    state = GAMES["kaleidoskop"].start(2, seed=7)
    for text in ("10g", "end", "14r", "end"):
        (action,) = GAMES["kaleidoskop"].parse(state, text)
        state = state.play(action)
    document = msgspec.json.decode(GAMES["kaleidoskop"].encode(state))
    document["players"][0]["score"] = 2
    view = GAMES["kaleidoskop"].decode(msgspec.json.encode(document)).view(0)
    assert wording.examples("kaleidoskop", view, "en", "10 orange") == "/move 10 red (−1 💎) · /move 10 yellow (−1 💎)"
    assert wording.examples("kaleidoskop", view, "en", "b2 red 10, 14, 15, 20") == "/move 15 red · /move 20 red"
    unreadable = BadNotation("10 yellw", "unreadable")
    refusal = notes.refused(table("kaleidoskop"), view, unreadable, (), "en", secret=False, meant="10 yellw")
    assert "(−1 💎)" in refusal.text
    assert "(−1 💎)" in str(refusal.rows[0])


def test_examples_relate_to_the_typed_text() -> None:
    assert wording.examples("kabooom", placing(), "en", "put it on c3") == "/move rock c3 · /move paper c3"
    assert wording.examples("kabooom", placing(), "de", "C3!") == "/move stein c3 · /move papier c3"


def test_an_example_finds_a_typed_field_in_either_order() -> None:
    assert wording.examples("kabooom", placing(), "en", "3c") == "/move rock c3 · /move paper c3"


def test_no_action_to_confirm_is_an_example_if_others_exist(game: Game) -> None:
    for view in views(game):
        actions = view.actions()
        asked = [action for action in actions if view.warns(action) is not None]
        if len(actions) - len(asked) < 2:
            continue
        for meant in ("", *(part for action in asked for part in action.parts)):
            for example in filter(None, wording.examples(game.id, view, "en", meant).split(" · ")):
                (action,) = game.parse(view, without_price(example.removeprefix("/move ")))
                assert action not in asked, example


def test_the_examples_for_a_named_piece_are_its_moves_and_take_no_own_piece() -> None:
    view = GAMES["kalejdoschach"].start(2, seed=7).view(0)
    assert wording.examples("kalejdoschach", view, "en", "eagle 3f") == "/move 3f-2d · /move 3f-2e"


def test_an_example_does_not_tell_which_colours_differ_where_boards_are_forgotten() -> None:
    game = GAMES["colorio"]
    state = game.start(2, seed=7)
    for text in ("a1 x b1 x c1 x", "d1"):
        for action in game.parse(state.view(state.actor), text):
            state = state.play(action)
    view = state.view(state.actor)
    assert len(view.actions()) > 1
    assert wording.examples("colorio", view, "en") == "/move x"


@pytest.mark.parametrize(
    ("lang", "typed", "first"),
    [
        ("en", "rock b", "r@b1"),
        ("en", "rock b3", "r@b3"),
        ("en", "Rock B3", "r@b3"),
        ("en", "stein b3", "r@b3"),
        ("en", "b3", "r@b3"),
        ("de", "stein b", "r@b1"),
        ("de", "stein b3", "r@b3"),
        ("de", "rock", "r@a1"),
        ("de", "dyn", "d@a1"),
        ("de", "s", "s@a1"),
        ("de", "s@", "s@a1"),
    ],
)
def test_words_of_both_languages_are_completed(lang: str, typed: str, first: str) -> None:
    assert complete("kabooom", placing(), typed, lang)[0].value == first


def test_a_letter_keeps_its_meaning_and_words_that_begin_with_it_are_offered_too() -> None:
    german = complete("kabooom", placing(), "s", "de")
    assert [button.label for button in german[:2]] == ["✂️ Schere ×3 → a1", "🪨 Stein ×3 → a1"]
    assert {suggestion.value[0] for suggestion in complete("kabooom", placing(), "s", "en")} == {"s"}


def test_a_notation_letter_comes_first_even_after_a_field() -> None:
    view = GAMES["kaleidoskop"].start(6, seed=7).view(0)
    german = complete("kaleidoskop", view, "g", "de")
    assert [suggestion.value for suggestion in german[:4]] == ["1g", "1y", "2g", "2y"], "green, and the word Gelb"


@pytest.mark.parametrize("lang", texts.languages())
def test_actions_to_confirm_are_suggested_last(game: Game, lang: str) -> None:
    for view in views(game):
        for text in ("", "a", "1", "e", "eagle", "l"):
            results = [game.parse(view, suggestion.value)[0] for suggestion in complete(game.id, view, text, lang)]
            asked = [view.warns(action) is not None for action in results]
            assert asked == sorted(asked), text


def test_the_most_promising_come_first_if_not_all_fit() -> None:
    some = 0
    for view in views(GAMES["kaleidoskop"]):
        red = [action for action in view.actions() if action.parts[-1] == "r"]
        if len(red) > MOST and (better := best(view, red)):
            some += 1
            values = [suggestion.value for suggestion in complete("kaleidoskop", view, "red")]
            assert values[: len(better)] == [*map(str, better)][:MOST]
    assert some


@pytest.mark.parametrize("lang", texts.languages())
def test_a_later_word_of_a_label_completes_if_nothing_else_does(lang: str) -> None:
    giving = (view for view in views(GAMES["crystalla"]) if isinstance(view, Crystalla) and view.phase == Phase.GIVE)
    view = next(candidate for candidate in giving if any(piece and piece[0] == "h" for piece in candidate.open))
    hematite = {str(action) for action in view.actions() if action.parts[-1].startswith("h")}
    for text in ("hematite", "Hämatit", "haem", "hama"):
        assert {suggestion.value for suggestion in complete("crystalla", view, text, lang)} == hematite, text
    first = GAMES["crystalla"].start(2, seed=7).view(0)
    assert [suggestion.value for suggestion in complete("crystalla", first, "card", "en")] == [
        "swap1",
        "swap2",
        "swap3",
    ]
    assert complete("crystalla", first, "ca", "en") == (), "too little to tell"


@pytest.mark.parametrize(("lang", "taught"), [("en", "2bne"), ("de", "2bno")])
def test_completion_needs_no_actions_that_the_game_fills_in(lang: str, taught: str) -> None:
    view = GAMES["crystalla"].start(2, seed=7).view(0)
    for typed_so_far in (taught[:length] for length in range(1, len(taught) + 1)):
        suggestions = complete("crystalla", view, typed_so_far, lang)
        assert "keep 2bne" in [suggestion.value for suggestion in suggestions]
        assert all(suggestion.value.startswith("keep 2") for suggestion in suggestions)
    assert complete("crystalla", view, taught, lang)[0].value == "keep 2bne"
    assert complete("crystalla", view, f"{taught} 3", lang)[0].value == "keep 2bne 3anw"
    assert complete("crystalla", view, "2x", lang) == ()


def test_before_anything_is_typed_every_kind_of_choice_is_among_the_first() -> None:
    assert [suggestion.value for suggestion in complete("kabooom", placing(), "")[:4]] == [
        "r@a1",
        "p@a1",
        "s@a1",
        "d@a1",
    ]


@pytest.mark.parametrize(
    ("lang", "typed"), [("en", "eagle 3"), ("de", "adler 3"), ("de", "eagle 3"), ("en", "adler 3f"), ("en", "e3f")]
)
def test_a_piece_is_found_by_its_name_or_its_letter(lang: str, typed: str) -> None:
    view = GAMES["kalejdoschach"].start(2, seed=7).view(0)
    suggestions = complete("kalejdoschach", view, typed, lang)
    assert suggestions
    name = {"en": "eagle", "de": "Adler"}[lang]
    assert all(button.label.startswith(f"3f {name} → ") for button in suggestions)


@pytest.mark.parametrize(("lang", "label"), [("en", "½ Agree to a draw"), ("de", "½ Remis annehmen")])
def test_a_label_says_once_that_a_draw_is_agreed_to(lang: str, label: str) -> None:
    game = GAMES["kalejdoschach"]
    state = game.start(2, seed=7)
    for action in game.parse(state, "draw 1d-1b"):
        state = state.play(action)
    assert [suggestion.label for suggestion in complete("kalejdoschach", state.view(1), "draw", lang)] == [label]


def test_a_sign_is_completed_as_what_its_button_says_and_quoted_as_it_was_typed() -> None:
    view = GAMES["kabooom"].start(2, {"level": "hard"}, seed=1).view(0)
    assert [suggestion.value for suggestion in complete("kabooom", view, "🪨 b", "en")][:2] == ["r@b1", "r@b2"]
    with pytest.raises(BadNotation) as bad:
        wording.read("kabooom", view, "🪨")
    assert bad.value.detail == "🪨"


def test_a_word_for_a_crystal_can_come_before_or_after_the_well() -> None:
    view = GAMES["kaleidoskop"].start(6, seed=7).view(0)
    for text in ("17 ro", "rot 17", "17r", "17 red", "red 17"):
        assert [suggestion.value for suggestion in complete("kaleidoskop", view, text, "de")][:1] == ["17r"], text


@pytest.mark.parametrize("lang", texts.languages())
def test_a_word_for_a_crystal_is_completed_in_any_language_before_the_well_is_known(lang: str) -> None:
    view = GAMES["kaleidoskop"].start(6, seed=7).view(0)
    for words_, colour in (
        (("red", "re", "rot", "ro"), "r"),
        (("yellow", "gelb", "ge"), "y"),
        (("green", "grün", "grü", "gruen", "grue", "gru", "gr"), "g"),
        (("blue", "blau", "bla"), "b"),
        (("violet", "lila"), "v"),
    ):
        for text in words_:
            values = [suggestion.value for suggestion in complete("kaleidoskop", view, text, lang)]
            assert values[:2] == [f"1{colour}", f"2{colour}"], text
            assert len(values) == MOST


def test_the_readers_own_language_wins_over_other_languages() -> None:
    view = GAMES["kaleidoskop"].start(6, seed=7).view(0)
    assert {suggestion.value[-1] for suggestion in complete("kaleidoskop", view, "ge", "en")} == {"y"}
    assert {suggestion.value[-1] for suggestion in complete("kaleidoskop", view, "g", "en")} == {"g"}


def test_suggestions_are_legal_canonical_and_limited(game: Game) -> None:
    for view in views(game)[::3]:
        for text in ("", "a", "1", "s", "b3", "x ", "pa", "end "):
            for lang in texts.languages():
                suggestions = complete(game.id, view, text, lang)
                assert len(suggestions) <= MOST
                assert len({suggestion.value for suggestion in suggestions}) == len(suggestions)
                for button in suggestions:
                    assert 0 < len(button.label) <= 100
                    actions = game.parse(view, button.value)
                    assert " ".join(map(str, actions)) == button.value


def test_taught_notation_is_suggested_first(game: Game) -> None:
    for view in views(game)[::3]:
        for action in view.actions()[:: max(1, len(view.actions()) // 12)]:
            for lang in texts.languages():
                taught = typed(game.id, action, lang)
                assert complete(game.id, view, taught, lang)[0].value == str(action), taught


@pytest.mark.parametrize(
    ("game", "typed", "missing"),
    [
        ("kabooom", "rock z9", "z9"),
        ("kabooom", "b3 - b 7", "b7"),
        ("kabooom", "9z", "9z"),
        ("kabooom", "1a-1b", "1a"),
        ("colorio", "b3 x f1", "f1"),
        ("colorio", "b3 x 3c", "3c"),
        ("crystalla", "z4", "z4"),
        ("crystalla", "take99", "stack 99"),
        ("crystalla", "o10", "stack 10"),
        ("crystalla", "orange 12", "stack 12"),
        ("crystalla", "b 4", "b4"),
        ("crystalla", "99", "99"),
        ("crystalla", "e", "column e"),
        ("crystalla", "1e", "column e"),
        ("crystalla", "1en", "column e"),
        ("crystalla", "2eno", "column e"),
        ("crystalla", "e ne", "column e"),
        ("crystalla", "take4 e", "column e"),
        ("crystalla", "swap9", "card 9"),
        ("crystalla", "tausche 9", "card 9"),
        ("crystalla", "4bne", "card 4"),
        ("kaleidoskop", "99", "99"),
        ("kaleidoskop", "99r", "99"),
        ("kaleidoskop", "99 red", "99"),
        ("kaleidoskop", "red 99", "99"),
        ("kaleidoskop", "rot 99", "99"),
        ("kaleidoskop", "17r setze 99 rot", "99"),
        ("kaleidoskop", "17r mirror:17:z9", "z9"),
        ("kaleidoskop", "17r mirror 17 z9", "z9"),
        ("kaleidoskop", "17r mirror 99 a1", "99"),
        ("kaleidoskop", "claim9a>blue", "card 9"),
        ("kaleidoskop", "17r auftrag 10 a", "card 10"),
        ("kaleidoskop", "claim1c>blue", "task c"),
        ("kaleidoskop", "claim1", None),
        ("kalejdoschach", "99", "99"),
        ("kalejdoschach", "1k-99", "99"),
        ("kalejdoschach", "99-00", "99"),
        ("kalejdoschach", "10b", "10b"),
        ("kalejdoschach", "1b-9z", "9z"),
        ("kalejdoschach", "b1-c2", "b1"),
        ("kabooom", "hello", None),
        ("crystalla", "1ne", None),  # which column is not said
        ("crystalla", "5o", None),
        ("crystalla", "en", None),
        ("kaleidoskop", "17l", None),
        ("kaleidoskop", "red", None),
        ("kaleidoskop", "17 red 16 17", None),
        ("kalejdoschach", "check mate", None),
        ("kalejdoschach", "1k-2", None),
    ],
)
def test_a_field_that_does_not_exist_is_named(game: str, typed: str, missing: str | None) -> None:
    view = GAMES[game].start(GAMES[game].seats[0], seed=7).view(0)
    with pytest.raises(BadNotation) as bad:
        GAMES[game].parse(view, typed)
    sort = "" if bad.value.sort == "field" else f"{bad.value.sort} "
    assert (bad.value.missing and f"{sort}{bad.value.missing}") == missing


def test_a_letter_that_begins_a_crystal_is_no_column_while_crystals_are_given() -> None:
    view = next(view for view in views(GAMES["crystalla"]) if isinstance(view, Crystalla) and view.phase == Phase.GIVE)
    with pytest.raises(BadNotation) as bad:
        GAMES["crystalla"].parse(view, "e")
    assert bad.value.missing is None


@pytest.mark.parametrize(
    ("lang", "typed", "answer"),
    [
        ("en", "1en", "There's no column e: a picture has columns a–d."),
        ("de", "1en", "Eine Spalte e gibt es nicht: Ein Bild hat die Spalten a–d."),
        ("en", "swap9", "There's no card 9: your cards are numbered 1–3."),
        ("de", "swap9", "Eine Karte 9 gibt es nicht: Deine Karten haben die Nummern 1–3."),
        ("en", "take10", "There's no stack 10: the board shows the number of every stack."),
        ("de", "take10", "Einen Stapel 10 gibt es nicht: Auf dem Brett steht an jedem Stapel seine Nummer."),
    ],
)
def test_a_missing_column_or_card_is_named_as_missing(lang: str, typed: str, answer: str) -> None:
    view = GAMES["crystalla"].start(2, seed=7).view(0)
    with pytest.raises(BadNotation) as bad:
        GAMES["crystalla"].parse(view, typed)
    text = notes.refused(table("crystalla"), view, bad.value, (), lang, secret=False).text
    assert text.translate(dict.fromkeys(map(ord, "\u2068\u2069"))).startswith(answer)


def refused(game: str, view: State, text: str, lang: str) -> list[str]:
    """Return the lines with which *text* is refused."""

    def plays() -> None:
        for action in wording.read(game, view, text):
            view.play(action)

    with pytest.raises((BadNotation, IllegalAction)) as no:
        plays()
    assert isinstance(no.value, BadNotation | IllegalAction)
    said = notes.refused(table(game), view, no.value, (), lang, secret=False, meant=text).text
    return said.translate(dict.fromkeys(map(ord, "\u2068\u2069"))).splitlines()


@pytest.mark.parametrize(
    ("lang", "typed", "answer"),
    [
        ("en", "rock", ["“rock” isn't a whole move yet.", "For example: /move rock a1 · /move rock b1"]),
        ("de", "Stein", ["„Stein“ ist noch kein ganzer Zug.", "Zum Beispiel: /move stein a1 · /move stein b1"]),
        ("en", "c3", ["“c3” isn't a whole move yet.", "For example: /move rock c3 · /move paper c3"]),
    ],
)
def test_half_a_move_is_answered_with_its_continuations(lang: str, typed: str, answer: list[str]) -> None:
    assert refused("kabooom", placing(), typed, lang) == answer


def test_a_missing_part_is_named_in_the_games_words_if_any() -> None:
    claims = (view for view in views(GAMES["kaleidoskop"]) if any("claim" in str(action) for action in view.actions()))
    view = next(claims)
    claim = next(str(action) for action in view.actions() if str(action).startswith("claim"))
    lines = refused("kaleidoskop", view, claim.partition(">")[0], "en")
    assert lines[0] == "Say which deck you draw from, too: blue or orange."
    assert claim in lines[1]


@pytest.mark.parametrize("text", ["Claim 3b.", "auftrag 3b"])
@pytest.mark.parametrize(("before", "code"), [("", "stage"), ("57y", "not_fulfilled")])
def test_a_claim_that_no_deck_makes_possible_is_refused_for_its_own_reason(text: str, before: str, code: str) -> None:
    game = GAMES["kaleidoskop"]
    state = game.start(2, seed=7)
    for action in game.parse(state, before) if before else ():
        state = state.play(action)
    (claim,) = wording.read("kaleidoskop", state.view(0), text)
    with pytest.raises(IllegalAction) as refusal:
        state.play(claim)
    assert refusal.value.code == code


def test_half_a_move_reveals_nothing_to_be_remembered() -> None:
    game = GAMES["colorio"]
    state = game.start(2, seed=7)
    for text in ("a1 x b1 x c1 x", "d1"):
        for action in game.parse(state.view(state.actor), text):
            state = state.play(action)
    assert ">" not in refused("colorio", state.view(state.actor), ">", "en")[1]


def test_a_refusal_without_a_list_has_a_fitting_example() -> None:
    view = GAMES["kaleidoskop"].start(2, seed=7).view(0)
    assert refused("kaleidoskop", view, "b3 red", "en")[1:] == ["For example: /move 10 red · /move 11 red"]
    assert refused("kaleidoskop", view, "b3", "en")[1:] == ["For example: /move 10 blue · /move 11 blue"]


@pytest.mark.parametrize(
    ("lang", "typed", "answer"),
    [
        ("en", "claim9a>blue", "There's no card 9: count the cards in your hand from 1."),
        ("de", "auftrag9a>blau", "Eine Karte 9 gibt es nicht: Zähle die Karten auf deiner Hand ab 1."),
        ("en", "claim1c>blue", "There's no task c: a card has the tasks a and b."),
        ("de", "auftrag1c>blau", "Einen Auftrag c gibt es nicht: Auf einer Karte stehen die Aufträge a und b."),
    ],
)
def test_a_card_or_task_that_cannot_be_claimed_is_named(lang: str, typed: str, answer: str) -> None:
    view = GAMES["kaleidoskop"].start(2, seed=7).view(0)
    assert refused("kaleidoskop", view, typed, lang)[0] == answer


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("a1 to the b2", ["a1", ">b2"]),  # "to" has a meaning here, "the" has none
        ("a1 with b1", ["a1", "x", "b1"]),
    ],
)
def test_no_more_small_words_are_skipped_than_needed(text: str, actions: list[str]) -> None:
    view = GAMES["colorio"].start(2, seed=7).view(0)
    assert [str(action) for action in wording.read("colorio", view, text)] == actions


@pytest.mark.parametrize("text", ["on b3", "to the", "a my the of in on b3 c3"])
def test_small_words_need_two_other_words_and_are_few(text: str) -> None:
    with pytest.raises(BadNotation):
        wording.read("kabooom", placing(), text)


def test_a_similar_move_is_suggested_without_small_words() -> None:
    view = GAMES["kaleidoskop"].start(2, seed=7).view(0)
    assert [*map(str, wording.similar("kaleidoskop", view, "Yelow in 57"))] == ["57y"]


def test_no_small_word_is_a_word_of_a_game(game: Game) -> None:
    for view in views(game):
        for action in view.actions():
            for lang in texts.languages():
                assert not wording.fillers() & {*typed(game.id, action, lang).split()}


def test_every_game_says_which_fields_there_are(game: Game) -> None:
    for lang in texts.languages():
        assert "z9" in texts.say(game.id, "no_field", lang, detail="z9")


@pytest.mark.parametrize("lang", texts.languages())
def test_a_refusal_has_no_example_that_may_be_impossible(game: Game, lang: str) -> None:
    """Examples are legal at that moment. A word that every turn has (``x``, ``end``) is no example."""
    notations = {
        written
        for state in some_states(game.id)
        for action in state.actions()
        for written in (str(action), typed(game.id, action, lang))
        if str(action) not in codes(game.id)["part"]
    }
    for code in codes(game.id)["refused"]:
        words = re.split(r"[\s()„“”,;:.]+", texts.say(game.id, f"refused.{code}", lang, detail=""))
        assert not notations & {*words}, code


@pytest.mark.parametrize(
    ("lang", "answer"),
    [
        (
            "en",
            "✨ Anna claims a task (🟦 blue card): 🟢 💗 🟢 with crystals 💗, +2 💎. New card: 🟧 orange.",
        ),
        (
            "de",
            (
                "✨ Anna löst einen Auftrag ein (Karte: 🟦 Blau): 🟢 💗 🟢 mit Kristallen 💗, +2 💎. "
                "Neue Karte: 🟧 Orange."
            ),
        ),
    ],
)
def test_a_finished_task_shows_the_signs_of_its_colours(lang: str, answer: str) -> None:
    facts = (("back", "blue"), ("pattern", "lit.g lit.p lit.g crystals lit.p"), ("reward", "2"), ("deck", "orange"))
    assert news_line(played_by_anna("kaleidoskop"), News("claim", 0, facts), lang) == answer


@pytest.mark.parametrize(
    ("lang", "worth", "answer"),
    [
        ("en", 0, "Anna climbs from b1 onto c1: height 2, worth 0 points."),
        ("en", 1, "Anna climbs from b1 onto c1: height 2, worth 1 point."),
        ("en", 9, "Anna climbs from b1 onto c1: height 2, worth 9 points."),
        ("de", 0, "Anna klettert von b1 auf c1: Höhe 2, 0 Punkte wert."),
        ("de", 1, "Anna klettert von b1 auf c1: Höhe 2, 1 Punkt wert."),
        ("de", 9, "Anna klettert von b1 auf c1: Höhe 2, 9 Punkte wert."),
    ],
)
def test_a_towers_value_is_not_read_as_the_moves_gain(lang: str, worth: int, answer: str) -> None:
    counts = (("worth", str(worth)), ("n", str(worth)))
    facts = (("source", "b1"), ("target", "c1"), ("height", "2"), *counts)
    assert news_line(played_by_anna("kabooom"), News("move.worth", 0, facts), lang) == answer


@pytest.mark.parametrize("lang", texts.languages())
def test_no_task_is_described_by_letters(lang: str) -> None:
    words = {
        texts.say("kaleidoskop", f"part.{word}", lang)
        for word in (*(f"lit.{colour}" for colour in "rygbpv"), "crystals")
    }
    for wanted in (task(card, name) for cards in IDS.values() for card in cards for name in TASKS):
        facts = (("back", "blue"), ("pattern", pattern(wanted)), ("reward", "1"))
        answer = news_line(played_by_anna("kaleidoskop"), News("claim_undrawn", 0, facts), lang)
        for word in words:
            answer = answer.replace(word, "")
        assert re.search(r"\): +, \+1", answer), pattern(wanted)


def test_the_houses_suggestion_names_the_moving_piece() -> None:
    state = GAMES["kalejdoschach"].start(2)
    actions = GAMES["kalejdoschach"].parse(state, "1k-2g")
    assert wording.actions_text("kalejdoschach", state, actions, "de") == "Ruch 1k → 2g"
    assert (
        wording.actions_text("kabooom", placing(), GAMES["kabooom"].parse(placing(), "r@b3"), "de") == "🪨 Stein → b3"
    )
