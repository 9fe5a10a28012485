"""Scores a partitioned Parquet data set in Spark: the most probable next events of each sequence.

    spark-submit spark_score.py MODEL EVENTS OUTPUT [--top 3] [--order COLUMN]

MODEL is a file of `t2v train` or NextEvent.save; the workers get it from here, and need the package time2vec. --order: a
column that says which of two events at the same time came first; without it that is left to chance.
"""

import argparse
import os

from pyspark import SparkFiles
from pyspark.sql import SparkSession

from scoring import columns_of, score, whole_sequences


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("model", "events", "output"):
        options.add_argument(name)
    options.add_argument("--top", type=int, default=3)
    options.add_argument("--order")
    given = options.parse_args()
    id, time = columns_of(given.model)
    spark = SparkSession.builder.appName("time2vec").getOrCreate()
    spark.sparkContext.addPyFile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "scoring.py"))
    spark.sparkContext.addFile(given.model)
    name, top = os.path.basename(given.model), given.top

    def score_part(batches):
        for events in whole_sequences(batches, id):
            yield from score(SparkFiles.get(name), events, top).to_batches()

    events = spark.read.parquet(given.events)
    # Each sequence whole, in one partition; there Spark gives it in batches, which may cut it.
    together = events.repartition(id).sortWithinPartitions(id, time, *([given.order] if given.order else []))
    scores = together.mapInArrow(score_part, "id string, rank int, event string, probability double")
    scores.write.parquet(given.output)
    spark.stop()


if __name__ == "__main__":
    main()
