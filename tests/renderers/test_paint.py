"""The rules for every picture of every game, from the palette to the bytes."""

import ast
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import renderers
from kaleidobot.testing.looking import ODD_NAMES, a_look, digests, pixels, positions, scene_of, some_positions
from kaleidobot.testing.painted import theme, view
from renderers import ALT_LONGEST, POSITIONS, Theme, alt_text, board, diagram, drawers, picture, prepare
from renderers.__main__ import main
from renderers.layout import Area, Grid, Hexes, Rings
from renderers.lettering import ELLIPSIS, NOTHING, UNKNOWN, drawable, face, fitted, width
from renderers.paint import KEPT_PATCH, LEVELS, Painter, _draw, _is_sharp, painter
from renderers.palette import HUES, MARKS, SIGNS, TONES, colours, contrast, on, table
from renderers.png import written
from renderers.scene import (
    AnyShape,
    Arrow,
    Box,
    Disc,
    Glow,
    Line,
    Polygon,
    Scene,
    Sector,
    Sprite,
    Stamp,
    Text,
)
from renderers.signs import figure

__all__ = ["theme", "view"]

READABLE = 4.5


def one(*shapes: AnyShape, size: tuple[int, int] = (200, 100)) -> Scene:
    return Scene(size, (), shapes)


# Palette


@pytest.mark.parametrize("ground", ["ground", "panel", "panel.up"])
@pytest.mark.parametrize("pen", ["text", "muted"])
def test_lettering_can_be_read_on_every_flat_ground(theme: Theme, ground: str, pen: str) -> None:
    known = colours(theme)
    assert contrast(known[pen], known[ground]) >= READABLE


@pytest.mark.parametrize("ground", ["panel", "ground"])
def test_a_warning_can_be_read(theme: Theme, ground: str) -> None:
    assert contrast(colours(theme)["warn"], colours(theme)[ground]) >= READABLE


@pytest.mark.parametrize("hue", HUES)
def test_every_tone_of_every_hue_has_a_pen_that_can_be_read_on_it(theme: Theme, hue: str) -> None:
    known = colours(theme)
    for tone in TONES:
        assert contrast(known[on(hue + tone, theme)], known[hue + tone]) >= READABLE, tone


def test_every_hue_has_a_sign_of_its_own_and_every_seat_a_mark() -> None:
    assert set(SIGNS) == set(HUES)
    assert len(set(SIGNS.values())) == len(HUES)
    assert len(set(MARKS)) == 6
    for name in (*SIGNS.values(), *MARKS):
        assert figure(name, (0, 0), 10, "red")


def test_an_unknown_figure_is_an_error() -> None:
    with pytest.raises(KeyError, match="blob"):
        figure("blob", (0, 0), 10, "red")


def test_the_palette_fits_the_file_and_keeps_every_named_colour(theme: Theme) -> None:
    assert len(table(theme)) <= 256
    for name, colour in colours(theme).items():
        shown = pixels(painter(theme).paint(one(Box((0, 0), (200, 100), name)))).getpixel((100, 50))
        # Of colours that differ only in the lowest two bits of a channel the table has one.
        assert isinstance(shown, tuple)
        assert all(abs(a - b) < 4 for a, b in zip(shown, colour, strict=True)), name


# Lettering


@given(st.text(max_size=300), st.integers(40, 400))
def test_any_text_is_made_of_known_glyphs_and_fits_its_room(text: str, room: int) -> None:
    drawn = fitted(text, 27, True, room)
    assert drawn
    assert set(drawn) <= set(face(True).widths)
    assert drawn == ELLIPSIS or sum(face(True).widths[letter] for letter in drawn) * 27 <= room


def test_only_text_that_does_not_fit_is_cut_with_an_ellipsis() -> None:
    assert fitted("Zoë Müller-Lüdenscheidt", 24, True, 1000) == "Zoë Müller-Lüdenscheidt"
    assert fitted("Zoë Müller-Lüdenscheidt", 24, True, 150).endswith(ELLIPSIS)


def test_glyphs_that_the_font_lacks_become_a_neutral_sign() -> None:
    assert drawable("Bo 王") == f"Bo {UNKNOWN}"


