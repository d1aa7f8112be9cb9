"""Docstrings, comments, log messages, test names and docs are plain English, as far as `tests.prose` can tell."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import prose

TOP = Path(__file__).parent.parent
NO_NAMES = {"each", "found", "told", "met"}
"""Words that say nothing about the value."""
PRODUCT = [
    path for package in ("rules", "renderers", "texts", "bot", "bench") for path in TOP.glob(f"{package}/**/*.py")
]


def names(path: Path) -> Iterator[str]:
    """Yield the names that a file gives to values, parameters, attributes, functions and classes."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)) | ast.ExceptHandler(name=str(name)):
                yield name
            case ast.alias(asname=str(name)):
                yield name


@pytest.fixture(scope="module")
def sources() -> list[prose.Texts]:
    return list(prose.texts())


@pytest.fixture(scope="module")
def by_part(sources: list[prose.Texts]) -> dict[str, str]:
    return prose.by_part(sources)


@pytest.mark.parametrize("part", prose.PARTS)
@pytest.mark.parametrize("habit", prose.HABITS, ids=[habit.name for habit in prose.HABITS])
def test_hard_habits_are_rare(habit: prose.Habit, part: str, by_part: dict[str, str]) -> None:
    assert prose.rate(habit, by_part[part]) <= habit.limit, f"write instead: {habit.instead}"


def test_test_names_are_short_sentences(sources: list[prose.Texts]) -> None:
    assert prose.long_names(sources) == []


def test_names_are_nouns_of_their_values() -> None:
    empty = {str(path.relative_to(TOP)): NO_NAMES & {name.strip("_") for name in names(path)} for path in PRODUCT}
    assert {path: words for path, words in empty.items() if words} == {}
