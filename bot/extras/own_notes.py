"""A note to oneself: one text per person and table, shown to its owner alone.

It is an attachment of the table that belongs to the person (`bot.store.keys.own`). So it changes nothing at the table,
survives a restart, lives as long as the table, and is exported and deleted with the person's data.
"""

from bot.chat import PersonId, Reply, Role, Style
from bot.replies.buttons import button, close
from bot.replies.words import game_name, say
from bot.requests import Note
from bot.requests.arguments import LONGEST_NOTE
from bot.runtime.names import isolated, shown
from bot.service.context import Context
from bot.service.feature import Beside, Feature, answers
from bot.store import StoreDown, keys
from bot.store.store import Store
from bot.tables.snapshot import Snapshot
from bot.tables.table import Denied, Phase, Table, TableId, require, require_seat

NAME = "note"


class OwnNotes(Feature):
    """Answers ``/note``."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @answers(Note)
    async def note(self, context: Context, request: Note) -> Reply:
        """Show the person's note, after writing or removing it. Denied: not_running, over, not_playing, house_plays,
        long_note. Raises StoreDown."""
        table, person = context.snapshot.table, context.update.person.id
        require(table, Phase.RUNNING)
        require_seat(table, person)
        if request.text is None and not request.removes:
            return _reply(table, await self._of(table.id, person), context.lang)
        text = "" if request.text is None else shown(request.text, 2 * LONGEST_NOTE)
        if len(text) > LONGEST_NOTE:
            raise Denied("long_note", most=LONGEST_NOTE, length=len(text))
        await self._store.attach(table.id, keys.own(NAME, person), text.encode())
        return _reply(table, text, context.lang)

    async def beside(self, snapshot: Snapshot, person: PersonId, lang: str) -> Beside:
        """Return the note, without it if the store does not answer: a saved move is confirmed all the same."""
        try:
            text = await self._of(snapshot.table.id, person)
        except StoreDown:
            text = ""
        return Beside((_line(text, lang),) if text else (), (button(Note(snapshot.table.id), lang),))

    async def _of(self, table: TableId, person: PersonId) -> str:
        return (await self._store.attachment(table, keys.own(NAME, person)) or b"").decode()


def _reply(table: Table, text: str, lang: str) -> Reply:
    """Return the note with a button that removes it, and how to write one."""
    remove = Note(table.id, removes=True)
    buttons = (button(remove, lang, Style.DANGER, label=say("button.unnote", lang)),) if text else ()
    written = (_line(text, lang), say("note.change", lang)) if text else (say("note.none", lang),)
    return Reply(
        title=say("note.title", lang, game=game_name(table.game, lang)),
        text="\n".join(written),
        rows=((*buttons, close(lang)),),
        role=Role.MENU,
        secret=True,
    )


def _line(text: str, lang: str) -> str:
    return say("note", lang, text=isolated(text))
