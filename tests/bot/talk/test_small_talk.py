"""Messages without a command: a move, or not for the bot."""

from typing import Any, cast

import pytest
from msgspec import Raw
from redis import Redis

from bot.chat import MessageId, Place, PlaceId, PlainMessage, Reply, Typed
from bot.replies.words import say
from bot.runtime.rate_limit import AT_ONCE
from bot.store.store import Store
from bot.tables.table import Table
from rules import GAMES
from tests.bot.talk.recording import ROOM, Crowd, buttons

TALK = (
    *("ok", "pass", "x", "X!", "draw", "draw?", "remis", "end", "ende", "fertig", "done", "weiter", "next", "keep"),
    *("3", "17", "1 2 3", "what about b3?", "b3 is nice", "see you at 8", "I am 2nd", "lol", "", " ", "🎲", "b3-"),
    *("@anna b1", "10%", "1:1", "2 of 3", "a1!"),
    *("I like yellow", "good move!", "3 more minutes", "no way, 57?", "57 yellow?", "Tiger 3g to 4a?", "u 2"),
    *("back in 5", "ready in 5", "busy 3 to 5", "draw in 5", "from 5 to 7", "at 10 to 12", "my 3 kids", "player 3"),
    *("Horse 1f to 8e?", "Horse 1f to 8e…", "Horse 1f to 8e?!", "b1-c1?", "horses 2 to 3"),
    *("I lost 3 to 2", "3 v 2", "3 x 3", "red is on b3", "you took my roc on 1k", "yellow 57 😂", "the 2nd one"),
    *("call me at 5pm", "rock 5, paper 3", "the rock is on b3", "end in 10", "I have 2 red", "next round at 5"),
    *("ich mag Gelb", "guter Zug!", "noch 3 Züge", "bis um 8", "bin in 5 Minuten da", "am 3. um 5", "3 zu 2"),
    *("Adel", "aber", "later", "roch gut", "aber b3", "later at 5", "Geld 50", "past 3", "Ruhe um 3", "sein b3"),
    *("2 rad", "3 gute", "10 gut", "4 bald", "5 Minu", "2 Bla", "3 end", "4 past", "2 grad", "1 Bier", "3 Geld bitte"),
    *("wie wäre b3?", "mein Tiger steht auf 3g", "1k ist weg", "rot wäre besser auf 57", "und a2 nach a1?", "5 vor 12"),
)
CRYSTAL_FIRST = (
    "Not at this point in your turn. First comes one crystal, then tools, then tasks, then you end your turn."
)
MEANT = (
    ("kalejdoschach", "Tiger 3g to 3q.", "There's no space 3q: 00 in the middle, else a slice 1–8 and a letter a–k."),
    ("kalejdoschach", "Tiger 3g nach 3q", "There's no space 3q: 00 in the middle, else a slice 1–8 and a letter a–k."),
    ("kalejdoschach", "3g-3q", "There's no space 3q: 00 in the middle, else a slice 1–8 and a letter a–k."),
    ("kalejdoschach", "roc 3g to 4a", ""),
    ("kalejdoschach", "3g 4a", ""),
    (
        "kalejdoschach",
        "hores 1f to 8h",
        "8h is too near: a path has exactly two steps, at most one change of rings, and no space twice.",
    ),
    (
        "kalejdoschach",
        "Das Pfedr von 1f nach 8h.",
        "8h is too near: a path has exactly two steps, at most one change of rings, and no space twice.",
    ),
    (
        "kalejdoschach",
        "Elephnt 1f to 8h",
        "The piece you named isn't on 1f. Look at the board, or type just the two spaces.",
    ),
    (
        "kalejdoschach",
        "Pfrd 1f nach 8h",
        "8h is too near: a path has exactly two steps, at most one change of rings, and no space twice.",
    ),
    ("kaleidoskop", "57 yelow.", "Did you mean /move 57 yellow?"),
    ("kaleidoskop", "Move 57 yelow", "Did you mean /move 57 yellow?"),
    ("kaleidoskop", "57 geln", "Did you mean /move 57 yellow?"),
    ("kaleidoskop", "57 glb!", ""),
    ("kaleidoskop", "11 yello", "Did you mean /move 11 yellow?"),
    ("kaleidoskop", "14 blu", "Did you mean /move 14 blue?"),
    (
        "kaleidoskop",
        "b2 red",
        "That's a hex. A crystal goes into a well; around this hex are the wells 10, 14, 15, 20.",
    ),
    (
        "kaleidoskop",
        "10 orange",
        "There's no crystal in orange. Colours: red r, yellow y, green g, blue b, pink p, violet v.",
    ),
    ("kaleidoskop", "99 yellow.", ""),
    ("kaleidoskop", "gelb in 99", ""),
    ("kaleidoskop", "Claim 3b.", CRYSTAL_FIRST),
    ("kaleidoskop", "Claim 3b orange.", CRYSTAL_FIRST),
    ("kaleidoskop", "Auftrag 3b", CRYSTAL_FIRST),
    ("crystalla", "swap 9", "There's no card 9: your cards are numbered 1–3."),
    ("crystalla", "1ene 2bne", "There's no column e: a picture has columns a–d."),
    ("colorio", "a1 to f1", "There's no space f1: columns a–e, rows 1–5."),
    ("kabooom hard", "Stein auf b9", "There's no space b9: columns a–f, rows 1–4."),
    ("kabooom hard", "Scisors in b4!", ""),
    ("kabooom easy", "B1 aud c1.", "Did you mean /move b1-c1?"),
    ("kabooom easy", "b1 nahc c1", "Did you mean /move b1-c1?"),
)


