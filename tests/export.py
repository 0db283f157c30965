"""`dew export` against the frames of the run, by a reader of its own (_glb.py).

    python3 tests/export.py build/dew

A window where drops merge, before a button that moves and a paddle that turns: vertices, triangles, velocities and wet
flags of ten frames are those of the PLYs, solids are where their motion has them. Wet maps, particles, axis, scale and
frame range; an object per drop; arguments that are refused in a line; Ctrl-C and a kill in the middle. The run stays
as it was.
"""
import array
import csv
import math
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import time
import traceback

import _glb
import _mesh
import _run_directory as rd

RATE_HZ, FRAMES, TURN_RAD_S, RISE_M_S = 100, 13, 12.5, 0.05
ROUNDING_M = 5e-9  # of positions, rotations and translations in single precision, at up to 10 mm
WINDOW = """\
dew: 1
title: "A \\"window\\" and a button"
solver: surface
duration: 0.12 s
frame_rate: 100 Hz
domain: {min: [-10 mm, -10 mm, -1 mm], max: [10 mm, 10 mm, 8 mm], cell: 0.5 mm}
gravity: [0, 0, 0]
materials: {glass: {angle: 60 deg}, steel: {angle: 90 deg}}
solids:
  - {shape: plane, name: pane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}
  - {shape: cylinder, name: button, from: [8 mm, 0, -1 mm], to: [8 mm, 0, 2 mm], radius: 1 mm, material: steel,
     velocity: [0, 50 mm/s, 0]}
  - {shape: box, name: paddle, center: [-8 mm, 4 mm, 3 mm], size: [2 mm, 1 mm, 1 mm], material: steel,
     angular_velocity: [0, 0, 12.5]}
drops:
  - {shape: cap, point: [-2.5 mm, 0, 0], normal: [0, 0, 1], volume: 6 mm^3, angle: 75 deg, velocity: [60 mm/s, 0, 0]}
  - {shape: cap, point: [2.5 mm, 0, 0], normal: [0, 0, 1], volume: 6 mm^3, angle: 75 deg, velocity: [-60 mm/s, 0, 0]}
  - {shape: cap, point: [0, -6 mm, 0], normal: [0, 0, 1], volume: 3 mm^3, angle: 60 deg}
camera: {eye: [0, 0, 60 mm], target: [0, 0, 0], fov: 20 deg, size: [400, 300]}
lights: [{direction: [0, -1, -1], strength: 2}]
"""
# What the window lacks: particles, a wet map, a wall, liquid that comes late.
OTHERS = """\
dew: 1
solver: apic
duration: 20 ms
frame_rate: 200 Hz
domain: {min: [-3 mm, 0, -3 mm], max: [3 mm, 6 mm, 3 mm], cell: 0.75 mm, walls: {floor: glass, others: open}}
materials: {glass: {angle: 60 deg}}
solids: [{shape: sphere, name: liquid, center: [0, 0, 0], radius: 1 mm, material: glass}]
sources: [{shape: drip, at: [0, 2.6 mm, 0], radius: 1.2 mm, every: 1 s, start: 4 ms}]
output: {wetmap: true, particles: ply}
"""


def call(dew, *words, **more):
    return subprocess.run([dew, "export", *map(str, words)], capture_output=True, text=True, timeout=120, **more)


def export(dew, run, path, *options, warnings=0):
    done = call(dew, run, "-o", path, *options)
    said = f"{path.name}: exit code {done.returncode}, {done.stderr!r}"
    assert done.returncode == 0 and done.stdout == f"{path}\n" and done.stderr.count("\n") == warnings, said
    return _glb.Glb(path)


