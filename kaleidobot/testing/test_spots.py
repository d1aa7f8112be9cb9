"""The places of the parts of actions on every board, and the marks of choices among them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations
from math import hypot
from typing import Any

import pytest
from PIL import Image, ImageChops

from kaleidobot.testing.looking import a_look, pixels
from kaleidobot.testing.selection import games_under_test
from renderers import Drawer, Look, Theme, board, drawer, drawers, positions_of, spots
from renderers.outlines import Outline, box, centre, disc, inset, inside, marks
from renderers.paint import painter
from renderers.palette import colours, contrast
from renderers.scene import AnyShape, Line, Point, Polygon, Scene, Sprite, Stamp, parts
from rules import GAMES

BORDER = 3.0
MARKED = 3.0
MISSING = 0.25
"""The least share of the frame of a chosen part that is missing from the mark of a choice."""

# One place of each kind of board: a square field, its neighbour, a well, a hexagon's upper half, a plate.
PLACES: dict[str, Outline] = {
    "a1": box((20, 20), (90, 90)),
    "b1": box((110, 20), (90, 90)),
    "7": disc((260, 70), 24),
    "hall": ((320, 90), (350, 30), (410, 30), (440, 90)),
    "draw": box((20, 130), (400, 60)),
}


def with_spots() -> list[str]:
    return [game for game in games_under_test() if type(drawers()[game]).spots is not Drawer.spots]


def seen() -> Iterator[tuple[str, Any, Look]]:
    """Yield every golden position as its actor's view, from the side of the board and from their own."""
    for game in with_spots():
        for source in positions_of(game):
            state = GAMES[game].decode(source.read_bytes())
            for side in dict.fromkeys((None, state.actor)):
                yield f"{game}/{source.stem} side {side}", state.view(state.actor), a_look(side=side)


