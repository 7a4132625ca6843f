"""`analyse --by items`, its CSV in `harden --drop`, and `hansproof.items`."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.errors import InputError


def run(*arguments, width="80"):
    return CliRunner(env={"COLUMNS": width}).invoke(command_line(), [*arguments])


@pytest.fixture
def quiz(tmp_path, monkeypatch):
    """60 items of four options by 16 models; the gold of q0 and q1 is wrong."""
    monkeypatch.chdir(tmp_path)
    draw = np.random.default_rng(0)
    truth = draw.integers(0, 4, 60)
    p = 1 / (1 + np.exp(-(np.linspace(-1, 3, 16) + draw.normal(0.3, 0.8, 60)[:, None])))
    said = np.where(draw.random((60, 16)) < p, truth[:, None], (truth[:, None] + draw.integers(1, 4, (60, 16))) % 4)
    said[:2, 4:] = truth[:2, None]
    gold = np.r_[(truth[:2] + 1) % 4, truth[2:]]
    words = ["".join(draw.choice(list("abcdefghijklmnop"), 7)) for _ in range(900)]
    items = [
        {"id": f"q{at}", "question": " ".join(words[12 * at : 12 * at + 8]) + "?",
         "choices": words[12 * at + 8 : 12 * at + 12], "answer": "ABCD"[gold[at]]}
        for at in range(60)
    ]  # fmt: skip
    Path("quiz.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
    replies = [
        {"id": f"q{at}", "model": f"m{model}", "reply": "ABCD"[said[at, model]]}
        for model in range(16)
        for at in range(60)
    ]
    Path("replies.jsonl").write_text("".join(json.dumps(each) + "\n" for each in replies), encoding="utf-8")
    return items


def test_the_screen_has_the_numbers_and_the_worst_items_in_forty_lines(quiz):
    done = run("analyse", "replies.jsonl", "--by", "items", "--items", "quiz.jsonl", "--no-audit")
    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 80
    for text in ("60, answered by 16 models", "Reliability", "KR-20", "Detectable", "The worst items"):
        assert text in done.stdout
    first = next(line for line in lines if line.startswith("q"))
    assert first.startswith(("q0 ", "q1 "))
    assert "wrong gold" in first


def test_the_csv_is_sorted_and_harden_leaves_out_what_it_flags(quiz):
    done = run("analyse", "replies.jsonl", "--by", "items", "--items", "quiz.jsonl", "--no-audit", "--csv", "items.csv")
    assert done.exit_code == 0, done.stderr
    rows = list(csv.DictReader(Path("items.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 60
    assert {row["id"] for row in rows[:2]} == {"q0", "q1"}
    assert list(rows[0])[:3] == ["id", "flags", "reasons"]
    flagged = {row["id"]: row["reasons"] for row in rows if row["flags"]}
    done = run("harden", "quiz.jsonl", "--drop", "items.csv", "--out", "left.jsonl", "--removed", "removed.jsonl",
               "--json", "h.json", "--splits", "1", "--permutations", "20")  # fmt: skip
    assert done.exit_code == 0, done.stderr
    assert f"{len(flagged)} further item" in done.stdout
    left = [json.loads(line)["id"] for line in Path("left.jsonl").read_text(encoding="utf-8").splitlines()]
    assert left == [item["id"] for item in quiz if item["id"] not in flagged]
    removed = [json.loads(line) for line in Path("removed.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["id"]: row["why"] for row in removed if row["part"] == "dropped"} == flagged
    assert json.loads(Path("h.json").read_text(encoding="utf-8"))["dropped"] == len(flagged)


def test_a_list_of_other_items_or_without_ids_is_refused(quiz):
    Path("other.csv").write_text("id\nz1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"no item is called 'z1'\. The first item is 'q0'"):
        hansproof.harden("quiz.jsonl", drop="other.csv")
    Path("bare.csv").write_text("name\nz1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"bare.csv: line 2: has no column id: name the items to drop"):
        hansproof.harden("quiz.jsonl", drop="bare.csv")
    done = run("harden", "quiz.jsonl", "--drop", "other.csv", "--out", "other.csv", "--force")
    assert (done.exit_code, Path("other.csv").read_text(encoding="utf-8")) == (2, "id\nz1\n")


def test_a_list_is_of_one_benchmark_and_its_ids_may_look_like_formulas(quiz):
    Path("two.csv").write_text("id,benchmark\nq1,quiz\nq2,other\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"two.csv: is about several benchmarks \(quiz; other\); keep the rows of one"):
        hansproof.harden("quiz.jsonl", drop="two.csv")
    Path("half.csv").write_text("id\nq1\nz1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"half.csv: no item is called 'z1'\. "):
        hansproof.harden("quiz.jsonl", drop="half.csv")
    for name in ("quiz.jsonl", "replies.jsonl"):
        text = Path(name).read_text(encoding="utf-8")
        Path(name).write_text(text.replace('"id": "q', '"id": "=1+'), encoding="utf-8")
    run("analyse", "replies.jsonl", "--by", "items", "--items", "quiz.jsonl", "--no-audit", "--csv", "items.csv")
    left = hansproof.harden("quiz.jsonl", drop="items.csv", splits=1, permutations=20)
    assert {each.id for each in left.removed if each.part == "dropped"} >= {"=1+0", "=1+1"}


def test_python_gives_a_frame_and_an_audit_says_what_the_probe_says(quiz):
    study = hansproof.items("replies.jsonl", "quiz.jsonl", splits=1, permutations=20)
    frame = study.to_frame()
    assert len(frame) == 60
    assert set(frame["probe"]) <= {"gold", "common wrong", "other"}
    assert study.benchmarks[0].audit in ("CLEAN", "INCONCLUSIVE")
    assert "wrong gold 2" in study.headline()
    assert "<table" in study.page()
    assert study.to_dict()["benchmarks"][0]["items"] == 60


def test_a_shared_cue_is_no_wrong_gold():
    from hansproof.audit.models.items import ItemNumbers, _flags

    item = ItemNumbers(
        id="a", flags=[], reasons=[], gold="no", models=20, right=0.1, discrimination=-0.3, difficulty=2.0, slope=-0.1,
        slope_low=-0.5, slope_high=0.3, wrong_gold=0.95, ambiguous=0.01, suspected="yes", common_wrong="yes",
        common_wrong_share=0.9, probe="common wrong", probe_probability=0.1, copy_of="",
    )  # fmt: skip
    assert list(_flags(item, leaks=False, many=True)) == ["wrong gold"]
    assert list(_flags(item, leaks=True, many=True)) == ["cue misleads"]
