"""Runs exported models in ONNX Runtime and compares them with the library.

    run_onnx.py CASES T2V

CASES is what onnx_cases wrote; T2V the command. Prints a line for what failed, and the worst error of each kind.
"""
import json
import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

import numpy as np
import onnx
import onnxruntime

TOLERANCE = 1e-5
ONE_THREAD = onnxruntime.SessionOptions()
ONE_THREAD.intra_op_num_threads = 1
ONE_THREAD.inter_op_num_threads = 1
ONE_THREAD.log_severity_level = 3
DTYPES = {"F32": np.float32, "F64": np.float64, "I64": np.int64}
PI = Fraction("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")
ROOT = pathlib.Path(__file__).parents[2]


class Failed(Exception):
    pass


def expect(condition, text):
    if not condition:
        raise Failed(text)


worst = {}


def expect_close(got, wanted, what, bound=TOLERANCE):
    """Within the bound, of what is larger than 1 relative to it. NaN is not close to anything."""
    got, wanted = np.asarray(got, np.float64), np.asarray(wanted, np.float64)
    expect(got.shape == wanted.shape, f"{what}: shape {got.shape} instead of {wanted.shape}")
    error = np.max(np.abs(got - wanted) / np.maximum(1, np.abs(wanted)), initial=0)
    expect(error <= bound, f"{what}: off by {error}")
    worst[what] = max(worst.get(what, 0), error)


def read_tensors(path):
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    about = header.pop("__metadata__")
    tensors = {}
    for name, tensor in header.items():
        begin, end = tensor["data_offsets"]
        array = np.frombuffer(data[8 + size + begin : 8 + size + end], DTYPES[tensor["dtype"]])
        tensors[name] = array.reshape(tensor["shape"])
    return about["about"], tensors


class Graph:
    def __init__(self, path):
        self.session = onnxruntime.InferenceSession(str(path), ONE_THREAD, providers=["CPUExecutionProvider"])
        self.inputs = {i.name: i.shape for i in self.session.get_inputs()}
        self.outputs = [o.name for o in self.session.get_outputs()]
        self.notes = self.session.get_modelmeta().custom_metadata_map

    def run(self, inputs):
        return dict(zip(self.outputs, self.session.run(None, {name: inputs[name] for name in self.inputs})))


class Case:
    """Inputs of all events one after another, and what is expected after each."""

    def __init__(self, folder):
        self.about, tensors = read_tensors(folder / "case.safetensors")
        self.offsets = tensors["offsets"]
        self.lengths = np.diff(self.offsets)
        self.steps = self.lengths.max() + 1  # one more than are needed
        self.inputs = {name[3:]: t for name, t in tensors.items() if name.startswith("in.")}
        self.expected = {name[4:]: t for name, t in tensors.items() if name.startswith("out.")}
        self.hidden = tensors.get("hidden")
        self.tensors = tensors

    def padded(self, shapes):
        """As the graph of a batch takes it, with nonsense beyond the ends of sequences."""
        given = {"length": self.lengths.copy()}
        for name, values in self.inputs.items():
            if name not in shapes:
                continue
            if len(shapes[name]) == 1:  # of sequences
                given[name] = values
                continue
            nonsense = np.nan if values.dtype == np.float64 else -7
            rows = np.full((len(self.lengths), self.steps), nonsense, values.dtype)
            for b, length in enumerate(self.lengths):
                rows[b, :length] = values[self.offsets[b] : self.offsets[b + 1]]
            given[name] = rows
        return given

    def step(self, shapes, rows, t):
        """Event t of these sequences, as the graph of a single step takes it."""
        given = {}
        for name in self.inputs.keys() & shapes.keys():
            values = self.inputs[name]
            given[name] = values[self.offsets[rows] + t] if len(values) == self.offsets[-1] else values[rows]
        return given


def quantile(share, mu, sigma, p, zero):
    if p <= zero:
        return 0
    p = (p - zero) / (1 - zero)
    low, high = min(mu - 40 * sigma), max(mu + 40 * sigma)
    for _ in range(60):
        middle = (low + high) / 2
        below = sum(w * 0.5 * math.erfc((m - middle) / (s * math.sqrt(2))) for w, m, s in zip(share, mu, sigma))
        low, high = (middle, high) if below < p else (low, middle)
    return math.exp(low)


