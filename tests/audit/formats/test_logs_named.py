"""A run log is named after what it evaluates, and after its file, which is named after the model."""

import json

from audit.loading import load


def test_a_run_log_is_called_by_its_evaluation_and_its_file(tmp_path):
    events = [{"spec": {"base_eval": "proverbs", "run_config": {}}}]
    for i in range(40):
        events.append({"sample_id": f"s{i}", "type": "sampling", "data": {"prompt": f"Is {i} even?", "sampled": ["x"]}})
        events.append({"sample_id": f"s{i}", "type": "match", "data": {"expected": "no" if i % 2 else "yes"}})
    path = tmp_path / "model-7b.jsonl"
    path.write_text("\n".join(map(json.dumps, events)))
    assert load(path).name == "proverbs (model-7b)"
    assert load(path, name="mine").name == "mine"
