#!/usr/bin/env python3
"""Compares exported nets with the program's own net, by the runtimes that users have.

    scripts/check_exports.py MODEL [--apiary build/release/apiary] [--positions 1000] [--batches 1,64] [--formats onnx,pt]

Exports MODEL to .onnx and .pt where this Python has onnxruntime and torch, feeds each file positions from
`apiary encode --json` and prints the largest difference from the outputs that `apiary encode --model` gives.
Ends with 1 where one is above 1e-4 (relative to values above 1), with 77 where neither package is there.
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GAMES = os.path.join(ROOT, "tests/data/rules/human-games.tsv")
WIDTHS = {"row_features": 11, "neighbors": 6, "position_features": 26, "queen_rows": 2, "moves": 2,
          "row_begin": 0, "move_begin": 0}
OUTPUTS = ("logits", "wdl", "moves_left")
TOLERANCE = 1e-4
SKIPPED = 77


def positions(count):
    """GameStrings: the starts of the eight variants, the ends of the human games, then positions within them."""
    found = ["Base" + "+" * bool(letters) + letters for letters in ("", "M", "L", "P", "ML", "MP", "LP", "MLP")]
    inside = []
    with open(GAMES, encoding="ascii") as file:
        for line in file:
            if line.startswith("#"):
                continue
            kind, state, _, *moves = line.split("\t")[1].split(";")
            found.append(";".join([kind, state, "White[1]"] + moves))
            for plies in range(1, len(moves)):
                inside.append(";".join([kind, "InProgress", "White[1]"] + moves[:plies]))
    missing = count - len(found)
    step = len(inside) / max(missing, 1)
    found += [inside[int(i * step)] for i in range(max(missing, 0))]
    return found[:count]


def encode(apiary, model, games, batch):
    """Blocks of `batch` positions with the program's own outputs."""
    command = [apiary, "encode", "--file", "-", "--json", "--repetition", "0", "--batch", str(batch), "--model", model]
    done = subprocess.run(command, input="\n".join(games), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"check_exports: {' '.join(command)}: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def arrays(block):
    import numpy as np
    for name, width in WIDTHS.items():
        values = np.array(block[name], np.int64)
        yield name, values.reshape(-1, width) if width else values


def onnx_net(path):
    import onnxruntime
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return lambda inputs: session.run(OUTPUTS, inputs)


def torch_net(path):
    import torch
    warnings.filterwarnings("ignore", message=".*torch.jit.load.*deprecated")
    torch.set_num_threads(1)  # positions are small: more only wait for each other
    module = torch.jit.load(path, map_location="cpu")

    def run(inputs):
        with torch.no_grad():
            return [out.numpy() for out in module(*(torch.from_numpy(value) for value in inputs.values()))]
    return run


def largest_difference(net, blocks):
    import numpy as np
    largest = dict.fromkeys(OUTPUTS, 0.0)
    for block in blocks:
        for name, actual in zip(OUTPUTS, net(dict(arrays(block)))):
            expected = np.array(block[name], np.float64).reshape(actual.shape)
            difference = np.abs(actual - expected) / np.maximum(1, np.abs(expected))
            if not np.isfinite(difference).all():
                return dict.fromkeys(OUTPUTS, float("inf"))
            largest[name] = max(largest[name], difference.max(initial=0.0))
    return largest


def usable(package):
    if importlib.util.find_spec(package) is None:
        return False
    try:
        __import__(package)
    except (ImportError, OSError) as error:
        print(f"{package}: there, but cannot be imported: {error}")
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("--apiary", default=os.path.join(ROOT, "build/release/apiary"))
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--batches", default="1,64")
    parser.add_argument("--formats", default="onnx,pt", help="a build without LibTorch writes no .pt")
    arguments = parser.parse_args()
    nets = [(ending, net) for ending, package, net in ((".onnx", "onnxruntime", onnx_net), (".pt", "torch", torch_net))
            if ending[1:] in arguments.formats.split(",") and usable(package)]
    if not nets or not usable("numpy"):
        print("check_exports: skipped: this Python has neither onnxruntime nor torch (with numpy)")
        return SKIPPED
    games = positions(arguments.positions)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for ending, make_net in nets:
            path = os.path.join(folder, "net" + ending)
            command = [arguments.apiary, "export", arguments.model, "--to", path]
            if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode != 0:
                sys.exit(f"check_exports: {' '.join(command)} failed")
            net = make_net(path)
            for batch in map(int, arguments.batches.split(",")):
                blocks = encode(arguments.apiary, arguments.model, games, batch)
                largest = largest_difference(net, blocks)
                good = good and max(largest.values()) <= TOLERANCE
                print(f"{ending:6} batch {batch:3}: {len(games)} positions, largest difference " +
                      ", ".join(f"{name} {value:.2g}" for name, value in largest.items()), flush=True)
    print("all within 1e-4" if good else "MORE THAN 1e-4")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
