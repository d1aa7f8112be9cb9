"""All requests that people can make, one class for each kind. Knows no platform.

`bot.requests.registry` explains a declaration. `bot.requests.parsing` reads requests from updates; methods with
`bot.service.feature.answers` answer them. Menus list the commands in the order of this file.
"""

from collections.abc import Mapping

from msgspec.structs import replace

from bot.requests.arguments import LONGEST_NOTE, LONGEST_TEXT, game_named, game_of, position_of, word_of
from bot.requests.registry import (
    GAME,
    LOBBY,
    LOOK,
    OWN_DATA,
    Argument,
    Command,
    Gate,
    Request,
    Scope,
    request,
)
from bot.requests.stamps import QuestionStamp, Stamp, TurnStamp
from bot.tables import codes
from bot.tables.table import TableId
from rules.notation import plain, unwrapped

__all__ = ["QuestionStamp", "Request", "Stamp", "TurnStamp"]

MANAGES = Gate(manages=True)
CROWD = Gate(Scope.GAME, crowd=True)
A_GAME = (Argument("game", choices="games"),)

# Before a game begins


@request(
    "new",
    gate=MANAGES,
    command=Command(
        "newgame",
        (Argument("game", choices="games"), Argument("clock", choices="clocks"), Argument("options", completes=True)),
    ),
    label="button.other_game",
    plays=True,
)
class NewGame(Request, frozen=True):
    """Open a table.

    *game* None: list the games. *house*: the house takes the missing seats and plays gently. *first*: it is the
    shortest game, and begins at once. *wishes*: choices of the game's options by their own names ("hard").
    """

    game: str | None = None
    house: bool = False
    first: bool = False
    wishes: tuple[str, ...] = ()

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "NewGame":
        if not word_of(arguments, "game"):  # only a clock, for example: which game?
            return cls()
        text = " ".join(arguments.get(name, "") for name in ("game", "clock", "options"))
        first, *wishes = plain(unwrapped(text[:LONGEST_TEXT])).split(" ")
        return cls(game_named(first) or first or None, wishes=tuple(wishes))


@request("thread", gate=MANAGES)
class NewThread(Request, frozen=True):
    """Open a table in a thread, because this place is taken. *wishes*: by number (`bot.replies.wishes`)."""

    game: str
    wishes: tuple[int, ...] = ()


@request("with", gate=MANAGES, command=Command("invite", listed=False))
class PlayWith(Request, frozen=True):
    """Open a table and invite a person: the one chosen on the platform, or *account*.

    *game* None: ask which game. *account*: see `bot.requests.payload.parts`.
    """

    game: str | None = None
    account: tuple[int, ...] = ()


@request(
    "join",
    gate=LOBBY,
    command=Command("join", (Argument("code"),), manages=True),
    label="button.join",
    plays=True,
)
class Join(Request, frozen=True):
    """Take a seat. The command with a code answers the invitation of another channel."""

    table: TableId | None = None

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> Request:
        text = arguments.get("code", "")[:LONGEST_TEXT]
        return AnswerInvitation(code=codes.read(text) or ()) if text.strip() else cls()


@request("leave", gate=LOBBY, command=Command("leave"), label="button.leave")
class Leave(Request, frozen=True):
    table: TableId | None = None


@request("start", gate=LOBBY, command=Command("start"), label="button.start")
class Start(Request, frozen=True):
    table: TableId | None = None


@request("options", gate=LOBBY, label="button.options")
class Options(Request, frozen=True):
    """Show a page of the options."""

    table: TableId
    page: int = 0


@request("option", gate=LOBBY)
class ChooseOption(Request, frozen=True):
    """Set one of the game's options; *option* and *choice* are numbers in the game's order."""

    table: TableId
    option: int
    choice: int


@request("colour", gate=LOBBY)
class ChooseColour(Request, frozen=True):
    table: TableId
    choice: int


@request("clock", "late", by="on_timeout", gate=LOBBY)
class ChooseClock(Request, frozen=True):
    """Set the time for a turn, or (*on_timeout*) the rule for the end of that time, by number."""

    table: TableId
    choice: int
    on_timeout: bool = False


@request("calls", gate=LOBBY)
class ChooseCalls(Request, frozen=True):
    """Set whether the table pings the actor, by number."""

    table: TableId
    choice: int


