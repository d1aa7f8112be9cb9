"""No picture is high for its width: a chat's frame is wide, and shrinks what does not fit.

The test finds all functions that paint pictures, and calls each for all games, numbers of seats and kinds of views.
"""

import struct
from collections.abc import Callable, Iterator
from inspect import Parameter, signature
from itertools import cycle, product
from typing import Any

import pytest
from msgspec.structs import replace

import renderers
from kaleidobot.testing.looking import CHARTS, NAMES, a_look
from renderers import Theme, drawers
from renderers.charts import Bar
from renderers.crowd_cards import Crowd, Player
from renderers.layout import TALLEST
from renderers.puzzle_cards import PuzzleResult
from tests.renderers.test_names import COUNTS, states

LOW = 350
"""Height of the frame in which a desktop client shows a lone picture: it shrinks nothing lower."""
PAINTERS = {
    name: paint
    for name in renderers.__all__
    if callable(paint := getattr(renderers, name))
    and "bytes" in str(getattr(paint, "__annotations__", {}).get("return"))
}
THEMES = cycle(Theme)


def arguments(game: str, seats: int) -> Iterator[dict[str, Any]]:
    """Yield values for all parameters of painters: for every view of some positions, in alternating themes."""
    others = {
        "game": game,
        "page": 1,
        "stars": 0,
        "answer": PuzzleResult(1, 2, 2, 3, 3, 4),
        "known": Crowd("chess evenings", 0, 40, tuple(Player(f"Person {n}", n % 3) for n in range(40))),
        "chart": CHARTS["how a rating went"],
    }
    for state, own in product(states(game, seats)[1:], (False, True)):
        viewer = state.actor or 0 if own else None
        view = state.view(viewer)
        look = a_look(*NAMES[:seats], theme=next(THEMES), side=viewer, hand=viewer)
        yield others | {"view": view, "seat": viewer or 0, "look": replace(look, turns=42, minutes=4000)}
        if state.actor is not None and state.actor == viewer:
            parts = {part for action in view.actions() for part in action.parts}
            yield others | {"view": view, "seat": viewer, "look": replace(look, choices=tuple(sorted(parts)))}


def needed(paint: Callable[..., Any]) -> list[str]:
    return [name for name, parameter in signature(paint).parameters.items() if parameter.default is Parameter.empty]


def fits(png: bytes | None) -> bool:
    if png is None:
        return True
    wide, high = struct.unpack(">2L", png[16:24])
    return bool(high <= max(LOW, TALLEST * wide))


def test_the_painters_of_all_kinds_of_pictures_are_known() -> None:
    assert {"picture", "lobby", "card", "hand", "diagram", "badge", "puzzle_card", "chart"} <= set(PAINTERS)


@pytest.mark.parametrize(("game", "seats"), COUNTS)
def test_no_picture_of_any_kind_is_higher_than_900_for_1000(game: str, seats: int) -> None:
    drawn = set[str]()
    for known in arguments(game, seats):
        for name, paint in PAINTERS.items():
            if name == "card" and known["view"].outcome is None:
                continue
            if name not in drawn or ("view" in needed(paint) and not name.endswith("card")):
                drawn.add(name)
                png = paint(**{key: known[key] for key in needed(paint)})
                assert fits(png), (name, known["seat"], known["look"])
    assert drawn == set(PAINTERS)


@pytest.mark.parametrize("game", list(drawers()))
def test_no_diagram_of_the_rules_is_higher_than_900_for_1000(game: str) -> None:
    assert all(fits(renderers.diagram(game, page, a_look())) for page in range(1, 12))


def test_a_chart_with_many_rows_has_ground_at_its_sides() -> None:
    chart = replace(CHARTS["how a rating went"], bars=tuple(Bar(f"Game {n}", 0.5, "1") for n in range(12)))
    assert fits(renderers.chart(chart, a_look()))
