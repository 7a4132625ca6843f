"""The table of subsets: what each plants, how strongly, and which verdicts of an audit are right."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["NAME", "SUBSETS", "VERSION"]

NAME = "planted-cues"
VERSION = "2.0.0"


@dataclass(frozen=True)
class PlantedCue:
    """One kind of cue."""

    strength: float
    """Its default strength, 0 to 1."""
    cue: str
    """What gives the answer away, in words."""
    verdicts: tuple[str, ...]
    """The verdicts that are right at the default strength and number of rows."""
    rows: int = 600
    templates: int = 0
    """How many wordings have one answer each; 0 where every item is worded by itself."""
    copies: int = 1
    """How often each text occurs."""

    @property
    def description(self) -> str:
        """What is planted, and what an audit should say."""
        return f"{self.cue}. Right verdict: {' or '.join(self.verdicts)}"


_LEAKS = ("LEAKS",)
_NOTHING = ("CLEAN", "INCONCLUSIVE")
_BOUND = ("TEMPLATE-BOUND",)

SUBSETS = {
    "none": PlantedCue(0.0, "nothing: any kappa found here is a false alarm", _NOTHING),
    "unigram": PlantedCue(0.6, "'usually' points to yes, 'often' to no; every item has one of the two", _LEAKS),
    "bigram": PlantedCue(
        0.6,
        "'old bridge' and 'new mill' point to yes, 'new bridge' and 'old mill' to no; every item has all "
        "four words, so that no single word tells",
        _LEAKS,
    ),
    "length": PlantedCue(
        0.6,
        "four sentences point to yes, two to no, worded alike; counts of n-grams see it too, because a "
        "longer text has more of everything",
        _LEAKS,
    ),
    "readability": PlantedCue(
        0.6, "long words in eight of ten places point to yes, short words in eight of ten to no", _LEAKS
    ),
    "template-only": PlantedCue(
        1.0, "100 wordings with one answer each: random folds find it, folds by template do not", _BOUND, templates=100
    ),
    "imbalance": PlantedCue(0.5, "no cue, but a share of (1 + strength) / 2 of the answers is no", ("IMBALANCED",)),
    "traces": PlantedCue(
        0.12,
        "the words of 'unigram' at a strength below any threshold, in many short items",
        ("TRACES", "INCONCLUSIVE"),
        rows=2_000,
    ),
    "rare-answer": PlantedCue(
        0.35,
        "a fifth of the answers is yes; 'usually' occurs in .6 of them and in .2 of the others, 'often' in the rest. "
        "No is the likelier answer either way, so the most probable answer never shows the cue",
        _LEAKS,
        rows=2_000,
    ),
    "synonyms-10": PlantedCue(
        0.6, "one of ten lively adverbs ('swiftly') points to yes, one of ten calm ones ('slowly') to no", _LEAKS
    ),
    "synonyms-50": PlantedCue(
        0.6,
        "one of fifty lively adverbs ('swiftly') points to yes, one of fifty calm ones ('slowly') to no",
        _LEAKS,
        rows=2_000,
    ),
    "format-capitals": PlantedCue(
        0.6, "one word in capitals points to yes, none to no; in lower case the cue is gone", _LEAKS
    ),
    "format-lines": PlantedCue(
        0.6,
        "an empty line before the question points to yes, a mere line break to no; in normalised white space the cue "
        "is gone",
        _LEAKS,
    ),
    "format-blanks": PlantedCue(
        0.6, "two blanks before the question point to yes, one to no; in normalised white space the cue is gone", _LEAKS
    ),
    "duplicates": PlantedCue(
        0.0,
        "no cue, but every text occurs three times with one answer, under ids and groups of its own: "
        "folds that part the copies find kappas near 1",
        _NOTHING,
        copies=3,
    ),
    "few-templates": PlantedCue(
        1.0,
        "4 wordings with one answer each and 150 items each: too few to tell a template from a cue",
        ("INCONCLUSIVE", "TEMPLATE-BOUND"),
        templates=4,
    ),
    "long-slots": PlantedCue(
        1.0,
        "40 wordings with one answer each, in which a slot takes up to five words and some stay empty: "
        "an audit that joins only texts of equal length cannot see the templates",
        _BOUND,
        templates=40,
    ),
    "paraphrase": PlantedCue(
        1.0,
        "30 scenes with one answer each, every one in four wordings and with two wordings of its question: an audit "
        "that joins only texts worded alike cannot see the scenes",
        _BOUND,
        templates=30,
    ),
    "german": PlantedCue(1.0, "36 German templates with one answer each", _BOUND, rows=648, templates=36),
    "chinese": PlantedCue(
        1.0, "36 Chinese templates with one answer each, in a script without spaces", _BOUND, rows=648, templates=36
    ),
    "japanese": PlantedCue(
        1.0, "36 Japanese templates with one answer each, in a script without spaces", _BOUND, rows=648, templates=36
    ),
    "chinese-cue": PlantedCue(
        0.6,
        "Chinese texts without templates: '总是' (always) points to yes, '偶尔' (now and then) to no; every item has "
        "one of the two",
        _LEAKS,
    ),
}
"""By name, in the order of the release."""
