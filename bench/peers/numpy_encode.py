#!/usr/bin/env python3
"""NumPy encodes times by Time2Vec: float32, a linear term and 64 sines, into an output that is used again.

numpy          one thread, as NumPy runs it
numpy-threads  chunks spread over threads
"""

import worker
from made_times import CHUNKS, OPTIONS, TERMS, made

if __name__ == "__main__":
    chosen = worker.arguments(
        __doc__.splitlines()[0], ["encode"], ["numpy", "numpy-threads"], options=OPTIONS
    )

import queue
from concurrent.futures import ThreadPoolExecutor

import numpy as np


class Encoder:
    def __init__(self, times, omega, phi, threads):
        self.times, self.omega, self.phi = times, omega, phi
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self.outputs = queue.SimpleQueue()
        self.use(CHUNKS[0], threads)

    def use(self, chunk, threads):
        self.chunk = chunk
        self.outputs = queue.SimpleQueue()
        for _ in range(threads):
            self.outputs.put(np.empty((chunk, TERMS), np.float32))

    def encode(self, start):
        times = self.times[start : start + self.chunk].astype(np.float32)
        output = self.outputs.get()
        phases = output[: len(times)]
        np.multiply(times[:, None], self.omega, out=phases)
        phases += self.phi
        np.sin(phases[:, 1:], out=phases[:, 1:])
        self.outputs.put(output)

    def run(self, count=None):
        count = count or len(self.times)
        list((self.pool.map if self.pool else map)(self.encode, range(0, count, self.chunk)))
        return count * TERMS


def main():
    threads = chosen.threads if chosen.variant == "numpy-threads" else 1
    encoder = Encoder(*made(chosen.times, chosen.span, chosen.seed), threads)
    timings = {}
    for chunk in CHUNKS:
        encoder.use(chunk, threads)
        timings[chunk] = worker.seconds_of(lambda: encoder.run(min(chosen.times, 1 << 18)))
    encoder.use(min(timings, key=timings.get), threads)
    settings = {"threads": threads, "chunk": encoder.chunk, "times": chosen.times, "span": chosen.span}
    worker.serve(f"NumPy {np.__version__}", chosen.variant, settings, encoder.run)


if __name__ == "__main__":
    main()
