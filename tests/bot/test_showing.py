"""The plan for a table's message after a change: post, edit or keep. Pure, without a chat."""

from msgspec.structs import replace

from bot.chat import MessageId, PlaceId
from bot.tables import board_message, substitutes, votes
from bot.tables.board_message import (
    BoardMessage,
    Removal,
    StaleMessage,
    Venue,
    newest,
    with_stale,
    without_stale,
)
from bot.tables.showing import Edit, New, PendingPost, Stay, planned, seen_at
from bot.tables.snapshot import Snapshot
from bot.tables.table import Entry, Offer, Phase, Table, subject
from bot.tables.waiting import Resting
from rules import GAMES, State
from tests.bot.test_table import ANNA, BEN, started


def table_at(revision: int, turn: int, mark: str = "abc", game: str = "kabooom") -> Table:
    step = started(ANNA, BEN)
    return replace(step.table, game=game, revision=revision, turn=turn, mark=mark)


def shown(table: Table, message: str = "m1", **fields: object) -> BoardMessage:
    return replace(BoardMessage(MessageId(message), table.revision, subject(table), mark=table.mark), **fields)


def wanted(table: Table, *entries: Entry, again: bool = False, state: State | None = None) -> PendingPost:
    state = state or GAMES[table.game].start(2, {}, seed=1)
    return PendingPost(Snapshot(table=table, state=state, recent=entries), again)


def entry(revision: int, turn: int, action: str = "b1-c1") -> Entry:
    return Entry(revision, 0, action, 0, turn=turn)


def test_a_table_without_a_message_is_posted() -> None:
    plan = planned(wanted(table_at(3, 1)), None)
    assert isinstance(plan, New)
    assert (plan.board_message.revision, plan.board_message.subject, plan.former) == (3, "turn1", None)


def test_an_up_to_date_message_stays() -> None:
    table = table_at(3, 1)
    assert planned(wanted(table), shown(table)) == Stay(shown(table))


def test_within_a_turn_the_message_is_edited() -> None:
    game = next(game for game in GAMES if GAMES[game].shows_steps)
    plan = planned(wanted(table_at(4, 1, "new", game), entry(4, 1)), shown(table_at(3, 1, game=game)))
    assert isinstance(plan, Edit)
    assert (plan.board_message.message, plan.board_message.revision, plan.board_message.mark) == ("m1", 4, "new")


def test_a_new_turn_is_a_new_message_and_the_former_one_loses_its_buttons() -> None:
    former = shown(table_at(3, 1))
    plan = planned(wanted(table_at(4, 2), entry(4, 1)), former)
    assert isinstance(plan, New)
    assert (plan.former, plan.ending, plan.calls) == (former, Removal.STRIP, True)


def test_steps_of_a_turn_that_is_seen_as_a_whole_leave_the_message_as_it_is() -> None:
    entries = (entry(3, 0), entry(4, 1))  # the message tells the first one, which ended the turn before
    plan = planned(wanted(table_at(4, 1, "new", "crystalla"), *entries), shown(table_at(3, 1, game="crystalla")))
    assert isinstance(plan, Stay)
    assert (plan.board_message.message, plan.board_message.revision, plan.board_message.mark) == ("m1", 4, "new")


def test_a_save_without_a_step_is_shown_within_a_hidden_turn() -> None:
    """A player asks a question: the log has no entry for it."""
    plan = planned(wanted(table_at(5, 1, "new", "crystalla"), entry(4, 1)), shown(table_at(3, 1, game="crystalla")))
    assert isinstance(plan, Edit)


def test_a_post_within_a_hidden_turn_shows_the_state_before_it() -> None:
    entries = (entry(5, 0), entry(6, 1), entry(7, 1))
    plan = planned(wanted(table_at(7, 1, game="crystalla"), *entries), None)
    assert isinstance(plan, New)
    assert plan.board_message.first_revision == 5
    shows = next(game for game in GAMES if GAMES[game].shows_steps)
    steps = planned(wanted(table_at(7, 1, game=shows), *entries), None)
    assert isinstance(steps, New)
    assert steps.board_message.first_revision == 7


