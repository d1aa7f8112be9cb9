"""Boards from the command line.

python -m renderers POSITION.json OUT.png      the position as a picture (its game is named in the document)
python -m renderers gallery OUT.png            every golden position in both themes on one sheet
python -m renderers alt POSITION.json          the position in words

--theme dark|light   --side SEAT (from 1)   --width PIXELS   --lang CODE   --names Ada,Ben,...
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from renderers import POSITIONS, Look, SeatLook, Theme, alt_text, drawer, drawers, picture
from renderers.paint import contact_sheet, painter
from renderers.palette import colours
from rules import GAMES

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
SHEET_COLUMNS = 4
SHEET_WIDTH = 480


def _view(source: Path) -> Any:
    document = source.read_bytes()
    return GAMES[json.loads(document)["game"]].decode(document).view(None)


def _gallery() -> bytes:
    """Each position dark and light, next to each other."""
    shown: list[bytes] = []
    for game in drawers():
        for source in sorted((POSITIONS / game).glob("*.json")):
            view = _view(source)
            shown += [picture(view, Look(tuple(map(SeatLook, NAMES)), theme=theme)) for theme in Theme]
    return contact_sheet(tuple(shown), SHEET_COLUMNS, SHEET_WIDTH, colours(Theme.DARK)["lead"])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m renderers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", help="a position's JSON file, or gallery, or alt")
    parser.add_argument("where", type=Path, help="the PNG to write (after alt: the position to read)")
    parser.add_argument("--theme", type=Theme, choices=list(Theme), default=Theme.DARK)
    parser.add_argument("--side", type=int, help="the player from whose side the board is seen")
    parser.add_argument("--width", type=int, help="width in pixels, for a look at phone size")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--names", default=",".join(NAMES))
    wish = parser.parse_args(arguments)
    side = None if wish.side is None else wish.side - 1
    names = tuple(SeatLook(name) for name in wish.names.split(","))
    look = Look(names, side=side, theme=wish.theme, lang=wish.lang)
    if wish.what == "gallery":
        wish.where.write_bytes(_gallery())
    elif wish.what == "alt":
        sys.stdout.write(alt_text(_view(wish.where), look) + "\n")
    else:
        view = _view(Path(wish.what))
        wish.where.write_bytes(painter(look.theme).paint(drawer(view).scene(view, look), wish.width))


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, KeyError) as wrong:
        sys.exit(f"cannot be painted: {wrong}")
