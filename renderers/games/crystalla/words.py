"""Crystalla's board in words: enough to play from, as far as a chat's space reaches; what matters most first."""

from collections.abc import Iterable

from renderers import Look
from renderers.frame import mover_name, seat_name, told_end
from renderers.games.crystalla.sheet import counted
from renderers.notation import typed, typed_part
from rules.games.crystalla import COLOURS, CRYSTALS, Action, Display, Phase, State, sheet
from texts import say

GAME = "crystalla"


def alt_text(view: State, look: Look) -> str:
    """Who is to act and what is due, or the score sheet; the stacks, the pieces; how cards are told; every display,
    the actor's first."""
    lang = look.lang
    names = [seat_name(look, seat) for seat in range(view.seats)]
    outcome = look.ended or view.outcome
    told = [_state(view, names, lang) if outcome is None else told_end(look, outcome)]
    if outcome is not None:
        told += _sheet(view, names, lang)
    else:
        told += _open(view, look, names)
    told.append(say(GAME, "alt.key", lang))
    seats = sorted(range(view.seats), key=lambda seat: (seat != view.actor, seat))
    for seat in seats:
        told.append(f"{seat + 1} {_cards(view.displays[seat], lang)}.")
    return " ".join(told)


def _state(view: State, names: list[str], lang: str) -> str:
    assert view.actor is not None
    steps = " ".join(map(str, view.steps())) if view.phase == Phase.DROP else ""
    facts = {"carry": view.carry, "steps": steps, "card": view.card, "due": view.due, "piece": view.piece}
    return say(GAME, f"alt.{view.phase}", lang, who=names[view.actor], **facts)


def _sheet(view: State, names: list[str], lang: str) -> list[str]:
    """What the brackets tell; then the seven rows and the total, seat by seat."""
    told = [say(GAME, "alt.counted", lang)]
    for seat, row in enumerate(sheet(view)):
        points = ", ".join(
            f"{crystal} {row[crystal]}" + (f" ({counted(view.displays, seat, crystal)})" if row[crystal] else "")
            for crystal in CRYSTALS
        )
        told.append(say(GAME, "alt.sheet", lang, who=names[seat], total=row["total"], points=points))
    return told


def _open(view: State, look: Look, names: list[str]) -> list[str]:
    lang = look.lang
    points = ", ".join(f"{seat + 1}{COLOURS[seat]} {names[seat]} {total}" for seat, total in enumerate(view.standing()))
    told = [say(GAME, "alt.points", lang, points=points)]
    if view.now:
        told.append(say(GAME, "alt.now", lang, actions=_typed(view.now, lang)))
    elif view.last is not None:
        actions = _typed(view.last.actions, lang)
        told.append(say(GAME, "alt.last", lang, who=mover_name(look, view.last.seat), actions=actions))
    if view.phase in (Phase.SWAP, Phase.PLACE):
        hands = "; ".join(
            f"{seat + 1} {' '.join(card or '–' for card in hand)}" for seat, hand in enumerate(view.hands)
        )
        told.append(say(GAME, "alt.hands", lang, hands=hands))
    else:
        stacks = ", ".join(
            f"{number} {cards[-1]}×{len(cards)}{' ' + stones if stones else ''}"
            for number, (cards, stones) in enumerate(zip(view.stacks, view.stones, strict=True), 1)
        )
        told.append(say(GAME, "alt.stacks", lang, stacks=stacks))
    told.append(say(GAME, "alt.pieces", lang, pieces=" ".join(piece or "–" for piece in view.open)))
    return told


def _typed(actions: Iterable[Action], lang: str) -> str:
    return " ".join(typed(GAME, action, lang) for action in actions)


def _cards(display: Display, lang: str) -> str:
    """
    >>> _cards((("ta-nw", "rc-se+hl"), (), ("he-ne",), ()), "en")
    'a ta-nw rc-se+hl, c he-ne'
    """
    columns = (
        f"{name} {' '.join(_card(card, lang) for card in cards)}"
        for name, cards in zip("abcd", display, strict=True)
        if cards
    )
    return ", ".join(columns) or "–"


def _card(card: str, lang: str) -> str:
    """
    >>> _card("rc-se+hl", "de")
    'rc-so+hl'
    """
    crystals, corner, pieces = card[:3], card[3:5], card[5:]
    return crystals + typed_part(GAME, corner, lang) + pieces
