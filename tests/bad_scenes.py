"""Bad scenes give one clear line.

    python3 tests/bad_scenes.py build/dew [--show]

Makes each bad scene in a temporary folder and runs `dew check` on it. It must give exit code 2, one line
on stderr that begins with "dew: ", names the file and, where there is one, the line, and says what is
wrong, within 2 s of CPU time and 500 MB; nothing on stdout, and nothing left behind in the folder.
"""
import os
import resource
import subprocess
import sys
import tempfile

MAX_SECONDS = 2.0
MAX_BYTES = 500 << 20
SANITIZED = bool(os.environ.get("DEW_SANITIZED"))  # sanitizers reserve address space and are slow

HEAD = "solver: volume\ndomain: {min: [-6 mm, 0, -6 mm], max: [6 mm, 8 mm, 6 mm], cell: 0.25 mm}\n"
DROP = "drops: [{shape: sphere, center: [0, 2 mm, 0], radius: 2 mm}]\n"
GOOD = HEAD + DROP  # three lines; what is wrong comes on line 4


class Case:
    """A scene, where it is wrong and what the line must say. line None: the file has none."""

    def __init__(self, name, text, line, words, sets=(), arguments=(), many=False):
        self.name, self.line, self.words, self.many = name, line, words, many
        self.data = text.encode() if isinstance(text, str) else text
        self.arguments = list(arguments) + [a for s in sets for a in ("--set", s)]
        self.is_override = bool(self.arguments)


def last(name, text, words):
    """Wrong in the last line, behind a scene that is right."""
    return Case(name, GOOD + text + "\n", 4, words)


def domain(name, text, words):
    return Case(name, f"solver: volume\n{DROP}domain: {{{text}}}\n", 3, words)


def drop(name, text, words):
    return Case(name, f"{HEAD}drops: [{{{text}}}]\n", 3, words)


def solid(name, text, words):
    return last(name, f"solids: [{{{text}}}]", words)


def syntax_cases():
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{b}: &{b} [" + ",".join(f"*{a}" for _ in range(9)) + "]\n" for a, b in zip("abcdefghi", "bcdefghij"))
    maps = "a: &a {k: 1}\n" + "".join(
        f"{b}: &{b} {{" + ",".join(f"k{i}: *{a}" for i in range(9)) + "}\n" for a, b in zip("abcdefgh", "bcdefghi"))
    return [
        Case("empty", "", None, "the scene is empty"),
        Case("comments_only", "# nothing\n\n", None, "the scene is empty"),
        Case("only_a_word", "hello\n", 1, "no scene"),
        Case("a_list", "- solver: volume\n", 1, "no scene"),
        Case("tab", "solver: volume\ndomain:\n\tmin: [0, 0, 0]\n", 3, "a tab indents this line (use spaces)"),
        Case("binary", bytes(range(256)) * 16, 1, "U+0000"),
        Case("random_bytes", b"\x89PNG\r\n\x1a\n" + bytes((i * 7919) & 255 for i in range(5000)), 1, "not UTF-8"),
        Case("latin1", GOOD.encode() + b"title: caf\xe9\n", 4, "byte 0xe9 is not UTF-8"),
        Case("utf16", GOOD.encode("utf-16"), 1, "this is UTF-16 text (save it as UTF-8)"),
        Case("nul", GOOD.encode() + b"title: a\0b\n", 4, "U+0000"),
        Case("escape_codes", GOOD.encode() + b"title: \x1b[31mred\n", 4, "U+001B"),
        Case("overlong_utf8", GOOD.encode() + b"title: \xc0\xaf\n", 4, "not UTF-8"),
        Case("alias_bomb", bomb, None, "more than 300000 values"),
        Case("alias_bomb_of_maps", maps, None, "more than 300000 values"),
        Case("alias_of_itself", "a: &a [*a]\n", 1, 'alias "a" stands inside itself'),
        Case("alias_cycle", "a: &a {b: &b {c: *a}}\n", 1, 'alias "a" stands inside itself'),
        Case("alias_unknown", GOOD + "gravity: *down\n", 4, 'alias "down" has no anchor'),
        Case("deep_lists", "[" * 100000, 1, "nested more than 64 deep"),
        Case("deep_maps", "{a: " * 100000, 1, "nested more than 64 deep"),
        Case("deep_blocks", "".join(" " * i + "a:\n" for i in range(1000)), 65, "nested more than 64 deep"),
        Case("deep_dashes", "- " * 100000, 1, "nested more than 64 deep"),
        Case("deep_in_place", GOOD + "gravity: " + "[" * 70 + "]" * 70 + "\n", 4, "nested more than 64 deep"),
        Case("huge", GOOD + "# " + "x" * (5 << 20) + "\n", None, "too large (at most 4.0 MB"),
        Case("many_values", "a: [" + "1," * 400000 + "]\n", 1, "more than 300000 values"),
        Case("many_keys", "".join(f"k{i}: 1\n" for i in range(50000)), 1025, "more than 1024 keys"),
        Case("many_anchors", "".join(f"- &a{i} 1\n" for i in range(5000)), 257, "more than 256 anchors"),
        Case("long_line", "a" * (2 << 20), 1, "no scene"),
        Case("long_key", GOOD + "k" * 900 + ": 1\n", 4, "unknown key"),
        Case("unclosed_quote", GOOD + "title: 'open\n", None, "not YAML"),
        Case("unclosed_brace", GOOD + "output: {surface: ply\n", None, "not YAML"),
        Case("bad_indent", "solver: volume\n  domain: 3\n", 2, "not YAML"),
        Case("two_documents", GOOD + "---\n" + GOOD, 4, "a second document begins"),
        Case("merge_key", "base: &b {x: 1}\nother:\n  <<: *b\n", 3, "merge keys (<<) are not known"),
        Case("tag", GOOD + "seed: !!int 5\n", 4, "tag"),
        Case("list_as_key", "? [1, 2]\n: 3\n", 1, "expected a key (a word), found a list"),
        Case("duplicate_key", GOOD + "solver: volume\n", 4, "solver: given twice (first on line 1)"),
        Case("duplicate_in_flow", HEAD + "drops: [{shape: sphere, radius: 1, radius: 2}]\n", 3, "given twice"),
    ]


