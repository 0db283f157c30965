"""glTF, FBX and the like as solids and drops, by assimp: what is read, what is refused, and that damage does no harm.

    python3 tests/foreign_meshes.py build/dew

Boxes are written as glTF with its buffer beside, inside and as GLB, as FBX and as OFF: nodes move, mirror and repeat a mesh. `dew convert` must find the same volume and closed surfaces. Files that name others out of their folder, numbers that are not finite, indices out of range,
and hundreds of files with random damage must end with exit code 0 or 2. Says so and exits with 77 where the build has no assimp.
"""
import base64
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

DAMAGED = 300
# A box of 1 x 2 x 3 with a corner at the origin.
POINTS = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
failures = []


def expect(is_so, text):
    if not is_so:
        failures.append(text)


def buffer_bytes(points=POINTS, faces=FACES):
    return b"".join(struct.pack("<3f", *p) for p in points) + b"".join(struct.pack("<3H", *f) for f in faces)


def gltf(uri, nodes=({"mesh": 0},), data=None):
    data = data or buffer_bytes()
    buffer = {"byteLength": len(data), **({"uri": uri} if uri else {})}
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": list(range(len(nodes)))}], "nodes": list(nodes),
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}], "buffers": [buffer],
            "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0], "max": [1, 2, 3]},
                          {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}]}


def glb(description, data):
    text = json.dumps(description).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    return struct.pack("<4sII", b"glTF", 2, 28 + len(text) + len(data)) + struct.pack("<I4s", len(text), b"JSON") + text + \
        struct.pack("<I4s", len(data), b"BIN\0") + data


def off():
    return "OFF\n8 12 0\n" + "".join(f"{x} {y} {z}\n" for x, y, z in POINTS) + "".join(f"3 {a} {b} {c}\n" for a, b, c in FACES)


def fbx():
    """The text form, with as little as it takes."""
    points = ",".join(repr(c) for p in POINTS for c in p)
    corners = ",".join(f"{a},{b},{-c - 1}" for a, b, c in FACES)  # the last of a polygon is negative
    return "; FBX 7.4.0 project file\n" + f"""\
FBXHeaderExtension:  {{
    FBXHeaderVersion: 1003
    FBXVersion: 7400
}}
Objects:  {{
    Geometry: 1000, "Geometry::box", "Mesh" {{
        Vertices: *{3 * len(POINTS)} {{
            a: {points}
        }}
        PolygonVertexIndex: *{3 * len(FACES)} {{
            a: {corners}
        }}
        GeometryVersion: 124
    }}
    Model: 2000, "Model::box", "Mesh" {{
        Version: 232
    }}
}}
Connections:  {{
    C: "OO",1000,2000
    C: "OO",2000,0
}}
"""


def convert(dew, path):
    out = path.with_suffix(".out.ply")
    return subprocess.run([dew, "convert", path, out, "--audit"], capture_output=True, text=True, timeout=60), out


def volume_and_box(path):
    import _mesh
    (x, y, z), corners = _mesh.read_ply(path)
    p = list(zip(x, y, z))
    total = sum(p[a][0] * (p[b][1] * p[c][2] - p[b][2] * p[c][1]) + p[a][1] * (p[b][2] * p[c][0] - p[b][0] * p[c][2])
                + p[a][2] * (p[b][0] * p[c][1] - p[b][1] * p[c][0]) for a, b, c in zip(*[iter(corners)] * 3))
    return total / 6, [(min(axis), max(axis)) for axis in (x, y, z)], len(x)


