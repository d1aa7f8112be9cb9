"""Whole conversations, as chats to read: people's lines, and everything that the bot says.

``--regold`` writes the bot's lines anew; the diff is then read like a chat.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from bot.chat import PlaceAdded
from bot.service.service import Service
from bot.store.store import Store
from rules import PACKAGES
from tests.bot.conftest import HandClock
from tests.bot.talk import elsewhere
from tests.bot.talk.garden import Garden
from tests.bot.talk.recording import ELSEWHERE, ROOM, Crowd, RecordingChat, drawn
from tests.bot.talk.turns import next_turn

FOLDER = Path(__file__).parent / "conversations"
INSTALLED = [FOLDER / f"installed/{game}.txt" for game in PACKAGES]
"""Conversations about installed games, one for each: all features."""
CONVERSATIONS = sorted((*FOLDER.glob("*.txt"), *FOLDER.glob("managed/*.txt"), *INSTALLED))


@pytest.mark.parametrize("script", CONVERSATIONS, ids=lambda path: path.stem)
async def test_the_conversation_goes_as_written(
    script: Path,
    bots: Callable[[], Service],
    chat: RecordingChat,
    clock: HandClock,
    golden: Callable[[Path, str], None],
    caplog: pytest.LogCaptureFixture,
    store: Store,
) -> None:
    crowd, others = Crowd(bots(), chat), iter(ELSEWHERE)
    garden, chat.offstage = Garden(store, ROOM.id, ELSEWHERE[0].id), {place.id for place in ELSEWHERE}
    for line in (await asyncio.to_thread(script.read_text, encoding="utf-8")).splitlines():
        if line.startswith("#") or not line.strip():
            chat.lines.append(line)
        elif line == "--- restart":
            chat.lines.append(line)
            await crowd.service.stop()
            crowd = crowd.again(bots())
            await crowd.service.repost(everything=True)
            await crowd.service.idle()
        elif line == "--- the bot is added":
            chat.lines.append(line)
            await crowd.service.place_changed(PlaceAdded(ROOM))
            await crowd.service.idle()
        elif passes := re.fullmatch(r"--- (\d+) (seconds|hours)", line):
            chat.lines.append(line)
            await clock.advance(timedelta(**{passes[2]: int(passes[1])}))
            await crowd.service.do_due()
            await crowd.service.idle()
        elif turns := re.fullmatch(r"--- (\d+) turns(?:: (.+))?", line):
            chat.lines.append(line)
            await play_on(crowd, store, int(turns[1]), turns[2].split(", ") if turns[2] else ())
        elif sitting := re.fullmatch(r"--- (\w+) and (\w+) (play|wait) elsewhere", line):
            said, people = len(chat.lines), [crowd.person(group) for group in sitting.groups()[:2]]
            await elsewhere.begins(crowd.service, next(others), people, starts=sitting[3] == "play")
            chat.lines[said:] = [line]
        elif acts := re.fullmatch(r"--- the garden (\w+)(?:: (.+))?", line):
            chat.lines.append(line)
            await garden.acts(crowd.service, acts[1], acts[2] or "")
        elif not line.startswith((" ", "bot")):
            name, _, text = line.partition(": ")
            await crowd.says(name, text)
    golden(script, "\n".join(chat.lines) + "\n")
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


MOST_LINES = 6


@pytest.mark.parametrize("script", CONVERSATIONS, ids=lambda path: path.stem)
def test_a_post_has_at_most_six_lines_beside_its_picture(script: Path) -> None:
    for post in re.findall(r"^bot(?:, edit)?: (.+\n(?:    .+\n)*)", script.read_text(encoding="utf-8"), re.MULTILINE):
        above, picture, below = post.partition("    (picture: ")
        calls = re.findall(r"^    @", below, re.MULTILINE)
        assert not picture or len(above.splitlines()) + len(calls) <= MOST_LINES, post


async def play_on(crowd: Crowd, store: Store, turns: int, moves: Sequence[str]) -> None:
    """Play so many turns, each typed by the actor; only the board at the end is recorded, with a badge below it."""
    said = len(crowd.chat.lines)
    for number in range(turns):
        await crowd.says(*await next_turn(store, ROOM.id, number, moves))
    posts = [*crowd.chat.messages.values()]
    board = max(number for number, post in enumerate(posts) if post.rows)
    crowd.chat.lines[said:] = [f"bot: {drawn(post)}" for post in posts[board:]]
