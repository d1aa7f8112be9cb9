"""Each scene of ``tests.chaos`` can be played, in its smallest size."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.chaos.scenes import SCENES

TOP = Path(__file__).parents[1]


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize("name", SCENES)
def test_every_scene_holds(name: str) -> None:
    command = [sys.executable, "-m", "tests.chaos", "--small", "--only", name]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
