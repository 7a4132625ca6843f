"""The options that say how a benchmark of items is read: which column is which, and which items count together.

They are called as those of `audit`, so that whoever has audited a benchmark scores it with the same words.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from generators.errors import UsageError

__all__ = ["ITEM_OPTIONS", "item_options", "item_reading", "original_option", "single_items"]

_F = TypeVar("_F", bound=Callable[..., Any])

_COLUMNS = {
    "prompt": ("COLUMN", "Of the items: column with the prompt. Default: guessed, as all of these."),
    "answer": ("COLUMN", "Of the items: column with the gold answer."),
    "template": ("TEXT", 'Of the items: the prompt composed from columns: "{premise} {hypothesis}".'),
    "group": ("COLUMN", "Of the items: column that names each item's group: pair, template, story."),
    "condition": ("COLUMN", "Of the items: column that says how the items of a group differ: original, perturbed."),
    "subset": (
        "COLUMN",
        "Of the items: column by whose values there are also numbers: topic, level. It changes no others.",
    ),
    "split": ("COLUMN[=VALUE]", "Of the items: column with the published split; =VALUE keeps that part only."),
    "id": ("COLUMN", "Of the items: column with the item's id."),
    "choices": ("COLUMN[,COLUMN...]", "Of the items: column that lists the options, or one column per option."),
    "answer_part": ("PART", "Of the items: the part of each answer that counts: a regular expression, or key:FIELD."),
    "recipe": ("NAME", "Of the items: a published benchmark whose columns are known (hansproof audit --list-recipes)."),
}
"""Role -> (what it takes, what it is)."""

ITEM_OPTIONS = {f"item_{role}": f"--{role.replace('_', '-')}" for role in _COLUMNS} | {"groups": "--groups"}
"""The name under which a command gets each option, and the option."""

_GROUPS = (
    "Which items count together in intervals, standard errors and p. auto: your column if there is one, otherwise "
    "detected; found: detected in the texts; none: every item stands alone.  [default: auto]"
)


def _once(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> str | None:
    """The value of an option that takes one. Raises UsageError where it is given several times: none of them wins."""
    if len(given) > 1:
        listed = " and ".join(map(repr, given))
        raise UsageError(f"is given {len(given)} times, as {listed}; give it once", option.opts[-1])
    return given[0] if given else None


def item_options(command: _F) -> _F:
    """`command` with an option for each role of a column of the items, and with --groups."""
    modes = click.Choice(["auto", "found", "none"])
    command = click.option("--groups", type=modes, multiple=True, callback=_once, help=_GROUPS)(command)
    for role, (metavar, words) in reversed(_COLUMNS.items()):
        name = f"item_{role}"
        command = click.option(ITEM_OPTIONS[name], name, metavar=metavar, multiple=True, callback=_once, help=words)(
            command
        )
    return command


def original_option(command: _F) -> _F:
    """`command` with --original, which it gets as `original`; None where it is not given."""
    words = (
        "Of the items: the value of --condition with which the others are compared. Default: the one called original, "
        "baseline, control or the like, or else the first."
    )
    return click.option("--original", metavar="VALUE", multiple=True, callback=_once, help=words)(command)


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
    named = {role: given[f"item_{role}"] for role in _COLUMNS if given[f"item_{role}"] is not None}
    return {"item_columns": named, "groups": given["groups"] or "auto"}
