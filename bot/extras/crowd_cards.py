"""The card of a channel's game: who took part, whose votes were played most, and who saw the turning point.

It is due work of the finished table, so it is posted after a crash as well, and once. When a review is made, the card
tells who had voted for the house's choice at the turning point.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from bot.chat import (
    Chat,
    Limited,
    MessageId,
    Moved,
    PersonId,
    PicturesRefused,
    Post,
    TryLater,
    Undelivered,
    platform,
)
from bot.delivery.painting import Pictures
from bot.replies import wording, words
from bot.replies.words import names, say, short
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.runtime.clock import Clock, from_ms
from bot.runtime.retry import ELSEWHERE_S
from bot.service.feature import Feature
from bot.tables import logbook, origins, voting
from bot.tables.preferences import BALLOT, chosen
from bot.tables.snapshot import Snapshot
from bot.tables.table import Entry, Table
from bot.tables.voting import Box
from renderers import Theme
from renderers.crowd_cards import Crowd, Player

log = logging.getLogger(__name__)

CARD = "card"
"""The attachment of a table that has the message of its card, after a "~" if it has no names; "-" if there is none."""
NONE = b"-"
NAMELESS = b"~"
AFTER_S, MOST_S = 10.0, 30.0
"""Pause before another look whether the final board is posted, and the longest: it is a tenth of the time since the
end."""
PATIENCE = timedelta(days=1)
"""Time after which a card is not posted any more: the bot may have been away for hours."""
NAMED = 40
"""People whose names the text tells."""


Choice = tuple[int, tuple[str, ...]]
"""A turn, and the house's choice there in notation."""
Choices = Sequence[Choice]
"""The turning points, those with the largest swing first."""


class Part(Struct, frozen=True):
    """A person's part in the game of a channel. *played*: the number of their votes that were played. *turns*: see
    `bot.tables.voting.Ballot`."""

    person: PersonId
    name: str
    played: int
    turns: Mapping[int, str]


class CrowdCards(Feature):
    """Posts the cards. *theme*: of pictures if the table chose none."""

    def __init__(
        self,
        repository: Repository,
        preferences: Preferences,
        chats: Mapping[str, Chat],
        painter: Pictures,
        clock: Clock,
        theme: Theme,
    ) -> None:
        self._repository = repository
        self._store = repository.store
        self._preferences = preferences
        self._chats = chats
        self._painter = painter
        self._clock = clock
        self._theme = theme

    async def due_after(self, snapshot: Snapshot) -> datetime | None:
        """Post the card of a finished game below its final board. Return when to look again, or None."""
        table, now = snapshot.table, self._clock.now()
        if snapshot.state is None or not table.has_channel:
            return None
        if await self._store.attachment(table.id, CARD) is not None:
            return None
        since = now - from_ms(table.turn_ms)
        if since > PATIENCE:
            return None
        if platform(table.place) not in self._chats:
            return now + timedelta(seconds=ELSEWHERE_S)
        if not snapshot.is_shown:
            return now + min(max(timedelta(seconds=AFTER_S), since / 10), timedelta(seconds=MOST_S))
        try:
            is_nameless = await self._is_nameless(table)
            message = await self._posted(snapshot, is_nameless=is_nameless)
        except Limited as later:
            return now + timedelta(seconds=max(later.after_s or 0, AFTER_S))
        except Moved as moved:
            await self._repository.move(table.id, moved.place)  # a save, with a due time
            return None
        except TryLater as unknown:
            log.warning("card may be missing: place=%s table=%s error=%s", table.place, table.id, unknown)
            if self._may_repeat(table):
                return now + timedelta(seconds=max(unknown.after_s or 0, AFTER_S))
            message = None
        except Undelivered as no:
            log.info("card not posted: place=%s table=%s error=%s", table.place, table.id, no)
            message = None
        await self._store.attach(table.id, CARD, _noted(message, is_nameless=is_nameless))
        return None

    async def _is_nameless(self, table: Table) -> bool:
        """Return whether the place keeps the names of voters to itself."""
        return chosen(BALLOT, await self._preferences.place(table.place)) == "anonymous"

    def _may_repeat(self, table: Table) -> bool:
        """Return whether a card whose outcome is unknown can be posted again: the platform knows its nonce still."""
        is_known = self._clock.now() - from_ms(table.turn_ms) <= 2 * timedelta(milliseconds=self._repository.lease_ms)
        return is_known and self._chats[platform(table.place)].capabilities(table.place).dedupes_posts

    async def _posted(self, snapshot: Snapshot, *, is_nameless: bool) -> MessageId | None:
        """Post the card, if any person has voted. Return its message, or None. Raises Undelivered."""
        table, box = snapshot.table, await self._repository.votes(snapshot)
        if not box.ballots:
            return None
        chat, nonce = self._chats[platform(table.place)], f"{table.id}-crowd"
        post = await self._post(snapshot, box, is_nameless=is_nameless)
        try:
            return await chat.post(table.place, post, nonce)
        except PicturesRefused:
            return await chat.post(table.place, replace(post, picture=None), f"{nonce}w")

    async def reviewed(self, table: Table, choices: Choices) -> None:
        """Add to the card of *table* who had voted for the house's choice at the turning point."""
        if not table.has_channel:
            return
        message = await self._store.attachment(table.id, CARD)
        snapshot = await self._repository.find(table.id)
        if message in (None, NONE) or snapshot is None or platform(table.place) not in self._chats:
            return
        assert message is not None
        is_nameless = message.startswith(NAMELESS) or await self._is_nameless(table)
        message = message.removeprefix(NAMELESS)
        post = await self._post(snapshot, await self._repository.votes(snapshot), choices, is_nameless=is_nameless)
        try:
            chat = self._chats[platform(table.place)]
            await chat.edit(table.place, MessageId(message.decode()), post)
        except Undelivered as no:
            log.info("card not changed: place=%s table=%s error=%s", table.place, table.id, no)

    async def _post(self, snapshot: Snapshot, box: Box, choices: Choices = (), *, is_nameless: bool) -> Post:
        table, lang = snapshot.table, snapshot.table.lang
        assert snapshot.state is not None
        log = await self._repository.log(table)
        parts = await asyncio.to_thread(parts_of, box, log)
        named = () if table.nameless or is_nameless else parts
        choice, saw = seen(named, choices)
        who = await self._names((*named[:NAMED], *saw[:NAMED]), lang)
        lines = [_best(named, who, lang)] if named else []
        if saw:
            number = await asyncio.to_thread(_number, table, log, choice[0])
            lines += [] if number is None else [_saw(snapshot, number, choice[1], saw, who, lang)]
        look = words.look(table, None, Theme(table.theme or self._theme), lang)
        seat = table.own_channel
        assert seat is not None
        people = tuple(Player(who[part.person], part.played) for part in named[:NAMED])
        crowd = Crowd(look.seats[seat].name, seat, len(parts), people)
        picture = await self._painter.crowd_card(snapshot.state, look, crowd)
        title = say("crowd.title", lang, who=names(table, lang)[seat], n=len(parts))
        return Post(title=title, text="\n".join(filter(None, lines)), picture=picture)

    async def _names(self, parts: Sequence[Part], lang: str) -> Mapping[PersonId, str]:
        """Return the names of people; people who are hidden from statistics are *somebody*."""
        hidden = await self._preferences.hidden([part.person for part in parts])
        known = {part.person: part.name for part in parts if part.person not in hidden}
        return {part.person: known.get(part.person) or say("somebody", lang) for part in parts}


