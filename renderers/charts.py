"""Figures as pictures in the style of the boards: curves over time, and rows with bars.

Curves differ by mark and dash as well as by colour; their names are at their ends, and the area under the highest end
is filled. A plotting library would take some 100 ms and bring its own fonts
and files; the painter takes a few milliseconds.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from math import ceil, floor, log10

from msgspec import Struct

from renderers.frame import GAP, MARGIN, WIDTH, named, told_apart
from renderers.layout import Area, margin
from renderers.lettering import width
from renderers.look import Look, Theme
from renderers.palette import MARKS, colours, contrast
from renderers.scene import (
    TEXT_MIN,
    AnyShape,
    Box,
    Line,
    Point,
    Polygon,
    Scene,
    Sprite,
    Stamp,
    Text,
    magnified,
    shifted,
)
from renderers.signs import figure
from texts import listed, say

TITLE = 68
PLOT = 440
"""The least height of the curves."""
NAMES = 320.0
"""Width of the names and newest values at the right of the curves."""
PITCH = 66.0
"""The least distance of names, with the values below them."""
ROW = 62
AXIS = 92
"""Width of the numbers at the left of the curves."""
DASHES = (0.0, 14.0, 5.0, 24.0, 9.0, 18.0)
"""Length of the dashes of each curve; 0 is solid."""
HUES = ("blue", "orange", "green", "pink", "teal", "violet")
READ_OUT = 20
"""The most values of one curve in the alternative text."""
READ_OUT_TOGETHER = 100
"""The most values of all curves together, so that the text is not cut."""
MARKED = 12
"""A longer curve has marks at some of its points only."""
LABEL = 380.0
THICK = 12.0
"""Half the height of a bar, and the width of the cut at its ends."""
FLAG = 36.0
"""Width of the number over a marked step."""
VISIBLE = 3.0
"""The contrast that a line needs."""
EMBLEM = 24.0
GRID = 4
"""The approximate number of lines under the curves."""


class Curve(Struct, frozen=True):
    """A line through *values*, one per step; *hue*: a hue of the palette, "" for the next of ``HUES``; *game*: the
    game whose emblem is before the name, or ""."""

    name: str
    values: tuple[float, ...]
    hue: str = ""
    game: str = ""


class Bar(Struct, frozen=True):
    """A row: *label*, a bar that fills *share* of the room (0 to 1), and the *text* at its end.

    The first *part* of the bar is thick. *sign*: a number before the label, or ""; *game*: the game whose emblem is
    there, or "".
    """

    label: str
    share: float
    text: str
    part: float = 1.0
    sign: str = ""
    game: str = ""


class Chart(Struct, frozen=True):
    """*curves* over *bars*, either of which may be empty. *unit* of the numbers at the curves: "%" or "".

    *steps*: the meaning of the steps in words ("rating after each game"); *first*: the number of the first step, or
    *numbers*: those of all steps, as they are shown.
    *marks*: the numbers of steps that are highlighted. Pictures and texts count them, and texts give the values there
    and one step before. *game*: the game whose emblem is before the title, or "".
    """

    title: str
    curves: tuple[Curve, ...] = ()
    bars: tuple[Bar, ...] = ()
    unit: str = ""
    steps: str = ""
    first: int = 1
    marks: tuple[int, ...] = ()
    game: str = ""
    numbers: tuple[int, ...] = ()

    def number(self, step: int) -> int:
        """Return the number of a step, from 0, as it is shown."""
        return self.numbers[step] if self.numbers else self.first + step


def scene(chart: Chart, look: Look) -> Scene:
    """Return the picture of *chart* in the theme of *look*; its height fits the contents."""
    y = float(TITLE)
    emblem, left = _emblem(chart.game, (MARGIN + 6, TITLE / 2 + 4))
    shapes = [*emblem, Text((left, TITLE / 2 + 4), chart.title, 36, room=WIDTH - MARGIN - 6 - left)]
    if chart.curves:
        y += FLAG if chart.marks else 0
        high = max(PLOT, PITCH * len(chart.curves))
        shapes += _plot(chart, Area(MARGIN + AXIS, y + 8, WIDTH - 2 * MARGIN - AXIS - NAMES, high), look)
        y += high + 48 + GAP
    labels = min(LABEL, max((width(bar.label, 26) for bar in chart.bars), default=0.0))
    texts = max((width(bar.text, TEXT_MIN, bold=False) for bar in chart.bars), default=0.0)
    for number, bar in enumerate(chart.bars):
        hue = _hue(number, chart.curves[number]) if number < len(chart.curves) else HUES[0]
        shapes += _bar(bar, Area(MARGIN, y, WIDTH - 2 * MARGIN, ROW - 8), labels, texts, hue, look.theme)
        y += ROW
    size = (WIDTH, round(y + MARGIN))
    beside = margin(size)
    size = (WIDTH + 2 * beside, size[1])
    return Scene(size, (Box((0, 0), size, "ground"),), tuple(shifted(shape, (beside, 0)) for shape in shapes))


def alt_text(chart: Chart, look: Look) -> str:
    """Return *chart* in words."""
    sentences = [chart.title]
    length = max((len(curve.values) for curve in chart.curves), default=0)
    most = min(READ_OUT, READ_OUT_TOGETHER // max(1, len(chart.curves)))
    marks = [number - chart.first for number in chart.marks]
    if chart.curves and chart.steps:
        sentences.append(chart.steps[:1].upper() + chart.steps[1:])
    if chart.curves and chart.marks:  # the reader must find the marked steps among the values
        which = [chart.number(step) for step in _read_out(length, most, marks)]
        sentences[-1] += f": {which[0]}–{which[-1]}" if len(which) == length else ": " + ", ".join(map(str, which))
    for curve in chart.curves:
        steps = _read_out(len(curve.values), most, [mark - length + len(curve.values) for mark in marks])
        values = ", ".join(_figure(curve.values[step], chart, look.lang) for step in steps)
        sentences.append(say("table", "alt.curve", look.lang, name=curve.name, values=values))
    if chart.marks:
        numbers = listed([str(chart.number(mark)) for mark in marks], look.lang)
        sentences.append(say("table", "alt.marks", look.lang, steps=chart.steps, numbers=numbers))
    sentences += [" ".join(filter(None, (bar.sign, f"{bar.label}: {bar.text}"))) for bar in chart.bars]
    return ". ".join(sentence.rstrip(".") for sentence in sentences) + "."


def _read_out(length: int, most: int = READ_OUT, marks: Sequence[int] = ()) -> Sequence[int]:
    """Return the steps whose values are read out: all, or at most *most*.

    These are the steps at *marks* and right before them, and others at even distances, with the first and the last.

    >>> _read_out(100)[:3], len(_read_out(100)), _read_out(2), _read_out(100, 8, [42])
    ([0, 5, 10], 20, [0, 1], [0, 19, 38, 41, 42, 60, 79, 99])
    """
    required = {step for mark in marks for step in (mark - 1, mark) if 0 <= step < length}
    others = [step for step in range(length) if step not in required]
    if length <= most or not others:
        return list(range(length))
    gaps = max(1, most - len(required) - 1)
    return sorted(required | {others[k * (len(others) - 1) // gaps] for k in range(gaps + 1)})


def _figure(value: float, chart: Chart, lang: str) -> str:
    """Return a number at a curve, as its language writes it."""
    return say("table", "chart.percent", lang, n=round(value)) if chart.unit == "%" else str(round(value))


def _tone(number: int, curve: Curve, theme: Theme) -> str:
    """Return a tone of the curve's hue that contrasts with the ground."""
    return visible(_hue(number, curve), theme)


