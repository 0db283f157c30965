"""Killed with -9 and resumed, a run leaves the same files as one that was not.

kill_resume.py DEW [COUNT]: kills at COUNT random moments (50, the same each time for the same speed), some
of them again while it resumes; interrupts it in the polite ways; then, where the fault shim can be built, before each single system call
that changes the directory.
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import _run_directory as rd

CALLS = ["open", "write", "fsync", "rename", "link", "unlink", "mkdir", "close", "ftruncate"]


def kill_after(dew, scene, out, seconds, *options):
    """Starts a run and kills it after a while; True when it was still running."""
    process = subprocess.Popen([dew, "run", str(scene), "-o", str(out), "--quiet", "--threads", "1",
                                *options],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    error = process.communicate()[1].decode()
    if process.returncode not in (0, -signal.SIGKILL):
        raise AssertionError(f"exit code {process.returncode}: {error}")
    return process.returncode != 0


def check_resumed(dew, scene, out, expected, what):
    done = rd.run(dew, scene, out, "--resume")
    if done.returncode != 0:
        raise AssertionError(f"{what}: resuming ended with {done.returncode}: {done.stderr}")
    wrong = rd.difference(rd.digest(out), expected)
    if wrong:
        raise AssertionError(f"{what}: {wrong}")


def random_moments(dew, scratch, count):
    scene = scratch / "scene.yaml"
    scene.write_text(rd.SCENE.format(duration=0.3))
    begin = time.monotonic()
    done = rd.run(dew, scene, scratch / "whole")
    wall = time.monotonic() - begin
    assert done.returncode == 0, done.stderr
    expected = rd.digest(scratch / "whole")
    chance = random.Random(1)
    kills = 0
    for i in range(count):
        out = scratch / f"killed{i}"
        while not kill_after(dew, scene, out, chance.uniform(0, wall), "--resume"):
            rd.remove(out)  # it was quicker than the kill
        kills += 1
        if chance.random() < 0.3:
            kills += kill_after(dew, scene, out, chance.uniform(0, wall), "--resume")
        check_resumed(dew, scene, out, expected, f"killed at moment {i}")
        rd.remove(out)
    return kills, len(expected)


def interrupt(dew, scratch, number):
    """SIGINT or SIGTERM after the first frames: exit code 130, and how to go on."""
    scene, out = scratch / "scene.yaml", scratch / "interrupted"
    process = subprocess.Popen([dew, "run", str(scene), "-o", str(out), "--quiet", "--threads", "1"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    while not (out / "frames" / "surface.0002.ply").exists() and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(number)
    error = process.communicate()[1].decode()
    if process.returncode == 0:
        return  # it was quicker than the signal
    assert process.returncode == 130, f"{number.name}: exit code {process.returncode}: {error}"
    assert "--resume" in error and error.count("\n") == 1, f"{number.name}: {error!r}"
    assert '"interrupted"' in (out / "run.json").read_text(), f"{number.name}: run.json"
    check_resumed(dew, scene, out, rd.digest(scratch / "whole"), number.name)
    rd.remove(out)


def every_call(dew, scratch, shim):
    scene = scratch / "short.yaml"
    scene.write_text(rd.SCENE.format(duration=0.03))
    done = rd.run(dew, scene, scratch / "short")
    assert done.returncode == 0, done.stderr
    expected = rd.digest(scratch / "short")
    kills = 0
    for call in CALLS:
        for at in range(1, 100000):
            out, mark = scratch / "out", scratch / "mark"
            environment = rd.fault(shim, call, at, "KILL", out, mark)
            done = rd.run(dew, scene, out, environment=environment)
            if not mark.exists():
                assert done.returncode == 0, done.stderr
                rd.remove(out)
                break
            assert done.returncode == -signal.SIGKILL, done.returncode
            kills += 1
            check_resumed(dew, scene, out, expected, f"killed before {call} {at}")
            rd.remove(out)
    return kills


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    scratch = rd.scratch()
    try:
        kills, files = random_moments(dew, scratch, count)
        print(f"{kills} kills at random moments, all {files} files identical after resuming")
        for number in (signal.SIGINT, signal.SIGTERM):
            interrupt(dew, scratch, number)
        shim = None if os.environ.get("DEW_SANITIZED") else rd.build_shim(scratch)
        if shim:
            print(f"{every_call(dew, scratch, shim)} kills before single system calls, same result")
    except AssertionError as error:
        print(error)
        return 1
    finally:
        rd.remove(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
