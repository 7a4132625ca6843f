"""OpenAI evals: the run log, a `spec` and then events, which come in any order because samples run side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from audit.answers.asked import as_asked
from audit.answers.importers.values import as_golds, as_label, as_verdict, no_verdict_in
from audit.answers.reply import Reply
from audit.formats.json_rows import decode
from audit.formats.table import as_name
from generators.errors import InputError, not_utf8

__all__ = ["replies_of_run_log"]


@dataclass
class _Sample:
    line: int
    prompt: str | None = None
    sampled: list[str | None] = field(default_factory=list)
    """What was sampled, in the order of the events."""
    matched: str | None = None
    """What the `match` event says was sampled."""
    golds: tuple[str, ...] = ()
    judged: bool | None = None
    undecided: str = ""
    has_match: bool = False
    graded: bool = False
    """Whether a model has judged the reply: what was sampled last is the choice of the judge then."""

    @property
    def reply(self) -> str | None:
        """What was sampled last (a run may ask twice), but for the choice of a judge; else what was matched."""
        own = self.sampled[:-1] if self.graded and len(self.sampled) > 1 else self.sampled
        said = [text for text in own if text is not None]
        return said[-1] if said else self.matched


@dataclass
class _Run:
    model: str = ""
    benchmark: str = ""
    log: str = ""
    most: int = 0
    """Samples that it was to ask at most; 0 where it does not say."""
    ended: bool = False
    """Whether it has a final report, which is written last."""
    samples: dict[str, _Sample] = field(default_factory=dict)


def replies_of_run_log(numbered: Iterable[tuple[int, bytes]], path: str) -> Iterator[Reply]:
    """One reply per sample, in the order in which they were first asked.

    The prompt is that of the first `sampling` event, the reply what was sampled last (a run may ask twice), golds and
    verdict those of the first `match` event. Where a model has graded the reply, the last sample is the grader's, and
    the verdict the score of the `metrics` event with its `choice`. Reports (`final_report`) may stand anywhere. Raises
    InputError for broken JSON, with its line, and for a log without `sampling` events.
    """
    run = _Run()
    for number, line in numbered:
        if not line.strip():
            continue
        try:
            event = decode(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, path, number)
        except UnicodeDecodeError as error:
            raise not_utf8(error, f"{path}: line {number}") from error
        if not isinstance(event, dict):
            raise InputError("is not a JSON object, as every event of a run log is", f"{path}: line {number}")
        _take(run, event, number)
    if not any(sample.reply is not None for sample in run.samples.values()):
        raise InputError("an OpenAI evals run log without `sampling` events: there are no answers in it", path)
    about = [f"{path}: {said}" for said in _shortfalls(run)]
    partial = bool(about)
    for name, sample in run.samples.items():
        yield Reply(
            place=f"{path}: line {sample.line}",
            line=sample.line,
            reply=sample.reply,
            id=name,
            prompt=sample.prompt,
            model=run.model,
            benchmark=run.benchmark,
            harness="OpenAI evals",
            log=run.log,
            golds=sample.golds,
            judged=sample.judged,
            undecided=sample.undecided,
            about=about,
            partial=partial,
        )


def _shortfalls(run: _Run) -> Iterator[str]:
    """That the run did not end, and that it may have asked only a part of its samples."""
    held = len(run.samples)
    if not run.ended:
        of = f" of at most {run.most:,}" if held < run.most else ""
        yield f"the run did not end: its log has no final report; {held:,} samples{of} are in the log"
    if 0 < run.most <= held:
        yield f"the run was to ask at most {run.most:,} samples (max_samples), perhaps not all of its data set"


def _take(run: _Run, event: dict[str, Any], number: int) -> None:
    spec = event.get("spec")
    if isinstance(spec, dict):
        asked = spec.get("completion_fns")
        run.model = as_label(asked[0] if isinstance(asked, list) and asked else asked)
        run.benchmark = as_label(spec.get("base_eval") or spec.get("eval_name"))
        run.log = as_label(spec.get("run_id"))
        config = spec.get("run_config")
        most = config.get("max_samples") if isinstance(config, dict) else None
        run.most = most if type(most) is int and most > 0 else 0
        return
    run.ended = run.ended or "final_report" in event
    data, name, kind = event.get("data"), as_name(event.get("sample_id")), event.get("type")
    if not isinstance(data, dict) or name is None or kind not in ("sampling", "match", "metrics"):
        return
    if kind == "metrics" and "choice" not in data:
        return
    sample = run.samples.setdefault(name, _Sample(number))
    if kind == "sampling":
        if sample.prompt is None:
            sample.prompt, sample.line = as_asked(data.get("prompt")), number
        sample.sampled.append(_first(data.get("sampled")))
    elif kind == "metrics":
        sample.graded = True
        if not sample.has_match:
            sample.judged, sample.undecided = as_verdict(data.get("score")), no_verdict_in(data.get("score"))
    elif not sample.has_match:
        sample.has_match = True
        sample.golds, sample.judged = as_golds(data.get("expected")), as_verdict(data.get("correct"))
        sample.undecided = no_verdict_in(data.get("correct"))
        sample.matched = _first(data.get("sampled"))


def _first(sampled: Any) -> str | None:
    """What was sampled: a text, or the first of several samples."""
    if isinstance(sampled, list):
        sampled = sampled[0] if sampled else None
    return sampled if isinstance(sampled, str) else None
