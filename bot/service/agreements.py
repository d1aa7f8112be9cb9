"""Agreements beside the game: undo, draw, resignation, end, and decisions about an overdue player."""

from msgspec.structs import replace

from bot.chat import Reply, Update
from bot.replies import notes
from bot.replies.tree import draw_of, knows_draws
from bot.replies.words import game_name
from bot.repository.repository import Repository
from bot.repository.turn_rights import who_acts
from bot.requests import Agree, Decide, Draw, End, Resign, Undo
from bot.service.context import Context
from bot.service.due import Due
from bot.service.feature import answers
from bot.service.not_acting import not_acting
from bot.service.playing import Playing
from bot.tables import absence, deadlines, forced_actions, linking, logbook, substitutes, votes
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Offer, Phase, Step, Wish


class Agreements:
    """Answers requests that need the other players' consent, and decisions that need none."""

    def __init__(self, repository: Repository, playing: Playing, due: Due) -> None:
        self._repository = repository
        self._playing = playing
        self._due = due

    @answers(Undo)
    async def undo(self, context: Context, _: Undo) -> Reply | None:
        """Take back the person's last action, or ask the others. Denied: forgets, undo_channel, and see `logbook.undo`
        and `votes.ask`."""
        update, lang = context.update, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step, Reply]:
            log = await self._repository.log(snapshot.table)
            if tables.forgets(snapshot.table, snapshot.state) and logbook.has_played(
                snapshot.table, log, update.person.id
            ):
                raise Denied("forgets")
            undo = logbook.undo(snapshot.table, log, update.person.id)
            if undo.freely:
                return undo.step, notes.toast("undone", lang)
            if snapshot.table.has_channel:  # it has voted since, or votes now
                raise Denied("undo_channel")
            asking = votes.ask(snapshot.table, update.person.id, "undo")
            if votes.all_agree(asking):
                return undo.step, notes.toast("undone", lang)
            return Step(asking, snapshot.state), notes.asked(snapshot.table, update.person.id, lang)

        return await self._playing.change(context, apply)

    @answers(Draw)
    async def draw(self, context: Context, _: Draw) -> Reply | None:
        """Play the draw, which is an action of the game. Denied: no_draws, no_draw."""
        update, lang = context.update, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            if not knows_draws(snapshot.table.game):
                raise Denied("no_draws", game=game_name(snapshot.table.game, lang))
            acting = who_acts(snapshot, update.person.id)
            if acting is None:
                return None, not_acting(snapshot, update, lang)
            view = acting.state.view(acting.seat)
            action = draw_of(snapshot.table.game, view)
            if action is None:
                raise Denied("no_draw")
            question = acting.state.warns(action)
            if question is not None:
                index, secret = acting.state.actions().index(action), tables.hides(acting.state, acting.seat)
                return None, notes.sure(snapshot.table, view, action, question, index, lang, secret)
            now_ms = self._repository.now_ms()
            offered = tables.play(snapshot.table, acting.state, action, now_ms)
            step = forced_actions.play_on(offered, snapshot.table.turn, now_ms)
            if step.table.phase == Phase.RUNNING and step.table.turn == snapshot.table.turn:
                return step, notes.drawn(snapshot.table.game, view, action, lang)
            if step.table.phase == Phase.OVER:
                return step, notes.finished(step.table, view, acting.seat, lang)
            return step, notes.played(snapshot.table.game, (action,), lang)  # the turn is over

        return await self._playing.change(context, apply)

    @answers(Resign)
    async def resign(self, context: Context, request: Resign) -> Reply | None:
        """Resign, after a confirmation. Denied: over, not_running, and see `tables.require_seat`."""
        update, lang = context.update, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            if snapshot.table.phase != Phase.RUNNING or snapshot.state is None:
                raise Denied("not_running" if snapshot.table.phase == Phase.LOBBY else "over")
            tables.require_seat(snapshot.table, update.person.id)
            if request.stamp is None:
                return None, notes.resign(snapshot.table, snapshot.state.actor, lang)
            now_ms = self._repository.now_ms()
            step = await self._repository.without_unsent(
                snapshot, lambda table, state: absence.resign(table, state, update.person.id, now_ms)
            )
            return step, notes.toast("resigned", lang)

        return await self._playing.change_and_lead_on(context, apply)

    @answers(End)
    async def end(self, context: Context, request: End) -> Reply | None:
        """End the table, or ask the others; an end at once needs a confirmation. Denied: see `votes.end`."""
        update, lang = context.update, context.lang
        now = await self._due.note_silence(context.snapshot, update.person.id)
        state = now.state if now.table.phase == Phase.RUNNING else None
        if request.sure and state is not None and context.is_stale(now.table):
            return notes.not_ended(now.table, state.actor, lang)

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            step = await self.end_step(update, snapshot)
            running = snapshot.table.phase == Phase.RUNNING  # a lobby closes without a question: no player loses a game
            wished = step.table.twin is not None and step.table.twin.wish is Wish.END
            if running and (wished or step.table.phase == Phase.OVER) and not request.sure:
                up = None if snapshot.state is None else snapshot.state.actor
                return None, notes.end(snapshot.table, up, step.table, lang)
            if step.table.phase != Phase.OVER and not wished:
                return step, notes.asked(snapshot.table, update.person.id, lang)
            return step, notes.toast("lobby.closed" if snapshot.table.phase == Phase.LOBBY else "ended", lang)

        return await self._playing.plain_change(replace(context, about=now), apply)

    async def end_step(self, update: Update, snapshot: Snapshot) -> Step:
        """Return the step by which the person of *update* ends the table. Denied: see `votes.end`."""
        person, may = update.person.id, update.may_manage
        if snapshot.table.phase != Phase.RUNNING or snapshot.state is None:
            return votes.end(snapshot.table, snapshot.state, person, may)
        if may and snapshot.table.twin is not None:
            return linking.wished(snapshot.table, snapshot.state, Wish.END)
        return await self._repository.without_unsent(
            snapshot, lambda table, state: votes.end(table, state, person, may)
        )

    @answers(Agree)
    async def agree(self, context: Context, request: Agree) -> Reply | None:
        """Record a yes or no to the open question; once all agree, it happens. Denied: stale."""
        update, lang = context.update, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step, Reply]:
            person = update.person.id
            ask = snapshot.table.ask
            if ask is not None and (ask.revision, ask.mark) != (request.question.number, request.question.mark):
                raise Denied("stale")
            if not request.yes:
                table = votes.refuse(snapshot.table, person)
                if table.ask is not None and snapshot.state is not None:
                    table = votes.settled(table, snapshot.state)
                answer = notes.refused_vote(snapshot.table, table, snapshot.state, person, lang)
                return Step(votes.noted(snapshot.table, table, person), snapshot.state), answer
            agreed = votes.agree(snapshot.table, snapshot.state, person)
            assert agreed.ask is not None
            state = snapshot.state
            assert state is not None
            step = Step(agreed, state)
            if agreed.ask.what == "end":
                step = await self._repository.without_unsent(
                    snapshot, lambda table, state: Step(votes.settled(votes.agree(table, state, person), state), state)
                )
            elif votes.all_agree(agreed) and agreed.ask.what == "substitute":
                seat = tables.require_seat(agreed, agreed.ask.agreed[0])
                step = Step(replace(substitutes.offer(agreed, seat, Offer.AGREED), question=None), state)
            elif votes.all_agree(agreed):
                step = logbook.undo(agreed, await self._repository.log(snapshot.table), agreed.ask.agreed[0]).step
            return step, notes.agreed(snapshot.table, step.table, lang)

        return await self._playing.plain_change(context, apply)

    @answers(Decide)
    async def decide(self, context: Context, request: Decide) -> Reply | None:
        """Decide about an overdue player; taking the seat or ending the game needs a confirmation. Denied: stale,
        not_yours_to_decide."""
        update, lang = context.update, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply]:
            table, state = snapshot.table, snapshot.state
            if state is None or not request.stamp.fits(table) or not table.is_overdue or state.actor is None:
                raise Denied("stale")
            seat = tables.require_seat(table, update.person.id)
            if seat == state.actor:
                raise Denied("not_yours_to_decide")
            now_ms = self._repository.now_ms()
            match request.choice:
                case 0:
                    step = absence.wait_again(table, state, seat, now_ms)
                case 1:
                    step = await self._repository.without_unsent(snapshot, absence.play_turn)
                case 2:
                    step = await self._repository.without_unsent(
                        snapshot, lambda table, state: absence.give_seat_to_house(table, state, now_ms)
                    )
                    if not request.sure:
                        return None, notes.taking(table, state.actor, step.table, lang)
                case 3 if deadlines.is_first_move(table, state.actor):
                    person = update.person.id
                    step = await self._repository.without_unsent(
                        snapshot, lambda table, state: Step(votes.ended(table, state, (person,)), state)
                    )
                    if not request.sure:
                        return None, notes.ending_first(table, state.actor, lang)
                case _:
                    raise Denied("stale")
            if step.table.phase == Phase.OVER:
                return step, notes.finished(step.table, state.view(seat), seat, lang)
            return step, notes.decided(step.table, state.actor, lang)

        return await self._playing.plain_change(context, apply)
