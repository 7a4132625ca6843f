"""Where output may be written. Commands ask before the work begins, so that nothing is lost at its end."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from generators.atomic import is_stream
from generators.errors import UsageError

__all__ = ["check_output", "check_outputs"]


def check_output(file: str, *, force: bool, inputs: Sequence[str] = ()) -> None:
    """Refuse to write `file` where that would destroy something or cannot work.

    Raises UsageError for one of the `inputs` and for a file inside one that is a folder (whatever `force` says), for a
    file that exists (unless `force`), for anything that exists and is not a regular file, and for a file whose folder
    is missing or not writable.
    """
    if not file.strip():
        raise UsageError("the name of a file to write is empty; name a file")
    path, real = Path(file), Path(os.path.realpath(file))
    read = {Path(os.path.realpath(source)) for source in inputs}
    if real in read:
        raise UsageError("is an input of this command; name another file", file)
    if read & set(real.parents):
        raise UsageError("is inside an input of this command, which must stay as it is; name another file", file)
    if (path.exists() and not path.is_file()) or is_stream(path):
        raise UsageError("is not a regular file; name another file", file)
    if os.path.lexists(path) and not force:
        raise UsageError("exists; pass --force to overwrite it, or name another file", file)
    if not path.parent.is_dir():
        raise UsageError("its folder does not exist; make it first", file)
    if not os.access(path.parent, os.W_OK):
        raise UsageError("its folder is not writable; name another file", file)


def check_outputs(files: Sequence[str | None], sources: Sequence[str], *, force: bool) -> None:
    """Check every file that a command is to write; None stands for one that it is not.

    Raises UsageError as `check_output` does, for one of the `sources`, and for a file named twice.
    """
    taken: set[str] = set()
    for file in files:
        if file is None:
            continue
        path = os.path.realpath(file)
        if file == "-":
            raise UsageError("only --json can be written to standard output; name a file")
        if path in taken:
            raise UsageError("is named for two reports; name a different file for each", file)
        check_output(file, force=force, inputs=sources)
        taken.add(path)
