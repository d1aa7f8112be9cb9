"""How a post tells the end of a game."""

from msgspec.structs import replace

from bot.chat import PersonId, Picture, PlaceId, PublicPicture
from bot.extras.reviews import replies as reviews
from bot.extras.reviews.replies import Reviewed
from bot.extras.reviews.review import Review, TurningPoint
from bot.replies import notes
from bot.replies.boards import board
from bot.replies.news import result
from bot.tables.table import Entry, Phase, Result, Seat, Table, TableId
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


def test_why_a_game_is_over_comes_before_what_decided_it() -> None:
    tie = News("tie_broken", 0, (("heights", "5"), ("lower", "4")), 1, explains=True)
    moved = News("move", 0, (("source", "a1"), ("target", "a2"), ("height", "5")))
    last = Entry(41, 0, "a1-a2", 0, news=(moved, tie))
    view = GAMES["kabooom"].start(2, {}, seed=1).view(None)
    post = board(TABLE, view, (last,), PublicPicture(b"", ""), "en")
    moved_line, ended, decided, points = post.text.splitlines()
    assert "a1" in moved_line
    assert ended.startswith("Nobody can move any more")
    assert "5; Ben 4" in decided
    assert points == "Anna 9 · Ben 9"


def test_each_result_says_what_decided_it_and_an_analysis_says_it_once() -> None:
    tie = News("tie_broken", 0, (("heights", "5"), ("lower", "4")), 1, explains=True)
    last = Entry(41, 0, "pass", 0, news=(News("pass", 0), tie))
    view = GAMES["kabooom"].start(2, {}, seed=1).view(None)
    assert "5; Ben 4" in notes.own_view(TABLE, view, (last,), 0, Picture(b"", ""), "en", secret=False).text
    review = Review(((50.0, 50.0), (100.0, 0.0)), (TurningPoint(0, 0, 1, ("pass",)),))
    told = reviews.post(Reviewed(TABLE, review, (last,), (view, view)), PublicPicture(b"", ""), "en").text
    assert told.count("5; Ben 4") == 1


def test_who_wins_as_the_last_one_reads_who_was_the_last_opponent() -> None:
    seats = (*TABLE.seats, Seat(PersonId("x:c"), "Clara", "en"))
    table = replace(TABLE, game="kalejdoschach", seats=seats, result=Result("capitulation", (0,), (4, 0, 2)))
    view = GAMES["kalejdoschach"].start(3, {}, seed=1).view(None)
    assert result(table, view, (), "en").splitlines()[0] == "Anna wins: Clara has capitulated."
    assert result(table, view, (), "de").splitlines()[0] == "Anna gewinnt: Clara hat kapituliert."
