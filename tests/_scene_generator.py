"""Makes valid scenes over all keys and solvers: a seed makes a scene, its files are written beside it.

The stage is a domain of L x H x W with its floor at y = 0. Solids stand in its lower part, drops fall or lie above them, caps
and scattered drops lie on solids, sources are near the top. Everything is small: a run takes about a second.
tests/every_key.py sees to it that each key and choice of the schema comes up with each solver that takes it.
"""
import decimal
import json
import math
import random

import _scene_files as files
from _scene_families import direction, shifted, tetrahedron, torus, wedge
from _scene_schema import manual_tables_once

SHARES = (("surface", 26), ("volume", 20), ("apic", 14), ("shallow", 19), ("splash", 21))
LIQUIDS = {"water": (998.2, 1.002e-3, 0.0728), "glycerol": (1261, 1.412, 0.0634), "ethanol": (789.3, 1.2e-3, 0.0223),
           "mercury": (13546, 1.554e-3, 0.486), "blood": (1060, 4e-3, 0.056), "milk": (1030, 2e-3, 0.047)}
GRID_SOLVERS = ("volume", "apic")
FEED_SOLVERS = ("surface",)  # the others say that they cannot
NO_WETMAP = ("shallow",)
STANDS = {"plane", "box", "sphere"}  # shapes on which a cap is easily put

# Unit, and by which power of ten it is smaller than the SI unit.
UNITS = {"length": (("mm", 3), ("cm", 2), ("um", 6), ("m", 0), ("km", -3)), "time": (("ms", 3), ("us", 6), ("s", 0)),
         "frequency": (("Hz", 0), ("1/s", 0), ("kHz", -3)), "speed": (("m/s", 0), ("mm/s", 3), ("cm/s", 2)),
         "angle": (("rad", 0), ("mrad", 3)), "angular speed": (("rad/s", 0), ("mrad/s", 3)),
         "acceleration": (("m/s^2", 0), ("mm/s^2", 3)), "volume": (("mm^3", 9), ("ul", 9), ("ml", 6)),
         "volume rate": (("mm^3/s", 9), ("ml/s", 6), ("m^3/s", 0)), "density": (("kg/m^3", 0), ("g/cm^3", -3)),
         "viscosity": (("mPa s", 3), ("Pa s", 0), ("P", 1)), "surface tension": (("mN/m", 3), ("N/m", 0), ("dyn/cm", 3))}


class Stage:
    """What the parts of a scene must know of one another."""

    def __init__(self, rng, solver, folder):
        self.rng, self.solver, self.folder = rng, solver, folder
        self.dimensions = 3
        self.cell = self.step_s = self.duration_s = self.frame_s = 0.0
        self.low, self.high = [0.0] * 3, [0.0] * 3
        self.materials, self.solids = {}, []
        self.g = 9.81
        self.file_count = 0

    def chance(self, p):
        return self.rng.random() < p

    def span(self, axis):
        return self.high[axis] - self.low[axis]

    def size(self):
        """Of the smallest side that liquid can see."""
        return min(self.span(i) for i in range(3) if i != 2 or not self.is_flat())

    def is_flat(self):
        return self.dimensions == 1 or (self.dimensions == 2 and self.solver != "shallow")

    def at(self, low, high):
        """A point between these heights, as fractions of the domain's."""
        z = 0.0 if self.is_flat() else self.low[2] + self.rng.uniform(0.2, 0.8) * self.span(2)
        return [self.low[0] + self.rng.uniform(0.2, 0.8) * self.span(0), self.low[1] + self.rng.uniform(low, high) * self.span(1), z]

    def way(self):
        d = direction(self.rng)
        if self.is_flat():
            d[2] = 0.0
        return d

    def file(self, ending):
        self.file_count += 1
        return self.folder / f"file{self.file_count}.{ending}"

    def material(self):
        return self.rng.choice(sorted(self.materials))

    def time(self, most=1.2):
        """Round, at a frame, beside one, or anywhere."""
        kind, t = self.rng.random(), self.rng.uniform(0, most) * self.duration_s
        if kind < 0.3:
            return round(t / self.frame_s) * self.frame_s
        if kind < 0.6:
            return float(f"{t:.1g}")
        if kind < 0.7:
            return max(0.0, math.nextafter(round(t / self.frame_s) * self.frame_s, 0))
        return t


# ---- the stage ---------------------------------------------------------------------------------

def capillary_step(cell, liquid):
    density, _, tension = liquid
    return math.sqrt(density * cell ** 3 / (2 * math.pi * max(tension, 1e-3)))


def liquid_of(stage):
    rng = stage.rng
    name = rng.choice(["water"] * 4 + sorted(LIQUIDS))
    density, viscosity, tension = LIQUIDS[name]
    if stage.chance(0.7):
        return name, LIQUIDS[name]
    made = {"preset": name} if stage.chance(0.5) else {}
    if not made:
        density, viscosity, tension = LIQUIDS["water"]
    if stage.chance(0.5):
        made["density"] = density = density * rng.uniform(0.5, 1.5)
    if stage.chance(0.5):
        made["viscosity"] = viscosity = rng.choice([0, viscosity * rng.uniform(0.3, 3)])
    if stage.chance(0.5):
        made["surface_tension"] = tension = tension * rng.uniform(0.3, 1.5)
    return made or "water", (density, viscosity, tension)


