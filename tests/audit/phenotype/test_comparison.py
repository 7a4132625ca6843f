"""Comparisons across models: the same by another way, small tables that show nothing, faults with their place."""

import io
import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from rich.console import Console

from hansproof.audit.phenotype.model_table import ModelTable, components, read_models, regress
from hansproof.audit.report.phenotype_screen import show_components, show_regression
from hansproof.audit.report.terminal import Ink
from hansproof.generators.errors import InputError, UsageError


def made(tmp_path, bases=8, each=3, effect=0.5, shared=1.0, seed=0):
    random = np.random.default_rng(seed)
    rows = []
    for base in range(bases):
        own = shared * random.normal()
        for number in range(each):
            size, tuned = random.normal(10, 3), int(random.integers(0, 2))
            risk = own + 0.1 * size + effect * tuned + 0.3 * random.normal()
            rows.append(
                {
                    "model": f"m{base}-{number}",
                    "base_model": f"b{base}",
                    "size": size,
                    "tuned": "yes" if tuned else "no",
                    "year": 2020 + base % 4,
                    "risk-taking": risk,
                    "prior-weighting": 2 * risk + 0.1 * random.normal(),
                    "model-basedness": random.normal(),
                }
            )
    frame = pd.DataFrame(rows)
    frame.to_csv(tmp_path / "models.csv", index=False)
    return frame, read_models(tmp_path / "models.csv")


def written(tmp_path, text):
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    return read_models(tmp_path / "t.csv")


