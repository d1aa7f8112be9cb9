"""An emulated Discord: REST and gateway over real sockets, and people who type, press and read.

>>> async def a_game(bot):
...     async with Discord() as discord:
...         hall = discord.channel("hall")
...         anna = discord.person("Anna", at=hall)
...         await bot.start(discord.environment)
...         await anna.types("/newgame", game="kabooom")
...         await anna.presses("Join")
...         await hall.reads("Anna")

Requests are checked against Discord's documented limits. The emulator refuses those that Discord would refuse, and
records all violations: leaving the ``async with`` raises if any are left in `violations`.
"""

from tests.emulators.discord.faults import Broken, Dropped, Fault, Slow, TooMany
from tests.emulators.discord.people import Person
from tests.emulators.discord.server import Discord
from tests.emulators.discord.world import Channel, Interaction, Message

__all__ = ["Broken", "Channel", "Discord", "Dropped", "Fault", "Interaction", "Message", "Person", "Slow", "TooMany"]
