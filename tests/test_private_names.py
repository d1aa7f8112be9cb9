"""The product uses only public interfaces of libraries: it imports, reads and overrides no name with an underscore.

ruff's SLF001 checks the same for objects of other classes, but not inside a subclass of a library's class, in imports,
or in strings.
"""

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from inspect import getmembers, isclass
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent
OURS = ("rules", "renderers", "texts", "bot", "bench")
PATHS = tuple(path for package in OURS for path in sorted((TOP / package).rglob("*.py")))
KNOWN = frozenset(PATHS)
KINDS = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Name,
    ast.Attribute,
    ast.Call,
)
DOCUMENTED = {"os._exit"}
"""Public in spite of its name: the Python library reference describes it."""


def is_private(dotted: str) -> bool:
    """
    >>> [is_private(name) for name in ("PIL._imaging", "_parser", "__init__", "_", "socket")]
    [True, True, False, False, False]
    """
    return any(part.startswith("_") and not part.startswith("__") and part != "_" for part in dotted.split("."))


def is_ours(dotted: str) -> bool:
    return dotted.partition(".")[0] in OURS


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return the nodes of a file that matter here."""
    return tuple(node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, KINDS))


def imports(path: Path) -> Iterator[str]:
    """Return the full name of everything that a file imports."""
    for node in nodes(path):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases)
            case ast.ImportFrom(module=str(module), names=aliases):
                yield from (f"{module}.{alias.name}" for alias in aliases)


@cache
def defined(path: Path) -> frozenset[str]:
    """Return the names that a file defines: functions, classes, variables, and attributes of ``self`` and ``cls``."""
    names = set[str]()
    for node in nodes(path):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                names.add(name)
    return frozenset(names)


def known_here(path: Path) -> frozenset[str]:
    """Return the names defined by a file or by a module of ours that it imports: a subclass may use those of its
    base."""
    names = defined(path)
    for name in filter(is_ours, imports(path)):
        for module in (name, name.rpartition(".")[0]):
            source = TOP.joinpath(*module.split(".")).with_suffix(".py")
            if source in KNOWN:
                names |= defined(source)
    return names


def private_names(path: Path) -> set[str]:
    """Return the private names of libraries that a file imports, reads, or writes in a string."""
    ours = known_here(path)
    names = {name for name in imports(path) if not is_ours(name) and is_private(name)}
    for node in nodes(path):
        match node:
            case ast.Attribute(value=value, attr=name) if is_private(name) and name not in ours:
                if f"{ast.unparse(value)}.{name}" not in DOCUMENTED:
                    names.add(name)
            case ast.Call(
                func=ast.Name(id="getattr" | "hasattr" | "setattr" | "delattr"),
                args=[_, ast.Constant(value=str(name)), *_],
            ) if is_private(name) and name not in ours:
                names.add(name)
            case ast.Call(func=ast.Name(id="attrgetter" | "methodcaller" | "import_module"), args=arguments):
                texts = {
                    argument.value
                    for argument in arguments
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                }
                names |= {text for text in texts if is_private(text) and not is_ours(text)}
    return names


def test_only_public_names_of_libraries_are_used() -> None:
    used = {str(path.relative_to(TOP)): private_names(path) for path in PATHS}
    assert {name: names for name, names in used.items() if names} == {}


@pytest.mark.parametrize(
    "code",
    [
        "from PIL import _imaging",
        "import PIL._imaging",
        "from PIL._imaging import ImagingCore",
        "class Own(Connection):\n    def ask(self):\n        return self._parser",
        "client._connection",
        "client._parser = None",
        "getattr(client, '_writer')",
        "attrgetter('_in_use_connections')",
    ],
)
def test_the_check_finds_private_names(code: str, tmp_path: Path) -> None:
    path = tmp_path / "offender.py"
    path.write_text(code)
    assert private_names(path)


@pytest.mark.parametrize(
    "code",
    [
        "from bot.house.limit import _own",
        "class Own:\n    def __init__(self):\n        self._kept = 1\n    def copy(self, other):\n        other._kept",
        "os._exit(1)",
        "self.__class__.__name__",
    ],
)
def test_the_check_allows_own_private_names(code: str, tmp_path: Path) -> None:
    path = tmp_path / "fine.py"
    path.write_text(code)
    assert not private_names(path)


def test_no_class_overrides_a_private_method_of_a_library() -> None:
    overridden = set[str]()
    for path in PATHS:
        name = ".".join(path.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__")
        if path.stem == "__main__" or is_peer(path):
            continue
        for _, own in getmembers(import_module(name), isclass):
            if own.__module__ != name:
                continue
            for base in own.__mro__[1:]:
                if is_third_party(base.__module__):
                    methods = {value for value in vars(base) if is_private(value) and callable(vars(own).get(value))}
                    overridden |= {f"{name}.{own.__qualname__}.{method}" for method in methods}
    assert overridden == set()


def is_peer(path: Path) -> bool:
    """Return whether a module needs the peers of the measurements, which the tests do not install."""
    return {"cairosvg", "chess", "httpx"} & {name.split(".")[0] for name in imports(path)} != set()


def is_third_party(module: str) -> bool:
    source = getattr(import_module(module), "__file__", None)
    return source is not None and "site-packages" in Path(source).parts
