"""Choices as Telegram shows them: few rows, labels readable on a phone, one button to close."""

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from msgspec.structs import replace
from telegram import InlineKeyboardButton

import texts
from bot.adapters.on_telegram import phrasing
from bot.chat import PersonId, PlaceId, Reply, Select, Style
from bot.replies import choices, menus
from bot.replies.decision import AtTable
from bot.replies.tree import Path, Tree
from bot.requests import payload
from bot.tables.preferences import LANG, THEME
from bot.tables.table import Phase, Seat, Table, TableId
from kaleidobot.testing.playing import some_states
from rules import GAMES

PEOPLE = ("Anna", "Ben", "Clara", "David", "Emil", "Frida")
LONG_NAMES = ("Johannes", "Maximilian", "Bartholomew", "Konstantin", "Emanuelle", "Friederike")
WIDTH = 44
"""Characters side by side on a phone."""
ROWS_OF_LISTS, ROWS_OF_MOVES, SIDE_BY_SIDE = 15, 6, 4
IN_MENUS = 8
"""Places in the tree of a state's moves that are looked at."""

each_lang = pytest.mark.parametrize("lang", texts.languages())
each_game = pytest.mark.parametrize("game", GAMES)


def table_of(game: str, lang: str, count: int, people: Sequence[str] = PEOPLE) -> Table:
    seats = tuple(Seat(PersonId(f"x:{name}"), name, lang) for name in people[:count])
    of = {"id": TableId("k3v7qpm2xa"), "place": PlaceId("x:hall"), "host": seats[0].person}
    return Table(game=game, lang=lang, created_ms=0, seats=seats, **of)  # type: ignore[arg-type]  # three of a kind


def rows(reply: Reply) -> list[tuple[InlineKeyboardButton, ...]]:
    keyboard = phrasing.keyboard(reply.rows)
    assert keyboard is not None
    return list(keyboard.inline_keyboard)


def leads_to(button: InlineKeyboardButton) -> payload.Payload | None:
    return payload.read(str(button.callback_data)) if button.callback_data else None


def is_laid_out(reply: Reply, most_rows: int, most_columns: int) -> None:
    """Check that a phone shows it as intended."""
    shown = rows(reply)
    assert len(shown) <= most_rows
    for row in shown:
        labels = [button.text for button in row]
        assert len(row) <= most_columns, labels
        assert len(row) == 1 or len(row) * max(map(len, labels)) <= WIDTH, labels
        assert all(0 < len(label) <= WIDTH for label in labels), labels
    given = [choice.label for row in reply.rows if isinstance(row, Select) for choice in row.choices]
    given += [button.label for row in reply.rows if not isinstance(row, Select) for button in row]
    read = [button.text.removeprefix("• ") for row in shown for button in row]
    assert set(given) <= set(read), "none is cut"
    ends = [button for row in shown for button in row if (result := leads_to(button)) and result.verb == "close"]
    assert len(ends) == 1
    assert ends[0] is shown[-1][-1], "where one looks for it"


def pages_of_options(table: Table, person: str) -> Iterator[Reply]:
    first = choices.options(table, PersonId(f"x:{person}"), 0, table.lang)
    turn = leads_to(rows(first)[-1][0])
    many = turn is not None and turn.verb == "options"
    yield first
    while many:
        assert turn is not None
        if turn.numbers[-1] == 0:
            return
        page = choices.options(table, PersonId(f"x:{person}"), turn.numbers[-1], table.lang)
        turn = leads_to(rows(page)[-1][0])
        yield page


@each_lang
@each_game
def test_options_of_a_lobby_are_lists_of_four_side_by_side_at_most(game: str, lang: str) -> None:
    table = table_of(game, lang, 2)
    for person in ("Anna", "Ben", "somebody else"):
        for page in pages_of_options(table, person):
            is_laid_out(page, ROWS_OF_LISTS, SIDE_BY_SIDE)


@each_lang
@pytest.mark.parametrize("manages", [True, False])
@pytest.mark.parametrize("scope", ["me", "place"])
def test_settings_are_lists_of_four_side_by_side_at_most(scope: str, manages: bool, lang: str) -> None:
    for language, theme in product(LANG.choices[1:], THEME.choices[1:]):
        autos = {LANG: language, THEME: theme}
        for page in range(10):
            is_laid_out(choices.settings(scope, {}, page, manages, lang, autos), ROWS_OF_LISTS, SIDE_BY_SIDE)


def menus_of(game: str, lang: str, people: Sequence[str] = PEOPLE) -> Iterator[Reply]:
    """Yield menus of moves from all parts of the games, page by page, with and without a step back."""
    table = replace(table_of(game, lang, GAMES[game].seats[-1], people), phase=Phase.RUNNING)
    for state in some_states(game):
        if state.actor is None:
            continue
        view = state.view(state.actor)
        tree, paths, seen = Tree.of(game, view), [Path(())], set[Path]()
        while paths and len(seen) < IN_MENUS:
            path = paths.pop(0)
            if path in seen:
                continue
            seen.add(path)
            paths += [option.path for option in tree.after(path) if option.index is None]
            for page, can_undo in ((0, False), (0, True), (1, True)):
                yield menus.menu(AtTable(table, view.actor), view, tree, path, page, lang, can_undo=can_undo)


@each_lang
@each_game
def test_a_move_is_chosen_from_few_rows_as_wide_as_the_board_at_most(game: str, lang: str) -> None:
    widest = max([menus.WIDEST, *(len(grid[0]) for grid in GAMES[game].grids)])
    for menu in menus_of(game, lang):
        is_laid_out(menu, ROWS_OF_MOVES, widest)


@each_lang
@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].grids])
def test_buttons_lie_as_on_the_board_however_long_the_names_on_them_are(game: str, lang: str) -> None:
    boards, named = 0, set[str]()
    for menu in menus_of(game, lang, LONG_NAMES):
        *board, _ = (row for row in menu.rows if not isinstance(row, Select))
        if not any(button.style is Style.BLANK for row in board for button in row):
            continue
        boards += 1
        read = [[button.text for button in row] for row in rows(menu)]
        assert read[: len(board)] == [[button.label for button in row] for row in board]
        named |= {label.split()[-1] for row in read for label in row if label[-1] == "…"}
    assert boards
    assert all(len(name) > 4 for name in named), "one still sees whose it is"
