"""Hypotheses about the matched items of any benchmark: against the same tests by pandas, SciPy and statsmodels."""

import csv
import json
import random
from itertools import product
from math import sqrt
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.stats import binomtest, norm
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

import hansproof
from hansproof.command_line import command_line
from hansproof.generators.errors import UsageError

RECORDED = Path(__file__).resolve().parents[5] / "shared" / "data" / "responses" / "token_bias"
NAMED = ("--items", "items.jsonl", "--group", "pair", "--condition", "condition", "--subset", "subset")
ROLES = {"group": "pair", "condition": "condition", "subset": "subset"}
CONDITIONS = ("gold", "random", "swapped")
MODELS = {"ada": (0.8, 0.5, 0.8), "bob": (0.4, 0.9, 0.3), "eve": (0.6, 0.6, 0.6)}
STYLES = ("direct", "hint")


def lines(path, records):
    Path(path).write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")


@pytest.fixture
def there(tmp_path, monkeypatch):
    """Two subsets of 40 and 12 triples; three models in two styles, which lack some replies and are unclear in some."""
    monkeypatch.chdir(tmp_path)
    rng = random.Random(5)
    items, replies = [], []
    for subset, pairs in (("long", 40), ("short", 12)):
        for pair, condition in product(range(pairs), CONDITIONS):
            gold = rng.choice(("yes", "no"))
            id_ = f"{subset}-{pair}-{condition}"
            prompt = f"Is the {condition} claim {pair} of {subset} stories true?"
            items.append({"id": id_, "prompt": prompt, "answer": gold, "pair": f"{subset}-{pair}",
                          "condition": condition, "subset": subset})  # fmt: skip
            for (model, rates), style in product(MODELS.items(), STYLES):
                right = rng.random() < rates[CONDITIONS.index(condition)] + 0.15 * (style == "hint")
                said = gold if right else {"yes": "no", "no": "yes"}[gold]
                kind = rng.random()
                if kind > 0.05:
                    replies.append({"id": id_, "model": model, "style": style, "correct": int(right and kind > 0.1),
                                    "reply": said if kind > 0.1 else "Perhaps."})  # fmt: skip
    lines("items.jsonl", items)
    lines("replies.jsonl", replies)
    return pd.DataFrame(items), pd.DataFrame(replies)


def run(*words):
    return CliRunner(env={"COLUMNS": "160"}).invoke(
        command_line(), ["analyse", "replies.jsonl", "--by", "hypotheses", *words]
    )


def second_way(before, after, expect):
    """n12, n21, z and p of one test, and which distribution p is of."""
    n12, n21 = int((before & ~after).sum()), int((~before & after).sum())
    if not n12 + n21:
        return n12, n21, None, None, ""
    z = (n21 - n12) / sqrt(n12 + n21)
    if n12 + n21 <= 10:
        side = {"either": "two-sided", "perturbed": "greater", "original": "less"}[expect]
        return n12, n21, z, binomtest(n21, n12 + n21, 0.5, side).pvalue, "exact"
    tail = {"either": 2 * norm.sf(abs(z)), "perturbed": norm.sf(z), "original": norm.cdf(z)}[expect]
    return n12, n21, z, float(tail), "normal"


def check(tests, items, graded, expect, pairs_of):
    """Every test is that of the grades in `graded`, and there are no others; p are corrected per hypothesis."""
    expected = {}
    for subset, model, *change, before, after in pairs_of(graded.merge(items[["id", *ROLES.values()]], on="id")):
        if len(before):
            expected[subset, model, *change] = len(before), *second_way(before == 1, after == 1, expect)
    made = {}
    for each in tests:
        name = each["hypothesis"].partition(":")[0], each["model"], each["style"], each["before"], each["after"]
        made[name] = each["pairs"], each["before_only"], each["after_only"], each["z"], each["p"], each["method"]
    assert made.keys() == expected.keys()
    for name, (pairs, n12, n21, z, p, method) in expected.items():
        assert made[name][:3] == (pairs, n12, n21), name
        assert made[name][5] == method
        assert made[name][3:5] == (None if z is None else pytest.approx(z), None if p is None else pytest.approx(p))
    for hypothesis in {each["hypothesis"] for each in tests}:
        same = [each for each in tests if each["hypothesis"] == hypothesis and each["p"] is not None]
        if same:
            corrected = multipletests([each["p"] for each in same], method="fdr_bh")[1]
            assert [each["p_bh_all"] for each in same] == pytest.approx(corrected)
        for style in {each["style"] for each in same}:
            one_style = [each for each in same if each["style"] == style]
            corrected = multipletests([each["p"] for each in one_style], method="fdr_bh")[1]
            assert [each["p_bh"] for each in one_style] == pytest.approx(corrected)


