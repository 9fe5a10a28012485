"""The estimators: what they learn, say, keep and refuse."""

import copy
import datetime
import gzip
import itertools
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import time2vec
from time2vec import Forecaster, NextEvent, Recommender, SequenceClassifier, _core


def gaps(count=60, seed=1):
    """Sequences of times alone whose class is how fast events follow each other."""
    random = np.random.default_rng(seed)
    y = np.arange(count) % 2
    return [{"time": np.cumsum(random.exponential(1 + 3 * c, 15))} for c in y], y


def weeks(count=30):
    return [(["work"] * 5 + ["rest"] * 2) * (2 + i % 3) for i in range(count)]


@pytest.fixture(scope="module")
def classifier():
    x, y = gaps()
    return SequenceClassifier(hidden=16, epochs=15).fit(x, y)


@pytest.fixture(scope="module")
def next_event():
    return NextEvent(hidden=16, epochs=20).fit(weeks())


def test_classifier_learns_classes_that_only_times_tell_apart(classifier):
    x, y = gaps(40, seed=2)
    assert classifier.score(x, y) > 0.9
    proba = classifier.predict_proba(x)
    assert proba.shape == (40, 2) and np.allclose(proba.sum(axis=1), 1)
    assert (classifier.classes_[proba.argmax(axis=1)] == classifier.predict(x)).all()
    assert classifier.predict(x).dtype == y.dtype


def test_classifier_takes_labels_of_a_frame(tmp_path):
    pandas = pytest.importorskip("pandas")
    x, y = gaps()
    frame = pandas.concat([pandas.DataFrame({"user_id": f"u{i}", "time": s["time"], "label": "fs"[c]})
                           for i, (s, c) in enumerate(zip(x, y))])
    model = SequenceClassifier(hidden=16, epochs=15).fit(frame)
    assert list(model.classes_) == ["f", "s"]
    assert model.score(frame) > 0.9
    assert model.ids(frame)[:3] == ["u0", "u1", "u2"]
    # The same without the labels, with the columns in another order.
    assert (model.predict(frame[["time", "user_id"]]) == model.predict(frame)).all()
    model.save(tmp_path / "gaps.t2v")
    frame.to_csv(tmp_path / "gaps.csv", index=False)
    command = Path(sys.executable).with_name("t2v")
    said = subprocess.run([command, "predict", tmp_path / "gaps.t2v", tmp_path / "gaps.csv", "--top", "1"],
                          capture_output=True, text=True, check=True).stdout
    labels = [json.loads(line)["class"][0]["label"] for line in said.splitlines()]
    assert labels == list(model.predict(frame))


def test_series_of_numbers_are_sequences_at_regular_times(random):
    y = np.arange(80) % 2
    x = random.normal(size=(80, 6)) + y[:, None]
    model = SequenceClassifier(hidden=16, epochs=20).fit(x, y)
    assert model.score(x, y) > 0.9
    assert (model.predict(x.tolist()) == model.predict(x)).all()
    channels = np.stack([x, random.normal(size=(80, 6))], axis=2)
    assert SequenceClassifier(hidden=16, epochs=20).fit(channels, y).score(channels, y) > 0.9


def test_next_event_predicts_what_follows(next_event):
    assert list(next_event.predict([["work"] * 5, ["work"] * 5 + ["rest"] * 2])) == ["rest", "work"]
    assert next_event.score(weeks(4)) > 0.9
    proba = next_event.predict_proba([["work"] * 5])
    assert next_event.classes_[proba[0].argmax()] == "rest" and proba.sum() == pytest.approx(1)
    assert next_event.evaluate(weeks(4))["types"]["baselines"]


