"""The shaders of engine `gl` compile and link under WebGL2, and its kinds of targets can be drawn to there.

    python3 tests/webgl.py build/dew

In a headless Chromium with its software GL; without one the test is skipped. Programs are those of src/render/gl/program.c, each without
features and with all of them, and with each look.
"""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "src" / "render" / "gl"

PAGE = """<!doctype html><pre id="results"></pre><script>
const sources = %s, results = [];
const gl = document.createElement("canvas").getContext("webgl2");
function stage(kind, text, name) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
        results.push("BAD " + name + ": " + gl.getShaderInfoLog(shader));
    return shader;
}
function program(name, vertex, fragment) {
    const p = gl.createProgram();
    gl.attachShader(p, stage(gl.VERTEX_SHADER, vertex, name + " vertex"));
    gl.attachShader(p, stage(gl.FRAGMENT_SHADER, fragment, name + " fragment"));
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS))
        results.push("BAD " + name + ": " + gl.getProgramInfoLog(p));
    gl.deleteProgram(p);
}
function target(name) {
    const texture = gl.createTexture(), frame = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl[name], 16, 16);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    const at = name.startsWith("DEPTH") ? gl.DEPTH_ATTACHMENT : gl.COLOR_ATTACHMENT0;
    gl.framebufferTexture2D(gl.FRAMEBUFFER, at, gl.TEXTURE_2D, texture, 0);
    if (gl.checkFramebufferStatus(gl.FRAMEBUFFER) !== gl.FRAMEBUFFER_COMPLETE)
        results.push("BAD target " + name);
}
if (!gl) {
    results.push("NONE");
} else {
    for (const [name, vertex, fragment] of sources)
        program(name, vertex, fragment);
    if (!gl.getExtension("EXT_color_buffer_float"))
        results.push("BAD no EXT_color_buffer_float");
    for (const name of ["RGBA8", "RGBA16F", "RGBA32F", "DEPTH_COMPONENT32F"])
        target(name);
    if (gl.getError() !== gl.NO_ERROR)
        results.push("BAD error");
    results.push("DONE " + sources.length + " programs, " + gl.getParameter(gl.VERSION));
}
document.getElementById("results").textContent = results.join("\\n");
</script>
"""


def feature_sets(name, has_variants):
    """As program.h has them."""
    every = sum(1 << i for i in (0, 1, 2, 3, 4, 5, 6, 7, 24, 25))
    lights = [n << 8 | ((1 << n) - 1) << 10 | ((1 << n) - 1) << 13 for n in range(4)]
    if not has_variants:
        return [0, 1 << 7]
    looks = [look << 16 | lights[1] for look in range(8)] if name == "solid" else []
    return [0, lights[2], every, every | lights[3], every & ~(1 << 7) | lights[3]] + looks


def programs():
    text = (FOLDER / "program.c").read_text()
    found = re.findall(r'\(Source\)\{\s*"(\w+)",\s*\{(.*?)\}', text, re.S)
    variants = re.search(r"has_variants\(.*?\n\}", text, re.S).group(0)
    for name, parts in found:
        body = "".join((FOLDER / (part + ".glsl")).read_text() for part in re.findall(r"dew_glsl_(\w+)", parts))
        has_variants = re.search(r"DEW_GL_%s\b" % name.upper(), variants) is not None
        for features in feature_sets(name, has_variants):
            yield ["%s %#x" % (name, features)] + [
                "#version 300 es\n#define %s\n#define FEATURES %uu\n%s" % (kind, features, body)
                for kind in ("VERTEX", "FRAGMENT")]


def main():
    if len(sys.argv) > 1 and pathlib.Path(sys.argv[1]).resolve().parent.name != "build":
        print("skipped: the shaders are those of the release build")
        return 77
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        print("skipped: no Chromium")
        return 77
    sources = list(programs())
    if len(sources) < 40:
        print("only %d programs found in program.c" % len(sources))
        return 1
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "page.html"
        page.write_text(PAGE % json.dumps(sources).replace("</", "<\\/"))
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu-sandbox", "--use-gl=angle",
                   "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--user-data-dir=" + folder + "/profile",
                   "--timeout=100000", "--dump-dom", page.as_uri()]
        out = subprocess.run(command, capture_output=True, text=True, timeout=170, check=False).stdout
    results = re.search(r'<pre id="results">(.*?)</pre>', out, re.S)
    words = html.unescape(results.group(1)) if results else ""
    if words in ("", "NONE"):
        print("skipped: this Chromium has no WebGL2")
        return 77
    print(words)
    return 1 if "BAD" in words or "DONE" not in words else 0


if __name__ == "__main__":
    sys.exit(main())
