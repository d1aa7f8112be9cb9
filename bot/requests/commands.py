"""The table of commands, and what an update asks for. Knows no platform.

Adapters generate their menus from `COMMANDS`; names and descriptions are texts ``command.<name>…`` of the table's
catalogue. Typed text, named arguments and pressed buttons all become one of `bot.requests`.
"""

from collections.abc import Mapping
from functools import cache
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

import texts
from bot.chat import Body, Opened, PlainMessage, Press, SlashCommand, Typed, Update
from bot.requests import (
    Agree,
    Board,
    ChooseCalls,
    ChooseClock,
    ChooseColour,
    ChooseLevel,
    ChooseOption,
    Close,
    Decide,
    Draw,
    End,
    Export,
    Follow,
    Forget,
    Games,
    Help,
    Hide,
    Hint,
    History,
    Invite,
    Join,
    Learn,
    Leave,
    Menu,
    Missed,
    More,
    Move,
    NewGame,
    NewThread,
    Nothing,
    Options,
    Play,
    PlayWith,
    Privacy,
    Rematch,
    Replay,
    Request,
    Resign,
    Rules,
    Set,
    Settings,
    ShowReview,
    Stamp,
    Start,
    Stats,
    Top,
    Undo,
    Unknown,
    Verify,
    View,
    Welcome,
    payload,
)
from bot.requests.payload import Payload, Verb
from rules import GAMES
from rules.notation import plain

LONGEST_TEXT = 400
"""More than any turn of any game needs; longer texts are not looked at."""


class Argument(Struct, frozen=True):
    """*choices*: "games" for the ids of all games, "clocks" for times of a turn, "people" for anybody here (by name or
    mention, where nobody can be chosen), "" for free text.

    *completes*: asked for completions. *former*: its name before; a client that has not learned the new one sends that.
    """

    name: str
    required: bool = False
    choices: str = ""
    completes: bool = False
    former: str = ""


class Command(Struct, frozen=True):
    """*manages*: does more for those who may manage the place, so the adapter has to find out who may.

    *alone*: what comes of it is for whoever gave it, or is told by a post; others need not see that it was given."""

    name: str
    arguments: tuple[Argument, ...] = ()
    manages: bool = False
    alone: bool = False


COMMANDS = (
    Command(
        "newgame",
        (Argument("game", choices="games"), Argument("clock", choices="clocks"), Argument("options", completes=True)),
        manages=True,
    ),
    Command("join"),
    Command("leave"),
    Command("start"),
    Command("move", (Argument("move", completes=True, former="notation"),), alone=True),
    Command("board"),
    Command("view", alone=True),
    Command("hint", alone=True),
    Command("undo"),
    Command("draw"),
    Command("resign"),
    Command("end", manages=True),
    Command("rematch", manages=True),
    Command("games", alone=True),
    Command("history", alone=True),
    Command("stats", (Argument("person", choices="people"),), alone=True),
    Command("top", (Argument("game", choices="games"),), alone=True),
    Command("replay", (Argument("position"),)),
    Command("verify", alone=True),
    Command("settings", manages=True, alone=True),
    Command("privacy", alone=True),
    Command("rules", (Argument("game", choices="games"),), alone=True),
    Command("learn", (Argument("game", choices="games"),), alone=True),
    Command("help", alone=True),
)
INVITE = "invite"
"""What is done to a person rather than typed, where a platform has such commands: `bot.chat.Update.chosen_person`."""
BY_NAME: Mapping[str, Command] = {command.name: command for command in COMMANDS}


def command_named(word: str) -> Command | None:
    """The command that *word* names, in English or as one of the other languages calls it.

    >>> found = command_named("NeuesSpiel")
    >>> found.name, command_named("nothing")
    ('newgame', None)
    """
    name = plain(word)
    return BY_NAME.get(name) or _translated().get(name)


def called(command: Command, lang: str) -> str:
    """What a language calls *command*, as it can be typed."""
    return plain(texts.find("table", f"command.{command.name}.name", lang) or command.name)


@cache
def _translated() -> Mapping[str, Command]:
    return {called(command, lang): command for lang in texts.languages() for command in COMMANDS}


MANAGING = frozenset({Verb.NEW, Verb.THREAD, Verb.WITH, Verb.AGAIN, Verb.MORE, Verb.END, Verb.SETTINGS, Verb.SET})
"""Buttons that do more for those who may manage the place."""


