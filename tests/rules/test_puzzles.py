"""Daily puzzles: what they say is proved by a search, and every attempt has one result."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules import puzzles
from rules.__main__ import main
from rules.puzzles import Goal, Puzzle, Search, TooLarge, Unproved, begin, decode, encode, play, prove, solved
from tools import mine_days

ALL = [one for listed in puzzles.all_puzzles().values() for one in listed]
SAMPLE = ALL[:: max(1, len(ALL) // 12)]
EASY = min((one for one in ALL if len(one.line) > 1), key=lambda one: one.ways[1])


def test_there_are_puzzles_of_several_games() -> None:
    assert {"kabooom", "kaleidoskop"} <= puzzles.all_puzzles().keys()
    assert len({one.start for one in ALL}) == len(ALL)


@pytest.mark.parametrize("one", SAMPLE, ids=lambda one: f"{one.game}-{one.par}")
def test_the_par_of_a_puzzle_is_proved_anew(one: Puzzle) -> None:
    assert prove(one).startswith(f"par {one.par}: ")


def test_every_line_reaches_its_par() -> None:
    assert [one.par for one in ALL] == [solved(one).result for one in ALL]


def test_every_puzzle_has_many_ways_and_few_to_par() -> None:
    for one in ALL:
        to_par, ways = one.ways
        assert ways >= mine_days.LEAST_WAYS
        assert to_par <= mine_days.MOST_PAR_WAYS * ways


def test_a_document_keeps_a_puzzle() -> None:
    assert decode(encode(EASY)) == EASY


def test_the_miner_finds_a_puzzle_that_it_found_before() -> None:
    assert mine_days.judged(EASY.game, mine_days.KINDS[EASY.game], EASY.start) == replace(EASY, difficulty=1)


@pytest.mark.parametrize("wrong", [{"par": EASY.par + 1}, {"line": ("pass",)}, {"ways": (1, 1)}])
def test_a_wrong_puzzle_is_not_proved(wrong: dict[str, object]) -> None:
    with pytest.raises(Unproved):
        prove(replace(EASY, **wrong))


def test_a_search_has_a_limit() -> None:
    with pytest.raises(TooLarge):
        Search(EASY.start, Goal.GAME, largest=1).value(EASY.start)


@given(st.data())
def test_no_attempt_is_better_than_par(data: st.DataObject) -> None:
    attempt = begin(data.draw(st.sampled_from(SAMPLE)))
    while attempt.result is None:
        attempt = play(attempt, data.draw(st.sampled_from(attempt.state.actions())))
    assert attempt.result <= attempt.puzzle.par


def test_days_alternate_between_games() -> None:
    listed = puzzles.all_puzzles()
    assert [puzzles.puzzle(number) for number in range(1, 5)] == [
        listed[game][number] for number in (0, 1) for game in sorted(listed)
    ]


def test_a_person_can_check_one_puzzle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (right := tmp_path / "right.json").write_bytes(encode(EASY))
    (wrong := tmp_path / "wrong.json").write_bytes(encode(replace(EASY, par=EASY.par + 1)))
    assert main(["prove", str(right)]) == 0
    assert main(["prove", str(wrong)]) == 1
    said = capsys.readouterr()
    assert f"par {EASY.par}: {' '.join(EASY.line)}" in said.out
    assert said.err.startswith(f"wrong    par {EASY.par} with ")
