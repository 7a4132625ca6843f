"""The HTML page of an audit: one file that works from disk, on a phone and in print, and runs nothing."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment

from audit import notation
from audit.notation import drawn, is_odd
from audit.report import shades, words
from audit.report.page.document import document
from audit.report.page.document import environment as shared
from audit.report.page.highlight import pieces
from audit.report.page.ladder import ladder_scale, partial_scale
from audit.report.page.maps import maps
from audit.report.page.open_ended import open_scale
from audit.report.page.scatter import HEIGHT, scatter
from audit.report.page.view import View
from audit.report.sections.explanations import column_meanings, format_sentences, mention_sentences
from audit.report.sections.ngrams import ngram_sentences
from audit.report.sections.open_ended import open_sentences, part_command, part_sentence
from audit.report.sections.options import head_lines, option_meanings, ranked_rules
from audit.report.sections.splits import kept_words, overlap_sentence, parts_sentence, split_items
from audit.result.audit_result import AuditResult, ScanResult
from audit.verdict.reasons import what_is_found

__all__ = ["render", "render_scan"]


def render(result: AuditResult) -> str:
    """One audit as a self-contained HTML document. The same result gives the same text."""
    return _document("audit.html.j2", view=View(result, ""), title=f"{result.name}: {result.verdict}")


def render_scan(scan: ScanResult) -> str:
    """A folder as one document: heat maps of benchmarks by feature vectors, then a section for each benchmark."""
    views = [View(result, f"b{index}-") for index, result in enumerate(scan.results, start=1)]
    return _document("scan.html.j2", scan=scan, views=views, maps=maps(scan), title=f"Audit of {scan.source}")


def _document(template: str, **values: Any) -> str:
    return document(_environment(), template, **values)


@cache
def _environment() -> Environment:
    environment = shared()
    environment.filters |= {
        "drawn": drawn,
        "kappa": notation.kappa,
        "p_value": notation.p_value,
        "per_cent": notation.per_cent,
        "sentence": words.sentence,
        "shade": shades.shade,
        "signed": notation.signed,
    }
    environment.tests["with_blanks"] = is_odd
    environment.globals |= {
        "FINDABLE": words.FINDABLE,
        "HEIGHT": HEIGHT,
        "SCHEMES": words.SCHEMES,
        "LEGEND": shades.LEGEND,
        "VERDICTS": words.VERDICTS,
        "carried": words.carried,
        "column_meanings": column_meanings,
        "format_sentences": format_sentences,
        "interval": notation.interval,
        "ladder_scale": ladder_scale,
        "mention_sentences": mention_sentences,
        "kept_words": kept_words,
        "ngram_sentences": ngram_sentences,
        "open_scale": open_scale,
        "open_sentences": open_sentences,
        "part_command": part_command,
        "part_sentence": part_sentence,
        "option_lines": head_lines,
        "option_meanings": option_meanings,
        "overlap_sentence": overlap_sentence,
        "parts_sentence": parts_sentence,
        "partial_scale": partial_scale,
        "pieces": pieces,
        "ranked_rules": ranked_rules,
        "scatter": scatter,
        "split_items": split_items,
        "what_is_found": what_is_found,
    }
    return environment
