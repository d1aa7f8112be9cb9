"""Check an installed game: python -m kaleidobot.testing GAME [PYTEST OPTIONS]

GAME is the id of the game (the name of its entry point), or the name of its package. The exit status is 0 if the game
keeps the contract.
"""

import os
import sys
from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from kaleidobot.testing.selection import VARIABLE
from rules import GAMES, LEFT_OUT, PACKAGES

HERE = Path(__file__).parent


class Advice:
    """Lists the failed tests as sentences, with what to do."""

    def __init__(self) -> None:
        self._failed: dict[str, list[str]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.failed:
            name, _, case = item.name.removeprefix("test_").partition("[")
            about = (getattr(getattr(item, "function", None), "__doc__", None) or "").strip().split("\n\n")[0]
            crash = getattr(report.longrepr, "reprcrash", None)
            said = str(getattr(crash, "message", report.longrepr)).split("\n")[0].removeprefix("AssertionError: ")
            lines = [f"{name.replace('_', ' ')} ({case.rstrip(']')})", said]
            if said.startswith("ValueError: "):  # the data are wrong, whatever the test asks
                about = ""
            advice = "\n    ".join([*lines, *(" ".join(about.split()),) * bool(about)])
            self._add(advice if said.startswith("assert ") else said, advice)
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            said = str(getattr(crash, "message", report.longrepr)).strip().split("\n")[-1]
            self._add(said, said.removeprefix("E").strip())

    def _add(self, reason: str, advice: str) -> None:
        """Note the *advice*. Tests that fail for the same *reason* are listed once."""
        self._failed.setdefault(reason, []).append(advice)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._failed:
            terminalreporter.section("not yet kept")
            for advice, *others in self._failed.values():
                terminalreporter.write_line(f"- {advice}"[:1000])
                if others:
                    terminalreporter.write_line(f"    (and {len(others)} more for the same reason)")
            terminalreporter.write_line("docs/adding-a-game.md has a section for each part of the contract.")


def main(words: list[str]) -> int:
    by_package = {name: package.game for package in PACKAGES.values() for name in (package.name, package.module)}
    match [*(by_package.get(word, word) for word in words[:1]), *words[1:]]:
        case ["-h" | "--help", *_]:
            sys.stdout.write(f"{__doc__}\nThe games are: {', '.join(GAMES)}\n")
            return 0
        case [name, *options] if name in GAMES:
            os.environ[VARIABLE] = name
            quiet = ("-q", "--tb=no", "-rN", "-p", "no:cacheprovider", "-p", "no:asyncio")
            with TemporaryDirectory() as notes:  # else Hypothesis would write into the author's folder
                os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = notes
                words = [str(HERE), "-c", str(HERE / "pytest.ini"), *quiet, *options]
                return int(pytest.main(words, plugins=[Advice()]))
        case [name, *_]:
            for out in LEFT_OUT:
                if name in (out.game, out.package.split()[0]):
                    sys.exit(f"{out.package} is left out: {out.problem}. {out.place}".rstrip())
            sys.exit(f"There is no game {name}. Is its package installed here? The games are: {', '.join(GAMES)}")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
