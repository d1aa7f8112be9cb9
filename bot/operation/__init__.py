"""For whoever runs the bot: its environment, health and readiness."""
