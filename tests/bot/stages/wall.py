"""The public messages of a place, according to a conversation."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

import texts
from tests.bot.stages.script import Event, Kind, Said

LASTING = ("again", "new_table", "daily.solve")
OVER = tuple(texts.say("table", f"button.{key}", lang) for key in LASTING for lang in texts.languages())
RESUME = tuple(texts.say("table", "button.resume", lang) for lang in texts.languages())


class Post(Struct, frozen=True):
    """A message. *called*: the person whom it called on arrival."""

    said: Said
    called: str = ""

    @property
    def is_over(self) -> bool:
        """Whether it is the last board of a finished or resting game, or a daily puzzle, which keeps its buttons."""
        return self.rests or any(label in OVER for label in self.said.labels)

    @property
    def rests(self) -> bool:
        """Whether it is the board of a resting game."""
        return any(label in RESUME for label in self.said.labels)


class Wall:
    """The posts, oldest first. At most one shows the running table and has the buttons."""

    def __init__(self) -> None:
        self.posts: list[Post] = []
        self._now: Post | None = None  # shows the running table
        self._former: Post | None = None  # did so before this step if another one does now

    def hears(self, events: Sequence[Event]) -> None:
        """Apply the bot's message of one step.

        A post with buttons takes them from the one before, unless it is a film. An edited message has the buttons; if
        the new text has none, it is the former board, which has lost them. Editing a deleted post posts it anew.
        """
        self._former = None
        for event in events:
            match event.kind:
                case Kind.POST:
                    self._posts(event.said)
                case Kind.EDIT:
                    self._changes(event.said)
                case Kind.DELETES:
                    self._deletes()

    def forgets(self, *, shows_again: bool = False) -> None:
        """Delete all messages. *shows_again*: keep the board of the current table."""
        self._former = None
        if not shows_again or self._now is None or self._now.is_over:
            self._now = None
        self.posts[:] = [] if self._now is None else [self._now]

    def _posts(self, said: Said) -> None:
        post = Post(said, said.called)
        if said.rows and (said.file is None or said.file[0] != "animation"):
            goes_on = self._now is not None and self._now.rests and self._now.said.text[0] == said.text[0]
            if self._now is not None and (goes_on or not self._now.is_over):  # the same game, resumed here
                self._former = self._edits(self._now, replace(self._now.said, rows=()))
            self._now = post
        self.posts.append(post)

    def _changes(self, said: Said) -> None:
        post = self._former if self._former is not None and not said.rows else self._now
        if post is None:
            self._posts(said)
        else:
            self._edits(post, said)

    def _deletes(self) -> None:
        """Delete the former board: the one that has lost its buttons, has rested, or is about to."""
        rested = next((post for post in self.posts if post.rests), None)
        post = self._former or rested or self._now
        if post is not None:
            del self.posts[self._at(post)]
        if self._former is None and rested is None:
            self._now = None
        self._former = None

    def _edits(self, post: Post, said: Said) -> Post:
        self.posts[self._at(post)] = edited = replace(post, said=said)
        if post is self._now:
            self._now = edited
        return edited

    def _at(self, post: Post) -> int:
        return next(number for number, candidate in enumerate(self.posts) if candidate is post)
