"""The policy of a project, `hansproof.toml` or pyproject.toml: defaults of options, ignored rules, columns of files."""

from __future__ import annotations

import os
import tomllib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import click

from hansproof.audit.report.words import RULES
from hansproof.audit.result.audit_result import PolicyUsed
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import InputError, UsageError, near_miss
from hansproof.generators.input import read_regular

__all__ = ["Policy", "find_policy", "read_policy"]

_FILES: Final = ("hansproof.toml", "pyproject.toml")
"""In the order in which they are looked for in a folder."""
_SETTINGS: Final = (
    "threshold", "alpha", "splits", "permutations", "folds", "seed", "groups", "task", "protocol", "solver", "trees",
    "thorough", "fast", "partial", "grades", "max-left-out", "max-rows", "fail-on",
)  # fmt: skip
_COLUMNS: Final = ("prompt", "answer", "group", "split", "template", "id", "answer-part", "choices", "recipe")
_RIVALS: Final = (
    ("prompt", "template"), ("prompt", "recipe"), ("template", "recipe"), ("partial", "protocol"),
    *(("fast", slow) for slow in ("thorough", "partial", "trees", "grades", "protocol")),
)  # fmt: skip
"""Options that exclude each other, or say the same thing in another way."""
_OFF: Final = (None, False, "grouped")
"""Values of options that exclude nothing."""
_IDS: Final = {rule.id: rule for rule in RULES.values() if rule.level}


def _left(named: Mapping[str, Any], given: Mapping[str, object]) -> dict[str, Any]:
    """What is left of options beside those that win: not the same ones, nor a rival of one that is on."""
    won = {name for name, value in given.items() if value not in _OFF}
    lost = {*given, *(a for a, b in _RIVALS if b in won), *(b for a, b in _RIVALS if a in won)}
    return {name: value for name, value in named.items() if name not in lost}


@dataclass(frozen=True)
class Policy:
    """What a file says, checked."""

    file: str
    options: Mapping[str, Any]
    """Defaults of the command, by the names of its parameters."""
    ignored: Mapping[str, str]
    """The ids of rules, and why each is ignored."""
    files: tuple[tuple[str, Mapping[str, str], Mapping[str, str]], ...]
    """Pattern, columns (by the names of parameters) and ignored rules of some files."""

    def settings(self, given: Mapping[str, object]) -> dict[str, Any]:
        """Its options, beside those that the command line has `given`."""
        return _left(self.options, given)

    def columns(self, source: str, given: Mapping[str, object]) -> dict[str, str]:
        """The columns of a source, beside what is `given`; of several patterns that it matches, later ones win."""
        columns: dict[str, str] = {}
        for more, _ in self._matched(source):
            columns = {**_left(columns, more), **more}
        return _left(columns, given)

    def used(self, source: str, given: Mapping[str, object]) -> PolicyUsed:
        """What of it holds for a source, beside what is `given`."""
        taken = self.settings(given) | self.columns(source, given)
        used = {name.replace("_", "-"): _text(value) for name, value in taken.items()}
        rules = [self.ignored, *(rules for _, rules in self._matched(source))]
        return PolicyUsed(file=self.file, used=used, ignored={id: why for each in rules for id, why in each.items()})

    def _matched(self, source: str) -> list[tuple[Mapping[str, str], Mapping[str, str]]]:
        path = os.path.realpath(source)
        return [(columns, rules) for (_, columns, rules), paths in zip(self.files, self._paths) if path in paths]

    @cached_property
    def _paths(self) -> list[set[str]]:
        """The files of each pattern, with a warning where there are none."""
        root = Path(self.file).parent
        every = [{os.path.realpath(path) for path in root.glob(pattern)} for pattern, _, _ in self.files]
        for (pattern, _, _), paths in zip(self.files, every, strict=True):
            if not paths:
                warnings.warn(f"{self.file}: files.{pattern!r} matches no file in {str(root)!r}", stacklevel=2)
        return every


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def find_policy(start: Path) -> Path | None:
    """The first file with a policy in a folder and in those above it, up to that of its repository; outside of one, in
    the folder alone, since others may write into those above."""
    above = [start, *start.parents]
    root = next((place for place, folder in enumerate(above) if (folder / ".git").exists()), 0)
    for folder in above[: root + 1]:
        for name in _FILES:
            path = folder / name
            if path.is_file() and (name == _FILES[0] or _table(_parsed(path), path) is not None):
                return path
    return None


