"""Sources and events begin, end and happen at their own times, and no run stops because of them.

    python3 tests/timed_things.py build/dew [--all] [--random N] [--first SEED] [--solver NAME] [--keep FOLDER]

Cases: disks, drips, rain and condensation with start and stop, scene events, and keyframes, in every solver that takes them, at
round times (0.1 s, 0.03 s, 1/3 s, multiples of the frame and of nothing), with and without liquid at the start. Of each
run: exit code 0 and nothing on stderr; a step that ends at each of the times, to the bit where no frame lies within
rounding of it; no liquid before the start and after the stop, and in between what flows (the tolerance is what a solver keeps
back, see `kept_back_m3`); and steps that are no slivers: those between two such times or frames differ by a factor of ten at
most (steps change with the speed). Some are run again in three parts and on two threads, and end in the same state.

Without options a few of each kind, for CTest; --all takes all of them, more than 200; --random adds scenes with random times.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROUNDING = 1e-9  # times nearer than this, relative to themselves, are one: src/problem/timing.h
RESOLUTION_S = 1e-18  # near zero
SOLVERS = ("volume", "apic", "surface", "shallow", "splash")
KINDS = {"volume": ("disk", "drip", "rain", "condensation", "event", "keyframe"),
         "apic": ("disk", "drip", "rain", "condensation", "event", "keyframe"),
         "surface": ("disk", "drip", "rain", "condensation", "event", "keyframe"),
         "shallow": ("disk", "drip", "rain", "condensation", "event", "keyframe"),
         "splash": ("disk", "drip", "rain", "event", "keyframe")}
CELL_M = 0.75e-3
SPEED_M_S = 0.4
RADIUS_M = 2e-3
FLOW_S = 0.015  # from the start to the end of a run
STARTS_S = ("0.1", "0.03", "0.3333333333333333", "0.034", "0.0123", "1e-9", "0.007", "0.2", "0.0255", "0.7")

SCENE = """\
dew: 1
solver: {solver}
duration: {duration!r} s
frame_rate: {rate} Hz
domain: {{min: [-6 mm, 0, -6 mm], max: [6 mm, 12 mm, 6 mm], cell: 0.75 mm, walls: {{floor: glass, others: open}}}}
materials: {{glass: {{angle: 60 deg}}}}
solids:
  - {{shape: box, name: plate, center: [-4 mm, 0.5 mm, 0], size: [3 mm, 1 mm, 6 mm], material: glass{solid}}}
output: {{surface: none}}
{drops}
{timed}
"""
DROP = "drops: [{shape: sphere, center: [3.5 mm, 3 mm, 0], radius: 1.5 mm}]"


class Case:
    def __init__(self, solver, kind, start, stop, rate, has_drop):
        self.solver, self.kind, self.rate, self.has_drop = solver, kind, rate, has_drop
        self.start_text, self.stop_text = start, stop
        self.start_s = float(start)
        self.stop_s = float(stop) if stop else math.inf
        self.duration_s = self.start_s + FLOW_S
        self.is_resumed = False

    def __str__(self):
        stop = f" to {self.stop_text} s" if self.stop_text else ""
        drop = ", with a drop" if self.has_drop else ""
        return f"{self.solver}: {self.kind} from {self.start_text} s{stop} at {self.rate} Hz{drop}"

    def times(self):
        """Those at which a step has to end."""
        ends = [t for t in (self.start_s, self.stop_s) if t < self.duration_s]
        if self.kind == "drip":
            return ends[:1]  # its first drop
        return [] if self.kind == "rain" else ends  # rain: drops fall at random times

    def scene(self):
        span = f"start: {self.start_text} s" + (f", stop: {self.stop_text} s" if self.stop_text else "")
        timed = {
            "disk": f"sources: [{{shape: disk, center: [0, 9 mm, 0], normal: [0, -1, 0], radius: {RADIUS_M} m, "
                    f"speed: {SPEED_M_S} m/s, {span}}}]",
            "drip": f"sources: [{{shape: drip, at: [0, 7 mm, 0], radius: 1.5 mm, every: 0.1 s, {span}}}]",
            "rain": "sources: [{shape: rain, min: [-3 mm, 9 mm, -3 mm], max: [3 mm, 10 mm, 3 mm], rate: 1 kHz, "
                    f"radius: [1.2 mm, 1.4 mm], {span}}}]",
            "condensation": f"sources: [{{shape: condensation, on: plate, rate: 4000 mm^3/s, sites: 3, {span}}}]",
            "event": f"events:\n  - {{kind: gravity, time: {self.start_text} s, gravity: [0, -5, 0]}}\n"
                     + (f"  - {{kind: gravity, time: {self.stop_text} s, gravity: [0, -9.81, 0]}}\n"
                        if self.stop_text else ""),
            "keyframe": "",
        }[self.kind]
        solid = ""
        if self.kind == "keyframe":
            last = self.stop_text or repr(self.duration_s + 1)
            solid = (f", keyframes: [{{time: {self.start_text} s}}, {{time: {last} s, translate: [0.5 mm, 0, 0]}}]")
            if self.solver == "shallow":
                timed = "shallow: {tension: off}"
        return SCENE.format(solver=self.solver, duration=self.duration_s, rate=self.rate, solid=solid,
                            drops=DROP if self.has_drop else "", timed=timed)


# ---- one run -----------------------------------------------------------------------------------

def rows_of(folder):
    """Time and length of the steps, and what should be there by the account of what was poured, came and left."""
    rows = []
    with open(folder / "stats.csv", newline="") as file:
        for row in csv.DictReader(file):
            account_m3 = float(row["volume"]) / (1 + float(row["volume_error"]))
            rows.append({"time": float(row["time"]), "dt": float(row["dt"] or 0), "account": account_m3})
    return rows


def is_same(a, b):
    return abs(a - b) <= max(ROUNDING * abs(a), RESOLUTION_S)


def missed_time(case, rows):
    longest_s = max(row["dt"] for row in rows)
    for time_s in case.times():
        near_s = min((row["time"] for row in rows), key=lambda t: abs(t - time_s))
        is_near = is_same(time_s, near_s) and is_same(time_s, round(time_s * case.rate) / case.rate)  # a frame's
        if case.kind == "drip":
            is_near |= abs(near_s - time_s) <= longest_s / 64  # drops are poured at the nearest step within that
        if near_s != time_s and not is_near:
            return f"no step ends at {time_s!r} s; the nearest at {near_s!r} s"
    return None


def kept_back_m3(rate_m3_s, dt_s):
    """A nozzle's flow waits until it makes a plug, of two cells at most; what came in the last step may wait, too."""
    return 2 * CELL_M * math.pi * RADIUS_M ** 2 + rate_m3_s * dt_s


