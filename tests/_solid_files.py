"""Reads the solids of a run directory as docs/manual/run_directory.md describes them: meshes, wetness of a frame, poses."""
import csv
import struct


def read_values(path):
    """Values of the vertices of a binary PLY by name, and its triangles (empty when it has none)."""
    head, _, body = path.read_bytes().partition(b"end_header\n")
    counts, names = {"face": 0}, []
    for line in head.decode().splitlines():
        words = line.split()
        if words[0] == "element":
            counts[words[1]] = int(words[2])
        elif words[:2] == ["property", "float"]:
            names.append(words[2])
    size = 4 * len(names) * counts["vertex"]
    assert len(body) == size + 13 * counts["face"], f"{path}: not as long as its header says"
    rows = list(struct.iter_unpack(f"<{len(names)}f", body[:size]))
    corners = [row[1:] for row in struct.iter_unpack("<B3i", body[size:])]
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}, corners


def solid_of_frame(run, name, frame):
    """The mesh at rest with the wetness of a frame: that of the last file up to it."""
    values, corners = read_values(run / "frames" / f"solid.{name}.ply")
    for k in range(frame, 0, -1):
        path = run / "frames" / f"solid.{name}.{k:04d}.ply"
        if path.exists():
            changed, none = read_values(path)
            assert not none and list(changed) == ["wetness"], f"{path} has more than wetness"
            assert len(changed["wetness"]) == len(values["x"]), f"{path}: other vertices than the mesh"
            return {**values, **changed}, corners
    return values, corners


def poses_of(run):
    """{(frame, name): (translation, quaternion x y z w)}"""
    with open(run / "solids.csv", newline="") as file:
        return {(int(row["frame"]), row["name"]): ([float(row[k]) for k in "xyz"], [float(row[f"q{k}"]) for k in "xyzw"])
                for row in csv.DictReader(file)}


def placed(pose, point):
    """R(q) point + t"""
    (tx, ty, tz), (a, b, c, w) = pose
    x, y, z = point
    ux, uy, uz = 2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)
    return (x + w * ux + b * uz - c * uy + tx, y + w * uy + c * ux - a * uz + ty, z + w * uz + a * uy - b * ux + tz)
