"""A log says whether its run ended, and how much of its data set it was to ask: both stand beside its numbers."""

import json

import made_logs
import pytest

from hansproof import score
from hansproof.audit.harnesses.inspect_ai import shortfalls
from hansproof.audit.replies.foreign_items import items_of_replies
from hansproof.audit.replies.joining import join
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.report.study_reading import series_notes
from hansproof.generators.errors import InputError

ROWS = [(f"q{n}", f"What is {n} plus {n + 1}?", str(2 * n + 1), str(2 * n + 1), True) for n in range(20)]
SAMPLES = [made_logs.inspect_sample(row) for row in ROWS]
IDS = [id for id, *_ in ROWS]


def header(status, asked=20, epochs=1, total=None, **more):
    """The header of a log of inspect_ai 0.3.285, as far as it says how much was asked."""
    results = {} if total is None else {"results": {"total_samples": total, "completed_samples": 6, "scores": []}}
    dataset = {"name": "arith", "samples": 20, "sample_ids": IDS[:asked], "shuffled": False}
    return {
        "version": 2, "status": status, "invalidated": False, **results, **more,
        "eval": {"task": "arith", "model": "m", "dataset": dataset, "config": {"epochs": epochs, "limit": None}},
    }  # fmt: skip


BROKEN = "the run did not end: its status is {!r}; {} of the {} samples that it was to ask are in the log"
PART = "the run was to ask 8 of the 20 samples of its data set"
INVALID = "some samples are marked as invalid, which nothing leaves out here"


@pytest.mark.parametrize(
    ("log", "held", "said"),
    [
        (header("success", total=20), 20, []),
        (header("cancelled", total=20), 7, [BROKEN.format("cancelled", 7, 20)]),
        (header("error"), 8, [BROKEN.format("error", 8, 20)]),  # without results
        (header("error", epochs=2), 8, [BROKEN.format("error", 8, 40)]),
        (header("started"), 15, [BROKEN.format("started", 15, 20)]),
        (header("queued"), 15, [BROKEN.format("queued", 15, 20)]),  # whatever later versions call it
        (header("success", asked=8, total=16, epochs=2), 16, [PART]),
        (header("success", total=20), 18, ["18 of the 20 samples that it was to ask are in the log"]),
        ({"status": 4, "eval": {}}, 3, ["the run did not end: its status is 4"]),
        ({"status": "error", "eval": {}}, 3, ["the run did not end: its status is 'error'"]),
        (header("success", invalidated=True), 20, [INVALID]),
        *((odd, 3, []) for odd in ({}, {"eval": 3, "results": []}, {"eval": {"dataset": "x"}})),
        ({"results": {"total_samples": True}, "eval": {"dataset": {"samples": -1}, "config": []}}, 3, []),
        ({"results": {"total_samples": "9"}, "eval": {"config": {"epochs": 0}}}, 3, []),
    ],
)  # fmt: skip
def test_what_a_header_says_of_its_run(log, held, said):
    assert shortfalls(log | {"samples": SAMPLES[:held]})[0] == said


def test_samples_that_somebody_has_marked_as_invalid_are_told():
    marked = [*SAMPLES[:4], SAMPLES[4] | {"invalidation": {"author": "x", "reason": "y"}}, SAMPLES[5]]
    (said,) = shortfalls(header("success", asked=0) | {"invalidated": True, "samples": marked * 4})[0][-1:]
    assert said == "4 samples marked as invalid, which nothing leaves out here; the first is sample 5"


def about(*paths):
    replies = list(read_replies(paths))
    return tuple(join(replies, items_of_replies(replies)).read.about)


@pytest.mark.parametrize("name", ["log.json", "log.eval"])
def test_replies_carry_what_their_log_says(tmp_path, name):
    path = tmp_path / name
    if name == "log.json":
        path.write_text(json.dumps(header("cancelled") | {"samples": SAMPLES[:7]}))
    else:
        made_logs.inspect_archive(path, SAMPLES[:7], header=header("cancelled"))
    assert about(path) == (f"{path}: {BROKEN.format('cancelled', 7, 20)}",)


def test_the_journal_of_an_archive_without_a_header_is_a_run_that_has_not_ended(tmp_path):
    path = made_logs.inspect_archive(tmp_path / "l.eval", SAMPLES[:15], header=header(None), name="_journal/start.json")
    assert about(path) == (f"{path}: {BROKEN.format('started', 15, 20)}",)


