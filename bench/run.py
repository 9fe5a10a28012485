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
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import guard  # noqa: E402
from growth import measure_growth, measure_start  # noqa: E402
from stores import DATA, ROOT, T2V, data_sets  # noqa: E402
from table import ratio_of, row_of, text_of  # noqa: E402
from turns import Worker, WorkerFailed, take_turns  # noqa: E402
from workloads import WORKLOADS  # noqa: E402

PYTHON = ROOT / "build/peers-venv/bin/python"
RECORD = ROOT / "bench/recorded.json"
CORES = len(os.sched_getaffinity(0))


def ours(workload, stores, batches, threads=0, extra=()):
    command = [T2V, "bench", workload.name, "--worker", "--threads", threads or workload.threads or CORES, *workload.ours]
    if batches:
        command += ["--batches", batches]
    if workload.data in stores:
        command += [f"--{workload.data}", stores[workload.data]]
    return Worker("t2v", [*command, *extra], ROOT)


def peer_worker(peer, workload, stores, batches):
    command = [PYTHON, ROOT / "bench/peers" / peer.script, *peer.arguments, "--threads", workload.threads or CORES]
    if workload.data:
        command += ["--batches", batches]
    if workload.data in stores:
        command += ["--data", stores[workload.data]]
    return Worker(peer.label, command, ROOT)


def start_peers(workload, stores, batches):
    started = []
    for peer in workload.peers:
        try:
            started.append(peer_worker(peer, workload, stores, batches))
        except WorkerFailed as failure:
            print(f"{workload.name}: {peer.label} is left out: {failure}", file=sys.stderr)
    return started


def scores_of(workload, workers):
    """How good the models have become, of those who train one."""
    if not workload.name.startswith(("train-", "cell-")):
        return {}
    answers = {worker.label: worker.ask("score") for worker in workers[:1] + workers[2:]}
    return {label: answer for label, answer in answers.items() if answer and "value" in answer}


def measure(workload, stores, options):
    """A row of the table."""
    batches = options.batches
    workers = [ours(workload, stores, batches), ours(workload, stores, batches, extra=["--limit"])]
    if options.peers:
        workers += start_peers(workload, stores, batches)
    answers = take_turns(workers, options.repetitions)
    scores = scores_of(workload, workers)
    for worker in workers:
        worker.stop()
    peers = {worker.label: taken for worker, taken in zip(workers[2:], answers[2:])}
    about = {worker.label: worker.ready for worker in workers[2:]}
    return row_of(workload.name, answers[0], answers[1], peers, scores, about)


def measure_threads(workload, stores, options):
    """How many times as fast all cores are as one: median and spread."""
    all_cores = ours(workload, stores, options.batches)
    one = ours(workload, stores, options.batches, threads=1)
    many, few = take_turns([all_cores, one], options.repetitions)
    for worker in (all_cores, one):
        worker.stop()
    ratio, spread = ratio_of(many, few)
    return {"ratio": ratio, "spread": spread}


def goals():
    listed = subprocess.run([T2V, "bench", "--list", "--json"], capture_output=True, text=True, check=True).stdout
    return {entry["name"]: entry["goal"] for entry in json.loads(listed)}


def machine():
    """What the machine is, and what it can do at most, measured now."""
    with open("/proc/cpuinfo") as info:
        about = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in info)}
    measured = subprocess.run([T2V, "bench", "--limits", "--json"], capture_output=True, text=True, check=True).stdout
    return {
        "processor": about.get("model name", platform.processor()),
        "model": f"{about.get('cpu family', '?')}/{about.get('model', '?')}",
        "cores": CORES,
        **json.loads(measured),
        "date": datetime.date.today().isoformat(),
        "command": "scripts/bench " + " ".join(sys.argv[1:]),
    }


def describe(machine):
    return (
        f"t2v {machine['version']} ({machine['target']}), {machine['cores']} cores of {machine['processor']}\n"
        f"limits: products {machine['matrix_gflops']:.1f} GFLOP/s, copies {machine['copy_gbytes']:.1f} GB/s, "
        f"an empty call {machine['empty_call_us']:.1f} us"
    )


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", help="names of workloads; all without")
    parser.add_argument("--quick", action="store_true", help="ours alone, on made data, against what is on record")
    parser.add_argument("--record", action="store_true", help="with --quick: put the medians of three runs on record")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="ours and the limits alone")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--batches", type=int, default=0, help="of a repetition of a model, ours and the peers'; 0 for an epoch")
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
        peer_goals = {peer.label: peer.goal for peer in workload.peers}
        print(text_of(rows[-1], wanted[workload.name], peer_goals), flush=True)
    return rows


def measure_cores(options, stores):
    """How many times as fast all cores are as one, of the workloads that tell most."""
    ratios = {}
    for workload in WORKLOADS:
        if workload.name in ("train-mnist-t2v", "train-sof"):
            ratios[workload.name] = measure_threads(workload, stores, options)
            ratio, spread = ratios[workload.name].values()
            print(f"{workload.name:<24} {CORES} cores are {ratio:.2f} (±{spread:.2f}) times as fast as one", flush=True)
    return ratios


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
    stores = data_sets()
    result["rows"] = measure_rows(options, stores)
    if not options.workloads and CORES > 1:
        result["threads"] = measure_cores(options, stores)


def measure_quickly(options, result):
    """Ours alone, on made events; returns what lost against the record, or puts all on record."""
    options.peers, options.batches = False, options.batches or 8
    # As many times to encode as 't2v bench' takes by itself.
    workloads = {workload.name: replace(workload, ours=[]) for workload in chosen(options.workloads)}
    recorded = None if options.record else guard.read_record(RECORD, result, workloads)

    def run():
        return [measure(workload, {}, options) for workload in workloads.values()]

    if options.record:
        runs = [run() for _ in range(guard.RUNS)]
        guard.write_record(RECORD, result, runs)
        result["rows"] = runs[-1]
        return []
    result["rows"] = run()
    return guard.compare(result["rows"], recorded, lambda name: measure(workloads[name], {}, options)["fraction"])


def main():
    start = time.monotonic()
    options = options_of(sys.argv[1:])
    if options.record and (not options.quick or options.workloads):
        sys.exit("bench/run.py: --record goes with --quick and all workloads")
    result = machine()
    print(f"{describe(result)}\nmedian of {options.repetitions}", flush=True)
    lost = []
    try:
        if options.quick:
            lost = measure_quickly(options, result)
        else:
            measure_all(options, result)
    except guard.Guard as reason:
        sys.exit(f"bench/run.py: {reason}")
    result["seconds"] = time.monotonic() - start
    print(f"took {result['seconds']:.0f} s")
    if options.json:
        Path(options.json).write_text(json.dumps(result, indent=2) + "\n")
    if lost:
        sys.exit(f"lost more than {100 * guard.LOST:.0f} %: {', '.join(lost)}")


if __name__ == "__main__":
    main()
