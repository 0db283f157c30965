"""The scene file as users rely on it: every key, shape, unit and hint, through `dew check`.

    python3 tests/contract.py build/dew [--show]

Each scene here is checked by the program: those that are right must give exit code 0 and a plan, those
that are wrong exit code 2 and the words that a user needs. Files that scenes name are made beside them.
"""
import os
import struct
import subprocess
import sys
import tempfile
import zlib

WHOLE = """\
dew: 1                              # format version
title: A drop on glass
solver: volume                      # volume | surface | apic | shallow | splash
dimensions: 3                       # 3; 2 for volume, apic and splash; 2 or 1 for shallow
duration: 0.2 s
frame_rate: 100 Hz
seed: 1                             # every random choice follows from it

domain:
  min: [-6 mm, 0 mm, -6 mm]
  max: [6 mm, 8 mm, 6 mm]
  cell: 0.25 mm                     # grid spacing; for `surface` the target edge length
  walls: {floor: glass, others: open}   # each side: a material's name, or open

gravity: [0, -9.81, 0]
wind: [0, 0, 0]                     # air velocity, m/s
liquid: water

materials:
  glass:
    advancing: 90 deg               # dry advancing angle
    receding: 60 deg
    wet_advancing: 60 deg           # where the wetting history says wet; default = advancing
    max_receding_tension: 20 mN/m   # bound that lengthens trails; default none
    slip: 0 mm                      # slip length; 0 = no slip, inf = free slip
    friction: 0                     # contact-line friction
    dries_after: inf s              # how long the wetting history lasts
  lotus: {angle: 150 deg}           # short for advancing = receding = wet_advancing

drops:
  - {shape: sphere, center: [0, 2 mm, 0], radius: 2 mm, velocity: [0, -1, 0]}

output:
  surface: ply                      # ply | obj | stl | vtp | none
  volume: none                      # vdb | vti | none       (grid solvers)
  particles: none                   # ply | vtp | none
  wetmap: false                     # per-solid wetness
  images: none                      # ray | gl | none        (rendered while running)
  checkpoint_every: 60 s            # wall-clock

camera: {eye: [0, 5 mm, 30 mm], target: [0, 2 mm, 0], up: [0, 1, 0], fov: 35 deg, size: [1280, 720]}
environment: studio                 # studio | sky | an .exr/.hdr file
lights: [{direction: [0, -1, 0], color: [1, 1, 1], strength: 3}]
look: {glass: {color: [1, 1, 1], texture: file.png, roughness: 0.1}}

volume: {}                          # one optional block per solver for its own knobs, all with defaults
surface: {}
apic: {surface_tension_force: ghost}
shallow: {model: level-set}
splash: {}
"""

HEAD = """\
solver: volume
domain: {min: [-60 mm, -10 mm, -60 mm], max: [60 mm, 60 mm, 60 mm], cell: 1 mm}
materials:
  glass: {advancing: 90 deg, receding: 60 deg}
  lotus: {angle: 150 deg}
"""
DROP = "drops: [{shape: sphere, center: [0, 20 mm, 0], radius: 2 mm}]\n"
LEAST = "solver: volume\ndomain: {min: [0, 0, 0], max: [8 mm, 8 mm, 8 mm], cell: 0.5 mm}\n" \
        "drops: [{shape: sphere, center: [4 mm, 4 mm, 4 mm], radius: 2 mm}]\n"

