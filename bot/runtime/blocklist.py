"""The people and places that the operator has blocked."""

import re

from msgspec import Struct

from bot.chat import PersonId, PlaceId


class BlockList(Struct, frozen=True):
    """Ids of people and places. A group's id stands for all its topics.

    >>> blocked = BlockList(frozenset({"discord:7", "telegram:-100123"}))
    >>> blocked.has_place(PlaceId("telegram:-100123/5")), blocked.has_person(PersonId("discord:8"))
    (True, False)
    """

    ids: frozenset[str] = frozenset()

    def has_person(self, person: PersonId) -> bool:
        return person in self.ids

    def has_place(self, place: PlaceId) -> bool:
        return place in self.ids or place.partition("/")[0] in self.ids


NO_ONE = BlockList()


def problem(ids: tuple[str, ...]) -> str | None:
    """Return the problem with a list of ids, or None; it may be empty.

    >>> problem(("discord:7", "telegram:-100123/5")), problem(("@anna",))
    (None, 'must be ids such as discord:123 or telegram:-100123')
    """
    fine = all(re.fullmatch(r"[a-z]+:[^\s,:]+", id_) for id_ in ids)
    return None if fine else "must be ids such as discord:123 or telegram:-100123"
