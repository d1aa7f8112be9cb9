"""Faults of one request on its way."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TooMany:
    """429. *via*: the header that Discord's own answers have; without it the answer is one of the network before it."""

    retry_after_s: float
    via: bool = True


@dataclass(frozen=True)
class Broken:
    """An error answer of Discord's, by default a server's fault."""

    status: int = 500
    code: int = 0


@dataclass(frozen=True)
class Slow:
    """The request is carried out after a while."""

    seconds: float


@dataclass(frozen=True)
class Dropped:
    """The connection ends without an answer. *done*: the request was carried out all the same."""

    done: bool = False


Fault = TooMany | Broken | Slow | Dropped
