"""Measure how plain the English of the project is: ``python -m tests.prose [--worst N]`` (part of ``make check``).

Counts habits that are hard to read for a stranger, per 1,000 words of docstrings, comments and log messages, of test
names, and of the docs; ``--worst N`` lists the N files with most of them. The exit code is 1 if a limit is exceeded.

The limits are a smoke alarm, not a goal: read the text, rewrite it for a reader who has never seen the project, then
look whether the figure fell.
"""

import argparse
import ast
import re
import sys
import tokenize
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from msgspec import Struct

TOP = Path(__file__).parents[1]
LONGEST_NAME = 80
"""Characters of a test's name, with ``test_``."""
MIN_WORDS = 100
"""Files with fewer words are not listed: one hit would put them first."""
LOGS = ("debug", "info", "warning", "error", "exception")

_AFTER_WHAT = (
    "is was are were can could must may has had have did does do will would the a an they it he she people one this "
    "that stands lies goes comes waits follows happens happened came left belongs looks made makes takes took never no "
    "nobody somebody else everybody"
)


class Habit(Struct, frozen=True):
    """*limit*: hits per 1,000 words. *instead*: a hint for the writer."""

    name: str
    pattern: re.Pattern[str]
    limit: float
    instead: str


def habit(name: str, pattern: str, limit: float, instead: str) -> Habit:
    return Habit(name, re.compile(pattern, re.IGNORECASE | re.MULTILINE), limit, instead)


HABITS = (
    habit(
        "headless what",
        rf"\bwhat(?:ever)? (?!is new|if\b)(?:{'|'.join(_AFTER_WHAT.split())})\b",
        1.0,
        "name the thing",
    ),
    habit("whoever, whatever", r"\b(?:who(?:m)?|what|which|where)ever\b", 0.3, "the caller, the player, any …"),
    habit(
        "who as a subject",
        r"(?:^|[.;:(] )who (?:is|has|was|may|acts|plays|does|did|can|sits|asks)\b",
        0.3,
        "the player who …, the seat that …",
    ),
    habit("nobody, somebody", r"\b(?:no|some|every|any)body\b", 1.0, "no process, a player, all seats"),
    habit("stands, lies", r"\b(?:stands|lies|stood|lay)\b", 0.6, "is, is stored, is placed"),
    habit(
        "where for if",
        r"\bwhere (?:nobody|somebody|none|nothing|no|it|that|this|there|they|one|a|an|the|both|neither)\b",
        1.5,
        "if, when, on platforms that …",
    ),
    habit(
        "comes of, is told, is to be",
        r"\b(?:(?:comes?|came|becomes?|became) of|go(?:es)? by|(?:is|are|was) told|(?:is|are|was) to be)\b",
        0.5,
        "results from, returns, should",
    ),
)


class Texts(Struct, frozen=True):
    """The prose of a file. *part*: "code", "tests" or "docs"."""

    path: str
    part: str
    prose: str
    test_names: tuple[str, ...] = ()


def words(text: str) -> int:
    return len(re.findall(r"[A-Za-z']+", text))


def rate(habit: Habit, text: str) -> float:
    """Return the hits per 1,000 words.

    >>> rate(HABITS[3], "Nobody knows.")
    500.0
    """
    return 1000 * len(habit.pattern.findall(text)) / max(1, words(text))


def of_source(path: str, source: str) -> Texts:
    """Return the docstrings, comments, log messages and test names of a module."""
    prose, names = list[str](), list[str]()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):  # docstrings, also those of constants
                prose.append(re.sub(r"(?m)^\s*(?:>>>|\.\.\.).*$", "", text))
            case ast.Call(func=ast.Attribute(attr=attr), args=[ast.Constant(value=str(text)), *_]) if attr in LOGS:
                prose.append(text)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("test_"):
                names.append(name)
    tokens = tokenize.generate_tokens(StringIO(source).readline)
    prose += [token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT]
    return Texts(path, "tests" if path.startswith("tests/") else "code", "\n".join(prose), tuple(names))


def texts(top: Path = TOP) -> Iterator[Texts]:
    """Yield the prose of all modules and English pages."""
    for path in sorted(top.rglob("*.py")):
        name = path.relative_to(top)
        if not any(part.startswith(".") or part in ("node_modules", "build", "dist") for part in name.parts):
            yield of_source(name.as_posix(), path.read_text(encoding="utf-8"))
    for path in sorted((*top.glob("*.md"), *top.glob("docs/**/*.md"))):
        if not path.name.endswith(".de.md"):
            text = re.sub(r"(?s)```.*?```", "", path.read_text(encoding="utf-8"))
            yield Texts(path.relative_to(top).as_posix(), "docs", text)


PARTS = ("code", "tests", "test names", "docs")


def by_part(result: list[Texts]) -> dict[str, str]:
    """Return the whole prose of each of `PARTS`."""
    prose = {part: "\n".join(texts.prose for texts in result if texts.part == part) for part in PARTS}
    names = (name.removeprefix("test_").replace("_", " ") for texts in result for name in texts.test_names)
    return prose | {"test names": "\n".join(names)}


def long_names(result: list[Texts]) -> list[str]:
    """Return the test names that are too long."""
    return [name for texts in result for name in texts.test_names if len(name) > LONGEST_NAME]


def worst(result: list[Texts], number: int) -> list[tuple[float, str]]:
    """Return the *number* files with the most hits per 1,000 words."""
    rates = [
        (sum(rate(habit, texts.prose) for habit in HABITS), texts.path)
        for texts in result
        if words(texts.prose) >= MIN_WORDS
    ]
    return sorted(rates, reverse=True)[:number]


def main() -> int:
    parser = argparse.ArgumentParser("python -m tests.prose", description="Measure how plain the English is.")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N worst files")
    arguments = parser.parse_args()
    sources, over = list(texts()), 0
    prose = by_part(sources)
    print(f"{'per 1,000 words':30}" + "".join(f"{part:>12}" for part in PARTS) + f"{'limit':>8}")
    print(f"{'words':30}" + "".join(f"{words(prose[part]):12}" for part in PARTS))
    for habit in HABITS:
        rates = [rate(habit, prose[part]) for part in PARTS]
        exceeded = sum(rate > habit.limit for rate in rates)
        over += exceeded
        hint = f"  {habit.instead}" if exceeded else ""
        print(f"{habit.name:30}" + "".join(f"{rate:12.1f}" for rate in rates) + f"{habit.limit:8}{hint}")
    for name in long_names(sources):
        over += 1
        print(f"longer than {LONGEST_NAME} characters: {name}")
    for hits, path in worst(sources, arguments.worst):
        print(f"{hits:7.1f}  {path}")
    print(f"{over} figures over their limit")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
