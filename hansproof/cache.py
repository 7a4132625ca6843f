"""The cache folder: what can be downloaded or computed again."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder(cache: Path | str | None = None) -> Path:
    """The folder that keeps downloads and results: `cache`, else HANSPROOF_CACHE, else the platform's cache folder."""
    from platformdirs import user_cache_path

    named = cache or os.environ.get("HANSPROOF_CACHE")
    return Path(named).expanduser() if named else user_cache_path("hansproof", appauthor=False)
