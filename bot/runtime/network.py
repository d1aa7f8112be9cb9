"""Settings of the system for outgoing connections: proxies and trusted certificates.

The libraries read these variables differently, and some raise errors that contain a proxy's password. This module reads
them for all platforms: ``HTTPS_PROXY``, ``HTTP_PROXY``, ``ALL_PROXY`` and ``NO_PROXY``, also in lower case (which
wins), ``SSL_CERT_FILE`` and ``SSL_CERT_DIR``.
"""

import ipaddress
import os
import re
import ssl
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from msgspec import Struct

from bot.chat import Unusable

_HERE = ("localhost", "127.0.0.1", "::1")
_PROXY = re.compile(r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?(?:(?P<who>.*)@)?(?P<where>[^@]*?)/?", re.DOTALL)
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[\w.-]+)(?::([0-9]{1,5}))?", re.ASCII)
_PORTS = {"http": 80, "https": 443}


class Proxy(Struct, frozen=True):
    """A proxy. *url* contains no credentials, and the repr no password."""

    url: str
    user: str = ""
    password: str = ""

    @property
    def url_with_credentials(self) -> str:
        """The address in the libraries' form; it is a secret."""
        if not self.user:
            return self.url
        return self.url.replace("://", f"://{quote(self.user, safe='')}:{quote(self.password, safe='')}@")

    def __repr__(self) -> str:
        return f"<Proxy {self.url}>"


def proxy(url: str, environment: Mapping[str, str] = os.environ) -> Proxy | None:
    """Return the proxy for the server at *url*, or None. Raises Unusable, which names the variable.

    >>> proxy("https://discord.com", {"HTTPS_PROXY": "http://me:pa#ss@squid:3128"})
    <Proxy http://squid:3128>
    >>> proxy("https://discord.com", {"ALL_PROXY": "squid", "NO_PROXY": "fd07::/64, .discord.com"}) is None
    True
    """
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    for variable in (f"{parts.scheme}_proxy", "all_proxy"):
        for name in (variable, variable.upper()):
            value = environment.get(name, "").strip()
            if value and host not in _HERE and not _is_excepted(host, environment):
                return _parsed(name, value)
    return None


def without_credentials(url: str) -> str:
    """Return *url* for logs.

    >>> without_credentials("https://me:secret@host/api")
    'https://host/api'
    """
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, parts.query, parts.fragment))


def _parsed(name: str, value: str) -> Proxy:
    form = _PROXY.fullmatch(value)
    scheme = (form["scheme"] or "http").lower() if form else ""
    if scheme.startswith("socks"):
        raise Unusable(f"{name} is a SOCKS proxy, which the bot cannot use. Set HTTPS_PROXY to an HTTP proxy.")
    where = _HOST.fullmatch(form["where"]) if form else None
    if form is None or where is None or scheme not in _PORTS or int(where[2] or 1) not in range(1, 65536):
        raise Unusable(f"{name} must be the address of a proxy, such as http://user:password@host:3128.")
    user, _, password = (form["who"] or "").partition(":")
    return Proxy(f"{scheme}://{where[1]}:{where[2] or _PORTS[scheme]}", unquote(user), unquote(password))


def _is_excepted(host: str, environment: Mapping[str, str]) -> bool:
    """Return whether NO_PROXY lists *host*: by its name, a parent domain, its address or a network."""
    listed = environment.get("no_proxy") or environment.get("NO_PROXY") or ""
    for entry in re.split(r"[\s,]+", listed.lower()):
        name = entry.removeprefix("*").strip(".") if entry != "*" else entry
        if name in ("*", host) or (name and host.endswith(f".{name}")):
            return True
        try:
            if ipaddress.ip_address(host) in ipaddress.ip_network(name.strip("[]"), strict=False):
                return True
        except ValueError:
            continue
    return False


def check_certificates(environment: Mapping[str, str] = os.environ) -> None:
    """Raise Unusable if the system's variables name certificates that cannot be read."""
    file, folders = environment.get("SSL_CERT_FILE", ""), environment.get("SSL_CERT_DIR", "")
    if file:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cafile=file)
        except (OSError, ValueError):
            raise Unusable("SSL_CERT_FILE must be a readable file with certificates, or empty.") from None
    elif folders and not any(Path(folder).is_dir() for folder in folders.split(os.pathsep)):
        raise Unusable("SSL_CERT_DIR must be a folder with certificates, or empty.")
