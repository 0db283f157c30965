"""The files that a scene names: a run remembers what they held. A run is not resumed with an edited mesh,
heightfield, depth or affinity map, nor with another texture or light when it draws images; the one line
that says so names the file, and nothing is written. `dew render` warns of an edited solid.

usage: scene_files.py DEW"""
import pathlib
import re
import struct
import subprocess
import sys
import zlib

import _run_directory as directory

TETRAHEDRON = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 4
property list uchar int vertex_indices
end_header
0 0 0
{size} 0 0
0 {size} 0
0 0 {size}
3 0 2 1
3 0 1 3
3 0 3 2
3 1 2 3
"""

HEAD = """dew: 1
duration: 0.03 s
frame_rate: 100 Hz
materials: {glass: {}, wax: {}}
look: {glass: {texture: texture.png}}
environment: light.hdr
camera: {eye: [0, 0.1, 0.1], size: [8, 6]}
"""
BALLS = HEAD + """solver: surface
domain: {min: [-50 mm, 0, -50 mm], max: [50 mm, 100 mm, 50 mm], cell: 1 mm}
drops: [{shape: sphere, center: [0, 60 mm, 0], radius: 4 mm}]
solids: [{shape: mesh, file: solid.ply, scale: 0.01, material: glass},
  {shape: heightfield, file: ground.csv, min: [-40 mm, -40 mm], max: [40 mm, 40 mm], material: glass}]
"""
MAPPED = HEAD + """solver: surface
domain: {min: [-5 mm, 0 mm, -5 mm], max: [5 mm, 8 mm, 5 mm], cell: 1 mm}
gravity: [0, 0, 0]
drops: [{shape: mesh, file: drop.ply, scale: 0.002, translate: [0, 3 mm, 0]}]
solids: [{shape: box, center: [0, 0, 0], size: [8 mm, 1 mm, 8 mm], material: glass,
  affinity_material: wax, affinity_map: map.png}]
"""
POOL = HEAD + """solver: shallow
domain: {min: [0, 0, 0], max: [1, 1, 1], cell: 0.25, walls: {others: glass}}
drops: [{shape: depth, file: depth.csv}]
"""


def png(value):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(bytes([0, value, value]) * 2)) + chunk(b"IEND", b""))


def hdr(value):
    return b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 4\n" + bytes([value, value, value, 128]) * 8


def write_files(folder):
    (folder / "solid.ply").write_text(TETRAHEDRON.format(size=1))
    (folder / "drop.ply").write_text(TETRAHEDRON.format(size=1))
    (folder / "ground.csv").write_text("0,0\n0,0.001\n")
    (folder / "depth.csv").write_text("0.1,0.2,0.1,0.1\n" * 4)
    for name in ("map.png", "texture.png"):
        (folder / name).write_bytes(png(200))
    (folder / "light.hdr").write_bytes(hdr(100))


def edit(path):
    """Another content of the same kind; returns the old one."""
    old = path.read_bytes()
    path.write_bytes(png(90) if path.suffix == ".png" else hdr(50) if path.suffix == ".hdr" else
                     old.replace(b"1 0 0\n", b"1.01 0 0\n").replace(b"0.1,", b"0.11,").replace(
                         b"0,0.001", b"0,0.0011"))
    assert path.read_bytes() != old, path
    return old


def resume(dew, scene, out, *options):
    return directory.run(dew, scene, out, "--resume", "--until", "0.06 s", *options)


def refused(dew, scene, out, path, key, *options):
    before = directory.digest(out)
    old = edit(path)
    result = resume(dew, scene, out, *options)
    path.write_bytes(old)
    assert result.returncode == 2, (path, result)
    assert re.fullmatch(rf"dew: \S*{path.name}: {re.escape(key)} has changed since the run began \(.*\)\n",
                        result.stderr), result.stderr
    assert directory.digest(out) == before


def state_files(dew, folder):
    for solver, text, keys in (
            ("balls", BALLS, {"solid.ply": "solids[0].file", "ground.csv": "solids[1].file"}),
            ("mapped", MAPPED, {"drop.ply": "drops[0].file", "map.png": "solids[0].affinity_map"}),
            ("pool", POOL, {"depth.csv": "drops[0].file"})):
        scene, out = folder / f"{solver}.yaml", folder / f"run_{solver}"
        scene.write_text(text)
        result = directory.run(dew, scene, out)
        assert result.returncode == 0, result
        for name, key in keys.items():
            refused(dew, scene, out, folder / name, key)
            refused(dew, out / "scene.yaml", out, folder / name, key)
        # What only images depend on may change while none are drawn.
        for name in ("texture.png", "light.hdr"):
            edit(folder / name)
        result = resume(dew, scene, out)
        assert result.returncode == 0, result
        write_files(folder)


def either_memory(dew, folder):
    """The checkpoint knows the files, and so does run.json: either is enough."""
    scene, out = folder / "balls.yaml", folder / "either"
    assert directory.run(dew, scene, out).returncode == 0
    report = (out / "run.json").read_text()
    (out / "run.json").write_text(re.sub(r'  "files": \[.*?\],\n', "", report, flags=re.S))
    assert '"files"' not in (out / "run.json").read_text()
    refused(dew, scene, out, folder / "solid.ply", "solids[0].file")
    (out / "run.json").write_text(report)
    (out / "checkpoint").unlink()
    refused(dew, scene, out, folder / "solid.ply", "solids[0].file")


def looks(dew, folder):
    scene, out = folder / "balls.yaml", folder / "looks"
    images = ("--set", "output.images=ray", "--set", "frame_rate=40")
    assert directory.run(dew, scene, out, *images).returncode == 0
    refused(dew, scene, out, folder / "light.hdr", "environment", *images)
    refused(dew, scene, out, folder / "texture.png", "look.glass.texture", *images)


def render(dew, folder):
    out = folder / "run_balls"
    command = [dew, "render", out, "--frame", "1", "--quiet", "--samples", "1", "--size", "8x6", "-o", folder / "x.png"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0 and "warning" not in result.stderr, result
    old = edit(folder / "solid.ply")
    edit(folder / "texture.png")
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    (folder / "solid.ply").write_bytes(old)
    assert result.returncode == 0, result
    assert result.stderr.count("\n") == 1 and "warning" in result.stderr, result.stderr
    assert "solid.ply: solids[0].file has changed since the run began" in result.stderr, result.stderr


def main():
    folder = directory.scratch()
    try:
        write_files(folder)
        state_files(sys.argv[1], folder)
        either_memory(sys.argv[1], folder)
        looks(sys.argv[1], folder)
        render(sys.argv[1], folder)
    finally:
        directory.remove(folder)


if __name__ == "__main__":
    main()
