"""The command, C++, C and Python make byte-identical models and equal predictions of the same data and options."""

import ctypes
import datetime
import inspect
import io
import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import time2vec

BUILD = Path(os.environ.get("T2V_BUILD_DIR", "build/release")).absolute()
COMMAND, CPP, LIBRARY = BUILD / "cli/t2v", BUILD / "tests/parity_main", BUILD / "src/libtime2vec.so"
FAST = {"hidden": 6, "epochs": 2, "time": "t2v:3"}
START = datetime.datetime(2024, 3, 1, tzinfo=datetime.timezone.utc)

pytestmark = pytest.mark.skipif(not (COMMAND.exists() and CPP.exists() and LIBRARY.exists()),
                                reason="the command, the library and tests/parity_main are not built (scripts/build)")


def rows(count=14, length=9, when=lambda hours: (START + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:%SZ")):
    """Rows (id, time, event, value) of sequences in which types take turns, by the hour."""
    random = np.random.default_rng(5)
    made = []
    for s in range(count):
        hours = float(random.integers(0, 40))
        for i in range(length):
            hours += float(random.integers(1, 9)) / 2
            made.append((f"s{s}", when(hours), "abc"[(i + s) % 3], round(2 + np.sin(hours / 3.8), 3)))
    return made


def frame_of(made, *columns):
    return pd.DataFrame(made, columns=["id", "time", "event", "value"])[list(columns)]


UNIX = lambda hours: int(START.timestamp() + 3600 * hours)  # noqa: E731
PLAIN = lambda hours: hours  # noqa: E731
WRITTEN = lambda hours: (START + datetime.timedelta(days=16, hours=hours)).strftime("%d/%m/%Y %H:%M:%S")  # noqa: E731
COMPACT = lambda hours: int((START + datetime.timedelta(days=hours)).strftime("%Y%m%d"))  # noqa: E731
LOCAL = lambda hours: (START + datetime.timedelta(hours=hours)).strftime("%Y-%m-%d %H:%M:%S")  # noqa: E731
TYPES, VALUES = ("id", "time", "event"), ("id", "time", "value")


class Case:
    """Data as a frame, what to ask for, and how each of the four gets the data."""

    def __init__(self, frame, estimator, *, options=None, read=None, form="csv", way="files", after=None, give=None,
                 given=None):
        self.frame, self.estimator, self.form, self.way = frame, estimator, form, way
        self.options = {"task": estimator()._task, **FAST, **(options or {})}
        self.read, self.after, self.given = read or {}, after, given or {}
        self.give = give or (lambda frame: frame)

    def write(self, folder):
        path = folder / ("data." + self.form)
        if self.form == "csv":
            self.frame.to_csv(path, index=False)
        elif self.form == "jsonl":
            self.frame.to_json(path, orient="records", lines=True)
        else:  # an event store, with a split and an encoding
            self.frame.to_csv(folder / "source.csv", index=False)
            command(["import", folder / "source.csv", "--split", "last", "--vocab", "2", "-o", path])
        return path

    def estimate(self, path):
        names = set(self.estimator().get_params())
        own = {name: value for name, value in self.options.items() if name in names}
        more = {name: value for name, value in self.options.items() if name not in names and name != "task"}
        made = self.estimator(**own, options=more, columns=self.read or None)
        return made.fit(path if self.form == "events" else self.give(self.frame), **self.given)


def labelled(made):
    frame = frame_of(made, *TYPES)
    return frame.assign(label=["even" if int(name[1:]) % 2 == 0 else "odd" for name in frame.id])


def summed(made):
    frame = frame_of(made, *TYPES)
    return frame.assign(total=[float(int(name[1:]) ** 2) for name in frame.id])


def lists(frame):
    """Sequences as lists of (times, events), which are named as the columns are here."""
    return [(list(part.time), list(part.event)) for _, part in frame.groupby("id", sort=False)]


def arrow(frame):
    return pytest.importorskip("pyarrow").Table.from_pandas(frame, preserve_index=False)


def as_dates(frame):
    return frame.assign(time=pd.to_datetime(frame.time))


def polars(frame):
    return pytest.importorskip("polars").from_pandas(frame)


NEXT, RECOMMEND = time2vec.NextEvent, time2vec.Recommender
CLASSIFY, FORECAST = time2vec.SequenceClassifier, time2vec.Forecaster
CASES = {
    "next, dates, CSV": Case(frame_of(rows(), *TYPES), NEXT),
    "next, dates, JSON lines": Case(frame_of(rows(), *TYPES), NEXT, form="jsonl"),
    "next, a store with split and encoding": Case(frame_of(rows(), *TYPES), NEXT, form="events"),
    "next, datetime64 in a frame": Case(frame_of(rows(), *TYPES), NEXT, give=as_dates),
    "next, an Arrow stream": Case(frame_of(rows(), *TYPES), NEXT, give=lambda f: arrow(as_dates(f))),
    "next, a frame of Polars": Case(frame_of(rows(), *TYPES), NEXT, give=lambda f: polars(as_dates(f))),
    "next, Unix times": Case(frame_of(rows(when=UNIX), *TYPES), NEXT),
    "next, plain numbers": Case(frame_of(rows(when=PLAIN), *TYPES), NEXT),
    "next, local times in a zone": Case(frame_of(rows(when=LOCAL), *TYPES), NEXT, read={"timezone": "Europe/Paris"}),
    "next, dates with the day first": Case(frame_of(rows(when=WRITTEN), *TYPES), NEXT),
    "next, dates without separators": Case(frame_of(rows(when=COMPACT), *TYPES), NEXT),
    "next, dates in another form": Case(frame_of(rows(when=WRITTEN), *TYPES), NEXT,
                                        read={"time_format": "%d/%m/%Y %H:%M:%S"}),
    "next, rows in memory": Case(frame_of(rows(when=PLAIN), *TYPES), NEXT, way="rows"),
    "next, a date as origin": Case(frame_of(rows(), *TYPES), NEXT, options={"origin": "2024-02-01", "unit": "d"}),
    "next, the query time known": Case(frame_of(rows(), *TYPES), NEXT, options={"query_time": True}, after=6.0),
    "next and when, a vocabulary": Case(frame_of(rows(), *TYPES), NEXT, options={"when": True, "vocab": 2}),
    "next, a split of its own": Case(frame_of(rows(), *TYPES), NEXT, options={"split": "random", "split_seed": 3}),
    "recommend": Case(frame_of(rows(), *TYPES), RECOMMEND),
    "classify": Case(labelled(rows()), CLASSIFY),
    "regress, a number of each event": Case(frame_of(rows(), *VALUES), FORECAST, options={"task": "regress"}),
    "forecast, plain numbers": Case(frame_of(rows(when=PLAIN), *VALUES), FORECAST, options={"task": "forecast"},
                                    after=6.0),
    "forecast, a date as origin": Case(frame_of(rows(), *VALUES), FORECAST, after=6.0,
                                       options={"task": "forecast", "origin": "2024-02-01"}),
}


def command(arguments):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def text_of(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def flags_of(options):
    for name, value in options.items():
        yield "--" + name.replace("_", "-")
        if value is not True:
            yield text_of(value)


def by_command(case, path, folder):
    model = folder / "command.t2v"
    command(["train", path, *flags_of({**case.read, **case.options}), "-o", model, "--threads", "1"])
    after = [] if case.after is None else ["--at", f"+{case.after:g}" + (" h" if is_of_dates(model) else "")]
    every = ["--every-event"] if case.options["task"] == "regress" else []
    said = [json.loads(line) for line in command(["predict", model, path, *after, *every, "--top", "5"]).splitlines()]
    return model, [prediction(p["id"], [(c.get("event", c.get("label")), c["p"]) for c in p.get("next", p.get("class", []))],
                              p.get("value")) for p in said]


def is_of_dates(model):
    return time2vec.Model.read(model).times["instants"]


def prediction(name, choices, value):
    return name, {text: float(p) for text, p in choices}, None if value is None else float(value)


def by_cpp(case, path, folder):
    model, out = folder / "cpp.t2v", folder / "cpp.txt"
    settings = [f"{name}={text_of(value)}" for name, value in case.options.items()]
    settings += [f"read.{name}={text_of(value)}" for name, value in case.read.items()]
    if case.after is not None:
        settings.append(f"after={case.after}")
    if case.options["task"] == "regress":
        settings.append("every_event=true")
    done = subprocess.run([CPP, model, out, case.way, *settings, "--", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = []
    for line in io.StringIO(out.read_text()):
        cells = line.rstrip("\n").split("\t")
        pairs = list(zip(cells[1::2], cells[2::2]))
        said.append(prediction(cells[0], pairs, cells[-1] if len(cells) % 2 == 0 else None))
    return model, said


class Setting(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class Choice(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("probability", ctypes.c_double)]


class Prediction(ctypes.Structure):
    _fields_ = [("id", ctypes.c_char_p), ("time", ctypes.c_char_p), ("at", ctypes.c_char_p),
                ("choices", ctypes.POINTER(Choice)), ("choice_count", ctypes.c_size_t), ("has_value", ctypes.c_int),
                ("value", ctypes.c_double)]


class PredictOptions(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("top", ctypes.c_int64), ("at", ctypes.POINTER(ctypes.c_char_p)),
                ("at_count", ctypes.c_size_t), ("after", ctypes.POINTER(ctypes.c_double)),
                ("after_count", ctypes.c_size_t), ("every_event", ctypes.c_int), ("threads", ctypes.c_int)]


def by_c(case, path, folder):
    library = ctypes.CDLL(str(LIBRARY))
    library.t2v_last_error.restype = ctypes.c_char_p
    library.t2v_predictions_count.restype = ctypes.c_size_t
    library.t2v_predictions_get.restype = ctypes.POINTER(Prediction)

    def done(status):
        assert status == 0, library.t2v_last_error()

    given = [(name.encode(), text_of(value).encode()) for name, value in {**case.read, **case.options}.items()]
    settings = (Setting * len(given))(*[Setting(*pair) for pair in given])
    files = (ctypes.c_char_p * 1)(str(path).encode())
    handle, said = ctypes.c_void_p(), ctypes.c_void_p()
    done(library.t2v_train(files, ctypes.c_size_t(1), settings, ctypes.c_size_t(len(given)), 2, ctypes.byref(handle)))
    model = folder / "c.t2v"
    done(library.t2v_model_save(handle, str(model).encode()))
    after = (ctypes.c_double * 1)(case.after or 0.0)
    options = PredictOptions(ctypes.sizeof(PredictOptions), 5, None, 0, after, int(case.after is not None),
                             int(case.options["task"] == "regress"), 1)
    done(library.t2v_model_predict(handle, files, ctypes.c_size_t(1), ctypes.byref(options), ctypes.byref(said)))
    all_said = []
    for i in range(library.t2v_predictions_count(said)):
        one = library.t2v_predictions_get(said, ctypes.c_size_t(i)).contents
        choices = [(one.choices[k].name.decode(), one.choices[k].probability) for k in range(one.choice_count)]
        all_said.append(prediction(one.id.decode(), choices, one.value if one.has_value else None))
    library.t2v_predictions_free(said)
    library.t2v_model_free(handle)
    return model, all_said


def by_python(case, path, folder):
    estimator = case.estimate(path)
    model = folder / "python.t2v"
    estimator.save(model)
    x = path if case.form == "events" else case.give(case.frame)
    ids = estimator.ids(x)
    asked = None if case.after is None else f"+{case.after:g}" + (" h" if estimator.model_.times["instants"] else "")
    if case.options["task"] == "forecast":
        return model, [prediction(name, [], value) for name, value in zip(ids, estimator.predict(x, at=asked))]
    if case.options["task"] == "regress":
        names = case.frame.id
        return model, [prediction(name, [], value) for name, value in zip(names, estimator.predict(x))]
    how = {} if asked is None else {"at": asked}
    table = estimator.predict_proba(x, **how)
    return model, [prediction(name, zip(map(str, estimator.classes_), row), None) for name, row in zip(ids, table)]


def same(left, right):
    assert [one[0] for one in left] == [one[0] for one in right]
    for (_, choices, value), (_, others, other) in zip(left, right):
        assert (value is None) == (other is None)
        assert value is None or value == pytest.approx(other, rel=2e-6)
        assert set(choices) == set(others)
        assert all(p == pytest.approx(others[name], abs=2e-6) for name, p in choices.items())


@pytest.mark.parametrize("name", CASES)
def test_four_ways_in_give_the_same_bytes_and_predictions(name, tmp_path):
    case = CASES[name]
    path = case.write(tmp_path)
    ways = [by(case, path, tmp_path) for by in (by_command, by_cpp, by_c, by_python)]
    first, predictions = ways[0]
    assert predictions
    for model, said in ways[1:]:
        assert model.read_bytes() == first.read_bytes(), model.name
        same(predictions, said)


def test_a_store_keeps_its_split_and_encoding_in_python(tmp_path):
    case = CASES["next, a store with split and encoding"]
    model = case.estimate(case.write(tmp_path)).model_
    assert model.event_types == ["a", "b"] or len(model.event_types) <= 3  # two types, and a place for others
    assert model.training["train_sequences"] == 14


def test_times_finer_than_those_of_the_data_are_refused_everywhere():
    case = CASES["next, plain numbers"]
    estimator = NEXT(**FAST, query_time=True).fit(case.frame)
    with pytest.raises(time2vec.Error, match="finer than the times of the data, which have 1 decimals"):
        estimator.predict(case.frame, at=99.125)
    with pytest.raises(time2vec.Error, match="finer than the times of the data"):
        time2vec.Stream(estimator).push("s0", 99.125, "a", at=100.5)


@pytest.mark.parametrize("times, why", [
    (["01/02/2024", "03/04/2024"], "may have the day or the month first, and no time of the first 2 tells"),
    (["31/01/2024", "01/31/2024"], "has the day first, but '01/31/2024' in row 1 .* has the month first"),
    ([1_600_000_000] * 20 + [1_600_000_000_000_000], "is of another unit than the others"),
])
def test_times_that_a_file_is_refused_for_are_refused_of_a_frame(times, why, tmp_path):
    frame = pd.DataFrame({"id": ["a"] * len(times), "time": times, "event": ["x"] * len(times)})
    frame.to_csv(tmp_path / "data.csv", index=False)
    done = subprocess.run([COMMAND, "train", tmp_path / "data.csv", "-o", tmp_path / "m.t2v"], capture_output=True, text=True)
    assert done.returncode == 2
    assert why.split(",")[0].split(" in row")[0] in done.stderr
    with pytest.raises(time2vec.Error, match=why):
        NEXT(**FAST).fit(frame)


def test_durations_have_one_grammar():
    case = CASES["next, the query time known"]
    estimator = NEXT(**FAST, query_time=True).fit(case.frame)
    np.testing.assert_array_equal(estimator.predict_proba(case.frame, at="+1 h 30 min"),
                                  estimator.predict_proba(case.frame, at=np.timedelta64(90, "m")))
    with pytest.raises(time2vec.Error, match="is not a duration; write numbers with"):
        estimator.predict(case.frame, at="+1 month")


def test_keywords_agree_with_the_table_of_options():
    table = {option["name"]: option for option in json.loads(time2vec._core.option_table())}
    own = {"options", "columns", "threads", "callback", "top", "quantiles"}
    for estimator in (NEXT, RECOMMEND, CLASSIFY, FORECAST):
        for name, default in estimator._defaults().items():
            if name in own or name == "self":
                continue
            assert name in table, name
            if (estimator, name) != (FORECAST, "task"):
                assert default == table[name]["default"], name


def options_of_page(command):
    """The options that the page of options lists for a command, with their defaults."""
    page = (Path(__file__).parents[2] / "docs" / "options.md").read_text()
    rows = page.split(f"\n## t2v {command}\n")[1].split("\n## ")[0].splitlines()
    cells = [row.replace("*", "").split(" | ") for row in rows if row.startswith(("| `", "| **"))]
    return {cell[0].strip("| `"): cell[2].strip("`") for cell in cells}


def test_keywords_of_a_stream_agree_with_the_page_of_options():
    table = options_of_page("stream")
    keywords = {name: parameter.default for name, parameter in inspect.signature(time2vec.Stream).parameters.items()
                if parameter.default is not inspect.Parameter.empty}
    assert keywords
    for name, default in keywords.items():
        assert table[name] == str(default), name
