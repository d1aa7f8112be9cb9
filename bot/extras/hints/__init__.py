"""Hints: what the house would play."""
