"""Makes the goldens that tests/model/golden_test.cc holds the engine against: small models in PyTorch, float64, with
autograd. LSTM and GRU are torch's own; the other cells are written here from their equations. For each case: outputs,
loss, every gradient, and the parameters after 20 steps of an optimizer. Run through scripts/goldens."""

import calendar
import datetime
import itertools
import json
import math
import pathlib
import random
import sys

import torch

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)

LENGTHS = [4, 1, 3, 5]
EVENT_TYPES, FEATURES, HIDDEN, CLASSES, STEPS, RATE = 3, 1, 3, 3, 20, 1e-3
INPUTS = ("start", "gap", "query", "until")

ACTIVATIONS = {
    "sin": torch.sin,
    "cos": torch.cos,
    "triangle": lambda x: 2 / math.pi * torch.asin(torch.sin(x)),
    "mod": lambda x: torch.remainder(x, 2 * math.pi) / math.pi - 1,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
}

# The gates of each cell that the input, the time vectors and the hidden state feed, in our order of columns.
GATES = {
    "lstm": ("i f g o", "i f g o", "i f g o"),
    "peephole": ("i f g o", "i f g o", "i f g o"),
    "tlstm1": ("T i f g o", "o U", "i f g o"),
    "tlstm2": ("T1 T2 i f g o", "o U1 U2", "i f g o"),
    "tlstm3": ("T1 T2 i g o", "o U1 U2", "i g o"),
    "gru": ("n r z", "n r z", "r z m"),
    "phased": ("i f g o", "i f g o", "i f g o"),
}
PEEPHOLES = {"peephole": 3, "tlstm1": 3, "tlstm2": 3, "tlstm3": 2, "phased": 3}


def t2v(k=2, input="start", activation="sin", linear=True, frozen=False, l1=0.0):
    return dict(kind="t2v", input=input, k=k, activation=activation, linear=linear, frozen=frozen, l1=l1)


def plain(kind, input="start", unit=86400.0, origin=0.0):
    return dict(kind=kind, input=input, unit=unit, origin=origin)


def width_of(time):
    return {"raw": 1, "log": 1, "calendar": 6}.get(time["kind"]) or time["k"] + time["linear"]


def head(kind, each_step=False, class_weights=(), weight=1.0):
    return dict(kind=kind, each_step=each_step, class_weights=list(class_weights), weight=weight,
                classes=2 if kind == "logistic" else CLASSES, components=2, delta=0.7)


def hidden(made, units, **settings):
    """A head with a hidden layer beside its straight way."""
    return {**made, "units": units, **settings}


def outputs_of(config):
    when = 3 * config["components"] + config.get("atom", False)
    return {"softmax": config["classes"], "when": when}.get(config["kind"], 1)


DEFAULTS = dict(cell="lstm", inner="sigmoid", constraint="none", floor=-0.2, layers=1, biases=1, chunk=0, events=True,
                features=True, time_factor=1.0, clip=0.0, schedule="constant", optimizer="adam", decay=0.0)


def case(**settings):
    return {**DEFAULTS, **settings}


def crossed():
    """Every encoder and activation with and without a recurrence, by both heads of a class."""
    times = [[plain("raw")], [plain("log", "gap")], [plain("calendar", "start", 86400.0 * 17.3, 1456000000.0)]]
    for i, activation in enumerate(ACTIVATIONS):
        times.append([t2v(2 + i % 2, INPUTS[i % 3], activation, linear=i % 2 == 0)])
    for i, (time, cell, kind) in enumerate(itertools.product(times, ("none", "lstm"), ("softmax", "logistic"))):
        yield case(times=time, cell=cell, heads=[head(kind)], biases=1 + i % 2, events=i % 3 != 1, features=i % 3 != 0)


FACTORS = dict(
    cell=[("lstm", "sigmoid"), ("peephole", "sigmoid"), ("gru", "sigmoid"), ("phased", "sigmoid")] +
         [(c, inner) for c in ("tlstm1", "tlstm2", "tlstm3") for inner in ("sigmoid", "tanh")],
    times=[[plain("raw", "gap")], [t2v(3)], [t2v(2, "gap", linear=False), plain("log", "query")],
           [t2v(2, "gap", "cos", l1=0.03)]],
    heads=[[head("softmax")], [head("softmax", True, (0.5, 2.0, 1.0))], [head("logistic")], [head("mse")],
           [head("mse", True)], [head("mae", True)], [head("huber")], [head("huber", True)], [head("when", True)],
           [head("softmax", True), head("when", True, weight=0.5)]],
    constraint=["none", "nonpositive", "floor"],
    layers=[1, 2],
    biases=[1, 2],
    chunk=[0, 2],
    optimizer=["adam", "adamw", "adagrad", "adagrad_inside", "sgd"],
    extras=[(1.0, 0.0, "constant"), (0.2, 0.0, "cosine"), (1.0, 0.05, "constant"), (1.0, 0.0, "step")],
)


