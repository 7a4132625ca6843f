"""How fast replies are scored and models compared: `hansproof score` beside a script as researchers write it.

    python benchmarks/paired/score_speed.py
    python benchmarks/paired/score_speed.py --models 100 --items 500
    python benchmarks/paired/score_speed.py --models 2 --release datasets/token-bias/1.2.0

Both get the same two CSV files: items in groups of four with a gold answer, and a column of replies per model. The
plain way merges them with pandas, reads a reply by its first word, takes accuracies by `groupby`, and for each model
and every two of them a cluster-robust OLS of statsmodels on a constant, McNemar's exact test and Holm's correction.
Ours is `hansproof.score` with its differences: it also joins by id and says what does not fit, reads replies anywhere
in a text, and has chance, blind strategies, intervals that agree with exact tests over groups, and all of it once more
on clear replies. With --release, models reply to all items of a release in sentences; there, ours also has 24 blind
strategies and a line for every subset, condition and slice. Each way runs in a process of its own; processor seconds
are from the files to the numbers, without imports.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measured_process import peak_mb, surroundings

__all__ = ["WAYS", "main", "measured", "write"]

GROUP: Final = 4
"""Items that share a story."""
SEED: Final = 7


def write(folder: Path, models: int, items: int) -> None:
    """Write `items.csv` and `replies.csv` into `folder`; of 100 replies three are unclear."""
    random = np.random.Generator(np.random.PCG64([SEED, models, items]))
    words = ["".join(random.choice(list("abcdefghijklmnopqrstuvwxyz"), 6)) for _ in range(5000)]
    golds = random.choice(["yes", "no"], items)
    hard = np.repeat(random.normal(0, 0.15, -(-items // GROUP)), GROUP)[:items]
    skill = np.linspace(0.55, 0.9, models)
    right = random.random((items, models)) < skill + hard[:, None]
    said = np.where(right, golds[:, None], np.where(golds == "yes", "no", "yes")[:, None])
    said = np.where(random.random((items, models)) < 0.03, "well", said)
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "question", "answer", "story"])
        for place, gold in enumerate(golds.tolist()):
            text = " ".join(random.choice(words, 12))
            rows.writerow([f"q{place}", f"Is it so that {text}?", gold, f"s{place // GROUP}"])
    with (folder / "replies.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", *_names(models)])
        rows.writerows([f"q{place}", *line] for place, line in enumerate(said.tolist()))


def write_release(folder: Path, release: Path, models: int) -> int:
    """The same files of the items of a release, right with probability .7, and their number; wrong is the next answer
    that its subset has."""
    from hansproof.release.frozen import items_from

    items = items_from(release)
    random = np.random.Generator(np.random.PCG64([SEED, models, len(items)]))
    known: dict[str, list[str]] = {}
    for item in items:
        golds = known.setdefault(item.metadata["subset"], [])
        golds += [gold for gold in item.choices or (item.answer,) if gold not in golds]
    thoughts = ["The setting settles nothing.", "It matters what includes what.", "So both sides are compared."]
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "answer", "story"])
        rows.writerows([item.id, item.answer, item.group] for item in items)
    with (folder / "replies.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", *_names(models)])
        for item in items:
            golds = known[item.metadata["subset"]]
            wrong = golds[(golds.index(item.answer) + 1) % len(golds)]
            said = [item.answer if right else wrong for right in random.random(models) < 0.7]
            long = [" ".join(random.choice(thoughts, count)) for count in random.integers(0, 12, models)]
            replies = [f"{text}\n\nAnswer: {answer}" for text, answer in zip(long, said, strict=True)]
            rows.writerow([item.id, *replies])
    return len(items)


def _names(models: int) -> list[str]:
    return [f"m{number:03d}" for number in range(models)]


def plain(folder: Path, models: int) -> dict[str, Any]:
    """The way that a notebook has it."""
    import pandas as pd
    import statsmodels.api as sm
    from statsmodels.stats.contingency_tables import mcnemar
    from statsmodels.stats.multitest import multipletests

    def clustered(values: Any, clusters: Any) -> Any:
        return sm.OLS(values, np.ones(len(values))).fit(cov_type="cluster", cov_kwds={"groups": clusters})

    items = pd.read_csv(folder / "items.csv")
    replies = pd.read_csv(folder / "replies.csv").melt("id", var_name="model", value_name="reply")
    table = replies.merge(items, on="id")
    said = table.reply.str.rpartition("Answer: ")[2].str.strip().str.lower()
    table["right"] = said.str.split().str[0] == table.answer.astype(str)
    accuracy = table.groupby("model").right.mean()
    wide = table.pivot(index="id", columns="model", values="right").astype(float)
    clusters = items.set_index("id").story.loc[wide.index].astype("category").cat.codes.to_numpy()
    errors = {name: float(clustered(wide[name].to_numpy(), clusters).bse[0]) for name in wide}
    differences = []
    for first, second in combinations(wide, 2):
        a, b = wide[first].to_numpy(), wide[second].to_numpy()
        fitted = clustered(a - b, clusters)
        counts = pd.crosstab(a, b).reindex(index=[0, 1], columns=[0, 1], fill_value=0)
        exact = mcnemar(counts.to_numpy(), exact=True).pvalue
        low, high = fitted.conf_int()[0]
        differences.append((float(fitted.params[0]), float(low), float(high), float(exact)))
    multipletests([each[-1] for each in differences], method="holm")
    return {
        "accuracy": [float(accuracy[name]) for name in _names(models)],
        "se": [errors[name] for name in _names(models)],
        "differences": [each[0] for each in differences],
    }


def ours(folder: Path, models: int) -> dict[str, Any]:
    """`hansproof score` without its files."""
    import hansproof

    release = folder / "release"
    items, columns = (release.resolve(), None) if release.exists() else (folder / "items.csv", {"group": "story"})
    scores = hansproof.score(folder / "replies.csv", items, item_columns=columns, reply_columns=_names(models))
    return {
        "accuracy": [report.lines[0].right.share for report in scores if report.lines[0].right],
        "se": [report.lines[0].se for report in scores],
        "differences": [each.difference.difference for each in scores.differences],
    }


WAYS: Final[dict[str, Callable[[Path, int], dict[str, Any]]]] = {"plain": plain, "ours": ours}


def measured(way: str, folder: Path, models: int) -> dict[str, Any]:
    """One way in a process of its own: `processor_seconds`, `peak_mb` and its numbers."""
    command = [sys.executable, __file__, "--way", way, "--folder", str(folder), "--models", str(models)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=surroundings())
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def _alone(way: str, folder: Path, models: int) -> None:
    with tempfile.TemporaryDirectory() as small:
        write(Path(small), 2, 80)
        WAYS[way](Path(small), 2)  # imports, and what loads on first use
    used = time.process_time()
    numbers = WAYS[way](folder, models)
    seconds = time.process_time() - used
    json.dump({"processor_seconds": seconds, "peak_mb": peak_mb(), **numbers}, sys.stdout)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a row of the table in README.md. Returns 0 if both ways have the same accuracies, otherwise 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=int, default=10)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--release", type=Path, help="Folder of a release whose items are answered, all of them.")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--way", choices=list(WAYS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.way:
        _alone(options.way, options.folder, options.models)
        return 0
    with tempfile.TemporaryDirectory() as name:
        if options.release:
            options.items = write_release(Path(name), options.release, options.models)
            (Path(name) / "release").symlink_to(options.release.resolve())
        else:
            write(Path(name), options.models, options.items)
        every = {way: [measured(way, Path(name), options.models) for _ in range(options.repeat)] for way in WAYS}
    seconds = {way: statistics.median(each["processor_seconds"] for each in runs) for way, runs in every.items()}
    first = {way: runs[0] for way, runs in every.items()}
    apart = {
        key: float(np.max(np.abs(np.subtract(first["plain"][key], first["ours"][key]))))
        for key in ("accuracy", "se", "differences")
    }
    pairs = options.models * (options.models - 1) // 2
    print("| models | items | replies | pairs of models | plain s | ours s | plain MB | ours MB |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|")
    figures = [options.models, options.items, options.models * options.items, pairs]
    peaks = [f"{first[way]['peak_mb']:,.0f}" for way in WAYS]
    print("| " + " | ".join([*(f"{n:,}" for n in figures), *(f"{seconds[way]:.1f}" for way in WAYS), *peaks]) + " |")
    gaps = ", ".join(f"{key} {100 * gap:.4f}" for key, gap in apart.items())
    print(f"largest gap between the two ways, in points: {gaps}", file=sys.stderr)
    return 0 if max(apart["accuracy"], apart["differences"]) < 1e-9 else 1


if __name__ == "__main__":
    sys.exit(main())
