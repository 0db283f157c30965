"""Every write, sync, rename and allocation of a run failing in turn: one clear line, exit code 1, frames
intact, and a directory that can be resumed to the same files.

faults.py DEW [MAX]: tries at most MAX places per kind of call (all when there are fewer; default 1000),
evenly spread.
"""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys

import _run_directory as rd

# Calls, kinds of failure, and whether the run may survive it: a failing close after a sync loses nothing,
# a file that cannot be read to be compared is written anew. What survives must leave the same files.
FAILURES = [
    ("write", "ENOSPC", False), ("write", "EIO", False), ("write", "SHORT", True),
    ("fsync", "EIO", False), ("fsync", "ENOSPC", False), ("rename", "EIO", False),
    ("rename", "ENOSPC", False), ("open", "ENOSPC", True), ("open", "EIO", True),
    ("mkdir", "ENOSPC", True), ("link", "EIO", False), ("unlink", "EIO", True),
    ("close", "EIO", True),
]


class Bench:
    """A short run, what it must leave, and how often it makes each call."""

    def __init__(self, dew, scratch, shim):
        self.dew, self.scratch, self.shim = dew, scratch, shim
        self.scene = scratch / "scene.yaml"
        self.scene.write_text(rd.SCENE.format(duration=0.03))
        self.out, self.mark = scratch / "out", scratch / "mark"
        done = rd.run(dew, self.scene, scratch / "whole")
        assert done.returncode == 0, done.stderr
        self.expected = rd.digest(scratch / "whole")

    def run(self, call, at, kind, *options):
        """How the run ended with that call failing; None when it makes fewer calls."""
        environment = rd.fault(self.shim, call, at, kind, self.out, self.mark)
        if call == "malloc":
            del environment["FAULT_UNDER"]
        done = rd.run(self.dew, self.scene, self.out, *options, environment=environment)
        return done if self.mark.exists() else None

    def dies_at_start(self, call, at, kind):
        """Does the program die of it even when it has nothing to do?"""
        environment = rd.fault(self.shim, call, at, kind, self.out, self.mark)
        environment.pop("FAULT_UNDER", None)
        return subprocess.run([self.dew, "--version"], env=environment,
                              capture_output=True).returncode == -6

    def count(self, call):
        """How many calls there are."""
        low, high = 0, 1
        while self.is_reached(call, high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.is_reached(call, middle) else (low, middle)
        return low

    def is_reached(self, call, at):
        done = self.run(call, at, "ENOMEM" if call == "malloc" else "EIO")
        rd.remove(self.out)
        return done is not None


def check_end(done, what, may_survive, codes=(1,)):
    """Done, or failed with one line; never anything else."""
    lines = done.stderr.splitlines()
    if done.returncode == 0 and may_survive and not lines:
        return
    assert done.returncode in codes, f"{what}: exit code {done.returncode}: {done.stderr}"
    assert len(lines) == 1 and lines[0].startswith("dew: ") and len(lines[0]) > 20, \
        f"{what}: not one clear line but {done.stderr!r}"


def check_directory(bench, what):
    """Frames that are there are right; resuming makes the rest."""
    frames = {name: value for name, value in rd.digest(bench.out).items()
              if name.startswith("frames/") and not name.endswith(".part")}
    wrong = [name for name in frames if bench.expected.get(name) != frames[name]]
    assert not wrong, f"{what}: {wrong} are not whole"
    done = rd.run(bench.dew, bench.scene, bench.out, "--resume")
    assert done.returncode == 0, f"{what}: resuming ended with {done.returncode}: {done.stderr}"
    wrong = rd.difference(rd.digest(bench.out), bench.expected)
    assert not wrong, f"{what}, then resumed: {wrong}"


def places(count, most):
    if count <= most:
        return range(1, count + 1)
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})


