"""Marks on places of a board."""

from renderers.outlines import box, disc, inside, marks, numbered
from renderers.scene import Text


def test_a_number_is_within_its_place_and_the_last_one_counts() -> None:
    spots = {"a1": box((0, 0), (80, 80)), "b1": disc((200, 200), 12)}
    *_, first, _, _, second = numbered(spots, [("a1", 1), ("b1", 2), ("a1", 3), ("z9", 4)])
    assert isinstance(first, Text)
    assert isinstance(second, Text)
    assert {first.text, second.text} == {"3", "2"}
    for text in (first, second):
        assert inside(text.at, spots["a1" if text.text == "3" else "b1"])


def test_a_chosen_row_has_a_frame_until_its_fields_are_marked() -> None:
    spots = {"a": box((0, 0), (240, 80)), "1": box((0, 0), (80, 80)), "2": box((80, 0), (80, 80))}
    assert len(marks(spots, [], ["a"])) == 1
    assert marks(spots, ["1", "2"], ["a"]) == marks(spots, ["1", "2"], [])
    assert marks(spots, [], ["a", "2"]) == marks(spots, [], ["2"])
