"""Which files a source is: a folder, one file whose format its content decides, or a pointer to data."""

from __future__ import annotations

import os
import re
import warnings
from dataclasses import replace
from itertools import islice
from pathlib import Path

from hansproof.audit.formats import releases
from hansproof.audit.formats.content import Content, bare_name, read, utf8
from hansproof.audit.formats.delimited import delimited_table, delimiter_of
from hansproof.audit.formats.json_rows import decode, json_table, jsonl_table, lines, with_repeats_marked
from hansproof.audit.formats.releases import is_xml, xml_table
from hansproof.audit.formats.table import WHOLE, Budget, Row, Table, check_values
from hansproof.audit.harnesses.inspect_ai import archived_log, items_of_log
from hansproof.audit.harnesses.lm_eval import Task, is_task, parse_yaml, task_of, task_table
from hansproof.audit.harnesses.openai import is_registry, samples_file
from hansproof.audit.harnesses.registry import from_document, from_rows
from hansproof.audit.reading.hub import is_dataset
from hansproof.generators.errors import InputError, refused

__all__ = ["check_named", "expand", "follow", "is_folder", "is_pointer", "name_within", "table_of"]

_ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab", ".parquet", ".eval")
_NO_BENCHMARKS = (
    "manifest.json", "dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json",
    "metadata.json", "croissant.json", "package.json", "package-lock.json", "config.json",
)  # fmt: skip
_EXAMPLES = "few_shot.jsonl"
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_EVERY_EVAL_EVER = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_samples\.jsonl", re.IGNORECASE)
"""Samples, beside which the aggregate of their results stands, `UUID.json`, which is no benchmark."""


def expand(source: str, *, without: Path | None = None) -> list[str]:
    """The benchmarks of a source: the files of a folder and its subfolders, sorted by path.

    A file, `-`, an `hf://` address and a Hugging Face dataset folder give themselves, and so does a path that does not
    exist (`load` reports it). Hidden files, manifests and cards are skipped, and so is the folder `without` inside it;
    links to folders, pipes and devices, and the examples of a prompt beside the samples of a registry, are skipped with
    a warning. Raises InputError for a folder without a benchmark, and for an empty name.
    """
    check_named(source)
    path = Path(source)
    if source == "-" or source.startswith("hf://") or not is_folder(source) or is_dataset(path):
        return [source]
    benchmarks: list[str] = []
    left: list[str] = []
    skipped = without and os.path.realpath(without)
    try:
        for name, subfolders, files in os.walk(path, onerror=_raise):
            folder = Path(name)
            read = (inner for inner in subfolders if os.path.realpath(folder / inner) != skipped)
            subfolders[:] = sorted(inner for inner in read if not inner.startswith("."))
            left.extend(str(folder / inner) for inner in subfolders if (folder / inner).is_symlink())
            if folder != path and is_dataset(folder):
                subfolders.clear()
                benchmarks.append(str(folder))
                continue
            if _EXAMPLES in files and "samples.jsonl" in files:
                files.remove(_EXAMPLES)
                warnings.warn(f"{folder / _EXAMPLES}: examples for the prompt of samples.jsonl, left out", stacklevel=2)
            aggregates = (f"{match[1]}.json" for file in files if (match := _EVERY_EVAL_EVER.fullmatch(file)))
            none = {*_NO_BENCHMARKS, *aggregates}
            rows = (file for file in files if bare_name(Path(file))[1] in _ENDINGS and file not in none)
            for file in (folder / file for file in rows if file[0] != "."):
                waits = os.path.exists(file) and not os.path.isfile(file)  # noqa: PTH110, PTH113 - see `is_folder`
                (left if waits else benchmarks).append(str(file))
    except OSError as error:
        raise refused("read", error, str(error.filename or source)) from error
    if left:
        warnings.warn(f"skipped, as links to folders, pipes or devices: {', '.join(sorted(left))}", stacklevel=2)
    if not benchmarks:
        raise InputError(f"no benchmark in this folder; looked for {', '.join(_ENDINGS)}, .gz, .zst", source)
    return sorted(benchmarks)


def name_within(folder: str, file: str) -> str:
    """The name of a file in a scanned folder: its path relative to the folder, with `/` and without extensions.

    `name_within("suite", "suite/deep/a.jsonl.gz")` is `deep/a`. A file outside the folder gives its stem.
    """
    path = Path(file)
    stem = path.name if path.is_dir() else bare_name(path)[0]
    try:
        inner = path.relative_to(folder).parent.parts
    except ValueError:
        inner = ()
    return "/".join((*inner, stem))


def check_named(source: str) -> None:
    """Raise InputError for an empty name, which a path would read as the working directory, and for an address other
    than `hf://`."""
    if not source.strip():
        raise InputError("the source is empty: name a file, a folder, an hf:// address or - for standard input")
    if _ADDRESS.match(source) and not source.startswith("hf://"):
        raise InputError("addresses are not read, only hf://org/name; download the file and name it here", source)


def is_folder(path: str | Path) -> bool:
    """True for a folder; False also for a name that the system cannot look up, such as one that is too long."""
    return os.path.isdir(path)  # noqa: PTH112 - `Path.is_dir` raises an error for such a name


def _raise(error: OSError) -> None:
    """Let `os.walk` fail at a folder that it cannot list, instead of taking it for an empty one."""
    raise error


_TABLE_ENDINGS = (".csv", ".tsv", ".tab", ".txt")
_JSON_LINES = (".jsonl", ".ndjson")


