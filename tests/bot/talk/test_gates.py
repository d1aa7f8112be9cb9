"""The gates that every update passes, in one order: with several faults, the person reads the first."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from msgspec.structs import replace

import renderers
from bot.chat import MessageId, PlainMessage, Press, Reply, Target, Update
from bot.replies.words import look, say
from bot.requests import payload
from bot.runtime.rate_limit import AT_ONCE
from bot.store.store import Store
from bot.tables.table import Table, TableId
from renderers import Theme
from renderers.outlines import centre
from tests.bot.conftest import HandClock
from tests.bot.talk.recording import ELSEWHERE, ROOM, Crowd, RecordingChat, stamped
from tests.bot.talk.test_service import begun, table_here, text

FIRST = {
    "rate limit": ("trouble.fast", "en"),  # before anything is loaded, so in the language of the app
    "reading": ("stale", "de"),  # in the language that she has chosen
    "table": ("denied.no_table", "de"),
    "place": ("denied.elsewhere", "de"),
    "newest board": ("denied.old_board", "de"),
    "moment": ("moved_on", "de"),
    "rules": ("denied.not_playing", "de"),
}
"""The gates that can refuse a press, in their order, with the text and its language."""


async def exhausted(crowd: Crowd, name: str) -> None:
    """Use up the rate limit of *name*."""
    for _ in range(AT_ONCE):
        await crowd.sends(name, Press(payload.write("none")))


def wrong_press(crowd: Crowd, wrong: Sequence[str], now: Table, before: Table) -> Update:
    """Return a press of Clara, who has no seat, that violates all of those gates. *before*: the table one move ago."""
    table = before if "moment" in wrong else now
    table = replace(table, id=TableId("nothere222")) if "table" in wrong else table
    carried = "nonsense" if "reading" in wrong else stamped("play", table, 0)
    return replace(
        crowd.pressing("clara", Press(carried)),
        place=ELSEWHERE[0] if "place" in wrong else ROOM,
        pressed_post=MessageId("0") if "newest board" in wrong else None,
    )


@pytest.mark.parametrize("first", FIRST)
async def test_a_press_with_several_faults_is_refused_for_the_first(
    crowd: Crowd, chat: RecordingChat, store: Store, first: str
) -> None:
    await begun(crowd)
    before = await table_here(store)
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("clara", "/settings")
    await crowd.says("clara", "[Language: Deutsch]")
    now, posts = await table_here(store), dict(chat.messages)
    wrong = list(FIRST)[list(FIRST).index(first) :]
    if "rate limit" in wrong:
        await exhausted(crowd, "clara")
    reply = await crowd.service.handle(wrong_press(crowd, wrong, now, before))
    key, lang = FIRST[first]
    assert text(reply).startswith(say(key, lang).partition("{")[0])
    assert (await table_here(store), chat.messages) == (now, posts)


async def test_requests_refused_for_other_reasons_use_up_the_allowance(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    before = await table_here(store)
    await crowd.says("anna", "/move b1-c1")
    now, wrong = await table_here(store), list(FIRST)[1:]
    answers = list[Reply | None]()
    for number in range(AT_ONCE + 1):
        press = wrong_press(crowd, wrong[number % len(wrong) :], now, before)
        answers.append(await crowd.service.handle(press))
    assert [text(answer) == say("trouble.fast", "en") for answer in answers] == [False] * AT_ONCE + [True]


async def test_a_table_that_rests_is_opened_before_anything_is_said_of_an_older_board(
    crowd: Crowd, store: Store, clock: HandClock
) -> None:
    for name, line in (("anna", "/newgame kabooom house easy"), ("anna", "/start"), ("anna", "/move b1-c1")):
        await crowd.says(name, line)
    table = await table_here(store)
    await clock.advance(timedelta(hours=25))
    await crowd.says("ben", "/newgame kabooom")
    press = crowd.pressing("anna", Press(stamped("play", table, 0)))
    assert text(await crowd.service.handle(replace(press, pressed_post=MessageId("0")))) == say("denied.resting", "en")


async def said(crowd: Crowd, name: str, words: str) -> Reply | None:
    """Return the reply to *name*, who talks to the others."""
    return await crowd.service.handle(replace(crowd.update(name, ""), body=PlainMessage(words)))


@pytest.mark.parametrize(
    ("words", "few", "answer"),
    [
        ("good move!", False, None),  # to the others, and for nothing
        ("good move!", True, None),
        ("b1-c1", False, None),  # by a spectator
        ("b1-c1", True, "trouble.fast"),  # to know whether it is one a table would have to be loaded
    ],
)
async def test_small_talk_is_ignored_and_possible_moves_need_allowance(
    crowd: Crowd, words: str, few: bool, answer: str | None
) -> None:
    await begun(crowd)
    if few:
        await exhausted(crowd, "clara")
    reply = await said(crowd, "clara", words)
    assert text(reply) == ("" if answer is None else say(answer, "en"))


async def test_small_talk_is_looked_at_before_the_rate_limit_and_takes_nothing_of_it(crowd: Crowd) -> None:
    await begun(crowd)
    for words in ("good move!", "b1-c1"):
        for _ in range(2 * AT_ONCE):
            assert await said(crowd, "clara", words) is None
    reply = await crowd.says("clara", "/view")
    assert reply is not None
    assert reply.picture is not None


async def why(crowd: Crowd, name: str, part: str, targets: Sequence[Target]) -> str:
    """Return the answer to a tap of *name* at *part* of a picture with these *targets*."""
    snapshot = await crowd.service.repository.on(ROOM.id)
    assert snapshot is not None
    assert snapshot.state is not None
    spots = renderers.spots(snapshot.state.view(0), look(snapshot.table, None, Theme.DARK, "en"))
    (elsewhere,) = [target.payload for target in targets if not target.outline]
    x, y = centre(spots[part])
    return text(await crowd.sends(name, Press(elsewhere, f"{x} {y}")))


async def test_a_tap_that_chooses_nothing_is_refused_for_the_reason_of_that_move(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    board = await crowd.service.targets(crowd.update("anna", ""))
    menu = await crowd.sends("anna", Press(stamped("menu", await table_here(store), 0, 0)))
    assert menu is not None
    for tapped in ("f4", "d1", "b1"):
        typed = text(await crowd.says("anna", f"/move b1-{tapped}")).partition("\n")[0]
        assert await why(crowd, "anna", tapped, menu.targets) == typed != ""
    typed = text(await crowd.says("anna", "/move f1-f2")).partition("\n")[0]
    assert await why(crowd, "anna", "f1", board) == typed != ""
    assert await why(crowd, "anna", "b1", board) == "", "it can be chosen"
    assert await why(crowd, "ben", "f1", board) == say("denied.not_your_turn", "en", who="Anna")
    await crowd.says("anna", "/move b1-c1")
    await crowd.says("ben", "/move f1-e1")
    assert (await why(crowd, "anna", "f4", menu.targets)).startswith(say("moved_on", "en"))
