"""Writes random CSV texts and what Python's csv module makes of them, as JSON lines.

Usage: csv_differential.py FILE COUNT

Each line has the text, the separator, the rows before the first error, and that error if there is one, from a strict
reader that keeps line ends as they are.
"""

import csv
import io
import json
import random
import sys

PIECES = ['"', '"', '""', '\n', '\r\n', '\r', '\n\n', 'a', 'bc', ' ', 'é', '漢', '1.5', '\\', "'"]
SEPARATORS = [',', ';', '\t', '|']


def field(rng, separator):
    """A well-formed field, quoted or not, or any pieces."""
    kind = rng.random()
    if kind < 0.35:
        return rng.choice(['', 'a', 'bc', '1.5', 'x y', 'é', '漢字'])
    if kind < 0.8:
        inside = ''.join(rng.choice(PIECES + [separator]) for _ in range(rng.randrange(5)))
        return '"' + inside.replace('"', '""') + '"'
    return ''.join(rng.choice(PIECES + [separator]) for _ in range(rng.randrange(4)))


def text(rng, separator):
    """Rows of mostly the same width."""
    width = rng.randrange(1, 4)
    end = rng.choice(['\n', '\r\n', '\r'])
    rows = []
    for _ in range(rng.randrange(1, 5)):
        fields = width if rng.random() < 0.9 else rng.randrange(1, 5)
        rows.append(separator.join(field(rng, separator) for _ in range(fields)))
        if rng.random() < 0.1:
            rows.append('')
    return end.join(rows) + rng.choice(['', end])


def main():
    rng = random.Random(20240229)
    with open(sys.argv[1], 'w', encoding='utf-8') as out:
        for _ in range(int(sys.argv[2])):
            separator = rng.choice(SEPARATORS)
            case = {'separator': separator, 'text': text(rng, separator), 'rows': []}
            try:
                lines = io.StringIO(case['text'], newline='')
                for row in csv.reader(lines, delimiter=separator, strict=True):
                    case['rows'].append(row)
            except csv.Error as error:
                case['error'] = str(error)
            out.write(json.dumps(case, ensure_ascii=False) + '\n')


main()
