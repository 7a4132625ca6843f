"""Damaged logs end in one line that says what is wrong with which file, or in a note; never in silence."""

import gzip
import io
import json
import zipfile
from pathlib import Path

import made_logs
import pytest
from click.testing import CliRunner

from hansproof.command_line import command_line

ROWS = [(f"q{k}", f"Is the number {k} an even one?", ("yes", "no")[k % 2], "yes", k % 2 == 0) for k in range(12)]
SAMPLES = [made_logs.inspect_sample(row) for row in ROWS]
LOG = {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": SAMPLES}
HEADER = ("header.json", {"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}})
MEMBERS = [(f"samples/{sample['id']}_epoch_1.json", sample) for sample in SAMPLES]
STATES = [made_logs.helm_state(row) for row in ROWS]


def document(value):
    return json.dumps(value).encode()


def archive(*members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, value in members:
            file.writestr(name, value if isinstance(value, bytes) else document(value))
    return out.getvalue()


def lines(write):
    """What a made log holds, as lines."""
    path = Path("made.jsonl")
    write(path)
    return path.read_bytes().splitlines(keepends=True)


def changed(data, place):
    return data[:place] + bytes([data[place] ^ 255]) + data[place + 1 :]


WHOLE = archive(HEADER, *MEMBERS)
NO_INPUT = [{key: value for key, value in sample.items() if key != "input"} for sample in SAMPLES]
CUT = "a truncated or damaged inspect_ai log (its directory, which stands at the end, is missing or broken): fetch"
DAMAGED = "a damaged inspect_ai log: none of its first samples has an `input` and a `target`; fetch the log again"
PART = "samples that it was to ask are in the log"

ERRORS = {
    # inspect_ai, JSON
    "no samples": ("x.json", document({**LOG, "samples": None}), "an inspect_ai log without samples; log them"),
    "samples are gone": ("x.json", document({key: LOG[key] for key in ("status", "eval")}), "log without samples"),
    "samples in an object": ("x.json", document({**LOG, "samples": {"a": 1}}), DAMAGED),
    "samples are text": ("x.json", document({**LOG, "samples": "x"}), DAMAGED),
    "samples are numbers": ("x.json", document({**LOG, "samples": [1, 2]}), DAMAGED),
    "samples without input": ("x.json", document({**LOG, "samples": NO_INPUT}), DAMAGED),
    "a sample is a number": (
        "x.json",
        document({**LOG, "samples": [*SAMPLES[:3], 7]}),
        "sample 4: is not a JSON object",
    ),
    "no eval": ("x.json", document({**LOG, "eval": None}), "a damaged inspect_ai log: it has no `eval`"),
    "eval is text": ("x.json", document({**LOG, "eval": "x"}), "a damaged inspect_ai log: it has no `eval`"),
    "a run that died at once": (
        "x.json",
        document({**LOG, "status": "error", "samples": []}),
        "its status is 'error'. Run",
    ),
    "a list of logs": ("x.json", document([LOG]), "no column is called like replies"),
    "broken off": ("x.json", document(LOG)[:900], "line 1 column 899: broken JSON: unterminated string"),
    "broken off at the end": ("x.json", document(LOG)[:-1], "broken JSON: it ends too early"),
    "Latin-1": ("x.json", document(LOG).replace(b"even", b"\xe9", 1), "is not UTF-8 at byte "),
    "NUL in front": ("x.json", b"\0" * 9 + document(LOG)[:30], "binary, or UTF-16 without its byte-order mark"),
    "half a gzip file": ("x.json.gz", gzip.compress(document(LOG))[:-20], "damaged gzip data"),
    # inspect_ai, archives
    "half an archive": ("x.eval", WHOLE[: len(WHOLE) // 2], CUT),
    "a mark": ("x.eval", WHOLE[:4], CUT),
    "a hundred bytes": ("x.eval", WHOLE[:100], CUT),
    "all but the end": ("x.eval", WHOLE[:-22], CUT),
    "all but a byte": ("x.eval", WHOLE[:-1], CUT),
    "half an archive of another name": ("x.bin", WHOLE[: len(WHOLE) // 2], CUT),
    "no bytes": ("x.eval", b"", "has no replies"),
    "text": ("x.eval", b"hello", "is plain text"),
    "no members": ("x.eval", archive(), "this is a zip archive"),
    "a spreadsheet": ("x.eval", archive(("xl/workbook.xml", b"<x/>")), "this is a zip archive"),
    "no header": (
        "x.eval",
        archive(*MEMBERS),
        "damaged inspect_ai log (its directory, which stands at the end, lists no h",
    ),
    "the header is a list": (
        "x.eval",
        archive(("header.json", [1]), *MEMBERS),
        "header.json: damaged (it does not say",
    ),
    "the header is broken": (
        "x.eval",
        archive(("header.json", b'{"a"'), *MEMBERS),
        "header.json: line 1 column 5: broken",
    ),
    "the header is no UTF-8": (
        "x.eval",
        archive(("header.json", b'"\xff"'), *MEMBERS),
        "header.json: byte 2 is not UTF-8",
    ),
    "only a header": ("x.eval", archive(HEADER), "an inspect_ai log without samples; log them"),
    "only a journal": ("x.eval", archive(("_journal/start.json", HEADER[1])), "its status is 'started'. Run it again"),
    "a sample is a list": (
        "x.eval",
        archive(HEADER, ("samples/a_epoch_1.json", [1])),
        "a_epoch_1.json: not a JSON object",
    ),
    "a sample is empty": (
        "x.eval",
        archive(HEADER, ("samples/a_epoch_1.json", b"")),
        "a_epoch_1.json: line 1 column 1: bro",
    ),
    "a sample says nothing": (
        "x.eval",
        archive(HEADER, ("samples/a_epoch_1.json", {})),
        "it has neither an id nor a prompt",
    ),
    "a changed byte": (
        "x.eval",
        changed(WHOLE, len(WHOLE) // 3),
        "damaged (its checksum is wrong): fetch the log again",
    ),
    "a way out": ("x.eval", archive(HEADER, ("samples/../../x_epoch_1.json", {})), "which leads out of the archive"),
    # OpenAI evals
    "a broken event": ("x.jsonl", lambda: b"".join(lines(run_log))[:-60], "broken JSON"),
    "only a spec": ("x.jsonl", lambda: lines(run_log)[0], "an OpenAI evals run log without `sampling` events"),
    "a number among events": (
        "x.jsonl",
        lambda: b"".join([*lines(run_log)[:3], b"7\n"]),
        "line 4: is a number, and not a JSON object",
    ),
    "a number at the end": (
        "x.jsonl",
        lambda: b"".join([*lines(run_log), b"[7]\n"]),
        "line 27: is a list of 1 number, and not a JSON object",
    ),
    "an event in Latin-1": (
        "x.jsonl",
        lambda: b"".join(lines(run_log)).replace(b"even", b"\xe9"),
        "line 2: byte 37 is not",
    ),
    # lm-evaluation-harness
    "a broken document": ("samples_x.jsonl", lambda: b"".join(lines(documents))[:-80], "broken JSON"),
    "another line": (
        "samples_x.jsonl",
        lambda: b"".join([*lines(documents), b'{"a": 1}\n']),
        "line 13: is no entry of lm-evaluation-harness samples, as those before it are: it needs doc, target, "
        "arguments, and has 'a'",
    ),
    "blank lines": ("samples_x.jsonl", b"\n\n", "has no replies"),
    # HELM
    "no states": ("x.json", document({"request_states": []}), "a HELM scenario state without request states"),
    "states in an object": ("x.json", document({"request_states": {}}), "a HELM scenario state without request states"),
    "states are numbers": (
        "x.json",
        document({"request_states": [1]}),
        "row 1: is not a request state with an instance",
    ),
    "a later state is a number": (
        "x.json",
        document({"request_states": [*STATES, 3]}),
        "row 13: is not a request state",
    ),
    "the instance is text": (
        "x.json",
        document({"request_states": [{"instance": "x"}]}),
        "row 1: is not a request state",
    ),
}
"""What is odd -> the name of the file, what it holds, and what is said."""

NOTES = {
    "a status of another kind": ("x.json", document({**LOG, "status": 5}), "the run did not end: its status is 5"),
    "a status that drives terminals": ("x.json", document({**LOG, "status": "\x1b[31m"}), r"its status is '\x1b[31m'"),
    "more were asked": ("x.json", document({**LOG, "results": {"total_samples": 10**30}}), f"000 {PART}"),
    "all failed": (
        "x.json",
        document(
            {
                **LOG,
                "status": "error",
                "samples": [{**sample, "output": {}, "error": {"message": "x"}} for sample in SAMPLES],
            }
        ),
        "0 of 12 items have a reply",
    ),
    "marks of one half": (
        "x.json",
        document({**LOG, "samples": [{**sample, "scores": {"m": {"value": 0.5}}} for sample in SAMPLES]}),
        "sample 1: '0.5' is neither right nor wrong",
    ),
    "no directory entry for a sample": ("x.eval", changed(WHOLE, len(WHOLE) - 30), "11 of 12 items have a reply"),
    "no final report": (
        "x.jsonl",
        lambda: b"".join(lines(run_log)[:-1]),
        "its log has no final report; 12 samples are",
    ),
    "no result": (
        "x.json",
        document({"request_states": [{**state, "result": None} for state in STATES]}),
        "12 of 12 replies are empty",
    ),
}
"""The same of logs that are read."""


def run_log(path):
    made_logs.run_log(path, ROWS)


def documents(path):
    made_logs.lines(path, [made_logs.lm_eval_sample(number, row) for number, row in enumerate(ROWS)])


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{id},{prompt},{gold}\n" for id, prompt, gold, *_ in ROWS]
    Path("bench.csv").write_text("".join(["id,prompt,answer\n", *rows]))
    made_logs.inspect_log(Path("whole.json"), SAMPLES)


def run(case, *arguments):
    name, data, said = case
    Path(name).write_bytes(data() if callable(data) else data)
    done = CliRunner().invoke(command_line(), [name if each == "LOG" else each for each in arguments])
    return done, name, said


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("odd", ERRORS)
def test_a_log_that_cannot_be_used_is_one_line(odd):
    done, name, said = run(ERRORS[odd], "score", "LOG", "--items", "bench.csv")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error: {name}: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    beside, _, _ = run(ERRORS[odd], "compare", "whole.json", "LOG", "--items", "bench.csv")
    assert (beside.exit_code, beside.stderr) == (2, done.stderr)


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("odd", NOTES)
def test_a_log_that_is_odd_and_can_be_used_has_a_note(odd):
    done, _, said = run(NOTES[odd], "score", "LOG", "--items", "bench.csv")
    assert done.exit_code == 0
    assert said in done.stderr
    assert all(line.startswith("note: ") for line in done.stderr.splitlines())
