"""The picture of a lobby: the game's own banner, and the seats as they fill."""

from itertools import pairwise

import pytest

import texts
from kaleidobot.testing.looking import NAMES, ODD_NAMES, a_look, pixels
from kaleidobot.testing.selection import games_under_test
from renderers import ALT_LONGEST, Look, SeatLook, Theme, drawers, lobbies, lobby, lobby_text
from renderers.paint import painter
from renderers.scene import Scene, Stamp, Text, parts
from rules import GAMES

KILOBYTES = 60


@pytest.fixture(params=games_under_test())
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def seats_of(scene: Scene, kind: str) -> list[Stamp]:
    return [shape for shape in scene.shapes if isinstance(shape, Stamp) and shape.sprite.name == kind]


def test_every_seat_of_the_game_is_there_taken_or_free(name: str) -> None:
    for taken in range(GAMES[name].seats[-1] + 1):
        scene = lobbies.scene(name, a_look(*NAMES[:taken]) if taken else Look(()))
        assert len(seats_of(scene, "taken")) == taken
        assert len(seats_of(scene, "free")) == GAMES[name].seats[-1] - taken
        lettering = [part.text for part in parts(scene.shapes) if isinstance(part, Text)]
        assert [text for text in lettering if text in NAMES] == list(NAMES[:taken])
        assert f"{taken}/{GAMES[name].seats[-1]}" in lettering
        assert texts.say(name, "name", "en") in lettering


def test_the_seats_are_side_by_side_in_the_picture(name: str) -> None:
    scene = lobbies.scene(name, a_look(*NAMES[:1]))
    boxes = []
    for stamp in (*seats_of(scene, "taken"), *seats_of(scene, "free")):
        (x, y), (wide, high) = stamp.at, stamp.sprite.reach
        boxes.append((x - wide, y - high, x + wide, y + high))
    assert all(
        x0 >= 0 and y0 >= lobbies.BAND and x1 <= scene.size[0] and y1 <= scene.size[1] for x0, y0, x1, y1 in boxes
    )
    for k, (x0, y0, x1, y1) in enumerate(boxes):
        assert all(x1 <= a0 or a1 <= x0 or y1 <= b0 or b1 <= y0 for a0, b0, a1, b1 in boxes[k + 1 :])


@pytest.mark.parametrize("theme", list(Theme))
def test_it_is_small_and_all_but_the_seats_is_kept(name: str, theme: Theme) -> None:
    few, many = (lobbies.scene(name, a_look(*NAMES[:taken], theme=theme)) for taken in (1, 2))
    assert few.still == many.still
    assert len(painter(theme).paint(many)) <= KILOBYTES * 1000


def test_the_games_own_pieces_are_around_its_rosette(name: str) -> None:
    laid = [stamp for stamp in lobbies.scene(name, Look(())).still if isinstance(stamp, Stamp)]
    for stamp, piece in zip(laid, drawers()[name].banner(), strict=True):
        assert stamp.sprite.name.startswith(piece.name)
    assert 4 <= len(laid) <= 6
    assert all(stamp.sprite.reach[1] <= lobbies.BAND / 2 for stamp in laid)
    for left, right in pairwise(laid):
        assert left.at[0] + left.sprite.reach[0] <= right.at[0] - right.sprite.reach[0]
    assert all(abs(stamp.at[0] - lobbies.EYE[0]) - stamp.sprite.reach[0] >= lobbies.RADIUS for stamp in laid)
    shown = pixels(lobby(name, Look(()))).crop((0, 0, 1000, lobbies.BAND))
    others = [pixels(lobby(other, Look(()))).crop((0, 0, 1000, lobbies.BAND)) for other in drawers() if other != name]
    assert all(shown.tobytes() != other.tobytes() for other in others)
    assert len(shown.getcolors(1 << 20) or ()) > 20


def test_a_seat_shows_its_colours_sign_or_a_person_or_the_house() -> None:
    red, anybody, house = (
        lobbies.scene("kabooom", Look((seat,)))
        for seat in (SeatLook("Ada", "red"), SeatLook("Ada"), SeatLook("Ada", house=True))
    )
    assert len({repr(seats_of(scene, "taken")[0].sprite.shapes) for scene in (red, anybody, house)}) == 3


@pytest.mark.parametrize("odd", ODD_NAMES)
def test_any_name_can_sit_there(odd: str) -> None:
    look = a_look(odd, odd)
    scene = lobbies.scene("kabooom", look)
    for stamp in seats_of(scene, "taken"):
        for part in stamp.sprite.shapes:
            if isinstance(part, Text):
                assert part.room is not None
                assert part.at[0] + part.room <= stamp.sprite.reach[0]
    assert pixels(lobby("kabooom", look)).size == scene.size
    assert 0 < len(lobby_text("kabooom", look)) <= ALT_LONGEST


def test_the_words_say_the_same() -> None:
    assert lobby_text("kabooom", a_look("Ada", "Ben")) == "The lobby of Kabooom!: Ada and Ben. Seats taken: 2 of 4."
    assert (
        lobby_text("kabooom", a_look("Ada", "王小明", lang="de"))
        == "Der Tisch für Kabooom!: Ada und 王小明. Besetzte Plätze: 2 von 4."
    )


def test_an_empty_lobby_has_words() -> None:
    assert lobby_text("kabooom", Look(())) == "The lobby of Kabooom!: –. Seats taken: 0 of 4."
