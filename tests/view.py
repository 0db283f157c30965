"""The window, driven by scripts: a button is pushed across a pane of drops, drops are poured, gravity is
tilted, images are taken; what was done is repeated to the bit; a run is played back and scrubbed; and the
window closes at once in any state. SDL's offscreen driver stands in for a display."""
import csv
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import _png  # noqa: E402

LEAKS_OF_OTHERS = pathlib.Path(__file__).resolve().parent / "leaks_of_others.txt"
WIDTH, HEIGHT = 480, 270
EYE_MM, FOV_DEG = 150, 20
BUTTON_MM = 5

PANE = f"""
title: A pane, and a button
solver: surface
duration: 4 s
frame_rate: 30 Hz
seed: 3
domain: {{min: [-40 mm, -25 mm, -1 mm], max: [40 mm, 25 mm, 12 mm], cell: 1.2 mm}}
materials: {{glass: {{advancing: 90 deg, receding: 30 deg}}, plastic: {{angle: 90 deg}}}}
solids:
- {{shape: plane, name: pane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}}
- {{shape: cylinder, name: button, from: [-34 mm, 0, -1 mm], to: [-34 mm, 0, 5 mm], radius: {BUTTON_MM} mm,
   material: plastic, movable: true}}
drops:
surface: {{steps_per_period: 0}}
camera: {{eye: [0, 0, {EYE_MM} mm], target: [0, 0, 0], fov: {FOV_DEG} deg}}
environment: rainy
look: {{glass: {{kind: glass}}}}
"""
# Small enough to stay where they are: three rows, the middle one in the button's way.
DROPS = [(x, y) for y in (-10, 1, 10) for x in range(-20, 21, 8)]
PANE = PANE.replace("drops:\n", "drops:\n" + "".join(
    f"- {{shape: cap, point: [{x} mm, {y} mm, 0], normal: [0, 0, 1], volume: 6 mm^3, angle: 60 deg}}\n"
    for x, y in DROPS))


def pixel(x_mm, y_mm, z_mm=0):
    """Where a point is seen."""
    scale = HEIGHT / 2 / math.tan(math.radians(FOV_DEG / 2)) / (EYE_MM - z_mm)
    return round(WIDTH / 2 + scale * x_mm), round(HEIGHT / 2 - scale * y_mm)


class Check:
    def __init__(self, dew, folder):
        self.dew, self.folder, self.wrong = dew, folder, []

    def expect(self, is_right, words):
        if not is_right:
            self.wrong.append(words)

    def run(self, *words, code=0, **more):
        done = subprocess.run([self.dew, *words], cwd=self.folder, capture_output=True, text=True, timeout=200,
                              **more)
        self.expect(done.returncode == code,
                    f"dew {' '.join(words)}: exit code {done.returncode}, not {code}: {done.stderr[-600:]}")
        return done

    def view(self, operand, script, *words, **more):
        (self.folder / "script.txt").write_text(script)
        return self.run("view", operand, "--offscreen", "--script", "script.txt", "--size", f"{WIDTH}x{HEIGHT}",
                        *words, **more)


def figures(output):
    """The lines of `print`, as numbers."""
    pattern = re.compile(r"^t = (\S+) s, frame (\d+), drops (\d+), triangles (\d+), volume (\S+) m\^3, volume error (\S+)$",
                         re.MULTILINE)
    names = ("time", "frame", "drops", "triangles", "volume", "error")
    return [dict(zip(names, map(float, found))) for found in pattern.findall(output)]


def difference(a, b, x, y, reach):
    """Fraction of pixels around a place that differ by more than eight levels."""
    count = total = 0
    for row in range(max(y - reach, 0), min(y + reach + 1, HEIGHT)):
        for column in range(max(x - reach, 0), min(x + reach + 1, WIDTH)):
            total += 1
            at = 3 * column
            count += max(abs(a[row][at + k] - b[row][at + k]) for k in range(3)) > 8
    return count / total


