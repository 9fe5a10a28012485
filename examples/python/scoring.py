"""What a worker of Dask or Spark does with its part of the events: whole sequences in, predictions out.

A sequence must not be cut: its state would start anew. So both examples first bring the events of a sequence together.
"""

from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import time2vec

SCHEMA = pa.schema([("id", pa.string()), ("rank", pa.int32()), ("event", pa.string()), ("probability", pa.float64())])


@lru_cache(maxsize=1)
def model_of(path):
    """The model, read once by each worker. A worker is one thread of many."""
    return time2vec.load(path).set_params(threads=1)


def columns_of(path):
    """The names of the columns of ids and of times, as they were in training."""
    columns = model_of(path).model_.training["data"]["columns"]
    return columns["id"], columns["time"]


def score(path, events, top):
    """The most probable next events of each sequence, of events in an Arrow table."""
    if events.num_rows == 0:
        return SCHEMA.empty_table()
    model = model_of(path)
    probabilities = model.predict_proba(events)
    best = np.argsort(-probabilities, axis=1, kind="stable")[:, :top]
    sequences, count = best.shape
    return pa.table([np.repeat(np.array(model.ids(events), dtype=object), count),
                     np.tile(np.arange(1, count + 1), sequences),
                     model.classes_[best].ravel().astype(object),
                     np.take_along_axis(probabilities, best, axis=1).ravel()], schema=SCHEMA)


def whole_sequences(batches, id, events=100_000):
    """Tables of about so many events, from batches in which those of a sequence lie together but may go on in the
    next batch. The last sequence of a table is held back until it is known to be complete."""
    held = []
    for batch in batches:
        held.append(pa.Table.from_batches([batch]))
        if sum(table.num_rows for table in held) < events:
            continue
        table = pa.concat_tables(held).combine_chunks()
        begin = pc.index(table[id], table[id][-1]).as_py()
        if begin > 0:
            yield table.slice(0, begin)
        held = [table.slice(begin)]
    if held:
        yield pa.concat_tables(held)
