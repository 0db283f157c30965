"""What the tests of runs share: a scene, running it, and comparing run directories."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent

# Drops that land, spread and run down a plate, a drip, a sink: a bit of everything, and quick.
SCENE = """\
dew: 1
solver: surface
duration: {duration} s
frame_rate: 100 Hz
domain: {{min: [-50 mm, 0, -50 mm], max: [50 mm, 100 mm, 50 mm], cell: 1 mm,
  walls: {{floor: glass, others: open}}}}
materials: {{glass: {{}}}}
solids:
  - {{shape: box, center: [0, 10 mm, 0], size: [40 mm, 4 mm, 40 mm],
     rotate: {{axis: [0, 0, 1], angle: 10 deg}}, material: glass}}
drops:
  - {{shape: sphere, center: [0, 30 mm, 0], radius: 4 mm}}
  - {{shape: sphere, center: [1 mm, 40 mm, 0], radius: 3 mm}}
sources:
  - {{shape: drip, at: [5 mm, 80 mm, 5 mm], radius: 2 mm, every: 17 ms}}
sinks:
  - {{shape: box, min: [30 mm, 0, -50 mm], max: [50 mm, 5 mm, 50 mm]}}
output: {{checkpoint_every: 0 s}}
"""


def scratch():
    """A new directory, in memory where that can be had: runs sync much."""
    shm = pathlib.Path("/dev/shm")
    return pathlib.Path(tempfile.mkdtemp(prefix="dew_test.",
                                         dir=shm if os.access(shm, os.W_OK) else None))


def remove(path):
    shutil.rmtree(path, ignore_errors=True)


def run(dew, scene, out, *options, environment=None, **more):
    """`dew run`, quietly, on one thread: the finished process."""
    return subprocess.run(
        [dew, "run", str(scene), "-o", str(out), "--quiet", "--threads", "1", *options],
        env={**os.environ, **(environment or {})}, capture_output=True, text=True, timeout=60, **more)


def export_endings(dew, directory, folder):
    """Of the scene formats that this build writes."""
    for ending in ("glb", "usda", "usdc", "abc", "vtkhdf"):
        path = folder / f"endings.{ending}"
        done = subprocess.run([dew, "export", str(directory), "-o", str(path), "--frames", "0"], capture_output=True, text=True, timeout=60)
        path.unlink(missing_ok=True)
        if done.returncode == 0:
            yield ending
        else:  # a library that is not there, or a format that is not in the build
            assert done.returncode == 2 and done.stderr.count("\n") == 1, f".{ending}: {done.stderr}"


def lasting(name, data):
    """The content without what tells the machine's time."""
    if name == "stats.csv":
        return b"\n".join(line.rpartition(b",")[0] for line in data.splitlines())
    if name == "run.json":
        return re.sub(rb'"(wall_s|cpu_s|peak_bytes)": [-+.e\d]+', b"", data)
    return data


def digest(directory):
    """Name to hash of all files below a directory."""
    return {str(path.relative_to(directory)):
            hashlib.sha256(lasting(path.name, path.read_bytes())).hexdigest()
            for path in sorted(pathlib.Path(directory).rglob("*")) if path.is_file()}


def difference(got, expected):
    """In words; empty when they are equal."""
    wrong = [f"{name} is missing" for name in expected if name not in got]
    wrong += [f"{name} should not be there" for name in got if name not in expected]
    wrong += [f"{name} differs" for name in got if name in expected and got[name] != expected[name]]
    return "; ".join(wrong)


def build_shim(directory):
    """fault_shim.c as a library to preload; None where there is no C compiler or no glibc."""
    library = directory / "fault_shim.so"
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not compiler:
        return None
    done = subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", str(library),
                           str(TESTS / "fault_shim.c"), "-ldl"], capture_output=True, text=True)
    return library if done.returncode == 0 else None


def fault(shim, call, at, kind, under, mark):
    """The environment in which the at-th call of that name fails."""
    mark.unlink(missing_ok=True)
    return {"LD_PRELOAD": str(shim), "FAULT_CALL": call, "FAULT_AT": str(at), "FAULT_KIND": kind,
            "FAULT_UNDER": str(under), "FAULT_MARK": str(mark)}
