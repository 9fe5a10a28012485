"""Makes the goldens that tests/model/golden_test.cc holds the engine against: small models written anew in
PyTorch, float64, with torch.nn.LSTM and autograd. Forward, loss, every gradient, and the parameters after 20
steps of torch.optim.Adam. Run through scripts/goldens."""

import calendar
import datetime
import json
import math
import pathlib
import sys

import torch

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)

LENGTHS = [5, 1, 3, 7, 2, 7]
EVENT_TYPES, FEATURES, HIDDEN, CLASSES, STEPS = 4, 2, 5, 3, 20
INPUTS = ("start", "gap", "query")

ACTIVATIONS = {
    "sin": torch.sin,
    "cos": torch.cos,
    "triangle": lambda x: 2 / math.pi * torch.asin(torch.sin(x)),
    "mod": lambda x: torch.remainder(x, 2 * math.pi) / math.pi - 1,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
}


def case(name, times, cell="lstm", head="softmax", biases=2, events=False, features=False, time_factor=1.0):
    return dict(name=name, times=times, cell=cell, head=head, biases=biases, events=events, features=features,
                time_factor=time_factor)


def t2v(k=3, input="start", activation="sin", linear=True, frozen=False, l1=0.0):
    return dict(kind="t2v", input=input, k=k, activation=activation, linear=linear, frozen=frozen, l1=l1)


def plain(kind, input="start", unit=86400.0, origin=0.0):
    return dict(kind=kind, input=input, unit=unit, origin=origin)


CASES = [
    case("lstm_sin_events_features", [t2v()], events=True, features=True),
    case("lstm_raw_one_bias", [plain("raw")], biases=1, events=True),
    case("lstm_cos_gap_logistic", [t2v(4, "gap", "cos", linear=False)], head="logistic", features=True),
    case("lstm_log_gap_and_triangle", [plain("log", "gap"), t2v(5, "start", "triangle")], biases=1),
    case("lstm_calendar", [plain("calendar", "start", 86400.0 * 17.3, 1456000000.0)], events=True),
    case("lstm_mod_query_logistic", [t2v(3, "query", "mod")], head="logistic", biases=1, events=True),
    case("lstm_tanh", [t2v(3, "start", "tanh")], features=True, time_factor=0.2),
    case("lstm_relu_frozen", [t2v(4, "gap", "relu", frozen=True)], events=True, biases=1),
    case("lstm_l1", [t2v(4, l1=0.05)], events=True),
    case("lstm_three_inputs", [t2v(2, "start"), t2v(3, "gap", linear=False), t2v(2, "query", "sigmoid")]),
    case("none_sin", [t2v(6)], cell="none"),
    case("none_sigmoid_logistic", [t2v(5, "start", "sigmoid")], cell="none", head="logistic", events=True,
         features=True),
    case("none_all_fixed", [plain("raw", "query"), plain("log", "gap"), plain("calendar", "start", 3600.0 * 31, 1e9)],
         cell="none", features=True),
    case("none_cos_l1_logistic", [t2v(5, "gap", "cos", l1=0.1)], cell="none", head="logistic", time_factor=0.2),
]


def calendar_phases(tau, unit, origin):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=origin) + datetime.timedelta(
        seconds=tau * unit)
    of_day = (moment - moment.replace(hour=0, minute=0, second=0, microsecond=0)) / datetime.timedelta(days=1)
    of_week = (moment.weekday() + of_day) / 7
    days = 366 if calendar.isleap(moment.year) else 365
    of_year = (moment.timetuple().tm_yday - 1 + of_day) / days
    return [f(2 * math.pi * x) for x in (of_day, of_week, of_year) for f in (math.sin, math.cos)]