def read_ply(path):
    """{property: column}, and the triangles, of a binary PLY as Dew writes it."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    words = [line.split() for line in data[:end].decode().splitlines()]
    names = [w[2] for w in words if w[:2] == ["property", "float"]]
    vertices, faces = (int(next((w[2] for w in words if w[:2] == ["element", kind]), 0)) for kind in ("vertex", "face"))
    numbers = array.array("f", data[end:end + 4 * len(names) * vertices])
    at = end + 4 * len(names) * vertices
    corners = array.array("i")
    corners.frombytes(b"".join(data[i + 1:i + 13] for i in range(at, at + 13 * faces, 13)))
    return {name: numbers[i::len(names)] for i, name in enumerate(names)}, corners


def volume(xyz, corners):
    return sum(_mesh.volumes(xyz, corners[0::3], corners[1::3], corners[2::3]))


def enclosed(shown):
    """Volume of a body whose faces have no vertices in common: about one point."""
    points, total = list(zip(*shown.xyz)), 0
    a, b, c = points[0]
    for i, j, k in zip(*(shown.triangles[n::3] for n in range(3))):
        (ix, iy, iz), (jx, jy, jz), (kx, ky, kz) = ((x - a, y - b, z - c) for x, y, z in (points[i], points[j], points[k]))
        total += (ix * (jy * kz - jz * ky) + iy * (jz * kx - jx * kz) + iz * (jx * ky - jy * kx)) / 6
    return total


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


# ---- meshes --------------------------------------------------------------------------------------

def check_liquid(shown, path):
    """All that the frame's PLY holds, number by number."""
    columns, corners = read_ply(path)
    xyz = [columns[k] for k in "xyz"]
    assert shown.xyz == xyz, f"{path.name}: positions differ"
    assert list(shown.triangles) == list(corners), f"{path.name}: triangles differ"
    assert shown.attributes["_VELOCITY"] == [columns[k] for k in ("vx", "vy", "vz")], f"{path.name}: velocities differ"
    for name in set(columns) - set("xyz") - {"nx", "ny", "nz", "vx", "vy", "vz"}:
        assert shown.attributes[f"_{name.upper()}"] == [columns[name]], f"{path.name}: {name} differs"
    for got, want in zip(shown.attributes["NORMAL"], (columns[k] for k in ("nx", "ny", "nz"))):
        assert max(abs(a - b) for a, b in zip(got, want)) < 1e-6, f"{path.name}: normals differ"
    assert volume(shown.xyz, shown.triangles) == volume(xyz, corners) > 0
    return len(xyz[0])


def middle(xyz):
    return [(min(c) + max(c)) / 2 for c in xyz]


def near(got, want, allowed, what):
    assert all(abs(a - b) <= allowed for a, b in zip(got, want)), f"{what}: {got}, not {want}"


def check_solids(shown, first, seconds):
    """The button rises; the paddle turns about its middle."""
    x, y, z = middle(first["button"].xyz)
    near((x, y, z), (0.008, 0, 0.0005), 1e-6, "the button's middle")  # a prism of many sides
    near(middle(shown["button"].xyz), (x, y + RISE_M_S * seconds, z), ROUNDING_M, f"the button at {seconds} s")
    angle, center = TURN_RAD_S * seconds, (-0.008, 0.004, 0.003)
    for got, rest in zip(zip(*shown["paddle"].xyz), zip(*first["paddle"].xyz)):
        x, y = rest[0] - center[0], rest[1] - center[1]
        want = (center[0] + x * math.cos(angle) - y * math.sin(angle),
                center[1] + x * math.sin(angle) + y * math.cos(angle), rest[2])
        near(got, want, ROUNDING_M, f"a corner of the paddle at {seconds} s")
    assert len(shown["paddle"].xyz[0]) == 24  # three normals at each corner
    near([enclosed(shown["paddle"])], [2e-9], 1e-13, "the paddle's volume")


def check_window(dew, scratch):
    run = scratch / "run"
    glb = export(dew, run, scratch / "window.glb")
    extras = glb.json["asset"]["extras"]
    assert (extras["first_frame"], extras["frame_count"], extras["frame_rate_Hz"]) == (0, FRAMES, RATE_HZ)
    assert abs(glb.duration() - FRAMES / RATE_HZ) < 1e-6
    first, counts = glb.at(0), set()
    for frame in range(3, FRAMES):
        # In the middle of the frame's interval nothing but poses has changed.
        shown, late = glb.at(frame / RATE_HZ + 1e-6), glb.at((frame + 0.5) / RATE_HZ)
        assert sorted(shown) == sorted(late) == ["button", "liquid", "paddle", "pane"]
        counts.add(check_liquid(shown["liquid"], run / f"frames/surface.{frame:04}.ply"))
        assert late["liquid"].xyz is shown["liquid"].xyz
        check_solids(glb.at(frame / RATE_HZ), first, frame / RATE_HZ)
    rows = list(csv.DictReader(open(run / "drops.csv")))
    drops = [sum(row["frame"] == str(frame) for row in rows) for frame in range(FRAMES)]
    assert drops[0] == 3 and drops[-1] == 2 and len(counts) > 3, f"nothing merged: {drops}, {counts}"
    print(f"window: {FRAMES} frames, drops {drops[0]} to {drops[-1]}, {sorted(counts)} vertices: as in the PLYs")
    check_looks(glb)


