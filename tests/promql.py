"""A small evaluator for Prometheus' alert rules, and for the files of cases that ``promtool test rules`` reads.

It knows the part of the language that our rules use; every other word is an error. The functions follow
https://prometheus.io/docs/prometheus/latest/querying/ and the extrapolation of ``rate`` in promql/functions.go.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

Labels = frozenset[tuple[str, str]]
Vector = dict[Labels, float]
Value = Vector | float
Samples = list[tuple[float, float]]
Matches = Callable[[Labels], bool]

LOOKBACK_S = 300.0
STALE = object()
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)(?![\w.])|(?P<range>\[[^\]]*\])|(?P<text>\"[^\"]*\")|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<sign>=~|!~|!=|==|>=|<=|[-+*/(){},=<>]))"
)
BINDING = {"or": 1, "and": 2, "unless": 2}
BINDING |= dict.fromkeys(("==", "!=", ">", "<", ">=", "<="), 3)
BINDING |= dict.fromkeys("+-", 4) | dict.fromkeys("*/", 5)
COMPARED: dict[str, Callable[[float, float], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
}
COMPUTED: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else math.nan if not a or math.isnan(a) else math.inf,
}
AGGREGATED: dict[str, Callable[[Sequence[float]], float]] = {"sum": sum, "max": max, "min": min, "count": len}


def seconds(text: str) -> float:
    """Return a duration.

    >>> seconds("18h"), seconds("1m30s")
    (64800.0, 90.0)
    """
    return float(sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([smhd])", text)))


def labelled(text: str) -> Labels:
    """Return the labels of a series, with its name.

    >>> sorted(labelled('up{job="kaleidobot"}'))
    [('__name__', 'up'), ('job', 'kaleidobot')]
    """
    name, _, rest = text.partition("{")
    return frozenset({("__name__", name.strip()), *re.findall(r'(\w+)="([^"]*)"', rest)})


def written(values: str, every_s: float) -> list[tuple[float, object]]:
    """Return the samples that promtool's notation means: one each *every_s*.

    >>> written("0 _ 1+2x2", 60)
    [(0, 0.0), (120, 1.0), (180, 3.0), (240, 5.0)]
    """
    outcome_values: list[object] = []
    for word in values.split():
        number = r"(-?\d+(?:\.\d+)?)"
        if gap := re.fullmatch(r"_(?:x(\d+))?", word):
            outcome_values += [None] * int(gap[1] or 1)
        elif word == "stale":
            outcome_values.append(STALE)
        elif steps := re.fullmatch(rf"{number}(?:([+-])(\d+(?:\.\d+)?))?x(\d+)", word):
            step = float((steps[2] or "+") + (steps[3] or "0"))
            outcome_values += [float(steps[1]) + step * n for n in range(int(steps[4]) + 1)]
        else:
            outcome_values.append(float(word))
    return [(n * every_s, value) for n, value in enumerate(outcome_values) if value is not None]


class Series:
    """Everything that a Prometheus has scraped."""

    def __init__(self, samples: Mapping[Labels, Sequence[tuple[float, object]]]) -> None:
        self._samples = samples

    def within(self, matches: Matches, begin_s: float, end_s: float) -> Iterator[tuple[Labels, Samples]]:
        """Yield the samples of all matching series after *begin_s* until *end_s*, without stale markers."""
        for labels, samples in self._samples.items():
            if matches(labels):
                first, last = (bisect_right(samples, time_s, key=_time) for time_s in (begin_s, end_s))
                yield labels, [(at_s, value) for at_s, value in samples[first:last] if isinstance(value, float)]

    def at(self, matches: Matches, time_s: float) -> Vector:
        """Return the newest values of all matching series, unless they are stale."""
        vector: Vector = {}
        for labels, samples in self._samples.items():
            newest = bisect_right(samples, time_s, key=_time) - 1
            if newest >= 0 and matches(labels):
                at_s, value = samples[newest]
                if isinstance(value, float) and time_s - LOOKBACK_S < at_s:
                    vector[labels] = value
        return vector


def _time(sample: tuple[float, object]) -> float:
    return sample[0]


class Expression:
    """One expression, to be evaluated at one time. *selectors*: the test of each selector, once it was evaluated."""

    def __init__(self, text: str, series: Series, time_s: float) -> None:
        self._tokens = self._read(text)
        self._series = series
        self._time_s = time_s
        self.selectors: list[Matches] = []

    @staticmethod
    def _read(text: str) -> list[str]:
        tokens, at = [], 0
        while text[at:].strip():
            token = TOKEN.match(text, at)
            assert token is not None, f"not understood: {text[at:]}"
            tokens.append(token.group().strip())
            at = token.end()
        return tokens

    def value(self) -> Value:
        """Return the value. Call it once."""
        value = self._binary(1)
        assert not self._tokens, f"not understood: {self._tokens}"
        return value

    # Reading

    def _next(self, *wanted: str) -> str:
        token = self._tokens.pop(0)
        assert not wanted or token in wanted, f"{token} in place of {wanted}"
        return token

    def _is_next(self, *tokens: str) -> bool:
        return bool(self._tokens) and self._tokens[0] in tokens

    def _binary(self, least: int) -> Value:
        value = self._operand()
        while self._tokens and BINDING.get(self._tokens[0], 0) >= least:
            sign = self._next()
            on: list[str] | None = None
            if self._is_next("on"):
                self._next()
                on = self._names()
            value = _combined(sign, value, self._binary(BINDING[sign] + 1), on)
        return value

    def _names(self) -> list[str]:
        self._next("(")
        names = []
        while not self._is_next(")"):
            names.append(self._next())
            if self._is_next(","):
                self._next()
        self._next(")")
        return names

    def _operand(self) -> Value:
        token = self._next()
        if token == "(":
            value = self._binary(1)
            self._next(")")
            return value
        if token[0].isdigit():
            return float(token)
        if token == "time":
            self._next("(")
            self._next(")")
            return self._time_s
        if token in AGGREGATED:
            return self._aggregated(token)
        if token == "histogram_quantile":
            self._next("(")
            share = self._binary(1)
            self._next(",")
            buckets = self._binary(1)
            self._next(")")
            assert isinstance(share, float)
            return _quantiles(share, _vector(buckets))
        if token == "absent":
            self._next("(")
            begin = [*self._tokens]
            operand = _vector(self._binary(1))
            self._next(")")
            equal = [at for at, token in enumerate(begin[: begin.index(")")]) if token == "="]
            return {} if operand else {frozenset((begin[at - 1], begin[at + 1].strip('"')) for at in equal): 1.0}
        if token in _OVER_TIME:
            return self._over_time(token)
        matches = self._selector(token)
        return self._series.at(matches, self._time_s)

    def _aggregated(self, name: str) -> Vector:
        by: list[str] = []
        if self._is_next("by"):
            self._next()
            by = self._names()
        self._next("(")
        values = _vector(self._binary(1))
        self._next(")")
        groups: dict[Labels, list[float]] = {}
        for labels, value in values.items():
            groups.setdefault(frozenset(pair for pair in labels if pair[0] in by), []).append(value)
        return {labels: float(AGGREGATED[name](group)) for labels, group in groups.items()}

    def _selector(self, name: str) -> Matches:
        conditions: list[tuple[str, str, str]] = [("__name__", "=", name)]
        if self._is_next("{"):
            self._next()
            while not self._is_next("}"):
                conditions.append((self._next(), self._next("=", "!=", "=~", "!~"), self._next().strip('"')))
                if self._is_next(","):
                    self._next()
            self._next("}")

        def matches(labels: Labels) -> bool:
            values = dict(labels)
            return all(_fits(values.get(label, ""), sign, wanted) for label, sign, wanted in conditions)

        self.selectors.append(matches)
        return matches

    def _over_time(self, name: str) -> Vector:
        self._next("(")
        matches = self._selector(self._next())
        range_s = seconds(self._next())
        self._next(")")
        vector: Vector = {}
        for labels, samples in self._series.within(matches, self._time_s - range_s, self._time_s):
            value = _OVER_TIME[name](samples, self._time_s, range_s) if samples else None
            if value is not None:
                vector[frozenset(pair for pair in labels if pair[0] != "__name__")] = value
        return vector


def _fits(value: str, sign: str, wanted: str) -> bool:
    matches = value == wanted if sign in ("=", "!=") else re.fullmatch(wanted, value) is not None
    return matches != sign.startswith("!")


def _vector(value: Value) -> Vector:
    assert not isinstance(value, float)
    return value


def _combined(sign: str, one: Value, other: Value, on: list[str] | None) -> Value:
    if isinstance(one, float) and isinstance(other, float):
        return COMPUTED[sign](one, other)

    def key(labels: Labels) -> Labels:
        return frozenset(pair for pair in labels if (pair[0] in on if on is not None else pair[0] != "__name__"))

    if sign in ("and", "or", "unless"):
        left, right = _vector(one), _vector(other)
        if sign == "or":
            known = {key(labels) for labels in left}
            return left | {labels: value for labels, value in right.items() if key(labels) not in known}
        known = {key(labels) for labels in right}
        return {labels: value for labels, value in left.items() if (key(labels) in known) == (sign == "and")}
    pairs: Iterable[tuple[Labels, float, float]]
    if isinstance(one, float):
        pairs = [(labels, one, value) for labels, value in _vector(other).items()]
    elif isinstance(other, float):
        pairs = [(labels, value, other) for labels, value in one.items()]
    else:
        matching = {key(labels): value for labels, value in other.items()}
        pairs = [(labels, value, matching[key(labels)]) for labels, value in one.items() if key(labels) in matching]
    if sign in COMPARED:
        return {labels: a for labels, a, b in pairs if COMPARED[sign](a, b)}
    return {frozenset(pair for pair in labels if pair[0] != "__name__"): COMPUTED[sign](a, b) for labels, a, b in pairs}


def _increase(samples: Samples, end_s: float, range_s: float) -> float | None:
    """Prometheus' extrapolatedRate for a counter."""
    if len(samples) < 2:
        return None
    (first_s, first), (last_s, last) = samples[0], samples[-1]
    grown = last - first + sum(a for (_, a), (_, b) in pairwise(samples) if b < a)
    sampled_s = last_s - first_s
    before_s, after_s, each_s = first_s - (end_s - range_s), end_s - last_s, sampled_s / (len(samples) - 1)
    before_s = before_s if before_s < 1.1 * each_s else each_s / 2
    after_s = after_s if after_s < 1.1 * each_s else each_s / 2
    if grown > 0 and first >= 0:
        before_s = min(before_s, sampled_s * first / grown)
    return grown * (sampled_s + before_s + after_s) / sampled_s


