"""The rules of play."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from operator import getitem
from types import MappingProxyType
from typing import Final, assert_never

from msgspec.structs import replace

from rules import contract
from rules.chance import Chance
from rules.contract import IllegalAction, News
from rules.games.kaleidoskop import judging, nearness, news, reasons
from rules.games.kaleidoskop.actions import (
    BUYS,
    CLAIMS,
    END,
    HOLD,
    LIMITS,
    NO_CARD,
    TOOLS,
    Action,
    Buy,
    Claim,
    Crystal,
    End,
    Glass,
    Hold,
    Limit,
    Mirror,
    Tool,
    offers,
)
from rules.games.kaleidoskop.board import (
    COLOURS,
    GRID,
    HEXES_OF,
    NOTHING,
    OF_EACH,
    PLACES,
    WELLS,
    board,
    colour,
    in_wells,
    with_letter,
)
from rules.games.kaleidoskop.cards import IDS, TASKS, Deck, anchors, finished, follow, task
from rules.games.kaleidoskop.position import Position
from rules.games.kaleidoskop.typed import COLOUR, HEX, UNREADABLE
from rules.games.kaleidoskop.values import (
    FEW,
    LIMIT_PRICE,
    MANY,
    NONE,
    PRICE,
    READY,
    ROUNDS,
    Card,
    Decks,
    Done,
    Drawing,
    Ending,
    Player,
    Question,
    Reason,
    Refusal,
    Restriction,
    Stage,
    Tools,
)

_PLACE, _TOOLS, _TASKS, _OVER = Stage  # cached, because access to enum members is slow
_STANDING: Final = dict(PLACES)  # the values of mirrors and glasses that are places


class State(Position, contract.State, frozen=True, gc=False):
    """A position with the rules of play."""

    # Decisions

    def actions(self) -> tuple[Action, ...]:
        """Return placements by well, then colour; hold; mirrors; glasses; claims; purchases; the end."""
        if self.stage == _OVER:
            return ()
        own = self._own
        listed: list[Action] = []
        if self.stage == _PLACE:
            listed += self._crystals(own)
        else:
            if self.stage == _TOOLS:
                listed += self._tools(own)
            listed += self._claims(own)
        if own.score >= PRICE:
            listed += [buy for buy in BUYS if own.tools.where(buy.tool) == NONE]
        if own.limit == FEW and own.score >= LIMIT_PRICE:
            listed += [limit for limit in LIMITS if self.decks.of(limit.deck)]
        if self.stage != _PLACE:
            listed.append(END)
        return tuple(listed)

    def _crystals(self, own: Player) -> Iterable[Crystal]:
        tables = offers(self.seats)
        can_pay = own.score > 0 or not self.swap_cost  # the cost is 1 at most
        wells = list(map(getitem, tables.crystals if can_pay else tables.unpaid, in_wells(self.seats)(self.crystals)))
        for player in self.players:
            if player.tools.holder not in (NONE, READY):
                wells[board(self.seats).wells.index(int(player.tools.holder) - 1)] = ()
        listed = chain.from_iterable(wells)
        if gone := [colour for colour in COLOURS if self.crystals.count(colour) >= OF_EACH]:
            return [crystal for crystal in listed if crystal.colour not in gone]
        return listed

    def _tools(self, own: Player) -> list[Action]:
        tools, listed = own.tools, list[Action]()
        if READY not in (tools.holder, tools.mirror, tools.glass) or own.score < self.tool_cost():
            return listed
        if tools.holder == READY:
            listed.append(HOLD)
        tables = offers(self.seats)
        if tools.mirror == READY:
            listed += self._free(tables.mirrors)
        if tools.glass == READY:
            listed += self._free(tables.glasses)
        return listed

    def _free(self, table: tuple[tuple[Mirror | Glass, ...], ...]) -> Iterable[Mirror | Glass]:
        """Yield the actions at occupied wells, on places without a mirror or glass."""
        rows = [row if there != NOTHING else () for row, there in zip(table, self.crystals, strict=True)]
        for spot in self._taken():
            well, _ = PLACES[spot]
            rows[well] = tuple(tool for tool in rows[well] if tool.place != spot)
        return chain.from_iterable(rows)

    def _taken(self) -> list[str]:
        """Return the places with mirrors and glasses."""
        spots = [spot for player in self.players for spot in (player.tools.mirror, player.tools.glass)]
        return [spot for spot in spots if spot in _STANDING]

    def _claims(self, own: Player) -> list[Action]:
        lit = self.lights()
        done = [
            CLAIMS[position, name]
            for position, card in enumerate(own.hand, 1)
            if card.id is not None
            for name in finished(card.id, lit)
        ]
        if not done:
            return []
        decks: list[str | None] = [deck for deck in Deck if self.decks.of(deck)]
        if decks and self.options.drawing == Drawing.MAY:
            decks.append(NO_CARD)
        return [claims[deck] for claims in done for deck in decks or (None,)]

    # Actions

    def play(self, action: Action) -> "State":
        """Return the position after *action*. Raises IllegalAction(Refusal) with the first reason that applies."""
        if self.stage == _OVER:
            raise IllegalAction(Refusal.OVER)
        match action:
            case Crystal():
                return self._laid(action)
            case End():
                return self._ended()
            case Hold():
                return self._held()
            case Mirror():
                return self._stood(action, "mirror")
            case Glass():
                return self._stood(action, "glass")
            case Claim():
                return self._claimed(action)
            case Buy(tool):
                return self._bought(tool)
            case Limit(deck):
                return self._raised(deck)
            case _:
                assert_never(action)

    def _laid(self, action: Crystal) -> "State":
        """The crystal of the turn."""
        if self.stage != _PLACE:
            raise IllegalAction(Refusal.STAGE)
        well, own = action.well - 1, self._own
        touching = board(self.seats).touching
        if not (0 <= well < WELLS and touching[well]):
            raise IllegalAction(Refusal.NOT_IN_PLAY, str(action.well))
        old, name = self.crystals[well], str(action.well)
        if name in [player.tools.holder for player in self.players]:
            raise IllegalAction(Refusal.HELD, name)
        if old == action.colour:
            raise IllegalAction(Refusal.SAME_COLOUR, str(action))
        if self.crystals.count(action.colour) >= OF_EACH:
            raise IllegalAction(Refusal.SUPPLY, action.colour)
        cost = 0 if old == NOTHING else self.swap_cost
        if own.score < cost:
            raise IllegalAction(Refusal.COST, str(action))
        crystals = with_letter(self.crystals, well, action.colour)
        players = self._with(replace(own, score=own.score - cost)) if cost else self.players
        hexes = recoloured(self.hexes, touching[well], crystals, players)
        follow((self.hexes, self.crystals), (hexes, crystals), touching[well], well)
        return State(
            seats=self.seats,
            options=self.options,
            seed=self.seed,
            turn=self.turn,
            stage=_TOOLS,
            final=self.final,
            last=action.well,
            crystals=crystals,
            hexes=hexes,
            before=self.hexes,
            players=players,
            decks=self.decks,
        )

    def _held(self) -> "State":
        """The holder goes under the crystal of this turn."""
        own = self._paid(self._usable("holder"), "holder")
        tools = Tools(str(self.last), own.tools.mirror, own.tools.glass)
        return replace(self, players=self._with(replace(own, tools=tools)))

    def _stood(self, action: Mirror | Glass, tool: Tool) -> "State":
        """A mirror or a glass goes to its place."""
        own = self._usable(tool)
        wrong = self._wrong(action)
        if wrong is not None:
            raise IllegalAction(*wrong)
        own = self._paid(own, tool)
        players = self._with(put(own, action))
        hexes = recoloured(self.hexes, (PLACES[action.place][1],), self.crystals, players)
        return replace(self, players=players, hexes=hexes)

    def _usable(self, tool: Tool) -> Player:
        """Return the actor, if *tool* can be used in this turn. Raises IllegalAction."""
        own = self._own
        self._must_be(self.stage == _TOOLS, Refusal.STAGE)
        where = own.tools.where(tool)
        self._must_be(where != NONE, Refusal.NOT_OWNED, tool)
        self._must_be(where == READY, Refusal.USED, tool)
        return own

    def _paid(self, own: Player, tool: Tool) -> Player:
        """Return *own* after paying for the use of *tool*. Raises IllegalAction."""
        cost = self.tool_cost()
        self._must_be(own.score >= cost, Refusal.COST, tool)
        return replace(own, score=own.score - cost) if cost else own

    def _wrong(self, action: Mirror | Glass) -> tuple[Refusal, str] | None:
        """Return the error of a place, if there is one."""
        well, touching, place = action.well - 1, board(self.seats).touching, GRID.number.get(action.hex)
        if not (0 <= well < WELLS and touching[well]):
            return Refusal.NOT_IN_PLAY, str(action.well)
        if place is None or place not in board(self.seats).hexes:
            return Refusal.NOT_IN_PLAY, action.hex
        if place not in HEXES_OF[well]:
            return Refusal.NOT_ADJACENT, action.place
        if self.crystals[well] == NOTHING:
            return Refusal.EMPTY, str(action.well)
        return (Refusal.TAKEN, action.place) if action.place in self._taken() else None

    def _claimed(self, action: Claim) -> "State":
        """A task is finished: its card, the reward, the holder for the first one, a new card."""
        self._must_be(self.stage in (_TOOLS, _TASKS), Refusal.STAGE)
        own, number, name = self._own, action.card - 1, action.task
        self._must_be(0 <= number < len(own.hand), Refusal.NO_CARD, str(action.card))
        card = own.hand[number].id
        if card is None:
            raise IllegalAction(Refusal.HIDDEN)
        fulfilled = name in TASKS and anchors(card, name, self.lights()) != 0
        self._must_be(fulfilled, Refusal.NOT_FULFILLED, f"{action.card}{name}")
        drawn: tuple[Card, ...] = ()
        decks = self.decks
        if action.deck is None:
            self._must_be(not (decks.blue or decks.orange), Refusal.DECK_MISSING, str(action))
        elif action.deck == NO_CARD:
            self._must_be(bool(decks.blue or decks.orange), Refusal.DECK_EMPTY, action.deck)
            self._must_be(self.options.drawing == Drawing.MAY, Refusal.MUST_DRAW, str(action))
        else:
            drawn, decks = self._drawn(action.deck)
        tools = own.tools if own.done else Tools(READY, own.tools.mirror, own.tools.glass)
        own = Player(
            score=own.score + task(card, name).reward,
            limit=own.limit,
            hand=(*own.hand[:number], *drawn, *own.hand[number + 1 :]),
            done=(*own.done, Done(card, name)),
            tools=tools,
        )
        return replace(self, stage=_TASKS, players=self._with(own), decks=decks)

    def _drawn(self, deck: str) -> tuple[tuple[Card], Decks]:
        """Return the top card of *deck*, and the decks without it; its id is None if a view hides it."""
        cards = self.decks.of(deck)
        self._must_be(bool(cards), Refusal.DECK_EMPTY, deck)
        return (Card(deck, cards[0]),), self.decks.without_top(deck)

    def _bought(self, tool: Tool) -> "State":
        own = self._own
        self._must_be(own.tools.where(tool) == NONE, Refusal.OWNED, tool)
        self._must_be(own.score >= PRICE, Refusal.COST, tool)
        tools = replace(own.tools, **{tool: READY})
        return replace(self, players=self._with(replace(own, score=own.score - PRICE, tools=tools)))

    def _raised(self, deck: str) -> "State":
        """The fourth card."""
        own = self._own
        self._must_be(own.limit == FEW, Refusal.OWNED, "limit")
        self._must_be(own.score >= LIMIT_PRICE, Refusal.COST, "limit")
        drawn, decks = self._drawn(deck)
        own = replace(own, score=own.score - LIMIT_PRICE, limit=MANY, hand=(*own.hand, *drawn))
        return replace(self, players=self._with(own), decks=decks)

    def _ended(self) -> "State":
        """The turn is over: either the game ends, or the tools of the next seat return."""
        if self.stage not in (_TOOLS, _TASKS):
            raise IllegalAction(Refusal.STAGE)
        latest = ROUNDS * self.seats
        final = self.final
        if final is None and self.meets((self.turn - 1) % self.seats):
            rounds = self.round + (self.options.ending == Ending.EXTRA_ROUND)
            final = self.turn if self.options.ending == Ending.AT_ONCE else min(rounds * self.seats, latest)
        if self.turn in (final, latest):
            return replace(self, final=final, stage=_OVER)
        return self._begun(self.turn + 1, final)

    def _begun(self, turn: int, final: int | None) -> "State":
        """Return the beginning of *turn*: the tools of its seat return."""
        seat = (turn - 1) % self.seats
        following = self.players[seat]
        players, hexes = self.players, self.hexes
        if following.tools.used:
            tools = Tools(*(NONE if following.tools.where(tool) == NONE else READY for tool in TOOLS))
            players = (*players[:seat], replace(following, tools=tools), *players[seat + 1 :])
            freed = [PLACES[spot][1] for spot in (following.tools.mirror, following.tools.glass) if spot in PLACES]
            hexes = recoloured(hexes, freed, self.crystals, players)
        return replace(self, turn=turn, stage=_PLACE, final=final, players=players, hexes=hexes)

    def turn_of(self, seat: int) -> "State | None":
        """Return the beginning of the next turn of *seat*; None if the game is over by then."""
        if self.stage == _OVER:
            return None
        turn = self.turn + 1 + (seat - self.turn) % self.seats
        latest = ROUNDS * self.seats if self.final is None else self.final
        return None if turn > latest else self._begun(turn, self.final)

    def _with(self, own: Player) -> tuple[Player, ...]:
        """Return the players, the actor replaced by *own*."""
        seat = (self.turn - 1) % self.seats
        return (*self.players[:seat], own, *self.players[seat + 1 :])

    def _must_be(self, holds: bool, refusal: Refusal, detail: str = "") -> None:
        if not holds:
            raise IllegalAction(refusal, detail)

    # Evaluation

    def worth(self, seat: int) -> int:
        """Return the score in tenths, plus the value of conditions of victory, a fourth card, and tasks that can be
        claimed.

        They count a little more than their cost, or nearly their reward. A tool is worth more ready than used for
        nothing.
        """
        player, lit = self.players[seat], self.lights()
        tools = [player.tools.where(tool) for tool in TOOLS]
        rewards = 0
        for card in player.hand:
            if card.id is not None:
                rewards += max((task(card.id, name).reward for name in finished(card.id, lit)), default=0)
        return (
            10 * player.score
            + sum(36 if where == READY else 35 for where in tools if where != NONE)
            + (25 if player.limit == MANY else 0)
            + (40 if player.oranges else 0)
            + 8 * rewards
        )

    def win_probability(self, seat: int) -> float:
        return judging.win_probability(self, seat)

    def search_actions(self) -> tuple[Action, ...]:
        """Return the legal actions; of mirrors and glasses only one for each hex and colour that completes a task.

        Nothing is gained by drawing no card.
        """
        lacking = nearness.lacking_hexes(self, (self.turn - 1) % self.seats) if self.stage == _TOOLS else set()
        hexes = {GRID.fields[place] for place, _ in lacking}
        listed = list[Action]()
        for action in self.actions():
            if isinstance(action, Mirror | Glass):
                if action.hex not in hexes or (given := self._given(action)) not in lacking:
                    continue
                lacking.remove(given)
            if isinstance(action, Claim) and action.deck == NO_CARD:
                continue
            listed.append(action)
        return tuple(listed)

    def _given(self, action: Mirror | Glass) -> tuple[int, str]:
        """Return the hex at which a mirror or a glass is put, and the hex's new colour."""
        place, players = GRID.number[action.hex], self._with(put(self._own, action))
        return place, recoloured(self.hexes, (place,), self.crystals, players)[place]

    def shortlist(self) -> tuple[Action, ...]:
        """Return the crystals that could be the only element that an own task lacks."""
        assert self.actor is not None
        lacking = {Crystal(well + 1, colour) for well, colour in nearness.lacking(self, self.actor)}
        return tuple(action for action in self.actions() if action in lacking)

    # Views and texts

    def view(self, seat: int | None) -> "State":
        """Return the position with only the backs of other hands, and only the numbers of cards in the decks."""
        players = tuple(
            player if number == seat else replace(player, hand=tuple(Card(card.back, None) for card in player.hand))
            for number, player in enumerate(self.players)
        )
        decks = Decks((None,) * len(self.decks.blue), (None,) * len(self.decks.orange))
        return replace(self, seed=None, players=players, decks=decks)

    def deal_anew(self, chance: Chance, before: Sequence["State"] = ()) -> "State":
        """Return a position with random cards of the right backs in the decks and in the hands of others."""
        known = {card.id for player in self.players for card in chain[Card | Done](player.hand, player.done)}
        unseen: dict[str, Iterator[str]] = {
            deck: iter(chance.shuffled(card for card in IDS[deck] if card not in known)) for deck in Deck
        }
        players = tuple(
            replace(player, hand=tuple(Card(card.back, card.id or next(unseen[card.back])) for card in player.hand))
            for player in self.players
        )
        return replace(self, seed=chance.seed(), players=players, decks=Decks(*map(tuple, unseen.values())))

    def ends_turn(self, after: "State") -> bool:
        return after.turn != self.turn or after.stage == _OVER

    def warns(self, action: Action) -> str | None:
        """Return ``ends`` for the end of the last turn, with which others win, while another action is possible.

        The game does not check whether another action would help, so the question does not reveal an overlooked task.
        It depends only on public facts: scores and finished cards.
        """
        if not isinstance(action, End) or self.actions() == (END,):
            return None
        outcome = self._ended().outcome
        return None if outcome is None or self.actor in outcome.winners else Question.ENDS

    def restriction(self) -> Restriction | None:
        if self.stage != _PLACE:
            return None
        if not self.swap_cost:
            return Restriction.FULL
        return None if self._own.score else Restriction.UNPAID

    def opening_news(self) -> tuple[News, ...]:
        """Return the conditions of victory."""
        return (News(news.Event.AIM, facts=(("points", str(self.goal)),)),)

    def news(self, action: Action, after: "State") -> tuple[News, ...]:
        return news.events(self, action, after)

    def reasons(self, action: Action, before: Sequence["State"] = ()) -> tuple[News, ...]:
        after = self.play(action) if isinstance(action, Crystal | Mirror | Glass) else None
        next_turn = next_crystals(self) if isinstance(action, End) and before else None
        return reasons.reasons(self, action, after, before, next_turn)

    def hint(self, action: Action, part: int) -> str | None:
        hint = news.hint(self, action, part)
        if isinstance(action, Crystal) and part == 1 and self.swap_cost and self.crystals[action.well - 1] != NOTHING:
            return " ".join(filter(None, (hint, f"cost{self.swap_cost}")))
        return hint


