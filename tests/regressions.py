"""Every scene that once failed, made small and kept in tests/regressions, is run and judged again.

    python3 tests/regressions.py build/dew [NAME]...

tests/regressions/NAME/scene.yaml begins with comments that say what failed: `KIND: words`. A line `extras: threads resume` has it
run on three threads or stopped and resumed too; `choice: X`, how it is
stopped (_scene_judge.py); `exit: N` says that it must end with that code.
"""
import os
import pathlib
import re
import sys
import tempfile
import shutil

import _scene_generator as generator
import _scene_judge as judge

FOLDER = pathlib.Path(__file__).resolve().parent / "regressions"


def header_words(header, name):
    found = re.search(rf"^{name}: (.*)$", header, re.M)
    return found[1].split() if found else []


def main():
    dew = os.path.abspath(sys.argv[1])
    bad = 0
    names = sys.argv[2:] or sorted(path.name for path in FOLDER.iterdir() if (path / "scene.yaml").exists())
    for name in names:
        made, header = generator.read_scene(FOLDER / name / "scene.yaml")
        with tempfile.TemporaryDirectory(prefix="dew_regression.") as scratch:
            folder = pathlib.Path(scratch)
            shutil.copytree(FOLDER / name, folder, dirs_exist_ok=True)
            expected = int((header_words(header, "exit") or [0])[0])
            result = judge.judge(dew, folder / "scene.yaml", made, folder, header_words(header, "extras"),
                                 float((header_words(header, "choice") or [0.5])[0]), None, expected)
        bad += bool(result.faults)
        words = "; ".join(f"{fault.kind}: {' '.join(fault.words.split())}" for fault in result.faults) or "ok"
        print(f"{name:32} {result.cpu_s:5.1f} CPU s  {words}")
    print(f"{len(names)} scenes that once failed, {bad} with faults")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
