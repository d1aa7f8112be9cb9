"""Builds the project (PEP 517): setuptools does it, once every catalogue is compiled, so that a wheel carries them.

Named in ``pyproject.toml``; nothing else imports it.
"""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """A hook of ``setuptools.build_meta``; where it builds something, the catalogues are compiled first."""
    if not name.startswith(("build_", "get_requires_for_", "prepare_metadata_for_")):
        raise AttributeError(name)
    if name.startswith("build_"):
        importlib.import_module("texts.__main__")
    return getattr(importlib.import_module("setuptools.build_meta"), name)
