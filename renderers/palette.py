"""Named colours of each theme, contrasts between them, and a sign for every colour.

A *hue* ("red") has five tones: ``red.deep``, ``red.dark``, ``red`` (the colour itself), ``red.light``, ``red.pale``. It
has five more for panes of the board in its light: ``red.pane.dark``, ``red.pane.cut``, ``red.pane``,
``red.pane.light``, ``red.pane.gleam``. The six hues of coloured glass have more, from a pane's shaded edge to its lit
one: ``red.glass.deep``, ``red.glass.shade``, ``red.glass``, ``red.glass.lit``, ``red.glass.edge``; and
``red.glass.beam`` for the light of a crystal. ``red.up`` is flat ground under text, for the plate of the seat to act;
``red.floor`` for a large panel around coloured pieces, neutral in the dark theme, where a dark orange would be brown.

The other names ("ground", "text", "accent") are roles with one value per theme. ``accent`` marks the last move only;
``mark`` marks parts that can be chosen. ``table`` is the fixed palette of at most 256 colours to which the painter
rounds a picture.
"""

from collections.abc import Iterator
from functools import cache
from types import MappingProxyType

from renderers.look import Theme

Rgb = tuple[int, int, int]

TONES = (".deep", ".dark", "", ".light", ".pale")
LIT = {".pane.dark": 0.2, ".pane.cut": 0.28, ".pane": 0.36, ".pane.light": 0.5, ".pane.gleam": 0.68}
"""The share of the hue in a pane in its light."""

GLASS = {
    Theme.DARK: {
        ".glass.deep": (".deep", ".dark", 0.2),
        ".glass.shade": (".deep", ".dark", 0.45),
        ".glass": (".dark", "", 0.1),
        ".glass.lit": (".dark", "", 0.6),
        ".glass.edge": ("", ".light", 0.5),
        ".glass.beam": ("", ".light", 0.3),
    },
    Theme.LIGHT: {
        ".glass.deep": ("", ".light", 0.3),
        ".glass.shade": ("", ".pale", 0.4),
        ".glass": (".light", ".pale", 0.5),
        ".glass.lit": (".light", ".pale", 0.8),
        ".glass.edge": (".pale", "paper", 0.6),
        ".glass.beam": (".light", "", 0.3),
    },
}
"""Tone of coloured glass -> two tones of its hue (or paper) and the share of the second one."""
COLOURED_GLASS = ("red", "yellow", "green", "blue", "pink", "violet")

_HUES = {
    "red": "#5b0019 #a20027 #e31029 #ff6557 #ffb6a3",
    "blue": "#111f63 #123eb2 #0e6ee6 #4ba3f7 #9ed5fd",
    "yellow": "#5a3a00 #b68103 #f1bc0c #fedd4d #fcf6c0",
    "green": "#003c1d #006e2f #10a13d #62cd5e #baebaa",
    "orange": "#662609 #b94b00 #f27700 #ffa848 #fed7a3",
    "white": "#495360 #8894a0 #d1d9df #e9f0f3 #fafcfd",
    "pink": "#711a4c #c72481 #f45fb0 #fe9ecf #ffd3ea",
    "black": "#0b0d12 #171b21 #292e37 #4c535f #848d9a",
    "violet": "#340859 #5c11a0 #7e35d8 #a97cf0 #d7bcfb",
    "teal": "#013d43 #007179 #0aa6ab #4fd5d1 #abf1ea",
}

HUES = tuple(_HUES)
"""The colours of seats and pieces, in the order in which seats without a choice get them."""

_ROLES = {
    Theme.DARK: {
        "ground": "#22242c",  # the picture's ground: a shade below Discord's #313338
        "ground.light": "#262932",
        "panel": "#2b2e38",  # flat ground under text
        "panel.up": "#3b3f4d",  # the same, raised
        "panel.line": "#4a4f5f",
        "lead": "#15161b",  # the lead between panes of glass
        "lead.light": "#3c404c",
        "pane": "#303543",
        "pane.cut": "#2c313e",
        "pane.light": "#3d4355",
        "pane.pale": "#4e566c",
        "pane.dark": "#272b37",
        "pit": "#121319",  # fields that cannot be used any more
        "pit.light": "#22252e",
        "pit.dark": "#0a0b0e",
        "text": "#f3f1ea",
        "muted": "#aeb3c2",
        "accent": "#c8f542",
        "ink": "#0a0b0f",
        "paper": "#fbf8ef",
        "stone": "#8f95a3",  # grey figures, between ink and paper
        "warn": "#ff8b5c",
        "mark": "#fdfdfb",  # parts that can be chosen, with an edge in the opposite colour
        "mark.case": "#0a0b0f",
    },
    Theme.LIGHT: {
        "ground": "#efebe2",
        "ground.light": "#f4f1ea",
        "panel": "#fbf9f4",
        "panel.up": "#ffffff",
        "panel.line": "#c9c2b3",
        "lead": "#77715f",
        "lead.light": "#a39c8a",
        "pane": "#f6f2e9",
        "pane.cut": "#efeadf",
        "pane.light": "#fdfbf5",
        "pane.pale": "#cbc3b2",
        "pane.dark": "#ddd6c8",
        "pit": "#bdb5a6",
        "pit.light": "#d3ccbe",
        "pit.dark": "#8f8879",
        "text": "#1c1e27",
        "muted": "#555a68",
        "accent": "#a6e000",
        "ink": "#0a0b0f",
        "paper": "#fbf8ef",
        "stone": "#8f95a3",
        "warn": "#b23a00",
        "mark": "#0a0b0f",
        "mark.case": "#fdfdfb",
    },
}

