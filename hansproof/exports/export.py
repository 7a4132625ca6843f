"""Export: a release in the files that another evaluation harness reads, beside the unchanged rows."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path

from generators.errors import Fault, InputError, unknown
from generators.input import recording
from generators.jsonl import read_bytes
from generators.output import write_together
from hansproof.exports.harnesses import HARNESSES, PLAYING
from hansproof.exports.tasks import suite_of
from hansproof.release.frozen import read_release

__all__ = ["export", "export_bytes"]


def export_bytes(path: Path | str, to: str) -> tuple[str, dict[str, bytes]]:
    """The folder's default name (`NAME-VERSION-HARNESS`), and its files: path in it -> bytes.

    Raises UsageError for an unknown harness, InputError as `read_release` and `suite_of` do.
    """
    if to not in HARNESSES:
        raise unknown("harness", to, HARNESSES)
    suite = suite_of(read_release(path), to, PLAYING)
    files: dict[str, bytes] = {task.file: task.frozen.data for task in suite.tasks}
    files |= import_module(HARNESSES[to]).export_files(suite)
    return f"{suite.release.name}-{suite.version}-{to}", files


def export(path: Path | str, to: str, *, out: Path | str | None = None, force: bool = False) -> list[Path]:
    """Convert a release for the harness `to`; returns the files, in the order of writing.

    Args:
        path: A release folder (NAME/VERSION), or one `.jsonl` file of items.
        to: `lm-eval`, `inspect`, `openai-evals`, `helm` or `lighteval`.
        out: The folder to write into. Default: NAME-VERSION-HARNESS in the current folder.
        force: Overwrite files that differ. Files that are equal always stay as they are.

    All files are written or none: where the disk fills up, what was there before is there again.

    Raises:
        UsageError: For an unknown harness.
        InputError: If there is nothing to export, if files that differ are in the way, if `out` is inside the release,
            which must stay as it was frozen, and if the system refuses to write.
    """
    name, files = export_bytes(path, to)
    folder = Path(out) if out is not None else Path(name)
    source, target = Path(os.path.realpath(path)), Path(os.path.realpath(folder))
    if Path(path).is_dir() and (target == source or source in target.parents):
        raise InputError(
            "is inside the release, which must stay as it was frozen; name another with --out", str(folder)
        )
    missing = {file: data for file, data in files.items() if not _same(folder / file, data)}
    different = [file for file in missing if os.path.lexists(folder / file)]
    if different and not force:
        raise InputError.of([Fault("exists and differs; pass --force", str(folder / file)) for file in different])
    write_together(folder, missing, overwrite=force)
    return [folder / file for file in files]


def _same(path: Path, data: bytes) -> bool:
    with recording(aside=True):
        return path.is_file() and read_bytes(path) == data
