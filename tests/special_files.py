"""Names that are no regular files where Dew reads one: a pipe whose other end never comes, a socket, a
device, a directory. Each gets one line and exit code 2, at once. What the program was started with may be a
pipe: a scene or a mesh can come from /dev/stdin or the shell's <(command).

usage: special_files.py DEW"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys

import _run_directory as directory

SCENE = """solver: surface
duration: 0.02 s
frame_rate: 100 Hz
domain: {min: [-1, 0, -1], max: [1, 2, 1], cell: 0.1}
drops: [{shape: sphere, center: [0, 1, 0], radius: 0.1}]
"""
# Every key that names a file, each in a scene of its own.
KEYS = {
    "solids: [{shape: mesh, file: NAME}]": ".ply",
    "solids: [{shape: heightfield, file: NAME, min: [-1, -1], max: [1, 1]}]": ".csv",
    "solids: [{shape: heightfield, file: NAME, min: [-1, -1], max: [1, 1], height: [0, 1]}]": ".png",
    "environment: NAME\noutput: {images: ray}": ".hdr",
    "look: {glass: {texture: NAME}}\noutput: {images: ray}\nmaterials: {glass: {}}\n"
    "solids: [{shape: sphere, center: [0, 0, 0], radius: 0.1, material: glass}]": ".png",
}
POINTS = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def call(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, timeout=20, **more)


def make_pipe(path):
    os.mkfifo(path)


def make_socket(path):
    socket.socket(socket.AF_UNIX).bind(str(path))


KINDS = (("a pipe", make_pipe), ("a socket", make_socket), ("a directory", pathlib.Path.mkdir),
         ("a device", lambda path: path.symlink_to("/dev/zero")))


def refused(result, name, kind, words="cannot read"):
    line = result.stderr.decode()
    assert result.returncode == 2, (name, kind, result)
    assert re.search(rf"^dew: .*{words} \S*{re.escape(name)}: it is {kind} \(a file is wanted\)\n", line), line
    assert line.count("\n") == 1, line


def inputs(dew, folder):
    for kind, make in KINDS:
        name = kind.replace(" ", "_")
        for ending in ("", ".yaml", ".ply", ".csv", ".png", ".hdr"):
            make(folder / (name + ending))
        refused(call(dew, "check", f"./{name}.yaml", cwd=folder), name + ".yaml", kind)
        if kind != "a directory":  # which would be a run's
            refused(call(dew, "render", f"./{name}.yaml", cwd=folder), name + ".yaml", kind)
        refused(call(dew, "convert", f"{name}.ply", "out.ply", cwd=folder), name + ".ply", kind)
        for key, ending in KEYS.items():
            (folder / "s.yaml").write_text(SCENE + key.replace("NAME", name + ending) + "\n")
            refused(call(dew, "check", "s.yaml", cwd=folder), name + ending, kind)
            refused(call(dew, "run", "s.yaml", "-o", "never", cwd=folder), name + ending, kind)
            assert not (folder / "never").exists()


def runs(dew, folder):
    """A run directory with a pipe in the place of one of its files: nothing waits."""
    (folder / "s.yaml").write_text(SCENE)
    for name, commands in (("scene.yaml", ("render", "report")), ("run.json", ("report",)),
                           ("stats.csv", ("plot", "report")), ("checkpoint", ("run",)),
                           ("stats.csv", ("run",)), ("frames/surface.0002.ply", ("render",))):
        out = folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        assert call(dew, "run", "s.yaml", "-o", "out", cwd=folder).returncode == 0
        (out / name).unlink()
        make_pipe(out / name)
        for command in commands:
            more = ("s.yaml", "--resume", "--until", "0.04 s", "-o") if command == "run" else ()
            result = call(dew, command, *more, "out", cwd=folder)
            assert result.returncode in (1, 2), (name, command, result)
            assert re.search(rb"is a(?: device or a)? pipe \(", result.stderr), (name, command, result)


def streams(dew, folder):
    """What comes through the program's own descriptors is read, however it comes."""
    result = call(dew, "check", "/dev/stdin", input=SCENE.encode())
    assert result.returncode == 0, result
    (folder / "s.yaml").write_text(SCENE)
    for command in ('"$0" check <(cat s.yaml)', '"$0" check /dev/stdin < s.yaml', '"$0" check /dev/fd/3 3< s.yaml'):
        result = call("bash", "-c", command, dew, cwd=folder)
        assert result.returncode == 0, (command, result)
    result = call(dew, "convert", "/dev/stdin", folder / "x.ply", input=b"ply" + b"\n" * 9)
    assert result.returncode == 2 and b"/dev/stdin" in result.stderr, result
    (folder / "t.obj").write_bytes(POINTS)
    assert call(dew, "convert", folder / "t.obj", folder / "t.ply").returncode == 0
    result = call(dew, "convert", "/dev/stdin", folder / "x.ply", input=(folder / "t.ply").read_bytes())
    assert result.returncode == 0, result
    assert (folder / "x.ply").read_bytes() == (folder / "t.ply").read_bytes()


def main():
    dew, folder = os.path.abspath(sys.argv[1]), directory.scratch()
    try:
        inputs(dew, folder)
        runs(dew, folder)
        streams(dew, folder)
    finally:
        directory.remove(folder)


if __name__ == "__main__":
    main()
