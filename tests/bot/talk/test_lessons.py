"""Lessons: private, with the whole state in the buttons, and without any effect on games."""

import pytest
from msgspec.structs import replace
from redis import Redis

import texts
from bot.chat import Place, PlaceId, Press, Reply, Role, Style, ThreadAccess
from bot.replies.pages import rules, rules_pages
from bot.replies.wording import action_text
from bot.requests import payload
from bot.store.store import Store
from bot.tables.table import Phase
from renderers.notation import typed
from rules import GAMES
from rules.lessons import _action, lesson
from tests.bot.talk.recording import ROOM, Crowd, RecordingChat, buttons
from tests.bot.talk.test_service import begun, table_here, text

OWN = Place(PlaceId("room:@anna"), private=True)
READERS = {"en": "anna", "de": "dora"}


def test_an_offer_that_parse_refuses_is_named() -> None:
    with pytest.raises(ValueError, match=r"parse refuses the offer z9-z8 \(.*\) before play can"):
        _action("kabooom", GAMES["kabooom"].start(2), "z9-z8")


async def press(crowd: Crowd, name: str, *numbers: int, game: str = "kabooom") -> Reply:
    reply = await crowd.sends(name, Press(payload.write("learn", game, *numbers)))
    assert reply is not None
    return reply


async def finished(crowd: Crowd) -> Reply:
    """Return Anna's reply at the end of a lesson."""
    last = len(lesson("kabooom")) - 1
    return await press(crowd, "anna", last, lesson("kabooom")[last].right[0])


def ways_out(reply: Reply) -> int:
    return sum(button.payload == payload.write("close") for button in buttons(reply))


async def answer(crowd: Crowd, name: str, reply: Reply, label: str) -> Reply:
    """Press the button that reads *label*."""
    (button,) = (button for button in buttons(reply) if button.label == label)
    answered = await crowd.sends(name, Press(button.payload))
    assert answered is not None
    return answered


@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_can_be_tapped_if_its_answers_end_at_different_places(crowd: Crowd, game: str) -> None:
    tapped = 0
    for number, step in enumerate(lesson(game)):
        shown = await press(crowd, "anna", number, game=game)
        labels = [action_text(game, offer, "en") for offer in step.offers]
        parts = [target for target in shown.targets if target.payload]
        numbers = [labels.index(target.label) for target in parts]
        assert len(set(numbers)) == len(numbers)
        assert [target.payload for target in parts] == [payload.write("learn", game, number, n) for n in numbers]
        assert not shown.targets or set(step.right) <= set(numbers)  # not only the fault
        tapped += bool(shown.targets)
    assert tapped >= 4


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_is_played_to_its_end_by_taps_in_private_and_touches_nothing(
    crowd: Crowd, chat: RecordingChat, raw: Redis, game: str, lang: str
) -> None:
    name = READERS[lang]
    shown = await crowd.says(name, f"/learn {game}")
    for number, step in enumerate(lesson(game), 1):
        assert shown is not None
        assert texts.say(game, f"lesson.{number}.text", lang) in shown.text
        assert (shown.role, shown.secret) == (Role.MENU, True)
        assert shown.picture is not None
        assert shown.picture.alt
        assert len(shown.text) <= 1000
        assert len(shown.rows) <= 5
        assert all(len(button.label) <= 40 for button in buttons(shown))
        shown = await answer(crowd, name, shown, action_text(game, step.offers[step.right[0]], lang))
        assert texts.say(game, f"lesson.{number}.done", lang) in shown.text
        if not step.goes_on and number < len(lesson(game)):
            shown = await answer(crowd, name, shown, texts.say("table", "button.next", lang))
    assert shown is not None
    assert texts.say("table", "learn.end", lang, game=texts.say(game, "name", lang)) in shown.text
    assert chat.messages == {}
    assert chat.pings == []
    assert not [key for key in raw.scan_iter() if b":t:" in key or b"kb:place" in key or b":log:" in key]


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
async def test_a_wrong_answer_is_explained_and_the_step_stays(crowd: Crowd, game: str, lang: str) -> None:
    for number, step in enumerate(lesson(game)):
        for offer in range(len(step.offers)):
            if offer in step.right:
                continue
            reply = await press(crowd, READERS[lang], number, offer, game=game)
            why, _, task = reply.text.partition("\n\n")
            assert why.startswith("✗ ")
            assert len(why) > 20
            assert task == texts.say(game, f"lesson.{number + 1}.text", lang)
            assert reply.picture is not None


