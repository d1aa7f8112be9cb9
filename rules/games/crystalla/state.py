"""The rules of play."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, assert_never

from msgspec.structs import replace

from rules import contract
from rules.chance import Chance
from rules.contract import IllegalAction, News, Outcome
from rules.games.crystalla import dealing, judging, news, reasons
from rules.games.crystalla.actions import (
    COVERS,
    DROPS,
    FILLS,
    GIVES,
    KEEP,
    LAYS,
    PLACES,
    SLOTS,
    SWAPS,
    TAKES,
    Action,
    Cover,
    Drop,
    Fill,
    Give,
    Keep,
    Lay,
    Place,
    Swap,
    Take,
)
from rules.games.crystalla.codes import Phase, Reason, Refill, Refusal, Why
from rules.games.crystalla.components import COLOURS, COLUMNS, HAND, ROWS, SHAPES, added, removed
from rules.games.crystalla.displays import (
    FULL,
    Display,
    cards_in,
    carries,
    cells_for,
    printed,
    with_card,
    with_piece,
)
from rules.games.crystalla.position import Position, Turn
from rules.games.crystalla.scoring import sheet
from rules.games.crystalla.stacks import Card, awarded, donor, donors, refilled, turned_up, with_entry, without_top

# Cached, because access to enum members is slow.
_SWAP, _PLACE, _TAKE, _DROP, _REFILL, _LAY, _GIVE, _COVER, _OVER = Phase
_PHASE_OF: Final = {
    Keep: _SWAP,
    Swap: _SWAP,
    Place: _PLACE,
    Take: _TAKE,
    Drop: _DROP,
    Fill: _REFILL,
    Lay: _LAY,
    Give: _GIVE,
    Cover: _COVER,
}


class State(Position, contract.State, frozen=True):
    """A position with the rules of play."""

    # Decisions

    def actions(self) -> tuple[Action, ...]:
        """Return slots, colours, stacks, columns, corners and cells each in their fixed order."""
        phase = self.phase
        if phase is _DROP:
            steps = self.steps()
            return tuple([DROPS[colour][stack] for colour in dict.fromkeys(self.carry) for stack in steps])
        if phase is _TAKE:
            own = COLOURS[self._turn]
            return tuple([take for take, heap in zip(TAKES, self.stones, strict=False) if own in heap])
        if phase is _LAY:
            return tuple([lay for column in self._open_columns() for lay in LAYS[column]])
        if phase is _REFILL:
            return tuple([FILLS[place] for place in donors(self.stacks)])
        if phase is _PLACE:
            columns = self._open_columns()
            held = [slot for slot, card in enumerate(self.hands[self._turn]) if card is not None]
            return tuple([place for slot in held for column in columns for place in PLACES[slot][column]])
        if phase is _COVER:
            assert self.piece is not None
            assert self.receiver is not None
            return tuple([COVERS[cell] for cell in cells_for(self.displays[self.receiver], self.piece)])
        if phase is _GIVE:
            pieces = [piece for piece in dict.fromkeys(self.open) if piece is not None]
            return tuple([GIVES[colour][piece] for colour in self.due for piece in pieces])
        return (KEEP, *SWAPS) if phase is _SWAP else ()

    @property
    def _turn(self) -> int:
        """The seat whose turn it is in a running game."""
        assert self.turn is not None
        return self.turn

    def _open_columns(self) -> list[int]:
        return [column for column, cards in enumerate(self.displays[self._turn]) if len(cards) < ROWS]

    # Actions

    def play(self, action: Action) -> "State":
        """Return the position after *action*. Raises IllegalAction(Refusal) with the first reason that applies."""
        if self.phase == _OVER:
            raise IllegalAction(Refusal.OVER)
        if _PHASE_OF[type(action)] != self.phase:
            raise IllegalAction(Refusal.PHASE)
        match action:
            case Drop():
                return self._dropped(action)
            case Take():
                return self._taken(action)
            case Fill():
                return self._refilled(action)
            case Lay():
                return self._laid(action)
            case Give():
                return self._given(action)
            case Cover():
                return self._covered(action)
            case Keep():
                return replace(self, phase=_PLACE, now=(action,))
            case Swap():
                return self._swapped(action)
            case Place():
                return self._placed(action)
            case _:
                assert_never(action)

    def _swapped(self, action: Swap) -> "State":
        """The card leaves the game, the top of the deck replaces it. Rulebook: Spielvorbereitung B; reading 11."""
        if action.slot not in SLOTS:
            raise IllegalAction(Refusal.SLOT, str(action.slot))
        hand = with_entry(self.hands[self._turn], action.slot - 1, turned_up(self.deck))
        return replace(
            self,
            phase=_PLACE,
            deck=self.deck[:-1],
            hands=with_entry(self.hands, self._turn, hand),
            now=(action,),
        )

    def _placed(self, action: Place) -> "State":
        """A card of the hand is laid. After the third one the next seat sets up; after the last seat, turns begin."""
        turn = self._turn
        hand = self.hands[turn]
        card = hand[action.slot - 1] if action.slot in SLOTS else None
        if card is None:
            raise IllegalAction(Refusal.SLOT, str(action.slot))
        displays = self._with_card(card, action.column, action.corner)
        hand = with_entry(hand, action.slot - 1, None)
        after = replace(self, hands=with_entry(self.hands, turn, hand), displays=displays, now=(*self.now, action))
        if any(hand):
            return after
        last = Turn(turn, after.now)
        if turn < self.seats - 1:
            return replace(after, phase=_SWAP, turn=turn + 1, now=(), last=last)
        return replace(after, phase=_TAKE, turn=0, deck=(), stacks=self._dealt(), now=(), last=last)

    def _dealt(self) -> tuple[tuple[Card, ...], ...]:
        """Return the whole deck, dealt card by card to the stacks in rotation. Reading 11."""
        drawn = self.deck[::-1]
        number = len(self.layout.stacks)
        stacks = tuple(drawn[first::number] for first in range(number))
        for stack in stacks:
            turned_up(stack)
        return stacks

    def _with_card(self, card: str, column: str, corner: str) -> tuple[Display, ...]:
        """Return all displays after the seat whose turn it is has laid the card. Rulebook: Anlegeregeln."""
        display = self.displays[self._turn]
        place = COLUMNS.index(column)
        if len(display[place]) == ROWS:
            raise IllegalAction(Refusal.COLUMN, column)
        return with_entry(self.displays, self._turn, with_card(display, place, card, corner))

    def _taken(self, action: Take) -> "State":
        """All stones of the stack are lifted, of any colour. Rulebook: Spielablauf."""
        if action.stack not in self.layout.stacks:
            raise IllegalAction(Refusal.STACK, str(action.stack))
        heap = self.stones[action.stack - 1]
        if COLOURS[self._turn] not in heap:
            raise IllegalAction(Refusal.STONE, str(action.stack))
        stones = with_entry(self.stones, action.stack - 1, "")
        return replace(self, phase=_DROP, stones=stones, carry=heap, now=(action,))

    def _dropped(self, action: Drop) -> "State":
        """A stone falls; after the last one the seat takes the top card of that stack. Rulebook: Spielablauf."""
        self._check_step(action)
        place = action.stack - 1
        stones = with_entry(self.stones, place, added(self.stones[place], action.colour))
        carry = removed(self.carry, action.colour)
        now = (*self.now, action)
        if carry:
            return replace(self, stones=stones, carry=carry, now=now)
        stacks = without_top(self.stacks, place)
        chooses = not stacks[place] and self.options.refill == Refill.CHOICE
        if not stacks[place] and not chooses:
            stacks = refilled(stacks, place, donor(stacks))
        return replace(
            self,
            phase=_REFILL if chooses else _LAY,
            stacks=stacks,
            stones=stones,
            carry="",
            card=self.stacks[place][-1],
            due=awarded(stones, now, self.seats),
            now=now,
        )

    def _refilled(self, action: Fill) -> "State":
        """The seat chooses the stack that refills the empty one. Rulebook: Spielablauf; reading 12."""
        if action.stack not in self.layout.stacks:
            raise IllegalAction(Refusal.STACK, str(action.stack))
        if action.stack - 1 not in donors(self.stacks):
            raise IllegalAction(Refusal.DONOR, str(action.stack))
        stacks = refilled(self.stacks, self.stacks.index(()), action.stack - 1)
        return replace(self, phase=_LAY, stacks=stacks, now=(*self.now, action))

    def _check_step(self, action: Drop) -> None:
        if action.stack not in self.layout.stacks:
            raise IllegalAction(Refusal.STACK, str(action.stack))
        if action.colour not in self.carry:
            raise IllegalAction(Refusal.STONE, action.colour)
        *_, before, here = (0, *self.walked())
        if action.stack not in self.layout.beside[here]:
            raise IllegalAction(Refusal.STEP, f"{here} → {action.stack}")
        if action.stack == before:
            raise IllegalAction(Refusal.BACK, f"{here} → {action.stack}")

    def _laid(self, action: Lay) -> "State":
        """The taken card is laid; then the seat gives the pieces. Rulebook: Anlegeregeln."""
        assert self.card is not None
        displays = self._with_card(self.card, action.column, action.corner)
        return awarding(replace(self, card=None, displays=displays, now=(*self.now, action)))

    def _given(self, action: Give) -> "State":
        """The receiver gets the piece, its slot is refilled. Rulebook: Kristallstücke; reading 14."""
        if action.colour not in self.due:
            raise IllegalAction(Refusal.OWNER, action.colour)
        if action.piece not in self.open:
            raise IllegalAction(Refusal.PIECE, action.piece)
        slot = self.open.index(action.piece)
        shape = SHAPES.index(action.piece[1])
        pile = shape if self.piles[shape] else 1 - shape
        new, piles = None, self.piles
        if self.piles[pile]:
            new = turned_up(self.piles[pile])
            piles = with_entry(self.piles, pile, self.piles[pile][:-1])
        receiver = COLOURS.index(action.colour)
        after = replace(
            self,
            due=removed(self.due, action.colour),
            open=with_entry(self.open, slot, new),
            piles=piles,
            now=(*self.now, action),
        )
        if next(cells_for(self.displays[receiver], action.piece), None) is None:
            return awarding(after)
        return replace(after, phase=_COVER, piece=action.piece, receiver=receiver)

    def _covered(self, action: Cover) -> "State":
        """The receiver puts the piece on a segment of its shape. Rulebook: Kristallstücke; reading 9."""
        assert self.piece is not None
        assert self.receiver is not None
        display = self.displays[self.receiver]
        column, row = COLUMNS.index(action.cell[0]), int(action.cell[1]) - 1
        if row >= len(display[column]):
            raise IllegalAction(Refusal.CELL, action.cell)
        laid = display[column][row]
        shape = self.piece[1]
        if carries(laid, shape):
            raise IllegalAction(Refusal.COVERED, action.cell)
        if printed(laid, shape) == self.piece[0]:
            raise IllegalAction(Refusal.SAME, action.cell)
        displays = with_entry(self.displays, self.receiver, with_piece(display, column, row, self.piece))
        return awarding(replace(self, displays=displays, now=(*self.now, action)))

    def turn_of(self, seat: int) -> "State | None":
        """Return the position at the beginning of a turn or setup of *seat*; None in the middle of a walk, and for a
        seat whose next turn comes after the deal."""
        if self.phase in (_SWAP, _PLACE):
            return replace(self, phase=_SWAP, turn=seat, now=()) if seat > self._turn else None
        if self.phase is _OVER or self.carry or self.card is not None:
            return None
        if not any(len(cards) < ROWS for cards in self.displays[seat]):
            return None
        return replace(self, phase=_TAKE, turn=seat, due="", piece=None, receiver=None, now=())

    # Evaluation

    def standing(self) -> tuple[int, ...]:
        """Return the points of each seat if the game were counted now. Rulebook: Spielende und Punktewertung."""
        return tuple(row["total"] for row in sheet(self.displays))

    def win_probability(self, seat: int) -> float:
        return judging.win_probability(self, seat)

    @property
    def outcome(self) -> Outcome | None:
        if self.phase != _OVER:
            return None
        scores = self.standing()
        winners = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        return Outcome(scores, winners, Reason.POINTS if len(winners) == 1 else Reason.TIE)

    # Views and texts

    def view(self, seat: int | None) -> "State":
        """Return the position without the seed, the deck, the piles, and the cards under the top of each stack, for any
        seat."""
        return replace(
            self,
            seed=None,
            deck=(None,) * len(self.deck),
            stacks=tuple((*(None,) * (len(stack) - 1), *stack[-1:]) for stack in self.stacks),
            piles=tuple((None,) * len(pile) for pile in self.piles),
        )

    def deal_anew(self, chance: Chance, before: Sequence["State"] = ()) -> "State":
        return dealing.dealt_anew(self, chance)

    def ends_turn(self, after: "State") -> bool:
        """Return whether a turn, or a seat's setup, is complete: the next one has no action yet."""
        return not after.now

    def turns(self, counted: int) -> int:
        """Return the cards laid since the setup: one a turn, which begins with a walk."""
        laid = sum(map(cards_in, self.displays)) - HAND * self.seats
        return max(0, laid + (self.phase in (_DROP, _REFILL, _LAY)))

    def news(self, action: Action, after: "State") -> tuple[News, ...]:
        return news.events(self, action, after)

    def reasons(self, action: Action, before: Sequence["State"] = ()) -> tuple[News, ...]:
        return reasons.reasons(self, action, before)

    def hint(self, action: Action, part: int) -> str | None:
        if isinstance(action, Drop) and part == 1:
            return news.landing(self, (action, *self._walks_on(action)))
        hint = news.hint(self, action, part)
        if isinstance(action, Give) and part == 1 and (own := self._own_gain(action)) > 0:
            return " ".join(filter(None, (f"won{own}", hint)))
        if isinstance(action, Cover) and self.receiver is not None:
            changes = [
                after - had for had, after in zip(self.standing(), self._covered(action).standing(), strict=True)
            ]
            own = changes.pop(self.receiver)
            change = f"{'won' if own > 0 else 'lost'}{min(abs(own), news.MOST)}" * bool(own)
            parts = (hint, change, f"others{max(changes)}" * (max(changes) > 0))
            return " ".join(filter(None, parts))
        return hint

    def _own_gain(self, gift: Give) -> int:
        """Return the most points that the actor can gain by a piece for another seat."""
        receiver, seat = COLOURS.index(gift.colour), self.turn
        if receiver == seat or seat is None:
            return 0
        before, display, after = self.displays[:receiver], self.displays[receiver], self.displays[receiver + 1 :]
        changed = [news.covered(display, gift.piece, cell) for cell in cells_for(display, gift.piece)]
        totals = [sheet((*before, display, *after))[seat]["total"] for display in changed]
        return max(totals) - self.standing()[seat] if totals else 0

    def owner_at(self, action: Action, part: int) -> int | None:
        """Return the seat whose pair is rewarded."""
        return COLOURS.index(action.colour) if isinstance(action, Give) and part == 0 else None

    def _walks_on(self, drop: Drop) -> Iterator[Drop]:
        """Yield the drops that follow *drop* without a decision."""
        *_, before = self.walked()
        here, carry = drop.stack, removed(self.carry, drop.colour)
        while carry:
            ways = [stack for stack in self.layout.beside[here] if stack != before]
            if len(ways) > 1 or len({*carry}) > 1:
                return
            yield DROPS[carry[0]][ways[0]]
            before, here, carry = here, ways[0], carry[1:]


def awarding(state: State) -> State:
    """Return the position for the next award, or the next turn if no seat is due a piece or no piece is open. Reading
    14."""
    if state.due and any(state.open):
        return replace(state, phase=_GIVE, piece=None, receiver=None)
    assert state.turn is not None
    over = all(cards_in(display) == FULL for display in state.displays)
    return replace(
        state,
        phase=_OVER if over else _TAKE,
        turn=None if over else (state.turn + 1) % state.seats,
        due="",
        piece=None,
        receiver=None,
        now=(),
        last=Turn(state.turn, state.now),
    )


CODES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "refused": (*Refusal, "notation"),
        "news": tuple(news.Event),
        "warn": (),
        "reason": tuple(Reason),
        "why": tuple(Why),
        "part": news.PARTS,
        "hint": news.HINTS,
    }
)
"""All codes that have a text in the catalogues, by the first word of the text's id."""
