"""The policy of a project, `hansproof.toml` or pyproject.toml: defaults of options, ignored rules, columns of files."""

from __future__ import annotations

import os
import re
import tomllib
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args, get_type_hints

import click
import msgspec
from click.core import ParameterSource

from hansproof.audit.reading.loading import Columns
from hansproof.audit.report.words import RULES
from hansproof.audit.result.audit_result import PolicyUsed
from hansproof.audit.settings import SLOW, Options, make_settings
from hansproof.generators.errors import InputError, UsageError, refused, unknown
from hansproof.generators.input import read_regular
from hansproof.terminal.streams import failing_verdicts

__all__ = ["Policy", "find_policy", "policy_of"]

_FILES: Final = ("hansproof.toml", "pyproject.toml")
"""In the order in which they are looked for in a folder."""
_COLUMNS: Final = [role.name.replace("_", "-") for role in fields(Columns)]
_SETTINGS: Final = {name.replace("_", "-"): kind for name, kind in get_type_hints(Options).items()}
_KINDS: Final = {name: kind for name, kind in _SETTINGS.items() if name not in _COLUMNS} | {"fail-on": list[str]}
"""Every option that a policy may set, and its type."""
_WANTED: Final = {float: "a number", int: "a whole number", int | None: "a whole number", bool: "true or false",
                  str: "a text", list[str]: "a list of verdicts"}  # fmt: skip
_RIVALS: Final[dict[str, set[str]]] = {
    "template": {"prompt", "recipe"}, "recipe": {"prompt"}, "protocol": {"partial"}, "fast": {*SLOW, "protocol"},
}  # fmt: skip
"""An option, and those that it excludes or takes the place of, as they do of it."""
_OFF: Final = (None, False, "grouped")
"""Values of options that exclude nothing."""
_IDS: Final = [rule.id for rule in RULES.values() if rule.level]


class _Files(NamedTuple):
    """What holds for the files of a pattern."""

    paths: set[str]
    columns: Mapping[str, str]
    ignored: Mapping[str, str]


@dataclass(frozen=True)
class Policy:
    """What a file says, checked, beside what the command line has given, which wins. Names are those of parameters."""

    file: str = ""
    """Empty where there is none."""
    options: Mapping[str, Any] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)
    """The ids of rules, and why each is ignored."""
    files: Sequence[_Files] = ()
    given: Mapping[str, object] = field(default_factory=dict)

    def settings(self) -> dict[str, Any]:
        """Its options."""
        return _left(self.options, self.given)

    def columns(self, source: str) -> dict[str, str]:
        """The columns of a source; of several patterns that it matches, later ones win."""
        columns: dict[str, str] = {}
        for part in self._of(source):
            columns = {**_left(columns, part.columns), **part.columns}
        return _left(columns, self.given)

    def used(self, source: str) -> PolicyUsed | None:
        """What of it holds for a source; None where there is no policy."""
        if not self.file:
            return None
        used = {**self.settings(), **self.columns(source)}
        texts = {_key(name): str(value).lower() if value is True or value is False else str(value)
                 for name, value in used.items()}  # fmt: skip
        rules = [self.ignored, *(part.ignored for part in self._of(source))]
        return PolicyUsed(file=self.file, used=texts, ignored={id: why for each in rules for id, why in each.items()})

    def blamed(self, reason: str, source: str) -> str:
        """What is wrong with a source, and what the policy says that is named in the first sentence of `reason`."""
        used, words = self.used(source), re.findall(r"\w(?:[\w.-]*\w)?", _key(reason.split(". ")[0]))
        said = [f"{name} {value}" for name, value in (used.used.items() if used else ())
                if name in words or _key(value) in words or repr(value) in reason]  # fmt: skip
        return f"{reason} ({self.file} says: {', '.join(said)})" if said else reason

    def _of(self, source: str) -> list[_Files]:
        return [part for part in self.files if os.path.realpath(source) in part.paths]


def _left(named: Mapping[str, Any], given: Mapping[str, object]) -> dict[str, Any]:
    """What is left of options beside those that win: not the same ones, nor a rival of one that is on."""
    won, lost = {name for name, value in given.items() if value not in _OFF}, set(given)
    for name, others in _RIVALS.items():
        lost |= (others if name in won else set()) | ({name} if others & won else set())
    return {name: value for name, value in named.items() if name not in lost}


