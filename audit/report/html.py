"""Any document as one page.

All text passes through `finalize`, which makes control characters visible, and then through the escaping of the
template engine. The page's own policy forbids scripts, images and the network, so text that slipped through both
could still do nothing.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from hansproof.audit import notation
from hansproof.audit.report import drawing
from hansproof.audit.report.document import Document, Note, Part, headed
from hansproof.audit.result.record import encodable

__all__ = ["page"]

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*(?![\w-])")
"""An option in a sentence."""


@cache
def _template() -> Template:
    made = Environment(
        loader=PackageLoader("hansproof.audit.report", "templates"),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "short": notation.one_line,
        "ending": notation.last_part,
        "unbroken": _unbroken,
        "headed": headed,
        "runs": _runs,
        "trusted": Markup,
    }
    return made.get_template("document.html.j2")


def page(shown: Document) -> str:
    """A document as one self-contained page. The same document gives the same text."""
    title = f"{shown.title}: {shown.banner.verdict}" if shown.banner and shown.banner.verdict else shown.title
    sheet = drawing.style_of("style.css") + shown.style
    digest = base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()
    text = _template().render(style=Markup(sheet), style_hash=digest, title=title, shown=shown)
    return encodable(text) + "\n"


def _runs(parts: Iterable[Part]) -> list[tuple[str, list[Part]]]:
    """Parts that follow one another and are of one kind stand together: facts in one list, points in another."""
    kinds = groupby(parts, key=lambda part: part.kind if isinstance(part, Note) else type(part).__name__)
    return [(kind, list(same)) for kind, same in kinds]


def _unbroken(text: str) -> Markup:
    """`text` with the options in it, such as `--skip-missing`, in one piece each: a line would end after a hyphen."""
    shown = str(escape(notation.visible(text)))  # nothing of a stranger is markup, and no option is in an escape
    return Markup(_OPTION.sub(r'<code class="nowrap">\g<0></code>', shown))


def _shown(value: Any) -> Any:
    # Markup is a str too: what a macro has already escaped must not be touched.
    return notation.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
