"""A subset in which every answer is the same: there is nothing to probe, and the release says so."""

from hansproof.generators.dataset import OPTION, Dataset, Draft, Subset
from hansproof.release.release import AuditOptions, release

CARD = "Nothing much.\n## Fields\n## Uses\nTests.\n## Misuses\nAll else.\n## Citation\nNobody.\n"


def make(stream, subset, index):
    return Draft(f"Is case {index} so?", ("no", "yes"), "no", str(index), "plain", {})


def mini(exploit):
    subset = Subset(rows=20, description="denials", form=OPTION, exploit=exploit)
    return Dataset(
        name="mini", version="1.0.0", title="Mini", summary="Nothing much.", seed=5, subsets={"plain": subset},
        make=make, check=lambda item: [],
    )  # fmt: skip


def released(folder):
    return release("mini", "1.0.0", out=folder / "datasets", cards=folder / "cards", audits=AuditOptions(workers=1))


def test_a_subset_with_one_answer_is_imbalanced_and_needs_a_declared_exploit(register, tmp_path):
    register(mini(exploit=""), card=CARD)
    refused = released(tmp_path / "a").refused
    assert [reason for reason in refused if "the audit says IMBALANCED: all 20 answers are 'no'" in reason]
    register(mini(exploit="the answer is always no"), card=CARD)
    outcome = released(tmp_path / "b")
    assert outcome.refused == []
    assert (outcome.manifest.subsets[0].audit.verdict, outcome.manifest.subsets[0].audit.schemes) == ("IMBALANCED", [])
    text = (outcome.folder / "DETAILS.md").read_text(encoding="utf-8")
    assert "**IMBALANCED**: all 20 answers are 'no': whoever always says so gets every item right." in text
    assert "NOT ASSESSED" not in text