def _hue(number: int, curve: Curve) -> str:
    return curve.hue or HUES[number % len(HUES)]


@cache
def visible(hue: str, theme: Theme) -> str:
    """Return the tone of *hue* that is nearest to it and visible as a line.

    >>> visible("blue", Theme.DARK), visible("black", Theme.DARK)
    ('blue.light', 'black.pale')
    """
    known = colours(theme)
    tones = (".light", ".pale") if theme == Theme.DARK else (".dark", ".deep")
    return next(hue + tone for tone in tones if contrast(known[hue + tone], known["ground"]) >= VISIBLE)


def levels(low: float, high: float, lines: int = GRID) -> tuple[int, ...]:
    """Return about *lines* round numbers, from at most *low* to at least *high*.

    >>> levels(987, 1043), levels(5, 5)
    ((980, 1000, 1020, 1040, 1060), (4, 5, 6))
    """
    if high - low < 1:
        low, high = low - 1, high + 1
    rough = max(1.0, (high - low) / lines)
    size = 10 ** floor(log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough)
    return tuple(step * k for k in range(floor(low / step), ceil(high / step) + 1))


def apart(places: Sequence[float], least: float, most: float) -> list[float]:
    """Return the rising *places*, moved just enough to be *least* apart, the last one at *most* or less.

    >>> apart([10, 12, 50], 5, 60), apart([50, 58, 60], 5, 60)
    ([10, 15, 50], [50, 55, 60])
    """
    moved = list[float]()
    for place in places:
        moved.append(max(place, moved[-1] + least) if moved else place)
    for number in reversed(range(len(moved))):
        moved[number] = min(moved[number], most if number == len(moved) - 1 else moved[number + 1] - least)
    return moved


