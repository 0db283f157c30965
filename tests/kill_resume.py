"""Killed with -9 and resumed, a run leaves the same files as one that was not.

kill_resume.py DEW [COUNT [PER_SOLVER [SOLVER...]]]: kills at COUNT random instants (50, the same each time for
the same speed), some of them again while it resumes; interrupts it in the polite ways; then, where the fault shim can be
built, before each single system call that changes the directory. COUNT 0 leaves all that out. Then PER_SOLVER times
(1) for each solver: a run that draws images is killed and resumed; a video of it is killed while it is made, and made again.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import _run_directory as rd

CALLS = ["open", "write", "fsync", "rename", "link", "unlink", "mkdir", "close", "ftruncate"]


SOLVERS = ["volume", "surface", "apic", "shallow", "splash"]

# A drop that lands, others that drip on it; an image of each frame.
SOLVER_SCENE = """\
dew: 1
solver: {solver}
duration: 12 ms
frame_rate: 250 Hz
domain: {{min: [-4 mm, 0, -4 mm], max: [4 mm, 8 mm, 4 mm], cell: 0.8 mm, walls: {{floor: glass, others: open}}}}
materials: {{glass: {{angle: 70 deg}}}}
drops:
  - {{shape: sphere, center: [0, 2.2 mm, 0], radius: 1.5 mm, velocity: [0.05, -0.3, 0]}}
sources:
  - {{shape: drip, at: [1 mm, 6 mm, 1 mm], radius: 0.8 mm, every: 5 ms}}
camera: {{eye: [0, 8 mm, 20 mm], target: [0, 2 mm, 0], size: [12, 8]}}
output: {{images: ray, checkpoint_every: 0 s}}
"""


def kill_command(words, seconds):
    """Starts a command and kills it after a while; True when it was still running."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    error = process.communicate()[1].decode()
    if process.returncode not in (0, -signal.SIGKILL):
        raise AssertionError(f"exit code {process.returncode}: {error}")
    return process.returncode != 0


def kill_after(dew, scene, out, seconds, *options):
    return kill_command([dew, "run", str(scene), "-o", str(out), "--quiet", "--threads", "1", *options], seconds)


def check_resumed(dew, scene, out, expected, what):
    done = rd.run(dew, scene, out, "--resume")
    if done.returncode != 0:
        raise AssertionError(f"{what}: resuming ended with {done.returncode}: {done.stderr}")
    wrong = rd.difference(rd.digest(out), expected)
    if wrong:
        raise AssertionError(f"{what}: {wrong}")


def random_instants(dew, scratch, count):
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
        check_resumed(dew, scene, out, expected, f"killed at instant {i}")
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


class Timed:
    """A command that was run to its end, and how long it took."""

    def __init__(self, words):
        begin = time.monotonic()
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        self.wall = time.monotonic() - begin
        assert done.returncode == 0, f"{words}: {done.stderr}"


def kill_video(dew, run, video, whole, instant):
    """Under its name there is no video, or the whole; after the next start the whole, and no part."""
    words = [dew, "render", str(run), "-o", str(video), "--samples", "1", "--quiet", "--threads", "1"]
    is_killed = kill_command(words, instant)
    if video.exists():
        assert video.read_bytes() == whole, f"killed after {instant:.3f} s: {video.name} is torn"
    Timed(words)
    assert video.read_bytes() == whole, f"killed after {instant:.3f} s, made again: another video"
    left = [path.name for path in video.parent.glob("*.part")]
    assert not left, f"killed after {instant:.3f} s, made again: {left} stay"
    video.unlink()
    return is_killed


def kill_solver(dew, scratch, solver, count):
    scene, whole, out = scratch / f"{solver}.yaml", scratch / solver, scratch / f"{solver}_killed"
    video = scratch / f"{solver}.mp4"
    scene.write_text(SOLVER_SCENE.format(solver=solver))
    run_wall = Timed([dew, "run", str(scene), "-o", str(whole), "--quiet", "--threads", "1"]).wall
    expected, chance, kills, videos = rd.digest(whole), random.Random(solver), 0, 0
    assert sum(name.startswith("images/") for name in expected) == 4, sorted(expected)
    has_ffmpeg = shutil.which("ffmpeg") is not None
    if has_ffmpeg:
        words = [dew, "render", str(whole), "-o", str(video), "--samples", "1", "--quiet", "--threads", "1"]
        video_wall = Timed(words).wall
        data = video.read_bytes()
        video.unlink()
    while kills < count:
        kills += kill_after(dew, scene, out, chance.uniform(0, run_wall), "--resume")
        check_resumed(dew, scene, out, expected, f"{solver}, kill {kills}")
        rd.remove(out)
    while has_ffmpeg and videos < count:
        videos += kill_video(dew, whole, video, data, chance.uniform(0, video_wall))
    return kills, videos


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    # Sanitized runs of real solvers are some ten times slower.
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10 if os.environ.get("DEW_SANITIZED") else 50
    per_solver = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    scratch = rd.scratch()
    try:
        if count > 0:
            kills, files = random_instants(dew, scratch, count)
            print(f"{kills} kills at random instants, all {files} files identical after resuming")
            for number in (signal.SIGINT, signal.SIGTERM):
                interrupt(dew, scratch, number)
            shim = None if os.environ.get("DEW_SANITIZED") else rd.build_shim(scratch)
            if shim:
                print(f"{every_call(dew, scratch, shim)} kills before single system calls, same result")
        for solver in sys.argv[4:] or SOLVERS:
            kills, videos = kill_solver(dew, scratch, solver, per_solver)
            print(f"{solver}: {kills} kills of runs, {videos} of videos, all files identical after going on",
                  flush=True)
    except AssertionError as error:
        print(error)
        return 1
    finally:
        rd.remove(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
