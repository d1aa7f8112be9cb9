"""Votes of a channel: each counts once or is answered, and a channel's turn never waits for ever."""

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count

import pytest
from msgspec.structs import replace
from redis import Redis

from bot.chat import (
    Button,
    Limited,
    Moved,
    Obstacle,
    PersonId,
    PlaceId,
    Post,
    Press,
    Refused,
    Reply,
    TryLater,
    Undelivered,
    Update,
    UpdateId,
)
from bot.extras.crowd_cards import CrowdCards, Part, parts_of, seen
from bot.replies import words
from bot.requests import CastVote, CloseVote, DropVoter, GuessWinner, SeatChannel, Stamp, Vote, Voters
from bot.service.service import Service
from bot.store import keys
from bot.store.store import Store
from bot.tables import rating, seating, solo, voting
from bot.tables.preferences import BALLOT, HIDDEN, NEWCOMERS
from bot.tables.snapshot import Snapshot
from bot.tables.table import By, Entry, Phase, Table, TableId
from bot.tables.voting import Ballot, Box, Count
from renderers import Theme, crowd_card_text
from renderers import crowd_cards as drawn
from renderers.crowd_cards import Player
from rules import GAMES
from tests.bot.conftest import HandClock
from tests.bot.scanning import where
from tests.bot.talk.recording import ROOM, Crowd
from tests.bot.talk.test_exporting import EXPORT, read
from tests.bot.talk.test_service import table_here, text

HOUR = timedelta(hours=1)
ROCK, PAPER, PASS = "b2-c3", "d1-d2", "pass"
"""Turns that are legal at the beginning of the game."""


class Evening:
    """A channel that plays, with people who vote by the shortest way."""

    def __init__(self, crowd: Crowd, store: Store, clock: HandClock) -> None:
        self.crowd, self.store, self.clock = crowd, store, clock
        self._updates = count(1)

    @property
    def service(self) -> Service:
        return self.crowd.service

    async def begins(self, wishes: str = "kabooom easy channel house") -> None:
        await self.crowd.says("ada", f"/newgame {wishes}")
        await self.crowd.says("ada", "/start")

    async def now(self) -> Snapshot:
        return await self.service.repository.load((await table_here(self.store)).id)

    async def ballot(self, turn: str) -> CastVote:
        """Return the request that votes for *turn*, an action."""
        now = await self.now()
        assert now.state is not None
        index = [str(action) for action in now.state.actions()].index(turn)
        return CastVote(now.table.id, Stamp(*voting.moment(now)), (index,))

    async def votes(self, name: str, turn: str) -> Reply | None:
        return await self.crowd.sends(name, Press((await self.ballot(turn)).payload))

    async def passes(self, time: timedelta = HOUR) -> None:
        await self.clock.advance(time)
        await self.service.do_due()
        await self.service.idle()

    async def log(self) -> list[Entry]:
        return list(await self.store.log((await table_here(self.store)).id))

    async def tables(self) -> list[TableId]:
        """Return the finished tables that name Anna."""
        return list(await self.store.records.played(self.crowd.person("anna").id))

    async def played(self) -> list[str]:
        """Return the turns of the channel, by votes or by the house in its place."""
        return [entry.action for entry in await self.log() if entry.seat == 0 and entry.action]


@pytest.fixture
def evening(crowd: Crowd, store: Store, clock: HandClock) -> Evening:
    return Evening(crowd, store, clock)


# A seat


@pytest.mark.parametrize("game", GAMES)
async def test_a_channel_plays_games_in_which_all_know_the_same(crowd: Crowd, store: Store, game: str) -> None:
    reply = await crowd.says("ada", f"/newgame {game} channel")
    assert (await store.at(ROOM.id) is not None) == seating.is_open(game, {}) == (not GAMES[game].hides)
    assert GAMES[game].hides == ("knows something" in text(reply))


async def test_a_package_that_declares_nothing_is_asked_by_its_first_position() -> None:
    assert not seating.is_open("kaleidoskop", {})
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(type(GAMES["kaleidoskop"]), "hides", False)
        assert not seating.is_open("kaleidoskop", {})


