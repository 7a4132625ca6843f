"""The dataset card of a release, as the Hugging Face Hub reads it, and the heat map beside it.

Both are made from the manifest and the dataset alone (and what was noted as errata), so that anybody can make them
again from a frozen release without auditing it anew.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from audit import notation
from audit.report.plaintext import one_line
from generators.dataset import Dataset
from hansproof.cards.croissant import FIELDS, METADATA
from hansproof.cards.heatmap import heat_map
from hansproof.release.manifest import Kappa, Manifest, SchemeKappas, SubsetEntry

__all__ = ["card", "heat_map"]

_SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card(manifest: Manifest, dataset: Dataset, errata: str = "") -> str:
    """Markdown with YAML front matter; the same manifest and dataset give the same text."""
    return (
        _environment()
        .get_template("card.md.j2")
        .render(
            manifest=manifest,
            dataset=dataset,
            errata=errata.strip(),
            rows=sum(one.rows for one in manifest.subsets),
            size=_size(sum(one.rows for one in manifest.subsets)),
            entries=[(one, dataset.subsets[one.name]) for one in manifest.subsets],
            choices=_task(manifest),
            pairs={
                name: one.contrast for name, one in dataset.subsets.items() if one.contrast and manifest.subset(name)
            },
            measured=list(dict.fromkeys(key for one in manifest.subsets for key in one.shortcuts)),
            fields=FIELDS,
            metadata=METADATA | dataset.fields,
            stem=f"{manifest.dataset}-{manifest.version}",
        )
    )


def _size(rows: int) -> str:
    return next((name for limit, name in _SIZES if rows < limit), "n>1M")


def _task(manifest: Manifest) -> str:
    """The usual task of the Hub for datasets that name none of their own."""
    return "text-classification" if any(one.answers for one in manifest.subsets) else "question-answering"


def _scheme(entry: SubsetEntry, name: str) -> SchemeKappas | None:
    return next((one for one in entry.audit.schemes if one.scheme == name), None)


def _headline(entry: SubsetEntry, name: str) -> Kappa | None:
    """What the headline vector of a scheme reached; None where the scheme was not run."""
    scheme = _scheme(entry, name)
    return scheme.vectors.get(scheme.headline) if scheme else None


def _strongest(entry: SubsetEntry, name: str) -> Kappa | None:
    """The largest Cohen's kappa of a scheme; None where it was not run."""
    scheme = _scheme(entry, name)
    found = [one for one in scheme.vectors.values() if one.cohen is not None] if scheme else []
    return max(found, key=lambda one: one.cohen or 0.0, default=None)


def _reached(kappa: Kappa | None) -> str:
    """`.62 [.55, .69]`, or a dash where nothing was measured."""
    return (
        "–"
        if kappa is None
        else f"{notation.kappa(kappa.cohen)} {notation.interval(kappa.cohen_low, kappa.cohen_high)}"
    )


def _predicted(entry: SubsetEntry) -> str:
    """The metadata key that was audited, for a cell beside the subset's name; nothing where it was the answer."""
    return f" (`metadata.{_cell(entry.audited)}`)" if entry.audited else ""


def _reach(value: float | None) -> str:
    return "–" if value is None else notation.kappa(value)


def _answers(entry: SubsetEntry) -> str:
    """The answers with their counts, the commonest first; the number of them where they are many."""
    if entry.answers is None:
        return "open"
    ranked = sorted(entry.answers.items(), key=lambda pair: (-pair[1], pair[0]))
    if len(ranked) > 6:
        return f"{len(ranked)} answers, {ranked[-1][1]:,} to {ranked[0][1]:,} items each"
    return ", ".join(f"{answer} {count:,}" for answer, count in ranked)


def _majority(entry: SubsetEntry) -> str:
    if not entry.answers:
        return "–"
    return notation.per_cent(max(entry.answers.values()) / entry.rows)


def _chance(entry: SubsetEntry) -> str:
    return notation.per_cent(1 / len(entry.answers)) if entry.answers else "–"


def _cell(value: Any) -> str:
    """Text inside a Markdown table: one line, bars and angle brackets not acting."""
    return one_line(str(value)).replace("|", "\\|").replace("<", "&lt;")


def _yaml(value: Any) -> str:
    """A scalar as YAML: JSON's strings are YAML's double-quoted ones."""
    return json.dumps(value, ensure_ascii=False)


@cache
def _environment() -> Environment:
    # Markdown, not HTML: what needs quoting goes through `cell` or `yaml`.
    environment = Environment(
        loader=PackageLoader("hansproof.cards", "templates"),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "answers": _answers,
        "cell": _cell,
        "chance": _chance,
        "count": notation.count,
        "headline": _headline,
        "kappa": notation.kappa,
        "majority": _majority,
        "predicted": _predicted,
        "reach": _reach,
        "reached": _reached,
        "scheme": _scheme,
        "strongest": _strongest,
        "yaml": _yaml,
    }
    return environment
