"""Open answers that are numbers: 6 is right where 6 is said last, and not because 16 is said, or 6 on the way."""

import json
import re

import pytest
import yaml

from hansproof.generators.item import Item
from hansproof.generators.jsonl import write
from hansproof.release.exports.export import LAST_NUMBER, export, suite_of
from hansproof.release.frozen import read_release


@pytest.fixture
def sums(tmp_path):
    path = tmp_path / "sums.jsonl"
    metadata = {"dataset": "small-set", "version": "1.0.0", "subset": "sums", "seed": 1, "canary": "c"}
    write(path, [
        Item(f"small-set/1.0.0/sums/{i:06}", f"Add 6 and {i}.", None, str(6 + i), f"g{i}", "original", metadata)
        for i in range(3)
    ])  # fmt: skip
    return path


@pytest.mark.parametrize(
    ("reply", "last"),
    [
        ("6", "6"),
        ("He has 16.", "16"),
        ("First 6 + 10 = 16.\nSo **16** apples", "16"),
        ("16 - 10 = 6.", "6"),
        ("1,234 apples", "1,234"),
        ("the loss is -6", "-6"),
        ("6.5 litres", "6.5"),
    ],
)
def test_the_last_number_is_read_whole(reply, last):
    assert re.search(LAST_NUMBER, reply).groups() == (last,)  # as inspect_ai searches
    assert re.findall(LAST_NUMBER, reply) == [last]  # as lm-evaluation-harness does


def test_no_number_is_none():
    assert re.search(LAST_NUMBER, "six") is None


def test_only_open_whole_numbers_are_numbers(release, sums):
    assert suite_of(read_release(sums), "lm-eval", ()).tasks[0].numbers
    tasks = suite_of(read_release(release), "lm-eval", ()).tasks
    assert not any(task.numbers for task in tasks)  # "many" has numbers, but as choices


def test_harnesses_with_patterns_compare_the_last_number(sums, tmp_path):
    export(sums, "lm-eval", out=tmp_path / "lm")
    task = yaml.safe_load((tmp_path / "lm/small_set_sums.yaml").read_text(encoding="utf-8"))
    steps = task["filter_list"][0]["filter"]
    assert steps == [{"function": "regex", "regex_pattern": LAST_NUMBER}, {"function": "take_first"}]
    export(sums, "inspect", out=tmp_path / "inspect")
    code = (tmp_path / "inspect/small_set.py").read_text(encoding="utf-8")
    compile(code, "small_set.py", "exec")
    assert f'LAST_NUMBER = r"{LAST_NUMBER}"' in code
    assert "scorer=pattern(LAST_NUMBER)" in code
    assert "scorer=includes()" not in code


def test_harnesses_without_ask_for_the_number_alone(sums, tmp_path):
    export(sums, "openai-evals", out=tmp_path / "openai")
    registry = yaml.safe_load((tmp_path / "openai/registry/evals/small_set.yaml").read_text(encoding="utf-8"))
    assert registry["small_set_sums.test.v1.0.0"]["class"] == "evals.elsuite.basic.json_match:JsonMatch"
    samples = (tmp_path / "openai/registry/data/small_set/sums.jsonl").read_text(encoding="utf-8")
    asked = json.loads(samples.split("\n")[0])["input"][-1]["content"]
    export(sums, "lighteval", out=tmp_path / "light")
    docs = (tmp_path / "light/docs/sums.jsonl").read_text(encoding="utf-8")
    assert json.loads(docs.split("\n")[0])["query"] == asked
    assert asked == "Add 6 and 0.\n\nAnswer with one number in digits, and nothing else."
