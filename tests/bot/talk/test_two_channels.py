"""Two channels against each other: an invitation, its answer, one game at two tables, and nothing else that crosses."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace
from redis import Redis

from bot.app import build
from bot.chat import (
    Body,
    Content,
    Obstacle,
    PersonId,
    Place,
    PlaceId,
    PlaceMoved,
    Post,
    Press,
    Reply,
    Typed,
    UpdateId,
)
from bot.delivery.painting import Pictures
from bot.repository.repository import Repository
from bot.requests import CastVote, Stamp
from bot.runtime.blocklist import BlockList
from bot.runtime.metrics import Metrics
from bot.runtime.retry import ELSEWHERE_S
from bot.service.blocks import MOST
from bot.service.service import Service
from bot.store import keys
from bot.store.heartbeats import KEPT_MS
from bot.store.store import Store
from bot.tables import codes, linking, logbook, voting
from bot.tables.preferences import RIVALS
from bot.tables.snapshot import Snapshot
from bot.tables.table import Absent, By, Phase, Table, TableId, Twin
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons
from tests.bot.talk.test_service import text

HOUR = timedelta(hours=1)
NEAR, FAR = ROOM, Place(PlaceId("room:garden"), "de", name="Garten")
"""The place that invites, and the one that answers."""


class Match:
    """Two places whose managers are Ada and Emil."""

    def __init__(self, crowd: Crowd, store: Store, clock: HandClock, make: Callable[[], Service]) -> None:
        self.crowd, self.store, self.clock, self.make = crowd, store, clock, make
        self._replies: dict[PlaceId, list[Reply]] = {NEAR.id: [], FAR.id: []}

    @property
    def service(self) -> Service:
        return self.crowd.service

    async def says(self, place: Place, line: str, name: str = "", *, manages: bool = True) -> Reply | None:
        """Type *line*, or press a button, as a manager of *place* or another person."""
        name = name or ("ada" if place is NEAR else "emil")
        body = self.button(place, line[1:-1], name) if line.startswith("[") else Typed(line)
        return await self._sends(name, body, place, manages=manages)

    async def _sends(self, name: str, body: Body, place: Place, *, manages: bool = False) -> Reply | None:
        reply = await self.crowd.sends(name, body, place=place, may_manage=manages)
        if reply is not None:
            self._replies.setdefault(place.id, []).append(reply)
        return reply

    def heard(self, place: Place) -> list[bytes]:
        """Return everything that was shown in *place*, to all or to one person, as bytes."""
        return [repr(said).encode() for said in (*self.posts(place), *self._replies[place.id])]

    def button(self, place: Place, label: str, name: str) -> Press:
        own = self.crowd.chat.own.get(self.crowd.chat.reading.get(name, ""))  # type: ignore[call-overload]
        shown: list[Content] = [own] if own is not None else []
        for content in (*shown, *reversed(self.posts(place))):
            for button in buttons(content):
                if button.label == label:
                    return Press(button.payload)
        raise AssertionError(f"no button {label}")

    def posts(self, place: Place) -> list[Post]:
        chat = self.crowd.chat
        return [post for message, post in chat.messages.items() if chat.places[message] == place.id]

    async def code(self, wishes: str = "kabooom easy channels") -> str:
        await self.says(NEAR, f"/newgame {wishes}")
        twin = (await self.at(NEAR)).table.twin
        assert twin is not None
        return codes.spoken(twin.code)

    async def meets(self) -> None:
        await self.says(FAR, f"/join {await self.code()}")
        await self.says(FAR, "[Ja, wir spielen]")

    async def begins(self) -> None:
        await self.meets()
        await self.says(NEAR, "[Begin]")

    async def at(self, place: Place) -> Snapshot:
        held = await self.store.at(place.id)
        assert held is not None
        return await self.service.repository.load(held)

    async def both(self) -> tuple[Snapshot, Snapshot]:
        return await self.at(NEAR), await self.at(FAR)

    async def up(self) -> Place:
        now = await self.at(NEAR)
        return NEAR if linking.decides(now.table, now.state) else FAR

    async def votes(self, place: Place, name: str, index: int = 0) -> Reply | None:
        now = await self.at(place)
        cast = CastVote(now.table.id, Stamp(*voting.moment(now)), (index,))
        return await self._sends(name, Press(cast.payload), place)

    async def passes(self, time: timedelta) -> None:
        await self.clock.advance(time)
        await self.service.do_due()
        await self.service.idle()

    async def plays(self, index: int = 0) -> None:
        """Let two people of the channel that is up vote, and the vote close."""
        place = await self.up()
        await self.votes(place, f"anna-{place.id[-1]}", index)
        await self.votes(place, f"ben-{place.id[-1]}", index)
        await self.passes(HOUR)

    async def log(self, place: Place) -> list[tuple[int, str, By]]:
        entries = await self.store.log((await self.at(place)).table.id)
        return [(entry.seat, entry.action, entry.by) for entry in logbook.effective(entries)]


@pytest.fixture
def match(crowd: Crowd, store: Store, clock: HandClock, bots: Callable[[], Service]) -> Match:
    return Match(crowd, store, clock, bots)


async def test_a_code_and_its_confirmation_begin_one_game_at_two_tables(match: Match) -> None:
    await match.begins()
    near, far = await match.both()
    assert near.table.phase == far.table.phase == Phase.RUNNING
    assert near.state == far.state
    assert (near.table.seed, near.table.fixed) == (far.table.seed, far.table.fixed)
    assert [seat.is_remote for seat in near.table.seats] == [not seat.is_remote for seat in far.table.seats]
    assert (near.table.lang, far.table.lang) == ("en", "de")


async def test_turns_cross_at_once_with_counts_and_without_names(match: Match) -> None:
    await match.begins()
    for turn in range(4):
        await match.plays(turn)
    near, far = await match.both()
    assert await match.log(NEAR) == await match.log(FAR)
    assert len(await match.log(NEAR)) >= 4
    assert near.state == far.state
    shown = match.posts(await match.up())[-1].text
    assert "2 " in shown
    assert "Anna" not in shown


async def test_a_game_ends_at_both_places(match: Match) -> None:
    await match.begins()
    await match.says(NEAR, "[More]")
    await match.says(NEAR, "[Resign for the channel]")
    await match.says(NEAR, "[Yes, resign]")
    assert "Your channel lost" in match.posts(NEAR)[-1].text
    assert "Euer Kanal hat gewonnen" in match.posts(FAR)[-1].text


# Invitations


async def test_only_a_manager_learns_the_code(match: Match) -> None:
    code = await match.code()
    assert not any(code in post.text for post in match.posts(NEAR))
    match.crowd.chat.own.clear()
    assert code in text(await match.says(NEAR, "[Show the code]"))
    assert "moderators" in text(await match.says(NEAR, "[Show the code]", "anna", manages=False))


async def test_a_code_is_read_in_any_form(match: Match) -> None:
    code = await match.code()
    assert "lobby" in text(await match.says(FAR, f"/mitspielen  „{code.upper().replace(' ', ', ')}“."))


@pytest.mark.parametrize(
    ("wishes", "why"),
    [("kaleidoskop channels", "knows something"), ("kabooom channels house", "no other seats")],
)
async def test_some_tables_have_no_place_for_another_channel(match: Match, wishes: str, why: str) -> None:
    assert why in text(await match.says(NEAR, f"/newgame {wishes}"))
    assert await match.store.at(NEAR.id) is None


async def test_only_managers_invite_and_answer(match: Match) -> None:
    assert "moderators" in text(await match.says(NEAR, "/newgame kabooom channels", "anna", manages=False))
    code = await match.code()
    assert "moderiert" in text(await match.says(FAR, f"/join {code}", manages=False))


async def test_a_private_chat_has_no_channel_that_could_answer(match: Match) -> None:
    code = await match.code()
    private = Place(PlaceId("room:@emil"), private=True)
    assert "privater Chat" in text(await match.says(private, f"/join {code}"))


async def test_the_name_that_crosses_is_the_one_for_other_places(match: Match) -> None:
    garden = replace(FAR, name="What did Ben write here?", name_elsewhere="Park · Garten")
    await match.says(garden, f"/join {await match.code()}", "emil")
    await match.says(garden, "[Ja, wir spielen]", "emil")
    assert "Park · Garten wants to play" in match.posts(NEAR)[-1].text


async def test_a_wrong_an_old_and_an_own_code_are_refused_with_the_reason(match: Match) -> None:
    code = await match.code()
    assert "Code kenne ich nicht" in text(await match.says(FAR, "/join zebra zebra zebra"))
    assert "Code kenne ich nicht" in text(await match.says(FAR, "/join nothing at all"))
    assert "your own code" in text(await match.says(NEAR, f"/join {code}"))
    await match.passes(timedelta(hours=23))
    await match.says(NEAR, "[Options]")
    await match.says(NEAR, "[Time for a vote: 10 minutes]")  # the lobby lives longer than the code
    await match.passes(timedelta(hours=2))
    assert "der ist um" in text(await match.says(FAR, f"/join {code}"))


async def test_a_code_works_once(match: Match) -> None:
    code = await match.code()
    await match.says(FAR, f"/join {code}")
    await match.says(FAR, "[Ja, wir spielen]")
    third = Place(PlaceId("room:attic"), "de", name="Dachboden")
    assert "gilt nicht mehr" in text(await match.says(third, f"/join {code}"))
    assert await match.store.at(third.id) is None


async def test_an_answer_that_was_not_the_first_gives_its_place_free(match: Match) -> None:
    code = await match.code()
    third = Place(PlaceId("room:attic"), "de", name="Dachboden")
    await match.says(third, f"/join {code}", "dora")
    await match.says(FAR, f"/join {code}")
    await match.says(FAR, "[Ja, wir spielen]")
    assert "gilt nicht mehr" in text(await match.says(third, "[Ja, wir spielen]", "dora"))
    assert await match.store.at(third.id) is None


async def test_a_busy_place_cannot_answer(match: Match) -> None:
    await match.says(FAR, "/newgame kabooom", "dora", manages=False)
    await match.says(FAR, f"/join {await match.code()}")
    assert "Kabooom" in text(await match.says(FAR, "[Ja, wir spielen]"))
    assert linking.other_of((await match.at(NEAR)).table) is None


async def test_a_setting_of_either_place_refuses_invitations(match: Match) -> None:
    code = await match.code()
    await match.store.set_place_setting(FAR.id, RIVALS.name, "off")
    assert "ausgeschaltet" in text(await match.says(FAR, f"/join {code}"))


async def test_the_setting_of_the_inviting_place_refuses_answers(match: Match) -> None:
    code = await match.code()
    await match.store.set_place_setting(NEAR.id, RIVALS.name, "off")
    fresh = Match(match.crowd.again(match.make()), match.store, match.clock, match.make)
    assert "gilt nicht mehr" in text(await fresh.says(FAR, f"/join {code}"))


async def test_a_block_of_a_place_works_both_ways_and_is_not_told(match: Match) -> None:
    await match.meets()
    await match.says(NEAR, "[Never with them]")
    await match.says(NEAR, "[Close the table]")
    await match.says(NEAR, "/newgame kabooom channels")
    twin = (await match.at(NEAR)).table.twin
    assert twin is not None
    assert "gilt nicht mehr" in text(await match.says(FAR, f"/join {codes.spoken(twin.code)}"))
    await match.says(NEAR, "[Close the table]")
    await match.says(FAR, "/newgame kabooom channels")
    twin = (await match.at(FAR)).table.twin
    assert twin is not None
    assert "doesn't work any more" in text(await match.says(NEAR, f"/join {codes.spoken(twin.code)}"))


async def test_a_block_of_a_place_follows_it_to_a_new_id_and_can_be_lifted(match: Match) -> None:
    await match.says(FAR, f"/join {await match.code()}")
    await match.says(FAR, "[Nie mit denen]")
    new = PlaceId("room:hall-2")
    await match.service.place_changed(PlaceMoved(NEAR.id, new))
    blocks = match.store.blocks
    assert await blocks.has(keys.place_blocks(FAR.id), PersonId(new))
    assert not await blocks.has(keys.place_blocks(FAR.id), PersonId(NEAR.id))
    (entry,) = (await blocks.of(keys.place_blocks(FAR.id))).values()
    assert entry.name == "lobby"


async def test_a_person_whom_the_inviting_place_blocks_gets_the_answer_of_a_used_code(match: Match) -> None:
    code = await match.code()
    await match.store.blocks.add(keys.place_blocks(NEAR.id), PersonId("room:emil"), "Emil")
    assert "gilt nicht mehr" in text(await match.says(FAR, f"/join {code}"))


@pytest.mark.parametrize("blocked", [NEAR.id, "room:ada"])
async def test_a_place_or_a_manager_whom_the_operator_blocks_plays_against_no_one(
    match: Match, painter: Pictures, blocked: str
) -> None:
    code = await match.code()
    service = build(match.store, painter, match.clock, blocked=BlockList(frozenset({blocked})))
    service.add(match.crowd.chat)
    update = replace(match.crowd.update("emil", f"/join {code}"), place=FAR, may_manage=True)
    assert "gilt nicht mehr" in text(await service.handle(update))
    await service.stop()


async def test_an_answer_is_declined_and_a_new_code_invites_another_channel(match: Match) -> None:
    await match.meets()
    before = await match.at(NEAR)
    await match.says(NEAR, "[Not with them]")
    assert await match.store.at(FAR.id) is None
    await match.says(NEAR, "[Show the code]")
    now = await match.at(NEAR)
    assert now.table.twin is not None
    assert now.table.twin.code
    assert len(now.table.seats) == 1 < len(before.table.seats)


async def test_a_game_that_was_agreed_on_does_not_change(match: Match) -> None:
    await match.code()
    await match.says(NEAR, "[Options]")
    choose = match.button(NEAR, "Variant: Hard: −2 points a tower", "ada")
    twin = (await match.at(NEAR)).table.twin
    assert twin is not None
    await match.says(FAR, f"/join {codes.spoken(twin.code)}")
    await match.says(FAR, "[Ja, wir spielen]")
    assert "exactly this game" in text(await match.crowd.sends("ada", choose))


@pytest.mark.parametrize(("line", "why"), [("/join", "no other seats"), ("/start", "A moderator begins")])
async def test_a_table_of_two_channels_has_no_other_seats_and_no_other_start(match: Match, line: str, why: str) -> None:
    await match.meets()
    assert why in text(await match.says(NEAR, line, "anna", manages=False))


async def test_a_confirmation_for_another_answer_is_stale(match: Match) -> None:
    await match.meets()
    confirm = match.button(NEAR, "Begin", "ada")
    await match.says(NEAR, "[Not with them]")
    await match.crowd.sends("ada", confirm, may_manage=True)
    assert (await match.at(NEAR)).table.phase == Phase.LOBBY


async def test_a_text_that_is_no_code_takes_a_seat_in_an_open_lobby(match: Match) -> None:
    await match.says(NEAR, "/newgame kabooom", manages=False)
    await match.says(NEAR, "/join please", "anna", manages=False)
    assert (await match.at(NEAR)).table.seat_of(PersonId("room:anna")) is not None


async def test_terms_that_have_changed_are_asked_about_again(match: Match) -> None:
    await match.says(FAR, f"/join {await match.code()}")
    await match.says(NEAR, "[Options]")
    await match.says(NEAR, "[Time for a vote: 24 hours]")
    assert "24 Stunden" in text(await match.says(FAR, "[Ja, wir spielen]"))
    assert await match.store.at(FAR.id) is None
    await match.says(FAR, "[Ja, wir spielen]")
    assert (await match.at(FAR)).table.voting == "24h"


@pytest.mark.parametrize(
    ("place", "label"),
    [(FAR, "Ja, wir spielen"), (NEAR, "Begin"), (NEAR, "Not with them"), (NEAR, "Never with them")],
)
async def test_a_repeated_update_is_not_refused(match: Match, place: Place, label: str) -> None:
    await match.says(FAR, f"/join {await match.code()}")
    if place is NEAR:
        await match.says(FAR, "[Ja, wir spielen]")
    name = "ada" if place is NEAR else "emil"
    press = match.button(place, label, name)
    update = replace(match.crowd.update(name, ""), body=press, place=place, may_manage=True)
    await match.service.handle(update)
    await match.service.idle()
    assert await match.service.handle(update) is None


async def test_a_repeated_resignation_is_not_refused(match: Match) -> None:
    await match.begins()
    await match.says(NEAR, "[More]")
    await match.says(NEAR, "[Resign for the channel]")
    press = match.button(NEAR, "Yes, resign", "ada")
    update = replace(match.crowd.update("ada", ""), body=press, place=NEAR, may_manage=True)
    await match.service.handle(update)
    await match.service.idle()
    assert await match.service.handle(update) is None


async def test_a_code_that_the_store_has_lost_works_when_it_is_shown_again(match: Match, raw: Redis) -> None:
    code = await match.code()
    number = codes.read(code)
    assert number is not None
    raw.delete(keys.invitation(number))
    assert code in text(await match.says(NEAR, "[Show the code]"))
    assert "lobby" in text(await match.says(FAR, f"/join {code}"))


async def test_a_full_list_of_blocks_declines_no_one(match: Match) -> None:
    await match.meets()
    for number in range(MOST):
        await match.store.blocks.add(keys.place_blocks(NEAR.id), PersonId(f"room:{number}"), "x")
    assert str(MOST) in text(await match.says(NEAR, "[Never with them]"))
    assert linking.other_of((await match.at(NEAR)).table) is not None


async def test_a_game_does_not_begin_if_the_other_channel_no_longer_takes_part(match: Match) -> None:
    await match.meets()
    await match.store.set_place_setting(FAR.id, RIVALS.name, "off")
    fresh = Match(match.crowd.again(match.make()), match.store, match.clock, match.make)
    assert "isn't at the table any more" in text(await fresh.says(NEAR, "[Begin]"))
    assert (await match.at(NEAR)).table.phase == Phase.LOBBY


# Trouble


async def test_a_process_that_dies_between_the_two_saves_loses_nothing(match: Match) -> None:
    await match.begins()
    place = await match.up()
    other = FAR if place is NEAR else NEAR
    dying = Repository(match.store, match.clock, 90, Metrics())  # it saves, and tells no one
    now = await dying.on(place.id)
    assert now is not None
    assert now.state is not None
    step = voting.played(now.table, now.state, [str(now.state.actions()[0])], dying.now_ms())
    await dying.advance(now, step)
    assert await match.log(other) == []
    await match.passes(timedelta(seconds=30))
    assert await match.log(other) == await match.log(place)
    assert len(await match.log(other)) == 1


async def test_a_table_that_waits_loads_the_other_one_only_after_a_save(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    await match.begins()
    await match.passes(timedelta(seconds=30))
    waits = FAR if await match.up() is NEAR else NEAR
    here = (await match.at(waits)).table
    other, loaded, load = linking.other_of(here), list[TableId](), match.store.load

    async def counted(table: TableId) -> Snapshot | None:
        loaded.append(table)
        return await load(table)

    monkeypatch.setattr(match.store, "load", counted)
    await match.passes(timedelta(seconds=30))
    assert other not in loaded
    assert loaded.count(here.id) == 1


async def test_a_platform_that_never_comes_back_ends_the_game(
    store: Store, painter: Pictures, clock: HandClock, match: Match, raw: Redis
) -> None:
    """The bot was stopped as a whole before that: only the time since its start counts."""
    yard, code = RecordingChat(), await match.code()
    yard.name = "yard"
    there = build(store, painter, clock, draw=lambda n: "07" * n)
    there.add(yard)
    people, place = Crowd(there, yard, updates=1000), Place(PlaceId("yard:court"), name="Court")
    outages = match.service.repository.outages
    await clock.advance(timedelta(minutes=1))
    await outages.beat("room", reached=True)
    await there.repository.outages.beat("yard", reached=True)
    await people.sends("zoe", Typed(f"/join {code}"), place=place, may_manage=True)
    await people.sends("zoe", people.payload("zoe", "Yes, we play"), place=place, may_manage=True)
    await match.service.repost()
    await match.service.idle()
    await match.says(NEAR, "[Begin]")
    await there.stop()
    near = (await match.at(NEAR)).table
    other = linking.other_of(near)
    assert other is not None
    for room_days, yard_days, phase in ((8, 8, Phase.RUNNING), (0, 15, Phase.OVER)):
        for name, days in (("room", room_days), ("yard", yard_days)):
            assert raw.pexpire(keys.heartbeat(name), KEPT_MS - days * linking.DAY_MS)
        await clock.advance(timedelta(days=8))
        await outages.beat("room", reached=True)
        await match.passes(timedelta(minutes=10))
        assert (await match.service.repository.load(near.id)).table.phase == phase
    assert (await match.service.repository.load(other)).table.phase == Phase.OVER


async def test_an_answer_that_a_dying_process_did_not_bring_over_asks_when_it_is_due(match: Match) -> None:
    answer = await dying_answer(match)
    await match.service.repository.take_place(answer, None)
    await match.passes(timedelta(seconds=30))
    assert linking.other_of((await match.at(NEAR)).table) == answer.id


async def test_an_answer_without_its_place_takes_it_before_it_asks(match: Match) -> None:
    answer = await dying_answer(match)
    await match.passes(timedelta(seconds=30))
    assert await match.store.at(FAR.id) == answer.id
    assert linking.other_of((await match.at(NEAR)).table) == answer.id


async def test_an_answer_whose_place_is_taken_does_not_ask(match: Match) -> None:
    await dying_answer(match)
    await match.says(FAR, "/newgame kabooom", "dora", manages=False)
    await match.passes(timedelta(seconds=30))
    assert linking.other_of((await match.at(NEAR)).table) is None


async def test_a_place_without_posts_stops_only_its_own_clock_and_the_other_side_is_told(match: Match) -> None:
    await match.begins()
    place = await match.up()
    other = FAR if place is NEAR else NEAR
    there = (await match.at(place)).table
    await match.service.repository.lose_place(there.id, place.id, Obstacle.RIGHTS)
    await match.service.idle()
    away = "can't be reached" if other is NEAR else "nicht zu erreichen"
    assert away in match.posts(other)[-1].text
    assert ("voting now" if other is NEAR else "stimmt gerade ab") not in match.posts(other)[-1].text
    await match.passes(timedelta(hours=3))
    assert await match.log(place) == []
    await match.service.repository.regain_place(there.id, place.id)
    await match.service.idle()
    assert away not in match.posts(other)[-1].text
    assert ("is back" if other is NEAR else "wieder da") in match.posts(other)[-1].text


async def test_a_channel_that_is_up_hears_nothing_of_the_absence_of_the_other_one(match: Match) -> None:
    await match.begins()
    up = await match.up()
    waits = FAR if up is NEAR else NEAR
    there = (await match.at(waits)).table
    await match.service.repository.lose_place(there.id, waits.id, Obstacle.RIGHTS)
    await match.service.idle()
    assert (await match.at(up)).table.twin == Twin(there.id, joins=up is FAR, absent=Absent.AWAY)
    assert ("can't be reached" if up is NEAR else "nicht zu erreichen") not in match.posts(up)[-1].text


async def test_a_place_that_stays_away_for_a_week_ends_the_game_at_both(match: Match) -> None:
    await match.begins()
    place = await match.up()
    other = FAR if place is NEAR else NEAR
    tables = [now.table.id for now in await match.both()]
    held = (await match.at(place)).table
    await match.service.repository.lose_place(held.id, place.id, Obstacle.GONE)
    await match.passes(timedelta(days=7, minutes=1))
    await match.passes(timedelta(minutes=1))
    for table in tables:
        assert (await match.service.repository.load(table)).table.phase == Phase.OVER
    assert ("stopped playing" if other is NEAR else "spielt nicht mehr") in match.posts(other)[-1].text


async def test_managers_end_the_game_while_the_other_channel_is_up(match: Match) -> None:
    await match.begins()
    waits = FAR if await match.up() is NEAR else NEAR
    await match.says(waits, "/end")
    await match.says(waits, "[Yes, end it]" if waits is NEAR else "[Ja, beenden]")
    assert await match.store.at(NEAR.id) is None
    assert await match.store.at(FAR.id) is None
    name = "lobby" if waits is NEAR else "Garten"
    assert all(name in match.posts(place)[-1].text for place in (NEAR, FAR))


async def test_people_of_the_waiting_channel_cannot_vote(match: Match) -> None:
    await match.begins()
    waits = FAR if await match.up() is NEAR else NEAR
    assert await match.votes(waits, "anna") is not None
    assert not (await match.store.votes.of((await match.at(waits)).table.id))[1]


async def test_a_finished_game_has_no_rematch(match: Match) -> None:
    await match.begins()
    await match.says(NEAR, "/end")
    await match.says(NEAR, "[Yes, end it]")
    labels = [button.label for button in buttons(match.posts(NEAR)[-1])]
    assert "Play again" not in labels
    assert "new code" in text(await match.says(NEAR, "/rematch"))


# Nothing else crosses


async def test_nothing_about_the_people_of_one_place_is_told_at_the_other(match: Match) -> None:
    """Everything that leaves the bot for one place is searched for names and ids of the other: texts, buttons,
    descriptions, files, and private replies."""
    await match.begins()
    for turn in range(3):
        await match.plays(turn)
    await match.says(NEAR, "[More]")
    await match.says(NEAR, "[Resign for the channel]")
    tables = {place.id: now.table.id for place, now in zip((NEAR, FAR), await match.both(), strict=True)}
    await match.says(NEAR, "[Yes, resign]")
    await match.passes(timedelta(seconds=10))
    for place in (NEAR, FAR):
        for line in ("/verify", "/history", "/replay", "/stats", "/blocked"):
            await match.says(place, line)
    for place, other in ((NEAR, FAR), (FAR, NEAR)):
        heard = b"\n".join(match.heard(place))
        names = [f"anna-{other.id[-1]}", f"ben-{other.id[-1]}", "Emil" if other is FAR else "Ada"]
        secrets = [*names, *(name.capitalize() for name in names), other.id, tables[other.id]]
        assert [secret for secret in secrets if secret.encode() in heard] == []
        assert tables[place.id].encode() in heard  # the search finds what is there


async def dying_answer(match: Match) -> Table:
    """Return the table of an answer whose process has died before the table took its place."""
    await match.code()
    near = await match.at(NEAR)
    dying = Repository(match.store, match.clock, 90, Metrics())
    answer = linking.answering(replace(near.table, id=TableId("b" * 10), place=FAR.id), near.table, "Garten")
    return (await dying.create(replace(answer, revision=0, mark=""), UpdateId("room:answer"))).table


# Two processes


async def test_two_processes_with_a_platform_each_play_one_game(
    store: Store, painter: Pictures, clock: HandClock, match: Match
) -> None:
    """Each process has only one of the two platforms, saves also the table of the other one, and leaves its board to
    the process that can post it."""
    yard = RecordingChat()
    yard.name = "yard"
    there = build(store, painter, clock, draw=lambda n: "07" * n)
    there.add(yard)
    people = Crowd(there, yard, updates=1000)
    place = Place(PlaceId("yard:court"), name="Court")
    code = await match.code()
    await people.sends("zoe", Typed(f"/join {code}"), place=place, may_manage=True)
    await people.sends("zoe", people.payload("zoe", "Yes, we play"), place=place, may_manage=True)
    await there.idle()
    await match.service.repost()
    await match.service.idle()
    await match.says(NEAR, "[Begin]")
    for turn in range(4):
        await there.do_due()
        await there.repost()
        await there.idle()
        now = await there.repository.on(place.id)
        assert now is not None
        if linking.decides(now.table, now.state):
            bot, cast = there, CastVote(now.table.id, Stamp(*voting.moment(now)), (turn,))
            for who in ("yan", "yves"):
                await people.sends(who, Press(cast.payload), place=place)
        else:
            bot = match.service
            await match.votes(NEAR, "anna", turn)
            await match.votes(NEAR, "ben", turn)
        await clock.advance(HOUR)
        await bot.do_due()
        await bot.idle()
    for bot in (there, match.service):  # the one that cannot post a board leaves it to the other one for a while
        await clock.advance(timedelta(seconds=ELSEWHERE_S))
        await bot.repost()
        await bot.idle()
    near, far = await match.at(NEAR), await there.repository.on(place.id)
    assert far is not None
    assert near.table.turn == far.table.turn == 4
    assert near.state == far.state
    assert near.is_shown
    assert far.is_shown
    await there.stop()
