"""Plans: a seat's next turn, decided while others act. Pure.

    made ──▶ kept beside the table ──▶ the seat is up ─┬─ it fits ──▶ played after a random delay
               │                                       └─ it does not ──▶ `Misfit`, which its person reads
               └── withdrawn, or the seat acts by itself, is given up, or the game ends

A plan is checked on the view of its seat alone, so its fate tells its person nothing that they cannot see. An action
with a hidden result fits if it leaves the same choices whatever it reveals, as far as some deals of the view tell. If
the truth is different all the same, the turn stops after that action, as a typed turn does.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.chat import PersonId
from bot.tables import forced_actions, logbook
from bot.tables.table import By, Denied, Entry, Phase, Step, Table, forgets, play, question_before, require_seat
from rules import GAMES, Action, BadNotation, IllegalAction, State
from rules.chance import Chance

NAME = "plan"
"""The attachment of a table that has a person's `Plan` or `Misfit`."""
DEALS = 8  # positions that decide whether an action whose result is hidden ends a turn
MOST_STEPS = 40  # no turn is longer


class Plan(Struct, frozen=True, omit_defaults=True, tag="plan"):
    """A whole turn: the *steps* of a seat in its first turn after the table's turn *turn*, in notation.

    *given*: the actions with which the seat *whose* has to begin that earlier turn; () for any.

    *standing*: instead of steps, a turn that is played again and again as long as its reason holds
    (`rules.contract.Standing`); "" for none.
    """

    turn: int
    steps: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    whose: int = 0
    standing: str = ""


class Misfit(Struct, frozen=True, omit_defaults=True, tag="misfit"):
    """Why a plan was dropped: the text ``plan.missed.<code>``, or of the game ``refused.<reason>`` or
    ``standing.<reason>.ended``.

    *action*: the step that did not fit. *whose*: the seat that did not play the condition.
    """

    code: str
    action: str = ""
    reason: str = ""
    detail: str = ""
    whose: int = 0


_decoder: msgspec.json.Decoder[Plan | Misfit] = msgspec.json.Decoder(Plan | Misfit)


def encoded(plan: Plan | Misfit) -> bytes:
    return msgspec.json.encode(plan)


def decoded(content: bytes) -> Plan | Misfit | None:
    """Return the plan or the reason why it was dropped; None if there is neither, or one of another version."""
    try:
        return _decoder.decode(content) if content else None
    except msgspec.DecodeError:
        return None


def is_standing(content: bytes) -> bool:
    """Return whether an attachment has a standing turn."""
    plan = decoded(content)
    return isinstance(plan, Plan) and bool(plan.standing)


# When


def require_planning(table: Table, state: State | None, person: PersonId) -> int:
    """Return the seat of *person*, who may plan its next turn.

    Denied: see `tables.require_seat`, not_running, over, plan_up, plan_forgets, plan_interrupted, plan_out.
    """
    if table.phase != Phase.RUNNING or state is None or state.actor is None:
        raise Denied("over" if table.phase == Phase.OVER else "not_running")
    seat = require_seat(table, person)
    if state.actor == seat:
        raise Denied("plan_up")
    if forgets(table, state):
        raise Denied("plan_forgets")
    if table.interrupted == seat:
        raise Denied("plan_interrupted")
    if state.is_out(seat):
        raise Denied("plan_out")
    return seat


def may_plan(table: Table, state: State | None, person: PersonId) -> bool:
    """Return whether *person* may plan a turn now."""
    try:
        require_planning(table, state, person)
    except Denied:
        return False
    return True


def waits_for(step: Step) -> PersonId | None:
    """Return the person whose plan could be played now, if there is one.

    A plan waits within the turn of another seat, while a question is open, and while the place takes no posts.
    """
    table = step.table
    if forced_actions.decides(step) != By.PERSON or table.is_unreachable:
        return None
    if table.ask is not None or table.interrupted is not None:
        return None
    assert step.position.actor is not None
    return table.seats[step.position.actor].person