def pairwise():
    """Cases in which every two choices of two factors meet, found greedily."""
    names = list(FACTORS)
    pairs = {(a, i, b, j) for a, b in itertools.combinations(names, 2) for i in range(len(FACTORS[a]))
             for j in range(len(FACTORS[b]))}
    draw = random.Random(1)

    def met(choice):
        return {(a, choice[a], b, choice[b]) for a, b in itertools.combinations(names, 2)}

    while pairs:
        a, i, b, j = min(pairs)
        candidates = []
        for _ in range(60):
            choice = {name: draw.randrange(len(FACTORS[name])) for name in names}
            choice[a], choice[b] = i, j
            candidates.append(choice)
        best = max(candidates, key=lambda c: len(pairs & met(c)))
        pairs -= met(best)
        values = {name: FACTORS[name][index] for name, index in best.items()}
        cell, inner = values.pop("cell")
        time_factor, clip, schedule = values.pop("extras")
        decay = 0.1 if values["optimizer"] == "adamw" else 0.05 if values["optimizer"] == "sgd" else 0.0
        yield case(cell=cell, inner=inner, time_factor=time_factor, clip=clip, schedule=schedule, decay=decay, **values)


def others():
    yield case(times=[t2v(2, "gap", "relu", frozen=True)], heads=[head("softmax")])
    yield case(times=[t2v(2), t2v(2, "gap", linear=False), t2v(2, "query", "sigmoid")], heads=[head("softmax")], biases=2)
    yield case(times=[t2v(3, l1=0.05)], cell="none", heads=[head("mse", True)])
    yield case(times=[t2v(3)], cell="none", heads=[head("softmax", True), head("when", True)], events=False)
    yield case(times=[], cell="phased", heads=[head("softmax")], features=False)
    scaled = dict(centre=0.3, spread=1.7, floor=0.25)
    for cell, atom in (("lstm", True), ("gru", False), ("none", True)):
        heads = [hidden(head("softmax", True), 4, timed=True), hidden(head("when", True), 3, atom=atom, **scaled)]
        next_times = [t2v(2, "query", l1=0.02), plain("log", "until"), t2v(3, "until", linear=False)]
        yield case(times=[t2v(2), plain("log", "gap")], cell=cell, heads=heads, next_times=next_times)


def calendar_phases(tau, unit, origin):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=origin) + datetime.timedelta(
        seconds=tau * unit)
    of_day = (moment - moment.replace(hour=0, minute=0, second=0, microsecond=0)) / datetime.timedelta(days=1)
    of_week = (moment.weekday() + of_day) / 7
    days = 366 if calendar.isleap(moment.year) else 365
    of_year = (moment.timetuple().tm_yday - 1 + of_day) / days
    return [f(2 * math.pi * x) for x in (of_day, of_week, of_year) for f in (math.sin, math.cos)]


class Draw:
    """Numbers that floats hold exactly, never zero, no two of the same size."""

    def __init__(self, seed):
        self.generator = torch.Generator().manual_seed(seed)
        self.used = set()

    def uniform(self, shape, bound, low=None):
        """In (-bound, bound), or in (low, bound)."""
        values = []
        while len(values) < math.prod(shape):
            step = int(torch.randint(1, 1 << 16, (1,), generator=self.generator))
            if step in self.used:
                continue
            self.used.add(step)
            share = step / (1 << 16)
            sign = 1 if int(torch.randint(0, 2, (1,), generator=self.generator)) else -1
            value = low + share * (bound - low) if low is not None else sign * share * bound
            values.append(float(torch.tensor(value, dtype=torch.float32)))
        return torch.tensor(values).reshape(shape)

    def integers(self, low, high, count):
        return torch.randint(low, high, (count,), generator=self.generator)


