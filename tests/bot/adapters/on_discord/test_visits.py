"""Places in which the bot is not a member: a person has installed the app and uses it in a group or another server.

There are only interactions and their tokens: the emulator accepts at most five messages for each token, and no other
message.
"""

import asyncio
import gc
import random
from datetime import timedelta
from typing import Any

import pytest
from discord import utils
from msgspec.structs import replace

import texts
from bot.adapters.on_discord import visits
from bot.chat import MessageId, PersonId, Place, PlaceId, Press, Update, UpdateId
from bot.chat import Person as Somebody
from bot.delivery.painting import Pictures
from bot.requests import payload
from bot.service.service import Service
from bot.store.store import Store
from bot.tables.snapshot import Snapshot
from bot.tables.table import Ask, Phase, Step, Table
from rules import State
from tests.bot.adapters.on_discord.test_games import (
    after,
    boards,
    bot,
    discord,
    hall,
    plays,
    running,
    said,
    say,
    taps,
)
from tests.bot.conftest import HandClock
from tests.emulators.discord import Channel, Discord, Message, Person
from tests.emulators.discord.world import USE_EXTERNAL_APPS

__all__ = ["bot", "discord", "hall"]


@pytest.fixture
def friends(discord: Discord) -> Channel:
    return discord.group("friends")


@pytest.fixture
def people(discord: Discord, friends: Channel) -> tuple[Person, Person, Person]:
    """Return three people in a group; only Anna has installed the bot."""
    anna = discord.person("Anna", friends, user_installed=True)
    return anna, discord.person("Ben", friends), discord.person("Clara", friends)


def visited(channel: Channel) -> PlaceId:
    return PlaceId(f"{channel.place}/visit")


async def table_in(bot: Service, channel: Channel) -> Table:
    seen = await bot.repository.on(visited(channel))
    assert seen is not None
    return seen.table


async def whose(bot: Service, channel: Channel, people: tuple[Person, ...]) -> Person | None:
    """Return the actor, or None after the end."""
    seen = await bot.repository.on(visited(channel))
    if seen is None or seen.state is None or seen.state.actor is None:
        return None
    up = seen.table.seats[seen.state.actor].person
    return next(person for person in people if person.account == up)


def time_goes_by(discord: Discord) -> None:
    """Let time pass until no earlier interaction can be answered any more."""
    for interaction in discord.interactions.values():
        interaction.expires()


async def starts(friends: Channel, host: Person, *others: Person) -> Message:
    await host.types("/newgame", game="kabooom", options="easy")
    lobby = await friends.reads("who's playing?")
    for other in others:
        await other.presses("Join", on=lobby)
        await friends.reads(other.name)
    await host.presses("Start", on=lobby)
    return await friends.reads("Turn order")


async def test_a_group_of_three_plays_to_the_end_with_one_installed_app(
    bot: Service, discord: Discord, friends: Channel, people: tuple[Person, ...]
) -> None:
    board = await starts(friends, *people)
    (lobby,) = [message for message in friends.public if message is not board]
    assert say("lobby.visiting") in lobby.text
    luck, moves = random.Random(5), 0
    while (person := await whose(bot, friends, people)) is not None:
        time_goes_by(discord)
        await taps(person, board, luck)
        board = await after(friends, board)
        moves += 1
        await bot.idle()
    assert moves >= 10
    assert len(boards(friends)) == moves + 1, "one post for every turn, and one for the start"
    assert board.alt.startswith("The game is over")
    assert "Rematch" in board.buttons
    assert all(board.rows == [] for board in boards(friends)[:-1]), "what was pressed loses its buttons"
    assert sum(person.pings for person in people) == 0
    assert not [request for request in discord.requests if f"/channels/{friends.id}" in request], "nothing but answers"


@pytest.mark.parametrize("ahead", [timedelta(minutes=15), timedelta(hours=-2)])
async def test_a_wrong_clock_of_this_machine_keeps_no_post_back(
    bot: Service,
    friends: Channel,
    people: tuple[Person, ...],
    monkeypatch: pytest.MonkeyPatch,
    ahead: timedelta,
) -> None:
    real = utils.utcnow
    monkeypatch.setattr(utils, "utcnow", lambda: real() + ahead)
    board = await starts(friends, *people)
    assert board.alt


async def test_people_can_play_again_in_the_same_place(
    bot: Service, discord: Discord, friends: Channel, people: tuple[Person, ...]
) -> None:
    _, ben, clara = people
    board = await starts(friends, *people[:2])
    await (await ben.presses("More", on=board)).answered()
    await (await ben.presses("Resign")).answered()
    await ben.presses("Yes, I resign")
    board = await friends.reads("Anna wins")
    time_goes_by(discord)
    await ben.presses("Rematch", on=board)
    lobby = await friends.reads("who's playing?")
    await clara.presses("Join", on=lobby)
    await friends.reads("Clara")
    assert (await table_in(bot, friends)).host == ben.account


