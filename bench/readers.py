#!/usr/bin/env python3
"""Reading the same tables with t2v, pandas, Polars and Arrow, in turns on the same cores.

  bench/readers.py [ROWS] [REPETITIONS]

Every reader does the same work: read user, time (parsed to an instant), event and price from a warm file. t2v
also numbers the names and checks that the text is UTF-8. It is build/release/bench/bench_import; the others
come from PyPI by name into a virtual environment under build/.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BENCH = ROOT / "build/release/bench/bench_import"
FOLDER = ROOT / "build/readers"
THREADS = len(os.sched_getaffinity(0))


def in_environment():
    """Runs this script again inside the virtual environment, which it makes if need be."""
    python = ROOT / "build/readers-venv/bin/python"
    if Path(sys.prefix) == python.parent.parent:
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
        packages = ["pandas", "polars", "pyarrow"]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    os.environ["POLARS_MAX_THREADS"] = str(THREADS)
    os.execv(python, [python, __file__, *sys.argv[1:]])


def read_pandas(path, iso):
    import pandas

    table = pandas.read_csv(path, parse_dates=["time"] if iso else None)
    if not iso:
        table["time"] = pandas.to_datetime(table["time"], unit="s")
    return len(table)


def read_polars(path, iso):
    import polars

    if iso:
        table = polars.read_csv(path, try_parse_dates=True)
        assert table["time"].dtype == polars.Datetime or table["time"].dtype.is_temporal(), table.schema
    else:
        table = polars.read_csv(path).with_columns(polars.from_epoch("time", time_unit="s"))
    return len(table)


def read_arrow(path, iso):
    import pyarrow
    from pyarrow import csv

    pyarrow.set_cpu_count(THREADS)
    types = {"time": pyarrow.timestamp("s", tz="UTC")} if iso else {}
    table = csv.read_csv(path, convert_options=csv.ConvertOptions(column_types=types))
    if not iso:
        seconds = table["time"].cast(pyarrow.timestamp("s"))
        table = table.set_column(1, "time", seconds)
    return len(table)


def megabytes_of_t2v(path, threads):
    output = subprocess.run([BENCH, "read", path, str(threads), "3"], check=True, capture_output=True, text=True)
    return float(output.stdout.split("read ")[1].split()[0])


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000_000
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run([BENCH, "make", FOLDER, str(rows)], check=True)
    for name in ["iso", "unix"]:
        path = FOLDER / f"{name}.csv"
        size = path.stat().st_size / 1e6
        readers = {"pandas": read_pandas, "polars": read_polars, "arrow": read_arrow}
        rates = {key: [] for key in ["t2v", "t2v, 1 thread", *readers]}
        for _ in range(repetitions):
            rates["t2v"].append(megabytes_of_t2v(path, THREADS))
            rates["t2v, 1 thread"].append(megabytes_of_t2v(path, 1))
            for key, read in readers.items():
                start = time.perf_counter()
                assert read(str(path), name == "iso") == rows
                rates[key].append(size / (time.perf_counter() - start))
        ours = statistics.median(rates["t2v"])
        print(f"{name}.csv, {size:.0f} MB, {rows} rows, {THREADS} threads, median of {repetitions}")
        for key, values in rates.items():
            rate = statistics.median(values)
            print(f"  {key:<14} {rate:7.1f} MB/s   t2v is {ours / rate:5.2f} times as fast")


if __name__ == "__main__":
    in_environment()
    main()