def make_batch(generator):
    n = sum(LENGTHS)
    starts, gaps, queries = [], [], []
    for length in LENGTHS:
        # Quarters of a unit, so that some times occur more than once, and no microsecond is lost by datetime.
        gap = torch.randint(0, 12, (length,), generator=generator).double() / 4
        gap[0] = 0
        start = torch.cumsum(gap, 0)
        starts.append(start)
        gaps.append(gap)
        queries.append(start + torch.randint(1, 9, (length,), generator=generator).double() / 4)
    return dict(
        times=[torch.cat(starts), torch.cat(gaps), torch.cat(queries)],
        events=torch.randint(0, EVENT_TYPES, (n,), generator=generator),
        features=(torch.randn((n, FEATURES), generator=generator) * 8).round() / 8,
    )


class Encoder(torch.nn.Module):
    def __init__(self, config, uniform):
        super().__init__()
        self.config = config
        if config["kind"] == "t2v":
            width = config["k"] + config["linear"]
            self.omega = torch.nn.Parameter(uniform(width, 1.2))
            self.phi = torch.nn.Parameter(uniform(width, 1.5))
            if config["activation"] in ("sigmoid", "tanh", "relu"):  # away from saturation and from dead units
                self.omega.data *= 0.25
                self.phi.data = self.phi.data.abs()

    def forward(self, tau):
        kind = self.config["kind"]
        if kind == "raw":
            return tau[:, None]
        if kind == "log":
            return (torch.sign(tau) * torch.log1p(tau.abs()))[:, None]
        if kind == "calendar":
            return torch.tensor([calendar_phases(t, self.config["unit"], self.config["origin"]) for t in tau.tolist()])
        omega, phi, first = self.omega, self.phi, int(self.config["linear"])
        if self.config["frozen"]:
            omega = torch.cat([omega[:first], omega[first:].detach()])
            phi = torch.cat([phi[:first], phi[first:].detach()])
        x = tau[:, None] * omega + phi
        return torch.cat([x[:, :first], ACTIVATIONS[self.config["activation"]](x[:, first:])], 1)


class Net(torch.nn.Module):
    def __init__(self, config, generator):
        super().__init__()
        self.config = config

        def uniform(*shape_and_bound):
            *shape, bound = shape_and_bound
            # Multiples of 2^-12, so that float holds them exactly; never zero.
            draw = torch.randint(1, 4096, shape, generator=generator).double() / 4096
            sign = torch.randint(0, 2, shape, generator=generator).double() * 2 - 1
            return (draw * bound * 4096).round().clamp(min=1) / 4096 * sign

        self.encoders = torch.nn.ModuleList(Encoder(c, uniform) for c in config["times"])
        outputs = 1 if config["head"] == "logistic" else CLASSES
        width = config["events"] * EVENT_TYPES + config["features"] * FEATURES
        for c in config["times"]:
            width += {"raw": 1, "log": 1, "calendar": 6}.get(c["kind"]) or c["k"] + c["linear"]
        self.cell = None
        if config["cell"] == "lstm":
            self.cell = torch.nn.LSTM(width, HIDDEN, batch_first=True)
            width = HIDDEN
        self.head = torch.nn.Linear(width, outputs)
        for module in (self.cell, self.head):
            for parameter in module.parameters() if module else ():
                parameter.data = uniform(*parameter.shape, 0.6)
        if self.cell is not None and config["biases"] == 1:
            self.cell.bias_hh_l0.data.zero_()
            self.cell.bias_hh_l0.requires_grad_(False)

    def inputs(self, batch):
        columns = []
        if self.config["events"]:
            columns.append(torch.nn.functional.one_hot(batch["events"], EVENT_TYPES).double())
        if self.config["features"]:
            columns.append(batch["features"])
        for encoder in self.encoders:
            columns.append(encoder(batch["times"][INPUTS.index(encoder.config["input"])]))
        return torch.cat(columns, 1)

    def forward(self, batch):
        rows = []
        for x in torch.split(self.inputs(batch), LENGTHS):  # one sequence at a time: no padding to get wrong
            rows.append(x[-1] if self.cell is None else self.cell(x[None])[0][0, -1])
        return self.head(torch.stack(rows))

    def outgoing(self):
        """The weights that leave the inputs, [inputs, outputs]."""
        return (self.head.weight if self.cell is None else self.cell.weight_ih_l0).T

    def loss(self, batch, labels):
        logits = self(batch)
        if self.config["head"] == "logistic":
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits[:, 0], labels.double())
        else:
            loss = torch.nn.functional.cross_entropy(logits, labels)
        for i, encoder in enumerate(self.encoders):
            if encoder.config.get("l1"):
                begin, end = self.time_rows(i)
                loss = loss + encoder.config["l1"] * self.outgoing()[begin + encoder.config["linear"]:end].abs().sum()
        return logits, loss

    def time_rows(self, i):
        begin = self.config["events"] * EVENT_TYPES + self.config["features"] * FEATURES
        widths = [{"raw": 1, "log": 1, "calendar": 6}.get(c["kind"]) or c["k"] + c["linear"]
                  for c in self.config["times"]]
        begin += sum(widths[:i])
        return begin, begin + widths[i]

    def tensors(self, of):
        """Our tensors by name, from a function that maps a parameter to what is wanted of it."""
        prefix = "head" if self.cell is None else "cell"
        outgoing = of(self.head.weight if self.cell is None else self.cell.weight_ih_l0).T
        result, at = {}, 0
        if self.config["events"]:
            result[prefix + ".events"] = outgoing[:EVENT_TYPES]
            at = EVENT_TYPES
        if self.config["features"]:
            result[prefix + ".features"] = outgoing[at:at + FEATURES]
        for i, encoder in enumerate(self.encoders):
            begin, end = self.time_rows(i)
            result[f"{prefix}.time{i}"] = outgoing[begin:end]
            if encoder.config["kind"] == "t2v":
                result[f"time{i}.omega"] = of(encoder.omega)
                result[f"time{i}.phi"] = of(encoder.phi)
        if self.cell is not None:
            result["cell.hidden"] = of(self.cell.weight_hh_l0).T
            result["cell.bias"] = of(self.cell.bias_ih_l0)
            if self.config["biases"] == 2:
                result["cell.bias_hidden"] = of(self.cell.bias_hh_l0)
            result["head.weight"] = of(self.head.weight).T
        result["head.bias"] = of(self.head.bias)
        return {name: tensor.detach().contiguous().flatten().tolist() for name, tensor in result.items()}


