"""What Dew says of a user's text: nothing is silently ignored, marks of editors are no errors, and no
character of a file or a name can hide or turn around what a message, a report or a plot shows.

usage: messages.py DEW"""
import os
import re
import shutil
import subprocess
import sys

import _run_directory as directory

SCENE = """solver: surface
duration: 0.02 s
frame_rate: 100 Hz
domain: {min: [-1, 0, -1], max: [1, 2, 1], cell: 0.1}
drops: [{shape: sphere, center: [0, 1, 0], radius: 0.1}]
"""
BOX = """domain: {{min: [0, 0, 0], max: [{0}, {0}, {0}], cell: {1}}}
drops: [{{shape: box, min: [0, 0, 0], max: [{2}, {2}, {2}]}}]
"""
POND = "solver: shallow\n" + BOX.format("1 m", "0.1 m", "0.5 m")
FILM = "solver: shallow\n" + BOX.format("10 mm", "1 mm", "2 mm")
TANK = "solver: SOLVER\n" + BOX.format("10 mm", "1 mm", "5 mm")
TURN = "\u202e"  # right-to-left override
# One of each kind: soft hyphen, zero width, direction, separator, byte-order mark, tag, escape, one-byte escape.
UNSEEN = "\u00ad\u200b\u061c\u2028\ufeff\U000e0041"


def call(dew, folder, *words, data=None):
    return subprocess.run([dew, *map(str, words)], cwd=folder, capture_output=True, timeout=60, input=data)


def is_clean(data):
    text = data.decode()
    return not any(c in text for c in TURN + UNSEEN + "\x1b\x9b")


def refused(result, words):
    line = result.stderr.decode()
    assert result.returncode == 2, result
    assert re.fullmatch(rf"dew: {words}\n", line), line
    assert is_clean(result.stderr), result.stderr


def keys_without_effect(dew, folder):
    """(scene, block that has no effect, key named, a change with which it has one)"""
    cases = (
        (POND, "advection: differences", "advection", "model=finite-volume"),
        (POND + "shallow: {model: finite-volume, %s}\n", "advection: semi-lagrangian", "advection", "model=level-set"),
        (POND + "shallow: {model: finite-volume, %s}\n", "tension: on", "tension", "model=level-set"),
        (POND + "shallow: {model: finite-difference, %s}\n", "tension: on", "tension", "model=level-set"),
        (POND + "liquid: {surface_tension: 0}\n", "tension: on", "tension", None),
        (POND, "pace: 5", "pace", "tension=on"),
        (FILM, "cfl: 0.5", "cfl", "tension=off"),
        (FILM, "drag: 0.01", "drag", "tension=off"),
        (FILM, "shore: paper", "shore", "tension=off"),
        (FILM, "advection: semi-lagrangian", "advection", "tension=off"),
        (TANK.replace("SOLVER", "splash"), "relaxation: 1.5", "relaxation", "pressure=sor"),
        (TANK.replace("SOLVER", "splash"), "tension_factor: 1", "tension_factor", "tension=true"),
        (TANK.replace("SOLVER", "volume"), "static_speed: 0.1", "static_speed", "pinning=zero-pressure"),
        (TANK.replace("SOLVER", "volume") + "volume: {pressure: first-order, %s}\n", "corrections: 2", "corrections",
         "pressure=second-order"),
    )
    for scene, block, key, change in cases:
        solver = re.match(r"solver: (\w+)", scene)[1]
        text = scene % block if "%s" in scene else scene + f"{solver}: {{{block}}}\n"
        (folder / "s.yaml").write_text(text)
        refused(call(dew, folder, "check", "s.yaml"),
                rf"s\.yaml:\d+: {solver}\.{key}: .*has an effect only with .* \(leave it out, or set that\)")
        if change:
            result = call(dew, folder, "check", "s.yaml", "--set", f"{solver}.{change}")
            assert result.returncode == 0, (text, change, result)
    # A default is no offence: scene.yaml of a run has every key.
    (folder / "s.yaml").write_text(POND + "shallow: {model: finite-volume, advection: upwind, pace: 3}\n")
    assert call(dew, folder, "check", "s.yaml").returncode == 0


