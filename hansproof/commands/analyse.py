"""`hansproof analyse`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from textwrap import fill
from typing import Any, Final

import click

from hansproof.audit.models.reliance.reliance_records import FOLLOWS, NO_VERDICT
from hansproof.commands.analysis_kinds import KINDS
from hansproof.commands.options import (
    PERCENTAGE,
    examples,
    item_options,
    original_option,
    reply_options,
    series_options,
)
from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import Outputs, report_options

__all__ = ["analyse"]

_EPILOG = examples("analyse", FOLLOWS=FOLLOWS, NO_VERDICT=fill(NO_VERDICT[:1].upper() + NO_VERDICT[1:], 116))

_FILES: Final = {"json": "json_", "csv": "csv_", "html": "html", "figure": "figure", "boxes": "boxes"}
"""What is written -> the option that names the file."""
_ALWAYS: Final = ("answers", "sources", "json_", "csv_", "html", "force")
"""Options that go with every kind."""


@click.command(epilog=_EPILOG)
@click.argument("answers", nargs=-1, required=True, metavar="REPLIES...")
@click.option("--by", type=click.Choice(list(KINDS)), default=next(iter(KINDS)),
              show_default=True, help="What to analyse by.")  # fmt: skip
@click.option("--items", "sources", multiple=True, metavar="SOURCE",
              help="What was asked: a release folder or a benchmark of any format. Repeatable.")  # fmt: skip
@item_options
@original_option
@click.option("--families", metavar="FILE", help="CSV with the columns model and family.")
@series_options
@reply_options
@click.option("--judged", type=click.Choice(["reply", "harness"]), help="Whose verdict counts.  [default: reply]")
@click.option("--skip-missing", is_flag=True, default=None,
              help="Leave out items without a reply; otherwise they are wrong.")  # fmt: skip
@click.option("--protocol", type=click.Choice(["grouped", "paper"]),
              help="paper: audit and test as Pacchiardi et al. (2024).  [default: grouped]")  # fmt: skip
@click.option("--task", type=click.Choice(["auto", "fixed", "open"]),
              help="fixed: audit the answers as one shared set of labels.  [default: auto]")  # fmt: skip
@click.option("--threshold", type=float, help="Smallest kappa that counts as a shortcut.  [default: 0.2]")
@click.option("--splits", type=int, help="Times the audit splits the items anew.  [default: 10]")
@click.option("--permutations", type=int, help="Permutations behind each p of the audit.  [default: 999]")
@click.option("--seed", type=int, help="Seed of the audit, or of the bootstrap of a phenotype.  [default: 42; 0]")
@click.option("--no-audit", is_flag=True, default=None,
              help="Of items: say nothing of surface cues, which saves the audit.")  # fmt: skip
@click.option("--workers", type=int, help="Threads of the audit; 0 for one per core.  [default: 0]")
@click.option("--expect", type=click.Choice(["original", "perturbed", "either"]),
              help="Of hypotheses: which is right more often, for one-sided tests.  [default: either]")  # fmt: skip
@click.option("--original-style", metavar="NAME",
              help="Of hypotheses: compare the other prompt styles with this one, on the same items.")  # fmt: skip
@click.option("--hypothesis", "names", multiple=True, metavar="NAME", help="Test only this one. Repeatable.")
@click.option("--shift", type=PERCENTAGE, metavar="POINTS", help="Say how many pairs this shift needs.  [default: 5]")
@click.option("--svg", "figure", metavar="FILE", help="Draw the scatter plot, the tests or the phenotype (SVG).")
@click.option("--boxes", metavar="FILE", help="Draw the accuracies on both parts as box plots (SVG).")
@report_options(
    csv="Write a table with a row per model and benchmark, effect, test, item or model.",
    html="Write one HTML page: the whole study, the effects, the tests or the phenotypes.",
)
@click.pass_context
def analyse(context: click.Context, /, by: str, **given: Any) -> None:
    """Analyse the answers of models to benchmarks: by shortcuts, hypotheses, effects, items or phenotypes."""
    kind = KINDS[by]
    for option in context.command.params:
        if option.name in given and option.name not in (*_ALWAYS, *kind.takes) and given[option.name] not in (None, ()):
            raise UsageError(f"{option.opts[-1]} does not go with --by {by}")
    outputs = Outputs(force=given["force"], **{name: given[option] for name, option in _FILES.items()})
    outputs.check(kind.reads(given))
    outputs.give(kind.make(given, outputs.wanted))
