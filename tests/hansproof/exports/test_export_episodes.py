"""Items that are played, in inspect_ai: asked turn by turn, scored by the family's own measures."""

import ast
import json
import os
import subprocess
from pathlib import Path

import pytest

from hansproof.generators.errors import InputError
from hansproof.generators.item import Item
from hansproof.generators.jsonl import dump
from hansproof.generators.production import Stretch, items
from hansproof.generators.registry import dataset
from hansproof.release.exports.export import export

ROOT = Path(__file__).resolve().parents[3]

PLAY = """
import json, re, sys
from inspect_ai import eval
from inspect_ai.model import ModelAPI, ModelOutput, modelapi
asked = []
@modelapi(name="second")
class Second(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        text = input[-1].text
        asked.append([len(input), text])
        names = re.search(r"Which machine do you play, ([A-Z]) or ([A-Z])[?]", text).groups()
        mute = len(asked) == 1 or ("dumb" in sys.argv and "plays left" in text)
        reply = "Hm" if mute else f"{names[0]} or {names[1]}?\\nAnswer: {names[1]}"
        return ModelOutput.from_content("second", reply)
    async def count_tokens(self, *arguments, **options):
        return 1
(log,) = eval("cognitive_tasks.py", model="second/second", display="none", log_dir=sys.argv[2], max_samples=1,
              task_args={"style": "zero-shot-cot", "retries": 1})
assert log.status == "success", log.error
samples = [[s.id, s.output.completion, s.scores["measures"].value, s.scores["measures"].explanation]
           for s in log.samples]
metrics = {score.name: {name: metric.value for name, metric in score.metrics.items()} for score in log.results.scores}
json.dump([samples, metrics, asked], open(sys.argv[1], "w"))
"""


@pytest.fixture
def games(tmp_path):
    """Six games of the horizon task, of one free choice and of six."""
    family = dataset("cognitive-tasks")
    rows = list(items(family, Stretch("horizon", 0, 6), 7))
    (tmp_path / "horizon.jsonl").write_bytes(dump(rows))
    export(tmp_path / "horizon.jsonl", "inspect", out=tmp_path / "out")
    return rows


def run(interpreter, tmp_path, *more):
    if subprocess.run([interpreter, "-c", "import msgspec"], check=False, capture_output=True).returncode:
        pytest.skip(f"{interpreter} does not have msgspec, which games need beside inspect_ai")
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    command = [interpreter, "-c", PLAY, str(tmp_path / "read.json"), str(tmp_path / "logs"), *more]
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(
        command, cwd=tmp_path / "out", env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((tmp_path / "read.json").read_text())


@pytest.mark.slow
def test_inspect_plays_the_episodes_and_scores_them_as_hansproof_does(games, tmp_path, python_with):
    samples, metrics, asked = run(python_with("inspect_ai"), tmp_path)
    rules = dataset("cognitive-tasks").scorer
    seconds = [json.dumps([item.metadata["arms"][1]] * item.metadata["horizon"]) for item in games]
    values = [rules.score(item, rules.read(item, reply)).measures for item, reply in zip(games, seconds, strict=True)]
    assert samples == [
        [item.id, reply, {"horizon-reward": measures["horizon-reward"].value}, None]
        for item, reply, measures in zip(games, seconds, values, strict=True)
    ]
    mean = sum(measures["horizon-reward"].value for measures in values) / len(games)
    assert metrics["horizon-reward"]["mean"] == pytest.approx(mean)
    assert {messages for messages, _ in asked} == {1}
    assert len(asked) == 1 + sum(item.metadata["horizon"] for item in games)  # the first reply was of no use
    assert "Your last reply could not be used: names no choice." in asked[1][1]
    assert 'End with a line "Answer: ..."' in asked[0][1]


@pytest.mark.slow
def test_inspect_leaves_an_unfinished_run_out_of_the_mean(games, tmp_path, python_with):
    samples, metrics, _ = run(python_with("inspect_ai"), tmp_path, "dumb")
    long = [item.metadata["horizon"] == 6 for item in games]
    assert 0 < sum(long) < 6
    for sample, stopped in zip(samples, long, strict=True):
        if stopped:
            assert sample[1] == "[]"
            assert sample[3] == "no legal action in the last reply: names no choice"
    played = [sample[2]["horizon-reward"] for sample, stopped in zip(samples, long, strict=True) if not stopped]
    assert metrics["horizon-reward"]["mean"] == pytest.approx(sum(played) / len(played))


def test_the_task_file_has_a_task_per_subset_and_the_rows_byte_for_byte(games, tmp_path):
    tree = ast.parse((tmp_path / "out" / "cognitive_tasks.py").read_text())
    tasks = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and [ast.unparse(mark) for mark in node.decorator_list] == ["task"]
    ]
    assert tasks == ["cognitive_tasks_horizon"]
    assert (tmp_path / "out" / "rows" / "horizon.jsonl").read_bytes() == dump(games)


@pytest.mark.parametrize("harness", ["lm-eval", "openai-evals", "helm", "lighteval"])
@pytest.mark.usefixtures("games")
def test_harnesses_that_ask_once_refuse_episodes_and_name_the_one_that_plays(harness, tmp_path):
    with pytest.raises(InputError, match="has no right answer; it is played: inspect can do that"):
        export(tmp_path / "horizon.jsonl", harness, out=tmp_path / "refused")
    assert not (tmp_path / "refused").exists()


def test_what_is_neither_answered_nor_played_is_refused_by_inspect_too(tmp_path):
    data = {"dataset": "opinions", "version": "1.0.0", "subset": "s", "seed": 1, "canary": "c"}
    item = Item("opinions/1.0.0/s/000000", "What do you think?", None, None, "g", "c", data)
    (tmp_path / "opinions.jsonl").write_bytes(dump([item]))
    with pytest.raises(InputError, match="has no right answer, so no harness can score it"):
        export(tmp_path / "opinions.jsonl", "inspect", out=tmp_path / "out")