def set_stage(stage, liquid):
    """Sizes, cells and time, so that a run takes some ten steps on some ten thousand cells."""
    rng, solver = stage.rng, stage.solver
    if solver == "surface":
        r = math.exp(rng.uniform(math.log(3e-4), math.log(4e-3)))
        stage.cell = r * rng.uniform(0.2, 0.4)
        counts = [rng.uniform(8, 14) * r / stage.cell for _ in range(3)]
    elif solver in GRID_SOLVERS:
        stage.dimensions = rng.choice([2, 3, 3])
        stage.cell = math.exp(rng.uniform(math.log(5e-5), math.log(1e-3)))
        counts = [rng.randrange(14, 25) if stage.dimensions == 3 else rng.randrange(16, 44) for _ in range(3)]
    elif solver == "shallow":
        stage.dimensions = rng.choice([1, 2, 2])
        stage.cell = math.exp(rng.uniform(math.log(2e-4), math.log(0.5)))
        counts = [rng.randrange(6, 40) for _ in range(3)]
    elif solver == "splash":
        stage.dimensions = rng.choice([2, 3, 3])
        stage.cell = math.exp(rng.uniform(math.log(2e-4), math.log(1e-3)) if stage.chance(0.3) else rng.uniform(math.log(0.01), math.log(0.2)))
        counts = [rng.randrange(8, 19) for _ in range(3)]
    else:
        stage.cell = math.exp(rng.uniform(math.log(1e-4), math.log(1e-2)))
        counts = [rng.randrange(20, 60) for _ in range(3)]
    spans = [stage.cell * n for n in counts]
    stage.low, stage.high = [-0.5 * spans[0], 0.0, -0.5 * spans[2]], [0.5 * spans[0], spans[1], 0.5 * spans[2]]
    if stage.is_flat():
        thick = 0.5 * stage.cell if solver != "shallow" or stage.chance(0.7) else 0.0
        stage.low[2], stage.high[2] = -thick, thick
    fall_m_s = math.sqrt(2 * stage.g * spans[1])
    stage.step_s = 0.5 * stage.cell / (fall_m_s + 1e-9)
    if solver in GRID_SOLVERS:
        stage.step_s = min(stage.step_s, 3 * capillary_step(stage.cell, liquid))
    if solver == "surface":
        stage.step_s = 2 * math.pi * math.sqrt(liquid[0] * r ** 3 / (8 * max(liquid[2], 1e-3))) / 24
    steps = rng.randrange(4, 30) if solver in ("volume", "apic", "splash") else rng.randrange(10, 120)
    stage.duration_s = steps * stage.step_s
    if stage.chance(0.5):
        stage.duration_s = float(f"{stage.duration_s:.2g}")
    frames = rng.randrange(1, 7)
    stage.frame_s = stage.duration_s / frames
    if stage.chance(0.3):
        stage.frame_s = float(f"{stage.frame_s:.2g}")  # the last one may be cut


def material_of(stage):
    rng, made = stage.rng, {}
    low, high = (5, 175) if stage.solver != "shallow" else (8, 85)
    angles = sorted(round(rng.uniform(low, high), 2) for _ in range(3))
    if stage.chance(0.4):
        made["angle"] = math.radians(angles[2]) if stage.chance(0.5) else f"{angles[2]} deg"
    else:
        made["advancing"] = math.radians(angles[2])
        if stage.chance(0.8):
            made["receding"] = math.radians(angles[0])
            if stage.chance(0.5):
                made["wet_advancing"] = math.radians(0.5 * (angles[0] + angles[2]))
    if stage.chance(0.2):
        made["max_receding_tension"] = rng.choice([0.02, 0.05, "none", "inf"])
    if stage.chance(0.4):
        made["slip"] = rng.choice([0, 1e-6, 0.1 * stage.cell, stage.cell, "inf"])
    if stage.chance(0.3) and stage.solver in ("surface", "shallow"):
        made["friction"] = rng.uniform(0, 1)
    # splash takes these with tension only
    if stage.chance(0.4) and stage.solver != "splash":
        made["dynamic_angle"] = rng.choice(["cox-voinov", "molecular-kinetic", "none"])
        made["slip_length"] = rng.choice(["10 nm", "1 nm", 1e-7])
        made["jump_length"] = rng.choice(["0.36 nm", 1e-9])
        made["jump_frequency"] = rng.choice([8.6e9, "1000000 Hz"])
    if stage.chance(0.3):
        made["dries_after"] = rng.choice([0.0, stage.duration_s * rng.uniform(0.1, 2), "inf s"])
    return made


def walls_of(stage):
    """Sources may never fill a closed box: mostly the ceiling is open."""
    rng, kind = stage.rng, stage.rng.random()
    if kind < 0.2:
        return {}
    if kind < 0.4:
        return {"others": stage.material()}
    if kind < 0.7:
        return {"ceiling": "open", "others": stage.material()}
    sides = rng.sample(["left", "right", "floor", "back", "front", "ceiling"], rng.randrange(1, 5))
    made = {side: rng.choice([stage.material(), "open"]) for side in sides}
    if stage.chance(0.5):
        made["others"] = rng.choice(["open", stage.material()])
    return made


# ---- solids ------------------------------------------------------------------------------------

def motion_of(stage, keys):
    rng, kind = stage.rng, stage.rng.random()
    reach = 0.1 * stage.size()
    pace = reach / stage.duration_s
    if kind < 0.3:
        keys["velocity"] = shifted([0, 0, 0], rng.uniform(0, 1) * pace, stage.way())
    if 0.2 < kind < 0.5:
        keys["angular_velocity"] = [0, 0, rng.uniform(-1, 1) / stage.duration_s] if stage.is_flat() else \
            shifted([0, 0, 0], rng.uniform(0, 1) / stage.duration_s, direction(rng))
    if kind > 0.5:
        way, time, frames = stage.way(), 0.0, []
        for _ in range(rng.randrange(1, 5)):
            frames.append({"time": time})
            if stage.chance(0.8):
                frames[-1]["translate"] = shifted([0, 0, 0], rng.uniform(-1, 1) * reach, way)
            if stage.chance(0.4):
                frames[-1]["rotate"] = rotation(stage, 0.4)
            time += max(stage.duration_s * rng.uniform(0.1, 0.6), 1e-9)
        keys["keyframes"] = frames