def when_of(made, place):
    parts = [made[name][place] for name in ("when_share", "when_mu", "when_sigma")]
    zero = made["when_zero"][place] if "when_zero" in made else 0
    return [quantile(*parts, p, zero) for p in (0.1, 0.5, 0.9)] + [made["when_mean"][place]]


def compare(case, made, places, what):
    """`places`: for each event that is looked at, where it is in the outputs."""
    for name, wanted in case.expected.items():
        for event, place in places:
            if name == "when":
                expect_close(when_of(made, place), wanted[event], f"{what} when")
            else:
                expect_close(np.atleast_1d(made[name][place]), wanted[event], f"{what} {name}")


def places_of_all(case):
    return [(o + t, (b, t)) for b, o in enumerate(case.offsets[:-1]) for t in range(case.lengths[b])]


def check_batch(case, graph):
    """A number of each event is predicted at each, all else after the last."""
    made = graph.run(case.padded(graph.inputs))
    at_each = made.get("value", np.zeros(1)).ndim == 2
    last = [(case.offsets[b + 1] - 1, b) for b in range(len(case.lengths))]
    compare(case, made, places_of_all(case) if at_each else last, "batch")
    if case.hidden is not None:
        width = case.hidden.shape[1]
        after = 2 * width + 1 if " of all" in case.about else 0  # sum, maximum and count of all states
        end = made["state"].shape[1] - after
        expect_close(made["state"][:, end - width : end], case.hidden, "batch state")
    return made


def check_every(case, graph):
    compare(case, graph.run(case.padded(graph.inputs)), places_of_all(case), "every event")


def check_steps(case, graph, batch_state):
    has_state = "state" in graph.inputs
    expect(has_state == (case.hidden is not None), "a state where there is a cell")
    state = np.zeros((len(case.lengths), graph.inputs["state"][1] if has_state else 0), np.float32)
    has_past = "past" in graph.inputs
    past = np.zeros((len(case.lengths), graph.inputs["past"][1] if has_past else 0), np.float32)
    for t in range(case.lengths.max()):
        rows = np.flatnonzero(case.lengths > t)
        made = graph.run(case.step(graph.inputs, rows, t) | {"state": state[rows], "past": past[rows]})
        compare(case, made, [(case.offsets[b] + t, i) for i, b in enumerate(rows)], "step")
        if has_state:
            state[rows] = made["next_state"]
        if has_past:
            past[rows] = made["next_past"]
    if has_state:
        expect_close(state, batch_state, "step state")


# --- what is out of range ---


def expect_refused(case, made, reference, row, first):
    """NaN in this row, of outputs at each event from the first bad one on, and all else as it was."""
    for name, values in made.items():
        each = name != "state" and values.shape[1:2] == (case.steps,)
        bad = np.zeros(values.shape, bool)
        bad[(row, slice(first, None)) if each else row] = True
        expect(np.isnan(values[bad]).all(), f"{name} is not NaN for a sequence out of range")
        there = ~bad
        if each:  # beyond the ends there is nothing to compare
            there &= (np.arange(case.steps) < case.lengths[:, None]).reshape(bad.shape[:2] + (1,) * (bad.ndim - 2))
        expect(np.array_equal(values[there], reference[name][there]), f"{name} of other sequences changed")


def takes_unknown(graph, name):
    if name == "event":
        return json.loads(graph.notes["t2v.events"])["unknown"] is not None
    feature = next(f for f in json.loads(graph.notes["t2v.features"]) if f["input"] == name)
    return feature["unknown"] is not None


