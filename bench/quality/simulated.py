#!/usr/bin/env python3
"""What comes next and when, where the truth is known: events drawn from a process, `t2v train --when` without further
flags, and the likelihood of the test part under the process itself. Standard library alone.

  bench/quality/simulated.py [--events 100000] [--t2v FILE] [hawkes | daily] ...

Prints, in nats an event, the joint NLL of the process, of t2v and of the Markov chain with a log-normal gap a type; and
how many events of each type are expected in a day (hawkes: 10 units) after the test sequences, by t2v and as they came."""

import argparse
import csv
import datetime
import json
import math
import pathlib
import random
import tempfile

import ours

ROOT = pathlib.Path(__file__).resolve().parents[2]
LENGTH = 50  # events of a sequence


class Hawkes:
    """Two types that excite themselves and each other: exponential kernels. Sequences start with an event of type 0."""
    unit, horizon = 1.0, 10.0
    base, decay = (0.2, 0.1), 2.0
    excite = ((0.6, 0.1), (0.5, 0.3))  # of the rate of type k by an event of type j: [k][j], times the decay

    def rates(self, state):
        return [self.base[k] + state[k] for k in range(2)]

    def kick(self, state, kind):
        return [state[k] + self.excite[k][kind] * self.decay for k in range(2)]

    def fade(self, state, gap):
        return [s * math.exp(-self.decay * gap) for s in state]

    def next(self, draw, time, state):
        """(gap, type) by thinning: rates only fall between events."""
        gap = 0.0
        while True:
            bound = sum(self.rates(self.fade(state, gap)))
            gap += draw.expovariate(bound)
            rates = self.rates(self.fade(state, gap))
            u = draw.random() * bound
            if u < sum(rates):
                return gap, 0 if u < rates[0] else 1

    def start(self, draw):
        return 0.0, 0, self.kick([0.0, 0.0], 0)

    def after(self, state, gap, kind):
        return self.kick(self.fade(state, gap), kind)

    def loss(self, time, state, gap, kind):
        compensator = sum(self.base) * gap + sum(state) * (1 - math.exp(-self.decay * gap)) / self.decay
        return compensator - math.log(self.rates(self.fade(state, gap))[kind])

    def text(self, time):
        return f"{time:.9f}"


class Daily:
    """A renewal process by an operational clock that runs faster by day; the type depends on the hour."""
    unit, horizon = 3600.0, 24.0  # times in hours
    shape, rate, swing = 2.0, 0.5, 0.8

    def clock(self, time):
        """∫ rate (1 + swing sin(2π t / 24))"""
        turn = 2 * math.pi / 24
        return self.rate * (time + self.swing * (1 - math.cos(turn * time)) / turn)

    def speed(self, time):
        return self.rate * (1 + self.swing * math.sin(2 * math.pi / 24 * time))

    def odds(self, time):
        """Of type 0."""
        return 1 / (1 + math.exp(-2 * math.cos(2 * math.pi / 24 * time)))

    def next(self, draw, time, state):
        wanted = self.clock(time) + draw.gammavariate(self.shape, 1 / self.shape)
        low, high = time, time + 1
        while self.clock(high) < wanted:
            high += high - low
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if self.clock(middle) < wanted else (low, middle)
        return high - time, 0 if draw.random() < self.odds(high) else 1

    def start(self, draw):
        return 24 * 365 * draw.random(), 0, None

    def after(self, state, gap, kind):
        return None

    def loss(self, time, state, gap, kind):
        x = self.clock(time + gap) - self.clock(time)
        density = self.shape * math.log(self.shape) + (self.shape - 1) * math.log(x) - self.shape * x
        density -= math.lgamma(self.shape)
        odds = self.odds(time + gap)
        return -density - math.log(self.speed(time + gap)) - math.log(odds if kind == 0 else 1 - odds)

    def text(self, time):
        return (datetime.datetime(2024, 1, 1) + datetime.timedelta(hours=time)).isoformat(timespec="microseconds")


def drawn(process, events, seed):
    """Sequences of (time, type), and the mean loss of all events but the first under the process."""
    draw = random.Random(seed)
    sequences, loss, count = [], 0.0, 0
    for _ in range(events // LENGTH):
        time, kind, state = process.start(draw)
        sequence = [(time, kind)]
        for _ in range(LENGTH - 1):
            gap, kind = process.next(draw, time, state)
            loss, count = loss + process.loss(time, state, gap, kind), count + 1
            time, state = time + gap, process.after(state, gap, kind)
            sequence.append((time, kind))
        sequences.append(sequence)
    return sequences, loss / count


def came(process, sequences, seed, draws=20):
    """Events of each type within the horizon after the last known one, as the process continues."""
    draw, counts = random.Random(seed), [0, 0]
    for sequence in sequences:
        state = process.start(random.Random(0))[2]
        for (before, _), (time, kind) in zip(sequence, sequence[1:]):
            state = process.after(state, time - before, kind)
        for _ in range(draws):
            time, now = sequence[-1][0], state
            while True:
                gap, kind = process.next(draw, time, now)
                time, now = time + gap, process.after(now, gap, kind)
                if time > sequence[-1][0] + process.horizon:
                    break
                counts[kind] += 1
    return [count / draws / len(sequences) for count in counts]


def write(path, process, sequences):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "time", "event"])
        for number, sequence in enumerate(sequences):
            writer.writerows([f"s{number}", process.text(time), "ab"[kind]] for time, kind in sequence)


def measure(process, options):
    train, _ = drawn(process, options.events, 1)
    test, truth = drawn(process, options.events // 5, 2)
    with tempfile.TemporaryDirectory() as folder:
        run = ours.Command(options.t2v, folder)
        write(run.folder / "train.csv", process, train)
        write(run.folder / "test.csv", process, test)
        run("train", "train.csv", "--when", "-o", "m.t2v")
        spent = run.seconds
        answer = json.loads(run("evaluate", "m.t2v", "test.csv", "--json"))
        horizon = f"{process.horizon:g}h" if process.unit > 1 else f"{process.horizon:g}"
        lines = run("predict", "m.t2v", "test.csv", "--horizon", horizon, "--samples", 20).splitlines()
    seconds = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800}
    shift = math.log(seconds.get(answer["gaps"]["units"]["crps"], 1) / process.unit)
    expected = {"a": 0.0, "b": 0.0}
    for line in lines:
        for kind in json.loads(line)["ahead"]["types"]:
            expected[kind["event"]] += kind["expected"] / len(lines)
    joint = answer["joint"]
    rule = next(iter(joint["baselines"].values()))
    return {"process": truth, "t2v": joint["model"]["joint_nll"] + shift, "rule": rule["joint_nll"] + shift,
            "expected": list(expected.values()), "came": came(process, test, 3), "cpu_seconds": spent}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("processes", nargs="*", default=["hawkes", "daily"], metavar="hawkes | daily")
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--t2v", type=lambda text: pathlib.Path(text).absolute(), default=ROOT / "build/release/cli/t2v")
    options = parser.parse_args()
    for name in options.processes:
        print(name, json.dumps(measure({"hawkes": Hawkes, "daily": Daily}[name](), options)), flush=True)


if __name__ == "__main__":
    main()