@pytest.mark.parametrize("lang", texts.languages())
async def test_a_refusal_does_not_anticipate_a_later_step(crowd: Crowd, lang: str) -> None:
    """The horse of the first step is too near, or two rings away, which the third step explains."""
    await crowd.says(READERS[lang], "/learn kalejdoschach")
    near = texts.say("kalejdoschach", "refused.near2", lang, detail="1c")
    later = texts.say("table", "learn.later", lang)
    for typed_, why in (("1e-1c", near), ("1e-1a", later)):
        assert text(await crowd.says(READERS[lang], f"/move {typed_}")).startswith(f"✗ {why}")
    await press(crowd, READERS[lang], 2, game="kalejdoschach")
    rings = texts.say("kalejdoschach", "refused.rings", lang, detail="1c")
    assert text(await crowd.says(READERS[lang], "/move 1h-1c")).startswith(f"✗ {rings}")


async def test_at_the_end_a_button_opens_a_game_against_the_house(crowd: Crowd, store: Store) -> None:
    reply = await finished(crowd)
    await answer(crowd, "anna", reply, "Play against the house")
    table = await table_here(store)
    assert [seat.house for seat in table.seats] == [False, True]
    assert (table.game, table.level, table.host) == ("kabooom", "easy", "room:anna")


async def test_where_ones_own_lobby_waits_the_house_sits_down_there_and_the_game_begins(
    crowd: Crowd, store: Store
) -> None:
    await crowd.says("anna", "/newgame kabooom")
    reply = await finished(crowd)
    assert "Off we go" in text(await answer(crowd, "anna", reply, "Play against the house"))
    table = await table_here(store)
    assert ([seat.house for seat in table.seats], table.level, table.phase) == ([False, True], "easy", Phase.RUNNING)


@pytest.mark.parametrize("lang", texts.languages())
@pytest.mark.parametrize("game", GAMES)
async def test_the_first_game_is_the_shortest_one_and_begins_at_once(
    crowd: Crowd, store: Store, game: str, lang: str
) -> None:
    name, shortest = READERS[lang], GAMES[game].shortest
    await crowd.says(name, f"/learn {game}")
    reply = await press(crowd, name, len(lesson(game)), game=game)
    assert all(texts.say(game, f"option.{option}.{text}", lang) in reply.text for option, text in shortest.items())
    await answer(crowd, name, reply, texts.say("table", "button.against_house", lang))
    table = await table_here(store)
    assert (table.phase, table.level, [seat.house for seat in table.seats].count(True)) == (Phase.RUNNING, "easy", 1)
    assert {option: table.options.get(option) for option in shortest} == shortest


async def test_ones_own_lobby_becomes_the_first_game(crowd: Crowd, store: Store) -> None:
    await crowd.says("anna", "/newgame kaleidoskop long")
    reply = await press(crowd, "anna", len(lesson("kaleidoskop")), game="kaleidoskop")
    await answer(crowd, "anna", reply, "Play against the house")
    table = await table_here(store)
    assert (table.phase, table.options["length"]) == (Phase.RUNNING, "short")


async def test_a_tap_at_which_several_offers_end_means_the_right_one(crowd: Crowd) -> None:
    shown = await press(crowd, "anna", 1, game="crystalla")
    step = lesson("crystalla")[1]
    parts = [target.payload for target in shown.targets if target.payload]
    ends = {payload.read(part).numbers[-1] for part in parts}  # type: ignore[union-attr]
    assert {str(step.offers[number]) for number in ends} == {"w2", "w4"}