def test_the_regression_is_that_of_statsmodels(tmp_path):
    frame, table = made(tmp_path)
    frame["z"] = (frame["size"] - frame["size"].mean()) / frame["size"].std()
    frame["flag"], frame["y"] = (frame["tuned"] == "yes").astype(float), frame["risk-taking"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = smf.mixedlm("y ~ z + flag", frame, groups=frame["base_model"]).fit(reml=True)
    result = regress(table, "risk-taking", ["size", "tuned"])
    estimates = [result.intercept, *(entry.estimate for entry in result.coefficients)]
    assert estimates == pytest.approx(expected.fe_params.to_list(), abs=1e-4)
    assert result.base_sd**2 == pytest.approx(expected.cov_re.iloc[0, 0], rel=1e-3)
    assert result.residual_sd**2 == pytest.approx(expected.scale, rel=1e-3)
    assert (result.method, result.models, result.bases, result.inconclusive) == ("mixed", 24, 8, None)
    # Within bases: 24 models - 8 bases - 2 features. Student's interval is wider than statsmodels' normal one.
    assert [entry.degrees for entry in result.coefficients] == [14, 14]
    normal = expected.conf_int().loc["z"].to_list()
    assert result.coefficients[0].high - result.coefficients[0].low == pytest.approx(
        (normal[1] - normal[0]) * 2.1448 / 1.9600, rel=1e-3
    )


def test_a_feature_of_base_models_has_the_degrees_of_freedom_of_base_models(tmp_path):
    _, table = made(tmp_path)
    result = regress(table, "risk-taking", ["size", "year"])  # the year is the same in all models of a base
    assert [entry.degrees for entry in result.coefficients] == [15, 6]


def test_p_values_are_corrected_for_the_number_of_features(tmp_path):
    _, table = made(tmp_path)
    first, second = regress(table, "risk-taking", ["size", "tuned"]).coefficients
    smaller, larger = sorted([first, second], key=lambda entry: entry.p)
    assert smaller.p_corrected == pytest.approx(2 * smaller.p)
    assert larger.p_corrected == pytest.approx(max(larger.p, smaller.p_corrected))


def test_base_models_that_do_not_differ_leave_least_squares(tmp_path):
    frame, table = made(tmp_path, shared=0.0, seed=3)
    result = regress(table, "model-basedness", ["size"])
    z = (frame["size"] - frame["size"].mean()) / frame["size"].std()
    assert result.method == "least squares"
    assert result.coefficients[0].estimate == pytest.approx(np.polyfit(z, frame["model-basedness"], 1)[0])
    assert result.notes == ["singular fit: base models do not differ beyond their features; least squares instead"]


@pytest.mark.parametrize("seed", [1, 3, 6])
def test_features_that_nearly_follow_from_others_have_wide_intervals_and_no_warning(tmp_path, recwarn, seed):
    random = np.random.default_rng(seed)
    size = random.normal(size=12)
    twin = size + 1e-8 * random.normal(size=12)
    frame = pd.DataFrame({"model": range(12), "size": size, "twin": twin, "risk-taking": random.normal(size=12)})
    frame.to_csv(tmp_path / "t.csv", index=False)
    result = regress(read_models(tmp_path / "t.csv"), "risk-taking", ["size", "twin"])
    assert [str(each.message) for each in recwarn] == []
    assert all(each.high - each.low > 1e5 for each in result.coefficients)


def test_least_squares_are_those_of_statsmodels(tmp_path):
    frame, table = made(tmp_path, each=1)
    result = regress(table, "risk-taking", ["size", "tuned"])
    frame = frame.assign(z=(frame["size"] - frame["size"].mean()) / frame["size"].std(), y=frame["risk-taking"])
    fit = smf.ols("y ~ z + C(tuned)", frame).fit()
    for name, entry in zip(("z", "C(tuned)[T.yes]"), result.coefficients, strict=True):
        assert (entry.estimate, entry.p) == pytest.approx((fit.params[name], fit.pvalues[name]), rel=1e-9)
        assert (entry.low, entry.high) == pytest.approx(tuple(fit.conf_int().loc[name]), rel=1e-9)


@pytest.mark.parametrize(
    ("bases", "each", "said"),
    [(3, 3, "9 models are too few for 1 feature; at least 10"), (4, 3, "4 base models are too few"), (5, 2, None)],
)
def test_few_models_are_inconclusive(tmp_path, bases, each, said):
    result = regress(made(tmp_path, bases, each)[1], "risk-taking", ["size"])
    assert result.inconclusive == said or result.inconclusive.startswith(said)


def test_models_without_relatives_are_not_grouped(tmp_path):
    result = regress(made(tmp_path, 12, 1)[1], "risk-taking", ["size"])
    assert (result.method, result.notes) == ("least squares", ["no base model has two models, so nothing is grouped"])


def test_faults_of_a_regression_are_said(tmp_path):
    _, table = made(tmp_path)
    with pytest.raises(UsageError, match="has no column 'sise'\\. Did you mean 'size'"):
        regress(table, "risk-taking", ["sise"])
    with pytest.raises(UsageError, match="at least one feature"):
        regress(table, "risk-taking", [])
    with pytest.raises(UsageError, match="must be different columns"):
        regress(table, "size", ["size"])
    head = "model,base,a,b,c,word,y\n"
    rows = "".join(f"m{k},b{k % 5},{k},{2 * k},1,w{k},{k * k % 7}\n" for k in range(12))
    table = written(tmp_path, head + rows)
    with pytest.raises(InputError, match="b follows from the features before it"):
        regress(table, "y", ["a", "b"])
    with pytest.raises(InputError, match="c has the same value in all 12 models"):
        regress(table, "y", ["c"])
    with pytest.raises(InputError, match="column 'word' holds text; give numbers, or yes and no"):
        regress(table, "y", ["word"])
    with pytest.raises(InputError, match="2 models with all columns are too few for 1 feature; at least 3 are needed"):
        regress(written(tmp_path, "model,a,y\nx,1,2\nz,2,1\n"), "y", ["a"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,a\nx,1\n", "has no column 'model'"),
        ("model,a\n", "holds no models"),
        ("model,a\nx,1\nx,2\n", "line 3: model 'x' occurs twice"),
        ("model,a\n,1\n", "line 2: model has no name"),
        ("model,a\nx,1e400\n", "line 2: a is '1e400', which is no finite number"),
    ],
)
def test_a_table_that_is_none_is_told_with_its_line(tmp_path, text, said):
    with pytest.raises(InputError, match=said):
        written(tmp_path, text)


def test_models_with_blanks_are_left_out_and_named(tmp_path):
    rows = "".join(f"m{k:02},b{k % 5},{k},{k * k % 7 if k else ''}\n" for k in range(13))
    result = regress(written(tmp_path, "model,base_model,a,y\n" + rows), "y", ["a"])
    assert (result.models, result.notes[0]) == (12, "1 model left out for a blank: m00")


def test_components_are_those_of_the_correlation_matrix(tmp_path):
    frame, table = made(tmp_path)
    result = components(table)
    names = ["prior-weighting", "model-basedness", "risk-taking"]
    assert result.metrics == names
    values, vectors = np.linalg.eigh(frame[names].corr().to_numpy())
    assert [entry.share for entry in result.components] == pytest.approx((values[::-1] / 3).tolist())
    first = vectors[:, -1] * np.sqrt(values[-1])
    first *= np.sign(first[np.abs(first).argmax()])
    assert list(result.components[0].loadings.values()) == pytest.approx(first.tolist())
    scores = np.array([entry.scores for entry in result.models])
    assert scores.std(axis=0, ddof=1) == pytest.approx(1)
    # a loading is the correlation of metric and component
    ordered = frame.sort_values("model")
    assert np.corrcoef(ordered["risk-taking"], scores[:, 0])[0, 1] == pytest.approx(first[2])


def test_parallel_analysis_counts_one_component_of_two_metrics_that_go_together(tmp_path):
    assert components(made(tmp_path)[1]).dimensions == 1
    random = np.random.default_rng(8)
    rows = "".join(f"m{k}," + ",".join(f"{x:.6f}" for x in random.normal(size=5)) + "\n" for k in range(40))
    assert components(written(tmp_path, "model,a,b,c,d,e\n" + rows), list("abcde")).dimensions == 0


def test_few_models_and_constant_metrics_are_said(tmp_path):
    result = components(written(tmp_path, "model,a,b,c\nx,1,3,0\ny,2,1,0\nz,4,1,0\n"), ["a", "b", "c"])
    assert result.inconclusive == "3 models are too few for 2 metrics; at least 10 are needed"
    assert result.notes == ["the same in all models, left out: c"]
    with pytest.raises(UsageError, match="at least two metrics"):
        components(written(tmp_path, "model,a\nx,1\n"))
    with pytest.raises(InputError, match="at least 3 are needed"):
        components(written(tmp_path, "model,a,b\nx,1,2\n"), ["a", "b"])


def test_a_person_sees_effects_and_how_far_to_trust_them(tmp_path):
    stream = io.StringIO()
    ink = Ink(Console(file=stream, width=100, highlight=False, markup=False, emoji=False))
    _, table = made(tmp_path, 3, 2)
    show_regression(regress(table, "risk-taking", ["size"]), ink)
    show_components(components(table), ink)
    text = stream.getvalue()
    assert "risk-taking by features of 6 models" in text
    assert text.index("INCONCLUSIVE") < text.index("risk-taking by features")
    assert text.rindex("INCONCLUSIVE") < text.index("Principal components")
    assert text.count("INCONCLUSIVE: 6 models are too few") == 2
    assert "Principal components of 3 metrics over 6 models" in text


def test_base_models_alone_make_no_dimension():
    # 20 models of 5 bases, metrics that have nothing to do with each other but resemble within a base
    random = np.random.default_rng(3)
    dimensions = []
    for _ in range(12):
        values = random.normal(size=(5, 6))[np.arange(20) % 5] + 0.3 * random.normal(size=(20, 6))
        names = tuple(f"m{k:02}" for k in range(20))
        columns = {f"x{k}": column for k, column in enumerate(values.T)}
        table = ModelTable(names, tuple(f"b{k % 5}" for k in range(20)), columns, (), "toy")
        dimensions.append(components(table, list(columns)).dimensions)
    assert sum(count > 0 for count in dimensions) <= 3
    few = ModelTable(names, tuple(f"b{k % 4}" for k in range(20)), columns, (), "toy")
    assert components(few, list(columns)).inconclusive.startswith("4 base models are too few to tell dimensions")


def test_a_feature_of_base_models_keeps_their_degrees_of_freedom_in_a_singular_fit(tmp_path):
    _, table = made(tmp_path, shared=0.0, seed=3)
    result = regress(table, "model-basedness", ["size", "year"])
    assert (result.method, [entry.degrees for entry in result.coefficients]) == ("least squares", [15, 6])
