"""Phenotypes as one HTML page that works from disk, in print and without scripts: figure, tables, method."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from audit import notation
from audit.documents.strict_json import encodable
from audit.phenotype.comparison.pairs import Difference
from audit.phenotype.intervals import FEWEST_RUNS
from audit.phenotype.report import words
from audit.phenotype.report.figure import STYLE, drawing
from audit.phenotype.report.pairs import METHOD, pairs
from audit.phenotype.result import Phenotype
from audit.report import plaintext

__all__ = ["page"]


def page(phenotypes: Sequence[Phenotype], differences: Sequence[Difference] = ()) -> str:
    """One to six phenotypes, and differences between them, as a self-contained document. The same phenotypes give the
    same text.

    Raises UsageError for another number of them.
    """
    figure = Markup(drawing(phenotypes))  # its texts are escaped where they are drawn
    audit_style = (files("audit.report.page") / "templates" / "style.css").read_text(encoding="utf-8")
    own_style = (files("audit.phenotype.report") / "templates" / "phenotype.css").read_text(encoding="utf-8")
    style = audit_style + STYLE + own_style
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    text = (
        _environment()
        .get_template("phenotype.html.j2")
        .render(
            style=Markup(style),
            style_hash=digest,
            title=words.heading(phenotypes),
            phenotypes=phenotypes,
            figure=figure,
            pairs=pairs(differences),
        )
    )
    return encodable(text) + "\n"


def _shown(value: Any) -> Any:
    return plaintext.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader("audit.phenotype.report", "templates"), PackageLoader("audit.report.page", "templates")]
        ),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"count": notation.count, "short": plaintext.one_line, "things": notation.things}
    environment.globals |= {"words": words, "FEWEST_RUNS": FEWEST_RUNS, "METHOD": METHOD}
    return environment
