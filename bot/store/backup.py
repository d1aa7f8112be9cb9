"""Write a store into a file, and restore it: `Backup`.

The file is compressed JSON, one value per line: a `Head`, then in any order a `KeptTable` for each table and a `Key`
for each other key, and a `Tail`, which a truncated file lacks. It contains hands and seeds, so only its owner can read
it. A table is read at one moment, with its log and its reminder; two tables are not, because bots play on meanwhile.

People who asked to be forgotten stay forgotten: a store has their keyed hashes with the time, and an older backup is
restored without them.
"""

import gzip
import os
import re
import zlib
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, BinaryIO, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bot.chat import PersonId, PlaceId
from bot.runtime.clock import from_ms
from bot.store import StoreDown, StoreError, documents, keys
from bot.store.blocks import forgotten_in
from bot.store.calls import Calls
from bot.tables import anonymous
from bot.tables.board_message import RESTORED, BoardMessage
from bot.tables.table import Phase, Table, TableId

T = TypeVar("T")

FORMAT = 1
AT_ONCE = 200
"""Number of keys that are read or written in one round trip."""


class Unreadable(StoreError):
    """The file is no backup, is truncated, or was written by a newer version."""


class NotPlain(StoreError):
    """Something other than a plain file has that name: a device, a pipe, a folder."""


class NotEmpty(StoreError):
    """The store for the restore contains tables."""


class Head(Struct, frozen=True, tag="kaleidobot backup"):
    """*at_ms*: the start of the backup. *secret*: the key of the store's hashes. *forgotten*: times by hash."""

    format: int
    at_ms: int
    secret: str
    forgotten: dict[str, int]


Ms = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class KeptTable(Struct, frozen=True, omit_defaults=True, tag="table"):
    """A table. Times are milliseconds since 1970; None: forever, or never."""

    id: TableId
    fields: dict[str, str]
    log: tuple[str, ...]
    expires_ms: Ms | None = None
    updates: dict[str, str] = {}
    updates_expire_ms: Ms | None = None
    fading: tuple[str, ...] = ()
    due_ms: Ms | None = None
    unposted_ms: Ms | None = None


class Key(Struct, frozen=True, omit_defaults=True, tag="key"):
    """Another key with its value: a text, fields, a set, or a sorted set."""

    name: str
    text: str | None = None
    fields: dict[str, str] | None = None
    members: tuple[str, ...] | None = None
    scores: dict[str, float] | None = None
    expires_ms: Ms | None = None


class Tail(Struct, frozen=True, tag="end"):
    tables: int
    keys: int


class Checked(Struct, frozen=True):
    """A complete, readable backup: the time of its start, and its totals."""

    at_ms: int
    totals: Tail


Line = Head | KeptTable | Key | Tail
_line = msgspec.json.Decoder(Line)


