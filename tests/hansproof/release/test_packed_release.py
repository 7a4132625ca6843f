"""A release may keep its items packed; all that it says of them stays the same."""

from dataclasses import replace

from click.testing import CliRunner

from hansproof.command_line import COMMANDS, command_line
from hansproof.release.verify import verify


def test_a_release_that_keeps_its_items_packed_has_the_same_digests(tiny, register, tmp_path, monkeypatch):
    register(replace(tiny, subsets={"sums": tiny.subsets["sums"]}))
    monkeypatch.setitem(COMMANDS, "release", "hansproof.commands.release:release")
    for name, option in (("plain", ()), ("packed", ("--packed",))):
        places = ["--out", str(tmp_path / name / "datasets"), "--cards", str(tmp_path / name / "cards")]
        words = ["release", "tiny", "--version", "1.0.0", *places, "--splits", "2", "--permutations", "299", *option]
        done = CliRunner().invoke(command_line(), words)
        assert done.exit_code == 0, done.output
    folders = [tmp_path / name / "datasets" / "tiny" / "1.0.0" for name in ("plain", "packed")]
    names = [[path.name for path in folder.glob("sums*")] for folder in folders]
    assert names == [["sums.jsonl"], ["sums.jsonl.gz"]]
    for name in ("SHA256SUMS", "manifest.json", "croissant.json"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    assert verify(folders[1]).passed
