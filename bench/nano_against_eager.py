# SPDX-License-Identifier: Apache-2.0
# How much faster the native worker trains the recipe nano on the CPU than eager PyTorch does: both in turn (A B B A …) on the same
# machine with the same threads, the ratio per pair of neighbours and a 95 % interval over the pairs.
# The native worker keeps freed memory (see keep_freed_memory in worker/main.cpp), as a trainer is free to; Python's allocator settings
# are left as its users have them, or with --same-allocator set alike. Neither side reads the loss inside a timed step for control; the native one reports it.
#   python bench/nano_against_eager.py [--programs build/bin] [--pairs 12] [--steps 60]
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


def order(etalon, threads):
    """The recipe as it is kept, less what would interrupt the timed steps: no evaluation."""
    command = [etalon, "show", "nano", "--json", "--set", f"engine.threads={threads}", "--set", "evaluation.sequences=0"]
    shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(shown)["values"]


def native(programs, threads, skip, steps):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(order(programs / "etalon", threads), file)
        file.flush()
        command = [programs / "etalon-torch", "--order", file.name, "--steps", str(skip + steps)]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    events = [event for event in map(json.loads, lines) if event["type"] == "step"]
    timed = events[skip:]
    # From end to end of a step, so that everything between two steps counts.
    return (timed[-1]["end_ns"] - events[skip - 1]["end_ns"]) * 1e-9 / steps


def eager(threads, skip, steps, environment):
    command = [sys.executable, str(FOLDER / "nano_eager.py"), "--threads", str(threads), "--skip", str(skip), "--steps", str(steps)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout)["seconds_per_step"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=pathlib.Path, default=FOLDER.parent / "build/bin")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--pairs", type=int, default=12, choices=[count + 1 for count in STUDENT])
    parser.add_argument("--skip", type=int, default=10)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--same-allocator", action="store_true", help="eager keeps freed memory too")
    arguments = parser.parse_args()
    kept = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 30)} if arguments.same_allocator else {}
    environment = os.environ | kept
    ratios = []
    for pair in range(arguments.pairs):
        engines = {
            "native": lambda: native(arguments.programs, arguments.threads, arguments.skip, arguments.steps),
            "eager": lambda: eager(arguments.threads, arguments.skip, arguments.steps, environment)}
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
