"""Every bundled scene runs, keeps its volume, and writes sound meshes.

    python3 tests/scenes.py build/dew [NAME]... [--whole] [--keep FOLDER]

Runs the first frames of each scene, enough to see its first events (--whole: to the end, which takes
minutes). Then, in every row of stats.csv, the volume must be what the start, the sources and the sinks
account for; and in every frame the surface must be closed, manifold, oriented, right side out and as
large as the table says (_mesh.py).
"""
import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from _mesh import frame_fault

FRAMES = 3 if os.environ.get("DEW_SANITIZED") else 10
# Scenes in which what matters comes later or earlier than that.
FRAMES_OF = {"bar": 20, "drop_on_glass": 20, "lotus": 20, "window": 23} if FRAMES > 3 else {}
# The grids of solver volume in three dimensions take tenths of a second for a step; sanitized, seconds.
FRAMES_OF |= dict.fromkeys(["five_angles", "table_edge", "drop_impact", "dripping_pipe", "leaf_impact",
                           "three_panes", "capillary_tube", "wet_rabbit", "big_splash", "crown", "cube_to_sphere",
                           "dripping_tube", "drop_on_a_sphere", "settling_with_tension", "settling_without_tension"],
                           1 if FRAMES > 3 else 0.25)
FRAMES_OF["beads"] = 2 if FRAMES > 3 else 0.1  # its films have moving lines all over
FRAMES_OF["wet_rabbit"] = 0.25 if FRAMES > 3 else 0.05
# A million columns and ten thousand drops take minutes: a corner of the pane does.
SMALLER = {"rain_on_a_window": ["--set", "domain.max=[32 mm, 8 mm, 32 mm]", "--set", "drops[0].count=150"]}
FRAMES_OF["rain_on_a_window"] = 0.4
ALLOWED_ERROR = {"surface": 1e-6, "splash": 0.02}
ALLOWED_ERROR_OTHERS = 1e-3
# Of the mesh's volume, and whether liquid may have air inside: splash draws thin jets thicker than they are.
MESH_OF = {"splash": {"allowed": 0.1, "has_cavities": True}}


# The same on 64 cells, as their first lines say; for part of a frame.
FINE = ["--set", "domain.cell=3.125 cm"]
FINE_SCENES = ("pool", "falling_block", "fountain", "collapsing_column")
FINE_FRAMES = 0.5 if FRAMES > 3 else 0.1


def planned(plan, line, at):
    """A word of the plan that `dew check` prints."""
    for words in (text.split() for text in plan.splitlines()):
        if words and words[0] == line:
            return words[at].rstrip(",")
    return None


def faults(run, solver):
    """All that is wrong with a run directory."""
    rate_Hz = float(re.search(r"^frame_rate: (\S+)", (run / "scene.yaml").read_text(), re.M)[1])
    rows = list(csv.DictReader((run / "stats.csv").open()))
    allowed = ALLOWED_ERROR.get(solver, ALLOWED_ERROR_OTHERS)
    wrong = [f"volume_error {row['volume_error']} at t = {row['time']} s, {row['drops']} drops"
             for row in rows if not abs(float(row["volume_error"])) <= allowed]
    times = [float(row["time"]) for row in rows]
    for path in sorted((run / "frames").glob("surface.*.ply")):
        index = int(path.name.split(".")[1])
        at = min(range(len(rows)), key=lambda i: abs(times[i] - index / rate_Hz))
        fault = frame_fault(path, float(rows[at]["volume"]), **MESH_OF.get(solver, {}))
        wrong += [fault] if fault else []
    return wrong


def run_scene(dew, name, folder, whole, settings=()):
    """(seconds, faults); None where this build has no such solver."""
    run = folder / (name + ("_fine" if settings else ""))
    plan = subprocess.run([dew, "check", name, *settings], capture_output=True, text=True, timeout=60)
    if plan.returncode != 0:
        return 0, [f"dew check: {plan.stderr.strip()}"]
    if "not in this build" in plan.stdout:
        return None
    solver, count = planned(plan.stdout, "solver", 1), int(planned(plan.stdout, "frames", 1))
    period_s = float(planned(plan.stdout, "frames", 4))
    last = count - 1 if whole else min(count - 1, FINE_FRAMES if settings else FRAMES_OF.get(name, FRAMES))
    begun = time.monotonic()
    smaller = [] if whole else SMALLER.get(name, [])
    done = subprocess.run([dew, "run", name, "-o", run, "--quiet", "--until", f"{last * period_s!r} s", *smaller, *settings],
                          capture_output=True, text=True, timeout=1800 if whole else 250)
    if not (run / "stats.csv").exists():
        return 0, [f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"]
    wrong = faults(run, solver)
    if done.returncode != 0:
        wrong.insert(0, f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    return time.monotonic() - begun, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dew")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER")
    arguments = parser.parse_args()
    arguments.dew = os.path.abspath(arguments.dew)
    names = arguments.names or subprocess.run(
        [arguments.dew, "scenes", "--names"], capture_output=True, text=True, check=True).stdout.split()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="dew_scenes.") as scratch:
        folder = pathlib.Path(arguments.keep or scratch).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        empty = pathlib.Path(scratch) / "empty"  # names of scenes must not be files of the user's
        empty.mkdir()
        os.chdir(empty)
        for name, settings in [(n, ()) for n in names] + [(n, FINE) for n in names if n in FINE_SCENES]:
            result = run_scene(arguments.dew, name, folder, arguments.whole, settings)
            name += " on 64 cells" if settings else ""
            if result is None:
                print(f"{name:32} not in this build")
                continue
            seconds, wrong = result
            bad += bool(wrong)
            print(f"{name:32} {seconds:6.1f} s  {'ok' if not wrong else wrong[0]}"
                  f"{f' (and {len(wrong) - 1} more)' if len(wrong) > 1 else ''}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
