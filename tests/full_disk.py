"""A full disk, for each command that writes a file: exit code 1, one line, the old file as it was, no part left.

full_disk.py DEW. Two kinds of full disk: a limit of the file's size, which programs that Dew starts inherit (they
see a failing write at any byte that we choose, the very last one, too), and a small file system of its own in
memory, where a user may mount one.
"""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys

import _run_directory as rd

DRAW = ["--size", "64x48", "--samples", "1", "--quiet", "--threads", "1"]
OLD = b"the old file\n"


def prepare(dew, scratch):
    scene = scratch / "scene.yaml"
    scene.write_text(rd.SCENE.format(duration=0.03))
    done = rd.run(dew, scene, scratch / "run")
    assert done.returncode == 0, done.stderr


def jobs(dew, scratch):
    """Name of the file, and the command that writes it."""
    run = str(scratch / "run")
    yield "mesh.vtp", ["convert", f"{run}/frames/surface.0000.ply"]
    for ending in rd.export_endings(dew, pathlib.Path(run), scratch):
        yield f"run.{ending}", ["export", run, "--frames", "0", "-o"]
    for name in ("one.png", "one.exr"):
        yield name, ["render", run, *DRAW, "-o"]
    if shutil.which("gnuplot"):
        yield "plot.svg", ["plot", run, "-o"]
        yield "plot.png", ["plot", run, "-o"]
    yield "page.html", ["report", run, "-o"]
    if shutil.which("ffmpeg"):
        for name in ("video.mp4", "video.mkv", "video.webm"):
            yield name, ["render", run, *DRAW, "-o"]


def call(dew, words, path, **more):
    return subprocess.run([dew, *words, str(path)], capture_output=True, text=True, timeout=120, **more)


def check(done, path, what):
    lines = done.stderr.splitlines()
    said = f"{what}: exit code {done.returncode}, {done.stderr!r}"
    assert done.returncode == 1, said
    assert len(lines) == 1 and lines[0].startswith("dew: ") and len(lines[0]) > 20, said
    assert path.read_bytes() == OLD, f"{said}: the old file is gone"
    assert not path.with_name(path.name + ".part").exists(), f"{said}: a part is left"


def limited(dew, scratch):
    count = 0
    for name, words in jobs(dew, scratch):
        path = scratch / name
        done = call(dew, words, path)
        assert done.returncode == 0, done.stderr
        size = path.stat().st_size
        for limit in sorted({100, size // 2, size - 1}):
            def set_limit(most=limit):
                signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # as a shell has it
                resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            path.write_bytes(OLD)
            # Standard streams are pipes: the limit is not for them.
            check(call(dew, words, path, preexec_fn=set_limit), path, f"{name}, {limit} of {size} bytes")
            count += 1
        path.unlink()
    print(f"{count} writes beyond a limit: all failed with one line, old files intact")


def fill(folder, room):
    """Leaves about that much room."""
    with open(folder / "filler", "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass
        filler.truncate(max(0, filler.tell() - room))


def fail_on(dew, small, name, words):
    path = small / name
    done = call(dew, words, path)
    assert done.returncode == 0, done.stderr
    size = path.stat().st_size
    rooms = {0, (size - 1) // 4096 * 4096}
    for room in rooms:
        path.write_bytes(OLD)
        fill(small, room)
        check(call(dew, words, path), path, f"{name}, room for {room} of {size} bytes")
        (small / "filler").unlink()
    path.unlink()
    return len(rooms)


def small_file_system(dew, scratch):
    """In a mount namespace of its own."""
    small, count = scratch / "small", 0
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(small)], capture_output=True).returncode:
        print("no small file system: mounting is not permitted")
        return
    try:
        for name, words in jobs(dew, scratch):
            count += fail_on(dew, small, name, words)
    finally:
        subprocess.run(["umount", str(small)])
    print(f"{count} writes to a full file system: the same")


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    is_inside = len(sys.argv) > 2 and sys.argv[2] == "--inside"
    scratch = rd.scratch()
    try:
        prepare(dew, scratch)
        if is_inside:
            small_file_system(dew, scratch)
            return 0
        limited(dew, scratch)
        apart = ["unshare", "-rm"]
        if shutil.which("unshare") and subprocess.run([*apart, "true"], capture_output=True).returncode == 0:
            return subprocess.run([*apart, sys.executable, __file__, dew, "--inside"]).returncode
        print("no small file system: no mount namespace can be had")
    except AssertionError as error:
        print(error)
        return 1
    finally:
        rd.remove(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
