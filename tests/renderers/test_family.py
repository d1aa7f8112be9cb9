"""What all drawers have in common, so that five worlds are one family."""

from typing import Any

import pytest

from renderers import Theme, drawers, emblem, handed_out
from renderers.frame import leading
from renderers.paint import painter
from renderers.palette import HUES, colours, contrast
from renderers.scene import Scene, Stamp, Text, parts
from rules import GAMES
from tests.renderers.looking import pixels, positions, scene_of


@pytest.fixture(params=list(positions()))
def view(request: pytest.FixtureRequest) -> Any:
    return positions()[request.param]


@pytest.mark.parametrize("name", list(drawers()))
def test_every_game_has_an_emblem_of_its_own_that_can_be_seen_in_both_themes(name: str) -> None:
    sign = emblem(name)
    assert sign is not None
    assert max(sign.reach) <= 24
    others = [emblem(other) for other in drawers() if other != name]
    for theme in Theme:
        shown = painter(theme).paint(Scene((60, 60), (), (Stamp(sign, (30, 30)),)))
        assert all(
            shown != painter(theme).paint(Scene((60, 60), (), (Stamp(other, (30, 30)),)))
            for other in others
            if other is not None
        )
        ground = colours(theme)["ground"]
        tones = [colour for _, colour in pixels(shown).getcolors(4096) or () if isinstance(colour, tuple)]
        assert max(contrast((r, g, b), ground) for r, g, b in tones) >= 3


def test_every_seat_that_chose_no_colour_gets_one_of_its_own() -> None:
    for name in drawers():
        hues = handed_out(name)
        assert len(set(hues)) == len(hues) >= GAMES[name].seats[-1]
        assert set(hues) <= set(HUES)


def test_the_points_of_who_leads_stand_on_a_light_ground(view: Any) -> None:
    points = view.outcome.scores if view.outcome is not None else view.standing()
    ahead = leading(points) if view.standing() is not None else frozenset()
    shown = [part.text for part in parts(scene_of(view).shapes) if isinstance(part, Text) and part.colour == "panel"]
    for seat in ahead:
        assert any(text.startswith(str(points[seat])) for text in shown), (points, shown)