def asks_to_manage(body: Body) -> bool:
    """Whether it matters for *body* if its person may manage the place, which may cost the adapter a question.

    >>> asks_to_manage(Press("set:place:0.1")), asks_to_manage(Typed("/move a1-b1"))
    (True, False)
    """
    match body:
        case Press(pressed_payload):
            pressed = payload.read(pressed_payload)
            return pressed is not None and pressed.verb in MANAGING
        case SlashCommand(name):
            return name in BY_NAME and BY_NAME[name].manages
        case Typed(text):
            command = command_named(text[:40].strip().removeprefix("/").partition(" ")[0])
            return command is not None and command.manages
        case Opened() | PlainMessage():
            return False
        case other:
            assert_never(other)


def parse(update: Update) -> Request:
    """What *update* asks for; `Unknown` for anything that cannot be read.

    >>> from bot.chat import Body, Person, Place
    >>> def typed(text): return parse(Update("x:1", Person("x:anna", "Anna"), Place("x:hall"), Typed(text)))
    >>> typed("/move b3-c4")
    Move(text='b3-c4')
    >>> typed("/NEWGAME  Nothing hard")
    NewGame(game='nothing', wishes=('hard',), house=False)
    >>> typed("/regeln colorio")
    Rules(game='colorio', page=0)
    """
    match update.body:
        case Press(pressed_payload):
            pressed = payload.read(pressed_payload)
            return Unknown("") if pressed is None else _pressed(pressed)
        case SlashCommand(name, arguments):
            return _command(name, named(name, arguments))
        case Typed(text):
            name, _, rest = text[: LONGEST_TEXT + 100].strip().removeprefix("/").partition(" ")
            command = command_named(name)
            if command is None:
                return Unknown(text[:80])
            return _command(command.name, {each.name: rest.strip() for each in command.arguments[:1]})
        case PlainMessage(text):
            return Move(text)
        case Opened():
            return Welcome()
        case other:
            assert_never(other)


def named(command: str, arguments: Mapping[str, str]) -> dict[str, str]:
    """*arguments* by the names that they have now.

    >>> named("move", {"notation": "b3"})
    {'move': 'b3'}
    """
    known = BY_NAME[command].arguments if command in BY_NAME else ()
    now = {each.former: each.name for each in known if each.former}
    return {now.get(name, name): value for name, value in arguments.items()}


def _command(name: str, arguments: Mapping[str, str]) -> Request:
    match name:
        case "newgame":
            if not plain(arguments.get("game", "")[:LONGEST_TEXT]):  # a time alone, for example: which game?
                return NewGame(None)
            return _new_game(" ".join(arguments.get(name, "") for name in ("game", "clock", "options")))
        case "invite":  # `INVITE`
            return PlayWith()
        case "join":
            return Join()
        case "leave":
            return Leave()
        case "start":
            return Start()
        case "move":
            text = arguments.get("move", "")
            return Move(text) if text.strip() else Menu()
        case "board":
            return Board()
        case "view":
            return View()
        case "hint":
            return Hint()
        case "resign":
            return Resign()
        case "end":
            return End()
        case "undo":
            return Undo()
        case "draw":
            return Draw()
        case "rematch":
            return Rematch()
        case "games":
            return Games()
        case "history":
            return History()
        case "stats":
            return Stats(arguments.get("person", "").strip()[:LONGEST_TEXT])
        case "top":
            return Top(game_named(arguments.get("game", "")))
        case "replay":
            return Replay(position=_position(arguments.get("position", "")))
        case "verify":
            return Verify()
        case "rules":
            return Rules(game_named(arguments.get("game", "")))
        case "learn":
            return Learn(
                game_named(arguments.get("game", "")) or plain(arguments.get("game", "")[:LONGEST_TEXT]) or None
            )
        case "privacy":
            return Privacy()
        case "settings":
            return Settings()
        case "help":
            return Help()
        case _:
            return Unknown(name[:80])


def _new_game(text: str) -> NewGame:
    first, *wishes = plain(text[:LONGEST_TEXT]).split(" ")
    return NewGame(game_named(first) or first or None, tuple(wishes))


def _position(text: str) -> int | None:
    wish = plain(text[:LONGEST_TEXT])
    if not wish:
        return None
    return int(wish) if wish.isdecimal() and wish.isascii() and len(wish) < 6 else -1


def game_named(word: str) -> str | None:
    """The id of the game that *word* is or begins, in any case, marks left out; None for no or several games."""
    wish = "".join(c for c in plain(word[:LONGEST_TEXT]) if c.isalnum())
    if wish in GAMES:
        return wish
    found = [game for game in GAMES if wish and game.startswith(wish)]
    return found[0] if len(found) == 1 else None


