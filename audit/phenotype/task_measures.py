"""The measures of all tasks but instrumental learning, which has a file; the logistic fits of the horizon task.

Which metrics there are, what they mean, and what people and random choices reach, stands in `metrics.csv`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hansproof.audit.notation import kappa, per_cent, things
from hansproof.audit.phenotype.metric import (
    Floats,
    Ints,
    Statistic,
    TaskStatistics,
    coefficient,
    independent,
    mean_over_runs,
)
from hansproof.audit.phenotype.task_records import ANOMALIES, TaskTable

__all__ = ["balloons", "horizon", "probabilistic_reasoning", "restless_bandit", "temporal_discounting", "two_step"]

_SHARE: Final = (0.0, 1.0)
_UPWARDS: Final = (0.0, np.inf)

# Probabilistic reasoning (Dasgupta et al. 2020). An estimate follows logit(estimate) = b1 logit(prior) + b2
# logit(likelihood); a Bayesian has b1 = b2 = 1, and who neglects the base rate has b1 < b2.

_EDGE: Final = 1e-5
"""Estimates of 0 and 1 are moved by so much, as published: their logits are infinite."""
_LEANING: Final = 0.1
"""A larger change of a weight by the intercept is worth a note."""
_PEOPLE: Final = "likelihoods are those of the ball that was drawn, as CogBench stores them for people"


def probabilistic_reasoning(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task; `as_published` clips the estimates before their distance to Bayes, too."""
    prior, stored = table.columns["prior"], table.columns["likelihood"]
    reversed_for_blue = np.where(table.columns["red"] > 0, stored, 1 - stored)
    # CogBench stores for people the likelihood of the ball that was drawn, whatever its colour. Its weights take it so;
    # its accuracy reverses it for blue balls all the same.
    people = table.source == "people"
    likelihood = stored if people else reversed_for_blue
    clipped = np.clip(table.columns["estimate"], _EDGE, 1 - _EDGE)
    distance = np.abs(
        _posterior(prior, reversed_for_blue if people and as_published else likelihood)
        - (clipped if as_published else table.columns["estimate"])
    )
    accuracy = table.mean(1 - distance, "no estimates", _SHARE)
    design = np.stack([_logit(prior), _logit(likelihood)], axis=1)
    wider = np.column_stack([design, np.ones(len(design))])

    outcome, runs = _logit(clipped), len(table.runs)
    statistics = {
        "posterior-accuracy": accuracy,
        "posterior-accuracy-published-reference": accuracy,
        "prior-weighting": coefficient(design, outcome, table.run, runs, 0),
        "likelihood-weighting": coefficient(design, outcome, table.run, runs, 1),
        "prior-weighting-intercept": coefficient(wider, outcome, table.run, runs, 0),
        "likelihood-weighting-intercept": coefficient(wider, outcome, table.run, runs, 1),
    }
    notes = [_PEOPLE] if people else []
    if people and as_published:
        sound = 1 - float(np.mean(np.abs(_posterior(prior, likelihood) - clipped)))
        notes.append(
            f"the accuracy, as published, wrongly reverses them for blue balls; without, it is {kappa(sound, 4)}"
        )
    return TaskStatistics(statistics, tuple(notes), cautions=_leaning(statistics))


def _leaning(statistics: Mapping[str, Statistic]) -> dict[str, str]:
    """Cautions for weights that an intercept changes: the estimates lean to one urn whatever is seen."""
    said = {}
    for name in ("prior-weighting", "likelihood-weighting"):
        plain, wider = (statistics[each].value()[0] for each in (name, f"{name}-intercept"))
        if abs(plain - wider) > _LEANING:
            said[name] = (
                f"estimates lean to one side; with an intercept, see the variant, the weight is {kappa(wider, 3)}"
            )
    return said


def _posterior(prior: Floats, likelihood: Floats) -> Floats:
    return np.asarray(prior * likelihood / (prior * likelihood + (1 - prior) * (1 - likelihood)))


def _logit(share: Floats) -> Floats:
    return np.asarray(np.log(share / (1 - share)))


# The restless bandit (Ershadmanesh et al. 2023). Two arms change places every 18 to 22 trials; each choice comes with a
# confidence. The quadratic scoring rule QSR is 1 - (accurate - confidence)^2, averaged: 1 for who is certain where
# right and certain of being wrong elsewhere.

_NARROW: Final = 0.2
"""A smaller span of confidence within a run is stretched more than fivefold by scaling."""


