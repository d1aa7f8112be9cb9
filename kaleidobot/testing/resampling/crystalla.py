"""Resampling for Crystalla: the order of the deck and of cards under the top of each stack, and the face-down
pieces."""

import random
from collections.abc import Iterator

import msgspec

from rules.games.crystalla import State


def resample(state: State, seat: int | None, seed: int) -> State:
    """Return a position that looks the same to every seat, with the hidden cards shuffled."""
    luck = random.Random(seed)
    unseen = [*state.deck, *(card for stack in state.stacks for card in stack[:-1])]
    luck.shuffle(unseen)
    cards: Iterator[str | None] = iter(unseen)
    return msgspec.structs.replace(
        state,
        seed=luck.getrandbits(128),
        deck=tuple(next(cards) for _ in state.deck),
        stacks=tuple((*(next(cards) for _ in stack[:-1]), *stack[-1:]) for stack in state.stacks),
        piles=tuple(tuple(luck.sample(pile, len(pile))) for pile in state.piles),
    )
