"""Proofs: they hold for every game, and every change of one is found."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from kaleidobot.testing.playing import games
from rules import GAMES, Game, proof
from rules.contract import checked_options
from rules.lot import Player, draw_seats
from rules.proof import Ending, Flaw, Flawed, Proof

SALT = "5a" * 16
TOP = Path(__file__).parent.parent.parent


def people(seats: int, host: int = 1, house: tuple[int, ...] = ()) -> tuple[Player, ...]:
    """Return the players in the order of joining."""
    return tuple(
        Player(number, "host" if number == host else "house" if number in house else "")
        for number in range(1, seats + 1)
    )


def seated(whole: Proof, players: tuple[Player, ...]) -> Proof:
    """Return *whole* with these *players*, fixed from the start."""
    terms = proof.terms(whole.game, whole.options, players)
    return replace(whole, seats=len(players), players=players, fixed=proof.fixed(whole.sha256, terms))


def proof_of(name: str, number: int = -1) -> Proof:
    """Return the proof of a random game."""
    played = games(name)[number]
    seed = f"{played.seed:032x}"
    outcome = played.states[-1].outcome
    whole = Proof(
        format=2,
        game=name,
        players=(),
        fixed="",
        seats=played.seats,
        options=checked_options(GAMES[name].options, played.options),
        seed=seed,
        salt=SALT,
        sha256=sha256(f"{seed}:{SALT}".encode()).hexdigest(),
        actions=tuple(map(str, played.actions)),
        result=Ending(outcome.reason, outcome.winners, outcome.scores),
    )
    return seated(whole, draw_seats(people(played.seats), played.seed, host_begins=GAMES[name].host_begins))


def stopped(name: str) -> Proof:
    """Return the proof of a game that all agreed to end half-way."""
    whole = proof_of(name)
    half = len(whole.actions) // 2
    points = games(name)[-1].states[half].standing()
    return replace(whole, actions=whole.actions[:half], result=Ending("ended", (), points, "table"))


def for_two(name: str) -> Proof:
    """Return the proof of a game of two seats in which one resigned at once."""
    two = next(seats for seats in GAMES[name].seats if seats == 2)
    state = GAMES[name].start(two, None, 7)
    promised = proof.commitment(f"{7:032x}", SALT)
    whole = Proof(
        format=2,
        game=name,
        players=(),
        fixed="",
        seats=two,
        options=checked_options(GAMES[name].options, None),
        seed=f"{7:032x}",
        salt=SALT,
        sha256=promised,
        actions=(),
        result=Ending("resigned", (0,), state.standing(), "table"),
    )
    return seated(whole, draw_seats(people(two), 7, host_begins=GAMES[name].host_begins))


def others(game: Game, options: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the choices that were not made."""
    return [(option.name, c) for option in game.options for c in option.choices if c != options[option.name]]


def flaw(wrong: Proof) -> Flaw:
    with pytest.raises(Flawed) as refused:
        proof.check(wrong)
    return refused.value.code


def test_the_proof_of_every_game_holds(game: Game) -> None:
    for number in range(len(games(game.id))):
        whole = proof_of(game.id, number)
        assert proof.check(proof.decode(proof.encode(whole))) == games(game.id)[number].states[-1]


def test_the_proof_of_a_game_that_the_table_ended_holds(game: Game) -> None:
    assert proof.check(stopped(game.id)).outcome is None


def test_another_seed_or_salt_is_not_the_promised_one(game: Game) -> None:
    whole = proof_of(game.id)
    other = f"{(int(whole.seed, 16) + 1) % 2**128:032x}"
    assert flaw(replace(whole, seed=other)) == Flaw.HASH
    assert flaw(replace(whole, salt=SALT[:-1] + "b")) == Flaw.HASH


def test_the_second_hash_fixes_game_options_and_seats(game: Game) -> None:
    whole = proof_of(game.id)
    other = tuple(reversed(whole.players))
    named = replace(whole.players[0], part="house" if whole.players[0].part != "house" else "")
    for changed in (
        replace(whole, players=other),
        replace(whole, players=(named, *whole.players[1:])),
        *(replace(whole, options={**whole.options, name: choice}) for name, choice in others(game, whole.options)),
        replace(whole, fixed="0" * 64),
        replace(whole, agreed=True, players=other),
    ):
        assert flaw(changed) in (Flaw.FIXED, Flaw.START)  # some options do not allow this number of seats


