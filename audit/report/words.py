"""The words and symbols that the terminal, the page and the SARIF log share, so that all say the same thing."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Final, Literal, NamedTuple

from hansproof.audit import notation
from hansproof.audit.report.document import Note, Part, Section
from hansproof.audit.result.advice import of_pairs
from hansproof.audit.result.audit_result import AuditResult, ClusterCheck, PolicyUsed, Verdict
from hansproof.audit.verdict.reasons import ALIKE

__all__ = [
    "FINDABLE",
    "RULES",
    "SCHEMES",
    "SECTIONS",
    "VERDICTS",
    "Rule",
    "VerdictWords",
    "carried",
    "ignored_because",
    "meaning",
    "policy_line",
    "reason_of",
    "rule_of",
    "section",
    "sentence",
]

SCHEMES: Final = {
    "grouped": "grouped folds",
    "random": "random folds",
    "paper": "single split",
    "published": "published split",
}
"""The display names of the fold schemes."""

FINDABLE: Final = (
    "to test this, cues were put into these texts, with answers unrelated to them, and the same probes were fitted; "
    "the kappa is that of a perfect reader of the cue. Cues that only a stronger learner sees are not covered"
)
"""What the smallest cues that would have been found are, and what they are not."""


def carried(checks: Sequence[ClusterCheck]) -> str:
    """What is left of a suspected leak when texts that are alike stay together; empty without checks."""
    left = []
    for check in checks:
        lost = "" if check.held else ", less than half of it"
        size = notation.things(check.clusters, "cluster")
        left.append(f"{notation.kappa(check.kappa)} ({ALIKE[check.alike]}, {size}{lost})")
    return f"kappa with texts kept together: {', '.join(left)}" if left else ""


class Rule(NamedTuple):
    """One thing that can be said of a benchmark."""

    id: str
    """Stable, such as `LEAK001`."""
    name: str
    """What people and code call it: `leaks`."""
    level: Literal["error", "warning", "note", ""]
    """How bad it is; empty for what is no fault."""
    title: str
    meaning: str
    """What it means and what to do, for somebody who knows nothing of this audit."""
    limit: str = ""
    """Of a verdict: what nobody should conclude from scores on such a benchmark."""


def _read(name: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((files("hansproof.audit.report") / name).read_text(encoding="utf-8"))


RULES: Final = {
    rule["name"]: Rule(**{"id": id, "level": "", "title": ""} | rule)  # type: ignore[arg-type]
    for id, rule in _read("rules.toml").items()
}
"""Every rule by its name."""

SECTIONS: Final = _read("sections.toml")
"""Heading and explanation of each section of a document, by its id."""


def section(id: str, parts: Iterable[Part], variant: str = "", **values: object) -> Section:
    """The section `id` of `sections.toml`, with its explanation first; without any parts, it is to be left out."""
    prose, every, of = SECTIONS[id], [*parts], variant.replace("pairs", "options")
    texts = prose.get(f"heading-{of}", prose["heading"]), prose.get(f"about-{of}", prose.get("about", ""))
    heading, about = ((of_pairs(text) if of != variant else text).format(**values) for text in texts)
    if about and every:
        every.insert(0, Note(about))
    return Section(heading, id, every, is_hidden=id == "numbers")


def rule_of(verdict: Verdict, shape: Literal["labels", "options", "open"] = "labels") -> Rule:
    """The rule of a verdict on answers of that shape; that of labels, where the shape has none of its own."""
    name = verdict.lower().replace(" ", "-")
    return RULES.get(f"{shape}-{name}", RULES[name])


def ignored_because(result: AuditResult) -> str:
    """Why the policy ignores the verdict; empty if it does not."""
    return "" if result.policy is None else result.policy.ignored.get(rule_of(result.verdict, result.shape).id, "")


def reason_of(result: AuditResult) -> str:
    """The reason of the verdict as a sentence, behind the one for which a policy ignores it."""
    why = ignored_because(result)
    ignored = f"Ignored ({rule_of(result.verdict, result.shape).id}: {notation.one_line(why, 200)}). " if why else ""
    return f"{ignored}{sentence(result.reason)}"


def policy_line(policy: PolicyUsed) -> str:
    """`hansproof.toml: threshold 0.3; ignores DATA001 (checked by hand)`."""
    used = [f"{name} {value}" for name, value in policy.used.items()]
    ignored = [f"{rule} ({why})" for rule, why in policy.ignored.items()]
    said = [", ".join(used), f"ignores {', '.join(ignored)}" if ignored else ""]
    return notation.one_line(f"{policy.file}: {'; '.join(filter(None, said)) or 'nothing that matters here'}", 400)


def meaning(result: AuditResult) -> str:
    """What the verdict means for the author of the benchmark."""
    text = rule_of(result.verdict, result.shape).meaning
    return of_pairs(text) if result.options and result.options.pairs else text


class VerdictWords(NamedTuple):
    """How a verdict looks."""

    colour: str
    """Its colour in the terminal; the page has its own colours, by `key`."""
    key: str
    """A name that is safe in a CSS class."""
    symbol: str


VERDICTS: Final[dict[Verdict, VerdictWords]] = {
    "LEAKS": VerdictWords("red", "leaks", "✗"),
    "TEMPLATE-BOUND": VerdictWords("yellow", "template", "◆"),
    "IMBALANCED": VerdictWords("magenta", "imbalanced", "▲"),
    "TRACES": VerdictWords("blue", "traces", "≈"),
    "CLEAN": VerdictWords("green", "clean", "✓"),
    "INCONCLUSIVE": VerdictWords("cyan", "inconclusive", "?"),
    "NOT ASSESSED": VerdictWords("bright_black", "unassessed", "–"),
}
"""Every verdict, worst first."""


def sentence(text: str) -> str:
    """`text` with its first letter in upper case: reasons often begin with the name of a feature vector."""
    return text[:1].upper() + text[1:]