def _rate(samples: Samples, end_s: float, range_s: float) -> float | None:
    increase = _increase(samples, end_s, range_s)
    return None if increase is None else increase / range_s


_OVER_TIME: dict[str, Callable[[Samples, float, float], float | None]] = {
    "increase": _increase,
    "rate": _rate,
    "max_over_time": lambda samples, _end, _range: max(value for _, value in samples),
    "min_over_time": lambda samples, _end, _range: min(value for _, value in samples),
    "changes": lambda samples, _end, _range: float(sum(a != b for (_, a), (_, b) in pairwise(samples))),
}


def _quantiles(share: float, buckets: Vector) -> Vector:
    groups: dict[Labels, list[tuple[float, float]]] = {}
    for labels, value in buckets.items():
        rest = frozenset(pair for pair in labels if pair[0] != "le")
        groups.setdefault(rest, []).append((float(dict(labels)["le"].replace("+Inf", "inf")), value))
    return {labels: _quantile(share, sorted(group)) for labels, group in groups.items()}


def _quantile(share: float, buckets: list[tuple[float, float]]) -> float:
    total = buckets[-1][1]
    if not total or math.isnan(total):
        return math.nan
    rank, lower, below = share * total, 0.0, 0.0
    for bound, count in buckets:
        if count >= rank:
            return lower if math.isinf(bound) else lower + (bound - lower) * (rank - below) / (count - below)
        lower, below = bound, count
    return lower