def by_condition(original):
    def pairs_of(rows):
        for (subset, model, style), part in rows.groupby(["subset", "model", "style"]):
            wide = part.pivot_table(index="pair", columns="condition", values="correct", aggfunc="first")
            for condition in wide.columns.drop(original, errors="ignore"):
                if original in wide:
                    both = wide[[original, condition]].dropna()
                    yield subset, model, style, original, condition, both[original], both[condition]

    return pairs_of


def by_style(rows):
    for (subset, model), part in rows[rows.condition == "gold"].groupby(["subset", "model"]):
        both = part.pivot_table(index="id", columns="style", values="correct", aggfunc="first").dropna()
        yield subset, model, "", "direct", "hint", both["direct"], both["hint"]


@pytest.mark.parametrize("expect", ["either", "perturbed", "original"])
@pytest.mark.parametrize("judged", ["reply", "harness"])
def test_each_subset_and_condition_is_a_hypothesis_and_its_numbers_are_those_of_the_second_way(there, expect, judged):
    items, replies = there
    done = run(*NAMED, "--original", "gold", "--expect", expect, "--judged", judged, "--json")
    assert done.exit_code == 0, done.stderr
    record = json.loads(done.stdout)
    names = [f"{subset}: {condition}" for subset in ("long", "short") for condition in ("random", "swapped")]
    assert [each["name"] for each in record["hypotheses"]] == names
    assert len(record["tests"]) == 4 * len(MODELS) * len(STYLES)
    assert {each["method"] for each in record["tests"]} == {"exact", "normal"}
    check(record["tests"], items, replies, expect, by_condition("gold"))


def test_two_sided_tests_are_those_of_mcnemar_in_statsmodels(there):
    for each in json.loads(run(*NAMED, "--original", "gold", "--json").stdout)["tests"]:
        table = [[each["both"], each["before_only"]], [each["after_only"], each["neither"]]]
        other = mcnemar(table, exact=each["method"] == "exact", correction=False)
        assert each["p"] == pytest.approx(other.pvalue)


def test_prompt_styles_are_compared_on_the_original_items(there):
    items, replies = there
    words = (*NAMED, "--original", "gold", "--original-style", "direct", "--expect", "perturbed")
    done = run(*words, "--json", "--csv", "tests.csv", "--html", "tests.html", "--figure", "bars.svg")
    assert done.exit_code == 0, done.stderr
    record = json.loads(done.stdout)
    assert [each["name"] for each in record["hypotheses"]] == ["long: hint", "short: hint"]
    check(record["tests"], items, replies, "perturbed", by_style)
    rows = list(csv.DictReader(Path("tests.csv").read_text(encoding="utf-8").splitlines()))
    assert [(row["model"], row["before"], row["after"]) for row in rows] == [
        (model, "direct", "hint") for _ in range(2) for model in MODELS
    ]
    assert "long: hint" in Path("tests.html").read_text(encoding="utf-8")
    assert Path("bars.svg").read_text(encoding="utf-8").count('class="before"/>') == 6
    wrong = run(*NAMED, "--original-style", "dirct").stderr
    assert "--original-style has no style 'dirct'. Did you mean 'direct'" in wrong


def test_a_script_has_the_tests_of_the_command(there):
    report = hansproof.hypotheses(
        "replies.jsonl", "items.jsonl", item_columns=ROLES, original="gold", expect="original", names=["short: random"]
    )
    shown = run(*NAMED, "--original", "gold", "--expect", "original", "--hypothesis", "short: random", "--json")
    assert [each.p for each in report.tests] == [each["p"] for each in json.loads(shown.stdout)["tests"]]
    with pytest.raises(UsageError, match="there is no expectation 'better'"):
        hansproof.hypotheses("replies.jsonl", "items.jsonl", item_columns=ROLES, expect="better")
    with pytest.raises(UsageError, match=r"has no hypothesis 'short: randm'\. Did you mean 'short: random'"):
        hansproof.hypotheses("replies.jsonl", "items.jsonl", item_columns=ROLES, names=["short: randm"])


