"""The answers to requests for a review: coming, under way, posted, or shown to the reader alone."""

from msgspec.structs import replace

from bot import requests
from bot.chat import Reply, Role, Update
from bot.extras.reviews import replies as reviews
from bot.extras.reviews.making import Reviews
from bot.extras.reviews.review import ReviewPost
from bot.repository.preferences import Preferences
from bot.service.context import Context
from bot.service.feature import Feature, answers
from bot.service.history import HistoryAnswers
from bot.service.links import PostLinks
from bot.tables.preferences import PINGS, chosen
from bot.tables.table import Denied, Phase, Table


class ReviewAnswers(Feature):
    """Answers requests for reviews."""

    def __init__(self, reviews: Reviews, history: HistoryAnswers, preferences: Preferences, links: PostLinks) -> None:
        self._reviews = reviews
        self._history = history
        self._preferences = preferences
        self._links = links

    async def idle(self) -> None:
        await self._reviews.idle()

    async def stop(self) -> None:
        await self._reviews.stop()

    @answers(requests.ShowReview)
    async def answer(self, context: Context, request: requests.ShowReview) -> Reply:
        """Post or show the review, or show a turning point. Denied: not_over."""
        update, snapshot, page, lang = context.update, context.snapshot, request.page, context.lang
        table = snapshot.table
        if table.phase != Phase.OVER or snapshot.state is None:
            raise Denied("not_over")
        if not any(entry.action for entry in snapshot.recent):
            return reviews.said("review.nothing", lang)
        review = await self._reviews.known(table)
        if review is not None and (page is not None or await self._is_quiet(update, table)):
            look = await self._history.look(update, table, None, lang)
            if page and page <= len(review.points):
                return await self._reviews.point(table, review, page - 1, look)
            return await self._reviews.overview(table, review, look)
        percent = self._reviews.percent(table.id)
        if review is None and percent is None and self._reviews.is_busy:
            return reviews.said("review.busy", lang)
        if page is not None or await self._is_quiet(update, table):
            self._reviews.make(table)
            return reviews.said("review.alone", lang, percent=percent or 0)
        stands = await self._reviews.posted(table.id)
        if stands is not None and stands.message is not None:
            return reviews.to_it(await self._link(table, stands), table, lang)
        if stands is not None or self._reviews.is_posting(table.id):
            return reviews.said("review.under_way", lang, percent=percent or 0)
        self._reviews.post(table)
        return replace(reviews.said("review.coming", lang), role=Role.TOAST)

    async def _is_quiet(self, update: Update, table: Table) -> bool:
        """Return whether only the reader gets the answer: asked elsewhere, or in a place that wants quiet."""
        if update.place.id != table.place:
            return True
        return chosen(PINGS, await self._preferences.place(table.place)) == "off"

    async def _link(self, table: Table, stands: ReviewPost) -> str | None:
        if stands.message is None or stands.relocations != table.relocations:
            return None
        return await self._links.to(table.place, stands.message)
