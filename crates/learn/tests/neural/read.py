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


def line_numbers(ranks):
    """What the four rows of a board say; its columns are the rows of the transposed board."""
    tiles = numpy.where(ranks > 0, 2.0**ranks, 0)
    a, b = ranks[:, :-1], ranks[:, 1:]
    both = (a > 0) & (b > 0)
    weights = numpy.array([3, 2, 1, 0])
    return {
        "pairs": ((a == b) & both).sum(),
        "equal": tiles[:, :-1][(a == b) & both].sum(),
        "differences": abs(numpy.diff(tiles)).sum(),
        "steps": abs(a - b)[both].sum(),
        "ordered": max((a >= b).sum(), (a <= b).sum()),
        "disorder": numpy.minimum(numpy.maximum(a - b, 0).sum(1), numpy.maximum(b - a, 0).sum(1)).sum(),
        "gradient": max(weights @ tiles.sum(1), weights[::-1] @ tiles.sum(1)),
    }


def features(board):
    ranks = numpy.minimum(board.reshape(4, 4), 15)
    if ranks.max() == 0:
        return numpy.zeros(12)
    tiles = numpy.where(ranks > 0, 2.0**ranks, 0)
    rows, columns, total = line_numbers(ranks), line_numbers(ranks.T), tiles.sum()
    both = {name: rows[name] + columns[name] for name in rows}
    gradients = sorted([rows["gradient"], columns["gradient"]])
    return numpy.array([
        (ranks == 0).sum() / 16, both["pairs"] / 8, both["equal"] / total, both["differences"] / total / 4,
        both["steps"] / 64, both["ordered"] / 24, both["disorder"] / 32, gradients[1] / total / 3,
        gradients[0] / total / 3, ranks.max() in ranks[::3, ::3], tiles[1:3, 1:3].sum() / total, ranks.max() / 16,
    ])  # fmt: skip


def slide_left(board):
    points, rows = 0, []
    for row in board.reshape(4, 4):
        left, merged = [], True
        for exponent in row[row > 0]:
            if not merged and left[-1] == exponent and exponent < 17:
                left[-1], merged = exponent + 1, True
                points += 2 ** int(exponent + 1)
            else:
                left, merged = [*left, exponent], False
        rows.append([*left, *[0] * (4 - len(left))])
    return numpy.array(rows), points


def slides(board):
    board, numbers = board.reshape(4, 4), []
    # Up, right, down, left, each turned to the left and back.
    for turns in (1, 2, 3, 0):
        after, points = slide_left(numpy.rot90(board, turns))
        after = numpy.rot90(after, -turns)
        total = numpy.where(after > 0, 2.0**after, 0).sum()
        moved = (after != board).any()
        numbers.append(numpy.append(features(after), points / total) if moved else numpy.zeros(13))
    return numpy.concatenate(numbers)


def encoded(encoding, boards):
    if encoding in ("features", "slides"):
        numbers = {"features": features, "slides": slides}[encoding]
        return numpy.array([numbers(board) for board in boards], dtype=numpy.float32)
    hot = numpy.eye(16, dtype=numpy.float32)[numpy.minimum(boards, 15)]
    return hot.reshape(len(boards), 256) if encoding == "one-hot" else hot.transpose(0, 2, 1).reshape(-1, 16, 4, 4)


def main():
    path, boards = sys.argv[1], numpy.array(json.load(sys.stdin))
    design, tensors = json.loads(metadata(path)["design"]), load_file(path)
    x = encoded(design["encoding"], boards)
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