def make_batch(draw, config):
    n = sum(LENGTHS)
    starts, gaps, queries = [], [], []
    for length in LENGTHS:
        # Quarters of a unit, so that some times occur more than once, and no microsecond is lost by datetime.
        gap = draw.integers(0, 12, length).double() / 4
        gap[0] = 0
        starts.append(torch.cumsum(gap, 0))
        gaps.append(gap)
        queries.append(starts[-1] + draw.integers(1, 9, length).double() / 4)
    batch = dict(times=[torch.cat(starts), torch.cat(gaps), torch.cat(queries)])
    if "next_times" in config:
        batch["times"].append(batch["times"][2] - batch["times"][0])
    ends = [sum(LENGTHS[:i + 1]) - 1 for i in range(len(LENGTHS))]
    batch["events"] = draw.integers(0, EVENT_TYPES, n) if config["events"] else None
    if config["events"]:  # every type is somebody's last
        batch["events"][ends] = torch.tensor([0, 1, 2, 1])
    batch["features"] = draw.uniform((n, FEATURES), 2.0) if config["features"] else None
    for h in config["heads"]:
        places = n if h["each_step"] else len(LENGTHS)
        if h["kind"] == "when":
            batch["next_gaps"] = [None if e in ends else x for e, x in
                                  enumerate(draw.uniform((n,), 4.0, low=0.1).tolist())]
            for e in (0, 5) if h.get("atom") else ():
                batch["next_gaps"][e] = 0.0
        elif h["kind"] in ("softmax", "logistic"):
            labels = draw.integers(0, h["classes"], places).tolist()
            labels[:2] = [0, h["classes"] - 1]
            if h["each_step"]:
                labels = [-1 if e in ends else label for e, label in enumerate(labels)]
            batch["next_events" if h["each_step"] else "labels"] = labels
        else:
            batch["values"] = draw.uniform((places,), 2.0).tolist()
    return batch


