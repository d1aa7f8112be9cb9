"""Post, edit and end the messages that show a table: `bot.tables.showing` plans, this module acts on a platform."""

import logging
from collections.abc import Mapping
from hashlib import blake2b

from cachetools import LRUCache
from msgspec import Struct
from msgspec.structs import replace

from bot.chat import (
    Chat,
    Gone,
    Limited,
    MessageId,
    MessagePart,
    Moved,
    NoReplyWindow,
    PicturesRefused,
    PlaceGone,
    PlaceId,
    Post,
    Refused,
    TryLater,
    Undelivered,
    platform,
)
from bot.delivery.painting import Pictures
from bot.house.levels import Level
from bot.replies import boards, choices, menus, words
from bot.runtime.clock import Clock
from bot.tables import deadlines, forced_actions, logbook, showing
from bot.tables import table as tables
from bot.tables.board_message import RESTORED, BoardMessage, Removal, StaleMessage, with_stale, without_stale
from bot.tables.showing import Edit, New, PendingPost
from bot.tables.snapshot import Snapshot, UnrecordedPost
from bot.tables.table import By, Phase, Step, Table, TableId
from renderers import Look, Theme
from rules import GAMES

KEPT = 32
"""Boards in memory on which the house thinks. Others keep the line that it thinks."""

log = logging.getLogger(__name__)


class EditLimited(Limited):
    """The platform takes no more edits for now; its limit for new messages is another one."""


class Posted(Struct, frozen=True):
    """The outcome of `Posting.sync`: the message in the place, and the work that remains.

    *hidden*: the content that `Posting.reveal` still has to put in place of a blank board, or None.
    *former*: the message that `Posting.end_former` still has to end by *ending*, or None. *board*: the new content.
    """

    message: BoardMessage
    hidden: Post | None = None
    nonce: str = ""
    former: BoardMessage | None = None
    ending: Removal = Removal.STRIP
    board: Post = Post()

    @property
    def unended(self) -> BoardMessage:
        """The message, with the former one among the stale messages."""
        if self.former is None:
            return self.message
        return with_stale(self.message, StaleMessage(self.former.message, self.ending, self.former.relocations))


