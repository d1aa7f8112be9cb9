"""What of the conversations is played where, and that it is enough."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product

from tests.bot.stages import script
from tests.bot.stages.on_page import last_part
from tests.bot.stages.script import Step
from tests.bot.stages.test_conversations_everywhere import CONVERSATIONS, IN_A_BROWSER, OLDER

OFTEN = 3
"""So many conversations show each kind in the browser, or all that have it."""


def test_an_older_server_of_telegram_is_told_everything_in_every_way() -> None:
    told = {path.stem: set(ways(script.read(path.read_text(encoding="utf-8")))) for path in CONVERSATIONS}
    assert set[script.Way]().union(*told.values()) == set[script.Way]().union(*(told[each] for each in OLDER))


def test_every_kind_of_step_and_of_message_is_seen_in_a_browser() -> None:
    """And where nobody does it there, the page draws at once what was told before."""
    read = {path.stem: script.read(path.read_text(encoding="utf-8")) for path in CONVERSATIONS}
    told = Counter(chain.from_iterable(set(kinds(last_part(steps))) for steps in read.values()))
    seen = Counter(chain.from_iterable(set(kinds(last_part(read[each]))) for each in IN_A_BROWSER))
    assert set(told) == set(kinds(*read.values()))
    assert {kind: min(seen[kind], OFTEN) for kind in told} == {kind: min(told[kind], OFTEN) for kind in told}


def ways(steps: Sequence[Step]) -> Iterator[script.Way]:
    return chain.from_iterable(map(script.ways, steps))


def kinds(*conversations: Sequence[Step]) -> Iterator[tuple[str, ...]]:
    """What is done, and what messages are made of, for everybody and for one person."""
    for how, *said in chain.from_iterable(map(ways, conversations)):
        yield (how,)
        yield from product([each.partition(",")[0] for each in said[:1]], said[1:] or ("nothing",))