def evaluate(expression: str, series: Series, time_s: float) -> Vector:
    """Return the elements of a rule's expression."""
    return _vector(Expression(expression, series, time_s).value())


def unmatched(expression: str, page: Iterable[Labels]) -> list[int]:
    """Return the numbers of the selectors in *expression* that match no series of *page*."""
    read = Expression(expression, Series({}), 0.0)
    read.value()
    known = [*page]
    return [number for number, matches in enumerate(read.selectors) if not any(map(matches, known))]


def firing(rule: Mapping[str, Any], series: Series, time_s: float, every_s: float) -> list[dict[str, dict[str, str]]]:
    """Return the alerts of *rule* that fire at *time_s*, evaluated *every_s* since 0, as promtool writes them."""
    since: dict[Labels, float] = {}
    at_s = 0.0
    while at_s <= time_s:
        vector = evaluate(rule["expr"], series, at_s)
        active = {frozenset(pair for pair in labels if pair[0] != "__name__") for labels in vector}
        since = {labels: since.get(labels, at_s) for labels in active}
        at_s += every_s
    last_s = at_s - every_s
    return [
        {
            "exp_labels": dict(labels) | rule["labels"],
            "exp_annotations": {
                name: re.sub(r"\{\{ \$labels\.(\w+) \}\}", lambda word: dict(labels).get(word[1], ""), text)  # noqa: B023
                for name, text in rule["annotations"].items()
            },
        }
        for labels, begin_s in since.items()
        if last_s - begin_s >= seconds(rule.get("for", "0s"))
    ]
