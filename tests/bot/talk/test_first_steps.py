"""The first steps of a new person: accurate lobbies, clear menus, one language."""

import pytest
from msgspec.structs import replace

from bot.chat import Button, PersonId, Reply, Style, Typed
from bot.extras.hints import replies as hints
from bot.extras.hints.replies import Advice
from bot.replies import menus
from bot.replies.decision import AtTable
from bot.replies.tree import Tree
from bot.store.store import Store
from bot.tables.table import Seat, Table, TableId
from rules import GAMES
from rules.lessons import lesson
from tests.bot.talk.recording import Crowd, RecordingChat, buttons
from tests.bot.talk.test_lessons import OWN
from tests.bot.talk.test_service import begun, table_here
from texts import say

ANNA = PersonId("room:anna")
TABLE = Table(
    id=TableId("k3v7qpm2xa"),
    game="kalejdoschach",
    place=OWN.id,
    host=ANNA,
    lang="en",
    created_ms=0,
    seats=(Seat(ANNA, "Anna", "en"), Seat(PersonId("room:ben"), "Ben", "en")),
)


def labels(reply: Reply | None) -> list[str]:
    assert reply is not None
    return [button.label for button in buttons(reply)]


def shown(reply: Reply) -> list[Button]:
    return [button for row in reply.rows if isinstance(row, tuple) for button in row]


async def test_the_strength_of_the_house_is_asked_before_it_joins(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kabooom")
    asked = await crowd.says("anna", "/start")
    assert labels(asked)[-2:] == ["Play against the house", "Wait"]
    again = await crowd.says("anna", "[How well the house plays: Hard – as well as it can]")
    assert labels(again) == labels(asked), "the question stays"
    await crowd.says("anna", "[Play against the house]")
    table = await table_here(store)
    assert ([seat.house for seat in table.seats], table.level) == ([False, True], "hard")


async def test_a_lobby_without_a_clock_explains_silence_except_alone(crowd: Crowd, chat: RecordingChat) -> None:
    text = (
        "If somebody doesn't move for three days (quiet hours and days off don't count), the others can let the house"
    )
    await crowd.says("anna", "/newgame kabooom")
    assert text not in chat.newest().text
    await crowd.chooses("anna", "Time per turn: No clock")
    assert text in chat.newest().text
    await crowd.says("ben", "/newgame kabooom none", place=OWN)
    assert "No clock" in chat.newest().text
    assert text not in chat.newest().text


async def test_a_lobby_alone_with_the_bot_waits_for_no_other_person(
    crowd: Crowd, chat: RecordingChat, store: Store
) -> None:
    await crowd.says("anna", "/newgame kabooom", place=OWN)
    (lobby,) = chat.messages.values()
    assert "Here you play against the house" in lobby.text
    assert "free" not in lobby.text
    assert [button.label for button in buttons(lobby)][:2] == ["Start", "Options"]
    assert labels(await crowd.says("anna", "/start", place=OWN))[-2:] == ["Play against the house", "✕"]
    await crowd.says("anna", "[Play against the house]", place=OWN)
    assert [seat.house for seat in (await table_here(store, OWN)).seats] == [False, True]


@pytest.mark.parametrize("who", ["anna", "ben"])
async def test_a_new_language_applies_at_once_but_boards_keep_the_hosts(
    crowd: Crowd, chat: RecordingChat, who: str
) -> None:
    await begun(crowd)
    await crowd.says(who, "/settings")
    changed = await crowd.says(who, "[Language: Deutsch]")
    assert changed is not None
    assert changed.title == "Meine Einstellungen"
    await crowd.says("anna", "/move b1-c1")
    newest = chat.messages[max(chat.messages, key=int)]
    assert ("klettert" in newest.text) == (who == "anna")


async def test_a_channel_whose_language_is_changed_has_its_next_board_in_it(crowd: Crowd, chat: RecordingChat) -> None:
    await begun(crowd)
    await crowd.sends("clara", Typed("/settings"), may_manage=True)
    await crowd.sends("clara", crowd.payload("clara", "Language here: Deutsch"), may_manage=True)
    await crowd.says("anna", "/move b1-c1")
    assert "klettert" in chat.messages[max(chat.messages, key=int)].text


def test_captures_of_ones_own_pieces_come_last() -> None:
    view = GAMES["kalejdoschach"].start(2, {}, seed=7).view(0)
    tree, count = Tree.of(TABLE.game, view), 0
    for piece in tree.after(()):
        warned = [
            "⚠" in button.label.split()
            for button in shown(menus.menu(AtTable(TABLE, view.actor), view, tree, piece.path, 0, "en"))[:-2]
        ]
        assert warned == sorted(warned)
        count += any(warned)
    assert count > 5


def test_what_ends_a_turn_does_not_stand_out_where_more_can_be_done() -> None:
    step = lesson("kaleidoskop")[1]
    view = step.state.view(step.seat)
    game = replace(TABLE, game="kaleidoskop")
    menu = menus.menu(AtTable(game, view.actor), view, Tree.of(game.game, view), (), 0, "en")
    styles = {button.label: button.style for button in shown(menu)}
    assert styles["✅ End turn"] == styles["✨ Claim a task"] == Style.PLAIN


def test_a_hint_always_has_a_reason() -> None:
    view = GAMES["kalejdoschach"].start(2, {}, seed=7).view(0)
    quiet = next(action for action in view.actions() if not view.reasons(action))
    said = hints.hint(TABLE, Advice((view,), (quiet,)), 2, "en", secret=False).text
    assert "the best chances" in said


async def test_a_game_that_is_over_leads_to_another_one(crowd: Crowd) -> None:
    """By taps alone, long after the first greeting is gone; so does a table that closed before its game began."""
    await begun(crowd)
    await crowd.ends("ada")
    await crowd.says("anna", "[More]")
    games = await crowd.says("anna", "[Different game]")
    assert labels(games)[: len(GAMES)] == [say(game, "name", "en") for game in GAMES]
    await crowd.says("anna", "[Colorio]")
    await crowd.says("anna", "/end")
    assert labels(await crowd.says("ben", "[Different game]")) == labels(games)
