"""What libraries may log: nothing that only one person may read, no secret, and nobody's words."""

import logging


def hold(*libraries: str, least: int) -> None:
    """Let these libraries log nothing below *least*, nor below what is logged at all."""
    for name in libraries:
        logging.getLogger(name).setLevel(max(least, logging.getLogger().level))
