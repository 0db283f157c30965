// Prints what gltf-validator says of a .glb file: a line of JSON.
//     node validate.mjs FOLDER_OF_NODE_MODULES FILE.glb
import fs from "node:fs";
import path from "node:path";
import {createRequire} from "node:module";

const [folder, file] = process.argv.slice(2);
const validator = createRequire(path.resolve(folder) + "/")("gltf-validator");
const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {maxIssues: 20});
const {numErrors, numWarnings, messages} = report.issues;
const {drawCallCount, totalVertexCount, totalTriangleCount, animationCount} = report.info;
console.log(JSON.stringify({errors: numErrors, warnings: numWarnings, messages: messages.map((m) => `${m.code} ${m.pointer}: ${m.message}`),
                            meshes: drawCallCount, vertices: totalVertexCount, triangles: totalTriangleCount, animations: animationCount}));
