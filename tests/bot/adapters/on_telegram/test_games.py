"""Whole games of the real service, played on Telegram as people play them."""

import random
from collections import Counter
from collections.abc import AsyncIterator

import pytest
from msgspec import Raw

from bot.adapters.on_telegram.chat import TelegramChat
from bot.app import build
from bot.delivery.painting import Pictures
from bot.replies.words import say
from bot.requests.commands import COMMANDS
from bot.runtime.clock import RealClock
from bot.service.service import Service
from bot.store.store import Store
from rules import GAMES, State, proof
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Answer, Key, Message
from tests.emulators.telegram.world import Chat as Group
from tests.emulators.telegram.world import Person as Member


class Bot:
    """The real bot on the emulated Telegram."""

    def __init__(self, telegram: Telegram, store: Store, service: Service, chat: TelegramChat) -> None:
        self.telegram = telegram
        self.store = store
        self.service = service
        self.chat = chat

    async def calm(self) -> None:
        """Wait until everything that people did is handled and posted."""
        await self.telegram.handled()
        await self.service.idle()

    async def state(self, hall: Group) -> State:
        """Return the stored position."""
        table = await self.store.at(hall.place)
        assert table is not None
        loaded = await self.store.load(table)
        assert loaded is not None
        assert isinstance(loaded.table.state, Raw)
        return GAMES[loaded.table.game].decode(bytes(loaded.table.state))

    async def stop(self) -> None:
        await self.chat.stop()
        await self.service.stop()


