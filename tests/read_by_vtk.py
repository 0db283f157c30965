"""What Dew writes, VTK reads, and the other way round: same points, triangles and attributes.

    /usr/bin/python3 tests/read_by_vtk.py build/dew

Needs Debian's python3-vtk9; says so and exits with 77 where it is missing.
"""
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

try:
    from vtkmodules.vtkCommonCore import vtkFloatArray, vtkIdList, vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
    from vtkmodules.vtkIOGeometry import vtkOBJReader, vtkSTLReader, vtkSTLWriter
    from vtkmodules.vtkIOPLY import vtkPLYReader, vtkPLYWriter
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader, vtkXMLPolyDataWriter
except ImportError as missing:
    print(f"read_by_vtk: skipped, {missing} (Debian: python3-vtk9)")
    sys.exit(77)

RINGS, SEGMENTS = 12, 20
SCALARS = ["wet", "age"]
VECTORS = {"Normals": ["nx", "ny", "nz"], "velocity": ["vx", "vy", "vz"],
           "force": ["force_x", "force_y", "force_z"]}
READERS = {"ply": vtkPLYReader, "obj": vtkOBJReader, "stl": vtkSTLReader, "vtp": vtkXMLPolyDataReader}


def single(x):
    """The nearest number of single precision."""
    return struct.unpack("f", struct.pack("f", x))[0]


def make_mesh():
    """A bumpy closed sphere: points, triangles, attributes by name, all as single precision has them."""
    points = [(0.0, 0.0, 1.0)]
    for ring in range(1, RINGS):
        theta = math.pi * ring / RINGS
        for segment in range(SEGMENTS):
            phi = 2 * math.pi * segment / SEGMENTS
            r = 1e-3 * (1 + 0.1 * math.sin(3 * phi) * math.sin(theta))
            points.append((r * math.sin(theta) * math.cos(phi), r * math.sin(theta) * math.sin(phi),
                           r * math.cos(theta)))
    points[0] = (0.0, 0.0, 1e-3)
    points.append((0.0, 0.0, -1e-3))
    last = len(points) - 1
    at = lambda ring, segment: 1 + (ring - 1) * SEGMENTS + segment % SEGMENTS
    triangles = []
    for s in range(SEGMENTS):
        triangles.append((0, at(1, s), at(1, s + 1)))
        triangles.append((at(RINGS - 1, s), last, at(RINGS - 1, s + 1)))
        for ring in range(1, RINGS - 1):
            a, b, c, d = at(ring, s), at(ring + 1, s), at(ring + 1, s + 1), at(ring, s + 1)
            triangles += [(a, b, c), (a, c, d)]
    names = SCALARS + [name for vector in VECTORS.values() for name in vector]
    attributes = {name: [single(math.sin(i * (k + 1))) for i in range(len(points))]
                  for k, name in enumerate(names)}
    return [tuple(map(single, p)) for p in points], triangles, attributes


def write_ply(path, points, triangles, attributes):
    """By hand, so that Dew's own writer has no part in it."""
    header = ["ply", "format ascii 1.0", f"element vertex {len(points)}"]
    header += [f"property float {name}" for name in ["x", "y", "z", *attributes]]
    header += [f"element face {len(triangles)}", "property list uchar int vertex_indices", "end_header"]
    rows = [" ".join(f"{x:.9g}" for x in [*p, *(values[i] for values in attributes.values())])
            for i, p in enumerate(points)]
    rows += [f"3 {a} {b} {c}" for a, b, c in triangles]
    path.write_text("\n".join(header + rows) + "\n")


def convert(dew, source, target, *options):
    subprocess.run([dew, "convert", *options, source, target], check=True, timeout=60,
                   stderr=subprocess.DEVNULL)


def read(path):
    reader = READERS[path.suffix[1:]]()
    reader.SetFileName(str(path))
    if path.suffix == ".stl":
        reader.MergingOff()
    reader.Update()
    return reader.GetOutput()


def triangles_of(data):
    cells, ids, triangles = data.GetPolys(), vtkIdList(), []
    for i in range(cells.GetNumberOfCells()):
        cells.GetCellAtId(i, ids)
        triangles.append(tuple(ids.GetId(k) for k in range(ids.GetNumberOfIds())))
    return triangles


def tuples_of(array):
    return [array.GetTuple(i) for i in range(array.GetNumberOfTuples())]


def require(condition, words):
    if not condition:
        raise AssertionError(words)


def require_same(found, expected, allowed, what):
    """Lists of tuples; `allowed`: relative error of a number (0: the same number)."""
    require(len(found) == len(expected), f"{len(found)} {what} instead of {len(expected)}")
    for i, (a, b) in enumerate(zip(found, expected)):
        good = len(a) == len(b) and all(abs(x - y) <= allowed * abs(y) for x, y in zip(a, b))
        require(good, f"{what} {i}: {a} instead of {b}")


def check(path, mesh, allowed):
    """Compares what VTK reads with the mesh."""
    points, triangles, attributes = mesh
    data = read(path)
    found = tuples_of(data.GetPoints().GetData())
    if path.suffix == ".stl":
        require_same([found[i] for t in triangles_of(data) for i in t],
                     [points[i] for t in triangles for i in t], allowed, "corners")
        return
    require_same(found, points, allowed, "points")
    require(triangles_of(data) == triangles, "triangles differ")
    normals = data.GetPointData().GetNormals()
    require(normals is not None, "no normals")
    vectors = {vector: list(zip(*(attributes[name] for name in names)))
               for vector, names in VECTORS.items()}
    require_same(tuples_of(normals), vectors["Normals"], allowed, "normals")
    if path.suffix != ".vtp":
        return  # VTK reads no other attributes of PLY and OBJ
    for name in SCALARS:
        array = data.GetPointData().GetArray(name)
        require(array is not None, f"no {name}")
        require_same(tuples_of(array), [(x,) for x in attributes[name]], allowed, name)
    for vector, expected in vectors.items():
        array = data.GetPointData().GetArray(vector)
        require(array is not None, f"no {vector}")
        require_same(tuples_of(array), expected, allowed, vector)