def top_cases():
    return [
        last("unknown_key", "durasion: 1 s", "unknown key (did you mean duration?)"),
        last("unknown_word", "flavour: mint", "flavour: unknown key (dew, title, solver"),
        Case("misspelt_solver_key", GOOD.replace("solver", "sovler"), 1, "(did you mean solver?)"),
        Case("misspelt_solver", GOOD.replace("volume", "volumme"), 1, 'unknown solver "volumme" (did you mean volume?)'),
        Case("no_solver", GOOD.split("\n", 1)[1], 1, "solver is missing (volume, surface"),
        Case("no_domain", "solver: volume\n" + DROP, 1, "domain is missing"),
        Case("no_liquid", HEAD, 1, "there is no liquid (give drops or sources)"),
        Case("empty_drops", HEAD + "drops: []\n", 1, "there is no liquid"),
        Case("drops_a_word", HEAD + "drops: water\n", 3, "drops: expected a list, found a value"),
        last("version", "dew: 7", "format 7 is not known"),
        last("duration_wrong_unit", "duration: 3 mm", '"3 mm" is a length, but a time is wanted (such as 0.5 s)'),
        last("duration_zero", "duration: 0", "is below 1e-09 s"),
        last("duration_nan", "duration: nan", "NaN"),
        last("duration_yaml_nan", "duration: .NaN", "NaN"),
        last("duration_infinite", "duration: inf", "is infinite"),
        last("duration_overflow", "duration: 1e999", "too large"),
        last("duration_empty", "duration:", "found no value"),
        last("duration_words", "duration: a while", "is not a number"),
        last("frames", "frame_rate: 1e9 Hz", "frames are more than"),
        last("seed", "seed: 1.5", "is not a whole number"),
        last("dimensions", "dimensions: 0", "is not between 1 and 3"),
        last("gravity_scalar", "gravity: -9.81", "expected three numbers [x, y, z], found a value"),
        last("gravity_two", "gravity: [0, -9.81]", "found a list of 2"),
        last("gravity_nan", "gravity: [0, nan, 0]", "gravity[1]: NaN"),
        last("liquid_name", "liquid: wtaer", 'unknown liquid "wtaer" (did you mean water?)'),
        last("liquid_unit", "liquid: {viscosity: 1 mN/m}", "is a surface tension, but a viscosity is wanted"),
        last("title_list", "title: [a]", "found a list"),
        last("environment", "environment: stdio", "(did you mean studio?)"),
        last("output_choice", "output: {surface: pyl}", "(did you mean ply?)"),
        last("output_flag", "output: {wetmap: maybe}", "is neither true nor false"),
        last("camera", "camera: {eye: [0, 0, 0], target: [0, 0, 0]}", "the same point as eye"),
        last("parameter", "volume: {contact: gohst}", "(did you mean ghost?)"),
        last("parameter_key", "volume: {contcat: ghost}", "(did you mean contact?)"),
        Case("dimension_of_surface", GOOD.replace("volume", "surface") + "dimensions: 2\n", 4,
             "solver surface does not work in 2 (in 3)"),
        Case("refused_output", GOOD.replace("volume", "surface") + "output: {volume: vdb}\n", 4,
             "solver surface does not take output.volume"),
        Case("refused_depth", HEAD + "drops: [{shape: depth, file: d.csv}]\n", 3,
             "solver volume does not take drops[0].shape=depth"),
    ]


