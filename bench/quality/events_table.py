"""The table of events.py in docs/quality.md. Standard library alone."""

import pages
from forecast_table import absent, mean, number

OURS = "t2v"
HIGHER = {"accuracy", "auc", "ndcg@10"}


def share(value):
    return "–" if value is None else f"{value:.3f}".lstrip("0") if value < 1 else f"{value:.3f}"


def best_rule(kept, row, rules):
    """The rule with the best measure on the test part."""
    known = [(mean(kept.of(row.name, rule), row.measure), rule) for rule in rules if kept.of(row.name, rule)]
    return max(known)[1] if known else None


def cell(kept, row, method, best):
    found = mean(kept.of(row.name, method), row.measure)
    text = f"**{share(found)}**" if found is not None and found == best else share(found)
    if not row.second or found is None:
        return text
    return f"{text} / {share(mean(kept.of(row.name, method), row.second))}"


def line(kept, row, rules, nets):
    rule = best_rule(kept, row, rules)
    methods = [rule, *nets, OURS]
    known = [mean(kept.of(row.name, method), row.measure) for method in methods]
    best = max((value for value in known if value is not None), default=None)
    names = {"accuracy": "accuracy", "auc": "AUC", "ndcg@10": "NDCG@10"}
    measure = names[row.measure] + (" / log loss" if row.second else "")
    spent = [number(mean(kept.of(row.name, method), "cpu_seconds")) for method in ("GRU", OURS)]
    return [row.name, measure, rule or "–", *(cell(kept, row, method, best) for method in methods), *spent]


def judged(kept, rows, rules, nets):
    measured = seen = near = below = 0
    for row in rows:
        own = mean(kept.of(row.name, OURS), row.measure)
        if own is None:
            continue
        value = lambda method, key: mean(kept.of(row.name, method), key)
        others = [(value(m, row.measure), value(m, row.measure + "_se") or 0) for m in (*rules, *nets)
                  if value(m, row.measure) is not None]
        best, error = max(others, default=(own, 0))
        rule = best_rule(kept, row, rules)
        if any(value(method, row.measure) is not None for method in nets):
            seen, near = seen + 1, near + (own >= best - error)
        measured += 1
        below += rule is not None and own < mean(kept.of(row.name, rule), row.measure)
    if not measured:
        return "t2v was not measured yet."
    return (f"t2v is first or within one standard error of the first in {near} of the {seen} rows with other software, "
            f"and below a rule in {below} of {measured}.")


def write(kept, path, rows, rules, nets):
    shown = [row for row in rows if any(name == row.name for name, _, _ in kept.kept)]
    head = ["row", "measure", "best rule", "its measure", *nets, OURS, "GRU: CPU s", "t2v: CPU s"]
    lines = [line(kept, row, rules, nets) for row in shown]
    text = [*pages.table(head, lines), "", judged(kept, shown, rules, nets), "", pages.versions(kept, [*nets, OURS])]
    missing = absent(kept, shown, nets)
    pages.replace(path, "bench/quality/events.py", text + pages.absent(missing))
