"""Stamps: the state of a table that a button was made for, so that an older button changes nothing."""

from msgspec import Struct

from bot.tables.table import Ask, Table


class Stamp(Struct, frozen=True):
    """The save of a table that a button was made for."""

    number: int
    mark: str = ""

    @classmethod
    def of(cls, table: Table) -> "Stamp":
        return cls(table.revision, table.mark)

    def fits(self, table: Table) -> bool:
        """Return whether *table* has not changed since."""
        return (self.number, self.mark) == (table.revision, table.mark)


class TurnStamp(Stamp, frozen=True):
    """The turn that a button was made for: its board stays while the turn goes on, step by step, unseen by others."""

    @classmethod
    def of(cls, table: Table) -> "TurnStamp":
        return cls(table.turn, table.turn_mark)

    def fits(self, table: Table) -> bool:
        return (self.number, self.mark) == (table.turn, table.turn_mark)


class QuestionStamp(Struct, frozen=True):
    """The question that a button answers."""

    number: int
    mark: str = ""

    @classmethod
    def of(cls, ask: Ask) -> "QuestionStamp":
        return cls(ask.revision, ask.mark)