@pytest.fixture
async def bot(telegram: Telegram, store: Store, painter: Pictures) -> AsyncIterator[Bot]:
    service = build(store, painter, RealClock(), draw=lambda n: "07" * n)
    chat = TelegramChat(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
    service.add(chat)
    await chat.start(service, MemoryStorage())
    made = Bot(telegram, store, service, chat)
    yield made
    await made.stop()


@pytest.fixture
def hall(telegram: Telegram) -> Group:
    return telegram.group("Hall", telegram.person("Anna", lang="en"), telegram.person("Ben"), telegram.person("Clara"))


async def begin(bot: Bot, hall: Group, *options: str) -> None:
    anna, *others = hall.members
    await anna.types(" ".join(("/newgame kabooom", *options)), hall)
    await hall.offers("Join")
    for other in others:
        await other.presses("Join", hall)
    await anna.presses("Start", hall)
    await bot.calm()


def called(hall: Group) -> Member | None:
    """Return the person that the newest board calls; None when the game is over."""
    pinged = hall.newest().pinged()
    assert len(pinged) <= 1
    return next((person for person in hall.members if person.id in pinged), None)


async def typed(bot: Bot, hall: Group, luck: random.Random) -> str:
    """Type a legal move as the actor, picked by *luck*, and return it."""
    person = called(hall)
    assert person is not None
    action = str(luck.choice((await bot.state(hall)).actions()))
    await person.types(f"/move {action}", hall)
    await bot.calm()
    return action


def choices(message: Message) -> list[Key]:
    """Return the buttons of a menu that continue it (not those for closing and going back)."""
    keys = [key for row in message.keys for key in row if not key.text.startswith("↩")]
    return [key for key in keys if key.data.startswith(("menu:", "play:", "sure:")) and key.text != "Move"]


async def tapped(bot: Bot, person: Member, key: Key, message: Message) -> None:
    """Tap *key* as *person*, and check that the message shows the result."""
    edits = message.edits
    await person.taps_key(key, message).answered()
    await bot.telegram.until(lambda: message.edits > edits or None, "the buttons change")
    await bot.calm()


async def more(hall: Group, than: int) -> None:
    """Wait until the bot has said more than so many messages in *hall*."""
    await hall.telegram.until(lambda: len(hall.said()) > than or None, f"something new in {hall.place}")


# Whole games


async def test_three_people_play_a_whole_game_by_typing(telegram: Telegram, bot: Bot, hall: Group) -> None:
    await begin(bot, hall, "easy")
    luck, turns = random.Random(7), Counter[int]()
    while (person := called(hall)) is not None:
        turns[person.id] += 1
        boards = len(hall.said())
        await typed(bot, hall, luck)
        assert len(hall.said()) == boards + 1, "every turn is one post"
        assert [message.number for message in hall.said() if message.keys] == [hall.newest().number]
    assert {person.id: len(person.pings()) for person in hall.members} == turns
    assert sum(turns.values()) > 10
    assert "wins" in hall.newest().text or "win!" in hall.newest().text
    assert "Rematch" in hall.newest().flat
    assert [person.private().messages for person in hall.members] == [[], [], []], "nobody was written to privately"


async def test_three_people_play_a_whole_game_by_taps_only(telegram: Telegram, bot: Bot, hall: Group) -> None:
    anna, ben, clara = hall.members
    await anna.types("/newgame kabooom", hall)
    await anna.presses("Options", hall)
    menu = await hall.offers("Easy")
    await tapped(bot, anna, menu.key("Easy"), menu)
    await ben.presses("Join", hall)
    await anna.presses("✕", menu)
    assert menu.deleted
    await clara.presses("Join", hall)
    await ben.presses("Leave", hall)
    await ben.presses("Join", hall)
    assert (await ben.presses("Start", hall)).alert, "only the host starts"
    await anna.presses("Start", hall)
    await bot.calm()
    luck, taps = random.Random(3), 0
    while (person := called(hall)) is not None:
        board = hall.newest()
        key = board.key("Move") if board.has("Move") else luck.choice(choices(board))
        await tapped(bot, person, key, board)
        taps += 1
    assert taps > 20
    assert "Rematch" in hall.newest().flat
    assert all(not message.keys for message in hall.said()[:-1])
    before = len(hall.said())
    await clara.presses("Rematch", hall)
    await bot.calm()
    assert len(hall.said()) == before + 1
    assert hall.newest().has("Join")


async def test_a_game_is_chosen_in_the_place_of_the_request(telegram: Telegram, bot: Bot, hall: Group) -> None:
    anna = hall.members[0]
    await anna.opens()
    await anna.types("/newgame", hall)
    menu = await hall.offers("Kabooom!")
    await anna.presses("Kabooom!", menu)
    await hall.shows("who's playing?")
    await telegram.until(lambda: menu.deleted, "the choice is made")
    assert not any("who's playing?" in message.text for message in anna.private().said())


async def test_a_film_is_public_and_the_proof_is_private(telegram: Telegram, bot: Bot, hall: Group) -> None:
    anna, ben = hall.members[:2]
    await anna.opens()
    await begin(bot, hall, "easy")
    await typed(bot, hall, random.Random(4))
    await ben.types("/replay", hall)
    film = (await hall.shows("the replay")).file
    assert film is not None
    assert (film.kind, film.content[:6]) == ("animation", b"GIF89a")
    hall.admins.append(anna)
    await anna.types("/end", hall)
    await anna.presses("Yes, end it", hall)
    await bot.calm()
    await anna.types("/verify", hall)
    answer = (await anna.private().shows("seed: 0707")).file
    assert answer is not None
    assert proof.check(proof.decode(answer.content)).outcome is None
    assert not any("0707" in message.text for message in hall.said())


async def test_a_game_in_a_topic_and_one_in_its_group_do_not_meet(telegram: Telegram, bot: Bot, hall: Group) -> None:
    anna, ben, _ = hall.members
    topic = hall.topic("Games")
    for where in (hall, topic):
        await anna.types("/newgame kabooom easy", where)
        await ben.presses("Join", where)
        await anna.presses("Start", where)
    await bot.calm()
    assert len(topic.said()) == len(hall.said()) == 2
    pinged = next(person for person in (anna, ben) if person.id in topic.newest().pinged())
    await pinged.types("/move", topic)
    await topic.offers("✕")
    assert topic.newest().quoted is not None
    assert len(hall.said()) == 2


# --- Improper input


async def test_refusals_are_private_name_the_rule_and_change_nothing(telegram: Telegram, bot: Bot, hall: Group) -> None:
    await begin(bot, hall, "easy")
    stranger = telegram.person("Dora")
    hall.members.append(stranger)
    actor = called(hall)
    assert actor is not None
    waiting = next(person for person in hall.members if person is not actor and person is not stranger)
    board, before = hall.newest(), await bot.state(hall)
    keys = board.keys
    assert "have a seat" in (await stranger.presses("Move", board)).text
    assert f"It's {actor.name}'s turn" in (await waiting.presses("Move", board)).text
    for person, text, words in (
        (stranger, "/move a1-a2", "have a seat"),
        (waiting, "/move a1-a2", f"It's {actor.name}'s turn"),
        (actor, "/move a1-f4", "Your move can start"),
        (actor, "/move " + "x" * 4000, ""),
        (actor, "/move 🧨👩\u200d👩\u200d👧 \u202ea1", ""),
        (actor, "/move <b>&amp;</b> @everyone", ""),
        (actor, "/move ../../etc/passwd\x00", ""),
    ):
        person.private().closed = False
        answers = len(person.private().said())
        await person.types(text, hall)
        await more(person.private(), answers)
        assert words in person.private().newest().text
    assert await bot.state(hall) == before
    assert (hall.newest(), board.keys) == (board, keys)


async def test_an_illegal_move_lists_legal_ones_and_a_button(telegram: Telegram, bot: Bot, hall: Group) -> None:
    await begin(bot, hall, "easy")
    actor = called(hall)
    assert actor is not None
    actor.private().closed = False
    await actor.types("/move a1-f4", hall)
    message = await actor.private().offers("Move")
    assert (await bot.state(hall)).actions()[0].parts[0] in message.text
    await actor.taps_key(message.key("Move"), message).answered()
    menu = await telegram.until(
        lambda: next((message for message in actor.private().said() if choices(message)), None),
        "a menu takes its place",
    )
    assert menu.picture is not None
    assert message.deleted


async def test_a_bare_move_in_answer_to_the_board_is_played_and_talk_is_not(
    telegram: Telegram, bot: Bot, hall: Group
) -> None:
    await begin(bot, hall, "easy")
    actor, board = called(hall), hall.newest()
    assert actor is not None
    before = await bot.state(hall)
    for talk in ("no", "ok", "b3?", "what now?"):
        await actor.types(talk, hall, quoting=board)
    await actor.types("pass", hall)
    await actor.types(str(before.actions()[0]), hall)  # said to all, not to the bot
    await telegram.handled()
    assert await bot.state(hall) == before
    await actor.types(str(before.actions()[0]), hall, quoting=board)
    await hall.shows("climbs from")
    assert await bot.state(hall) == before.play(before.actions()[0])


async def test_a_lesson_goes_on_in_the_private_chat_which_a_link_opens(
    telegram: Telegram, bot: Bot, hall: Group
) -> None:
    anna = hall.members[0]
    await anna.types("/newgame kabooom", hall)
    await hall.shows("who's playing?")
    answer = await anna.presses("Learn it in two minutes", hall)
    assert answer.url.startswith("https://t.me/")
    await anna.follows(answer.url)
    message = await anna.private().shows("a lesson")
    assert message.picture is not None
    await anna.presses("b2 → b3", message)
    await anna.private().shows("your piece doesn't beat")
    await anna.presses("b2 → c2", message)
    await anna.private().shows("two pieces, two points")
    await anna.presses("Next", message)
    await anna.private().shows("its own kind")
    assert len(anna.private().said()) == 1, "the lesson goes on in its own message"
    assert not any("lesson" in message.text for message in hall.said())


async def test_names_with_markup_stay_names(telegram: Telegram, bot: Bot) -> None:
    odd = telegram.person("<b>Anna</b> & \u202e@ben_the_tall", "{who}")
    ben = telegram.person("Ben", username="ben_the_tall")
    nameless = telegram.person("\u3000")
    hall = telegram.group("<Hall>", odd, ben, nameless)
    await begin(bot, hall, "easy")
    luck = random.Random(1)
    for _ in range(3):
        actor = called(hall)
        assert actor is not None, "exactly one person is pinged, whatever the others are called"
        await typed(bot, hall, luck)
    assert any("<b>Anna</b> &" in message.text for message in hall.said())


# Twice, late, and too much


async def test_a_button_of_an_older_board_plays_nothing(telegram: Telegram, bot: Bot, hall: Group) -> None:
    await begin(bot, hall, "easy")
    actor = called(hall)
    assert actor is not None
    board = hall.newest()
    await tapped(bot, actor, board.key("Move"), board)
    old = choices(board)[0]
    luck = random.Random(5)
    for _ in range(3):
        await typed(bot, hall, luck)
    assert called(hall) is actor
    before, boards = await bot.state(hall), len(hall.said())
    actor.private().closed = False
    answer = await actor.taps_key(old, board).answered()
    assert answer.text == say("moved_on.below", "en")
    assert not actor.private().said()  # nothing is sent for an old button, however often it is pressed
    assert (await bot.state(hall), len(hall.said())) == (before, boards)


async def test_where_photos_are_not_allowed_the_game_goes_on_in_words(
    telegram: Telegram, bot: Bot, hall: Group
) -> None:
    hall.pictureless = True
    await begin(bot, hall, "easy")
    luck = random.Random(5)
    for _ in range(3):
        await typed(bot, hall, luck)
    assert (
        sum(say("board.unpictured", "en") in message.text for message in hall.said()) == 1
    )  # a missing right is reported once
    assert "is to move" in hall.newest().text
    hall.pictureless = False
    await typed(bot, hall, luck)
    assert hall.newest().picture is not None


async def test_a_button_pressed_twice_at_once_plays_once(telegram: Telegram, bot: Bot, hall: Group) -> None:
    await begin(bot, hall, "easy")
    actor = called(hall)
    assert actor is not None
    actor.private().closed = False
    board = hall.newest()
    await tapped(bot, actor, board.key("Move"), board)
    while not (result := [key for key in choices(board) if key.data.startswith("play:")]):
        await tapped(bot, actor, choices(board)[0], board)
    boards = len(hall.said())
    first, second = actor.taps_key(result[0], board), actor.taps_key(result[0], board)
    await first.answered()
    await second.answered()
    await bot.calm()
    assert len(hall.said()) == boards + 1
    assert called(hall) is not actor


async def test_updates_that_come_twice_are_applied_once(telegram: Telegram, bot: Bot, hall: Group) -> None:
    await begin(bot, hall, "easy")
    luck = random.Random(11)
    for _ in range(3):
        await typed(bot, hall, luck)
    before, boards = await bot.state(hall), len(hall.said())
    telegram.repeats()
    hall.members[0].private().closed = False
    await hall.members[0].types("/help", hall)
    await hall.members[0].private().offers("Kabooom! rules")
    await bot.calm()
    assert (await bot.state(hall), len(hall.said())) == (before, boards)


async def test_a_flooded_group_delays_no_other(telegram: Telegram, bot: Bot, hall: Group) -> None:
    other = telegram.group("Other", *hall.members)
    for group in (hall, other):
        await begin(bot, group, "easy")
    actor = called(hall)
    assert actor is not None
    telegram.floods(hall, seconds=12)  # longer than a busy machine needs for four boards
    move = str((await bot.state(hall)).actions()[0])
    await actor.types(f"/move {move}", hall)
    luck = random.Random(2)
    for _ in range(4):
        person = called(other)
        assert person is not None
        boards = len(other.said())
        await person.types(f"/move {luck.choice((await bot.state(other)).actions())}", other)
        await more(other, boards)
        assert called(hall) is actor, "the flooded group still waits for its board"
    await telegram.until(lambda: called(hall) is not actor or None, "the flooded group has its board")
    assert hall.impatient == 0


async def test_errors_and_lost_connections_lose_no_board(telegram: Telegram, bot: Bot, hall: Group) -> None:
    await begin(bot, hall, "easy")
    luck = random.Random(4)
    for trouble in (telegram.fails, telegram.drops):
        trouble("sendPhoto")
        actor = called(hall)
        await typed(bot, hall, luck)
        assert called(hall) is not actor


async def test_a_bot_thrown_out_says_nothing_and_asked_back_goes_on(telegram: Telegram, bot: Bot, hall: Group) -> None:
    anna, ben = hall.members[:2]
    hall.takes_the_bot_in(anna)
    await hall.shows("Kaleidobot")
    await begin(bot, hall, "easy")
    said, board = len(hall.said()), hall.said()[-1]
    hall.throws_the_bot_out()
    await bot.calm()
    assert len(hall.said()) == said
    hall.takes_the_bot_in(anna)
    await ben.opens()
    await ben.private().shows("Kaleidobot")
    assert sum("Kaleidobot" in message.text for message in hall.said()) == 1, "it introduces itself once"
    await bot.calm()
    assert hall.said()[-1] is not board, "the newest board comes by itself, and the game goes on"


async def test_a_link_that_adds_the_bot_greets_and_starts_no_lobby(bot: Bot, hall: Group) -> None:
    """Telegram types /start for a person who follows the link, and /start starts the lobby in the group."""
    anna, ben = hall.members[:2]
    await anna.types("/newgame kabooom", hall)
    await hall.offers("Join")
    await ben.presses("Join", hall)
    hall.takes_the_bot_in(anna)
    await anna.types("/start@kaleido_bot true", hall)
    await bot.calm()
    await hall.shows("Kaleidobot")
    assert len([message for message in hall.said() if message.has("Start")]) == 1, "it waits as before"
    await anna.types("/start@kaleido_bot", hall)
    await bot.calm()
    assert called(hall) in (anna, ben), "and starts when somebody says so"


async def test_a_group_that_becomes_a_supergroup_keeps_its_game(telegram: Telegram, bot: Bot, hall: Group) -> None:
    old = telegram.group("Old", *hall.members, kind="group")
    await begin(bot, old, "easy")
    actor = called(old)
    assert actor is not None
    new = old.becomes_supergroup()
    await bot.calm()
    assert called(new) is actor, "the board is shown again in the new place"
    luck = random.Random(4)
    for _ in range(3):
        await typed(bot, new, luck)


async def test_games_leads_to_the_newest_board_in_groups_and_topics(bot: Bot, hall: Group) -> None:
    anna, ben, _ = hall.members
    await begin(bot, hall, "easy")
    topic = bot.telegram.group("Forum", anna, ben).topic("Games")
    small = bot.telegram.group("Small", anna, ben, kind="group")
    await anna.opens()
    for place in (topic, small, anna.private()):
        await anna.types("/newgame kabooom", place)
        await bot.calm()
    await typed(bot, hall, random.Random(2))
    await anna.types("/games", hall)
    mine = await anna.private().shows("4 tables")
    results = [anna.jumps(key.text, mine) for row in mine.keys for key in row if key.url]
    assert sorted(results, key=lambda message: message.chat.id) == [topic.newest(), hall.newest()]
    assert mine.text.count("open that chat and type /board") == 2, "Telegram has no addresses there"
    assert all("4 tables" not in message.text for message in hall.said()), "where else I play is my own business"


async def test_admins_set_the_place_in_the_group_and_people_set_theirs_in_private(bot: Bot, hall: Group) -> None:
    anna, ben, _ = hall.members
    await anna.opens()
    await ben.opens()
    await anna.types("/settings", hall)
    place = await hall.shows("Settings for everyone here")
    await tapped(bot, anna, place.key("Deutsch"), place)
    await anna.types("/newgame kabooom", hall)
    assert "wer spielt mit?" in (await hall.offers("Mitspielen")).text
    await ben.types("/settings", hall)
    await ben.private().shows("My settings", "Your local time is ")
    await anna.presses("My settings", place)
    await anna.private().shows("My settings")
    assert not any("My settings" in message.text for message in hall.said()), "when I sleep is my own business"


async def test_an_admin_finds_everything_needed_in_the_help(bot: Bot, hall: Group) -> None:
    anna = hall.members[0]
    await anna.opens()
    await anna.types("/help", hall)
    page = await anna.private().shows("Board games for this chat")
    await tapped(bot, anna, page.key("⏭"), page)
    for words in ("/settings", "/end", "/board", "“Privacy”", "/rules", "make me an admin"):
        assert words in page.text


async def test_a_tap_on_an_empty_place_of_a_menu_leaves_the_menu_as_it_is(bot: Bot, hall: Group) -> None:
    """Telegram cannot switch a button off: what only fills its place is pressed, too."""
    await begin(bot, hall, "easy")
    person = called(hall)
    assert person is not None
    await person.types("/move", hall)
    await bot.calm()
    menu = hall.newest()
    while not (empty := [key for row in menu.keys for key in row if key.text == "·"]):
        await tapped(bot, person, choices(menu)[0], menu)
    before = menu.flat
    assert await person.taps_key(empty[0], menu).answered() == Answer()
    await bot.calm()
    assert (menu.deleted, menu.flat) == (False, before)


async def test_a_muted_group_has_board_and_reason_in_the_private_chat(bot: Bot, hall: Group) -> None:
    await begin(bot, hall, "easy")
    ben = hall.members[1]
    await ben.opens()
    hall.wordless = True
    await typed(bot, hall, random.Random(7))
    await ben.types("/board", hall)
    told = await ben.private().shows("I'm muted there", "its clock is stopped", "An admin can let me")
    assert told.picture is not None
    hall.wordless = False
    await ben.types("/board", hall)
    await hall.shows("it's your turn")
