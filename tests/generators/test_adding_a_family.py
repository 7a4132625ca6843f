"""docs/adding_a_family.md: what it tells whoever adds a family works as it stands there."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from family_contract import faults

import hansproof
from hansproof.fetch.index import _main as write_index
from hansproof.generators import dataset as described
from hansproof.generators import registry
from hansproof.generators.answering.scorer import Scorer
from hansproof.generators.errors import HansproofError
from hansproof.generators.jsonl import read
from hansproof.generators.production import Stretch, produce
from hansproof.generators.registry import prose
from hansproof.release.release import release

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "adding_a_family.md").read_text("utf-8")


@pytest.fixture
def outside(tmp_path):
    """A folder with the two families of the guide and its agent."""
    return shutil.copytree(ROOT / "docs" / "examples", tmp_path / "outside")


@pytest.fixture
def my_family(outside, monkeypatch):
    """The first of them, and its line of the registry."""
    monkeypatch.syspath_prepend(outside)
    importlib.invalidate_caches()
    monkeypatch.setitem(registry.MODULES, "my-family", "my_family.dataset")
    return registry.dataset("my-family")


def test_the_guide_and_the_map_are_short_and_the_map_names_every_room_and_file():
    assert len(GUIDE.splitlines()) <= 80
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
        "my-family",
        subset="sums",
        source=tmp_path / "data",
        index=tmp_path / "index.json",
        cache=tmp_path / "c",
        as_="items",
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


PLACE = ("--family", "my_family.dataset:DATASET")


def test_a_family_in_its_authors_own_folder_is_listed_made_released_verified_and_scored(outside):
    assert "Two numbers below 100,000." in run(outside, *PLACE, "list", "my-family", check=True).stdout
    made = [
        run(
            outside,
            *PLACE,
            "generate",
            "my-family",
            "-s",
            "sums",
            "-n",
            "600",
            "--seed",
            "7",
            "--workers",
            workers,
            check=True,
        ).stdout
        for workers in ("1", "2")
    ]
    assert made[0] == made[1]
    assert made[0].count("\n") == 600
    run(outside, *PLACE, "release", "my-family", "--version", "1.0.0", check=True)
    verified = run(outside, *PLACE, "verify", "datasets/my-family/1.0.0")
    assert verified.returncode == 0, verified.stdout
    items = [item.record() for item in read(outside / "datasets/my-family/1.0.0/sums.jsonl.gz")]
    replies = outside / "replies.jsonl"
    replies.write_text("".join(json.dumps({"id": item["id"], "reply": item["answer"]}) + "\n" for item in items))
    scored = run(outside, *PLACE, "score", "replies.jsonl", "--items", "datasets/my-family/1.0.0")
    assert scored.returncode == 0, scored.stderr
    assert "100" in scored.stdout


def test_a_game_in_its_authors_own_folder_is_played_by_an_agent_and_a_player_and_scored(outside):
    game = ("--family", "my_game.dataset:DATASET")
    run(outside, *game, "release", "my-game", "--version", "1.0.0", check=True)
    for agent, out in (("agent:reply", "mine.jsonl"), ("stubborn", "theirs.jsonl")):
        run(outside, *game, "run", "my-game", "--agent", agent, "-n", "3", "--out", out, check=True)
        scored = run(outside, *game, "score", out, "--items", "datasets/my-game/1.0.0", "--skip-missing")
        assert scored.returncode == 0, scored.stderr
        assert "reward" in scored.stdout


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("my_family.dataset", "write module:DATASET"),
        ("no_such_family:DATASET", "there is no module no_such_family"),
        ("my_family.dataset:NOTHING", "NOTHING is a NoneType, not a Dataset"),
        ("my_family.dataset:SUBSETS", "is a dict, not a Dataset"),
        ("hansproof.generators.planted_cues.dataset:DATASET", "give it another name"),
    ],
)
def test_a_family_that_is_not_there_is_one_line(outside, place, why):
    refused = run(outside, "--family", place, "list")
    assert refused.returncode == 2
    assert why in refused.stderr
    assert refused.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import nosuchlib", "cannot be imported: ModuleNotFoundError: No module named 'nosuchlib' (mine.py, line 1)"),
        ("DATASET = (", "cannot be imported: SyntaxError: '(' was never closed (mine.py, line 1)"),
        ("import sys\nsys.exit(0)", "cannot be imported: SystemExit: 0 (mine.py, line 2)"),
        ("from my_family.dataset import DATASET as other\nfrom dataclasses import replace\nDATASET = replace(other)",
         "mine:DATASET is called 'my-family', as my_family.dataset:DATASET is; give it another name"),
        ("from my_family.dataset import DATASET as other\nfrom dataclasses import replace\n"
         "DATASET = replace(other, name='../evil')", "cannot be imported: UsageError: the name '../evil' has other"),
    ],
)  # fmt: skip
def test_a_module_that_cannot_be_used_is_one_line_that_says_where(outside, text, why):
    (outside / "mine.py").write_text(f"{text}\n", "utf-8")
    refused = run(outside, *PLACE, "--family", "mine:DATASET", "list")
    assert refused.returncode == 2
    assert why in refused.stderr
    assert refused.stderr.count("\n") == 1


def test_the_variable_makes_a_family_known_to_the_installed_command(outside):
    command = [Path(sys.executable).parent / "hansproof", "list", "my-family"]
    environment = os.environ | {registry.FAMILIES: "my_family.dataset:DATASET"}
    listed = subprocess.run(command, cwd=outside, env=environment, capture_output=True, text=True)
    assert "Two numbers below 100,000." in listed.stdout, listed.stderr


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"slices": (("nmubers",),)}, "no item has the key 'nmubers' of a slice or factor"),
        ({"make": lambda stream, subset, index: ("What?", "7")}, "gives a tuple, not a Draft"),
    ],
)
def test_a_release_holds_what_is_declared_against_the_items_first(my_family, monkeypatch, tmp_path, changed, why):
    monkeypatch.setattr(sys.modules["my_family.dataset"], "DATASET", replace(my_family, **changed))
    with pytest.raises(HansproofError, match=why):
        release("my-family", "1.0.0", out=tmp_path / "data", cards=tmp_path / "cards")
    assert list(tmp_path.rglob("*.gz")) == []
