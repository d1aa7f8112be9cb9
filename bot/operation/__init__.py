"""For whoever runs the bot: its environment, command line, doctor, health and readiness."""
