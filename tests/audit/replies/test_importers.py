"""Every harness's log gives the same replies: ids, prompts, golds, replies, verdicts, models."""

import json

import made_logs
import polars
import pytest

from hansproof.audit.replies.reply_files import ReplyColumns, read_replies
from hansproof.generators.errors import InputError, UsageError

ROWS = [
    ("s-0", "Is it so?", "yes", "yes", True),
    ("s-1", "Is it not so, then?", "no", "yes", False),
    ("s-2", "Is the third thing so?", "no", "no", True),
]
FACTS = [(id, gold, reply, right) for id, _, gold, reply, right in ROWS]


def facts(replies):
    return [(reply.id, *reply.golds, reply.reply, reply.judged) for reply in replies]


@pytest.mark.parametrize("report_first", [False, True])
def test_a_run_log_of_openai_evals_in_chat_and_as_text(tmp_path, report_first):
    path = made_logs.run_log(tmp_path / "chat.jsonl", ROWS, report_first=report_first)
    chat = list(read_replies(path))
    assert facts(chat) == FACTS
    assert (chat[0].prompt, chat[0].model, chat[0].benchmark) == ("Answer.\n\nIs it so?\n", "gpt-x", "mine")
    assert chat[1].place == f"{path}: line {5 if report_first else 4}"
    flat = list(read_replies(made_logs.run_log(tmp_path / "flat.jsonl", ROWS, chat=False, report_first=report_first)))
    assert facts(flat) == FACTS
    assert flat[0].prompt == "Answer.\nUser: Is it so?\n\nAssistant: "


def test_events_may_come_in_any_order_and_a_sample_without_a_match_has_no_verdict(tmp_path):
    path = made_logs.run_log(tmp_path / "log.jsonl", ROWS)
    spec, *events, report = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([spec, *reversed(events[1:]), report]), encoding="utf-8")
    replies = list(read_replies(path))
    assert [reply.id for reply in replies] == ["s-2", "s-1", "s-0"]
    # The sampling event of the first sample is gone: its match event still has what was sampled.
    assert (replies[-1].prompt, replies[-1].reply, replies[-1].judged) == (None, "yes", True)
    path.write_text("\n".join([spec, events[0], events[2]]), encoding="utf-8")
    assert [(reply.reply, reply.judged, reply.golds) for reply in read_replies(path)] == [
        ("yes", None, ()), ("yes", None, ())
    ]  # fmt: skip


def test_a_run_log_without_answers_and_a_broken_one_are_refused(tmp_path):
    path = made_logs.run_log(tmp_path / "log.jsonl", [])
    with pytest.raises(InputError, match="without `sampling` events"):
        list(read_replies(path))
    path = made_logs.run_log(tmp_path / "log.jsonl", ROWS)
    path.write_text(path.read_text(encoding="utf-8") + "{broken\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"log\.jsonl: line 9 column 2: broken JSON"):
        list(read_replies(path))


@pytest.mark.parametrize("form", ["json", "eval"])
def test_a_log_of_inspect_ai_as_json_and_as_zip(tmp_path, form):
    write = made_logs.inspect_log if form == "json" else made_logs.inspect_archive
    replies = list(read_replies(write(tmp_path / f"log.{form}", [made_logs.inspect_sample(row) for row in ROWS])))
    assert facts(replies) == FACTS
    assert (replies[0].prompt, replies[0].model, replies[0].benchmark, replies[0].run) == (
        "Is it so?", "openai/gpt-x", "mine", ""
    )  # fmt: skip


@pytest.mark.parametrize("form", ["json", "eval"])
def test_epochs_are_runs_letters_become_options_and_failed_samples_say_nothing(tmp_path, form):
    write = made_logs.inspect_log if form == "json" else made_logs.inspect_archive
    row = ("s-0", "Which?", "B", "B", True)
    first = made_logs.inspect_sample(row, choices=["red", "blue"])
    second = made_logs.inspect_sample(row, 2, choices=["red", "blue"], output=None, scores=None)
    # A sample that fails before the model has answered keeps an empty output.
    empty = {"model": "m", "choices": [], "completion": ""}
    third = made_logs.inspect_sample(row, 3, choices=["red", "blue"], output=empty, scores=None)
    third["error"] = {"message": "no connection", "traceback": ""}
    replies = list(read_replies(write(tmp_path / f"log.{form}", [first, second, third])))
    assert [(reply.run, reply.reply, reply.judged) for reply in replies] == [
        ("epoch 1", "B", True), ("epoch 2", None, None), ("epoch 3", None, None)
    ]  # fmt: skip
    assert (replies[0].golds, replies[0].choices) == (("blue",), ("red", "blue"))


def test_reasoning_and_attachments_of_inspect_ai(tmp_path):
    parts = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "attachment://a1"}]
    output = {"choices": [{"message": {"content": parts}}]}
    sample = made_logs.inspect_sample(ROWS[0], output=output, input="attachment://p")
    sample["attachments"] = {"a1": "long reply", "p": "long prompt"}
    (reply,) = read_replies(made_logs.inspect_log(tmp_path / "log.json", [sample]))
    assert (reply.prompt, reply.reply) == ("long prompt", "long reply")


