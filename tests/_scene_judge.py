"""Runs a scene and says all that is wrong with what came out.

| fault | meaning |
|---|---|
| crash | a signal, a sanitizer's words, or an exit code other than 0, 1 and 2 |
| hang | more than HANG_S of CPU time beyond the plan |
| stop | exit 1: the run failed, though the scene can be run |
| refused | exit 2: valid scenes are refused by mistake |
| lines | an error of more than two lines, or a line that is printed twice |
| numbers | a number in the tables that is none |
| volume | |volume_error| above what the solver allows |
| mesh | a surface that is open, not manifold, inside out, or of another volume than the table says |
| crossing | a surface that crosses itself |
| angle | at rest on a smooth solid, beyond the material's limits |
| memory | more than the plan says |
| check | `dew check` refuses what `dew run` runs, or the scene as run |
| threads | other files on another number of threads |
| resume | other files after a stop half way |
"""
import csv
import json
import math
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
from collections import namedtuple

import _mesh
import _run_directory as rd

Fault = namedtuple("Fault", "kind words")
Result = namedtuple("Result", "faults cpu_s last")
KINDS = ("crash", "hang", "stop", "refused", "lines", "numbers", "volume", "mesh", "crossing", "angle", "memory", "check", "threads",
         "resume")

HANG_S = 60
NO_ROW = {"step": "0", "drops": "0", "elements": "0"}
# Of the volume that start, sources and sinks account for, as docs/theory has it for each solver.
ALLOWED_ERROR = {"surface": 1e-6, "volume": 1e-2, "apic": 1e-2, "shallow": 1e-9, "splash": 0.02}
GRID_SOLVERS = ("volume", "apic", "splash")
# Beyond these a run takes more than planned. A plan counts the state; the run has a copy, frames and images besides, and the program.
MEMORY_FACTOR, MEMORY_BASE = 6, 200e6
REST_ALLOWED_DEG, STEEP_DEG, STEEP_ALLOWED_DEG = 3, 135, 8  # docs/theory/volume.md: angles of drops that rest; 8 at 150
# Allowed error of a mesh's volume, and whether a piece may be hollow. `splash` draws its spray thicker than it is: only topology counts.
MESH_VOLUME = {"volume": (1e-2, True), "apic": (1e-2, True), "splash": (1e9, True)}
MESHES_JUDGED = 6     # frames of a run
SANITIZERS = ("runtime error:", "AddressSanitizer", "LeakSanitizer", "ThreadSanitizer", "MemorySanitizer")


class Process(namedtuple("Process", "code stderr cpu_s was_stopped")):
    """A finished program."""

    def is_crash(self):
        return self.code < 0 or self.code not in (0, 1, 2, 130) or any(word in self.stderr for word in SANITIZERS)


def finish(process, errors):
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    errors.seek(0)
    return Process(process.returncode, errors.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime, False)


def start(command, limit_s, errors, out=subprocess.DEVNULL):
    def limit():
        os.nice(5)
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit_s), int(limit_s) + 5))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Drivers of images leak.
    leaks = {"LSAN_OPTIONS": f"suppressions={rd.TESTS / 'leaks_of_others.txt'}:print_suppressions=0"}
    return subprocess.Popen([str(word) for word in command], stdout=out, stderr=errors, preexec_fn=limit, env={**leaks, **os.environ})


def call(command, limit_s, stop=None, after_s=0):
    """Runs a program; stop: a signal that it gets after a while."""
    with tempfile.TemporaryFile() as errors:
        process = start(command, limit_s, errors)
        if stop is not None:
            try:
                process.wait(timeout=after_s)
                errors.seek(0)
                return Process(process.returncode, errors.read().decode(errors="replace"), 0, False)
            except subprocess.TimeoutExpired:
                process.send_signal(stop)
        return finish(process, errors)


# ---- the plan ----------------------------------------------------------------------------------

