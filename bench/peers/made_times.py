"""Times to encode and what Time2Vec multiplies them by, the same for all peers."""

import numpy as np

TERMS = 65  # one linear, 64 sines


def made(count, span, seed):
    """Times in double precision, uniform in 0..span; omega and phi in -1..1, single precision."""
    random = np.random.default_rng(seed)
    times = random.uniform(0, span, count)
    omega, phi = random.uniform(-1, 1, (2, TERMS)).astype(np.float32)
    return times, omega, phi


OPTIONS = [("times", 10_000_000, "how many times"), ("span", 1000.0, "times are uniform from 0 to this")]
CHUNKS = [1024, 4096, 16384, 65536]