def domain_cases():
    box = "min: [0, 0, 0], max: [1 m, 1 m, 1 m]"
    return [
        domain("cells_1e18", box + ", cell: 1 um", "1e+18 cells"),
        domain("cells_1e297", box + ", cell: 1e-99", "cells are more than can be addressed"),
        Case("cells_1e12", GOOD.replace("volume", "splash").replace("0.25 mm", "0.0005 mm"), 2, "need"),
        domain("cell_missing", box, "cell is missing (a length, such as 2 mm)"),
        domain("cell_too_large", box + ", cell: 2 m", "is larger than the domain"),
        domain("cell_negative", box + ", cell: -1 mm", "is not above 0"),
        domain("inside_out", "min: [0, 5, 0], max: [1, 1, 1], cell: 0.1", "not above min's"),
        domain("wall_material", box + ", cell: 0.1, walls: {floor: glas}", 'no material "glas"'),
        domain("wall_side", box + ", cell: 0.1, walls: {flor: open}", "(did you mean floor?)"),
        domain("far_away", "min: [0, 0, 0], max: [1e300, 1, 1], cell: 0.1", "is above 1e+09 m"),
    ]


def thing_cases():
    return [
        last("receding", "materials: {a: {advancing: 60 deg, receding: 90 deg}}", "above the advancing angle"),
        last("angle_twice", "materials: {a: {angle: 60 deg, advancing: 60 deg}}", "angle stands for it already"),
        last("angle_in_radians", "materials: {a: {angle: 90}}", "for degrees add deg"),
        last("slip_negative", "materials: {a: {slip: -1}}", "is below 0"),
        last("material_name", "materials: {\"a/b\": {}}", "is no name"),
        last("look", "look: {steel: {roughness: 0.5}}", 'no material "steel"'),
        drop("radius_negative", "shape: sphere, radius: -2 mm", '"-2 mm" is not above 0'),
        drop("drop_outside", "shape: sphere, radius: 1 mm, center: [1e9, 0, 0]", "the drop lies outside the domain"),
        drop("radius_missing", "shape: sphere", "radius is missing"),
        drop("radius_unit", "shape: sphere, radius: 2 mmm", 'unknown unit "mmm" (did you mean mm?)'),
        drop("drop_shape", "shape: shpere, radius: 1", '(did you mean sphere?)'),
        drop("drop_no_shape", "radius: 1 mm", "shape is missing (sphere, ellipsoid"),
        drop("drop_other_shape", "shape: sphere, radius: 1 mm, volume: 1 ul", "shape sphere does not take it (only: cap)"),
        drop("box_flat", "shape: box, min: [0, 0, 0], max: [1, 1, 0]", "its z, 0 m, is not above min's"),
        drop("scatter_nowhere", "shape: scatter, on: window, radius: 1 mm", 'no solid is called "window"'),
        Case("scatter_count", HEAD + "drops: [{shape: scatter, on: w, count: 1e12, radius: 1 mm}]\n"
             "solids: [{shape: plane, name: w}]\n", 3, "is not a whole number"),
        solid("solid_material", "shape: plane, material: glass", 'no material "glass"'),
        solid("normal_zero", "shape: plane, normal: [0, 0, 0]", "has no direction"),
        solid("tube", "shape: tube, from: [0, 0, 0], to: [0, 1, 0], inner_radius: 2, outer_radius: 1",
              "is not above inner_radius"),
        solid("keyframes", "shape: plane, keyframes: [{time: 1}, {time: 1}]", "not later than the keyframe before"),
        solid("heightfield", "shape: heightfield, file: g.png, min: [0, 0], max: [1, 1]", "a PNG does not say"),
        solid("mesh_gone", "shape: mesh, file: gone.ply", "gone.ply"),
        last("source_stop", "sources: [{shape: disk, radius: 1 mm, speed: 1, start: 2, stop: 1}]", "not later than start"),
        last("source_kind", "sources: [{shape: drip, radius: 1 mm, every: 3 Hz}]", "is a frequency, but a time is wanted"),
        last("sink", "sinks: [{min: [0, 0, 0], max: [1, 1, -1]}]", "not above min's"),
    ]