@request("level", gate=LOBBY)
class ChooseLevel(Request, frozen=True):
    """Set the strength of the house, by number. *starting*: the question was how to fill the missing seats."""

    table: TableId
    choice: int
    starting: bool = False


@request("house", gate=LOBBY, label="button.against_house")
class Invite(Request, frozen=True):
    """Let the house play that many *seats*; None: all missing seats, and the game begins."""

    table: TableId
    seats: int | None = None


@request("crowd", gate=LOBBY, label="button.channel")
class SeatChannel(Request, frozen=True):
    """Let the people of this place play together in one seat, by votes, or (*choice* 0) no longer."""

    table: TableId
    choice: int = 1


@request("voting", gate=LOBBY)
class ChooseVoting(Request, frozen=True):
    """Set the time for the votes of a channel, by number."""

    table: TableId
    choice: int


# Two channels against each other


@request("accept", gate=MANAGES, plays=True)
class AnswerInvitation(Request, frozen=True):
    """Let the channel of this place play against the one that has given a *code*, after a question; () for a text that
    is no code. *revision*: of the invitation whose terms the question had; 0: it was not asked yet."""

    revision: int = 0
    code: tuple[int, ...] = ()


@request("nevermore", gate=MANAGES, label="button.link.never")
class RefuseInvitation(Request, frozen=True):
    """Never play against the channel that has given a *code*."""

    code: tuple[int, ...]


@request("code", gate=Gate(Scope.LOBBY, bound_to_place=True, manages=True), label="button.link.code")
class ShowCode(Request, frozen=True):
    """Show the code of an invitation, a new one if it is used or too old."""

    table: TableId


@request("confirm", gate=Gate(Scope.LOBBY, bound_to_place=True, manages=True), label="button.link.confirm", plays=True)
class ConfirmRival(Request, frozen=True):
    """Begin the game against the channel that has answered the invitation."""

    table: TableId
    stamp: Stamp


@request("decline", "shun", by="forever", gate=Gate(Scope.LOBBY, bound_to_place=True, manages=True))
class DeclineRival(Request, frozen=True):
    """Do not play against the channel that has answered the invitation, now or ever."""

    table: TableId
    stamp: Stamp
    forever: bool = False


@request("concede", gate=Gate(Scope.GAME, manages=True), label="button.link.resign")
class Concede(Request, frozen=True):
    """Resign for the channel. With a stamp, the person has confirmed it."""

    table: TableId
    stamp: TurnStamp | None = None


# While a game goes on


@request(
    gate=GAME,
    command=Command("move", (Argument("move", completes=True, former="notation"),), unseen=True),
    plays=True,
)
class Move(Request, frozen=True):
    """Play the actions in *text*."""

    text: str

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> Request:
        text = arguments.get("move", "")
        return cls(text) if text.strip() else Menu()


@request("menu", gate=GAME, label="button.move", in_menu=True)
class Menu(Request, frozen=True):
    """Show the choices of a turn. *path*: the parts chosen so far, by number. Without a stamp the menu begins anew."""

    table: TableId | None = None
    stamp: Stamp | None = None
    page: int = 0
    path: tuple[int, ...] = ()


@request("tap", gate=GAME)
class Tap(Request, frozen=True):
    """Ask why nothing can be chosen at *point* of the picture, in pixels, after *path* (as in `Menu`)."""

    table: TableId
    stamp: Stamp
    path: tuple[int, ...] = ()
    point: tuple[float, float] | None = None

    def with_text(self, text: str) -> "Tap":
        try:
            x, y = map(float, text.split())
        except ValueError:
            return self
        return replace(self, point=(x, y))


@request("play", "sure", by="sure", gate=GAME, in_menu=True, plays=True)
class Play(Request, frozen=True):
    """Play an action by its number in ``actions()``. *sure*: the person has confirmed it."""

    table: TableId
    stamp: Stamp
    index: int
    sure: bool = False


@request("close", gate=Gate(Scope.GAME, only_if_named=True, bound_to_board=True), label="button.close")
class Close(Request, frozen=True):
    """Close a menu, which may be about no table."""

    table: TableId | None = None


