"""Kaleidoskop's board and a hand in words: enough to play from, and short enough for a chat.

Colours are words of the reader's language. A pattern is described hex by hex, each next to an earlier one.
"""

from renderers.frame import end_sentence, mover_name, seat_name
from renderers.look import Look
from rules.contract import Outcome
from rules.games.kaleidoskop import (
    COLOURS,
    GRID,
    NONE,
    NOTHING,
    READY,
    TASKS,
    Deck,
    Player,
    Stage,
    State,
    Task,
    changes,
    occurrences,
    task,
)
from rules.hexes import STEPS
from texts import say

GAME = "kaleidoskop"


def alt_text(view: State, look: Look) -> str:
    """Return the actor or the winners, crystals and hexes by colour, changes, every seat.

    With *look.hand* only that seat is described, with its cards, before the crystals, which may be too many.
    """
    lang = look.lang
    names = [seat_name(look, seat) for seat in range(view.seats)]
    outcome = look.ended or view.outcome
    sentences = [_state(view, names, lang) if outcome is None else end_sentence(look, outcome)]
    if view.final is not None and outcome is None:
        sentences.append(say(GAME, "alt.final", lang, n=view.final - view.turn + 1))
    sentences += [
        say(GAME, "alt.last", lang, well=well, who=mover_name(look, seat))
        for well, (seat, is_faint) in placed(view, look).items()
        if not is_faint
    ]
    nothing = say(GAME, "alt.nothing", lang)
    crystals = say(GAME, "alt.crystals", lang, crystals=_by_colour(view.crystals, list(map(str, range(1, 73))), lang))
    hexes = [say(GAME, "alt.hexes", lang, hexes=_by_colour(view.hexes, list(GRID.fields), lang) or nothing)]
    before = changes(view.hexes, view.before)
    changed = ", ".join(f"{name} {'–' if old == NOTHING else _colour(old, lang)}" for name, old in before)
    if changed:
        hexes.append(say(GAME, "alt.changed", lang, hexes=changed))
    blue, orange = len(view.decks.blue), len(view.decks.orange)
    rest = say(GAME, "alt.rest", lang, cost=view.swap_cost, blue=blue, orange=orange)
    cards = None if look.hand is None else _cards(view, look.hand, lang)
    if look.hand is None or cards is None:
        players = [_player(view, seat, names[seat], outcome, lang, "player") for seat in range(view.seats)]
        sentences += [crystals, *hexes, rest, say(GAME, "alt.players", lang), *players]
    else:
        own = _player(view, look.hand, names[look.hand], outcome, lang, "own")
        sentences += [*hexes, own, cards, rest, crystals]
    return " ".join(sentences)


def placed(view: State, look: Look) -> dict[int, tuple[int, bool]]:
    """Return the wells of the crystals to mark, oldest first: the seats that placed them, and whether the reader knows
    that already.

    *look* knows them; if it does not, only the latest one: every turn begins with a crystal.
    """
    if not look.recent:
        seat = (view.turn - (2 if view.stage == Stage.PLACE else 1)) % view.seats
        return {} if view.last is None else {view.last: (seat, False)}
    return {
        int(recent.action[:-1]): (recent.seat, recent.is_faint)
        for recent in look.recent
        if recent.action[:-1].isdigit() and view.crystals[int(recent.action[:-1]) - 1] == recent.action[-1]
    }


def changed(view: State, look: Look) -> dict[int, str]:
    """Return the hexes whose change is to be marked: "latest", or "faint" if the reader knows it already.

    The view knows the changes since the latest crystal. *look* knows those of the actions before it.
    """
    changes = {place: "latest" for place, colour in enumerate(view.hexes) if colour != view.before[place]}
    for recent in look.recent:
        facts = dict(recent.facts)
        for number in range(1, 4):
            place = GRID.number.get(facts.get(f"hex{number}", "").lower())
            now = facts.get(f"now{number}", "").removeprefix("lit.").replace("none", NOTHING)
            if place is not None and now == view.hexes[place] and changes.get(place) != "latest":
                changes[place] = "faint" if recent.is_faint else "latest"
    return changes


