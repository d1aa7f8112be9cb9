"""Codes of invitations: three short words that are written alike in English and German. Pure.

Any two words differ in two letters or more, so that a slip makes no other code.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b

from rules.notation import plain

LENGTH = 3
_LIST = """
alarm album alibi alpha arena aroma atlas atom aura auto balance balsa banner basis beige bikini bingo bison bistro
blazer blues bluff bonbon bonus bravo bronze browser brunch budget buffet bungalow burger butler camping canyon
caravan cargo cello champion chance charm chef chip city clown club cockpit comic computer cookie couch cousin
cowboy crew curry design detail diva dollar domino drama drink echo elite emblem expo export farm festival film
filter finale finger fitness flamingo flora folklore forum gala gambit garage gold gong gorilla grill halo hammer
hamster hand hobby hockey horn hotel idol image indigo internet iris jackpot jaguar jazz jeans jeep joker judo jumbo
junior jury karaoke karate kebab ketchup kilt kimono kiosk kiwi koala laser lava limbo limerick limit logo lotto
lounge lupine magenta magnet magnolia mango mantra marathon marina marker marzipan medium menthol mikado minimum
modem monitor monster motor museum musical mustang neon nest ninja nougat oboe okapi omega opal opus orbit oregano
origami paella panda panorama paprika papyrus park partner party pasta pastor patent pedal pergola piano pilot pizza
plankton plasma plus podium polka pollen pony pool popcorn portal poster pudding puma puzzle python quark quiz radar
radio ranger ravioli regatta region reporter ring risotto ritual rodeo roulette rumba safari salami saloon samba
samurai sandwich sari satire sauna scout sensor serum silo sketch slalom snack sofa sombrero sonar spray sprint star
status steak strudel studio sushi swing symbol system talent tandem taxi tempo tennis tenor terrier text ticket
tiger toast tombola tonic torso tour trainer transfer trend trick trio tuba tundra tunnel turban turbo tutor ultra
uniform union vase veranda veto video villa vision vitamin volt wasabi watt wigwam wind winter wolf wombat workshop
yacht yeti yoga zebra zeppelin zone
"""
WORDS = tuple(_LIST.split())
"""The words, by number; their order never changes."""
_NUMBERS = {word: number for number, word in enumerate(WORDS)}


def drawn(chance: str) -> tuple[int, ...]:
    """Return the code that follows from the random text *chance*."""
    digest = int.from_bytes(blake2b(chance.encode(), digest_size=16).digest())
    numbers = list[int]()
    for _ in range(LENGTH):
        digest, number = divmod(digest, len(WORDS))
        numbers.append(number)
    return tuple(numbers)


def spoken(code: tuple[int, ...]) -> str:
    """Return the words of a code.

    >>> spoken((0, 1, 2))
    'alarm album alibi'
    """
    return " ".join(WORDS[number] for number in code)


def read(text: str) -> tuple[int, ...] | None:
    """Return the code that a person typed, with any signs between its words; None if it is none.

    >>> read("Alarm, album-ALIBI!"), read("alarm album")
    ((0, 1, 2), None)
    """
    numbers = [_NUMBERS.get(word) for word in re.findall(r"\w+", plain(text))]
    return tuple(number for number in numbers if number is not None) if is_one(numbers) else None


def is_one(numbers: Sequence[int | None]) -> bool:
    """Return whether these are the numbers of a code."""
    return len(numbers) == LENGTH and all(number is not None and 0 <= number < len(WORDS) for number in numbers)
