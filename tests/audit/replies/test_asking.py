"""Items of a benchmark: columns by name, groups as the audit has them, pairs by a condition."""

import csv
import json

import numpy as np
import pytest

import hansproof
from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.scores import report_joined
from hansproof.audit.reading.loading import load
from hansproof.audit.replies.asking import Asking, asked_items, items_of_logs
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.scorers import subset_of
from hansproof.audit.tasks.group_layout import groups_of, summarise
from hansproof.generators.errors import InputError, UsageError

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana"]
FRAMES = [
    "Yesterday {} went to the market in order to buy a kilo of fresh apples. Did the market have any apples?",
    "Because of the storm, {} and the whole crew stayed in the harbour for a week. Was the sea calm that week?",
    "Nobody but {} knew which of the seven keys opened the old library. Could anybody open the library?",
    "If it rains tomorrow, {} will stay at home and read a long book about bees. Does the book tell of bees?",
]
"""Templates whose items differ in a name alone."""


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


@pytest.fixture
def templated(tmp_path):
    rows = [
        {"nr": f"{frame}-{name}", "frage": text.format(name), "loesung": "yes" if frame % 2 else "no"}
        for frame, text in enumerate(FRAMES)
        for name in NAMES
    ]
    return write(tmp_path / "templated.csv", rows)


ODD = {"prompt": "frage", "answer": "loesung", "id": "nr"}


def test_groups_are_those_of_the_audit_and_a_note_says_what_counts(templated):
    items = asked_items(templated, Asking.of(ODD))
    benchmark = load(templated, Asking.of(ODD).columns)
    audited = groups_of(benchmark, "auto")
    assert len(set(audited.index.tolist())) == len(FRAMES)
    assert [item.group for item in items] == [f"{item.id[0]}-Ada" for item in items]
    assert items.notes == (f"intervals, standard errors and p count 4 groups, not 32 items. {audited.how}",)
    alone = asked_items(templated, Asking.of(ODD, "none"))
    assert [item.group for item in alone] == [item.id for item in alone]
    assert alone.notes == ("No groups, as requested: every item stands alone.",)
    result = hansproof.audit(templated, **ODD, splits=1, permutations=99, workers=1)
    assert result.groups.count == summarise(audited, benchmark.ids).count == 4


def test_the_interval_of_a_model_is_that_over_groups(templated):
    # Right on two templates, wrong on the other two: 32 items say as much as 4 groups.
    replies = {
        item.id: item.answer if item.id[0] in "01" else "perhaps" for item in asked_items(templated, Asking.of(ODD))
    }
    one_by_one = hansproof.score(replies, templated, item_columns=ODD, groups="none")[0].lines[0]
    together = hansproof.score(replies, templated, item_columns=ODD)[0].lines[0]
    assert (one_by_one.right.interval, together.right.interval) == ("Wilson", "cluster-robust")
    assert together.groups == 4
    assert one_by_one.se == pytest.approx(np.sqrt(8 / 31 / 32))  # 32 squares of 1/4
    assert together.se == pytest.approx(np.sqrt(8 / 31 / 32 + (4 * 4**2 - 8) / 32**2))  # Miller (2024), by hand
    assert together.right.high - together.right.low > 0.75  # the t interval of four groups covers all shares
    assert one_by_one.right.high - one_by_one.right.low < 0.35


def test_items_of_logs_are_grouped_within_each_benchmark(templated):
    rows = [(item.id, item.prompt) for item in asked_items(templated, Asking.of(ODD))]
    replies = [
        Reply(place="log", id=id, prompt=prompt, reply="no", benchmark=name, golds=("no",))
        for name in ("first", "second")
        for id, prompt in rows
    ]
    items = items_of_logs(replies, Asking())
    assert len({item.group for item in items}) == 8  # the same texts in two benchmarks are two groups
    assert [note.partition(" not")[0] for note in items.notes] == [
        f"{name}: intervals, standard errors and p count 4 groups," for name in ("first", "second")
    ]
    assert join(replies, items).read.about == list(items.notes)
    assert len({item.group for item in items_of_logs(replies, Asking.of({}, "none"))}) == 64
    with pytest.raises(
        UsageError, match=r"--prompt names a column of a benchmark, .* pass the benchmark itself with --items"
    ):
        items_of_logs(replies, Asking.of({"answer_part": "n", "prompt": "x"}))