def _state(view: State, names: list[str], lang: str) -> str:
    assert view.actor is not None
    return say(GAME, f"alt.{view.stage}", lang, who=names[view.actor], round=view.round)


def _colour(letter: str, lang: str) -> str:
    return say(GAME, f"alt.colour.{letter}", lang)


def _by_colour(letters: str, names: list[str], lang: str) -> str:
    """
    >>> _by_colour("r.yr", ["a1", "a2", "a3", "a4"], "de")
    'rot a1 a4; gelb a3'
    """
    groups = (
        (colour, [name for name, letter in zip(names, letters, strict=True) if letter == colour]) for colour in COLOURS
    )
    return "; ".join(f"{_colour(colour, lang)} {' '.join(names_of)}" for colour, names_of in groups if names_of)


def _player(view: State, seat: int, name: str, outcome: Outcome | None, lang: str, key: str) -> str:
    player = view.players[seat]
    return say(
        GAME,
        f"alt.{key}",
        lang,
        who=name,
        score=outcome.scores[seat] if outcome is not None else player.score,
        goal=view.goal,
        hand=len(player.hand),
        blue=len(player.done) - player.oranges,
        orange=player.oranges,
        tools=_tools(player, lang),
    )


def _tools(player: Player, lang: str) -> str:
    """Return the tools of a player, and the places of those on the board."""
    owned = [(tool, where) for tool in ("holder", "mirror", "glass") if (where := getattr(player.tools, tool)) != NONE]
    if [where for _, where in owned] == [READY] * 3:
        return say(GAME, "alt.tooled", lang)
    owned_tools = [say(GAME, f"alt.{tool}", lang) + ("" if where == READY else f" {where}") for tool, where in owned]
    return ", ".join(owned_tools) or say(GAME, "alt.toolless", lang)


# --- A hand -----------------------------------------------------------------------------------------------------------


def hand_text(view: State, seat: int, look: Look) -> str | None:
    """Return the cards of *seat*; None if no card is known."""
    return _cards(view, seat, look.lang)


def _cards(view: State, seat: int, lang: str) -> str | None:
    """Return both tasks of each card of *seat*, and their places on the board."""
    sentences = []
    for number, card in enumerate(view.players[seat].hand, 1):
        if card.id is not None:
            back = say(GAME, f"alt.{Deck(card.back)}", lang)
            tasks = " ".join(_task(view, f"{number}{name}", card.id, name, lang) for name in TASKS)
            sentences.append(f"{say(GAME, 'alt.card', lang, number=number, back=back)} {tasks}")
    return " ".join(sentences) or None


def _task(view: State, label: str, card: str, name: str, lang: str) -> str:
    wanted = task(card, name)
    places = occurrences(card, name, view.lights()) if view.stage != Stage.OVER else ()
    text = say(GAME, "alt.task", lang, label=label, reward=wanted.reward, pattern=_pattern(wanted, lang))
    return f"{text} {say(GAME, 'alt.found', lang, hexes=' '.join(places[0]))}" if places else text


def _pattern(wanted: Task, lang: str) -> str:
    """
    >>> from rules.games.kaleidoskop import task
    >>> _pattern(task("b01", "a"), "en")
    '1 red, 2 yellow right of 1, 3 pink lower right of 1'
    """
    cells = [(q, r) for q, r, _ in wanted.hexes]
    hexes = []
    for number, (q, r, colour) in enumerate(wanted.hexes):
        beside = next((k for k in range(number) if (q - cells[k][0], r - cells[k][1]) in STEPS), None)
        if beside is None:
            hexes.append(f"{number + 1} {_colour(colour, lang)}")
        else:
            step = STEPS.index((q - cells[beside][0], r - cells[beside][1]))
            where = say(GAME, f"alt.step.{step}", lang, number=beside + 1)
            hexes.append(f"{number + 1} {_colour(colour, lang)} {where}")
    for q, r, corner, colour in wanted.crystals:
        hexes.append(
            say(GAME, f"alt.corner.{corner}", lang, colour=_colour(colour, lang), number=cells.index((q, r)) + 1)
        )
    return ", ".join(hexes)