def test_a_repost_goes_to_the_bottom_and_pings_no_person_twice() -> None:
    table = table_at(3, 1)
    plan = planned(wanted(table, again=True), shown(table))
    assert isinstance(plan, New)
    assert (plan.ending, plan.calls) == (Removal.DELETE, False)


def test_a_new_turn_reports_news_since_the_former_one_and_pings() -> None:
    """The former message reported its own turn when that turn began; everything later is news."""
    former = shown(table_at(5, 1), news_since=2, first_revision=4)
    plan = planned(wanted(table_at(6, 2), entry(6, 1), again=True), former)
    assert isinstance(plan, New)
    assert (plan.board_message.news_since, plan.board_message.events_since, plan.calls, plan.ending) == (
        4,
        5,
        True,
        Removal.STRIP,
    )
    lost = planned(wanted(table_at(3, 2), entry(3, 1)), former)  # the store has lost all saves after revision 3
    assert isinstance(lost, New)
    assert lost.board_message.news_since == 3


def test_a_repost_repeats_the_news_but_not_events_beside_the_game() -> None:
    former = shown(table_at(5, 1), news_since=2, first_revision=4)
    plan = planned(wanted(table_at(5, 1), again=True), former)
    assert isinstance(plan, New)
    assert (plan.board_message.news_since, plan.board_message.first_revision, plan.board_message.events_since) == (
        2,
        4,
        0,
    )


def test_a_question_is_marked_and_facts_of_the_place_are_kept() -> None:
    asks = votes.ask(table_at(5, 2), ANNA, "end")
    former = shown(table_at(4, 1), warned=True, unpictured=True)
    plan = planned(wanted(asks), former)
    assert isinstance(plan, New)
    assert (plan.board_message.asks, plan.board_message.warned, plan.board_message.unpictured) == (True, True, True)
    first = planned(wanted(table_at(5, 2)), None)
    assert isinstance(first, New)
    assert (first.board_message.asks, first.board_message.warned, first.board_message.unpictured) == (
        False,
        False,
        False,
    )


def test_a_seat_that_is_newly_offered_is_posted_once_and_pings_no_person_twice() -> None:
    table, former = table_at(4, 1), shown(table_at(3, 1))
    looks = substitutes.offer(table, 0, Offer.AGREED)
    plan = planned(wanted(looks), former)
    assert isinstance(plan, New)
    assert (plan.board_message.offered, plan.ending, plan.calls) == ((0,), Removal.DELETE, False)
    still = planned(wanted(replace(looks, revision=5)), plan.board_message)
    assert isinstance(still, Edit)
    ends = planned(wanted(replace(table, revision=6)), still.board_message)
    assert isinstance(ends, Edit)
    assert ends.board_message.offered == ()


def test_a_message_that_is_gone_is_replaced() -> None:
    former = shown(table_at(3, 1))
    plan = planned(wanted(table_at(4, 1), entry(4, 1)), former, gone=True)
    assert isinstance(plan, New)
    assert plan.former == former


HALL = Venue(PlaceId("t:hall"), "de", "dark")


def test_a_board_message_knows_its_place_and_its_look() -> None:
    plan = planned(wanted(replace(table_at(3, 1), lang="de", theme="dark")), None)
    assert isinstance(plan, New)
    assert plan.board_message.at == Venue(PlaceId(""), "de", "dark")