def check_refusals(case, graph, reference):
    """A value out of range, at an event of the second sequence, makes its outputs NaN and no others."""
    for name, shape in graph.inputs.items():
        if len(shape) != 2:
            continue
        if case.inputs[name].dtype == np.float64:
            worse = [np.inf, -1e60] if name.startswith("feature.") else [np.nan, np.inf, 1e40, -1e40]
        else:
            worse = [] if takes_unknown(graph, name) else [-1, 10**12]
        for bad in worse:
            given = case.padded(graph.inputs)
            given[name][1, 2] = bad
            expect_refused(case, graph.run(given), reference, 1, 2)
    for length in (0, -1, 10**6):
        given = case.padded(graph.inputs)
        given["length"][1] = length
        expect_refused(case, graph.run(given), reference, 1, 0)


def check_refused_step(case, graph):
    if "state" not in graph.inputs or "start" not in graph.inputs:
        return
    given = case.step(graph.inputs, np.arange(len(case.lengths)), 0)
    kept = [name for name in ("state", "past") if name in graph.inputs]
    for name in kept:
        given[name] = np.full((len(case.lengths), graph.inputs[name][1]), 0.25, np.float32)
    good = graph.run(given)
    made = graph.run(given | {"start": np.where(np.arange(len(case.lengths)) == 1, 1e40, given["start"])})
    others = np.arange(len(case.lengths)) != 1
    for name, values in made.items():
        expect(np.array_equal(values[others], good[name][others]), f"{name} of other sequences changed")
        if name.removeprefix("next_") in kept:
            was = given[name.removeprefix("next_")]
            expect(np.array_equal(values[1], was[1]), f"an event out of range changed {name}")
        else:
            expect(np.isnan(values[1]).all(), f"{name} of an event out of range is not NaN")


# --- phases ---


def check_phases(case, graph):
    """Against exact arithmetic: a sine or cosine is off by no more than the phase, and a float's half ULP."""
    omega, phi = Fraction(case.tensors["wide.time0.omega"][0]), Fraction(case.tensors["wide.time0.phi"][0])
    function = math.cos if "cos" in case.about else math.sin
    made = graph.run(case.padded(graph.inputs))["value"]
    exact = [function(float((omega * Fraction(t) + phi) % (2 * PI))) for t in case.inputs["start"]]
    error = np.max(np.abs(made - exact))
    expect(error <= 1e-6 + 2**-24, f"a phase is off by {error}")
    worst["phase"] = max(worst.get("phase", 0), error)
    bound = 1e9 / abs(float(omega))
    given = {"length": np.array([1, 1])}
    inside = {"start": np.array([[bound * (1 - 1e-12)], [-bound * (1 - 1e-12)]])}
    beyond = {"start": np.array([[bound * 1.001], [-bound * 2]])}
    expect(np.isfinite(graph.run(given | inside)["value"]).all(), "a phase of 1e9 is not encoded")
    expect(np.isnan(graph.run(given | beyond)["value"]).all(), "a phase beyond 1e9 is encoded")


def run_case(folder, refusals):
    case = Case(folder)
    batch = Graph(folder / "batch.onnx")
    if case.about.startswith("phases"):
        check_phases(case, batch)
        return
    made = check_batch(case, batch)
    if (folder / "every.onnx").exists():
        check_every(case, Graph(folder / "every.onnx"))
    if case.about == "dates":
        return
    step = Graph(folder / "step.onnx")
    check_steps(case, step, made.get("state"))
    if refusals:
        check_refusals(case, batch, made)
        check_refused_step(case, step)


