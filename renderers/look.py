"""The settings of a picture that are not in the view: names, colours, theme, language, choices."""

from enum import StrEnum

from msgspec import Struct

from rules.contract import Outcome


class Theme(StrEnum):
    DARK = "dark"
    LIGHT = "light"


class SeatLook(Struct, frozen=True):
    """How a seat is shown: the person's *name* (any text), a colour's name, and whether an AI plays it (*house*).

    *stands_in*: the AI plays in place of that person, who does not get its wins. *just*: the AI took the seat in
    this turn, so the person made the seat's last action. *crowd*: the people of a place play here together.
    """

    name: str
    colour: str = ""
    house: bool = False
    stands_in: bool = False
    just: bool = False
    crowd: bool = False


class Recent(Struct, frozen=True, gc=False):
    """An action since the reader's last look: its *seat* and notation. *is_faint*: the reader knows it already.
    *facts*: those of its news (`rules.contract.News`), for effects that the view does not show.

    A drawer marks it, with less emphasis if it is faint. The marks differ by shape, not by colour alone.
    """

    seat: int
    action: str
    is_faint: bool = False
    facts: tuple[tuple[str, str], ...] = ()


class Look(Struct, frozen=True, gc=False):
    """The settings of a picture that are not in the view.

    *seats*: one per seat. *side*: the seat from whose side the board is drawn; None: as on the game's page.
    *lang*: the language of the alternative text. *ended*: the outcome if the table ended the game (a resignation).
    *turns*, *minutes*: the length of a finished game, for the plaque under its board.
    *hand*: the seat whose hand is drawn beside the board if the view knows it. Only that seat may see such a picture.
    *places*: the number of seats in a lobby, if its options fix it.
    *choices*: the parts of actions that one person can choose next; *chosen*: those chosen so far. Both are marked.
    *recent*: the actions to mark, oldest first; (): only those of the last turn, as the view knows them.
    *numbers*: parts of actions on the board, each with a number to mark it.
    """

    seats: tuple[SeatLook, ...]
    side: int | None = None
    theme: Theme = Theme.DARK
    lang: str = "en"
    ended: Outcome | None = None
    turns: int | None = None
    minutes: int | None = None
    hand: int | None = None
    places: int | None = None
    choices: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    recent: tuple[Recent, ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()
