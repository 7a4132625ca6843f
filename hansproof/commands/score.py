"""`hansproof score`: parse, call, print. Standard output is data, standard error is talk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from hansproof.audit.formats.column_names import listed
from hansproof.commands.analysis_kinds import printed, reading, tested
from hansproof.commands.options import (
    PERCENTAGE,
    choice_option,
    examples,
    item_options,
    named_once,
    original_option,
    reply_options,
    series_options,
    single_items,
)
from hansproof.generators.errors import UsageError
from hansproof.terminal.outputs import Made, Outputs, files_of, report_options

if TYPE_CHECKING:
    from hansproof.audit.report.terminal import Ink

__all__ = ["score"]

_NOT_FOR_TESTS: Final = {
    "--families": ("families", "is not for --test"),
    "--groups": ("groups", "is not for --test"),
    "--all": ("every", "is not for --test"),
    "--original": ("original", "is not for --test: a hypothesis says what is compared with what"),
    "--skip-missing": ("skip_missing", "is not for --test, which needs both replies of a pair anyway"),
}
"""Option -> its name, and why it is refused."""
_OF_TESTS: Final = {
    option: (name, "belongs to --test mcnemar")
    for option, name in (("--hypothesis", "names"), ("--shift", "shift"), ("--svg", "figure"))
}


@click.command(epilog=examples("score", COLUMNS=listed()))
@click.argument("answers", metavar="REPLIES...", nargs=-1, required=True)
@click.option(
    "--items",
    "sources",
    multiple=True,
    metavar="PATH",
    help="A release folder, a file of items, or any benchmark. Default: the items that the logs hold.",
)
@item_options
@original_option
@series_options
@choice_option("--judged", ["reply", "harness"], "Whether our reading of the reply counts, or the verdict in the log.")
@click.option("--skip-missing", is_flag=True, help="Leave out items without a reply; otherwise they are wrong.")
@click.option("--families", metavar="FILE", help="A CSV file that says which model is of which family.")
@reply_options
@click.option(
    "--test",
    type=click.Choice(["mcnemar"]),
    help="Test the dataset's hypotheses, such as the six of token-bias, instead of scoring.",
)
@click.option("--hypothesis", "names", multiple=True, metavar="NAME", help="Test only this one. Repeatable.")
@click.option("--shift", type=PERCENTAGE, metavar="POINTS", help="Say how many pairs this shift needs.  [default: 5]")
@click.option("--svg", "figure", metavar="FILE", help="Also draw the tests as paired bars (SVG).")
@click.option(
    "--all", "every", is_flag=True, help="Print all tables: conditions, slices, effects and differences, too."
)
@report_options(
    csv="Write a table with a row per model and part of the items, mean over runs and two models; or per test.",
    html="Write the scores, or the tests, as one HTML page.",
)
@click.option("--item-scores", "out", metavar="FILE", help="Write the JSON with the score of each item, too.")
def score(answers: tuple[str, ...], sources: tuple[str, ...], test: str | None, force: bool, **given: Any) -> None:
    """Score model replies against their items, matched by id or by prompt."""
    source = single_items(sources, "score")
    files = {"json": "json_", "out": "out", "csv": "csv_", "html": "html", "figure": "figure"}
    outputs = Outputs(force=force, **{name: given[option] for name, option in files.items()})
    outputs.check([*named_once(answers), *(path for path in (source, given["families"]) if path is not None)])
    for option, (name, why) in (_NOT_FOR_TESTS if test else _OF_TESTS).items():
        if given[name] not in (None, ()) and given[name] is not False:
            raise UsageError(f"{option} {why}")
    chosen = reading(given) | {"judged": given["judged"]}
    if not test:
        chosen |= {name: given[name] for name in ("skip_missing", "families", "original")}
        outputs.give(_scored(answers, source, chosen, given["every"]))
        return
    del chosen["groups"]
    if source is None:
        raise UsageError("--test needs the items: pass them with --items")
    outputs.give(tested(answers, source, chosen, given["names"], given["shift"]))


def _scored(answers: tuple[str, ...], source: str | None, chosen: dict[str, Any], every: bool) -> Made:
    from hansproof.audit.report.study_reading import notes_of_all
    from hansproof.audit.result.record import json_bytes
    from hansproof.scoring import score as scored
    from hansproof.terminal.streams import on_stderr

    with on_stderr() as progress:
        reports = scored(answers, source, **chosen, progress=progress)
        reports.compare(progress)
    document = reports.document()
    ids = ("numbers", "accuracy", *(("scores", "effects", "differences") if every else ()))

    def show(ink: Ink) -> None:
        printed(document, *ids, every=every)(ink)
        if not every:
            ink.blank()
            ink.note(_MORE)

    files = files_of(reports) | {"out": lambda: json_bytes(reports.record(scores=True))}
    return Made(show, files, notes_of_all(reports, reports.joined, reports.judged))


_MORE: Final = (
    "--all prints every table: parts, blind strategies, matched conditions, differences between models; --csv, --json "
    "and --html have them, too"
)
