"""Sentences of rare cases in reports, advice and notes of audits: functions that word them, and small records."""

import io
from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace

import made_ladder
import made_published
import numpy as np
from made_verdicts import scheme, vector
from rich.console import Console

from hansproof.audit.models.planning import Design, plan
from hansproof.audit.reading.loading import load
from hansproof.audit.repair.records import HardenResult, KappaReading, Reading
from hansproof.audit.report import (
    audit_document,
    audit_tables,
    change_screens,
    hypothesis_figure,
    phenotype_screen,
    study_reliance,
    words,
)
from hansproof.audit.report.plan_words import Planned
from hansproof.audit.report.terminal import Ink
from hansproof.audit.result.advice import advice, rules_advised
from hansproof.audit.result.changes import KappaChange
from hansproof.audit.result.numbers import Effort
from hansproof.audit.settings import make_settings
from hansproof.audit.shortcuts import form, ladder, prompt_parts
from hansproof.audit.tasks import labels as shape_of_labels
from hansproof.audit.tasks.open_answers import examination
from hansproof.audit.tasks.options import multiple_choice, option_crossfit
from hansproof.audit.tasks.split_measurement import advise_on_split
from hansproof.audit.tasks.split_parts import from_column, from_two
from hansproof.audit.verdict.reasons import saved_effort, scheme_notes
from hansproof.audit.verdict.rule import Judgement
from hansproof.generators.errors import HansproofError

__all__ = ["TOPICS"]

Case = tuple[str, object]


def printed(show: Callable[[Console], object]) -> str:
    """What is shown on a wide console, in one line."""
    console = Console(file=io.StringIO(), width=400, color_system=None)
    show(console)
    return " ".join(console.file.getvalue().split())


def _screens() -> Iterable[Case]:
    doubled = SimpleNamespace(repeated_items=1, conflicting_sets=1, across_splits=0)
    yield "a text with two golds", vars(audit_document)["_duplicates"](doubled)
    yield "maps", [*vars(audit_tables)["_MAPS"].values()]
    yield "meanings of options", [rule.meaning for id, rule in words.RULES.items() if id.startswith("options-")]
    yield "meanings of open answers", [rule.meaning for id, rule in words.RULES.items() if id.startswith("open-")]
    yield "agreement in error", study_reliance.error_table(SimpleNamespace(pairs=[])).title
    for paired in ([True, True], [False, False], [True, False]):
        entries = [
            SimpleNamespace(
                first="a",
                second="b",
                title="Risk",
                metric="risk-taking",
                value=0.1,
                low=0.0,
                high=0.2,
                p_corrected=0.04,
                reason="",
                paired=both,
            )
            for both in paired
        ]
        yield f"paired {paired}", phenotype_screen.difference_parts(entries)[1].text  # fmt: skip
    half = SimpleNamespace(left_out=2, unanswered=1, unclear_before=1, unclear_after=0, left_out_first=("i3",),
                           hypothesis="order", after="swapped", model="m", style="", note="")  # fmt: skip
    yield "halves of pairs", hypothesis_figure.doubt_notes(SimpleNamespace(tests=[half], unused=0))
    row = plan(Design(0.2, float("nan"), float("nan")), difference=0.05)
    for runs in (False, True):
        planned = Planned((row,), (), "measured on 60 items", ("a", "b"), 20, 3, runs)
        yield f"plan, runs {runs}", [planned.warning, *planned.notes(), planned.record()["discordant_is"]]


def _repair_screens() -> Iterable[Case]:
    def kappa(value: float | None) -> KappaReading:
        return KappaReading(vector="w", label="unigrams", kappa=value, low=0.2, high=0.4, p_corrected=0.01)

    def reading(value: float | None) -> Reading:
        return Reading(items=90, groups=90, verdict="LEAKS", reason="so it is.", significant=True, scheme="grouped",
                       splits=3, first=None if value is None else kappa(value), strongest=kappa(0.3))  # fmt: skip

    def shown(before: float | None = 0.4, change: tuple[float | None, ...] = (-0.3, -0.4, -0.2), **more: object) -> str:
        value, low, high = change
        result = HardenResult(
            goal="not reached", reason="so it is.", caution="mind it", schema="s", name="bench", source="b", sha256="0",
            items=90, kept=60, keep_at_least=0.5, held_out=0.3, before=reading(0.4), after=reading(0.1),
            held_out_before=reading(before), held_out_after=reading(0.1), change=value, change_low=low,
            change_high=high, steps=[], settings=make_settings(), **more,
        )  # fmt: skip
        return printed(lambda console: change_screens.show_repair(result, console))

    yield "a change", shown(reordered=12)
    changes = [KappaChange(vector="sum", label="sum", scheme="open", old=0.1, new=0.2, change=0.1, low=0.0, high=0.2)]
    other = SimpleNamespace(same_file=False, comparable=True, old_verdict="CLEAN", new_verdict="CLEAN", name="sums",
                            old_items=9, new_items=9, labels=[], settings=[], versions=[], kappas=changes, cues=[],
                            gone=[], notes=[])  # fmt: skip
    yield "open answers", printed(lambda console: vars(change_screens)["_show"](other, Ink(console)))
    yield "no change", shown(change=(-0.3, -0.4, 0.2), not_reordered="the prompts print the options")
    yield "no interval", shown(change=(-0.3, None, None))
    yield "no kappa", shown(None, (None, None, None))


