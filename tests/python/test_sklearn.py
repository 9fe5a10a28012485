"""scikit-learn's own checks, where its rules apply to times and sequences; and its tools at work."""

import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

from time2vec import Forecaster, NextEvent, Recommender, SequenceClassifier, Time2Vec  # noqa: E402

# Each exception with its reason.
ONE_DIMENSION = "times are one dimension: that is the usual case, not an error"
FRAME = "a frame is a table of one event a row, so it is not the same as an array of its numbers"
FLOAT32 = "networks compute in float32, and sums over other batches differ in the last digits"
LENGTH = "sequences of events may be longer or shorter than those of 'fit', also where they are rows of an array"

# They want 1e-7, which is a bit of a float32; the test below wants what can be.
OTHER_BATCHES = {"check_methods_subset_invariance": FLOAT32, "check_methods_sample_order_invariance": FLOAT32}
EXPECTED = {
    "Time2Vec": {"check_fit1d": ONE_DIMENSION},
    "SequenceClassifier": {"check_classifier_data_not_an_array": FRAME, **OTHER_BATCHES},
    "Forecaster": {"check_fit1d": ONE_DIMENSION, "check_regressor_data_not_an_array": FRAME, **OTHER_BATCHES},
    "NextEvent": {"check_n_features_in_after_fitting": LENGTH, **OTHER_BATCHES},
    "Recommender": {"check_n_features_in_after_fitting": LENGTH, **OTHER_BATCHES},
}


@pytest.mark.parametrize("estimator", [
    Time2Vec(k=4),
    SequenceClassifier(hidden=16, epochs=15, threads=1),
    Forecaster(epochs=8, rate=0.02, threads=1, options={"epoch_steps": 50}),
    NextEvent(hidden=16, epochs=2, unknown="always", threads=1),
    Recommender(hidden=16, epochs=2, unknown="always", threads=1),
], ids=lambda estimator: type(estimator).__name__)
def test_estimator_passes_the_checks_of_scikit_learn(estimator):
    expected = EXPECTED[type(estimator).__name__]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(estimator, expected_failed_checks=expected, on_fail=None)
    failed = [f"{r['check_name']}: {r['exception']}" for r in results if r["status"] == "failed"]
    assert not failed, "\n".join(failed)
    # An exception that is none any more is to be taken off the list; digits may differ from machine to machine.
    needed = {name for name, reason in expected.items() if reason != FLOAT32}
    assert needed <= {r["check_name"] for r in results if r["status"] == "xfail"}
    assert len(results) > 20


def test_predictions_depend_on_the_other_sequences_by_rounding_alone():
    draw = np.random.default_rng(1)
    times = np.sort(draw.uniform(0, 50, (40, 6)), axis=1)
    labels = np.where(times[:, 2] > 20, "late", "early")
    items = [[f"i{int(t) % 5}" for t in row] for row in times]
    cases = [
        (SequenceClassifier(hidden=16, epochs=5, threads=1).fit(times, labels), lambda rows: times[rows]),
        (NextEvent(hidden=16, epochs=2, threads=1).fit(list(zip(times, items))),
         lambda rows: [(times[i], items[i]) for i in rows]),
    ]
    for model, of in cases:
        whole = model.predict_proba(of(np.arange(40)))
        order = draw.permutation(40)
        np.testing.assert_allclose(model.predict_proba(of(order)), whole[order], rtol=5e-6, atol=1e-7)
        for rows in np.split(np.arange(40), [1, 3, 20]):
            np.testing.assert_allclose(model.predict_proba(of(rows)), whole[rows], rtol=5e-6, atol=1e-7)


@pytest.mark.parametrize("check", [
    "check_set_output_transform", "check_set_output_transform_pandas",
    "check_set_output_transform_polars", "check_global_set_output_transform_polars",
    "check_dataframe_column_names_consistency", "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas"])
def test_names_of_columns_pass_the_checks_of_scikit_learn(check):
    if "pandas" in check or "dataframe" in check:
        pytest.importorskip("pandas")
    if "polars" in check:
        pytest.importorskip("polars")
    getattr(estimator_checks, check)("Time2Vec", Time2Vec(k=4))


def test_frames_keep_their_names_and_index(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"bought": [1.0, 2.0], "paid": [3.0, 5.0]}, index=["a", "b"])
    encoder = Time2Vec(k=1).set_output(transform="pandas").fit(frame)
    made = encoder.transform(frame)
    assert list(made.columns) == ["bought_linear", "bought_sin1", "paid_linear", "paid_sin1"]
    assert list(made.index) == ["a", "b"]
    encoder.save(tmp_path / "layer.t2v")
    again = Time2Vec.load(tmp_path / "layer.t2v")
    assert list(again.get_feature_names_out()) == list(made.columns)
    assert (again.transform(frame) == made.to_numpy()).all()
    assert list(clone(encoder).fit_transform(frame).columns) == list(made.columns)
    with pytest.raises(ValueError, match="should match those"):
        again.transform(frame[["paid", "bought"]])


def test_rows_of_an_array_may_be_of_another_length_than_in_fit():
    model = NextEvent(hidden=16, epochs=2).fit(np.arange(60).reshape(10, 6) % 3)
    assert model.n_features_in_ == 6
    assert model.predict(np.array([[0, 1], [1, 2]])).shape == (2,)


def test_vectors_of_time_serve_a_linear_model():
    days = np.arange(1.0, 366.0)
    label = (days % 7 == 0).astype(int)
    pipeline = make_pipeline(Time2Vec(k=16), LogisticRegression(C=1e4, max_iter=2000))
    raw = LogisticRegression().fit(days[:273, None], label[:273])
    assert pipeline.fit(days[:273, None], label[:273]).score(days[273:, None], label[273:]) == 1
    assert raw.score(days[273:, None], label[273:]) < 0.9


def test_clone_grid_search_and_cross_validation_work(random):
    y = np.arange(60) % 2
    x = random.normal(size=(60, 5)) + y[:, None]
    model = SequenceClassifier(hidden=16, epochs=5)
    assert clone(model).get_params() == model.get_params()
    assert cross_val_score(model, x, y, cv=2).mean() > 0.7
    search = GridSearchCV(model, {"hidden": [16, 32]}, cv=2).fit(x, y)
    assert search.best_params_["hidden"] in (16, 32)
