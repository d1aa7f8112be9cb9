"""One module or package a game; each has a name GAME."""
