"""Compiled loops without a usable cache: the same numbers, and one warning."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import warnings
from kernels import double
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(double(21), double(2.5), *[str(warning.message).partition(" is damaged")[0] for warning in caught])
"""
KERNEL = """
from hansproof.audit.texts.compiled import kernel

@kernel
def double(number):
    return number + number
"""


@pytest.fixture
def run(tmp_path):
    (tmp_path / "kernels.py").write_text(KERNEL)

    def doubled():
        environment = {
            **os.environ,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}",
            "NUMBA_CACHE_DIR": str(tmp_path / "c"),
        }
        done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True)
        return done.stdout.strip(), done.stderr

    return doubled


@pytest.mark.parametrize(
    ("ending", "content"),
    [
        (".nbi", b"garbage\n"),
        (".nbc", b""),
        pytest.param(".nbi", b"", marks=pytest.mark.slow),
        pytest.param(".nbc", b"\x80", marks=pytest.mark.slow),
    ],
)
def test_a_damaged_cache_is_said_once_compiled_anew_and_mended(run, tmp_path, ending, content):
    assert run() == ("42 5.0", "")
    files = list((tmp_path / "c").rglob(f"*{ending}"))
    assert files
    for file in files:
        file.write_bytes(content)
    said, errors = run()
    assert said.startswith("42 5.0 the cache of compiled code in ")
    assert (said.count("the cache"), errors) == (1, "")
    assert run() == ("42 5.0", "")


@pytest.mark.skipif(sys.platform == "win32", reason="a folder is not protected by its permissions there")
def test_a_cache_that_cannot_be_written_is_said_once(monkeypatch):
    from hansproof.audit.texts import compiled

    class Full:
        cache_path = "/cache"

        def save_overload(self, signature, data):
            raise OSError(28, "No space left on device")

        def disable(self):
            self.disabled = True

    compiled._warn.cache_clear()
    inner = Full()
    forgiving = compiled._Forgiving(inner)
    with pytest.warns(RuntimeWarning, match=r"in /cache is damaged or cannot be written \(OSError\)"):
        forgiving.save_overload(None, None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        forgiving.save_overload(None, None)
    assert inner.disabled
    compiled._warn.cache_clear()
