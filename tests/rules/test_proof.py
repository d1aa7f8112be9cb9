"""Luck can be checked: a proof holds for every game, and whatever is changed in it is found."""

import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from rules import GAMES, Game, proof
from rules.contract import checked_options
from rules.proof import Ending, Flaw, Flawed, Proof
from tests.rules.playing import games

SALT = "5a" * 16
TOP = Path(__file__).parent.parent.parent


def proof_of(name: str, number: int = -1) -> Proof:
    """The proof of a random game."""
    played = games(name)[number]
    seed = f"{played.seed:032x}"
    outcome = played.states[-1].outcome
    return Proof(
        game=name,
        seats=played.seats,
        options=checked_options(GAMES[name].options, played.options),
        seed=seed,
        salt=SALT,
        sha256=sha256(f"{seed}:{SALT}".encode()).hexdigest(),
        actions=tuple(map(str, played.actions)),
        result=Ending(outcome.reason, outcome.winners, outcome.scores),
    )


def stopped(name: str) -> Proof:
    """The proof of a game that was given up half-way."""
    whole = proof_of(name)
    half = len(whole.actions) // 2
    points = games(name)[-1].states[half].standing()
    return replace(whole, actions=whole.actions[:half], result=Ending("resigned", (0,), points, "table"))


def flaw(wrong: Proof) -> Flaw:
    with pytest.raises(Flawed) as found:
        proof.check(wrong)
    return found.value.code


def test_the_proof_of_every_game_holds(game: Game) -> None:
    for number in range(len(games(game.id))):
        whole = proof_of(game.id, number)
        assert proof.check(proof.read(proof.written(whole))) == games(game.id)[number].states[-1]


def test_the_proof_of_a_game_that_the_table_ended_holds(game: Game) -> None:
    assert proof.check(stopped(game.id)).outcome is None


def test_another_seed_or_salt_is_not_the_promised_one(game: Game) -> None:
    whole = proof_of(game.id)
    other = f"{(int(whole.seed, 16) + 1) % 2**128:032x}"
    assert flaw(replace(whole, seed=other)) == Flaw.HASH
    assert flaw(replace(whole, salt=SALT[:-1] + "b")) == Flaw.HASH


def test_a_hash_made_anew_for_another_seed_is_another_hash_than_was_shown(game: Game) -> None:
    whole = proof_of(game.id)
    other = replace(whole, seed="1" * 32, sha256=proof.commitment("1" * 32, SALT))
    assert other.sha256 != whole.sha256


def test_a_changed_log_is_found(game: Game) -> None:
    whole = proof_of(game.id)
    middle = len(whole.actions) // 2
    for actions in (
        whole.actions[:-1],
        (*whole.actions[:middle], "nonsense", *whole.actions[middle + 1 :]),
        (*whole.actions, whole.actions[-1]),
    ):
        assert flaw(replace(whole, actions=actions)) in (Flaw.ACTION, Flaw.RESULT)


def test_the_first_wrong_action_is_named() -> None:
    whole = proof_of("kabooom")
    with pytest.raises(Flawed, match=r"3\. a1-a1"):
        proof.check(replace(whole, actions=(*whole.actions[:2], "a1-a1", *whole.actions[3:])))


def test_a_changed_result_is_found(game: Game) -> None:
    whole = proof_of(game.id)
    ending = whole.result
    assert ending.scores is not None
    for changed in (
        replace(ending, winners=tuple(seat for seat in range(whole.seats) if seat not in ending.winners)),
        replace(ending, scores=tuple(score + 1 for score in ending.scores)),
        replace(ending, reason="resigned"),
        replace(ending, by="table"),
    ):
        assert flaw(replace(whole, result=changed)) == Flaw.RESULT


def test_a_changed_result_of_a_game_that_the_table_ended_is_found_as_far_as_the_rules_know(game: Game) -> None:
    whole = stopped(game.id)
    points = tuple(range(100, 100 + whole.seats))
    for changed in (
        replace(whole.result, scores=points),
        replace(whole.result, winners=(whole.seats,)),
        replace(whole.result, by="game"),
    ):
        assert flaw(replace(whole, result=changed)) == Flaw.RESULT


