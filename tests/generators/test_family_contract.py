"""Every registered family keeps the promises of its declarations, and each broken promise is noticed."""

from dataclasses import replace

import pytest
from family_contract import COUNT, faults
from playing import play

from hansproof.generators.answering.plain_scorer import PlainScorer
from hansproof.generators.answering.scorer import Measure, MeasureKind, Reading, constant, copying
from hansproof.generators.dataset import Dataset, Draft, Hypothesis, MatchedConditions, Subset
from hansproof.generators.episode import replay
from hansproof.generators.errors import InputError, UsageError
from hansproof.generators.registry import MODULES, dataset

NAMES = (*MODULES, "toy-bandit")
PLAYED = [name for name in MODULES if dataset(name).episode] + ["toy-bandit"]

pytestmark = pytest.mark.usefixtures("toy_bandit")


@pytest.mark.parametrize("name", NAMES)
def test_what_a_family_declares_is_so(name):
    assert faults(dataset(name)) == []


@pytest.mark.parametrize("name", PLAYED)
def test_an_episode_can_be_played_stopped_and_rebuilt(name):
    family = dataset(name)
    for subset in family.subsets:
        item = family.item(subset, 1, 0)
        episode = family.episode(item)
        while not episode.done:
            before = episode.prompt
            assert before
            with pytest.raises(InputError, match=r"."):
                episode.step("no action of any episode")
            assert (episode.prompt, episode.done) == (before, False)
            episode.step(episode.actions[0] if episode.actions else "1")
            assert replay(family.episode, item, episode.transcript).prompt == episode.prompt
        assert (episode.prompt, list(episode.actions or ())) == ("", [])
        again = iter(episode.transcript.actions)
        assert play(family.episode(item), lambda prompt, again=again: next(again)) == episode.transcript


def make(stream, subset, index):
    group, place = divmod(index, 3)
    number = stream.child(subset).child(group).below(10**9)
    condition = ("plain", "loud", "odd")[place]
    return Draft(f"{condition}: {number}?", None, str(number), f"g{group}", condition, {"size": len(str(number))})


GOOD = Dataset(
    name="good", version="1.0.0", title="Good", summary="Good.", seed=1, make=make, check=lambda item: [],
    subsets={"s": Subset(30, "Numbers.", limit=COUNT, matched=MatchedConditions("plain", ("loud", "odd")))},
    slices=(("size",),), hints={"weak": "Look."},
    hypotheses=(Hypothesis("H1", "Loud or odd.", ("s",), (("plain", "loud"), ("plain", "odd")), "either"),),
)  # fmt: skip


class Faulty(PlainScorer):
    """A scorer with one thing changed."""

    def __init__(self, **changed):
        self.changed = changed

    @property
    def blind(self):
        return self.changed.get("blind", (constant(),))

    @property
    def measures(self):
        return self.changed.get("measures", {})

    def read(self, item, reply):
        reading = super().read(item, reply)
        return replace(reading, **self.changed.get("reading", {})) if reply else self.changed.get("empty", reading)

    def score(self, item, reading):
        return replace(super().score(item, reading), **self.changed.get("score", {}))


def subset(**changed):
    return {"subsets": {"s": replace(GOOD.subsets["s"], **changed)}}


H = Hypothesis("H", "Loud.", ("s",), (("plain", "loud"),), "worse")


def hypothesis(**changed):
    return {"hypotheses": (replace(H, **changed),)}


def scorer(**changed):
    return {"scorer": Faulty(**changed)}


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"hints": {"strog": "Look."}}, "no style gives the hint 'strog'"),
        (subset(hints={"strog": "Look."}), "no style gives the hint 'strog'"),
        (subset(examples={"konwn": None}), "no style shows the example 'konwn'"),
        (subset(rows=COUNT + 1), "s: a release of 49 rows, but only 48 different items"),
        ({"slices": (("size", "sise"),)}, "no item has the key 'sise' of a slice"),
        (subset(audit_target="sise"), "s: good/1.0.0/s/000000 lacks the audit target 'sise'"),
        (
            subset(matched=MatchedConditions("plain", ("laud",))),
            "s: group 0 has the conditions ['plain', 'loud', 'odd'], not one each of ['plain', 'laud']",
        ),
        (hypothesis(subsets=("z",)), "H: there is no subset 'z'"),
        (hypothesis(changes=(("plain", "laud"),)), "H: s has no condition 'laud'"),
        (hypothesis(shared=("stroy",)), "H: items of s have no 'stroy'"),
        (hypothesis(styles=True), "H: no style is called 'plain'"),
        (hypothesis(styles=True, conditions=("od",)), "H: s has no condition 'od'"),
        (hypothesis(styles=True, conditions=("odd", "plian")), "H: s has no condition 'plian'"),
        ({"hypotheses": (H, H)}, "two hypotheses are called 'H'"),
        (scorer(blind=()), "declares no blind strategy"),
        (scorer(blind=(constant(), constant())), "two blind strategies are called ('constant', '')"),
        (scorer(blind=(replace(constant(), learns=False),)), "constant learns, but does not say so"),
        (scorer(measures={"answer": MeasureKind("all")}), "a measure is called 'answer'"),
        (scorer(score={"right": None}), "good/1.0.0/s/000000: right is None where the answer is "),
        (scorer(score={"right": False, "reason": "no"}), "good/1.0.0/s/000000: its own solution "),
        (scorer(empty=Reading("1")), "good/1.0.0/s/000000: an empty reply says '1', for the reason ''"),
        (scorer(reading={"others": {"first": "1"}}), "good/1.0.0/s/000000: the reading 'first' is not declared"),
        (scorer(score={"measures": {"far": Measure(1)}}), "good/1.0.0/s/000000: the measure 'far' is not declared"),
        (
            scorer(score={"measures": {"far": Measure(7)}}, measures={"far": MeasureKind("distance")}),
            "good/1.0.0/s/000000: far is 7, not a share",
        ),
    ],
)
def test_a_broken_promise_is_noticed(changed, fault):
    assert faults(GOOD) == []
    assert faults(replace(GOOD, **changed))[0].startswith(fault)


@pytest.mark.parametrize(
    ("changed", "fault"),
    [({"name": "not_good"}, "'not_good' has"), ({"version": "1.0"}, "'1.0' of good is not MAJOR"),
     ({"subsets": {"s@3": GOOD.subsets["s"]}}, "'s@3' has"), ({"name": "../evil"}, "'../evil' has")],
)  # fmt: skip
def test_names_and_versions_that_lead_out_of_a_folder_make_no_family(changed, fault):
    with pytest.raises(UsageError, match=fault):
        replace(GOOD, **changed)


def test_what_keeps_its_promise_is_let_through():
    far = {"far": MeasureKind("distance", "lower", share=False)}
    assert faults(replace(GOOD, **scorer(score={"measures": {"far": Measure(7)}}, measures=far))) == []
    assert faults(replace(GOOD, **scorer(blind=(copying("one", "says 1", lambda item: "1"),)))) == []
