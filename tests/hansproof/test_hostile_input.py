"""What nobody means to pass: forged metadata, folders in place of files, names that drive a terminal."""

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import hansproof
from hansproof.audit.models.matching import values_of
from hansproof.command_line import command_line
from hansproof.generators.errors import Fault, InputError, UsageError
from hansproof.generators.jsonl import dump
from hansproof.generators.registry import dataset

PUZZLE = dataset("knights-knaves").item("set-E", 5, 0)
CUES = [dataset("planted-cues").item("none", 5, index) for index in range(3)]


@pytest.fixture
def there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cues.jsonl").write_bytes(dump(CUES))
    (tmp_path / "forged.jsonl").write_bytes(dump([replace(PUZZLE, metadata=PUZZLE.metadata | {"terms": 7})]))
    (tmp_path / "answers.jsonl").write_text(json.dumps({"id": PUZZLE.id, "reply": "Ann is a knight."}) + "\n")
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    (tmp_path / "folders" / "SHA256SUMS").mkdir(parents=True)
    (tmp_path / "folders" / "manifest.json").mkdir()
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "manifest.json").write_text("[" * 100_000)
    (tmp_path / "deep" / "none.jsonl").write_bytes(dump(CUES))
    (tmp_path / "inner" / "rows.jsonl").mkdir(parents=True)
    return tmp_path


FORGED = r"item 'knights-knaves/2.1.0/set-E/000000': metadata does not fit .* is it an item of knights-knaves, as"


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score answers.jsonl --items forged.jsonl", "item 'knights-knaves/2.1.0/set-E/000000': metadata does not fit"),
        ("prompts forged.jsonl --style direct", FORGED),
        ("annotate form answers.jsonl --items forged.jsonl --out form.csv --prefill", FORGED),
        (
            "score answers.jsonl --items cues.jsonl --item-scores answers.jsonl --force",
            "answers.jsonl: is an input of this",
        ),
        ("prompts cues.jsonl --style direct --out ./cues.jsonl --force", "cues.jsonl: is an input of this command"),
        ("annotate form answers.jsonl --items cues.jsonl --out cues.jsonl --force", "cues.jsonl: is an input of this"),
        ("prompts deep --style direct --out deep/none.jsonl --force", "deep/none.jsonl: is inside an input"),
        ("download planted-cues --cache c --from http://[::1", r"'http://\[::1' is not an address: Invalid IPv6 URL"),
        ("release planted-cues --version 2.0.0 --out made --permutations 0", "permutations is 0; it must be"),
        ("release planted-cues --version 2.0.0 --out made --workers -1", "workers is -1; it must be"),
        ("prompts inner --style direct", "inner: no benchmark in this folder; looked for "),
        ("score answers.jsonl answers.jsonl --items cues.jsonl", "answers.jsonl: is named twice; name it once"),
        ("analyse answers.jsonl ./answers.jsonl --items cues.jsonl", "answers.jsonl: is named twice; name it once"),
        ("score answers.jsonl --items=", "the source of the items is empty: name a release folder, a file or an hf"),
        ("score answers.jsonl --items cues.jsonl --reply-columns ,", "--reply-columns needs the names of columns"),
        ("score answers.jsonl --items cues.jsonl --reply-columns a,b,a", "--reply-columns names 'a' twice"),
        ("score answers.jsonl --items cues.jsonl --column id=a --column id=b", "--column names 'id' twice"),
        ("score answers.jsonl --items cues.jsonl --test mcnemar --shift -1", "the shift must be above 0 and up to 100"),
        ("audit loop.csv", "loop.csv: cannot be read: Too many levels of symbolic links"),
        ("audit cues.jsonl --html " + "a" * 300, "a{300}: File name too long"),
        ("score \x1b[31m.jsonl --items cues.jsonl", r"\\x1b\[31m\.jsonl: cannot be read"),
        ("list " + "a" * 5000, r"there is no dataset 'a{600,700} \.\.\. .*Known: planted-cues"),
    ],
)
def test_a_hostile_input_is_one_line_and_no_fault_of_ours(command, message):
    before = {path: path.read_bytes() for path in Path().rglob("*.jsonl") if path.is_file()}
    done = CliRunner().invoke(command_line(), command.split(" "))
    assert {path: path.read_bytes() for path in Path().rglob("*.jsonl") if path.is_file()} == before
    assert not Path("made").exists()
    assert (done.exit_code, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.isprintable()
    assert re.match(f"error: .*{message}", line), line


@pytest.mark.usefixtures("there")
def test_verify_reports_folders_in_place_of_files_and_a_manifest_that_is_too_deep():
    in_folders = hansproof.verify("folders")
    assert in_folders.checks[0].faults == (Fault("cannot be read: Is a directory", "SHA256SUMS"),)
    assert in_folders.checks[1].faults == (Fault("cannot be read: Is a directory", "manifest.json"),)
    assert hansproof.verify("deep").checks[1].faults == (Fault("is nested too deeply", "manifest.json"),)


@pytest.mark.usefixtures("there")
def test_a_manifest_that_is_too_deep_costs_a_folder_of_items_only_its_order():
    assert len(hansproof.score({CUES[0].id: "yes"}, "deep")[0].outcomes) == 3


def test_score_takes_the_items_that_generate_makes():
    (report,) = hansproof.score({CUES[0].id: "yes"}, hansproof.generate("planted-cues", count=3, subset="none", seed=5))
    assert [outcome.item for outcome in report.outcomes] == CUES


def test_score_names_a_reply_that_is_not_text_and_a_lack_of_items():
    with pytest.raises(InputError, match="answers: line 1: "):
        hansproof.score({CUES[0].id: {"a": 3}}, CUES)
    with pytest.raises(InputError, match="has no replies"):
        hansproof.score({}, CUES)
    with pytest.raises(InputError, match="no items"):
        hansproof.score({CUES[0].id: "yes"}, [])


def test_a_slice_by_a_list_is_refused_with_its_item():
    with pytest.raises(InputError, match=f"item '{PUZZLE.id}': metadata.names is not a text, a number or a boolean"):
        values_of(PUZZLE, ["names"])


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"seed": 1.0}, r"^generate\(\): seed is 1.0 \(float\); it must be a whole number, or None$"),
        ({"seed": True}, r"seed is True \(bool\); it must be a whole number"),
        ({"count": "3"}, r"count is '3' \(str\); it must be a whole number$"),
        ({"start": 2.5}, r"start is 2.5 \(float\); it must be a whole number$"),
    ],
)
def test_generate_takes_whole_numbers_only(numbers, message):
    with pytest.raises(UsageError, match=message):
        hansproof.generate("planted-cues", **{"count": 1, "seed": 1} | numbers)


