"""The exports in the harnesses themselves, where they are installed.

Each runs in a process of its own: beside this interpreter, or in the one that HANSPROOF_HARNESS_PYTHON names (lm-eval
brings torch with it, so a separate environment is usual).
"""

import json
import os
import subprocess

import pytest

from hansproof.release.exports.export import export

LM_EVAL = """
import json, sys
from lm_eval.tasks import TaskManager
manager = TaskManager(include_path=".", include_defaults=False)
loaded = manager.load(["small_set"])
read_back = {}
for name, task in loaded["tasks"].items():
    docs = list(task.test_docs())
    kind = task.OUTPUT_TYPE
    read_back[name] = [
        [doc["id"], task.doc_to_text(doc), task.doc_to_choice(doc) if kind == "multiple_choice" else None,
         task.doc_to_target(doc)] for doc in docs]
json.dump(read_back, open(sys.argv[1], "w"))
"""

LM_EVAL_RUN = """
import json, sys
from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager
class Longest(LM):
    def loglikelihood(self, requests):
        return [(0.0 if request.args[1] in (" yes", " 15") else -1.0, False) for request in requests]
    def loglikelihood_rolling(self, requests):
        raise NotImplementedError
    def generate_until(self, requests):
        return ["zed: knight\\nada: knave 1" for _ in requests]
manager = TaskManager(include_path=".", include_defaults=False)
results = simple_evaluate(model=Longest(), tasks=["small_set"], task_manager=manager, bootstrap_iters=0)["results"]
json.dump({n: r.get("acc,none", r.get("exact_match,none")) for n, r in results.items()}, open(sys.argv[1], "w"))
"""

INSPECT = """
import json, sys
from inspect_ai import eval
from inspect_ai.model import ModelAPI, ModelOutput, modelapi
@modelapi(name="same")
class Same(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        text = input[-1].text
        reply = "ANSWER: B" if "ANSWER:" in text else "I think\\nZed: knight\\nAda: knave 1"
        return ModelOutput.from_content("same", reply)
    async def count_tokens(self, *arguments, **options):
        return 1
logs = eval("small_set.py", model="same/same", display="none", log_dir=sys.argv[2])
read_back = {}
for log in logs:
    assert log.status == "success", log.error
    metrics = {metric.name: metric.value for score in log.results.scores for metric in score.metrics.values()}
    samples = [[s.id, s.input, s.choices, s.target, s.metadata["group"]] for s in log.samples]
    read_back[log.eval.task] = [samples, metrics]
json.dump(read_back, open(sys.argv[1], "w"))
"""

HUB = """
import huggingface_hub, sys
huggingface_hub.hf_hub_download = lambda repo_id, filename, **_: f"{repo_id}/{filename}"
""" + INSPECT.replace('"small_set.py"', '"hf/owner/small"').replace("s.id,", "s.metadata['id'],")
"""A dataset of the Hub is a folder of that name here, as `load_dataset` reads both alike."""


def run(interpreter, code, folder, tmp_path):
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "HF_DATASETS_CACHE": str(tmp_path / "hfd")}
    command = [interpreter, "-c", code, str(tmp_path / "found.json"), str(tmp_path / "logs")]
    environment = os.environ | offline
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((tmp_path / "found.json").read_text())


@pytest.mark.slow
def test_lm_eval_sees_prompt_choices_and_gold(release, rows, tmp_path, python_with):
    export(release, "lm-eval", out=tmp_path / "out")
    read_back = run(python_with("lm_eval"), LM_EVAL, tmp_path / "out", tmp_path)
    for subset, task in (("S-3", "small_set_S_3"), ("many", "small_set_many")):
        assert read_back[task] == [
            [item.id, item.prompt, list(item.choices), item.choices.index(item.answer)] for item in rows[subset]
        ]
    assert read_back["small_set_open"] == [[item.id, item.prompt, None, item.answer] for item in rows["open"]]


@pytest.mark.slow
def test_lm_eval_scores_a_model_as_counting_by_hand_does(release, tmp_path, python_with):
    export(release, "lm-eval", out=tmp_path / "out")
    read_back = run(python_with("lm_eval"), LM_EVAL_RUN, tmp_path / "out", tmp_path)
    # "yes" is right for 2 of 4; "15" is many[25], right for 1 of 4; one of the three open answers is that of number 1
    assert read_back["small_set_S_3"] == 0.5
    assert read_back["small_set_many"] == 0.25
    assert read_back["small_set_open"] == pytest.approx(1 / 3)


def check_inspect(read_back, rows):
    """Samples of the three subsets with their accuracies, of a model that answers "yes", "15" and number 1's answer."""
    letters = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", *map(str, range(1, 15))]
    for subset in ("S-3", "many"):
        assert read_back[subset][0] == [
            [item.id, item.prompt, list(item.choices), letters[item.choices.index(item.answer)], item.group]
            for item in rows[subset]
        ]
    samples, metrics = read_back["open"]
    assert samples == [[item.id, item.prompt, None, item.answer, item.group] for item in rows["open"]]
    assert metrics["accuracy"] == pytest.approx(1 / 3)
    assert read_back["S-3"][1]["accuracy"] == 0.5


@pytest.mark.slow
def test_inspect_turns_the_gold_into_its_letter_and_scores_a_model(release, rows, tmp_path, python_with):
    export(release, "inspect", out=tmp_path / "out")
    read_back = run(python_with("inspect_ai"), INSPECT, tmp_path / "out", tmp_path)
    check_inspect({name: read_back[f"small_set_{name.replace('-', '_')}"] for name in rows}, rows)
    assert "stderr" in read_back["small_set_S_3"][1]


@pytest.mark.slow
def test_inspect_runs_the_benchmark_of_the_hub_by_its_yaml_alone(release, rows, tmp_path, python_with):
    export(release, "hub", out=tmp_path / "owner" / "small")
    read_back = run(python_with("inspect_ai"), HUB, tmp_path, tmp_path)
    assert set(read_back) == {f"hf/owner/small/{name}" for name in rows}
    check_inspect({name: read_back[f"hf/owner/small/{name}"] for name in rows}, rows)
