"""Which files hold the answers and whose they are: names, folders of logs, and what lies beside answers."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hansproof.audit.formats.content import STDIN, Content, bare_name
from hansproof.audit.formats.given import Given, called, given, given_all
from hansproof.audit.formats.table import as_name, cell
from hansproof.audit.harnesses.answer_lines import NoAnswersError
from hansproof.audit.harnesses.log_values import LONGEST_NAME, name_fault
from hansproof.audit.notation import first_of
from hansproof.audit.reading.loading import read_table
from hansproof.audit.replies.recognition import INPUT, is_input
from hansproof.generators.errors import Fault, HansproofError, InputError, UsageError

__all__ = ["Beside", "ReplyFile", "is_chosen", "read_families", "refuse_several", "reply_files"]

STATE = "scenario_state.json"
"""The answers of a run of HELM, whose folder is one log."""
ENDINGS = (".eval", ".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab", ".parquet")
"""Of files that may hold answers, packed or not."""

_OF_HELM = re.compile(
    r"(annotations|display_predictions|display_requests|instances|per_instance_stats|run_spec|scenario|stats)\.json"
)
"""What HELM writes beside a scenario state."""
_OF_SUITE = re.compile(r"(costs|groups|groups_metadata|run_specs|runs|runs_to_run_suites|schema|summary)\.json")
"""What `helm-summarize` writes into the folder of a suite of runs."""
_SAMPLES = re.compile(r"samples_.+?(?:_(?P<date>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\.jsonl")
"""The answers of lm-evaluation-harness; its results of the same date are a part of them."""
_RESULTS = re.compile(r"results.*\.json")


def files_within(folder: Path) -> tuple[list[str], list[str]]:
    """The files of a folder and of the folders in it, in the order of their paths: those that may hold answers, by
    their names, and those of other kinds. What a harness writes beside its logs, and hidden files, are neither.

    Raises OSError where it cannot be searched.
    """
    files = sorted(
        path
        for path in folder.rglob("*")
        if not any(part.startswith(".") for part in path.relative_to(folder).parts) and not path.is_dir()
    )
    runs = {path.parent for path in files if path.name == STATE}
    suites = {folder for run in runs for folder in (run, run.parent, run.parent.parent)}
    samples = [match for path in files if (match := _SAMPLES.fullmatch(path.name))]
    dates = tuple(f"_{match['date']}.json" for match in samples if match["date"])
    answers: list[str] = []
    others: list[str] = []
    for path in files:
        of_lm_eval = bool(samples) and (path.name.endswith(dates) or _RESULTS.fullmatch(path.name) is not None)
        of_run = path.parent in runs and _OF_HELM.fullmatch(path.name)
        if of_lm_eval or of_run or (path.parent in suites and _OF_SUITE.fullmatch(path.name)):
            continue
        (answers if bare_name(path)[1] in ENDINGS else others).append(str(path))
    return answers, others


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
    content: Content | None = None
    """What it holds, where it is no file but was passed to a function."""

    @property
    def size(self) -> int:
        """Its bytes, where it can be read again; -1 for any other, and for what cannot be looked at."""
        if self.content is not None:
            return len(self.content.data)
        try:
            return Path(self.path).stat().st_size if Path(self.path).is_file() else -1
        except (OSError, ValueError):
            return -1

    def digest(self) -> str:
        """Of its bytes; its path where they cannot be read, which makes it nobody's copy."""
        if self.content is not None:
            return self.content.sha256
        try:
            with Path(self.path).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            return self.path


def reply_files(sources: Given) -> list[ReplyFile]:
    """The files that `sources` name: `FILE`, `NAME=FILE`, or a folder of answers of any kinds; `-` is standard input.
    Rows in memory (`Given`) are a file, too.

    Raises UsageError for a name that is too long or not printable, an empty source, no sources, and standard input
    twice; InputError for a folder without files that may hold answers.
    """
    named = given_all(sources, "answers")
    if "" in named:
        raise UsageError("the name of a file of answers is empty: name a file or a folder")
    split = [("", source.place) if isinstance(source, Content) else _split(source) for source in named]
    paths = [path for _, path in split]
    if len(twice := [str(source) for source, path in zip(named, paths, strict=True) if is_input(path)]) > 1:
        raise UsageError(f"{' and '.join(twice)} are one standard input, which is read once; name files for the others")
    parts = [
        [ReplyFile(path, content=source)] if isinstance(source, Content) else _files(name, path)
        for source, (name, path) in zip(named, split, strict=True)
    ]
    files = [replace(file, number=number, given=paths[number]) for number, part in enumerate(parts) for file in part]
    if not files:
        raise UsageError("there are no files of answers; name at least one")
    # Models that the files do not name are called by them, where there are several to be told apart.
    by_file = _told_apart([file.path for file in files]) if len(files) > 1 else [""] * len(files)
    by_source = _told_apart(paths) if len(paths) > 1 else [""] * len(paths)
    return [replace(file, called=name, source=by_source[file.number]) for file, name in zip(files, by_file)]


def _told_apart(paths: Sequence[str]) -> list[str]:
    """A short name for each path: that of the file, or of the folder for logs of which every model has one of the same
    name, with folders in front where that is not enough. Logs of one folder share its name."""
    parts = [_parts(path) for path in paths]
    names: list[str] = []
    for depth in range(1, max(map(len, parts)) + 1):
        names = ["/".join(part[-depth:]) for part in parts]
        if len({*zip(names, parts)}) == len({*names}):
            break
    # They may stand in a table: without what is not printable, and not too long.
    return ["".join(letter if letter.isprintable() else "?" for letter in name)[-LONGEST_NAME:] for name in names]


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