@pytest.mark.parametrize("host", ["anna", "clara"])
async def test_a_lobby_of_others_waits_on(crowd: Crowd, store: Store, host: str) -> None:
    """A joined player did not ask for a game, and no player starts another person's lobby: no game is offered."""
    await crowd.says(host, "/newgame kabooom")
    await crowd.says("ben", "/join")
    reply = await finished(crowd)
    assert [button.label for button in buttons(reply)] == ["Rules", "Once more", "✕"]
    assert "There's already a table here" in reply.text
    await crowd.sends("anna", Press(payload.write("new", "kabooom", 1)))
    assert (await table_here(store)).phase == Phase.LOBBY


@pytest.mark.parametrize(("game", "offered"), [("kabooom", True), ("colorio", False)])
async def test_at_the_end_ones_own_lobby_is_no_hindrance_if_it_is_of_this_game(
    crowd: Crowd, game: str, offered: bool
) -> None:
    await crowd.says("anna", f"/newgame {game}")
    assert ("Play against the house" in [button.label for button in buttons(await finished(crowd))]) == offered


async def test_at_the_end_no_game_is_offered_where_another_one_is_played(crowd: Crowd) -> None:
    await begun(crowd)
    reply = await finished(crowd)
    assert [button.label for button in buttons(reply)] == ["Rules", "Once more", "✕"]
    assert "There's already a table here" in reply.text
    over = await press(crowd, "anna", len(lesson("kabooom")))  # by the button that passes over steps
    assert buttons(over) == buttons(reply)


async def test_the_end_offers_a_game_if_a_thread_can_hold_it(crowd: Crowd) -> None:
    await begun(crowd)
    pressed = crowd.pressing("anna", Press(payload.write("learn", "kabooom", len(lesson("kabooom")))))
    reply = await crowd.service.handle(replace(pressed, thread_access=ThreadAccess.ALLOWED))
    assert reply is not None
    assert buttons(reply)[0].label == "Play against the house"
    refused = await crowd.service.handle(
        replace(crowd.pressing("anna", Press(buttons(reply)[0].payload)), thread_access=ThreadAccess.ALLOWED)
    )
    assert refused is not None
    assert buttons(refused)[0].payload.startswith("thread:kabooom")


@pytest.mark.parametrize(
    "pressed", ["learn:kabooom:0.77", "learn:kabooom:3.8", "learn:kabooom:5.999999999", "learn:crystalla:2.40"]
)
async def test_an_impossible_answer_shows_a_possible_one(crowd: Crowd, pressed: str) -> None:
    reply = await crowd.sends("anna", Press(pressed))
    assert reply is not None
    assert "Here is where we are" in reply.text
    assert reply.picture is not None


@pytest.mark.parametrize(
    ("pressed", "says"),
    [
        ("learn:kabooom:999", "can play Kabooom! now"),
        ("learn:kabooom:999999999.1", "can play Kabooom! now"),
        ("learn:nothing:1", "don't know that game"),
        ("learn:", "Which game do you want to learn"),
        ("learn:kabooom:1.2.3", "no longer works"),
    ],
)
async def test_a_forged_button_is_answered_kindly(crowd: Crowd, pressed: str, says: str) -> None:
    assert says in text(await crowd.sends("anna", Press(pressed)))


async def test_a_lesson_can_be_closed_at_any_step(crowd: Crowd) -> None:
    steps = lesson("kabooom")
    asked = [await press(crowd, "anna", number) for number in range(len(steps))]
    done = [await press(crowd, "anna", number, step.right[0]) for number, step in enumerate(steps)]
    assert [ways_out(reply) for reply in (*asked, *done)] == [1] * 2 * len(steps)
    closed = await answer(crowd, "anna", done[-1], "✕")
    assert closed.role is Role.CLOSING


