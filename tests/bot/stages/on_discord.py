"""Discord: the real discord.py over sockets, on the emulator."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from bot.adapters.on_discord.chat import DiscordChat
from bot.adapters.on_discord.forms import asked_for
from bot.adapters.on_discord.incoming import JOINED
from bot.adapters.on_discord.messages import unmarked
from bot.chat import MessageId, PersonId, PlaceId, Reply, Select
from bot.chat import Post as Posted
from bot.requests import payload
from bot.requests.arguments import game_named
from bot.requests.commands import BY_NAME, COMMANDS, closes_all
from bot.service.service import Service
from bot.tables.preferences import CLOCKS
from tests.bot.adapters.hosts import MemoryStorage
from tests.bot.stages.script import Kind, Picks, Row, Step, fits, nameless
from tests.bot.stages.stage import OTHERS, Ear, Screen, Sight, lang, linked, plainly, shortened
from tests.bot.stages.wall import Post
from tests.bot.talk.recording import MANAGERS
from tests.emulators.discord import Discord, Interaction, Message, Person
from tests.emulators.discord.world import MANAGE_GUILD

LOCALES = {"de": "de", "en": "en-US"}
ROWS, FRAMED_ROWS, WIDTH, ALT = 5, 6, 5, 1000
NOTHING = "·"
SMALL = "-# "
"""The prefix of a line in small print."""


FENCE = "```"
"""The line around a text to be copied."""


class Mouth(DiscordChat):
    """Discord with the bot's posts. *offers* computes the choices above a board's own buttons. Conversations do not
    list them, because menus are private on the recording chat."""

    def __init__(self, discord: Discord, offers: list[tuple[str, ...]]) -> None:
        super().__init__(discord.token, COMMANDS, api_url=discord.api_url, gateway_url=discord.gateway_url)
        self._offers = offers

    async def post(self, place: PlaceId, post: Posted, nonce: str) -> MessageId:
        self._hears(post)
        return await super().post(place, post, nonce)

    async def edit(self, place: PlaceId, message: MessageId, post: Posted) -> None:
        self._hears(post)
        await super().edit(place, message, post)

    def _hears(self, post: Posted) -> None:
        if post.rows:
            rows = (row for row in post.offers[:-1] if not isinstance(row, Select))
            self._offers[:] = [tuple(button.label for button in row) for row in rows]


class OnDiscord:
    """See `stage.Stage`."""

    remembers = True

    def __init__(self, discord: Discord, people: Sequence[str]) -> None:
        self._discord = discord
        self._hall = discord.channel("lobby")
        self._server = f"{discord.home.name}{JOINED}"  # before names of channels; only Discord has servers
        self._others = [discord.channel(name) for name in OTHERS]
        self._people = {
            who: discord.person(
                who.capitalize(),
                self._hall,
                locale=LOCALES[lang(who)],
                permissions=MANAGE_GUILD if who in MANAGERS else 0,
            )
            for who in people
        }
        self._names = {person.id: who for who, person in self._people.items()}
        self._offers: list[tuple[str, ...]] = []
        self._starts = 0
        self._last: Interaction | None = None
        self._passed = False  # the answer to it is gone
        self._passing: list[Interaction] = []  # answers that disappear with the turn, without a line in the script
        self._known_since = 0  # the newest message of the bot's earlier processes

    @property
    def place(self) -> PlaceId:
        return PlaceId(self._hall.place)

    @property
    def elsewhere(self) -> Sequence[PlaceId]:
        return [PlaceId(other.place) for other in self._others]

    def person(self, who: str) -> PersonId:
        return PersonId(f"discord:{self._people[who].id}")

    async def comes(self, bot: Service) -> None:
        self._chat = Mouth(self._discord, self._offers)
        bot.add(self._chat)
        self._ear = Ear(bot)
        await self._chat.start(self._ear, MemoryStorage())
        self._starts += 1
        self._known_since = max((message.id for message in self._hall.messages), default=0)
        await self._discord.connected(times=self._starts)

    async def goes(self) -> None:
        await self._chat.stop()

    async def nears(self, step: Step) -> None:
        """Do nothing: on this platform all steps are alike."""

    # --- Input

    def hears(self, line: str) -> bool:
        """Return whether Discord delivers the line: only commands, and only those of games that the client lists."""
        name, _, rest = line.removeprefix("/").partition(" ")
        if not line.startswith("/") or name not in BY_NAME:
            return False
        chooses = any(argument.choices == "games" for argument in BY_NAME[name].arguments)
        return not chooses or not rest or game_named(rest.partition(" ")[0]) is not None

    async def types(self, who: str, line: str) -> None:
        self._last = None
        if not self.hears(line):
            return
        name, _, rest = line.removeprefix("/").partition(" ")
        self._ear.answers.pop(who, None)
        self._last = await self._people[who].types(name, **self._filled(name, rest))
        await self._answered(who)

    async def _answered(self, who: str) -> None:
        await self._ear.answer(who)
        reply = self._ear.answers.get(who)
        if self._last is not None and reply is not None and reply.expires is not None and not reply.expires_strictly:
            self._passing.append(self._last)

    def _filled(self, name: str, rest: str) -> dict[str, str]:
        """Return the arguments of a command as the client sends them: by name, without empty ones."""
        arguments = BY_NAME[name].arguments
        if name == "newgame":
            game, _, rest = rest.partition(" ")
            clock = next((word for word in rest.split() if word in CLOCKS), "")
            options = " ".join(word for word in rest.split() if word != clock)
            given = {"game": game_named(game) or "", "clock": clock, "options": options}
        elif arguments and arguments[0].choices == "games":
            given = {arguments[0].name: game_named(rest) or ""}
        else:
            given = {argument.name: rest for argument in arguments[:1]}
        return {argument_: value for argument_, value in given.items() if value}

    async def says(self, who: str, line: str, *, is_move: bool) -> None:
        await self.types(who, f"/move {line}" if is_move else line)

    async def presses(self, who: str, label: str) -> None:
        person = self._people[who]
        if not self._is_seen(person, label) and (half := self._other_half(person)) is not None:
            await person.presses(*half)
        self._ear.answers.pop(who, None)
        self._last = await self._pressed(person, who, label)
        await self._answered(who)

    async def _pressed(self, person: Person, who: str, label: str) -> Interaction:
        # private messages first, then the newest public ones
        for message in sorted(person.sees(), key=lambda candidate: (candidate.reader is None, -candidate.id)):
            for row in _rows(message):
                if isinstance(row, Picks):
                    choice = next((choice for choice in row.choices if fits(f"{row.label}: {choice}", label)), None)
                    if choice is not None:
                        return await person.chooses(choice, on=message, of=row.label)
                elif (button := next((text for text in row if fits(text, label)), None)) is not None:
                    return await person.presses(button, on=message)
        raise AssertionError(f"{who} sees no button [{label}]:\n{self.transcript()}")

    def _is_seen(self, person: Person, label: str) -> bool:
        return any(fits(text, label) for message in person.sees() for row in message.rows for text in row)

    def _other_half(self, person: Person) -> tuple[str, Message] | None:
        """Return the button to the other half of a wide board, and its position."""
        own = [message for message in person.sees() if message.reader is person]
        results = ((label, message) for message in reversed(own) for row in message.rows for label in row)
        return next(((text, message) for text, message in results if re.fullmatch(r"[◀▶] \w–\w", text)), None)

    # --- Output

    def shows(self, posts: Sequence[Post]) -> list[Screen]:
        return [self._shown(post) for post in posts]

    def _shown(self, post: Post) -> Screen:
        """Return the screen; in games with visible steps, a running board has the rows with most choices above its
        buttons, as many as fit."""
        seen, offers = plainly(post.said, post.called), self._offers
        if not seen.rows or post.is_over:
            return _fitted(seen)
        room = ROWS - len(seen.rows)
        fullest = sorted(range(len(offers)), key=lambda number: offers[number].count(NOTHING) - len(offers[number]))
        return _fitted(replace(seen, rows=(*(offers[number] for number in sorted(fullest[:room])), *seen.rows)))

    def tells(self, step: Step) -> Screen | None:
        """Return the private answer to a command or a press. The last text of a deleted menu is deleted with it."""
        said, pressed = step.reply_to(step.who), self._last.message if self._last is not None else None
        if self._last is not None and _closes(self._last):
            return None
        if said is None or (step.taken_back(step.who) and pressed is not None and pressed.reader is not None):
            return None
        reply = self._ear.answers.get(step.who)
        self._passed = reply is not None and self._has_passed(reply, step)
        if self._passed:
            return None
        seen = plainly(said)
        if reply is not None and reply.narrow_rows:  # five in a row: a wider board is shown in halves
            rows = (row for row in reply.narrow_rows if not isinstance(row, Select))
            seen = replace(seen, rows=tuple(tuple(button.label for button in row) for row in rows))
        return linked(_fitted(seen, FRAMED_ROWS), said)

    def _has_passed(self, reply: Reply, step: Step) -> bool:
        """Return whether the answer to a finished turn is gone: with its menu, or because the house has played, too.
        After a restart, the bot no longer knows that a menu goes with the turn, and writes the answer into it."""
        plays = any(event.kind is Kind.POST for event in step.events)
        if reply.board is not None:
            return plays
        pressed = self._last.message if self._last is not None and _in_menu(self._last) else None
        if pressed is None or not reply.role.is_toast:
            return False
        return reply.expires is not None or (plays and pressed.id <= self._known_since)

    def leads(self, step: Step) -> Step:
        return step

    def takes_back(self, step: Step, who: str) -> int:
        return step.taken_back(who)

    def _read(self, message: Message) -> Screen:
        text = re.sub(r"<@(\d+)>", lambda match: f"@{self._people[self._names[int(match[1])]].name}", message.text)
        text = text.replace(self._server, "")
        read = (line.removeprefix(SMALL) for line in text.split("\n") if line != FENCE)
        rows = tuple(
            row if isinstance(row, Picks) else tuple(label.replace(self._server, "") for label in row)
            for row in _rows(message)
        )
        seen = Screen(tuple(read) if text else (), rows=rows)
        called = tuple(self._names[number] for number in message.pinged)
        for attached in message.attachments:
            match attached.name.rpartition(".")[2]:
                case "png":
                    seen = replace(seen, alt=attached.alt.partition("\n")[0].replace(self._server, ""))
                case "gif":
                    seen = replace(seen, file=("animation", nameless(attached.name)))
                case _:
                    seen = replace(seen, file=("document", nameless(attached.name)))
        return replace(seen, called=called)

    def _sight(self) -> Sight:
        answer = self._told()
        passing = {part.id for done in self._passing for part in (done.answer, done.original) if part is not None}
        own = {
            who: [message for message in person.sees() if message.reader is person and message.id not in passing]
            for who, person in self._people.items()
        }
        return Sight(
            tuple(self._read(message) for message in self._hall.public),
            answer,
            {
                who: Counter(f"{message.id}: {self._read(message)}" for message in messages)
                for who, messages in own.items()
            },
        )

    def _told(self) -> Screen | None:
        """Return the result of the last input: a new private message, or the edited menu."""
        last = self._last
        if last is None or last.answers + last.settled == 0 or self._passed:
            return None
        message = last.answer or last.original
        if message is None or message.reader is None or message.deleted or message.loading:
            return None
        return self._read(message)

    async def until(self, right: Callable[[Sight], bool]) -> Sight:
        with suppress(AssertionError):
            await self._discord.until(lambda: right(self._sight()) or None, "what was said is seen")
        return self._sight()

    def transcript(self) -> str:
        return self._discord.transcript()


def _closes(done: Interaction) -> bool:
    """Return whether the pressed button closes its menu."""
    result = payload.read(unmarked(str(done.data.get("custom_id", "")))[0])
    return result is not None and result.verb == "close"


def _in_menu(done: Interaction) -> bool:
    """Return whether the pressed button is in a private message that changes with a press."""
    is_note = unmarked(str(done.data.get("custom_id", "")))[1]
    return done.message is not None and done.message.reader is not None and not is_note


def _rows(message: Message) -> tuple[Row, ...]:
    """Return the buttons under a message; a placeholder exists but cannot be pressed."""
    rows: list[Row] = []
    for parts in message.lines:
        if "options" in parts[0]:
            options = parts[0]["options"]
            chosen = next((option["label"] for option in options if option.get("default")), None)
            rows.append(Picks(parts[0].get("placeholder", ""), tuple(option["label"] for option in options), chosen))
        else:
            rows.append(tuple(part["label"] for part in parts if not _is_extra(part)))
    return tuple(row for row in rows if row)


def _is_extra(part: dict[str, Any]) -> bool:
    """Return whether a button is the adapter's own, which no conversation lists: for several private messages, or for a
    form."""
    custom_id = part.get("custom_id", "")
    return closes_all(unmarked(custom_id)[0]) or asked_for(custom_id) is not None


def _fitted(seen: Screen, most: int = ROWS) -> Screen:
    """Return *seen* within Discord's limits: five rows of five, six in a frame (so a large board loses its closing
    row), and descriptions cut with an ellipsis."""
    rows = seen.rows
    if len(rows) == most + 1 and all(len(row) == WIDTH for row in rows[:most] if isinstance(row, tuple)):
        rows = rows[:most]
    return replace(seen, rows=rows, alt=shortened(seen.alt, ALT))