# Colours that touch in pictures, with the number of steps between them that the palette contains.
_TOUCHING = (
    ("ink", "paper", 7),
    ("ink", "stone", 3),
    ("stone", "paper", 3),
    ("text", "panel", 5),
    ("text", "panel.up", 5),
    ("text", "ground", 4),
    ("muted", "panel", 4),
    ("muted", "ground", 4),
    ("accent", "ink", 4),
    ("accent", "pane", 3),
    ("ink", "ground", 3),
    ("ink", "pane", 3),
    ("warn", "panel", 3),
)

SIGNS = MappingProxyType(
    {
        "blue": "disc",
        "red": "square",
        "green": "triangle",
        "orange": "diamond",
        "violet": "pentagon",
        "yellow": "star",
        "pink": "hexagon",
        "teal": "drop",
        "white": "ring",
        "black": "cross",
    }
)
"""Hue -> the figure of :mod:`renderers.signs` that identifies it without colour."""

MARKS = ("disc", "square", "triangle", "diamond", "pentagon", "star")
"""Seat -> its figure, in any colour."""


def _rgb(code: str) -> Rgb:
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


@cache
def colours(theme: Theme) -> MappingProxyType[str, Rgb]:
    """Return every name with its colour.

    >>> colours(Theme.DARK)["red"]
    (227, 16, 41)
    """
    tones = {
        hue + tone: _rgb(code) for hue, row in _HUES.items() for tone, code in zip(TONES, row.split(), strict=True)
    }
    roles = {name: _rgb(code) for name, code in _ROLES[theme].items()}
    lit = {hue + tone: blend(roles["pane"], tones[hue], part) for hue in _HUES for tone, part in LIT.items()}
    known = roles | tones
    glass = {
        hue + tone: blend(known[hue + start], known["paper" if end == "paper" else hue + end], part)
        for hue in COLOURED_GLASS
        for tone, (start, end, part) in GLASS[theme].items()
    }
    raised = {hue + ".up": _raised(roles, tones[hue], tones[hue + ".pale"]) for hue in _HUES}
    floors = {hue + ".floor": roles["panel.up"] if theme is Theme.DARK else raised[hue + ".up"] for hue in _HUES}
    return MappingProxyType(known | lit | glass | raised | floors)


def _raised(roles: dict[str, Rgb], hue: Rgb, pale: Rgb) -> Rgb:
    """Return the panel with the largest share of *hue* that leaves text readable; of *pale* if *hue* is like the
    panel."""
    panel, pens = roles["panel"], (roles["text"], roles["muted"])
    end = hue if contrast(hue, panel) > 1.2 else pale
    blends = (blend(panel, end, k / 100) for k in range(100, 0, -1))
    return next(ground for ground in blends if min(contrast(pen, ground) for pen in pens) >= 4.55)


def luminance(colour: Rgb) -> float:
    """Return the relative luminance as WCAG 2 defines it, 0 black to 1 white."""
    red, green, blue = (
        part / 255 / 12.92 if part / 255 <= 0.04045 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the WCAG 2 contrast of two colours, 1 to 21.

    >>> round(contrast((0, 0, 0), (255, 255, 255)))
    21
    """
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@cache
def on(name: str, theme: Theme = Theme.DARK) -> str:
    """Return the better colour for lettering on *name*: "ink" or "paper".

    >>> on("yellow"), on("red.deep")
    ('ink', 'paper')
    """
    known = colours(theme)
    return max("ink", "paper", key=lambda pen: contrast(known[pen], known[name]))


def blend(one: Rgb, other: Rgb, part: float) -> Rgb:
    """Return the colour at *part* of the way from *one* to *other*.

    >>> blend((0, 0, 0), (100, 200, 50), 0.5)
    (50, 100, 25)
    """
    a, b, c = (round(x + (y - x) * part) for x, y in zip(one, other, strict=True))
    return a, b, c


def _wanted(theme: Theme) -> Iterator[Rgb]:
    known = colours(theme)
    yield from known.values()
    for one, other, steps in _TOUCHING:
        for k in range(1, steps + 1):
            yield blend(known[one], known[other], k / (steps + 1))
    for hue in HUES:
        yield blend(known[hue + ".deep"], known[hue + ".dark"], 0.5)
        yield blend(known[hue + ".deep"], known["paper"], 0.4)
        yield blend(known[hue + ".deep"], known["paper"], 0.7)
        yield blend(known[hue], known["ink"], 0.5)


@cache
def table(theme: Theme) -> tuple[Rgb, ...]:
    """Return the at most 256 colours of a picture of *theme*, which include each named one.

    Rounding uses the upper six bits of each channel, so only one of two colours that agree in these is in the table.
    """
    distinct: dict[Rgb, Rgb] = {}
    for colour in _wanted(theme):
        red, green, blue = colour
        distinct.setdefault((red >> 2, green >> 2, blue >> 2), colour)
    return tuple(distinct.values())
