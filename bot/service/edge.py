"""The edge of the service: here the promise of `bot.chat.Core` never to raise is kept."""

import logging
from collections.abc import Callable, Coroutine
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeAlias, TypeVar

from bot.chat import Update
from bot.runtime.metrics import Handling
from bot.service.gates import SmallTalk, TooFast
from bot.store import NewerDocument, StoreDown
from bot.tables.table import Denied

log = logging.getLogger(__name__)
Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
Method: TypeAlias = Callable[Arguments, Coroutine[Any, Any, Answer]]


def never_raises(event: str, otherwise: Answer) -> Callable[[Method[Arguments, Answer]], Method[Arguments, Answer]]:
    """Let the decorated method return *otherwise* instead of raising; the log gets *event* and the arguments."""

    def guard(method: Method[Arguments, Answer]) -> Method[Arguments, Answer]:
        _, *names = signature(method).parameters

        @wraps(method)
        async def guarded(*arguments: Arguments.args, **named: Arguments.kwargs) -> Answer:
            try:
                return await method(*arguments, **named)
            except Exception as error:
                facts = dict(zip(names, arguments[1:], strict=False)) | named
                judged(error, event, **facts)
                return otherwise

        return guarded

    return guard


def judged(error: Exception, event: str, /, **facts: object) -> Handling:
    """Return how *error* counts; log *event* and its *facts*, unless the error only refuses a request."""
    match error:
        case SmallTalk():
            return Handling.DONE
        case TooFast():
            return Handling.LIMITED
        case Denied():
            return Handling.REFUSED
        case StoreDown() | NewerDocument():
            log.warning("%s: %s error=%s", event, _listed(facts), error)
            return Handling.LATER
        case _:
            log.error("%s: %s", event, _listed(facts), exc_info=error)
            return Handling.FAILED


def _listed(facts: dict[str, object]) -> str:
    """Return *facts* as ``key=value``. Of an update only ids are logged, never its text."""
    return " ".join(f"{name}={_ids(fact) if isinstance(fact, Update) else fact}" for name, fact in facts.items())


def _ids(update: Update) -> str:
    return f"{update.id} place={update.place.id} body={type(update.body).__name__}"