def rotation(stage, most=math.pi):
    made = {"angle": stage.rng.uniform(-most, most)}
    if not stage.is_flat() or stage.chance(0.5):
        made["axis"] = [0, 0, 1] if stage.is_flat() else direction(stage.rng)
    return made


def height_rows(rng, rows, columns):
    phase = rng.uniform(0, 6)
    is_noise = rng.random() < 0.3
    return [[rng.random() if is_noise else 0.5 + 0.25 * math.sin(5 * i / columns + phase) + 0.25 * math.cos(4 * k / rows - phase)
             for i in range(columns)] for k in range(rows)]


def heightfield(stage, keys):
    rng, top = stage.rng, stage.rng.uniform(0.05, 0.35) * stage.span(1)
    rows = height_rows(rng, rng.randrange(2, 14), rng.randrange(2, 14))
    margin = rng.choice([0, 0, 0.5 * stage.cell])
    deep = max(stage.span(2), stage.cell)
    keys.update(min=[stage.low[0] - margin, -0.5 * deep - margin], max=[stage.high[0] + margin, 0.5 * deep + margin])
    if stage.chance(0.5):
        path = stage.file("csv")
        files.write_table(path, [[top * y for y in row] for row in rows])
    else:
        path = stage.file("png")
        files.write_png(path, rows, bits=16)
        keys["height"] = [0.0, top]
    keys["file"] = path.name


def mesh_file(stage):
    """A closed mesh of about unit size; its file."""
    rng = stage.rng
    points, faces = rng.choice([wedge, tetrahedron, torus, files.cube, lambda _: files.octahedron(2)])(rng.uniform(0.4, 1.2))
    path = stage.file(rng.choice(sorted(files.MESH_WRITERS)))
    files.MESH_WRITERS[path.suffix[1:]](path, points, faces)
    return path.name


def solid_of(stage, index):
    """One that stands in the lower part of the domain."""
    rng = stage.rng
    shape = rng.choice(["plane", "plane", "sphere", "box", "cylinder", "tube", "leaf", "mesh", "heightfield"])
    keys = {"shape": shape}
    at, size = stage.at(0.05, 0.3), rng.uniform(0.12, 0.3) * stage.size()
    if shape == "plane":
        tilt = rng.choice([0, 0, rng.uniform(-0.4, 0.4)])
        keys.update(point=[0, rng.uniform(0.02, 0.2) * stage.span(1), 0])
        if tilt or stage.chance(0.5):
            keys["normal"] = [math.sin(tilt), math.cos(tilt), 0]
    elif shape == "sphere":
        keys.update(center=at, radius=0.7 * size)
    elif shape == "box":
        keys.update(center=at, size=[size * rng.uniform(0.4, 2), size * rng.uniform(0.3, 0.9), max(size, stage.cell) * rng.uniform(1, 2)])
    elif shape in ("cylinder", "tube"):
        along = [0, 0, 1] if stage.is_flat() else stage.way()
        keys.update({"from": shifted(at, -size, along), "to": shifted(at, size, along)})
        if shape == "cylinder":
            keys["radius"] = 0.5 * size
        else:
            keys.update(outer_radius=0.6 * size, inner_radius=0.6 * size * rng.uniform(0.3, 0.7))
    elif shape == "leaf":
        length = rng.uniform(0.5, 0.8) * stage.size()
        keys.update(center=[0, 0.25 * stage.span(1), 0], size=[length, length * rng.uniform(0.6, 1)])
        if stage.chance(0.7):
            keys["fold"] = math.radians(rng.uniform(140, 220))
        if stage.chance(0.7):
            keys["tilt"] = math.radians(rng.uniform(-25, 25))
    elif shape == "mesh":
        keys.update(file=mesh_file(stage), scale=0.6 * size, translate=at)
        if stage.chance(0.5):
            keys["up"] = rng.choice(["y", "z"])
    else:
        heightfield(stage, keys)
    if shape not in ("plane", "heightfield", "leaf") and stage.chance(0.4):
        keys["rotate"] = rotation(stage)
    return dress_solid(stage, keys, index)


def dress_solid(stage, keys, index):
    rng = stage.rng
    if stage.chance(0.8):
        keys["name"] = f"s{index}" if stage.chance(0.7) else f"thing-{index}_x"
    if stage.chance(0.9):
        keys["material"] = stage.material()
    if stage.chance(0.3):
        keys["movable"] = rng.random() < 0.7
    if stage.chance(0.1):
        keys["inside_out"] = False
    if stage.chance(0.2):
        path = stage.file("png")
        files.write_png(path, height_rows(rng, rng.randrange(1, 9), rng.randrange(1, 9)), bits=rng.choice([8, 16]))
        keys.update(affinity_map=path.name, affinity_material=stage.material())
    if stage.chance(0.3) and keys["shape"] != "heightfield":
        motion_of(stage, keys)
    return keys


