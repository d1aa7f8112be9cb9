"""A game in a second place, which conversations that stay in one place only hear of."""

from collections.abc import Sequence

from bot.chat import Person, Place, Typed, Update, UpdateId, platform
from bot.service.service import Service


async def begins(service: Service, place: Place, people: Sequence[Person]) -> None:
    """*people* begin a game of Kabooom in *place*; the first of them is up."""
    first, *others = people
    said = [(first, "/newgame kabooom easy none"), *((each, "/join") for each in others), (first, "/start")]
    for number, (person, line) in enumerate(said):
        update = UpdateId(f"{platform(place.id)}:elsewhere{number}")
        await service.handle(Update(update, person, place, Typed(line)))
    await service.idle()
