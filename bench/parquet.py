#!/usr/bin/env python3
"""Importing the same table from Parquet and from CSV, beside a bare scan by DuckDB, in turns on the same cores.

  bench/parquet.py [ROWS] [REPETITIONS]     10,000,000 rows, 5 times
  bench/parquet.py --large ROWS             one import of so many rows: time, memory and disk beside DuckDB's own COPY

The table has user (a number), time (microseconds) and event (a text of 100), in the order of time. t2v is
build/release/cli/t2v with the library of scripts/install duckdb; DuckDB comes from PyPI by name into a virtual
environment under build/. `t2v import` reads, sorts by sequence and time, and writes an event store; the scan fetches
all rows of the three columns as Arrow batches, or sums them up, and keeps nothing.
"""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOL = ROOT / "build/release/cli/t2v"
FOLDER = ROOT / "build/parquet"
THREADS = len(os.sched_getaffinity(0))
TABLE = """SELECT (i * 7919) % 1000003 % {users} AS user, TIMESTAMP '2024-01-01' + to_microseconds(i * 31000007) AS time,
    'event ' || (i * i % 101) AS event FROM range({rows}) t(i)"""


def in_environment():
    """Runs this script again inside the virtual environment, which it makes if need be."""
    python = ROOT / "build/parquet-venv/bin/python"
    if Path(sys.prefix) == python.parent.parent:
        return
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", python.parent.parent], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "duckdb", "pyarrow"], check=True)
    os.execv(python, [python, __file__, *sys.argv[1:]])


def connect(memory="1GB"):
    import duckdb

    spill = FOLDER / "spill"
    return duckdb.connect(config={"threads": THREADS, "memory_limit": memory, "temp_directory": str(spill)})


def make(rows):
    """The table as Parquet and, of a size that suits it, as CSV."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    parquet = FOLDER / f"{rows}.parquet"
    query = TABLE.format(rows=rows, users=max(rows // 100, 10))
    if not parquet.exists():
        connect().execute(f"COPY ({query}) TO '{parquet}.new' (FORMAT parquet)")
        os.replace(f"{parquet}.new", parquet)
    return parquet, query


def cpu_seconds():
    """Of this process and of those that it started."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(work):
    """Seconds on the clock and of processors; the latter are steady on a busy machine, too."""
    begin, used = time.perf_counter(), cpu_seconds()
    work()
    return time.perf_counter() - begin, cpu_seconds() - used


def t2v_import(path, *options):
    """Runs it; its largest resident memory, in all and that of its own pages, in MB."""
    store = FOLDER / "t.events"
    process = subprocess.Popen([TOOL, "import", path, "-o", store, "--force", *options],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    own = 0
    while process.poll() is None:
        try:
            lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
            own = max([own] + [int(line.split()[1]) for line in lines if line.startswith("RssAnon")])
        except OSError:
            pass
        time.sleep(0.05)
    if process.returncode != 0:
        sys.exit(process.stderr.read().decode())
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e3, own / 1e3


def fetch_all(path):
    reader = connect().sql(f"SELECT user, time, event FROM '{path}'").to_arrow_reader(65536)
    assert sum(batch.num_rows for batch in reader) > 0


def scan_all(path):  # no statistics of the file answer this
    connect().execute(f"SELECT sum(user), sum(epoch_us(time)), sum(length(event)) FROM '{path}'").fetchall()


def ratios(rows, repetitions):
    parquet, _ = make(rows)
    csv = FOLDER / f"{rows}.csv"
    if not csv.exists():
        connect().execute(f"COPY (FROM '{parquet}') TO '{csv}' (FORMAT csv)")
    works = {"t2v import, Parquet": lambda: t2v_import(parquet), "t2v import, CSV": lambda: t2v_import(csv),
             "DuckDB, rows fetched": lambda: fetch_all(parquet), "DuckDB, rows summed up": lambda: scan_all(parquet)}
    seconds = {name: [] for name in works}
    for _ in range(repetitions):
        for name, work in works.items():
            seconds[name].append(timed(work))
    medians = {name: [statistics.median(column) for column in zip(*times)] for name, times in seconds.items()}
    ours = medians["t2v import, Parquet"]
    print(f"{rows:,} rows, {THREADS} threads, medians of {repetitions}; Parquet {parquet.stat().st_size / 1e6:.0f} MB, "
          f"CSV {csv.stat().st_size / 1e6:.0f} MB")
    for name, (clock, used) in medians.items():
        print(f"  {name:22} {clock:7.2f} s, {used:5.2f} s of processors; the import of Parquet takes "
              f"{ours[0] / clock:.2f} times that, {ours[1] / used:.2f} of processors")


def large(rows):
    parquet, _ = make(rows)
    total, own = 0, 0

    def work():
        nonlocal total, own
        total, own = t2v_import(parquet)

    seconds, used = timed(work)
    store = (FOLDER / "t.events").stat().st_size
    copy = FOLDER / "copy.parquet"
    sort = timed(lambda: connect().execute(
        f"COPY (SELECT user, time, event FROM '{parquet}' ORDER BY user, time) TO '{copy}' (FORMAT parquet)"))
    plain = timed(lambda: connect().execute(f"COPY (SELECT user, time, event FROM '{parquet}') TO '{copy}' (FORMAT parquet)"))
    print(f"{rows:,} rows, {THREADS} threads; Parquet {parquet.stat().st_size / 1e6:.0f} MB, store {store / 1e6:.0f} MB")
    print(f"  t2v import               {seconds:7.1f} s, {used:6.1f} s of processors, at most {own:.0f} MB of its own pages, {total:.0f} MB with mapped files")
    print(f"  DuckDB, COPY             {plain[0]:7.1f} s, {plain[1]:6.1f} s of processors")
    print(f"  DuckDB, COPY, sorted     {sort[0]:7.1f} s, {sort[1]:6.1f} s of processors, memory_limit 1 GB")
    copy.unlink()


def main():
    in_environment()
    if sys.argv[1:2] == ["--large"]:
        large(int(sys.argv[2]))
    else:
        ratios(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000, int(sys.argv[2]) if len(sys.argv) > 2 else 5)
    shutil.rmtree(FOLDER / "spill", ignore_errors=True)


if __name__ == "__main__":
    main()