class Net:
    """Our tensors by name, and the model as a function of them."""

    def __init__(self, config, draw):
        self.config = config
        self.tensors = {}
        self.recurrent = config["cell"] != "none"
        self.outputs = [outputs_of(h) for h in config["heads"]]

        def add(name, *shape, bound=0.6, low=None):
            self.tensors[name] = draw.uniform(shape, bound, low).requires_grad_()

        all_times = [(f"time{i}", time) for i, time in enumerate(config["times"])]
        all_times += [(f"next{i}", time) for i, time in enumerate(config.get("next_times", []))]
        for name, time in all_times:
            if time["kind"] == "t2v":
                tame = time["activation"] in ("sigmoid", "tanh", "relu")  # away from saturation and dead units
                add(f"{name}.omega", width_of(time), bound=0.3 if tame else 1.2)
                add(f"{name}.phi", width_of(time), bound=1.5, low=0.1 if tame else None)
        if not self.recurrent:
            self.add_inputs(add, "head", 0, sum(self.outputs), sum(self.outputs))
        for layer in range(config["layers"] if self.recurrent else 0):
            prefix = self.prefix(layer)
            x, t, h = (len(gates.split()) * HIDDEN for gates in GATES[config["cell"]])
            self.add_inputs(add, prefix, layer, x, t)
            add(prefix + ".hidden", HIDDEN, h)
            add(prefix + ".bias", x)
            if config["biases"] == 2:
                add(prefix + ".bias_hidden", h)
            if config["cell"] in PEEPHOLES:
                add(prefix + ".vectors", PEEPHOLES[config["cell"]], HIDDEN)
            if config["cell"] == "phased":
                add(prefix + ".period", HIDDEN, bound=4.0, low=1.0)
                add(prefix + ".shift", HIDDEN, bound=0.2, low=0.01)
        for i, outputs in enumerate(self.outputs):
            name = "head" if i == 0 else f"head{i}"
            if self.recurrent:
                add(name + ".weight", HIDDEN, outputs)
            add(name + ".bias", outputs)
            self.add_hidden(add, name + ".hidden", config["heads"][i], outputs)
        self.project(start=True)

    def add_hidden(self, add, prefix, of, outputs):
        if not of.get("units"):
            return
        add(prefix + ".bias", of["units"])
        if self.recurrent:
            add(prefix + ".below", HIDDEN, of["units"])
        for i, time in enumerate(self.config["next_times"] if of.get("timed") else ()):
            add(f"{prefix}.time{i}", width_of(time), of["units"])
        add(prefix + ".weight", of["units"], outputs)

    def hidden(self, prefix, of, h, next_times):
        """What a hidden layer adds to the outputs of its head, at all events."""
        sums = self.tensors[prefix + ".bias"].expand(sum(LENGTHS), -1)
        if h is not None:
            sums = sums + h @ self.tensors[prefix + ".below"]
        for i, vector in enumerate(next_times if of.get("timed") else ()):
            sums = sums + vector @ self.tensors[f"{prefix}.time{i}"]
        return torch.tanh(sums) @ self.tensors[prefix + ".weight"]

    def prefix(self, layer):
        return "cell" if layer == 0 else f"cell{layer}"

    def has_time(self, layer):
        return layer == 0 or self.config["cell"].startswith("tlstm")

    def add_inputs(self, add, prefix, layer, x, t):
        if layer == 0 and self.config["events"]:
            add(prefix + ".events", EVENT_TYPES, x)
        if layer == 0 and self.config["features"]:
            add(prefix + ".features", FEATURES, x)
        if layer > 0:
            add(prefix + ".below", HIDDEN, x)
        for i, time in enumerate(self.config["times"] if self.has_time(layer) else ()):
            add(f"{prefix}.time{i}", width_of(time), t)

    def constrained(self):
        """The time weights of gate T1, as (tensor, columns)."""
        if self.config["cell"] not in ("tlstm2", "tlstm3"):
            return
        for layer in range(self.config["layers"]):
            for i in range(len(self.config["times"])):
                yield self.tensors[f"{self.prefix(layer)}.time{i}"], slice(HIDDEN, 2 * HIDDEN)

    def project(self, start=False):
        if self.config["constraint"] != "nonpositive":
            return
        with torch.no_grad():
            for tensor, columns in self.constrained():
                tensor[:, columns] = -tensor[:, columns].abs() if start else tensor[:, columns].clamp(max=0)

    def time_weight(self, layer, i):
        weight = self.tensors[f"{self.prefix(layer)}.time{i}"]
        if self.config["constraint"] == "floor" and self.config["cell"] in ("tlstm2", "tlstm3"):
            floored = torch.maximum(weight[:, HIDDEN:2 * HIDDEN], torch.tensor(self.config["floor"]))
            weight = torch.cat([weight[:, :HIDDEN], floored, weight[:, 2 * HIDDEN:]], 1)
        return weight

    def encode(self, i, tau, name="time"):
        time = self.config["times" if name == "time" else "next_times"][i]
        if time["kind"] == "raw":
            return tau[:, None]
        if time["kind"] == "log":
            return (torch.sign(tau) * torch.log1p(tau.abs()))[:, None]
        if time["kind"] == "calendar":
            return torch.tensor([calendar_phases(t, time["unit"], time["origin"]) for t in tau.tolist()])
        omega, phi, first = self.tensors[f"{name}{i}.omega"], self.tensors[f"{name}{i}.phi"], int(time["linear"])
        if time["frozen"]:
            omega = torch.cat([omega[:first], omega[first:].detach()])
            phi = torch.cat([phi[:first], phi[first:].detach()])
        x = tau[:, None] * omega + phi
        return torch.cat([x[:, :first], ACTIVATIONS[time["activation"]](x[:, first:])], 1)

    def vectors(self, batch):
        """The events as [one-hot, features], and the time vectors."""
        columns = []
        if batch["events"] is not None:
            columns.append(torch.nn.functional.one_hot(batch["events"], EVENT_TYPES).double())
        if batch["features"] is not None:
            columns.append(batch["features"])
        n = sum(LENGTHS)
        times = [self.encode(i, batch["times"][INPUTS.index(t["input"])]) for i, t in enumerate(self.config["times"])]
        return torch.cat(columns, 1) if columns else torch.zeros(n, 0), times

    def input_matrix(self, prefix, layer):
        names = [".below"] if layer > 0 else [".events", ".features"]
        found = [self.tensors[prefix + name] for name in names if prefix + name in self.tensors]
        return torch.cat(found, 0) if found else None

    def run_layer(self, layer, x, times, start):
        """One sequence through one layer: x [T, inputs], time vectors [T, width] each, start times [T]."""
        config, prefix = self.config, self.prefix(layer)
        if config["cell"] in ("lstm", "gru"):
            return self.run_torch(layer, x, times)
        xg, tg, hg = (gates.split() for gates in GATES[config["cell"]])
        matrix = self.input_matrix(prefix, layer)
        sums_x = self.tensors[prefix + ".bias"] + (x @ matrix if matrix is not None else 0)
        sums_x = sums_x.expand(len(start), -1) if sums_x.dim() == 1 else sums_x
        sums_t = sum((v @ self.time_weight(layer, i) for i, v in enumerate(times)), torch.zeros(1)) \
            if self.has_time(layer) else torch.zeros(1)
        c = h = torch.zeros(HIDDEN)
        rows = []
        for step in range(len(start)):
            if config["chunk"] and step % config["chunk"] == 0:
                c, h = c.detach(), h.detach()
            sums_h = h @ self.tensors[prefix + ".hidden"]
            if config["biases"] == 2:
                sums_h = sums_h + self.tensors[prefix + ".bias_hidden"]
            a = {}
            for gates, sums in ((xg, sums_x[step]), (hg, sums_h), (tg, sums_t[step] if sums_t.dim() == 2 else None)):
                for k, gate in enumerate(gates if sums is not None else ()):
                    a[gate] = a.get(gate, 0) + sums[k * HIDDEN:(k + 1) * HIDDEN]
            c, h = self.step(a, c, h, prefix, start[step])
            rows.append(h)
        return torch.stack(rows)

    def step(self, a, c, h, prefix, tau):
        s = torch.sigmoid
        squash = torch.tanh if self.config["inner"] == "tanh" else s
        cell, p = self.config["cell"], self.tensors[prefix + ".vectors"]
        i = s(a["i"] + c * p[0])
        g = torch.tanh(a["g"])
        if cell == "tlstm3":
            t1 = s(a["T1"] + squash(a.get("U1", torch.zeros(HIDDEN))))
            t2 = s(a["T2"] + squash(a.get("U2", torch.zeros(HIDDEN))))
            shown = (1 - i * t1) * c + i * t1 * g
            kept = (1 - i) * c + i * t2 * g
            return kept, s(a["o"] + shown * p[1]) * torch.tanh(shown)
        f = s(a["f"] + c * p[1])
        if cell == "tlstm2":
            t1 = s(a["T1"] + squash(a.get("U1", torch.zeros(HIDDEN))))
            t2 = s(a["T2"] + squash(a.get("U2", torch.zeros(HIDDEN))))
            shown, kept = f * c + i * t1 * g, f * c + i * t2 * g
            return kept, s(a["o"] + shown * p[2]) * torch.tanh(shown)
        gate = s(a["T"] + squash(a.get("U", torch.zeros(HIDDEN)))) if cell == "tlstm1" else 1
        new = f * c + i * gate * g
        out = s(a["o"] + new * p[2]) * torch.tanh(new)
        if cell != "phased":
            return new, out
        period = self.tensors[prefix + ".period"].abs()
        phase = torch.remainder(tau + self.tensors[prefix + ".shift"], period)
        half = 0.05 * period / 2
        open_ = torch.where(phase <= half, phase / half,
                            torch.where(phase <= 2 * half, (2 * half - phase) / half, 1e-3 * phase / period))
        return open_ * new + (1 - open_) * c, open_ * out + (1 - open_) * h

    def run_torch(self, layer, x, times):
        """torch.nn.LSTM or GRU, fed with our tensors; its gate order is i, f, g, o and r, z, n."""
        config, prefix = self.config, self.prefix(layer)
        matrix = self.input_matrix(prefix, layer)
        rows = [] if matrix is None else [matrix]
        columns = [x]
        if self.has_time(layer):
            rows += [self.tensors[f"{prefix}.time{i}"] for i in range(len(times))]
            columns += times
        weight_x, inputs = torch.cat(rows, 0), torch.cat(columns, 1)
        weight_h, bias_x = self.tensors[prefix + ".hidden"], self.tensors[prefix + ".bias"]
        bias_h = self.tensors[prefix + ".bias_hidden"] if config["biases"] == 2 else torch.zeros(weight_h.shape[1])
        if config["cell"] == "gru":
            def order(w, names, wanted):
                parts = {name: w[..., k * HIDDEN:(k + 1) * HIDDEN] for k, name in enumerate(names)}
                return torch.cat([parts[name] for name in wanted], -1)
            weight_x, bias_x = order(weight_x, "nrz", "rzn"), order(bias_x, "nrz", "rzn")
            weight_h, bias_h = order(weight_h, "rzm", "rzm"), order(bias_h, "rzm", "rzm")
        # The functions behind torch.nn.LSTM and GRU: has biases, layers, dropout, training, two ways, batch first.
        options = ([weight_x.T, weight_h.T, bias_x, bias_h], True, 1, 0.0, False, False, True)
        c = h = torch.zeros(1, 1, HIDDEN)
        out = []
        size = config["chunk"] or len(inputs)
        for begin in range(0, len(inputs), size):
            part, c, h = inputs[None, begin:begin + size], c.detach(), h.detach()
            if config["cell"] == "lstm":
                rows_out, h, c = torch.lstm(part, (h, c), *options)
            else:
                rows_out, h = torch.gru(part, h, *options)
            out.append(rows_out[0])
        return torch.cat(out)

    def logits(self, batch):
        """For each head, [sequences or events, outputs]."""
        x, times = self.vectors(batch)
        bias = torch.cat([self.tensors["head.bias" if i == 0 else f"head{i}.bias"] for i in range(len(self.outputs))])
        if not self.recurrent:
            matrix = self.input_matrix("head", 0)
            rows = bias + (x @ matrix if matrix is not None else 0)
            rows = rows + sum(v @ self.tensors[f"head.time{i}"] for i, v in enumerate(times))
            rows = list(torch.split(rows, LENGTHS))
            states = None
        else:
            rows, states = [], []
            at = 0
            for length in LENGTHS:
                part = slice(at, at + length)
                y = x[part]
                for layer in range(self.config["layers"]):
                    y = self.run_layer(layer, y, [v[part] for v in times], batch["times"][0][part])
                weight = torch.cat([self.tensors["head.weight" if i == 0 else f"head{i}.weight"]
                                    for i in range(len(self.outputs))], 1)
                rows.append(y @ weight + bias)
                states.append(y)
                at += length
        states = torch.cat(states) if states else None
        next_times = [self.encode(i, batch["times"][INPUTS.index(t["input"])], "next")
                      for i, t in enumerate(self.config.get("next_times", []))]
        results, first = [], 0
        for i, (h, outputs) in enumerate(zip(self.config["heads"], self.outputs)):
            of_head = [r[:, first:first + outputs] for r in rows]
            if h.get("units"):
                more = self.hidden(f"head{i or ''}.hidden", h, states, next_times)
                of_head = [r + m for r, m in zip(of_head, torch.split(more, LENGTHS))]
            results.append(torch.cat(of_head) if h["each_step"] else torch.stack([r[-1] for r in of_head]))
            first += outputs
        return results

    def loss(self, batch):
        logits = self.logits(batch)
        total = 0
        for h, z in zip(self.config["heads"], logits):
            total = total + h["weight"] * self.head_loss(h, z, batch)
        for i, time in enumerate(self.config["times"]):
            if time.get("l1"):
                for layer in range(self.config["layers"] if self.recurrent else 1):
                    prefix = self.prefix(layer) if self.recurrent else "head"
                    if f"{prefix}.time{i}" in self.tensors:
                        total = total + time["l1"] * self.tensors[f"{prefix}.time{i}"][time["linear"]:].abs().sum()
        for i, time in enumerate(self.config.get("next_times", [])):
            if time.get("l1"):
                total = total + time["l1"] * self.tensors[f"head.hidden.time{i}"][time["linear"]:].abs().sum()
        return logits, total

    def head_loss(self, h, z, batch):
        functional = torch.nn.functional
        if h["kind"] == "when":
            there = [e for e, gap in enumerate(batch["next_gaps"]) if gap is not None]
            gap = torch.tensor([batch["next_gaps"][e] for e in there])
            shares, mu, log_sigma, *atom = z[there].split([h["components"]] * 3 + [1] * h.get("atom", False), 1)
            mu, sigma = h.get("centre", 0) + h.get("spread", 1) * mu, h.get("spread", 1) * log_sigma.exp()
            if h.get("floor"):
                sigma = (sigma ** 2 + 1 / (2 * math.pi * (1 + (mu.exp() / h["floor"]) ** 2))).sqrt()
            mixture = torch.distributions.MixtureSameFamily(torch.distributions.Categorical(logits=shares),
                                                            torch.distributions.LogNormal(mu, sigma))
            loss = -mixture.log_prob(gap.clamp_min(1e-9))
            if atom:
                zero = (gap == 0).double()
                loss = torch.where(gap > 0, loss, torch.zeros(())) + functional.binary_cross_entropy_with_logits(
                    atom[0][:, 0], zero, reduction="none")
            return loss.mean()
        if h["kind"] == "softmax":
            labels = torch.tensor(batch["next_events" if h["each_step"] else "labels"])
            weights = torch.tensor(h["class_weights"]) if h["class_weights"] else None
            return functional.cross_entropy(z, labels, weight=weights, ignore_index=-1)
        if h["kind"] == "logistic":
            return functional.binary_cross_entropy_with_logits(z[:, 0], torch.tensor(batch["labels"]).double())
        values = torch.tensor(batch["values"])
        if h["kind"] == "huber":
            return functional.huber_loss(z[:, 0], values, delta=h["delta"])
        return (functional.mse_loss if h["kind"] == "mse" else functional.l1_loss)(z[:, 0], values)