def vtk_mesh(mesh):
    points, triangles, attributes = mesh
    data, coordinates, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
    for p in points:
        coordinates.InsertNextPoint(*p)
    for t in triangles:
        cells.InsertNextCell(3)
        for i in t:
            cells.InsertCellPoint(i)
    data.SetPoints(coordinates)
    data.SetPolys(cells)
    for vector, names in VECTORS.items():
        array = vtkFloatArray()
        array.SetName(vector)
        array.SetNumberOfComponents(3)
        for i in range(len(points)):
            array.InsertNextTuple3(*(attributes[name][i] for name in names))
        data.GetPointData().AddArray(array)
    data.GetPointData().SetActiveNormals("Normals")
    for name in SCALARS:
        array = vtkFloatArray()
        array.SetName(name)
        for x in attributes[name]:
            array.InsertNextValue(x)
        data.GetPointData().AddArray(array)
    return data


def written_by_vtk(folder, mesh):
    """Files that VTK writes, in each of its ways."""
    data = vtk_mesh(mesh)
    for name, writer, setups in (
            ("ply", vtkPLYWriter, ("SetFileTypeToBinary", "SetFileTypeToASCII")),
            ("stl", vtkSTLWriter, ("SetFileTypeToBinary", "SetFileTypeToASCII")),
            ("vtp", vtkXMLPolyDataWriter, ("SetDataModeToAppended", "SetDataModeToBinary",
                                           "SetDataModeToAscii", "EncodeAppendedDataOff",
                                           "SetCompressorTypeToNone", "SetByteOrderToBigEndian",
                                           "SetHeaderTypeToUInt64"))):
        for setup in setups:
            path = folder / f"vtk_{setup}.{name}"
            w = writer()
            w.SetInputData(data)
            w.SetFileName(str(path))
            getattr(w, setup)()
            w.Write()
            yield path


FIELDS = """
solver: volume
duration: 1 ms
frame_rate: 1 kHz
gravity: [0, 0, 0]
domain: {min: [-2 mm, -2 mm, -2 mm], max: [2 mm, 2 mm, 2 mm], cell: 0.2 mm}
drops: [{shape: sphere, center: [0.1 mm, 0.2 mm, 0.3 mm], radius: 0.9 mm, velocity: [0.1, -0.2, 0.3]}]
output: {volume: vti}
"""


def check_fields(dew, folder):
    """The first frame of a ball in flight: phi is the distance to it, the velocity its own."""
    (folder / "ball.yaml").write_text(FIELDS)
    subprocess.run([dew, "run", folder / "ball.yaml", "-o", folder / "run", "--quiet"], check=True, timeout=120)
    require(len(list((folder / "run/frames").glob("volume.*.vti"))) == 2, "not two frames")
    reader = vtkXMLImageDataReader()
    reader.SetFileName(str(folder / "run/frames/volume.0000.vti"))
    reader.Update()
    image = reader.GetOutput()
    phi, velocity = (image.GetPointData().GetArray(name) for name in ("phi", "velocity"))
    near = 0
    for i in range(image.GetNumberOfPoints()):
        distance = math.dist(image.GetPoint(i), (1e-4, 2e-4, 3e-4)) - 0.9e-3
        if abs(distance) < 0.5e-3:
            near += 1
            require(abs(phi.GetValue(i) - distance) < 1e-9, f"phi of point {i}: {phi.GetValue(i)}, not {distance}")
        if distance < 0:
            good = math.dist(velocity.GetTuple(i), (0.1, -0.2, 0.3)) < 1e-6
            require(good, f"velocity of point {i}: {velocity.GetTuple(i)}")
    require(near > 500, f"{near} points near the surface")


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    mesh = make_mesh()
    wrong, count = [], 0

    def attempt(path, allowed, *options, source):
        nonlocal count
        count += 1
        try:
            convert(dew, source, path, *options)
            check(path, mesh, allowed)
        except (AssertionError, subprocess.CalledProcessError) as failure:
            wrong.append(f"{source.name} {' '.join(options)} to {path.name}: {failure}")

    with tempfile.TemporaryDirectory(prefix="dew-vtk-") as name:
        folder = pathlib.Path(name)
        source = folder / "source.ply"
        write_ply(source, *mesh)
        for suffix in READERS:
            attempt(folder / f"plain.{suffix}", 0, source=source)
            # VTK's text readers round twice: decimal to double to float.
            attempt(folder / f"text.{suffix}", 1e-7, "--ascii", source=source)
            attempt(folder / f"double.{suffix}", 1e-7, "--double", source=source)
            attempt(folder / f"double_text.{suffix}", 1e-7, "--ascii", "--double", source=source)
        for path in written_by_vtk(folder, mesh):
            text = "ASCII" in path.name or "Ascii" in path.name
            if path.suffix == ".vtp":
                attempt(folder / f"{path.stem}_back.vtp", 1e-7 if text else 0, source=path)
            else:  # VTK writes only points and triangles; STL numbers them anew
                attempt(folder / f"{path.stem}_back.stl", 1e-5 if text else 0, source=path)
        count += 1
        try:
            check_fields(dew, folder)
        except (AssertionError, subprocess.CalledProcessError) as failure:
            wrong.append(f"fields of solver volume: {failure}")
    print("\n".join(wrong))
    print(f"{count} files compared with VTK, {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
