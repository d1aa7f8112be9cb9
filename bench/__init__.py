"""Measurements of the product, each next to a named peer if there is one.

Each module has ``rows(*, small=False)``, which yields its rows of the table of ``python -m bench``. *small* is the
smallest size that runs all of its code: its figures mean nothing, and the tests run it.
"""

Row = tuple[str, str, str, str]
"""The measurement, its figure, the ratio to the peer, the goal."""
