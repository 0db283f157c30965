// Reads all time samples of the liquid of an exported .usda or .usdc by tinyusdz and by three.js, and compares them with
// the frames of the run: numbers of vertices and triangles, bounds, indices, velocities; the times; the rate.
//
//     node tests/clients/usd_samples.mjs NODE_MODULES FILE RUN
//
// Without options that change space (--up, --scale) when FILE was made. Prints a line per client; exit code 1: they differ.
import fs from "node:fs";
import path from "node:path";
import url from "node:url";

const [modules, file, run] = process.argv.slice(2);
const bytes = fs.readFileSync(file);
const load = (name) => import(url.pathToFileURL(path.resolve(modules, name)));

// A PLY of Dew: all properties of a vertex are floats, triangles have a byte and three integers.
function readPly(name) {
    const data = fs.readFileSync(name), end = data.indexOf("end_header\n") + 11;
    const words = data.subarray(0, end).toString().split("\n").map((line) => line.split(" "));
    const count = (kind) => Number(words.find((w) => w[0] === "element" && w[1] === kind)[2]);
    const columns = words.filter((w) => w[0] === "property" && w[1] === "float").map((w) => w[2]);
    const vertices = count("vertex"), triangles = count("face"), stride = 4 * columns.length;
    const pick = (names) => {
        const at = names.map((n) => columns.indexOf(n)), out = new Float32Array(3 * vertices);
        for (let i = 0; i < vertices; i++)
            for (let k = 0; k < 3; k++) out[3 * i + k] = data.readFloatLE(end + i * stride + 4 * at[k]);
        return out;
    };
    const indices = new Int32Array(3 * triangles), begin = end + vertices * stride;
    for (let i = 0; i < 3 * triangles; i++)
        indices[i] = data.readInt32LE(begin + 13 * Math.floor(i / 3) + 1 + 4 * (i % 3));
    return {points: pick(["x", "y", "z"]), velocities: pick(["vx", "vy", "vz"]), indices};
}

// three.js: parsed values by path. Its reader of text leaves numbers as they stand in the file.
async function byThree() {
    const isCrate = bytes.subarray(0, 8).toString() === "PXR-USDC";
    const name = isCrate ? "USDCParser" : "USDAParser";
    const parser = new (await load(`three/examples/jsm/loaders/usd/${name}.js`))[name]();
    const specs = (isCrate ? parser.parseData(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
        : parser.parseData(bytes.toString())).specsByPath;
    const samples = (property) => {
        const {times, values} = specs[`/World/liquid.${property}`].fields.timeSamples;
        return new Map(times.map((t, i) => [t, Array.from(values[i]).filter((x) => !Number.isNaN(x))]));
    };
    return {rate: specs["/"].fields.timeCodesPerSecond, samples};
}

// tinyusdz, whose build is for browsers: it prints the layer that it read as text.
async function byTinyusdz() {
    globalThis.window = globalThis;
    Object.defineProperty(process, "type", {value: "renderer"});
    const wasmBinary = fs.readFileSync(path.join(modules, "tinyusdz/tinyusdz.wasm"));
    const library = await (await load("tinyusdz/tinyusdz.js")).default({wasmBinary});
    const loader = new library.TinyUSDZLoaderNative();
    if (!loader.loadAsLayerFromBinary(new Uint8Array(bytes), file)) throw new Error(loader.error());
    const text = loader.layerToString();
    const liquid = text.slice(text.indexOf('def Mesh "liquid"'));
    const samples = (property) => {
        const begin = liquid.indexOf(`${property}.timeSamples = {`);
        const lines = liquid.slice(liquid.indexOf("{", begin) + 1, liquid.indexOf("}", begin)).split("\n");
        const pairs = lines.map((line) => line.match(/^\s*([^:]+): (.*)$/)).filter(Boolean);
        return new Map(pairs.map(([, t, value]) => [Number(t), (value.match(/[-+.\deE]+/g) ?? []).map(Number)]));
    };
    return {rate: Number(text.match(/timeCodesPerSecond = (\S+)/)[1]), samples};
}

// The sample that holds at a time: the last one not later.
const at = (samples, t) => samples.get(Math.max(...[...samples.keys()].filter((key) => key <= t)));

// Equal in single precision, or up to the digits that a client prints.
function same(what, got, want, digits) {
    if (got.length !== want.length) throw new Error(`${what}: ${got.length} values, ${want.length} in the run`);
    for (let i = 0; i < want.length; i++)
        if (Math.fround(got[i]) !== want[i] && !(Math.abs(got[i] - want[i]) <= Math.abs(want[i]) * digits))
            throw new Error(`${what}: value ${i} is ${got[i]}, ${want[i]} in the run`);
}

const frames = fs.readdirSync(path.join(run, "frames")).map((name) => name.match(/^surface\.(\d+)\.ply$/))
    .filter(Boolean).map((match) => Number(match[1])).sort((a, b) => a - b);
for (const [client, read, digits] of [["three.js", byThree, 0], ["tinyusdz", byTinyusdz, 2e-6]]) {
    const {rate, samples} = await read();
    const [points, indices, velocities] = ["points", "faceVertexIndices", "velocities"].map(samples);
    const times = [...points.keys()];
    if (times[0] !== frames[0] || times.at(-1) > frames.at(-1)) throw new Error(`${client}: times ${times}, frames ${frames}`);
    const counts = new Set();
    for (const frame of frames) {
        const ply = readPly(path.join(run, `frames/surface.${String(frame).padStart(4, "0")}.ply`));
        same(`${client}, frame ${frame}, points`, at(points, frame), ply.points, digits);
        same(`${client}, frame ${frame}, velocities`, at(velocities, frame), ply.velocities, digits);
        same(`${client}, frame ${frame}, triangles`, at(indices, frame), Array.from(ply.indices), 0);
        counts.add(ply.points.length / 3);
    }
    console.log(`${path.basename(file)}: ${client} reads ${frames.length} frames at ${rate} Hz as in the run, with ${counts.size} numbers of vertices`);
}
