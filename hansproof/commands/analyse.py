"""`hansproof analyse`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from typing import Any, Final

import click

from hansproof.commands.analysis_kinds import KINDS, SHORTCUT_LEGEND
from hansproof.commands.options import PERCENTAGE, item_options, original_option, reply_options, series_options
from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import Outputs, report_options

__all__ = ["analyse"]

_EPILOG = f"""\b
Examples:
  hansproof analyse logs/ --by shortcut --html study.html
  hansproof analyse gpt.jsonl mine=run.jsonl --items benchmark.csv --families families.csv
  hansproof analyse logs/ --items first.jsonl --items second.csv --figure scatter.svg --boxes boxes.svg
  hansproof analyse logs/ --json | jq '.pairs[] | {{model, on_right, on_wrong}}'
  hansproof analyse replies.jsonl --by experiment --items quiz.csv --html experiment.html
  hansproof analyse replies.jsonl --by hypotheses --items datasets/token-bias/1.1.0 --figure bars.svg
  hansproof analyse replies.jsonl --by hypotheses --items datasets/token-bias/1.1.0 --html tests.html --csv tests.csv
  hansproof analyse replies.jsonl --by effects --items datasets/word-problems/1.0.0 --html effects.html
  hansproof analyse replies.jsonl --by effects --items arms.csv --group pair --condition arm --csv effects.csv
  hansproof analyse replies.jsonl --by effects --items arms.csv --group pair --condition arm --original plain
  hansproof analyse runs.jsonl --by phenotype --html phenotype.html

\b
{SHORTCUT_LEGEND}

\b
--by effects compares matched conditions, as `score` does: accuracy on the original items less accuracy on others of
their groups. Families of hansproof declare what is compared. In any other benchmark, --group names the column that
says which items are matched, and --condition the column that says how they differ; every condition is compared with
the one that --original names, or else with the one called original (or baseline, base, control, reference,
unperturbed, unchanged, clean), or else with the one that occurs first. An effect is made of the groups with exactly one
item of each of its two conditions and, with --skip-missing, a reply to both: whether a third condition has one does not
matter. --by experiment reads replies to both versions of the items that `prompts --part` or `--exchange` wrote: does a
model answer without the question, or follow a word? --by hypotheses tests the hypotheses that a family declares, on
matched pairs; --by phenotype is `hansproof phenotype`.

\b
Output is said in one way by score, compare and analyse: tables on the screen, every number with --json [FILE], rows
with --csv FILE, one page that needs no network with --html FILE. The page of --by shortcut is the whole study: what was
read, accuracies, differences between models, and, where the items have them, effects, hypotheses and phenotypes.

\b
REPLIES are files in any format that `score` reads, NAME=FILE to name the model, or folders of logs. Without --items,
logs that hold prompts and gold answers are benchmarks by themselves. Items are read and grouped as by `audit`, with its
options; a note says how many groups count.
Exit codes: 0 analysed, 2 could not be analysed.
"""

_FILES: Final = {"json": "json_", "csv": "csv_", "html": "html", "figure": "figure", "boxes": "boxes"}
"""What is written -> the option that names the file."""
_ALWAYS: Final = ("answers", "sources", "json_", "csv_", "html", "force")
"""Options that go with every kind."""


@click.command(
    short_help="Analyse answers by shortcuts, experiments, matched conditions, hypotheses or phenotypes.",
    epilog=_EPILOG,
)
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
@click.option("--topic", metavar="COLUMN", help="Column with each item's topic: items are compared within topics.")
@click.option("--threshold", type=float, help="Smallest kappa that counts as a shortcut.  [default: 0.2]")
@click.option("--splits", type=int, help="Times the audit splits the items anew.  [default: 10]")
@click.option("--permutations", type=int, help="Permutations behind each p of the audit.  [default: 999]")
@click.option("--seed", type=int, help="Seed of the audit, or of the bootstrap of a phenotype.  [default: 42; 0]")
@click.option("--workers", type=int, help="Threads of the audit; 0 for one per core.  [default: 0]")
@click.option("--hypothesis", "names", multiple=True, metavar="NAME", help="Test only this one. Repeatable.")
@click.option("--shift", type=PERCENTAGE, metavar="POINTS", help="Say how many pairs this shift needs.  [default: 5]")
@click.option("--figure", metavar="FILE", help="Draw the scatter plot, the tests or the phenotype (SVG).")
@click.option("--boxes", metavar="FILE", help="Draw the accuracies on both parts as box plots (SVG).")
@report_options(
    csv="Write a table with a row per model and benchmark, effect, test or model.",
    html="Write one HTML page: the whole study, the effects, the tests or the phenotypes.",
)
@click.pass_context
def analyse(context: click.Context, /, by: str, **given: Any) -> None:
    """Analyse the answers of models to benchmarks: by shortcuts, hypotheses, effects or phenotypes."""
    kind = KINDS[by]
    for option in context.command.params:
        if option.name in given and option.name not in (*_ALWAYS, *kind.takes) and given[option.name] not in (None, ()):
            raise UsageError(f"{option.opts[-1]} does not go with --by {by}")
    outputs = Outputs(force=given["force"], **{name: given[option] for name, option in _FILES.items()})
    outputs.check(kind.reads(given))
    outputs.give(kind.make(given, outputs.wanted))
