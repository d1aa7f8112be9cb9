"""The tests that every game has to pass, for authors of games; they need pytest and hypothesis.

    python -m kaleidobot.testing hex        all tests of the installed game "hex", with advice

The bot's own suite runs the same modules for its own games. `playing` has random games, `looking` the scenes of the
golden positions, and `fixtures` the fixture ``game``; an author's own tests may use them, too.
"""
