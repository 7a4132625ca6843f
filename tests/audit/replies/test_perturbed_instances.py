"""HELM asks an instance as it is and perturbed, under one id: matched items of several conditions."""

import made_logs
import numpy as np
import pytest
from scipy.stats import binomtest

from hansproof import score
from hansproof.audit.replies.foreign_items import items_of_replies
from hansproof.audit.replies.reply_files import read_replies
from hansproof.audit.report.study_reading import notes_of_all

ITEMS = 40
TYPOS = {"name": "typos", "prob": 0.05, "robustness": True, "fairness": False, "computed_on": "worst", "seed": None}
DIALECT = {"name": "dialect", "robustness": False, "fairness": True, "computed_on": "worst", "seed": None}
HITS = {
    "": [n % 4 != 0 for n in range(ITEMS)],
    "typos": [n % 2 == 1 for n in range(ITEMS)],
    "dialect": [n % 5 < 3 for n in range(ITEMS)],
}


def run(folder, perturbations=(None, TYPOS, DIALECT)):
    states, stats = [], []
    for number in range(ITEMS):
        for perturbation in perturbations:
            called = perturbation["name"] if perturbation else ""
            right = HITS[called][number]
            asked = (
                f"Is clue {number * 13 % 97} right?" if not called else f"is {called} clue {number * 13 % 97} rihgt?"
            )
            state = made_logs.helm_state((f"id{number}", asked, "yes", "yes" if right else "no", right))
            stat = {"instance_id": f"id{number}", "train_trial_index": 0,
                    "stats": [{"name": {"name": "exact_match"}, "mean": float(right)}]}  # fmt: skip
            if perturbation:
                state["instance"]["perturbation"] = stat["perturbation"] = perturbation
            states.append(state)
            stats.append(stat)
    return made_logs.helm_run(folder, states, stats)


def test_a_perturbed_instance_is_an_item_of_its_own_matched_with_the_original(tmp_path):
    items = items_of_replies(list(read_replies(run(tmp_path / "run"))))
    assert [(item.id, item.condition, item.group) for item in items[:4]] == [
        ("id0", "original", "id0"), ("id0 (dialect)", "dialect", "id0"), ("id0 (typos)", "typos", "id0"),
        ("id1", "original", "id1"),
    ]  # fmt: skip
    assert len(items) == 3 * ITEMS
    assert not any("perturbed" in item.prompt for item in items)


@pytest.mark.parametrize("judged", ["reply", "harness"])
def test_effects_of_perturbations_are_those_of_the_two_verdicts(tmp_path, judged):
    (report,) = score(run(tmp_path / "run"), judged=judged, groups="none")
    assert (report.style, report.lines[0].items, report.lines[0].missing) == ("", 120, 0)
    assert report.lines[0].right.hits == sum(map(sum, HITS.values()))
    by_condition = {line.name: line.right.hits for line in report.lines if line.by == "condition"}
    assert by_condition == {"original": 30, "typos": 20, "dialect": 24}
    assert [(each.first, each.second) for each in report.effects] == [
        ("original", "dialect"), ("original", "typos"),
    ]  # fmt: skip
    before = np.array(HITS[""])
    for effect in report.effects:
        after = np.array(HITS[effect.second])
        lost, gained = int((before & ~after).sum()), int((~before & after).sum())
        assert (effect.difference.a_only, effect.difference.b_only) == (lost, gained)
        assert effect.difference.difference == pytest.approx((lost - gained) / ITEMS)
        assert effect.difference.p == pytest.approx(binomtest(lost, lost + gained).pvalue)


def test_items_and_their_perturbed_forms_count_together(tmp_path):
    joined = score(run(tmp_path / "run")).joined
    groups = joined.grid.groups()
    ids = [item.id.partition(" ")[0] for item in joined.grid.items]
    for id in set(ids):
        assert len({group for own, group in zip(ids, groups.tolist(), strict=True) if own == id}) == 1


def test_a_run_with_perturbations_does_not_stop_the_others_of_a_suite(tmp_path):
    run(tmp_path / "a")
    plain = run(tmp_path / "b", (None,))
    spec = (plain / "run_spec.json").read_text().replace("openai_gpt-x", "other")
    (plain / "run_spec.json").write_text(spec)
    state = plain / "scenario_state.json"
    state.write_text(state.read_text().replace("openai/gpt-x", "other"))
    reports = score(tmp_path)
    assert [(report.model, report.lines[0].items, report.lines[0].missing) for report in reports] == [
        ("openai/gpt-x", 120, 0), ("other", 40, 0),
    ]  # fmt: skip


def test_a_benchmark_without_perturbed_items_has_their_replies_in_styles(tmp_path):
    folder = run(tmp_path / "run", (None, TYPOS))
    plain = run(tmp_path / "plain", (None,))
    items = items_of_replies(list(read_replies(plain)))
    reports = score(folder, items)
    assert [(report.style, report.lines[0].right.hits) for report in reports] == [("", 30), ("typos", 20)]
    assert not any("belong to no item" in note for note in notes_of_all(reports, reports.joined))
    # With the perturbed items among them there is one style.
    every = items_of_replies(list(read_replies(folder)))
    assert [report.lines[0].items for report in score(folder, every)] == [80]