def check_looks(glb):
    materials = {m["name"]: m for m in glb.json["materials"]}
    assert sorted(materials) == ["glass", "steel", "water"], sorted(materials)
    water = materials["water"]["extensions"]
    assert water["KHR_materials_ior"]["ior"] == 1.333 and water["KHR_materials_transmission"]["transmissionFactor"] == 1
    thickness = water["KHR_materials_volume"]["thicknessFactor"]
    assert 0.5e-3 < thickness < 2e-3, f"drops of 6 mm^3 are {thickness} m thick"
    assert "KHR_materials_volume" not in materials["glass"]["extensions"]  # an open pane
    assert materials["steel"]["pbrMetallicRoughness"]["metallicFactor"] == 1
    camera = glb.json["cameras"][0]["perspective"]
    near([camera["yfov"], camera["aspectRatio"]], [math.radians(20), 4 / 3], 1e-12, "the camera")
    nodes = {node["name"]: node for node in glb.json["nodes"]}
    near(nodes["camera"]["translation"], [0, 0, 0.06], 1e-12, "the eye")
    half = math.sqrt(0.5)
    near(_glb.rotated(nodes["light"]["rotation"], (0, 0, -1)), [0, -half, -half], 1e-12, "the light's direction")
    assert glb.json["scenes"][0]["name"] == 'A "window" and a button'


def check_options(dew, scratch):
    run, plain = scratch / "run", export(dew, scratch / "run", scratch / "plain.glb")
    glb = export(dew, run, scratch / "z.glb", "--up", "z", "--scale", "1000", "--frames", "2..5", warnings=1)
    extras = glb.json["asset"]["extras"]
    assert (extras["first_frame"], extras["frame_count"], extras["meters_per_unit"]) == (2, 4, 0.001)
    assert abs(glb.duration() - 4 / RATE_HZ) < 1e-6
    for frame in range(2, 6):
        was, now = plain.at(frame / RATE_HZ + 1e-6), glb.at((frame - 2) / RATE_HZ + 1e-6)
        x, y, z = was["liquid"].xyz
        want = [[single(1000 * a) for a in x], [single(-1000 * a) for a in z], [single(1000 * a) for a in y]]
        assert [list(column) for column in now["liquid"].xyz] == want, f"frame {frame}: not turned and scaled"
        for name in ("button", "paddle"):
            x, y, z = was[name].xyz
            for got, old in zip(zip(*now[name].xyz), zip(x, z, y)):
                near(got, (1000 * old[0], -1000 * old[1], 1000 * old[2]), 1e-4, f"{name} in frame {frame}")
    only = export(dew, run, scratch / "one.glb", "--frames", "4")
    assert "animations" not in only.json
    check_liquid(only.at(0)["liquid"], run / "frames/surface.0004.ply")
    assert (scratch / "plain.glb").read_bytes() == (scratch / "window.glb").read_bytes()
    print("axis, scale, ranges: as asked; the same bytes again")


def check_others(dew, scratch):
    """Liquid from frame 1 on; particles; a wet sphere, which has the liquid's name."""
    run, scene = scratch / "others", scratch / "others.yaml"
    scene.write_text(OTHERS)
    done = rd.run(dew, scene, run)
    assert done.returncode == 0, done.stderr
    glb = export(dew, run, scratch / "others.glb")
    wetness = []
    for frame in range(5):
        shown = glb.at(frame / 200 + 1e-6)
        columns, _ = read_ply(run / f"frames/surface.{frame:04}.ply")
        particles, _ = read_ply(run / f"frames/particles.{frame:04}.ply")
        solids = {"liquid_2", "floor"}
        assert set(shown) == solids | ({"liquid", "particles"} if columns["x"] else set()), f"{frame}: {sorted(shown)}"
        if columns["x"]:
            check_liquid(shown["liquid"], run / f"frames/surface.{frame:04}.ply")
            assert shown["particles"].xyz == [particles[k] for k in "xyz"]
            assert shown["particles"].attributes["_ID"] == [particles["id"]] and not shown["particles"].triangles
        wetness.append(check_wetness(shown["liquid_2"], run, frame))
    assert wetness[0] == 0 < wetness[-1] < 1, f"wetness {wetness}"
    # The sphere's shape is there once, its wetness in each frame in which it differs.
    shapes = {m["primitives"][0]["attributes"]["POSITION"] for m in glb.json["meshes"] if m["name"].startswith("liquid_2")}
    assert len(shapes) == 1
    print(f"late liquid, particles and a wet map (mean {wetness[-1]:.3f} at the end)")


def wet_columns(run, frame):
    """The mesh of the wet sphere, with its wetness in a frame: in the frame's own file, or in the last one before it that
    says what has changed."""
    once = run / "frames/solid.liquid.ply"
    found = [path for path in (run / f"frames/solid.liquid.{k:04}.ply" for k in range(frame + 1)) if path.exists()]
    columns, corners = read_ply(once if once.exists() else found[-1])
    if found:
        columns["wetness"] = read_ply(found[-1])[0]["wetness"]
    return columns, corners


