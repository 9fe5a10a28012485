"""The shapes of the models that are trained, for all peers the same."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Workload:
    sines: int  # of Time2Vec, which has a linear term too; 0: the time itself is the feature
    hidden: int
    batch: int
    classes: int
    each_step: bool = False  # next event after every event, else a class of the whole sequence
    embedding: int = 0  # numbers that stand for the type of an event, beside the time

    def features(self):
        return self.embedding + (self.sines + 1 if self.sines else 1)


TRAINING = {
    "train-mnist-t2v": Workload(sines=64, hidden=100, batch=512, classes=10),
    "train-mnist-t": Workload(sines=0, hidden=128, batch=512, classes=10),
    "train-sof": Workload(sines=64, hidden=103, batch=128, classes=22, each_step=True, embedding=32),
}
RATE = 1e-3  # of Adam
