"""The dataset card of a release, as the Hugging Face Hub reads it, and how it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import UNSET

from hansproof.audit import notation
from hansproof.audit.notation import one_line
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import not_utf8, refused
from hansproof.generators.jsonl import read, read_bytes
from hansproof.generators.output import write_together
from hansproof.generators.registry import CardProse, prose
from hansproof.release.card_figures import blind_table, heat_map
from hansproof.release.croissant import FIELDS, METADATA, first_item
from hansproof.release.manifest import (
    FIRST_SCHEMA,
    MANIFEST,
    AuditSummary,
    Manifest,
    SchemeKappas,
    SubsetEntry,
    VectorKappas,
    decode,
)
from hansproof.release.objections import BAD, declared, with_blind

__all__ = ["measured", "write_card"]

# All is made from the manifest, the dataset, its prose and the errata, so anybody can make it again without an audit.

_MANY: Final = 25
"""Strategies up to which a card says of each what it does; more of them nobody reads."""

_SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def card(manifest: Manifest, dataset: Dataset, prose: CardProse, errata: str = "") -> str:
    """Markdown with YAML front matter; the same arguments give the same text."""
    first = manifest.subsets[0].name
    example = first_item(dataset, first)
    rows = sum(entry.rows for entry in manifest.subsets)
    unprobed = [entry for entry in manifest.subsets if not entry.audit.schemes]
    answerless = [entry.name for entry in manifest.subsets if first_item(dataset, entry.name).answer is None]
    return (
        _environment()
        .get_template("card.md.j2")
        .render(
            manifest=manifest,
            dataset=dataset,
            prose=prose,
            errata=errata.strip(),
            rows=rows,
            size=next((name for limit, name in _SIZES if rows < limit), "n>1M"),
            entries=[(entry, dataset.subset(entry.name)) for entry in manifest.subsets],
            first=first,
            example=example,
            answerless=answerless,
            # A fence for a code block that no run of backticks in the prompt closes.
            fence="`" * max(3, *(len(run) + 1 for run in re.findall("`+", example.prompt)), 0),
            # The Hub's usual task for a dataset that names none.
            task="text-classification" if any(entry.answers for entry in manifest.subsets) else "question-answering",
            pairs={
                name: subset.matched
                for name, subset in dataset.subsets.items()
                if subset.matched and not subset.matched.forms and manifest.subset(name)
            },
            audited=[entry for entry in manifest.subsets if entry.audit.schemes],
            by_option=[entry for entry in manifest.subsets if entry.by_option is not None],
            bad=(*BAD, "TRACES"),
            unaudited=[
                (verdict, reason, names)
                for verdict in dict.fromkeys(entry.audit.verdict for entry in unprobed)
                for reason, names in _grouped(_reasons(unprobed, verdict)).items()
            ],
            exploits=_grouped((entry.exploit, entry) for entry in manifest.subsets if entry.exploit),
            balanced=[entry.name for entry in manifest.subsets if entry.balanced],
            blind=blind_table(manifest, dataset),
            figures=[] if manifest.figures is UNSET else manifest.figures,
            in_manifest=manifest.schema != FIRST_SCHEMA,
            expected={"better": "n12 < n21", "worse": "n12 > n21", "either": "a shift either way"},
            fields=FIELDS,
            metadata={**METADATA, **prose.fields},
            stem=f"{manifest.dataset}-{manifest.version}",
            zip=zip,
            many=_MANY,
        )
    )


def _reasons(unprobed: Sequence[SubsetEntry], verdict: str) -> Iterator[tuple[str, SubsetEntry]]:
    """Why the subsets with this verdict were not probed."""
    for entry in unprobed:
        if entry.audit.verdict == verdict:
            yield entry.audit.reason.partition(" (")[0].rstrip("."), entry


def _grouped(pairs: Iterable[tuple[str, SubsetEntry]]) -> dict[str, list[str]]:
    """Text -> the subsets that it is about."""
    grouped: dict[str, list[str]] = {}
    for text, entry in pairs:
        grouped.setdefault(text, []).append(entry.name)
    return grouped


def _scheme(entry: SubsetEntry, name: str) -> SchemeKappas | None:
    return next((scheme for scheme in entry.audit.schemes if scheme.scheme == name), None)


def _headline(entry: SubsetEntry, name: str) -> VectorKappas | None:
    """The kappas of the headline vector of a scheme; None where the scheme was not run."""
    scheme = _scheme(entry, name)
    return scheme.vectors.get(scheme.headline) if scheme else None


def _strongest(entry: SubsetEntry, name: str) -> VectorKappas | None:
    """The vector with the largest kappa of a scheme; None where it was not run."""
    return _largest(_scheme(entry, name))


def _strongest_of(audit: AuditSummary) -> VectorKappas | None:
    """The vector with the largest kappa of the first scheme; None where nothing was measured."""
    return _largest(audit.schemes[0] if audit.schemes else None)


def _largest(scheme: SchemeKappas | None) -> VectorKappas | None:
    defined = [kappas for kappas in scheme.vectors.values() if kappas.deciding is not None] if scheme else []
    return max(defined, key=lambda kappas: kappas.deciding or 0.0, default=None)


def _with_interval(kappa: VectorKappas | None) -> str:
    """`.62 [.55, .69]`, or a dash where nothing was measured."""
    if kappa is None:
        return "–"
    first = kappa.matched is None
    low, high = (kappa.cohen_low, kappa.cohen_high) if first else (kappa.matched_low, kappa.matched_high)
    return f"{notation.kappa(kappa.deciding)} {notation.interval(low, high)}"


def _would_find(entry: SubsetEntry) -> str:
    """The smallest kappa at which every kind of injected cue would have been found; a dash where none was injected."""
    kappas = list(entry.audit.findable.values())
    if not kappas:
        return "–"
    return "not every cue" if None in kappas else notation.kappa(max(kappa for kappa in kappas if kappa is not None))


def _predicted(entry: SubsetEntry) -> str:
    """The key of the metadata that was audited, for the cell of the subset; empty where it was the answer."""
    return f" (`metadata.{_cell(entry.audited)}`)" if entry.audited else ""


def _answers(entry: SubsetEntry, answerless: Sequence[str]) -> str:
    """The answers with their counts, the most common first; of many, only how many there are."""
    if entry.answers is None:
        return "none is right" if entry.name in answerless else "open"
    ranked = sorted(entry.answers.items(), key=lambda pair: (-pair[1], pair[0]))
    if len(ranked) > 6:
        return f"{len(ranked)} answers, {ranked[-1][1]:,} to {ranked[0][1]:,} items each"
    return ", ".join(f"{answer} {count:,}" for answer, count in ranked)


def _cell(value: Any) -> str:
    """Text in a cell of a Markdown table: one line, with bars and angle brackets escaped."""
    return one_line(str(value)).replace("|", "\\|").replace("<", "&lt;")


def _yaml(value: Any) -> str:
    """A scalar as YAML: JSON's strings are YAML's double-quoted ones."""
    return json.dumps(value, ensure_ascii=False)


@cache
def _environment() -> Environment:
    # Markdown, not HTML: whatever needs quoting goes through `cell` or `yaml`.
    environment = Environment(
        loader=PackageLoader("hansproof.release", "templates"),
        autoescape=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "answers": _answers,
        "cell": _cell,
        "count": notation.count,
        "declared": declared,
        "headline": _headline,
        "kappa": notation.kappa,
        "predicted": _predicted,
        "with_interval": _with_interval,
        "scheme": _scheme,
        "strongest": _strongest,
        "strongest_of": _strongest_of,
        "would_find": _would_find,
        "yaml": _yaml,
    }
    return environment


def write_card(folder: Path, dataset: Dataset, cards: Path | str) -> list[Path]:
    """Write `NAME-VERSION.md` and the drawing beside it into `cards`, replacing earlier ones; the paths.

    The card is made from the manifest in `folder`, the dataset and, if there is one, `NAME-VERSION.errata.md`, which
    lists what was found wrong after the freeze. Of a version other than the dataset's, only the drawing is written: the
    card keeps the words of its day. Raises InputError where a file cannot be read or written.
    """
    manifest = _manifest(folder)
    into = Path(cards)
    stem = f"{manifest.dataset}-{manifest.version}"
    noted = into / f"{stem}.errata.md"
    try:
        errata = noted.read_text(encoding="utf-8") if noted.exists() else ""
    except UnicodeDecodeError as error:
        raise not_utf8(error, str(noted)) from error
    except OSError as error:
        raise refused("read", error, str(noted)) from error
    texts = {f"{stem}.svg": heat_map(manifest)}
    if manifest.version == dataset.version:
        texts = {f"{stem}.md": card(measured(folder, dataset), dataset, prose(dataset.name), errata)} | texts
    write_together(into, {name: text.encode() for name, text in texts.items()}, overwrite=True)
    return [into / name for name in texts]


def measured(folder: Path, dataset: Dataset) -> Manifest:
    """The manifest in `folder`; one of the first schema gets its blind strategies from the frozen items.

    Raises InputError where the manifest or, for the first schema, an item file cannot be read.
    """
    manifest = _manifest(folder)
    if manifest.schema != FIRST_SCHEMA:
        return manifest
    entries = [with_blind(entry, dataset, read(folder / entry.file)) for entry in manifest.subsets]
    return msgspec.structs.replace(manifest, subsets=entries)


def _manifest(folder: Path) -> Manifest:
    path = folder / MANIFEST
    return decode(read_bytes(path), str(path))