def test_next_event_at_a_time_that_is_known():
    random = np.random.default_rng(5)
    first = np.datetime64("2024-01-01T00:00:00", "ns")
    sequences = []
    for _ in range(60):  # what happens is told by the hour: before noon or after
        hours = np.cumsum(random.integers(1, 20, 20))
        sequences.append((first + hours.astype("m8[h]"), np.where(hours % 24 < 12, "am", "pm")))
    model = NextEvent(query_time=True, hidden=16, epochs=60, options={"origin": "dataset", "unit": "d"}).fit(sequences)
    known = [(first + np.array([1, 30]).astype("m8[h]"), ["am", "am"])]
    at = first + np.array([49, 63]).astype("m8[h]")
    assert list(model.predict(known, at=at)[0]) == ["am", "pm"]
    assert model.predict(known, at=np.timedelta64(9, "h"))[0] == "pm"
    assert model.predict_proba(known, at=at).shape == (1, 2, 2)
    for same in (datetime.timedelta(hours=9), "+9 h", "+540min", "+0.375 d", ["+9 h"]):
        assert (model.predict_proba(known, at=same).ravel() ==
                model.predict_proba(known, at=np.timedelta64(9, "h")).ravel()).all()
    with pytest.raises(time2vec.Error, match=r"give it with at: .* at='\+1 d'$"):
        model.predict(known)
    with pytest.raises(time2vec.Error, match=r"`at` '9 x' is not a duration"):
        model.predict(known, at="+9 x")
    with pytest.raises(time2vec.Error, match="times and durations"):
        model.predict(known, at=["+9 h", "2024-03-01"])


def test_plain_times_after_the_last_event_are_texts_with_a_plus():
    model = NextEvent(query_time=True, hidden=16, epochs=2).fit(weeks())
    assert (model.predict_proba(weeks(3)[:1], at="+2") == model.predict_proba(weeks(3)[:1], at=15)).all()


def test_when_the_next_event_comes():
    random = np.random.default_rng(4)
    sequences = [(np.cumsum(random.exponential(2.0, 30)), ["a"] * 30) for _ in range(30)]
    model = NextEvent(when=True, hidden=16, epochs=15).fit(sequences)
    when = model.predict_when(sequences)
    assert 0.7 < np.median(when["median"]) < 2.5
    assert (when["p10"] < when["median"]).all() and (when["median"] < when["p90"]).all()
    assert "median_at" not in when  # no dates
    ahead = model.predict_ahead(sequences, horizon=20, samples=50)
    assert len(ahead) == 30 and 7 < np.mean([a["expected"] for a in ahead]) < 13
    assert ahead == model.predict_ahead(sequences, horizon=20, samples=50)
    assert [len(a["next"]) for a in model.predict_ahead(sequences, events=3)] == [3] * 30
    with pytest.raises(time2vec.Error, match="horizon"):
        model.predict_ahead(sequences)


def test_what_and_when_depend_on_each_other():
    random = np.random.default_rng(6)
    gaps = [random.choice([1, 30], 30) for _ in range(40)]
    start = np.datetime64("2024-05-01T08:00", "ns")
    sequences = [(start + np.cumsum(hours).astype("timedelta64[h]"), ["soon" if h == 1 else "late" for h in hours])
                 for hours in gaps]
    model = NextEvent(when=True, hidden=16, epochs=60).fit(sequences)
    soon, late = model.predict_proba(sequences[:1], at=["+1 h", "+30 h"])[0, :, list(model.classes_).index("soon")]
    assert soon > 0.6 > 0.4 > late
    when = model.predict_when(sequences)
    first = sequences[0][0][-1]
    assert when["median_at"].dtype == "datetime64[ns]" and first < when["median_at"][0] < first + np.timedelta64(40, "h")


def test_recommender_gives_lists():
    baskets = [[f"item{(i + step) % 9}" for step in range(12)] for i in range(40)]
    model = Recommender(top=3, hidden=16, epochs=30).fit(baskets)
    assert model.predict(baskets[:2]).shape == (2, 3)
    assert model.predict([["item3", "item4"]])[0, 0] == "item5"
    assert model.score(baskets) > 0.9


def test_types_that_were_not_met_are_refused_unless_there_is_a_place_for_them(next_event):
    with pytest.raises(time2vec.Error, match="sleep"):
        next_event.predict([["work", "sleep"]])
    model = NextEvent(hidden=16, epochs=3, unknown="always").fit(weeks())
    assert model.predict([["work", "sleep"]])[0] in ("work", "rest")


def test_forecaster_carries_trend_and_period_on():
    days = np.arange("2023-01-01", "2023-08-01", dtype="datetime64[D]")
    values = 0.01 * np.arange(len(days)) + np.sin(2 * np.pi * np.arange(len(days)) / 7)
    model = Forecaster(epochs=40).fit(days[:160], values[:160])
    assert model.score(days[160:], values[160:]) > 0.95
    backwards = model.predict(days[160:][::-1])
    assert (backwards[::-1] == model.predict(days[160:])).all()


def daily(n=200):
    days = np.arange("2023-01-01", "2024-01-01", dtype="datetime64[D]")[:n]
    return days, 0.01 * np.arange(n) + np.sin(2 * np.pi * np.arange(n) / 7)


