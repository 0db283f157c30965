"""The account of the liquid holds, or the run ends: every solver and model, with moving solids, sources, sinks and open sides.

    python3 tests/volume_account.py build/dew [--scenes N] [--first SEED] [--solver NAME] [--keep FOLDER]

Named cases are those that were off once. Then scenes by seed: small tanks in which liquid is poured over solids and the
domain's edge, sources lie in solids, in liquid, in sinks or half outside, solids come in, turn and leave over open
sides, and wind blows. Of each run: exit code 0 and |volume_error| in every row within the solver's allowance
(docs/manual/run_directory.md), or exit code 1 with a sentence on the account: never a wrong volume in silence. Without
--scenes: a few seeds of each solver, for CTest.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

ALLOWED = {"surface": (1e-6, 1e-6), "volume": (1e-2, 1e-2), "apic": (1e-2, 1e-2), "shallow": (1e-9, 1e-9),
           "finite-difference": (1, 1e-9), "splash": (0.02, 0.02)}
SOLVERS = ("surface", "volume", "apic", "shallow", "splash")
LIMIT_S = 120  # of CPU, for one run
BROKEN = "the liquid has no room"  # of the sentence that ends such a run


# ---- cases that were off -------------------------------------------------------------------------

def tank(solver, name, cells, **more):
    """A cube of 1 m, half full."""
    made = {"dew": 1, "title": name, "solver": solver, "dimensions": 3, "duration": 1, "frame_rate": 10,
            "domain": {"min": [0, 0, 0], "max": [1, 1, 1], "cell": 1 / cells, "walls": {"others": "m"}},
            "gravity": [0, -9.81, 0], "liquid": "water", "materials": {"m": {"angle": 1.2, "slip": "inf m"}},
            "drops": [{"shape": "box", "min": [0, 0, 0], "max": [1, 0.5, 1]}], "output": {"surface": "none"}}
    made.update(more)
    return made


def plunging(name, **shape):
    return dict({"name": name, "material": "m"}, **shape)


def named():
    """(scene, the largest |volume_error| that it may have)."""
    pillar = {"shape": "cylinder", "from": [0.5, 0.3, 0.5], "to": [0.5, 0.7, 0.5], "radius": 0.1, "velocity": [0, -0.5, 0]}
    log = {"shape": "cylinder", "from": [0.2, 0.35, 0.5], "to": [0.5, 0.35, 0.5], "radius": 0.1, "velocity": [0, -1, 0]}
    ball = {"shape": "sphere", "center": [0.5, 0.55, 0.5], "radius": 0.15, "velocity": [0, -0.5, 0]}
    # Markers are whole, and reseeding differs by 0.4 % of them and one marker: MOST_CHANGE of reseed.c, once before and once
    # after a step.
    yield tank("splash", "pillar through the floor", 16, solids=[plunging("s", **pillar)]), 0.008
    yield tank("splash", "ball through the floor", 16, solids=[plunging("s", **ball)]), 0.008
    yield tank("splash", "log through the floor", 16, dimensions=2, solids=[plunging("s", **log)]), 0.008 + 4 / 452
    yield tank("splash", "jet through a wall", 8, sources=[{"shape": "disk", "center": [0.9, 0.5, 0.5], "normal": [0.7, 0, 0.7],
                                                          "radius": 0.6, "speed": 8}],
               domain={"min": [0, 0, 0], "max": [1, 1, 1], "cell": 0.125, "walls": {"ceiling": "open", "others": "m"}}), 0.008
    yield tank("volume", "nozzle in a corner", 15, duration=6e-3, frame_rate=1e3,
               domain={"min": [0, 0, 0], "max": [4.9e-3] * 3, "cell": 4.9e-3 / 15, "walls": {"others": "m"}},
               materials={"m": {"angle": 1.2}}, drops=[{"shape": "sphere", "center": [4.4e-3, 1.1e-3, 2.5e-3], "radius": 1.2e-3}],
               sources=[{"shape": "disk", "center": [0, 3.5e-4, 2.5e-5], "normal": [0.735, 0.674, 0.078], "radius": 1.13e-3,
                         "speed": 0.16}]), 0.01
    flat = {"dimensions": 2, "duration": 0.5}
    yield tank("shallow", "dry ground that pushes", 8, **flat, shallow={"model": "finite-difference", "shore": "paper"},
               wind=[8, 0, -8], solids=[plunging("s", shape="sphere", center=[0.2, 0.2, 0.3], radius=0.45)]), 1
    yield tank("shallow", "over open sides", 16, **flat, shallow={"model": "finite-difference"},
               domain={"min": [0, 0, 0], "max": [1, 1, 1], "cell": 1 / 16, "walls": {"floor": "m"}}), 0.2


# ---- scenes by seed ------------------------------------------------------------------------------

def direction(rng):
    z, phi = rng.uniform(-1, 1), rng.uniform(0, 2 * math.pi)
    r = math.sqrt(1 - z * z)
    return [r * math.cos(phi), z, r * math.sin(phi)]


def scaled(factor, vector):
    return [factor * x for x in vector]


def place(rng, size, beyond):
    """In the domain, or up to `beyond` of its size outside."""
    return [rng.uniform(-beyond, 1 + beyond) * size for _ in range(3)]


def motion(rng, speed, size):
    kind = rng.randrange(5)
    if kind == 0:
        return {}
    if kind == 1:
        return {"angular_velocity": scaled(4 * speed / size, direction(rng))}
    if kind == 2:
        way = direction(rng)
        return {"keyframes": [{"time": 0.25 * k * size / speed, "translate": scaled(rng.uniform(-0.5, 0.5) * size, way)}
                              for k in range(8)]}
    return {"velocity": scaled(speed * rng.uniform(0.2, 1.5), direction(rng))}


def solid(rng, size, speed, index):
    at, r = place(rng, size, 0.2), rng.uniform(0.08, 0.25) * size
    shape = rng.choice([{"shape": "sphere", "center": at, "radius": r},
                        {"shape": "box", "center": at, "size": [r * rng.uniform(0.7, 2) for _ in range(3)],
                         "rotate": {"axis": direction(rng), "angle": rng.uniform(0, 3)}},
                        {"shape": "cylinder", "from": at, "to": [a + 2 * r * d for a, d in zip(at, direction(rng))],
                         "radius": 0.6 * r}])
    return dict(shape, name=f"s{index}", material=rng.choice("mn"), **motion(rng, speed, size))


def source(rng, size, speed, duration):
    at = place(rng, size, 0.15)
    kind = rng.choice(["disk", "disk", "drip", "rain"])
    if kind == "disk":
        return {"shape": kind, "center": at, "normal": direction(rng), "radius": rng.uniform(0.16, 0.3) * size,
                "speed": speed * rng.uniform(0.1, 1), "stop": rng.choice(["inf s", 0.6 * duration])}
    if kind == "drip":
        return {"shape": kind, "at": at, "radius": rng.uniform(0.05, 0.15) * size, "every": duration / 4}
    return {"shape": kind, "min": [a - 0.3 * size for a in at], "max": [a + 0.3 * size for a in at], "rate": 6 / duration,
            "radius": [0.04 * size, 0.1 * size]}


def scene(seed, solver):
    rng = random.Random(f"{solver} {seed}")
    is_small = solver in ("surface", "volume", "apic")
    size = rng.uniform(0.004, 0.02) if is_small else rng.choice([0.01, 1, 1])
    cells = rng.randrange(10, 16) if solver != "shallow" else rng.randrange(8, 32)
    speed = math.sqrt(9.81 * size)
    duration = (0.3 if is_small else 2) * size / speed
    dimensions = rng.choice({"shallow": [1, 2, 2], "splash": [2, 3, 3]}.get(solver, [3]))
    drops = [{"shape": "sphere", "center": place(rng, size, 0.1), "radius": rng.uniform(0.1, 0.3) * size}
             for _ in range(rng.randrange(1, 4))]
    if not is_small:
        drops.append({"shape": "box", "min": [-0.1 * size] * 3,
                      "max": [1.1 * size, rng.uniform(0.1, 0.5) * size, 1.1 * size]})
    made = {"dew": 1, "title": f"account {seed}", "solver": solver, "seed": seed + 1, "dimensions": dimensions,
            "duration": duration, "frame_rate": 4 / duration,
            "domain": {"min": [0, 0, 0], "max": [size] * 3, "cell": size / cells,
                       "walls": rng.choice([{"others": "m"}, {"ceiling": "open", "others": "n"}, {"floor": "m"}, {}])},
            "gravity": [0, -9.81, 0], "liquid": rng.choice(["water", "glycerol"]),
            "materials": {"m": {"angle": 1.2, "slip": "inf m"}, "n": {"advancing": 1.0, "receding": 0.5}},
            "solids": [solid(rng, size, speed, i) for i in range(rng.randrange(3))], "drops": drops,
            "sources": [source(rng, size, speed, duration) for _ in range(rng.randrange(3))],
            "output": {"surface": "none"}}
    if is_small:
        made["materials"]["m"].pop("slip")
    if rng.random() < 0.4:
        low = place(rng, size, 0.2)
        made["sinks"] = [{"shape": "box", "min": low, "max": [a + 0.4 * size for a in low]}]
    if rng.random() < 0.3 and solver != "splash":  # whose liquid does not feel the air
        made["wind"] = scaled(rng.uniform(0, 10), direction(rng))
    if solver == "shallow":
        made["shallow"] = {"model": rng.choice(["level-set", "finite-volume", "finite-volume-semi-lagrangian",
                                                "finite-difference"]),
                           "shore": rng.choice(["balanced", "paper"])}
        if made["shallow"]["shore"] == "paper":
            made["shallow"]["tension"] = "off"  # surface tension has a step of its own
    return made


# ---- a run ---------------------------------------------------------------------------------------

def check(dew, made, folder, most=math.inf):
    """(worst error, what is wrong or '', the sentence on exit)."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scene.yaml").write_text(json.dumps(made, indent=1))
    run = folder / "run"
    done = subprocess.run([dew, "run", folder / "scene.yaml", "-o", run, "--quiet", "--threads", "1"], capture_output=True,
                          text=True, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT_S, LIMIT_S + 5)))
    words = done.stderr.strip().splitlines()[-1:] or [""]
    table = run / "stats.csv"
    rows = list(csv.DictReader(table.open())) if table.exists() else []
    errors = [float(row["volume_error"]) for row in rows]
    worst = max(errors, key=abs, default=0.0)
    loss, gain = ALLOWED.get(made.get("shallow", {}).get("model"), ALLOWED[made["solver"]])
    wrong = [e for e in errors if not -min(loss, most) <= e <= min(gain, most)]
    if wrong:
        return worst, f"volume_error {wrong[0]}", words[0]
    stops = done.returncode == 1 and BROKEN in words[0] and most == math.inf
    return worst, "" if done.returncode == 0 or stops else f"exit code {done.returncode}: {words[0]}", words[0]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dew")
    parser.add_argument("--scenes", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--solver", choices=SOLVERS)
    parser.add_argument("--keep", metavar="FOLDER")
    arguments = parser.parse_args()
    dew, bad, stopped = os.path.abspath(arguments.dew), 0, 0
    count = arguments.scenes or (1 if os.environ.get("DEW_SANITIZED") else 4)
    seeds = range(arguments.first, arguments.first + count)
    jobs = [] if arguments.scenes else list(named())
    jobs += [(scene(seed, solver), math.inf) for solver in ([arguments.solver] if arguments.solver else SOLVERS)
             for seed in seeds]
    if os.environ.get("DEW_SANITIZED"):
        for made, _ in jobs:
            made["duration"] *= 0.3
    with tempfile.TemporaryDirectory(prefix="dew_account.") as scratch:
        for made, most in jobs:
            folder = pathlib.Path(arguments.keep or scratch).absolute() / made["solver"] / made["title"].replace(" ", "_")
            worst, fault, words = check(dew, made, folder, most)
            bad += bool(fault)
            stopped += BROKEN in words
            print(f"{made['solver']:8} {made['title']:26} worst {worst:9.2g}  {fault or 'ok'}"
                  f"{'; ' + words if BROKEN in words and not fault else ''}", flush=True)
    print(f"{len(jobs)} scenes, {bad} with faults, {stopped} ended by the account")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
