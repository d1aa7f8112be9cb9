"""Every byte that leaves the bot depends only on facts its reader may see: with other hidden facts, all messages and
logs are the same."""

import random
import re
from datetime import timedelta
from itertools import count, product
from typing import Any

import msgspec
import pytest
from redis import Redis

from bot.chat import Press, SlashCommand, Typed, Update, UpdateId
from bot.replies.tree import Tree
from bot.requests import payload
from bot.tables import logbook
from bot.tables import table as tables
from bot.tables.table import Table
from kaleidobot.testing import resampling
from renderers import game_of
from rules import GAMES, Action, BadNotation, IllegalAction, State
from rules.chance import Chance
from tests.bot.talk.recording import ROOM, Crowd, stamped
from tests.bot.talk.turns import typed
from tests.bot.talk.worlds import SEED, Act, Instead, Scribe, World, position

PEOPLE = ("anna", "ben", "clara", "david")
FEW_ACTIONS = 6  # of games that hide next to nothing
HANDS_ACTIONS = 12  # of games with hands
PROMISE = r"[0-9a-f]{64}|[0-9a-f]{12}…"  # whole, or as it is shown
MOST_ACTIONS = 85  # of a game that forgets: a round, and how the next one begins
DRAWS = 40

LOOKING = (*map(Typed, ("/board", "/view", "/history", "/games", "/rules", "/undo", "/verify")),)
CONCEIVABLE = [f"{column}{row}" for column in "abcde" for row in range(1, 6)]
CONCEIVABLE += [f">{field}" for field in CONCEIVABLE] + ["x", "deal", "pass", "zzz", "a1-b1", "r@a1"]
OF_CARDS = [f"claim{card}{task}{deck}" for card in "1234" for task in "ab" for deck in (">blue", ">orange", "")]
OF_CARDS += ["hold", "mirror:27:c3", "glass:34:d4", "buy:mirror", "limit", "limit>blue", "end", "34r"]


def resampled(state: State, seat: int | None, luck: random.Random) -> State:
    """Return a position that looks the same to *seat*."""
    result: State = resampling.module_of(game_of(state)).resample(state, seat, luck.getrandbits(64))
    return result


def otherwise(now: Instead, steps: list[str], action: Action, luck: random.Random) -> Instead:
    """Return a position that looks like *now* to the actor before *action* and to all people after it; at the end,
    any other. Within a turn it starts from the turn's beginning, if the same *steps* lead to the facts seen since."""
    state, after = now.state, now.state.play(action)
    seats = (None, state.actor)
    for _ in range(DRAWS):
        start = other = resampled(now.began or state, state.actor, luck)
        try:
            for text in steps:
                other = other.play(logbook.action_of(other, text))
            result = other.play(action)
        except ValueError:  # a card that was drawn is another one here
            continue
        before = all(other.view(seat) == state.view(seat) for seat in seats)
        if before and all(result.view(seat) == after.view(seat) for seat in seats) and other != state:
            return Instead(other, start if steps else None)
    return now


def wrong(state: State, conceivable: list[str]) -> list[str]:
    """Return texts that are refused at once."""
    results = []
    for text in conceivable:
        try:
            first, *_ = GAMES[game_of(state)].parse(state.view(state.actor), text)
            state.play(first)
        except (BadNotation, IllegalAction):
            results.append(text)
    return results


def looks(world: World, table: Table, state: State, action: Action, refused: list[str], step: int) -> Act:
    """Let all people look, and the actor try several requests before it plays *action*."""
    assert state.actor is not None
    names = names_at(table)
    actor, idle = names[state.actor], names[state.actor - 1]
    text, number = str(action), state.actions().index(action)

    async def act(crowd: Crowd) -> None:
        assert isinstance(crowd.chat, Scribe)
        for start in ("", f"{text} {text} ", *(f"{action} " for action in state.actions()[step % 6 :: 6])):
            body = SlashCommand("move", {"move": start})
            update = Update(UpdateId("room:completion"), crowd.person(actor), ROOM, body)
            crowd.chat.private.append((start, await crowd.service.complete(update, "move")))
        crowd.chat.private.append(("targets", await crowd.service.targets(crowd.update(actor, ""))))
        for name, x in product((actor, idle), range(0, 1000, 200)):
            await crowd.sends(name, Press(stamped("tap", table), f"{x} {90 * (step % 10)}"))
        await crowd.sends(actor, pressed(table, "menu"))
        await crowd.sends(actor, pressed(table, "play", 0, 0))  # of an older board
        for path in range(0, len(Tree(state.actions()).after(())), 7):
            await crowd.sends(actor, pressed(table, "menu", table.revision, 0, path))
        for notation in refused:
            await crowd.sends(actor, Typed(f"/move {notation}"))
        await crowd.sends(idle, Typed(f"/move {text}"))
        await crowd.sends("zoe", LOOKING[step % len(LOOKING)])
        if step % 5 == 0:
            await world.clock.advance(timedelta(hours=13))
            await crowd.service.do_due()  # a reminder
        by_tap = pressed(table, "play", table.revision, number)
        await crowd.sends(actor, by_tap if step % 2 else Typed(f"/move {text}"))

    return act


