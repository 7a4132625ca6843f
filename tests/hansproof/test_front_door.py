"""`import hansproof`: light, complete, and the same functions as in the rooms behind it."""

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import hansproof
from hansproof.generators.errors import UsageError
from hansproof.generators.planted_cues.design import SUBSETS
from hansproof.generators.registry import dataset

ROOT = Path(__file__).resolve().parents[2]


def test_every_public_function_spells_out_its_options():
    for name in hansproof.__all__:
        thing = getattr(hansproof, name)
        if name == "__version__":
            continue
        assert thing.__doc__, name
        parameters = inspect.signature(thing).parameters.values()
        assert all(parameter.annotation is not inspect.Parameter.empty for parameter in parameters), name
        kinds = {parameter.kind for parameter in parameters}
        assert not kinds & {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL}, name
    assert set(hansproof.__all__) <= set(dir(hansproof))


def test_a_name_that_the_front_door_lacks_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'hansproof' has no attribute 'adit'"):
        hansproof.adit  # noqa: B018


def test_importing_the_front_door_imports_nothing_but_itself():
    script = (
        "import sys; before = {*sys.modules}; import hansproof; "
        "print(*(name for name in sys.modules.keys() - before if name.partition('.')[0] in "
        "('audit', 'generators', 'hansproof', 'click', 'numpy')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "hansproof"


def test_generate_gives_the_items_that_the_family_makes():
    planted = dataset("planted-cues")
    assert list(hansproof.generate("planted-cues", subset="none", count=2, seed=7, start=5)) == [
        planted.item("none", 7, 5),
        planted.item("none", 7, 6),
    ]
    every = [item.metadata["subset"] for item in hansproof.generate("planted-cues", count=2, seed=7)]
    assert every == [name for name in SUBSETS for _ in range(2)]
    two = hansproof.generate("planted-cues", subset=["none", "length"], count=1, seed=7)
    assert [item.metadata["subset"] for item in two] == ["none", "length"]


def test_generate_draws_a_private_seed_that_the_items_carry():
    first, second = (next(hansproof.generate("planted-cues", subset="none", count=1)) for _ in range(2))
    assert first.metadata["seed"] != second.metadata["seed"]
    assert dataset("planted-cues").item("none", first.metadata["seed"], 0) == first


def test_generate_refuses_before_the_first_item_is_asked_for():
    with pytest.raises(UsageError, match="no subset 'unigrams'"):
        hansproof.generate("planted-cues", subset="unigrams", count=3)


def test_errors_are_caught_by_their_names_at_the_front_door(tmp_path):
    with pytest.raises(hansproof.InputError, match="no such file"):
        hansproof.audit(str(tmp_path / "missing.jsonl"))
    kinds = (hansproof.InputError, hansproof.UsageError, hansproof.NotAssessedError, hansproof.DownloadError)
    assert all(issubclass(kind, hansproof.HansproofError) for kind in kinds)
    assert {kind.__module__ for kind in kinds} == {"hansproof"}


def test_a_result_in_a_shell_is_one_sentence():
    rows = [{"prompt": f"What is {number}?", "answer": "ab"[number % 2]} for number in range(20)]
    result = hansproof.audit(rows)
    assert repr(result) == f"<AuditResult: {result.name!r}, 20 items: NOT ASSESSED. {result.reason}>"
