"""Logs in the real shape of each harness, made from plain rows: (id, prompt, gold, reply, verdict)."""

import json
import zipfile


def lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def run_log(path, rows, model="gpt-x", chat=True, report_first=False, run="231130153649A6ZDK4EA"):
    """An OpenAI evals run log; completion models get the messages as one text."""
    spec = {
        "completion_fns": [model],
        "eval_name": "mine.test.v1",
        "base_eval": "mine",
        "run_config": {},
        "run_id": run,
    }
    events = []
    for id, prompt, gold, reply, right in rows:
        asked = [{"role": "system", "content": "Answer."}, {"role": "user", "content": f"{prompt}\n"}]
        if not chat:
            asked = f"Answer.\nUser: {prompt}\n\nAssistant: "
        sampling = {"prompt": asked, "sampled": [reply]}
        match = {"correct": right, "expected": gold, "picked": None, "sampled": reply, "options": [gold]}
        for kind, data in (("sampling", sampling), ("match", match)):
            events.append({"run_id": run, "event_id": len(events), "sample_id": id, "type": kind, "data": data})
    report = {"final_report": {"accuracy": 0.5}}
    body = [report, {"spec": spec}, *events] if report_first else [{"spec": spec}, *events, report]
    return lines(path, body)


def batch_output(path, rows, model="gpt-4o-2024-08-06", choices=1):
    """The output of a batch of chat completions, as the API of November 2024 writes it."""
    records = []
    for number, (id, _, _, reply, _) in enumerate(rows):
        message = {"role": "assistant", "content": reply, "refusal": None}
        made = [{"index": at, "message": message, "finish_reason": "stop"} for at in range(choices)]
        body = {"id": f"chatcmpl-{number}", "object": "chat.completion", "model": model, "choices": made}
        response = {"status_code": 200, "request_id": f"r{number}", "body": body}
        records.append({"id": f"batch_req_{number}", "custom_id": id, "response": response, "error": None})
    return lines(path, records)


def inspect_sample(row, epoch=1, **more):
    id, prompt, gold, reply, right = row
    message = {"role": "assistant", "content": reply}
    output = {"model": "m", "choices": [{"message": message, "stop_reason": "stop"}]}
    return {
        "id": id, "epoch": epoch, "input": [{"role": "user", "content": prompt}], "target": gold, "output": output,
        "messages": [message], "scores": {"match": {"value": "C" if right else "I", "answer": reply}}, **more,
    }  # fmt: skip


def inspect_log(path, samples, model="openai/gpt-x", task="mine"):
    value = {
        "version": 2,
        "status": "success",
        "eval": {"task": task, "model": model, "run_id": "r1"},
        "samples": samples,
    }
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
    return path


def inspect_archive(path, samples, model="openai/gpt-x", task="mine", header=None, name="header.json"):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, json.dumps(header or {"version": 2, "eval": {"task": task, "model": model}}))
        for sample in samples:
            file.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
    return path


def lm_eval_sample(number, row, filter="none", **more):
    id, prompt, gold, reply, right = row
    return {
        "doc_id": number, "doc": {"id": id, "question": prompt}, "target": gold,
        "arguments": {"gen_args_0": {"arg_0": f"Q: {prompt}\nA:", "arg_1": {"until": ["\n"]}}},
        "resps": [[f" {reply}"]], "filtered_resps": [reply], "filter": filter, "metrics": ["exact_match"],
        "doc_hash": "d", "exact_match": float(right), **more,
    }  # fmt: skip


def eval_ever_sample(row, **more):
    """A row as the schema of instances 0.3.0 wants it, and as its converter of HELM writes it."""
    id, prompt, gold, reply, right = row
    return {
        "schema_version": "0.3.0", "evaluation_id": "mine/openai_gpt-x/1760000000", "model_id": "openai/gpt-x",
        "evaluation_name": "mine", "evaluation_result_id": "exact_match:test", "sample_id": id, "sample_hash": "h",
        "interaction_type": "single_turn",
        "input": {"raw": prompt, "formatted": None, "reference": [gold], "choices": None},
        "output": {"raw": [reply], "reasoning_trace": []}, "messages": None,
        "answer_attribution": [{"turn_idx": 0, "source": "output.raw", "extracted_value": reply,
                                "extraction_method": "exact_match", "is_terminal": True}],
        "evaluation": {"score": float(right), "is_correct": right, "num_turns": None, "tool_calls_count": None},
        "token_usage": None, "performance": None, "error": None, "metadata": None, **more,
    }  # fmt: skip


def helm_state(row, **more):
    id, prompt, gold, reply, _ = row
    references = [{"output": {"text": text}, "tags": ["correct"] * (text == gold)} for text in ("no", "yes")]
    instance = {"id": id, "input": {"text": prompt}, "references": references, "split": "test"}
    return {
        "instance": instance, "train_trial_index": 0, "output_mapping": {"A": "no", "B": "yes"},
        "request": {"model": "openai/gpt-x", "prompt": f"Question: {prompt}\nAnswer:"},
        "result": {"success": True, "completions": [{"text": f" {'AB'[reply == 'yes']}", "logprob": -0.1}]}, **more,
    }  # fmt: skip


def helm_run(folder, states, stats=()):
    folder.mkdir()
    adapter = {"model": "openai/gpt-x", "method": "multiple_choice_joint"}
    state = {"adapter_spec": adapter, "request_states": states}
    (folder / "scenario_state.json").write_text(json.dumps(state), encoding="utf-8")
    spec = {"name": "mine:subject=a,model=openai_gpt-x"}
    (folder / "run_spec.json").write_text(json.dumps(spec), encoding="utf-8")
    (folder / "per_instance_stats.json").write_text(json.dumps(list(stats)), encoding="utf-8")
    return folder
