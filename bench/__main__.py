"""The measurements as one table with ratios: ``python -m bench [--small] [NAME ...]`` (``make bench``).

Each row compares with a peer that was measured in the same run, except for the turn, whose peer needs another runtime.
"""

import argparse
import platform
import sys
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules

import bench

MEASUREMENTS = (
    "pictures",
    "playouts",
    "turn",
    "beside",
    "store",
    "strength",
    "taps",
    "loop",
    "due",
    "startup",
    "since",
)
"""The measurements that run if none is named; the others take longer, or compare with no peer."""
ALL = tuple(module.name for module in iter_modules(bench.__path__) if module.name != "__main__")


def main() -> None:
    parser = argparse.ArgumentParser("python -m bench", description="Measure the product next to named peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*ALL, []], help=", ".join(ALL))
    parser.add_argument("--small", action="store_true", help="run all code in the smallest size; the figures are void")
    arguments = parser.parse_args()
    sys.stdout.write(f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}\n\n")
    sys.stdout.write("| measurement | figure | ratio | goal |\n| --- | --- | --- | --- |\n")
    for name in arguments.names or MEASUREMENTS:
        for row in import_module(f"bench.{name}").rows(small=arguments.small):
            sys.stdout.write(f"| {' | '.join(row)} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
