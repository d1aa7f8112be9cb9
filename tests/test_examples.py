"""The programs in ``examples`` run."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_kabooom_example_plays_a_game_and_paints_its_board(tmp_path: Path) -> None:
    board = tmp_path / "board.png"
    done = subprocess.run(
        [sys.executable, "-m", "examples.play_kabooom", board],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "player 2:" in done.stdout
    assert "Outcome(scores=" in done.stdout
    assert "Anna" in done.stdout
    assert board.read_bytes().startswith(b"\x89PNG")
