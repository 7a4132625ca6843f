"""Options: the same for every way in, checked once, and kept in the result."""

import json
from inspect import signature
from pathlib import Path

import pytest

import hansproof
from hansproof.audit.probes.refitting import USUAL_NULL, USUAL_SAMPLING
from hansproof.audit.result.advice import NOT_DONE
from hansproof.audit.run import audit
from hansproof.audit.settings import Options, make_settings
from hansproof.generators.errors import UsageError
from hansproof.generators.jsonl import read_bytes

SAMPLE = Path(__file__).resolve().parents[2] / "datasets" / "planted-cues" / "2.0.0"


def test_the_front_door_takes_every_setting_with_its_default():
    options = signature(audit).parameters.items()
    audits = {name: option for name, option in options if option.kind is option.KEYWORD_ONLY}
    settings = {name: option.__forward_arg__ for name, option in Options.__annotations__.items()}
    assert settings == {name: audits[name].annotation for name in settings}
    assert {name: getattr(make_settings(), name) for name in settings} == {
        name: audits[name].default for name in settings
    }
    reading = {
        "train",
        "prompt",
        "answer",
        "group",
        "template",
        "id",
        "choices",
        "recipe",
        "name",
        "workers",
        "predictions",
        "dask",
        "cache",
        "progress",
    }
    assert set(audits) == set(settings) | reading
    assert {option.annotation for option in audits.values()}.isdisjoint({"Any", "object"})


def test_every_option_reaches_the_settings_of_the_result():
    chosen = {
        "protocol": "paper", "groups": "none", "seed": 7, "folds": 3, "permutations": 399, "splits": 1,
        "threshold": 0.3, "alpha": 0.04, "upstream_counts": True, "trees": True, "grades": True,
        "solver": "scikit-learn", "task": "fixed", "max_left_out": 0.2,
    }  # fmt: skip
    items = [json.loads(line) for line in read_bytes(SAMPLE / "none.jsonl.gz").decode().splitlines()[:60]]
    settings = hansproof.audit(items, **chosen).settings
    assert {name: getattr(settings, name) for name in chosen} == chosen


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"protocol": "bayes"}, "protocol has no value 'bayes'. Known: grouped, paper"),
        ({"groups": "all"}, "Known: auto, found, none"),
        ({"folds": 2}, "folds is 2; it must be at least 3"),
        ({"fast": True, "trees": True}, "fast leaves out what trees measures; use one of them"),
        ({"fast": True, "protocol": "paper"}, "fast leaves out what protocol 'paper' measures"),
        ({"folds": 21}, "folds is 21; it must be at most 20"),
        ({"permutations": 18, "alpha": 0.5}, "permutations is 18; it must be at least 19$"),
        ({"permutations": 39}, "permutations is 39; it must be at least 40: fewer cannot show p < 0.05"),
        ({"permutations": 5}, "permutations is 5; it must be at least 40: fewer cannot show p < 0.05"),
        ({"permutations": 19, "protocol": "paper"}, "permutations is 19; it must be at least 20: fewer cannot show"),
        ({"splits": 0}, "splits is 0; it must be at least 1"),
        ({"threshold": 1.5}, "threshold is 1.5; it must lie between 0 and 1"),
        ({"alpha": 0}, "alpha is 0; it must lie between 0 and 1"),
        ({"max_left_out": 1.1}, "max_left_out is 1.1; it must lie between 0 and 1"),
        ({"solver": "scikitlearn"}, "solver has no value 'scikitlearn'. Did you mean 'scikit-learn'?"),
        ({"task": "essay"}, "task has no value 'essay'. Known: auto, fixed, open"),
        ({"upstream_counts": True}, "use it only with protocol 'paper'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        make_settings(**settings)


@pytest.mark.parametrize("once", [{"splits": 1}, {"protocol": "paper"}])
def test_one_split_is_not_doubled_so_fewer_permutations_can_show_a_p(once):
    assert make_settings(permutations=20, **once).permutations == 20


@pytest.mark.parametrize(("name", "most"), [("splits", "1,000"), ("permutations", "100,000")])
def test_more_than_memory_holds_is_refused_before_anything_is_read(name, most):
    with pytest.raises(UsageError, match=f"{name} is 100000000000; it must be at most {most}"):
        make_settings(**{name: 10**11})


def test_a_fast_audit_has_one_split_the_usual_widening_and_says_what_it_left_out():
    settings = make_settings(fast=True)
    assert (settings.splits, settings.permutations) == (1, 199)
    assert make_settings(fast=True, alpha=0.002).permutations == 500
    items = [json.loads(line) for line in read_bytes(SAMPLE / "unigram.jsonl.gz").decode().splitlines()[:200]]
    fast, full = (hansproof.audit(items, splits=1, permutations=199, fast=fast) for fast in (True, False))
    assert fast.verdict == full.verdict == "LEAKS"
    (first, *_), (second, *_) = fast.schemes, full.schemes
    assert [vector.matched for vector in first.vectors] == [vector.matched for vector in second.vectors]
    assert (first.sampling_stretch, first.null_stretch) == (USUAL_SAMPLING, USUAL_NULL)
    assert first.sampling_stretch != second.sampling_stretch
    assert (fast.ladder, fast.format_share, full.ladder is None) == (None, None, False)
    assert fast.notes[-1] == NOT_DONE
    assert NOT_DONE not in full.notes