@pytest.mark.parametrize("asked", ["/learn", "/learn nothing", "/learn 🎲", "/learn " + "x" * 10_000])
async def test_a_request_without_a_game_gets_the_list(crowd: Crowd, asked: str) -> None:
    reply = await crowd.says("anna", asked)
    assert reply is not None
    assert len(buttons(reply)) == len(GAMES) + 1
    assert ways_out(reply) == 1


async def test_in_a_place_with_a_game_its_lesson_opens(crowd: Crowd) -> None:
    await crowd.says("ben", "/newgame colorio")
    reply = await crowd.says("anna", "/learn")
    assert reply is not None
    assert reply.title.startswith("Colorio")


@pytest.mark.parametrize("game", GAMES)
async def test_the_rules_lead_to_a_game(crowd: Crowd, store: Store, game: str) -> None:
    """On the last page that button is prominent, and the way back to the first page is not."""
    first, last = (rules(game, page, None, "en") for page in (0, rules_pages(game) - 1))
    for page, brighter in ((first, -2), (last, 0)):
        assert [button.label for button in buttons(page)[:-3]] == ["Play against the house", "Learn it in two minutes"]
        assert [n for n in (0, -2) if buttons(page)[n].style == Style.MAIN] == [brighter]
    await crowd.sends("anna", Press(buttons(last)[0].payload))
    table = await table_here(store)
    assert (table.game, [seat.house for seat in table.seats][:2]) == (game, [False, True])


async def test_lobby_and_rules_lead_to_the_lesson(crowd: Crowd) -> None:
    await crowd.says("ben", "/newgame colorio")
    reply = await crowd.says("anna", "[Learn it in two minutes]")
    assert reply is not None
    assert reply.title == "Colorio – a lesson"
    await crowd.says("clara", "/rules crystalla")
    reply = await crowd.says("clara", "[Learn it in two minutes]")
    assert reply is not None
    assert reply.title == "Crystalla – a lesson"


@pytest.mark.parametrize("game", GAMES)
async def test_an_answer_can_be_typed(crowd: Crowd, game: str) -> None:
    step = lesson(game)[0]
    await crowd.says("anna", f"/learn {game}")
    reply = await crowd.says("anna", f"/move {typed(game, step.offers[step.right[0]], 'en')}")
    assert texts.say(game, "lesson.1.done", "en") in text(reply)


async def test_alone_with_the_bot_an_answer_is_typed_without_a_command(crowd: Crowd) -> None:
    await crowd.says("anna", "/learn kabooom", place=OWN)
    assert "scissors beat paper" in text(await crowd.says("anna", "b2 b3", place=OWN))
    assert "two pieces, two points" in text(await crowd.says("anna", "b2-c2", place=OWN))


async def test_text_typed_before_the_next_step_is_not_its_answer(crowd: Crowd) -> None:
    """It shows that step, as the button does."""
    await crowd.says("anna", "/learn colorio", place=OWN)
    for typed_, told_ in (("c3", "Yellow"), ("discard", "stays open")):
        assert told_ in text(await crowd.says("anna", typed_, place=OWN))
    third = texts.say("colorio", "lesson.3.text", "en")
    assert text(await crowd.says("anna", "discard", place=OWN)) == third
    assert text(await crowd.says("anna", "discard", place=OWN)).startswith("✗ ")
    await press(crowd, "anna", 0, 0)  # the same in a channel
    shown = await crowd.says("anna", "/move c3-d3")
    assert text(shown) == texts.say("kabooom", "lesson.2.text", "en")


@pytest.mark.parametrize("place", [ROOM, OWN])
async def test_an_answer_can_be_typed_where_ones_own_table_waits_for_its_game(crowd: Crowd, place: Place) -> None:
    await crowd.says("anna", "/newgame crystalla", place=place)
    await crowd.says("anna", "/learn colorio", place=place)
    assert "Yellow" in text(await crowd.says("anna", "/move c3" if place is ROOM else "c3", place=place))


