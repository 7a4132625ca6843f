"""The figures of `audit_speed` on the terminal: benchmarks, differing vectors, targets."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

__all__ = ["show"]


def show(document: dict[str, Any], console: Console | None = None) -> None:
    """Print one document of `audit_speed` as tables."""
    screen = console or Console()
    computer = document["machine"]
    screen.print(f"{computer['cores']} cores, Python {computer['python']}, {document['repeats']} run(s) each way")
    screen.print(_benchmarks(document))
    wide = _differing(document)
    if wide.row_count:
        screen.print(wide)
    screen.print(_targets(document))
    compiled = document["compile_seconds"]
    if compiled is not None:
        screen.print(f"compiling the solvers, once a machine: {compiled:.1f} s")
    default = document.get("default_protocol")
    if default:
        screen.print(
            f"default protocol on {default['path']}: {default['verdict']}, {default['seconds']:.1f} s with imports, "
            f"{default['peak_mb']:.0f} MB"
        )


def _benchmarks(document: dict[str, Any]) -> Table:
    table = Table("benchmark", title="paper protocol, 39 fits: computing time")
    for name in ("items", "labels", "plain s", "ours s", "ratio", "largest kappa difference"):
        table.add_column(name, justify="right")
    for one in document["benchmarks"]:
        seconds = one["seconds"]
        table.add_row(
            one["name"], f"{one['items']:,}", str(one["labels"]), _number(seconds["plain"], 2),
            _number(seconds["ours"], 2), _number(one["ratio"], 1), _number(one["kappa_difference_max"], 3),
        )  # fmt: skip
    table.add_section()
    seconds, peak = document["seconds"], document["peak_mb"]
    table.add_row("total", "", "", _number(seconds["plain"], 2), _number(seconds["ours"], 2),
                  _number(document["ratio"], 1), _number(document["kappa_difference_max"], 3))  # fmt: skip
    table.add_row("peak memory, MB", "", "", _number(peak["plain"], 0), _number(peak["ours"], 0))
    return table


def _differing(document: dict[str, Any]) -> Table:
    """Vectors whose kappas differ by more than the target."""
    limit = document["targets"]["kappa"]["target"]
    table = Table("benchmark", "vector", title=f"kappas more than {limit} apart")
    for name in ("plain", "ours", "difference", "items predicted otherwise", "chosen: plain", "chosen: ours"):
        table.add_column(name, justify="right")
    for one in document["benchmarks"]:
        for name, vector in one["vectors"].items():
            if vector["kappa_difference"] is None or vector["kappa_difference"] <= limit:
                continue
            plain, ours = vector["plain"], vector["ours"]
            table.add_row(
                one["name"], name, _number(plain["cohen"], 3), _number(ours["cohen"], 3),
                _number(vector["kappa_difference"], 3),
                f"{vector['items_predicted_otherwise']} of {one['test_items']}",
                f"{plain['regularisation']}, {plain['validation_accuracy']:.3f}",
                f"{ours['regularisation']}, {ours['validation_accuracy']:.3f}",
            )  # fmt: skip
    return table


def _targets(document: dict[str, Any]) -> Table:
    table = Table("target", title="targets")
    for name in ("wanted", "measured", "met"):
        table.add_column(name, justify="right")
    for name, one in document["targets"].items():
        wanted = f"{'>=' if name == 'ratio' else '<='} {one['target']:g}"
        met = {True: "yes", False: "NO", None: "not measured"}[one["met"]]
        table.add_row(name, wanted, _number(one["measured"], 3), met)
    return table


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"
