"""The names of the keys. All keys of a table share the hash tag of its shard, so one script may touch them together."""

from zlib import crc32

from bot.chat import PersonId, PlaceId
from bot.table import TableId

SHARDS = 64

_PREFIXES = tuple(f"kb:{{s{number:02}}}:" for number in range(SHARDS))

DUE = tuple(f"{prefix}due" for prefix in _PREFIXES)
"""By shard: sorted sets of ``<table>:<revision>`` by the time when to remind."""
UNPOSTED = tuple(f"{prefix}unposted" for prefix in _PREFIXES)
"""By shard: sorted sets of tables by the time when somebody else may post their board."""


def shard(table: TableId) -> int:
    """The shard of *table*, 0 to 63, for ever the same.

    >>> shard(TableId("abcdefgh"))
    16
    """
    return crc32(table.encode()) % SHARDS


def of_table(table: TableId, number: int) -> tuple[str, str, str]:
    """The keys of *table* in shard *number*: the table itself, its log, the updates applied to it.

    >>> of_table(TableId("abcdefgh"), 16)
    ('kb:{s16}:t:abcdefgh', 'kb:{s16}:log:abcdefgh', 'kb:{s16}:seen:abcdefgh')
    """
    prefix = _PREFIXES[number]
    return f"{prefix}t:{table}", f"{prefix}log:{table}", f"{prefix}seen:{table}"


def place(id_: PlaceId) -> str:
    """Which table is on in this place.

    >>> place(PlaceId("telegram:-100123/7"))
    'kb:place:{telegram:-100123/7}'
    """
    return f"kb:place:{{{id_}}}"


def place_settings(id_: PlaceId) -> str:
    return f"kb:place:{{{id_}}}:settings"


def person_settings(id_: PersonId) -> str:
    return f"kb:person:{{{id_}}}:settings"


def person_tables(id_: PersonId) -> str:
    """Sorted set of the tables where a person sits, by time."""
    return f"kb:person:{{{id_}}}:tables"