def test_a_run_of_glyphs_that_the_font_lacks_is_one_sign() -> None:
    assert drawable("🎉👨‍👩‍👧‍👦 王小明 Bo") == f"{UNKNOWN} Bo"


@pytest.mark.parametrize("name", ["", "  ", "\n", "\u200b\u200d"])
def test_a_name_of_nothing_is_a_dash(name: str) -> None:
    assert drawable(name) == NOTHING


def test_names_that_are_read_from_the_right_are_drawn_from_the_right() -> None:
    assert drawable("שלום") == "םולש"
    assert fitted("שלום עולם", 24, True, 100).startswith(ELLIPSIS)


def test_arabic_letters_join() -> None:
    assert drawable("سلام") == "\ufee1\ufefc\ufeb3"


def test_a_letter_with_its_accent_apart_is_one_glyph() -> None:
    assert drawable("Zoe\u0308") == "Zoë"


def test_the_widths_are_those_that_are_painted() -> None:
    for bold, text in product((True, False), ("Wilhelmina", "12", "b3-c4", "Ünal")):
        shown = pixels(painter(Theme.DARK).paint(one(Text((10, 50), text, 30, bold=bold), size=(400, 100))))
        ink = shown.convert("L").point(lambda value: 255 if value > 120 else 0).getbbox()
        assert ink is not None
        assert abs(ink[2] - 10 - width(text, 30, bold)) < 8


# Shapes


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [
        (Polygon(((50, 20), (90, 80), (10, 80)), "red"), (50, 60), (15, 30)),
        (Disc((50, 50), 30, "red"), (50, 25), (26, 26)),
        (Disc((50, 50), 30, "", "red", 6), (50, 23), (50, 50)),
        (Box((20, 20), (60, 60), "red"), (21, 21), (18, 50)),
        (Box((20, 20), (60, 60), "red", round=30), (50, 22), (23, 23)),
        (Sector((50, 50), 20, 40, 0, 90, "red"), (72, 28), (28, 28)),
        (Sector((50, 50), 0, 40, 180, 270, "red"), (40, 60), (60, 40)),
        (Line(((10, 50), (90, 50)), "red", 6), (50, 52), (50, 56)),
        (Line(((0, 50), (110, 50)), "red", 6, dash=10), (4, 50), (15, 50)),
        (Arrow((10, 50), (90, 50), "red"), (84, 50), (86, 58)),
        (Stamp(Sprite("dot", (10, 10), (Disc((0, 0), 10, "red"),)), (50, 50)), (50, 42), (61, 50)),
        (Stamp(Sprite("tile", (10, 10), (Disc((0, 0), 10, "red"),), "pit"), (50, 50)), (50, 42), (61, 50)),
    ],
)
def test_a_shape_paints_its_area(
    shape: AnyShape, inside: tuple[int, int], outside: tuple[int, int], theme: Theme
) -> None:
    shown = pixels(painter(theme).paint(one(shape, size=(120, 100))))
    assert shown.getpixel(inside) == colours(theme)["red"]
    assert shown.getpixel(outside) == colours(theme)["ground"]


def test_a_tile_fills_its_whole_rectangle(theme: Theme) -> None:
    tile = Sprite("tile", (20, 10), (Disc((0, 0), 8, "red"),), "pit")
    shown = pixels(painter(theme).paint(one(Stamp(tile, (50, 50)))))
    for x, y in product((30, 69), (40, 59)):
        assert shown.getpixel((x, y)) == colours(theme)["pit"]


def test_tiles_in_tiles_and_sprites_in_sprites_are_in_their_places(theme: Theme) -> None:
    inner = Sprite("inner", (5, 5), (Box((-5, -5), (10, 10), "red"),))
    inner_tile = Sprite("inner tile", (5, 5), (), "blue")
    outer = Sprite("outer", (20, 20), (Stamp(inner, (-10, 0)), Stamp(inner_tile, (10, 0))))
    outer_tile = Sprite("outer tile", (20, 20), outer.shapes, "pit")
    shown = pixels(painter(theme).paint(one(Stamp(outer, (40, 50)), Stamp(outer_tile, (120, 50)))))
    for x in (40, 120):
        assert shown.getpixel((x - 10, 50)) == colours(theme)["red"]
        assert shown.getpixel((x + 10, 50)) == colours(theme)["blue"]


