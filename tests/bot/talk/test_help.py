"""/help and /settings: whoever looks after a place finds everything that is needed there."""

import pytest

import texts
from bot.adapters.on_discord.messages import CONTENT, content, fitted
from bot.adapters.on_telegram.phrasing import TEXT, html, units
from bot.chat import PlaceId, Typed
from bot.replies.pages import HELP, help_, rules_pages
from bot.requests.commands import COMMANDS
from rules import GAMES
from tests.bot.talk.recording import Crowd

PLACES = tuple(PlaceId(f"{name}:1") for name in ("discord", "telegram", "web"))


def test_every_command_is_told_of_once() -> None:
    told = [command for commands in HELP.values() for command in commands]
    assert sorted(told) == sorted(command.name for command in COMMANDS)


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("page", range(len(HELP)))
def test_every_page_is_shown_whole_on_every_platform(page: int, place: PlaceId, lang: str) -> None:
    reply = help_(page, place, lang)
    assert not content(reply).endswith("…")
    assert len(content(reply)) <= CONTENT
    assert units(html(reply, TEXT)) <= TEXT
    assert list(fitted(reply.rows)) == list(reply.rows)


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("place", PLACES)
def test_the_page_for_managers_says_what_the_platform_needs(place: PlaceId, lang: str) -> None:
    own = texts.say(place.partition(":")[0], "help.manage", lang)
    assert help_(len(HELP) - 1, place, lang).text.endswith(own)


async def test_the_pages_are_turned_with_buttons(crowd: Crowd) -> None:
    first = await crowd.says("anna", "/help")
    assert first is not None
    title = first.title
    for _ in HELP:
        reply = await crowd.sends(
            "anna",
            crowd.payload(
                "anna",
                next(
                    button.label
                    for row in first.rows
                    if isinstance(row, tuple)
                    for button in row
                    if "▶" in button.label
                ),
            ),
        )
        assert reply is not None
        first = reply
    assert first.title == title


async def test_every_setting_of_a_place_says_what_it_is_about(crowd: Crowd) -> None:
    reply = await crowd.sends("anna", Typed("/settings"), may_manage=True)
    assert reply is not None
    assert [row.label for row in reply.rows if not isinstance(row, tuple)] == [
        "Language here",
        "Time per turn",
        "Pictures",
        "Ping the player whose turn it is",
    ]


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_every_game_teach_the_command_for_typing_a_move(game: str, lang: str) -> None:
    pages = [texts.say(game, f"rules.{page + 1}.text", lang) for page in range(rules_pages(game))]
    assert any("/move " in page for page in pages)