def test_sample_logs_of_lm_eval_take_the_model_from_the_results_beside_them(tmp_path):
    date = "2025-01-02T03-04-05.678"
    rows = [made_logs.lm_eval_sample(n, row) for n, row in enumerate(ROWS)]
    path = made_logs.lines(tmp_path / f"samples_mine_{date}.jsonl", rows)
    assert [reply.model for reply in read_replies(path)] == [""] * 3
    results = {"results": {}, "config": {"model": "hf", "model_args": "pretrained=org/m,dtype=float32"}}
    (tmp_path / f"results_{date}.json").write_text(json.dumps(results), encoding="utf-8")
    (tmp_path / "results_other.json").write_text("{", encoding="utf-8")
    replies = list(read_replies(path))
    assert facts(replies) == FACTS
    assert {(reply.model, reply.benchmark, reply.style) for reply in replies} == {("org/m", "mine", "")}
    assert replies[0].prompt == "Q: Is it so?\nA:"
    (tmp_path / f"results_{date}.json").write_text(json.dumps({"model_name": "named"}), encoding="utf-8")
    assert next(iter(read_replies(tmp_path))).model == "named"  # a folder of logs


def test_lm_eval_names_a_model_by_results_of_other_names_or_by_the_folder(tmp_path):
    # As real runs leave them: `--output_path runs/mine.json` puts the results beside the folder of the model, under the
    # name that was asked for; of runs without results only the folder is left.
    date = "2026-01-16T15-23-47.285735"
    rows = [made_logs.lm_eval_sample(n, row) for n, row in enumerate(ROWS)]
    folder = tmp_path / "org__some-model-2b"
    folder.mkdir()
    path = made_logs.lines(folder / f"samples_mine_{date}.jsonl", rows)
    assert next(iter(read_replies(path))).model == "org/some-model-2b"
    asked = {"model": "vllm", "model_args": {"pretrained": "org/by-results", "dtype": "bfloat16"}}
    (tmp_path / f"mine_5shot_{date}.json").write_text(json.dumps({"results": {}, "config": asked}), encoding="utf-8")
    (tmp_path / "mine_5shot_2025-01-01T00-00-00.0.json").write_text("{", encoding="utf-8")
    assert next(iter(read_replies(path))).model == "org/by-results"


def test_two_folders_of_lm_eval_are_two_models(tmp_path):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        made_logs.lines(tmp_path / name / "samples_mine.jsonl", [made_logs.lm_eval_sample(0, ROWS[0])])
        made_logs.lines(tmp_path / name / "samples_other.jsonl", [made_logs.lm_eval_sample(0, ROWS[1])])
    folders = [tmp_path / "first", tmp_path / "second"]
    assert [reply.model for reply in read_replies(folders)] == ["first", "first", "second", "second"]
    assert [reply.model for reply in read_replies(tmp_path)] == ["first", "first", "second", "second"]
    parts = read_replies(folders).by_source()
    assert [[reply.model for reply in part] for part in parts] == [["first", "first"], ["second", "second"]]


def test_contexts_with_one_ending_have_no_answer_that_we_can_read(tmp_path):
    # Winogrande asks which sentence is likelier: its log has one ending twice, and no gold but the verdict.
    arguments = {f"gen_args_{k}": {"arg_0": f"So {who}", "arg_1": " got the easy case."} for k, who in enumerate("AB")}
    row = made_logs.lm_eval_sample(0, ROWS[0], target="got the easy case.", arguments=arguments, acc=0.0)
    row |= {"metrics": ["acc"], "resps": [[["-3.5", "False"]], [["-1.25", "False"]]], "filtered_resps": None}
    (reply,) = read_replies(made_logs.lines(tmp_path / "samples_x.jsonl", [row]))
    assert (reply.golds, reply.choices, reply.judged, reply.reply) == ((), (), False, "1")


