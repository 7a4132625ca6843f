"""Published shortcut results beside ours: a toy case, cue words counted by hand, and the page on real files."""

import importlib
import json
from pathlib import Path

import numpy as np
import pytest

from hansproof.audit.shortcuts.single_ngrams import survey_ngrams
from hansproof.audit.texts.feature_table import FeatureTable

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TOY = """
[sources]
us = "Us 2026"

[[cases]]
title = "Colours"
file = "colours.jsonl"
kept = "here; licence: MIT"
source = "us"
said = "the hypothesis alone gives all away"
words = ["LEAKS"]
part = { prompt = "hypothesis", answer = "label" }
numbers = [
    { measure = "gain", published = 0.5, accept = [0.45, 0.5] },
    { measure = "accuracy", published = 0.9, accept = [0.85, 0.95] },
    { measure = "kappa", published = "above .20", accept = [0.2, 1.0] },
]
why = "The toy is too easy."

[[cases]]
title = "Warrants"
file = "warrants.jsonl"
ids = [1, 3]
kept = "here; licence: MIT"
source = "us"
said = "three items say nothing"
words = ["CLEAN"]
numbers = [
    { measure = "productivity", cue = "not", published = 0.5, accept = [0.49, 0.51] },
    { measure = "coverage", cue = "not", published = 0.66, accept = [0.65, 0.68] },
]

[[cases]]
title = "Elsewhere"
file = "elsewhere.csv"
kept = "there; licence: not stated"
source = "us"
said = "nobody has it"
words = ["CLEAN"]
"""


@pytest.fixture
def known_cases(scripts, monkeypatch):
    module = importlib.import_module("known_cases")
    monkeypatch.setattr(module, "SEEDS", range(1, 3))
    return module


def rows_of(page, title):
    return [line for line in page.splitlines() if line.startswith(f"| {title} |")]


@pytest.fixture
def toy(tmp_path):
    """A folder with two of the toy's three files, one of them deeper, and the toy's cases beside it."""
    deeper = tmp_path / "data" / "deeper"
    deeper.mkdir(parents=True)
    random = np.random.default_rng(5)
    words = ["bag", "cup", "hat", "jar", "key", "lid", "mat", "net", "pan", "rug", "sack", "tub", "urn", "vase"]
    said = [" ".join(random.permutation([*random.choice(words, 6), ("blue", "red")[i % 2]])) for i in range(80)]
    colours = [{"premise": f"A lamp no. {i}.", "hypothesis": said[i], "label": "yn"[i % 2]} for i in range(80)]
    (deeper / "colours.jsonl").write_text("".join(json.dumps(row) + "\n" for row in colours), encoding="utf-8")
    pairs = [
        ("Dogs do not bark.", "Dogs bark."),
        ("Not a lamp.", "A lamp."),
        ("It is not.", "Is it not?"),
        ("No.", "Yes."),
    ]
    warrants = [{"id": i + 1, "question": f"{i}?", "choices": pair, "answer": i % 2} for i, pair in enumerate(pairs)]
    (tmp_path / "data" / "warrants.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in warrants), encoding="utf-8"
    )
    cases = tmp_path / "cases.toml"
    cases.write_text(TOY, encoding="utf-8")
    return tmp_path


def test_a_toy_becomes_a_page_that_says_what_agrees_what_differs_and_what_is_missing(known_cases, toy):
    arguments = ["--data", str(toy / "data"), "--cases", str(toy / "cases.toml"), "--out", str(toy / "page.md")]
    assert known_cases.main([*arguments, "--workers", "1"]) == 0
    page = (toy / "page.md").read_text(encoding="utf-8")
    assert str(toy) not in page
    verdict, gain, accuracy, mean, file = rows_of(page, "Colours")
    assert verdict.startswith("| Colours | the hypothesis alone gives all away | LEAKS | 80 | LEAKS | 1.00 [")
    assert verdict.endswith("| yes |")
    assert gain.startswith("| Colours | gain | +50.0 | +45.0 to +50.0 | +50.0; kappa 1.00 [")
    assert gain.endswith("| yes |")
    assert accuracy.startswith("| Colours | accuracy | 90.0 % | 85.0 % to 95.0 % | 100.0 %;")
    assert accuracy.endswith("| no |")
    assert mean == "| Colours | kappa | above .20 | .20 to 1.00 | .94 ± .09 | yes |"
    assert file == "| Colours | `colours.jsonl` | here; licence: MIT | Us 2026 |"
    # Items 1 to 3: in the first two one option has "not", and it is the right one in the first.
    verdict, productivity, coverage, _ = rows_of(page, "Warrants")
    assert verdict == "| Warrants | three items say nothing | CLEAN | 3 | NOT ASSESSED |  | no |"
    assert productivity == "| Warrants | productivity of *not* | 50.0 % | 49.0 % to 51.0 % | 50.0 % [9.5, 90.5] | yes |"
    assert coverage == "| Warrants | coverage of *not* | 66.0 % | 65.0 % to 68.0 % | 66.7 % (2 of 3) | yes |"
    assert (
        "Files were there for 2 of 3 cases. The verdict agrees in 1 and is undecided in 0 of these;\n4 of 5 numbers"
        in page
    )
    assert "*Why:* The toy is too easy." in page
    assert "- **Elsewhere**: nobody has it." in page


