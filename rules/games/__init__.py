"""One module or package per game; each has a constant GAME."""
