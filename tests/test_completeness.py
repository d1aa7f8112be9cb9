"""Requirements of every game, language, platform and setting, and the direction of imports."""

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Protocol, get_type_hints

import pytest

import renderers
import texts
from bot import app, chat
from bot.requests.commands import COMMANDS
from bot.requests.registry import DECLARATIONS
from rules import GAMES

TOP = Path(__file__).parent.parent
DOMAINS = sorted(path.stem for path in (texts.HERE / texts.DEFAULT).glob("*.po"))


@cache
def ids(lang: str, domain: str) -> dict[str, list[str]]:
    """Return every id of a catalogue with its text (or its texts, one for each plural form)."""
    from babel.messages.pofile import read_po

    with (texts.HERE / lang / f"{domain}.po").open("rb") as source:
        catalogue = read_po(source, locale=lang, abort_invalid=True)
    said: dict[str, list[str]] = {}
    for message in catalogue:
        if message.id:
            key, text = (message.id, message.string) if isinstance(message.id, str) else (message.id[0], message.string)
            said[key] = [text] if isinstance(text, str) else list(text or ())
    return said


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("lang", texts.languages())
def test_every_language_has_every_catalogue(lang: str) -> None:
    assert sorted(path.stem for path in (texts.HERE / lang).glob("*.po")) == DOMAINS


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("lang", texts.languages())
def test_every_language_says_everything_with_the_same_facts(lang: str, domain: str) -> None:
    english, other = ids(texts.DEFAULT, domain), ids(lang, domain)
    assert other.keys() == english.keys()
    for key, said in other.items():
        assert all(said), f"{lang}/{domain}: {key} says nothing"
        facts = set().union(*map(placeholders, said)) | {"n"}
        assert facts == set().union(*map(placeholders, english[key])) | {"n"}, f"{lang}/{domain}: {key}"


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("lang", texts.languages())
def test_no_word_is_doubled(lang: str, domain: str) -> None:
    for key, said in ids(lang, domain).items():
        for text in said:
            assert not re.search(r"\b([^\W\d]{2,}) \1\b", text, re.IGNORECASE), f"{lang}/{domain}: {key}"


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("lang", texts.languages())
def test_no_sentence_ends_with_the_name_of_a_game_which_may_have_a_sign_of_its_own(lang: str, domain: str) -> None:
    for key, said in ids(lang, domain).items():
        for text in said:
            assert not re.search(r"\{game\}[.?!]", text), f"{lang}/{domain}: {key}"


OTHER_WORDS = {
    "en": r"do not|does not|did not|are not|cannot|could not|I am|[Tt]here is (?:no|a|already)|players? turn|computer",
    "de": r"Leute|Mitspieler|Spieler(?:in|innen)?|Nutzer|Ort|gratis|Zeitlimit|Spielstand|Computer|Ihnen",
}
"""Words that players' texts replace by another or a shorter one; the catalogue `operator` is for operators."""


@pytest.mark.parametrize("domain", [domain for domain in DOMAINS if domain != "operator"])
@pytest.mark.parametrize("lang", texts.languages())
def test_one_thing_has_one_word(lang: str, domain: str) -> None:
    for key, said in ids(lang, domain).items():
        for text in said:
            match = re.search(rf"\b(?:{OTHER_WORDS[lang]})\b", text)
            assert match is None, f"{lang}/{domain}: {key} says {match[0]}"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_drawer(game: str) -> None:
    assert game in renderers.drawers()


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_game_introduces_itself(game: str, lang: str) -> None:
    for key in ("name", "tagline", "players", "credits", "rules.1.title", "rules.1.text"):
        assert texts.say(game, key, lang)


@pytest.mark.parametrize("lang", texts.languages())
def test_every_declared_button_has_a_label(lang: str) -> None:
    for declaration in DECLARATIONS:
        if declaration.label:
            assert texts.say(declaration.catalogue, declaration.label, lang)


@pytest.mark.parametrize("lang", texts.languages())
def test_every_command_is_described_within_the_platforms_limits(lang: str) -> None:
    names = [texts.say("table", f"command.{command.name}.name", lang) for command in COMMANDS]
    assert len(set(names)) == len(names)
    for command in COMMANDS:
        assert len(texts.say("table", f"command.{command.name}.about", lang)) <= 100
        for argument in command.arguments:
            assert texts.say("table", f"command.{command.name}.{argument.name}.name", lang)
            assert len(texts.say("table", f"command.{command.name}.{argument.name}.about", lang)) <= 100


