"""Where reports may be written: checked before an audit begins, so that nothing is lost at its end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from generators.errors import UsageError

__all__ = ["check_outputs"]


def check_outputs(files: Sequence[str | None], sources: Sequence[str], *, force: bool) -> None:
    """Refuse outputs that would destroy something or cannot be written.

    Raises UsageError for a file that exists (unless `force`), is one of the `sources`, is named twice, is no regular
    file, or whose folder is missing or may not be written to.
    """
    seen: list[Path] = []
    read = {Path(source).resolve() for source in sources}
    for file in files:
        if file is None:
            continue
        path = Path(file)
        if file == "-":
            raise UsageError("only --json can be written to standard output; name a file")
        if path.resolve() in read:
            raise UsageError(f"{file}: is the benchmark itself; name another file for the report")
        if path.resolve() in seen:
            raise UsageError(f"{file}: named for two reports; name two files")
        if path.exists() and not path.is_file():
            raise UsageError(f"{file}: is no regular file; name another")
        if path.exists() and not force:
            raise UsageError(f"{file}: exists; pass --force to overwrite it, or name another file")
        if not path.parent.is_dir():
            raise UsageError(f"{file}: its folder does not exist; make it first")
        if not os.access(path.parent, os.W_OK):
            raise UsageError(f"{file}: its folder may not be written to; name another")
        seen.append(path.resolve())
