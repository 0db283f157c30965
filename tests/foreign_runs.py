"""Run directories and names that somebody else made: nothing leads out of a run directory, and no name is taken
for an option, an address, a pattern or a command.

foreign_runs.py DEW
"""
import os
import pathlib
import shutil
import subprocess
import sys

import _run_directory as rd

SMALL = ["--size", "32x24", "--samples", "1", "--quiet", "--threads", "1"]


def call(dew, *words, **more):
    return subprocess.run([dew, *map(str, words)], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL,
                          **more)


def make_run(dew, scratch):
    scene, out = scratch / "scene.yaml", scratch / "run"
    scene.write_text(rd.SCENE.format(duration=0.03))
    done = rd.run(dew, scene, out)
    assert done.returncode == 0, done.stderr
    done = call(dew, "render", out, "--frame", "0", *SMALL)
    assert done.returncode == 0, done.stderr
    return scene, out


def commands(scene, run, scratch):
    yield "report", ["report", run, "-o", scratch / "page.html"]
    yield "compare", ["report", run, run, "-o", scratch / "page.html"]
    yield "plot", ["plot", run, "-o", scratch / "plot.svg"]
    yield "render", ["render", run, "-o", scratch / "x.png", *SMALL]
    yield "--resume", ["run", scene, "-o", run, "--quiet", "--resume", "--until", "0.05 s"]
    yield "--overwrite", ["run", scene, "-o", run, "--quiet", "--overwrite"]


def check_refused(dew, scene, run, outside, name, what, scratch):
    before, inside = rd.digest(outside), sorted(p.name for p in run.rglob("*"))
    for command, words in commands(scene, run, scratch):
        done = call(dew, *words)
        lines = done.stderr.splitlines()
        said = f"{name} is {what}, {command}: exit code {done.returncode}, {done.stderr!r}"
        assert done.returncode == 2 and len(lines) == 1 and what in lines[0] and name in lines[0], said
        assert rd.digest(outside) == before, f"{said}: what lies outside was changed"
        assert sorted(p.name for p in run.rglob("*")) == inside, f"{said}: the directory was changed"
        left = [p for p in ("page.html", "plot.svg", "x.png") if (scratch / p).exists()]
        assert not left, f"{said}: {left} written"


def links(dew, scratch):
    """Each file and folder of a run in turn as a link that leads out of it."""
    scene, run = make_run(dew, scratch)
    whole, outside = scratch / "whole", scratch / "outside"
    run.rename(whole)
    names = [p.name for p in whole.iterdir()] + ["images/0000.png", "frames/surface.0000.ply", "stats.csv.part"]
    for name in sorted(names):
        shutil.copytree(whole, run)
        outside.mkdir()
        if (run / name).exists():
            (run / name).rename(outside / "target")
        else:
            (outside / "target").write_text("mine")
        (run / name).symlink_to(outside / "target")
        check_refused(dew, scene, run, outside, name, "a symbolic link", scratch)
        rd.remove(run)
        rd.remove(outside)
    shutil.copytree(whole, run)
    outside.mkdir()
    (run / "stats.csv").unlink()
    os.mkfifo(run / "stats.csv")
    check_refused(dew, scene, run, outside, "stats.csv", "a device or a pipe", scratch)
    rd.remove(run)
    print(f"{len(names)} files and folders as links, a pipe: refused by all commands")
    return whole


def gnuplot(dew, scratch, whole):
    """A run's name becomes the title of its plot."""
    folder = scratch / "a'b `touch pwned` $(touch pwned) \"c\" | touch pwned %d @x"
    shutil.copytree(whole, folder)
    for words in (["plot", folder.name], ["report", folder.name], ["report", folder.name, "whole"]):
        done = call(dew, *words, cwd=scratch)
        assert done.returncode == 0, f"{words}: {done.stderr}"
    assert not list(scratch.rglob("pwned")), "a name was run as a command"
    svg = (folder / "plot.svg").read_text()
    assert "touch pwned" in svg and svg.rstrip().endswith("</svg>")
    print("a name with quotes, backquotes and bars: drawn as it is")


def videos(dew, scratch, whole):
    names = ["-x.mp4", "tcp:x.mkv", "-i.webm", "a'b \"c\".mp4", "%d.mov", "pipe:1.mp4", "concat:a|b.mp4", "a\\b.mp4"]
    for name in names:
        done = call(dew, "render", "whole", "-o", name, *SMALL, cwd=scratch)
        assert done.returncode == 0 and not done.stderr, f"-o {name}: {done.returncode}, {done.stderr}"
        assert (scratch / name).stat().st_size > 500, name
        (scratch / name).unlink()
    print(f"{len(names)} hostile names of videos: written under these names")


def printed_command(dew, scratch, whole):
    """Without ffmpeg: the command that is printed makes the video, whatever the name."""
    name = "-it's 100%d `touch pwned` $HOME.mp4"
    done = call(dew, "render", "whole", "-o", name, *SMALL, cwd=scratch, env={**os.environ, "PATH": "/nowhere"})
    assert done.returncode == 0, done.stderr
    command = done.stderr.splitlines()[-1]
    made = subprocess.run(["sh", "-c", command], cwd=scratch, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    assert made.returncode == 0, f"{command}: {made.stderr}"
    assert (scratch / name).stat().st_size > 500 and not list(scratch.rglob("pwned")), command
    print("the printed command: one video, under its name")


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    scratch = rd.scratch()
    try:
        whole = links(dew, scratch)
        if shutil.which("gnuplot"):
            gnuplot(dew, scratch, whole)
        if shutil.which("ffmpeg"):
            videos(dew, scratch, whole)
            printed_command(dew, scratch, whole)
    except AssertionError as error:
        print(error)
        return 1
    finally:
        rd.remove(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
