"""HELM: the items of `instances.json`, and the replies and statistics of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.content import STDIN, read, utf8
from hansproof.audit.formats.json_rows import decode
from hansproof.audit.formats.table import Row, Table, as_name, as_plain, is_blank
from hansproof.audit.harnesses.log_values import (
    as_golds,
    as_label,
    as_number,
    as_options,
    as_verdict,
    inner,
    list_in,
    object_in,
)
from hansproof.audit.harnesses.reply import Reply, as_asked
from hansproof.generators.errors import InputError

__all__ = ["is_instances", "is_states", "items_of_instances", "replies_of_states"]

# The items: `instances.json` and `scenario_state.json`, whose references tagged `correct` are the gold answers.

_ROLES = (("prompt", "prompt"), ("answer", "answer"), ("choices", "choices"), ("id", "id"), ("split", "split"))


def is_instances(value: Any) -> bool:
    """True for a list of instances."""
    return isinstance(value, list) and bool(value) and all(map(_is_instance, value[:5]))


def is_states(value: Any) -> bool:
    """True for an object with `request_states`."""
    return isinstance(value, dict) and "request_states" in value


def _check_states(value: dict[str, Any], path: str) -> None:
    """Raise InputError for a scenario state without request states."""
    if not list_in(value, "request_states"):
        raise InputError("a HELM scenario state without request states: nothing was asked", path)


def items_of_instances(value: Any, place: str) -> Table:
    """One row per instance: a run asks one instance several times, for its references and training sets.

    Instances that a perturbation has changed are set aside, with a note, where originals exist. An instance without a
    correct reference is left out and listed. Raises InputError for a scenario state without request states.
    """
    scenario = isinstance(value, dict)
    if scenario:
        _check_states(value, place)
    entries = [inner(state, "instance") for state in value["request_states"]] if scenario else value
    rows: list[Row] = []
    left_out: list[LeftOut] = []
    seen: set[tuple[str, str]] = set()
    perturbed = 0
    originals = any(isinstance(entry, dict) and not entry.get("perturbation") for entry in entries)
    for number, entry in enumerate(entries, 1):
        place = f"row {number}"
        if not _is_instance(entry):
            left_out.append(LeftOut(place, "not a HELM instance"))
            continue
        if entry.get("perturbation") and originals:
            perturbed += 1
            continue
        prompt, name = text_of(entry["input"]), as_name(entry.get("id"))
        if scenario and (key := (name or "", prompt if isinstance(prompt, str) else "")) in seen:
            continue
        if scenario:
            seen.add(key)
        options = [(text_of(reference.get("output")), is_correct(reference)) for reference in entry["references"]]
        golds = [text for text, correct in options if correct]
        if not golds:
            left_out.append(LeftOut(place, "no reference is tagged correct"))
            continue
        values = {"prompt": prompt, "answer": golds, "id": name or place}
        if entry.get("split") is not None:
            values["split"] = entry["split"]
        if len(golds) < len(options):
            values["choices"] = [text for text, _ in options]
        rows.append(Row(place, values))
    notes = () if not perturbed else (f"{perturbed:,} perturbed copies of instances are set aside",)
    format = "HELM scenario state" if scenario else "HELM instances"
    return Table.of(format, rows, left_out, notes=notes, defaults=_ROLES)


def _is_instance(entry: Any) -> bool:
    """True for an object with an input and a list of references that have outputs and tags."""
    if not isinstance(entry, dict) or text_of(entry.get("input")) is None:
        return False
    references = entry.get("references")
    return isinstance(references, list) and all(
        isinstance(reference, dict) and "output" in reference and isinstance(reference.get("tags"), list)
        for reference in references
    )


def text_of(value: Any) -> Any:
    """The `text` of an input or output; older files have the text itself."""
    return value.get("text") if isinstance(value, dict) else value


def is_correct(reference: dict[str, Any]) -> bool:
    """Whether a reference is one of the right answers."""
    return "correct" in list_in(reference, "tags")


# A run has several statistics of match. The main one is that of the leaderboard, which `helm-summarize` states in the
# suite's `schema.json` for each group of runs (`environment.main_name`); without it the most lenient one counts.

Key = tuple[str, str, int]
"""Instance, perturbation, training set."""

_MATCHES = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
"""Statistics that mark a single answer, from the strictest to the most lenient."""
_INSTEAD = {"quasi_exact_match": "exact_match"}
"""What HELM takes where a run lacks its main statistic."""

_SHOWN = 40
"""Characters of a mark that is no verdict."""
_PREDICTED = "predicted_index"
"""The statistic with the place of the reference that a run with a request per option predicts."""


@dataclass
class Statistics:
    """What is known of the instances of a run."""

    right: dict[Key, bool] = field(default_factory=dict)
    """By the main statistic, or the most lenient one that there is."""
    predicted: dict[Key, int] = field(default_factory=dict)
    """The place of the reference that the run predicts, from 0; -1 where the statistic is no whole number."""
    undecided: dict[Key, str] = field(default_factory=dict)
    """Statistic and mark of those without a verdict that have a mark which is none."""
    faults: list[str] = field(default_factory=list)
    """Files of the run that cannot be read, and so are not used, a sentence each."""


def statistics_beside(path: str) -> Statistics:
    """The statistics of the run whose scenario state is at `path`; nothing where they cannot be read."""
    known = Statistics()
    main = _main_names(path, known.faults)
    marks: dict[str, dict[Key, Any]] = {}
    given = beside(path, "per_instance_stats.json", known.faults)
    for key, name, value in _stats(given if isinstance(given, list) else ()):
        if name == _PREDICTED:
            number = as_number(value)
            known.predicted[key] = int(number) if number is not None and number.is_integer() else -1
        if name in _MATCHES or name in main:
            marks.setdefault(name, {})[key] = value
    values = {name: {key: as_verdict(mark) for key, mark in of.items()} for name, of in marks.items()}
    for name in main:
        # A main statistic with marks in between, such as F1, makes nobody right or wrong.
        if name in values and None not in values[name].values():
            known.right = {key: verdict for key, verdict in values[name].items() if verdict is not None}
            return known
    for name in _MATCHES:
        known.right |= {key: verdict for key, verdict in values.get(name, {}).items() if verdict is not None}
    for name in (*main, *reversed(_MATCHES)):
        for key, mark in marks.get(name, {}).items():
            if key not in known.right and (written := as_plain(mark)) is not None and not is_blank(mark):
                mixed = "" if as_verdict(mark) is None else ", of a statistic with marks in between,"
                known.undecided.setdefault(key, f"{name} {written[:_SHOWN]!r}{mixed}")
    return known


def perturbation(value: Any) -> str:
    """The name of a perturbation, for a table; empty for none."""
    return (as_label(inner(value, "name")) or "perturbed") if value else ""


def beside(path: str, name: str, faults: list[str] | None = None) -> Any:
    """The JSON of another file of the run; None where there is none, and, as one of the `faults`, where it cannot be
    read. Nothing is beside standard input."""
    file = Path(path).with_name(name) if path != STDIN else None
    try:
        return decode(utf8(read(str(file))), str(file)) if file is not None and file.is_file() else None
    except (InputError, UnicodeDecodeError, OSError, ValueError) as error:
        if faults is not None:
            reason = error.reason if isinstance(error, InputError) else error
            faults.append(f"{name} of this run cannot be read and is not used: {reason}")
        return None


def _stats(entries: Iterable[Any]) -> Iterator[tuple[Key, str, Any]]:
    """(instance, statistic, mean) of all that is well-formed."""
    for entry in entries:
        if not isinstance(entry, dict):
            continue
        key = as_name(entry.get("instance_id")) or "", perturbation(entry.get("perturbation")), _trial(entry)
        for stat in list_in(entry, "stats"):
            if isinstance(called := inner(stat, "name", "name"), str):
                yield key, called, stat.get("mean", stat.get("sum"))


def _trial(entry: dict[str, Any]) -> int:
    """The number of the training set that was shown."""
    trial = entry.get("train_trial_index", 0)
    return trial if type(trial) is int else 0


def _main_names(path: str, faults: list[str]) -> list[str]:
    """The main statistics of the groups to which a run belongs, in their order, each with what stands in for it."""
    run = beside(path, "run_spec.json", faults)
    groups = list_in(run, "groups")
    folder = Path(path).absolute().parent
    # Runs lie in the folder of their suite, where the schema is, too.
    schema = beside(str(folder), "schema.json", faults) or beside(path, "schema.json", faults) if groups else None
    named: dict[str, str] = {}
    for group in list_in(schema, "run_groups"):
        main = inner(group, "environment", "main_name")
        if isinstance(main, str) and isinstance(group.get("name"), str):
            named[group["name"]] = main
    names = [named[group] for group in groups if isinstance(group, str) and group in named]
    return list(dict.fromkeys(each for name in names for each in (name, _INSTEAD.get(name, name))))


# With options in one prompt the reply is a letter, which the log maps to its option. With a request per option it is
# the option that the statistics say the run predicted, or else the one with the highest log probability per token, less
# that without the question where the run has asked for it (calibration).

_ORIGINAL = "original"
"""The condition of an instance beside its perturbed forms."""


def replies_of_states(value: dict[str, Any], path: str) -> Iterator[Reply]:
    """One reply per instance, perturbation and training set, in the order of the requests.

    A perturbed instance has its own id and condition, each training set but the first is a run. Raises InputError
    where there are no request states, and where one is not an object with an instance.
    """
    _check_states(value, path)
    specification = object_in(value, "adapter_spec")
    model = as_label(specification.get("model") or specification.get("model_deployment"))
    benchmark, log = _benchmark(path), as_label(Path(path).parent.name)
    statistics = statistics_beside(path)
    groups: dict[Key, list[tuple[int, dict[str, Any]]]] = {}
    for number, state in enumerate(value["request_states"], 1):
        if not isinstance(state, dict) or not isinstance(state.get("instance"), dict):
            raise InputError("is not a request state with an instance", f"{path}: row {number}")
        instance = state["instance"]
        key = as_name(instance.get("id")) or f"row {number}", perturbation(instance.get("perturbation")), _trial(state)
        groups.setdefault(key, []).append((number, state))
    limited = list(_limited(specification, groups))
    about = [f"{path}: {said}" for said in (*limited, *statistics.faults)]
    perturbs = any(called for _, called, _ in groups)
    for key, states in groups.items():
        number, first = states[0]
        instance = first["instance"]
        references = [each for each in list_in(instance, "references") if isinstance(each, dict)]
        texts = [text_of(reference.get("output")) for reference in references]
        golds = [text for text, reference in zip(texts, references) if is_correct(reference)]
        asked = as_asked(text_of(instance.get("input")))
        if asked is None:
            asked = as_asked(inner(first, "request", "prompt"))
        yield Reply(
            place=f"{path}: row {number}",
            line=number,
            reply=_said([state for _, state in states], texts, statistics.predicted.get(key)),
            id=f"{key[0]} ({key[1]})" if key[1] else key[0],
            original=key[0] if key[1] else "",
            condition=key[1] or (_ORIGINAL if perturbs else ""),
            prompt=asked,
            model=model or as_label(inner(first, "request", "model")),
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
    option = object_in(states[0], "output_mapping").get(said.strip())
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
    completions = list_in(state, "result", "completions")
    return object_in(completions[0]) if completions and inner(state, "result", "success") is not False else {}


def _log_probability(completion: dict[str, Any], reference: Any, *, per_token: bool) -> float | None:
    """Of the last tokens, which are the reference, or of all that was sent where these are not logged."""
    values, text = [], ""
    for token in reversed(list_in(completion, "tokens")):
        value = as_number(inner(token, "logprob"))
        if value is None or not isinstance(token.get("text"), str):
            break
        values.append(value)
        text = token["text"] + text
        if isinstance(reference, str) and text.strip() == reference.strip():
            return sum(values) / (len(values) if per_token else 1)
    return as_number(completion.get("logprob"))


def _benchmark(path: str) -> str:
    """The scenario by the name of the run, without its model: `mmlu:subject=anatomy`. Its folder has the same name."""
    name = inner(beside(path, "run_spec.json"), "name")
    if not isinstance(name, str):
        name = "" if path == STDIN else Path(path).absolute().parent.name
        if "model=" not in name:
            return ""
    scenario, _, arguments = name.partition(":")
    kept = ",".join(part for part in arguments.split(",") if part and not part.startswith("model"))
    return as_label(f"{scenario}:{kept}" if kept else scenario)
