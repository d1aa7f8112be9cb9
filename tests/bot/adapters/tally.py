"""A small real host for tests of adapters: a game of adding numbers, with everything that a reply can have.

Two or more people join, then take turns to add one to five, by ``/move 3`` or by a menu of two steps. Boards are
posted through the `Chat`; menus, views and refusals come back as private replies.
"""

import struct
import zlib
from collections.abc import Mapping

from msgspec import Struct

from bot.chat import (
    Button,
    Call,
    Chat,
    Choice,
    MessageId,
    MessagePart,
    Person,
    PlaceEvent,
    PlaceId,
    PlaceSwept,
    PlainMessage,
    Post,
    Press,
    PublicPicture,
    Reply,
    Role,
    Select,
    SlashCommand,
    Style,
    Suggestion,
    Target,
    Typed,
    Update,
    UpdateId,
)

COLOURS = ((255, 95, 126), (255, 181, 71), (79, 214, 156), (60, 196, 230), (111, 139, 255), (181, 123, 255))


def png(width: int, height: int, seed: int) -> bytes:
    """Return a picture of coloured triangles, a different one for each *seed*."""
    cell = max(width, height) // 8
    rows = []
    for y in range(height):
        row = bytearray(b"\0")
        for x in range(width):
            lower = (x % cell) + (y % cell) > cell
            red, green, blue = COLOURS[(x // cell * 2 + y // cell * 3 + lower + seed) % 6]
            row += bytes((red, green, blue))
        rows.append(bytes(row))

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(rows), 6)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


class Game(Struct):
    """A game in one place. *total*: the sum so far. *turn* counts turns."""

    people: list[Person]
    level: str = "easy"
    total: int = 0
    turn: int = 0
    started: bool = False
    message: MessageId | None = None
    news: str = ""

    @property
    def actor(self) -> Person:
        return self.people[self.turn % len(self.people)]


class Tally:
    """The host. *heard*: every update in order of arrival; a repeated one is applied once."""

    def __init__(self, width: int = 250, height: int = 200) -> None:
        self.chat: Chat | None = None
        self.heard: list[Update] = []
        self.completed: list[SlashCommand] = []
        self.games: dict[PlaceId, Game] = {}
        self._seen: set[UpdateId] = set()
        self._size = width, height
        self._posts = 0

    async def delete_later(self, expiry: str, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> None:
        raise AssertionError("nothing here expires")

    async def was_shown(self, update: Update, place: PlaceId, message: MessageId, ttl_s: float | None = None) -> None:
        raise AssertionError("nothing here piles up")

    async def place_changed(self, event: PlaceEvent) -> None:
        assert isinstance(event, PlaceSwept), "places of this page stay"

    async def targets(self, update: Update) -> tuple[Target, ...]:
        return ()

    async def complete(self, update: Update, argument: str) -> tuple[Suggestion, ...]:
        assert isinstance(update.body, SlashCommand)
        assert argument in ("move", "options")
        self.completed.append(update.body)
        typed = update.body.arguments[argument]
        return tuple(Suggestion(f"{n} 🪨", str(n)) for n in range(1, 6) if str(n).startswith(typed))

    async def handle(self, update: Update) -> Reply | None:
        if update.id in self._seen:
            return None
        self._seen.add(update.id)
        self.heard.append(update)
        match update.body:
            case PlainMessage():
                return None
            case Typed(text):
                word, _, rest = text.removeprefix("/").partition(" ")
            case Press(payload):
                word, _, rest = payload.partition(":")
            case SlashCommand(word, arguments):
                rest = next(iter(arguments.values()), "")
        verbs = {
            "newgame": self._new,
            "join": self._join,
            "start": self._start,
            "level": self._level,
            "menu": self._menu,
            "move": self._move,
            "board": self._board,
            "view": self._view,
            "close": self._close,
        }
        if word not in verbs:
            return Reply(text=f"Nobody here knows “{word}”.")
        return await verbs[word](update, rest)

    async def _new(self, update: Update, _: str) -> Reply | None:
        self.games[update.place.id] = Game([update.person])
        await self._post(update.place.id)
        return None

    async def _join(self, update: Update, _: str) -> Reply | None:
        game = self.games[update.place.id]
        if update.person.id in [person.id for person in game.people]:
            return Reply(text="You are in already.", role=Role.TOAST)
        game.people.append(update.person)
        await self._show(update.place.id)
        return Reply(text="Welcome to the table!", role=Role.TOAST)

    async def _start(self, update: Update, _: str) -> Reply | None:
        game = self.games[update.place.id]
        if len(game.people) < 2:
            return Reply(title="Not yet", text="It takes two. Let somebody join first.")
        game.started = True
        await self._post(update.place.id)
        return None

    async def _level(self, update: Update, rest: str) -> Reply | None:
        self.games[update.place.id].level = rest
        await self._show(update.place.id)
        return None

    async def _menu(self, update: Update, rest: str) -> Reply | None:
        if not rest:
            stones = tuple(Button(f"{n} 🪨", f"menu:{n}", Style.PLAIN) for n in range(1, 6))
            away = (Button("Close", "close:"),)
            return Reply(title="Your move", text="How many stones?", rows=(stones, away), role=Role.MENU)
        sure = (Button(f"Add {rest}", f"move:{rest}", Style.MAIN), Button("Back", "menu:"))
        return Reply(title="Your move", text=f"Add {rest}?", rows=(sure,), role=Role.MENU)

    async def _close(self, update: Update, _: str) -> Reply | None:
        game = self.games.get(update.place.id)
        return Reply(text="All right.", rows=self._board_of(game).rows if game else (), role=Role.CLOSING)

    async def _move(self, update: Update, rest: str) -> Reply | None:
        if isinstance(update.body, Typed) and not rest:
            return await self._menu(update, "")
        game = self.games[update.place.id]
        if update.person.id != game.actor.id:
            return Reply(text=f"It is not your turn, {update.person.name}.", role=Role.TOAST)
        if rest not in {"1", "2", "3", "4", "5"}:
            return Reply(title="Not that many", text="Add one to five, as in “/move 3”.")
        game.total += int(rest)
        game.turn += 1
        game.news = f"{update.person.name} adds {rest}."
        await self._post(update.place.id)
        return Reply(text=f"You added {rest}.", role=Role.TOAST)

    async def _board(self, update: Update, _: str) -> Reply | None:
        if update.place.id not in self.games:
            return Reply(text="There is no game here.")
        await self._post(update.place.id)
        return None

    async def _view(self, update: Update, _: str) -> Reply | None:
        picture = PublicPicture(png(*self._size, 3), f"The hand of {update.person.name}")
        return Reply(title="Your hand", text=f"Secret of {update.person.name}", picture=picture, secret=True)

    async def _post(self, place: PlaceId) -> None:
        assert self.chat is not None
        game = self.games[place]
        self._posts += 1
        former, game.message = game.message, None
        game.message = await self.chat.post(place, self._board_of(game), f"post-{self._posts}")
        if former is not None:
            await self.chat.remove(place, former, MessagePart.BUTTONS)

    async def _show(self, place: PlaceId) -> None:
        assert self.chat is not None
        game = self.games[place]
        assert game.message is not None
        await self.chat.edit(place, game.message, self._board_of(game))

    def _board_of(self, game: Game) -> Post:
        names = ", ".join(person.name for person in game.people)
        if not game.started:
            levels: Mapping[str, str] = {"easy": "Easy", "hard": "Hard", "harder": "Harder still"}
            rows: tuple[tuple[Button, ...] | Select, ...] = (
                (
                    Button("Join", "join:", Style.MAIN),
                    Button("Start", "start:"),
                    Button("Leave", "leave:", Style.DANGER),
                ),
                Select("Level", "level:", tuple(Choice(v, f"level:{k}", k == game.level) for k, v in levels.items())),
            )
            return Post(title="A new game of Tally", text=f"At the table: {names}", rows=rows)
        picture = PublicPicture(png(*self._size, game.total), f"{game.total} stones lie on the board.")
        return Post(
            title="Tally",
            text=f"{game.news} {game.total} stones so far.".strip(),
            picture=picture,
            rows=(
                (Button("Move", "menu:", Style.MAIN), Button("My view", "view:"), Button("Resign", "x:", Style.DANGER)),
            ),
            call=Call(game.actor, "{person}, it's your turn."),
        )
