"""Images that are small files and large in memory, and files that only images need.

A PNG of some kilobytes that declares more pixels than any reader takes is refused before memory is taken for
them, and what smaller ones take is in the plan. `dew check` reads textures and light also when no images are
drawn: a missing or damaged one is refused with its line.

usage: big_images.py DEW"""
import os
import re
import struct
import subprocess
import sys
import zlib

import _run_directory as directory

SCENE = """solver: surface
duration: 0.02 s
frame_rate: 100 Hz
domain: {min: [-1, 0, -1], max: [1, 2, 1], cell: 0.1}
drops: [{shape: sphere, center: [0, 1, 0], radius: 0.1}]
materials: {glass: {}}
"""
HEIGHTS = "solids: [{shape: heightfield, file: x.png, min: [-1, -1], max: [1, 1], height: [0, 1 mm]}]\n"
TEXTURE = "look: {glass: {texture: x.png}}\n"
LIGHT = "environment: x.hdr\n"


def png(width, height):
    """Black, one bit per pixel: the smallest file for its number of pixels."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = bytes(height * (1 + (width + 7) // 8))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def call(dew, folder, text, command="check"):
    """The process, and the most memory it had, in MB."""
    (folder / "s.yaml").write_text(SCENE + text)
    more = ["-o", "never"] if command == "run" else []
    process = subprocess.Popen([dew, command, "s.yaml", *more], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    out, errors = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.stdout.close()
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, out, errors, usage.ru_maxrss / 1024


def refused(result, words):
    code, _, errors, _ = result
    assert code == 2, result
    assert re.fullmatch(rf"dew: s\.yaml:\d+: {words}.*\n", errors), errors


def too_many_pixels(dew, folder):
    (folder / "x.png").write_bytes(png(12000, 12000))
    assert (folder / "x.png").stat().st_size < 100_000
    for text in (HEIGHTS, TEXTURE, TEXTURE + "output: {images: ray}\n"):
        for command in ("check", "run"):
            if command == "run" and text != HEIGHTS:
                continue  # no solid has that look: it is not needed
            result = call(dew, folder, text, command)
            refused(result, r"(x\.png|look\.glass\.texture: x\.png): byte \d+: not a sound PNG file: "
                            r"12000 x 12000 pixels are too many \(at most 134217728\)")
            # 144 million samples of 16 bits would be 275 MB; a sanitizer's own memory is not counted.
            assert result[3] < 200 or os.environ.get("DEW_SANITIZED"), result
        assert not (folder / "never").exists()


def plan_counts_them(dew, folder):
    (folder / "x.png").write_bytes(png(1000, 500))
    code, out, _, _ = call(dew, folder, HEIGHTS)
    # 500,000 pixels of 2 bytes as read, and of 16 as heights.
    assert code == 0 and re.search(r"^memory .*, 9\.0 MB of it for images$", out, re.M), out
    code, out, _, _ = call(dew, folder, TEXTURE + "output: {images: ray}\n")
    assert code == 0 and re.search(r"^memory .*, 7\.0 MB of it for images$", out, re.M), out
    code, out, _, _ = call(dew, folder, TEXTURE)  # read by the check, not by the run
    assert code == 0 and "for images" not in out, out


def looks_are_checked(dew, folder):
    for text, name in ((LIGHT, "x.hdr"), (TEXTURE, "x.png"), ("environment: x.exr\n", "x.exr")):
        (folder / name).unlink(missing_ok=True)
        refused(call(dew, folder, text), rf"cannot read {name}: No such file or directory")
        (folder / name).write_bytes(b"no image")
        refused(call(dew, folder, text), name)
        (folder / name).unlink()


def main():
    dew, folder = os.path.abspath(sys.argv[1]), directory.scratch()
    try:
        too_many_pixels(dew, folder)
        plan_counts_them(dew, folder)
        looks_are_checked(dew, folder)
    finally:
        directory.remove(folder)


if __name__ == "__main__":
    main()
