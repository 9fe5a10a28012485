#!/usr/bin/env python3
"""Every workload of t2v beside the limits of this machine and beside other software, in turns on the same cores.

  bench/run.py                      all workloads, all peers
  bench/run.py train-sof stream     some of them
  bench/run.py --quick              ours alone, for two minutes, against the fractions on record
  bench/run.py --growth --start     time and memory of larger data; the start of the program

'scripts/bench' builds first. The peers come from PyPI by name into a virtual environment under build/.
"""

import argparse
import datetime
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from growth import measure_growth, measure_start  # noqa: E402
from table import row_of, text_of  # noqa: E402
from turns import Worker, WorkerFailed, take_turns  # noqa: E402
from workloads import WORKLOADS  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
T2V = ROOT / "build/release/cli/t2v"
DATA = ROOT / "build/bench-data"
PYTHON = ROOT / "build/peers-venv/bin/python"
RECORD = ROOT / "bench/recorded.json"
CORES = len(os.sched_getaffinity(0))
LOST = 0.15  # a fraction may lose so much of what is on record


def quietly(*command):
    subprocess.run([str(word) for word in command], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def data_sets(made_alone):
    """The event stores of real data, made if need be; without those, workloads use made events."""
    stores = {}
    if made_alone:
        return stores
    DATA.mkdir(parents=True, exist_ok=True)
    mnist = DATA / "mnist.events"
    if not mnist.exists():
        quietly("scripts/fetch-mnist")
        folder = ROOT / "data/mnist"
        names = ["train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"]
        files = [folder / f"{name}-ubyte" for name in names]
        quietly(T2V, "import", "--format", "mnist", *files, "--split", "given", "-o", mnist)
    stores["mnist"] = mnist
    badges = DATA / "badges.events"
    twins = ROOT.parent / "shared/data/stackoverflow"
    if not badges.exists() and twins.exists():
        files = [twins / name for name in ["event-1-train.txt", "time-1-train.txt", "event-1-test.txt", "time-1-test.txt"]]
        quietly(T2V, "import", "--format", "rmtpp", *files, "--split", "given", "-o", badges)
    if badges.exists():
        stores["badges"] = badges
    return stores


def ours(workload, stores, batches, threads=0, extra=()):
    command = [T2V, "bench", workload.name, "--worker", "--threads", threads or workload.threads or CORES, *workload.ours]
    if batches:
        command += ["--batches", batches]
    if workload.data in stores:
        command += [f"--{workload.data}", stores[workload.data]]
    return Worker("t2v", [*command, *extra], ROOT)


def peer_worker(peer, workload, stores):
    command = [PYTHON, ROOT / "bench/peers" / peer.script, *peer.arguments, "--threads", workload.threads or CORES]
    if workload.data in stores:
        command += ["--data", stores[workload.data]]
    return Worker(peer.label, command, ROOT)


def start_peers(workload, stores):
    started = []
    for peer in workload.peers:
        try:
            started.append(peer_worker(peer, workload, stores))
        except WorkerFailed as failure:
            print(f"{workload.name}: {peer.label} is left out: {failure}", file=sys.stderr)
    return started


def scores_of(workload, workers):
    """How good the models have become; peers tell it where they are trained on the same files."""
    asked = workers[:1] + (workers[2:] if workload.name.startswith("train-") and workload.data else [])
    answers = {worker.label: worker.ask("score") for worker in asked}
    return {label: answer for label, answer in answers.items() if answer and "value" in answer}


def measure(workload, stores, options):
    """A row of the table."""
    batches = options.batches
    workers = [ours(workload, stores, batches), ours(workload, stores, batches, extra=["--limit"])]
    if options.peers:
        workers += start_peers(workload, stores)
    answers = take_turns(workers, options.repetitions)
    scores = scores_of(workload, workers)
    for worker in workers:
        worker.stop()
    peers = {worker.label: taken for worker, taken in zip(workers[2:], answers[2:])}
    return row_of(workload.name, answers[0], answers[1], peers, scores)


def measure_threads(workload, stores, options):
    """How many times as fast all cores are as one."""
    all_cores = ours(workload, stores, options.batches)
    one = ours(workload, stores, options.batches, threads=1)
    many, few = take_turns([all_cores, one], options.repetitions)
    for worker in (all_cores, one):
        worker.stop()
    ratios = sorted(a["amount"] / a["seconds"] / (b["amount"] / b["seconds"]) for a, b in zip(many, few))
    return ratios[len(ratios) // 2]


def goals():
    listed = subprocess.run([T2V, "bench", "--list", "--json"], capture_output=True, text=True, check=True).stdout
    return {entry["name"]: entry["goal"] for entry in json.loads(listed)}


def machine():
    with open("/proc/cpuinfo") as info:
        names = [line.split(":")[1].strip() for line in info if line.startswith("model name")]
    version = subprocess.run([T2V, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": CORES,
        "version": version,
        "date": datetime.date.today().isoformat(),
        "command": "scripts/bench " + " ".join(sys.argv[1:]),
    }


def against_record(rows):
    """What lost more than it may; prints each."""
    recorded = json.loads(RECORD.read_text())["fractions"] if RECORD.exists() else {}
    lost = []
    for row in rows:
        before = recorded.get(row["workload"])
        if before is None:
            print(f"{row['workload']:<24} {row['fraction']:.3f}   nothing on record")
            continue
        change = row["fraction"] / before - 1
        print(f"{row['workload']:<24} {row['fraction']:.3f}   on record {before:.3f}   {100 * change:+.0f} %")
        if change < -LOST:
            lost.append(row["workload"])
    return lost


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", help="names of workloads; all without")
    parser.add_argument("--quick", action="store_true", help="ours alone, on made data, against what is on record")
    parser.add_argument("--record", action="store_true", help="with --quick: put these fractions on record")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="ours and the limits alone")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--batches", type=int, default=0, help="of our training's repetitions; 0 for an epoch")
    parser.add_argument("--growth", action="store_true", help="time and memory of 10^6 to 10^8 events instead")
    parser.add_argument("--start", action="store_true", help="the start of the program instead")
    parser.add_argument("--most-events", type=int, default=10**8, help="of --growth")
    parser.add_argument("--json", metavar="FILE", help="write the results there too")
    return parser.parse_args(arguments)


def chosen(names):
    known = {workload.name: workload for workload in WORKLOADS}
    wrong = [name for name in names if name not in known]
    if wrong:
        sys.exit(f"bench/run.py: unknown workload '{wrong[0]}'; there are: {', '.join(known)}")
    return [known[name] for name in names] or WORKLOADS


def measure_rows(options, stores):
    """The rows of the table; printed as they come."""
    wanted = goals()
    rows = []
    for workload in chosen(options.workloads):
        rows.append(measure(workload, stores, options))
        if not options.quick:
            peer_goals = {peer.label: peer.goal for peer in workload.peers}
            print(text_of(rows[-1], wanted[workload.name], peer_goals), flush=True)
    return rows


def measure_cores(options, stores):
    """How many times as fast all cores are as one, of the workloads that tell most."""
    ratios = {}
    for workload in WORKLOADS:
        if workload.name in ("train-mnist-t2v", "train-sof"):
            ratios[workload.name] = measure_threads(workload, stores, options)
            print(f"{workload.name:<24} {CORES} cores are {ratios[workload.name]:.2f} times as fast as one", flush=True)
    return ratios


def put_on_record(result):
    fractions = {row["workload"]: round(row["fraction"], 3) for row in result["rows"]}
    kept = {key: result[key] for key in ("processor", "cores", "version", "date")}
    RECORD.write_text(json.dumps({**kept, "fractions": fractions}, indent=2) + "\n")


def measure_all(options, result):
    """Everything that the options ask for."""
    if options.start:
        result["start"] = measure_start(T2V, DATA)
    if options.growth:
        result["growth"] = measure_growth(T2V, DATA, options.most_events)
    if options.start or options.growth:
        return
    if options.peers:
        subprocess.run([ROOT / "bench/peers/setup"], cwd=ROOT, check=True)
    stores = data_sets(options.quick)
    result["rows"] = measure_rows(options, stores)
    if not options.quick and not options.workloads and CORES > 1:
        result["threads"] = measure_cores(options, stores)


def main():
    options = options_of(sys.argv[1:])
    if options.quick:
        options.peers, options.batches = False, options.batches or 8
    result = machine()
    print(f"{result['version']}, {result['cores']} cores of {result['processor']}, median of {options.repetitions}")
    measure_all(options, result)
    if options.json:
        Path(options.json).write_text(json.dumps(result, indent=2) + "\n")
    if options.quick and options.record:
        put_on_record(result)
    elif options.quick:
        lost = against_record(result["rows"])
        if lost:
            sys.exit(f"lost more than {100 * LOST:.0f} %: {', '.join(lost)}")


if __name__ == "__main__":
    main()
