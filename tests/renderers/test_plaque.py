"""The plaque under a final board: winner, crown, points, and the length of the game."""

from typing import Any

import pytest

from kaleidobot.testing.looking import NAMES, ODD_NAMES, a_look, pixels, positions
from renderers import ALT_LONGEST, Look, SeatLook, Theme, alt_text, board, picture, pieces
from renderers.lettering import fitted
from renderers.palette import HUES
from renderers.plaque import HEIGHT
from renderers.scene import Scene, Sprite, Stamp, Text, moved, parts
from rules.contract import Outcome

DAY = 24 * 60
OVER = {name: view for name, view in positions().items() if view.outcome is not None}


def plaque(scene: Scene) -> Sprite:
    last = scene.shapes[-1]
    assert isinstance(last, Stamp)
    assert last.sprite.name.startswith("plaque")
    return last.sprite


def lettering(sprite: Sprite) -> list[str]:
    return [part.text for part in parts(sprite.shapes) if isinstance(part, Text)]


@pytest.mark.parametrize("name", OVER)
def test_a_final_board_shows_winner_points_and_length(name: str) -> None:
    view = OVER[name]
    own = plaque(board(view, a_look(turns=42, minutes=3 * DAY)))
    assert "42 turns · 3 days" in lettering(own)
    assert [text for text in lettering(own) if text in NAMES] == [NAMES[seat] for seat in view.outcome.winners]
    crowns = [part for part in own.shapes if isinstance(part, Stamp) and part.sprite.name == "crown"]
    assert len(crowns) == bool(view.outcome.winners)
    if view.standing() is not None and view.outcome.winners:
        assert str(max(view.outcome.scores)) in lettering(own)


@pytest.mark.parametrize("name", OVER)
def test_the_board_above_it_is_the_same(name: str) -> None:
    for theme in Theme:
        whole = pixels(picture(OVER[name], a_look(theme=theme, turns=1, minutes=DAY)))
        alone = pixels(picture(OVER[name], a_look(theme=theme)))
        left = (whole.width - alone.width) // 2
        assert whole.height == alone.height + HEIGHT <= 0.9 * whole.width
        assert whole.crop((left, 0, left + alone.width, alone.height)).tobytes() == alone.tobytes()


@pytest.mark.parametrize("name", OVER)
def test_outlines_of_pieces_move_with_the_board(name: str) -> None:
    view, final = OVER[name], a_look(turns=1, minutes=DAY)
    left = (board(view, final).size[0] - board(view, a_look()).size[0]) // 2
    for seat in range(view.seats):
        alone = pieces(view, seat, a_look())
        assert pieces(view, seat, final) == tuple(moved(outline, (left, 0)) for outline in alone)


def test_a_game_that_goes_on_has_none() -> None:
    view = next(view for view in positions().values() if view.outcome is None)
    assert board(view, a_look(turns=1, minutes=DAY)) == board(view, a_look())
    assert alt_text(view, a_look(turns=1, minutes=DAY)) == alt_text(view, a_look())


def test_one_that_the_table_ended_has_one() -> None:
    view = next(view for view in positions().values() if view.outcome is None)
    look = a_look(turns=7, minutes=2 * DAY, ended=Outcome((0,) * view.seats, (1,), "resigned"))
    assert NAMES[1] in lettering(plaque(board(view, look)))
    nobody = a_look(turns=7, minutes=2 * DAY, ended=Outcome((0,) * view.seats, (), "ended"))
    assert lettering(plaque(board(view, nobody))) == ["7 turns · 2 days"]


def test_the_words_say_the_same() -> None:
    view = next(iter(OVER.values()))
    assert alt_text(view, a_look(turns=42, minutes=DAY)) == f"{alt_text(view, a_look())} 42 turns · 24 hours."
    long = alt_text(view, a_look(*["N" * 400] * 6, turns=1, minutes=3 * DAY, lang="de"))
    assert long.endswith(" 1 Zug · 3 Tage.")
    assert len(long) <= ALT_LONGEST


@pytest.mark.parametrize(
    ("minutes", "lang", "words"),
    [
        (0, "en", "1 minute"),
        (12, "en", "12 minutes"),
        (119, "de", "119 Minuten"),
        (120, "en", "2 hours"),
        (20 * 60 + 29, "de", "20 Stunden"),
        (2 * DAY - 1, "en", "48 hours"),
        (2 * DAY, "de", "2 Tage"),
        (9 * DAY, "en", "9 days"),
    ],
)
def test_it_took_minutes_hours_or_days(minutes: int, lang: str, words: str) -> None:
    look = a_look(turns=42, minutes=minutes, lang=lang)
    view = next(iter(OVER.values()))
    (said,) = (text for text in lettering(plaque(board(view, look))) if text.startswith("42 "))
    assert said.endswith(f" · {words}")
    assert alt_text(view, look).endswith(f" · {words}.")


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("winners", [(0,), (0, 1), tuple(range(6))])
def test_everything_is_side_by_side_with_any_names(name: str, winners: tuple[int, ...]) -> None:
    view: Any = positions()["kaleidoskop/six-full"]
    seats = tuple(SeatLook(name, HUES[seat]) for seat in range(6))
    look = Look(seats, ended=Outcome((120,) * 6, winners, "ended"), turns=12_345, minutes=365 * DAY)
    own = plaque(board(view, look))
    ends: list[tuple[float, float]] = []
    for part in own.shapes:
        if isinstance(part, Stamp):
            ends.append((part.at[0] - part.sprite.reach[0], part.at[0] + part.sprite.reach[0]))
        elif isinstance(part, Text) and part.align == "left":
            assert part.room is not None
            assert part.room >= 60
            ends.append((part.at[0], part.at[0] + part.room))
    assert min(left for left, _ in ends) >= -500
    assert max(right for _, right in ends) <= 500
    assert fitted("12345 turns · 365 days", 24, False, 400) == "12345 turns · 365 days"
