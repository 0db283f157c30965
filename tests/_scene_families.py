"""Scenes by family and seed: drops among small solids for `surface`, `volume` and `apic`, grounds and storms for `shallow`,
tanks and jets for `splash`.

A seed makes a scene: contact angles from 5 to 175 degrees with and without hysteresis, drops of 0.1 to 10 mm
that touch, overlap, lie in corners or astride edges, solids of every shape that are tilted, thin, moving or
acute, gravity from anywhere, sometimes wind, walls and sources. `volume` and `apic` take the same scenes on grids of about 50
cells along a side. `shallow` has scenes of its own: grounds of heightfields, balls and boxes, storms of rain, taps and wind,
sinks, open sides, each of its models. `splash` has too: tanks by the metre with jets of 0.1 to 20 m/s, and by the millimetre
with tension. Seeds are quoted in docs/theory, so these functions are left as they are: _scene_generator.py makes the rest.
"""
import json
import math
import random

GRID_SOLVERS = ("volume", "apic")
STEP_S = 1 / 30


# ---- small solids ------------------------------------------------------------------------------

def direction(rng):
    z, phi = rng.uniform(-1, 1), rng.uniform(0, 2 * math.pi)
    r = math.sqrt(1 - z * z)
    return [r * math.cos(phi), z, r * math.sin(phi)]


def shifted(point, way, along):
    return [p + way * d for p, d in zip(point, along)]


def wedge(angle):
    """Prism whose edge along z is as sharp as the angle; closed, unit size."""
    h = math.tan(angle / 2)
    ring = [(0, 0), (1, -h), (1, h)]
    points = [(x, y, z) for z in (-1, 1) for x, y in ring]
    return points, [(0, 2, 1), (3, 4, 5), (0, 1, 4), (0, 4, 3), (1, 2, 5), (1, 5, 4), (2, 0, 3), (2, 3, 5)]


def tetrahedron(_):
    points = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]
    return points, [(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)]


def torus(thickness):
    m, n = 24, 10
    points, faces = [], []
    for i in range(m):
        for j in range(n):
            u, v = 2 * math.pi * i / m, 2 * math.pi * j / n
            r = 1 + 0.5 * thickness * math.cos(v)
            points.append((r * math.cos(u), 0.5 * thickness * math.sin(v), r * math.sin(u)))
            a, b = i * n + j, i * n + (j + 1) % n
            c, d = (i + 1) % m * n + j, (i + 1) % m * n + (j + 1) % n
            faces += [(a, b, d), (a, d, c)]
    return points, faces


