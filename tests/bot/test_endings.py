"""How a post tells the end of a game."""

import re

import pytest
from msgspec.structs import replace

from bot.chat import PersonId, Picture, PlaceId, Post, PublicPicture
from bot.extras.reviews import replies as reviews
from bot.extras.reviews.replies import Reviewed
from bot.extras.reviews.review import Review, TurningPoint
from bot.replies import notes
from bot.replies.boards import board, board_rows
from bot.replies.news import result
from bot.tables.anonymous import house
from bot.tables.table import Entry, Phase, Result, Seat, Table, TableId, Turned
from kaleidobot.testing.playing import games
from renderers.notation import kind
from rules import GAMES, News

TABLE = Table(
    id=TableId("k3v7qpm2xa"),
    game="kabooom",
    place=PlaceId("x:hall"),
    host=PersonId("x:a"),
    lang="en",
    created_ms=0,
    seats=(Seat(PersonId("x:a"), "Anna", "en"), Seat(PersonId("x:b"), "Ben", "en")),
    phase=Phase.OVER,
    turn=40,
    result=Result("stuck", (0,), (9, 9)),
)


def final(table: Table, *news: News, lang: str = "en") -> Post:
    view = GAMES[table.game].start(len(table.seats), {}, seed=1).view(None)
    return board(table, view, (Entry(41, 0, "a1-a2", 0, news=news),), PublicPicture(b"", ""), lang)


TIE = News("tie_broken", 0, (("heights", "5"), ("lower", "4")), 1, explains=True)
MOVED = News("move", 0, (("source", "a1"), ("target", "a2"), ("height", "5")))


def test_a_headline_names_the_winner_the_points_and_what_broke_the_tie() -> None:
    assert final(TABLE, MOVED, TIE).title == "🏆 Anna wins · 9 : 9, by the taller tower"
    assert final(TABLE, MOVED, TIE, lang="de").title == "🏆 Anna gewinnt · 9 : 9, durch den höheren Turm"
    second = replace(TABLE, result=Result("stuck", (1,), (8, 10)))
    assert final(second, MOVED).title == "🏆 Ben wins · 10 : 8"


def test_a_final_post_says_in_one_sentence_how_the_game_was_decided() -> None:
    assert final(TABLE, MOVED, TIE).text.splitlines() == [
        "Tied on points, so the towers are compared, tallest first: Anna 5; Ben 4."
    ]
    assert final(replace(TABLE, result=Result("passed", (0,), (9, 8))), MOVED).text == "Nobody moves any more."


def test_a_game_without_a_winner_has_a_headline_too() -> None:
    ended = replace(TABLE, result=Result("ended", (), (9, 9), of_table=True, by=(0,)))
    post = final(ended, MOVED)
    assert (post.title, post.text) == ("🏁 The game is over: nobody wins", "Anna ended the game.")
    assert post.own == (), "the title says it"


def test_a_draw_is_no_win() -> None:
    drawn = replace(TABLE, game="kalejdoschach", result=Result("agreed", (0, 1), (1, 1)))
    assert final(drawn).title == "½ A draw between Anna and Ben"
    assert set(dict(final(drawn).own).values()) == {"It's a draw."}


def test_every_player_reads_the_result_in_words_of_their_own() -> None:
    close = replace(TABLE, seats=(TABLE.seats[0], replace(TABLE.seats[1], lang="de")))
    won = replace(close, result=Result("stuck", (0,), (10, 9)))
    assert dict(final(won, MOVED).own) == {
        "x:a": "🎉 You won!",
        "x:b": "Du hast mit einem Punkt Abstand verloren.",
    }
    assert dict(final(close, MOVED, TIE).own)[PersonId("x:b")] == "Du hast verloren, bei gleich vielen Punkten."


def test_the_turning_point_of_the_analysis_is_a_second_line() -> None:
    table = replace(TABLE, turned=Turned(30, 0, 38, 91, (MOVED,)))
    assert final(table, MOVED).text.splitlines()[1].replace("\N{NO-BREAK SPACE}", " ") == (
        "Turn 31 turned it: Anna climbs from a1 onto a2: height 5. (Chance of winning for Anna: 38 → 91%)"
    )


@pytest.mark.parametrize(
    ("winners", "level", "ways"),
    [
        ((0,), "medium", ["Harder"]),
        ((1,), "medium", ["Easier"]),
        ((), "medium", []),
        ((0, 1), "medium", ["Easier", "Harder"]),
        ((0,), "hard", []),
        ((1,), "easy", []),
    ],
)
def test_after_a_win_the_house_can_be_harder_after_a_loss_easier(
    winners: tuple[int, ...], level: str, ways: list[str]
) -> None:
    guest = Seat(house(1), "", "en", house=True)
    ended = Result("passed", winners, (7, 7))
    against = replace(TABLE, seats=(TABLE.seats[0], guest), level=level, result=ended)
    assert [button.label for button in board_rows(against, None, "en")[0]] == ["Rematch", *ways]