@request("all", label="button.close_all")
class CloseAll(Request, frozen=True):
    """Close all of one's private replies in a place."""


@request("none")
class Nothing(Request, frozen=True):
    """A press of a filler in a menu."""

    table: TableId | None = None


@request("board", gate=Gate(Scope.LAST, bound_to_place=True), command=Command("board"), label="button.board")
class Board(Request, frozen=True):
    """Post the board again, or resume a resting table here."""

    table: TableId | None = None


@request(
    "view",
    gate=Gate(Scope.LAST, bound_to_board=True, bound_to_place=True),
    command=Command("view", unseen=True),
    label="button.view",
)
class View(Request, frozen=True):
    """Show the reader's own view; a button, which names the *table*, promises the hand alone if there is one."""

    table: TableId | None = None


@request("hint", gate=GAME, command=Command("hint", unseen=True), label="button.hint", catalogue="house")
class Hint(Request, frozen=True):
    """Show the house's choice."""

    table: TableId | None = None


@request("follow", gate=GAME, label="button.hint.play", catalogue="house", plays=True)
class Follow(Request, frozen=True):
    """Play the hint for this position."""

    table: TableId
    stamp: Stamp


@request(
    "note",
    "unnote",
    by="removes",
    gate=Gate(Scope.GAME),
    command=Command("note", (Argument("note", most=LONGEST_NOTE),), unseen=True),
    label="button.note",
)
class Note(Request, frozen=True):
    """Show the person's note to themselves at this table, write it (*text*), or remove it."""

    table: TableId | None = None
    removes: bool = False
    text: str | None = None

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "Note":
        return cls().with_text(arguments.get("note", ""))

    def with_text(self, text: str) -> "Note":
        return replace(self, text=text[:LONGEST_TEXT].strip() or None)


@request("plan", gate=Gate(Scope.GAME), command=Command("plan", (Argument("turn"),), unseen=True), label="button.plan")
class PlanTurn(Request, frozen=True):
    """Show the person's plan for their next turn, or the choices of one (with a stamp), or keep the typed *text*.

    *steps*: the numbers of *given* actions with which the actor has to begin, then of *made* actions of the plan, then
    the path to a part of the next one.
    """

    table: TableId | None = None
    stamp: Stamp | None = None
    given: int = 0
    made: int = 0
    page: int = 0
    steps: tuple[int, ...] = ()
    text: str | None = None

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "PlanTurn":
        return cls(text=arguments.get("turn", "")[:LONGEST_TEXT].strip() or None)


@request("planif", gate=Gate(Scope.GAME), label="button.plan.if")
class PlanIf(Request, frozen=True):
    """Show likely turns of the actor, as conditions of a plan."""

    table: TableId
    stamp: Stamp


@request("keep", gate=Gate(Scope.GAME), label="button.plan.keep")
class KeepPlan(Request, frozen=True):
    """Keep a plan: *steps* as in `PlanTurn`, without a path."""

    table: TableId
    stamp: Stamp
    given: int
    steps: tuple[int, ...] = ()


@request("stand", gate=Gate(Scope.GAME))
class KeepStanding(Request, frozen=True):
    """Keep a standing turn of the game, by its number, as a plan."""

    table: TableId
    standing: int


@request("unplan", gate=Gate(Scope.GAME), label="button.unplan")
class WithdrawPlan(Request, frozen=True):
    table: TableId


@request("vote", "voteyes", by="sure", gate=CROWD, label="button.vote", in_menu=True)
class Vote(Request, frozen=True):
    """Show the person's vote for the turn of a channel, or (with a stamp) the choices of one.

    *steps*: the numbers of the *made* actions, then the path to a part of the next one. *sure*: the person has
    confirmed the last of the actions.
    """

    table: TableId
    stamp: Stamp | None = None
    made: int = 0
    page: int = 0
    steps: tuple[int, ...] = ()
    sure: bool = False


@request("cast", gate=CROWD, label="button.vote.cast", plays=True)
class CastVote(Request, frozen=True):
    """Vote for a whole turn; *steps*: the numbers of its actions."""

    table: TableId
    stamp: Stamp
    steps: tuple[int, ...] = ()


