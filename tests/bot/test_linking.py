"""Linked tables, without I/O: whatever happens at two places, in any order, both show the same game."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.runtime.names import unlinked
from bot.tables import absence, codes, forced_actions, linking, logbook, voting
from bot.tables.linking import Cut, Other
from bot.tables.snapshot import Snapshot
from bot.tables.table import By, Denied, Entry, Phase, Step, Table, TableId, Tally, Voter, Wish, play
from bot.tables.waiting import OnClock, Resting, StandIn, Unreachable, with_turn
from rules import GAMES

GAME = "kabooom"
OPEN = [name for name, game in GAMES.items() if not game.hides]


def lobby(name: str, game: str = GAME) -> Table:
    return Table(
        id=TableId(name * 10),
        game=game,
        place=PlaceId(f"x:{name}"),
        host=PersonId(f"x:host-{name}"),
        lang="en",
        created_ms=0,
        seed="07" * 16,
        salt="07" * 16,
    )


class Side:
    """A table with all its saves, the newest last."""

    def __init__(self, table: Table) -> None:
        self.saves: list[tuple[Snapshot, tuple[Entry, ...]]] = [(Snapshot(table=table), ())]

    @property
    def now(self) -> Snapshot:
        return self.saves[-1][0]

    @property
    def table(self) -> Table:
        return self.now.table

    @property
    def log(self) -> tuple[Entry, ...]:
        return self.saves[-1][1]

    @property
    def actions(self) -> list[tuple[int, str, By]]:
        return [(entry.seat, entry.action, entry.by) for entry in logbook.effective(self.log)]

    @property
    def decides(self) -> By | None:
        return forced_actions.decides(Step(self.table, self.now.state))

    def save(self, step: Step) -> None:
        """Save *step* as the repository does it."""
        before, log = self.table, (*self.log, *step.entries)
        table = replace(step.table, revision=before.revision + 1)
        if (table.turn, table.phase) != (before.turn, before.phase):
            turn = absence.begin_turn(table, step.state, OnClock(1))
            table = replace(table, waiting=with_turn(table.waiting, turn))
        self.saves.append((Snapshot(table=table, state=step.state, recent=log[-40:]), log))

    def follows(self, other: "Side | None", *, cut: Cut = Cut.NOT) -> bool:
        """Follow the *other* table by one step. Return whether there was one."""
        there = None if other is None else Other(other.now, other.log, cut)
        step = linking.follow(self.now, self.log, there, 1)
        if step is not None:
            self.save(step)
        return step is not None

    def plays(self, number: int, by: By = By.CHANNEL) -> None:
        """Play one turn, or a part of it, as this table alone decides."""
        table, state = self.table, self.now.state
        assert state is not None
        if self.decides is By.TABLE:
            self.save(forced_actions.play_forced(Step(table, state), 1))
        elif self.decides is By.HOUSE:
            actions = state.actions()
            self.save(play(table, state, actions[number % len(actions)], 1, By.HOUSE))
        elif by is By.HOUSE:
            self.save(voting.left_to_house(table, state, 1))
        else:
            action = str(state.actions()[number % len(state.actions())])
            self.save(voting.played(replace(table, silent=0), state, [action], 1))


def meeting(game: str = GAME) -> tuple[Side, Side]:
    """Return two lobbies that have met."""
    near = Side(linking.inviting(lobby("a", game), "Chess Café", (1, 2, 3), 0))
    far = Side(linking.answering(lobby("b", game), near.table, "Spieletreff"))
    near.save(Step(linking.asked(near.table, far.table)))
    return near, far


def begun(game: str = GAME) -> tuple[Side, Side]:
    near, far = meeting(game)
    near.save(linking.confirmed(near.table))
    assert far.follows(near)
    return near, far


def settled(near: Side, far: Side) -> None:
    """Let both follow until neither has to."""
    for _ in range(20):
        if not (near.follows(far) | far.follows(near)):
            return
    raise AssertionError("they follow each other for ever")


def up(near: Side, far: Side) -> Side:
    """Return the table that decides."""
    return near if linking.decides(near.table, near.now.state) else far


def begins(one: list[tuple[int, str, By]], other: list[tuple[int, str, By]]) -> bool:
    return one[: len(other)] == other[: len(one)]


Event = tuple[int, str, int]


def events(*kinds: str) -> some.SearchStrategy[list[Event]]:
    """Return lists of events: the number of the side, the kind, and the number of an action."""
    return some.lists(some.tuples(some.integers(0, 1), some.sampled_from(kinds), some.integers(0, 99)), max_size=60)


@pytest.mark.parametrize("game", OPEN)
@settings(max_examples=12, deadline=None)
@given(story=events("votes", "votes", "follows", "house", "wakes"), end=some.sampled_from(list(Wish)))
def test_one_log_always_begins_with_the_other(game: str, story: list[Event], end: Wish) -> None:
    """A crash between two saves is an event that never comes: every order and every omission is tried."""
    sides = begun(game)
    for side, event, number in story:
        happens(sides, side, event, number)
        assert begins(sides[0].actions, sides[1].actions)
    agree(sides, end)


@settings(max_examples=25, deadline=None)
@given(story=events("votes", "follows", "loses"))
def test_tables_agree_again_after_a_store_has_lost_saves(story: list[Event]) -> None:
    sides = begun()
    for side, event, number in story:
        happens(sides, side, event, number)
    agree(sides, Wish.END)


def happens(sides: tuple[Side, Side], number: int, event: str, choice: int) -> None:
    """Let *event* happen at the side with this *number*, if it can."""
    side, other = sides[number], sides[1 - number]
    if event == "follows":
        side.follows(other)
    elif event == "loses" and side.table.phase == Phase.RUNNING:
        least = next(n for n, (snapshot, _) in enumerate(side.saves) if snapshot.table.phase == Phase.RUNNING)
        del side.saves[max(least + 1, len(side.saves) - choice % 4) :]
    elif event == "wakes" and side.table.is_resting:
        side.save(Step(absence.wake(side.table, side.now.state, side.table.place, 1), side.now.state))
    elif event in ("votes", "house") and side.decides in (By.CHANNEL, By.HOUSE, By.TABLE):
        side.plays(choice, By.HOUSE if event == "house" else By.CHANNEL)


def agree(sides: tuple[Side, Side], end: Wish) -> None:
    """Check that both tables show the same game, also after its end, which one of them wishes."""
    settled(*sides)
    near, far = sides
    side = up(near, far)
    while logbook.is_mid_turn(side.table, side.log) and side.decides in (By.CHANNEL, By.HOUSE, By.TABLE):
        side.plays(0)
    settled(*sides)
    assert near.actions == far.actions
    assert near.now.state == far.now.state
    if end is not Wish.NONE and near.table.phase == Phase.RUNNING:
        assert near.now.state is not None
        near.save(linking.wished(near.table, near.now.state, end))
        settled(*sides)
    if near.table.phase == Phase.OVER or far.table.phase == Phase.OVER:
        assert near.table.result == far.table.result


# Beginning


def test_both_tables_have_the_same_seed_lot_and_seats_and_each_its_own_channel() -> None:
    near, far = begun()
    assert (near.table.seed, near.table.salt, near.table.lot) == (far.table.seed, far.table.salt, far.table.lot)
    assert near.table.fixed == far.table.fixed
    assert near.table.own_channel != far.table.own_channel
    assert [seat.colour for seat in near.table.seats] == [seat.colour for seat in far.table.seats]


def test_an_answer_needs_the_code_within_a_day() -> None:
    near = linking.inviting(lobby("a"), "Chess", (1, 2, 3), 0)
    far = linking.answering(lobby("b"), near, "Go")
    assert linking.may_ask(near, far, linking.DAY_MS - 1)
    assert not linking.may_ask(near, far, linking.DAY_MS)
    assert not linking.may_ask(linking.with_code(near, (3, 2, 1), 0), far, 0)


def test_a_code_is_used_once() -> None:
    near, _ = meeting()
    late = linking.answering(lobby("c"), linking.inviting(lobby("a"), "Chess", (1, 2, 3), 0), "Late")
    assert not linking.may_ask(near.table, late, 0)
    third = Side(late)
    third.follows(near)
    assert third.table.phase == Phase.OVER


def test_a_lobby_waits_for_another_channel_again_if_one_closes_its_table() -> None:
    near, far = meeting()
    far.save(Step(replace(far.table, phase=Phase.OVER)))
    near.follows(far)
    assert (len(near.table.seats), linking.other_of(near.table), near.table.phase) == (1, None, Phase.LOBBY)


def test_an_answer_closes_if_the_inviting_channel_declines_or_closes() -> None:
    near, far = meeting()
    near.save(Step(linking.alone(near.table)))
    far.follows(near)
    assert far.table.phase == Phase.OVER


def test_a_game_whose_answer_closed_at_the_same_moment_ends() -> None:
    near, far = meeting()
    near.save(linking.confirmed(near.table))
    far.save(Step(replace(far.table, phase=Phase.OVER)))
    settled(near, far)
    assert near.table.result is not None
    assert near.table.result.reason == "left"


def test_a_beginning_that_the_store_has_lost_is_repeated_from_the_other_table() -> None:
    near, far = begun()
    up(near, far).plays(0)
    settled(near, far)
    del near.saves[2:]
    assert near.table.phase == Phase.LOBBY
    settled(near, far)
    assert near.actions == far.actions
    assert near.table.own_channel != far.table.own_channel


def test_an_invitation_that_has_lost_its_answer_takes_the_running_game_over() -> None:
    near, far = begun()
    up(near, far).plays(0)
    settled(near, far)
    del near.saves[1:]
    assert not far.follows(near)
    step = linking.with_answer(near.table, far.table, 2 * linking.DAY_MS)
    assert step is not None
    near.save(step)
    settled(near, far)
    assert near.actions == far.actions
    assert len(near.actions) > 0
    assert near.table.fixed == far.table.fixed


def test_an_answer_to_other_terms_does_not_ask() -> None:
    near = linking.inviting(lobby("a"), "Chess", (1, 2, 3), 0)
    far = linking.answering(lobby("b"), near, "Go")
    assert linking.with_answer(replace(near, voting="24h"), far, 0) is None


def test_a_lobby_that_no_one_has_answered_cannot_begin() -> None:
    with pytest.raises(Denied, match="link_alone"):
        linking.confirmed(linking.inviting(lobby("a"), "Chess", (1, 2, 3), 0))


# Turns


def test_only_counts_of_a_vote_cross() -> None:
    near, far = begun()
    side, other = (near, far) if up(near, far) is near else (far, near)
    voter = Voter(PersonId("x:anna"), "Anna")
    before = side.table
    tally = Tally(before.revision + 1, (("b1-a1", 3), ("pass", 1)), (voter,), is_tie=True, rest=2)
    assert side.now.state is not None
    step = voting.played(before, side.now.state, [str(side.now.state.actions()[0])], 1)
    side.save(replace(step, table=replace(step.table, tally=tally)))
    revision = other.table.revision + 1
    other.follows(side)
    assert other.table.tally == replace(tally, revision=revision, people=())


def test_an_unfinished_turn_waits_until_it_is_whole() -> None:
    near, far = begun("crystalla")
    while near.table.phase == Phase.RUNNING:
        side = up(near, far)
        other = far if side is near else near
        turn, known = side.table.turn, other.actions
        side.plays(0)
        if side.table.turn == turn:
            assert not other.follows(side)
            assert other.actions == known
            return
        settled(near, far)
    raise AssertionError("no turn has several parts")


def test_a_channel_rests_when_its_fourth_turn_in_a_row_without_votes_begins() -> None:
    near, far = begun()
    side = up(near, far)
    other = far if side is near else near
    for _ in range(absence.SILENT):
        side.plays(0, By.HOUSE)
        assert isinstance(side.table.waiting, StandIn)
        side.plays(0)
        settled(near, far)
        other.plays(0)
        settled(near, far)
    assert isinstance(side.table.waiting, Resting)
    assert other.table.twin is not None
    assert other.table.twin.absent == "rests"


# The end, and absence


@pytest.mark.parametrize("wish", [Wish.RESIGN, Wish.END])
def test_managers_end_the_game_also_while_the_other_channel_is_up(wish: Wish) -> None:
    for chooses in (0, 1):
        near, far = begun()
        side = (near, far)[chooses]
        assert side.now.state is not None
        side.save(linking.wished(side.table, side.now.state, wish))
        settled(near, far)
        assert near.table.result == far.table.result
        assert near.table.result is not None
        own = side.table.own_channel
        assert own is not None
        assert near.table.result.winners == ((1 - own,) if wish is Wish.RESIGN else ())


def test_a_place_that_cannot_be_reached_is_noted_and_its_return_is_told() -> None:
    near, far = begun()
    away = replace(near.table, waiting=Unreachable(1))
    near.saves[-1] = (replace(near.now, table=away), near.log)
    assert far.follows(near)
    assert far.table.twin is not None
    assert far.table.twin.absent == "away"
    assert not far.follows(near)
    near.save(Step(replace(near.table, waiting=OnClock(1)), near.now.state))
    assert far.follows(near)
    assert far.log[-1].event == "back_again"


def test_an_outage_of_the_other_platform_is_noted() -> None:
    near, far = begun()
    assert far.follows(near, cut=Cut.NOW)
    assert not far.follows(near, cut=Cut.NOW)
    assert far.follows(near)


@pytest.mark.parametrize("chooses", [0, 1])
def test_a_game_ends_at_both_tables_if_the_other_platform_stays_away(chooses: int) -> None:
    near, far = begun()
    side, away = (near, far) if chooses else (far, near)
    assert side.follows(away, cut=linking.cut(7 * linking.DAY_MS))
    assert away.follows(side)
    for table in (near.table, far.table):
        assert table.result is not None
        assert table.result.reason == "left"


def test_the_longer_a_table_waits_the_more_rarely_it_looks() -> None:
    near, _ = begun()
    looks = [linking.looks_after_ms(near.table, 1 + waited) for waited in (0, 1_000_000, linking.DAY_MS)]
    assert looks == [30_000, 100_000, 600_000]


def test_a_game_ends_if_the_other_table_is_gone() -> None:
    near, _ = begun()
    assert near.follows(None)
    assert near.table.result is not None
    assert near.table.result.reason == "left"


# Codes and names


def test_any_two_words_of_codes_differ_by_more_than_a_slip() -> None:
    near = [(one, other) for one, other in combinations(codes.WORDS, 2) if is_a_slip(one, other)]
    assert near == []
    assert len(codes.WORDS) ** codes.LENGTH >= 10**7
    assert all(word.isascii() and 4 <= len(word) <= 8 for word in codes.WORDS)


def is_a_slip(one: str, other: str) -> bool:
    """Return whether one letter is wrong, missing or too many."""
    if abs(len(one) - len(other)) > 1:
        return False
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return any(one[same + i :] == other[same + j :] for i, j in ((1, 1), (0, 1), (1, 0)))


@some.composite
def names(draw: some.DrawFn) -> str:
    return draw(some.text(max_size=60)) + draw(some.sampled_from(["", "@all", "t.me/x", "https://x.y", "<@1>", "/end"]))


@settings(max_examples=60, deadline=None)
@given(name=names())
def test_a_name_that_crosses_has_nothing_that_becomes_a_link(name: str) -> None:
    clean = unlinked(name)
    assert not set("@#/\\<>|*_~`[]") & set(clean)
    assert unlinked(clean) == clean
