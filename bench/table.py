"""The result of a measurement: medians, spreads, ratios, as text and as JSON."""

import statistics


def middle(numbers):
    """The median, and half of what the middle half of the numbers covers."""
    ordered = sorted(numbers)
    quarter = len(ordered) // 4
    return statistics.median(ordered), (ordered[-1 - quarter] - ordered[quarter]) / 2


def rates(answers, what):
    return [answer[what] / answer["seconds"] for answer in answers]


def row_of(workload, ours, limit, peers, scores):
    """Ratios are taken repetition by repetition: `peers` is {label: answers}."""
    rate, spread = middle(rates(ours, "amount"))
    fractions = [a / b for a, b in zip(rates(ours, "operations"), rates(limit, "operations"))]
    fraction, fraction_spread = middle(fractions)
    row = {
        "workload": workload,
        "per_second": rate,
        "spread": spread / rate,
        "fraction": fraction,
        "fraction_spread": fraction_spread,
        "score": scores.get("t2v"),
        "peers": {},
    }
    for label, answers in peers.items():
        times = [a / b for a, b in zip(rates(ours, "amount"), rates(answers, "amount"))]
        ratio, ratio_spread = middle(times)
        row["peers"][label] = {"ratio": ratio, "spread": ratio_spread, "score": scores.get(label)}
    return row


def _score(score):
    return f"{score['name']} {score['value']:.4g}" if score else ""


def text_of(row, goal, peer_goals):
    """A few lines for people."""
    wanted = f", wanted {goal:.2f}" if goal else ""
    lines = [
        f"{row['workload']:<24} {row['per_second']:>11.4g}/s ±{100 * row['spread']:.0f}%"
        f"   {row['fraction']:.3f} of the limit (±{row['fraction_spread']:.3f}{wanted})   {_score(row['score'])}"
    ]
    for label, peer in row["peers"].items():
        wanted = f", wanted {peer_goals[label]:g}" if peer_goals.get(label) else ""
        lines.append(
            f"    {peer['ratio']:>6.2f} times as fast as {label} (±{peer['spread']:.2f}{wanted})   {_score(peer['score'])}"
        )
    return "\n".join(lines)