def test_of_very_many_logs_twenty_are_told_and_the_others_counted(tmp_path):
    for number in range(23):
        log = header("error") | {"samples": SAMPLES[:7]}
        log["eval"] = log["eval"] | {"model": f"m{number}"}
        (tmp_path / f"{number:02}.json").write_text(json.dumps(log))
    said = about(tmp_path)
    assert len(said) == 21
    assert said[0].startswith(str(tmp_path / "00.json"))
    assert said[-1] == "3 more of such sentences on other logs"


@pytest.mark.parametrize(
    ("log", "message"),
    [
        (header("started"), "an inspect_ai log without samples: the run did not end: its status is 'started'. Run it"),
        (header("success") | {"samples": []}, r"an inspect_ai log without samples; log them \(log_samples=True\)"),
        (header("error") | {"samples": [1, 2]}, "a damaged inspect_ai log: none of its first samples has an `input`"),
        (header("error") | {"samples": "x"}, "a damaged inspect_ai log"),
    ],
)
def test_a_log_without_samples_says_how_its_run_went(tmp_path, log, message):
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    with pytest.raises(InputError, match=message):
        list(read_replies(path))


def test_a_run_log_of_openai_evals_without_its_final_report_broke_off(tmp_path):
    path = made_logs.run_log(tmp_path / "log.jsonl", ROWS[:5])
    assert about(path) == ()
    whole = path.read_text().splitlines(keepends=True)
    path.write_text("".join(whole[:-1]))
    said = "the run did not end: its log has no final report; 5 samples{} are in the log"
    assert about(path) == (f"{path}: {said.format('')}",)
    spec = json.loads(whole[0])
    spec["spec"]["run_config"] = {"max_samples": 12}
    path.write_text("".join([json.dumps(spec) + "\n", *whole[1:-1]]))
    assert about(path) == (f"{path}: {said.format(' of at most 12')}",)
    spec["spec"]["run_config"] = {"max_samples": 5}
    path.write_text("".join([json.dumps(spec) + "\n", *whole[1:]]))
    limited = "the run was to ask at most 5 samples (max_samples), perhaps not all of its data set"
    assert about(path) == (f"{path}: {limited}",)


def test_results_of_lm_evaluation_harness_say_how_many_documents_were_asked(tmp_path):
    date = "2026-11-23T10-49-27.441311"
    path = tmp_path / f"samples_sums_{date}.jsonl"
    rows = [made_logs.lm_eval_sample(n, row, filter) for filter in ("none", "strict") for n, row in enumerate(ROWS[:8])]
    results = tmp_path / f"results_{date}.json"

    def said(kept, counts):
        made_logs.lines(path, rows[:kept])
        results.write_text(json.dumps({"model_name": "m", "n-samples": counts}))
        return about(path)

    twice = (
        "sums: the logs have each reply once per filter; those of none count, the first of the log, and not those of "
        "strict (--style strict)"
    )
    assert said(16, {"sums": {"original": 8, "effective": 8}}) == (twice,)
    limited = f"{path}: the run was to ask 8 of the 20 documents of its task (--limit)"
    assert said(16, {"sums": {"original": 20, "effective": 8}}) == (limited, twice)
    cut = f"{path}: 6 of the 8 documents that the run asked are in the log"
    assert said(6, {"sums": {"original": 20, "effective": 8}}) == (limited, cut)
    for odd in (None, [], {"sums": 3}, {"sums": {"effective": "8", "original": 20}}, {"other": {"effective": 99}}):
        assert said(6, odd) == ()


def test_a_run_of_helm_with_as_many_instances_as_it_was_to_ask_at_most_may_lack_some(tmp_path):
    helm = [(id, "Is it so?", "yes", "yes", True) for id in "abc"]
    folder = made_logs.helm_run(tmp_path / "run", [made_logs.helm_state(row) for row in helm])
    path = folder / "scenario_state.json"
    assert about(path) == ()
    for most, limited in ((2, True), (3, True), (4, False), ("3", False), (None, False)):
        state = json.loads(path.read_text())
        state["adapter_spec"]["max_eval_instances"] = most
        path.write_text(json.dumps(state))
        assert bool(about(path)) == limited
    state["adapter_spec"]["max_eval_instances"] = 3
    path.write_text(json.dumps(state))
    note = "the run was to ask at most 3 instances (max_eval_instances), perhaps not all of its scenario"
    assert about(path) == (f"{path}: {note}",)