def test_what_cannot_be_used_is_said_in_one_line_and_no_page_is_written(known_cases, toy, capsys):
    out = toy / "page.md"
    assert known_cases.main(["--data", str(toy / "nowhere"), "--out", str(out)]) == 2
    assert capsys.readouterr().err == f"error: {toy / 'nowhere'}: no such folder\n"
    (toy / "data" / "elsewhere.csv").write_text("riddle\nwhat?\n", encoding="utf-8")
    cases = TOY[TOY.index('\n[[cases]]\ntitle = "Elsewhere"') :]
    (toy / "cases.toml").write_text('[sources]\nus = "Us 2026"\n' + cases, encoding="utf-8")
    assert known_cases.main(["--data", str(toy / "data"), "--cases", str(toy / "cases.toml"), "--out", str(out)]) == 2
    assert "error: " in capsys.readouterr().err
    assert not out.exists()


def test_a_cue_is_counted_as_the_audit_counts_it(known_cases):
    # 80 pairs: "not" in the right option alone in 40, in the wrong one alone in 10, in both in 20, in none in 10.
    kinds = ["right"] * 40 + ["wrong"] * 10 + ["both"] * 20 + ["none"] * 10
    pairs = [
        (
            f"It does{' not' if kind in ('right', 'both') else ''} rain",
            f"It does{' NOT' if kind in ('wrong', 'both') else ''} snow",
        )
        for kind in kinds
    ]
    gold = [n % 2 for n in range(80)]
    options = [pair[:: -1 if right else 1] for pair, right in zip(pairs, gold, strict=True)]
    assert known_cases.cue("not", options, gold) == (50, 40)
    texts = [text for pair in options for text in pair]
    right = np.array([place == right for right in gold for place in (0, 1)], dtype=np.int64)
    table = FeatureTable.build(texts, levels=["word"], dense=())
    survey = survey_ngrams(table, right, ["wrong", "right"], np.repeat(np.arange(80), 2))
    [ours] = [test for test in survey.worst if test.ngram == "not"]
    assert (ours.label, ours.applicability, ours.productivity, ours.coverage) == ("right", 50, 40 / 50, 50 / 80)


def test_each_case_has_a_citation_and_accepts_what_was_published(known_cases):
    sources, cases = known_cases.read_cases()
    assert {case.source for case in cases} == set(sources)
    assert len({case.title for case in cases}) == len(cases) >= 12
    for case in cases:
        assert "INCONCLUSIVE" not in case.words
        for number in case.numbers:
            assert (number.cue != "") == (number.measure in ("productivity", "coverage"))
            if not isinstance(number.published, str):
                assert number.accept[0] <= number.published <= number.accept[1], case.title


def test_the_page_lists_the_cases_as_they_stand(known_cases):
    sources, cases = known_cases.read_cases()
    page = known_cases.PAGE.read_text(encoding="utf-8")
    for case in cases:
        [row] = [row for row in rows_of(page, case.title) if f"`{case.file}`" in row]
        assert row == f"| {case.title} | `{case.file}` | {case.kept} | {sources[case.source]} |"
        verdicts = [row for row in rows_of(page, case.title) if f" | {case.said} | {' or '.join(case.words)} | " in row]
        assert len(verdicts) == 1 or f"- **{case.title}**: {case.said}." in page


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="third-party benchmarks are not part of the project")
@pytest.mark.parametrize(
    "title", ["COPA", "Balanced COPA", "Commonsense QA 2.0", "Causal Judgment", "Moral Permissibility"]
)
def test_the_page_has_the_numbers_that_the_script_measures(scripts, title):
    script = importlib.import_module("known_cases")
    sources, cases = script.read_cases()
    [case] = [case for case in cases if case.title == title]
    path = next(iter(sorted(DATA.rglob(case.file))), None)
    if path is None:
        pytest.skip(f"no {case.file}")
    ours = rows_of(script.page(cases, sources, {title: script.measure(case, path)}), title)
    assert ours == rows_of(script.PAGE.read_text(encoding="utf-8"), title)