def restless_bandit(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task. In a run of constant confidence there is nothing to scale: it does not count, or, with
    `as_published`, counts unscaled."""
    accurate, confidence, reward = (table.columns[name] for name in ("accurate", "confidence", "reward"))
    plain = np.full(len(table.runs), np.nan)
    scaled = np.full(len(table.runs), np.nan)
    spans = np.full(len(table.runs), np.nan)
    for number, rows in enumerate(table.each()):
        stated = ~np.isnan(confidence[rows])
        right, sure = accurate[rows][stated], confidence[rows][stated]
        if not len(sure):
            continue
        plain[number] = np.mean(1 - (right - sure) ** 2)
        low, high = float(sure.min()), float(sure.max())
        spans[number] = high - low or np.nan
        if high > low:
            scaled[number] = np.mean(1 - (right - (sure - low) / (high - low)) ** 2)
        elif as_published:
            scaled[number] = plain[number]
    narrow = int(np.sum(spans < _NARROW))
    constant = int(np.sum(np.isnan(scaled) & ~np.isnan(plain)))
    silent = int(np.sum(np.isnan(plain)))
    nothing = (
        "no confidence was stated" if silent == len(plain) else "confidence is the same in every trial of each run"
    )
    statistics = {
        "restless-bandit-reward": table.mean(reward, "no trials", by_run=as_published),
        "restless-bandit-accuracy": table.mean(accurate, "no trials", _SHARE, by_run=as_published),
        "metacognition": mean_over_runs(scaled, nothing, _SHARE),
        "metacognition-unscaled": mean_over_runs(plain, nothing, _SHARE),
    }
    notes = []
    if constant:
        notes.append(f"metacognition is without {constant} of {len(plain)} runs, whose confidence never changes")
    if silent:
        notes.append(f"metacognition is without {silent} of {len(plain)} runs, which state no confidence")
    stretched = (
        f"confidence spans less than {_NARROW:g} in {narrow} of {len(plain)} runs, and scaling stretches that to "
        "all of 0 to 1; metacognition, unscaled takes it as stated"
    )
    return TaskStatistics(statistics, tuple(notes), cautions={"metacognition": stretched} if narrow else {})


# The two-step task (Daw et al. 2011). Who knows how journeys lead on (model-based) leaves after a reward that a rare
# journey brought; who does not (model-free) stays after any reward. The product of reward and journey tells them apart.

_EFFECTS: Final = ("model-basedness", "model-freeness")
_CEILING: Final = 0.9
"""Where more of the first choices stay, or change, effects on their probability are squeezed."""


def two_step(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task; only days that follow each other tell whether the choice stayed."""
    action, state, trial = (table.columns[name] for name in ("action", "state", "trial"))
    follows = (table.run[1:] == table.run[:-1]) & (trial[1:] == trial[:-1] + 1)
    reward = table.columns["reward"] * 2 - 1
    common = np.where(action == state, 1.0, -1.0)
    design = np.stack([np.ones(len(reward)), reward, common, reward * common], axis=1)[:-1][follows]
    stay = (action[1:] == action[:-1]).astype(np.float64)[follows]
    run, runs = table.run[:-1][follows], len(table.runs)
    share = float(stay.mean()) if len(stay) else 0.5
    same = "the first choice never changed" if share == 1 else "the first choice changed every day"
    statistics = {
        "two-step-reward": table.mean(table.columns["reward"], "no trials", _SHARE),
        "model-basedness": coefficient(design, stay, run, runs, 3, constant=same),
        "model-freeness": coefficient(design, stay, run, runs, 1, constant=same),
    }
    gaps = int(np.sum((table.run[1:] == table.run[:-1]) & ~follows))
    notes = (f"{things(gaps, 'day')} without the day after: not in the regression",) if gaps else ()
    near = share if share > 0.5 else 1 - share
    squeezed = (
        f"the first choice {'stayed' if share > 0.5 else 'changed'} on {per_cent(near, 0)} of the days; so near to all "
        "of them, any effect on the probability looks small"
    )
    cautions = dict.fromkeys(_EFFECTS, squeezed) if near > _CEILING else {}
    return TaskStatistics(statistics, notes, cautions=cautions)


def temporal_discounting(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of Ruggeri et al. (2022): means over runs, each of which has one row."""
    rows = [part.start for part in table.each()]
    anomalies = np.sum([table.columns[name][rows] for name in ANOMALIES], axis=0)
    gains = table.columns["gain"][rows] + table.columns["large_gain"][rows]
    baselines = "the records do not say what each baseline scored"
    statistics = {
        "temporal-discounting": mean_over_runs(table.columns["score"][rows], "no scores", (0.0, 19.0)),
        "discounting-anomalies": mean_over_runs(
            anomalies, "the records do not say which anomalies were shown", (0.0, 4.0)
        ),
        "discounting-gains": mean_over_runs(gains, baselines, (0.0, 10.0)),
        "discounting-losses": mean_over_runs(table.columns["loss"][rows], baselines, (0.0, 5.0)),
    }
    return TaskStatistics(statistics)


_CAPACITIES: Final = (8, 32, 128)
"""The most pumps that a balloon of each kind can take."""


def balloons(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task of Lejuez et al. (2002)."""
    pumps, reward = table.columns["pumps"], table.columns["reward"]
    whole = 1 - table.columns["burst"]
    statistics = {
        "balloon-points": table.mean(reward, "no balloons", _UPWARDS, by_run=as_published),
        "risk-taking": table.mean(pumps, "no balloons", _UPWARDS, by_run=as_published),
        "risk-taking-adjusted": table.mean(pumps, "every balloon burst", _UPWARDS, where=whole),
    }
    for capacity in _CAPACITIES:
        nothing = f"no balloon that takes {capacity} pumps at most is known not to have burst"
        kind = whole * (table.columns["capacity"] == capacity)
        statistics[f"risk-taking-adjusted-{capacity}"] = table.mean(pumps, nothing, _UPWARDS, where=kind)
    return TaskStatistics(statistics)


# Rows with the same design are one cell, so many bootstrap samples are fitted at once by Newton steps. A likelihood
# without a maximum (separation) has no fit; Firth's penalty (1993), the Jeffreys prior, gives an estimate there, too.

_STEPS: Final = 200
"""Penalised fits that are nearly separated approach their maximum slowly."""
_CONVERGED: Final = 1e-8
"""Largest change of a coefficient in the last step, per unit of its column."""
_LARGEST_STEP: Final = 4.0
"""Of any linear predictor in one step: longer ones are shortened, so that Newton does not overshoot."""
_FARTHEST: Final = 30.0
"""A larger linear predictor is that of a choice never made otherwise: separation."""


def logit_coefficient(
    design: Floats, choice: Floats, run: Ints, runs: int, which: int, *, sign: float = 1.0, penalised: bool = False
) -> Statistic:
    """`sign` times coefficient `which` of the logistic fit of `choice` (n,) in 0, 1 on `design` (n, k).

    Undefined where only one arm was chosen, under separation (unless `penalised`), where columns of the design depend
    on each other, and with fewer rows than coefficients. Separated resamples of a sample that is not are fitted with
    the penalty: few games are easily separated when some of them are drawn twice.
    """
    cells, cell = np.unique(design, axis=0, return_inverse=True) if len(design) else (design, np.zeros(0, np.int64))
    width = len(cells)
    flat = run * 2 * width + 2 * cell.ravel() + choice.astype(np.int64)
    sums = np.bincount(flat, minlength=runs * 2 * width).reshape(runs, 2 * width).astype(np.float64)

    def fitted(totals: Floats, *, penalised: bool) -> Floats:
        counts = totals.reshape(len(totals), width, 2)
        return np.asarray(sign * fit_logits(cells, counts[:, :, 0], counts[:, :, 1], penalised=penalised)[:, which])

    def why_undefined(totals: Floats) -> str:
        counts = totals.reshape(width, 2)
        return _reason(cells, counts[:, 0], counts[:, 1])

    return Statistic(
        sums,
        partial(fitted, penalised=penalised),
        why_undefined,
        None if penalised else partial(fitted, penalised=True),
    )


def fit_logits(cells: Floats, zeros: Floats, ones: Floats, *, penalised: bool = False) -> Floats:
    """(B, k) coefficients of B fits; NaN where there is none.

    `cells` (m, k) are the distinct designs; `zeros` and `ones` (B, m) how often each choice was made in them.
    """
    samples, k = len(zeros), cells.shape[1]
    trials = zeros + ones
    products = np.einsum("mi,mj->mij", cells, cells).reshape(len(cells), k * k)
    exists = independent((trials @ products).reshape(samples, k, k)) & (trials.sum(axis=1) >= k)
    if not penalised:
        exists &= (zeros.sum(axis=1) > 0) & (ones.sum(axis=1) > 0)
    out = np.full((samples, k), np.nan)
    beta = np.zeros((int(exists.sum()), k))
    trials, ones, active = trials[exists], ones[exists], np.arange(int(exists.sum()))
    done = np.zeros(len(beta), dtype=bool)
    unit = np.abs(cells).max(axis=0, initial=0.0)
    for _ in range(_STEPS):
        if not len(active):
            break
        share = 1 / (1 + np.exp(-beta[active] @ cells.T))
        weight = trials[active] * share * (1 - share)
        information = (weight @ products).reshape(-1, k, k)
        fitting = independent(information)
        active, share, weight = active[fitting], share[fitting], weight[fitting]
        information = information[fitting]
        residual = ones[active] - trials[active] * share
        if penalised:
            leverage = weight * np.einsum("mi,bij,mj->bm", cells, np.linalg.inv(information), cells, optimize=True)
            residual = residual + leverage * (0.5 - share)
        step = np.linalg.solve(information, (residual @ cells)[:, :, None])[:, :, 0]
        reach = np.abs(step @ cells.T).max(axis=1, initial=0.0)
        beta[active] += step * np.minimum(1, _LARGEST_STEP / np.maximum(reach, _LARGEST_STEP))[:, None]
        converged = (np.abs(step) * unit).max(axis=1, initial=0.0) < _CONVERGED
        near = np.abs(beta[active] @ cells.T).max(axis=1, initial=0.0) < _FARTHEST
        done[active[converged & near]] = True
        active = active[~converged & near]
    out[exists] = np.where(done[:, None], beta, np.nan)
    return out


def _reason(cells: Floats, zeros: Floats, ones: Floats) -> str:
    """Why there is no fit: Albert and Anderson (1984) show that separation is the only reason beside these."""
    trials, k = zeros + ones, cells.shape[1] if cells.ndim == 2 else 0
    if trials.sum() < k or not len(cells):
        return f"too few games ({trials.sum():.0f}) for {k} coefficients; play about 200"
    if not zeros.any() or not ones.any():
        return "the same arm was chosen in every game"
    if not independent(np.einsum("m,mi,mj->ij", trials, cells, cells)[None])[0]:
        return "too few different games to tell the effects of the predictors apart; play about 200"
    if _separated(cells, zeros, ones):
        return (
            "separation: the choices are perfectly predictable from the predictors, so the coefficient is infinite; "
            "more games may help"
        )
    return "the fit did not converge"


def _separated(cells: Floats, zeros: Floats, ones: Floats) -> bool:
    """Whether some coefficients put every choice on its own side of 0 or on it, and one not on it (Konis 2007)."""
    from scipy.optimize import linprog

    sides = np.concatenate([cells[ones > 0], -cells[zeros > 0]])
    solved = linprog(-sides.sum(axis=0), A_ub=-sides, b_ub=np.zeros(len(sides)), bounds=(-1, 1))
    return bool(solved.status == 0 and -solved.fun > 1e-6)


# Wilson et al. (2014). Four forced choices show one arm three times and the other once (unequal information), or each
# twice (equal); then come one or six free choices. Exploring pays only if choices follow.

_FORCED: Final = 4


def horizon(table: TaskTable, as_published: bool) -> TaskStatistics:
    """All metrics of the task."""
    runs, trial, choice = len(table.runs), table.columns["trial"], table.columns["choice"]
    free = (trial >= _FORCED).astype(np.float64)
    reward = table.columns["reward"]

    def per_run(rows: NDArray[np.bool_], values: Floats) -> Floats:
        return np.bincount(table.run[rows], values[rows], runs).astype(np.float64)

    forced = trial < _FORCED
    count = per_run(forced, np.ones(len(trial)))
    seen = per_run(forced, choice)  # how often arm 1 was shown
    usable = (count == _FORCED) & (per_run(trial == _FORCED, np.ones(len(trial))) == 1)
    first = per_run(trial == _FORCED, choice)
    difference = per_run(trial == _FORCED, table.columns["mean_1"] - table.columns["mean_0"])
    long = np.where(per_run(trial > _FORCED, np.ones(len(trial))) > 0, 1.0, -1.0)

    equal = np.flatnonzero(usable & (seen == 2))
    unequal = np.flatnonzero(usable & ((seen == 1) | (seen == 3)))
    # Arm 1 is the less-seen one if it was shown once; otherwise the arms change places.
    flip = np.where(seen[unequal] == 1, 1.0, -1.0)
    lesser = np.where(flip > 0, first[unequal], 1 - first[unequal])

    def design(games: NDArray[np.intp], sign: Floats | float = 1.0) -> Floats:
        d, h = difference[games] * sign, long[games]
        return np.stack([d, h, d * h, np.ones(len(games))], axis=1)

    directed = (design(unequal, flip), lesser, unequal, runs, 1)
    random = (design(equal), first[equal], equal, runs, 2)
    statistics = {
        "horizon-reward": table.mean(reward, "no trials"),
        "horizon-reward-free": table.mean(reward, "no free choices", where=free),
        "directed-exploration": logit_coefficient(*directed),
        "random-exploration": logit_coefficient(*random, sign=-1.0),
        "directed-exploration-penalised": logit_coefficient(*directed, penalised=True),
        "random-exploration-penalised": logit_coefficient(*random, sign=-1.0, penalised=True),
    }
    odd = runs - len(equal) - len(unequal)
    notes = (
        (f"{things(odd, 'game')} without four forced choices and a first free one: not in the logits",) if odd else ()
    )
    return TaskStatistics(statistics, notes)