def interaction(check):
    """A session: drag, pour twenty drops, tilt, image, quit."""
    poured = [(-30 + 6.5 * k, y) for y in (19, -19) for k in range(10)]
    script = ["at 1", "key i", "key d", "key d", "wait 1", "print"]
    script += ["drag %d %d %d %d 30" % (*pixel(-34, 0, 5), *pixel(32, 0, 5)), "print", "shot before.png"]
    for x, y in poured:
        script += ["click %d %d" % pixel(x, y)]
    script += ["wait 2", "shot poured.png", "print", "key right", "key right", "wait 5", "print", "save saved.yaml",
               "shot tilted.png", "quit"]
    done = check.view("pane.yaml", "\n".join(script))
    rows = figures(done.stdout)
    check.expect(len(rows) == 4, f"four lines of figures, not {len(rows)}: {done.stdout}")
    if len(rows) != 4:
        return
    start, dragged, full, end = rows
    for row in rows:
        check.expect(abs(row["error"]) < 1e-6, f"volume error {row['error']} at t = {row['time']}")
    check.expect(abs(dragged["volume"] / start["volume"] - 1) < 1e-6, "the button made liquid, or took some")
    radius_mm = 2.5 * 1.2 / 1.25**2
    wanted = 20 * 2 / 3 * math.pi * radius_mm**3 * 1e-9
    gained = full["volume"] - dragged["volume"]
    check.expect(full["drops"] == dragged["drops"] + 20, f"twenty drops more than {dragged['drops']}, not {full['drops']}")
    check.expect(abs(gained / wanted - 1) < 1e-3, f"twenty drops of {wanted} m^3 together gave {gained}")
    before, after = (_png.read(check.folder / name)[2] for name in ("before.png", "poured.png"))
    # A drop shows by its rim at least, some 70 pixels of the 29 x 29 around it; elsewhere nothing changes.
    seen = sum(difference(before, after, *pixel(x, y), 14) > 0.05 for x, y in poured)
    check.expect(seen == 20, f"of twenty poured drops {seen} are seen in the image")
    still = max(difference(before, after, *pixel(x, 25), 3) for x, _ in poured)
    check.expect(still < 0.05, f"where nothing was poured {100 * still:.0f} % of the image changed")
    events = (check.folder / "saved.yaml").read_text().count("kind: ")
    check.expect(events >= 40, f"{events} events were saved")
    repeat(check, done.stdout)


def repeat(check, output):
    """`dew run` on what was saved: a bit-identical state, and the drops that were in the button's way have moved."""
    state = re.search(r"state (\w{16})$", output, re.MULTILINE)
    check.run("run", "saved.yaml", "-o", "again", "--quiet", "--threads", "2")
    record = json.loads((check.folder / "again/run.json").read_text())
    check.expect(state and record["state_hash"] == state.group(1),
                 f"the run of the saved scene ends in {record['state_hash']}, the window in {state and state.group(1)}")
    rows = list(csv.DictReader((check.folder / "again/drops.csv").open()))
    first = {row["id"]: row for row in rows if row["frame"] == "0"}
    late = {row["id"]: row for row in rows if row["frame"] == "38"}
    in_way = [key for key, row in first.items()
              if abs(float(row["center_y"])) < 0.5e-3 * BUTTON_MM and -0.026 < float(row["center_x"]) < 0.024]
    check.expect(len(in_way) == 6, f"{len(in_way)} drops lie in the button's way")
    for key in in_way:  # gone into another, or somewhere else
        if key in late:
            way = math.dist([float(first[key]["center_" + axis]) for axis in "xyz"],
                            [float(late[key]["center_" + axis]) for axis in "xyz"])
            check.expect(way > 1e-3, f"drop {key} stood in the button's way and moved by {way} m")


def everything(check):
    """Every key, the camera, values, a video; and a restart goes back to the start."""
    script = ["at 2"] + [f"key {k}" for k in "hiaAmaAtTwWdDn"] + ["wait 2", "key space", "key left", "key up", "key 0"]
    script += ["drag 100 100 200 140 3 right", "drag 100 100 120 140 3 middle", "wheel 2", "key c", "key -", "key =",
               "key v", "wait 3", "key v", "key e", "key p", "print", "key r", "wait 3", "print", "quit"]
    done = check.view("pane.yaml", "\n".join(script))
    rows = figures(done.stdout)
    check.expect(len(rows) == 2 and rows[1]["frame"] < rows[0]["frame"], f"no restart: {done.stdout}")
    for name in ("pane.0001.png", "pane.0001.yaml"):
        check.expect((check.folder / name).exists(), f"{name} was not written")
    video = check.folder / "pane.0001.mp4"
    check.expect(video.exists() or video.with_suffix("").exists() or list(check.folder.glob("pane.0001*mp4*")),
                 "no video was written")