@pytest.mark.parametrize("seed", [2**63, -(2**63) - 1])
def test_an_item_of_a_seed_beyond_64_bits_is_refused(seed):
    with pytest.raises(UsageError, match="does not fit into 64 bits"):
        dataset("planted-cues").item("none", seed, 0)


def test_an_argument_that_a_function_does_not_have_is_named_with_the_nearest():
    with pytest.raises(
        UsageError, match=r"^audit\(\) has no argument 'promt'\. Did you mean 'prompt'\? Known: source, "
    ):
        hansproof.audit("bench.csv", promt="text")
    with pytest.raises(UsageError, match=r"^audit\(\): missing a required argument: 'source'$"):
        hansproof.audit()


@pytest.mark.parametrize(
    ("train", "message"),
    [
        ("nowhere.csv", "^nowhere.csv: no such file"),
        ("", "the source is empty"),
        ("file:///etc/passwd", "addresses are not read"),
        (object(), "a builtins.object is not a benchmark"),
    ],
)
def test_a_training_part_is_looked_at_before_the_benchmark_is_read(train, message):
    with pytest.raises(InputError, match=message):
        hansproof.audit([{"text": "too few", "label": "yes"}], train=train)


@pytest.mark.parametrize("address", ["https://[", "file:///etc/passwd", "s3://bucket/rows.csv"])
def test_an_address_is_called_one(address):
    with pytest.raises(InputError, match="addresses are not read, only hf://org/name; download the file and name it"):
        hansproof.audit(address)


def test_a_path_of_6000_characters_is_cut_in_the_message():
    with pytest.raises(InputError) as refused:
        hansproof.audit("a" * 6000)
    assert 200 < len(str(refused.value)) < 400
    assert refused.value.place == "a" * 6000


def test_a_file_that_was_compressed_twice_is_called_so(tmp_path):
    path = tmp_path / "bench.csv.gz"
    path.write_bytes(gzip.compress(gzip.compress(b"text,label\nx,yes\n")))
    with pytest.raises(InputError, match="compressed twice: unpack it once"):
        hansproof.audit(path)
