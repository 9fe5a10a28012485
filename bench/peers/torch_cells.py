"""Time-LSTM 1 and 3 with peepholes in PyTorch: what does not depend on the state is computed for all steps at
once, the rest is a loop over steps.

Blocks of H columns: Time-LSTM 1 has i, f, g, o, which the state feeds, and the time gate T; Time-LSTM 3 has
i, g, o and the time gates T1, T2. An event's row is added to all blocks; times feed the output gate and,
through tanh, the time gates."""

import torch
from torch import Tensor, nn

from torch_models import Time2Vec


class Loop(nn.Module):
    """Runs over steps. Subclasses have `step`: from what is known (B x blocks H), two time gates (B x H;
    those with one get it twice), the state, the cell and the weights to the next state and cell."""

    def forward(
        self,
        inputs: list[Tensor],
        first: list[Tensor],
        second: list[Tensor],
        recurrent: Tensor,
        peepholes: Tensor,
    ) -> Tensor:
        hidden = torch.zeros(inputs[0].size(0), recurrent.size(0))
        cell = torch.zeros(inputs[0].size(0), recurrent.size(0))
        states: list[Tensor] = []
        for known, gate, other in zip(inputs, first, second):
            hidden, cell = self.step(known, gate, other, hidden, cell, recurrent, peepholes)
            states.append(hidden)
        return torch.stack(states)


class Loop1(Loop):
    def step(
        self,
        known: Tensor,
        gate: Tensor,
        other: Tensor,
        hidden: Tensor,
        cell: Tensor,
        recurrent: Tensor,
        peepholes: Tensor,
    ) -> tuple[Tensor, Tensor]:
        i, f, g, o = torch.addmm(known, hidden, recurrent).chunk(4, 1)
        pi, pf, po = peepholes.unbind(0)
        cell = torch.sigmoid(f + cell * pf) * cell + torch.sigmoid(i + cell * pi) * gate * torch.tanh(g)
        return torch.sigmoid(o + cell * po) * torch.tanh(cell), cell


class Loop3(Loop):
    def step(
        self,
        known: Tensor,
        gate: Tensor,
        other: Tensor,
        hidden: Tensor,
        cell: Tensor,
        recurrent: Tensor,
        peepholes: Tensor,
    ) -> tuple[Tensor, Tensor]:
        i, g, o = torch.addmm(known, hidden, recurrent).chunk(3, 1)
        pi, po = peepholes.unbind(0)
        i = torch.sigmoid(i + cell * pi)
        g = torch.tanh(g)
        seen = cell + i * gate * (g - cell)
        cell = cell + i * (other * g - cell)
        return torch.sigmoid(o + seen * po) * torch.tanh(seen), cell


def make_loop(kind, way):
    loop = Loop1() if kind == 1 else Loop3()
    if way == "script":
        return torch.jit.script(loop)
    if way == "compile":
        loop.step = torch.compile(loop.step, dynamic=False)
    return loop


class TimeLstm(nn.Module):
    """kind: 1 or 3; way: 'eager', 'script' or 'compile'. Events become rows of all gates, as a one-hot vector
    times a matrix would."""

    def __init__(self, kind, types, sines, hidden, way):
        super().__init__()
        self.state_blocks, time_gates = (4, 1) if kind == 1 else (3, 2)
        self.hidden = hidden
        self.time = Time2Vec(sines)
        blocks = self.state_blocks + time_gates
        self.rows = nn.Embedding(types, blocks * hidden)
        self.bias = nn.Parameter(torch.zeros(blocks * hidden))
        self.time_gates = nn.Parameter(torch.empty(sines + 1, time_gates * hidden))
        self.time_output = nn.Parameter(torch.empty(sines + 1, hidden))
        self.recurrent = nn.Parameter(torch.empty(hidden, self.state_blocks * hidden))
        self.peepholes = nn.Parameter(torch.empty(self.state_blocks - 1, hidden))
        for parameter in [
            self.rows.weight,
            self.time_gates,
            self.time_output,
            self.recurrent,
            self.peepholes,
        ]:
            nn.init.normal_(parameter, std=0.1)
        if kind == 3:
            nn.init.uniform_(
                self.time_gates.data[:, :hidden], -1, 0
            )  # T1's weights of time stay non-positive
        self.loop = make_loop(kind, way)
        self.kind = kind

    def forward(self, gaps, events):
        """gaps, events: T x B; returns the states, T x B x H."""
        times = self.time(gaps)
        sums = self.rows(events) + self.bias
        inputs, gates = sums.tensor_split([self.state_blocks * self.hidden], -1)
        gates = torch.sigmoid(gates + torch.tanh(times @ self.time_gates))
        before, output = inputs.split([(self.state_blocks - 1) * self.hidden, self.hidden], -1)
        inputs = torch.cat([before, output + times @ self.time_output], -1)
        # A list of steps: the gradient of a step taken by its index would be as large as all steps.
        by_step = [list(gate.unbind(0)) for gate in gates.split(self.hidden, -1)]
        return self.loop(list(inputs.unbind(0)), by_step[0], by_step[-1], self.recurrent, self.peepholes)

    @torch.no_grad()
    def constrain(self):
        if self.kind == 3:
            self.time_gates[:, : self.hidden].clamp_(max=0)
