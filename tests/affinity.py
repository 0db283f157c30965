"""A drop of solver `volume` on the border of two affinities goes where it is drawn to, and leaves a wet map.

    python3 tests/affinity.py build/dew

In two dimensions, without weight: left of x = 0 an affinity map says 60 degrees, right of it 110. A drop that lies
across must come to lie on the left altogether; the plate's mesh must tell wet where it has been, and nowhere else.
"""
import csv
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

import _solid_files

SCENE = """
solver: volume
dimensions: 2
duration: 20 ms
frame_rate: 50 Hz
gravity: [0, 0, 0]
domain: {min: [-4 mm, -1 mm, 0], max: [4 mm, 3 mm, 1 mm], cell: 0.125 mm}
liquid: {density: 1000, viscosity: 0.01, surface_tension: 0.05}
materials: {a: {angle: 60 deg}, b: {angle: 110 deg}}
solids:
  - {shape: box, name: plate, center: [0, -0.5 mm, 0.5 mm], size: [8 mm, 1 mm, 8 mm], material: a,
     affinity_map: map.png, affinity_material: b}
drops: [{shape: sphere, center: [0.1 mm, 0.3 mm, 0.5 mm], radius: 1 mm}]
output: {wetmap: true}
"""


def write_png(path, rows):
    """8 bits of grey."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b""))


def wet_places(run):
    """x of the vertices that are wet in the last frame."""
    mesh, _ = _solid_files.solid_of_frame(run, "plate", 1)
    return [x for x, wetness in zip(mesh["x"], mesh["wetness"]) if wetness > 0]


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="dew-affinity-") as name:
        folder = pathlib.Path(name)
        write_png(folder / "map.png", [[0] * 8 + [255] * 8] * 2)
        (folder / "scene.yaml").write_text(SCENE)
        subprocess.run([dew, "run", folder / "scene.yaml", "-o", folder / "run", "--quiet"], check=True, timeout=300)
        rows = list(csv.DictReader((folder / "run/stats.csv").open()))
        wet = wet_places(folder / "run")
    center = float(rows[-1]["center_x"])
    wrong = []
    if not center < -1e-3:
        wrong.append(f"the drop is at x = {center:g} m, not beyond -1 mm")
    if not all(abs(float(row["volume_error"])) < 1e-3 for row in rows):
        wrong.append("volume was lost")
    if not wet or not (min(wet) < -1.5e-3 and 0.5e-3 < max(wet) < 1.5e-3):
        wrong.append(f"wet from {min(wet, default=0):g} to {max(wet, default=0):g} m")
    print("\n".join(wrong) or f"went to x = {center * 1e3:.2f} mm, wet from {min(wet):g} to {max(wet):g} m")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
