"""One audit in its own process, stage by stage: seconds, processor seconds and peak memory. For `curve.py`."""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measured_process import peak_mb

__all__ = ["Stages", "main"]


class Stages:
    """A Progress that adds up the time of each stage of an audit."""

    def __init__(self) -> None:
        self.totals: dict[str, dict[str, float]] = {}
        self._stage = "importing"
        self._begun = _now()

    def __call__(self, stage: str, done: int, total: int, /) -> None:
        """Called by the audit; a stage lasts until the next one is named."""
        if stage != self._stage:
            self.end()
            self._stage = stage

    def end(self) -> None:
        """The present stage is over."""
        now = _now()
        own = self.totals.setdefault(self._stage, {"seconds": 0.0, "cpu": 0.0})
        own["seconds"] += now[0] - self._begun[0]
        own["cpu"] += now[1] - self._begun[1]
        own["peak_mb"] = peak_mb()
        self._begun = now
        print(
            f"{self._stage}: {own['cpu']:.1f} processor seconds, {own['peak_mb']:,.0f} MB", file=sys.stderr, flush=True
        )


def main(source: str, options: dict[str, Any]) -> dict[str, Any]:
    """Audit `source` and write its report; the stages, the verdict and the size of the reports."""
    watch = Stages()
    from audit.probe.logistic import prepare
    from audit.run import audit

    prepare()
    watch("reading", 0, 1)
    result = audit(source, progress=watch, **options)
    watch("reporting", 0, 1)
    from audit.documents.document import encode
    from audit.report.page.page import render

    sizes = {"json_bytes": len(encode(result)), "html_bytes": len(render(result).encode())}
    watch.end()
    deciding = result.deciding_scheme
    kappas = {v.vector: v.matched for v in deciding.vectors} if deciding else {}
    return {"items": result.items, "verdict": result.verdict, "stages": watch.totals, "kappas": kappas, **sizes}


def _now() -> tuple[float, float]:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


if __name__ == "__main__":
    json.dump(main(sys.argv[1], json.loads(sys.argv[2])), sys.stdout)