def check_good(dew, folder):
    inline = "data:application/octet-stream;base64," + base64.b64encode(buffer_bytes()).decode()
    (folder / "box.bin").write_bytes(buffer_bytes())
    mirrored = [{"mesh": 0}, {"mesh": 0, "translation": [-1, 0, 0], "scale": [-1, 1, 1]},
                {"mesh": 0, "translation": [10, 0, 0], "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476]}]
    files = {"beside.gltf": json.dumps(gltf("box.bin")).encode(), "inside.gltf": json.dumps(gltf(inline)).encode(),
             "box.glb": glb(gltf(None), buffer_bytes()), "box.off": off().encode(), "box.fbx": fbx().encode(),
              "three.glb": glb(gltf(None, mirrored), buffer_bytes())}
    for name, data in files.items():
        (folder / name).write_bytes(data)
        done, out = convert(dew, folder / name)
        if done.returncode != 0:
            failures.append(f"{name}: exit code {done.returncode}: {done.stderr}")
            continue
        volume, box, count = volume_and_box(out)
        boxes = 3 if name == "three.glb" else 1
        expect(abs(volume - 6 * boxes) < 1e-5 and count == 8 * boxes, f"{name}: volume {volume}, {count} points")
        wanted = [(-2, 10), (0, 2), (0, 3)] if boxes == 3 else [(0, 1), (0, 2), (0, 3)]
        expect(all(abs(a - b) < 1e-6 for f, w in zip(box, wanted) for a, b in zip(f, w)), f"{name}: box {box}")
        expect("closed" in done.stdout + done.stderr, f"{name}: {done.stdout} {done.stderr}")
    done = subprocess.run([dew, "convert", folder / "box.glb", folder / "back.glb"], capture_output=True, text=True, timeout=60)
    expect(done.returncode == 2 and "not the ending" in done.stderr, f"writing GLB: {done.stderr}")


SCENE = """\
dew: 1
solver: surface
duration: 1 ms
frame_rate: 1 kHz
gravity: [0, 0, 0]
domain: {min: [-6 mm, -6 mm, -6 mm], max: [6 mm, 6 mm, 6 mm], cell: 0.5 mm}
solids: [{shape: mesh, name: box, file: box.glb, scale: 0.001, UP material: glass}]
materials: {glass: {angle: 90 deg}}
drops: [{shape: mesh, file: beside.gltf, scale: 0.001, UP translate: [-5 mm, 0, 0]}]
"""


def check_scene(dew, folder):
    """In a scene: metres by `scale`, and z up by `up`: (x, y, z) goes to (x, z, -y)."""
    for up, wanted in (("", [(0, 1), (0, 2), (0, 3)]), ("up: z,", [(0, 1), (0, 3), (-2, 0)])):
        (folder / "scene.yaml").write_text(SCENE.replace("UP", up))
        run = folder / ("run" + up[-2:-1])
        done = subprocess.run([dew, "run", folder / "scene.yaml", "-o", run, "--quiet"], capture_output=True, text=True, timeout=100)
        expect(done.returncode == 0, f"{up}: {done.stderr}")
        for name, shift in (("solid.box", 0), ("surface.0000", -5e-3)):
            box = volume_and_box(run / f"frames/{name}.ply")[1]
            is_so = all(abs(a - 1e-3 * b - (shift if axis == 0 else 0)) < 2e-7
                        for axis, (f, w) in enumerate(zip(box, wanted)) for a, b in zip(f, w))
            expect(is_so or name != "solid.box", f"{name} {up}: box {box}")
            expect(all(abs((f[1] - f[0]) - 1e-3 * (w[1] - w[0])) < 0.1e-3 for f, w in zip(box, wanted)), f"{name} {up}: size {box}")


def bad_files(folder):
    (folder / "out").mkdir()
    (folder / "secret.bin").write_bytes(buffer_bytes())
    for uri in ("../secret.bin", str(folder / "secret.bin"), "/dev/zero", "sub/../../secret.bin", "missing.bin", "/dev/stdin"):
        yield f"out/uri{len(uri)}.gltf", json.dumps(gltf(uri)).encode()
    nan = buffer_bytes([(float("nan"), 0, 0), *POINTS[1:]])
    yield "nan.glb", glb(gltf(None), nan)
    yield "infinite.glb", glb(gltf(None, [{"mesh": 0, "scale": [1e38, 1e38, 1e38]}, {"mesh": 0}]), buffer_bytes([(3e38, 1e30, 0), *POINTS[1:]]))
    yield "empty.glb", glb({"asset": {"version": "2.0"}}, b"")
    yield "words.fbx", b"these are no triangles\n"
    chain = [{"children": [i + 1]} for i in range(2000)] + [{"mesh": 0}]
    deep = gltf(None, chain)
    deep["scenes"][0]["nodes"] = [0]
    yield "deep.glb", glb(deep, buffer_bytes())


def check_bad(dew, folder):
    for name, data in bad_files(folder):
        (folder / name).write_bytes(data)
        done, out = convert(dew, folder / name)
        expect(done.returncode in (1, 2) and not out.exists() and done.stderr.count("\n") <= 2, f"{name}: exit code {done.returncode}: {done.stderr}")
        expect(pathlib.Path(name).stem in done.stderr, f"{name} is not named: {done.stderr}")


def check_damaged(dew, folder):
    (folder / "index.glb").write_bytes(glb(gltf(None), buffer_bytes(faces=[(0, 1, 60000), *FACES[1:]])))
    expect(convert(dew, folder / "index.glb")[0].returncode in (0, 2), "an index out of range")  # assimp leaves the face out
    rng, sound = random.Random(7), [glb(gltf(None), buffer_bytes()), json.dumps(gltf("box.bin")).encode(), off().encode(), fbx().encode()]
    for i in range(DAMAGED):
        data = bytearray(sound[i % 4])
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)):]
        path = folder / f"damaged{i}{('.glb', '.gltf', '.off', '.fbx')[i % 4]}"
        path.write_bytes(data)
        done, _ = convert(dew, path)
        expect(done.returncode in (0, 1, 2), f"{path.name}: exit code {done.returncode}: {done.stderr[:200]}")


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory(prefix="dew-foreign-") as name:
        folder = pathlib.Path(name)
        (folder / "probe.off").write_text(off())
        done, _ = convert(dew, folder / "probe.off")
        if re.search("without assimp|libassimp.* is missing", done.stderr):
            expect(done.returncode in (1, 2) and "libassimp" in done.stderr, done.stderr)
            print(f"foreign_meshes: skipped, {done.stderr.strip()}")
            return 1 if failures else 77
        check_good(dew, folder)
        check_scene(dew, folder)
        check_bad(dew, folder)
        check_damaged(dew, folder)
    print("\n".join(failures) or "foreign meshes: read, refused and survived as they should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
