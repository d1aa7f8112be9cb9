"""KalejdoSchach's board in words: enough to play from, and short enough for a chat."""

from collections.abc import Iterator

from renderers.frame import end_sentence, mover_name, seat_name
from renderers.look import Look
from rules.games.kalejdoschach import FIELDS, KINDS, Move, State
from texts import knows, listed, say

GAME = "kalejdoschach"


def alt_text(view: State, look: Look) -> str:
    """Return the actor or the winners, the last move, the die, a key to the letters, then every seat's pieces."""
    return " ".join(_sentences(view, look))


def _sentences(view: State, look: Look) -> Iterator[str]:
    lang = look.lang
    names = [seat_name(look, seat) for seat in range(view.seats)]
    outcome = look.ended or view.outcome
    if view.actor is not None and outcome is None:
        yield say(GAME, "alt.up", lang, who=names[view.actor])
    elif look.ended is not None:
        yield end_sentence(look, look.ended)
    elif outcome is not None:
        headline, winners = f"headline.{outcome.reason}", listed((names[seat] for seat in outcome.winners), lang)
        if knows(GAME, headline):  # a draw
            yield f"{say(GAME, headline, lang, n=len(outcome.winners), winners=winners)}."
        else:
            yield end_sentence(look, outcome)
        last_out = names[view.out[-1].seat] if view.out else ""
        yield say(GAME, f"reason.{outcome.reason}", lang, last=last_out, quiet=view.options.quiet)
    if view.last is not None:
        last = view.last
        move = Move(last.source, last.target, takes=last.captured is not None)
        piece = say(GAME, f"part.{KINDS[last.kind].name}", lang)
        yield say(GAME, "alt.last", lang, who=mover_name(look, last.seat), piece=piece, move=move)
    if outcome is None:
        for seat, die in view.rolls[:-1]:
            yield say(GAME, "alt.skipped", lang, who=names[seat], die=die)
        if view.die is not None:
            yield say(GAME, "alt.die", lang, die=view.die)
        for seat in view.agreed:
            yield say(GAME, "alt.draw", lang, who=names[seat])
        if view.quiet_limit is not None and 2 * view.quiet > view.quiet_limit:
            seats = len(view.playing)
            rounds, limit = view.quiet // seats, view.quiet_limit // seats
            yield say(GAME, "alt.quiet", lang, rounds=rounds, limit=limit)
    kinds = ", ".join(f"{letter} {say(GAME, f'part.{kind.name}', lang)}" for letter, kind in KINDS.items())
    yield say(GAME, "alt.key", lang, kinds=kinds)
    for seat, name in enumerate(names):
        if seat in view.playing:
            yield say(
                GAME,
                "alt.seat",
                lang,
                who=name,
                castles=" ".join(view.castles(seat)),
                pieces=" ".join(_pieces(view, seat)),
            )
        else:
            yield say(GAME, "alt.out", lang, who=name)


def _pieces(view: State, seat: int) -> Iterator[str]:
    for field, piece in zip(FIELDS, view.board, strict=True):
        if piece is not None and piece.seat == seat:
            yield f"{piece.kind}{field}"
