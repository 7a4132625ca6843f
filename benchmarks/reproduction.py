"""Our figures beside those of Pacchiardi et al. (2024) for their nineteen benchmarks, from the files that you name.

    python benchmarks/reproduction.py NAME=FILE ... [--splits 20] [--out benchmarks/reproduction.md]

Each file is read by the recipe of its benchmark, in whichever of the published forms it has.

The paper reports one split per benchmark: uniform-chance kappa of the vector with the best validation accuracy. The
page gives that number for our `paper` protocol, its spread over splits, and the verdict of the default protocol.
Benchmarks without a file are listed as not given. --list prints the names.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the checkout, installed or not

from hansproof import audit
from hansproof.audit.result.audit_result import AuditResult
from hansproof.generators.errors import HansproofError, InputError, unknown

__all__ = ["PUBLISHED", "Published", "Reproduced", "main", "page", "reproduce"]

OUT = Path(__file__).with_name("reproduction.md")


@dataclass(frozen=True)
class Published:
    """What is known of one of the nineteen benchmarks."""

    title: str
    above: bool
    """Whether the paper keeps it, that is, whether its kappa exceeds .2."""
    code: str = ""
    """What the published notebooks give with logistic regression alone, where that is known more exactly."""
    trees: str = ""
    """The same with boosted trees beside the regressions."""
    splits: str = ""
    """Mean and standard deviation over 20 random splits, where known."""


PUBLISHED = {
    "abercrombie": Published("Abercrombie", above=False),
    "anli": Published("ANLI", above=False),
    "art": Published("ART", above=False),
    "babi-task-16": Published("bAbI task 16", above=True, code=".19 to .22", trees=".57"),
    "causal-judgment": Published("Causal Judgment", above=False),
    "cladder": Published("CLadder", above=False),
    "commonsense-qa-2": Published("Commonsense QA 2.0", above=False),
    "corporate-lobbying": Published("Corporate Lobbying", above=True),
    "fantasy-reasoning": Published("Fantasy Reasoning", above=True, splits=".20 ± .19"),
    "formal-fallacies": Published("Formal Fallacies", above=False),
    "function-of-decision-section": Published("Function of Decision Section", above=True),
    "international-citizenship-questions": Published("International Citizenship Questions", above=True),
    "metaphor-boolean": Published("Metaphor Boolean", above=False),
    "moral-permissibility": Published("Moral Permissibility", above=False),
    "neubaroco": Published("NeuBAROCO", above=True, splits=".19 ± .06"),
    "proa": Published("PROA", above=True),
    "prontoqa": Published("ProntoQA", above=True),
    "space-nli": Published("SpaceNLI", above=True, code=".56", trees=".66", splits=".47 ± .04"),
    "wanli": Published("WANLI", above=False),
}


@dataclass(frozen=True)
class Reproduced:
    """What we measured on one file."""

    name: str
    """The file's name without its folder; for a run log, the benchmark and the model."""
    items: int
    one_split: float | None
    """Uniform-chance kappa of the headline vector under the `paper` protocol; None if not assessed."""
    as_published: float | None
    """The same with the published code's solvers and its mistaken weightings."""
    with_trees: float | None
    """The same with boosted trees."""
    splits: tuple[float, ...]
    """The same as `one_split` over other seeds."""
    verdict: str
    reason: str


def reproduce(path: str, splits: int, **settings: Any) -> Reproduced:
    """Audit one file under both protocols; `settings` are further options of `hansproof.audit`, for both.

    Raises InputError if the file cannot be read.
    """
    default = audit(path, **settings)
    published = audit(path, protocol="paper", upstream_counts=True, solver="scikit-learn", **settings)
    trees = audit(path, protocol="paper", trees=True, **settings)
    others = [headline(audit(path, protocol="paper", seed=seed, **settings)) for seed in range(1, splits + 1)]
    return Reproduced(
        name=default.name,
        items=default.items,
        one_split=headline(audit(path, protocol="paper", **settings)),
        as_published=headline(published),
        with_trees=headline(trees),
        splits=tuple(kappa for kappa in others if kappa is not None),
        verdict=default.verdict,
        reason=default.reason,
    )


def headline(result: AuditResult) -> float | None:
    """Uniform-chance kappa of the vector with the best validation accuracy; None if nothing was assessed."""
    if not result.schemes:
        return None
    vector = result.schemes[0].find(result.schemes[0].headline)
    return None if vector is None else vector.uniform