@pytest.mark.parametrize("faceted", [True, False])
def test_parts_of_a_faceted_sprite_have_no_colour_between_them(faceted: bool, theme: Theme) -> None:
    halves = Polygon(((-30, -30), (30, -30), (-30, 30)), "red"), Polygon(((30, -30), (30, 30), (-30, 30)), "yellow")
    stone = Sprite(f"stone {faceted}", (40, 40), halves, faceted=faceted)
    shown = pixels(Painter(theme).paint(one(Stamp(stone, (50, 50)), size=(100, 100))))
    inside = {colour for _, colour in shown.crop((24, 24, 76, 76)).getcolors() or ()}
    own = {colours(theme)["red"], colours(theme)["yellow"]}
    assert (inside == own) == faceted
    assert own <= inside


def test_the_file_holds_the_pixels_that_were_painted(theme: Theme) -> None:
    own = Painter(theme)
    for shapes in ((), (Disc((50, 40), 30, "red", "ink", 3), Text((100, 50), "Ada", 30))):
        file = Image.open(BytesIO(own.paint(one(*shapes))))
        assert (file.mode, file.size) == ("P", (200, 100))
        assert file.convert("RGB").tobytes() == own.image(one(*shapes)).convert("RGB").tobytes()


@pytest.mark.parametrize(("count", "harder"), [(500, False), (12_000, True)])
def test_a_file_that_would_be_large_is_packed_harder(count: int, harder: bool) -> None:
    luck = Random(1)
    spots = [Disc((luck.randrange(1000), luck.randrange(800)), 3, luck.choice(("red", "blue"))) for _ in range(count)]
    scene = Scene((1000, 800), (), tuple(spots))
    file = painter(Theme.DARK).paint(scene)
    shown = Image.open(BytesIO(file))
    rows = b"".join(b"\0" + shown.crop((0, y, 1000, y + 1)).tobytes() for y in range(800))
    hasty = written(shown.size, rows, bytes(shown.getpalette() or ()), LEVELS[0])
    assert (len(hasty) > 1000 * scene.kilobytes) == harder
    assert (len(file) < len(hasty)) == harder


def test_later_shapes_cover_earlier_ones_and_tiles(theme: Theme) -> None:
    tile = Stamp(Sprite("tile", (20, 20), (), "blue"), (50, 50))
    below_, above = Disc((40, 50), 10, "red"), Disc((60, 50), 10, "green")
    shown = pixels(painter(theme).paint(one(below_, tile, above)))
    assert shown.getpixel((45, 50)) == colours(theme)["blue"]
    assert shown.getpixel((60, 50)) == colours(theme)["green"]


def test_light_is_strongest_in_the_middle_and_ends_at_its_radius() -> None:
    shown = pixels(painter(Theme.DARK).paint(one(Glow((50, 50), 40, "white.pale", 1.0), size=(120, 100))))
    middle, rim = shown.getpixel((50, 50)), shown.getpixel((95, 50))
    assert isinstance(middle, tuple)
    assert min(middle) > 200
    assert rim == colours(Theme.DARK)["ground"]


def test_strength_lets_the_shapes_below_through() -> None:
    shown = pixels(painter(Theme.DARK).paint(one(Box((0, 0), (100, 100), "paper", strength=0.5), size=(100, 100))))
    half = shown.getpixel((50, 50))
    assert isinstance(half, tuple)
    assert 100 < half[1] < 180


def test_a_shape_beyond_the_picture_does_no_harm() -> None:
    scene = one(Disc((-500, -500), 10, "red"), Disc((199, 99), 30, "red"), Text((190, 5), "Anna"))
    assert pixels(painter(Theme.DARK).paint(scene)).size == (200, 100)


# Layouts


