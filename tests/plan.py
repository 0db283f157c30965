"""What `dew check` says holds: elements, steps, memory and time of small scenes of every solver; and it warns where it should.

    python3 tests/plan.py build/dew

Each scene is planned and run. Elements: within 20 % of what the run has in its first ten steps (the solver itself pours the
liquid to count them; later it may spread), or with sources at most. Steps: within a factor
of three. The plan takes liquid that falls to keep its speed and to have it along every axis where it turns within a cell,
so that a step is too short by up to the number of axes, 3, where it does not turn or comes to rest; liquid that jets, or
that tension drives, is faster than it fell, by up to as much. Memory: the peak is no more than 1.5 times the plan. CPU
time: within a factor of three, of what takes at least 0.3 s, without sanitizers.
"""
import csv
import itertools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

DEW = pathlib.Path(sys.argv[1]).resolve()
SANITIZED = bool(os.environ.get("DEW_SANITIZED"))  # they take memory and time of their own

BOX = "domain: {min: [-4 mm, 0 mm, -4 mm], max: [4 mm, 8 mm, 4 mm], cell: %s, walls: {floor: glass, others: glass}}\n"
GLASS = "materials: {glass: {angle: 70 deg}}\n"
BALL = "drops: [{shape: sphere, center: [0.1 mm, 4 mm, 0.2 mm], radius: 1.5 mm, velocity: [0, -0.5, 0]}]\n"
DOME = "drops: [{shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 6 mm^3, angle: 60 deg}]\n"
TANK = "domain: {min: [0, 0, 0], max: [1, 1, 1], cell: 5 cm, walls: {others: glass}}\n" + GLASS
THICK = "liquid: {density: 1000 kg/m^3, viscosity: 1000 Pa s, surface_tension: 0 mN/m}\n"
DAM = "drops: [{shape: box, min: [0, 0, 0], max: [0.5, 0.6, 1]}]\n"

SCENES = {
    "volume falls": "solver: volume\nduration: 12 ms\nframe_rate: 500 Hz\n" + BOX % "0.25 mm" + GLASS + BALL,
    "volume rests": "solver: volume\nduration: 10 ms\nframe_rate: 200 Hz\n" + BOX % "0.2 mm" + GLASS + DOME,
    "volume in two dimensions":
        "solver: volume\ndimensions: 2\nduration: 20 ms\nframe_rate: 100 Hz\n" + BOX % "0.1 mm" + GLASS + BALL,
    "apic falls": "solver: apic\nduration: 12 ms\nframe_rate: 500 Hz\n" + BOX % "0.25 mm" + GLASS + BALL,
    "apic without tension": "solver: apic\nduration: 0.1 s\nframe_rate: 50 Hz\nliquid: {surface_tension: 0 mN/m}\n" + TANK + DAM,
    "splash": "solver: splash\nduration: 1 s\nframe_rate: 30 Hz\n" + TANK + DAM,
    "splash thick": "solver: splash\nduration: 0.2 s\nframe_rate: 30 Hz\n" + THICK + TANK + DAM,
    "shallow": "solver: shallow\ndimensions: 2\nduration: 0.3 s\nframe_rate: 30 Hz\n"
               "domain: {min: [0, 0, 0], max: [1, 1, 1], cell: 1 cm, walls: {others: glass}}\n" + GLASS +
               "drops: [{shape: box, min: [-1, -2, -1], max: [0.4, 0.2, 2]}]\n",
    "shallow drops": "solver: shallow\ndimensions: 2\nduration: 20 ms\nframe_rate: 50 Hz\nshallow: {tension: on}\n" +
                     BOX % "0.1 mm" + GLASS + DOME,
    "surface": "solver: surface\nduration: 0.1 s\nframe_rate: 500 Hz\n" + BOX % "0.2 mm" + GLASS +
               "drops: [{shape: sphere, center: [0, 1.6 mm, 0], radius: 1.5 mm}]\n",
    "surface at a tap":
        "solver: surface\nduration: 0.1 s\nframe_rate: 100 Hz\n" + BOX % "0.3 mm" + GLASS +
        "sources: [{shape: drip, at: [0, 6 mm, 0], radius: 1 mm, every: 25 ms}]\n",
}

