"""`hansproof audit`: parse, call, print. What it calls is imported when it runs, so that `--help` is quick."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

import click

from generators.errors import UsageError, unknown

if TYPE_CHECKING:
    from rich.console import Console

    from audit.loading import Columns
    from audit.result import AuditResult, ScanResult, Settings

__all__ = ["audit", "exit_code"]

VERDICTS = ("leaks", "template-bound", "imbalanced", "traces", "clean", "inconclusive")
"""What --fail-on may name, beside `none`."""
_ROLES = ("prompt", "answer", "group", "template", "id")
"""Options that name a column; `split` does too, and is a setting besides."""
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
  0  CLEAN or TRACES
  1  LEAKS, TEMPLATE-BOUND or IMBALANCED, or what --fail-on names
  2  the audit could not run, or NOT ASSESSED
  3  INCONCLUSIVE
"""


@click.command(short_help="Find out whether a benchmark's answers can be predicted.", epilog=_AUDIT_EPILOG)
@click.argument("source")
@click.option("--prompt", metavar="COLUMN", help="Column with the prompt. Default: guessed from common names.")
@click.option("--answer", metavar="COLUMN", help="Column with the gold answer. Default: guessed.")
@click.option("--template", metavar="TEXT", help='Compose the prompt from columns: "{premise} {hypothesis}".')
@click.option("--group", metavar="COLUMN", help="Column that names each item's group: pair, template, story.")
@click.option("--split", metavar="COLUMN[=VALUE]", help="Column with the published split; =VALUE audits one part only.")
@click.option("--id", "id_", metavar="COLUMN", help="Column with the item's id.")
@click.option(
    "--groups",
    type=click.Choice(["auto", "found", "none"]),
    default="auto",
    show_default=True,
    help="auto: your column if there is one, otherwise detected; found: detected in the texts; "
    "none: every item stands alone.",
)
@click.option(
    "--task",
    type=click.Choice(["auto", "fixed"]),
    default="auto",
    show_default=True,
    help="fixed: treat the answers as one shared set, even if they look like per-item options.",
)
@click.option(
    "--protocol",
    type=click.Choice(["grouped", "paper"]),
    default="grouped",
    show_default=True,
    help="grouped: cross-fitting over groups, over several splits; paper: one random 60/20/20 split (Pacchiardi et al. "
    "2024).",
)
@click.option("--upstream-counts", is_flag=True, help="Reproduce a bug in the published code (with --protocol paper).")
@click.option(
    "--solver",
    type=click.Choice(["compiled", "scikit-learn"]),
    default="compiled",
    show_default=True,
    help="scikit-learn: fit as the paper's code does (lbfgs stopped at 100 iterations, liblinear; slow).",
)
@click.option("--trees", is_flag=True, help="Let gradient-boosted trees compete with the regressions (slow).")
@click.option("--grades", is_flag=True, help="Also show textstat's reading grades, which never affect the verdict.")
@click.option("--threshold", type=float, default=0.2, show_default=True, help="Smallest kappa that counts as a leak.")
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Significance level, corrected for the number of feature vectors.",
)
@click.option("--folds", type=int, default=5, show_default=True, help="Number of outer folds in each split.")
@click.option(
    "--permutations", type=int, default=999, show_default=True, help="Number of permutations behind each p-value."
)
@click.option(
    "--splits", type=int, default=10, show_default=True, help="Number of times the items are split into folds anew."
)
@click.option("--seed", type=int, default=42, show_default=True, help="Seed for folds and resampling.")
@click.option(
    "--workers", type=int, default=0, help="Number of threads; 0 means one per core. It does not change the numbers."
)
@click.option(
    "--max-left-out",
    type=float,
    default=0.1,
    show_default=True,
    help="Largest share of unusable rows to accept.",
)
@click.option("--html", metavar="FILE", help="Write the report as one self-contained HTML page.")
@click.option("--json", "json_", metavar="FILE", help="Write every number as JSON; - for standard output.")
@click.option("--items", metavar="FILE", help="Write each item's out-of-fold probabilities, one line per item.")
@click.option("--force", is_flag=True, help="Overwrite report files that exist.")
@click.option(
    "--fail-on",
    metavar="VERDICTS",
    help="Comma-separated verdicts that exit with 1. All others then exit with 0, except NOT ASSESSED (2). "
    f"Known: {', '.join(VERDICTS)}, none. Default: {','.join(DEFAULT_FAIL)}.",
)
@click.option("--quiet", is_flag=True, help="Print only the verdict and its reason; for a folder, only the verdicts.")
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
    """Find out whether a benchmark's answers can be predicted without the ability that it tests.

    SOURCE is a JSONL, JSON, CSV, TSV or Parquet file (also .gz, .zst), OpenAI-evals samples or run logs, a Hugging
    Face dataset folder or hf:// address, - for JSONL on standard input, or a folder of several benchmarks.
    """
    from audit.loading import expand
    from hansproof.terminal.outputs import check_outputs

    failing = _failing(fail_on)
    sources = expand(source)
    check_outputs([html, None if json_ == "-" else json_, items], sources, force=force)
    how = _how(options | {"id": id_})
    if sources == [source]:
        sys.exit(_audit_file(source, html, json_, items, quiet, failing, how))
    if items:
        raise UsageError("--items belongs to one benchmark; name one file instead of a folder")
    sys.exit(_audit_folder(source, sources, html, json_, quiet, failing, how))


