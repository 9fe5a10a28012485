#!/usr/bin/env python3
"""Forecasts of `t2v train` without flags, beside simple rules and other software, on real series.

  bench/quality/setup                   # once: the peers, in build/quality-venv
  bench/quality/forecast.py             # peers that are not on record, then t2v; writes docs/quality.md
  bench/quality/forecast.py --ours      # t2v alone, at most 20 minutes
  bench/quality/forecast.py --peers     # peers alone
  bench/quality/forecast.py --table     # measures nothing, writes docs/quality.md

Everybody gets the split, the horizon, the grid and the column. Results are kept in bench/quality/results."""

import argparse
import os
import pathlib
import re

import forecast_table
import ours
import results
import rules
import series as data

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
KEPT = HERE / "results" / "forecast.jsonl"
PEERS = ("MSTL", "AutoETS", "Prophet", "LightGBM")
LIMIT = 120  # CPU seconds of one peer on one row
ONE_THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


def measure_rules(kept, series):
    errors = rules.evaluate(series)
    picked = min(errors, key=lambda name: errors[name][0])
    best = min(errors, key=lambda name: errors[name][1])
    for method, name in (("picked rule", picked), ("best rule", best)):
        kept.add(series.row.name, method, 1, series.digest, {"mae": errors[name][1], "settings": name})


def measure_peer(python, name, method, seed, folder):
    import json
    if not python.exists():
        raise RuntimeError("absent: run bench/quality/setup")
    printed, spent = results.timed([python, HERE / "forecast_peers.py", method, name, seed, folder], LIMIT,
                                   env=ONE_THREAD)
    return {**json.loads(printed.splitlines()[-1]), "cpu_seconds": spent}


def run_peers(kept, series, options):
    for method in PEERS:
        for seed in range(1, 1 + (3 if method == "LightGBM" and not series.row.rolling else 1)):
            name = series.row.name
            if re.search(options.methods, method) and not kept.has(name, method, seed, series.digest):
                results.cached(kept, name, method, seed, series.digest,
                               lambda: measure_peer(options.python, name, method, seed, options.data))


def run_ours(kept, series, options):
    for seed in range(1, options.seeds + 1):
        results.cached(kept, series.row.name, "t2v", seed, series.digest,
                       lambda: ours.measure(series, seed, options.t2v))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--ours", action="store_true")
    what.add_argument("--peers", action="store_true")
    what.add_argument("--table", action="store_true")
    parser.add_argument("--rows", default="", help="a pattern: only rows whose names have it")
    parser.add_argument("--methods", default="", help="a pattern: only peers whose names have it")
    parser.add_argument("--seeds", type=int, default=1, help="of t2v, whose forecasts draw nothing at random")
    path = lambda text: pathlib.Path(text).absolute()
    data_root = pathlib.Path(os.environ.get("T2V_TEST_DATA", ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=path, default=data_root / "forecast", help="the folder of the series")
    parser.add_argument("--t2v", type=path, default=ROOT / "build/release/cli/t2v")
    parser.add_argument("--python", type=path, default=ROOT / "build/quality-venv/bin/python")
    return parser.parse_args()


def main():
    options = arguments()
    kept = results.Results(KEPT)
    for row in [] if options.table else data.rows():
        if not re.search(options.rows, row.name):
            continue
        series = data.load(row, options.data)
        measure_rules(kept, series)
        if not options.ours:
            run_peers(kept, series, options)
        if not options.peers:
            run_ours(kept, series, options)
    forecast_table.write(kept, ROOT / "docs" / "quality.md", PEERS)


if __name__ == "__main__":
    main()
