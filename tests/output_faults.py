"""Every system call and allocation of `render`, `report`, `plot`, `export` and `convert` failing in turn, and a kill before
each: exit code 1 and one or two lines, the old file as it was or the new one whole, nothing half written that stays.

output_faults.py DEW [MAX]: tries at most MAX places per call and command (all when there are fewer; default 2, which
is what CI has time for), evenly spread.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import _run_directory as rd

DRAW = ["--size", "24x16", "--samples", "1", "--quiet", "--threads", "1"]
OLD = b"the old file\n"

# Calls and how they fail. All but the last two are of files below the scratch directory.
FAILURES = [("open", "EIO"), ("open", "ENOSPC"), ("read", "EIO"), ("pread", "EIO"), ("write", "ENOSPC"), ("write", "EIO"),
            ("write", "SHORT"), ("fsync", "EIO"), ("rename", "ENOSPC"), ("unlink", "EIO"), ("mkdir", "ENOSPC"),
            ("close", "EIO"), ("flock", "EIO"), ("pipe", "EIO"), ("spawn", "EIO"), ("malloc", "ENOMEM")]


class Job:
    """A command, and the files that it writes into its folder."""

    def __init__(self, name, words, files, inner=None):
        self.name, self.words, self.files, self.inner = name, words, files, inner  # inner: a program that it starts
        self.expected = {}


def jobs(dew, scratch):
    run, out = scratch / "run", scratch / "out"
    yield Job("convert", ["convert", run / "frames/surface.0000.ply", out / "x.vtp"], ["x.vtp"])
    for ending in rd.export_endings(dew, run, scratch):
        yield Job(ending, ["export", run, "-o", out / f"x.{ending}", "--quiet"], [f"x.{ending}"])
    yield Job("image", ["render", run, "-o", out / "x.png", *DRAW], ["x.png"])
    yield Job("exr", ["render", run, "-o", out / "x.exr", *DRAW], ["x.exr"])
    yield Job("images", ["render", run, "--frame", "0..2", "-o", out / "x.png", *DRAW],
              ["x.0000.png", "x.0001.png", "x.0002.png"])
    if shutil.which("gnuplot"):
        yield Job("plot", ["plot", run, "-o", out / "x.svg"], ["x.svg"], "gnuplot")
        yield Job("report", ["report", run, "-o", out / "x.html"], ["x.html"], "gnuplot")
    if shutil.which("ffmpeg"):
        for ending in ("mp4", "mkv"):
            yield Job(ending, ["render", run, "-o", out / f"x.{ending}", *DRAW], [f"x.{ending}"], "ffmpeg")


class Bench:
    def __init__(self, dew, scratch, shim):
        self.dew, self.scratch, self.shim = dew, scratch, shim
        self.out, self.mark, self.counts = scratch / "out", scratch / "mark", scratch / "counts"
        self.lost = self.kills = self.faults = 0
        scene = scratch / "scene.yaml"
        scene.write_text(rd.SCENE.format(duration=0.03))
        done = rd.run(dew, scene, scratch / "run")
        assert done.returncode == 0, done.stderr

    def call(self, job, environment=None):
        return subprocess.run([self.dew, *map(str, job.words)], env={**os.environ, **(environment or {})},
                              capture_output=True, text=True, timeout=120)

    def put_old(self, job):
        rd.remove(self.out)
        self.out.mkdir()
        for name in job.files:
            (self.out / name).write_bytes(OLD)

    def fault(self, job, call, at, kind, program=None):
        self.put_old(job)
        environment = rd.fault(self.shim, call, at, kind, self.scratch, self.mark)
        environment["FAULT_IN"] = program or pathlib.Path(self.dew).name
        return self.call(job, environment)

    def count(self, job, program=None):
        """How often the job makes each call; and what it writes."""
        self.counts.unlink(missing_ok=True)
        self.put_old(job)
        environment = rd.fault(self.shim, "none", 0, "EIO", self.scratch, self.mark)
        done = self.call(job, {**environment, "FAULT_IN": program or pathlib.Path(self.dew).name,
                               "FAULT_COUNTS": str(self.counts)})
        assert done.returncode == 0 and not done.stderr, f"{job.name}: {done.stderr}"
        job.expected = {name: (self.out / name).read_bytes() for name in job.files}
        return {line.split()[0]: int(line.split()[1]) for line in self.counts.read_text().splitlines()}

    def dies_at_start(self, at):
        environment = rd.fault(self.shim, "malloc", at, "ENOMEM", self.scratch, self.mark)
        return subprocess.run([self.dew, "--version"], env={**os.environ, **environment},
                              capture_output=True).returncode == -6


def parts(bench):
    return [path.name for path in bench.out.iterdir() if path.name.endswith(".part")]


def decoded(path):
    """What an independent reader says of a video: images that it decodes, errors that it meets."""
    done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
                           "stream=width,height,nb_read_frames", "-of", "csv=p=0", path], capture_output=True, text=True)
    return done.stdout.strip(), done.stderr.strip()


def is_whole_video(bench, job, name):
    """All images, though encoded in another way: an encoder that lacks memory for something optional goes on without."""
    whole = bench.scratch / f"whole_{name}"
    whole.write_bytes(job.expected[name])
    return decoded(bench.out / name) == decoded(whole)


def check_files(bench, job, what, is_done, may_vary=False):
    """Each file is the old one or the new one."""
    names = sorted(path.name for path in bench.out.iterdir() if not path.name.endswith(".part"))
    assert names == sorted(job.files), f"{what}: there are {names}"
    for name in job.files:
        data = (bench.out / name).read_bytes()
        is_fine = data == job.expected[name] or (data == OLD and not is_done) or \
            (may_vary and is_done and is_whole_video(bench, job, name))
        assert is_fine, f"{what}: {name} is torn, {len(data)} bytes of {len(job.expected[name])}"


def check_fault(bench, job, call, at, kind, program=None):
    what = f"{job.name}: {call} {at} of {program or 'dew'} fails ({kind})"
    done = bench.fault(job, call, at, kind, program)
    if not bench.mark.exists():
        return
    if call == "malloc" and not program:
        # Not ours to mend: libraries in C++ before main, and Embree's and HDF5's own, which print lines or end the program.
        is_others = any(word in done.stderr for word in ("bad_alloc", "Embree", "HDF5: "))
        is_others = is_others or (job.name == "vtkhdf" and done.returncode == 255)
        if (done.returncode == -6 and bench.dies_at_start(at)) or is_others:
            bench.lost += 1
            return
    bench.faults += 1
    lines = done.stderr.splitlines()
    said = f"{what}: exit code {done.returncode}, {done.stderr!r}"
    assert done.returncode in (0, 1), said
    if done.returncode == 1:
        assert 1 <= len(lines) <= 2 and lines[0].startswith("dew: ") and len(lines[0]) > 20, said
    check_files(bench, job, said, done.returncode == 0, may_vary=call == "malloc" and program == "ffmpeg")
    if call == "unlink" and parts(bench):  # then at the next start
        again = bench.call(job)
        assert again.returncode == 0, f"{said}, then {again.stderr}"
        check_files(bench, job, f"{said}, then again", True)
    assert not parts(bench), f"{said}: {parts(bench)} stay"


def children(scratch):
    """Programs that a killed one left: they have its environment, which names the scratch directory."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"FAULT_UNDER={scratch}".encode() in path.read_bytes():
                found.append((path.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            pass
    return found


def check_kill(bench, job, call, at):
    what = f"{job.name}: killed before {call} {at}"
    done = bench.fault(job, call, at, "KILL")
    if not bench.mark.exists():
        return
    assert done.returncode == -signal.SIGKILL, f"{what}: exit code {done.returncode}"
    bench.kills += 1
    check_files(bench, job, what, False)
    done = bench.call(job)  # at once: an encoder may still be at work
    assert done.returncode == 0 and not done.stderr, f"{what}, then: {done.stderr}"
    check_files(bench, job, f"{what}, then again", True)
    assert not parts(bench), f"{what}, then again: {parts(bench)} stay"
    until = time.monotonic() + 30
    while children(bench.scratch) and time.monotonic() < until:
        time.sleep(0.05)
    assert not children(bench.scratch), f"{what}: still at work: {children(bench.scratch)}"


def places(count, most):
    if count <= most:
        return range(1, count + 1)
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})


