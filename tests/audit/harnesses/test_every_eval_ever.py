"""Every Eval Ever samples, as the converters of version 0.3.0 write them."""

import json

import made_logs
import pytest

import hansproof
from hansproof.audit.reading.loading import expand, load
from hansproof.audit.replies.reply_files import read_replies
from hansproof.generators.errors import InputError

ROWS = [(f"s-{n}", f"Is it {n}, or is it not?", ["no", "yes"][n % 2], "no", n % 2 == 0) for n in range(30)]
OPTIONS = ["external meaning", "god's plan", "internal meaning"]


def written(folder, rows, name="x_samples.jsonl"):
    return made_logs.lines(folder / name, rows)


def sample(row, raw=None, input=None, **more):
    made = made_logs.eval_ever_sample(row, **more)
    made["input"] |= input or {}
    made["output"] = {"raw": raw} if raw else made["output"]
    return made


def graded(row, result, score, correct, **more):
    evaluation = {"score": score, "is_correct": correct}
    return sample(row, evaluation_result_id=result, evaluation=evaluation, **more)


def test_replies_carry_what_the_samples_say(tmp_path):
    path = written(tmp_path, map(made_logs.eval_ever_sample, ROWS))
    first = next(iter(read_replies(path)))
    assert (first.id, first.prompt, first.reply, first.golds) == ("s-0", "Is it 0, or is it not?", "no", ("no",))
    assert (first.model, first.benchmark, first.log) == ("openai/gpt-x", "mine", "mine/openai_gpt-x/1760000000")
    assert (first.place, first.judged, first.harness) == (f"{path}: line 1", True, "Every Eval Ever")


def test_the_samples_are_items_and_are_scored_without_others(tmp_path):
    path = written(tmp_path, map(made_logs.eval_ever_sample, ROWS))
    benchmark = load(path)
    assert (benchmark.name, benchmark.mapping.format) == ("mine (x_samples)", "Every Eval Ever samples")
    assert (benchmark.ids[1], benchmark.prompts[1], benchmark.answers[1]) == ("s-1", ROWS[1][1], "yes")
    (report,) = hansproof.score(str(path))
    assert (report.title, report.lines[0].items, report.lines[0].right.share) == ("openai/gpt-x", 30, 0.5)


def test_a_sample_with_a_row_per_result_is_one_reply_with_the_first_verdict(tmp_path):
    rows = [
        graded(row, result, score, correct)
        for at, row in enumerate(ROWS)
        # HELM's converter leaves `is_correct` false for graded statistics, whatever their score.
        for result, score, correct in (("f1:test", at % 3 / 2, False), ("em:test", float(row[4]), row[4]))
    ]
    replies = list(read_replies(written(tmp_path, rows)))
    assert [(reply.id, reply.judged, reply.run) for reply in replies] == [(row[0], row[4], "") for row in ROWS]
    assert [text.partition(": ")[2] for text in replies[0].about] == [
        "each sample has several results: the verdicts are those of em:test, not f1:test"
    ]


@pytest.mark.parametrize(
    ("score", "correct", "judged", "undecided"),
    [(1, True, True, ""), (0, False, False, ""), (0.5, True, None, "'0.5'"), (0.7, False, None, "'0.7'"),
     (1.0, False, None, ""), (None, True, True, "")],
)  # fmt: skip
def test_a_verdict_is_what_score_and_correctness_both_say(tmp_path, score, correct, judged, undecided):
    (reply,) = read_replies(written(tmp_path, [graded(ROWS[0], "x", score, correct)]))
    assert (reply.judged, reply.undecided) == (judged, undecided)


def test_the_filters_of_lm_evaluation_harness_are_filters_and_not_tasks(tmp_path):
    rows = [
        sample(row, raw=[said], evaluation_name=f"gsm8k/{name}", metadata={"filter": name, "lm_eval_metrics": "{}"})
        for row in ROWS[:2]
        for name, said in (("strict-match", "[invalid]"), ("flexible-extract", "no"))
    ]
    path = written(tmp_path, rows)
    assert [(reply.benchmark, reply.reply) for reply in read_replies(path)] == [("gsm8k", "[invalid]")] * 2
    chosen = read_replies(path, styles=["flexible-extract"])
    assert [(reply.style, reply.reply) for reply in chosen] == [("flexible-extract", "no")] * 2


