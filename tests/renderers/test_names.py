"""Names in pictures: whole up to nineteen letters, in two lines if one is too short, and never cut for a crown."""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from kaleidobot.testing.looking import a_look
from renderers import Look, board, drawers, lobbies
from renderers.frame import named
from renderers.lettering import IF_CUT, drawable, fitted, lines
from renderers.scene import Scene, Text, parts
from rules import GAMES

LONG = (
    "Annika v. Westerman",
    "Maximilian Gruberma",
    "Chloé-Marie Duponte",
    "Friedrich Sommerfel",
    "Eva-Maria Hollander",
    "dragonslayer_of_199",
)
COUNTS = [(game, seats) for game in drawers() for seats in GAMES[game].seats]


def shown(scene: Scene, names: tuple[str, ...]) -> list[str]:
    """Return the names in a picture as they are drawn, with both lines of one as one."""
    pieces = {part for name in names for part in (name, *(name[a:b].strip() for a, b in _cuts(name)))}
    texts = [part for part in parts(scene.shapes) if isinstance(part, Text) and part.text in pieces and part.room]
    drawn = "|".join(fitted(text.text, text.size, text.bold, text.room) for text in texts)
    return [name for name in names if any(whole in drawn for whole in (name, *_broken(name)))]


def _cuts(name: str) -> Iterator[tuple[int, int]]:
    return (pair for at in range(1, len(name)) for pair in ((0, at), (at, len(name))))


def _broken(name: str) -> Iterator[str]:
    return (f"{name[:at].strip()}|{name[at:].strip()}" for at in range(1, len(name)))


@cache
def states(game: str, seats: int) -> tuple[Any, ...]:
    """Return the first position of a random game, one in the middle, and the last one."""
    state: Any = GAMES[game].start(seats, seed=seats)
    played, luck = [state], random.Random(seats)
    while state.actor is not None:
        state = state.play(luck.choice(state.actions()))
        played.append(state)
    return played[0], played[len(played) // 2], played[-1]


@pytest.mark.parametrize(("game", "seats"), COUNTS)
def test_names_of_nineteen_letters_are_whole_at_every_number_of_seats(game: str, seats: int) -> None:
    for state in states(game, seats):
        for look in (a_look(*LONG[:seats]), a_look(*LONG[:seats], turns=42, minutes=60)):
            view = state.view(None)
            assert shown(board(view, look), LONG[:seats]) == list(LONG[:seats]), (state.actor, view.outcome)


@pytest.mark.parametrize("game", list(drawers()))
def test_names_of_nineteen_letters_are_whole_in_a_lobby(game: str) -> None:
    taken = LONG[: GAMES[game].seats[-1]]
    assert shown(lobbies.scene(game, a_look(*taken)), taken) == list(taken)


@pytest.mark.parametrize(("game", "seats"), COUNTS)
def test_people_whose_names_are_cut_alike_are_told_apart(game: str, seats: int) -> None:
    same = "Annika Franziska Magdalena Westermann-Lüdenscheidt zu Hohenstein "
    look = a_look(*(same + end for end in ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")[:seats]))
    for state in states(game, seats):
        scene = board(state.view(None), look)
        cut = [fitted(t.text, t.size, t.bold, t.room) for t in parts(scene.shapes) if isinstance(t, Text) and t.room]
        numbers = [name[-2] for name in cut if name.endswith(")") and name[-3:-1].strip("(").isdigit()]
        assert set(numbers) == set("123456"[:seats]) or all(name in "".join(cut) for name in ("Ada", "Ben"))


@pytest.mark.parametrize("room", [80, 120, 160, 200])
@pytest.mark.parametrize("name", [*LONG, f"Maria Anna{IF_CUT} (1)", "Wilhelmina (2)", "W" * 80, "محمد بن سلمان"])
def test_both_lines_of_a_name_have_all_of_its_letters(name: str, room: int) -> None:
    written = lines(name, 24, False, room)
    assert len(written) <= 2
    assert "".join(written).replace(" ", "") in (name.replace(" ", ""), name.partition(IF_CUT)[0].replace(" ", ""))
    assert all(drawable(line) for line in written)


def test_both_lines_of_a_name_are_bold_if_they_have_room() -> None:
    for room, bold in ((100, True), (88, False)):
        written = [part for part in named("Jürgen-Peter", (0, 0), room) if isinstance(part, Text)]
        assert [(text.text, text.bold) for text in written] == [("Jürgen-", bold), ("Peter", bold)]


def test_no_names_are_no_lines() -> None:
    assert shown(lobbies.scene("kabooom", Look(())), LONG) == []