def ended_by(before: Table, after: Step) -> list[PersonId]:
    """Return the people whose plans a save ends: they or the house have acted in their turn, they have left their
    seats, or the game is over. A standing turn of `completes_turn` stays."""
    if before.phase != Phase.RUNNING:
        return []
    acted = {entry.seat for entry in after.entries if entry.action and entry.by != By.TABLE}
    if before.interrupted is not None:  # a decision within the turn of another seat
        acted &= {before.interrupted}
    return [
        seat.person
        for number, seat in enumerate(before.seats)
        if seat.is_played_by_person
        and (number in acted or after.table.phase == Phase.OVER or after.table.seat_of(seat.person) is None)
    ]


def completes_turn(before: Table, after: Step) -> PersonId | None:
    """Return the person who has acted in a turn that goes on, and may have left the rest of it to the table."""
    goes_on = after.table.phase == Phase.RUNNING and after.table.turn == before.turn
    if not goes_on or not any(entry.action for entry in after.entries) or not GAMES[before.game].standings:
        return None
    return waits_for(after)


# What


class Walk(Struct, frozen=True):
    """A turn as its seat foresees it. *view*: after the *actions*. *is_whole*: the turn is over. *misfit*: the reason
    why the steps do not fit; the actions end before it.

    *known*: the last view without made-up facts; None if *view* has none.
    """

    view: State
    actions: tuple[Action, ...] = ()
    is_whole: bool = False
    misfit: Misfit | None = None
    known: State | None = None

    @property
    def steps(self) -> tuple[str, ...]:
        return tuple(map(str, self.actions))


def base(view: State, seat: int, given: Sequence[Action] = ()) -> State | None:
    """Return the position on which *seat* plans: as if it were its turn, after *given*; None if there is none.

    *view*: the seat's. An action with a hidden result is left out, and so is a turn of which nothing can be seen yet.
    """
    ways = [view]
    for action in given:
        try:
            ways.append(ways[-1].play(action))
        except IllegalAction:  # the result is hidden
            break
    for way in reversed(ways):
        if way.actor is None:
            return None
        planned = way.turn_of(seat) or (way if way.actor == seat else None)
        if planned is not None:
            return planned if planned.actions() else None
    return None


def walked(table: Table, view: State, seat: int, steps: Iterable[str | int], *, asks: bool = True) -> Walk:
    """Return how the turn of *seat* goes from its *view* on with *steps*: in notation, or by number.

    As in a turn by hand, actions without an alternative follow by themselves: after taps, and at the end. *asks*: an
    action that its person has to confirm does not fit.
    """
    walk = Walk(view)
    for step in tuple(steps)[:MOST_STEPS]:
        if isinstance(step, int):
            walk = _followed(table, walk, seat)
        if walk.is_whole:
            return replace(walk, misfit=Misfit("longer", str(step)))
        action = _action(table, walk, step)
        if isinstance(action, Misfit):
            return replace(walk, misfit=action)
        walk = _stepped(table, walk, action, seat, asks=asks)
        if walk.misfit is not None:
            return walk
    return _followed(table, walk, seat)


def _action(table: Table, walk: Walk, step: str | int) -> Action | Misfit:
    """Return the legal action *step*, or why there is none."""
    actions: tuple[Action, ...] = walk.view.actions()
    if isinstance(step, int):
        return actions[step] if step < len(actions) else Misfit("unfinished")
    legal = next((action for action in actions if str(action) == step), None)
    if legal is not None:
        return legal
    try:
        first, *_ = GAMES[table.game].parse(walk.view, step)
        walk.view.play(first)
    except IllegalAction as no:
        return Misfit("refused", step, no.code, no.detail)
    except (BadNotation, ValueError):
        pass
    return Misfit("refused", step, "phase")


