"""What of a benchmark can be audited option by option, or why it cannot."""

from __future__ import annotations

from dataclasses import replace

from audit.benchmark import Benchmark, LeftOut, Options
from audit.notation import per_cent, things
from audit.options.items.grouping import shown_items
from audit.options.items.pool import Pool
from audit.reading.task_kind import FEWEST
from audit.result.audit_result import Settings
from generators.errors import NotAssessedError

__all__ = ["shown", "usable_options"]


def usable_options(benchmark: Benchmark, settings: Settings) -> Options:
    """The options, if they can be audited; raises NotAssessedError with a reason if not."""
    options = benchmark.options
    if options is None:
        raise NotAssessedError("The items have options of their own that could not be read; name them with --choices.")
    if options.refusal:
        raise NotAssessedError(options.refusal)
    if settings.protocol == "paper":
        raise NotAssessedError(
            "Each item has its own options, which the paper's protocol does not know; use the grouped protocol."
        )
    used, total = len(options.usable), len(options.faults)
    if total - used > settings.max_left_out * total:
        faults = [fault for fault in options.faults if fault]
        common = max(dict.fromkeys(faults), key=faults.count)
        raise NotAssessedError(
            f"{total - used:,} of {total:,} items cannot be used (at most {per_cent(settings.max_left_out, 0)} may be "
            f"left out), most often because {common}; the options were read as: {options.how}. Name the columns with "
            f"--choices and --answer, or repair the items."
        )
    if used < FEWEST:
        raise NotAssessedError(f"Only {things(used, 'item')} can be used: the audit needs at least {FEWEST}.")
    return options


def shown(benchmark: Benchmark, options: Options, pool: Pool) -> Benchmark:
    """The items of the pool with question and options as their prompt, and the others among those left out."""
    faulty = [LeftOut(benchmark.ids[number], fault) for number, fault in enumerate(options.faults) if fault]

    def of_pool(values: list[str]) -> list[str]:
        return [values[number] for number in pool.source]

    return replace(
        benchmark,
        prompts=shown_items(pool),
        answers=[pool.texts[row] for row in pool.gold.tolist()],
        ids=of_pool(benchmark.ids),
        groups=None if benchmark.groups is None else of_pool(benchmark.groups),
        splits=None if benchmark.splits is None else of_pool(benchmark.splits),
        choices=None,
        accepted=None,
        options=None,
        left_out=(*benchmark.left_out, *faulty),
    )
