"""Volumes that Dew writes, OpenVDB reads: names, classes, transform, each voxel; in space and in the plane.

    /usr/bin/python3 tests/read_by_openvdb.py build/dew

Needs Debian's python3-openvdb; says so and exits with 77 where it is missing.
"""
import math
import pathlib
import subprocess
import sys
import tempfile

try:
    import pyopenvdb
except ImportError as missing:
    print(f"read_by_openvdb: skipped, {missing} (Debian: python3-openvdb)")
    sys.exit(77)

# A ball in flight, far from the origin so that leaves lie below several nodes, on both sides of 0.
SCENE = """
solver: volume
dimensions: {dimensions}
duration: 1 ms
frame_rate: 1 kHz
gravity: [0, 0, 0]
domain: {{min: [-2 mm, -2 mm, -2 mm], max: [300 mm, 2 mm, 2 mm], cell: 0.2 mm}}
drops:
  - {{shape: sphere, center: [0.1 mm, 0.2 mm, {z}], radius: 0.9 mm, velocity: [0.1, -0.2, {w}]}}
  - {{shape: sphere, center: [290.1 mm, 0.2 mm, {z}], radius: 0.9 mm, velocity: [0.1, -0.2, {w}]}}
output: {{volume: vdb}}
"""


def require(good, words):
    if not good:
        raise AssertionError(words)


def check(dew, folder, dimensions):
    z, w = (0.3e-3, 0.3) if dimensions == 3 else (0.0, 0.0)
    (folder / "balls.yaml").write_text(SCENE.format(dimensions=dimensions, z=f"{1e3 * z} mm", w=w))
    run = folder / f"run_{dimensions}"
    subprocess.run([dew, "run", folder / "balls.yaml", "-o", run, "--quiet"], check=True, timeout=120)
    frames = sorted((run / "frames").glob("volume.*.vdb"))
    require([f.name for f in frames] == ["volume.0000.vdb", "volume.0001.vdb"], f"frames {frames}")
    for frame in frames:
        grids, metadata = pyopenvdb.readAll(str(frame))
        units = {g.name: g.metadata["unit"] for g in grids}
        require(units == {"phi": "m", "velocity": "m/s", "level_set": "m", "solid": "m"}, f"grids {units}")
        number = int(frame.name.split(".")[1])
        expected = {"frame": number, "frame_rate": 1000, "length_unit": "m", "time": number / 1000}
        require(metadata == expected, f"metadata {metadata}")
    phi, velocity = (pyopenvdb.read(str(frames[0]), name) for name in ("phi", "velocity"))
    require(phi.gridClass == "level set", f"class {phi.gridClass}")
    require(all(abs(s - 2e-4) < 1e-15 for s in phi.transform.voxelSize()), "size of voxels")
    require(phi.background > 4e-4, f"background {phi.background}")
    flow, near, inside = velocity.getConstAccessor(), 0, 0
    for voxel in phi.citerOnValues():
        require(voxel.count == 1, "a tile")
        x = phi.transform.indexToWorld(voxel.min)
        axes = slice(0, dimensions)
        distance = min(math.dist(x[axes], (c, 2e-4, z)[axes]) for c in (0.1e-3, 290.1e-3)) - 0.9e-3
        if abs(distance) < 0.5e-3:
            near += 1
            require(abs(voxel.value - distance) < 1e-7, f"phi at {x}: {voxel.value}, not {distance}")
        if distance < 0:
            inside += 1
            u = flow.getValue(voxel.min)
            require(math.dist(u, (0.1, -0.2, w)) < 1e-6, f"velocity at {x}: {u}")
    require(near > (1000 if dimensions == 3 else 60), f"{near} voxels near the surface")
    require(inside > (500 if dimensions == 3 else 60), f"{inside} voxels in the liquid")
    return phi.activeVoxelCount()


def check_half(dew, folder):
    """Houdini's names and half precision: OpenVDB reads each voxel rounded to 11 bits, in a file of two thirds of the size (masks stay)."""
    (folder / "half.yaml").write_text(SCENE.format(dimensions=3, z="0.3 mm", w=0.3))
    runs = {}
    for name, options in (("full", []), ("half", ["--set", "output.half=true", "--set", "output.volume_names=houdini"])):
        runs[name] = folder / name / "frames/volume.0001.vdb"
        subprocess.run([dew, "run", folder / "half.yaml", "-o", folder / name, "--quiet", *options], check=True, timeout=120)
    grids = {name: {g.name: g for g in pyopenvdb.readAll(str(path))[0]} for name, path in runs.items()}
    require(sorted(grids["half"]) == ["level_set", "solid", "surface", "vel"], f"grids {sorted(grids['half'])}")
    for name, whole in (("surface", "phi"), ("vel", "velocity"), ("level_set", "level_set")):
        half, full = grids["half"][name], grids["full"][whole].getConstAccessor()
        require(half.metadata["is_saved_as_half_float"] and half.saveFloatAsHalf, f"{name} is not said to be half")
        require(half.activeVoxelCount() == grids["full"][whole].activeVoxelCount(), f"active voxels of {name}")
        for voxel in half.citerOnValues():
            value, exact = voxel.value, full.getValue(voxel.min)
            for a, b in zip(value, exact) if isinstance(value, tuple) else ((value, exact),):
                require(abs(a - b) <= max(abs(b) * 2 ** -11, 2 ** -25), f"{name} at {voxel.min}: {a}, not {b}")
    sizes = [runs[name].stat().st_size for name in ("half", "full")]
    require(sizes[0] < 0.7 * sizes[1], f"{sizes[0]} bytes of {sizes[1]}")
    text = (folder / "half.yaml").read_text().replace(" mm", " um").replace("{volume: vdb}", "{volume: vdb, half: true}")
    (folder / "fine.yaml").write_text(text.replace("300 um", "4 um").replace("290.1 um", "2 um").replace("0.2 um,", "1 um,").replace("cell: 0.2", "cell: 0.25"))
    fine = subprocess.run([dew, "run", folder / "fine.yaml", "-o", folder / "fine", "--quiet"], capture_output=True, text=True, timeout=120)
    require(fine.returncode == 2 and "output.half" in fine.stderr, f"cells of 1 um: {fine.returncode}, {fine.stderr}")
    return sizes[0] / sizes[1]


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="dew-vdb-") as name:
        counts = [check(dew, pathlib.Path(name), dimensions) for dimensions in (2, 3)]
        size = check_half(dew, pathlib.Path(name))
    print(f"read_by_openvdb: {counts[0]} voxels in the plane and {counts[1]} in space are as written, {100 * size:.0f} % in half precision")


if __name__ == "__main__":
    main()
