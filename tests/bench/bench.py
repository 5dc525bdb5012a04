# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: The Attnscope developers
"""Runs the benches several times and prints one table. Started by the script "run".

Every time is told twice: by the clock on the wall and by the processor's. A limit that the wall
misses on a busy machine while the processor keeps it is no fault of the program's; the table says
how much of the machine other programs took meanwhile."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PARTS = ("forward", "load", "open", "window")
N_STARTS = 5


class Table:
    """Rows as they are printed at the end."""

    HEAD = ("", "wall", "worst", "cpu", "worst", "limit", "", "reference")

    def __init__(self):
        self.rows = []

    def section(self, title):
        """A line between rows."""
        self.rows.append((title,))

    def add(self, name, wall, cpu=(None, None), limit=None, reference="", **judging):
        """A row: pairs of the median and the worst; see judge()."""
        sign = "≥" if judging.get("at_least") else "≤"
        self.rows.append((name, *map(number, (*wall, *cpu)),
                          "" if limit is None else f"{sign} {number(limit)}",
                          "" if limit is None else judge(wall, cpu, limit, **judging), reference))

    def print(self):
        """In columns."""
        rows = [self.HEAD, *self.rows]
        widths = [max(len(row[i]) for row in rows if len(row) > 1) for i in range(len(self.HEAD))]
        for row in rows:
            if len(row) == 1:
                print(f"\n{row[0]}")
                continue
            cells = [cell.ljust(width) if i in (0, 6, 7) else cell.rjust(width)
                     for i, (cell, width) in enumerate(zip(row, widths))]
            print("  ".join(cells).rstrip())


def judge(wall, cpu, limit, at_least=False, always=False):
    """Whether the limit is kept; "always": by every single one, not in the median."""
    def keeps(value):
        return value >= limit if at_least else value <= limit
    if keeps(wall[1]):
        return "reached"
    if always:
        return "reached by the processor" if keeps(cpu[1]) else "MISSED"
    if keeps(wall[0]):
        return "reached in the median"
    return "reached by the processor" if keeps(cpu[0]) else "MISSED"


def number(value):
    """Three digits are all that a measurement has."""
    if value is None:
        return ""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"


def run_json(*command, env=None):
    """The lines of JSON that a program prints, each with the time when it was started."""
    start = time.monotonic_ns() / 1000
    done = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=env, timeout=900, check=False)
    if done.returncode != 0:
        raise ChildProcessError(f"{command[0]} failed: {done.stderr.decode(errors='replace')}")
    lines = [line for line in done.stdout.decode().splitlines() if line.startswith("{")]
    return [dict(json.loads(line), started_us=start) for line in lines]


def run_with_automatic_kernels(program):
    """With OpenBLAS's own choice where the environment has another, if that computes right: the
    program checks products first."""
    env = dict(os.environ)
    if env.pop("OPENBLAS_CORETYPE", None) and env.pop("OPENBLAS_L2_SIZE", None):
        try:
            return run_json(program, env=env)
        except ChildProcessError as error:
            print(error, file=sys.stderr)
    return run_json(program)


def measure_forward(build, table):
    """The forward pass of GPT-2 small's shape as a part of the best matrix product."""
    lines = run_with_automatic_kernels(build / "tests/bench/bench-forward")
    table.section("Forward pass, GPT-2 small's shape, as a part of the sgemm peak "
                  f"({lines[0]['core']}, {lines[0]['n_threads']} threads)")
    for line in lines[1:]:
        values = line["values"]
        n_tokens = line["bench"].split()[-1]
        table.add(f"T = {n_tokens}", values["ratio"][1::-1], values["cpu_ratio"][1::-1],
                  0.65 if n_tokens == "512" else None,
                  f"{number(values['wall_ms'][1])} ms; peak "
                  f"{number(values['peak_gflops'][1])} GFLOP/s", at_least=True)


def measure_load(build, table):
    """JSON model files against reading and GLib's base64."""
    program = build / "tests/bench/bench-load"
    lines = run_json(program) + run_json(program, ROOT / "models/english-small.json")
    table.section("Loading a JSON model, ms")
    for line in lines:
        values = line["values"]
        table.add(line["bench"].removeprefix("load "), values["wall_ms"][1:], values["cpu_ms"][1:],
                  reference=f"{number(values['ratio'][1])} × reading it and GLib's base64 decoder")


def measure_open(build, table):
    """Real sizes, from the path to the first heatmap."""
    table.section("Opening a folder to the first heatmap, ms, from a warm disk")
    for line in run_with_automatic_kernels(build / "tests/bench/bench-open"):
        values = line["values"]
        table.add(line["bench"].removeprefix("open "), values["wall_ms"][1:], values["cpu_ms"][1:],
                  1500, f"{number(values['open_ms'][1])} ms until the model is known")


