"""Which statistic of a HELM run decides what is right: that of the leaderboard where the suite states it."""

import json

import made_logs
import pytest

from hansproof.audit.replies.foreign_items import items_of_replies
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.report.study_reading import joined_notes

ROWS = [("s-0", "Is it?", "yes", "yes", True), ("s-1", "Was it?", "no", "yes", False)]
STATS = [
    ("s-0", {"exact_match": 0, "quasi_exact_match": 1, "quasi_prefix_exact_match": 1, "f1_score": 0.5, "safe": 0}),
    ("s-1", {"exact_match": 0, "quasi_exact_match": 0, "quasi_prefix_exact_match": 1, "f1_score": 1.0, "safe": 1}),
]


def run(suite, groups=("mine",), mains=(), stats=STATS, **more):
    """A run of a suite as HELM writes it: statistics in several entries per instance, a schema beside the runs."""
    suite.mkdir()
    entries = [
        {"instance_id": id, "train_trial_index": 0, "stats": [{"name": {"name": name, "split": "test"}, "count": 1,
                                                               "sum": value, "mean": float(value)}]}
        for id, values in stats for name, value in values.items()
    ]  # fmt: skip
    entries.append({"instance_id": "s-0", "train_trial_index": 0, "stats": [{"name": {"name": "co2"}, "count": 0}]})
    folder = made_logs.helm_run(suite / "run", [made_logs.helm_state(row) for row in ROWS], entries)
    spec = {"name": "mine:model=openai_gpt-x", "groups": list(groups)}
    (folder / "run_spec.json").write_text(json.dumps(spec))
    schema = {"run_groups": [{"name": name, "environment": {"main_name": main}} for name, main in mains]} | more
    (suite / "schema.json").write_text(json.dumps(schema))
    return folder


def judged(folder):
    return [reply.judged for reply in read_replies(folder)]


@pytest.mark.parametrize(
    ("main", "verdicts"),
    [
        ("exact_match", [False, False]),
        ("quasi_exact_match", [True, False]),
        ("quasi_prefix_exact_match", [True, True]),
        ("safe", [False, True]),
        ("f1_score", [True, True]),  # has marks in between, so the most lenient match counts
        ("nowhere", [True, True]),
    ],
)
def test_the_main_statistic_of_the_group_counts(tmp_path, main, verdicts):
    assert judged(run(tmp_path / "suite", mains=[("other", "exact_match"), ("mine", main)])) == verdicts


def test_of_several_groups_the_first_that_states_a_statistic_of_the_run_counts(tmp_path):
    mains = [("b", "quasi_exact_match"), ("a", "nowhere"), ("c", "exact_match")]
    assert judged(run(tmp_path / "suite", groups=("a", "unknown", "b", "c"), mains=mains)) == [True, False]


def test_exact_match_stands_in_for_quasi_exact_match_as_in_helm(tmp_path):
    stats = [("s-0", {"exact_match": 1, "quasi_prefix_exact_match": 1}),
             ("s-1", {"exact_match": 0, "quasi_prefix_exact_match": 1})]  # fmt: skip
    mains = [("mine", "quasi_exact_match")]
    assert judged(run(tmp_path / "suite", mains=mains, stats=stats)) == [True, False]


@pytest.mark.parametrize(
    "schema",
    ["", "{", "[]", '{"run_groups": 3}', '{"run_groups": [3, {"name": "mine"}, {"environment": {"main_name": 4}}]}',
     '{"run_groups": [{"name": ["mine"], "environment": {"main_name": "exact_match"}}]}'],
)  # fmt: skip
def test_without_a_schema_that_can_be_read_the_most_lenient_match_counts(tmp_path, schema):
    folder = run(tmp_path / "suite")
    (tmp_path / "suite" / "schema.json").write_text(schema)
    assert judged(folder) == [True, True]


@pytest.mark.parametrize(
    "stats", [[3, {"stats": 7}, {"stats": [None, {"name": "x"}, {"name": {"name": 4}}]}], {"a": 1}]
)
def test_statistics_of_another_form_say_nothing(tmp_path, stats):
    folder = run(tmp_path / "suite", mains=[("mine", "exact_match")])
    (folder / "per_instance_stats.json").write_text(json.dumps(stats))
    assert judged(folder) == [None, None]


def told(folder):
    return [(reply.judged, reply.undecided) for reply in read_replies(folder)]


def test_marks_that_are_neither_right_nor_wrong_are_told_with_their_statistic(tmp_path):
    half = [("s-0", {"exact_match": 0.5, "quasi_exact_match": 0.25}), ("s-1", {"exact_match": 1})]
    assert told(run(tmp_path / "a", stats=half)) == [(None, "quasi_exact_match '0.25'"), (True, "")]
    # The main statistic comes first, and one that has marks in between judges nobody.
    main = [("s-0", {"f1_score": 0.4, "exact_match": 0.5}), ("s-1", {"f1_score": 1.0})]
    assert told(run(tmp_path / "b", mains=[("mine", "f1_score")], stats=main)) == [
        (None, "f1_score '0.4'"),
        (None, "f1_score '1.0', of a statistic with marks in between,"),
    ]
    settled = [("s-0", {"f1_score": 0.4, "exact_match": 1}), ("s-1", {"f1_score": 0.5, "exact_match": 0.5})]
    assert told(run(tmp_path / "c", mains=[("mine", "f1_score")], stats=settled)) == [
        (True, ""),
        (None, "f1_score '0.5'"),
    ]


def test_no_mark_and_what_is_no_number_are_not_told(tmp_path):
    folder = run(tmp_path / "suite", stats=[("s-1", {"exact_match": 0})])
    assert told(folder) == [(None, ""), (False, "")]
    entries = json.loads((folder / "per_instance_stats.json").read_text())
    for odd in (None, "", [], {}, [0.5], float("nan")):
        entries[0]["stats"][0]["mean"] = odd
        (folder / "per_instance_stats.json").write_text(json.dumps(entries))
        assert told(folder)[1] == (None, "")


def test_a_note_counts_them_with_their_places(tmp_path):
    path = run(tmp_path / "suite", stats=[("s-0", {"exact_match": 0.5}), ("s-1", {"exact_match": 1})])
    replies = list(read_replies(path))
    joined = join(replies, items_of_replies(replies))
    (note,) = [note for note in joined_notes(joined.read) if "neither" in note]
    assert note == (
        "1 of 2 replies have a mark of a harness that is neither right nor wrong, and are in no accuracy by its "
        "verdicts: "
        f"{path / 'scenario_state.json'}: row 1: exact_match '0.5' is neither right nor wrong"
    )