PAIRS = [
    # pair, arm, gold, said: the first pair is right twice, the second and third flip, the last has one arm twice.
    ("p1", "plain", "yes", "yes"), ("p1", "changed", "no", "no"),
    ("p2", "plain", "yes", "yes"), ("p2", "changed", "no", "yes"),
    ("p3", "plain", "no", "yes"), ("p3", "changed", "yes", "yes"),
    ("p4", "plain", "no", "yes"), ("p4", "changed", "yes", "no"),
    ("p5", "plain", "no", "no"), ("p5", "plain", "yes", "yes"),
]  # fmt: skip


@pytest.fixture
def paired(tmp_path):
    rows = [
        {"question": f"Is statement {at} of {pair} so?", "answer": gold, "pair": pair, "arm": arm}
        for at, (pair, arm, gold, _) in enumerate(PAIRS)
    ]
    return write(tmp_path / "paired.csv", rows)


def test_a_condition_makes_pairs_with_an_accuracy_and_a_flip_rate(paired):
    named = Asking.of({"group": "pair", "condition": "arm"})
    items = asked_items(paired, named)
    assert [(item.group, item.condition) for item in items] == [(pair, arm) for pair, arm, _, _ in PAIRS]
    assert items.notes[-1].endswith("1 of 5 groups does not have several items, each of another condition, and is in "
                                    "no pair accuracy and no flip rate")  # fmt: skip
    replies = [Reply(place="r", id=item.id, reply=said) for item, (_, _, _, said) in zip(items, PAIRS, strict=True)]
    report = report_joined(join(replies, items, keep="outcomes"))[0]
    lines = {(line.by, line.name): line for line in report.lines}
    every = lines["all", ""]
    assert (every.matched.hits, every.matched.total) == (1, 4)  # of p1 to p4 only p1 is right twice
    assert (every.flips.hits, every.flips.total) == (2, 4)  # p2 and p3
    assert (lines["condition", "plain"].right.hits, lines["condition", "plain"].items) == (4, 6)
    assert (lines["condition", "changed"].right.hits, lines["condition", "changed"].items) == (2, 4)


def test_pairs_stay_pairs_where_a_larger_group_counts(paired):
    alone = asked_items(paired, Asking.of({"group": "pair", "condition": "arm"}, "none"))
    assert len({item.group for item in alone}) == 10
    replies = [Reply(place="r", id=item.id, reply=said) for item, (_, _, _, said) in zip(alone, PAIRS, strict=True)]
    every = report_joined(join(replies, alone, keep="outcomes"))[0].lines[0]
    assert (every.matched.hits, every.matched.total, every.flips.hits) == (1, 4, 2)


def test_a_column_of_subsets_gives_numbers_by_subset(templated, tmp_path):
    items = asked_items(templated, Asking.of({**ODD, "subset": "loesung"}, "none"))
    assert [subset_of(item) for item in items] == ["no"] * 8 + ["yes"] * 8 + ["no"] * 8 + ["yes"] * 8
    replies = [Reply(place="r", id=item.id, reply="no") for item in items]
    lines = {(line.by, line.name): line.right for line in report_joined(join(replies, items, keep="outcomes"))[0].lines}
    assert [(name, right.hits, right.total) for name, right in lines.items()] == [
        (("all", ""), 16, 32), (("subset", "no"), 16, 16), (("subset", "yes"), 0, 16)
    ]  # fmt: skip
    # The subset wins over the published split in what is shown, and a column of ids is no subset.
    split = asked_items(templated, Asking.of({**ODD, "split": "loesung", "subset": "loesung"}))
    assert {subset_of(item) for item in split} == {"no", "yes"}
    rows = [{"id": f"{at}", "question": f"Is {at} so?", "answer": "yes" if at % 2 else "no"} for at in range(60)]
    with pytest.raises(InputError, match="the column 'id' has 60 values for 60 items: these are no subsets"):
        asked_items(write(tmp_path / "ids.csv", rows), Asking.of({"subset": "id"}))
    with pytest.raises(InputError, match="there is no column 'lesung'"):
        asked_items(templated, Asking.of({**ODD, "subset": "lesung"}))


def test_what_cannot_be_read_is_said(tmp_path, paired, templated):
    with pytest.raises(InputError, match=r"--condition says how the items .*--group"):
        asked_items(templated, Asking.of({**ODD, "condition": "nr"}))
    with pytest.raises(InputError, match=r"paired\.csv: there is no column 'arn'\. Did you mean 'arm'"):
        asked_items(paired, Asking.of({"group": "pair", "condition": "arn"}))
    with pytest.raises(UsageError, match="there is no role of an item's column 'goldd'"):
        Asking.of({"goldd": "x"})
    with pytest.raises(UsageError, match="there is no way to group items 'column'"):
        Asking.of({}, "column")
    rows = [{"question": f"Is {at} so?" if at else "", "answer": "yes" if at % 2 else "no"} for at in range(20)]
    (note,) = asked_items(write(tmp_path / "gap.csv", rows), Asking.of({}, "auto")).notes[-1:]
    assert note.endswith("gap.csv: 1 row is no item and is left out; the first, line 2: empty prompt")


