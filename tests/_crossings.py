"""Counts where a mesh crosses itself: an edge that passes through the inside of a triangle.

Independent of src/geom/mesh_crossings.c: plain determinants in double precision, with a bound for their rounding; an
edge that only touches, or is flat on a triangle to within that, does not count. Candidates come from a grid of cells.
Needs numpy, which python3-vtk9 brings; without it nothing is judged.
"""
try:
    import numpy as np
except ImportError:
    np = None

CHUNK = 400_000  # entries of edges in cells, joined with the triangles of the cells at once
# Three differences, two products and two sums of them: below 16 roundings of 2^-53, of the sum of magnitudes.
ROUNDING = 16 * 2.0 ** -53


def _cell_keys(low, high, origin, size):
    """Which box lies in which cell: box indices and keys, one row for each cell that a box meets."""
    first = np.floor((low - origin) / size).astype(np.int64)
    count = np.floor((high - origin) / size).astype(np.int64) - first + 1
    total = count.prod(axis=1)
    box = np.repeat(np.arange(len(low)), total)
    rank = np.arange(total.sum()) - np.repeat(np.cumsum(total) - total, total)
    n = count[box]
    x = first[box, 0] + rank % n[:, 0]
    y = first[box, 1] + rank // n[:, 0] % n[:, 1]
    z = first[box, 2] + rank // (n[:, 0] * n[:, 1])
    return box, (x << 42) + (y << 21) + z


def _signs(a, b, c, d):
    """Signs of det(a - d, b - d, c - d); 0 where rounding could decide."""
    a, b, c = a - d, b - d, c - d
    ab, ba = a[:, 0] * b[:, 1], a[:, 1] * b[:, 0]
    bc, cb = b[:, 0] * c[:, 1], b[:, 1] * c[:, 0]
    ca, ac = c[:, 0] * a[:, 1], c[:, 1] * a[:, 0]
    det = c[:, 2] * (ab - ba) + a[:, 2] * (bc - cb) + b[:, 2] * (ca - ac)
    size = (abs(c[:, 2]) * (abs(ab) + abs(ba)) + abs(a[:, 2]) * (abs(bc) + abs(cb)) +
            abs(b[:, 2]) * (abs(ca) + abs(ac)))
    return np.where(abs(det) > ROUNDING * size, np.sign(det), 0)


def _pierces(x, edge, triangle):
    """Which edges pass through their triangles."""
    p, q = x[edge[:, 0]], x[edge[:, 1]]
    a, b, c = (x[triangle[:, i]] for i in range(3))
    hit = _signs(a, b, c, p) * _signs(a, b, c, q) < 0
    at = np.flatnonzero(hit)
    p, q, a, b, c = p[at], q[at], a[at], b[at], c[at]
    sides = _signs(p, q, a, b) + _signs(p, q, b, c) + _signs(p, q, c, a)
    hit[at] = abs(sides) == 3
    return hit


def crossings(xyz, corners):
    """Pairs of an edge (two vertices) and a triangle that cross, in a closed and oriented mesh."""
    if np is None or len(corners) == 0:
        return []
    x = np.stack([np.asarray(v, dtype=np.float64) for v in xyz], axis=1)
    triangles = np.asarray(corners, dtype=np.int64).reshape(-1, 3)
    edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    edges = edges[edges[:, 0] < edges[:, 1]]  # once each: the mesh is closed and oriented
    t_low, t_high = x[triangles].min(axis=1), x[triangles].max(axis=1)
    e_low, e_high = x[edges].min(axis=1), x[edges].max(axis=1)
    origin, span = x.min(axis=0), (x.max(axis=0) - x.min(axis=0)).max()
    size = max(0.7 * np.percentile((t_high - t_low).max(axis=1), 90), span / 2 ** 19, 1e-300)
    box, key = _cell_keys(t_low, t_high, origin, size)
    order = np.argsort(key, kind="stable")
    box, key = box[order], key[order]
    e_box, e_key = _cell_keys(e_low, e_high, origin, size)
    found = set()
    for start in range(0, len(e_box), CHUNK):
        e, k = e_box[start:start + CHUNK], e_key[start:start + CHUNK]
        begin = np.searchsorted(key, k, "left")
        count = np.searchsorted(key, k, "right") - begin
        e = np.repeat(e, count)
        t = box[np.repeat(begin, count) + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)]
        for axis in range(3):
            near = (e_low[e, axis] <= t_high[t, axis]) & (e_high[e, axis] >= t_low[t, axis])
            e, t = e[near], t[near]
        for i in range(2):
            for j in range(3):
                apart = edges[e, i] != triangles[t, j]
                e, t = e[apart], t[apart]
        hit = _pierces(x, edges[e], triangles[t])
        found.update(zip(e[hit].tolist(), t[hit].tolist()))
    return [(tuple(edges[e].tolist()), t) for e, t in sorted(found)]
