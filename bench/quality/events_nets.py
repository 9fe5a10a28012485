"""A GRU and a SASRec in PyTorch for the next event, with the features that LightGBM has, early stopping and a grid."""

import time

import numpy as np
import torch

import events_peers as peers

GRU_GRID = [(64, 3e-3, 0.2), (128, 3e-3, 0.2), (32, 3e-3, 0.2), (64, 1e-3, 0.0), (128, 1e-3, 0.4), (64, 1e-2, 0.2)]
SASREC_GRID = [(64, 1e-3, 0.2), (64, 1e-3, 0.5), (128, 1e-3, 0.5), (32, 1e-3, 0.2), (64, 3e-3, 0.2), (128, 3e-4, 0.2)]
LONGEST = 200     # events that a net sees
SECONDS = 150     # CPU seconds after which no further setting is tried, and a running one ends
EPOCHS, PATIENCE, BATCH = 60, 3, 32


def calendar(seconds):
    hour, day = 2 * np.pi * (seconds / 86400 % 1), ((seconds // 86400 + 3) % 7).astype(int)
    return [np.sin(hour), np.cos(hour), *(day == n for n in range(7))]


def columns(coded, times):
    """Features of the events but the last, each with those of the time after it where that is given."""
    gaps = np.log1p(np.diff(times, prepend=times[0]) / coded.scale)
    since = np.log1p((times - times[0]) / coded.scale)
    found = [gaps[:-1], since[:-1]] + (calendar(times[:-1]) if coded.dates else [])
    if coded.query:
        found += [gaps[1:]] + (calendar(times[1:]) if coded.dates else [])
    return np.stack(found, 1).astype(np.float32)


def prepared(coded, part):
    """(types, features, answers or -1, all types) of each sequence, of its last LONGEST events."""
    made = []
    for times, types, first in part:
        answers = np.where(np.arange(len(types)) >= first, types, -1)[1:]
        if len(types) > 1 and (answers >= 0).any():
            made.append([*(array[-LONGEST:] for array in (types[:-1], columns(coded, times), answers)), types])
    return sorted(made, key=lambda sequence: len(sequence[0]))


def batches(sequences):
    for i in range(0, len(sequences), BATCH):
        pad = lambda n, value: torch.nn.utils.rnn.pad_sequence(
            [torch.as_tensor(s[n]) for s in sequences[i:i + BATCH]], batch_first=True, padding_value=value)
        yield pad(0, -1), pad(1, 0.0), pad(2, -1)


class Gru(torch.nn.Module):
    def __init__(self, types, features, size, dropout):
        super().__init__()
        self.embedding = torch.nn.Embedding(types + 1, size)
        self.cell = torch.nn.GRU(size + features, size, batch_first=True)
        self.drop = torch.nn.Dropout(dropout)
        self.head = torch.nn.Linear(size + features, types)

    def forward(self, types, features, asked):
        state, _ = self.cell(torch.cat([self.drop(self.embedding(types + 1)), features], 2))
        return self.head(torch.cat([self.drop(state), features], 2)[asked])


class SasRec(torch.nn.Module):
    def __init__(self, types, features, size, dropout):
        super().__init__()
        self.embedding = torch.nn.Embedding(types + 1, size)
        torch.nn.init.normal_(self.embedding.weight, std=0.05)
        self.place, self.inputs = torch.nn.Embedding(LONGEST, size), torch.nn.Linear(features, size)
        layer = torch.nn.TransformerEncoderLayer(size, 2, size, dropout, batch_first=True, norm_first=True)
        self.blocks = torch.nn.TransformerEncoder(layer, 2, torch.nn.LayerNorm(size), enable_nested_tensor=False)
        self.drop = torch.nn.Dropout(dropout)

    def forward(self, types, features, asked):
        length = types.shape[1]
        given = self.embedding(types + 1) + self.place(torch.arange(length)) + self.inputs(features)
        mask = torch.nn.Transformer.generate_square_subsequent_mask(length)
        state = self.blocks(self.drop(given), mask=mask, is_causal=True)
        return state[asked] @ self.embedding.weight[1:].T


def epoch(model, optimizer, sequences, order):
    model.train()
    made = list(batches(sequences))
    for i in order.permutation(len(made)):
        types, features, answers = made[i]
        loss = torch.nn.functional.cross_entropy(model(types, features, answers >= 0), answers[answers >= 0])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()


@torch.no_grad()
def logits(model, sequences):
    model.eval()
    found = [(model(types, features, answers >= 0), answers[answers >= 0])
             for types, features, answers in batches(sequences)]
    return torch.cat([a for a, _ in found]), torch.cat([b for _, b in found])


def fit(make, parts, seed, size, rate, dropout):
    """The weights of the best epoch by validation loss: (loss, model)."""
    torch.manual_seed(seed)
    order, model = np.random.default_rng(seed), make(size, dropout)
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    best, kept, bad = np.inf, None, 0
    for _ in range(EPOCHS):
        epoch(model, optimizer, parts[0], order)
        loss = float(torch.nn.functional.cross_entropy(*logits(model, parts[1])))
        bad = 0 if loss < best else bad + 1
        if loss < best:
            best, kept = loss, {name: value.clone() for name, value in model.state_dict().items()}
        if bad == PATIENCE or time.process_time() > SECONDS:
            break
    model.load_state_dict(kept)
    return best, model


def run(method, coded, seed):
    torch.set_num_threads(1)
    kind, grid = {"GRU": (Gru, GRU_GRID), "SASRec": (SasRec, SASREC_GRID)}[method]
    parts = [prepared(coded, part) for part in coded.parts]
    make = lambda size, dropout: kind(coded.size, parts[0][0][1].shape[1], size, dropout)
    best, tried = None, 0
    for settings in grid:
        if tried and time.process_time() > SECONDS:
            break
        found, tried = (*fit(make, parts, seed, *settings), settings), tried + 1
        best = found if best is None or found[0] < best[0] else best
    scores, truth = logits(best[1], parts[2])
    seen = [types[:len(types) - len(answers) + i] for _, _, answers, types in parts[2]
            for i in np.flatnonzero(answers >= 0)]
    found = [peers.without_seen(coded, row, types) for row, types in zip(torch.softmax(scores, 1).numpy(), seen)]
    answer = peers.score(np.stack(found), truth.numpy())
    chosen = dict(zip(("size", "learning_rate", "dropout"), best[2]))
    return {**answer, "settings": {**chosen, "tried": f"{tried} of {len(grid)}"},
            "version": f"torch {torch.__version__}"}
