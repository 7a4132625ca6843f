"""`hansproof audit`: parse, call, print. What it calls is imported when it runs, so `--help` is quick.

Standard output is data, standard error is talk. Exit codes: 0 clean, 1 a check failed, 2 could not run or not
assessed, 3 inconclusive.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generators.errors import UsageError

if TYPE_CHECKING:
    from audit.result import AuditResult, ScanResult

__all__ = ["audit", "exit_code"]

VERDICTS = ("leaks", "template-bound", "imbalanced", "clean", "inconclusive")
DEFAULT_FAIL = ("leaks", "template-bound", "imbalanced")

_AUDIT_EPILOG = """\b
Examples:
  hansproof audit bench.jsonl
  hansproof audit bench.csv --prompt question --answer label --html report.html
  hansproof audit pairs.tsv --template "{premise} {hypothesis}" --group template_id
  hansproof audit hf://org/name:config@test --answer label
  hansproof audit folder/ --html heatmap.html --json all.json
  cat bench.jsonl | hansproof audit - --json -

\b
Exit codes:
  0  CLEAN
  1  LEAKS, TEMPLATE-BOUND or IMBALANCED (or what --fail-on names)
  2  could not run, or NOT ASSESSED
  3  INCONCLUSIVE
"""


@click.command(epilog=_AUDIT_EPILOG)
@click.argument("source")
@click.option("--prompt", metavar="COLUMN", help="Column of the prompt (guessed from the usual names).")
@click.option("--answer", metavar="COLUMN", help="Column of the gold answer (guessed).")
@click.option("--template", metavar="TEXT", help='Compose the prompt: "{premise} {hypothesis}".')
@click.option("--group", metavar="COLUMN", help="Column of items that belong together: pair, template, story.")
@click.option("--split", metavar="COLUMN[=VALUE]", help="Column of the published split; =VALUE keeps only that one.")
@click.option("--id", "id_", metavar="COLUMN", help="Column of the item's own name.")
@click.option(
    "--groups",
    type=click.Choice(["auto", "found", "none"]),
    default="auto",
    show_default=True,
    help="auto: the author's column, else found; found: by skeletons and sentences; none: each item alone.",
)
@click.option(
    "--task",
    type=click.Choice(["auto", "fixed"]),
    default="auto",
    show_default=True,
    help="fixed: take the answers as one set of labels even where they look like options of each item.",
)
@click.option(
    "--protocol",
    type=click.Choice(["grouped", "paper"]),
    default="grouped",
    show_default=True,
    help="grouped: 5-fold cross-fitting; paper: one random 60/20/20 split (Pacchiardi et al. 2024).",
)
@click.option("--upstream-counts", is_flag=True, help="Repeat the published code's fault (with --protocol paper).")
@click.option(
    "--solver",
    type=click.Choice(["compiled", "scikit-learn"]),
    default="compiled",
    show_default=True,
    help="scikit-learn: fit as the paper's code does (lbfgs stopped at 100 iterations, liblinear; slow).",
)
@click.option("--trees", is_flag=True, help="Let gradient-boosted trees compete with the regressions (slow).")
@click.option("--grades", is_flag=True, help="Also show textstat's reading grades; they never decide.")
@click.option("--threshold", type=float, default=0.2, show_default=True, help="Kappa from which on it leaks.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the corrected p-values.")
@click.option("--folds", type=int, default=5, show_default=True, help="Outer folds.")
@click.option("--permutations", type=int, default=999, show_default=True, help="Relabelings for p.")
@click.option("--bootstrap", type=int, default=1000, show_default=True, help="Draws for the intervals.")
@click.option("--seed", type=int, default=42, show_default=True, help="Seed of folds and resampling.")
@click.option("--workers", type=int, default=0, help="Threads; 0 is one a core. The numbers do not depend on it.")
@click.option(
    "--max-left-out",
    type=float,
    default=0.1,
    show_default=True,
    help="Share of unusable rows above which the audit refuses.",
)
@click.option("--html", metavar="FILE", help="Write a report that opens anywhere.")
@click.option("--json", "json_", metavar="FILE", help="Write every number as JSON; - for standard output.")
@click.option("--items", metavar="FILE", help="Write one line an item: out-of-fold probabilities.")
@click.option("--force", is_flag=True, help="Overwrite report files that exist.")
@click.option(
    "--fail-on",
    metavar="VERDICTS",
    help="Which verdicts exit 1, by comma (others then exit 0; NOT ASSESSED stays 2). "
    f"Known: {', '.join(VERDICTS)}; default: {','.join(DEFAULT_FAIL)}.",
)
@click.option("--quiet", is_flag=True, help="Print the verdict line alone.")
def audit(
    source: str,
    id_: str | None,
    html: str | None,
    json_: str | None,
    items: str | None,
    force: bool,
    fail_on: str | None,
    quiet: bool,
    **options: Any,
) -> None:
    """Say whether a benchmark's answers can be had without the ability it tests.

    SOURCE is a JSONL, JSON, CSV, TSV or Parquet file (also .gz, .zst), OpenAI-evals samples or run logs, a Hugging
    Face dataset folder or hf:// address, - for JSONL on standard input, or a folder of several.
    """
    from audit.loading import expand
    from hansproof.terminal.outputs import check_outputs

    failing = _failing(fail_on)
    sources = expand(source)
    check_outputs([html, None if json_ == "-" else json_, items], sources, force=force)
    if sources == [source]:
        code = _one(source, html, json_, items, quiet, failing, {**options, "id": id_})
    else:
        if items:
            raise UsageError("--items belongs to one benchmark; name one file instead of a folder")
        code = _folder(source, sources, html, json_, quiet, failing, {**options, "id": id_})
    sys.exit(code)


def exit_code(verdict: str, failing: Sequence[str] | None) -> int:
    """The exit code of one verdict; `failing` are the lower-case verdicts of --fail-on, None the default."""
    word = verdict.lower()
    if verdict == "NOT ASSESSED":
        return 2
    if failing is not None:
        return 1 if word in failing else 0
    return 1 if word in DEFAULT_FAIL else 3 if verdict == "INCONCLUSIVE" else 0


def _one(
    source: str,
    html: str | None,
    json_: str | None,
    items: str | None,
    quiet: bool,
    failing: Sequence[str] | None,
    options: dict[str, Any],
) -> int:
    from audit.report.itemsfile import write_items
    from audit.run import examine
    from hansproof.terminal.progress import on_stderr

    with on_stderr() as progress:
        examination = examine(source, progress=progress, **options)
    result = examination.result

    def page() -> str:
        from audit.report.page.page import render

        return render(result)

    _write(result, json_, html, page)
    if items:
        write_items(items, examination.item_scores())

    def draw(console: Any) -> None:
        from audit.report.terminal import screen as terminal

        (terminal.show_verdict if quiet else terminal.show)(result, console)

    _print(draw, json_)
    return exit_code(result.verdict, failing)


def _folder(
    source: str,
    sources: list[str],
    html: str | None,
    json_: str | None,
    quiet: bool,
    failing: Sequence[str] | None,
    options: dict[str, Any],
) -> int:
    from audit.scan import scan
    from hansproof.terminal.progress import on_stderr

    with on_stderr() as progress:
        found = scan(source, sources, progress=progress, **options)

    def page() -> str:
        from audit.report.page.page import render_scan

        return render_scan(found)

    _write(found, json_, html, page)

    def draw(console: Any) -> None:
        from audit.report.terminal import screen as terminal

        (terminal.show_verdicts if quiet else terminal.show_scan)(found, console)

    _print(draw, json_)
    codes = [exit_code(one.verdict, failing) for one in found.results] + [2 for _ in found.failures]
    # The worst news first: a failed check, then what could not be judged, then what stayed open.
    return next((code for code in (1, 2, 3) if code in codes), 0)


def _write(result: AuditResult | ScanResult, json_: str | None, html: str | None, page: Callable[[], str]) -> None:
    from audit.report.document import encode
    from generators.jsonl import write_bytes

    if json_ == "-":
        sys.stdout.buffer.write(encode(result))
        sys.stdout.buffer.flush()
    elif json_:
        write_bytes(Path(json_), encode(result), overwrite=True)
    if html:
        write_bytes(Path(html), page().encode(), overwrite=True)


def _print(draw: Callable[[Any], None], json_: str | None) -> None:
    """Draw on standard output, or on standard error where JSON has taken that; a reader may leave early."""
    from audit.report.terminal.ink import console_on

    stream = sys.stderr if json_ == "-" else sys.stdout
    console = console_on(stream)
    with console.capture() as screen:
        draw(console)
    try:
        stream.write(screen.get())
        stream.flush()
    except BrokenPipeError:
        # `| head` has read enough: the verdict's exit code still counts. Nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _failing(fail_on: str | None) -> list[str] | None:
    if fail_on is None:
        return None
    words = [word.strip().lower() for word in fail_on.split(",") if word.strip()]
    if not words:
        raise UsageError(f"--fail-on is empty, which would let everything pass; known: {', '.join(VERDICTS)}, none")
    for word in words:
        if word not in (*VERDICTS, "none"):
            raise UsageError(f"--fail-on names no verdict {word!r}; known: {', '.join(VERDICTS)}, none")
    return words
