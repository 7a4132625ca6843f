"""`hansproof audit`: its options, and what `--list-recipes` prints; what it calls is imported when it runs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from hansproof.commands.options import choice_option, examples, no_cache_option
from hansproof.generators.errors import Fault, HansproofError
from hansproof.terminal.outputs import json_option
from hansproof.terminal.streams import DEFAULT_FAIL, VERDICTS, failing_verdicts

if TYPE_CHECKING:
    from hansproof.audit.reading.recipes import Recipe

__all__ = ["audit"]


def show_recipes(name: str | None, json: str | None = None, *, force: bool = False) -> None:
    """Print a table of all recipes, or one recipe in full; or write them as JSON to the file `json`, `-` for a print.

    Raises UsageError for an unknown recipe, and for a file that exists (unless `force`) or cannot be written.
    """
    from hansproof.audit.reading.recipes import all_recipes, find_recipe

    if json is not None:
        import msgspec

        from hansproof.audit.result.record import json_bytes
        from hansproof.terminal.outputs import check_output, write_output

        check_output(json, force=force)
        known = msgspec.to_builtins(all_recipes() if name is None else find_recipe(name))
        write_output(json, json_bytes(known), force=force)
    elif name is None:
        _print_table(all_recipes())
    else:
        _print_recipe(find_recipe(name))


def _print_table(recipes: Sequence[Recipe]) -> None:
    from hansproof.audit.report.document import Column, tabulated
    from hansproof.audit.report.terminal import Ink, console_on

    columns: list[Column[Recipe]] = [
        Column("benchmark", lambda recipe: f"{recipe.title} ({recipe.citation}): {recipe.task}", holds="phrases"),
        Column("on the Hub", lambda recipe: recipe.hub or "", holds="words"),
    ]
    named = [(recipe.name, recipe) for recipe in recipes]
    Ink(console_on()).table(tabulated("", Column("recipe", holds="words"), columns, named))


def _print_recipe(recipe: Recipe) -> None:
    from hansproof.audit.report.terminal import Ink, console_on

    ink = Ink(console_on())
    ink.line(f"{recipe.name}: {recipe.title} ({recipe.citation})", "bold")
    ink.fact("asks", recipe.task)
    ink.fact("licence", recipe.licence)
    ink.fact("home", recipe.homepage)
    if recipe.hub:
        ink.fact("Hub", f"hf://{recipe.hub}")
    for layout in recipe.layouts:
        roles = (
            ("prompt", layout.prompt or layout.template), ("answer", layout.answer), ("part", layout.answer_part),
            ("choices", layout.choices), ("group", layout.group), ("id", layout.id),
        )  # fmt: skip
        columns = "; ".join(f"{role} = {' '.join(column.split())}" for role, column in roles if column)
        ink.fact("form", f"{layout.form}: {columns}. Checked against: {layout.checked}")
    for expected in recipe.expected:
        ink.fact("published", f"{expected.figure}: {expected.what} ({expected.source})")
    for sentence in recipe.peculiarities:
        ink.fact("known", sentence)


_AUDIT_EPILOG = examples("audit")


@click.command(epilog=_AUDIT_EPILOG)
@click.argument("sources", metavar="SOURCE...", nargs=-1)
@click.option(
    "--recipe", metavar="NAME", help="Read a published benchmark whose columns are known; columns that you name win."
)
@click.option("--list-recipes", is_flag=True, help="Show the recipes, or with --recipe everything about one.")
@click.option("--prompt", metavar="COLUMN", help="Column with the prompt. Default: guessed from common names.")
@click.option("--answer", metavar="COLUMN", help="Column with the gold answer. Default: guessed.")
@click.option("--template", metavar="TEXT", help='Compose the prompt from columns: "{premise} {hypothesis}".')
@click.option("--group", metavar="COLUMN", help="Column that names each item's group: pair, template, story.")
@click.option("--split", metavar="COLUMN[=VALUE]", help="Column with the published split; =VALUE audits one part only.")
@click.option(
    "--answer-part",
    metavar="PART",
    help="Audit one part of each answer as a label: a regular expression (its first group, or the whole match), or "
    "key:FIELD for a key or place of an object or list.",
)
@click.option("--train", metavar="SOURCE", help="Learn on SOURCE and test on the benchmark: a published split as such.")
@click.option(
    "--predictions",
    multiple=True,
    metavar="[NAME=]FILE",
    help="What a probe of your own said of each item, out of fold: columns id, predicted or probabilities (p:ANSWER), "
    "and fold. It is judged beside ours, and counts. Repeatable.",
)
@click.option("--id", "id_", metavar="COLUMN", help="Column with the item's id.")
@click.option(
    "--choices",
    metavar="COLUMN[,COLUMN...]",
    help="Column that lists each item's options, or one column per option. Default: guessed, or read from the prompt.",
)
@choice_option(
    "--groups",
    ["auto", "found", "none"],
    "auto: your column if there is one, otherwise detected; found: detected in the texts; "
    "none: every item stands alone, so a leak cannot be told from templates.",
)
@choice_option(
    "--task",
    ["auto", "fixed", "open"],
    "fixed: treat the answers as one shared set, even if they look like per-item options; open: try "
    "copying and arithmetic, even if there are few answers.",
)
@choice_option(
    "--protocol",
    ["grouped", "paper", "published"],
    "grouped: cross-fitting over groups, over several splits; paper: one random 60/20/20 split (Pacchiardi et al. "
    "2024); published: learn on the training part of --split or --train, test on the test part.",
)
@click.option("--upstream-counts", is_flag=True, help="Reproduce a bug in the published code (with --protocol paper).")
@choice_option(
    "--solver",
    ["compiled", "scikit-learn"],
    "scikit-learn: fit as the paper's code does (lbfgs stopped at 100 iterations, liblinear; slow).",
)
@click.option("--trees/--no-trees", help="Let gradient-boosted trees compete with the regressions (slow).")
@click.option(
    "--thorough/--no-thorough",
    help="Measure very many items, or items times answers, in full too: all splits, refits on all items (slow).",
)
@click.option("--fast/--no-fast", help="Answer in seconds: one split, fewer permutations, no simpler shortcuts.")
@click.option(
    "--partial/--no-partial",
    help="Measure more partial inputs, beside each part alone: each part left out, sentences; on all splits.",
)
@click.option("--grades/--no-grades", help="Also show textstat's reading grades, which never affect the verdict.")
@click.option("--threshold", default=0.2, show_default=True, help="Smallest kappa that counts as a leak.")
@click.option(
    "--alpha", default=0.05, show_default=True, help="Significance level, corrected for the number of feature vectors."
)
@click.option("--folds", default=5, show_default=True, help="Number of outer folds in each split.")
@click.option("--permutations", default=999, show_default=True, help="Number of permutations behind each p-value.")
@click.option("--splits", default=10, show_default=True, help="Number of times the items are split into folds anew.")
@click.option("--seed", default=42, show_default=True, help="Seed for folds and resampling.")
@click.option("--workers", default=0, help="Number of threads; 0 means one per core. It does not change the numbers.")
@click.option("--dask", metavar="ADDRESS", help="Measure on the workers of this dask scheduler: tcp://host:8786.")
@click.option("--max-left-out", default=0.1, show_default=True, help="Largest share of unusable rows to accept.")
@click.option(
    "--max-rows",
    type=int,
    metavar="N",
    help="Of a larger source, audit a sample of N rows, chosen by their content and --seed. It knows nothing of "
    "groups. Without it, more than 1,000,000 rows are refused.",
)
@click.option("--html", metavar="FILE", help="Write the report as one self-contained HTML page.")
@json_option
@click.option(
    "--csv",
    "csv_",
    metavar="FILE",
    help="Write a row per feature vector; for a folder a row per benchmark, worst first.",
)
@click.option(
    "--item-scores", "items", metavar="FILE", help="Write each item's out-of-fold probabilities, one line per item."
)
@click.option("--sarif", metavar="FILE", help="Write what is wrong as SARIF 2.1.0, for code-scanning pages.")
@click.option(
    "--croissant",
    nargs=2,
    metavar="FILE NEW",
    help="Write NEW, a copy of the Croissant file FILE of your dataset in which rai:dataBiases and rai:dataLimitations "
    "say what was measured.",
)
@click.option(
    "--fail-on",
    metavar="VERDICTS",
    help="Comma-separated verdicts that exit with 1. All others then exit with 0, except NOT ASSESSED (2) and, "
    f"if traces is named, INCONCLUSIVE (3). Known: {', '.join(VERDICTS)}, none. Default: {','.join(DEFAULT_FAIL)}.",
)
@click.option(
    "--config",
    metavar="FILE",
    help="Take defaults, ignored rules and columns of files from FILE. Default: hansproof.toml or [tool.hansproof] in "
    "pyproject.toml, here or above, up to the root of the repository; none: from no file.",
)
@no_cache_option("Audit anew, even if an earlier run has the result, and keep none.")
@click.option("--full", is_flag=True, help="Print every table, not only the twenty lines that decide.")
@click.option("--quiet", is_flag=True, help="Print only the verdict and its reason; for a folder, only the verdicts.")
def audit(
    sources: tuple[str, ...],
    list_recipes: bool,
    id_: str | None,
    html: str | None,
    json_: str | None,
    csv_: str | None,
    items: str | None,
    sarif: str | None,
    croissant: tuple[str, str] | None,
    force: bool,
    fail_on: str | None,
    quiet: bool,
    full: bool,
    cache: bool,
    dask: str | None,
    config: str | None,
    **options: Any,
) -> None:
    """Find out whether a benchmark's answers can be predicted without the ability that it tests.

    SOURCE is a JSONL, JSON, CSV, TSV or Parquet file (also .gz, .zst), a log, task or sample file of OpenAI evals,
    inspect_ai, lm-evaluation-harness, HELM, BIG-bench or LegalBench, a benchmark as its authors release it (SQuAD,
    RACE, DROP, COPA and others), a Hugging Face dataset folder or hf:// address, - for JSONL on standard input, or
    a folder of several benchmarks. Several SOURCEs are audited one by one.
    """
    if list_recipes:
        if sources or html or items or sarif or csv_ or croissant:
            raise click.UsageError(
                "--list-recipes reads no SOURCE and writes --json only.", click.get_current_context()
            )
        return show_recipes(options["recipe"], json_, force=force)
    if not sources:
        raise click.UsageError("Missing argument 'SOURCE...'.", click.get_current_context())
    from hansproof.auditing.policy import policy_of
    from hansproof.auditing.running import Outputs, audit_sources

    policy = policy_of(config, click.get_current_context())
    options |= {"id": id_, "fail_on": fail_on}
    options |= policy.settings()
    outputs = Outputs(
        html=html, json=json_, csv=csv_, items=items, sarif=sarif, croissant=croissant, force=force, quiet=quiet,
        full=full, cache=cache, workers=options["workers"], dask=dask, failing=failing_verdicts(options["fail_on"]),
    )  # fmt: skip
    try:
        code = audit_sources(sources, outputs, options, policy)
    except HansproofError as error:
        blamed = Fault(policy.blamed(error.reason, sources[0]), error.place)
        raise type(error).of([blamed, *error.faults[1:]]) from error
    sys.exit(code)
