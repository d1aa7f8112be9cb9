"""A table as a value: its people, turns, clock, log and ratings. Pure: no clock of its own, no store, no chat."""
