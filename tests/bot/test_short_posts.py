"""A post is short: the picture says the rest, and the history tells everything."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

import texts
from bot.chat import PersonId, PlaceId, PublicPicture
from bot.replies import news
from bot.replies.boards import MOST_LINES, board
from bot.tables.table import By, Entry, Phase, Seat, Table, TableId
from kaleidobot.testing.playing import games
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


def test_a_turn_names_each_piece_once_in_its_line() -> None:
    own = News("own", 0, (("piece", "ds"),))
    cover = News("cover", 0, (("piece", "ds"), ("cell", "a1"), ("covered", "em")))
    turn = [entry(1, 0, WALK, REFILL), entry(2, 0, LAY), entry(3, 0, own), entry(4, 0, cover), entry(5, 0, GIVE)]
    (line,) = news.posted(table("crystalla"), turn, "en")
    assert line == (
        "Anna: takes em, lays it on b1, a pair: 🔷 small diamond on a1, a pair for Ben: 🩵 large tourmaline."
    )
    assert len(news.lines(table("crystalla"), turn, "en")) == 6, "the history tells everything"


def test_a_piece_without_room_is_told_too() -> None:
    nowhere = News("nowhere", 1, (("piece", "tl"),))
    (line,) = news.posted(table("crystalla"), [entry(1, 0, WALK), entry(2, 0, LAY), entry(3, 0, GIVE, nowhere)], "en")
    assert line.endswith(", a pair for Ben: 🩵 large tourmaline, no room for the crystal piece.")


def test_the_receiver_of_a_piece_has_a_line_of_its_own() -> None:
    turns = [entry(1, 0, WALK), entry(2, 0, LAY), entry(3, 0, GIVE), entry(4, 1, COVER, turn=1)]
    gift, cover = news.posted(table("crystalla"), turns, "en")
    assert gift.endswith(", a pair for Ben: 🩵 large tourmaline.")
    assert cover == "Ben puts the 🩵 large tourmaline on c2, over em."


@pytest.mark.parametrize("lang", texts.languages())
def test_each_piece_of_a_game_is_in_a_line_that_fits_a_phone(lang: str) -> None:
    """Three printed lines of 40 characters each."""
    lines = pieces = 0
    for played in games("crystalla"):
        entries, turn = list[Entry](), 0
        for number, (state, action, after) in enumerate(played.steps()):
            entries.append(Entry(number, state.actor, str(action), 0, turn=turn, news=state.news(action, after)))
            turn += after.actor != state.actor or state.ends_turn(after)
        for told, line in news.posted_turns(table("crystalla", played.seats), entries, lang):
            items = [item for entry in told for item in entry.news]
            assert len(line) <= 122 or items[0].code in {"swap", "keep"}
            for item in items:
                if item.code in {"cover", "give"}:
                    assert texts.say("crystalla", f"part.{dict(item.facts)['piece']}", lang) in line
                    pieces += 1
            lines += 1
    assert lines > 100
    assert pieces > 40


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
