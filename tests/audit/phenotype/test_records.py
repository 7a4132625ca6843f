"""Rows are checked where they enter: a fault has its place and says what should stand there."""

import random

import numpy as np
import pytest
from toy_records.rows import SIMULATED, played_games

from hansproof.audit.phenotype.measuring import phenotype
from hansproof.audit.phenotype.record_files import read_records
from hansproof.audit.phenotype.task_records import COLUMNS, make_records, number_in
from hansproof.generators.errors import InputError, UsageError

BALLOON = {"run": 0, "balloon": 0, "pumps": 3, "burst": False, "reward": 3}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pumps": -1}, "balloons: record 2: pumps is -1, not a whole number of at least 0"),
        ({"pumps": 2.5}, "pumps is 2.5, not a whole number"),
        ({"pumps": [1]}, r"pumps is \[1\], not a whole number"),
        ({"pumps": "1_0"}, "pumps is '1_0', not a whole number"),
        ({"pumps": "٣"}, "not a whole number"),
        ({"pumps": "1e999"}, "pumps is '1e999', not a whole number"),
        ({"pumps": 10**400}, "not a whole number"),
        ({"pumps": "9" * 10_000}, "not a whole number"),
        ({"burst": "maybe"}, "burst is 'maybe', not 0 or 1"),
        ({"burst": 2}, "burst is 2, not 0 or 1"),
        ({"reward": "\ud800"}, "not a number of at least 0"),
        ({"run": {}}, "run is {}, not a number or a short name"),
        ({"run": "x" * 300}, "not a number or a short name"),
    ],
)
def test_a_value_that_a_column_cannot_hold_is_told_with_its_place(change, said):
    with pytest.raises(InputError, match=said):
        make_records({"balloons": [BALLOON, {**BALLOON, "balloon": 1, **change}]})


def test_all_faults_are_told_in_their_order():
    with pytest.raises(InputError) as caught:
        make_records({"balloons": [{**BALLOON, "burst": 7}, BALLOON, {**BALLOON, "pumps": "x", "run": []}]})
    assert [fault.place for fault in caught.value.faults] == [f"balloons: record {number}" for number in (1, 3, 3)]


def test_a_column_that_a_metric_needs_may_not_be_absent():
    with pytest.raises(InputError, match="records of balloons need columns 'burst', 'reward'"):
        make_records({"balloons": [{"pumps": 1}]})


def test_an_unknown_task_is_told_with_the_known_ones():
    with pytest.raises(UsageError, match=r"there is no task 'ballons'\. Did you mean 'balloons'\?"):
        make_records({"ballons": [BALLOON]})


def test_rows_with_a_blank_are_left_out_and_counted():
    records = make_records({"balloons": [BALLOON, {**BALLOON, "pumps": None}, {**BALLOON, "pumps": " "}]})
    table = records.tables["balloons"]
    assert len(table.run) == 1
    assert table.notes == ("2 rows have no pumps and are left out (the first: balloons: record 2)",)
    with pytest.raises(InputError, match="has no usable row of balloons: 1 row has no pumps"):
        make_records({"balloons": [{**BALLOON, "pumps": None}]})


def test_a_trial_may_not_occur_twice_in_a_run():
    rows = played_games([(8, False, 2, 1)])
    with pytest.raises(InputError, match="horizon: record 6: run 0 has trial 2 twice"):
        make_records({"horizon": [*rows, rows[2]]})


def test_a_balloon_or_a_questionnaire_may_not_occur_twice_in_a_run():
    balloons = [{**BALLOON, "run": run, "balloon": balloon} for run in range(2) for balloon in range(3)]
    with pytest.raises(InputError, match="balloons: record 7: run 0 has balloon 1 twice"):
        make_records({"balloons": [*balloons, balloons[1]]})
    with pytest.raises(InputError) as caught:
        make_records({"balloons": [*balloons, *balloons[3:]]})
    assert len(caught.value.faults) == 3
    unnumbered = [{key: value for key, value in row.items() if key != "balloon"} for row in balloons]
    assert len(make_records({"balloons": [*unnumbered, unnumbered[0]]}).tables["balloons"].run) == 7
    with pytest.raises(InputError, match="temporal-discounting: record 2: run a has a questionnaire twice"):
        make_records({"temporal-discounting": [{"run": "a", "score": 3}] * 2})
    assert len(make_records({"temporal-discounting": [{"score": 3}] * 2}).tables["temporal-discounting"].run) == 2


