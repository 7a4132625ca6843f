"""Sentences of rare cases, said by the functions that word them: a table of function, case and what it says.

No command of `documents.py` brings these up in a second; small records made by hand do.
"""

from collections.abc import Callable, Iterable, Mapping

import sentences_of_answers
import sentences_of_releases
import sentences_of_reports
from made_open import decided_open
from made_verdicts import FEW, LEAK, PLAIN, QUIET, SETTINGS, WEAK, check, cue, judge, scheme, vector

from hansproof.audit.result.numbers import ClusterCheck, Effort
from hansproof.audit.result.tasks import PartAudit, SplitKappa, StrategyResult, TemplateResult
from hansproof.audit.shortcuts import ladder
from hansproof.audit.tasks.label_advice import minding_spellings
from hansproof.audit.tasks.open_answers import strategies
from hansproof.audit.tasks.options import option_shortcuts as simple_rules
from hansproof.audit.tasks.options import views
from hansproof.audit.tasks.split_measurement import SplitProbes
from hansproof.audit.verdict.reasons import hardest, saved_effort, scheme_notes
from hansproof.audit.verdict.rule import Grouping, Judgement

__all__ = ["said"]

Case = tuple[str, object]


def said(*topics: str) -> str:
    """What the functions of the topics say, a line a case."""
    return "".join(
        f"## {topic}\n" + "".join(f"{case}: {_line(what)}\n" for case, what in TOPICS[topic]()) + "\n"
        for topic in topics or TOPICS
    )


def _line(what: object) -> str:
    if isinstance(what, Judgement):
        what = f"{what.verdict}. {what.reason}"
    said = " | ".join(map(str, what)) if isinstance(what, list | tuple) else str(what)
    return said.replace("\n", " / ") or "(nothing)"


def _verdicts() -> Iterable[Case]:
    unsure = vector("gpt2-1-tf", 0.12, 0.06, 0.25, 0.02, 0.01)
    yield "significant, up to the threshold", judge(scheme(unsure))
    yield "significant, another may leak", judge(scheme(WEAK, vector("word-2-tf", high=0.3)))
    yield "an undefined kappa", judge(scheme(QUIET, vector("word-2-tf", None, None, None, None, None)))
    yield "imbalanced", judge(scheme(QUIET, majority=0.8))
    yield "imbalanced, a cue", judge(scheme(WEAK, majority=0.8))
    yield "imbalanced, a doubt", judge(scheme(vector(high=0.3), majority=0.8))
    yield "lost among similar texts", judge(scheme(LEAK), clusters=[check(0.05, False)])
    yield "few groups", judge(scheme(LEAK), grouping=FEW)
    yield "very few groups", judge(scheme(LEAK), grouping=Grouping(count=4, effective=4.0, share=1.0))
    yield "only one answer", scheme_notes([scheme(vector(matched=None))], same=True)
    yield "a cue that is never found", judge(scheme(QUIET), findable=[cue(None)])
    yield ("cues that are not measured", hardest([cue(0.1, "1 word per answer"), cue(None)]))
    yield "much saved", saved_effort(Effort(splits=3, tolerance=0.01, part=5000), 90_000, "refitting")
    yield "some saved", saved_effort(Effort(splits=1, tolerance=0.01, part=9000), 9000, "refitting", labels=90)
    counts = {"no": 41, "yes": 28, "No": 5, "Yes": 3, "yse": 1}
    answers = [label for label, count in counts.items() for _ in range(count)]
    for threshold in (0.2, 0.17):
        imbalanced = Judgement("IMBALANCED", "always giving it is right.", "length", "grouped")
        yield f"spellings, threshold {threshold}", minding_spellings(imbalanced, answers, threshold)


def _published() -> Iterable[Case]:
    def decided(*kappas: SplitKappa) -> Judgement:
        numbers = scheme(LEAK, name="published")
        return SplitProbes(
            numbers, PLAIN, 2, SETTINGS, kappas_of=lambda *_: [kept("all"), *kappas], apart_of=lambda _: []
        ).judged()

    def kept(what: str, kappa: float | None = 0.3, groups: float = 100.0, fall: float | None = None) -> SplitKappa:
        return SplitKappa(items_kept=what, items=400, groups=groups, kappa=kappa, low=None, high=None, fall_low=fall)

    for what in ("no near-duplicate", "new template", "grouped folds"):
        yield f"held, {what}", decided(kept(what))
        yield f"fell, {what}", decided(kept(what, 0.02, fall=0.1))
        yield f"may have fallen, {what}", decided(kept(what, 0.05, fall=-0.1))
    yield "hardly any is left", decided(kept("new template", None, 4.0))