def check_wetness(shown, run, frame):
    """By position: exported vertices are doubled where faces meet at an angle."""
    columns, corners = wet_columns(run, frame)
    values = dict(zip(zip(*(columns[k] for k in "xyz")), columns["wetness"]))
    for place, got in zip(zip(*shown.xyz), shown.attributes["_WETNESS"][0]):
        assert values[place] == got, f"wetness at {place} in frame {frame}: {got}, not {values[place]}"
    assert len(shown.triangles) == len(corners)
    return sum(values.values()) / len(values)


# ---- an object per drop --------------------------------------------------------------------------

def add_drops(run):
    """The attribute `drop`, where the run's frames do not have it: pieces by the centers of drops.csv."""
    rows = list(csv.DictReader(open(run / "drops.csv")))
    for frame in range(FRAMES):
        path = run / f"frames/surface.{frame:04}.ply"
        columns, corners = read_ply(path)
        if "drop" in columns:
            return
        centers = {int(r["id"]): [float(r[f"center_{k}"]) for k in "xyz"] for r in rows if r["frame"] == str(frame)}
        columns["drop"] = array.array("f", pieces(columns, corners, centers))
        for column in columns.values():
            column.append(0)  # a vertex that no triangle has belongs to no drop
        write_ply(path, columns, corners)


def pieces(columns, corners, centers):
    root = list(range(len(columns["x"])))

    def find(i):
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for t in range(0, len(corners), 3):
        for k in (1, 2):
            root[find(corners[t + k])] = find(corners[t])
    members = {}
    for v in range(len(root)):
        members.setdefault(find(v), []).append(v)
    drop = [0] * len(root)
    for vertices in members.values():
        center = [sum(columns[k][v] for v in vertices) / len(vertices) for k in "xyz"]
        nearest = min(centers, key=lambda i: math.dist(centers[i], center))
        for v in vertices:
            drop[v] = nearest
    return drop


def write_ply(path, columns, corners):
    count = len(columns["x"])
    header = ["ply", "format binary_little_endian 1.0", f"element vertex {count}", *(f"property float {n}" for n in columns),
              f"element face {len(corners) // 3}", "property list uchar int vertex_indices", "end_header", ""]
    body = array.array("f", (x for row in zip(*columns.values()) for x in row)).tobytes()
    faces = b"".join(struct.pack("<B3i", 3, *corners[t:t + 3]) for t in range(0, len(corners), 3))
    path.write_bytes("\n".join(header).encode() + body + faces)


def check_split(dew, scratch):
    run = scratch / "drops"
    shutil.copytree(scratch / "run", run)
    add_drops(run)
    glb = export(dew, run, scratch / "drops.glb", "--split", "drops")
    rows = list(csv.DictReader(open(run / "drops.csv")))
    for frame in range(FRAMES):
        shown = {name: s for name, s in glb.at(frame / RATE_HZ + 1e-6).items() if name.startswith("drop_")}
        want = {f"drop_{r['id']}": float(r["volume"]) for r in rows if r["frame"] == str(frame)}
        assert sorted(shown) == sorted(want), f"frame {frame}: {sorted(shown)}, not {sorted(want)}"
        for name, drop in shown.items():
            assert set(drop.attributes["_DROP"][0]) == {float(name[5:])}
            near([volume(drop.xyz, drop.triangles)], [want[name]], 1e-4 * want[name], f"volume of {name}, frame {frame}")
        columns, corners = read_ply(run / f"frames/surface.{frame:04}.ply")
        assert sum(len(s.xyz[0]) for s in shown.values()) == len(columns["x"]) - list(columns["drop"]).count(0)
        assert sum(len(s.triangles) for s in shown.values()) == len(corners)
    path = run / f"frames/surface.{FRAMES - 1:04}.ply"
    columns, corners = read_ply(path)
    columns["drop"][0] = 999
    write_ply(path, columns, corners)
    refuse(call(dew, run, "-o", scratch / "x.glb", "--split", "drops"), "drop 999", code=1)
    print("an object per drop: volumes as in drops.csv")


# ---- what is refused -----------------------------------------------------------------------------

def refuse(done, words, code=2):
    said = f"exit code {done.returncode}, {done.stderr!r}"
    assert done.returncode == code and done.stderr.count("\n") == 1 and words in done.stderr, said
    assert done.stderr.startswith("dew: ") and not done.stdout, said


