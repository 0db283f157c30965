"""Solids of a run: each mesh once, poses in solids.csv, wetness in the frames in which it changes, all of them in run.pvd.

    python3 tests/solids.py build/dew

A drop slides over a floor while a plate turns and moves above it and a post stands. What the files say is compared with the
motion that the scene prescribes, and a run that was stopped and resumed with one that was not, file by file.
"""
import math
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import _solid_files

FRAMES = 9
RATE = 200
TURN, SPEED = 40.0, 0.1  # of the plate, rad/s and m/s
SCENE = """\
dew: 1
solver: surface
duration: 0.04 s
frame_rate: 200 Hz
domain: {min: [-6 mm, 0, -5 mm], max: [14 mm, 12 mm, 5 mm], cell: 0.8 mm, walls: {floor: paper, others: open}}
gravity: [8, -9.81, 0]
materials: {paper: {angle: 70 deg}}
solids:
  - {shape: sphere, name: post, center: [12 mm, 0, 4 mm], radius: 2 mm, material: paper}
  - {shape: box, name: plate, center: [0, 9 mm, 0], size: [4 mm, 1 mm, 2 mm], material: paper,
     velocity: [0, 0, 0.1], angular_velocity: [0, 40, 0]}
drops: [{shape: cap, point: [-2 mm, 0, 0], volume: 12 mm^3, angle: 70 deg}]
output: OUTPUT
"""
failures = []


def expect(is_so, text):
    if not is_so:
        failures.append(text)


def simulate(dew, folder, name, output, *options):
    scene = folder / f"{name}.yaml"
    scene.write_text(SCENE.replace("OUTPUT", output))
    done = subprocess.run([dew, "run", scene, "-o", folder / name, "--quiet", *options], capture_output=True, text=True, timeout=200)
    if done.returncode != 0 or done.stderr:
        raise SystemExit(f"{name}: exit code {done.returncode}: {done.stderr}")
    return folder / name


def solid_files(run):
    return sorted(path.name for path in (run / "frames").glob("solid.*"))


def check_poses(run):
    poses = _solid_files.poses_of(run)
    expect(sorted(poses) == [(k, "plate") for k in range(FRAMES)], f"poses of {sorted(poses)}")
    mesh, corners = _solid_files.read_values(run / "frames/solid.plate.ply")
    expect(len(corners) == 12, f"the box has {len(corners)} triangles")
    for k in range(FRAMES):
        angle, z = TURN * k / RATE, SPEED * k / RATE
        for p in zip(mesh["x"], mesh["y"], mesh["z"]):
            wanted = (p[0] * math.cos(angle) + p[2] * math.sin(angle), p[1], p[2] * math.cos(angle) - p[0] * math.sin(angle) + z)
            found = _solid_files.placed(poses[k, "plate"], p)
            expect(math.dist(wanted, found) < 1e-9, f"frame {k}: the plate is at {found} instead of {wanted}")


def check_round(run):
    """Facets within a tenth of a cell (0.8 mm) of the sphere: vertices on it, middles of triangles not far below."""
    mesh, corners = _solid_files.read_values(run / "frames/solid.post.ply")
    points = list(zip(mesh["x"], mesh["y"], mesh["z"]))
    middles = [[sum(points[v][a] for v in corner) / 3 for a in range(3)] for corner in corners]
    off = [abs(math.dist(p, (12e-3, 0, 4e-3)) - 2e-3) for p in points]
    deep = [2e-3 - math.dist(p, (12e-3, 0, 4e-3)) for p in middles]
    expect(max(off) < 1e-8, f"vertices of the sphere lie {max(off)} m beside it")
    expect(0 < max(deep) < 0.08e-3 and len(corners) < 4000, f"facets {max(deep)} m below the sphere, {len(corners)} of them")


def check_wetness(run):
    before, changes = None, 0
    for k in range(FRAMES):
        mesh, _ = _solid_files.solid_of_frame(run, "floor", k)
        has_file = (run / "frames" / f"solid.floor.{k:04d}.ply").exists()
        expect(has_file == (k > 0 and mesh["wetness"] != before), f"frame {k}: a file of wetness that did not change, or none")
        expect(before is None or sum(mesh["wetness"]) >= sum(before), f"frame {k}: paper that dries")
        changes += has_file
        before = mesh["wetness"]
    expect(changes > 1 and 0 < sum(before) < 0.5 * len(before), f"{changes} changes, {sum(before)} of {len(before)} wet")
    post = [name for name in solid_files(run) if "post" in name and name.endswith("ply")]
    expect(post == ["solid.post.ply"], f"the dry post: {post}")


def check_list(run, has_wetness):
    """run.pvd names for each frame and solid a file that is there, the last one that changed."""
    entries = xml.etree.ElementTree.parse(run / "run.pvd").findall(".//DataSet")
    names = {entry.get("name") for entry in entries}
    expect(names == {"surface", "solid.post", "solid.plate", "solid.floor"}, f"names in run.pvd: {names}")
    expect(len(entries) == 4 * FRAMES, f"{len(entries)} entries in run.pvd")
    for entry in entries:
        frame, file = round(RATE * float(entry.get("timestep"))), entry.get("file")
        expect((run / file).exists(), f"run.pvd names {file}, which is not there")
        if entry.get("name") == "solid.plate":
            expect(file == f"frames/solid.plate.{frame:04d}.vtp", f"frame {frame} of the plate: {file}")
        if entry.get("name") == "solid.floor":
            listed = [k for k in range(frame + 1) if (run / "frames" / f"solid.floor.{k:04d}.vtp").exists()]
            expect(file == (f"frames/solid.floor.{listed[-1]:04d}.vtp" if has_wetness else "frames/solid.floor.vtp"),
                   f"frame {frame} of the floor: {file}")


def check_resume(dew, folder, whole, output):
    simulate(dew, folder, "resumed", output, "--until", "20 ms")
    run = simulate(dew, folder, "resumed", output, "--resume")
    for path in sorted([*whole.glob("frames/*"), whole / "solids.csv", whole / "run.pvd"]):
        other = run / path.relative_to(whole)
        expect(other.exists() and other.read_bytes() == path.read_bytes(), f"{path.name} of the resumed run differs, or is not there")
    expect(solid_files(run) == solid_files(whole), f"files of the resumed run: {solid_files(run)}")


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="dew-solids-") as name:
        folder = pathlib.Path(name)
        wet = simulate(dew, folder, "wet", "{wetmap: true, surface: vtp}")
        check_wetness(wet)
        check_list(wet, True)
        dry = simulate(dew, folder, "dry", "{surface: vtp}")
        check_poses(dry)
        check_round(dry)
        check_list(dry, False)
        expect(not list((dry / "frames").glob("solid.floor.0*")), "numbered files of a dry floor")
        check_resume(dew, folder, wet, "{wetmap: true, surface: vtp}")
        plain = simulate(dew, folder, "plain", "{surface: ply}")
        expect(solid_files(plain) == [f"solid.{s}.ply" for s in ("floor", "plate", "post")], f"with PLY: {solid_files(plain)}")
        none = simulate(dew, folder, "none", "{solids: false}")
        expect(not solid_files(none) and not (none / "solids.csv").exists(), f"with solids: false: {solid_files(none)}")
        lazy = simulate(dew, folder, "lazy", "{surface: none}")
        expect(not (lazy / "frames").exists() and not (lazy / "solids.csv").exists(), "solids without any other file")
    print("\n".join(failures) or "solids: all as described")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