def watches(table: Table, state: State, seat: int | None) -> Act:
    """Let a player who is not the actor look at everything and make every request."""
    name = "zoe" if seat is None else names_at(table)[seat]

    async def act(crowd: Crowd) -> None:
        assert await crowd.service.targets(crowd.update(name, "")) == (), "only whoever is up can tap on the board"
        for body in LOOKING:
            await crowd.sends(name, body)
        for verb in ("view", "menu", "undo"):
            await crowd.sends(name, pressed(table, verb))
        await crowd.sends(name, pressed(table, "menu", table.revision, 0, 0))
        await crowd.sends(name, pressed(table, "play", table.revision, 0))
        for text in ("claim1a>blue", "b1", "hold", "zzz"):
            await crowd.sends(name, Typed(f"/move {text}"))

    return act


def says(table: Table, state: State, text: str) -> Act:
    """Type *text* as the actor."""
    assert state.actor is not None
    name = names_at(table)[state.actor]

    async def act(crowd: Crowd) -> None:
        await crowd.sends(name, Typed(text))

    return act


def of_kind(action: Action) -> str:
    return type(action).__name__


def names_at(table: Table) -> list[str]:
    return [seat.person.removeprefix("room:") for seat in table.seats]


def pressed(table: Table, verb: str, *numbers: int) -> Press:
    return Press(payload.write(verb, table.id, *numbers))


def hidden(state: State) -> object:
    """Return all hidden values but the seed, which alone would make two positions different."""
    return {**msgspec.json.decode(GAMES[game_of(state)].encode(state)), "seed": None}


def has_hands(state: State) -> bool:
    return any(tables.hides(state, seat) for seat in range(len(state.standing() or ())))


async def begin(world: World, game: str, words: str, seats: int, turns: int) -> None:
    """Begin a game with this number of people and play this number of turns."""

    async def opened(crowd: Crowd) -> None:
        await crowd.says("anna", f"/newgame {game} 1d {words}")
        for name in PEOPLE[1:seats]:
            await crowd.says(name, "/join")
        await crowd.says("anna", "/start")

    await world.hears(opened, 0)
    for turn in range(turns):
        table = (await world.newest()).table
        name, line = typed(table)

        async def goes_on(crowd: Crowd, name: str = name, line: str = line) -> None:
            await crowd.says(name, line)

        await world.hears(goes_on, 10_000 + turn)


GAMES_TO_KEEP = [(game, "rounds" if game == "colorio" else "", GAMES[game].seats[0], 0) for game in GAMES]
GAMES_TO_KEEP += [("kaleidoskop", "short", 3, 30)]  # tasks can be claimed, tools are bought


@pytest.mark.parametrize(("game", "words", "seats", "turns"), GAMES_TO_KEEP)
async def test_hidden_facts_change_nothing_said_shown_or_logged(
    world: World, game: str, words: str, seats: int, turns: int
) -> None:
    """To the one who is up, and to all others; also when the bot dies before it has said anything."""
    luck = random.Random(game)
    await begin(world, game, words, seats, turns)
    differed, remembering, done = 0, False, set[str]()
    conceivable = OF_CARDS if game == "kaleidoskop" else CONCEIVABLE
    for step in range(1, MOST_ACTIONS + 1):
        loaded = await world.newest()
        table = loaded.table
        state = position(table)
        now = Instead(state, logbook.turn_began(table))
        remembering |= state.forgets
        if not remembering and step > (HANDS_ACTIONS if has_hands(state) else FEW_ACTIONS):
            break
        actions = [action for action in state.actions() if (state.warns(action) or state.cautions(action)) is None]
        kinds = sorted({type(action).__name__ for action in actions})
        kind = luck.choice([kind for kind in kinds if kind not in done] or kinds) if has_hands(state) else ""
        some = [action for action in actions if kind in ("", type(action).__name__)]
        leading = [action for action in some if "Claim" in map(of_kind, state.play(action).actions())]
        action = luck.choice(leading if has_hands(state) and leading else some)
        done.add(type(action).__name__)
        refused = luck.sample(wrong(state, conceivable), 2)
        steps = [entry.action for entry in logbook.effective(loaded.recent) if entry.turn == table.turn]
        other = otherwise(now, steps, action, luck)
        act = says(table, state, "/undo")
        assert await world.hears(act, step, but=other) == await world.hears(act, step, but=now)
        act = says(table, state, f"/move {action}")
        posted, *_ = there = await world.hears(act, step, but=other, dies=True)
        assert there == await world.hears(act, step, but=now, dies=True)
        assert posted or not state.ends_turn(state.play(action)), "a turn that is over is told, by whichever bot"
        if not remembering:
            seat = luck.choice([None, *(seat for seat in range(seats) if seat != state.actor)])
            began = None if now.began is None else resampled(now.began, seat, luck)
            act = watches(table, state, seat)
            there = await world.hears(act, step, but=Instead(resampled(state, seat, luck), began))
            assert there == await world.hears(act, step, but=now)
        act = looks(world, table, state, action, refused, step)
        there = await world.hears(act, step, but=other)
        here = await world.hears(act, step)
        assert there == here
        differed += hidden(other.state) != hidden(state)
    assert differed > MOST_ACTIONS // 2 or not remembering, "the other positions were the same"
    if game == "kaleidoskop":
        assert differed > HANDS_ACTIONS // 2
        assert done >= ({"Crystal", "End", "Claim"} if turns else {"Crystal"})