def next_crystals(state: State) -> tuple[State, ...] | None:
    """Return the positions after a crystal of the actor's next turn that could be all that a task lacks, on the board
    as it is; None if this is the actor's last turn."""
    assert state.actor is not None
    later, positions = state.play(End()).turn_of(state.actor), list[State]()
    if later is None:
        return None
    for well, letter in {*nearness.lacking(later, state.actor)}:
        with suppress(IllegalAction):
            positions.append(later.play(Crystal(well + 1, letter)))
    return tuple(positions)


def put(own: Player, action: Mirror | Glass) -> Player:
    """Return *own* after a mirror or a glass was put to its place."""
    holder, mirror, glass, spot = own.tools.holder, own.tools.mirror, own.tools.glass, action.place
    return replace(own, tools=Tools(holder, spot, glass) if isinstance(action, Mirror) else Tools(holder, mirror, spot))


def recoloured(hexes: str, places: Iterable[int], crystals: str, players: tuple[Player, ...]) -> str:
    """Return *hexes* with the colours of these *places* counted again."""
    mirrors = [_STANDING[player.tools.mirror] for player in players if player.tools.mirror in _STANDING]
    glasses = [_STANDING[player.tools.glass] for player in players if player.tools.glass in _STANDING]
    for place in places:
        now = colour(place, crystals, mirrors, glasses)
        if now != hexes[place]:
            hexes = with_letter(hexes, place, now)
    return hexes


def coloured(seats: int, crystals: str, players: tuple[Player, ...]) -> str:
    """Return the colours of all hexes in play, counted from scratch."""
    return recoloured(NOTHING * len(GRID.fields), board(seats).hexes, crystals, players)


CODES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "refused": (*Refusal, HEX, COLOUR, UNREADABLE, "notation"),  # "notation": longer than any turn
        "news": tuple(news.Event),
        "warn": tuple(Question),
        "reason": tuple(Reason),
        "why": tuple(reasons.Why),
        "part": news.PARTS,
        "hint": news.HINTS,
        "restricted": tuple(Restriction),
    }
)
"""All codes that have a text in the catalogues, by the first word of the text's id."""
