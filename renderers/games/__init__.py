"""One drawer a game, named like it."""
