"""The channel "Garden" in another place, which plays against the one of a conversation; only its deeds are heard."""

from itertools import count

from bot.chat import Body, Person, PersonId, Place, PlaceId, Press, Typed, Update, UpdateId, platform
from bot.requests import AnswerInvitation, CastVote, Concede, ConfirmRival, Request, Stamp, TurnStamp
from bot.service.service import Service
from bot.store.store import Store
from bot.tables import voting
from bot.tables.snapshot import Snapshot

MONA, MAX = "mona", "max"
"""The manager of the garden, and another person."""


class Garden:
    """The other channel, in *there*; *here* is the place of the conversation."""

    def __init__(self, store: Store, here: PlaceId, there: PlaceId) -> None:
        self._store, self._here = store, here
        self._place = Place(there, name="Garden")
        self._updates = count(1)

    async def acts(self, service: Service, deed: str, move: str = "") -> None:
        """Let the channel do *deed*: "invites", "answers", "begins", "votes" for *move*, or "resigns"."""
        match deed:
            case "invites":
                await self._does(service, MONA, Typed("/newgame kabooom easy channels"))
            case "answers":
                invited = (await self._at(service, self._here)).table
                assert invited.twin is not None
                await self._presses(service, MONA, AnswerInvitation(invited.revision, invited.twin.code))
            case "begins":
                table = (await self._at(service, self._place.id)).table
                await self._presses(service, MONA, ConfirmRival(table.id, Stamp.of(table)))
            case "votes":
                for who in (MONA, MAX):
                    now = await self._at(service, self._place.id)
                    assert now.state is not None
                    index = [str(action) for action in now.state.actions()].index(move)
                    await self._presses(service, who, CastVote(now.table.id, Stamp(*voting.moment(now)), (index,)))
            case "resigns":
                table = (await self._at(service, self._place.id)).table
                await self._presses(service, MONA, Concede(table.id, TurnStamp.of(table)))
            case _:
                raise AssertionError(deed)
        await service.idle()

    async def _at(self, service: Service, place: PlaceId) -> Snapshot:
        held = await self._store.at(place)
        assert held is not None
        return await service.repository.load(held)

    async def _presses(self, service: Service, who: str, request: Request) -> None:
        await self._does(service, who, Press(request.payload))

    async def _does(self, service: Service, who: str, body: Body) -> None:
        name = platform(self._place.id)
        person = Person(PersonId(f"{name}:{who}"), who.capitalize(), "en")
        update = UpdateId(f"{self._place.id}/{who}{next(self._updates)}")
        await service.handle(Update(update, person, self._place, body, may_manage=who == MONA))
