"""The names of the keys. All keys of a table share the hash tag of its shard, so one script can use all of them."""

import hmac
from hashlib import sha256
from zlib import crc32

from bot.chat import PersonId, PlaceId
from bot.tables.table import TableId

SHARDS = 64

_PREFIXES = tuple(f"kb:{{s{number:02}}}:" for number in range(SHARDS))

DUE = tuple(f"{prefix}due" for prefix in _PREFIXES)
"""By shard: sorted sets of ``<table>:<revision>`` by due time."""
URGENT = tuple(f"{prefix}urgent" for prefix in _PREFIXES)
"""By shard: the same for work that goes before reminders."""
UNPOSTED = tuple(f"{prefix}unposted" for prefix in _PREFIXES)
"""By shard: sorted sets of tables by the time from which another process may post their board."""
PROBE = tuple(f"{prefix}probe" for prefix in _PREFIXES)
"""By shard: a key that never exists. `SET … XX` of it changes nothing, but is refused like every write."""
RUNNING = tuple(f"{prefix}running" for prefix in _PREFIXES)
"""By shard: sets of the running tables, for counting."""

DAILY = tuple(f"kb:daily:{{{number:02}}}" for number in range(SHARDS))
"""By shard of their place: sorted sets of posts and edits of daily puzzles by due time."""


ID_KEY = "kb:secret"
"""The secret of this store's bots: the key of the tables' ids."""

FORGOTTEN = "kb:forgotten"
"""Sorted set of keyed hashes of people who asked to be forgotten, by time (ms): an older backup leaves them out."""
BACKED_UP = "kb:backed_up"
"""The time of the last complete backup (ms); it is in no backup."""
RESTORING = "kb:restoring"
"""Exists while a restore is not complete."""


PENDING = "kb:pending:"
"""Prefix of values that live for minutes or days; they are in no backup."""


PLAYERS = "kb:{players}:"
"""Prefix of the estimated numbers of players, by hours since 1970; they are in no backup."""


def players(hour: int) -> str:
    """
    >>> players(491003)
    'kb:{players}:491003'
    """
    return f"{PLAYERS}{hour}"


LEADER = "kb:leader:"
"""Prefix of the leases of leaders and shards; they live for seconds and are in no backup."""


def leader(platform: str, name: str = "") -> str:
    """The lease of the platform's polling leader, or another one with a *name*.

    >>> leader("telegram"), leader("discord", "shards 0-7/8")
    ('kb:leader:{telegram}', 'kb:leader:{discord}:shards 0-7/8')
    """
    return f"{LEADER}{{{platform}}}{':' * bool(name)}{name}"


def heartbeat(platform: str) -> str:
    """The key of a platform's heartbeat: its TTL tells when players were reached last.

    >>> heartbeat("telegram")
    'kb:heartbeat:{telegram}'
    """
    return f"kb:heartbeat:{{{platform}}}"


def outages(platform: str) -> str:
    """Sorted set of a platform's outages, by their end (ms).

    >>> outages("telegram")
    'kb:outages:{telegram}'
    """
    return f"kb:outages:{{{platform}}}"


SLOTS = "kb:line:"
"""Prefix of queues of slots; they live for seconds and are in no backup."""


def slots(platform: str, queue: str) -> str:
    """
    >>> slots("discord", "starts 0")
    'kb:line:{discord}:starts 0'
    """
    return f"{SLOTS}{{{platform}}}:{queue}"


def shard(table: TableId | PlaceId) -> int:
    """Return the shard of a table or place, 0 to 63. It never changes.

    >>> shard(TableId("abcdefgh"))
    16
    """
    return crc32(table.encode()) % SHARDS


def of_table(table: TableId, number: int) -> tuple[str, str, str]:
    """Return the keys of *table* in shard *number*: the table, its log, the updates applied to it.

    >>> of_table(TableId("abcdefgh"), 16)
    ('kb:{s16}:t:abcdefgh', 'kb:{s16}:log:abcdefgh', 'kb:{s16}:seen:abcdefgh')
    """
    prefix = _PREFIXES[number]
    return f"{prefix}t:{table}", f"{prefix}log:{table}", f"{prefix}seen:{table}"