async def said(crowd: Crowd, name: str, text: str, place: Place = ROOM) -> Reply | None:
    return await crowd.sends(name, PlainMessage(text), place=place)


async def here(store: Store) -> Table:
    held = await store.at(ROOM.id)
    assert held is not None
    loaded = await store.load(held)
    assert loaded is not None
    return loaded.table


async def position(store: Store) -> Any:
    table = await here(store)
    assert isinstance(table.state, Raw)
    return GAMES[table.game].decode(bytes(table.state))


async def begun(crowd: Crowd, game: str) -> None:
    for name, line in (("anna", f"/newgame {game}"), ("ben", "/join"), ("anna", "/start")):
        await crowd.says(name, line)


async def test_a_bare_move_of_the_actor_is_a_move(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    reply = await said(crowd, "anna", "B1 - c1")
    assert reply is not None
    assert reply.text == "Played: b1 → c1"
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["b1-c1"]


@pytest.mark.parametrize("name", ["ben", "clara"])
@pytest.mark.parametrize("text", ["b1-c1", "b1-d1", "b1 to z9"])
async def test_other_peoples_moves_are_ignored(crowd: Crowd, store: Store, name: str, text: str) -> None:
    await begun(crowd, "kabooom easy")
    before = await here(store)
    assert await said(crowd, name, text) is None
    assert await here(store) == before


@pytest.mark.parametrize(("game", "text", "line"), MEANT)
async def test_what_the_actor_means_as_a_move_is_answered_like_the_command(
    crowd: Crowd, store: Store, game: str, text: str, line: str
) -> None:
    await begun(crowd, game)
    before = await here(store)
    reply, by_command = await said(crowd, "anna", text), await crowd.says("anna", f"/move {text}")
    assert reply is not None
    assert reply == by_command
    assert line in reply.text.translate(dict.fromkeys(map(ord, "\u2068\u2069"))).splitlines() or not line
    assert await here(store) == before


async def test_a_move_that_was_probably_meant_is_one_tap(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kaleidoskop")
    reply = await said(crowd, "anna", "11 yello")
    assert reply is not None
    assert "a whole move" not in reply.text
    assert [button.label for button in buttons(reply)] == ["11 → 🟡 yellow", "Move"]
    await crowd.says("anna", "[11 → 🟡 yellow]")
    assert next(entry.action for entry in await store.log((await here(store)).id)) == "11y"


async def test_a_card_may_be_typed_with_blanks_and_one_that_lies_is_told(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "crystalla")
    await said(crowd, "anna", "1 bno.")
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["keep", "1bne"]
    for text in ("1 bno.", "1bno", "1 c so"):
        reply, by_command = await said(crowd, "anna", text), await crowd.says("anna", f"/move {text}")
        assert reply is not None
        assert reply == by_command
        assert "You've already laid card 1." in reply.text


async def test_a_suggested_move_that_costs_something_is_asked_about_as_always(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    for name, line in (("anna", "/move d1-c1"), ("ben", "/move pasz"), ("ben", "[Pass]")):
        reply = await crowd.says(name, line)
    assert reply is not None
    assert "you lose. Are you sure?" in reply.text
    await crowd.says("ben", "[Yes, pass]")
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["d1-c1", "pass"]


async def test_what_is_meant_as_a_move_is_answered_in_the_private_chat_too(crowd: Crowd) -> None:
    await begun(crowd, "kalejdoschach")
    reply = await crowd.says("anna", "Tiger 3g to 3q.", place=Place(PlaceId("room:@anna"), private=True))
    assert reply is not None
    assert "3q" in reply.text


@pytest.mark.parametrize(
    ("game", "text", "action"),
    [
        ("kalejdoschach", "The roc from 1k to 2g.", "1k-2g"),
        ("kalejdoschach", "Mein Ruch zieht von 1k nach 2g", "1k-2g"),
        ("kalejdoschach", "Horse 1f to 8e!", "1f-8e"),
        ("kalejdoschach", "The hores from 1f to 8e.", "1f-8e"),
        ("kalejdoschach", "Pfred 1f nach 8e", "1f-8e"),
        ("kalejdoschach", "Pfrd 1f nach 8e", "1f-8e"),
        ("kalejdoschach", "Mein Rcuh zieht von 1k nach 2g.", "1k-2g"),
        ("kaleidoskop", "Yellow in 57.", "57y"),
        ("kaleidoskop", "57 in gelb", "57y"),
        ("kabooom hard", "Put the rock on b3", "r@b3"),
        ("kabooom easy", "von b1 auf c1", "b1-c1"),
    ],
)
@pytest.mark.parametrize("command", ["", "/move "])
async def test_small_words_in_a_move_are_skipped(
    crowd: Crowd, store: Store, game: str, text: str, action: str, command: str
) -> None:
    await begun(crowd, game)
    await (crowd.says("anna", command + text) if command else said(crowd, "anna", text))
    played = [entry.action for entry in await store.log((await here(store)).id)]
    assert played[:1] == [action]


@pytest.mark.parametrize("text", ["Horse 1f to 8e?", "horse 1f-8e …", "1f-8e?!"])
async def test_signs_at_the_end_of_a_command_are_skipped(crowd: Crowd, store: Store, text: str) -> None:
    await begun(crowd, "kalejdoschach")
    await crowd.says("anna", f"/move {text}")
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["1f-8e"]


@pytest.mark.parametrize("text", ["57 yelow.", "Move 57 yelow!", "Lege lilla in 57"])
async def test_a_similar_move_that_is_illegal_is_refused_at_once(crowd: Crowd, text: str) -> None:
    await begun(crowd, "kaleidoskop")
    await said(crowd, "anna", "57 lila end" if "lilla" in text else "57 yellow end")
    reply, by_command = await said(crowd, "ben", text), await crowd.says("ben", f"/move {text}")
    assert reply is not None
    assert reply == by_command
    assert "a crystal of this colour is already there" in reply.text
    assert "Did you mean" not in reply.text


@pytest.mark.parametrize(
    "text",
    [
        "Roc 1k takes 2k.",
        "Ruch 1k schlägt 2k",
        "Eagle 3f takes the roc on 3h.",
        "Adler 3f schlägt den Ruch auf 3h!",
        "Adlr 3f schlägt auf 3h.",
    ],
)
async def test_a_move_with_small_words_that_may_be_a_slip_is_asked_about(crowd: Crowd, text: str) -> None:
    await begun(crowd, "kalejdoschach")
    reply = await said(crowd, "anna", text)
    assert reply is not None
    assert "one of your own pieces" in reply.text


@pytest.mark.parametrize("words", ["put {}", "Put onto {}", "lege auf {}", "to {}"])
async def test_a_move_in_words_needs_no_command(crowd: Crowd, store: Store, words: str) -> None:
    """A cap that was lifted in Colorio goes onto an open field."""
    await begun(crowd, "colorio")
    await said(crowd, "anna", "a1 x b1 x c1 x")
    await said(crowd, "ben", "e5")
    cover = next(action for action in (await position(store)).actions() if str(action) != "x")
    assert await said(crowd, "ben", words.format(cover.field.upper())) is not None
    assert [entry.action for entry in await store.log((await here(store)).id)][-1] == str(cover)


@pytest.mark.parametrize("game", GAMES)
async def test_nobodys_small_talk_is_taken_for_a_move(crowd: Crowd, store: Store, game: str) -> None:
    await begun(crowd, game)
    before = await here(store)
    for text in (*TALK, "x" * 10_000, "b3 " * 3_000):
        for name in ("anna", "ben", "clara"):
            assert await said(crowd, name, text) is None, text
    assert await here(store) == before


@pytest.mark.parametrize(
    "text",
    [
        "Adlr gut 3f 8e",  # a second word that is none of the game
        "Adlr 3f",  # no whole move
        "Adlr in 5",  # no field
        "Ardl 3f nach 8e",  # two slips
        "Odler 3f nach 8e",  # in the first letter
        "Pfrd 1f oder 8e",
    ],
)
async def test_a_slip_in_a_short_word_needs_a_message_that_is_one_move(crowd: Crowd, store: Store, text: str) -> None:
    await begun(crowd, "kalejdoschach")
    before = await here(store)
    assert await said(crowd, "anna", text) is None
    assert await here(store) == before


async def answers(crowd: Crowd, name: str, text: str, post: MessageId) -> Reply | None:
    return await crowd.sends(name, PlainMessage(text, post))


async def board(store: Store) -> MessageId:
    """Return the newest board."""
    held = await store.at(ROOM.id)
    assert held is not None
    loaded = await store.load(held)
    assert loaded is not None
    assert loaded.board_message is not None
    return loaded.board_message.message


async def test_a_move_of_one_word_is_one_in_answer_to_the_newest_board_alone(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    older = await board(store)
    await said(crowd, "anna", "b1-c1")
    newest = await board(store)
    assert newest != older
    for word in ("x", "skip", "pass!", "pass?"):
        assert await said(crowd, "ben", word) is None, word
    assert await answers(crowd, "ben", "pass", older) is None
    assert await answers(crowd, "anna", "pass", newest) is None, "Ben is up"
    for talk in ("nice", "ok", "rock", "3", "pass!", "pass pass", "lol", "end"):
        assert await answers(crowd, "ben", talk, newest) is None, talk
    reply = await answers(crowd, "ben", "Pass", newest)
    assert reply is not None
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["b1-c1", "pass"]


@pytest.mark.parametrize("text", ["Pass.", "pass", "Aussetzen.", "AUSSETZEN"])
@pytest.mark.parametrize("place", [ROOM, Place(PlaceId("room:@anna"), private=True)])
async def test_the_label_of_a_button_is_a_move_of_one_word(crowd: Crowd, store: Store, text: str, place: Place) -> None:
    await begun(crowd, "kabooom easy")
    assert await said(crowd, "ben", text) is None, "Anna is up"
    assert await said(crowd, "anna", text, place) is not None
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["pass"]


async def test_a_typed_label_that_ends_the_game_is_asked_about_like_its_button(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    await said(crowd, "anna", "Pass")
    reply = await said(crowd, "ben", "Pass.")
    assert reply is not None
    assert reply.rows
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["pass"]


async def test_what_names_a_field_may_answer_anything_that_the_bot_has_posted(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    assert await answers(crowd, "anna", "b1-c1", MessageId("reminder")) is not None
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["b1-c1"]


async def test_words_after_a_move_are_not_part_of_it_in_a_chat(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "colorio")
    before = await here(store)
    for text in ("a1 xxx", "a1 XX", "a1 x xx", "a1..."):
        assert await said(crowd, "anna", text) is None, text
    assert await here(store) == before
    assert await said(crowd, "anna", "a1 x") is not None


@pytest.mark.parametrize("text", ["b1-c1.", "“b1-c1”", "`b1`-`c1`", "(b1-c1)", "«b1-c1.»", "\u200eb1-c1\u200f"])
async def test_punctuation_around_a_move_is_not_part_of_it(crowd: Crowd, store: Store, text: str) -> None:
    await begun(crowd, "kabooom easy")
    assert await said(crowd, "anna", text) is not None
    assert [entry.action for entry in await store.log((await here(store)).id)] == ["b1-c1"]


@pytest.mark.parametrize(
    ("name", "line", "answer"),
    [
        ("anna", "/mvoe b1-c1", "I don't know /mvoe. Did you mean /move?"),
        ("dora", "`/regel`", "/regel kenne ich nicht. Meintest du /regeln?"),
        ("anna", "/weather", "I don't understand “/weather”. /help shows what I can do."),
    ],
)
async def test_a_misspelt_command_is_answered_with_the_similar_one(
    crowd: Crowd, name: str, line: str, answer: str
) -> None:
    reply = await crowd.says(name, line)
    assert reply is not None
    assert reply.text == answer


async def test_dots_behind_a_move_are_a_thought(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kalejdoschach")
    before = await here(store)
    for text in ("1d-1b...", "1d-1b …", "1d-1b .."):
        assert await said(crowd, "anna", text) is None, text
        assert await said(crowd, "ben", text) is None, text
    assert await here(store) == before


async def test_without_a_game_nothing_is_said(crowd: Crowd) -> None:
    assert await said(crowd, "anna", "b1-c1") is None
    assert await said(crowd, "anna", "hello", Place(PlaceId("room:cellar"))) is None


async def test_alone_with_the_bot_a_bare_move_is_one_and_the_rest_is_asked_back(crowd: Crowd, store: Store) -> None:
    await begun(crowd, "kabooom easy")
    alone = Place(PlaceId("room:@anna"), private=True)
    assert "I don't understand" in str(await crowd.says("anna", "hello", place=alone))
    reply = await crowd.says("anna", "b1-c1", place=alone)
    assert reply is not None
    assert reply.text == "Played: b1 → c1"


def commands(raw: Redis) -> int:
    """Return the number of commands that the store has received."""
    statistics = cast("dict[str, dict[str, int]]", raw.info("commandstats"))
    ours = ("cmdstat_info", "cmdstat_config", "cmdstat_ping")
    return sum(command["calls"] for name, command in statistics.items() if not name.startswith(ours))


async def test_what_cannot_be_a_move_is_never_looked_up(crowd: Crowd, raw: Redis) -> None:
    await begun(crowd, "kabooom easy")
    before = commands(raw)
    assert await said(crowd, "anna", "good morning") is None
    assert commands(raw) == before


async def test_a_person_without_allowance_costs_the_store_nothing(crowd: Crowd, raw: Redis) -> None:
    await begun(crowd, "kabooom easy")
    for _ in range(AT_ONCE):
        await crowd.sends("anna", Typed("/help"))
    before = commands(raw)
    fast = say("trouble.fast", "en")
    for reply in (await said(crowd, "anna", "b1-c1"), await crowd.sends("anna", Typed("/help"))):
        assert reply is not None
        assert reply.text == fast
    assert await said(crowd, "anna", "good morning") is None, "nobody's small talk is answered"
    alone = Place(PlaceId("room:@anna"), private=True)
    reply = await crowd.sends("anna", Typed("good morning"), place=alone)
    assert reply is not None
    assert reply.text == fast
    assert commands(raw) == before
