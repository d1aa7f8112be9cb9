"""Crystalla's picture: the places of the parts of actions, and readability in both themes."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import hypot

import pytest

from kaleidobot.testing.looking import a_look, scene_of
from kaleidobot.testing.playing import games
from renderers import Theme, spots
from renderers.games.crystalla import DRAWER, homes, pieces, stage
from renderers.lettering import CAPITAL, width
from renderers.outlines import centre, inside
from renderers.palette import colours, contrast
from renderers.scene import AnyShape, Arrow, Box, Disc, Line, Point, Polygon, Stamp, Text, parts
from rules.contract import Outcome
from rules.games.crystalla import COLUMNS, CORNERS, Phase, State
from tests.renderers.crystalla_scenes import MINE, apart, heap, on_stage, stamps

# Spots


def under_way() -> Iterator[State]:
    """Yield positions of every phase and number of seats."""
    for played in games("crystalla"):
        yield from (state for state in played.states[::5] if state.actor is not None)


def nearest(at: Point, named: list[tuple[Point, str]]) -> str:
    return min(named, key=lambda pair: hypot(*apart(at, pair[0])))[1]


def test_the_middle_of_a_spot_is_on_the_thing_that_it_names() -> None:
    for state in under_way():
        view = state.view(state.actor)
        scene = scene_of(view)
        seat = view.actor
        assert seat is not None
        home = homes.table(view.seats).homes[seat]
        keys = [(stamp.at, stamp.sprite.name.split()[1]) for stamp in stamps(scene, "stack")]
        corners = [(stamp.at, stamp.sprite.name.split()[1]) for stamp in stamps(scene, "corner")]
        stones = [(part.at, part.sprite.name.split()[1]) for part in on_stage(view) if heap((part,))]  # type: ignore[union-attr]
        for part, outline_ in spots(view, a_look()).items():
            x, y = centre(outline_)
            at = (round(x, 3), round(y, 3))
            match view.phase:
                case Phase.TAKE:
                    assert part == f"take{nearest(at, keys)}"
                case Phase.DROP if part.isdigit():
                    assert part == nearest(at, keys)
                case Phase.DROP | Phase.GIVE if len(part) == 1:
                    assert part == nearest(at, stones)
                case Phase.LAY | Phase.PLACE if part in CORNERS:
                    assert part == nearest(at, corners)
                case Phase.LAY | Phase.PLACE if part in COLUMNS:
                    column = COLUMNS.index(part)
                    assert at == home.cell(column, len(view.displays[seat][column])).middle
                case Phase.SWAP | Phase.PLACE:
                    assert at == pytest.approx(home.slot(int(part[-1]) - 1).middle, abs=0.01)
                case Phase.GIVE:
                    assert at == pieces.places(homes.table(view.seats))[view.open.index(part)].middle
                case _:
                    assert at == home.cell(COLUMNS.index(part[0]), int(part[1]) - 1).middle


def test_every_part_of_every_action_has_a_spot_but_keeping_the_hand() -> None:
    for state in under_way():
        view = state.view(state.actor)
        needed = {part for action in view.actions() for part in action.parts}
        assert needed - set(spots(view, a_look())) <= {"keep"}


def test_spots_of_different_parts_are_apart() -> None:
    for state in under_way():
        places = spots(state.view(state.actor), a_look())
        for (one, here), (other, there) in combinations(places.items(), 2):
            assert not any(inside(point, there) for point in (centre(here), *inner(here))), (one, other)


def inner(outline_: tuple[Point, ...]) -> list[Point]:
    """Return the corners of an outline, moved a little towards its middle."""
    x0, y0 = centre(outline_)
    return [(x + 0.05 * (x0 - x), y + 0.05 * (y0 - y)) for x, y in outline_]


def test_a_chosen_part_has_a_thick_frame_square_around_a_stone() -> None:
    """In a picture 400 pixels wide the four sides are at least a pixel thick; the frame is inside the spot."""
    for state in under_way():
        view = state.view(state.actor)
        first = {action.parts[0] for action in view.actions() if len(action.parts) > 1}
        places = spots(view, a_look())
        for part in first & set(places):
            (stamp,) = DRAWER.marks(view, a_look(chosen=(part,)))
            assert isinstance(stamp, Stamp)
            for frame in stamp.sprite.shapes:
                assert isinstance(frame, Polygon)
                assert len(frame.points) == 4
                assert frame.width >= 7
                for (x, y), (wide, high) in ((corner, stamp.sprite.reach) for corner in frame.points):
                    assert abs(x) + frame.width / 2 <= wide
                    assert abs(y) + frame.width / 2 <= high


def lettered(shapes: tuple[AnyShape, ...], by: Point = (0, 0)) -> Iterator[tuple[str, Point, Point]]:
    """Yield every text with its middle and half its size."""
    for shape, at in flattened(shapes, by):
        if isinstance(shape, Text):
            wide = width(shape.text, shape.size, shape.bold)
            x = at[0] + shape.at[0] + {"left": wide / 2, "middle": 0.0, "right": -wide / 2}[shape.align]
            yield shape.text, (x, at[1] + shape.at[1]), (wide / 2, shape.size * CAPITAL / 2)


def test_no_mark_covers_the_code_of_a_piece_or_the_word_beside_a_stone() -> None:
    """This holds for both kinds of marks."""
    checked = 0
    for state in under_way():
        view = state.view(state.actor)
        if view.phase not in (Phase.GIVE, Phase.DROP):
            continue
        codes = {code for code in view.open if code}
        shapes = scene_of(view).shapes
        words = [word for word in lettered(shapes) if word[0] in codes or word[0] == "?" or word[0][0] == "×"]
        beside = [word for word in words if word[0] in codes or word[1][1] in stones_at(view)]
        every = tuple(spots(view, a_look()))
        for look in (a_look(choices=every), *(a_look(chosen=(part,)) for part in every)):
            for text, (u, v), (wide, high) in beside:
                for x, y, half in strokes(tuple(DRAWER.marks(view, look))):
                    checked += 1
                    gap = hypot(max(0.0, abs(x - u) - wide), max(0.0, abs(y - v) - high))
                    assert gap >= half, (text, view.phase)
    assert checked


def stones_at(view: State) -> set[float]:
    """Return the vertical places of the stones on the stage."""
    table = homes.table(view.seats)
    stones = stage.due(view, table) if view.phase == Phase.GIVE else stage.carried(view, table)
    return {y for _, y in stones.values()}


def strokes(shapes: tuple[AnyShape, ...]) -> Iterator[tuple[float, float, float]]:
    """Yield points along the strokes of marks, with half their thickness there."""
    for stamp in shapes:
        assert isinstance(stamp, Stamp)
        for part in stamp.sprite.shapes:
            assert isinstance(part, Line | Polygon)
            points = part.points if isinstance(part, Line) else (*part.points, part.points[0])
            for (x0, y0), (x1, y1) in pairwise(points):
                for k in range(9):
                    yield stamp.at[0] + x0 + (x1 - x0) * k / 8, stamp.at[1] + y0 + (y1 - y0) * k / 8, part.width / 2


def test_a_finished_game_has_no_spots() -> None:
    assert not spots(MINE["two-over"], a_look())
    assert not spots(MINE["two-take"], a_look(ended=Outcome((1, 2), (1,), "resigned")))


# Both themes


def flattened(shapes: tuple[AnyShape, ...], by: Point = (0, 0), ground: str = "") -> Iterator[tuple[AnyShape, Point]]:
    """Yield every shape in painting order with its shift; of a tile first its ground."""
    for shape in shapes:
        if isinstance(shape, Stamp):
            at = by[0] + shape.at[0], by[1] + shape.at[1]
            if shape.sprite.ground:
                (wide, high), name = shape.sprite.reach, shape.sprite.ground
                yield Box((-wide, -high), (2 * wide, 2 * high), name), at
            yield from flattened(shape.sprite.shapes, at)
        else:
            yield shape, by


def fill_at(shape: AnyShape, at: Point) -> str:
    """Return the colour of a shape at a point; "" if the shape does not cover it."""
    match shape:
        case Polygon(points=points, fill=fill) if fill and inside(at, points):
            return fill
        case Disc(at=middle, radius=radius, fill=fill) if fill and hypot(*apart(at, middle)) < radius:
            return fill
        case Box(at=(x, y), size=(wide, high), fill=fill) if fill and x < at[0] < x + wide and y < at[1] < y + high:
            return fill
        case _:
            return ""


@pytest.mark.parametrize("name", MINE)
def test_every_text_is_readable_on_its_ground(name: str) -> None:
    scene = scene_of(MINE[name])
    every = list(flattened((*scene.still, *scene.shapes)))
    pairs: set[tuple[str, str]] = set()
    for k, (text, by) in enumerate(every):
        if not isinstance(text, Text):
            continue
        wide = min(width(text.text, text.size, text.bold), text.room or 1000)
        x = by[0] + text.at[0] + {"left": wide / 2, "middle": 0, "right": -wide / 2}[text.align]
        below = (fill_at(shape, (x - a, by[1] + text.at[1] - b)) for shape, (a, b) in reversed(every[:k]))
        pairs.add((text.colour, next(filter(None, below), "ground")))
    for theme in Theme:
        known = colours(theme)
        for pen, ground in pairs:
            assert contrast(known[pen], known[ground]) >= 4.5, (pen, ground, theme)


@pytest.mark.parametrize("name", MINE)
def test_the_accent_has_an_edge_of_ink_on_all_changes(name: str) -> None:
    """Without the ink it would be invisible on light ground."""
    checked = 0
    for sprite in {stamp.sprite for stamp in parts(scene_of(MINE[name]).shapes) if isinstance(stamp, Stamp)}:
        for k, part in enumerate(sprite.shapes):
            if "accent" not in (getattr(part, "fill", ""), getattr(part, "line", ""), getattr(part, "colour", "")):
                continue
            checked += 1
            assert any(reaches_beyond(casing, part) for casing in sprite.shapes[:k]), (sprite, part)
    assert checked or name not in ("two-take", "two-cover", "three-lay", "four-drop")


def reaches_beyond(casing: AnyShape, part: AnyShape) -> bool:
    match casing, part:
        case Disc(fill="ink", radius=outer), Disc(radius=inner):
            return outer > inner
        case Box(at=a, fill="ink"), Box(at=b):
            return a[0] < b[0]
        case Box(line="ink", width=outer), Box(width=inner):
            return outer > inner
        case Line(colour="ink", width=outer, points=a), Line(width=inner, points=b):
            return outer > inner and a == b
        case Line(colour="ink", points=a), Polygon(points=b):
            return a == (*b, b[0])  # half of the line's width is outside the area it goes around
        case Arrow(fill="ink", casing=outer), Arrow(casing=inner):
            return outer > inner
        case _:
            return False


@pytest.mark.parametrize("theme", list(Theme))
def test_accent_and_marks_can_be_seen(theme: Theme) -> None:
    known = colours(theme)
    assert contrast(known["accent"], known["ink"]) >= 3
    for ground in ("ground", "panel.up"):
        assert contrast(known["text"], known[ground]) >= 3, "the frame of whoever is to act"
        assert contrast(known["muted"], known[ground]) >= 3, "the edge of a hematite's crystal"
    assert contrast(known["muted"], known["pane.cut"]) >= 3, "the next free row"
    assert contrast(known["paper"], known["ink"]) >= 3, "the setting of a piece"
