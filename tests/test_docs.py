"""The docs: their length, their links, and that the names in them exist."""

import calendar
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import __version__, app
from bot.operation import commandline

TOP = Path(__file__).parents[1]
DOCS = TOP / "docs"
PAGES = sorted((*TOP.glob("*.md"), *DOCS.rglob("*.md"), *(TOP / ".github").rglob("*.md")))
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
OPERATORS = [DOCS / f"{name}.md" for name in ("installing", "backups", "upgrading", "operating")]
"""Install, backup, upgrade and alerts."""
MOST_WORDS = {
    "README.md": 700,
    "CONTRIBUTING.md": 600,
    "docs/architecture.md": 1500,
    "docs/performance.md": 900,
}
DATE = rf"\b(?:{'|'.join(calendar.month_name[1:])}) 20\d\d\b"


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def words_of(page: Path) -> int:
    """Return the number of words, as ``wc -w`` counts them."""
    return len(text_of(page).split())


def name_of(page: Path) -> str:
    return page.relative_to(TOP).as_posix()


def commands() -> Iterator[tuple[str, list[str]]]:
    """Yield each page's console blocks with the arguments of the bot's commands in them."""
    begins = r"(?:docker compose (?:exec|run --rm) bot )?kaleidobot|\.venv/bin/python -m bot"
    for page in PAGES:
        for block in re.findall(r"(?s)```console\n(.*?)```", text_of(page)):
            for words in re.findall(rf"(?m)^(?:REDIS_URL=\S+ )?(?:{begins}) (.*)$", block):
                yield name_of(page), shlex.split(words, comments=True)


@pytest.mark.parametrize("name", MOST_WORDS)
def test_page_has_at_most_so_many_words(name: str) -> None:
    assert words_of(TOP / name) <= MOST_WORDS[name]


def test_operators_pages_have_at_most_4000_words_together() -> None:
    assert sum(map(words_of, OPERATORS)) <= 4000


def test_installing_begins_with_production_in_ten_commands() -> None:
    first = text_of(DOCS / "installing.md").split("\n## ")[1]
    (block,) = re.findall(r"(?s)```console\n(.*?)```", first)
    assert first.startswith("Production in ten commands\n")
    assert len(block.splitlines()) == 10


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_decision_has_its_form_and_at_most_250_words(page: Path) -> None:
    assert words_of(page) <= 250
    title, *parts = re.findall(r"(?m)^#+ (.*)$", text_of(page))
    assert title.startswith(f"{int(page.stem[:3])}. ")
    assert parts == ["Context", "Decision", "Consequences"]


def test_decisions_are_numbered_without_gaps_and_listed() -> None:
    assert [int(page.stem[:3]) for page in DECISIONS] == [*range(1, len(DECISIONS) + 1)]
    listed = re.findall(r"(?m)^(\d+\. )\[(.*)\]\((.*)\)$", text_of(DOCS / "decisions" / "README.md"))
    titles = [(text_of(page).partition("\n")[0], page.name) for page in DECISIONS]
    assert [(f"# {number}{title}", name) for number, title, name in listed] == titles


def test_changelog_begins_with_this_version_in_at_most_40_lines() -> None:
    sections = text_of(TOP / "CHANGELOG.md").split("\n## ")[1:]
    newest = next(section for section in sections if not section.startswith("[Unreleased]"))
    assert newest.startswith(f"[{__version__}] - 20")
    assert "### Operator steps" in newest
    assert len(newest.splitlines()) <= 40


