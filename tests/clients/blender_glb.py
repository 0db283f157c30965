"""Prints what Blender sees of a .glb file in some frames, as a line of JSON behind "SEEN ".

    blender --background --python blender_glb.py -- FILE FRAME_RATE_HZ FRAME...
"""
import json
import sys

import bpy
import numpy

if "bool" not in numpy.__dict__:
    numpy.bool = bool  # Debian's Blender 3.4 asks for the name that Debian's NumPy has dropped

path, rate, *frames = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
scene = bpy.context.scene
scene.render.fps = round(float(rate))
bpy.ops.import_scene.gltf(filepath=path)
seen = {}
for frame in map(int, frames):
    scene.frame_set(frame)
    shown = [o for o in bpy.data.objects if o.type == "MESH" and o.matrix_world.determinant() != 0]
    seen[frame] = {o.name: len(o.data.vertices) for o in shown}
print("SEEN " + json.dumps({"version": bpy.app.version_string, "frames": seen, "cameras": len(bpy.data.cameras),
                            "materials": sorted(m.name for m in bpy.data.materials)}))
