"""Made-up results, one for each verdict, realistic in shape and size."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from made_evidence import cues, giveaways
from made_ladder import ladder, partial
from made_ngrams import survey
from made_schemes import VECTORS, scheme

from hansproof.audit.report import words
from hansproof.audit.result.audit_result import (  # fmt: skip
    SCHEMA,
    AuditResult,
    ClusterCheck,
    Duplicates,
    Exclusion,
    Expected,
    Findable,
    GroupSummary,
    LabelCount,
    MappingUsed,
    RecipeUsed,
    ScanResult,
    SchemeGap,
    Settings,
)

LEFT_OUT = [(812, "empty prompt"), (1044, "no gold answer")]


def result(**changes: Any) -> AuditResult:
    fields: dict[str, Any] = {
        "verdict": "LEAKS",
        "reason": "word 1-2-grams (TF-IDF) reach a kappa of .52 [.46, .57] on items whose templates were never "
        "seen in training (corrected p = .013, threshold .20).",
        "schema": SCHEMA,
        "name": "space_nli",
        "source": "benchmarks/space_nli.jsonl",
        "sha256": "9f2c4be1a0d37c5586e2d1f04c7bb0a39e8817d2c64f5ab3907e1d2c3b4a5968",
        "items": 1600,
        "left_out": [Exclusion(place=f"line {n}", reason=why) for n, why in LEFT_OUT],
        "left_out_count": len(LEFT_OUT),
        "mapping": MappingUsed(
            format="OpenAI evals samples (chat)", prompt="input", answer="ideal", group="problem_id",
            split=None, id=None, guessed=["prompt", "answer"],
        ),
        "labels": [
            LabelCount(label="entailment", count=646), LabelCount(label="contradiction", count=521),
            LabelCount(label="neutral", count=433),
        ],
        "duplicates": Duplicates(
            repeated_items=14, conflicting=[["line 12", "line 977"], ["line 40", "line 41", "line 388"]],
            conflicting_sets=2, across_splits=None,
        ),
        "groups": GroupSummary(
            source="column", column="problem_id", count=160, largest=12, singletons=3,
            sizes=[[1, 3], [2, 1], [8, 20], [10, 109], [11, 15], [12, 12]],
            examples=[["line 1", "line 2", "line 3", "line 4"], ["line 51", "line 52"]],
            how="Read from the column problem_id.",
        ),
        "schemes": [scheme("grouped", 0.452), scheme("random", 0.513)],
        "gap": SchemeGap(vector="word-2-tfidf", gap=0.0637, low=0.031, high=0.0984),
        "cues": cues(),
        **{"vector": "word-2-tfidf", "evidence_vector": "word-2-tfidf"},
        "clusters": [
            ClusterCheck(
                vector="word-2-tfidf", alike="wording", clusters=141, largest=31, effective=93.5, kappa=0.438,
                held=True,
            ),
        ],
        "findable": [],
        "ladder": ladder(),
        "partial": partial(),
        "evidence_scheme": "grouped",
        "giveaways": giveaways(),
        "single_ngrams": survey(),
        "advice": [
            "Write items with “not” and “never” whose answer is entailment or neutral: 84 % of those that have "
            "them are contradictions.",
            "Vary the preposition within a template and swap premise and hypothesis, so that “above” says nothing.",
            "Publish the column problem_id and split by it.",
        ],
        "notes": ["2 texts occur with different golds; both were kept.", "GPT-2 tokens were counted offline."],
        "settings": Settings(
            protocol="grouped", seed=42, folds=5, permutations=999, splits=10, threshold=0.2,
            alpha=0.05, groups="column", upstream_counts=False, trees=False, solver="compiled", task="auto",
            split=None, max_left_out=0.1,
        ),
        "versions": {"hansproof": "0.1.0", "numpy": "2.3.1", "python": "3.11.2", "scikit-learn": "1.8.0"},
    }  # fmt: skip
    return AuditResult(**(fields | changes))


def all_results() -> dict[str, AuditResult]:
    """One result a verdict, and one under the paper's protocol."""
    base = result()
    inferred = GroupSummary(
        source="found", column=None, count=293, largest=40, singletons=101,
        sizes=[[1, 101], [2, 33], [3, 40], [5, 62], [10, 33], [20, 14], [40, 10]],
        examples=[["row 1", "row 9"]],
        how="Function-word skeletons with numbered slots, then near-equal skeletons joined.",
    )  # fmt: skip
    unassessed = {
        "schemes": [],
        "gap": None,
        "clusters": [],
        "cues": [],
        "giveaways": [],
        "advice": [],
        "vector": None,
        "evidence_vector": None,
        "evidence_scheme": None,
        "ladder": None,
        "partial": None,
        "single_ngrams": None,
    }
    return {
        "leaks": base,
        "template": result(
            verdict="TEMPLATE-BOUND",
            name="spatial",
            reason="kappa is .50 under random folds but .04 [-.02, .09] once the items of a template stay together.",
            groups=inferred,
            schemes=[scheme("grouped", 0.012), scheme("random", 0.467)],
            gap=SchemeGap(vector="word-2-tfidf", gap=0.4614, low=0.412, high=0.509),
            evidence_scheme="random",
        ),
        "imbalanced": result(
            verdict="IMBALANCED",
            name="lobbying",
            reason="74.5 % of the answers are No: always saying so scores .49 by uniform chance and 0 by Cohen's.",
            labels=[LabelCount(label="No", count=365), LabelCount(label="Yes", count=125)],
            items=490,
            schemes=[
                scheme("grouped", 0.031, majority_accuracy=0.745, majority_uniform=0.49),
                scheme("random", 0.04, majority_accuracy=0.745, majority_uniform=0.49),
            ],
            cues=[], giveaways=[],
        ),
        "traces": result(
            verdict="TRACES",
            name="weak_cues",
            reason="word 1-grams, presence, predict the answers with kappa .12 [.07, .17], below the threshold of .20.",
            schemes=[scheme("grouped", 0.12), scheme("random", 0.14)],
            gap=SchemeGap(vector="word-2-tfidf", gap=0.02, low=-0.012, high=0.0484),
            cues=cues()[:3], giveaways=giveaways()[:3],
        ),
        "clean": result(
            verdict="CLEAN",
            name="commonsense_qa_2",
            reason="no vector's interval reaches .20; the highest ends at .09, and a word is found from .18.",
            left_out=[],
            left_out_count=0,
            groups=inferred,
            schemes=[scheme("grouped", 0.021), scheme("random", 0.029)],
            gap=SchemeGap(vector="word-2-tfidf", gap=0.0081, low=-0.012, high=0.0284),
            clusters=[],
            findable=[
                Findable(kind="1 word per answer", kappa=0.182),
                Findable(kind="50 words per answer", kappa=None),
            ],
            cues=cues()[:3],
            giveaways=giveaways()[:3],
            advice=[],
            notes=[],
            duplicates=None,
        ),
        "inconclusive": result(
            verdict="INCONCLUSIVE",
            name="metaphor",
            reason="48 items are too few: the interval reaches from -.14 to .41, over the threshold of .20.",
            schemes=[scheme("grouped", 0.11, 0.29)],
            items=48, groups=None, gap=None, clusters=[], cues=[], giveaways=[],
        ),
        "unassessed": result(
            verdict="NOT ASSESSED",
            name="open_questions",
            reason="1,204 different answers over 1,260 items: open-ended answers cannot be judged by this audit.",
            labels=[LabelCount(label=f"answer {index}", count=40 - index) for index in range(30)],
            groups=None, duplicates=None, notes=[], **unassessed,
        ),
        "paper": result(
            verdict="LEAKS",
            name="paper_split",
            reason="readability aside, every vector is above .20 on the test part of a single split.",
            schemes=[scheme("paper", 0.431)],
            evidence_scheme="paper", gap=None, groups=None, clusters=[], ladder=None, partial=None,
            settings=Settings(
                protocol="paper", seed=42, folds=1, permutations=999, splits=1, threshold=0.2, alpha=0.05,
                groups="none", upstream_counts=True, trees=False, solver="compiled", task="auto", split=None,
                max_left_out=0.1,
            ),
        ),
    }  # fmt: skip


