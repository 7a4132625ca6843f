"""hansproof: benchmarks that Clever Hans cannot pass.

Make items with `generate`, measure a benchmark with `audit`, score model replies with `score`, compare two models with
`compare`, see with `analyse` how models do where the audit's probe is right and wrong, let a model play with `run` or
`episodes` and measure how it decides with `phenotype`, use frozen releases with `download`, `load`, `verify` and
`export`. On the command line each of them is `hansproof COMMAND`. To read the code, start with `generators/` (make), go
on to `audit/` (measure), and end with this package (serve).
"""

__all__ = [
    "DownloadError",
    "HansproofError",
    "InputError",
    "NotAssessedError",
    "UsageError",
    "__version__",
    "analyse",
    "audit",
    "compare",
    "diff",
    "download",
    "episodes",
    "experiment",
    "export",
    "generate",
    "harden",
    "hypotheses",
    "items",
    "load",
    "phenotype",
    "run",
    "score",
    "verify",
]

__version__ = "0.1.0"

# Without `typing`, which takes 20 ms, Ctrl-C has an answer from the start (`starting`).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from hansproof.api import analyse, episodes, generate, phenotype, run
    from hansproof.audit.repair.harden import harden
    from hansproof.audit.result.diff import diff
    from hansproof.audit.run import audit
    from hansproof.comparing import compare
    from hansproof.fetch.download import download, load
    from hansproof.generators.errors import DownloadError, HansproofError, InputError, NotAssessedError, UsageError
    from hansproof.item_analysis import items
    from hansproof.release.exports.export import export
    from hansproof.release.verify import verify
    from hansproof.scoring import experiment, hypotheses, score
else:
    # The same names as above. Each module is imported when you first use its function, so that `import hansproof` and
    # `hansproof --help` stay quick.
    _HOMES = {
        **dict.fromkeys(
            ("DownloadError", "HansproofError", "InputError", "NotAssessedError", "UsageError"),
            "hansproof.generators.errors",
        ),
        "analyse": "hansproof.api",
        "compare": "hansproof.comparing",
        "diff": "hansproof.audit.result.diff",
        "download": "hansproof.fetch.download",
        "episodes": "hansproof.api",
        "experiment": "hansproof.scoring",
        "export": "hansproof.release.exports.export",
        "generate": "hansproof.api",
        "harden": "hansproof.audit.repair.harden",
        "hypotheses": "hansproof.scoring",
        "items": "hansproof.item_analysis",
        "load": "hansproof.fetch.download",
        "phenotype": "hansproof.api",
        "run": "hansproof.api",
        "score": "hansproof.scoring",
        "verify": "hansproof.release.verify",
    }

    def __getattr__(name):
        from importlib import import_module

        if name == "audit":  # the package is the function, too
            return import_module("hansproof.audit")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from hansproof.generators.arguments import checked

        thing = getattr(import_module(_HOMES[name]), name)
        return globals().setdefault(name, thing if isinstance(thing, type) else checked(thing))

    def __dir__():
        return sorted({*globals(), *__all__} - {"TYPE_CHECKING", "_HOMES"})
