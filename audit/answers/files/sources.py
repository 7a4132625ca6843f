"""Which files hold the answers, and whose they are: `NAME=FILE`, folders of logs, and the list of model families."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path

from audit.answers.files.folders import ENDINGS, STATE, files_within
from audit.answers.files.pipes import INPUT, is_input
from audit.formats.content import STDIN, bare_name, read, utf8
from audit.harnesses.answer_lines import LONGEST_NAME, name_fault
from generators.errors import Fault, InputError, UsageError

__all__ = ["ReplyFile", "read_families", "reply_files"]

_PER_TASK = "samples_"
"""How the logs of lm-evaluation-harness begin, one per task."""


@dataclass(frozen=True)
class ReplyFile:
    """One file of answers."""

    path: str
    model: str = ""
    """The name that all its answers get; empty to take it from the file."""
    called: str = ""
    """What a model is called that the file does not name, by the file; empty where it is the only one."""
    source: str = ""
    """The same by the file or folder that somebody named; empty where that is the only one."""
    number: int = 0
    """Which of the files and folders that were named, from 0."""
    given: str = ""
    """The path of that file or folder, as somebody wrote it."""
    folder: str = ""
    """The folder in which it was looked for, among files that may hold something else; empty for a file."""


def reply_files(sources: Iterable[str | PathLike[str]]) -> list[ReplyFile]:
    """The files that `sources` name: `FILE`, `NAME=FILE`, or a folder of answers of any kinds; `-` is standard input.

    Raises UsageError for a name that is too long or not printable, an empty source, no sources, and standard input
    twice; InputError for a folder without files that may hold answers.
    """
    named = list(sources)
    odd = next((source for source in named if not isinstance(source, str | PathLike)), None)
    if odd is not None:
        raise UsageError(f"answers are named by their files, not by {type(odd).__name__}")
    if any(not fspath(source) for source in named):
        raise UsageError("the name of a file of answers is empty: name a file or a folder")
    if len(given := [fspath(source) for source in named if is_input(_path(fspath(source)))]) > 1:
        raise UsageError(f"{' and '.join(given)} are one standard input, which is read once; name files for the others")
    parts = [_files(fspath(source)) for source in named]
    paths = [_path(fspath(source)) for source in named]
    files = [replace(file, number=number, given=paths[number]) for number, part in enumerate(parts) for file in part]
    if not files:
        raise UsageError("there are no files of answers; name at least one")
    return _called(files, paths)


def _called(files: Sequence[ReplyFile], sources: Sequence[str]) -> list[ReplyFile]:
    """The files with names for models that they do not name, where there are several to be told apart."""
    by_file = _told_apart([file.path for file in files]) if len(files) > 1 else [""] * len(files)
    by_source = _told_apart(sources) if len(sources) > 1 else [""] * len(sources)
    return [replace(file, called=name, source=by_source[file.number]) for file, name in zip(files, by_file)]


def _told_apart(paths: Sequence[str]) -> list[str]:
    """A short name for each path: that of the file, or of the folder for logs of which every model has one of the same
    name, with folders in front where that is not enough. Logs of one folder share its name."""
    parts = [_parts(path) for path in paths]
    longest = max(map(len, parts))
    for depth in range(1, longest + 1):
        names = ["/".join(part[-depth:]) for part in parts]
        apart: dict[str, set[tuple[str, ...]]] = {}
        for name, part in zip(names, parts):
            apart.setdefault(name, set()).add(part)
        if all(len(different) == 1 for different in apart.values()):
            break
    return [_printable(name) for name in names]


def _parts(path: str) -> tuple[str, ...]:
    """The folders and the name of a file, without its endings, or of the folder of a log."""
    if path == INPUT:
        return (STDIN,)
    try:
        whole = Path(path).absolute()
    except (OSError, ValueError):
        whole = Path(path)
    stem = bare_name(whole)[0] if whole.suffix else whole.name
    folders = tuple(part for part in whole.parts[:-1] if part != whole.anchor)
    return folders or (stem,) if stem.startswith(_PER_TASK) or whole.name == STATE else (*folders, stem)


def _printable(name: str) -> str:
    """A name that may stand in a table: without what is not printable, and not too long."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)[-LONGEST_NAME:]


def _path(source: str) -> str:
    """`source` without the name in front of it."""
    name, equals, path = source.partition("=")
    return path if equals and name and path and not _is_there(source) and "/" not in name else source


def _files(source: str) -> list[ReplyFile]:
    # A file whose own name has an equals sign is still that file.
    if (path := _path(source)) != source:
        name = source.partition("=")[0]
        if wrong := name_fault(name):
            raise UsageError(f"the name of a model {wrong}", source)
        return [replace(inner, model=name.strip()) for inner in _files_at(path)]
    return _files_at(source)


def _files_at(path: str) -> list[ReplyFile]:
    folder = Path(path)
    if path == INPUT:
        return [ReplyFile(path)]
    try:
        if not folder.is_dir():
            return [ReplyFile(path)]
        files = files_within(folder).answers
    except (OSError, ValueError):
        return [ReplyFile(path)]  # opening it says why
    if not files:
        raise InputError(f"a folder without answers: no file ends with {', '.join(ENDINGS)}", path)
    return [ReplyFile(file, folder=path) for file in files]


def _is_there(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def read_families(path: str | PathLike[str]) -> Mapping[str, str]:
    """Model -> family, from a CSV file with the columns `model` and `family`.

    Raises InputError for a file without these columns, a model without a name, and a model with two families.
    """
    place = fspath(path)
    try:
        text = utf8(read(place)).decode()
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8", place) from error
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", place) from error
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    if "model" not in header or "family" not in header:
        raise InputError("has no columns `model` and `family`: write a line of headings `model,family`", place)
    model_at, family_at = header.index("model"), header.index("family")
    families: dict[str, str] = {}
    faults = []
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        where = f"{place}: row {number}"
        if len(row) <= max(model_at, family_at) or not row[model_at].strip():
            faults.append(Fault("needs a model and its family", where))
            continue
        model, family = row[model_at].strip(), row[family_at].strip()
        if wrong := name_fault(model) or name_fault(family):
            faults.append(Fault(f"a name {wrong}", where))
        elif families.setdefault(model, family) != family:
            faults.append(Fault(f"the model {model!r} has another family above", where))
    if faults:
        raise InputError.of(faults)
    return families
