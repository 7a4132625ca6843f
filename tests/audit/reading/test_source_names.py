"""What sources are called: by the user, in messages, and in the table of a scanned folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from hansproof.audit.reading.loading import expand, load, name_within
from hansproof.generators.errors import InputError

GOOD = "question,label\n" + "".join(f"item number {n},{('yes', 'no')[n % 2]}\n" for n in range(40))


@pytest.mark.parametrize("named", ["", " ", "\n"])
def test_a_source_without_a_name_is_refused(named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bench.csv").write_text(GOOD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for read in (expand, load):
        with pytest.raises(InputError, match=r"^the source is empty: name a file, a folder"):
            read(named)


@pytest.mark.parametrize(
    "name", ["absent.jsonl", "./absent.jsonl", "./broken.jsonl", "./inner//broken.jsonl", "./inner"]
)
def test_a_message_begins_with_the_source_as_named_and_only_once(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "inner").mkdir()
    for folder in (tmp_path, tmp_path / "inner"):
        (folder / "broken.jsonl").write_text("{", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"no such file|broken JSON") as caught:
        load(name)
    place = "inner/broken.jsonl" if name == "./inner" else name
    assert caught.value.place.startswith(place)
    assert str(caught.value).count(Path(place).name + ":") == 1


@pytest.mark.parametrize(
    ("folder", "file", "name"),
    [
        ("suite", "suite/a.jsonl", "a"),
        ("suite/", "suite/deep/a.jsonl.gz", "deep/a"),
        ("./suite", "suite/deep/v1.2/a.b.csv", "deep/v1.2/a.b"),
        (".", "x/a.parquet", "x/a"),
        ("suite", "elsewhere/a.csv", "a"),
        ("/s", "/s/t/a.tsv.zst", "t/a"),
    ],
)
def test_a_file_of_a_folder_is_called_by_its_place_in_it(folder: str, file: str, name: str) -> None:
    assert name_within(folder, file) == name


def test_two_files_of_one_name_get_different_names(tmp_path: Path) -> None:
    for inner in ("x", "y"):
        (tmp_path / inner).mkdir()
        (tmp_path / inner / "a.csv").write_text(GOOD, encoding="utf-8")
    (tmp_path / "set.v1" / "train").mkdir(parents=True)
    (tmp_path / "set.v1" / "train" / "data.arrow").write_bytes(b"")
    (tmp_path / "set.v1" / "dataset_dict.json").write_text("{}", encoding="utf-8")
    files = expand(str(tmp_path))
    assert [name_within(str(tmp_path), file) for file in files] == ["set.v1", "x/a", "y/a"]
    assert load(files[1], name="x/a").name == "x/a"


def test_a_folder_gives_its_benchmarks_and_those_of_its_subfolders(small: Path) -> None:
    names = [name_within(str(small), file) for file in expand(str(small))]
    assert names == ["logs/heron-1", "logs/otter-2", "options", "places", "questions", "repeats", "sums"]


def test_examples_of_a_prompt_beside_the_samples_of_a_registry_are_no_benchmark(tmp_path: Path) -> None:
    for inner, names in (("both", ("few_shot", "samples")), ("alone", ("few_shot",))):
        (tmp_path / inner).mkdir()
        for name in names:
            (tmp_path / inner / f"{name}.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"both/few_shot.jsonl: examples for the prompt of samples.jsonl, left out"):
        files = expand(str(tmp_path))
    assert [name_within(str(tmp_path), file) for file in files] == ["alone/few_shot", "both/samples"]