def steps(view: Any) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield the choices one after another: the parts so far, and the possible next parts."""
    by_prefix: dict[tuple[str, ...], dict[str, None]] = {}
    for action in view.actions():
        parts = tuple(map(str, action.parts))
        for at in range(len(parts)):
            by_prefix.setdefault(parts[:at], {})[parts[at]] = None
    for chosen, choices in by_prefix.items():
        yield chosen, tuple(choices)


def some(view: Any) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield some of these, evenly spaced: boards have up to hundreds."""
    every = list(steps(view))
    yield from every[:: max(1, len(every) // 6)]


@cache  # many positions have the same board
def meet(one: Outline, other: Outline) -> bool:
    """Return whether two places share more than borders."""
    small, large = inset(one, BORDER), inset(other, BORDER)
    if any(inside(point, large) for point in small) or any(inside(point, small) for point in large):
        return True
    return any(_cross(*a, *b) for a in _sides(small) for b in _sides(large))


def _sides(outline: Outline) -> list[tuple[Point, Point]]:
    return list(zip(outline, (*outline[1:], outline[0]), strict=True))


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    def left(p: Point, q: Point, r: Point) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    return left(a, b, c) != left(a, b, d) and left(c, d, a) != left(c, d, b)


def apart(where: str, outlines: Mapping[str, Outline]) -> None:
    placed = [(part, outline, *round_about(outline)) for part, outline in outlines.items()]
    for (one, here, (x0, y0), far), (other, there, (x1, y1), wide) in combinations(placed, 2):
        if hypot(x1 - x0, y1 - y0) < far + wide:
            assert not meet(here, there), f"{where}: {one} and {other} overlap"


def round_about(outline: Outline) -> tuple[Point, float]:
    """Return centre and radius of a circle around it."""
    a, b = centre(outline)
    return (a, b), max(hypot(x - a, y - b) for x, y in outline)


# Every board


def test_every_drawer_has_spots_for_its_parts() -> None:
    assert with_spots() == list(games_under_test())


def test_the_centre_of_every_spot_is_in_it_and_in_the_picture() -> None:
    for where, view, look in seen():
        wide, high = board(view, look).size
        for part, outline in spots(view, look).items():
            assert len(outline) >= 3, f"{where}: {part}"
            assert inside(centre(outline), outline), f"{where}: {part}"
            assert all(0 <= x <= wide and 0 <= y <= high for x, y in outline), f"{where}: {part}"


def test_places_overlap_by_their_borders_at_most() -> None:
    for where, view, look in seen():
        places = {outline: part for part, outline in spots(view, look).items()}
        apart(where, {part: outline for outline, part in places.items()})


def test_the_next_choices_differ_by_their_places() -> None:
    for where, view, look in seen():
        for chosen, choices in some(view):
            places = spots(view, Look(look.seats, look.side, choices=choices, chosen=chosen))
            possible = {part: places[part] for part in choices if part in places}
            assert len(set(possible.values())) == len(possible), f"{where} after {chosen}"


def test_every_part_of_every_action_is_on_the_board_or_the_drawer_says_why_not() -> None:
    for where, view, look in seen():
        elsewhere = drawer(view).off_board
        for chosen, choices in some(view):
            places = spots(view, Look(look.seats, look.side, choices=choices, chosen=chosen))
            for part in choices:
                is_known = part in places or any(re.fullmatch(pattern, part) for pattern in elsewhere)
                assert is_known, f"{where} after {chosen}: nobody says where {part} is"


def test_marks_change_nothing_beside_their_places() -> None:
    """The other board shows the same choices without marks."""
    for where, view, look in seen():
        for chosen, choices in dict.fromkeys(list(some(view))[k] for k in (0, -1)) if view.actions() else ():
            marked = Look(look.seats, look.side, choices=choices, chosen=chosen)
            image = painter(look.theme).image
            changed = ImageChops.difference(image(drawer(view).scene(view, marked)), image(board(view, marked)))
            places = spots(view, marked)
            areas = {part: _around(places[part]) for part in {*choices, *chosen} & set(places)}
            for part, area in areas.items():
                assert changed.crop(area).getbbox(), f"{where}: {part} is not marked"
            for area in areas.values():
                changed.paste(0, area)
            assert changed.getbbox() is None, where


def test_a_part_that_can_be_chosen_is_told_apart_from_a_chosen_one() -> None:
    """Draw marks with ``renderers.outlines.marks``, or make those of choices more open."""
    looked_at = set[tuple[AnyShape | Sprite, ...]]()
    for where, view, look in seen():
        size = board(view, look).size
        for chosen, choices in some(view):
            places = spots(view, Look(look.seats, look.side, choices=choices, chosen=chosen))
            on_board = [part for part in choices if part in places]
            for part in sorted(on_board, key=lambda part: round_about(places[part])[1])[:1]:
                free = Look(look.seats, look.side, choices=(part,), chosen=chosen)
                taken = Look(look.seats, look.side, chosen=(*chosen, part))
                with_it, chosen_it = (set(drawer(view).marks(view, now)) for now in (free, taken))
                possible, whole = tuple(with_it - chosen_it), tuple(chosen_it - with_it)
                kinds = tuple(shape.sprite if isinstance(shape, Stamp) else shape for shape in (*possible, *whole))
                if kinds in looked_at:
                    continue
                looked_at.add(kinds)
                lit, framed = _lit(size, possible), _lit(size, whole)
                missing = ImageChops.subtract(framed, lit).histogram()[255] / max(1, framed.histogram()[255])
                assert missing >= MISSING, (
                    f"{where}: the mark of {part} lacks {missing:.0%} of the frame that {part} has once it is chosen; "
                    f"{MISSING:.0%} tell them apart"
                )


def _lit(size: tuple[int, int], shapes: tuple[AnyShape, ...]) -> Image.Image:
    """Return the mask of the light pixels of marks on dark ground."""
    shown = painter(Theme.DARK).image(Scene(size, (), shapes)).convert("L")
    return shown.point([0] * 200 + [255] * 56)


def _around(outline: Outline) -> tuple[int, int, int, int]:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return int(min(xs)), int(min(ys)), int(max(xs)) + 1, int(max(ys)) + 1


# The marks


def drawn(stamps: Iterable[AnyShape]) -> list[AnyShape]:
    """Return the shapes in the stamps of marks."""
    return [shape for shape in parts(tuple(stamps)) if not isinstance(shape, Stamp)]


def test_places_of_one_form_share_their_mark() -> None:
    """Each form is drawn once: a board of many choices costs little more than one of few."""
    places = {str(k): box((100 * k, 40), (90, 60)) for k in range(5)}
    stamps = [shape for shape in marks(places, places, []) if isinstance(shape, Stamp)]
    assert len(stamps) == len(places)
    assert len({stamp.sprite for stamp in stamps}) == 1


def test_a_mark_is_painted_in_its_own_colours_and_nothing_between_them() -> None:
    """The file hardly grows with their number."""
    for theme in Theme:
        scene = Scene((460, 210), (), marks(PLACES, PLACES, ["b1"]))
        assert len(pixels(painter(theme).paint(scene)).getcolors() or []) == len(("ground", "mark", "mark.case"))


@pytest.mark.parametrize("part", PLACES)
def test_the_mark_of_a_choice_is_broken_and_that_of_a_chosen_part_is_whole(part: str) -> None:
    assert all(isinstance(shape, Line) for shape in drawn(marks(PLACES, [part], [])))
    assert [type(shape) for shape in drawn(marks(PLACES, [], [part]))] == [Polygon, Polygon]
    assert marks(PLACES, [part], [part]) == marks(PLACES, [], [part])


def test_a_part_off_the_board_has_no_mark() -> None:
    assert marks(PLACES, ["pass", "z9"], ["hold"]) == ()


@pytest.mark.parametrize("part", PLACES)
def test_a_mark_keeps_inside_its_place_and_leaves_the_middle_free(part: str) -> None:
    ground = Scene((460, 210), (), ())
    for choices, chosen in (((part,), ()), ((), (part,))):
        scene = Scene(ground.size, (), marks(PLACES, choices, chosen))
        changed = ImageChops.difference(
            pixels(painter(Theme.DARK).paint(scene)), pixels(painter(Theme.DARK).paint(ground))
        ).convert("L")
        for x in range(0, 460, 2):
            for y in range(0, 210, 2):
                if changed.getpixel((x, y)):
                    assert inside((x, y), PLACES[part])
        middle = centre(PLACES[part])
        assert (
            changed.crop((int(middle[0]) - 6, int(middle[1]) - 6, int(middle[0]) + 6, int(middle[1]) + 6)).getbbox()
            is None
        )


@pytest.mark.parametrize("theme", list(Theme))
def test_a_mark_can_be_seen_on_any_ground(theme: Theme) -> None:
    known = colours(theme)
    for name, ground in known.items():
        assert max(contrast(known[pen], ground) for pen in ("mark", "mark.case")) >= MARKED, name
