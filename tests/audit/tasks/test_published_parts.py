"""Two parts as one benchmark: names of parts, two files, and what is refused."""

import pytest

from hansproof.audit.reading.loading import Columns, load
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.split_parts import from_column, from_two, part_of, with_parts
from hansproof.generators.errors import InputError

ITEMS = [{"prompt": f"question {k}", "answer": "ab"[k % 2], "template_id": str(k // 2)} for k in range(12)]


def benchmark(rows, **columns):
    return load(rows, Columns(**columns))


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("train", "train"), ("Training", "train"), ("train-00000", "train"), ("dev", "validation"),
        ("val", "validation"), ("validation_matched", "validation"), (" Test ", "test"), ("test_seen", "test"),
        ("held-out", "test"), ("trainer", None), ("valley", None), ("contest", None), ("", None),
        ("challenge", None),
    ],
)  # fmt: skip
def test_parts_are_recognised_by_their_usual_names(name, part):
    assert part_of(name) == part


def test_a_column_divides_the_items():
    names = ["Train"] * 6 + ["dev"] * 2 + ["test_a"] * 3 + ["extra"]
    made = from_column(benchmark([row | {"split": name} for row, name in zip(ITEMS, names, strict=True)]))
    assert made.splits == ["train"] * 6 + ["validation"] * 2 + ["test"] * 3
    assert made.prompts == [row["prompt"] for row in ITEMS[:11]]


def test_a_validation_part_is_tested_where_there_is_no_test_part():
    names = ["train"] * 8 + ["validation"] * 4
    made = from_column(benchmark([row | {"split": name} for row, name in zip(ITEMS, names, strict=True)]))
    assert made.splits == ["train"] * 8 + ["test"] * 4


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b"], "has no training part: its values are 'a', 'b'; parts are recognised by names such as train"),
        (["train", "b"], "has no test part: its values are 'b', 'train'"),
    ],
)
def test_a_column_without_both_parts_is_refused(names, message):
    rows = [row | {"split": names[k % 2]} for k, row in enumerate(ITEMS)]
    with pytest.raises(InputError, match=message):
        from_column(benchmark(rows))


def test_no_split_at_all_is_refused():
    with pytest.raises(InputError, match="name its column with --split, or the training file with --train"):
        from_column(benchmark(ITEMS))


def test_two_sources_become_one_and_keep_their_groups():
    made = from_two(benchmark(ITEMS[8:]), benchmark(ITEMS[:9]))
    assert made.splits == ["train"] * 9 + ["test"] * 4
    assert made.ids == [f"train: row {k}" for k in range(1, 10)] + [f"row {k}" for k in range(1, 5)]
    assert made.groups[8:10] == ["4", "4"]  # template 4 is in both parts
    assert made.train_sha256 not in (None, made.sha256)


def test_items_of_the_training_source_may_be_for_validation():
    rows = [row | {"split": "dev" if k % 3 == 0 else "train"} for k, row in enumerate(ITEMS[:9])]
    made = from_two(benchmark(ITEMS[9:]), benchmark(rows))
    assert made.splits == ["validation", "train", "train"] * 3 + ["test"] * 3


def test_rows_without_a_group_are_not_one_group_across_the_parts():
    holes = [row | {"template_id": None} if k == 0 else row for k, row in enumerate(ITEMS[:9])]
    others = [row | {"template_id": None} if k == 0 else row for k, row in enumerate(ITEMS[9:])]
    made = from_two(benchmark(others, group="template_id"), benchmark(holes, group="template_id"))
    assert made.groups[0] != made.groups[9]


def test_groups_that_only_one_part_has_are_not_used():
    bare = [{"prompt": row["prompt"], "answer": row["answer"]} for row in ITEMS[9:]]
    made = from_two(benchmark(bare), benchmark(ITEMS[:9]))
    assert made.groups is None
    assert made.mapping.group is None
    assert any("no group column in common" in note for note in made.notes)


@pytest.mark.parametrize("train", [ITEMS, ITEMS[::-1]])
def test_the_same_items_on_both_sides_are_refused(train):
    with pytest.raises(InputError, match="the training part has the same items as the test part"):
        from_two(benchmark(ITEMS), benchmark(train))


def test_answers_that_do_not_overlap_are_refused():
    others = [row | {"answer": "yes" if k % 2 else "no"} for k, row in enumerate(ITEMS)]
    with pytest.raises(
        InputError, match="no answer in common: the training part has 'a', 'b', the test part 'no', 'yes'"
    ):
        with_parts(benchmark(others), ITEMS, None, make_settings())


def test_parts_read_from_different_columns_are_refused():
    others = [{"question": row["prompt"], "answer": row["answer"]} for row in ITEMS[:9]]
    with pytest.raises(InputError, match="the prompt comes from 'question' here, but from 'prompt' in"):
        from_two(benchmark(ITEMS[9:]), benchmark(others))
