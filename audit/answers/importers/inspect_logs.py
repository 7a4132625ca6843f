"""inspect_ai: the samples of a log, as JSON or out of its zip, with what the model replied and how it was scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from audit.answers.asked import as_asked
from audit.answers.importers.values import as_golds, as_label, as_options, as_verdict, no_verdict_in
from audit.answers.reply import Reply
from audit.formats.harnesses.inspect_ai import is_part, is_unusable, lettered, resolved, shortfalls, unusable
from audit.formats.table import as_name, is_too_deep
from generators.errors import InputError

__all__ = ["replies_of_log", "replies_of_samples"]

_CHOICE = "choice"
"""The scorer of inspect_ai that compares the letters of a reply with those of the target."""
_SETS = "its answers are sets of options, which are not read"


def replies_of_log(log: dict[str, Any], path: str) -> Iterator[Reply]:
    """The replies of a log that is one JSON document. Raises InputError as `replies_of_samples`, and without any."""
    if is_unusable(log):
        raise unusable(log, path)
    yield from replies_of_samples(log["samples"], log, path)


def replies_of_samples(samples: Sequence[Any], log: Any, path: str) -> Iterator[Reply]:
    """One reply per sample and epoch; a sample that ended with an error has none.

    With several epochs each is a run of its own. The verdict is that of one scorer (`_scorers`). Targets that are
    letters of options become the options; where an answer is a set of them, no gold is given. `log` is the log, or its
    header. Raises InputError where a sample is not a JSON object.
    """
    evaluation = log.get("eval") if isinstance(log, dict) else None
    evaluation = evaluation if isinstance(evaluation, dict) else {}
    model, task = as_label(evaluation.get("model")), as_label(evaluation.get("task"))
    run = as_label(evaluation.get("run_id") or evaluation.get("created"))
    wrong = next((number for number, sample in enumerate(samples, 1) if not isinstance(sample, dict)), 0)
    if wrong:
        raise InputError("is not a JSON object", f"{path}: sample {wrong}")
    epochs = {sample.get("epoch", 1) for sample in samples if isinstance(sample.get("epoch", 1), int)}
    by_letter = _are_letters(samples)
    about = [f"{path}: {said}" for said in shortfalls(log, samples)]
    partial = is_part(log, len(samples))
    sets = _asks_for_sets(log, samples)
    scorers = _scorers(evaluation, samples)
    about += [f"{path}: {said}" for said in (*([_SETS] if sets else ()), *_told(scorers))]
    for number, sample in enumerate(samples, 1):
        epoch, prompt = sample.get("epoch", 1), _input(sample)
        options = () if sets else as_options(sample.get("choices"))
        golds = lettered({"choices": list(options), "answer": sample.get("target")}) if by_letter and options else None
        output = sample.get("output")
        output = output if isinstance(output, dict) else {}
        said = _said(output, sample.get("attachments"))
        yield Reply(
            place=f"{path}: sample {number}",
            line=number,
            reply=None if sample.get("error") and not said else said,  # the output is empty until there is one
            id=as_name(sample.get("id")),
            prompt=as_asked(prompt),
            model=model or as_label(output.get("model")),
            benchmark=task,
            harness="inspect_ai",
            run=f"epoch {epoch}" if len(epochs) > 1 else "",
            log=run,
            about=about,
            partial=partial,
            golds=() if sets else as_golds(sample.get("target") if golds is None else golds),
            choices=options,
            judged=as_verdict(mark := _marks(sample).get(scorers[0])),
            undecided=no_verdict_in(mark),
        )


def _input(sample: dict[str, Any]) -> Any:
    attached = sample.get("attachments")
    prompt = sample.get("input")
    if isinstance(attached, dict) and attached and not is_too_deep(prompt):
        return resolved(prompt, attached)
    return None if is_too_deep(prompt) else prompt


def _are_letters(samples: Iterable[dict[str, Any]]) -> bool:
    """Whether targets are letters of options throughout, and not their texts."""
    asked = [
        ({"choices": list(options), "answer": sample.get("target")}, options)
        for sample in samples
        if (options := as_options(sample.get("choices")))
    ]
    letters = all(lettered(values) is not None for values, _ in asked)
    return bool(asked) and letters and not all(set(as_golds(values["answer"])) <= set(of) for values, of in asked)


def _said(output: dict[str, Any], attached: Any) -> str | None:
    """The completion, or the text of the first choice's message."""
    said = output.get("completion")
    if not isinstance(said, str) or not said:
        choices = output.get("choices")
        first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
        message = first.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        # Reasoning stands in parts of its own, which have no text.
        text = None if is_too_deep(content) else as_asked(content)
        said = text if text is not None else said if isinstance(said, str) and "choices" in output else None
    if said is not None and isinstance(attached, dict):
        said = resolved(said, attached)
    return said if isinstance(said, str) else None


def _marks(sample: dict[str, Any]) -> dict[str, Any]:
    """Scorer -> its value."""
    scores = sample.get("scores") or sample.get("score")
    if not isinstance(scores, dict):
        return {}
    single = "value" in scores and not isinstance(scores["value"], dict)
    each = {"": scores} if single else scores
    return {name: score.get("value") if isinstance(score, dict) else score for name, score in each.items()}


def _scorers(evaluation: dict[str, Any], samples: Iterable[dict[str, Any]]) -> list[str]:
    """The scorers of a run, that first whose marks are the verdicts: the first all of whose marks say right or wrong,
    or else the one with the most that do. The order is that in which the run lists them."""
    listed = evaluation.get("scorers")
    names = [each.get("name") for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    given: dict[str, int] = {}
    verdicts: dict[str, int] = {}
    for sample in samples:
        for name, mark in _marks(sample).items():
            given[name] = given.get(name, 0) + 1
            verdicts[name] = verdicts.get(name, 0) + (as_verdict(mark) is not None)
    order = sorted(given, key=lambda name: names.index(name) if name in names else len(names))
    clean = (name for name in order if verdicts[name] == given[name])
    first = next(clean, max(order, key=lambda name: verdicts[name], default=""))
    return [first, *(name for name in order if name != first)]


def _told(scorers: Sequence[str]) -> Iterator[str]:
    """Where there are several scorers, whose verdicts count, and who else there is."""
    first, *others = [as_label(name) or "(unnamed)" for name in scorers]
    if others:
        left = f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} not used"
        yield f"it has {len(scorers)} scorers: the verdicts are those of {first}, and {left}"


def _asks_for_sets(log: Any, samples: Iterable[dict[str, Any]]) -> bool:
    """Whether an answer is a set of options: by the solver's `multiple_correct`, or by a `choice` scorer, for which all
    letters of a target are right together."""
    plan = log.get("plan") if isinstance(log, dict) else None
    steps = plan.get("steps") if isinstance(plan, dict) else None
    for step in steps if isinstance(steps, list) else ():
        params = step.get("params") if isinstance(step, dict) else None
        if isinstance(params, dict) and params.get("multiple_correct") is True:
            return True
    for sample in samples:
        target, options = sample.get("target"), sample.get("choices")
        letters: list[Any] = target if isinstance(target, list) else [*target] if isinstance(target, str) else []
        if _CHOICE not in _marks(sample) or not isinstance(options, list) or len(letters) < 2:
            continue
        if lettered({"choices": options, "answer": letters}) is not None and target not in options:
            return True
    return False
