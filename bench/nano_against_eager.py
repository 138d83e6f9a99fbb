# SPDX-License-Identifier: Apache-2.0
# How much faster the native worker trains the recipe nano on the CPU than eager PyTorch does: both in turn (A B B A …) on the same
# machine with the same threads, the ratio per pair of neighbours and a 95 % interval over the pairs.
# The native worker keeps freed memory (see keep_freed_memory in worker/main.cpp), as a trainer is free to; Python's allocator settings
# are left as its users have them. Neither side reads the loss inside a timed step for control; the native one reports it.
#   python bench/nano_against_eager.py --worker build/bin/etalon-torch [--pairs 12] [--steps 60]
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
# Two-sided 95 % quantiles of Student's t by degrees of freedom.
STUDENT = {3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228, 11: 2.201, 15: 2.131, 19: 2.093, 23: 2.069, 31: 2.040}


def order(threads):
    return {
        "schema": 1, "title": "nano",
        "workload": {"family": "llm", "model": "nano", "context": 128},
        "training": {
            "method": "full", "micro_batch": 8, "accumulation": 1, "precision": "fp32", "checkpointing": "none", "sharding": "none",
            "attention": "auto", "seed": 1234,
            "optimizer": {"name": "adamw", "lr": 3e-3, "betas": [0.9, 0.95], "eps": 1e-8, "weight_decay": 0.1, "clip": 1.0},
            "schedule": {"name": "cosine", "warmup_steps": 60, "total_steps": 1600, "final_fraction": 0.1}},
        "data": {"source": "torch-source", "seed": 1234}, "evaluation": {"every_steps": 0, "sequences": 0},
        "engine": {"name": "native", "device": "cpu", "threads": threads},
        "launch": {"gpus": 0, "launcher": "local", "startup_deadline_seconds": 300.0, "silence_deadline_seconds": 120.0},
        "measure": {
            "profile": "smoke", "launches": 1, "warmup_seconds": 0.0, "window_seconds": 1.0, "cap_seconds": 600.0, "until": "window",
            "confidence": 0.95, "half_width": 0.01, "fewest_batches": 10, "drift": 0.01, "telemetry_interval_seconds": 1.0},
        "power": {"meters": []}}


def native(worker, threads, skip, steps):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(order(threads), file)
        file.flush()
        command = [worker, "--order", file.name, "--steps", str(skip + steps)]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    events = [event for event in map(json.loads, lines) if event["type"] == "step"]
    timed = events[skip:]
    # From end to end of a step, so that everything between two steps counts.
    return (timed[-1]["end_ns"] - events[skip - 1]["end_ns"]) * 1e-9 / steps


def eager(threads, skip, steps):
    command = [sys.executable, str(FOLDER / "nano_eager.py"), "--threads", str(threads), "--skip", str(skip), "--steps", str(steps)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["seconds_per_step"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worker", default=str(FOLDER.parent / "build/bin/etalon-torch"))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--pairs", type=int, default=12, choices=[count + 1 for count in STUDENT])
    parser.add_argument("--skip", type=int, default=10)
    parser.add_argument("--steps", type=int, default=60)
    arguments = parser.parse_args()
    ratios = []
    for pair in range(arguments.pairs):
        engines = {
            "native": lambda: native(arguments.worker, arguments.threads, arguments.skip, arguments.steps),
            "eager": lambda: eager(arguments.threads, arguments.skip, arguments.steps)}
        names = ["native", "eager"] if pair % 2 == 0 else ["eager", "native"]
        seconds = {name: engines[name]() for name in names}
        ratios.append(math.log(seconds["eager"] / seconds["native"]))
        print(f"pair {pair + 1:2}: native {seconds['native'] * 1e3:7.2f} ms  eager {seconds['eager'] * 1e3:7.2f} ms  "
              f"ratio {math.exp(ratios[-1]):.3f}", flush=True)
    half = STUDENT[len(ratios) - 1] * statistics.stdev(ratios) / math.sqrt(len(ratios))
    mean = statistics.mean(ratios)
    print(f"native is {math.exp(mean):.3f} x eager (95 % interval {math.exp(mean - half):.3f} to {math.exp(mean + half):.3f}, "
          f"{len(ratios)} pairs, {arguments.threads} threads)")


if __name__ == "__main__":
    main()
