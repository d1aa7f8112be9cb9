"""What must hold when everything goes wrong: real bots, real servers, people who go on playing, and trouble.

``python -m tests.chaos`` (``make chaos``) plays every scene on this machine, in a quarter of an hour at most, and
prints a table; its exit code says whether all held. ``--only NAME`` plays some, ``--seeded`` each once with a fault
that its checks have to find. Figures of a run stand in ``docs/performance.md``.
"""
