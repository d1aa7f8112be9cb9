"""Every game has a lesson, by data only: small positions with one task each, which lead to the next."""

import pytest

import texts
from kaleidobot.testing.playing import codes
from kaleidobot.testing.test_texts import PAGE, catalogue, difference, gaps
from rules import Game, IllegalAction
from rules.lessons import LessonStep, lesson


def refusal(step: LessonStep, number: int) -> str | None:
    """Return the code with which the rules refuse an offer, None for a legal one."""
    try:
        step.state.play(step.offers[number])
    except IllegalAction as no:
        return no.code
    return None


def test_a_lesson_takes_about_two_minutes(game: Game) -> None:
    """Write five to eight steps."""
    assert 5 <= len(lesson(game.id)) <= 8, f"{len(lesson(game.id))} steps"


def test_the_right_offers_are_legal_and_lead_to_the_next_step(game: Game) -> None:
    """Offers in ``wants`` are legal. A step without a position follows the first of them, with seat 0 to act."""
    steps = lesson(game.id)
    for number, step in enumerate(steps):
        assert step.right, f"step {number + 1} wants nothing"
        for right in step.right:
            assert refusal(step, right) is None, f"step {number + 1} wants {step.offers[right]}, which is illegal"
        if step.goes_on:
            assert step.after == steps[number + 1].state
            assert steps[number + 1].seat == step.seat
    assert not steps[-1].goes_on


def test_every_step_is_for_the_same_seat_and_can_be_stored(game: Game) -> None:
    """The reader is seat 0, and the game of each position goes on."""
    for step in lesson(game.id):
        assert step.seat == 0
        assert step.state.seats in game.seats
        assert game.decode(game.encode(step.state)) == step.state
        assert step.state.outcome is None


def test_every_step_offers_a_few_things_some_of_them_wrong(game: Game) -> None:
    """Two to eight different offers; at least one is not in ``wants``."""
    for step in lesson(game.id):
        assert 2 <= len(step.offers) <= 8, f"{len(step.offers)} offers"
        assert len(set(step.offers)) == len(step.offers)
        assert len(step.right) < len(step.offers)


def test_a_lesson_has_some_illegal_offers(game: Game) -> None:
    """Offer illegal actions with at least two different refusals: people learn from them."""
    refused = [refusal(step, number) for step in lesson(game.id) for number in range(len(step.offers))]
    reasons = {code for code in refused if code is not None}
    assert len(reasons) >= 2, f"the refusals are: {', '.join(reasons) or 'none'}"


def test_a_reason_that_comes_later_is_a_refusal_and_comes(game: Game) -> None:
    """Codes in ``later`` exist, and a later step does not list them."""
    steps = lesson(game.id)
    for step in steps:
        assert {*step.later} <= {*codes(game.id)["refused"]}
        assert not {*step.later} & {*steps[-1].later}


def test_the_right_offer_is_not_always_at_the_same_place(game: Game) -> None:
    """Vary the order of ``offers``."""
    assert len({step.right[0] for step in lesson(game.id)}) > 1, "the right offer has the same place in every step"


def test_a_lesson_shows_nothing_hidden(game: Game) -> None:
    """The picture shows a view, so all actions must follow from it."""
    for step in lesson(game.id):
        assert step.state.view(step.seat).actions() == step.state.actions()


@pytest.mark.parametrize("lang", texts.languages())
def test_every_step_has_texts_in_every_language(game: Game, lang: str) -> None:
    """For each step n, and for no other number: lesson.<n>.text, lesson.<n>.done and lesson.<n>.hint, without gaps."""
    said = {key for key in catalogue(game.id, lang) if key.startswith("lesson.")}
    numbers = range(1, len(lesson(game.id)) + 1)
    wanted = {f"lesson.{number}.{what}" for number in numbers for what in ("text", "done", "hint")}
    assert not (wrong := difference(said, wanted)), wrong
    for key in said:
        (text,) = catalogue(game.id, lang)[key]
        assert len(text) <= PAGE / 3, key
        assert not gaps(text), key
    for step in lesson(game.id):
        for number in range(len(step.offers)):
            code = refusal(step, number)
            assert code is None or f"refused.{code}" in catalogue(game.id, lang)
