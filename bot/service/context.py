"""A request on its way through the service."""

from msgspec import Struct

from bot.chat import Update
from bot.requests import Request, Stamp, Welcome
from bot.tables.snapshot import Snapshot
from bot.tables.table import Table, TableId


class Context(Struct, frozen=True):
    """An update, the request that it makes, and the table that the request is about.

    *about*: that table, if the request is about one. If it is in another place, the update's `may_manage` is about the
    place of the table.
    """

    update: Update
    lang: str
    request: Request = Welcome()
    about: Snapshot | None = None

    @property
    def snapshot(self) -> Snapshot:
        """The table of a request about a table."""
        assert self.about is not None
        return self.about

    @property
    def named(self) -> TableId | None:
        """The table that the request names."""
        named: TableId | None = getattr(self.request, "table", None)
        return named

    def is_stale(self, table: Table) -> bool:
        """Return whether the request was made for an earlier state of *table*."""
        stamp: Stamp | None = getattr(self.request, "stamp", None)
        return stamp is not None and not stamp.fits(table)
