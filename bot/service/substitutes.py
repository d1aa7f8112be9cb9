"""Substitutes: a person offers their seat, or the others offer that of a silent one, and another person takes it."""

from msgspec.structs import replace

from bot.chat import Reply
from bot.replies import notes, words
from bot.replies import substitutes as replies
from bot.repository.repository import Repository
from bot.requests import Seek, Substitute, TakeSeat
from bot.service.context import Context
from bot.service.feature import answers
from bot.service.lobbies import Lobbies
from bot.service.playing import Playing
from bot.store.store import Store
from bot.tables import logbook, substitutes, votes
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Offer, Step


class Substitutes:
    """Answers requests about substitutes. A new search posts the board again (`bot.tables.showing`)."""

    def __init__(self, repository: Repository, store: Store, lobbies: Lobbies, playing: Playing) -> None:
        self._repository = repository
        self._store = store
        self._lobbies = lobbies
        self._playing = playing

    @answers(Substitute)
    async def substitute(self, context: Context, request: Substitute) -> Reply | None:
        """Offer the person's seat, or no longer. Denied: see `substitutes.require_offering`, asked_already, stale."""
        person, lang = context.update.person.id, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            table = snapshot.table
            seat = substitutes.require_offering(table, person)
            match request.way:
                case None:
                    return None, replies.offering(table, seat, lang)
                case 0:
                    changed, said = substitutes.offer(table, seat, None), notes.toast("substitute.stopped", lang)
                case 1:
                    changed, said = substitutes.offer(table, seat, Offer.OWN), notes.toast("substitute.begun", lang)
                case 2:
                    changed, said = votes.ask(table, person, "substitute"), notes.asked(table, person, lang)
                    if votes.all_agree(changed):  # no other person plays
                        changed, said = (
                            substitutes.offer(table, seat, Offer.AGREED),
                            notes.toast("substitute.begun", lang),
                        )
                case _:
                    raise Denied("stale")
            return (Step(changed, snapshot.state) if changed != table else None), said

        done = await self._repository.change(context.snapshot, apply, context.update.id)
        return None if done is None else done.reply

    @answers(Seek)
    async def seek(self, context: Context, _: Seek) -> Reply | None:
        """Offer the seat of an overdue player. Denied: stale, not_yours_to_decide, and see `tables.require_seat`."""
        lang = context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            table, state = snapshot.table, snapshot.state
            if state is None or state.actor is None or not table.is_overdue:
                raise Denied("stale")
            if tables.require_seat(table, context.update.person.id) == state.actor:
                raise Denied("not_yours_to_decide")
            said = notes.toast("substitute.begun", lang)
            if table.seats[state.actor].offer is not None:
                return None, said
            return Step(substitutes.offer(table, state.actor, Offer.SILENT), state), said

        return await self._playing.plain_change(context, apply)

    @answers(TakeSeat)
    async def take(self, context: Context, request: TakeSeat) -> Reply | None:
        """Take an offered seat, after a question. Denied: see `substitutes.require_taking`, many_games.

        Of two people who press at once, the second save conflicts, and sees the first. Who must be kept apart from a
        person at the table reads the answer of a seat that is not free.
        """
        update, lang, seat = context.update, context.lang, request.seat

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            table, state = snapshot.table, snapshot.state
            people = substitutes.require_taking(table, seat, update.person.id)
            if await self._store.blocks.keep_apart(update.person.id, people, table.place) or state is None:
                raise Denied("full")
            if request.way is None:
                return None, replies.taking(table, seat, lang)
            await self._lobbies.reserve_seat(update.person.id, table.id, has_begun=True)
            new = replace(await self._lobbies.newcomer(update, lang), rated=request.way == 1)
            before = Step(table, state)
            if state.actor == seat and logbook.is_begun(table, snapshot.recent):  # no one has seen these actions
                before = logbook.withdrawn(table, state, await self._repository.log(table))
            now_ms = self._repository.now_ms()
            step = substitutes.take(before.table, before.position, seat, new, now_ms, before.entries)
            return step, notes.toast("take.done", lang, game=words.game_name(table.game, lang))

        done = await self._repository.change(context.snapshot, apply, update.id)
        return None if done is None else done.reply