def playback(check):
    done = check.view("again", "wait 2\nkey space\nkey home\nwait 3\nprint\nkey end\nwait 3\nprint\n"
                      f"click {WIDTH // 2} {HEIGHT - 3}\nwait 3\nprint\nshot played.png\nquit\n")
    rows = figures(done.stdout)
    frames = [row["frame"] for row in rows]
    last = json.loads((check.folder / "again/run.json").read_text())["frames"] - 1
    check.expect(len(frames) == 3 and frames[0] == 0 and frames[1] == last and abs(frames[2] - last / 2) <= 1.5,
                 f"scrubbed to {frames} of {last}")


def quits(check):
    """At once and with 0, whatever goes on: also in the middle of a long step."""
    for words in ("quit", "key space\nwait 2\nquit", "key v\nwait 1\nquit", "down left 240 100\nwait 1\nquit"):
        check.view("pane.yaml", words + "\n", "--quiet")
    slow = check.folder / "slow.yaml"
    slow.write_text("solver: volume\ndomain: {min: [-20 mm, -20 mm, -20 mm], max: [20 mm, 20 mm, 20 mm], cell: 1 mm}\n"
                    "drops: [{shape: sphere, radius: 15 mm}]\n")
    process = subprocess.Popen([check.dew, "view", "slow.yaml", "--offscreen", "--size", "160x120"], cwd=check.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**os.environ})
    time.sleep(2.5)
    begin = time.monotonic()
    process.terminate()
    try:
        process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
    took = time.monotonic() - begin
    check.expect(process.returncode == 0, f"closed in the middle of a step: exit code {process.returncode}")
    check.expect(took < 15, f"closing took {took:.1f} s")


def on_a_server(check):
    """The same window on an X server that nobody sees, where there is one."""
    if not shutil.which("Xvfb"):
        return
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24"], pass_fds=[writing],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    try:
        display = os.read(reading, 16).decode().strip()
        (check.folder / "x.txt").write_text("at 2\nshot x.png\nquit\n")
        if display:
            check.run("view", "pane.yaml", "--script", "x.txt", "--size", f"{WIDTH}x{HEIGHT}",
                      env={**os.environ, "DISPLAY": ":" + display, "SDL_VIDEODRIVER": "x11",
                           "LSAN_OPTIONS": f"suppressions={LEAKS_OF_OTHERS}:print_suppressions=0"})
            rows = _png.read(check.folder / "x.png")[2]
            colors = {bytes(row[at:at + 3]) for row in rows for at in range(0, 3 * WIDTH, 3)}
            check.expect(len(colors) > 500, f"the image on an X server has {len(colors)} colours")
    finally:
        server.terminate()
        server.wait()
        os.close(reading)


def errors(check):
    bare = {key: value for key, value in os.environ.items()
            if key not in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SDL_VIDEODRIVER")}
    done = check.run("view", "pane.yaml", code=1, env=bare)
    check.expect(len(done.stderr.splitlines()) == 1 and "--offscreen" in done.stderr, f"no display: {done.stderr}")
    (check.folder / "bad.txt").write_text("at 3\nclik 3 4\n")
    done = check.run("view", "pane.yaml", "--offscreen", "--script", "bad.txt", code=2)
    check.expect("bad.txt:2: no command 'clik' (did you mean click" in done.stderr, done.stderr)
    for line in ("shot none/x.png", "save none/x.yaml"):
        done = check.view("pane.yaml", line + "\nquit\n", code=1)
        check.expect(len(done.stderr.splitlines()) == 1 and "cannot write" in done.stderr, f"{line}: {done.stderr}")
    check.view("pane.yaml", "\ufeffwait 1\n")  # its end is that of the command
    check.view("pane.yaml", "wait 1\n\0quit\n", code=2)
    done = check.run("view", "pane.yaml", "--size", "3x", code=2)
    check.expect("1280x720" in done.stderr, done.stderr)


def main():
    dew = str(pathlib.Path(sys.argv[1]).resolve())
    os.environ["LP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as name:
        check = Check(dew, pathlib.Path(name))
        (check.folder / "pane.yaml").write_text(PANE)
        probe = check.view("pane.yaml", "quit\n")
        if "this build has no windows" in probe.stderr or "this machine has no windows" in probe.stderr:
            print("this build has no windows: nothing to test")
            return 77
        for part in (interaction, playback, everything, quits, on_a_server, errors):
            begin = time.monotonic()
            part(check)
            print(f"{part.__name__}: {time.monotonic() - begin:.1f} s")
    print("\n".join(check.wrong) or "the window does what it should")
    return 1 if check.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