class Acts:
    """What the window measured in several runs, by act."""

    def __init__(self, runs):
        self.runs = runs

    def series(self, act, name):
        """One of its series in each run where it has samples."""
        found = [line["values"][name] for run in self.runs for line in run
                 if line["act"] == act and name in line["values"]]
        if not found:
            sys.exit(f"the window told nothing of “{name}” while it did “{act}”")
        return found

    def typical(self, act, name):
        """Pairs of the median of medians and the largest of all, wall and processor."""
        found = self.series(act, name)
        return [(statistics.median(one[clock][0] for one in found),
                 max(one[clock][2] for one in found)) for clock in ("wall_ms", "cpu_ms")]

    def longest(self, acts, names):
        """The same of the largest in each run, and which it was."""
        per_run, worst = [], (0, "")
        for run in self.runs:
            found = [(values["wall_ms"][2], values["cpu_ms"][2], name) for line in run
                     if line["act"] in acts for name, values in line["values"].items()
                     if names(name)]
            per_run.append((max(one[0] for one in found), max(one[1] for one in found)))
            worst = max(worst, *((one[1], one[2]) for one in found))
        pairs = [(statistics.median(one[i] for one in per_run), max(one[i] for one in per_run))
                 for i in (0, 1)]
        return pairs, worst[1].removeprefix("callback ")


def is_callback(name):
    """A bracket around code of ours, or what of a turn is neither that nor a frame."""
    return name.startswith("callback ") or name == "turn besides"


def add_starts(table, starts):
    """From the start of the process to the first heatmap: ready, and drawn."""
    table.section("Start, ms")
    for mark, name, limit in (("first picture", "to the first heatmap", 700),
                              ("first picture shown", "to its frame", None)):
        walls = [(run[0]["values"][mark]["at_us"] - run[0]["started_us"]) / 1000 for run in starts]
        toolkit = [(run[0]["values"]["toolkit ready"]["at_us"] - run[0]["started_us"]) / 1000
                   for run in starts]
        cpus = [run[0]["values"][mark]["cpu_ms"] for run in starts]
        table.add(name, (statistics.median(walls), max(walls)),
                  (statistics.median(cpus), max(cpus)), limit,
                  f"{statistics.median(walls) / statistics.median(toolkit):.2f} × until GTK is ready")


def add_acts(table, acts, n_tokens):
    """Keys and slider."""
    table.section(f"Input to picture, ms, at {n_tokens} tokens")
    for act, name in (("keys", "key"), ("slider", "slider")):
        count = sum(one["n"] for one in acts.series(act, "input to picture"))
        table.add(name, *acts.typical(act, "input to picture"), 16, f"{count} pictures")
    table.add("key, 200 tokens", *acts.typical("keys, long", "input to picture"))
    count = sum(one["n"] for one in acts.series("models", "open to picture"))
    table.add("another bundled model", *acts.longest(("models",), lambda one: one == "open to picture")[0],
              300, f"{count} pictures; the slowest is the largest model")
    table.section("Longest on the main thread while 100 keys are typed and the slider is moved, ms")
    every = ("keys", "slider", "keys, all heads", "keys, long", "choices", "pastes", "models")
    for title, some in (("callback of ours", every[:2]),
                        ("also in other views, pasting, choosing", every)):
        pairs, name = acts.longest(some, is_callback)
        table.add(title, *pairs, 8, name, always=True)
    for title, name in (("GTK's layout", "layout"), ("GTK's painting", "paint"),
                        ("turn of the loop", "turn")):
        pairs, _ = acts.longest(every[:2], lambda one, wanted=name: one == wanted)
        table.add(title, *pairs, reference=f"median "
                  f"{number(acts.typical('keys', name)[0][0])} a key")


def measure_window(build, table, n_runs):
    """Start, typing, slider."""
    with tempfile.TemporaryDirectory() as home:
        env = dict(os.environ, HOME=home, XDG_CONFIG_HOME=f"{home}/config",
                   XDG_DATA_HOME=f"{home}/data", XDG_CACHE_HOME=f"{home}/cache", GDK_BACKEND="x11")
        program = build / "src/app/attnscope"
        run_json(program, "--measure-start", env=env)  # fills the caches of fonts and files
        starts = [run_json(program, "--measure-start", env=env) for _ in range(N_STARTS)]
        runs = [run_json(program, "--measure", env=env) for _ in range(n_runs)]
    add_starts(table, starts)
    acts = Acts(runs)
    n_tokens = next(line["n_tokens"] for line in runs[0] if line["act"] == "slider")
    add_acts(table, acts, n_tokens)


def read_processors():
    """Seconds that all processors worked, since the machine was started."""
    fields = [int(field) for field in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    idle = fields[3] + fields[4]
    return (sum(fields) - idle) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/run", description=__doc__)
    parser.add_argument("build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("parts", nargs="*", metavar="PART", help="of " + ", ".join(PARTS))
    parser.add_argument("--runs", type=int, default=3, help="of the window that types (3)")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        parser.error(f"no part is called {unknown[0]}")
    parts = arguments.parts or PARTS
    table = Table()
    start, busy = time.monotonic(), read_processors()
    if "forward" in parts:
        measure_forward(arguments.build, table)
    if "load" in parts:
        measure_load(arguments.build, table)
    if "open" in parts:
        measure_open(arguments.build, table)
    if "window" in parts:
        measure_window(arguments.build, table, max(arguments.runs, 1))
    seconds = time.monotonic() - start
    mine = os.times()
    others = read_processors() - busy - sum(mine[:4])
    table.print()
    print("\ncpu: of the main thread for what is on it, of all threads together else")
    print(f"{seconds:.0f} s; other programs took {max(others, 0) / seconds:.2f} of "
          f"{os.cpu_count()} processors")


main()
