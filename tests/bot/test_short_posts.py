"""A post is short: the picture says the rest, and the history tells everything."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from bot.chat import PersonId, PlaceId, PublicPicture
from bot.replies import news
from bot.replies.boards import MOST_LINES, board
from bot.tables.table import By, Entry, Phase, Seat, Table, TableId
from rules import GAMES, News

NAMES = ("Anna", "Ben", "Clara", "David", "Emil", "Frida")


def table(game: str, seats: int = 2) -> Table:
    people = tuple(Seat(PersonId(f"x:{name}"), name, "en") for name in NAMES[:seats])
    return Table(
        id=TableId("k3v7qpm2xa"),
        game=game,
        place=PlaceId("x:hall"),
        host=people[0].person,
        lang="en",
        created_ms=0,
        seats=people,
        phase=Phase.RUNNING,
        turn=7,
    )


def entry(number: int, seat: int, *items: News, turn: int = 0, by: By = By.PERSON) -> Entry:
    return Entry(number, seat, "a", 0, by, turn, items)


WALK = News("walk", 0, (("stack", "1"), ("path", "2 → 4"), ("card", "em")))
REFILL = News("refill", None, (("stack", "4"), ("donor", "2"), ("cards", "3")))
GIVE = News("give", 0, (("piece", "tl"), ("colour", "r")), 1)
COVER = News("cover", 1, (("piece", "tl"), ("cell", "c2"), ("covered", "em")))
LAY = News("lay", 0, (("card", "em"), ("cell", "b1"), ("corner", "sw")))


def test_a_turn_with_presents_and_refills_is_one_line() -> None:
    turn = [entry(1, 0, WALK, REFILL), entry(2, 0, GIVE), entry(3, 1, COVER), entry(4, 0, LAY)]
    (line,) = news.posted(table("crystalla"), turn, "en")
    assert line.startswith("Anna: stack 1 → 2 → 4, takes ")
    assert ", lays it on b1" in line
    assert len(news.lines(table("crystalla"), turn, "en")) == 5, "the history tells everything"


def test_since_tells_presents_and_their_reason() -> None:
    own = News("own", 0, (("piece", "tl"),))
    topped = News("topped", 0, (("piece", "tl"), ("cell", "b1"), ("covered", "em")))
    turn = [entry(1, 0, WALK), entry(2, 0, LAY), entry(3, 0, GIVE), entry(4, 0, own), entry(5, 0, topped)]
    (line,) = news.posted(table("crystalla"), turn, "en")
    assert line.endswith(", lays it on b1 (◣), with a crystal piece on it.")
    ((_, line),) = news.posted_turns(table("crystalla"), turn, "en", since=True)
    assert ", lays it on b1 (◣), a pair of stones for Ben: the " in line
    assert ", a pair of stones: the " in line
    assert line.endswith(", puts the piece on b1.")


def test_counts_that_the_picture_shows_are_left_out() -> None:
    placed = News("place0", 0, (("well", "38"), ("colour", "y")))
    bought = News("buy", 0, (("tool", "mirror"),))
    spent = News("spent", 0, (("paid", "3"),))
    ended = News("end", 0, (("score", "1"), ("goal", "15")))
    (line,) = news.posted(
        table("kaleidoskop"), [entry(1, 0, placed), entry(2, 0, bought, spent), entry(3, 0, ended)], "en"
    )
    assert line == "Anna: 🟡 yellow into well 38, buys 🪞 Mirror, −3 💎."
    (alone,) = news.posted(table("kaleidoskop"), [entry(1, 0, placed), entry(2, 0, ended)], "en")
    assert alone == "Anna puts 🟡 yellow into well 38. No hexes change."


def test_each_player_and_turn_has_a_line_of_its_own() -> None:
    turns = [entry(n, n % 2, News("pass", n % 2), turn=n) for n in range(3)]
    assert news.posted(table("kabooom"), turns, "en") == ["Anna passes.", "Ben passes.", "Anna passes."]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_post_about_many_turns_tells_the_newest(seats: int) -> None:
    rows: Sequence[Entry] = [entry(n, n % seats, News("pass", n % seats), turn=n) for n in range(9)]
    view = replace(GAMES["kabooom"].start(seats, {}, seed=1).view(None))
    post = board(table("kabooom", seats), view, rows, PublicPicture(b"", ""), "en")
    assert post.call is not None
    lines = post.text.splitlines()
    assert len(lines) == MOST_LINES - 2
    assert lines[0] == "(+6 earlier events)"
    assert lines[-1].endswith("passes.")