def make(config, seed):
    generator = torch.Generator().manual_seed(seed)
    batch = make_batch(generator)
    classes = 2 if config["head"] == "logistic" else CLASSES
    labels = torch.randint(0, classes, (len(LENGTHS),), generator=generator)
    labels[:2] = torch.tensor([0, classes - 1])
    net = Net(config, generator)
    golden = dict(config=config, classes=classes, hidden=HIDDEN, event_types=EVENT_TYPES * config["events"],
                  feature_count=FEATURES * config["features"], lengths=LENGTHS, labels=labels.tolist(),
                  times=[t.tolist() for t in batch["times"]], start=net.tensors(lambda p: p))
    if config["events"]:
        golden["events"] = batch["events"].tolist()
    if config["features"]:
        golden["features"] = batch["features"].flatten().tolist()
    logits, loss = net.loss(batch, labels)
    loss.backward()
    golden.update(logits=logits.flatten().tolist(), loss=loss.item(), gradient=net.tensors(lambda p: p.grad))
    times = [p for e in net.encoders for p in e.parameters()]
    others = [p for p in net.parameters() if p.requires_grad and all(p is not t for t in times)]
    rate = 1e-3
    groups = [dict(params=others, lr=rate)]
    if times:
        groups.append(dict(params=times, lr=rate * config["time_factor"]))
    optimizer = torch.optim.Adam(groups)
    for _ in range(STEPS):
        optimizer.zero_grad()
        net.loss(batch, labels)[1].backward()
        optimizer.step()
    golden.update(learning_rate=rate, steps=STEPS, end=net.tensors(lambda p: p))
    return golden


def main(folder):
    for seed, config in enumerate(CASES):
        text = json.dumps(make(config, 1000 + seed), separators=(",", ":"))
        (pathlib.Path(folder) / (config["name"] + ".json")).write_text(text + "\n")
    print(f"{len(CASES)} goldens, torch {torch.__version__}")


main(sys.argv[1])
