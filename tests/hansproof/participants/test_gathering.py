"""From files of runs to records: whose they are, which items were played, which story counts, what is left out."""

import json
from dataclasses import replace

import pytest

from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset
from hansproof.runs.participants import gather, gather_files
from hansproof.runs.turn import Run


def test_a_file_of_runs_gives_the_records_of_its_items_made_again(played, write, counts):
    (gathered,) = gather_files([write("runs.jsonl", played)])
    assert (gathered.name, gathered.notes) == ("mine", {})
    assert list(gathered.rows) == list(counts)
    family = dataset("cognitive-tasks")
    game = next(run for run in played if run.item.metadata["task"] == "horizon")
    expected = [{**row, "run": "7/000000"} for row in family.records(game.item, game.actions)]
    assert [row for row in gathered.rows["horizon"] if row["run"] == "7/000000"] == expected
    assert {task: len({row["run"] for row in rows}) for task, rows in gathered.rows.items()} == counts
    assert gather(played, "mine") == gathered


def test_each_model_is_a_participant_and_several_files_of_one_belong_together(write, at_random, episodes):
    games, days = episodes("horizon", 3), episodes("two-step", 2)
    first = write("a.jsonl", [at_random(item) for item in games])
    second = write("b.jsonl", [at_random(item) for item in days])
    third = write("c.jsonl", [at_random(item) for item in games], "yours")
    mine, yours = gather_files([first, second, third])
    assert (mine.name, list(mine.rows)) == ("mine", ["horizon", "two-step"])
    assert (yours.name, list(yours.rows)) == ("yours", ["horizon"])


def test_the_standard_story_counts_unless_another_is_named(write, at_random, episodes):
    both = [at_random(item) for subset in ("horizon-points", "horizon") for item in episodes(subset, 2)]
    file = write("runs.jsonl", both)
    (standard,) = gather_files([file])
    assert standard.notes == {"horizon": ["other stories are left out; --subset measures one: horizon-points"]}
    (points,) = gather_files([file], subsets=["horizon-points"])
    assert points.notes == {}
    assert points.rows == {"horizon": gather(both[:2], "mine").rows["horizon"]}
    (alone,) = gather_files([write("points.jsonl", both[:2])])
    assert alone.rows == points.rows
    with pytest.raises(UsageError, match="horizon was played as horizon-points and as horizon; measure one of them"):
        gather_files([file], subsets=["horizon", "horizon-points"])
    with pytest.raises(UsageError, match=r"has no subset 'horizons'. Did you mean 'horizon'"):
        gather_files([file], subsets=["horizons"])


def test_unfinished_runs_are_left_out_and_counted(write, at_random, episodes):
    runs = [at_random(item) for item in episodes("two-step", 4)]
    runs[1] = replace(runs[1], actions=runs[1].actions[:3], unfinished="the agent raised OSError")
    runs[3] = replace(runs[3], actions=())
    (gathered,) = gather_files([write("runs.jsonl", runs)])
    assert {row["run"] for row in gathered.rows["two-step"]} == {"7/000000", "7/000002"}
    (note,) = gathered.notes["two-step"]
    assert note.startswith(
        "runs that were not finished are left out: 2 of 4 of two-step, the first: cognitive-tasks/1.1.0/two-step/"
    )
    assert note.endswith("/000001: the agent raised OSError")


def test_runs_in_several_prompt_styles_are_noted(write, tmp_path, at_random, episodes):
    write("runs.jsonl", [at_random(item) for item in episodes("horizon", 3)])
    text = (tmp_path / "runs.jsonl").read_text().replace("zero-shot", "step-back", 1)
    (tmp_path / "runs.jsonl").write_text(text)
    (gathered,) = gather_files(["runs.jsonl"])
    assert gathered.notes == {
        "horizon": ["runs in several prompt styles are measured together: step-back (1), zero-shot (2)"]
    }


def test_replies_of_another_harness_need_the_items(write, tmp_path, at_random, episodes):
    games = episodes("horizon", 3)
    lines = [{"id": item.id, "reply": json.dumps(at_random(item).actions)} for item in games]
    (tmp_path / "replies.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match=r"line 1: does not say which item was played .*pass the items: --items"):
        gather_files(["replies.jsonl"])
    (gathered,) = gather_files(["replies.jsonl"], games)
    assert gathered.name == ""
    assert gathered.rows == gather([at_random(item) for item in games], "").rows
    with pytest.raises(InputError, match=r"line 3: has the id .*000002', which none of the items has"):
        gather_files(["replies.jsonl"], games[:2])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 8}, "line 2: was played on another item than this"),
        ({"item_digest": "0" * 16}, "line 2: was played on another item than this"),
        ({"seed": "7"}, "line 2: does not say which item was played"),
        (
            {"id": "cognitive-tasks/9.0.0/horizon/000001"},
            "line 2: has the id .* which is no item that can be made again",
        ),
        ({"id": "cognitive-tasks/1.1.0/horizon/-1"}, "line 2: has the id .* which is no item that can be made again"),
        ({"id": "horizon"}, "line 2: has the id 'horizon', which is no item that can be made again"),
        ({"id": "knights-knaves/2.1.0/set-E/000001"}, "line 2: was played on another item"),
        ({"reply": [3]}, "line 2: its reply is not text"),
        ({"unfinished": "why"}, "line 2: says that the run is unfinished, but its reply is whole"),
    ],
)
def test_a_line_that_cannot_be_trusted_is_named(change, message, write, tmp_path, at_random, episodes):
    write("runs.jsonl", [at_random(item) for item in episodes("horizon", 3)])
    lines = [json.loads(line) for line in (tmp_path / "runs.jsonl").read_text().splitlines()]
    lines[1] |= change
    (tmp_path / "runs.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match=f"^runs.jsonl: {message}"):
        gather_files(["runs.jsonl"])


def test_an_item_that_a_model_played_twice_is_refused(write, at_random, episodes):
    runs = [at_random(item) for item in episodes("horizon", 2)]
    with pytest.raises(InputError, match=r"^b.jsonl: line 2: mine played .*000001' on a.jsonl: line 2, too; keep one"):
        gather_files([write("a.jsonl", runs), write("b.jsonl", [at_random(episodes("horizon", 1, 8)[0]), runs[1]])])


def test_what_has_no_tasks_has_no_phenotype(write, toy_bandit, tmp_path):
    item = toy_bandit.item("short", 5, 0)
    file = write("runs.jsonl", [Run(item, ("A",) * 4)])
    (tmp_path / "items.jsonl").write_bytes(dump([item]))
    with pytest.raises(InputError, match=r"runs\.jsonl: line 1: toy-bandit has no phenotype: its items are no"):
        gather_files([file])