def policy_of(config: str | None, context: click.Context) -> Policy:
    """The policy of a command: in the file `config`, for `none` in no file, for None in the one that `find_policy`
    finds from the current folder.

    Raises InputError for a file that cannot be read, UsageError with file and key for what is wrong in it.
    """
    path = Path(config) if config else find_policy(Path.cwd())
    if config == "none" or path is None:
        return Policy()
    shown = os.path.relpath(path)
    table = _own(_parsed(path), path)
    if table is None:
        raise UsageError("has no table [tool.hansproof]", shown)
    named, ignored = _entries(table, [*_KINDS, "files"], shown)
    patterns = _table(named.pop("files", {}), f"{shown}: files")
    options = {name: _value(_KINDS[_key(name)], value, f"{shown}: {_key(name)}") for name, value in named.items()}
    try:
        make_settings(**{name: value for name, value in options.items() if name != "fail_on"})
        if "fail_on" in options:
            options["fail_on"] = ",".join(options["fail_on"])
            failing_verdicts(options["fail_on"])
    except UsageError as error:
        raise UsageError(error.reason, shown) from error
    files = [
        _files(pattern, _table(value, f"{shown}: files.{pattern!r}"), shown) for pattern, value in patterns.items()
    ]
    given = {name.rstrip("_"): value for name, value in context.params.items()
             if context.get_parameter_source(name) is not ParameterSource.DEFAULT}  # fmt: skip
    return Policy(shown, options, ignored, files, given)


def find_policy(start: Path) -> Path | None:
    """The first file with a policy in a folder and in those above it, up to that of its repository; outside of one, in
    the folder alone, since others may write into those above."""
    above = [start, *start.parents]
    root = next((place for place, folder in enumerate(above) if (folder / ".git").exists()), 0)
    for path in (folder / name for folder in above[: root + 1] for name in _FILES):
        if path.is_file() and (path.name == _FILES[0] or _own(_parsed(path), path) is not None):
            return path
    return None


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_regular(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"not TOML: {error}", os.path.relpath(path)) from error
    except OSError as error:
        raise refused("read", error, os.path.relpath(path)) from error


def _own(data: Mapping[str, Any], path: Path) -> dict[str, Any] | None:
    """The table of ours: [tool.hansproof], or all of a file of its own. Raises UsageError for such a file with both."""
    shown, tools = os.path.relpath(path), data.get("tool")
    tools = tools if isinstance(tools, dict) else {}
    if path.name != _FILES[1] and "tool" not in data:
        return dict(data)
    if path.name != _FILES[1] and (stray := [*data.keys() - {"tool"}, *tools.keys() - {"hansproof"}]):
        both = "put all in that table, or all at the top without it"
        raise UsageError(f"has {min(stray)!r} beside [tool.hansproof]; {both}", shown)
    return _table(tools["hansproof"], f"{shown}: tool.hansproof") if "hansproof" in tools else None


def _files(pattern: str, table: Mapping[str, Any], policy: str) -> _Files:
    """What a policy says of the files of a pattern. Raises UsageError for what is wrong in it."""
    place, root = f"{policy}: files.{pattern!r}", Path(policy).parent
    named, ignored = _entries(table, _COLUMNS, place)
    columns = {name: _value(str, column, f"{place}: {_key(name)}") for name, column in named.items()}
    if not pattern or Path(pattern).is_absolute() or ".." in Path(pattern).parts:
        raise UsageError("is no pattern of files below the folder of the policy, such as 'bench/*.csv'", place)
    try:
        paths = {os.path.realpath(path) for path in root.glob(pattern)}
    except ValueError as error:  # `a**`
        raise UsageError("is no pattern of files: `**` stands for whole folders, as in '**/*.csv'", place) from error
    if not paths:
        warnings.warn(f"{place} matches no file in {str(root)!r}", stacklevel=2)
    return _Files(paths, columns, ignored)


def _entries(table: Mapping[str, Any], known: Collection[str], place: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The entries by the names of parameters, and the rules that are ignored. Raises UsageError for an unknown key or
    rule, and for a rule without a reason."""
    rules = _table(table.get("ignore", {}), f"{place}: ignore")
    for kind, names, there, at in (
        ("key", table, [*known, "ignore"], place),
        ("rule", rules, _IDS, f"{place}: ignore"),
    ):
        if name := next((name for name in names if name not in there), ""):
            raise UsageError(unknown(kind, name, there).reason, at)
    for rule, why in rules.items():
        if not isinstance(why, str) or not why.strip():
            raise UsageError(f'needs a reason: {rule} = "why it is ignored"', f"{place}: ignore: {rule}")
    named = {key.replace("-", "_"): value for key, value in table.items() if key != "ignore"}
    return named, {rule: " ".join(why.split()) for rule, why in rules.items()}


def _table(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"must be a table, not {value!r}", place)
    return value


def _key(name: str) -> str:
    return name.replace("_", "-")


def _value(kind: Any, value: object, place: str) -> Any:
    """The value as the option has it. Raises UsageError for one of another type, or that the option does not know."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        wanted = _WANTED.get(kind) or f"one of {', '.join(get_args(kind))}"
        raise UsageError(f"must be {wanted}, not {value!r}", place) from error