@request("closevote", gate=Gate(Scope.GAME, manages=True), label="button.vote.close")
class CloseVote(Request, frozen=True):
    """Close the vote before its time."""

    table: TableId
    stamp: Stamp


@request("voters", gate=Gate(Scope.GAME, manages=True), label="button.voters")
class Voters(Request, frozen=True):
    """Show a page of the people who have voted in this game, to a moderator."""

    table: TableId
    page: int = 0


@request("dropvoter", gate=Gate(Scope.GAME, manages=True))
class DropVoter(Request, frozen=True):
    """Exclude a person from all votes of this game, by the number of their mark (`bot.store.blocks`). *sure*: without a
    question."""

    table: TableId
    number: int
    sure: bool = False


@request("guess", gate=Gate(Scope.GAME))
class GuessWinner(Request, frozen=True):
    """Say which seat will win, once, as a spectator."""

    table: TableId
    seat: int


@request("since", gate=Gate(Scope.GAME), label="button.since")
class Since(Request, frozen=True):
    """Show what has happened since the reader's last turn."""

    table: TableId


@request("missed", gate=GAME, label="button.missed")
class Missed(Request, frozen=True):
    """Show the boards since the reader's last turn, if boards do not stay; *page* 0 or None has the oldest."""

    table: TableId
    page: int | None = None


@request("more", gate=Gate(Scope.GAME, bound_to_board=True, bound_to_place=True, manages=True), label="button.more")
class More(Request, frozen=True):
    """Show what else can be done at the table now, beside playing; after a game, what else can be seen."""

    table: TableId | None = None


@request("undo", gate=GAME, command=Command("undo"), label="button.undo", in_menu=True)
class Undo(Request, frozen=True):
    """Take back the person's last action."""

    table: TableId | None = None
    stamp: Stamp | None = None


@request("draw", gate=GAME, command=Command("draw"), label="button.draw")
class Draw(Request, frozen=True):
    """Offer or accept a draw, if the game has draws."""

    table: TableId | None = None
    stamp: TurnStamp | None = None


@request("resign", gate=GAME, command=Command("resign"), label="button.resign")
class Resign(Request, frozen=True):
    """Resign. With a stamp, the person has confirmed it."""

    table: TableId | None = None
    stamp: Stamp | None = None


@request(
    "end",
    gate=Gate(Scope.GAME, bound_to_board=True, bound_to_place=True, manages=True),
    command=Command("end"),
    label="button.end",
)
class End(Request, frozen=True):
    """End the game without a winner, if the others agree. *sure*: the person has confirmed an end at once."""

    table: TableId | None = None
    stamp: Stamp | None = None
    sure: bool = False


@request("refuse", "agree", by="yes", gate=GAME)
class Agree(Request, frozen=True):
    """Answer a question of another player."""

    table: TableId
    question: QuestionStamp
    yes: bool


@request("decide", gate=GAME)
class Decide(Request, frozen=True):
    """Decide about an overdue player: 0 wait again, 1 the house plays the turn, 2 the house takes the seat; 3 the game
    ends uncounted, if it was their first move.

    *sure*: the person has confirmed it.
    """

    table: TableId
    stamp: Stamp
    choice: int
    sure: bool = False


@request("substitute", gate=Gate(Scope.GAME), command=Command("substitute", unseen=True), label="button.substitute")
class Substitute(Request, frozen=True):
    """Offer one's own seat to a substitute: 1 look for one, 2 ask the others first whether the game may not count, 0
    look no longer. *way* None: ask which."""

    table: TableId | None = None
    way: int | None = None


@request("seek", gate=GAME, label="button.seek")
class Seek(Request, frozen=True):
    """Look for a substitute for an overdue player."""

    table: TableId
    stamp: Stamp


@request("take", gate=Gate(Scope.GAME, bound_to_board=True, bound_to_place=True, crowd=True), plays=True)
class TakeSeat(Request, frozen=True):
    """Take an offered seat as a substitute: 0 unrated, 1 rated. *way* None: ask which."""

    table: TableId
    seat: int
    way: int | None = None


@request("again", gate=MANAGES, command=Command("rematch"), label="button.again")
class Rematch(Request, frozen=True):
    """Play again with the same people. *level*: of the house, by number; None: as before."""

    table: TableId | None = None
    level: int | None = None