@pytest.mark.parametrize("name", ["per_instance_stats.json", "run_spec.json", "schema.json"])
def test_a_damaged_file_beside_a_run_of_helm_is_told(tmp_path, name):
    folder = made_logs.helm_run(tmp_path / "run", [made_logs.helm_state(("a", "Is it?", "yes", "yes", True))])
    (folder / "run_spec.json").write_text('{"name": "mine:model=m", "groups": ["mine"]}')
    (folder / name).write_text('[{"instance_id"')
    (said,) = about(folder)
    path = folder / "scenario_state.json"
    assert said == f"{path}: {name} of this run cannot be read and is not used: broken JSON: it ends too early"


def scored(folder, **more):
    reports = score([folder], **more)
    return {report.run: report for report in reports}, reports


def failed_and_rerun(folder):
    """A run that broke off after 6 samples, one of which ended with an error, and its rerun."""
    folder.mkdir()
    wrong = {"q1", "q7", "q9"}
    samples = [made_logs.inspect_sample((id, asked, gold, "?" if id in wrong else gold, id not in wrong))
               for id, asked, gold, *_ in ROWS]  # fmt: skip
    failed = [*samples[:5], samples[5] | {"output": {}, "error": {"message": "no more"}, "scores": {}}]
    for name, status, held in (("a", "error", failed), ("b", "success", samples)):
        log = header(status) | {"samples": held}
        log["eval"] = log["eval"] | {"run_id": name}
        (folder / f"{name}.json").write_text(json.dumps(log))
    return folder


def test_what_a_run_that_broke_off_did_not_ask_is_not_wrong(tmp_path):
    runs, reports = scored(failed_and_rerun(tmp_path / "logs"))
    first, second = runs[""], runs["b"]
    assert (first.lines[0].items, first.lines[0].right.hits, first.lines[0].missing) == (6, 4, 1)
    assert (second.lines[0].items, second.lines[0].right.hits) == (20, 17)
    assert (first.not_asked, second.not_asked) == ({"arith": 14}, {})
    # By hand: q0, q2, q3, q4 are right in both, q1 wrong in both, q5 wrong (an error) in the first only.
    (mean,) = reports.over_runs
    assert (mean.items, mean.right) == (20, (17 - 0.5) / 20)
    note = "not asked, and in no number: 14 of 20 items of arith, which its log does not hold"
    assert note in series_notes(first)
    # A sample that was asked and has no reply is missing all the same, and is left out on request.
    skipped, _ = scored(tmp_path / "logs", skip_missing=True)
    assert (skipped[""].lines[0].items, skipped[""].skipped, skipped[""].not_asked) == (5, 1, {"arith": 14})


def test_what_lies_outside_a_limit_is_not_wrong_either(tmp_path):
    for name, asked in (("a", 8), ("b", 20)):
        log = header("success", asked=asked, total=asked) | {"samples": SAMPLES[:asked]}
        log["eval"] = log["eval"] | {"model": name}
        (tmp_path / f"{name}.json").write_text(json.dumps(log))
    few, every = score(tmp_path)
    assert (few.lines[0].items, few.lines[0].missing, few.not_asked) == (8, 0, {"arith": 12})
    assert (every.lines[0].items, every.not_asked) == (20, {})
    evals = made_logs.run_log(tmp_path / "c.jsonl", ROWS[:5])
    evals.write_text("".join(evals.read_text().splitlines(keepends=True)[:-1]))
    items = items_of_replies(list(read_replies(tmp_path / "b.json")))
    (broken,) = score(evals, items)
    assert (broken.lines[0].items, broken.lines[0].missing, sum(broken.not_asked.values())) == (5, 0, 15)
    # A table that says nothing of its run is complete: what it lacks is wrong.
    table = tmp_path / "t.csv"
    table.write_text("id,reply\n" + "".join(f"{id},{gold}\n" for id, _, gold, *_ in ROWS[:5]))
    (report,) = score(table, items)
    assert (report.lines[0].items, report.lines[0].missing) == (20, 15)