def container_of(stage, index):
    """All around the liquid."""
    middle = [0, 0.5 * stage.span(1), 0]
    half = 0.5 * stage.size()
    shape = stage.rng.choice(["sphere", "box", "cylinder", "mesh"])
    keys = {"shape": shape, "name": f"s{index}", "material": stage.material(), "inside_out": True}
    if shape == "sphere":
        keys.update(center=middle, radius=0.96 * half)
    elif shape == "box":
        keys.update(center=middle, size=[0.96 * stage.span(0), 0.96 * stage.span(1), max(0.96 * stage.span(2), 4 * stage.cell)])
    elif shape == "cylinder":
        keys.update({"from": shifted(middle, -4 * half, [0, 0, 1]), "to": shifted(middle, 4 * half, [0, 0, 1]), "radius": 0.96 * half})
    else:
        path = stage.file("obj")
        files.write_obj(path, *files.cube())
        keys.update(file=path.name, scale=0.96 * half, translate=middle)
    return keys


def stand(stage, solid):
    """A point of a solid that a cap can lie on, and the way out of it."""
    if solid["shape"] == "plane":
        normal = solid.get("normal", [0, 1, 0])
        return solid["point"], normal
    if solid["shape"] == "sphere":
        return shifted(solid["center"], solid["radius"], [0, 1, 0]), [0, 1, 0]
    return shifted(solid["center"], 0.5 * solid["size"][1], [0, 1, 0]), [0, 1, 0]


def stands(stage):
    return [s for s in stage.solids if s["shape"] in STANDS and "rotate" not in s and not s.get("inside_out")]


def ground_level(stage, solid):
    """How high a solid covers the whole floor; nothing lies free below."""
    if solid["shape"] == "plane":
        slope = abs(solid.get("normal", [0, 1, 0])[0])
        return solid["point"][1] + slope * stage.span(0)
    return 0.4 * stage.span(1) if solid["shape"] == "heightfield" else 0.0


def hosts(stage):
    """Names of solids that stand out of the others, so that drops find room on them."""
    tops = {"plane": lambda s: s["point"][1], "sphere": lambda s: s["center"][1] + s["radius"],
            "box": lambda s: s["center"][1] + 0.5 * s["size"][1], "leaf": lambda s: 0.25 * stage.span(1), "heightfield": lambda s: 0}
    found = []
    for solid in stage.solids:
        others = [s for s in stage.solids if s is not solid]
        covered = max([ground_level(stage, s) for s in others if not s.get("inside_out")], default=0)
        if "name" in solid and solid["shape"] in tops and not any(s.get("inside_out") for s in stage.solids):
            is_ground = solid["shape"] in ("plane", "heightfield")
            if covered == 0 if is_ground else tops[solid["shape"]](solid) > covered + 0.1 * stage.span(1):
                found.append(solid["name"])
    return found


# ---- liquid ------------------------------------------------------------------------------------

def drop_radius(stage):
    least = {"surface": 2.5, "volume": 2.5, "apic": 2.5, "splash": 1.5, "shallow": 2}[stage.solver]
    return max(stage.rng.uniform(0.06, 0.16) * stage.size(), least * stage.cell)


def drop_of(stage):
    rng, r = stage.rng, drop_radius(stage)
    names = hosts(stage)
    shapes = ["sphere", "sphere", "ellipsoid", "box", "cylinder", "mesh"]
    shapes += ["cap", "cap"] if stands(stage) else []
    small = max({"shallow": 1.5}.get(stage.solver, 2) * stage.cell, 0.03 * stage.size())
    wide = {"sphere": lambda s: s["radius"], "box": lambda s: min(s["size"][0], s["size"][2])}
    too_small = [s.get("name") for s in stage.solids if s["shape"] in wide and wide[s["shape"]](s) < 4 * small]
    names = [name for name in names if name not in too_small]
    has_room = names and 7 * small < stage.size() and not stage.is_flat()
    shapes += ["scatter"] * (4 if stage.solver == "splash" else 1) if has_room else []  # splash has few with so many cells
    shapes += ["depth", "box"] if stage.solver == "shallow" else []
    shape = rng.choice(shapes)
    at = stage.at(0.45, 0.8)
    keys = {"shape": shape}
    if shape == "sphere":
        keys.update(center=at, radius=r)
    elif shape == "ellipsoid":
        keys.update(center=at, radii=[r * rng.uniform(0.8, 1.3) for _ in range(3)])
    elif shape == "box":
        half = [r * rng.uniform(0.7, 1.5) for _ in range(3)]
        keys.update(min=[a - h for a, h in zip(at, half)], max=[a + h for a, h in zip(at, half)])
        if stage.solver in ("shallow", "splash") and stage.chance(0.6):  # a pool
            keys.update(min=list(stage.low), max=[stage.high[0], rng.uniform(0.2, 0.5) * stage.high[1], stage.high[2]])
            if keys["max"][2] == keys["min"][2]:
                keys["min"][2], keys["max"][2] = -stage.cell, stage.cell
    elif shape == "cylinder":
        keys.update({"from": at, "to": shifted(at, rng.uniform(1, 2) * r, stage.way()), "radius": 0.9 * r})
    elif shape == "mesh":
        points, faces = rng.choice([files.cube(), files.octahedron(2), tetrahedron(0)])
        path = stage.file(rng.choice(sorted(files.MESH_WRITERS)))
        files.MESH_WRITERS[path.suffix[1:]](path, points, faces)
        keys.update(file=path.name, scale=r, translate=at)
        if stage.chance(0.5):
            keys["up"] = rng.choice(["y", "z"])
    elif shape == "cap":
        point, normal = stand(stage, rng.choice(stands(stage)))
        keys.update(point=point, volume=rng.uniform(1, 3) * r ** 3)
        if normal != [0, 1, 0] or stage.chance(0.5):
            keys["normal"] = normal
        if stage.chance(0.8):
            keys["angle"] = math.radians(rng.uniform(35, 150))
    elif shape == "scatter":
        keys.update(on=rng.choice(names), radius=rng.choice([small, [small, 1.5 * small]]))
        keys["count"] = rng.randrange(1, 8)
        if stage.chance(0.5):
            keys["angle"] = math.radians(rng.uniform(40, 120))
    else:
        path = stage.file("csv")
        rows = height_rows(rng, rng.randrange(1, 9) if stage.dimensions == 2 else 1, rng.randrange(1, 9))
        files.write_table(path, [[max(0, y - 0.3) * 0.3 * stage.span(1) + 1e-3 * stage.cell for y in row] for row in rows])
        keys["file"] = path.name
    if stage.chance(0.4):
        keys["velocity"] = shifted([0, 0, 0], rng.uniform(0, 1) * 0.1 * stage.size() / stage.duration_s, stage.way())
    return keys