def hashed(person: PersonId, secret: str) -> str:
    """Return the keyed hash of a forgotten *person*, which identifies no one without the store's *secret*."""
    return hmac.new(secret.encode(), person.encode(), sha256).hexdigest()


def attachment(name: str) -> str:
    """Return the field of a table's hash that holds an attachment.

    >>> attachment("hint 0")
    'aside:hint 0'
    """
    return f"aside:{name}"


def own(name: str, person: PersonId) -> str:
    """Return the name of an attachment that belongs to *person*: it is exported and deleted with their data.

    >>> own("note", PersonId("web:anna"))
    'note web:anna'
    """
    return f"{name} {person}"


def owned(field: bytes, person: PersonId) -> str | None:
    """Return the *name* of the attachment in *field* of a table's hash if it belongs to *person*; the inverse of `own`.

    >>> owned(b"aside:note web:anna", PersonId("web:anna")), owned(b"aside:note web:anna", PersonId("web:ann"))
    ('note', None)
    """
    name, _, owner = field.decode().removeprefix("aside:").partition(" ")
    return name if owner == person and field.startswith(b"aside:") else None


def fading(table: TableId) -> str:
    """Set of the private replies about *table* that must not stay; their names if they can be deleted only for a while.

    >>> fading(TableId("abcdefgh"))
    'kb:{s16}:fading:abcdefgh'
    """
    return f"{_PREFIXES[shard(table)]}fading:{table}"


def fading_reply(table: TableId, name: str) -> str:
    """The key of one private reply.

    >>> fading_reply(TableId("abcdefgh"), "1f")
    'kb:{s16}:fading:abcdefgh:1f'
    """
    return f"{fading(table)}:{name}"


def daily_thread(place: PlaceId) -> str:
    """The claim of the process that opens a thread for the puzzles of *place*."""
    return f"{PENDING}{{thread}}:{place}"


def invitation(code: tuple[int, ...]) -> str:
    """The table to which the code of an invitation leads.

    >>> invitation((1, 20, 3))
    'kb:pending:{code}:1.20.3'
    """
    return f"{PENDING}{{code}}:{'.'.join(map(str, code))}"


def pending(platform: str) -> str:
    """Sorted set of the keys that a platform keeps in its storage, by the time when any process may claim them (ms)."""
    return f"{PENDING}{{{platform}}}"


def pending_value(platform: str, key: str) -> str:
    """The key of one value in a platform's storage.

    >>> pending_value("discord", "discord:7")
    'kb:pending:{discord}:discord:7'
    """
    return f"{pending(platform)}:{key}"


def place(id_: PlaceId) -> str:
    """The key of the place's current table.

    >>> place(PlaceId("telegram:-100123/7"))
    'kb:place:{telegram:-100123/7}'
    """
    return f"kb:place:{{{id_}}}"


def place_settings(id_: PlaceId) -> str:
    return f"kb:place:{{{id_}}}:settings"


def person_settings(id_: PersonId) -> str:
    return f"kb:person:{{{id_}}}:settings"


def person_tables(id_: PersonId) -> str:
    """Sorted set of the tables at which a person sits, by time."""
    return f"kb:person:{{{id_}}}:tables"


def person_seats(id_: PersonId) -> str:
    """Sorted set of the tables at which a person is taking a seat, by the time until which that counts. It is
    short-lived."""
    return f"kb:person:{{{id_}}}:seats"


def person_played(id_: PersonId) -> str:
    """Sorted set of the finished tables that contain the person's name, by their expiry time."""
    return f"kb:person:{{{id_}}}:played"


def person_places(id_: PersonId) -> str:
    """Set of the places that have records of a person, or their name as a solver."""
    return f"kb:person:{{{id_}}}:places"