def _plot(chart: Chart, area: Area, look: Look) -> Iterator[AnyShape]:
    """Yield the grid, the numbers and the curves."""
    every = [value for curve in chart.curves for value in curve.values]
    marks = levels(min(every), max(every)) if chart.unit != "%" else (0, 25, 50, 75, 100)
    low, high = marks[0], marks[-1]
    steps = max(len(curve.values) for curve in chart.curves)

    def place(step: int, value: float) -> Point:
        part = step / (steps - 1) if steps > 1 else 0.5
        return area.x + area.width * part, area.bottom - area.height * (value - low) / (high - low)

    # The newest value of every curve is at the right end, for any length.
    runs = [
        tuple(place(steps - len(curve.values) + k, value) for k, value in enumerate(curve.values))
        for curve in chart.curves
    ]
    yield from _filled(chart, runs, area.bottom)
    for level in marks:
        _, y = place(0, level)
        yield Line(((area.x - 8, y), (area.right + 8, y)), "panel.line", 2)
        yield Text((area.x - 18, y), _figure(level, chart, look.lang), colour="muted", bold=False, align="right")
    last = chart.number(steps - 1)
    yield Text((area.x, area.bottom + 28), str(chart.number(0)), colour="muted", bold=False, align="middle")
    yield Text((area.right, area.bottom + 28), str(last), colour="muted", bold=False, align="right")
    if chart.steps:
        yield Text((area.middle[0], area.bottom + 28), chart.steps, colour="muted", bold=False, align="middle")
    stand = [place(step - chart.first, low)[0] for step in chart.marks]
    for number, (x, flag) in enumerate(zip(stand, apart(stand, FLAG + 2, area.right + FLAG / 2), strict=True), 1):
        top = area.y - FLAG - 4
        yield Line(((x, area.bottom), (x, area.y), (flag, top + FLAG)), "muted", 3, 6.0)
        yield Box((flag - FLAG / 2, top), (FLAG, FLAG), "muted", round=FLAG / 2)
        yield Text((flag, top + FLAG / 2), str(number), TEXT_MIN, "ground", align="middle")
    for number, (curve, points) in enumerate(zip(chart.curves, runs, strict=True)):
        tone = _tone(number, curve, look.theme)
        if len(points) > 1:
            yield Line(points, "ground", 11)
            yield Line(points, tone, 5, DASHES[number % len(DASHES)])
        marked = points[::-1][:: max(1, len(points) // MARKED)]
        yield from (Stamp(_mark(number, tone), point) for point in marked)
    yield from _ends(chart, [points[-1] for points in runs], area, look)


def _filled(chart: Chart, runs: Sequence[Sequence[Point]], bottom: float) -> Iterator[AnyShape]:
    """Yield the area under the curve with the highest end, if it is the only one."""
    ends = [points[-1][1] for points in runs]
    if ends.count(min(ends)) == 1:
        number = ends.index(min(ends))
        points = runs[number]
        shape = (*points, (points[-1][0], bottom), (points[0][0], bottom))
        yield Polygon(shape, f"{_hue(number, chart.curves[number])}.up")


def _ends(chart: Chart, ends: Sequence[Point], area: Area, look: Look) -> Iterator[AnyShape]:
    """Yield the names and newest values of the curves, from top to bottom like their *ends*."""
    order = sorted(range(len(ends)), key=lambda number: (ends[number][1], number))
    left, right = area.right + 44, float(WIDTH - MARGIN)
    places = apart([ends[number][1] for number in order], PITCH, area.bottom - 8)
    names = told_apart(tuple(curve.name for curve in chart.curves))
    for number, y in zip(order, places, strict=True):
        curve = chart.curves[number]
        tone = _tone(number, curve, look.theme)
        yield Line(((ends[number][0] + 14, ends[number][1]), (left - 14, y)), tone, 2)
        yield Stamp(_mark(number, tone), (left, y))
        emblem, start = _emblem(curve.game, (left + 22, y), 0.8)
        yield from emblem
        yield from named(names[number], (start, y - 14), right - start, size=26, bold=False, tall=False)
        yield Text((start, y + 16), _figure(curve.values[-1], chart, look.lang), 28)


def _emblem(game: str, at: Point, size: float = 1.0) -> tuple[tuple[AnyShape, ...], float]:
    """Return the emblem of *game* with its left end *at*, and the left end of the text beside it; no emblem if *game*
    is "" or not installed."""
    from renderers import drawers

    if game not in drawers():
        return (), at[0]
    half = EMBLEM * size
    return (Stamp(magnified(drawers()[game].emblem(), size), (at[0] + half, at[1])),), at[0] + 2 * half + 10


def _mark(number: int, tone: str) -> Sprite:
    shape = figure(MARKS[number % len(MARKS)], (0, 0), 10, tone, "ground", 2)
    return Sprite(f"point {number} {tone}", (15, 15), (shape,))


def _bar(bar: Bar, area: Area, labels: float, texts: float, hue: str, theme: Theme) -> Iterator[AnyShape]:
    """Yield a row on flat ground: sign, label, bar in *hue*, text; *labels* and *texts* are the widths of labels and
    texts."""
    yield Box((area.x, area.y), (area.width, area.height), "panel", round=12)
    emblem, x = _emblem(bar.game, (area.x + 16, area.middle[1]))
    yield from emblem
    y = area.middle[1]
    if bar.sign:
        yield Text((x + 14, y), bar.sign, 30, align="middle")
        x += 44
    yield Text((x, y), bar.label, 26, room=labels)
    x += labels + 20
    yield Text((area.right - 16, y), bar.text, TEXT_MIN, "text", bold=False, align="right")
    wide = area.right - 16 - texts - 20 - x
    if wide > 40:
        yield Box((x, y - 2), (wide, 4), "panel.line", round=2)
        full = max(24.0, wide * bar.share)
        if bar.part < 1:
            yield Box((x, y - 6), (full, 12), "muted", round=6)
        if bar.part:
            yield from _rod((x, y), max(24.0, full * bar.part), hue, theme)


def _rod(at: Point, wide: float, hue: str, theme: Theme) -> Iterator[AnyShape]:
    """Yield a cut crystal with its left end *at*, half-way up, lit from above."""
    (x, y), (lit, shaded) = at, (".light", "") if theme == Theme.DARK else ("", ".dark")
    ends = (x, y), (x + wide, y)
    for side, tone in ((-THICK, lit), (THICK, shaded)):
        yield Polygon((ends[0], (x + THICK, y + side), (x + wide - THICK, y + side), ends[1]), hue + tone)


__all__ = ["Bar", "Chart", "Curve", "alt_text", "levels", "scene"]