def test_one_whose_language_or_theme_is_another_now_is_edited() -> None:
    table = table_at(3, 1)
    former = shown(table, at=Venue(PlaceId(""), table.lang))
    assert isinstance(planned(wanted(table), former), Stay)
    for other in (replace(table, lang="de"), replace(table, theme="dark")):
        plan = planned(wanted(other), former)
        assert isinstance(plan, Edit)
        assert plan.board_message.at == Venue(PlaceId(""), other.lang, other.theme)
        steps = planned(wanted(replace(other, game="crystalla", revision=4), entry(4, 1)), former)
        assert isinstance(steps, Edit)  # also in the middle of a turn that is seen as a whole
    assert isinstance(planned(wanted(replace(table, lang="de")), shown(table)), Stay)  # posted before this was noted


def test_a_table_has_a_showing_at_each_venue_and_each_is_planned_for_itself() -> None:
    """Two of one table: at home the turn goes on in its message, the hall has seen nothing yet; then home moves."""
    game = next(game for game in GAMES if GAMES[game].shows_steps)
    turn = wanted(replace(table_at(4, 1, "new", game), relocations=2), entry(4, 1))
    home = shown(table_at(3, 1, game=game), relocations=2)
    assert isinstance(planned(turn, home), Edit)
    first = planned(seen_at(HALL, turn), None)
    assert isinstance(first, New)
    assert (first.board_message.at, first.board_message.relocations) == (HALL, 0)
    posted = replace(first.board_message, message=MessageId("h1"))
    assert planned(seen_at(HALL, turn), posted) == Stay(posted)
    moved = wanted(replace(table_at(5, 1, "newer", game), relocations=3), entry(5, 1))
    assert isinstance(planned(moved, home), New)
    assert isinstance(planned(seen_at(HALL, moved), posted), Edit)  # the hall is the former place


def test_a_message_in_a_place_that_moved_cannot_be_reached() -> None:
    table = replace(table_at(3, 1), relocations=1)
    assert isinstance(planned(wanted(table), shown(table_at(3, 1))), New)


def test_the_former_board_of_a_game_that_forgets_is_covered() -> None:
    start = next(GAMES[game].start(2, {}, seed=1) for game in GAMES if GAMES[game].start(2, {}, seed=1).forgets)
    game = next(game for game in GAMES if GAMES[game].start(2, {}, seed=1).forgets)
    former = shown(table_at(3, 1, game=game), fades=True)
    plan = planned(wanted(table_at(4, 2, game=game), entry(4, 1), state=start), former)
    assert isinstance(plan, New)
    assert (plan.ending, plan.board_message.fades) == (Removal.COVER, True)


def test_a_board_that_was_lost_by_the_store_is_edited_to_what_there_is() -> None:
    """It shows revision 7; a server that came back from a backup has revision 5, or another 7."""
    lost = shown(table_at(7, 1, "old"))
    for table in (table_at(5, 1, "new"), table_at(7, 1, "new")):
        plan = planned(wanted(table), lost)
        assert isinstance(plan, Edit)
        assert plan.board_message.shows(table)


def test_of_two_that_are_equally_new_the_surer_one_counts() -> None:
    """The store knows the message of before, this process has posted another one for the same revision."""
    table = table_at(3, 1)
    stored, here = shown(table, "m1"), shown(table, "m2")
    assert newest((stored, here), table) == here
    assert newest((here, None), table) == here
    assert newest((None, None), table) is None


def test_what_shows_the_table_counts_before_what_shows_a_lost_revision() -> None:
    table = table_at(5, 1, "new")
    lost = shown(table_at(7, 1, "old"), "m7")
    assert newest((shown(table), lost), table) == shown(table)
    assert newest((lost, shown(table)), table) == shown(table)


def test_litter_is_remembered_until_it_is_gone() -> None:
    some = [StaleMessage(MessageId(f"m{n}"), Removal.STRIP) for n in range(20)]
    stands = with_stale(shown(table_at(3, 1)), *some)
    assert stands.stale == tuple(some[-board_message.MOST_STALE :])
    assert without_stale(stands, some[:-1]).stale == (some[-1],)


