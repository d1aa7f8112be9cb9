"""Boards of squares drawn as text, and read from it.

2  1p   0r1d  .
1  0r   1s    .
   a    b     c
"""

from collections.abc import Sequence

from rules.squares import Squares

EMPTY = "."


def drawn(board: Squares, content: Sequence[str]) -> str:
    """Return *content* (one word per field, in field order, "" for an empty one) arranged like the board.

    >>> from rules.squares import squares
    >>> print(drawn(squares(3, 2), ("0r", "1s", "", "1p", "0r1d", "")))
    2  1p  0r1d  .
    1  0r  1s    .
       a   b     c
    """
    wide = len(board.columns)
    rows = [[row, *content[place * wide : (place + 1) * wide]] for place, row in enumerate(board.rows)]
    table = [[cell or EMPTY for cell in row] for row in reversed(rows)] + [["", *board.columns]]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in table)


def read(board: Squares, drawing: str) -> tuple[str, ...]:
    """Return the content of a *drawing*, in field order. Rows that are not drawn are empty.

    >>> from rules.squares import squares
    >>> read(squares(3, 2), "1  0r  1s  .")
    ('0r', '1s', '', '', '', '')
    """
    rows = {row: [""] * len(board.columns) for row in board.rows}
    for line in drawing.split("\n"):
        label, *cells = line.split() or [""]
        if label in rows:
            assert len(cells) == len(board.columns), f"row {label} has {len(cells)} fields"
            rows[label] = ["" if cell == EMPTY else cell for cell in cells]
    return tuple(cell for row in rows.values() for cell in row)