def _noted(message: MessageId | None, *, is_nameless: bool) -> bytes:
    """Return the content of the attachment `CARD`."""
    return NONE if message is None else (NAMELESS if is_nameless else b"") + message.encode()


def parts_of(box: Box, log: Sequence[Entry]) -> tuple[Part, ...]:
    """Return the people who voted, those whose votes were played most first."""
    actions = dict[int, list[str]]()
    for entry in logbook.effective(log):
        actions.setdefault(entry.turn, []).append(entry.action)

    def is_played(key: int, voted: str) -> bool:
        turn, first = voting.begins_at(key)
        return _begins(actions.get(turn, [])[first:], voted.split(" "))

    parts = [
        Part(person, ballot.name, sum(is_played(key, voted) for key, voted in ballot.turns.items()), ballot.turns)
        for person, ballot in box.ballots.items()
        if not ballot.dropped
    ]
    return tuple(sorted(parts, key=lambda part: (-part.played, -len(part.turns), part.name.casefold(), part.person)))


def _begins(actions: Sequence[str], first: Sequence[str]) -> bool:
    """Return whether *actions* begin with *first*: a vote and a suggestion may end before a hidden result."""
    return [*actions[: len(first)]] == [*first]


def seen(parts: Sequence[Part], choices: Choices) -> tuple[Choice, Sequence[Part]]:
    """Return the house's choice where the channel's turn changed the chances most, and the people who had voted for
    it."""
    voted = {key for part in parts for key in part.turns}
    turn, steps = next(((turn, steps) for turn, steps in choices if steps and turn in voted), (0, ()))
    return (turn, steps), [part for part in parts if steps and _begins(part.turns.get(turn, "").split(" "), steps)]


def _best(parts: Sequence[Part], who: Mapping[PersonId, str], lang: str) -> str:
    """Return the line with the people, and how many of their votes were played."""
    people = [say("crowd.person", lang, who=short(who[part.person]), n=part.played) for part in parts[:NAMED]]
    more = [say("vote.more", lang, n=len(parts) - NAMED)] if len(parts) > NAMED else []
    return say("crowd.played", lang, names=", ".join((*people, *more)))


def _number(table: Table, log: Sequence[Entry], turn: int) -> int | None:
    """Return the number of turn *turn* as people read it; None for a setup."""
    entries = logbook.effective(log)
    first = sum(entry.turn < turn for entry in entries)
    return origins.number_after(table, entries, logbook.positions(table, entries), first)


def _saw(
    snapshot: Snapshot, number: int, steps: Sequence[str], saw: Sequence[Part], who: Mapping[PersonId, str], lang: str
) -> str:
    """Return the line about the people who had voted for the house's *steps* in turn *number*."""
    assert snapshot.state is not None
    move = wording.steps_text(snapshot.table.game, snapshot.state.view(None), steps, lang)
    people = [short(who[part.person]) for part in saw[:NAMED]]
    more = [say("vote.more", lang, n=len(saw) - NAMED)] if len(saw) > NAMED else []
    return say("crowd.saw", lang, names=", ".join((*people, *more)), turn=number, move=move)
