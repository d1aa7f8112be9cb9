"""Resampling for Kaleidoskop: the fronts of the cards in other hands, the order of both decks, and the seed."""

import random

from msgspec.structs import replace

from rules.games.kaleidoskop import Card, Deck, Decks, State


def resample(state: State, seat: int | None, seed: int) -> State:
    """Return a position that looks the same to *seat*, with other hidden cards of the same backs."""
    luck = random.Random(seed)
    unseen: dict[str, list[str | None]] = {deck: list(state.decks.of(deck)) for deck in Deck}
    for other, player in enumerate(state.players):
        if other != seat:
            for card in player.hand:
                unseen[card.back].append(card.id)
    for cards in unseen.values():
        luck.shuffle(cards)
    players = []
    for other, player in enumerate(state.players):
        if other != seat:
            player = replace(player, hand=tuple(Card(card.back, unseen[card.back].pop()) for card in player.hand))
        players.append(player)
    decks = Decks(tuple(unseen[Deck.BLUE]), tuple(unseen[Deck.ORANGE]))
    return replace(state, seed=luck.getrandbits(128), players=tuple(players), decks=decks)
