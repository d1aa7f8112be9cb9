"""Playing: typed moves, presses, menus of a turn, and the reader's own view."""

import asyncio
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from bot.chat import Button, Expiry, MarkedPicture, Picture, Press, Reply, Role, Select, Target, Update
from bot.delivery.outbox import Outbox
from bot.delivery.painting import Pictures
from bot.replies import menus, notes, pointing, wording, words
from bot.replies.decision import AtTable
from bot.replies.favourites import favourites
from bot.replies.tree import Path, Tree
from bot.repository.lookup import Lookup
from bot.repository.repository import Applied, Change, Hooks, Instead, Repository
from bot.repository.turn_rights import Acting, who_acts
from bot.requests import Menu, Move, Play, Stamp, Tap, View, Vote, registry
from bot.requests.arguments import LONGEST_TEXT
from bot.service.context import Context
from bot.service.feature import Feature, answers, beside
from bot.service.history import HistoryAnswers
from bot.service.my_games import MyGames
from bot.service.not_acting import not_acting
from bot.service.undos import Undos
from bot.service.voting import VoteAnswers
from bot.store import StoreDown
from bot.tables import forced_actions, logbook
from bot.tables import table as tables
from bot.tables.snapshot import Snapshot
from bot.tables.table import By, Denied, Phase, Step, Table
from renderers import Theme
from rules import GAMES, Action, BadNotation, IllegalAction, State


