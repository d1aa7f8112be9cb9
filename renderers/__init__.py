"""Boards as pictures and as text. Renderers see views only, and know nothing of chats.

    picture(view, look) -> PNG bytes       alt_text(view, look) -> str

A drawer is a module in ``renderers/games`` named like its game, with ``scene(view, look)`` and
``alt_text(view, look)``; nothing else has to learn about it.
"""

from enum import StrEnum

from msgspec import Struct

from rules.contract import Outcome


class Theme(StrEnum):
    DARK = "dark"
    LIGHT = "light"


class SeatLook(Struct, frozen=True):
    """How a seat is shown: the person's *name* (any text), a colour's name, and whether the house plays it."""

    name: str
    colour: str = ""
    house: bool = False


class Look(Struct, frozen=True):
    """Everything about a picture that is not in the view.

    *seats*: one per seat. *side*: the seat from whose side the board is seen, None: as the game's page draws it.
    *lang*: the language of the alternative text. *ended*: the outcome where the table ended the game (a resignation).
    """

    seats: tuple[SeatLook, ...]
    side: int | None = None
    theme: Theme = Theme.DARK
    lang: str = "en"
    ended: Outcome | None = None
