"""Lessons: small positions in which a reader learns a game."""