def write_mesh(rng, path):
    points, faces = rng.choice([wedge, wedge, tetrahedron, torus])(rng.uniform(0.2, 1.2))
    path.write_text("".join(f"v {x:.9g} {y:.9g} {z:.9g}\n" for x, y, z in points) +
                    "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))


# ---- a scene -----------------------------------------------------------------------------------

def material(rng):
    advancing = math.radians(rng.uniform(5, 175))
    if rng.random() < 0.4:
        made = {"angle": advancing}
    else:
        receding = math.radians(rng.uniform(5, math.degrees(advancing)))
        made = {"advancing": advancing, "receding": receding}
        if rng.random() < 0.3:
            made["wet_advancing"] = rng.uniform(receding, advancing)
            made["dries_after"] = rng.uniform(0.05, 2)
    if rng.random() < 0.2:
        made["slip"] = rng.choice([1e-5, 1e-3])
    if rng.random() < 0.1:
        made["friction"] = rng.uniform(0, 1)
    return made


def motion(rng, r):
    """Most solids rest; some drift, some turn, some are shaken."""
    kind = rng.random()
    if kind < 0.7:
        return {}
    if kind < 0.8:
        return {"velocity": shifted([0, 0, 0], rng.uniform(0, 2) * r, direction(rng))}
    if kind < 0.9:
        return {"angular_velocity": shifted([0, 0, 0], rng.uniform(0, 2), direction(rng))}
    way = direction(rng)
    return {"keyframes": [{"time": 0.4 * k, "translate": shifted([0, 0, 0], rng.uniform(-1, 1) * r, way)}
                          for k in range(12)]}


def rotation(rng):
    return {"axis": direction(rng), "angle": rng.uniform(0, math.pi)}


def solid(rng, r, folder, index):
    """(its keys, places of interest on it)."""
    at = shifted([0, 0, 0], rng.uniform(0, 2) * r, direction(rng))
    shape = rng.choice(["plane", "box", "box", "sphere", "cylinder", "leaf", "mesh", "tube"])
    keys = {"shape": shape, "name": f"s{index}", "material": f"m{rng.randrange(2)}"}
    size = r * math.exp(rng.uniform(math.log(0.5), math.log(6)))
    if shape == "plane":
        keys.update(point=at, normal=shifted([0, 0.5, 0], 1, direction(rng)))
        return keys, [at]
    if shape == "box":
        edges = [size * rng.choice([1, 1, rng.uniform(0.05, 1)]) for _ in range(3)]
        keys.update(center=at, size=edges)
        if rng.random() < 0.6:
            keys["rotate"] = rotation(rng)
            return keys, [at]
        half = [0.5 * e for e in edges]
        return keys, [[at[0], at[1] + half[1], at[2]], [at[0] + half[0], at[1] + half[1], at[2]],
                      [at[i] + half[i] for i in range(3)]]
    if shape == "sphere":
        keys.update(center=at, radius=0.5 * size)
        return keys, [shifted(at, 0.5 * size, direction(rng))]
    if shape in ("cylinder", "tube"):
        along = direction(rng)
        ends = {"from": shifted(at, -size, along), "to": shifted(at, size, along)}
        radius = size * rng.uniform(0.1, 0.8)
        keys.update(ends)
        keys.update({"radius": radius} if shape == "cylinder" else
                    {"inner_radius": radius * rng.uniform(0.4, 0.9), "outer_radius": radius})
        return keys, [ends["to"], shifted(ends["to"], radius, direction(rng)), at]
    if shape == "leaf":
        size = max(size, 2.5 * r)  # wide enough for its fold
        keys.update(center=at, size=[2 * size, size], fold=math.radians(rng.uniform(60, 250)),
                    tilt=math.radians(rng.uniform(-40, 40)))
        return keys, [at, shifted(at, size, [1, 0, 0]), shifted(at, 0.4 * size, direction(rng))]
    path = folder / f"mesh{index}.obj"
    write_mesh(rng, path)
    keys.update(file=path.name, scale=size, translate=at, rotate=rotation(rng))
    return keys, [at, shifted(at, size, direction(rng))]


def drop(rng, r, places):
    """One that touches, overlaps, lies in a corner or astride an edge, or falls."""
    radius = r * math.exp(rng.uniform(math.log(0.4), 0))
    radius = max(radius, 1e-4)
    place = rng.choice(places)
    center = shifted(place, radius * rng.choice([0, 0.5, 0.9, 1, 1.1, 3]), direction(rng))
    center = [min(max(c, -11.9 * r), 11.9 * r) for c in center]  # in the domain
    speed = rng.choice([0, 0, 0, 0.2, 1]) * math.sqrt(0.073 / (1000 * radius))
    keys = {"velocity": shifted([0, 0, 0], speed, direction(rng))}
    kind = rng.random()
    if kind < 0.7:
        keys.update(shape="sphere", center=center, radius=radius)
    elif kind < 0.85:
        keys.update(shape="ellipsoid", center=center, radii=[radius * rng.uniform(0.5, 1) for _ in range(3)])
    elif kind < 0.93:
        keys.update(shape="box", min=shifted(center, -0.7 * radius, [1, 1, 1]),
                    max=shifted(center, 0.7 * radius, [1, 1, 1]))
    else:
        keys.update({"shape": "cylinder", "radius": 0.5 * radius, "from": center,
                     "to": shifted(center, 3 * radius, direction(rng))})
    return keys, center


def source(rng, r, places):
    at = shifted(rng.choice(places), 3 * r, direction(rng))
    kind = rng.choice(["drip", "rain", "disk"])
    if kind == "drip":
        return {"shape": "drip", "at": at, "radius": max(0.5 * r, 1e-4), "every": 0.5}
    if kind == "rain":
        return {"shape": "rain", "min": shifted(at, -2 * r, [1, 0, 1]), "max": shifted(at, 2 * r, [1, 0, 1]),
                "rate": 4, "radius": [max(0.3 * r, 1e-4), max(0.6 * r, 1e-4)],
                "velocity": shifted([0, 0, 0], 0.2, direction(rng))}
    return {"shape": "disk", "center": at, "normal": direction(rng), "radius": 0.3 * r, "speed": r, "stop": 3}


def for_volume(made, seed, steps, r):
    """The scene with what solver `volume` takes, on a small grid, as long as so many of its steps at rest."""
    rng = random.Random(-1000 - seed)
    cell, half = r * rng.uniform(0.13, 0.2), 4 * r
    step_s = 3 * math.sqrt(1000 * cell ** 3 / (2 * math.pi * 0.073))
    slip = rng.choice([0, 0, 1e-5])
    for kind in made["materials"].values():
        kind.pop("friction", None)
        kind["slip"] = slip
    for s in made["solids"]:
        if rng.random() < 0.5:
            s.update(motion(rng, 0.05 * r / step_s))  # fast enough to be seen in that time
    for s in made.get("sources", []):
        s.update({"every": 10 * step_s} if s["shape"] == "drip" else {"rate": 0.1 / step_s} if s["shape"] == "rain" else
                 {"radius": 0.4 * r, "speed": 0.3 * cell / step_s})
    del made["surface"]
    made.update(solver="volume", duration=steps * step_s, frame_rate=5 / (steps * step_s))
    made["domain"].update(min=[-half] * 3, max=[half] * 3, cell=cell)
    made["drops"] = [d for d in made["drops"] if "center" in d] or [
        {"shape": "sphere", "center": [0, 0.5 * half, 0], "radius": 0.7 * r}]
    for d in made["drops"]:
        d["center"] = [min(max(c, -0.9 * half), 0.9 * half) for c in d["center"]]


# ---- grounds and storms for `shallow` ----------------------------------------------------------

def write_ground(rng, path, height):
    """Hills, noise or terraces; sometimes steep from point to point."""
    m, n = rng.randrange(2, 24), rng.randrange(2, 24)
    kind, phase = rng.choice(["hills", "noise", "terraces"]), rng.uniform(0, 6)
    rows = [[rng.random() if kind == "noise" else
             0.5 + 0.25 * math.sin(9 * i / n + phase) + 0.25 * math.cos(7 * k / m - phase)
             for i in range(n)] for k in range(m)]
    if kind == "terraces":
        rows = [[math.floor(4 * y) / 4 for y in row] for row in rows]
    path.write_text("".join(",".join(f"{height * y:.9g}" for y in row) + "\n" for row in rows))


def ground_solid(rng, folder, index, high):
    """high: the domain's far corner; its near one is the origin."""
    name = {"name": f"s{index}", "material": f"m{rng.randrange(2)}"}
    at = [rng.uniform(0, high[0]), rng.uniform(-0.3, 0.4) * high[1], rng.uniform(0, high[2])]
    size = rng.uniform(0.1, 0.5) * high[1]
    shape = rng.choice(["heightfield", "sphere", "box", "cylinder"])
    if shape == "heightfield":
        path = folder / f"ground{index}.csv"
        write_ground(rng, path, rng.uniform(0.05, 0.7) * high[1])
        return {"shape": shape, "file": path.name, "min": [0, 0], "max": [high[0], high[2]], **name}
    if shape == "sphere":
        return {"shape": shape, "center": at, "radius": size, **name}
    if shape == "box":
        return {"shape": shape, "center": at, "size": [size * rng.uniform(0.2, 2) for _ in range(3)],
                **({"rotate": rotation(rng)} if rng.random() < 0.5 else {}), **name}
    return {"shape": shape, "from": at, "to": shifted(at, 3 * size, direction(rng)), "radius": 0.5 * size, **name}


def storm(rng, high, cell, duration_s):
    above = 0.95 * high[1]
    sources = []
    for kind in rng.sample(["rain", "drip", "disk"], rng.randrange(4)):
        at = [rng.uniform(0, high[0]), above, rng.uniform(0, high[2])]
        way = shifted([0, 0, 0], rng.uniform(0, 3) * cell / duration_s * 20, direction(rng))
        if kind == "rain":
            sources.append({"shape": kind, "min": [0, above, 0], "max": [high[0], above, high[2]],
                            "rate": rng.uniform(5, 60) / duration_s, "radius": [0.5 * cell, 2 * cell], "velocity": way})
        elif kind == "drip":
            sources.append({"shape": kind, "at": at, "radius": 3 * cell, "every": duration_s / 9, "velocity": way})
        else:
            sources.append({"shape": kind, "center": at, "normal": direction(rng), "radius": rng.uniform(0.3, 3) * cell,
                            "speed": rng.uniform(1, 30) * cell / duration_s, "stop": 0.7 * duration_s})
    return sources


def shallow_scene(seed, steps, folder):
    """A ground and a storm over it, as long as so many steps of waves on water a third of the domain deep."""
    rng = random.Random(seed)
    dimensions = rng.choice([1, 2, 2, 2])
    cell = math.exp(rng.uniform(math.log(3e-4), math.log(1)))
    counts = [rng.randrange(3, 64), rng.randrange(6, 30), rng.randrange(3, 64) if dimensions == 2 else 1]
    high = [cell * n for n in counts]
    gravity = rng.choice([1, 9.81, 9.81, 9.81])
    duration_s = 0.5 * steps * cell / math.sqrt(gravity * high[1] / 3)
    angles = sorted(math.radians(rng.uniform(10, 65)) for _ in range(2))
    pieces = []
    for _ in range(rng.randrange(1, 4)):
        low = [rng.uniform(-0.1, 0.8) * h for h in high]
        pieces.append(rng.choice([
            {"shape": "box", "min": low, "max": [a + rng.uniform(0.2, 1) * h for a, h in zip(low, high)]},
            {"shape": "sphere", "center": [rng.uniform(0, 1) * h for h in high], "radius": rng.uniform(0.2, 0.6) * high[1]},
        ]))
    pieces.append({"shape": "box", "min": [0, 0, 0], "max": [high[0], rng.uniform(0.02, 0.6) * high[1], high[2]]})
    made = {
        "dew": 1, "title": f"random storm {seed}", "solver": "shallow", "seed": seed + 1, "dimensions": dimensions,
        "duration": duration_s, "frame_rate": 5 / duration_s,
        "domain": {"min": [0, 0, 0], "max": high, "cell": cell,
                   "walls": rng.choice([{"others": "m0"}, {"others": "m1"}, {"floor": "m0"}, {"floor": "m1", "left": "m0"}])},
        "gravity": [0, -gravity, 0], "liquid": rng.choice(["water", "water", "glycerol", "ethanol"]),
        "materials": {"m0": {"angle": angles[0], "slip": rng.choice([0, 1e-3, "inf m"])},
                      "m1": {"advancing": angles[1], "receding": angles[0]}},
        "solids": [ground_solid(rng, folder, i, high) for i in range(rng.randrange(4))],
        "drops": pieces,
        "sources": storm(rng, high, cell, duration_s),
        "shallow": {"model": rng.choice(["level-set", "level-set", "level-set", "finite-volume",
                                         "finite-volume-semi-lagrangian", "finite-difference"]),
                    "advection": rng.choice(["upwind", "semi-lagrangian"]), "shore": rng.choice(["balanced"] * 3 + ["paper"]),
                    "drag": rng.choice([0, 0, 0.003, 0.3])},
    }
    if made["shallow"]["model"] != "level-set":
        del made["shallow"]["advection"]  # of that model
    elif made["shallow"] != {"model": "level-set", "advection": "upwind", "shore": "balanced", "drag": 0}:
        made["shallow"]["tension"] = "off"  # surface tension has a step of its own
    if rng.random() < 0.3:
        made["gravity"] = shifted(made["gravity"], 0.3 * gravity, direction(rng))
    if rng.random() < 0.4:
        made["wind"] = shifted([0, 0, 0], rng.uniform(0, 20), direction(rng))
    if rng.random() < 0.3:
        made["sinks"] = [{"shape": "box", "min": [0.6 * h for h in high], "max": [0.8 * h for h in high]}]
        made["sinks"][0]["min"][1] = rng.uniform(-0.1, 0.3) * high[1]
    path = folder / "scene.yaml"
    path.write_text(json.dumps(made, indent=1))
    return path, made


def splash_solid(rng, high, index):
    """A block, a ball or a pillar in the way; some move."""
    at = [rng.uniform(0.1, 0.9) * h for h in high]
    size = rng.uniform(0.05, 0.3) * min(high)
    keys = rng.choice([
        {"shape": "box", "center": at, "size": [size * rng.uniform(0.3, 2) for _ in range(3)], "rotate": rotation(rng)},
        {"shape": "sphere", "center": at, "radius": size},
        {"shape": "cylinder", "from": at, "to": shifted(at, 2 * size, direction(rng)), "radius": 0.5 * size},
        {"shape": "plane", "point": [at[0], 0.1 * high[1], at[2]], "normal": shifted([0, 2, 0], 1, direction(rng))},
    ])
    keys.update(name=f"s{index}", material=f"m{rng.randrange(2)}")
    if rng.random() < 0.25 and keys["shape"] != "plane":
        keys["velocity"] = shifted([0, 0, 0], rng.uniform(0, 1) * high[0], direction(rng))
    return keys


def splash_scene(seed, steps, folder):
    """A tank by the metre, or with tension by the millimetre; jets of 0.1 to 20 m/s (by the metre) into and over anything."""
    rng = random.Random(seed)
    dimensions, is_tense = rng.choice([2, 3, 3]), rng.random() < 0.3
    size = math.exp(rng.uniform(math.log(2e-3), math.log(1e-2)) if is_tense else rng.uniform(math.log(0.3), math.log(3)))
    cell = size / rng.randrange(8, 20)
    high = [cell * rng.randrange(6, 24) for _ in range(3)]
    fall_m_s = math.sqrt(2 * 9.81 * high[1])
    duration_s = steps * 0.5 * cell / (fall_m_s + (0.5 if is_tense else 0))
    fastest = 1.5 if is_tense else 20
    pieces = [{"shape": "box", "min": [0, 0, 0], "max": [high[0], rng.uniform(0, 0.6) * high[1], high[2]]}]
    for _ in range(rng.randrange(3)):
        low = [rng.uniform(-0.1, 0.8) * h for h in high]
        pieces.append(rng.choice([
            {"shape": "box", "min": low, "max": [a + rng.uniform(0.1, 0.6) * h for a, h in zip(low, high)]},
            {"shape": "sphere", "center": [rng.uniform(0, 1) * h for h in high], "radius": rng.uniform(0.05, 0.3) * min(high),
             "velocity": shifted([0, 0, 0], rng.uniform(0, fall_m_s), direction(rng))}]))
    made = {
        "dew": 1, "title": f"random splash {seed}", "solver": "splash", "seed": seed + 1, "dimensions": dimensions,
        "duration": duration_s, "frame_rate": 5 / duration_s,
        "domain": {"min": [0, 0, 0], "max": high, "cell": cell,
                   "walls": rng.choice([{"others": "m0"}, {"ceiling": "open", "others": "m1"}, {"floor": "m0", "left": "m1"}, {}])},
        "gravity": [0, -9.81, 0], "liquid": rng.choice(["water", "water", "glycerol", "mercury"]),
        "materials": {"m0": dict(material(rng), slip=rng.choice([0, 1e-2, "inf m"])), "m1": {"angle": 1, "slip": "inf m"}},
        "solids": [splash_solid(rng, high, i) for i in range(rng.randrange(3))], "drops": pieces, "sources": [],
        "splash": {"tension": is_tense, "pressure": rng.choice(["multigrid"] * 3 + ["sor"]),
                   "reseed_every": rng.choice([2, 2, 2, 1, 5]), "markers_per_axis": rng.choice([2, 2, 3])},
    }
    for m in made["materials"].values():
        m.pop("friction", None)
    if rng.random() < 0.6:
        made["sources"].append({"shape": "disk", "center": [rng.uniform(0.2, 0.8) * h for h in high], "normal": direction(rng),
                                "radius": rng.uniform(1.6 if is_tense else 0.3, 4) * cell, "stop": rng.choice(["inf s", 0.5 * duration_s]),
                                "speed": math.exp(rng.uniform(math.log(0.1), math.log(fastest)))})
    if rng.random() < 0.3:
        made["sources"].append({"shape": "drip", "at": [rng.uniform(0.2, 0.8) * h for h in high],
                                "radius": rng.uniform(0.3, 3) * cell, "every": duration_s / 5})
    if rng.random() < 0.3:
        made["gravity"] = shifted([0, -5, 0], 9.81, direction(rng))
    if rng.random() < 0.3:
        low = [rng.uniform(0, 0.7) * h for h in high]
        made["sinks"] = [{"shape": "box", "min": low, "max": [a + 0.2 * h for a, h in zip(low, high)]}]
    path = folder / "scene.yaml"
    path.write_text(json.dumps(made, indent=1))
    return path, made


def scene(seed, steps, folder, solver):
    """The scene of a seed, its meshes written beside it.

    One half runs in real time, steps of 1/30 s; the other half resolves its motion, in steps of a twentieth to
    three periods of its drops, which the solver divides as it needs.
    """
    if solver == "shallow":
        return shallow_scene(seed, steps, folder)
    if solver == "splash":
        return splash_scene(seed, steps, folder)
    rng = random.Random(seed)
    r = math.exp(rng.uniform(math.log(1e-4), math.log(1e-2)))
    pace = random.Random(-1 - seed)
    is_real_time = pace.random() < 0.5
    period_s = 2 * math.pi * math.sqrt(1000 * r ** 3 / (8 * 0.073))  # of the drops' lowest mode
    step_s = STEP_S if is_real_time else min(STEP_S, period_s * math.exp(pace.uniform(math.log(0.05), math.log(3))))
    made = [solid(rng, r, folder, i) for i in range(rng.choice([1, 1, 2, 2, 3]))]
    solids, places = [m[0] for m in made], [p for m in made for p in m[1]]
    movers = [s for s in solids if rng.random() < 0.5]
    for mover in movers:
        mover.update(motion(rng, r))
    half = 12 * r
    if rng.random() < 0.3:
        places.append([rng.choice([-half, 0]), -half, rng.choice([half, 0])])
    drops = []
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        keys, center = drop(rng, r, places)
        drops.append(keys)
        if rng.random() < 0.5:
            places.append(center)
    made = {
        "dew": 1, "title": f"random scene {seed}", "solver": "surface", "seed": seed + 1,
        "duration": steps * step_s, "frame_rate": 1 / step_s / (20 if step_s == STEP_S else 1),
        "domain": {"min": [-half] * 3, "max": [half] * 3, "cell": r * rng.uniform(0.12, 0.3),
                   "walls": rng.choice([{}, {"others": "m0"}, {"others": "m1"}, {"floor": "m1", "left": "m0"}])},
        "gravity": shifted([0, 0, 0], rng.choice([0, 1, 9.81, 9.81, 9.81, 20]), direction(rng)),
        "liquid": rng.choice(["water"] * 4 + ["glycerol", "ethanol", "mercury"]),
        "materials": {"m0": material(rng), "m1": material(rng)},
        "solids": solids, "drops": drops,
        "surface": {"steps_per_period": 0 if is_real_time else 24},
    }
    if rng.random() < 0.3:
        made["gravity"] = [0, -9.81, 0]
    if rng.random() < 0.15:
        made["wind"] = shifted([0, 0, 0], rng.uniform(0, 10), direction(rng))
    if rng.random() < 0.2:
        made["sources"] = [source(rng, r, places)]
    if solver in GRID_SOLVERS:
        for_volume(made, seed, steps, r)
        made["solver"] = solver
    path = folder / "scene.yaml"
    path.write_text(json.dumps(made, indent=1))
    return path, made