def _open_answers() -> Iterable[Case]:
    def way(name: str = "sum", advantage: float = 0.0, **changes: object) -> StrategyResult:
        fields = {
            "kind": "fixed",
            "answered": 1.0,
            "exact": max(advantage, 0.0),
            "f1": 0.0,
            "advantage": advantage,
            "low": advantage - 0.05,
            "high": max(0.05, advantage),
            "bound": None,
            "p_corrected": 1.0,
        }
        return StrategyResult(name=name, description=f"what {name} gives", **fields | changes)  # fmt: skip

    def leak(advantage: float = 0.5, **changes: object) -> StrategyResult:
        return way(advantage=advantage, bound=advantage - 0.1, p_corrected=0.001, **changes)

    def left(advantage: float, effective: float = 25.0) -> ClusterCheck:
        numbers = {"alike": "wording", "clusters": 30, "effective": effective, "kappa": advantage}
        return ClusterCheck(vector="sum", largest=4, held=False, **numbers)

    def part(verdict: str | None) -> PartAudit:
        return PartAudit(part="the value of 'A'", option="A: (\\w+)", items=300, labels=["x", "y"], verdict=verdict,
                         reason="the probe says so.", vector="word-1-tf", kappa=0.1, low=0.0, high=0.2)  # fmt: skip

    def templates(**changes: object) -> TemplateResult:
        fields = {
            "how": "groups",
            "count": 60,
            "effective": 60.0,
            "share": 1.0,
            "exact": 0.8,
            "advantage": 0.8,
            "low": 0.7,
            "high": 0.9,
            "bound": 0.7,
            "p_corrected": 0.001,
        }
        return TemplateResult(**fields | changes)  # fmt: skip

    def decided(*ways: StrategyResult, **more: object) -> str:
        judged = decided_open(*ways, **more)
        return f"{judged.verdict}. {judged.reason}"

    weak = way(advantage=0.1, p_corrected=0.01, high=0.19)
    yield "a leak", decided(leak(), way("place"), detected=True)
    yield "a learnt leak", decided(leak(kind="learnt"), leak(0.3, kind="learnt"))
    yield "lost without similar texts", decided(leak(kind="learnt"), clusters=[left(0.02)])
    yield "lost in few clusters", decided(leak(kind="learnt"), clusters=[left(0.02, 9.0)])
    yield "clusters as templates", decided(way(), templates=templates(how="clusters", effective=20.0))
    yield "few groups", decided(leak(), groups=40, effective=20.0, detected=True)
    yield "very few groups", decided(leak(), groups=4, effective=4.0)
    yield "a shortcut that may leak", decided(way(advantage=0.1, p_corrected=0.01, high=0.3))
    yield "an open part", decided(way(), parts=[part("INCONCLUSIVE")])
    yield "a leaking part", decided(weak, parts=[part("LEAKS")])
    yield "a weak part", decided(way(), parts=[part("TRACES")])
    yield "an unaudited part", decided(way(), parts=[part(None)])
    yield "shared words", decided(way(f1=0.5))
    yield "no blanks", decided(way(), language="without blanks")
    yield "imbalanced, a cue", decided(weak, constant_exact=0.4, chance=0.4)
    yield "imbalanced, a doubt", decided(way(high=0.3), constant_exact=0.4, chance=0.4)
    yield "imbalanced", decided(way(), constant_exact=0.4, chance=0.4)
    yield "a leak beside alternatives", decided(leak(), chance=0.5, offered=300)
    yield "alternatives, clean", decided(way(), constant_exact=0.4, chance=0.5, offered=300)
    yield "traces", decided(weak, way("place"))
    yield "two traces", decided(weak, way("place", 0.1, p_corrected=0.01))


def _names() -> Iterable[Case]:
    yield "rungs of options", list(simple_rules.OPTIONS.labels.values())
    yield "enough of options", list(simple_rules.OPTIONS.enough.values())
    yield (
        "rules of options",
        [rule for on in simple_rules.RUNGS for of, rule, *_ in vars(simple_rules)["_BY_VALUE"] if of == on],
    )
    yield "measures of options", [*views.ALONE, *views.AGAINST]
    yield "enough of texts", list(ladder.ITEMS.enough.values())
    for table in ("ARITHMETIC", "SPANS"):
        yield table.lower(), [f"{name} ({what[0]})" for name, what in vars(strategies)[table].items()]


TOPICS: Mapping[str, Callable[[], Iterable[Case]]] = {
    "verdicts": _verdicts,
    "published splits": _published,
    "open answers": _open_answers,
    "names": _names,
    **sentences_of_reports.TOPICS,
    **sentences_of_releases.TOPICS,
    **sentences_of_answers.TOPICS,
}
"""The visible table: topic -> its cases."""