def test_forecaster_forecasts_from_what_it_learned_from():
    days, values = daily()
    model = Forecaster(horizon="28d").fit(days[:160], values[:160])
    assert model.score(days[160:188], values[160:188]) > 0.9
    said = model.forecast(horizon=np.timedelta64(5, "D"), every="12h")
    assert len(said["time"]) == 10 and said["time"][0] == days[159] + np.timedelta64(12, "h")
    assert (said["p10"] <= said["value"]).all() and (said["value"] <= said["p90"]).all()
    assert model.forecast(at="+1 d")["value"][0] == pytest.approx(model.predict(days[160:161])[0])


def test_forecasts_of_a_panel_are_told_apart_by_id():
    days, values = daily()
    table = {"id": ["a"] * 200 + ["b"] * 200, "time": np.tile(days, 2), "value": np.concatenate([values, 100 + 5 * values])}
    model = Forecaster(horizon="7d", quantiles=(0.25, 0.75)).fit(table)
    said = model.forecast()
    assert sorted(said) == ["id", "p25", "p75", "time", "value"] and list(said["id"][:7]) == ["a"] * 7
    assert abs(said["value"][7:] - 100 - 5 * said["value"][:7]).max() < 0.5
    with pytest.raises(time2vec.Error, match="series 'c'"):
        model.predict({"id": ["c"], "time": days[:1]})


def test_backtest_measures_beside_rules_what_was_not_learned_from():
    days, values = daily()
    measured = Forecaster(horizon="7d").fit(days[:160], values[:160]).backtest(days, values)
    assert measured["values"]["predictions"] == 40 and not measured["seen_in_training"]
    assert measured["values"]["model"]["mae"] < measured["values"]["baselines"]["mean"]["mae"] / 3
    assert measured["values"]["model"]["coverage"] <= 1


def test_a_saved_forecaster_needs_the_known_series(tmp_path):
    days, values = daily()
    model = Forecaster(horizon="7d").fit(days, values)
    model.save(tmp_path / "days.t2v")
    again = time2vec.load(tmp_path / "days.t2v")
    known = {"time": days, "value": values}
    assert (again.forecast(known)["value"] == model.forecast(known)["value"]).all()
    with pytest.raises(time2vec.Error, match="known values"):
        again.forecast()


def test_bad_horizons_and_quantiles_are_refused():
    days, values = daily()
    with pytest.raises(time2vec.Error, match="horizon"):
        Forecaster(horizon="soon").fit(days, values)
    with pytest.raises(time2vec.Error, match="horizon"):
        Forecaster(horizon="-7d").fit(days, values)
    with pytest.raises(time2vec.Error, match="quantile"):
        Forecaster(quantiles=(0.5, 1.5)).fit(days, values).forecast()


def test_forecast_of_the_next_value_of_each_series():
    pandas = pytest.importorskip("pandas")
    frame = pandas.concat([pandas.DataFrame({"id": f"s{i}", "time": np.arange(60), "value": i + np.arange(60) / 30})
                           for i in range(4)])
    model = Forecaster(task="forecast", epochs=30).fit(frame)
    assert model.predict(frame, at=60).shape == (4,)
    assert model.predict(frame, at=[60, 61]).shape == (4, 2)
    assert model.score(frame) > 0.5


def test_a_fit_is_the_same_on_any_number_of_threads():
    x, y = gaps()
    one, two = (SequenceClassifier(hidden=16, epochs=3, threads=n).fit(x, y).predict_proba(x) for n in (1, 2))
    assert (one == two).all()


def test_saved_estimators_are_the_same_again(tmp_path, classifier, next_event):
    x, _ = gaps(6)
    classifier.save(tmp_path / "model.t2v")
    again = time2vec.load(tmp_path / "model.t2v")
    assert isinstance(again, SequenceClassifier) and again.hidden == classifier.hidden
    assert (again.predict_proba(x) == classifier.predict_proba(x)).all()
    assert again.predict(x).dtype == classifier.predict(x).dtype
    with pytest.raises(time2vec.Error, match="is no NextEvent"):
        NextEvent.load(tmp_path / "model.t2v")
    for copied in (pickle.loads(pickle.dumps(next_event)), copy.deepcopy(next_event)):
        assert (copied.predict_proba(weeks(2)) == next_event.predict_proba(weeks(2))).all()