class Backup:
    """Backup and restore of a store. Any call may raise StoreDown."""

    def __init__(self, calls: Calls) -> None:
        self._client, self._patiently, self._pipelined = calls.client, calls.patiently, calls.pipelined
        self._dump = calls.script("dump")

    # Writing

    async def write(self, file: Path, now_ms: int) -> Tail:
        """Write the store into *file*, which replaces an existing file when it is complete; return the totals.

        A link is followed. Raises NotPlain, OSError.
        """
        file = _plain(file)
        parts = file.with_name(f".{file.name}.{os.getpid()}")
        descriptor = os.open(parts, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as plain:
                tail = await self._write(plain, now_ms)
                os.fsync(plain.fileno())
            parts.replace(file)
        finally:
            parts.unlink(missing_ok=True)
        await self._note(now_ms)
        return tail

    async def write_to(self, stream: BinaryIO, now_ms: int) -> Tail:
        """Write the store to *stream*, for example a pipe; return the totals. Raises OSError."""
        tail = await self._write(stream, now_ms)
        await self._note(now_ms)
        return tail

    async def _write(self, plain: BinaryIO, now_ms: int) -> Tail:
        tail = Tail(0, 0)
        with gzip.GzipFile(fileobj=plain, mode="wb", filename="", mtime=0) as packed:
            async for line in self._lines(now_ms):
                packed.write(msgspec.json.encode(line) + b"\n")
                tail = line if isinstance(line, Tail) else tail
        plain.flush()
        return tail

    async def _note(self, now_ms: int) -> None:
        """Record the time of a complete backup, for monitoring. A full store cannot, and is backed up all the same."""
        with suppress(StoreDown):
            await self._patiently(lambda: self._client.set(keys.BACKED_UP, now_ms))

    async def _lines(self, now_ms: int) -> AsyncIterator[Line]:
        secret, forgotten = await self._secret(), await self._forgotten()
        yield Head(FORMAT, now_ms, secret, forgotten)
        tables, others = await self._names()
        written = 0
        for table in tables:
            kept = await self._table(table, now_ms)
            if kept is not None:
                written += 1
                yield kept
        count = 0
        for batch in _batches(others):
            for key in await self._keys(batch, now_ms):
                count += 1
                yield key
        yield Tail(written, count)

    async def _names(self) -> tuple[list[TableId], list[str]]:
        """Return the ids of all tables, and the names of all keys of neither a table nor a shard."""
        tables, others = set[TableId](), set[str]()
        async for key in self._client.scan_iter(match="kb:*", count=1000):  # may return a key twice
            name = cast("bytes", key).decode()
            shard, _, rest = name.removeprefix("kb:").partition(":")
            kind, _, table = rest.partition(":")
            if name.startswith((keys.PENDING, keys.PLAYERS, keys.LEADER, keys.SLOTS)):
                continue
            if not (shard.startswith("{s") and shard.endswith("}")):
                others.add(name)
            elif kind == "t":
                tables.add(TableId(table))
        return sorted(tables), sorted(others - {keys.ID_KEY, keys.FORGOTTEN, keys.BACKED_UP})

    async def _table(self, table: TableId, now_ms: int) -> KeptTable | None:
        number = keys.shard(table)
        shared = (keys.DUE[number], keys.UNPOSTED[number], keys.URGENT[number])
        names = (*keys.of_table(table, number), keys.fading(table), *shared)
        dump = cast("list[Any] | None", await self._dump(names, (table,)))
        if dump is None:
            return None
        fields, kept_ms, log, updates, updates_ms, fading, due, unposted = dump
        return KeptTable(
            table,
            _pairs(fields),
            _texts(log),
            _until(kept_ms, now_ms),
            _pairs(updates),
            _until(updates_ms, now_ms),
            tuple(sorted(reply for reply in _texts(fading) if reply.startswith("{"))),
            int(float(due)) if due else None,
            int(float(unposted)) if unposted else None,
        )

    async def _keys(self, names: Sequence[str], now_ms: int) -> list[Key]:
        kinds = await self._pipelined(lambda pipe: [pipe.type(name) for name in names])

        def read(pipe: Any) -> None:
            for name, kind in zip(names, kinds, strict=True):
                match kind:
                    case b"string":
                        pipe.get(name)
                    case b"hash":
                        pipe.hgetall(name)
                    case b"set":
                        pipe.smembers(name)
                    case b"zset":
                        pipe.zrange(name, 0, -1, withscores=True)
                    case _:  # deleted meanwhile
                        pipe.exists(name)
                pipe.pttl(name)

        answers = iter(await self._pipelined(read))
        content = list[Key]()
        for name, kind in zip(names, kinds, strict=True):
            value, until = next(answers), _until(next(answers), now_ms)
            match kind:
                case b"string" if value is not None:
                    content.append(Key(name, text=value.decode(), expires_ms=until))
                case b"hash" if value:
                    fields = {field.decode(): raw.decode() for field, raw in value.items()}
                    content.append(Key(name, fields=fields, expires_ms=until))
                case b"set" if value:
                    content.append(Key(name, members=tuple(sorted(_texts(value))), expires_ms=until))
                case b"zset" if value:
                    scores = {member.decode(): score for member, score in value}
                    content.append(Key(name, scores=scores, expires_ms=until))
        return content

    # Restoring

    async def restore(self, file: Path, now_ms: int, others: Sequence[Path] = ()) -> Tail:
        """Fill this store, which has no table, from *file*; return the totals. No bot may use it meanwhile.

        People who were forgotten since are left out, if this store, *file* or one of the *others* (newer backups) has
        their hash. Boards are posted anew, because the visible messages are unknown. An interrupted restore can be
        repeated.

        Raises NotEmpty, NotPlain, Unreadable, OSError.
        """
        file, *others = map(_plain, (file, *others))  # a pipe can be read only once
        marked = await self._client.exists(keys.RESTORING)
        if not marked and (await self._names())[0]:
            raise NotEmpty("there are games in the store: restore into an empty one")
        survey = _survey(file)
        head = survey.head
        lists = [(backup.secret, backup.forgotten) for backup in (head, *map(_head, others))]
        lists.append((await self._secret(), await self._forgotten()))
        gone = _Gone(survey, lists)
        await self._patiently(lambda: self._client.set(keys.RESTORING, file.name))
        tail = await self._fill(file, survey, gone, now_ms)
        await self._pipelined(lambda pipe: [pipe.set(keys.ID_KEY, head.secret), pipe.delete(keys.RESTORING)])
        digests = {keys.hashed(person, head.secret): when for person, when in gone.people.items()}
        forgotten = {**head.forgotten, **digests}
        if forgotten:
            await self._patiently(lambda: self._client.zadd(keys.FORGOTTEN, dict(forgotten)))
        await self._note(head.at_ms)
        return tail

    async def _fill(self, file: Path, survey: "_Survey", gone: "_Gone", now_ms: int) -> Tail:
        tail, holders = Tail(0, 0), dict[PlaceId, TableId]()
        for batch in _batches(_lines(file)):
            writes: list[Callable[[Any], None]] = []
            for line in batch:
                match line:
                    case KeptTable():
                        table, kept = gone.table(line)
                        if table.phase != Phase.OVER:
                            holders[table.place] = table.id
                        writes.append(_writes_table(kept, table, now_ms))
                    case Key() if (key := _without_dangling(line, survey.tables)) and (key := gone.key(key)):
                        writes.append(_writes_key(key, now_ms))
                    case Tail():
                        tail = line
            await self._pipelined(lambda pipe, writes=writes: [write(pipe) for write in writes])  # type: ignore[misc]
        # The file may contain a table that was created during the backup, without its place.
        for pairs in _batches(holders.items()):
            await self._pipelined(lambda pipe, pairs=pairs: [pipe.set(keys.place(at), on, nx=True) for at, on in pairs])  # type: ignore[misc]
        return tail

    # Both

    async def _secret(self) -> str:
        secret = cast("bytes | None", await self._patiently(lambda: self._client.get(keys.ID_KEY)))
        return "" if secret is None else secret.decode()

    async def _forgotten(self) -> dict[str, int]:
        digests = await self._patiently(lambda: self._client.zrange(keys.FORGOTTEN, 0, -1, withscores=True))
        return {digest.decode(): int(when) for digest, when in cast("list[tuple[bytes, float]]", digests)}


def check(file: Path) -> Checked:
    """Return the time and totals of the backup in *file*, every line of which was read.

    Raises NotPlain, Unreadable, OSError.
    """
    survey = _survey(_plain(file))
    if survey.totals != survey.written:
        raise Unreadable(f"{file.name} is damaged: entries are missing")
    return Checked(survey.head.at_ms, survey.totals)


def name(now_ms: int) -> str:
    """Return the name of a backup in a folder of backups: one per day, in UTC.

    >>> name(1_767_614_400_000)
    'games-2026-01-05'
    """
    return f"games-{from_ms(now_ms):%Y-%m-%d}"


def thin_out(folder: Path, keep: int) -> int:
    """Delete all backups in *folder* that have a `name`, except the newest *keep*; return their number. Raises OSError.

    Other files stay.
    """
    dated = sorted(
        file for file in folder.iterdir() if re.fullmatch(r"games-\d{4}-\d\d-\d\d", file.name) and file.is_file()
    )
    older = dated[:-keep]
    for file in older:
        file.unlink()
    return len(older)


def _plain(file: Path) -> Path:
    """Return *file* without links. Raises NotPlain if something other than a plain file has that name."""
    if file.exists() and not file.is_file():
        raise NotPlain(f"{file} is not a plain file")
    return file.resolve()


class _Survey(Struct):
    """Facts about a whole file that are needed before the first write. *people*: with their private chats. *totals*:
    the numbers of tables and other entries, *written* as the file's end says."""

    head: Head
    tables: set[TableId]
    people: dict[PersonId, tuple[PlaceId, ...]]
    totals: Tail = Tail(0, 0)
    written: Tail = Tail(0, 0)


class _Gone:
    """The people who were forgotten after the start of a backup, according to *lists* (each with the secret of its
    hashes), and the backup without them."""

    def __init__(self, survey: _Survey, lists: Sequence[tuple[str, Mapping[str, int]]]) -> None:
        self.people: dict[PersonId, int] = {}
        for person in survey.people:
            when = max((noted.get(keys.hashed(person, secret), 0) for secret, noted in lists), default=0)
            if when > survey.head.at_ms:
                self.people[person] = when
        self._own = {person: survey.people[person] for person in self.people}
        self._names = {name for person in self.people for name in keys.of_person(person)}
        self._places = tuple(keys.place(place) for places in self._own.values() for place in places)

    def table(self, kept: KeptTable) -> tuple[Table, KeptTable]:
        """Return the table without them, with the house in their seats, and its line in the backup."""
        table = _table(kept)
        before = table
        for number, (person, places) in enumerate(self._own.items()):
            if anonymous.knows(table, person, places):
                table = anonymous.without(table, person, places, anonymous.gone(f"{number:x}{table.id}"))
        own = {name for name in kept.fields for person in self._own if keys.owned(name.encode(), person) is not None}
        if table is before and not own:  # people without a seat may have votes there
            return table, kept
        if table.phase == Phase.RUNNING:
            seats = tuple(replace(seat, house=seat.house or anonymous.is_gone(seat.person)) for seat in table.seats)
            table = replace(table, seats=seats)
        others = {name: value for name, value in kept.fields.items() if name not in own}
        fields = {**others, "json": documents.encoded(table).decode(), "schema": str(documents.SCHEMA)}
        return table, replace(kept, fields=fields, fading=())  # its places may identify a person

    def key(self, key: Key) -> Key | None:
        """Return the key without them, or None if it is empty then."""
        if key.name in self._names or key.name.startswith(self._places):
            return None
        fields, scores = key.fields, key.scores
        if fields is not None and key.name.endswith((":people", ":records", ":solvers")):
            fields = {name: value for name, value in fields.items() if name.rpartition(" ")[2] not in self._own}
        if scores is not None and key.name in keys.DAILY:
            own = {place for places in self._own.values() for place in places}
            scores = {name: score for name, score in scores.items() if name.partition(" ")[2] not in own}
        if scores is not None and ":ranking:" in key.name:
            scores = {name: score for name, score in scores.items() if name not in self._own}
        if fields is not None and key.name.endswith(":blocks"):
            fields = {mark: forgotten_in(entry, self._own) for mark, entry in fields.items()}
        members = key.members
        if members is not None and key.name.endswith(":blocked_by"):
            members = tuple(name for name in members if name not in self._names)
        is_empty = {} in (fields, scores) or members == ()
        return None if is_empty else replace(key, fields=fields, scores=scores, members=members)


def _survey(file: Path) -> _Survey:
    """Raises Unreadable, OSError."""
    survey = _Survey(_head(file), set(), {})
    has_tail, tables, others = False, 0, 0
    for line in _lines(file):
        tables, others = tables + isinstance(line, KeptTable), others + isinstance(line, Key)
        match line:
            case KeptTable():
                survey.tables.add(line.id)
                try:
                    table = _table(line)
                except (KeyError, ValueError, msgspec.MsgspecError) as wrong:
                    raise Unreadable(f"{file.name} is damaged: table {line.id} cannot be read") from wrong
                for person in (table.host, *table.order, *(seat.person for seat in table.seats)):
                    survey.people.setdefault(person, ())
            case Key() if line.name.startswith("kb:person:{"):
                person = PersonId(line.name.removeprefix("kb:person:{").rpartition("}")[0])
                own = line.members if line.name == keys.person_own_places(person) else None
                survey.people[person] = tuple(map(PlaceId, own)) if own else survey.people.get(person, ())
            case Tail():
                has_tail, survey.written = True, line
    if not has_tail:
        raise Unreadable(f"{file.name} was cut off: its end is missing")
    survey.totals = Tail(tables, others)
    return survey


def _table(kept: KeptTable) -> Table:
    """Decode all of *kept*, return the table. Raises KeyError, ValueError, MsgspecError, NewerDocument."""
    table = documents.table(kept.fields["json"].encode(), int(kept.fields["schema"]))
    documents.entries(f"[{','.join(kept.log)}]".encode())
    if "posted" in kept.fields:
        documents.board_message(kept.fields["posted"].encode())
    documents.elsewhere(kept.fields.get("elsewhere", "{}").encode())
    if table.id != kept.id or not kept.fields["save"] or int(kept.fields["revision"]) < 0:
        raise ValueError("of another table, or of no save")
    return table


def _head(file: Path) -> Head:
    """Raises Unreadable, OSError."""
    first = next(_lines(file), None)
    if not isinstance(first, Head) or first.format > FORMAT:
        raise Unreadable(f"{file.name} is no backup of a Kaleidobot, or one of a newer version")
    return first


def _lines(file: Path) -> Iterator[Line]:
    """Raises Unreadable, OSError."""
    try:
        with gzip.open(file, "rb") as packed:
            for line in packed:
                yield _line.decode(line)
    except (gzip.BadGzipFile, EOFError, zlib.error) as wrong:
        raise Unreadable(f"{file.name} is no backup, or only a part of one") from wrong
    except msgspec.MsgspecError as wrong:
        raise Unreadable(f"{file.name} is no backup, or one of a newer version of the bot") from wrong


def _without_dangling(key: Key, tables: Collection[TableId]) -> Key | None:
    """Return *key* without references to missing tables, which were created or deleted during the backup."""
    if key.text is not None and key.name.startswith("kb:place:{"):
        return key if key.text in tables else None
    if key.scores is not None and key.name.startswith("kb:person:{") and key.name.endswith((":tables", ":played")):
        return replace(key, scores={table: at for table, at in key.scores.items() if table in tables})
    return key


def _of_unknown_content(shown: BoardMessage) -> str:
    """Return the document of a message with unknown content."""
    return documents.encoded(replace(shown, subject="", mark=RESTORED)).decode()


def _writes_table(kept: KeptTable, table: Table, now_ms: int) -> Callable[[Any], None]:
    number = keys.shard(kept.id)
    names = keys.of_table(kept.id, number)
    fading, fields = keys.fading(kept.id), dict(kept.fields)
    if table.phase != Phase.OVER:
        # The visible board may be newer than the backup, so a new message must follow.
        if "posted" in fields:
            fields["posted"] = _of_unknown_content(documents.board_message(fields["posted"].encode()))
        if "elsewhere" in fields:
            shown = documents.elsewhere(fields["elsewhere"].encode())
            fields["elsewhere"] = msgspec.json.encode(
                {at: _of_unknown_content(message) for at, message in shown.items()}
            ).decode()

    def write(pipe: Any) -> None:
        pipe.delete(*names, fading)
        pipe.hset(names[0], mapping=fields)
        if kept.log:
            pipe.rpush(names[1], *kept.log)
        if kept.expires_ms is not None:
            for name in names[:2]:
                pipe.pexpire(name, max(1, kept.expires_ms - now_ms))
        if kept.updates:
            pipe.hset(names[2], mapping=kept.updates)
            pipe.pexpire(names[2], max(1, (kept.updates_expire_ms or now_ms) - now_ms))
        if kept.fading:
            pipe.sadd(fading, *kept.fading)
        if kept.due_ms is not None:
            pipe.zadd(keys.DUE[number], {f"{kept.id}:{fields['revision']}": kept.due_ms})
        if kept.expires_ms is None:
            pipe.sadd(keys.RUNNING[number], kept.id)
        if kept.unposted_ms is not None or table.phase != Phase.OVER:
            pipe.zadd(keys.UNPOSTED[number], {kept.id: now_ms})

    return write


def _writes_key(key: Key, now_ms: int) -> Callable[[Any], None]:
    def write(pipe: Any) -> None:
        pipe.delete(key.name)
        if key.text is not None:
            pipe.set(key.name, key.text)
        if key.fields:
            pipe.hset(key.name, mapping=key.fields)
        if key.members:
            pipe.sadd(key.name, *key.members)
        if key.scores:
            pipe.zadd(key.name, key.scores)
        if key.expires_ms is not None:
            pipe.pexpire(key.name, max(1, key.expires_ms - now_ms))

    return write


def _until(left_ms: int, now_ms: int) -> int | None:
    return None if left_ms < 0 else now_ms + left_ms


def _texts(answers: Iterable[bytes]) -> tuple[str, ...]:
    return tuple(answer.decode() for answer in answers)


def _pairs(answers: Sequence[bytes]) -> dict[str, str]:
    """Return a mapping from alternating fields and values."""
    return dict(zip(_texts(answers[::2]), _texts(answers[1::2]), strict=True))


def _batches(lines: Iterable[T]) -> Iterator[list[T]]:
    """Yield *lines* in batches of `AT_ONCE`."""
    every = iter(lines)
    while batch := list(islice(every, AT_ONCE)):
        yield batch
