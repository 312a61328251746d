"""Reads a network file with safetensors and NumPy alone and prints its outputs for the boards on standard input.

    read.py FILE < boards.json
"""

import json
import struct
import sys

import numpy
from safetensors.numpy import load_file


def metadata(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        return json.loads(file.read(length))["__metadata__"]


def selu(x):
    return 1.0507009873554805 * numpy.where(x > 0, x, 1.6732632423543772 * numpy.expm1(numpy.minimum(x, 0)))


ACTIVATIONS = {"linear": lambda x: x, "relu": lambda x: numpy.maximum(x, 0), "selu": selu}


def convolve(x, weight, bias, padding):
    x = numpy.pad(x, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    rows, columns = x.shape[2] - 1, x.shape[3] - 1
    total = 0
    for down in range(2):
        for right in range(2):
            part = x[:, :, down : down + rows, right : right + columns]
            total = total + numpy.einsum("bchw,oc->bohw", part, weight[:, :, down, right])
    return total + bias[None, :, None, None]


def main():
    path, boards = sys.argv[1], numpy.array(json.load(sys.stdin))
    design, tensors = json.loads(metadata(path)["design"]), load_file(path)
    hot = numpy.eye(16, dtype=numpy.float32)[numpy.minimum(boards, 15)]
    x = hot.reshape(len(boards), 256) if design["encoding"] == "one-hot" else hot.transpose(0, 2, 1).reshape(-1, 16, 4, 4)
    for index, layer in enumerate(design["layers"]):
        weight, bias = tensors[f"layers.{index}.weight"], tensors[f"layers.{index}.bias"]
        if layer["kind"] == "convolution":
            x = convolve(x, weight, bias, layer["padding"])
        else:
            x = x.reshape(len(x), -1) @ weight.T + bias
        x = ACTIVATIONS[layer["activation"]](x)
    json.dump(x.astype(float).flatten().tolist(), sys.stdout)


if __name__ == "__main__":
    main()
