"""Scores a partitioned Parquet data set in Dask: the most probable next events of each sequence.

    python dask_score.py MODEL EVENTS OUTPUT [--top 3] [--order COLUMN]

MODEL is a file of `t2v train` or NextEvent.save, under the same path on all workers. --order: a column that says which
of two events at the same time came first; without it that is left to chance, for a shuffle keeps no order.
"""

import argparse

import dask.dataframe as dd
import pyarrow as pa

from scoring import SCHEMA, columns_of, score


def score_part(frame, model, order, top):
    if order:
        frame = frame.sort_values(order)
    events = pa.Table.from_pandas(frame, preserve_index=False)
    return score(model, events, top).to_pandas()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("model", "events", "output"):
        options.add_argument(name)
    options.add_argument("--top", type=int, default=3)
    options.add_argument("--order")
    given = options.parse_args()
    id, _ = columns_of(given.model)
    together = dd.read_parquet(given.events).shuffle(on=id)  # each sequence whole, in one partition
    scores = together.map_partitions(score_part, given.model, given.order, given.top,
                                     meta=SCHEMA.empty_table().to_pandas())
    scores.to_parquet(given.output, write_index=False, schema=SCHEMA)


if __name__ == "__main__":
    main()
