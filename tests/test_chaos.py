"""Each scene of ``tests.chaos`` can be played, in its smallest size."""

import subprocess
import sys
from contextvars import copy_context
from pathlib import Path

import pytest

from tests.chaos.__main__ import played
from tests.chaos.scenes import SCENES
from tests.chaos.size import SMALL

TOP = Path(__file__).parents[1]
LARGER = {"bot", "upgrade"}
"""Scenes that ``tests/bot/test_two_processes.py`` plays with two bots."""
BY_COMMAND = "readonly"
RIVALS = "rivals"

pytestmark = [pytest.mark.slow, pytest.mark.processes]


@pytest.mark.parametrize("name", [name for name in SCENES if name not in {*LARGER, BY_COMMAND, RIVALS}])
def test_every_scene_holds(name: str, tmp_path: Path) -> None:
    result = copy_context().run(played, name, 1, False, tmp_path, SMALL)
    assert result.findings.is_fine, "\n".join(result.findings.notes)


def test_crowds_lose_no_vote_and_every_kind_of_error_would_be_found(tmp_path: Path) -> None:
    result = copy_context().run(played, RIVALS, 1, True, tmp_path, SMALL)
    errors = result.findings
    assert result.was_fine, "\n".join(errors.notes)
    assert min(errors.lost, errors.doubled, errors.boards, errors.leaks) > 0, errors


def test_a_scene_is_played_by_the_command() -> None:
    command = [sys.executable, "-m", "tests.chaos", "--small", "--only", BY_COMMAND]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