def person_own_places(id_: PersonId) -> str:
    """Set of the person's private chats with the bot; a chat's id may identify the person."""
    return f"kb:person:{{{id_}}}:own_places"


def person_solo(id_: PersonId) -> str:
    """Hash of a person's records against the house, by `solo_record`."""
    return f"kb:person:{{{id_}}}:solo"


def person_counted(id_: PersonId) -> str:
    """Sorted set of the tables whose results are in a person's records against the house, by time."""
    return f"kb:person:{{{id_}}}:counted"


def person_daily(id_: PersonId) -> str:
    """Hash of a person's answers to the daily puzzles by their numbers, of `daily_hints`, and of `daily_excuse`."""
    return f"kb:person:{{{id_}}}:daily"


def person_blocks(id_: PersonId) -> str:
    """Hash of the people with whom a person never sits at a table, by their keyed hashes."""
    return f"kb:person:{{{id_}}}:blocks"


def person_blocked_by(id_: PersonId) -> str:
    """Set of the keys of the lists of blocks that contain a person's name."""
    return f"kb:person:{{{id_}}}:blocked_by"


def person_replies(id_: PersonId) -> str:
    """Sorted set of a person's open private replies, by the time until which they can be deleted. It is
    short-lived."""
    return f"kb:person:{{{id_}}}:replies"


def of_person(id_: PersonId) -> tuple[str, ...]:
    """Return all keys of a person."""
    kinds = (
        person_settings,
        person_tables,
        person_seats,
        person_played,
        person_places,
        person_own_places,
        person_solo,
        person_counted,
        person_daily,
        person_blocks,
        person_blocked_by,
        person_replies,
    )
    return tuple(kind(id_) for kind in kinds)


def place_blocks(id_: PlaceId) -> str:
    """Hash of the people who never get a seat in a place, by their keyed hashes."""
    return f"kb:place:{{{id_}}}:blocks"


def place_people(id_: PlaceId) -> str:
    """Hash of the latest names of the people with records in a place."""
    return f"kb:place:{{{id_}}}:people"


def place_records(id_: PlaceId) -> str:
    """Hash of the records in a place, by `record`."""
    return f"kb:place:{{{id_}}}:records"


def place_rated(id_: PlaceId) -> str:
    """Sorted set of the tables whose results were recorded, by time."""
    return f"kb:place:{{{id_}}}:rated"


def place_ranking(id_: PlaceId, game: str) -> str:
    """Sorted set of the people with a record in *game*, by skill."""
    return f"kb:place:{{{id_}}}:ranking:{game}"


def place_daily(id_: PlaceId) -> str:
    """Hash of the newest posts of daily puzzles in a place, by number of the puzzle. It is short-lived."""
    return f"kb:place:{{{id_}}}:daily"


def place_solvers(id_: PlaceId) -> str:
    """Hash of the people who solve the daily puzzles in a place."""
    return f"kb:place:{{{id_}}}:solvers"


def record(game: str, person: PersonId) -> str:
    """Return the field of a record.

    >>> record("chess", PersonId("web:anna"))
    'chess web:anna'
    """
    return f"{game} {person}"


def solo_record(game: str, level: str) -> str:
    """Return the field of a record against the house.

    >>> solo_record("chess", "easy")
    'chess easy'
    """
    return f"{game} {level}"


def daily_hints(number: int) -> str:
    """Return the field with the number of hints that a person has seen.

    >>> daily_hints(41)
    'hints 41'
    """
    return f"hints {number}"


def daily_excuse(number: int) -> str:
    """Return the field that says that a puzzle was not posted where a person solves the puzzles.

    >>> daily_excuse(41)
    'excused 41'
    """
    return f"excused {number}"


def excused_day(field: bytes) -> int | None:
    """Return the number of the puzzle in a `daily_excuse`; None for another field.

    >>> excused_day(b"excused 41"), excused_day(b"41")
    (41, None)
    """
    name, _, number = field.partition(b" ")
    return int(number) if name == b"excused" else None
