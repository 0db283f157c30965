"""Every bundled scene runs, keeps its volume, and writes sound meshes.

    python3 tests/scenes.py build/dew [NAME]... [--whole] [--keep FOLDER]

Runs the first frames of each scene, enough to see its first events (--whole: to the end, which takes
minutes). Then, in every row of stats.csv, the volume must be what the start, the sources and the sinks
account for; and in every frame the surface must be

- closed and manifold: each edge belongs to two triangles, and the triangles about a vertex form one fan;
- oriented: the two triangles run through their edge in opposite directions;
- right side out: each connected piece encloses a positive volume;
- as large as the table says.
"""
import argparse
import array
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import time

FRAMES = 3 if os.environ.get("DEW_SANITIZED") else 10
# Scenes in which what matters comes later or earlier than that.
FRAMES_OF = {"bar": 20, "drop_on_glass": 20, "lotus": 20, "window": 23} if FRAMES > 3 else {}
ALLOWED_ERROR = {"surface": 1e-6, "rigid": 1e-6}
ALLOWED_ERROR_OTHERS = 1e-3
# Frames hold single precision: 6e-8 of a coordinate of 0.1 m, over a drop's 0.1 mm.
ALLOWED_ROUNDING = 2e-4


def planned(plan, line, at):
    """A word of the plan that `dew check` prints."""
    for words in (text.split() for text in plan.splitlines()):
        if words and words[0] == line:
            return words[at].rstrip(",")
    return None


def read_ply(path):
    """Positions as a flat array, triangles as a flat array of indices. As Dew writes them: binary."""
    data = path.read_bytes()
    end = data.index(b"end_header\n") + len(b"end_header\n")
    counts, stride = {}, 0
    for line in data[:end].decode().splitlines():
        words = line.split()
        if words[0] == "element":
            counts[words[1]] = int(words[2])
        elif words[0] == "property" and words[1] == "float":
            stride += 1
    vertices = array.array("f", data[end:end + 4 * stride * counts["vertex"]])
    at = end + 4 * stride * counts["vertex"]
    assert len(data) == at + 13 * counts["face"], f"{path}: not as long as its header says"
    corners = array.array("i")
    corners.frombytes(b"".join(data[i + 1:i + 13] for i in range(at, len(data), 13)))
    xyz = [vertices[i::stride] for i in range(3)] if stride else [[], [], []]
    return xyz, corners


def topology(count, a, b, c):
    """What is wrong with the connections; empty when nothing is. Corners of the triangles in a, b, c."""
    after = {}  # at vertex p, the triangle that begins with q ends with r
    for p, q, r in ((a, b, c), (b, c, a), (c, a, b)):
        after.update(zip(map(lambda i, j: i * count + j, p, q), r))
    if len(after) != 3 * len(a):
        return "an edge is run through twice in one direction"
    fans = [0] * count
    while after:
        key, at = after.popitem()
        p, q = divmod(key, count)
        fans[p] += 1
        while at != q:
            at = after.pop(p * count + at, None)
            if at is None:
                return f"the triangles about vertex {p} do not close"
    wrong = next((i for i, n in enumerate(fans) if n != 1), None)
    return "" if wrong is None else f"vertex {wrong} has {fans[wrong]} fans of triangles"


def volumes(xyz, a, b, c):
    """Enclosed volume of each connected piece."""
    x, y, z = xyz
    root = list(range(len(x)))

    def find(i):
        while root[i] != i:
            root[i] = root[root[i]]
            i = root[i]
        return i

    for i, j, k in zip(a, b, c):
        i = find(i)
        root[find(j)] = i
        root[find(k)] = i
    sums = {}
    for i, j, k in zip(a, b, c):
        o = find(i)
        # About a vertex of the piece: products of small numbers round less.
        ox, oy, oz = x[o], y[o], z[o]
        ix, iy, iz = x[i] - ox, y[i] - oy, z[i] - oz
        jx, jy, jz = x[j] - ox, y[j] - oy, z[j] - oz
        kx, ky, kz = x[k] - ox, y[k] - oy, z[k] - oz
        sums[o] = sums.get(o, 0.0) + (ix * (jy * kz - jz * ky) + iy * (jz * kx - jx * kz) +
                                      iz * (jx * ky - jy * kx)) / 6
    return list(sums.values())


