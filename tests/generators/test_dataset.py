"""What `Dataset` makes once for every family: ids, base metadata, canaries, guards, streams."""

import pytest

from hansproof.generators.dataset import Dataset, Draft, Subset
from hansproof.generators.errors import UsageError
from hansproof.generators.stream import Stream


def make(stream, subset, index):
    return Draft("?", None, str(stream.child(subset).child(index).below(10**9)), f"g{index}", "base", {"n": index})


TOY = Dataset(
    "toy", "1.2.3", "Toy", "A toy.", 1, {"s": Subset(5, "five", limit=7), "endless": Subset(5, "")}, make, list
)


def test_an_item_has_its_id_and_the_metadata_that_every_item_has():
    item = TOY.item("s", 9, 3)
    assert item.id == "toy/1.2.3/s/000003"
    assert item.metadata == {
        "dataset": "toy", "version": "1.2.3", "subset": "s", "seed": 9, "canary": TOY.canary, "n": 3,
    }  # fmt: skip
    assert item.answer == str(Stream(9, "toy", "1.2.3").child("s").child(3).below(10**9))


def test_a_canary_belongs_to_one_version_of_one_dataset():
    other = Dataset("toy", "1.2.4", "Toy", "A toy.", 1, {}, make, list)
    assert TOY.canary != other.canary
    assert TOY.canary == "0213abb2-d4c8-9e85-122e-b9708db9322c"


@pytest.mark.parametrize(
    ("subset", "index", "message"),
    [
        ("endles", 0, r"^toy has no subset 'endles'\. Did you mean 'endless'\? Known: s, endless$"),
        ("s", -1, r"^an index must be 0 or more, not -1$"),
        ("s", 7, r"^toy/s has only 7 different items, with indices below 7, not 7$"),
    ],
)
def test_what_does_not_exist_is_refused(subset, index, message):
    with pytest.raises(UsageError, match=message):
        TOY.item(subset, 1, index)


def test_one_stream_per_seed_so_that_families_can_keep_what_they_drew():
    assert TOY.stream(4) is TOY.stream(4)
    assert TOY.stream(4) is not TOY.stream(5)
    first = TOY.stream(1000)
    for seed in range(200):  # the oldest streams are let go; the draws stay the same
        TOY.stream(seed)
    assert TOY.stream(1000) is not first
    assert TOY.item("endless", 1000, 0) == TOY.item("endless", 1000, 0)
