"""The camera's eye among solids.

    python3 tests/camera_eye.py build/dew

- An eye that nobody gave never stops a run: in a container, whose solid is all around, it comes inside.
- A given eye in a solid that rests is refused by `check` and `run` with exit code 2 and the place in the scene.
- A solid that moves over a given eye does not end a run that has begun.
"""
import pathlib
import subprocess
import sys
import tempfile

SCENE = """solver: surface
duration: 2 ms
frame_rate: 1000
domain: {{min: [-6 mm, 0, -6 mm], max: [6 mm, 12 mm, 6 mm], cell: 1 mm}}
materials: {{glass: {{angle: 60 deg}}}}
solids: [{solid}]
drops: [{{shape: sphere, center: [0, 4 mm, 0], radius: 2 mm}}]
output: {{images: ray}}
camera: {{size: [8, 8]{eye}}}
"""
CONTAINER = "{shape: box, name: jar, inside_out: true, center: [0, 6 mm, 0], size: [10 mm, 10 mm, 10 mm], material: glass}"
FLYING = "{shape: sphere, name: ball, center: [0, 10 mm, 30 mm], radius: 2 mm, velocity: [0, 0, -5], material: glass}"
OUTSIDE, ON_THE_WAY = ", eye: [0, 20 mm, 20 mm], target: [0, 4 mm, 0]", ", eye: [0, 10 mm, 25 mm], target: [0, 4 mm, 0]"


def main():
    dew, bad = sys.argv[1], 0
    with tempfile.TemporaryDirectory() as scratch:
        scene, out = pathlib.Path(scratch) / "scene.yaml", pathlib.Path(scratch) / "out"
        for name, solid, eye, expected in (("automatic, in a container", CONTAINER, "", 0), ("given, outside of it", CONTAINER, OUTSIDE, 2),
                                           ("given, a ball flies over it", FLYING, ON_THE_WAY, 0)):
            scene.write_text(SCENE.format(solid=solid, eye=eye))
            for command in (["check", scene], ["run", scene, "-o", out, "--overwrite", "--quiet"]):
                done = subprocess.run([dew, *command], capture_output=True, text=True)
                wrong = done.returncode != expected or (expected == 2 and f"{scene}:9: camera.eye is inside" not in done.stderr)
                bad += wrong
                print(f"{name}: {command[0]} exits with {done.returncode} {done.stderr.strip()}{' WRONG' if wrong else ''}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
