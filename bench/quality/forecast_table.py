"""The tables of forecast.py in docs/quality.md. Standard library alone."""

import pages
import series as data

OURS = "t2v"


def mean(records, key):
    known = [record[key] for record in records if record.get(key) is not None]
    return sum(known) / len(known) if known else None


def errors(kept, row, methods):
    """method -> mean absolute error over seeds, or None."""
    return {method: mean(kept.of(row, method), "mae") for method in methods}


def number(value):
    return "–" if value is None else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def line(kept, row, methods):
    found = errors(kept, row, methods)
    known = [value for value in found.values() if value is not None]
    cells = [f"**{number(v)}**" if v is not None and v == min(known) else number(v) for v in found.values()]
    band = mean(kept.of(row, OURS), "coverage")
    spent = mean(kept.of(row, OURS), "cpu_seconds")
    rule = "".join(record["settings"] for record in kept.of(row, "picked rule"))
    return [row, rule, *cells, "–" if band is None else f"{band:.0%}", number(spent)]


def table(kept, rows, peers):
    methods = ["picked rule", "best rule", *peers, OURS]
    head = ["row", "rule that validation picks", "its MAE", "best rule", *peers, OURS, "t2v: in the 80 % band",
            "t2v: CPU s"]
    return pages.table(head, [line(kept, row.name, methods) for row in rows if kept.of(row.name, "best rule")])


def judged(kept, rows, peers):
    """Sentences: in how many rows ours is first or within 5 %, and below which rules it is."""
    near = worse = seen = 0
    for row in rows:
        found = errors(kept, row.name, ["picked rule", "best rule", *peers, OURS])
        if found[OURS] is not None and found["picked rule"] is not None:
            seen += 1
            near += found[OURS] <= 1.05 * min(value for value in found.values() if value is not None)
            worse += found[OURS] > 1.001 * found["picked rule"]  # beyond the digits that are written
    if not seen:
        return "t2v was not measured yet."
    return (f"t2v is first or within 5 % of the first in {near} of {seen} rows, and worse than the rule that "
            f"validation picks in {worse}.")


def absent(kept, rows, peers):
    """Why a peer has no number, each reason once."""
    reasons = {}
    for row in rows:
        for method in [*peers, OURS]:
            reason = kept.stopped(row.name, method)
            if reason and not kept.of(row.name, method):
                reasons.setdefault((method, reason), []).append(row.name)
    where = lambda names: ", ".join(names) if len(names) < 4 else f"{len(names)} rows"
    return [f"- {method}: {reason} ({where(names)})." for (method, reason), names in reasons.items()]


def write(kept, path, peers):
    main = [row for row in data.rows() if row.name in data.MAIN]
    other = [row for row in data.rows() if row.name not in data.MAIN]
    versions = pages.versions(kept, [*peers, OURS])
    text = [*table(kept, main, peers), "", judged(kept, main, peers), "", "Further columns and series:", "",
            *table(kept, other, peers), "", judged(kept, other, peers), "", versions]
    missing = absent(kept, [*main, *other], peers)
    pages.replace(path, "bench/quality/forecast.py", text + pages.absent(missing))