@pytest.mark.parametrize(
    ("last", "fault"),
    [
        ("5", r"^.*d\.csv: line 61: the id '5' stands twice \(first in line 6\): give each item an id of its own$"),
        (" 5", r"line 61: the id '5' stands twice \(first in line 6\)"),
        ("", r"line 61: has no id in column 'id': give it one, or name the column with --id"),
    ],
)
def test_a_few_ids_that_repeat_or_are_empty_are_faults(tmp_path, last, fault):
    rows = [{"id": number, "prompt": f"Is {number} word{number * 7} big?", "answer": "yes" if number % 2 else "no"}
            for number in range(1, 61)]  # fmt: skip
    path = write(tmp_path / "d.csv", rows)
    assert [item.id for item in asked_items(path, Asking())][-1] == "60"
    rows[-1]["id"] = last
    path, by_id = write(tmp_path / "d.csv", rows), Asking.of({"id": "id"})
    with pytest.raises(InputError, match=fault):
        asked_items(path, Asking())
    if last:
        with pytest.raises(InputError, match=fault):
            asked_items(path, by_id)
    else:  # whoever names the column wants the ids that are there
        assert [item.id for item in asked_items(path, by_id)][-2:] == ["59", "d.csv: line 61"]


def test_ids_of_pairs_do_not_tell_items_and_that_is_said_where_no_reply_is_to_any(tmp_path):
    rows = [{"id": number // 2, "prompt": f"Is {number} word{number * 7} big?", "answer": "yes" if number % 2 else "no"}
            for number in range(60)]  # fmt: skip
    items = asked_items(write(tmp_path / "pairs.csv", rows), Asking())
    assert [item.id for item in items[:2]] == ["pairs.csv: line 2", "pairs.csv: line 3"]
    assert "the ids in column 'id' repeat, so items are known by their place and prompt" in items.without_ids
    with pytest.raises(InputError, match=r"no item has the id '3'; .*the ids in column 'id' repeat"):
        join([Reply(place="r: line 1", id="3", reply="yes")], items)


def of_topics(path, topics, **more):
    rows = [
        {
            "prompt": f"Is it so in case {k}?",
            "answer": "yn"[k % 2],
            "topic": topic,
            **{name: values[k] for name, values in more.items()},
        }
        for k, topic in enumerate(topics)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize("role", ["subset", "condition", "split"])
def test_items_without_a_value_are_a_part_with_a_name_and_are_counted(tmp_path, role):
    topics = ["a", "", None, "  ", float("nan"), "a", " a ", "b"]
    source = of_topics(tmp_path / "b.jsonl", topics, pair=[k // 2 for k in range(8)])
    items = asked_items(source, Asking.of({role: "topic", "group": "pair"}, "none"))
    names = [item.condition if role == "condition" else subset_of(item) for item in items]
    assert names == ["a", *["(no value)"] * 4, "a", "a", "b"]
    what = "condition" if role == "condition" else "subset"
    assert f"{source}: 4 of 8 items have no value in column 'topic': their {what} is '(no value)'" in items.notes
    full = of_topics(tmp_path / "full.jsonl", ["a", "b"] * 4, pair=[k // 2 for k in range(8)])
    assert not any("no value" in note for note in asked_items(full, Asking.of({role: "topic", "group": "pair"})).notes)


@pytest.mark.parametrize("role", ["subset", "condition"])
def test_a_column_without_any_value_is_refused(tmp_path, role):
    source = of_topics(tmp_path / "b.jsonl", ["", None, " ", float("nan")] * 2, pair=[k // 2 for k in range(8)])
    with pytest.raises(
        InputError, match=rf"b\.jsonl: the column 'topic' has no value in any row, so it says no {role}"
    ):
        asked_items(source, Asking.of({role: "topic", "group": "pair"}))


def test_numbers_are_parts_by_their_value_and_a_part_of_that_name_stays_apart(tmp_path):
    topics = [1, 1.0, "1", 2.5, True, 2**60, float(2**60), "(no value)", None]
    items = asked_items(of_topics(tmp_path / "b.jsonl", topics), Asking.of({"subset": "topic"}))
    assert [subset_of(item) for item in items] == [
        "1", "1", "1", "2.5", "true", str(2**60), repr(float(2**60)), "(no value)", "((no value))",
    ]  # fmt: skip
    assert items.notes[-1].endswith("1 of 9 items has no value in column 'topic': its subset is '((no value))'")
