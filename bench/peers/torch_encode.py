#!/usr/bin/env python3
"""PyTorch encodes times by Time2Vec: float32 phases, a linear term and 64 sines, chunk by chunk.

torch          as people write it: a new tensor for each chunk
torch-inplace  into an output that is used again
torch-compile  the same through torch.compile
"""

import worker
from made_times import CHUNKS, OPTIONS, TERMS, made

if __name__ == "__main__":
    variants = ["torch", "torch-inplace", "torch-compile"]
    chosen = worker.arguments(__doc__.splitlines()[0], ["encode"], variants, options=OPTIONS)

import torch


def written(times, omega, phi, output):
    phase = times.float().unsqueeze(-1) * omega + phi
    return torch.cat([phase[:, :1], torch.sin(phase[:, 1:])], -1)


def in_place(times, omega, phi, output):
    torch.mul(times.float().unsqueeze(-1), omega, out=output)
    output.add_(phi)
    output[:, 1:].sin_()
    return output


def fused(times, omega, phi, output):
    """One expression for all terms, so that the compiler makes one loop of it."""
    phase = times.float().unsqueeze(-1) * omega + phi
    output.copy_(torch.where(torch.arange(TERMS) == 0, phase, torch.sin(phase)))
    return output


class Encoder:
    def __init__(self, function, times, omega, phi):
        self.function = function
        self.times, self.omega, self.phi = (torch.from_numpy(a) for a in (times, omega, phi))
        self.use(CHUNKS[0])

    def use(self, chunk):
        self.chunk = min(chunk, len(self.times))
        self.output = torch.empty(self.chunk, TERMS)

    @torch.no_grad()
    def run(self, count=None):
        """Whole chunks, so that a compiled function sees one shape; the last one overlaps the one before."""
        count = count or len(self.times)
        for start in range(0, count, self.chunk):
            start = min(start, count - self.chunk)
            self.function(self.times[start : start + self.chunk], self.omega, self.phi, self.output)
        return count * TERMS


def main():
    torch.set_num_threads(chosen.threads)
    functions = {
        "torch": written,
        "torch-inplace": in_place,
        "torch-compile": torch.compile(fused, dynamic=False),
    }
    encoder = Encoder(functions[chosen.variant], *made(chosen.times, chosen.span, chosen.seed))
    sample = min(chosen.times, 1 << 18)
    timings = {}
    for chunk in CHUNKS:
        encoder.use(chunk)
        timings[chunk] = worker.seconds_of(lambda: encoder.run(sample))
    encoder.use(min(timings, key=timings.get))
    settings = {"threads": chosen.threads, "chunk": encoder.chunk, "times": chosen.times, "span": chosen.span}
    worker.serve(f"PyTorch {torch.__version__}", chosen.variant, settings, encoder.run)


if __name__ == "__main__":
    main()