def check_refusals(dew, scratch):
    run, out = scratch / "run", scratch / "refused.glb"
    refuse(call(dew, run, "-o", scratch / "x.fbx"), ".glb")
    refuse(call(dew, run, "-o", scratch / "glb"), ".glb")
    refuse(call(dew, run), "-o FILE")
    refuse(call(dew, run, "-o", out, "--frames", "20..30"), "there are 0 to 12")
    refuse(call(dew, run, "-o", out, "--frames", "10..30"), "frame 13 is missing")
    refuse(call(dew, run, "-o", out, "--frames", "5..3"), "ends before it begins")
    refuse(call(dew, run, "-o", out, "--frames", "x"), "--frames x")
    refuse(call(dew, run, "-o", out, "--up", "x"), "not y or z")
    for scale in ("0", "-1", "nan", "2 mm"):
        refuse(call(dew, run, "-o", out, "--scale", scale), f"--scale {scale}")
    refuse(call(dew, run, "-o", out, "--split", "all"), "--split all")
    refuse(call(dew, scratch, "-o", out), "there are no frames")
    (scratch / "folder.glb").mkdir()
    refuse(call(dew, scratch / "folder.glb", "-o", out), "not a run directory")
    refuse(call(dew, scratch / "nothing", "-o", out), "nothing")
    refuse(call(dew, run, "-o", scratch / "no" / "x.glb"), "cannot write")
    refuse(call(dew, run, "-o", scratch / "folder.glb"), "is a directory")
    for surface, words in (("none", "wrote no surfaces"), ("stl", "which drop a vertex belongs to")):
        rd.run(dew, run / "scene.yaml", scratch / surface, "--set", f"output.surface={surface}", "--until", "20 ms")
        refuse(call(dew, scratch / surface, "-o", out, "--split", "drops"), words)
    bare = export(dew, scratch / "stl", scratch / "stl.glb").at(0)["liquid"]
    assert not bare.attributes and len(bare.triangles) > 0  # what the format of the frames lacks
    gap = scratch / "gap"
    shutil.copytree(run, gap)
    (gap / "frames/surface.0005.ply").unlink()
    refuse(call(dew, gap, "-o", out), "frame 5 is missing")
    (gap / "frames/surface.0005.ply").write_bytes(b"ply\nrubbish\n")
    refuse(call(dew, gap, "-o", out), "surface.0005.ply")
    if os.geteuid() != 0:
        closed = scratch / "closed"
        closed.mkdir(mode=0o500)
        refuse(call(dew, run, "-o", closed / "x.glb"), "Permission denied")
    assert not out.exists() and not list(scratch.glob("*.part"))
    print("bad arguments and runs: one line each, nothing written")


# ---- ends in the middle --------------------------------------------------------------------------

def check_ends(dew, scratch):
    """A run of so many frames that its export lasts: the frames are links to one of them."""
    run, out = scratch / "long", scratch / "long.glb"
    shutil.copytree(scratch / "run", run)
    for frame in range(FRAMES, 5000):
        os.link(run / "frames/surface.0000.ply", run / f"frames/surface.{frame:04}.ply")
    out.write_bytes(b"the old file\n")
    for number, code, parts in ((signal.SIGINT, 130, 0), (signal.SIGTERM, 130, 0), (signal.SIGKILL, -signal.SIGKILL, 1)):
        # The last one is killed: its part stays until the next export, which removes it.
        process = subprocess.Popen([dew, "export", str(run), "-o", str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
        until = time.monotonic() + 60
        while not out.with_name("long.glb.part").exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.05)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=60)
        said = f"{number.name}: exit code {process.returncode}, {stderr!r}"
        assert process.returncode == code and not stdout, said
        assert number == signal.SIGKILL or (stderr.count("\n") == 1 and "interrupted" in stderr), said
        assert out.read_bytes() == b"the old file\n", said
        assert sorted(p.name for p in scratch.glob("long.glb*")) == ["long.glb", "long.glb.part"][:1 + parts], said
    export(dew, run, out, "--frames", "0..3")
    assert not list(scratch.glob("*.part"))
    print("Ctrl-C and a kill: the old file stays, the next export leaves no part")


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    scratch = rd.scratch()
    try:
        scene = scratch / "scene.yaml"
        scene.write_text(WINDOW)
        done = rd.run(dew, scene, scratch / "run")
        assert done.returncode == 0, done.stderr
        before = rd.digest(scratch / "run")
        for check in (check_window, check_options, check_others, check_split, check_refusals, check_ends):
            check(dew, scratch)
        assert not rd.difference(rd.digest(scratch / "run"), before), "an export has changed the run"
    except AssertionError:
        traceback.print_exc()
        return 1
    finally:
        rd.remove(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
