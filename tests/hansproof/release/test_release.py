"""Releasing: what is frozen is what was audited, the same bytes each time; what leaks is refused and leaves nothing."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType

import pytest
from click.testing import CliRunner

from audit.run import examine
from generators import registry
from generators.dataset import Dataset, Subset
from generators.errors import InputError, UsageError
from generators.item import Item
from generators.jsonl import read
from generators.stream import Stream
from hansproof.command_line import COMMANDS, command_line
from hansproof.release.manifest import decode
from hansproof.release.release import objections, release, summary
from hansproof.release.verify import verify

QUICK = {"permutations": 299, "bootstrap": 40, "workers": 1}
WORDS = ("table", "river", "stone", "cloud", "lamp", "garden", "engine", "letter")


def make(subset, seed, index):
    stream = Stream(seed, "mini", subset).child(index)
    answer = ("no", "yes")[index % 2]
    words = [stream.choice(WORDS) for _ in range(4)]
    cue = {"no": " never", "yes": " always"}[answer] if subset == "leaking" else ""
    return Item(
        id=f"mini/1.0.0/{subset}/{index:06d}",
        prompt=f"Case {index}: the {words[0]} met the {words[1]}{cue} near a {words[2]} and a {words[3]}.",
        choices=None if subset == "open" else ("no", "yes"),
        answer=f"{words[0]} {index}" if subset == "open" else answer,
        group=str(index),
        condition=subset,
        metadata={"dataset": "mini", "version": "1.0.0", "subset": subset, "seed": seed, "canary": "mini-canary"},
    )


LEAKING = Subset(rows=80, description="two words tell")
MINI = Dataset(
    name="mini",
    version="1.0.0",
    title="Mini",
    summary="Nothing much.",
    seed=5,
    canary="mini-canary",
    subsets={
        "plain": Subset(rows=60, description="coins"),
        "open": Subset(rows=20, description="open answers", labels=False),
    },
    make=make,
    check=lambda item: [],
    fields={},
    citation="nobody",
    uses="tests",
    misuses="all else",
)


@pytest.fixture
def register(monkeypatch):
    """Puts a dataset into the registry for one test."""

    def put(dataset):
        module = ModuleType("mini_dataset_of_the_tests")
        module.DATASET = dataset
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(registry.MODULES, dataset.name, module.__name__)
        return dataset

    return put


def with_leak(known_leak=""):
    return replace(MINI, subsets={"leaking": replace(LEAKING, known_leak=known_leak)})


def places(folder):
    return {"out": folder / "datasets", "cards": folder / "cards"}


def test_a_release_is_the_same_bytes_each_time_and_verifies(register, tmp_path):
    register(MINI)
    made = []
    for name in ("a", "b"):
        found = release("mini", "1.0.0", **places(tmp_path / name), **QUICK)
        assert found.refused == []
        made.append(
            {path.relative_to(tmp_path / name): path.read_bytes() for path in found.folder.iterdir()}
            | {path.relative_to(tmp_path / name): path.read_bytes() for path in found.written}
        )
    assert made[0] == made[1]
    assert sorted(path.name for path in made[0]) == [
        "SHA256SUMS", "croissant.json", "manifest.json", "mini-1.0.0.md", "mini-1.0.0.svg", "open.jsonl", "plain.jsonl",
    ]  # fmt: skip
    assert verify(found.folder).passed
    assert decode((found.folder / "manifest.json").read_bytes(), "m") == found.manifest
    assert [path.name for path in (tmp_path / "b" / "datasets" / "mini").iterdir()] == ["1.0.0"]


def test_the_manifest_says_what_the_audit_said_and_why_a_subset_was_not_assessed(register, tmp_path):
    register(MINI)
    found = release("mini", "1.0.0", date="2026-12-01", **places(tmp_path), **QUICK)
    plain, open_ = found.manifest.subsets
    result = examine(str(found.folder / "plain.jsonl"), task="fixed", **QUICK).result
    assert plain.audit == summary(result)
    vector = result.scheme("grouped").vectors[0]
    kept = plain.audit.schemes[0].vectors[vector.vector]
    assert (kept.cohen, kept.cohen_low, kept.uniform) == pytest.approx(
        (vector.cohen, vector.cohen_low, vector.uniform), abs=5e-5
    )
    assert len(plain.audit.schemes[0].vectors) == 13
    assert (open_.audit.verdict, open_.audit.schemes) == ("NOT ASSESSED", [])
    assert open_.audit.reason == "the answers are open, not a few labels (20 different ones in 20 items)."
    assert found.manifest.date == "2026-12-01"
    assert found.manifest.audit_settings.permutations == 299
    assert {"hansproof", "python", "numpy", "scikit-learn"} <= set(found.manifest.versions)


def test_a_leak_that_nobody_announced_is_refused_and_leaves_nothing(register, tmp_path):
    register(with_leak())
    found = release("mini", "1.0.0", **places(tmp_path), **QUICK)
    assert len(found.refused) == 1
    assert found.refused[0].startswith("leaking: LEAKS: ")
    assert found.written == []
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert list((tmp_path / "datasets" / "mini").iterdir()) == []


def test_an_announced_leak_is_frozen_and_stands_on_the_card(register, tmp_path):
    register(with_leak("two words were put in"))
    found = release("mini", "1.0.0", **places(tmp_path), **QUICK)
    assert objections(found.manifest) == found.refused == []
    text = found.written[0].read_text("utf-8")
    assert "| `leaking` | **LEAKS** (announced) |" in text
    assert "- `leaking`: two words were put in\n" in text


def worded(subset, seed, index):
    """Open answers; a word tells the operation in `told`, none does in `untold`."""
    stream = Stream(seed, "worded", subset).child(index)
    operation = ("add", "subtract")[index % 2]
    cue = {"add": "more", "subtract": "fewer"}[operation] if subset == "told" else stream.choice(("more", "fewer"))
    words = [stream.choice(WORDS) for _ in range(3)]
    return Item(
        id=f"mini/1.0.0/{subset}/{index:06d}",
        prompt=f"The {words[0]} has {index} {cue} than a {words[1]} or a {words[2]}.",
        choices=None,
        answer=str(index),
        group=str(index // 2),
        condition=("easy", "hard")[index % 2],
        metadata={
            "dataset": "mini",
            "version": "1.0.0",
            "subset": subset,
            "seed": seed,
            "canary": "mini-canary",
            "operation": operation,
        },
    )


def with_open_answers(*names, audited="operation"):
    subsets = {
        name: Subset(rows=120, description="open", labels=False, audited=audited, contrast=("easy", "hard"))
        for name in names
    }
    counted = {"half": "a half", "never": "nothing"}
    return replace(
        MINI, subsets=subsets, make=worded, shortcuts=lambda items: {"half": 0.5, "never": float("nan")},
        shortcut_fields=counted,
    )  # fmt: skip


def test_of_open_answers_the_named_metadata_is_audited_and_the_card_says_so(register, tmp_path):
    register(with_open_answers("untold"))
    found = release("mini", "1.0.0", **places(tmp_path), **QUICK)
    assert found.refused == []
    (entry,) = found.manifest.subsets
    items = read(found.folder / "untold.jsonl")
    rows = [{"prompt": one.prompt, "answer": one.metadata["operation"], "group": one.group} for one in items]
    result = examine(rows, task="fixed", **QUICK).result
    start = "with metadata.operation to be predicted in place of the open answers: "
    assert entry.audit.reason == start + result.reason
    assert entry.audit.schemes == summary(result).schemes
    assert (entry.audit.verdict, entry.audit.groups) == (result.verdict, 60)
    assert (entry.audited, entry.answers) == ("operation", None)
    assert entry.shortcuts == {"half": 0.5, "never": None}
    assert verify(found.folder).passed
    assert [one.answer for one in items[:3]] == ["0", "1", "2"]
    text = found.written[0].read_text("utf-8")
    assert f"| `untold` (`metadata.operation`) | **{result.verdict}** |" in text
    assert "the probes predict that key from the prompt instead.\n\n" in text
    assert "| `untold` | easy | hard |\n" in text
    assert "| `untold` | .50 | – |\n\n- `half`: a half\n- `never`: nothing\n\n## Baselines" in text
    assert "None known.\n\n## Baselines" not in text


def test_open_answers_whose_metadata_shows_in_the_text_are_refused_unless_announced(register, tmp_path):
    dataset = register(with_open_answers("told"))
    found = release("mini", "1.0.0", **places(tmp_path), **QUICK)
    assert len(found.refused) == 1
    assert found.refused[0].startswith("told: LEAKS: with metadata.operation to be predicted in place of")
    told = replace(dataset.subsets["told"], known_leak="the paper's design")
    register(replace(dataset, subsets={"told": told}))
    assert release("mini", "1.0.0", **places(tmp_path), **QUICK).refused == []


def test_metadata_that_is_not_there_cannot_be_audited(register, tmp_path):
    register(with_open_answers("told", audited="opration"))
    with pytest.raises(InputError, match=r"item 'mini/1\.0\.0/told/000000' has no metadata\.opration, which the audit"):
        release("mini", "1.0.0", **places(tmp_path), **QUICK)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_items_that_the_second_method_faults_are_refused(register, tmp_path):
    register(replace(MINI, check=lambda item: ["is wrong"] if item.id.endswith("plain/000007") else []))
    found = release("mini", "1.0.0", **places(tmp_path), **QUICK)
    assert found.refused == ["plain.jsonl: line 8: is wrong"]
    assert not found.folder.exists()


def test_a_frozen_version_is_kept_and_the_version_is_the_generators(register, tmp_path):
    register(MINI)
    (tmp_path / "datasets" / "mini" / "1.0.0").mkdir(parents=True)
    with pytest.raises(InputError, match="is frozen already and never overwritten"):
        release("mini", "1.0.0", **places(tmp_path), **QUICK)
    with pytest.raises(UsageError, match=r"mini is at version 1\.0\.0, not 2\.0\.0"):
        release("mini", "2.0.0", **places(tmp_path), **QUICK)
    with pytest.raises(UsageError, match=r"no dataset is called 'minni'\. Did you mean 'mini'"):
        release("minni", "1.0.0", **places(tmp_path), **QUICK)


@pytest.mark.parametrize("date", ["2026-13-01", "1.12.2026", "20261201", ""])
def test_a_date_is_a_date(register, tmp_path, date):
    register(MINI)
    with pytest.raises(UsageError, match="is no date; write it as YYYY-MM-DD"):
        release("mini", "1.0.0", date=date, **places(tmp_path), **QUICK)


def command(monkeypatch, folder, *words):
    monkeypatch.setitem(COMMANDS, "release", "hansproof.commands.release:release")
    where = ["--out", str(folder / "datasets"), "--cards", str(folder / "cards")]
    quick = ["--permutations", "299", "--bootstrap", "40", "--workers", "1"]
    return CliRunner().invoke(command_line(), ["release", *words, *where, *quick])


def test_the_command_freezes_then_refuses_to_do_it_again_and_renews_the_card_with_errata(
    register, tmp_path, monkeypatch
):
    register(replace(MINI, subsets={"open": MINI.subsets["open"]}))
    done = command(monkeypatch, tmp_path, "mini", "--version", "1.0.0")
    assert done.exit_code == 0, done.output
    assert "open: 20 items, NOT ASSESSED\n" in done.stdout
    card = tmp_path / "cards" / "mini-1.0.0.md"
    first = card.read_text("utf-8")
    assert "## Errata\n\nNone known.\n" in first
    assert command(monkeypatch, tmp_path, "mini", "--version", "1.0.0").exit_code == 2

    (tmp_path / "cards" / "mini-1.0.0.errata.md").write_text("- Item 3 is odd.\n", "utf-8")
    assert command(monkeypatch, tmp_path, "mini", "--version", "1.0.0", "--card-only").exit_code == 0
    assert card.read_text("utf-8") == first.replace("## Errata\n\nNone known.", "## Errata\n\n- Item 3 is odd.")


def test_the_command_leaves_with_1_where_it_refuses(register, tmp_path, monkeypatch):
    register(with_leak())
    done = command(monkeypatch, tmp_path, "mini", "--version", "1.0.0")
    assert done.exit_code == 1
    assert "refused: leaking: LEAKS: " in done.stderr


def test_a_card_of_nothing_is_exit_2(register, tmp_path, monkeypatch):
    register(MINI)
    done = command(monkeypatch, tmp_path, "mini", "--version", "1.0.0", "--card-only")
    assert done.exit_code == 2
    assert "manifest.json: cannot be read: No such file" in done.stderr
