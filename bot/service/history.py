"""What people look up: what was played, films, the luck, the rules."""

from collections.abc import Sequence

from msgspec.structs import replace

from bot.chat import Button, Reply, Update
from bot.delivery.films import Playback, Replays
from bot.delivery.painting import Pictures
from bot.replies import history, pages, words
from bot.repository.preferences import Preferences
from bot.repository.repository import Repository, Snapshot
from bot.repository.turn_rights import who_acts
from bot.requests import payload
from bot.requests.payload import Verb
from bot.service.luck import Luck
from bot.tables import logbook
from bot.tables import table as tables
from bot.tables.preferences import THEME, chosen
from bot.tables.table import Denied, Entry, Phase, Table
from renderers import Look, Theme
from rules import GAMES


class HistoryAnswers:
    """Answers what changes nothing. *theme*: of pictures where neither table nor reader chose one."""

    def __init__(
        self,
        repository: Repository,
        preferences: Preferences,
        painter: Pictures,
        replays: Replays,
        theme: Theme,
    ) -> None:
        self._repository = repository
        self._preferences = preferences
        self._painter = painter
        self._replays = replays
        self._theme = theme
        self._luck = Luck()

    async def look(self, update: Update, table: Table, side: int | None, lang: str) -> Look:
        """How the reader sees the pictures of *table*."""
        own = chosen(THEME, await self._preferences.person(update.person.id))
        theme = table.theme or self._theme if own == "auto" else own
        return words.look(table, side, Theme(theme), lang)

    async def history(self, update: Update, seen: Snapshot, page: int, lang: str) -> Reply:
        log = await self.told(update, seen)
        states = logbook.replay(seen.table, log)
        return history.history(seen.table, logbook.recounted(seen.table, log, states), states[:-1], page, lang)

    async def told(self, update: Update, seen: Snapshot) -> Sequence[Entry]:
        """What the reader may look up of the actions so far. Denied: not_running, forgets."""
        if seen.state is None:
            raise Denied("not_running")
        log = logbook.effective(await self._repository.log(seen.table))
        if logbook.is_begun(seen.table, log) and who_acts(seen, update.person.id) is None:
            log = logbook.seen_by_all(seen.table, log)
        if tables.forgets(seen.table, seen.state):  # what is over may be looked up
            log = log[: logbook.remembering(logbook.replay(seen.table, log))]
            if not log:
                raise Denied("forgets")
        return log

    async def replay(self, update: Update, seen: Snapshot, position: int | None, lang: str) -> Reply:
        table = seen.table
        if seen.state is None:
            raise Denied("not_running")
        if seen.state.forgets and table.phase == Phase.RUNNING:
            raise Denied("forgets")
        entries = logbook.seen_by_all(table, await self._repository.log(seen.table))
        game = Playback(table, entries, words.look(table, None, Theme(table.theme or self._theme), table.lang))
        if position is None:
            return self._replays.film(update.place.id, update.id, game, lang)
        return await self._replays.position(game, position, lang)

    async def verify(self, seen: Snapshot, opened: Snapshot | None, lang: str) -> Reply:
        """*opened*: what is on in the place by now; a lobby there has a code of its own, to which a button leads."""
        over = seen.table.phase == Phase.OVER
        if over and seen.state is None:  # it closed before its game began
            raise Denied("over")
        told = await self._luck.verify(seen.table, await self._repository.log(seen.table) if over else (), lang)
        if opened is None or opened.table.phase != Phase.LOBBY or opened.table.id == seen.table.id:
            return told
        also = Button(words.say("button.verify.open", lang), payload.write(Verb.VERIFY, opened.table.id))
        return replace(told, rows=((also,),))

    async def rules(self, update: Update, game: str | None, page: int, lang: str) -> Reply:
        if game is None:
            on = await self._repository.on(update.place.id)
            if on is None:
                return pages.rules_of(lang)
            game = on.table.game
        if game not in GAMES:
            return pages.games(lang, "denied.no_such_game")
        page = min(max(page, 0), pages.rules_pages(game) - 1)
        picture = await self._painter.diagram(game, page + 1, Look(seats=(), theme=self._theme, lang=lang))
        return pages.rules(game, page, picture, lang)