def make_scan() -> ScanResult:
    failures = [Exclusion(place="broken.jsonl", reason="line 3: not JSON: unexpected end of data")]
    return ScanResult(schema=SCHEMA, source="benchmarks", results=list(all_results().values()), failures=failures)


HOSTILE = (
    "<script>alert(1)</script>\"><img src=x onerror=alert(2)>' onmouseover=x "
    "{{7*7}}{% raw %}[bold red]\u202eabc\x00\x1b[31m\x07\ud800 :smile: \r"
)
"""What a stranger may have put into any field."""


def poisoned(value: Any) -> Any:
    """`value` with every free string replaced by hostile text; names the schema fixes are kept."""
    fixed = {
        *words.VERDICTS,
        "column",
        "found",
        "none",
        "grouped",
        "random",
        "paper",
        "published",
        "item",
        "group",
        SCHEMA,
    }
    fixed |= {"all", "no near-duplicate", "new template", "grouped folds"}
    fixed |= {"conflict", "duplicate", "near-duplicate", "template", "wording", "frame"}
    fixed |= {name for name, _, _ in VECTORS}

    def walk(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: walk(inner) for key, inner in part.items()}
        if isinstance(part, list):
            return [walk(inner) for inner in part]
        return HOSTILE if isinstance(part, str) and part not in fixed else part

    return msgspec.convert(walk(msgspec.to_builtins(value)), type(value))


RECIPE = RecipeUsed(
    name="space-nli", title="SpaceNLI", citation="Abzianidze et al. 2023", licence="MIT",
    form="OpenAI evals samples", checked="the published file",
    expected=[Expected(what="uniform-chance kappa of a probe", figure="above .2", source="A 2024")],
    peculiarities=["Its items are made from 160 patterns."],
)  # fmt: skip

make_result = pytest.fixture(lambda: result, name="make_result")
with_recipe = pytest.fixture(lambda: result(recipe=RECIPE), name="with_recipe")
results = pytest.fixture(all_results, name="results")
scan = pytest.fixture(make_scan, name="scan")
poison = pytest.fixture(lambda: poisoned, name="poison")
