"""That a run did not end is said by every command that reads its log: on the screen, in JSON, on the page."""

import html
import json
from pathlib import Path

import made_logs
import pytest
from click.testing import CliRunner

from hansproof.command_line import command_line
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

N = 40
ROWS = [(f"q{k}", f"Is the number {k} an even one?", ("yes", "no")[k % 2], "yes", k % 2 == 0) for k in range(N)]
SAID = (
    "broken.json: the run did not end: its status is 'cancelled'; "
    "30 of the 40 samples that it was to ask are in the log"
)
EVALUATION = {"task": "mine", "model": "broken", "dataset": {"samples": N}}
QUICK = ("--splits", "2", "--permutations", "99")


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    samples = [made_logs.inspect_sample(row) for row in ROWS]
    made_logs.inspect_log(Path("whole.json"), samples, model="whole")
    log = json.loads(Path("whole.json").read_text()) | {"status": "cancelled", "eval": EVALUATION}
    Path("broken.json").write_text(json.dumps(log | {"samples": samples[:30]}))


def written(*arguments):
    """What a command says on both streams, and what it writes as JSON and on its page, as plain text."""
    named = [*arguments, "--json", "out.json", "--html", "out.html", "--force"]
    done = CliRunner(env={"COLUMNS": "160"}).invoke(command_line(), list(map(str, named)))
    assert done.exit_code == 0, done.output
    return done.stderr, Path("out.json").read_text(), html.unescape(Path("out.html").read_text())


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "broken.json"),
        ("score", "whole.json", "broken.json"),
        ("compare", "whole.json", "broken.json"),
        ("compare", "whole.json", "broken.json", "--plan"),
        ("analyse", "whole.json", "broken.json", *QUICK),
    ],
)
def test_a_log_that_broke_off_is_told_everywhere(arguments):
    screen, record, page = written(*arguments)
    assert screen.count(SAID) == 1
    assert SAID in record
    assert SAID in page


@pytest.mark.usefixtures("there")
def test_a_log_that_is_not_used_is_not_told():
    screen, record, page = written("score", "whole.json", "broken.json", "--model", "whole")
    assert "did not end" not in screen + record + page
    screen, record, page = written("compare", "whole.json", "broken.json", "--items", "whole.json")
    assert SAID in screen


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("by", ["effects", "hypotheses"])
def test_other_kinds_of_analysis_tell_it_too(by):
    items = [dataset("token-bias").item("syllogism", 8, index) for index in range(80)]
    Path("items.jsonl").write_bytes(dump(items))
    rows = [(item.id, item.prompt, item.answer, item.answer, True) for item in items]
    samples = [made_logs.inspect_sample(row) for row in rows]
    log = {"version": 2, "status": "cancelled", "eval": EVALUATION, "samples": samples[: len(items) - 4]}
    Path("broken.json").write_text(json.dumps(log))
    said = "broken.json: the run did not end: its status is 'cancelled'"
    for text in written("analyse", "broken.json", "--by", by, "--items", "items.jsonl"):
        assert said in text
