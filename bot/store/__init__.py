"""The store: all tables in Redis, one script per save, and the bot's own server if no other is set.

    store.py      Store: save, load, claim
    records.py    Records: records by place, and the index of a person's data
    figures.py    Counting: the numbers of tables, due work and players
    platform_storage.py  PlatformStorage: the key–value store of one platform's adapter
    calls.py      calls to the server, with retries
    keys.py       the names of the keys
    *.lua         one job per file; the server runs it atomically
    documents.py  tables to and from JSON, with steps for older schemas
    address.py    the parser of REDIS_URL
    backup.py     a store as a file, and back
    client.py     the client for an address: node, Sentinel, Cluster
    embedded.py   the bot's own server

Errors, apart from a wrong address::

    StoreError
    ├── Conflict        another save of this table came first: load, apply and save again
    ├── Repeated        this update was applied before: nothing to do
    ├── NewerDocument   a newer version of the bot wrote this table
    │   └── GameMissing  the table's game is not installed
    ├── StoreDown       no useful answer in time; the last save may or may not have been executed
    ├── Restoring       a restore is not complete: games would be missing
    └── NoServer        the bot's own server cannot start (embedded.py)
        └── InUse       another bot uses this data directory
"""

from bot.chat import StorageDown
from bot.tables.snapshot import Snapshot


class StoreError(Exception):
    """The store cannot execute a call."""


class Conflict(StoreError):
    """The stored save is not the expected predecessor."""


class Repeated(StoreError):
    """Another call has applied this update to the table."""


class NewerDocument(StoreError):
    """A document's schema is newer than this version of the bot knows."""


class GameMissing(NewerDocument):
    """The game of a table is not installed, or its installed version cannot read the position.

    *snapshot*: the table without its position.
    """

    def __init__(self, snapshot: Snapshot, problem: str) -> None:
        super().__init__(problem)
        self.snapshot = snapshot


class StoreDown(StoreError, StorageDown):
    """The store did not answer within the time limit, or refuses to work."""


class Restoring(StoreError):
    """A restore of the store is running or was interrupted."""


class NoServer(StoreError):
    """The bot's own server cannot start; the text has the reason and a remedy."""


class InUse(NoServer):
    """Another bot uses the data directory."""