def source_of(stage):
    rng, at, r = stage.rng, stage.at(0.7, 0.85), drop_radius(stage)
    names = hosts(stage)
    shapes = ["drip", "rain", "disk", "disk"]
    shapes += ["condensation", "condensation"] if names and stage.solver != "splash" else []
    shape = rng.choice(shapes)
    keys = {"shape": shape}
    falls = shifted([0, 0, 0], rng.uniform(0, 1) * 0.05 * stage.size() / stage.duration_s, stage.way())
    if shape == "disk":
        keys.update(center=at, radius=max(1.7 * stage.cell, 0.5 * r), speed=rng.uniform(0.2, 3) * r / stage.duration_s)
        if stage.chance(0.6):
            keys["normal"] = stage.way()
    elif shape == "drip":
        keys.update(at=at, radius=r, every=stage.duration_s * rng.choice([0.2, rng.uniform(0.15, 2)]))
    elif shape == "rain":
        flat = [0.25 * stage.span(0), 0, 0.0 if stage.is_flat() else 0.25 * stage.span(2)]
        keys.update(min=[a - f for a, f in zip(at, flat)], max=[a + f for a, f in zip(at, flat)],
                    rate=rng.uniform(1, 8) / stage.duration_s, radius=rng.choice([r, [0.9 * r, 1.2 * r]]))
        keys["min"][0], keys["max"][0] = -0.25 * stage.span(0), 0.25 * stage.span(0)
        if not stage.is_flat():
            keys["min"][2], keys["max"][2] = -0.25 * stage.span(2), 0.25 * stage.span(2)
    else:
        keys.update(on=rng.choice(names), rate=rng.uniform(0.1, 1) * r ** 3 / stage.duration_s)
        keys["sites"] = rng.randrange(1, 12)
    if shape in ("drip", "rain") and stage.chance(0.5):
        keys["velocity"] = falls
    if stage.chance(0.6):
        keys["start"] = stage.time()
    if stage.chance(0.5):
        keys["stop"] = rng.choice(["inf s", "none", keys.get("start", 0) + rng.uniform(0.05, 1) * stage.duration_s])
    return keys


def events_of(stage, drops):
    """In order of time."""
    rng, made = stage.rng, []
    for time in sorted(stage.time() for _ in range(rng.randrange(1, 5))):
        kinds = ["drop", "gravity", "liquid", "material"]
        kinds += ["wind"] if stage.solver != "splash" else []
        kinds += ["cap"] if stands(stage) else []
        kinds += ["drag"] if any(s.get("movable") and "name" in s for s in stage.solids) else []
        # A drop that falls must still be where it is to be fed: within half of its radius.
        fed = [d for d in drops if d["shape"] == "sphere" and "velocity" not in d and stage.g * time ** 2 < d["radius"]]
        kinds += ["feed", "feed"] if fed and stage.solver in FEED_SOLVERS and time < 0.3 * stage.duration_s else []
        kind, r = rng.choice(kinds), drop_radius(stage)
        event = {"kind": kind, "time": time}
        if kind == "drop":
            event.update(center=stage.at(0.5, 0.8), radius=r)
        elif kind == "cap":
            point, normal = stand(stage, rng.choice(stands(stage)))
            event.update(point=point, normal=normal, volume=rng.uniform(1, 3) * r ** 3, angle=math.radians(rng.uniform(40, 140)))
        elif kind == "feed":
            drop = rng.choice(fed)
            event.update(point=drop["center"], volume=rng.uniform(-0.03, 0.03) * 4 * drop["radius"] ** 3)
        elif kind == "drag":
            solid = rng.choice([s for s in stage.solids if s.get("movable") and "name" in s])
            event.update(solid=solid["name"], translate=shifted([0, 0, 0], rng.uniform(0, 0.1) * stage.size(), stage.way()),
                         over=rng.uniform(0.1, 1) * stage.duration_s)
        elif kind == "gravity":
            event["gravity"] = [rng.uniform(-4, 4), -stage.g, 0 if stage.is_flat() else rng.uniform(-4, 4)]
        elif kind == "wind":
            event["wind"] = shifted([0, 0, 0], rng.uniform(0, 3), stage.way())
        elif kind == "liquid":
            event["surface_tension"] = rng.uniform(0.02, 0.08)
        else:
            angles = sorted(rng.uniform(10, 80 if stage.solver == "shallow" else 170) for _ in range(3))
            event.update(material=stage.material(), advancing=math.radians(angles[2]))
            if stage.chance(0.6):
                event["receding"] = math.radians(angles[0])
            if stage.chance(0.4):
                event["wet_advancing"] = math.radians(angles[1 if "receding" in event else 2])
        if kind in ("drop", "cap") and stage.chance(0.4):
            event["velocity"] = shifted([0, 0, 0], rng.uniform(0, 1) * 0.1 * stage.size() / stage.duration_s, stage.way())
        made.append(event)
    return made


