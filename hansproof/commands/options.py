"""Options that several commands have, each set in one place: what they are called, and what they become."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, TypeVar

import click

from hansproof.generators.errors import UsageError

__all__ = [
    "ITEM_OPTIONS",
    "PERCENTAGE",
    "choice_option",
    "examples",
    "item_options",
    "item_reading",
    "named_files",
    "named_once",
    "no_cache_option",
    "original_option",
    "read_options",
    "refuse_repeated",
    "reply_options",
    "reply_reading",
    "series_options",
    "single_items",
]


class _Percentage(click.ParamType[float]):
    """`3` and `3%` are three per cent. `0.03` is refused, because it is as often meant as a share; `0.03%` is not."""

    name = "float"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, int | float):
            return float(value)
        text = str(value).strip()
        bare = text.removesuffix("%").strip()
        option = param.opts[-1] if param is not None else ""
        try:
            number = float(bare)
        except ValueError as error:
            raise UsageError(f"{text!r} is no number of points or per cent", option) from error
        if 0 < abs(number) < 1 and bare == text:
            raise UsageError(
                f"{text} may be meant as a share, but points and per cent are wanted: write {100 * number:g}, or "
                f"{text}% if you mean so little",
                option,
            )
        return number


PERCENTAGE = _Percentage()
"""The one instance: it has no state."""

_LONGEST = 80
"""Characters of a value that is shown."""


def refuse_repeated(command: click.Command | None, arguments: Sequence[str], parent: click.Context | None) -> None:
    """Raise UsageError where `arguments` give an option of `command`, or of a command in it, several times.

    Options that may be repeated (`multiple`, `count`) and a flag that says the same again are left alone, and so is
    what the command itself refuses, with a better message.
    """
    if command is None:
        return
    context = click.Context(command, parent=parent, info_name=command.name)
    several = copy(command)
    several.params = [_collecting(param) for param in command.params]
    try:
        given, rest, _ = several.make_parser(context).parse_args(list(arguments))
    except click.UsageError:
        return
    asked = command.get_help_option(context)
    if asked is not None and given.get(asked.name or ""):
        return
    for option in command.params:
        values = given.get(option.name or "", ())
        if not isinstance(option, click.Option) or option.multiple or option.count or len(values) < 2:
            continue
        if option.is_flag and len({repr(value) for value in values}) == 1:
            continue
        if option.is_flag:
            names = " and ".join([*option.opts[-1:], *option.secondary_opts[-1:]])
            raise UsageError("contradict each other; give one of them", names)
        texts = [value for value in values if isinstance(value, str)]
        # Without a value, some options have a meaning, too.
        listed = f", as {' and '.join(map(_shown, texts))}" if len(texts) == len(values) else ""
        raise UsageError(f"is given {len(values)} times{listed}; give it once", option.opts[-1])
    if isinstance(command, click.Group) and rest:
        refuse_repeated(command.get_command(context, rest[0]), rest[1:], context)


def _collecting(param: click.Parameter) -> click.Parameter:
    """The same option, of which a parser keeps all values."""
    if not isinstance(param, click.Option) or param.count:
        return param
    every = copy(param)
    every.multiple = True
    return every


def _shown(value: str) -> str:
    return repr(value if len(value) <= _LONGEST else f"{value[:_LONGEST]}...")


_F = TypeVar("_F", bound=Callable[..., Any])


def choice_option(name: str, choices: Sequence[str], words: str) -> Callable[[_F], _F]:
    """An option that takes one of `choices`: the first where it is not given, which the help shows."""
    return click.option(name, type=click.Choice(choices), default=choices[0], show_default=True, help=words)


def no_cache_option(words: str) -> Callable[[_F], _F]:
    """--no-cache, which a command gets as `cache`: False where it is given."""
    return click.option("--no-cache", "cache", is_flag=True, default=True, flag_value=False, help=words)


def series_options(command: _F) -> _F:
    """`command` with --model and --style, which it gets as `models` and `styles`."""
    words = "Only this prompt style, or filter of lm-eval. Repeatable."
    command = click.option("--style", "styles", multiple=True, metavar="NAME", help=words)(command)
    return click.option("--model", "models", multiple=True, metavar="NAME", help="Only this model. Repeatable.")(
        command
    )


def reply_options(command: _F) -> _F:
    """`command` with --column, which it gets as `columns`, and --reply-columns; see `reply_reading`."""
    words = "The columns of a table with a model's replies each."
    command = click.option("--reply-columns", metavar="NAME,NAME", help=words)(command)
    words = "Of the replies: a table's column. Repeatable."
    return click.option("--column", "columns", multiple=True, metavar="ROLE=NAME", help=words)(command)


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
    return {"columns": dict(pair.split("=", 1) for pair in columns), "reply_columns": names}


def named_once(answers: Sequence[str]) -> list[str]:
    """`named_files`. Raises UsageError for a file that a model is given twice."""
    from pathlib import Path

    from hansproof.audit.replies.sources import reply_files

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
    from hansproof.audit.replies.sources import reply_files

    files = reply_files(answers) if answers else []
    return list(dict.fromkeys(part for file in files for part in (file.given, file.path)))


# How a benchmark of items is read, in the words of `audit`.

_COLUMNS = {
    "prompt": ("COLUMN", "Of the items: column with the prompt. Default: guessed, as all of these."),
    "answer": ("COLUMN", "Of the items: column with the gold answer."),
    "template": ("TEXT", 'Of the items: the prompt composed from columns: "{premise} {hypothesis}".'),
    "group": ("COLUMN", "Of the items: column that names each item's group: pair, template, story."),
    "condition": ("COLUMN", "Of the items: column that says how the items of a group differ: original, perturbed."),
    "subset": (
        "COLUMN[,COLUMN...]",
        "Of the items: column by whose values there are also numbers, or several, by their values together: topic, "
        "level. It changes no others.",
    ),
    "split": ("COLUMN[=VALUE]", "Of the items: column with the published split; =VALUE keeps that part only."),
    "id": ("COLUMN", "Of the items: column with the item's id."),
    "choices": ("COLUMN[,COLUMN...]", "Of the items: column that lists the options, or one column per option."),
    "answer_part": ("PART", "Of the items: the part of each answer that counts: a regular expression, or key:FIELD."),
    "recipe": ("NAME", "Of the items: a published benchmark whose columns are known (hansproof audit --list-recipes)."),
}
"""Role -> (what it takes, what it is)."""

ITEM_OPTIONS = (
    {f"item_{role}": f"--{role.replace('_', '-')}" for role in _COLUMNS}
    | {"item_subset": "--breakdown"}
    | {"groups": "--groups"}
)
"""The name under which a command gets each option, and the option."""

_GROUPS = (
    "Which items count together in intervals, standard errors and p. auto: your column if there is one, otherwise "
    "detected; found: detected in the texts; none: every item stands alone.  [default: auto]"
)


def item_options(command: _F) -> _F:
    """`command` with an option for each role of a column of the items, and with --groups."""
    modes = click.Choice(["auto", "found", "none"])
    command = click.option("--groups", type=modes, help=_GROUPS)(command)
    return read_options(*_COLUMNS)(command)


def read_options(*roles: str) -> Callable[[_F], _F]:
    """The options of `item_options` for these roles alone."""

    def added(command: _F) -> _F:
        for role in reversed(roles):
            metavar, words = _COLUMNS[role]
            command = click.option(ITEM_OPTIONS[f"item_{role}"], f"item_{role}", metavar=metavar, help=words)(command)
        return command

    return added


def original_option(command: _F) -> _F:
    """`command` with --original, which it gets as `original`; None where it is not given."""
    words = (
        "Of the items: the value of --condition with which the others are compared. Default: the one called original, "
        "baseline, control or the like, or else the first."
    )
    return click.option("--original", metavar="VALUE", help=words)(command)


def single_items(sources: Sequence[str], command: str) -> str | None:
    """What the one --items names; None without it. Raises UsageError where it is given twice, for a `command` that
    takes one benchmark."""
    if len(sources) > 1:
        each = " ".join(f"--items {shlex.quote(source)}" for source in sources)
        raise UsageError(
            f"{command} takes one benchmark, and {len(sources)} are given: run it once for each, beginning with "
            f"--items {shlex.quote(sources[0])}; `hansproof analyse` takes all: {each}",
            "--items",
        )
    return sources[0] if sources else None


def item_reading(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, as the functions of a script want it: `item_columns` and `groups`."""
    named = {role: given[f"item_{role}"] for role in _COLUMNS if given.get(f"item_{role}") is not None}
    return {"item_columns": named, "groups": given.get("groups") or "auto"}


def examples(command: str, **parts: str) -> str:
    """The end of a command's help page, paragraphs as they stand: examples, and what the exit codes mean.

    Each of the `parts` stands where the text has its name, such as `@COLUMNS@`.
    """
    text = (Path(__file__).with_name("examples") / f"{command}.txt").read_text("utf-8")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return "\n\n".join(f"\b\n{paragraph}" for paragraph in text.split("\n\n"))
