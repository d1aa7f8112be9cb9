"""When to stop thinking."""

import time

OVERRUN_S = 0.5
"""On a busy machine a thought takes longer than its CPU time, but never more than so many seconds."""


class Enough(Exception):
    """Stop now, with the best result so far."""


class Limit:
    """So many *seconds* of one core, or so many *steps* instead of any clock.

    >>> limit = Limit(3.0, 2)
    >>> limit.step(), limit.step()
    (None, None)
    >>> limit.is_reached
    True
    """

    def __init__(self, seconds: float, steps: int | None = None) -> None:
        self._steps_left = steps
        self._seconds = seconds
        self._cpu, self._clock = time.thread_time(), time.monotonic()

    @property
    def is_reached(self) -> bool:
        if self._steps_left is not None:
            return self._steps_left <= 0
        return (
            time.thread_time() - self._cpu >= self._seconds
            or time.monotonic() - self._clock >= self._seconds + OVERRUN_S
        )

    def share(self, parts: int) -> "Limit":
        """Return a limit for the next of *parts* equal parts of the remaining budget."""
        seconds = max(0.0, self._seconds - (time.thread_time() - self._cpu)) / parts
        if self._steps_left is None:
            return Limit(seconds)
        steps = self._steps_left // parts
        self._steps_left -= steps
        return Limit(seconds, steps)

    def step(self) -> None:
        """Count one search step. Raises Enough if the budget is used up."""
        if self.is_reached:
            raise Enough
        if self._steps_left is not None:
            self._steps_left -= 1