def sink_of(stage):
    corner, way = stage.at(0, 0.5), [stage.rng.uniform(0.1, 0.4) * max(stage.span(i), stage.cell) for i in range(3)]
    keys = {"min": [c - w for c, w in zip(corner, way)], "max": [c + w for c, w in zip(corner, way)]}
    return {"shape": "box", **keys} if stage.chance(0.5) else keys


# ---- output, looks and parameters ----------------------------------------------------------------

def output_of(stage, has_images):
    rng, solver, made = stage.rng, stage.solver, {}
    if stage.chance(0.6):
        made["surface"] = rng.choice(["ply", "ply", "obj", "stl", "vtp", "none"])
    if solver in ("volume", "apic", "splash") and stage.chance(0.4):
        made["volume"] = rng.choice(["vdb", "vti", "none"])
    if stage.chance(0.4):
        made["volume_names"] = rng.choice(["dew", "houdini"])
        made["half"] = (made.get("volume") != "vdb" or stage.cell > 1e-5) and stage.chance(0.5)
    if solver in ("apic", "splash") and stage.chance(0.5):
        made["particles"] = rng.choice(["ply", "vtp", "none"])
    if solver == "shallow" and stage.chance(0.4):
        made["height"] = rng.choice(["auto", "csv", "vti", "npy", "none"])
    if stage.chance(0.2):
        made["drops"] = rng.choice(["auto", "csv", "none"])
    if solver != "splash" and stage.chance(0.5):
        made["wetmap"] = rng.random() < 0.7 and solver not in NO_WETMAP
    if stage.chance(0.4):
        made["attributes"] = rng.sample(["drop", "age", "curvature"], rng.randrange(4))
    if stage.chance(0.3):
        made["solids"] = stage.chance(0.5)
    if has_images:
        made["images"] = rng.choice(["ray", "gl", "none"])
    if stage.chance(0.5):
        made["checkpoint_every"] = rng.choice([0, 1e-3, 60])
    return made


def looks_of(stage, made, has_images):
    rng = stage.rng
    if has_images or stage.chance(0.1):
        camera = {"size": [rng.randrange(8, 40), rng.randrange(8, 30)]}
        if any(s.get("inside_out") for s in stage.solids):  # an eye must be in the open: within a container
            camera.update(eye=[0, 0.6 * stage.span(1), 0.1 * stage.size()], target=[0, 0.3 * stage.span(1), 0])
        elif stage.chance(0.5):
            camera["eye"] = [0.1 * stage.size(), 0.6 * stage.span(1), 2.5 * max(stage.span(0), stage.span(1))]
            if stage.chance(0.7):
                camera["target"] = [0, 0.4 * stage.span(1), 0]
        for key, value in (("up", [0.1, 1, 0]), ("fov", rng.uniform(0.2, 1)), ("aperture", 0.05 * stage.size()),
                           ("focus", 2 * stage.size()), ("shutter", stage.frame_s * rng.uniform(0, 1))):
            if stage.chance(0.3):
                camera[key] = value
        made["camera"] = camera
    if has_images or stage.chance(0.1):
        made["environment"] = rng.choice(["studio", "sky", "rainy", "file"])
        if made["environment"] == "file":
            path = stage.file("hdr")
            files.write_hdr(path)
            made["environment"] = path.name
    if stage.chance(0.2):
        made["lights"] = [{"direction": direction(rng), "color": [1, 0.9, rng.random()], "strength": rng.uniform(0, 5),
                           "size": math.radians(rng.uniform(0.1, 30))} for _ in range(rng.randrange(1, 3))]
    if stage.chance(0.3):
        kinds = ["auto", "glass", "frosted", "leaf", "plastic", "matte", "marble", "metal", "wood", "fruit", "car_paint"]
        made["look"] = {}
        for name in rng.sample(sorted(stage.materials), rng.randrange(1, len(stage.materials) + 1)):
            look = {"kind": rng.choice(kinds)}
            look.update({"color": [rng.random() for _ in range(3)]} if stage.chance(0.5) else {})
            look.update({"roughness": rng.random()} if stage.chance(0.5) else {})
            if stage.chance(0.2):
                path = stage.file("png")
                files.write_png(path, [[rng.random() for _ in range(3 * 4)] for _ in range(4)], channels=3)
                look["texture"] = path.name
            made["look"][name] = look
        if stage.chance(0.3):
            made["look"]["liquid"] = {"color": [rng.random() for _ in range(3)]}


def parameter_choices(stage, solver):
    """Values for the parameters of a solver's block; those that name a paper's scheme less often."""
    rng, g = stage.rng, {}
    if solver in GRID_SOLVERS:
        g = {"tension_factor": [rng.uniform(1, 4), 3], "cfl": [rng.uniform(0.3, 0.9)], "tolerance": [1e-4, 1e-6, 1e-8],
             "corrections": [0, 1, 2]}
    own = {
        "volume": {"contact": ["ghost", "ghost", "stencil"], "pressure": ["second-order", "first-order"],
                   "pinning": ["memory", "memory", "zero-pressure"], "static_speed": [0.01, rng.uniform(0, 0.1)], "markers": [0, 8, 32]},
        "surface": {"steps_per_period": [0, 8, 24, 60], "tolerance": [1e-3, 1e-4, 1e-6], "volume_correction": ["global", "local"],
                    "self_merge": [True, False], "sleep": [True, False], "model": ["energy"] * 5 + ["paper"], "mu": [0.3, 0.5],
                    "eta": [rng.uniform(0, 1e-5), 1e-5], "gamma": [0, 1e-4], "alpha": [0, rng.uniform(1, 100)]},
        "apic": {"transfer": ["apic", "apic", "pic", "flip"], "surface": ["evolved", "evolved", "particles"],
                 "surface_tension_force": ["ghost", "ghost", "external"], "pressure_solver": ["multigrid", "miccg"],
                 "particles_per_axis": [2, 2, 3, 1]},
        "shallow": {"model": ["level-set"] * 3 + ["finite-difference", "finite-volume", "finite-volume-semi-lagrangian"],
                    "shore": ["balanced", "balanced", "paper"], "drag": [0, 0.003, 0.3], "cfl": [0.8, rng.uniform(0.3, 1)],
                    "pace": [6, 6, 3]},
        "splash": {"pressure": ["multigrid", "multigrid", "sor"], "relaxation": [1.8, 1.5], "viscosity": ["adaptive", "adaptive", "liquid"],
                   "cfl": [rng.uniform(0.2, 0.5), 0.5], "tolerance": [1e-3, 1e-4, 1e-5], "markers_per_axis": [2, 2, 3],
                   "reseed_every": [2, 2, 1, 5, 0], "tension_factor": [2, rng.uniform(0.5, 2)]}}[solver]
    return {**own, **g}