def test_the_first_filter_of_lm_eval_counts_and_others_are_styles_that_are_asked_for(tmp_path):
    strict = made_logs.lm_eval_sample(0, ROWS[0], "strict-match", filtered_resps=["[invalid]"], exact_match=0.0)
    loose = made_logs.lm_eval_sample(0, ROWS[0], "flexible-extract")
    path = made_logs.lines(tmp_path / "samples_x.jsonl", [strict, loose])

    def read(**chosen):
        return [(reply.style, reply.reply, reply.judged) for reply in read_replies(path, **chosen)]

    first, second = ("strict-match", "[invalid]", False), ("flexible-extract", "yes", True)
    assert read() == [("", "[invalid]", False)]
    assert read(styles=["strict-match"]) == [first]
    assert read(styles=["flexible-extract"]) == [second]
    assert read(styles=["flexible-extract", "strict-match"]) == [first, second]
    assert read(sides=("m, strict-match", "flexible-extract")) == [first, second]
    with pytest.raises(UsageError, match=r"no style 'loose'.*Known: strict-match, flexible-extract"):
        read(styles=["loose"])


def test_likelihoods_of_lm_eval_name_the_likeliest_option(tmp_path):
    arguments = {f"gen_args_{k}": {"arg_0": "Which?", "arg_1": f" {word}"} for k, word in enumerate(("red", "blue"))}
    row = made_logs.lm_eval_sample(0, ROWS[0], target=1, arguments=arguments, acc=1.0, metrics=["acc"])
    row |= {"resps": [[["-3.5", "False"]], [["-1.25", "False"]]], "filtered_resps": [["-3.5", "False"], ["-1.25", "F"]]}
    (reply,) = read_replies(made_logs.lines(tmp_path / "samples_x.jsonl", [row]))
    assert (reply.reply, reply.golds, reply.choices, reply.judged) == ("blue", ("blue",), ("red", "blue"), True)
    row["filtered_resps"] = row["resps"] = [["nan", "x"], ["-1", "x"]]
    (reply,) = read_replies(made_logs.lines(tmp_path / "samples_x.jsonl", [row]))
    assert reply.reply is None


def test_a_run_of_helm_with_its_statistics(tmp_path):
    def stat(id, mean, name="exact_match", **more):
        return {"instance_id": id, "train_trial_index": 0, "stats": [{"name": {"name": name}, "mean": mean}], **more}

    stats = [stat(id, float(right)) for id, _, _, _, right in ROWS]
    stats.append(stat("s-0", 0.0, perturbation={"name": "typos"}))
    states = [made_logs.helm_state(row) for row in ROWS]
    shaken = made_logs.helm_state(ROWS[0])
    shaken["instance"]["perturbation"] = {"name": "typos"}
    replies = list(read_replies(made_logs.helm_run(tmp_path / "run", [*states, shaken], stats)))
    assert facts(replies[:3]) == FACTS
    assert (replies[3].id, replies[3].original, replies[3].condition) == ("s-0 (typos)", "s-0", "typos")
    assert (replies[3].style, replies[3].judged) == ("", False)
    first = replies[0]
    assert (first.model, first.benchmark, first.choices) == ("openai/gpt-x", "mine:subject=a", ("no", "yes"))


def test_helm_asks_once_per_option_or_fails(tmp_path):
    states = []
    for place, value in enumerate((-2.0, -1.5)):
        state = made_logs.helm_state(ROWS[0], reference_index=place, request_mode="original", output_mapping=None)
        state["result"]["completions"][0]["logprob"] = value
        states.append(state)
    failed = made_logs.helm_state(ROWS[1], result={"success": False, "completions": []}, train_trial_index=1)
    replies = list(read_replies(made_logs.helm_run(tmp_path / "run", [*states, failed])))
    assert [(reply.reply, reply.run) for reply in replies] == [("yes", ""), (None, "training set 1")]


def test_helm_scores_options_per_token_beyond_calibration_or_as_it_says(tmp_path):
    def asked(place, mode, *tokens):
        state = made_logs.helm_state(ROWS[0], reference_index=place, request_mode=mode, output_mapping=None)
        logged = [{"text": text, "logprob": value} for text, value in tokens]
        completion = {"text": "", "logprob": sum(value for _, value in tokens), "tokens": logged}
        return state | {"result": {"success": True, "completions": [completion]}}

    # " no" is one token of -1.2, " yes" two of -1.0 each: the sum favours no, the mean yes.
    states = [asked(0, "original", ("Q", -9.0), (" no", -1.2)), asked(1, "original", (" y", -1.0), ("es", -1.0))]
    assert [reply.reply for reply in read_replies(made_logs.helm_run(tmp_path / "mean", states))] == ["yes"]
    # Without the question `no` is as likely as with it, `yes` much less so.
    more = [asked(0, "calibration", (" no", -1.2)), asked(1, "calibration", (" y", -3.0), ("es", -3.0))]
    assert [reply.reply for reply in read_replies(made_logs.helm_run(tmp_path / "both", [*states, *more]))] == ["yes"]
    more = [asked(0, "calibration", (" no", -5.0)), asked(1, "calibration", (" y", -1.0), ("es", -1.0))]
    assert [reply.reply for reply in read_replies(made_logs.helm_run(tmp_path / "less", [*states, *more]))] == ["no"]
    said = [{"instance_id": "s-0", "stats": [{"name": {"name": "predicted_index"}, "sum": 0, "mean": 0.0}]}]
    assert [reply.reply for reply in read_replies(made_logs.helm_run(tmp_path / "said", states, said))] == ["no"]


