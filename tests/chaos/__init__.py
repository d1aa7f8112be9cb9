"""Fault injection: real bots and servers are killed, slowed and replaced while people play.

``python -m tests.chaos`` (``make chaos``) runs every scene on this machine in at most a quarter of an hour, and prints
a table; the exit code is 0 if all invariants hold. ``--only NAME`` selects scenes. ``--seeded`` adds a fault to each
scene, which its checks must find. ``docs/performance.md`` has the figures of a run.
"""
