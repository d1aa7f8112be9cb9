"""The public part for authors of games: the tests of the contract (`kaleidobot.testing`)."""
