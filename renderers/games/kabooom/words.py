"""Kabooom!'s board in words: enough to play from, and short enough for a chat."""

from renderers.frame import end_sentence, mover_name, seat_name
from renderers.look import Look
from rules.games.kabooom import GRID, Phase, State
from texts import say

GAME = "kabooom"


def newest_of(view: State, look: Look) -> tuple[int, ...]:
    """Return the seats whose last action is new, in the order of these actions.

    *look* knows them. If it does not, the seat of the newest voluntary action: the first one back from the actor that
    was not passed automatically; a finished game has no actor.
    """
    if look.recent:
        fresh = [recent for recent in look.recent if not recent.is_faint]
        return tuple(dict.fromkeys(recent.seat for recent in fresh if view.last[recent.seat] == recent.action))
    if view.actor is None:
        return ()
    before = ((view.actor - step) % view.seats for step in range(1, view.seats + 1))
    seat = next((seat for seat in before if view.last[seat] != "auto"), None)
    return (seat,) if seat is not None and view.last[seat] is not None else ()


def _last(action: str, who: str, lang: str) -> str:
    """Return the last action of *who*, as the rules page writes it; a placed stone in words."""
    piece, placed, field = action.partition("@")
    if placed:
        return say(GAME, "alt.placed", lang, who=who, piece=say(GAME, f"part.{piece}", lang), field=field)
    return say(GAME, "alt.passed" if action == "pass" else "alt.last", lang, who=who, action=action)


def alt_text(view: State, look: Look) -> str:
    """Return the actor or the winners, the last action, the points, then every stone on the board.

    Numbers mean seats in towers only, after a sentence that explains them.
    """
    lang = look.lang
    names = [seat_name(look, seat) for seat in range(view.seats)]
    outcome = look.ended or view.outcome
    sentences = [_state(view, names, lang) if outcome is None else end_sentence(look, outcome)]
    newest = newest_of(view, look)
    sentences += [_last(str(view.last[seat]), mover_name(look, seat), lang) for seat in newest]
    if view.passes and outcome is None:
        sentences.append(say(GAME, "alt.passes", lang, n=view.passes, seats=view.seats))
    points = outcome.scores if outcome is not None else view.standing()
    sentences.append(
        say(
            GAME,
            "alt.points",
            lang,
            points=", ".join(f"{name} {own}" for name, own in zip(names, points, strict=True)),
        )
    )
    sentences.append(say(GAME, "alt.key", lang, players=", ".join(f"{k} {name}" for k, name in enumerate(names, 1))))
    towers = [f"{field} {_tower(tower, lang)}" for field, tower in zip(GRID.fields, view.board, strict=True) if tower]
    sentences.append(f"{', '.join(towers) or say(GAME, 'alt.nothing', lang)}.")
    if view.phase == Phase.PLACE:
        supplies = "; ".join(f"{name} {_supply(view, seat, lang)}" for seat, name in enumerate(names))
        sentences.append(say(GAME, "alt.supply", lang, supply=supplies))
    return " ".join(sentences)


def _state(view: State, names: list[str], lang: str) -> str:
    assert view.actor is not None
    return say(GAME, f"alt.{view.phase}", lang, who=names[view.actor])


def _tower(tower: str, lang: str) -> str:
    """Return a tower: seats counted from 1, and symbols by the first letters of their names.

    >>> _tower("0r1d", "en"), _tower("0r1d", "de")
    ('1r2d', '1st2d')
    """
    return "".join(str(int(sign) + 1) if sign.isdigit() else _symbol(sign, lang) for sign in tower)


def _symbol(kind: str, lang: str) -> str:
    return say(GAME, f"alt.{kind}", lang)


def _supply(view: State, seat: int, lang: str) -> str:
    return " ".join(f"{count}×{_symbol(kind, lang)}" for kind, count in view.supply(seat).items() if count) or "–"
