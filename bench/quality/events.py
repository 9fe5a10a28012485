#!/usr/bin/env python3
"""Predictions of events by `t2v train` without flags, beside simple rules and other software, on real data.

  bench/quality/setup events            # once: the peers, in build/quality-venv
  bench/quality/events.py               # peers that are not on record, then t2v; writes docs/quality.md
  bench/quality/events.py --ours        # t2v alone
  bench/quality/events.py --peers       # peers alone
  bench/quality/events.py --table       # measures nothing, writes docs/quality.md

Results are kept in bench/quality/results."""

import argparse
import csv
import json
import math
import os
import pathlib
import re
import tempfile
from dataclasses import dataclass

import events_data as data
import events_table
import ours
import results

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = HERE / "results" / "events.jsonl"
RULES = ("popularity", "own frequencies", "Markov", "repeat last")
NETS = ("LightGBM", "GRU", "SASRec")
OF_CLASSES = {"patients": ("LightGBM", "GRU"), "spikes": ("LightGBM",)}
PLACES = range(1, 11)
LIMIT = 900  # CPU seconds of one method on one row
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Row:
    name: str
    loader: str
    files: tuple
    measure: str           # that decides who is first
    learn: tuple           # commands up to the model m.t2v; {d} is the folder of the data
    test: str              # what is evaluated
    query: bool = False    # the time of the event asked is given
    second: str = ""       # a measure shown beside it


def given_too(row, name):
    """The same row, the time of the event asked given."""
    return Row(name, row.loader, row.files, row.measure, (*row.learn[:-1], row.learn[-1] + " --query-time"), row.test,
               True, row.second)


def imported(command):
    """A store x.events, and a model of it."""
    return f"import {command} -o x.events", "train x.events"


def rows():
    pairs = [f"stackoverflow/{kind}-1-{part}.txt" for part in ("train", "test") for kind in ("event", "time")]
    badges = Row("badges", "stackoverflow", tuple(pairs), "accuracy",
                 imported("--format rmtpp " + " ".join("{d}/" + name for name in pairs) + " --split given"), "x.events",
                 second="log_loss")
    tickets = Row("tickets", "helpdesk", ("process/helpdesk.csv",), "accuracy",
                  ("train --train train.csv --test test.csv --event ActivityID",), "test.csv", second="log_loss")
    taobao = tuple(f"tpp/taobao/{part}.csv" for part in ("train", "dev", "test"))
    last = lambda command: imported("{d}/" + command + " --split last")
    listed = [tickets, given_too(tickets, "tickets, time given"),
              Row("songs, time given", "songs", ("songs.csv",), "accuracy",
                  ("import {d}/songs.csv --split last -o x.events", "train x.events --query-time"), "x.events", True,
                  "log_loss"),
              Row("patients", "patients", tuple(f"physionet2012/physionet2012-{part}.csv.gz" for part in "ab"), "auc",
                  ("train {d}/physionet2012/physionet2012-a.csv.gz",), "{d}/physionet2012/physionet2012-b.csv.gz",
                  second="log_loss"),
              Row("clicks", "taobao", taobao, "accuracy",
                  ("train --train {d}/%s --valid {d}/%s --test {d}/%s" % taobao,), "{d}/" + taobao[2],
                  second="log_loss"),
              badges, given_too(badges, "badges, time given"),
              Row("films", "movielens", ("movielens/ratings.csv",), "ndcg@10",
                  last("movielens/ratings.csv --id userId --event movieId"), "x.events"),
              Row("places", "foursquare", ("foursquare_nyc/checkins.tsv",), "ndcg@10",
                  last("foursquare_nyc/checkins.tsv --id 1 --event 2 --time 3"), "x.events"),
              Row("spikes", "spikes", ("spoken_digit_spikes/spikes.hdf5",), "accuracy",
                  imported("--format ntidigits {d}/spoken_digit_spikes/spikes.hdf5"), "x.events", second="log_loss")]
    return listed


