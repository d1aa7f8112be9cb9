"""KalejdoSchach: free start positions. Rulebook: "one can also experiment with changing the start positions"."""

import json

import pytest

from rules.contract import BadOption
from rules.games.kalejdoschach import GAME, State
from rules.games.kalejdoschach.setups import LONGEST, OPTION, read

TWO = "w1j p1d / w5j p5d"


def start(position: str, seats: int = 2, **options: str) -> State:
    return GAME.start(seats, {"position": position, **options}, 7)


def refused(text: str) -> tuple[str, str]:
    """Return the code and the detail with which a text is refused."""
    with pytest.raises(BadOption) as bad:
        read(text)
    return bad.value.code, bad.value.detail


def test_the_pieces_stand_where_the_text_says() -> None:
    pieces = {field: str(piece) for field in ("1j", "1d", "5j", "5d") if (piece := start(TWO).at(field))}
    assert pieces == {"1j": "0w", "1d": "0p", "5j": "1w", "5d": "1p"}
    assert sum(piece is not None for piece in start(TWO).board) == 4


def test_the_usual_position_is_that_of_the_rules() -> None:
    assert start("usual") == GAME.start(2, {}, 7)
    assert b"position" not in GAME.encode(start("usual")), "the page's document stays as it is"


def test_such_a_game_is_one_of_the_rules_and_a_document() -> None:
    state = start(TWO).play(start(TWO).actions()[0])
    assert GAME.decode(GAME.encode(state)) == state
    assert json.loads(GAME.encode(state))["options"]["position"] == "w1j.p1d/w5j.p5d"


@pytest.mark.parametrize(
    "text",
    [
        "w1j p1d / w5j p5d",
        " P1D,w1j/w5j;p5d ",
        "w1jp1d|w5jp5d",
        "Wizard1j pawn1d / Zauberer 5j Bauer 5d /",
        "trollkarl1j bonde1d / w5j. p5d.",
        "w1j.p1d/w5j.p5d",
    ],
)
def test_a_position_is_read_leniently_and_kept_in_one_form(text: str) -> None:
    assert read(text) == "w1j.p1d/w5j.p5d"


@pytest.mark.parametrize(
    ("text", "code", "detail"),
    [
        ("", "empty", ""),
        (" / ", "empty", ""),
        ("w1j " * 200, "long", str(LONGEST)),
        ("w1j 1d / w5j", "unread", "1d"),
        ("w1j <b> / w5j", "unread", "<b>"),
        ("q1j / w5j", "kind", "q"),
        ("queen1j / w5j", "kind", "queen"),
        ("w1j p9z / w5j", "field", "9z"),
        ("w1j p01 / w5j", "field", "01"),
        ("w1j p1d", "players", "1"),
        ("w1j / w3j / w5j / w7j / w00", "players", "5"),
        ("w1j p1j / w5j", "twice", "1j"),
        ("w1j p5j / w5j", "twice", "5j"),
        ("w1j p1d / p5d", "castle", "2"),
        ("p1d / w5j", "castle", "1"),
        ("w1j / / w5j", "castle", "2"),
        ("t1j / w5j p1g p1i p1k p1f p1h p1e p8h p2f p2i p8k p8g p2g", "stuck", "1"),
    ],
)
def test_what_is_wrong_with_a_position_is_said(text: str, code: str, detail: str) -> None:
    assert refused(text) == (code, detail)


def army(number: int, slices: str, kind: str = "v") -> str:
    fields = [f"{slice_}{letter}" for slice_ in slices for letter in "jihgfedcbak"]
    return " ".join(f"{kind}{field}" for field in fields[:number])


def test_a_player_has_at_most_18_pieces_and_the_board_36() -> None:
    assert start(f"{army(18, '12')} / {army(18, '56')}").actor == 0
    assert refused(f"{army(19, '12')} / w5j") == ("many", "1")
    assert refused(f"{army(13, '12')} / {army(13, '34')} / {army(13, '56')}") == ("crowd", "39")


def test_a_position_is_for_as_many_players_as_it_has_armies() -> None:
    assert [*GAME.seats_with({"position": TWO})] == [2]
    with pytest.raises(BadOption, match="others: 2"):
        start(TWO, seats=3)


def test_a_handicap_replaces_the_pieces_of_such_a_position_too() -> None:
    assert str(start("w1j d1d / w5j", handicap="ravens1").at("1d")) == "0v"


def test_a_die_may_be_thrown_in_such_a_game() -> None:
    assert start(TWO, dice="on").die in range(1, 7)


def test_a_document_has_the_position_in_its_one_form() -> None:
    document = json.loads(GAME.encode(start(TWO)))
    document["options"]["position"] = TWO
    with pytest.raises(ValueError, match="canonical form"):
        GAME.decode(json.dumps(document))
    document["options"]["position"] = read(OPTION.examples[1])
    with pytest.raises(BadOption, match="others: 3"):
        GAME.decode(json.dumps(document))
