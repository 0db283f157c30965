"""Runs opened as their users open them: all frames of run.pvd with their times, and all VDBs, agree with stats.csv.

    /usr/bin/python3 tests/read_runs.py build/dew [--whole]

A drop that hits a plate (bundled scene drop_impact, its first 4 ms; --whole: to its end) is written as VTP and VTI and again as VDB.
In every frame the volume inside phi = 0 is that of stats.csv within 2 %, and nothing lies below the plate. Linear interpolation
makes a polyhedron of a ball: its volume is short by about (cell / radius)^2 = 1.8 % of the drop before the impact.

Needs Debian's python3-vtk9 and python3-openvdb; says so and exits with 77 where one is missing.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import numpy
    import pyopenvdb
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.vtkCommonDataModel import vtkImageData
    from vtkmodules.vtkFiltersCore import vtkContourFilter, vtkMassProperties, vtkTriangleFilter
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader, vtkXMLPolyDataReader
except ImportError as missing:
    print(f"read_runs: skipped, {missing} (Debian: python3-vtk9, python3-openvdb)")
    sys.exit(77)

ALLOWED = 0.02
CELL = 0.16e-3


def simulate(dew, folder, volume, whole):
    options = [] if whole else ["--until", "4 ms"]
    subprocess.run([dew, "run", "drop_impact", "-o", folder, "--quiet", "--set", f"output.volume={volume}",
                    "--set", "output.surface=vtp", *options], check=True, timeout=600)
    with open(folder / "stats.csv", newline="") as file:
        return {float(row["time"]): float(row["volume"]) for row in csv.DictReader(file)}


def mass(port):
    triangles, properties = vtkTriangleFilter(), vtkMassProperties()
    triangles.SetInputConnection(port)
    properties.SetInputConnection(triangles.GetOutputPort())
    properties.Update()
    return properties.GetVolume(), triangles.GetOutput().GetBounds()[2]


class Judge:
    """Compares what is read with stats.csv."""

    def __init__(self, stats):
        self.stats, self.wrong, self.count, self.worst = stats, [], 0, 0.0

    def volume(self, name, time, volume, lowest):
        self.count += 1
        nearest = min(self.stats, key=lambda t: abs(t - time))
        error = volume / self.stats[nearest] - 1
        self.worst = max(self.worst, abs(error))
        if abs(nearest - time) > 1e-12:
            self.wrong.append(f"{name}: no step ends at its time, {time} s")
        if not abs(error) <= ALLOWED:
            self.wrong.append(f"{name}: {1e9 * volume:.4f} mm^3, {100 * error:+.2f} % of stats.csv")
        if lowest < -1e-3 * CELL:
            self.wrong.append(f"{name}: reaches to y = {lowest:g} m, below the plate")

    def equal(self, what, found, expected):
        if found != expected:
            self.wrong.append(f"{what}: {found} instead of {expected}")


def read_list(folder, judge):
    """run.pvd, with one reader for each kind of file, as ParaView does it."""
    readers = {"surface": vtkXMLPolyDataReader(), "volume": vtkXMLImageDataReader()}
    contour, extents = vtkContourFilter(), set()
    contour.SetInputConnection(readers["volume"].GetOutputPort())
    contour.SetInputArrayToProcess(0, 0, 0, 0, "phi")
    contour.SetValue(0, 0)
    entries = xml.etree.ElementTree.parse(folder / "run.pvd").findall(".//DataSet")
    solids = [entry for entry in entries if entry.get("name").startswith("solid.")]
    entries = [entry for entry in entries if entry not in solids]
    for entry in solids:  # drop_impact has a plate that stays as it is
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(folder / entry.get("file")))
        reader.Update()
        judge.equal(f"cells of {entry.get('file')}", reader.GetOutput().GetNumberOfPolys() > 0, True)
    for entry in entries:
        kind, time, reader = entry.get("name"), float(entry.get("timestep")), readers[entry.get("name")]
        reader.SetFileName(str(folder / entry.get("file")))
        reader.Update()
        found = reader.GetOutput().GetFieldData().GetArray("TimeValue").GetValue(0)
        judge.equal(f"TimeValue of {entry.get('file')}", found, time)
        if kind == "volume":
            extents.add(reader.GetOutput().GetExtent())
        judge.volume(entry.get("file"), time, *mass((contour if kind == "volume" else reader).GetOutputPort()))
    judge.equal("extents of the series", len(extents), 1)
    times = sorted({float(e.get("timestep")) for e in entries})
    judge.equal("times", times, [k / 1000 for k in range(len(times))])
    judge.equal("files", len(entries), 2 * len(times))
    judge.equal("solids", len(solids) > 0 and len(solids) % len(times), 0)
    return len(times)


def image_of(grid):
    """The active box of a VDB grid, and a voxel around it, as an image of VTK."""
    low, high = grid.evalActiveVoxelBoundingBox()
    low, high = [a - 1 for a in low], [b + 1 for b in high]
    values = numpy.zeros([b - a + 1 for a, b in zip(low, high)], dtype=numpy.float32)
    grid.copyToArray(values, ijk=low)
    image = vtkImageData()
    image.SetDimensions(*values.shape)
    image.SetOrigin(grid.transform.indexToWorld(tuple(low)))
    image.SetSpacing(grid.transform.voxelSize())
    array = numpy_to_vtk(values.ravel(order="F"), deep=True)
    array.SetName("phi")
    image.GetPointData().SetScalars(array)
    return image


def read_vdbs(folder, judge):
    """By the same contour as VTI: OpenVDB's own mesh averages the crossings of a cell, which rounds convex shapes off by 1 % more."""
    frames = sorted((folder / "frames").glob("volume.*.vdb"))
    for path in frames:
        metadata, contour = pyopenvdb.readMetadata(str(path)), vtkContourFilter()
        contour.SetInputData(image_of(pyopenvdb.read(str(path), "phi")))
        contour.SetValue(0, 0)
        judge.volume(path.name, metadata["time"], *mass(contour.GetOutputPort()))
    return len(frames)


def main():
    dew, whole = str(pathlib.Path(sys.argv[1]).resolve()), "--whole" in sys.argv[2:]
    with tempfile.TemporaryDirectory(prefix="dew-runs-") as name:
        folder = pathlib.Path(name)
        judge = Judge(simulate(dew, folder / "vti", "vti", whole))
        listed = read_list(folder / "vti", judge)
        judge.stats = simulate(dew, folder / "vdb", "vdb", whole)
        judge.equal("VDB files", read_vdbs(folder / "vdb", judge), listed)
    print("\n".join(judge.wrong))
    print(f"read_runs: {judge.count} files of {listed} frames, volumes within {100 * judge.worst:.2f} %, {len(judge.wrong)} wrong")
    return 1 if judge.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
