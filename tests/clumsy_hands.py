"""What people and scripts do to `dew run` without meaning harm: streams that are closed, listeners that
go away, names that a shell must quote, a directory with the user's own scene.yaml. Nothing may be lost,
and the command that a stopped run prints must resume it.

usage: clumsy_hands.py DEW"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

SCENE = """# mine
solver: surface
duration: 0.2 s
frame_rate: 50 Hz
domain: {min: [-1, 0, -1], max: [1, 2, 1], cell: 0.1}
drops: [{shape: sphere, center: [0, 1, 0], radius: 0.1}]
"""


def run(dew, folder, *words, **more):
    return subprocess.run([dew, "run", *map(str, words)], cwd=folder, capture_output=True, text=True,
                          timeout=60, **more)


def status(directory):
    return json.loads((directory / "run.json").read_text())["status"]


def closed_streams(dew, folder):
    """Files must not take the numbers of the standard streams: progress would be written into them."""
    reference = folder / "open"
    assert run(dew, folder, "s.yaml", "-o", reference).returncode == 0
    subprocess.run(["sh", "-c", '"$0" run s.yaml -o closed <&- >&- 2>&-', dew], cwd=folder, timeout=60)
    assert status(folder / "closed") == "done"
    for name in ("drops.csv", "frames/surface.0010.ply"):
        assert (folder / "closed" / name).read_bytes() == (reference / name).read_bytes(), name
    rows = (folder / "closed/stats.csv").read_text().splitlines()
    assert len({row.count(",") for row in rows}) == 1, "stats.csv has lines that are no rows"


def start_long(dew, folder, out, *words):
    process = subprocess.Popen([dew, "run", "s.yaml", "-o", out, *words], cwd=folder,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if (folder / out / "frames/surface.0001.ply").exists():
            return process
        time.sleep(0.05)
    raise AssertionError("the run does not begin")


def listener_goes(dew, folder):
    process = start_long(dew, folder, "deaf", "--until", "2 s")
    process.stderr.close()
    assert process.wait(60) == 0, "a closed pipe ended the run"
    process.stdout.close()
    assert status(folder / "deaf") == "done"


def hint_resumes(dew, folder, number):
    """The words behind "resume with" go through a shell and lead to the same end."""
    out = f"it's {number} \"odd\" $HOME\n"
    process = start_long(dew, folder, out, "--until", "1000 s", "--set", "title=it's \"x\" *")
    process.send_signal(number)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 130, f"{number}: {process.returncode} {words[-300:]}"
    assert status(folder / out) == "interrupted"
    command = words[words.rindex("resume with: ") + len("resume with: "):]
    assert command.count("\n") == 1, "the command is not one line"
    split = subprocess.run(["bash", "-c", f"printf '%s\\0' {command}"], capture_output=True, text=True, check=True)
    hint = split.stdout.split("\0")[:-1]
    assert hint[:2] == ["dew", "run"] and hint[-3:] == ["--until", "1000 s", "--resume"], hint
    hint[hint.index("1000 s")] = "0.1 s"
    done = subprocess.run([dew, *hint[1:]], cwd=folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def own_files_survive(dew, folder):
    own = folder / "own"
    own.mkdir()
    (own / "scene.yaml").write_text(SCENE)
    for option in ([], ["--resume"], ["--overwrite"]):
        done = run(dew, own, "scene.yaml", "-o", ".", *option)
        assert done.returncode == 2 and "no run's" in done.stderr, f"{option}: {done.stderr}"
        assert [path.name for path in own.iterdir()] == ["scene.yaml"]
        assert (own / "scene.yaml").read_text() == SCENE


def dotted_names(dew, folder):
    """The default run directory stays below runs/, whatever the scene is called."""
    inner = folder / "dots"
    inner.mkdir()
    for name in ("..yaml", "...yaml", ".yaml"):
        (inner / name).write_text(SCENE)
        assert run(dew, inner, name).returncode == 0, name
    made = sorted(path.name for path in inner.iterdir() if not path.name.endswith("yaml"))
    assert made == ["runs"], made
    assert len(list((inner / "runs").iterdir())) == 3


def wrong_directories(dew, folder):
    (folder / "link").symlink_to("nowhere")
    for out in ("s.yaml", "s.yaml/below", "link", "x" * 3000):
        done = run(dew, folder, "s.yaml", "-o", out)
        assert done.returncode == 2 and done.stderr.startswith("dew: "), f"{out}: {done.stderr}"
    assert (folder / "s.yaml").read_text() == SCENE


def main():
    dew = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "s.yaml").write_text(SCENE)
        closed_streams(dew, folder)
        listener_goes(dew, folder)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            hint_resumes(dew, folder, number)
        own_files_survive(dew, folder)
        dotted_names(dew, folder)
        wrong_directories(dew, folder)
    print("clumsy hands: nothing lost")


if __name__ == "__main__":
    main()