def test_a_run_of_helm_without_its_specification_is_known_by_its_folder(tmp_path):
    folder = made_logs.helm_run(tmp_path / "bbq:subject=all,model=openai_gpt-x", [made_logs.helm_state(ROWS[0])])
    (folder / "run_spec.json").unlink()
    assert [reply.benchmark for reply in read_replies(folder)] == ["bbq:subject=all"]


TABLE = [
    {"Question": prompt, "Expected": gold, "Model-Answer": reply, "LLM": "m"} for _, prompt, gold, reply, _ in ROWS
]


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "jsonl", "json"])
def test_a_table_by_the_usual_names_of_columns(tmp_path, form):
    path = tmp_path / f"table.{form}"
    frame = polars.DataFrame(TABLE)
    if form in ("csv", "tsv"):
        frame.write_csv(path, separator="," if form == "csv" else "\t")
    elif form == "parquet":
        frame.write_parquet(path)
    elif form == "jsonl":
        frame.write_ndjson(path)
    else:
        path.write_text(json.dumps(TABLE, indent=2), encoding="utf-8")
    replies = list(read_replies(path))
    assert [(reply.prompt, *reply.golds, reply.reply, reply.model) for reply in replies] == [
        (prompt, gold, reply, "m") for _, prompt, gold, reply, _ in ROWS
    ]


def test_columns_are_named_and_a_wide_table_has_a_model_per_column(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("item,gpt,llama\na,yes,\nb,no,3\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"no column is called like replies: .*--reply-columns gpt,llama\."):
        list(read_replies(path))
    columns = ReplyColumns.of({"id": "item"}, replies=("gpt", "llama"))
    assert [(reply.id, reply.model, reply.reply) for reply in read_replies(path, columns)] == [
        ("a", "gpt", "yes"), ("a", "llama", ""), ("b", "gpt", "no"), ("b", "llama", "3")
    ]  # fmt: skip
    with pytest.raises(UsageError, match=r"has no column 'lama'\. Did you mean 'llama'"):
        list(read_replies(path, ReplyColumns.of({"id": "item"}, replies=("lama",))))
    with pytest.raises(UsageError, match="no role of a column 'answer'"):
        ReplyColumns.of({"answer": "x"})
    with pytest.raises(UsageError, match="name no others"):
        ReplyColumns.of({"reply": "x"}, replies=("y",))
    # A reply key of our own format does not matter where columns are named.
    named = made_logs.lines(tmp_path / "n.jsonl", [{"id": "a", "reply": "long talk", "extracted": "yes"}] * 2)
    assert [reply.reply for reply in read_replies(named, ReplyColumns.of({"reply": "extracted"}))] == ["yes", "yes"]


def test_a_table_without_replies_says_how_to_name_them(tmp_path):
    wide = tmp_path / "w.csv"
    wide.write_text("id,Gpt,Llama\na,yes,no\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"--column reply=COLUMN; or, .*: --reply-columns Gpt,Llama\. .*Columns: 'id'"):
        list(read_replies(wide))
    for name, headings in (("h.csv", "id,reply\n"), ("h.tsv", "id\treply"), ("h.csv", "one heading\n")):
        (tmp_path / name).write_text(headings, encoding="utf-8")
        with pytest.raises(InputError, match=rf"{name}: has no replies: it ends after the line of headings"):
            list(read_replies(tmp_path / name))


def test_a_table_names_the_row_without_an_id_or_a_text(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,reply\na,yes\n,no\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"t\.csv: line 3: has neither an id nor a prompt"):
        list(read_replies(path))
    rows = [{"id": "a", "prediction": "x"}, {"id": "b", "prediction": {"x": 1}}]
    with pytest.raises(InputError, match="line 2: its reply is not text"):
        list(read_replies(made_logs.lines(tmp_path / "t.jsonl", rows)))
