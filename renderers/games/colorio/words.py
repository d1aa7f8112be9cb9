"""Colorio's board in words: the seat to act and its choice, the colours in sight and the caps, enough to play from."""

from collections.abc import Iterator

from renderers.frame import end_sentence, mover_name, seat_name
from renderers.look import Look
from rules.games.colorio.actions import Cover, Remove, TurnAction, Uncover
from rules.games.colorio.board import EACH, GRID, Cap, Colour
from rules.games.colorio.position import Phase, Scoring
from rules.games.colorio.state import State
from texts import say


def alt_text(view: State, look: Look) -> str:
    """Return the position of *view* in the language of *look*, the most important facts first."""
    return " ".join(_sentences(view, look))


def _sentences(view: State, look: Look) -> Iterator[str]:
    outcome = look.ended or view.outcome
    if outcome is not None:
        yield end_sentence(look, outcome)
    elif view.actor is not None:
        yield _due(view, look, seat_name(look, view.actor))
    rounds = view.options.scoring.rounds(view.seats)
    if view.options.scoring is Scoring.ROUNDS:
        yield _say(look, "round", round=view.round + 1, rounds=rounds)
    yield _say(look, "in_sight", colours="; ".join(_in_sight(view, look)))
    if covered := _fields(field for field, cap in zip(GRID.fields, view.caps, strict=True) if cap is not Cap.OPEN):
        yield _say(look, "covered", fields=covered)
    if barred := _fields((*view.covered_this_turn, *([view.banned] if view.banned else []))):
        yield _say(look, "locked", fields=barred)
    if below := "; ".join(_below(view, look)):
        yield _say(look, "below", colours=below)
    if view.log and view.actor is not None:
        yield _say(look, "running", who=mover_name(look, view.actor), caps=_caps(view.log, look))
    if view.last is not None:
        yield _say(look, "last", who=mover_name(look, view.last.seat), caps=_caps(view.last.actions, look, end="out"))
    if view.out:
        yield _say(look, "out", names=", ".join(seat_name(look, seat) for seat in view.out))
    if (points := view.standing()) is not None:
        yield _say(
            look, "points", points=", ".join(f"{seat_name(look, seat)} {own}" for seat, own in enumerate(points))
        )
    yield _say(look, f"side.{view.side}")


def _due(view: State, look: Look, who: str) -> str:
    if view.phase is Phase.BETWEEN:
        return _say(look, "between", who=who)
    cap = len(view.log) // 2 + 1
    if not view.lifted:
        sentence = _say(look, "uncover", who=who, cap=cap)
    else:
        colour = view.colour(view.lifted)
        sentence = _say(
            look, "decide", who=who, cap=cap, field=view.lifted, colour=_word(colour, look) if colour else "?"
        )
    if view.turn == 0:
        return f"{sentence} {_say(look, 'three_away')}"
    return sentence if Remove() in view.log else f"{sentence} {_say(look, 'owed')}"


def _say(look: Look, key: str, **facts: object) -> str:
    return say("colorio", f"alt.{key}", look.lang, **facts)


def _word(colour: Colour, look: Look) -> str:
    return say("colorio", f"part.{colour.word}", look.lang)


def _fields(fields: Iterator[str] | tuple[str, ...]) -> str:
    return " ".join(fields)


def _in_sight(view: State, look: Look) -> Iterator[str]:
    """Yield the number and the names of open fields for each colour: ``red 4! (a1 a3 c3 e5)``."""
    for colour in Colour:
        count = view.in_sight(colour)
        where = _fields(
            field
            for field, cap, here in zip(GRID.fields, view.caps, view.colours, strict=True)
            if cap is Cap.OPEN and here is colour
        )
        yield f"{_word(colour, look)} {count}{'!' if count >= EACH - 1 else ''}{f' ({where})' if where else ''}"


def _below(view: State, look: Look) -> Iterator[str]:
    """Yield colours that are known though they are covered: remembered ones, or all of a finished board."""
    for colour in Colour:
        where = _fields(
            field
            for field, cap, here in zip(GRID.fields, view.caps, view.colours, strict=True)
            if here is colour and (cap is Cap.SEEN or (cap is Cap.COVERED and view.phase is not Phase.PLAY))
        )
        if where:
            yield f"{_word(colour, look)} {where}"


def _caps(actions: tuple[TurnAction, ...], look: Look, end: str = "lifted") -> str:
    """Return the decision about each cap of a turn; *end*: the word for an undecided one."""
    words: list[str] = []
    for k in range(0, len(actions), 2):
        lift = actions[k]
        assert isinstance(lift, Uncover)
        match actions[k + 1 : k + 2]:
            case (Cover(target),):
                words.append(_say(look, "cap.moved", field=lift.field, target=target))
            case (Remove(),):
                words.append(_say(look, "cap.removed", field=lift.field))
            case _:
                words.append(_say(look, f"cap.{end}", field=lift.field))
    return ", ".join(words)
