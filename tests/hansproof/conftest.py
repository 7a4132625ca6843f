"""A tiny dataset of two subsets, entered in the registry, and a frozen release of it that no audit has seen."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from generators import registry
from generators.dataset import Dataset, Subset
from generators.item import Item
from hansproof.release.freeze import staging, subset_entry, write_subset, write_sums
from hansproof.release.manifest import AuditSummary, Manifest, encode

UNSEEN = AuditSummary(
    verdict="NOT ASSESSED", reason="not audited", vector=None, groups=None, majority_accuracy=None,
    majority_uniform=None, schemes=[],
)  # fmt: skip


def make(subset, seed, index):
    total = index + (5 if subset == "sums" else 7) * seed
    return Item(
        id=f"tiny/1.0.0/{subset}/{index:06d}",
        prompt=f"What is {index} plus {total - index}?" if subset == "sums" else f"Is {total} even?",
        choices=None if subset == "sums" else ("no", "yes"),
        answer=str(total) if subset == "sums" else ("no", "yes")[total % 2 == 0],
        group=str(index),
        condition=subset,
        metadata={
            "dataset": "tiny",
            "version": "1.0.0",
            "subset": subset,
            "seed": seed,
            "canary": "tiny-canary",
            "total": total,
        },
    )


def check(item):
    if item.metadata["subset"] == "sums":
        right = str(sum(int(word) for word in item.prompt.strip("?").split() if word.isdigit()))
    else:
        right = "yes" if item.prompt.split()[1][-1] in "02468" else "no"
    return [] if item.answer == right else [f"answer is {item.answer!r}, solved is {right!r}"]


TINY = Dataset(
    name="tiny",
    version="1.0.0",
    title="Tiny sums",
    summary="Sums and parities.",
    seed=3,
    canary="tiny-canary",
    subsets={
        "sums": Subset(rows=12, description="open sums", labels=False),
        "parity": Subset(rows=10, description="even or not"),
    },
    make=make,
    check=check,
    fields={"total": "the sum"},
    citation="nobody",
    uses="tests",
    misuses="all else",
)


@pytest.fixture
def tiny(monkeypatch):
    module = ModuleType("tiny_dataset_of_the_tests")
    module.DATASET = TINY
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(registry.MODULES, "tiny", module.__name__)
    return TINY


@pytest.fixture
def frozen(tiny, tmp_path):
    """The folder of a release of `tiny`."""
    target = tmp_path / "datasets" / "tiny" / "1.0.0"
    with staging(target) as stage:
        entries = [
            subset_entry(tiny, name, stage.folder, write_subset(tiny, name, stage.folder), UNSEEN)
            for name in tiny.subsets
        ]
        manifest = Manifest(
            dataset="tiny", version="1.0.0", title=tiny.title, generator="hansproof 0.1.0", seed=3, date=None,
            canary=tiny.canary, subsets=entries, audit_settings=None, versions={"python": "3.11.0"},
        )  # fmt: skip
        (stage.folder / "manifest.json").write_bytes(encode(manifest))
        (stage.folder / "croissant.json").write_bytes(b"{}\n")
        write_sums(stage.folder)
        stage.commit()
    return target