def page(measured: Mapping[str, Reproduced], splits: int) -> str:
    """The page in Markdown: one row per benchmark of the paper, and the reasons below."""
    head = ["benchmark", "paper", "its code", "its code, trees", "its code, 20 splits", "items", "ours",
            "ours, as published", "ours, trees", f"ours, {splits} splits", "verdict"]  # fmt: skip
    rows = [_row(published, measured.get(name)) for name, published in PUBLISHED.items()]
    agreeing = [name for name, entry in measured.items() if _agrees(PUBLISHED[name], entry)]
    table = [head, ["---", *["---:"] * 9, "---"], *rows]
    reasons = [
        f"- **{PUBLISHED[name].title}** (`{entry.name}`): {entry.verdict}. {_sentence(entry.reason)}"
        for name, entry in measured.items()
    ]
    parts = [
        _INTRODUCTION.format(given=len(measured), total=len(PUBLISHED), agreeing=len(agreeing)),
        "\n".join(f"| {' | '.join(row)} |" for row in table),
        "## Verdicts of the default protocol",
        "\n".join(reasons) or "No files were given.",
    ]
    return "\n\n".join(parts) + "\n"


_INTRODUCTION = """\
# Reproduction of the paper's figures

*Made by `python benchmarks/reproduction.py NAME=FILE ...`; do not edit.* Pacchiardi et al. (2024) train 39 simple
probes on each of nineteen benchmarks and keep those with a kappa above .2. Files were given for {given} of the {total}.
For {agreeing} of these, our `paper` protocol falls on the same side of .2.

All kappas are the paper's: (accuracy - 1/k) / (1 - 1/k) on the test part of one random 60/20/20 split, for the vector
with the best validation accuracy.

- *paper*: which side of .2 the paper reports. *its code*: what its notebooks give with logistic regression alone, with
  boosted trees added, and on 20 random splits (mean ± standard deviation), where that is known.
- *ours*: `--protocol paper` with its default seed; with `--upstream-counts --solver scikit-learn`, as published;
  with `--trees`; and over random splits. The spread shows how little one split says about a small benchmark.
- *verdict*: that of the default protocol, which keeps templates together."""


def _row(published: Published, entry: Reproduced | None) -> list[str]:
    known = [published.title, "> .2" if published.above else "<= .2", published.code, published.trees, published.splits]
    if entry is None:
        return [*known, *[""] * 5, "not given"]
    spread = ""
    if len(entry.splits) > 1:
        spread = f"{_kappa(statistics.fmean(entry.splits))} ± {_kappa(statistics.stdev(entry.splits))}"
    kappas = [_kappa(entry.one_split), _kappa(entry.as_published), _kappa(entry.with_trees)]
    return [*known, f"{entry.items:,}", *kappas, spread, entry.verdict]


def _agrees(published: Published, entry: Reproduced) -> bool:
    return entry.one_split is not None and (entry.one_split > 0.2) == published.above


def _kappa(number: float | None) -> str:
    """Two decimals without the leading zero; `-` where it is undefined."""
    return "-" if number is None else f"{number:.2f}".replace("0.", ".", 1)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _files(pairs: Sequence[str]) -> dict[str, str]:
    files = {}
    for pair in pairs:
        name, sign, path = pair.partition("=")
        if not sign:
            raise InputError("is not NAME=FILE", pair)
        if name not in PUBLISHED:
            raise unknown("benchmark", name, PUBLISHED)
        files[name] = path
    return {name: files[name] for name in PUBLISHED if name in files}


def main(arguments: list[str] | None = None) -> int:
    """Audit the files and write the page; 2 if a file or name is not usable."""
    parser = argparse.ArgumentParser(description="Our figures beside those of Pacchiardi et al. (2024).")
    parser.add_argument("files", nargs="*", metavar="NAME=FILE", help="a benchmark of the paper and its file")
    parser.add_argument("--list", action="store_true", help="print the names and stop")
    parser.add_argument("--splits", type=int, default=20, metavar="N", help="random splits (default: 20)")
    parser.add_argument("--out", type=Path, default=OUT, metavar="FILE", help="default: benchmarks/reproduction.md")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="threads; 0 means all cores (default: 0)")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(PUBLISHED))
        return 0
    try:
        measured = {}
        for name, path in _files(options.files).items():
            print(f"auditing {name}", file=sys.stderr)
            measured[name] = reproduce(path, options.splits, recipe=name, workers=options.workers)
    except HansproofError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    options.out.write_text(page(measured, options.splits), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