def only_effective(solver, made):
    """Without keys that other values leave without effect, which are refused."""
    if solver == "shallow":
        usual = {"advection": "upwind", "shore": "balanced", "drag": 0, "cfl": 0.8}
        if made.get("model", "level-set") != "level-set":
            made.pop("pace", None)
        elif any(made.get(key, value) != value for key, value in usual.items()):
            made["tension"] = "off"  # surface tension has a step of its own
        if made.get("tension") != "on":
            made.pop("pace", None)
    if solver == "surface":
        other = ("steps_per_period", "sleep") if made.get("model") == "paper" else ("mu", "eta", "gamma", "alpha")
        made = {key: value for key, value in made.items() if key not in other}
    needs = {"volume": {"static_speed": ("pinning", "zero-pressure"), "corrections": ("pressure", "second-order")},
             "splash": {"relaxation": ("pressure", "sor"), "tension_factor": ("tension", True)}}
    for key, (other, value) in needs.get(solver, {}).items():
        if made.get(other, "second-order" if other == "pressure" else None) != value:
            made.pop(key, None)
    return made


def parameters_of(stage, solver):
    rng = stage.rng
    choices = parameter_choices(stage, solver)
    made = {key: rng.choice(values) for key, values in choices.items() if stage.chance(0.35)}
    if solver == "shallow":  # two that only some models take
        model = made.get("model", "level-set")
        if stage.chance(0.4):
            made["advection"] = rng.choice({"level-set": ["upwind", "semi-lagrangian"], "finite-volume": ["upwind", "differences"]}
                                           .get(model, ["upwind"]))
        if stage.chance(0.4):
            made["tension"] = rng.choice(["auto", "off", "on"] if model == "level-set" else ["auto", "off"])
    if solver == "splash" and stage.cell < 2e-3 and stage.chance(0.6):
        made["tension"] = True
    elif solver == "splash" and stage.chance(0.2):
        made["tension"] = False
    return only_effective(solver, made)


# ---- units -------------------------------------------------------------------------------------

KINDS = {"length", "time", "frequency", "speed", "angle", "angular speed", "acceleration", "volume", "volume rate", "density",
         "viscosity", "surface tension"}


def kind_of(value):
    for kind in sorted(KINDS, key=len, reverse=True):
        if kind in value or kind.replace("y", "ies") in value:
            return kind
    return None


def with_unit(rng, number, kind):
    """The same number, bit for bit, as a text with a unit; some stay as they are."""
    if isinstance(number, bool) or not isinstance(number, (int, float)) or rng.random() < 0.6:
        return number
    unit, power = rng.choice(UNITS[kind])
    return f"{decimal.Decimal(repr(number)).scaleb(power):f} {unit}"


def give_units(rng, table, block):
    tables = manual_tables_once()
    shape = block.get("shape", block.get("kind"))
    for key, value in list(block.items()):
        rows = [k for k in tables[table] if k.name == key and (not k.shapes or shape in k.shapes)]
        kind = kind_of(rows[0].value) if rows else None
        if kind is None:
            continue
        block[key] = [with_unit(rng, x, kind) for x in value] if isinstance(value, list) else with_unit(rng, value, kind)


def give_all_units(rng, made):
    for table, key in (("domain", "domain"), ("camera", "camera"), ("liquid", "liquid"), ("output", "output")):
        if isinstance(made.get(key), dict):
            give_units(rng, table, made[key])
    for table, key in (("solid", "solids"), ("drop", "drops"), ("source", "sources"), ("sink", "sinks"), ("event", "events"),
                       ("light", "lights")):
        for block in made.get(key, []):
            give_units(rng, table, block)
    give_units(rng, "scene", made)


# ---- scenes ------------------------------------------------------------------------------------

def lists_of(stage, made):
    rng = stage.rng
    if stage.chance(0.08):
        stage.solids.append(container_of(stage, 0))
    for _ in range(rng.choice([0, 1, 1, 2, 2, 3])):
        stage.solids.append(solid_of(stage, len(stage.solids)))
    drops = [drop_of(stage) for _ in range(rng.choice([0, 1, 1, 2, 3]))]
    sources = [source_of(stage) for _ in range(rng.choice([0, 0, 1, 1, 2]))]
    if not drops and not sources:
        drops = [drop_of(stage)]
    for key, items in (("solids", stage.solids), ("drops", drops), ("sources", sources)):
        if items or stage.chance(0.1):
            made[key] = items
    if stage.chance(0.2):
        made["sinks"] = [sink_of(stage) for _ in range(rng.randrange(1, 3))]
    if stage.chance(0.35):
        made["events"] = events_of(stage, drops)


