"""Contrast of every tone that a drawer uses, on every ground on which it uses it.

The tests have no list of cases. They read the scenes of golden positions, hands, final boards, choices, lobbies and
figures.
"""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from kaleidobot.testing import grounds
from kaleidobot.testing.looking import figures, scenes
from kaleidobot.testing.selection import games_under_test
from renderers import Theme
from renderers.palette import HUES, colours, contrast
from renderers.scene import AnyShape, Box, Disc, Line, Point, Polygon

READABLE = 4.5
VISIBLE = 3.0
QUIET = ("ground", "panel", "panel.line")
"""Tones without a message: grounds, and the lines and tracks on them that lead the eye."""
BESIDE = 2.0
"""The distance from the edge of a figure at which its ground is read."""


@pytest.mark.parametrize("what", [*games_under_test(), "figures"])
def test_every_text_is_readable_on_its_ground(what: str) -> None:
    """``palette.on(name, theme)`` returns a pen that can be read on a colour."""
    faint: dict[tuple[str, str, Theme], str] = {}
    for theme in Theme:
        known = colours(theme)
        for where, scene in figures(theme) if what == "figures" else scenes(what, theme):
            for text, below in grounds.under_texts(scene):
                for tones in below:
                    is_now = contrast(known[text.colour], grounds.blended(tones, known))
                    if is_now < READABLE:
                        names = "+".join(name for name, _ in tones)
                        faint[text.colour, names, theme] = f"{text.text!r} in {where}, {is_now:.1f} to 1"
    grounds.under_texts.cache_clear()
    assert not faint, f"text needs {READABLE} to 1: " + "; ".join(
        f"{pen} on {names} in the {theme} theme ({place})" for (pen, names, theme), place in faint.items()
    )


def told_by(shape: AnyShape) -> Iterator[tuple[str, str | Point]]:
    """Yield the tones of a shape that carry a message, each with its casing or a point beside it."""
    match shape:
        case Line(points=points, colour=colour):
            yield from ((colour, ((a + c) / 2, (b + d) / 2)) for (a, b), (c, d) in pairwise(points))
        case Box(fill=fill, line=line) | Polygon(fill=fill, line=line) | Disc(fill=fill, line=line) if line:
            yield fill, line
        case Box(at=(x, y), size=(wide, _), fill=fill):
            yield fill, (x + wide / 2, y - BESIDE)
        case _:
            pass


@pytest.mark.parametrize("theme", list(Theme))
def test_every_curve_mark_and_bar_contrasts_with_its_ground(theme: Theme) -> None:
    known = colours(theme)
    checked: set[str] = set()
    for where, scene in figures(theme):
        layers = grounds.of(scene)
        for place, (shape, _, _) in enumerate(layers):
            for tone, beside in told_by(shape):
                if tone and tone not in QUIET:
                    on = known[beside] if isinstance(beside, str) else grounds.under(layers[:place], beside, known)[1]
                    assert contrast(known[tone], on) >= VISIBLE, (where, shape, beside)
                    checked.add(tone)
    assert len(checked) >= len(HUES) + 1, "the curves' hues, and the long bars; the rods on them have two tones"
