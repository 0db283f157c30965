"""The binary interface: exported symbols, sizes and offsets are those of include/dew/api.json.

A shared library is linked from the build's static one with the version script that shared builds use; so this
runs in every build. A C program of static asserts has the compiler verify each size, offset and enum value.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

program = pathlib.Path(sys.argv[1]).resolve()
build = program.parent
root = pathlib.Path(__file__).resolve().parent.parent
api = json.loads((root / "include/dew/api.json").read_text())
functions = {function["name"] for function in api["functions"]}
for_c_alone = {"dew_fail"}  # variable arguments; bindings call dew_fail_text


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, f"{command[0]}: {done.stderr[-2000:]}"
    return done.stdout


def exported(library):
    """Names of the functions and objects that the library defines for others."""
    lines = run("nm", "-D", "--defined-only", library).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if line.split()[-2] != "A"}


def library_of(folder):
    shared = build / "libdew.so.0"
    if shared.exists():
        return shared
    library = folder / "libdew.so.0"
    run("cc", "-shared", "-o", library, "-Wl,-soname,libdew.so.0", f"-Wl,--version-script={build / 'dew.map'}",
        "-Wl,--whole-archive", build / "libdew.a", "-Wl,--no-whole-archive", "-Wl,--unresolved-symbols=ignore-all")
    return library


def check_symbols(library):
    found = exported(library) - for_c_alone
    assert found == functions, f"exported but not in api.json: {sorted(found - functions)}; missing: {sorted(functions - found)}"
    dynamic = run("readelf", "-d", library)
    assert "[libdew.so.0]" in dynamic, dynamic


def check_layout(folder):
    source = folder / "layout.c"
    source.write_text(run(sys.executable, root / "scripts/api", "--asserts"))
    run("cc", "-std=c17", f"-I{root / 'include'}", "-fsyntax-only", source)
    broken = source.read_text().replace("offsetof(dew_Vec3, y) == 8", "offsetof(dew_Vec3, y) == 4")
    assert broken != source.read_text()
    source.write_text(broken)
    done = subprocess.run(["cc", "-std=c17", f"-I{root / 'include'}", "-fsyntax-only", source], capture_output=True, timeout=60)
    assert done.returncode != 0, "a wrong offset compiles"


def check_style():
    """What bindings rely on: no function with variable arguments, and every name with the prefix."""
    assert not for_c_alone & functions and {name + "_text" for name in for_c_alone} <= functions
    assert not [f["name"] for f in api["functions"] if any(p["type"] == "varargs" for p in f["parameters"])]
    assert all(name.startswith("dew_") for name in functions)
    cookies = {s["name"] for s in api["structs"] if any(f["name"] == "cookie" for f in s["fields"])}
    defaults = {f["returns"]["type"] for f in api["functions"] if f["name"].startswith("dew_default_")}
    assert cookies == defaults, f"a cookie without default function, or the reverse: {sorted(cookies ^ defaults)}"


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    check_style()
    check_layout(scratch)
    if not (build / "dew.map").exists():
        print("skipped: this build has no version script")
        sys.exit(77)
    check_symbols(library_of(scratch))
    print(f"{len(functions)} functions, {len(api['structs'])} structs: as described")
