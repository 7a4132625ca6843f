"""The figures of `audit_speed` on the terminal: benchmarks, vectors that differ, targets."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table

__all__ = ["show"]


def show(document: dict[str, Any], console: Console | None = None) -> None:
    """Print one document of `audit_speed` as tables."""
    # A file or a pipe has no width of its own, so nothing needs to be cut.
    screen = console or (Console() if Console().is_terminal else Console(width=140))
    computer = document["machine"]
    screen.print(f"{computer['cores']} cores, Python {computer['python']}, {document['repeats']} run(s) of each way")
    screen.print(_benchmarks(document, "computing time", "seconds", "ratio"))
    screen.print(_benchmarks(document, "processor time of all threads", "processor_seconds", "processor_ratio"))
    differing = _differing(document)
    if differing.row_count:
        screen.print(differing)
    screen.print(_targets(document))
    compiled = document["compile_seconds"]
    if compiled is not None:
        screen.print(f"compiling the solvers, once per machine: {compiled:.1f} s")
    default = document.get("default_protocol")
    if default:
        screen.print(
            f"default protocol on {default['path']}: {default['verdict']}, {default['seconds']:.1f} s with imports, "
            f"{default['peak_mb']:.0f} MB"
        )


def _benchmarks(document: dict[str, Any], what: str, time: str, ratio: str) -> Table:
    others = list(reversed(document["ratio"]))
    table = Table("benchmark", title=f"paper protocol, 39 fits: {what}")
    for name in ("items", "labels", *(f"{way} s" for way in (*others, "ours")), *(f"{way} / ours" for way in others)):
        table.add_column(name, justify="right")
    table.add_column("largest kappa difference", justify="right")

    def row(name: str, items: str, labels: str, figures: dict[str, Any]) -> None:
        seconds = [_number(figures[time][way], 2) for way in (*others, "ours")]
        ratios = [_number(figures[ratio][way], 1) for way in others]
        table.add_row(name, items, labels, *seconds, *ratios, _number(figures["kappa_difference_max"], 3))

    for benchmark in document["benchmarks"]:
        row(benchmark["name"], f"{benchmark['items']:,}", str(benchmark["labels"]), benchmark)
    table.add_section()
    row("total", "", "", document)
    table.add_row("peak memory, MB", "", "", *(_number(document["peak_mb"][way], 0) for way in (*others, "ours")))
    return table


def _differing(document: dict[str, Any]) -> Table:
    """Vectors whose kappas differ from ours by more than the target."""
    limit = document["targets"]["kappa"]["target"]
    table = Table("benchmark", "vector", "way", title=f"kappas more than {limit} apart")
    for name in ("kappa", "ours", "difference", "items predicted otherwise", "chosen", "chosen: ours"):
        table.add_column(name, justify="right")
    for benchmark in document["benchmarks"]:
        for name, vector in benchmark["vectors"].items():
            for way, difference in vector["kappa_difference"].items():
                if difference is None or difference <= limit:
                    continue
                other, ours = vector[way], vector["ours"]
                table.add_row(
                    benchmark["name"], name, way, _number(other["cohen"], 3), _number(ours["cohen"], 3),
                    _number(difference, 3),
                    f"{vector['items_predicted_otherwise'][way]} of {benchmark['test_items']}",
                    f"{other['regularisation']}, {other['validation_accuracy']:.3f}",
                    f"{ours['regularisation']}, {ours['validation_accuracy']:.3f}",
                )  # fmt: skip
    return table


def _targets(document: dict[str, Any]) -> Table:
    table = Table("target", title="targets")
    for name in ("wanted", "measured", "met"):
        table.add_column(name, justify="right")
    for name, target in document["targets"].items():
        wanted = f"{'>=' if name == 'ratio' else '<='} {target['target']:g}"
        met = {True: "yes", False: "NO", None: "not measured"}[target["met"]]
        table.add_row(name, wanted, _number(target["measured"], 3), met)
    return table


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"
