"""A table as a value: its people, turns, waiting state, log and ratings. Pure: without a clock, a store or a chat."""