SOLIDS = [
    "{shape: plane, point: [0, 0, 0], normal: [0, 1, 0], material: glass}",
    "{shape: sphere, center: [0, 0, 0], radius: 3 mm, material: glass}",
    "{shape: box, center: [0, 0, 0], size: [4 mm, 1 mm, 4 mm], rotate: {axis: [0, 0, 1], angle: 20 deg}, "
    "material: glass}",
    "{shape: cylinder, from: [-8 mm, 0, 0], to: [8 mm, 0, 0], radius: 2 mm, material: glass}",
    "{shape: tube, from: [0, -5 mm, 0], to: [0, 15 mm, 0], inner_radius: 0.5 mm, outer_radius: 1 mm, "
    "material: glass}",
    "{shape: leaf, center: [0, 0, 0], size: [20 mm, 20 mm], fold: 120 deg, tilt: 15 deg, material: lotus}",
    "{shape: mesh, file: bunny.ply, scale: 0.01, translate: [0, 0, 0], material: glass}",
    "{shape: heightfield, file: ground.csv, min: [0, 0], max: [1 m, 1 m], material: glass}",
    "{shape: heightfield, file: ground.png, height: [0, 5 mm], min: [0, 0], max: [1 m, 1 m], material: glass}",
    "{shape: sphere, radius: 3 mm, name: bottle, movable: true}",
    "{shape: sphere, radius: 30 mm, center: [0, 20 mm, 0], inside_out: true}",
    "{shape: box, size: [4 mm, 1 mm, 4 mm], velocity: [0, 1 cm/s, 0], angular_velocity: [0, 10 deg/s, 0]}",
    "{shape: box, size: [4 mm, 1 mm, 4 mm], keyframes: [{time: 0 s, translate: [0, 0, 0]}, "
    "{time: 1 s, translate: [0, 1 mm, 0], rotate: {axis: [0, 1, 0], angle: 90 deg}}]}",
    "{shape: plane, material: glass, affinity_map: file.png, affinity_material: lotus}",
    "{shape: plane}",
]
DROPS = [
    "{shape: sphere, center: [0, 2 mm, 0], radius: 2 mm, velocity: [0, -1, 0]}",
    "{shape: ellipsoid, center: [0, 2 mm, 0], radii: [2 mm, 1.8 mm, 2 mm]}",
    "{shape: box, min: [0, 0, 0], max: [1 mm, 1 mm, 1 mm]}",
    "{shape: cylinder, from: [-4 mm, 0, 0], to: [4 mm, 0, 0], radius: 1 mm}",
    "{shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 20 mm^3, angle: 90 deg}",
    "{shape: mesh, file: blob.ply}",
    "{shape: scatter, on: window, count: 20, radius: [0.5 mm, 1.5 mm]}",
]
SOURCES = [
    "{shape: disk, center: [0, 40 mm, 0], normal: [0, -1, 0], radius: 2 mm, speed: 0.3 m/s, start: 0 s, stop: inf s}",
    "{shape: drip, at: [0, 40 mm, 0], radius: 2 mm, every: 0.2 s, velocity: [0, 0, 0]}",
    "{shape: rain, min: [-9 mm, 50 mm, -9 mm], max: [9 mm, 50 mm, 9 mm], rate: 50 Hz, radius: [0.5 mm, 1.5 mm], "
    "velocity: [0, -1, 0]}",
    "{shape: condensation, on: bottle, rate: 0.1 mm^3/s, sites: 500}",
]
UNITS = ["duration: 0.5 s", "frame_rate: 60 Hz", "duration: 500 ms", "liquid: {density: 1 g/cm^3}",
         "liquid: {density: 998 kg/m^3, viscosity: 1 mPa s, surface_tension: 73 mN/m}",
         "materials: {a: {angle: 90 deg}}", "materials: {a: {angle: 1.5}}", "materials: {a: {slip: inf}}",
         "materials: {a: {max_receding_tension: none}}", "gravity: [0, -9.81 m/s^2, 0]"]


def right_scenes():
    """(name, scene, arguments)"""
    yield "whole", WHOLE, []
    yield "least", LEAST, []
    for i, text in enumerate(SOLIDS):
        yield f"solid {i}", f"{HEAD}{DROP}solids:\n  - {text}\n", []
    yield "all solids", HEAD + DROP + "solids:\n" + "".join(f"  - {s}\n" for s in SOLIDS), []
    for i, text in enumerate(DROPS):
        yield f"drop {i}", f"{HEAD}solids: [{{shape: plane, name: window}}]\ndrops:\n  - {text}\n", []
    for i, text in enumerate(SOURCES):
        yield f"source {i}", f"{HEAD}solids: [{{shape: sphere, radius: 3 mm, name: bottle}}]\nsources:\n  - {text}\n", []
    yield "sink", HEAD + DROP + "sinks:\n  - {shape: box, min: [0, 0, 0], max: [1 mm, 1 mm, 1 mm]}\n", []
    for liquid in ("water", "glycerol", "ethanol", "mercury", "blood", "milk"):
        yield liquid, LEAST + f"liquid: {liquid}\n", []
    for i, text in enumerate(UNITS):
        yield f"unit {i}", LEAST + text + "\n", []
    yield "cap of 5 ul", HEAD + "drops: [{shape: cap, volume: 5 ul}]\n", []
    for key, values in {"surface": "ply obj stl vtp none", "volume": "vdb vti none", "particles": "ply vtp none",
                        "images": "ray gl none", "wetmap": "true false"}.items():
        for value in values.split():
            yield f"output {key} {value}", LEAST + f"output: {{{key}: {value}}}\n", []
    for side in ("left", "right", "floor", "ceiling", "back", "front", "others"):
        yield f"wall {side}", LEAST.replace("cell:", f"walls: {{{side}: a}}, cell:") + "materials: {a: {}}\n", []
    for solver in ("volume", "surface", "apic", "splash"):
        yield f"solver {solver}", LEAST, ["--solver", solver]
    for solver in ("volume", "apic", "splash"):
        yield f"{solver} in 2", LEAST + "dimensions: 2\n", ["--solver", solver]
    for model in ("finite-difference", "finite-volume", "finite-volume-semi-lagrangian", "level-set"):
        yield f"shallow {model}", LEAST, ["--solver", "shallow", "--set", f"shallow.model={model}"]
    yield "shallow in 1", LEAST + "dimensions: 1\n", ["--solver", "shallow"]
    yield "depth", "solver: shallow\ndomain: {min: [0, 0, 0], max: [3 mm, 3 mm, 3 mm], cell: 1 mm}\n" \
                   "drops: [{shape: depth, file: depth.csv}]\n", []
    yield "set", LEAST + "materials: {glass: {}}\n", ["--set", "materials.glass.advancing=100 deg", "--set",
                                                   "drops[0].radius=3 mm"]