class Playing:
    """Answers the requests of a turn."""

    def __init__(
        self,
        repository: Repository,
        undos: Undos,
        history: HistoryAnswers,
        painter: Pictures,
        outbox: Outbox,
        lookup: Lookup,
        my_games: MyGames,
        votes: VoteAnswers,
        features: Sequence[Feature] = (),
    ) -> None:
        """*features*: those with content for a person's own view."""
        self._features = features
        self._repository = repository
        self._undos = undos
        self._history = history
        self._painter = painter
        self._outbox = outbox
        self._lookup = lookup
        self._my_games = my_games
        self._votes = votes

    @answers(Move)
    async def move(self, context: Context, request: Move) -> Reply | None:
        """Play the typed actions, or vote for them."""
        if self._votes.votes_here(context):
            return await self._votes.typed(context, request.text)
        return await self.change_and_lead_on(context, self._moving(context.update, request.text, context.lang))

    async def follow(self, context: Context, hint: str) -> Reply | None:
        """Play a *hint* in notation; "": the person has had none for this position."""
        moving = self._moving(context.update, hint, context.lang)

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            if not hint and who_acts(snapshot, context.update.person.id) is not None:
                return None, notes.note("stale", context.lang)
            return await moving(snapshot)

        return await self.change_and_lead_on(context, apply)

    def _moving(self, update: Update, text: str, lang: str) -> Change:
        """Play the actions of *text* one by one, as far as they are legal within this turn."""

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            acting = who_acts(snapshot, update.person.id)
            if acting is None:
                return None, not_acting(snapshot, update, lang)
            seat, state = acting.seat, acting.state
            step, played = Step(snapshot.table, state), list[Action]()
            begun = _begun_by_itself(snapshot)

            def so_far() -> tuple[Step | None, Table]:
                """Return the step to save, and the table with the revision of that save."""
                saved = replace(step.table, revision=snapshot.table.revision + bool(played))
                return (step if played else None), saved

            try:
                if len(text) > LONGEST_TEXT:
                    raise BadNotation(text[:20])
                for action in wording.read(snapshot.table.game, state.view(seat), text):
                    if state.actor != seat or step.table.turn != snapshot.table.turn:
                        break
                    legal = state.actions()
                    if (
                        not played and str(action) == begun and action not in legal
                    ):  # the table has played it already; the player typed the whole turn
                        continue
                    question = tables.question_before(step.table, state, action) if action in legal else None
                    if question is not None:
                        saved, table = so_far()
                        index, secret = legal.index(action), tables.hides(state, seat)
                        return saved, notes.sure(table, state.view(seat), action, question, index, lang, secret)
                    following = tables.play(step.table, state, action, self._repository.now_ms())
                    step = replace(following, entries=step.entries + following.entries)
                    state = following.position
                    played.append(action)
            except (IllegalAction, BadNotation) as no:
                saved, table = so_far()
                secret = tables.hides(state, seat)
                refused = notes.refused(table, state.view(seat), no, played, lang, secret=secret, meant=text)
                return saved, _fading(table, state, refused)
            since = len(step.entries)
            if played:
                step = forced_actions.play_on(step, snapshot.table.turn, self._repository.now_ms())
            followed = _followed(state, step, since, snapshot.table.turn)
            goes_on = step.table.phase == Phase.RUNNING and step.table.turn == snapshot.table.turn
            if step.table.phase == Phase.OVER:
                return step, notes.finished(step.table, step.position.view(seat), seat, lang)
            if [str(action) for action in played] == ["draw"] and goes_on:
                return step, notes.drawn(snapshot.table.game, acting.state.view(seat), played[0], lang)
            return step, notes.played(snapshot.table.game, played, lang, followed=followed)

        return apply

    @answers(Play)
    async def press(self, context: Context, play: Play) -> Reply | None:
        """Play the action of a button."""
        update, lang = context.update, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            acting = who_acts(snapshot, update.person.id)
            if acting is None:
                return None, not_acting(snapshot, update, lang)
            actions = acting.state.actions()
            if play.index >= len(actions):
                return None, notes.note("stale", lang)
            action = actions[play.index]
            question = None if play.sure else tables.question_before(snapshot.table, acting.state, action)
            if question is not None:
                secret = tables.hides(acting.state, acting.seat)
                view = acting.state.view(acting.seat)
                return None, notes.sure(snapshot.table, view, action, question, play.index, lang, secret)
            now_ms = self._repository.now_ms()
            table = tables.with_confirmed(snapshot.table, acting.state, action) if play.sure else snapshot.table
            played = tables.play(table, acting.state, action, now_ms)
            step = forced_actions.play_on(played, snapshot.table.turn, now_ms)
            if step.table.phase == Phase.OVER:
                return step, notes.finished(step.table, step.position.view(acting.seat), acting.seat, lang)
            followed = _followed(played.position, step, len(played.entries), snapshot.table.turn)
            return step, notes.played(snapshot.table.game, (action,), lang, followed=followed)

        return await self.change_and_lead_on(context, apply, tells=False)

    async def change_and_lead_on(self, context: Context, apply: Change, tells: bool = True) -> Reply | None:
        """Apply a change; a person who has nothing left to do here learns which other tables wait.

        In the middle of a turn the reply is only the next menu.
        """
        done = await self._changed(context, apply, tells)
        if done is None or done.reply is None or not done.is_saved or not done.reply.role.is_toast:
            return None if done is None else done.reply
        person = context.update.person.id
        if who_acts(done.snapshot, person) is not None:
            return replace(done.reply, expires=Expiry(tables.time_of(done.snapshot.table)))
        reply = await self._passing(context, done.snapshot, done.reply)
        try:
            mine = await self._lookup.tables_of(person, besides=context.snapshot.table.id)
        except StoreDown:  # the move is stored, so its confirmation goes out
            return reply
        return await self._my_games.onward(person, mine, reply, context.lang)

    async def _passing(self, context: Context, snapshot: Snapshot, reply: Reply) -> Reply:
        """Return the confirmation of a turn, which goes with the next one. While the house thinks, the pressed menu
        becomes the board with the reader's move."""
        table, state = snapshot.table, snapshot.state
        seat = table.seat_of(context.update.person.id)
        if state is None or state.actor is None or table.phase != Phase.RUNNING or seat is None:
            return reply
        reply = replace(reply, expires=Expiry(tables.time_of(table)))
        if forced_actions.decides(Step(table, state)) != By.HOUSE:
            return reply
        board = await self._own_board(context.update, snapshot, seat, context.lang)
        thinks = words.up(table, state.actor, context.lang, reader=seat)
        until = Expiry(tables.time_of(table), is_strict=tables.forgets(table, state), board=board)
        return replace(reply, text=f"{reply.text}\n{thinks}", expires=until, secret=tables.hides(state, seat))

    async def _own_board(self, update: Update, snapshot: Snapshot, seat: int | None, lang: str) -> Picture:
        """Return the board and the hand as *seat* sees them."""
        table, state, actions = snapshot.table, snapshot.state, snapshot.recent
        assert state is not None
        if seat != state.actor:
            state, actions = logbook.public_position(table, state, actions), logbook.public_actions(table, actions)
        look = words.with_recent(await self._history.look(update, table, seat, lang), actions, seat)
        return await self._painter.picture(state.view(seat), replace(look, hand=seat))

    async def change(self, context: Context, apply: Change, tells: bool = True) -> Reply | None:
        """Apply a change, unless the request is stale. If the person is then in the middle of a turn, reply with the
        next menu.

        A typed move gets that menu only if the others do not see its result yet. *tells*: the menu also confirms the
        action.
        """
        done = await self._changed(context, apply, tells)
        return None if done is None else done.reply

    async def plain_change(self, context: Context, apply: Change) -> Reply | None:
        """Apply a change, unless the request is stale; no menu follows."""
        hooks = Hooks(before=partial(self.answer_if_stale, context))
        done = await self._repository.change(context.snapshot, apply, context.update.id, hooks=hooks)
        return None if done is None else done.reply

    async def _changed(self, context: Context, apply: Change, tells: bool) -> Applied | None:
        hooks = Hooks(
            before=partial(self.answer_if_stale, context), answer=partial(self._with_next_menu, context, tells)
        )
        return await self._repository.change(context.snapshot, apply, context.update.id, hooks=hooks)

    async def answer_if_stale(self, context: Context, snapshot: Snapshot) -> Instead | None:
        """Hook of `Repository.change`: a stale request is answered with the table as it is now.

        A repeated update whose answer was lost is not stale: it is answered with the next menu of the turn.
        """
        if not context.is_stale(snapshot.table):
            return None
        if await self._repository.has_applied(snapshot.table, context.update.id):
            return Instead(await self._next_menu(context.update, snapshot, None, context.lang))
        return Instead(await self.view(context.update, snapshot, context.lang, moved_on=True))

    async def _with_next_menu(
        self, context: Context, tells: bool, snapshot: Snapshot, reply: Reply | None
    ) -> Reply | None:
        """Hook of `Repository.change`: return *reply* with the next menu of the turn; see `change`."""
        menu = await self._next_menu(context.update, snapshot, reply, context.lang)
        if menu is None:
            return None if reply is None else _stamped(reply, snapshot.table)
        said = reply.text if reply is not None else ""
        if not tells:
            said = said.partition("\n")[2]  # the actions that followed by themselves
        return replace(menu, text="\n".join(filter(None, (said, menu.text))))

    async def _next_menu(self, update: Update, snapshot: Snapshot, reply: Reply | None, lang: str) -> Reply | None:
        """Return the menu with which the turn goes on, or None. *reply*: to the change so far; see `change`."""
        typed = not isinstance(update.body, Press)
        acting = who_acts(snapshot, update.person.id)
        if acting is None or not _goes_on(snapshot.table, acting.state):
            return None
        if reply is not None and not reply.role.is_toast:  # a refusal or a question has priority
            return None
        if not (
            logbook.is_begun(snapshot.table, snapshot.recent) if typed else _is_mid_turn(snapshot) or _is_back(snapshot)
        ):
            return None
        menu = await self._menu_of(update, snapshot, acting, (), 0, lang)
        is_offered = not menu.secret and menus.offers(snapshot.table, acting.state.view(None), snapshot.recent, lang)
        return replace(menu, role=Role.OFFERED_MENU) if is_offered else menu

    async def _menu_of(
        self, update: Update, snapshot: Snapshot, acting: Acting, path: tuple[int, ...], page: int, lang: str
    ) -> Reply:
        """Return the menu of a turn: the board with marks and the actor's hand, and the choices as buttons.

        It is secret if the others see the turn only as a whole.
        """
        table, view = snapshot.table, acting.state.view(acting.seat)
        begun = _is_mid_turn(snapshot)
        can_undo = begun and await self._undos.can_undo(snapshot, update.person.id) is True
        tree = Tree.of(table.game, view)
        at, choices = tree.arrived(path)
        first = await asyncio.to_thread(favourites, view, tree, at) if len(choices) > menus.ON_A_PAGE else ()
        reply = menus.menu(AtTable(table, view.actor), view, tree, path, page, lang, can_undo=can_undo, first=first)
        look = words.with_recent(await self._history.look(update, table, None, lang), snapshot.recent, acting.seat)
        look = replace(look, hand=acting.seat, chosen=pointing.chosen(tree, path))
        spots = await self._painter.spots(view, look)
        reach = pointing.reach(tree, path, spots)
        targets = _targets(table, view, path, reach, spots, lang)
        picture = await self._painter.picture(view, replace(look, choices=tuple(reach.choices)))
        whole = not GAMES[table.game].shows_steps and (begun or _takes_steps(view))
        own = await beside(self._features, snapshot, update.person.id, lang)
        return _fading(
            table,
            view,
            replace(
                reply,
                text="\n".join((*own.lines, reply.text)),
                picture=MarkedPicture.of(picture, targets),
                expires=Expiry(tables.time_of(table)),
                secret=whole or bool(own.lines) or tables.hides(acting.state, acting.seat),
            ),
        )

    async def targets(self, update: Update, snapshot: Snapshot, lang: str) -> tuple[Target, ...]:
        """Return the places at which the reader can tap the public board, to move or to vote.

        (): the reader is not up, or has begun a turn of which the board shows only the beginning.
        """
        context = Context(update, lang, about=snapshot)
        if self._votes.votes_here(context):
            return await self._votes.targets(context)
        acting = who_acts(snapshot, update.person.id)
        if acting is None or logbook.is_begun(snapshot.table, snapshot.recent):
            return ()
        table, view = snapshot.table, acting.state.view(acting.seat)
        spots = await self._painter.spots(view, words.look(table, None, Theme.DARK, lang))
        return _targets(table, view, (), pointing.reach(Tree.of(table.game, view), (), spots), spots, lang)

    @answers(Tap)
    async def tap(self, context: Context, request: Tap) -> Reply:
        """Return the rule for which nothing can be chosen at a point of the picture."""
        update, snapshot, lang = context.update, context.snapshot, context.lang
        if context.is_stale(snapshot.table):
            return await self.view(update, snapshot, lang, moved_on=True)
        acting = who_acts(snapshot, update.person.id)
        if acting is None:
            return not_acting(snapshot, update, lang)
        table, view = snapshot.table, acting.state.view(acting.seat)
        look = replace(words.look(table, None, Theme.DARK, lang), hand=acting.seat)
        spots = await self._painter.spots(view, look)
        parts = () if request.point is None else pointing.parts_at(request.point, spots)
        refused = pointing.refusal(table.game, view, request.path, parts)
        if refused is None:
            return Reply(role=Role.NOTHING)
        return Reply(text=notes.rule(table.game, refused, lang), role=Role.TOAST)

    @answers(Menu)
    async def menu(self, context: Context, request: Menu) -> Reply | None:
        """Show the choices of the turn."""
        update, snapshot, lang, path = context.update, context.snapshot, context.lang, request.path
        if self._votes.votes_here(context):
            return await self._votes.vote(context, Vote(snapshot.table.id))
        if context.is_stale(snapshot.table):
            return await self.view(update, snapshot, lang, moved_on=True)
        acting = who_acts(snapshot, update.person.id)
        if acting is None:
            return not_acting(snapshot, update, lang)
        if not path and _begins_by_itself(snapshot, acting) is not None:
            return await self._begin(context)
        return await self._menu_of(update, snapshot, acting, path, request.page, lang)

    async def _begin(self, context: Context) -> Reply | None:
        """Play the forced first action, and show the menu for the next one."""
        update, lang = context.update, context.lang

        async def apply(snapshot: Snapshot) -> tuple[Step | None, Reply | None]:
            acting = who_acts(snapshot, update.person.id)
            if acting is None:
                return None, not_acting(snapshot, update, lang)
            only = _begins_by_itself(snapshot, acting)
            if only is None:
                return None, await self._menu_of(update, snapshot, acting, (), 0, lang)
            begun = tables.play(snapshot.table, acting.state, only, self._repository.now_ms(), By.TABLE)
            return begun, notes.played(snapshot.table.game, (only,), lang, "played.only")

        return await self.change(context, apply)

    @answers(View)
    async def own_view(self, context: Context, request: View) -> Reply:
        """Show the reader's own view; only the hand, if a button promised it."""
        hand_alone = request.table is not None
        return await self.view(context.update, context.snapshot, context.lang, hand_alone=hand_alone)

    async def view(
        self, update: Update, snapshot: Snapshot, lang: str, moved_on: bool = False, *, hand_alone: bool = False
    ) -> Reply:
        """Return the reader's own view, board and hand together; without a seat, a spectator's view without buttons.

        *hand_alone*: only the hand, if the seat has one. *moved_on*: the reader pressed a button of an older board.
        """
        table, state = snapshot.table, snapshot.state
        if state is None:
            raise Denied("not_running")
        acting = who_acts(snapshot, update.person.id) if moved_on else None
        forgets = tables.forgets(table, state)
        # The next step of the turn, or a board that must not be shown twice.
        if acting is not None and (forgets or logbook.is_begun(table, snapshot.recent)):
            menu = await self._menu_of(update, snapshot, acting, (), 0, lang)
            return replace(menu, text=f"{words.say('moved_on', lang)}\n{menu.text}")
        if forgets:  # the only board is the public one, which is deleted later
            self._outbox.show(snapshot, again=not moved_on)
            if moved_on:
                return notes.toast("moved_on.forgets", lang)
            again = notes.promise("board.again", lang)
            added = await beside(self._features, snapshot, update.person.id, lang)
            if not added.lines:
                return again
            return _fading(table, state, replace(notes.with_beside(again, added.lines, added.buttons), role=Role.NOTE))
        return await self.shown_alone(update, snapshot, lang, moved_on, hand_alone=hand_alone)

    async def shown_alone(
        self, update: Update, snapshot: Snapshot, lang: str, moved_on: bool = False, *, hand_alone: bool = False
    ) -> Reply:
        """Return `view` also of a game that forgets; it goes with the turn then. Denied: not_running."""
        table, state = snapshot.table, snapshot.state
        if state is None:
            raise Denied("not_running")
        seat = table.seat_of(update.person.id)
        if seat != state.actor:
            state = logbook.public_position(table, state, snapshot.recent)
        view = state.view(seat)
        picture = None
        if hand_alone and seat is not None:
            picture = await self._painter.hand(view, seat, await self._history.look(update, table, seat, lang))
        if picture is None:
            picture = await self._own_board(update, snapshot, seat, lang)
        hides = seat is not None and tables.hides(state, seat)
        own = notes.own_view(table, view, snapshot.recent, seat, picture, lang, secret=hides, moved_on=moved_on)
        added = await beside(self._features, snapshot, update.person.id, lang)
        own = notes.with_beside(own, added.lines, added.buttons)
        return _fading(table, state, replace(own, brief=words.say("moved_on.below", lang) if moved_on else ""))


