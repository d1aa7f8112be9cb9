"""Addresses of stores, and the errors of invalid ones."""

import pytest

from bot.store.address import Address, ServerKind, parse


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("redis://localhost", Address(nodes=(("localhost", 6379),))),
        ("redis://localhost:7000/3", Address(nodes=(("localhost", 7000),), db=3)),
        ("redis://[::1]:7000/", Address(nodes=(("::1", 7000),))),
        ("redis://[::1]", Address(nodes=(("::1", 6379),))),
        ("redis://:pa%2Fs%3As%40@host", Address(nodes=(("host", 6379),), password="pa/s:s@")),
        ("redis://anna:secret@host", Address(nodes=(("host", 6379),), user="anna", password="secret")),
        ("rediss://host", Address(nodes=(("host", 6379),), tls=True)),
        ("rediss://host?verify=no", Address(nodes=(("host", 6379),), tls=True, verify=False)),
        ("rediss://host/1?ca=/etc/my%20ca.pem", Address(nodes=(("host", 6379),), db=1, tls=True, ca="/etc/my ca.pem")),
        ("unix:///run/a%20b/valkey.sock", Address(socket="/run/a b/valkey.sock")),
        ("unix://:secret@/run/valkey.sock?db=2", Address(socket="/run/valkey.sock", password="secret", db=2)),
        (
            "redis+sentinel://one,two:7000,[::1]/games",
            Address(kind=ServerKind.SENTINEL, nodes=(("one", 26379), ("two", 7000), ("::1", 26379)), service="games"),
        ),
        (
            "rediss+sentinel://:secret@one/games/2?sentinel_user=anna&sentinel_password=other",
            Address(
                kind=ServerKind.SENTINEL,
                nodes=(("one", 26379),),
                service="games",
                db=2,
                password="secret",
                sentinel_user="anna",
                sentinel_password="other",
                tls=True,
            ),
        ),
        ("redis+cluster://one,two:7000", Address(kind=ServerKind.CLUSTER, nodes=(("one", 6379), ("two", 7000)))),
        (
            "rediss+cluster://a:b@one",
            Address(kind=ServerKind.CLUSTER, nodes=(("one", 6379),), user="a", password="b", tls=True),
        ),
    ],
)
def test_an_address(url: str, address: Address) -> None:
    assert parse(url) == address


@pytest.mark.parametrize(
    ("url", "wrong"),
    [
        ("", "must begin with"),
        ("localhost:6379", "must begin with"),
        ("http://localhost", "must begin with"),
        ("redis://[::1", "cannot be read"),
        ("redis://", "needs a name and a port"),
        ("redis://:6379", "needs a name and a port"),
        ("redis://host:0", "needs a name and a port"),
        ("redis://host:70000", "needs a name and a port"),
        ("redis://host:name", "needs a name and a port"),
        ("redis://one,two", "one node"),
        ("redis://host/games", "number of the database"),
        ("redis://host/1/2", "more after the hosts"),
        ("unix://", "path of a socket"),
        ("redis+sentinel://one", "name of the service"),
        ("redis+sentinel://one/games/2/3", "more after the hosts"),
        ("redis+cluster://one/2", "database 0 only"),
        ("redis+cluster://one?db=1", "database 0 only"),
        ("rediss://host?verfy=no", "not one of: ca, db, sentinel_password"),
        ("redis://:pa#ss@host", "# as %23"),
        ("redis://user:12#x@host", "# as %23"),
        ("redis://user:12/x@host", "@ as %40"),
        ("redis://user:12?x@host", "[?] as %3F"),
        ("redis://:[x]pass@host", "@ as %40"),
        ("unix://:pa/ss@/run/valkey.sock", "@ as %40"),
        ("redis+sentinel://user:12/x@one/games", "@ as %40"),
        ("rediss://host?verify=maybe", "verify must be yes or no"),
    ],
)
def test_a_wrong_address_is_refused_with_a_sentence(url: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        parse(url)


def test_no_password_appears_in_messages_about_an_address() -> None:
    address = parse("redis+sentinel://anna:hunter2@one,two/games?sentinel_password=hunter3")
    assert str(address) == "one:26379,two:26379/games"
    assert "hunter" not in f"{address} {address!r}"
    with pytest.raises(ValueError, match="database") as wrong:
        parse("redis://anna:hunter2@host/hunter2")
    assert "hunter" not in str(wrong.value)
