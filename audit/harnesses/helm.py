"""HELM: the items of `instances.json`, and the replies and statistics of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from hansproof.audit.benchmark import LeftOut
from hansproof.audit.formats.content import STDIN
from hansproof.audit.formats.table import Row, Table, as_name, as_plain, is_blank
from hansproof.audit.harnesses.log_shape import inner, json_beside, typed
from hansproof.audit.harnesses.log_values import as_golds, as_label, as_number, as_options, as_verdict, verdict
from hansproof.audit.harnesses.reply import ROLES, Reply, as_asked
from hansproof.generators.errors import InputError

__all__ = ["is_instances", "is_states", "items_of_instances", "replies_of_states"]

# The items: `instances.json` and `scenario_state.json`, whose references tagged `correct` are the gold answers.


def is_instances(value: Any) -> bool:
    """True for a list of instances."""
    return isinstance(value, list) and bool(value) and all(map(_is_instance, value[:5]))


def is_states(value: Any) -> bool:
    """True for an object with `request_states`."""
    return isinstance(value, dict) and "request_states" in value


def _states(value: dict[str, Any], path: str) -> list[Any]:
    """The requests of a run. Raises InputError where there are none."""
    states = typed(list, value, "request_states")
    if not states:
        raise InputError("a HELM scenario state without request states: nothing was asked", path)
    return states


def items_of_instances(value: Any, place: str) -> Table:
    """One row per instance: a run asks one instance several times, for its references and training sets.

    Instances that a perturbation has changed are set aside, with a note, where originals exist. An instance without a
    correct reference is left out and listed. Raises InputError for a scenario state without request states.
    """
    scenario = isinstance(value, dict)
    entries = [inner(state, "instance") for state in _states(value, place)] if scenario else value
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
        prompt, name = _text(entry["input"]), as_name(entry.get("id"))
        key = name or "", prompt if isinstance(prompt, str) else ""
        if scenario and key in seen:
            continue
        seen.add(key)
        texts, golds = _references(entry)
        if not golds:
            left_out.append(LeftOut(place, "no reference is tagged correct"))
            continue
        choices = texts if len(golds) < len(texts) else None
        more = {"split": entry.get("split"), "choices": choices}
        held = {key: value for key, value in more.items() if value is not None}
        rows.append(Row(place, {"prompt": prompt, "answer": golds, "id": name or place, **held}))
    notes = () if not perturbed else (f"{perturbed:,} perturbed copies of instances are set aside",)
    format = "HELM scenario state" if scenario else "HELM instances"
    return Table.of(format, rows, left_out, notes=notes, defaults=(*ROLES, ("split", "split")))


def _is_instance(entry: Any) -> bool:
    """True for an object with an input and a list of references that have outputs and tags."""
    references = inner(entry, "references")
    return (
        _text(inner(entry, "input")) is not None
        and isinstance(references, list)
        and all("output" in typed(dict, each) and isinstance(each.get("tags"), list) for each in references)
    )


def _text(value: Any) -> Any:
    """The `text` of an input or output; older files have the text itself."""
    return value.get("text") if isinstance(value, dict) else value


def _references(instance: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """The texts of the references of an instance, and of those that are tagged as correct."""
    references = [each for each in typed(list, instance, "references") if isinstance(each, dict)]
    texts = [_text(reference.get("output")) for reference in references]
    return texts, [text for text, each in zip(texts, references) if "correct" in typed(list, each, "tags")]


# A run has several statistics of match. The main one is that of the leaderboard, which `helm-summarize` states in the
# suite's `schema.json` for each group of runs (`environment.main_name`); without it the most lenient one counts.

_Key = tuple[str, str, int]
"""Instance, perturbation, training set."""

_MATCHES = ("quasi_prefix_exact_match", "prefix_exact_match", "quasi_exact_match", "exact_match")
"""Statistics that mark a single answer, from the most lenient to the strictest."""
_INSTEAD = {"quasi_exact_match": "exact_match"}
"""What HELM takes where a run lacks its main statistic."""

_SHOWN = 40
"""Characters of a mark that is no verdict."""
_PREDICTED = "predicted_index"
"""The statistic with the place of the reference that a run with a request per option predicts."""


class _Run:
    """What the files beside a scenario state say of its run."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.faults: list[str] = []
        """Those that cannot be read, and so are not used, a sentence each."""
        run = self._beside("run_spec.json")
        self.name = inner(run, "name")
        groups = typed(list, run, "groups")
        # Runs lie in the folder of their suite, where the schema is, too.
        schema = (self._beside("schema.json", above=True) or self._beside("schema.json")) if groups else None
        suite = typed(list, schema, "run_groups")
        main = {typed(str, group, "name"): typed(str, group, "environment", "main_name") for group in suite}
        names = [main[group] for group in groups if isinstance(group, str) and main.get(group)]
        self._main = list(dict.fromkeys(each for name in names for each in (name, _INSTEAD.get(name, name))))
        """The main statistics of the groups to which the run belongs, each with what stands in for it."""
        self._marks: dict[str, dict[_Key, Any]] = {name: {} for name in (*self._main, *_MATCHES, _PREDICTED)}
        """Statistic -> the mark of each instance."""
        for entry in typed(list, self._beside("per_instance_stats.json")):
            key = _key(as_name(inner(entry, "instance_id")) or "", inner(entry, "perturbation"), entry)
            for stat in typed(list, entry, "stats"):
                if (name := typed(str, stat, "name", "name")) in self._marks:
                    self._marks[name][key] = stat.get("mean", stat.get("sum"))
        # A main statistic with marks in between, such as F1, makes nobody right or wrong.
        marks = ((name, self._marks[name].values()) for name in self._main)
        self._sole = next((name for name, each in marks if each and None not in map(as_verdict, each)), "")
        """The main statistic whose marks are all verdicts; empty where the most lenient one of an instance counts."""

    def _beside(self, name: str, *, above: bool = False) -> Any:
        file = Path(self._path).absolute().parent if above else Path(self._path)
        return json_beside(file.with_name(name), self.faults) if self._path != STDIN else None

    def predicted(self, key: _Key) -> int | None:
        """The place of the reference that the run predicts, from 0; -1 where the statistic is no whole number."""
        if key not in self._marks[_PREDICTED]:
            return None
        number = as_number(self._marks[_PREDICTED][key])
        return int(number) if number is not None and number.is_integer() else -1

    def verdict(self, key: _Key) -> dict[str, Any]:
        """The fields `judged` and `undecided` of a reply, the last with its statistic."""
        given = [self._marks[name].get(key) for name in ([self._sole] if self._sole else _MATCHES)]
        judged = verdict(*given)["judged"]
        undecided = ""
        for name in () if self._sole or judged is not None else (*self._main, *_MATCHES):
            mark = self._marks[name].get(key)
            if not undecided and not is_blank(mark) and (written := as_plain(mark)) is not None:
                mixed = "" if as_verdict(mark) is None else ", of a statistic with marks in between,"
                undecided = f"{name} {written[:_SHOWN]!r}{mixed}"
        return {"judged": judged, "undecided": undecided}


