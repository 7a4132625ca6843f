"""An option that takes one value and is given several times: refused for every command, since no value should win."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import click

from generators.errors import UsageError

__all__ = ["refuse_repeated"]

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
