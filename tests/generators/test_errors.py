import pickle

import pytest

from generators.errors import DownloadError, Fault, HansproofError, InputError, UsageError, near_miss, unknown


def test_an_error_is_its_place_and_its_reason():
    error = InputError("its answer is empty; fill it in", "bench.jsonl: line 8")
    assert str(error) == "bench.jsonl: line 8: its answer is empty; fill it in"
    assert (error.place, error.reason) == ("bench.jsonl: line 8", "its answer is empty; fill it in")
    assert str(UsageError("name a file")) == "name a file"


def test_an_error_of_many_faults_lists_twenty_and_counts_the_rest():
    error = InputError.of([Fault("is blank", f"line {number}") for number in range(1, 24)])
    lines = str(error).splitlines()
    assert lines[0] == "line 1: is blank"
    assert lines[19] == "line 20: is blank"
    assert lines[20:] == ["... and 3 more (23 faults in all)"]
    assert len(error.faults) == 23


@pytest.mark.parametrize("kind", [HansproofError, InputError, DownloadError])
def test_a_worker_process_hands_over_every_fault(kind):
    error = kind.of([Fault("is blank", "line 1"), Fault("is torn", "line 2")])
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert again.faults == error.faults


def test_an_unknown_name_is_answered_with_its_near_miss_and_what_there_is():
    error = unknown("dataset", "knight-knaves", ["planted-cues", "knights-knaves"])
    assert isinstance(error, UsageError)
    assert str(error) == (
        "there is no dataset 'knight-knaves'. Did you mean 'knights-knaves'? Known: planted-cues, knights-knaves"
    )
    assert str(unknown("subset", "x", [], within="mine")) == "mine has no subset 'x'. Known: none"


def test_a_long_list_of_known_names_is_cut():
    assert str(unknown("subset", "?", [f"s{n}" for n in range(23)])).endswith("s18, s19 and 3 more")


def test_a_near_miss_ignores_upper_and_lower_case():
    assert near_miss("LABEL", ["Label", "text"]) == " Did you mean 'Label'?"
    assert near_miss("quite different", ["Label", "text"]) == ""