def test_numbers_read_from_text_are_the_numbers_themselves():
    rows = [
        {key: str(value) for key, value in row.items()}
        for row in SIMULATED["estimates"](1, 1, 3, np.random.default_rng(1), 0.0)
    ]
    plain = SIMULATED["estimates"](1, 1, 3, np.random.default_rng(1), 0.0)
    left, right = (make_records({"probabilistic-reasoning": given}) for given in (rows, plain))
    for name, values in left.tables["probabilistic-reasoning"].columns.items():
        assert np.array_equal(values, right.tables["probabilistic-reasoning"].columns[name])


def test_the_order_of_rows_never_matters():
    rows = {"probabilistic-reasoning": SIMULATED["estimates"](0.7, 0.9, 12, np.random.default_rng(2), noise=0.4)}
    shuffled = {task: random.Random(3).sample(entries, len(entries)) for task, entries in rows.items()}
    assert phenotype(make_records(rows), resamples=50) == phenotype(make_records(shuffled), resamples=50)


def test_runs_are_sorted_by_number_and_then_by_name():
    rows = [{**BALLOON, "run": run, "balloon": place} for place, run in enumerate(("10", 9, "b", "a", 9.0))]
    assert make_records({"balloons": rows}).tables["balloons"].runs == ("9", "10", "a", "b")


def test_true_and_words_are_numbers_too():
    informative = COLUMNS["probabilistic-reasoning"][0]
    assert (number_in(informative, "prior"), number_in(informative, "likelihood")) == (0, 1)
    assert number_in(COLUMNS["balloons"][3], " TRUE ") == 1
    with pytest.raises(ValueError, match="'prior' or 'likelihood'"):
        number_in(informative, "both")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_table_is_recognised_by_its_columns_in_any_order(tmp_path):
    path = write(tmp_path / "mine.csv", "more,reward,burst,pumps,run\nx,3,false,3,1\ny,0,true,7,2\n")
    records = read_records(path)
    assert records.name == "mine"
    assert records.tables["balloons"].columns["pumps"].tolist() == [3, 7]


def test_a_file_of_several_tasks_has_a_column_for_them(tmp_path):
    lines = [
        '{"task": "balloons", "run": 0, "pumps": 2, "burst": true, "reward": 0}',
        '{"task": "temporal-discounting", "run": 0, "score": 12}',
    ]
    records = read_records(write(tmp_path / "runs.jsonl", "\n".join(lines) + "\n"))
    assert list(records.tables) == ["temporal-discounting", "balloons"]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "", "the file is empty"),
        ("a.csv", "x,y\n1,2\n", "its columns are those of no task: 'x', 'y'"),
        ("a.csv", "pumps,burst,reward\n1,0,1\n1,0\n", "a.csv: line 3: 2 cells where the header has 3"),
        ("a.csv", "pumps,burst,reward\n1,0,1\n1,x,1\n", "a.csv: line 3: burst is 'x', not 0 or 1"),
        ("a.csv", "pumps,pumps\n1,0\n", "names 'pumps' more than once"),
        ("a.csv", "pu\0mps\n1\n", "its columns are those of no task"),
        ("a.jsonl", '{"task": "balloons"}\n[]\n', "line 2: not a JSON object"),
        ("a.jsonl", '{"task": "ball"}\n', "no task 'ball'"),
        ("a.jsonl", '{"task": "balloons"\n', "line 1"),
        ("a.jsonl", '{"a": ' + "[" * 100_000 + "\n", "line 1"),
    ],
)
def test_a_file_that_holds_no_records_says_what_is_wrong(tmp_path, name, text, said):
    with pytest.raises(InputError, match=said):
        read_records(write(tmp_path / name, text))


def test_a_folder_without_records_says_what_belongs_there(tmp_path):
    with pytest.raises(InputError, match=r"holds no records; expected files such as horizon\.csv"):
        read_records(tmp_path)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"pumps,burst,reward\n\xff")
    with pytest.raises(InputError, match="byte 20 is not UTF-8"):
        read_records(tmp_path / "a.csv")
