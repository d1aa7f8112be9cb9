"""Two real processes of the bot on one store, under play: one dies, both are exchanged. The scenes of ``tests.chaos``
at a few tables; many tables, and every other trouble: ``make chaos``."""

from pathlib import Path

import pytest

from tests.chaos.scenes import SCENES

TABLES = 2
"""One for each of the two bots."""


@pytest.mark.timeout(300)
async def test_no_turn_is_lost_or_posted_twice_when_one_of_two_bots_is_killed(tmp_path: Path) -> None:
    """The other process posts the saved but unposted boards two minutes later."""
    result = await SCENES["bot"].play(tmp_path, TABLES, False)
    assert result.findings.is_fine, result.findings.notes
    assert result.turns > 4 * TABLES


@pytest.mark.timeout(300)
async def test_no_turn_is_lost_or_doubled_when_both_bots_are_replaced(tmp_path: Path) -> None:
    """And if a board were posted twice, or a move lost, that would be found. That each scene finds a fault of its own
    kind: ``python -m tests.chaos --seeded``."""
    result = await SCENES["upgrade"].play(tmp_path, TABLES, True)
    assert result.was_fine, result.findings.notes
    assert result.turns > 4 * TABLES
    assert result.findings.boards, result.findings.notes
    assert result.findings.lost == 1, result.findings.notes
