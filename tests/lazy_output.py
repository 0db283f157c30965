"""Output that is asked for, and nothing else: height frames in each format read back, output.surface: none, output.drops.

    /usr/bin/python3 tests/lazy_output.py build/dew

The bundled scene dam_break on a coarse grid, its first frames. The CSV is the reference: the NPY must hold its numbers to the bit (read
by hand, and by numpy.load where numpy is there), the VTI likewise (read by VTK where that is there: Debian's python3-vtk9). With
surface: none nothing but the tables is written, and drops.csv has rows only where output.drops or the solver gives them; stats.csv
is the same in all cases but for its clock.
"""
import ast
import csv
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    numpy = None
try:
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader
except ImportError:
    vtkXMLImageDataReader = None

COARSE = ["--set", "domain.cell=10cm", "--until", "0.2 s"]
COLUMNS, ROWS, FRAMES = 40, 20, 7  # 4 m by 2 m; 30 frames per second and the one at the start
NAMES = ["x", "z", "ground", "depth", "velocity_x", "velocity_z", "distance"]
wrong = []


def check(is_right, what):
    if not is_right:
        wrong.append(what)


def run(dew, folder, scene, *settings, options=()):
    words = [word for setting in settings for word in ("--set", setting)]
    subprocess.run([dew, "run", scene, "-o", folder, "--quiet", *options, *words], check=True, timeout=300)
    return folder


def singles(path):
    """All numbers of a CSV, as the nearest numbers of single precision."""
    with open(path, newline="") as file:
        rows = csv.reader(file)
        check(next(rows) == NAMES, f"{path.name}: its header")
        return [struct.unpack("<7f", struct.pack("<7f", *map(float, row))) for row in rows]


def read_npy(path):
    """By the description of the format: magic, version, length, a Python dictionary, the numbers."""
    data = path.read_bytes()
    check(data[:8] == b"\x93NUMPY\x01\x00", f"{path.name}: its magic")
    size = struct.unpack("<H", data[8:10])[0]
    check((10 + size) % 64 == 0 and data[10 + size - 1:10 + size] == b"\n", f"{path.name}: its header ends at {10 + size}")
    header = ast.literal_eval(data[10:10 + size].decode())
    check(header == {"descr": "<f4", "fortran_order": False, "shape": (ROWS, COLUMNS, 7)}, f"{path.name}: {header}")
    return list(struct.iter_unpack("<7f", data[10 + size:]))


def read_vti(path, time):
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    image = reader.GetOutput()
    check(image.GetDimensions() == (COLUMNS, 1, ROWS), f"{path.name}: {image.GetDimensions()} points")
    found = image.GetFieldData().GetArray("TimeValue").GetValue(0)
    check(abs(found - time) < 1e-12, f"{path.name}: at {found} s instead of {time} s")
    values = {name: image.GetPointData().GetArray(name) for name in ("ground", "depth", "velocity", "distance")}
    rows = []
    for n in range(image.GetNumberOfPoints()):
        x, _, z = image.GetPoint(n)
        u, v, w = values["velocity"].GetTuple3(n)
        check(v == 0, f"{path.name}: a velocity upwards")
        rows.append((x, z, values["ground"].GetValue(n), values["depth"].GetValue(n), u, w, values["distance"].GetValue(n)))
    return rows


def is_near(a, b):
    return abs(a - b) <= 1e-6  # of a place: VTK has origin and spacing, the table single precision