def make_optimizer(net):
    """Groups: what decays, what does not, and time itself."""
    config = net.config
    time_names = (".omega", ".phi", ".period", ".shift")
    groups = {}
    for name, tensor in net.tensors.items():
        kind = "time" if name.endswith(time_names) else "bias" if ".bias" in name else "weight"
        groups.setdefault(kind, []).append(tensor)
    result = []
    for kind, tensors in groups.items():
        result.append(dict(params=tensors, lr=RATE, factor=config["time_factor"] if kind == "time" else 1.0,
                           weight_decay=config["decay"] if kind == "weight" else 0.0))
    make = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW,
            "adagrad": lambda g: torch.optim.Adagrad(g, eps=1e-8), "adagrad_inside": lambda g: Lasagne(g),
            "sgd": lambda g: torch.optim.SGD(g, lr=RATE, momentum=0.9)}
    return make[config["optimizer"]](result)


class Lasagne(torch.optim.Optimizer):
    """Adagrad with epsilon inside the root."""

    def __init__(self, groups):
        super().__init__(groups, dict(lr=RATE))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["sum"] = state.get("sum", 0) + p.grad ** 2
                p -= group["lr"] * p.grad / torch.sqrt(state["sum"] + 1e-6)


def rate_factor(schedule, step):
    if schedule == "cosine":  # 4 steps of warm-up, down to a tenth at step 16
        return (step + 1) / 4 if step < 4 else 0.1 + 0.9 * (1 + math.cos(math.pi * min(1, (step - 4) / 12))) / 2
    return 0.5 ** (step // 5) if schedule == "step" else 1


def flat(tensors):
    return {name: tensor.detach().flatten().tolist() for name, tensor in tensors.items()}


def make(index, config):
    draw = Draw(1000 + index)
    batch = make_batch(draw, config)
    net = Net(config, draw)
    golden = dict(config=config, lengths=LENGTHS, hidden=HIDDEN, start=flat(net.tensors), rate=RATE, steps=STEPS,
                  event_types=EVENT_TYPES * config["events"], feature_count=FEATURES * config["features"])
    for key, value in batch.items():
        if value is not None:
            golden[key] = [t.tolist() for t in value] if key == "times" else \
                value.flatten().tolist() if torch.is_tensor(value) else value

    def gradient():
        for tensor in net.tensors.values():
            tensor.grad = None
        logits, loss = net.loss(batch)
        loss.backward()
        for tensor in net.tensors.values():
            if tensor.grad is None:
                tensor.grad = torch.zeros_like(tensor)
        return logits, loss

    logits, loss = gradient()
    golden.update(logits=[z.flatten().tolist() for z in logits], loss=loss.item(),
                  gradient=flat({name: t.grad for name, t in net.tensors.items()}))
    optimizer = make_optimizer(net)
    for step in range(STEPS):
        gradient()
        norm = math.sqrt(sum(float((t.grad ** 2).sum()) for t in net.tensors.values()))
        if config["clip"] and norm > config["clip"]:
            for tensor in net.tensors.values():
                tensor.grad *= config["clip"] / norm
        for group in optimizer.param_groups:
            group["lr"] = RATE * group["factor"] * rate_factor(config["schedule"], step)
        optimizer.step()
        net.project()
    golden["end"] = flat(net.tensors)
    return golden


def main(path):
    cases = list(itertools.chain(crossed(), pairwise(), others()))
    with pathlib.Path(path).open("w") as out:
        for index, config in enumerate(cases):
            out.write(json.dumps(make(index, config), separators=(",", ":")) + "\n")
    print(f"{len(cases)} goldens, torch {torch.__version__}")


main(sys.argv[1])
