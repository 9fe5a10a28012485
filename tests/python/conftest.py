import threading
import time

import numpy as np
import pytest


@pytest.fixture
def random():
    return np.random.default_rng(7)


def _stall(work):
    """The longest time for which this thread stood still while another one worked, as a share of that work."""
    times = []

    def timed():
        times.append(time.perf_counter())
        work()
        times.append(time.perf_counter())

    thread = threading.Thread(target=timed)
    ticks = [time.perf_counter()]
    longest = 0.0
    thread.start()
    while len(times) < 2:
        ticks = [ticks[-1], time.perf_counter()]
        if times:
            longest = max(longest, ticks[1] - max(ticks[0], times[0]))
    thread.join()
    return longest / (times[1] - times[0])


@pytest.fixture
def stall():
    """The least of a few such shares: on a busy machine a thread may stand still for other reasons."""
    return lambda work: min(_stall(work) for _ in range(3))
