"""Rules are chosen on the items that are for it, and never on those that are held out."""

from types import SimpleNamespace

import numpy as np

from hansproof.audit.repair.harden import choose_rules
from hansproof.audit.repair.items import Look, Rule
from hansproof.audit.settings import make_settings
from hansproof.generators.errors import unwatched


def test_only_the_chosen_items_are_looked_at_before_and_after_a_rule():
    chosen, seen = np.arange(6) % 2 == 0, []
    rule = Rule("cue", "a cue", lambda rows, step: rows & (np.arange(6) > 1))
    items = SimpleNamespace(
        order=list(range(6)),
        chosen=chosen,
        settings=make_settings(),
        look=lambda rows: seen.append(rows) or Look(()),
        candidates=lambda rows, look, may: seen.append(rows) or [rule] * int(rows.sum() == 3),
        is_enough=lambda before, now: True,
    )
    search = choose_rules(items, ["cue"], 0.5, unwatched)
    assert [int(choice.kept.sum()) for choice in search.choices] == [6, 4]
    assert (search.floor, search.satisfied) == (None, True)
    assert not any((rows & ~chosen).any() for rows in seen)
