"""Options of a new game as typed words: read and completed."""

import pytest

import texts
from bot.house.levels import Level
from bot.replies.completion import MOST
from bot.replies.wishes import Wishes, completions, fits_button, numbered, numbers, read
from bot.requests import payload
from bot.tables.preferences import CLOCK
from bot.tables.seating import is_open
from bot.tables.table import Denied
from rules import GAMES
from rules.notation import plain


def values(game: str, typed: str, lang: str = "en") -> list[str]:
    return [suggestion.value for suggestion in completions(game, typed, lang)]


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_suggestion_is_read_as_its_own_label(game: str, lang: str) -> None:
    suggestions = completions(game, "", lang)
    options = [(option.name, choice) for option in GAMES[game].options for choice in option.choices]
    channel = [Wishes(channel=True), Wishes(rival=True)] * is_open(game, {})
    assert len(suggestions) == len(options) + len(Level) + len(channel) <= MOST
    for (name, choice), button in zip(options, suggestions, strict=False):
        assert read(game, plain(button.value).split()) == Wishes({name: choice})
        assert button.label == (
            f"{texts.say(game, f'option.{name}', lang)}: {texts.say(game, f'option.{name}.{choice}', lang)}"
        )
        assert len(button.label) <= 100
        assert button.value in values(game, button.value, lang), "what is complete stays"
    assert [read(game, suggestion.value.split()) for suggestion in suggestions[len(options) :]] == [
        *(Wishes(level=level) for level in Level),
        *channel,
    ]


@pytest.mark.parametrize(
    ("game", "typed", "lang", "result"),
    [
        ("kabooom", "ha", "en", ["hard", "house hard"]),
        ("kabooom", "schwer", "de", ["hard", "house hard"]),
        ("kabooom", "Variante ", "de", ["easy", "medium", "hard"]),
        ("kabooom", "schwer", "en", ["hard", "house hard"]),  # in another language if the reader's own has no such word
        ("kabooom", "zzz", "en", []),
        ("kabooom", "zzz hard", "en", []),
        ("kalejdoschach", "draw:o", "en", ["draw:on", "draw:off"]),  # "off" alone would be the dice
        ("kalejdoschach", "Würfel b", "de", ["on"]),
        ("crystalla", "h", "en", ["house easy", "house medium", "house hard"]),
        ("crystalla", "bot s", "de", ["house hard"]),
    ],
)
def test_words_of_the_reader_are_completed(game: str, typed: str, lang: str, result: list[str]) -> None:
    assert values(game, typed, lang) == result


def test_the_house_may_be_called_bot() -> None:
    for typed in ("house hard", "bot hard", "bot schwer", "haus schwer"):
        assert read("kabooom", typed.split()) == Wishes(level=Level.HARD), typed


def test_after_complete_wishes_the_others_are_suggested() -> None:
    assert values("kabooom", "hard tow") == ["hard tower"]
    assert values("kabooom", "schwer 1d dynamitt", "de") == ["hard 1d tower"]
    assert values("kabooom", "hard ") == [
        f"hard {text}" for text in ("stone", "tower", "house easy", "house medium", "house hard", "channel", "channels")
    ]
    assert values("kabooom", "house hard") == ["house hard"]
    assert values("kabooom", "house ea") == ["house easy"], "not the game's own level"
    (result,) = completions("kabooom", "house hard easy tower", "en")
    assert read("kabooom", result.value.split()) == Wishes({"level": "easy", "dynamite": "tower"}, level=Level.HARD)


@pytest.mark.parametrize("game", GAMES)
def test_every_time_can_be_typed_in_every_game(game: str) -> None:
    for clock in CLOCK.choices:
        for typed in (clock, f"clock:{clock}"):
            assert read(game, [typed]) == Wishes(clock=clock), typed


@pytest.mark.parametrize("lang", texts.languages())
def test_an_ambiguous_word_is_the_clock_and_repeated_the_option(lang: str) -> None:
    assert read("kalejdoschach", ["none"]) == Wishes(clock="none")
    assert read("kalejdoschach", ["none", "none"]).clock == "none"
    assert read("kalejdoschach", ["none", "none"]).options, "the second one is no time"
    assert read("kalejdoschach", ["8h", "handicap:none"]) == Wishes({"handicap": "none"}, "8h")
    for typed in ("none", "handicap:none none", "none handicap:none"):
        offered = completions("kalejdoschach", f"{typed} draw:", lang)
        assert {read("kalejdoschach", suggestion.value.split()).clock for suggestion in offered} == {"none"}, typed


POSITION = "w1j.p1d/w5j.p5d"


@pytest.mark.parametrize(
    ("typed", "clock", "level"),
    [
        ("position w1j p1d / w5j p5d", "", None),
        ("position:w1j.p1d/w5j.p5d", "", None),
        ("startstellung: w1j,p1d / w5j,p5d", "", None),
        ("start w1j p1d / w5j p5d 8h", "8h", None),
        ("8h position w1j p1d / w5j p5d house hard", "8h", Level.HARD),
    ],
)
def test_a_text_follows_the_name_of_its_option(typed: str, clock: str, level: Level | None) -> None:
    assert read("kalejdoschach", typed.split()) == Wishes({"position": POSITION}, clock, level)


def test_a_text_ends_before_the_next_wish() -> None:
    typed = ["dice:on", "position", "w1j", "p1d", "/", "w5j", "p5d", "draw:off"]
    assert read("kalejdoschach", typed).options == {"position": POSITION, "dice": "on", "draw": "off"}
    assert read("kalejdoschach", ["position", "usual"]).options == {"position": "usual"}


def test_a_text_that_is_no_value_is_refused_with_the_reason_and_an_example() -> None:
    for typed in ("position", "position w1j / w9z", "position w1j / w5j nonsense"):
        with pytest.raises(Denied, match="unfit") as refused:
            read("kalejdoschach", typed.split())
        example = str(refused.value.facts["example"])
        command, game, *words = example.removeprefix("/").split()
        assert (command, [*read(game, words).options]) == ("newgame", ["position"])


def test_a_button_has_no_room_for_a_text() -> None:
    assert fits_button("kalejdoschach", Wishes({"position": "usual"}))
    assert not fits_button("kalejdoschach", Wishes({"position": POSITION}))


def test_wishes_with_a_text_are_completed() -> None:
    found = completions("kalejdoschach", "position w1j p1d / w5j p5d die", "en")
    assert [each.value for each in found][-1:] == [f"position:{POSITION} on"]
    for suggestion in found:
        assert read("kalejdoschach", suggestion.value.split()).options["position"] == POSITION


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(Denied, match="no_such_option"):
        read("kabooom", ["hardest"])


@pytest.mark.parametrize("game", GAMES)
def test_wishes_survive_the_way_through_a_button(game: str) -> None:
    last = {option.name: option.choices[-1] for option in GAMES[game].options}
    for wishes in (Wishes(), Wishes(last), Wishes(last, "7d", Level.HARD), Wishes({}, "1h")):
        made = numbers(game, wishes)
        pressed = payload.read(payload.write("thread", game, *made))
        assert pressed is not None
        assert numbered(game, pressed.numbers) == wishes
    for strange in ((), made[1:], (99, *made[1:])):
        with pytest.raises(Denied, match="stale"):
            numbered(game, strange)
