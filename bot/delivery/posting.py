"""One table brought up to date at one venue: what `bot.tables.showing` plans, carried out on a platform."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from hashlib import blake2b

from msgspec.structs import replace

from bot.chat import (
    Chat,
    Gone,
    Limited,
    MessageId,
    Moved,
    NoReplyWindow,
    PicturesRefused,
    PlaceId,
    Post,
    Refused,
    TryLater,
    Undelivered,
    platform,
)
from bot.delivery.painting import Pictures
from bot.replies import boards, choices, menus, words
from bot.repository.repository import Repository
from bot.runtime.clock import Clock
from bot.store import StoreDown
from bot.tables import afterwards, deadlines, logbook, showing
from bot.tables import table as tables
from bot.tables.showing import RESTORED, Edit, Litter, New, Removal, Showing, Stay, Unnoted, Wanted, cleaned, littered
from bot.tables.table import By, Phase, Step, Table
from renderers import Look, Theme
from rules import GAMES

log = logging.getLogger(__name__)

SOON_S = 0.01  # what takes longer goes on beside noting what was posted: until then nobody else knows of it

Noting = Callable[[Showing], Awaitable[None]]
"""Remembers a message before there is anything on it."""


class Posting:
    """Posts, edits and clears away. *theme*: of pictures where the table chose none."""

    def __init__(
        self, chats: Mapping[str, Chat], repository: Repository, painter: Pictures, clock: Clock, theme: Theme
    ) -> None:
        self._chats = chats
        self._repository = repository
        self._painter = painter
        self._clock = clock
        self._theme = theme

    async def bring(self, wanted: Wanted, former: Showing | None, note: Noting) -> Showing:
        """Show *wanted*, as it is to be seen at that venue, where *former* stands; gives what stands there then. Raises
        Undelivered."""
        table, chat = wanted.table, self._chats[platform(wanted.table.place)]
        plan = showing.planned(wanted, former)
        if isinstance(plan, Stay):
            return plan.showing
        if isinstance(plan, Edit):
            post = await self._post(await self._for_all(wanted), plan.showing)
            if plan.showing.unpictured:
                post = boards.in_words(post, table.lang, first=False)
            try:
                await chat.edit(table.place, plan.showing.message, post)
            except Gone:
                plan = showing.planned(wanted, former, gone=True)
                if isinstance(plan, Stay):
                    return plan.showing
            else:
                return plan.showing
        assert isinstance(plan, New)  # nothing is left to be edited
        return await self._new(chat, wanted, plan, note)

    async def clear(self, table: Table, stands: Showing) -> tuple[Showing, bool]:
        """Take away what is left of former messages, the newest first; gives *stands* with what is left then, and
        whether there was no room for more."""
        chat, gone, full = self._chats[platform(table.place)], list[Litter](), False
        for each in reversed(stands.litter):
            place = tables.stood_in(table, each.moves)
            try:
                if place is None:
                    pass  # out of reach
                elif each.ending is Removal.STRIP:
                    await chat.strip(place, each.message)
                elif each.ending is Removal.DELETE or not await self._covers(chat, place, table, each.message):
                    await chat.delete(place, each.message)
            except (Gone, Refused, Moved, NoReplyWindow) as no:
                log.info("%s: an old board stays as it is: %s", place, no)
            except Limited:
                full = True
                break
            except TryLater:
                continue
            gone.append(each)
        return cleaned(stands, gone), full

    async def _new(self, chat: Chat, wanted: Wanted, plan: New, note: Noting) -> Showing:
        table, former = wanted.table, plan.former
        wanted = await self._for_all(wanted)
        post = await self._post(wanted, plan.showing, calls=plan.calls)
        stands, stays = plan.showing, False
        place = None if former is None else tables.stood_in(table, former.moves)
        # No new board comes before the former one is away, unless that stands where the table was before.
        first = plan.ending is Removal.COVER and place in (None, table.place)
        if former is not None and first and not (place and await self._covered(chat, place, table, former)):
            stays = place is not None  # as the next one will
            stands = replace(stands, told=stands.told or await self._tell(chat, table))
        # The same for the same board, and another one whenever it is shown again.
        again = former.message if former is not None and (wanted.again or former.mark == RESTORED) else ""
        nonce = _nonce(table, table.revision, table.mark, again)
        try:
            stands = replace(stands, unpictured=False)
            stands = replace(stands, message=await self._put(chat, table, post, post, nonce, stands, note))
        except PicturesRefused:
            stands = replace(stands, unpictured=True)
            if stays:  # nothing is told that could be read for ever: whoever is up sees the board alone
                message = await chat.post(table.place, boards.untold(post), f"{nonce}w")
            else:
                # A lobby that says what is missing says something else once the game begins.
                tells = former is None or not plan.showing.unpictured or former.page == Phase.LOBBY
                said = boards.in_words(post, table.lang, first=tells)
                message = await self._put(chat, table, post, said, f"{nonce}w", stands, note)
            stands = replace(stands, message=message)
        if wanted.unnoted is not None and chat.knows_nonces:
            stands = await self._found(chat, table, wanted.unnoted, stands)
        if former is not None and place is not None and not first:
            ending = asyncio.ensure_future(self._end(chat, place, table, plan, stands, post))
            try:
                if not (await asyncio.wait((ending,), timeout=SOON_S))[0]:
                    with suppress(StoreDown):  # whoever dies while this waits has not posted in vain
                        await note(littered(stands, Litter(former.message, plan.ending, former.moves)))
                stands = await ending
            finally:
                ending.cancel()
        return stands

    async def _for_all(self, wanted: Wanted) -> Wanted:
        """*wanted* as everybody may see it: a turn that is seen as a whole has not begun before it is complete."""
        if not logbook.is_begun(wanted.table, wanted.entries):
            return wanted
        return replace(wanted, state=await self._repository.began(wanted.table))

    async def _put(
        self, chat: Chat, table: Table, post: Post, said: Post, nonce: str, stands: Showing, note: Noting
    ) -> MessageId:
        """Post a board as *said*: *post* itself, or that in words. One that may not stay is put in afterwards, where a
        post can be lost on its way and come again: what is lost then shows nothing, and what shows something is known
        before."""
        if chat.knows_nonces or not stands.fades:
            return await chat.post(table.place, said, nonce)
        blank = await self._blank(table, in_words=stands.unpictured)
        blank = replace(blank, title=post.title, text=post.text, small=post.small, call=post.call)
        message = await chat.post(table.place, blank, nonce)
        await note(replace(stands, message=message, revision=table.revision - 1))  # the board itself is still to come
        try:
            await chat.edit(table.place, message, said)
        except (Gone, Refused):  # it was deleted at once, or nothing can be changed here
            return await chat.post(table.place, said, f"{nonce[:24]}p")
        return message

    async def _found(self, chat: Chat, table: Table, unnoted: Unnoted, stands: Showing) -> Showing:
        """*stands*, with what may have been posted before it as litter: by its nonce the platform gives that message;
        where there is none it takes one line, which goes at once."""
        try:
            message = await chat.post(
                table.place, boards.gone(table.lang), _nonce(table, unnoted.revision, unnoted.mark)
            )
        except Undelivered as no:
            log.info(
                "%s: whether a board of revision %d stands there is not known: %s", table.place, unnoted.revision, no
            )
            return stands
        return littered(stands, Litter(message, Removal.DELETE, table.moves))

    async def _end(self, chat: Chat, place: PlaceId, table: Table, plan: New, stands: Showing, post: Post) -> Showing:
        """Take a former board's buttons, or all of it, in the *place* where it stands. What does not work out is litter
        of the new one, which reads as *post*."""
        former, ending = plan.former, plan.ending
        assert former is not None
        try:
            if ending is Removal.COVER:
                await self._covered(chat, place, table, former)
            elif (said := await self._left(table, former, post, place)) is not None:
                await self._say_instead(chat, place, table, former, said)
            elif ending is Removal.DELETE:
                await self._delete(chat, place, table, former, post)
            else:
                await chat.strip(place, former.message)
        except (Gone, Refused, Moved, NoReplyWindow) as no:
            log.info("%s: an old board keeps its buttons: %s", place, no)
        except TryLater as later:
            log.info("%s: an old board keeps its buttons for now: %s", place, later)
            return littered(stands, Litter(former.message, ending, former.moves))
        return stands

    async def _left(self, table: Table, former: Showing, post: Post, place: PlaceId) -> Post | None:
        """What a former board reads from now on where it stays with words of its own; None where it does not."""
        if place != table.place:
            return boards.away(post, table.lang)
        if former.page == Phase.LOBBY and table.phase == Phase.RUNNING:
            # It offers no seats any more; what it promised has to stay, also where the first board does not.
            return choices.begun_lobby(table, await self._painter.lobby(table.game, self._look(table)), table.lang)
        return None

    async def _say_instead(self, chat: Chat, place: PlaceId, table: Table, former: Showing, said: Post) -> None:
        """Let a former board read what is *said*, without a picture where none may be shown."""
        if former.unpictured:
            said = boards.in_words(said, table.lang, first=False)
        await chat.edit(place, former.message, said)

    async def _delete(self, chat: Chat, place: PlaceId, table: Table, former: Showing, post: Post) -> None:
        """Take a former board away; a lobby that cannot be deleted reads as *post*, which offers no seats."""
        try:
            await chat.delete(place, former.message)
        except Refused:
            if former.page != Phase.LOBBY:
                raise
            await self._say_instead(chat, place, table, former, replace(post, rows=()))

    async def _covered(self, chat: Chat, place: PlaceId, table: Table, former: Showing) -> bool:
        """Let nobody look back at the former board of a game that forgets: delete it, or else show the board as it is
        before anything has happened. False where neither can be. Raises TryLater, Moved: no new board until then."""
        try:
            await chat.delete(place, former.message)
        except Gone:
            pass
        except Refused as no:
            log.info("%s: an old board cannot be deleted: %s", place, no)
            return await self._covers(chat, place, table, former.message, in_words=former.unpictured)
        return True

    async def _covers(
        self, chat: Chat, place: PlaceId, table: Table, message: MessageId, *, in_words: bool = False
    ) -> bool:
        """Put a board that tells nothing in place of *message*; False where that cannot be."""
        try:
            await chat.edit(place, message, await self._blank(table, in_words=in_words))
        except (Gone, Refused) as no:
            log.warning("%s: an old board of table %s stays visible: %s", place, table.id, no)
            return False
        return True

    async def _blank(self, table: Table, *, in_words: bool) -> Post:
        """What stands in place of a former board: how such a game begins. It tells nothing of this one. *in_words*: as
        the board itself, which can become no picture."""
        if in_words:
            return boards.covered(table, None, table.lang)
        start = GAMES[table.game].start(len(table.seats), table.options, seed=0)
        return boards.covered(table, await self._painter.board(start, self._look(table)), table.lang)

    async def _tell(self, chat: Chat, table: Table) -> bool:
        """Say that old boards stay visible; False where even that cannot be said now."""
        try:
            await chat.post(table.place, boards.uncovered(table.lang), nonce=f"{table.id}-stays")
        except Undelivered as no:
            log.info("%s: what old boards do cannot be told: %s", table.place, no)
            return False
        return True

    def _look(self, table: Table) -> Look:
        """How everybody sees the pictures of *table*."""
        return words.look(table, None, Theme(table.theme or self._theme), table.lang)

    async def _post(self, wanted: Wanted, shows: Showing, *, calls: bool = True) -> Post:
        """The post that *shows* describes."""
        table, lang = wanted.table, wanted.table.lang
        if wanted.state is None:
            shown = await self._painter.lobby(table.game, self._look(table))
            if table.phase == Phase.OVER:
                return choices.closed_lobby(table, shown, lang)
            # A rematch calls nobody: its people have just played here.
            called = [seat for seat in table.invited if not table.order and calls]
            pinged = [seat for seat in called if deadlines.may_ping(table, seat, self._clock.now())]
            return replace(choices.lobby(table, shown, lang), call=choices.inviting(pinged, lang))
        view = wanted.state.view(None)
        picture = await self._painter.board(wanted.state, self._look(table))
        fresh = (each for each in wanted.entries if each.revision > shows.since)
        # What was taken back goes with what took it back; anything else beside the game is told once.
        unheard = (each for each in fresh if not each.event or each.back or each.revision > shows.heard)
        news = logbook.told(table, unheard)
        if view.actor is None:
            return boards.board(table, view, news, picture, lang, opens=shows.opens)
        # Nobody is called for what the table will do by itself.
        by_itself = afterwards.decides(Step(table, view)) == By.TABLE and not logbook.is_mid_turn(table, wanted.entries)
        needed = calls and not by_itself
        ping = needed and deadlines.may_ping(table, table.seats[view.actor], self._clock.now())
        public = not tables.hides(wanted.state, view.actor)
        offers = menus.offers(table, view, wanted.entries, lang) if public else ()
        return boards.board(table, view, news, picture, lang, ping, offers, opens=shows.opens)


def _nonce(table: Table, revision: int, mark: str, again: str = "") -> str:
    """By what a platform can tell a repetition of the board of *revision*, which was saved with *mark*: the same board
    elsewhere is another one, and so is, told by *again*, the one further up.

    At most 24 characters, which leaves one for a board that is said otherwise.
    """
    return blake2b(f"{table.id} {table.place} {revision} {mark} {again}".encode(), digest_size=12).hexdigest()
