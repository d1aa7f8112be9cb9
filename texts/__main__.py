"""Compile every catalogue that is newer than its compiled form: ``python -m texts``."""

from texts import HERE, compiled

for source in sorted(HERE.glob("*/*.po")):
    ready = source.with_suffix(".mo")
    if not ready.exists() or ready.stat().st_mtime < source.stat().st_mtime:
        ready.write_bytes(compiled(source))