# --- the tool, from a table to a graph ---


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def check_tool(t2v):
    """Trains on a table, exports, and feeds the graph from the table by what the notes of the file say."""
    table = ROOT / "examples" / "cafe.csv"
    with tempfile.TemporaryDirectory() as folder:
        model, graph_file = f"{folder}/m.t2v", f"{folder}/m.onnx"
        lines_of(t2v, "train", str(table), "--task", "next", "--features", "price", "--epochs", "2", "--hidden", "8",
                 "--unknown", "always", "--when", "-o", model)
        lines_of(t2v, "export", model, "--onnx", graph_file)
        graph = Graph(graph_file)
        predicted = [json.loads(line) for line in lines_of(t2v, "predict", model, str(table), "--top", "100",
                                                               "--at", "+36 h")]
    times = json.loads(graph.notes["t2v.times"])
    unit, origin = times["ticks_per_unit"], times["origin_tick"]
    expect(times["origin"] == "dataset", "one origin for all")
    types = json.loads(graph.notes["t2v.events"])["names"]
    sequences = {}
    header, *rows = table.read_text().splitlines()
    for row in rows:
        cells = dict(zip(header.split(","), row.split(",")))
        tick = np.datetime64(cells["time"].removesuffix("Z"), "ns").astype(np.int64)
        price = float(cells["price"]) if cells["price"] else math.nan
        sequences.setdefault(cells["user_id"], []).append((tick, types.index(cells["event"]), price))
    expect(list(sequences) == [p["id"] for p in predicted], "the sequences of the table")
    length = np.array([len(s) for s in sequences.values()])
    given = {"length": length, "event": np.zeros((len(length), length.max()), np.int64)}
    given |= {name: np.zeros(given["event"].shape) for name in ("start", "gap", "since", "feature.price")}
    until = 36 * 3600e9 / unit  # the graph is told when the next event comes
    given |= {"query": np.zeros(given["event"].shape), "until": np.full(given["event"].shape, until)}
    for b, events in enumerate(sequences.values()):
        ticks, codes, prices = zip(*sorted(events, key=lambda event: event[0]))
        ticks = np.array(ticks)
        given["start"][b, : length[b]] = (ticks - origin) / unit
        given["query"][b, : length[b]] = given["start"][b, : length[b]] + until
        given["since"][b, : length[b]] = (ticks - ticks[0]) / unit
        given["gap"][b, 1 : length[b]] = np.diff(ticks) / unit
        given["event"][b, : length[b]] = codes
        given["feature.price"][b, : length[b]] = prices
    made = graph.run(given)
    for b, prediction in enumerate(predicted):
        by_name = {choice["event"]: choice["p"] for choice in prediction["next"]}
        expect_close(made["probability"][b], [by_name[name] for name in types], "t2v predict")
        when = [prediction["when"][key] for key in ("p10", "median", "p90", "mean")]
        expect_close(when_of(made, b), when, "t2v predict when")


def check_page(t2v):
    """Runs the commands and the program of docs/onnx.md in a folder of their own."""
    page = (ROOT / "docs" / "onnx.md").read_text()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "examples").symlink_to(ROOT / "examples")
        for line in "".join(re.findall(r"```console\n(.*?)```", page, re.S)).splitlines():
            lines = line.removeprefix("$ t2v ").split()
            subprocess.run([t2v, *lines], cwd=folder, check=True, capture_output=True)
        program = "\n".join(re.findall(r"```python\n(.*?)```", page, re.S))
        program += "\nassert state.shape == (1, made['state'].shape[1])"
        ran = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)
        expect(ran.returncode == 0, ran.stderr)
        expect(len(ran.stdout.splitlines()) == 2, ran.stdout)


def check_form(folder):
    """Against the whole specification, with inferred shapes."""
    for graph in folder.glob("*.onnx"):
        onnx.checker.check_model(str(graph), full_check=True)


def main():
    folders = sorted(pathlib.Path(sys.argv[1]).iterdir())
    t2v = str(pathlib.Path(sys.argv[2]).resolve())
    checks = [(folder.name, lambda f=folder, i=i: run_case(f, i % 5 == 0)) for i, folder in enumerate(folders)]
    checks += [(folder.name, lambda f=folder: check_form(f)) for folder in folders[::7]]
    checks += [("the tool", lambda: check_tool(t2v)), ("docs/onnx.md", lambda: check_page(t2v))]
    failed = 0
    for name, check in checks:
        try:
            check()
        except Exception as error:  # whatever it is, the others are looked at too
            failed += 1
            about = Case(pathlib.Path(sys.argv[1]) / name).about if name.isdigit() else ""
            print(f"{name} {about}: {type(error).__name__}: {str(error)[:400]}")
    print("worst: " + ", ".join(f"{what} {error:.1e}" for what, error in sorted(worst.items())))
    print(f"{len(checks) - failed} passed, {failed} failed "
          f"(ONNX Runtime {onnxruntime.__version__}, onnx {onnx.__version__})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
