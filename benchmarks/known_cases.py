"""Published shortcut results beside ours, on files that the reader has: `docs/known_cases.md`.

    python benchmarks/known_cases.py --data FOLDER

The cases, what was published and how near ours must come stand in `known_cases.toml`, which was committed before
anything was measured. A file is looked for by its name anywhere in FOLDER; a case without its file is listed as not
measured. Nothing of the files is written but counts.
"""

from __future__ import annotations

import argparse
import math
import re
import statistics
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the checkout, installed or not

from reproduction import headline

from hansproof import audit
from hansproof.audit.benchmark import Benchmark
from hansproof.audit.notation import interval, kappa, per_cent, points
from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.result.audit_result import AuditResult
from hansproof.generators.errors import HansproofError, InputError

__all__ = ["CASES", "PAGE", "Case", "Measured", "Number", "Ours", "cue", "main", "measure", "page", "read_cases"]

CASES: Final = Path(__file__).with_suffix(".toml")
PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "known_cases.md"
SEEDS: Final = range(1, 11)
"""Random splits behind a mean kappa of the `paper` protocol."""


class Number(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A published number, and between which two ours must lie."""

    measure: Literal["gain", "accuracy", "kappa", "productivity", "coverage"]
    published: float | str
    """A string where only a bound was published."""
    accept: tuple[float, float]
    cue: str = ""
    """The word that `productivity` and `coverage` are about."""

    def shown(self, value: float) -> str:
        """A value of this measure as the page writes it."""
        return {"gain": points(value, "+"), "kappa": kappa(value)}.get(self.measure, per_cent(value))


class Case(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was published about one file; `known_cases.toml` says what `columns`, `part`, `ids` and `why` are."""

    title: str
    file: str
    kept: str
    """Where its authors keep it, and its licence."""
    source: str
    """Key of a citation."""
    said: str
    words: list[str]
    """Verdicts of the default audit that agree with it."""
    ids: tuple[int, int] | None = None
    columns: dict[str, str] = {}
    part: dict[str, str] = {}
    numbers: list[Number] = []
    why: str = ""


class Ours(NamedTuple):
    """Our value of a published number, and how the page writes it: with an interval, counts or kappa."""

    value: float
    text: str


class Measured(NamedTuple):
    """What we found on one file: by the audit with default settings, and for each number of the case."""

    default: AuditResult
    numbers: list[Ours]


def read_cases(path: Path = CASES) -> tuple[dict[str, str], list[Case]]:
    """The citations by their keys, and the cases."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    return document["sources"], msgspec.convert(document["cases"], list[Case])


def cue(word: str, options: Iterable[Sequence[str]], gold: Iterable[int]) -> tuple[int, int]:
    """Applicability of a word, whatever its case, and how often it points to the right option (Niven & Kao 2019).

    It is applicable in items in which exactly one option has it; `gold` are the places of the right ones.
    """
    holders = [
        [place for place, text in enumerate(item) if word in re.findall(r"\w+", text.lower())] for item in options
    ]
    telling = [places[0] == right for places, right in zip(holders, gold, strict=True) if len(places) == 1]
    return len(telling), sum(telling)


def measure(case: Case, path: Path, workers: int = 0) -> Measured:
    """Audit the file with default settings, and measure each number of the case.

    Raises InputError if the file cannot be read, or has no options where a word among options is asked for.
    """
    benchmark, source = load(path, Columns(**case.columns)), path
    if case.ids is not None:
        kept = [row for row, name in enumerate(benchmark.ids) if case.ids[0] <= int(name) <= case.ids[1]]
        benchmark = benchmark.taken(kept)
        source = _rows(benchmark)

    def audited(**settings: Any) -> AuditResult:
        return audit(source, **{"name": case.title, "workers": workers, **case.columns, **settings})

    def ours(number: Number) -> Ours:
        if number.measure == "kappa":
            return _mean([headline(audited(protocol="paper", seed=seed)) for seed in SEEDS])
        return _of_cue(number, _rows(benchmark)) if number.cue else _of_probe(number, audited(**case.part, fast=True))

    return Measured(audited(), [ours(number) for number in case.numbers])


def _rows(benchmark: Benchmark) -> list[dict[str, Any]]:
    options = benchmark.options
    if options is None:
        raise InputError("its items have no options", benchmark.source)
    parts = zip(benchmark.prompts, options.texts, options.gold, strict=True)
    return [{"prompt": prompt, "choices": texts, "answer": gold} for prompt, texts, gold in parts]


def _mean(values: Sequence[float | None]) -> Ours:
    known = [value for value in values if value is not None]
    mean = statistics.fmean(known) if known else math.nan
    return Ours(mean, f"{kappa(mean)} ± {kappa(statistics.stdev(known))}" if len(known) > 1 else kappa(mean))


def _of_cue(number: Number, rows: Sequence[dict[str, Any]]) -> Ours:
    from scipy.stats import binomtest

    applicable, productive = cue(number.cue, [row["choices"] for row in rows], [row["answer"] for row in rows])
    if number.measure == "coverage":
        return Ours(applicable / len(rows), f"{per_cent(applicable / len(rows))} ({applicable:,} of {len(rows):,})")
    if not applicable:
        return Ours(math.nan, "undefined: no item has it in one option only")
    within = binomtest(productive, applicable).proportion_ci(method="wilson")
    share = productive / applicable
    return Ours(share, f"{per_cent(share)} [{points(within.low)}, {points(within.high)}]")


def _of_probe(number: Number, result: AuditResult) -> Ours:
    """Accuracy of the strongest vector under grouped folds, or what it adds to the commonest answer."""
    scheme = result.scheme("grouped")
    if scheme is None:
        return Ours(math.nan, result.verdict)
    strongest = max(scheme.counted, key=lambda vector: vector.matched or 0.0)
    counts = [label.count for label in result.labels]
    value = strongest.accuracy - (max(counts) / sum(counts) if number.measure == "gain" else 0)
    beside = f"kappa {kappa(strongest.matched)} {interval(strongest.matched_low, strongest.matched_high)}"
    return Ours(value, f"{number.shown(value)}; {beside}")


def page(cases: Sequence[Case], sources: Mapping[str, str], measured: Mapping[str, Measured]) -> str:
    """The page in Markdown; `measured` by title."""
    here = [(case, measured[case.title]) for case in cases if case.title in measured]
    absent = [case for case in cases if case.title not in measured]
    verdicts = [_verdict_row(case, result.default) for case, result in here]
    numbers = [
        _number_row(case, number, ours)
        for case, result in here
        for number, ours in zip(case.numbers, result.numbers, strict=True)
    ]
    words = [row[-1] for row in verdicts]  # whether each agrees
    parts = [
        _INTRODUCTION.format(
            given=len(here), total=len(cases), word=words.count("yes"), undecided=words.count("undecided"),
            right=sum(row[-1] == "yes" for row in numbers), of=len(numbers),
        ),
        "## Verdicts",
        _table(["case", "published", "expected", "items", "verdict", "kappa", "agrees"], verdicts),
        "## Numbers",
        _table(["case", "what", "published", "accepted", "ours", "agrees"], numbers),
        "## What the audit says, and why ours differs",
        "\n".join(_remark(case, result.default) for case, result in here),
        "## Not measured",
        "\n".join(f"- **{case.title}**: {case.said}." for case in absent) or "Every file was there.",
        "## Where the files are",
        _table(["case", "file", "kept at", "published in"],
               [[case.title, f"`{case.file}`", case.kept, sources[case.source]] for case in cases]),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


_INTRODUCTION: Final = """\
# Known cases

*Made by `python benchmarks/known_cases.py --data FOLDER`; do not edit.* What others have published about shortcuts in
benchmarks, beside what this audit says of the same files. Which verdicts and numbers count as agreeing was committed
in `benchmarks/known_cases.toml` before this was measured; verdicts of earlier versions on some of the files were known.
The files are their authors' and not part of this project: put them into a folder, and the script measures those that it
finds.

Files were there for {given} of {total} cases. The verdict agrees in {word} and is undecided in {undecided} of these;
{right} of {of} numbers lie where they should.

- *verdict*: the audit without any option but, where the columns cannot be guessed, their names. INCONCLUSIVE is
  undecided. *kappa*: the one that the verdict is about, with its 95 % interval.
- *gain*: accuracy of the strongest probe (`--fast`, on the part named) less the share of the commonest answer; kappa
  beside it predicts every answer as often as it occurs, and so also shows the cues of rare answers.
- *kappa* of Pacchiardi et al.: corrected for chance 1/k, vector with the best validation accuracy, without trees, mean
  ± standard deviation of ten random 60/20/20 splits ([more of them](../benchmarks/reproduction.md)).
- *productivity*: of the items in which one of two options has the word, the share in which this is the right one, with
  Wilson's 95 % interval; *coverage*: the share of such items (Niven & Kao 2019). Half is chance."""


def _verdict_row(case: Case, result: AuditResult) -> list[str]:
    agrees = "yes" if result.verdict in case.words else "undecided" if result.verdict == "INCONCLUSIVE" else "no"
    size = "" if result.kappa is None else f"{kappa(result.kappa)} {interval(result.low, result.high)}"
    return [case.title, case.said, " or ".join(case.words), f"{result.items:,}", result.verdict, size, agrees]


def _number_row(case: Case, number: Number, ours: Ours) -> list[str]:
    low, high = map(number.shown, number.accept)
    what = f"{number.measure} of *{number.cue}*" if number.cue else number.measure
    published = number.published if isinstance(number.published, str) else number.shown(number.published)
    agrees = "yes" if number.accept[0] <= ours.value <= number.accept[1] else "no"
    return [case.title, what, published, f"{low} to {high}", ours.text, agrees]


def _remark(case: Case, result: AuditResult) -> str:
    why = f" *Why:* {case.why}" if case.why else ""
    return f"- **{case.title}**: {result.verdict}. {result.reason[:1].upper()}{result.reason[1:].rstrip('.')}.{why}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def main(arguments: list[str] | None = None) -> int:
    """Measure the cases whose files are in the folder, and write the page; 2 if the folder or a file is not usable."""
    parser = argparse.ArgumentParser(description="Published shortcut results beside ours.")
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="where the benchmarks' files are")
    parser.add_argument("--cases", type=Path, default=CASES, metavar="FILE", help="default: known_cases.toml")
    parser.add_argument("--out", type=Path, default=PAGE, metavar="FILE", help="default: docs/known_cases.md")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="threads; 0 means all cores (default: 0)")
    options = parser.parse_args(arguments)
    if not options.data.is_dir():
        print(f"error: {options.data}: no such folder", file=sys.stderr)
        return 2
    sources, cases = read_cases(options.cases)
    measured = {}
    try:
        for case in cases:
            path = next(iter(sorted(options.data.rglob(case.file))), None)
            print(f"{case.title}: {'no ' + case.file if path is None else 'measuring'}", file=sys.stderr)
            if path is not None:
                measured[case.title] = measure(case, path, options.workers)
    except HansproofError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    options.out.write_text(page(cases, sources, measured), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
