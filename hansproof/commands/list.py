"""`hansproof list`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import check_output, json_option, write_json
from hansproof.terminal.streams import tell

if TYPE_CHECKING:
    from hansproof.generators.dataset import Dataset, Knob, Subset
    from hansproof.generators.episode import Player

__all__ = ["list_"]

_LIST_EPILOG = """\b
Examples:
  hansproof list
  hansproof list planted-cues
  hansproof list planted-cues --json
"""


@click.command("list", epilog=_LIST_EPILOG)
@click.argument("name", required=False)
@json_option
def list_(name: str | None, json_: str | None, force: bool) -> None:
    """Show the datasets that you can generate, or the subsets and hypotheses of the dataset NAME."""
    from hansproof.generators.registry import dataset, names

    if json_ is not None:
        check_output(json_, force=force)
    if name is not None:
        try:
            family = dataset(name)
        except ImportError as error:
            raise UsageError(f"cannot be loaded: {error}", name) from error
        if json_ is not None:
            hypotheses = [asdict(hypothesis) for hypothesis in family.hypotheses]
            lists = {"subsets": _subsets(family), "hypotheses": hypotheses, "players": _players(family)}
            write_json(json_, _described(family) | lists, force=force)
        else:
            _print_subsets(family)
            _print_hypotheses(family)
            _print_players(family)
        return
    families, broken = [], []
    for known in names():
        try:
            families.append(dataset(known))
        except ImportError as error:  # one family's missing dependency hides no other family
            broken.append(f"{known}: cannot be loaded: {error}")
    if json_ is not None:
        write_json(json_, [_described(family) for family in families], force=force)
    else:
        _print_families(families)
    for line in broken:
        tell(f"warning: {line}")


def _rows(family: Dataset) -> int:
    return sum(subset.rows for subset in family.subsets.values())


def _described(family: Dataset) -> dict[str, Any]:
    from hansproof.generators.registry import prose

    return {
        "name": family.name,
        "version": family.version,
        "title": family.title,
        "description": family.summary,
        "rows": _rows(family),
        "seed": family.seed,
        "citation": prose(family.name).citation,
    }


_SUBSET_FIELDS = ("rows", "description", "labels", "exploit", "balanced", "limit")
_KNOB_FIELDS = ("meaning", "least", "most", "shown")


def _subsets(family: Dataset) -> list[dict[str, Any]]:
    return [
        {"name": name}
        | {field: getattr(subset, field) for field in _SUBSET_FIELDS}
        | {"difficulty": {field: getattr(subset.knob, field) for field in _KNOB_FIELDS} if subset.knob else None}
        for name, subset in family.subsets.items()
    ]


def _players(family: Dataset) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "summary": player.summary,
            "source": player.source,
            "parameters": [{"name": key, **asdict(parameter)} for key, parameter in player.parameters.items()],
            "declines": dict(player.declines),
        }
        for name, player in family.players.items()
    ]


def _print_families(families: Sequence[Dataset]) -> None:
    from hansproof.audit.report.document import Column, tabulated
    from hansproof.audit.report.terminal import Ink, console_on

    columns: list[Column[Dataset]] = [
        Column("version", lambda family: family.version),
        Column("items", lambda family: f"{_rows(family):,}"),
        Column("what it measures", lambda family: family.summary, holds="phrases"),
    ]
    named = [(family.name, family) for family in families]
    Ink(console_on()).table(tabulated("", Column("dataset", holds="words"), columns, named))


def _print_subsets(family: Dataset) -> None:
    from hansproof.audit.report.document import Column, tabulated
    from hansproof.audit.report.terminal import Ink, console_on

    title = f"{family.name} {family.version}: {family.title}, {_rows(family):,} items"
    columns: list[Column[Subset]] = [
        Column("items", lambda subset: f"{subset.rows:,}"),
        Column("description", lambda subset: subset.description, holds="phrases"),
    ]
    ink = Ink(console_on())
    ink.table(tabulated(title, Column("subset", holds="words"), columns, family.subsets.items()))
    knobs = [(name, subset.knob) for name, subset in family.subsets.items() if subset.knob is not None]
    if knobs:
        title = f"Difficulty: hansproof generate {family.name} -s SUBSET --difficulty LEVEL -n COUNT"
        about: list[Column[Knob]] = [
            Column("levels", lambda knob: f"{knob.least} to {knob.most}", holds="words"),
            Column("a level counts", lambda knob: knob.meaning, holds="phrases"),
            Column("what was measured", lambda knob: knob.shown, holds="phrases"),
        ]
        ink.blank()
        ink.table(tabulated(title, Column("subset", holds="words"), about, knobs))


def _print_hypotheses(family: Dataset) -> None:
    from hansproof.audit.report.document import Column, ReportTable
    from hansproof.audit.report.terminal import Ink, console_on

    if not family.hypotheses:
        return
    # Whose right answers are n12 and n21, docs/answers.md says.
    expected = {"better": "n12 < n21", "worse": "n12 > n21", "either": "either"}
    title = "Hypotheses: hansproof score REPLIES --items PATH --test mcnemar"
    whole: list[Column[str]] = [
        Column("name", holds="words"),
        Column("what changes", holds="phrases"),
        Column("expects", holds="words"),
    ]
    table = ReportTable(title, [*whole, Column("before", holds="words"), Column("after", holds="words")])
    for hypothesis in family.hypotheses:
        cells = [hypothesis.name, hypothesis.statement, expected[hypothesis.expects]]
        for change in hypothesis.changes:
            table.row(*cells, *change)
            cells = [""] * 3
    ink = Ink(console_on())
    ink.blank()
    ink.table(table)
    if any(hypothesis.styles for hypothesis in family.hypotheses):
        styled = ", ".join(hypothesis.name for hypothesis in family.hypotheses if hypothesis.styles)
        ink.note(f"before and after are conditions of an item; of {styled}, they are prompt styles")
    needs: dict[tuple[str, ...], list[str]] = {}
    for hypothesis in family.hypotheses:
        needs.setdefault(hypothesis.subsets, []).append(hypothesis.name)
    where = ReportTable("", [Column("hypotheses", holds="phrases"), Column("tested on the subsets", holds="phrases")])
    for subsets, named in needs.items():
        where.row(", ".join(named), ", ".join(subsets))
    ink.blank()
    ink.table(where)


def _print_players(family: Dataset) -> None:
    from hansproof.audit.report.document import Column, tabulated
    from hansproof.audit.report.terminal import Ink, console_on

    if not family.players:
        return
    title = "Agents that play without a language model: hansproof run --agent AGENT"
    columns: list[Column[Player]] = [
        Column("what it does", lambda player: player.summary, holds="phrases"),
        Column("--set", _parameters, holds="phrases"),
    ]
    ink = Ink(console_on())
    ink.blank()
    ink.table(tabulated(title, Column("agent", holds="words"), columns, family.players.items()))


def _parameters(player: Player) -> str:
    return ", ".join(f"{key}={known.default:g}" for key, known in player.parameters.items())