async def test_a_delayed_post_comes_with_the_next_interaction(
    bot: Service, discord: Discord, friends: Channel, people: tuple[Person, ...]
) -> None:
    board = await starts(friends, *people)
    await bot.idle()
    posts, table = len(friends.public), (await table_in(bot, friends)).id
    time_goes_by(discord)

    async def asks(seen: Snapshot) -> tuple[Step | None, None]:
        return Step(replace(seen.table, question=Ask("end", (seen.table.host,))), seen.state), None

    await bot.repository.change(await bot.repository.load(table), asks)
    await bot.idle()
    assert len(friends.public) == posts
    assert not (await table_in(bot, friends)).is_unreachable, "it waits for people, not for a right"
    assert await bot.repost() == 0, "nobody tries before"
    await people[2].presses("More", on=board)
    await friends.reads("end the game")


async def test_nothing_is_due_by_itself(
    bot: Service, friends: Channel, people: tuple[Person, ...], store: Store
) -> None:
    await starts(friends, *people)
    await bot.idle()
    table = await table_in(bot, friends)
    assert (table.phase, table.clock, table.pings) == (Phase.RUNNING, "none", False)
    in_a_year = table.created_ms + round(timedelta(days=365).total_seconds() * 1000)
    assert table.id not in [due_table for due_table, _ in await store.claim_due(in_a_year, 1, 100)]


def moves_that_go_together(state: State) -> tuple[str, str]:
    """Return a move of the actor, and one of the other player that is possible before and after it."""
    other: Any = state
    other = other.turn_of(1 - other.actor)
    return next(
        (str(move), str(then))
        for move in state.actions()
        for then in state.play(move).actions()
        if then in other.actions() and len(then.parts) == 2
    )


async def test_a_planned_turn_answers_the_interaction_before_it(
    discord: Discord,
    friends: Channel,
    people: tuple[Person, ...],
    store: Store,
    painter: Pictures,
    clock: HandClock,
) -> None:
    """A plan is shown and made here as elsewhere; without one, nothing is due."""
    async with running(discord, store, painter, clock) as bot:
        board = await starts(friends, *people[:2])
        first = await whose(bot, friends, people)
        seen = await bot.repository.on(visited(friends))
        assert first is not None
        assert seen is not None
        assert seen.state is not None
        move, planned = moves_that_go_together(seen.state)
        second = next(person for person in people[:2] if person is not first)
        second.user_installed = True
        own = await (await second.types("/view")).answered()
        assert "Plan" in own.buttons
        await (await second.types("/plan", turn=planned)).answered()
        assert "Your plan: " in (await (await second.types("/games")).answered()).text
        await first.types("/move", move=move)
        board = await after(friends, board)
        await bot.idle()
        for seconds in (19, 72):
            await clock.advance(timedelta(seconds=seconds))
            await bot.do_due()
            await bot.idle()
        board = await after(friends, board)
        assert f"{second.name} climbs" in board.text
        await clock.advance(timedelta(days=30))
        await bot.do_due()
        assert friends.newest() is board


async def test_a_game_of_remembering_is_refused_with_the_reason(
    bot: Service, discord: Discord, friends: Channel, people: tuple[Person, ...]
) -> None:
    anna = people[0]
    text = say("denied.visiting.forgets.but", game="Colorio", ways="/newgame colorio off")
    assert said(await anna.types("/newgame", game="colorio")) == text
    await anna.types("/newgame", game="colorio", options="off")
    lobby = await friends.reads("who's playing?")
    options = await (await anna.presses("Options", on=lobby)).answered()
    on = texts.say("colorio", "option.memory.on", "en")
    refused = await (await anna.chooses(on, on=options)).answered()
    assert refused.text == text
    assert (await table_in(bot, friends)).options == {"memory": "off"}


async def test_a_time_for_a_turn_is_refused_and_not_offered(
    bot: Service, discord: Discord, friends: Channel, people: tuple[Person, ...]
) -> None:
    anna = people[0]
    assert said(await anna.types("/newgame", game="kabooom", clock="1d")) == say("denied.visiting.clock")
    await anna.types("/newgame", game="kabooom")
    lobby = await friends.reads("who's playing?")
    options = await (await anna.presses("Options", on=lobby)).answered()
    offered = {part.get("placeholder") for part in options.parts}
    assert say("setting.clock") not in offered
    assert say("setting.place.pings") not in offered


