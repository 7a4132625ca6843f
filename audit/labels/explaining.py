"""What is looked at once there is a verdict: how much of kappa is format, the parts of prompts, simpler shortcuts."""

from __future__ import annotations

import msgspec

from audit.assessing.assessed import Assessed, Explanation
from audit.assessing.belonging import Belonging
from audit.explanation.format_share import Folding, format_share
from audit.explanation.mentions import find_mentions
from audit.labelled import Labelled
from audit.ladder.lengths import direction
from audit.ladder.measuring import measure_ladder
from audit.partial.probing import probe_parts
from audit.probes.crossfit import Fitting, Scores
from audit.probes.folds import random_groups
from audit.result.audit_result import Settings
from audit.result.numbers import Effort
from audit.statistics.permutation import seeded
from generators.errors import Progress

__all__ = ["explain"]


def explain(
    items: Labelled,
    belonging: Belonging,
    done: Assessed[Scores],
    fitting: Fitting,
    settings: Settings,
    progress: Progress,
    effort: Effort | None = None,
) -> Explanation:
    """Explain the verdict of `done`; `fitting` tells nobody of its progress."""
    progress("comparing clean texts", 0, 1)
    y, labels, texts = items.y, items.labels, items.benchmark.prompts
    grouped, of = done.schemes[0], done.deciding.result.scheme
    folding = Folding(belonging.groups if of == "grouped" else belonging.same, of, settings.folds)
    part = None if effort is None else random_groups(belonging.groups, effort.part, seeded(settings.seed, "part"))
    share = format_share(texts, y, labels, done.deciding.scores, done.judgement.vector, fitting, folding, part)
    mentions = find_mentions(texts, [labels[c] for c in y.tolist()])
    progress("climbing the ladder", 0, 1)
    probed = probe_parts(texts, items.benchmark.parts, y, belonging.groups, grouped, fitting, settings)
    ladder = measure_ladder(items.table, y, belonging.groups, labels, grouped, fitting, settings, probed)
    way = direction(texts, y, labels) if ladder.enough == "length" else None
    if way is not None:
        ladder = msgspec.structs.replace(ladder, sentence=f"{ladder.sentence} {way[:1].upper()}{way[1:]}.")
    return Explanation(share, mentions, probed.result, ladder, length=way)
