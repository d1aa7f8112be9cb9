"""/help and /settings: managers of a place find everything that they need there."""

import re

import pytest

import texts
from bot.adapters.on_discord.messages import CONTENT, content, fitted
from bot.adapters.on_telegram.phrasing import TEXT, html, units
from bot.chat import PlaceId, Typed
from bot.replies.pages import HELP, help_, rules, rules_pages, welcome
from bot.requests.commands import COMMANDS
from kaleidobot.testing.playing import some_states
from rules import GAMES, BadNotation, State
from tests.bot.talk.recording import Crowd

EXAMPLES = re.compile(r"(?:/move|\(type:?|\(getippt:) (.+?)(?: \(|\)| to |[,;.](?:\s|$)|$)", re.MULTILINE)
"""Yield the notation that the rules teach, up to a bracket, a comma, an end, or the English "to"."""
LISTED = re.compile(r"\((?:typed|getippt) [^:)]+: ([^)]+)\)")
PLACES = tuple(PlaceId(f"{name}:1") for name in ("discord", "telegram", "web"))


def test_every_command_is_described_once() -> None:
    values = [command for commands in HELP.values() for command in commands]
    assert sorted(values) == sorted(command.name for command in COMMANDS)


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
def test_the_managers_page_names_the_platforms_needs(place: PlaceId, lang: str) -> None:
    own = texts.say(place.partition(":")[0], "help.manage", lang)
    assert help_(len(HELP) - 1, place, lang).text.endswith(own)


@pytest.mark.parametrize("lang", texts.languages())
def test_alone_with_the_bot_neither_greeting_nor_help_speaks_of_others_who_join(lang: str) -> None:
    join = texts.say("table", "button.join", lang)
    assert join in welcome(lang, alone=False).text
    assert join not in welcome(lang, alone=True).text
    shared, own = (help_(0, PLACES[1], lang, alone=alone).text.split("\n")[0] for alone in (False, True))
    assert shared == texts.say("table", "help.begin", lang)
    assert own == texts.say("table", "help.begin.alone", lang)


async def test_help_alone_with_the_bot_explains_how_to_play_there(crowd: Crowd) -> None:
    alone = await crowd.says("anna, alone", "/help")
    assert alone is not None
    assert texts.say("table", "help.begin.alone", "en") in alone.text


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
                    if "/" in button.label  # "Page 1/7 ▶"
                ),
            ),
        )
        assert reply is not None
        first = reply
    assert first.title == title


async def test_every_setting_of_a_place_describes_its_subject(crowd: Crowd) -> None:
    first = await crowd.sends("anna", Typed("/settings"), may_manage=True)
    second = await crowd.sends("anna", crowd.payload("anna", "Page 1/3 ▶"), may_manage=True)
    assert first is not None
    assert second is not None
    rows = (*first.rows, *second.rows)
    assert [row.label for row in rows if not isinstance(row, tuple)] == [
        "Language here",
        "Time per turn",
        "Pictures",
        "Ping the player whose turn it is",
        "Who may open tables",
        "Puzzle of the day, posted here",
        "Votes on the board",
    ]


def taught(page: str) -> list[str]:
    """Return the moves that a page of rules teaches, as they are written there.

    >>> taught("type: /move b3 (to lift), then /move x or /move >d4. End it (type: end or x).")
    ['b3', 'x', '>d4', 'end', 'x']
    """
    matches = [word for run in EXAMPLES.findall(page) for word in re.split(" or | oder ", run)]
    matches += [word for run in LISTED.findall(page) for word in run.split(", ")]
    return [text.removeprefix("/move ") for text in matches]


def is_read(game: str, state: State, move: str) -> bool:
    """Return whether the game parses *move*, legal or not; the meaning of some words depends on the stage of the
    turn."""
    try:
        return bool(GAMES[game].parse(state, move))
    except BadNotation:
        return False


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_move_that_the_rules_of_a_game_teach_can_be_read(game: str, lang: str) -> None:
    for number in range(1, rules_pages(game) + 1):
        page = texts.say(game, f"rules.{number}.text", lang)
        moves = taught(page)
        assert len(moves) >= page.count("/move ")
        unread = [move for move in moves if not any(is_read(game, state, move) for state in some_states(game))]
        assert not unread, f"page {number}"


OURS = {
    "kabooom": ("6", "4"),
    "colorio": ("4",),
    "crystalla": ("90", "36", "4", "10", "5", "1", "3", "8"),
    "kaleidoskop": ("37", "72", "90", "12", "18", "40"),
    "kalejdoschach": ("8", "16", "16", "24", "24"),
}
"""Numbers of the additions of our own, and of the limits of a box that are left out."""


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
def test_the_last_page_of_the_rules_names_what_is_ours(game: str, lang: str) -> None:
    said = rules(game, rules_pages(game) - 1, None, lang)
    assert said.title.endswith({"en": "what is ours", "de": "was von uns stammt"}[lang])
    assert texts.say(game, "credits", lang) in said.text
    assert {"en": "may differ", "de": "anders sein"}[lang] in said.text
    assert said.text.count("\n• ") >= 5
    assert set(OURS[game]) <= set(re.findall(r"\d+", said.text))


@pytest.mark.parametrize("game", GAMES)
def test_the_languages_name_the_same_number_of_own_additions(game: str) -> None:
    pages = [rules(game, rules_pages(game) - 1, None, lang).text for lang in texts.languages()]
    assert len({page.count("\n• ") for page in pages}) == 1
