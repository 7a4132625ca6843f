"""Figures that a family promises of its release: written down, refused where missed, measured again by `verify`."""

import json
from dataclasses import replace

import msgspec
import pytest

from hansproof.generators.dataset import Figure
from hansproof.release.checksums import digest_of, sums
from hansproof.release.manifest import decode
from hansproof.release.objections import missed
from hansproof.release.verify import verify


def promised(**bounds):
    """A family's figure: the mean number of words of its prompts."""

    def figures(items):
        words = [len(item.prompt.split()) for rows in items.values() for item in rows]
        return [Figure("words", "words of a prompt on average", sum(words) / len(words), **bounds)]

    return figures


def read(folder):
    return decode((folder / "manifest.json").read_bytes(), "manifest")


def test_a_figure_is_measured_written_and_verified(tiny, register, freeze):
    folder = freeze(register(replace(tiny, figures=promised(least=1.0))))
    (entry,) = read(folder).figures
    assert (entry.name, entry.least, entry.most) == ("words", 1.0, None)
    assert entry.value > 1
    assert list(missed(read(folder))) == []
    (check,) = [check for check in verify(folder).checks if check.name == "figures"]
    assert (check.done, check.faults) == (True, ())


def test_a_forged_figure_is_found(tiny, register, freeze):
    folder = freeze(register(replace(tiny, figures=promised(least=1.0))))
    manifest = json.loads((folder / "manifest.json").read_text())
    true = manifest["figures"][0]["value"]
    manifest["figures"][0]["value"] = 99.0
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "SHA256SUMS").unlink()
    (folder / "SHA256SUMS").write_bytes(sums({path.name: digest_of(path) for path in folder.iterdir()}))
    (check,) = [check for check in verify(folder).checks if check.name == "figures"]
    assert [fault.reason for fault in check.faults] == [f"its figure 'words' is 99.0, the items give {true}"]


@pytest.mark.parametrize(
    ("bounds", "reason"),
    [
        ({"least": 1000.0}, "but a release promises at least 1000"),
        ({"most": 0.5}, "but a release promises at most 0.5"),
    ],
)
def test_a_release_that_misses_a_figure_is_refused(tiny, register, freeze, bounds, reason):
    folder = freeze(register(replace(tiny, figures=promised(least=1.0))))
    manifest = read(folder)
    (entry,) = manifest.figures
    free = msgspec.structs.replace(entry, least=None)
    strict = msgspec.structs.replace(free, **bounds)
    undefined = msgspec.structs.replace(strict, value=None)
    assert list(missed(msgspec.structs.replace(manifest, figures=[free]))) == []
    for broken in (strict, undefined):
        (sentence,) = missed(msgspec.structs.replace(manifest, figures=[broken]))
        assert sentence.startswith("words (words of a prompt on average) is ")
        assert sentence.endswith(reason)


def test_a_family_without_figures_has_none_in_its_manifest_and_no_check(tiny, register, freeze):
    folder = freeze(register(tiny))
    assert "figures" not in json.loads((folder / "manifest.json").read_text())
    assert "figures" not in {check.name for check in verify(folder).checks}
