"""Telegram: the real python-telegram-bot over sockets, on an emulated server with ephemeral messages or an older
one. All people have opened the private chat; with ephemeral messages, no press ever leads there."""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec.structs import replace

import texts
from bot.adapters.on_telegram.chat import TelegramChat
from bot.chat import MarkedPicture, MessageId, PersonId, PlaceId, Reply, Role, Select
from bot.chat import Post as Posted
from bot.requests import payload
from bot.requests.commands import BY_NAME, COMMANDS, closes_all
from bot.service.service import Service
from tests.bot.adapters.hosts import UNLIMITED, MemoryStorage
from tests.bot.stages.script import Kind, Picks, Row, Said, Step, fits, nameless
from tests.bot.stages.stage import OTHERS, Ear, Screen, Sight, lang, plainly
from tests.bot.stages.wall import Post
from tests.bot.talk.recording import MANAGERS
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Key, Message, Tap

BOX = 200  # characters of the answer to a press
MOVE = tuple(texts.say("table", "button.move", lang) for lang in texts.languages())
OF_PLACE = tuple(texts.say("table", "settings.place", lang) for lang in texts.languages())
SENT = tuple(texts.say("telegram", "sent", lang) for lang in texts.languages())


class Mouth(TelegramChat):
    """Telegram with the bot's posts. *offers* computes the choices that replace a board's own buttons. Conversations
    do not list them, because menus are private on the recording chat."""

    def __init__(self, telegram: Telegram, offers: list[str]) -> None:
        super().__init__(telegram.token, COMMANDS, telegram.url, pace=UNLIMITED)
        self._offers = offers

    async def post(self, place: PlaceId, post: Posted, nonce: str) -> MessageId:
        self._hears(post)
        return await super().post(place, post, nonce)

    async def edit(self, place: PlaceId, message: MessageId, post: Posted) -> None:
        self._hears(post)
        await super().edit(place, message, post)

    def _hears(self, post: Posted) -> None:
        if post.rows:
            self._offers[:] = [button.label for row in post.offers if not isinstance(row, Select) for button in row]


