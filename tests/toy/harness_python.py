"""The interpreter that has another evaluation harness."""

import importlib.util
import os
import subprocess
import sys

import pytest


def python_with(module):
    """An interpreter that has the harness, or skips with the reason."""
    if importlib.util.find_spec(module):
        return sys.executable
    other = os.environ.get("HANSPROOF_HARNESS_PYTHON")
    if not other:
        pytest.skip(f"{module} is not installed, and HANSPROOF_HARNESS_PYTHON names no interpreter that has it")
    probe = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    if subprocess.run([other, "-c", probe], check=False, timeout=60).returncode:
        pytest.skip(f"{other} does not have {module}")
    return other
