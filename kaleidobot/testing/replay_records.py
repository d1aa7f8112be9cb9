"""Replay records, one JSON per line, and write every position and its legal actions.

The contract suite runs this in processes with different hash seeds and compares the output.
"""

import sys

import msgspec

from rules import GAMES
from rules.__main__ import PlayedGame, positions

if __name__ == "__main__":
    for line in sys.stdin:
        record = msgspec.json.decode(line, type=PlayedGame)
        for state in positions(record):
            sys.stdout.write(GAMES[record.game].encode(state).decode() + "\n")
            sys.stdout.write(" ".join(map(str, state.actions())) + "\n")
