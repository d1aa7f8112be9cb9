"""The parser of REDIS_URL: the address of the store and its credentials.

===================================================  ===========================================
``redis://[user:password@]host[:6379][/db]``          one node
``unix://[user:password@]/path/to/socket[?db=1]``     one node, on this machine
``redis+sentinel://[user:password@]host[:26379]       the master of *service*, by Sentinels
[,host[:port] ...]/service[/db]``
``redis+cluster://[user:password@]host[:6379]         a Cluster, by one or more of its nodes
[,host[:port] ...]``
===================================================  ===========================================

``rediss``, ``rediss+sentinel`` and ``rediss+cluster`` are the same over TLS. Characters with a meaning in an address
are written as %xx in user, password and path. Options behind ``?``:

``ca=/path/ca.pem``     the trusted certificates instead of the system's (TLS)
``verify=no``           accept any certificate (TLS; some hosted stores sign their own)
``sentinel_user=``, ``sentinel_password=``   for Sentinels with a password of their own
``db=``                 with ``unix://``
"""

from enum import StrEnum
from urllib.parse import parse_qsl, unquote, urlsplit

from msgspec import Struct


class ServerKind(StrEnum):
    NODE = "node"
    SENTINEL = "sentinel"
    CLUSTER = "cluster"


class Address(Struct, frozen=True, kw_only=True):
    """The address of a store. *nodes*: (host, port), empty for a *socket*. *service*: the master's name.

    *ca*: a file of certificates, None for the system's; *verify*: whether certificates are checked.
    """

    kind: ServerKind = ServerKind.NODE
    nodes: tuple[tuple[str, int], ...] = ()
    socket: str | None = None
    user: str | None = None
    password: str | None = None
    db: int = 0
    service: str | None = None
    tls: bool = False
    ca: str | None = None
    verify: bool = True
    sentinel_user: str | None = None
    sentinel_password: str | None = None

    def __str__(self) -> str:
        """Return the address for people and logs, without secrets."""
        if self.socket is not None:
            return self.socket
        nodes = ",".join(f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in self.nodes)
        return f"{nodes}/{self.service}" if self.service else nodes

    def __repr__(self) -> str:
        return f"<{self.kind} {self}>"

    def without_secrets(self, text: str) -> str:
        """Return *text*, for example a server's error, without passwords: servers quote unknown commands."""
        for secret in filter(None, (self.password, self.sentinel_password)):
            text = text.replace(secret, "…")
        return text


_SCHEMES = {
    "redis": (ServerKind.NODE, False),
    "rediss": (ServerKind.NODE, True),
    "unix": (ServerKind.NODE, False),
    "redis+sentinel": (ServerKind.SENTINEL, False),
    "rediss+sentinel": (ServerKind.SENTINEL, True),
    "redis+cluster": (ServerKind.CLUSTER, False),
    "rediss+cluster": (ServerKind.CLUSTER, True),
}
_OPTIONS = {"ca", "verify", "sentinel_user", "sentinel_password", "db"}


_ENCODED = "in user and password, / has to be written as %2F, @ as %40, # as %23, ? as %3F, : as %3A and % as %25"


def _options(query: str) -> dict[str, str]:
    return dict(parse_qsl(query.replace("+", "%2B"), keep_blank_values=True))


def _may_have_at(option: str) -> bool:
    """Return whether an option may contain an unencoded @, which otherwise means that the password is not encoded."""
    return option.startswith(("sentinel_user=", "sentinel_password="))


def parse(url: str) -> Address:
    """Parse *url*. Raises ValueError with a sentence about the problem, which never quotes the URL and its password.

    >>> parse("redis+sentinel://:pa%2Fss@one,two:26380/games/2").nodes
    (('one', 26379), ('two', 26380))
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(f"the address cannot be read ({_ENCODED})") from None
    if parts.scheme not in _SCHEMES:
        raise ValueError(f"the address must begin with one of {', '.join(f'{scheme}://' for scheme in _SCHEMES)}")
    kind, tls = _SCHEMES[parts.scheme]
    options = _options(parts.query)
    if "#" in url or "@" in parts.path or any("@" in part for part in parts.query.split("&") if not _may_have_at(part)):
        raise ValueError(_ENCODED)
    if options.keys() - _OPTIONS:  # it may be a piece of a password
        raise ValueError(f"the address has an option that is not one of: {', '.join(sorted(_OPTIONS))}")
    if options.get("verify", "yes") not in ("yes", "no"):
        raise ValueError("the option verify must be yes or no")
    credentials, _, hosts = parts.netloc.rpartition("@")
    user, _, password = credentials.partition(":")
    path = [unquote(part) for part in parts.path.strip("/").split("/") if part]
    nodes: tuple[tuple[str, int], ...] = ()
    socket: str | None = None
    service: str | None = None
    if parts.scheme == "unix":
        socket, path = unquote(parts.path), []
        if socket in ("", "/"):
            raise ValueError("a unix:// address needs the path of a socket")
    else:
        nodes = _nodes(hosts, 26379 if kind == ServerKind.SENTINEL else 6379)
    if kind == ServerKind.NODE and len(nodes) > 1:
        raise ValueError("redis:// names one node; for more there are redis+sentinel:// and redis+cluster://")
    if kind == ServerKind.SENTINEL:
        if not path:
            raise ValueError("a Sentinel address needs the name of the service, as in /service")
        service, *path = path
    db, *path = path or [options.get("db", "0")]
    if path:
        raise ValueError("the address has more after the hosts than it should")
    if not (db.isascii() and db.isdigit()):
        raise ValueError("the number of the database must be a whole number")
    if kind == ServerKind.CLUSTER and int(db):
        raise ValueError("a Cluster has database 0 only")
    return Address(
        kind=kind,
        nodes=nodes,
        socket=socket,
        user=unquote(user) or None,
        password=unquote(password) or None,
        db=int(db),
        service=service,
        tls=tls,
        ca=options.get("ca"),
        verify=options.get("verify", "yes") == "yes",
        sentinel_user=options.get("sentinel_user"),
        sentinel_password=options.get("sentinel_password"),
    )


def resolved(url: str, verify: bool) -> str:
    """Return *url*, which accepts any certificate if *verify* is false and it has neither ``ca`` nor ``verify``.

    >>> resolved("rediss://:secret@host:6379", False), resolved("redis://host", False)
    ('rediss://:secret@host:6379?verify=no', 'redis://host')
    """
    parts = urlsplit(url)
    options = _options(parts.query)
    if verify or not _SCHEMES[parts.scheme][1] or options.keys() & {"verify", "ca"}:
        return url
    return f"{url}{'&' if parts.query else '?'}verify=no"


def _nodes(hosts: str, port: int) -> tuple[tuple[str, int], ...]:
    """Return the hosts with their ports; the default is *port*.

    >>> _nodes("one,[::1]:7000", 6379)
    (('one', 6379), ('::1', 7000))
    """
    nodes = []
    for address in hosts.split(","):
        host, colon, written = address.rpartition(":") if not address.endswith("]") else (address, "", "")
        if not colon:
            host, written = address, str(port)
        if not host or not (written.isascii() and written.isdigit() and 0 < int(written) < 65536):
            raise ValueError("every host in the address needs a name and a port between 1 and 65535")
        nodes.append((host.strip("[]"), int(written)))
    return tuple(nodes)
