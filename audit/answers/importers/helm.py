"""HELM: the requests and results of a run (`scenario_state.json`), and its statistics per instance beside it.

With options in one prompt the reply is a letter, which the log maps to its option. With a request per option the reply
is the option that the statistics say the run predicted, or else the one with the highest log probability per token.
Where the run has asked for the options without the question, too (calibration), their log probability is subtracted.
The verdict is that of `per_instance_stats.json` (`helm_statistics`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from audit.answers.asked import as_asked
from audit.answers.importers.helm_statistics import Key, beside, perturbation, statistics_beside
from audit.answers.importers.values import as_golds, as_label, as_number, as_options
from audit.answers.reply import Reply
from audit.formats.harnesses.helm import is_correct, text_of
from audit.formats.table import as_name
from audit.sources.content import STDIN
from generators.errors import InputError

__all__ = ["replies_of_states"]

_ORIGINAL = "original"
"""The condition of an instance beside its perturbed forms."""


def replies_of_states(value: dict[str, Any], path: str) -> Iterator[Reply]:
    """One reply per instance, perturbation and training set, in the order of the requests.

    A perturbed instance has its own id and condition, each training set but the first is a run. Raises InputError
    where there are no request states, and where one is not an object with an instance.
    """
    if not isinstance(value.get("request_states"), list) or not value["request_states"]:
        raise InputError("a HELM scenario state without request states: there are no answers in it", path)
    specification = value.get("adapter_spec")
    specification = specification if isinstance(specification, dict) else {}
    model = as_label(specification.get("model") or specification.get("model_deployment"))
    benchmark, log = _benchmark(path), as_label(Path(path).parent.name)
    statistics = statistics_beside(path)
    groups: dict[Key, list[tuple[int, dict[str, Any]]]] = {}
    for number, state in enumerate(value["request_states"], 1):
        if not isinstance(state, dict) or not isinstance(state.get("instance"), dict):
            raise InputError("is not a request state with an instance", f"{path}: row {number}")
        instance = state["instance"]
        trial = state.get("train_trial_index", 0)
        key = (
            as_name(instance.get("id")) or f"row {number}",
            perturbation(instance.get("perturbation")),
            trial if type(trial) is int else 0,
        )
        groups.setdefault(key, []).append((number, state))
    limited = list(_limited(specification, groups))
    about = [f"{path}: {said}" for said in (*limited, *statistics.faults)]
    perturbs = any(called for _, called, _ in groups)
    for key, states in groups.items():
        number, first = states[0]
        instance = first["instance"]
        given = instance.get("references")
        references = [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
        texts = [text_of(reference.get("output")) for reference in references]
        golds = [text for text, reference in zip(texts, references) if is_correct(reference)]
        request = first.get("request")
        asked = as_asked(text_of(instance.get("input")))
        if asked is None and isinstance(request, dict):
            asked = as_asked(request.get("prompt"))
        yield Reply(
            place=f"{path}: row {number}",
            line=number,
            reply=_said([state for _, state in states], texts, statistics.predicted.get(key)),
            id=f"{key[0]} ({key[1]})" if key[1] else key[0],
            original=key[0] if key[1] else "",
            condition=key[1] or (_ORIGINAL if perturbs else ""),
            prompt=asked,
            model=model or as_label(request.get("model") if isinstance(request, dict) else None),
            run=f"training set {key[2]}" if key[2] else "",
            log=log,
            benchmark=benchmark,
            harness="HELM",
            golds=as_golds(golds),
            choices=as_options(texts) if len(golds) < len(texts) else (),
            judged=statistics.right.get(key),
            undecided=statistics.undecided.get(key, ""),
            about=about,
            partial=bool(limited),
        )


def _limited(specification: dict[str, Any], groups: Iterable[Key]) -> Iterator[str]:
    """That the run may have asked only a part of its instances: it has as many as it was to ask at most."""
    most = specification.get("max_eval_instances")
    if type(most) is int and 0 < most <= len({instance for instance, _, _ in groups}):
        yield f"the run was to ask at most {most:,} instances (max_eval_instances), perhaps not all of its scenario"


def _said(states: Sequence[dict[str, Any]], references: Sequence[Any], predicted: int | None) -> str | None:
    by_reference = [state for state in states if type(state.get("reference_index")) is int]
    if len(by_reference) > 1:
        best = predicted if predicted is not None else _likeliest(by_reference, references)
        said = references[best] if best is not None and 0 <= best < len(references) else None
        return said if isinstance(said, str) else None
    completion = _completion(states[0])
    said = completion.get("text")
    if not isinstance(said, str):
        return None
    mapping = states[0].get("output_mapping")
    option = mapping.get(said.strip()) if isinstance(mapping, dict) else None
    return option if isinstance(option, str) else said


def _likeliest(states: Sequence[dict[str, Any]], references: Sequence[Any]) -> int | None:
    """The place of the reference with the highest score, the first of equals; None where one has none.

    The score is the log probability per token, or that beyond calibration (`BasicReferenceMetric` of HELM).
    """
    calibrated = any(state.get("request_mode") == "calibration" for state in states)
    scores: dict[int, float] = {}
    for state in states:
        place = state["reference_index"]
        reference = references[place] if 0 <= place < len(references) else None
        value = _log_probability(_completion(state), reference, per_token=not calibrated)
        if value is None:
            return None
        scores[place] = scores.get(place, 0.0) + (-value if state.get("request_mode") == "calibration" else value)
    return max(scores, key=lambda place: (scores[place], -place))


def _completion(state: dict[str, Any]) -> dict[str, Any]:
    result = state.get("result")
    if not isinstance(result, dict) or result.get("success") is False:
        return {}
    completions = result.get("completions")
    first = completions[0] if isinstance(completions, list) and completions else None
    return first if isinstance(first, dict) else {}


def _log_probability(completion: dict[str, Any], reference: Any, *, per_token: bool) -> float | None:
    """Of the last tokens, which are the reference, or of all that was sent where these are not logged."""
    tokens, values, text = completion.get("tokens"), [], ""
    for token in reversed(tokens if isinstance(tokens, list) else []):
        value = as_number(token.get("logprob")) if isinstance(token, dict) else None
        if value is None or not isinstance(token.get("text"), str):
            break
        values.append(value)
        text = token["text"] + text
        if isinstance(reference, str) and text.strip() == reference.strip():
            return sum(values) / (len(values) if per_token else 1)
    return as_number(completion.get("logprob"))


def _benchmark(path: str) -> str:
    """The scenario by the name of the run, without its model: `mmlu:subject=anatomy`. Its folder has the same name."""
    value = beside(path, "run_spec.json")
    name = value.get("name") if isinstance(value, dict) else None
    if not isinstance(name, str):
        name = "" if path == STDIN else Path(path).absolute().parent.name
        if "model=" not in name:
            return ""
    scenario, _, arguments = name.partition(":")
    kept = ",".join(part for part in arguments.split(",") if part and not part.startswith("model"))
    return as_label(f"{scenario}:{kept}" if kept else scenario)
