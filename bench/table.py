"""The result of a measurement: medians, spreads, ratios, as text and as JSON."""

import statistics


def middle(numbers):
    """The median, and half of what the middle half of the numbers covers."""
    ordered = sorted(numbers)
    quarter = len(ordered) // 4
    return statistics.median(ordered), (ordered[-1 - quarter] - ordered[quarter]) / 2


def rates(answers, what):
    return [answer[what] / answer["seconds"] for answer in answers]


def latency(answers):
    """Microseconds of a step, where steps are timed one by one."""
    if "p999" not in answers[0]:
        return {}
    return {
        "median_us": 1e6 * statistics.median(answer["seconds"] for answer in answers),
        "p999_us": 1e6 * statistics.median(answer["p999"] for answer in answers),
    }


def ratio_of(ours, others):
    """Median and spread of how many times as fast ours is, repetition by repetition."""
    return middle([a / b for a, b in zip(rates(ours, "amount"), rates(others, "amount"))])


def row_of(workload, ours, limit, peers, scores, about):
    """`peers` is {label: answers}, `about` what each said when it was ready."""
    rate, spread = middle(rates(ours, "amount"))
    fractions = [a / b for a, b in zip(rates(ours, "operations"), rates(limit, "operations"))]
    fraction, fraction_spread = middle(fractions)
    row = {
        "workload": workload,
        "per_second": rate,
        "spread": spread / rate,
        "fraction": fraction,
        "fraction_spread": fraction_spread,
        "limit_per_second": middle(rates(limit, "operations"))[0],
        **latency(ours),
        "score": scores.get("t2v"),
        "peers": {},
    }
    for label, answers in peers.items():
        ratio, ratio_spread = ratio_of(ours, answers)
        row["peers"][label] = {
            "ratio": ratio,
            "spread": ratio_spread,
            "per_second": middle(rates(answers, "amount"))[0],
            **latency(answers),
            "score": scores.get(label),
            "peer": about[label].get("peer"),
            "settings": about[label].get("settings", {}),
        }
    return row


def _more(entry):
    """Latency and score, as far as there are any."""
    text = ""
    if "median_us" in entry:
        text += f"   median {entry['median_us']:.2f} us, p99.9 {entry['p999_us']:.2f} us"
    score = entry["score"]
    if score:
        text += f"   {score['name']} {score['value']:.4g} after {score['steps']} steps"
    return text


def _settings(peer):
    settings = [f"{name} {value}" for name, value in peer["settings"].items() if not isinstance(value, list)]
    return f"           {', '.join([peer['peer'], *settings])}" if peer["peer"] else ""


def text_of(row, goal, peer_goals):
    """A few lines for people."""
    wanted = f", wanted {goal:.2f}" if goal else ""
    lines = [
        f"{row['workload']:<24} {row['per_second']:>11.4g}/s ±{100 * row['spread']:.0f}%"
        f"   {row['fraction']:.3f} of the limit (±{row['fraction_spread']:.3f}{wanted})"
        f"   limit {row['limit_per_second']:.4g}/s{_more(row)}"
    ]
    for label, peer in row["peers"].items():
        wanted = f", wanted {peer_goals[label]:g}" if peer_goals.get(label) else ""
        lines.append(
            f"    {peer['ratio']:>6.2f} times as fast as {label} (±{peer['spread']:.2f}{wanted})"
            f"   {peer['per_second']:.4g}/s{_more(peer)}"
        )
        lines.append(_settings(peer))
    return "\n".join(line for line in lines if line)
