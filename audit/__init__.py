"""MEASURE: the audit, from a benchmark to a verdict. Start with `run.py`; `README.md` has the rooms in order.

The package is also the function: `hansproof.audit("bench.jsonl")` calls `hansproof.audit.run.audit`, whatever of the
package has been imported before. `help(hansproof.audit)` and `inspect.signature(hansproof.audit)` show its arguments.
Type checkers know them, too; pyright forgets them in a file that says `import hansproof.audit.PART`, for which
`from hansproof.audit import PART` is the better way of saying so.
"""

import sys
from functools import cache
from importlib import import_module
from inspect import Signature, signature
from types import ModuleType
from typing import Any

from hansproof.generators.arguments import checked


def _page(result: Any) -> str:
    page: str = import_module("hansproof.audit.report.audit_document").render(result)
    return page


@cache
def _function() -> Any:
    from hansproof.audit.result.audit_result import AuditResult
    from hansproof.audit.result.shown import PAGES

    # Records know no renderer, and it is long to import: a result asks for it when somebody wants its page.
    PAGES[AuditResult] = _page
    return checked(import_module("hansproof.audit.run").audit)


class _Audit(ModuleType):
    """A package that is called like the function that it is named after."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _function()(*args, **kwargs)

    @property
    def __signature__(self) -> Signature:
        return signature(_function())

    @property
    def __doc__(self) -> str:  # type: ignore[override]  # of the package, and of the function that it is
        return f"{vars(self)['__doc__']}\naudit{signature(_function())}\n\n{_function().__doc__}"


sys.modules[__name__].__class__ = _Audit