@pytest.mark.parametrize(
    ("reference", "metadata", "gold"),
    [("internal meaning", None, "internal meaning"), ("B", None, "god's plan"), ("D", None, "D"),
     ("2", {"lm_eval_metrics": "{}", "filter": "none"}, "internal meaning"), ("2", None, "2")],
)  # fmt: skip
def test_references_become_the_options_that_they_mean(tmp_path, reference, metadata, gold):
    more = {"reference": [reference], "choices": OPTIONS}
    (reply,) = read_replies(written(tmp_path, [sample(ROWS[0], input=more, metadata=metadata)]))
    assert (reply.golds, reply.choices, reply.likeliest) == ((gold,), tuple(OPTIONS), metadata is not None)


def test_references_that_are_all_right_are_no_options(tmp_path):
    # So HELM's converter writes an open answer (narrativeqa of gpt2, schema 0.2.1).
    both = ["The school Mascot", "the schools mascot"]
    (reply,) = read_replies(written(tmp_path, [sample(ROWS[0], input={"reference": both, "choices": both})]))
    assert (reply.golds, reply.choices) == (tuple(both), ())


def test_epochs_and_several_outputs_are_runs(tmp_path):
    twice = written(tmp_path, [*map(made_logs.eval_ever_sample, ROWS[:2])] * 2)
    assert [(reply.id, reply.run) for reply in read_replies(twice)] == [
        ("s-0", ""), ("s-1", ""), ("s-0", "sample 2"), ("s-1", "sample 2")
    ]  # fmt: skip
    several = written(tmp_path, [sample(ROWS[0], raw=["yes", "no"])])
    assert [(reply.reply, reply.run, reply.judged) for reply in read_replies(several)] == [
        ("yes", "", None), ("no", "sample 2", None)
    ]  # fmt: skip


def test_of_several_turns_the_last_thing_that_the_model_said_is_the_reply(tmp_path):
    said = [("user", "Is it?"), ("assistant", "Perhaps."), ("tool", "7"), ("assistant", "yes"), ("assistant", None)]
    messages = [{"turn_idx": at, "role": role, "content": text} for at, (role, text) in enumerate(said)]
    row = made_logs.eval_ever_sample(ROWS[0], interaction_type="agentic", output=None, messages=messages)
    (reply,) = read_replies(written(tmp_path, [row]))
    assert reply.reply == "yes"


def test_the_aggregate_beside_the_samples_is_no_benchmark_and_holds_no_answers(tmp_path):
    name = "0b9d7a52-6f0c-4a5e-9d4e-2f4c8f1f6a10"
    path = written(tmp_path, map(made_logs.eval_ever_sample, ROWS), f"{name}_samples.jsonl")
    aggregate = {"schema_version": "0.3.0", "evaluation_id": "x", "evaluation_results": [{"evaluation_name": "mine"}]}
    (tmp_path / f"{name}.json").write_text(json.dumps(aggregate), encoding="utf-8")
    assert expand(str(tmp_path)) == [str(path)]
    assert len(list(read_replies(tmp_path))) == 30


def test_a_line_that_is_no_sample_names_its_keys_and_those_that_are_needed(tmp_path):
    path = written(tmp_path, [made_logs.eval_ever_sample(ROWS[0])] * 5 + [{"sample_id": "a", "text": "b"}])
    with pytest.raises(InputError, match=r"line 6: is no entry of Every Eval Ever samples") as caught:
        list(read_replies(path))
    assert "it needs evaluation_name, sample_id, interaction_type, input, evaluation" in str(caught.value)
    assert "and has 'sample_id', 'text'" in str(caught.value)
