"""Numbers of feature vectors under a scheme, as a verdict is given them."""

from hansproof.audit.result.audit_result import ClusterCheck, Findable, SchemeGap, SchemeResult, VectorResult
from hansproof.audit.settings import make_settings
from hansproof.audit.verdict.rule import Grouping, Probes

SETTINGS = make_settings()
PLAIN = Grouping(count=600, effective=600.0, share=0.0)
GROUPED = Grouping(count=100, effective=80.0, share=0.9)
FEW = Grouping(count=40, effective=29.9, share=0.9)


def vector(name="word-1-tf", matched=0.0, low=-0.05, high=0.05, bound=-0.1, p=1.0, counted=True, upper=None):
    return VectorResult(
        vector=name,
        label=name,
        matched=matched,
        matched_low=low,
        matched_high=high,
        upper=high if upper is None else upper,
        bound=bound,
        split_sd=0.01,
        cohen=0.0,
        cohen_low=-0.05,
        cohen_high=0.05,
        uniform=matched,
        accuracy=0.5,
        balanced_accuracy=0.5,
        p=0.001,
        p_corrected=p,
        validation=0.0,
        regularisation={"L2 C=1": 50},
        features=9,
        counted=counted,
    )


def scheme(*vectors, name="grouped", majority=0.5):
    return SchemeResult(
        scheme=name,
        splits=10,
        scored=600,
        vectors=list(vectors),
        headline=vectors[0].vector,
        tied=[],
        majority_accuracy=majority,
        majority_uniform=round(2 * majority - 1, 9),
        p_floor=0.002,
        sampling_stretch=1.0,
        null_stretch=1.0,
    )


QUIET = vector()
LEAK = vector("gpt2-1-tf", 0.3, 0.2, 0.4, 0.15, 0.01)
WEAK = vector("gpt2-1-tf", 0.12, 0.06, 0.18, 0.02, 0.01)
WIDE_GAP = SchemeGap(vector="gpt2-1-tf", gap=0.3, low=0.2, high=0.4)


def judge(grouped, random=None, gap=None, grouping=PLAIN, clusters=(), findable=()):
    return Probes(grouped, grouping, 2, SETTINGS, random, gap, clusters, findable).judged()


def check(kappa, held, alike="wording", vector="gpt2-1-tf", effective=40.0):
    sizes = {"clusters": 55, "largest": 30, "effective": effective}
    return ClusterCheck(vector=vector, alike=alike, kappa=kappa, held=held, **sizes)


def cue(kappa, kind="50 words per answer"):
    return Findable(kind=kind, kappa=kappa)