def _targets(
    table: Table, view: State, path: Path, reach: pointing.Reach, spots: pointing.Spots, lang: str
) -> tuple[Target, ...]:
    """Return the places to tap; the rest of the picture says why it cannot be chosen."""
    targets = pointing.targets(AtTable(table), view, reach, spots, lang)
    return (*targets, Target("", Tap(table.id, Stamp.of(table), path).payload, ())) if targets else ()


def _is_mid_turn(snapshot: Snapshot) -> bool:
    """Return whether the actor has already begun this turn."""
    return logbook.is_mid_turn(snapshot.table, snapshot.recent)


def _is_back(snapshot: Snapshot) -> bool:
    """Return whether the newest entry took something back."""
    return bool(snapshot.recent) and snapshot.recent[-1].back > 0


def _followed(state: State, step: Step, since: int, turn: int) -> tuple[Action, ...]:
    """Return the forced actions that followed *state*: the entries of *step* from *since* on.

    (): the *turn* is over, so the next post shows them.
    """
    if step.table.turn != turn:
        return ()
    actions = list[Action]()
    for entry in step.entries[since:]:
        (action,) = GAMES[step.table.game].parse(state.view(entry.seat), entry.action)
        actions.append(action)
        state = state.play(action)
    return tuple(actions)


def _begun_by_itself(snapshot: Snapshot) -> str:
    """Return the forced action that began the turn, if it is the only one so far; else ""."""
    turn = [entry for entry in logbook.effective(snapshot.recent) if entry.turn == snapshot.table.turn]
    return turn[0].action if len(turn) == 1 and turn[0].by == By.TABLE else ""