def _stepped(table: Table, walk: Walk, action: Action, seat: int, *, asks: bool = True) -> Walk:
    """Return *walk* after a legal *action*, or as it was with the reason why the action cannot be planned."""
    if asks and question_before(table, walk.view, action) is not None:
        return replace(walk, misfit=Misfit("question", str(action)))
    before, actions = walk.view, (*walk.actions, action)
    try:
        after = before.play(action)
    except IllegalAction:
        pass
    else:
        return replace(walk, view=after, actions=actions, is_whole=_is_over(before, after, seat))
    known = walk.known or before
    dealt = [before.deal_anew(Chance(number, label="plan")) for number in range(DEALS)]
    ways = [state.play(action) for state in dealt]
    ends = [_is_over(state, after, seat) for state, after in zip(dealt, ways, strict=True)]
    if all(ends):
        return replace(walk, view=known, actions=actions, is_whole=True, known=known)
    if any(ends) or any(way.actions() != ways[0].actions() for way in ways):
        return replace(walk, misfit=Misfit("hidden", str(action)))
    return replace(walk, view=ways[0].view(seat), actions=actions, known=known)


def _followed(table: Table, walk: Walk, seat: int) -> Walk:
    """Return *walk* with all further actions that have no alternative."""
    while not walk.is_whole and (action := forced_actions.only(table, walk.view)) is not None:
        after = _stepped(table, walk, action, seat)
        if after.misfit is not None:
            return walk
        walk = after
    return walk


def _is_over(before: State, after: State, seat: int) -> bool:
    return after.actor != seat or before.ends_turn(after)


# Whether


def standing_turn(game: str, id_: str, view: State) -> Action | None:
    """Return the standing turn of the actor of *view*, or None if its reason has ended."""
    turns = (standing.action(view) for standing in GAMES[game].standings if standing.id == id_)
    turn: Action | None = next(turns, None)
    return turn


def standings(game: str, view: State) -> tuple[str, ...]:
    """Return the standing turns that have a reason now. *view*: of a position on which its actor plans."""
    return tuple(one.id for one in GAMES[game].standings if one.action(view) is not None)


def is_ahead(plan: Plan, table: Table, state: State) -> bool:
    """Return whether *plan* is a standing turn that begins with a decision of its person."""
    turn = standing_turn(table.game, plan.standing, state.view(state.actor)) if plan.standing else None
    return turn is not None and turn not in state.actions()


def misfit(plan: Plan, table: Table, state: State, log: Sequence[Entry]) -> Misfit | None:
    """Return why *plan* does not fit the turn of its seat, the actor; None if it does. *log*: the whole log."""
    assert state.actor is not None
    actions = logbook.effective(log)
    then = [entry.action for entry in actions if entry.turn == plan.turn]
    if tuple(then[: len(plan.given)]) != plan.given:
        return Misfit("condition", whose=plan.whose)
    view = state.view(state.actor)
    if plan.standing and standing_turn(table.game, plan.standing, view) is None:
        return Misfit("ended", reason=plan.standing)
    walk = walked(table, view, state.actor, remaining(plan, table, state, actions))
    if walk.misfit is not None or walk.is_whole:
        return walk.misfit
    return Misfit("unfinished")


def remaining(plan: Plan, table: Table, state: State, actions: Iterable[Entry]) -> tuple[str, ...]:
    """Return the steps of *plan* that the table has not played by itself at the beginning of the turn."""
    if plan.standing:
        turn = standing_turn(table.game, plan.standing, state.view(state.actor))
        return () if turn is None else (str(turn),)
    begun = [entry.action for entry in actions if entry.turn == table.turn]
    return plan.steps[len(begun) :] if list(plan.steps[: len(begun)]) == begun else plan.steps


def played(plan: Plan, table: Table, state: State, actions: Iterable[Entry], now_ms: int) -> Step:
    """Return the step of *plan*, which fits, as if its person had typed the turn."""
    step = Step(table, state)
    for text in remaining(plan, table, state, actions):
        legal = next((action for action in step.position.actions() if str(action) == text), None)
        if step.table.turn != table.turn or legal is None:  # an action before it revealed something unlikely
            break
        following = play(step.table, step.position, legal, now_ms)
        step = replace(following, entries=step.entries + following.entries)
    return forced_actions.play_on(step, table.turn, now_ms)
