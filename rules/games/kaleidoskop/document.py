"""Positions as JSON, and the consistency checks of a document.

A position need not be reachable, but its parts must fit together.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from rules.contract import checked_seats, checked_seed, require
from rules.games.kaleidoskop.actions import TOOLS
from rules.games.kaleidoskop.board import COLOURS, GRID, HEXES, NOTHING, OF_EACH, PLACES, WELLS, board
from rules.games.kaleidoskop.cards import BACK, IDS, TASKS, Deck
from rules.games.kaleidoskop.state import State, coloured
from rules.games.kaleidoskop.values import (
    FEW,
    MANY,
    NONE,
    READY,
    ROUNDS,
    Card,
    Decks,
    Done,
    Drawing,
    Ending,
    Length,
    Options,
    Player,
    Stage,
    Tools,
)

SEATS: Final = range(2, 7)


class _Choices(Struct, frozen=True, forbid_unknown_fields=True):
    length: Length
    ending: Ending
    drawing: Drawing = Drawing.MUST


class _Card(Struct, frozen=True, forbid_unknown_fields=True):
    back: Deck
    id: str | None


class _Done(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    task: str


class _Tools(Struct, frozen=True, forbid_unknown_fields=True):
    holder: str
    mirror: str
    glass: str


class _Player(Struct, frozen=True, forbid_unknown_fields=True):
    score: int
    limit: int
    hand: tuple[_Card, ...]
    done: tuple[_Done, ...]
    tools: _Tools


class _Decks(Struct, frozen=True, forbid_unknown_fields=True):
    blue: tuple[str | None, ...]
    orange: tuple[str | None, ...]


class _Document(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    game: Literal["kaleidoskop"]
    seats: int
    options: _Choices
    seed: int | None
    turn: int
    stage: Stage
    final: int | None
    last: int | None
    crystals: dict[str, str]
    hexes: dict[str, str] | UnsetType = UNSET
    before: dict[str, str] | UnsetType = UNSET
    players: tuple[_Player, ...]
    decks: _Decks


_DECODER: Final = msgspec.json.Decoder(_Document)


def encode(state: State) -> bytes:
    """Return the position as JSON, all keys in their order; only wells and hexes with a crystal or a colour."""
    return msgspec.json.encode(
        {
            "game": "kaleidoskop",
            "seats": state.seats,
            "options": state.options,
            "seed": state.seed,
            "turn": state.turn,
            "stage": state.stage,
            "final": state.final,
            "last": state.last,
            "crystals": {str(well): colour for well, colour in enumerate(state.crystals, 1) if colour != NOTHING},
            "hexes": _named(state.hexes),
            "before": _named(state.before),
            "players": state.players,
            "decks": state.decks,
        }
    )


def _named(hexes: str) -> dict[str, str]:
    return {name: colour for name, colour in zip(GRID.fields, hexes, strict=True) if colour != NOTHING}


def decode(data: bytes | str) -> State:
    """Return the position of a document. Raises ValueError that names the first error."""
    document = _DECODER.decode(data)
    seats = checked_seats(SEATS, document.seats)
    seed = checked_seed(document.seed)
    crystals = _crystals(document)
    _check_turns(document)
    _check_last(document, crystals)
    require(len(document.players) == seats, f"'players' has an entry for each of the {seats} seats")
    players = tuple(_player(seat, player) for seat, player in enumerate(document.players))
    decks = Decks(document.decks.blue, document.decks.orange)
    _check_cards(players, decks)
    _check_holders(document, players, crystals)
    _check_places(document, players, crystals)
    hexes = coloured(seats, crystals, players)
    if document.hexes is not UNSET:
        given = _colours(document, "hexes", document.hexes)
        wrong = [name for name, was, is_ in zip(GRID.fields, given, hexes, strict=True) if was != is_]
        require(not wrong, f"'hexes': the crystals and tools give {', '.join(wrong)} another colour")
    before = hexes if document.before is UNSET else _colours(document, "before", document.before)
    state = State(
        seats=seats,
        options=Options(document.options.length, document.options.ending, document.options.drawing),
        seed=seed,
        turn=document.turn,
        stage=document.stage,
        final=document.final,
        last=document.last,
        crystals=crystals,
        hexes=hexes,
        before=before,
        players=players,
        decks=decks,
    )
    won = document.options.ending == Ending.AT_ONCE and document.final is not None
    actor = (document.turn - 1) % seats
    require(not won or state.meets(actor), f"'final': seat {actor} does not meet the conditions of victory")
    return state


def _crystals(document: _Document) -> str:
    """Return the content of the wells, which must be in play, with at most 18 crystals of a colour."""
    exist = {str(well + 1): well for well in board(document.seats).wells}
    wells = [NOTHING] * WELLS
    for name, colour in document.crystals.items():
        require(name in exist, f"'crystals': with {document.seats} seats there is no well {name!r}")
        require(
            _is_colour(colour), f"'crystals': {colour!r} in well {name} is no colour, they are {', '.join(COLOURS)}"
        )
        wells[exist[name]] = colour
    for colour in COLOURS:
        require(wells.count(colour) <= OF_EACH, f"'crystals': more than {OF_EACH} of colour {colour!r}")
    return "".join(wells)


def _is_colour(letter: str) -> bool:
    return len(letter) == 1 and letter in COLOURS


def _colours(document: _Document, key: str, named: dict[str, str]) -> str:
    """Return the colours of hexes, which must be in play."""
    places = {GRID.fields[place]: place for place in board(document.seats).hexes}
    hexes = [NOTHING] * HEXES
    for name, colour in named.items():
        require(name in places, f"{key!r}: with {document.seats} seats there is no hex {name!r}")
        require(_is_colour(colour), f"{key!r}: {colour!r} of {name} is no colour, they are {', '.join(COLOURS)}")
        hexes[places[name]] = colour
    return "".join(hexes)


def _check_turns(document: _Document) -> None:
    turn, final, seats = document.turn, document.final, document.seats
    latest = ROUNDS * seats
    require(1 <= turn <= latest, f"'turn' is from 1 to {latest}, {ROUNDS} rounds")
    if final is not None:
        if document.options.ending == Ending.AT_ONCE:
            over = document.stage == Stage.OVER and turn == final
            require(over, "'final': with the ending 'at_once' it is the turn in which the game was won")
            return
        require(final % seats == 0, f"'final' is the last turn of a round, a multiple of {seats}")
        require(turn <= final <= latest, f"'final' is from 'turn' to {latest}")
    if document.stage == Stage.OVER:
        require(turn in (final, latest), f"in stage 'over' the turn is 'final' or {latest}")


def _check_last(document: _Document, crystals: str) -> None:
    last = document.last
    if last is None:
        require(document.stage not in (Stage.TOOLS, Stage.TASKS), f"in stage '{document.stage}' 'last' is a well")
    else:
        require(1 <= last <= WELLS and crystals[last - 1] != NOTHING, f"'last': there is no crystal in well {last}")


def _player(seat: int, player: _Player) -> Player:
    """Return the possessions of a seat, each checked by itself."""
    require(player.score >= 0, f"seat {seat}: the score is below 0")
    require(player.limit in (FEW, MANY), f"seat {seat}: the limit is {FEW} or {MANY}")
    require(len(player.hand) <= player.limit, f"seat {seat}: the hand has more cards than the limit of {player.limit}")
    for card in player.hand:
        require(card.id is None or card.id in BACK, f"seat {seat}: there is no card {card.id!r}")
        require(card.id is None or BACK[card.id] == card.back, f"seat {seat}: card {card.id!r} has no {card.back} back")
    for done in player.done:
        require(done.id in BACK, f"seat {seat}: there is no card {done.id!r}")
        require(done.task in TASKS, f"seat {seat}: card {done.id!r} has no task {done.task!r}, only 'a' and 'b'")
    tools = player.tools
    has = "is 'none'" if not player.done else "is not 'none'"
    fits = (tools.holder == NONE) == (not player.done)
    require(fits, f"seat {seat}: with {len(player.done)} finished cards the holder {has}")
    return Player(
        score=player.score,
        limit=player.limit,
        hand=tuple(Card(card.back, card.id) for card in player.hand),
        done=tuple(Done(card.id, card.task) for card in player.done),
        tools=Tools(tools.holder, tools.mirror, tools.glass),
    )


def _check_cards(players: tuple[Player, ...], decks: Decks) -> None:
    """Check that every card exists once, and that not too many are hidden."""
    for deck in Deck:
        for card in decks.of(deck):
            require(card is None or BACK.get(card) == deck, f"there is no card {card!r} in the {deck} deck")
    hands = [card for player in players for card in player.hand]
    done = [card.id for player in players for card in player.done]
    known: Iterable[str | None] = [*(card.id for card in hands), *done, *decks.blue, *decks.orange]
    for card, times in Counter(known).items():
        require(card is None or times == 1, f"card {card!r} occurs {times} times")
    for deck in Deck:
        number = sum(card.back == deck for card in hands) + sum(BACK[card] == deck for card in done)
        number += len(decks.of(deck))
        require(number <= len(IDS[deck]), f"there are {number} {deck} cards, but only {len(IDS[deck])} exist")


def _check_holders(document: _Document, players: tuple[Player, ...], crystals: str) -> None:
    wells = {str(well): colour for well, colour in enumerate(crystals, 1) if colour != NOTHING}
    actor = (document.turn - 1) % document.seats
    standing = [(seat, player.tools.holder) for seat, player in enumerate(players)]
    standing = [(seat, spot) for seat, spot in standing if spot not in (NONE, READY)]
    for seat, spot in standing:
        require(spot in wells, f"seat {seat}: the holder is at {spot!r}, where there is no crystal")
        if seat == actor and document.stage in (Stage.TOOLS, Stage.TASKS):
            require(spot == str(document.last), f"seat {seat}: the holder is not at 'last', the crystal of this turn")
    _check_alone([spot for _, spot in standing], "holders")
    if document.stage == Stage.PLACE:
        tools = players[actor].tools
        out = [tool for tool in TOOLS if tools.where(tool) not in (NONE, READY)]
        require(not out, f"seat {actor}: in stage 'place' the actor has no tool on the board, but the {', '.join(out)}")


def _check_places(document: _Document, players: tuple[Player, ...], crystals: str) -> None:
    spots = []
    for seat, player in enumerate(players):
        for tool in ("mirror", "glass"):
            spot = getattr(player.tools, tool)
            if spot in (NONE, READY):
                continue
            require(spot in PLACES, f"seat {seat}: the {tool} is at {spot!r}, which is no place of a well and a hex")
            well, place = PLACES[spot]
            in_play = place in board(document.seats).hexes
            require(in_play, f"seat {seat}: the {tool} is at {spot!r}, a hex that is not in play")
            require(crystals[well] != NOTHING, f"seat {seat}: the {tool} is at {spot!r}, where there is no crystal")
            spots.append(spot)
    _check_alone(spots, "mirrors and glasses")


def _check_alone(spots: list[str], tools: str) -> None:
    for spot, times in Counter(spots).items():
        require(times == 1, f"{times} {tools} are at {spot!r}")
