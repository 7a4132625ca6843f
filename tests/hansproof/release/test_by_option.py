"""Options that stand in the prompts are audited one by one too: what only they give away is refused and on the card."""

from dataclasses import replace

import pytest

from hansproof.generators.dataset import OPTION, Dataset, Draft, Subset
from hansproof.release.manifest import decode, encode
from hansproof.release.release import AuditOptions, release

WORDS = (
    "table", "river", "stone", "cloud", "lamp", "garden", "engine", "letter", "ladder", "window", "button", "bridge",
)  # fmt: skip


def make(stream, subset, index):
    """In `told`, the right option alone says `surely`; labels, positions and whole prompts say nothing."""
    draws = stream.child(subset).child(index)
    right, words = int(draws.coin()), draws.shuffled(WORDS)[:6]
    texts = [f"{words[0]} {words[1]} {words[2]}", f"{words[3]} {words[4]} {words[5]}"]
    if subset == "told":
        texts[right] = texts[right].replace(f" {words[1 + 3 * right]} ", " surely ")
    letters = ("(a)", "(b)") if subset != "unlettered" else ("a", "b")
    prompt = f"Question {index}: which one?\n" + "\n".join(map(" ".join, zip(letters, texts)))
    prompt = prompt if subset != "unlettered" else prompt.replace("\n", " ")
    return Draft(prompt, letters, letters[right], str(index), subset, {})


FAMILY = Dataset(
    name="lettered", version="1.0.0", title="Lettered", summary="Options", seed=5, make=make,
    subsets={name: Subset(rows=80, description=name, form=OPTION) for name in ("told", "fair", "unlettered")},
    check=lambda item: [],
)  # fmt: skip


def made(tmp_path, **options):
    places = {"out": tmp_path / "datasets", "cards": tmp_path / "cards"}
    return release("lettered", "1.0.0", **places, audits=AuditOptions(299, 2, 1), **options)


@pytest.mark.slow
def test_what_only_the_options_give_away_is_refused(register, tmp_path):
    register(replace(FAMILY, subsets={name: FAMILY.subsets[name] for name in ("told", "unlettered")}))
    outcome = made(tmp_path)
    told, unlettered = outcome.manifest.subsets
    assert told.audit.verdict not in ("LEAKS", "TEMPLATE-BOUND", "IMBALANCED")
    assert told.by_option.verdict == "LEAKS"
    assert unlettered.by_option is None
    assert len(outcome.refused) == 1
    assert outcome.refused[0].startswith("told: the audit by option says LEAKS: ")


@pytest.mark.slow
def test_the_details_have_the_verdict_by_option_and_a_manifest_has_it_where_there_is_one(register, tmp_path):
    told = replace(FAMILY.subsets["told"], exploit="the right option says surely")
    register(
        replace(
            FAMILY, subsets={"told": told, "fair": FAMILY.subsets["fair"], "unlettered": FAMILY.subsets["unlettered"]}
        )
    )
    outcome = made(tmp_path)
    assert outcome.refused == []
    text = (outcome.folder / "DETAILS.md").read_text("utf-8")
    assert "| `told` | **LEAKS** (by design) |" in text
    kappa = max(v.matched for v in outcome.manifest.subset("told").by_option.schemes[0].vectors.values())
    assert kappa == pytest.approx(1.0, abs=0.1)
    assert "- `fair`, by option: **INCONCLUSIVE**: " in text
    data = (outcome.folder / "manifest.json").read_bytes()
    assert encode(decode(data, "m")) == data
    assert data.count(b'"by_option"') == 2