async def test_in_a_server_it_takes_the_right_to_use_apps_from_elsewhere(bot: Service, discord: Discord) -> None:
    den = discord.channel("den", discord.server("Elsewhere", member=False))
    anna = discord.person("Anna", den, user_installed=True)
    why = texts.say("discord", "stranger", "en")
    assert why in said(await anna.types("/rules", game="kabooom"))
    assert said(await anna.types("/newgame", game="kabooom")) == why, "and no table that nobody else can see"
    assert den.public == []
    anna.permissions = USE_EXTERNAL_APPS
    await anna.types("/newgame", game="kabooom")
    lobby = await den.reads("who's playing?")
    ben = discord.person("Ben", den)
    await ben.presses("Join", on=lobby)
    await den.reads("Ben")


async def test_an_invitation_in_a_group_pings_no_person(
    bot: Service, friends: Channel, people: tuple[Person, ...]
) -> None:
    anna, ben, _ = people
    which = await (await anna.picks("Play with…", ben)).answered()
    await anna.presses("Kabooom!", on=which)
    lobby = await friends.reads(say("lobby.invited", names="Ben"))
    assert lobby.pinged == ()
    await ben.presses("Join", on=lobby)
    await friends.reads("Ben")


async def plays_on(bot: Service, discord: Discord, friends: Channel, people: tuple[Person, ...]) -> Message:
    """Type a turn after all tokens for the former board have expired, so that it keeps its buttons; return the new
    board."""
    former, person = friends.public[-1], await whose(bot, friends, people)
    assert person is not None
    time_goes_by(discord)
    await plays(person, random.Random(5))
    board = await after(friends, former)
    await bot.idle()
    assert former.buttons
    return board


async def test_old_boards_buttons_only_say_so_and_link_the_newest(
    bot: Service, discord: Discord, friends: Channel, people: tuple[Person, ...]
) -> None:
    old = await starts(friends, *people)
    board = await plays_on(bot, discord, friends, people)
    person = await whose(bot, friends, people)
    assert person is not None
    before, posts = await table_in(bot, friends), len(friends.public)
    for label in ("Move", "More"):
        reply = await (await person.presses(label, on=old)).answered()
        assert reply.text == say("denied.old_board")
        assert (reply.reader, reply.attachments) == (person, [])
        assert person.jumps(say("button.to_board"), reply) is board
    await bot.idle()
    assert (await table_in(bot, friends), len(friends.public)) == (before, posts)


async def test_a_board_that_is_shown_again_is_the_newest_one(
    bot: Service, discord: Discord, friends: Channel, people: tuple[Person, ...]
) -> None:
    anna, ben, _ = people
    old = await starts(friends, *people)
    await bot.idle()
    time_goes_by(discord)
    await anna.types("/board")
    board = await after(friends, old)
    await bot.idle()
    assert (await (await ben.presses("More", on=old)).answered()).text == say("denied.old_board")
    more = await (await ben.presses("More", on=board)).answered()
    assert "Rules" in more.buttons
    assert (await (await ben.presses("Rules", on=more)).answered()).text != say("denied.old_board")


async def test_a_board_that_is_not_noted_yet_is_no_old_one(
    bot: Service, friends: Channel, people: tuple[Person, ...]
) -> None:
    """A person is quick, or another process has just posted it."""
    board = await starts(friends, *people)
    await bot.idle()
    table = await table_in(bot, friends)
    presses = Update(
        UpdateId("discord:1"),
        Somebody(PersonId(people[0].account), "Anna"),
        Place(visited(friends)),
        Press(payload.write("more", table.id)),
        pressed_post=MessageId(str(board.id + 1)),
    )
    reply = await bot.handle(presses)
    assert reply is not None
    assert reply.text != say("denied.old_board")
    assert reply.rows


async def test_interactions_are_kept_only_while_they_can_be_answered(
    bot: Service, discord: Discord, friends: Channel, people: tuple[Person, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The token allows messages in the bot's name."""

    def kept() -> list[visits.Visit]:
        gc.collect()
        return [object_ for object_ in gc.get_objects() if isinstance(object_, visits.Visit)]

    made = 0

    def comes(self: visits.Visits, *what: Any) -> visits.Visit:
        nonlocal made
        made += 1
        return came(self, *what)

    came = visits.Visits.comes
    monkeypatch.setattr(visits.Visits, "comes", comes)
    monkeypatch.setattr(visits, "TOKEN_S", 3.0)
    await starts(friends, *people)
    await bot.idle()
    assert made
    async with asyncio.timeout(10):
        while kept():
            await asyncio.sleep(0.1)
