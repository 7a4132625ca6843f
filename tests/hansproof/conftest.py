"""Datasets made up for these tests, entered in the registry, and frozen releases that no audit has seen."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from hansproof.generators import registry
from hansproof.generators.dataset import OPTION, Dataset, Draft, Subset
from hansproof.release.manifest import AuditSummary, Manifest, encode
from hansproof.release.objections import figure_entries
from hansproof.release.release import staging, subset_entry, write_subset, write_sums

UNSEEN = AuditSummary(
    verdict="NOT ASSESSED", reason="not audited", vector=None, groups=None, majority_accuracy=None,
    majority_uniform=None, schemes=[],
)  # fmt: skip

CARD = """Sums and parities.
## Fields
- `total`: the sum
## Uses
Tests.
## Misuses
All else.
## Citation
Nobody.
"""


def make(stream, subset, index):
    """The totals of `sums` start at 15, those of `parity` at 21."""
    total = index + (15 if subset == "sums" else 21)
    return Draft(
        prompt=f"What is {index} plus {total - index}?" if subset == "sums" else f"Is {total} even?",
        choices=None if subset == "sums" else ("no", "yes"),
        answer=str(total) if subset == "sums" else ("no", "yes")[total % 2 == 0],
        group=str(index),
        condition=subset,
        metadata={"total": total},
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
    subsets={
        "sums": Subset(rows=12, description="open sums"),
        "parity": Subset(rows=10, description="even or not", form=OPTION),
    },
    make=make,
    check=check,
)


@pytest.fixture
def register(monkeypatch, tmp_path_factory):
    """Puts a dataset, and its card.md, into the registry for one test; a second call replaces it."""

    def put(dataset, card=CARD):
        folder = tmp_path_factory.mktemp("family")
        (folder / "card.md").write_text(card, "utf-8")
        module = ModuleType(f"{dataset.name.replace('-', '_')}_of_the_tests")
        module.DATASET, module.__file__ = dataset, str(folder / "dataset.py")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(registry.MODULES, dataset.name, module.__name__)
        return dataset

    return put


@pytest.fixture
def tiny(register):
    return register(TINY)


@pytest.fixture
def freeze(tmp_path):
    """Freezes a registered dataset without an audit; the folder."""

    def frozen(dataset):
        target = tmp_path / "datasets" / dataset.name / dataset.version
        with staging(target) as stage:
            items = {name: write_subset(dataset, name, stage.folder) for name in dataset.subsets}
            entries = [subset_entry(dataset, name, stage.folder, rows, UNSEEN) for name, rows in items.items()]
            manifest = Manifest(
                dataset=dataset.name, version=dataset.version, title=dataset.title, generator="hansproof 0.1.0",
                seed=dataset.seed, date=None, canary=dataset.canary, subsets=entries, audit_settings=None,
                versions={"python": "3.11.0"}, figures=figure_entries(dataset, items),
            )  # fmt: skip
            (stage.folder / "manifest.json").write_bytes(encode(manifest))
            (stage.folder / "croissant.json").write_bytes(b"{}\n")
            write_sums(stage.folder)
            stage.commit()
        return target

    return frozen


@pytest.fixture
def frozen(tiny, freeze):
    """The folder of a release of `tiny`."""
    return freeze(tiny)
