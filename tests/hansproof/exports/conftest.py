"""Small releases to export: multiple choice and open answers, with awkward texts."""

import importlib.util
import os
import subprocess
import sys
from hashlib import sha256

import pytest

from hansproof.generators.item import Item
from hansproof.generators.jsonl import write

AWKWARD = "Say \"yes\" or 'no'?\n{{ 7 * 6 }} {% raw %} {braces} \\n #hash: - é 中文 \u2028 end"


def item(subset, index, choices, answer, prompt=AWKWARD):
    name = f"small-set/1.0.0/{subset}/{index:06}"
    metadata = {"dataset": "small-set", "version": "1.0.0", "subset": subset, "seed": 1, "canary": "c"}
    return Item(name, prompt, choices, answer, f"g{index // 2}", "original", metadata)


@pytest.fixture
def release(tmp_path):
    """`S-3` has two choices, `many` forty (beyond the letters) that look like numbers, `open` none."""
    folder = tmp_path / "datasets" / "small-set" / "1.0.0"
    folder.mkdir(parents=True)
    many = tuple(str(number) for number in range(40, 0, -1))
    subsets = {
        "S-3": [item("S-3", i, ("no", "yes"), ("no", "yes", "yes", "no")[i], f"{AWKWARD} {i}") for i in range(4)],
        "many": [item("many", i, many, many[i], f"{AWKWARD} {i}") for i in (0, 25, 26, 39)],
        "open": [item("open", i, None, f"Zed: knight\nAda: knave {i}", f"{AWKWARD} {i}") for i in range(3)],
    }
    for name, rows in subsets.items():
        write(folder / f"{name}.jsonl", rows)
    sums = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums))
    return folder


@pytest.fixture
def rows(release):
    """Subset -> items of the small release."""
    from hansproof.generators.jsonl import read

    return {path.stem: read(path) for path in sorted(release.glob("*.jsonl"))}


@pytest.fixture
def python_with():
    """module -> an interpreter that has the harness, or a skip with the reason."""

    def interpreter(module):
        if importlib.util.find_spec(module):
            return sys.executable
        other = os.environ.get("HANSPROOF_HARNESS_PYTHON")
        if not other:
            pytest.skip(f"{module} is not installed, and HANSPROOF_HARNESS_PYTHON names no interpreter that has it")
        probe = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
        if subprocess.run([other, "-c", probe], check=False, timeout=60).returncode:
            pytest.skip(f"{other} does not have {module}")
        return other

    return interpreter
