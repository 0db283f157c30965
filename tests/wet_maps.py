"""Wet maps with solids, with walls of the domain only, and with nothing to be wet, in every solver.

    python3 tests/wet_maps.py build/dew

Each run ends well and silently, with a wet map of each solid that has one in every frame, also after a resume; a solver that
keeps no wet maps refuses the key in one line. A drop under a source that begins later leaves the grid empty at first.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import _solid_files

SOLVERS = ("volume", "apic", "surface", "shallow", "splash")
WITHOUT = ("shallow", "splash")  # keep no wet maps
FRAMES = 3
SOLIDS = {
    "nothing": ("", "others: open", 0),
    "walls": ("", "floor: glass, others: open", 1),
    "closed": ("", "others: glass", 6),
    "solid": ("solids: [{shape: box, center: [0, 0.5 mm, 0], size: [6 mm, 1 mm, 6 mm], material: glass}]", "others: open", 1),
    "moving": ("solids: [{shape: box, center: [0, 0.5 mm, 0], size: [6 mm, 1 mm, 6 mm], material: glass, "
               "velocity: [1 mm/s, 0, 0]}]", "others: open", 1),
}
LIQUIDS = {
    "drop": "drops: [{shape: sphere, center: [0, 2.5 mm, 0], radius: 1.8 mm}]",
    "source": "sources: [{shape: disk, center: [0, 4 mm, 0], normal: [0, -1, 0], radius: 1.2 mm, speed: 0.5 m/s, start: 3 ms}]",
    "late drip": "sources: [{shape: drip, at: [0, 3 mm, 0], radius: 1.5 mm, every: 1 s, start: 3 ms}]",
}
SCENE = """\
dew: 1
solver: {solver}
duration: 10 ms
frame_rate: 200 Hz
domain: {{min: [-4 mm, 0, -4 mm], max: [4 mm, 6 mm, 4 mm], cell: 0.75 mm, walls: {{{walls}}}}}
materials: {{glass: {{advancing: 60 deg, receding: 20 deg, wet_advancing: 40 deg}}}}
output: {{wetmap: true, surface: none, checkpoint_every: 0 s}}
{solids}
{liquid}
"""


def fault_of(dew, solver, solids, liquid, folder):
    folder.mkdir()
    text, walls, count = SOLIDS[solids]
    (folder / "scene.yaml").write_text(SCENE.format(solver=solver, walls=walls, solids=text, liquid=LIQUIDS[liquid]))
    command = [dew, "run", str(folder / "scene.yaml"), "-o", str(folder / "run"), "--quiet", "--threads", "1"]
    for options in (["--until", "7 ms"], ["--resume"]):
        done = subprocess.run(command + options, capture_output=True, text=True, timeout=120)
        if solver in WITHOUT:
            is_refused = done.returncode == 2 and "output.wetmap" in done.stderr and done.stderr.count("\n") == 1
            return None if is_refused else f"exit code {done.returncode}: {done.stderr[:300]}"
        if done.returncode != 0 or done.stderr:
            return f"exit code {done.returncode}: {done.stderr[:300]}"
    names = sorted({path.name.split(".")[1] for path in (folder / "run" / "frames").glob("solid.*.ply")})
    for name in names:
        for frame in range(FRAMES):
            mesh, corners = _solid_files.solid_of_frame(folder / "run", name, frame)
            if not corners or not all(0 <= w <= 1 for w in mesh["wetness"]):
                return f"frame {frame} of {name}: no wet map"
    return None if len(names) == count else f"{len(names)} solids instead of {count}"


def main():
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="dew_wet_maps."))
    wrong, count = [], 0
    for solver in SOLVERS:
        for solids in SOLIDS:
            for liquid in LIQUIDS:
                if solver in WITHOUT and (solids, liquid) not in (("nothing", "drop"), ("solid", "drop")):
                    continue
                fault = fault_of(sys.argv[1], solver, solids, liquid, scratch / str(count))
                count += 1
                if fault:
                    wrong.append(f"{solver}, {solids}, {liquid}: {fault}")
    shutil.rmtree(scratch, ignore_errors=True)
    print("\n".join([*wrong, f"{count} runs with wet maps, {len(wrong)} faults"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