async def test_missed_boards_reveal_only_public_facts(world: World, raw: Redis) -> None:
    """Two games with other seeds, in which the same came to light."""
    turns = ("/move a2 b2 b5 x", "/move e2 x a1 >a2 c1 x")
    open_ = ("a2", "b2", "b5", "e2", "a1", "c1")
    game = GAMES["colorio"]

    async def play(crowd: Crowd) -> None:
        await crowd.says("anna", "/newgame colorio")
        await crowd.says("ben", "/join")
        await crowd.says("anna", "/start")
        await crowd.says("anna", turns[0])
        await crowd.says("ben", turns[1])
        await crowd.says("anna", "[What did I miss?]")
        for page in (1, 2, 3):  # of Ben's turn
            await crowd.says("anna", f"[Page {page}/3…]")
        await crowd.says("ben", "[What did I miss?]")
        await crowd.says("anna", "/history")
        await crowd.says("anna", "/undo")

    def colours(seed: int) -> dict[str, object]:
        state: Any = game.start(2, None, seed)
        fields = [field for row in reversed(game.grids[0]) for field in row]
        return dict(zip(fields, state.colours, strict=True)) | {"side": state.side}

    one = colours(SEED)
    alike = (seed for seed in count(8) if all(colours(seed)[field] == one[field] for field in (*open_, "side")))
    other = next(seed for seed in alike if colours(seed) != one)
    here = await world.hears(play, 0)
    assert len(here[1]) == 12
    raw.flushall()
    world.messages = {}
    there = await world.hears(play, 0, seed=other)
    assert without_promise(there) == without_promise(here)


async def test_analysis_at_a_running_game_shows_nothing_of_hands_and_decks(world: World, raw: Redis) -> None:
    """Two games with other seeds, in which the same was done: films, positions, lists of moves, boards."""
    game = GAMES["kaleidoskop"]

    def begins(seed: int) -> tuple[tuple[str, ...], State]:
        """Return the first player and the public view of the first position."""
        return Chance(seed, label="seats").shuffled(("anna", "ben")), game.start(2, None, seed).view(None)

    async def play(crowd: Crowd) -> None:
        await crowd.says("anna", "/newgame kaleidoskop")
        await crowd.says("ben", "/join")
        await crowd.says("anna", "/start")
        for name, line in ((first, "22p end"), (second, "21r end"), (first, "15v end"), (second, "16y")):
            await crowd.says(name, f"/move {line}")
        assert isinstance(crowd.chat, Scribe)
        crowd.chat.private.pop()  # the menu of a turn that goes on shows its person's own hand
        table = (await world.newest()).table
        for number in (0, 2, 6):
            await crowd.sends("zoe", pressed(table, "replay", number))
        for line in ("/history", "/view", "/board", "/replay", "/undo", "/verify"):
            await crowd.says("zoe", line)
        await crowd.says(second, "/history")

    (first, second), _ = one = begins(SEED)
    other = next(seed for seed in count(8) if begins(seed) == one)
    assert game.start(2, None, other).view(0) != game.start(2, None, SEED).view(0)
    here = await world.hears(play, 0)
    raw.flushall()
    world.messages = {}
    there = await world.hears(play, 0, seed=other)
    assert repr(here[0]).count("FileKind.ANIMATION") == 1
    assert without_promise(there) == without_promise(here)


def without_promise(heard: object) -> str:
    """Return the text without the hash of the seed."""
    return re.sub(PROMISE, "", repr(heard))