def wrong_volume(case, rows):
    if case.kind in ("event", "keyframe"):
        return None
    initial_m3 = rows[0]["account"] if case.has_drop else 0.0
    drop_m3 = 4 / 3 * math.pi * 1.5e-3 ** 3
    allowed_m3 = max(1e-9 * drop_m3, 1e-3 * initial_m3)  # rounding; what a drop at an open side loses and gets back
    for row in rows:  # the state of a row is that at its time: what is born then is in the next
        if row["time"] <= case.start_s * (1 + ROUNDING) and abs(row["account"] - initial_m3) > allowed_m3:
            if case.has_drop and row["account"] < initial_m3:
                continue  # it may leave through an open side
            return f"{row['account'] - initial_m3:.3g} m^3 have come by t = {row['time']!r} s, before the start"
    came_m3 = rows[-1]["account"] - initial_m3
    if case.kind == "disk":
        rate_m3_s = math.pi * RADIUS_M ** 2 * SPEED_M_S
        due_m3 = rate_m3_s * (min(case.stop_s, case.duration_s) - case.start_s)
        allowed_m3 = kept_back_m3(rate_m3_s, max(row["dt"] for row in rows if row["time"] > case.start_s))
        if abs(came_m3 - due_m3) > allowed_m3:
            return f"{came_m3:.4g} m^3 came instead of {due_m3:.4g}"
    lost_m3 = 0.2 * initial_m3  # through an open side
    allowed_m3 = 0.05 * drop_m3  # a drop of two cells is seen by the grid within that
    if case.kind == "drip" and not -lost_m3 - allowed_m3 <= came_m3 - drop_m3 <= allowed_m3:
        return f"a drop of {came_m3:.4g} m^3 came instead of {drop_m3:.4g}"
    if case.kind == "condensation" and came_m3 > 4e-6 * FLOW_S * (1 + ROUNDING):
        return f"{came_m3:.4g} m^3 condensed"
    return None


def sliver(case, rows):
    """A short step that no time asks for: it lies in one interval between frames and times of the case with others that are longer.
    A film that falls asleep goes on to the end of the interval at once, up to ten times its step."""
    frames = [n / case.rate for n in range(int(case.duration_s * case.rate) + 2)]
    ends = sorted({*frames, *case.times(), case.duration_s})
    for before_s, after_s in zip(ends, ends[1:]):
        inside = [row["dt"] for row in rows[1:] if before_s < row["time"] - 0.5 * row["dt"] < after_s]
        if case.kind not in ("rain", "drip") and inside and min(inside) < 0.05 * max(inside):
            return f"steps of {min(inside):.3g} and {max(inside):.3g} s between {before_s!r} and {after_s!r} s"
    return None


