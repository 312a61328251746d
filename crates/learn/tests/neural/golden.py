"""Makes the golden files of the tests of neural networks with PyTorch.

For each design: the network before (`NAME.safetensors`), the gradient of the RMSE loss (`NAME.gradient.safetensors`), and
the network after three steps of Adam (`NAME.trained.safetensors`), all in the format of this program; and the boards,
targets, outputs and losses (`NAME.json`).

    pip install torch safetensors && python crates/learn/tests/neural/golden.py
"""

import json
import pathlib

import torch
from safetensors.torch import save_file

FOLDER = pathlib.Path(__file__).parent / "golden"


def convolution(channels, padding=0, activation="relu"):
    return {"kind": "convolution", "channels": channels, "padding": padding, "activation": activation}


def dense(units, activation="selu"):
    return {"kind": "dense", "units": units, "activation": activation}


DESIGNS = {
    "cnn": {
        "encoding": "planes",
        "layers": [convolution(8), convolution(6, padding=1), convolution(7), dense(12), dense(5), dense(1, "linear")],
    },
    "odd-cnn": {
        "encoding": "planes",
        "layers": [convolution(5, padding=1, activation="selu"), convolution(4), convolution(3, activation="linear"), dense(2, "relu"), dense(1, "linear")],
    },
    "fc": {"encoding": "one-hot", "layers": [dense(9), dense(6, "relu"), dense(1, "linear")]},
    "planes-fc": {"encoding": "planes", "layers": [dense(7), dense(1, "linear")]},
}


def input_of(boards, encoding):
    """The boards as one-hot tensors."""
    hot = torch.nn.functional.one_hot(boards.clamp(max=15), 16).float()  # board, cell, content
    if encoding == "one-hot":
        return hot.flatten(1)
    return hot.transpose(1, 2).reshape(-1, 16, 4, 4)


class Network(torch.nn.Module):
    def __init__(self, design):
        super().__init__()
        self.design, self.layers = design, torch.nn.ModuleList()
        side, channels, flat = 4, 16, 256 if design["encoding"] == "one-hot" else None
        for layer in design["layers"]:
            if layer["kind"] == "convolution":
                self.layers.append(torch.nn.Conv2d(channels, layer["channels"], 2, padding=layer["padding"]))
                side, channels = side + 2 * layer["padding"] - 1, layer["channels"]
            else:
                self.layers.append(torch.nn.Linear(flat or channels * side * side, layer["units"]))
                flat = layer["units"]

    def forward(self, x):
        activations = {"linear": lambda x: x, "relu": torch.relu, "selu": torch.selu}
        for layer, described in zip(self.layers, self.design["layers"]):
            if described["kind"] == "dense":
                x = x.flatten(1)
            x = activations[described["activation"]](layer(x))
        return x


def write(name, design, tensors):
    tensors = {key: tensor.detach().clone().contiguous() for key, tensor in tensors.items()}
    save_file(tensors, FOLDER / f"{name}.safetensors", metadata={"design": json.dumps(design), "scale": "1000"})


def main():
    torch.manual_seed(2048)
    FOLDER.mkdir(exist_ok=True)
    for name, design in DESIGNS.items():
        boards = torch.randint(0, 18, (11, 16))
        boards[0] = 0
        targets = 10 * torch.randn(11)
        network = Network(design)
        write(name, design, network.state_dict())
        optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
        outputs, losses = None, []
        for step in range(3):
            optimiser.zero_grad()
            result = network(input_of(boards, design["encoding"])).squeeze(1)
            loss = torch.sqrt(torch.mean((result - targets) ** 2))
            loss.backward()
            losses.append(loss.item())
            if step == 0:
                outputs = result.tolist()
                write(f"{name}.gradient", design, {key: p.grad for key, p in network.named_parameters()})
            optimiser.step()
        write(f"{name}.trained", design, network.state_dict())
        record = {"boards": boards.tolist(), "targets": targets.tolist(), "outputs": outputs, "losses": losses}
        (FOLDER / f"{name}.json").write_text(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
