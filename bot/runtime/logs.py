"""Log levels of libraries: none may log private texts, secrets, or people's words."""

import logging


def hold(*libraries: str, least: int) -> None:
    """Raise the log level of these libraries to at least *least*."""
    for name in libraries:
        logging.getLogger(name).setLevel(max(least, logging.getLogger().level))