def test_a_grid_seen_from_another_side_has_its_corners_elsewhere() -> None:
    area = Area(0, 0, 400, 400)
    corners = [(0, 0), (3, 0), (3, 3), (0, 3)]
    by_turns = [[Grid(4, 4, area, turns).middle(cell) for cell in corners] for turns in range(4)]
    for turns in range(4):
        assert (
            by_turns[turns] == by_turns[0][-turns:] + by_turns[0][:-turns]
            or by_turns[turns] == by_turns[0][turns:] + by_turns[0][:turns]
        )
    assert len({places[0] for places in by_turns}) == 4


def test_a_turned_grid_still_fills_its_area() -> None:
    for turns in range(4):
        grid = Grid(6, 4, Area(10, 20, 600, 300), turns)
        places = [grid.middle((column, row)) for column, row in product(range(6), range(4))]
        assert len(set(places)) == 24
        assert all(10 < x < 610 and 20 < y < 320 for x, y in places)


def test_neighbouring_hexes_share_two_corners() -> None:
    hexes = Hexes((100, 100), 30)
    here = {(round(x, 3), round(y, 3)) for x, y in hexes.corners((0, 0))}
    for q, r in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)):
        there = {(round(x, 3), round(y, 3)) for x, y in hexes.corners((q, r))}
        assert len(here & there) == 2


def test_a_turned_ring_moves_every_place_by_the_same_angle() -> None:
    plain, turned = Rings((0, 0)), Rings((0, 0), 90)
    assert turned.place(10, 45) == pytest.approx(plain.place(10, 135))


# Every picture of every game


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_name_can_be_painted_and_written(name: str) -> None:
    """The words are made for every position, the picture for every seventh: each game gets all names."""
    look = a_look(*(name,) * 6)
    for number, position in enumerate(positions().values(), ODD_NAMES.index(name)):
        assert 0 < len(alt_text(position, look)) <= ALT_LONGEST
        if number % 7 == 0:
            assert painter(look.theme).image(board(position, look)).size == scene_of(position).size


DISC = Disc((20, 20), 15, "red", "ink", 3)
SHAPES = (
    DISC,
    Disc((20, 20), 15, "red", strength=0.5),
    Polygon(((3, 5), (36, 12), (9, 33)), "blue", "ink", 3),
    Box((4, 6), (30, 20), "green", "ink", 3, round=6),
    Sector((20, 20), 7, 16, 30, 200, "orange", "ink", 3),
    Line(((3, 5), (36, 12), (9, 33)), "accent", 5, dash=4),
    Arrow((4, 4), (34, 30), "accent", "ink", 6),
    Glow((20, 20), 15, "accent"),
    Text((20, 20), "1a"),
    Stamp(Sprite("faint", (9, 9), (Disc((0, 0), 8, "red"),)), (20, 20), 0.5),
)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_a_sharp_shape_is_the_same_without_straight_alpha(shape: AnyShape) -> None:
    """As a sprite of its own, and on another shape."""
    for parts in ((shape,), (DISC, shape)):
        stamp = Stamp(Sprite("drawn", (24, 24), parts), (4, 4))
        if not _is_sharp(stamp):
            continue
        shrunk = []
        for mode in ("RGBA", "RGBa"):
            drawn = Image.new(mode, (48 * 4, 48 * 4))
            _draw(drawn, stamp, (0, 0), 4, colours(Theme.DARK))
            shrunk.append(drawn.reduce(4).convert("RGBA").tobytes())
        assert shrunk[0] == shrunk[1]


# The same again


@pytest.fixture(scope="module")
def painted() -> dict[str, str]:
    """Return the fingerprints of some pictures, painted once for all comparisons."""
    return digests()


def test_some_positions_are_of_every_game_in_both_themes(painted: dict[str, str]) -> None:
    chosen = {(name.split("/")[0], Theme(theme)) for name, theme in map(str.split, painted)}
    assert chosen == set(product(drawers(), Theme))


def test_the_same_view_gives_the_same_bytes_in_another_process(painted: dict[str, str]) -> None:
    code = "from kaleidobot.testing.looking import digests; print(digests())"
    again = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(renderers.__file__).parents[1],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert again.stdout.strip() == str(painted)


def test_many_threads_paint_the_same_as_one(theme: Theme) -> None:
    scenes = [scene_of(view) for view in some_positions().values()][list(Theme).index(theme) :: len(Theme)]
    alone = [painter(theme).paint(scene) for scene in scenes]
    shared = Painter(theme)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(shared.paint, scenes * 3)) == alone * 3