@request("onward", gate=Gate(Scope.LAST, manages=True), label="button.play_on", plays=True)
class PlayOn(Request, frozen=True):
    """Play on from *position* of a finished game (as in `Replay`), in the seat *seat*: *way* 0 against the house, 1
    with people. Without one of them: ask."""

    table: TableId
    position: int | None = None
    seat: int | None = None
    way: int | None = None


# Looking things up


@request("games", command=Command("games", unseen=True))
class Games(Request, frozen=True):
    """Show a page of the person's tables everywhere."""

    page: int = 0


@request("history", gate=LOOK, command=Command("history", unseen=True), label="button.history")
class History(Request, frozen=True):
    """Show the moves so far; *page* 0 has the newest."""

    table: TableId | None = None
    page: int = 0


@request(command=Command("stats", (Argument("person", choices="people"),), unseen=True))
class Stats(Request, frozen=True):
    """Show a person's record here. *person*: a name or a mention as typed, "" for the person who asks."""

    person: str = ""

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "Stats":
        return cls(arguments.get("person", "").strip()[:LONGEST_TEXT])


@request("top", command=Command("top", A_GAME, unseen=True))
class Top(Request, frozen=True):
    """Show the best players here. *game* None: of a game that was played here."""

    game: str | None = None

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "Top":
        return cls(game_of(arguments))


@request(
    "replay",
    "film",
    by="whole",
    gate=LOOK,
    command=Command("replay", (Argument("position"),)),
    label="button.replay",
)
class Replay(Request, frozen=True):
    """Post a film of the game, or show one *position*, from 0 for the first; -1 is no position.

    *whole*: the film has all turns; the usual one is short.
    """

    table: TableId | None = None
    position: int | None = None
    whole: bool = False

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "Replay":
        return cls(position=position_of(arguments))


@request("share", gate=LOOK, label="button.share")
class Share(Request, frozen=True):
    """Show the result of a finished game as a text to be pasted anywhere."""

    table: TableId | None = None


@request("verify", gate=LOOK, command=Command("verify", unseen=True), label="button.verify")
class Verify(Request, frozen=True):
    """Check the luck of the game."""

    table: TableId | None = None


@request("review", gate=LOOK, label="button.review", catalogue="house")
class ShowReview(Request, frozen=True):
    """Post the review of a finished game; *page* 0: show it to the reader alone; from 1: show a turning point."""

    table: TableId
    page: int | None = None


# Settings and personal data


@request("settings", gate=MANAGES, command=Command("settings", unseen=True))
class Settings(Request, frozen=True):
    """Show settings of the person ("me") or of the place ("place"); "": of the place if the person manages it."""

    scope: str = ""
    page: int = 0


@request("set", gate=MANAGES)
class Set(Request, frozen=True):
    """Set a setting; *setting* and *choice* are numbers."""

    scope: str
    setting: int
    choice: int


@request(
    "block",
    gate=MANAGES,
    command=Command("block", (Argument("person", choices="people"),), unseen=True),
    label="button.block",
    catalogue="people",
)
class Block(Request, frozen=True):
    """Never sit at a table with a person. *mark*: the beginning of that person's mark (`bot.store.blocks`); *person*: a
    name or a mention as typed. Without both: ask whom. *here*: that person gets no seat in this place, by a manager."""

    mark: str = ""
    person: str = ""
    here: bool = False

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "Block":
        return cls(person=arguments.get("person", "").strip()[:LONGEST_TEXT])


@request("blocked", gate=MANAGES, command=Command("blocked", unseen=True), label="button.blocked", catalogue="people")
class Blocked(Request, frozen=True):
    """Show a page of the person's blocks, or of those of this place (*here*)."""

    page: int = 0
    here: bool = False


@request("lift", gate=MANAGES, label="button.lift", catalogue="people")
class Lift(Request, frozen=True):
    """Lift a block of the person, or of this place (*here*), by the beginning of the blocked person's mark."""

    mark: str
    here: bool = False


@request("privacy", gate=OWN_DATA, command=Command("privacy", unseen=True), label="button.privacy")
class Privacy(Request, frozen=True):
    """Show which data the bot stores about the person."""


