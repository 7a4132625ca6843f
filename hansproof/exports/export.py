"""Export: a release in the files that another evaluation harness reads, beside the unchanged rows."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from generators.errors import InputError, unknown
from generators.jsonl import write_bytes
from hansproof.exports.harnesses import HARNESSES
from hansproof.release.frozen import read_rows, rows_file

__all__ = ["export", "export_bytes"]


def export_bytes(path: Path | str, to: str) -> tuple[str, dict[str, bytes]]:
    """The folder name that suits the export (`NAME-VERSION-HARNESS`), and its files: path in it -> bytes.

    Raises UsageError for an unknown harness, InputError as `read_rows` does.
    """
    if to not in HARNESSES:
        raise unknown("harness", to, HARNESSES)
    release = read_rows(path)
    files: dict[str, bytes] = {rows_file(rows): rows.data for rows in release.subsets}
    files |= import_module(HARNESSES[to]).export_files(release)
    return f"{release.name}-{release.version}-{to}", files


def export(path: Path | str, to: str, out: Path | str | None = None, force: bool = False) -> list[Path]:
    """Write the release (or file of items) at `path` for the harness `to`; the paths written, in that order.

    `out` is the folder, by default NAME-VERSION-HARNESS where one stands. Files that are there and equal stay; raises
    InputError, before anything is written, where others are in the way and not `force`, and where `out` is inside the
    release itself, which must stay as it was frozen.
    """
    name, files = export_bytes(path, to)
    folder = Path(out) if out is not None else Path(name)
    source = Path(path).resolve()
    if Path(path).is_dir() and (folder.resolve() == source or source in folder.resolve().parents):
        raise InputError(f"{folder}: is inside the release, which must stay as it was frozen; name another with --out")
    there = [one for one in files if (folder / one).exists() and not _same(folder / one, files[one])]
    if there and not force:
        raise InputError(f"{folder}: holds other files of these names: {', '.join(there)}; --force replaces them")
    for one, data in files.items():
        target = folder / one
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{target.parent}: cannot be made: {error.strerror or error}") from error
        if not _same(target, data):
            write_bytes(target, data, overwrite=force)
    return [folder / one for one in files]


def _same(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data