def test_the_second_hash_can_be_computed_by_hand() -> None:
    whole = proof_of("kabooom", 0)
    terms = f"{whole.sha256} kabooom dynamite={whole.options['dynamite']},level={whole.options['level']} "
    seats = ",".join(f"{player.number}{player.part}" for player in whole.players)
    assert whole.fixed == sha256(f"{terms}{seats}".encode()).hexdigest()


def test_the_lot_of_the_seats_comes_from_the_seed(game: Game) -> None:
    for number in range(len(games(game.id))):
        whole = proof_of(game.id, number)
        moved = (*whole.players[1:], whole.players[0])
        assert flaw(seated(whole, moved)) == Flaw.SEATS
        assert proof.check(replace(whole, sha256=whole.sha256.upper()))


def test_an_agreement_cannot_let_another_player_begin(game: Game) -> None:
    whole = proof_of(game.id)
    if game.host_begins:
        last = tuple(sorted(whole.players, key=lambda player: player.part == "host"))
    else:
        last = (Player(whole.seats, "house"), *people(whole.seats - 1))
    assert flaw(replace(seated(whole, last), agreed=True)) == Flaw.SEATS


def test_seats_that_were_agreed_are_no_lot(game: Game) -> None:
    whole = proof_of(game.id)
    seats = people(whole.seats)
    assert proof.check(replace(seated(whole, seats), agreed=True))


@pytest.mark.parametrize(
    "players",
    [
        (),
        (Player(1, "host"),),
        (Player(1, "host"), Player(1)),
        (Player(1, "host"), Player(3)),
        (Player(1, "host"), Player(2, "host")),
        (Player(0, "host"), Player(1)),
    ],
)
def test_impossible_lists_of_players_are_refused(players: tuple[Player, ...]) -> None:
    whole = for_two("kabooom")
    assert flaw(replace(seated(whole, players), seats=2)) in (Flaw.FORM, Flaw.START)


@pytest.mark.parametrize("missing", ["format", "players", "fixed"])
def test_a_proof_without_format_players_or_second_hash_is_refused(missing: str) -> None:
    document = json.loads(proof.encode(for_two("kabooom")))
    del document[missing]
    with pytest.raises(Flawed) as refused:
        proof.decode(json.dumps(document).encode())
    assert refused.value.code == Flaw.FORM


def test_a_proof_of_another_format_is_refused() -> None:
    document = json.loads(proof.encode(for_two("kabooom"))) | {"format": 1}
    with pytest.raises(Flawed, match="format"):
        proof.decode(json.dumps(document).encode())


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


def test_a_changed_result_of_a_game_ended_by_the_table_is_found(game: Game) -> None:
    whole = stopped(game.id)
    points = tuple(range(100, 100 + whole.seats))
    for changed in (
        replace(whole.result, scores=points),
        replace(whole.result, winners=(whole.seats,)),
        replace(whole.result, by="game"),
        replace(whole.result, winners=(0,)),
        replace(whole.result, reason="left", winners=(1,)),
    ):
        assert flaw(replace(whole, result=changed)) == Flaw.RESULT


@pytest.mark.parametrize("reason", ["resigned", "timeout"])
def test_of_two_one_wins(reason: str) -> None:
    two = for_two("kabooom")
    for winner in (0, 1):
        assert proof.check(replace(two, result=replace(two.result, reason=reason, winners=(winner,))))
    wrong: tuple[tuple[int, ...], ...] = ((), (0, 1), (0, 0), (2,), (-1,))
    for winners in wrong:
        assert flaw(replace(two, result=replace(two.result, reason=reason, winners=winners))) == Flaw.RESULT


def test_with_more_than_two_seats_a_timeout_has_a_winner_a_resignation_none() -> None:
    more = stopped("crystalla")
    assert more.seats > 2
    assert proof.check(replace(more, result=replace(more.result, reason="timeout", winners=(2,))))
    assert flaw(replace(more, result=replace(more.result, reason="timeout", winners=(1, 2)))) == Flaw.RESULT
    assert flaw(replace(more, result=replace(more.result, reason="resigned", winners=(2,)))) == Flaw.RESULT


def test_a_reason_that_no_table_has_is_refused(game: Game) -> None:
    whole = stopped(game.id)
    for reason in ("", "Anna is the best", "checkmate", "ended "):
        assert flaw(replace(whole, result=replace(whole.result, reason=reason))) == Flaw.RESULT


def test_a_game_that_cannot_start_is_refused(game: Game) -> None:
    whole = proof_of(game.id)
    assert flaw(replace(whole, seats=99)) == Flaw.START
    assert flaw(replace(whole, options={"no": "such"})) == Flaw.START
    assert flaw(replace(whole, game="chess")) == Flaw.FORM


