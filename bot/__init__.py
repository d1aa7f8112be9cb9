"""The bot: tables in chats. Adapters hand in updates, the service answers, delivery posts."""