BYTES = {"B": 1, "bytes": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
SECONDS = {"ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400, "days": 86400}


def plan_of(dew, scene):
    """(exit code and words of `dew check`, planned memory in bytes, planned CPU seconds or None)."""
    done = subprocess.run([dew, "check", scene], capture_output=True, text=True)
    memory = re.search(r"^memory\s+about ([\d.e+]+) (\w+)", done.stdout, re.M)
    time = re.search(r"^(?:cpu )?time\s+about ([\d.e+-]+) (\w+)", done.stdout, re.M)
    planned = float(memory[1]) * BYTES.get(memory[2], math.inf) if memory else math.inf
    seconds = float(time[1]) * SECONDS.get(time[2], 1) if time else None
    return done, planned, seconds


# ---- what a run left behind --------------------------------------------------------------------

def quantity(value):
    """The number of a value that may have a unit, up to its power of ten: for the judge only, which mostly gets SI numbers."""
    return value if isinstance(value, (int, float)) else None


def message_faults(done):
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    errors = [line for line in lines if not line.startswith("dew: warning")]
    faults = []
    if len(errors) > 2:
        faults.append(Fault("lines", f"{len(errors)} lines: {errors[0][:120]} ..."))
    twice = next((line for i, line in enumerate(lines) if line in lines[:i]), None)
    if twice:
        faults.append(Fault("lines", f"printed twice: {twice[:160]}"))
    if len(lines) - len(errors) > 8 or (done.code != 0 and len(lines) > 4):
        faults.append(Fault("lines", f"{len(lines)} lines: {lines[0][:120]} ..."))
    return faults


def table_faults(run):
    faults = []
    for name in ("stats.csv", "drops.csv"):
        words = (run / name).read_text().lower() if (run / name).exists() else ""
        for bad in ("nan", "inf"):
            if bad in words:
                faults.append(Fault("numbers", f"{name} says {bad}"))
    for path in sorted((run / "frames").glob("height.*.csv")):
        words = path.read_text()
        if "nan" in words or "inf" in words:
            faults.append(Fault("numbers", f"{path.name}: a number that is none"))
        rows = list(csv.DictReader(words.splitlines()))
        shallowest = min((float(row["depth"]) for row in rows), default=0)
        if not shallowest >= 0:
            faults.append(Fault("numbers", f"{path.name}: depth {shallowest}"))
    return faults


def stated_allowance(run, made):
    """What the run itself says that its scheme may lose, else what the solver's page says."""
    record = {}
    if (run / "run.json").exists():
        record = json.loads((run / "run.json").read_text())
    return record.get("volume_allowance", ALLOWED_ERROR[made["solver"]])


def volume_faults(run, rows, made):
    allowed = stated_allowance(run, made)
    is_lossy = made["solver"] == "shallow" and made.get("shallow", {}).get("model") == "finite-difference"
    loss = 1 if is_lossy else allowed  # as in the paper; it gains nothing
    holds = capacity(made)
    bad = [row for row in rows if not -loss <= float(row["volume_error"]) <= allowed and not float(row["volume"]) > holds]
    worst = max(bad, key=lambda row: abs(float(row["volume_error"])), default=None)
    if worst is None:
        return []
    return [Fault("volume", f"volume_error {worst['volume_error']} at t = {worst['time']} s, {worst['drops']} drops, allowed {allowed}")]


def capacity(made):
    """What the domain of `splash` holds, m^3: jets without a way out may fill it, and then something must give."""
    domain = made["domain"]
    numbers = [quantity(x) for x in domain["min"] + domain["max"]]
    if made["solver"] != "splash" or None in numbers:
        return math.inf
    return math.prod(numbers[i + 3] - numbers[i] for i in range(2 if made.get("dimensions") == 2 else 3)) * (
        quantity(domain["cell"]) or math.inf if made.get("dimensions") == 2 else 1)


def speed_faults(rows, made):
    """Storms on grounds: as fast as after a fall of ten times the domain's length, wind and sources apart, it runs against something."""
    if not made.get("title", "").startswith("random storm"):
        return []
    brought = [made.get("wind", [0])] + [s.get("velocity", [s.get("speed", 0)]) for s in made["sources"]]
    fall = sum(g * g for g in made["gravity"]) ** 0.25 * math.sqrt(20 * max(made["domain"]["max"]))
    most = fall + sum(math.hypot(*v) for v in brought)
    fast = [row for row in rows if not float(row["max_speed"] or 0) <= most]
    return [Fault("numbers", f"{fast[0]['max_speed']} m/s at t = {fast[0]['time']} s")] if fast else []


def read_surface(dew, path, scratch):
    """Any format as (positions, corners)."""
    if path.suffix != ".ply":
        target = scratch / "judged.ply"
        done = subprocess.run([dew, "convert", path, target], capture_output=True, text=True)
        if done.returncode:
            raise ValueError(f"cannot be converted: {done.stderr.strip()}")
        path = target
    return _mesh.read_ply(path)


def mesh_faults(dew, run, rows, made, scratch):
    frames = sorted(p for p in (run / "frames").glob("surface.*") if p.suffix in (".ply", ".obj", ".stl", ".vtp"))
    faults = []
    for path in frames[::max(1, -(-len(frames) // MESHES_JUDGED))]:
        try:
            xyz, corners = read_surface(dew, path, scratch)
        except (ValueError, AssertionError) as error:
            faults.append(Fault("mesh", f"{path.name}: {error}"))
            continue
        a, b, c = corners[0::3], corners[1::3], corners[2::3]
        wrong = _mesh.topology(len(xyz[0]), a, b, c)
        if wrong:
            faults.append(Fault("mesh", f"{path.name}: {wrong}"))
            continue
        row = frame_row(path, rows, made)
        if path.suffix == ".ply" and row:
            wrong = _mesh.frame_fault(path, float(row["volume"]), *MESH_VOLUME.get(made["solver"], ()))
            faults += [Fault("mesh", wrong)] if wrong else []
        if hasattr(_mesh, "crossings"):
            crossing = _mesh.crossings(xyz, corners)
            faults += [Fault("crossing", f"{path.name}: {len(crossing)} pairs of triangles cross")] if crossing else []
    return faults


def frame_row(path, rows, made):
    """The row of the table at a frame's time; none where the rate is not given as a number."""
    rate = quantity(made.get("frame_rate", 60))
    if rate is None:
        return None
    time = min(int(path.name.split(".")[1]) / rate, float(rows[-1]["time"]))
    return min(rows, key=lambda row: abs(float(row["time"]) - time))


def angle_faults(rows, made):
    """Of scenes made to come to rest: the angle along the line is within the limits."""
    if not made.get("title", "").startswith("at rest"):
        return []
    last, material = rows[-1], made["materials"]["m"]
    if not last["contact_angle_min"]:
        return [Fault("angle", "the drop has no contact line at its end")]
    low, high = (math.degrees(material[key]) for key in ("receding", "advancing"))
    # Of a drop that still drifts, on a ball nothing stops it, the mean tells; a drop asleep has all its line within the limits.
    is_still = float(last["max_speed"]) == 0
    least, most = (float(last["contact_angle_min" if is_still else "contact_angle"]),
                   float(last["contact_angle_max" if is_still else "contact_angle"]))
    allowed = [STEEP_ALLOWED_DEG if limit > STEEP_DEG else REST_ALLOWED_DEG for limit in (low, high)]
    if least >= low - allowed[0] and most <= high + allowed[1]:
        return []
    return [Fault("angle", f"{least:.1f} to {most:.1f} degrees at rest, {low:.1f} to {high:.1f} allowed, at {last['max_speed']} m/s")]


def memory_faults(run, planned, made):
    if made.get("output", {}).get("images", "none") != "none":
        return []  # a driver of images takes what it likes
    record = json.loads((run / "run.json").read_text())
    peak = record.get("peak_bytes", 0)
    if os.environ.get("DEW_SANITIZED") or peak <= MEMORY_FACTOR * planned + MEMORY_BASE:
        return []
    return [Fault("memory", f"{peak / 1e6:.0f} MB, planned {planned / 1e6:.1f} MB")]


def file_faults(dew, run, rows, made, scratch):
    if not rows:
        return [Fault("numbers", "stats.csv has no row")]
    return table_faults(run) + volume_faults(run, rows, made) + speed_faults(rows, made) + mesh_faults(dew, run, rows, made, scratch) + angle_faults(rows, made)


# ---- other ways through the same run -----------------------------------------------------------

def digest(run):
    """Of all files, without what tells the machine's time or the number of threads."""
    made = rd.digest(run)
    record = json.loads((run / "run.json").read_text())
    for key in ("threads", "wall_s", "cpu_s", "peak_bytes"):
        record.pop(key, None)
    made["run.json"] = json.dumps(record, sort_keys=True)
    return made


def thread_faults(dew, scene, run, scratch, limit_s):
    other = scratch / "threads"
    done = call([dew, "run", scene, "-o", other, "--quiet", "--threads", "3"], limit_s)
    if done.is_crash():
        return [Fault("crash", f"on three threads: exit code {done.code}: {done.stderr[-300:]}")]
    if done.code != 0:
        return [Fault("threads", f"exit code {done.code} on three threads: {done.stderr.strip()[-200:]}")]
    wrong = rd.difference(digest(other), digest(run))
    return [Fault("threads", f"on three threads: {wrong[:300]}")] if wrong else []


def resume_faults(dew, scene, run, scratch, limit_s, made, choice):
    """choice: a number in 0..1 that tells how and where the run is stopped."""
    other = scratch / "resumed"
    record = json.loads((run / "run.json").read_text())
    command = [dew, "run", scene, "-o", other, "--quiet", "--threads", "1"]
    rate, way = quantity(made.get("frame_rate", 60)), int(choice * 1000) % 3
    if way == 0 and rate is not None and record["frames"] > 2:
        frame = max(1, int(choice * record["frames"]) % (record["frames"] - 1))
        stopped = call(command + ["--until", repr(frame / rate)], limit_s)
        how = f"after --until {frame / rate!r}"
    else:
        kind = signal.SIGKILL if way == 1 else signal.SIGTERM
        stopped = call(command, limit_s, kind, choice * record["wall_s"])
        how = f"after {kind.name} at {choice:.2f} of its time"
    if stopped.code not in (0, 130, -signal.SIGKILL, -signal.SIGTERM) or any(word in stopped.stderr for word in SANITIZERS):
        return [Fault("resume", f"{how}: exit code {stopped.code}: {stopped.stderr.strip()[-200:]}")]
    resumed = call(command + ["--resume"], limit_s)
    if resumed.code != 0:
        return [Fault("resume", f"{how}, resuming: exit code {resumed.code}: {resumed.stderr.strip()[-200:]}")]
    wrong = rd.difference(digest(other), digest(run))
    return [Fault("resume", f"{how}: {wrong[:300]}")] if wrong else []


# ---- a scene -----------------------------------------------------------------------------------

def exit_faults(done, limit_s):
    last = done.stderr.strip()[-300:]
    if done.code in (-signal.SIGXCPU, -signal.SIGKILL) and done.cpu_s >= limit_s - 1:
        return [Fault("hang", f"more than {limit_s:.0f} s of CPU time")]
    if done.is_crash():
        return [Fault("crash", f"exit code {done.code}: {last}")]
    return [Fault({1: "stop", 2: "refused", 130: "stop"}[done.code], last)] if done.code else []


def judge(dew, scene, made, folder, extras=(), choice=0.5, limit_s=None, expected=0):
    """Runs the scene in the folder. extras: of "threads" and "resume", which run it again."""
    folder = pathlib.Path(folder)
    checked, planned, planned_s = plan_of(dew, scene)
    limit_s = limit_s or HANG_S + (planned_s or 0)
    if os.environ.get("DEW_SANITIZED"):
        limit_s *= 10
    run = folder / "run"
    shutil.rmtree(run, ignore_errors=True)
    done = call([dew, "run", scene, "-o", run, "--quiet", "--threads", "1"], limit_s)
    if expected and done.code == expected:
        return Result(message_faults(done), done.cpu_s, NO_ROW)
    faults = exit_faults(done, limit_s) + message_faults(done)
    if expected:
        faults.append(Fault("stop", f"exit code {done.code} instead of {expected}"))
    if checked.returncode and done.code == 0:
        faults.append(Fault("check", f"refuses what runs: {checked.stderr.strip()[-200:]}"))
    last = NO_ROW
    if (run / "stats.csv").exists():
        rows = list(csv.DictReader((run / "stats.csv").open()))
        last = rows[-1] if rows else NO_ROW
        if done.code == 0:
            faults += file_faults(dew, run, rows, made, folder) + memory_faults(run, planned, made)
    if done.code == 0 and not faults:
        again = subprocess.run([dew, "check", run / "scene.yaml"], capture_output=True, text=True)
        faults += [Fault("check", f"the scene as run: {again.stderr.strip()[-200:]}")] if again.returncode else []
        if "threads" in extras:
            faults += thread_faults(dew, scene, run, folder, limit_s)
        if "resume" in extras:
            faults += resume_faults(dew, scene, run, folder, limit_s, made, choice)
    return Result(faults, done.cpu_s, last)