def fault_of(dew, case, folder):
    folder.mkdir()
    scene = folder / "scene.yaml"
    scene.write_text(case.scene())
    done = subprocess.run([dew, "run", str(scene), "-o", str(folder / "run"), "--quiet", "--threads", "1"],
                          capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr.strip()[:300]}"
    if done.stderr:
        return f"said {done.stderr.strip()[:300]}"
    rows = rows_of(folder / "run")
    return (missed_time(case, rows) or wrong_volume(case, rows) or sliver(case, rows)
            or (case.is_resumed and other_when_resumed(dew, case, scene, folder)))


def hash_of(folder):
    return json.loads((folder / "run.json").read_text())["state_hash"]


def other_when_resumed(dew, case, scene, folder):
    """Stopped at the frame before the start and at the one behind it, on another number of threads: the same state."""
    frame = int(case.start_s * case.rate * (1 - ROUNDING))
    stops = [t for t in (frame / case.rate, (frame + 1) / case.rate) if 0 < t < case.duration_s]
    command = [dew, "run", str(scene), "-o", str(folder / "again"), "--quiet", "--threads", "2"]
    for n, options in enumerate([*(["--until", f"{t!r} s"] for t in stops), []]):
        done = subprocess.run(command + options + (["--resume"] if n else []), capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            return f"resumed: exit code {done.returncode}: {done.stderr.strip()[:300]}"
    return None if hash_of(folder / "again") == hash_of(folder / "run") else f"resumed from {stops}: another state"


# ---- cases -------------------------------------------------------------------------------------

def all_cases():
    for solver in SOLVERS:
        for kind in KINDS[solver]:
            for n, start in enumerate(STARTS_S):
                stop = repr(float(start) + 0.005) if n % 2 else None
                rate = (100, 30, 1000 / 7)[n % 3]
                # With a drop all steps are short: where a run is long it begins dry. In `shallow` it would leave the domain.
                has_drop = kind in ("event", "keyframe") or (n % 3 == 0 and float(start) < 0.04 and solver != "shallow")
                if has_drop and float(start) > 0.04:
                    continue
                yield Case(solver, kind, start, stop, rate, has_drop)


def random_cases(count, first):
    for seed in range(first, first + count):
        rng = random.Random(seed)
        solver = rng.choice(SOLVERS)
        kind = rng.choice(KINDS[solver])
        start = rng.choice((lambda: round(rng.uniform(0, 0.03), rng.randint(2, 12)), lambda: rng.randint(1, 30) / 1000,
                            lambda: rng.uniform(0, 0.03), lambda: rng.randint(1, 9) / 300))()
        stop = repr(start + rng.uniform(1e-4, 0.01)) if rng.random() < 0.5 else None
        has_drop = kind in ("event", "keyframe") or (rng.random() < 0.3 and solver != "shallow")
        case = Case(solver, kind, repr(start), stop, rng.choice((24, 30, 60, 100, 240, 1000 / 7)), has_drop)
        case.is_resumed = rng.random() < 0.2
        yield case


def quick_cases():
    """Of each solver one of each kind; which start is tried goes round."""
    n = 3
    for solver in SOLVERS:
        for kind in KINDS[solver]:
            those = [case for case in all_cases() if case.solver == solver and case.kind == kind]
            case = those[n % len(those)]
            case.is_resumed = n % 3 == 0
            yield case
            n += 1
        yield Case(solver, "disk", "5e-324", None, 100, False)  # next to zero: too short for a step
        yield Case(solver, "event", "1e-300", "1e-17", 100, True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dew")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--solver", choices=SOLVERS)
    parser.add_argument("--keep", type=pathlib.Path)
    arguments = parser.parse_args()
    cases = list(all_cases() if arguments.all else [] if arguments.random else quick_cases())
    cases += random_cases(arguments.random, arguments.first)
    cases = [case for case in cases if arguments.solver in (None, case.solver)]
    if os.environ.get("DEW_SANITIZED"):
        cases = [case for case in cases if case.start_s < 0.04][::2]
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="dew_timed."))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(pool.map(lambda n: fault_of(arguments.dew, cases[n], scratch / str(n)), range(len(cases))))
    wrong = [n for n, fault in enumerate(faults) if fault]
    for n in wrong:
        print(f"{cases[n]}: {faults[n]}")
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(scratch / str(n) / "scene.yaml", arguments.keep / f"timed_{n}.yaml")
    shutil.rmtree(scratch, ignore_errors=True)
    stops = sum(bool(re.match("exit code", faults[n])) for n in wrong)
    print(f"{len(cases)} timed sources and events: {stops} stops, {len(wrong) - stops} other faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