class Posting:
    """Posts, edits and removes messages. *theme*: of pictures if the table has none."""

    def __init__(self, chats: Mapping[str, Chat], painter: Pictures, clock: Clock, theme: Theme) -> None:
        self._chats = chats
        self._painter = painter
        self._clock = clock
        self._theme = theme
        self._interim = LRUCache[TableId, tuple[MessageId, Post]](KEPT)  # what stays of a board on which it thinks

    async def sync(self, post: PendingPost, former: BoardMessage | None) -> Posted:
        """Show the table of *post* in its place, which shows *former*. Raises Undelivered."""
        table, chat = post.snapshot.table, self._chats[platform(post.snapshot.table.place)]
        plan = showing.planned(post, former)
        if isinstance(plan, Edit):
            board = await self._board(post.snapshot, plan.board_message)
            if plan.board_message.unpictured:
                board = boards.in_words(board, table.lang, first=False)
            if showing.is_interim(post.snapshot):
                self._interim[table.id] = plan.board_message.message, boards.after_thinking(board)
            try:
                await chat.edit(table.place, plan.board_message.message, board)
            except Gone:
                plan = showing.planned(post, former, gone=True)
            except PlaceGone:
                raise
            except Refused as no:  # in a sleeping thread, for example, which a post wakes
                if table.is_resting:  # it is never posted anew
                    raise
                log.info("edit refused, posting anew: place=%s table=%s error=%s", table.place, table.id, no)
                plan = showing.planned(post, former, gone=True)
            except Limited as limit:
                if chat.capabilities(table.place).counts_edits:
                    raise
                raise EditLimited(limit.after_s, str(limit)) from limit
        if isinstance(plan, New):
            return await self._new(chat, post, plan)
        return Posted(plan.board_message)

    async def reveal(self, table: Table, posted: Posted) -> Posted:
        """Put the hidden content of *posted* in place of its blank board. Raises Undelivered."""
        if posted.hidden is None:
            return posted
        chat, message = self._chats[platform(table.place)], posted.message
        try:
            await chat.edit(table.place, message.message, posted.hidden)
        except PicturesRefused:
            await chat.edit(table.place, message.message, boards.in_words(posted.hidden, table.lang, first=True))
            message = replace(message, unpictured=True)
        except (Gone, Refused):  # it was deleted at once, or the place allows no edits
            again = await chat.post(table.place, posted.hidden, f"{posted.nonce[:24]}p")
            message = replace(message, message=again)
        return replace(posted, message=message, hidden=None)

    async def end_former(self, table: Table, posted: Posted) -> BoardMessage:
        """End the former message of *posted*. Return the new message; a removal that fails is among its stale ones."""
        former = posted.former
        interim, moved = self._interim.pop(table.id, (None, Post()))
        place = None if former is None else tables.place_of_message(table, former.relocations)
        if former is None or place is None:
            return posted.message
        chat = self._chats[platform(table.place)]
        try:
            if posted.ending is Removal.COVER:
                await self._remove_content(chat, place, table, former)
            elif (said := await self._last_words(table, former, posted.board, place)) is not None:
                await self._say_instead(chat, place, table, former, said)
            elif posted.ending is Removal.DELETE:
                await self._delete(chat, place, table, former, posted.board)
            elif interim == former.message:  # nobody thinks there any more
                await chat.edit(place, former.message, moved)
            else:
                await chat.remove(place, former.message, MessagePart.BUTTONS)
        except (Gone, Refused, Moved, NoReplyWindow) as no:
            log.info("former board keeps its buttons: place=%s error=%s", place, no)
        except TryLater as later:
            log.info("former board keeps its buttons for now: place=%s error=%s", place, later)
            return posted.unended
        return posted.message

    async def clean_up(self, table: Table, message: BoardMessage) -> tuple[BoardMessage, bool]:
        """Remove the stale messages of *message*, the newest first.

        Return *message* with the stale ones that remain, and whether the platform's rate limit stopped the removal.
        """
        chat, removed, is_limited = self._chats[platform(table.place)], list[StaleMessage](), False
        for stale in reversed(message.stale):
            place = tables.place_of_message(table, stale.relocations)
            try:
                if place is None:
                    pass  # out of reach
                elif stale.ending is Removal.STRIP:
                    await chat.remove(place, stale.message, MessagePart.BUTTONS)
                elif stale.ending is Removal.DELETE or not await self._cover(chat, place, table, stale.message):
                    await chat.remove(place, stale.message, MessagePart.WHOLE)
            except (Gone, Refused, Moved, NoReplyWindow) as no:
                log.info("stale board stays as it is: place=%s error=%s", place, no)
            except Limited:
                is_limited = True
                break
            except TryLater:
                continue
            removed.append(stale)
        return without_stale(message, removed), is_limited

    async def _new(self, chat: Chat, post: PendingPost, plan: New) -> Posted:
        table, former, message, stays = post.snapshot.table, plan.former, plan.board_message, False
        board = await self._board(post.snapshot, message, calls=plan.calls)
        place = None if former is None else tables.place_of_message(table, former.relocations)
        # The content of the former board goes before the new board comes, unless the former is in another place.
        first = plan.ending is Removal.COVER and place in (None, table.place)
        if former is not None and first and not (place and await self._remove_content(chat, place, table, former)):
            stays = place is not None  # as the next one will
            message = replace(message, warned=message.warned or await self._tell(chat, table))
        # The same board has the same nonce; a board that is shown again has another one.
        again = former.message if former is not None and (post.again or former.mark == RESTORED) else ""
        nonce = _nonce(table, table.revision, table.mark, again)
        try:
            message = replace(message, unpictured=False)
            posted = await self._put(chat, table, board, board, nonce, message)
        except PicturesRefused:
            message = replace(message, unpictured=True)
            if stays:  # the text would stay readable for ever: the actor alone sees the board
                untold = await chat.post(table.place, boards.untold(board), f"{nonce}w")
                posted = Posted(replace(message, message=untold))
            else:
                # The text about refused pictures is told again when the game begins.
                tells = former is None or not plan.board_message.unpictured or former.subject == Phase.LOBBY
                said = boards.in_words(board, table.lang, first=tells)
                posted = await self._put(chat, table, board, said, f"{nonce}w", message)
        if table.phase == Phase.OVER and not post.again and (table.first_win or table.badges):
            await self._award(chat, table)
        unrecorded = post.snapshot.unrecorded
        if unrecorded is not None and chat.capabilities(table.place).dedupes_posts:
            posted = replace(posted, message=await self._with_unrecorded(chat, table, unrecorded, posted.message))
        if former is None or place is None or first:
            return posted
        return replace(posted, former=former, ending=plan.ending, board=board)

    async def _award(self, chat: Chat, table: Table) -> None:
        """Post the badge of a finished game below it. Nothing depends on this post: `/stats` has the badge, too."""
        stars = 1 + list(Level).index(Level(table.level)) if table.first_win else 0
        badge = await self._painter.badge(table.game, stars, self._look(table))
        nonce = f"{table.id}-badge"
        try:
            try:
                await chat.post(table.place, boards.award(table, badge), nonce)
            except PicturesRefused:
                await chat.post(table.place, boards.award(table, None), f"{nonce}w")
        except Undelivered as no:
            log.info("badge not posted: place=%s table=%s error=%s", table.place, table.id, no)

    async def _put(
        self, chat: Chat, table: Table, board: Post, said: Post, nonce: str, message: BoardMessage
    ) -> Posted:
        """Post *said*: *board* itself or in words.

        A board that may not stay is posted as a blank if the platform knows no nonces: a post that is lost on its way
        and repeated then shows nothing, and `reveal` follows when the message is recorded.
        """
        if chat.capabilities(table.place).dedupes_posts or not message.fades:
            return Posted(replace(message, message=await chat.post(table.place, said, nonce)))
        blank = await self._blank(table, in_words=message.unpictured)
        blank = replace(blank, title=board.title, text=board.text, small=board.small, call=board.call)
        posted = await chat.post(table.place, blank, nonce)
        return Posted(replace(message, message=posted), said, nonce)

    async def _with_unrecorded(
        self, chat: Chat, table: Table, unrecorded: UnrecordedPost, message: BoardMessage
    ) -> BoardMessage:
        """Return *message* with the unrecorded post among its stale messages.

        The nonce of that post leads to its message. If there is none, one line is posted, which is removed at once.
        """
        nonce = _nonce(table, unrecorded.revision, unrecorded.mark)
        try:
            posted = await chat.post(table.place, boards.gone(table.lang), nonce)
        except Undelivered as no:
            facts = (table.place, table.id, unrecorded.revision, no)
            log.info("unrecorded post not found: place=%s table=%s revision=%d error=%s", *facts)
            return message
        return with_stale(message, StaleMessage(posted, Removal.DELETE, table.relocations))

    async def _last_words(self, table: Table, former: BoardMessage, board: Post, place: PlaceId) -> Post | None:
        """Return the content of a former board that stays with content of its own, or None if it does not."""
        if place != table.place:
            return boards.elsewhere(board, table.lang)
        if former.subject == Phase.LOBBY and table.phase == Phase.RUNNING:
            # It offers no seats; its promise about the luck has to stay even if the first board does not.
            return choices.begun_lobby(table, await self._painter.lobby(table.game, self._look(table)), table.lang)
        return None

    async def _say_instead(self, chat: Chat, place: PlaceId, table: Table, former: BoardMessage, said: Post) -> None:
        """Edit a former board to *said*, without a picture if the place refuses pictures."""
        if former.unpictured:
            said = boards.in_words(said, table.lang, first=False)
        await chat.edit(place, former.message, said)

    async def _delete(self, chat: Chat, place: PlaceId, table: Table, former: BoardMessage, board: Post) -> None:
        """Delete a former board; a lobby that cannot be deleted shows *board* instead, which offers no seats."""
        try:
            await chat.remove(place, former.message, MessagePart.WHOLE)
        except Refused:
            if former.subject != Phase.LOBBY:
                raise
            await self._say_instead(chat, place, table, former, replace(board, rows=()))

    async def _remove_content(self, chat: Chat, place: PlaceId, table: Table, former: BoardMessage) -> bool:
        """Delete the former board of a game that forgets, or else cover it with the board at the beginning of a game.

        Return False if neither is possible. Raises TryLater, Moved: then no new board may be posted yet.
        """
        try:
            await chat.remove(place, former.message, MessagePart.WHOLE)
        except Gone:
            pass
        except Refused as no:
            log.info("former board cannot be deleted: place=%s error=%s", place, no)
            return await self._cover(chat, place, table, former.message, in_words=former.unpictured)
        return True

    async def _cover(
        self, chat: Chat, place: PlaceId, table: Table, message: MessageId, *, in_words: bool = False
    ) -> bool:
        """Edit *message* to a board that tells nothing. Return False if that is impossible."""
        try:
            await chat.edit(place, message, await self._blank(table, in_words=in_words))
        except (Gone, Refused) as no:
            log.warning("former board stays visible: place=%s table=%s error=%s", place, table.id, no)
            return False
        return True

    async def _blank(self, table: Table, *, in_words: bool) -> Post:
        """Return the board at the beginning of such a game, which tells nothing of this one, for former boards.

        *in_words*: without a picture, as a message in words can be given none.
        """
        if in_words:
            return boards.covered(table, None, table.lang)
        start = GAMES[table.game].start(len(table.seats), table.options, seed=0)
        return boards.covered(table, await self._painter.board(start, self._look(table)), table.lang)

    async def _tell(self, chat: Chat, table: Table) -> bool:
        """Tell players that former boards stay visible. Return False if the place refuses the post."""
        try:
            await chat.post(table.place, boards.uncovered(table.lang), nonce=f"{table.id}-stays")
        except Undelivered as no:
            log.info("notice about former boards refused: place=%s error=%s", table.place, no)
            return False
        return True

    def _look(self, table: Table) -> Look:
        """Return the look of *table* for all people."""
        return words.look(table, None, Theme(table.theme or self._theme), table.lang)

    async def _board(self, snapshot: Snapshot, shows: BoardMessage, *, calls: bool = True) -> Post:
        """Return the content that *shows* describes."""
        table, lang = snapshot.table, snapshot.table.lang
        if snapshot.state is None:
            shown = await self._painter.lobby(table.game, self._look(table))
            if table.phase == Phase.OVER:
                return choices.closed_lobby(table, shown, lang)
            # A rematch calls no person: its people have just played here.
            called = [seat for seat in table.invited if not table.order and calls]
            pinged = [seat for seat in called if deadlines.may_ping(table, seat, self._clock.now())]
            return replace(choices.lobby(table, shown, lang), call=choices.inviting(pinged, lang))
        state = logbook.public_position(table, snapshot.state, snapshot.recent)
        view = state.view(None)
        actions = logbook.public_actions(table, snapshot.recent)
        picture = await self._painter.board(state, words.with_recent(self._look(table), actions, view.actor))
        fresh = (entry for entry in snapshot.recent if entry.revision > shows.news_since)
        # Actions that were taken back are told together with the undo; other events beside the game are told once.
        unheard = (entry for entry in fresh if not entry.event or entry.back or entry.revision > shows.events_since)
        news = logbook.told_entries(table, unheard)
        tells_vote = table.tally is not None and table.tally.revision > shows.news_since
        if view.actor is None:
            return boards.board(
                table,
                view,
                news,
                picture,
                lang,
                opens=shows.opens,
                recent=snapshot.recent,
                tells_vote=tells_vote,
            )
        # No person is called for an action that the table will play by itself.
        by_itself = forced_actions.decides(Step(table, view)) == By.TABLE
        needed = not by_itself or logbook.is_mid_turn(table, snapshot.recent)
        ping = calls and needed and deadlines.may_ping(table, table.seats[view.actor], self._clock.now())
        public = not tables.hides(state, view.actor)
        offers = menus.offers(table, view, snapshot.recent, lang) if public else ()
        hides = tables.hides_anything(state)
        return boards.board(
            table,
            view,
            news,
            picture,
            lang,
            ping,
            offers,
            opens=shows.opens,
            hides=hides,
            recent=snapshot.recent,
            voters=shows.voters,
            tells_vote=tells_vote,
        )


def _nonce(table: Table, revision: int, mark: str, again: str = "") -> str:
    """Return the nonce of the board of *revision*, which was saved with *mark*, in the table's place.

    *again*: the message that a repost replaces. At most 24 characters, which leaves one for a variant of the board.
    """
    return blake2b(f"{table.id} {table.place} {revision} {mark} {again}".encode(), digest_size=12).hexdigest()
