"""Joined answers as records: every count adds up, shares are those of counting, and effects those of the scores."""

import json

import numpy as np
import pytest

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.hypotheses import asked_hypotheses, examine_hypotheses
from hansproof.audit.models.scores import report_joined
from hansproof.audit.models.study import answered
from hansproof.audit.replies.joining import join
from hansproof.audit.result.record import json_bytes
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset


def item(index, subset="s", answer="yes", group=None):
    data = {"dataset": "toy", "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c"}
    prompt = f"Is the {subset} number {index} so?"
    return Item(f"{subset}/{index}", prompt, ("yes", "no"), answer, group or f"{subset}{index}", "base", data)


ITEMS = [*(item(index) for index in range(8)), *(item(index, "t") for index in range(4)), item(9, "t", None)]


def said(id, reply, model="m", **more):
    return Reply(place=f"f: line {id}", id=id, reply=reply, model=model, **more)


def made():
    replies = [said(f"s/{index}", "yes" if index < 5 else "no", judged=index < 4) for index in range(8)]
    replies += [said("t/0", "yes and no"), said("t/1", "yes"), said("s/0", "no"), said("nobody", "yes")]
    return join([*replies, *(said(f"s/{index}", "no", "n", style="cot") for index in range(8))], ITEMS)


def test_the_counts_of_a_model_add_up_to_what_it_was_asked():
    first, second = answered(made()).series
    assert (first.asked, first.right, first.wrong, first.unclear, first.missing, first.not_applicable) == (
        (13, 6, 3, 1, 2, 1)
    )
    assert first.not_asked == {}
    assert (second.title, second.asked, second.wrong, second.not_asked) == ("n, cot", 8, 8, {"t": 5})


def test_shares_are_of_items_that_were_asked_and_can_be_right():
    first, second = answered(made()).series
    shares = [(each.subset, each.right, each.items, each.share, each.chance) for each in first.accuracies]
    assert shares == [("", 6, 12, 0.5, 0.5), ("s", 5, 8, 5 / 8, 0.5), ("t", 1, 4, 0.25, 0.5)]
    assert [each.subset for each in second.accuracies] == ["", "s"]
    # Wilson (1927): 5 of 8
    p, n, z = 5 / 8, 8, 1.959964
    half = z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    whole = first.accuracies[1]
    assert (whole.low, whole.high) == pytest.approx((centre - half, centre + half), abs=1e-6)


def test_what_was_left_out_is_told_with_its_place():
    part = answered(made())
    assert (part.read.replies, part.read.unmatched.count, part.read.doubled.count) == (20, 1, 1)
    assert str(part.read.doubled.first[0]).startswith("f: line s/0: another reply")
    assert (part.series[0].verdicts, part.series[0].agreed, part.read.disagreements.count) == (8, 7, 1)
    assert part.series[1].kappa is None


def test_effects_are_those_of_the_scores_and_hypotheses_are_tested():
    family = dataset("token-bias")
    items = [family.item("balanced-syllogism", 3, index) for index in range(60)]
    replies = [
        said(each.id, each.answer if index % 3 else "no", model)
        for model in "mn"
        for index, each in enumerate(items)
        if index % (7 if model == "m" else 11)
    ]
    joined = join(replies, items, keep="outcomes")
    part = answered(joined)
    expected = report_joined(joined)
    assert [json_bytes(each.effects) for each in part.series] == [json_bytes(list(each.effects)) for each in expected]
    assert part.series[0].effects
    assert part.tested == examine_hypotheses(joined, asked_hypotheses(joined.grid.items))
    assert part.tested.hypotheses == tuple(family.hypotheses)


def test_an_account_is_json():
    record = json.loads(json_bytes(answered(made(), name="toys")))
    assert record["name"] == "toys"
    assert record["differences"][0]["first"] == "m"
    assert record["series"][0]["accuracies"][0]["share"] == 0.5