def any_scene(seed, folder, solver=None):
    """The scene of a seed, its files written; as a mapping."""
    rng = random.Random(f"any {seed}")
    names, shares = zip(*SHARES)
    solver = rng.choices(names, shares)[0] if solver is None else solver
    stage = Stage(rng, solver, folder)
    liquid, values = liquid_of(stage)
    stage.g = rng.choice([9.81, 9.81, 9.81, 1.62, 20])
    set_stage(stage, values)
    stage.materials.update({name: material_of(stage) for name in rng.sample(["glass", "wax", "lotus", "m-0", "steel_2"], rng.randrange(1, 4))})
    made = {"dew": 1} if stage.chance(0.8) else {}
    made.update(title=f"generated {seed}", solver=solver)
    if stage.dimensions != (2 if solver == "shallow" else 3) or stage.chance(0.5):
        made["dimensions"] = stage.dimensions
    made.update(duration=stage.duration_s, frame_rate=1 / stage.frame_s, seed=rng.randrange(0, 2 ** 31),
                domain={"min": list(stage.low), "max": list(stage.high), "cell": stage.cell})
    if stage.chance(0.8):
        made["domain"]["walls"] = walls_of(stage)
    if stage.g != 9.81 or stage.chance(0.3):
        tilt = rng.choice([0, 0, rng.uniform(-0.5, 0.5)])
        made["gravity"] = [stage.g * math.sin(tilt), -stage.g * math.cos(tilt), 0]
    if solver != "splash" and stage.chance(0.2):
        made["wind"] = shifted([0, 0, 0], rng.uniform(0, 4), stage.way())
    if liquid != "water" or stage.chance(0.3):
        made["liquid"] = liquid
    made["materials"] = stage.materials
    lists_of(stage, made)
    has_images = stage.chance(0.06)
    output = output_of(stage, has_images)
    if output:
        made["output"] = output
    looks_of(stage, made, has_images)
    parameters = parameters_of(stage, solver)
    if parameters:
        made[solver] = parameters
    if solver == "shallow" and parameters.get("tension") != "on":  # waves refuse the law of the line
        for material in stage.materials.values():
            for key in ("dynamic_angle", "slip_length", "jump_length", "jump_frequency"):
                material.pop(key, None)
    if solver == "surface" and parameters.get("model") == "paper":
        made.pop("wind", None)
        for event in made.get("events", []):
            if "wind" in event:
                event["gravity"] = event.pop("wind")
                event["kind"] = "gravity"
        for material in stage.materials.values():
            for key in ("dynamic_angle", "slip_length", "jump_length", "jump_frequency", "wet_advancing", "dries_after"):
                material.pop(key, None)
    if stage.chance(0.05):
        other = rng.choice([n for n in names if n != solver])
        made[other] = parameters_of(stage, other)
    give_all_units(rng, made)
    return made


def rest_scene(seed, folder):
    """A drop that comes to rest on a smooth solid, with and without hysteresis: its angle must end within the limits."""
    rng = random.Random(f"rest {seed}")
    solver = rng.choice(["surface", "surface", "volume"])
    volume_radius = rng.uniform(0.6e-3, 1.2e-3)
    angles = sorted(rng.uniform(35, 145) for _ in range(2))
    solids = rng.choice([[{"shape": "plane", "material": "m"}],
                         [{"shape": "plane", "material": "m"}],
                         [{"shape": "sphere", "center": [0, -6e-3, 0], "radius": 6e-3, "material": "m"}]])
    start = math.radians(rng.uniform(45, 135))
    area = math.pi * volume_radius ** 2
    flat = solver == "volume"
    cell = volume_radius / (9 if flat else 5)
    half = 4 * volume_radius
    made = {"dew": 1, "title": f"at rest {seed}", "solver": solver, "dimensions": 2 if flat else 3,
            "duration": 0.15 if flat else 0.5, "frame_rate": 40 if flat else 30,
            "domain": {"min": [-half, -1.2 * volume_radius, -cell / 2 if flat else -half], "max": [half, 3.5 * volume_radius, cell / 2 if flat else half],
                       "cell": cell},
            "liquid": {"viscosity": 0.03}, "gravity": [0, -rng.choice([0, 9.81]), 0],
            "materials": {"m": {"advancing": math.radians(angles[1]), "receding": math.radians(rng.choice([angles[0], angles[1]])),
                                "slip": "inf"}},
            "solids": solids,
            "drops": [{"shape": "cap", "point": [0, 0, 0], "angle": start,
                       "volume": (area * cell if flat else 4 / 3 * math.pi * volume_radius ** 3)}]}
    if flat or solids[0]["shape"] == "sphere":  # a cap has a flat base: it would touch a ball in one point
        if solids[0]["shape"] == "sphere":
            made["gravity"] = [0, 0, 0]  # on top of a ball a drop does not rest for long
        made["drops"] = [{"shape": "sphere", "center": [0, 0.6 * volume_radius, 0], "radius": volume_radius}]
    return made


def write_scene(made, folder, header=""):
    """As YAML, of which JSON is a part."""
    path = folder / "scene.yaml"
    path.write_text("".join(f"# {line}\n" for line in header.splitlines()) + json.dumps(made, indent=1) + "\n")
    return path


def read_scene(path):
    """(the scene, what its header says)."""
    lines = path.read_text().splitlines()
    head = [line[1:].strip() for line in lines if line.startswith("#")]
    return json.loads("\n".join(line for line in lines if not line.startswith("#"))), "\n".join(head)
