"""A GRU in PyTorch for patients: measurements of one minute are one step, each parameter scaled by its own values."""

import time

import numpy as np
import torch

GRID = [(64, 2e-3, 0.3), (64, 1e-3, 0.3), (32, 2e-3, 0.3), (128, 1e-3, 0.3), (64, 2e-3, 0.5), (64, 2e-3, 0.0)]
SECONDS, EPOCHS, PATIENCE, BATCH = 300, 20, 4, 32


def scales(parts):
    """name -> (place, median, spread without the outermost hundredths) of each parameter."""
    values = {}
    for rows in parts:
        for _, _, name, value, _ in rows:
            values.setdefault(name, []).append(value)
    known = {name: np.array([v for v in found if v >= 0] or [0.0]) for name, found in sorted(values.items())}
    return {name: (i, np.median(v), max(np.std(np.clip(v, *np.quantile(v, (0.01, 0.99)))), 1e-3))
            for i, (name, v) in enumerate(known.items())}


def steps(rows, scale):
    """A matrix of steps: scaled values, which are there, the gap before, the time."""
    times, place = np.unique([row[1] for row in rows], return_inverse=True)
    made = np.zeros((len(times), 2 * len(scale) + 2), np.float32)
    for step, (_, _, name, value, _) in zip(place, rows):
        if name in scale:
            i, middle, spread = scale[name]
            made[step, i] = np.clip((value - middle) / spread, -4, 4) if value >= 0 else 0
            made[step, len(scale) + i] = 1
    made[:, -2], made[:, -1] = np.log1p(np.diff(times, prepend=times[0]) / 60), times / 2880
    return torch.as_tensor(made)


class Net(torch.nn.Module):
    """The last, the mean and the greatest state, and one output from them."""
    def __init__(self, inputs, size, dropout):
        super().__init__()
        self.inputs, self.cell = torch.nn.Linear(inputs, size), torch.nn.GRU(size, size, batch_first=True)
        self.head = torch.nn.Sequential(torch.nn.Dropout(dropout), torch.nn.Linear(3 * size, 1))

    def forward(self, sequences):
        lengths = torch.tensor([len(s) for s in sequences])
        given = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)
        there = (torch.arange(given.shape[1]) < lengths[:, None])[..., None]
        state, _ = self.cell(torch.relu(self.inputs(given)))
        last = state[torch.arange(len(sequences)), lengths - 1]
        mean = (state * there).sum(1) / lengths[:, None]
        return self.head(torch.cat([last, mean, state.masked_fill(~there, -1).amax(1)], 1))[:, 0]


def batches(part):
    return [part[i:i + BATCH] for i in range(0, len(part), BATCH)]


@torch.no_grad()
def logits(model, part):
    model.eval()
    return torch.cat([model([steps for steps, _ in batch]) for batch in batches(part)])


def loss_of(scores, part):
    return torch.nn.functional.binary_cross_entropy_with_logits(scores, torch.tensor([float(y) for _, y in part]))


def fit(train, valid, seed, size, rate, dropout):
    torch.manual_seed(seed)
    model, order = Net(train[0][0].shape[1], size, dropout), np.random.default_rng(seed)
    optimizer, best, kept, bad = torch.optim.AdamW(model.parameters(), lr=rate), np.inf, None, 0
    for _ in range(EPOCHS):
        made = batches(train)
        for i in order.permutation(len(made)):
            model.train()
            optimizer.zero_grad()
            loss_of(model([steps for steps, _ in made[i]]), made[i]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
            optimizer.step()
        loss = float(loss_of(logits(model, valid), valid))
        bad = 0 if loss < best else bad + 1
        if loss < best:
            best, kept = loss, {name: value.clone() for name, value in model.state_dict().items()}
        if bad == PATIENCE or time.process_time() > SECONDS:
            break
    model.load_state_dict(kept)
    return best, model


def run(learn, test, seed):
    """Probabilities of the test part, in its order, and the settings. Parts are rows by patient, with classes."""
    torch.set_num_threads(1)
    scale = scales(learn)
    made = [[(steps(rows, scale), rows[0][4]) for rows in part] for part in (learn, test)]
    order = np.random.default_rng(seed).permutation(len(learn))
    sort = lambda part: sorted(part, key=lambda one: len(one[0]))
    valid, train = (sort([made[0][i] for i in part]) for part in np.split(order, [len(order) // 10]))
    best, tried = None, 0
    for settings in GRID:
        if tried and time.process_time() > SECONDS:
            break
        found, tried = (*fit(train, valid, seed, *settings), settings), tried + 1
        best = found if best is None or found[0] < best[0] else best
    chosen = dict(zip(("size", "learning_rate", "dropout"), best[2]))
    return torch.sigmoid(logits(best[1], made[1])).numpy(), {**chosen, "tried": f"{tried} of {len(GRID)}"}
