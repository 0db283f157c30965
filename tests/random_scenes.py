"""Random scenes run through every solver, and what comes out is judged (_scene_judge.py says by what).

    python3 tests/random_scenes.py build/dew [--family NAME | --solver NAME] [--scenes N] [--seconds S] [--first SEED] [--jobs N]
                                   [--steps N] [--limit SECONDS] [--keep FOLDER] [--shrink] [--sanitized]

Families: `any`, valid scenes over all keys and solvers (_scene_generator.py); `rest`, drops that come to rest; and one for each
solver (_scene_families.py), harder ones of a narrower kind, also called by --solver. Without --scenes or --seconds: a few cheap
seeds of each, for CTest. `--solver surface --scenes 200 --steps 300` is what `surface` promises, `--solver volume --scenes 100`
what `volume` does. --keep: each failing scene stays in FOLDER, with --shrink also as small as it could be made.
Every EXTRA-th scene is also run on three threads, and stopped half way and resumed.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import shutil
import sys
import tempfile
import time

import _scene_families as families
import _scene_generator as generator
import _scene_judge as judge
import _scene_shrinker as shrinker

OLD_FAMILIES = ("surface", "volume", "apic", "shallow", "splash")
FAMILIES = ("any", "rest") + OLD_FAMILIES
QUICK_SEEDS = {"surface": (0, 1, 5, 8, 10, 100, 101, 103, 144), "volume": (0, 1, 10, 45, 47, 60), "apic": (0, 6, 10),
               "shallow": (7, 10, 16, 19, 28, 38, 51, 55, 59, 61, 67),
               "splash": (3, 7, 8, 12, 28, 31), "any": range(40), "rest": range(3)}
SANITIZED_SEEDS = {"any": range(12), "rest": ()}
FIRST_STEP_SEEDS = {"splash": (33,)}  # one step tells
QUICK_STEPS = {"surface": 60, "volume": 20, "apic": 20, "shallow": 200, "splash": 30}
EXTRA = 4

Job = collections.namedtuple("Job", "family seed steps")


def make(job, folder):
    """(the scene's path, the scene)."""
    if job.family in OLD_FAMILIES:
        return families.scene(job.seed, job.steps, folder, job.family)
    made = (generator.any_scene if job.family == "any" else generator.rest_scene)(job.seed, folder)
    return generator.write_scene(made, folder), made


def run_job(dew, job, folder, limit_s):
    path, made = make(job, folder)
    chance = random.Random(f"extras {job.family} {job.seed}")
    extras = ("threads", "resume") if job.family == "any" and job.seed % EXTRA == 0 else ()
    result = judge.judge(dew, path, made, folder, extras, chance.random(), limit_s)
    return made, extras, result


def quick_jobs(names):
    is_sanitized = os.environ.get("DEW_SANITIZED")
    jobs = []
    for name in names:
        seeds = SANITIZED_SEEDS.get(name, QUICK_SEEDS[name]) if is_sanitized else QUICK_SEEDS[name]
        jobs += [Job(name, seed, 10 if is_sanitized else QUICK_STEPS.get(name, 0)) for seed in seeds]
        jobs += [Job(name, seed, 1) for seed in FIRST_STEP_SEEDS.get(name, ())]
    return jobs


def chosen_jobs(names, arguments):
    """Without a number of scenes there is no end: the time tells."""
    seed = arguments.first
    while not arguments.scenes or seed < arguments.first + arguments.scenes:
        for name in names:
            yield Job(name, seed, arguments.steps or QUICK_STEPS.get(name, 0))
        seed += 1


class Tally:
    """Counts, and tells one line for each scene."""

    def __init__(self):
        self.begin, self.scenes, self.bad, self.cpu_s = time.monotonic(), 0, 0, 0.0
        self.kinds, self.times = collections.Counter(), []

    def add(self, job, result):
        self.scenes += 1
        self.bad += bool(result.faults)
        self.cpu_s += result.cpu_s
        self.times.append(result.cpu_s)
        self.kinds.update({fault.kind for fault in result.faults})
        words = "ok" if not result.faults else f"{result.faults[0].kind}: {' '.join(result.faults[0].words.split())}"
        more = f" (and {len(result.faults) - 1} more)" if len(result.faults) > 1 else ""
        last = result.last
        print(f"{job.family:8} {job.seed:4}  {last['step']:>5} steps {last['drops']:>4} drops {last['elements']:>6} elements "
              f"{result.cpu_s:6.1f} CPU s  {words}{more}", flush=True)

    def summary(self):
        times = sorted(self.times) or [0.0]
        print(f"{self.scenes} scenes, {self.bad} with faults, {self.cpu_s:.1f} CPU s (median {times[len(times) // 2]:.2f}, "
              f"longest {times[-1]:.1f}), {time.monotonic() - self.begin:.0f} s")
        print("  ".join(f"{kind} {self.kinds[kind]}" for kind in judge.KINDS))


def work(dew, job, folder, arguments):
    folder.mkdir(parents=True, exist_ok=True)
    made, extras, result = run_job(dew, job, folder, arguments.limit)
    if result.faults and arguments.keep:
        kept = pathlib.Path(arguments.keep).absolute() / job.family / str(job.seed)
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        (kept / "faults.txt").write_text("".join(f"{fault.kind}: {fault.words}\n" for fault in result.faults))
        if arguments.shrink:
            choice = random.Random(f"extras {job.family} {job.seed}").random()
            shrinker.shrink(dew, made, folder, kept / "small", result.faults[0], extras, arguments.limit, arguments.shrink, choice)
    shutil.rmtree(folder, ignore_errors=True)
    return result


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("dew")
    parser.add_argument("--family", choices=FAMILIES, action="append", help="without it, all")
    parser.add_argument("--solver", choices=OLD_FAMILIES, help="the same as --family of that name")
    parser.add_argument("--scenes", type=int, default=0, help="of each family")
    parser.add_argument("--seconds", type=float, default=0, help="no scene begins after this time")
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=None, metavar="SECONDS")
    parser.add_argument("--keep", metavar="FOLDER")
    parser.add_argument("--shrink", type=int, nargs="?", const=150, default=0, metavar="RUNS")
    parser.add_argument("--sanitized", action="store_true", help="the program is: it may take ten times as long")
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.sanitized:
        os.environ["DEW_SANITIZED"] = "1"
    dew = os.path.abspath(arguments.dew)
    names = arguments.family or ([arguments.solver] if arguments.solver else list(FAMILIES))
    is_chosen = arguments.scenes or arguments.seconds
    jobs = iter(chosen_jobs(names, arguments) if is_chosen else quick_jobs(names))
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="dew_random.") as scratch, \
            concurrent.futures.ThreadPoolExecutor(max_workers=arguments.jobs) as pool:
        waiting = {}
        while True:
            is_late = arguments.seconds and time.monotonic() - tally.begin > arguments.seconds
            while len(waiting) < arguments.jobs and not is_late:
                job = next(jobs, None)
                if job is None:
                    break
                folder = pathlib.Path(scratch) / job.family / str(job.seed)
                waiting[pool.submit(work, dew, job, folder, arguments)] = job
            if not waiting:
                break
            done, _ = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                tally.add(waiting.pop(future), future.result())
    tally.summary()
    return 1 if tally.bad else 0


if __name__ == "__main__":
    sys.exit(main())
