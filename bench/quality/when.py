#!/usr/bin/env python3
"""What comes next and when, by `t2v train --when` without further flags, beside two rules, on real data.

  bench/quality/when.py                 # five seeds; writes docs/quality.md
  bench/quality/when.py --seeds 1       # a look
  bench/quality/when.py --table         # measures nothing, writes docs/quality.md

Negative log-likelihoods are of events 2..N of each sequence, time and type together, in nats an event, with times in
the unit of the row; there is no term after the last event. Results are kept in bench/quality/results."""

import argparse
import json
import math
import os
import pathlib
import re
import tempfile
from collections import Counter, defaultdict
from dataclasses import dataclass

import events
import events_data as data
import ours
import pages
import results

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = HERE / "results" / "when.jsonl"
LIMIT = 1800  # CPU seconds
SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800, "1": 1, "units of time": 1}
MEASURES = ("nll", "accuracy_given_time", "accuracy", "rmse", "mae", "crps", "pit_error")


@dataclass(frozen=True)
class Row:
    name: str
    loader: str
    files: tuple
    learn: tuple
    test: str
    unit: float = 1  # seconds, of dates
    goal: str = ""


def tpp(name, title, goal):
    files = tuple(f"tpp/{name}/{part}.csv" for part in ("train", "dev", "test"))
    return Row(title, name, files, ("train --train {d}/%s --valid {d}/%s --test {d}/%s --task next" % files,),
               "{d}/" + files[2], goal=goal)


def rows():
    pairs = [f"stackoverflow/{kind}-1-{part}.txt" for part in ("train", "test") for kind in ("event", "time")]
    return [tpp("taxi", "Taxi (h)", "-0.55"), tpp("taobao", "Taobao (10,000 s)", "-1.25"),
            tpp("earthquake", "Earthquake", "1.67"),
            Row("Stack Overflow, split 1 (d)", "stackoverflow", tuple(pairs),
                events.imported("--format rmtpp " + " ".join("{d}/" + name for name in pairs) + " --split given"),
                "x.events", 86400),
            Row("helpdesk (d)", "helpdesk", ("process/helpdesk.csv",),
                ("train --train train.csv --test test.csv --event ActivityID",), "test.csv", 86400)]


def sequences(row, folder):
    """Of training and of test: (times in the unit of the row, types)."""
    if row.loader in ("stackoverflow", "helpdesk"):
        split = getattr(data, row.loader)(folder)
        parts = [split.train + split.valid, split.test]
    else:
        part = lambda name: data.grouped((line["id"], float(line["time"]), line["event"])
                                         for line in data.read(folder / f"tpp/{row.loader}/{name}.csv"))
        parts = [part("train"), part("test")]
    return [[([time / row.unit for time in s.times], s.types) for s in part] for part in parts]


def gaps_of(part):
    """(gap, type before, type) of all events but the first of each sequence."""
    for times, types in part:
        for i in range(1, len(times)):
            yield times[i] - times[i - 1], types[i - 1], types[i]


class LogNormal:
    """With a share of gaps of zero."""
    def __init__(self, gaps, zeros):
        logs = [math.log(gap) for gap in gaps if gap > 0]
        self.mean = sum(logs) / len(logs)
        self.spread = max(1e-3, math.sqrt(sum((y - self.mean) ** 2 for y in logs) / len(logs)))
        self.zero = (len(gaps) - len(logs) + 0.5) / (len(gaps) + 1) if zeros else 0

    def loss(self, gap):
        if gap <= 0:
            return -math.log(self.zero) if self.zero else math.inf
        y = math.log(gap)
        return (y + math.log(self.spread) + 0.5 * math.log(2 * math.pi) + 0.5 * ((y - self.mean) / self.spread) ** 2
                - math.log(1 - self.zero))


def markov(train, test):
    """A smoothed Markov chain of types, and a log-normal gap before each."""
    follows, before, popularity = defaultdict(Counter), defaultdict(list), Counter()
    for gap, last, kind in gaps_of(train):
        follows[last][kind] += 1
        before[kind].append(gap)
        popularity[kind] += 1
    everything = [gap for gaps in before.values() for gap in gaps]
    zeros = min(everything) <= 0
    of_type = {kind: LogNormal(gaps if len([g for g in gaps if g > 0]) > 1 else everything, zeros)
               for kind, gaps in before.items()}
    of_all, total = LogNormal(everything, zeros), sum(popularity.values())
    prior = lambda kind: (popularity[kind] + 1) / (total + len(popularity) + 1)
    loss = hits = given = count = 0
    for gap, last, kind in gaps_of(test):
        after = follows[last]
        size = sum(after.values()) + 1
        p = lambda v: (after[v] + prior(v)) / size
        joint = lambda v: -math.log(p(v)) + of_type.get(v, of_all).loss(gap)
        loss += joint(kind)
        hits += kind == max(popularity, key=p)
        given += kind == min(popularity, key=joint)
        count += 1
    return {"nll": loss / count, "accuracy": hits / count, "accuracy_given_time": given / count}


