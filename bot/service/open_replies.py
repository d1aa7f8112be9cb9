"""Private replies that stay: one button closes all of them in a place."""

import asyncio
from collections.abc import Sequence

from bot.chat import Button, MessageId, PlaceId, Reply, Role, Update
from bot.delivery.outbox import Outbox
from bot.replies import notes
from bot.replies.buttons import button
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository
from bot.requests import CloseAll
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.store.open_replies import LONGEST_MS, OpenReply
from bot.store.store import Store


class ClosesReplies:
    """Records them in the store, so that any process can delete them."""

    def __init__(
        self,
        store: Store,
        repository: Repository,
        preferences: Preferences,
        outbox: Outbox,
        features: Sequence[Feature],
    ) -> None:
        self._replies = store.open_replies
        self._repository = repository
        self._preferences = preferences
        self._outbox = outbox
        self._features = features

    async def was_shown(self, update: Update, place: PlaceId, message: MessageId, ttl_s: float | None) -> Button | None:
        """See `bot.chat.Core.was_shown`. Raises StoreDown."""
        person, reply, now_ms = update.person.id, OpenReply(place, message), self._repository.now_ms()
        ttl_ms = LONGEST_MS if ttl_s is None else round(ttl_s * 1000)
        if ttl_ms > 0:
            await self._replies.add(person, reply, now_ms, ttl_ms)
        else:
            await self._replies.done(person, reply)
            if not await self._replies.of(person, place, now_ms):
                return None
        return button(CloseAll(), await self._preferences.lang(update))

    @answers(CloseAll)
    async def close_all(self, context: Context, _: CloseAll) -> Reply:
        """Delete the person's private replies in this place. The adapter closes the pressed one, however old. If some
        stay for now, so does the button."""
        for feature in self._features:
            await feature.closed(context.update)
        person, place = context.update.person.id, context.update.place.id
        replies = await self._replies.of(person, place, self._repository.now_ms())
        deleted = await asyncio.gather(*(self._outbox.delete_reply(place, reply.message) for reply in replies))
        await self._replies.done(person, *(reply for reply, done in zip(replies, deleted, strict=True) if done))
        return Reply(role=Role.CLOSING) if all(deleted) else notes.note("close_all.later", context.lang)
