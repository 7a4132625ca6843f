"""docs/adding_a_family.md: what it tells whoever adds a family works as it stands there."""

import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from family_contract import faults

import hansproof
from hansproof.fetch.index import _main as write_index
from hansproof.generators import dataset as described
from hansproof.generators import registry
from hansproof.generators.answering.scorer import Scorer
from hansproof.generators.production import Stretch, produce
from hansproof.generators.registry import prose
from hansproof.release.release import release

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "adding_a_family.md").read_text("utf-8")


@pytest.fixture
def outside(tmp_path):
    """A folder with the two files of the example in a folder of their own."""
    folder = tmp_path / "readme_family"
    folder.mkdir()
    (folder / "__init__.py").touch()
    for file, language in (("dataset.py", "python"), ("card.md", "markdown")):
        (code,) = re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)
        (folder / file).write_text(code, "utf-8")
    return tmp_path


@pytest.fixture
def my_family(outside, tmp_path, monkeypatch):
    """The example, and the line of the registry."""
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    monkeypatch.setitem(registry.MODULES, "my-family", "readme_family.dataset")
    return registry.dataset("my-family")


def test_the_guide_and_the_map_are_short_and_the_map_names_every_room_and_file():
    assert len(GUIDE.splitlines()) <= 90
    text = (ROOT / "generators" / "README.md").read_text("utf-8")
    assert len(text.splitlines()) < 60
    named = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", text))))
    files = {path.relative_to(ROOT / "generators").with_suffix("") for path in (ROOT / "generators").rglob("*.py")}
    names = {part for path in files for part in path.parts} - {"__init__"}
    # `a file each`: of these rooms the map names the folder.
    inside = {path.name for path in files if path.parent.name in ("tasks", "answering", "styles", "designs", "lexicon")}
    assert names - named - inside == set()


def test_the_smallest_family_is_made_released_verified_and_loaded(my_family, tmp_path):
    assert faults(my_family) == []
    assert set(prose("my-family").fields) <= set(my_family.item("sums", 1, 0).metadata)
    assert b"".join(produce("my-family", [Stretch("sums", 0, 3)], 1)).count(b"\n") == 3
    outcome = release("my-family", "1.0.0", out=tmp_path / "data", cards=tmp_path / "cards")
    assert outcome.refused == []
    assert write_index([str(tmp_path / "data"), str(tmp_path / "index.json")]) == 0
    rows = hansproof.load(
        "my-family", source=tmp_path / "data", index=tmp_path / "index.json", cache=tmp_path / "cache", as_="items"
    )
    assert rows == [my_family.item("sums", my_family.seed, index) for index in range(50)]
    wrong = [item.id for item in rows if my_family.check(item)]
    assert wrong == []


def test_everything_that_a_family_can_say_is_in_the_table():
    table = GUIDE.partition("| You have |")[2].partition("\n\n")[0]
    fields = {
        *described.Dataset.__dataclass_fields__,
        *described.Subset.__dataclass_fields__,
        *(name for name in vars(Scorer) if not name.startswith("_")),
    } - {"name", "version", "title", "summary", "seed", "subsets", "rows", "description"}
    assert {field for field in fields if not re.search(rf"\b{field}\b", table)} == set()


def run(folder, *arguments, **options):
    environment = {key: value for key, value in os.environ.items() if key != registry.FAMILIES}
    command = [sys.executable, "-m", "hansproof", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, **options)


PLACE = ("--family", "readme_family.dataset:DATASET")


def test_a_family_in_its_authors_own_folder_is_listed_made_released_verified_and_scored(outside):
    assert "Two numbers below 100,000." in run(outside, *PLACE, "list", "my-family", check=True).stdout
    made = [
        run(
            outside, *PLACE, "generate", "my-family", "-n", "600", "--seed", "7", "--workers", workers, check=True
        ).stdout
        for workers in ("1", "2")
    ]
    assert made[0] == made[1]
    assert made[0].count("\n") == 600
    run(outside, *PLACE, "release", "my-family", "--version", "1.0.0", check=True)
    verified = run(outside, *PLACE, "verify", "datasets/my-family/1.0.0")
    assert verified.returncode == 0, verified.stdout
    items = [json.loads(line) for line in (outside / "datasets/my-family/1.0.0/sums.jsonl").read_text().splitlines()]
    replies = outside / "replies.jsonl"
    replies.write_text("".join(json.dumps({"id": item["id"], "reply": item["answer"]}) + "\n" for item in items))
    scored = run(outside, *PLACE, "score", "replies.jsonl", "--items", "datasets/my-family/1.0.0/sums.jsonl")
    assert scored.returncode == 0, scored.stderr
    assert "100" in scored.stdout


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("readme_family.dataset", "write module:DATASET"),
        ("no_such_family:DATASET", "there is no module no_such_family"),
        ("readme_family.dataset:NOTHING", "NOTHING"),
        ("readme_family.dataset:SUBSETS", "is a dict, not a Dataset"),
        ("hansproof.generators.planted_cues.dataset:DATASET", "give it another name"),
    ],
)
def test_a_family_that_is_not_there_is_one_line(outside, place, why):
    refused = run(outside, "--family", place, "list")
    assert refused.returncode == 2
    assert why in refused.stderr
    assert refused.stderr.count("\n") == 1
