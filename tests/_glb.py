"""Reads .glb files as a client does: chunks, accessors, nodes, and what the animation shows at a time.

Independent of Dew's own code; pure Python, arrays of floats.
"""
import array
import bisect
import json
import struct
import sys

COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
TYPES = {5123: ("H", 2), 5125: ("I", 4), 5126: ("f", 4)}


def rotated(q, v):
    """v turned by the quaternion x y z w."""
    x, y, z, w = q
    tx, ty, tz = (2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0]))
    return (v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx)


class Shown:
    """A mesh as it is seen: columns x y z after its node's pose, triangles flat, attributes by name."""

    def __init__(self, name, xyz, triangles, attributes, material):
        self.name, self.xyz, self.triangles, self.attributes, self.material = name, xyz, triangles, attributes, material


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        magic, version, length = struct.unpack("<4sII", data[:12])
        assert magic == b"glTF" and version == 2 and length == len(data), f"{path}: its header is wrong"
        json_bytes, kind = struct.unpack("<I4s", data[12:20])
        assert kind == b"JSON", f"{path}: no JSON first"
        self.json = json.loads(data[20:20 + json_bytes])
        at = 20 + json_bytes
        bin_bytes, kind = struct.unpack("<I4s", data[at:at + 8])
        assert kind == b"BIN\0" and at + 8 + bin_bytes == len(data), f"{path}: its chunks do not fill it"
        self.bin = memoryview(data)[at + 8:]
        self.columns = {}

    def flat(self, index):
        """All numbers of an accessor; declared bounds are verified."""
        accessor = self.json["accessors"][index]
        view = self.json["bufferViews"][accessor["bufferView"]]
        code, size = TYPES[accessor["componentType"]]
        count = accessor["count"] * COMPONENTS[accessor["type"]]
        assert view["byteOffset"] % size == 0 and view["byteLength"] == count * size
        numbers = array.array(code)
        numbers.frombytes(self.bin[view["byteOffset"]:view["byteOffset"] + view["byteLength"]])
        if sys.byteorder == "big":
            numbers.byteswap()
        return numbers

    def split(self, index):
        """Columns of an accessor."""
        if index not in self.columns:
            accessor = self.json["accessors"][index]
            width, numbers = COMPONENTS[accessor["type"]], self.flat(index)
            self.columns[index] = [numbers[i::width] for i in range(width)]
            for i in range(width if "min" in accessor else 0):
                column = self.columns[index][i]
                assert (min(column), max(column)) == (accessor["min"][i], accessor["max"][i]), "bounds are wrong"
        return self.columns[index]

    def duration(self):
        """Of the animation; 0: there is none."""
        samplers = self.json.get("animations", [{"samplers": []}])[0]["samplers"]
        return max((self.flat(s["input"])[-1] for s in samplers), default=0)

    def track(self, node, path, time, default):
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                if channel["target"] == {"node": node, "path": path}:
                    return self.sample(animation["samplers"][channel["sampler"]], time)
        return default

    def sample(self, sampler, time):
        times, rows = self.flat(sampler["input"]), list(zip(*self.split(sampler["output"])))
        key = max(0, bisect.bisect_right(times, time) - 1)
        if sampler.get("interpolation", "LINEAR") == "STEP" or key == len(times) - 1 or time <= times[0]:
            return rows[key]
        part = (time - times[key]) / (times[key + 1] - times[key])
        return tuple(a + part * (b - a) for a, b in zip(rows[key], rows[key + 1]))

    def at(self, time):
        """Meshes that are seen at a time of the animation: {name of the object: Shown}."""
        shown = {}
        for index in self.json["scenes"][0].get("nodes", []):
            self.visit(index, time, None, shown)
        return shown

    def visit(self, index, time, outer, shown):
        node = self.json["nodes"][index]
        scale = self.track(index, "scale", time, node.get("scale", (1, 1, 1)))
        assert scale in ((1, 1, 1), (0, 0, 0), [1, 1, 1], [0, 0, 0]), f"a scale of {scale}"
        q = self.track(index, "rotation", time, node.get("rotation", (0, 0, 0, 1)))
        t = self.track(index, "translation", time, node.get("translation", (0, 0, 0)))
        if scale[0] == 0:
            return
        if "mesh" in node:
            name = outer or node["name"]
            assert name not in shown, f"{name} is seen twice at {time} s"
            shown[name] = self.mesh(name, node["mesh"], q, t)
        for child in node.get("children", []):
            assert tuple(q) == (0, 0, 0, 1) and tuple(t) == (0, 0, 0)  # none of Dew's have both
            self.visit(child, time, node["name"], shown)

    def mesh(self, name, index, q, t):
        primitive, = self.json["meshes"][index]["primitives"]
        attributes = {key: self.split(value) for key, value in primitive["attributes"].items()}
        xyz = attributes.pop("POSITION")
        if tuple(q) != (0, 0, 0, 1) or tuple(t) != (0, 0, 0):
            moved = [tuple(a + b for a, b in zip(rotated(q, v), t)) for v in zip(*xyz)]
            xyz = [array.array("d", column) for column in zip(*moved)]
        triangles = self.flat(primitive["indices"]) if "indices" in primitive else []
        assert max(triangles, default=0) < len(xyz[0])
        return Shown(name, xyz, triangles, attributes, self.json["materials"][primitive["material"]])
