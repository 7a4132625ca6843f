"""The cache folder: what can be downloaded or computed again."""

from __future__ import annotations

import os
from pathlib import Path

from hansproof.generators.errors import UsageError

__all__ = ["cache_folder"]


def cache_folder(cache: Path | str | None = None) -> Path:
    """The folder that keeps downloads and results: `cache`, else HANSPROOF_CACHE, else the platform's cache folder.

    Raises UsageError for a folder of a user who does not exist: `~nobody/cache`.
    """
    from platformdirs import user_cache_path

    named = cache or os.environ.get("HANSPROOF_CACHE")
    try:
        return Path(named).expanduser() if named else user_cache_path("hansproof", appauthor=False)
    except RuntimeError as error:
        raise UsageError("the cache folder is that of a user who does not exist; name another", str(named)) from error