def _notes_of_labels() -> Iterable[Case]:
    for labels in (100, 100_000):
        try:
            shape_of_labels.check_answers(labels, 1_000_000)
        except HansproofError as error:
            yield f"{labels:,} answers", error
    effort = Effort(splits=3, tolerance=0.01, part=50)
    notes = [*scheme_notes([scheme(vector())], same=True), *saved_effort(effort, 401, shape_of_labels.Labels.partly)]
    stray = vars(shape_of_labels)["_on_stray"](np.array([0] * 200 + [1] * 200 + [2]), ["a", "b", "c"])
    for chosen in (["trees", "L2 C=1"], ["trees"]):
        scores = SimpleNamespace(regularisation=chosen, vector=SimpleNamespace(label="unigrams"))
        trees = vars(shape_of_labels)["_on_trees"](scores, SimpleNamespace(name="L2 C=1"))
        yield f"chosen {chosen}", [*notes, *trees, *stray]
    yield "directions", [of for pair in vars(form)["_TEXTS"].values() for of in pair]
    said = vars(ladder)["_what"], vars(ladder)["_named"]
    rung, ngram = made_ladder.rung("ngram", 0.3), made_ladder.ladder().ngram
    rare = type(ngram)(**{name: getattr(ngram, name) for name in ngram.__struct_fields__} | {"chosen": 0.4})
    for case, of in {"none": None, "often": ngram, "rarely": rare}.items():
        yield f"an n-gram, {case}", [said[0](rung, of, ladder.ITEMS), said[1](rung, of)]
    prompts = [f"It was number {at}. The light is {at % 7}. Is it {at % 5}?" for at in range(40)]
    for case, texts in {"asked": prompts, "told": [text.replace("?", ".") for text in prompts],
                        "alike": ["It is so. Is it?"] * 40}.items():  # fmt: skip
        inputs = prompt_parts.Inputs("")
        vars(prompt_parts)["_add_sentences"](inputs, texts, False)
        yield f"sentences, {case}", [
            *(f"{each.name} ({each.sees})" for each in inputs.inputs), *map(": ".join, inputs.left_out)
        ]  # fmt: skip


def _notes_of_options() -> Iterable[Case]:
    yield "clear words", [name for _, name in vars(option_crossfit)["_WORDS"]]
    yield "advice on likeness", list(rules_advised().values())
    for verdict, about in (("LEAKS", "options"), ("LEAKS", "question"), ("TEMPLATE-BOUND", "options"),
                           ("INCONCLUSIVE", "options")):  # fmt: skip
        judged, summary = (
            Judgement(verdict, "so", about, "grouped"),
            SimpleNamespace(rules=[], chance=0.25, pairs=False),
        )
        yield f"{verdict}, {about}", multiple_choice.advise(judged, scheme(vector()), summary, [])


def _notes_of_open_answers() -> Iterable[Case]:
    def notes(language: str = "English", *, tried: int = 40, mark: str = "", several: int = 0, long: int = 0) -> object:
        record = SimpleNamespace(tried=tried, mark=mark, several=several)
        return vars(examination)["_notes"](["x" * 60_000] * long, record, 40, language)

    yield "a part of the items", notes(tried=30)
    yield "worked solutions", notes(mark="####")
    yield "several answers", notes(several=3)
    yield "long prompts", notes(long=2)
    yield "another language", notes("other")
    yield "no blanks", notes("without blanks")
    yield "advice", [advice(f"LEAK002.{name}") for name in ("alternative", "arithmetic", "copy", "learnt")]


def _notes_of_splits() -> Iterable[Case]:
    def rows(*names: str, **more: str) -> list[dict[str, str]]:
        return [{"prompt": f"question {at}", "answer": "ab"[at % 2], **({"split": name} if name else {}), **more}
                for at, name in enumerate(names)]  # fmt: skip

    yield "validation", from_column(load(rows(*["train"] * 8, *["dev"] * 4))).notes
    yield "other parts", from_column(load(rows(*["train"] * 8, *["test"] * 4, "extra"))).notes
    other = [row | {"prompt": f"other {at}", "template_id": str(at // 2)} for at, row in enumerate(rows(*[""] * 6))]
    yield "no common groups", from_two(load(rows(*[""] * 6)), load(other)).notes
    yield "advice", advise_on_split(made_published.split(), 0.05)


TOPICS: Mapping[str, Callable[[], Iterable[Case]]] = {
    "screens": _screens,
    "screens of repairs": _repair_screens,
    "notes on labels": _notes_of_labels,
    "notes on options": _notes_of_options,
    "notes on open answers": _notes_of_open_answers,
    "notes on published splits": _notes_of_splits,
}
"""The visible table: topic -> its cases."""
