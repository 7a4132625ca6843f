"""Export: a release as the tasks of another evaluation harness, beside the unchanged rows."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from hansproof.generators.errors import Fault, InputError, unknown
from hansproof.generators.input import recording
from hansproof.generators.item import Item
from hansproof.generators.jsonl import read_bytes
from hansproof.generators.output import write_together
from hansproof.generators.registry import find
from hansproof.release.checksums import LINK
from hansproof.release.exports.harnesses import HARNESSES, PLAYING
from hansproof.release.frozen import FrozenRelease, FrozenSubset, read_release

__all__ = ["LAST_NUMBER", "Suite", "Task", "export", "template"]

LAST_NUMBER = r"(-?[0-9]+(?:[.,][0-9]+)*)(?![\s\S]*[0-9])"
"""The last number of a reply, whole, for harnesses that search by a pattern."""

_PLAIN = r"[A-Za-z0-9]([A-Za-z0-9._+-]*[A-Za-z0-9_+-])?"


@dataclass(frozen=True)
class Task:
    """One subset."""

    name: str
    """`knights_knaves_S_3`; different for every subset, even on a file system that ignores case."""
    frozen: FrozenSubset

    @property
    def subset(self) -> str:
        """The subset's own name."""
        return self.frozen.name

    @property
    def items(self) -> list[Item]:
        """Its items, in the order of the release."""
        return self.frozen.items

    @property
    def file(self) -> str:
        """Where an export has the unchanged rows."""
        return f"rows/{self.subset}.jsonl"

    @property
    def multiple_choice(self) -> bool:
        """Whether every item has choices."""
        return all(item.choices is not None for item in self.items)

    @property
    def numbers(self) -> bool:
        """Whether every answer is open and a whole number in digits, so that a reply of `16` must not count for `6`."""
        return all(item.choices is None and re.fullmatch("-?[0-9]+", item.answer or "") for item in self.items)

    @property
    def gold_indices(self) -> list[int]:
        """The place of each answer among its choices, from 0; 0 for an item without choices."""
        return [item.choices.index(item.answer) if item.choices else 0 for item in self.items]


@dataclass(frozen=True)
class Suite:
    """All tasks of one release."""

    release: FrozenRelease
    tasks: tuple[Task, ...]
    played: bool = False
    """Whether its items are played turn by turn."""

    @property
    def name(self) -> str:
        """The dataset's name as Python and YAML keys take it: `knights_knaves`."""
        return _identifier(self.release.name)

    @property
    def version(self) -> str:
        """The version of the release."""
        return self.release.version

    def __str__(self) -> str:
        return str(self.release)


def suite_of(release: FrozenRelease, harness: str, playing: Sequence[str]) -> Suite:
    """The tasks of a release for a harness. `playing` are the harnesses that can ask turn by turn.

    Raises InputError for names that cannot become a task's, or would become the same, and for an item that the harness
    cannot score: it has no gold answer, and is not played there.
    """
    for name in (release.name, release.version, *(subset.name for subset in release.subsets)):
        # These become file names and parts of generated code: plain words or nothing.
        if not re.fullmatch(_PLAIN, name):
            raise InputError(f"{name!r} cannot be part of a task's name", str(release))
    family = find(release.name)
    played = family is not None and family.episode is not None
    for subset in release.subsets if not (played and harness in playing) else ():
        unanswered = next((item.id for item in subset.items if item.answer is None), None)
        if unanswered is not None:
            where = f"; it is played: {' and '.join(playing)} can do that" if played else ", so no harness can score it"
            raise InputError(f"has no right answer{where}", f"item {unanswered!r}")
    start = _identifier(release.name)
    tasks = tuple(Task(f"{start}_{_identifier(subset.name)}", subset) for subset in release.subsets)
    names = [task.name.lower() for task in tasks]
    if len(set(names)) < len(names):
        raise InputError(f"two subsets would get the same task name: {', '.join(sorted(names))}", str(release))
    return Suite(release, tasks, played)


def _identifier(text: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9]", "_", text)
    return f"_{plain}" if plain[0].isdigit() else plain


def export_bytes(path: Path | str, to: str) -> tuple[str, dict[str, bytes]]:
    """The folder's default name (`NAME-VERSION-HARNESS`), and its files: path in it -> bytes.

    Raises UsageError for an unknown harness, InputError as `read_release` and `suite_of` do and for a link.
    """
    if to not in HARNESSES:
        raise unknown("harness", to, HARNESSES)
    linked = [file for file in sorted(Path(path).glob("*")) if file.is_symlink()]
    if linked:
        raise InputError.of([Fault(LINK, str(file)) for file in linked])
    suite = suite_of(read_release(path), to, PLAYING)
    files: dict[str, bytes] = {task.file: task.frozen.data for task in suite.tasks}
    files |= import_module(HARNESSES[to]).export_files(suite)
    return f"{suite.release.name}-{suite.version}-{to}", files


def export(path: Path | str, to: str, *, out: Path | str | None = None, force: bool = False) -> list[Path]:
    """Convert a release for the harness `to`; returns the files, in the order of writing.

    Args:
        path: A release folder (NAME/VERSION), or one `.jsonl` file of items.
        to: `lm-eval`, `inspect`, `openai-evals`, `helm`, `lighteval` or `hub`.
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


def template(name: str) -> str:
    """The text of an exported file, with its places in braces; from the folder of templates."""
    return (files("hansproof.release") / "templates" / name).read_text("utf-8")
