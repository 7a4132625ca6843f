"""What the harnesses themselves write, where they are installed: see `tests/hansproof/exports`."""

import importlib.util
import json
import os
import subprocess
import sys

import pytest

from hansproof.audit.reading.loading import load

INSPECT = """
import sys
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ModelAPI, ModelOutput, modelapi
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice
@modelapi(name="same")
class Same(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        return ModelOutput.from_content("same", "ANSWER: B")
samples = [
    Sample(input=[ChatMessageUser(content=f"item {n} " + "long " * 60)], choices=["red", "blue", "green"],
           target="ABC"[n % 3], id=f"a/b {n}") for n in range(40)]
task = Task(name="colours", dataset=MemoryDataset(samples), solver=multiple_choice(), scorer=choice())
for format in ("eval", "json"):
    eval(task, model="same/same", display="none", log_dir="logs", log_format=format, epochs=2)
from pathlib import Path
try:
    from inspect_ai.log._recorders.chunked import convert_eval_logs_to_chunked
except ImportError:
    sys.exit()
convert_eval_logs_to_chunked(str(next(Path("logs").glob("*.eval"))), "logs/chunked")
"""

LM_EVAL = """
from lm_eval.__main__ import cli_evaluate
import sys
sys.argv = ["lm_eval", "--model", "dummy", "--tasks", "colours", "--include_path", ".", "--log_samples",
            "--output_path", "out"]
cli_evaluate()
"""

TASK = """\
task: colours
dataset_path: json
dataset_kwargs: {data_files: {test: docs.jsonl}}
test_split: test
output_type: multiple_choice
doc_to_text: "Q: {{q}}\\nA:"
doc_to_choice: options
doc_to_target: gold
metric_list: [{metric: acc}]
"""


def run(module, code, folder):
    """Run `code` in an interpreter that has the harness, or skip with the reason."""
    interpreter = sys.executable
    if not importlib.util.find_spec(module):
        interpreter = os.environ.get("HANSPROOF_HARNESS_PYTHON", "")
        if not interpreter:
            pytest.skip(f"{module} is not installed, and HANSPROOF_HARNESS_PYTHON names no interpreter that has it")
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf"), "HF_DATASETS_CACHE": str(folder / "hfd")}
    done = subprocess.run(
        [interpreter, "-c", code], cwd=folder, env=os.environ | offline, capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.slow
def test_the_logs_of_inspect_give_its_samples_from_each_of_its_formats(tmp_path):
    run("inspect_ai", INSPECT, tmp_path)
    logs = tmp_path / "logs"
    for path in (*logs.glob("*.eval"), *logs.glob("*.json"), *logs.glob("chunked/*.eval")):
        benchmark = load(path)
        assert sorted(benchmark.ids) == sorted(f"a/b {n}" for n in range(40))
        by_id = dict(zip(benchmark.ids, zip(benchmark.prompts, benchmark.answers)))
        assert by_id["a/b 4"] == ("item 4 " + "long " * 60, "blue")
        assert benchmark.mapping.format == "inspect_ai log"


@pytest.mark.slow
def test_the_samples_and_the_task_of_lm_eval_give_the_same_items(tmp_path):
    options = [["red", "blue"], ["green", "red"]]
    docs = [{"q": f"item {n}", "options": options[n % 2], "gold": n // 2 % 2} for n in range(40)]
    (tmp_path / "docs.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    (tmp_path / "colours.yaml").write_text(TASK)
    run("lm_eval", LM_EVAL, tmp_path)
    (path,) = (tmp_path / "out").rglob("samples_colours_*.jsonl")
    logged, asked = load(path), load(tmp_path / "colours.yaml")
    assert (logged.prompts, logged.answers, logged.choices) == (asked.prompts, asked.answers, asked.choices)
    assert logged.answers == [options[n % 2][n // 2 % 2] for n in range(40)]
