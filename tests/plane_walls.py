"""In two dimensions the domain has no front and no back: walls there change nothing.

    python3 tests/plane_walls.py build/dew

A cap at rest at its angle of 90 degrees, once on a floor only and once with walls on all sides: the same state, bit by bit. With
walls half a cell before and behind the layer of cells, which were the nearest solids everywhere, the angles were 4 to 159 degrees.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

SCENE = """solver: {solver}
dimensions: 2
duration: 2 ms
frame_rate: 1000
domain: {{min: [-2 mm, 0, -0.2 mm], max: [2 mm, 3 mm, 0.2 mm], cell: 0.2 mm, walls: {{{sides}}}}}
materials: {{glass: {{angle: 90 deg}}}}
drops: [{{shape: cap, point: [0, 0, 0], volume: 2e-9, angle: 90 deg}}]
"""
SIDES = "left: glass, right: glass, floor: glass, ceiling: glass"


def state_hash(dew, folder, solver, sides):
    scene, out = folder / "scene.yaml", folder / "out"
    scene.write_text(SCENE.format(solver=solver, sides=sides))
    subprocess.run([dew, "run", scene, "-o", out, "--overwrite", "--quiet"], check=True)
    return json.loads((out / "run.json").read_text())["state_hash"]


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as scratch:
        for solver in ("volume", "apic"):
            hashes = {state_hash(sys.argv[1], pathlib.Path(scratch), solver, sides) for sides in (SIDES, "others: glass")}
            print(f"{solver}: {'the same state' if len(hashes) == 1 else 'another state'} with walls at front and back")
            bad += len(hashes) != 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