def test_litter_goes_along_to_the_next_message() -> None:
    left = StaleMessage(MessageId("m0"), Removal.STRIP)
    plan = planned(wanted(table_at(4, 2), entry(4, 1)), with_stale(shown(table_at(3, 1)), left))
    assert isinstance(plan, New)
    assert plan.board_message.stale == (left,)


def test_the_end_of_a_game_is_a_subject_of_its_own() -> None:
    table = replace(table_at(4, 1), phase=Phase.OVER)
    assert isinstance(planned(wanted(table), shown(table_at(3, 1))), New)


def test_a_resting_table_edits_its_old_message_and_posts_nothing() -> None:
    table = replace(table_at(4, 1), waiting=Resting())
    over = replace(table_at(5, 1), waiting=Resting(), phase=Phase.OVER)
    for shown_table in (table, over):
        plan = planned(wanted(shown_table), shown(table_at(3, 1)))
        assert isinstance(plan, Edit)
        assert (plan.board_message.message, plan.board_message.revision) == ("m1", shown_table.revision)
        for former, gone in (
            (shown(table_at(3, 1)), True),
            (None, False),
            (shown(table_at(3, 1), relocations=2), False),
        ):
            kept = planned(wanted(shown_table), former, gone=gone)
            assert isinstance(kept, Stay)
            assert (kept.board_message.message, kept.board_message.revision) == ("", shown_table.revision)


def test_the_first_board_stays_the_first_when_edited_or_reposted() -> None:
    table = table_at(3, 0, game="colorio")
    lobby = replace(shown(table_at(2, 0)), subject=Phase.LOBBY)
    first = planned(wanted(table), lobby)
    assert isinstance(first, New)
    assert first.board_message.opens
    stands = replace(first.board_message, message=MessageId("m1"))
    step = wanted(replace(table, revision=4, mark="new"), entry(4, 0))
    edited = planned(step, stands)
    assert isinstance(edited, Edit)
    assert edited.board_message.opens
    again = planned(replace(step, again=True), edited.board_message)
    assert isinstance(again, New)
    assert again.board_message.opens
    after = planned(wanted(table_at(5, 1, game="colorio"), entry(5, 0)), again.board_message)
    assert isinstance(after, New)
    assert not after.board_message.opens


def test_the_first_board_counts_as_first_after_a_move_of_the_house() -> None:
    lobby = replace(shown(table_at(2, 0)), subject=Phase.LOBBY)
    plan = planned(wanted(table_at(4, 1), entry(4, 0)), lobby)
    assert isinstance(plan, New)
    assert plan.board_message.opens


def test_news_left_out_of_a_post_stay_out_of_its_edits() -> None:
    former = shown(table_at(5, 1), news_since=2, first_revision=4)
    plan = planned(wanted(table_at(6, 2), entry(6, 1)), former)
    assert isinstance(plan, New)
    edited = planned(wanted(votes.ask(table_at(7, 2, "new"), ANNA, "end")), plan.board_message)
    assert isinstance(edited, Edit)
    assert edited.board_message.events_since == plan.board_message.events_since == 5


def test_a_lobby_that_closed_takes_its_open_seats_along() -> None:
    lobby = replace(shown(table_at(2, 0)), subject=Phase.LOBBY)
    closed = replace(table_at(3, 0), phase=Phase.OVER)
    plan = planned(PendingPost(Snapshot(table=closed)), lobby)
    assert isinstance(plan, New)
    assert plan.ending == Removal.DELETE


def test_a_resting_tables_old_message_is_left_when_it_moves_on() -> None:
    """The board cannot be moved, and facts about the old place do not apply to the new one."""
    former = shown(table_at(3, 1), warned=True, unpictured=True)
    woken = replace(table_at(4, 1, "new"), relocations=1, former_place=PlaceId("t:hall"))
    plan = planned(wanted(woken, again=True), former)
    assert isinstance(plan, New)
    assert (plan.former, plan.ending) == (former, Removal.STRIP)
    assert (plan.board_message.warned, plan.board_message.unpictured) == (False, False)
