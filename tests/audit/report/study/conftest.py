"""A study with all parts that a page can have, and the same with a stranger's text wherever a stranger may write."""

import json
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from simulated.reliance import World, simulated

from hansproof.audit.harnesses.reply import Reply
from hansproof.audit.models.reliance.pairs import study as reliance
from hansproof.audit.models.study import Played, answered
from hansproof.audit.replies.joining import Place, join
from hansproof.audit.report.study_document import Study
from hansproof.auditing.examined import phenotypes_of
from hansproof.generators.item import Item
from hansproof.generators.registry import dataset

HOSTILE = "<script>alert('x')</script>\u202e\x1b[31m\" onload=\"x"


def item(index, subset):
    data = {"dataset": "toy", "version": "", "subset": subset, "seed": 1, "canary": "c"}
    return Item(f"{subset}/{index}", f"Is {subset} {index} so?", ("yes", "no"), "yes", f"g{index}", "base", data)


def answers(names):
    items = [item(index, subset) for subset in ("first", "second") for index in range(30)]
    replies = [
        Reply(place=f"r: line {place}", id=each.id, reply="yes" if index % (place + 2) else "no", model=name)
        for place, name in enumerate(names)
        for index, each in enumerate(items)
        if place == 0 or each.metadata["subset"] == "first"
    ]
    return answered(join([*replies, replies[0]], items))


def matched():
    family = dataset("token-bias")
    items = [family.item("balanced-syllogism", 3, index) for index in range(60)]
    given = [(model, index, each) for model in ("a", "b") for index, each in enumerate(items)]
    replies = [
        Reply(place=f"r: {index}", id=each.id, reply=each.answer if index % (3 + (model == "b")) else "no", model=model)
        for model, index, each in given
    ]
    return answered(join(replies, items))


def played(name="alpha", count=6):
    family = dataset("cognitive-tasks")
    items = [family.item("horizon", 3, index) for index in range(count)]
    replies = []
    for each in items:
        for shift, model in enumerate((name, "beta")):
            episode = family.episode(each)
            while not episode.done:
                episode.step(episode.actions[(shift + len(episode.prompt)) % len(episode.actions)])
            replies.append(
                Reply(place=each.id, id=each.id, reply=json.dumps(list(episode.transcript.actions)), model=model)
            )
    return phenotypes_of(join(replies, items, keep="outcomes"))


@pytest.fixture(scope="package")
def study():
    world = World(benchmarks=2, models=4, families=2, labels=3, kappa=0.5, reliance=0.6, following=(1,))
    made = msgspec.structs.asdict(reliance(simulated(world, np.random.default_rng(3)), notes=["a note & more"]))
    return Study(
        **made, files=["logs/a.jsonl"], answered=[answers(["alpha", "beta", "gamma"]), matched()], played=played()
    )


@pytest.fixture(scope="package")
def paper(study):
    """The same benchmarks under the paper's protocol."""
    world = World(benchmarks=3, models=6, families=3, labels=3, kappa=0.5)
    parted = [
        replace(each, about=msgspec.structs.replace(each.about, scheme="paper"))
        for each in simulated(world, np.random.default_rng(3))
    ]
    return msgspec.structs.replace(study, **msgspec.structs.asdict(reliance(parted, protocol="paper")))


@pytest.fixture(scope="package")
def hostile(study, paper):
    """A stranger's text in every field that comes from files."""

    def poisoned(value, key=""):
        if isinstance(value, dict):
            return {part: poisoned(inner, part) for part, inner in value.items()}
        if isinstance(value, list):
            return [poisoned(inner, key) for inner in value]
        known = ("verdict", "subset", "judged", "schema", "by")
        return HOSTILE if isinstance(value, str) and value and key not in known else value

    plain = msgspec.structs.asdict(paper)
    names = {name: plain[name] for name in ("models", "pairs", "families", "benchmarks")}
    for name, records in names.items():
        kind = type(records[0])
        plain[name] = [msgspec.convert(poisoned(msgspec.to_builtins(each)), kind) for each in records]
    plain["notes"], plain["files"] = [HOSTILE], [HOSTILE]
    part = study.answered[0]
    series = [msgspec.structs.replace(each, model=HOSTILE, family=HOSTILE) for each in part.series]
    left = msgspec.structs.replace(part.read.doubled, first=[Place(place=HOSTILE, reason=HOSTILE)])
    read = msgspec.structs.replace(part.read, doubled=left)
    tested = study.answered[1].tested
    tests = tuple(replace(each, model=HOSTILE, style=HOSTILE, left_out_first=(HOSTILE,)) for each in tested.tests)
    plain["answered"] = [
        msgspec.structs.replace(part, name=HOSTILE, dataset=HOSTILE, series=series, read=read),
        msgspec.structs.replace(study.answered[1], name=HOSTILE, tested=replace(tested, tests=tests)),
    ]
    named = [msgspec.structs.replace(each, name=HOSTILE) for each in study.played.phenotypes]
    pairs = [msgspec.structs.replace(each, first=HOSTILE, second=HOSTILE) for each in study.played.differences]
    plain["played"] = Played(phenotypes=named, differences=pairs, notes=[HOSTILE])
    return Study(**plain)


@pytest.fixture(scope="package")
def alone():
    """The answers of a single model."""
    return answers(["only"])
