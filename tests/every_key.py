"""The generator of scenes makes each key and each choice of the schema with each solver that takes it.

    python3 tests/every_key.py build/dew

A key that is new in the schema, and so in the manual, fails here until tests/_scene_generator.py can make it. Nothing is run but
`dew check` on some of the scenes: they are valid.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

import _scene_generator as generator
import _scene_schema as schema

SCENES_EACH = 1000
CHECKED_EACH = 3
# What a solver cannot do in a run, though its traits do not refuse it.
BEYOND = {solver: {"events[].kind=feed", "events[].point@feed", "events[].volume@feed"}
          for solver in schema.SOLVERS if solver not in generator.FEED_SOLVERS}
for solver in generator.NO_WETMAP:
    BEYOND[solver] = BEYOND[solver] | {"output.wetmap=true"}


def main():
    dew = os.path.abspath(sys.argv[1])
    wanted, bad = schema.all_features(), 0
    with tempfile.TemporaryDirectory(prefix="dew_keys.") as scratch:
        for solver in schema.SOLVERS:
            had = set()
            for seed in range(SCENES_EACH):
                made = generator.any_scene(seed, pathlib.Path(scratch), solver)
                had |= schema.said(made)
                if seed < CHECKED_EACH:
                    path = generator.write_scene(made, pathlib.Path(scratch))
                    done = subprocess.run([dew, "check", path], capture_output=True, text=True)
                    bad += done.returncode != 0
                    print(f"{solver} {seed}: {done.stderr.strip()}" if done.returncode else "", end="")
            missing = sorted(wanted[solver] - had - BEYOND.get(solver, set()))
            bad += len(missing)
            print(f"{solver:8} {len(wanted[solver])} keys and choices, never made: {', '.join(missing) or 'none'}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