def read_policy(path: Path, command: click.Command) -> Policy:
    """Raises InputError for a file that cannot be read, UsageError with file and key for what is wrong in it."""
    shown = os.path.relpath(path)
    table = _table(_parsed(path), path)
    if table is None:
        raise UsageError("has no table [tool.hansproof]", shown)
    _check_keys(table, (*_SETTINGS, "ignore", "files"), shown)
    params = {param.name or "": param for param in command.params}
    options = {name.replace("-", "_"): _value(params[name.replace("-", "_")], table[name], f"{shown}: {name}")
               for name in _SETTINGS if name in table}  # fmt: skip
    try:
        make_settings(**{name: value for name, value in options.items() if name != "fail_on"})
    except UsageError as error:
        raise UsageError(error.reason, shown) from error
    files = []
    for pattern, columns in _tables(table.get("files", {}), f"{shown}: files").items():
        place = f"{shown}: files.{pattern!r}"
        if not pattern or Path(pattern).is_absolute() or ".." in Path(pattern).parts:
            raise UsageError("is no pattern of files below the folder of the policy, such as 'bench/*.csv'", place)
        try:
            next(Path().glob(pattern), None)
        except ValueError as error:  # `a**`
            raise UsageError(
                "is no pattern of files: `**` stands for whole folders, as in '**/*.csv'", place
            ) from error
        known = _tables({"": columns}, place)[""]
        _check_keys(known, (*_COLUMNS, "ignore"), place)
        named = {name.replace("-", "_"): value for name, value in known.items() if name != "ignore"}
        for name, value in named.items():
            if not isinstance(value, str) or not value:
                raise UsageError(f"must be a text, not {value!r}", f"{place}: {name}")
        if {"prompt", "template"} <= named.keys():
            raise UsageError("has both a prompt column and a template: name one of them", place)
        files.append((pattern, named, _ignored(known.get("ignore", {}), f"{place}: ignore")))
    return Policy(shown, options, _ignored(table.get("ignore", {}), f"{shown}: ignore"), tuple(files))


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_regular(path).decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"not TOML: {error}", os.path.relpath(path)) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", os.path.relpath(path)) from error


def _table(data: Mapping[str, Any], path: Path) -> dict[str, Any] | None:
    """The table of ours: [tool.hansproof], or all of a file of its own. Raises UsageError for such a file with both."""
    tool = data.get("tool")
    tool = tool if isinstance(tool, dict) else {}
    table = tool.get("hansproof")
    if path.name != _FILES[1]:
        stray = [*(key for key in data if key != "tool"), *(f"tool.{key}" for key in tool if key != "hansproof")]
        if "tool" in data and stray:
            raise UsageError(
                f"has {stray[0]!r} beside [tool.hansproof]; put all in that table, or all at the top without it",
                os.path.relpath(path),
            )
        table = table if "tool" in data else data
    return None if table is None else _tables({"": table}, f"{path.name}: tool.hansproof")[""]


def _tables(value: object, place: str) -> dict[str, dict[str, Any]]:
    if not isinstance(value, dict):
        raise UsageError(f"must be a table, not {value!r}", place)
    for name, inner in value.items():
        if not isinstance(inner, dict):
            raise UsageError(f"must be a table, not {inner!r}", f"{place}.{name!r}" if name else place)
    return value


def _check_keys(table: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    for key in table:
        if key not in known:
            raise UsageError(f"there is no key {key!r}.{near_miss(key, known)} Known: {', '.join(known)}", place)


def _value(param: click.Parameter, value: object, place: str) -> Any:
    """The value as the option has it. Raises UsageError for one of another type, or that the option does not know."""
    kinds: tuple[type, ...] = (str,)
    wanted = "a text"
    if isinstance(param, click.Option) and param.is_flag:
        kinds, wanted = (bool,), "true or false"
    elif isinstance(param.type, click.types.FloatParamType):
        kinds, wanted = (int, float), "a number"
    elif isinstance(param.type, click.types.IntParamType):
        kinds, wanted = (int,), "a whole number"
    elif param.name == "fail_on" and isinstance(value, list) and all(isinstance(word, str) for word in value):
        value = ",".join(value)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise UsageError(f"must be {wanted}, not {value!r}", place)
    if isinstance(param.type, click.Choice) and value not in param.type.choices:
        raise UsageError(f"must be one of {', '.join(param.type.choices)}, not {value!r}", place)
    if param.name == "fail_on":
        from hansproof.terminal.streams import failing_verdicts

        try:
            failing_verdicts(str(value))
        except UsageError as error:
            raise UsageError(error.reason, place) from error
    return float(value) if isinstance(value, int) and kinds == (int, float) else value


def _ignored(table: object, place: str) -> dict[str, str]:
    """Raises UsageError for a rule that there is not, and for one that is ignored without a reason."""
    if not isinstance(table, dict):
        raise UsageError('must be a table of rules with reasons: LEAK001 = "why"', place)
    for rule, why in table.items():
        if rule not in _IDS:
            raise UsageError(f"there is no rule {rule!r}.{near_miss(rule, _IDS)} Known: {', '.join(_IDS)}", place)
        if not isinstance(why, str) or not why.strip():
            raise UsageError(f'needs a reason: {rule} = "why it is ignored"', f"{place}: {rule}")
    return {rule: " ".join(why.split()) for rule, why in table.items()}
