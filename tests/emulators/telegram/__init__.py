"""An emulated Telegram for tests: a Bot API server on loopback, and people who type and press."""

from tests.emulators.telegram.server import Call, Telegram
from tests.emulators.telegram.world import Answer, Chat, Key, Message, Person, Tap, Topic

__all__ = ["Answer", "Call", "Chat", "Key", "Message", "Person", "Tap", "Telegram", "Topic"]
