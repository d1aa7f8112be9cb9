"""The house at the table: the computer player. It decides for a seat from the facts that this seat has seen.

    think(game, seen, seat, level, chance) -> action

``thinking`` is the entry; ``levels`` defines the strengths and ``limit`` the time budget. Neither of the two searches
knows a game: ``alphabeta`` is for games without hidden information, in which forcing actions like captures must be
searched to their end, and ``treesearch`` for games with hidden information. The games supply the evaluation function
(``State.win_probability``).
"""

from bot.house.levels import LEVELS, Level
from bot.house.thinking import think

__all__ = ["LEVELS", "Level", "think"]