def wrong_scenes():
    """(name, scene, arguments, words)"""
    yield "unit", LEAST.replace("radius: 2 mm", "radius: 2 s"), [], \
        ':3: drops[0].radius: "2 s" is a time, but a length is wanted (such as 2 mm)'
    yield "key", LEAST + "gravty: [0, 0, 0]\n", [], ":4: gravty: unknown key (did you mean gravity?)"
    yield "solver", LEAST.replace("volume", "volune"), [], '(did you mean volume?)'
    yield "shape", LEAST.replace("sphere", "spehre"), [], '(did you mean sphere?)'
    yield "unit name", LEAST.replace("radius: 2 mm", "radius: 2 nmm"), [], '(did you mean mm?)'
    yield "material", HEAD + DROP + "solids: [{shape: plane, material: galss}]\n", [], '(did you mean glass?)'
    yield "honoured", LEAST + "output: {volume: vdb}\n", ["--solver", "surface"], \
        "solver surface does not take output.volume"
    yield "set", LEAST, ["--set", "drops[0].radius=2 s"], "a length is wanted"
    yield "several", LEAST + "gravty: 3\ndurasion: 3\n", [], "duration"
    yield "does not fit", LEAST, ["--solver", "splash", "--set", "domain.cell=1 um"], "would fit"


def ply_cube():
    points = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = [f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))]
    return ("ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
            f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n" +
            "".join(f"{x} {y} {z}\n" for x, y, z in points) + "".join(f"3 {a} {b} {c}\n" for a, b, c in faces))


def png_gray(size=8):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = b"".join(b"\0" + b"".join(struct.pack(">H", 8000 * ((x + y) % 8)) for x in range(size)) for y in range(size))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 16, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


FILES = {
    "bunny.ply": ply_cube().encode(), "blob.ply": ply_cube().encode(), "ground.png": png_gray(), "file.png": png_gray(),
    "ground.csv": b"0,0.001,0\n0.001,0.002,0.001\n0,0.001,0\n", "depth.csv": b"0,0.001,0\n0,0.001,0\n0,0,0\n",
}


# Scenes by name: of those that come with the program, which no folder hides.
FOLDERS = ["pool", "puddle"]
NAMES = [
    ("lotus", 0, "solver "),
    ("pool", 0, "solver "),
    ("./pool", 2, "pool"),
    ("puddle", 2, "puddle: a directory, not a scene"),
    ("lotos", 2, "no such file or bundled scene (did you mean lotus?)"),
]


def main():
    dew, show = os.path.abspath(sys.argv[1]), "--show" in sys.argv
    wrong = count = 0

    def judge(name, scene, arguments, code, words, called="scene.yaml"):
        nonlocal wrong, count
        count += 1
        if scene is not None:
            with open(os.path.join(folder, "scene.yaml"), "w") as f:
                f.write(scene)
        done = subprocess.run([dew, "check", called, *arguments], capture_output=True, text=True, cwd=folder,
                              timeout=120)
        spoken = done.stdout if code == 0 else done.stderr
        lines = done.stderr.splitlines()
        good = done.returncode == code and words in spoken and all(s.startswith("dew: ") for s in lines)
        good = good and (code == 0 or not done.stdout)
        wrong += not good
        if show or not good:
            print(f"{'fine' if good else 'WRONG'}: {name}: exit code {done.returncode}\n{scene if not good else ''}"
                  f"{done.stderr}{done.stdout if not good else ''}")

    with tempfile.TemporaryDirectory() as folder:
        for name in FOLDERS:
            os.mkdir(os.path.join(folder, name))
        for name, data in FILES.items():
            with open(os.path.join(folder, name), "wb") as f:
                f.write(data)
        for name, scene, arguments in right_scenes():
            judge(name, scene, arguments, 0, "solver ")
        for name, scene, arguments, words in wrong_scenes():
            judge(name, scene, arguments, 2, words)
        for name, code, words in NAMES:
            judge(f"called {name}", None, [], code, words, called=name)
        left = sorted(set(os.listdir(folder)) - set(FILES) - set(FOLDERS) - {"scene.yaml"})
        if left:
            wrong += 1
            print(f"left behind: {left}")
    print(f"contract: {count} scenes, {wrong} not as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
