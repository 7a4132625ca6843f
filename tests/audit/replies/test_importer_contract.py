"""Every importer of the table holds to the contract, and the guide for adding one works as it stands there."""

import importlib
import re
from pathlib import Path

import made_logs
import pytest
from made_logs.contract import faults

import hansproof
from hansproof.audit.harnesses import registry
from hansproof.audit.harnesses.registry import BY_ROW, WHOLE, Importer
from hansproof.audit.replies.reply_files import read_replies
from hansproof.generators.errors import InputError

GUIDE = (Path(registry.__file__).parent / "README.md").read_text(encoding="utf-8")
ROWS = [("s-0", "Is it so?", "yes", "yes", True), ("s-1", "Is it not so, then?", "no", "yes", False)]


def helm(folder):
    # HELM has its verdicts in a file beside the states.
    stats = [
        {
            "instance_id": id,
            "train_trial_index": 0,
            "stats": [{"name": {"name": "exact_match"}, "count": 1, "sum": float(right), "mean": float(right)}],
        }
        for id, *_, right in ROWS
    ]
    made_logs.helm_run(folder / "run", [made_logs.helm_state(row) for row in ROWS], stats)
    return folder / "run" / "scenario_state.json"


EXAMPLES = {
    "OpenAI evals run log": lambda folder: made_logs.run_log(folder / "log.jsonl", ROWS),
    "lm-evaluation-harness samples": lambda folder: made_logs.lines(
        folder / "samples_mine.jsonl", [made_logs.lm_eval_sample(number, row) for number, row in enumerate(ROWS)]
    ),
    "Every Eval Ever samples": lambda folder: made_logs.lines(
        folder / "x_samples.jsonl", [made_logs.eval_ever_sample(row) for row in ROWS]
    ),
    "inspect_ai log": lambda folder: made_logs.inspect_log(
        folder / "log.json", [made_logs.inspect_sample(row) for row in ROWS]
    ),
    "HELM scenario state": helm,
}
"""What the table calls a log -> a function that writes one of `ROWS` into a folder."""


def test_every_importer_has_an_example_but_those_whose_files_are_no_text_or_record_no_golds():
    elsewhere = {"OpenAI batch output", "lighteval details", "lighteval details (flat)"}
    assert {*EXAMPLES} | elsewhere == {name for name, log in (BY_ROW | WHOLE).items() if log.read_replies}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_importer_holds_to_the_contract(name, tmp_path):
    assert faults(name, EXAMPLES[name](tmp_path), ROWS) == []


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The module of the guide, its line in the table, and a log."""
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "my_harness.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    module = importlib.import_module("my_harness")
    (line,) = re.findall(r"^    (\"my harness log\": Importer\(.*\)),$", GUIDE, re.MULTILINE)
    entry = eval(f"{{{line}}}", {"Importer": Importer, **vars(module)})
    for name, importer in entry.items():
        monkeypatch.setitem(BY_ROW, name, importer)
    records = [
        {"case": id, "asked": prompt, "wanted": gold, "said": reply, "passed": right, "model": "m", "task": "quiz"}
        for id, prompt, gold, reply, right in ROWS
    ]
    return made_logs.lines(tmp_path / "log.jsonl", records)


def test_the_guide_is_at_most_100_lines():
    assert len(GUIDE.splitlines()) <= 100


def test_the_importer_of_the_guide_holds_to_the_contract(mine):
    assert faults("my harness log", mine, ROWS) == []


def test_the_log_of_the_guide_is_scored_without_items_and_by_its_verdicts(mine):
    (report,) = hansproof.score(str(mine))
    assert (report.title, report.lines[0].items, report.lines[0].right.share) == ("m", 2, 0.5)
    (judged,) = hansproof.score(str(mine), judged="harness")
    assert judged.lines[0].right.share == 0.5


def test_without_its_line_in_the_table_nobody_knows_it(mine, monkeypatch):
    monkeypatch.delitem(BY_ROW, "my harness log")
    with pytest.raises(InputError):
        list(read_replies(mine))


def test_the_contract_sees_an_importer_that_breaks_on_an_odd_value(mine, monkeypatch):
    good = BY_ROW["my harness log"]
    careless = Importer(good.knows, None, lambda *log: (reply for reply in good.read_replies(*log) if len(reply.reply)))
    monkeypatch.setitem(BY_ROW, "my harness log", careless)
    assert any("TypeError" in fault for fault in faults("my harness log", mine, ROWS))


def test_the_contract_sees_an_importer_that_knows_the_logs_of_others(mine, monkeypatch):
    monkeypatch.setitem(BY_ROW, "anything", Importer(lambda first: True, None, BY_ROW["my harness log"].read_replies))
    assert any("alone" in fault for fault in faults("my harness log", mine, ROWS))
