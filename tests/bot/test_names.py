"""Names of people, made safe to show beside other text."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.runtime.names import LONGEST, alike, isolated, shown

NOTHING = (
    "\u200b\u200e\u200f\u2060\ufeff\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u2800\u3164\uffa0\U000e0001\U000e0100"
)
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
HEAP = "\u0300\u0316\u0336\u20dd\u0489\u0e38\u05b8"

anything = st.text(st.one_of(st.characters(), st.sampled_from(NOTHING + TURNING + HEAP + "\u200d\u200c\ufe0fAaא👩1 ")))


@given(anything)
@example("a" + "\u200b\u0301" * 20)
@example("ก" + "\u0e38\u200d" * 20)
@example("x" * 39 + "👩\u200d👧")
def test_a_name_is_a_line_that_only_shows_something(name: str) -> None:
    line = shown(name)
    assert len(line) <= LONGEST
    assert line == " ".join(line.split())
    for letter in line:
        assert unicodedata.category(letter)[0] != "C" or letter in "\u200c\u200d"
        assert letter not in NOTHING + TURNING
    marks = "".join("m" if unicodedata.category(letter)[0] == "M" else "-" for letter in line)
    assert "mmmmm" not in marks
    assert not marks.startswith("m")
    assert line == "" or any(unicodedata.category(letter)[0] in "LNPS" for letter in line)


@given(anything)
def test_allowed_characters_stay_unchanged(name: str) -> None:
    assert shown(shown(name)) == shown(name)


@given(st.text(st.characters(categories=("Lu", "Ll", "Nd")), min_size=1, max_size=20), st.data())
def test_what_shows_nothing_makes_no_other_name(name: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(name)))
    hidden = data.draw(st.text(st.sampled_from(NOTHING + TURNING + "\u200d\u200c"), min_size=1, max_size=5))
    assert alike(name[:at] + hidden + name[at:]) == alike(name)
    assert alike(unicodedata.normalize("NFD", name)) == alike(name)


@pytest.mark.parametrize(
    "name",
    [
        "Anna-Lena O’Neil",
        "Zoë",
        "Nguyễn Thị Ánh",
        "Ζωή",
        "Иван",
        "山田太郎",
        "नरेन्द्र",
        "علی\u200cرضا",
        "עֲנָת בֶּן־עַמִּי",
        "ภูมิพล",
        "김철수",
        "👩\u200d👩\u200d👧",
        "🧑\u200d🚀",
        "❤\ufe0f Eva",
        "1\ufe0f\u20e3",
        "👍🏽",
        "<b>&amp;",
        "@everyone",
        "'; DROP TABLE",
    ],
)
def test_real_names_stay_unchanged(name: str) -> None:
    assert shown(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "other", ["Anna ", "ANNA", "A\u200bnna", "\u0410\u043d\u043da".replace("\u043d", "n"), "Anna\u202e", "Ａｎｎａ"]
)
def test_names_that_look_alike_are_alike(other: str) -> None:
    assert alike(other) == alike("Anna")


@pytest.mark.parametrize("other", ["Anne", "Änna", "Hanna", "Anna B.", "אנה", ""])
def test_names_that_look_otherwise_are_not(other: str) -> None:
    assert alike(other) != alike("Anna")


@given(anything)
def test_a_name_in_hebrew_or_arabic_is_isolated_and_others_are_not(name: str) -> None:
    line = shown(name)
    turns = any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in line)
    assert isolated(line) == (f"\u2068{line}\u2069" if turns else line)
