"""Daily puzzles: what they say is proved by a search, and every attempt has one result."""

from hashlib import blake2b
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
FIRST_OF_THREE = 335
"""The day on which a third game joined."""
THREE = ["crystalla", "kabooom", "kaleidoskop"]
EASY = min((one for one in ALL if len(one.line) > 1), key=lambda one: one.ways[1])


def test_there_are_puzzles_of_several_games() -> None:
    assert {"crystalla", "kabooom", "kaleidoskop"} <= puzzles.all_puzzles().keys()
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


def test_every_puzzle_takes_few_taps() -> None:
    for one in SAMPLE:
        assert mine_days.fewest_taps(begin(one), Search(one.start, one.goal))[0] <= mine_days.MOST_TAPS


def test_a_document_keeps_a_puzzle() -> None:
    assert decode(encode(EASY)) == EASY


def test_the_miner_finds_a_puzzle_that_it_found_before() -> None:
    one = puzzles.puzzle(FIRST_OF_THREE)
    assert mine_days.judged(one.game, mine_days.KINDS[one.game], one.start) == replace(one, difficulty=1)


def test_in_a_turn_only_the_solver_acts_and_no_hidden_fact_counts() -> None:
    for one in (one for one in SAMPLE if one.goal == Goal.TURN):
        search = Search(one.start, one.goal)
        assert search.value(one.start) == one.par
        assert not search.has_answers


@pytest.mark.parametrize("wrong", [{"par": EASY.par + 1}, {"line": ("pass",)}, {"ways": (1, 1)}])
def test_a_wrong_puzzle_is_not_proved(wrong: dict[str, object]) -> None:
    with pytest.raises(Unproved):
        prove(replace(EASY, **wrong))


def test_a_puzzle_that_greed_solves_is_not_proved() -> None:
    turn = Search(EASY.start, Goal.TURN)
    ways, line = turn.ways(EASY.start), (str(turn.bests(EASY.start)[0]),)
    one = replace(EASY, goal=Goal.TURN, par=max(ways), line=line, ways=(ways[max(ways)], ways.total()))
    assert len(solved(one).actions) == 1  # so the most points are par
    with pytest.raises(Unproved, match="greed reaches par"):
        prove(one)


def test_a_search_has_a_limit() -> None:
    with pytest.raises(TooLarge):
        Search(EASY.start, Goal.GAME, largest=1).value(EASY.start)


@given(st.data())
def test_no_attempt_is_better_than_par(data: st.DataObject) -> None:
    attempt = begin(data.draw(st.sampled_from(SAMPLE)))
    while attempt.result is None:
        attempt = play(attempt, data.draw(st.sampled_from(attempt.state.actions())))
    assert attempt.result <= attempt.puzzle.par


def test_former_days_keep_their_puzzles() -> None:
    days = b"".join(encode(puzzles.puzzle(number)) for number in range(1, FIRST_OF_THREE))
    assert blake2b(days, digest_size=8).hexdigest() == "e301c8490c8c2287"


@pytest.mark.parametrize(("first", "games"), [(1, ["kabooom", "kaleidoskop"]), (FIRST_OF_THREE, THREE)])
def test_games_take_turns(first: int, games: list[str]) -> None:
    assert [puzzles.puzzle(first + day).game for day in range(6)] == games * (6 // len(games))


def test_a_game_goes_on_with_its_next_puzzle_when_another_joins() -> None:
    listed = puzzles.puzzles("kabooom")
    last, following = (listed.index(puzzles.puzzle(number)) for number in (FIRST_OF_THREE - 2, FIRST_OF_THREE + 1))
    assert following == (last + 1) % len(listed)


def test_a_game_has_no_puzzle_before_it_joins() -> None:
    days = [[*puzzles.days_of("crystalla", FIRST_OF_THREE + later)] for later in (-1, 0, 2, 3)]
    assert days == [[], [FIRST_OF_THREE], [FIRST_OF_THREE], [FIRST_OF_THREE + 3, FIRST_OF_THREE]]
    assert not puzzles.has_puzzles("crystalla", FIRST_OF_THREE - 1)
    assert puzzles.has_puzzles("crystalla", FIRST_OF_THREE)


def test_a_person_can_check_one_puzzle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (right := tmp_path / "right.json").write_bytes(encode(EASY))
    (wrong := tmp_path / "wrong.json").write_bytes(encode(replace(EASY, par=EASY.par + 1)))
    assert main(["prove", str(right)]) == 0
    assert main(["prove", str(wrong)]) == 1
    said = capsys.readouterr()
    assert f"par {EASY.par}: {' '.join(EASY.line)}" in said.out
    assert said.err.startswith(f"wrong    par {EASY.par} with ")
