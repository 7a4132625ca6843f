"""The script of error rates from its command line: run, resume, table, write."""

import importlib
import json
import shutil

import pytest

from hansproof.generators.errors import InputError


@pytest.fixture
def characteristics(scripts, monkeypatch, tmp_path):
    module = importlib.import_module("operating_characteristics")
    for page in ("README.md", "benchmarks/README.md"):
        (tmp_path / page).parent.mkdir(exist_ok=True)
        shutil.copy(module.ROOT / page, tmp_path / page)
    (tmp_path / "docs").mkdir()
    (tmp_path / "benchmarks/error_rates/published").mkdir(parents=True)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


@pytest.fixture
def file(tmp_path):
    # 400 texts without any relation between words and answers.
    words = ["lamp", "river", "stone", "cloud", "glass", "bread", "paper", "wheel", "grass", "smoke"]
    lines = [
        {"prompt": " ".join(words[(i // 10**j) % 10] for j in range(3)) + f" {words[i % 7]}", "answer": "ab"[i % 2]}
        for i in range(400)
    ]
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


QUICK = ["--only", "cue: one word/balanced/kappa 0.4/n 300", "--permutations", "299", "--splits", "2"]


def test_a_run_is_written_resumed_and_shown(characteristics, file, tmp_path, capsys):
    records = tmp_path / "rates.jsonl"
    run = ["run", str(records), "--texts", str(file), *QUICK]
    assert characteristics.main([*run, "--repeats", "1"]) == 0
    first = records.read_text(encoding="utf-8")
    assert characteristics.main([*run, "--repeats", "1"]) == 2
    assert "exists; pass --resume" in capsys.readouterr().err
    assert characteristics.main([*run, "--repeats", "2", "--resume"]) == 0
    header, *lines = map(json.loads, records.read_text(encoding="utf-8").splitlines())
    assert records.read_text(encoding="utf-8").startswith(first)
    assert [line["repeat"] for line in lines] == [0, 1]
    assert header["texts"][0]["items"] == 400
    assert characteristics.main(["table", str(records), "--write"]) == 0
    [row] = [line for line in capsys.readouterr().out.splitlines() if "cue: one word" in line]
    cases = (tmp_path / "benchmarks/error_rates/published/labels-cases.csv").read_text(encoding="utf-8")
    verdicts = {line["verdict"] for line in lines}
    assert verdicts == {"LEAKS"}
    assert row.startswith("cue: one word,balanced,.4,300,texts,2,2,")
    assert row in cases.splitlines()
    assert "2 audits, 0 minutes of one core." in (tmp_path / "benchmarks/README.md").read_text(encoding="utf-8")
    assert (tmp_path / "docs" / "error-rates.svg").exists()
    for page, folder in (("README.md", "docs"), ("benchmarks/README.md", "../docs")):
        assert f'<img src="{folder}/error-rates.svg"' in (tmp_path / page).read_text(encoding="utf-8")


def test_what_not_shown_means_stands_above_each_table_of_aims(characteristics, tmp_path):
    told = "*met*: `yes` where the whole interval lies within the aim, `not shown` where"
    for page, tables in (("README.md", 1), ("benchmarks/README.md", 3)):
        before, *rest = (tmp_path / page).read_text(encoding="utf-8").split("|  | aim | measured |")
        assert len(rest) == tables
        assert all(told in text[-250:] for text in (before, *rest[:-1]))
    characteristics._write("| a table |", "<svg/>")
    assert "only the measured share does.\n\n| a table |" in (tmp_path / "README.md").read_text(encoding="utf-8")
    characteristics._write("", "<svg/>")
    assert told not in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_a_run_on_other_settings_is_not_resumed(characteristics, file, tmp_path, capsys):
    records = tmp_path / "rates.jsonl"
    run = ["run", str(records), "--texts", str(file), *QUICK, "--repeats", "0"]
    assert characteristics.main(run) == 0
    assert characteristics.main([*run, "--resume", "--seed", "2"]) == 2
    assert "comes from another run: seed differ" in capsys.readouterr().err


@pytest.mark.slow
def test_two_processes_find_what_one_finds(characteristics, file, tmp_path):
    verdicts = []
    for jobs in ("1", "2"):
        records = tmp_path / f"{jobs}.jsonl"
        run = ["run", str(records), "--texts", str(file), *QUICK, "--repeats", "2", "--jobs", jobs]
        assert characteristics.main(run) == 0
        lines = [json.loads(line) for line in records.read_text(encoding="utf-8").splitlines()[1:]]
        verdicts.append(sorted((line["repeat"], line["reason"], str(line["vectors"])) for line in lines))
    assert verdicts[0] == verdicts[1]


def test_audits_of_options_have_tables_of_their_own(characteristics, tmp_path, capsys):
    name = "options: golds permuted within items/k = 4/n 300/made: options"
    record = {"scenario": name, "repeat": 0, "verdict": "INCONCLUSIVE", "reason": "", "items": 300, "seconds": 1.0,
              "vectors": {}}  # fmt: skip
    path = tmp_path / "options.jsonl"
    texts = [{"name": "some", "sha256": "", "items": 400, "grouped": False, "options": 4}]
    path.write_text("\n".join([json.dumps({"texts": texts, "seed": 1, "settings": {}}), json.dumps(record), ""]))
    before = {page: (tmp_path / page).read_text(encoding="utf-8") for page in ("README.md", "benchmarks/README.md")}
    assert characteristics.main(["table", str(path), "--write"]) == 0
    line = "| options: false alarms, golds permuted within items | <= 2 % | 0 | 0.0 to 97.5 | 1 | not shown |"
    assert line in capsys.readouterr().out
    after = (tmp_path / "benchmarks/README.md").read_text(encoding="utf-8")
    assert (
        "where only the measured share does" in after.split("<!-- option error rates: begin -->")[1].split("| aim |")[0]
    )
    assert line in after.split("<!-- option error rates: begin -->")[1].split("<!-- option error rates: end -->")[0]
    assert (
        after.split("<!-- option error rates: begin -->")[0]
        == before["benchmarks/README.md"].split("<!-- option error rates: begin -->")[0]
    )
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == before["README.md"]


def test_only_the_part_between_the_markers_changes(characteristics, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- x: begin -->\nold\n<!-- x: end -->\nafter\n", encoding="utf-8")
    characteristics.insert_between(page, "x", "new\n")
    assert page.read_text(encoding="utf-8") == "before\n<!-- x: begin -->\nnew\n<!-- x: end -->\nafter\n"
    with pytest.raises(InputError, match="needs the markers <!-- y: begin -->"):
        characteristics.insert_between(page, "y", "new")
