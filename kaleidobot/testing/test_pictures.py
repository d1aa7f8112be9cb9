"""The rules for every picture of every game: its size, its marks, its lettering, its words, its file and its speed."""

import time
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from kaleidobot.testing.looking import NAMES, a_look, live, scene_of
from kaleidobot.testing.painted import theme, view
from kaleidobot.testing.playing import games, some_states
from kaleidobot.testing.selection import games_under_test
from renderers import ALT_LONGEST, Look, Recent, Theme, alt_text, card, cards, drawer, drawers, picture, positions_of
from renderers.paint import painter
from renderers.plaque import took
from renderers.scene import LINE_MIN, TEXT_MIN, AnyShape, Box, Disc, Line, Polygon, Stamp, Text, parts
from rules import Game

__all__ = ["theme", "view"]

PAINTED_S = 0.1
THOUGHT_S = 0.05
"""Most CPU seconds for a picture, and for one step of a search; ours take a tenth of these."""


def test_the_picture_has_the_shape_of_all_pictures(view: Any) -> None:
    """Chats show a picture in a wide frame: a higher one would be smaller."""
    wide, high = scene_of(view).size
    assert wide >= 1000
    assert 0.72 <= high / wide <= 0.9


def test_a_finished_game_has_a_small_card_with_a_rosette_of_its_board(game: Game, theme: Theme) -> None:
    view = games(game.id)[0].states[-1].view(None)
    look = a_look(theme=theme, turns=42, minutes=60)
    scene = cards.scene(view, look)
    (rosette,) = scene.rosettes
    assert len(rosette.wedges) >= 20
    names = [part.text for part in parts(scene.shapes) if isinstance(part, Text)]
    assert {name for name in names if name in NAMES} == set(NAMES[: view.seats])
    assert len(card(view, look)) <= 1000 * scene.kilobytes


def played(game: Game, seats: int) -> tuple[Any, list[Recent]]:
    """Return a position after three rounds, or before an earlier end, and the actions of the last round."""
    luck = Random(5)
    state: Any = game.start(seats, {}, seed=seats)
    turns: list[list[Recent]] = []
    while len(turns) < 3 * seats or state.actor == turns[-1][0].seat:
        assert state.actor is not None
        actions = [action for action in state.actions() if not state.warns(action) and str(action) != "draw"]
        action = luck.choice(actions or state.actions())
        after = state.play(action)
        if after.actor is None:
            break
        if not turns or turns[-1][0].seat != state.actor:
            turns.append([])
        turns[-1].append(Recent(state.actor, str(action)))
        state = after
    return state.view(None), [recent for turn in turns[-seats:] for recent in turn]


def test_every_recent_action_is_marked_and_known_ones_faintly(game: Game) -> None:
    """Mark all actions of ``look.recent``, not only the last one, and those that are ``is_faint`` in another way."""
    for seats in [number for number in game.seats if number > 1][:2]:
        view, recent = played(game, seats)
        first, newest, told = recent[0].seat, recent[-1].seat, " ".join(each.action for each in recent)

        def shown(marked: Iterable[Recent], view: Any = view) -> str:
            return str([*live(scene_of(view, a_look(recent=tuple(marked))))])

        strong = shown(recent)
        own_faint = shown(Recent(each.seat, each.action, each.seat == first) for each in recent)
        assert strong != own_faint, f"of {told}, {recent[0].action} is marked alike whether is_faint or not"
        assert strong != shown(each for each in recent if each.seat == newest), f"of {told}, only the last is marked"


def test_no_lettering_and_no_line_is_too_small(view: Any) -> None:
    def looked_at(shapes: tuple[AnyShape, ...]) -> None:
        for shape in shapes:
            match shape:
                case Text(size=size):
                    assert size >= TEXT_MIN
                case Line(width=pen):
                    assert pen >= LINE_MIN
                case Polygon(line=line, width=pen) | Disc(line=line, width=pen) | Box(line=line, width=pen) if line:
                    assert pen >= LINE_MIN
                case Stamp(sprite=sprite) if sprite.ground:
                    looked_at(sprite.shapes)
                case _:
                    pass

    scene = scene_of(view)
    looked_at(scene.everything)


def test_the_picture_is_small(view: Any, theme: Theme) -> None:
    most = drawer(view).kilobytes
    assert len(picture(view, a_look(theme=theme))) <= most * 1000


def test_the_words_are_short_enough_for_a_chat(view: Any) -> None:
    for lang in ("en", "de"):
        assert 0 < len(alt_text(view, a_look(*("N" * 200,) * 6, lang=lang))) <= ALT_LONGEST


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("names", [NAMES, [f"Maximiliane Wilhelmine {n}" for n in range(6)]])
def test_of_a_long_description_names_are_shortened_and_nothing_is_cut(view: Any, names: Any, lang: str) -> None:
    look = a_look(*names, lang=lang, turns=123, minutes=5000)
    text, whole = alt_text(view, look), drawer(view).alt_text(view, look)
    assert text.removesuffix(f" {took(look)}.")[-12:] == whole[-12:]


def test_a_picture_needs_no_names(view: Any) -> None:
    assert picture(view, Look(()))


def test_every_game_has_positions_to_look_at() -> None:
    """Put documents of positions into ``positions/``; one of them is named by the drawer's ``sample``."""
    for name in games_under_test():
        assert drawers()[name].sample in {source.stem for source in positions_of(name)}


def is_quick(do: Any, limit_s: float) -> bool:
    """Return whether one of three calls takes less CPU time: other load on the machine hardly changes the shortest."""

    def spent_s() -> float:
        begun = time.thread_time()
        do()
        return time.thread_time() - begun

    return any(spent_s() < limit_s for _ in range(3))


def test_a_picture_is_painted_quickly(view: Any) -> None:
    """Build still shapes and sprites in cached functions, and make repeated shapes tiles or crisp sprites."""
    look = a_look()
    painter(look.theme).paint(scene_of(view, look))  # the caches are full while people play
    assert is_quick(lambda: painter(look.theme).paint(scene_of(view, look)), PAINTED_S)


def test_a_step_of_a_search_is_quick(game: Game) -> None:
    """Search plays an action and evaluates the position, some thousand times a second."""
    state = some_states(game.id)[1]
    after = state.play(state.actions()[0])
    seat = 0

    def step() -> None:
        state.actions()
        state.play(state.actions()[0])
        if after.actor is not None:
            after.win_probability(seat)
            after.tactical_actions()

    assert is_quick(step, THOUGHT_S)
