"""The dataset card of a release, as the Hugging Face Hub reads it, and how it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from msgspec import UNSET

from hansproof.audit import notation
from hansproof.audit.notation import one_line
from hansproof.generators.dataset import Dataset
from hansproof.generators.errors import InputError, not_utf8, refused
from hansproof.generators.jsonl import read_bytes
from hansproof.generators.output import write_together
from hansproof.generators.registry import CardProse, command, prose
from hansproof.release.arms import ASPECTS, beyond_noise
from hansproof.release.card_figures import BlindTable, blind_table, heat_map
from hansproof.release.croissant import FIELDS, METADATA, first_item
from hansproof.release.manifest import MANIFEST, ArmEntry, AuditSummary, Manifest, SubsetEntry, VectorKappas, decode
from hansproof.release.objections import BAD, declared

__all__ = ["DETAILS", "arm_lines", "details", "write_card"]

# All is made from the manifest, the dataset, its prose and the errata, so anybody can make it again without an audit.

_MANY: Final = 25
"""Strategies up to which a card says of each what it does; more of them nobody reads."""

_MOST_CONDITIONS: Final = 6
_SIZES: Final = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


DETAILS: Final = "DETAILS.md"
"""What the first screen has no room for, frozen with the release."""


def card(manifest: Manifest, dataset: Dataset, prose: CardProse) -> str:
    """Markdown with YAML front matter, the first screen of a release; the same arguments give the same text."""
    example = first_item(dataset, manifest.subsets[0].name)
    return _rendered(
        "card.md.j2",
        manifest,
        dataset,
        prose,
        size=next((name for limit, name in _SIZES if sum(entry.rows for entry in manifest.subsets) < limit), "n>1M"),
        rows=sum(entry.rows for entry in manifest.subsets),
        first=manifest.subsets[0].name,
        first_file=manifest.subsets[0].file,
        example=example,
        # A fence for a code block that no run of backticks in the prompt closes.
        fence="`" * max(3, *(len(run) + 1 for run in re.findall("`+", example.prompt)), 0),
        # The Hub's usual task for a dataset that names none.
        task="text-classification" if any(entry.answers for entry in manifest.subsets) else "question-answering",
        arms=arm_lines(manifest),
    )


def details(manifest: Manifest, dataset: Dataset, prose: CardProse) -> str:
    """Markdown: the design, every field, strategy and audit; the same arguments give the same text."""
    unprobed = [entry for entry in manifest.subsets if not entry.audit.schemes]
    return _rendered(
        "details.md.j2",
        manifest,
        dataset,
        prose,
        answerless=[entry.name for entry in manifest.subsets if first_item(dataset, entry.name).answer is None],
        knobs=[(name, subset.knob) for name, subset in dataset.subsets.items() if subset.knob],
        arms=any(entry.arms for entry in manifest.subsets),
        by_option=[entry for entry in manifest.subsets if entry.by_option is not None],
        bad=(*BAD, "TRACES"),
        unaudited=[
            (verdict, reason, names)
            for verdict in dict.fromkeys(entry.audit.verdict for entry in unprobed)
            for reason, names in _grouped(_reasons(unprobed, verdict)).items()
        ],
        exploits=_grouped((entry.exploit, entry) for entry in manifest.subsets if entry.exploit),
        balanced=[entry.name for entry in manifest.subsets if entry.balanced],
        figures=[] if manifest.figures is UNSET else manifest.figures,
        expected={"better": "n12 < n21", "worse": "n12 > n21", "either": "a shift either way"},
        fields=FIELDS,
        metadata={**METADATA, **prose.fields},
        many=_MANY,
    )


def _rendered(template: str, manifest: Manifest, dataset: Dataset, prose: CardProse, **values: Any) -> str:
    """A template with what both have."""
    common: dict[str, Any] = {
        "manifest": manifest,
        "dataset": dataset,
        "prose": prose,
        "entries": [(entry, dataset.subset(entry.name)) for entry in manifest.subsets],
        "audited": [entry for entry in manifest.subsets if entry.audit.schemes],
        "blind": blind_table(manifest, dataset),
        "aspects": list(ASPECTS),
        "command": command(manifest.dataset),
        "stem": f"{manifest.dataset}-{manifest.version}",
        "zip": zip,
    }
    return _environment().get_template(template).render(**common, **values)


def arm_lines(manifest: Manifest) -> dict[tuple[str, str], list[str]]:
    """(`before → after`, the differences beyond noise in words, or nothing) -> the subsets where that is so."""
    lines: dict[tuple[str, str], list[str]] = {}
    for entry in manifest.subsets:
        for arm in entry.arms:
            text = ", ".join(f"{aspect} {_signed(difference)}" for aspect, difference in beyond_noise(arm).items())
            lines.setdefault((f"{arm.before} → {arm.after}" if text else "", text), []).append(entry.name)
    return {key: list(dict.fromkeys(names)) for key, names in lines.items()}


def _arm_cells(arm: ArmEntry) -> list[str]:
    beyond = beyond_noise(arm)
    return [
        "–" if value is None else f"**{_signed(value)}**" if aspect in beyond else _signed(value)
        for aspect, value in arm.differences.items()
    ]


def _signed(value: float) -> str:
    """`+1.2`, `−0.05`, `0`."""
    return f"{value:+.2g}".replace("-", "−") if value else "0"


def _best(entry: SubsetEntry, blind: BlindTable) -> str:
    """The best strategy on the first part that has one, and which part that is; a dash where none has."""
    cells = dict(blind.rows)[entry.name]
    part, text = next(((part, text) for part, text in zip(blind.parts, cells, strict=True) if text != "–"), ("", "–"))
    return text if part in ("", blind.parts[0]) else f"{part}: {text}"


def _conditions(counted: dict[str, int]) -> str:
    """`original 500, perturbed 500`; of many, how many there are."""
    if len(counted) > _MOST_CONDITIONS:
        return f"{len(counted)} conditions"
    return ", ".join(f"{name} {count:,}" for name, count in counted.items())


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


def _headline(entry: SubsetEntry, name: str) -> VectorKappas | None:
    """The kappas of the headline vector of a scheme; None where the scheme was not run."""
    scheme = next((scheme for scheme in entry.audit.schemes if scheme.scheme == name), None)
    return scheme.vectors.get(scheme.headline) if scheme else None


def _strongest(audit: AuditSummary) -> VectorKappas | None:
    """The vector with the largest kappa of the first scheme; None where nothing was measured."""
    schemes = audit.schemes[:1]
    defined = [kappas for scheme in schemes for kappas in scheme.vectors.values() if kappas.matched is not None]
    return max(defined, key=lambda kappas: kappas.matched or 0.0, default=None)


def _with_interval(kappa: VectorKappas | None) -> str:
    """`.62 [.55, .69]`, or a dash where nothing was measured."""
    if kappa is None:
        return "–"
    return f"{notation.kappa(kappa.matched)} {notation.interval(kappa.matched_low, kappa.matched_high)}"


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
        "arm_cells": _arm_cells,
        "best": _best,
        "cell": _cell,
        "conditions": _conditions,
        "count": notation.count,
        "declared": declared,
        "headline": _headline,
        "kappa": notation.kappa,
        "predicted": _predicted,
        "with_interval": _with_interval,
        "strongest": _strongest,
        "would_find": _would_find,
        "yaml": _yaml,
    }
    return environment


def write_card(folder: Path, dataset: Dataset, cards: Path | str) -> list[Path]:
    """Write `NAME-VERSION.md` and the drawing beside it into `cards`, replacing earlier ones; the paths.

    The card is made from the manifest in `folder`, the dataset and, if there is one, `NAME-VERSION.errata.md`, which
    lists what was found wrong after the freeze. The card of a version other than the dataset's keeps the words of its
    day, before the errata. Raises InputError where a file cannot be read or written, and for another dataset's release.
    """
    path, into = folder / MANIFEST, Path(cards)
    manifest = decode(read_bytes(path), str(path))
    if (manifest.dataset, manifest.version) != (dataset.name, folder.name):
        raise InputError(f"is of {manifest.dataset} {manifest.version}", str(path))
    stem = f"{manifest.dataset}-{manifest.version}"
    if manifest.version == dataset.version:
        text = card(manifest, dataset, prose(dataset.name))
    else:
        text = _text(into / f"{stem}.md").partition(f"\n{_WRONG}\n")[0]
    errata = _text(into / f"{stem}.errata.md").strip()
    texts = {f"{stem}.md": f"{text}\n{_WRONG}\n\n{errata}\n" if errata else text, f"{stem}.svg": heat_map(manifest)}
    write_together(into, {name: text.encode() for name, text in texts.items() if text}, overwrite=True)
    return [into / name for name, text in texts.items() if text]


_WRONG: Final = "## What was found wrong since"


def _text(path: Path) -> str:
    """The text of a file; empty where there is none."""
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except UnicodeDecodeError as error:
        raise not_utf8(error, str(path)) from error
    except OSError as error:
        raise refused("read", error, str(path)) from error