def try_all(bench, job, most):
    total = bench.count(job)
    for call, kind in FAILURES:
        for at in places(total[call], most):
            check_fault(bench, job, call, at, kind)
    for call in total:
        if call != "malloc":
            for at in places(total[call], most):
                check_kill(bench, job, call, at)
    if job.inner:
        inside = bench.count(job, job.inner)
        for call, kind in (("write", "ENOSPC"), ("write", "SHORT"), ("malloc", "ENOMEM"), ("open", "EIO")):
            for at in places(inside[call], most):
                check_fault(bench, job, call, at, kind, job.inner)


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    most = max(2, int(sys.argv[2])) if len(sys.argv) > 2 else 2
    if os.environ.get("DEW_SANITIZED"):
        print("skipped: sanitizers and the fault shim both want to be the first library")
        return 77
    scratch = rd.scratch()
    try:
        shim = rd.build_shim(scratch)
        if not shim:
            print("skipped: the fault shim needs a C compiler and glibc")
            return 77
        bench = Bench(dew, scratch, shim)
        for job in jobs(dew, scratch):
            begin, faults, kills = time.monotonic(), bench.faults, bench.kills
            try_all(bench, job, most)
            print(f"{job.name}: {bench.faults - faults} faults, {bench.kills - kills} kills,"
                  f" {time.monotonic() - begin:.1f} s", flush=True)
        print(f"{bench.faults} faults and {bench.kills} kills: nothing lost, nothing torn, no part left"
              f" ({bench.lost} allocations of others that end the program)")
    except AssertionError as error:
        print(error)
        return 1
    finally:
        rd.remove(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
