"""A group on the emulated Telegram in which people play with the real bot."""

from bot.service.service import Service
from tests.emulators.telegram.server import Telegram
from tests.emulators.telegram.world import Chat as Group
from tests.emulators.telegram.world import Message
from tests.emulators.telegram.world import Person as Member


class Table:
    """The bot, and the group *hall* whose members play one game."""

    def __init__(self, telegram: Telegram, service: Service, hall: Group) -> None:
        self.telegram = telegram
        self.service = service
        self.hall = hall

    async def begins(self, game: str, seats: int) -> None:
        """Let all members join. The game begins automatically if it has that many *seats*."""
        anna, *others = self.hall.members
        await anna.types(f"/newgame {game}", self.hall)
        for other in others:
            await other.presses("Join", self.hall)
        if len(self.hall.members) < seats:
            await anna.presses("Start", self.hall)
        await self.calm()

    async def calm(self) -> None:
        """Wait until all input is handled and shown."""
        await self.telegram.handled()
        await self.service.idle()

    @property
    def board(self) -> Message:
        return next(message for message in reversed(self.hall.said()) if message.picture is not None)

    @property
    def up(self) -> Member:
        (number,) = self.board.pinged()
        return next(person for person in self.hall.members if person.id == number)
