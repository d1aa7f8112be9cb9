"""Boards from the command line.

python -m renderers POSITION.json OUT.png      the position as a picture (its game is named in the document)
python -m renderers preview GAME               every kind of picture of one game, in both themes, as GAME.png
python -m renderers gallery OUT.png            every kind of picture, in both themes, on one sheet
python -m renderers readme FOLDER              a small picture of every game, and their rosettes side by side
python -m renderers alt POSITION.json          the position in words

--theme dark|light   --side SEAT (from 1)   --width PIXELS   --lang CODE   --names Ada,Ben,...
--games kabooom,colorio,... (of the gallery)   --rosette: the rosette of the position, square
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from renderers import (
    Look,
    SeatLook,
    Theme,
    alt_text,
    board,
    cards,
    chart,
    drawers,
    hand,
    lobby,
    picture,
    positions_of,
)
from renderers.charts import Bar, Chart, Curve
from renderers.paint import contact_sheet, painter
from renderers.palette import colours
from renderers.scene import Scene
from rules import GAMES, LEFT_OUT

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
STRANGE = ("Wilhelmina von Hohenstein", "محمد بن سلمان", "王小明", "שלום עולם", "🎉 Eva 🎉", "Z͑ͫ̓ͪ̂ͫA̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘GO")
"""Difficult names: long, right-to-left, in letters that the fonts lack, with heaps of marks."""
FIGURES = Chart(
    "Ada",
    tuple(Curve(name, tuple(1000.0 + k * (9 - k) * (3 - n) for k in range(12 - n))) for n, name in enumerate(NAMES)),
    tuple(Bar(name, 1 - n / 8, f"{24 - 3 * n}", 0.5) for n, name in enumerate(NAMES)),
)
README_WIDTH = 400
SQUARE = 512
"""Side of the square of one rosette."""
SHEET_COLUMNS = 4
SHEET_WIDTH = 480


def _view(source: Path) -> Any:
    document = source.read_bytes()
    return GAMES[json.loads(document)["game"]].decode(document).view(None)


def _look(theme: Theme, names: Sequence[str] = NAMES, **facts: Any) -> Look:
    return Look(tuple(map(SeatLook, names)), theme=theme, **facts)


def _gallery(games: Sequence[str], *, figures: bool = True) -> bytes:
    """Return every picture of *games*, dark and light, on one sheet; with *figures* also a chart."""
    every = (*_shown(games), *((("chart", lambda theme: chart(FIGURES, _look(theme))),) if figures else ()))
    painted = ((name, paint(theme)) for name, paint in every for theme in Theme)
    shown = tuple((name, png) for name, png in painted if png is not None)
    known = colours(Theme.DARK)
    return contact_sheet(shown, SHEET_COLUMNS, SHEET_WIDTH, known["lead"], known["text"])


def _shown(games: Sequence[str]) -> Iterator[tuple[str, Callable[[Theme], bytes | None]]]:
    """Yield the pictures of *games* with their names: lobbies, positions, plaques, marks, hands, difficult names."""
    for game in games:
        least, most = GAMES[game].seats[0], GAMES[game].seats[-1]
        yield "lobby", partial(_lobby, game, NAMES[:1])
        yield "lobby, difficult names", partial(_lobby, game, STRANGE[:most])
        for source in positions_of(game):
            state = GAMES[game].decode(source.read_bytes())
            yield f"{source.stem}.json", partial(_board, state.view(None), turns=42, minutes=3 * 24 * 60)
            if state.actor is not None:
                yield f"{source.stem}.json, hand", partial(_hand, state.view(state.actor), state.actor)
        for seats in range(least, most + 1):
            view = GAMES[game].start(seats, seed=seats).view(None)
            yield f"{seats} seats, difficult names", partial(_board, view, names=STRANGE)
            choices = tuple(action.parts[0] for action in view.actions())
            yield f"{seats} seats, choices", partial(_board, view, choices=choices)


def _lobby(game: str, names: Sequence[str], theme: Theme) -> bytes:
    return lobby(game, _look(theme, names))


def _board(view: Any, theme: Theme, names: Sequence[str] = NAMES, **facts: Any) -> bytes:
    return picture(view, _look(theme, names, **facts))


def _hand(view: Any, seat: int, theme: Theme) -> bytes | None:
    return hand(view, seat, _look(theme))


def _readme(folder: Path) -> None:
    """Write one picture per game, of its sample position, and one of all rosettes."""
    sources = {name: {source.stem: source for source in positions_of(name)} for name in drawers()}
    samples = {name: _view(sources[name][own.sample]) for name, own in drawers().items()}
    look = _look(Theme.DARK)
    for name, view in samples.items():
        (folder / f"{name}.png").write_bytes(painter(look.theme).paint(board(view, look), README_WIDTH))
    (folder / "rosettes.png").write_bytes(_rosettes(tuple(samples.values()), look, SHEET_WIDTH, SQUARE * 2))


def _rosettes(views: Sequence[Any], look: Look, side: int, width_px: int | None = None) -> bytes:
    """Return the rosettes of *views* side by side, each on a square of this *side*; *width_px*: of a smaller copy."""
    middles = [(side * number + side // 2, side // 2) for number in range(len(views))]
    radius, rim = side * 15 // 32, side // 26
    rosettes = tuple(cards.rosette(view, look, at, radius - rim) for view, at in zip(views, middles, strict=True))
    rims = (cards.framed(cards.RIMS[number % len(cards.RIMS)], at, radius, rim) for number, at in enumerate(middles))
    shapes = tuple(shape for shapes in rims for shape in shapes)
    return painter(look.theme).paint(Scene((side * len(views), side), (), shapes, rosettes=rosettes), width_px)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m renderers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", help="a position's JSON file, preview, gallery, readme or alt")
    parser.add_argument(
        "path", type=Path, help="what to write: a PNG or folder (after alt: the position, after preview: the game)"
    )
    parser.add_argument("--theme", type=Theme, choices=list(Theme), default=Theme.DARK)
    parser.add_argument("--side", type=int, help="the number of the player from whose side the board is drawn")
    parser.add_argument("--width", type=int, help="width in pixels, to see the picture in phone size")
    parser.add_argument("--rosette", action="store_true", help="its rosette instead of the board, square")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--games", help="the games of the gallery; default: all")
    parser.add_argument("--names", default=",".join(NAMES))
    options = parser.parse_args(arguments)
    side = None if options.side is None else options.side - 1
    names = tuple(SeatLook(name) for name in options.names.split(","))
    look = Look(names, side=side, theme=options.theme, lang=options.lang)
    if options.command == "gallery":
        options.path.write_bytes(_gallery(options.games.split(",") if options.games else list(drawers())))
    elif options.command == "preview":
        if str(options.path) not in GAMES:
            out = (f"{out.package} is left out: {out.problem}." for out in LEFT_OUT if out.game == str(options.path))
            raise SystemExit(next(out, f"There is no game {options.path}. The games are: {', '.join(GAMES)}"))
        Path(f"{options.path}.png").write_bytes(_gallery([str(options.path)], figures=False))
    elif options.command == "readme":
        _readme(options.path)
    elif options.command == "alt":
        sys.stdout.write(alt_text(_view(options.path), look) + "\n")
    else:
        view = _view(Path(options.command))
        if options.rosette:
            options.path.write_bytes(_rosettes((view,), look, options.width or SQUARE))
            return
        options.path.write_bytes(painter(look.theme).paint(board(view, look), options.width))


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"cannot paint: {error!r}")