def test_performance_names_no_date() -> None:
    assert not re.findall(DATE, text_of(DOCS / "performance.md"))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_to_pages_and_headings(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:|mailto:)([^)#\s]*)#?([^)\s]*)\)", text_of(page)):
        linked = (page.parent / target) if target else page
        assert linked.exists(), target
        if anchor:
            titles = re.findall(r"(?m)^#+ (.*)$", text_of(linked))
            anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
            assert anchor in anchors, f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_files_in_the_text_exist(page: Path) -> None:
    named = re.findall(r"`((?:bot|renderers|rules|texts|tests|bench|docs|deploy|examples)/[\w./-]+)`", text_of(page))
    assert [name for name in named if not (TOP / name).exists()] == []


GUIDE = DOCS / "adding-a-game.md"
QUOTED = re.compile(r"(?ms)^(?:<!-- from (\S+) -->\n)?```(?:python|toml|po)\n(.*?)```$")
"""A block of code with the file from which it is; lines with "…" alone stand for omitted ones."""


def without_layout(code: str) -> str:
    """Return *code* without indentation and empty lines, which a quotation changes."""
    return "".join(f"{line.strip()}\n" for line in code.splitlines() if line.strip())


def test_all_code_of_the_guide_is_in_the_files_that_it_names() -> None:
    blocks = QUOTED.findall(text_of(GUIDE))
    assert len(blocks) > 12
    for name, block in blocks:
        assert name, block
        code = without_layout(text_of(TOP / name))
        for part in re.split(r"(?m)^…\n", block):
            assert without_layout(part) in code, f"{name} has changed: {part}"


def test_the_walk_through_the_example_has_at_most_1800_words() -> None:
    walk, _, _ = text_of(GUIDE).partition("# Reference")
    assert len(walk.split()) <= 1800


def test_the_example_has_at_most_600_lines_of_python() -> None:
    files = (TOP / "examples" / "hex").rglob("*.py")
    assert sum(len(text_of(path).splitlines()) for path in files) <= 600


def test_every_page_in_docs_is_linked_from_another_page() -> None:
    linked = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", text_of(page))
    }
    assert {name_of(page) for page in DOCS.glob("*.md") if page.resolve() not in linked} == set()


def test_make_targets_in_the_docs_exist() -> None:
    targets = set(re.findall(r"(?m)^([\w-]+):", text_of(TOP / "Makefile")))
    texts = [text_of(page) for page in PAGES]
    blocks = [block for text in texts for block in re.findall(r"(?s)```console\n(.*?)```", text)]
    named = {name for text in texts for name in re.findall(r"`make\s([a-z]+)", text)}
    named |= {name for block in blocks for name in re.findall(r"(?m)^(?:[A-Z_]+=\S+ )?make ([a-z]+)", block)}
    assert {"run", "test"} <= named <= targets


def test_commands_of_the_bot_in_the_docs_exist() -> None:
    examples = [*commands()]
    assert len(examples) > 10
    for _, words in examples:
        commandline.parsed(words)


def test_log_lines_in_the_docs_exist() -> None:
    sources = (*(TOP / "bot").rglob("*.py"), *(TOP / "texts" / "en").glob("*.po"))
    text = "\n".join(map(text_of, sources))
    tables = [part for page in PAGES for part in text_of(page).split("\n| log line | meaning |\n| --- | --- |\n")[1:]]
    lines = [row.split("`")[1] for table in tables for row in table.partition("\n\n")[0].splitlines()]
    assert len(lines) > 5
    assert [line for line in lines if not any(len(part) > 6 and part in text for part in line.split("…"))] == []


def test_settings_page_has_every_variable_with_its_default() -> None:
    rows = re.findall(r"(?m)^\|( `[A-Z][^|]*)\|([^|]*)\|", text_of(DOCS / "settings.md"))
    defaults = {name: default.strip() for names, default in rows for name in re.findall(r"`([A-Z_]+)`", names)}
    variables = {variable.name: variable.default for variable in app.variables()}
    assert defaults.keys() == variables.keys()
    for name, default in variables.items():
        if default and not default.startswith("http"):
            assert defaults[name] == f"`{default}`", name
        else:
            assert not defaults[name].startswith("`"), name


def test_every_restore_leaves_out_people_who_were_forgotten_since() -> None:
    ways = [part for part in text_of(DOCS / "backups.md").split("\n## ") if part.startswith("With ")]
    ways = [way for way in ways if "To restore" in way]
    assert len(ways) == 3
    for way in ways:
        (restored,) = re.findall(r"(?m)^.*(?:kaleidobot|-m bot) (restore .*)$", way)
        parsed = commandline.parsed(shlex.split(restored))
        assert [path.name for path in parsed.forgotten] == ["games-now"]
        backup = re.search(r"(?m)^.*(?:kaleidobot|-m bot) backup (?:/data/)?games-now$", way)
        assert backup is not None, "a backup of the last moves, after the bot has stopped"
        assert backup.end() < way.index("# the store is empty now")
        assert "On a new machine" in way, "a bot without its games must not go online"
