"""`dew render` and output.images: what comes out, and one clear line for what cannot be drawn.

    python3 tests/images.py build/dew
"""
import os
import shutil
import signal
import subprocess
import sys
import time

import _png
import _run_directory as runs
import _solid_files

STOP_S = 30.0  # after Ctrl-C: a second on a quiet machine, more on a busy one and under sanitizers; else minutes
SMALL = ["--size", "48x32", "--samples", "2"]
SCENE = """\
dew: 1
solver: surface
duration: 0.03 s
frame_rate: 100 Hz
domain: {min: [-30 mm, 0, -30 mm], max: [30 mm, 60 mm, 30 mm], cell: 1 mm, walls: {floor: glass, others: open}}
materials: {glass: {}}
solids: [{shape: sphere, name: knob, center: [15 mm, 5 mm, 0], radius: 5 mm, material: glass}]
drops: [{shape: sphere, center: [0, 20 mm, 0], radius: 6 mm}]
"""
WET_SCENE = """\
dew: 1
solver: surface
duration: 0.05 s
frame_rate: 100 Hz
domain: {min: [-6 mm, 0, -5 mm], max: [14 mm, 8 mm, 5 mm], cell: 0.6 mm, walls: {floor: paper, others: open}}
gravity: [8, -9.81, 0]
materials: {paper: {angle: 70 deg}}
solids: [{shape: sphere, name: knob, center: [12 mm, 0, 4 mm], radius: 1 mm, material: paper}]
drops: [{shape: cap, point: [-2 mm, 0, 0], volume: 12 mm^3, angle: 70 deg}]
output: {wetmap: true}
camera: {eye: [-2 mm, 20 mm, 0.1 mm], target: [-2 mm, 0, 0], fov: 40 deg, size: [48, 32]}
environment: sky
look: {paper: {kind: matte, color: [0.5, 0.5, 0.5]}}
"""
EMPTY_PLY = """\
ply
format ascii 1.0
element vertex 0
property float x
property float y
property float z
element face 0
property list uchar int vertex_indices
end_header
"""
failures = []


def dew(*words, environment=None):
    return subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True, timeout=250,
                          env={**os.environ, **(environment or {})})


def expect(condition, what):
    if not condition:
        failures.append(what)


def refused(words, *wanted):
    """Exit code 2, one line on stderr that begins with dew: and says all that is wanted."""
    done = dew(*words)
    lines = done.stderr.splitlines()
    what = f"dew {' '.join(map(str, words))}: exit code {done.returncode}, {done.stderr!r}"
    expect(done.returncode == 2 and len(lines) == 1 and lines[0].startswith("dew: "), what)
    expect(all(word in done.stderr for word in wanted), f"{what}, without one of {wanted}")


def good(*words, **more):
    done = dew(*words, **more)
    expect(done.returncode == 0, f"dew {' '.join(map(str, words))}: exit code {done.returncode}, {done.stderr!r}")
    return done


def check_errors(folder, scene, run):
    out = folder / "none.png"
    (folder / "cut.exr").write_bytes(b"\x76\x2f\x31\x01\x02\0\0\0channels\0chlist\0")
    (folder / "text.hdr").write_text("this is no image\n")
    render = ["render", scene, "-o", out, *SMALL, "--set"]
    refused([*render, "look={glass: {texture: nowhere.png}}"], "nowhere.png", "look.glass.texture")
    refused([*render, "environment=cut.exr"], "cut.exr", "not a sound OpenEXR file")
    refused([*render, "environment=nowhere.exr"], "nowhere.exr")
    refused([*render, "environment=text.hdr"], "text.hdr")
    inside = "camera={eye: [15 mm, 5 mm, 0], target: [0, 0, 0]}"
    refused([*render, inside], "inside the solid knob")
    refused(["render", scene, "-o", out, "--size", "0x0"], "--size 0x0")
    refused(["render", scene, "-o", out, "--size", "100"], "--size 100")
    refused(["render", scene, "-o", out, "--set", "camera={size: [0, 10]}"], "size")
    refused(["render", scene, "-o", folder / "x.gif"], ".png")
    refused(["render", scene, "-o", folder / "no" / "x.png", *SMALL], "cannot write to")
    refused(["render", scene, "--frame", "3"], "--frame")
    refused(["render", folder / "nothing_there"], "No such file")
    refused(["render", folder], "not a run directory")
    refused(["render", run, "--frame", "77", *SMALL], "0 to 3")
    refused(["render", run, "--frame", "2..1", *SMALL], "ends before it begins")
    empty = folder / "empty_run"
    shutil.copytree(run, empty)
    (empty / "frames" / "surface.0002.ply").write_text(EMPTY_PLY)
    refused(["render", empty, "--frame", "2", *SMALL], "frame 2 is empty")
    (empty / "frames" / "surface.0003.ply").write_bytes(b"")
    refused(["render", empty, "--frame", "3", *SMALL], "surface.0003.ply", "empty")
    for path in (empty / "frames").iterdir():
        path.unlink()
    refused(["render", empty, *SMALL], "no frames")
    expect(not out.exists(), "an image was written in spite of an error")


