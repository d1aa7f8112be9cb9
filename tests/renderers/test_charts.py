"""Figures as pictures: curves that differ by mark and dash, rows with bars, and the same in words."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaleidobot.testing.looking import ODD_NAMES, a_look, pixels
from renderers import ALT_LONGEST, Theme, chart, chart_text, drawers
from renderers.charts import DASHES, HUES, Bar, Chart, Curve, levels, scene, visible
from renderers.lettering import fitted, width
from renderers.paint import painter
from renderers.palette import HUES as EVERY_HUE
from renderers.palette import MARKS, colours, contrast
from renderers.scene import Box, Line, Polygon, Scene, Stamp, Text, parts
from texts import languages

KILOBYTES = 40
COURSE = Chart(
    "Anna",
    tuple(Curve(f"Game {n}", tuple(1000.0 + 10 * n + k * (-1) ** n for k in range(20 - n))) for n in range(5)),
    tuple(Bar(f"Game {n}", (n + 1) / 5, f"{n + 1} games", 0.5) for n in range(5)),
    steps="games",
)
CHANCES = Chart("How it went", tuple(Curve(f"P{n}", (25.0, 20.0 + n * 20, n * 20.0)) for n in range(6)), unit="%")


def texts_of(picture: Scene) -> list[str]:
    return [part.text for part in parts(picture.shapes) if isinstance(part, Text)]


@pytest.mark.parametrize("figures", [COURSE, CHANCES])
def test_no_two_curves_have_the_same_mark_and_dash(figures: Chart) -> None:
    for theme in Theme:
        shapes = scene(figures, a_look(theme=theme)).shapes
        lines = [line for line in shapes if isinstance(line, Line) and line.width == 5]
        tones = {line.colour for line in lines}
        assert len(tones) == len(figures.curves)
        assert len({line.dash for line in lines}) == len(figures.curves)
        marks = {stamp.sprite.name for stamp in shapes if isinstance(stamp, Stamp)}
        assert len({name.split()[1] for name in marks}) == len(figures.curves)


def test_there_is_a_mark_and_a_dash_for_every_seat() -> None:
    assert len(set(DASHES)) == len(MARKS) == len(set(HUES)) == 6


@pytest.mark.parametrize("theme", list(Theme))
@pytest.mark.parametrize("hue", EVERY_HUE)
def test_every_curve_can_be_seen_on_its_ground(hue: str, theme: Theme) -> None:
    known = colours(theme)
    assert contrast(known[visible(hue, theme)], known["ground"]) >= 3


@pytest.mark.parametrize("theme", list(Theme))
def test_bars_can_be_seen_on_theirs(theme: Theme) -> None:
    known = colours(theme)
    for pen in ("text", "muted"):
        assert contrast(known[pen], known["panel"]) >= 3


def test_the_newest_values_of_all_curves_are_at_the_right_end() -> None:
    shapes = scene(COURSE, a_look()).shapes
    ends = {
        shape.points[-1][0]
        for shape in shapes
        if isinstance(shape, Line) and shape.width == 5 and shape.points[-1][0] > 600
    }
    assert len(ends) == 1


def test_every_curve_is_named_with_its_newest_value() -> None:
    texts = texts_of(scene(CHANCES, a_look()))
    for curve in CHANCES.curves:
        assert curve.name in texts
        assert f"{curve.values[-1]:g}%" in texts


def test_names_are_beside_the_ends_of_their_curves_and_do_not_touch() -> None:
    shapes = scene(CHANCES, a_look()).shapes
    names = [shape for shape in shapes if isinstance(shape, Text) and shape.text.startswith("P")]
    assert [name.text for name in names] == [f"P{n}" for n in reversed(range(6))]
    assert all(lower.at[1] - upper.at[1] >= 60 for upper, lower in pairwise(names))
    assert min(name.at[0] for name in names) > max(
        x for shape in shapes if isinstance(shape, Line) and shape.width == 5 for x, _ in shape.points
    )


def test_names_cut_to_the_same_letters_end_in_numbers() -> None:
    curves = tuple(Curve(f"Annika Westermann {name}", (1.0, 2.0)) for name in ("Groß", "Klein"))
    shapes = scene(Chart("x", curves), a_look()).shapes
    names = [fitted(text.text, text.size, text.bold, text.room) for text in shapes if isinstance(text, Text)]
    assert [name[-5:] for name in names if name.startswith("Annika")] == ["… (1)", "… (2)"]


@pytest.mark.parametrize(("ends", "filled"), [((1, 3, 2), ["orange.up"]), ((3, 3, 2), []), ((5,), ["blue.up"])])
def test_the_area_under_the_only_leader_is_filled(ends: tuple[int, ...], filled: list[str]) -> None:
    chart = Chart("x", tuple(Curve(f"P{n}", (2.0, float(end))) for n, end in enumerate(ends)))
    shapes = scene(chart, a_look()).shapes
    assert [shape.fill for shape in shapes if isinstance(shape, Polygon)] == filled


def test_emblems_show_the_games_that_are_installed() -> None:
    curves = tuple(Curve(game, (1.0,), game=game) for game in (*drawers(), "gone"))
    bars = tuple(Bar(game, 1.0, "1", game=game) for game in (*drawers(), "gone"))
    shapes = scene(Chart("x", curves, bars, game="kabooom"), a_look()).shapes
    emblems = [shape.sprite.name for shape in shapes if isinstance(shape, Stamp)]
    for game, own in drawers().items():
        shown = sum(name.startswith(f"{own.emblem().name} x") for name in emblems)
        assert shown == 2 + (game == "kabooom")


def test_all_bars_begin_in_one_place_and_are_as_long_as_they_say() -> None:
    bars = [shape for shape in scene(COURSE, a_look()).shapes if isinstance(shape, Box) and shape.fill == "muted"]
    assert len({bar.at[0] for bar in bars}) == 1
    lengths = [bar.size[0] for bar in bars]
    assert [length / lengths[-1] for length in lengths] == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])
    rods = [shape for shape in scene(COURSE, a_look()).shapes if isinstance(shape, Polygon) and len(shape.points) == 4]
    long = [rod.points[-1][0] - rod.points[0][0] for rod in rods if rod.fill.endswith(".light")]
    assert [rod / bar for rod, bar in zip(long, lengths, strict=True)][1:] == pytest.approx([0.5] * 4)


@pytest.mark.parametrize("theme", list(Theme))
def test_a_bar_is_visible_and_has_the_hue_of_its_curve(theme: Theme) -> None:
    known, shapes = colours(theme), scene(COURSE, a_look(theme=theme)).shapes
    rods = [shape.fill for shape in shapes if isinstance(shape, Polygon) and len(shape.points) == 4]
    lit = rods[::2]
    assert all(contrast(known[fill], known["panel"]) >= 3 for fill in (rods[1::2] if theme == Theme.LIGHT else lit))
    curves = [shape.colour.split(".")[0] for shape in shapes if isinstance(shape, Line) and shape.width == 5]
    assert [fill.split(".")[0] for fill in lit] == curves[: len(lit)] + ["blue"] * (len(lit) - len(curves))


def test_a_name_of_nineteen_letters_is_whole_at_the_end_of_its_curve() -> None:
    names = ("Maximilian Gruberma", "Friedrich Sommerfel", "dragonslayer_of_199")
    shapes = scene(Chart("Ada", tuple(Curve(name, (1.0, 2.0 + n)) for n, name in enumerate(names))), a_look()).shapes
    shown = [shape for shape in shapes if isinstance(shape, Text) and shape.text in names]
    assert len(shown) == 3
    assert all(width(text.text, text.size, text.bold) <= (text.room or 0) for text in shown)


@given(st.floats(-5000, 5000), st.floats(0, 5000))
def test_the_numbers_at_the_side_are_few_and_round_and_hold_all_values(low: float, span: float) -> None:
    marks = levels(low, low + span)
    assert 2 <= len(marks) <= 8
    assert marks[0] <= low
    assert low + span <= marks[-1]
    assert list(marks) == sorted(set(marks))


@pytest.mark.parametrize("figures", [COURSE, CHANCES, Chart("One", (Curve("A", (1000.0,)),)), Chart("None")])
def test_it_is_small_in_both_themes(figures: Chart) -> None:
    for theme in Theme:
        png = chart(figures, a_look(theme=theme))
        assert len(png) <= KILOBYTES * 1000
        assert pixels(png).width == 1000


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_name_fits(name: str) -> None:
    figures = Chart(name, (Curve(name, (1.0, 2.0)),), (Bar(name, 1.0, "1200 · 10 games, 3 wins", sign="10"),))
    picture = scene(figures, a_look())
    for part in parts(picture.shapes):
        if isinstance(part, Text) and part.text == name:
            assert part.room is not None
            assert part.at[0] + part.room <= 1000
            assert fitted(part.text, part.size, part.bold, part.room)
    assert painter(Theme.LIGHT).paint(picture)
    assert 0 < len(chart_text(figures, a_look())) <= ALT_LONGEST


def test_the_words_say_the_same() -> None:
    figures = Chart(
        "Anna", (Curve("Kabooom!", (1000.0, 1021.0)),), (Bar("Ben", 1, "1021 · 1 game", sign="1"),), steps="games"
    )
    assert chart_text(figures, a_look()) == "Anna. Games. Kabooom!: 1000, 1021. 1 Ben: 1021 · 1 game."
    assert "45%, 60%" in chart_text(Chart("x", (Curve("Anna", (45.2, 60.0)),), unit="%"), a_look())


TURNED = Chart(
    "How it went",
    tuple(Curve(f"P{n}", (50.0,) * 40) for n in range(2)),
    unit="%",
    steps="turns",
    first=0,
    marks=(5, 6, 39),
)


def test_marked_steps_are_numbered_and_none_hides_another() -> None:
    picture = scene(TURNED, a_look())
    shapes = picture.shapes
    flags = [shape for shape in shapes if isinstance(shape, Box) and shape.fill == "muted"]
    assert len(flags) == 3
    for one, other in pairwise(flags):
        assert one.at[0] + one.size[0] < other.at[0]
    assert all(flag.at[0] >= 0 and flag.at[0] + flag.size[0] <= picture.size[0] for flag in flags)
    assert {"0", "39", "1", "2", "3"} <= set(texts_of(picture))


def test_words_name_the_marked_steps() -> None:
    assert "Marked turns: 5, 6 and 39" in chart_text(TURNED, a_look())


def test_words_give_all_curves_at_marked_steps_and_one_step_before() -> None:
    curves = tuple(Curve(f"P{n}", tuple(float(50 + k if n else 50 - k) for k in range(41))) for n in range(2))
    text = chart_text(Chart("X", curves, unit="%", steps="turns", first=0, marks=(8, 9, 31)), a_look())
    turns, ours, theirs = (part.split(": ")[1].split(", ") for part in text.split(". ")[1:4])
    assert len(turns) <= 20
    assert {"0", "7", "8", "9", "30", "31", "40"} <= set(turns)
    assert ours == [f"{50 - int(turn)}%" for turn in turns]
    assert theirs == [f"{50 + int(turn)}%" for turn in turns]


def test_words_give_the_whole_curve_if_all_steps_are_marked() -> None:
    curve = Curve("Anna", tuple(map(float, range(24))))
    text = chart_text(Chart("X", (curve,), steps="turns", first=0, marks=tuple(range(1, 24, 2))), a_look())
    assert f"Anna: {', '.join(map(str, range(24)))}." in text


def test_words_of_many_long_curves_are_not_cut() -> None:
    curves = tuple(Curve(f"Some rather long name of n. {n}", (25.0,) * 90) for n in range(6))
    chart = Chart("How it went", curves, unit="%", steps="turns", first=0, marks=(30, 50, 80))
    for lang in languages():
        assert len(chart_text(chart, a_look(lang=lang))) <= ALT_LONGEST


def test_per_cent_is_written_as_the_language_writes_it() -> None:
    chart = Chart("x", (Curve("Anna", (45.2, 60.0)),), unit="%")
    for lang, space in (("en", ""), ("de", "\u00a0")):
        assert f"45{space}%, 60{space}%" in chart_text(chart, a_look(lang=lang))
        assert {f"60{space}%", f"100{space}%"} <= set(texts_of(scene(chart, a_look(lang=lang))))


def test_words_of_a_long_curve_have_some_values_with_first_and_last() -> None:
    long = Chart("X", (Curve("Anna", tuple(map(float, range(200)))),))
    text = chart_text(long, a_look()).split("Anna: ")[1].rstrip(".").split(", ")
    assert (len(text), text[0], text[-1]) == (20, "0", "199")