@pytest.mark.parametrize("document", [b"", b"{}", b"[]", b"\xff", b'{"game": "kabooom"}', b" " * 1_000_001])
def test_a_document_that_is_not_a_proof_is_refused(document: bytes) -> None:
    with pytest.raises(Flawed) as refused:
        proof.decode(document)
    assert refused.value.code == Flaw.FORM


# From the command line


@pytest.fixture
def verify(tmp_path: Path) -> Callable[[bytes], tuple[int, str]]:
    """Return a function that runs ``python -m rules verify`` on a file and returns its status and output."""

    def run(document: bytes) -> tuple[int, str]:
        (tmp_path / "proof.json").write_bytes(document)
        command = (sys.executable, "-m", "rules", "verify", tmp_path / "proof.json")
        done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    return run


def test_the_command_line_confirms_a_proof(verify: Callable[[bytes], tuple[int, str]]) -> None:
    whole = proof_of("kabooom")
    code, said = verify(proof.encode(whole))
    assert code == 0
    players, ending = ", ".join(map(str, whole.players)), whole.result
    assert said.splitlines() == [
        f"hash     ok: {whole.sha256}",
        f"fixed    ok: {whole.fixed}",
        f"seats    ok: {players}, by lot",
        f"actions  ok: {len(whole.actions)}",
        f"points   ok: {ending.scores}",
        f"result   ok: {ending.reason}, winners {ending.winners}",
    ]


def test_the_command_line_reports_unchecked_parts(verify: Callable[[bytes], tuple[int, str]]) -> None:
    agreed = replace(seated(whole := stopped("crystalla"), people(whole.seats)), agreed=True)
    code, said = verify(proof.encode(agreed))
    assert code == 0
    lines = {line.split(" ")[0]: line[9:] for line in said.splitlines()}
    assert lines["seats"].startswith("not checked: 1host, 2")
    assert lines["result"].startswith(
        "not checked: ended, winners (); the table ended the game, maybe after more actions"
    )


@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("hash", lambda whole: replace(whole, seed="0" * 32)),
        ("hash", lambda whole: replace(whole, salt="0" * 32)),
        ("action", lambda whole: replace(whole, actions=("pass", *whole.actions[1:]))),
        ("result", lambda whole: replace(whole, result=replace(whole.result, winners=()))),
        ("fixed", lambda whole: replace(whole, players=whole.players[::-1])),
        ("seats", lambda whole: seated(whole, whole.players[::-1])),
        ("form", lambda whole: replace(whole, game="chess")),
    ],
)
def test_the_command_line_finds_changes(
    verify: Callable[[bytes], tuple[int, str]], what: str, change: Callable[[Proof], Proof]
) -> None:
    code, said = verify(proof.encode(change(proof_of("kabooom", 1))))
    assert (code, said.split()[:2]) == (1, ["wrong", what if what in ("hash", "fixed") else f"{what}:"])


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
        lambda stopped: replace(stopped, fixed=EVIL),
    ],
    ids=["reason", "long reason", "game", "options", "actions", "hash", "second hash"],
)
def test_a_proof_cannot_control_the_terminal(
    verify: Callable[[bytes], tuple[int, str]], change: Callable[[Proof], Proof]
) -> None:
    _, said = verify(proof.encode(change(stopped("kabooom"))))
    assert all(line.isprintable() and len(line) < 400 for line in said.split("\n"))
    assert {line.split(" ")[0] for line in said.split("\n")} <= {
        *("hash", "fixed", "seats", "actions", "points", "result", "wrong", "")
    }


@pytest.mark.parametrize("command", ["verify", "show", "replay"])
def test_a_file_that_is_nested_too_deep_gets_a_one_line_error(command: str) -> None:
    deep = '{"game": ' + "[" * 100_000
    done = subprocess.run(
        (sys.executable, "-m", "rules", command, "-"), cwd=TOP, input=deep, capture_output=True, text=True, check=False
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_verifying_imports_only_the_rules() -> None:
    line = "import sys, rules.proof; print(sorted({name.split('.')[0] for name in sys.modules} & set(sys.argv[1:])))"
    others = ("bot", "renderers", "texts", "PIL", "redis", "aiohttp", "discord", "telegram", "babel")
    done = subprocess.run((sys.executable, "-c", line, *others), cwd=TOP, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_host_begins_in_colorio_and_kabooom_and_a_lot_decides_elsewhere() -> None:
    """Published proofs depend on it."""
    assert {name for name, game in GAMES.items() if game.host_begins} == {"colorio", "kabooom"}
