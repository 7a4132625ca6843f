"""How often the audit is wrong: its verdicts on many benchmarks whose cue, or lack of one, is known.

    python benchmarks/operating_characteristics.py list --texts FILE ...
    python benchmarks/operating_characteristics.py run RECORDS --texts FILE ... [--jobs J] [--minutes M] [--resume]
    python benchmarks/operating_characteristics.py table RECORDS [--write]

Answers and cues are planted into the texts of the files that you name, and templates are made by
`generators.planted_cues`. `run` appends one JSON line per audit to RECORDS, the most important scenarios first, so you
can stop it and resume. `table` turns the lines into tables; --write puts them and the figure into the README.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the checkout, installed or not

from measured_process import ONE_THREAD

# Before NumPy is imported, here and in every process that this one starts.
os.environ.update(ONE_THREAD)

from error_rates.catalogue import catalogue, chosen
from error_rates.curves import power_curves
from error_rates.insertion import insert_between
from error_rates.rates import cases
from error_rates.records import append, read_records, start
from error_rates.running import Plan, run, tasks
from error_rates.scenario import OPTIONS, Scenario
from error_rates.scenarios.open_ended import FAMILY
from error_rates.tables import aims, explained, full, open_ended
from error_rates.texts import Texts, read_texts

from generators.errors import HansproofError, InputError
from hansproof.terminal.progress import on_stderr

__all__ = ["main"]

ROOT = Path(__file__).resolve().parents[1]

_FIGURE = (
    '<img src="{}/error-rates.svg" alt="Share of audits called LEAKS against the strength of the cue" width="860">'
)

_MORE = """\
Real and made texts with planted answers. No cue of synonyms of kappa .3 was called CLEAN. With one word of kappa .3,
the intervals of all vectors contain their true kappa in 88, 91 and 95 % of the cases in three texts. Measured by
outside readers on other texts: of 17 benchmarks with one random answer per template and no group column, 5 were called
LEAKS (29 %), so name your groups. [All cases](benchmarks/README.md#how-often-the-audit-is-wrong)."""


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; 0 if it was done, 2 if it could not be."""
    options = _parser().parse_args(arguments)
    try:
        {"list": _list, "run": _run, "table": _table}[options.command](options)
    except HansproofError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _list(options: argparse.Namespace) -> None:
    scenarios = chosen(catalogue(read_texts(options.texts)), options.only, options.repeats, options.share)
    total = 0.0
    for scenario in scenarios:
        minutes = scenario.repeats * scenario.n * options.milliseconds / 60_000
        total += minutes
        print(f"{scenario.repeats:4d} x {scenario.n:5,d} items {minutes:6.1f} min  {scenario.name}")
    audits = sum(scenario.repeats for scenario in scenarios)
    print(f"{audits:,} audits of {len(scenarios)} scenarios, about {total:,.0f} minutes of one core")


def _run(options: argparse.Namespace) -> None:
    texts = read_texts(options.texts)
    settings = {
        name: value
        for name, value in (("permutations", options.permutations), ("splits", options.splits))
        if value is not None
    }
    records = start(options.records, _header(texts, options.seed, settings), resume=options.resume)
    todo = tasks(chosen(catalogue(texts), options.only, options.repeats, options.share), records)
    plan = Plan(tuple(options.texts), options.seed, settings)
    end = time.monotonic() + 60 * options.minutes
    with on_stderr() as progress:
        arriving = run(plan, todo, options.jobs, texts)
        for number, record in enumerate(arriving, start=1):
            append(options.records, [record])
            progress("auditing", number, len(todo))
            if time.monotonic() > end:
                break
        arriving.close()


def _table(options: argparse.Namespace) -> None:
    header, records = read_records(options.records)
    if not records:
        raise InputError("has no records", str(options.records))
    scenarios = _scenarios(header)
    open_names = {scenario.name for scenario in scenarios if scenario.family.startswith(FAMILY)}
    opened = [record for record in records if record.scenario in open_names]
    own = [record for record in records if record.scenario.startswith(OPTIONS)]
    labelled = [
        record for record in records if record.scenario not in open_names and not record.scenario.startswith(OPTIONS)
    ]
    if labelled:
        tables = full(scenarios, labelled)
        print(tables)
        if options.write:
            _write(tables, aims(scenarios, labelled), power_curves(cases(scenarios, labelled)))
    for name, several, tabled in (("open-ended", opened, open_ended), ("option", own, full)):
        if several:
            tables = tabled(scenarios, several)
            print(tables)
            if options.write:
                insert_between(ROOT / "benchmarks" / "README.md", f"{name} error rates", tables)


def _write(tables: str, short: str, figure: str) -> None:
    insert_between(ROOT / "benchmarks" / "README.md", "error rates", f"{_FIGURE.format('../docs')}\n\n{tables}")
    insert_between(ROOT / "README.md", "error rates", f"{explained(short)}\n\n{_FIGURE.format('docs')}\n\n{_MORE}")
    (ROOT / "docs" / "error-rates.svg").write_text(figure, encoding="utf-8")


def _header(texts: list[Texts], seed: int, settings: dict[str, Any]) -> dict[str, Any]:
    """What must not change between the parts of a run; also all that the tables need to know of the texts."""
    described = [
        {"name": known.name, "sha256": known.sha256, "items": len(known.prompts), "grouped": known.groups is not None}
        | ({"options": max(len(choices) for _, choices in known.items)} if known.items else {})
        for known in texts
    ]
    return {"texts": described, "seed": seed, "settings": settings}


def _scenarios(header: dict[str, Any]) -> list[Scenario]:
    """The scenarios of a run without its texts: nothing can be made from them, but they say what is right."""
    return catalogue([
        Texts(known["name"], [""] * known["items"], [], [""] if known["grouped"] else None,
              items=[("", [""] * known["options"])] if "options" in known else [])
        for known in header["texts"]
    ])  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Error rates of the audit on benchmarks whose cue is known.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (
        ("list", "show the scenarios, their repeats and an estimate of the time"),
        ("run", "audit, and append one JSON line per audit"),
        ("table", "print the tables"),
    ):
        command = commands.add_parser(name, help=about, description=about)
        if name != "list":
            command.add_argument("records", type=Path, metavar="RECORDS", help="file of JSON lines")
        if name == "table":
            command.add_argument("--write", action="store_true", help="also write both README files and the figure")
            continue
        command.add_argument("--texts", nargs="+", required=True, metavar="FILE", help="benchmarks to plant into; "
                             "most repeats use the first")  # fmt: skip
        command.add_argument("--only", nargs="+", default=[], metavar="PATTERN", help="scenarios with this in the name")
        command.add_argument("--repeats", type=int, metavar="R", help="instead of the run list's repeats")
        command.add_argument(
            "--share", type=float, default=1.0, metavar="S", help="this share of the run list's repeats"
        )
        if name == "list":
            command.add_argument("--milliseconds", type=float, default=10.0, metavar="MS",
                                 help="CPU time per item (default: 10)")  # fmt: skip
            continue
        command.add_argument("--jobs", type=int, default=1, metavar="J", help="processes of one thread (default: 1)")
        command.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="stop after M minutes")
        command.add_argument("--resume", action="store_true", help="add to RECORDS what is missing")
        command.add_argument("--seed", type=int, default=1, help="default: 1")
        command.add_argument("--permutations", type=int, metavar="B", help="default: the audit's")
        command.add_argument("--splits", type=int, metavar="S", help="default: the audit's")
    return parser


if __name__ == "__main__":
    sys.exit(main())