def fail_each(bench, call, kind, may_survive, most):
    total = bench.count(call)
    tried = places(total, most)
    for at in tried:
        what = f"{call} {at} of {total} fails ({kind})"
        done = bench.run(call, at, kind)
        if done is None:
            continue  # fewer calls than when they were counted
        if done.returncode == -6 and bench.dies_at_start(call, at, kind):
            continue  # a C++ library's own beginning, before main
        check_end(done, what, may_survive)
        check_directory(bench, what)
        rd.remove(bench.out)
    print(f"{call} {kind}: {len(tried)} of {total} places")


def fail_images(bench, most):
    """The same for an image: one line, and no file, or the whole image."""
    image = bench.scratch / "image.png"
    words = [bench.dew, "render", str(bench.scratch / "whole"), "-o", str(image), "--size", "24x16", "--samples", "2",
             "--denoise", "--quiet", "--threads", "1"]

    def draw(at):
        image.unlink(missing_ok=True)
        environment = rd.fault(bench.shim, "malloc", at, "ENOMEM", bench.out, bench.mark)
        del environment["FAULT_UNDER"]
        return subprocess.run(words, env={**os.environ, **environment}, capture_output=True, text=True, timeout=60)

    subprocess.run(words, check=True, capture_output=True)
    expected, total = image.read_bytes(), 1
    while True:
        draw(total)
        if not bench.mark.exists():
            break
        total *= 2
    tried, reached, lost = places(total, most), 0, 0
    for at in tried:
        done = draw(at)
        if not bench.mark.exists() or (done.returncode == -6 and bench.dies_at_start("malloc", at, "ENOMEM")):
            continue
        reached += 1
        what = f"malloc {at} of an image fails"
        others = ("bad_alloc", "dew: Embree", "pthread_create has failed")  # the last: its scheduler TBB, which throws
        if any(words in done.stderr for words in others):  # not ours to mend, where it takes its own
            lost += 1
            continue
        check_end(done, what, True)
        assert image.exists() == (done.returncode == 0), f"{what}: exit code {done.returncode}, half an image"
        assert done.returncode or image.read_bytes() == expected, f"{what}: another image"
    assert reached > 10 * lost, f"{lost} of {reached} failing allocations of an image end in Embree"
    print(f"malloc of an image: {reached} places, {lost} of them within Embree")


def unwritable(bench):
    """Places where no directory can be made or written."""
    below_file = bench.scratch / "file"
    below_file.write_text("mine")
    for out in (below_file / "run", pathlib.Path("/proc/dew_run"), below_file):
        done = rd.run(bench.dew, bench.scene, out)
        check_end(done, f"-o {out}", False, codes=(1, 2))
    assert below_file.read_text() == "mine"
    closed = bench.scratch / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    bench.scratch.chmod(0o755)
    prefix = []
    if os.geteuid() == 0:  # permissions do not bind root
        if not shutil.which("setpriv"):
            return
        prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        if subprocess.run([*prefix, bench.dew, "--version"], capture_output=True).returncode != 0:
            return  # the program lies where nobody else can reach it
    for out in (closed, closed / "run"):
        done = subprocess.run([*prefix, bench.dew, "run", str(bench.scene), "-o", str(out), "--quiet"],
                              capture_output=True, text=True, timeout=60)
        check_end(done, f"-o {out}", False)
    assert not list(closed.iterdir())
    print("unwritable directories: refused")


def limited_file_size(bench):
    """The system's own limit: writing beyond it fails with EFBIG."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # as a shell has it
        resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
    done = rd.run(bench.dew, bench.scene, bench.out, preexec_fn=limit)
    check_end(done, "file size limit", False)
    check_directory(bench, "file size limit")
    rd.remove(bench.out)
    print("file size limit: one line, resumed")


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    most = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
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
        unwritable(bench)
        limited_file_size(bench)
        for call, kind, may_survive in FAILURES:
            fail_each(bench, call, kind, may_survive, most)
        fail_each(bench, "malloc", "ENOMEM", True, most)
        fail_images(bench, min(most, 100))
    except AssertionError as error:
        print(error)
        return 1
    finally:
        rd.remove(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
