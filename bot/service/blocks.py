"""Blocks: two people who never sit at a table together, or people who get no seat in a place; nobody learns why.

`Lobbies` asks the store whenever a person takes a seat. A refusal has the words of a full table.
"""

from collections.abc import Mapping
from contextlib import suppress

from bot.chat import PersonId, Reply, Update
from bot.replies import blocks as replies
from bot.repository.lookup import Lookup
from bot.requests import Block, Blocked, Lift
from bot.runtime.names import shown
from bot.service.context import Context
from bot.service.feature import answers
from bot.service.statistics import meant, named
from bot.store import keys
from bot.store.store import Store
from bot.tables.anonymous import is_nobody
from bot.tables.preferences import HIDDEN
from bot.tables.rating import Called
from bot.tables.table import Denied

MOST = 100
"""People on a list."""
MOST_PLACES = 20
"""Places in which a person's companions are looked for."""
MOST_MEANT = 8
"""People among whom to choose."""


class BlockAnswers:
    """Answers ``/block`` and ``/blocked``. Each answer is for the person who asked."""

    def __init__(self, store: Store, lookup: Lookup) -> None:
        self._store = store
        self._blocks = store.blocks
        self._lookup = lookup

    @answers(Block)
    async def block(self, context: Context, request: Block) -> Reply:
        """Block a person, or ask whom. Denied: many_blocks, managers_set."""
        update, lang, here = context.update, context.lang, request.here
        list_ = _list(update, here=here)
        people = await self._meant(update, request)
        names_one = bool(request.person) or update.chosen_person is not None
        if people.pop(update.person.id, None) is not None and not people and names_one:
            return replies.oneself(lang)
        if not request.mark and not (len(people) == 1 and names_one):
            marked = {await self._blocks.mark(person): called.name for person, called in people.items()}
            return replies.whom(marked, request.person, lang, here=here)
        for person, called in people.items():
            mark = await self._blocks.mark(person)
            if request.mark and not mark.startswith(request.mark):
                continue
            on = await self._blocks.of(list_)
            if mark not in on:
                if len(on) >= MOST:
                    raise Denied("many_blocks", n=MOST)
                await self._blocks.add(list_, person, called.name)
            return replies.blocked(mark, called.name, lang, here=here, may_manage=_manages(update))
        raise Denied("stale")

    @answers(Blocked)
    async def blocked(self, context: Context, request: Blocked) -> Reply:
        """Show a page of the person's blocks, or of those of this place. Denied: managers_set."""
        return await self._page(context.update, request.page, context.lang, here=request.here)

    @answers(Lift)
    async def lift(self, context: Context, request: Lift) -> Reply:
        """Lift a block, and show the others. Denied: managers_set."""
        list_ = _list(context.update, here=request.here)
        for mark in await self._blocks.of(list_):
            if mark.startswith(request.mark):
                await self._blocks.remove(list_, mark)
        return await self._page(context.update, 0, context.lang, here=request.here)

    async def _page(self, update: Update, page: int, lang: str, *, here: bool) -> Reply:
        on = await self._blocks.of(_list(update, here=here))
        return replies.listed({mark: entry.name for mark, entry in on.items()}, page, lang, here=here)

    async def _meant(self, update: Update, request: Block) -> dict[PersonId, Called]:
        """Return the people whom the request can mean."""
        chosen = update.chosen_person
        if chosen is not None:
            return {chosen.id: Called(shown(chosen.name))}
        if not request.person and not request.mark:
            return dict([*(await self._companions(update)).items()][: MOST_MEANT + 1])
        companions = await self._companions(update)
        known = {**await self._known(update), **companions}
        if request.here:  # whom the manager has just blocked for themselves
            own = (await self._blocks.of(keys.person_blocks(update.person.id))).values()
            known = {**{entry.person: Called(entry.name) for entry in own if entry.person}, **known}
        if request.mark:
            return known
        people = named(request.person, known)
        if not people:  # the beginning of a name tells nothing about people who hide
            begun = meant(request.person, known)
            hidden = await self._store.records.settings(begun, HIDDEN.name) if begun else ()
            people = tuple(
                person
                for person, is_hidden in zip(begun, hidden, strict=True)
                if is_hidden != "on" or person in companions
            )
        return {person: known[person] for person in people[:MOST_MEANT]}

    async def _companions(self, update: Update) -> dict[PersonId, Called]:
        """Return the people at the person's tables and at the table here."""
        snapshots = await self._lookup.tables_of(update.person.id)
        with suppress(Denied):
            snapshots.insert(0, await self._lookup.last(update, None))
        return {
            seat.person: Called(seat.name, seat.handle)
            for snapshot in snapshots
            for seat in (*snapshot.table.seats, *snapshot.table.invited)
            if seat.name and not is_nobody(seat.person)
        }

    async def _known(self, update: Update) -> Mapping[PersonId, Called]:
        """Return the people with results or solved puzzles here; in a private chat, in the person's other places."""
        places = [update.place.id]
        if update.place.private:
            places += (await self._store.records.places(update.person.id))[:MOST_PLACES]
        known = dict[PersonId, Called]()
        for place in places:
            solvers = await self._store.daily_places.solvers(place)
            known |= {person: Called(solver.name) for person, solver in solvers.items()}
            known |= await self._store.records.called(place)
        return known


def _manages(update: Update) -> bool:
    """Return whether the person manages the place of *update*, which other people are in, too."""
    return update.may_manage and not update.place.private


def _list(update: Update, *, here: bool) -> str:
    """Return the key of the person's list, or of that of the place. Denied: managers_set."""
    if here and not _manages(update):
        raise Denied("managers_set")
    return keys.place_blocks(update.place.id) if here else keys.person_blocks(update.person.id)