def _split(source: str) -> tuple[str, str]:
    """The name in front of a path, and the path. A file whose own name has an equals sign is still that file."""
    name, _, path = source.partition("=")
    return (name, path) if name and path and "/" not in name and not _is_there(source) else ("", source)


def _files(name: str, path: str) -> list[ReplyFile]:
    if wrong := name_fault(name):
        raise UsageError(f"the name of a model {wrong}", f"{name}={path}")
    return [replace(file, model=name.strip()) for file in _files_at(path)]


def _files_at(path: str) -> list[ReplyFile]:
    try:
        if path == INPUT or not Path(path).is_dir():
            return [ReplyFile(path)]
        files, _ = files_within(Path(path))
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


def read_families(source: Given) -> Mapping[str, str]:
    """Model -> family, from a table with the columns `model` and `family`.

    Raises InputError for a table without these columns, a model without a name, and a model with two families.
    """
    held, place = given(source, "families"), called(source)
    table = read_table(held)
    names = {name.strip().lower(): name for name in reversed(table.columns)}
    if not {"model", "family"} <= names.keys():
        raise InputError("has no columns `model` and `family`: write a line of headings `model,family`", place)
    families: dict[str, str] = {}
    faults = [Fault(entry.full_reason, f"{place}: {entry.place}") for entry in table.left_out]
    for row in table.rows:
        model, family = (as_name(cell(row.values, names[name])) or "" for name in ("model", "family"))
        where = f"{place}: {row.place}"
        if not model:
            faults.append(Fault("needs a model and its family", where))
        elif wrong := name_fault(model) or name_fault(family):
            faults.append(Fault(f"a name {wrong}", where))
        elif families.setdefault(model, family) != family:
            faults.append(Fault(f"the model {model!r} has another family above", where))
    if faults:
        raise InputError.of(faults)
    return families


_LISTED = 4


def refuse_several(known: Mapping[int, Mapping[str, ReplyFile]]) -> None:
    """Raise UsageError for a file or folder of several models under one name from outside.

    `known` are, for each source, the models that it names itself, of the replies that are used. One name for two models
    would merge them, and the second answer of each item would count as given again.
    """
    for names in known.values():
        if len(names) > 1:
            file = next(iter(names.values()))
            more = [f"{len(names) - _LISTED} more"] if len(names) > _LISTED else []
            *first, last = [*list(names)[:_LISTED], *more]
            raise UsageError(
                f"holds {len(names)} models, {', '.join(first)} and {last}, and {file.model}= names one; leave it out, "
                "or choose one of them with --model",
                file.given or file.path,
            )


def is_chosen(models: Collection[str], file: ReplyFile, own: str, name: str) -> bool:
    """Whether a reply is of one of `models`, all where there are none: by its name, or by that which its file had
    for it before `NAME=FILE` gave it another."""
    return not models or name in models or (bool(file.model) and own in models)


_SHOWN = 5
"""Files that a note lists."""


class Beside:
    """What of some files is not read, and why: other kinds, no answers, and copies of other files."""

    def __init__(self, files: Sequence[ReplyFile]) -> None:
        self._files = files
        self._without: dict[str, list[tuple[str, HansproofError, str]]] = {}
        self._sizes = Counter(file.size for file in files)
        self._read: dict[tuple[str, str, str], str] = {}
        self._copies: list[str] = []

    def leave_out(self, file: ReplyFile, why: HansproofError) -> None:
        """Count a file of a folder that holds no answers, or not the columns that somebody names."""
        named = isinstance(why, UsageError)
        short = why.short if isinstance(why, NoAnswersError) else "it lacks a named column" if named else why.reason
        self._without.setdefault(file.folder, []).append((file.path, why, short))

    def is_copy(self, file: ReplyFile, model: str, benchmark: str) -> bool:
        """Whether a file has the bytes of one before it and answers of the same model to the same benchmark."""
        size = file.size
        if size <= 0 or self._sizes[size] < 2:
            return False
        first = self._read.setdefault((file.digest(), model, benchmark), file.path)
        if first != file.path:
            self._copies.append(f"{file.path}: a copy of {first}, byte for byte, and left out: its answers count once")
        return first != file.path

    def notes(self) -> Iterator[str]:
        """A sentence for each folder of which files are left out, and for each copy.

        Raises InputError for a folder of which nothing is left.
        """
        for folder in dict.fromkeys(file.folder for file in self._files if file.folder):
            without = self._without.get(folder, [])
            if without and len(without) == sum(file.folder == folder for file in self._files):
                count, why = f"{len(without):,}", without[0][1]
                if len(without) == 1:
                    raise why
                raise InputError(
                    f"a folder without answers: none of its {count} files holds any; the first, {why}", folder
                )
            left = [f"{_within(folder, path)} ({short})" for path, _, short in without]
            left += [_within(folder, path) for path in files_within(Path(folder))[1]]
            if left:
                count = "1 file holds no answers and is" if len(left) == 1 else (
                    f"{len(left):,} files hold no answers and are")  # fmt: skip
                yield f"{folder}: {count} left out: {first_of(left, _SHOWN)}"
        yield from self._copies


def _within(folder: str, path: str) -> str:
    return str(Path(path).relative_to(folder))
