"""The contact angle of a drop can be read off its image.

    python3 tests/silhouette.py build/dew [--keep FOLDER]

Draws spherical caps of 60, 90 and 120 degrees from the side, the camera at the height of the table, and
once more with a drop too small to be seen. Where the two images differ, there is the drop. A circle is
fitted to its outline (least squares on the distances from the circle), and the angle at which that meets
the table must be the cap's within 1.5 degrees.
"""
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import _png

ALLOWED_DEG = 1.5
WIDTH, HEIGHT = 264, 150
FOV_DEG = 4.0
DISTANCE_M = 0.1
SAMPLES = "4" if os.environ.get("DEW_SANITIZED") else "16"

SCENE = f"""\
dew: 1
solver: volume
domain: {{min: [-6 mm, 0, -6 mm], max: [6 mm, 8 mm, 6 mm], cell: 0.25 mm, walls: {{floor: glass, others: open}}}}
materials: {{glass: {{}}}}
drops: [{{shape: cap, point: [0, 0, 0], normal: [0, 1, 0], volume: 8 mm^3, angle: 90 deg}}]
camera: {{eye: [0, 0.001 mm, {DISTANCE_M}], target: [0, 0.001 mm, 0], fov: {FOV_DEG} deg, size: [{WIDTH}, {HEIGHT}]}}
environment: studio
"""


def draw(dew, scene, image, *settings):
    sets = [word for setting in settings for word in ("--set", setting)]
    subprocess.run([dew, "render", scene, "-o", image, "--samples", SAMPLES, "--quiet", *sets],
                   check=True, timeout=250)
    return _png.read(image)


def outline(drop, empty):
    """Ends of the drop's rows above the table in pixels: x from the middle, y up from the table."""
    points = []
    width, height, rows = drop
    for y in range(height // 2):
        a, b = rows[y], empty[2][y]
        differs = [x for x in range(width)
                   if sum(abs(a[3 * x + k] - b[3 * x + k]) for k in range(3)) > 24]
        up = height / 2 - (y + 0.5)
        if differs:
            points += [(differs[0] - width / 2, up), (differs[-1] + 1 - width / 2, up)]
    return points


def solve(matrix, right):
    """Gauss with pivots, three unknowns."""
    m = [row + [r] for row, r in zip(matrix, right)]
    for i in range(3):
        pivot = max(range(i, 3), key=lambda j: abs(m[j][i]))
        m[i], m[pivot] = m[pivot], m[i]
        for j in range(3):
            if j != i:
                f = m[j][i] / m[i][i]
                m[j] = [p - f * q for p, q in zip(m[j], m[i])]
    return [m[i][3] / m[i][i] for i in range(3)]


def fit_circle(points):
    """Centre and radius by Gauss-Newton on the distances."""
    x0 = sum(p[0] for p in points) / len(points)
    y0 = sum(p[1] for p in points) / len(points)
    radius = max(math.hypot(x - x0, y - y0) for x, y in points)
    for _ in range(100):
        normal, right = [[0.0] * 3 for _ in range(3)], [0.0] * 3
        for x, y in points:
            d = math.hypot(x - x0, y - y0)
            row, off = [-(x - x0) / d, -(y - y0) / d, -1.0], d - radius
            for i in range(3):
                right[i] -= row[i] * off
                for j in range(3):
                    normal[i][j] += row[i] * row[j]
        step = solve(normal, right)
        x0, y0, radius = x0 + step[0], y0 + step[1], radius + step[2]
        if max(map(abs, step)) < 1e-9:
            break
    return x0, y0, radius


def main():
    dew = sys.argv[1]
    keep = sys.argv[3] if len(sys.argv) > 3 and sys.argv[2] == "--keep" else None
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(keep or scratch)
        scene = folder / "cap.yaml"
        scene.write_text(SCENE)
        empty = draw(dew, scene, folder / "empty.png", "drops[0].volume=1e-9 mm^3")
        for angle in (60, 90, 120):
            drop = draw(dew, scene, folder / f"cap{angle}.png", f"drops[0].angle={angle} deg")
            points = outline(drop, empty)
            assert len(points) > 40, f"only {len(points)} points of the outline of {angle} degrees are seen"
            _, height, radius = fit_circle(points)
            seen = math.degrees(math.acos(max(-1.0, min(1.0, -height / radius))))
            is_well = abs(seen - angle) <= ALLOWED_DEG
            wrong += not is_well
            print(f"{angle} degrees: {seen:.2f} seen in {len(points)} points{'' if is_well else ', WRONG'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