def _key(name: str, perturbation: Any, entry: Any) -> _Key:
    called = (as_label(inner(perturbation, "name")) or "perturbed") if perturbation else ""
    return name, called, typed(int, entry, "train_trial_index")


# With options in one prompt the reply is a letter, which the log maps to its option. With a request per option it is
# the option that the statistics say the run predicted, or else the one with the highest log probability per token, less
# that without the question where the run has asked for it (calibration).


def replies_of_states(value: dict[str, Any], path: str) -> Iterator[Reply]:
    """One reply per instance, perturbation and training set, in the order of the requests.

    A perturbed instance has its own id and condition, each training set but the first is a run. Raises InputError
    where there are no request states, and where one is not an object with an instance.
    """
    groups: dict[_Key, list[tuple[int, dict[str, Any]]]] = {}
    for number, state in enumerate(_states(value, path), 1):
        instance = inner(state, "instance")
        if not isinstance(instance, dict):
            raise InputError("is not a request state with an instance", f"{path}: row {number}")
        key = _key(as_name(instance.get("id")) or f"row {number}", instance.get("perturbation"), state)
        groups.setdefault(key, []).append((number, state))
    specification, run = typed(dict, value, "adapter_spec"), _Run(path)
    model = as_label(specification.get("model") or specification.get("model_deployment"))
    benchmark, log = _benchmark(run.name, path), as_label(Path(path).parent.name)
    about = [f"{path}: {said}" for said in run.faults]
    most = typed(int, specification, "max_eval_instances")
    if limited := 0 < most <= len({name for name, _, _ in groups}):
        asked = f"{most:,} instances (max_eval_instances), perhaps not all of its scenario"
        about.insert(0, f"{path}: the run was to ask at most {asked}")
    perturbs = any(perturbation for _, perturbation, _ in groups)
    for key, states in groups.items():
        (name, perturbation, trial), (number, first) = key, states[0]
        instance = first["instance"]
        texts, golds = _references(instance)
        prompt = as_asked(_text(instance.get("input")))
        yield Reply(
            place=f"{path}: row {number}",
            line=number,
            reply=_said([state for _, state in states], texts, run.predicted(key)),
            id=f"{name} ({perturbation})" if perturbation else name,
            original=name if perturbation else "",
            condition=perturbation or ("original" if perturbs else ""),
            prompt=prompt if prompt is not None else as_asked(inner(first, "request", "prompt")),
            model=model or as_label(inner(first, "request", "model")),
            run=f"training set {trial}" if trial else "",
            log=log,
            benchmark=benchmark,
            harness="HELM",
            golds=as_golds(golds),
            choices=as_options(texts) if len(golds) < len(texts) else (),
            **run.verdict(key),
            about=about,
            partial=limited,
        )


