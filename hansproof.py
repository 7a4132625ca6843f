"""hansproof: benchmarks that Clever Hans cannot pass.

The front door. Read `generators/` (make), then `audit/` (measure); both are reached from here, on the
command line as `hansproof COMMAND` and in Python as `hansproof.audit(...)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from audit.result import AuditResult

__all__ = ["__version__", "audit", "main"]

__version__ = "0.1.0"


def audit(source: Any, **options: Any) -> AuditResult:
    """Audit a benchmark for shortcuts; see `audit.run.audit` for every option.

    `source` is a path, an `hf://` address, a pandas or polars frame, a list of dicts or a Hugging Face
    Dataset. Raises `generators.errors.HansproofError` where the source cannot be read or assessed.
    """
    from audit.run import audit as run

    return run(source, **options)


def main() -> None:
    """Run the command line and leave with its exit code."""
    from audit.commands import cli

    cli(prog_name="hansproof")
