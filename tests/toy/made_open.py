"""A record of open-ended answers, and the decision on it, from the few numbers that a test is about."""

from hansproof.audit.result.tasks import OpenEnded
from hansproof.audit.settings import make_settings
from hansproof.audit.tasks.open_answers.decision import Strategies
from hansproof.audit.verdict.rule import Grouping

SETTINGS = make_settings()  # threshold .2, margin .1, alpha .05


def decided_open(*ways, groups=300, effective=300.0, language="English", detected=False, **fields):
    """The decision on strategies of a benchmark of so many groups, whose best constant is right for a hundredth."""
    given = {
        "answers": "texts", "distinct": 90, "several": 0, "mark": "", "constant": "7", "constant_exact": 0.01,
        "constant_f1": 0.0, "chance": 0.01, "chance_f1": 0.0, "offered": 0, "strategy": None, "tried": 300,
        "in_prompt": 0, "parts": [], "learnt_by": None, "learnt": [],
        "solved": [], **fields,
    }  # fmt: skip
    record = OpenEnded(strategies=list(ways), **given)
    return Strategies(record, Grouping(groups, effective, 0.0, not detected), language, SETTINGS).judged()