class OnTelegram:
    """See `stage.Stage`."""

    remembers = True

    def __init__(self, telegram: Telegram, people: Sequence[str]) -> None:
        self._telegram = telegram
        self._people = {who: telegram.person(who.capitalize(), username=who, lang=lang(who)) for who in people}
        self._names = {person.id: who for who, person in self._people.items()}
        self._hall = telegram.group("lobby", *self._people.values())
        self._others = [telegram.group(name.capitalize(), *self._people.values()) for name in OTHERS]
        self._hall.admins = [person for who, person in self._people.items() if who in MANAGERS]
        self._apart = telegram.knows_ephemeral
        for person in self._people.values():
            person.private().closed = False
        self._offers: list[str] = []  # under the board, in place of its own buttons
        self._under: tuple[Row, ...] = ()  # the menu under the board
        self._menus: dict[str, Said] = {}  # the current choices of each person
        self._gone: list[tuple[Message, Key]] = []  # buttons as they were, the newest first
        self._owners: dict[int, str] = {}  # readers of private messages, by message, the newest last
        self._manners: dict[int, Role] = {}  # by message
        self._fading: dict[str, set[int]] = {who: set() for who in people}  # messages that do not stay
        self._passing: dict[str, list[Message]] = {who: [] for who in people}  # menus that go with their turn
        # --- The last input, and the texts readable before it
        self._who = ""
        self._tap: Tap | None = None
        self._typed: Message | None = None
        self._before: dict[int, int] = {}
        self._goes_under = False  # a menu, under the post that was pressed
        self._goes_away: Message | None = None

    @property
    def place(self) -> PlaceId:
        return self._hall.place

    @property
    def elsewhere(self) -> Sequence[PlaceId]:
        return [other.place for other in self._others]

    def person(self, who: str) -> PersonId:
        return PersonId(self._people[who].person)

    async def comes(self, bot: Service) -> None:
        self._ear = Ear(bot)
        self._chat = Mouth(self._telegram, self._offers)
        bot.add(self._chat)
        self._telegram.listening = False
        await self._chat.start(self._ear, MemoryStorage())
        await self._telegram.until(lambda: self._telegram.listening or None, "its commands are told")

    async def goes(self) -> None:
        await self._chat.stop()

    async def nears(self, step: Step) -> None:
        """Do nothing: on this platform all steps are alike."""

    # --- Input

    def hears(self, line: str) -> bool:
        """Return whether the bot handles the line: in groups it receives only commands, some of which are for other
        bots."""
        return line.startswith("/") and line[1:].partition(" ")[0].lower() in BY_NAME

    async def types(self, who: str, line: str) -> None:
        self._begins(who)
        self._typed = await self._people[who].types(line, self._hall)
        await self._telegram.handled()

    async def says(self, who: str, line: str, *, is_move: bool) -> None:
        self._begins(who)
        quoted = self._posts()[-1 if is_move else 0]  # a plain word may be a move in reply to the board
        self._typed = await self._people[who].types(line, self._hall, quoting=quoted)
        await self._telegram.handled()

    async def presses(self, who: str, label: str) -> None:
        self._begins(who)
        if not self._is_offered_anyway(who, label):
            message, key = self._found(who, label)
            self._tap = self._people[who].taps_key(key, message)
            await self._tap.answered()
            await self._telegram.handled()

    def _begins(self, who: str) -> None:
        self._who, self._tap, self._typed, self._goes_under, self._goes_away = who, None, None, False, None
        self._ear.answers.pop(who, None)
        self._before = {id(message): message.edits for message in self._own(who)}
        seen = [(message, key) for message in self._posts() for row in message.keys for key in row]
        self._gone[:0] = [message for message in seen if message not in self._gone]

    def _is_offered_anyway(self, who: str, label: str) -> bool:
        """Return whether a button exists without a press.

        A board that offers choices has no button "Move". After opening personal settings in the private chat, the
        group's settings are still visible, and "this place" is the private chat.
        """
        for message in self._own(who):
            if label in OF_PLACE and message.chat is self._hall and message.text.startswith(OF_PLACE):
                self._reads(message)
                return True
        return bool(self._offers) and label in MOVE and not any(label in message.flat for message in self._own(who))

    def _reads(self, message: Message) -> None:
        """Remember the text that its reader looks at now."""
        self._owners[id(message)] = self._owners.pop(id(message))

    def _found(self, who: str, label: str) -> tuple[Message, Key]:
        name = label.partition(": ")[0]
        messages = [*self._own(who), *reversed(self._posts())]
        messages.sort(key=lambda message: name not in message.flat)  # it has that select
        for message in messages:
            above = name in message.flat and name != label
            for row in message.keys:
                for key in row:
                    if above:
                        above = key.text != name
                    elif _reads(key.text, label):
                        return message, key
        # A board's choices use the table's language; the reader's own menu has the same button.
        labels = self._menus[who].labels if who in self._menus else []
        at = next((number for number, text in enumerate(labels) if fits(text, label)), None)
        board = self._posts()[-1]
        if at is not None and self._offers == board.flat:
            return board, [key for row in board.keys for key in row][at]
        # A menu under the board disappears with it; a quick thumb still hits its button.
        result = next((gone for gone in self._gone if _reads(gone[1].text, label)), None)
        assert result is not None, f"{who} sees no button [{label}]:\n{self.transcript()}"
        return result

    def _own(self, who: str) -> list[Message]:
        """Return the bot's messages to this person, newest first: in private, and ephemeral or silent ones in the
        group."""
        for message in (*self._hall.said(), *self._people[who].private().said()):
            if message.quoted is not None or message.chat is not self._hall:
                self._owners.setdefault(id(message), self._who if message.chat is self._hall else who)
        alone = self._people[who].alone_in(self._hall).said()
        for message in alone:
            self._owners.setdefault(id(message), who)
        results = {
            id(message): message for message in (*self._hall.said(), *self._people[who].private().said(), *alone)
        }
        return [results[owner] for owner in reversed(self._owners) if self._owners[owner] == who and owner in results]

    def _posts(self) -> list[Message]:
        return [message for message in self._hall.said() if message.quoted is None]

    # --- Output

    def leads(self, step: Step) -> Step:
        """Return *step* as seen here: a film is posted where its button is, so a button in a private chat is answered
        with the film."""
        films = [event for event in step.posts if event.said.file is not None and event.said.file[0] == "animation"]
        if not films or self._tap is None or self._tap.message.chat is self._hall:
            return step
        assert self._tap.message.chat.with_ is not None
        told = [replace(event, kind=Kind.TOLD, to=step.who) for event in films]
        return replace(step, events=tuple(told))

    def shows(self, posts: Sequence[Post]) -> list[Screen]:
        return list(map(self._shown, posts))

    def _shown(self, post: Post) -> Screen:
        """Return the screen. After a press of Move, the choices are under the board: they are public, and contain no
        secret. Games with visible steps offer them at once."""
        rows = post.said.rows
        if rows and not post.is_over:
            rows = self._under or ((tuple(self._offers),) if self._offers else rows)
        said = replace(post.said, rows=rows, call=post.said.call.removeprefix("@"))
        return _presented(plainly(said, post.called))

    def tells(self, step: Step) -> Screen | None:
        if any(post.said.rows for post in step.posts):
            self._under, self._menus = (), {}
        said = step.reply_to(step.who)
        if said is None:
            return None
        if said.rows:
            self._menus[step.who] = said
        if self._tap is None and self._typed is None:
            return None
        reply = self._ear.answers[step.who]
        assert reply is not None
        if self._is_unpictured(reply):
            said = replace(said, alt=None)
        return self._after_press(self._tap, reply, said) if self._tap is not None else self._after_typing(reply, said)

    def _is_unpictured(self, reply: Reply) -> bool:
        """Return whether the picture is omitted: a group never shows one player's choices, and fading replies go to the
        private chat."""
        is_marked = isinstance(reply.picture, MarkedPicture)
        if self._apart:
            on_post = self._tap is not None and self._tap.message.alone is None
            return is_marked and not reply.secret and reply.role is Role.OFFERED_MENU and on_post
        to_group = self._tap is None or self._tap.message.chat is self._hall
        in_group = to_group and (self._tap is not None or not reply.expires_strictly)
        return is_marked and not reply.secret and in_group

    def _after_typing(self, reply: Reply, said: Said) -> Screen | None:
        """Return the answer to typed text. A mere confirmation of a public result is not sent to a group."""
        is_toast = reply.role.is_toast and reply.is_plain
        return None if is_toast else _presented(plainly(said))

    def _after_press(self, tap: Tap, reply: Reply, said: Said) -> Screen | None:
        """Return the answer to a press.

        A short text is the answer itself. A menu replaces its button: under a post only the buttons change, and the
        question is the answer.
        """
        own = id(tap.message) in self._before
        seen = _presented(plainly(said))
        closes = _verb(tap.key.data) == "close"
        if reply.brief and tap.message.chat is self._hall:  # a line instead of a message in another place
            return Screen(_lines(reply.brief))
        manner = self._manners.get(id(tap.message)) if own else None
        if manner is Role.MENU and (closes or reply.role.is_toast):
            self._goes_away = tap.message  # its purpose is fulfilled
            return None if closes else seen
        if manner is Role.NOTE and reply.role.is_toast and _verb(tap.key.data) in ("play", "sure"):
            self._goes_away = tap.message  # its buttons are deleted; the note that it came from stays
            return seen
        if own and reply.role.is_menu and tap.message.picture is not None and said.alt is None and manner is Role.NOTE:
            return replace(seen, alt="")  # a menu that came from a private view keeps its picture
        pictured = reply.picture is not None and not self._is_unpictured(reply)
        if own or not reply.role.is_menu or reply.secret or pictured or len("\n".join(said.text)) > BOX:
            return seen
        if any(isinstance(row, Select) for row in reply.rows):
            return seen
        only_closes = all(
            _verb(button.payload) == "close" for row in reply.rows if not isinstance(row, Select) for button in row
        )
        if self._apart and not (only_closes or reply.role in (Role.OFFERED_MENU, Role.CLOSING)):
            return seen
        self._goes_under = True
        if only_closes or reply.role is Role.OFFERED_MENU:
            # An alert can always be closed; the board's choices are not part of the answer.
            return replace(seen, rows=())
        self._under = said.rows
        return seen

    def takes_back(self, step: Step, who: str) -> int:
        """Return the number of deleted messages, without menus under the board, which are deleted with it."""
        passed = [message for message in self._passing[who] if message.deleted and who != step.who]
        self._passing[who] = [message for message in self._passing[who] if not message.deleted]
        if passed:
            return len(passed)
        if not step.taken_back(who):
            return 0
        count = len(self._fading[who])
        self._fading[who].clear()
        return count

    def _sight(self) -> Sight:
        own = {who: self._own(who) for who in self._people}
        return Sight(
            tuple(self._read(post) for post in self._posts()),
            self._told(),
            {
                who: Counter(f"{message.chat.id} {message.number}: {self._read(message)}" for message in own[who])
                for who in own
            },
        )

    def _told(self) -> Screen | None:
        if self._tap is None and self._typed is None:
            return None
        if self._goes_away is not None and not self._goes_away.deleted and self._goes_away.keys:
            return Screen(("(the menu is still there)",))
        reply = self._ear.answers.get(self._who)
        stays = [message for message in self._own(self._who) if message is not self._goes_away]
        fresh = [message for message in stays if self._before.get(id(message)) != message.edits]
        if fresh and reply is not None:
            message = fresh[0]
            assert not (self._apart and self._tap) or message.chat is self._hall, (
                "a press is answered where it was made"
            )
            seen_alone = message.chat.with_ is not None or message.alone is not None
            assert seen_alone or not (reply.secret or reply.expires_strictly), "a secret is told in the group"
            passes = reply.expires is not None and not reply.expires_strictly
            if (passes or message.alone is not None) and message not in self._passing[self._who]:
                self._passing[self._who].append(message)
            self._manners.setdefault(id(message), reply.role)
            self._reads(message)
            if self._tap is not None and self._tap.message.deleted:  # a picture replaced the text
                self._fading[self._who].discard(id(self._tap.message))
            if reply.expires_strictly:
                self._fading[self._who].add(id(message))
            return self._read(message)
        answer = None if self._tap is None else self._tap.answer
        if self._tap is None or answer is None or not answer.text or answer.text in SENT:
            return None
        under = self._tap.message.flat if self._goes_under and self._under else []
        return Screen(_lines(answer.text), rows=(tuple(under),) if under else ())

    def _read(self, message: Message) -> Screen:
        file = None if message.file is None else (message.file.kind, nameless(message.file.name))
        labels = tuple(key.text for row in message.keys for key in row if not closes_all(key.data or ""))
        return Screen(
            _lines(message.text),
            None if message.picture is None else "",
            file,
            (labels,) if labels else (),
            tuple(self._names[number] for number in message.rang),
        )

    async def until(self, right: Callable[[Sight], bool]) -> Sight:
        with suppress(AssertionError):
            await self._telegram.until(lambda: right(self._sight()), "what was said is seen")
        return self._sight()

    def transcript(self) -> str:
        lines = []
        for name, where in (("hall", self._hall), *((who, person.private()) for who, person in self._people.items())):
            lines.append(f"== {name}")
            lines += [f"{message.text}\n    {message.labels}" for message in where.messages if not message.deleted]
        return "\n".join(lines)


def _lines(text: str) -> tuple[str, ...]:
    """Return the text as read: an invisible character keeps an @ from pinging a person."""
    return tuple(text.replace("@\u2060", "@").split("\n")) if text else ()


def _verb(carried: str) -> str | None:
    result = payload.read(carried)
    return None if result is None else result.verb


def _reads(text: str, label: str) -> bool:
    """Return whether a button is the wanted one. A choice of a list is a button with the choice's label, below the name
    of the list; the selected one has a dot."""
    choice = label.partition(": ")[2] or label
    return any(fits(*pair) for pair in ((text, label), (text, choice), (text.removeprefix("• "), label)))


def _presented(seen: Screen) -> Screen:
    """Return *seen* as Telegram can show it: mentions are names, pictures have no words, lists are buttons, and rows
    are as wide as a phone, so only the order of the buttons counts."""
    labels: list[str] = []
    for row in seen.rows:
        if isinstance(row, Picks):
            labels += [row.label] if row.label else []
            labels += [f"• {choice}" if choice == row.chosen else choice for choice in row.choices]
        else:
            labels += row
    rows = (tuple(labels),) if labels else ()
    return replace(seen, rows=rows, alt=None if seen.alt is None else "")