def override_cases():
    def override(name, text, words):
        return Case("set_" + name, GOOD, None, words, sets=[text])
    return [
        override("unit", "drops[0].radius=3 s", "--set drops[0].radius=3 s: drops[0].radius:"),
        override("index", "drops[7].radius=3 mm", "there is no entry [7]"),
        override("key", "drops[0].raduis=3 mm", "(did you mean radius?)"),
        override("list", "drop[0].radius=3 mm", "(did you mean drops?)"),
        override("no_value", "duration", "not KEY=VALUE"),
        override("path", "drops[0..radius=3", "not a path into a scene"),
        override("yaml", "gravity=[0, 1", "not YAML"),
        override("bomb", "drops=" + "[" * 5000, "nested more than 64 deep"),
        override("cells", "domain.cell=1e-12 m", "cells are more than can be addressed"),
        Case("solver_argument", GOOD, None, "--solver volumne: solver: unknown solver", arguments=["--solver", "volumne"]),
    ]


def many_cases():
    return [
        Case("several_errors", "solver: volum\ndomain: {min: 3, max: [1, 1, 1], cell: 3 s}\n"
             "drops: [{shape: sphere, radius: -1}]\ncolour: red\n", None, "", many=True),
        Case("forty_errors", HEAD + "drops:\n" + "- {shape: sphere, radius: -1}\n" * 40, None, "and 20 more errors",
             many=True),
        Case("thousands_of_errors", HEAD + "drops:\n" + "- {shape: sphere, radus: x, on: y}\n" * 30000, None,
             "more errors", many=True),
        Case("thousands_of_names", HEAD + DROP + "solids:\n" + "".join(
            f"- {{shape: plane, name: n{i}, material: m{i}}}\n" for i in range(20000)), None, "more errors", many=True),
    ]


def run(dew, path, arguments, folder):
    """Exit code, stdout, stderr, CPU seconds, bytes."""
    def limit():
        if not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen([dew, "check", path, *arguments], stdout=out, stderr=err, cwd=folder,
                                 preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return (child.returncode, out.read().decode(errors="replace"), err.read().decode(errors="replace"),
                usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def faults(case, file, result):
    code, out, err, seconds, size = result
    lines = err.splitlines()
    place = "dew: " if case.is_override else f"dew: {file}:{case.line}: " if case.line else f"dew: {file}: "
    if code != 2:
        yield f"exit code {code}"
    if out:
        yield "words on stdout"
    if not lines or not all(line.startswith("dew: ") for line in lines):
        yield "a line without dew:"
    if any(len(line) > 520 for line in lines):
        yield "a line that is too long"
    if case.many and not 3 <= len(lines) <= 21:
        yield f"{len(lines)} lines"
    if not case.many and len(lines) != 1:
        yield f"{len(lines)} lines, not one"
    if not case.many and case.line and not err.startswith(place):
        yield f"does not begin with {place}"
    if not case.is_override and file not in err:
        yield "does not name the file"
    if case.words not in err:
        yield f"does not say {case.words}"
    if seconds > MAX_SECONDS * (20 if SANITIZED else 1):
        yield f"{seconds:.1f} s"
    if size > MAX_BYTES and not SANITIZED:
        yield f"{size >> 20} MB"


def main():
    dew, show = os.path.abspath(sys.argv[1]), "--show" in sys.argv
    cases = (syntax_cases() + top_cases() + domain_cases() + thing_cases() + override_cases() + many_cases())
    assert len({case.name for case in cases}) == len(cases)
    wrong = 0
    slowest, largest = 0.0, 0

    def judge(case, file, folder):
        nonlocal wrong, slowest, largest
        before = sorted(os.listdir(folder))
        result = run(dew, file, case.arguments, folder)
        found = list(faults(case, file, result))
        if sorted(os.listdir(folder)) != before:
            found.append("left something behind")
        slowest, largest = max(slowest, result[3]), max(largest, result[4])
        wrong += bool(found)
        if found or show:
            print(f"{case.name}: {'; '.join(found) or 'fine'}\n    " + "\n    ".join(result[2].splitlines()[:3]))

    with tempfile.TemporaryDirectory() as folder:
        for case in cases:
            file = case.name + ".yaml"
            with open(os.path.join(folder, file), "wb") as f:
                f.write(case.data)
            judge(case, file, folder)
            os.unlink(os.path.join(folder, file))
        judge(Case("missing", "", None, "o such file"), "missing.yaml", folder)
        os.mkdir(os.path.join(folder, "folder.yaml"))
        judge(Case("directory", "", None, "directory"), "folder.yaml", folder)
        if os.geteuid() != 0:
            with open(os.path.join(folder, "locked.yaml"), "w") as f:
                f.write(GOOD)
            os.chmod(os.path.join(folder, "locked.yaml"), 0)
            judge(Case("locked", "", None, "Permission"), "locked.yaml", folder)
    print(f"bad_scenes: {len(cases) + 2} scenes, {wrong} not as they should be; slowest {slowest:.2f} s of CPU time, "
          f"largest {largest >> 20} MB")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
