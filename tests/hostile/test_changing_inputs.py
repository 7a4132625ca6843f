"""Files that change while they are audited or repaired: what was read is what counts, and what is written."""

import pytest

import hansproof
from hansproof.audit.repair.harden import harden
from hansproof.audit.result.document import encode

QUICK = {"splits": 2, "permutations": 199, "workers": 1}


def rows(word):
    return "prompt,answer\n" + "".join(f"{word} item {n},{'yes' if n % 2 else 'no'}\n" for n in range(40))


WAYS = {
    "rewritten": lambda path: path.write_text(rows("another"), encoding="utf-8"),
    "emptied": lambda path: path.write_bytes(b""),
    "removed": lambda path: path.unlink(),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stage", ["finding groups", "fitting probes", "injecting cues"])
def test_a_benchmark_that_changes_once_it_is_read_is_audited_as_it_was(way, stage, tmp_path):
    path, seen = tmp_path / "bench.csv", []

    def change(name, done, total):
        if name == stage and not seen:
            seen.append(name)
            WAYS[way](path)

    path.write_text(rows("one"), encoding="utf-8")
    alone = encode(hansproof.audit(str(path), **QUICK))
    changed = encode(hansproof.audit(str(path), **QUICK, progress=change, cache=False))
    assert seen == [stage]
    assert changed == alone


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_what_is_repaired_is_what_was_read(way, tmp_path):
    path, seen = tmp_path / "bench.csv", []

    def change(name, done, total):
        if not seen:
            seen.append(name)
            WAYS[way](path)

    path.write_text(rows("one"), encoding="utf-8")
    alone = harden(str(path), **QUICK)
    assert harden(str(path), **QUICK, progress=change) == alone
    assert seen
    assert alone.rows.startswith(b"prompt,answer\none item")