def exit_code(verdict: str, failing: Sequence[str] | None) -> int:
    """The exit code of one verdict. `failing` are the lower-case verdicts of --fail-on, None for the default."""
    word = verdict.lower()
    if verdict == "NOT ASSESSED":
        return 2
    if failing is not None:
        return 1 if word in failing else 0
    return 1 if word in DEFAULT_FAIL else 3 if verdict == "INCONCLUSIVE" else 0


class _How(TypedDict):
    """What `examine` and `scan` are told alike."""

    columns: Columns
    settings: Settings
    workers: int


def _how(options: dict[str, Any]) -> _How:
    from audit.loading import Columns
    from audit.settings import make_settings

    columns = Columns(split=options["split"], **{role: options.pop(role) for role in _ROLES})
    workers = options.pop("workers")
    return {"columns": columns, "settings": make_settings(**options), "workers": workers}


def _audit_file(
    source: str,
    html: str | None,
    json_: str | None,
    items: str | None,
    quiet: bool,
    failing: Sequence[str] | None,
    how: _How,
) -> int:
    from audit.report.itemsfile import write_items
    from audit.run import examine
    from hansproof.terminal.progress import on_stderr

    with on_stderr() as progress:
        examination = examine(source, progress=progress, **how)
    result = examination.result

    def page() -> str:
        from audit.report.page.page import render

        return render(result)

    _write(result, json_, html, page)
    if items:
        write_items(items, examination.item_scores())
    from audit.report.terminal.screen import show, show_verdict

    (show_verdict if quiet else show)(result, _console(json_))
    return exit_code(result.verdict, failing)


def _audit_folder(
    source: str,
    sources: list[str],
    html: str | None,
    json_: str | None,
    quiet: bool,
    failing: Sequence[str] | None,
    how: _How,
) -> int:
    from audit.scan import scan
    from hansproof.terminal.progress import on_stderr

    with on_stderr() as progress:
        scanned = scan(source, sources, progress=progress, **how)

    def page() -> str:
        from audit.report.page.page import render_scan

        return render_scan(scanned)

    _write(scanned, json_, html, page)
    from audit.report.terminal.screen import show_scan, show_verdicts

    (show_verdicts if quiet else show_scan)(scanned, _console(json_))
    codes = [exit_code(result.verdict, failing) for result in scanned.results] + [2 for _ in scanned.failures]
    # The worst news first: a failed check, then what could not be judged, then what stayed open.
    return next((code for code in (1, 2, 3) if code in codes), 0)


def _write(result: AuditResult | ScanResult, json_: str | None, html: str | None, page: Callable[[], str]) -> None:
    from audit.report.document import encode
    from generators.jsonl import write_bytes

    if json_ == "-":
        click.echo(encode(result), nl=False)
    elif json_:
        write_bytes(json_, encode(result), overwrite=True)
    if html:
        write_bytes(html, page().encode(), overwrite=True)


def _console(json_: str | None) -> Console:
    """Where the screen goes: standard output, or standard error if the JSON has taken that."""
    from audit.report.terminal.ink import console_on

    return console_on(sys.stderr if json_ == "-" else sys.stdout)


def _failing(fail_on: str | None) -> list[str] | None:
    if fail_on is None:
        return None
    known = (*VERDICTS, "none")
    words = [word.strip().lower() for word in fail_on.split(",") if word.strip()]
    if not words:
        raise UsageError(f"--fail-on is empty, which would let everything pass; name some of {', '.join(known)}")
    for word in words:
        if word not in known:
            raise unknown("verdict", word, known, within="--fail-on")
    return words
