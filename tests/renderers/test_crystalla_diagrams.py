"""The diagrams of Crystalla's rules."""

from collections import Counter

import pytest

from kaleidobot.testing.looking import a_look
from renderers import Theme, diagram
from renderers.games.crystalla import diagrams, sheet
from renderers.scene import TEXT_MIN, Line, Text
from rules.games.crystalla import CORNERS, CRYSTALS, Display, groups, segments
from tests.renderers.crystalla_scenes import DIAMOND, TOURMALINE, stamps

# Diagrams of the rules


@pytest.mark.parametrize("examples", [diagrams.TOUCHING, diagrams.NOT_TOUCHING])
def test_the_citrines_of_the_diagram_touch_as_it_shows(examples: tuple[Display, ...]) -> None:
    for display in examples:
        assert len(segments(display, "c")) == 2
        assert len(groups(display, "c")) == (1 if display in diagrams.TOUCHING else 2)


@pytest.mark.parametrize(("lang", "east"), [("en", "e"), ("de", "o")])
def test_the_diagram_of_laying_shows_the_text_to_type_and_ticks_touching(lang: str, east: str) -> None:
    scene = diagrams.diagram(4, a_look(lang=lang))
    assert scene is not None
    texts = [shape.text for shape in scene.shapes if isinstance(shape, Text)]
    assert texts == [f"b{corner.replace('e', east)}" for corner in CORNERS]
    for colour, times in (("green.light", 2), ("red.light", 4)):
        assert sum(isinstance(shape, Line) and shape.colour == colour for shape in scene.shapes) == times


def test_the_diagram_of_counting_shows_both_tables_and_the_fixed_values() -> None:
    scene = diagrams.diagram(6, a_look())
    assert scene is not None
    counts = Counter(shape.text for shape in scene.shapes if isinstance(shape, Text) and shape.bold)
    fixed = [str(worth) for crystal, worth in sheet.WORTH.items() for _ in range({"c": 2, "h": 3}.get(crystal, 1))]
    assert counts == Counter([*map(str, (*TOURMALINE[1:], *DIAMOND[1:])), *fixed])
    signs = {stamp.sprite.name.split()[1] for stamp in stamps(scene, "gem")}
    assert signs == set(CRYSTALS)


@pytest.mark.parametrize("page", [4, 6])
@pytest.mark.parametrize("theme", list(Theme))
def test_a_diagram_is_a_picture_of_the_family(page: int, theme: Theme) -> None:
    scene = diagrams.diagram(page, a_look())
    assert scene is not None
    assert 0.7 < scene.size[1] / scene.size[0] < 0.92
    assert all(shape.size >= TEXT_MIN for shape in scene.shapes if isinstance(shape, Text))
    png = diagram("crystalla", page, a_look(theme=theme))
    assert png is not None
    assert len(png) < 50_000
