"""The models as ONNX graphs, with made weights: of whole sequences, and one step of a next-event model. Time2Vec is Mul, Add, Sin in float32."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET, IR = 17, 8


class Graph:
    """Collects nodes and weights."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.nodes, self.weights = [], []

    def constant(self, name, values):
        self.weights.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def uniform(self, name, limit, *shape):
        return self.constant(name, self.random.uniform(-limit, limit, shape).astype(np.float32))

    def node(self, kind, inputs, outputs, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, outputs, **attributes))
        return outputs[0]

    def time2vec(self, times, sines):
        """times: any shape that ends with 1; a linear term, then sines."""
        phases = []
        for name, terms in [("linear", 1), ("sines", sines)]:
            omega, phi = self.uniform(name + ".omega", 1, terms), self.uniform(name + ".phi", 1, terms)
            product = self.node("Mul", [times, omega], [name + ".product"])
            phases.append(self.node("Add", [product, phi], [name + ".phase"]))
        return phases[0], self.node("Sin", [phases[1]], ["sines"])

    def lstm_weights(self, features, hidden):
        bound = hidden**-0.5
        return [
            self.uniform("lstm.inputs", bound, 1, 4 * hidden, features),
            self.uniform("lstm.recurrent", bound, 1, 4 * hidden, hidden),
            self.uniform("lstm.bias", bound, 1, 8 * hidden),
        ]

    def head(self, states, hidden, classes):
        bound = hidden**-0.5
        weights = [
            self.uniform("head.weights", bound, hidden, classes),
            self.uniform("head.bias", bound, classes),
        ]
        return self.node("Gemm", [states, *weights], ["scores"])

    def head_of_steps(self, states, hidden, classes):
        """The same of states T x B x H."""
        bound = hidden**-0.5
        product = self.node("MatMul", [states, self.uniform("head.weights", bound, hidden, classes)], ["product"])
        return self.node("Add", [product, self.uniform("head.bias", bound, classes)], ["scores"])

    def model(self, inputs, outputs):
        """inputs, outputs: name -> (type, shape)."""
        infos = [
            [helper.make_tensor_value_info(name, *about) for name, about in side.items()]
            for side in (inputs, outputs)
        ]
        graph = helper.make_graph(self.nodes, "model", *infos, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR)
        onnx.checker.check_model(model)
        return model.SerializeToString()


def sequence_model(workload, seed=1):
    """times T x B x 1, lengths B (int32), and events T x B where the model looks at them -> scores B x classes,
    from the state after each last event, or T x B x classes."""
    graph = Graph(seed)
    inputs = {"times": (TensorProto.FLOAT, ["T", "B", 1]), "lengths": (TensorProto.INT32, ["B"])}
    parts = list(graph.time2vec("times", workload.sines)) if workload.sines else ["times"]
    if workload.embedding:
        inputs["events"] = (TensorProto.INT64, ["T", "B"])
        size = (workload.classes, workload.embedding)
        rows = graph.constant("embedding", graph.random.normal(size=size).astype(np.float32))
        parts.insert(0, graph.node("Gather", [rows, "events"], ["row"]))
    features = graph.node("Concat", parts, ["features"], axis=-1)
    weights = graph.lstm_weights(workload.features(), workload.hidden)
    outputs = ["all"] if workload.each_step else ["", "last"]
    graph.node("LSTM", [features, *weights, "lengths"], outputs, hidden_size=workload.hidden)
    if not workload.each_step:
        axis = graph.constant("axis", np.array([0], np.int64))
        graph.head(graph.node("Squeeze", ["last", axis], ["state"]), workload.hidden, workload.classes)
        return graph.model(inputs, {"scores": (TensorProto.FLOAT, ["B", workload.classes])})
    axis = graph.constant("axis", np.array([1], np.int64))
    states = graph.node("Squeeze", ["all", axis], ["states"])
    graph.head_of_steps(states, workload.hidden, workload.classes)
    return graph.model(inputs, {"scores": (TensorProto.FLOAT, ["T", "B", workload.classes])})


def step_by_operator(sines, hidden, types, embedding, seed=1):
    """time 1 x 1 x 1, event 1 x 1, h and c 1 x 1 x H -> scores 1 x types, and the next h and c. The LSTM is
    ONNX's operator, on an embedding of the event and the vector of time."""
    graph = Graph(seed)
    rows = graph.constant("embedding", graph.random.normal(size=(types, embedding)).astype(np.float32))
    row = graph.node("Gather", [rows, "event"], ["row"])
    features = graph.node("Concat", [row, *graph.time2vec("time", sines)], ["features"], axis=-1)
    weights = graph.lstm_weights(embedding + sines + 1, hidden)
    graph.node("LSTM", [features, *weights, "", "h", "c"], ["", "next_h", "next_c"], hidden_size=hidden)
    axis = graph.constant("axis", np.array([0], np.int64))
    graph.head(graph.node("Squeeze", ["next_h", axis], ["state"]), hidden, types)
    return step_model(graph, hidden, types)


def step_by_gates(sines, hidden, types, seed=1):
    """The same with a row of gates for each type of event, and the gates written out: one product for time
    and state."""
    graph = Graph(seed)
    bound = hidden**-0.5
    rows = graph.uniform("rows", bound, types, 4 * hidden)
    row = graph.node("Gather", [rows, "event"], ["row"])
    inputs = graph.node("Concat", [*graph.time2vec("time", sines), "h"], ["inputs"], axis=-1)
    shape = graph.constant("shape", np.array([1, sines + 1 + hidden], np.int64))
    flat = graph.node("Reshape", [inputs, shape], ["flat"])
    weights = graph.uniform("weights", bound, sines + 1 + hidden, 4 * hidden)
    row_shape = graph.constant("row_shape", np.array([1, 4 * hidden], np.int64))
    flat_row = graph.node("Reshape", [row, row_shape], ["flat_row"])
    sums = graph.node("Gemm", [flat, weights, flat_row], ["sums"])
    # Three sigmoids at once, then the tanh.
    parts = graph.constant("parts", np.array([3 * hidden, hidden], np.int64))
    graph.node("Split", [sums, parts], ["open", "candidate"], axis=1)
    graph.node("Sigmoid", ["open"], ["gates"])
    graph.node("Tanh", ["candidate"], ["g"])
    graph.node("Split", ["gates"], ["i", "f", "o"], axis=1)
    kept = graph.node("Mul", ["f", "c"], ["kept"])
    added = graph.node("Mul", ["i", "g"], ["added"])
    cell = graph.node("Add", [kept, added], ["next_c"])
    state = graph.node("Mul", ["o", graph.node("Tanh", [cell], ["squashed"])], ["next_h"])
    state_shape = graph.constant("state_shape", np.array([1, hidden], np.int64))
    graph.head(graph.node("Reshape", [state, state_shape], ["state"]), hidden, types)
    return step_model(graph, hidden, types)


def step_model(graph, hidden, types):
    state = (TensorProto.FLOAT, [1, 1, hidden])
    return graph.model(
        {
            "time": (TensorProto.FLOAT, [1, 1, 1]),
            "event": (TensorProto.INT64, [1, 1]),
            "h": state,
            "c": state,
        },
        {"scores": (TensorProto.FLOAT, [1, types]), "next_h": state, "next_c": state},
    )