def _begins_by_itself(snapshot: Snapshot, acting: Acting) -> Action | None:
    """Return the forced action with which the turn begins; None if there is none, or if it would end the turn."""
    only = None if _is_mid_turn(snapshot) else forced_actions.only(snapshot.table, acting.state)
    return only if only is not None and _takes_steps(acting.state.view(acting.seat)) else None


def _goes_on(table: Table, state: State) -> bool:
    """Return whether the actor has something to tap: a free choice, or a forced step in a game that shows steps."""
    return forced_actions.decides(Step(table, state)) != By.TABLE or GAMES[table.game].shows_steps


def _takes_steps(view: State) -> bool:
    """Return whether the turn goes on after the next action of the actor of *view*."""
    try:
        after = view.play(view.actions()[0])
    except IllegalAction:  # the result is hidden
        return False
    return after.actor == view.actor and not view.ends_turn(after)


def _stamped(reply: Reply, table: Table) -> Reply:
    """Return *reply*, which was made before *table* was saved, with buttons that play at that save."""

    def stamped(button: Button) -> Button:
        request = registry.read(button.payload)
        if not isinstance(request, Play):
            return button
        return replace(button, payload=replace(request, stamp=Stamp.of(table)).payload)

    rows = (row if isinstance(row, Select) else tuple(map(stamped, row)) for row in reply.rows)
    return replace(reply, rows=tuple(rows))


def _fading(table: Table, state: State, reply: Reply) -> Reply:
    """Return *reply* with the turn as its expiry, if the game forgets."""
    if not tables.forgets(table, state):
        return reply
    return replace(reply, expires=Expiry(tables.time_of(table), is_strict=True))