def _said(states: Sequence[dict[str, Any]], references: Sequence[Any], predicted: int | None) -> str | None:
    by_reference = [state for state in states if type(state.get("reference_index")) is int]
    if len(by_reference) > 1:
        best = predicted if predicted is not None else _likeliest(by_reference, references)
        said = references[best] if best is not None and 0 <= best < len(references) else None
        return said if isinstance(said, str) else None
    said = inner(_completion(states[0]), "text")
    return typed(str, states[0], "output_mapping", said.strip()) or said if isinstance(said, str) else None


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
    completions = typed(list, state, "result", "completions")
    return typed(dict, completions[0]) if completions and inner(state, "result", "success") is not False else {}


def _log_probability(completion: dict[str, Any], reference: Any, *, per_token: bool) -> float | None:
    """Of the last tokens, which are the reference, or of all that was sent where these are not logged."""
    values, text = [], ""
    for token in reversed(typed(list, completion, "tokens")):
        value = as_number(inner(token, "logprob"))
        if value is None or not isinstance(token.get("text"), str):
            break
        values.append(value)
        text = token["text"] + text
        if isinstance(reference, str) and text.strip() == reference.strip():
            return sum(values) / (len(values) if per_token else 1)
    return as_number(completion.get("logprob"))


def _benchmark(name: Any, path: str) -> str:
    """The scenario by the name of the run, without its model: `mmlu:subject=anatomy`. Its folder has the same name."""
    if not isinstance(name, str):
        name = "" if path == STDIN else Path(path).absolute().parent.name
        if "model=" not in name:
            return ""
    scenario, _, arguments = name.partition(":")
    kept = ",".join(part for part in arguments.split(",") if part and not part.startswith("model"))
    return as_label(f"{scenario}:{kept}" if kept else scenario)