faults = []


def dew(*arguments, **options):
    return subprocess.run([DEW, *arguments], capture_output=True, text=True, timeout=300, **options)


def seconds(text):
    number, unit = re.search(r"\ntime +about ([\d.e+-]+) (\w+) on one core", text).groups()
    return float(number) * {"s": 1, "min": 60, "h": 3600, "days": 86400}[unit]


def figure(pattern, text):
    return float(re.search(pattern, text).group(1))


def size(text):
    number, unit = re.search(r"\nmemory +about ([\d.]+) (\w+) of", text).groups()
    return float(number) * {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]


def plan_of(name, path):
    done = dew("check", path)
    if done.returncode != 0 or done.stderr:
        faults.append(f"{name}: check: exit {done.returncode}, {done.stderr.strip()}")
    return done.stdout if done.returncode == 0 else None


def expect(what, planned, had, low, high):
    print(f"  {what}: planned {planned:.4g}, had {had:.4g}, ratio {planned / had if had else float('inf'):.2f}")
    if not low * had <= planned <= high * had:
        faults.append(f"{what}: planned {planned:.4g}, had {had:.4g}")


def compare(name, folder):
    path, run = folder / "scene.yaml", folder / "run"
    path.write_text(SCENES[name])
    text = plan_of(name, path)
    if text is None:
        return
    done = dew("run", path, "-o", run, "--overwrite", "--quiet", "--threads", "1")
    if done.returncode != 0:
        faults.append(f"{name}: run: exit {done.returncode}, {done.stderr.strip()}")
        return
    rows = list(csv.DictReader((run / "stats.csv").open()))
    result = json.loads((run / "run.json").read_text())
    has_source = "sources" in SCENES[name]
    elements = [float(row["elements"]) for row in rows]
    elements = max(elements) if has_source else statistics.median(elements[1:11])
    expect(f"{name}: elements", figure(r"\nelements +about ([\d.e+]+)", text), elements, 0.8, 1.2)
    expect(f"{name}: steps", figure(r"\nsteps +about ([\d.e+]+)", text), int(rows[-1]["step"]), 1 / 3, 3)
    if SANITIZED:
        return
    expect(f"{name}: memory", size(text), result["peak_bytes"], 1 / 1.5, float("inf"))
    cpu = float(rows[-1]["cpu_s"])
    if cpu >= 0.3:
        expect(f"{name}: time", seconds(text), cpu, 1 / 3, 3)


# ---- warnings -----------------------------------------------------------------------------------

def two_cubes(path, offset):
    """OBJ of two cubes; corners in one place are one vertex."""
    faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
             (1, 5, 7), (1, 7, 3)]
    corners = list(itertools.product((0, 1), repeat=3))
    points = corners + [tuple(a + b for a, b in zip(c, offset)) for c in corners]
    index = {}
    ids = [index.setdefault(p, len(index)) for p in points]
    path.write_text("".join("v %g %g %g\n" % p for p in index) + "".join(
        "f %d %d %d\n" % tuple(ids[i + shift] + 1 for i in f) for shift in (0, 8) for f in faces))


def expect_warning(name, folder, scene, *words, lines=1):
    path = folder / "warned.yaml"
    path.write_text(scene)
    checked = dew("check", path)
    ran = dew("run", path, "-o", folder / "warned", "--overwrite", "--quiet", "--until", "0.01 ms")
    for command, done in (("check", checked), ("run", ran)):
        printed = [line for line in done.stderr.splitlines() if line]
        if done.returncode != 0 or len(printed) != lines or not all(any(w in t for t in printed) for w in words):
            faults.append(f"{name}: {command}: exit {done.returncode}, {done.stderr.strip() or 'silence'}")


