"""Each measurement of ``bench`` runs, in its smallest size."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import ALL, MEASUREMENTS

TOP = Path(__file__).parents[1]


def test_the_default_measurements_are_modules() -> None:
    assert set(MEASUREMENTS) <= set(ALL)


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize("name", ALL)
def test_every_measurement_runs(name: str) -> None:
    command = [sys.executable, "-m", "bench", "--small", name]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = done.stdout.splitlines()[4:]
    assert rows, "it has no row"
    assert all(row.startswith("| ") and row.count("|") == 5 for row in rows), rows
