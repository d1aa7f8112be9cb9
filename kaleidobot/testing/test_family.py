"""The common rules of all drawers, which make five games look like one family."""

from itertools import product
from typing import Any

import pytest

from kaleidobot.testing.looking import a_look, pixels, positions, scene_of
from kaleidobot.testing.painted import view
from kaleidobot.testing.selection import games_under_test
from renderers import ALT_LONGEST, SHORTER_NAMES, Drawer, Look, SeatLook, Theme, alt_text, drawer, drawers
from renderers.frame import NAMED, distinct_names, leading, seat_name
from renderers.paint import painter
from renderers.palette import HUES, colours, contrast
from renderers.scene import Scene, Stamp, Text, parts
from rules import GAMES

__all__ = ["view"]

HEBREW = 20 * "\u05e9"
NAMES_ALIKE = {
    "one family": tuple(f"Annika Westermann-{name}" for name in ("Groß", "Klein", "Lang", "Kurz", "Jung", "Alt")),
    "one name, numbered": tuple(f"Maximilian Huber (player {seat})" for seat in range(1, 7)),
    "one name": ("Ada",) * 6,
    "right to left": tuple(f"\u2068{HEBREW} {end}\u2069" for end in "\u05d0\u05d1\u05d2\u05d3\u05d4\u05d5"),
    "right to left, numbered": tuple(f"\u2068{HEBREW} (player {seat})\u2069" for seat in range(1, 7)),
    "emoji": tuple("🎉" * 25 + end for end in "🌲🌳🌴🌵🌷🌸"),
    "houses": tuple(f"House {seat} (medium)" for seat in range(1, 7)),
    "one called like another with a number": (
        *(f"Annika Westermann{end}" for end in (" (2)", " B", " C")),
        "A… (3)",
        "A",
        "",
    ),
}


@pytest.mark.parametrize("name", games_under_test())
def test_every_game_has_an_emblem_of_its_own_that_can_be_seen_in_both_themes(name: str) -> None:
    sign = drawers()[name].emblem()
    assert max(sign.reach) <= 24
    others = [own.emblem() for other, own in drawers().items() if other != name]
    for theme in Theme:
        shown = painter(theme).paint(Scene((60, 60), (), (Stamp(sign, (30, 30)),)))
        assert all(shown != painter(theme).paint(Scene((60, 60), (), (Stamp(other, (30, 30)),))) for other in others)
        ground = colours(theme)["ground"]
        tones = [colour for _, colour in pixels(shown).getcolors(4096) or () if isinstance(colour, tuple)]
        assert max(contrast((r, g, b), ground) for r, g, b in tones) >= 3


@pytest.mark.parametrize("name", games_under_test())
def test_a_drawer_has_no_public_member_but_the_hooks_of_its_base_class(name: str) -> None:
    """A misspelt hook would be ignored silently."""
    hooks = {*vars(Drawer), *Drawer.__annotations__}
    assert {member for member in vars(type(drawers()[name])) if not member.startswith("_")} <= hooks


def test_every_seat_that_chose_no_colour_gets_one_of_its_own() -> None:
    for name in games_under_test():
        hues = drawers()[name].hues
        assert len(set(hues)) == len(hues) >= GAMES[name].seats[-1]
        assert set(hues) <= set(HUES)


def test_the_points_of_the_leader_have_a_light_ground(view: Any) -> None:
    points = view.outcome.scores if view.outcome is not None else view.standing()
    ahead = leading(points) if view.standing() is not None else frozenset()
    shown = [part.text for part in parts(scene_of(view).shapes) if isinstance(part, Text) and part.colour == "panel"]
    for seat in ahead:
        assert any(text.startswith(str(points[seat])) for text in shown), (points, shown)


@pytest.mark.parametrize("alike", NAMES_ALIKE)
def test_words_distinguish_any_two_seats_even_with_short_names(alike: str) -> None:
    for most, stands_in in product((NAMED, *SHORTER_NAMES), (False, True)):
        look, signs = (
            Look(tuple(SeatLook(name, house=stands_in, stands_in=stands_in) for name in names))
            for names in (distinct_names(NAMES_ALIKE[alike], most), "ⒶⒷⒸⒹⒺⒻ")
        )
        names = [seat_name(look, seat) for seat in range(6)]
        assert len(set(names)) == 6
        for position in positions().values():
            text = drawer(position).alt_text(position, signs)
            for seat, name in enumerate(names):
                text = text.replace(seat_name(signs, seat), name)
            assert drawer(position).alt_text(position, look) == text, "no game has names of its own for them"


@pytest.mark.parametrize("alike", NAMES_ALIKE)
def test_names_that_are_alike_make_no_words_too_long(alike: str) -> None:
    for most in (NAMED, *SHORTER_NAMES):
        assert max(map(len, distinct_names(NAMES_ALIKE[alike], most))) <= max(most, len("\u2068A…\u2069 (1)"))
    for position in positions().values():
        assert len(alt_text(position, a_look(*NAMES_ALIKE[alike]))) <= ALT_LONGEST


def test_a_name_has_a_number_only_if_another_one_is_equal() -> None:
    assert distinct_names(("Annika Westermann", "Ben"), 10) == ("Annika We…", "Ben")
    assert distinct_names(("Annika Westermann", "Annika Welser", "Ben"), 10) == ("Annik… (1)", "Annik… (2)", "Ben")