def warnings(folder):
    solid = "solver: volume\n" + BOX % "0.25 mm" + GLASS + BALL + "solids: [%s]\n"
    for name, offset, words in (("apart", (1.5, 0, 0), None), ("crossing", (0.5, 0.25, 0.125), "pairs of triangles that intersect"),
                                ("an edge of four", (1, 1, 0), "edge with more than two triangles"),
                                ("bow tie", (1, 1, 1), "vertex where separate fans meet")):
        two_cubes(folder / "cubes.obj", offset)
        scene = solid % "{shape: mesh, file: cubes.obj, scale: 0.001, translate: [-1 mm, 0, -1 mm], material: glass}"
        expect_warning(name, folder, scene, *([words, "cubes.obj"] if words else []), lines=1 if words else 0)
        audit = dew("convert", "--audit", folder / "cubes.obj", folder / "cubes.ply")
        if words and words not in audit.stdout + audit.stderr:
            faults.append(f"{name}: convert --audit: {audit.stdout.strip()} {audit.stderr.strip()}")
    plate = "{shape: box, name: plate, center: [0, 2 mm, 0], size: [4 mm, 2 mm, 4 mm], material: glass}"
    inside = BALL.replace("]\n", ", {shape: sphere, center: [0, 2 mm, 0], radius: 0.9 mm}]\n")
    expect_warning("a drop in a plate", folder, (solid % plate).replace(BALL, inside), "warned.yaml:", "inside solid plate")
    peeps = BALL.replace("]\n", ", {shape: box, min: [-1 mm, 1 mm, -1 mm], max: [1 mm, 3.1 mm, 1 mm]}]\n")
    expect_warning("a drop that peeps out", folder, (solid % plate).replace(BALL, peeps), lines=0)
    tiny = "solver: shallow\ndimensions: 2\ndomain: {min: [0, 0, 0], max: [8, 1, 8], cell: 0.4, walls: {others: glass}}\n" + GLASS + \
        "drops: [{shape: sphere, center: [4, 2 mm, 4], radius: 2 mm}, {shape: box, min: [0, 0, 0], max: [8, 1 mm, 8]}]\n"
    expect_warning("a small drop", folder, tiny, "warned.yaml:", "smaller than a cell")


def long_run(folder):
    path = folder / "long.yaml"
    path.write_text("solver: volume\nduration: 100 s\n" + BOX % "0.2 mm" + GLASS + DOME)
    done = dew("check", path)
    if done.returncode != 0 or len(done.stderr.splitlines()) != 1 or "on one core" not in done.stderr:
        faults.append(f"a long run: exit {done.returncode}, {done.stderr.strip() or 'silence'}")


def fast_solid(folder):
    """Steps are 0.8 cells of the way of a solid, too, while it moves from keyframe to keyframe: 8 m, cells of 0.2 mm."""
    path, steps = folder / "fast.yaml", []
    for keyframes in ("{time: 0}", "{time: 0}, {time: 8 ms, translate: [8, 0, 0]}"):
        path.write_text("solver: volume\nduration: 10 ms\n" + BOX % "0.2 mm" + GLASS + DOME + "solids: [{shape: sphere, center: [0, 3 mm, 0], "
                        "radius: 0.5 mm, material: glass, keyframes: [" + keyframes + "]}]\n")
        steps.append(figure(r"\nsteps +about (\S+) of", dew("check", path).stdout))
    expect("a solid of 1000 m/s: steps", steps[1], steps[0] + 8 / (0.8 * 0.2e-3), 1 / 3, 3)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for scene in SCENES:
        compare(scene, folder)
    warnings(folder)
    long_run(folder)
    fast_solid(folder)
for fault in faults:
    print("plan:", fault)
sys.exit(1 if faults else 0)
