"""Frames hold no crossing triangles in any format, and the judge of crossings finds them where they are.

    python3 tests/crossing_frames.py build/dew

A scene whose mesh folded at the edges of solids (tests/regressions/crossing_thin_sheet) is written as PLY, OBJ, STL and VTP,
each read back by `dew convert`. All hold single precision, so all must be free of crossings after that rounding.
"""
import pathlib
import subprocess
import sys
import tempfile

from _crossings import crossings, np
from _mesh import read_ply

SCENE = pathlib.Path(__file__).resolve().parent / "regressions" / "crossing_thin_sheet" / "scene.yaml"


def judge_is_right():
    """Two tetrahedra: that pierce each other, and apart."""
    xyz = [[0, 1, 0, 0, .2, 1.2, .2, .2], [0, 0, 1, 0, .1, .1, 1.1, .1], [0, 0, 0, 1, .1, .1, .1, 1.1]]
    faces = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]
    both = faces + [v + 4 for v in faces]
    apart = [[x + (3 if i > 3 else 0) for i, x in enumerate(xyz[0])], xyz[1], xyz[2]]
    return len(crossings(xyz, both)) > 0 and len(crossings(apart, both)) == 0


def main():
    dew = pathlib.Path(sys.argv[1]).absolute()
    if np is None:
        print("no numpy: skipped")
        return 77
    wrong = [] if judge_is_right() else ["the judge misses a crossing, or finds one where there is none"]
    frames = 0
    with tempfile.TemporaryDirectory(prefix="dew_crossing.") as scratch:
        for kind in ("ply", "obj", "stl", "vtp"):
            run = pathlib.Path(scratch) / kind
            subprocess.run([dew, "run", SCENE, "-o", run, "--quiet", "--set", f"output.surface={kind}"], check=True,
                           timeout=200)
            for file in sorted((run / "frames").glob(f"surface.*.{kind}")):
                mesh = file
                if kind != "ply":
                    mesh = file.with_suffix(".ply")
                    subprocess.run([dew, "convert", file, mesh], check=True, capture_output=True, timeout=60)
                frames += 1
                count = len(crossings(*read_ply(mesh)))
                wrong += [f"{file.name} crosses itself, {count} edges through triangles"] if count else []
    print(f"{frames} frames, {len(wrong)} faults")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