@request("export", gate=OWN_DATA, label="button.export", catalogue="people")
class Export(Request, frozen=True):
    """Return all stored data of the person as a file."""


@request("hide", gate=OWN_DATA)
class Hide(Request, frozen=True):
    """Set whether other people see the person in statistics."""

    on: bool


@request("forget", gate=OWN_DATA, label="button.forget", catalogue="people")
class Forget(Request, frozen=True):
    """Delete all data of the person. *sure*: the person has confirmed it."""

    sure: bool = False


# Reading


@request("rules", command=Command("rules", A_GAME, unseen=True), label="button.rules")
class Rules(Request, frozen=True):
    """Show a page of a game's rules. *game* None: of the table in this place, or a list of games."""

    game: str | None = None
    page: int = 0

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "Rules":
        return cls(game_of(arguments))


@request("learn", command=Command("learn", A_GAME, unseen=True), label="button.learn")
class Learn(Request, frozen=True):
    """Show a step of a game's lesson, from 0, or answer it with an *offer*, by number.

    *game* None: of the table in this place, or a list of games.
    """

    game: str | None = None
    step: int | None = None
    offer: int | None = None

    @classmethod
    def from_command(cls, arguments: Mapping[str, str]) -> "Learn":
        return cls(game_of(arguments) or word_of(arguments, "game") or None)


@request()
class AnswerLesson(Request, frozen=True):
    """Answer a step of a lesson with a typed move. *shown*: the person has seen the step."""

    game: str
    step: int
    text: str
    shown: bool


@request("daily", command=Command("daily", unseen=True), label="button.daily")
class Daily(Request, frozen=True):
    """Show the puzzle of a day by its *number*; None: today's.

    *steps*: the numbers of the person's actions so far, *made* of them, then the path to a part of the next one.
    """

    number: int | None = None
    made: int = 0
    page: int = 0
    steps: tuple[int, ...] = ()


@request()
class AnswerDaily(Request, frozen=True):
    """Go on with an attempt at a day's puzzle with typed actions, after those with the numbers *steps*."""

    number: int
    text: str
    steps: tuple[int, ...] = ()


@request("today", label="button.daily.solve")
class SolveDaily(Request, frozen=True):
    """Solve the puzzle of a day under its post in a place, where the person counts as a solver from then on."""

    number: int


@request("branch", gate=MANAGES, label="button.daily.thread")
class DailyThread(Request, frozen=True):
    """Let the puzzles of the day come to a new thread beside this place."""


@request("remind", gate=OWN_DATA, label="button.daily.remind")
class RemindDaily(Request, frozen=True):
    """Get each daily puzzle in the private chat, with a call, or no more."""

    on: bool


@request("warm", label="button.daily.warm_up")
class WarmUp(Request, frozen=True):
    """Solve the newest daily puzzle of a game that the person has not answered, or the next older one *before* a day;
    after the oldest, the newest again."""

    game: str
    before: int | None = None


@request("clue", label="button.hint", catalogue="house")
class DailyHint(Request, frozen=True):
    """Show *hint* 1 or 2 of a day's puzzle, in the menu of a `Daily` with the other fields."""

    number: int
    hint: int
    made: int = 0
    page: int = 0
    steps: tuple[int, ...] = ()


@request("ruling", label="button.rules")
class DailyRules(Request, frozen=True):
    """Show a *page* of the rules of a day's puzzle, with a way back to the `Daily` with the other fields."""

    number: int
    page: int = 0
    made: int = 0
    steps: tuple[int, ...] = ()


@request("solve", label="button.daily.send", plays=True)
class SendDaily(Request, frozen=True):
    """Send an answer to a day's puzzle: all the person's actions, by number."""

    number: int
    steps: tuple[int, ...] = ()


@request("solution", label="button.daily.solution")
class DailySolution(Request, frozen=True):
    """Show the solution of a day's puzzle."""

    number: int


@request("help", command=Command("help", unseen=True), label="button.help")
class Help(Request, frozen=True):
    """Show a page of the help; None: the first."""

    page: int | None = None


@request()
class Welcome(Request, frozen=True):
    """Welcome a person who has opened the private chat."""


@request()
class Unknown(Request, frozen=True):
    """Something that cannot be read; *text*: the beginning of it, or "" for a button."""

    text: str
