"""Crystalla's board in words: enough to play from, as far as a chat allows; the most important facts first."""

from collections.abc import Iterable

from renderers.frame import end_sentence, mover_name, seat_name
from renderers.games.crystalla.sheet import counted
from renderers.look import Look
from renderers.notation import typed, typed_part
from rules.games.crystalla import COLOURS, CRYSTALS, Action, Display, Phase, State, sheet
from texts import say

GAME = "crystalla"


def alt_text(view: State, look: Look) -> str:
    """Return the actor and the due action, and a key to the letters; then the open pieces or the score sheet; then
    displays.

    The actor's display is the first.
    """
    lang = look.lang
    names = [seat_name(look, seat) for seat in range(view.seats)]
    outcome = look.ended or view.outcome
    if outcome is None:
        sentences = [_state(view, names, lang), say(GAME, "alt.crystals", lang), *_open(view, look, names)]
    else:
        sentences = [end_sentence(look, outcome), say(GAME, "alt.crystals", lang), *_sheet(view, names, lang)]
    seats = sorted(range(view.seats), key=lambda seat: (seat != view.actor, seat))
    displays = [f"{names[seat]}: {_cards(view.displays[seat], lang)}." for seat in seats if any(view.displays[seat])]
    return " ".join((*sentences, *([say(GAME, "alt.key", lang)] if displays else []), *displays))


def _state(view: State, names: list[str], lang: str) -> str:
    assert view.actor is not None
    steps = " ".join(map(str, view.steps())) if view.phase == Phase.DROP else ""
    stack = view.stacks.index(()) + 1 if view.phase == Phase.REFILL else None
    facts = {"carry": view.carry, "steps": steps, "card": view.card, "due": view.due, "piece": view.piece}
    facts["stack"] = None if stack is None else str(stack)
    return say(GAME, f"alt.{view.phase}", lang, who=names[view.actor], **facts)


def _sheet(view: State, names: list[str], lang: str) -> list[str]:
    """Return the meaning of the brackets, if there are any; then the rows with points, and the total, seat by seat."""
    sentences, rows = [], sheet(view)
    for seat, row in enumerate(rows):
        brought = [crystal for crystal in CRYSTALS if row[crystal]]
        points = ", ".join(f"{crystal} {row[crystal]} ({counted(view.displays, seat, crystal)})" for crystal in brought)
        sentences.append(f"{names[seat]} {row['total']}{f': {points}' if points else ''}.")
    return (
        [say(GAME, "alt.counted", lang), *sentences]
        if any(row[crystal] for row in rows for crystal in CRYSTALS)
        else sentences
    )


def _open(view: State, look: Look, names: list[str]) -> list[str]:
    lang = look.lang
    if view.phase in (Phase.SWAP, Phase.PLACE):
        points = ", ".join(f"{name} {total}" for name, total in zip(names, view.standing(), strict=True))
        sentences = [say(GAME, "alt.points", lang, points=points)]
    else:
        owners = zip(names, view.standing(), COLOURS, strict=False)
        points = ", ".join(f"{name} {total} ({colour})" for name, total, colour in owners)
        nobody = "".join(sorted({*view.carry, *"".join(view.stones)} - set(COLOURS[: view.seats])))
        sentences = [say(GAME, "alt.points.stones", lang, points=points)]
        sentences += [say(GAME, "alt.nobody", lang, stones=nobody)] if nobody else []
    if view.now:
        sentences.append(say(GAME, "alt.now", lang, actions=_typed(view.now, lang)))
    elif view.last is not None:
        actions = _typed(view.last.actions, lang)
        sentences.append(say(GAME, "alt.last", lang, who=mover_name(look, view.last.seat), actions=actions))
    if view.phase in (Phase.SWAP, Phase.PLACE):
        # A dash keeps the place of a laid card, as cards are chosen by number.
        held = [(names[seat], hand) for seat, hand in enumerate(view.hands) if any(hand)]
        hands = "; ".join(f"{name} {' '.join(card or '–' for card in hand)}" for name, hand in held)
        laid = any(not card for _, hand in held for card in hand)
        sentences.append(say(GAME, "alt.hands.laid" if laid else "alt.hands", lang, hands=hands))
    else:
        stacks = ", ".join(
            f"{number} {f'{cards[-1]}×{len(cards)}' if cards else '–'}{' ' + stones if stones else ''}"
            for number, (cards, stones) in enumerate(zip(view.stacks, view.stones, strict=True), 1)
        )
        sentences.append(say(GAME, "alt.stacks", lang, stacks=stacks))
    sentences.append(say(GAME, "alt.pieces", lang, pieces=" ".join(piece or "–" for piece in view.open)))
    return sentences


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
    return ", ".join(columns)


def _card(card: str, lang: str) -> str:
    """
    >>> _card("rc-se+hl", "de")
    'rc-so+hl'
    """
    crystals, corner, pieces = card[:3], card[3:5], card[5:]
    return crystals + typed_part(GAME, corner, lang) + pieces
