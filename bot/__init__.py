"""The bot: tables in chats. Adapters hand in updates, the service answers, delivery posts."""

__version__ = "1.0.0"