def test_model_of_the_command_is_loaded(tmp_path):
    random = np.random.default_rng(2)
    rows = ["user_id,time,event"]
    for user in range(30):
        moment = np.datetime64("2024-01-01", "s")
        for _ in range(10):
            moment += np.timedelta64(int(random.integers(60, 9000)), "s")
            rows.append(f"u{user},{moment}Z,{random.choice(['tea', 'cake'])}")
    (tmp_path / "log.csv").write_text("\n".join(rows) + "\n")
    command = Path(sys.executable).with_name("t2v")
    subprocess.run([command, "train", "log.csv", "-o", "log.t2v", "--epochs", "2", "--hidden", "16"], cwd=tmp_path,
                   check=True, capture_output=True)
    model = time2vec.load(tmp_path / "log.t2v")
    assert isinstance(model, NextEvent) and model.model_.times["instants"]
    table = {"user_id": ["new", "new"], "time": np.array(["2024-02-01T10:00", "2024-02-01T11:00"], "M8[s]"),
             "event": ["tea", "cake"]}
    said = subprocess.run([command, "stream", "log.t2v", "--top", "1"], cwd=tmp_path, capture_output=True, text=True,
                          check=True, input="".join(json.dumps({"user_id": "new", "time": f"{t}Z", "event": e}) + "\n"
                                                    for t, e in zip(table["time"], table["event"])))
    streamed = json.loads(said.stdout.splitlines()[-1])["next"][0]
    assert model.predict(table)[0] == streamed["event"]
    assert model.predict_proba(table).max() == pytest.approx(streamed["p"], abs=1e-5)


def test_stream_says_what_a_batch_says(next_event, tmp_path):
    stream = time2vec.Stream(next_event, top=2)
    said = [stream.push("me", day, event) for day, event in enumerate(weeks(1)[0])][-1]
    proba = next_event.predict_proba([weeks(1)[0]])[0]
    for choice in said["next"]:
        assert choice["p"] == pytest.approx(proba[list(next_event.classes_).index(choice["event"])], abs=1e-5)
    stream.save(tmp_path / "states")
    again = time2vec.Stream(next_event, top=2)
    again.restore(tmp_path / "states")
    assert again.push("me", 99, "work") == stream.push("me", 99, "work")
    assert stream.counts()["events"] == len(weeks(1)[0]) + 1 and stream.sequences == 1


def test_callback_hears_of_each_epoch_and_can_end_it():
    heard = []

    def callback(report):
        heard.append(report)
        return report["epoch"] == 3

    x, y = gaps()
    model = SequenceClassifier(hidden=16, callback=callback).fit(x, y)
    assert [report["epoch"] for report in heard] == [1, 2, 3]
    assert {"loss", "valid_loss", "measure", "rate", "seconds", "best"} <= set(heard[0])
    assert len(model.history_) == 3


def test_an_exception_of_the_callback_ends_the_fit():
    def callback(report):
        raise RuntimeError("enough")

    x, y = gaps()
    with pytest.raises(RuntimeError, match="enough"):
        SequenceClassifier(hidden=16, callback=callback).fit(x, y)


@pytest.fixture(scope="module")
def slow():
    """A model and events that take many seconds to be predicted."""
    x, y = gaps(200)
    model = SequenceClassifier(hidden=256, layers=2, epochs=1, threads=1).fit(x, y)
    return model, model._events_to_score(x * 400, np.tile(y, 400))


def seconds_after_ctrl_c(work):
    """How long it takes until work ends that gets the signal after 0.3 seconds. Where other programs take the
    processor, the time that this one had counts."""
    # A program in the background of a shell starts with this signal ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    began, used = time.monotonic(), time.process_time()
    # From outside: a thread of this program could wait for Python's lock.
    sender = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -INT {os.getpid()}"])
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        return min(time.monotonic() - began - 0.3, time.process_time() - used - 0.3 * os.cpu_count())
    finally:
        sender.wait()
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("work", ["fit", "predict", "states", "evaluate", "read names", "read file"])
def test_ctrl_c_ends_work_within_two_seconds(slow, work, tmp_path):
    model, events = slow
    if work == "fit":
        x, y = gaps(200)
        endless = SequenceClassifier(hidden=128, epochs=100_000, options={"patience": 0, "max-time": 60})
        assert seconds_after_ctrl_c(lambda: endless.fit(x * 10, np.tile(y, 10))) < 2
    elif work == "evaluate":
        assert seconds_after_ctrl_c(lambda: model.model_._core.evaluate(events, [], 1)) < 2
    elif work == "read names":
        assert seconds_after_ctrl_c(lambda: _core.Table().add_names("x", itertools.repeat("tea", 10**9))) < 2
    elif work == "read file":
        rows = "".join(f"a,{number},tea\n" for number in np.random.default_rng(1).random(100_000))
        path = tmp_path / "log.csv.gz"  # of parts, so that it is made much faster than it is read
        path.write_bytes(gzip.compress(b"id,time,event\n") + gzip.compress(rows.encode(), 1) * 150)
        assert seconds_after_ctrl_c(lambda: NextEvent()._events(path, fitting=True)) < 2
    else:
        assert seconds_after_ctrl_c(lambda: getattr(model, work)(events)) < 2


