"""Audits of scenarios, in one process or several; every process has one thread, and makes its own items."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from error_rates.catalogue import catalogue, rank
from error_rates.records import TEMPLATES, Record
from error_rates.scenario import Row, Scenario
from error_rates.texts import Texts, read_texts
from hansproof.generators.stream import Stream

__all__ = ["Plan", "Task", "audited", "items", "run", "tasks"]

Task = tuple[str, int]
"""The name of a scenario and the number of a repeat, from 0."""


@dataclass(frozen=True)
class Plan:
    """What all audits of a run have in common."""

    texts: tuple[str, ...]
    """Paths of the files with real texts."""
    seed: int
    settings: Mapping[str, Any]
    """Further options of `hansproof.audit`; empty for its defaults."""


def tasks(scenarios: Sequence[Scenario], done: Sequence[Record]) -> list[Task]:
    """The audits that are still to do: the most important scenarios first, those of one rank in turn.

    A run that stops early has then done about the same share of each.
    """
    finished = {(record.scenario, record.repeat) for record in done}
    shares = [
        (rank(scenario), (repeat + 0.5) / scenario.repeats, scenario.name, repeat)
        for scenario in scenarios
        for repeat in range(scenario.repeats)
    ]
    planned = [(name, repeat) for _, _, name, repeat in sorted(shares)]
    return [task for task in planned if task not in finished]


def items(scenario: Scenario, repeat: int, seed: int) -> list[Row]:
    """The items of one repeat: others each time, or the same in another order."""
    stream = Stream(seed, "error-rates", scenario.name)
    if not scenario.same_data:
        return scenario.make(stream.child(repeat))
    made = scenario.make(stream.child(0))
    return stream.child("order").child(repeat).shuffled(made) if repeat else made


def audited(scenario: Scenario, repeat: int, plan: Plan) -> Record:
    """Audit one repeat. Only scenarios on the same items vary the seed of the audit."""
    from hansproof import audit

    made = items(scenario, repeat, plan.seed)
    group, choices = (name if name in made[0] else None for name in ("group", "choices"))
    settings = {**plan.settings, "seed": repeat + 1} if scenario.same_data else dict(plan.settings)
    settings["task"] = scenario.task
    began = time.process_time()
    result = audit(made, prompt="prompt", answer="answer", group=group, choices=choices, workers=1, **settings)
    seconds = time.process_time() - began
    vectors = {}
    if result.schemes:
        for vector in result.schemes[0].vectors:
            if vector.counted:
                numbers = (vector.matched, vector.matched_low, vector.matched_high)
                vectors[vector.vector] = tuple(None if number is None else round(number, 4) for number in numbers)
    if result.open_ended:
        ways = {way.name: way for way in result.open_ended.strategies} | {TEMPLATES: result.open_ended.templates}
        for name, way in ways.items():
            if way is not None:
                measured = (way.advantage, way.low, way.high)
                vectors[name] = tuple(None if number is None else round(number, 4) for number in measured)
    return Record(scenario.name, repeat, result.verdict, result.reason, len(made), round(seconds, 2), vectors)


def run(plan: Plan, todo: Sequence[Task], jobs: int, texts: Sequence[Texts] = ()) -> Iterator[Record]:
    """The records of all tasks as they come. Close the iterator to stop; audits under way are finished first."""
    if jobs == 1:
        scenarios = {scenario.name: scenario for scenario in catalogue(texts or read_texts(plan.texts))}
        for name, repeat in todo:
            yield audited(scenarios[name], repeat, plan)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(plan,)) as pool:
        futures = [pool.submit(_audit, task) for task in todo]
        try:
            for future in as_completed(futures):
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)


_PROCESS: dict[str, Any] = {}
"""The plan and the scenarios of this process."""


def _begin(plan: Plan) -> None:
    scenarios = {scenario.name: scenario for scenario in catalogue(read_texts(plan.texts))}
    _PROCESS.update(plan=plan, scenarios=scenarios)


def _audit(task: Task) -> Record:
    name, repeat = task
    return audited(_PROCESS["scenarios"][name], repeat, _PROCESS["plan"])
