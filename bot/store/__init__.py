"""The store: every table in Redis, one script a save; the bot's own server where none is given.

    store.py      Store: save, load, claim
    records.py    Records: records by place, and what is forgotten with a person
    figures.py    Counting: how many of everything there are
    platform_storage.py  PlatformStorage: the key–value store of one platform's adapter
    calls.py      how the server is asked: patiently
    keys.py       the names of the keys
    *.lua         one job a file, run by the server in one go
    documents.py  tables to and from JSON, older ones brought forward
    address.py    what a REDIS_URL says
    backup.py     a store as a file, and back
    client.py     the client for an address: node, Sentinel, Cluster
    embedded.py   the server that the bot starts for itself

What can go wrong, beyond a wrong address::

    StoreError
    ├── Conflict        another save of this table came first: load it, apply again, save again
    ├── Repeated        this update has been applied already: nothing is left to do
    ├── NewerDocument   a newer version of the bot wrote this table
    ├── StoreDown       no answer in time, or none that helps; nobody knows whether the last save was carried out
    ├── Restoring       the store is being filled from a backup: games would be missing
    └── NoServer        the bot's own server cannot be started (embedded.py)
        └── InUse       because another bot uses this data directory
"""

from bot.chat import StorageDown


class StoreError(Exception):
    """The store cannot do what was asked."""


class Conflict(StoreError):
    """The stored revision is not the one before the table's."""


class Repeated(StoreError):
    """The update has been applied to this table already, by another call."""


class NewerDocument(StoreError):
    """A document's schema is newer than this version of the bot knows."""


class StoreDown(StoreError, StorageDown):
    """The store did not answer within the store's patience, or refuses to work."""


class Restoring(StoreError):
    """The store is being filled from a backup, or that was interrupted."""


class NoServer(StoreError):
    """The bot's own server cannot be started; the text says why and what helps."""


class InUse(NoServer):
    """Another bot uses the data directory."""