def test_the_ground_of_the_widest_plate_is_kept() -> None:
    """In colour and with its mask: it is under every name, and takes longer than the rest of a plate."""
    scenes = [scene_of(view) for view in positions().values()]
    tiles = [shape.sprite for scene in scenes for shape in scene.shapes if isinstance(shape, Stamp)]
    boxes = [
        part for tile in tiles if re.fullmatch(r"plate \d", tile.name) for part in tile.shapes if isinstance(part, Box)
    ]
    assert max(4 * box.size[0] * box.size[1] for box in boxes) <= KEPT_PATCH


def test_a_painter_that_can_keep_next_to_nothing_paints_the_same(theme: Theme) -> None:
    forgetful = Painter(theme, kept_bytes=50_000)
    for position in list(positions().values())[:4]:
        assert forgetful.paint(scene_of(position)) == painter(theme).paint(scene_of(position))


def test_preparing_is_over_once_and_changes_nothing(painted: dict[str, str]) -> None:
    prepare(Theme.LIGHT)
    assert digests() == painted


def test_no_module_uses_the_core_image_behind_a_pillow_image() -> None:
    """It has no underscore in its name, but no documentation either."""
    for path in Path(renderers.__file__).parent.rglob("*.py"):
        attributes = (
            node.attr for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Attribute)
        )
        assert "im" not in attributes, path


# From outside


def test_a_view_of_an_unknown_game_has_no_drawer() -> None:
    with pytest.raises(KeyError):
        picture(object(), a_look())


def test_pages_of_rules_without_a_picture_have_none() -> None:
    for game in drawers():
        assert diagram(game, 99, a_look()) is None
    assert diagram("whist", 1, a_look()) is None


def test_a_picture_from_the_command_line(tmp_path: Path) -> None:
    source, target = next(renderers.POSITIONS.glob("*/*.json")), tmp_path / "board.png"
    options = ("--theme", "light", "--width", "400", "--side", "1", "--names", "Ada,Ben")
    subprocess.run([sys.executable, "-m", "renderers", source, target, *options], check=True)
    assert pixels(target.read_bytes()).width == 400


def test_the_words_of_a_picture_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    source = next(renderers.POSITIONS.glob("*/*.json"))
    main(["alt", str(source), "--lang", "de"])
    assert capsys.readouterr().out.strip()


def test_a_contact_sheet_from_the_command_line(tmp_path: Path) -> None:
    main(["gallery", str(tmp_path / "gallery.png"), "--games", "colorio"])
    assert pixels((tmp_path / "gallery.png").read_bytes()).width > 1000


def test_the_front_page_shows_every_game_as_the_command_line_draws_it(tmp_path: Path) -> None:
    main(["readme", str(tmp_path)])
    docs = Path(renderers.__file__).parents[1]
    page = (docs / "README.md").read_text(encoding="utf-8")
    for name in drawers():
        assert re.search(rf'<img src="docs/{name}.png" alt="[^"]+" ', page)
        shown, made = (pixels((folder / f"{name}.png").read_bytes()) for folder in (docs / "docs", tmp_path))
        assert shown.width == made.width == 400
        assert 0.7 < shown.height / shown.width < 0.95
    assert '<img src="docs/rosettes.png"' in page
    sizes = [pixels((folder / "rosettes.png").read_bytes()).size for folder in (docs / "docs", tmp_path)]
    assert sizes[0] == sizes[1]
    assert (tmp_path / "rosettes.png").stat().st_size < 80_000


def test_the_bots_own_picture_is_a_square_rosette_and_the_same_every_time(tmp_path: Path) -> None:
    position = POSITIONS / "kaleidoskop/six-full.json"
    for name in ("one", "other"):
        main([str(position), str(tmp_path / f"{name}.png"), "--rosette"])
    made, again = ((tmp_path / f"{name}.png").read_bytes() for name in ("one", "other"))
    assert made == again
    kept = (Path(renderers.__file__).parents[1] / "docs/bot.png").read_bytes()
    assert pixels(made).size == pixels(kept).size == (512, 512)
    assert len(made) < 60_000