def test_without_a_discordant_pair_or_a_clear_reply_there_is_no_p_and_the_reason_is_said(there):
    _, replies = there
    replies = replies[(replies["style"] == "direct") & replies["model"].isin(["ada", "bob"])].copy()
    golds = dict(there[0][["id", "answer"]].to_numpy())
    replies.loc[replies["model"] == "ada", "reply"] = replies["id"].map(golds)
    replies.loc[(replies["model"] == "bob") & replies["id"].str.contains("gold"), "reply"] = "Perhaps."
    lines("replies.jsonl", replies.to_dict("records"))
    done = run(*NAMED, "--original", "gold", "--json", "--html", "tests.html")
    for each in json.loads(done.stdout)["tests"]:
        assert each["pairs"] > 0
        assert [each[name] for name in ("p", "p_exact", "p_bh", "p_bh_all", "p_clusters")] == [None] * 5
        assert each["supported"] is False
        assert each["note"] == {
            "ada": "no pair is right on one side only", "bob": "no pair has a clear reply to both",
        }[each["model"]]  # fmt: skip
    # The grades of the log are clear to those who gave them.
    graded = json.loads(run(*NAMED, "--original", "gold", "--judged", "harness", "--json").stdout)["tests"]
    assert all(each["p"] is not None for each in graded)
    shown = run(*NAMED, "--original", "gold").stdout
    assert "<.001" not in shown
    for reason in ("no pair is right on one side only", "no pair has a clear reply to both"):
        assert f"p undefined, {reason}: " in shown
        assert f"p undefined, {reason}: " in Path("tests.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("judged", ["reply", "harness"])
@pytest.mark.parametrize("opened", [False, True], ids=["one gold", "open golds"])
def test_items_that_no_audit_could_take_are_compared_and_tested_as_all_others(tmp_path, monkeypatch, opened, judged):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(3)
    items, replies = [], []
    for pair, condition in product(range(40), ("original", "changed")):
        gold = f"Whoever {pair} times saw {rng.random():.6f} birds went home {condition}." if opened else "No"
        id_ = f"{pair}-{condition}"
        items.append({"id": id_, "prompt": f"What of {pair}, {condition}?", "answer": gold, "pair": f"p{pair}",
                      "condition": condition})  # fmt: skip
        for model, share in (("ada", 0.9), ("bob", 0.5)):
            right = rng.random() < share - 0.3 * (condition == "changed")
            said = gold if right else "It was another day altogether." if opened else "Yes"
            replies.append({"id": id_, "model": model, "reply": said, "correct": int(right)})
    lines("items.jsonl", items)
    lines("replies.jsonl", replies)
    graded = pd.DataFrame(replies).merge(pd.DataFrame(items)[["id", "pair", "condition"]], on="id")
    wide = graded.pivot_table(index=["pair", "condition"], columns="model", values="correct")
    apart = hansproof.compare("replies.jsonl", items="items.jsonl", judged=judged).whole.difference
    only = int((wide["ada"] > wide["bob"]).sum()), int((wide["ada"] < wide["bob"]).sum())
    assert (apart.a_only, apart.b_only, apart.mcnemar_p) == (*only, pytest.approx(binomtest(only[0], sum(only)).pvalue))
    columns = {"group": "pair", "condition": "condition"}
    reports = hansproof.score("replies.jsonl", "items.jsonl", item_columns=columns, judged=judged)
    tests = hansproof.hypotheses("replies.jsonl", "items.jsonl", item_columns=columns, judged=judged).tests
    for report, test in zip(reports, tests, strict=True):
        own = wide[report.model].unstack("condition")
        counts = int((own["original"] > own["changed"]).sum()), int((own["original"] < own["changed"]).sum())
        p = pytest.approx(binomtest(counts[0], sum(counts)).pvalue)
        (effect,) = [effect.difference for effect in report.effects]
        assert (effect.a_only, effect.b_only, effect.p) == (*counts, p)
        assert (test.model, test.before_only, test.after_only, test.p_exact) == (report.model, *counts, p)


def test_what_cannot_be_tested_is_one_line(there):
    done = run("--items", "items.jsonl")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "there is nothing to test: no item says its condition. Name two columns of the items" in done.stderr
    lines("items.jsonl", there[0][there[0]["condition"] == "gold"].to_dict("records"))
    done = run(*NAMED)
    assert "there is nothing to test: all items have the condition 'gold'" in done.stderr.splitlines()[-1]


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded replies are not here")
@pytest.mark.parametrize("expect", ["either", "perturbed"])
def test_recorded_replies_have_the_tests_of_their_grades(expect):
    items = pd.read_json(RECORDED / "items.jsonl", lines=True)
    replies = pd.read_json(RECORDED / "replies.jsonl", lines=True)
    words = ["analyse", str(RECORDED / "replies.jsonl"), "--items", str(RECORDED / "items.jsonl"), *NAMED[2:]]
    more = ("--by", "hypotheses", "--judged", "harness", "--expect", expect, "--json")
    done = CliRunner().invoke(command_line(), [*words, *more])
    record = json.loads(done.stdout)
    assert len(record["hypotheses"]) == 11
    check(record["tests"], items, replies, expect, by_condition("gold"))
