"""The parts of the conversations that are played in a browser or on an older server cover every kind of step."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, product

from tests.bot.stages import script
from tests.bot.stages.on_page import last_part
from tests.bot.stages.script import Step
from tests.bot.stages.test_conversations_everywhere import CONVERSATIONS, IN_A_BROWSER, OLDER
from tests.bot.stages.windows import CROSS

OFTEN = 2
"""Number of conversations that show each kind in the browser, if so many have it."""
MOST_ROWS = 6
MOST_BESIDE = 6


def test_an_older_telegram_server_gets_everything_in_other_ways() -> None:
    results = {path.stem: set(ways(script.read(path.read_text(encoding="utf-8")))) for path in CONVERSATIONS}
    assert set[script.Way]().union(*results.values()) == set[script.Way]().union(*(results[name] for name in OLDER))


def test_every_kind_of_step_and_of_message_is_seen_in_a_browser() -> None:
    """Without browser steps, the page draws all earlier messages at once."""
    read = {path.stem: script.read(path.read_text(encoding="utf-8")) for path in CONVERSATIONS}
    seldom = Counter(chain.from_iterable(set(kinds(last_part(steps))) for steps in read.values()))
    seen = Counter(chain.from_iterable(set(kinds(last_part(read[name]))) for name in IN_A_BROWSER))
    assert set(seldom) == set(kinds(*read.values()))
    assert {kind: min(seen[kind], OFTEN) for kind in seldom} == {kind: min(seldom[kind], OFTEN) for kind in seldom}


def test_private_messages_have_few_rows_and_at_most_one_close_button() -> None:
    """Menus, settings, history, rules, lessons: at most six rows, six buttons side by side, and one cross."""
    for path in CONVERSATIONS:
        for step in script.read(path.read_text(encoding="utf-8")):
            for rows in (event.said.rows for event in step.events if event.kind is script.Kind.TOLD):
                buttons = [row for row in rows if not isinstance(row, script.Picks)]
                assert [*chain.from_iterable(buttons)].count(CROSS) <= 1, f"{path.name}: {step.line}"
                assert max(map(len, buttons), default=0) <= MOST_BESIDE, f"{path.name}: {step.line}"
                assert len(rows) <= MOST_ROWS, f"{path.name}: {step.line}"


def ways(steps: Sequence[Step]) -> Iterator[script.Way]:
    return chain.from_iterable(map(script.ways, steps))


def kinds(*conversations: Sequence[Step]) -> Iterator[tuple[str, ...]]:
    """Return the kinds of input, and the parts of public and private messages."""
    for how, *said in chain.from_iterable(map(ways, conversations)):
        yield (how,)
        yield from product([text.partition(",")[0] for text in said[:1]], said[1:] or ("nothing",))
