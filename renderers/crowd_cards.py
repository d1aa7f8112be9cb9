"""The card of a channel's game: a rosette of its final board, and beside it the people who voted."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from renderers import drawers, game_of
from renderers.cards import EYE, RADIUS, RIM, SIZE, framed, name_lines, rosette, tone
from renderers.frame import seat_colour
from renderers.look import Look
from renderers.scene import TEXT_MIN, AnyShape, Scene, Stamp, Text
from renderers.signs import crowd
from texts import listed, say

KILOBYTES = 51
LEFT, RIGHT = 586.0, 966.0
"""The sides of the words."""
TOP, LOW = 150.0, 446.0
"""The heights between which the names are."""
GAP = 20.0
"""Distance of two columns."""
BESIDE = 84.0
"""Width of the sign before the channel's name."""
NAMES = (44, 40, 36)
"""Sizes of that name in one line."""
LARGE = 7
"""With at most so many people their names are in one column."""
PITCHES = (42.0, 33.0)
"""Distance of rows in one column and in two."""
SIZES = (34, TEXT_MIN)


class Player(Struct, frozen=True):
    """A person who voted. *played*: the number of their votes that were played."""

    name: str
    played: int


class Crowd(Struct, frozen=True):
    """The people of a channel, those whose votes were played most first. *seat*: of the channel. *voters*: their
    number, also if no or not all names are told."""

    name: str
    seat: int
    voters: int
    people: tuple[Player, ...] = ()


def scene(view: Any, look: Look, known: Crowd) -> Scene:
    """Return the card of *view*, a spectator's view of a finished game."""
    hue = seat_colour(look, known.seat, drawers()[game_of(view)].hues)
    shapes = (*framed(hue, EYE, RADIUS, RIM), *_words(game_of(view), look, known, tone(hue, look.theme)))
    return Scene(SIZE, (), shapes, KILOBYTES, (rosette(view, look, EYE, RADIUS - RIM),))


def _words(game: str, look: Look, known: Crowd, fill: str) -> Iterator[AnyShape]:
    yield from crowd((LEFT + 36, 62), 24, fill, "ground")
    room = RIGHT - LEFT - BESIDE
    size, lines = name_lines(known.name, room, NAMES)
    for number, line in enumerate(lines):
        y = 62 + (number - (len(lines) - 1) / 2) * size * 1.1
        yield Text((LEFT + BESIDE, y), line, min(size, NAMES[-1]) if len(lines) > 1 else size, room=room)
    yield Text((LEFT, 118), say("table", "card.crowd", look.lang, n=known.voters), 30, "muted", room=RIGHT - LEFT)
    yield from _names(known, look.lang, fill)
    yield Stamp(drawers()[game].emblem(), (LEFT + 24, 500))
    yield Text((LEFT + 60, 500), say(game, "name", look.lang), 38, room=RIGHT - LEFT - 60)


def _names(known: Crowd, lang: str, fill: str) -> Iterator[AnyShape]:
    """Yield the names in one column or two, and the number of those for whom there is no room."""
    people = known.people
    columns = 1 if len(people) <= LARGE else 2
    size, pitch = SIZES[columns - 1], PITCHES[columns - 1]
    rows = int((LOW - TOP) / pitch)
    shown = people if len(people) <= rows * columns else people[: rows * columns - 1]
    wide = (RIGHT - LEFT - GAP * (columns - 1)) / columns
    for place, person in enumerate(shown):
        column, row = divmod(place, rows)
        left, y = LEFT + column * (wide + GAP), TOP + (row + 0.5) * pitch
        yield Text((left, y), person.name, size, bold=bool(person.played), room=wide - 44)
        if person.played:
            yield Text((left + wide, y), str(person.played), size, fill, align="right")
    if len(shown) < len(people):
        more = say("table", "vote.more", lang, n=known.voters - len(shown))
        at = (LEFT + (columns - 1) * (wide + GAP), TOP + (rows - 0.5) * pitch)
        yield Text(at, more, size, "muted", bold=False, room=wide)


def alt_text(view: Any, look: Look, known: Crowd) -> str:
    """Return the card in words."""
    people = [f"{person.name} {person.played}" for person in known.people]
    names = listed(people, look.lang) if people else ""
    if people and len(people) < known.voters:
        more = say("table", "vote.more", look.lang, n=known.voters - len(people))
        names = f"{', '.join(people)} {more}"
    game = say(game_of(view), "name", look.lang)
    return say("table", "alt.crowd", look.lang, game=game, who=known.name, n=known.voters, names=names)
