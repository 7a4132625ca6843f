"""How often the audit is wrong: its verdicts on many benchmarks whose cue, or lack of one, is known.

    python benchmarks/operating_characteristics.py run RECORDS --texts FILE ... [--jobs J] [--minutes M] [--resume]
    python benchmarks/operating_characteristics.py table RECORDS [--write]

Answers and cues are planted into the texts of the files that you name, and templates are made by
`generators.planted_cues`. `run` appends one JSON line per audit to RECORDS, the most important scenarios first, so you
can stop it and resume. `table` turns the lines into tables; --write puts the short ones and the figure into the pages,
and all cases into `error_rates/published`.
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
from error_rates.rates import cases
from error_rates.records import Record, append, read_records, start
from error_rates.running import Plan, run, tasks
from error_rates.scenario import OPTIONS, Scenario
from error_rates.scenarios.open_ended import FAMILY
from error_rates.tables import aims, explained, published
from error_rates.texts import Texts, read_texts

from hansproof.generators.errors import HansproofError, InputError
from hansproof.terminal.streams import on_stderr

__all__ = ["insert_between", "main"]

ROOT = Path(__file__).resolve().parents[1]

BLOCKS = {"labels": "error rates", "open-ended": "open-ended error rates", "options": "option error rates"}
"""Kinds of answers, and between which markers of benchmarks/README.md their tables stand."""

_FIGURE = (
    '<img src="{}/error-rates.svg" alt="Share of audits called LEAKS against the strength of the cue" width="860">'
)

_MORE = """\
Texts and templates that no rule was developed on: tweets, reviews, editorials; 14 sets of templates in eight languages
by a language model, of which German inferences that differ by structure alone gave six of the seven LEAKS.
[All cases](benchmarks/README.md#how-often-the-audit-is-wrong)."""


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; 0 if it was done, 2 if it could not be."""
    options = _parser().parse_args(arguments)
    try:
        {"run": _run, "table": _table}[options.command](options)
    except HansproofError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


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
    for kind, block in BLOCKS.items():
        own = [record for record in records if _kind(record) == kind]
        if not own:
            continue
        page, files = published(scenarios, own, kind)
        print("\n\n".join([page, *(f"{name}\n{text}" for name, text in files.items())]))
        if not options.write:
            continue
        if kind == "labels":
            _write(aims(scenarios, own), power_curves(cases(scenarios, own)))
            page = f"{_FIGURE.format('../docs')}\n\n{page}"
        insert_between(ROOT / "benchmarks" / "README.md", block, page)
        for name, text in files.items():
            (ROOT / "benchmarks" / "error_rates" / "published" / name).write_text(text, encoding="utf-8")


def _kind(record: Record) -> str:
    starts = {"options": OPTIONS, "open-ended": FAMILY}
    return next((kind for kind, start in starts.items() if record.scenario.startswith(start)), "labels")


def _write(short: str, figure: str) -> None:
    # The front page has the larger size of cues that are hard to find at any.
    kept = "\n".join(line for line in short.splitlines() if not ("synonyms" in line and "n = 300" in line))
    insert_between(ROOT / "README.md", "error rates", f"{explained(kept)}\n\n{_FIGURE.format('docs')}\n\n{_MORE}")
    (ROOT / "docs" / "error-rates.svg").write_text(figure, encoding="utf-8")


def insert_between(page: Path, name: str, text: str) -> None:
    """Replace what stands between `<!-- NAME: begin -->` and `<!-- NAME: end -->` in a page.

    Raises InputError unless both markers stand there once, in this order.
    """
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    content = page.read_text(encoding="utf-8")
    if content.count(begin) != 1 or content.count(end) != 1 or content.index(begin) > content.index(end):
        raise InputError(f"needs the markers {begin} and {end}, once each and in this order", str(page))
    before, after = content.split(begin)[0], content.split(end)[1]
    page.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", encoding="utf-8")


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
    table = commands.add_parser("table", help="print the tables")
    table.add_argument("--write", action="store_true", help="also write the pages, all cases and the figure")
    command = commands.add_parser("run", help="audit, and append one JSON line per audit")
    for each in (table, command):
        each.add_argument("records", type=Path, metavar="RECORDS", help="file of JSON lines")
    command.add_argument("--texts", nargs="+", required=True, metavar="FILE", help="benchmarks to plant into; "
                         "most repeats use the first")  # fmt: skip
    command.add_argument("--only", nargs="+", default=[], metavar="PATTERN", help="scenarios with this in the name")
    command.add_argument("--repeats", type=int, metavar="R", help="instead of the run list's repeats")
    command.add_argument("--share", type=float, default=1.0, metavar="S", help="this share of the run list's repeats")
    command.add_argument("--jobs", type=int, default=1, metavar="J", help="processes of one thread (default: 1)")
    command.add_argument("--minutes", type=float, default=float("inf"), metavar="M", help="stop after M minutes")
    command.add_argument("--resume", action="store_true", help="add to RECORDS what is missing")
    command.add_argument("--seed", type=int, default=1, help="default: 1")
    command.add_argument("--permutations", type=int, metavar="B", help="default: the audit's")
    command.add_argument("--splits", type=int, metavar="S", help="default: the audit's")
    return parser


if __name__ == "__main__":
    sys.exit(main())