async def test_during_a_private_game_text_is_no_answer(crowd: Crowd) -> None:
    await crowd.says("anna", "/newgame kabooom easy", place=OWN)
    await crowd.says("anna", "/start", place=OWN)
    await crowd.says("anna", "[Play against the house]", place=OWN)
    await crowd.says("anna", "/learn colorio", place=OWN)
    assert "understand" in text(await crowd.says("anna", "c3", place=OWN))


@pytest.mark.parametrize("asked", ["/move nonsense", "/move z9-a1", "/move " + "b2-c2 " * 2000, "/move 🎲"])
async def test_unreadable_text_is_reported_and_the_step_stays(crowd: Crowd, asked: str) -> None:
    await crowd.says("anna", "/learn kabooom")
    reply = await crowd.says("anna", asked)
    assert text(reply).startswith("✗ ")
    assert texts.say("kabooom", "lesson.1.text", "en") in text(reply)
    assert len(text(reply)) < 1000


async def test_a_player_here_types_moves_and_no_answers(crowd: Crowd, store: Store) -> None:
    await begun(crowd)
    await crowd.says("anna", "/learn kabooom")
    before = await table_here(store)
    assert "Played" in text(await crowd.says("anna", "/move b1-c1"))
    assert (await table_here(store)).revision > before.revision
    await crowd.says("clara", "/learn kabooom")
    assert "two pieces, two points" in text(await crowd.says("clara", "/move b2-c2"))


async def test_a_lesson_that_is_over_takes_no_more_answers(crowd: Crowd) -> None:
    last = len(lesson("kabooom")) - 1
    await press(crowd, "anna", last, lesson("kabooom")[last].right[0])
    assert "no game here" in text(await crowd.says("anna", "/move b2-c2"))


async def test_after_closing_a_lesson_text_is_no_answer(crowd: Crowd) -> None:
    await crowd.says("anna", "/learn kabooom")
    await crowd.says("anna", "[✕]")
    assert "no game here" in text(await crowd.says("anna", "/move b2-c2"))


async def test_where_several_games_wait_elsewhere_no_move_is_taken_for_an_answer(crowd: Crowd) -> None:
    for place in (Place(PlaceId("room:cellar")), Place(PlaceId("room:attic"))):
        for name, line in (("anna", "/newgame kabooom easy"), ("ben", "/join"), ("anna", "/start")):
            await crowd.says(name, line, place=place)
    await crowd.says("anna", "/learn kabooom", place=OWN)
    assert "Several games are waiting for you" in text(await crowd.says("anna", "/move b2-c2", place=OWN))


async def test_a_misspelt_answer_is_answered_with_the_similar_word(crowd: Crowd) -> None:
    number = next(n for n, step in enumerate(lesson("kabooom")) if any("@" in str(offer) for offer in step.offers))
    await press(crowd, "dora", number)
    reply = await crowd.says("dora", "/move steim c3")
    assert reply is not None
    assert "Meintest du /move stein c3?" in reply.text


async def test_half_an_answer_is_answered_with_its_continuations(crowd: Crowd) -> None:
    await crowd.says("anna", "/learn kabooom")
    assert "For example: /move b2-" in text(await crowd.says("anna", "/move b2"))


async def test_the_result_of_an_alternative_right_answer_is_shown(crowd: Crowd) -> None:
    number = 4
    for answer_ in lesson("colorio")[number].right:
        shown = await press(crowd, "anna", number, answer_, game="colorio")
        assert shown.picture is not None
        assert f"from {lesson('colorio')[number].offers[answer_]}" in shown.picture.alt


async def test_a_forgotten_persons_lesson_leaves_nothing(crowd: Crowd, raw: Redis) -> None:
    await crowd.says("anna", "/learn kabooom")
    assert [key for key in raw.scan_iter() if b"anna" in key]
    await crowd.sends("anna", Press(payload.write("forget", "", 1)))
    assert not [key for key in raw.scan_iter() if b"anna" in key]
