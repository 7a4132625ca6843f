"""`hansproof list`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from generators.errors import UsageError

if TYPE_CHECKING:
    from generators.dataset import Dataset

__all__ = ["list_"]


@click.command("list", epilog="\b\nExamples:\n  hansproof list\n  hansproof list planted-cues --json")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Every dataset and subset as JSON.")
def list_(name: str | None, as_json: bool) -> None:
    """Show the datasets that can be made, with their subsets, or NAME alone."""
    from generators.registry import MODULES, dataset

    families, broken = [], []
    names = [name] if name else list(MODULES)
    for one in names:
        try:
            families.append(dataset(one))
        except ImportError as error:  # one family's missing dependency hides no other family
            broken.append(f"{one} cannot be loaded: {error}")
    if name and broken:
        raise UsageError(broken[0])
    if as_json:
        click.echo(json.dumps([_described(family) for family in families], indent=2, ensure_ascii=False))
    else:
        _print_table(families)
    for line in broken:
        click.echo(f"warning: {line}", err=True)


def _described(family: Dataset) -> dict[str, Any]:
    subsets = [
        {
            "name": name,
            "rows": subset.rows,
            "description": subset.description,
            "labels": subset.labels,
            "known_leak": subset.known_leak,
            "limit": subset.limit,
        }
        for name, subset in family.subsets.items()
    ]
    return {
        "name": family.name,
        "version": family.version,
        "title": family.title,
        "description": family.summary,
        "rows": sum(subset.rows for subset in family.subsets.values()),
        "seed": family.seed,
        "citation": family.citation,
        "subsets": subsets,
    }


def _print_table(families: Iterable[Dataset]) -> None:
    from rich.text import Text

    from audit.report.terminal.ink import Ink, console_on
    from audit.report.terminal.table import Column, Table

    table = Table(Column("dataset / subset", "words"), Column("rows"), Column("description", "phrases"))
    for family in families:
        rows = sum(subset.rows for subset in family.subsets.values())
        about = Text.assemble((f"{family.title}.", "bold"), f" {family.summary}")
        table.section()
        table.row(Text(f"{family.name} {family.version}", "bold"), f"{rows:,}", about)
        for name, subset in family.subsets.items():
            table.row(Text(f"  {name}"), f"{subset.rows:,}", subset.description)
    Ink(console_on()).table(table)
