"""The board is the keyboard: the actor taps on the picture, in a real browser, on a phone."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import Locator, expect
from redis import Redis

import renderers
import texts
from renderers import Look, SeatLook
from renderers.outlines import centre
from rules import GAMES, PACKAGES
from tests.bot.adapters.browser import PHONE, Chromium, Window, table_of
from tests.bot.adapters.whole_games import QUICK
from tests.bot.conftest import HandClock

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOVE = texts.say("table", "button.move", "en")
OWN = "⚠"
"""Marks captures of one's own pieces, which need a confirmation."""
ENLARGE = texts.say("web", "enlarge", "en")
KEYS = {"Home": "a1", "ArrowRight": "b1", "ArrowUp": "b2", "End": "e5", "ArrowLeft": "d5", "ArrowDown": "d4"}
"""A sequence of presses and its result."""
LARGE = {**PHONE, "viewport": {"width": 390, "height": 844}}
TABLET = {**PHONE, "viewport": {"width": 820, "height": 1180}}
"""A screen with room for a finger on each part of a board with many small ones."""
LABELS = "(all) => all.map((each) => each.getAttribute('aria-label'))"
MIDDLE = """(part) => {
  part.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = part.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def parts(message: Locator) -> Locator:
    """Return the parts of a picture that can be chosen."""
    return message.locator(".part:not(.beside)")


def part(message: Locator, label: str) -> Locator:
    """Return the place with that label, or whose label begins so."""
    return message.get_by_role("button", name=label).and_(parts(message)).first


async def labels(message: Locator) -> list[str]:
    """Return the labels of the parts of a picture, once it has some."""
    await expect(parts(message)).not_to_have_count(0)
    return [str(label) for label in await parts(message).evaluate_all(LABELS)]


async def middle(of: Locator) -> tuple[float, float]:
    await expect(of).to_be_attached()
    x, y = await of.evaluate(MIDDLE)
    return float(x), float(y)


async def tap(window: Window, on: Locator) -> None:
    """Tap with a finger on the middle of a part."""
    x, y = await middle(on)
    await window.page.touchscreen.tap(x, y)


async def moves(window: Window, label: str) -> str:
    """Tap the piece and the last of its targets on the board. Return that target's label."""
    await window.lies_still()
    await tap(window, part(window.board, label))
    goals = await labels(window.notes.last)
    assert not await part(window.notes.last, label).count()
    answer = next(goal for goal in reversed(goals) if OWN not in goal)
    await tap(window, parts(window.notes.last).nth(goals.index(answer)))
    await expect(window.notes).to_have_count(0)
    return answer.split()[0]