def check_images(folder, scene, run):
    one, three = folder / "one.png", folder / "three.png"
    good("render", scene, "-o", one, "--threads", "1", "--denoise", *SMALL)
    good("render", scene, "-o", three, "--threads", "3", "--denoise", *SMALL)
    expect(one.read_bytes() == three.read_bytes(), "images differ between 1 and 3 threads")
    width, height, rows = _png.read(one)
    expect((width, height) == (48, 32), "an image of another size")
    expect(len({bytes(row[3 * x:3 * x + 3]) for row in rows for x in range(width)}) > 20, "an image without a motif")
    good("render", scene, "-o", folder / "x.exr", "--subdivide", "1", *SMALL)
    expect((folder / "x.exr").read_bytes()[:4] == b"\x76\x2f\x31\x01", "no EXR was written")
    done = good("render", run, *SMALL)
    expect(done.stdout.strip() == str(run / "images" / "0003.png"), f"printed {done.stdout!r}")
    expect((run / "images" / "0003.png").exists(), "the last frame was not drawn")
    good("render", run, "--frame", "1..", "-o", folder / "row.png", *SMALL)
    numbers = sorted(path.name for path in folder.glob("row.*.png"))
    expect(numbers == ["row.0001.png", "row.0002.png", "row.0003.png"], f"a row of images: {numbers}")
    good("render", scene, "-o", folder / "noise.png", "--size", "24x16", "--noise", "0.5")
    # A goal out of reach ends at the most samples: the image is that of so many.
    few = ["--size", "24x16", "--samples", "20"]
    good("render", scene, "-o", folder / "most.png", "--noise", "0.0001", *few)
    good("render", scene, "-o", folder / "plain.png", *few)
    expect((folder / "most.png").read_bytes() == (folder / "plain.png").read_bytes(),
           "--samples did not bound --noise")


def check_videos(folder, run):
    video = folder / "video.mp4"
    if shutil.which("ffmpeg"):
        good("render", run, "-o", video, *SMALL)
        expect(video.read_bytes()[4:8] == b"ftyp", "no video was written")
    done = good("render", run, "-o", folder / "late.mp4", *SMALL, environment={"PATH": str(folder)})
    expect("ffmpeg -framerate 30 -i" in done.stderr, f"no command for the video: {done.stderr!r}")
    expect(len(list((folder / "late_frames").glob("*.png"))) == 4, "the frames of a video were not kept")


def wetness(run, solid, frame):
    """(x, z, wetness) of each vertex."""
    mesh, _ = _solid_files.solid_of_frame(run, solid, frame)
    return list(zip(mesh["x"], mesh["z"], mesh["wetness"]))


def check_wet_map(folder):
    scene, run, dry = folder / "wet.yaml", folder / "wet", folder / "dry"
    scene.write_text(WET_SCENE)
    good("run", scene, "-o", run, "--quiet")
    names = sorted(path.name for path in (run / "frames").glob("solid.*"))
    expect({"solid.floor.ply", "solid.knob.ply"} < set(names), f"wet maps: {names}")
    expect(not any("knob.0" in name for name in names), f"the knob does not change: {names}")
    points = wetness(run, "floor", 5)
    expect(all(0 <= w <= 1 for _, _, w in points), "a wetness beyond 0..1")
    under = [w for x, z, w in points if (x + 2e-3) ** 2 + z * z < 1e-3 ** 2]
    beside = [w for x, z, w in points if abs(z) > 3.5e-3 or x < -5.5e-3]
    expect(len(under) > 5 and min(under) == 1, f"the drop's first place is not wet: {under}")
    expect(len(beside) > 50 and max(beside) == 0, "what no drop touched is wet")
    expect(max(w for _, _, w in wetness(run, "knob", 5)) == 0, "the knob is wet")
    shutil.copytree(run, dry)
    for path in (dry / "frames").glob("solid.*"):
        path.unlink()
    images = []
    for which in (run, dry):
        good("render", which, "-o", folder / "soaked.png", "--samples", "16")
        rows = _png.read(folder / "soaked.png")[2]
        images.append(sum(rows[16][3 * x] for x in range(21, 25)) / 4)  # where the drop was
    expect(images[0] < 0.93 * images[1], f"wet paper is not darker than dry: {images}")
    good("run", scene, "-o", run, "--quiet", "--until", "60 ms", "--resume")
    before, after = (sum(w for _, _, w in wetness(run, "floor", frame)) for frame in (5, 6))
    expect(after > before, f"a resumed run maps on: {before} to {after}")