def marks_of_editors(dew, folder):
    plain = SCENE.encode()
    (folder / "s.yaml").write_bytes(plain)
    expected = call(dew, folder, "check", "s.yaml")
    assert expected.returncode == 0, expected
    (folder / "s.yaml").write_bytes(b"\xef\xbb\xbf" + plain)
    assert call(dew, folder, "check", "s.yaml").stdout == expected.stdout
    for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
        (folder / "s.yaml").write_bytes(SCENE.encode(encoding))
        refused(call(dew, folder, "check", "s.yaml"), r"s\.yaml:1: this is UTF-16 text \(save it as UTF-8\)")
    (folder / "s.yaml").write_bytes(plain + b"# " + b"x" * 5_000_000 + b"\n")
    refused(call(dew, folder, "check", "s.yaml"), r"s\.yaml: the file is too large \(at most 4\.0 MB can be read\)")
    ground = SCENE + "solids: [{shape: heightfield, file: g.csv, min: [-1, -1], max: [1, 1]}]\n"
    (folder / "s.yaml").write_text(ground)
    (folder / "g.csv").write_bytes(b"\xef\xbb\xbf0,0\n0,0\n")
    assert call(dew, folder, "check", "s.yaml").returncode == 0
    (folder / "g.csv").write_bytes("0,0\n0,0\n".encode("utf-16"))
    refused(call(dew, folder, "check", "s.yaml"), r"s\.yaml:6: g\.csv: byte 0: this is UTF-16 text .*")


def unseen_characters(dew, folder):
    """In keys, values, names of files and words of meshes, wherever a message quotes them."""
    for word in (TURN, *UNSEEN.replace("\ufeff", "")):
        shown = re.escape(f"<U+{ord(word):04X}>")
        for line in (f'x{word}y: 1', f'title: [{word}]', f'liquid: "wa{word}ter"', f'solver: "ri{word}gid"',
                     f'duration: "1 s{word}"', f'gravity: "{word}"'):
            text = SCENE.replace("solver: surface\n", "") if line.startswith("solver") else SCENE
            text = text.replace("duration: 0.02 s\n", "") if line.startswith("duration") else text
            (folder / "s.yaml").write_text(text + line + "\n")
            result = call(dew, folder, "check", "s.yaml")
            assert result.returncode == 2 and is_clean(result.stderr), (line, result)
        assert re.search(shown, call(dew, folder, "check", f"a{word}b.yaml").stderr.decode())
        for words in (("check", f"a{word}b.yaml"), ("run", "s.yaml", f"--{word}"), (f"{word}",),
                      ("plot", f"a{word}b"), ("report", f"a{word}b"), ("convert", f"a{word}.ply", "b.ply"),
                      ("check", "s.yaml", "--set", f"x{word}=1")):
            result = call(dew, folder, *words)
            assert result.returncode == 2 and is_clean(result.stderr), (words, result)
        (folder / f"m{word}.ply").write_text(f"ply\nformat ascii 1.0\nelement vertex{word} 1\n{word}\nend_header\n")
        result = call(dew, folder, "convert", f"m{word}.ply", "b.ply")
        assert is_clean(result.stderr) and shown.encode().replace(b"\\", b"") in result.stderr, result
        (folder / f"w{word}.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\n")
        result = call(dew, folder, "convert", f"w{word}.obj", "b.ply")  # warnings: duplicate, open
        assert b"warning" in result.stderr and is_clean(result.stderr), result


def titles(dew, folder):
    (folder / "s.yaml").write_text(SCENE + f'title: "a{TURN}b<i>"\n')
    out = f"run{TURN}"
    result = call(dew, folder, "run", "s.yaml", "-o", out)
    assert result.returncode == 0 and is_clean(result.stdout + result.stderr), result
    if not shutil.which("gnuplot"):
        return
    for words, name in ((("report", out), "report.html"), (("plot", out, "-o", "p.svg"), "../p.svg")):
        result = call(dew, folder, *words)
        assert result.returncode == 0 and is_clean(result.stderr), result
        page = (folder / out / name).read_bytes()
        assert is_clean(page) and b"U+202E" in page, name


def files_of_looks(dew, folder):
    """Every command names the scene's line that names the file."""
    (folder / "junk.png").write_text("no image")
    (folder / "junk.exr").write_text("no image")
    commands = (("check", "s.yaml"), ("render", "s.yaml", "-o", "x.png", "--size", "8x8", "--samples", "1"), ("run", "s.yaml", "-o", "out"))
    for line in ("look: {glass: {texture: %s.png}}", "environment: %s.exr"):
        for name in ("none", "junk"):
            key = line % name
            (folder / "s.yaml").write_text(SCENE + "materials: {glass: {}}\nsolids: [{shape: plane, material: glass}]\n" + key +
                                           "\noutput: {images: ray}\n")
            at = 1 + (folder / "s.yaml").read_text().splitlines().index(key)
            for words in commands:
                refused(call(dew, folder, *words), rf"s\.yaml:{at}: .*{name}\.(png|exr).*")


def main():
    dew, folder = os.path.abspath(sys.argv[1]), directory.scratch()
    try:
        keys_without_effect(dew, folder)
        marks_of_editors(dew, folder)
        unseen_characters(dew, folder)
        titles(dew, folder)
        files_of_looks(dew, folder)
    finally:
        directory.remove(folder)


if __name__ == "__main__":
    main()
