"""The house at the table: what it plays for a seat, from nothing but what this seat has seen.

    think(game, seen, seat, level, chance) -> action

``thinking`` is the entry; ``levels`` says how well each strength plays; ``limit`` when to stop. Two ways of searching,
neither of which knows a game: ``alphabeta`` where everything lies open and actions like captures cannot wait,
``dealing`` where something is hidden. The games supply the evaluation function
(``State.win_probability``).
"""

from bot.house.levels import LEVELS, Level
from bot.house.thinking import think

__all__ = ["LEVELS", "Level", "think"]
