"""Fractions of the limits on record: is the program still as fast as it was on this machine?"""

import json
import statistics

LOST = 0.15  # a fraction may lose so much of what is on record
SAME = ("processor", "model", "cores", "target")  # a record tells of machines that agree in these
RUNS = 3  # of which a record, and a row that lost, is the median


class Guard(Exception):
    """Why nothing can be compared."""


def same_machine(record, machine):
    return all(record.get(key) == machine[key] for key in SAME)


def name_of(machine):
    return f"{machine['cores']} cores of {machine['processor']} {machine['model']}, {machine['target']}"


def records(path):
    """A record of each machine that has one."""
    return json.loads(path.read_text()) if path.exists() else []


def read_record(path, machine, workloads):
    """{workload: fraction}. Raises Guard where there is none for this machine and all workloads."""
    found = records(path)
    mine = next((record for record in found if same_machine(record, machine)), None)
    if mine is None:
        others = "; there is one of " + " and of ".join(map(name_of, found)) if found else ""
        raise Guard(f"no record of this machine ({name_of(machine)}){others}; 'scripts/bench --quick --record' makes one")
    missing = [name for name in workloads if name not in mine["fractions"]]
    if missing:
        raise Guard(f"not on record: {', '.join(missing)}; 'scripts/bench --quick --record' puts all there")
    return mine["fractions"]


def write_record(path, machine, runs):
    """`runs` are lists of rows; what is kept is the median of each workload's fractions. Records of other
    machines stay."""
    by_name = {}
    for rows in runs:
        for row in rows:
            by_name.setdefault(row["workload"], []).append(row["fraction"])
    fractions = {name: round(statistics.median(found), 3) for name, found in by_name.items()}
    mine = {**{key: machine[key] for key in (*SAME, "version", "date")}, "fractions": fractions}
    others = [record for record in records(path) if not same_machine(record, machine)]
    path.write_text(json.dumps([*others, mine], indent=2) + "\n")


def lost(fraction, before):
    return fraction < (1 - LOST) * before


def compare(rows, recorded, again):
    """Prints each row against the record; returns the names of those that lost. `again(name)` measures a
    workload anew and returns its fraction: one that seems to have lost is the median of three."""
    slow = []
    for row in rows:
        name, fraction, before = row["workload"], row["fraction"], recorded[row["workload"]]
        note = ""
        if lost(fraction, before):
            taken = [fraction, *(again(name) for _ in range(RUNS - 1))]
            fraction = statistics.median(taken)
            note = "   median of " + ", ".join(f"{one:.3f}" for one in taken)
        row["fraction"] = fraction
        print(f"{name:<24} {fraction:.3f}   on record {before:.3f}   {100 * (fraction / before - 1):+.0f} %{note}", flush=True)
        if lost(fraction, before):
            slow.append(name)
    return slow