def test_the_example_settings_name_every_variable_and_no_other() -> None:
    lines = (TOP / ".env.example").read_text(encoding="utf-8").splitlines()
    named = [line.lstrip("# ").partition("=")[0] for line in lines if "=" in line]
    assert sorted(named) == sorted(variable.name for variable in app.variables())


def modules() -> Iterator[tuple[str, Path]]:
    for package in ("rules", "renderers", "texts", "bot"):
        for path in sorted((TOP / package).rglob("*.py")):
            yield ".".join(path.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__"), path


MODULES = tuple(modules())


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file, parsed once."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file's syntax tree."""
    return tuple(ast.walk(parsed(path)))


@cache
def imported(path: Path) -> set[str]:
    """Return every module that a file imports, also inside functions."""
    result: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            result |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return result


ALLOWED = {
    "rules": {"rules"},
    "texts": {"texts"},
    "renderers": {"renderers", "rules", "texts"},
    "bot": {"bot", "renderers", "rules", "texts"},
    "kaleidobot": {"kaleidobot", "renderers", "rules", "texts"},
}
OURS = frozenset(ALLOWED)


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_imports_point_one_way(name: str, path: Path) -> None:
    tops = {module.split(".")[0] for module in imported(path)}
    beyond = {"texts"} if name == "rules.packages" else set[str]()  # it hands over the catalogues of packages
    assert tops & OURS <= ALLOWED[name.split(".", maxsplit=1)[0]] | beyond
    if name.startswith("rules"):
        assert not tops & {"random", "time", "datetime", "os", "asyncio", "PIL", "redis"}
    if not name.startswith("bot.adapters.on_discord"):
        assert "discord" not in tops
    if not name.startswith("bot.adapters.on_telegram"):
        assert "telegram" not in tops
    if not name.startswith("bot.store"):
        assert "redis" not in tops
    if not name.startswith(("renderers.paint", "renderers.rosette", "renderers.animation", "renderers.lettering")):
        assert "PIL" not in tops


def test_the_kit_for_authors_knows_no_bot() -> None:
    for path in sorted((TOP / "kaleidobot").rglob("*.py")):
        assert {name.split(".")[0] for name in imported(path)} & OURS <= ALLOWED["kaleidobot"], path


@cache
def depends(name: str, path: Path) -> set[str]:
    """Return our modules that a module imports, also inside functions and for types only.

    A package's front may import its modules lazily: only its immediate imports count.
    """
    ours, result = {module for module, _ in MODULES}, set[str]()
    for node in parsed(path).body if path.name == "__init__.py" else nodes(path):
        if isinstance(node, ast.Import):
            result |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            result |= {module if module in ours else node.module for module in whole}
    return result & ours - {name}


def test_imports_run_in_no_circle() -> None:
    graph = {name: depends(name, path) for name, path in MODULES}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as circle:
        pytest.fail(" → ".join(circle.args[1]))


ROOMS = (
    "chat",
    "runtime",
    "house",
    "tables",
    "requests",
    "replies",
    "store",
    "repository",
    "delivery",
    "service",
    "extras",
    "operation",
    "adapters",
    "app",
    "__main__",
)
"""Rooms of ``bot``, in order: each imports itself and the rooms before it."""
PURE = ("chat", "tables", "requests", "replies")
"""Rooms that never wait: no store, no chat, no event loop."""


def test_bot_has_few_rooms() -> None:
    inside = {path.stem for path in (TOP / "bot").iterdir() if path.name not in ("__pycache__", "py.typed")}
    assert inside == {*ROOMS, "__init__"}


@pytest.mark.parametrize(("name", "path"), [module for module in MODULES if module[0].startswith("bot.")])
def test_rooms_import_downwards(name: str, path: Path) -> None:
    room = name.split(".")[1]
    names = {module.split(".")[1] for module in imported(path) if module.startswith("bot.")}
    lower = ROOMS[: ROOMS.index(room) + 1]
    assert names - {"__version__"} <= {*lower}, f"{name} climbs up"
    assert "extras" not in names or room in ("extras", "app"), f"{name} needs a feature beside the turns"
    if room in PURE or name.endswith((".replies", ".review")):
        assert not {module.split(".")[0] for module in imported(path)} & {"asyncio", "redis"}


@pytest.mark.parametrize(
    "extra", sorted(path.stem for path in (TOP / "bot" / "extras").iterdir() if path.stem[0] != "_")
)
def test_extras_do_not_import_each_other(extra: str) -> None:
    own, shared = f"bot.extras.{extra}", {"progress", "short_films"}
    used = {
        module.split(".")[2]
        for name, path in MODULES
        if f"{name}.".startswith(f"{own}.")
        for module in imported(path)
        if module.startswith("bot.extras.")
    }
    assert used <= {extra, *shared}


DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def strings(path: Path) -> set[str]:
    """Return every string of a file but its docstrings, in lower case."""
    said = {node.value for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    results = {ast.get_docstring(node, clean=False) for node in nodes(path) if isinstance(node, DOCUMENTED)}
    return {text.lower() for text in said - results}


@pytest.mark.parametrize(("name", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_no_code_knows_a_game_or_a_platform_by_name(name: str, path: Path) -> None:
    said = strings(path)
    for game in GAMES:
        if not name.startswith((f"rules.games.{game}", f"renderers.games.{game}")):
            assert game not in said
            assert not any(f"games.{game}" in module for module in imported(path))
    if not name.startswith("bot.adapters"):
        assert not said & {"discord", "telegram", "web"}


FOR_ADAPTERS = ("bot.adapters", "bot.chat", "bot.runtime", "bot.operation.environment", "bot.operation.findings")
"""Modules of the bot that adapters import, besides one of the requests."""


@pytest.mark.parametrize(("name", "path"), [module for module in MODULES if module[0].startswith("bot.adapters.on_")])
def test_adapters_know_only_the_seam(name: str, path: Path) -> None:
    known = {module for module, _ in MODULES}
    used = {module for module in imported(path) if module in known and module.startswith("bot.")}
    beyond = {text for text in used if not text.startswith(FOR_ADAPTERS)}
    assert beyond <= {"bot.requests", "bot.requests.commands"}, f"{name} knows more of the core than the seam"
    from_requests = {module.rpartition(".")[2] for module in imported(path) if module.startswith("bot.requests.")}
    assert not {"registry", "payload", "arguments"} & from_requests


def members(protocol: type, *bases: type) -> set[str]:
    """The public methods and properties of *protocol*, without those of *bases*."""
    own = {name for name in vars(protocol) if not name.startswith("_")}
    return own.union(*(members(base, *bases) for base in protocol.__bases__ if base not in (object, Protocol, *bases)))


def test_the_seam_stays_thin() -> None:
    assert len(members(chat.Core)) <= 6
    assert len(members(chat.Storage)) <= 6
    assert len(members(chat.Chat)) <= 10
    assert len(members(chat.Platform, chat.Chat)) <= 6
    for kind in (chat.Content, chat.Post, chat.Reply):
        assert len(kind.__struct_fields__) <= 12, kind


def test_private_content_cannot_be_posted() -> None:
    """mypy refuses a reply, or its picture, in place of a post: they are different types. It does not check
    `replace`, so no post gets its picture that way."""
    said = get_type_hints(chat.Chat.post)["post"], get_type_hints(chat.Chat.edit)["post"]
    assert said == (chat.Post, chat.Post)
    assert get_type_hints(chat.Post)["picture"] == chat.PublicPicture | None
    assert not issubclass(chat.Reply, chat.Post)
    made = {name for name, path in MODULES if "PublicPicture" in calls(path)}
    assert made == {"bot.delivery.painting"}, "where it is painted from what everybody may see"
    pictured = {name for name, path in MODULES if "picture" in calls(path).get("replace", ())}
    takes_away = {"bot.replies.boards", "bot.adapters.on_telegram.answers"}  # deletes a picture without a replacement
    assert all(name.startswith(("bot.service", "bot.extras")) or name in takes_away for name in pictured), pictured


def calls(path: Path) -> dict[str, set[str]]:
    """Return the functions that a file calls by name, with the names of their arguments."""
    result: dict[str, set[str]] = {}
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            result.setdefault(node.func.id, set()).update(word.arg for word in node.keywords if word.arg)
    return result


def reading(attribute: str) -> set[str]:
    """Return the modules of the bot that read an attribute with this name."""
    return {
        name
        for name, path in MODULES
        if name.startswith("bot.")
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr == attribute
    }


def test_forced_actions_are_decided_in_one_place() -> None:
    """Only `bot.tables.forced_actions` decides who acts next and which actions are forced; the house plays forced
    actions without thinking."""
    assert reading("forced") == {"bot.tables.forced_actions", "bot.tables.house"}


KINDS = {f"bot.requests.{declaration.kind.__name__}" for declaration in DECLARATIONS}


def test_dispatcher_gates_and_adapters_know_no_kind_of_request() -> None:
    """A kind of request is known to its declaration, its handler and the replies with its button."""
    known = {name: imported(path) & KINDS for name, path in MODULES if name.startswith("bot.adapters.")}
    assert {name: kinds for name, kinds in known.items() if kinds} == {}
    paths = dict(MODULES)
    assert imported(paths["bot.service.service"]) & KINDS == set()
    assert imported(paths["bot.service.gates"]) & KINDS == {"bot.requests.Move"}, (
        "typed moves may be answers to lessons"
    )


LOOPS = (ast.For, ast.AsyncFor, ast.While)


def tried_again(error: str) -> set[str]:
    """Return the functions of the bot that catch an *error* of the store in a loop."""
    return {
        f"{name}.{function.name}"
        for name, path in MODULES
        if f"bot.store.{error}" in imported(path)
        for function in nodes(path)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for loop in ast.walk(function)
        if isinstance(loop, LOOPS)
        for handler in ast.walk(loop)
        if isinstance(handler, ast.ExceptHandler) and handler.type is not None and error in ast.unparse(handler.type)
    }


def test_conflicts_are_retried_in_one_place_each_for_tables_records_and_ballots() -> None:
    """Other handlers of a conflict do nothing: another event has happened."""
    tables, records = "bot.repository.repository.change", "bot.repository.results._rate"
    assert tried_again("Conflict") == {tables, records, "bot.repository.repository._change_ballot"}
    assert tried_again("StoreError") == set(), "which is a conflict as well"


def deleted_keys(path: Path) -> Iterator[ast.expr]:
    """Return the keys in ``mapping.pop(key)`` and ``del mapping[key]``."""
    for node in nodes(path):
        if isinstance(node, ast.Delete):
            yield from (target.slice for target in node.targets if isinstance(target, ast.Subscript))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "pop":
            yield from node.args[:1]


def test_every_cache_is_one_of_cachetools() -> None:
    """A dictionary that drops its oldest entry is a homemade cache."""
    assert reading("popitem") == set()
    by_hand = {name for name, path in MODULES if any("next(iter(" in ast.unparse(key) for key in deleted_keys(path))}
    assert {name for name in by_hand if name.startswith("bot.")} == set()


def test_how_often_and_when_something_is_tried_again_is_written_in_one_place() -> None:
    """`bot.runtime.retry` names all retry policies; a constant with such a name elsewhere is a hidden policy."""
    own = {
        f"{name}.{target.id}"
        for name, path in MODULES
        for node in parsed(path).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and {"TRIES", "PAUSE", "PAUSES"} & {*target.id.split("_")}
    }
    assert {text for text in own if not text.startswith("bot.runtime.retry.")} == set()


def borrowed(path: Path) -> Iterator[str]:
    """Return the names that a file of the bot imports from rules and renderers."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ("rules", "renderers"):
            yield from (name.name for name in node.names)


def test_a_class_of_the_bot_is_named_as_no_other_one() -> None:
    """Nor like a name that it imports. Modules with the same name in several adapters do the same job, as do their
    classes."""
    named: dict[str, set[str]] = {}
    for name, path in MODULES:
        if name.startswith("bot."):
            alike = re.sub(r"\.on_[a-z]+\.", ".on_*.", name)
            for node in parsed(path).body:
                if isinstance(node, ast.ClassDef):
                    named.setdefault(node.name, set()).add(alike)
            for borrowed_name in borrowed(path):
                named.setdefault(borrowed_name, set()).add("below")
    assert {name: sorted(where) for name, where in named.items() if len(where) > 1} == {}