def table_of(content: Content, budget: Budget = WHOLE) -> Table:
    """The rows of one file, those of the budget where the format has a row per line; `Budget.applied` does the rest.

    Raises InputError if the format is unknown, or the file is broken or too large.
    """
    if content.data.startswith(b"PAR1"):
        from hansproof.audit.formats.frames import parquet_table

        return _known(parquet_table(content.data, content.place, budget), content.place)
    if content.data.startswith(b"PK\x03\x04"):
        return items_of_log(archived_log(content.data, content.place), content.place)
    data = utf8(content)
    if is_xml(data):
        return xml_table(data, content.place)
    start = data.lstrip()[:1]
    if start in (b"{", b"["):
        try:
            return _json(data, content, budget)
        except (InputError, UnicodeDecodeError):
            # A table may begin with a brace; only its name distinguishes that from broken JSON.
            if content.extension not in _TABLE_ENDINGS or b"\n" not in data.strip():
                raise
            table = _delimited(data, content, budget)
            if table is None:
                raise
            return table
    table = _delimited(data, content, budget)
    if table is not None:
        return table
    if content.extension in (*_JSON_LINES, ".json"):
        number, line = next(iter(lines(data)), (1, b""))
        decode(line, content.place, number)
        raise InputError("unknown format: JSON without a list of records", content.place)
    raise InputError(
        "unknown format: not JSONL, JSON, CSV, TSV or Parquet; "
        "a table needs a header line with commas or tabs between its columns",
        content.place,
    )


def _json(data: bytes, content: Content, budget: Budget) -> Table:
    """JSON Lines if the first of several lines is a complete object, else one JSON document."""
    place = content.place
    (_, first), *second = islice(lines(data), 2)
    if second and _is_object(first, place):
        return _known(jsonl_table(data, place, budget), place)
    check_values(data, place)
    try:
        document = decode(data, place)
    except (InputError, UnicodeDecodeError) as error:
        # If the second line is a record, or the extension says JSON Lines, the first line is a broken record.
        if second and (content.extension in _JSON_LINES or _is_object(second[0][1], place)):
            return _known(jsonl_table(data, place, budget), place)
        if isinstance(error, InputError):
            raise
        raise _undecodable(data, error, place) from error
    known = from_document(document, place) or releases.from_document(document)
    return known or _known(json_table(with_repeats_marked(document, data), place), place)


def _known(table: Table, place: str) -> Table:
    """The items of rows that a harness wrote, or that are passages with questions; else the rows as they are."""
    return replace(releases.from_rows(from_rows(table, place)), sampled_from=table.sampled_from)


def _is_object(line: bytes, place: str) -> bool:
    """True for a line that is a complete JSON object, even if it is not valid UTF-8."""
    try:
        return isinstance(decode(line.decode("utf-8", "replace").encode(), place), dict)
    except InputError:
        return False


def _delimited(data: bytes, content: Content, budget: Budget) -> Table | None:
    """The rows of a CSV or TSV; None if neither the first line nor the extension suggests one."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise _undecodable(data, error, content.place) from error
    delimiter = delimiter_of(text, content.extension)
    return None if delimiter is None else delimited_table(text, content.place, delimiter, budget)


def _undecodable(data: bytes, error: UnicodeDecodeError, place: str) -> InputError:
    """An error that names the line and the first byte that is not UTF-8."""
    line = data.count(b"\n", 0, error.start) + 1
    return InputError(
        f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}; save the file as UTF-8",
        f"{place}: line {line}",
    )


_YAML = (".yaml", ".yml")
_DATA_ENDINGS = (".csv", ".tsv", ".tab", ".jsonl", ".ndjson", ".json")
_LOOKED_AT = 2**16
_KEYS = re.compile(rb"^(?:doc_to_text|doc_to_target|dataset_path)[ \t]*:|^[ \t]+samples_jsonl[ \t]*:", re.M)


def is_pointer(content: Content) -> bool:
    """True for YAML by its name, or by the keys of a task or an eval where the name says nothing."""
    if content.extension in _YAML:
        return True
    if content.extension in _DATA_ENDINGS or content.data.lstrip()[:1] in (b"{", b"["):
        return False
    return _KEYS.search(content.data[:_LOOKED_AT]) is not None


def follow(content: Content, budget: Budget = WHOLE) -> tuple[Table, str | None]:
    """The rows that a file points to, and the digest of the file that has them; None for data on the Hub.

    Raises InputError if the file is no task and no registry entry, or its data cannot be read.
    """
    value, path, place = parse_yaml(content.data, content.place), Path(content.place), content.place
    if is_task(value):
        return _of_task(task_of(value, path, place), place)
    if is_registry(value):
        samples = read(str(samples_file(value, path, place)))
        return table_of(samples, budget), samples.sha256
    if isinstance(value, dict) and isinstance(value.get("task"), list):
        raise InputError("a group of lm-evaluation-harness tasks: name the file of one task", place)
    raise InputError(
        "unknown format: YAML, but neither a task of lm-evaluation-harness (dataset_path, doc_to_text, doc_to_target) "
        "nor an entry of an OpenAI evals registry (samples_jsonl)",
        place,
    )


def _of_task(task: Task, place: str) -> tuple[Table, str | None]:
    """The documents of a task, from its files or from the Hub, where label numbers stay numbers."""
    if not task.files:
        from hansproof.audit.formats.frames import dataset_table
        from hansproof.audit.reading.hub import hub_dataset

        documents = dataset_table(hub_dataset(task.address, fetch=False), task.address, named=False)
        return task_table(task, documents, place), None
    contents = [read(str(path)) for path in task.files]
    tables = [table_of(content) for content in contents]
    if len(tables) == 1:
        return task_table(task, tables[0], place), contents[0].sha256
    rows = [
        Row(f"{path.name} {row.place}", row.values) for path, table in zip(task.files, tables) for row in table.rows
    ]
    left_out = [entry for table in tables for entry in table.left_out]
    return task_table(task, Table.of("JSONL", rows, left_out), place), None
