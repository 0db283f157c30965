"""Reads the meshes that Dew writes as frames, and says what is wrong with them.

A liquid's surface must be

- closed and manifold: each edge belongs to two triangles, and the triangles about a vertex form one fan;
- oriented: the two triangles run through their edge in opposite directions;
- right side out: each connected piece encloses a positive volume;
- free of crossings: no edge passes through a triangle (_crossings.py);
- as large as the table says.
"""
import array

from _crossings import crossings

# Frames hold single precision: 6e-8 of a coordinate of 0.1 m, over a drop's 0.1 mm.
ALLOWED_ROUNDING = 2e-4


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


def frame_fault(path, expected_m3, allowed=ALLOWED_ROUNDING, has_cavities=False):
    """What is wrong with a frame, or nothing. has_cavities: a drop may be hollow, around air or a solid."""
    xyz, corners = read_ply(path)
    a, b, c = corners[0::3], corners[1::3], corners[2::3]
    fault = topology(len(xyz[0]), a, b, c)
    if fault:
        return f"{path.name}: {fault}"
    pierced = crossings(xyz, corners)
    if pierced:
        return f"{path.name}: crosses itself, {len(pierced)} edges through triangles"
    each = volumes(xyz, a, b, c)
    rounding = ALLOWED_ROUNDING * max(expected_m3 / max(len(each), 1), 1e-12)
    if each and min(each) < -rounding and not has_cavities:
        return f"{path.name}: a drop is inside out ({min(each):.3g} m^3)"
    if abs(sum(each) - expected_m3) > allowed * max(expected_m3, 1e-12):
        return f"{path.name}: encloses {sum(each):.6g} m^3, the table says {expected_m3:.6g}"
    return ""