def test_a_game_that_cannot_be_set_up_is_told(game: Game) -> None:
    whole = proof_of(game.id)
    assert flaw(replace(whole, seats=99)) == Flaw.START
    assert flaw(replace(whole, options={"no": "such"})) == Flaw.START
    assert flaw(replace(whole, game="chess")) == Flaw.FORM


@pytest.mark.parametrize("document", [b"", b"{}", b"[]", b"\xff", b'{"game": "kabooom"}', b" " * 1_000_001])
def test_what_is_no_proof_is_told(document: bytes) -> None:
    with pytest.raises(Flawed) as found:
        proof.read(document)
    assert found.value.code == Flaw.FORM


# From the command line


@pytest.fixture
def verify(tmp_path: Path) -> Callable[[bytes], tuple[int, str]]:
    """What ``python -m rules verify`` returns and says of a file."""

    def run(document: bytes) -> tuple[int, str]:
        (tmp_path / "proof.json").write_bytes(document)
        command = (sys.executable, "-m", "rules", "verify", tmp_path / "proof.json")
        done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    return run


def test_the_command_line_confirms_a_proof(verify: Callable[[bytes], tuple[int, str]]) -> None:
    whole = proof_of("kabooom")
    code, said = verify(proof.written(whole))
    assert code == 0
    assert said.splitlines()[:2] == [f"hash     ok: {whole.sha256}", f"actions  ok: {len(whole.actions)}"]


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("hash", lambda whole: replace(whole, seed="0" * 32)),
        ("hash", lambda whole: replace(whole, salt="0" * 32)),
        ("action", lambda whole: replace(whole, actions=("pass", *whole.actions[1:]))),
        ("result", lambda whole: replace(whole, result=replace(whole.result, winners=()))),
        ("form", lambda whole: replace(whole, game="chess")),
    ],
)
def test_the_command_line_finds_what_was_changed(
    verify: Callable[[bytes], tuple[int, str]], what: str, change: Callable[[Proof], Proof]
) -> None:
    code, said = verify(proof.written(change(proof_of("kabooom", 1))))
    assert (code, said.split()[:2]) == (1, ["wrong", f"{what}:" if what != "hash" else "hash"])


EVIL = "resigned\r\x1b[2K\x1b[1Aresult   ok: Anna won\n\x9b31m\u202e\u2028\x07"


@pytest.mark.parametrize(
    "change",
    [
        lambda stopped: replace(stopped, result=replace(stopped.result, reason=EVIL)),
        lambda stopped: replace(stopped, result=replace(stopped.result, reason="x" * 100_000)),
        lambda stopped: replace(stopped, game=EVIL),
        lambda stopped: replace(stopped, options={EVIL: EVIL}),
        lambda stopped: replace(stopped, actions=(EVIL,)),
        lambda stopped: replace(stopped, sha256=EVIL),
    ],
    ids=["reason", "long reason", "game", "options", "actions", "hash"],
)
def test_what_a_proof_says_cannot_steer_the_terminal(
    verify: Callable[[bytes], tuple[int, str]], change: Callable[[Proof], Proof]
) -> None:
    _, said = verify(proof.written(change(stopped("kabooom"))))
    assert all(line.isprintable() and len(line) < 400 for line in said.split("\n"))
    assert {line.split(" ")[0] for line in said.split("\n")} <= {"hash", "actions", "result", "wrong", ""}


@pytest.mark.parametrize("command", ["verify", "show", "replay"])
def test_a_file_that_is_nested_too_deep_is_told_in_a_line(command: str) -> None:
    deep = '{"game": ' + "[" * 100_000
    done = subprocess.run(
        (sys.executable, "-m", "rules", command, "-"), cwd=TOP, input=deep, capture_output=True, text=True, check=False
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_the_rules_need_nothing_else_of_the_bot_to_verify() -> None:
    line = "import sys, rules.proof; print(sorted({name.split('.')[0] for name in sys.modules} & set(sys.argv[1:])))"
    others = ("bot", "renderers", "texts", "PIL", "redis", "aiohttp", "discord", "telegram", "babel")
    done = subprocess.run((sys.executable, "-c", line, *others), cwd=TOP, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
