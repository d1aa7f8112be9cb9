"""Mutation testing: put one small fault after the other into a module and run the tests.

    nice -n 19 python -m tests.mutation bot/tables/seating.py rules/lot.py --tests tests/bot/test_table.py tests/rules

Prints the faults that no test noticed ("survivors"): some change no behaviour, some deserve a test. It works on a copy
of the project, each fault in a process of its own. It takes long and is not part of the suite. ``--most`` limits the
number of faults (spread evenly), ``--seconds`` the time of one test run: a fault that makes tests hang counts as
noticed.
"""

import ast
import io
import os
import shutil
import signal
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
PARTS = (
    "bot",
    "kaleidobot",
    "renderers",
    "rules",
    "tests",
    "texts",
    "bench",
    "docs",
    "pyproject.toml",
    ".env.example",
    "README.md",
)

OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
}


def faults(node: ast.AST) -> Iterator[str]:
    """Yield the description of one fault after the other, each applied to *node* itself until the next one."""
    match node:
        case ast.Compare(ops=[first, *_]):
            node.ops[0] = OTHER[type(first)]()  # type: ignore[call-overload]
            yield "comparison"
            node.ops[0] = first
        case ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in OTHER:
            node.op = OTHER[type(op)]()  # type: ignore[assignment]
            yield "operator"
            node.op = op
        case ast.Constant(value=bool() as value):
            node.value = not value
            yield "constant"
            node.value = value
        case ast.Constant(value=int() as value):
            node.value = value + 1
            yield "constant"
            node.value = value
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            node.test = ast.UnaryOp(ast.Not(), test)
            yield "condition"
            node.test = test
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            node.value = ast.Constant(None)
            yield "result"
            node.value = value
        case ast.Expr(value=ast.Call()):
            call, node.value = node.value, ast.Constant(None)
            yield "call"
            node.value = call
        case _:
            pass


def mutants(path: Path) -> list[tuple[int, str, str, str]]:
    """Yield every fault for a module: its line, its kind, the new line, and the whole source."""
    source = path.read_text(encoding="utf-8")
    tree, lines = ast.parse(source), source.splitlines()
    results = []
    skipped = {id(part) for node in ast.walk(tree) for part in _unimportant(node)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        for kind in faults(node):
            whole = ast.unparse(ast.fix_missing_locations(deepcopy(tree)))
            number = getattr(node, "lineno", 1)
            text = f"{lines[number - 1].strip()}  ⇒  {ast.unparse(node).splitlines()[0]}"
            results.append((number, kind, text, whole))
    return sorted(results, key=lambda numbered: numbered[0])


def _unimportant(node: ast.AST) -> Iterator[ast.AST]:
    """Yield code for people or the type checker only: annotations, reprs, assertions, log lines."""
    if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
        yield from ast.walk(node.annotation)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if node.returns is not None:
            yield from ast.walk(node.returns)
        if node.name == "__repr__":
            yield from ast.walk(node)
    if isinstance(node, ast.Assert):
        yield from ast.walk(node)
    if isinstance(node, ast.Expr) and "log." in ast.unparse(node)[:4]:
        yield from ast.walk(node)


def noticed(copy: Path, tests: list[str], seconds: int) -> bool:
    """Return whether the tests fail or hang in *copy*."""
    child = os.fork()
    if not child:
        failed = 1
        try:
            signal.alarm(seconds)  # kills the child
            os.chdir(copy)
            sys.path[0] = str(copy)
            for name in [module for module in sys.modules if module.partition(".")[0] in PARTS]:
                del sys.modules[name]
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                failed = pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", *tests])
        finally:
            os._exit(int(failed != 0))
    return os.waitpid(child, 0)[1] != 0


def main() -> None:
    parser = ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="+", type=Path)
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--seconds", type=int, default=120)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in PARTS:
            if (TOP / part).is_dir():
                shutil.copytree(TOP / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
            elif (TOP / part).exists():
                shutil.copy(TOP / part, copy / part)
        if noticed(copy, chosen.tests, chosen.seconds * 5):
            sys.exit("the tests fail without any fault")
        every = [(path, *mutant) for path in chosen.modules for mutant in mutants(path)]
        step = max(1.0, len(every) / chosen.most)
        tried = [every[int(number * step)] for number in range(min(len(every), chosen.most))]
        print(f"{len(tried)} of {len(every)} faults", flush=True)
        survivors = 0
        for path, line, kind, now, whole in tried:
            target = copy / path
            before = target.read_bytes()
            target.write_text(whole, encoding="utf-8")
            if not noticed(copy, chosen.tests, chosen.seconds):
                survivors += 1
                print(f"{path}:{line}: {kind}: {now}", flush=True)
            target.write_bytes(before)
        print(f"{survivors} survived", flush=True)


if __name__ == "__main__":
    main()
