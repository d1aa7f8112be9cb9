"""Games in other places, which conversations that stay in one place only hear of."""

from collections.abc import Sequence

from bot.chat import Person, Place, Typed, Update, UpdateId
from bot.service.service import Service


async def begins(service: Service, place: Place, people: Sequence[Person], *, starts: bool = True) -> None:
    """Let *people* begin a game of Kabooom in *place*, the first of them up. Unless it *starts*, they wait in the
    lobby."""
    first, *others = people
    said = [(first, "/newgame kabooom easy none"), *((other, "/join") for other in others)]
    for number, (person, line) in enumerate([*said, (first, "/start")] if starts else said):
        update = UpdateId(f"{place.id}/{number}")
        await service.handle(Update(update, person, place, Typed(line)))
    await service.idle()