def repeat(train, test):
    """The last type and the last gap again; the median gap before the second event."""
    usual = sorted(gap for gap, *_ in gaps_of(train))
    usual = usual[len(usual) // 2]
    hits = count = square = off = 0
    for times, types in test:
        for i in range(1, len(times)):
            said = times[i - 1] - times[i - 2] if i > 1 else usual
            gap = times[i] - times[i - 1]
            hits, count = hits + (types[i] == types[i - 1]), count + 1
            square, off = square + (said - gap) ** 2, off + abs(said - gap)
    return {"accuracy": hits / count, "rmse": math.sqrt(square / count), "mae": off / count}


RULES = {"Markov, log-normal a type": markov, "repeat last": repeat}


def measures(answer, unit):
    """Of `t2v evaluate --json`, in the unit of the row."""
    joint, gaps = answer["joint"]["model"], answer["gaps"]["model"]
    name = answer["gaps"]["units"]["crps"]
    scale = SECONDS[name] / unit
    return {"nll": joint["joint_nll"] + math.log(scale), "accuracy_given_time": joint["accuracy_given_time"],
            "accuracy": joint["accuracy"], "rmse": gaps["rmse_of_mean"] * scale, "mae": gaps["mae_of_median"] * scale,
            "crps": gaps["crps"] * scale, "pit_error": gaps["pit_error"]}


def measure_ours(row, seed, options):
    with tempfile.TemporaryDirectory() as folder:
        run = ours.Command(options.t2v, folder, LIMIT)
        if row.loader == "helpdesk":
            events.write_tickets(run.folder, options.data)
        fill = lambda text: [part.replace("{d}", str(options.data)) for part in text.split()]
        for command in row.learn:
            run(*fill(command), *(["--when", "--seed", seed, "-o", "m.t2v"] if command.startswith("train") else []))
        spent = run.seconds
        answer = json.loads(run("evaluate", "m.t2v", *fill(row.test), "--json"))
        return {**measures(answer, row.unit if row.unit > 1 else 1), "cpu_seconds": spent, "version": run.version()}


def mean(kept, row, method, measure):
    found = [record[measure] for record in kept.of(row.name, method) if measure in record]
    return sum(found) / len(found) if found else None


def table(kept):
    """Lines of Markdown."""
    lines = ["| data | method | NLL | accuracy, time given | accuracy | RMSE | MAE | CRPS | CPU s |",
             "|---|---|--:|--:|--:|--:|--:|--:|--:|"]
    for row in rows():
        for method in ("t2v", *RULES):
            cells = [mean(kept, row, method, measure) for measure in (*MEASURES[:-1], "cpu_seconds")]
            if any(cell is not None for cell in cells):
                shown = ["–" if cell is None else f"{cell:.3f}" if abs(cell) < 10 else f"{cell:.1f}" for cell in cells]
                lines.append(f"| {row.name} | {method} | " + " | ".join(shown) + " |")
    return lines


def versions(kept):
    seeds = min(len(kept.of(row.name, "t2v")) or 99 for row in rows())
    return f"Means of {seeds} seeds or more. {pages.versions(kept, ('t2v',))}"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--rows", default="", help="a pattern: only rows whose names have it")
    parser.add_argument("--seeds", type=int, default=5)
    path = lambda text: pathlib.Path(text).absolute()
    parser.add_argument("--data", type=path, help="the folder of the data",
                        default=pathlib.Path(os.environ.get("T2V_TEST_DATA", ROOT.parent / "shared" / "data")))
    parser.add_argument("--t2v", type=path, default=ROOT / "build/release/cli/t2v")
    return parser.parse_args()


def run_row(kept, row, options):
    digest = data.digest(options.data / name for name in row.files)
    for name, rule in RULES.items():
        if not kept.has(row.name, name, 1, digest):
            results.cached(kept, row.name, name, 1, digest, lambda: rule(*sequences(row, options.data)))
    for seed in range(1, options.seeds + 1):
        results.cached(kept, row.name, "t2v", seed, digest, lambda: measure_ours(row, seed, options))


def main():
    options = arguments()
    kept = results.Results(KEPT)
    for row in [] if options.table else rows():
        if re.search(options.rows, row.name):
            run_row(kept, row, options)
    pages.replace(ROOT / "docs" / "quality.md", "bench/quality/when.py", table(kept) + ["", versions(kept)])


if __name__ == "__main__":
    main()
