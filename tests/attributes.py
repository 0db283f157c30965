"""Attributes of surface frames: drop, age, curvature, and velocity as a vector where the format has vectors.

    python3 tests/attributes.py build/dew

Two drops meet while a third falls. What the vertices say is compared with drops.csv: the triangles of one id enclose that drop's
volume, its age is the time since its first row, and a ball that nothing has touched yet has the curvature 1 / R.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

import _solid_files

RADIUS = 1.2e-3
SCENE = """\
dew: 1
solver: surface
duration: 0.03 s
frame_rate: 200 Hz
gravity: [0, 0, 0]
domain: {min: [-6 mm, -6 mm, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 0.4 mm}
drops:
  - {shape: sphere, center: [-1.4 mm, 0, 0], radius: 1.2 mm, velocity: [0.1, 0, 0]}
  - {shape: sphere, center: [1.4 mm, 0, 0], radius: 1.2 mm, velocity: [-0.1, 0, 0]}
  - {shape: sphere, center: [0, 4 mm, 0], radius: 1.2 mm}
output: OUTPUT
"""
ALL = "attributes: [drop, age, curvature]"
failures = []


def expect(is_so, text):
    if not is_so:
        failures.append(text)


def simulate(dew, folder, name, output, *options):
    (folder / f"{name}.yaml").write_text(SCENE.replace("OUTPUT", f"{{{output}}}"))
    command = [dew, "run", folder / f"{name}.yaml", "-o", folder / name, "--quiet", *options]
    subprocess.run(command, check=True, timeout=200)
    return folder / name


def drop_rows(run):
    with open(run / "drops.csv", newline="") as file:
        return [{**row, "frame": int(row["frame"]), "id": int(row["id"])} for row in csv.DictReader(file)]


def volume_of(points, corners):
    total = 0.0
    for a, b, c in ((points[i], points[j], points[k]) for i, j, k in corners):
        total += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    return total / 6


def check_frame(run, rows, births, frame):
    mesh, corners = _solid_files.read_values(run / f"frames/surface.{frame:04d}.ply")
    points = list(zip(mesh["x"], mesh["y"], mesh["z"]))
    now = [row for row in rows if row["frame"] == frame]
    expect(set(mesh["drop"]) == {row["id"] for row in now}, f"frame {frame}: drops {set(mesh['drop'])}")
    for row in now:
        mine = [c for c in corners if mesh["drop"][c[0]] == row["id"]]
        expect(all(mesh["drop"][v] == row["id"] for c in mine for v in c), f"frame {frame}: a triangle of two drops")
        error = volume_of(points, mine) / float(row["volume"]) - 1
        expect(abs(error) < 1e-5, f"frame {frame}: drop {row['id']} has {error:+.2g} of its volume")
        ages = {age for age, drop in zip(mesh["age"], mesh["drop"]) if drop == row["id"]}
        wanted = float(row["time"]) - births[row["id"]]
        expect(len(ages) == 1 and abs(ages.pop() - wanted) < 1e-7, f"frame {frame}: age of drop {row['id']}, {wanted} wanted")
    return mesh


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="dew-attributes-") as name:
        folder = pathlib.Path(name)
        run = simulate(dew, folder, "all", ALL)
        rows, births = drop_rows(run), {}
        for row in rows:
            births.setdefault(row["id"], float(row["time"]))
        expect(len(births) == 4 and 0 < max(births.values()) < 0.03, f"births: {births}")
        meshes = [check_frame(run, rows, births, frame) for frame in range(7)]
        off = max(abs(h * RADIUS - 1) for h in meshes[0]["curvature"])
        expect(off < (0.4e-3 / RADIUS) ** 2, f"curvature of balls: {off:+.3f} of 1 / R")
        last = {d: [h for h, drop in zip(meshes[6]["curvature"], meshes[6]["drop"]) if drop == d] for d in births}
        expect(max(last[4]) > 2 * abs(sum(last[3]) / len(last[3])) or min(last[4]) < 0, "the merged drop is a ball already")
        simulate(dew, folder, "again", ALL, "--until", "20 ms")
        again = simulate(dew, folder, "again", ALL, "--resume")
        for frame in range(7):
            path = f"frames/surface.{frame:04d}.ply"
            expect((run / path).read_bytes() == (again / path).read_bytes(), f"{path} of a resumed run differs")
        usual = list(_solid_files.read_values(simulate(dew, folder, "usual", "surface: ply") / "frames/surface.0001.ply")[0])
        expect(usual == ["x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz", "wet", "drop"], f"by default: {usual}")
        lazy = list(_solid_files.read_values(simulate(dew, folder, "lazy", "drops: none, " + ALL) / "frames/surface.0001.ply")[0])
        expect(lazy[-2:] == ["wet", "curvature"], f"without drops: {lazy}")
        vtp = (simulate(dew, folder, "vtp", "surface: vtp, " + ALL) / "frames/surface.0001.vtp").read_bytes()[:4000].decode(errors="replace")
        for array in ('"velocity" NumberOfComponents="3"', '"Normals" NumberOfComponents="3"', '"drop" NumberOfComponents="1"',
                      '"age" NumberOfComponents="1"', '"curvature" NumberOfComponents="1"', '"wet" NumberOfComponents="1"'):
            expect(f"Name={array}" in vtp, f"VTP without {array}")
        for format_ in ("obj", "stl"):
            simulate(dew, folder, format_, f"surface: {format_}, " + ALL)
    print("\n".join(failures) or "attributes: all as drops.csv has it")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
