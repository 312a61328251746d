"""The network of `neural_speed.rs` in PyTorch: evaluations and training samples per second of CPU time on one core.

    pip install torch && python crates/learn/examples/neural_speed.py
"""

import time

import torch
from torch import nn

torch.set_num_threads(1)


def cnn():
    return nn.Sequential(
        nn.Conv2d(16, 256, 2), nn.ReLU(), nn.Conv2d(256, 256, 2, padding=1), nn.ReLU(), nn.Conv2d(256, 256, 2), nn.ReLU(),
        nn.Flatten(), nn.Linear(2304, 384), nn.SELU(), nn.Linear(384, 128), nn.SELU(), nn.Linear(128, 32), nn.SELU(),
        nn.Linear(32, 1),
    )  # fmt: skip


def rate(work):
    best = 0
    for _ in range(3):
        started, done = time.process_time(), 0
        while time.process_time() - started < 1:
            done += work()
        best = max(best, done / (time.process_time() - started))
    return best


def main():
    network = cnn()
    boards = torch.randint(0, 16, (4096, 16))
    x = nn.functional.one_hot(boards, 16).float().transpose(1, 2).reshape(-1, 16, 4, 4).contiguous()
    with torch.inference_mode():
        for batch in 1, 100, 1024:

            def judge():
                network(x[:batch])
                return batch

            print(f"PyTorch {torch.__version__}: {rate(judge):.0f} evaluations per CPU-second in batches of {batch}")
    optimiser = torch.optim.Adam(network.parameters(), lr=0.001)
    targets = torch.randn(1024, 1)

    def train():
        optimiser.zero_grad()
        torch.sqrt(torch.mean((network(x[:1024]) - targets) ** 2)).backward()
        optimiser.step()
        return 1024

    print(f"PyTorch {torch.__version__}: {rate(train):.0f} training samples per CPU-second in batches of 1024")


if __name__ == "__main__":
    main()
