"""A made-up published split, realistic in shape and size."""

from hansproof.audit.result.tasks import PartLabel, PublishedSplit, SharedItem, SplitKappa


def shared(kind, number):
    return SharedItem(
        kind=kind, test=f"line {number}", train=f"train: line {number + 3}",
        similarity=0.83 if kind == "near-duplicate" else None, test_text="The cat is on the mat.",
        train_text="The dog is on the mat.", test_answer="entailment", train_answer="neutral",
    )  # fmt: skip


def kept(name, items, kappa, low=None, high=None):
    return SplitKappa(items_kept=name, items=items, groups=items / 4, kappa=kappa, low=low, high=high)


def split(**changes):
    fields = {
        "source": "column 'split'", "train_sha256": None, "train": 1024, "validation": 256, "validation_cut": True,
        "test": 320, "duplicates": 12, "near_duplicates": 40, "near": 0.7, "same_template": 300, "conflicts": 3,
        "unseen_labels": ["contradiction"],
        "labels": [PartLabel(label="entailment", train=800, test=120), PartLabel(label="neutral", train=480, test=200)],
        "shift": 0.25, "shift_p": 0.012,
        "kappas": [
            kept("all", 320, 0.51, 0.4, 0.62), kept("no near-duplicate", 268, 0.45, 0.33, 0.57),
            kept("new template", 20, None), kept("grouped folds", 1600, 0.01),
        ],
        "examples": [
            shared("conflict", 1), shared("duplicate", 2), shared("near-duplicate", 3), shared("template", 4),
        ],
    }  # fmt: skip
    return PublishedSplit(**(fields | changes))