async def test_move_replaces_the_menu_that_a_tap_on_the_board_began(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        await window.lies_still()
        await tap(window, part(window.board, "1d"))
        await expect(parts(window.notes.last)).not_to_have_count(0)
        begun = str(await window.notes.last.get_attribute("data-id"))
        await window.press(MOVE)
        await expect(window.page.locator(f"[data-id='{begun}']")).to_have_count(0)
        await expect(window.notes).to_have_count(1)


async def test_a_kalejdoschach_move_is_two_taps_on_the_board(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """In two windows: spectators see no tappable places, and each player sees theirs on their turn."""
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        async with window.page.context.expect_page() as opening:
            await window.page.evaluate("open(location.href)")
        other = Window(await opening.value)
        await other.be("Ben")
        await expect(parts(window.board)).to_have_count(16)
        await expect(parts(other.board)).to_have_count(0)
        field = await moves(window, "1d")
        await expect(window.board).to_contain_text(f"1d → {field}")
        await expect(parts(window.board)).to_have_count(0)
        await expect(parts(other.board)).not_to_have_count(0)
        field = await moves(other, "5d")
        await expect(window.board).to_contain_text(f"5d → {field}")
        await expect(parts(window.board)).not_to_have_count(0)
        assert other.troubles == []


async def test_a_board_that_is_shown_again_can_be_tapped(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        former = await window.board.get_attribute("data-id")
        await window.say("/board")
        await expect(window.board).not_to_have_attribute("data-id", former or "")
        await expect(parts(window.board)).to_have_count(16)
        field = await moves(window, "1d")
        await expect(window.board).to_contain_text(f"1d → {field}")


async def test_against_the_house_a_move_is_two_taps_as_well(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna",), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        for _ in range(2):
            await expect(parts(window.board)).not_to_have_count(0)
            shown = await window.board.get_attribute("data-id")
            await moves(window, str(await parts(window.board).first.get_attribute("aria-label")).split()[0])
            await expect(window.board).not_to_have_attribute("data-id", str(shown))


async def test_a_kaleidoskop_turn_is_three_taps_at_most(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """A well, a colour, and the end if the turn could go on."""
    async with table_of(("Anna",), browser, server, "kaleidoskop", clock, **LARGE) as (window, *_):
        await expect(parts(window.board)).not_to_have_count(0)
        board = await window.run("document.querySelectorAll('article.pictured:not(.only)').length")
        await tap(window, part(window.board, "22"))
        await expect(window.notes).to_contain_text("Which colour?")
        await window.is_answered()
        await tap(window, parts(window.notes.last).first)
        done = window.page.locator("article.pictured:not(.only)").nth(int(str(board)))
        end = window.notes.get_by_role("button", name=texts.say("kaleidoskop", "part.end", "en"))
        await expect(done.or_(end).first).to_be_visible()
        await window.is_answered()
        if await end.count():
            await end.click()
        await expect(done).to_be_visible()


async def test_the_second_tap_of_a_double_tap_chooses_nothing_and_marks_nothing(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """It hits the neighbouring part."""
    twice = """([one, other]) => {
      const [x0, y0, x1, y1] = [one, other].flatMap((part) => {
        const { x, y, width, height } = part.querySelector(".case").getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      });
      const far = Math.hypot(x1 - x0, y1 - y0);
      for (const way of [0.5 - 4 / far, 0.5 + 4 / far]) {
        const [clientX, clientY] = [x0 + way * (x1 - x0), y0 + way * (y1 - y0)];
        const click = new MouseEvent("click", { bubbles: true, detail: 1, clientX, clientY });
        document.elementFromPoint(clientX, clientY).dispatchEvent(click);
      }
      return [...document.querySelectorAll(".part.chosen")].map((part) => part === one);
    }"""
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        await expect(parts(window.board)).to_have_count(16)
        pair = [await parts(window.board).nth(n).element_handle() for n in (0, 1)]
        assert await window.page.evaluate(twice, pair) == [True]
        await expect(parts(window.notes.last)).not_to_have_count(0)


async def test_a_chosen_part_is_marked_while_its_menu_is_open(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        chosen = window.board.locator(".part.chosen")

        async def taps(label: str) -> None:
            await tap(window, part(window.board, label))
            await expect(parts(window.notes.last)).not_to_have_count(0)
            await expect(window.page.locator(".busy")).to_have_count(0)
            await expect(chosen).to_have_attribute("aria-label", re.compile(label))

        await taps("1d")
        await taps("3d")
        await window.notes.get_by_role("button", name=texts.say("web", "dismiss", "en")).click()
        await expect(window.notes).to_have_count(0)
        await expect(chosen).to_have_count(0)
        await expect(window.page.locator(".busy")).to_have_count(0)
        await taps("1d")
        await window.button(texts.say("table", "button.back", "en")).click()
        await expect(chosen).to_have_count(0)
        await expect(window.page.locator(".busy")).to_have_count(0)  # a person would wait for the answer
        await taps("3d")
        await window.press(MOVE)
        await expect(chosen).to_have_count(0)


async def test_tappable_places_are_outlined_and_the_board_stays_visible(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """Close places get thin outlines that do not overlap; if they would cover the whole board, they appear only on
    demand."""
    drawn = """(all) => all.map((part) => {
      const [mark, tick] = [part.querySelector(".mark"), part.querySelector(".stroke:not(.under)")];
      const [shape, style] = [getComputedStyle(mark), getComputedStyle(tick)];
      const { left, top, right, bottom } = tick.getBoundingClientRect();
      const [dash, gap] = style.strokeDasharray.split(",").map(parseFloat);
      const share = dash / (dash + gap);
      return [[left, top, right, bottom], share, style.display, parseFloat(style.strokeWidth), shape.stroke];
    })"""
    async with table_of(("Anna", "Ben"), browser, server, "kaleidoskop", clock, **LARGE) as (window, *_):
        await expect(parts(window.board)).not_to_have_count(0)
        strokes = window.board.locator(".part .stroke:not(.under)")
        assert await strokes.count() > 30
        await expect(strokes.first).to_be_hidden()
        await window.board.locator(".parts").evaluate("(all) => all.classList.add('showing')")
        result = await parts(window.board).evaluate_all(drawn)
        for (left, top, right, bottom), share, shown, width, frame in result:
            meets = [box for box, *_ in result if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]]
            assert len(meets) == 1
            assert 0.1 < share < 0.5
            assert (shown, frame) == ("inline", "none")
            assert 1 < width < 2
        await tap(window, part(window.board, "22"))
        await expect(window.board.locator(".part.chosen")).to_have_count(1)
        *_, shown, _, frame = (await window.board.locator(".part.chosen").evaluate_all(drawn))[0]
        assert (shown, frame != "none") == ("none", True)


async def test_outlines_of_parts_keep_off_what_is_written_at_their_edge(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The number of a stack of Crystalla begins eleven pixels from its edge."""
    inset = """(part) => {
      const [mark, tick] = [".mark", ".stroke"].map((name) => part.querySelector(name).getBBox());
      return Math.max(tick.x - mark.x, tick.y - mark.y);
    }"""
    async with table_of(("Anna", "Ben"), browser, server, "crystalla", clock, **LARGE) as (window, *_):
        await expect(parts(window.board)).not_to_have_count(0)
        assert 0 < await parts(window.board).first.evaluate(inset) <= 8.1


async def test_arrow_keys_go_from_part_to_part_as_they_lie_and_enter_chooses(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The Tab key reaches one place, the arrow keys the others; a menu takes the focus at the same place."""
    async with table_of(("Anna", "Ben"), browser, server, "colorio", clock, **PHONE) as (window, *_):
        await expect(parts(window.board)).to_have_count(25)
        board = parts(window.board)
        assert await board.evaluate_all("(all) => all.filter((each) => each.tabIndex === 0).length") == 1
        await board.and_(window.page.locator("[tabindex='0']")).focus()
        for key, field in KEYS.items():
            await window.page.keyboard.press(key)
            await expect(part(window.board, field)).to_be_focused()
            assert await board.evaluate_all("(all) => all.filter((each) => each.tabIndex === 0).length") == 1
        await window.page.keyboard.press("Enter")
        await expect(window.notes.last).to_contain_text("Discard")
        await expect(part(window.board, "d4")).to_have_count(0)


async def test_the_keyboard_enters_a_menu_at_its_first_real_button(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """A gap between buttons takes no focus, neither in a menu that continues nor in a new one."""
    async with table_of(("Anna",), browser, server, "colorio", clock) as (window, *_):
        await window.button(MOVE).focus()
        for begins in ("a5", "Discard"):
            await window.page.keyboard.press("Enter")
            await expect(window.notes.locator(".row button:focus")).to_contain_text(begins)
            await expect(window.page.locator(".busy")).to_have_count(0)
        await window.page.keyboard.press("Enter")
        await expect(window.notes.locator(".row button").first).to_be_disabled()
        await expect(window.notes.locator(".row button:focus")).to_have_text("b5")
        await window.button(MOVE).press("Enter")
        await expect(window.notes.locator(".row button:focus")).to_have_text("b5")


@pytest.mark.parametrize("game", ["kalejdoschach", *(f"{game} {QUICK.get(game, '')}".rstrip() for game in PACKAGES)])
async def test_a_whole_move_can_be_tapped_in_the_enlarged_picture(
    game: str, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The enlarged picture shows the next choices, too, and closes after the last one."""
    async with table_of(("Anna", "Ben"), browser, server, game, clock, **TABLET) as (window, *_):
        await expect(parts(window.board)).not_to_have_count(0)
        shown = await window.board.get_attribute("data-id")
        await window.board.get_by_role("button", name=ENLARGE).click()
        viewer = window.page.get_by_role("dialog")
        piece = (await labels(viewer))[0].split()[0]
        await tap(window, part(viewer, piece))
        await expect(part(viewer, piece)).to_have_count(0)
        goals = await labels(viewer)
        text = next(goal for goal in goals if OWN not in goal)
        await tap(window, parts(viewer).nth(goals.index(text)))
        await expect(viewer).to_have_count(0)
        await expect(window.board).not_to_have_attribute("data-id", str(shown))
        await expect(window.board).to_contain_text(text.split()[0])
        await expect(parts(window.board)).to_have_count(0)


async def test_a_finger_enlarges_a_board_with_little_room_and_plays_on_there(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """Held sideways the pieces are close together. The first tap chooses nothing; Back closes the large board."""
    low = {**PHONE, "viewport": {"width": 844, "height": 390}}
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **low) as (window, *_):
        await expect(parts(window.board)).to_have_count(16)
        await window.lies_still()
        viewer = window.page.locator("#viewer")
        await tap(window, part(window.board, "1d"))
        await expect(viewer).to_be_visible()
        await window.page.go_back()
        await expect(viewer).to_be_hidden()
        await expect(window.notes).to_have_count(0)
        await window.page.wait_for_timeout(400)  # else the next tap is the second one of a double tap
        await tap(window, part(window.board, "1d"))
        for piece in await parts(viewer).all():
            box = await piece.locator(".mark").bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 30
        await expect(part(viewer, "1d")).to_be_in_viewport(ratio=1)
        frame = viewer.locator("#viewer-frame")
        assert await frame.evaluate("(frame) => frame.scrollHeight > frame.clientHeight")
        await viewer.get_by_role("button", name=texts.say("web", "zoom.out", "en")).tap()
        assert await frame.evaluate("(frame) => frame.scrollHeight <= frame.clientHeight")
        await viewer.get_by_role("button", name=texts.say("web", "zoom.in", "en")).tap()
        await tap(window, part(viewer, "1d"))
        await expect(window.notes).to_contain_text("1d")
        await expect(part(viewer, "1d")).to_have_count(0)
        goal = part(viewer, "1b")
        await expect(goal).to_be_in_viewport(ratio=0.5)
        await tap(window, goal)
        await expect(viewer).to_be_hidden()
        await expect(window.board).to_contain_text("1d → 1b")


async def test_a_player_changes_their_mind_by_tapping_another_piece(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        await tap(window, part(window.board, "1d"))
        await expect(window.notes.last).to_contain_text("1d")
        others = window.notes.last.locator(".part.beside")
        await expect(others).not_to_have_count(0)
        await tap(window, others.and_(window.page.get_by_role("button", name="1h")))
        await expect(window.notes).to_have_count(1)
        await expect(window.notes.last).to_contain_text("1h")
        await expect(parts(window.notes.last)).not_to_have_count(0)
        assert window.troubles == []


async def test_a_part_is_as_large_as_a_finger_and_the_nearest_one_is_meant(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    tapped = """async (points) => {
      const { overlay } = await import("/board.js");
      const box = (x, y, size) => [[x, y], [x + size, y], [x + size, y + size], [x, y + size]];
      const low = [[0, 100], [44, 100], [44, 110], [0, 110]];
      const outlines = [box(0, 0, 8), box(30, 0, 8), box(100, 0, 60), low];
      const parts = outlines.map((outline, index) => ({ label: `${index}`, payload: `${index}`, outline }));
      let chosen;
      const [choose, miss] = [(payload) => (chosen = payload), () => (chosen = "-")];
      const layer = overlay({ width: 200, height: 200 }, parts, [box(2, 12, 8)], choose, miss);
      layer.style.cssText = "position: fixed; z-index: 9; inset: 0 auto auto 0; width: 200px; height: 200px";
      document.body.append(layer);
      return points.map(([clientX, clientY]) => {
        const click = new MouseEvent("click", { bubbles: true, detail: 1, clientX, clientY });
        document.elementFromPoint(clientX, clientY).dispatchEvent(click);
        return chosen;
      });
    }"""
    meant = {(4, 4): 0, (15, 4): 0, (19, 21): -1, (23, 4): 1, (34, 18): 1, (101, 1): 2, (94, 30): -1, (60, 60): -1}
    meant |= {(43, 120): 3, (1, 90): 3, (43, 122): -1, (50, 105): -1}  # a low one
    meant |= {(4, 11): 0, (4, 13): -1, (4, 19): -1}  # at and in another place
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        chosen = await window.page.evaluate(tapped, [list(point) for point in meant])
    assert chosen == ["-" if part < 0 else str(part) for part in meant.values()]


async def test_a_tap_on_a_place_without_a_choice_is_answered_and_does_nothing(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """A tap on another player's piece must not look ignored."""
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        await expect(parts(window.board)).to_have_count(16)
        await expect(window.board.locator(".part .stroke:not(.under)").first).to_be_visible()
        layer = window.board.locator(".parts")
        box = await layer.bounding_box()
        assert box is not None
        before = await window.messages.count()
        await window.page.clock.install()
        beside = texts.say("web", "tap.miss", "en")
        for x, y, answer in ((0.5, 0.5, "no piece on 00"), (0.21, 0.18, "isn't yours"), (0.02, 0.5, beside)):
            await window.page.clock.fast_forward(2500)
            await window.page.touchscreen.tap(box["x"] + x * box["width"], box["y"] + y * box["height"])
            await expect(window.page.locator("#toasts p")).to_contain_text(answer)
            await expect(layer).to_have_class("parts showing")
        await window.page.clock.fast_forward(4000)
        assert await layer.get_attribute("class") == "parts showing", "each tap lights them for its own time"
        await window.page.clock.fast_forward(3000)
        await expect(layer).to_have_class("parts")
        assert await window.messages.count() == before
        assert not await window.page.get_by_role("dialog").count()
        await tap(window, parts(window.board).first)
        await expect(window.page.locator("#toasts p")).to_have_count(0)
        await expect(window.notes).to_have_count(1)


@pytest.mark.parametrize("enlarged", [False, True], ids=["small", "enlarged"])
@pytest.mark.parametrize(
    ("piece", "near", "beside", "aside"), [("1d", "1b", "1c", (0, 0)), ("1k", "8h", "8g", (14, 29))]
)
async def test_a_tap_on_a_place_without_a_choice_plays_no_neighbour_of_it(
    piece: str,
    near: str,
    beside: str,
    aside: tuple[float, float],
    enlarged: bool,
    browser: Chromium,
    server: str,
    raw: Redis,
    clock: HandClock,
) -> None:
    """The middle of 1c is within a finger's reach of 1b, and browsers move a click on the name of 8g to 8h."""
    view = GAMES["kalejdoschach"].start(2, seed=7).view(0)
    x, y = centre(renderers.spots(view, Look((SeatLook("Anna"), SeatLook("Ben"))))[beside])
    x, y = x + aside[0], y + aside[1]
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **LARGE) as (window, *_):
        await window.lies_still()
        await tap(window, part(window.board, piece))
        await expect(parts(window.notes.last)).not_to_have_count(0)
        await window.is_answered()
        if enlarged:
            await window.notes.last.get_by_role("button", name=ENLARGE).tap()
        shown = window.page.locator("#viewer") if enlarged else window.notes.last
        await expect(part(shown, near)).to_be_visible()
        box = await shown.locator(".parts").bounding_box()
        assert box is not None
        scale = box["width"] / 1000
        await window.page.touchscreen.tap(box["x"] + x * scale, box["y"] + y * scale)
        await expect(window.page.locator("#viewer-told" if enlarged else "#toasts p")).to_contain_text(beside)
        await expect(part(shown, near)).to_be_visible()
        await tap(window, part(shown, near))
        await expect(window.board).to_contain_text(f"{piece} → {near}")


async def test_a_tap_on_a_place_without_a_choice_is_answered_in_the_enlarged_board(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kalejdoschach", clock, **PHONE) as (window, *_):
        await expect(parts(window.board)).to_have_count(16)
        await window.board.get_by_role("button", name=ENLARGE).tap()
        viewer, told = window.page.locator("#viewer"), window.page.locator("#viewer-told")
        await expect(told).to_be_hidden()
        before = await viewer.locator(".parts").bounding_box()
        assert before is not None
        await window.page.touchscreen.tap(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
        await expect(told).to_contain_text("no piece on 00")
        assert await viewer.locator(".parts").bounding_box() == before, "the words move nothing"
        await tap(window, parts(viewer).first)
        await expect(told).to_be_hidden()
        await expect(viewer).to_be_visible()


async def test_the_enlarged_board_asks_the_question_and_can_be_larger(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The first choice of Kabooom! is small and low; for a finger that feels for it, it is larger than it looks."""
    wide = {**PHONE, "viewport": {"width": 390, "height": 844}}
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock, **wide) as (window, *_):
        await expect(parts(window.board)).to_have_count(4)
        await window.board.get_by_role("button", name=ENLARGE).tap()
        viewer, asked = window.page.locator("#viewer"), window.page.locator("#viewer-ask")
        await expect(asked).to_contain_text("choose a piece to place")
        for piece in await parts(viewer).all():
            box = await piece.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 30
        await tap(window, parts(viewer).first)
        await expect(asked).to_contain_text("Which empty space?")
        picture = viewer.locator("img")
        before = await picture.bounding_box()
        await viewer.get_by_role("button", name=texts.say("web", "zoom.in", "en")).tap()
        after = await picture.bounding_box()
        assert before is not None
        assert after is not None
        assert after["width"] > 1.5 * before["width"]


@pytest.mark.parametrize("menu", [False, True], ids=["post", "menu"])
async def test_the_enlarged_board_shows_all_next_choices_that_have_room_in_it(
    menu: bool, browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    """The colours of Kaleidoskop are as wide as the board; before, the player had a closer look at its wells."""
    tall = {**PHONE, "viewport": {"width": 390, "height": 844}}
    async with table_of(("Anna", "Ben"), browser, server, "kaleidoskop", clock, **tall) as (window, *_):
        await expect(parts(window.board)).not_to_have_count(0)
        if menu:
            await window.press("Move")
            await expect(parts(window.notes.last)).not_to_have_count(0)
        shown = window.notes.last if menu else window.board
        await shown.get_by_role("button", name=ENLARGE).tap()
        viewer = window.page.locator("#viewer")
        await viewer.get_by_role("button", name=texts.say("web", "zoom.in", "en")).tap()
        await tap(window, parts(viewer).nth(20))
        await expect(viewer.locator("#viewer-ask")).to_contain_text("Which colour?")
        for colour in await parts(viewer).all():
            await expect(colour.locator(".mark")).to_be_in_viewport(ratio=1)


async def test_a_note_is_for_the_table_of_its_button_until_the_line_is_cleared(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    async with table_of(("Anna", "Ben"), browser, server, "kabooom", clock) as (window, *_):
        for is_kept in (True, False):
            await window.page.locator("#channels .entry").filter(has_text="lobby").click()
            await window.say("/view")
            await expect(window.newest).to_contain_text("It's your turn." if is_kept else "📝 mind the corner")
            await window.lies_still()
            await window.press(window.label("note"))
            await expect(window.line).to_have_value("/note ")
            await window.page.locator("#channels .entry").filter(has_text="daily").click()  # without a game
            if not is_kept:
                await window.line.fill("")
            await window.say("/note mind the corner")
            await expect(window.newest).to_contain_text("📝 mind the corner" if is_kept else "no game here")


async def test_the_enlarged_board_closes_if_the_next_choice_is_not_on_it(
    browser: Chromium, server: str, raw: Redis, clock: HandClock
) -> None:
    await clock.advance(timedelta(days=1))  # to a puzzle on the round board
    async with table_of(("Anna",), browser, server, "kabooom", clock, **LARGE) as (window, *_):
        await window.say("/daily")
        await expect(parts(window.notes)).not_to_have_count(0)
        await window.lies_still()
        await window.notes.get_by_role("button", name=ENLARGE).tap()
        viewer = window.page.locator("#viewer")
        await tap(window, part(viewer, "11"))
        await expect(window.page.locator("#viewer-ask")).to_contain_text("Which colour?")
        await tap(window, parts(viewer).first)
        await expect(viewer).to_be_hidden()
        await expect(
            window.notes.get_by_role("button", name=texts.say("kaleidoskop", "part.end", "en"))
        ).to_be_visible()
