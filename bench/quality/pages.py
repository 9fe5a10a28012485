"""Parts of documentation pages that scripts write, between two comments. Standard library alone."""


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


def versions(kept, methods):
    """One sentence: the versions and days of what was measured."""
    found = {}
    for record in kept.kept.values():
        if record["method"] in methods and record.get("version"):
            found.setdefault(record["version"], []).append(record["date"])
    days = [f"{name} ({min(dates)}{'' if min(dates) == max(dates) else ' to ' + max(dates)})"
            for name, dates in sorted(found.items())]
    machines = sorted({record["processor"] for record in kept.kept.values()})
    return f"Versions: {'; '.join(days)}. Processor: {' and '.join(machines)}; the others have one thread."


def absent(lines):
    return ["", "Without a number:", "", *lines] if lines else []


def replace(path, script, lines):
    begin, end = f"<!-- begin: written by {script} -->\n", f"<!-- end: written by {script} -->\n"
    page = path.read_text()
    if page.count(begin) != 1 or page.count(end) != 1:
        raise SystemExit(f"{path}: not exactly one part that {script} writes")
    head, rest = page.split(begin)
    path.write_text(head + begin + "\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1])