def write_tickets(folder, where):
    """The table in two, the latest fifth of the cases apart."""
    table = data.read(where / "process/helpdesk.csv")
    starts = {}
    for line in table:
        starts[line["CaseID"]] = min(starts.get(line["CaseID"], "~"), line["CompleteTimestamp"])
    late = set(data.latest(sorted(starts, key=lambda case: starts[case]), 0.2)[1])
    for name, part in (("train.csv", False), ("test.csv", True)):
        with open(folder / name, "w", newline="") as file:
            writer = csv.DictWriter(file, list(table[0]))
            writer.writeheader()
            writer.writerows(line for line in table if (line["CaseID"] in late) == part)


def gain(model):
    """NDCG@10 of the share that is among the first 1, 2, ... 10."""
    shares = [0, *(model[f"recall@{place}"] for place in PLACES)]
    return sum((shares[place] - shares[place - 1]) / math.log2(place + 1) for place in PLACES)


def measures(answer):
    """The model's measures of the kinds that the tables have, from `t2v evaluate --json`."""
    if "types" in answer:
        model = answer["types"]["model"]
        return {"accuracy": model["recall@1"], "log_loss": model["log_loss"], "ndcg@10": gain(model)}
    model = answer["classes"]["model"]
    model = {key.lower(): value for key, value in model.items()}
    return {key: model[key] for key in ("accuracy", "log_loss", "auc", "average_precision") if key in model}


def measure_ours(row, seed, options):
    with tempfile.TemporaryDirectory() as folder:
        run = ours.Command(options.t2v, folder, LIMIT)
        if row.loader == "helpdesk":
            write_tickets(run.folder, options.data)
        fill = lambda text: [part.replace("{d}", str(folder_of(row, options))) for part in text.split()]
        for command in row.learn:
            more = ["--seed", seed, "-o", "m.t2v"] if command.startswith("train") else []
            run(*fill(command), *more)
        at = [] if row.loader in OF_CLASSES else ["--at", ",".join(map(str, PLACES))]
        found = measures(json.loads(run("evaluate", "m.t2v", *fill(row.test), "--json", *at)))
        return {**found, "cpu_seconds": run.seconds, "version": run.version()}


def folder_of(row, options):
    return ROOT / "examples" if row.loader == "songs" else options.data


def measure_peer(row, method, seed, options):
    if not options.python.exists():
        raise RuntimeError("absent: run bench/quality/setup events")
    folder, classes = folder_of(row, options), row.loader in OF_CLASSES
    script, more = ("events_patients.py", []) if classes else ("events_peers.py", ["query" if row.query else "plain"])
    printed, spent = results.timed([options.python, HERE / script, method, row.loader, *more, seed, folder], LIMIT,
                                   env=ONE_THREAD)
    return {**json.loads(printed.splitlines()[-1]), "cpu_seconds": spent}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--ours", action="store_true")
    what.add_argument("--peers", action="store_true")
    what.add_argument("--table", action="store_true")
    parser.add_argument("--rows", default="", help="a pattern: only rows whose names have it")
    parser.add_argument("--methods", default="", help="a pattern: only peers whose names have it")
    parser.add_argument("--seeds", type=int, default=3)
    path = lambda text: pathlib.Path(text).absolute()
    parser.add_argument("--data", type=path, help="the folder of the data",
                        default=pathlib.Path(os.environ.get("T2V_TEST_DATA", ROOT.parent / "shared" / "data")))
    parser.add_argument("--t2v", type=path, default=ROOT / "build/release/cli/t2v")
    parser.add_argument("--python", type=path, default=ROOT / "build/quality-venv/bin/python")
    return parser.parse_args()


def run_row(kept, row, options):
    digest = data.digest(folder_of(row, options) / name for name in row.files)
    methods = OF_CLASSES.get(row.loader, (*RULES, *NETS))
    for method in methods if not options.ours else ():
        if re.search(options.methods, method) and not kept.has(row.name, method, 1, digest):
            results.cached(kept, row.name, method, 1, digest, lambda: measure_peer(row, method, 1, options))
    for seed in range(1, options.seeds + 1) if not options.peers else ():
        results.cached(kept, row.name, "t2v", seed, digest, lambda: measure_ours(row, seed, options))


def main():
    options = arguments()
    kept = results.Results(KEPT)
    for row in [] if options.table else rows():
        if re.search(options.rows, row.name):
            run_row(kept, row, options)
    events_table.write(kept, ROOT / "docs" / "quality.md", rows(), RULES, NETS)


if __name__ == "__main__":
    main()
