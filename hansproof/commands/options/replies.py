"""What the options say that name the columns of tables of replies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generators.errors import UsageError

__all__ = ["named_files", "named_once", "reply_reading"]


def reply_reading(columns: Sequence[str], reply_columns: str | None) -> dict[str, Any]:
    """`--column ROLE=NAME` and `--reply-columns NAME,NAME` as the functions of a script want them.

    Raises UsageError for a column without a role or a name, for no names, and for one that is given twice.
    """
    for pair in columns:
        role, equals, name = pair.partition("=")
        if not (role and equals and name):
            raise UsageError(f"--column needs ROLE=NAME, such as reply=answer_text, not {pair!r}")
    names = [name for name in (reply_columns or "").split(",") if name]
    if reply_columns is not None and not names:
        raise UsageError(f"--reply-columns needs the names of columns, not {reply_columns!r}")
    roles = [pair.partition("=")[0] for pair in columns]
    for option, given in (("--column", roles), ("--reply-columns", names)):
        if twice := next((name for place, name in enumerate(given) if name in given[:place]), ""):
            raise UsageError(f"{option} names {twice!r} twice; name it once")
    return {
        "columns": dict(pair.split("=", 1) for pair in columns),
        "reply_columns": names,
    }


def named_once(answers: Sequence[str]) -> list[str]:
    """`named_files`. Raises UsageError for a file that a model is given twice."""
    from pathlib import Path

    from audit.answers.files.sources import reply_files

    seen: set[tuple[str, str]] = set()
    for file in reply_files(answers):
        # An odd name is refused where the file is opened.
        try:
            key = file.model, str(Path(file.path).absolute())
        except (OSError, ValueError):
            continue
        if key in seen:
            raise UsageError("is named twice; name it once", file.path)
        seen.add(key)
    return named_files(answers)


def named_files(answers: Sequence[str]) -> list[str]:
    """The files and folders that are named, without the names of models in front of them, and the files in folders."""
    from audit.answers.files.sources import reply_files

    files = reply_files(answers) if answers else []
    return list(dict.fromkeys(part for file in files for part in (file.given, file.path)))