def test_a_game_without_a_move_offers_no_review() -> None:
    resigned = Entry(1, 0, "", 0, event="resigned")
    for recent, labels in (((), []), ((resigned,), []), ((Entry(1, 0, "a1-a2", 0), resigned), ["How it went"])):
        rows = board_rows(TABLE, None, "en", recent)
        assert [button.label for button in rows[1] if button.label == "How it went"] == labels


def test_between_people_a_rematch_has_no_levels() -> None:
    assert [button.label for button in board_rows(TABLE, None, "en")[0]] == ["Rematch"]


def test_each_result_says_what_decided_it_and_an_analysis_says_it_once() -> None:
    tie = News("tie_broken", 0, (("heights", "5"), ("lower", "4")), 1, explains=True)
    last = Entry(41, 0, "pass", 0, news=(News("pass", 0), tie))
    view = GAMES["kabooom"].start(2, {}, seed=1).view(None)
    assert "5; Ben 4" in notes.own_view(TABLE, view, (last,), 0, Picture(b"", ""), "en", secret=False).text
    review = Review(((50.0, 50.0), (100.0, 0.0)), (TurningPoint(0, 0, 1, ("pass",)),))
    answer = reviews.post(Reviewed(TABLE, review, (last,), (view, view)), PublicPicture(b"", ""), "en").text
    assert answer.count("by the taller tower") == 1


def test_a_turning_point_tells_the_piece_of_its_turn_too() -> None:
    table = replace(TABLE, game="crystalla")
    walk = News("walk", 0, (("stack", "1"), ("path", "2 → 4"), ("card", "em")))
    lay = News("lay", 0, (("card", "em"), ("cell", "b1"), ("corner", "sw")))
    own = News("own", 0, (("piece", "tl"),))
    cover = News("cover", 0, (("piece", "tl"), ("cell", "c2"), ("covered", "em")))
    entries = tuple(
        Entry(41 + number, 0, "keep", 0, news=(item,)) for number, item in enumerate((walk, lay, own, cover))
    )
    view = GAMES["crystalla"].start(2, {}, seed=1).view(None)
    review = Review(((77.0, 23.0), (40.0, 60.0)), (TurningPoint(0, 0, 4),))
    answer = reviews.post(Reviewed(table, review, entries, (view,) * 5), PublicPicture(b"", ""), "en").text
    assert ", lays it on b1, a pair: 🩵 large tourmaline on c2." in answer


def test_a_better_choice_later_in_a_turn_is_told_alone() -> None:
    played = games("crystalla")[0]
    number, spot, other = next(
        (number, action, options[0])
        for number, action in enumerate(played.actions)
        if kind(action) == "cover"
        if (options := [option for option in played.states[number].actions() if option != action])
    )
    before = str(played.actions[number - 1])
    entries = (Entry(1, 0, before, 0), Entry(2, 0, str(spot), 0))
    review = Review(((77.0, 23.0), (40.0, 60.0)), (TurningPoint(0, 0, 2, (before, str(other))),))
    views = tuple(state.view(None) for state in played.states[number - 1 : number + 2])
    game = Reviewed(replace(TABLE, game="crystalla"), review, entries, views)
    answer = reviews.post(game, PublicPicture(b"", ""), "en").text
    advice = rf"A stronger choice after “[^”]+”, I think, would have been: put the piece on {other}\."
    assert re.search(advice, answer), answer


def test_a_long_turn_of_an_analysis_ends_after_a_whole_part() -> None:
    crystals = "takes \U0001f537\u2b1b diamond + hematite, "
    line = reviews.shortened(["Anna: stack 1 → 2, " + crystals * 8 + "puts the piece on c2."])
    parts = line.removesuffix(" … puts the piece on c2.").split(", ")
    assert set(parts[1:]) == {crystals.removesuffix(", ")}


def test_who_wins_as_the_last_one_reads_who_was_the_last_opponent() -> None:
    seats = (*TABLE.seats, Seat(PersonId("x:c"), "Clara", "en"))
    table = replace(TABLE, game="kalejdoschach", seats=seats, result=Result("blocked", (0,), (4, 0, 2)))
    view = GAMES["kalejdoschach"].start(3, {}, seed=1).view(None)
    assert result(table, view, (), "en") == "🏆 Anna wins\nClara can't move any more."
    assert result(table, view, (), "de") == "🏆 Anna gewinnt\nClara kann nicht mehr ziehen."