async def test_only_the_host_gives_the_channel_its_seat_and_takes_it(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom")
    assert "host" in text(await crowd.says("ben", "[The channel plays]"))
    await crowd.says("anna", "[The channel plays]")
    assert [seat.is_channel for seat in (await table_here(store)).seats] == [False, True]
    await crowd.sends("anna", Press(SeatChannel((await table_here(store)).id, 0).payload))
    assert not (await table_here(store)).has_channel


async def test_a_private_chat_has_no_channel(crowd: Crowd) -> None:
    assert "private" in text(await crowd.says("anna, alone", "/newgame kabooom channel"))


async def test_a_host_who_leaves_to_the_channel_still_starts_the_game(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom channel")
    await crowd.says("anna", "/leave")
    await crowd.says("ben", "/join")
    await crowd.says("anna", "/start")
    table = await table_here(store)
    assert (table.phase, table.host) == (Phase.RUNNING, "room:anna")
    assert {seat.name for seat in table.seats} == {"lobby", "Ben"}


def test_results_with_a_channel_count_for_no_record() -> None:
    seats = seating.seat_channel(_lobby(), _lobby().host, "lobby").seats
    assert not rating.counts(replace(_lobby(), seats=seats))
    assert solo.result(replace(_lobby(), seats=seats, phase=Phase.OVER)) is None


def _lobby() -> Table:
    blank = Table(id="x", game="kabooom", place=ROOM.id, host="room:anna", lang="en", created_ms=0)  # type: ignore[arg-type]
    return seating.join(blank, blank.host, "Anna", "en")


async def test_the_same_channel_plays_again_at_once(evening: Evening) -> None:
    await evening.begins()
    first = (await table_here(evening.store)).id
    await evening.crowd.ends("ada")
    await evening.crowd.says("ben", "[Rematch]")
    table = await table_here(evening.store)
    assert (table.id != first, table.phase, table.has_channel) == (True, Phase.RUNNING, True)


# Voting


async def test_the_turn_with_most_votes_is_played_and_its_voters_named(evening: Evening) -> None:
    await evening.begins()
    for name, turn in (("anna", PAPER), ("ben", ROCK), ("cleo", ROCK)):
        await evening.votes(name, turn)
    await evening.passes()
    assert await evening.played() == [ROCK]
    said = evening.crowd.chat.newest().text
    assert "🗳 3 votes: 2 for b2 → c3 (Ben, Cleo), 1 for d1 → d2" in said
    assert "Anna" not in said


async def test_a_changed_vote_counts_once_and_a_late_copy_of_the_former_never(evening: Evening) -> None:
    await evening.begins()
    former = Press((await evening.ballot(PAPER)).payload)
    await evening.crowd.sends("anna", former, "room:twice")
    await evening.votes("anna", ROCK)
    await evening.crowd.sends("anna", former, "room:twice")
    await evening.votes("ben", ROCK)
    now = await evening.now()
    box = await evening.service.repository.votes(now)
    assert voting.votes(box, now.table) == {ROCK: ["room:anna", "room:ben"]}
    assert voting.counted(now).voters == 2


async def test_in_a_tie_the_turn_with_the_earlier_first_vote_wins(evening: Evening) -> None:
    await evening.begins()
    for name, turn in (("anna", PAPER), ("ben", ROCK)):
        await evening.votes(name, turn)
    await evening.passes()
    assert await evening.played() == [PAPER]
    assert "A tie" in evening.crowd.chat.newest().text


async def test_a_hundred_people_vote_at_once(evening: Evening) -> None:
    await evening.begins()
    press = Press((await evening.ballot(ROCK)).payload)
    people = [evening.crowd.person(f"p{number}") for number in range(100)]
    replies = await asyncio.gather(
        *(
            evening.service.handle(Update(UpdateId(f"crowd:{person.id}"), person, ROOM, press))
            for person in people
            for _ in range(2)
        )
    )
    assert all("Your vote" in text(reply) for reply in replies)
    await evening.passes()
    assert await evening.played() == [ROCK]
    assert "🗳 100 votes: 100 for b2 → c3 (P" in evening.crowd.chat.newest().text
    assert "and 92 more)" in evening.crowd.chat.newest().text


async def test_one_vote_waits_once_and_then_wins(evening: Evening) -> None:
    await evening.begins()
    await evening.votes("anna", ROCK)
    await evening.passes()
    assert await evening.played() == []
    assert "only 1 vote" in evening.crowd.chat.newest().text
    await evening.passes()
    assert await evening.played() == [ROCK]


async def test_without_votes_the_house_plays_and_the_third_time_the_game_rests(evening: Evening) -> None:
    await evening.begins()
    for turn in range(1, 4):
        await evening.passes()
        assert len(await evening.played()) == turn - 1, "it waits once"
        await evening.passes()
        assert len(await evening.played()) == turn
    assert [entry.by for entry in await evening.log() if entry.action and entry.seat == 0] == [By.HOUSE] * 3
    assert (await table_here(evening.store)).is_unattended
    await evening.crowd.says("ben", "[Continue here]")
    assert voting.is_open((now := await evening.now()).table, now.state)
    await evening.votes("ben", "pass")


async def test_a_vote_between_turns_without_one_starts_the_count_anew(evening: Evening) -> None:
    await evening.begins()
    for _ in range(2):
        await evening.passes(2 * HOUR)
        await evening.passes()
    assert (await table_here(evening.store)).silent == 2
    state = (await evening.now()).state
    assert state is not None
    await evening.votes("anna", str(state.actions()[0]))
    await evening.passes()
    await evening.passes()
    assert (await table_here(evening.store)).silent == 0


async def test_two_thirds_of_the_usual_voters_close_it_after_two_quiet_minutes(evening: Evening) -> None:
    await evening.begins()
    for name in ("anna", "ben", "cleo"):
        await evening.votes(name, ROCK)
    await evening.passes()
    await evening.votes("anna", "e3-e2")
    await evening.passes(timedelta(minutes=5))
    assert len(await evening.played()) == 1, "one of three"
    await evening.votes("ben", "e3-e2")
    await evening.passes(timedelta(seconds=110))
    await evening.votes("ben", "a4-b3")
    await evening.passes(timedelta(seconds=110))
    assert len(await evening.played()) == 1, "a vote was changed within two minutes"
    await evening.passes(timedelta(seconds=20))
    assert await evening.played() == [ROCK, "e3-e2"]


async def test_the_post_counts_all_new_votes_in_one_edit_at_most_each_half_minute(evening: Evening) -> None:
    await evening.begins()
    chat = evening.crowd.chat
    for name in ("anna", "ben", "cleo"):
        await evening.votes(name, ROCK)
    await evening.passes(timedelta(seconds=29))
    assert "so far" not in chat.newest().text
    before = len(chat.lines)
    await evening.passes(timedelta(seconds=1))
    await evening.passes(timedelta(seconds=60))
    assert [line for line in chat.lines[before:] if line.startswith("bot, edit")] == chat.lines[before:]
    assert len(chat.lines) == before + 1
    assert "3 votes so far" in chat.newest().text
    assert "b2" not in chat.newest().text


async def test_a_vote_for_a_turn_that_is_over_changes_nothing(evening: Evening) -> None:
    await evening.begins()
    late = Press((await evening.ballot(PAPER)).payload)
    for name in ("anna", "ben"):
        await evening.votes(name, ROCK)
    await evening.passes()
    assert "moved on" in text(await evening.crowd.sends("cleo", late))
    now = await evening.now()
    assert voting.counted(now).voters == 0
    assert "room:cleo" not in (await evening.service.repository.votes(now)).ballots


async def test_a_question_before_a_slip_is_asked_with_the_vote(evening: Evening) -> None:
    await evening.begins("kabooom easy channel")
    await evening.crowd.says("ada", "/move pass")
    now = await evening.now()
    assert now.state is not None
    index = [str(action) for action in now.state.actions()].index("pass")
    stamp = Stamp(*voting.moment(now))
    reply = await evening.crowd.sends("ben", Press(Vote(now.table.id, stamp, 1, 0, (index,)).payload))
    assert "game" in text(reply), "passing would end it"
    assert CastVote(now.table.id, stamp, (index,)).payload in [button.payload for button in _buttons(reply)]


async def test_a_channel_accepts_a_draw_by_votes(evening: Evening) -> None:
    await evening.begins("kalejdoschach channel")
    now = await evening.now()
    assert now.state is not None
    if now.state.actor == [seat.is_channel for seat in now.table.seats].index(True):
        for name in ("ben", "cleo"):
            await evening.votes(name, str(now.state.actions()[0]))
        await evening.passes()
        now = await evening.now()
    assert now.state is not None
    move = next(str(action) for action in now.state.actions() if str(action) != "draw")
    await evening.crowd.says("ada", f"/move draw {move}")
    for name in ("ben", "cleo"):
        reply = await evening.crowd.says(name, "[🗳 Vote]")
        assert any("½" in button.label for button in _buttons(reply))
        await evening.crowd.says(name, "[½…]")
        await evening.crowd.says(name, "[Cast this vote]")
    await evening.passes()
    assert await evening.store.at(ROOM.id) is None, "the game is over"


def _buttons(reply: Reply | None) -> list[Button]:
    assert reply is not None
    return [button for row in reply.rows if isinstance(row, tuple) for button in row]


async def test_after_the_game_a_card_names_all_voters_once(evening: Evening, bots: Callable[[], Service]) -> None:
    await evening.begins()
    for name, turn in (("anna", PAPER), ("ben", ROCK), ("cleo", ROCK)):
        await evening.votes(name, turn)
    await evening.passes()
    await evening.crowd.ends("ada")
    others = [bots() for _ in range(2)]
    await evening.clock.advance(timedelta(seconds=5))
    await asyncio.gather(*(service.do_due() for service in (evening.service, *others)))
    await evening.passes()
    assert [(card.title, card.text) for card in cards(evening)] == [
        ("lobby: 3 people played along", "Votes that were played: Ben 1, Cleo 1, Anna 0")
    ]


def cards(evening: Evening) -> list[Post]:
    return [post for post in evening.crowd.chat.messages.values() if "played along" in post.title]


async def ends_after_votes(evening: Evening, **turns: str) -> None:
    """Play one turn of the channel by these votes, and end the game."""
    await evening.begins()
    for name, turn in turns.items():
        await evening.votes(name, turn)
    await evening.passes()
    await evening.crowd.ends("ada")


@pytest.mark.parametrize(
    ("trouble", "dedupes"), [(Limited(30), False), (Moved(PlaceId("room:new")), False), (TryLater(), True)]
)
async def test_a_card_that_cannot_be_posted_now_is_posted_later(
    evening: Evening, trouble: Undelivered, dedupes: bool
) -> None:
    evening.crowd.chat.dedupes_posts = dedupes
    await ends_after_votes(evening, anna=ROCK, ben=ROCK)
    evening.crowd.chat.trouble = [trouble]
    await evening.passes(timedelta(seconds=5))
    assert cards(evening) == []
    await evening.passes(timedelta(seconds=40))
    await evening.passes(timedelta(seconds=10))
    assert len(cards(evening)) == 1


async def test_a_card_is_posted_after_an_outage_of_hours(evening: Evening) -> None:
    await ends_after_votes(evening, anna=ROCK, ben=ROCK)
    await evening.clock.advance(timedelta(hours=3))
    await evening.passes()
    assert len(cards(evening)) == 1


async def test_a_card_follows_its_final_board_soon_after_hours_without_rights(evening: Evening) -> None:
    await evening.begins()
    await evening.votes("anna", ROCK)
    await evening.passes()
    evening.crowd.chat.trouble = [Refused("no rights")] * 1000
    await evening.crowd.ends("ada")
    for _ in range(40):
        await evening.passes(timedelta(minutes=3))
    evening.crowd.chat.trouble = []
    await evening.service.repost()  # the final board
    assert cards(evening) == []
    await evening.passes(timedelta(seconds=31))
    assert len(cards(evening)) == 1


async def test_a_card_whose_outcome_is_unknown_is_not_posted_twice(evening: Evening) -> None:
    await ends_after_votes(evening, anna=ROCK, ben=ROCK)
    evening.crowd.chat.dedupes_posts, evening.crowd.chat.loses = False, 1
    for _ in range(3):
        await evening.passes(timedelta(seconds=40))
    assert len(cards(evening)) == 1


async def reviewed(evening: Evening, turn: int, choice: tuple[str, ...]) -> str:
    """Return the card after a review with this turning point."""
    snapshot = await evening.service.repository.find(next(iter(await evening.tables())))
    assert snapshot is not None
    feature = next(feature for feature in evening.service._features if isinstance(feature, CrowdCards))
    await feature.reviewed(snapshot.table, [(turn, choice)])
    return cards(evening)[0].text


async def test_a_review_adds_who_saw_the_turning_point(evening: Evening) -> None:
    await ends_after_votes(evening, anna=PAPER, ben=ROCK, cleo=ROCK)
    await evening.passes(timedelta(seconds=5))
    assert "The turning point was turn 1: Anna had voted for d1 → d2" in await reviewed(evening, 0, (PAPER,))


async def test_the_card_counts_turns_as_the_review_does(evening: Evening) -> None:
    """The table counts both set-ups of Crystalla as turns."""
    await evening.begins("crystalla channel house")
    while (turn := (await evening.now()).table.turn) < 2:
        await evening.passes()
    reply = await evening.crowd.says("anna", "[🗳 Vote]")
    while (first := _buttons(reply)[0]).payload.startswith("vote:"):
        reply = await evening.crowd.sends("anna", Press(first.payload))
    await evening.crowd.sends("anna", Press(first.payload))
    (ballot,) = (await evening.service.repository.votes(await evening.now())).ballots.values()
    await evening.passes()
    await evening.crowd.ends("ada")
    await evening.passes(timedelta(seconds=5))
    assert "The turning point was turn 1: Anna" in await reviewed(evening, turn, tuple(ballot.turns[turn].split(" ")))


async def test_a_card_never_names_people_who_voted_without_names(evening: Evening) -> None:
    await evening.store.set_place_setting(ROOM.id, BALLOT.name, "anonymous")
    await ends_after_votes(evening, anna=PAPER, ben=ROCK, cleo=ROCK)
    await evening.passes(timedelta(seconds=5))
    await evening.store.set_place_setting(ROOM.id, BALLOT.name, "open")
    evening.service._preferences.forget(ROOM.id)
    assert await reviewed(evening, 0, (PAPER,)) == ""


async def test_a_card_that_was_posted_without_names_gets_none(evening: Evening) -> None:
    await evening.store.set_place_setting(ROOM.id, BALLOT.name, "anonymous")
    await evening.begins()
    await evening.votes("anna", PAPER)
    await evening.crowd.ends("ada")
    await evening.passes(timedelta(seconds=5))
    await evening.store.set_place_setting(ROOM.id, BALLOT.name, "open")
    evening.service._preferences.forget(ROOM.id)
    assert await reviewed(evening, 0, (PAPER,)) == ""


async def test_people_hidden_from_statistics_are_somebody(evening: Evening) -> None:
    await evening.store.set_person_setting(evening.crowd.person("ben").id, HIDDEN.name, "on")
    await evening.begins()
    for name, turn in (("anna", PAPER), ("ben", ROCK), ("cleo", ROCK)):
        await evening.votes(name, turn)
    await evening.passes()
    assert "2 for b2 → c3 (Somebody, Cleo)" in evening.crowd.chat.newest().text
    await evening.crowd.ends("ada")
    await evening.passes(timedelta(seconds=5))
    assert "Somebody 1, Cleo 1" in cards(evening)[0].text
    assert "Somebody, Cleo had voted for" in await reviewed(evening, 0, (ROCK,))


def test_each_part_of_a_split_turn_is_a_vote_of_its_own() -> None:
    later = -(voting.MOST_ACTIONS * 3 + 1)
    ballots = {"x:a": {3: "a"}, "x:b": {3: "x", later: "b c"}, "x:c": {later: "x"}}
    box = Box(b"", Count(), later, {PersonId(p): Ballot(p, turns=turns) for p, turns in ballots.items()})
    log = [Entry(number, 0, action, 0, turn=3) for number, action in enumerate("abcd")]
    assert [(part.person, part.played) for part in parts_of(box, log)] == [("x:b", 1), ("x:a", 1), ("x:c", 0)]


def test_a_vote_that_goes_on_after_the_houses_choice_saw_it() -> None:
    part = Part(PersonId("x:a"), "Anna", 1, {0: "a b"})
    assert seen([part], [(0, ("a",))])[1] == [part]
    assert seen([part], [(0, ("a", "b", "c"))])[1] == []


def test_a_card_counts_the_people_whom_it_does_not_name() -> None:
    people = tuple(Player(f"P{number}", 0) for number in range(40))
    view = GAMES["kabooom"].start(2, None, 7).view(None)
    look = words.look(replace(_lobby(), seats=_lobby().seats * 2), None, Theme.LIGHT, "en")
    assert "P39 0 and 10 more" in crowd_card_text(view, look, drawn.Crowd("lobby", 0, 50, people))


# Permissions


async def test_people_with_a_seat_do_not_vote(evening: Evening) -> None:
    await evening.begins("kabooom easy channel")
    await evening.crowd.says("ada", "/move b2-c3")
    assert "seat of your own" in text(await evening.crowd.says("ada", "[🗳 Vote]"))


async def test_the_public_board_is_tapped_to_vote_by_those_without_a_seat(evening: Evening) -> None:
    await evening.begins("kabooom easy channel")
    await evening.crowd.says("ada", "/move b2-c3")
    ada, anna = [await evening.service.targets(evening.crowd.update(name, "")) for name in ("ada", "anna")]
    assert ada == ()
    shown = await evening.crowd.sends("anna", Press(anna[0].payload))
    assert shown is not None
    assert shown.title == "Kabooom! – your vote"
    assert "Onto which tower?" in shown.text


async def test_a_voter_who_takes_a_seat_has_no_vote_and_a_leaver_neither(evening: Evening) -> None:
    await evening.begins("kabooom easy channel")
    await evening.crowd.says("ada", "/move b2-c3")
    for name in ("anna", "ben"):
        await evening.votes(name, "d2-c3")
    await evening.votes("cleo", "pass")
    await evening.crowd.says("ada", "/substitute")
    await evening.crowd.says("ada", "[Look for somebody]")
    await evening.crowd.says("cleo", "[Take Ada's seat]")
    await evening.crowd.says("cleo", "[Take the seat]")
    now = await evening.now()
    assert voting.votes(await evening.service.repository.votes(now), now.table) == {"d2-c3": ["room:anna", "room:ben"]}
    for name in ("ada", "cleo"):
        assert "seat of your own" in text(await evening.votes(name, "pass"))


async def test_new_members_wait_a_day_if_the_place_says_so(evening: Evening) -> None:
    await evening.begins()
    press = Press((await evening.ballot(ROCK)).payload)
    updates = count(1)

    async def comes(name: str, joined: datetime | None) -> str:
        id_ = UpdateId(f"new:{next(updates)}")
        return text(await evening.service.handle(Update(id_, evening.crowd.person(name), ROOM, press, joined=joined)))

    now = evening.clock.now()
    assert "Your vote" in await comes("anna", now)
    await evening.store.set_place_setting(ROOM.id, NEWCOMERS.name, "wait")
    evening.service._preferences.forget(evening.crowd.person("x").id, ROOM.id)
    assert "second day" in await comes("ben", now - timedelta(hours=23))
    assert "Your vote" in await comes("cleo", now - timedelta(hours=24))
    assert "Your vote" in await comes("dave", None), "the platform does not tell"


async def test_only_moderators_close_a_vote_and_exclude_people(evening: Evening) -> None:
    await evening.begins()
    table = (await table_here(evening.store)).id
    await evening.votes("anna", ROCK)
    await evening.votes("ben", ROCK)
    stamp = Stamp(*voting.moment(await evening.now()))
    close, drop = Press(CloseVote(table, stamp).payload), Press(DropVoter(table, 1).payload)
    for press in (close, drop, Press(Voters(table).payload)):
        assert "Only moderators" in text(await evening.crowd.sends("cleo", press))
    assert await evening.played() == []
    await evening.crowd.sends("ada", close, may_manage=True)
    assert await evening.played() == [ROCK]


async def test_an_excluded_person_has_no_vote_in_this_game(evening: Evening) -> None:
    await evening.begins()
    await evening.votes("anna", PAPER)
    await evening.crowd.says("ada", "[More]")
    await evening.crowd.says("ada", "[Voters: exclude]")
    asked = await evening.crowd.says("ada", "[✕ Anna]")
    assert "Really exclude Anna?" in text(asked)
    assert asked is not None
    assert "who has voted" in asked.title
    assert voting.counted(await evening.now()).voters == 1, "not yet"
    await evening.crowd.says("ada", "[Yes, exclude]")
    assert "excluded" in text(await evening.votes("anna", ROCK))
    assert voting.counted(await evening.now()).voters == 0
    for name in ("ben", "cleo"):
        await evening.votes(name, ROCK)
    await evening.passes()
    assert await evening.played() == [ROCK]


async def test_a_person_whom_the_place_blocks_does_not_vote(evening: Evening) -> None:
    await evening.begins()
    blocks = evening.store.blocks
    await blocks.add(keys.place_blocks(ROOM.id), evening.crowd.person("anna").id, "Anna")
    assert "excluded" in text(await evening.votes("anna", ROCK))


@pytest.mark.parametrize("is_blocked", [False, True])
async def test_an_excluded_or_blocked_person_reads_it_at_once_and_taps_nothing(
    evening: Evening, is_blocked: bool
) -> None:
    await evening.begins()
    begun = Vote((await evening.now()).table.id, Stamp(*voting.moment(await evening.now()))).payload
    await evening.votes("anna", PAPER)
    if is_blocked:
        await evening.store.blocks.add(keys.place_blocks(ROOM.id), evening.crowd.person("anna").id, "Anna")
    else:
        for label in ("[More]", "[Voters: exclude]", "[✕ Anna]", "[Yes, exclude]"):
            await evening.crowd.says("ada", label)
    for said in (
        await evening.crowd.says("anna", "[🗳 Vote]"),
        await evening.crowd.sends("anna", Press(begun)),
        await evening.crowd.says("anna", f"/move {ROCK}"),
    ):
        assert "excluded" in text(said)
    assert await evening.service.targets(evening.crowd.update("anna", "")) == ()
    assert await evening.service.targets(evening.crowd.update("ben", ""))


async def test_the_list_of_voters_turns_in_both_directions(evening: Evening) -> None:
    await evening.begins()
    for number in range(20):
        await evening.votes(f"p{number:02}", ROCK)
    request = Voters((await evening.now()).table.id)
    reply = await evening.crowd.sends("ada", Press(request.payload), may_manage=True)
    assert [button.label for button in _buttons(reply)][-3:] == ["⏭", "Page 1/3 ▶", "✕"]
    for label in ("[⏭]", "[✕ P19]", "[Yes, exclude]"):
        await evening.crowd.says("ada", label)
    assert "excluded" in text(await evening.votes("p19", PAPER))


async def test_a_block_of_the_place_holds_after_the_first_vote(evening: Evening) -> None:
    await evening.begins()
    await evening.votes("anna", PAPER)
    await evening.store.blocks.add(keys.place_blocks(ROOM.id), evening.crowd.person("anna").id, "Anna")
    assert "excluded" in text(await evening.votes("anna", ROCK))
    guess = Press(GuessWinner((await evening.now()).table.id, 0).payload)
    assert "excluded" in text(await evening.crowd.sends("anna", guess))


async def test_a_moderator_who_plays_does_not_moderate_the_votes(evening: Evening) -> None:
    await evening.begins("kabooom easy channel")
    await evening.crowd.says("ada", "/move b2-c3")
    for name in ("anna", "ben"):
        await evening.votes(name, "d2-c3")
    now = await evening.now()
    close = CloseVote(now.table.id, Stamp(*voting.moment(now)))
    for request in (close, Voters(now.table.id), DropVoter(now.table.id, 1)):
        assert "another moderator" in text(await evening.crowd.sends("ada", Press(request.payload), may_manage=True))
    await evening.crowd.says("ada", "[More]")
    assert "Voters" not in evening.crowd.chat.lines[-1]
    assert await evening.played() == ["b2-c3"]


async def test_while_the_place_takes_no_posts_a_vote_has_no_end(evening: Evening) -> None:
    await evening.begins()
    await evening.votes("anna", ROCK)
    table = (await evening.now()).table.id
    await evening.service.repository.lose_place(table, ROOM.id, Obstacle.RIGHTS)
    assert "as soon as I can post here again" in text(await evening.crowd.sends("anna", Press(Vote(table).payload)))


async def test_a_place_may_keep_the_names_of_voters_to_itself(evening: Evening) -> None:
    await evening.begins()
    menu = CastVote((await evening.now()).table.id, Stamp(*voting.moment(await evening.now())), ())
    assert "after that, your name can appear" in text(await evening.crowd.sends("anna", Press(menu.payload)))
    await evening.store.set_place_setting(ROOM.id, BALLOT.name, "anonymous")
    evening.service._preferences.forget(evening.crowd.person("x").id, ROOM.id)
    assert "the others see only numbers" in text(await evening.crowd.sends("anna", Press(menu.payload)))
    for name in ("anna", "ben"):
        await evening.votes(name, ROCK)
    await evening.passes()
    said = evening.crowd.chat.newest().text
    assert "🗳 2 votes: 2 for b2 → c3\n" in said
    assert not {"Anna", "Ben"} & {*said.replace(",", " ").replace(")", " ").split()}


async def test_against_a_channel_no_one_ends_the_game_alone_or_takes_a_move_back(evening: Evening) -> None:
    await evening.begins("kabooom easy channel")
    await evening.crowd.says("ada", "/move b2-c3")
    await evening.crowd.says("ada", "/undo")
    assert len(await evening.log()) == 1
    anna = Evening(evening.crowd, evening.store, evening.clock)
    await evening.crowd.ends("ada")  # she manages the place
    await anna.crowd.says("anna", "/newgame kabooom easy channel")
    await anna.crowd.says("anna", "/start")
    assert "resign" in text(await anna.crowd.says("anna", "/end"))
    assert (await table_here(evening.store)).phase == Phase.RUNNING


# Crashes


async def test_a_vote_that_comes_while_another_process_closes_still_counts(
    evening: Evening, bots: Callable[[], Service]
) -> None:
    await evening.begins()
    for name, turn in (("anna", PAPER), ("ben", PAPER), ("cleo", ROCK)):
        await evening.votes(name, turn)
    repository = bots().repository
    now = await evening.now()
    box = await repository.votes(now)
    step = voting.close(now, box, repository.now_ms(), anonymous=False)
    await evening.votes("ben", ROCK)
    assert not await repository.close_vote(now, box, step)
    await evening.passes()
    assert await evening.played() == [ROCK]


async def test_a_vote_closes_once_however_many_processes_try(evening: Evening, bots: Callable[[], Service]) -> None:
    await evening.begins("kabooom easy channel")
    await evening.crowd.says("ada", "/move b2-c3")
    for name in ("anna", "ben"):
        await evening.votes(name, "d2-c3")
    now = await evening.now()
    others = [bots().repository for _ in range(3)]
    boxes = [await other.votes(now) for other in others]
    steps = [voting.close(now, box, others[0].now_ms(), anonymous=False) for box in boxes]
    saved = await asyncio.gather(
        *(other.close_vote(now, box, step) for other, box, step in zip(others, boxes, steps, strict=True))
    )
    assert sum(saved) == 1
    assert [entry.action for entry in await evening.log()] == ["b2-c3", "d2-c3"]


async def test_a_vote_that_a_dead_process_has_claimed_is_closed_by_another_one(
    evening: Evening, bots: Callable[[], Service]
) -> None:
    await evening.begins()
    await evening.votes("anna", PAPER)
    await evening.votes("ben", ROCK)
    await evening.clock.advance(HOUR)
    assert await evening.store.claim_due(evening.service.repository.now_ms(), 120_000, 9)  # and it dies
    other = bots()
    await other.do_due()
    await evening.votes("ben", PAPER)
    assert await evening.played() == []
    await evening.clock.advance(timedelta(seconds=121))
    await other.do_due()
    await other.idle()
    assert await evening.played() == [PAPER]
    assert "🗳 2 votes: 2 for d1 → d2 (Anna, Ben)" in evening.crowd.chat.newest().text


async def test_the_clock_of_a_vote_stops_while_the_place_takes_no_posts(evening: Evening) -> None:
    await evening.begins()
    await evening.votes("anna", ROCK)
    await evening.votes("ben", ROCK)
    now = await evening.now()
    await evening.service.repository.lose_place(now.table.id, ROOM.id, Obstacle.RIGHTS)
    await evening.passes(5 * HOUR)
    assert await evening.played() == []
    await evening.service.repository.regain_place(now.table.id, ROOM.id)
    await evening.passes(HOUR - timedelta(minutes=1))
    assert await evening.played() == []
    await evening.passes(timedelta(minutes=2))
    assert await evening.played() == [ROCK]


# A person's data


async def test_votes_are_in_their_persons_file_and_go_with_it(evening: Evening, raw: Redis) -> None:
    await evening.begins()
    for name in ("zeb", "ben"):
        await evening.votes(name, ROCK)
    (entry,) = read(await evening.crowd.sends("zeb", EXPORT))["tables"]
    assert json.loads(entry["vote"])["turns"] == {"0": ROCK}
    await evening.passes()
    assert "Zeb" in evening.crowd.chat.newest().text
    await forgets(evening.crowd, "zeb")
    assert where(raw, "Zeb", "room:zeb") == []


async def forgets(crowd: Crowd, name: str) -> None:
    await crowd.says(name, "/privacy")
    await crowd.says(name, "[Delete everything about me]")
    await crowd.says(name, "[Yes, delete everything]")


async def test_a_vote_that_closes_meanwhile_does_not_name_a_forgotten_person(evening: Evening, raw: Redis) -> None:
    await evening.begins()
    for name in ("zeb", "ben", "cleo"):
        await evening.votes(name, ROCK)
    repository, now = evening.service.repository, await evening.now()
    box = await repository.votes(now)
    step = voting.close(now, box, repository.now_ms(), anonymous=False)
    await forgets(evening.crowd, "zeb")
    assert not await repository.close_vote(now, box, step)
    assert voting.counted(await evening.now()).voters == 2
    await evening.passes()
    assert "2 for b2 → c3 (Ben, Cleo)" in evening.crowd.chat.newest().text
    assert where(raw, "Zeb", "room:zeb") == []


async def test_a_save_under_way_does_not_name_the_guess_of_a_forgotten_person(evening: Evening) -> None:
    await evening.begins()
    now = await evening.now()
    await evening.crowd.sends("zeb", Press(GuessWinner(now.table.id, 0).payload))
    assert (await evening.now()).save == now.save
    await forgets(evening.crowd, "zeb")
    assert (await evening.now()).save != now.save, "so the other save conflicts"


async def test_a_thousand_votes_are_no_thousand_fields_beside_their_ballots(evening: Evening, raw: Redis) -> None:
    await evening.begins()
    seen = keys.of_table((table := (await evening.now()).table.id), keys.shard(table))[2]
    before = raw.hlen(seen)
    for turn in (ROCK, PAPER, PASS) * 2:
        await evening.votes("anna", turn)
    assert raw.hlen(seen) == before
    ballot = voting.ballot(await evening.service.repository.ballot(table, evening.crowd.person("anna").id))
    assert ballot is not None
    assert len(ballot.updates) == voting.UPDATES


async def test_a_table_keeps_the_turns_that_its_post_tells(evening: Evening) -> None:
    await evening.begins()
    state = (await evening.now()).state
    assert state is not None
    for number, action in enumerate((*state.actions()[:6], state.actions()[3])):
        await evening.votes(f"p{number}", str(action))
    await evening.passes()
    tally = (await evening.now()).table.tally
    assert tally is not None
    assert ([number for _, number in tally.counts], tally.rest, tally.votes) == ([2, 1, 1], 3, 7)
    assert "3 for other moves" in evening.crowd.chat.newest().text


async def test_votes_of_a_finished_game_go_with_their_person(evening: Evening, raw: Redis) -> None:
    await evening.begins()
    for name in ("zeb", "ben"):
        await evening.votes(name, ROCK)
    await evening.crowd.ends("ada")
    await forgets(evening.crowd, "zeb")
    assert where(raw, "Zeb", "room:zeb") == []