def test_other_threads_run_while_a_model_is_trained_and_used(stall):
    x, y = gaps(300)
    model = SequenceClassifier(hidden=64, epochs=8)
    assert stall(lambda: model.fit(x, y)) < 0.25
    events = model._events_to_predict(x * 20)
    for work in (model.predict, model.states, lambda given: model.model_._core.evaluate(labelled, [], 0)):
        labelled = model._events_to_score(x * 20, np.tile(y, 20))
        assert stall(lambda: work(events)) < 0.25


def test_model_file_opens_with_the_plain_safetensors_package(classifier, tmp_path):
    safetensors = pytest.importorskip("safetensors")
    from safetensors.numpy import load_file

    classifier.save(tmp_path / "model.t2v")
    tensors = load_file(tmp_path / "model.t2v")
    ours = classifier.model_.tensors()
    assert set(ours) <= set(tensors)
    for name, tensor in ours.items():
        assert tensors[name].dtype == tensor.dtype and (tensors[name] == tensor).all()
    frequencies = [name for name in tensors if name.endswith(".omega")]
    assert frequencies and all(tensors[name].dtype == np.float64 for name in frequencies)
    assert tensors["cell.hidden"].dtype == np.float32
    with safetensors.safe_open(tmp_path / "model.t2v", "numpy") as file:
        about = file.metadata()
    assert about["t2v.kind"] == "model" and json.loads(about["model"])["task"] == "classify"


def test_learned_periods_are_told(classifier):
    encoders = classifier.model_.learned_time()["encoders"]
    assert encoders and encoders[0]["terms"]
    assert "classify" in repr(classifier.model_)


@pytest.mark.parametrize("fit, word", [
    (lambda: SequenceClassifier().fit([[1.0, 2.0]], [0, 1]), "2 labels y for 1 sequences"),
    (lambda: SequenceClassifier().fit(np.zeros(3), [0, 1, 0]), "Reshape your data"),
    (lambda: SequenceClassifier(options={"hiden": 3}).fit([[1.0], [2.0]], [0, 1]), "hiden"),
    (lambda: SequenceClassifier().fit([[1.0], [2.0]], [0.5, 1.5]), "Unknown label type"),
    (lambda: SequenceClassifier().fit({"time": [1.0], "event": ["a"]}), "requires y"),
    (lambda: NextEvent().fit({"when": [1, 2], "event": ["a", "b"]}), "time"),
    (lambda: NextEvent(cell="lstn").fit(weeks()), "lstn"),
    (lambda: Forecaster().fit([1.0, 2.0], [1.0]), "one value for each of 2 rows"),
    (lambda: Forecaster(task="guess").fit([1.0, 2.0], [1.0, 2.0]), "regress or forecast"),
])
def test_what_cannot_be_learned_from_is_refused(fit, word):
    with pytest.raises(time2vec.Error, match=word):
        fit()


def test_estimators_that_were_not_fitted_say_so():
    for estimator in (SequenceClassifier(), NextEvent(), Recommender(), Forecaster(), time2vec.Time2Vec()):
        with pytest.raises((ValueError, AttributeError), match="not fitted"):
            getattr(estimator, "predict", getattr(estimator, "transform", None))([[1.0, 2.0]])


def test_parameters_are_kept_as_given():
    model = NextEvent(hidden=7).set_params(epochs=3)
    assert model.get_params()["hidden"] == 7 and model.get_params()["epochs"] == 3
    assert repr(model) == "NextEvent(hidden=7, epochs=3)"
    with pytest.raises(ValueError, match="Invalid parameter 'hiden'"):
        model.set_params(hiden=3)