def _pressed(pressed: Payload) -> Request:
    table, numbers = pressed.table, pressed.numbers
    stamp = Stamp(numbers[0] if numbers else None, pressed.mark)
    match pressed.verb, len(numbers):
        case Verb.NEW, n:
            return NewGame(pressed.word or None, house=n == 1)
        case Verb.THREAD, _:
            return NewThread(pressed.word, numbers)
        case Verb.WITH, _:
            return PlayWith(pressed.word, numbers)
        case Verb.JOIN, _:
            return Join(table)
        case Verb.LEAVE, _:
            return Leave(table)
        case Verb.START, _:
            return Start(table)
        case Verb.OPTIONS, n:
            return Options(table, numbers[0] if n else 0)
        case Verb.OPTION, 2:
            return ChooseOption(table, *numbers)
        case Verb.COLOUR, 1:
            return ChooseColour(table, *numbers)
        case Verb.CLOCK, 1:
            return ChooseClock(table, numbers[0])
        case Verb.LATE, 1:
            return ChooseClock(table, numbers[0], late=True)
        case Verb.HOUSE, 0 | 1:
            return Invite(table, *numbers)
        case Verb.LEVEL, 1 | 2 as n:
            return ChooseLevel(table, numbers[0], starting=n == 2)
        case Verb.CALLS, 1:
            return ChooseCalls(table, numbers[0])
        case Verb.DECIDE, 2 | 3:
            return Decide(table, stamp, numbers[1], sure=numbers[2:] == (1,))
        case Verb.SETTINGS, n:
            return Settings(pressed.word, numbers[0] if n else 0)
        case Verb.SET, 2:
            return Set(pressed.word, *numbers)
        case Verb.PLAY, 2:
            return Play(table, stamp, numbers[1])
        case Verb.SURE, 2:
            return Play(table, stamp, numbers[1], sure=True)
        case Verb.MENU, 0:
            return Menu(table)
        case Verb.MENU, n if n >= 2:
            return Menu(table, stamp, numbers[2:], numbers[1])
        case Verb.CLOSE, _:
            return Close(table or None)
        case Verb.NONE, _:
            return Nothing()
        case Verb.BOARD, _:
            return Board(table)
        case Verb.VIEW, _:
            return View(table)
        case Verb.MISSED, n:
            return Missed(table, numbers[0] if n else 0)
        case Verb.FOLLOW, 1:
            return Follow(table, stamp)
        case Verb.HINT, _:
            return Hint(table)
        case Verb.RESIGN, n:
            if not n:
                return Resign(table)
            # Version 0.1.0 wrote a 1 where the question was answered, and no mark.
            return Resign(table, stamp if pressed.mark else Stamp(None), sure=n == 1)
        case Verb.MORE, _:
            return More(table)
        case Verb.END, n:
            return End(table, stamp, sure=n == 2)
        case Verb.DRAW, _:
            return Draw(table, replace(stamp, of_turn=True))
        case Verb.UNDO, _:
            return Undo(table, stamp)
        case Verb.AGREE, 1:
            return Agree(table, stamp, yes=True)
        case Verb.REFUSE, 1:
            return Agree(table, stamp, yes=False)
        case Verb.AGAIN, _:
            return Rematch(table)
        case Verb.GAMES, 1:
            return Games(numbers[0])
        case Verb.HISTORY, 1:
            return History(table, numbers[0])
        case Verb.TOP, _:
            return Top(pressed.word)
        case Verb.PRIVACY, _:
            return Privacy()
        case Verb.EXPORT, _:
            return Export()
        case Verb.HIDE, 1:
            return Hide(numbers[0] == 1)
        case Verb.FORGET, n:
            return Forget(sure=n == 1)
        case Verb.REPLAY, n:
            return Replay(table, numbers[0] if n else None)
        case Verb.VERIFY, _:
            return Verify(table)
        case Verb.REVIEW, n:
            return ShowReview(table, numbers[0] if n else None)
        case Verb.RULES, 1:
            return Rules(pressed.word or None, numbers[0])
        case Verb.LEARN, n if n <= 2:
            return Learn(pressed.word or None, numbers[0] if n else 0, numbers[1] if n == 2 else None)
        case Verb.HELP, n:
            return Help(numbers[0] if n else 0)
        case _:
            return Unknown("")
