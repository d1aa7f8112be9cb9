"""Everything that is in a server, as one text to search."""

from redis import Redis


def written(raw: Redis) -> dict[str, str]:
    """Return every key with its whole value in words, for any type."""
    return {key.decode(): _value(raw, key) for key in raw.scan_iter() if isinstance(key, bytes)}


def _value(raw: Redis, key: bytes) -> str:
    kind = raw.type(key)
    match kind:
        case b"string":
            result: object = raw.get(key)
        case b"hash":
            result = raw.hgetall(key)
        case b"list":
            result = raw.lrange(key, 0, -1)
        case b"set":
            result = raw.smembers(key)
        case b"zset":
            result = raw.zrange(key, 0, -1, withscores=True)
        case b"none":
            result = ()  # its time was over while the others were read
        case _:
            raise AssertionError(f"a value of a kind that nobody looks into: {kind!r}")
    return _told(result)


def _told(value: object) -> str:
    match value:
        case bytes():
            return value.decode()
        case dict():
            return " ".join(f"{_told(name)}={_told(content)}" for name, content in value.items())
        case list() | tuple() | set():
            return " ".join(map(_told, value))
        case _:
            return str(value)


def where(raw: Redis, *words: str) -> list[str]:
    """Return the keys whose name or value contains one of *words*, in any case."""
    return [
        f"{key}: {value}"
        for key, value in sorted(written(raw).items())
        if any(word.lower() in f"{key} {value}".lower() for word in words)
    ]
