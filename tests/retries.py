"""A step that fails again and again ends the run with one line, however often it was tried; run.json has the number.

    python3 tests/retries.py build/dew
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

MAX_RETRIES = 8  # dew_default_world_def
SCENE = """\
dew: 1
solver: {solver}
duration: 0.02 s
frame_rate: 100 Hz
domain: {{min: [-5 mm, 0, -5 mm], max: [5 mm, 10 mm, 5 mm], cell: 1 mm}}
drops: [{{shape: sphere, center: [0, 5 mm, 0], radius: 2 mm, velocity: [0, 999.99, 0]}}]
gravity: [0, 1e9, 0]  # beyond 1000 m/s within any step
"""


def main():
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="dew_retries."))
    wrong = []
    for solver in ("apic", "volume"):
        for options in ([], ["--quiet"]):
            scene, out = scratch / "scene.yaml", scratch / "run"
            scene.write_text(SCENE.format(solver=solver))
            done = subprocess.run([sys.argv[1], "run", str(scene), "-o", str(out), "--overwrite", *options],
                                  capture_output=True, text=True, timeout=60)
            lines = [line for line in done.stderr.splitlines() if line.startswith("dew: ")]
            report = json.loads((out / "run.json").read_text())
            if done.returncode != 1 or len(lines) != 1 or "also with 1/256 of the step" not in lines[0]:
                wrong.append(f"{solver} {options}: exit code {done.returncode}, {len(lines)} lines: {done.stderr[:400]}")
            if options and done.stderr.count("\n") != 1:
                wrong.append(f"{solver} {options}: not one line: {done.stderr[:400]}")
            if report["retries"] != MAX_RETRIES or report["status"] != "failed":
                wrong.append(f"{solver}: {report['retries']} retries, {report['status']}")
    shutil.rmtree(scratch)
    print("\n".join(wrong) or "a failing step ends a run with one line")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