def check_interrupt(folder, scene):
    out = folder / "stopped.png"
    process = subprocess.Popen([sys.argv[1], "render", str(scene), "-o", str(out), "--size", "320x180",
                                "--samples", "20000"], stderr=subprocess.PIPE, text=True)
    time.sleep(1.5)
    before = time.monotonic()
    process.send_signal(signal.SIGINT)
    try:
        words = process.communicate(timeout=100)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        words = process.communicate()[1]
    expect(process.returncode == 130 and "interrupted" in words, f"after Ctrl-C: {process.returncode}, {words!r}")
    expect(time.monotonic() - before < STOP_S, f"Ctrl-C took {time.monotonic() - before:.1f} s")
    expect(not out.exists(), "an interrupted image was written")


def check_while_running(folder, scene):
    run = folder / "drawn"
    camera = "camera={eye: [0, 30 mm, 120 mm], target: [0, 15 mm, 0], size: [24, 16]}"
    words = [scene, "-o", run, "--quiet", "--set", "output.images=ray", "--set", camera]
    good("run", *words)
    names = sorted(path.name for path in (run / "images").iterdir())
    expect(names == ["0000.png", "0001.png", "0002.png", "0003.png"], f"images of a run: {names}")
    before = {path: path.stat().st_mtime_ns for path in (run / "images").iterdir()}
    good("run", *words, "--until", "40 ms", "--resume")
    expect((run / "images" / "0004.png").exists(), "a resumed run draws on")
    expect(all(path.stat().st_mtime_ns == then for path, then in before.items()), "an image was touched again")
    refused(["render", run, "--frame", "1", *SMALL], "the run's own")
    for command in (["check", scene], ["run", scene, "-o", folder / "never"]):
        refused([*command, "--set", "output.images=ray", "--set", "environment=nowhere.exr"], "nowhere.exr")
        refused([*command, "--set", "output.images=ray", "--set", "look={glass: {texture: no.png}}"], "no.png")
    expect(not (folder / "never").exists(), "a refused run left something")


def check_gl(folder, scene, run):
    """The engine gl needs no display; where there is no OpenGL it says so in one line."""
    bare = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
    words = ["render", run, "--engine", "gl", "--samples", "4", "--size", "64x48", "--quiet"]
    for without in ("__EGL_VENDOR_LIBRARY_FILENAMES", "LIBGL_DRIVERS_PATH"):
        blind = dew(*words, "-o", folder / "blind.png", environment={**bare, without: "/nowhere"})
        lines = blind.stderr.splitlines()
        expect(blind.returncode == 0 or (blind.returncode == 2 and len(lines) == 1 and "--engine ray" in lines[0]),
               f"without OpenGL by {without}: {blind.returncode}, {blind.stderr!r}")
    first, second = folder / "first.png", folder / "second.png"
    done = dew(*words, "-o", first, environment=bare)
    if done.returncode == 2 and "OpenGL" in done.stderr:
        print("images: no OpenGL here, the engine gl is not tested")
        return
    expect(done.returncode == 0, f"--engine gl: {done.returncode}, {done.stderr!r}")
    good(*words, "-o", second)
    expect(first.read_bytes() == second.read_bytes(), "the same machine draws the same image")
    good("render", run, "--engine", "gl", "--samples", "1", "--size", "32x24", "--frame", "0..1", "-o", folder / "gl.exr")
    expect((folder / "gl.0001.exr").exists(), "frames of a run by the engine gl")
    good("check", scene, "--set", "output.images=gl")
    drawn = folder / "drawn_by_gl"
    camera = "camera={eye: [0, 30 mm, 120 mm], target: [0, 15 mm, 0], size: [24, 16]}"
    good("run", scene, "-o", drawn, "--quiet", "--until", "10 ms", "--set", "output.images=gl", "--set", camera)
    expect((drawn / "images" / "0001.png").exists(), "a run draws its frames by the engine gl")


def main():
    folder = runs.scratch()
    try:
        scene, run = folder / "balls.yaml", folder / "run"
        scene.write_text(SCENE)
        good("run", scene, "-o", run, "--quiet")
        check_errors(folder, scene, run)
        check_images(folder, scene, run)
        check_videos(folder, run)
        check_wet_map(folder)
        check_interrupt(folder, scene)
        check_while_running(folder, scene)
        check_gl(folder, scene, run)
    finally:
        runs.remove(folder)
    print("\n".join(failures) or "images, videos and errors are as they should be")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