def compare_formats(dew, scratch):
    runs = {form: run(dew, scratch / form, "dam_break", f"output.height={form}", options=COARSE) for form in ("csv", "npy", "vti")}
    for k in range(FRAMES):
        name = f"frames/height.{k:04d}."
        expected = singles(runs["csv"] / (name + "csv"))
        check(len(expected) == ROWS * COLUMNS, f"{name}csv has {len(expected)} rows")
        check(read_npy(runs["npy"] / (name + "npy")) == expected, f"{name}npy differs from the table")
        if numpy is not None:
            array = numpy.load(runs["npy"] / (name + "npy"))
            check(array.shape == (ROWS, COLUMNS, 7) and array.dtype == numpy.float32, f"{name}npy: {array.shape}, {array.dtype}")
            check((array == numpy.array(expected, dtype=numpy.float32).reshape(array.shape)).all(), f"{name}npy differs by numpy")
        if vtkXMLImageDataReader is not None:
            found = read_vti(runs["vti"] / (name + "vti"), k / 30)
            check(all(is_near(a[0], b[0]) and is_near(a[1], b[1]) and a[2:] == b[2:] for a, b in zip(found, expected))
                  and len(found) == len(expected), f"{name}vti differs from the table")
    for form, folder in runs.items():
        found = sorted(path.suffix for path in (folder / "frames").glob("height.*"))
        check(found == ["." + form] * FRAMES, f"output.height={form} wrote {found}")
    return runs["csv"]


def rows_of(folder, table, without=()):
    with open(folder / table, newline="") as file:
        return [{key: value for key, value in row.items() if key not in without} for row in csv.DictReader(file)]


def frames_of(folder):
    return sorted(path.name for path in (folder / "frames").glob("*")) if (folder / "frames").is_dir() else []


def compare_drops(dew, scratch, full):
    none = run(dew, scratch / "none", "dam_break", "output.surface=none", options=COARSE)
    drops = run(dew, scratch / "drops", "dam_break", "output.surface=none", "output.drops=csv", options=COARSE)
    without = run(dew, scratch / "without", "dam_break", "output.drops=none", options=COARSE)
    for folder in (none, drops, without):
        check(rows_of(folder, "stats.csv", ["cpu_s"]) == rows_of(full, "stats.csv", ["cpu_s"]), f"{folder.name}: another stats.csv")
    check(frames_of(none) == [] and frames_of(drops) == [], f"surface: none wrote {frames_of(none)} and {frames_of(drops)}")
    check(rows_of(none, "drops.csv") == [], "surface: none: rows in drops.csv")
    check(len(rows_of(full, "drops.csv")) >= FRAMES, "no rows in drops.csv by default")
    check(rows_of(drops, "drops.csv") == rows_of(full, "drops.csv"), "output.drops: csv with surface: none: other rows")
    check(rows_of(without, "drops.csv") == [], "output.drops: none: rows in drops.csv")
    check(frames_of(without) == frames_of(full), f"output.drops: none wrote {frames_of(without)}")
    forced = run(dew, scratch / "forced", "dam_break", "output.surface=none", "output.height=csv", options=COARSE)
    heights = [name for name in frames_of(forced) if not name.startswith("solid.")]
    check(heights == [f"height.{k:04d}.csv" for k in range(FRAMES)], f"output.height: csv wrote {heights}")
    for name in frames_of(forced):
        check((forced / "frames" / name).read_bytes() == (full / "frames" / name).read_bytes(), f"{name} differs without a surface")


def compare_meshes(dew, scratch):
    """The drops of the solver surface are meshes already: their rows cost nothing and are always there."""
    options = ["--until", "0.1 s", "--set", "drops[0].count=30"]
    ply = run(dew, scratch / "window_ply", "window", options=options)
    none = run(dew, scratch / "window_none", "window", "output.surface=none", options=options)
    found, expected = rows_of(none, "drops.csv"), rows_of(ply, "drops.csv")
    check(len(expected) >= 4 * 20 and len(found) == len(expected), f"window: {len(found)} rows instead of {len(expected)}")
    for a, b in zip(found, expected):
        same = a["id"] == b["id"] and a["parents"] == b["parents"]
        volumes = float(a["volume"]), float(b["volume"])
        check(same and abs(volumes[0] / volumes[1] - 1) <= 1e-4, f"window: drop {a['id']} in frame {a['frame']}: {volumes}")


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="dew-lazy-") as name:
        scratch = pathlib.Path(name)
        full = compare_formats(dew, scratch)
        compare_drops(dew, scratch, full)
        compare_meshes(dew, scratch)
    print("\n".join(wrong[:20]))
    missing = [word for word, module in (("numpy", numpy), ("VTK", vtkXMLImageDataReader)) if module is None]
    print(f"lazy_output: {len(wrong)} wrong{', without ' + ' and '.join(missing) if missing else ''}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