def frame_fault(path, expected_m3):
    xyz, corners = read_ply(path)
    a, b, c = corners[0::3], corners[1::3], corners[2::3]
    fault = topology(len(xyz[0]), a, b, c)
    if fault:
        return f"{path.name}: {fault}"
    each = volumes(xyz, a, b, c)
    rounding = ALLOWED_ROUNDING * max(expected_m3 / max(len(each), 1), 1e-12)
    if each and min(each) < -rounding:
        return f"{path.name}: a drop is inside out ({min(each):.3g} m^3)"
    if abs(sum(each) - expected_m3) > ALLOWED_ROUNDING * max(expected_m3, 1e-12):
        return f"{path.name}: encloses {sum(each):.6g} m^3, the table says {expected_m3:.6g}"
    return ""


def faults(run, solver, period_s):
    """All that is wrong with a run directory."""
    rows = list(csv.DictReader((run / "stats.csv").open()))
    allowed = ALLOWED_ERROR.get(solver, ALLOWED_ERROR_OTHERS)
    wrong = [f"volume_error {row['volume_error']} at t = {row['time']} s, {row['drops']} drops"
             for row in rows if not abs(float(row["volume_error"])) <= allowed]
    times = [float(row["time"]) for row in rows]
    for path in sorted((run / "frames").glob("surface.*.ply")):
        index = int(path.name.split(".")[1])
        at = min(range(len(rows)), key=lambda i: abs(times[i] - index * period_s))
        fault = frame_fault(path, float(rows[at]["volume"]))
        wrong += [fault] if fault else []
    return wrong


def run_scene(dew, name, folder, whole):
    """(seconds, faults); None where this build has no such solver."""
    run = folder / name
    plan = subprocess.run([dew, "check", name], capture_output=True, text=True, timeout=60)
    if plan.returncode != 0:
        return 0, [f"dew check: {plan.stderr.strip()}"]
    if "not in this build" in plan.stdout:
        return None
    solver, count = planned(plan.stdout, "solver", 1), int(planned(plan.stdout, "frames", 1))
    period_s = float(planned(plan.stdout, "frames", 4))
    last = count - 1 if whole else min(count - 1, FRAMES_OF.get(name, FRAMES))
    begun = time.monotonic()
    done = subprocess.run([dew, "run", name, "-o", run, "--quiet", "--until", f"{last * period_s!r} s"],
                          capture_output=True, text=True, timeout=1800 if whole else 250)
    if not (run / "stats.csv").exists():
        return 0, [f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"]
    wrong = faults(run, solver, period_s)
    if done.returncode != 0:
        wrong.insert(0, f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    return time.monotonic() - begun, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("dew")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER")
    arguments = parser.parse_args()
    arguments.dew = os.path.abspath(arguments.dew)
    names = arguments.names or subprocess.run(
        [arguments.dew, "scenes", "--names"], capture_output=True, text=True, check=True).stdout.split()
    bad = 0
    with tempfile.TemporaryDirectory(prefix="dew_scenes.") as scratch:
        folder = pathlib.Path(arguments.keep or scratch).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        empty = pathlib.Path(scratch) / "empty"  # names of scenes must not be files of the user's
        empty.mkdir()
        os.chdir(empty)
        for name in names:
            result = run_scene(arguments.dew, name, folder, arguments.whole)
            if result is None:
                print(f"{name:32} not in this build")
                continue
            seconds, wrong = result
            bad += bool(wrong)
            print(f"{name:32} {seconds:6.1f} s  {'ok' if not wrong else wrong[0]}"
                  f"{f' (and {len(wrong) - 1} more)' if len(wrong) > 1 else ''}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
