"""Hex for Kaleidobot: a game in a package of its own, and the example of docs/adding-a-game.md."""

CONTRACT = 1
"""The version of Kaleidobot's contract that this package is made for."""
